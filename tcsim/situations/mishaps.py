"""What a model suffers by itself: a fall, dangerous terrain, a mine. An injury roll without an attack.

The model's opponent spends its blood markers on the roll, its owner its blessings, as on any injury roll; its armour
counts. A model that is Down has no further injury die by that, since nobody attacks it.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.questions.kinds import Flag, Number, Whole
from tcsim.questions.question import Answer, Asked, Input, Question
from tcsim.scenario.problem import DOWN, Problem
from tcsim.scenario.resolve import Resolved
from tcsim.situations.fight import (
    ARMOUR,
    MODEL,
    OF_MISHAPS,
    ONE_MODEL,
    Fight,
    armoured,
    chance,
    common_of,
    of_one_model,
)
from tcsim.situations.kinds import Words
from tcsim.situations.models import Common, Settled, checked, scenario, settle
from tcsim.situations.numbers import fights, sources
from tcsim.situations.tree import Course, Model, Outcome, Roll, Strike, pool_roll

#: Stages.
BEGIN, HURT, SAFE = "begin", "hurt", "safe"


def injury(common: Common, one: Mapping[str, Any], injury_dice: int = 0, keywords: Sequence[str] = ()) -> Resolved:
    """Settle an injury roll that no attack makes.

    Parameters
    ----------
    common : Common
        Edition, spending, options.
    one : mapping
        The model.
    injury_dice : int, optional
        On the roll.
    keywords : sequence of str, optional
        Of what hurts it, as FIRE.

    Returns
    -------
    Resolved
        With a Problem of one hit, without the die that attacks on a Down model have.

    Raises
    ------
    InputError
        For whatever cannot be.
    """
    # of the two kinds of attack, melee is the one that no rule of models and armour weakens
    attack = {"kind": "melee", "injury_dice": injury_dice, "keywords": [*keywords, "AUTO-HIT"]}
    places = {"attacks[0].keywords": "keywords", "target": one["name"]}
    question = settle(common, scenario(replace(common, attacker={}), attack, one), places)
    die = question.rules.target_down_injury_dice
    steps = tuple(
        step._replace(
            injury_dice_down=step.injury_dice_down - die, injury_dice_down_critical=step.injury_dice_down_critical - die
        )
        for step in question.problem.steps
    )
    return replace(question, problem=replace(question.problem, steps=steps))


def fall_dice(edition: str, height: Fraction, jump: bool = False) -> int | None:
    """Say how many injury dice a fall adds; None where it needs no injury roll.

    Parameters
    ----------
    edition : str
        Edition id.
    height : Fraction
        Inches.
    jump : bool, optional
        Whether the model jumps down of its own will.

    Returns
    -------
    int or None
        Injury dice.

    Examples
    --------
    >>> fall_dice("1.6.3", Fraction(5, 2)), fall_dice("1.0.2", Fraction(5, 2)), fall_dice("1.0.2", Fraction(6))
    (0, None, 2)
    """
    numbers = fights()[edition]["fall"]
    hurts = height >= numbers["from_in"] if numbers["inclusive"] else height > numbers["from_in"]
    if not hurts or (jump and height <= numbers["jump_in"]):
        return None
    return int(height // numbers["inches_per_die"])


def falling(common: Common, one: Mapping[str, Any], height: Fraction, jump: bool = False) -> Settled:
    """Settle a fall.

    Parameters
    ----------
    common : Common
        Edition, spending, options.
    one : mapping
        The model, checked.
    height : Fraction
        Inches.
    jump : bool, optional
        Whether it jumps down of its own will.

    Returns
    -------
    Settled
        The situation.

    Raises
    ------
    InputError
        For whatever cannot be.
    """
    dice = fall_dice(common.edition, height, jump)
    question = injury(common, one, dice or 0)
    moves: dict[Hashable, Roll | Strike] = {}
    if dice is not None and "FLYING" not in question.target.words:
        moves[BEGIN] = Strike(0, question.problem, HURT)
    return Settled(Course(_alone(one, question.problem), BEGIN, moves), (question,))


def at_a_ledge(common: Common, one: Mapping[str, Any], height: Fraction, action_dice: int = 0) -> Settled:
    """Settle what a Down result does at a ledge: an action roll, else a fall, and only then the model is Down.

    Parameters
    ----------
    common : Common
        Edition, spending, options.
    one : mapping
        The model, as it is before the Down result; checked.
    height : Fraction
        Inches that it would fall.
    action_dice : int, optional
        On the roll.

    Returns
    -------
    Settled
        The situation.

    Raises
    ------
    InputError
        When the model never goes Down, and for whatever else cannot be.
    """
    dice = fall_dice(common.edition, height)
    question = injury(common, one, dice or 0)
    problem, falls = question.problem, dice is not None and "FLYING" not in question.target.words
    if problem.minor_for_down:
        raise InputError("a Down result is a Minor Hit for this model, so it does not go Down at the ledge", "model")
    [step] = injury(common, one).problem.steps
    down = replace(problem, steps=(step._replace(special=step.special._replace(result=DOWN)),))
    success = problem.charts.success
    moves: dict[Hashable, Roll | Strike] = {
        BEGIN: pool_roll(action_dice, lambda total: SAFE if total >= success else "falls"),
        SAFE: Strike(0, down, "stayed"),
        "falls": Strike(0, problem, "fallen") if falls else Strike(0, down, "down below"),
        "fallen": Strike(0, down, "down below"),
    }
    return Settled(Course(_alone(one, problem), BEGIN, moves), (question,))


def dangerous_ground(
    common: Common, one: Mapping[str, Any], action_dice: int = 0, keywords: Sequence[str] = ()
) -> Settled:
    """Settle dangerous terrain: an action roll, and an injury roll where it fails.

    Parameters
    ----------
    common : Common
        Edition, spending, options. With ``blood_on_action`` or ``blessing_on_action`` ``all`` the model's markers are
        spent on its action roll.
    one : mapping
        The model, checked.
    action_dice : int, optional
        On the roll, beside what its being Down and its markers do.
    keywords : sequence of str, optional
        Of the terrain, as FIRE.

    Returns
    -------
    Settled
        The situation.

    Raises
    ------
    InputError
        For whatever cannot be.
    """
    question = injury(common, one, 0, keywords)
    problem, spend = question.problem, common.spend
    start = problem.start
    blood = start.blood if spend.get("blood_on_action") == "all" else 0
    blessing = start.blessing if spend.get("blessing_on_action") == "all" else 0
    net = action_dice + start.down * question.rules.modifiers["attacker_down"].action_dice - blood + blessing
    start = start._replace(blood=start.blood - blood, blessing=start.blessing - blessing)
    success = problem.charts.success
    moves: dict[Hashable, Roll | Strike] = {
        BEGIN: pool_roll(net, lambda total: SAFE if total >= success else "failed"),
        "failed": Strike(0, problem, HURT),
    }
    return Settled(Course((Model(one["name"], "model", start),), BEGIN, moves), (question,))


def on_a_mine(common: Common, one: Mapping[str, Any]) -> Settled:
    """Settle the touch of a mine: an injury roll with SHRAPNEL.

    Parameters
    ----------
    common : Common
        Edition, spending, options.
    one : mapping
        The model, checked.

    Returns
    -------
    Settled
        The situation.

    Raises
    ------
    InputError
        For whatever cannot be.
    """
    question = injury(common, one, 0, ("SHRAPNEL",))
    moves: dict[Hashable, Roll | Strike] = {}
    if "NEGATE MINED" not in question.target.words:
        moves[BEGIN] = Strike(0, question.problem, HURT)
    return Settled(Course(_alone(one, question.problem), BEGIN, moves), (question,))


def _alone(one: Mapping[str, Any], problem: Problem) -> tuple[Model]:
    return (Model(one["name"], "model", problem.start),)


def _one(asked: Asked) -> dict[str, Any]:
    """The model of a question."""
    [one] = checked([armoured(asked["model"], asked["injury_modifier"])], "model")
    return one


def _fall(asked: Asked) -> dict[str, Settled]:
    return {"fall": falling(common_of(asked), _one(asked), asked["height"], bool(asked["jump"]))}


def _ledge(asked: Asked) -> dict[str, Settled]:
    return {"ledge": at_a_ledge(common_of(asked), _one(asked), asked["height"], asked["action_dice"])}


def _terrain(asked: Asked) -> dict[str, Settled]:
    words = asked["keywords"] or ()
    return {"terrain": dangerous_ground(common_of(asked), _one(asked), asked["action_dice"], words)}


def _mine(asked: Asked) -> dict[str, Settled]:
    return {"mine": on_a_mine(common_of(asked), _one(asked))}


def _tell(asked: Asked, outcomes: Mapping[str, Outcome]) -> dict[str, Any]:
    [outcome] = outcomes.values()
    return of_one_model(outcome)


def _tell_ledge(asked: Asked, outcomes: Mapping[str, Outcome]) -> dict[str, Any]:
    outcome = outcomes["ledge"]
    stays = outcome.ends.get("stayed", 0 * outcome.total)
    return {"p_falls": chance(outcome, outcome.total - stays), **of_one_model(outcome)}


def _tell_terrain(asked: Asked, outcomes: Mapping[str, Outcome]) -> dict[str, Any]:
    outcome = outcomes["terrain"]
    safe = outcome.ends.get(SAFE, 0 * outcome.total)
    ends = fights()[asked.edition]["dangerous_terrain"]["ends_activation"] == "always" or asked["entering"]
    told = {"p_safe": chance(outcome, safe)}
    told["p_activation_ends"] = chance(outcome, outcome.total - safe if ends else 0 * outcome.total)
    return {**told, **of_one_model(outcome)}


#: The deepest fall; its injury dice are as many as an attack may have.
MAX_HEIGHT = 120

_HEIGHT = Input("height", Number(0, MAX_HEIGHT), mark("How deep it is, in inches"), required=True)
_FALL, _LEDGE, _TERRAIN = Fight(_fall, _tell), Fight(_ledge, _tell_ledge), Fight(_terrain, _tell_terrain)
_MINE = Fight(_mine, _tell)

QUESTIONS = (
    Question(
        name="fall",
        inputs=(
            _HEIGHT,
            ARMOUR,
            MODEL,
            Input("jump", Flag(), mark("It jumps down of its own will"), default=False, editions=("1.6.3",)),
            *OF_MISHAPS,
        ),
        answers=ONE_MODEL,
        exact=_FALL.exact,
        simulate=_FALL.simulate,
        notes=_FALL.notes,
        rule={
            "1.6.3": mark(
                "A fall of more than 2 inches is an injury roll, with +1 injury die for each full 3 inches; a jump "
                "down of up to 3 inches is none. Armour counts, the die for a Down target does not."
            ),
            "1.0.2": mark(
                "A fall of 3 inches or more is an injury roll, with +1 injury die for each full 3 inches. Armour "
                "counts."
            ),
        },
        source=sources("fall"),
        examples=("height=6 injury_modifier=-1", "height=3 model=blood=3,TOUGH spend=greedy"),
    ),
    Question(
        name="ledge",
        inputs=(
            _HEIGHT,
            Input("action_dice", Whole(-40, 40), mark("Net +/-DICE of the roll to stay"), default=0),
            ARMOUR,
            MODEL,
            *OF_MISHAPS,
        ),
        answers=(Answer("p_falls", mark("it falls")), *ONE_MODEL),
        exact=_LEDGE.exact,
        simulate=_LEDGE.simulate,
        notes=_LEDGE.notes,
        rule=mark(
            "A model that goes Down within 1 inch of a ledge makes an action roll; if that fails it falls first, and "
            "is Down then."
        ),
        source="book: Down",
        examples=("height=4 injury_modifier=-1",),
        editions=("1.0.2",),
    ),
    Question(
        name="dangerous_terrain",
        inputs=(
            Input("action_dice", Whole(-40, 40), mark("Net +/-DICE of its action roll"), default=0),
            Input("keywords", Words(), mark("Keywords of the terrain, as FIRE")),
            Input(
                "entering",
                Flag(),
                mark("It enters; else it begins its activation there"),
                default=True,
                editions=("1.6.3",),
            ),
            ARMOUR,
            MODEL,
            *OF_MISHAPS,
        ),
        answers=(
            Answer("p_safe", mark("the action roll succeeds")),
            Answer("p_activation_ends", mark("its activation ends")),
            *ONE_MODEL,
        ),
        exact=_TERRAIN.exact,
        simulate=_TERRAIN.simulate,
        notes=_TERRAIN.notes,
        rule={
            "1.6.3": mark(
                "An action roll when a model enters, which is RISKY, or begins its activation there; a failure is an "
                "injury roll, without the die for a Down target."
            ),
            "1.0.2": mark(
                "A RISKY action roll, once a move; a failure is an injury roll with the keywords of the terrain, and "
                "ends the activation."
            ),
        },
        source=sources("dangerous_terrain"),
        examples=("injury_modifier=-1", "action_dice=1 keywords=FIRE model=down,blood=1"),
    ),
    Question(
        name="mine",
        inputs=(ARMOUR, MODEL, *OF_MISHAPS),
        answers=ONE_MODEL,
        exact=_MINE.exact,
        simulate=_MINE.simulate,
        notes=_MINE.notes,
        rule=mark("A model that touches something MINED has an injury roll with SHRAPNEL."),
        source="book: MINED",
        examples=("injury_modifier=-1",),
        editions=("1.0.2",),
    ),
)
