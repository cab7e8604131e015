"""CSV that is safe to open: a name that a spreadsheet would take for a formula stays a name.

The manner is the one that OWASP recommends against CSV injection: an apostrophe before text that begins with ``=``,
``+``, ``-``, ``@``, a tab or a line end (or their full-width forms). Numbers stay as they are; Parquet and JSON have
names as they were given.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

#: What a formula can begin with.
FORMULA = frozenset("=+-@\t\r\n＝＋－＠")


def guarded(cell: Any) -> Any:
    """Give a cell as it can be written.

    Parameters
    ----------
    cell : Any
        Text, a number, or anything that is written as its ``str``.

    Returns
    -------
    Any
        The same, with an apostrophe before text that would be a formula, or be one without the apostrophes that it
        begins with: so :func:`unguarded` can take it away again.

    Examples
    --------
    >>> guarded("=1+1"), guarded("-2"), guarded(-2), guarded("Sword / Axe"), guarded("'=1+1")
    ("'=1+1", '-2', -2, 'Sword / Axe', "''=1+1")
    """
    return "'" + cell if isinstance(cell, str) and _is_formula(cell.lstrip("'")) else cell


def unguarded(cell: str) -> str:
    """Give text as it was before :func:`guarded`.

    Parameters
    ----------
    cell : str
        As it was written.

    Returns
    -------
    str
        Without the apostrophe that was put before it, if any was.

    Examples
    --------
    >>> unguarded("'=1+1"), unguarded("'tis"), unguarded("''=1+1")
    ('=1+1', "'tis", "'=1+1")
    """
    return cell[1:] if cell[:1] == "'" and _is_formula(cell.lstrip("'")) else cell


def _is_formula(text: str) -> bool:
    if text[:1] not in FORMULA or len(text) < 2:
        return False
    try:
        float(text)
    except ValueError:
        return True
    return False


def csv_text(names: Sequence[str], rows: Iterable[Mapping[str, Any]], head: bool = True) -> str:
    r"""Write rows as CSV.

    Parameters
    ----------
    names : sequence of str
        The columns.
    rows : iterable of mapping
        Column to cell; what is missing is empty.
    head : bool, optional
        Whether the names of the columns come first.

    Returns
    -------
    str
        Lines that end in a line feed.

    Examples
    --------
    >>> csv_text(["name", "n"], [{"name": "=cmd()", "n": -1}])
    "name,n\n'=cmd(),-1\n"
    """
    lines = [[guarded(row.get(name, "")) for name in names] for row in rows]
    return csv_lines([[guarded(name) for name in names], *lines] if head else lines)


def csv_lines(rows: Iterable[Sequence[Any]]) -> str:
    r"""Write lines whose text is guarded already.

    Parameters
    ----------
    rows : iterable of sequence
        The cells of each line.

    Returns
    -------
    str
        Lines that end in a line feed.

    Examples
    --------
    >>> csv_lines([["name", "n"], [guarded("=cmd()"), -1]])
    "name,n\n'=cmd(),-1\n"
    """
    lines = list(rows)
    text = _joined(lines, "\n")
    if "\r" not in text:
        return text
    # Python quotes the signs of its line ends alone, and a carriage return would end a line for those who read it
    return "".join(_joined([line], "\r\n").removesuffix("\r\n") + "\n" for line in lines)


def _joined(lines: Sequence[Sequence[Any]], end: str) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator=end).writerows(lines)
    return out.getvalue()
