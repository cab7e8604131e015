"""What can be more or less about a scenario: each thing as a row of data, with how the scenario's tables say it.

A factor changes the scenario, never the numbers that come of it: what an attack ignores, what is capped and who spends
which markers is settled anew each time.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from msgspec import structs

from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.scenario.asked import AS_NAMED, Instead
from tcsim.scenario.model import Attack, Scenario, Table
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import Resolved, resolve

#: The heaviest armour that is asked about, as an injury modifier.
HEAVIEST = -20


class Asked(NamedTuple):
    """A question: a scenario as written, and what is asked in place of what names in it say."""

    scenario: Scenario
    instead: Instead = AS_NAMED


Change = Callable[[Asked, Resolved, int], Asked]


def _as_asked(asked: Asked) -> Asked:
    return asked


def _spent(field: str) -> Callable[[Asked], Asked]:
    """Spend the markers of a kind at once where the scenario spends none of them."""

    def base(asked: Asked) -> Asked:
        spend = asked.scenario.spend
        own_rows = field == "blood_on_injury" and spend.policy is not None
        if own_rows or getattr(spend, field) != "none":
            return asked
        return _with(asked, "spend", field, "all")

    return base


def _spent_best(asked: Asked) -> Asked:
    """Spend the target's blood as is best, whatever the scenario says."""
    if asked.scenario.spend.blood_on_injury == "optimal":
        raise InputError("the scenario spends it so, see blood")
    spend = structs.replace(asked.scenario.spend, blood_on_injury="optimal", policy=None)
    return asked._replace(scenario=structs.replace(asked.scenario, spend=spend))


class Factor(NamedTuple):
    """One thing that can be more or less.

    Parameters
    ----------
    name : str
        What it is called in frames and JSON.
    label : str
        What people read.
    change : callable
        Takes the question, the same resolved, and so many steps: above 0 for the attacker, below 0 against them. Gives
        the changed question, or raises InputError with why it cannot be.
    steps : int
        How many steps are asked at most; 1 for what is there or not.
    base : callable, optional
        Takes the question, and gives the one that the changed one is compared with: with markers spent that would only
        lie there.
    spent_label : str, optional
        What people read where that is another question.
    """

    name: str
    label: str
    change: Change
    steps: int = 1
    base: Callable[[Asked], Asked] = _as_asked
    spent_label: str = ""


def resolved(asked: Asked, like: Resolved) -> Resolved:
    """Resolve a changed question.

    Parameters
    ----------
    asked : Asked
        The question.
    like : Resolved
        The one it was made of, for its catalogue.

    Returns
    -------
    Resolved
        In plain numbers.

    Raises
    ------
    InputError
        Where it cannot be.
    """
    return resolve(from_mapping(asked.scenario), like.catalog, asked.instead)


def _with_attacks(asked: Asked, change: Callable[[Attack, int], Table]) -> Asked:
    """Change every attack; events stay as they are."""
    tables = asked.scenario.attacks
    changed = [change(one, index) if isinstance(one, Attack) else one for index, one in enumerate(tables)]
    return asked._replace(scenario=structs.replace(asked.scenario, attacks=changed))


def _with(asked: Asked, table: str, field: str, value: object) -> Asked:
    row = structs.replace(getattr(asked.scenario, table), **{field: value})
    return asked._replace(scenario=structs.replace(asked.scenario, **{table: row}))


def _of_attacks(field: str) -> Change:
    """A number of every attack."""

    def change(asked: Asked, question: Resolved, steps: int) -> Asked:
        return _with_attacks(asked, lambda one, _: structs.replace(one, **{field: getattr(one, field) + steps}))

    return change


def _of(table: str, field: str, sign: int) -> Change:
    """A number of the target or the attacker; ``sign`` is -1 where more of it is worse for the attacker."""

    def change(asked: Asked, question: Resolved, steps: int) -> Asked:
        number = getattr(getattr(asked.scenario, table), field)
        return _with(asked, table, field, number + sign * steps)

    return change


def _flag(table: str, field: str, good: bool) -> Change:
    """What the target or the attacker is, or is not; ``good`` is what is for the attacker."""

    def change(asked: Asked, question: Resolved, steps: int) -> Asked:
        return _with(asked, table, field, good == (steps > 0))

    return change


def _keyword(name: str) -> Change:
    """A keyword of every attack."""

    def change(asked: Asked, question: Resolved, steps: int) -> Asked:
        if steps < 0:
            return asked._replace(instead=asked.instead._replace(without=asked.instead.without | {name}))
        has = [name in action.keywords for action in question.actions]
        return _with_attacks(
            asked, lambda one, at: one if has[at] else structs.replace(one, keywords=[*one.keywords, name])
        )

    return change


