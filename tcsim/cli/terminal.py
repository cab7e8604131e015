"""Printing for people: plain tables of at most 80 columns that are right without colour and in any encoding."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import click

from tcsim.base.csv_text import csv_text
from tcsim.base.errors import one_line
from tcsim.base.lang import retold, tr
from tcsim.base.text import padded, printable, wrapped

#: Widest line.
WIDTH = 80

#: Most notes, and most characters of one; --json has all.
MOST_NOTES, NOTE = 12, 150


def say(text: str = "") -> None:
    """Print a line, with ``-`` for the minus sign and ``?`` for what the terminal lacks, or would obey.

    Parameters
    ----------
    text : str, optional
        The line.
    """
    text = printable(text)
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").lower()
    if encoding.replace("-", "") != "utf8":
        for sign, plain in (("−", "-"), ("×", "x"), ("–", "-"), ("…", "..."), ("→", "->")):
            text = text.replace(sign, plain)
        text = text.encode(encoding, "replace").decode(encoding)
    click.echo(text)


def paragraph(label: str, text: str, indent: int = 9) -> None:
    """Print a label and its text, wrapped under itself.

    Parameters
    ----------
    label : str
        In the first column.
    text : str
        The text.
    indent : int, optional
        Where the text begins.
    """
    lines = wrapped(text, WIDTH - indent) or [""]
    for number, line in enumerate(lines):
        say((padded(label if number == 0 else "", indent) + line).rstrip())


def print_notes(notes: Sequence[str]) -> None:
    """Print what an answer has to say besides its numbers; where that is much, the beginnings.

    Parameters
    ----------
    notes : sequence of str
        In English, as ``--json`` has them.
    """
    for text in notes[:MOST_NOTES]:
        paragraph("", one_line(retold(text), NOTE), 0)
    if len(notes) > MOST_NOTES or any(len(retold(text)) > NOTE for text in notes):
        paragraph("", tr("--json has all {n} notes in full.", n=len(notes)), 0)


def table(columns: Sequence[str], rows: Sequence[Sequence[str]], right: str = "") -> None:
    """Print a table with a ruled head.

    Parameters
    ----------
    columns : sequence of str
        Heads; all empty for a table without a head.
    rows : sequence of sequence of str
        Cells.
    right : str, optional
        A character per column: ``r`` right-aligned, ``l`` left-aligned, ``w`` left-aligned and wrapped where needed.
    """
    from rich.box import Box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    ruled = Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)
    heads = any(columns)
    grid = Table(box=ruled if heads else None, show_edge=False, show_header=heads, pad_edge=False, padding=(0, 1))
    for name, kind in zip(columns, right.ljust(len(columns), "l"), strict=False):
        grid.add_column(
            Text(name),
            justify="right" if kind == "r" else "left",
            no_wrap=kind != "w",
            overflow="fold" if kind == "w" else "ellipsis",
        )
    for row in rows:
        grid.add_row(*(Text(cell) for cell in row))
    console = Console(width=WIDTH - 2, color_system=None, highlight=False, force_terminal=False, legacy_windows=False)
    with console.capture() as capture:
        console.print(grid)
    for line in capture.get().splitlines():
        say("  " + line.rstrip())


def print_csv(rows: Sequence[Mapping[Any, Any]]) -> None:
    """Print rows as CSV, to be read by programs.

    Parameters
    ----------
    rows : sequence of mapping
        Column to value; a column that a row lacks, and what is no number, is empty; lists have spaces.
    """
    names = list(dict.fromkeys(name for row in rows for name in row))
    sys.stdout.write(csv_text(names, [{name: _as_cell(value) for name, value in row.items()} for row in rows]))


def _as_cell(value: Any) -> Any:
    if isinstance(value, list):
        return " ".join(map(str, value))
    return "" if isinstance(value, float) and math.isnan(value) else value


def bar(p: float, width: int = 25) -> str:
    """Draw a probability as a bar of ``#`` and ``.``.

    Parameters
    ----------
    p : float
        Probability in [0, 1].
    width : int, optional
        Characters for 1.

    Returns
    -------
    str
        The bar.

    Examples
    --------
    >>> bar(0.5, 10)
    '#####.....'
    """
    full = round(p * width)
    return "#" * full + "." * (width - full)


@contextmanager
def progress(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show a progress bar on standard error, from one second on, where that is a terminal.

    Parameters
    ----------
    what : str
        What is being done.
    total : int or None
        How much there is to do; None when that is not known.

    Yields
    ------
    callable
        To be called with how much was done since the last call.
    """
    import time

    shown: Any = None
    task: Any = None
    done, begun = 0, time.monotonic()

    def advance(amount: int) -> None:
        nonlocal shown, task, done
        done += amount
        if shown is None and sys.stderr.isatty() and time.monotonic() - begun > 1:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:3.0f}%"))
            shown = Progress(*columns, TimeRemainingColumn(), console=Console(stderr=True), transient=True)
            shown.start()
            task = shown.add_task(what, total=total)
        if shown is not None:
            shown.update(task, completed=done)

    try:
        yield advance
    finally:
        if shown is not None:
            shown.stop()
