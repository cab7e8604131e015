"""States of targets as one whole number each: what the chain is indexed by."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.engines.block import Block, Ints
from tcsim.engines.chain import LONGEST_STREAK, NOTHING, WHO_STRUCK, States
from tcsim.scenario.problem import State

#: Most states that are kept decoded.
_MOST_TABLED = 1 << 16


class Codes:
    """States as one whole number each, in no more room than the block needs.

    Parameters
    ----------
    block : Block
        Whose states they are.
    within_volley : bool
        Whether ``placed``, ``fallen`` and the passing values can differ from nothing.
    """

    def __init__(self, block: Block, within_volley: bool) -> None:
        risky = bool(block.step.risky.any()) or block.rerolls or block.gate is not None
        most = State(*(max(values) for values in zip(*(problem.start for problem in block.problems), strict=True)))
        passing = within_volley and bool(block.rulings.tough_absorbs_volley.any())
        limit = int(block.charts.marker_limit.max())
        infection = limit * block.has_infection
        games = [problem.game for problem in block.problems if problem.game is not None]
        self.shape = States(
            ended=1 + risky * (1 + within_volley),
            tough=1 + most.tough * (1 + passing),
            blessing=most.blessing + 1,
            down=2,
            blood=limit + 1,
            infection=infection + 1,
            spared=most.spared + 1,
            warded=most.warded + 1,
            firm=most.firm + 1,
            streak=1 + block.counts_hits * LONGEST_STREAK,
            struck=WHO_STRUCK if block.strikes else 1,
            placed=1 + within_volley * limit,
            infecting=1 + within_volley * infection,
            fallen=1 + within_volley,
            seen=1 + within_volley * block.sees_markers * (limit + infection),
            own_blood=1 + max((game.blood for game in games), default=0),
            own_blessing=1 + max((game.blessing for game in games), default=0),
        )
        self._count()

    @classmethod
    def of_blocks(cls, blocks: Sequence[Block]) -> Codes:
        """Give codes, between two volleys, that hold the states of every one of some blocks.

        Parameters
        ----------
        blocks : sequence of Block
            At least one.

        Returns
        -------
        Codes
            As narrow as can be.
        """
        codes = [cls(block, within_volley=False) for block in blocks]
        codes[0].shape = States(*(max(sizes) for sizes in zip(*(one.shape for one in codes), strict=True)))
        codes[0]._count()
        return codes[0]

    def _count(self) -> None:
        self.size = int(np.prod(self.shape))
        #: How many of them are states in which the activation goes on; they are the first.
        self.going: int = self.size // int(self.shape.ended)
        #: How many values there are of what is remembered only within an activation: hits in a row, who has hit.
        self.remembered: int = int(self.shape.streak) * int(self.shape.struck)

    def of(self, states: States) -> Ints:
        """Give the code of each state.

        Parameters
        ----------
        states : States
            Arrays that broadcast together.

        Returns
        -------
        array of int
            Codes from 0 to ``size - 1``.
        """
        code: Any = np.zeros(1, dtype=np.int64)
        for value, size in zip(states, self.shape, strict=True):
            if size > 1:
                code = code * size + value
        return np.asarray(code, dtype=np.int64)

    def decode(self, codes: NDArray[np.int64]) -> States:
        """Give the states of codes.

        Parameters
        ----------
        codes : array of int
            As :meth:`of` gives.

        Returns
        -------
        States
            A field an array.
        """
        if self.size > _MOST_TABLED:
            return self._decoded(codes)
        return self.states.at(codes)

    @cached_property
    def states(self) -> States:
        """Every state, in the order of the codes."""
        return self._decoded(np.arange(self.size))

    def _decoded(self, codes: NDArray[np.int64]) -> States:
        columns = np.unravel_index(codes, self.shape)
        return States(*(column if size > 1 else NOTHING for column, size in zip(columns, self.shape, strict=True)))
