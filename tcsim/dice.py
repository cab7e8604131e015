"""A pool of dice and its exact distribution, in integers.

The game's only way of rolling: a roll *keeps* ``keep`` dice. With net +DICE ``keep + net`` dice are rolled and the
highest kept, with net -DICE ``keep + |net|`` and the lowest kept; plus and minus dice cancel before rolling, so net 0
rolls just the kept dice. The kept dice are summed and a flat modifier is added. (Edition 1.6.3: source text, injury
chart, note on three and more dice; edition 1.0.2: rulebook, +/-DICE.)

The distribution is found in closed form: the kept total is settled by the lowest kept face ``v``, by how many of the
kept dice lie above it, and by the rest of the pool being at most ``v``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import comb
from typing import Any

from tcsim.base.errors import InputError, show

#: Largest pool that is answered: what the game can ask for, with much to spare.
MAX_KEEP, MAX_NET, MAX_SIDES, MAX_MODIFIER = 20, 200, 100, 1000


@lru_cache(maxsize=4096)
def kept_counts(dice: int, keep: int, sides: int, lowest: bool) -> tuple[int, ...]:
    """Count the outcomes of ``dice`` dice by the total of the kept ones.

    Parameters
    ----------
    dice : int
        How many dice are rolled, at least ``keep``.
    keep : int
        How many are kept, at least 1.
    sides : int
        Faces of each die.
    lowest : bool
        Keep the lowest instead of the highest.

    Returns
    -------
    tuple of int
        Entry ``t`` is the number of the ``sides ** dice`` outcomes with total ``t``; length ``keep * sides + 1``.

    Examples
    --------
    >>> kept_counts(3, 2, 6, False)[12], kept_counts(3, 2, 6, True)[12]
    (16, 1)
    """
    if lowest:  # turning every die over (face f becomes sides + 1 - f) swaps highest and lowest
        highest = kept_counts(dice, keep, sides, False)
        return (0,) * keep + highest[: keep - 1 : -1]
    counts = [0] * (keep * sides + 1)
    for v in range(1, sides + 1):
        above = [1]  # above[s]: ways for `a` dice, all above v, to sum to s
        for a in range(keep):
            rest, need = dice - a, keep - a
            ways = v**rest - sum(comb(rest, b) * (v - 1) ** (rest - b) for b in range(need))
            ways *= comb(dice, a)
            for s, count in enumerate(above):
                counts[s + need * v] += ways * count
            above = _one_die_more(above, v + 1, sides)
    return tuple(counts)


def _one_die_more(counts: list[int], low: int, high: int) -> list[int]:
    """Add a die with faces ``low..high`` to a distribution of sums (a running window, so linear in its length)."""
    out, window = [], 0
    for total in range(len(counts) + high):
        if 0 <= total - low < len(counts):
            window += counts[total - low]
        if 0 <= total - high - 1 < len(counts):
            window -= counts[total - high - 1]
        out.append(window)
    return out


@dataclass(frozen=True, slots=True)
class Pool:
    """A pool of dice: what is rolled, what is kept, what is added.

    Parameters
    ----------
    net : int, optional
        Net +/-DICE after cancelling: positive keeps the highest, negative the lowest; -200 to 200.
    keep : int, optional
        How many dice are kept, 1 to 20; 2 in an action roll and a usual injury roll.
    sides : int, optional
        Faces of each die, 2 to 100.
    modifier : int, optional
        Added to the kept total, -1000 to 1000.
    added : int, optional
        Dice rolled apart and always added (the other reading of a Bloodbath), 0 to 20.

    Raises
    ------
    InputError
        When a number is not whole or out of range.

    Examples
    --------
    >>> pool = Pool(net=1)
    >>> pool.counts()[12], pool.denominator
    (16, 216)
    >>> Pool(net=-1).at_least(7)
    Fraction(23, 72)
    """

    net: int = 0
    keep: int = 2
    sides: int = 6
    modifier: int = 0
    added: int = 0

    def __post_init__(self) -> None:
        for name, low, high in (
            ("net", -MAX_NET, MAX_NET),
            ("keep", 1, MAX_KEEP),
            ("sides", 2, MAX_SIDES),
            ("modifier", -MAX_MODIFIER, MAX_MODIFIER),
            ("added", 0, MAX_KEEP),
        ):
            value = getattr(self, name)
            if type(value) is not int or not low <= value <= high:
                raise InputError(f"{show(value)} is given, a whole number from {low} to {high} is allowed", name)

    @property
    def dice(self) -> int:
        """How many dice are rolled in the pool itself."""
        return self.keep + abs(self.net)

    @property
    def denominator(self) -> int:
        """How many equally likely outcomes there are."""
        return int(self.sides ** (self.dice + self.added))

    def total(self, faces: Sequence[int]) -> int:
        """Read a roll on the table: keep the dice that count, sum them, add the modifier.

        Parameters
        ----------
        faces : sequence of int
            What the dice show, in any order; the ``added`` dice come last.

        Returns
        -------
        int
            The total that the charts are asked for.

        Raises
        ------
        InputError
            When these are not as many dice as the pool rolls, or a face is not one of theirs.

        Examples
        --------
        >>> Pool(net=-1).total([5, 5, 1]), Pool(net=1, modifier=-1).total([2, 4, 5])
        (6, 8)
        """
        if len(faces) != self.dice + self.added:
            raise InputError(f"{len(faces)} dice are given, the pool rolls {self.dice + self.added}", "faces")
        for face in faces:
            if type(face) is not int or not 1 <= face <= self.sides:
                raise InputError(f"{show(face)} is given, a face from 1 to {self.sides} is allowed", "faces")
        pool = sorted(faces[: self.dice], reverse=self.net > 0)
        return sum(pool[: self.keep]) + sum(faces[self.dice :]) + self.modifier

    def counts(self) -> dict[int, int]:
        """Count the outcomes by total, modifier included.

        Returns
        -------
        dict of int to int
            Total to number of outcomes, ascending, only totals that can be; they sum to ``denominator``.

        Examples
        --------
        >>> Pool(net=1, sides=2).counts()
        {2: 1, 3: 3, 4: 4}
        """
        counts = list(kept_counts(self.dice, self.keep, self.sides, self.net < 0))
        for _ in range(self.added):
            counts = _one_die_more(counts, 1, self.sides)
        return {total + self.modifier: count for total, count in enumerate(counts) if count}

    def at_least(self, target: int) -> Fraction:
        """Probability that the total, modifier included, reaches ``target``.

        Parameters
        ----------
        target : int
            The total to reach.

        Returns
        -------
        Fraction
            Probability in [0, 1].

        Examples
        --------
        >>> Pool().at_least(12)
        Fraction(1, 36)
        """
        return Fraction(sum(count for total, count in self.counts().items() if total >= target), self.denominator)

    def mean(self) -> Fraction:
        """Mean of the total, modifier included.

        Returns
        -------
        Fraction
            The exact mean.

        Examples
        --------
        >>> Pool(net=1).mean()
        Fraction(203, 24)
        """
        return Fraction(sum(total * count for total, count in self.counts().items()), self.denominator)

    def to_dict(self) -> dict[str, Any]:
        """Give the distribution as plain data, as ``tcsim pool --json`` prints it.

        Returns
        -------
        dict
            ``pmf``: total to ``{"p", "fraction"}``; ``mean``: float.

        Examples
        --------
        >>> Pool(keep=1, sides=2).to_dict()
        {'pmf': {'1': {'p': 0.5, 'fraction': '1/2'}, '2': {'p': 0.5, 'fraction': '1/2'}}, 'mean': 1.5}
        """
        pmf = {
            str(total): {"p": count / self.denominator, "fraction": str(Fraction(count, self.denominator))}
            for total, count in self.counts().items()
        }
        return {"pmf": pmf, "mean": float(self.mean())}


def tail(pool: Pool, length: int, number: Callable[[int, int], Any]) -> list[Any]:
    """Tabulate P(total >= t) of a pool for t = 0 .. length - 1.

    Parameters
    ----------
    pool : Pool
        The pool; its modifier counts.
    length : int
        How many targets.
    number : callable
        Makes a probability of a count and a denominator: ``operator.truediv`` (correctly rounded) or ``Fraction``.

    Returns
    -------
    list
        Probabilities in [0, 1], falling; the first is that of reaching 0.

    Examples
    --------
    >>> from operator import truediv
    >>> tail(Pool(), 14, truediv)[2], tail(Pool(), 14, truediv)[13]
    (1.0, 0.0)
    """
    counts, total = pool.counts(), pool.denominator
    out, below = [], sum(count for value, count in counts.items() if value < 0)
    for t in range(length):
        out.append(number(total - below, total))
        below += counts.get(t, 0)
    return out
