"""What a special rule of a user's own row may say, beyond what the language of effects can read.

The rows of ``data/`` are looked through by people and tests; these here are not, so numbers get limits, and what nothing
would ever read is refused.
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
    "risky": (1, 1, False),
    "defended_obstacle": (1, 1, False),
}
#: Words that such a target, or another, takes.
_WORDS = {
    "injury_dice": ("0",),  # on a critical, in the place of its own dice
    "shots": ("per_enemy_in_melee", "per_enemy_within_1in"),
    "blood_extra": ("+n",),
    "characteristic": ("ranged", "melee", "none", "best(ranged|melee)", "choose(ranged|melee)"),
}
_CHOICE = r"injury_dice\+\d\|ignore_armour=all|ignore_armour=all\|injury_dice\+\d"


def check_effect(effect: Effect, rules: Edition) -> None:
    """Look at a special rule.

    Parameters
    ----------
    effect : Effect
        As read.
    rules : Edition
        Whose keywords and situations it may name.

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
    if effect.target == "keyword":
        rules.keyword(effect.value, "attack", where)
    for condition in effect.conditions:
        for word in condition.words:
            if word not in rules.keywords:
                raise unknown(f"keyword in {rules.id}", word, rules.keywords, where)
    if effect.replaces and effect.replaces not in rules.modifiers:
        raise unknown("situation to replace", effect.replaces, rules.modifiers, where)
    if effect.remark not in ("", "not ignorable", "floor"):
        raise InputError(f"({effect.remark}) is given, what is allowed in brackets is not ignorable or max 3", where)
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
            allowed = f"+{max(low, 1)} to +{high}" + (f" or -1 to {low}" if low < 0 else "") + ", with its sign,"
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
