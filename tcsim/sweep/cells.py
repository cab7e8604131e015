"""Cells of a table to a scenario: what stands in one, by the field that its column is."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any

from tcsim.base.errors import InputError, show
from tcsim.base.files import parse_json
from tcsim.sweep.answers import RESULTS
from tcsim.sweep.fields import kind_at, put, read_place

#: A column that holds a whole scenario as JSON, where a sweep has too many to tell each.
WHOLE = "scenario"

#: Columns that a sweep writes itself: a part of one can be the input of another.
_OURS = {*RESULTS, "row", "line"}

_WHOLE_NUMBER = re.compile(r"[+-]?[0-9]+(\.0+)?")
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]{1,4})?")


def asked_columns(heads: Iterable[str], name: str) -> list[str]:
    """Give the columns of a table that say something of scenarios, after a look at whether they can.

    Parameters
    ----------
    heads : iterable of str
        All columns.
    name : str
        What the table is called, for errors.

    Returns
    -------
    list of str
        Without those that a sweep writes, labels, and those that have no head, as the index that pandas writes.

    Raises
    ------
    InputError
        For a column that is there twice, or is no place of a scenario.

    Examples
    --------
    >>> asked_columns(["row", "target.blood", "label.target", "p_out"], "table")
    ['target.blood']
    """
    found: list[str] = []
    for head in heads:
        if head in _OURS or head.partition(".")[0] in ("label", "", "__index_level_0__"):
            continue
        if head in found:
            raise InputError(f"the column {show(head)} is there twice", name)
        if head != WHOLE:
            try:
                kind_at(read_place(head))
            except InputError as error:
                raise InputError(f"the column {show(head)} is no place of a scenario: {error}", name) from None
        found.append(head)
    return found


def scenario_of(line: Any) -> Any:
    """Read a line of JSON, or a row of a table, as a scenario.

    Parameters
    ----------
    line : bytes, mapping or InputError
        As a file has it; of a row, only columns of :func:`asked_columns`. Or why there is none.

    Returns
    -------
    Any
        Plain data, its shape not checked. A row always has a target and an attack, whatever is said of them.

    Raises
    ------
    InputError
        When it cannot be read.

    Examples
    --------
    >>> scenario_of({"target.blood": "2", "attacks[0].cover": "true", "attacks[0].weapon": ""})
    {'target': {'blood': 2}, 'attacks': [{'cover': True}]}
    """
    if isinstance(line, InputError):
        raise line
    if isinstance(line, bytes):
        return parse_json(line)
    scenario: dict[str, Any] = {}
    for name, cell in line.items():
        if name == WHOLE and cell:
            scenario = value_of(cell, "table")
            if not isinstance(scenario, dict):
                raise InputError(f"{show(scenario)} is given, a table is needed", WHOLE)
    scenario.setdefault("target", {})
    scenario.setdefault("attacks", [{}])
    for name, cell in line.items():
        if name == "id":
            value = str(cell) if type(cell) is int else cell
        elif name != WHOLE:
            value = value_of(cell, kind_at(read_place(name)), name)
        else:
            continue
        if value is not None and value != "":
            put(scenario, read_place(name), value)
    return scenario


def value_of(cell: Any, kind: str = "any", where: str = "") -> Any:
    """Give what a cell of a table says: text as the number, word, array or table that it is.

    Parameters
    ----------
    cell : Any
        Text, or a value of a table that knows kinds.
    kind : str, optional
        What is wanted, as :func:`tcsim.sweep.fields.kind_at` gives it.
    where : str, optional
        The column, for errors.

    Returns
    -------
    Any
        Plain data; None for an empty cell. What is not of the kind is given as it is, for the scenario to say so.

    Raises
    ------
    InputError
        When it is JSON that cannot be read, or of a kind that no scenario has, as a date.

    Examples
    --------
    >>> value_of("-2"), value_of("true"), value_of('["FIRE"]'), value_of("Bolt-Action Rifle"), value_of("")
    (-2, True, ['FIRE'], 'Bolt-Action Rifle', None)
    >>> value_of("2.0", "int"), value_of(2.0, "int"), value_of("2", "text")
    (2, 2, '2')
    """
    if not isinstance(cell, str):
        return _plain(cell, kind, where)
    text = cell.strip()
    if not text or kind == "text":
        return text or None
    if kind in ("array", "table", "any") and text[0] in "[{":
        try:
            return parse_json(text)
        except InputError as error:
            raise InputError(str(error), where) from None
    if kind in ("bool", "any") and text.lower() in ("true", "false"):
        return text.lower() == "true"
    if kind in ("int", "float", "any") and len(text) < 40:
        if _WHOLE_NUMBER.fullmatch(text) and (kind == "int" or text.lstrip("+-").isdigit()):
            return int(text.partition(".")[0])
        if _NUMBER.fullmatch(text):
            return float(text)
    return text


def _plain(cell: Any, kind: str, where: str) -> Any:
    """What a table that knows kinds has in a cell, as JSON would have it."""
    if isinstance(cell, Decimal):
        cell = int(cell) if cell == cell.to_integral_value() else float(cell)
    if cell is None or cell != cell:
        return None
    if isinstance(cell, float) and kind == "int" and cell.is_integer():
        return int(cell)  # where a cell is empty, pandas makes all whole numbers of a column others
    if isinstance(cell, Mapping):
        plain = {str(key): _plain(value, "any", where) for key, value in cell.items()}
        return {key: value for key, value in plain.items() if value is not None}
    if isinstance(cell, (list, tuple)):
        return [_plain(value, "any", where) for value in cell]
    if isinstance(cell, (bool, int, float, str)):
        return cell
    raise InputError(f"{show(cell)} is given, text, a number, true, false, an array or a table is allowed", where)
