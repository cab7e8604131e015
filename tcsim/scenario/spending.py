"""Spending policies and goals of the user's own: rows as they are written, to rules in plain numbers.

A policy is a list of rows, matched first to last: the first whose conditions all hold says what is spent on a hit;
where none holds, nothing is. What a row would spend must be there in every state that it matches, which is checked
here, so that no engine ever meets a choice that cannot be made.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from tcsim.base.errors import InputError, show, unknown
from tcsim.scenario import problem as p
from tcsim.scenario.model import GoalRow, PolicyRow, SpendPolicy
from tcsim.scenario.problem import EVERY_MARKER, GOAL_OUT, Condition, Goal, Problem, Rule, Worth

#: Largest number that a condition can meet.
MOST = 1000

#: Conditions that are numbers, and those that are true or false; the others of a row say what is spent.
AMOUNTS = ("attacks_left", "blood", "infection", "blessing", "hits_in_a_row", "plain_hits", "critical_hits")
FLAGS = ("down", "tough", "spared", "warded", "firm", "critical", "ended", "first_critical")

#: Goals by name; ``out-by-attack-N`` besides.
GOALS = ("out", "down", "expected-blood")
_BY_ATTACK = "out-by-attack-"

_CHOICE = re.compile(r"(\d{1,2})|bloodbath(?:\+(\d{1,2}))?", re.ASCII)
_RANGE = re.compile(r"(>=|<=|)\s*(\d{1,4})|(\d{1,4})\s*[-–]\s*(\d{1,4})", re.ASCII)


def rules_of(rows: Sequence[PolicyRow], places: Sequence[str]) -> tuple[Rule, ...]:
    """Read the rows of a policy.

    Parameters
    ----------
    rows : sequence of PolicyRow
        As written.
    places : sequence of str
        Where each stands, for errors.

    Returns
    -------
    tuple of Rule
        In the same order.

    Raises
    ------
    InputError
        For a row that says nothing, or more than one thing.

    Examples
    --------
    >>> rules_of([PolicyRow(blood=">=3", down=True, bloodbath=True)], ["row 1"])[0].conditions
    (Condition(name='blood', least=3, most=1000), Condition(name='down', least=1, most=1))
    """
    return tuple(_rule(row, place) for row, place in zip(rows, places, strict=True))


def _rule(row: PolicyRow, place: str) -> Rule:
    conditions = _conditions(row, place)
    single, joint = (row.dice, row.bloodbath), (row.on_plain, row.on_critical)
    if all(part is None for part in (*single, *joint)):
        raise InputError("the row does not say what is spent: dice, bloodbath, on_plain or on_critical", place)
    if any(part is not None for part in joint):
        if any(part is not None for part in (*single, row.critical)):
            raise InputError("on_plain and on_critical are for all hits, so no dice, bloodbath or critical", place)
        plain, critical = (
            tuple(_choice(text, f"{place}.{name}") for text in given or ())
            for name, given in (("on_plain", row.on_plain), ("on_critical", row.on_critical))
        )
        return Rule(conditions, plain=plain, critical=critical)
    dice: Any = row.dice or 0
    if isinstance(dice, str):
        if dice != "all":
            raise InputError(f'{show(dice)} is given, a whole number from 0 to 12 or "all" is allowed', f"{place}.dice")
        dice = EVERY_MARKER
    return Rule(conditions, dice, int(bool(row.bloodbath)))


def _choice(given: int | str, place: str) -> tuple[int, int]:
    """Read what one hit gets: 2, "bloodbath" or "bloodbath+1"."""
    found = _CHOICE.fullmatch(str(given).strip().casefold())
    if found is None:
        raise InputError(f'{show(given)} is given, a number, "bloodbath" or "bloodbath+1" is allowed', place)
    return (int(found[1]), 0) if found[1] else (int(found[2] or 0), 1)


def _conditions(row: PolicyRow | GoalRow, place: str) -> tuple[Condition, ...]:
    found = []
    for name in AMOUNTS:
        given = getattr(row, name, None)
        if given is not None:
            found.append(Condition(name, *_range(given, f"{place}.{name}")))
    for name in FLAGS:
        flag = getattr(row, name, None)
        if flag is not None:
            most = MOST if flag and name == "spared" else int(flag)  # it may be more than once
            found.append(Condition(name, int(flag), most))
    return tuple(found)


def _range(given: int | str, place: str) -> tuple[int, int]:
    match = _RANGE.fullmatch(str(given).strip())
    if match is None:
        raise InputError(f'{show(given)} is given, a whole number, ">=3", "<=2" or "3-5" is allowed', place)
    sign, number, low, high = match.groups()
    if low is not None:
        least, most = int(low), int(high)
    else:
        least = 0 if sign == "<=" else int(number)
        most = MOST if sign == ">=" else int(number)
    if least > most:
        raise InputError(f"{show(given)} is given, the range ends before it begins", place)
    return least, most


def check_rules(problem: Problem, places: Sequence[str]) -> None:
    """Check that what each row would spend can be paid, and is legal, in every state that it matches.

    Parameters
    ----------
    problem : Problem
        With its rules.
    places : sequence of str
        Where each rule stands.

    Raises
    ------
    InputError
        For the first row that cannot be.
    """
    attacks = [step for step in problem.steps if step.kind == p.ATTACK for _ in range(step.volleys)]
    discounts = [step.special.bloodbath_cheaper for step in reversed(attacks)]
    for rule, place in zip(problem.rules, places, strict=True):
        held = {condition.name: condition for condition in rule.conditions}
        least = {name: held[name].least if name in held else 0 for name in AMOUNTS}
        spent = [(rule.dice, rule.bloodbath)]
        if rule.is_joint:
            spent = []
            for name, given in (("plain_hits", rule.plain or ()), ("critical_hits", rule.critical or ())):
                if len(given) > least[name]:
                    raise InputError(f'it spends on {len(given)} {name}, so give {name} = ">={len(given)}"', place)
                spent += given
        if not problem.rulings.bloodbath_leftovers and any(dice and bath for dice, bath in spent):
            raise InputError("by the option bloodbath_leftovers no marker is left to be a die of a Bloodbath", place)
        if problem.nature.no_dice and any(dice for dice, _ in spent):
            raise InputError("markers of this target pay for no injury dice, only for a Bloodbath", place)
        there = least["blood"] + least["infection"]
        left = held.get("attacks_left", Condition("attacks_left", 1, MOST))
        cheaper = min(discounts[max(left.least - 1, 0) : left.most], default=0)
        for down, full in enumerate((problem.charts.bloodbath_cost, problem.charts.bloodbath_cost_down)):
            if "down" in held and held["down"].least != down:
                continue
            price = sum(max(dice, 0) + bath * max(full - cheaper, 1) for dice, bath in spent)
            if price > there:
                posture = "Down" if down else "standing"
                held_so = f'so give blood = ">={price}"' + (" or down = true" if not down and rule.bloodbath else "")
                raise InputError(
                    f"it spends {price} markers of a {posture} target, and matches one that has {there}, {held_so}",
                    place,
                )


def goal_of(spend: SpendPolicy) -> Goal:
    """Read what the target's blood is spent for.

    Parameters
    ----------
    spend : SpendPolicy
        As written.

    Returns
    -------
    Goal
        In plain numbers.

    Raises
    ------
    InputError
        For a goal that there is not.
    """
    given = spend.goal
    if not isinstance(given, str):
        if not given:
            raise InputError("at least one row is needed, the array is empty", "spend.goal")
        worths = (_worth(row, f"spend.goal[{index}]") for index, row in enumerate(given))
        return Goal("own", 0, tuple(worths))
    name = given.strip().casefold().replace("_", "-")
    if name.startswith(_BY_ATTACK):
        number = name.removeprefix(_BY_ATTACK)
        if not re.fullmatch(r"[1-9]\d{0,3}", number, re.ASCII):
            raise InputError(f"{show(given)} is given, a number from 1 stands behind {_BY_ATTACK}", "spend.goal")
        return Goal("out-by-attack", int(number))
    if name not in GOALS:
        raise unknown("goal", given, (*GOALS, f"{_BY_ATTACK}2"), "spend.goal")
    return GOAL_OUT if name == "out" else Goal(name)


def _worth(row: GoalRow, place: str) -> Worth:
    conditions = _conditions(row, place)
    if row.out_of_action and conditions:
        raise InputError("out of action has no other conditions: nothing is left of the target", place)
    out = -1 if row.out_of_action is None and not conditions else int(bool(row.out_of_action))
    return Worth(conditions, out, float(row.value))
