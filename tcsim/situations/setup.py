"""Before the fight: who activates first, who places INFILTRATORS first."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.base.lang import mark
from tcsim.questions.kinds import Whole
from tcsim.questions.question import Answer, Asked, Input, Question

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tcsim.questions.rolling import Dice

_HALF = Fraction(1, 2)


def sooner(own: int, enemy: int) -> Fraction:
    """Chance that the side with the smaller number comes first is yours: a tie is rolled off.

    Parameters
    ----------
    own, enemy : int
        The two numbers.

    Returns
    -------
    Fraction
        1, 0 or 1/2.
    """
    return _HALF if own == enemy else Fraction(int(own < enemy))


def roll_off(dice: Dice, trials: int) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Roll a D6 each until one is higher.

    Parameters
    ----------
    dice : Dice
        The dice.
    trials : int
        How many.

    Returns
    -------
    array of bool, array of int
        Whether yours is higher, and how often both were rolled; shape (trials,) each.
    """
    import numpy as np

    first, times = np.zeros(trials, bool), np.zeros(trials, np.int64)
    left = np.arange(trials)
    while len(left):
        mine, theirs = dice.d6(len(left)), dice.d6(len(left))
        times[left] += 1
        first[left] = mine > theirs
        left = left[mine == theirs]
    return first, times


def _initiative(asked: Asked) -> dict[str, Fraction]:
    own, enemy = asked["models"], asked["enemy_models"]
    return {"first": sooner(own, enemy), "rolls": Fraction(6, 5) if own == enemy else Fraction(0)}


def _initiative_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    own, enemy = asked["models"], asked["enemy_models"]
    if own == enemy:
        first, times = roll_off(dice, trials)
        return {"first": first, "rolls": times}
    return {"first": np.full(trials, own < enemy), "rolls": np.zeros(trials)}


def _deployment(asked: Asked) -> dict[str, Fraction]:
    own, enemy = asked["infiltrators"], asked["enemy_infiltrators"]
    first = sooner(enemy, own)  # more of them begin
    return {"first": first, "last": 1 - first if own == enemy else first}


def _deployment_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    own, enemy = asked["infiltrators"], asked["enemy_infiltrators"]
    if own == enemy:
        first, _ = roll_off(dice, trials)
        return {"first": first, "last": ~first}
    return {"first": np.full(trials, own > enemy), "last": np.full(trials, own > enemy)}


QUESTIONS = (
    Question(
        name="initiative",
        inputs=(
            Input("models", Whole(1, 100), mark("Your models on the table"), required=True),
            Input("enemy_models", Whole(1, 100), mark("The enemy's models on the table"), required=True),
        ),
        answers=(
            Answer("first", mark("you have the initiative")),
            Answer("rolls", mark("how often a tie is rolled off, on average"), mark("rolls")),
        ),
        exact=_initiative,
        simulate=_initiative_rolled,
        rule=mark(
            "The side with fewer models has the initiative; a tie is rolled off with a D6 each, again if they tie."
        ),
        source="1.6.3: json, Initiative; 1.0.2: book, Initiative",
        examples=("models=8 enemy_models=8", "models=7 enemy_models=9"),
    ),
    Question(
        name="deployment",
        inputs=(
            Input("infiltrators", Whole(1, 100), mark("Your INFILTRATORS"), required=True),
            Input("enemy_infiltrators", Whole(1, 100), mark("The enemy's INFILTRATORS"), required=True),
        ),
        answers=(
            Answer("first", mark("you place the first INFILTRATOR")),
            Answer("last", mark("you place the last INFILTRATOR")),
        ),
        exact=_deployment,
        simulate=_deployment_rolled,
        rule={
            "1.6.3": mark(
                "INFILTRATORS are placed before the others, in turns, beyond 8 inches and out of sight; whoever has "
                "more of them begins, a tie is rolled off."
            ),
            "1.0.2": mark(
                "INFILTRATORS are placed after the others, in turns; no order is stated, so that of 1.6.3 is taken: "
                "whoever has more of them begins, a tie is rolled off."
            ),
        },
        source={"1.6.3": "text: INFILTRATOR; faq: order", "1.0.2": "book: INFILTRATOR"},
        examples=("infiltrators=2 enemy_infiltrators=2", "infiltrators=3 enemy_infiltrators=1"),
    ),
)
