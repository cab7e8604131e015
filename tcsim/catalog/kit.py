"""A loadout with its names settled: what each model carries, what of it came with the unit, and what it all costs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tcsim.base.errors import InputError
from tcsim.catalog import Armour, Price, Unit, Weapon
from tcsim.catalog.armoury import Armoury, Item, Upgrade, armoury
from tcsim.catalog.stipulations import Faction, UnitKit, UnitRule
from tcsim.catalog.warbands import Model, Warband

#: The lists that hold things; the others hold ways to attack without weapons, and options.
_THINGS = ("ranged", "melee", "grenades", "armour", "equipment")


class Carried(NamedTuple):
    """One thing that a model carries; ``fixed``: it came with the unit and is paid with it."""

    item: Item
    fixed: bool

    @property
    def name(self) -> str:
        """What it is called."""
        return self.item.name

    @property
    def kind(self) -> str:
        """Its kind: ``ranged``, ``melee``, ``grenade``, ``body``, ``shield``, ``helmet``, ``other``, ``equipment``."""
        if isinstance(self.item, Weapon):
            return self.item.kind
        return self.item.slot if isinstance(self.item, Armour) else "equipment"

    @property
    def keywords(self) -> tuple[str, ...]:
        """Its own keywords; of armour, what it is marked with."""
        return self.item.grants if isinstance(self.item, Armour) else self.item.keywords


@dataclass(frozen=True)
class Kit:
    """One entry of a loadout with its names settled.

    Parameters
    ----------
    model : Model
        As written.
    unit : Unit
        Its unit.
    faction : Faction
        Whose warband it is in.
    table : UnitKit
        What the tables say of the unit's kit.
    known : bool
        Whether they say anything.
    carried : tuple of Carried
        All it carries, in order; what comes with the unit and was not written is last.
    natural : tuple of Weapon
        Ways to attack without weapons.
    upgrades : tuple of Upgrade
        Options taken.
    place : str
        Its place in the input.
    rows : Armoury
        Where names were looked up.
    """

    model: Model
    unit: Unit
    faction: Faction
    table: UnitKit
    known: bool
    carried: tuple[Carried, ...]
    natural: tuple[Weapon, ...]
    upgrades: tuple[Upgrade, ...]
    place: str
    rows: Armoury

    @cached_property
    def keywords(self) -> tuple[str, ...]:
        """The unit's keywords, and those of its options."""
        return (*self.unit.keywords, *(word for upgrade in self.upgrades for word in upgrade.keywords))

    @cached_property
    def strong(self) -> bool:
        """Whether it has STRONG, of itself or from what it wears."""
        worn = any("STRONG" in item.grants for item, _ in self.carried if isinstance(item, Armour))
        return worn or "STRONG" in self.keywords

    @cached_property
    def ids(self) -> tuple[str, ...]:
        """Ids of all it carries."""
        return tuple(one.item.id for one in self.carried)

    @cached_property
    def armour_modifier(self) -> int:
        """The injury modifier of the unit with all it wears; what the unit comes with is in its own number."""
        worn = (item for item, _ in self.carried if isinstance(item, Armour) and item.id not in self.unit.armour_ids)
        return self.unit.injury_modifier + sum(item.injury_modifier for item in worn)

    def of_kind(self, *kinds: str) -> list[Carried]:
        """Give what it carries of some kinds.

        Parameters
        ----------
        *kinds : str
            As :attr:`Carried.kind`.

        Returns
        -------
        list of Carried
            In order.
        """
        return [one for one in self.carried if one.kind in kinds]

    def weapons(self, kind: str) -> list[Weapon]:
        """Give its weapons of one kind.

        Parameters
        ----------
        kind : str
            ``ranged``, ``melee`` or ``grenade``.

        Returns
        -------
        list of Weapon
            In order.
        """
        return [one.item for one in self.carried if isinstance(one.item, Weapon) and one.kind == kind]

    def rules(self, *kinds: str) -> Iterator[UnitRule]:
        """Give the rules of its unit's kit of some kinds.

        Parameters
        ----------
        *kinds : str
            As :data:`tcsim.catalog.stipulations.UNIT_RULES` names them.

        Yields
        ------
        UnitRule
            In order.
        """
        for rule in self.table.rules:
            if rule.kind in kinds:
                yield rule

    def price(self, one: Carried) -> Price | None:
        """Give what one thing costs it.

        Parameters
        ----------
        one : Carried
            The thing.

        Returns
        -------
        Price or None
            None where it cannot be bought; 0 ducats for what comes with the unit.
        """
        if one.fixed:
            return Price(0, "ducats")
        for rule in self.rules("price"):
            if rule.parts[0] == one.item.id:
                return Price(int(rule.parts[1]), "ducats")
        return self.rows.price(one.item, self.faction)

    @cached_property
    def bill(self) -> tuple[tuple[str, Price], ...]:
        """What one such model costs, line by line: the unit, what it bought, its options."""
        lines = []
        own = self.rows.price(self.unit, self.faction)
        if own is not None:
            lines.append((self.unit.name, own))
        for one in self.carried:
            price = self.price(one)
            if price is not None and not one.fixed:
                lines.append((one.name, price))
        lines += [(upgrade.name, Price(upgrade.ducats, "ducats")) for upgrade in self.upgrades]
        return tuple(lines)

    def cost(self, currency: str = "ducats") -> int:
        """Give what one such model costs.

        Parameters
        ----------
        currency : str, optional
            ``ducats`` or ``glory``.

        Returns
        -------
        int
            The sum of its bill.
        """
        return sum(price.amount for _, price in self.bill if price.currency == currency)


