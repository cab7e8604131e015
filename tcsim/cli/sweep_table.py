"""What ``tcsim sweep`` says: what it will do, how far it is, and what it has done."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from tcsim.base.lang import mark, tr
from tcsim.base.text import columns, plural
from tcsim.cli.terminal import WIDTH, paragraph, say, table
from tcsim.sweep.folder import ERRORS

#: Most rows of an answer that are shown; --csv and --json have all.
MOST_ROWS = 100


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


def duration(seconds: float, about: str = "{time}") -> str:
    """Write a time that something takes.

    Parameters
    ----------
    seconds : float
        How long.
    about : str, optional
        What is said of it, unless it is short.

    Returns
    -------
    str
        As ``under 1 s``, ``12 s``, ``3 min`` or ``2.5 h``.

    Examples
    --------
    >>> duration(0.42), duration(12.3), duration(200), duration(9000, "about {time}")
    ('under 1 s', '12 s', '3 min', 'about 2.5 h')
    """
    if seconds < 1:
        return tr("under 1 s")
    if seconds < 120:
        told = tr("{n} s", n=f"{seconds:.1f}" if seconds < 10 else f"{seconds:.0f}")
    else:
        told = tr("{n} min", n=f"{seconds / 60:.0f}") if seconds < 7200 else tr("{n} h", n=f"{seconds / 3600:.1f}")
    return about.format(time=told)


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
        "{rows}, {failed} failed, {parts} in {dir}, {time}",
        rows=plural(done.rows, "row"),
        failed=f"{done.failed:,}",
        parts=plural(done.parts, "part"),
        dir=str(made.folder.path),
        time=duration(done.seconds),
    )
    say(told)
    if done.failed:
        sys.stderr.write(f"tcsim: {made.folder.path / ERRORS} says what is wrong with the scenarios that failed\n")


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
    scenarios, parts = plural(found.scenarios, "scenario"), plural(found.parts, "part")
    say(tr("{scenarios} in {parts}", scenarios=scenarios, parts=parts))
    is_rolled = flags["trials"] is not None or flags["precision"] is not None
    where = mark("{time} here and about {size}, from {tried} of them")  # dice are rolled on all cores
    one_core = mark("{time} on one core and about {size}, from {tried} of them")
    told = tr(
        where if is_rolled else one_core,
        time=duration(found.seconds, tr("about {time}")),
        size=size(found.size),
        tried=f"{found.tried:,}",
    )
    paragraph("", told, 2)
    if found.failed:
        told = tr("{failed} of these {tried} fail; the first:", failed=f"{found.failed:,}", tried=f"{found.tried:,}")
        paragraph("", f"{told} {found.why}", 2)
    return 0


def print_rows(names: Sequence[str], rows: Sequence[Sequence[Any]]) -> None:
    """Print an answer of a database: as a table where it is narrow enough, else a row after the other.

    Parameters
    ----------
    names : sequence of str
        Columns.
    rows : sequence of sequence
        Values; the first ``MOST_ROWS`` are printed.
    """
    if not rows:
        say(plural(0, "row"))
    cells = [[_cell(value) for value in row] for row in rows[:MOST_ROWS]]
    widths = [max(map(columns, column)) for column in zip(names, *cells, strict=True)]
    if sum(widths) + 3 * len(widths) <= WIDTH:
        right = [
            "r" if all(row[at] is None or isinstance(row[at], (int, float)) for row in rows) else "l"
            for at in range(len(names))
        ]
        table(names, cells, "".join(right))
    else:
        for number, row in enumerate(cells):
            say("" if number else tr("Too wide for a table: each row by itself."))
            table(("", ""), list(zip(names, row, strict=True)), "lw")
    if len(rows) > MOST_ROWS:
        say(tr("{n} more rows; --csv and --json have all.", n=f"{len(rows) - MOST_ROWS:,}"))


def _cell(value: Any) -> str:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
