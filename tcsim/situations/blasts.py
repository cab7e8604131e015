"""BLAST on a group: every model inside with its own action roll, or one action roll for all of them; and SCATTER.

One roll for all makes those inside hang together: all are hit or none is. The tree keeps that.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from tcsim.base.errors import InputError, show, unknown
from tcsim.scenario.problem import Problem
from tcsim.situations.models import Common, Settled, after_the_roll, against, lowest_critical, only_step
from tcsim.situations.numbers import fights
from tcsim.situations.tree import Course, Model, Roll, Strike, pool_roll

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
        By how many inches the blast lands away: the names of those who are caught there. The opponent chooses the
        direction, so they are those whom the opponent chooses to leave inside; nobody, where nothing is said.

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
    settled = tuple(against(common, attack, one, one["name"]) for one in places)
    rolled = settled[0].problem
    if rolls is None:
        rolls = numbers["rolls"]
    if at_point and rolls == ONE:
        rolled = against(common, attack, {"indirect": True}, "attack").problem
    step = only_step(rolled)
    scatters = "SCATTER" in settled[0].actions[0].keywords and not step.auto_hit
    if caught and not scatters:
        raise InputError("the attack does not scatter: it has no SCATTER, or hits without a roll", "caught")
    far = _caught(caught or {}, [one["name"] for one in group], numbers["scatter_from"], rolled.charts.success)
    hits = [(number, after_the_roll(question.problem, False)) for number, question in enumerate(settled)]
    criticals = [(number, after_the_roll(question.problem, True)) for number, question in enumerate(settled)]
    later = [against(common.later, attack, one, one["name"]).problem for one in places] if common.marked else None
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
        aside = [(number, against(common, attack, {**group[number], "indirect": True}, "caught")) for number in there]
        _one_by_one(moves, (SCATTERED, inches), [(n, after_the_roll(one.problem, False)) for n, one in aside])
    models = tuple(
        Model(one["name"], one.get("side", "enemy"), question.problem.start)
        for one, question in zip(group, settled, strict=True)
    )
    return Settled(Course(models, begin, moves), settled)


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
        for name in there:
            if name not in names:
                raise unknown("model of the group", name, names, "caught")
        if len(set(there)) < len(there):
            raise InputError(f"a model is named twice for {inches} inches", "caught")
        found[inches] = sorted(names.index(name) for name in there)
    return found
