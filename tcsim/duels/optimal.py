"""Duels in which both players play best: a finite game of perfect information, solved backwards.

Each player wants a large P(win) - P(lose) when the rounds are over. Before an action roll both choose what is spent on
it, and after a hit again (:mod:`tcsim.engines.game`); where the options leave it open, whoever is Down chooses whether
to try to stand, and whoever may charge whether it does.

Among equally good choices (within 1e-12) the fewest markers are spent, then there is no Bloodbath; a model waits rather
than to try to stand, and charges rather than to hold back.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np

from tcsim.base.errors import InputError
from tcsim.duels import model as m
from tcsim.duels.exact import CONTACT, Phase, Story, highest
from tcsim.duels.grid import activated, blows_at, blows_of
from tcsim.duels.model import Duel
from tcsim.duels.rows import own_states, programs_of, target_blocks
from tcsim.engines.block import FLOAT_TAILS, FRACTION_TAILS, Ints
from tcsim.engines.chain import States
from tcsim.engines.game import Attack, Purse, Solved, Values, on_action
from tcsim.engines.policies import TIE
from tcsim.scenario.problem import ACTION_KEEP, Game, State

#: Most pairs of states of the two.
MOST_PAIRS = 100_000


class Side:
    """A fighter as the one whose activation it is: its own states, those of the other, and its attacks.

    Arrays of values and chances are (the other's states, its own states).

    Attributes
    ----------
    own : int
        How many states it has.
    to_own : Purse
        What can be spent on its action rolls.
    befallen : array of int
        The state that each becomes when it is activated.
    """

    def __init__(self, duel: Duel, side: int) -> None:
        self.duel, self.side = duel, side
        self._block, self._codes = target_blocks(duel)[1 - side]
        mine = target_blocks(duel)[side][1]
        states = own_states(mine)
        self.shape = mine.shape._replace(ended=1, streak=1)
        self.own, self.down = states.down.size, states.down
        self.befallen = self._befallen(states)
        self.standing = self.place_of(states._replace(down=0 * states.down))
        self.purse = self._purse(states)
        shape = self._codes.shape
        rest = np.arange(self._codes.size // shape.ended // shape.streak)
        #: The other's state between two activations of each within one, and the other way round.
        self.rest = np.arange(self._codes.size) % (rest.size * shape.streak) // shape.streak
        self.begin = rest * shape.streak
        rolls = [blows.rolls for blows in blows_of(duel.fighters[side]) for _ in (0, 1)]
        guards = int(duel.fighters[1 - side].start.blessing > 0)
        keeps = tuple(int(roll == 1) for one in rolls for roll in one)
        self.game = Game(guards=guards, attacker_first=duel.attacker_first, keeps_blood=keeps)
        self._rows = self._programs()
        self._attacks: dict[tuple[int, int, bool], Attack] = {}

    def place_of(self, states: States) -> Ints:
        """Number states of its own."""
        place: Ints = np.ravel_multi_index(tuple(np.broadcast_arrays(*states)), tuple(self.shape))
        return place

    def _befallen(self, states: States) -> Ints:
        told = [State(*values) for values in zip(*(getattr(states, name).tolist() for name in State._fields), strict=True)]
        return activated(self.duel, self.side, told)

    def _purse(self, states: States) -> Purse:
        markers, blessing = states.markers, states.blessing
        spent = np.arange(int(markers.max()) + 1)[:, None]
        given = np.arange(int(blessing.max()) + 1)
        here = States(*(field[:, None, None] for field in states))
        blood = np.minimum(spent, here.blood)
        after = here._replace(
            blood=here.blood - blood,
            infection=np.maximum(here.infection - (spent - blood), 0),
            blessing=np.maximum(here.blessing - given, 0),
        )
        return Purse(markers, blessing, self.place_of(after))

    def _programs(self) -> dict[tuple[int, int], range]:
        """The block's steps of each activation, by what is done and Down."""
        found, first = {}, 0
        fighter = self.duel.fighters[self.side]
        for what, blows in enumerate((fighter.melee, fighter.charging, *fighter.shooting)):
            for down in (0, 1) if blows is not None else ():
                found[what, down] = range(first, first := first + len(blows.rolls))  # type: ignore[union-attr]
        return found

    def attacks(self, what: int, down: int, fractions: bool = False) -> list[Attack]:
        """Give the attacks of an activation, by those of its states in which it is Down, or is not."""
        mine = np.flatnonzero(self.down == down)
        local = np.zeros(self.own, dtype=np.int64)
        local[mine] = np.arange(mine.size)
        purse = Purse(self.purse.blood[mine], self.purse.blessing[mine], local[self.purse.after[mine]])
        tails = FRACTION_TAILS if fractions else FLOAT_TAILS
        for row in self._rows[what, down]:
            if (row, down, fractions) not in self._attacks:
                made = Attack(self._block, row, self._codes, purse, self.game, tails)
                self._attacks[row, down, fractions] = made
        return [self._attacks[row, down, fractions] for row in self._rows[what, down]]


class Strike:
    """What one does in an activation, planned against what the duel is worth afterwards.

    Parameters
    ----------
    side : Side
        Whose activation it is.
    what : int
        As in :func:`tcsim.duels.grid.blows_at`.
    later : array
        What each pair of states is worth after it, to its player.
    """

    def __init__(self, side: Side, what: int, later: Values) -> None:
        self._side, self._what = side, what
        self.value = later
        self.solved: tuple[list[Solved], list[Solved]] = ([], [])
        self._attacks = blows_at(side.duel.fighters[side.side], what) is not None
        if not self._attacks:
            return
        self.value = np.zeros_like(later)
        for down in (0, 1):
            mine = np.flatnonzero(side.down == down)
            value = later[side.rest][:, mine]
            for attack in reversed(side.attacks(what, down)):
                self.solved[down].insert(0, attack.before(value))
                value = self.solved[down][0].value
            self.value[:, mine] = value[side.begin]

    def play(self, chances: Any, fractions: bool) -> tuple[Any, Any]:
        """Play it: the chances after it, and the chance that it takes the other out of action."""
        side, out = self._side, 0
        if not self._attacks or not chances.any():
            return chances, out
        after = np.zeros_like(chances)
        for down in (0, 1):
            mine = np.flatnonzero(side.down == down)
            part = np.zeros((side.rest.size, mine.size), dtype=chances.dtype)
            part[side.begin] = chances[:, mine]
            for attack, solved in zip(side.attacks(self._what, down, fractions), self.solved[down], strict=True):
                part, won = attack.after(part, solved)
                out = out + won
            rested = np.zeros_like(chances[:, mine])
            np.add.at(rested, side.rest, part)
            after[:, mine] = rested
        return after, out


@dataclass(frozen=True)
class Move:
    """What one does that may move: it tries to charge, or shoots and closes.

    ``charges``: where it does charge, by pair of states; ``reaches``: the chance that it then reaches the other, which is
    ``charge``; ``falls_short``: the chance and the phase of each charge that is too short, where that was the activation.
    """

    charges: Any
    reaches: Fraction
    charge: Strike | None
    close: Strike
    closes: Phase
    falls_short: tuple[tuple[Fraction, Phase], ...] = ()


@dataclass(frozen=True)
class Activation:
    """An activation, planned.

    ``value``: what it is worth before it, to the player whose it is. ``stays``: what it does where it does not move;
    ``moves``: where it does, by whether it has stood up in this turn. ``tries``: where it tries to stand, and
    ``spends`` which pair of choices is taken on that roll.
    """

    value: Values
    stays: Strike
    moves: dict[bool, Move]
    tries: Any
    spends: Ints


class Game_:
    pass
