"""A grid: one scenario with lists in place of some values, and every combination of them."""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.base.errors import InputError, show, unknown
from tcsim.catalog import Catalog
from tcsim.rules import DEFAULT_EDITION
from tcsim.sweep.fields import Place, flat, kind_at, put, read_place, told
from tcsim.sweep.queries import Shelf, is_query, rows_asked

Ints = NDArray[np.int64]

#: Most scenarios of a grid, and most values of one of its axes.
MOST, MOST_VALUES = 10**9, 10**6


@dataclass(frozen=True)
class Axis:
    """Places that change together, and what stands in them: one row of values for each point of the axis."""

    places: tuple[Place, ...]
    points: tuple[tuple[Any, ...], ...]
    #: Place to how its tables are called, one for each point, where any has a label.
    labels: Mapping[Place, tuple[str | None, ...]]

    def columns(self) -> dict[str, list[Any]]:
        """Tell its points as columns, None where a point says nothing."""
        rows: list[dict[str, Any]] = []
        for point in self.points:
            row: dict[str, Any] = {}
            for place, value in zip(self.places, point, strict=True):
                row |= flat(value, place)
            rows.append(row)
        names = dict.fromkeys(name for row in rows for name in row)
        return {name: [row.get(name) for row in rows] for name in names}


@dataclass(frozen=True)
class Grid:
    """A scenario, and the axes along which it changes; the last axis changes fastest.

    Examples
    --------
    >>> scenario = {"target": {}, "attacks": [{}]}
    >>> grid = read_grid({"scenario": scenario, "product": {"target.blood": {"from": 0, "to": 6}}})
    >>> grid.size, grid.scenario(3)
    (7, {'target': {'blood': 3}, 'attacks': [{}]})
    """

    base: Mapping[str, Any]
    axes: tuple[Axis, ...]
    #: Files that it names, and that were read.
    files: tuple[Path, ...] = ()

    @property
    def size(self) -> int:
        """How many scenarios it is."""
        return prod(len(axis.points) for axis in self.axes)

    def digits(self, numbers: Ints) -> list[Ints]:
        """Give the point on each axis of scenarios, by their numbers."""
        found, rest = [], numbers
        for axis in reversed(self.axes):
            rest, digit = np.divmod(rest, len(axis.points))
            found.append(digit)
        return found[::-1]

    def scenario(self, number: int) -> dict[str, Any]:
        """Give one scenario, as a scenario file would have it.

        Raises
        ------
        InputError
            When something is in the way of a value.
        """
        digits = [int(digit[0]) for digit in self.digits(np.array([number]))]
        return self.at(list(zip(self.axes, digits, strict=True)))

    def at(self, points: Sequence[tuple[Axis, int]]) -> dict[str, Any]:
        """Lay points of some axes over the base."""
        scenario: dict[str, Any] = copy.deepcopy(dict(self.base))
        for axis, point in points:
            for place, value in zip(axis.places, axis.points[point], strict=True):
                put(scenario, place, copy.deepcopy(value))
        return scenario


