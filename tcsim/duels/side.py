"""A fighter in a duel of optimal play: its states, and its attacks as games against each state of the other."""

from __future__ import annotations

import numpy as np

from tcsim.duels.grid import activated, blows_of, own_states, steps_of, target_blocks
from tcsim.duels.model import Duel
from tcsim.engines.block import FLOAT_TAILS, FRACTION_TAILS, Ints
from tcsim.engines.chain import States
from tcsim.engines.game import Attack, Purse
from tcsim.scenario.problem import Game, State


class Side:
    """A fighter as the one whose activation it is: its own states, those of the other, and its attacks.

    Arrays of values and chances are (the other's states, its own states).

    Parameters
    ----------
    duel : Duel
        The duel.
    side : int
        Which fighter.

    Attributes
    ----------
    own, start : int
        How many states it has, and in which it begins.
    down : array of int
        Whether it is Down, by state.
    purse : Purse
        What can be spent on its action rolls.
    standing : array of int
        The state that each is after it has stood up.
    block : Block
        All its attacks.
    rows : dict of range
        The block's steps of each activation, by what is done and whether it is Down.
    other, steps : int
        How many states the other can have while its attacks go on, and how many steps there are.
    befallen : array of int
        The state that each becomes when it is activated.
    """

    def __init__(self, duel: Duel, side: int) -> None:
        self.duel, self.side = duel, side
        self.block, self._codes = target_blocks(duel)[1 - side]
        mine = target_blocks(duel)[side][1]
        states = own_states(mine)
        self.shape = mine.shape._replace(ended=1, streak=1, struck=1)
        self.own, self.down = states.down.size, states.down
        start = duel.fighters[side].start._asdict()
        self.start = int(self.place_of(States(*(np.array(start.get(name, 0)) for name in States._fields))))
        self.befallen = self._befallen(states)
        self.standing = self.place_of(states._replace(down=0 * states.down))
        self.purse = self._purse(states)
        remembered = self._codes.remembered
        rest = np.arange(self._codes.going // remembered)
        #: The other's state between two activations of each within one, and the other way round.
        self.rest = np.arange(self._codes.size) % (rest.size * remembered) // remembered
        self.begin = rest * remembered
        self.other, self.steps = self._codes.going, self.block.step.kind.size
        rolls = [blows.rolls for blows in blows_of(duel.fighters[side]) for _ in (0, 1)]
        guards = int(duel.fighters[1 - side].start.blessing > 0)
        keeps = tuple(int(roll == 1) for one in rolls for roll in one)
        self.game = Game(guards=guards, attacker_first=duel.attacker_first, keeps_blood=keeps)
        self.rows = steps_of(duel.fighters[side])
        self._attacks: dict[tuple[int, int, bool], Attack] = {}

    def place_of(self, states: States) -> Ints:
        """Number states of its own."""
        place: Ints = np.ravel_multi_index(tuple(np.broadcast_arrays(*states)), tuple(self.shape))
        return place

    def _befallen(self, states: States) -> Ints:
        told = [
            State(*values) for values in zip(*(getattr(states, name).tolist() for name in State._fields), strict=True)
        ]
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

    def attacks(self, what: int, down: int, fractions: bool = False) -> list[Attack]:
        """Give the attacks of an activation, by those of its states in which it is Down, or is not."""
        mine = np.flatnonzero(self.down == down)
        local = np.zeros(self.own, dtype=np.int64)
        local[mine] = np.arange(mine.size)
        purse = Purse(self.purse.blood[mine], self.purse.blessing[mine], local[self.purse.after[mine]])
        tails = FRACTION_TAILS if fractions else FLOAT_TAILS
        for row in self.rows[what, down]:
            if (row, down, fractions) not in self._attacks:
                made = Attack(self.block, row, self._codes, purse, self.game, tails)
                self._attacks[row, down, fractions] = made
        return [self._attacks[row, down, fractions] for row in self.rows[what, down]]
