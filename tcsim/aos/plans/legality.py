"""Whether a plan of commands is legal, what it costs, and which rule forbids it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from tcsim.aos.editions import FOURTH, THIRD
from tcsim.aos.plans.forbids import RULES, broken, section
from tcsim.aos.plans.plan import Each, Plan, Some, Use
from tcsim.aos.plans.table import command
from tcsim.base.errors import InputError, unknown
from tcsim.base.lang import mark, tr
from tcsim.questions.kinds import Flag, Whole, Word
from tcsim.questions.question import YES_OR_NO, Answer, Asked, Input, Question, family, once

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tcsim.questions.rolling import Dice

#: Sets of a plan are listed where it has so many uses at most; of longer ones they are counted.
MOST_LISTED = 4

_POINTS = mark("command points")


def cost(uses: Sequence[Use], edition: str) -> int:
    """Give what a plan costs.

    Parameters
    ----------
    uses : sequence of Use
        The plan.
    edition : str
        The edition.

    Returns
    -------
    int
        Command points.
    """
    return sum(command(edition, use.command).cost for use in uses)


@once
def _legality(asked: Asked) -> dict[str, int]:
    uses, edition = asked["plan"], asked.edition
    breaks = broken(uses, asked, edition)
    spent = cost(uses, edition)
    answers = {"legal": int(not breaks), "cost": spent, "left": max(asked["cp"] - spent, 0)}
    named = [one.rule for one in breaks]
    answers |= family("forbids", {rule: named.count(rule) for rule in dict.fromkeys(named)})
    legal = _sets(asked)
    prices = [cost(some, edition) for some in legal]
    if len(uses) <= MOST_LISTED:
        answers |= family("set", dict(enumerate(prices[1:], 1)))
    within = {points: sum(price <= points for price in prices) for points in range(asked["cp"] + 1)}
    return answers | family("legal_sets", within)


@once
def _sets(asked: Asked) -> list[tuple[Use, ...]]:
    """Sets of the plan's uses that are legal and can be paid, the cheapest first; the empty one is the first of all."""
    uses, edition = asked["plan"], asked.edition
    every = [some for size in range(len(uses) + 1) for some in combinations(uses, size)]
    legal = [some for some in every if not some or not broken(some, asked, edition)]
    return sorted((some for some in legal if cost(some, edition) <= asked["cp"]), key=lambda some: cost(some, edition))


def _set_labels(asked: Asked) -> dict[str, str]:
    return {str(number): ", ".join(map(str, some)) for number, some in enumerate(_sets(asked)) if some}


def _labels(asked: Asked) -> dict[str, str]:
    """The rule that forbids, where it stands, and the uses that it forbids first."""
    told: dict[str, str] = {}
    for one in broken(asked["plan"], asked, asked.edition):
        rule = RULES[one.rule]
        told.setdefault(one.rule, f"{tr(rule.name)} ({section(one, asked.edition)}): {', '.join(map(str, one.uses))}")
    return told


def _notes(asked: Asked) -> tuple[str, ...]:
    breaks, notes = broken(asked["plan"], asked, asked.edition), []
    if breaks:
        rule = RULES[breaks[0].rule]
        told = mark("Not legal: {rule} ({section}).")
        notes.append(told.format(rule=rule.name, section=section(breaks[0], asked.edition)))
    if asked.edition in FOURTH:
        notes.append(mark("What is reacted to is taken to be declared, and a target to be there."))
        if "charged" not in asked.given and any(use.phase == "end" for use in asked["plan"]):
            notes.append(mark("Power Through in your own turn: its unit is taken to have charged."))
    return tuple(notes)


def _check(asked: Asked) -> None:
    for use in asked["plan"]:
        command(asked.edition, use.command, "plan")
        if use.issuer and asked.edition in FOURTH:
            raise InputError(f"{use} is given, commands are issued in the third edition only", "plan")
    units = {name for use in asked["plan"] for name in (use.unit, use.issuer) if name}
    for name in ("in_combat", "ran", "charged", "wizard", "priest", "hero", "general", "totem", "had_finest_hour"):
        for unit in asked[name] or ():
            if unit not in units:
                raise unknown("unit in the plan", unit, sorted(units), name)


