"""Trial by trial: how each trial of a problem ends, for comparisons that share their dice.

The counter of :mod:`tcsim.kernels.special` holds the trial, the move and the shot, so with one key for all problems
the same trial of each is played with the same dice, attack by attack, however many have ended before it. (The plain
kernels close their ranks as targets go out, so there a trial's dice depend on those of others.)
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tcsim.base.errors import InputError
from tcsim.engines.block import Block
from tcsim.engines.monte_carlo import check, key_of
from tcsim.engines.play import count_in_threads
from tcsim.engines.special_rows import special_play
from tcsim.kernels.layout import TAPE_END
from tcsim.scenario.problem import Problem, State

#: Most trials of a run: a number of 8 bytes is written for each.
MAX_PAIRED = 20_000_000


@dataclass(frozen=True)
class Ends:
    """How each trial of a problem ended.

    Parameters
    ----------
    ends : tuple of State or None
        What can happen; None is out of action, and first.
    which : array of uint16 or uint32, shape (trials,)
        Of each trial, the place in ``ends``.
    """

    ends: tuple[State | None, ...]
    which: NDArray[np.unsignedinteger]

    @property
    def out(self) -> NDArray[np.bool_]:
        """Shape (trials,): whether the target is out of action in the end."""
        out: NDArray[np.bool_] = self.which == 0
        return out

    @property
    def counts(self) -> dict[State | None, int]:
        """How often each end came up."""
        numbers = np.bincount(self.which, minlength=len(self.ends))
        return {end: int(number) for end, number in zip(self.ends, numbers.tolist(), strict=True) if number}


def play_ends(
    problem: Problem,
    trials: int,
    seed: int = 1,
    threads: int | None = None,
    dice: str = "shared",
    progress: Callable[[int], None] | None = None,
) -> Ends:
    """Roll a problem's dice, and keep how each trial ends.

    Parameters
    ----------
    problem : Problem
        What to play.
    trials : int
        How many times, 1 to 2e7.
    seed : int, optional
        0 to 2**64 - 1.
    threads : int, optional
        How many threads; default: one per processor. The ends do not depend on it.
    dice : str, optional
        ``shared``: trial by trial the dice of every problem that is played with this seed; ``own``: of this alone.
    progress : callable, optional
        Called now and then with the number of trials counted since the last call.

    Returns
    -------
    Ends
        In the order of the trials.

    Raises
    ------
    InputError
        When a number is out of range.
    KeyboardInterrupt
        After Ctrl-C.
    """
    check(trials, seed, threads, dice)
    if trials > MAX_PAIRED:
        raise InputError(f"{trials:,} is given, at most {MAX_PAIRED:,} are compared trial by trial", "trials")
    how, key = special_play(Block([problem])), key_of(problem, seed, dice)
    tape = np.empty((trials, 1), dtype=np.int64)  # of every trial only its end: no place for its dice
    taped = np.zeros(trials, dtype=np.int64)

    def run(first: int, last: int, room: NDArray[np.uint16], counts: NDArray[np.int64]) -> None:
        how.run(key, first, last, room, counts, tape, taped)

    _, stopped = count_in_threads(run, len(how.ends), how.rolls, (0, trials), threads, progress)
    if stopped:
        raise KeyboardInterrupt
    kind = np.uint16 if len(how.ends) <= 1 << 16 else np.uint32
    return Ends(how.ends, (tape[:, 0] ^ TAPE_END).astype(kind))
