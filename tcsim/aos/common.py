"""Small things that several topics share."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tcsim.base.errors import InputError
from tcsim.base.lang import tr
from tcsim.base.numbers import whole_number
from tcsim.dice import Pool
from tcsim.questions.kinds import Dice, wrong

#: What is rolled for most things: a D3, a D6, and the 2D6 of charges, casting and Bravery.
D3, D6, TWO_D6 = Pool(keep=1, sides=3), Pool(keep=1), Pool(keep=2)


@dataclass(frozen=True, slots=True)
class Amount:
    """A whole number, or a roll of dice.

    Parameters
    ----------
    low, high : int
        Smallest and largest number allowed; dice may come to as much.

    Examples
    --------
    >>> Amount(0, 20).read("2"), Amount(0, 20).read("D3")
    (2, Pool(net=0, keep=1, sides=3, modifier=0, added=0))
    """

    low: int
    high: int
    metavar = "N|DICE"
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return tr("a whole number from {low} to {high}, or dice (as D3, 2D6, D3+1)", low=self.low, high=self.high)

    def read(self, value: Any) -> int | Pool:
        """Read a number or dice."""
        number = whole_number(value) if isinstance(value, str) else value
        if type(number) is int and self.low <= number <= self.high:
            return number
        pool: Pool | str | None = None
        if type(number) is not int:
            with suppress(InputError):
                pool = Dice().read(value)
        if isinstance(pool, Pool) and min(pool.counts()) >= self.low and max(pool.counts()) <= self.high:
            return pool
        raise wrong(value, self)

    def write(self, value: int | Pool) -> int | str:
        """Write a number as it is, dice as an expression."""
        return value if isinstance(value, int) else Dice().write(value)
