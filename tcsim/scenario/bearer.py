"""A model of a scenario as the catalogue knows it: its unit, what it wears, its keywords, and its special rules.

Attacker and target are read alike here. Rules that reach other models (auras) are kept apart: those of one's own unit
for the enemies near it, and those of others, named under ``auras``, for the model itself.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from tcsim.base.errors import InputError
from tcsim.base.labels import english
from tcsim.rules import Edition, Keyword
from tcsim.rules.effects import Ability, Effect
from tcsim.rules.mechanisms import how_often, is_counted, left_out
from tcsim.rules.sides import is_idle
from tcsim.scenario import model
from tcsim.scenario.notes import note, note_row

if TYPE_CHECKING:
    from tcsim.catalog import Armour, Catalog, Unit


class Rule(NamedTuple):
    """A special rule that holds for a model, and whose it is, in words."""

    name: str
    effect: Effect


class Becomes(NamedTuple):
    """A result of the injury chart that is another one: how often (empty for always), by what, and if unhurt only."""

    before: str
    after: str
    often: str
    name: str
    unhurt: bool


@dataclass(frozen=True)
class Bearer:
    """What a model is, wears and can.

    Parameters
    ----------
    unit : Unit or None
        Its row, if it has one.
    worn : list of Armour
        All it wears, by name or with its unit.
    kit : list of Armour
        What of it has its rules.
    included : set of str
        Ids of those whose modifier is in the unit's already.
    given : list of Keyword
        Keywords that the user wrote.
    words : dict
        Keyword name to keyword and its number: all it has.
    rules : tuple of Rule
        Counted special rules that hold for it.
    for_enemies : tuple of Rule
        Counted special rules that hold for enemies near it.
    beside : tuple of Rule
        Rules that hold for it and count in no attack: about its charge, its movement, other actions.
    """

    unit: Unit | None = None
    worn: list[Armour] = field(default_factory=list)
    kit: list[Armour] = field(default_factory=list)
    included: set[str] = field(default_factory=set)
    given: list[Keyword] = field(default_factory=list)
    words: dict[str, tuple[Keyword, int]] = field(default_factory=dict)
    rules: tuple[Rule, ...] = ()
    for_enemies: tuple[Rule, ...] = ()
    beside: tuple[Rule, ...] = ()

    @property
    def name(self) -> str:
        """Its unit's name; empty without one."""
        return self.unit.name if self.unit is not None else ""

    def numbers(self, target: str) -> list[int]:
        """Give the values of its rules of one kind that hold always.

        Parameters
        ----------
        target : str
            What they change.

        Returns
        -------
        list of int
            Values.
        """
        plain = (rule.effect for rule in self.rules if not rule.effect.conditions and not rule.effect.against)
        return [effect.number or 0 for effect in plain if effect.target == target]

    def results(self, paid: int) -> Iterator[Becomes]:
        """Give the results that become others for it.

        Parameters
        ----------
        paid : int
            Markers that its player pays for them.

        Yields
        ------
        Becomes
            In the order of its rules.
        """
        for name, effect in self.rules:
            if effect.target == "result" and "->" in effect.value:
                before, _, after = effect.value.partition("->")
                names = {condition.name for condition in effect.conditions}
                if all(paid > one.number for one in effect.conditions if one.name == "paid"):
                    yield Becomes(before, after, how_often(effect), name, "own_blood" in names)


def resolve_bearer(
    given: model.Attacker | model.Target,
    where: str,
    rules: Edition,
    notes: list[str],
    rows: Catalog | None,
    bare: bool = False,
    ended: Container[str] = (),
) -> Bearer:
    """Read a model: its unit, what it wears, its keywords and special rules.

    Parameters
    ----------
    given : model.Attacker or model.Target
        As read.
    where : str
        ``attacker`` or ``target``.
    rules : Edition
        The edition.
    notes : list of str
        Grows by what is not counted.
    rows : Catalog or None
        Where names are looked up; None for the edition's own catalogue.
    bare : bool, optional
        Whether the rules and keywords of armour and shield are left away.
    ended : container of str, optional
        Names of abilities that it has no longer.

    Returns
    -------
    Bearer
        The model.

    Raises
    ------
    InputError
        For names that do not exist, or armour that cannot be worn together.
    """
    keywords = unique_keywords(given.keywords, rules, "model", f"{where}.keywords")
    bearer = Bearer(given=[word for word, _ in keywords.values()], words=keywords)
    if not (given.unit or given.armour or given.abilities or given.auras):
        return bearer
    catalog = open_catalog(rows, rules)
    unit = catalog.unit(given.unit, f"{where}.unit") if given.unit is not None else None
    included = set(unit.armour_ids) if unit is not None else set()
    worn = _worn(given.armour or (), included, catalog, where)
    if unit is not None:
        for text in unit.keywords:
            word = rules.keyword(text, "model", unit.id)
            keywords.setdefault(word[0].name, word)
    if unit is not None:
        note_row(notes, unit, rows, but=unit.options)
    for armour in worn:
        note_row(notes, armour, rows)
    kit = [armour for armour in worn if not bare or armour.slot == "other"]
    for armour in kit:
        for name in armour.grants:
            if name in rules.keywords:
                keywords.setdefault(name, (rules.keywords[name], 0))
    own = [Rule(armour.name, effect) for armour in kit for effect in armour.effects]
    for ability in _abilities(given, unit, catalog, rules, notes):
        if ability.name not in ended:
            own += [Rule(ability.name, effect) for effect in ability.effects]
    held = [rule for rule in own if not rule.effect.aura or "itself" in rule.effect.remark]
    held += _reaching(given, catalog, rules, notes)
    held = list(borne(held, keywords))
    beside = tuple(rule for rule in held if not is_counted(rule.effect))
    held = [rule for rule in held if is_counted(rule.effect)]
    _change_keywords(held, keywords, rules)
    return replace(
        bearer,
        unit=unit,
        worn=worn,
        kit=kit,
        included=included,
        rules=tuple(held),
        for_enemies=tuple(rule for rule in own if rule.effect.aura == "enemies" and is_counted(rule.effect)),
        beside=beside,
    )


