"""The states a fighter can be in, and what an activation of the enemy does to each of them."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tcsim.duels.model import CHARGING, SHOOTING, Blows, Duel, Fighter, target_of
from tcsim.engines import target
from tcsim.engines.block import Block
from tcsim.engines.chain import States
from tcsim.engines.codes import Codes
from tcsim.engines.exact import solve
from tcsim.scenario.problem import Problem, State


class Case(NamedTuple):
    """How an attacker goes about its attacks: Down or not, and the markers spent on its first action roll.

    ``drained``: markers of its own that the enemy's player spends, ``blessed``: its own blessings.
    """

    down: int = 0
    drained: int = 0
    blessed: int = 0


class Effect(NamedTuple):
    """What an activation does: to each state, the chance of each state after it, and of being out of action."""

    to: Any
    out: Any


def states_of(duel: Duel, side: int) -> list[State]:
    """List every state that a fighter can come to.

    Parameters
    ----------
    duel : Duel
        The duel.
    side : int
        Which fighter.

    Returns
    -------
    list of State
        The first one is that in which it starts.

    Examples
    --------
    >>> from tcsim.duels.given import from_mapping
    >>> from tcsim.duels.resolve import resolve_duel
    >>> fighter = {"attacks": [{}], "tough": True}
    >>> len(states_of(resolve_duel(from_mapping({"a": fighter, "b": fighter})).duel, 0))
    28
    """
    fighter, start = duel.fighters[side], duel.fighters[side].start
    problems = [one for blows in blows_of(duel.fighters[1 - side]) for one in (blows.standing, blows.down)]
    limit = problems[0].charts.marker_limit
    spends = fighter.blesses or fighter.optimal or any(problem.policy.blessing for problem in problems)
    blessings = range(start.blessing + 1) if fighter.optimal else {start.blessing, 0} if spends else {start.blessing}
    infected = any(problem.has_infection for problem in problems)
    found = [
        State(*values)
        for values in itertools.product(
            (0, 1),
            range(limit + 1),
            sorted(blessings),
            range(start.tough + 1),
            range(limit + 1) if infected else (0,),
            range(start.spared + 1),
            range(start.warded + 1),
            range(start.firm + 1),
        )
    ]
    found.remove(start)
    return [start, *found]


def blows_of(fighter: Fighter) -> list[Blows]:
    """Give everything that a fighter can do in an activation.

    Parameters
    ----------
    fighter : Fighter
        One of the two.

    Returns
    -------
    list of Blows
        In contact, after a charge, and at each distance; alike ones once.
    """
    every = (fighter.melee, fighter.charging, *fighter.shooting)
    return list(dict.fromkeys(blows for blows in every if blows is not None))


def steps_of(fighter: Fighter) -> dict[tuple[int, int], range]:
    """Say which of the steps of :func:`programs_of` belong to each kind of activation.

    Parameters
    ----------
    fighter : Fighter
        One of the two.

    Returns
    -------
    dict
        What is done, as in :func:`blows_at`, and whether it is Down, to places of steps.
    """
    first, begins = 0, {}
    for blows in blows_of(fighter):
        begins[blows] = first
        first += 2 * len(blows.rolls)
    found = {}
    for what, one in enumerate((fighter.melee, fighter.charging, *fighter.shooting)):
        if one is not None:
            size = len(one.rolls)
            found[what, 0] = range(begins[one], begins[one] + size)
            found[what, 1] = range(begins[one] + size, begins[one] + 2 * size)
    return found


def blows_at(fighter: Fighter, what: int) -> Blows | None:
    """Give the attacks of one kind of activation.

    Parameters
    ----------
    fighter : Fighter
        Who attacks.
    what : int
        ``IN_CONTACT``, ``CHARGING``, or ``SHOOTING`` and the place of the distance.

    Returns
    -------
    Blows or None
        None where it has nothing to attack with.
    """
    if what >= SHOOTING:
        return fighter.shooting[what - SHOOTING]
    return fighter.charging if what == CHARGING else fighter.melee


def paid(state: State, drained: int, blessed: int) -> State:
    """Take off what is spent on an action roll: blood before infection, as on injury rolls.

    Parameters
    ----------
    state : State
        Of the one that rolls.
    drained, blessed : int
        Markers that the enemy's player spends, and its own blessings.

    Returns
    -------
    State
        After it.

    Examples
    --------
    >>> paid(State(blood=2, infection=3), 4, 0)[1:5]
    (0, 0, 0, 1)
    """
    blood = min(drained, state.blood)
    return state._replace(
        blood=state.blood - blood, infection=state.infection - drained + blood, blessing=state.blessing - blessed
    )


def spent_by(duel: Duel, side: int, blows: Blows, state: State) -> tuple[State, Case]:
    """Say what is spent on the first action roll of an activation, with fixed spending.

    Parameters
    ----------
    duel : Duel
        The duel.
    side : int
        Whose activation it is.
    blows : Blows
        Its attacks.
    state : State
        Its state.

    Returns
    -------
    State, Case
        Its state after paying, and how it goes about the attacks.
    """
    drains = duel.fighters[1 - side].drains and blows.first_drained >= 0
    blesses = duel.fighters[side].blesses and blows.first_blessed >= 0
    drained, blessed = (state.blood + state.infection) * drains, state.blessing * blesses
    return paid(state, drained, blessed), Case(state.down, drained, blessed)


def problem_of(blows: Blows, case: Case) -> Problem:
    """Give the attacks of an activation as the scenario they are.

    Parameters
    ----------
    blows : Blows
        The attacks.
    case : Case
        How the attacker goes about them.

    Returns
    -------
    Problem
        What is spent on action rolls is in its steps.
    """
    problem = blows.down if case.down else blows.standing
    steps = list(problem.steps)
    for place, dice in ((blows.first_drained, -case.drained), (blows.first_blessed, case.blessed)):
        if dice and place >= 0:
            steps[place] = steps[place]._replace(first_shot_dice=steps[place].first_shot_dice + dice)
    return replace(problem, steps=tuple(steps))


def effects(wanted: Iterable[tuple[Blows, Case]], states: list[State], fractions: bool = False) -> list[Effect]:
    """Work out what activations do to a target in each of its states, by the exact engine of scenarios.

    Parameters
    ----------
    wanted : iterable of (Blows, Case)
        The activations.
    states : list of State
        The target's.
    fractions : bool, optional
        Count in Fractions.

    Returns
    -------
    list of Effect
        In the same order: an array (states, states) and one of (states,).
    """
    place = {state: index for index, state in enumerate(states)}
    problems = [problem_of(blows, case) for blows, case in wanted]
    finals = solve([replace(problem, start=state) for problem in problems for state in states], fractions)
    found = []
    size = len(states)
    for first in range(0, len(finals), size):
        to = np.zeros((size, size), dtype=object if fractions else np.float64)
        out = np.zeros(size, dtype=to.dtype)
        for index, final in enumerate(finals[first : first + size]):
            for state, chance in final:
                if state is None:
                    out[index] = chance
                else:
                    to[index, place[state]] = chance
        found.append(Effect(to, out))
    return found


def activated(duel: Duel, side: int, states: list[State]) -> NDArray[np.int64]:
    """Say which state each becomes when the fighter is activated: infection grows, and some shed blood markers.

    Parameters
    ----------
    duel : Duel
        The duel.
    side : int
        Whose activation it is.
    states : list of State
        Its states.

    Returns
    -------
    array of int, shape (states,)
        Places in ``states``.
    """
    place = {state: index for index, state in enumerate(states)}
    problem = target_of(duel, side)
    block = Block([replace(problem, start=max(states))])
    columns = dict(zip(State._fields, np.array(states, dtype=np.int64).T, strict=True))
    none = np.zeros(len(states), dtype=np.int64)
    if block.nature is None:
        return np.arange(len(states))
    after = target.activate(block, none, States(ended=none, **columns))
    changed = zip(states, after.blood.tolist(), after.infection.tolist(), strict=True)
    return np.array([place[state._replace(blood=b, infection=i)] for state, b, i in changed], dtype=np.int64)


def programs_of(duel: Duel, side: int) -> list[Problem]:
    """Give everything that a side can do in an activation; standing and Down, in turn.

    Parameters
    ----------
    duel : Duel
        The duel.
    side : int
        Who attacks.

    Returns
    -------
    list of Problem
        Standing and Down, for each of ``blows_of``.
    """
    return [one for blows in blows_of(duel.fighters[side]) for one in (blows.standing, blows.down)]


def target_blocks(duel: Duel) -> tuple[tuple[Block, Codes], tuple[Block, Codes]]:
    """Give for each side all that is done to it, and how its states are numbered.

    Parameters
    ----------
    duel : Duel
        The duel.

    Returns
    -------
    tuple of (Block, Codes)
        For a as the target, and for b.
    """
    a, b = (Block(programs_of(duel, 1 - side)) for side in (0, 1))
    return (a, Codes(a, within_volley=False)), (b, Codes(b, within_volley=False))


def own_states(codes: Codes) -> States:
    """Give a fighter's states between two activations, in the order of their codes.

    Parameters
    ----------
    codes : Codes
        Of the fighter.

    Returns
    -------
    States
        A whole array for each field.
    """
    size = codes.going // codes.remembered
    shape = codes.shape._replace(ended=1, streak=1, struck=1)
    return States(*np.unravel_index(np.arange(size), shape))
