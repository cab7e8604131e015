"""Several chargers, one reroll among them: who goes first, and who takes it, by backward induction.

A state is who is still to charge, what has been made so far and whether the reroll is left. All of it is counted in
whole numbers: the worth of a state with n chargers left, and the reroll, over the ways of n + 1 charge rolls.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from tcsim.aos.moves.charge_roll import ChargeRoll

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Most chargers.
MAX_CHARGERS = 5

#: What a charger can reach: the roll that is needed, and what that is worth; the nearest first.
Steps: TypeAlias = tuple[tuple[int, Fraction], ...]

#: Chargers that are still to go, charges made so far (0 where they do not matter), and whether the reroll is left.
State: TypeAlias = tuple[tuple[int, ...], int, bool]


class Best(NamedTuple):
    """The best way on from a state.

    Parameters
    ----------
    worth : int
        What it is worth, over the ways of all rolls that are left.
    saved : int
        How often the point is not spent, over the same: of ways of equal worth the one that saves it is better.
    first : int
        Who charges next; where it makes no difference, the lowest number.
    again : tuple of bool
        Whether to roll again after reaching nothing, the nearest target, the next one, and so on.
    """

    worth: int
    saved: int
    first: int = -1
    again: tuple[bool, ...] = ()


@dataclass(frozen=True)
class Chargers:
    """Units that are to charge in one phase, one after the other, in an order that is chosen as it goes.

    Parameters
    ----------
    roll : ChargeRoll
        What each of them rolls.
    steps : sequence of Steps
        What each of them can reach; a charge ends at the best target that it reaches.
    goal : int or None
        So many charges are to be made; None: as much worth as possible on average.
    point : bool
        Whether one of them may roll again.

    Examples
    --------
    >>> nine = ((9, Fraction(1)),)
    >>> Chargers(ChargeRoll(), [nine, nine], 2, True).value
    Fraction(275, 1458)
    """

    roll: ChargeRoll
    steps: Sequence[Steps]
    goal: int | None
    point: bool
    _known: dict[State, Best] = field(default_factory=dict)

    @cached_property
    def _scale(self) -> int:
        return lcm(*(worth.denominator for steps in self.steps for _, worth in steps))

    @cached_property
    def _ways(self) -> list[list[int]]:
        """Ways of each charger's roll to reach nothing, its nearest target, the next one, and so on."""
        every = []
        for steps in self.steps:
            ways = [0] * (len(steps) + 1)
            for total, count in self.roll.counts().items():
                ways[sum(total >= need for need, _ in steps)] += count
            every.append(ways)
        return every

    @cached_property
    def _worths(self) -> list[list[int]]:
        """Worth of the same, in whole numbers."""
        return [
            [int(self._scale * max((worth for _, worth in steps[:level]), default=0)) for level in range(len(ways))]
            for steps, ways in zip(self.steps, self._ways, strict=True)
        ]

    @property
    def start(self) -> State:
        """Nobody has charged yet."""
        return tuple(range(len(self.steps))), 0, self.point

    @property
    def value(self) -> Fraction:
        """Chance of the goal, or the worth on average."""
        worth = Fraction(self._best(self.start).worth, self._over(self.start))
        return worth / self._scale if self.goal is None else worth

    def choice(self, state: State) -> tuple[int, tuple[bool, ...]]:
        """Say what to do.

        Parameters
        ----------
        state : State
            Where the phase stands, somebody left.

        Returns
        -------
        int
            Who charges next.
        tuple of bool
            Whether to roll again after reaching nothing, the nearest target, the next one, and so on.
        """
        best = self._best(state)
        return best.first, best.again

    def after(self, state: State, charger: int, level: int, again: bool) -> State:
        """Give the state after a charge.

        Parameters
        ----------
        state : State
            Before it.
        charger : int
            Who charged.
        level : int
            Targets whose distance the roll reached.
        again : bool
            Whether the reroll went into it.

        Returns
        -------
        State
            The next one.
        """
        left, made, point = state
        counted = min(made + (level > 0), self.goal or 0)
        return tuple(one for one in left if one != charger), counted, point and not again

    def _over(self, state: State) -> int:
        """Ways of all rolls that are left."""
        return int(self.roll.pool.denominator ** (len(state[0]) + state[2]))

    def _best(self, state: State) -> Best:
        if state not in self._known:
            self._known[state] = self._settle(state)
        return self._known[state]

    def _settle(self, state: State) -> Best:
        left, made, point = state
        settled = not left if self.goal is None else not made < self.goal <= made + len(left)
        if settled:  # nothing that follows changes it
            over = self._over(state)
            met = self.goal is not None and made >= self.goal
            nobody = Best(over * met, over * point)
            return nobody._replace(first=left[0], again=(False,) * len(self._ways[left[0]])) if left else nobody
        best = Best(-1, -1)
        for charger in left:
            kept = [self._then(state, charger, level, False) for level in range(len(self._ways[charger]))]
            again = self._again(state, charger) if point else (-1, 0)
            worth = saved = 0
            for ways, keeps in zip(self._ways[charger], kept, strict=True):
                more = max(keeps, again)
                worth, saved = worth + ways * more[0], saved + ways * more[1]
            if (worth, saved) > best[:2]:
                best = Best(worth, saved, charger, tuple(again > keeps for keeps in kept))
        return best

    def _again(self, state: State, charger: int) -> tuple[int, int]:
        """Worth of rolling again, whatever was rolled; the point is not saved."""
        ends = [self._then(state, charger, level, True)[0] for level in range(len(self._ways[charger]))]
        return sum(ways * worth for ways, worth in zip(self._ways[charger], ends, strict=True)), 0

    def _then(self, state: State, charger: int, level: int, again: bool) -> tuple[int, int]:
        """Worth of a charge and all after it, and how often the point is saved."""
        after = self.after(state, charger, level, again)
        best = self._best(after)
        worth = self._worths[charger][level] * self._over(after) if self.goal is None else 0
        return best.worth + worth, best.saved

    # --- what becomes of it ---------------------------------------------------------------------------------------

    def course(self) -> Course:
        """Follow the best way from the start.

        Returns
        -------
        Course
            Chances and means of what happens on it.
        """
        over = self.roll.pool.denominator
        places = [Fraction(0) for _ in self.steps]
        rerolls = [Fraction(0) for _ in self.steps]
        reached = [[Fraction(0)] * len(ways) for ways in self._ways]
        now = {self.start: Fraction(1)}
        for place in range(1, len(self.steps) + 1):
            later: dict[State, Fraction] = {}
            for state, p in now.items():
                charger, again = self.choice(state)
                places[charger] += place * p
                for level, ways in enumerate(self._ways[charger]):
                    share = p * Fraction(ways, over)
                    if not again[level]:
                        ends = [(level, share)]
                    else:
                        rerolls[charger] += share
                        ends = [(new, share * Fraction(more, over)) for new, more in enumerate(self._ways[charger])]
                    for new, part in ends:
                        reached[charger][new] += part
                        after = self.after(state, charger, new, again[level])
                        later[after] = later.get(after, Fraction(0)) + part
            now = later
        return Course(places, rerolls, reached)

    def play(self, first: NDArray[Any], second: NDArray[Any]) -> Played:
        """Play the best way with dice.

        Parameters
        ----------
        first, second : array of int, shape (trials, chargers)
            What each charger rolls, and would roll again.

        Returns
        -------
        Played
            What happened in each trial.
        """
        import numpy as np

        places, rerolls, final = np.zeros_like(first), np.zeros(first.shape, bool), first.copy()
        waiting = [(self.start, np.arange(len(first)))]
        while waiting:
            state, trials = waiting.pop()
            if not state[0] or not len(trials):
                continue
            charger, again = self.choice(state)
            needs = [need for need, _ in self.steps[charger]]
            rolls = np.searchsorted(needs, first[trials, charger], side="right")
            takes = np.array(again)[rolls]
            final[trials[takes], charger] = second[trials[takes], charger]
            rerolls[trials, charger] = takes
            places[trials, charger] = len(self.steps) - len(state[0]) + 1
            ends = np.searchsorted(needs, final[trials, charger], side="right")
            for taken in (False, True):
                for level in range(len(needs) + 1):
                    there = trials[(takes == taken) & (ends == level)]
                    waiting.append((self.after(state, charger, level, taken), there))
        return Played(places, rerolls, final)


@dataclass(frozen=True, slots=True)
class Course:
    """What happens on the best way.

    Parameters
    ----------
    places : list of Fraction
        For each charger, whether it goes first, second, and so on: the mean.
    rerolls : list of Fraction
        For each charger, the chance that the reroll goes to it.
    reached : list of list of Fraction
        For each charger, the chance of reaching nothing, its nearest target and no more, the next one, and so on.
    """

    places: list[Fraction]
    rerolls: list[Fraction]
    reached: list[list[Fraction]]


@dataclass(frozen=True, slots=True)
class Played:
    """What happened in each trial.

    Parameters
    ----------
    places, rerolls, final : array, shape (trials, chargers)
        When each charger went, whether it rolled again, and what its roll was in the end.
    """

    places: NDArray[Any]
    rerolls: NDArray[Any]
    final: NDArray[Any]
