"""The Monte Carlo engine: rolls every die of every trial and counts the final states.

Trials come in blocks of 65,536, each with its own place in a keyed stream, so the counts are the same for any number of
threads, and a run can be extended by counting further trials and adding the tallies.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.base.errors import InputError, show
from tcsim.engines.play import play, stream_key
from tcsim.engines.rows import play_of
from tcsim.kernels.stream import STREAM_VERSION
from tcsim.scenario.problem import Problem
from tcsim.stats import Tally

#: Most trials in one run, and the largest seed.
MAX_TRIALS, MAX_SEED = 10**13, 2**64 - 1


def count(
    problem: Problem,
    trials: int,
    seed: int = 1,
    threads: int | None = None,
    dice: str = "own",
    start: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Tally:
    """Roll a problem's dice and count how it ends.

    Parameters
    ----------
    problem : Problem
        What to play.
    trials : int
        How many times, 1 to 1e13.
    seed : int, optional
        0 to 2**64 - 1.
    threads : int, optional
        How many threads; default: one per processor. The counts do not depend on it.
    dice : str, optional
        ``own``: the stream depends on the problem; ``shared``: only on the seed, so that compared problems share dice.
    start : int, optional
        Number of the first trial: a run is extended by counting from where it stopped, and adding the tallies.
    progress : callable, optional
        Called now and then with the number of trials counted since the last call.

    Returns
    -------
    Tally
        State codes to counts; decode them with :func:`decode`.

    Raises
    ------
    InputError
        When a number is out of range.
    Interrupted
        After Ctrl-C, when the blocks that had begun are finished; it holds their tally.
    """
    check(trials, seed, threads, dice, start)
    key, name = key_of(problem, seed, dice), _tally_key(problem, seed, dice)
    return play(play_of(problem, dice), key, name, (start, start + trials), threads, progress)


@dataclass(frozen=True)
class Story:
    """What was counted after each move of trials; see :func:`follow`."""

    trials: int
    down: tuple[int, ...]
    out: tuple[int, ...]
    ended: tuple[int, ...]


def follow(problem: Problem, trials: int, seed: int = 1, progress: Callable[[int], None] | None = None) -> Story:
    """Roll a problem's dice, and count what is so after each move: the dice's side of ``exact.watch``.

    Parameters
    ----------
    problem : Problem
        What to play, in one thread.
    trials, seed, progress
        As for :func:`count`.

    Returns
    -------
    Story
        Trials in which the target is Down, is out of action, and has the activation ended before it was out.

    Raises
    ------
    InputError
        When a number is out of range.
    """
    from tcsim.engines.block import Block
    from tcsim.engines.special_rows import special_play

    check(trials, seed, None, "own")
    moments = np.zeros((problem.moves, 3), dtype=np.int64)
    how = special_play(Block([problem]), moments)
    played = play(how, key_of(problem, seed), _tally_key(problem, seed, "own"), (0, trials), 1, progress).trials
    down, out, ended = moments.T
    return Story(played, tuple(down.tolist()), tuple(np.cumsum(out).tolist()), tuple(ended.tolist()))


def key_of(problem: Problem, seed: int, dice: str = "own") -> NDArray[np.uint64]:
    """Derive the key of a stream from stream version, seed and, for own dice, the problem's fingerprint.

    Parameters
    ----------
    problem : Problem
        What is played.
    seed : int
        0 to 2**64 - 1.
    dice : str, optional
        ``own`` or ``shared``.

    Returns
    -------
    array of uint64, shape (2,)
        Two words of 32 bits.
    """
    return stream_key(_tally_key(problem, seed, dice))


def _tally_key(problem: Problem, seed: int, dice: str) -> str:
    stream = problem.fingerprint if dice == "own" else "shared"
    return f"{STREAM_VERSION}:{seed}:{stream}"


def check(trials: Any, seed: Any, threads: Any, dice: Any, start: Any = 0) -> None:
    """Raise InputError for a number of trials, seed, number of threads, kind of dice or first trial that cannot be."""
    for name, value, low, high in (
        ("trials", trials, 1, MAX_TRIALS),
        ("seed", seed, 0, MAX_SEED),
        ("start", start, 0, MAX_TRIALS),
    ):
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise InputError(f"{show(value)} is given, a whole number from {low} to {high:,} is allowed", name)
    if threads is not None and (type(threads) is not int or not 1 <= threads <= 1024):
        raise InputError(f"{show(threads)} is given, a whole number from 1 to 1024 is allowed", "threads")
    if dice not in ("own", "shared"):
        raise InputError(f"{show(dice)} is given, own or shared is allowed", "dice")
