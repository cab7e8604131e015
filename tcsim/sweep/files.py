"""Lines and rows of files: JSON lines, CSV and Parquet."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

from tcsim.base.csv_text import unguarded
from tcsim.base.errors import InputError, show
from tcsim.base.files import MAX_BYTES, because, short_name
from tcsim.sweep.cells import asked_columns

#: A line or row of a file: its number, counted from 1, and what it says; an error where it cannot be read at all.
Line = tuple[int, Any]


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
