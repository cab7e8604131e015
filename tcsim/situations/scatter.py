"""Scatter: how far a missed shot lands from where it was aimed."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.base.lang import mark
from tcsim.dice import Pool
from tcsim.questions.kinds import Whole
from tcsim.questions.question import Answer, Asked, Input, Question, family
from tcsim.rules import edition
from tcsim.scenario.problem import ACTION_KEEP
from tcsim.situations.action import ACTION_DICE, chance
from tcsim.situations.numbers import fights

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice


def _off(asked: Asked, roll: Any) -> Any:
    """How many inches off a failed roll lands, or an array of them."""
    return fights()[asked.edition]["blast"]["scatter_from"] - roll


def _exact(asked: Asked) -> dict[str, Fraction]:
    if asked["roll"] is not None:
        return {"distance": Fraction(_off(asked, asked["roll"]))}
    pool, success = Pool(asked["action_dice"]), edition(asked.edition).charts.success
    hit = chance(asked.edition, asked["action_dice"])
    off = {_off(asked, total): Fraction(n, pool.denominator) for total, n in pool.counts().items() if total < success}
    given = {inches: p / (1 - hit) for inches, p in sorted(off.items())}
    return {
        "succeeds": hit,
        "distance": sum((inches * p for inches, p in given.items()), Fraction(0)),
        **family("failed", given),
        **family("lands", dict(sorted(off.items()))),
    }


def _simulate(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    if asked["roll"] is not None:
        return {"distance": np.full(trials, _off(asked, asked["roll"]))}
    total = dice.total(Pool(asked["action_dice"]), trials)
    success = edition(asked.edition).charts.success
    failed, inches = total < success, _off(asked, total)
    possible = range(_off(asked, success - 1), _off(asked, ACTION_KEEP) + 1)
    return {
        "succeeds": ~failed,
        "distance": inches[failed],
        **family("failed", {k: inches[failed] == k for k in possible}),
        **family("lands", {k: failed & (inches == k) for k in possible}),
    }


QUESTIONS = (
    Question(
        name="scatter",
        inputs=(
            Input("roll", Whole(2, 6), mark("What the failed action roll was; left out: what it can be")),
            ACTION_DICE,
        ),
        answers=(
            Answer("distance", mark("how far it lands off after a failed roll, on average"), mark("inches")),
            Answer("succeeds", mark("the action roll succeeds, and nothing scatters")),
            Answer("failed", mark("after a failed roll, it lands so many inches off"), family=True),
            Answer("lands", mark("whether or not the roll fails, it lands so many inches off"), family=True),
        ),
        exact=_exact,
        simulate=_simulate,
        rule=mark("Where a weapon scatters, a failed action roll lands 7 minus the roll inches off."),
        source="1.6.3: json, scatter of the weapons that have it; 1.0.2: book, SCATTER",
        examples=("action_dice=1", "roll=4"),
    ),
)
