"""The shape of a loadout: one model or a warband, with names as they were written; and the warbands that are shipped.

What the names mean, and whether a model may carry it all, is settled in :mod:`tcsim.catalog.loadout`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from tcsim.base.errors import InputError, one_line, show, unknown
from tcsim.base.files import parse_file
from tcsim.rules import DEFAULT_EDITION
from tcsim.rules import edition as load_edition

#: The lists of a model: what it carries, by the place where it is written.
LISTS = ("ranged", "melee", "grenades", "armour", "equipment", "natural", "upgrades")

#: Most models of one entry, and most entries of a warband.
MOST_MODELS, MOST_ENTRIES = 100, 100

_NUMBERS = {"count": (1, MOST_MODELS), "cost_each": (0, 10_000), "total_cost": (0, 100_000)}
_NUMBERS |= {"models": (1, MOST_MODELS * MOST_ENTRIES), "budget": (0, 100_000)}
_OF_MODEL = ("unit", "count", "cost_each", *LISTS)
_OF_WARBAND = ("id", "edition", "faction", "description", "models", "total_cost", "budget", "model")


@dataclass(frozen=True, slots=True)
class Model:
    """One entry of a warband: so many models of a unit, each carrying the same.

    Parameters
    ----------
    unit : str
        Id or name of the unit.
    count : int
        How many there are.
    cost_each : int or None
        What one is said to cost, in ducats.
    kit : mapping
        Names by list: ``ranged``, ``melee``, ``grenades``, ``armour``, ``equipment``, ``natural``, ``upgrades``.
    """

    unit: str
    count: int
    cost_each: int | None
    kit: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Warband:
    """A warband as written, or a single model (``single``).

    Parameters
    ----------
    id : str
        Its name.
    edition : str
        Edition id.
    faction : str
        ``faction`` or ``faction-variant``.
    models : tuple of Model
        Its entries.
    description : str
        A few words.
    total_cost : int or None
        What it is said to cost, in ducats.
    number : int or None
        How many models it is said to have.
    budget : int or None
        Ducats it may cost; default: a new campaign's.
    single : bool
        A model on its own: what counts over a whole warband is not asked.
    file : str
        Name of the file it was read from, for errors; empty for none.
    """

    id: str
    edition: str
    faction: str
    models: tuple[Model, ...]
    description: str = ""
    total_cost: int | None = None
    number: int | None = None
    budget: int | None = None
    single: bool = False
    file: str = ""

    def place(self, index: int) -> str:
        """Name the place of an entry in the input.

        Parameters
        ----------
        index : int
            Its number, from 0.

        Returns
        -------
        str
            As ``model[2]``; empty for a model on its own.
        """
        return "" if self.single else f"model[{index}]"


def read_loadouts(data: Any, name: str = "") -> tuple[Warband, ...]:
    """Check the shape of a loadout given as plain data.

    Parameters
    ----------
    data : mapping
        One model (``edition``, ``faction``, ``unit`` and its lists), or ``warband``, an array of warbands.
    name : str, optional
        What a loadout without an id is called.

    Returns
    -------
    tuple of Warband
        At least one.

    Raises
    ------
    InputError
        With the place, what was given, and what is allowed.

    Examples
    --------
    >>> [one] = read_loadouts({"faction": "court", "unit": "Praetor", "melee": ["Sword / Axe"]})
    >>> one.single, one.models[0].kit["melee"]
    (True, ('Sword / Axe',))
    """
    if not isinstance(data, Mapping):
        raise InputError(f"a loadout is a table, {show(data)} is given")
    if "warband" in data:
        _check_keys(data, ("warband",), "")
        entries = data["warband"]
        if not isinstance(entries, list) or not entries:
            raise InputError("an array of tables ([[warband]] in TOML) is needed, with at least one", "warband")
        return tuple(_warband(entry, f"warband[{index}]", name) for index, entry in enumerate(entries))
    if "unit" not in data:
        raise InputError("a loadout has a unit, or [[warband]] tables; there is neither")
    _check_keys(data, ("id", "edition", "faction", *_OF_MODEL), "")
    model = _model({key: value for key, value in data.items() if key in _OF_MODEL}, "")
    return (
        Warband(_text(data, "id", "", name), _edition(data, ""), _text(data, "faction", ""), (model,), single=True),
    )


def read_warbands(path: str | Path) -> tuple[Warband, ...]:
    """Read the loadouts of a file.

    Parameters
    ----------
    path : str or Path
        A file that ends in .toml or .json; what has no id in it is called as the file is.

    Returns
    -------
    tuple of Warband
        At least one.

    Raises
    ------
    InputError
        When there is no such file, or it is no loadout.
    """
    data, file = parse_file(path), one_line(Path(path).name, 80)
    try:
        found = read_loadouts(data, one_line(Path(path).stem, 80))
    except InputError as error:
        raise InputError(str(error), file) from None
    return tuple(replace(one, file=file) for one in found)


def _warband(data: Any, where: str, name: str) -> Warband:
    if not isinstance(data, Mapping):
        raise InputError(f"{show(data)} is given, a table is allowed", where)
    _check_keys(data, _OF_WARBAND, where)
    entries = data.get("model")
    if not isinstance(entries, list) or not entries:
        raise InputError(
            "an array of tables ([[warband.model]] in TOML) is needed, with at least one", f"{where}.model"
        )
    if len(entries) > MOST_ENTRIES:
        raise InputError(f"these are {len(entries)} entries, at most {MOST_ENTRIES} are allowed", f"{where}.model")
    return Warband(
        id=_text(data, "id", where, name),
        edition=_edition(data, where),
        faction=_text(data, "faction", where),
        models=tuple(_model(entry, f"{where}.model[{index}]") for index, entry in enumerate(entries)),
        description=_text(data, "description", where, ""),
        total_cost=_number(data, "total_cost", where),
        number=_number(data, "models", where),
        budget=_number(data, "budget", where),
    )


def _model(data: Any, where: str) -> Model:
    if not isinstance(data, Mapping):
        raise InputError(f"{show(data)} is given, a table is allowed", where)
    _check_keys(data, _OF_MODEL, where)
    kit = {key: _names(data.get(key, []), _at(where, key)) for key in LISTS}
    return Model(_text(data, "unit", where), _number(data, "count", where) or 1, _number(data, "cost_each", where), kit)


def _at(where: str, key: str) -> str:
    return f"{where}.{key}" if where else key


def _check_keys(data: Mapping[Any, Any], allowed: tuple[str, ...], where: str) -> None:
    for key in data:
        if key not in allowed:
            raise unknown("field", str(key), allowed, where or "loadout")


def _edition(data: Mapping[str, Any], where: str) -> str:
    return load_edition(_text(data, "edition", where, DEFAULT_EDITION)).id


def _text(data: Mapping[str, Any], key: str, where: str, default: str | None = None) -> str:
    if key not in data and default is not None:
        return default
    if key not in data:
        raise InputError("it is missing", _at(where, key))
    value = data[key]
    if not isinstance(value, str) or not 0 < len(value) <= 1000 or not value.isprintable():
        message = f"{show(value)} is given, text of 1 to 1000 characters that can be printed is allowed"
        raise InputError(message, _at(where, key))
    return value


def _number(data: Mapping[str, Any], key: str, where: str) -> int | None:
    if key not in data:
        return None
    value, (low, high) = data[key], _NUMBERS[key]
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise InputError(f"{show(value)} is given, a whole number from {low} to {high:,} is allowed", _at(where, key))
    return value


def _names(value: Any, where: str) -> tuple[str, ...]:
    if not isinstance(value, (list, tuple)):
        raise InputError(f"{show(value)} is given, an array of names is allowed", where)
    if len(value) > 30:
        raise InputError(f"these are {len(value)} names, at most 30 are allowed", where)
    for index, item in enumerate(value):
        if not isinstance(item, str) or not 0 < len(item) <= 200:
            raise InputError(f"{show(item)} is given, a name is allowed", f"{where}[{index}]")
    return tuple(value)


@cache
def shipped_warbands(edition: str) -> tuple[Warband, ...]:
    """Give the starting warbands that tcsim ships.

    Parameters
    ----------
    edition : str
        Edition id.

    Returns
    -------
    tuple of Warband
        By id.

    Raises
    ------
    InputError
        When there is no such edition.

    Examples
    --------
    >>> len(shipped_warbands("1.6.3"))
    12
    """
    import tomllib

    name = f"warbands-{load_edition(edition).id}.toml"
    file = files("tcsim.catalog") / "data" / name
    return read_loadouts(tomllib.loads(file.read_text(encoding="utf-8"))) if file.is_file() else ()


def warband(id: str, edition: str = DEFAULT_EDITION) -> Warband:
    """Find a shipped warband.

    Parameters
    ----------
    id : str
        As ``na-line``.
    edition : str, optional
        Edition id.

    Returns
    -------
    Warband
        With names as ids of the catalogue.

    Raises
    ------
    InputError
        When there is none.

    Examples
    --------
    >>> warband("na-line").faction
    'new-antioch'
    """
    found = {one.id: one for one in shipped_warbands(edition)}
    if id not in found:
        raise unknown(f"warband of {edition}", id, found)
    return found[id]
