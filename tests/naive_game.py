"""The naive way for two players: a game of markers searched in the most obvious manner, for the tests only.

It shares no code with the package, nor with the other naive way.  A scenario (a mapping, by numbers only, its shots in
turn) is searched move by move; every state is asked for the full distribution of ends below it, as exact fractions, and
remembered.  Whoever chooses looks at every choice, and at what the other one would answer.

The readings
------------
* Before an action roll the target's player spends blood of the attacker (-1 DICE), the attacker's player its blessings
  (+1 DICE).  Once a hit and whether it is critical are known, the target's player spends blessings of the target (-1
  injury die), the attacker's player its blood (+1 injury die each, or a Bloodbath).
* `declarations`: who says first what is spent on a roll; the other one hears it and answers.
* `greedy` looks at this roll alone, with what has been declared before it.
* A choice within 1e-12 of the best is as good; among those the fewest markers are spent, then no Bloodbath.
* Nothing can be spent on the action roll of AUTO-HIT.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from math import factorial, prod
from typing import Any, NamedTuple

OUT = "out"
TIE = Fraction(1, 10**12)

Ends = Mapping[Any, Fraction]


# --- dice ---------------------------------------------------------------------------------------------------


@cache
def pool(net: int, keep: int) -> Mapping[int, Fraction]:
    """Totals of a pool: every way its dice can show, as often as it happens."""
    count = keep + abs(net)
    totals: Counter[int] = Counter()
    for faces in itertools.combinations_with_replacement(range(1, 7), count):
        ways = factorial(count) // prod(factorial(faces.count(face)) for face in set(faces))
        totals[sum(sorted(faces, reverse=net > 0)[:keep])] += ways
    return {total: Fraction(ways, 6**count) for total, ways in totals.items()}


@cache
def hits(net: int) -> tuple[Fraction, Fraction, Fraction]:
    """Chances of a miss, a plain hit and a critical one."""
    dice = pool(net, 2)
    miss = sum((chance for total, chance in dice.items() if total <= 6), Fraction(0))
    return miss, 1 - miss - dice.get(12, Fraction(0)), dice.get(12, Fraction(0))


@cache
def injuries(net: int, keep: int, flat: bool, modifier: int) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Chances of no effect, a minor hit, Down and out of action."""
    chances = [Fraction(0)] * 4
    for total, chance in pool(net, keep).items():
        for extra in range(1, 7) if flat else (0,):
            result = total + extra + modifier
            place = 0 if result <= 1 else 1 if result <= 6 else 2 if result <= 8 else 3
            chances[place] += chance / (6 if flat else 1)
    return chances[0], chances[1], chances[2], chances[3]


# --- the two models -----------------------------------------------------------------------------------------


class Own(NamedTuple):
    """What the attacker still has."""

    blood: int
    blessing: int


class Target(NamedTuple):
    down: bool
    blood: int
    blessing: int
    tough: bool


class Buys(NamedTuple):
    """Blood spent on an injury roll: dice, perhaps a Bloodbath, and the markers of both."""

    markers: int
    bloodbath: bool
    dice: int


class Asked(NamedTuple):
    """One decision: whose (0 the target's player, 1 the attacker's), where, and what the other declared before."""

    who: int
    step: int
    own: Own
    target: Target
    critical: int | None  # None on an action roll
    heard: Any  # None for whoever declares first


#: Gives a player's choice.
Tables = Callable[[Asked], Any]