def _situation(name: str, good: bool, measure: str = "") -> Change:
    """A situation of every attack of its kind; one that was measured is said instead, if it measures nothing else."""

    def change(asked: Asked, question: Resolved, steps: int) -> Asked:
        if name not in question.rules.modifiers:
            raise InputError(f"the edition {question.problem.edition} has no such situation")
        kind = question.rules.modifiers[name].kind

        def say(value: bool | None) -> Asked:
            def table(one: Attack, at: int) -> Attack:
                action = question.actions[at]
                if action.kind != kind:
                    return one
                holds = any(line.why.split(", ")[-1] == name.replace("_", " ") for line in action.lines)
                said = structs.replace(one, **{name: holds if value is None else value})
                return structs.replace(said, **{measure: None}) if measure else said

            return _with_attacks(asked, table)

        attacks = [one for one in asked.scenario.attacks if isinstance(one, Attack)]
        is_measured = measure and any(getattr(one, measure) is not None for one in attacks)
        if is_measured and resolved(say(None), question).problem != question.problem:
            raise InputError(f"{measure} is given, and more depends on it")
        return say(good == (steps > 0))

    return change


def _armour(asked: Asked, question: Resolved, steps: int) -> Asked:
    """The target's armour, step by step: lighter up to none, heavier from whatever is worn."""
    target = question.target
    number = target.body + target.shield + steps
    if not HEAVIEST <= number <= 0:
        raise InputError(f"the armour would be {number}, {HEAVIEST} to 0 is allowed")
    return asked._replace(instead=asked.instead._replace(armour=number))


def _attacks(asked: Asked, question: Resolved, steps: int) -> Asked:
    """The last attack so many times more; or without the last ones."""
    tables = list(asked.scenario.attacks)
    for _ in range(abs(steps)):
        attacks = [(at, one) for at, one in enumerate(tables) if isinstance(one, Attack)]
        if not attacks:
            raise InputError("at least one attack is needed")
        at, last = attacks[-1]
        times = last.times + (1 if steps > 0 else -1)
        tables[at : at + 1] = [structs.replace(last, times=times)] if times else []
    return asked._replace(scenario=structs.replace(asked.scenario, attacks=tables))


#: Most steps of a curve.
MOST = 10

#: Every factor, what is for the attacker first. A new one is a row here.
FACTORS = (
    Factor("action_dice", mark("1 DICE"), _of_attacks("action_dice"), MOST),
    Factor("injury_dice", mark("1 injury die"), _of_attacks("injury_dice"), MOST),
    Factor("injury_modifier", mark("1 injury modifier"), _of_attacks("injury_modifier"), MOST),
    Factor("attacks", mark("1 attack, as the last one"), _attacks, MOST),
    Factor("critical", "CRITICAL", _keyword("CRITICAL")),
    Factor("deadly", "DEADLY", _keyword("DEADLY")),
    Factor("fire", "FIRE", _keyword("FIRE")),
    Factor("ignore_armour", "IGNORE ARMOUR", _keyword("IGNORE ARMOUR")),
    Factor("armour", mark("1 step of armour"), _armour, MOST),
    Factor("tough", "TOUGH", _flag("target", "tough", False)),
    Factor("down", mark("Down"), _flag("target", "down", True)),
    Factor(
        *("blood", mark("1 blood marker"), _of("target", "blood", 1), 6),
        *(_spent("blood_on_injury"), mark("1 blood marker, spent at once")),
    ),
    Factor(
        *("blood_best", mark("1 blood marker, spent best"), _of("target", "blood", 1), 6),
        *(_spent_best, mark("1 blood marker, spent best")),
    ),
    Factor(
        *("blessing", mark("1 blessing marker"), _of("target", "blessing", -1), 6),
        *(_spent("blessing_on_injury"), mark("1 blessing marker, spent at once")),
    ),
    Factor("cover", mark("cover"), _situation("cover", False)),
    Factor("long_range", mark("long range"), _situation("long_range", False, "distance")),
    Factor("elevated", mark("elevated"), _situation("elevated", True, "height")),
    Factor("defended_obstacle", mark("defended obstacle"), _situation("defended_obstacle", False)),
    Factor("off_hand", mark("off hand"), _situation("off_hand", False)),
    Factor("fear", mark("fear"), _situation("fear", False)),
    Factor("diving_charge", mark("diving charge"), _situation("diving_charge", True)),
    Factor("attacker_down", mark("attacker down"), _flag("attacker", "down", False)),
    Factor(
        *("attacker_blood", mark("1 blood marker of the attacker"), _of("attacker", "blood", -1), 6),
        *(_spent("blood_on_action"), mark("1 blood marker of the attacker, spent")),
    ),
    Factor(
        *("attacker_blessing", mark("1 blessing marker of the attacker"), _of("attacker", "blessing", 1), 6),
        *(_spent("blessing_on_action"), mark("1 blessing marker of the attacker, spent")),
    ),
)

#: By name.
BY_NAME = {factor.name: factor for factor in FACTORS}
