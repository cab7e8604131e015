"""The rows of the catalogue: what each kind has, and how it is read from the CSV files in ``data/``.

The columns are told in ``data/README.md``. What an answer about a row leaves out stands in ``unmodelled``, and what it
asks for in ``asks``, so that whoever uses the row can say so.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from importlib.resources import files
from typing import Any, ClassVar

from tcsim.rules import Edition
from tcsim.rules import edition as load_edition
from tcsim.rules.effects import Ability, Effect, read_abilities, read_effects
from tcsim.rules.mechanisms import asks, left_out


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
    asks: tuple[str, ...]

    @property
    def status(self) -> str:
        """``whole``; ``partial``: leaves out what ``unmodelled`` says, or asks for what ``asks`` says; or ``board``."""
        if self.unmodelled and self._is_board:
            return "board"
        return "partial" if self.unmodelled or self.asks else "whole"

    @property
    def _is_board(self) -> bool:
        """Whether nothing of the row is left once what it leaves out is taken away."""
        return False

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

        Examples
        --------
        >>> from tcsim.catalog import catalog
        >>> catalog("1.6.3").weapon("Greatsword / Greataxe").cheapest()
        7
        """
        return min((price.amount for price in self.prices if price.currency == currency), default=None)


@dataclass(frozen=True, slots=True)
class Weapon(Row):
    """A weapon, or one profile of a weapon. Range in inches; dice and modifiers without any situation."""

    kind_of_row: ClassVar[str] = "weapon"

    kind: str
    profile: str
    characteristic: str
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
    effects: tuple[Effect, ...]
    besides: str
    limit: str = ""

    @property
    def label(self) -> str:
        """The name with its profile."""
        return f"{self.name} ({self.profile})" if self.profile else self.name

    @property
    def attack_kind(self) -> str:
        """The kind of attack it makes: ``melee``, or ``ranged`` for all that shoots or is thrown."""
        return "melee" if self.kind == "melee" else "ranged"

    @property
    def is_carried(self) -> bool:
        """Whether it is a thing with a price of its own: no attack that an option gives, no gun used in melee."""
        return (self.hands > 0 or self.kind == "grenade") and not self.id.endswith("-melee")

    @property
    def shoot_actions(self) -> int:
        """How many attack ACTIONs it makes in one activation; mostly 1.

        Examples
        --------
        >>> from tcsim.catalog import catalog
        >>> [catalog(edition).weapon("submachine-gun").shoot_actions for edition in ("1.6.3", "1.0.2")]
        [1, 2]
        """
        return max((effect.number or 1 for effect in self.effects if effect.target == "shoot_actions"), default=1)


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
    effects: tuple[Effect, ...]

    @property
    def _is_board(self) -> bool:
        numbers = self.injury_modifier or self.injury_dice or self.grants
        return not numbers and all(left_out(effect) for effect in self.effects)


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
    abilities: tuple[Ability, ...]
    limit: str = ""
    equipment_rules: str = ""

    @property
    def label(self) -> str:
        """The name with faction and variant."""
        return f"{self.name} @{self.faction}{'-' + self.variant if self.variant else ''}"

    @property
    def options(self) -> tuple[str, ...]:
        """Names of the abilities that it has only where they are chosen."""
        return tuple(ability.name for ability in self.abilities if ability.price is not None)


def read_weapons(edition: str) -> tuple[Weapon, ...]:
    """Read the weapons of an edition.

    Parameters
    ----------
    edition : str
        Edition id.

    Returns
    -------
    tuple of Weapon
        By name, third-party ones last.

    Examples
    --------
    >>> len(read_weapons("1.6.3"))
    127
    """
    return _read("weapon", edition)


def read_armour(edition: str) -> tuple[Armour, ...]:
    """Read the armour of an edition.

    Parameters
    ----------
    edition : str
        Edition id.

    Returns
    -------
    tuple of Armour
        By name, third-party pieces last.

    Examples
    --------
    >>> len(read_armour("1.0.2"))
    34
    """
    return _read("armour", edition)


