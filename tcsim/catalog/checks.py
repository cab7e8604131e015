"""What a special rule of a user's own row may say, beyond what the language of effects can read.

The rows of ``data/`` are looked through by people and tests; these here are not, so numbers get limits, and what
nothing would ever read is refused.
"""

from __future__ import annotations

import re

from tcsim.base.errors import InputError, show, unknown
from tcsim.rules import Edition
from tcsim.rules.effects import Effect

#: Targets whose value is a number: least, most, and whether it needs its sign, as it is added.
_NUMBERS = {
    "action_dice": (-10, 10, True),
    "injury_dice": (-10, 10, True),
    "injury_modifier": (-10, 10, True),
    "injury_keep": (1, 4, False),
    "shots": (-10, 10, True),
    "blood_extra": (1, 3, True),
    "min_range": (1, 200, False),
    "infection_extra": (1, 3, True),
    "blood_factor": (2, 3, False),
    "crit_on": (8, 12, False),
    "bloodbath_cost": (-5, -1, True),
    "ranged_dice": (-10, 10, True),
    "melee_dice": (-10, 10, True),
    "height": (1, 48, True),
    "base_mm": (10, 300, False),
    **dict.fromkeys(("risky", "defended_obstacle", "injury_set6", "no_injury_roll", "markers_never"), (1, 1, False)),
    **dict.fromkeys(("first_marker_ignored", "fight_again"), (1, 1, False)),
}
#: Words that such a target, or another, takes.
_WORDS = {
    "injury_dice": ("0",),  # in the place of other dice
    "injury_modifier": ("0",),
    "shots": ("per_enemy_in_melee", "per_enemy_within_1in"),
    "blood_extra": ("+n",),
    "infection_extra": ("+n",),
    "crit_on": ("12-target_blood",),
    "ignore_armour": ("all", "worn"),
    "reroll": ("failed", "failed_but_for_1"),
    "characteristic": ("ranged", "melee", "none", "best(ranged|melee)", "choose(ranged|melee)"),
}
_CHOICE = r"injury_dice\+\d\|ignore_armour=all|ignore_armour=all\|injury_dice\+\d"


def check_effect(effect: Effect, rules: Edition, place: str = "attack") -> None:
    """Look at a special rule.

    Parameters
    ----------
    effect : Effect
        As read.
    rules : Edition
        Whose keywords and situations it may name.
    place : str, optional
        ``attack`` for the rules of a weapon, ``model`` for those of armour and units.

    Raises
    ------
    InputError
        For a number out of its limits, or a keyword, situation or remark that does not exist.

    Examples
    --------
    >>> from tcsim.rules import edition
    >>> from tcsim.rules.effects import read_effects
    >>> check_effect(read_effects("injury_dice=2")[0], edition("1.6.3"))
    Traceback (most recent call last):
    ...
    tcsim.base.errors.InputError: "injury_dice=2": "2" is given, +1 to +10 or -1 to -10, with its sign, or 0 is allowed
    """
    where = show(effect.text)
    if re.search(r"\d{5}", effect.text):
        raise InputError("a number of more than four digits is given", where)
    _check_value(effect, where)
    if effect.target in ("keyword", "lost_keyword"):
        rules.keyword(effect.value, place, where)
    if effect.target in ("weapon_keyword", "lost_weapon_keyword"):
        rules.keyword(effect.value, "attack", where)
    for condition in effect.conditions:
        for word in condition.words if condition.name.endswith("_keyword") else ():
            if word not in rules.keywords:
                raise unknown(f"keyword in {rules.id}", word, rules.keywords, where)
    if effect.replaces and effect.replaces not in rules.modifiers:
        raise unknown("situation to replace", effect.replaces, rules.modifiers, where)
    if re.match(r"m\w*\W*\d", effect.remark):
        raise InputError(f"({effect.remark}) is given; what a counter counts for at most is written (max 3)", where)
    if effect.target == "shots" and effect.counter and effect.most is None:
        raise InputError(f"a number of attacks by {effect.counter} needs its most, as (max 3)", where)


def _check_value(effect: Effect, where: str) -> None:
    words = _WORDS.get(effect.target, ())
    if effect.value in words:
        return
    if effect.target == "choose" and not re.fullmatch(_CHOICE, effect.value):
        raise InputError(f"{show(effect.value)} is given, injury_dice+2|ignore_armour=all is allowed", where)
    if effect.target in _NUMBERS:
        low, high, signed = _NUMBERS[effect.target]
        number = effect.number
        plain = number is not None and low <= number <= high and (effect.value[0] in "+-") == signed
        if plain and not (signed and number == 0):
            return
        allowed = f"{low} to {high}" if low < high else str(low)
        if signed:
            up = f"+{max(low, 1)} to +{high}" if high > 0 else ""
            allowed = " or ".join(filter(None, (up, f"-1 to {low}" if low < 0 else ""))) + ", with its sign,"
        raise InputError(f"{show(effect.value)} is given, {' or '.join((allowed, *words))} is allowed", where)
    if words:
        raise InputError(f"{show(effect.value)} is given, {', '.join(words)} is allowed", where)


def check_shots(shots: int, effects: tuple[Effect, ...]) -> None:
    """Look at the number of attacks that a weapon and its special rules come to.

    Parameters
    ----------
    shots : int
        Of the row.
    effects : tuple of Effect
        Its special rules, each looked at.

    Raises
    ------
    InputError
        When it can be below 1 or above 20.
    """
    more = [(e.number or 0) * ((e.most or 1) if e.counter else 1) for e in effects if e.target == "shots"]
    low, high = shots + sum(n for n in more if n < 0), shots + sum(n for n in more if n > 0)
    if low < 1 or high > 20:
        raise InputError(f"shots and conditions come to {low if low < 1 else high} attacks, 1 to 20 are allowed")
