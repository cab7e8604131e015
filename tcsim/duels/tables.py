"""Optimal play of a duel as tables, for the kernel that rolls it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.base.errors import InputError
from tcsim.duels.exact import CONTACT, Phase
from tcsim.duels.optimal import Activation, Match, Strike
from tcsim.duels.rows import Tables
from tcsim.duels.side import Side
from tcsim.engines.special_rows import in_bits
from tcsim.kernels import duel as k
from tcsim.kernels import special

#: Most bytes of tables.
MOST_BYTES = 1 << 30


def optimal_tables(match: Match) -> Tables:
    """Write down what both players do.

    Parameters
    ----------
    match : Match
        The duel with every decision planned.

    Returns
    -------
    Tables
        By round and phase.

    Raises
    ------
    InputError
        When there are too many decisions to write down.
    """
    return _Writer(match).tables()


class _Shelf:
    """Tables of one kind, alike ones once; the first one says no and spends nothing."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        self.shape = shape
        self._tables = [np.zeros(shape, dtype=np.int8)]
        self._places = {self._tables[0].tobytes(): 0}

    def put(self, table: NDArray[np.int8]) -> int:
        """Put a table there, and give its place."""
        place = self._places.setdefault(table.tobytes(), len(self._tables))
        if place == len(self._tables):
            self._tables.append(table)
            if len(self._tables) * table.nbytes > MOST_BYTES:
                message = "there are too many decisions to roll optimal play; it is answered exactly"
                raise InputError(message, "spend.mode")
        return place

    def whole(self) -> NDArray[np.int8]:
        return np.array(self._tables)


class _Writer:
    """The tables while they are written; states are numbered as the kernel does."""

    def __init__(self, match: Match) -> None:
        self.match, duel = match, match.duel
        own, other = max(side.own for side in match.sides), max(side.other for side in match.sides)
        self.spent, self.choices = _Shelf((own, other, 2)), _Shelf((own, other, special.ON_ACTION))
        self.yes = _Shelf((own, other))
        places = len(duel.approach.distances) if duel.approach is not None else 0
        self.phases = 4 * (places + 1) if places else 1
        self.first = (0, match.sides[0].steps)
        steps, shape = sum(side.steps for side in match.sides), (duel.rounds, self.phases)
        self.spent_of = np.zeros((*shape, steps + 2), dtype=np.int64)
        self.choice_of = np.zeros((*shape, steps), dtype=np.int64)
        self.tries_of, self.charges_of = (np.zeros((*shape, *more), dtype=np.int64) for more in ((2,), (2, 2)))

    def tables(self) -> Tables:
        for number, phases in enumerate(self.match.activations):
            side = self.match.sides[self.match.duel.order[number % 2]]
            for phase, planned in phases.items():
                self._write(number // 2, side, phase, planned)
        shelves = self.spent.whole(), self.choices.whole(), self.yes.whole()
        return Tables(shelves[0], self.spent_of, shelves[1], self.choice_of, shelves[2], self.tries_of, self.charges_of)

    def _phase(self, phase: Phase) -> int:
        place, a, b = phase
        return 0 if place == CONTACT else 4 * (place + 1) + 2 * a + b

    def _write(self, round: int, side: Side, phase: Phase, planned: Activation) -> None:
        here = self._phase(phase)
        self._strike(round, side, phase, planned.stays)
        for stood, move in planned.moves.items():
            self._strike(round, side, move.ground.closes, move.close)
            self._strike(round, side, (CONTACT, False, False), move.charge if move.charge is not move.close else None)
            self.charges_of[round, here, side.side, int(stood)] = self.yes.put(self._between(side, move.charges))
        if not planned.spends.size:
            return
        self.tries_of[round, here, side.side] = self.yes.put(self._between(side, planned.tries))
        blood, blessing = (
            np.asarray(markers)[planned.spends].T for markers in self.match.standing_rolls[side.side][1:]
        )
        table = np.zeros(self.spent.shape, dtype=np.int8)
        for column, markers in ((k.DRAINED, blood), (k.BLESSED, blessing)):
            table[..., column] = self._between(side, markers)
        self.spent_of[round, here, sum(each.steps for each in self.match.sides) + side.side] = self.spent.put(table)

    def _between(self, side: Side, values: Any) -> NDArray[np.int8]:
        """Values by the other's state and its own, as a table."""
        table = np.zeros(self.yes.shape, dtype=np.int8)
        table[: side.own, side.begin] = values.T
        return table

    def _strike(self, round: int, side: Side, then: Phase, strike: Strike | None) -> None:
        if strike is None or not strike.attacks:
            return
        here = self._phase(then)
        for down in (0, 1):
            mine = np.flatnonzero(side.down == down)
            rows = side.rows[strike.what, down]
            for row, attack, solved in zip(rows, side.attacks(strike.what, down), strike.solved[down], strict=True):
                spent, where = attack.spent(solved), np.ix_(mine, attack.states)
                on_action = np.zeros(self.spent.shape, dtype=np.int8)
                on_injury = np.zeros(self.choices.shape, dtype=np.int8)
                if attack.states.size:
                    on_action[where] = np.stack([spent.blood, spent.blessing], axis=-1).swapaxes(0, 1)
                    bits = in_bits(side.block, spent.choice.astype(np.int8))
                    on_injury[where] = np.concatenate([bits, spent.guard], axis=1).transpose(2, 0, 1)
                step = self.first[side.side] + row
                self.spent_of[round, here, step] = self.spent.put(on_action)
                self.choice_of[round, here, step] = self.choices.put(on_injury)