def read_units(edition: str) -> tuple[Unit, ...]:
    """Read the units of an edition.

    Parameters
    ----------
    edition : str
        Edition id.

    Returns
    -------
    tuple of Unit
        By name, third-party ones last.

    Examples
    --------
    >>> len(read_units("1.0.2"))
    157
    """
    return _read("unit", edition)


def _read(kind: str, edition: str) -> tuple[Any, ...]:
    rules = load_edition(edition)
    return in_order(build_row(kind, cells, rules) for cells in read_cells(kind, edition))


def read_cells(kind: str, edition: str) -> list[dict[str, str]]:
    """Read one kind of row as it is written.

    Parameters
    ----------
    kind : str
        ``weapon``, ``armour`` or ``unit``.
    edition : str
        Edition id.

    Returns
    -------
    list of dict
        Column to cell, a dict per row.
    """
    file = {"weapon": "weapons", "armour": "armour", "unit": "units"}[kind]
    return [cells for cells in lines_of_file(file) if cells["edition"] == edition]


def build_row(kind: str, cells: dict[str, str], rules: Edition) -> Row:
    """Make a row of its cells.

    Parameters
    ----------
    kind : str
        ``weapon``, ``armour`` or ``unit``.
    cells : dict
        Every column of that kind.
    rules : Edition
        Whose keywords it may have.

    Returns
    -------
    Row
        The row.

    Examples
    --------
    >>> build_row("armour", read_cells("armour", "1.6.3")[0], load_edition("1.6.3")).name
    'Alchemist Armour'
    """
    build: dict[str, Callable[[dict[str, str], Edition], Row]] = {"weapon": _weapon, "armour": _armour, "unit": _unit}
    return build[kind](cells, rules)


def in_order(rows: Iterable[Any]) -> tuple[Any, ...]:
    """Sort rows of one kind as they are listed: by name, those that are not official last.

    Parameters
    ----------
    rows : iterable of Row
        In any order.

    Returns
    -------
    tuple of Row
        Sorted.
    """
    return tuple(sorted(rows, key=lambda row: (row.third_party, row.name, row.id)))


def lines_of_file(file: str) -> list[dict[str, str]]:
    """Read a file of the catalogue as it is written.

    Parameters
    ----------
    file : str
        Its name without ``.csv``.

    Returns
    -------
    list of dict
        Column to cell, a dict per line.
    """
    text = (files("tcsim.catalog") / "data" / f"{file}.csv").read_text(encoding="utf-8")
    return list(csv.DictReader(text.splitlines()))


def _common(row: dict[str, str], rules: Edition, effects: list[tuple[str, Effect]]) -> dict[str, Any]:
    """What every row has; ``effects`` with the name of the ability they belong to, if any."""
    unmodelled = [_of(name, left_out(effect)) for name, effect in effects]
    for name in _words(row["grants"] if "grants" in row else row["keywords"]):
        word = rules.keywords.get(re.sub(r" \d+$", "", name))
        if word is not None and word.unmodelled:
            unmodelled.append(f"{word.name}, {word.unmodelled}")
    return {
        "id": row["id"],
        "edition": row["edition"],
        "name": row["name"],
        "prices": read_prices(row["cost_ducats"], row["cost_glory"]),
        "third_party": row["third_party"] == "1",
        "sources": tuple(source for source in (row["source1"], row["source2"]) if source),
        "conflict": row["conflict"],
        "unmodelled": tuple(part for part in unmodelled if part),
        "asks": tuple(part for part in (_of(name, asks(effect)) for name, effect in effects) if part),
    }


def _of(name: str, words: str) -> str:
    return f"{name}: {words}" if name and words else words


