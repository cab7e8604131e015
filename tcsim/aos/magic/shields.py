"""What Finest Hour, Mystic Shield and Bless are worth: damage dealt and prevented, times how often they succeed."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.aos.editions import THIRD
from tcsim.aos.fights.all_out import BACK, back_of, check_back
from tcsim.aos.fights.inputs import (
    FREE_REND,
    HIT_MOD,
    MODIFIERS,
    READINGS,
    SAVE_MOD,
    SAVING_TARGET,
    TARGET,
    WEAPON,
    WEAPONS,
    check_target,
    check_weapons,
    fight_of,
    known_in,
)
from tcsim.aos.fights.sequence import NONE, through, to_save
from tcsim.aos.fights.told import COMPARED, COMPARED_MODELS, POINTS, compared, compared_rolled, rare
from tcsim.aos.fights.weapons import DAMAGE, Fight, Needed
from tcsim.aos.magic.casting import contest_rolled, resolves_chance
from tcsim.aos.magic.inputs import CASTING_VALUE, MOD, MOST_UNBINDERS
from tcsim.aos.magic.prayers import ANSWER_VALUE, answered_chance, answered_rolled
from tcsim.aos.said import Signed
from tcsim.aos.spread import Spread
from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.questions.kinds import Whole
from tcsim.questions.question import Answer, Asked, Input, Question, once

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tcsim.questions.rolling import Dice

#: What the third edition knows of weapons and of modifiers.
_WEAPON, _MODIFIERS = known_in(THIRD[0], WEAPON), known_in(THIRD[0], MODIFIERS)

_PREVENTED = Answer("prevented", mark("damage prevented, on average"), POINTS)
_SAVES = (
    Answer("save", mark("a roll saves")),
    Answer("save_without", mark("a roll saves without it")),
    Answer("gain_save", mark("a roll saves thanks to it")),
)


def _saves(fight: Fight, rend: int) -> dict[str, Fraction]:
    """The chance of a save with +1, and without."""
    with_it, without = (
        to_save(fight.target.save, rend, one.modifiers, one.readings) for one in (fight, fight.changed(save=-1))
    )
    return {"save": with_it, "save_without": without, "gain_save": with_it - without}


def _saves_rolled(fight: Fight, rend: int, dice: Dice, trials: int) -> dict[str, Any]:
    from tcsim.aos.fights.rolled import save_roll

    first, second = dice.d6(trials), dice.d6(trials)
    with_it, without = (save_roll(one, rend, first, second) for one in (fight, fight.changed(save=-1)))
    return {"save": with_it, "save_without": without, "gain_save": with_it & ~without}


# --- Finest Hour ----------------------------------------------------------------------------------------------


@once
def _hour(asked: Asked) -> tuple[Fight, Fight, tuple[Spread, ...]]:
    """The hero's fight with +1 to wound, what strikes back with +1 to save, and both with and without it."""
    fight = fight_of(asked, asked["hit_mod"]).changed(wound=1)
    back = back_of(asked, asked["bonuses"])
    every = [fight, fight.changed(wound=-1)] if fight.weapons else []
    every += [back, back.changed(save=-1)] if back.weapons else []
    return fight, back, tuple(one.damage() for one in every)


def _rend(asked: Asked) -> bool:
    """Whether one Rend is spoken of, that a save is told against."""
    return asked["weapons"] is None and asked["enemy_weapons"] is None


def _finest_hour(asked: Asked) -> dict[str, Fraction]:
    fight, back, damages = _hour(asked)
    answers = _saves(back, asked["rend"]) if _rend(asked) and back.target.save != NONE else {}
    if fight.weapons:
        changed, plain = damages[:2]
        answers |= {"gain": changed.mean() - plain.mean()} | compared(asked, changed, plain)
    if back.weapons:
        taken, without = (one.mean() for one in damages[-2:])
        answers |= {"taken": taken, "taken_without": without, "prevented": without - taken}
    return answers


def _finest_hour_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    from tcsim.aos.fights.rolled import fought

    fight, back, damages = _hour(asked)
    told = _rend(asked) and back.target.save != NONE
    answers = _saves_rolled(back, asked["rend"], dice, trials) if told else {}
    if fight.weapons:
        changed, plain = fought(fight, dice, trials), fought(fight.changed(wound=-1), dice, trials)
        answers |= {"gain": changed - plain} | compared_rolled(asked, (damages[0], damages[1]), changed, plain)
    if back.weapons:
        taken, without = fought(back, dice, trials), fought(back.changed(save=-1), dice, trials)
        answers |= {"taken": taken, "taken_without": without, "prevented": without - taken}
    return answers


