"""Redeploy and At the Double: runs of the fourth edition, out of turn and without a roll."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Any

from tcsim.aos.editions import FOURTH
from tcsim.aos.moves.charge_roll import DICE as CHARGE_DICE
from tcsim.aos.moves.charge_roll import GAP, MOD, WITHIN, ChargeRoll, check_dice, check_roll, mean, need_of
from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.dice import Pool
from tcsim.questions.kinds import Dice as DiceKind
from tcsim.questions.kinds import Flag, Number, Whole, Word
from tcsim.questions.question import Answer, Asked, Input, Question, family

if TYPE_CHECKING:
    from collections.abc import Callable

    from tcsim.questions.rolling import Dice

# --- Redeploy -------------------------------------------------------------------------------------------------


def redeploy_moves(pool: Pool, models: int = 1, room: int | None = None) -> dict[int, Fraction]:
    """Give how far a unit gets away: with a roll for each model, its slowest one.

    Parameters
    ----------
    pool : Pool
        The roll.
    models : int, optional
        Models with a roll of their own; 1 for one roll for the unit.
    room : int, optional
        Inches that there are to move.

    Returns
    -------
    dict of int to Fraction
        Inches to their chance, ascending.

    Examples
    --------
    >>> redeploy_moves(Pool(keep=1), room=2)
    {1: Fraction(1, 6), 2: Fraction(5, 6)}
    """
    found: dict[int, Fraction] = {}
    more = Fraction(0)
    for total in sorted(pool.counts(), reverse=True):
        inches = max(0, total if room is None else min(total, room))
        chance = pool.at_least(total) ** models
        found[inches] = found.get(inches, Fraction(0)) + chance - more
        more = chance
    return dict(sorted(found.items()))


def _moves(asked: Asked) -> dict[int, Fraction]:
    return redeploy_moves(asked["dice"], asked["models"] or 1, asked["room"])


def _enemy(asked: Asked) -> ChargeRoll:
    return ChargeRoll(asked["charge_dice"], asked["mod"])


def _before_and_after(asked: Asked, again: str) -> tuple[Callable[[int], Fraction], Callable[[int], Fraction]]:
    """The enemy's chance to charge the unit by the roll it needs at first: as it stands, and after it has moved."""
    enemy, moves = _enemy(asked), _moves(asked)
    needs = range(min(0, *enemy.counts()), max(enemy.counts()) + 1)  # with a modifier a roll may be below 0
    reaches = {need: enemy.reaches(need, again) for need in needs}

    def before(need: int) -> Fraction:
        return reaches.get(need, Fraction(0))

    def after(need: int) -> Fraction:
        return sum((p * before(need + inches) for inches, p in moves.items()), Fraction(0))

    return before, after


def _farthest(asked: Asked) -> tuple[int, int]:
    """The largest rolls that the enemy may need and still has the chance, before and after; 0 for none."""
    before, after = _before_and_after(asked, "all" if asked["reroll"] else "")
    needs = range(max(_enemy(asked).counts()) + 1)
    first, then = (max([0, *(need for need in needs if of(need) >= asked["chance"])]) for of in (before, after))
    return first, then


def _redeploy(asked: Asked) -> dict[str, Fraction]:
    need, moves, totals = need_of(asked), _moves(asked), _enemy(asked).counts()
    before, after = _before_and_after(asked, "all" if asked["reroll"] else "")
    answers: dict[str, Fraction] = {}
    if asked["need"] is not None:
        answers["reaches"] = sum((p for inches, p in moves.items() if inches >= asked["need"]), Fraction(0))
    if need is not None:
        answers |= {"before": before(need), "after": after(need), "saved": before(need) - after(need)}
        if asked["reroll"]:
            before_once, after_once = _before_and_after(asked, "")
            answers |= {"before_once": before_once(need), "after_once": after_once(need)}
    answers |= {"mean": mean(moves)}
    answers["far_before"], answers["far_after"] = map(Fraction, _farthest(asked))
    answers |= family("move", moves) | family("charge_before", {total: before(total) for total in totals})
    answers |= family("charge_after", {total: after(total) for total in totals})
    return _as_it_stands(asked, answers)


def _as_it_stands(asked: Asked, answers: dict[str, Any]) -> dict[str, Any]:
    """Leave out what comes of the move where the unit does not move."""
    if asked["redeploy"]:
        return answers
    return {
        name: value for name, value in answers.items() if name.startswith(("before", "far_before", "charge_before"))
    }


