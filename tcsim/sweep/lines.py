"""Scenarios of a file, one after the other: looked through once before anything is answered, then read by pieces."""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from tcsim.base.errors import InputError
from tcsim.scenario.read import from_mapping
from tcsim.sweep.cells import WHOLE, scenario_of
from tcsim.sweep.fields import flat, put, read_place, told
from tcsim.sweep.files import Line, lines_of
from tcsim.sweep.questions import FREE, UNSAID, Rows, said_value, take_apart
from tcsim.sweep.sources import Ints, Piece, kind_in
from tcsim.sweep.table import Column, as_kind, kind_of

#: The columns of the free fields.
FREE_COLUMNS = {told(place): name for name, place in FREE.items()}

#: Most columns that are told of scenarios; of more, each is told whole, as JSON.
MOST_COLUMNS = 400

#: Most different scenarios that are remembered, so as not to look at them twice.
_MOST_SEEN = 200_000

#: Most lines of different shapes that are remembered; and what makes lines alike that differ in numbers alone.
_MOST_SHAPES, _ONE_DIGIT = 50_000, bytes.maketrans(b"123456789", b"000000000")


class FileSource:
    """The scenarios of a file.

    Parameters
    ----------
    path : Path
        The file.
    kind : str
        ``jsonl``, ``csv`` or ``parquet``.
    size : int
        How many there are.
    schema : dict of str to str
        Column to kind, for what is told of each; both as :func:`look_through` found them.
    """

    counts = "line"

    def __init__(self, path: Path, kind: str, size: int, schema: dict[str, str]) -> None:
        self._path, self._kind = path, kind
        self.size, self.schema = size, schema

    def pieces(self, length: int) -> Iterator[list[Line]]:
        """Cut the lines into pieces of so many."""
        lines = lines_of(self._path, self._kind)
        while piece := list(islice(lines, length)):
            yield piece

    def read(self, piece: Sequence[Line]) -> Piece:
        """Read lines."""
        places: dict[Hashable, int] = {}
        rests: list[Any] = []
        size = len(piece)
        rest_of = np.zeros(size, dtype=np.int64)
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
            place = places.setdefault(key, len(places))
            if place == len(rests):
                rests.append(rest)
            rest_of[row] = place
            for name, value in said.items():
                free[name][row] = value
        told_of = [_told(rest) for rest in rests]
        columns: dict[str, Column] = {}
        for name, kind in self.schema.items():
            values = [as_kind(one.get(name), kind) for one in told_of]
            if name == "id":
                columns[name] = Column("text", ids)
            elif name == WHOLE:
                columns[name] = Column(
                    "text", [_whole(rests[at], free, row) for row, at in enumerate(rest_of.tolist())]
                )
            elif name in FREE_COLUMNS:
                free_name, own = FREE_COLUMNS[name], [values[place] for place in rest_of.tolist()]
                numbers_said = free[free_name].tolist()
                words = {one: as_kind(said_value(free_name, one), kind) for one in set(numbers_said) - {UNSAID}}
                columns[name] = Column(
                    kind, [words.get(number, mine) for mine, number in zip(own, numbers_said, strict=True)]
                )
            else:
                columns[name] = Column(kind, values, rest_of)

        def scenario(number: int) -> Any:
            return _copied(rests[number])

        numbers = np.array([number for number, _ in piece], dtype=np.int64)
        return Piece(Rows(list(places), scenario, rest_of, free), numbers, columns, errors, ids)


def _copied(rest: Any) -> Any:
    """A scenario in which what is free can be set; not a deep copy, which is slow."""
    if not isinstance(rest, dict):
        return rest
    found = dict(rest)
    if isinstance(found.get("target"), dict):
        found["target"] = dict(found["target"])
    if isinstance(found.get("attacks"), list):
        found["attacks"] = [dict(one) if isinstance(one, dict) else one for one in found["attacks"]]
    return found


def _told(rest: Any) -> dict[str, Any]:
    """A scenario as columns; none where it is nested so deeply that it is none."""
    try:
        return flat(rest) if isinstance(rest, dict) else {}
    except RecursionError:
        return {}


def _whole(rest: Any, free: Mapping[str, Ints], row: int) -> str | None:
    """A scenario as JSON, with what is free in it; None where it is none."""
    scenario = _copied(rest)
    try:
        for name, values in free.items():
            if values[row] != UNSAID:
                put(scenario, FREE[name], said_value(name, int(values[row])))
        return msgspec.json.encode(scenario).decode()
    except (InputError, OverflowError, UnicodeError, msgspec.MsgspecError, TypeError, RecursionError):
        return None


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