def _check_hour(asked: Asked) -> None:
    check_back(asked)
    if asked["hit"] is None and asked["weapons"] is None and asked["enemy_weapons"] is None and asked["save"] == NONE:
        raise InputError("it is needed, as attacks=5 hit=3 wound=3 save=4; or save=3 alone, for saves", "hit")


FINEST_HOUR = Question(
    name="finest_hour",
    inputs=(
        *(FREE_REND if one.name == "rend" else one for one in _WEAPON),
        WEAPONS,
        *TARGET,
        Input(
            "bonuses", Whole(-9, 9), mark("Sum of the modifiers of the hero's saves, +1 of this among them"), default=1
        ),
        HIT_MOD,
        *_MODIFIERS,
        *BACK,
        *READINGS,
    ),
    answers=(
        Answer("gain", mark("damage that it adds, on average"), POINTS),
        *COMPARED,
        *_SAVES,
        Answer("taken", mark("damage that comes back at the hero, on average"), POINTS),
        Answer("taken_without", mark("damage that comes back without it, on average"), POINTS),
        _PREVENTED,
        *COMPARED_MODELS,
    ),
    exact=_finest_hour,
    simulate=_finest_hour_rolled,
    check=_check_hour,
    rule=mark(
        "Once in the battle a hero has a finest hour: until the end of the turn +1 to wound rolls for its attacks, and "
        "+1 to its save rolls. Modifiers of wound rolls are held to -1 and +1, of save rolls, rend included, to +1."
    ),
    source="3e hero phase: 1-2; modifiers: core rules of the third edition",
    examples=("attacks=5 hit=3 wound=3 rend=1 dmg=2 save=4", "save=3 rend=0 bonuses=2"),
    notes=lambda asked: rare(*_hour(asked)[2][:2]) if _hour(asked)[0].weapons else (),
    editions=THIRD,
)


# --- what is attempted: Mystic Shield, Bless ------------------------------------------------------------------


def _attempted(chance: Fraction, helped: Spread, plain: Spread) -> Spread:
    return Spread.mixed([(chance, helped), (1 - chance, plain)])


def _told(asked: Asked, chance: Fraction, helped: Spread, plain: Spread) -> dict[str, Fraction]:
    after = _attempted(chance, helped, plain)
    return {
        "prevented": plain.mean() - after.mean(),
        "helped": helped.mean(),
        **compared(asked, after, plain),
    }


def _told_rolled(
    asked: Asked,
    exact: tuple[Fraction, Spread, Spread],
    succeeds: NDArray[np.bool_],
    helped: NDArray[np.int64],
    plain: NDArray[np.int64],
) -> dict[str, Any]:
    import numpy as np

    after = np.where(succeeds, helped, plain)
    return {
        "prevented": plain - after,
        "helped": helped,
        **compared_rolled(asked, (_attempted(*exact), exact[2]), after, plain),
    }


_HELPED = Answer("helped", mark("damage where it succeeds, on average"), POINTS)
_AFTER = (Answer("damage", mark("damage after the attempt, on average"), POINTS), *COMPARED[1:])


# --- Mystic Shield --------------------------------------------------------------------------------------------


def _plain(asked: Asked) -> Fight:
    return fight_of(asked, asked["hit_mod"], asked["save_mod"])


@once
def _shield(asked: Asked) -> tuple[Fraction, Spread, Spread]:
    chance = resolves_chance(asked["cv"], asked["mod"][0], asked["unbind_mod"] or ())
    return chance, _plain(asked).changed(save=1).damage(), _plain(asked).damage()


def _mystic_shield(asked: Asked) -> dict[str, Fraction]:
    return {"resolves": _shield(asked)[0]} | _told(asked, *_shield(asked))


def _mystic_shield_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    from tcsim.aos.fights.rolled import fought

    resolves = contest_rolled(asked["cv"], asked["mod"][0], asked["unbind_mod"] or (), dice, trials).resolves
    helped, plain = fought(_plain(asked).changed(save=1), dice, trials), fought(_plain(asked), dice, trials)
    return {"resolves": resolves} | _told_rolled(asked, _shield(asked), resolves, helped, plain)


def _check_shield(asked: Asked) -> None:
    check_weapons(asked)
    check_target(asked)


