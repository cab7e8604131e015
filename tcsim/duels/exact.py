"""The exact way: the chance of every pair of states, from activation to activation."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from tcsim.duels import model as m
from tcsim.duels.grid import Case, Effect, activated, blows_at, effects, paid, spent_by, states_of
from tcsim.duels.model import Blows, Duel
from tcsim.engines.block import FLOAT_TAILS, FRACTION_TAILS
from tcsim.scenario.problem import ACTION_KEEP, State

#: Chances by round: that a has won, and that b has.
Story = list[tuple[Any, Any]]


class Way(NamedTuple):
    """One way in which an activation begins: how likely, and the fighter's state after it.

    ``acts``: whether it goes on to attack, ``moves``: whether it may move, ``stood``: whether it has just stood up and
    moves less.
    """

    chance: Any
    state: State
    acts: bool
    moves: bool
    stood: bool


class Branch(NamedTuple):
    """One thing that can happen in an activation: with what chance, for whom, what is done, and where they are then.

    ``moves`` and ``stood``: only where it may move, or may not, and where it has stood up in this turn, or has not;
    None for either. ``what``: as ``blows_at`` takes it; None for no attack.
    """

    chance: Any
    moves: bool | None
    stood: bool | None
    what: int | None
    then: int


class Starts(NamedTuple):
    """The ways of all states as arrays, for one kind of attacks.

    From state ``source`` it comes to state ``state`` with ``chance``; ``case`` is the place of the ``Case`` in which it
    attacks, -1 where it does not.
    """

    cases: list[Case]
    source: Any
    state: Any
    chance: Any
    case: Any
    moves: Any
    stood: Any


#: Where the two are: the place of their distance in ``Approach.distances``, or ``CONTACT``; and whether a and b have
#: stood up in this turn.
Phase = tuple[int, bool, bool]

CONTACT = -1


def solve_duel(duel: Duel, fractions: bool = False) -> Story:
    """Answer a duel exactly.

    Parameters
    ----------
    duel : Duel
        With fixed spending.
    fractions : bool, optional
        Give Fractions instead of float64.

    Returns
    -------
    list of (float, float)
        After each round: P(a has won), P(b has won), in [0, 1].

    Examples
    --------
    >>> from tcsim.duels.given import from_mapping
    >>> from tcsim.duels.resolve import resolve_duel
    >>> duel = resolve_duel(from_mapping({"rounds": 1, "a": {"attacks": [{}]}, "b": {"attacks": [{}]}})).duel
    >>> solve_duel(duel, fractions=True)[0][0]
    Fraction(1313, 7776)
    """
    return _Fight(duel, fractions).story()


class _Fight:
    """The chances of all pairs of states of a duel; arrays are (states of a, states of b), or turned round for b."""

    def __init__(self, duel: Duel, fractions: bool) -> None:
        self.duel, self.fractions = duel, fractions
        self.one: Any = Fraction(1) if fractions else 1.0
        self.states = (states_of(duel, 0), states_of(duel, 1))
        self.place = tuple({state: index for index, state in enumerate(states)} for states in self.states)
        self.ways = tuple([list(self._ways(side, state)) for state in self._activated(side)] for side in (0, 1))
        self.by_down = tuple(
            [np.flatnonzero([state.down == down for state in states]) for down in (0, 1)] for states in self.states
        )
        self.standing = tuple(
            np.array([place[state._replace(down=0)] for state in states])
            for place, states in zip(self.place, self.states, strict=True)
        )
        self.starts: dict[tuple[int, int | None], Starts] = {}
        self.wins = [0 * self.one, 0 * self.one]
        self._effects: dict[tuple[int, Blows], dict[Case, Effect]] = {}

    def story(self) -> Story:
        here = np.zeros((len(self.states[0]), len(self.states[1])), dtype=object if self.fractions else np.float64)
        here[0, 0] = self.one
        phases: dict[Phase, Any] = {(0 if self.duel.approach else CONTACT, False, False): here}
        story: Story = []
        for _ in range(self.duel.rounds):
            phases = self._begin(phases)
            for side in self.duel.order:
                phases = self._activate(side, phases)
            story.append((self.wins[0], self.wins[1]))
        return story

    def _begin(self, phases: dict[Phase, Any]) -> dict[Phase, Any]:
        """A round begins: with ``AT_TURN`` whoever is Down stands, and moves less in this turn."""
        after: dict[Phase, Any] = {}
        for (place, _, _), chances in phases.items():
            for a in (False, True):
                for b in (False, True):
                    if self.duel.stand_at == m.AT_TURN:
                        part = self._stood(self._stood(chances, 0, a).T, 1, b).T
                    elif a or b:
                        continue
                    else:
                        part = chances
                    _add(after, (CONTACT, False, False) if place == CONTACT else (place, a, b), part)
        return after

    def _stood(self, chances: Any, side: int, was_down: bool) -> Any:
        """The part in which a fighter was Down, or was not; it stands now."""
        rows, after = self.by_down[side][was_down], np.zeros_like(chances)
        after[self.standing[side][rows]] = chances[rows]
        return after

    def _activated(self, side: int) -> list[State]:
        states = self.states[side]
        return [states[index] for index in activated(self.duel, side, states).tolist()]

    def _ways(self, side: int, state: State) -> Iterator[Way]:
        """How an activation begins that finds a fighter in a state."""
        duel, mine, enemy = self.duel, self.duel.fighters[side], self.duel.fighters[1 - side]
        stood = bool(state.down) and duel.stand_at == m.AT_ACTIVATION
        if stood:
            state = state._replace(down=0)
        if not state.down or mine.stand_up == m.WAIT:
            yield Way(self.one, state, True, not state.down, stood)
            return
        drained, blessed = (state.blood + state.infection) * enemy.drains, state.blessing * mine.blesses
        tails = FRACTION_TAILS if self.fractions else FLOAT_TAILS
        pool = tails.rows(np.array([ACTION_KEEP]), np.array([mine.stand_dice - drained + blessed]))
        [chance] = tails.at_least(pool, np.array([mine.melee.standing.charts.success]))
        state = paid(state, drained, blessed)
        yield Way(chance, state._replace(down=0), True, False, False)
        yield Way(1 - chance, state, False, False, False)

    # --- an activation ---------------------------------------------------------------------------------------------

    def _activate(self, side: int, phases: dict[Phase, Any]) -> dict[Phase, Any]:
        after: dict[Phase, Any] = {}
        for (place, *stood), both in phases.items():
            chances = both if side == 0 else both.T
            for branch in self._branches(side, place):
                part = self._do(side, chances, branch, stood[side])
                in_contact = branch.then == CONTACT
                phase = (CONTACT, False, False) if in_contact else (branch.then, stood[0], stood[1])
                _add(after, phase, part if side == 0 else part.T)
        return after

    def _branches(self, side: int, place: int) -> Iterator[Branch]:
        """Tell what can happen in an activation that begins at a place."""
        approach = self.duel.approach
        if place == CONTACT or approach is None:
            yield Branch(self.one, None, None, m.IN_CONTACT, CONTACT)
            return
        yield Branch(self.one, False, None, m.SHOOTING + place, place)
        for stood in (False, True):
            reaches = self._reaches(side, place, stood)
            if reaches:
                yield Branch(reaches, True, stood, m.CHARGING, CONTACT)
            if reaches and approach.fails:
                for face in range(1, approach.needs[side][stood][place]):
                    chance = self.one * highest(approach.dice[side], face)
                    yield Branch(chance, True, stood, None, approach.stays[side][stood][place][face])
            elif reaches != 1:
                yield Branch(1 - reaches, True, stood, m.SHOOTING + place, approach.closes[side][stood][place])

    def _reaches(self, side: int, place: int, stood: bool) -> Any:
        """The chance that a fighter charges and reaches the other."""
        approach = self.duel.approach
        assert approach is not None
        if approach.charges[side] == m.NEVER:
            return 0 * self.one
        dice, needed = approach.dice[side], approach.needs[side][stood][place]
        if needed == 1:
            return self.one
        return sum((self.one * highest(dice, face) for face in range(needed, 7)), 0 * self.one)

    def _do(self, side: int, chances: Any, branch: Branch, stood_before: bool) -> Any:
        """Let a fighter do something, as far as it is likely; gives the chances after it, and adds to its wins."""
        what = branch.what
        if what is not None and blows_at(self.duel.fighters[side], what) is None:
            what = None
        starts = self._starts(side, what)
        here = np.ones(starts.source.shape, dtype=bool)
        if branch.moves is not None:
            here &= starts.moves == branch.moves
        if branch.stood is not None:
            here &= (starts.stood | stood_before) == branch.stood
        after = self._moved(chances, starts, here & (starts.case < 0)) * branch.chance
        for number, case in enumerate(starts.cases):
            part = self._moved(chances, starts, here & (starts.case == number)) * branch.chance
            if part.any() and what is not None:
                effect = self._known(side, what)[case]
                after = after + part @ effect.to
                self.wins[side] = self.wins[side] + (part @ effect.out).sum()
        return after

    def _moved(self, chances: Any, starts: Starts, which: Any) -> Any:
        after = np.zeros_like(chances)
        np.add.at(after, starts.state[which], starts.chance[which, None] * chances[starts.source[which]])
        return after

    def _starts(self, side: int, what: int | None) -> Starts:
        """How activations begin that go on with some kind of attacks; worked out once."""
        if (side, what) not in self.starts:
            blows = None if what is None else blows_at(self.duel.fighters[side], what)
            cases: dict[Case, int] = {}
            rows = []
            for source, ways in enumerate(self.ways[side]):
                for way in ways:
                    state, number = way.state, -1
                    if blows is not None and way.acts:
                        state, case = spent_by(self.duel, side, blows, state)
                        number = cases.setdefault(case, len(cases))
                    rows.append((source, self.place[side][state], way.chance, number, way.moves, way.stood))
            columns = (np.array(column) for column in zip(*rows, strict=True))
            self.starts[side, what] = Starts(list(cases), *columns)
        return self.starts[side, what]

    def _known(self, side: int, what: int) -> dict[Case, Effect]:
        """What an activation does to the other, in every case that can be; worked out once, alike at many distances."""
        blows = blows_at(self.duel.fighters[side], what)
        assert blows is not None
        if (side, blows) not in self._effects:
            cases = self._starts(side, what).cases
            states = self.states[1 - side]
            found = effects([(blows, case) for case in cases], states, self.fractions)
            self._effects[side, blows] = dict(zip(cases, found, strict=True))
        return self._effects[side, blows]


def highest(dice: int, face: int) -> Fraction:
    """Give the chance that the highest of some D6 shows a face.

    Parameters
    ----------
    dice : int
        How many.
    face : int
        1 to 6.

    Returns
    -------
    Fraction
        In [0, 1].

    Examples
    --------
    >>> highest(2, 6)
    Fraction(11, 36)
    """
    return Fraction(face**dice - (face - 1) ** dice, 6**dice)


def _add(phases: dict[Phase, Any], phase: Phase, part: Any) -> None:
    if part.any():
        phases[phase] = phases[phase] + part if phase in phases else part
