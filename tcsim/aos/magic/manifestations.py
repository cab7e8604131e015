"""Endless spells, invocations and manifestations: summoning them, dispelling and banishing them."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.aos.common import D6, TWO_D6
from tcsim.aos.editions import FOURTH, THIRD
from tcsim.aos.magic.casting import cast_chance, contest_rolled, resolves_chance, rolls, unbound_chance
from tcsim.aos.magic.inputs import CASTING_VALUE, MOD, MOST_UNBINDERS
from tcsim.aos.magic.prayers import ANSWER_VALUE, answered_chance, answered_rolled
from tcsim.aos.said import Signed, refuse_beyond
from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.questions.kinds import Flag, Number, Whole
from tcsim.questions.question import Answer, Asked, Input, Question, family

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

_DISTANCE = Input("distance", Number(0, 200), mark("Inches to it"))
_ATTEMPTS = Input(
    "attempts", Whole(1, 10), mark("Attempts of one player at it in the phase; the rule allows one"), default=1
)
_WORTH = Input("worth", Number(0, 1000), mark("What it is worth to be rid of it, where a spell or prayer is worth 1"))
_LOST_CV = Input("lost_cv", CASTING_VALUE, mark("Casting value of the spell that is given up for the attempt"))
_LOST_AV = Input("lost_av", ANSWER_VALUE, mark("Answer value of the prayer that is given up for the attempt"))
_LOST_MOD = Input("lost_mod", Signed(1), mark("Modifier to that roll"), default="0", goes_with=("lost_cv", "lost_av"))
_LOST_UNBIND = Input(
    "lost_unbind_mod",
    Signed(MOST_UNBINDERS),
    mark("Unbinding modifier against that spell; left out: nobody unbinds it"),
    goes_with=("lost_cv",),
)
_OF_LOST = (
    Answer("lost", mark("the spell or prayer given up would have worked")),
    Answer("gain", mark("worth of the attempt less that of what is given up, on average"), mark("worth")),
)
_OF_STAYING = Answer("stays", mark("it is still on the table after so many such phases"), family=True)
_PLACED = Input("placed", Flag(), mark("There is room for it; without, it counts as failed"), default=True)
_REMOVED = Input("removed_now", Flag(), mark("It was removed this turn"), default=False)


def _lost(asked: Asked) -> dict[str, Fraction]:
    """What the wizard or priest gives up for the attempt."""
    if asked.values.get("lost_cv") is not None:
        return {"lost": resolves_chance(asked["lost_cv"], asked["lost_mod"][0], asked["lost_unbind_mod"] or ())}
    if asked.values.get("lost_av") is not None:
        return {"lost": answered_chance(asked["lost_av"], asked["lost_mod"][0])}
    return {}


def _lost_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    if asked.values.get("lost_cv") is not None:
        unbinders = asked["lost_unbind_mod"] or ()
        return {"lost": contest_rolled(asked["lost_cv"], asked["lost_mod"][0], unbinders, dice, trials).resolves}
    if asked.values.get("lost_av") is not None:
        return {"lost": answered_rolled(asked["lost_av"], asked["lost_mod"][0], dice, trials)}
    return {}


def _told(asked: Asked, name: str, one: Any, both: Any, stays: dict[int, Any], lost: dict[str, Any]) -> dict[str, Any]:
    """The answers to an attempt, worked out or rolled."""
    told = {name: one} | ({"removed": both} if asked.values.get("players") == 2 else {})
    if lost:
        worth = asked["worth"] if isinstance(one, Fraction) else float(asked["worth"])
        told |= {**lost, "gain": one * worth - lost["lost"]}
    return told | (family("stays", stays) if len(stays) > 1 else {})


def _check_attempt(asked: Asked, most: int, rule: str) -> None:
    refuse_beyond(asked, most, rule)
    if asked["attempts"] > 1:
        raise InputError(f"{asked['attempts']} are given; {_ONE_ATTEMPT}", "attempts")
    if all(asked.values.get(name) is not None for name in ("lost_cv", "lost_av")):
        raise InputError("lost_cv is given, too; one attempt costs a wizard a cast or a priest a chant", "lost_av")


_ONE_ATTEMPT = "each player has one attempt at each of them in a phase (3e hero phase 1-4; 4e magic)"


def _worth(*lost: str) -> Input:
    return Input(_WORTH.name, _WORTH.kind, _WORTH.help, default=1, goes_with=lost)


# --- dispel ---------------------------------------------------------------------------------------------------


def _players(asked: Asked) -> list[int]:
    """Modifier of each player who tries, the one who asks first."""
    return [asked["mod"][0]] + ([asked["enemy_mod"][0]] if asked["players"] == 2 else [])


def _dispel(asked: Asked) -> dict[str, Any]:
    fails = [1 - unbound_chance(asked["cv"], [mod]) for mod in _players(asked)]
    stays = fails[0] * fails[-1] if len(fails) > 1 else fails[0]
    after = {phase: stays**phase for phase in range(1, asked["phases"] + 1)}
    return _told(asked, "dispelled", 1 - fails[0], 1 - stays, after, _lost(asked))


def _dispel_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    there, after, first, removed = np.ones(trials, bool), {}, None, None
    for phase in range(1, asked["phases"] + 1):
        done = [dice.total(TWO_D6, trials) + mod > asked["cv"] for mod in _players(asked)]
        for one in done:
            there = there & ~one
        first, removed = (done[0], ~there) if phase == 1 else (first, removed)
        after[phase] = there
    return _told(asked, "dispelled", first, removed, after, _lost_rolled(asked, dice, trials))


DISPEL = Question(
    name="dispel",
    inputs=(
        Input("cv", CASTING_VALUE, mark("Casting value of the endless spell"), required=True),
        Input("mod", Signed(1), mark("Modifier to the dispelling roll"), default="0"),
        Input("players", Whole(1, 2), mark("How many players try in the phase, the active one first"), default=1),
        Input(
            "enemy_mod",
            Signed(1),
            mark("Modifier to the other player's dispelling roll"),
            default="0",
        ),
        Input("phases", Whole(1, 20), mark("Hero phases, one after the other, in which they try"), default=1),
        _LOST_CV,
        _LOST_AV,
        _LOST_MOD,
        _LOST_UNBIND,
        _worth("lost_cv", "lost_av"),
        _DISTANCE,
        _ATTEMPTS,
    ),
    answers=(
        Answer("dispelled", mark("the first attempt dispels it")),
        Answer("removed", mark("it is gone when both players have tried")),
        *_OF_LOST,
        _OF_STAYING,
    ),
    exact=_dispel,
    simulate=_dispel_rolled,
    check=lambda asked: _check_attempt(asked, 30, "it has to be visible within 30 inches (3e hero phase 1-4)"),
    rule=mark(
        "At the start of a hero phase wizards and priests within 30 inches may each try to dispel an endless spell, "
        "the active player first, each player once for each of them: 2D6 of more than its casting value. It costs a "
        "wizard a cast or unbind of the phase, a priest a chant."
    ),
    source="3e hero phase: 1-4",
    examples=("cv=6", "cv=7 players=2 phases=3", "cv=6 lost_cv=7 lost_unbind_mod=0 worth=2"),
    editions=THIRD,
)


# --- banish ---------------------------------------------------------------------------------------------------


def _after(asked: Asked, fails: Fraction) -> dict[int, Fraction]:
    return {turn: fails**turn for turn in range(1, asked["turns"] + 1)}


def _repeated(asked: Asked, roll: Any) -> tuple[Any, dict[int, Any]]:
    """The attempt of the first turn, and whether it is still there after each."""
    first = roll()
    after = {1: ~first}
    for turn in range(2, asked["turns"] + 1):
        after[turn] = after[turn - 1] & ~roll()
    return first, after


def _banishes(av: int, mod: int) -> Fraction:
    """The chance that a D6 and its modifier are more than an answer value."""
    return D6.at_least(av + 1 - mod)


def _banish_invocation(asked: Asked) -> dict[str, Any]:
    p = _banishes(asked["av"], asked["mod"][0])
    return _told(asked, "banished", p, p, _after(asked, 1 - p), _lost(asked))


def _banish_invocation_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    first, after = _repeated(asked, lambda: dice.d6(trials) + asked["mod"][0] > asked["av"])
    return _told(asked, "banished", first, first, after, _lost_rolled(asked, dice, trials))


def _check_banish_invocation(asked: Asked) -> None:
    if not asked["priest"]:
        raise InputError("a wizard is given; only a PRIEST may banish an invocation (3e hero phase 1-4)", "priest")
    _check_attempt(asked, 48, "it has to be visible within 48 inches (3e hero phase 1-4)")


_BANISH_MOD = Input("mod", Signed(1), mark("Modifier to the banishment roll"), default="0")
_TURNS = Input("turns", Whole(1, 20), mark("Own hero phases, one after the other, in which it is tried"), default=1)

BANISH_INVOCATION = Question(
    name="banish_invocation",
    inputs=(
        Input("av", ANSWER_VALUE, mark("Answer value of the invocation"), required=True),
        _BANISH_MOD,
        _TURNS,
        _LOST_AV,
        Input("lost_mod", Signed(1), _LOST_MOD.help, default="0", goes_with=("lost_av",)),
        _worth("lost_av"),
        Input("priest", Flag(), mark("A PRIEST tries it"), default=True),
        _DISTANCE,
        _ATTEMPTS,
    ),
    answers=(Answer("banished", mark("it is banished")), *_OF_LOST, _OF_STAYING),
    exact=_banish_invocation,
    simulate=_banish_invocation_rolled,
    check=_check_banish_invocation,
    rule=mark(
        "At the start of its own hero phase a priest within 48 inches may try to banish an invocation, each player "
        "once for each of them: a D6 of more than its answer value. It costs a chant of the phase."
    ),
    source="3e hero phase: 1-4",
    examples=("av=4", "av=4 turns=3", "av=3 lost_av=4 worth=2"),
    editions=THIRD,
)


def _banish_manifestation(asked: Asked) -> dict[str, Any]:
    p = unbound_chance(asked["value"] - 1, asked["mod"])
    return _told(asked, "banished", p, p, _after(asked, 1 - p), _lost(asked))


def _banish_manifestation_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    first, after = _repeated(asked, lambda: dice.total(TWO_D6, trials) + asked["mod"][0] >= asked["value"])
    return _told(asked, "banished", first, first, after, _lost_rolled(asked, dice, trials))


BANISH_MANIFESTATION = Question(
    name="banish_manifestation",
    inputs=(
        Input("value", CASTING_VALUE, mark("Banishment value of the manifestation"), required=True),
        _BANISH_MOD,
        _TURNS,
        _LOST_CV,
        Input("lost_mod", Signed(1), _LOST_MOD.help, default="0", goes_with=("lost_cv",)),
        _LOST_UNBIND,
        _worth("lost_cv"),
        _DISTANCE,
        _ATTEMPTS,
    ),
    answers=(Answer("banished", mark("it is banished")), *_OF_LOST, _OF_STAYING),
    exact=_banish_manifestation,
    simulate=_banish_manifestation_rolled,
    check=lambda asked: _check_attempt(asked, 30, "it has to be within 30 inches (4e magic)"),
    rule=mark(
        "In its own hero phase a WIZARD or PRIEST may try to banish a manifestation within 30 inches, once a turn for "
        "each of them: 2D6 of at least its banishment value. It costs one of the spells, unbinds and banishments "
        "of the phase."
    ),
    source="4e advanced rules, magic (public)",
    examples=("value=7", "value=8 turns=2", "value=7 lost_cv=6 worth=2"),
    editions=FOURTH,
)


# --- summon ---------------------------------------------------------------------------------------------------


def _stays(name: str, on_table: Any, after: dict[int, Any]) -> dict[str, Any]:
    if not after:
        return {"on_table": on_table}
    last = after[max(after)]
    return {"on_table": on_table, "remains": last, **family(name, after)}


def _check_summon(asked: Asked) -> None:
    if asked["removed_now"]:
        raise InputError(
            "what was removed this turn may not be summoned again in it (3e hero phase 2-3a, b)",
            "removed_now",
        )


def _summon_endless(asked: Asked) -> dict[str, Any]:
    cv, mod = asked["cv"], asked["mod"][0]
    on_table = resolves_chance(cv, mod, asked["unbind_mod"] or ()) * asked["placed"]
    fails = 1 - unbound_chance(cv, asked["dispel_mod"])
    after = {n: on_table * fails**n for n in range(1, asked["dispel_attempts"] + 1)}
    return {"cast": cast_chance(cv, mod), **_stays("after", on_table, after), "miscast": rolls()[None]}


def _summon_endless_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    _, miscast, cast, resolves = contest_rolled(asked["cv"], asked["mod"][0], asked["unbind_mod"] or (), dice, trials)
    there = on_table = resolves & asked["placed"]
    after = {}
    for attempt in range(1, asked["dispel_attempts"] + 1):
        there = there & (dice.total(TWO_D6, trials) + asked["dispel_mod"][0] <= asked["cv"])
        after[attempt] = there
    return {"cast": cast, **_stays("after", on_table, after), "miscast": miscast}


SUMMON_ENDLESS = Question(
    name="summon_endless",
    inputs=(
        Input("cv", CASTING_VALUE, mark("Casting value of the endless spell"), required=True),
        MOD,
        Input(
            "unbind_mod",
            Signed(MOST_UNBINDERS),
            mark("Modifier to the unbinding roll; several: of each unbinder in range; left out: nobody unbinds it"),
        ),
        _PLACED,
        Input("dispel_attempts", Whole(0, 20), mark("Attempts to dispel it afterwards"), default=0),
        Input(
            "dispel_mod",
            Signed(1),
            mark("Modifier to the dispelling rolls"),
            default="0",
            goes_with=("dispel_attempts",),
        ),
        _REMOVED,
    ),
    answers=(
        Answer("on_table", mark("it is cast, not unbound, and placed")),
        Answer("remains", mark("it is, and stays after all attempts to remove it")),
        Answer("cast", mark("it is cast")),
        Answer("miscast", mark("it is a miscast")),
        Answer("after", mark("it is on the table after so many attempts"), family=True),
    ),
    exact=_summon_endless,
    simulate=_summon_endless_rolled,
    check=_check_summon,
    rule=mark(
        "In its own hero phase a wizard may try once to summon an endless spell, as a cast that can be unbound; it "
        "takes a cast of the phase. It fails where it cannot be placed. A dispelling roll of more than its casting "
        "value removes it."
    ),
    source="3e hero phase: 2-3c, 1-4",
    examples=("cv=6 unbind_mod=0", "cv=6 unbind_mod=0 dispel_attempts=2"),
    editions=THIRD,
)


def _summon_invocation(asked: Asked) -> dict[str, Any]:
    answered = answered_chance(asked["av"], asked["mod"][0])
    fails = 1 - _banishes(asked["av"], asked["banish_mod"][0])
    on_table = answered * asked["placed"]
    after = {n: on_table * fails**n for n in range(1, asked["banish_attempts"] + 1)}
    return {"answered": answered, **_stays("after", on_table, after), "wrath": Fraction(1, 6)}


def _summon_invocation_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    face = dice.d6(trials)
    answered = (face > 1) & (face + asked["mod"][0] >= asked["av"])
    there = on_table = answered & asked["placed"]
    after = {}
    for attempt in range(1, asked["banish_attempts"] + 1):
        there = there & (dice.d6(trials) + asked["banish_mod"][0] <= asked["av"])
        after[attempt] = there
    return {"answered": answered, **_stays("after", on_table, after), "wrath": face == 1}


SUMMON_INVOCATION = Question(
    name="summon_invocation",
    inputs=(
        Input("av", ANSWER_VALUE, mark("Answer value of the invocation"), required=True),
        Input("mod", Signed(1), mark("Modifier to the chanting roll"), default="0"),
        _PLACED,
        Input("banish_attempts", Whole(0, 20), mark("Attempts to banish it afterwards"), default=0),
        Input(
            "banish_mod",
            Signed(1),
            mark("Modifier to the banishment rolls"),
            default="0",
            goes_with=("banish_attempts",),
        ),
        _REMOVED,
    ),
    answers=(
        Answer("on_table", mark("the prayer is answered, and the invocation placed")),
        Answer("remains", mark("it is, and stays after all attempts to remove it")),
        Answer("answered", mark("the prayer is answered")),
        Answer("wrath", mark("the chanting priest suffers divine wrath")),
        Answer("after", mark("it is on the table after so many attempts"), family=True),
    ),
    exact=_summon_invocation,
    simulate=_summon_invocation_rolled,
    check=_check_summon,
    rule=mark(
        "In its own hero phase a priest may try once to summon an invocation, as a prayer; it takes a chant of the "
        "phase. It fails where it cannot be placed. A banishment roll of more than its answer value removes it."
    ),
    source="3e hero phase: 2-3c, 1-4",
    examples=("av=4", "av=4 banish_attempts=1"),
    editions=THIRD,
)

QUESTIONS = (DISPEL, BANISH_INVOCATION, BANISH_MANIFESTATION, SUMMON_ENDLESS, SUMMON_INVOCATION)
