"""BLAST on a group: every model inside with its own action roll, or one action roll for all of them; and SCATTER.

One roll for all makes those inside hang together: all are hit or none is. The tree keeps that.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from tcsim.base.errors import InputError, show, unknown
from tcsim.base.lang import mark
from tcsim.questions.kinds import Flag, Word
from tcsim.questions.question import Answer, Asked, Input, Question, family
from tcsim.scenario.problem import Problem
from tcsim.scenario.resolve import Resolved
from tcsim.situations.fight import (
    ACTION_DICE,
    ATTACK_INPUT,
    BY_MODEL,
    INJURY_DICE,
    OF_ATTACKS,
    Fight,
    attack_of,
    by_model,
    chance,
    common_of,
)
from tcsim.situations.kinds import Caught, Every, OneModel
from tcsim.situations.models import (
    Common,
    Settled,
    after_the_roll,
    against,
    checked,
    lowest_critical,
    only_step,
    untold,
)
from tcsim.situations.numbers import fights, sources
from tcsim.situations.tree import Course, Model, Outcome, Roll, Strike, pool_roll

#: Each model inside has its own action roll, or one counts for all.
EACH, ONE = "each", "one"

#: How the blast lands.
SUCCESS, CRITICAL, FAILURE, SCATTERED = "success", "critical", "failure", "scattered"


def bursting(
    common: Common,
    attack: Mapping[str, Any],
    group: Sequence[Mapping[str, Any]],
    rolls: str | None = None,
    at_point: bool = False,
    caught: Mapping[int, Sequence[str]] | None = None,
) -> Settled:
    """Settle a blast.

    With SCATTER the first action roll decides where the blast lands, whatever comes after it: on a failure it lands 7
    minus the roll inches away, where those who are caught are hit without a roll of their own.

    Parameters
    ----------
    common : Common
        Edition, attacker, spending, options.
    attack : mapping
        An entry of a scenario's ``attacks`` with one attack roll.
    group : sequence of mapping
        The models inside, checked, each perhaps with ``side``; the first is the target.
    rolls : str, optional
        ``each`` or ``one``; default: the edition's.
    at_point : bool, optional
        The blast is aimed at a point, so nobody is its target. One roll for all is then made as the attack says,
        against nobody; where each has its own, the first is that against the first model.
    caught : mapping of int to sequence of str, optional
        By how many inches the blast lands away: who is caught there, by name or by number from 1. The opponent chooses
        the direction, so they are those whom the opponent chooses to leave inside; nobody, where nothing is said.

    Returns
    -------
    Settled
        The situation.

    Raises
    ------
    InputError
        When the attack has several rolls, or anything is wrong with it or with a model.
    """
    numbers = fights()[common.edition]["blast"]
    places = [{"indirect": at_point or number > 0, **one} for number, one in enumerate(group)]
    settled = tuple(_counted(untold(against(common, attack, one), "indirect")) for one in places)
    rolled = settled[0].problem
    if rolls is None:
        rolls = numbers["rolls"]
    if at_point and rolls == ONE:
        rolled = against(common, attack, {"indirect": True}).problem
    step = only_step(rolled)
    scatters = "SCATTER" in settled[0].actions[0].keywords and not step.auto_hit
    if caught and not scatters:
        raise InputError("the attack does not scatter: it has no SCATTER, or hits without a roll", "caught")
    far = _caught(caught or {}, [one["name"] for one in group], numbers["scatter_from"], rolled.charts.success)
    hits = [(number, after_the_roll(question.problem, False)) for number, question in enumerate(settled)]
    criticals = [(number, after_the_roll(question.problem, True)) for number, question in enumerate(settled)]
    later = [against(common.later, attack, one).problem for one in places] if common.marked else None
    own = [(number, later[number] if later else one.problem) for number, one in enumerate(settled)]
    moves: dict[Hashable, Roll | Strike] = {}
    begin: Hashable = "action roll"
    if step.auto_hit:
        begin = SUCCESS
        _one_by_one(moves, SUCCESS, hits)
    elif rolls == ONE:
        _one_by_one(moves, SUCCESS, hits)
        _one_by_one(moves, CRITICAL, criticals)
    elif scatters:
        _one_by_one(moves, SUCCESS, [hits[0], *own[1:]])
        _one_by_one(moves, CRITICAL, [criticals[0], *own[1:]])
    else:
        begin = EACH
        _one_by_one(moves, EACH, [(0, rolled), *own[1:]])
    if begin == "action roll":
        lowest, success = lowest_critical(rolled, step, rolled.start), rolled.charts.success

        def landing(total: int) -> Hashable:
            if total >= success:
                return CRITICAL if total >= lowest else SUCCESS
            return (SCATTERED, numbers["scatter_from"] - total) if scatters else FAILURE

        dice = step.action_dice_down if rolled.start.down else step.action_dice
        moves[begin] = pool_roll(dice + step.first_shot_dice, landing)
    for inches, there in far.items():
        aside = [(number, against(common, attack, {**group[number], "indirect": True})) for number in there]
        _one_by_one(moves, (SCATTERED, inches), [(n, after_the_roll(one.problem, False)) for n, one in aside])
    models = tuple(
        Model(one["name"], one.get("side", "enemy"), question.problem.start)
        for one, question in zip(group, settled, strict=True)
    )
    return Settled(Course(models, begin, moves), settled)


def _counted(question: Resolved) -> Resolved:
    """Take away the note that BLAST and SCATTER change no dice: here they do."""
    begin, idle = "Changes no dice here: ", list[str]()
    for note in question.notes:
        words = note.removeprefix(begin).removesuffix(".").split(", ") if note.startswith(begin) else []
        idle += [word for word in words if word.split(" ")[0] not in ("BLAST", "SCATTER")]
    notes = [note for note in question.notes if not note.startswith(begin)]
    return replace(question, notes=(*notes, *([f"{begin}{', '.join(idle)}."] if idle else [])))


def _one_by_one(moves: dict[Hashable, Roll | Strike], begin: Hashable, strikes: Sequence[tuple[int, Problem]]) -> None:
    """Let models be attacked one after the other, beginning at a stage."""
    stage = begin
    for number, (model, problem) in enumerate(strikes, 1):
        moves[stage] = Strike(model, problem, (begin, number), last=True)
        stage = (begin, number)


def _caught(
    given: Mapping[int, Sequence[str]], names: Sequence[str], scatter_from: int, success: int
) -> dict[int, list[int]]:
    """Check who is caught by a blast that lands away."""
    low, high = scatter_from - (success - 1), scatter_from - 2
    found: dict[int, list[int]] = {}
    for inches, there in given.items():
        if type(inches) is not int or not low <= inches <= high:
            raise InputError(f"{show(inches)} inches are given, it lands {low} to {high} inches away", "caught")
        found[inches] = sorted(_number(name, names) for name in there)
        if len(set(found[inches])) < len(there):
            raise InputError(f"a model is named twice for {inches} inches", "caught")
    return found


def _number(name: str, names: Sequence[str]) -> int:
    """Find a model by its name, or by its number from 1."""
    if name in names:
        return names.index(name)
    if name.isascii() and name.isdigit() and 1 <= int(name[:6]) <= len(names):
        return int(name) - 1
    raise unknown("model of the group", name, names, "caught")


def _settle(asked: Asked) -> dict[str, Settled]:
    group = [{**one, "side": "enemy"} for one in checked(asked["group"], "group")]
    friends = checked(asked["friends"], "friends", usual="friend") if asked["friends"] else ()
    everyone = [*group, *({**one, "side": "friend"} for one in friends)]
    attack = attack_of(asked, "ranged")
    return {"blast": bursting(common_of(asked), attack, everyone, asked["rolls"], asked["at_point"], asked["caught"])}


def _tell(asked: Asked, outcomes: Mapping[str, Outcome]) -> dict[str, Any]:
    outcome = outcomes["blast"]

    def enemies(number: Callable[[int, int], int]) -> Mapping[int, Any]:
        return outcome.how_many(lambda enemy, *friend: int(number(*enemy)))

    out, hurt = enemies(lambda out, down: out), enemies(lambda out, down: out + down)
    most = sum(model.side == "enemy" for model in outcome.models)
    told: dict[str, Any] = {
        "p_out": enemies(lambda out, down: out > 0),
        "p_target_out": chance(outcome, outcome.out(0)),
        "out": out,
        "down": enemies(lambda out, down: down),
    }
    if "friend" in outcome.sides:
        told["p_friend_out"] = outcome.how_many(lambda enemy, friend: int(friend[0] > 0))
        told["friends_out"] = outcome.how_many(lambda enemy, friend: friend[0])
    none = 0 * outcome.total
    for name, numbers in (("number_out", out), ("out_or_down", hurt)):
        told |= family(name, {k: chance(outcome, numbers.get(k, none)) for k in range(most + 1)})
    at_least = {k: chance(outcome, sum((w for n, w in out.items() if n >= k), none)) for k in range(1, most + 1)}
    return told | family("at_least", at_least) | by_model(outcome)


_FIGHT = Fight(_settle, _tell)

QUESTIONS = (
    Question(
        name="blast",
        inputs=(
            ATTACK_INPUT,
            ACTION_DICE,
            INJURY_DICE,
            Input("group", Every(OneModel()), mark("The enemies inside, the target first"), default="3x model"),
            Input("friends", Every(OneModel()), mark("Friends of the shooter who are inside, too")),
            Input(
                "rolls",
                Word({EACH: mark("each model inside has its own action roll"), ONE: mark("one roll is for all")}),
                mark("How the action roll is made"),
                default={id: numbers["blast"]["rolls"] for id, numbers in fights().items()},
                reason=mark("The 1.6.3 text attacks every model inside, 1.0.2 rolls once"),
            ),
            Input("at_point", Flag(), mark("It is aimed at a point, so nobody is its target"), default=False),
            Input(
                "caught",
                Caught(),
                mark(
                    "With SCATTER: who is caught where it lands so many inches away, as 1:1+2//2:1, by number or name; "
                    "the opponent chooses the direction, so name whom that leaves inside"
                ),
            ),
            *OF_ATTACKS,
        ),
        answers=(
            Answer("p_out", mark("an enemy goes out of action")),
            Answer("p_target_out", mark("the target, the first of the group, goes out of action")),
            Answer("p_friend_out", mark("a friend goes out of action")),
            Answer("out", mark("enemies out of action"), mark("models")),
            Answer("down", mark("enemies Down in the end"), mark("models")),
            Answer("friends_out", mark("friends out of action"), mark("models")),
            Answer("at_least", mark("so many enemies out of action, or more"), family=True),
            Answer("number_out", mark("so many enemies out of action"), family=True),
            Answer("out_or_down", mark("so many enemies out of action or Down"), family=True),
            *BY_MODEL,
        ),
        exact=_FIGHT.exact,
        simulate=_FIGHT.simulate,
        notes=_FIGHT.notes,
        rule={
            "1.6.3": mark(
                "BLAST (X): every model within a circle X inches wide is attacked, with its own action roll; friends "
                "cannot be the target, but are hit. Where a weapon scatters, the first roll, at the target, decides "
                "where the blast lands: those caught there are hit without a roll of their own."
            ),
            "1.0.2": mark(
                "BLAST (X): one action roll; a success hits every model within X inches of the target, an injury roll "
                "for each, and the injury die of a critical for the target alone. SCATTER: a failure lands 7 minus the "
                "roll inches away and hits those caught there; the opponent chooses the direction."
            ),
        },
        source=sources("blast"),
        examples=(
            "group=model//injury_modifier=-2 action_dice=1",
            "attack=grenade-launcher group=down//model friends=model",
            "attack=ranged,SCATTER group=model//model caught=1:1+2//2:2",
        ),
    ),
)
