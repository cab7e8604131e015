"""Whom loadouts are compared against: targets as people write them, with weights.

A target is one text: an injury modifier, armour, or a unit, and then keys, flags and keywords as everywhere else:
``-2``, ``Standard Armour+Trench Shield,tough``, ``3x Heretic Trooper,blood=1``. Several stand with commas or ``//``
between them; what is a key, a flag or a keyword belongs to the target before it.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from tcsim.base.errors import InputError, did_you_mean, show
from tcsim.base.labels import ATTACK, english
from tcsim.base.lang import mark, retold, tr
from tcsim.base.numbers import fraction, whole_number
from tcsim.catalog import Catalog
from tcsim.catalog import catalog as open_catalog
from tcsim.rules import DEFAULT_EDITION
from tcsim.scenario import model
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import resolve
from tcsim.scenario.written import read_model

#: Between two targets, where commas would not do.
BETWEEN = "//"

#: Most targets of one comparison, most parts of a name with commas in it, and the heaviest weight.
MOST_TARGETS, MOST_PARTS, MOST_WEIGHT = 200, 5, 1_000_000

_FIELDS = tuple(model.fields(model.Target))
_WEIGHT = re.compile(r"\s*(\d[\d./]{0,20})\s*[x×]\s+(\S.*)", re.DOTALL)


_MARKERS = {"blood": mark("{n} blood"), "blessing": mark("{n} blessing"), "infection": mark("{n} infection")}


def _told(part: str) -> str:
    number, _, kind = part.partition(" ")
    if kind in _MARKERS and number.isdigit():
        return tr(_MARKERS[kind], n=number)
    return " + ".join(retold(name) for name in part.split(" + "))


@dataclass(frozen=True)
class Target:
    """One target of a comparison.

    Parameters
    ----------
    name : str
        What it is called, in English.
    table : mapping
        The ``target`` of a scenario, as :func:`tcsim.odds` takes it.
    weight : float, optional
        How much it counts in a mean over several; above 0.
    """

    name: str
    table: Mapping[str, Any] = field(hash=False)
    weight: float = 1.0

    @property
    def label(self) -> str:
        """What it is called in the language of the moment."""
        return ", ".join(_told(part) for part in self.name.split(", "))


def read_targets(
    given: Any, edition: str = DEFAULT_EDITION, catalog: Catalog | None = None, where: str = "targets"
) -> tuple[Target, ...]:
    """Read what targets are given.

    Parameters
    ----------
    given : str, int, mapping, Target, or iterable of these
        Texts as told above; an injury modifier; a scenario's ``target``, to which ``name`` and ``weight`` may be added.
        A text may hold several targets, each with ``3x`` before it where it counts three times (``0.5x`` half).
    edition : str, optional
        Edition id.
    catalog : Catalog, optional
        Where names are looked up; default: the edition's own catalogue.
    where : str, optional
        The place in the input, for errors.

    Returns
    -------
    tuple of Target
        At least one, in order, each with a name of its own.

    Raises
    ------
    InputError
        For a name, key or number that cannot be, a target that is given twice, and none at all.

    Examples
    --------
    >>> [(one.name, one.weight) for one in read_targets("0, -2, tough, 3x Heretic Trooper, blood=1")]
    [('no armour', 1.0), ('-2, TOUGH', 1.0), ('Heretic Trooper, 1 blood', 3.0)]
    >>> read_targets("Standard Armour+Trench Shield")[0].table
    {'armour': ['standard-armour', 'trench-shield']}
    """
    rows = catalog or open_catalog(edition)
    found: list[Target] = []
    for one in _pieces(given, rows, where):
        if len(found) == MOST_TARGETS:
            raise InputError(f"at most {MOST_TARGETS} targets are compared at once", where)
        target = one if isinstance(one, Target) else _read(one, rows, where)
        if any(target.table == other.table for other in found):
            raise InputError(f"the target {show(target.name)} is given twice", where)
        found.append(target)
    if not found:
        raise InputError("at least one target is needed, none is given", where)
    return tuple(_with_own_names(found, rows))


def _pieces(given: Any, rows: Catalog, where: str) -> Iterator[Any]:
    if isinstance(given, str):
        for text in given.split(BETWEEN):
            yield from between_commas(text, lambda name: _is_name(name, rows), lambda part: _belongs(part, rows), where)
    elif isinstance(given, (int, Mapping, Target)) or not isinstance(given, Iterable):
        yield given
    else:
        for one in given:
            yield from _pieces(one, rows, where)


def between_commas(
    text: str, is_name: Callable[[str], bool], belongs: Callable[[str], bool], where: str
) -> Iterator[str]:
    """Cut a list of models or attacks at the commas where another one begins.

    Parameters
    ----------
    text : str
        The list.
    is_name : callable
        Whether a text is a name, so that the commas in it are its own.
    belongs : callable
        Whether a part tells more of what stands before it.
    where : str
        The place in the input, for the error.

    Yields
    ------
    str
        One model or attack.

    Raises
    ------
    InputError
        When there is nothing between two commas.
    """
    parts, begun = text.split(","), ""
    while parts:
        number = _parts_of_name(parts, is_name)
        part, parts = ",".join(parts[:number]), parts[number:]
        if not part.strip():
            raise InputError("there is nothing between two commas, or nothing at all", where)
        if begun and not (number == 1 and belongs(part.strip())):
            yield begun
            begun = ""
        begun = f"{begun},{part}" if begun else part
    yield begun


def _parts_of_name(parts: list[str], is_name: Callable[[str], bool]) -> int:
    """How many parts the first name has: more than one where it has commas."""
    longest = range(min(len(parts), MOST_PARTS), 1, -1)
    return next((number for number in longest if is_name(",".join(parts[:number]))), 1)


def goes_on(part: str, fields: Iterable[str], rows: Catalog) -> bool:
    """Whether a part of a list is a key, a flag or a keyword, and so belongs to what stands before it.

    Parameters
    ----------
    part : str
        What stands between two commas.
    fields : iterable of str
        Keys and flags.
    rows : Catalog
        With the keywords of its edition.

    Returns
    -------
    bool
        False for what begins something new: a name, or a misspelt flag.
    """
    if "=" in part or english(part, ATTACK).casefold().replace("-", "_") in fields:
        return True
    word = re.sub(r" \(?\d+\)?$", "", english(part))
    return word.upper() in rows.rules.keywords or (word == word.upper() and word != word.lower())


def _is_name(text: str, rows: Catalog) -> bool:
    return bool(rows.exactly("armour", text) or rows.exactly("unit", text))


def _belongs(part: str, rows: Catalog) -> bool:
    """Whether a part tells more of the target before it."""
    begins = _is_name(part, rows) or _WEIGHT.fullmatch(part) or whole_number(part) is not None
    return not begins and goes_on(part, _FIELDS, rows)


def _read(given: Any, rows: Catalog, where: str) -> Target:
    weight, name = 1.0, ""
    if isinstance(given, str):
        match = _WEIGHT.fullmatch(given)
        weight, text = (_weight(match[1], where), match[2]) if match else (1.0, given)
        table = _table_of(text.strip(), rows, where)
    elif isinstance(given, Mapping):
        table = dict(given)
        weight = _weight(table.pop("weight", 1.0), where)
        name = table.pop("name", "")
        if not isinstance(name, str) or not name.isprintable() or len(name) > 200:
            raise InputError(f"{show(name)} is given, text of 1 to 200 characters is allowed", f"{where}: name")
    elif isinstance(given, int) and not isinstance(given, bool):
        table = {"injury_modifier": given}
    else:
        raise InputError(f"{show(given)} is given; an injury modifier, armour or a unit is allowed", where)
    try:  # what is wrong with it is told before anything is worked out
        resolve(from_mapping({"edition": rows.edition, "target": table, "attacks": [{}]}), rows)
    except InputError as error:
        raise InputError(str(error), where) from None
    return Target(name or described(table, rows), table, weight)


def _weight(given: Any, where: str) -> float:
    value = fraction(given) if isinstance(given, str) else given
    if isinstance(value, bool) or not isinstance(value, (int, float, Fraction)) or not 0 < value <= MOST_WEIGHT:
        raise InputError(f"the weight {show(given)} is given, above 0 to {MOST_WEIGHT:,} is allowed", where)
    return float(value)


def _table_of(text: str, rows: Catalog, where: str) -> dict[str, Any]:
    """Read one text: what it begins with, and then keys, flags and keywords."""
    parts = text.split(",")
    number = _parts_of_name(parts, lambda name: _is_name(name, rows))
    head, rest = ",".join(parts[:number]).strip(), parts[number:]
    modifier = whole_number(head)
    if modifier is None and (head.casefold() == "model" or _belongs(head, rows)):
        return read_model(text, _FIELDS, where)
    more = read_model(",".join(["model", *rest]), _FIELDS, where)
    own: dict[str, Any] = {"injury_modifier": modifier} if modifier is not None else _named(head, rows, where)
    for key in own:
        if key in more and key != "armour":
            raise InputError(f"{key} is given twice", where)
    worn = [*own.get("armour", []), *more.pop("armour", [])]
    return {**own, **({"armour": worn} if worn else {}), **more}


def _named(head: str, rows: Catalog, where: str) -> dict[str, Any]:
    """Settle a unit, armour, or either with more armour after plus signs."""
    names = [head] if _is_name(head, rows) else [name.strip() for name in head.split("+")]
    found: dict[str, Any] = {}
    for number, name in enumerate(names):
        if not number and not rows.exactly("armour", name) and _is_unit(name, rows):
            found["unit"] = rows.unit(name, where).id
            continue
        try:
            armour = rows.armour(name, where)
        except InputError:
            if rows.exactly("armour", name):
                raise
            raise _no_such(name, rows, where, number > 0) from None
        found.setdefault("armour", []).append(armour.id)
    return found


def _is_unit(name: str, rows: Catalog) -> bool:
    """Whether a name is a unit's, and not only one that comes near."""
    if rows.exactly("unit", name):
        return True
    try:
        rows.unit(name)
    except InputError as error:
        return "several" in str(error)
    return True


