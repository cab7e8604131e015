"""Exploration: dice that are added up after a battle, some of them rolled again."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.dice import Pool
from tcsim.questions.kinds import Flag, Whole, Word
from tcsim.questions.question import Answer, Asked, Input, Question, family
from tcsim.situations.numbers import fights, sources

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

AIMS = {
    "high": mark("the highest sum"),
    "at_least": mark("the sum or more"),
    "exactly": mark("exactly the sum"),
}


def exploration_dice(edition: str, game: int) -> int:
    """Give the exploration dice after a game.

    Parameters
    ----------
    edition : str
        The edition.
    game : int
        Its number in the campaign, from 1.

    Returns
    -------
    int
        3 to 6.

    Examples
    --------
    >>> [exploration_dice("1.6.3", game) for game in (1, 2, 3, 6, 10)]
    [3, 3, 4, 5, 6]
    """
    found: int = max(dice for first, dice in fights()[edition]["exploration"]["dice"] if first <= game)
    return found


def sums(dice: int) -> dict[int, Fraction]:
    """Give the chance of each sum of some D6.

    Parameters
    ----------
    dice : int
        How many, from 1.

    Returns
    -------
    dict of int to Fraction
        Sum to its chance.

    Examples
    --------
    >>> sums(3)[11]
    Fraction(1, 8)
    """
    return {total: Fraction(count, 6**dice) for total, count in _ways(dice).items()}


@cache
def _ways(dice: int) -> dict[int, int]:
    """Sums of some D6 to the number of ways they come up."""
    return Pool(keep=dice).counts() if dice else {0: 1}


@cache
def _hands(dice: int) -> dict[tuple[int, ...], int]:
    """Sorted faces of some D6 to the number of ways they come up."""
    hands: dict[tuple[int, ...], int] = {(): 1}
    for _ in range(dice):
        more: dict[tuple[int, ...], int] = {}
        for hand, ways in hands.items():
            for face in range(1, 7):
                found = tuple(sorted((*hand, face)))
                more[found] = more.get(found, 0) + ways
        hands = more
    return hands


class Rerolls:
    """The best way to use re-rolls for an aim; no die is rolled again twice.

    A hand is the sorted faces of the dice that were not rolled again, and the sum of those that were. Its worth is a
    whole number: the expected aim times 6 to the number of dice that could still be rolled again.

    Parameters
    ----------
    aim : str
        One of :data:`AIMS`.
    wanted : int or None
        The sum, for the aims that have one.
    single : bool
        Whether a re-roll takes a single die, or any of them.

    Examples
    --------
    >>> Rerolls("high", None, True).choice((1, 2, 5), 0, 1), Rerolls("high", None, False).choice((1, 2, 5), 0, 1)
    ((1,), (1, 2))
    """

    def __init__(self, aim: str, wanted: int | None, single: bool) -> None:
        self.aim, self.wanted, self.single = aim, wanted, single
        self._cache: dict[Any, Any] = {}

    def _reached(self, total: int) -> int:
        if self.wanted is None or self.aim == "high":
            return total
        return int(total == self.wanted if self.aim == "exactly" else total >= self.wanted)

    def _rolled(self, dice: int, total: int) -> int:
        """Worth of some dice rolled for the last time, beside a total."""
        key = (dice, total)
        if key not in self._cache:
            self._cache[key] = sum(ways * self._reached(total + more) for more, ways in _ways(dice).items())
        return int(self._cache[key])

    def _best(self, hand: tuple[int, ...], fixed: int, left: int) -> tuple[int, tuple[int, ...]]:
        key = (hand, fixed, left)
        if key in self._cache:
            found: tuple[int, tuple[int, ...]] = self._cache[key]
            return found
        best: tuple[int, tuple[int, ...]] = (self._reached(sum(hand) + fixed) * 6 ** len(hand), ())
        most = min(1 if self.single else len(hand), len(hand)) if left else 0
        for size in range(1, most + 1):
            for again in sorted(set(combinations(hand, size))):
                rest = without(hand, again)
                if left == 1:
                    worth = self._rolled(size, sum(rest) + fixed) * 6 ** len(rest)
                else:
                    ways = _ways(size).items()
                    worth = sum(n * self._best(rest, fixed + more, left - 1)[0] for more, n in ways)
                if worth > best[0]:
                    best = (worth, again)
        self._cache[key] = best
        return best

    def choice(self, hand: tuple[int, ...], fixed: int, left: int) -> tuple[int, ...]:
        """Say which dice to roll again.

        Parameters
        ----------
        hand : tuple of int
            Sorted faces of the dice that were not rolled again.
        fixed : int
            Sum of the others.
        left : int
            Re-rolls that are left.

        Returns
        -------
        tuple of int
            Their faces: of equally good ways the one with fewest dice, then the lowest; empty where none is better.
        """
        return self._best(hand, fixed, left)[1]

    def spread(self, hand: tuple[int, ...], fixed: int, left: int) -> dict[int, Fraction]:
        """Give the chance of each sum in the end.

        Parameters
        ----------
        hand, fixed, left
            As for :meth:`choice`.

        Returns
        -------
        dict of int to Fraction
            Sum to its chance.
        """
        again = self.choice(hand, fixed, left)
        if not again:
            return {sum(hand) + fixed: Fraction(1)}
        rest, found = without(hand, again), dict[int, Fraction]()
        for more, p in sums(len(again)).items():
            for total, q in self.spread(rest, fixed + more, left - 1).items():
                found[total] = found.get(total, Fraction(0)) + p * q
        return found


def without(hand: tuple[int, ...], again: tuple[int, ...]) -> tuple[int, ...]:
    """Take some faces out of a hand.

    Parameters
    ----------
    hand, again : tuple of int
        The hand, and faces that are in it.

    Returns
    -------
    tuple of int
        The rest.

    Examples
    --------
    >>> without((1, 1, 4), (1,))
    (1, 4)
    """
    rest = list(hand)
    for face in again:
        rest.remove(face)
    return tuple(rest)


def _dice_of(asked: Asked) -> int:
    return exploration_dice(asked.edition, asked["game"]) if asked["dice"] is None else int(asked["dice"])


def _left(asked: Asked) -> int:
    if asked["rerolls"] is not None:
        return int(asked["rerolls"])
    return int(fights()[asked.edition]["exploration"]["rerolls"] + asked["won"])


def _policy(asked: Asked) -> Rerolls:
    return Rerolls(asked["aim"], asked["sum"], asked["takes"] == "one")


def _exploration(asked: Asked) -> dict[str, Fraction]:
    dice, left, policy = _dice_of(asked), _left(asked), _policy(asked)
    found = dict.fromkeys(range(dice, 6 * dice + 1), Fraction(0))
    for hand, ways in _hands(dice).items():
        for total, p in policy.spread(hand, 0, left).items():
            found[total] += p * Fraction(ways, 6**dice)
    return of_sums(asked.edition, found, asked["sum"])


def of_sums(edition: str, found: Mapping[int, Fraction], wanted: int | None) -> dict[str, Fraction]:
    """Give the answers that the chances of sums settle.

    Parameters
    ----------
    edition : str
        The edition.
    found : mapping of int to Fraction
        Sum to its chance.
    wanted : int or None
        A sum that is asked for.

    Returns
    -------
    dict of str to Fraction
        Answers.
    """
    mean = sum((total * p for total, p in found.items()), Fraction(0))
    answers = {"mean": mean, "ducats": fights()[edition]["exploration"]["ducats"] * mean}
    if wanted is not None:
        answers["exactly"] = found.get(wanted, Fraction(0))
        answers["at_least"] = sum((p for total, p in found.items() if total >= wanted), Fraction(0))
    return answers | family("sum", found)


def _exploration_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    number, policy = _dice_of(asked), _policy(asked)
    faces, again = dice.roll(trials, number), np.zeros((trials, number), bool)
    for left in range(_left(asked), 0, -1):
        order = np.argsort(np.where(again, 0, faces), axis=1)  # those that were rolled again come first, as zeros
        faces, again = np.take_along_axis(faces, order, 1), np.take_along_axis(again, order, 1)
        hands = np.column_stack([np.where(again, 0, faces), np.where(again, faces, 0).sum(axis=1)])
        kinds, which = np.unique(hands, axis=0, return_inverse=True)
        chosen = np.array([_places(policy, row, left) for row in kinds.tolist()])[which.reshape(-1)]
        faces, again = np.where(chosen, dice.roll(trials, number), faces), again | chosen
    total = faces.sum(axis=1)
    answers: dict[str, Any] = {"mean": total, "ducats": fights()[asked.edition]["exploration"]["ducats"] * total}
    if asked["sum"] is not None:
        answers |= {"exactly": total == asked["sum"], "at_least": total >= asked["sum"]}
    return answers | family("sum", {k: total == k for k in range(number, 6 * number + 1)})


def _places(policy: Rerolls, row: list[int], left: int) -> list[bool]:
    """Where in a sorted hand (zeros for dice that were rolled again, their sum at the end) dice are rolled again."""
    *hand, fixed = row
    again = list(policy.choice(tuple(face for face in hand if face), fixed, left))
    places = []
    for face in hand:
        places.append(face in again)
        if face in again:
            again.remove(face)
    return places


def _check(asked: Asked) -> None:
    if asked["dice"] is not None and "game" in asked.given:
        raise InputError("it settles how many dice there are, and dice are given", "game")
    if asked["rerolls"] is not None and "won" in asked.given:
        raise InputError("it settles how many re-rolls there are, and rerolls are given", "won")
    if asked["aim"] != "high" and asked["sum"] is None:
        raise InputError(f"{asked['aim']} needs a sum", "aim")


#: Of the sum of some dice.
SUM = Input("sum", Whole(1, 120), mark("A sum that is wanted; the table is hit by an exact one"))
OF_SUM = (
    Answer("exactly", mark("the dice come to exactly the sum")),
    Answer("at_least", mark("the dice come to the sum or more")),
)

EXPLORATION = Question(
    name="exploration",
    inputs=(
        Input("game", Whole(1, 100), mark("Number of the game in the campaign, which settles the dice"), default=1),
        Input("dice", Whole(1, 6), mark("Exploration dice; left out: by game")),
        SUM,
        Input("won", Flag(), mark("The battle was won, which gives a second re-roll"), default=False),
        Input("rerolls", Whole(0, 2), mark("Re-rolls; left out: one, and one more for the winner")),
        Input(
            "takes",
            Word({"one": mark("a single die"), "any": mark("any of the dice")}),
            mark("What a re-roll takes"),
            default="one",
            reason=mark("The rulebook's example rolls two dice again, which a winner can do one by one"),
        ),
        Input("aim", Word(AIMS), mark("What the re-rolls are for"), default="high"),
    ),
    answers=(
        *OF_SUM,
        Answer("mean", mark("sum of the dice, on average"), mark("pips")),
        Answer("ducats", mark("loot, on average"), mark("ducats")),
        Answer("sum", mark("the dice come to"), family=True),
    ),
    exact=_exploration,
    simulate=_exploration_rolled,
    check=_check,
    rule=mark(
        "3, 4, 5 or 6 dice after games 1-2, 3-5, 6-9 and later ones, added up; there is a re-roll, and one more for "
        "the winner, but no die is rolled again twice. Each pip is 10 ducats. The re-rolls are used as is best for "
        "the aim."
    ),
    source=sources("exploration"),
    examples=("game=3 won", "game=1 sum=11 aim=exactly", "dice=3 sum=11 rerolls=0"),
)

QUESTIONS = (EXPLORATION,)
