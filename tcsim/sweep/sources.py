"""Where scenarios come from: a grid, or lines and rows of files; cut into pieces that become one part each."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import msgspec
import numpy as np
from numpy.typing import NDArray

from tcsim.base.errors import InputError
from tcsim.base.files import parse_json
from tcsim.sweep.fields import Place, flat, put, read_place, told
from tcsim.sweep.grid import Axis, Grid
from tcsim.sweep.questions import FREE, UNSAID, Rows, free_value, take_apart
from tcsim.sweep.table import Column, as_kind, common, kind_of

Ints = NDArray[np.int64]

#: The columns of the free fields.
FREE_COLUMNS = {told(place): name for name, place in FREE.items()}


@dataclass
class Piece:
    """The scenarios of a part: taken apart; numbers of rows or lines, columns, and what cannot be read."""

    rows: Rows
    numbers: Ints
    columns: dict[str, Column]
    errors: dict[int, str] = field(default_factory=dict)
    ids: Sequence[str | None] = ()


class Source(Protocol):
    """Gives the pieces of its input, in order."""

    size: int
    schema: dict[str, str]

    def pieces(self, length: int) -> Iterator[Any]:
        """Cut the input: what is given can be sent to another machine."""

    def read(self, piece: Any) -> Piece:
        """Read a piece."""


class GridSource:
    """The scenarios of a grid.

    Parameters
    ----------
    grid : Grid
        The grid.
    """

    def __init__(self, grid: Grid) -> None:
        self.grid, self.size = grid, grid.size
        self._free = [self._free_axis(axis) for axis in grid.axes]
        self._base = {
            name: value for name, value in flat(grid.base).items() if name not in ("", "id") and value != "{}"
        }
        self._columns: list[dict[str, tuple[str, list[Any]]]] = []
        for axis in grid.axes:
            kinds = {name: common([kind_of(v) for v in values]) for name, values in axis.columns().items()}
            columns = axis.columns().items()
            self._columns.append(
                {name: (kinds[name], [as_kind(value, kinds[name]) for value in values]) for name, values in columns}
            )
        #: Column to kind.
        self.schema = {name: kind_of(value) or "text" for name, value in self._base.items()}
        for columns_of in self._columns:
            self.schema |= {name: kind for name, (kind, _) in columns_of.items()}

    def _free_axis(self, axis: Axis) -> dict[str, list[int]] | None:
        """The numbers of an axis of free fields; None for another one."""
        names = {place: name for name, place in FREE.items()}
        found: dict[str, list[int]] = {}
        for number, place in enumerate(axis.places):
            if place not in names or not self._is_alone(axis, place):
                return None
            values = [free_value(names[place], point[number]) for point in axis.points]
            if any(value is None for value in values):
                return None
            found[names[place]] = [value for value in values if value is not None]
        return found

    def _is_alone(self, axis: Axis, place: Place) -> bool:
        """Whether nothing else of the grid decides what stands there."""
        others = [one for other in self.grid.axes if other is not axis for one in other.places]
        if place == FREE["times"]:
            attacks = self.grid.base.get("attacks")
            if not isinstance(attacks, list) or len(attacks) != 1 or not isinstance(attacks[0], Mapping):
                return False
            if "event" in attacks[0]:
                return False
            return all(other[0] != "attacks" or (len(other) > 2 and other[1] == 0) for other in others)
        return not any(place[: len(other)] == other and _sets(self.grid, other, place) for other in others)

    @property
    def different(self) -> int:
        """How many parts of scenarios must be resolved."""
        axes = zip(self.grid.axes, self._free, strict=True)
        return math.prod(len(axis.points) for axis, free in axes if free is None)

    def pieces(self, length: int) -> Iterator[tuple[int, int]]:
        """Cut the grid: the first scenario of each piece, and the one behind the last."""
        for start in range(0, self.size, length):
            yield start, min(start + length, self.size)

    def read(self, piece: tuple[int, int]) -> Piece:
        """Take the scenarios of a piece apart."""
        numbers = np.arange(*piece)
        digits = self.grid.digits(numbers)
        fixed = [number for number, free in enumerate(self._free) if free is None]
        sizes = tuple(len(self.grid.axes[number].points) for number in fixed)
        combined = np.ravel_multi_index(tuple(digits[number] for number in fixed), sizes) if fixed else 0 * numbers
        different, part = np.unique(combined, return_inverse=True)
        points = np.array(np.unravel_index(different, sizes)).T if fixed else np.zeros((1, 0), dtype=np.int64)

        def scenario(number: int) -> dict[str, Any]:
            chosen = [self.grid.axes[axis] for axis in fixed]
            return self.grid.at(list(zip(chosen, points[number].tolist(), strict=True)))

        free: dict[str, Ints] = {}
        for digit, values in zip(digits, self._free, strict=True):
            free |= {name: np.array(listed)[digit] for name, listed in (values or {}).items()}
        columns = {
            name: Column(self.schema[name], [as_kind(value, self.schema[name])], 0 * numbers)
            for name, value in self._base.items()
        }
        for digit, of_axis in zip(digits, self._columns, strict=True):
            columns |= {
                name: Column(self.schema[name], [as_kind(value, self.schema[name]) for value in values], digit)
                for name, (_, values) in of_axis.items()
            }
        keys: list[Hashable] = different.tolist()
        return Piece(Rows(keys, scenario, part, free), numbers, {name: columns[name] for name in self.schema})


def _sets(grid: Grid, table: Place, place: Place) -> bool:
    """Whether an axis of tables says something of a place inside them."""
    for axis in grid.axes:
        if table in axis.places:
            number = axis.places.index(table)
            return any(told(place) in flat(point[number], table) for point in axis.points)
    return False


#: A line or row of a file: its number, counted from 1, and what it says; None for a line that is too long.
Line = tuple[int, Any]


class LinesSource(ABC):
    """Scenarios one after the other, as lines of JSON or as rows of a table.

    Parameters
    ----------
    size : int
        How many there are.
    schema : dict of str to str
        Column to kind, for what is told of each.
    """

    def __init__(self, size: int, schema: dict[str, str]) -> None:
        self.size, self.schema = size, schema

    @abstractmethod
    def pieces(self, length: int) -> Iterator[list[Line]]:
        """Cut the lines; see :mod:`tcsim.sweep.files`."""

    def read(self, piece: Sequence[Line]) -> Piece:
        """Read lines."""
        parts: dict[Hashable, int] = {}
        texts: list[Any] = []
        size = len(piece)
        part = np.zeros(size, dtype=np.int64)
        free = {name: np.full(size, UNSAID, dtype=np.int64) for name in FREE}
        errors: dict[int, str] = {}
        ids: list[str | None] = [None] * size
        for row, (_, line) in enumerate(piece):
            try:
                data = scenario_of(line)
            except InputError as error:
                errors[row], data = str(error), None
            if isinstance(data, dict) and isinstance(data.get("id"), str) and len(data["id"]) <= 1000:
                told_id = as_kind(data["id"], "text")
                if told_id == data["id"]:  # any other one is an error, which reading it tells
                    ids[row] = data.pop("id")
            rest, said = take_apart(data)
            key = key_of(rest)
            place = parts.setdefault(key, len(parts))
            if place == len(texts):
                texts.append(rest)
            part[row] = place
            for name, value in said.items():
                free[name][row] = value
        told_of = [flat(rest) if isinstance(rest, dict) else {} for rest in texts]
        columns: dict[str, Column] = {}
        for name, kind in self.schema.items():
            if name == "id":
                columns[name] = Column("text", ids)
                continue
            values = [as_kind(one.get(name), kind) for one in told_of]
            if name in FREE_COLUMNS:
                own = [values[place] for place in part.tolist()]
                said_of = free[FREE_COLUMNS[name]].tolist()
                as_bool = name == "target.down"
                values = [
                    mine if value == UNSAID else as_kind(bool(value) if as_bool else value, kind)
                    for mine, value in zip(own, said_of, strict=True)
                ]
                columns[name] = Column(kind, values)
            else:
                columns[name] = Column(kind, values, part)

        def scenario(number: int) -> Any:
            # not deepcopy: it would fail on nothing, but be slow; what is set lies in target and attacks
            rest = texts[number]
            if not isinstance(rest, dict):
                return rest
            found = dict(rest)
            if isinstance(found.get("target"), dict):
                found["target"] = dict(found["target"])
            if isinstance(found.get("attacks"), list):
                found["attacks"] = [dict(one) if isinstance(one, dict) else one for one in found["attacks"]]
            return found

        numbers = np.array([number for number, _ in piece], dtype=np.int64)
        return Piece(Rows(list(parts), scenario, part, free), numbers, columns, errors, ids)


def key_of(rest: Any) -> bytes:
    """Name plain data by what it says.

    Parameters
    ----------
    rest : Any
        Plain data.

    Returns
    -------
    bytes
        The same for the same data only.
    """
    try:
        return msgspec.json.encode(rest)
    except (OverflowError, UnicodeEncodeError, msgspec.MsgspecError, TypeError, RecursionError):
        return repr(rest).encode("utf-8", "backslashreplace")


def scenario_of(line: Any) -> Any:
    """Read a line of JSON, or a row of a table, as a scenario.

    Parameters
    ----------
    line : bytes, mapping or None
        As a file has it; of a row, columns that are no places of a scenario must be gone. None: the line is too long.

    Returns
    -------
    Any
        Plain data, its shape not checked.

    Raises
    ------
    InputError
        When it cannot be read.

    Examples
    --------
    >>> scenario_of({"target.blood": "2", "attacks[0].cover": "true", "attacks[0].weapon": ""})
    {'target': {'blood': 2}, 'attacks': [{'cover': True}]}
    """
    if line is None:
        raise InputError("the line is longer than 1 MiB")
    if isinstance(line, bytes):
        return parse_json(line)
    scenario: dict[str, Any] = {}
    for name, cell in line.items():
        value = value_of(cell) if name != "id" else cell
        if value is not None and value != "":
            put(scenario, read_place(name), value)
    return scenario


def value_of(cell: Any) -> Any:
    """Give what a cell of a table says: text as the number, word, array or table that it is.

    Parameters
    ----------
    cell : Any
        Text, or a value of a table that knows kinds.

    Returns
    -------
    Any
        Plain data; None for an empty cell.

    Examples
    --------
    >>> value_of("-2"), value_of("true"), value_of('["FIRE"]'), value_of("Bolt-Action Rifle"), value_of("")
    (-2, True, ['FIRE'], 'Bolt-Action Rifle', None)
    """
    if not isinstance(cell, str):
        return None if cell is None or cell != cell else cell
    text = cell.strip()
    if text[:1] in "[{" and text:
        return parse_json(text)
    if text in ("true", "True", "TRUE"):
        return True
    if text in ("false", "False", "FALSE"):
        return False
    if text[:1] in "+-0123456789" and len(text) < 20:
        try:
            return int(text)
        except ValueError:
            pass
        try:
            return float(text) if text.lower().strip("+-") not in ("nan", "inf", "infinity") else cell
        except ValueError:
            pass
    return text or None
