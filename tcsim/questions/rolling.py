"""Dice that are really rolled, and what was seen of them.

A question's stream is Philox, keyed by SHA-256 of the stream's version, the seed and what was asked, so two questions
never share dice, and counts depend on nothing but these, the number of trials and numpy's way from words to dice.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.dice import Pool
from tcsim.stats import LEVEL, counted, z_score

#: Raised whenever the same seed gives other dice for a question.
STREAM_VERSION = 1

#: Trials that are rolled together, so that memory does not grow with them.
CHUNK = 1 << 16


class Dice:
    """A stream of dice for one question.

    Parameters
    ----------
    seed : int
        Seed, from 0 below 2**64.
    asked : str
        What is asked, as text: another text has other dice.

    Examples
    --------
    >>> dice = Dice(1, "an example")
    >>> dice.roll(1000, 2, 6).shape, bool((dice.d3(1000) <= 3).all())
    ((1000, 2), True)
    """

    def __init__(self, seed: int, asked: str) -> None:
        name = json.dumps(["tcsim questions", STREAM_VERSION, seed, asked])
        key = int.from_bytes(hashlib.sha256(name.encode()).digest()[:16], "little")
        self.generator = np.random.Generator(np.random.Philox(key=key))

    def roll(self, trials: int, dice: int, sides: int = 6) -> NDArray[np.int64]:
        """Roll dice in every trial.

        Parameters
        ----------
        trials, dice : int
            How many trials, and how many dice in each.
        sides : int, optional
            Their faces.

        Returns
        -------
        array of int, shape (trials, dice)
            What they show.
        """
        return self.generator.integers(1, sides, (trials, dice), endpoint=True)

    def d6(self, trials: int) -> NDArray[np.int64]:
        """Roll a D6 in every trial.

        Parameters
        ----------
        trials : int
            How many.

        Returns
        -------
        array of int, shape (trials,)
            1 to 6.
        """
        return self.roll(trials, 1)[:, 0]

    def d3(self, trials: int) -> NDArray[np.int64]:
        """Roll a D3 in every trial: a D6, halved, rounded up.

        Parameters
        ----------
        trials : int
            How many.

        Returns
        -------
        array of int, shape (trials,)
            1 to 3.
        """
        return (self.d6(trials) + 1) // 2

    def total(self, pool: Pool | None, trials: int) -> NDArray[np.int64]:
        """Roll a pool in every trial, keep the dice that count, add them up.

        Parameters
        ----------
        pool : Pool or None
            The pool; None for no dice.
        trials : int
            How many.

        Returns
        -------
        array of int, shape (trials,)
            Totals, modifier included; 0 for no dice.
        """
        if pool is None:
            return np.zeros(trials, np.int64)
        faces = np.sort(self.roll(trials, pool.dice, pool.sides), axis=1)
        kept = faces[:, -pool.keep :] if pool.net >= 0 else faces[:, : pool.keep]
        total: NDArray[np.int64] = kept.sum(axis=1) + pool.modifier
        return total + self.roll(trials, pool.added, pool.sides).sum(axis=1) if pool.added else total

    def seed(self) -> int:
        """Draw a seed for dice of another kind, as those of a compiled kernel.

        Returns
        -------
        int
            From 0 below 2**64.
        """
        return int(self.generator.integers(0, 2**64, dtype=np.uint64))


@dataclass(slots=True)
class Seen:
    """What was seen of one answer; adds up over chunks of trials.

    Parameters
    ----------
    looks : int
        Trials that were looked at.
    total : float
        Sum of the values: for a chance, how often it happened.
    squares : float
        Sum of their squares.
    """

    looks: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, values: Any) -> None:
        """Add the values of a chunk.

        Parameters
        ----------
        values : array, or Seen
            A value per trial, or what was seen already.
        """
        if isinstance(values, Seen):
            more = values
        else:
            column = np.asarray(values, dtype=float)
            more = Seen(len(column), float(column.sum()), float((column * column).sum()))
        self.looks += more.looks
        self.total += more.total
        self.squares += more.squares

    def chance(self) -> dict[str, Any]:
        """Estimate a chance: Wilson's interval, or Clopper and Pearson's where it is rare.

        Returns
        -------
        dict
            ``value`` (None where no trial was looked at), ``count``, ``low``, ``high``, ``interval``, ``looks``.
        """
        if not self.looks:
            return {"value": None, "count": 0, "low": 0.0, "high": 1.0, "interval": "none", "looks": 0}
        count = round(self.total)
        return {"value": count / self.looks} | counted(count, self.looks) | {"looks": self.looks}

    def mean(self) -> dict[str, Any]:
        """Estimate a mean: the usual interval by the standard error.

        Returns
        -------
        dict
            As :meth:`chance`, without ``count``.
        """
        if not self.looks:
            return {"value": None, "low": None, "high": None, "interval": "none", "looks": 0}
        mean = self.total / self.looks
        variance = max(self.squares / self.looks - mean * mean, 0.0)
        half = z_score(LEVEL) * sqrt(variance / max(self.looks - 1, 1))
        return {"value": mean, "low": mean - half, "high": mean + half, "interval": "normal", "looks": self.looks}
