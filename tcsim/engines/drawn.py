"""Trials drawn from the exact engine's answer: as fast as counting gets, and no check of that answer.

Where many scenarios are to be sampled and the exact probabilities are trusted, ``outcome`` draws one outcome per trial,
and ``counts`` draws how often each outcome comes up in all trials at once. Only dice rolled one by one
(:mod:`monte_carlo`) can disagree with the exact engine.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tcsim.engines.exact import Final
from tcsim.engines.room import borrowed_room
from tcsim.engines.states import encode
from tcsim.stats import Tally

#: Said with every answer of these modes.
NOTE = "Drawn from the exact probabilities, so it cannot check them."


def draw(final: Final, mode: str, trials: int, seed: int, key: NDArray[np.uint64]) -> Tally:
    """Draw the final states of trials.

    Parameters
    ----------
    final : Final
        The exact answer.
    mode : str
        ``outcome`` or ``counts``.
    trials : int
        How many.
    seed : int
        Names the tally.
    key : array of uint64, shape (2,)
        Key of the stream.

    Returns
    -------
    Tally
        State numbers to counts.
    """
    states = [encode(state) for state, _ in final]
    chances = [float(p) for _, p in final]
    counts = _by_outcome(chances, trials, key) if mode == "outcome" else _by_counts(chances, trials, key)
    found = {state: int(n) for state, n in zip(states, counts.tolist(), strict=True) if n}
    return Tally(f"{mode}:{seed}:{key.tolist()}", ((0, trials),), found)


def thresholds(chances: Sequence[float]) -> NDArray[np.uint64]:
    """Cut the numbers of 64 bits so that each outcome has its share.

    Parameters
    ----------
    chances : sequence of float
        Probabilities that sum to 1.

    Returns
    -------
    array of uint64, shape (outcomes - 1,)
        Outcome k is drawn for numbers from threshold k - 1 on, below threshold k.

    Examples
    --------
    >>> [int(cut) >> 62 for cut in thresholds([0.25, 0.5, 0.25])]
    [1, 3]
    """
    cuts, total = [], 0.0
    for p in chances[:-1]:
        total = min(total + p, 1.0)
        cuts.append(min(int(total * 2**64), 2**64 - 1))
    return np.array(cuts, dtype=np.uint64)


def _by_outcome(chances: list[float], trials: int, key: NDArray[np.uint64]) -> NDArray[np.int64]:
    from tcsim.kernels.outcome import count_outcomes

    cuts = thresholds(chances)
    high, low = (cuts >> np.uint64(48)).astype(np.uint16), cuts & np.uint64(2**48 - 1)
    counts = np.zeros(len(chances), dtype=np.int64)
    with borrowed_room() as room:
        count_outcomes(key, 0, trials, high, low, room, counts)
    return counts


def _by_counts(chances: list[float], trials: int, key: NDArray[np.uint64]) -> NDArray[np.int64]:
    words = np.random.Philox(key=int(key[0]) | int(key[1]) << 32)
    counts: NDArray[np.int64] = np.random.Generator(words).multinomial(trials, np.array(chances) / sum(chances))
    return counts
