"""Who spends how many blood markers on an injury roll: each policy as a choice for every (step, state, hit).

A choice says how many markers are dice and whether there is a Bloodbath (:meth:`Block.dice`, :meth:`Block.bloodbath`);
it depends on how many markers there are, blood and infection together. Both engines read the same tables. Spending that
looks at the rest of the scenario, or at all hits of a volley, stands in :mod:`tcsim.engines.optimal`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.engines import chain
from tcsim.engines.block import FLOAT_TAILS, Block, Ints
from tcsim.engines.chain import NOTHING, States
from tcsim.scenario import problem as p

#: Choices by state, as the engines look them up.
Choices = NDArray[np.int8]

#: Choices whose chance is within this of the largest are equally good.
TIE = 1e-12

_SPEND_NOTHING = 0


def table(block: Block) -> Choices:
    """Tabulate what to spend on a hit, for every step and state; problems whose spending is planned spend nothing here.

    Parameters
    ----------
    block : Block
        The problems.

    Returns
    -------
    array of int8, shape (steps, 2, markers + 1, blessings + 1, 2)
        The choice by step, Down, markers, blessing, and plain or critical hit; blessings other than those of the start
        and none have choices of no meaning.
    """
    blessings = np.array([problem.start.blessing for problem in block.problems], dtype=np.int64)
    owner = block.problem_of_step
    shape = (owner.size, 2, block.dice_choices, int(blessings.max()) + 1)
    choices = np.zeros((*shape, 2), dtype=np.int8)
    held = np.arange(shape[3]) == blessings[owner, None]
    held[:, 0] = True  # spent on an injury roll, or in a duel on an action roll
    by_roll = ~np.isin(block.blood_policy, (p.NONE, p.OPTIMAL, p.RULES))  # the others spend nothing, or by a plan
    held &= by_roll[owner, None] & (block.step.kind == p.ATTACK)[:, None]
    where = np.nonzero(np.broadcast_to(held[:, None, None, :], shape))
    if where[0].size:
        row, down, markers, blessing = where
        states = States(NOTHING, NOTHING, blessing, down, markers)
        choices[where] = _choose(block, owner[row], row, states)
    return choices


def _choose(block: Block, problem: Ints, row: Ints, states: States) -> Ints:
    policy = block.blood_policy[problem]
    choice = np.where((policy == p.ALL) & ~keeps_dice(block, problem), states.blood, _SPEND_NOTHING)
    can_pay = states.blood >= chain.bloodbath_cost(block, problem, row, states.down)
    choice[(policy == p.BLOODBATH) & can_pay] = block.dice_choices
    both = np.stack([choice, choice], axis=-1)
    greedy = np.flatnonzero((policy == p.GREEDY) & (states.blood > 0))
    if greedy.size:
        both[greedy] = _greedy(block, problem[greedy], row[greedy], states.at(greedy))
    return both


def keeps_dice(block: Block, problem: Ints) -> Any:
    """Whether a target's markers cannot be spent as injury dice.

    Parameters
    ----------
    block : Block
        The problems.
    problem : array of int
        Which.

    Returns
    -------
    array of bool
        Whether.
    """
    return np.zeros(problem.shape, dtype=bool) if block.nature is None else block.nature.no_dice[problem] == 1


def _greedy(block: Block, problem: Ints, row: Ints, states: States) -> Ints:
    """The choice with the largest chance that this roll's chart result is out of action."""
    options = Options(block, problem, row, states)
    problem, row, states = options.spread(problem, row, states)
    blessing = chain.blessing_spent(block, problem, row, states)
    critical, choice = np.arange(2), options.choice[:, None]
    out = chain.injury_chances(block, FLOAT_TAILS, problem, row, states, critical, blessing, choice)[2]
    return options.best(out)[0]


class Options:
    """Every choice that each of some states may make, as one list.

    Parameters
    ----------
    block : Block
        The problems.
    problem, row : array of int, shape (n,)
        Which problem and step.
    states : States of array, shape (n,)
        The targets.

    Attributes
    ----------
    index : array of int, shape (m,)
        Whose choice it is, 0 to n - 1, ascending.
    choice : array of int, shape (m,)
        The choice.
    first : array of int, shape (n,)
        Where in the list each state's choices begin.
    """

    def __init__(self, block: Block, problem: Ints, row: Ints, states: States) -> None:
        self._choices = 2 * block.dice_choices
        every = np.arange(self._choices)
        dice, bloodbath = block.dice(every), block.bloodbath(every)
        cost = chain.cost(block, problem[:, None], row[:, None], states.down[:, None], every)
        leftovers = block.rulings.bloodbath_leftovers[problem] == 1
        plain = (bloodbath == 0) | (dice == 0)
        legal = (cost <= states.markers[:, None]) & (leftovers[:, None] | plain)
        legal &= (dice == 0) | ~keeps_dice(block, problem)[:, None]
        forced = chain.forced(block, row, states)
        if forced is not None:  # nothing is spent where nothing is rolled
            legal &= (every == _SPEND_NOTHING) | (forced == p.ROLLED)[:, None]
        self.index, self.choice = np.nonzero(legal)
        self.first = np.searchsorted(self.index, np.arange(problem.size))
        # fewest markers first, then no Bloodbath; the choice itself is carried along
        self._rank = (2 * cost[legal] + bloodbath[self.choice]) * self._choices + self.choice
        # where in the list a choice of a rank stands: states in order, and ranks in order within a state
        self._largest = int(self._rank.max()) + 1
        keys = self.index * self._largest + self._rank
        self._order = np.argsort(keys)
        self._order_keys = keys[self._order]

    def spread(self, problem: Ints, row: Ints, states: States) -> tuple[Ints, Ints, States]:
        """Repeat what belongs to a state for each of its choices, with an axis for the kind of hit.

        Parameters
        ----------
        problem, row : array of int, shape (n,)
            Which problem and step.
        states : States of array, shape (n,)
            The targets.

        Returns
        -------
        problem, row, states
            The same, of shape (m, 1).
        """
        index = self.index[:, None]
        return problem[index], row[index], states.at(index)

    def best(self, value: Any) -> tuple[Ints, NDArray[np.float64]]:
        """Pick the best choice of each state: largest value, then fewest markers, then no Bloodbath.

        Parameters
        ----------
        value : array, shape (m, 2)
            What each choice is worth on a plain and a critical hit.

        Returns
        -------
        array of int, array of float, each of shape (n, 2)
            The choices, and what they are worth.
        """
        top = np.maximum.reduceat(value, self.first, axis=0)
        good = value >= top[self.index] - TIE
        rank = np.where(good, self._rank[:, None], np.iinfo(np.int64).max)
        best = np.minimum.reduceat(rank, self.first, axis=0)
        place = np.searchsorted(self._order_keys, best + self._largest * np.arange(len(self.first))[:, None])
        return best % self._choices, np.take_along_axis(value, self._order[place], axis=0)