MYSTIC_SHIELD = Question(
    name="mystic_shield",
    inputs=(
        *_WEAPON,
        WEAPONS,
        *SAVING_TARGET,
        Input("cv", CASTING_VALUE, mark("Casting value"), default=5),
        MOD,
        Input(
            "unbind_mod",
            Signed(MOST_UNBINDERS),
            mark("Modifier to the unbinding roll; several: of each unbinder in range; left out: no unbinder"),
        ),
        HIT_MOD,
        SAVE_MOD,
        *_MODIFIERS,
        *READINGS,
    ),
    answers=(
        _PREVENTED,
        Answer("resolves", mark("the spell is cast and not unbound")),
        *_AFTER,
        _HELPED,
        *COMPARED_MODELS,
    ),
    exact=_mystic_shield,
    simulate=_mystic_shield_rolled,
    check=_check_shield,
    rule=mark(
        "Cast on 5 or more at a visible friendly unit wholly within 12 inches: +1 to its save rolls until the caster's "
        "next hero phase. The modifier of a save roll, rend included, is at most +1."
    ),
    source="3e hero phase: 2-1; modifiers: core rules of the third edition",
    examples=("attacks=12 hit=3 wound=3 rend=1 save=4", "attacks=12 hit=3 wound=3 rend=1 save=4 unbind_mod=0"),
    notes=lambda asked: rare(_attempted(*_shield(asked)), _shield(asked)[2]),
    editions=THIRD,
)


# --- Bless ----------------------------------------------------------------------------------------------------


@once
def _blessing(asked: Asked) -> tuple[Fraction, Spread, Spread]:
    chance = answered_chance(asked["av"], asked["mod"][0])
    plain = Spread.rolled(asked["damage"]) if asked["damage"] is not None else _unwarded(asked).damage()
    return chance, through(plain, asked["ward"]), plain


def _unwarded(asked: Asked) -> Fight:
    fight = _plain(asked)
    return replace(fight, target=replace(fight.target, ward=NONE))


def _bless(asked: Asked) -> dict[str, Fraction]:
    return {"answered": _blessing(asked)[0]} | _told(asked, *_blessing(asked))


def _bless_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    from tcsim.aos.fights import rolled

    answered = answered_rolled(asked["av"], asked["mod"][0], dice, trials)
    if asked["damage"] is not None:
        plain = rolled.amount(asked["damage"], dice, trials)
    else:
        plain = rolled.fought(_unwarded(asked), dice, trials)
    helped = rolled.warded(plain, asked["ward"], dice)
    return {"answered": answered} | _told_rolled(asked, _blessing(asked), answered, helped, plain)


def _check_bless(asked: Asked) -> None:
    check_weapons(asked, needed=asked["damage"] is None)
    check_target(asked)
    if asked["damage"] is not None and (asked["hit"] is not None or asked["weapons"] is not None):
        raise InputError("it is given in place of attacks: give either of them", "damage")


_BLESSED_WARD = Input("ward", Needed(2), mark("The ward that it gives"), default=6)

BLESS = Question(
    name="bless",
    inputs=(
        Input("damage", DAMAGE, mark("Damage that the unit takes; or else say what attacks it")),
        Input("av", ANSWER_VALUE, mark("Answer value"), default=4),
        Input("mod", Signed(1), mark("Modifier to the chanting roll"), default="0"),
        *_WEAPON,
        WEAPONS,
        *(_BLESSED_WARD if one.name == "ward" else one for one in TARGET),
        HIT_MOD,
        SAVE_MOD,
        *_MODIFIERS,
        *READINGS,
    ),
    answers=(_PREVENTED, Answer("answered", mark("the prayer is answered")), *_AFTER, _HELPED, *COMPARED_MODELS),
    exact=_bless,
    simulate=_bless_rolled,
    check=_check_bless,
    rule=mark(
        "Answered on 4 or more for a friendly unit within 12 inches: a ward of 6+ until the priest's next hero phase, "
        "rolled for each point of damage. A natural 1 is never answered."
    ),
    source="3e hero phase: 2-2",
    examples=("damage=12", "attacks=12 hit=3 wound=3 rend=1 save=4 models=5 health=2"),
    notes=lambda asked: rare(_attempted(*_blessing(asked)), _blessing(asked)[2]),
    editions=THIRD,
)

QUESTIONS = (FINEST_HOUR, MYSTIC_SHIELD, BLESS)
