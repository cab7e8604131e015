"""Catalogue queries in a grid: every ranged weapon of a faction, every model of a warband."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tcsim.base.errors import InputError, show, unknown
from tcsim.catalog import Armour, Catalog, Row, Unit, Weapon, catalog, warband
from tcsim.catalog.warbands import Warband, read_warbands
from tcsim.rules import DEFAULT_EDITION

#: What can be asked for, by the kind of row.
KINDS = {"weapons": "weapon", "armour": "armour", "units": "unit"}

_KEYS = ("edition", "faction", "kind", "keyword", "slot", "third_party")


def is_query(value: Any) -> bool:
    """Whether a value of a grid asks the catalogue.

    Parameters
    ----------
    value : Any
        As written.

    Returns
    -------
    bool
        Whether.
    """
    return isinstance(value, Mapping) and any(key in value for key in (*KINDS, "warband"))


@dataclass
class Shelf:
    """Where queries look.

    Parameters
    ----------
    catalogs : mapping of str to Catalog, optional
        Catalogues by edition, where not those of the books.
    beside : Path, optional
        The folder in which files lie that are named.
    edition : str or None, optional
        The edition that is meant where a query says none; None where scenarios differ in it.
    files : list of Path, optional
        Grows by the files that are read.
    """

    catalogs: Mapping[str, Catalog] = field(default_factory=dict)
    beside: Path = Path()
    edition: str | None = DEFAULT_EDITION
    files: list[Path] = field(default_factory=list)

    def catalog(self, conditions: Mapping[str, Any], where: str) -> Catalog:
        """Give the catalogue that is meant."""
        edition = conditions.get("edition", self.edition)
        if edition is None:
            raise InputError(
                f'scenarios differ in edition, so that the query has to say one, as edition = "{DEFAULT_EDITION}"',
                where,
            )
        if not isinstance(edition, str):
            raise InputError(f"{show(edition)} is given, an edition is needed", f"{where}.edition")
        return self.catalogs[edition] if edition in self.catalogs else catalog(edition)

    def warband(self, name: str, edition: str) -> Warband:
        """Find a warband: one that is shipped, or that of a file."""
        if "." not in name and "/" not in name:
            return warband(name, edition)
        path = self.beside / name
        found = read_warbands(path)
        if len(found) > 1:
            raise InputError(f"there are {len(found)} warbands in it, one is needed", show(name, 200))
        if found[0].edition != edition:
            raise InputError(f"it is of {found[0].edition}, {edition} is asked", show(name, 200))
        self.files.append(path)
        return found[0]


def rows_asked(query: Mapping[str, Any], shelf: Shelf, where: str) -> list[Any]:
    """Answer a query.

    Parameters
    ----------
    query : mapping
        One of ``weapons``, ``armour`` and ``units``, with a table of conditions: ``edition``, ``faction``, ``kind``
        (ranged, melee or grenade), ``keyword``, ``slot``, ``third_party`` (true: also such rows); an array of editions
        asks for what is in each of them. Or ``warband``: the
        name of one that is shipped, or of a file with one; or a table of such a ``name`` and an ``edition``.
    shelf : Shelf
        Where to look.
    where : str
        Where it was written, for errors.

    Returns
    -------
    list
        Ids of rows, in the order of the catalogue; armour as arrays of one; models of a warband as tables.

    Raises
    ------
    InputError
        For a condition that does not exist, or if nothing is found.

    Examples
    --------
    >>> rows_asked({"weapons": {"faction": "new-antioch", "keyword": "SHOTGUN"}}, Shelf(), "")[:2]
    ['automatic-shotgun', 'shotgun']
    """
    if len(query) != 1:
        raise InputError(f"one of {', '.join((*KINDS, 'warband'))} is asked for at a time", where)
    [(what, conditions)] = query.items()
    where = f"{where}.{what}"
    if what == "warband" and isinstance(conditions, str):
        conditions = {"name": conditions}
    if not isinstance(conditions, Mapping):
        raise InputError(f"{show(conditions)} is given, a table of conditions is needed", where)
    allowed = ("name", "edition") if what == "warband" else _KEYS
    for key in conditions:
        if key not in allowed:
            raise unknown("condition", str(key), allowed, where)
    if isinstance(conditions.get("edition"), list):
        return _in_each(what, conditions, shelf, where)
    rows = shelf.catalog(conditions, where)
    if what == "warband":
        return _models(conditions.get("name"), rows.edition, shelf, where)
    faction = conditions.get("faction")
    known = sorted({name for row in rows.weapons for name in row.factions})
    known += sorted({name for row in rows.armour_rows for name in row.factions} - set(known))
    known += [name for name in sorted({row.faction for row in rows.units}) if name not in known]
    if faction is not None and _slug(faction) not in known:
        raise unknown("faction", str(faction), known, f"{where}.faction")
    _check(conditions, rows.by_kind[KINDS[what]], where)
    found = [row for row in rows.by_kind[KINDS[what]] if _is_meant(row, conditions)]
    if not found:
        raise InputError("nothing in the catalogue is like that", where)
    return [[row.id] if isinstance(row, Armour) else row.id for row in found]


def _in_each(what: str, conditions: Mapping[str, Any], shelf: Shelf, where: str) -> list[Any]:
    """What is asked of each of several editions."""
    if not conditions["edition"]:
        raise InputError("no edition is given, one or more are needed", f"{where}.edition")
    first, *others = (
        rows_asked({what: {**conditions, "edition": edition}}, shelf, where.removesuffix(f".{what}"))
        for edition in conditions["edition"]
    )
    found = [row for row in first if all(row in other for other in others)]
    if not found:
        raise InputError("nothing is like that in each of these editions", where)
    return found


def _slug(text: Any) -> str:
    return str(text).strip().casefold().replace(" ", "-")


def _check(conditions: Mapping[str, Any], rows: Iterable[Row], where: str) -> None:
    """Look whether any row could be meant by each of the conditions."""
    if not isinstance(conditions.get("third_party", False), bool):
        raise InputError(
            f"{show(conditions['third_party'])} is given, true or false is allowed", f"{where}.third_party"
        )
    for key in ("kind", "keyword", "slot"):
        if key in conditions:
            known = sorted({word for row in rows for word in _words(row, key)})
            if not known:
                raise InputError(f"it has no {key}", f"{where}.{key}")
            if conditions[key] not in known:
                raise unknown(key, str(conditions[key]), known, f"{where}.{key}")


def _words(row: Row, key: str) -> Sequence[str]:
    if key == "keyword":
        return tuple(row.grants if isinstance(row, Armour) else getattr(row, "keywords", ()))
    word = getattr(row, key, None)
    return (word,) if isinstance(word, str) else ()


def _is_meant(row: Row, conditions: Mapping[str, Any]) -> bool:
    if row.third_party and conditions.get("third_party") is not True:
        return False
    faction, kind, keyword = (conditions.get(key) for key in ("faction", "kind", "keyword"))
    if isinstance(row, Unit):
        of, words = {row.faction, f"{row.faction}-{row.variant}"}, row.keywords
    else:
        assert isinstance(row, (Weapon, Armour))
        of, words = set(row.factions), row.keywords if isinstance(row, Weapon) else row.grants
    for_all = not of and bool(row.prices)  # what names no faction is sold to all, or is not sold but a creature's own
    if faction is not None and not for_all and _slug(faction) not in of:
        return False
    if kind is not None and getattr(row, "kind", None) != kind:
        return False
    if conditions.get("slot") is not None and getattr(row, "slot", None) != conditions["slot"]:
        return False
    return keyword is None or keyword in words


def _models(name: Any, edition: str, shelf: Shelf, where: str) -> list[Any]:
    """The models of a warband, each once: its unit, and the armour it wears."""
    if not isinstance(name, str):
        raise InputError(f"{show(name)} is given, the name of a warband or of a file with one is needed", where)
    found: list[Any] = []
    for model in shelf.warband(name, edition).models:
        armour = list(model.kit.get("armour", ()))
        table = {"unit": model.unit, **({"armour": armour} if armour else {})}
        if table not in found:
            found.append(table)
    return found
