"""All-out Attack and All-out Defence: what +1 to hit and +1 to save are worth."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import reduce
from typing import TYPE_CHECKING, Any

from tcsim.aos.editions import FOURTH
from tcsim.aos.fights.inputs import (
    FREE_REND,
    HIT_MOD,
    MODIFIERS,
    READINGS,
    SAVING_TARGET,
    TARGET,
    WEAPON,
    WEAPONS,
    check_most,
    check_several,
    check_target,
    check_weapons,
    fight_of,
    hitting,
    target_of,
    weapons_of,
)
from tcsim.aos.fights.sequence import NONE, Modifiers, Target, destroyed, to_hit, to_save
from tcsim.aos.fights.told import COMPARED, COMPARED_MODELS, POINTS, compared, compared_rolled, rare
from tcsim.aos.fights.weapons import Fight, Needed, Weapons
from tcsim.aos.spread import Spread
from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.questions.kinds import Whole, Word
from tcsim.questions.question import Answer, Asked, Input, Question, family, once

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tcsim.questions.rolling import Dice

#: Hit characteristics, and Rend, that the gain of a roll is told for.
_HITS, _RENDS = range(2, 7), range(4)

#: What strikes back at a unit, and at which save.
BACK = (
    Input("enemy_weapons", Weapons(), mark("Weapons that strike back; left out: the same as its own")),
    Input("own_save", Needed(2, none=True), mark("Its own Save; left out: that of its target")),
    Input("own_ward", Needed(2, none=True), mark("Its own ward"), default=NONE),
)


def back_of(asked: Asked, save: int) -> Fight:
    """Read what strikes back.

    Parameters
    ----------
    asked : Asked
        With the inputs of :data:`BACK`.
    save : int
        Sum of the modifiers of its saves.

    Returns
    -------
    Fight
        Against the unit; with no weapons where none are known.
    """
    weapons = asked["enemy_weapons"] or weapons_of(asked)
    own = asked["save"] if asked["own_save"] is None else asked["own_save"]
    return Fight(weapons, Target(own, asked["own_ward"]), Modifiers(save=save), fight_of(asked).readings)


def check_back(asked: Asked) -> None:
    """Check what is said of weapons, target, and of what strikes back.

    Parameters
    ----------
    asked : Asked
        With the inputs of a fight and of :data:`BACK`.

    Raises
    ------
    InputError
        For what does not go together.
    """
    check_weapons(asked, needed=False)
    check_target(asked)
    check_several(asked.edition, asked["enemy_weapons"] or (), "enemy_weapons")


# --- All-out Attack -------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Attack:
    """The fight with the command, what comes back at the unit, and the damage of all of it."""

    fight: Fight
    back: Fight | None
    damages: tuple[Spread, ...]


@once
def _all(asked: Asked) -> _Attack:
    fight = fight_of(asked, asked["mod"])
    back = back_of(asked, asked["own_save_mod"])
    struck_back = back.weapons and (asked["own_save_mod"] or "enemy_weapons" in asked.given)
    rolled = [fight, fight.changed(hit=-1)] if fight.weapons else []
    rolled += [back, back.changed(save=-asked["own_save_mod"])] if struck_back else []
    return _Attack(fight, back if struck_back else None, tuple(one.damage() for one in rolled))


def _apart(fight: Fight) -> list[tuple[int, Fight]]:
    """Each weapon by itself, by its number."""
    return [(number, replace(fight, weapons=(one,))) for number, one in enumerate(fight.weapons, 1)]


def _gain(fight: Fight) -> Fraction:
    """Damage that +1 to hit, which is in the fight already, adds to it."""
    return fight.mean() - fight.changed(hit=-1).mean()


def _attack(asked: Asked) -> dict[str, Fraction]:
    known = _all(asked)
    answers: dict[str, Fraction] = {}
    if asked["hit"] is not None:
        after, before = known.fight.modifiers, known.fight.changed(hit=-1).modifiers
        hit, critical = to_hit(hitting(asked, asked["hit"]), after)
        without = to_hit(hitting(asked, asked["hit"]), before)[0]
        answers = {"hit": hit, "hit_without": without, "gain_hit": hit - without, "critical": critical}
        gains = {n: to_hit(hitting(asked, n), after)[0] - to_hit(hitting(asked, n), before)[0] for n in _HITS}
        answers |= family("gain_at", gains)
    if known.fight.weapons:
        changed, plain = known.damages[:2]
        answers |= {"gain": changed.mean() - plain.mean()} | compared(asked, changed, plain)
        if len(known.fight.weapons) > 1:
            answers |= family("gain_on", {number: _gain(one) for number, one in _apart(known.fight)})
    if known.back is not None:
        worse, usual = (one.mean() for one in known.damages[-2:])
        answers |= {"taken": worse, "taken_without": usual}
    return answers


def _attack_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    from tcsim.aos.fights.rolled import fought, hit_roll

    known = _all(asked)
    answers: dict[str, Any] = {}
    if asked["hit"] is not None:
        after, before = known.fight.modifiers, known.fight.changed(hit=-1).modifiers
        first, second = dice.d6(trials), dice.d6(trials)

        def thrown(number: int, modifiers: Modifiers) -> tuple[NDArray[Any], NDArray[Any]]:
            return hit_roll(hitting(asked, number), modifiers, first, second)

        (hit, critical), (without, _) = thrown(asked["hit"], after), thrown(asked["hit"], before)
        answers = {"hit": hit, "hit_without": without, "gain_hit": hit & ~without, "critical": critical}
        gains = {number: thrown(number, after)[0] & ~thrown(number, before)[0] for number in _HITS}
        answers |= family("gain_at", gains)
    if known.fight.weapons:
        changed = fought(known.fight, dice, trials)
        plain = fought(known.fight.changed(hit=-1), dice, trials)
        spreads = known.damages[0], known.damages[1]
        answers |= {"gain": changed - plain} | compared_rolled(asked, spreads, changed, plain)
        if len(known.fight.weapons) > 1:
            apart = dict(_apart(known.fight))
            gains = {
                n: fought(one, dice, trials) - fought(one.changed(hit=-1), dice, trials) for n, one in apart.items()
            }
            answers |= family("gain_on", gains)
    if known.back is not None:
        answers["taken"] = fought(known.back, dice, trials)
        answers["taken_without"] = fought(known.back.changed(save=-asked["own_save_mod"]), dice, trials)
    return answers


def _check_attack(asked: Asked) -> None:
    check_back(asked)
    if asked["hit"] is None and asked["weapons"] is None:
        raise InputError("it is needed, as hit=4, or weapons=10x4+/4+/-1/1", "hit")


ALL_OUT_ATTACK = Question(
    name="all_out_attack",
    inputs=(
        *WEAPON,
        WEAPONS,
        *TARGET,
        Input(
            "mod", Whole(-9, 9), mark("Sum of the modifiers of hit rolls, that of the command among them"), default=1
        ),
        *MODIFIERS,
        Input(
            "own_save_mod",
            Whole(-9, 0),
            mark("What the command changes of the unit's own saves for the rest of the turn"),
            default={"4e": 0, "4e_late": -1},
            reason=mark("The later text of the command has it"),
            editions=FOURTH,
        ),
        *BACK,
        *READINGS,
    ),
    answers=(
        Answer("gain", mark("damage that the command point adds, on average"), POINTS),
        *COMPARED,
        Answer("hit", mark("a roll hits")),
        Answer("hit_without", mark("a roll hits without it")),
        Answer("gain_hit", mark("a roll hits thanks to it")),
        Answer("critical", mark("a roll is a critical hit, with it or without")),
        *COMPARED_MODELS[:4],
        Answer("taken", mark("damage that comes back at the unit, on average"), POINTS),
        Answer("taken_without", mark("damage that would come back without the command, on average"), POINTS),
        Answer("gain_at", mark("a roll hits thanks to it, by what hit rolls need"), family=True),
        Answer("gain_on", mark("damage that it adds to the attacks of each weapon, by its number"), POINTS, True),
        *COMPARED_MODELS[4:],
    ),
    exact=_attack,
    simulate=_attack_rolled,
    check=_check_attack,
    rule={
        "4e": mark(
            "A unit that attacks gets +1 to its hit rolls for all attacks of that ability, companion weapons too. "
            "Modifiers of hit rolls are held to -1 and +1, natural 1s miss, natural 6s are critical with it or without."
        ),
        "4e_late": mark(
            "A unit that attacks gets +1 to its hit rolls for all attacks of that ability, companion weapons too, and "
            "-1 to its own saves for the rest of the turn. Modifiers of hit rolls are held to -1 and +1, natural 1s "
            "miss, natural 6s are critical with it or without."
        ),
    },
    source={"4e": "commands, 6.0", "4e_late": "later core rules of the fourth edition, All-out Attack"},
    examples=("hit=4", "attacks=10 hit=3 wound=3 rend=1 save=4", "weapons=5x4+/3+/-1/2,2x3+/3+/0/1/companion save=4"),
    notes=lambda asked: rare(*_all(asked).damages[:2]) if _all(asked).fight.weapons else (),
    editions=FOURTH,
)


# --- All-out Defence ------------------------------------------------------------------------------------------


def _plain(asked: Asked) -> list[Fight]:
    """The attack ability of each enemy unit in the phase, without the command."""
    fight = fight_of(asked, asked["hit_mod"], asked["bonus"] - 1)
    if asked["weapons"] is not None:
        return [replace(fight, weapons=(one,)) for one in fight.weapons]
    return [fight] * asked["enemy_units"] if fight.weapons else []


def _covers(asked: Asked, number: int, attacks: int) -> list[bool]:
    """Which attacks the command helps against where it is declared against one of them."""
    return [at == number or (asked["duration"] == "phase" and at > number) for at in range(1, attacks + 1)]


@dataclass(frozen=True, slots=True)
class _Defence:
    """Damage of all attacks by the one that the command is declared against, without it, and which one is best."""

    by: dict[int, Spread]
    plain: Spread
    best: int


@once
def _defences(asked: Asked) -> _Defence | None:
    each = [(fight.parts(), fight.changed(save=1).parts()) for fight in _plain(asked)]
    if not each:
        return None
    by = {}
    for number in range(1, len(each) + 1):
        covered = _covers(asked, number, len(each))
        by[number] = Spread.summed(part for two, helped in zip(each, covered, strict=True) for part in two[helped])
    target = target_of(asked)
    best = min(by, key=lambda number: (destroyed(by[number], target), by[number].mean(), number))
    return _Defence(by, Spread.summed(part for plain, _ in each for part in plain), best)


def _used(asked: Asked, known: _Defence) -> int:
    return known.best if asked["used_on"] is None else int(asked["used_on"])


def _defence(asked: Asked) -> dict[str, Fraction]:
    answers: dict[str, Fraction] = {}
    if asked["weapons"] is None:
        before, after = fight_of(asked, 0, asked["bonus"] - 1), fight_of(asked, 0, asked["bonus"])
        saves = {
            rend: [to_save(asked["save"], rend, one.modifiers, one.readings) for one in (before, after)]
            for rend in (*_RENDS, asked["rend"])
        }
        without, with_it = saves[asked["rend"]]
        answers = {"save": with_it, "save_without": without, "gain_save": with_it - without}
        answers |= family("gain_rend", {rend: saves[rend][1] - saves[rend][0] for rend in _RENDS})
    known = _defences(asked)
    if known is None:
        return answers
    changed, plain = known.by[_used(asked, known)], known.plain
    answers |= {"prevented": plain.mean() - changed.mean()} | compared(asked, changed, plain)
    if len(known.by) > 1:
        answers["best"] = Fraction(known.best)
        answers |= family("on", {number: plain.mean() - one.mean() for number, one in known.by.items()})
        if asked["models"] is not None:
            gone = {number: destroyed(one, target_of(asked)) for number, one in known.by.items()}
            answers |= family("destroyed_on", gone)
    return answers


def _defence_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    from tcsim.aos.fights.rolled import fought, save_roll, slain

    answers: dict[str, Any] = {}
    if asked["weapons"] is None:
        before, after = fight_of(asked, 0, asked["bonus"] - 1), fight_of(asked, 0, asked["bonus"])
        first, second = dice.d6(trials), dice.d6(trials)
        saves = {
            rend: [save_roll(one, rend, first, second) for one in (before, after)] for rend in (*_RENDS, asked["rend"])
        }
        without, with_it = saves[asked["rend"]]
        answers = {"save": with_it, "save_without": without, "gain_save": with_it & ~without}
        answers |= family("gain_rend", {rend: saves[rend][1] & ~saves[rend][0] for rend in _RENDS})
    known = _defences(asked)
    if known is None:
        return answers
    rolled = [(fought(one, dice, trials), fought(one.changed(save=1), dice, trials)) for one in _plain(asked)]

    def total(number: int) -> NDArray[np.int64]:
        covered = _covers(asked, number, len(rolled))
        return reduce(np.add, [two[helped] for two, helped in zip(rolled, covered, strict=True)])

    used, plain = _used(asked, known), reduce(np.add, [one for one, _ in rolled])
    changed = total(used)
    answers |= {"prevented": plain - changed} | compared_rolled(asked, (known.by[used], known.plain), changed, plain)
    if len(known.by) > 1:
        answers["best"] = np.full(trials, known.best)
        answers |= family("on", {number: plain - total(number) for number in known.by})
        if asked["models"] is not None:
            gone = {number: slain(total(number), target_of(asked)) for number in known.by}
            answers |= family("destroyed_on", {number: models == asked["models"] for number, models in gone.items()})
    return answers


def _defence_notes(asked: Asked) -> tuple[str, ...]:
    known = _defences(asked)
    return () if known is None else rare(known.by[_used(asked, known)], known.plain)


def _check_defence(asked: Asked) -> None:
    check_weapons(asked, needed=False)
    check_target(asked)
    count = asked["enemy_units"] if asked["weapons"] is None else len(asked["weapons"])
    if asked["weapons"] is not None and asked["enemy_units"] != 1:
        raise InputError(
            "it goes with one weapon; of several, each is the attack ability of one enemy unit", "enemy_units"
        )
    check_most(weapons_of(asked), asked["enemy_units"])
    if asked["used_on"] is not None and asked["used_on"] > count:
        raise InputError(f"{asked['used_on']} is given, there are {count} attack abilities", "used_on")


ALL_OUT_DEFENCE = Question(
    name="all_out_defence",
    inputs=(
        *(FREE_REND if one.name == "rend" else one for one in WEAPON),
        Input(
            "weapons",
            Weapons(),
            mark("The attack abilities of several enemy units, a weapon each, in the order in which they fight"),
        ),
        Input("enemy_units", Whole(1, 12), mark("How many enemy units make these attacks in the phase"), default=1),
        *SAVING_TARGET,
        Input(
            "bonus", Whole(-9, 9), mark("Sum of the modifiers of save rolls, that of the command among them"), default=1
        ),
        Input(
            "duration",
            Word({"phase": mark("every attack until the phase ends"), "attack": mark("that attack ability alone")}),
            mark("What the command helps against"),
            default={"4e": "phase", "4e_late": "attack"},
            reason=mark("The later text of the command ends with the attack ability"),
            editions=FOURTH,
        ),
        Input("used_on", Whole(1, 12), mark("Against which attack ability it is declared; left out: the best one")),
        HIT_MOD,
        *MODIFIERS,
        *READINGS,
    ),
    answers=(
        Answer("prevented", mark("damage that the command point prevents, on average"), POINTS),
        *COMPARED,
        Answer("save", mark("a roll saves")),
        Answer("save_without", mark("a roll saves without it")),
        Answer("gain_save", mark("a roll saves thanks to it")),
        *COMPARED_MODELS[:4],
        Answer("best", mark("the attack ability that it is best declared against"), mark("number of the attack")),
        Answer("gain_rend", mark("a roll saves thanks to it, by Rend"), family=True),
        Answer("on", mark("damage prevented, by the attack ability that it is declared against"), POINTS, True),
        Answer(
            "destroyed_on",
            mark("the unit is destroyed, by the attack ability that it is declared against"),
            family=True,
        ),
        *COMPARED_MODELS[4:],
    ),
    exact=_defence,
    simulate=_defence_rolled,
    check=_check_defence,
    rule={
        "4e": mark(
            "A unit that is attacked gets +1 to its save rolls until the end of the phase. The modifier of a save "
            "roll, rend included, is at most +1, with no limit below; a natural 1 fails, a natural 6 saves nothing by "
            "itself."
        ),
        "4e_late": mark(
            "A unit that is attacked gets +1 to its save rolls until that attack ability has been resolved. The "
            "modifier of a save roll, rend included, is at most +1, with no limit below; a natural 1 fails, a natural "
            "6 saves nothing by itself."
        ),
    },
    source={"4e": "commands, 7.0", "4e_late": "later core rules of the fourth edition, All-out Defence"},
    examples=(
        "save=4 rend=1",
        "attacks=10 hit=3 wound=3 rend=1 save=4 enemy_units=2",
        "weapons=10x3+/3+/-1/1,4x3+/2+/-2/D3 save=4 models=5 health=2",
    ),
    notes=_defence_notes,
    editions=FOURTH,
)

QUESTIONS = (ALL_OUT_ATTACK, ALL_OUT_DEFENCE)
