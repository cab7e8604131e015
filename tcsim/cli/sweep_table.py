"""What ``tcsim sweep`` says: what it will do, how far it is, and what it has done."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from tcsim.base.lang import tr
from tcsim.cli.terminal import paragraph, say


@contextmanager
def reporting(total: int, there: int = 0) -> Iterator[Callable[[int, int], None]]:
    """Show how far a sweep is on standard error, where that is a terminal: done, rate, time left, failures.

    Parameters
    ----------
    total : int
        Scenarios in all.
    there : int, optional
        So many of them were done before.

    Yields
    ------
    callable
        To be called with how many more are done, and how many of these failed.
    """
    begun, done, failed = time.monotonic(), there, 0
    shown = sys.stderr.isatty()

    def advance(more: int, wrong: int) -> None:
        nonlocal done, failed
        done, failed = done + more, failed + wrong
        here = done - there
        if shown:
            seconds = max(time.monotonic() - begun, 1e-9)
            rate = here / seconds
            left = (total - done) / rate if rate else 0.0
            told = tr(
                "{done} of {n}, {rate} a second, {left} left, {failed} failed",
                done=f"{done:,}",
                n=f"{total:,}",
                rate=f"{rate:,.0f}",
                left=duration(left),
                failed=f"{failed:,}",
            )
            sys.stderr.write(f"\r\x1b[K{told}")
            sys.stderr.flush()

    try:
        yield advance
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def duration(seconds: float) -> str:
    """Write a time that something takes.

    Parameters
    ----------
    seconds : float
        How long.

    Returns
    -------
    str
        As ``0.4 s``, ``12 s``, ``3 min`` or ``2.5 h``.

    Examples
    --------
    >>> duration(0.42), duration(12.3), duration(200), duration(9000)
    ('0.4 s', '12 s', '3 min', '2.5 h')
    """
    if seconds < 10:
        return f"{seconds:.1f} s"
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"


def summary(made: Any, done: Any) -> None:
    """Print what a sweep has done, in one line.

    Parameters
    ----------
    made : Sweep
        The sweep.
    done : Done
        What it did.
    """
    told = tr(
        "{rows} rows, {failed} failed, {parts} parts in {dir}, {time}",
        rows=f"{done.rows:,}",
        failed=f"{done.failed:,}",
        parts=done.parts,
        dir=str(made.folder.path),
        time=duration(done.seconds),
    )
    say(told)


def size(content: float) -> str:
    """Write how large something is.

    Parameters
    ----------
    content : float
        Bytes.

    Returns
    -------
    str
        As ``3.2 MB``.

    Examples
    --------
    >>> size(3_210_000), size(900)
    ('3.2 MB', '0.9 kB')
    """
    for unit, step in (("GB", 1e9), ("MB", 1e6)):
        if content >= step:
            return f"{content / step:.1f} {unit}"
    return f"{content / 1e3:.1f} kB"


def print_plan(file: str, flags: dict[str, Any]) -> int:
    """Say how many scenarios a sweep has, how long it takes, and how large the results are, from a first few of them.

    Parameters
    ----------
    file : str
        Its input; not standard input, which can be read only once.
    flags : dict
        ``trials``, ``precision``, ``seed``, ``threads``, ``catalogs``, ``part_rows``.

    Returns
    -------
    int
        Exit status 0.
    """
    from tcsim.base.errors import InputError
    from tcsim.sweep.answers import How
    from tcsim.sweep.plan import estimate

    if file == "-":
        raise InputError("standard input can be read only once; give the name of a file", "--dry-run")
    how = replace(How.of(flags["trials"], flags["precision"], flags["seed"]), threads=flags["threads"])
    found = estimate(file, how, flags["catalogs"], flags["part_rows"])
    say(tr("{n} scenarios in {parts} parts", n=f"{found.scenarios:,}", parts=f"{found.parts:,}"))
    told = tr(
        "about {time} here and {size}, from {tried} of them",
        time=duration(found.seconds),
        size=size(found.size),
        tried=f"{found.tried:,}",
    )
    paragraph("", told, 2)
    if found.failed:
        paragraph("", tr("{failed} of these fail: {why}", failed=f"{found.failed:,}", why=found.why), 2)
    return 0