#: Which characteristic an action roll uses, where it is not that of the kind of attack.
_CHARACTERISTICS = {"best(ranged|melee)": "best", "choose(ranged|melee)": "best"}


def _weapon(row: dict[str, str], rules: Edition) -> Weapon:
    effects = read_effects(row["conditions"])
    return Weapon(
        **_common(row, rules, [("", effect) for effect in effects]),
        kind=row["kind"],
        profile=row["profile"],
        characteristic=next(
            (_CHARACTERISTICS.get(e.value, e.value) for e in effects if e.target == "characteristic"), ""
        ),
        hands=int(row["hands"]),
        range_in=_int(row["range_in"]),
        auto_hit=row["auto_hit"] == "1",
        ignore_armour=row["ignore_armour"],
        blast_in=_int(row["blast_in"]),
        keywords=_words(row["keywords"]),
        factions=_words(row["factions"]),
        effects=effects,
        besides=row["special"].rstrip("."),
        shots=int(row["shots"]),
        action_dice=int(row["action_dice"]),
        injury_dice=int(row["injury_dice"]),
        injury_modifier=int(row["injury_modifier"]),
        injury_keep=int(row["injury_keep"]),
        armour_piercing=int(row["armour_piercing"]),
        limit=row["limit"],
    )


def _armour(row: dict[str, str], rules: Edition) -> Armour:
    effects = read_effects(row["conditions"])
    return Armour(
        **_common(row, rules, [("", effect) for effect in effects]),
        slot=row["slot"],
        injury_modifier=int(row["injury_modifier"]),
        injury_dice=int(row["injury_dice"]),
        machine=row["machine"] == "1",
        stacks_with_shield=row["stacks_with_shield"] == "1",
        impervious=row["impervious"] == "1",
        grants=_words(row["grants"]),
        factions=_words(row["factions"]),
        effects=effects,
    )


def _unit(row: dict[str, str], rules: Edition) -> Unit:
    abilities = read_abilities(row["abilities"])
    return Unit(
        **_common(row, rules, [(ability.name, effect) for ability in abilities for effect in ability.effects]),
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
        abilities=abilities,
        limit=row["limit"],
        equipment_rules=row["equipment_rules"],
    )


def _int(text: str) -> int | None:
    return int(text) if re.fullmatch(r"-?\d+", text) else None


def _words(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(";") if word.strip())


def read_prices(ducats: str, glory: str) -> tuple[Price, ...]:
    """Read the two price columns of a table.

    Parameters
    ----------
    ducats, glory : str
        Each an amount, or ``amount@faction`` pairs, or nothing.

    Returns
    -------
    tuple of Price
        Ducats first.

    Examples
    --------
    >>> read_prices("", "3@court")
    (Price(amount=3, currency='glory', faction='court'),)
    """
    pairs = [(part.partition("@"), "ducats") for part in _words(ducats)]
    pairs += [(part.partition("@"), "glory") for part in _words(glory)]
    return tuple(Price(int(amount), currency, faction) for (amount, _, faction), currency in pairs)


def as_record(row: Row) -> dict[str, Any]:
    """Give a row as plain data, for JSON.

    Parameters
    ----------
    row : Row
        A weapon, armour or unit row.

    Returns
    -------
    dict
        Its fields; ``prices`` as ``{"amount", "currency", "faction"}``, ``effects`` and ``abilities`` as written.

    Examples
    --------
    >>> from tcsim.catalog import catalog
    >>> as_record(catalog("1.6.3").armour("Trench Shield"))["injury_modifier"]
    -1
    """
    record: dict[str, Any] = {"row": row.kind_of_row, "status": row.status}
    for item in fields(row):
        value = getattr(row, item.name)
        if item.name == "prices":
            value = [{"amount": p.amount, "currency": p.currency, "faction": p.faction} for p in value]
        if item.name in ("effects", "abilities"):
            value = [part.text for part in value]
        record[item.name] = list(value) if isinstance(value, tuple) else value
    return record