def read_grid(data: Any, catalogs: Mapping[str, Catalog] | None = None, beside: Path = Path()) -> Grid:
    """Read a grid from plain data.

    Parameters
    ----------
    data : mapping
        ``scenario``: what all have in common. ``product``: a table of places to values, every combination of which is
        asked, the last fastest. ``zip``: an array of such tables, whose values go together; each is one more axis, and
        they come before those of ``product``.

        Values are an array; a range ``{from = 0, to = 6, step = 1}``, both ends included; or a catalogue query, see
        :func:`tcsim.sweep.queries.rows_asked`. A value may be a table, which is laid over the one that is there; its
        key ``label`` names it.
    catalogs : mapping, optional
        Catalogues by edition, where not those of the books.
    beside : Path, optional
        The folder in which the files lie that it names.

    Returns
    -------
    Grid
        The grid.

    Raises
    ------
    InputError
        With one sentence: what was given, what is allowed.
    """
    if not isinstance(data, Mapping):
        raise InputError(f"a grid is a table with scenario and product, {show(data)} is given")
    for key in data:
        if key not in ("scenario", "product", "zip"):
            raise unknown("key", str(key), ("scenario", "product", "zip"), "grid")
    base = data.get("scenario", {})
    if not isinstance(base, Mapping):
        raise InputError(f"{show(base)} is given, a table is needed", "scenario")
    for name in base:
        kind_at((name,))
    axes: list[Axis] = []
    zips, product = data.get("zip", []), data.get("product", {})
    if not isinstance(zips, list):
        raise InputError(f"{show(zips)} is given, an array of tables ([[zip]] in TOML) is needed", "zip")
    if not isinstance(product, Mapping):
        raise InputError(f"{show(product)} is given, a table of places and values is needed", "product")
    differ = any("edition" in table for table in (product, *zips) if isinstance(table, Mapping))
    shelf = Shelf(catalogs or {}, beside, None if differ else base.get("edition", DEFAULT_EDITION))
    for number, table in enumerate(zips):
        axes.append(_axis(table, f"zip[{number}]", shelf))
    axes += [_axis({place: values}, "product", shelf) for place, values in product.items()]
    places = [place for axis in axes for place in axis.places]
    for place in places:
        if places.count(place) > 1:
            raise InputError("it is given twice, each place can be on one axis", told(place))
    grid = Grid(base, tuple(axes), tuple(shelf.files))
    if grid.size > MOST:
        raise InputError(f"these are {grid.size:,} scenarios, at most {MOST:,} are allowed", "product")
    return grid


def _axis(table: Any, where: str, shelf: Shelf) -> Axis:
    if not isinstance(table, Mapping) or not table:
        raise InputError(f"{show(table)} is given, a table of places and values is needed", where)
    places = tuple(read_place(place, where) for place in table)
    for place in places:
        kind_at(place)
    lists = [_values(values, f"{where}.{place}", shelf) for place, values in table.items()]
    lengths = {len(values) for values in lists}
    if len(lengths) > 1:
        raise InputError(f"the values that go together are {' and '.join(map(str, sorted(lengths)))} in number", where)
    labels: dict[Place, tuple[str | None, ...]] = {}
    plain: list[list[Any]] = []
    for place, values in zip(places, lists, strict=True):
        said = [_label(value, told(place)) for value in values]
        if set(said) != {None}:
            labels[place] = tuple(said)
        plain.append(
            [value if label is None else _unlabelled(value) for value, label in zip(values, said, strict=True)]
        )
    return Axis(places, tuple(zip(*plain, strict=True)), labels)


def _label(value: Any, where: str) -> str | None:
    """How a table is called in the results; that of an event belongs to the event."""
    if not isinstance(value, dict) or "label" not in value or "event" in value:
        return None
    label = value["label"]
    if not isinstance(label, str) or len(label) > 1000:
        raise InputError(f"{show(label)} is given, text of at most 1000 characters is allowed", f"{where}.label")
    return label


def _unlabelled(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in table.items() if key != "label"}


def _values(given: Any, where: str, shelf: Shelf) -> list[Any]:
    if is_query(given):
        return rows_asked(given, shelf, where)
    if isinstance(given, Mapping):
        return _range(given, where)
    if not isinstance(given, list):
        raise InputError(f"{show(given)} is given, an array of values, a range or a query is needed", where)
    if not 0 < len(given) <= MOST_VALUES:
        raise InputError(f"{len(given):,} values are given, 1 to {MOST_VALUES:,} are allowed", where)
    return given


def _range(given: Mapping[str, Any], where: str) -> list[Any]:
    for key in given:
        if key not in ("from", "to", "step"):
            raise unknown("key", str(key), ("from", "to", "step"), where)
    said = {"from": given.get("from", 0), "to": given.get("to"), "step": given.get("step", 1)}
    for name, value in said.items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not abs(value) < 1e9:
            raise InputError(f"{show(value)} is given, a number below 1,000,000,000 is needed", f"{where}.{name}")
    start, stop, step = (Decimal(str(value)) for value in said.values())  # 0.1 is a tenth, and three of it are 0.3
    if not step or (stop - start) * step < 0:
        raise InputError("it has no values; step goes from from to to", where)
    count = int((stop - start) / step) + 1
    if count > MOST_VALUES:
        raise InputError(f"it has more than {MOST_VALUES:,} values, which are the most that are allowed", where)
    values = [start + number * step for number in range(count)]
    return [int(value) if value == value.to_integral_value() else float(value) for value in values]
