"""Weapons, armour and units of both editions, as data, and the look-up by name.

The rows are the CSV files in ``data/`` (their columns: ``data/README.md``). A row is turned into a frozen dataclass
when it is first needed. What a row says and tcsim does not count yet stands in ``unmodelled``, so that whoever uses
the row can say so.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass, fields
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, ClassVar

from tcsim.base.errors import InputError, nearest, show
from tcsim.base.labels import english
from tcsim.rules import edition as load_edition


@dataclass(frozen=True, slots=True)
class Price:
    """What something costs, and to whom (empty: every faction that may buy it)."""

    amount: int
    currency: str
    faction: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """What every row of the catalogue has."""

    kind_of_row: ClassVar[str] = "row"

    id: str
    edition: str
    name: str
    prices: tuple[Price, ...]
    third_party: bool
    sources: tuple[str, ...]
    conflict: str
    unmodelled: tuple[str, ...]

    @property
    def label(self) -> str:
        """The name that finds just this row again, where one name has several."""
        return self.name

    def cheapest(self, currency: str = "ducats") -> int | None:
        """Lowest price in a currency, or None.

        Parameters
        ----------
        currency : str, optional
            ``ducats`` or ``glory``.

        Returns
        -------
        int or None
            The lowest price any faction pays.
        """
        return min((price.amount for price in self.prices if price.currency == currency), default=None)


@dataclass(frozen=True, slots=True)
class Weapon(Row):
    """A weapon, or one profile of a weapon. Range in inches; dice and modifiers without any situation."""

    kind_of_row: ClassVar[str] = "weapon"

    kind: str
    profile: str
    hands: int
    range_in: int | None
    shots: int
    action_dice: int
    injury_dice: int
    injury_modifier: int
    injury_keep: int
    auto_hit: bool
    ignore_armour: str
    armour_piercing: int
    blast_in: int | None
    keywords: tuple[str, ...]
    factions: tuple[str, ...]

    @property
    def label(self) -> str:
        """The name with its profile."""
        return f"{self.name} ({self.profile})" if self.profile else self.name


@dataclass(frozen=True, slots=True)
class Armour(Row):
    """A piece of armour or other protection."""

    kind_of_row: ClassVar[str] = "armour"

    slot: str
    injury_modifier: int
    injury_dice: int
    machine: bool
    stacks_with_shield: bool
    impervious: bool
    grants: tuple[str, ...]
    factions: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unit(Row):
    """A model one can recruit. ``ranged_dice`` or ``melee_dice`` None: it cannot make that attack."""

    kind_of_row: ClassVar[str] = "unit"

    faction: str
    variant: str
    movement_in: int | None
    ranged_dice: int | None
    melee_dice: int | None
    injury_modifier: int
    armour_included: str
    armour_ids: tuple[str, ...]
    base_mm: int
    keywords: tuple[str, ...]
    abilities: str

    @property
    def label(self) -> str:
        """The name with faction and variant."""
        return f"{self.name} @{self.faction}{'-' + self.variant if self.variant else ''}"


@dataclass(frozen=True)
class Catalog:
    """All rows of one edition, by kind; look-up by id, name, profile, faction or Korean label.

    Parameters
    ----------
    edition : str
        Edition id.
    more_weapons : tuple of Weapon, optional
        Weapons beside those of the books.

    Examples
    --------
    >>> catalog("1.6.3").weapon("bolt-action rifle").range_in
    24
    """

    edition: str
    more_weapons: tuple[Weapon, ...] = ()

    @cached_property
    def weapons(self) -> tuple[Weapon, ...]:
        """Every weapon row, third-party ones last."""
        return (*_read("weapons", self.edition, _weapon), *self.more_weapons)

    @cached_property
    def armour_rows(self) -> tuple[Armour, ...]:
        """Every armour row, third-party ones last."""
        return _read("armour", self.edition, _armour)

    @cached_property
    def units(self) -> tuple[Unit, ...]:
        """Every unit row, third-party ones last."""
        return _read("units", self.edition, _unit)

    @cached_property
    def _index(self) -> dict[str, dict[str, list[Any]]]:
        index: dict[str, dict[str, list[Any]]] = {}
        for kind, rows in (("weapon", self.weapons), ("armour", self.armour_rows), ("unit", self.units)):
            names: dict[str, list[Any]] = {}
            for row in rows:
                for key in {fold(row.id), fold(row.name), fold(row.label)}:
                    names.setdefault(key, []).append(row)
            index[kind] = names
        return index

    def weapon(self, name: str, kind: str | None = None, where: str = "weapon") -> Weapon:
        """Find a weapon.

        Parameters
        ----------
        name : str
            Id, name in any case, or ``Name (profile)``.
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
        """
        rows = self._find("weapon", name, where)
        if len(rows) > 1 and kind is not None:
            rows = [row for row in rows if (row.kind == "melee") == (kind == "melee")] or rows
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
        """
        rows = self._find("unit", name, where)
        if len(rows) > 1:
            rows = [row for row in rows if not row.variant] or rows
        found: Unit = self._only(rows, "unit", name, where)
        return found

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
        """
        rows: list[Row] = []
        for kind in ("weapon", "armour", "unit"):
            rows += self._index[kind].get(fold(name), [])
        if rows:
            return rows
        every = {row.name for names in self._index.values() for found in names.values() for row in found}
        hint = nearest(english(name), every)
        message = f"there is no weapon, armour or unit {show(name)} in the catalogue of {self.edition}"
        raise InputError(message + (f'; did you mean "{hint}"?' if hint else ""))

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
        """
        words = fold(text).split()
        for rows in (self.weapons, self.armour_rows, self.units):
            for row in rows:
                if row.third_party and not third_party:
                    continue
                parts = [row.id, row.label, *getattr(row, "keywords", ()), *getattr(row, "grants", ())]
                parts += [*getattr(row, "factions", ()), getattr(row, "slot", "")]
                haystack = fold(" ".join(parts))
                if all(word in haystack for word in words):
                    yield row

    def _find(self, kind: str, name: str, where: str) -> list[Any]:
        rows = self._index[kind].get(fold(name))
        if rows:
            official = [row for row in rows if not row.third_party]
            return official or rows
        labels = {row.label for rows in self._index[kind].values() for row in rows if not row.third_party}
        names = {row.name for rows in self._index[kind].values() for row in rows if not row.third_party}
        hint = nearest(english(name), names | labels)
        message = f"there is no {kind} {show(name)} in the catalogue of {self.edition}"
        raise InputError(
            message + (f'; did you mean "{hint}"?' if hint else f"; see `tcsim catalog list {kind}`"), where
        )

    def _only(self, rows: list[Any], kind: str, name: str, where: str) -> Any:
        if len(rows) == 1:
            return rows[0]
        ids = ", ".join(row.id for row in rows)
        raise InputError(f"{show(name)} is the name of several {kind} rows: {ids}; give one of these ids", where)