def borne(rules: Iterable[Rule], keywords: Iterable[str]) -> list[Rule]:
    """Keep the rules that hold for a model with some keywords.

    Parameters
    ----------
    rules : iterable of Rule
        Rules that reach it.
    keywords : iterable of str
        What it has.

    Returns
    -------
    list of Rule
        Without conditions about the keywords of their bearer, which hold.
    """
    has, kept = set(keywords), []
    for rule in rules:
        asked = [condition for condition in rule.effect.conditions if condition.name == "bearer_keyword"]
        if all(bool(has & set(condition.words)) != condition.turned for condition in asked):
            others = tuple(condition for condition in rule.effect.conditions if condition not in asked)
            kept.append(Rule(rule.name, replace(rule.effect, conditions=others)))
    return kept


def once(rules: Iterable[Rule]) -> list[Rule]:
    """Keep only the first of rules of one kind that do not add up.

    Parameters
    ----------
    rules : iterable of Rule
        Rules that hold.

    Returns
    -------
    list of Rule
        Without those that say of themselves that they are not cumulative and came before.
    """
    kept: list[Rule] = []
    for rule in rules:
        again = any(rule.name == other.name and rule.effect.text == other.effect.text for other in kept)
        if not (again and "not cumulative" in rule.effect.remark):
            kept.append(rule)
    return kept


def _side(given: model.Attacker | model.Target) -> str:
    return "attacker" if isinstance(given, model.Attacker) else "target"


def _abilities(
    given: model.Attacker | model.Target, unit: Unit | None, catalog: Catalog, rules: Edition, notes: list[str]
) -> Iterator[Ability]:
    """Abilities that its unit has anyway, then those that are named: options of its unit, or others'."""
    where = _side(given)
    own = [ability for ability in unit.abilities if ability.price is None] if unit is not None else []
    yield from own
    named: list[Ability] = []
    for index, name in enumerate(given.abilities):
        ability = catalog.ability(name, f"{where}.abilities[{index}]", unit)
        _check_once(ability, named, f"{where}.abilities")
        if unit is not None and any(ability.name.casefold() == other.name.casefold() for other in own):
            note(notes, f"Changes nothing here: {ability.name}, every {unit.name} has it.")
            continue
        _say_what_counts(ability, ability, where, rules, notes)
        yield ability


def _reaching(
    given: model.Attacker | model.Target, catalog: Catalog, rules: Edition, notes: list[str]
) -> Iterator[Rule]:
    """Rules of models near it; that they reach it is what naming them says."""
    where = _side(given)
    named: list[Ability] = []
    for index, name in enumerate(given.auras):
        ability = catalog.ability(name, f"{where}.auras[{index}]")
        _check_once(ability, named, f"{where}.auras")
        if not any(effect.aura for effect in ability.effects):
            raise InputError(f"{ability.name} reaches no other model; is it one of its abilities?", f"{where}.auras")
        reaching = tuple(replace(effect, aura="") for effect in ability.effects if effect.aura)
        _say_what_counts(ability, replace(ability, effects=reaching), where, rules, notes)
        yield from (Rule(ability.name, effect) for effect in reaching)


def _check_once(ability: Ability, named: list[Ability], where: str) -> None:
    if ability in named:
        raise InputError(f"{ability.name} is given twice", where)
    named.append(ability)


def _say_what_counts(ability: Ability, used: Ability, where: str, rules: Edition, notes: list[str]) -> None:
    """Say what of a named ability is left out, and whether all that is used of it is idle here."""
    for effect in ability.effects:
        if left_out(effect):
            note(notes, f"Not counted yet: {ability.name}: {left_out(effect)}.")
    if is_idle(used, where, rules):
        whose = "by the attacker" if where == "attacker" else "on the target"
        note(notes, f"Changes nothing here: {ability.name}, it touches no attack {whose}.")


def _change_keywords(rules: list[Rule], keywords: dict[str, tuple[Keyword, int]], edition: Edition) -> None:
    for name, effect in rules:
        if effect.target == "keyword" and not effect.conditions:
            word = edition.keyword(effect.value, "model", name)
            keywords[word[0].name] = word
        elif effect.target == "lost_keyword" and not effect.conditions:
            keywords.pop(effect.value, None)


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


def _worn(names: Iterable[str], included: set[str], catalog: Catalog, where: str) -> list[Armour]:
    """Look up what is worn: what the unit comes with, and what is named besides."""
    worn = [catalog.armour(id) for id in sorted(included)]
    named: set[str] = set()
    for index, name in enumerate(names):
        armour = catalog.armour(name, f"{where}.armour[{index}]")
        if armour.id in named:
            raise InputError(f"{armour.name} is given twice", f"{where}.armour")
        named.add(armour.id)
        if armour.id not in included:
            worn.append(armour)
    _check_worn(worn, f"{where}.armour")
    return worn


def _check_worn(worn: list[Armour], where: str) -> None:
    for slot, what in (("body", "body armour"), ("shield", "shield")):
        several = [armour.name for armour in worn if armour.slot == slot]
        if len(several) > 1:
            raise InputError(f"at most one {what} can be worn, {' and '.join(several)} are given", where)
    for body in worn:
        for shield in worn:
            barred = body.slot == "body" and not body.stacks_with_shield
            if barred and shield.slot == "shield" and shield.injury_modifier:
                raise InputError(f"{body.name} cannot be combined with {shield.name}", where)
