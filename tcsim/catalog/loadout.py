"""Is a loadout legal, and what does it cost: one model, or a whole warband."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tcsim.base.text import plural
from tcsim.catalog import Unit
from tcsim.catalog.carry import Breach, breaches_of
from tcsim.catalog.kit import Kit, kits_of
from tcsim.catalog.stipulations import limit_of, slug
from tcsim.catalog.warbands import Warband


@dataclass(frozen=True)
class Checked:
    """A loadout that was checked.

    Parameters
    ----------
    warband : Warband
        As read.
    kits : tuple of Kit
        Its entries with their names settled.
    breaches : tuple of Breach
        Every rule that is broken; none: it is legal.
    notes : tuple of str
        What was not checked, and prices that were said to be others, a sentence each.
    """

    warband: Warband
    kits: tuple[Kit, ...]
    breaches: tuple[Breach, ...]
    notes: tuple[str, ...]

    @property
    def legal(self) -> bool:
        """Whether no rule is broken."""
        return not self.breaches

    @property
    def number(self) -> int:
        """How many models it has."""
        return sum(kit.model.count for kit in self.kits)

    @property
    def elite(self) -> int:
        """How many of them are ELITE."""
        return sum(kit.model.count for kit in self.kits if "ELITE" in kit.keywords)

    def cost(self, currency: str = "ducats") -> int:
        """Give what it costs.

        Parameters
        ----------
        currency : str, optional
            ``ducats`` or ``glory``.

        Returns
        -------
        int
            Of all its models together.
        """
        return sum(kit.model.count * kit.cost(currency) for kit in self.kits)

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data, for JSON.

        Returns
        -------
        dict
            ``legal``, costs, models with their bills, breaches and notes.
        """
        return {
            "id": self.warband.id,
            "edition": self.warband.edition,
            "faction": self.warband.faction,
            "legal": self.legal,
            "ducats": self.cost(),
            "glory": self.cost("glory"),
            "number": self.number,
            "elite": self.elite,
            "models": [
                {
                    "unit": kit.unit.id,
                    "name": kit.unit.name,
                    "count": kit.model.count,
                    "ducats": kit.cost(),
                    "glory": kit.cost("glory"),
                    "bill": [[name, price.amount, price.currency] for name, price in kit.bill],
                }
                for kit in self.kits
            ],
            "breaches": [breach._asdict() for breach in self.breaches],
            "notes": list(self.notes),
        }


def check(warband: Warband) -> Checked:
    """Check a loadout against the rules of its edition.

    Parameters
    ----------
    warband : Warband
        As read.

    Returns
    -------
    Checked
        What it costs, and every rule that is broken.

    Raises
    ------
    InputError
        For a name that does not exist.

    Examples
    --------
    >>> from tcsim.catalog import warband
    >>> done = check(warband("court-sloth", "1.0.2"))
    >>> done.legal, done.cost()
    (True, 694)
    """
    kits = kits_of(warband)
    found = [breach for kit in kits for breach in breaches_of(kit)]
    if kits:
        sources = kits[0].rows.carry["sources"]
        of_all = [_units(kits)]
        if not warband.single:
            of_all += [_limits(kits), _entries(kits), _money(warband, kits), _elite(kits)]
        for several in of_all:
            found += [Breach(rule, text, sources[rule]) for rule, text in several]
    return Checked(warband, kits, tuple(dict.fromkeys(found)), tuple(dict.fromkeys(_notes(warband, kits))))


Found = Iterator[tuple[str, str]]


def _units(kits: tuple[Kit, ...]) -> Found:
    for kit in kits:
        unit, faction = kit.unit, kit.faction
        if unit.faction == "mercenaries":
            continue
        if unit.faction != faction.base:
            yield "unit", f"{unit.name} is of {unit.faction}, not of {faction.base}"
        elif unit.variant and unit.variant != faction.variant:
            yield "unit", f"{unit.name} is of the variant {unit.variant}, not of {faction.name}"
        elif not unit.variant and (other := _instead(unit, kit)):
            yield "unit", f"{unit.name} is not of {faction.name}: {other.id} stands in its place"


def _instead(unit: Unit, kit: Kit) -> Unit | None:
    """The row that a variant has in place of a base row."""
    for other in kit.rows.rows.units:
        if (other.faction, other.variant) == tuple(kit.faction) and kit.faction.variant and slug(other) == slug(unit):
            return other
    return None


def _limits(kits: tuple[Kit, ...]) -> Found:
    """What a warband may own of one thing, and how many may take one option."""
    numbers: Counter[tuple[str, int]] = Counter()
    for kit in kits:
        for one in kit.carried:
            if one.fixed:
                continue
            limit = limit_of(kit.rows.stipulation(one.item, kit.faction).limit, kit.faction)
            if limit is not None:
                numbers[one.name, limit] += kit.model.count
        for upgrade in kit.upgrades:
            limit = limit_of(upgrade.limit, kit.faction)
            if limit is not None:
                numbers[upgrade.name, limit] += kit.model.count
    for (name, limit), number in numbers.items():
        if number > limit:
            yield "limit", f"{name} is there {number} times, a warband of {kits[0].faction.name} may have {limit}"


