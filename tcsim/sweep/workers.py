"""What makes the parts of a sweep: this process, or several; each part is the same wherever it is made."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import threading
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any

from tcsim import __version__
from tcsim.base.errors import InputError
from tcsim.sweep.parts import Maker, Part

#: Makes parts of pieces, in any order: gives their numbers, and what they are.
Workers = Callable[[Maker, Iterator[tuple[int, Any]]], Generator[tuple[int, Part], None, None]]

#: So many scenarios at least are worth the start of further processes, each of which takes as long as 100,000 of them;
#: so many processes at most are begun unasked, as each takes a third of a gigabyte.
_WORTH, _MOST = 400_000, 8


def here(maker: Maker, pieces: Iterator[tuple[int, Any]]) -> Generator[tuple[int, Part], None, None]:
    """Make parts in this process, one after the other.

    Parameters
    ----------
    maker : Maker
        Makes them.
    pieces : iterator of (int, Any)
        Numbers and pieces.

    Yields
    ------
    int, Part
        Each part, in order.
    """
    for number, piece in pieces:
        yield number, maker.make(*piece)


def processes(number: int) -> Workers:
    """Give what makes parts in processes of this machine.

    Parameters
    ----------
    number : int
        How many.

    Returns
    -------
    callable
        Makes parts. A script that calls it must do so under ``if __name__ == "__main__":``, as each process reads the
        script again.
    """

    def make(maker: Maker, pieces: Iterator[tuple[int, Any]]) -> Generator[tuple[int, Part], None, None]:
        apart = multiprocessing.get_context("spawn")  # nothing of this process is held open there, as the lock is
        held, lifeline = apart.Pipe(duplex=False)
        pool = ProcessPoolExecutor(number, apart, _end_with, (held,))
        try:
            yield from through(pool.submit, wait, number + 1, maker, pieces)
        except BrokenProcessPool:
            raise InputError(
                "a process that made parts was lost; what is finished is kept; tcsim sweep resume goes on from there"
            ) from None
        finally:
            lifeline.close()
            pool.shutdown(cancel_futures=True)

    return make


def usual(scenarios: int) -> int:
    """Give in how many processes here an exact sweep is finished soonest.

    Parameters
    ----------
    scenarios : int
        How many there are to answer.

    Returns
    -------
    int
        One where there are few, else as many as this process may use processors, at most 8.
    """
    processors = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(processors, _MOST) if scenarios >= _WORTH else 1


def through(
    submit: Callable[..., Any], wait: Callable[..., Any], ahead: int, maker: Maker, pieces: Iterator[tuple[int, Any]]
) -> Generator[tuple[int, Part], None, None]:
    """Make parts through processes, here or elsewhere, which have this version of tcsim.

    Parameters
    ----------
    submit : callable
        Given a function and its arguments, has it called there, and gives a future at once.
    wait : callable
        Waits for the first of some futures, as :func:`concurrent.futures.wait` does.
    ahead : int
        So many pieces are under way at once: a few more than there are processes, so that none waits.
    maker, pieces
        As for :func:`here`.

    Yields
    ------
    int, Part
        Each part, in any order.
    """
    sent = pickle.dumps(maker)
    under_way: dict[Any, int] = {}
    while True:
        for number, piece in islice(pieces, ahead - len(under_way)):
            with alone():  # the first makes the processes
                under_way[submit(_make, sent, piece)] = number
        if not under_way:
            return
        for future in wait(list(under_way), return_when=FIRST_COMPLETED).done:
            number, part = under_way.pop(future), future.result()
            version = getattr(part, "tcsim", "another version")
            if version != __version__:
                raise InputError(f"a worker has tcsim {version}, this is {__version__}; the same is needed everywhere")
            yield number, part


@contextmanager
def alone() -> Iterator[None]:
    """Let Ctrl-C be for this thread alone, after it, and not for processes and threads that are begun in it.

    Yields
    ------
    None
        While they are begun.
    """
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # where it is begun later, it lets the signal through to what comes after it
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _make(sent: bytes, piece: Any) -> Part:
    return _maker(sent).make(*piece)


@lru_cache(maxsize=4)
def _maker(sent: bytes) -> Maker:
    """The maker of a sweep, with what it has resolved so far, in this process."""
    maker: Maker = pickle.loads(sent)
    return maker


def _end_with(held: Connection[Any, Any]) -> None:
    """Let this process end at once when the one that began it lets go of its end, or ends in whatever way."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the one that began it

    def watch() -> None:
        try:
            held.recv()
        except (EOFError, OSError):
            os._exit(0)

    threading.Thread(target=watch, daemon=True).start()