class Game:
    """A scenario in which both players may choose.

    `tables`: what is chosen, instead of what is best.
    """

    def __init__(self, scenario: Mapping[str, Any], tables: Tables | None = None) -> None:
        self.old = scenario.get("edition", "1.6.3") == "1.0.2"
        self.options = scenario.get("options", {})
        self.spend: Mapping[str, str] = scenario.get("spend", {})
        self.tables = tables
        attacker, target = scenario.get("attacker", {}), scenario["target"]
        self.own = Own(attacker.get("blood", 0), attacker.get("blessing", 0))
        self.attacker_down: bool = attacker.get("down", False)
        self.target = Target(
            target.get("down", False), target.get("blood", 0), target.get("blessing", 0), target.get("tough", False)
        )
        self.armour, self.injury_dice = target.get("injury_modifier", 0), target.get("injury_dice", 0)
        self.machine_armour: bool = target.get("machine_armour_minor", False)
        self.steps: list[Mapping[str, Any]] = []
        for table in scenario["attacks"]:
            self.steps += [table] * table.get("times", 1) * table.get("shots", 1)
        self.attacker_first = self.options.get("declarations", "target-first") == "attacker-first"
        self.after = cache(self._after)

    def ends(self) -> Ends:
        """How it ends: out, or the target as it is left."""
        return self.after(0, False, self.own, self.target)

    def _after(self, step: int, ended: bool, own: Own, target: Target) -> Ends:
        """The ends of what is left from a step on."""
        if step == len(self.steps):
            return {target: Fraction(1)}
        table = self.steps[step]
        if table.get("event") == "activation":
            return self.after(step + 1, False, own, target)
        if ended:
            return self.after(step + 1, True, own, target)
        if table.get("event") == "stand":
            return self.after(step + 1, False, own, target._replace(down=False))
        return self.action_roll(step, own, target, self.tables)

    # --- one attack

    def action_roll(self, step: int, own: Own, target: Target, tables: Tables | None) -> Ends:
        """The ends from an attack on."""
        auto = "AUTO-HIT" in self.steps[step].get("keywords", [])

        def play(blood: int, blessing: int) -> Ends:
            return self._rolled(step, own, Own(own.blood - blood, own.blessing - blessing), target, tables)

        takes = [0] if auto else amounts(self.spend.get("blood_on_action", "none"), own.blood)
        gives = [0] if auto else amounts(self.spend.get("blessing_on_action", "none"), own.blessing)
        asked = Asked(0, step, own, target, None, None)
        return self._both(asked, lambda heard: takes, lambda heard: gives, play, tables)

    def _rolled(self, step: int, before: Own, own: Own, target: Target, tables: Tables | None) -> Ends:
        table = self.steps[step]
        words = table.get("keywords", [])
        chances = (Fraction(0), Fraction(1), Fraction(0))
        if "AUTO-HIT" not in words:
            net = table.get("action_dice", 0) - (before.blood - own.blood) + before.blessing - own.blessing
            chances = hits(net - self.attacker_down)
        return mix(
            [
                (chances[0], lambda: self.after(step + 1, "RISKY" in words, own, target)),
                (chances[1], lambda: self.injury_roll(step, own, target, 0, tables)),
                (chances[2], lambda: self.injury_roll(step, own, target, 1, tables)),
            ]
        )

    def injury_roll(self, step: int, own: Own, target: Target, critical: int, tables: Tables | None) -> Ends:
        """The ends from a hit on."""

        def play(guard: int, buys: Buys) -> Ends:
            return self._injured(step, own, target, critical, guard, buys)

        def bought(heard: int | None) -> list[Buys]:
            return self._bought(step, target, critical, heard or 0)

        guards = amounts(self.spend.get("blessing_on_injury", "none"), target.blessing)
        asked = Asked(0, step, own, target, critical, None)
        return self._both(asked, lambda heard: guards, bought, play, tables)

    def _bought(self, step: int, target: Target, critical: int, guard: int) -> list[Buys]:
        """What the attacker's player may choose, or what its policy leaves."""
        policy, cost = self.spend.get("blood_on_injury", "none"), 3 if target.down else 6
        every = [Buys(dice, False, dice) for dice in range(target.blood + 1)]
        most = target.blood - cost if self.options.get("bloodbath_leftovers", "dice") == "dice" else 0
        if target.blood >= cost:
            every += [Buys(cost + dice, True, dice) for dice in range(most + 1)]
        if policy == "optimal":
            return every
        if policy == "greedy":
            chances = {buys: self._chances(step, target, critical, guard, buys)[3] for buys in every}
            return [min(buys for buys in every if chances[buys] >= max(chances.values()) - TIE)]
        if policy == "bloodbath":
            return [Buys(cost, True, 0)] if target.blood >= cost else every[:1]
        return [every[target.blood if policy == "all" else 0]]

    def _chances(self, step: int, target: Target, critical: int, guard: int, buys: Buys) -> tuple[Fraction, ...]:
        table = self.steps[step]
        words, melee = table.get("keywords", []), table.get("kind", "ranged") == "melee"
        net = table.get("injury_dice", 0) + self.injury_dice + buys.dice - guard
        net += int(target.down and (melee or not self.old)) + critical * (2 if "CRITICAL" in words else 1)
        keep, flat = 3 if "DEADLY" in words else 2, buys.bloodbath and self.options.get("bloodbath") == "add"
        keep += int(buys.bloodbath and not flat)
        plain, armour = table.get("injury_modifier", 0), self.armour
        modifier = max(-3, armour + min(plain, 0)) + max(plain, 0) if self.old else armour + plain
        return injuries(net, keep, flat, modifier)

    def _injured(self, step: int, own: Own, target: Target, critical: int, guard: int, buys: Buys) -> Ends:
        table = self.steps[step]
        extra = len({"FIRE", "GAS", "SHRAPNEL"} & set(table.get("keywords", [])))
        left = target._replace(blood=target.blood - buys.markers, blessing=target.blessing - guard)

        def suffer(result: int) -> Ends:
            after, became = left, result
            if result == 3:
                if not left.tough:
                    return {OUT: Fraction(1)}
                after, became = left._replace(tough=False), 2
            if became == 2 and self.machine_armour:
                became = 1
            gain = (0, 1, 2 if after.down else 1)[became] + extra
            down = after.down or became == 2
            return self.after(step + 1, False, own, after._replace(blood=min(6, after.blood + gain), down=down))

        chances = self._chances(step, target, critical, guard, buys)
        return mix([(chance, lambda result=result: suffer(result)) for result, chance in enumerate(chances)])

    # --- both choose

    def _both(
        self,
        asked: Asked,
        targets: Callable[[Any], list[Any]],
        attackers: Callable[[Any], list[Any]],
        play: Callable[[Any, Any], Ends],
        tables: Tables | None,
    ) -> Ends:
        """Let both players choose, one after the other; `targets` and `attackers` are what each may."""
        first = int(self.attacker_first)
        may = (targets, attackers)

        def answered(choice: Any) -> Ends:
            def come_to(answer: Any) -> Ends:
                return play(answer, choice) if first else play(choice, answer)

            return chosen(asked._replace(who=1 - first, heard=choice), may[1 - first](choice), come_to, tables)

        return chosen(asked._replace(who=first), may[first](None), answered, tables)


