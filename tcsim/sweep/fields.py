"""Places in a scenario, as ``target.blood`` or ``attacks[0].weapon``: set in tables, and told as columns."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from tcsim.base.errors import InputError, show, unknown
from tcsim.scenario import model

#: The parts of a place: keys of tables, and numbers of entries of arrays.
Place = tuple[str | int, ...]

_PART = re.compile(r"([A-Za-z_][A-Za-z0-9_-]*)((?:\[\d{1,4}\])*)")


def read_place(text: Any, where: str = "") -> Place:
    """Take a place apart.

    Parameters
    ----------
    text : str
        As ``attacks[0].weapon``.
    where : str, optional
        Where it was written, for errors.

    Returns
    -------
    tuple of str and int
        Keys and numbers.

    Raises
    ------
    InputError
        When it is no place.

    Examples
    --------
    >>> read_place("attacks[0].weapon")
    ('attacks', 0, 'weapon')
    """
    place: list[str | int] = []
    for part in text.split(".") if isinstance(text, str) else ():
        found = _PART.fullmatch(part)
        if found is None:
            place = []
            break
        place.append(found[1])
        place += [int(number) for number in re.findall(r"\d+", found[2])]
    if not place:
        raise InputError(f"{show(text)} is given, a place in a scenario as target.blood or attacks[0].weapon", where)
    return tuple(place)


def told(place: Place) -> str:
    """Write a place.

    Parameters
    ----------
    place : tuple of str and int
        Keys and numbers.

    Returns
    -------
    str
        As :func:`read_place` reads it.

    Examples
    --------
    >>> told(("attacks", 0, "weapon"))
    'attacks[0].weapon'
    """
    return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place).removeprefix(".")


def put(scenario: dict[str, Any], place: Place, value: Any) -> None:
    """Set a value in a scenario, with the tables that lead to it; a table is laid over the one that is there.

    Parameters
    ----------
    scenario : dict
        Changed; what else uses its tables and arrays must have been copied.
    place : tuple of str and int
        Where.
    value : Any
        Plain data.

    Raises
    ------
    InputError
        When something else than a table or an array is in the way.

    Examples
    --------
    >>> scenario = {"attacks": [{"cover": True}]}
    >>> put(scenario, ("attacks", 0, "times"), 2)
    >>> put(scenario, ("target", "blood"), 3)
    >>> scenario
    {'attacks': [{'cover': True, 'times': 2}], 'target': {'blood': 3}}
    """
    here: Any = scenario
    for number, part in enumerate(place):
        last, at = number == len(place) - 1, told(place[: number + 1])
        if isinstance(part, int):
            if not isinstance(here, list) or part > len(here):
                raise InputError(f"there is no entry {part} to be set; entries begin with 0 and have no gaps", at)
            if part == len(here):
                here.append({})
        elif not isinstance(here, dict):
            raise InputError(f"it cannot be set in {show(here)}, a table is needed", at)
        elif part not in here:
            here[part] = [] if not last and isinstance(place[number + 1], int) else {}
        if last:
            over = isinstance(value, dict) and isinstance(here[part], dict)
            here[part] = here[part] | value if over else value
        here = here[part]


def leave_out(scenario: dict[str, Any], place: Place) -> None:
    """Take a value out of a scenario, if it is there.

    Parameters
    ----------
    scenario : dict
        Changed.
    place : tuple of str and int
        Where; it ends with a key.

    Examples
    --------
    >>> scenario = {"attacks": [{"times": 2, "cover": True}]}
    >>> leave_out(scenario, ("attacks", 0, "times"))
    >>> leave_out(scenario, ("target", "blood"))
    >>> scenario
    {'attacks': [{'cover': True}]}
    """
    here: Any = scenario
    for part in place[:-1]:
        if isinstance(here, list):
            here = here[part] if isinstance(part, int) and part < len(here) else None
        else:
            here = here.get(part) if isinstance(here, dict) else None
    if isinstance(here, dict):
        here.pop(place[-1], None)


def flat(data: Any, place: Place = ()) -> dict[str, Any]:
    """Tell plain data as columns: one for each value that is no table; arrays of values as JSON.

    Parameters
    ----------
    data : Any
        A scenario, or a part of one.
    place : tuple of str and int, optional
        Where it stands.

    Returns
    -------
    dict
        Column to value. An empty table says nothing, but for a second attack of which nothing else is said.

    Examples
    --------
    >>> flat({"target": {"blood": 2, "armour": ["Standard Armour"]}, "attacks": [{"cover": True}, {}]})
    {'target.blood': 2, 'target.armour': '["Standard Armour"]', 'attacks[0].cover': True, 'attacks[1]': '{}'}
    """
    if isinstance(data, Mapping):
        found: dict[str, Any] = {}
        for key, value in data.items():
            found |= flat(value, (*place, str(key)))
        is_entry = bool(place) and isinstance(place[-1], int) and place != ("attacks", 0)
        return found or ({told(place): "{}"} if is_entry else {})
    if isinstance(data, list) and data and all(isinstance(one, Mapping) for one in data):
        return {name: value for i, one in enumerate(data) for name, value in flat(one, (*place, i)).items()}
    return {told(place): json.dumps(data, ensure_ascii=False) if isinstance(data, list) else data}


@cache
def kind_at(place: Place) -> str:
    """Say what can stand at a place of a scenario.

    Parameters
    ----------
    place : tuple of str and int
        Keys and numbers.

    Returns
    -------
    str
        ``bool``, ``int``, ``float`` or ``text``; ``array``, ``table``; ``any`` where it depends, as for options.

    Raises
    ------
    InputError
        When a scenario has no such place; with the nearest right name.

    Examples
    --------
    >>> kind_at(("target", "blood")), kind_at(("target", "armour")), kind_at(("attacks", 1, "distance"))
    ('int', 'array', 'float')
    """
    head, rest = place[0], place[1:]
    known = model.fields(model.Scenario)
    if head not in known:
        raise unknown("field", str(head), known, "scenario")
    if head == "attacks":
        tables: list[type[model.Table]] = [model.Attack, *dict.fromkeys(model.EVENTS.values())]
        return _kind_in_row(tables, rest, "attacks")
    if head == "options":
        return "any" if rest else "table"
    if head not in model.TABLES:
        return _nothing_inside(_kind(known[head]), rest, str(head))
    if not rest:
        return "table"
    fields, where = model.fields(model.TABLES[str(head)]), f"{head}.{rest[0]}"
    if rest[0] not in fields:
        raise unknown("field", str(rest[0]), fields, str(head))
    if where in model.ROWS:
        return _kind_in_row([model.ROWS[where]], rest[1:], where)
    return _nothing_inside(_kind(fields[rest[0]]), rest[1:], where)


def _kind_in_row(tables: Sequence[type[model.Table]], rest: Place, where: str) -> str:
    """What stands in a table of an array of such tables."""
    if not rest:
        return "array"
    if not isinstance(rest[0], int):
        raise InputError(f"{show(rest[0])} is given, the number of an entry as {where}[0] is needed", where)
    if len(rest) == 1:
        return "table"
    fields: dict[str, Any] = {}
    for table in tables:
        fields = model.fields(table) | fields
    if rest[1] not in fields:
        raise unknown("field", str(rest[1]), fields, f"{where}[{rest[0]}]")
    return _nothing_inside(_kind(fields[rest[1]]), rest[2:], f"{where}[{rest[0]}].{rest[1]}")


def _nothing_inside(kind: str, rest: Place, where: str) -> str:
    if not rest or kind == "any":
        return kind
    if kind == "array" and len(rest) == 1 and isinstance(rest[0], int):
        return "text"
    raise InputError(f"{show(told(rest))} is asked for in it, but it is no table", where)


def _kind(hint: Any) -> str:
    if hint in _KINDS:
        return _KINDS[hint]
    origin, inner = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _kind(inner[0])
    if origin is Literal:
        return "text"
    if origin in (Union, UnionType):
        kinds = {_kind(one) for one in inner if one is not NoneType}
        return kinds.pop() if len(kinds) == 1 else "any"
    return "array" if origin is list and all(_kind(one) == "text" for one in inner) else "any"


_KINDS: dict[Any, str] = {bool: "bool", int: "int", float: "float", str: "text"}
