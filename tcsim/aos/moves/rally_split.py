"""Rally points of the fourth edition, and what they may be spent on: models that return, damage that is healed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tcsim.aos.common import D6
from tcsim.aos.spread import Spread
from tcsim.base.lang import tr
from tcsim.base.numbers import whole_number
from tcsim.questions.kinds import wrong

#: A die of so much or more is a rally point.
POINT = 4
#: More slain models than any Rally could return, and the most that are given as a number.
MANY, MAX_SLAIN = "many", 60


class Slain:
    """How many models are slain: a whole number, or ``many`` for more than can return.

    Examples
    --------
    >>> Slain().read("5"), Slain().read("Many")
    (5, 'many')
    """

    metavar = "N"
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return tr("a whole number from {low} to {high}, or many", low=0, high=MAX_SLAIN)

    def read(self, value: Any) -> int | str:
        """Read a number of models."""
        if isinstance(value, str) and value.strip().casefold() == MANY:
            return MANY
        number = whole_number(value) if isinstance(value, str) else value
        if type(number) is not int or not 0 <= number <= MAX_SLAIN:
            raise wrong(value, self)
        return number

    def write(self, value: int | str) -> int | str:
        """Write it as it is."""
        return value


def rally_points(dice: int) -> Spread:
    """Give the rally points of a roll.

    Parameters
    ----------
    dice : int
        How many D6 are rolled.

    Returns
    -------
    Spread
        How many of them are :data:`POINT` or more.

    Examples
    --------
    >>> rally_points(6).mean()
    Fraction(3, 1)
    """
    return Spread.chance(D6.at_least(POINT)).times(dice)


@dataclass(frozen=True, slots=True)
class Split:
    """What rally points are spent on.

    Parameters
    ----------
    models : int
        Slain models that return.
    healed : int
        Damage points that are healed.
    """

    models: int
    healed: int


@dataclass(frozen=True, slots=True)
class Rallying:
    """A unit that rallies.

    Parameters
    ----------
    health : int
        Its Health: points for each model that returns.
    slain : int or str
        Models that may return, or ``many``.
    wounded : int
        Damage points that it carries.
    control : int
        Control of each of its models.
    """

    health: int
    slain: int | str
    wounded: int
    control: int

    def splits(self, points: int) -> list[Split]:
        """Give every way to spend points, those with most models first, each healing as much as is left for.

        Parameters
        ----------
        points : int
            Rally points.

        Returns
        -------
        list of Split
            At least one.
        """
        most = points // self.health
        if isinstance(self.slain, int):
            most = min(most, self.slain)
        return [Split(m, min(self.wounded, points - m * self.health)) for m in range(most, -1, -1)]

    def restored(self, split: Split) -> int:
        """Give the Health that comes back: all of a model that returns, and what is healed.

        Parameters
        ----------
        split : Split
            What the points are spent on.

        Returns
        -------
        int
            Health.
        """
        return split.models * self.health + split.healed


def chosen_split(unit: Rallying, points: int, policy: str, worth: Callable[[Split], Fraction]) -> Split:
    """Spend rally points.

    Parameters
    ----------
    unit : Unit
        Who rallies.
    points : int
        What there is to spend.
    policy : str
        ``models_first``, ``heal_first``, or ``best`` by worth.
    worth : callable
        Of a split, what it is worth; of equal ones that with most models is taken.

    Returns
    -------
    Split
        What they are spent on.
    """
    splits = unit.splits(points)
    if policy == "models_first":
        return splits[0]
    if policy == "heal_first":
        return max(splits, key=lambda split: split.healed)  # as many models as the rest of the points returns
    return max(splits, key=worth)  # of equal ones the first: with most models as much Health is restored as can be