def _redeploy_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    need, totals = need_of(asked), _enemy(asked).counts()
    rolls = [dice.total(asked["dice"], trials) for _ in range(asked["models"] or 1)]
    moved = np.clip(reduce(np.minimum, rolls), 0, asked["room"])
    first, second = (dice.total(asked["charge_dice"], trials) + asked["mod"] for _ in range(2))

    def charged(far: Any) -> Any:
        return (first >= far) | (asked["reroll"] & (second >= far))

    answers: dict[str, Any] = {}
    if asked["need"] is not None:
        answers["reaches"] = moved >= asked["need"]
    if need is not None:
        answers |= {"before": charged(need), "after": charged(need + moved)}
        answers["saved"] = answers["before"].astype(int) - answers["after"]
        if asked["reroll"]:
            answers |= {"before_once": first >= need, "after_once": first >= need + moved}
    far = _farthest(asked)
    answers |= {"mean": moved, "far_before": np.full(trials, far[0]), "far_after": np.full(trials, far[1])}
    answers |= family("move", {inches: moved == inches for inches in _moves(asked)})
    answers |= family("charge_before", {total: charged(total) for total in totals})
    answers |= family("charge_after", {total: charged(total + moved) for total in totals})
    return _as_it_stands(asked, answers)


def _check_redeploy(asked: Asked) -> None:
    check_roll(asked)
    check_dice(asked, "charge_dice")
    if asked["rolls"] == "model" and asked["models"] is None:
        raise InputError("it is needed with rolls=model: how many models roll", "models")
    if not asked["chance"]:
        raise InputError("0 is given, a chance above 0 is allowed: the enemy has that at any distance", "chance")


REDEPLOY = Question(
    name="redeploy",
    editions=FOURTH,
    inputs=(
        Input(
            "need", Whole(0, 48), mark("Inches that are to be moved, and the charge roll that the enemy needs before")
        ),
        GAP,
        WITHIN,
        Input("redeploy", Flag(), mark("The unit moves; false: only what the enemy can do before"), default=True),
        Input("dice", DiceKind(), mark("The roll of the move"), default="D6"),
        Input(
            "rolls",
            Word({"unit": mark("one for the unit"), "model": mark("one for each model")}),
            mark("How many rolls are made"),
            default="unit",
            reason=mark(
                "The source text lets each model move up to D6 inches; one roll for the unit is the usual reading"
            ),
        ),
        Input(
            "models",
            Whole(1, 60),
            mark("Models that the enemy would reach with the same charge; the slowest counts"),
            goes_with=("rolls=model",),
        ),
        Input("room", Whole(0, 48), mark("Inches that there are to move straight away; left out: enough")),
        replace(MOD, help=mark("Modifier of the enemy's charge roll")),
        replace(CHARGE_DICE, name="charge_dice", help=mark("Dice of the enemy's charge roll")),
        Input(
            "reroll", Flag(), mark("The enemy may roll its charge again, once, as by Forward to Victory"), default=False
        ),
        Input(
            "chance", Number(0, 1), mark("A chance to charge, for how far away the enemy still has it"), default="1/2"
        ),
    ),
    answers=(
        Answer("reaches", mark("the unit moves as many inches as need says, or more")),
        Answer("before", mark("the enemy's charge reaches the unit where it stands")),
        Answer("after", mark("the enemy's charge reaches the unit after the move")),
        Answer("saved", mark("what the move takes from that chance, on average"), mark("charges")),
        Answer("before_once", mark("the same before, if the enemy did not roll again")),
        Answer("after_once", mark("the same after, if the enemy did not roll again")),
        Answer("mean", mark("how far the unit, or its slowest model, moves on average"), mark("inches")),
        Answer(
            "far_before",
            mark("largest need with which the enemy's charge still has the chance, before"),
            mark("inches"),
        ),
        Answer("far_after", mark("the same with the move to come"), mark("inches")),
        Answer("move", mark("the unit moves so many inches"), family=True),
        Answer("charge_before", mark("the enemy charges the unit where it stands, needing"), family=True),
        Answer("charge_after", mark("the enemy charges the unit after the move, having needed"), family=True),
    ),
    exact=_redeploy,
    simulate=_redeploy_rolled,
    check=_check_redeploy,
    rule=mark(
        "In the enemy's movement phase, for 1 command point, the models of a unit that is not in combat move up to D6 "
        "inches, never through or into the combat range of an enemy. Straight away from the enemy, its charge needs as "
        "many inches more. It counts as a RUN: no Covering Fire, shooting or charge by that unit this turn."
    ),
    source="commands 3.0, Redeploy; public core rules, Run, Charge",
    examples=("need=7", "gap=6 reroll", "need=8 rolls=model models=3"),
)