def _simulate(asked: Asked, dice: Dice, trials: int) -> dict[str, NDArray[np.int64]]:
    """No dice are rolled: the answer is the same in every trial."""
    import numpy as np

    return {name: np.full(trials, value) for name, value in _legality(asked).items()}


_IN = {"fourth": FOURTH, "third": THIRD}


def _some(name: str, help_: str, which: str = "") -> Input:
    return Input(name, Some(), help_, editions=_IN[which] if which else ())


LEGALITY = Question(
    name="command_legality",
    inputs=(
        Input("plan", Plan(), mark("Commands and who uses them when, as a:all_out_attack@combat"), required=True),
        Input(
            "cp",
            Whole(0, 20),
            mark("Command points there are"),
            default={"4e": 4, "4e_late": 4, "3e": 2, "3e_launch": 2},
            reason=mark("4 for a round in the fourth edition; 1 and the general's 1 in the third"),
        ),
        Input("commands", Flag(), mark("Whether the module Commands is played"), default=True, editions=FOURTH),
        _some("in_combat", mark('Units that are in combat; in the third edition, within 3" of an enemy')),
        _some("ran", mark("Units that used a RUN ability this turn, beside those of the plan"), "fourth"),
        _some("charged", mark("Units that charged this turn, beside those of the plan"), "fourth"),
        _some("wizard", mark("Units that are a WIZARD")),
        _some("priest", mark("Units that are a PRIEST")),
        Input("health", Each(1, 60), mark("Health of the units"), editions=FOURTH),
        Input("target_health", Each(1, 60), mark("Health of what each unit uses Power Through on"), editions=FOURTH),
        Input(
            "run_bars",
            Word(
                {
                    "shoot_and_charge": mark("every SHOOT and CHARGE ability"),
                    "covering_fire": mark("Covering Fire alone"),
                }
            ),
            mark("What a unit may not do in a turn in which it ran"),
            default="shoot_and_charge",
            reason=mark("the core rules bar both; the source text of commands says it of Covering Fire alone"),
            editions=FOURTH,
        ),
        _some("hero", mark("Units that are a HERO"), "third"),
        _some("general", mark("Units that are the general"), "third"),
        _some("totem", mark("Units that are a TOTEM"), "third"),
        Input("distance", Each(0, 200), mark("Inches from issuer to receiver, as h>a:10"), editions=THIRD),
        Input("casts", Each(1, 12), mark("Casts or unbinds of each WIZARD in a phase"), editions=THIRD),
        _some("had_finest_hour", mark("Heroes that had Finest Hour in this battle before"), "third"),
    ),
    answers=(
        Answer("legal", mark("the plan is legal"), YES_OR_NO),
        Answer("cost", mark("what it costs"), _POINTS),
        Answer("left", mark("what is left"), _POINTS),
        Answer(
            "forbids",
            mark("rules that forbid it, the first one first, and how often"),
            mark("times"),
            True,
            _labels,
            bars=False,
        ),
        Answer(
            "set", mark("legal sets of these commands, and what each costs"), _POINTS, True, _set_labels, bars=False
        ),
        Answer("legal_sets", mark("legal sets of these commands, by command points; none counts"), mark("sets"), True),
    ),
    exact=_legality,
    simulate=_simulate,
    check=_check,
    editions=(*THIRD, *FOURTH),
    notes=_notes,
    rule={
        **dict.fromkeys(
            THIRD,
            mark(
                "A command costs 1 point. A unit issues one and receives one per phase, each command is issued once "
                "per phase; one heroic action per hero phase; dispelling, banishing and summoning use casts and chants."
            ),
        ),
        **dict.fromkeys(
            FOURTH,
            mark(
                "Whatever costs command points is a command, and is paid at once. A unit uses one per phase, an army "
                "uses each of them once per phase; Redeploy is a RUN, which bars Covering Fire in that turn."
            ),
        ),
    },
    source={
        **dict.fromkeys(THIRD, "hero phase source text, 1-1 to 2-3"),
        **dict.fromkeys(FOURTH, "commands source text, 1.2 to 8.0"),
    },
    examples=(
        "plan=a:redeploy@enemy_movement+a:covering_fire@enemy_shooting",
        "plan=a:all_out_attack@combat+b:all_out_defence@combat cp=4",
        "plan=a:counter_charge@enemy_charge+a:power_through@enemy_end health=a:5 target_health=a:2",
    ),
)

QUESTIONS = (LEGALITY,)
