"""Risky actions: a failed one ends the activation, so a chain of them rarely gets to its end."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.base.lang import mark
from tcsim.questions.kinds import Whole
from tcsim.questions.question import Answer, Asked, Input, Question, family
from tcsim.situations.action import ACTION_DICE, chance, succeeds

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice


def _exact(asked: Asked) -> dict[str, Fraction]:
    p, actions = chance(asked.edition, asked["action_dice"]), asked["actions"]
    done = {k: p**k for k in range(1, actions + 1)}
    return {
        "succeeds": p,
        "all": done[actions],
        "expected": sum(done.values(), Fraction(0)),
        **family("done", done),
    }


def _simulate(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    actions = asked["actions"]
    first = going = succeeds(asked.edition, asked["action_dice"], dice, trials)
    done = {1: first}
    for number in range(2, actions + 1):
        going = going & succeeds(asked.edition, asked["action_dice"], dice, trials)
        done[number] = going
    return {
        "succeeds": first,
        "all": going,
        "expected": sum(one.astype(int) for one in done.values()),
        **family("done", done),
    }


QUESTIONS = (
    Question(
        name="risky",
        inputs=(
            ACTION_DICE,
            Input(
                "actions", Whole(1, 20), mark("How many risky actions the model tries, one after the other"), default=1
            ),
        ),
        answers=(
            Answer("succeeds", mark("the first risky action succeeds")),
            Answer("all", mark("all of them succeed")),
            Answer("expected", mark("risky actions done before the first failure, on average"), mark("actions")),
            Answer("done", mark("at least so many are done"), family=True),
        ),
        exact=_exact,
        simulate=_simulate,
        rule=mark("A risky action needs a successful action roll; a failed one ends the model's activation."),
        source="1.6.3: json, RISKY ACTION; 1.0.2: book, Risky success rolls",
        examples=("actions=3", "action_dice=-1 actions=2"),
    ),
)
