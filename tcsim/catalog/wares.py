"""Everything a unit may take for money, and models put together from it: what a search over loadouts walks through.

Whether a model is legal is decided by the rules that ``tcsim catalog check`` applies, and by nothing here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from tcsim.base.errors import InputError
from tcsim.catalog import Armour, Price, Unit, Weapon, fold
from tcsim.catalog.armoury import Armoury, Item, Upgrade, armoury
from tcsim.catalog.carry import breaches_of
from tcsim.catalog.kit import Carried, Kit
from tcsim.catalog.stipulations import Faction, UnitKit, is_one_of, limit_of, slug
from tcsim.catalog.warbands import LISTS, Model

#: The list of a loadout in which a weapon or piece of armour stands, by its kind.
_LIST = {"ranged": "ranged", "melee": "melee", "grenade": "grenades", "body": "armour", "shield": "armour"}
_LIST |= {"helmet": "armour", "other": "armour"}

#: Rules that one thing more can mend, as STRONG mends hands and a gun mends a bayonet; all others stay broken.
MENDABLE = frozenset({"hands-melee", "hands-ranged", "shield-two-handed", "heavy", "bayonet-lug", "only"})


@dataclass(frozen=True)
class Ware:
    """One thing that a unit may take, or an option of it.

    Parameters
    ----------
    item : Weapon, Armour, Equipment or Upgrade
        Its row.
    place : str
        The list of a loadout where it stands.
    price : Price
        What it costs the unit.
    most : int
        How many of it can be of use.
    profiles : tuple of Weapon
        Other ways of use of the same weapon, which come with it.
    """

    item: Item | Upgrade
    place: str
    price: Price
    most: int
    profiles: tuple[Weapon, ...] = ()

    @property
    def name(self) -> str:
        """What it is called."""
        return self.item.name

    @property
    def key(self) -> str:
        """What names it in a loadout: an id, or the name of an option."""
        return self.item.name if isinstance(self.item, Upgrade) else self.item.id

    @property
    def is_weapon(self) -> bool:
        """Whether it is a weapon or a grenade."""
        return isinstance(self.item, Weapon)


@dataclass(frozen=True)
class Recruit:
    """A unit of a faction, and what it may take.

    Parameters
    ----------
    unit : Unit
        Its row.
    faction : Faction
        Whose warband it is in.
    rows : Armoury
        The tables of the edition.
    """

    unit: Unit
    faction: Faction
    rows: Armoury

    @cached_property
    def table(self) -> UnitKit:
        """What the tables say of its kit."""
        return self.rows.kits.get(self.unit.id, UnitKit())

    @cached_property
    def fixed(self) -> tuple[Carried, ...]:
        """What it comes with."""
        return tuple(
            Carried(self.rows.by_id(id), True) for id in dict.fromkeys((*self.table.fixed, *self.unit.armour_ids))
        )

    @cached_property
    def price(self) -> Price:
        """What it costs with nothing more."""
        return self.rows.price(self.unit, self.faction) or Price(0, "ducats")

    def model(self, wares: Iterable[Ware]) -> Kit:
        """Put a model together.

        Parameters
        ----------
        wares : iterable of Ware
            What it takes, in order; one that stands twice is taken twice.

        Returns
        -------
        Kit
            With its attacks without weapons, those of options only where these are taken.

        Examples
        --------
        >>> yeoman = recruit("Yeoman", None, "1.6.3")
        >>> sword = next(ware for ware in yeoman.wares() if ware.key == "sword-axe")
        >>> yeoman.model([sword]).cost(), [rule for rule, _ in yeoman.breaches([sword] * 3)]
        (34, ['hands-melee'])
        """
        taken = list(wares)
        lists: dict[str, list[str]] = {name: [] for name in LISTS}
        for ware in taken:
            lists[ware.place].append(ware.key)
        lists["natural"] = [id for id in self.table.natural if self._has(id, lists["upgrades"])]
        return Kit(
            model=Model(self.unit.id, 1, None, {name: tuple(keys) for name, keys in lists.items()}),
            unit=self.unit,
            faction=self.faction,
            table=self.table,
            known=self.unit.id in self.rows.kits,
            carried=(*(Carried(ware.item, False) for ware in taken if not isinstance(ware.item, Upgrade)), *self.fixed),
            natural=tuple(self.rows.rows.weapon(id) for id in lists["natural"]),
            upgrades=tuple(ware.item for ware in taken if isinstance(ware.item, Upgrade)),
            place="",
            rows=self.rows,
        )

    def _has(self, natural: str, upgrades: Iterable[str]) -> bool:
        """Whether it attacks so without weapons: always, or with the option of that name."""
        needed = self.needs_option(natural)
        return needed is None or needed in upgrades

    def needs_option(self, natural: str) -> str | None:
        """Give the name of the option that brings an attack without weapons; None for one that it has anyway.

        Parameters
        ----------
        natural : str
            Id of the weapon.

        Returns
        -------
        str or None
            As ``Infected Teeth and Claws``.
        """
        words = _plain(natural)
        return next((one.name for one in self.rows.upgrades if _plain(one.name) == words), None)

    def breaches(self, wares: Iterable[Ware]) -> list[tuple[str, str]]:
        """Name the rules that a model breaks, as ``tcsim catalog check`` does for a model on its own.

        Parameters
        ----------
        wares : iterable of Ware
            What it takes.

        Returns
        -------
        list of (str, str)
            Rule and sentence.
        """
        return [(breach.rule, breach.text) for breach in breaches_of(self.model(wares))]

    def wares(self, glory: bool = False, uses: int = 1) -> tuple[Ware, ...]:
        """Give what it may take: sold to its faction, official, and on its own no breach that nothing could mend.

        Parameters
        ----------
        glory : bool, optional
            Also what costs glory.
        uses : int, optional
            How often a grenade is to be thrown, where each that is thrown must be carried.

        Returns
        -------
        tuple of Ware
            Options, armour, equipment, ranged weapons, grenades, melee weapons; each cheapest first.

        Examples
        --------
        >>> [ware.name for ware in recruit("Ecclesiastic Prisoner", None, "1.6.3").wares()]
        ['Martyrdom Device']
        """
        rows, bare = self.rows, self.model(())
        found: list[Ware] = []
        weapons = [row for row in rows.rows.weapons if row.hands or row.kind == "grenade"]  # others come with options
        things: list[Item] = [*rows.rows.armour_rows, *rows.equipment.values(), *weapons]
        for item in things:
            price = bare.price(Carried(item, False))
            if price is None or getattr(item, "third_party", False) or (price.currency == "glory" and not glory):
                continue
            if isinstance(item, Weapon) and (
                item.id.endswith("-melee") or any(item in ware.profiles for ware in found)
            ):
                continue  # the same thing in another use
            place = (
                _LIST[item.kind] if isinstance(item, Weapon) else _LIST[item.slot] if isinstance(item, Armour) else ""
            )
            others = tuple(row for row in weapons if _is_profile(row, item)) if isinstance(item, Weapon) else ()
            ware = Ware(item, place or "equipment", price, self._most(item, uses), others)
            found += [ware] if self._may(ware) else []
        upgrades = {one.name: one for one in (rows.upgrade(name, self.unit, self.faction, "") for name in _names(rows))}
        for upgrade in upgrades.values():
            ware = Ware(upgrade, "upgrades", Price(upgrade.ducats, "ducats"), 1)
            found += [ware] if self._may(ware) else []
        order = ("upgrades", "armour", "equipment", "ranged", "grenades", "melee")
        return tuple(sorted(found, key=lambda one: (order.index(one.place), one.price.amount, one.name)))

    def _may(self, ware: Ware) -> bool:
        """Whether it may ever take a thing: with whatever else it has, and whatever keywords that gives."""
        item = ware.item
        only = item.units if isinstance(item, Upgrade) else self.rows.stipulation(item, self.faction).only
        ids = tuple(word[5:].partition("@")[0] for word in only if word.startswith("with "))
        gained = tuple(word for one in self.rows.upgrades for word in one.keywords)
        mine = self.unit.keywords
        if not any(is_one_of(only, self.unit, words, ids, self.faction) for words in (mine, (*mine, *gained))):
            return False
        return ware.most > 0 and not self.lasting(self.breaches([ware]))

    def lasting(self, breaches: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
        """Give the breaches that nothing more can mend: not of a mendable rule, and not those of the bare unit.

        Parameters
        ----------
        breaches : iterable of (str, str)
            Of a model.

        Returns
        -------
        list of (str, str)
            Those that every model with these things, and more, has too.
        """
        return [one for one in breaches if one[0] not in MENDABLE and one not in self._bare]

    @cached_property
    def _bare(self) -> list[tuple[str, str]]:
        return self.breaches(())

    def _most(self, item: Item, uses: int) -> int:
        """How many of a thing can be of use: melee weapons for every arm, two pistols, grenades to throw, else one."""
        most = 1
        if isinstance(item, Weapon) and item.kind == "melee":
            most = max([2, *(int(rule.parts[0]) for rule in self.table.rules if rule.kind in ("arms", "melee"))])
        elif isinstance(item, Weapon) and item.kind == "grenade":
            most = min(uses, self.rows.carry["same_grenade"])
        elif isinstance(item, Weapon) and item.hands == 1:
            most = 2
        limit = limit_of(self.rows.stipulation(item, self.faction).limit, self.faction)
        return most if limit is None else min(most, limit)


def _plain(text: str) -> list[str]:
    return [word for word in re.split(r"[^a-z]+", fold(text)) if word not in ("and", "")]


def _is_profile(row: Weapon, item: Weapon) -> bool:
    return row.name == item.name and row.kind == item.kind and row.id != item.id


def _names(rows: Armoury) -> list[str]:
    return list(dict.fromkeys(upgrade.name for upgrade in rows.upgrades))


def recruit(unit: str, faction: str | None, edition: str) -> Recruit:
    """Find a unit and settle whose warband it is in.

    Parameters
    ----------
    unit : str
        Id, name, or ``Name @faction[-variant]``.
    faction : str or None
        Faction or variant; default: that of the unit's own row.
    edition : str
        Edition id.

    Returns
    -------
    Recruit
        With what it may take.

    Raises
    ------
    InputError
        For a name that does not exist, and a unit that is not of that faction.

    Examples
    --------
    >>> recruit("Yeoman", None, "1.6.3").faction.name
    'new-antioch'
    """
    rows = armoury(edition)
    if faction is not None:
        whose = rows.faction(faction)
        row = rows.unit(unit, whose)
        own = [one for one in rows.rows.units if (one.faction, one.variant) == whose and slug(one) == slug(row)]
        row = own[0] if own and row.faction == whose.base else row
    else:
        row = rows.rows.unit(unit, "unit")
        whose = Faction(row.faction, row.variant)
    if row.faction not in (whose.base, "mercenaries") or row.variant not in ("", whose.variant):
        raise InputError(f"{row.label} is not of {whose.name}", "faction")
    return Recruit(row, whose, rows)
