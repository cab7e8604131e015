"""The target of a scenario as numbers: what its armour is made of, what it negates, how it takes results."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tcsim.base.errors import InputError
from tcsim.rules import Edition
from tcsim.rules.mechanisms import takes_the_place
from tcsim.scenario import model
from tcsim.scenario import problem as p
from tcsim.scenario.bearer import Bearer, Becomes, Rule, resolve_bearer
from tcsim.scenario.notes import note, note_keywords
from tcsim.scenario.problem import ORDINARY, Nature

if TYPE_CHECKING:
    from tcsim.catalog import Catalog

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
    profile : int
        What of ``body`` is its own characteristic, and not worn.
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
    paid : int
        Markers paid for an ability, for each attack.
    rules, for_enemies : tuple of Rule
        Counted special rules that hold for it, and for enemies near it.
    armours : frozenset of str
        Names of what it wears that is armour, and so can be ignored.
    guards : bool
        Whether it stands as behind a defended obstacle against one who charges.
    spared : int
        So many times out of action is another result.
    warded, firm : bool
        Its first marker is ignored; its first Down is another result.
    nature : Nature
        What it is that few targets are.
    bare : Target or None
        It while the armour it wears has no rules and keywords; None where it wears none.
    falls : bool
        Of ``bare``: whether only what it wears makes Down a Minor Hit.
    then : Target or None
        It once its first out of action has been another result, where that ends some of its abilities.
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
    profile: int = 0
    words: frozenset[str] = frozenset()
    wears_body: bool = False
    wears_shield: bool = False
    not_activated: bool = False
    paid: int = 0
    rules: tuple[Rule, ...] = ()
    for_enemies: tuple[Rule, ...] = ()
    armours: frozenset[str] = frozenset()
    guards: bool = False
    spared: int = 0
    warded: bool = False
    firm: bool = False
    nature: Nature = ORDINARY
    bare: Target | None = None
    falls: bool = False
    then: Target | None = None

    def modifier(
        self, ignore_armour: bool = False, ignore_shield: bool = False, piercing: int = 0, only_worn: bool = False
    ) -> int:
        """Give the injury modifier that its armour comes to against an attack.

        Parameters
        ----------
        ignore_armour, ignore_shield : bool, optional
            What the attack ignores; impervious kit is never ignored.
        piercing : int, optional
            What ARMOUR PIERCING takes off the rest, down to 0.
        only_worn : bool, optional
            Whether its own characteristic stays where armour is ignored.

        Returns
        -------
        int
            0 or less.
        """
        body, shield = self.body, 0 if ignore_shield else self.shield
        if ignore_armour:
            body, shield = self.profile if only_worn else 0, 0
        return min(0, body + shield + piercing) + self.impervious

    def with_armour(self, modifier: int) -> Target:
        """Give the same target, but what can be ignored and pierced of its armour comes to another number.

        Parameters
        ----------
        modifier : int
            The injury modifier of body armour and shield together, 0 or less.

        Returns
        -------
        Target
            The same in all else: what the armour does besides stays, and so does kit that is impervious.
        """
        body = modifier - self.shield
        then = self.then.with_armour(modifier) if self.then is not None else None
        return replace(self, body=body, profile=min(0, max(self.profile, body)), then=then)


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
    bearer = resolve_bearer(given, "target", rules, notes, rows)
    target = _target_of(bearer, given, rules, options, notes)
    if any(armour.slot != "other" for armour in bearer.worn):
        stripped = resolve_bearer(given, "target", rules, [], rows, bare=True)
        bare = _target_of(stripped, given, rules, options, [])
        falls = target.minor_for_down and not bare.minor_for_down
        target = replace(target, bare=replace(bare, falls=falls))
    ended = {rule.name for rule in bearer.rules if rule.effect.target == "until"}
    if ended:
        later = resolve_bearer(given, "target", rules, [], rows, ended=ended)
        target = replace(target, then=_target_of(later, given, rules, options, []))
    return target


def _target_of(
    bearer: Bearer, given: model.Target, rules: Edition, options: dict[str, str | bool], notes: list[str]
) -> Target:
    words = {name: word for name, (word, _) in bearer.words.items()}
    worn = bearer.worn
    for name, effect in bearer.rules:
        if given.tough and effect.target == "lost_keyword" and effect.value == "TOUGH":
            raise InputError(f"{name} and TOUGH do not go together; leave tough out", "target.tough")
    tough = _given(given.tough, any(w.tough for w in words.values()) and not any(w.golem for w in words.values()))
    parts = _armour_parts(bearer)
    results = list(bearer.results(given.paid))
    passing = {rule.name for rule in bearer.rules if rule.effect.target == "until"}
    machine, anyone = any(armour.machine for armour in bearer.kit), options["machine_armour_wearers"] == "any"
    wearer = anyone or any(word.new_antioch for word in words.values())
    for armour in worn:
        for effect in armour.effects:
            if effect.target == "only_with" and effect.value not in {other.id for other in worn}:
                note(notes, f"{armour.name} goes only with {effect.value.replace('-', ' ')}.")
    note_keywords(
        notes,
        bearer.given,
        lambda word: (
            word.tough
            or word.sets
            or word.golem
            or word.regenerates
            or {"FIRE", "GAS", "SHRAPNEL"} & set(word.negates.split())
            or (word.new_antioch and machine and not anyone)
        ),
    )
    return Target(
        body=parts["body"] + (given.injury_modifier or 0),
        shield=parts["shield"],
        impervious=parts["impervious"],
        profile=parts["profile"],
        armour_dice=sum(armour.injury_dice for armour in worn if armour.slot != "other"),
        injury_dice=given.injury_dice + sum(armour.injury_dice for armour in worn if armour.slot == "other"),
        tough=tough,
        minor_for_down=_given(
            given.machine_armour_minor,
            (wearer and machine) or any(_is_soft(one) and one.name not in passing for one in results),
        ),
        negated=frozenset(name for word in words.values() for name in word.negates.split()),
        sets=frozenset(name for word in words.values() for name in word.sets.split()),
        base_mm=given.base_mm or _base_mm(bearer),
        words=frozenset(words) | {word.name for word in rules.keywords.values() if word.tough and tough},
        wears_body=any(armour.slot == "body" for armour in worn),
        wears_shield=any(armour.slot == "shield" for armour in worn),
        not_activated=given.not_activated,
        paid=given.paid,
        armours=frozenset(armour.name for armour in worn if armour.slot != "other"),
        guards=any(rule.effect.target == "defended_obstacle" for rule in bearer.rules),
        rules=bearer.rules,
        for_enemies=bearer.for_enemies,
        nature=_nature(bearer, results, passing, options),
        spared=sum(_TIMES.get(one.often, 0) for one in results if one.before == "out_of_action"),
        firm=any(_is_first_down(one) for one in results),
        warded=bool(bearer.numbers("first_marker_ignored")),
        label=", ".join(([bearer.name] if bearer.name else []) + [armour.name for armour in worn]),
    )


def _given(value: bool | None, default: bool) -> bool:
    return default if value is None else value


def _base_mm(bearer: Bearer) -> int:
    usual = bearer.unit.base_mm if bearer.unit is not None else USUAL_BASE_MM
    return max(bearer.numbers("base_mm"), default=usual)


#: How many times a result is another one.
_TIMES = {"once": 1, "three times": 3}
_CODES = {"no_effect": p.NO_EFFECT, "minor_hit": p.MINOR_HIT, "down": p.DOWN}


def _is_soft(one: Becomes) -> bool:
    """Whether it makes every Down a Minor Hit."""
    return one.before == "down" and not one.often and not one.unhurt


#: ``Nature.tough_unharmed`` by the reading of the option.
_UNHARMED = {"always": 1, "unmarked": 2}


def _nature(bearer: Bearer, results: list[Becomes], passing: set[str], options: dict[str, str | bool]) -> Nature:
    words = list(bearer.words.values())
    counted = {one.before: _CODES[one.after] for one in reversed(results) if one.often in _TIMES}
    return Nature(
        golem=int(any(word.golem for word, _ in words)),
        first_out=counted.get("out_of_action", p.NO_EFFECT),
        unmarked=int(bool(bearer.numbers("markers_never"))),
        regenerates=sum(number for word, number in words if word.regenerates),
        first_down=min((_CODES[one.after] for one in results if _is_first_down(one)), default=p.NO_EFFECT),
        unhurt_minor=int(any(one.before == "down" and one.unhurt for one in results)),
        tough_unharmed=("tough" in counted) * _UNHARMED[str(options["no_effect_after_tough"])],
        spared_minor=int(any(_is_soft(one) and one.name in passing for one in results)),
        spared_sheds=int(bool(bearer.numbers("blood_left"))),
        last_stand=int(any(one.often.startswith("then unless") for one in results)),
        no_dice=int(any(effect.value == "blood_on_injury" for _, effect in bearer.rules)),
    )


def _is_first_down(one: Becomes) -> bool:
    return one.before == "down" and one.often == "once"


def _armour_parts(bearer: Bearer) -> dict[str, int]:
    """Split the armour into what can be ignored (body and shield) and what cannot."""
    parts = {"body": 0, "shield": 0, "impervious": 0, "profile": 0}
    unit, worn, included = bearer.unit, bearer.worn, bearer.included
    for armour in worn:
        part = "impervious" if armour.impervious else "shield" if armour.slot == "shield" else "body"
        parts[part] += armour.injury_modifier
    if unit is not None:  # its modifier contains the armour it comes with: only the rest is its own
        parts["profile"] = unit.injury_modifier - sum(row.injury_modifier for row in worn if row.id in included)
        replaced = [one.effect.number or 0 for one in bearer.rules if takes_the_place(one.effect)]
        parts["profile"] = max(replaced, default=parts["profile"])
        parts["body"] += parts["profile"]
    return parts
