"""Objective outlook: whether an objective is held over the next checks, while both units there fight.

Exactly, it is the chain of ``chain``; states stay few where Health times models does.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.aos.control.chain import Chances, Unit
from tcsim.aos.control.check import CONTROL, OWNERS, PLACE, SIDE_INPUTS, SIDES, Side, held_rolled, score_rolled
from tcsim.aos.control.inputs import body_inputs, save_input
from tcsim.aos.editions import FOURTH
from tcsim.aos.fights.inputs import check_most
from tcsim.aos.fights.sequence import Target
from tcsim.aos.fights.weapons import Fight, Weapons
from tcsim.base.errors import InputError
from tcsim.base.lang import mark, tr
from tcsim.questions.kinds import Several, Whole, Word
from tcsim.questions.question import Answer, Asked, Input, Question, family, once

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tcsim.questions.rolling import Dice

#: Most checks; most states of damage of both units together, times checks; and most attacks of a unit at a time.
CHECKS, STATES, ATTACKS = 10, 4000, 120

#: In whose turns a unit attacks.
FIGHTS = {
    "every": mark("in every turn"),
    "own": mark("in its own turns"),
    "enemy": mark("in the enemy's turns"),
}


# --- what is asked --------------------------------------------------------------------------------------------


def _turns(asked: Asked, name: str) -> frozenset[int]:
    """Numbers of the turns in which a player's unit attacks."""
    wanted = asked[f"{name}_fights"]
    own = {number for number, active in enumerate(asked["turns"], 1) if active == name.lower()}
    every = set(range(1, len(asked["turns"]) + 1))
    return frozenset({"every": every, "own": own, "enemy": every - own}[wanted])


@once
def _units(asked: Asked) -> tuple[Unit, Unit]:
    a, b = (_unit(asked, *names) for names in (SIDES, SIDES[::-1]))
    return a, b


def _unit(asked: Asked, name: str, other: str) -> Unit:
    controls = (asked[f"{name}_control"],) * asked[f"{name}_models"]
    there = Side(controls, mod=asked[f"{name}_mod"], beast=asked[f"{name}_beast"], others=asked[f"{name}_others"])
    weapons, support = asked[f"{name}_weapons"], asked[f"{name}_support"]
    target = Target(asked[f"{other}_save"], asked[f"{other}_ward"], health=asked[f"{other}_health"])
    return Unit(
        there,
        asked[f"{name}_health"],
        asked[f"{name}_wounded"],
        None if weapons is None else Fight(weapons, target),
        None if support is None else Fight(support, target),
        asked["attacks_by"] == "model",
        _turns(asked, name),
        frozenset(asked[f"{name}_power"] or ()),
        asked[f"{other}_ward"],
    )


def _most_attacks(asked: Asked, weapons: str) -> int:
    attacks = [weapon.attacks for weapon in asked[weapons] or ()]
    most = sum(one if isinstance(one, int) else max(one.counts()) for one in attacks)
    each = weapons.endswith("_weapons") and asked["attacks_by"] == "model"
    return most * asked[f"{weapons[0]}_models"] if each else most


def _check(asked: Asked) -> None:
    last = len(asked["turns"])
    if not asked["B_models"]:
        idle = [one.name for one in _OF_BOTH if one.name in asked.given and asked[one.name] is not None]
        if idle:
            raise InputError("B has no unit there, it goes with B_models", idle[0])
    for name, other in (SIDES, SIDES[::-1]):
        health, theirs = asked[f"{name}_health"], asked[f"{other}_health"]
        if asked[f"{name}_wounded"] >= health:
            raise InputError(f"damage on a model is less than its Health, {health}", f"{name}_wounded")
        for weapons in (f"{name}_weapons", f"{name}_support"):
            most = _most_attacks(asked, weapons)
            check_most(asked[weapons] or (), where=weapons)
            if most > ATTACKS:
                raise InputError(f"these are up to {most:,} attacks at a time, at most {ATTACKS} are followed", weapons)
        power = asked[f"{name}_power"]
        if power and max(power) > last:
            raise InputError(f"there are {last} turns, {max(power)} is none of them", f"{name}_power")
        if power and theirs >= health:
            raise InputError(
                f"Power Through is illegal: its target needs a lower Health, and {theirs} is not lower than {health} "
                "(commands, 8.0)",
                f"{name}_power",
            )
    states = 1
    for name in SIDES:
        states *= asked[f"{name}_models"] * asked[f"{name}_health"] + 1
    most = STATES // last
    if states > most:
        raise InputError(
            f"the units can be damaged in {states:,} ways together (models times Health plus 1 of each, multiplied), "
            f"at most {most:,} are followed over {last} checks: give fewer models, or fewer turns"
        )


# --- exactly --------------------------------------------------------------------------------------------------