def _entries(kits: tuple[Kit, ...]) -> Found:
    """How many of each unit there may and must be."""
    numbers: Counter[str] = Counter()
    units: dict[str, Unit] = {}
    for kit in kits:
        key = kit.table.shares or kit.unit.id
        numbers[key] += kit.model.count
        units.setdefault(key, kit.unit)
    slugs = Counter({slug(kit.unit): 0 for kit in kits})
    for kit in kits:
        slugs[slug(kit.unit)] += kit.model.count
    for key, unit in units.items():
        kit = next(kit for kit in kits if kit.unit is unit)
        most = _most(kit, slugs)
        if most is not None and numbers[key] > most:
            yield "unit", f"there are {numbers[key]} × {unit.name}, at most {most} are allowed"
    for kit in {kit.unit.id: kit for kit in kits}.values():
        yield from _compared(kit, kits, slugs)
    yield from _needed(kits)


def _most(kit: Kit, slugs: Counter[str]) -> int | None:
    for rule in kit.rules("most"):
        if rule.parts[1] not in slugs:
            return int(rule.parts[0])
    most = kit.unit.limit.partition("-")[2]
    return int(most) if most else None


def _compared(kit: Kit, kits: tuple[Kit, ...], slugs: Counter[str]) -> Found:
    own = slugs[slug(kit.unit)]
    for rule in kit.rules("fewer"):
        others = sum(
            other.model.count for other in kits if rule.parts[0] in other.unit.keywords and other.unit != kit.unit
        )
        if own >= others:
            yield (
                "unit",
                f"there are {own} × {kit.unit.name}, fewer than the {others} other {rule.parts[0]} models are allowed",
            )
    for rule in kit.rules("as-many"):
        alike = [other for other in kits if rule in other.table.rules]
        number, plain = sum(other.model.count for other in alike), slugs[rule.parts[0]]
        if number > plain:
            names = " and ".join(dict.fromkeys(other.unit.name for other in alike))
            whose = rule.parts[0].replace("-", " ").title()
            yield "unit", f"there are {number} × {names}, no more than the {plain} × {whose} are allowed"


def _needed(kits: tuple[Kit, ...]) -> Found:
    """Units that a warband of the faction must have."""
    faction, rows = kits[0].faction, kits[0].rows
    there = {kit.unit.id for kit in kits} | {kit.table.shares for kit in kits if kit.table.shares}
    for unit in rows.rows.units:
        variant = "" if _has_base_units(kits[0]) else faction.variant
        if (unit.faction, unit.variant) != (faction.base, variant):
            continue
        least = int(unit.limit.partition("-")[0] or 0)
        table = rows.kits.get(unit.id)
        if least and unit.id not in there and not (table is not None and table.shares in there and table.shares):
            yield "unit", f"a warband of {faction.name} must have {plural(least, unit.name, unit.name)}"
    wanted = rows.carry["leaders"].get(faction.base, [])
    if wanted and _has_base_units(kits[0]) and not {f"{faction.base}-{name}" for name in wanted} & there:
        words = " or a ".join(name.replace("-", " ").title() for name in wanted)
        yield "unit", f"a warband of {faction.name} must have a {words}"


def _has_base_units(kit: Kit) -> bool:
    """Whether its list is that of the base: no variant, or one without units of its own, as a sin of the Court."""
    return all(tuple(kit.faction) != (unit.faction, unit.variant) or not unit.variant for unit in kit.rows.rows.units)


def _money(warband: Warband, kits: tuple[Kit, ...]) -> Found:
    budget = warband.budget if warband.budget is not None else kits[0].rows.carry["budget"]
    cost = sum(kit.model.count * kit.cost() for kit in kits)
    if cost > budget:
        yield "budget", f"the warband costs {cost} ducats, and there are {budget}"


def _elite(kits: tuple[Kit, ...]) -> Found:
    elite, most = sum(kit.model.count for kit in kits if "ELITE" in kit.keywords), kits[0].rows.carry["elite"]
    if elite > most:
        yield "elite", f"{elite} models are ELITE, at most {most} are allowed"


def _notes(warband: Warband, kits: tuple[Kit, ...]) -> Iterator[str]:
    for kit in kits:
        said = kit.model.cost_each
        if said is not None and said != kit.cost():
            yield f"{kit.unit.name} costs {kit.cost()} ducats, cost_each says {said}."
        if kit.unit.equipment_rules and not kit.known:
            yield f"Not checked, {kit.unit.name}: {kit.unit.equipment_rules}."
        if kit.unit.third_party:
            yield f"{kit.unit.name} is not in the official books."
        for one in kit.carried:
            if getattr(one.item, "third_party", False):
                yield f"{one.name} is not in the official books."
    cost, number = sum(kit.model.count * kit.cost() for kit in kits), sum(kit.model.count for kit in kits)
    if warband.total_cost is not None and warband.total_cost != cost:
        yield f"It costs {cost} ducats in all, total_cost says {warband.total_cost}."
    if warband.number is not None and warband.number != number:
        yield f"It has {plural(number, 'model')}, models says {warband.number}."
    if kits and not _has_base_units(kits[0]):
        yield f"Not checked: the rules of the variant {kits[0].faction.variant} beyond its units, prices and limits."
