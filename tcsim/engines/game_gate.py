"""A roll that is no attack as a game of two players: a risky action, or the die of a charge.

Before an action roll the target's player spends the attacker's blood and the attacker's player its blessings, as before
that of an attack (:mod:`tcsim.engines.game`); on the die of a charge, which is no action roll, nothing is spent.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tcsim.engines import chain
from tcsim.engines.block import FLOAT_TAILS, Block
from tcsim.engines.codes import Codes
from tcsim.engines.game import Purse, Solved, Spent, Values, on_action
from tcsim.scenario import problem as p


class GateRoll:
    """A gate, before any of the target's states.

    Parameters
    ----------
    block, row, codes, purse, game
        As for :class:`tcsim.engines.game.Attack`.

    Attributes
    ----------
    states : array of int, shape (s,)
        The target's states in which it is rolled: the activation has not ended.
    kinds : int
        0: nothing is hit.
    action : Declarations
        The pairs of choices in each of the attacker's own states.
    blood, blessing : array of int
        What each pair spends of the attacker's markers.
    """

    kinds = 0

    def __init__(self, block: Block, row: int, codes: Codes, purse: Purse, game: p.Game) -> None:
        run = codes.shape.own_blood * codes.shape.own_blessing
        self.states = np.arange(codes.going // run)
        self._failed = self.states + codes.going // run  # the same, but for the activation
        rolls = bool(block.gate.keep[row] == p.ACTION_KEEP)
        keeps = bool(game.keeps_blood) and bool(game.keeps_blood[row])
        self.action, self.blood, self.blessing = on_action(purse, bool(game.attacker_first), rolls and not keeps, rolls)
        self._own_after = purse.after[self.action.situation, self.blood, self.blessing]
        rows = np.full_like(self.blood, row)
        self._passes = chain.gate_chance(block, FLOAT_TAILS, rows, self.blessing - self.blood)

    def before(self, later: Values, out: float = 1.0) -> Solved:
        """Work out the values before the roll, and what both choose.

        Parameters
        ----------
        later, out
            As for :meth:`tcsim.engines.game.Attack.before`.

        Returns
        -------
        Solved
            Values and choices; of hits there are none.
        """
        passes = self._passes[:, None]
        roll = passes * later[self.states].T[self._own_after] + (1 - passes) * later[self._failed].T[self._own_after]
        answers, actions = self.action.solve(roll)
        value = later.copy()
        value[self.states] = np.take_along_axis(roll, actions, axis=0).T
        none = np.zeros((self.states.size, 0, later.shape[1]), dtype=np.int64)
        return Solved(value, actions.T, none, answers, none)

    def spent(self, solved: Solved) -> Spent:
        """Give what is spent where both choose as solved.

        Parameters
        ----------
        solved : Solved
            From :meth:`before`.

        Returns
        -------
        Spent
            In each of ``states``.
        """
        actions, none = solved.actions, solved.injuries
        return Spent(self.blood[actions], self.blessing[actions], none, none)

    def after(self, chances: Any, solved: Solved) -> tuple[Any, Any]:
        """Play the roll as solved.

        Parameters
        ----------
        chances, solved
            As for :meth:`tcsim.engines.game.Attack.after`.

        Returns
        -------
        array, number
            The chances after it, and that of out of action, which is 0.
        """
        after = chances.copy()
        after[self.states] = 0
        state, own = np.nonzero(chances[self.states])
        mass, action = chances[state, own], solved.actions[state, own]
        left, passes = self._own_after[action], self._passes[action]
        np.add.at(after, (state, left), mass * passes)
        np.add.at(after, (self._failed[state], left), mass * (1 - passes))
        return after, 0 * chances.flat[0]
