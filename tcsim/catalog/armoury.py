"""What a faction may buy and what comes with a unit: the tables behind a loadout, per edition.

The tables stand in ``data/``: ``equipment.csv`` (kit that is neither weapon nor armour), ``stipulations.csv`` (who may
have a weapon or armour), ``unit_kit.csv`` (what a unit comes with, and may not have), ``upgrades.csv`` (options of a
unit) and ``carry.toml`` (what any model may carry). Their columns are told in ``data/README.md``.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from tcsim.base.errors import InputError, unknown
from tcsim.catalog import Armour, Catalog, Price, Unit, Weapon, fold
from tcsim.catalog import catalog as open_catalog
from tcsim.catalog.ability_rows import read_ability_rows
from tcsim.catalog.rows import read_prices
from tcsim.catalog.stipulations import Faction, Stipulation, UnitKit, is_one_of, read_unit_rule, slug


@dataclass(frozen=True, slots=True)
class Equipment:
    """Kit that is neither weapon nor armour."""

    id: str
    name: str
    hands: int
    keywords: tuple[str, ...]
    prices: tuple[Price, ...]
    factions: tuple[str, ...]
    limit: str
    only: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Upgrade:
    """An option of a unit, at a price; ``is_ability``: the catalogue has a special rule of its name."""

    name: str
    ducats: int
    limit: str
    factions: tuple[str, ...]
    units: tuple[str, ...]
    keywords: tuple[str, ...]
    is_ability: bool


#: What may be carried: every list of a loadout holds some of these.
Item = Weapon | Armour | Equipment


@dataclass(frozen=True)
class Armoury:
    """The tables of one edition, and the look-up of what loadouts name.

    Parameters
    ----------
    rows : Catalog
        Weapons, armour and units.
    equipment : mapping
        By id.
    stipulations : mapping
        By id and faction.
    kits : mapping
        By unit id.
    upgrades : tuple of Upgrade
        All options.
    carry : mapping
        What any model may carry, and ``sources``: the source of every rule.
    """

    rows: Catalog
    equipment: dict[str, Equipment]
    stipulations: dict[tuple[str, str], Stipulation]
    kits: dict[str, UnitKit]
    upgrades: tuple[Upgrade, ...]
    carry: dict[str, Any]

    def faction(self, text: str, where: str = "faction") -> Faction:
        """Find a faction, or a variant of one.

        Parameters
        ----------
        text : str
            As ``court`` or ``new-antioch-alba``.
        where : str, optional
            The place in the input, for the error.

        Returns
        -------
        Faction
            Base and variant.

        Raises
        ------
        InputError
            When there is none of this name.

        Examples
        --------
        >>> armoury("1.6.3").faction("new-antioch-alba").variant
        'alba'
        """
        bases = {unit.faction for unit in self.rows.units}
        known = bases | {f"{unit.faction}-{unit.variant}" for unit in self.rows.units if unit.variant}
        named = [row.factions for row in self.rows.weapons] + [row.factions for row in self.rows.armour_rows]
        for names in (*named, *(upgrade.factions for upgrade in self.upgrades)):
            known |= {name for name in names if any(name.startswith(f"{base}-") for base in bases)}
        name = re.sub(r"[\s_]+", "-", fold(text))
        if name not in known:
            raise unknown("faction", text, sorted(known), where)
        base = max((base for base in bases if name == base or name.startswith(f"{base}-")), key=len)
        return Faction(base, name[len(base) + 1 :])

    def unit(self, name: str, faction: Faction, where: str = "unit") -> Unit:
        """Find a unit: that of the faction where several factions have one of its name.

        Parameters
        ----------
        name : str
            Id, name, or ``Name @faction[-variant]``.
        faction : Faction
            Whose warband it is.
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
        for suffix in dict.fromkeys((faction.name, faction.base)):
            wanted = fold(f"{name} @{suffix}")
            found = [unit for unit in self.rows.units if fold(unit.label) == wanted]
            if len(found) == 1:
                return found[0]
        return self.rows.unit(name, where)

    def carried(self, name: str, kind: str, where: str) -> Item:
        """Find what a list of a loadout names.

        Parameters
        ----------
        name : str
            Id or name.
        kind : str
            The list: ``ranged``, ``melee``, ``grenades``, ``armour``, ``equipment`` or ``natural``.
        where : str
            The place in the input, for the error.

        Returns
        -------
        Weapon, Armour or Equipment
            The row.

        Raises
        ------
        InputError
            When there is none, or it belongs to another list.
        """
        if kind == "armour":
            return self.rows.armour(name, where)
        if kind == "equipment":
            return self._equipment(name, where)
        weapon = self.rows.weapon(name, "melee" if kind in ("melee", "natural") else "ranged", where)
        if kind == "melee" and weapon.id.endswith("-melee"):  # one thing with two uses, so it may stand in either list
            return self.rows.weapon(weapon.id.removesuffix("-melee"))
        right = {"ranged": "ranged", "melee": "melee", "grenade": "grenades"}[weapon.kind]
        if kind not in ("natural", right):
            raise InputError(f"{weapon.label} stands under {right}, not under {kind}", where)
        return weapon

    def _equipment(self, name: str, where: str) -> Item:
        wanted = fold(name)
        for item in self.equipment.values():
            if wanted in (fold(item.id), fold(item.name)):
                return item
        worn = [row for row in self.rows.armour_rows if row.slot in ("helmet", "other")]
        for row in worn:
            if wanted in (fold(row.id), fold(row.name)):
                return row
        raise unknown(
            "equipment", name, [*(one.name for one in self.equipment.values()), *(row.name for row in worn)], where
        )

    def by_id(self, id: str) -> Item:
        """Find what the tables name by id.

        Parameters
        ----------
        id : str
            Of equipment, armour or a weapon.

        Returns
        -------
        Weapon, Armour or Equipment
            The row.
        """
        if id in self.equipment:
            return self.equipment[id]
        armour = next((row for row in self.rows.armour_rows if row.id == id), None)
        return armour or self.rows.weapon(id)

    def upgrade(self, name: str, unit: Unit, faction: Faction, where: str) -> Upgrade:
        """Find an option by name: the unit's own where several have it.

        Parameters
        ----------
        name : str
            Its name.
        unit : Unit
            Who takes it.
        faction : Faction
            Whose warband it is.
        where : str
            The place in the input, for the error.

        Returns
        -------
        Upgrade
            The option.

        Raises
        ------
        InputError
            When there is none.
        """
        found = [upgrade for upgrade in self.upgrades if fold(upgrade.name) == fold(name)]
        if not found:
            raise unknown("upgrade", name, dict.fromkeys(upgrade.name for upgrade in self.upgrades), where)
        own = [upgrade for upgrade in found if is_one_of(upgrade.units, unit, unit.keywords, (), faction)]
        return (own or found)[0]

    def price(self, item: Item | Unit, faction: Faction) -> Price | None:
        """Give what something costs a faction; None where it cannot be bought.

        Parameters
        ----------
        item : Weapon, Armour, Equipment or Unit
            The row.
        faction : Faction
            Who pays.

        Returns
        -------
        Price or None
            A variant's own price first, then that of its base, then one for all.

        Examples
        --------
        >>> rows = armoury("1.6.3")
        >>> axe = rows.rows.weapon("Greatsword / Greataxe")
        >>> rows.price(axe, rows.faction("new-antioch-alba")).amount
        7
        """
        for whose in (faction.name, faction.base, ""):
            for price in item.prices:
                if price.faction == whose:
                    return price
        return None

    def stipulation(self, item: Item, faction: Faction) -> Stipulation:
        """Give who of a faction may have something.

        Parameters
        ----------
        item : Weapon, Armour or Equipment
            The row.
        faction : Faction
            Whose warband it is.

        Returns
        -------
        Stipulation
            An empty one where everybody may.
        """
        if isinstance(item, Equipment):
            return Stipulation(item.only, item.limit)
        own = self.stipulations.get((item.id, faction.name)) or self.stipulations.get((item.id, faction.base))
        found = own or Stipulation()
        limit = item.limit if isinstance(item, Weapon) else ""
        return Stipulation(found.only, found.limit or limit, found.per_model)


