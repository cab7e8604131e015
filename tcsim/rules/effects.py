"""The language in which the catalogue says special rules: what changes, by how much, and when.

An effect is ``TARGET=VALUE (REMARK) against it friends<=6 if CONDITION and not CONDITION per COUNTER (max N)``; all but
target and value may be left out. It is about the rolls of its bearer, with ``against it`` about rolls against it;
``friends<=6`` or ``enemies<=6`` makes it hold for models that near, and not for the bearer alone. Effects are joined by
``;``. A unit has abilities, ``NAME (PRICE): EFFECT & EFFECT``, joined by ``;`` too.

What may stand where is in the tables of :mod:`tcsim.rules.mechanisms`; text is read once, and what is not in the tables
is an error that tells its place. Whether a condition holds is found where an attack is resolved
(:mod:`tcsim.scenario.special`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from tcsim.base.errors import InputError, show, unknown
from tcsim.rules.mechanisms import CONDITIONS, COUNTERS, TARGETS, WITH_MEASURE, WITH_WORDS


@dataclass(frozen=True)
class Condition:
    """When an effect holds.

    Parameters
    ----------
    name : str
        As in the tables of this module.
    turned : bool
        Whether it must not hold.
    words : tuple of str
        Keywords or names, of which one is enough.
    relation, number : str and int
        For a measure: ``<=``, ``>`` or ``=``, and what it is compared with.
    """

    name: str
    turned: bool = False
    words: tuple[str, ...] = ()
    relation: str = ""
    number: int = 0


@dataclass(frozen=True)
class Effect:
    """One special rule.

    Parameters
    ----------
    target : str
        What changes.
    value : str
        By how much (a number with its sign), or to what.
    conditions : tuple of Condition
        All must hold.
    counter : str
        What the value is multiplied by; empty for once.
    most : int or None
        Most that the counter counts for.
    against : bool
        Whether it is about rolls against its bearer.
    aura : str
        ``friends`` or ``enemies`` for whom it holds as for its bearer; empty for the bearer alone.
    inches : int
        How far the aura reaches.
    replaces : str
        The situation whose own DICE it takes the place of; empty for none.
    remark : str
        What stands in brackets besides.
    text : str
        As it is written.
    """

    target: str
    value: str
    conditions: tuple[Condition, ...]
    counter: str
    most: int | None
    against: bool
    aura: str
    inches: int
    replaces: str
    remark: str
    text: str

    @property
    def number(self) -> int | None:
        """The value as a number, where it is one."""
        return int(self.value) if re.fullmatch(r"[+-]?\d+", self.value) else None

    @property
    def options(self) -> dict[str, int]:
        """What a player picks from, with the number that each brings: of ``choose=injury_dice+2|ignore_armour=all``."""
        found = (re.match(r"([a-z_]+)([+-]\d+)?", option) for option in self.value.split("|"))
        return {option[1]: int(option[2] or 0) for option in found if option is not None}


_EFFECT = re.compile(
    r"(?P<target>[a-z0-9_]+)=(?P<value>.+?)"
    r"(?: \((?P<early>[^()]*)\))?"
    r"(?P<against> against it)?(?: (?P<aura>friends|enemies)<=(?P<inches>\d+))?"
    r"(?: if (?P<conditions>.+?))?"
    r"(?: per (?P<counter>[a-z0-9_]+))?"
    r"(?: \((?P<late>[^()]*)\))?"
)
_CONDITION = re.compile(
    r"(?P<turned>not )?(?P<name>[a-z0-9_]+?)(?:\((?P<words>[^()]+)\)|(?P<relation><=|>|=)(?P<number>\d+)(?:mm)?)?"
)


@cache
def read_effects(text: str) -> tuple[Effect, ...]:
    """Read the special rules of a row.

    Parameters
    ----------
    text : str
        Effects, joined by ``;``; may be empty.

    Returns
    -------
    tuple of Effect
        In the order in which they are written.

    Raises
    ------
    InputError
        For what is no effect, or a target, condition or counter that does not exist.

    Examples
    --------
    >>> [effect] = read_effects("injury_dice=+1 if target_keyword(DEMONIC|HERETIC) and not off_hand")
    >>> effect.number, [condition.name for condition in effect.conditions]
    (1, ['target_keyword', 'off_hand'])
    """
    return tuple(_read_effect(part.strip()) for part in text.split(";") if part.strip())


def _read_effect(text: str) -> Effect:
    found = _EFFECT.fullmatch(text)
    if found is None:
        raise InputError(f"{show(text)} is no effect, as injury_dice=+1 if critical is one")
    if found["target"] not in TARGETS:
        raise unknown("effect", found["target"], TARGETS, show(text))
    if found["counter"] and found["counter"] not in COUNTERS:
        raise unknown("counter", found["counter"], COUNTERS, show(text))
    notes = [note for note in (found["early"], found["late"]) if note]
    most = next((int(note[4:]) for note in notes if re.fullmatch(r"max \d+", note)), None)
    replaces = next((note.removeprefix("replaces ") for note in notes if note.startswith("replaces ")), "")
    others = [note for note in notes if not note.startswith(("max ", "replaces "))]
    conditions = tuple(_read_condition(part, text) for part in (found["conditions"] or "").split(" and ") if part)
    return Effect(
        target=found["target"],
        value=found["value"],
        conditions=conditions,
        counter=found["counter"] or "",
        most=most,
        against=found["against"] is not None,
        aura=found["aura"] or "",
        inches=int(found["inches"] or 0),
        replaces=replaces,
        remark="; ".join(others),
        text=text,
    )


def _read_condition(text: str, effect: str) -> Condition:
    found = _CONDITION.fullmatch(text)
    if found is None:
        raise InputError(f"{show(text)} is no condition", show(effect))
    name = found["name"]
    allowed = WITH_WORDS if found["words"] else WITH_MEASURE if found["relation"] else CONDITIONS
    if name not in allowed:
        raise unknown("condition", name, allowed, show(effect))
    relations = {"attack_no": ("=",)}.get(name, ("<=", ">"))
    if found["relation"] and found["relation"] not in relations:
        raise InputError(f"{name} takes {' or '.join(relations)}, {show(text)} is given", show(effect))
    words = tuple(word.strip() for word in (found["words"] or "").split("|") if word.strip())
    number = int(found["number"]) if found["number"] else 0
    return Condition(name, bool(found["turned"]), words, found["relation"] or "", number)


@dataclass(frozen=True)
class Ability:
    """A special rule with a name, of a unit or a warband.

    Parameters
    ----------
    name : str
        As printed.
    price : int or None
        What it costs where it is an option, in ducats; None for one that the unit has anyway.
    effects : tuple of Effect
        What it does.
    """

    name: str
    price: int | None
    effects: tuple[Effect, ...]

    @property
    def text(self) -> str:
        """It as it is written."""
        price = "" if self.price is None else f" ({self.price})"
        return f"{self.name}{price}: {' & '.join(effect.text for effect in self.effects)}"


_ABILITY = re.compile(r"(?P<name>[^:()]+?)(?: \((?P<price>\d+)\))?: (?P<effects>.+)")


@cache
def read_abilities(text: str) -> tuple[Ability, ...]:
    """Read the abilities of a unit.

    Parameters
    ----------
    text : str
        Abilities, joined by ``;``; may be empty.

    Returns
    -------
    tuple of Ability
        In the order in which they are written.

    Raises
    ------
    InputError
        For what is no ability, or an effect that cannot be read.

    Examples
    --------
    >>> [mirage, dash] = read_abilities("Mirage (15): action_dice=-1 against it; Agile: action_dice=+1 if doing(dash)")
    >>> mirage.price, mirage.effects[0].against, dash.price
    (15, True, None)
    """
    return tuple(_read_ability(part.strip()) for part in text.split(";") if part.strip())


def _read_ability(text: str) -> Ability:
    found = _ABILITY.fullmatch(text)
    if found is None:
        raise InputError(f"{show(text)} is no ability, as Agile: action_dice=+1 if doing(dash) is one")
    effects = tuple(_read_effect(part.strip()) for part in found["effects"].split(" & "))
    return Ability(found["name"], int(found["price"]) if found["price"] else None, effects)
