"""Attacks of a unit: damage, models slain, what commands change; critical abilities beside each other; wards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.aos.editions import FOURTH
from tcsim.aos.fights.inputs import (
    HIT_MOD,
    MODIFIERS,
    READINGS,
    SAVE_MOD,
    TARGET,
    WEAPON,
    WEAPONS,
    check_most,
    check_target,
    check_weapons,
    fight_of,
)
from tcsim.aos.fights.sequence import CRITS, through
from tcsim.aos.fights.told import (
    DEALT,
    POINTS,
    at_least,
    at_least_rolled,
    dealt,
    dealt_rolled,
    exactly,
    exactly_rolled,
    rare,
)
from tcsim.aos.fights.weapons import DAMAGE, Fight, Needed
from tcsim.aos.spread import Spread
from tcsim.base.lang import mark
from tcsim.questions.kinds import Whole, Word
from tcsim.questions.question import Answer, Asked, Input, Question, family, once

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: Commands around an attack, and what they change: of the attacker's hit rolls, of the target's saves.
COMMANDS: Mapping[str, Mapping[str, int]] = {
    "none": {},
    "all_out_attack": {"hit": 1},
    "all_out_defence": {"save": 1},
    "both": {"hit": 1, "save": 1},
    "covering_fire": {"hit": -1},
}

_COMMAND = Input(
    "command",
    Word(
        {
            "none": "",
            "all_out_attack": mark("+1 to hit"),
            "all_out_defence": mark("+1 to the target's saves"),
            "both": mark("the attacker uses the first, the target the second"),
            "covering_fire": mark("-1 to hit, in the enemy's shooting phase"),
        }
    ),
    mark("Commands that are used"),
    default="none",
    editions=FOURTH,
)

#: Names of commands, as the source has them.
_NAMES = {
    "all_out_attack": "All-out Attack",
    "all_out_defence": "All-out Defence",
    "both": mark("All-out Attack and All-out Defence"),
    "covering_fire": "Covering Fire",
}

#: What the attack sequence is, in a line.
SEQUENCE = mark(
    "An attack rolls to hit, its hits to wound (natural 1s fail, natural 6s succeed, modifiers are held to -1 and +1), "
    "the target rolls saves less rend (natural 1s fail, modifiers are held to +1) and a ward for each point of damage. "
    "Damage goes to one model until it is slain, then to the next."
)
_SOURCES = {
    **dict.fromkeys(("3e_launch", "3e"), "core rules of the third edition, attack sequence"),
    **dict.fromkeys(FOURTH, "core rules of the fourth edition, attack sequence, weapon abilities, ward"),
}


def _check(asked: Asked) -> None:
    check_weapons(asked)
    check_target(asked)


# --- attack ---------------------------------------------------------------------------------------------------


def _fights(asked: Asked) -> dict[str, Fight]:
    """The fight with each command, and as it is asked for under ``""``."""
    plain = fight_of(asked, asked["hit_mod"], asked["save_mod"])
    if asked["command"] is None:  # the third edition has other commands
        return {"": plain}
    fights = {name: plain.changed(**change) for name, change in COMMANDS.items()}
    return {"": fights[asked["command"]]} | fights


@once
def _damage(asked: Asked) -> Spread:
    return _fights(asked)[""].damage()


def _attack(asked: Asked) -> dict[str, Fraction]:
    fights = _fights(asked)
    answers = dealt(asked, _damage(asked))
    return answers | family(
        "change", {name: fights[name].mean() - fights["none"].mean() for name in _NAMES if name in fights}
    )


def _attack_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    from tcsim.aos.fights.rolled import fought

    fights = _fights(asked)
    answers = dealt_rolled(asked, _damage(asked), fought(fights[""], dice, trials))
    if "none" in fights:
        usual = fought(fights["none"], dice, trials)
        answers |= family("change", {name: fought(fights[name], dice, trials) - usual for name in _NAMES})
    return answers


ATTACK = Question(
    name="attack",
    inputs=(*WEAPON, WEAPONS, *TARGET, _COMMAND, HIT_MOD, SAVE_MOD, *MODIFIERS, *READINGS),
    answers=(*DEALT, Answer("change", mark("damage that a command adds, or takes"), POINTS, True, _NAMES)),
    exact=_attack,
    simulate=_attack_rolled,
    check=_check,
    rule=SEQUENCE,
    source=_SOURCES,
    examples=(
        "attacks=10 hit=3 wound=3 rend=1 save=4",
        "attacks=8 hit=3 wound=3 rend=1 dmg=D3 save=4 models=5 health=2",
        "weapons=10x3+/3+/-1/1/2hits,2D6x4+/2+/-2/D3 save=4 ward=5 models=10 health=2",
    ),
    notes=lambda asked: rare(_damage(asked)),
)


# --- crit -----------------------------------------------------------------------------------------------------


def _by_crit(asked: Asked) -> dict[str, Fight]:
    plain = fight_of(asked, asked["hit_mod"], asked["save_mod"])
    return {
        crit: replace(plain, weapons=tuple(replace(one, crit=crit) for one in plain.weapons))
        for crit in (asked["crit"], *CRITS)
    }


@once
def _crit_damage(asked: Asked) -> Spread:
    return _by_crit(asked)[asked["crit"]].damage()


def _crit(asked: Asked) -> dict[str, Fraction]:
    plain = {crit: fight.mean() for crit, fight in _by_crit(asked).items()}
    gains = {crit: fight.changed(hit=1).mean() - plain[crit] for crit, fight in _by_crit(asked).items()}
    return {
        **dealt(asked, _crit_damage(asked)),
        "gain": gains[asked["crit"]],
        **family("with", {crit: plain[crit] for crit in CRITS}),
        **family("gains", {crit: gains[crit] for crit in CRITS}),
    }


def _crit_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    from tcsim.aos.fights.rolled import fought

    rolled = {
        crit: (fought(fight, dice, trials), fought(fight.changed(hit=1), dice, trials))
        for crit, fight in _by_crit(asked).items()
    }
    plain, better = rolled[asked["crit"]]
    return {
        **dealt_rolled(asked, _crit_damage(asked), plain),
        "gain": better - plain,
        **family("with", {crit: rolled[crit][0] for crit in CRITS}),
        **family("gains", {crit: rolled[crit][1] - rolled[crit][0] for crit in CRITS}),
    }


def _check_crit(asked: Asked) -> None:
    _check(asked)
    check_most(tuple(replace(one, crit="2hits") for one in fight_of(asked).weapons))


CRIT = Question(
    name="crit",
    inputs=(*WEAPON, *TARGET, HIT_MOD, SAVE_MOD, *MODIFIERS, *READINGS),
    answers=(
        *DEALT[:1],
        Answer("gain", mark("damage that All-out Attack adds, on average"), POINTS),
        *DEALT[1:],
        Answer("with", mark("damage with each critical ability"), POINTS, True, CRITS),
        Answer("gains", mark("damage that All-out Attack adds with each"), POINTS, True, CRITS),
    ),
    exact=_crit,
    simulate=_crit_rolled,
    check=_check_crit,
    rule=mark(
        "A critical hit is a natural 6 to hit. Crit (2 Hits): it is two hits. Crit (Auto-wound): it needs no wound "
        "roll. Crit (Mortal): it does mortal damage equal to the weapon's Damage, with no wound roll and no save, but "
        "wards are rolled. No +1 to hit makes more of them, so All-out Attack adds as much whatever they do."
    ),
    source=_SOURCES,
    examples=("attacks=6 hit=4 wound=4 rend=1 dmg=2 save=4", "attacks=6 hit=4 wound=4 rend=1 dmg=2 save=4 crit=mortal"),
    notes=lambda asked: rare(_crit_damage(asked)),
    editions=FOURTH,
)


# --- ward -----------------------------------------------------------------------------------------------------


def _through(asked: Asked) -> Spread:
    return through(asked["dmg"], asked["ward"]).times(asked["times"])  # added up last: the sum is long


def _ward(asked: Asked) -> dict[str, Fraction]:
    spread = _through(asked)
    return {
        "any": spread.at_least(1),
        "damage": spread.mean(),
        "prevented": Spread.rolled(asked["dmg"]).mean() * asked["times"] - spread.mean(),
        **exactly("exactly", spread),
        **at_least("at_least", spread),
    }


def _ward_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    from tcsim.aos.fights import rolled

    dealt = rolled.amount(asked["dmg"], dice, trials * asked["times"]).reshape(trials, -1).sum(axis=1)
    left = rolled.warded(dealt, asked["ward"], dice)
    spread = _through(asked)
    return {
        "any": left > 0,
        "damage": left,
        "prevented": dealt - left,
        **exactly_rolled("exactly", spread, left),
        **at_least_rolled("at_least", spread, left),
    }


WARD = Question(
    name="ward",
    inputs=(
        Input("dmg", DAMAGE, mark("Damage that is not saved, or mortal damage"), default=1),
        Input("times", Whole(1, 30), mark("How often there is so much of it"), default=1),
        Input("ward", Needed(2, none=True), mark("The ward, rolled for each point of damage"), required=True),
    ),
    answers=(
        Answer("any", mark("some damage gets through")),
        Answer("damage", mark("damage that gets through, on average"), POINTS),
        Answer("prevented", mark("damage that is warded off, on average"), POINTS),
        Answer("exactly", mark("damage is exactly"), family=True),
        Answer("at_least", mark("damage is at least"), family=True),
    ),
    exact=_ward,
    simulate=_ward_rolled,
    rule=mark("A D6 is rolled for each point of damage, mortal damage too; a point that rolls the ward is ignored."),
    source=_SOURCES,
    examples=("dmg=D3 ward=5", "dmg=2 times=4 ward=6"),
    notes=lambda asked: rare(_through(asked)),
)

QUESTIONS = (ATTACK, CRIT, WARD)
