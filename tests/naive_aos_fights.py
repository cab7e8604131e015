"""Age of Sigmar, the naive way: attacks and what changes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import lcm
from typing import Any

from naive_questions import Die, Told, outcomes


def rolls(die: Die, text: Any) -> int:
    """Roll ``D6``, ``2D3`` or ``D6+1``; a number is itself."""
    if isinstance(text, int) or text.isdigit():
        return int(text)
    dice, _, plus = text.partition("+")
    count, _, sides = dice.partition("D")
    return sum(die(int(sides)) for _ in range(int(count or 1))) + int(plus or 0)


@dataclass(frozen=True)
class Fight:
    """An attack sequence at the table. Modifiers are sums, not held to any limit yet."""

    attacks: Any = 1
    hit: int = 3
    wound: int = 3
    save: int = 7
    rend: int = 0
    dmg: Any = 1
    crit: str = "none"
    crit_on: int = 6
    companion: bool = False
    ward: int = 0
    hit_mod: int = 0  # that no weapon ignores
    hit_bonus: int = 0  # that companion weapons ignore
    wound_mod: int = 0
    wound_bonus: int = 0
    save_mod: int = 0
    wound6: bool = True
    cap: str = "net"
    reroll_hits: str = "none"
    reroll_wounds: str = "none"
    reroll_saves: str = "none"

    def damage(self, die: Die) -> int:
        """What one round of attacks does, after the ward; an attack is a die with a face for each of its ends."""
        return sum(die(self.ends()) for _ in range(rolls(die, self.attacks)))

    @cache  # noqa: B019 - fights are few
    def ends(self) -> Counter[int]:
        """How often one attack comes to each damage, by all ways its dice can fall."""
        return as_die(lambda die: self.attack(die))

    def attack(self, die: Die) -> int:
        hit = self.face(die, self.hits, self.reroll_hits)
        if hit == "miss":
            return 0
        if hit == "critical" and self.crit == "mortal":
            return self.pool(die)
        wounds_itself = hit == "critical" and self.crit == "auto"
        number = 2 if hit == "critical" and self.crit == "2hits" else 1
        return sum(self.a_hit(die, wounds_itself) for _ in range(number))

    def a_hit(self, die: Die, wounds_itself: bool) -> int:
        if not wounds_itself and self.face(die, self.wounds, self.reroll_wounds) == "miss":
            return 0
        if self.save < 7 and self.face(die, self.saves, self.reroll_saves) == "hit":
            return 0
        return self.pool(die)

    def pool(self, die: Die) -> int:
        """The damage of an attack, each point of it warded apart."""
        points = rolls(die, self.dmg)
        if not self.ward:
            return points
        return sum(die(warded(self.ward)) for _ in range(points))

    def face(self, die: Die, told: Callable[[int], str], reroll: str) -> str:
        """One die, rolled again if it may be; dice that come to the same are one way for it to fall."""
        again = {
            "none": lambda face: False,
            "ones": lambda face: face == 1,
            "failed": lambda face: told(face) == "miss",
        }
        first = die(Counter("again" if again[reroll](face) else told(face) for face in range(1, 7)))
        return str(die(Counter(told(face) for face in range(1, 7))) if first == "again" else first)

    def hits(self, face: int) -> str:
        if face >= self.crit_on:
            return "critical"
        modifier = self.hit_mod + (0 if self.companion else self.hit_bonus)
        if face == 6:
            return "hit"
        return "hit" if face != 1 and face + sorted((-1, modifier, 1))[1] >= self.hit else "miss"

    def wounds(self, face: int) -> str:
        modifier = self.wound_mod + (0 if self.companion else self.wound_bonus)
        if face == 6 and self.wound6:
            return "hit"
        return "hit" if face != 1 and face + sorted((-1, modifier, 1))[1] >= self.wound else "miss"

    def saves(self, face: int) -> str:
        if self.cap == "net":
            changed = face + min(1, self.save_mod - self.rend)
        else:
            changed = face + min(1, self.save_mod) - self.rend
        return "hit" if face != 1 and changed >= self.save else "miss"


def as_die(play: Callable[[Die], int]) -> Counter[int]:
    """All that a play can come to, as the faces of one die."""
    every = [(told["end"], chance) for told, chance in outcomes(lambda die: {"end": play(die)})]
    whole = lcm(*(chance.denominator for _, chance in every))
    ways: Counter[int] = Counter()
    for end, chance in every:
        ways[end] += int(chance * whole)
    return ways


def warded(ward: int) -> Counter[int]:
    """A die for a point of damage: 1 where it gets through, 0 where it is warded off."""
    return Counter(0 if face >= ward else 1 for face in range(1, 7))


def removed(points: int, models: int, health: int, wounded: int = 0) -> int:
    """Models that damage removes, point by point."""
    gone, left = 0, health - wounded
    for _ in range(points):
        if gone == models:
            break
        left -= 1
        if left == 0:
            gone, left = gone + 1, health
    return gone


#: System to editions and inputs that are asked.
CASES: dict[str, list[tuple[str, dict[str, Any]]]] = {}

#: System to its play: of an edition and inputs, a function of a die.
PLAYS: dict[str, Callable[..., Callable[[Die], Told]]] = {}
