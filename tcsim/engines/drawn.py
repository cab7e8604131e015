"""Trials drawn from the exact engine's answer: as fast as counting gets, and no check of that answer.

Where many scenarios are to be sampled and the exact probabilities are trusted, ``outcome`` draws one outcome per trial,
and ``counts`` draws how often each outcome comes up in all trials at once. Only dice rolled one by one
(:mod:`monte_carlo`) can disagree with the exact engine.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.engines.exact import Final
from tcsim.engines.play import Play, play
from tcsim.engines.states import encode
from tcsim.stats import Tally


def draw(
    final: Final,
    mode: str,
    trials: int,
    seed: int,
    key: NDArray[np.uint64],
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Tally:
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
    threads, progress
        As for :func:`tcsim.engines.play.play`; one draw for all trials has no use for them.

    Returns
    -------
    Tally
        State numbers to counts.

    Raises
    ------
    Interrupted
        As for :func:`tcsim.engines.play.play`.
    """
    name, chances = f"{mode}:{seed}:{key.tolist()}", [float(p) for _, p in final]
    if mode == "outcome":
        return play(_outcomes(final, chances), key, name, (0, trials), threads, progress)
    words = np.random.Philox(key=int(key[0]) | int(key[1]) << 32)
    counts = np.random.Generator(words).multinomial(trials, np.array(chances) / sum(chances)).tolist()
    found = {encode(state): n for (state, _), n in zip(final, counts, strict=True) if n}
    return Tally(name, ((0, trials),), found)


def _outcomes(final: Final, chances: Sequence[float]) -> Play:
    from tcsim.kernels.outcome import count_outcomes

    cuts = thresholds(chances)
    high, low = (cuts >> np.uint64(48)).astype(np.uint16), cuts & np.uint64(2**48 - 1)

    def run(key: Any, start: int, stop: int, room: Any, counts: Any, tape: Any, taped: Any) -> None:
        count_outcomes(key, start, stop, high, low, room, counts)

    return Play(run, tuple(state for state, _ in final))


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
