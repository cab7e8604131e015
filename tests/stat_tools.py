"""Statistical tests that state both error rates: how often they fail for nothing, and the smallest error they see.

A count ``k`` of ``n`` trials with true chance ``p`` obeys the Chernoff bound
P(a count at least this far from n p, on this side) <= exp(-n KL(k/n, p)), for every n and p, so no normal approximation
is needed: a check fails only when twice that bound is below its share of the allowed false-alarm rate.
"""

from __future__ import annotations

from math import log


def divergence(share: float, p: float) -> float:
    """Kullback-Leibler divergence between two coins; infinite when ``share`` is impossible under ``p``."""
    total = 0.0
    for a, b in ((share, p), (1 - share, 1 - p)):
        if a > 0:
            if b <= 0:
                return float("inf")
            total += a * log(a / b)
    return total


def surprise(count: int, trials: int, p: float) -> float:
    """Upper bound on the chance of a count so far off; 1 when it is not off at all."""
    from math import exp

    return min(1.0, 2 * exp(-trials * divergence(count / trials, p)))


def smallest_seen(trials: int, checks: int, false_alarm: float) -> float:
    """The smallest error of a chance near 1/2 that fails at least half the time (smaller chances: smaller errors)."""
    return (log(2 * checks / false_alarm) / (2 * trials)) ** 0.5
