"""Charges of the fourth edition: a charge, and Counter-charge; Forward to Victory is in a module of its own."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.aos.editions import FOURTH
from tcsim.aos.moves.charge_roll import (
    DICE,
    GAP,
    MOD,
    NEED,
    REROLL,
    REROLLED,
    WITHIN,
    ChargeRoll,
    Rolled,
    check_roll,
    mean,
    need_of,
)
from tcsim.aos.moves.forward import FORWARD
from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.questions.kinds import Number, Several, Whole
from tcsim.questions.question import Answer, Asked, Input, Question, family

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: What Counter-charge costs.
COUNTER_COST = 2

CHARGE_RULE = mark(
    "A charge roll is 2D6; the charge is made where it gets the unit within half an inch of an enemy that it sees, and "
    "fails else. Whatever may be rolled again is rolled again once, after the roll is seen."
)
CHARGE_SOURCE = "public core rules, Charge; commands 5.0 speaks of the roll"


def _roll(asked: Asked) -> ChargeRoll:
    return ChargeRoll(asked["dice"], asked["mod"])


def _again(asked: Asked) -> str:
    return str(asked["rerolled"]) if asked["reroll"] else ""


# --- a charge -------------------------------------------------------------------------------------------------


def _charge(asked: Asked) -> dict[str, Fraction]:
    roll, need, again = _roll(asked), need_of(asked), _again(asked)
    answers: dict[str, Fraction] = {}
    if need is not None:
        answers["charge"] = roll.reaches(need, again)
        if asked["reroll"]:
            answers["gain"] = answers["charge"] - roll.reaches(need)
    if need is not None and asked["gap"] is not None:
        answers["need"] = Fraction(need)
    chances = roll.chances(need, again)
    answers |= {"mean": mean(chances), **family("roll", chances)}
    return answers | family("at_least", {total: roll.reaches(total, again) for total in roll.counts()})


def _charge_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    rolled, need, again = Rolled(_roll(asked), dice, trials), need_of(asked), _again(asked)
    final = rolled.final(need, again)
    answers: dict[str, Any] = {}
    if need is not None:
        answers["charge"] = final >= need
        if asked["reroll"]:
            answers["gain"] = (final >= need).astype(int) - (rolled.first >= need)
    if need is not None and asked["gap"] is not None:
        answers["need"] = np.full(trials, need)
    totals = _roll(asked).counts()
    answers |= {"mean": final, **family("roll", {total: final == total for total in totals})}
    return answers | family("at_least", {total: rolled.final(total, again) >= total for total in totals})


CHARGE = Question(
    name="charge",
    editions=FOURTH,
    inputs=(NEED, GAP, WITHIN, MOD, DICE, REROLL, REROLLED),
    answers=(
        Answer("charge", mark("the charge is made")),
        Answer("gain", mark("what the reroll adds to that chance, on average"), mark("charges")),
        Answer("need", mark("the charge roll that is needed"), mark("inches")),
        Answer(
            "mean",
            mark("the charge roll in the end, on average"),
            mark("inches"),
        ),
        Answer("roll", mark("the charge roll comes to"), family=True),
        Answer("at_least", mark("the charge is made, by the roll that it needs"), family=True),
    ),
    exact=_charge,
    simulate=_charge_rolled,
    check=check_roll,
    rule=CHARGE_RULE,
    source=CHARGE_SOURCE,
    examples=("need=9", "gap=8.5 reroll", "need=10 mod=1 reroll rerolled=lowest"),
)


# --- Counter-charge -------------------------------------------------------------------------------------------


def _other_use(asked: Asked, need: int) -> Fraction:
    """What two points gain otherwise: as given, or two other charges of the same need rolled again."""
    if asked["others"] is not None:
        return sum(asked["others"], Fraction(0))
    p, worth = _roll(asked).reaches(need), Fraction(asked["worth"])
    return 2 * worth * p * (1 - p)


def _largest_even(asked: Asked) -> int:
    """The largest charge roll for which Counter-charge is worth its points; 0 for none."""
    roll, again = _roll(asked), _again(asked)
    totals = [t for t in roll.counts() if asked["worth"] * roll.reaches(t, again) >= _other_use(asked, t)]
    return max([0, *totals])


def _counter(asked: Asked) -> dict[str, Fraction]:
    need = _counter_need(asked)
    charge = _roll(asked).reaches(need, _again(asked))
    value, others = asked["worth"] * charge, _other_use(asked, need)
    return {
        "charge": charge,
        "value": value,
        "per_point": value / COUNTER_COST,
        "others": others,
        "difference": value - others,
        "largest": Fraction(_largest_even(asked)),
        "left": Fraction(asked["cp"] - COUNTER_COST),
    }


def _counter_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    need, roll = _counter_need(asked), _roll(asked)
    charge = Rolled(roll, dice, trials).final(need, _again(asked)) >= need
    value = charge * float(asked["worth"])
    if asked["others"] is not None:
        others = np.full(trials, float(sum(asked["others"])))
    else:
        plain = [Rolled(roll, dice, trials) for _ in range(2)]
        made = [(one.final(need, "all") >= need).astype(int) - (one.first >= need) for one in plain]
        others = (made[0] + made[1]) * float(asked["worth"])
    return {
        "charge": charge,
        "value": value,
        "per_point": value / COUNTER_COST,
        "others": others,
        "difference": value - others,
        "largest": np.full(trials, _largest_even(asked)),
        "left": np.full(trials, asked["cp"] - COUNTER_COST),
    }


def _counter_need(asked: Asked) -> int:
    need = need_of(asked)
    if need is None:
        raise InputError("counter_charge needs the charge roll that is needed, or the gap", "need")
    return need


def _check_counter(asked: Asked) -> None:
    check_roll(asked)
    _counter_need(asked)


COUNTER = Question(
    name="counter_charge",
    editions=FOURTH,
    inputs=(
        NEED,
        GAP,
        WITHIN,
        MOD,
        DICE,
        REROLL,
        REROLLED,
        Input("cp", Whole(COUNTER_COST, 20), mark("Command points that are left"), default=COUNTER_COST),
        Input("worth", Number(0, 1000), mark("What the charge is worth when it is made"), default=1),
        Input(
            "others",
            Several(Number(0, 1000), 2),
            mark(
                "What two commands of one point would gain instead, in the same measure; left out: Forward to Victory "
                "for two other charges that need as much and are worth as much"
            ),
        ),
    ),
    answers=(
        Answer("charge", mark("the counter-charge is made")),
        Answer("value", mark("what it is worth, on average"), mark("worth")),
        Answer("per_point", mark("the same for each of its two command points"), mark("worth")),
        Answer("others", mark("what two commands of one point gain instead, on average"), mark("worth")),
        Answer("difference", mark("Counter-charge minus the two commands"), mark("worth")),
        Answer(
            "largest",
            mark("the largest need for which Counter-charge gains at least as much; 0 for none"),
            mark("inches"),
        ),
        Answer("left", mark("command points left after it"), mark("command points")),
    ),
    exact=_counter,
    simulate=_counter_rolled,
    check=_check_counter,
    rule=mark(
        "In the enemy's charge phase a unit that is not in combat charges as in its own, for 2 command points. It has "
        "used its command of the phase, so Forward to Victory is not for it; and not for a unit that used Redeploy in "
        "the same turn, which is a RUN. A reroll is one that an ability gives."
    ),
    source="commands 1.2, 3.0, 5.0; public core rules, Charge",
    examples=("need=7", "gap=6 worth=2 others=0.6+0.5", "need=8 mod=1 cp=4"),
)

QUESTIONS = (CHARGE, FORWARD, COUNTER)