@cache
def catalog(edition: str) -> Catalog:
    """Open the catalogue of an edition.

    Parameters
    ----------
    edition : str
        Edition id.

    Returns
    -------
    Catalog
        Its rows are read when first needed.

    Raises
    ------
    InputError
        When there is no such edition.
    """
    return Catalog(load_edition(edition).id)


def fold(text: str) -> str:
    """Write a name as it is compared: any case, any spacing, typographic signs as plain ones, Korean as English.

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
    >>> fold("  Assassin’s   DAGGER ")
    "assassin's dagger"
    """
    text = english(text).translate(_PLAIN)
    return " ".join(text.casefold().split())


_PLAIN = str.maketrans({"’": "'", "‘": "'", "‐": "-", "‑": "-", "–": "-"})


def _read(file: str, edition: str, build: Any) -> tuple[Any, ...]:
    text = (files("tcsim.catalog") / "data" / f"{file}.csv").read_text(encoding="utf-8")
    rows = [build(row) for row in csv.DictReader(text.splitlines()) if row["edition"] == edition]
    return tuple(sorted(rows, key=lambda row: (row.third_party, row.name, row.id)))


def _common(row: dict[str, str], unmodelled: list[str]) -> dict[str, Any]:
    keywords = load_edition(row["edition"]).keywords
    for name in _words(row.get("keywords", "")):
        word = keywords.get(re.sub(r" \d+$", "", name))
        if word is not None and word.unmodelled:
            unmodelled.append(f"{word.name}, {word.unmodelled}")
    prices = [*_prices(row["cost_ducats"], "ducats"), *_prices(row["cost_glory"], "glory")]
    return {
        "id": row["id"],
        "edition": row["edition"],
        "name": row["name"],
        "prices": tuple(prices),
        "third_party": row["third_party"] == "1",
        "sources": tuple(source for source in (row["source1"], row["source2"]) if source),
        "conflict": row["conflict"],
        "unmodelled": tuple(part for part in unmodelled if part),
    }