def _exact(asked: Asked) -> dict[str, Fraction]:
    a, b = _units(asked)
    sticky, owner = asked["place"] == "objective", CONTROL[asked["owner"]]
    now = Chances({(a.wounded, b.wounded, owner, True): 1}, 1)
    controls: dict[str, dict[int, Fraction]] = {"a_controls": {}, "b_controls": {}, "held": {}}
    points = {"a": Fraction(0), "b": Fraction(0)}
    for number, active in enumerate(asked["turns"], 1):
        order = ((a, b, 1), (b, a, 0)) if active == "a" else ((b, a, 0), (a, b, 1))
        blows = [(*order[0], order[0][0].shots)]
        blows += [(*one, one[0].attacks) for one in order if number in one[0].turns]
        blows += [(*one, one[0].powers) for one in order if number in one[0].power]
        for who, other, at, dealt in blows:
            now = now.struck(who, other, at, dealt)
        now = now.judged(a, b, sticky)
        controls["a_controls"][number] = now.chance(lambda state: state[2] == 1)
        controls["b_controls"][number] = now.chance(lambda state: state[2] == -1)
        controls["held"][number] = now.chance(lambda state: state[3])
        points[active] += asked["vp"] * controls[f"{active}_controls"][number]
    last = len(asked["turns"])
    answers = {
        "last": controls["a_controls"][last],
        "never_lost": controls["held"][last],
        "checks": sum(controls["a_controls"].values(), Fraction(0)),
        "vp_a": points["a"],
        "vp_b": points["b"],
        "destroyed_a": now.chance(lambda state: state[0] == a.lethal),
        "left_a": now.mean(lambda state: a.left(state[0])),
    }
    if b.lethal:
        answers["destroyed_b"] = now.chance(lambda state: state[1] == b.lethal)
        answers["left_b"] = now.mean(lambda state: b.left(state[1]))
    for name, chances in controls.items():
        answers |= family(name, chances)
    return answers


# --- rolled ---------------------------------------------------------------------------------------------------


