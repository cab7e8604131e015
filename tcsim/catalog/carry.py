"""The rules of what one model may carry: every rule that is broken, a sentence each.

Numbers and sources stand in ``data/carry.toml``, who may have what in the tables of :mod:`tcsim.catalog.armoury`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from tcsim.base.text import plural
from tcsim.catalog import Armour, Weapon
from tcsim.catalog.armoury import Equipment
from tcsim.catalog.kit import Carried, Kit
from tcsim.catalog.stipulations import is_one_of


class Breach(NamedTuple):
    """A rule that is broken: its name, a sentence, its source, and whose it is (empty: the whole warband's)."""

    rule: str
    text: str
    source: str
    model: str = ""


def breaches_of(kit: Kit) -> list[Breach]:
    """Name every rule that a model breaks by what it carries.

    Parameters
    ----------
    kit : Kit
        The model.

    Returns
    -------
    list of Breach
        Empty for one that is legal.

    Examples
    --------
    >>> from tcsim.catalog.kit import kits_of
    >>> from tcsim.catalog.warbands import read_loadouts
    >>> data = {"faction": "new-antioch", "unit": "Yeoman", "melee": ["Sword / Axe", "Polearm"]}
    >>> [breach.rule for breach in breaches_of(kits_of(read_loadouts(data)[0])[0])]
    ['hands-melee']
    """
    found = []
    sources = kit.rows.carry["sources"]
    for check in (_hands, _heavy, _worn, _grenades, _equipment, _bayonet, _bought, _natural, _upgrades, _of_unit):
        for rule, text in check(kit):
            source = sources[rule]
            if rule.startswith("hands") and kit.strong:
                source += f"; {sources['strong']}"
            found.append(Breach(rule, text, source, kit.unit.name))
    return found


Found = Iterator[tuple[str, str]]


def _names(things: list[Carried]) -> str:
    return " and ".join(one.name for one in things)


# --- hands --------------------------------------------------------------------------------------------------


def hands_of(kit: Kit, weapons: list[Weapon]) -> list[int]:
    """Give the hands that each of some weapons takes of a model, where they are carried together.

    Parameters
    ----------
    kit : Kit
        The model.
    weapons : list of Weapon
        All for melee, or all for range.

    Returns
    -------
    list of int
        0, 1 or 2 each; STRONG lets it hold some two-handed melee weapons in one hand.

    Examples
    --------
    >>> from tcsim.catalog import warband
    >>> from tcsim.catalog.kit import kits_of
    >>> communicant = kits_of(warband("tp-procession"))[2]
    >>> hands_of(communicant, communicant.weapons("melee"))
    [1]
    """
    carry = kit.rows.carry
    own = next((int(rule.parts[0]) for rule in kit.rules("heavy-arms")), None)
    spare = own if own is not None else carry["strong_in_one_hand"] if kit.strong else 0
    taken = []
    for weapon in weapons:
        hands = weapon.hands
        if own is not None:  # a unit with its own rule in place of STRONG's
            if hands == 2 and "HEAVY" in weapon.keywords and spare:
                hands, spare = 1, spare - 1
        elif hands == 2 and weapon.kind == "melee":
            cumbersome = "CUMBERSOME" in weapon.keywords
            if cumbersome and kit.strong and carry["strong_cumbersome_in_one_hand"]:
                hands = 1
            elif spare and not cumbersome:
                hands, spare = 1, spare - 1
        taken.append(hands)
    return taken


def free_hands(kit: Kit, weapons: list[Weapon]) -> int:
    """Give the hands that are left beside weapons, shield and what else is held; less than 0 where there are too few.

    Parameters
    ----------
    kit : Kit
        The model.
    weapons : list of Weapon
        All for melee, or all for range.

    Returns
    -------
    int
        Hands left.
    """
    hands = hands_of(kit, weapons)
    held = sum(one.item.hands for one in kit.carried if isinstance(one.item, Equipment))
    return int(kit.rows.carry["hands"]) - sum(hands) - held - len(_shields_held(kit, weapons, hands))


def _shields_held(kit: Kit, weapons: list[Weapon], hands: list[int]) -> list[Carried]:
    """Shields that take a hand: all, unless shield and two-handed weapon are made for each other (SHIELD COMBO)."""
    both = [weapon for weapon, taken in zip(weapons, hands, strict=True) if taken == 2]
    combo = bool(both) and all("SHIELD COMBO" in weapon.keywords for weapon in both)
    return [one for one in kit.of_kind("shield") if not (combo and "SHIELD COMBO" in one.keywords)]


def counted_in_melee(kit: Kit) -> list[Weapon]:
    """Give the melee weapons that count against a model's hands; in 1.6.3 a bayonet is no weapon more.

    Parameters
    ----------
    kit : Kit
        The model.

    Returns
    -------
    list of Weapon
        In order.
    """
    melee = kit.weapons("melee")
    others = [weapon for weapon in melee if "bayonet" not in weapon.id]
    return melee if kit.rows.carry["bayonet_counts"] or not others else others


def _hands(kit: Kit) -> Found:
    if any(kit.rules("arms", "melee")):
        yield from _arms(kit)
        return
    for way, weapons in (("melee", counted_in_melee(kit)), ("ranged", kit.weapons("ranged"))):
        hands = hands_of(kit, weapons)
        if all(id in kit.table.fixed for id in (weapon.id for weapon in weapons)) and len(weapons) > 1:
            continue  # what a unit comes with it can use
        if free_hands(kit, weapons) >= 0:
            continue
        shields = _shields_held(kit, weapons, hands)
        need = [f"{weapon.name} ({taken})" for weapon, taken in zip(weapons, hands, strict=True) if taken]
        need += [f"{one.name} (1)" for one in shields]
        need += [f"{one.name} (1)" for one in kit.carried if isinstance(one.item, Equipment) and one.item.hands]
        if shields and weapons and sum(hands) <= kit.rows.carry["hands"] and 2 in hands:
            big = next(weapon for weapon, taken in zip(weapons, hands, strict=True) if taken == 2)
            without = [
                name
                for name, words in ((big.name, big.keywords), (shields[0].name, shields[0].keywords))
                if "SHIELD COMBO" not in words
            ]
            yield (
                "shield-two-handed",
                f"{big.name} takes two hands and {shields[0].name} one; together they go only if both have SHIELD "
                f"COMBO, and {' and '.join(without)} {'have' if len(without) > 1 else 'has'} not",
            )
        else:
            total = sum(hands) + len(need) - sum(1 for taken in hands if taken)
            what = "melee weapons" if way == "melee" else "ranged weapons"
            yield f"hands-{way}", f"{what}: {', '.join(need)} take {total} hands, and there are 2"


def _arms(kit: Kit) -> Found:
    """The hands of units that have their own number of arms, or of weapons."""
    melee, ranged = kit.weapons("melee"), kit.weapons("ranged")
    for rule in kit.rules("arms"):
        total = sum(hands_of(kit, melee + ranged)) + len(kit.of_kind("shield"))
        if total > int(rule.parts[0]):
            yield "unit", f"its weapons take {total} hands, and it has {rule.parts[0]}"
    for rule in kit.rules("melee"):
        most, big = int(rule.parts[0]), [weapon for weapon in melee if weapon.hands == 2]
        if len(melee) > most:
            yield "unit", f"{len(melee)} melee weapons are given, it may have {most}"
        if len(big) > int(rule.parts[1]):
            yield "unit", f"{len(big)} two-handed melee weapons are given, it may have {rule.parts[1]}"


# --- how many -----------------------------------------------------------------------------------------------


def _heavy(kit: Kit) -> Found:
    if kit.strong:  # both editions lift the number
        return
    freed = {rule.parts[1] for rule in kit.rules("free") if rule.parts[0] == "HEAVY"}
    heavy = [one for one in kit.carried if "HEAVY" in one.keywords and one.item.id not in freed]
    if len(heavy) > kit.rows.carry["heavy"]:
        yield "heavy", f"{_names(heavy)} are HEAVY, and a model without STRONG may have one HEAVY item"


def _worn(kit: Kit) -> Found:
    for kind, rule, what in (
        ("body", "body", "suit of armour"),
        ("shield", "shield", "shield"),
        ("helmet", "headgear", "headgear"),
    ):
        worn = [one for one in kit.of_kind(kind) if one.item.id not in kit.rows.carry["not_headgear"]]
        if len(worn) > kit.rows.carry[rule]:
            yield rule, f"{_names(worn)} are given, a model wears one {what}"
    for body in kit.of_kind("body"):
        for shield in kit.of_kind("shield"):
            assert isinstance(body.item, Armour)
            assert isinstance(shield.item, Armour)
            if not body.item.stacks_with_shield and shield.item.injury_modifier:
                yield "armour-shield", f"{body.name} cannot be combined with {shield.name}"
    for one in kit.carried:
        effects = one.item.effects if isinstance(one.item, Armour) else ()
        for effect in effects:
            if effect.target == "only_with" and effect.value not in kit.ids:
                yield "only", f"{one.name} goes only with {effect.value.replace('-', ' ')}"


def _grenades(kit: Kit) -> Found:
    types = Counter(weapon.id for weapon in kit.weapons("grenade"))
    names = {weapon.id: weapon.name for weapon in kit.weapons("grenade")}
    if len(types) > kit.rows.carry["grenade_types"]:
        yield "grenades", f"{' and '.join(names.values())} are given, a model carries one type of grenade"
    for id, number in types.items():
        most = kit.rows.carry["same_grenade"]
        if number > most:
            yield "grenade-copies", f"{names[id]} is given {number} times; once is enough for every turn"


def _equipment(kit: Kit) -> Found:
    numbers = Counter((one.item.id, one.name) for one in kit.of_kind("equipment", "other", "helmet"))
    for (_, name), number in numbers.items():
        if number > kit.rows.carry["same_equipment"]:
            yield "same-equipment", f"{name} is given {number} times, a model carries one of a kind"
    for weapon, number in Counter(kit.weapons("ranged") + kit.weapons("grenade")).items():
        most = kit.rows.stipulation(weapon, kit.faction).per_model
        if most is not None and number > most:
            yield "limit", f"{weapon.name} is given {number} times, a model carries {most}"


def _bayonet(kit: Kit) -> Found:
    for weapon in kit.weapons("melee"):
        if "bayonet" in weapon.id and not any("BAYONET LUG" in gun.keywords for gun in kit.weapons("ranged")):
            yield "bayonet-lug", f"{weapon.name} needs a ranged weapon with BAYONET LUG"


# --- who may have it ----------------------------------------------------------------------------------------


def _bought(kit: Kit) -> Found:
    faction = kit.faction
    for one in kit.carried:
        if one.fixed:
            continue
        item = one.item
        if item.factions and not {faction.name, faction.base} & set(item.factions):
            yield "faction", f"{one.name} is not sold to {faction.name}, only to {', '.join(item.factions)}"
        elif kit.price(one) is None:
            yield "faction", f"{one.name} cannot be bought by {faction.name}, it has no price there"
        only = kit.rows.stipulation(item, faction).only
        if not is_one_of(only, kit.unit, kit.keywords, kit.ids, faction):
            yield "only", f"{one.name} is for {_whom(only)} only"


def _whom(only: tuple[str, ...]) -> str:
    words = []
    for word in only:
        plain = word.partition("@")[0]
        if plain.startswith("with "):
            plain = f"models with {plain[5:].replace('-', ' ')}"
        elif plain != plain.upper() and not plain.startswith("not "):
            plain = plain.replace("-", " ").title()
        words.append(plain)
    return " or ".join(dict.fromkeys(words))


def _natural(kit: Kit) -> Found:
    for weapon in kit.natural:
        if weapon.id not in kit.table.natural and (weapon.prices or weapon.hands or kit.known):
            yield "unit", f"{weapon.name} is not among its attacks without weapons"


def _upgrades(kit: Kit) -> Found:
    for upgrade in kit.upgrades:
        if upgrade.factions and not {kit.faction.name, kit.faction.base} & set(upgrade.factions):
            yield "faction", f"{upgrade.name} is an option of {', '.join(upgrade.factions)}, not of {kit.faction.name}"
        if not is_one_of(upgrade.units, kit.unit, kit.keywords, kit.ids, kit.faction):
            yield "only", f"{upgrade.name} is for {_whom(upgrade.units)} only"
    for name, number in Counter(upgrade.name for upgrade in kit.upgrades).items():
        if number > 1:
            yield "unit", f"{name} is given {number} times"
    for rule in kit.rules("upgrades"):
        if rule.parts[1] in ("", kit.faction.name) and len(kit.upgrades) > int(rule.parts[0]):
            yield "unit", f"{plural(len(kit.upgrades), 'option')} are given, it may have {rule.parts[0]}"


# --- what the unit's own entry says ---------------------------------------------------------------------------


def _fits(one: Carried, what: str) -> bool:
    """Whether a thing is meant by a word of a unit's rule: a kind, a keyword, ``two-handed``, or an id."""
    if what == "kit":
        return True
    if what == "weapons":
        return one.kind in ("ranged", "melee")
    if what == "equipment":
        return one.kind in ("equipment", "helmet", "other")
    if what == "two-handed":
        return isinstance(one.item, Weapon) and one.item.hands == 2
    return what in (one.kind, one.item.id) or what in one.keywords


def _of_unit(kit: Kit) -> Found:
    bought = [one for one in kit.carried if not one.fixed]
    for rule in kit.rules("no", "only", "one", "must", "dearest", "same"):
        first, second = (*rule.parts, "")[:2]
        if rule.kind == "no":
            for one in bought:
                if _fits(one, first):
                    yield "unit", f"{one.name} is given, it may have no {'kit of its own' if first == 'kit' else first}"
        elif rule.kind == "only":
            for one in bought:
                if _fits(one, first) and not any(_fits(one, word) for word in second.split("|")):
                    allowed = second.replace("|", ", ").replace("-", " ")
                    yield "unit", f"{one.name} is given, of {first} it may have only {allowed}"
        elif rule.kind == "one":
            several = [one for one in bought if _fits(one, first)]
            if len(several) > 1:
                yield "unit", f"{_names(several)} are given, it may have one {first} weapon"
        elif rule.kind == "must":
            needed = ("weapons", "grenade") if first == "weapon" else (first,)
            if not any(_fits(one, word) for one in kit.carried for word in needed):
                yield "unit", f"it must have {'a weapon' if first == 'weapon' else 'a suit of armour'}"
        elif rule.kind == "dearest":
            for one in bought:
                price = kit.price(one)
                if (not first or _fits(one, first)) and price is not None and price.amount > int(second):
                    yield "unit", f"{one.name} costs {price.amount}, nothing over {second} is allowed"
        else:
            for name, number in Counter(one.name for one in bought if _fits(one, "weapons")).items():
                if number > int(first):
                    yield "unit", f"{name} is given {number} times, at most {first} are allowed"