def _no_such(name: str, rows: Catalog, where: str, only_armour: bool) -> InputError:
    kinds = [rows.armour_rows] if only_armour else [rows.armour_rows, rows.units]
    names = dict.fromkeys(row.name for kind in kinds for row in kind if not row.third_party)
    message = (
        f"there is no {'armour' if only_armour else 'armour or unit'} {show(name)} in the catalogue of {rows.edition}"
    )
    return InputError(message + (did_you_mean(name, [*names, *_FIELDS]) or "; see `tcsim catalog list`"), where)


def described(table: Mapping[str, Any], rows: Catalog) -> str:
    """Say in a few words what a target is.

    Parameters
    ----------
    table : mapping
        The ``target`` of a scenario.
    rows : Catalog
        Where ids have their names.

    Returns
    -------
    str
        English, with commas between its parts.

    Examples
    --------
    >>> described({"injury_modifier": -1, "tough": True, "blood": 2}, open_catalog("1.6.3"))
    '-1, TOUGH, 2 blood'
    """
    names = [rows.unit(table["unit"]).name] if table.get("unit") else []
    names += [rows.armour(name).name for name in table.get("armour") or ()]
    parts = [
        " + ".join(names) or (str(table["injury_modifier"]) if table.get("injury_modifier") else mark("no armour"))
    ]
    for key, value in table.items():
        if key == "tough" and value is not None:
            parts.append("TOUGH" if value else mark("not TOUGH"))
        elif key in ("unit", "armour", "injury_modifier") or value in (None, 0, []):
            continue
        elif key == "down":
            parts.append("Down")
        elif key in _MARKERS:
            parts.append(f"{value} {key}")
        elif isinstance(value, list):
            parts += map(english, value)
        else:
            parts.append(key.replace("_", " ") + ("" if value is True else f" {value}"))
    return ", ".join(parts)


def _with_own_names(targets: list[Target], rows: Catalog) -> Iterator[Target]:
    """Tell targets of one name apart: by the faction of their unit, else by a number."""
    same = Counter(one.name for one in targets)
    met: Counter[str] = Counter()
    for one in targets:
        name = one.name
        if same[name] > 1 and one.table.get("unit"):
            unit = rows.unit(one.table["unit"])
            name = name.replace(unit.name, unit.label, 1)
        met[name] += 1
        yield replace(one, name=f"{name} ({met[name]})" if met[name] > 1 else name)
