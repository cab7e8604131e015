"""Covering Fire: shots at -1 in the enemy's shooting phase, and what they leave of a charge and of control."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.aos.common import TWO_D6
from tcsim.aos.editions import FOURTH
from tcsim.aos.fights.inputs import (
    MODIFIERS,
    READINGS,
    SAVE_MOD,
    TARGET,
    WEAPON,
    WEAPONS,
    check_target,
    check_weapons,
    fight_of,
    hitting,
    target_of,
    weapons_of,
)
from tcsim.aos.fights.sequence import slain, to_hit
from tcsim.aos.fights.told import (
    COMPARED,
    MODELS,
    POINTS,
    at_least,
    at_least_rolled,
    compared,
    compared_rolled,
    losses,
    losses_rolled,
    rare,
)
from tcsim.aos.fights.weapons import Fight
from tcsim.aos.spread import Spread
from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.questions.kinds import Whole
from tcsim.questions.question import Answer, Asked, Input, Question, once

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: Ends of answers' names: of the command, of it where the enemy answers, and of the same shots without the -1.
_ENDS = {"": {}, "_defended": {"save": 1}, "_without": {"hit": 1}}
_SHOT = ("", "_defended")


def _fights(asked: Asked) -> dict[str, Fight]:
    fight = fight_of(asked, asked["mod"], asked["save_mod"])
    return {end: fight.changed(**change) for end, change in _ENDS.items()} if fight.weapons else {}


@once
def _damages(asked: Asked) -> dict[str, Spread]:
    return {end: fight.damage() for end, fight in _fights(asked).items()}


def _needed(asked: Asked, gone: int) -> int:
    """The charge roll that the enemy needs once models are slain."""
    return int(asked["need"]) + int(asked["farther"]) * gone


def _exact(asked: Asked) -> dict[str, Fraction]:
    answers: dict[str, Fraction] = {}
    if asked["hit"] is not None:
        fight, weapon = fight_of(asked, asked["mod"]), hitting(asked, asked["hit"])
        answers["hit"] = to_hit(weapon, fight.modifiers)[0]
        answers["hit_without"] = to_hit(weapon, fight.changed(hit=1).modifiers)[0]
    damages = _damages(asked)
    if not damages:
        return answers
    answers |= compared(asked, damages[""], damages["_without"])
    defended, target = damages["_defended"], target_of(asked)
    answers |= {"damage_defended": defended.mean()} | losses(asked, defended, "_defended")
    answers |= at_least("defended", defended)
    for end in _SHOT:
        gone = slain(damages[end], target)
        if asked["need"] is not None:
            left = [(p, number) for number, p in enumerate(gone.pmf()) if number != target.models]
            answers[f"charge{end}"] = sum((p * TWO_D6.at_least(_needed(asked, n)) for p, n in left), Fraction(0))
        if asked["control"] is not None:
            answers[f"control{end}"] = asked["control"] * (asked["models"] - gone.mean())
    if asked["need"] is not None:
        answers["charge_before"] = TWO_D6.at_least(asked["need"])
    return answers


def _rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    from tcsim.aos.fights import rolled

    answers: dict[str, Any] = {}
    if asked["hit"] is not None:
        fight, weapon = fight_of(asked, asked["mod"]), hitting(asked, asked["hit"])
        first, second = dice.d6(trials), dice.d6(trials)
        answers["hit"] = rolled.hit_roll(weapon, fight.modifiers, first, second)[0]
        answers["hit_without"] = rolled.hit_roll(weapon, fight.changed(hit=1).modifiers, first, second)[0]
    damages = _damages(asked)
    if not damages:
        return answers
    points = {end: rolled.fought(fight, dice, trials) for end, fight in _fights(asked).items()}
    answers |= compared_rolled(asked, (damages[""], damages["_without"]), points[""], points["_without"])
    defended = points["_defended"]
    answers |= {"damage_defended": defended} | losses_rolled(asked, defended, "_defended")
    answers |= at_least_rolled("defended", damages["_defended"], defended)
    if asked["need"] is not None:
        answers["charge_before"] = dice.total(TWO_D6, trials) >= asked["need"]
    for end in _SHOT:
        gone = rolled.slain(points[end], target_of(asked))
        if asked["need"] is not None:
            reached = dice.total(TWO_D6, trials) >= asked["need"] + asked["farther"] * gone
            answers[f"charge{end}"] = reached & (gone != asked["models"])
        if asked["control"] is not None:
            answers[f"control{end}"] = asked["control"] * (asked["models"] - gone)
    return answers


def _check(asked: Asked) -> None:
    check_weapons(asked, needed=False)
    check_target(asked)
    if asked["hit"] is None and asked["weapons"] is None:
        raise InputError("it is needed, as hit=4, or weapons=10x4+/4+/-1/1", "hit")
    for name in ("need", "control"):
        if asked[name] is not None and asked["models"] is None:
            raise InputError("it needs the number of models beside it, as models=5 health=2", name)
        if asked[name] is not None and not weapons_of(asked):
            raise InputError("it needs attacks that do damage: hit and wound, or weapons", name)


def _notes(asked: Asked) -> tuple[str, ...]:
    later = (mark("By the later text manifestations and faction terrain are not shot at."),)
    return (later if asked.edition == "4e_late" else ()) + rare(*_damages(asked).values())


COVERING_FIRE = Question(
    name="covering_fire",
    inputs=(
        *WEAPON,
        WEAPONS,
        *TARGET,
        Input("mod", Whole(-9, 9), mark("Sum of the modifiers of hit rolls, -1 of the command among them"), default=-1),
        SAVE_MOD,
        *MODIFIERS,
        Input("need", Whole(2, 13), mark("Charge roll that the unit shot at needs afterwards, in its charge phase")),
        Input(
            "farther",
            Whole(0, 12),
            mark("Inches that each model slain adds to that charge"),
            default=0,
            reason=mark("The nearest models are slain first only if their player removes them"),
            goes_with=("need",),
        ),
        Input("control", Whole(1, 50), mark("Control of each model of the unit shot at")),
        *READINGS,
    ),
    answers=(
        *COMPARED[:1],
        Answer("damage_defended", mark("damage where the enemy answers with All-out Defence, on average"), POINTS),
        Answer("damage_without", mark("damage of the same shots without the -1, on average"), POINTS),
        Answer("hit", mark("a roll hits")),
        Answer("hit_without", mark("a roll hits without the -1")),
        Answer("slain", mark("models slain, on average"), MODELS),
        Answer("slain_defended", mark("models slain where the enemy answers, on average"), MODELS),
        Answer("slain_without", mark("models slain without the -1, on average"), MODELS),
        Answer("destroyed", mark("the unit is destroyed")),
        Answer("destroyed_defended", mark("the unit is destroyed where the enemy answers")),
        Answer("destroyed_without", mark("the unit is destroyed without the -1")),
        Answer("charge", mark("its charge is made afterwards")),
        Answer("charge_defended", mark("its charge is made afterwards where the enemy answers")),
        Answer("charge_before", mark("its charge is made where no shot was fired")),
        Answer("control", mark("control score of what is left of it, on average"), mark("control")),
        Answer("control_defended", mark("control score where the enemy answers, on average"), mark("control")),
        Answer("at_least", mark("damage is at least"), family=True),
        Answer("defended", mark("damage where the enemy answers is at least"), family=True),
        Answer("without", mark("damage without the -1 is at least"), family=True),
    ),
    exact=_exact,
    simulate=_rolled,
    check=_check,
    rule=mark(
        "In the enemy's shooting phase a unit that is not in combat and has not run this turn shoots at the nearest "
        "enemy unit that it may shoot at, with -1 to its hit rolls (modifiers are held to -1 and +1, natural 6s hit). "
        "The enemy may answer with All-out Defence. What is slain does not charge."
    ),
    source="commands, 4.0",
    examples=(
        "hit=3",
        "attacks=10 hit=3 wound=3 rend=1 save=4",
        "attacks=10 hit=3 wound=3 rend=1 save=4 models=5 health=2 need=7 control=1",
    ),
    notes=_notes,
    editions=FOURTH,
)

QUESTIONS = (COVERING_FIRE,)
