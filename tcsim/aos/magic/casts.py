"""Casting spells, one or several in order, and miscasts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tcsim.aos.counts import each, of_count, tell, tell_rolled
from tcsim.aos.fights.wounds import D3_WOUNDS, OF_WOUNDS, WARD, WOUND, inflicted
from tcsim.aos.magic.casting import Phase, cast_chance, cast_rolled, rolls
from tcsim.aos.magic.inputs import (
    CASTING_RULE,
    CASTING_VALUE,
    CASTING_VALUES,
    DICE,
    KEEP,
    MAGIC_SOURCE,
    MODS,
    NAMES,
    WIZARDS,
    casting_dice,
    check_dice,
    spells_of,
)
from tcsim.aos.said import Signed, one_each
from tcsim.aos.spread import Spread
from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.questions.kinds import Whole
from tcsim.questions.question import Answer, Asked, Input, Question, family

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: Casting values that are told where none is given.
TABLE = range(3, 13)


# --- cast -----------------------------------------------------------------------------------------------------


def _values(asked: Asked) -> tuple[int, ...]:
    return tuple(asked["cv"] or ()) if asked["cv1"] is None else (asked["cv1"], asked["cv2"])


def _cast(asked: Asked) -> dict[str, Any]:
    dice, values = casting_dice(asked), _values(asked)
    fine = 1 - rolls(dice)[None]
    shares = asked["wizards"] or (max(len(values), 1),)
    told: dict[str, Any] = {"miscast": 1 - fine ** sum(shares), "self_wounds": sum(2 * (1 - fine**n) for n in shares)}
    if not values:
        return told | family("value", {cv: cast_chance(cv, asked["mod"][0], dice) for cv in TABLE})
    if len(values) == 1:
        return {"cast": cast_chance(values[0], asked["mod"][0], dice), **told}
    spells, _, counts = Phase(spells_of(asked, values), (), 0, dice).outcome()
    return {
        "all": counts[-1],
        "any": 1 - counts[0],
        **told,
        **each("spell", spells),
        **tell("expected", Spread.of_chances(counts), len(values)),
    }


def _cast_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    values, how = _values(asked), casting_dice(asked)
    if not values:
        total, miscast = cast_rolled(dice, trials, how)
        told = {"miscast": miscast, "self_wounds": miscast * dice.d3(trials)}
        return told | family("value", {cv: ~miscast & (total + asked["mod"][0] >= cv) for cv in TABLE})
    cast, _, miscasts = Phase(spells_of(asked, values), (), 0, how).rolled(dice, trials)
    wounds = miscasts * (dice.roll(trials, len(values), 3))
    told = {"miscast": miscasts.any(axis=1), "self_wounds": wounds.sum(axis=1)}
    if len(values) == 1:
        return {"cast": cast[:, 0], **told}
    all_any = {"all": cast.all(axis=1), "any": cast.any(axis=1)}
    return {**all_any, **told, **each("spell", cast), **tell_rolled("expected", cast.sum(axis=1), len(values))}


def _check_cast(asked: Asked) -> None:
    if asked["cv1"] is not None and (asked["cv2"] is None or asked["cv"] is not None):
        raise InputError("cv1 and cv2 are the casting values of two spells; cv takes any number of them", "cv1")
    values = _values(asked)
    check_dice(asked)
    if values:
        spells_of(asked, values)
    elif asked["spells"] is not None:
        raise InputError("it goes with casting values, which are not given", "spells")
    else:
        one_each(asked["mod"], 1, "mod", "roll")


CAST = Question(
    name="cast",
    inputs=(
        Input("cv", CASTING_VALUES, mark("Casting value; several: of spells that are cast one after the other")),
        MODS,
        Input("cv1", CASTING_VALUE, mark("Casting value of the first of two spells")),
        Input("cv2", CASTING_VALUE, mark("Casting value of the second of two spells"), goes_with=("cv1",)),
        WIZARDS,
        NAMES,
        DICE,
        KEEP,
    ),
    answers=(
        Answer("cast", mark("the spell is cast, before anyone unbinds it")),
        Answer("all", mark("all spells are cast, before anyone unbinds them")),
        Answer("any", mark("at least one of them is cast")),
        Answer("miscast", mark("a caster miscasts")),
        Answer("self_wounds", mark("mortal wounds the casters suffer by miscasts, on average"), WOUND),
        Answer("spell", mark("the spell of this number is cast"), family=True),
        *of_count(mark("spells")),
        Answer("value", mark("a spell of this casting value is cast"), family=True),
    ),
    exact=_cast,
    simulate=_cast_rolled,
    check=_check_cast,
    rule=CASTING_RULE,
    source=MAGIC_SOURCE,
    examples=("cv=7", "cv=5+7+6 mod=+1 wizards=2+1", "mod=-1"),
)


# --- miscast --------------------------------------------------------------------------------------------------


def _miscast(asked: Asked) -> dict[str, Any]:
    once, attempts = rolls(casting_dice(asked))[None], asked["attempts"]
    miscast = 1 - (1 - once) ** attempts
    wounds = inflicted(miscast, D3_WOUNDS, asked["ward"])
    made = sum((1 - once) ** before for before in range(attempts))
    told = {"miscast": miscast, "attempts": made, **tell("wounds", wounds, 3)}
    if asked["health"] is not None:
        told["slain"] = wounds.at_least(asked["health"])
    return told


def _miscast_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    from tcsim.aos.fights.rolled import warded

    able, made = np.ones(trials, bool), np.zeros(trials, int)
    for _ in range(asked["attempts"]):
        made += able
        able &= ~cast_rolled(dice, trials, casting_dice(asked))[1]
    wounds = warded(np.where(able, 0, dice.d3(trials)), asked["ward"], dice)
    told = {"miscast": ~able, "attempts": made, **tell_rolled("wounds", wounds, 3)}
    return told | ({} if asked["health"] is None else {"slain": wounds >= asked["health"]})


MISCAST = Question(
    name="miscast",
    inputs=(
        Input("attempts", Whole(1, 20), mark("Spells that the wizard tries to cast, one after the other"), default=1),
        Input("mod", Signed(1), mark("Modifier to the casting roll, which does not matter here"), default="0"),
        Input("health", Whole(1, 100), mark("Wounds that the caster has left")),
        WARD,
        DICE,
    ),
    answers=(
        Answer("miscast", mark("one of the casts is a miscast")),
        Answer("slain", mark("the caster is slain by it")),
        Answer("attempts", mark("casts that come to be tried, on average"), mark("casts")),
        *OF_WOUNDS,
    ),
    exact=_miscast,
    simulate=_miscast_rolled,
    rule=CASTING_RULE,
    source=MAGIC_SOURCE,
    examples=("attempts=3", "attempts=2 ward=5 health=1"),
)

QUESTIONS = (CAST, MISCAST)