@cache
def armoury(edition: str) -> Armoury:
    """Open the tables of an edition.

    Parameters
    ----------
    edition : str
        Edition id.

    Returns
    -------
    Armoury
        Read once.

    Raises
    ------
    InputError
        When there is no such edition.

    Examples
    --------
    >>> armoury("1.0.2").equipment["medi-kit"].prices[0].amount
    5
    """
    import tomllib

    rows = open_catalog(edition)
    carry = tomllib.loads((files("tcsim.catalog") / "data" / "carry.toml").read_text(encoding="utf-8"))
    equipment = {
        row["id"]: Equipment(
            id=row["id"],
            name=row["name"],
            hands=int(row["hands"]),
            keywords=_words(row["keywords"]),
            prices=read_prices(row["cost_ducats"], row["cost_glory"]),
            factions=_words(row["factions"]),
            limit=row["limit"],
            only=_words(row["only"]),
        )
        for row in _table("equipment", edition)
    }
    stipulations = {
        (row["id"], row["faction"]): Stipulation(
            _words(row["only"]), row["limit"], int(row["per_model"]) if row["per_model"] else None
        )
        for row in _table("stipulations", edition)
    }
    kits = {
        row["id"]: UnitKit(
            _words(row["fixed"]),
            _words(row["natural"]),
            tuple(read_unit_rule(text) for text in _words(row["rules"])),
            row["shares"],
        )
        for row in _table("unit_kit", edition)
    }
    upgrades = tuple(_upgrades(rows, set(equipment)))
    return Armoury(rows, equipment, stipulations, kits, upgrades, carry.get(edition) or carry[max(carry)])


def _upgrades(rows: Catalog, equipment: set[str]) -> Iterator[Upgrade]:
    """Read the options: those of the table, whose price a special rule may say, and those of units themselves."""
    prices = {row.ability.name: row.ability.price for row in read_ability_rows(rows.edition)}
    for row in _table("upgrades", rows.edition):
        name = row["name"]
        yield Upgrade(
            name=name,
            ducats=int(row["cost_ducats"] or prices[name] or 0),
            limit=row["limit"],
            factions=_words(row["factions"]),
            units=_words(row["units"]),
            keywords=_words(row["keywords"]),
            is_ability=name in prices,
        )
    for unit in rows.units:
        for ability in unit.abilities:
            if ability.price is not None and fold(ability.name).replace(" ", "-") not in equipment:
                yield Upgrade(ability.name, ability.price, "", (), (slug(unit),), (), True)


def _table(name: str, edition: str) -> list[dict[str, str]]:
    text = (files("tcsim.catalog") / "data" / f"{name}.csv").read_text(encoding="utf-8")
    return [row for row in csv.DictReader(text.splitlines()) if row["edition"] == edition]


def _words(text: str) -> tuple[str, ...]:
    return tuple(word for word in text.split(";") if word)
