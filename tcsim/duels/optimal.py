"""Duels in which both players play best: a finite game of perfect information, solved backwards.

Each player wants a large P(win) - P(lose) when the rounds are over. Before an action roll both choose what is spent on
it, and after a hit again (:mod:`tcsim.engines.game`); where the options leave it open, whoever is Down chooses whether
to try to stand, and whoever may charge whether it does.

Among equally good choices (within 1e-12) the fewest markers are spent, then there is no Bloodbath; a model waits rather
than to try to stand, and charges rather than to hold back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from tcsim.base.errors import InputError
from tcsim.duels import model as m
from tcsim.duels.exact import CONTACT, Phase, Story, highest
from tcsim.duels.grid import blows_at, programs_of
from tcsim.duels.model import Duel
from tcsim.duels.side import Side
from tcsim.engines.block import FLOAT_TAILS, FRACTION_TAILS, Ints
from tcsim.engines.game import Solved, Values, on_action
from tcsim.engines.policies import TIE
from tcsim.scenario.problem import ACTION_KEEP

#: Most pairs of states of the two.
MOST_PAIRS = 100_000


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

    Attributes
    ----------
    value : array
        What each is worth before it.
    attacks : bool
        Whether there is anything to attack with.
    solved : tuple of list of Solved
        Its attacks in order, by whether its model is Down.
    """

    def __init__(self, side: Side, what: int, later: Values) -> None:
        self._side, self.what = side, what
        self.value = later
        self.solved: tuple[list[Solved], list[Solved]] = ([], [])
        self.attacks = blows_at(side.duel.fighters[side.side], what) is not None
        if not self.attacks:
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
        if not self.attacks or not chances.any():
            return chances, out
        after = np.zeros_like(chances)
        for down in (0, 1):
            mine = np.flatnonzero(side.down == down)
            part = np.zeros((side.rest.size, mine.size), dtype=chances.dtype)
            part[side.begin] = chances[:, mine]
            for attack, solved in zip(side.attacks(self.what, down, fractions), self.solved[down], strict=True):
                part, won = attack.after(part, solved)
                out = out + won
            rested = np.zeros_like(chances[:, mine])
            np.add.at(rested, side.rest, part)
            after[:, mine] = rested
        return after, out


class Ground(NamedTuple):
    """What one who moves can do at a place: the chance that a charge reaches, and the phases that it comes to.

    ``closes``: after shooting and closing by its Move; ``short``: after charges that do not reach, with their chances,
    where such a charge is all that it does.
    """

    reaches: Fraction
    closes: Phase
    short: tuple[tuple[Fraction, Phase], ...]


class Ahead:
    """What comes after an activation: what each pair of states is worth, by phase, to the player whose it is.

    Parameters
    ----------
    side : Side
        Whose activation it is.
    worth : dict
        By phase.
    """

    def __init__(self, side: Side, worth: dict[Phase, Values]) -> None:
        self.side, self.worth = side, worth
        self.strikes: dict[tuple[range | None, Phase], Strike] = {}

    def strike(self, what: int, then: Phase) -> Strike:
        """Plan what is done, from the phase that it leads to; each once."""
        steps = self.side.rows.get((what, 0))  # at many distances it is the same
        if (steps, then) not in self.strikes:
            self.strikes[steps, then] = Strike(self.side, what, self.worth[then])
        return self.strikes[steps, then]


class Move:
    """What one does that may move: it tries to charge, or shoots and closes.

    Parameters
    ----------
    place : int
        Where it begins.
    ground : Ground
        What it can do there.
    ahead : Ahead
        What comes after it.
    """

    def __init__(self, place: int, ground: Ground, ahead: Ahead) -> None:
        side, approach = ahead.side, ahead.side.duel.approach
        assert approach is not None
        self.ground = ground
        self.close = ahead.strike(m.SHOOTING + place, ground.closes)
        self.charge, self.value = self.close, self.close.value
        self.charges = np.zeros(self.value.shape, dtype=bool)
        if ground.reaches and approach.charges[side.side] != m.NEVER:
            self.charge = ahead.strike(m.CHARGING, IN_CONTACT)
            missed = sum(float(chance) * ahead.worth[phase] for chance, phase in ground.short)
            if not ground.short:
                missed = float(1 - ground.reaches) * self.close.value
            value = float(ground.reaches) * self.charge.value + missed
            self.charges = value >= self.value - TIE
            if approach.charges[side.side] == m.ALWAYS:
                self.charges[:] = True
            self.value = np.where(self.charges, value, self.value)

    def play(self, chances: Any, fractions: bool) -> Iterator[tuple[Phase, Any, Any]]:
        """Play it: phases with the chances in them, and the chance that the other was taken out of action."""
        share: Any = Fraction if fractions else float
        charging, closing = np.where(self.charges, chances, 0), np.where(self.charges, 0, chances)
        reaches = self.ground.reaches
        yield IN_CONTACT, *self.charge.play(charging * share(reaches), fractions)
        if self.ground.short:
            for chance, phase in self.ground.short:
                yield phase, charging * share(chance), 0
        else:
            closing = closing + charging * share(1 - reaches)
        yield self.ground.closes, *self.close.play(closing, fractions)


