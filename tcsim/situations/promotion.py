"""Promotion: dice after a battle, of which a 6 makes a troop ELITE."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any

from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.questions.kinds import Flag, Whole
from tcsim.questions.question import Answer, Asked, Input, Question, family
from tcsim.situations.numbers import fights, sources

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

_DIE = Fraction(1, 6)

#: Most dice without a 6 that can have come before: the next one counts as one.
_FAILURES = max(numbers["promotion"]["failures"] for numbers in fights().values())


def any_six(dice: int) -> Fraction:
    """Chance of at least one 6.

    Parameters
    ----------
    dice : int
        How many D6.

    Returns
    -------
    Fraction
        Probability in [0, 1].

    Examples
    --------
    >>> any_six(1), any_six(2)
    (Fraction(1, 6), Fraction(11, 36))
    """
    return 1 - (1 - _DIE) ** dice


def _numbers(asked: Asked) -> Mapping[str, Any]:
    return fights()[asked.edition]["promotion"]


def _pool(asked: Asked) -> int:
    """Promotion dice of a warband."""
    if asked["dice"] is not None:
        return int(asked["dice"])
    return 1 + int(asked["deeds"]) + (int(_numbers(asked)["won"]) if asked["won"] else 0)


def _most(asked: Asked) -> int:
    """Most dice that one troop gets."""
    most: int = _numbers(asked)["most_with_deed" if asked["deeds"] else "most"]
    return min(_pool(asked), most)


def _mine(asked: Asked) -> int:
    return min(1, _pool(asked)) if asked["mine"] is None else int(asked["mine"])


def _promotion(asked: Asked) -> dict[str, Fraction]:
    mine, pool = _mine(asked), _pool(asked)
    sixes = {k: comb(pool, k) * _DIE**k * (1 - _DIE) ** (pool - k) for k in range(pool + 1)}
    promoted = Fraction(1) if asked["failures"] + mine > _numbers(asked)["failures"] else any_six(mine)
    return {
        "dice": Fraction(pool),
        "any": any_six(pool),
        "promoted": promoted,
        "sixes": pool * _DIE,
        **family("exactly", sixes),
    }


def _promotion_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    pool, mine = _pool(asked), _mine(asked)
    six = dice.roll(trials, pool) == 6
    failed = np.full(trials, asked["failures"])
    promoted = np.zeros(trials, bool)
    for column in range(mine):  # the first dice of the pool are this troop's
        promoted |= six[:, column] | (failed >= _numbers(asked)["failures"])
        failed = failed + 1
    found = six.sum(axis=1)
    return {
        "dice": np.full(trials, pool),
        "any": six.any(axis=1),
        "promoted": promoted,
        "sixes": found,
        **family("exactly", {k: found == k for k in range(pool + 1)}),
    }


def _check_promotion(asked: Asked) -> None:
    if asked["dice"] is not None and "won" in asked.given:
        raise InputError("it settles how many dice there are, and dice are given", "won")
    mine, most = asked["mine"], _most(asked)
    if mine is not None and mine > most:
        raise InputError(f"{mine} is given, a troop gets at most {most} of these {_pool(asked)} dice", "mine")


PROMOTION = Question(
    name="promotion",
    inputs=(
        Input("dice", Whole(0, 20), mark("Promotion dice of the warband; left out: by the two that follow")),
        Input("deeds", Whole(0, 10), mark("Glorious Deeds"), default=0),
        Input("won", Flag(), mark("The battle was won, which gives a die"), default=False, editions=("1.6.3",)),
        Input("mine", Whole(0, 20), mark("How many of the dice are rolled for one troop; left out: one")),
        Input(
            "failures",
            Whole(0, _FAILURES),
            mark("Dice in a row that were no 6 for that troop before"),
            default=0,
        ),
    ),
    answers=(
        Answer("promoted", mark("that troop is promoted")),
        Answer("any", mark("at least one die is a 6")),
        Answer("dice", mark("promotion dice"), mark("dice")),
        Answer("sixes", mark("dice that are a 6, on average"), mark("dice")),
        Answer("exactly", mark("so many dice are a 6"), family=True),
    ),
    exact=_promotion,
    simulate=_promotion_rolled,
    check=_check_promotion,
    rule={
        "1.6.3": mark(
            "One die, one more for a battle won, one for each Glorious Deed; at most 2 on one troop, 3 with a deed. "
            "A 6 promotes, one troop a battle. After 5 dice without a 6 the next counts as one."
        ),
        "1.0.2": mark(
            "One die, one more for each Glorious Deed, spread evenly. Each 6 promotes. After 5 dice without a 6 for a "
            "troop its next counts as one."
        ),
    },
    source=sources("promotion"),
    examples=("deeds=1 won", "dice=3 mine=2 failures=3"),
)

QUESTIONS = (PROMOTION,)
