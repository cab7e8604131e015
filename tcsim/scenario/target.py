"""The target of a scenario as numbers: what its armour is made of, what it negates, how it takes results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from tcsim.base.errors import InputError
from tcsim.base.labels import english
from tcsim.rules import Edition, Keyword
from tcsim.rules.effects import Effect, is_counted
from tcsim.scenario import model
from tcsim.scenario.notes import note, note_keywords, note_row

if TYPE_CHECKING:
    from tcsim.catalog import Armour, Catalog, Unit

#: A base of ordinary size, where none is given.
USUAL_BASE_MM = 25


@dataclass(frozen=True)
class Target:
    """The target's numbers.

    Parameters
    ----------
    body, shield : int
        Negative injury modifiers that can be ignored and pierced: armour (or the one number given) and shield.
    impervious : int
        Negative injury modifier that cannot.
    armour_dice : int
        Injury dice that come from armour.
    injury_dice : int
        Injury dice against it from elsewhere.
    tough, minor_for_down : bool
        TOUGH not yet used; Down results become Minor Hit.
    negated : frozenset of str
        Attack keywords that do nothing to it.
    sets : frozenset of str
        Situations it always brings: ``fear``, ``cover``.
    base_mm : int
        Its base, in millimetres.
    label : str
        What it is called in output; empty when only numbers were given.
    words : frozenset of str
        All its keywords.
    wears_body, wears_shield : bool
        What it wears by name, or as part of its unit.
    not_activated : bool
        It has not been activated yet in this round.
    effects : tuple of (str, Effect)
        Special rules of its kit that are counted, with whose they are.
    armours : frozenset of str
        Names of what it wears that is armour, and so can be ignored.
    guards : bool
        Whether it stands as behind a defended obstacle against one who charges.
    """

    body: int
    shield: int
    impervious: int
    armour_dice: int
    injury_dice: int
    tough: bool
    minor_for_down: bool
    negated: frozenset[str]
    sets: frozenset[str]
    base_mm: int
    label: str
    words: frozenset[str] = frozenset()
    wears_body: bool = False
    wears_shield: bool = False
    not_activated: bool = False
    effects: tuple[tuple[str, Effect], ...] = ()
    armours: frozenset[str] = frozenset()
    guards: bool = False

    def modifier(self, ignore_armour: bool = False, ignore_shield: bool = False, piercing: int = 0) -> int:
        """Give the injury modifier that its armour comes to against an attack.

        Parameters
        ----------
        ignore_armour, ignore_shield : bool, optional
            What the attack ignores; impervious kit is never ignored.
        piercing : int, optional
            What ARMOUR PIERCING takes off the rest, down to 0.

        Returns
        -------
        int
            0 or less.
        """
        body, shield = (0, 0) if ignore_armour else (self.body, 0 if ignore_shield else self.shield)
        return min(0, body + shield + piercing) + self.impervious


def open_catalog(rows: Catalog | None, rules: Edition) -> Catalog:
    """Give the catalogue to look names up in; only a name that is looked up loads it.

    Parameters
    ----------
    rows : Catalog or None
        One that was given.
    rules : Edition
        Whose own catalogue is meant otherwise.

    Returns
    -------
    Catalog
        The catalogue.
    """
    if rows is not None:
        return rows
    from tcsim.catalog import catalog

    return catalog(rules.id)


def unique_keywords(names: Iterable[str], rules: Edition, place: str, where: str) -> dict[str, tuple[Keyword, int]]:
    """Read a list of keywords, each at most once.

    Parameters
    ----------
    names : iterable of str
        As written.
    rules : Edition
        Whose keywords they are.
    place : str
        ``attack`` or ``model``.
    where : str
        The place in the input, for the error.

    Returns
    -------
    dict
        Keyword name to keyword and its number.

    Raises
    ------
    InputError
        For a keyword that does not exist, cannot stand there, or is given twice.
    """
    found: dict[str, tuple[Keyword, int]] = {}
    for index, name in enumerate(names):
        word, number = rules.keyword(english(name), place, f"{where}[{index}]")
        if word.name in found:
            raise InputError(f"{word.name} is given twice", where)
        found[word.name] = (word, number)
    return found


def resolve_target(
    given: model.Target,
    rules: Edition,
    options: dict[str, str | bool],
    notes: list[str],
    rows: Catalog | None = None,
) -> Target:
    """Settle the target's unit, armour and keywords.

    Parameters
    ----------
    given : model.Target
        As read.
    rules : Edition
        The edition.
    options : dict
        Every option with its reading.
    notes : list of str
        Grows by what is not counted.
    rows : Catalog, optional
        Where names are looked up; default: the edition's own catalogue.

    Returns
    -------
    Target
        Its armour, what it negates, and how it takes results.

    Raises
    ------
    InputError
        For names that do not exist, or armour that cannot be worn together.
    """
    if given.injury_modifier is not None and (given.unit is not None or given.armour is not None):
        raise InputError("injury_modifier stands in place of unit and armour; give one or the other", "target")
    keywords = unique_keywords(given.keywords, rules, "model", "target.keywords")
    words = {word.name: word for word, _ in keywords.values()}
    unit, worn, included = _kit(given, rules, rows)
    if unit is not None:
        words.update({name: rules.keyword(name, "model", unit.id)[0] for name in unit.keywords})
    for armour in worn:
        words.update({name: rules.keywords[name] for name in armour.grants if name in rules.keywords})
    parts = _armour_parts(unit, worn, included)
    machine, anyone = any(armour.machine for armour in worn), options["machine_armour_wearers"] == "any"
    wearer = anyone or any(word.new_antioch for word in words.values())
    for row in ([unit] if unit is not None else []) + worn:
        note_row(notes, row)
    for armour in worn:
        for effect in armour.effects:
            if effect.target == "only_with" and effect.value not in {other.id for other in worn}:
                note(notes, f"{armour.name} goes only with {effect.value.replace('-', ' ')}.")
    note_keywords(
        notes,
        [word for word, _ in keywords.values()],
        lambda word: (
            word.tough
            or word.sets
            or {"FIRE", "GAS", "SHRAPNEL"} & set(word.negates.split())
            or (word.new_antioch and machine and not anyone)
        ),
    )
    return Target(
        body=parts["body"] + (given.injury_modifier or 0),
        shield=parts["shield"],
        impervious=parts["impervious"],
        armour_dice=sum(armour.injury_dice for armour in worn if armour.slot != "other"),
        injury_dice=given.injury_dice + sum(armour.injury_dice for armour in worn if armour.slot == "other"),
        tough=_given(given.tough, any(word.tough for word in words.values())),
        minor_for_down=_given(given.machine_armour_minor, wearer and machine),
        negated=frozenset(name for word in words.values() for name in word.negates.split()),
        sets=frozenset(name for word in words.values() for name in word.sets.split()),
        base_mm=given.base_mm or (unit.base_mm if unit is not None else USUAL_BASE_MM),
        words=frozenset(words),
        wears_body=any(armour.slot == "body" for armour in worn),
        wears_shield=any(armour.slot == "shield" for armour in worn),
        not_activated=given.not_activated,
        armours=frozenset(armour.name for armour in worn if armour.slot != "other"),
        guards=any(effect.target == "defended_obstacle" for armour in worn for effect in armour.effects),
        effects=tuple((armour.name, effect) for armour in worn for effect in armour.effects if is_counted(effect)),
        label=", ".join(([unit.name] if unit is not None else []) + [armour.name for armour in worn]),
    )


def _given(value: bool | None, default: bool) -> bool:
    return default if value is None else value


def _kit(given: model.Target, rules: Edition, given_rows: Catalog | None) -> tuple[Unit | None, list[Armour], set[str]]:
    """Look up unit and armour; what the unit comes with is worn too, and counted in its modifier already."""
    if given.unit is None and not given.armour:
        return None, [], set()
    rows = open_catalog(given_rows, rules)
    unit = rows.unit(given.unit, "target.unit") if given.unit is not None else None
    included = set(unit.armour_ids) if unit is not None else set()
    worn = [rows.armour(id) for id in sorted(included)]
    named: set[str] = set()
    for index, name in enumerate(given.armour or ()):
        armour = rows.armour(name, f"target.armour[{index}]")
        if armour.id in named:
            raise InputError(f"{armour.name} is given twice", "target.armour")
        named.add(armour.id)
        if armour.id not in included:
            worn.append(armour)
    _check_worn(worn)
    return unit, worn, included


def _check_worn(worn: list[Armour]) -> None:
    for slot, what in (("body", "body armour"), ("shield", "shield")):
        several = [armour.name for armour in worn if armour.slot == slot]
        if len(several) > 1:
            raise InputError(f"at most one {what} can be worn, {' and '.join(several)} are given", "target.armour")
    for body in worn:
        for shield in worn:
            barred = body.slot == "body" and not body.stacks_with_shield
            if barred and shield.slot == "shield" and shield.injury_modifier:
                raise InputError(f"{body.name} cannot be combined with {shield.name}", "target.armour")


def _armour_parts(unit: Unit | None, worn: list[Armour], included: set[str]) -> dict[str, int]:
    """Split the armour into what can be ignored (body and shield) and what cannot."""
    parts = {"body": 0, "shield": 0, "impervious": 0}
    for armour in worn:
        part = "impervious" if armour.impervious else "shield" if armour.slot == "shield" else "body"
        parts[part] += armour.injury_modifier
    if unit is not None:  # its modifier contains the armour it comes with: only the rest is its own
        parts["body"] += unit.injury_modifier - sum(row.injury_modifier for row in worn if row.id in included)
    return parts
