"""The chain of the objective outlook: how much damage two units have taken, who controls, and how likely that is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import TypeAlias

from tcsim.aos.common import D3
from tcsim.aos.control.check import Side, after
from tcsim.aos.fights.sequence import through
from tcsim.aos.fights.weapons import Fight
from tcsim.aos.spread import Spread

#: Damage that A's and B's unit have taken, who controls, whether A controlled at every check.
State: TypeAlias = tuple[int, int, int, bool]


@dataclass(frozen=True)
class Unit:
    """A unit there, and what it does to the other.

    Parameters
    ----------
    side : Side
        Its models and what else counts for control.
    health, wounded : int
        Health of each model, and damage on the first.
    strike, support : Fight or None
        How it attacks the other unit, and how other units of its player do in their own turns.
    by_model : bool
        Whether these are attacks of each model that is left.
    turns : frozenset of int
        Numbers of the turns in which it attacks, from 1 on.
    power : frozenset of int
        Numbers of the turns at whose end it uses Power Through.
    ward : int
        The ward of the other unit.
    """

    side: Side
    health: int
    wounded: int
    strike: Fight | None
    support: Fight | None
    by_model: bool
    turns: frozenset[int]
    power: frozenset[int]
    ward: int

    @property
    def lethal(self) -> int:
        """The damage that destroys it, that on its first model included."""
        return len(self.side.controls) * self.health

    def left(self, taken: int) -> int:
        """Give how many models are left.

        Parameters
        ----------
        taken : int
            Damage that it has taken.

        Returns
        -------
        int
            Models.
        """
        return len(self.side.controls) - taken // self.health

    @cached_property
    def scores(self) -> tuple[int, ...]:
        """Its army's score by damage that it has taken."""
        taken = range(self.lethal + 1)
        return tuple(self.side.score(self.side.after_slain(points // self.health)) for points in taken)

    @cached_property
    def attacks(self) -> tuple[Spread, ...]:
        """Damage of its attacks by the number of its models left."""
        every = range(len(self.side.controls) + 1)
        if self.strike is None:
            return (Spread.fixed(0),) * len(every)
        return tuple(self.strike.damage(models if self.by_model else min(models, 1)) for models in every)

    @cached_property
    def shots(self) -> tuple[Spread, ...]:
        """Damage of its player's other units, the same for any number of its models left."""
        dealt = Spread.fixed(0) if self.support is None else self.support.damage()
        return (dealt,) * (len(self.side.controls) + 1)

    @cached_property
    def powers(self) -> tuple[Spread, ...]:
        """Damage of Power Through by the number of its models left."""
        dealt = through(D3, self.ward)
        return (Spread.fixed(0), *(dealt,) * len(self.side.controls))


@dataclass(frozen=True)
class Chances:
    """How likely each state is, in whole numbers.

    Parameters
    ----------
    ways : dict
        State to how many of the outcomes lead to it.
    of : int
        How many there are.
    """

    ways: dict[State, int]
    of: int

    def struck(self, who: Unit, other: Unit, at: int, dealt: tuple[Spread, ...]) -> Chances:
        """Let a unit deal damage.

        Parameters
        ----------
        who, other : Unit
            Who deals it, and who takes it.
        at : int
            Where the damage of the other stands in a state.
        dealt : tuple of Spread
            The damage by the number of models left.

        Returns
        -------
        Chances
            Afterwards.
        """
        dealt = tuple(one.held(other.lethal) for one in dealt)
        if all(len(one.ways) == 1 for one in dealt):
            return self  # no damage
        rows: dict[tuple[int, int, bool], list[int]] = {}
        for state, ways in self.ways.items():
            row = rows.setdefault((state[1 - at], *state[2:]), [0] * (other.lethal + 1))
            row[state[at]] += ways
        of = lcm(*(dealt[who.left(key[0])].of for key in rows))
        found: dict[State, int] = {}
        for (mine, owner, kept), row in rows.items():
            damage = dealt[who.left(mine)]
            more = Spread(tuple(row), self.of).then(damage).held(other.lethal)
            for theirs, ways in enumerate(more.ways):
                if ways:
                    pair = (theirs, mine) if at == 0 else (mine, theirs)
                    found[*pair, owner, kept] = ways * (of // damage.of)
        return Chances(found, self.of * of).reduced()

    def judged(self, a: Unit, b: Unit, sticky: bool) -> Chances:
        """Judge control.

        Parameters
        ----------
        a, b : Unit
            Both units.
        sticky : bool
            Whether control lasts where nobody contests.

        Returns
        -------
        Chances
            Afterwards.
        """
        found: dict[State, int] = {}
        for (mine, theirs, owner, kept), ways in self.ways.items():
            now = after(a.scores[mine], b.scores[theirs], owner, sticky)
            state = (mine, theirs, now, kept and now == 1)
            found[state] = found.get(state, 0) + ways
        return Chances(found, self.of)

    def reduced(self) -> Chances:
        """Give the same in the smallest numbers.

        Returns
        -------
        Chances
            The same.
        """
        common = gcd(self.of, *self.ways.values())
        return Chances({state: ways // common for state, ways in self.ways.items()}, self.of // common)

    def mean(self, number: Callable[[State], int]) -> Fraction:
        """Give the mean of a number.

        Parameters
        ----------
        number : callable
            Of a state, the number.

        Returns
        -------
        Fraction
            The mean.
        """
        return Fraction(sum(ways * number(state) for state, ways in self.ways.items()), self.of)

    def chance(self, where: Callable[[State], bool]) -> Fraction:
        """Give the chance of some states.

        Parameters
        ----------
        where : callable
            Of a state, whether it counts.

        Returns
        -------
        Fraction
            In [0, 1].
        """
        return Fraction(sum(ways for state, ways in self.ways.items() if where(state)), self.of)