def amounts(policy: str, held: int) -> list[int]:
    return {"none": [0], "all": [held], "optimal": list(range(held + 1))}[policy]


def mix(parts: Iterable[tuple[Fraction, Callable[[], Ends]]]) -> Ends:
    """Chances of ends below chances."""
    total: dict[Any, Fraction] = {}
    for chance, ends in parts:
        if chance:
            for end, share in ends().items():
                total[end] = total.get(end, Fraction(0)) + chance * share
    return total


def chosen(asked: Asked, may: list[Any], come_to: Callable[[Any], Ends], tables: Tables | None) -> Ends:
    """What the choice of one player comes to: the tables', or the best one. The cheapest choices come first."""
    if tables is not None and len(may) > 1:
        choice = tables(asked)
        assert choice in may
        return come_to(choice)
    if len(may) == 1:
        return come_to(may[0])
    ends = {choice: come_to(choice) for choice in sorted(may)}
    sign = 1 if asked.who == 1 else -1
    worth = {choice: sign * ends[choice].get(OUT, Fraction(0)) for choice in ends}
    best = max(worth.values())
    return next(ends[choice] for choice in ends if worth[choice] >= best - TIE)


def every_decision(game: Game) -> Iterator[Asked]:
    """Every decision that any play of a game can come to: of whoever declares first."""
    seen: set[tuple[Any, ...]] = set()
    steps = len(game.steps)
    for step, blood, blessing in itertools.product(
        range(steps), range(game.own.blood + 1), range(game.own.blessing + 1)
    ):
        for down, held, guard, tough in itertools.product(
            (False, True), range(7), range(game.target.blessing + 1), {False, game.target.tough}
        ):
            for critical in (None, 0, 1):
                asked = Asked(
                    int(game.attacker_first),
                    step,
                    Own(blood, blessing),
                    Target(down, held, guard, tough),
                    critical,
                    None,
                )
                if asked not in seen and "event" not in game.steps[step]:
                    seen.add(asked)
                    yield asked
