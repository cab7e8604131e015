"""Files of scenarios: JSON lines, CSV and Parquet. They are looked through once before anything is answered."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from tcsim.base.errors import InputError, show
from tcsim.base.files import MAX_BYTES, because
from tcsim.sweep.answers import RESULTS
from tcsim.sweep.fields import flat
from tcsim.sweep.questions import take_apart
from tcsim.sweep.sources import FREE_COLUMNS, Line, LinesSource, key_of, scenario_of
from tcsim.sweep.table import common, kind_of

#: Most columns that are told of scenarios; of more, what they ask is told as one text.
MOST_COLUMNS = 400

#: Columns that a sweep writes itself: a part of one can be the input of another.
_OURS = {*RESULTS, "row", "line", "catalog"}


class FileSource(LinesSource):
    """The scenarios of a file.

    Parameters
    ----------
    path : Path
        The file.
    kind : str
        ``jsonl``, ``csv`` or ``parquet``.
    size, schema
        As for :class:`LinesSource`; what :func:`look_through` found.
    """

    def __init__(self, path: Path, kind: str, size: int, schema: dict[str, str]) -> None:
        super().__init__(size, schema)
        self._path, self._kind = path, kind

    def pieces(self, length: int) -> Iterator[list[Line]]:
        """Cut the lines into pieces of so many."""
        piece: list[Line] = []
        for line in lines_of(self._path, self._kind):
            piece.append(line)
            if len(piece) == length:
                yield piece
                piece = []
        if piece:
            yield piece


def lines_of(path: Path, kind: str) -> Iterator[Line]:
    """Give the lines or rows of a file, with their numbers; empty lines are left out, but counted.

    Parameters
    ----------
    path : Path
        The file.
    kind : str
        ``jsonl``, ``csv`` or ``parquet``.

    Yields
    ------
    int, bytes or dict or None
        The number, from 1, and what stands there; None for a line of over 1 MiB.

    Raises
    ------
    InputError
        When the file cannot be read.
    """
    try:
        yield from {"jsonl": _json_lines, "csv": _csv_rows, "parquet": _parquet_rows}[kind](path)
    except OSError as error:
        raise InputError(f"{show(str(path), 200)} cannot be read: {because(error)}") from None


def _json_lines(path: Path) -> Iterator[Line]:
    with path.open("rb") as file:
        number = 0
        while line := file.readline(MAX_BYTES + 2):
            number += 1
            whole = line.endswith(b"\n") or len(line) <= MAX_BYTES
            while not line.endswith(b"\n") and (
                more := file.readline(MAX_BYTES)
            ):  # the rest of a line that is too long
                whole, line = False, more
            if not whole:
                yield number, None
            elif line.removeprefix(b"\xef\xbb\xbf").strip():
                yield number, line.strip(b"\r\n")


def _csv_rows(path: Path) -> Iterator[Line]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        try:
            reader = csv.reader(file)
            head = next(reader, [])
            for cells in reader:
                if any(cells):
                    yield reader.line_num, _row(dict(zip(head, cells, strict=False)))
        except (csv.Error, UnicodeDecodeError) as error:
            raise InputError(f"this is not CSV in UTF-8: {error}", path.name) from None


def _parquet_rows(path: Path) -> Iterator[Line]:
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise InputError('the library pyarrow is not installed; pip install "tcsim[parquet]" gives it') from None
    import pyarrow as pa

    number = 0
    try:
        with pq.ParquetFile(path) as file:
            for batch in file.iter_batches(batch_size=1 << 14):
                for row in batch.to_pylist():
                    number += 1
                    yield number, _row(row)
    except pa.ArrowException as error:
        raise InputError(f"this is not Parquet: {str(error)[:200]}", path.name) from None


def _row(row: dict[str, Any]) -> dict[str, Any]:
    return {name: cell for name, cell in row.items() if name not in _OURS}


def look_through(path: Path, kind: str) -> tuple[int, dict[str, str]]:
    """Count the scenarios of a file, and see what is to be told of them.

    Parameters
    ----------
    path : Path
        The file.
    kind : str
        ``jsonl``, ``csv`` or ``parquet``.

    Returns
    -------
    int, dict of str to str
        How many there are; column to kind.

    Raises
    ------
    InputError
        When the file cannot be read.
    """
    size, kinds, has_id = 0, {}, False
    seen: set[bytes] = set()
    found: dict[str, set[str | None]] = {}
    for _, line in lines_of(path, kind):
        size += 1
        try:
            # what is wrong with a line is told when it is answered
            data = msgspec.json.decode(line) if isinstance(line, bytes) else scenario_of(line)
        except (msgspec.DecodeError, InputError, UnicodeDecodeError, RecursionError):
            continue
        if isinstance(data, dict) and "id" in data:
            has_id = True
            del data["id"]
        rest, said = take_apart(data)
        for name, column in _FREE_NAMES.items():
            if name in said:
                found.setdefault(column, set()).add("bool" if name == "down" else "int")
        key = key_of(rest)
        if key in seen or not isinstance(rest, dict):
            continue
        if len(seen) < 1_000_000:
            seen.add(key)
        for column, value in flat(rest).items():
            if value != "{}":
                found.setdefault(column, set()).add(kind_of(value))
    kinds = {column: common(list(of)) for column, of in sorted(found.items(), key=lambda one: _order(one[0]))}
    if len(kinds) > MOST_COLUMNS:
        kinds = {}
    return size, ({"id": "text"} if has_id else {}) | kinds


_FREE_NAMES = {name: column for column, name in FREE_COLUMNS.items()}


def _order(column: str) -> tuple[int, str]:
    """Edition first, then attacker, target, attacks, spend and options."""
    head = column.partition(".")[0].partition("[")[0]
    order = ("edition", "attacker", "target", "attacks", "spend", "options")
    return (order.index(head) if head in order else len(order), column)


def errors_text(lines: list[dict[str, Any]]) -> bytes:
    """Write what is wrong with lines as JSON lines.

    Parameters
    ----------
    lines : list of dict
        ``id``, ``line`` (or ``row``), ``error``.

    Returns
    -------
    bytes
        UTF-8.
    """
    out = io.BytesIO()
    for line in lines:
        out.write(msgspec.json.encode(line) + b"\n")
    return out.getvalue()
