"""How likely each number from 0 on is, in integers over one denominator: damage, attacks, models.

Sums are products of polynomials. A product of powers is found coefficient by coefficient, each from the few before it,
so that hundreds of attacks take milliseconds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import zip_longest
from math import gcd, lcm, prod

from tcsim.dice import Pool


@dataclass(frozen=True, slots=True)
class Spread:
    """A distribution on the whole numbers from 0 on.

    Parameters
    ----------
    ways : tuple of int
        Entry ``n`` is how many of the outcomes, all as likely, come to ``n``.
    of : int
        How many outcomes there are: the sum of ``ways``.

    Examples
    --------
    >>> one = Spread.chance(Fraction(1, 3))
    >>> one.times(2).pmf()
    (Fraction(4, 9), Fraction(4, 9), Fraction(1, 9))
    """

    ways: tuple[int, ...]
    of: int

    @staticmethod
    def fixed(number: int) -> Spread:
        """Make the spread of a number that is settled.

        Parameters
        ----------
        number : int
            The number, at least 0.

        Returns
        -------
        Spread
            That number, for sure.
        """
        return Spread((0,) * number + (1,), 1)

    @staticmethod
    def chance(p: Fraction) -> Spread:
        """Make the spread of something that happens once or not at all.

        Parameters
        ----------
        p : Fraction
            How likely it is, in [0, 1].

        Returns
        -------
        Spread
            1 with that chance, else 0.
        """
        return Spread((p.denominator - p.numerator, p.numerator), p.denominator).trimmed()

    @staticmethod
    def rolled(what: int | Pool) -> Spread:
        """Make the spread of a number or a roll of dice; what would fall below 0 is 0.

        Parameters
        ----------
        what : int or Pool
            As 2, or D3.

        Returns
        -------
        Spread
            Its spread.

        Examples
        --------
        >>> Spread.rolled(Pool(keep=1, sides=3)).ways
        (0, 1, 1, 1)
        """
        if isinstance(what, int):
            return Spread.fixed(what)
        counts = what.counts()
        ways = [0] * (max(0, *counts) + 1)
        for total, count in counts.items():
            ways[max(total, 0)] += count
        return Spread(tuple(ways), what.denominator)

    @staticmethod
    def of_chances(chances: Iterable[Fraction]) -> Spread:
        """Make a spread of chances.

        Parameters
        ----------
        chances : iterable of Fraction
            Of 0, 1, 2 and so on; they sum to 1.

        Returns
        -------
        Spread
            The same over one denominator.
        """
        every = tuple(chances)
        of = lcm(*(chance.denominator for chance in every))
        return Spread(tuple(int(chance * of) for chance in every), of).trimmed()

    @staticmethod
    def mixed(parts: Iterable[tuple[Fraction, Spread]]) -> Spread:
        """Mix spreads: one of them, with its chance.

        Parameters
        ----------
        parts : iterable of (Fraction, Spread)
            Chance and spread; the chances sum to 1.

        Returns
        -------
        Spread
            What comes of it.
        """
        every = [(chance, one) for chance, one in parts if chance]
        of = lcm(*(chance.denominator * one.of for chance, one in every))
        ways = [0] * max(len(one.ways) for _, one in every)
        for chance, one in every:
            weight = of // (chance.denominator * one.of) * chance.numerator
            for number, way in enumerate(one.ways):
                ways[number] += weight * way
        return Spread(tuple(ways), of).trimmed()

    @staticmethod
    def summed(parts: Iterable[tuple[Spread, int]]) -> Spread:
        """Add up numbers that do not depend on each other.

        Parameters
        ----------
        parts : iterable of (Spread, int)
            A spread, and how many numbers have it.

        Returns
        -------
        Spread
            The spread of their sum.
        """
        numbers: dict[Spread, int] = {}
        for one, number in parts:
            numbers[one] = numbers.get(one, 0) + number
        powers = [(one, number) for one, number in numbers.items() if number]
        return Spread(_powers([(one.ways, n) for one, n in powers]), prod(one.of**n for one, n in powers))

    def trimmed(self) -> Spread:
        """Give the same in the smallest integers, without zeros at the end.

        Returns
        -------
        Spread
            The same.
        """
        ways = list(self.ways)
        while not ways[-1]:
            ways.pop()
        common = gcd(self.of, *ways)
        return Spread(tuple(way // common for way in ways), self.of // common)

    def then(self, other: Spread) -> Spread:
        """Add another number, which does not depend on this one.

        Parameters
        ----------
        other : Spread
            The other.

        Returns
        -------
        Spread
            The spread of the sum.
        """
        return Spread(tuple(_product(self.ways, other.ways)), self.of * other.of)

    def times(self, number: int | Spread) -> Spread:
        """Add up so many numbers, each with this spread.

        Parameters
        ----------
        number : int or Spread
            How many; at random, too.

        Returns
        -------
        Spread
            The spread of the sum.

        Examples
        --------
        >>> Spread.chance(Fraction(1, 2)).times(Spread.rolled(Pool(keep=1, sides=2))).pmf()
        (Fraction(3, 8), Fraction(1, 2), Fraction(1, 8))
        """
        if isinstance(number, int):
            return Spread.summed([(self, number)])
        total, weight = [0], 1
        for ways in reversed(number.ways):  # Horner's way: the most numbers first
            total = _product(total, self.ways)
            total[0] += ways * weight
            weight *= self.of
        return Spread(tuple(total), number.of * self.of ** (len(number.ways) - 1)).trimmed()

    def held(self, most: int) -> Spread:
        """Count everything above a number as that number.

        Parameters
        ----------
        most : int
            The largest number that counts.

        Returns
        -------
        Spread
            The spread of what counts.
        """
        if len(self.ways) <= most + 1:
            return self
        return Spread((*self.ways[:most], sum(self.ways[most:])), self.of)

    def mapped(self, change: Callable[[int], int]) -> Spread:
        """Change every number into another, as damage into models that it slays.

        Parameters
        ----------
        change : callable
            Number to number, from 0 on.

        Returns
        -------
        Spread
            The spread of the new numbers.

        Examples
        --------
        >>> Spread.rolled(Pool(keep=1)).mapped(lambda face: face // 3).ways
        (2, 3, 1)
        """
        found: dict[int, int] = {}
        for number, ways in enumerate(self.ways):
            if ways:
                new = change(number)
                found[new] = found.get(new, 0) + ways
        return Spread(tuple(found.get(number, 0) for number in range(max(found) + 1)), self.of)

    def pmf(self) -> tuple[Fraction, ...]:
        """Give the chance of each number.

        Returns
        -------
        tuple of Fraction
            Entry ``n`` is the chance of ``n``.
        """
        return tuple(Fraction(way, self.of) for way in self.ways)

    def tails(self) -> tuple[Fraction, ...]:
        """Give the chance of at least each number.

        Returns
        -------
        tuple of Fraction
            Entry ``n`` is the chance of ``n`` or more; the first is 1.
        """
        found, left = [], self.of
        for way in self.ways:
            found.append(Fraction(left, self.of))
            left -= way
        return tuple(found)

    def at_least(self, number: int) -> Fraction:
        """Give the chance of a number or more.

        Parameters
        ----------
        number : int
            The number.

        Returns
        -------
        Fraction
            In [0, 1].
        """
        return Fraction(sum(self.ways[max(number, 0) :]), self.of)

    def mean(self) -> Fraction:
        """Give the mean.

        Returns
        -------
        Fraction
            The mean.
        """
        return Fraction(sum(number * way for number, way in enumerate(self.ways)), self.of)


def _product(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """Multiply two polynomials: as two large integers, whose digits are the coefficients, where both are long."""
    if min(len(one), len(other)) > 60:
        size = (sum(one) * sum(other)).bit_length() // 8 + 1
        digits = (_packed(one, size) * _packed(other, size)).to_bytes(size * (len(one) + len(other)), "little")
        count = len(one) + len(other) - 1
        return [int.from_bytes(digits[at : at + size], "little") for at in range(0, size * count, size)]
    product = [0] * (len(one) + len(other) - 1)
    for i, a in enumerate(one):
        for j, b in enumerate(other):
            product[i + j] += a * b
    return product


def _packed(ways: Sequence[int], size: int) -> int:
    return int.from_bytes(b"".join(way.to_bytes(size, "little") for way in ways), "little")


def _powers(powers: Sequence[tuple[Sequence[int], int]]) -> tuple[int, ...]:
    """Multiply powers of polynomials: c = a ** n * b ** m * ...

    With r = a * b * ... there is c' * r = c * s, where s is the sum of n * a' * b * ... over all of them. That gives
    each coefficient of c by as many before it as r has. What begins with zeros is shifted there first.
    """
    shift, product, slope = 0, [1], [0]
    for ways, number in powers:
        low = next(i for i, way in enumerate(ways) if way)
        shift += low * number
        own = ways[low:]
        derived = [number * i * way for i, way in enumerate(own)][1:] or [0]
        slope = [a + b for a, b in zip_longest(_product(slope, own), _product(product, derived), fillvalue=0)]
        product = _product(product, own)
    near = list(zip_longest(slope, product[1:], fillvalue=0))
    found = [prod(ways[next(i for i, way in enumerate(ways) if way)] ** number for ways, number in powers)]
    for k in range(1, sum(number * (len(ways) - 1) for ways, number in powers) - shift + 1):
        before = zip(range(k - 1, -1, -1), near, strict=False)
        found.append(sum((s - r * at) * found[at] for at, (s, r) in before) // (k * product[0]))
    return (0,) * shift + tuple(found)
