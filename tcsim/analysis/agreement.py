"""Whether exact and rolled agree, over all cells of a frame at once: each question counts once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import erf, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tcsim.base.errors import InputError
from tcsim.stats import LEVEL, z_score

if TYPE_CHECKING:
    import pandas as pd

#: A verdict is questioned below this probability, and rejected below the second.
DOUBT, REJECT = 0.01, 1e-6
#: Fewest expected counts of either outcome for a deviation to be measured in standard deviations.
ENOUGH = 10

_Column = NDArray[np.float64]


@dataclass(frozen=True)
class Agreement:
    """How exact and rolled results agree over all cells.

    Parameters
    ----------
    cells : int
        Rolled chances that were compared: P(out of action) and P(Down) of every distinct question, where at least 10
        of either outcome are expected.
    outside : int
        How many exact values lie outside the 95% range of their count.
    expected : float
        How many would, if every die is fair and both engines are right.
    worst_z : float
        Largest deviation of a count in standard deviations.
    chance_of_worse : float
        Probability in [0, 1] of at least one deviation as large, in as many fair cells.
    impossible : int
        Counts that cannot be: above 0 where the chance is 0, or below all where it is 1.
    """

    cells: int
    outside: int
    expected: float
    worst_z: float
    chance_of_worse: float
    impossible: int


@dataclass(frozen=True)
class Verdict:
    """What the rolled cells say about the exact ones.

    Parameters
    ----------
    agreement : Agreement
        The numbers, over distinct questions.
    questions : int
        How many distinct questions were rolled.
    chance_of_outside : float
        Probability in [0, 1] of as many or more exact values outside their 95% range, with fair dice.
    word : str
        ``agree``, ``doubt`` or ``disagree``.
    """

    agreement: Agreement
    questions: int
    chance_of_outside: float
    word: str


def scores(frame: pd.DataFrame) -> NDArray[np.float64]:
    """Give how far each rolled count lies from its exact expectation, in standard deviations.

    Parameters
    ----------
    frame : DataFrame
        As :func:`tcsim.analysis.kill_odds.kill_odds` gives it, rolled.

    Returns
    -------
    array of float
        For P(out of action) and P(Down) of each distinct question, where at least 10 of either outcome are expected:
        for rarer ones the deviation in standard deviations means little.

    Raises
    ------
    InputError
        When the frame was not rolled.
    """
    found = []
    for p, n, k in _rolled(frame):
        common = (n * p >= ENOUGH) & (n * (1 - p) >= ENOUGH)
        found.append((k - n * p)[common] / np.sqrt((n * p * (1 - p))[common]))
    return np.concatenate(found)


def agreement(frame: pd.DataFrame) -> Agreement:
    """Count over all questions how exact and rolled results agree.

    Parameters
    ----------
    frame : DataFrame
        As :func:`tcsim.analysis.kill_odds.kill_odds` gives it, rolled.

    Returns
    -------
    Agreement
        Deviations as :func:`scores` gives them; the chances it leaves out are only asked whether their counts can be.

    Raises
    ------
    InputError
        When the frame was not rolled.
    """
    z = abs(scores(frame))
    impossible = sum(int((((p <= 0) & (k > 0)) | ((p >= 1) & (k < n))).sum()) for p, n, k in _rolled(frame))
    worst = float(z.max(initial=0.0))
    return Agreement(
        cells=len(z),
        outside=int((z > z_score(LEVEL)).sum()),
        expected=len(z) * (1 - LEVEL),
        worst_z=worst,
        chance_of_worse=1 - erf(worst / sqrt(2)) ** len(z),
        impossible=impossible,
    )


def verdict(frame: pd.DataFrame) -> Verdict:
    """Judge whether exact and rolled cells agree, each question once.

    Parameters
    ----------
    frame : DataFrame
        Kill odds, rolled.

    Returns
    -------
    Verdict
        The numbers and the word for them.

    Raises
    ------
    InputError
        When the frame was not rolled.
    """
    found = agreement(frame)
    sd = sqrt(found.cells * LEVEL * (1 - LEVEL))
    too_many = 0.5 * (1 - erf((found.outside - found.expected - 0.5) / sd / sqrt(2))) if sd else 1.0
    least = min(found.chance_of_worse, too_many)
    word = "disagree" if found.impossible or least < REJECT else "doubt" if least < DOUBT else "agree"
    return Verdict(found, len(distinct(frame)), too_many, word)


def _rolled(frame: pd.DataFrame) -> Iterator[tuple[_Column, _Column, _Column]]:
    """Exact chance, trials and count of every distinct question: of out of action, then of Down."""
    if "trials" not in frame:
        raise InputError("these cells were not rolled", "frame")
    own = distinct(frame)
    for name in ("out", "down"):
        p, n, k = (own[column].to_numpy(dtype=float) for column in (f"p_{name}", "trials", f"{name}_count"))
        yield p, n, k


def distinct(frame: pd.DataFrame) -> pd.DataFrame:
    """Take each question once: cells of the same question share their value and their dice.

    Parameters
    ----------
    frame : DataFrame
        As :func:`tcsim.analysis.kill_odds.kill_odds` gives it.

    Returns
    -------
    DataFrame
        The first row of every question.
    """
    return frame[~frame["question"].duplicated()]
