"""A FIRETEAM: two models activate together, until a failed risky action breaks them up."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.base.lang import mark
from tcsim.questions.kinds import Whole, Word
from tcsim.questions.question import Answer, Asked, Input, Question
from tcsim.situations.action import ACTION_DICE, chance, succeeds

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice


def _expected(p: Fraction, actions: int) -> Fraction:
    return sum((p**k for k in range(1, actions + 1)), Fraction(0))


def _exact(asked: Asked) -> dict[str, Fraction]:
    p, q = chance(asked.edition, asked["action_dice"]), chance(asked.edition, asked["second_dice"])
    holds = p ** asked["first"]
    acts = Fraction(1) if asked["broken_up"] == "later" else holds
    return {
        "together": holds,
        "both": holds * q ** asked["second"],
        "second_acts": acts,
        "expected": _expected(p, asked["first"]) + acts * _expected(q, asked["second"]),
    }


def _simulate(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    def chain(actions: int, net: int, begun: Any) -> tuple[Any, Any]:
        going, done = begun, np.zeros(trials, int)
        for _ in range(actions):
            going = going & succeeds(asked.edition, net, dice, trials)
            done = done + going
        return going, done

    holds, done = chain(asked["first"], asked["action_dice"], np.ones(trials, bool))
    acts = np.ones(trials, bool) if asked["broken_up"] == "later" else holds
    through, more = chain(asked["second"], asked["second_dice"], acts)
    return {"together": holds, "both": holds & through, "second_acts": acts, "expected": done + more}


QUESTIONS = (
    Question(
        name="fireteam",
        inputs=(
            Input("first", Whole(0, 20), mark("Risky actions of the model that acts first"), default=1),
            Input("second", Whole(0, 20), mark("Risky actions of the other one"), default=1),
            ACTION_DICE,
            Input("second_dice", Whole(-40, 40), mark("Net +/-DICE of the other one's action rolls"), default=0),
            Input(
                "broken_up",
                Word({"later": mark("the other may act later in the turn"), "end": mark("both activations end")}),
                mark("What becomes of the other one when a failed risky action of the first breaks them up"),
                default={"1.6.3": "later", "1.0.2": "end"},
                reason=mark("1.6.3 takes only the joint activation away, 1.0.2 ends both"),
            ),
        ),
        answers=(
            Answer("together", mark("the first model fails nothing, so both act together")),
            Answer("both", mark("both act together and fail no risky action")),
            Answer("second_acts", mark("the other model acts in this turn, together or later")),
            Answer("expected", mark("risky actions that the two get done, on average"), mark("actions")),
        ),
        exact=_exact,
        simulate=_simulate,
        rule={
            "1.6.3": mark(
                "Two models activate together. A failed risky action breaks the FIRETEAM up: the joint activation is "
                "lost for this turn, the other model may act later."
            ),
            "1.0.2": mark("Two models activate together. A failed risky action ends the activation of both."),
        },
        source={"1.6.3": "text: FIRETEAM", "1.0.2": "book: FIRETEAM"},
        examples=("first=1 second=1", "first=2 second=1 action_dice=1"),
    ),
)
