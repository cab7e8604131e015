"""Many problems as one table of programs, for kernels that play activation after activation (many against many).

A special problem is given to its kernel with the choices of its own states; here all problems share one numbering of
states, so that a model can be attacked by one after another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.base.errors import InputError
from tcsim.engines import policies
from tcsim.engines.block import Block
from tcsim.engines.chain import LONGEST_STREAK, Codes, States
from tcsim.engines.optimal import plan
from tcsim.engines.special_rows import check_holds, in_bits, problem_numbers, state_fields, step_numbers
from tcsim.kernels import special as k
from tcsim.scenario.problem import Problem, State


@dataclass(frozen=True)
class Programs:
    """Problems as the kernel of :mod:`tcsim.kernels.skirmish` reads them.

    Parameters
    ----------
    places : array of int64, shape (problems, 2)
        Where a problem's moves begin, and how many they are.
    numbers : array of int64, shape (problems, PROBLEM_NUMBERS)
        Charts, rulings and nature.
    steps, sequence, tables : array of int64
        All steps below one another; the step and the table of choices of each move.
    choices : array of int8, shape (tables, states, 2)
        What is spent on a plain and a critical hit.
    sizes : array of int64, shape (FIELDS,)
        How many values each field of a state can have.
    """

    places: NDArray[np.int64]
    numbers: NDArray[np.int64]
    steps: NDArray[np.int64]
    sequence: NDArray[np.int64]
    tables: NDArray[np.int64]
    choices: NDArray[np.int8]
    sizes: NDArray[np.int64]

    def codes(self, states: Sequence[State]) -> NDArray[np.int64]:
        """Number states as the kernel does, between two activations.

        Parameters
        ----------
        states : sequence of State
            Of targets.

        Returns
        -------
        array of int64
            From 0 on.
        """
        fields = np.array([state_fields(state) for state in states]).T
        sizes = self.sizes[k.TOUGH : k.TOUGH + len(fields)]
        codes: NDArray[np.int64] = np.ravel_multi_index(tuple(fields), tuple(sizes))
        return codes

    @property
    def most_moves(self) -> int:
        """Most moves of a problem."""
        return int(self.places[:, 1].max())


def programs(problems: Sequence[Problem], most: State) -> Programs:
    """Tabulate problems.

    Parameters
    ----------
    problems : sequence of Problem
        Of attacks only.
    most : State
        The most that any target can have of each field.

    Returns
    -------
    Programs
        The table.

    Raises
    ------
    InputError
        For numbers that the kernels do not hold.
    """
    states = _every(problems, most)
    places: list[tuple[int, int]] = []
    choices: list[NDArray[np.int8]] = []
    numbers: list[list[int]] = []
    steps: list[list[int]] = []
    sequence: list[int] = []
    tables: list[int] = []
    for problem in problems:
        block = Block([replace(problem, start=most)])
        try:
            check_holds(block)
        except ValueError as error:
            raise InputError(str(error), "attacks") from None
        told, table = _choices(problem, most, states)
        places.append((len(sequence), block.sequence.shape[1]))
        numbers.append(problem_numbers(problem))
        tables += [len(choices) + number for number in table.tolist()]
        choices += list(told)
        sequence += (block.sequence[0] + len(steps)).tolist()
        steps += [step_numbers(step) for step in problem.steps]
    sizes = np.ones(k.FIELDS, dtype=np.int64)
    sizes[: len(states.shape)] = states.shape
    return Programs(
        np.array(places, dtype=np.int64),
        np.array(numbers, dtype=np.int64),
        np.array(steps, dtype=np.int64),
        np.array(sequence, dtype=np.int64),
        np.array(tables, dtype=np.int64),
        np.array(choices, dtype=np.int8),
        sizes,
    )


@dataclass(frozen=True)
class _States:
    """Every state that any problem can come to, those with hits in a row too."""

    shape: tuple[int, ...]
    all: States


def _every(problems: Sequence[Problem], most: State) -> _States:
    streaks = any(s.special.after_hits or s.special.out_after_hits for problem in problems for s in problem.steps)
    limit = max(problem.charts.marker_limit for problem in problems)
    infects = most.infection > 0 or any(problem.has_infection for problem in problems)
    shape = (
        *(1, most.tough + 1, most.blessing + 1, 2, limit + 1, limit * infects + 1),
        *(most.spared + 1, most.warded + 1, most.firm + 1, 1 + streaks * LONGEST_STREAK),
    )
    columns: list[Any] = list(np.unravel_index(np.arange(int(np.prod(shape))), shape))
    return _States(shape, States(*columns))


def _choices(problem: Problem, most: State, states: _States) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """What is spent, by table and state, and the table of each move; blessings are as many as a target still has."""
    every = states.all
    found: Any = None
    for blessing in range(most.blessing + 1):
        block = Block([replace(problem, start=most._replace(blessing=blessing, infection=min(states.shape[5] - 1, 1)))])
        here = np.flatnonzero(every.blessing == blessing)
        mine = every.at(here)
        if problem.is_planned:
            codes = Codes(block, within_volley=False)
            known = States(*(np.minimum(field, size - 1) for field, size in zip(mine, codes.shape, strict=False)))
            told = plan(block, codes).choices[0][:, codes.of(known)]
            table = np.arange(block.sequence.shape[1])
        else:
            told = policies.table(block)[:, mine.down, mine.markers, mine.blessing]
            table = block.sequence[0]
        if found is None:
            found = np.zeros((len(told), every.down.size, 2), dtype=np.int8)
        found[:, here] = in_bits(block, told)
    return found, table
