"""All campaign dice at a glance; survival, trauma, promotion and exploration say more of each."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.questions.kinds import Flag, Whole
from tcsim.questions.question import Answer, Asked, Input, Question
from tcsim.situations.exploration import OF_SUM, SUM, of_sums, sums
from tcsim.situations.promotion import any_six
from tcsim.situations.survival import survivors, survivors_rolled

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice


def _campaign(asked: Asked) -> dict[str, Fraction]:
    answers: dict[str, Fraction] = {}
    if asked["models"] is not None:
        alive = survivors(asked.edition, asked["models"])
        answers["survive"] = alive[asked["models"]] if asked["all"] else 1 - alive[0]
    if asked["d66"] is not None:
        answers["d66"] = Fraction(asked["d66"], 36)
    if asked["dice"] is not None:
        answers["any_six"] = any_six(asked["dice"])
        if asked["sum"] is not None:
            found = of_sums(asked.edition, sums(asked["dice"]), asked["sum"])
            answers |= {name: found[name] for name in ("exactly", "at_least")}
    return answers


def _campaign_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    answers: dict[str, Any] = {}
    if asked["models"] is not None:
        alive = survivors_rolled(asked.edition, asked["models"], dice, trials)
        answers["survive"] = alive == asked["models"] if asked["all"] else alive > 0
    if asked["d66"] is not None:
        faces = dice.roll(trials, 2)
        answers["d66"] = 6 * (faces[:, 0] - 1) + faces[:, 1] <= asked["d66"]
    if asked["dice"] is not None:
        faces = dice.roll(trials, asked["dice"])
        answers["any_six"] = (faces == 6).any(axis=1)
        if asked["sum"] is not None:
            total = faces.sum(axis=1)
            answers |= {"exactly": total == asked["sum"], "at_least": total >= asked["sum"]}
    return answers


def _check_campaign(asked: Asked) -> None:
    if all(asked[name] is None for name in ("models", "d66", "dice")):
        raise InputError("campaign needs models, d66 or dice: what is rolled")


CAMPAIGN = Question(
    name="campaign",
    inputs=(
        Input("models", Whole(1, 100), mark("Troops that went out of action, a D6 each")),
        Input(
            "all",
            Flag(),
            mark("Whether all of them are to survive, or at least one"),
            default=True,
            goes_with=("models",),
        ),
        Input("d66", Whole(1, 36), mark("How many of the 36 results of a D66 would do")),
        Input("dice", Whole(1, 20), mark("How many D6 are rolled, for a promotion or an exploration")),
        Input(SUM.name, Whole(1, 120), SUM.help, goes_with=("dice",)),
    ),
    answers=(
        Answer("survive", mark("the troops survive")),
        Answer("d66", mark("a D66 gives one of the results that would do")),
        Answer("any_six", mark("at least one die is a 6")),
        *OF_SUM,
    ),
    exact=_campaign,
    simulate=_campaign_rolled,
    check=_check_campaign,
    rule=mark(
        "Troops survive on a D6 of 3 or more; a D66 has 36 results, all as likely; a 6 promotes; exploration dice are "
        "added up. The questions survival, trauma, promotion and exploration say more."
    ),
    source="1.6.3: json, campaign; 1.0.2: book, campaign",
    examples=("models=3 all", "d66=1", "dice=3 sum=11"),
)

QUESTIONS = (CAMPAIGN,)
