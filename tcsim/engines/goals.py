"""What a goal makes of the ways a scenario can end: what each is worth."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.engines.chain import States
from tcsim.scenario import problem as p
from tcsim.scenario.problem import Goal, Problem, State

Values = NDArray[np.float64]


def worth_alive(problem: Problem, states: States) -> Values:
    """What final states are worth.

    Parameters
    ----------
    problem : Problem
        With its goal.
    states : States of array
        Targets that are not out of action.

    Returns
    -------
    array of float
        Of the shape of the states.
    """
    goal = problem.goal
    shape = np.broadcast_shapes(*(np.shape(field) for field in states))
    if goal.name == "down":
        return np.broadcast_to(states.down, shape).astype(float)
    if goal.name == "expected-blood":
        return np.broadcast_to(states.blood, shape).astype(float)
    value = np.zeros(shape)
    for row in reversed(goal.worths):  # so that the first row that matches has the last word
        if row.out == 1:
            continue
        here = np.ones(shape, dtype=bool)
        for condition in row.conditions:
            field = getattr(states, condition.name)
            here &= (field >= condition.least) & (field <= condition.most)
        value[here] = row.value
    return value


def worth_out(problem: Problem) -> Values:
    """What it is worth that the target goes out of action, by the move in which it does.

    Parameters
    ----------
    problem : Problem
        With its goal.

    Returns
    -------
    array of float, shape (moves,)
        A target that is out of action counts as Down, and as bearing as many blood markers as there can be.
    """
    goal = problem.goal
    value = 1.0
    if goal.name == "expected-blood":
        value = float(problem.charts.marker_limit)
    elif goal.name == "own":
        value = next((row.value for row in goal.worths if row.out != 0), 0.0)
    worth = np.full(problem.moves, value)
    if goal.name == "out-by-attack":
        kinds = np.array([step.kind for step in problem.steps for _ in range(step.volleys)])
        worth[np.cumsum(kinds == p.ATTACK) > goal.attack] = 0.0
    return worth


def value_of(problem: Problem, final: list[tuple[State | None, Any]], outs: list[float]) -> float:
    """What an answer is worth.

    Parameters
    ----------
    problem : Problem
        With its goal.
    final : list of (State or None, probability)
        Every way it ends.
    outs : list of float
        P(out of action) after each move.

    Returns
    -------
    float
        The mean of what its ends are worth.
    """
    alive = [(state, float(chance)) for state, chance in final if state is not None]
    by_move = np.diff(np.array(outs), prepend=0.0)
    value = float(by_move @ worth_out(problem))
    if alive:
        fields = dict(zip(State._fields, np.array([state for state, _ in alive]).T, strict=True))
        states = States(ended=np.zeros(1, dtype=np.int64), **fields)
        value += float(worth_alive(problem, states) @ np.array([chance for _, chance in alive]))
    return value


def is_chance(goal: Goal) -> bool:
    """Whether a goal's value is a probability.

    Parameters
    ----------
    goal : Goal
        The goal.

    Returns
    -------
    bool
        True for out of action and Down.
    """
    return goal.name in ("out", "down", "out-by-attack")
