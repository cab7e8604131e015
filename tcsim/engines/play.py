"""Playing the trials of a run: block after block, in threads, until they are done or Ctrl-C stops them."""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.engines.room import borrowed_room
from tcsim.engines.states import encode
from tcsim.kernels.layout import BLOCK
from tcsim.stats import Tally

#: Most blocks that a thread plays before it asks for more, most blocks times attack rolls, and least tasks for a
#: thread: long enough that threads meet rarely, short enough to stop soon and to wait for none that starts late.
TASK_BLOCKS, TASK_ROLLS, TASKS = 8, 32, 4

#: Blocks times attack rolls that are not worth a second thread.
FEW = 8


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


@dataclass(frozen=True)
class Play:
    """How trials are played: ``run(key, start, stop, room, counts, tape, taped)`` counts, ``ends`` says what.

    Parameters
    ----------
    run : callable
        A kernel with all but these arguments given.
    ends : tuple of State or None
        What each place in ``counts`` counts; None is out of action. Other things where ``code`` numbers others.
    rolls : int
        Attack rolls of a trial, at most: how dear it is.
    code : callable
        Numbers an end for the tally.
    """

    run: Callable[..., None]
    ends: tuple[Any, ...]
    rolls: int = 1
    code: Callable[[Any], int] = encode


def stream_key(name: str) -> NDArray[np.uint64]:
    """Derive the key of a stream of dice from a name.

    Parameters
    ----------
    name : str
        Stream version, seed, and what is played: another name has other dice.

    Returns
    -------
    array of uint64, shape (2,)
        Two words of 32 bits.

    Examples
    --------
    >>> stream_key("2:1:an example").tolist() == stream_key("2:2:an example").tolist()
    False
    """
    import hashlib

    return np.frombuffer(hashlib.sha256(name.encode()).digest()[:8], dtype="<u4").astype(np.uint64)


def play(
    how: Play,
    key: NDArray[np.uint64],
    name: str,
    span: tuple[int, int],
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> Tally:
    """Play the trials of a span.

    Parameters
    ----------
    how : Play
        What is played.
    key : array of uint64, shape (2,)
        Key of the stream.
    name : str
        Key of the tally.
    span : tuple of int
        First trial, and the one after the last.
    threads : int, optional
        How many threads; default: one per processor. The counts do not depend on it.
    progress : callable, optional
        Called now and then with the number of trials counted since the last call.

    Returns
    -------
    Tally
        State codes to counts.

    Raises
    ------
    Interrupted
        After Ctrl-C, when the blocks that had begun are finished; it holds their tally.
    """
    start = span[0]

    def run(first: int, last: int, room: NDArray[np.uint16], counts: NDArray[np.int64]) -> None:
        how.run(key, first, last, room, counts, None, None)

    counts, stopped = count_in_threads(run, len(how.ends), how.rolls, span, threads, progress)
    trials = int(counts.sum())  # tasks are handed out in order, and whatever has begun is finished
    states: Counter[int] = Counter()
    for end in np.flatnonzero(counts).tolist():
        states[how.code(how.ends[end])] += int(counts[end])
    tally = Tally(name, ((start, start + trials),) if trials else (), dict(states))
    if stopped:
        raise Interrupted(tally)
    return tally


def count_in_threads(
    run: Callable[..., None],
    size: int,
    rolls: int,
    span: tuple[int, int],
    threads: int | None = None,
    progress: Callable[[int], None] | None = None,
) -> tuple[NDArray[np.int64], bool]:
    """Let a kernel count the trials of a span, block after block, in threads.

    Parameters
    ----------
    run : callable
        ``run(start, stop, room, counts)`` counts some trials.
    size : int
        How many numbers it counts.
    rolls : int
        Attack rolls of a trial, at most: how dear it is.
    span : tuple of int
        First trial, and the one after the last.
    threads : int, optional
        How many threads; default: one per processor.
    progress : callable, optional
        Called now and then with the number of trials counted since the last call.

    Returns
    -------
    array of int64, shape (size,); bool
        The counts, and whether Ctrl-C has stopped it: of the trials from the first on, all tasks that had begun.
    """
    start, stop = span
    blocks = -(-(stop - start) // BLOCK)
    workers = 1 if blocks * rolls <= FEW else min(threads or os.cpu_count() or 1, blocks)
    tasks = _tasks(start, stop, max(1, min(TASK_BLOCKS, TASK_ROLLS // rolls, blocks // (TASKS * workers))))
    lock, stopped = threading.Lock(), threading.Event()
    counted: list[NDArray[np.int64]] = []

    def work() -> None:
        counts = np.zeros(size, dtype=np.int64)
        with borrowed_room() as room:
            with lock:
                counted.append(counts)
            while not stopped.is_set():
                with lock:
                    task = next(tasks, None)
                if task is None:
                    break
                run(*task, room, counts)
                if progress is not None:
                    with lock:
                        progress(task[1] - task[0])

    futures: list[Future[None]] = []
    with ThreadPoolExecutor(workers) if workers > 1 else nullcontext() as pool:
        try:
            if pool is None:
                work()
            else:
                for _ in range(workers):
                    futures.append(pool.submit(work))
                wait(futures)
        except KeyboardInterrupt:
            stopped.set()
    if not stopped.is_set():
        for future in futures:
            future.result()
    return np.sum(counted, axis=0, dtype=np.int64), stopped.is_set()


def _tasks(start: int, stop: int, blocks: int) -> Iterator[tuple[int, int]]:
    """Cut a range of trials into tasks of whole blocks."""
    while start < stop:
        end = min(stop, (start // BLOCK + blocks) * BLOCK)
        yield start, end
        start = end
