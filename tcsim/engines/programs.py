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
from tcsim.engines.chain import States
from tcsim.engines.codes import Codes
from tcsim.engines.deal import stacked
from tcsim.engines.optimal import Plan, plan
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
    shares, which, deals : array of int64, int32 and int8
        What the hits of volleys get that are decided on jointly.
    sizes : array of int64, shape (FIELDS,)
        How many values each field of a state can have.
    """

    places: NDArray[np.int64]
    numbers: NDArray[np.int64]
    steps: NDArray[np.int64]
    sequence: NDArray[np.int64]
    tables: NDArray[np.int64]
    choices: NDArray[np.int8]
    shares: NDArray[np.int64]
    which: NDArray[np.int32]
    deals: NDArray[np.int8]
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
        codes: NDArray[np.int64] = np.ravel_multi_index(tuple(fields), tuple(self.sizes[k.TOUGH : k.STREAK]))
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
    infects = most.infection > 0 or any(problem.has_infection for problem in problems)
    most = most._replace(infection=int(infects))  # that there can be any is what counts
    every = Block([replace(problem, start=most) for problem in problems])
    try:
        check_holds(every)
    except ValueError as error:
        raise InputError(str(error), "attacks") from None
    codes = Codes(every, within_volley=False)
    table = _Table()
    for problem in problems:
        table.add(problem, most, codes)
    return Programs(
        np.array(table.places, dtype=np.int64),
        np.array(table.numbers, dtype=np.int64),
        np.array(table.steps, dtype=np.int64),
        np.array(table.sequence, dtype=np.int64),
        np.array(table.tables, dtype=np.int64),
        np.array(table.choices, dtype=np.int8),
        np.array(table.shares, dtype=np.int64),
        np.concatenate([np.zeros(0, dtype=np.int32), *table.which]),
        stacked(table.deals),
        np.array(codes.shape, dtype=np.int64),
    )


class _Table:
    """Programs, while they are put below one another."""

    def __init__(self) -> None:
        self.places: list[tuple[int, int]] = []
        self.numbers: list[list[int]] = []
        self.steps: list[list[int]] = []
        self.sequence: list[int] = []
        self.tables: list[int] = []
        self.choices: list[NDArray[np.int8]] = []
        self.shares: list[list[int]] = []
        self.which: list[NDArray[np.int32]] = []
        self.deals: list[NDArray[np.int8]] = []
        self._at = self._rows = 0

    def add(self, problem: Problem, most: State, codes: Codes) -> None:
        """Add a problem: its steps, and what is spent in every state."""
        plans: list[Plan] = []
        told: Any = None
        for blessing in range(most.blessing + 1):  # as many as the target still has
            block = Block([replace(problem, start=most._replace(blessing=blessing))])
            here = np.broadcast_to(codes.states.blessing == blessing, (codes.size,))
            if problem.is_planned:
                plans.append(plan(block, codes))
                choices, table = plans[-1].choices[0], np.arange(block.sequence.shape[1])
            else:
                states: States = codes.states.at(np.flatnonzero(here))
                found = policies.table(block)[:, states.down, states.markers, states.blessing]
                choices, table = np.zeros((len(found), codes.size, 2), dtype=np.int8), block.sequence[0]
                choices[:, here] = found
            told = in_bits(block, choices) if told is None else np.where(here[:, None], in_bits(block, choices), told)
        self.places.append((len(self.sequence), block.sequence.shape[1]))
        self.numbers.append(problem_numbers(problem))
        self.tables += [len(self.choices) + number for number in table.tolist()]
        self.choices += list(told)
        self.sequence += (block.sequence[0] + len(self.steps)).tolist()
        self.steps += [step_numbers(step) for step in problem.steps]
        for move in range(block.sequence.shape[1]):
            self._share(block, codes, [one.deals.get((0, move)) for one in plans])

    def _share(self, block: Block, codes: Codes, dealt: list[Any]) -> None:
        """Add what the hits of a move get that are decided on jointly, by how many blessings the target still has."""
        if not any(dealt):
            self.shares.append([-1, 0, 0, codes.going])
            return
        shape = tuple(max(sizes) for sizes in zip(*(one.which.shape for one in dealt), strict=True))
        which = np.zeros(shape, dtype=np.int32)
        blessings = np.broadcast_to(codes.states.blessing, (codes.size,))[: codes.going]
        for blessing, one in enumerate(dealt):
            here = blessings == blessing
            which[here] = np.broadcast_to(one.which, shape)[here] + self._rows
            self.deals.append(in_bits(block, one.deals))
            self._rows += len(one.deals)
        self.shares.append([self._at, *shape[1:3], codes.going])
        self.which.append(which.ravel())
        self._at += which.size
