"""What a model can do in one activation: Shoot with one weapon, or Fight with all it holds."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from tcsim.catalog import Weapon
from tcsim.catalog.carry import counted_in_melee, free_hands
from tcsim.catalog.kit import Kit
from tcsim.rules import edition as load_edition
from tcsim.scenario.notes import note


@dataclass(frozen=True)
class Option:
    """One way to attack: Shoot or Fight, with these weapons, as attacks of a scenario."""

    kind: str
    label: str
    attacks: tuple[dict[str, Any], ...]
    largest_base: int | None = None


def options_of(kit: Kit, notes: list[str]) -> list[Option]:
    """Give every way a model can attack a standing model in one activation.

    Parameters
    ----------
    kit : Kit
        The model.
    notes : list of str
        Grows by what it carries and cannot be answered.

    Returns
    -------
    list of Option
        Shooting first.

    Examples
    --------
    >>> from tcsim.catalog import warband
    >>> from tcsim.catalog.kit import kits_of
    >>> castigator = kits_of(warband("tp-procession", "1.0.2"))[1]
    >>> [option.label for option in options_of(castigator, [])]
    ['Pistol', 'Flail/Scourge + Pistol']
    """
    found = []
    shooting = dict.fromkeys((*kit.weapons("ranged"), *kit.weapons("grenade")))
    for weapon in shooting:
        if _can(kit, weapon, "ranged", notes):
            found.append(_option("ranged", [weapon], kit))
    for weapons in _fights(kit):
        able = [weapon for weapon in weapons if _can(kit, weapon, "melee", notes)]
        if able:
            found.append(_option("melee", able, kit))
    return found


def _can(kit: Kit, weapon: Weapon, kind: str, notes: list[str]) -> bool:
    """Whether a weapon has an attack to make against a model that stands, and the model the dice for it."""
    if weapon.injury_keep == 0:
        note(notes, f"Left out: {weapon.name}, it makes no injury roll.")
        return False
    if any(effect.target == "only_if" and effect.value == "target_down" for effect in weapon.effects):
        return False
    return _rolls(kit, weapon, kind)


def _rolls(kit: Kit, weapon: Weapon, kind: str) -> bool:
    """Whether the model has the characteristic that a weapon is rolled with: a pistol in melee may ask for Ranged."""
    dice = {"ranged": kit.unit.ranged_dice, "melee": kit.unit.melee_dice}
    which = weapon.characteristic or kind
    return which == "none" or any(dice[one] is not None for one in (dice if which == "best" else (which,)))


def _fights(kit: Kit) -> Iterable[list[Weapon]]:
    """Give the ways to fight: with all it has in hand, or with what takes the place of that."""
    mine = _in_hand(kit)
    ways = [mine] if mine else []
    ways += [[weapon] for weapon in kit.weapons("melee") if weapon not in mine]
    ways += [[weapon] for weapon in kit.natural if weapon.hands == 0]
    melee = [twin for weapon in kit.weapons("ranged") if (twin := _twin(kit, weapon)) is not None and twin not in mine]
    ways += [[weapon] for weapon in melee if free_hands(kit, [weapon]) >= 0]
    shovel = kit.rows.rows.weapon("shovel") if "shovel" in kit.ids else None
    if shovel is not None and free_hands(kit, [shovel]) >= 0:
        ways.append([shovel])
    if not ways and any(weapon.id == "unarmed" for weapon in kit.rows.rows.weapons):
        ways.append([kit.rows.rows.weapon("unarmed")])
    return ways


def _in_hand(kit: Kit) -> list[Weapon]:
    """Melee weapons that are used in one action; a pistol, or a fist that counts as a weapon, fills a free hand."""
    mine = counted_in_melee(kit)
    if any(kit.rules("even", "arms")):
        return mine
    more = [weapon for weapon in kit.natural if weapon.hands]
    more += [twin for weapon in kit.weapons("ranged") if (twin := _twin(kit, weapon)) is not None and twin.hands == 1]
    for weapon in more:
        if len(mine) < kit.rows.carry["hands"] and free_hands(kit, [*mine, weapon]) >= 0:
            mine = [*mine, weapon]
    return mine


def _twin(kit: Kit, weapon: Weapon) -> Weapon | None:
    """The melee profile of a weapon that shoots and fights, for whoever can roll it."""
    rows = kit.rows.rows.weapons
    return next((row for row in rows if row.id == f"{weapon.id}-melee" and _rolls(kit, row, "melee")), None)


def _option(kind: str, weapons: list[Weapon], kit: Kit) -> Option:
    even = any(kit.rules("even"))
    attacks, labels = [], []
    for number, weapon in enumerate(weapons):
        attack: dict[str, Any] = {"weapon": weapon.id, "kind": kind}
        if kind == "melee" and number and not even:
            attack["off_hand"] = True
        words = load_edition(kit.unit.edition).keywords
        if any((word := words.get(name.split(" ")[0])) is not None and word.counted for name in weapon.keywords):
            attack["carried"] = max(weapon.shots, sum(one.item.id == weapon.id for one in kit.carried))
        if weapon.shoot_actions > 1:
            attack["times"] = weapon.shoot_actions
        attacks.append(attack)
        labels.append(weapon.label if kind == "ranged" and weapon.profile not in ("", "ranged") else weapon.name)
    bases = [_base(effect.value) for weapon in weapons for effect in weapon.effects if effect.target == "only_if"]
    return Option(kind, " + ".join(labels), tuple(attacks), next((base for base in bases if base), None))


def _base(text: str) -> int | None:
    name, _, number = text.partition("<=")
    return int(number.removesuffix("mm")) if name == "target_base" else None
