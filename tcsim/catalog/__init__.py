"""Weapons, armour and units of both editions, as data, and the look-up by name.

The rows (:mod:`tcsim.catalog.rows`) are read from their CSV files when they are first needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from os import PathLike
from typing import Any
from unicodedata import combining, normalize

from tcsim.base.errors import InputError, did_you_mean, show, some
from tcsim.base.labels import english, english_words
from tcsim.catalog.ability_rows import read_ability_rows
from tcsim.catalog.origin import Own, Place
from tcsim.catalog.rows import (
    Armour,
    Price,
    Row,
    Unit,
    Weapon,
    as_record,
    in_order,
    read_armour,
    read_units,
    read_weapons,
)
from tcsim.catalog.warbands import shipped_warbands, warband
from tcsim.rules import Edition, editions
from tcsim.rules import edition as load_edition
from tcsim.rules.effects import Ability

__all__ = [
    "Armour",
    "Catalog",
    "Price",
    "Row",
    "Unit",
    "Weapon",
    "as_record",
    "catalog",
    "fold",
    "shipped_warbands",
    "warband",
]


@dataclass(frozen=True)
class Catalog:
    """All rows of one edition, by kind; look-up by id, name, profile, faction or Korean label.

    Parameters
    ----------
    edition : str
        Edition id.
    more : tuple of Row, optional
        Rows beside those of the books, or in the place of the one of the same kind and id.
    own : Own, optional
        What users' own catalogues make of the edition, where ``more`` comes from them.

    Examples
    --------
    >>> catalog("1.6.3").weapon("bolt-action rifle").range_in
    24
    """

    edition: str
    more: tuple[Row, ...] = ()
    own: Own | None = None

    @property
    def rules(self) -> Edition:
        """The edition, with keywords and readings of users' own catalogues."""
        return self.own.rules if self.own is not None else load_edition(self.edition)

    @cached_property
    def weapons(self) -> tuple[Weapon, ...]:
        """Every weapon row, third-party ones last."""
        return self._with_more("weapon", read_weapons(self.edition))

    @cached_property
    def armour_rows(self) -> tuple[Armour, ...]:
        """Every armour row, third-party ones last."""
        return self._with_more("armour", read_armour(self.edition))

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Every unit row, third-party ones last."""
        return self._with_more("unit", read_units(self.edition))

    def _with_more(self, kind: str, rows: tuple[Any, ...]) -> tuple[Any, ...]:
        more = [row for row in self.more if row.kind_of_row == kind]
        return in_order({row.id: row for row in (*rows, *more)}.values()) if more else rows

    @property
    def by_kind(self) -> dict[str, tuple[Row, ...]]:
        """Every row, by kind: ``weapon``, ``armour``, ``unit``."""
        return {"weapon": self.weapons, "armour": self.armour_rows, "unit": self.units}

    @cached_property
    def _index(self) -> dict[str, dict[str, list[Any]]]:
        index: dict[str, dict[str, list[Any]]] = {}
        for kind, rows in self.by_kind.items():
            names: dict[str, list[Any]] = {}
            for row in rows:
                for key in {fold(row.id), fold(row.name), fold(row.label)}:
                    names.setdefault(key, []).append(row)
            index[kind] = names
        return index

    def _otherwise(self, kind: str, name: str) -> list[Any]:
        """Rows for a name that none has: one without what stands in brackets, or one that another edition has."""
        wanted = fold(name)
        others = [catalog(other) for other in editions() if other != self.edition or self.more]
        ids = {row.id for other in others for row in other._index[kind].get(wanted) or other._plain(kind, wanted)}
        return self._plain(kind, wanted) or [row for row in self.by_kind[kind] if row.id in ids]

    def _plain(self, kind: str, wanted: str) -> list[Any]:
        return [row for row in self.by_kind[kind] if fold(re.sub(r" \([^()]*\)$", "", row.name)) == wanted]

    def exactly(self, kind: str, name: str) -> list[Any]:
        """Find the rows of one kind that are called just so.

        Parameters
        ----------
        kind : str
            ``weapon``, ``armour`` or ``unit``.
        name : str
            Id, name or label, in any case.

        Returns
        -------
        list of Row
            None, one or several.

        Examples
        --------
        >>> [row.id for row in catalog("1.6.3").exactly("weapon", "ARQUEBUS")]
        ['arquebus', 'arquebus-melee']
        """
        return self._index[kind].get(fold(name), [])

    def origin(self, kind: str, id: str) -> Place | None:
        """Say where in users' own catalogues something stands.

        Parameters
        ----------
        kind : str
            ``weapon``, ``armour``, ``unit``, ``keyword`` or ``option``.
        id : str
            Id of the row, or name of the keyword or option.

        Returns
        -------
        Place or None
            File and line; None for what is in the books.

        Examples
        --------
        >>> catalog("1.6.3").origin("weapon", "sword-axe")
        """
        return self.own.places.get((kind, id)) if self.own is not None else None

    def weapon(self, name: str, kind: str | None = None, where: str = "weapon") -> Weapon:
        """Find a weapon.

        Parameters
        ----------
        name : str
            Id, name in any case, also that of another edition, or ``Name (profile)``.
        kind : str, optional
            ``ranged`` or ``melee``: settles a name with profiles of both.
        where : str, optional
            The place in the input, for the error.

        Returns
        -------
        Weapon
            The row.

        Raises
        ------
        InputError
            When there is none, or several are left.

        Examples
        --------
        >>> catalog("1.6.3").weapon("Arquebus", kind="melee").id
        'arquebus-melee'
        """
        rows = self._find("weapon", name, where)
        if len(rows) > 1 and kind is not None:
            rows = [row for row in rows if row.attack_kind == kind] or rows
        if len(rows) > 1:  # an id that is also a name of several
            rows = [row for row in rows if row.id == name] or rows
        found: Weapon = self._only(rows, "weapon", name, where)
        return found

    def armour(self, name: str, where: str = "armour") -> Armour:
        """Find a piece of armour.

        Parameters
        ----------
        name : str
            Id, name in any case, or Korean label.
        where : str, optional
            The place in the input, for the error.

        Returns
        -------
        Armour
            The row.

        Raises
        ------
        InputError
            When there is none.

        Examples
        --------
        >>> catalog("1.6.3").armour("중갑").name
        'Reinforced Armour'
        """
        found: Armour = self._only(self._find("armour", name, where), "armour", name, where)
        return found

    def unit(self, name: str, where: str = "unit") -> Unit:
        """Find a unit.

        Parameters
        ----------
        name : str
            Id, name in any case, or ``Name @faction[-variant]``; a bare name means the unit without variant.
        where : str, optional
            The place in the input, for the error.

        Returns
        -------
        Unit
            The row.

        Raises
        ------
        InputError
            When there is none, or several are left.

        Examples
        --------
        >>> catalog("1.0.2").unit("yuzbasi").name
        'Yüzbaşı'
        """
        rows = self._find("unit", name, where)
        if len(rows) > 1:
            rows = [row for row in rows if not row.variant] or rows
        found: Unit = self._only(rows, "unit", name, where)
        return found

    @cached_property
    def _every_ability(self) -> list[tuple[str, Ability]]:
        """Whose it is and the ability, for every row; weapons that reach other models with what reaches those."""
        rows = [(row.whose, row.ability) for row in read_ability_rows(self.edition)]
        rows += [(unit.id, ability) for unit in self.units for ability in unit.abilities]
        for weapon in self.weapons:
            reaching = tuple(effect for effect in weapon.effects if effect.aura)
            rows += [(weapon.id, Ability(weapon.name, None, reaching))] if reaching else []
        return rows

    @cached_property
    def abilities(self) -> dict[str, list[tuple[str, Ability]]]:
        """Every ability, by folded name: with whose it is, those of whole warbands, skills and powers first."""
        every: dict[str, list[tuple[str, Ability]]] = {}
        for whose, ability in self._every_ability:
            same = every.setdefault(fold(ability.name), [])
            if all(ability.effects != other.effects for _, other in same):
                same.append((whose, ability))
        return every

    @cached_property
    def _of_no_unit(self) -> frozenset[str]:
        return frozenset(fold(row.ability.name) for row in read_ability_rows(self.edition))

    def ability(self, name: str, where: str = "ability", unit: Unit | None = None) -> Ability:
        """Find an ability of a unit, a skill, a power, or a rule of a whole warband.

        Parameters
        ----------
        name : str
            Its name in any case; ``Name @unit-id`` where several differ, and none is of a whole warband.
        where : str, optional
            The place in the input, for the error.
        unit : Unit, optional
            Whose own one is meant first.

        Returns
        -------
        Ability
            Its effects.

        Raises
        ------
        InputError
            When there is none, or several are left.

        Examples
        --------
        >>> catalog("1.6.3").ability("Stealth Generator").effects[0].text
        'action_dice=-1 against it if ranged'
        """
        plain, _, owner = (fold(part) for part in name.partition("@"))
        if unit is not None and owner in ("", fold(unit.id)):
            own = [ability for ability in unit.abilities if fold(ability.name) == plain]
            if own:
                return own[0]
        found = self.abilities.get(plain, [])
        several = [ability for _, ability in found]
        if owner:
            every = self._every_ability
            several = [ability for whose, ability in every if (fold(ability.name), fold(whose)) == (plain, owner)]
        elif plain in self._of_no_unit:
            several = several[:1]
        if len(several) == 1:
            return several[0]
        if found:
            ways = some(f"{ability.name} @{whose}" for whose, ability in found)
            problem = "is the name of several abilities" if several else "is the ability of none, there are"
            raise InputError(f"{show(name)} {problem}: {ways}; give one of these", where)
        names = {ability.name for same in self.abilities.values() for _, ability in same}
        message = f"there is no ability {show(name)} in the catalogue of {self.edition}"
        having = [id for id in editions() if id != self.edition and fold(plain) in catalog(id).abilities]
        hint = f"; edition {having[0]} has it" if having else did_you_mean(english(name), names)
        raise InputError(message + hint, where)

    def named(self, name: str) -> list[Row]:
        """Find every row that a name can mean: all profiles, factions and variants.

        Parameters
        ----------
        name : str
            As for :meth:`weapon`, :meth:`armour` and :meth:`unit`.

        Returns
        -------
        list of Row
            At least one.

        Raises
        ------
        InputError
            When there is none.

        Examples
        --------
        >>> [row.id for row in catalog("1.0.2").named("Pistol")]
        ['pistol', 'pistol-melee']
        """
        rows: list[Row] = []
        for names in self._index.values():
            rows += names.get(fold(name), [])
        for kind in self.by_kind if not rows else ():
            rows += self._otherwise(kind, name)
        if rows:
            return rows
        every = {row.name for found in self.by_kind.values() for row in found}
        message = f"there is no weapon, armour or unit {show(name)} in the catalogue of {self.edition}"
        if fold(name) in self.abilities:
            raise InputError(f"{message}; it is an ability, see `tcsim catalog abilities {fold(name)}`")
        raise InputError(message + did_you_mean(english(name), every))

    def search(self, text: str, third_party: bool = False) -> Iterator[Row]:
        """Find rows whose id, name, keywords or factions contain every word of a text.

        Parameters
        ----------
        text : str
            Words, in any case and order.
        third_party : bool, optional
            Also rows that are not in the official books.

        Yields
        ------
        Row
            Weapons, then armour, then units.

        Examples
        --------
        >>> [row.id for row in catalog("1.6.3").search("sniper rifle")]
        ['sniper-rifle']
        """
        words = fold(english_words(text)).split()
        for rows in self.by_kind.values():
            for row in rows:
                if row.third_party and not third_party:
                    continue
                parts = [row.id, row.label, *getattr(row, "keywords", ()), *getattr(row, "grants", ())]
                parts += [*getattr(row, "factions", ()), getattr(row, "slot", "")]
                haystack = fold(" ".join(parts))
                if all(word in haystack for word in words):
                    yield row

    def _find(self, kind: str, name: str, where: str) -> list[Any]:
        rows = self._index[kind].get(fold(name)) or self._otherwise(kind, name)
        if rows:
            official = [row for row in rows if not row.third_party]
            return official or rows
        official = [row for row in self.by_kind[kind] if not row.third_party]
        hint = did_you_mean(english(name), {row.name for row in official} | {row.label for row in official})
        message = f"there is no {kind} {show(name)} in the catalogue of {self.edition}"
        raise InputError(message + (hint or f"; see `tcsim catalog list {kind}`"), where)

    def _only(self, rows: list[Any], kind: str, name: str, where: str) -> Any:
        if len(rows) == 1:
            return rows[0]
        ids = ", ".join(row.id for row in rows)
        raise InputError(f"{show(name)} is the name of several {kind} rows: {ids}; give one of these ids", where)


def catalog(edition: str, files: str | PathLike[str] | Iterable[str | PathLike[str]] | None = None) -> Catalog:
    """Open the catalogue of an edition.

    Parameters
    ----------
    edition : str
        Edition id.
    files : path, or iterable of paths, optional
        Users' own catalogues (.toml or .csv) that add to it and change it; later ones go before earlier ones.

    Returns
    -------
    Catalog
        Its rows are read when first needed.

    Raises
    ------
    InputError
        When there is no such edition, or a file is wrong: with its name, the line, and what is allowed.

    Examples
    --------
    >>> len(catalog("1.6.3").armour_rows)
    26
    """
    id = load_edition(edition).id
    if files is None or (isinstance(files, (list, tuple)) and not files):
        return _of_the_books(id)
    from tcsim.catalog.custom import read_catalogs

    return read_catalogs(files)[id]


@cache
def _of_the_books(id: str) -> Catalog:
    return Catalog(id)


def fold(text: str) -> str:
    """Write a name as it is compared: any case and spacing, plain letters and signs, Korean as English.

    Parameters
    ----------
    text : str
        A name as the user wrote it.

    Returns
    -------
    str
        Its folded form.

    Examples
    --------
    >>> fold("  Assassin’s   DAGGER "), fold("YÜZBAŞI")
    ("assassin's dagger", 'yuzbasi')
    """
    text = english(text).translate(_PLAIN).casefold()
    if not text.isascii():
        text = "".join(letter for letter in normalize("NFKD", text) if not combining(letter))
    return " ".join(text.split())


_PLAIN = str.maketrans({"’": "'", "‘": "'", "‐": "-", "‑": "-", "–": "-", "ı": "i"})