@dataclass(frozen=True)
class Activation:
    """An activation, planned.

    ``value``: what it is worth before it, to the player whose it is. ``stays``: what it does where it does not move;
    ``moves``: where it does, by whether it has stood up in this turn. ``tries``: where it tries to stand, and
    ``spends``, which pair of choices is taken on that roll, by its own state and the other's.
    """

    value: Values
    stays: Strike
    moves: dict[bool, Move]
    tries: Any
    spends: Ints


#: The phase of two who are in contact.
IN_CONTACT: Phase = (CONTACT, False, False)


class Match:
    """A duel with every decision of both players planned.

    Parameters
    ----------
    duel : Duel
        Of optimal play.

    Raises
    ------
    InputError
        When it has too many states, or something that is not planned.

    Attributes
    ----------
    sides : tuple of Side
        The two.
    activations : list of dict
        Each activation by its phase, in order.
    value : float
        P(a wins) - P(b wins).
    standing_rolls : list
        By side, what can be spent on an action roll to stand, as :func:`tcsim.engines.game.on_action` gives it.
    """

    def __init__(self, duel: Duel) -> None:
        _check(duel)
        self.duel = duel
        self.sides = (Side(duel, 0), Side(duel, 1))
        pairs = self.sides[0].own * self.sides[1].own
        if pairs > MOST_PAIRS:
            message = f"the two have {pairs:,} pairs of states, optimal play is planned for at most {MOST_PAIRS:,}"
            raise InputError(message, "spend.mode")
        self.standing_rolls = [on_action(side.purse, bool(duel.attacker_first)) for side in self.sides]
        self.activations = self._plan()
        first = self.activations[0]
        a, b = (side.start for side in self.sides)
        start = self._begun({phase: self._for_a(0, one.value) for phase, one in first.items()}, self._start())
        self.value = float(start[a, b])

    def _start(self) -> Phase:
        return (0, False, False) if self.duel.approach is not None else IN_CONTACT

    def _side(self, activation: int) -> Side:
        return self.sides[self.duel.order[activation % 2]]

    def _for_a(self, activation: int, value: Values) -> Values:
        """A value of the player whose activation it is as a's, by the states of a and b."""
        return value.T if self._side(activation).side == 0 else -value

    # --- phases -----------------------------------------------------------------------------------------------

    def _ground(self, side: Side, phase: Phase, stood: bool) -> Ground:
        approach, (place, *flags) = self.duel.approach, phase
        assert approach is not None
        dice, needed = approach.dice[side.side], approach.needs[side.side][stood][place]
        reaches = sum((highest(dice, face) for face in range(needed, 7)), Fraction(0))
        if needed == 1:
            reaches = Fraction(1)

        def then(place: int) -> Phase:
            return place, flags[0], flags[1]

        stays = approach.stays[side.side][stood][place]
        falls = range(1, needed) if approach.fails and reaches else ()
        short = tuple((highest(dice, face), then(stays[face])) for face in falls)
        return Ground(reaches, then(approach.closes[side.side][stood][place]), short)

    def _grounds(self, side: Side, phase: Phase) -> dict[bool, Ground]:
        """What one who moves can do, by whether it has stood up in this turn."""
        if phase[0] == CONTACT:
            return {}
        flags = (self._flag(side, phase),) if self.duel.stand_at == m.AT_TURN else (False, True)
        return {stood: self._ground(side, phase, stood) for stood in flags}

    def _flag(self, side: Side, phase: Phase) -> bool:
        """Whether one that stands as it is activated has stood up in this turn."""
        return phase[2] if side.side else phase[1]

    def _begins(self, phase: Phase) -> list[Phase]:
        """The phases in which a round can begin: each may have stood up."""
        if phase[0] == CONTACT or self.duel.stand_at != m.AT_TURN:
            return [(phase[0], False, False)]
        return [(phase[0], a, b) for a in (False, True) for b in (False, True)]

    def _reached(self) -> list[list[Phase]]:
        """The phases in which each activation can begin."""
        found: list[list[Phase]] = []
        here: dict[Phase, None] = {self._start(): None}
        for activation in range(2 * self.duel.rounds):
            if activation % 2 == 0:
                here = {begun: None for phase in here for begun in self._begins(phase)}
            found.append(list(here))
            here = self._reached_by(activation, here)
        return found

    def _reached_by(self, activation: int, phases: Iterable[Phase]) -> dict[Phase, None]:
        """The phases in which an activation can end that begins in some."""
        after = dict.fromkeys(phases)
        for phase in phases:
            for ground in self._grounds(self._side(activation), phase).values():
                after |= dict.fromkeys((IN_CONTACT, ground.closes, *(short for _, short in ground.short)))
        return after

    # --- backwards --------------------------------------------------------------------------------------------

    def _plan(self) -> list[dict[Phase, Activation]]:
        planned: list[dict[Phase, Activation]] = []
        nothing = np.zeros((self.sides[0].own, self.sides[1].own))
        later: dict[Phase, Values] = defaultdict(lambda: nothing)  # to a, by the states of a and b
        for activation, phases in reversed(list(enumerate(self._reached()))):
            worths: dict[Phase, Values] = {}
            for phase in self._reached_by(activation, phases):
                value = self._begun(later, phase) if activation % 2 else later[phase]
                worths[phase] = value.T if self._side(activation).side == 0 else -value
            ahead = Ahead(self._side(activation), worths)
            made = {phase: self._activation(phase, ahead) for phase in phases}
            planned.insert(0, made)
            later = {phase: self._for_a(activation, one.value) for phase, one in made.items()}
        return planned

    def _begun(self, values: dict[Phase, Values], phase: Phase) -> Values:
        """The values before a round begins, from those after everyone has stood up."""
        begins = self._begins(phase)
        a, b = self.sides
        if self.duel.stand_at != m.AT_TURN:
            return values[begins[0]]
        stood = {begun: values[begun][a.standing][:, b.standing] for begun in begins}
        if len(begins) == 1:
            return stood[begins[0]]
        value = stood[begins[0]]
        for begun in begins[1:]:
            here = (a.down == begun[1])[:, None] & (b.down == begun[2])
            value = np.where(here, stood[begun], value)
        return value

    def _activation(self, phase: Phase, ahead: Ahead) -> Activation:
        side, place = ahead.side, phase[0]
        stays = ahead.strike(m.IN_CONTACT if place == CONTACT else m.SHOOTING + place, phase)
        moves = {stood: Move(place, ground, ahead) for stood, ground in self._grounds(side, phase).items()}
        tries, spends = np.zeros(stays.value.shape, dtype=bool), np.zeros((0, 0), dtype=np.int64)
        value = stays.value.copy()
        down, up = np.flatnonzero(side.down == 1), np.flatnonzero(side.down == 0)
        if self.duel.stand_at == m.AT_ACTIVATION:
            stood = moves[True].value if moves else stays.value
            value[:, down] = stood[:, side.standing[down]]
        elif (how := self.duel.fighters[side.side].stand_up) != m.WAIT:
            tried, spends = self._tried(side, stays.value, ahead.worth[phase])
            better = tried > value + TIE if how == m.BEST else np.ones_like(tries)
            tries[:, down] = better[:, down]
            value = np.where(tries, tried, value)
        if moves:
            value[:, up] = moves[self._flag(side, phase)].value[:, up]
        return Activation(value[:, side.befallen], stays, moves, tries, spends)

    def _stands(self, side: Side, dice: Ints, fractions: bool) -> Any:
        """The chance that a RISKY action to stand succeeds, by the DICE of markers."""
        tails, fighter = FRACTION_TAILS if fractions else FLOAT_TAILS, self.duel.fighters[side.side]
        pools = tails.rows(np.full_like(dice, ACTION_KEEP), dice + fighter.stand_dice)
        return tails.at_least(pools, np.full_like(dice, fighter.melee.standing.charts.success))

    def _tried(self, side: Side, stood: Values, failed: Values) -> tuple[Values, Ints]:
        pairs, blood, blessing = self.standing_rolls[side.side]
        after = side.purse.after[pairs.situation, blood, blessing]
        chance = self._stands(side, blessing - blood, False)[:, None]
        worth = chance * stood.T[side.standing[after]] + (1 - chance) * failed.T[after]
        _, spends = pairs.solve(worth)
        return np.take_along_axis(worth, spends, axis=0).T, spends

    # --- forwards ---------------------------------------------------------------------------------------------

    def story(self, fractions: bool = False) -> Story:
        """Play the duel as it is planned.

        Parameters
        ----------
        fractions : bool, optional
            Give Fractions instead of float64.

        Returns
        -------
        list of (float, float)
            After each round: P(a has won), P(b has won), in [0, 1].
        """
        a, b = self.sides
        here = np.zeros((a.own, b.own), dtype=object if fractions else np.float64)
        here[a.start, b.start] = Fraction(1) if fractions else 1.0
        return self.play({self._start(): here}, 0, fractions)[1::2]

    def play(self, phases: dict[Phase, Any], begin: int, fractions: bool = False) -> Story:
        """Play from an activation on.

        Parameters
        ----------
        phases : dict of array
            The chances before it, by phase and the states of a and b; if a round begins with it, before that.
        begin : int
            Which activation, from 0.
        fractions : bool, optional
            Whether they are Fractions.

        Returns
        -------
        list of (float, float)
            After each activation: P(a has won), P(b has won), in [0, 1].
        """
        nothing: Any = Fraction(0) if fractions else 0.0
        wins, story = [nothing, nothing], []
        for activation in range(begin, len(self.activations)):
            planned, side = self.activations[activation], self._side(activation)
            if activation % 2 == 0:
                phases = self._begin(phases)
            after: dict[Phase, Any] = {}
            for phase, both in phases.items():
                chances = both.T if side.side == 0 else both
                for then, part, won in self._play(side, phase, planned[phase], chances, fractions):
                    part = part.T if side.side == 0 else part
                    after[then] = after[then] + part if then in after else part
                    wins[side.side] = wins[side.side] + won
            phases = {phase: part for phase, part in after.items() if part.any()}
            story.append((wins[0], wins[1]))
        return story

    def _begin(self, phases: dict[Phase, Any]) -> dict[Phase, Any]:
        """A round begins: with ``AT_TURN`` whoever is Down stands."""
        a, b = self.sides
        after: dict[Phase, Any] = {}
        for phase, chances in phases.items():
            begins = self._begins(phase)
            for begun in begins:
                part = chances
                if len(begins) > 1:
                    part = np.where((a.down == begun[1])[:, None] & (b.down == begun[2]), chances, 0)
                if self.duel.stand_at == m.AT_TURN:
                    stood = np.zeros_like(part)
                    np.add.at(stood, (a.standing[:, None], b.standing[None]), part)
                    part = stood
                if part.any():
                    after[begun] = after[begun] + part if begun in after else part
        return after

    def _play(
        self, side: Side, phase: Phase, planned: Activation, chances: Any, fractions: bool
    ) -> Iterator[tuple[Phase, Any, Any]]:
        """Play an activation: phases with the chances in them, and the chance that the other was taken out."""
        here, staying, failed = (np.zeros_like(chances) for _ in range(3))
        np.add.at(here.T, side.befallen, chances.T)
        moving = {stood: np.zeros_like(chances) for stood in planned.moves}
        up = side.down == 0
        (moving[self._flag(side, phase)] if moving else staying)[:, up] += here[:, up]
        if self.duel.stand_at == m.AT_ACTIVATION:
            np.add.at((moving[True] if moving else staying).T, side.standing[~up], here.T[~up])
        else:
            staying[:, ~up] += np.where(planned.tries, 0, here)[:, ~up]
            other, own = np.nonzero(planned.tries & (here != 0))
            if own.size:
                _, blood, blessing = self.standing_rolls[side.side]
                pair, mass = planned.spends[own, other], here[other, own]
                after = side.purse.after[own, blood[pair], blessing[pair]]
                chance = self._stands(side, blessing[pair] - blood[pair], fractions)
                np.add.at(staying, (other, side.standing[after]), mass * chance)
                np.add.at(failed, (other, after), mass * (1 - chance))
        yield phase, failed, 0
        yield phase, *planned.stays.play(staying, fractions)
        for stood, move in planned.moves.items():
            yield from move.play(moving[stood], fractions)


def _check(duel: Duel) -> None:
    """Raise InputError for what optimal play is not planned for."""
    for side in (0, 1):
        for problem in programs_of(duel, side):
            if any(step.shots > 1 for step in problem.steps):
                message = "optimal play is planned only where attacks are made in turn; take the option shots=in-turn"
                raise InputError(message, "spend.mode")
            if any(step.special.rerolls for step in problem.steps):
                raise InputError("optimal play is not planned for attacks with re-rolls; take fixed", "spend.mode")
