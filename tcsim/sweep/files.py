"""Files of scenarios: JSON lines, CSV and Parquet. They are looked through once before anything is answered."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

import msgspec

from tcsim.base.csv_text import unguarded
from tcsim.base.errors import InputError, show
from tcsim.base.files import MAX_BYTES, because, short_name
from tcsim.scenario.read import from_mapping
from tcsim.sweep.cells import WHOLE, asked_columns, scenario_of
from tcsim.sweep.fields import flat, read_place
from tcsim.sweep.questions import FREE, said_value, take_apart
from tcsim.sweep.sources import FREE_COLUMNS, Line, LinesSource, key_of, kind_in
from tcsim.sweep.table import kind_of

#: Most columns that are told of scenarios; of more, each is told whole, as JSON.
MOST_COLUMNS = 400

#: Most different scenarios that are remembered, so as not to look at them twice.
_MOST_SEEN = 200_000

#: Most lines of different shapes that are remembered; and what makes lines alike that differ in numbers alone.
_MOST_SHAPES, _ONE_DIGIT = 50_000, bytes.maketrans(b"123456789", b"000000000")


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
    int, bytes or dict or InputError
        The number, from 1, and what stands there, or why it cannot be read.

    Raises
    ------
    InputError
        When the file cannot be read.
    """
    try:
        yield from {"jsonl": _json_lines, "csv": _csv_rows, "parquet": _parquet_rows}[kind](path)
    except OSError as error:
        raise InputError(f"{show(str(path), 200)} cannot be read: {because(error)}") from None


def _lines(file: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a file; None for one that is longer than 1 MiB, of which no more is held in memory."""
    while line := file.readline(MAX_BYTES + 2):
        whole = line.endswith(b"\n") or len(line) <= MAX_BYTES
        while not line.endswith(b"\n") and (more := file.readline(MAX_BYTES)):
            whole, line = False, more
        yield line if whole else None


_TOO_LONG = "the line is longer than 1 MiB"


def _json_lines(path: Path) -> Iterator[Line]:
    with path.open("rb") as file:
        for number, line in enumerate(_lines(file), 1):
            if line is None:
                yield number, InputError(_TOO_LONG)
            elif line.removeprefix(b"\xef\xbb\xbf").strip():
                yield number, line.strip(b"\r\n")


def _csv_rows(path: Path) -> Iterator[Line]:
    too_long = 0

    def text_of(lines: Iterator[bytes | None]) -> Iterator[str]:
        nonlocal too_long
        for number, line in enumerate(lines):
            too_long += line is None
            found = b"\n" if line is None else line.removeprefix(b"\xef\xbb\xbf") if not number else line
            yield found.decode("utf-8", "surrogateescape")  # a row that is not UTF-8 is wrong, not all of them

    with path.open("rb") as file:
        reader = csv.reader(text_of(_lines(file)))
        try:
            head = next(reader, [])
        except csv.Error as error:
            raise InputError(f"this is not CSV: {error}", short_name(path)) from None
        names = asked_columns(head, short_name(path))
        places = [head.index(name) for name in names]
        is_ours = {"fingerprint", "tcsim"} <= set(head)  # in which text that a formula could be was guarded
        while True:
            number, long_before = reader.line_num + 1, too_long
            try:
                cells = next(reader)
            except StopIteration:
                return
            except csv.Error as error:
                yield number, InputError(f"this is not CSV: {error}")
                continue
            if too_long > long_before:
                yield number, InputError(_TOO_LONG)
            elif len(cells) > len(head):
                yield number, InputError(f"the row has {len(cells):,} cells, the first row has {len(head):,}")
            elif any(cells):
                cells += [""] * (len(head) - len(cells))
                said = [unguarded(cells[place]) if is_ours else cells[place] for place in places]
                yield number, dict(zip(names, said, strict=True))


def _parquet_rows(path: Path) -> Iterator[Line]:
    try:
        import pyarrow.parquet as pq
    except ImportError:
        raise InputError('the library pyarrow is not installed; pip install "tcsim[parquet]" gives it') from None
    import pyarrow as pa

    number = 0
    try:
        with pq.ParquetFile(path) as file:
            names = asked_columns(file.schema_arrow.names, short_name(path))
            for batch in file.iter_batches(batch_size=1 << 14, columns=names):
                columns = [batch.column(name).to_pylist() for name in names]
                for row in zip(*columns, strict=True) if names else [()] * batch.num_rows:
                    number += 1
                    yield number, dict(zip(names, row, strict=True))
    except InputError:
        raise
    except (pa.ArrowException, ValueError, OverflowError, OSError) as error:
        if isinstance(error, OSError) and error.errno:  # of the disk; what pyarrow finds in the file has no number
            raise
        raise InputError(f"this is not Parquet that can be read: {str(error)[:200]}", short_name(path)) from None


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
    size, has_id = 0, False
    seen: set[bytes] = set()
    shapes: set[bytes] = set()
    found: dict[str, set[str | None]] = {}
    for _, line in lines_of(path, kind):
        size += 1
        shape = line.translate(_ONE_DIGIT) if isinstance(line, bytes) else b""
        if shape in shapes:  # the same fields, told by other numbers
            continue
        try:
            # what is wrong with a line is told when it is answered
            data = msgspec.json.decode(line) if isinstance(line, bytes) else scenario_of(line)
            has_id |= isinstance(data, dict) and "id" in data
            rest, said = take_apart(data)
            key = hashlib.blake2b(key_of(rest) + bytes(name in said for name in FREE), digest_size=16).digest()
            if key in seen or not isinstance(rest, dict):
                continue
            told = flat(rest) | {_FREE_NAMES[name]: said_value(name, value) for name, value in said.items()}
            if not told.keys() <= found.keys():
                from_mapping(data)  # what is no scenario says nothing of the columns that there are
        except (msgspec.DecodeError, InputError, UnicodeError, RecursionError):
            continue
        if len(seen) < _MOST_SEEN:
            seen.add(key)
        if shape and len(shapes) < _MOST_SHAPES:
            shapes.add(shape)
        for column, value in told.items():
            found.setdefault(column, set()).add(kind_of(value))
    found.pop("id", None)
    kinds = {column: kind_in(column, found[column]) for column in sorted(found, key=_order)}
    if len(kinds) > MOST_COLUMNS:
        kinds = {WHOLE: "text"}
    return size, ({"id": "text"} if has_id else {}) | kinds


_FREE_NAMES = {name: column for column, name in FREE_COLUMNS.items()}


def _order(column: str) -> tuple[int, list[tuple[bool, int | str]]]:
    """Edition first, then attacker, target, attacks, spend and options; attacks by their numbers."""
    place = read_place(column)
    order = ("edition", "attacker", "target", "attacks", "spend", "options")
    return order.index(str(place[0])), [(isinstance(part, str), part) for part in place]
