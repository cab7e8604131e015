"""The language in which the catalogue says special rules: what changes, by how much, and when.

An effect is ``TARGET=VALUE (REMARK) if CONDITION and not CONDITION per COUNTER (max N)``; effects are joined by ``;``.
The tables below say what may stand where; text is read once, and what is not in the tables is an error that tells its
place. Whether a condition holds is found where an attack is resolved (:mod:`tcsim.scenario.special`).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from tcsim.base.errors import InputError, show, unknown

#: What an effect can change, and what that is in words.
TARGETS: dict[str, str] = {
    "action_dice": "DICE of the action roll",
    "injury_dice": "injury dice",
    "injury_modifier": "the injury modifier",
    "injury_keep": "how many injury dice count",
    "injury_set6": "one injury die is a 6",
    "crit_on": "the lowest critical",
    "aura3_friend_crit_on": 'the lowest critical of friends within 3"',
    "characteristic": "the characteristic of the action roll",
    "risky": "the action roll is RISKY",
    "keyword": "a keyword of the attack",
    "shots": "the number of attacks",
    "fight_again": "one more Fight ACTION",
    "shoot_actions": "several Shoot ACTIONS",
    "choose": "the player's choice",
    "blood_extra": "further blood markers",
    "infection_extra": "further infection markers",
    "blood_factor": "more blood markers from the injury roll",
    "counter_blood": "a blood marker on a model that charged it",
    "self_blood": "blood markers on the attacker itself",
    "self_blessing": "blessing markers on the attacker itself",
    "no_injury_roll": "no injury roll",
    "result": "the result of the injury roll",
    "self_result": "what becomes of the attacker itself",
    "chain": "the hit goes on to another model",
    "only_if": "which models can be attacked",
    "targets": "which models several attacks can be aimed at",
    "targets_within": "which models several attacks can be aimed at",
    "min_range": "the least range",
    "area": "the models in an area",
    "blast_in": "the size of a blast",
    "delayed": "when it goes off",
    "push": "the target is moved",
    "no_melee_randomise": "shooting into melee",
    # of armour and other kit
    "blessing": "blessing markers",
    "extra_attack": "one more attack",
    "reaction_ranged": "a roll against ranged attacks",
    "own_ranged_action_dice": "DICE of the wearer's ranged attacks",
    "defended_obstacle": "a defended obstacle",
    "active": "when it works",
    "only_with": "what it goes with",
    "starts_down": "the wearer begins Down",
    "height": "elevation",
}

#: Conditions, and whether a scenario can say beforehand that they hold.
CONDITIONS: dict[str, bool] = {
    **dict.fromkeys(("hit", "critical", "target_down", "melee", "off_hand", "charging", "attacker_charged"), True),
    **dict.fromkeys(
        ("short_range", "long_range", "elevated", "attacker_behind_obstacle", "direct", "not_direct"), True
    ),
    **dict.fromkeys(("target_not_activated", "target_cover", "target_obstacle_from_blast"), True),
    **dict.fromkeys(("target_armoured", "target_armour_not_shield", "target_wears_armour"), True),
    **dict.fromkeys(("attack1_hit", "all_hit", "same_target", "target_down_or_ooa", "not_ooa", "result_minor"), False),
    **dict.fromkeys(("blood_placed", "infection_placed", "marker_placed", "bloodbath", "armour_ignored"), False),
    **dict.fromkeys(("friend_is_thrall", "friend_ooa", "consumed_at_deployment"), False),
}
#: Those that take keywords in brackets, and those that compare a measure.
WITH_KEYWORDS = frozenset({"target_keyword", "attack_keyword"})
WITH_MEASURE = frozenset({"range", "attack_no", "target_base"})
#: Counters, and whether a scenario can say beforehand what they come to.
COUNTERS = {
    "friend_within_3in": True,
    "target_negative_modifier": True,
    "target_blood": False,
    "2_infection_removed": False,
}


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
        Keywords, of which one is enough.
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
    r"(?: \((?P<early>replaces [a-z_]+|not ignorable|floor|[0-9.]+)\))?"
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
        found["target"], found["value"], conditions, found["counter"] or "", most, replaces, "; ".join(others), text
    )


def _read_condition(text: str, effect: str) -> Condition:
    found = _CONDITION.fullmatch(text)
    if found is None:
        raise InputError(f"{show(text)} is no condition", show(effect))
    name = found["name"]
    allowed = WITH_KEYWORDS if found["words"] else WITH_MEASURE if found["relation"] else CONDITIONS
    if name not in allowed:
        raise unknown("condition", name, allowed, show(effect))
    relations = {"attack_no": ("=",)}.get(name, ("<=", ">"))
    if found["relation"] and found["relation"] not in relations:
        raise InputError(f"{name} takes {' or '.join(relations)}, {show(text)} is given", show(effect))
    words = tuple(word.strip() for word in (found["words"] or "").split("|") if word.strip())
    number = int(found["number"]) if found["number"] else 0
    return Condition(name, bool(found["turned"]), words, found["relation"] or "", number)


#: Effects that change no roll against the target that was named: they move models, or say which can be attacked.
BEYOND = frozenset(
    {"chain", "only_if", "targets", "targets_within", "min_range", "area", "blast_in", "delayed", "push"}
)
BEYOND |= {"no_melee_randomise", "only_with"}

_COUNTED = ("action_dice", "injury_dice", "injury_modifier", "injury_keep", "shots", "keyword", "blood_extra")


def is_counted(effect: Effect) -> bool:
    """Whether attacks are resolved with an effect: it changes a roll, by what a scenario can say beforehand.

    Parameters
    ----------
    effect : Effect
        Of a weapon, or of armour.

    Returns
    -------
    bool
        False for what depends on earlier results or on markers, and for what changes other rolls.

    Examples
    --------
    >>> [is_counted(effect) for effect in read_effects("injury_dice=+1 if target_down; injury_dice=+1 if bloodbath")]
    [True, False]
    """
    if effect.target in ("risky", "characteristic", "choose"):
        return not effect.conditions
    if effect.target == "defended_obstacle":
        return [condition.name for condition in effect.conditions] == ["attacker_charged"]
    if effect.target not in _COUNTED or not COUNTERS.get(effect.counter, True) or not _can_turn(effect):
        return False
    if effect.target == "shots" and effect.value.startswith("per_enemy"):
        return True  # one against each enemy, so one against the target
    known = all(CONDITIONS.get(condition.name, True) for condition in effect.conditions)
    return known and (effect.target == "keyword" or effect.number is not None)


def _can_turn(effect: Effect) -> bool:
    """Whether conditions that differ from roll to roll stand where the engines can tell them apart."""
    names = {condition.name: condition.turned for condition in effect.conditions}
    if "critical" in names:
        return effect.target in ("injury_dice", "injury_modifier") and not names["critical"]
    if "target_down" in names:
        return effect.target in ("action_dice", "injury_dice", "injury_modifier")
    if "attack_no" in names:
        return effect.target == "action_dice" and not names["attack_no"]
    return True
