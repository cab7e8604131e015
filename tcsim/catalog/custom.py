"""Users' own catalogues laid upon that of an edition: rows, keywords and readings of options, added or changed.

A file is read and checked by :mod:`tcsim.catalog.custom_file`; here its names are looked up, and what it does not say
is filled in: from the row that it changes, the row that it is ``like``, or defaults (:mod:`tcsim.catalog.columns`).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from tcsim.base.errors import InputError, did_you_mean, show, unknown
from tcsim.base.labels import english
from tcsim.base.lang import mark
from tcsim.catalog import Catalog, Row, fold
from tcsim.catalog.checks import check_effect, check_shots
from tcsim.catalog.columns import COLUMNS
from tcsim.catalog.custom_file import CustomFile, Entry, Mistakes, read_file
from tcsim.catalog.origin import File, Own, Place
from tcsim.catalog.rows import build_row, read_cells
from tcsim.rules import Keyword, editions
from tcsim.rules import edition as load_edition
from tcsim.rules.effects import read_abilities, read_effects

_ROWS = ("weapon", "armour", "unit")
#: The order in which the entries of a file are read: what others name comes first.
_ORDER = ("keyword", "option", *_ROWS)
#: What a new row has to say, unless it is like another.
_NEEDED = {"weapon": "kind", "armour": "slot"}


def read_catalogs(files: str | os.PathLike[str] | Iterable[str | os.PathLike[str]]) -> dict[str, Catalog]:
    """Read users' own catalogues.

    Parameters
    ----------
    files : path, or iterable of paths
        .toml or .csv files; what a later one says goes before what an earlier one says.

    Returns
    -------
    dict
        Edition id to its catalogue with what the files add and change; every edition is there.

    Raises
    ------
    InputError
        When a file cannot be read; ``ManyInputError``, with a sentence ``FILE:LINE: ...`` for every mistake in a file.
    """
    if isinstance(files, (str, os.PathLike)):
        files = [files]
    paths = list(files) if isinstance(files, Iterable) else [files]
    for path in paths:
        if not isinstance(path, (str, os.PathLike)):
            raise InputError(f"{show(path)} is given, the path of a .toml or .csv file is allowed", "catalog")
    read = [read_file(path) for path in paths]
    return {id: _catalog(id, read) for id in editions()}


def _catalog(id: str, files: Iterable[CustomFile]) -> Catalog:
    shelf = _Shelf(id)
    for file in files:
        shelf.add(file)
    return shelf.catalog


class _Shelf:
    """The catalogue of an edition, and the cells behind it, while files are laid upon it.

    ``catalog`` is what stood there before the file that is being read; ``mine`` are names of that file.
    """

    def __init__(self, id: str) -> None:
        self.catalog = Catalog(id)
        self.rules = load_edition(id)
        self.cells = {kind: {cells["id"]: cells for cells in read_cells(kind, id)} for kind in _ROWS}
        self.rows: dict[tuple[str, str], Row] = {}
        self.places: dict[tuple[str, str], Place] = {}
        self.files: tuple[File, ...] = ()
        self.mine: dict[tuple[str, str], str] = {}
        self.given: dict[tuple[str, str], int] = {}

    def add(self, file: CustomFile) -> None:
        """Lay a file on it; mistakes are raised together."""
        mistakes = Mistakes(file.path)
        self.mine, self.given = {}, {}
        entries = [entry for entry in file.entries if self.catalog.edition in entry.editions]
        for entry in sorted(entries, key=lambda entry: _ORDER.index(entry.kind)):
            place = Place(file.file.name, entry.line)
            if entry.kind == "keyword":
                self._keyword(entry, place, mistakes)
            elif entry.kind == "option":
                self._option(entry, place, mistakes)
            else:
                self._row(entry, place, mistakes)
        mistakes.check()
        self.files = (*self.files, file.file)
        if self.rules.keywords.items() - load_edition(self.rules.id).keywords.items():
            self._build_again()
        own = Own(self.rules, self.files, dict(self.places))
        self.catalog = Catalog(self.rules.id, tuple(self.rows.values()), own)

    def _build_again(self) -> None:
        """Make every row anew: what is not counted of it depends on keywords, and these have changed."""
        for kind, known in self.cells.items():
            for id, cells in known.items():
                self.rows[kind, id] = build_row(kind, cells, self.rules)

    def _once(self, entry: Entry, id: str) -> None:
        """Note that a row is given; an error where it was before."""
        before = self.given.setdefault((entry.kind, id), entry.line)
        if before != entry.line:
            raise InputError(f"{entry.kind} {show(id)} is given twice, first in line {before}")

    # --- rows ---------------------------------------------------------------------------------------------------

    def _row(self, entry: Entry, place: Place, mistakes: Mistakes) -> None:
        kind, given = entry.kind, dict(entry.cells)
        given.pop("edition", None)
        try:
            id = self._id(kind, given)
            self._once(entry, id)
            cells = self._base(kind, id, given, place)
        except InputError as error:
            mistakes.add(_line_of(entry, error), error)
            return
        sound = True
        for name in given:
            try:
                given[name] = self._checked(kind, name, given[name])
            except InputError as error:
                mistakes.add(entry.lines.get(name, entry.line), f"{name}: {error}")
                sound = False
        if not sound:
            return
        cells |= given | {"id": id, "edition": self.rules.id}
        try:
            _check_whole(kind, cells, given)
            row = build_row(kind, cells, self.rules)
        except ValueError as error:  # an InputError too
            mistakes.add(entry.line, str(error))
            return
        self.cells[kind][id], self.rows[kind, id], self.places[kind, id] = cells, row, place
        for name in (row.name, row.label):
            self.mine[kind, fold(name)] = id

    def _id(self, kind: str, given: dict[str, str]) -> str:
        """The id of an entry: as it says, else of the row that has its name, else made of its name."""
        known = self.cells[kind]
        if "id" in given:
            if given["id"] not in known and "name" not in given:
                message = f"id: there is no {kind} {show(given['id'])} in {self.rules.id} to be changed"
                raise InputError(f"{message}{did_you_mean(given['id'], known)} (a new one needs a name)")
            return given["id"]
        if "name" not in given:
            raise InputError(f"id or name of the {kind} is missing")
        name = given["name"]
        found = {row.id for row in self.catalog.exactly(kind, name)} | {
            id for id in (self.mine.get((kind, fold(name))),) if id is not None
        }
        if len(found) > 1:
            ids = ", ".join(sorted(found))
            raise InputError(f"{show(name)} is the name of several {kind} rows: {ids}; give one of these as id")
        if found:
            del given["name"]
            return found.pop()
        id = re.sub(r"[\W_]+", "-", fold(name)).strip("-")
        if not id or id in known:
            raise InputError(f"an id is needed, none can be made of the name {show(name)}")
        return id

    def _base(self, kind: str, id: str, given: dict[str, str], place: Place) -> dict[str, str]:
        """The cells that an entry changes: of the row it is like, of the one it changes, or the defaults."""
        known = self.cells[kind]
        if "like" in given:
            source = self._like(kind, id, given.pop("like"))
            own = dict.fromkeys(("profile", "source1", "source2", "conflict", "agree", "third_party"), "")
            cells = known[source] | {name: value for name, value in own.items() if name in known[source]}
            return cells | {"name": known.get(id, {}).get("name", ""), "source1": str(place)}
        if id in known:
            return dict(known[id])
        needed = _NEEDED.get(kind)
        if needed is not None and needed not in given:
            allowed = ", ".join(COLUMNS[kind][needed].choice)
            raise InputError(f"{needed} of a new {kind} is missing ({allowed}), or like and the {kind} it is like")
        empty = dict.fromkeys(next(iter(known.values())), "")
        return empty | {name: column.default for name, column in COLUMNS[kind].items()} | {"source1": str(place)}

    def _like(self, kind: str, id: str, name: str) -> str:
        found = name if name in self.cells[kind] else self.mine.get((kind, fold(name)))
        if found is None:
            try:
                found = str(getattr(self.catalog, kind)(name, where="like").id)
            except InputError as error:
                raise InputError(f"{error} (like names a row of the books, or one further up)") from None
        if found == id:
            raise InputError("like: a row cannot be like itself")
        return found

    def _checked(self, kind: str, name: str, cell: str) -> str:
        """Look at a cell that names keywords, armour or special rules; names become those of the catalogue."""
        if name == "conditions":
            for effect in read_effects(cell):
                check_effect(effect, self.rules, "attack" if kind == "weapon" else "model")
        if name == "abilities":
            for ability in read_abilities(cell):
                for effect in ability.effects:
                    check_effect(effect, self.rules, "model")
        if name in ("keywords", "grants"):
            place = "attack" if kind == "weapon" else "model"
            words = [english(word) for word in cell.split(";") if word]
            for word in words:
                if name != "grants" or word not in self.rules.keywords:  # kit can be what its wearer is not: CONSUMABLE
                    self.rules.keyword(word, place)
            return ";".join(words)
        if name == "armour_ids":
            return ";".join(self._armour(word) for word in cell.split(";") if word)
        return cell

    def _armour(self, name: str) -> str:
        if name in self.cells["armour"]:
            return name
        return self.mine.get(("armour", fold(name))) or self.catalog.armour(name, where="").id

    # --- keywords and options -----------------------------------------------------------------------------------

    def _keyword(self, entry: Entry, place: Place, mistakes: Mistakes) -> None:
        try:
            word = self._read_keyword(entry, place)
        except InputError as error:
            mistakes.add(_line_of(entry, error), error)
            return
        self.rules = replace(self.rules, keywords={**self.rules.keywords, word.name: word})
        self.places["keyword", word.name] = place

    def _read_keyword(self, entry: Entry, place: Place) -> Keyword:
        if "name" not in entry.cells:
            raise InputError("name of the keyword is missing")
        name, known = english(entry.cells["name"]), self.rules.keywords
        self._once(entry, name)
        base = known.get(name, Keyword(name, f"as {place.file} says"))
        if "like" in entry.cells:
            like = english(entry.cells["like"])
            if like not in known:
                raise unknown(f"keyword in {self.rules.id}", like, known, "like")
            base = replace(known[like], name=name, text=f"as {like}")
        fields: dict[str, Any] = {key: cell for key, cell in entry.cells.items() if key not in ("like", "edition")}
        for key in fields:
            form = COLUMNS["keyword"][key].form
            if form == "whole":
                fields[key] = int(fields[key]) if fields[key] else None
            elif form == "flag":
                fields[key] = fields[key] == "1"
            elif form == "words":
                fields[key] = " ".join(fields[key].replace(";", " ").split())
        word = replace(base, **fields | {"name": name})
        sets = [part for other in load_edition(self.rules.id).keywords.values() for part in other.sets.split()]
        allowed = {"ignores": list(self.rules.modifiers), "negates": [*known, name], "sets": list(dict.fromkeys(sets))}
        for key, names in allowed.items():
            for part in getattr(word, key).split():
                if part not in names:
                    raise unknown("situation" if key != "negates" else "keyword", part, names, key)
        if word.armour_piercing and word.number == "none":
            raise InputError("armour_piercing needs a number: say number = required, or optional")
        return word

    def _option(self, entry: Entry, place: Place, mistakes: Mistakes) -> None:
        try:
            name, value = entry.cells.get("name", "").replace("-", "_"), entry.cells.get("default")
            if not name or value is None:
                raise InputError("name or default of the option is missing")
            self._once(entry, name)
            reading = {"true": True, "false": False}.get(value, value)
            self.rules.read_options({name: reading}, "options")
        except InputError as error:
            mistakes.add(entry.lines.get("default", entry.line), error)
            return
        reason = entry.cells.get("reason") or mark("A rule of one's own.")
        option = replace(self.rules.options[name], default=reading, source=str(place), reason=reason)
        self.rules = replace(self.rules, options={**self.rules.options, name: option})
        self.places["option", name] = place


def _check_whole(kind: str, cells: Mapping[str, str], given: Mapping[str, str]) -> None:
    """Look at what only goes together in a row."""
    if not cells["name"]:
        raise InputError(f"name of the new {kind} is missing")
    if kind == "weapon":
        effects = read_effects(cells["conditions"])
        check_shots(int(cells["shots"]), effects)
        if cells["ignore_armour"] == "optional" and not any(effect.target == "choose" for effect in effects):
            raise InputError("ignore_armour = optional needs conditions = choose=injury_dice+2|ignore_armour=all")
    is_shield = cells.get("slot") == "shield"
    if kind == "armour" and "shield" in given and (given["shield"] == "1") != is_shield:
        raise InputError(f"shield = {'true' if given['shield'] == '1' else 'false'} contradicts slot = {cells['slot']}")


def _line_of(entry: Entry, error: InputError) -> int:
    """The line of the column that an error begins with, else that of the entry."""
    return entry.lines.get(str(error).partition(":")[0], entry.line)
