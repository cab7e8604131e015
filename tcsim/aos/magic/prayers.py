"""Prayers: chanting in the third edition, Smite, and chanting with ritual points in the fourth."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.aos.common import D6
from tcsim.aos.counts import each, of_count, tell, tell_rolled
from tcsim.aos.editions import FOURTH, THIRD
from tcsim.aos.fights.sequence import through
from tcsim.aos.fights.wounds import D3_WOUNDS, NO_WOUND, OF_WOUNDS, ONE_WOUND, WARD, WOUND
from tcsim.aos.magic.ritual import Ritual
from tcsim.aos.said import Signed, names, one_each, refuse_beyond, refuse_twice
from tcsim.aos.spread import Spread
from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.dice import Pool
from tcsim.questions.kinds import Dice as Roll
from tcsim.questions.kinds import Flag, Number, Several, Whole, Word
from tcsim.questions.question import Answer, Asked, Input, Question, family

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: Most prayers of a phase.
MOST_PRAYERS = 6

ANSWER_VALUE, CHANTING_VALUE = Whole(1, 30), Whole(2, 40)
RITUAL = Whole(0, 60)

_CHANTING = mark(
    "A prayer is answered on a D6 of at least its answer value, one of a name once per phase, one for each priest. A "
    "natural 1 is divine wrath whatever the modifier: it fails, and the priest suffers 1 mortal wound."
)
_MOD = Input("mod", Signed(1), mark("Modifier to the chanting roll"), default="0")


def answered_chance(av: int, mod: int = 0, die: Pool = D6, wrath: int = 1) -> Fraction:
    """Chance that a prayer of the third edition is answered.

    Parameters
    ----------
    av : int
        Answer value.
    mod : int, optional
        Modifier to the chanting roll.
    die : Pool, optional
        What is rolled; default a D6.
    wrath : int, optional
        The natural roll that always fails.

    Returns
    -------
    Fraction
        Probability in [0, 1].

    Examples
    --------
    >>> answered_chance(4), answered_chance(2, 3)
    (Fraction(1, 2), Fraction(5, 6))
    """
    ways = sum(number for face, number in die.counts().items() if face != wrath and face + mod >= av)
    return Fraction(ways, die.denominator)


def answered_rolled(av: int, mod: int, dice: Dice, trials: int) -> Any:
    """Roll whether a prayer of the third edition is answered, with a D6.

    Parameters
    ----------
    av, mod : int
        As in :func:`answered_chance`.
    dice : Dice
        The dice.
    trials : int
        How many.

    Returns
    -------
    array of bool, shape (trials,)
        Whether it is answered.
    """
    face = dice.d6(trials)
    return (face != 1) & (face + mod >= av)


# --- prayers of the third edition -----------------------------------------------------------------------------

_TABLE = range(2, 7)  # answer values that are told where none is given


def _mods(asked: Asked) -> tuple[int, ...]:
    return one_each(asked["mod"], len(asked["av"] or (0,)), "mod", "prayers")


def _prayer(asked: Asked) -> dict[str, Any]:
    die, natural, values = asked["dice"], asked["natural"], asked["av"]
    once = Fraction(die.counts().get(natural, 0), die.denominator)
    count = len(values or (0,))
    through = Fraction(asked["ward"] - 1, 6)
    told: dict[str, Any] = {
        "wrath": 1 - (1 - once) ** count,
        "self_wounds": count * once * asked["wounds"] * through,
    }
    if values is None:
        return told | family("value", {av: answered_chance(av, asked["mod"][0], die, natural) for av in _TABLE})
    chances = [answered_chance(av, mod, die, natural) for av, mod in zip(values, _mods(asked), strict=True)]
    if count == 1:
        return {"answered": chances[0], **told}
    counts = Spread.summed((Spread.chance(p), 1) for p in chances)
    return {
        "all": counts.at_least(count),
        "any": counts.at_least(1),
        **told,
        **each("prayer", chances),
        **tell("expected", counts, count),
    }


def _prayer_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    from tcsim.aos.fights.rolled import warded

    values = asked["av"]
    face = dice.roll(trials, len(values or (0,)), asked["dice"].sides)
    wrath = face == asked["natural"]
    wounds = warded(wrath.sum(axis=1) * asked["wounds"], asked["ward"], dice)
    told = {"wrath": wrath.any(axis=1), "self_wounds": wounds}
    total = np.where(wrath, -100, face + np.array(_mods(asked)))  # below every answer value
    if values is None:
        return told | family("value", {av: total[:, 0] >= av for av in _TABLE})
    answered = total >= np.array(values)
    if len(values) == 1:
        return {"answered": answered[:, 0], **told}
    all_any = {"all": answered.all(axis=1), "any": answered.any(axis=1)}
    return {**all_any, **told, **each("prayer", answered), **tell_rolled("expected", answered.sum(axis=1), len(values))}


def _check_prayer(asked: Asked) -> None:
    die, values = asked["dice"], asked["av"]
    if not isinstance(die, Pool) or die.dice != 1 or die.modifier:
        raise InputError("one die is rolled for a prayer, as D6; mod takes modifiers", "dice")
    if asked["natural"] > die.sides:
        raise InputError(f"{asked['natural']} is given, the die has {die.sides} faces", "natural")
    _mods(asked)
    refuse_twice(asked, "prayers", "a prayer of one name is chanted once per phase (3e hero phase 2-2c)")
    if asked["prayers"] is not None and len(asked["prayers"]) != len(values or ()):
        raise InputError(f"{len(asked['prayers'])} names are given for {len(values or ())} answer values", "prayers")


PRAYER = Question(
    name="prayer",
    inputs=(
        Input("av", Several(ANSWER_VALUE, MOST_PRAYERS), mark("Answer value; several: of a prayer of each priest")),
        Input("mod", Signed(MOST_PRAYERS), mark("Modifier to the chanting roll; several: one each"), default="0"),
        Input("dice", Roll(), mark("What is rolled"), default="D6"),
        Input("natural", Whole(1, 20), mark("The natural roll that is divine wrath"), default=1),
        Input("wounds", Whole(0, 10), mark("Mortal wounds of divine wrath"), default=1),
        WARD,
        Input("prayers", names(MOST_PRAYERS), mark("Names of the prayers, each of them once")),
    ),
    answers=(
        Answer("answered", mark("the prayer is answered")),
        Answer("all", mark("all prayers are answered")),
        Answer("any", mark("at least one of them is answered")),
        Answer("wrath", mark("a priest suffers divine wrath")),
        Answer("self_wounds", mark("mortal wounds the priests suffer by it, on average"), WOUND),
        Answer("prayer", mark("the prayer of this number is answered"), family=True),
        *of_count(mark("prayers")),
        Answer("value", mark("a prayer of this answer value is answered"), family=True),
    ),
    exact=_prayer,
    simulate=_prayer_rolled,
    check=_check_prayer,
    rule=_CHANTING,
    source="3e hero phase: 2-2c",
    examples=("av=4", "av=4+2 mod=+1", "mod=+1"),
    editions=THIRD,
)


# --- Smite ----------------------------------------------------------------------------------------------------


def _smite(asked: Asked) -> dict[str, Any]:
    av, mod = asked["av"], asked["mod"][0]
    answered, hard = answered_chance(av, mod), answered_chance(max(av, asked["d3_on"]), mod)
    before = Spread.mixed([(1 - answered, NO_WOUND), (answered - hard, ONE_WOUND), (hard, D3_WOUNDS)])
    wounds = tell("wounds", through(before, asked["ward"]), 3)
    return {"answered": answered, "d3": hard, "wrath": Fraction(1, 6), **wounds}


def _smite_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    from tcsim.aos.fights.rolled import warded

    face, three = dice.d6(trials), dice.d3(trials)
    total = face + asked["mod"][0]
    answered = (face > 1) & (total >= asked["av"])
    hard = answered & (total >= asked["d3_on"])
    wounds = warded(np.where(hard, three, answered.astype(int)), asked["ward"], dice)
    return {"answered": answered, "d3": hard, "wrath": face == 1, **tell_rolled("wounds", wounds, 3)}


def _check_smite(asked: Asked) -> None:
    refuse_beyond(asked, 48, "Smite reaches 48 inches (3e hero phase 2-2)")
    if not asked["priest"]:
        raise InputError("the target is no PRIEST; Smite is only for an enemy PRIEST (3e hero phase 2-2)", "priest")


SMITE = Question(
    name="smite",
    inputs=(
        Input("av", ANSWER_VALUE, mark("Answer value"), default=2),
        _MOD,
        Input("d3_on", Whole(1, 30), mark("Chanting roll, modifier included, from which on it is D3"), default=6),
        WARD,
        Input("distance", Number(0, 200), mark("Inches to the target")),
        Input("priest", Flag(), mark("The target is a PRIEST"), default=True),
    ),
    answers=(
        Answer("answered", mark("the prayer is answered")),
        Answer("d3", mark("it is answered with D3 mortal wounds")),
        Answer("wrath", mark("the chanting priest suffers divine wrath")),
        *OF_WOUNDS,
    ),
    exact=_smite,
    simulate=_smite_rolled,
    check=_check_smite,
    rule=mark(
        "Answer value 2. A visible enemy PRIEST within 48 inches suffers 1 mortal wound, D3 where the chanting roll is "
        "6 or more, modifier included. A natural 1 is divine wrath."
    ),
    source="3e hero phase: 2-2, Smite",
    examples=("mod=+1", "ward=5"),
    editions=THIRD,
)


# --- ritual points --------------------------------------------------------------------------------------------


def _ritual(asked: Asked) -> Ritual:
    return Ritual(
        value=asked["value"],
        better=asked["better"],
        better_worth=asked["better_worth"],
        mod=asked["mod"][0],
        turns=asked["turns"],
        loses=asked["one"] == "lose_d3",
        eager=asked["choose"] == "at_once",
    )


def _prayer_ritual(asked: Asked) -> dict[str, Any]:
    ritual = _ritual(asked)
    found = ritual.outcome(asked["ritual"])
    told = {
        "answered": found.by_turn[-1],
        "times": found.times,
        "points": found.points,
        **family("by_turn", dict(enumerate(found.by_turn, 1))),
    }
    if asked["better"] is None:
        return told
    advice = {total: Fraction(ritual.uses(0, total)) for total in ritual.choices(asked["ritual"])}
    return {**told, "better": found.better, "worth": found.worth, **family("use_at", advice)}


def _prayer_ritual_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    ritual, mod = _ritual(asked), asked["mod"][0]
    points = np.full(trials, asked["ritual"])
    times, better, by_turn = np.zeros(trials, int), np.zeros(trials, int), {}
    for turn in range(asked["turns"]):
        face, loss = dice.d6(trials), dice.d3(trials)
        total = points + face + mod
        works = (face > 1) & (face + mod > 1)
        table = np.array([ritual.uses(turn, one) for one in range(int(total.max()) + 1)])
        uses = works & table[np.maximum(total, 0)]
        if ritual.loses:
            points = np.where(face == 1, np.maximum(points - loss, 0), points)
        points = np.where(uses, 0, np.where(works, total, points))
        times += uses
        if asked["better"] is not None:
            better += uses & (total >= asked["better"])
        by_turn[turn + 1] = times > 0
    told = {"answered": times > 0, "times": times, "points": points, **family("by_turn", by_turn)}
    if asked["better"] is None:
        return told
    advice = {total: np.full(trials, ritual.uses(0, total)) for total in ritual.choices(asked["ritual"])}
    worth = times + better * (float(asked["better_worth"]) - 1)
    return {**told, "better": better > 0, "worth": worth, **family("use_at", advice)}


def _check_ritual(asked: Asked) -> None:
    if asked["better"] is not None and asked["better"] <= asked["value"]:
        raise InputError(f"{asked['better']} is given, more than value, {asked['value']}, is needed", "better")


PRAYER_RITUAL = Question(
    name="prayer_ritual",
    inputs=(
        Input("value", CHANTING_VALUE, mark("Chanting value"), required=True),
        Input("ritual", RITUAL, mark("Ritual points the priest has"), default=0),
        Input("turns", Whole(1, 10), mark("Turns in which the priest chants, one prayer in each"), default=1),
        _MOD,
        Input("better", CHANTING_VALUE, mark("Chanting roll, points included, from which on its effect is better")),
        Input(
            "better_worth",
            Number(1, 1000),
            mark("What the better effect is worth, where the usual one is worth 1"),
            default=2,
            goes_with=("better",),
        ),
        Input(
            "choose",
            Word({"best": mark("as is best over all turns"), "at_once": mark("as soon as it is answered")}),
            mark("When the points are used"),
            default="best",
        ),
        Input(
            "one",
            Word({"lose_d3": mark("it takes D3 ritual points"), "nothing": mark("it takes none")}),
            mark("What a natural 1 does besides failing"),
            default="lose_d3",
            reason=mark("Published with the rules of prayers; the source texts are silent"),
        ),
    ),
    answers=(
        Answer("answered", mark("the prayer is answered at least once")),
        Answer("better", mark("it is answered with the better effect at least once")),
        Answer("times", mark("how often it is answered, on average"), mark("times")),
        Answer("worth", mark("worth of all answers, on average"), mark("worth")),
        Answer("points", mark("ritual points left at the end, on average"), mark("ritual points")),
        Answer("by_turn", mark("it has been answered by the end of turn"), family=True),
        Answer("use_at", mark("in the first turn: use it (100%) or bank the points (0%) at a total of"), family=True),
    ),
    exact=_prayer_ritual,
    simulate=_prayer_ritual_rolled,
    check=_check_ritual,
    rule=mark(
        "A chanting roll is a D6. A natural 1 fails; with less than 2 after modifiers nothing happens. Else the priest "
        "banks the roll as ritual points, or adds the points to it: at least the chanting value answers the prayer, "
        "and the points are used up. The choice is the best over all turns, unless choose says otherwise."
    ),
    source="4e advanced rules, prayers (public)",
    examples=("value=6 turns=2", "value=4 better=8 better_worth=3 turns=3"),
    editions=FOURTH,
)

QUESTIONS = (PRAYER, SMITE, PRAYER_RITUAL)
