"""A block of Problems as arrays: the rows of all steps below one another, and which one each problem is at.

Pools become rows of a table of P(total >= t), filled when first needed, so that a whole block looks its chances up at
once. The number type of that table is the number type of the chain: float64, or Fraction.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from copy import copy
from fractions import Fraction
from operator import truediv
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.dice import Pool, tail
from tcsim.rules import Charts, Rulings
from tcsim.scenario.problem import GATE, Gate, Nature, Problem, Special, Step

Ints = NDArray[np.int64]

#: Targets in the tail tables: every total of 5 kept dice and a flat one, 0 and one beyond.
_TARGETS = 38
_NET_OFFSET = 256  # more than any pool has, or one pool would be taken for another


class Tails:
    """P(total >= t) of six-sided pools, as one table for all pools met so far.

    Parameters
    ----------
    number : callable
        Makes a probability of a count and a denominator: ``truediv`` or ``Fraction``.
    """

    def __init__(self, number: Callable[[int, int], Any]) -> None:
        self._number = number
        self.dtype: Any = np.float64 if number is truediv else object
        self._row_of = np.full(2 * 8 * 2 * _NET_OFFSET, -1, dtype=np.int64)
        self._table = np.zeros((0, _TARGETS), dtype=self.dtype)

    def rows(self, keep: Ints, net: Ints, added: Ints | int = 0) -> Ints:
        """Give the table row of each pool, adding those that are new.

        Parameters
        ----------
        keep, net, added : array of int
            Dice kept, net dice, flat dice added; broadcast together.

        Returns
        -------
        array of int
            Rows for :meth:`at_least`.
        """
        codes = (np.asarray(added) * 8 + keep) * (2 * _NET_OFFSET) + net + _NET_OFFSET
        rows: Ints = self._row_of[codes]
        if (rows < 0).any():
            self._add(sorted(set(codes[rows < 0].tolist())))
            rows = self._row_of[codes]
        return rows

    def _add(self, codes: list[int]) -> None:
        new = []
        for code in codes:
            pool_kind, net = divmod(code, 2 * _NET_OFFSET)
            added, keep = divmod(pool_kind, 8)
            new.append(tail(Pool(net - _NET_OFFSET, keep, added=added), _TARGETS, self._number))
            self._row_of[code] = len(self._table) + len(new) - 1
        self._table = np.concatenate([self._table, np.array(new, dtype=self.dtype)])

    def at_least(self, rows: Ints, target: Ints) -> NDArray[Any]:
        """P(total >= target) for each pool.

        Parameters
        ----------
        rows : array of int
            From :meth:`rows`.
        target : array of int
            Totals to reach, modifiers already taken off; any value.

        Returns
        -------
        array
            Probabilities in [0, 1], of the table's number type.
        """
        return self._table[rows, np.clip(target, 0, _TARGETS - 1)]

    def without_ones(self, keep: int, net: Ints, target: Ints) -> NDArray[Any]:
        """P(total >= target, and no die of the pool is a 1) for each pool.

        Parameters
        ----------
        keep : int
            Dice kept.
        net, target : array of int, shape (n,)
            Net dice, and totals to reach.

        Returns
        -------
        array
            Probabilities in [0, 1], of the table's number type.
        """
        asked = list(zip(net.tolist(), target.tolist(), strict=True))
        chances = {}
        for dice, total in set(asked):  # of thousands of states few differ in these
            higher = Pool(dice, keep, sides=5).at_least(total - keep)  # dice from 2 to 6 are a pool of D5, 1 each more
            chance = higher * Fraction(5, 6) ** (keep + abs(dice))
            chances[dice, total] = self._number(chance.numerator, chance.denominator)
        return np.array([chances[one] for one in asked], dtype=self.dtype)


FLOAT_TAILS = Tails(truediv)
FRACTION_TAILS = Tails(Fraction)


class Block:
    """Some Problems as arrays.

    Parameters
    ----------
    problems : sequence of Problem
        At least one.

    Attributes
    ----------
    step : Step of array
        Every column of all steps of all problems, below one another.
    charts, rulings : Charts and Rulings of array
        A column per number, a row per problem.
    problem_of_step : array (steps,)
        Whose step it is.
    special, nature : Special and Nature of array, or None
        The same of what few attacks do and few targets are; None where all is plain.
    gate : Gate of array, or None
        The same of gates; None where there are none.
    sequence : array (problems, moves)
        The step of each move (a volley or an event) of each problem, -1 behind its last.
    """

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = problems
        self.size = len(problems)
        steps = [step for problem in problems for step in problem.steps]
        columns: Any = Step(*np.array([step[:-2] for step in steps], dtype=np.int64).T)
        self.step = columns
        self.special: Any = None
        self.nature: Any = None
        if any(problem.is_special for problem in problems):
            self.special = Special(*np.array([step.special for step in steps], dtype=np.int64).T)
            self.nature = Nature(*np.array([problem.nature for problem in problems], dtype=np.int64).T)
        self.gate: Any = None
        if any(step.kind == GATE for step in steps):
            self.gate = Gate(*np.array([step.gate for step in steps], dtype=np.int64).T)
        self.charts: Any = Charts(*np.array([problem.charts for problem in problems], dtype=np.int64).T)
        self.rulings: Any = Rulings(*np.array([problem.rulings for problem in problems], dtype=np.int64).T)
        self.minor_for_down = np.array([problem.minor_for_down for problem in problems], dtype=np.int64)
        self.blood_policy = np.array([problem.policy.blood for problem in problems], dtype=np.int64)
        self.blessing_policy = np.array([problem.policy.blessing for problem in problems], dtype=np.int64)
        self.moves = np.array([problem.moves for problem in problems], dtype=np.int64)
        self.problem_of_step = np.repeat(np.arange(self.size), [len(problem.steps) for problem in problems])
        self.sequence = np.full((self.size, int(self.moves.max())), -1, dtype=np.int64)
        first = 0
        for index, problem in enumerate(problems):
            count = len(problem.steps)
            rows = np.arange(first, first + count)
            self.sequence[index, : self.moves[index]] = np.repeat(rows, self.step.volleys[rows])
            first += count
        self.has_infection = any(problem.has_infection for problem in problems)
        self.counts_hits = self._has("after_hits") or self._has("out_after_hits")
        self.rerolls = self._has("rerolls")
        self.strikes = self._has("strikes") or self._has("if_struck")
        self.reacts, self.has_phases = self._has("reaction_takes"), self._has("if_spared")
        self.sees_markers = self._has("critical_lower_per_marker")
        #: How many numbers of markers can be bought as dice, with and without a Bloodbath besides.
        self.dice_choices = 1 + max(problem.charts.marker_limit for problem in problems) * (1 + self.has_infection)
        # columns by case, so that a case is an index: [step, down], [step, down, critical]
        s = columns
        self.action_dice = np.stack([s.action_dice, s.action_dice_down], axis=1)
        self.injury_dice = _by_case(
            s.injury_dice, s.injury_dice_critical, s.injury_dice_down, s.injury_dice_down_critical
        )
        self.injury_modifier = _by_case(
            s.injury_modifier, s.injury_modifier_critical, s.injury_modifier_down, s.injury_modifier_down_critical
        )
        self.bloodbath_cost = np.stack([self.charts.bloodbath_cost, self.charts.bloodbath_cost_down], axis=1)

    def _has(self, name: str) -> bool:
        """Whether any attack has a number of what few attacks do."""
        return self.special is not None and bool(getattr(self.special, name).any())

    def repeated(self, times: int | Ints) -> Block:
        """Give the same block with every problem so many times in a row; the steps are not repeated.

        Parameters
        ----------
        times : int or array of int, shape (problems,)
            How many times: all of them, or each.

        Returns
        -------
        Block
            For chains that begin in several states at once: each copy is a problem of its own.
        """
        many = copy(self)
        for name in ("charts", "rulings", "nature"):
            columns = getattr(self, name)
            if columns is not None:
                setattr(many, name, type(columns)(*(np.repeat(column, times) for column in columns)))
        for name in ("minor_for_down", "blood_policy", "blessing_policy", "moves", "sequence", "bloodbath_cost"):
            setattr(many, name, np.repeat(getattr(self, name), times, axis=0))
        each = np.broadcast_to(times, (self.size,))
        many.problems = [
            problem for problem, count in zip(self.problems, each.tolist(), strict=True) for _ in range(count)
        ]
        many.size, many.problem_of_step = len(many.problems), (np.cumsum(each) - each)[self.problem_of_step]
        return many

    def dice(self, choice: Any) -> Any:
        """Markers that a choice spends as injury dice.

        Parameters
        ----------
        choice : array of int
            From 0 to ``2 * dice_choices - 1``.

        Returns
        -------
        array of int
            Markers.
        """
        return choice % self.dice_choices

    def bloodbath(self, choice: Any) -> Any:
        """Whether a choice takes a Bloodbath.

        Parameters
        ----------
        choice : array of int
            As for :meth:`dice`.

        Returns
        -------
        array of int
            0 or 1.
        """
        return choice // self.dice_choices


def _by_case(standing: Any, standing_critical: Any, down: Any, down_critical: Any) -> Ints:
    columns = np.stack([standing, standing_critical, down, down_critical], axis=1)
    return columns.reshape(-1, 2, 2)
