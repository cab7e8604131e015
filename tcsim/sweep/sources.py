"""Where scenarios come from: cut into pieces that become one part each. Here a grid; for files see lines."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from tcsim.base.errors import InputError
from tcsim.sweep.fields import Place, flat, kind_at, leave_out, read_place, told
from tcsim.sweep.grid import Axis, Grid
from tcsim.sweep.questions import FREE, TIMES, Rows, free_value
from tcsim.sweep.table import KINDS, Column, as_kind, common, kind_of

Ints = NDArray[np.int64]

#: Most combinations of axes whose columns are remembered.
_MOST_KNOWN = 60_000


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
    #: Column to kind, for what is told of scenarios.
    schema: dict[str, str]
    #: What its scenarios are counted in, row or line, as a column is called.
    counts: str

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

    counts = "row"

    def __init__(self, grid: Grid) -> None:
        self.grid, self.size = grid, grid.size
        self._free = [self._free_axis(axis) for axis in grid.axes]
        self._base = {name: value for name, value in flat(grid.base).items() if name != "id" and _is_place(name)}
        told_of = [axis.columns() for axis in grid.axes]
        found: dict[str, list[Any]] = {name: [value] for name, value in self._base.items()}
        for columns in told_of:
            for name, values in columns.items():
                found.setdefault(_column(name), []).extend(values)
        #: Column to kind.
        self.schema = {name: kind_in(name, map(kind_of, values)) for name, values in found.items() if _is_place(name)}
        self._labels = [
            {f"label.{told(place)}": [as_kind(one, "text") for one in of] for place, of in axis.labels.items()}
            for axis in grid.axes
        ]
        self.schema |= {name: "text" for columns in self._labels for name in columns}
        self._groups = self._grouped()
        self._known: list[dict[int, dict[str, Any]]] = [{} for _ in self._groups]

    def _grouped(self) -> list[tuple[list[int], list[str]]]:
        """Axes that speak of the same columns, as ``target`` and ``target.blood``, and these columns."""
        names = [(name, read_place(name)) for name in self.schema if not name.startswith("label.")]
        groups: list[tuple[list[int], list[str]]] = []
        for number, axis in enumerate(self.grid.axes):
            mine, axes = [name for name, place in names if any(_meet(place, one) for one in axis.places)], [number]
            for other in [group for group in groups if set(group[1]) & set(mine)]:
                groups.remove(other)
                axes, mine = other[0] + axes, list(dict.fromkeys(other[1] + mine))
            groups.append((axes, mine))
        return groups

    def _columns_of(self, group: int, digits: list[Ints]) -> dict[str, Column]:
        """The columns of some axes: what a scenario really says, whatever was laid over what."""
        axes, names = self._groups[group]
        known = self._known[group]
        if len(known) > _MOST_KNOWN:
            known.clear()
        sizes = tuple(len(self.grid.axes[number].points) for number in axes)
        combined = np.ravel_multi_index(tuple(digits[number] for number in axes), sizes)
        different, code = np.unique(combined, return_inverse=True)
        points = np.array(np.unravel_index(different, sizes)).T.tolist()
        for key, point in zip(different.tolist(), points, strict=True):
            if key not in known:
                chosen = [self.grid.axes[number] for number in axes]
                try:
                    known[key] = flat(self.grid.at(list(zip(chosen, point, strict=True))))
                except InputError:
                    known[key] = {}
        rows = [known[key] for key in different.tolist()]
        return {
            name: Column(self.schema[name], [as_kind(row.get(name), self.schema[name]) for row in rows], code)
            for name in names
        }

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
        if place in TIMES.values():
            attacks, number = self.grid.base.get("attacks"), place[1]
            if not isinstance(attacks, list) or not isinstance(number, int) or number >= len(attacks):
                return False
            if not isinstance(attacks[number], Mapping) or "event" in attacks[number]:
                return False
            return all(other[0] != "attacks" or (len(other) > 2 and other[2] != "event") for other in others)
        if place == FREE["spend"]:  # beside rows of a policy nothing else can be said
            spend = self.grid.base.get("spend", {})
            if not isinstance(spend, Mapping) or "policy" in spend:
                return False
            return not any(other == ("spend",) or other[:2] == ("spend", "policy") for other in others)
        return not any(place[: len(other)] == other and _sets(self.grid, other, place) for other in others)

    @property
    def different(self) -> int:
        """How many scenarios must be resolved, as the others differ from them in free fields alone."""
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
        different, rest = np.unique(combined, return_inverse=True)
        points = np.array(np.unravel_index(different, sizes)).T if fixed else np.zeros((1, 0), dtype=np.int64)

        def scenario(number: int) -> dict[str, Any]:
            chosen = [self.grid.axes[axis] for axis in fixed]
            found = self.grid.at(list(zip(chosen, points[number].tolist(), strict=True)))
            for name in free:
                leave_out(found, FREE[name])
            return found

        free: dict[str, Ints] = {}
        for digit, values in zip(digits, self._free, strict=True):
            free |= {name: np.array(listed)[digit] for name, listed in (values or {}).items()}
        columns = {
            name: Column(self.schema[name], [as_kind(value, self.schema[name])], 0 * numbers)
            for name, value in self._base.items()
        }
        for group in range(len(self._groups)):
            columns |= self._columns_of(group, digits)
        for digit, labels in zip(digits, self._labels, strict=True):
            columns |= {
                name: Column("text", [as_kind(one, "text") for one in of], digit) for name, of in labels.items()
            }
        keys: list[Hashable] = different.tolist()
        return Piece(Rows(keys, scenario, rest, free), numbers, {name: columns[name] for name in self.schema})


def kind_in(name: str, seen: Iterable[str | None]) -> str:
    """Give the kind of a column: that of its field, whatever a sweep says in it; of what depends, by what was seen.

    Parameters
    ----------
    name : str
        A place of a scenario.
    seen : iterable of str or None
        Kinds of values that stand there.

    Returns
    -------
    str
        One of ``KINDS`` of :mod:`tcsim.sweep.table`.
    """
    kind = kind_at(read_place(name))
    return common(list(seen)) if kind == "any" else kind if kind in KINDS else "text"


def _is_place(name: str) -> bool:
    try:
        return bool(kind_at(read_place(name)))
    except InputError:
        return False


def _column(name: str) -> str:
    """The column in which a place is told: of one name among several, as ``target.armour[0]``, that of all of them."""
    place = read_place(name) if _is_place(name) else ()
    return told(place[:-1]) if place and isinstance(place[-1], int) and kind_at(place) == "text" else name


def _meet(place: Place, other: Place) -> bool:
    length = min(len(place), len(other))
    return place[:length] == other[:length]


def _sets(grid: Grid, table: Place, place: Place) -> bool:
    """Whether an axis of tables says something of a place inside them."""
    for axis in grid.axes:
        if table in axis.places:
            number = axis.places.index(table)
            return any(told(place) in flat(point[number], table) for point in axis.points)
    return False