# --- At the Double --------------------------------------------------------------------------------------------


def _extra(asked: Asked) -> Fraction | None:
    if asked["distance"] is not None:
        return max(Fraction(0), Fraction(asked["distance"] - asked["move"]))
    extra: Fraction | None = asked["extra"]
    return extra


def _double(asked: Asked) -> dict[str, Fraction]:
    pool, fixed, extra = asked["run"], asked["fixed"], _extra(asked)
    run = {total: Fraction(ways, pool.denominator) for total, ways in pool.counts().items()}

    def reaches(inches: Fraction | int) -> Fraction:
        return sum((p for total, p in run.items() if total >= inches), Fraction(0))

    answers = {"gain": fixed - pool.mean(), "mean": pool.mean(), "wasted": reaches(fixed)}
    if extra is not None:
        double = Fraction(fixed >= extra)
        answers |= {"extra": extra, "run_reaches": reaches(extra), "double_reaches": double}
        answers["decides"] = double * (1 - reaches(extra))
    return answers | family("reach", {total: reaches(total) for total in run})


def _double_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    run, fixed, extra = dice.total(asked["run"], trials), asked["fixed"], _extra(asked)
    answers: dict[str, Any] = {"gain": fixed - run, "mean": run, "wasted": run >= fixed}
    if extra is not None:
        double = np.full(trials, fixed >= extra)
        answers |= {"extra": np.full(trials, float(extra)), "run_reaches": run >= float(extra)}
        answers |= {"double_reaches": double, "decides": double & (run < float(extra))}
    return answers | family("reach", {total: run >= total for total in asked["run"].counts()})


def _check_double(asked: Asked) -> None:
    check_dice(asked, "run")
    if (asked["move"] is None) != (asked["distance"] is None):
        given, other = ("move", "distance") if asked["distance"] is None else ("distance", "move")
        raise InputError(f"it goes with {other}, which is not given", given)
    if asked["extra"] is not None and asked["distance"] is not None:
        raise InputError("it says once more what move and distance say", "extra")


AT_THE_DOUBLE = Question(
    name="at_the_double",
    editions=FOURTH,
    inputs=(
        Input("extra", Number(0, 48), mark("Inches beyond Move that are needed")),
        Input("move", Number(0, 48), mark("Move of the unit, with distance instead of extra")),
        Input("distance", Number(0, 96), mark("Inches that it has to go in all")),
        Input("fixed", Whole(0, 48), mark("Inches that the command adds to Move"), default=6),
        Input("run", DiceKind(), mark("The run roll that it replaces"), default="D6"),
    ),
    answers=(
        Answer("gain", mark("inches more than an ordinary run, on average"), mark("inches")),
        Answer("run_reaches", mark("an ordinary run goes far enough")),
        Answer("double_reaches", mark("At the Double goes far enough")),
        Answer("decides", mark("the point decides: the roll would not have been enough")),
        Answer("wasted", mark("the point is wasted: the roll would have gone at least as far")),
        Answer("extra", mark("inches beyond Move that are needed"), mark("inches")),
        Answer("mean", mark("an ordinary run roll, on average"), mark("inches")),
        Answer("reach", mark("an ordinary run gets so many inches farther than Move"), family=True),
    ),
    exact=_double,
    simulate=_double_rolled,
    check=_check_double,
    rule=mark(
        "A unit that runs may, for 1 command point, go 6 inches farther than its Move instead of the run roll. The "
        "point is paid before anything is rolled. A Redeploy is the command of its unit in that phase, so not with it."
    ),
    source="commands 1.2, 3.0, At the Double; public core rules, Run",
    examples=("extra=4", "move=5 distance=10.5"),
)

QUESTIONS = (REDEPLOY, AT_THE_DOUBLE)
