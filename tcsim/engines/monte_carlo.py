"""The Monte Carlo engine: rolls every die of every trial and counts the final states.

Trials come in blocks of 65,536, each with its own place in a keyed stream, so the counts are the same for any number of
threads, and a run can be extended by counting further trials and adding the tallies.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.base.errors import InputError, show
from tcsim.engines.room import borrowed_room
from tcsim.engines.rows import play_of
from tcsim.engines.states import encode
from tcsim.kernels.layout import BLOCK
from tcsim.kernels.stream import STREAM_VERSION
from tcsim.scenario.problem import Problem
from tcsim.stats import Tally

#: Blocks that a thread plays before it asks for more.
TASK_BLOCKS = 8

#: Most trials in one run, and the largest seed.
MAX_TRIALS, MAX_SEED = 10**13, 2**64 - 1


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, with what was counted until then.

    Parameters
    ----------
    tally : Tally
        Of the trials from the first on that were played; it may hold none.
    """

    def __init__(self, tally: Tally) -> None:
        super().__init__()
        self.tally = tally


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
    key, play = key_of(problem, seed, dice), play_of(problem)
    spans = _spans(start, start + trials)
    lock, stopped = threading.Lock(), threading.Event()
    reached = start

    def work() -> NDArray[np.int64]:
        nonlocal reached
        counts = np.zeros(len(play.ends), dtype=np.int64)
        with borrowed_room() as room:
            while not stopped.is_set():
                with lock:
                    span = next(spans, None)
                    if span is None:
                        break
                    reached = span[1]
                play.run(key, *span, room, counts, None, None)
                if progress is not None:
                    with lock:
                        progress(span[1] - span[0])
        return counts

    def tally_of(found: Iterable[NDArray[np.int64]]) -> Tally:
        counts = Counter[int]()
        for worker in found:
            for end in np.flatnonzero(worker).tolist():
                counts[encode(play.ends[end])] += int(worker[end])
        return Tally(_tally_key(problem, seed, dice), ((start, reached),) if reached > start else (), dict(counts))

    tasks = -(-trials // (TASK_BLOCKS * BLOCK))
    if tasks == 1:  # not worth a thread, nor an interruption worth a part of it
        try:
            return tally_of([work()])
        except KeyboardInterrupt:
            reached = start
            raise Interrupted(tally_of([])) from None
    workers = min(threads or os.cpu_count() or 1, tasks)
    with ThreadPoolExecutor(workers) as pool:
        futures: list[Future[NDArray[np.int64]]] = []
        try:
            for _ in range(workers):
                futures.append(pool.submit(work))
            wait(futures)
        except KeyboardInterrupt:  # what has begun is finished, and counts
            stopped.set()
            wait(futures)
        tally = tally_of(future.result() for future in futures)
    if stopped.is_set():
        raise Interrupted(tally)
    return tally


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
    import hashlib

    digest = hashlib.sha256(_tally_key(problem, seed, dice).encode("ascii")).digest()
    return np.frombuffer(digest[:8], dtype="<u4").astype(np.uint64)


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
            raise InputError(f"{show(value)} is given, a whole number from {low} to {high} is allowed", name)
    if threads is not None and (type(threads) is not int or not 1 <= threads <= 1024):
        raise InputError(f"{show(threads)} is given, a whole number from 1 to 1024 is allowed", "threads")
    if dice not in ("own", "shared"):
        raise InputError(f"{show(dice)} is given, own or shared is allowed", "dice")


def _spans(start: int, stop: int) -> Any:
    """Cut a range of trials into tasks of whole blocks: long enough that threads meet rarely, short enough to stop."""
    while start < stop:
        end = min(stop, (start // BLOCK + TASK_BLOCKS) * BLOCK)
        yield start, end
        start = end
