"""The rolls of a turn: each of them exactly, as a spread, and with dice."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Protocol

from tcsim.aos.common import D6, TWO_D6
from tcsim.aos.fights.sequence import through
from tcsim.aos.fights.weapons import Fight
from tcsim.aos.magic.casting import contest_rolled, resolves_chance
from tcsim.aos.magic.ritual import chanted, chanted_chance
from tcsim.aos.moves.charge_roll import ChargeRoll
from tcsim.aos.moves.rally_split import POINT, rally_points
from tcsim.aos.spread import Spread
from tcsim.dice import Pool

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice


class Roll(Protocol):
    """Something that dice decide: a whole number from 0 on."""

    def spread(self) -> Spread:
        """How likely each number is."""

    def rolled(self, dice: Dice, trials: int) -> Any:
        """Roll it in every trial: an array of whole numbers."""


@dataclass(frozen=True, slots=True)
class Sure:
    """No dice.

    Parameters
    ----------
    number : int, optional
        What it always comes to.
    """

    number: int = 0

    def spread(self) -> Spread:
        """Give the number."""
        return Spread.fixed(self.number)

    def rolled(self, dice: Dice, trials: int) -> Any:
        """Give the number in every trial."""
        return dice.roll(trials, 0).sum(axis=1) + self.number


@dataclass(frozen=True, slots=True)
class Charge:
    """A charge: 1 where the 2D6 reach.

    Parameters
    ----------
    need : int
        What they have to reach, modifiers and all.
    reroll : bool, optional
        Whether a roll that fails is rolled again, once.

    Examples
    --------
    >>> Charge(9).spread().pmf()[1]
    Fraction(5, 18)
    """

    need: int
    reroll: bool = False

    def spread(self) -> Spread:
        """Give the chance."""
        return Spread.chance(ChargeRoll().reaches(self.need, "all" if self.reroll else ""))

    def rolled(self, dice: Dice, trials: int) -> Any:
        """Roll it."""
        made = dice.total(TWO_D6, trials) >= self.need
        if self.reroll:
            made |= dice.total(TWO_D6, trials) >= self.need
        return made.astype(int)


@dataclass(frozen=True, slots=True)
class RunRoll:
    """A run: 1 where the D6 reaches so many inches.

    Parameters
    ----------
    need : int
        Inches beyond its Move.
    """

    need: int

    def spread(self) -> Spread:
        """Give the chance."""
        return Spread.chance(D6.at_least(self.need))

    def rolled(self, dice: Dice, trials: int) -> Any:
        """Roll it."""
        return (dice.d6(trials) >= self.need).astype(int)


@dataclass(frozen=True, slots=True)
class Inches:
    """A D6 of inches, for a whole unit."""

    def spread(self) -> Spread:
        """Give the chances."""
        return Spread.rolled(D6)

    def rolled(self, dice: Dice, trials: int) -> Any:
        """Roll it."""
        return dice.d6(trials)


@dataclass(frozen=True, slots=True)
class RallyRoll:
    """Rally: its points.

    Parameters
    ----------
    count : int
        How many D6.
    """

    count: int

    def spread(self) -> Spread:
        """Give the chances."""
        return rally_points(self.count)

    def rolled(self, dice: Dice, trials: int) -> Any:
        """Roll it."""
        return (dice.roll(trials, self.count) >= POINT).sum(axis=1)


@dataclass(frozen=True, slots=True)
class SpellRoll:
    """A spell: 0 where it does not resolve, else 1 and the mortal damage that gets through the ward.

    Parameters
    ----------
    value, modifier : int
        Casting value, and what changes the casting roll.
    unbind : int or None
        Modifier of the unbinding roll; None where nobody unbinds.
    damage : int, Pool or None
        Mortal damage.
    ward : int
        Ward of its target; 7 for none.
    """

    value: int
    modifier: int
    unbind: int | None
    damage: int | Pool | None
    ward: int

    def _unbinders(self) -> tuple[int, ...]:
        return () if self.unbind is None else (self.unbind,)

    def spread(self) -> Spread:
        """Give the chances."""
        return _worked(resolves_chance(self.value, self.modifier, self._unbinders()), self.damage, self.ward)

    def rolled(self, dice: Dice, trials: int) -> Any:
        """Roll it."""
        resolved = contest_rolled(self.value, self.modifier, self._unbinders(), dice, trials).resolves
        return resolved * (1 + MortalRoll(self.damage or 0, self.ward).rolled(dice, trials))


@dataclass(frozen=True, slots=True)
class PrayerRoll:
    """A prayer: 0 where it is not answered, else 1 and the mortal damage that gets through the ward.

    Parameters
    ----------
    value, modifier, ritual : int
        Chanting value, what changes the chanting roll, and ritual points that are added.
    damage : int, Pool or None
        Mortal damage.
    ward : int
        Ward of its target; 7 for none.
    """

    value: int
    modifier: int
    ritual: int
    damage: int | Pool | None
    ward: int

    def spread(self) -> Spread:
        """Give the chances."""
        return _worked(chanted_chance(self.value, self.ritual, self.modifier), self.damage, self.ward)

    def rolled(self, dice: Dice, trials: int) -> Any:
        """Roll it."""
        answered = chanted(dice.d6(trials), self.value, self.ritual, self.modifier)
        return answered * (1 + MortalRoll(self.damage or 0, self.ward).rolled(dice, trials))


def _worked(chance: Fraction, damage: int | Pool | None, ward: int) -> Spread:
    """0 where a spell or prayer fails, else 1 and its damage."""
    return Spread.mixed([(1 - chance, Spread.fixed(0)), (chance, Spread.fixed(1).then(through(damage or 0, ward)))])


@dataclass(frozen=True, slots=True)
class MortalRoll:
    """Mortal damage that gets through a ward.

    Parameters
    ----------
    damage : int or Pool
        The damage.
    ward : int
        The ward; 7 for none.
    """

    damage: int | Pool
    ward: int

    def spread(self) -> Spread:
        """Give the chances."""
        return through(self.damage, self.ward)

    def rolled(self, dice: Dice, trials: int) -> Any:
        """Roll it."""
        from tcsim.aos.fights.rolled import amount, warded

        return warded(amount(self.damage, dice, trials), self.ward, dice)


@dataclass(frozen=True, slots=True)
class AttackRoll:
    """Attacks with several weapons: the damage after the ward, held to what counts.

    Parameters
    ----------
    fight : Fight
        Weapons, target, modifiers.
    most : int
        The damage that counts.
    times : int, optional
        How often all the attacks are made: once, or once for each model.
    """

    fight: Fight
    most: int
    times: int = 1

    def spread(self) -> Spread:
        """Give the chances."""
        return _dealt(self)

    def rolled(self, dice: Dice, trials: int) -> Any:
        """Roll it."""
        from tcsim.aos.fights.rolled import fought

        return fought(self.fight, dice, Sure(self.times).rolled(dice, trials)).clip(max=self.most)


@lru_cache(256)
def _dealt(roll: AttackRoll) -> Spread:
    return roll.fight.damage(roll.times).held(roll.most).trimmed()
