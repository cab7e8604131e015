"""Which differences between chances matter: for all pairs at once, so that few of many seem to differ by luck alone.

With exact chances every difference matters. Of rolled ones it does where an interval of the difference leaves out 0,
at a level that is corrected for the number of pairs (Bonferroni): the chance that any pair of equal chances is told
apart is at most 5%.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tcsim.stats import LEVEL, SAME, z_score

Floats = NDArray[np.float64]


class Differences(NamedTuple):
    """Of every pair: the first's chance less the second's, and its interval; shape (n, n) each."""

    value: Floats
    low: Floats
    high: Floats

    @property
    def better(self) -> NDArray[np.bool_]:
        """Whether the first of a pair has the greater chance, beyond what luck can do."""
        found: NDArray[np.bool_] = self.low > SAME
        return found


def exact(p: Floats) -> Differences:
    """Compare exact chances: the interval is the difference itself.

    Parameters
    ----------
    p : array of float
        Shape (n,); probabilities in [0, 1].

    Returns
    -------
    Differences
        Of every pair.

    Examples
    --------
    >>> exact(np.array([0.5, 0.25, 0.25 + 1e-15])).better.tolist()
    [[False, True, True], [False, False, False], [False, False, False]]
    """
    value = p[:, None] - p[None, :]
    return Differences(value, value, value)


def level_of(pairs: int, level: float = LEVEL) -> float:
    """Give the level of each interval, by which all of them hold at once (Bonferroni).

    Parameters
    ----------
    pairs : int
        How many pairs are compared.
    level : float, optional
        Wanted for all of them together.

    Returns
    -------
    float
        Of each.

    Examples
    --------
    >>> round(level_of(10), 4)
    0.995
    """
    return 1 - (1 - level) / max(pairs, 1)


def independent(counts: NDArray[np.int64], trials: int, level: float) -> Differences:
    """Compare chances that were rolled with dice of their own.

    Parameters
    ----------
    counts : array of int
        Shape (n,); how often each came up.
    trials : int
        Of how many.
    level : float
        Of each interval.

    Returns
    -------
    Differences
        With Newcombe's interval from two of Wilson's (Statistics in Medicine 17, 1998, method 10).

    Examples
    --------
    >>> found = independent(np.array([9, 3]), 10, 0.95)
    >>> round(float(found.low[0, 1]), 4), round(float(found.high[0, 1]), 4)
    (0.1705, 0.809)
    """
    z, p = z_score(level), counts / trials
    middle = (p + z**2 / (2 * trials)) / (1 + z**2 / trials)
    half = z * np.sqrt(p * (1 - p) / trials + z**2 / (4 * trials**2)) / (1 + z**2 / trials)
    below, above = p - np.clip(middle - half, 0, 1), np.clip(middle + half, 0, 1) - p
    value = p[:, None] - p[None, :]
    low = value - np.sqrt(below[:, None] ** 2 + above[None, :] ** 2)
    high = value + np.sqrt(above[:, None] ** 2 + below[None, :] ** 2)
    return _alike_on_the_diagonal(value, low, high)


def paired(both: NDArray[Any], trials: int, level: float) -> Differences:
    """Compare chances that were rolled with the same dice, trial by trial.

    Parameters
    ----------
    both : array of int
        Shape (n, n); in how many trials both of a pair came up, and on the diagonal each.
    trials : int
        Of how many.
    level : float
        Of each interval.

    Returns
    -------
    Differences
        With Bonett and Price's interval (Journal of Educational and Behavioral Statistics 37, 2012): what counts, as
        in McNemar's test, is how often the first came up without the second, and the second without the first.

    Examples
    --------
    >>> found = paired(np.array([[60, 55], [55, 57]]), 100, 0.95)
    >>> [round(float(table[0, 1]), 3) for table in found]
    [0.03, -0.028, 0.087]
    """
    z, each = z_score(level), np.diag(both).astype(float)
    first, second = each[:, None] - both, each[None, :] - both  # one without the other
    a, b = (first + 1) / (trials + 2), (second + 1) / (trials + 2)
    half = z * np.sqrt((a + b - (a - b) ** 2) / (trials + 2))
    value = (each[:, None] - each[None, :]) / trials
    return _alike_on_the_diagonal(value, np.maximum(a - b - half, -1), np.minimum(a - b + half, 1))


def means(value: Floats, covariance: Floats, trials: int, level: float) -> Differences:
    """Compare means of many trials, by the normal distribution.

    Parameters
    ----------
    value : array of float
        Shape (n,); the means.
    covariance : array of float
        Shape (n, n); of one trial.
    trials : int
        How many.
    level : float
        Of each interval.

    Returns
    -------
    Differences
        Of every pair.
    """
    spread = np.diag(covariance)
    half = z_score(level) * np.sqrt(np.maximum(spread[:, None] + spread[None, :] - 2 * covariance, 0) / trials)
    difference = value[:, None] - value[None, :]
    return _alike_on_the_diagonal(difference, difference - half, difference + half)


def _alike_on_the_diagonal(value: Floats, low: Floats, high: Floats) -> Differences:
    for table in (value, low, high):
        np.fill_diagonal(table, 0.0)
    return Differences(value, low, high)


def ranks(better: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Rank by what is certain: 1 and as many as are certainly better; those that cannot be told apart may share one.

    Parameters
    ----------
    better : array of bool
        Shape (n, n), as :attr:`Differences.better`.

    Returns
    -------
    array of int
        Shape (n,), from 1.

    Examples
    --------
    >>> ranks(exact(np.array([0.2, 0.5, 0.5])).better).tolist()
    [3, 1, 1]
    """
    found: NDArray[np.int64] = 1 + better.sum(axis=0)
    return found
