"""What a goal makes of the ways a scenario can end: what each is worth."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.engines.chain import States
from tcsim.scenario import problem as p
from tcsim.scenario.problem import GOAL_OUT, Condition, Goal, Problem, State, Step

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


def as_solved(problem: Problem) -> Problem:
    """Give a problem whose final states tell what the goal is worth.

    Parameters
    ----------
    problem : Problem
        With its goal.

    Returns
    -------
    Problem
        The same; for out-by-attack, what is left of it after that attack is cut off, and the goal is out of action.
    """
    goal = problem.goal
    if goal.name != "out-by-attack":
        return problem
    steps: list[Step] = []
    attacks, cut = 0, 0
    for step in problem.steps:
        if step.kind != p.ATTACK:
            steps += [step] if attacks < goal.attack else []
            continue
        kept = min(step.volleys, goal.attack - attacks)
        attacks, cut = attacks + kept, cut + step.volleys - kept
        steps += [step._replace(volleys=kept)] if kept else []
    rules = tuple(
        rule._replace(conditions=tuple(_nearer(condition, cut) for condition in rule.conditions))
        for rule in problem.rules
    )
    return replace(problem, steps=tuple(steps), rules=rules, goal=GOAL_OUT)


def _nearer(condition: Condition, cut: int) -> Condition:
    """A condition on the attacks that are left, where so many of these are no more."""
    if condition.name != "attacks_left":
        return condition
    return condition._replace(least=condition.least - cut, most=condition.most - cut)


def value_of(problem: Problem, final: list[tuple[State | None, Any]]) -> float:
    """What an answer is worth.

    Parameters
    ----------
    problem : Problem
        As :func:`as_solved` gives it.
    final : list of (State or None, probability)
        Every way it ends.

    Returns
    -------
    float
        The mean of what its ends are worth.
    """
    worths = worths_of(problem, [state for state, _ in final])
    return float(worths @ np.array([float(chance) for _, chance in final]))


def worths_of(problem: Problem, ends: Sequence[State | None]) -> Values:
    """What each way to end is worth.

    Parameters
    ----------
    problem : Problem
        As :func:`as_solved` gives it.
    ends : sequence of State or None
        None is out of action.

    Returns
    -------
    array of float
        In the same order.
    """
    worths = np.full(len(ends), worth_out(problem)[0])
    alive = [index for index, state in enumerate(ends) if state is not None]
    if alive:
        columns = np.array([ends[index] for index in alive], dtype=np.int64).T
        states = States(ended=np.zeros(1, dtype=np.int64), **dict(zip(State._fields, columns, strict=True)))
        worths[alive] = worth_alive(problem, states)
    return worths


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
