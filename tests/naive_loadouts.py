"""The naive way to the best loadout: take everything or not, ask ``catalog check``, ask ``odds``, and sort.

It shares nothing with the search: no list of what a unit may take (every row of the books is tried), no bound, and no
table of chances. Only money ends a branch. A way to attack is written out by the analysis of matchups, whose cells are
tested on their own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

import tcsim
from tcsim.analysis.matchup import model_of
from tcsim.analysis.ways import options_of
from tcsim.catalog import Price
from tcsim.catalog.armoury import armoury
from tcsim.catalog.kit import Carried, kits_of
from tcsim.catalog.loadout import Checked, check
from tcsim.catalog.warbands import read_loadouts

_LISTS = {"ranged": "ranged", "melee": "melee", "grenade": "grenades", "body": "armour", "shield": "armour"}
_LISTS |= {"helmet": "armour", "other": "armour"}

Thing = tuple[str, str, int]
Loadout = tuple[Thing, ...]


def everything(edition: str, faction: str, unit: str) -> list[Thing]:
    """Every official row with a price in ducats and every option: list, name and price for the unit."""
    rows = armoury(edition)
    whose = rows.faction(faction)
    kit = kits_of(read_loadouts({"edition": edition, "faction": faction, "unit": unit})[0])[0]
    found: list[Thing] = []
    for item in (*rows.rows.weapons, *rows.rows.armour_rows, *rows.equipment.values()):
        price = kit.price(Carried(item, False))
        kind = getattr(item, "kind", None) or getattr(item, "slot", "equipment")
        if price is None or price.currency != "ducats" or getattr(item, "third_party", False):
            continue
        if (kind == "melee" and item.id.endswith("-melee")) or (kind in ("ranged", "melee") and not item.hands):
            continue  # another use of a gun; an attack that an option gives
        found.append((_LISTS.get(kind, "equipment"), item.id, price.amount))
    taken: dict[str, int] = {}
    for upgrade in rows.upgrades:
        taken.setdefault(upgrade.name, rows.upgrade(upgrade.name, kit.unit, whose, "").ducats)
    found += [("upgrades", name, ducats) for name, ducats in taken.items()]
    base = {"edition": edition, "faction": faction, "unit": unit}
    return [thing for thing in found if not _never(check(read_loadouts(base | {thing[0]: [thing[1]]})[0]), thing)]


def _never(checked: Checked, thing: Thing) -> bool:
    """Whether a thing is not sold to the faction at all, or is an option of somebody else."""
    rules = {breach.rule for breach in checked.breaches}
    return "faction" in rules or (thing[0] == "upgrades" and "only" in rules)


def subsets(things: list[Thing], money: int, start: int = 0) -> Iterator[Loadout]:
    """Every way to take each thing not at all, once or twice, that can be paid."""
    if start == len(things):
        yield ()
        return
    for number in range(3):
        if number * things[start][2] <= money:
            for rest in subsets(things, money - number * things[start][2], start + 1):
                yield (things[start],) * number + rest


class Naive:
    """Values and legality of loadouts, one by one."""

    def __init__(
        self, unit: str, faction: str, edition: str, natural: tuple[tuple[str, str], ...] = (), spend: str = "none"
    ) -> None:
        self.spend = {"spend": {"blood_on_injury": spend}}
        self.unit, self.faction, self.edition, self.natural = unit, faction, edition, natural
        self.rows = armoury(edition)
        self.known: dict[str, float] = {}

    def data(self, loadout: Loadout) -> dict[str, Any]:
        """The loadout as ``catalog check`` reads it."""
        lists: dict[str, list[str]] = {}
        for place, name, _ in loadout:
            lists.setdefault(place, []).append(name)
        have = [id for id, option in self.natural if not option or option in lists.get("upgrades", [])]
        return {"edition": self.edition, "faction": self.faction, "unit": self.unit, "natural": have} | lists

    def legal(self, loadout: Loadout) -> bool:
        if sum(place == "upgrades" and not price for place, _, price in loadout) > 1:
            return False  # an option at no price is one choice of several
        whose = self.rows.faction(self.faction)
        for thing in set(loadout):  # of the limits of a warband, those that one model alone can break
            if thing[0] != "upgrades":
                limit = self.rows.stipulation(self.rows.by_id(thing[1]), whose).limit
                own = [part.partition("@") for part in limit.split(";") if part]
                most = [int(n) for n, _, faction in own if faction in ("", whose.name, whose.base)]
                if most and loadout.count(thing) > most[0]:
                    return False
        return check(read_loadouts(self.data(loadout))[0]).legal

    def strike(self, loadout: Loadout, target: dict[str, Any], action: str, down: bool) -> float:
        """The best chance of any way: each weapon in each use; in melee one first, then the others, dearest first."""
        kit = kits_of(read_loadouts(self.data(loadout))[0])[0]
        best = 0.0
        for other in self.uses(kit):
            for option in options_of(other, []):
                if action in ("best", option.kind):
                    scenario = {
                        "edition": self.edition,
                        "attacker": model_of(kit),
                        "target": target,
                        "attacks": list(option.attacks),
                        **self.spend,
                    }
                    key = f"{scenario} {down}"
                    if key not in self.known:
                        result = tcsim.odds(scenario)
                        self.known[key] = result.out_of_action + (result.down if down else 0.0)
                    best = max(best, self.known[key])
        return best

    def uses(self, kit: Any) -> Iterator[Any]:
        melee = sorted((one for one in kit.carried if one.kind == "melee"), key=lambda one: one.name)
        melee.sort(key=lambda one: (kit.price(one) or Price(0, "ducats")).amount, reverse=True)
        others = [one for one in kit.carried if one.kind != "melee"]
        for place in range(max(1, len(melee))):
            order = [*melee[place : place + 1], *melee[:place], *melee[place + 1 :]]
            profiles: list[list[Any]] = [[]]
            for one in [*others, *order]:
                rows = [row for row in self.rows.rows.weapons if row.name == one.name and row.kind == one.kind]
                profiles = [[*some, Carried(row, one.fixed)] for some in profiles for row in rows or [one.item]]
            for some in profiles:
                yield replace(kit, carried=tuple(some))

    def survival(self, loadout: Loadout, against: list[tuple[dict[str, Any], int]]) -> float:
        kit = kits_of(read_loadouts(self.data(loadout))[0])[0]
        lost = 0.0
        for attack, weight in against:
            key = f"{model_of(kit)} {attack}"
            if key not in self.known:
                asked = {"edition": self.edition, "target": model_of(kit), "attacks": [attack]}
                self.known[key] = tcsim.odds(asked).out_of_action
            lost += weight * self.known[key]
        return 1 - lost / sum(weight for _, weight in against) if against else 1.0

    def best(
        self,
        budget: int,
        targets: list[tuple[dict[str, Any], int]],
        against: list[tuple[dict[str, Any], int]],
        action: str = "best",
        down: bool = False,
    ) -> list[tuple[float, int]]:
        """Value and price of every lean loadout, best first, then cheapest."""
        unit = kits_of(read_loadouts(self.data(()))[0])[0]
        money = budget - unit.cost()
        if money < 0:
            return []
        total = sum(weight for _, weight in targets)

        def value(loadout: Loadout) -> float:
            strike = sum(weight * self.strike(loadout, table, action, down) for table, weight in targets)
            return (strike / total if targets else 1.0) * self.survival(loadout, against)

        values = {
            loadout: value(loadout)
            for loadout in subsets(everything(self.edition, self.faction, self.unit), money)
            if self.legal(loadout)
        }

        def lean(loadout: Loadout) -> bool:
            parts = (part for size in range(len(loadout)) for part in combinations(loadout, size))
            return not any(part in values and values[part] >= values[loadout] - 1e-12 for part in parts)

        found = [(round(p, 12), sum(thing[2] for thing in one)) for one, p in values.items() if lean(one)]
        return sorted(((p, unit.cost() + cost) for p, cost in found), key=lambda pair: (-pair[0], pair[1]))
