"""What is spent on each roll, looked up: from the tables of policies, from plans, and from games of both players."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from tcsim.engines import chain, policies
from tcsim.engines.block import Block, Ints, Tails
from tcsim.engines.chain import Entries
from tcsim.engines.codes import Codes
from tcsim.engines.volley import Deals, Volley
from tcsim.scenario import problem as p

if TYPE_CHECKING:
    from tcsim.engines.game_plan import Plan as GamePlan
    from tcsim.engines.optimal import Plan


class Spent(NamedTuple):
    """What is spent on an attack: DICE on its action roll, and by plain or critical hit blessings, and a choice."""

    dice: Any
    blessing: tuple[Any, Any]
    choice: Any


class Choices:
    """What is spent, looked up: from the policies' table, and from the plans of problems that have one.

    Parameters
    ----------
    block : Block
        The problems.
    codes : Codes
        The states between two volleys.
    planned : tuple of Choices and array of int, optional
        Where the plans are those of another block: its choices, and which of its problems each of these is.
    """

    def __init__(self, block: Block, codes: Codes, planned: tuple[Choices, Ints] | None = None) -> None:
        self._block, self.codes = block, codes
        self._planned, self._of = planned or (self, np.arange(block.size))
        self._table = policies.table(block)
        self.game = self._solved() if block.problems[0].game is not None else None
        self.is_planned = np.array([problem.is_planned for problem in block.problems])
        #: Whose volleys have their markers dealt out to all hits at once.
        self.deals_out = np.array([problem.deals_out for problem in block.problems])
        self._volleys: dict[tuple[int, int], Volley] = {}

    # Plans and games are loaded where there are some, so that every other question starts sooner.

    def _solved(self) -> GamePlan:
        from tcsim.engines import game_plan

        return game_plan.plan(self._block, self.codes)

    @cached_property
    def plan(self) -> Plan:
        """The plans of the block's problems."""
        from tcsim.engines import optimal

        return optimal.plan(self._block, self.codes)

    def volley(self, tails: Tails, problem: int, row: int) -> Volley:
        """Give a volley whose markers are dealt out."""
        if self._planned is not self:
            return self._planned.volley(tails, int(self._of[problem]), row)
        if (problem, row) not in self._volleys:
            self._volleys[problem, row] = Volley(self._block, tails, problem, row)
        return self._volleys[problem, row]

    def deals(self, problem: int, move: int) -> Deals:
        """Give how the markers of a volley are dealt out."""
        return self._planned.plan.deals[int(self._of[problem]), move]

    def on_action(self, entries: Entries, move: int) -> tuple[Entries, Any]:
        """Spend the attacker's own markers on an action roll, and give the DICE they come to."""
        if self.game is None:
            return entries, 0
        states = entries.states
        code = self.codes.of(states)
        blood, blessing = (table[move, code].astype(np.int64) for table in self.game[:2])
        paid = states._replace(own_blood=states.own_blood - blood, own_blessing=states.own_blessing - blessing)
        return Entries(entries.problem, paid, entries.p), blessing - blood

    def spent(self, dice: Any, entries: Entries, row: Ints, move: int, ended: bool = False) -> Spent:
        """Look up what is spent on a hit, after which the activation goes on, or has ended; ``dice`` are passed on."""
        states = entries.states
        if self.game is not None:
            code = self.codes.of(states._replace(ended=np.ones_like(row)) if ended else states)
            guard, choice = (table[move, code].astype(np.int64) for table in self.game[2:4])
            return Spent(dice, (guard[:, 0], guard[:, 1]), choice)
        blessing = chain.blessing_spent(self._block, entries.problem, row, states)
        return Spent(dice, (blessing, blessing), self._choice(entries, row, move, ended))

    def _choice(self, entries: Entries, row: Ints, move: int, ended: bool) -> Any:
        states = entries.states
        choice = self._table[row, states.down, states.markers, states.blessing]
        planned = np.flatnonzero(self.is_planned[entries.problem])
        if planned.size:
            held = states.at(planned)
            code = self.codes.of(held._replace(ended=np.ones_like(planned)) if ended else held)
            choice[planned] = self._planned.plan.choices[self._of[entries.problem[planned]], move, code]
        forced = chain.forced(self._block, row, states)
        if forced is not None:
            choice = np.where((forced == p.ROLLED)[:, None], choice, 0)
        return choice
