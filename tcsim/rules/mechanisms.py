"""The words of the language of special rules: what an effect can change, when, how often, and whether it is counted.

A new mechanism of the game is a row here and one place where attacks are resolved (:mod:`tcsim.scenario.special`) or
rolled (:class:`tcsim.scenario.problem.Special`). A keyword, weapon or unit that uses these is a row of data.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tcsim.rules.effects import Condition, Effect


class Place(Enum):
    """Where an effect is at work."""

    ATTACK = "in the rolls and results of an attack"
    BESIDE = "beside attacks: other actions, movement, morale, who may act"
    MODEL = "on models other than the target, or on the attacker itself"
    BOARD = "where the positions of models decide"


class Target(NamedTuple):
    """What an effect can change: in words, and where."""

    words: str
    place: Place = Place.ATTACK


_BESIDE, _MODEL, _BOARD = Place.BESIDE, Place.MODEL, Place.BOARD

TARGETS: dict[str, Target] = {
    # rolls
    "action_dice": Target("DICE of the action roll"),
    "characteristic": Target("the characteristic of the action roll"),
    "risky": Target("the action roll is RISKY"),
    "crit_on": Target("the lowest critical"),
    "reroll": Target("failed rolls are rolled again"),
    "injury_dice": Target("injury dice"),
    "injury_modifier": Target("the injury modifier"),
    "injury_keep": Target("how many injury dice count"),
    "injury_set6": Target("one injury die is a 6"),
    "injury_set1": Target("one injury die is a 1"),
    "choose": Target("the player's choice"),
    "ignore_armour": Target("armour is ignored"),
    "defended_obstacle": Target("a defended obstacle"),
    "height": Target("inches that it counts as higher"),
    # results and markers
    "no_injury_roll": Target("no injury roll"),
    "result": Target("the result of the injury roll"),
    "blood_left": Target("blood markers that are left when its out of action is another result"),
    "until": Target("what ends the ability"),
    "blood_extra": Target("further blood markers"),
    "infection_extra": Target("further infection markers"),
    "blood_factor": Target("more markers from the injury roll"),
    "markers_never": Target("no marker is ever placed on it"),
    "first_marker_ignored": Target("the first marker is ignored"),
    "bloodbath_cost": Target("markers of a Bloodbath"),
    "spend_forbidden": Target("markers that cannot be spent"),
    # attacks and keywords
    "shots": Target("the number of attacks"),
    "fight_again": Target("one more Fight ACTION"),
    "extra_attack": Target("one more attack"),
    "keyword": Target("a keyword"),
    "lost_keyword": Target("a keyword it has no longer"),
    "weapon_keyword": Target("a keyword of its weapons"),
    "lost_weapon_keyword": Target("a keyword its weapons have no longer"),
    "ranged_dice": Target("the ranged characteristic"),
    "melee_dice": Target("the melee characteristic"),
    "base_mm": Target("the size of the base"),
    # of the attacker itself and of others
    "self_blood": Target("blood markers on the attacker itself, which only its own later rolls feel", _MODEL),
    "self_blessing": Target("blessing markers on the attacker itself, which only its own later rolls feel", _MODEL),
    "self_result": Target("what becomes of the attacker itself, so that it makes no attack after this one", _MODEL),
    "counter_blood": Target("a blood marker on a model that charged it", _MODEL),
    "reaction": Target("DICE of the attack, where an action roll of its own against it is a success"),
    "blessing": Target("blessing markers, by other than attacks", _BESIDE),
    "blood": Target("blood markers, by other than attacks", _BESIDE),
    "infection": Target("infection markers, by other than attacks", _BESIDE),
    "redirect": Target("another model takes the hit, to be asked with it as the target", _BOARD),
    # where models stand
    "chain": Target("the hit goes on to another model, to be asked as an attack on it", _BOARD),
    "only_if": Target("which models can be attacked", _BESIDE),
    "targets": Target("which models several attacks can be aimed at", _BESIDE),
    "targets_within": Target("which models several attacks can be aimed at", _BESIDE),
    "min_range": Target("the least range", _BESIDE),
    "area": Target("the models in an area", _BESIDE),
    "blast_in": Target("the size of a blast", _BESIDE),
    "delayed": Target("when it goes off", _BESIDE),
    "push": Target("the target is moved", _BESIDE),
    "no_melee_randomise": Target("shooting into melee", _BESIDE),
    "only_with": Target("what it goes with", _BESIDE),
    # beside attacks
    "attack": Target("an attack of its own, to be asked by its weapon", _BESIDE),
    "shoot_actions": Target("several Shoot ACTIONS, to be asked as several attacks", _BESIDE),
    "starts_down": Target("the wearer begins Down", _BESIDE),
    "active": Target("when it works", _BESIDE),
    "test": Target("an action roll of its own", _BESIDE),
    "charge_dice": Target("the dice of a charge", _BESIDE),
    "charge": Target("whom it may or must charge", _BESIDE),
    "morale_dice": Target("DICE of the morale check", _BESIDE),
    "movement": Target("its movement", _BESIDE),
    "retreat": Target("retreating, and attacks for it", _BESIDE),
    "standing": Target("who may stand up", _BESIDE),
    "deploy": Target("its deployment", _BESIDE),
    "activation": Target("the order of activations", _BESIDE),
    "kit": Target("what it may carry", _BESIDE),
    "targeting": Target("whom it may attack, or who may attack it", _BESIDE),
    "leaves_play": Target("when it leaves play", _BESIDE),
}


class When(NamedTuple):
    """A condition or counter: the field of a scenario that says it, empty for what is known; None: cannot be said."""

    field: str | None = ""


_NEVER = When(None)

#: Conditions that stand alone.
CONDITIONS: dict[str, When] = {
    **dict.fromkeys(("hit", "critical", "target_down", "melee", "ranged", "grenade", "off_hand"), When()),
    **dict.fromkeys(("short_range", "long_range", "elevated", "target_cover"), When()),
    **dict.fromkeys(("target_armoured", "target_armour_not_shield", "target_wears_armour"), When()),
    **dict.fromkeys(("charging", "attacker_charged"), When("charging")),
    "attacker_behind_obstacle": When("behind_obstacle"),
    **dict.fromkeys(("direct", "not_direct"), When("indirect")),
    "target_obstacle_from_blast": When("blast_obstacle"),
    "target_not_activated": When("not_activated"),
    "friend_within_1in": When("friends"),
    "target_retreating": When("retreating"),
    "prepared": When("prepared"),
    "fellow_hit": When("fireteam"),
    # of results within the attack, where the engines carry them
    **dict.fromkeys(("attack1_hit", "all_hit", "same_target", "target_down_or_ooa", "result_minor"), When()),
    **dict.fromkeys(("bloodbath", "blood_placed", "infection_placed", "marker_placed"), When()),
    # what is not counted
    **dict.fromkeys(("not_ooa", "armour_ignored", "friend_ooa", "consumed_at_deployment"), _NEVER),
}
#: Conditions that take keywords or names in brackets.
WITH_WORDS: dict[str, When] = {
    **dict.fromkeys(("target_keyword", "attack_keyword", "attacker_keyword", "bearer_keyword", "weapon"), When()),
    "attacker_unit": When(),
    "doing": _NEVER,
}
#: Conditions that compare a measure.
WITH_MEASURE: dict[str, When] = {
    "range": When("distance"),
    "attack_no": When(),
    "target_base": When("base_mm"),
    "paid": When("paid"),
    "own_blood": When(),
}
#: What a value is multiplied by.
COUNTERS: dict[str, When] = {
    "friend_within_3in": When("friends"),
    "friend_within_1in_of_target": When("friends"),
    "friend_fighting_target": When("friends"),
    "target_negative_modifier": When(),
    "target_blood": When(),
    "own_blood": When("blood"),
    "paid": When("paid"),
    "2_paid": When("paid"),
    "2_infection_removed": _NEVER,
}

#: Conditions about what happens in the attack itself, and the targets whose effects can depend on them.
_IN_THE_ATTACK: dict[str, frozenset[str]] = {
    "critical": frozenset({"injury_dice", "injury_modifier", "ignore_armour"}),
    "target_down": frozenset({"action_dice", "injury_dice", "injury_modifier", "ignore_armour", "bloodbath_cost"}),
    "attack_no": frozenset({"action_dice", "result", "weapon_keyword"}),
    "all_hit": frozenset({"result"}),
    "same_target": frozenset({"result"}),
    "result_minor": frozenset({"result"}),
    "attack1_hit": frozenset({"shots"}),
    "target_down_or_ooa": frozenset({"fight_again"}),
    "bloodbath": frozenset({"injury_keep"}),
    "fellow_hit": frozenset({"bloodbath_cost"}),
    "own_blood": frozenset({"result"}),
    **dict.fromkeys(("blood_placed", "infection_placed", "marker_placed"), frozenset({"infection_extra"})),
}

#: Results that become others, and with which remarks: how often, or when.
_BECOMES: dict[str, frozenset[str]] = {
    "out_of_action->no_effect": frozenset({"once"}),
    "out_of_action->down": frozenset({"once", "three times", "then unless by a Bloodbath"}),
    "down->no_effect": frozenset({"once"}),
    "down->minor_hit": frozenset({"", "once"}),
    "tough->no_effect": frozenset({"once"}),
    "minor_hit->down": frozenset({""}),
}

#: What an effect's value may be, where it is no number.
_VALUES: dict[str, str] = {
    "shots": r"[+-]\d+|per_enemy\w*",
    "crit_on": r"\d+|12-target_blood",
    "characteristic": r"none|ranged|melee|(best|choose)\(ranged\|melee\)",
    "choose": r"(injury_dice\+\d+|ignore_armour=all|\|)+",
    "ignore_armour": "all|worn",
    "result": "|".join(["down", "down_no_marker", "ooa", *_BECOMES]),
    "until": "out_of_action",
    "spend_forbidden": "blood_on_action|blood_on_injury",
    "reroll": "failed|failed_but_for_1",
    **dict.fromkeys(("keyword", "lost_keyword", "weapon_keyword", "lost_weapon_keyword"), ".+"),
}
_NUMBERS = frozenset(
    {"action_dice", "injury_dice", "injury_modifier", "injury_keep", "injury_set6", "blood_extra", "infection_extra"}
    | {"blood_factor", "markers_never", "first_marker_ignored", "bloodbath_cost", "fight_again", "risky", "height"}
    | {"no_injury_roll", "ranged_dice", "melee_dice", "base_mm", "defended_obstacle", "reaction", "blood_left"}
)
#: Those that are added to what is there; without a sign and a condition they would take its place.
_ADDED = frozenset({"injury_dice", "injury_modifier"})
#: Those that hold always or not at all.
_UNCONDITIONAL = frozenset(
    {"characteristic", "choose", "no_injury_roll", "blood_factor", "lost_keyword", "markers_never", "height"}
    | {"first_marker_ignored", "ranged_dice", "melee_dice", "base_mm", "blood_left", "until"}
)


def is_counted(effect: Effect) -> bool:
    """Whether attacks are resolved with an effect.

    Parameters
    ----------
    effect : Effect
        Of a weapon, of armour, or of a model.

    Returns
    -------
    bool
        False for what changes no attack, and for what the engines cannot carry.

    Examples
    --------
    >>> from tcsim.rules.effects import read_effects
    >>> [is_counted(effect) for effect in read_effects("injury_dice=+1 if target_down; redirect=friend")]
    [True, False]
    """
    if TARGETS[effect.target].place is not Place.ATTACK or COUNTERS.get(effect.counter, When()).field is None:
        return False
    if effect.target in _NUMBERS:
        replaces = effect.target in _ADDED and effect.value[0] not in "+-" and not effect.conditions
        if effect.number is None or (replaces and not takes_the_place(effect)):
            return False
    elif re.fullmatch(_VALUES.get(effect.target, "(?!)"), effect.value) is None:
        return False
    if effect.counter == "target_blood" and effect.target != "injury_modifier":
        return False
    if effect.target in _UNCONDITIONAL and any(condition.name != "bearer_keyword" for condition in effect.conditions):
        return False
    if effect.target == "keyword" and "prepared" in fields_asked(effect):
        return False
    if effect.target == "result" and "->" in effect.value:  # what the target is: always, or the first time
        told = all(_becomes_if(effect, condition) for condition in effect.conditions)
        return told and how_often(effect) in _BECOMES[effect.value]
    if effect.target == "weapon_keyword" and any(condition.name == "attack_no" for condition in effect.conditions):
        return effect.value == "AUTO-HIT"  # others would change more than how a single attack is rolled
    return all(_can_tell(effect.target, condition) for condition in effect.conditions)


def _becomes_if(effect: Effect, condition: Condition) -> bool:
    """Whether a condition of a result that becomes another is told apart: what is paid, and being unhurt."""
    if condition.turned:
        return False
    if condition.name == "own_blood":
        return effect.value == "down->minor_hit" and (condition.relation, condition.number) == ("<=", 0)
    return condition.name == "paid" and condition.relation == ">"


def asks_fellow(effect: Effect) -> bool:
    """Whether an effect depends on what the other model of a fireteam has hit.

    Parameters
    ----------
    effect : Effect
        Any.

    Returns
    -------
    bool
        Whether it does.

    Examples
    --------
    >>> from tcsim.rules.effects import read_effects
    >>> asks_fellow(read_effects("bloodbath_cost=-3 if fellow_hit and not target_down")[0])
    True
    """
    return any(condition.name == "fellow_hit" for condition in effect.conditions)


def takes_the_place(effect: Effect) -> bool:
    """Whether an effect is the injury modifier of a model in place of the one in its profile.

    Parameters
    ----------
    effect : Effect
        Any.

    Returns
    -------
    bool
        True for a modifier without a sign, against its bearer and on no condition.

    Examples
    --------
    >>> from tcsim.rules.effects import read_effects
    >>> [takes_the_place(one) for one in read_effects("injury_modifier=0 against it; injury_modifier=-1 against it")]
    [True, False]
    """
    always = effect.against and not effect.conditions and not effect.counter and not effect.aura
    return effect.target == "injury_modifier" and always and effect.value[0] not in "+-"


def how_often(effect: Effect) -> str:
    """Give how often, or when, a result becomes another one: the part of the remark before a comma.

    Parameters
    ----------
    effect : Effect
        Any.

    Returns
    -------
    str
        As ``once``; empty for always.

    Examples
    --------
    >>> from tcsim.rules.effects import read_effects
    >>> how_often(read_effects("result=down->no_effect (once, whatever made it)")[0])
    'once'
    """
    return effect.remark.split(",")[0]


def _can_tell(target: str, condition: Condition) -> bool:
    """Whether a condition is known, or stands where the engines can tell its cases apart."""
    name = condition.name
    if _when(condition).field is None:
        return False
    if name in _IN_THE_ATTACK:
        if target == "bloodbath_cost" and name == "target_down":
            return condition.turned
        return target in _IN_THE_ATTACK[name] and (name == "target_down" or not condition.turned)
    return True


def left_out(effect: Effect) -> str:
    """Say what of an effect an answer about a target leaves out.

    Parameters
    ----------
    effect : Effect
        Any.

    Returns
    -------
    str
        Words, and the effect; empty where nothing is left out.

    Examples
    --------
    >>> from tcsim.rules.effects import read_effects
    >>> [left_out(effect) for effect in read_effects("movement=+2; delayed=1; injury_set1=1 (once each turn)")]
    ['', '', 'one injury die is a 1 (injury_set1=1 (once each turn))']
    """
    target = TARGETS[effect.target]
    other_action = any(condition.name == "doing" and not condition.turned for condition in effect.conditions)
    if target.place is Place.BESIDE or other_action or is_counted(effect):
        return ""
    return f"{target.words} ({effect.text})"


def asks(effect: Effect) -> str:
    """Say what an effect asks for that only the table knows.

    Parameters
    ----------
    effect : Effect
        Any.

    Returns
    -------
    str
        The field of a scenario and the effect; empty where it asks for nothing of the kind.

    Examples
    --------
    >>> from tcsim.rules.effects import read_effects
    >>> [asks(effect) for effect in read_effects("action_dice=+1 per friend_within_3in; injury_dice=+1")]
    ['friends, for action_dice=+1 per friend_within_3in', '']
    """
    if not is_counted(effect):
        return ""
    asked = sorted(fields_asked(effect) & _ONLY_THE_TABLE_KNOWS)
    return f"{' and '.join(asked)}, for {effect.text}" if asked else ""


_ONLY_THE_TABLE_KNOWS = frozenset({"friends", "paid", "prepared"})


def fields_asked(effect: Effect) -> set[str]:
    """Give the fields of a scenario that say whether, or how often, an effect holds.

    Parameters
    ----------
    effect : Effect
        Any.

    Returns
    -------
    set of str
        Names of fields.

    Examples
    --------
    >>> from tcsim.rules.effects import read_effects
    >>> sorted(fields_asked(read_effects("action_dice=+1 if charging per friend_within_3in")[0]))
    ['charging', 'friends']
    """
    asked = {COUNTERS[effect.counter].field or ""} if effect.counter else set()
    return {field for field in asked | {field_of(condition) for condition in effect.conditions} if field}


def field_of(condition: Condition) -> str:
    """Give the field of a scenario that says whether a condition holds.

    Parameters
    ----------
    condition : Condition
        Any.

    Returns
    -------
    str
        A name; empty where it is known without one.

    Examples
    --------
    >>> from tcsim.rules.effects import read_effects
    >>> [field_of(condition) for condition in read_effects("injury_dice=+1 if charging and target_down")[0].conditions]
    ['charging', '']
    """
    return _when(condition).field or ""


def _when(condition: Condition) -> When:
    return (WITH_WORDS if condition.words else WITH_MEASURE if condition.relation else CONDITIONS)[condition.name]
