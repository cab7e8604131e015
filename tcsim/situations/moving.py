"""Moving by risky actions: dashing, climbing, jumping."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.base.lang import mark
from tcsim.questions.kinds import Number
from tcsim.questions.question import Answer, Asked, Input, Question
from tcsim.situations.action import ACTION_DICE, chance, succeeds

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

MOVE = Input("move", Number(0, 40), mark("The model's Movement, in inches"), required=True)
DIFFICULT = Input(
    "difficult",
    Number(0, 48),
    mark("Inches of the way that are difficult terrain, which cost twice"),
    default=0,
    goes_with=("distance",),
)


def _dash_far(asked: Asked) -> Fraction | None:
    """What the way costs, in inches; None where no distance is asked for."""
    return None if asked["distance"] is None else Fraction(asked["distance"] + asked["difficult"])


def _dash(asked: Asked) -> dict[str, Fraction]:
    p, move = chance(asked.edition, asked["action_dice"]), asked["move"]
    answers = {"succeeds": p, "mean": move + p * move}
    far = _dash_far(asked)
    if far is not None:
        answers["reaches"] = Fraction(1) if far <= move else p if far <= 2 * move else Fraction(0)
    return answers


def _dash_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    dashes = succeeds(asked.edition, asked["action_dice"], dice, trials)
    inches = float(asked["move"]) * (1 + dashes)
    answers: dict[str, Any] = {"succeeds": dashes, "mean": inches}
    far = _dash_far(asked)
    return answers if far is None else answers | {"reaches": inches >= float(far)}


def _climb(asked: Asked) -> dict[str, Fraction]:
    return {"succeeds": chance(asked.edition, asked["action_dice"])}


def _climb_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    return {"succeeds": succeeds(asked.edition, asked["action_dice"], dice, trials)}


def _jump(asked: Asked) -> dict[str, Fraction]:
    p = chance(asked.edition, asked["action_dice"])
    return {"succeeds": p if 2 * asked["gap"] <= asked["move"] else Fraction(0), "widest": asked["move"] / 2}


def _jump_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    widest = asked["move"] / 2
    rolled = succeeds(asked.edition, asked["action_dice"], dice, trials)
    return {"succeeds": rolled & (asked["gap"] <= widest), "widest": np.full(trials, float(widest))}


QUESTIONS = (
    Question(
        name="dash",
        inputs=(
            MOVE,
            Input("distance", Number(0, 96), mark("How far it wants to get with Move and Dash, in inches")),
            DIFFICULT,
            ACTION_DICE,
        ),
        answers=(
            Answer("reaches", mark("it gets as far as it wants")),
            Answer("succeeds", mark("the Dash succeeds")),
            Answer("mean", mark("how far it goes with Move and Dash, on average"), mark("inches")),
        ),
        exact=_dash,
        simulate=_dash_rolled,
        rule=mark("A Dash is a risky action: another move as far as Movement. Difficult terrain costs twice."),
        source="1.6.3: json, Dash; 1.0.2: book, Dash",
        examples=("move=6 distance=10", "move=6 distance=9 difficult=2 action_dice=1"),
    ),
    Question(
        name="climb",
        inputs=(ACTION_DICE,),
        answers=(Answer("succeeds", mark("the climb succeeds")),),
        exact=_climb,
        simulate=_climb_rolled,
        rule=mark("Climbing is a risky action."),
        source="1.6.3: json, Climb; 1.0.2: book, Climb",
        examples=("action_dice=1",),
    ),
    Question(
        name="jump",
        inputs=(MOVE, Input("gap", Number(0, 48), mark("How wide the gap is, in inches"), required=True), ACTION_DICE),
        answers=(
            Answer("succeeds", mark("the jump succeeds")),
            Answer("widest", mark("the widest gap that it can jump"), mark("inches")),
        ),
        exact=_jump,
        simulate=_jump_rolled,
        rule=mark("Jumping is a risky action, over a gap of at most half the Movement."),
        source="1.6.3: json, Jump; 1.0.2: book, Jump",
        examples=("move=6 gap=2.5",),
    ),
)
