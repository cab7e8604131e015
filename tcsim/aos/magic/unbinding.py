"""Spells and their answers: unbinding, Arcane Bolt, Magical Intervention."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.aos.common import TWO_D6
from tcsim.aos.counts import each, of_count, tell, tell_rolled
from tcsim.aos.editions import FOURTH, THIRD
from tcsim.aos.fights.wounds import D3_WOUNDS, OF_WOUNDS, ONE_WOUND, WARD, inflicted
from tcsim.aos.magic.casting import (
    CastingDice,
    Phase,
    cast_chance,
    cast_rolled,
    contest_rolled,
    resolves_chance,
    rolls,
    unbound_chance,
)
from tcsim.aos.magic.inputs import (
    CASTING_VALUE,
    CASTING_VALUES,
    DICE,
    KEEP,
    MAGIC_SOURCE,
    MOD,
    MODS,
    MOST_SPELLS,
    MOST_UNBINDERS,
    NAMES,
    UNBINDING_RULE,
    WIZARDS,
    casting_dice,
    check_dice,
    spells_of,
)
from tcsim.aos.magic.prayers import CHANTING_VALUE, RITUAL
from tcsim.aos.magic.ritual import chanted, chanted_chance
from tcsim.aos.said import Signed, refuse_beyond
from tcsim.aos.spread import Spread
from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.questions.kinds import Flag, Number, Several, Whole, Word
from tcsim.questions.question import Answer, Asked, Input, Question, family

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

_UNBINDERS = mark("Modifier to the unbinding roll; several: of each unbinder in range")
_ONE_UNBINDER = Input("unbind_mod", Signed(MOST_UNBINDERS), _UNBINDERS)

# --- unbind ---------------------------------------------------------------------------------------------------


def _worth(asked: Asked) -> tuple[Fraction, ...]:
    return asked["worth"] or (Fraction(1),)


def _phase(asked: Asked) -> Phase:
    spells = spells_of(asked, asked["cv"], _worth(asked))
    eager = asked["choose"] == "at_once"
    return Phase(spells, asked["unbind_mod"], asked["unbinds"], casting_dice(asked), eager)


def _castable(cv: int, mod: int, dice: CastingDice) -> list[int]:
    """Casting rolls, modifier included, that cast it."""
    return sorted(total + mod for total in rolls(dice) if total is not None and total + mod >= cv)


def _unbind(asked: Asked) -> dict[str, Any]:
    unbinders = asked["unbind_mod"]
    if asked["casting_roll"] is not None:
        roll = asked["casting_roll"]
        unbound, same = unbound_chance(roll, unbinders), unbound_chance(roll - 1, unbinders)
        return {"unbound": unbound, "ties": same - unbound, "stands": 1 - unbound}
    dice = casting_dice(asked)
    if len(asked["cv"]) > 1:
        phase = _phase(asked)
        resolve, answered, counts = phase.outcome()
        told = {"all": counts[-1], "any": 1 - counts[0]}
        told |= {} if asked["worth"] is None else {"worth": phase.comes_to(0, phase.start, True)}
        number = tell("expected", Spread.of_chances(counts), len(resolve))
        return {**told, **each("spell", resolve), **each("tried", answered), **number}
    cv, mod = asked["cv"][0], asked["mod"][0]
    cast, resolves = cast_chance(cv, mod, dice), resolves_chance(cv, mod, unbinders, dice)
    told = {"resolves": resolves, "cast": cast, "stopped": cast - resolves, "miscast": rolls(dice)[None]}
    totals = _castable(cv, mod, dice)
    if not totals:
        return told
    by_roll = {roll: unbound_chance(roll, unbinders) for roll in totals}
    return {**told, "unbound": (cast - resolves) / cast, **family("roll", by_roll)}


def _unbind_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    if asked["casting_roll"] is not None:
        against = dice.total(TWO_D6, trials) + max(asked["unbind_mod"])
        roll = asked["casting_roll"]
        return {"unbound": against > roll, "ties": against == roll, "stands": against <= roll}
    how = casting_dice(asked)
    if len(asked["cv"]) > 1:
        resolves, answered, _ = _phase(asked).rolled(dice, trials)
        worths = [float(spell.worth) for spell in spells_of(asked, asked["cv"], _worth(asked))]
        told = {"all": resolves.all(axis=1), "any": resolves.any(axis=1)}
        told |= {} if asked["worth"] is None else {"worth": resolves @ worths}
        count = tell_rolled("expected", resolves.sum(axis=1), len(worths))
        return {**told, **each("spell", resolves), **each("tried", answered), **count}
    cv, mod = asked["cv"][0], asked["mod"][0]
    total, miscast, cast, resolves = contest_rolled(cv, mod, asked["unbind_mod"], dice, trials, how)
    stopped = cast & ~resolves
    told = {"resolves": resolves, "cast": cast, "stopped": stopped, "miscast": miscast}
    totals = _castable(cv, mod, how)
    if not totals:
        return told
    by_roll = {roll: stopped[cast & (total == roll)] for roll in totals}
    return {**told, "unbound": stopped[cast], **family("roll", by_roll)}


def _check_unbind(asked: Asked) -> None:
    refuse_beyond(asked, 30, "an unbinder has to be within 30 inches of the caster (3e hero phase 2-1d; 4e magic)")
    if (asked["cv"] is None) == (asked["casting_roll"] is None):
        raise InputError("unbind needs cv, the casting value, or else casting_roll, what the caster rolled")
    if asked["casting_roll"] is not None:
        for name in ("mod", "spells", "dice", "keep"):
            if name in asked.given:
                raise InputError("it goes with cv; casting_roll is what the caster rolled, all included", name)
        return
    check_dice(asked)
    spells_of(asked, asked["cv"], _worth(asked))
    for name in ("unbinds", "worth", "choose"):
        if name in asked.given and len(asked["cv"]) == 1:
            raise InputError("it goes with several casting values, as cv=5+7", name)


UNBIND = Question(
    name="unbind",
    inputs=(
        Input("cv", CASTING_VALUES, mark("Casting value; several: of spells that are cast one after the other")),
        MODS,
        Input("unbind_mod", Signed(MOST_UNBINDERS), _UNBINDERS, default="0"),
        Input("casting_roll", Whole(2, 40), mark("What the caster rolled, modifiers included, instead of cv")),
        Input("unbinds", Whole(1, 3), mark("Unbinds of each unbinder in the phase"), default=1, goes_with=("cv",)),
        Input(
            "worth",
            Several(Number(0, 1000), MOST_SPELLS),
            mark("What each spell is worth when it resolves; left out: the same"),
            goes_with=("cv",),
        ),
        Input(
            "choose",
            Word({"best": mark("as is best over the phase"), "at_once": mark("at once, the best one that can")}),
            mark("When unbinders with few attempts try"),
            default="best",
            goes_with=("cv",),
        ),
        WIZARDS,
        NAMES,
        Input("distance", Number(0, 200), mark("Inches from the nearest unbinder to the caster")),
        DICE,
        KEEP,
    ),
    answers=(
        Answer("resolves", mark("the spell is cast and not unbound")),
        Answer("cast", mark("it is cast")),
        Answer("stopped", mark("it is cast and unbound")),
        Answer("unbound", mark("it is unbound, once it is cast")),
        Answer("ties", mark("the unbinding roll is the same, so the spell stands")),
        Answer("stands", mark("the spell stands")),
        Answer("miscast", mark("it is a miscast")),
        Answer("all", mark("all spells resolve")),
        Answer("any", mark("at least one of them resolves")),
        Answer("worth", mark("worth of what resolves, on average"), mark("worth")),
        Answer("roll", mark("a casting roll of so much is unbound"), family=True),
        Answer("spell", mark("the spell of this number resolves"), family=True),
        Answer("tried", mark("an unbind is tried on the spell of this number"), family=True),
        *of_count(mark("spells")),
    ),
    exact=_unbind,
    simulate=_unbind_rolled,
    check=_check_unbind,
    rule=UNBINDING_RULE,
    source=MAGIC_SOURCE,
    examples=("cv=7", "cv=7 mod=+1 unbind_mod=0+2", "casting_roll=7", "cv=5+7 unbinds=1 worth=1+3"),
)


# --- Arcane Bolt ----------------------------------------------------------------------------------------------

_BOLT_PHASES = 11  # until the next own hero phase: five more of this turn, six of the enemy's


def _bolts(asked: Asked) -> int:
    return asked["phases"] if asked["used"] == "each" else 1


def _near(asked: Asked) -> bool:
    return bool(asked["within3"] if asked["distance"] is None else asked["distance"] <= 3)


def _bolt_unbinders(asked: Asked) -> tuple[int, ...]:
    if asked["unbind"] == "none":
        return ()
    return asked["unbind_mod"] or ((0,) if asked["unbind"] == "one" else ())


def _bolt(asked: Asked) -> dict[str, Any]:
    resolves = resolves_chance(asked["cv"], asked["mod"][0], _bolt_unbinders(asked))
    each_time, most = (D3_WOUNDS, 3) if _near(asked) else (ONE_WOUND, 1)
    wounds = inflicted(resolves, each_time.times(_bolts(asked)), asked["ward"])
    return {"resolves": resolves, **tell("wounds", wounds, most * _bolts(asked))}


def _bolt_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    from tcsim.aos.fights.rolled import warded

    resolves = contest_rolled(asked["cv"], asked["mod"][0], _bolt_unbinders(asked), dice, trials).resolves
    wounds, most = np.zeros(trials, int), 3 if _near(asked) else 1
    for _ in range(_bolts(asked)):
        wounds += resolves * (dice.d3(trials) if _near(asked) else 1)
    wounds = warded(wounds, asked["ward"], dice)
    return {"resolves": resolves, **tell_rolled("wounds", wounds, most * _bolts(asked))}


def _check_bolt(asked: Asked) -> None:
    refuse_beyond(asked, 12, "Arcane Bolt reaches 12 inches (3e hero phase 2-1)")
    if asked["unbind"] == "none" and asked["unbind_mod"] is not None:
        raise InputError("it is given, and unbind=none says that there is no unbinder", "unbind_mod")
    if asked["distance"] is not None and "within3" in asked.given and asked["within3"] != _near(asked):
        raise InputError("it says something else than distance", "within3")


ARCANE_BOLT = Question(
    name="arcane_bolt",
    inputs=(
        Input("cv", CASTING_VALUE, mark("Casting value"), default=5),
        MOD,
        Input("within3", Flag(), mark("The target is within 3 inches of the caster, where it is used"), default=False),
        Input(
            "unbind",
            Word({"none": mark("nobody"), "one": mark("the best unbinder, once")}),
            mark("Who tries to unbind it; left out: nobody, or those of unbind_mod"),
        ),
        _ONE_UNBINDER,
        WARD,
        Input(
            "used",
            Word({"once": mark("in one phase"), "each": mark("in each phase")}),
            mark("How often a bolt that was cast is used before the next own hero phase"),
            default="once",
            reason=mark("The text says at the start of a phase, and one unit"),
        ),
        Input(
            "phases",
            Whole(1, _BOLT_PHASES),
            mark("Phases in which it is used, until the next own hero phase"),
            default=_BOLT_PHASES,
            goes_with=("used=each",),
        ),
        Input("distance", Number(0, 200), mark("Inches from the caster to the target, where it is used")),
    ),
    answers=(Answer("resolves", mark("the bolt is cast and not unbound")), *OF_WOUNDS),
    exact=_bolt,
    simulate=_bolt_rolled,
    check=_check_bolt,
    rule=mark(
        "Casting value 5. At the start of a phase before the caster's next hero phase a visible enemy unit within 12 "
        "inches suffers 1 mortal wound, D3 if it is within 3 inches of the caster."
    ),
    source="3e hero phase: 2-1, Arcane Bolt",
    examples=("within3 unbind_mod=0", "unbind=none ward=6"),
    editions=THIRD,
)


# --- Magical Intervention -------------------------------------------------------------------------------------


def _intervention(asked: Asked) -> dict[str, Any]:
    mod = asked["mod"][0]
    if asked["value"] is not None:
        answered, usual = (chanted_chance(asked["value"], asked["ritual"], one) for one in (mod, mod + 1))
        return {"answered": answered, "lost": usual - answered}
    dice, unbinders = casting_dice(asked), asked["unbind_mod"] or ()
    resolves, usual = (resolves_chance(asked["cv"], one, unbinders, dice) for one in (mod, mod + 1))
    miscast = rolls(dice)[None]
    told = {"cast": cast_chance(asked["cv"], mod, dice), "lost": usual - resolves}
    told |= {"resolves": resolves} if unbinders else {}
    return told | {"miscast": miscast, "self_wounds": 2 * miscast}


def _intervention_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    mod = asked["mod"][0]
    if asked["value"] is not None:
        die = dice.d6(trials)
        answered, usual = (chanted(die, asked["value"], asked["ritual"], one) for one in (mod, mod + 1))
        return {"answered": answered, "lost": usual & ~answered}
    total, miscast = cast_rolled(dice, trials, casting_dice(asked))
    against = dice.total(TWO_D6, trials) + max(asked["unbind_mod"] or (-99,))
    cast = ~miscast & (total + mod >= asked["cv"])
    resolves = cast & (against <= total + mod)
    usual = ~miscast & (total + mod + 1 >= asked["cv"]) & (against <= total + mod + 1)
    told = {"cast": cast, "lost": usual & ~resolves}
    told |= {"resolves": resolves} if asked["unbind_mod"] else {}
    return told | {"miscast": miscast, "self_wounds": miscast * dice.d3(trials)}


def _check_intervention(asked: Asked) -> None:
    if (asked["cv"] is None) == (asked["value"] is None):
        raise InputError("magical_intervention needs cv, of a WIZARD's spell, or else value, of a PRIEST's prayer")
    for name in ("dice", "keep"):
        if asked["cv"] is None and name in asked.given:
            raise InputError("it goes with cv, a prayer is chanted with one die", name)
    check_dice(asked)


MAGICAL_INTERVENTION = Question(
    name="magical_intervention",
    inputs=(
        Input("cv", CASTING_VALUE, mark("Casting value of the spell")),
        Input("value", CHANTING_VALUE, mark("Chanting value of the prayer, instead of cv")),
        Input("mod", Signed(1), mark("Sum of modifiers to the roll, the -1 of the command included"), default="-1"),
        Input("unbind_mod", Signed(MOST_UNBINDERS), _UNBINDERS, goes_with=("cv",)),
        Input("ritual", RITUAL, mark("Ritual points the priest has"), default=0, goes_with=("value",)),
        DICE,
        KEEP,
    ),
    answers=(
        Answer("cast", mark("the spell is cast")),
        Answer("resolves", mark("it is cast and not unbound")),
        Answer("answered", mark("the prayer is answered")),
        Answer("lost", mark("it fails, and without the -1 the same dice would have done")),
        Answer("miscast", mark("it is a miscast")),
        Answer("self_wounds", mark("mortal damage the caster suffers by it, on average"), mark("damage")),
    ),
    exact=_intervention,
    simulate=_intervention_rolled,
    check=_check_intervention,
    rule=mark(
        "For 1 command point in an enemy hero phase a friendly WIZARD or PRIEST uses a spell or prayer as in its own, "
        "with -1 to its casting or chanting roll. A natural double 1 miscasts and a natural 1 fails as ever, and an "
        "unbinding roll has to be more than the reduced roll."
    ),
    source="4e commands: 2.0; 4e advanced rules, magic (public)",
    examples=("cv=6 unbind_mod=0", "value=4 ritual=3"),
    editions=FOURTH,
)

QUESTIONS = (UNBIND, ARCANE_BOLT, MAGICAL_INTERVENTION)
