"""The naive way for choices: play a game once for every way the dice can fall and the player can choose.

It shares no code with tcsim. A game is a function of ``die`` and ``buy``: it rolls a die when it needs one, asks
whether a command is bought when one can be, and gives what it was worth in the end. At a die the ways on are averaged,
at a choice the best one is taken: the one worth most, of those the one that spends least.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Set
from fractions import Fraction
from typing import Any, NamedTuple

from naive_questions import Die


class _More(Exception):  # noqa: N818 - no error: it asks how to go on
    def __init__(self, ways: Any) -> None:
        self.ways = ways


class Best(NamedTuple):
    worth: Fraction
    saved: Fraction  # points spent, negative
    uses: dict[str, Fraction]


class Hand:
    """What a player can buy: points, and what has been bought in this phase."""

    def __init__(self, points: int, ask: Callable[..., Any], banned: Set[str], forced: Set[str] | None) -> None:
        self.points, self.ask, self.banned, self.forced = points, ask, banned, forced
        self.spent, self.bought = 0, list[str]()
        self.phase()

    def phase(self) -> None:
        """A new phase begins."""
        self.units: set[str] = set()
        self.commands: set[str] = set()

    def __call__(self, command: str, unit: str, able: bool = True) -> bool:
        """Whether a command is bought here."""
        cost = 2 if command == "counter_charge" else 1
        barred = command in self.banned or unit in self.units or command in self.commands or self.points < cost
        if barred or not able:
            return False
        if not (command in self.forced if self.forced is not None else self.ask((command, "no"), command) == command):
            return False
        self.points -= cost
        self.spent += cost
        self.units.add(unit)
        self.commands.add(command)
        self.bought.append(command)
        return True


Game = Callable[[Die, Hand], Any]


def best(
    game: Game,
    points: int,
    banned: Set[str] = frozenset(),
    forced: Set[str] | None = None,
    offered: set[str] | None = None,
) -> Best:
    """The best that can be made of a game, by trying everything."""

    def solve(known: tuple[Any, ...]) -> Best:
        left = list(known)

        def die(faces: Any = 6) -> Any:
            if not left:
                raise _More(Counter(range(1, faces + 1) if isinstance(faces, int) else faces))
            return left.pop(0)

        def ask(options: tuple[Any, ...], command: str = "") -> Any:
            if command and offered is not None:
                offered.add(command)
            if not left:
                raise _More(options)
            return left.pop(0)

        hand = Hand(points, ask, banned, forced)
        try:
            worth = game(die, hand)
        except _More as more:
            if isinstance(more.ways, tuple):
                return max((solve((*known, way)) for way in more.ways), key=lambda one: one[:2])
            whole = more.ways.total()
            parts = [(Fraction(count, whole), solve((*known, face))) for face, count in more.ways.items()]
            names = {name for _, part in parts for name in part.uses}
            return Best(
                sum((chance * part.worth for chance, part in parts), Fraction(0)),
                sum((chance * part.saved for chance, part in parts), Fraction(0)),
                {name: sum((c * part.uses.get(name, 0) for c, part in parts), Fraction(0)) for name in names},
            )
        return Best(Fraction(worth), Fraction(-hand.spent), {k: Fraction(n) for k, n in Counter(hand.bought).items()})

    return solve(())


#: The sum of 2D6; the mortal damage of Power Through.
TWO_DICE = Counter(a + b for a in range(1, 7) for b in range(1, 7))
D3 = Counter((1, 2, 3))


def reaches(die: Die, need: int) -> bool:
    """A charge roll."""
    return bool(die(Counter(total >= need for total in TWO_DICE.elements())))
