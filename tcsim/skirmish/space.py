"""A model under fire: the conditions it can come to, and the chances with which attacks move it between them.

Every chance is that of an ordinary scenario, asked of the exact engine once for each state that the model can be in.
States that no later roll and no answer tells apart are one condition: where nobody spends blood markers, say, there are
standing, Down and out of action, however many markers there are. So far more models can be answered exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.engines.exact import solve
from tcsim.scenario.problem import Problem, State

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: Chances that differ by less are one and the same, written with different roundings.
_SAME_DECIMALS = 12


@dataclass(frozen=True)
class Space:
    """The conditions of a model; the last one is out of action.

    Parameters
    ----------
    states : tuple of State
        Every state that it can be in, out of action left out.
    condition : array of int, shape (states,)
        The condition of each.
    start : int
        Its condition at the start.
    down : array of bool, shape (conditions,)
        Whether it is Down, and not out of action.
    moves : array, shape (problems, conditions, conditions)
        The chance that an activation, problem by problem, moves it from one condition to another.
    """

    states: tuple[State, ...]
    condition: Ints
    start: int
    down: NDArray[np.bool_]
    moves: Floats

    @property
    def size(self) -> int:
        """How many conditions there are."""
        return int(self.down.size)

    @property
    def out(self) -> int:
        """The condition of being out of action."""
        return self.size - 1

    def of(self, state: State) -> int:
        """Give the condition of a state.

        Parameters
        ----------
        state : State
            One of ``states``.

        Returns
        -------
        int
            Its condition.
        """
        return int(self.condition[self.states.index(state)])

    def first(self, condition: int) -> State:
        """Give the first state of a condition that is not out of action.

        Parameters
        ----------
        condition : int
            The condition.

        Returns
        -------
        State
            The state that speaks for it.
        """
        return self.states[int(np.argmax(self.condition == condition))]

    def mapped(self, change: Callable[[State], State]) -> Ints:
        """Give where a change of states leads, by condition.

        Parameters
        ----------
        change : callable
            From a state to a state.

        Returns
        -------
        array of int, shape (conditions,)
            The condition after it.
        """
        return np.array([*(self.of(change(self.first(c))) for c in range(self.out)), self.out])


def explore(
    start: State,
    problems: Sequence[Problem],
    changes: Iterable[Callable[[State], State]] = (),
    label: Callable[[State], Hashable] = lambda state: None,
) -> Space:
    """Find the conditions of a model.

    Parameters
    ----------
    start : State
        The model at the start.
    problems : sequence of Problem
        The activations it can be attacked by; where they start counts for nothing.
    changes : iterable of callable, optional
        What else can happen to it, as standing up: from a state to a state.
    label : callable, optional
        What else tells states apart.

    Returns
    -------
    Space
        Its conditions, and the moves of each problem.

    Examples
    --------
    >>> from tcsim.scenario.read import from_mapping
    >>> from tcsim.scenario.resolve import resolve
    >>> problem = resolve(from_mapping({"target": {}, "attacks": [{}]})).problem
    >>> space = explore(problem.start, [problem])
    >>> space.size, round(float(space.moves[0, space.start, space.out]), 4)
    (3, 0.1689)
    """
    changes, every = list(changes), problems
    problems = list(dict.fromkeys(every))
    index: dict[State, int] = {start: 0}
    ways: list[list[dict[Any, float]]] = []  # by state, then problem
    while len(ways) < len(index):
        fresh = list(index)[len(ways) :]
        finals = solve([replace(problem, start=state) for state in fresh for problem in problems])
        for number, state in enumerate(fresh):
            mine = [dict(final) for final in finals[number * len(problems) : (number + 1) * len(problems)]]
            ways.append(mine)
            for found in [
                *(s for final in mine for s in final if s is not None),
                *(change(state) for change in changes),
            ]:
                index.setdefault(found, len(index))
    states, size = list(index), len(index) + 1
    moves = np.zeros((len(problems), size, size))
    moves[:, -1, -1] = 1
    for i, mine in enumerate(ways):
        for number, final in enumerate(mine):
            for end, chance in final.items():
                moves[number, i, -1 if end is None else index[end]] += chance
    maps = [[*(index[change(state)] for state in states), size - 1] for change in changes]
    marks: list[Hashable] = [*((state.down, label(state)) for state in states), "out"]
    condition = _lumped(moves, maps, marks)
    first = np.array([int(np.argmax(condition == c)) for c in range(condition.max() + 1)])
    together = np.zeros((size, first.size))
    together[np.arange(size), condition] = 1
    return Space(
        states=tuple(states),
        condition=condition[:-1],
        start=int(condition[0]),
        down=np.array([i < size - 1 and bool(states[i].down) for i in first]),
        moves=(moves[:, first] @ together)[[problems.index(problem) for problem in every]],
    )


def _lumped(moves: Floats, maps: list[list[int]], marks: list[Hashable]) -> Ints:
    """Number the conditions: the coarsest partition that the marks, all moves and all changes respect; out is last."""
    numbers: dict[Hashable, int] = {}
    condition = np.array([numbers.setdefault(mark, len(numbers)) for mark in marks])
    while True:
        count = int(condition.max()) + 1
        together = np.zeros((condition.size, count))
        together[np.arange(condition.size), condition] = 1
        chances = np.round(moves @ together, _SAME_DECIMALS).transpose(1, 0, 2).reshape(condition.size, -1)
        told = np.column_stack([condition, *(condition[target] for target in maps), chances + 0.0])
        _, fresh = np.unique(told, axis=0, return_inverse=True)
        fresh = fresh.reshape(-1)
        if int(fresh.max()) + 1 == count:
            break
        condition = fresh
    order: dict[int, int] = {}
    for c in condition.tolist():  # in the order of the states; out is the last of them
        order.setdefault(c, len(order))
    return np.array([order[c] for c in condition.tolist()])
