"""Places in a scenario, as ``target.blood`` or ``attacks[0].weapon``: set in tables, and told as columns."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from tcsim.base.errors import InputError, show

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
        Column to value.

    Examples
    --------
    >>> flat({"target": {"blood": 2, "armour": ["Standard Armour"]}, "attacks": [{"cover": True}]})
    {'target.blood': 2, 'target.armour': '["Standard Armour"]', 'attacks[0].cover': True}
    """
    if isinstance(data, Mapping) and data:
        found: dict[str, Any] = {}
        for key, value in data.items():
            found |= flat(value, (*place, str(key)))
        return found
    if isinstance(data, list) and data and all(isinstance(one, Mapping) for one in data):
        return {name: value for i, one in enumerate(data) for name, value in flat(one, (*place, i)).items()}
    return {told(place): json.dumps(data, ensure_ascii=False) if isinstance(data, (list, Mapping)) else data}
