"""Counts that add, and intervals with a name.

A run of the Monte Carlo engine is a :class:`Tally`: how often each final state was counted, over which trials. Two
tallies of the same question and seed add when their trials do not overlap, so threads, retries and extended runs are
one operation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import exp, log, log1p, sqrt
from typing import Any

from tcsim.base.errors import InputError, show

#: Confidence level of every interval that tcsim tells.
LEVEL = 0.95

#: Chances that differ by no more are the same: exact answers are right to this.
SAME = 1e-12

#: Fewer than this of either outcome: Clopper-Pearson instead of Wilson.
FEW = 10


@dataclass(frozen=True, slots=True)
class Tally:
    """How often each final state came up in some trials of one question.

    Parameters
    ----------
    key : str
        What was asked with which stream: only tallies of the same key add.
    spans : tuple of (int, int)
        The trials counted, as half-open ranges, ascending and apart.
    counts : mapping of int to int
        State code to how often it was the final state.
    """

    key: str
    spans: tuple[tuple[int, int], ...]
    counts: Mapping[int, int]

    @property
    def trials(self) -> int:
        """How many trials were counted."""
        return sum(stop - start for start, stop in self.spans)

    def __add__(self, other: Tally) -> Tally:
        """Add the counts of other trials of the same question.

        Raises
        ------
        ValueError
            When the other tally is of another question, seed or stream, or counts some of the same trials.
        """
        if self.key != other.key:
            raise ValueError("these tallies count different questions, seeds or streams, so they do not add")
        spans: list[tuple[int, int]] = []
        for start, stop in sorted((*self.spans, *other.spans)):
            if spans and start < spans[-1][1]:
                raise ValueError(f"trials {start} to {min(stop, spans[-1][1]) - 1} are counted in both tallies")
            if spans and start == spans[-1][1]:
                spans[-1] = (spans[-1][0], stop)
            else:
                spans.append((start, stop))
        counts = dict(self.counts)
        for state, count in other.counts.items():
            counts[state] = counts.get(state, 0) + count
        return Tally(self.key, tuple(spans), counts)


@lru_cache(maxsize=32)
def z_score(level: float) -> float:
    """Two-sided normal quantile of a confidence level.

    Parameters
    ----------
    level : float
        Confidence level in (0, 1).

    Returns
    -------
    float
        As 1.96 for 0.95.

    Examples
    --------
    >>> round(z_score(0.95), 4)
    1.96
    """
    from statistics import NormalDist

    return NormalDist().inv_cdf((1 + level) / 2)


def wilson(count: int, trials: int, level: float = LEVEL) -> tuple[float, float]:
    """Wilson's score interval for a proportion (E. B. Wilson, JASA 22, 1927).

    Parameters
    ----------
    count : int
        How often it happened, 0 to ``trials``.
    trials : int
        How many trials, at least 1.
    level : float, optional
        Confidence level in (0, 1).

    Returns
    -------
    tuple of float
        Low and high end, in [0, 1].

    Raises
    ------
    InputError
        When these numbers cannot be counts, or the level is not inside (0, 1).

    Examples
    --------
    >>> [round(end, 4) for end in wilson(50, 100)]
    [0.4038, 0.5962]
    """
    _check(count, trials, level)
    z2 = z_score(level) ** 2
    middle = (count + z2 / 2) / (trials + z2)
    half = sqrt(z2 * (count * (trials - count) / trials + z2 / 4)) / (trials + z2)
    low = middle - half if count else 0.0  # nothing counted, nothing missed: an end that rounding must not move
    high = middle + half if count < trials else 1.0
    return low, high


def clopper_pearson(count: int, trials: int, level: float = LEVEL) -> tuple[float, float]:
    """Clopper and Pearson's exact interval for a proportion (Biometrika 26, 1934), by bisection on the binomial tail.

    Made for rare outcomes: its cost grows with the smaller of ``count`` and ``trials - count``.

    Parameters
    ----------
    count : int
        How often it happened, 0 to ``trials``.
    trials : int
        How many trials, at least 1.
    level : float, optional
        Confidence level in (0, 1).

    Returns
    -------
    tuple of float
        Low and high end, in [0, 1].

    Raises
    ------
    InputError
        When these numbers cannot be counts, or the level is not inside (0, 1).

    Examples
    --------
    >>> clopper_pearson(0, 10)[0], round(clopper_pearson(0, 10)[1], 4)
    (0.0, 0.3085)
    """
    _check(count, trials, level)
    if count > trials - count:
        low, high = clopper_pearson(trials - count, trials, level)
        return 1 - high, 1 - low
    half = (1 - level) / 2
    low = 0.0 if count == 0 else _solve(lambda p: _at_most(count - 1, trials, p) > 1 - half)
    return low, _solve(lambda p: _at_most(count, trials, p) > half)


def _check(count: int, trials: int, level: float) -> None:
    """Refuse what is no count of trials: every sum below relies on it."""
    if type(trials) is not int or trials < 1:
        raise InputError(f"{show(trials)} is given, a whole number of trials from 1 is allowed", "trials")
    if type(count) is not int or not 0 <= count <= trials:
        raise InputError(f"{show(count)} is given, a whole number from 0 to {trials} is allowed", "count")
    if not 0 < level < 1:
        raise InputError(f"{show(level)} is given, a number between 0 and 1 is allowed", "level")


def _at_most(count: int, trials: int, p: float) -> float:
    """P(X <= count) for a binomial; ``count`` is small, so its few terms are summed from the logarithm of each."""
    term = trials * log1p(-p)
    total = exp(term)
    for i in range(1, count + 1):
        term += log((trials - i + 1) / i) + log(p) - log1p(-p)
        total += exp(term)
    return min(total, 1.0)


def _solve(too_small: Callable[[float], bool]) -> float:
    """Where a condition that holds for small p stops holding, in relative precision (p may be 1e-12)."""
    low, high = 1e-300, 1.0
    for _ in range(1200):
        middle = sqrt(low * high) if high / low > 4 else (low + high) / 2
        if middle in (low, high):
            break
        low, high = (middle, high) if too_small(middle) else (low, middle)
    return (low + high) / 2


def interval(count: int, trials: int, level: float = LEVEL) -> tuple[str, float, float]:
    """Interval for a counted proportion: Wilson, or Clopper-Pearson when fewer than 10 of either outcome were counted.

    Parameters
    ----------
    count : int
        How often it happened, 0 to ``trials``.
    trials : int
        How many trials, at least 1.
    level : float, optional
        Confidence level in (0, 1).

    Returns
    -------
    tuple of str, float, float
        The method, ``wilson`` or ``clopper_pearson``, and the low and high end in [0, 1].

    Raises
    ------
    InputError
        When these numbers cannot be counts, or the level is not inside (0, 1).

    Examples
    --------
    >>> interval(5, 1000)[0], interval(500, 1000)[0]
    ('clopper_pearson', 'wilson')
    """
    if min(count, trials - count) < FEW:
        return ("clopper_pearson", *clopper_pearson(count, trials, level))
    return ("wilson", *wilson(count, trials, level))


def counted(count: int, trials: int) -> dict[str, Any]:
    """Tell of a counted proportion as JSON answers do.

    Parameters
    ----------
    count, trials : int
        As for :func:`interval`.

    Returns
    -------
    dict
        ``count``, ``low``, ``high``, ``interval`` (how they were found).

    Examples
    --------
    >>> counted(500, 1000)["count"], counted(500, 1000)["interval"]
    (500, 'wilson')
    """
    method, low, high = interval(count, trials)
    return {"count": count, "low": low, "high": high, "interval": method}


def rolled(trials: int | None, seed: int | None, stream_version: int, partial: bool = False) -> dict[str, Any]:
    """Tell how an answer was rolled, as JSON answers do.

    Parameters
    ----------
    trials : int or None
        How many trials.
    seed : int or None
        Its seed.
    stream_version : int
        Together they say which dice were rolled.
    partial : bool, optional
        Whether Ctrl-C stopped it; said only where it did.

    Returns
    -------
    dict
        ``trials``, ``seed``, ``stream_version``, ``level`` (of every interval), perhaps ``partial``.

    Examples
    --------
    >>> rolled(1000, 7, 2)
    {'trials': 1000, 'seed': 7, 'stream_version': 2, 'level': 0.95}
    """
    told = {"trials": trials, "seed": seed, "stream_version": stream_version, "level": LEVEL}
    return told | ({"partial": True} if partial else {})


def next_trials(count: int, trials: int, half_width: float, level: float = LEVEL) -> int | None:
    """Say how far a run should go on for an interval of a given half-width; None when it has got there.

    The number is what the present estimate asks for, with the end of its interval that lies nearest to 1/2 in place of
    the estimate, so a run has mostly two stages, and what it stops at depends little on how it has gone. Coverage of
    the interval at the stop, over chances from 1e-4 to 1/2 and half-widths from 0.001 to 0.02: within 0.01 of the
    level.

    Parameters
    ----------
    count : int
        How often it happened so far.
    trials : int
        How many trials so far.
    half_width : float
        Wanted half-width of the interval, above 0.
    level : float, optional
        Confidence level in (0, 1).

    Returns
    -------
    int or None
        Trials in all that the next look should come after.

    Examples
    --------
    >>> next_trials(500, 1000, 0.01), next_trials(5000, 10_000, 0.01)
    (10564, None)
    """
    _, low, high = interval(count, trials, level)
    if (high - low) / 2 <= half_width:
        return None
    p = low if low > 0.5 else high if high < 0.5 else 0.5
    wanted = z_score(level) ** 2 * p * (1 - p) / half_width**2
    return max(int(1.1 * wanted), trials + trials // 10 + 1)