def _simulate(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    from tcsim.aos.fights.rolled import fought, warded

    units = dict(zip("ab", _units(asked), strict=True))
    taken = {name: np.full(trials, unit.wounded) for name, unit in units.items()}
    held, kept = np.full(trials, CONTROL[asked["owner"]]), np.ones(trials, bool)
    told: dict[str, dict[int, Any]] = {"a_controls": {}, "b_controls": {}, "held": {}}
    points = {name: np.zeros(trials) for name in units}

    def models(name: str) -> NDArray[np.int64]:
        unit = units[name]
        lost: NDArray[np.int64] = np.minimum(taken[name] // unit.health, len(unit.side.controls))
        return len(unit.side.controls) - lost

    for number, active in enumerate(asked["turns"], 1):
        order = ("a", "b") if active == "a" else ("b", "a")
        shooting = units[active].support
        if shooting is not None:
            taken[order[1]] = taken[order[1]] + fought(shooting, dice, trials)
        for name in order:
            unit, other = units[name], "b" if name == "a" else "a"
            if number in unit.turns and unit.strike is not None:
                strikers = models(name)
                often = strikers if unit.by_model else np.minimum(strikers, 1)
                taken[other] = taken[other] + fought(unit.strike, dice, often)
        for name in order:
            unit, other = units[name], "b" if name == "a" else "a"
            if number in unit.power:
                taken[other] = taken[other] + warded(np.where(models(name) > 0, dice.d3(trials), 0), unit.ward, dice)
        a, b = (
            score_rolled(unit.side, models(name) * asked[f"{name.upper()}_control"]) for name, unit in units.items()
        )
        held = held_rolled(a, b, held, asked["place"] == "objective")
        kept = kept & (held == 1)
        told["a_controls"][number], told["b_controls"][number], told["held"][number] = held == 1, held == -1, kept
        points[active] = points[active] + asked["vp"] * told[f"{active}_controls"][number]
    answers: dict[str, Any] = {
        "last": held == 1,
        "never_lost": kept,
        "checks": np.sum(list(told["a_controls"].values()), axis=0),
        "vp_a": points["a"],
        "vp_b": points["b"],
    }
    there = [name for name, unit in units.items() if unit.side.controls]
    answers |= {f"destroyed_{name}": models(name) == 0 for name in there}
    answers |= {f"left_{name}": models(name) for name in there}
    for name, chances in told.items():
        answers |= family(name, chances)
    return answers


# --- the question ---------------------------------------------------------------------------------------------


def _labels(asked: Asked) -> dict[str, str]:
    turns = {"a": mark("after check {number}, A's turn"), "b": mark("after check {number}, B's turn")}
    return {str(number): tr(turns[active], number=number) for number, active in enumerate(asked["turns"], 1)}


def _inputs(name: str) -> tuple[Input, ...]:
    begin = f"{name}_"
    models = (
        Input("A_models", Whole(1, 100), mark("Models of A's unit, all of which contest"), required=True)
        if name == "A"
        else Input("B_models", Whole(0, 100), mark("Models of B's unit, all of which contest"), default=0)
    )
    sides = {one.name: replace(one, goes_with=()) for one in SIDE_INPUTS}
    return (
        models,
        *(sides[f"{begin}{rest}"] for rest in ("control", "mod", "beast", "others")),
        save_input(name, f"{begin}save"),
        *body_inputs(name, f"{begin}ward", f"{begin}health", f"{begin}wounded"),
        Input(
            f"{begin}weapons",
            Weapons(6),
            mark("Weapons of each of its models, as 2x3+/4+/1/D3 (attacks, hit, wound, Rend, Damage); left out: none"),
        ),
        Input(f"{begin}fights", Word(FIGHTS), mark("When it attacks"), default="every", goes_with=(f"{begin}weapons",)),
        Input(
            f"{begin}support",
            Weapons(6),
            mark("Weapons of that player's other units, in all: they attack in their own turns, before the combat"),
        ),
        Input(
            f"{begin}power",
            Several(Whole(1, CHECKS), CHECKS),
            mark("Numbers of the turns at whose end it uses Power Through: it charged in them, as 1 or 1+3"),
        ),
    )


#: What says nothing where B has no unit there: what it is, and what is done to it.
_OF_BOTH = tuple(
    one
    for one in (*_inputs("A"), *_inputs("B"))
    if one.name in ("A_weapons", "A_fights", "A_support", "A_power")
    or (one.name[0] == "B" and one.name not in ("B_models", "B_others", "B_support"))
)


def _notes(asked: Asked) -> tuple[str, ...]:
    notes = [
        mark(
            "One unit a side is followed; in each turn the active player's attacks first, the other with what is left. "
            "Other units keep their score."
        )
    ]
    if asked["A_power"] or asked["B_power"]:
        notes.append(mark("Power Through costs a command point; the move after it is not counted."))
    return tuple(notes)


QUESTIONS = (
    Question(
        name="outlook",
        inputs=(
            *_inputs("A"),
            *_inputs("B"),
            Input(
                "attacks_by",
                Word({"model": mark("of each model that is left"), "unit": mark("of the unit while one is left")}),
                mark("Whose attacks are given"),
                default="model",
                reason=mark("Losses reduce the models that attack"),
            ),
            Input("owner", Word(OWNERS), mark("Who controls it before the check"), default="a"),
            PLACE,
            Input(
                "turns",
                Several(Word({"a": "", "b": ""}), CHECKS),
                mark("Whose turn it is before each check, as a+b+b+a"),
                default="a+b+a+b",
            ),
            Input("vp", Whole(0, 20), mark("Victory points for control at the end of a player's own turn"), default=1),
        ),
        answers=(
            Answer("last", mark("A controls it after the last check")),
            Answer("never_lost", mark("A controls it after every check")),
            Answer("checks", mark("checks after which A controls it"), mark("checks")),
            Answer("vp_a", mark("what A scores for it"), mark("victory points")),
            Answer("vp_b", mark("what B scores for it"), mark("victory points")),
            Answer("destroyed_a", mark("A's unit is destroyed")),
            Answer("destroyed_b", mark("B's unit is destroyed")),
            Answer("left_a", mark("models of A's unit that are left"), mark("models")),
            Answer("left_b", mark("models of B's unit that are left"), mark("models")),
            Answer("a_controls", mark("A controls it"), family=True, labels=_labels),
            Answer("b_controls", mark("B controls it"), family=True, labels=_labels),
            Answer("held", mark("A controls it at every check so far"), family=True, labels=_labels),
        ),
        exact=_exact,
        simulate=_simulate,
        check=_check,
        rule=mark(
            "Control is judged at the end of every turn, after Power Through. The higher score gains "
            "it; equal scores change nothing; on objectives it lasts until the opponent gains it. Damage stays, and "
            "slain models neither contest nor attack."
        ),
        source="end of turn, 31.0 and 32.2; commands, 8.0; attacks: public rules",
        examples=(
            "A_models=10 A_save=4+ A_weapons=1x4+/4+/0/1 B_models=5 B_health=2 B_save=4+ B_weapons=2x3+/3+/1/1",
            "A_models=5 A_health=2 A_save=4+ A_ward=6+ B_support=10x3+/3+/1/1 turns=b+a+b",
            "A_models=3 A_health=4 A_save=3+ B_models=10 B_weapons=1x4+/4+/0/1 A_power=1+3 turns=a+b+a",
        ),
        editions=FOURTH,
        notes=_notes,
    ),
)
