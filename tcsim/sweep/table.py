"""Columns of a part: values looked up by code, or one after the other; and how they are written."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.base.csv_text import csv_lines, guarded

#: A value of each kind, for what is never told.
_ANY: dict[str, Any] = {"bool": False, "int": 0, "float": 0.0, "text": ""}

#: Kinds of columns, from the narrowest; a column of several kinds is of the last of them.
KINDS = ("bool", "int", "float", "text")


def kind_of(value: Any) -> str | None:
    """Give the kind of a value; None for none.

    Parameters
    ----------
    value : Any
        Plain data.

    Returns
    -------
    str or None
        One of ``KINDS``.
    """
    if value is None:
        return None
    if isinstance(value, bool):
        return "bool"
    if isinstance(value, int):
        return "int" if -(2**63) <= value < 2**63 else "text"
    return "float" if isinstance(value, float) else "text"


def common(kinds: Sequence[str | None]) -> str:
    """Give the kind of a column.

    Parameters
    ----------
    kinds : sequence of str or None
        Of its values.

    Returns
    -------
    str
        One that holds them all.

    Examples
    --------
    >>> common(["int", None, "float"]), common(["bool", "int"]), common([None])
    ('float', 'text', 'text')
    """
    found = {kind for kind in kinds if kind is not None}
    if found <= {"int", "float"} and found:
        return "float" if "float" in found else "int"
    return found.pop() if len(found) == 1 else "text"


def as_kind(value: Any, kind: str) -> Any:
    """Give a value as one of a kind.

    Parameters
    ----------
    value : Any
        Plain data, None for none.
    kind : str
        One of ``KINDS``.

    Returns
    -------
    Any
        The value; None where it is of another kind, as only scenarios have that cannot be asked.
    """
    if kind == "text":
        text = ("true" if value else "false") if isinstance(value, bool) else str(value)
        if value is None:
            return None
        return text if text.isascii() else text.encode("utf-8", "replace").decode()  # half characters cannot be written
    own = kind_of(value)
    if own == kind:
        return value
    return float(value) if (own, kind) == ("int", "float") else None


@dataclass(frozen=True)
class Column:
    """A column: ``values``, or where there is ``code`` the values that it looks up; None (or NaN) is missing."""

    kind: str
    values: Any
    code: NDArray[np.int64] | None = None

    def take(self, rows: NDArray[np.int64]) -> Column:
        """Give some rows."""
        if self.code is not None:
            return Column(self.kind, self.values, self.code[rows])
        if isinstance(self.values, np.ndarray):
            return Column(self.kind, self.values[rows])
        return Column(self.kind, [self.values[row] for row in rows.tolist()])

    def to_list(self) -> list[Any]:
        """Give its values one after the other."""
        values = self.values.tolist() if isinstance(self.values, np.ndarray) else list(self.values)
        if self.kind == "float":
            values = [None if value is None or value != value else value for value in values]
        return values if self.code is None else [values[code] for code in self.code.tolist()]


def suffix() -> str:
    """Give the kind of file that parts are written as here.

    Returns
    -------
    str
        ``parquet``, or ``csv`` where pyarrow is not installed.
    """
    return "parquet" if find_spec("pyarrow") is not None else "csv"


def read_columns(content: bytes, name: str, names: Sequence[str]) -> list[tuple[int, ...]]:
    """Read whole numbers back from a part.

    Parameters
    ----------
    content : bytes
        What the part holds.
    name : str
        Its name.
    names : sequence of str
        Columns.

    Returns
    -------
    list of tuple of int
        A row each.
    """
    if name.endswith(".parquet"):
        import pyarrow as pa
        import pyarrow.parquet as pq

        table = pq.read_table(pa.BufferReader(content), columns=list(names))
        return list(zip(*(table.column(name).to_pylist() for name in names), strict=True))
    text = io.StringIO(content.decode(), newline="")
    return [tuple(int(row[name]) for name in names) for row in csv.DictReader(text)]


def written(columns: Mapping[str, Column], how: str) -> bytes:
    """Write columns as a file.

    Parameters
    ----------
    columns : mapping of str to Column
        All of the same length.
    how : str
        ``parquet`` or ``csv``.

    Returns
    -------
    bytes
        The same for the same columns, always.
    """
    return _parquet(columns) if how == "parquet" else _csv(columns)


def _csv(columns: Mapping[str, Column]) -> bytes:
    head = [guarded(name) for name in columns]
    told = [_cells(column) for column in columns.values()]
    return csv_lines(chain([head], zip(*told, strict=True))).encode("utf-8", "replace")


def _cells(column: Column) -> list[Any]:
    cells = column.to_list()
    if column.kind == "bool":
        return ["" if cell is None else "true" if cell else "false" for cell in cells]
    if column.kind == "text":
        return [guarded(cell) for cell in cells]
    return ["" if cell is None else repr(cell) for cell in cells]


def _parquet(columns: Mapping[str, Column]) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as pq

    kinds = {"bool": pa.bool_(), "int": pa.int64(), "float": pa.float64(), "text": pa.string()}
    arrays, looked_up = [], []
    for name, column in columns.items():
        kind = kinds[column.kind]
        nan_is_null = column.kind == "float"
        if column.code is None:
            values = pa.array(column.values, type=kind, from_pandas=nan_is_null)
        else:
            # each value once, and 0 where there is none: what is written depends on what is told alone
            told = dict.fromkeys(value for value in column.values if value is not None)
            place = {value: number for number, value in enumerate(told)}
            codes = np.array([place.get(value, 0) for value in column.values], dtype=np.int32)[column.code]
            lacks = np.array([value is None for value in column.values])[column.code]
            values = pa.array(list(place) or [_ANY[column.kind]], type=kind)
            values = pa.DictionaryArray.from_arrays(pa.array(codes, mask=lacks), values)
            if column.kind != "text":
                values = values.dictionary_decode()
            looked_up.append(name)
        arrays.append(values)
    table = pa.Table.from_arrays(arrays, names=list(columns))
    out = pa.BufferOutputStream()
    # without the schema of Arrow: texts that are looked up are read as what they are, texts
    pq.write_table(table, out, compression="zstd", compression_level=1, use_dictionary=looked_up, store_schema=False)
    content: bytes = out.getvalue().to_pybytes()
    return content