def kits_of(warband: Warband) -> tuple[Kit, ...]:
    """Settle every name of a loadout.

    Parameters
    ----------
    warband : Warband
        As read.

    Returns
    -------
    tuple of Kit
        One per entry, in order.

    Raises
    ------
    InputError
        For a name that does not exist, or stands in the wrong list.

    Examples
    --------
    >>> from tcsim.catalog import warband
    >>> [kit.cost() for kit in kits_of(warband("na-line"))]
    [149, 90, 90, 138, 78, 37]
    """
    rows = armoury(warband.edition)
    try:
        faction = rows.faction(warband.faction)
        return tuple(_kit(model, faction, rows, warband.place(index)) for index, model in enumerate(warband.models))
    except InputError as error:
        raise InputError(str(error), warband.file) from None


def _kit(model: Model, faction: Faction, rows: Armoury, place: str) -> Kit:
    def at(key: str, index: int | None = None) -> str:
        where = f"{place}.{key}" if place else key
        return where if index is None else f"{where}[{index}]"

    unit = rows.unit(model.unit, faction, at("unit"))
    table = rows.kits.get(unit.id, UnitKit())
    left = list(dict.fromkeys((*table.fixed, *unit.armour_ids)))
    carried = []
    for key in _THINGS:
        for index, name in enumerate(model.kit[key]):
            item = rows.carried(name, key, at(key, index))
            carried.append(Carried(item, item.id in left))
            if item.id in left:
                left.remove(item.id)
    carried += [Carried(rows.by_id(id), True) for id in left]
    return Kit(
        model=model,
        unit=unit,
        faction=faction,
        table=table,
        known=unit.id in rows.kits,
        carried=tuple(carried),
        natural=tuple(_natural(name, rows, at("natural", i)) for i, name in enumerate(model.kit["natural"])),
        upgrades=tuple(
            rows.upgrade(name, unit, faction, at("upgrades", i)) for i, name in enumerate(model.kit["upgrades"])
        ),
        place=place,
        rows=rows,
    )


def _natural(name: str, rows: Armoury, where: str) -> Weapon:
    item = rows.carried(name, "natural", where)
    assert isinstance(item, Weapon)
    return item