def _weapon(row: dict[str, str]) -> Weapon:
    unmodelled = [f"conditions {row['conditions']}" if row["conditions"] else "", row["special"].rstrip(".")]
    if row["ignore_armour"] in ("direct", "optional"):
        unmodelled.append(f"ignores armour: {row['ignore_armour']}")
    if row["injury_keep"] == "0":
        unmodelled.append("makes no injury roll")
    return Weapon(
        **_common(row, unmodelled),
        kind=row["kind"],
        profile=row["profile"],
        hands=int(row["hands"]),
        range_in=_int(row["range_in"]),
        auto_hit=row["auto_hit"] == "1",
        ignore_armour=row["ignore_armour"],
        blast_in=_int(row["blast_in"]),
        keywords=_words(row["keywords"]),
        factions=_words(row["factions"]),
        shots=int(row["shots"]),
        action_dice=int(row["action_dice"]),
        injury_dice=int(row["injury_dice"]),
        injury_modifier=int(row["injury_modifier"]),
        injury_keep=int(row["injury_keep"]),
        armour_piercing=int(row["armour_piercing"]),
    )


def _armour(row: dict[str, str]) -> Armour:
    return Armour(
        **_common(row, [f"conditions {row['conditions']}" if row["conditions"] else ""]),
        slot=row["slot"],
        injury_modifier=int(row["injury_modifier"]),
        injury_dice=int(row["injury_dice"]),
        machine=row["machine"] == "1",
        stacks_with_shield=row["stacks_with_shield"] == "1",
        impervious=row["impervious"] == "1",
        grants=_words(row["grants"]),
        factions=_words(row["factions"]),
    )


def _unit(row: dict[str, str]) -> Unit:
    return Unit(
        **_common(row, [f"abilities {row['abilities']}" if row["abilities"] else ""]),
        faction=row["faction"],
        variant=row["variant"],
        movement_in=_int(row["movement_in"]),
        ranged_dice=_int(row["ranged_dice"]),
        melee_dice=_int(row["melee_dice"]),
        injury_modifier=int(row["injury_modifier"]),
        armour_included=row["armour_included"],
        armour_ids=_words(row["armour_ids"]),
        base_mm=max(int(side) for side in row["base_mm"].split("x")),
        keywords=_words(row["keywords"]),
        abilities=row["abilities"],
    )


def _int(text: str) -> int | None:
    return int(text) if re.fullmatch(r"-?\d+", text) else None


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(";") if word.strip())


def _prices(text: str, currency: str) -> list[Price]:
    prices = []
    for part in _words(text):
        amount, _, faction = part.partition("@")
        prices.append(Price(int(amount), currency, faction))
    return prices


def as_record(row: Row) -> dict[str, Any]:
    """Give a row as plain data, for JSON.

    Parameters
    ----------
    row : Row
        A weapon, armour or unit row.

    Returns
    -------
    dict
        Its fields; ``prices`` as ``{"amount", "currency", "faction"}``.
    """
    record: dict[str, Any] = {"row": row.kind_of_row}
    for item in fields(row):
        value = getattr(row, item.name)
        if item.name == "prices":
            value = [{"amount": p.amount, "currency": p.currency, "faction": p.faction} for p in value]
        record[item.name] = list(value) if isinstance(value, tuple) else value
    return record
