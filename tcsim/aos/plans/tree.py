"""The plan that a search found, readably: which command when, on which conditions, and how often."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, groupby, pairwise
from typing import NamedTuple, TypeAlias

from tcsim.aos.plans.known import left
from tcsim.aos.plans.search import Search, Use, Value
from tcsim.aos.plans.steps import Step
from tcsim.aos.plans.table import ENEMY, commands

#: Most sets of commands that are looked at, and most states of all of them together.
MOST_SETS, MOST_STATES = 128, 400_000

#: A view, what is chosen in it, and how likely it is.
Row: TypeAlias = tuple[Mapping[str, int], str, Fraction]


class Condition(NamedTuple):
    """Something that is known lies in a range.

    Parameters
    ----------
    name : str
        Its name in a view, ``left:UNIT`` for models that are left, or ``alive:UNIT``.
    low, high : int or None
        The range, both ends in it; None where there is no end.
    """

    name: str
    low: int | None
    high: int | None


@dataclass(frozen=True, slots=True)
class Advice:
    """A command that is used in a step, and when.

    Parameters
    ----------
    step : Step
        The step.
    choice : str
        The command, or what is done with rally points.
    unit : str
        Who does it.
    when : tuple of Condition
        All of them hold, where there is a choice; none where it is always done.
    chance : Fraction
        How often it comes to that.
    """

    step: Step
    choice: str
    unit: str
    when: tuple[Condition, ...]
    chance: Fraction


def advice(search: Search, points: int) -> list[Advice]:
    """Write the best way of spending as a plan.

    Parameters
    ----------
    search : Search
        The turn, searched.
    points : int
        Command points; one of those that were asked for.

    Returns
    -------
    list of Advice
        In the order of the steps; where nothing is said, no command is used.
    """
    found: list[Advice] = []
    for place, (step, (now, scale)) in enumerate(zip(search.steps, search.reached(points), strict=False)):
        rows: list[Row] = []
        units = set()
        for state, chance in now.items():
            branches = search.layers[place][state]
            if len(branches) > 1:
                option = search.taken(place, state).option
                rows.append((search.view(state), option.command or option.word, Fraction(chance, scale)))
                units |= {branch.option.unit for branch in branches if branch.option.unit}
        unit = min(units, default=step.event.unit)
        for when, choice, often in _paths(rows):
            if choice:
                found.append(Advice(step, choice, unit, tuple(_told(search, place, one) for one in when), often))
    return found


def _told(search: Search, place: int, condition: Condition) -> Condition:
    """Tell damage as what is known of it: models that are left, or whether the unit is there."""
    name, low, high = condition
    kind, _, of = name.partition(":")
    detail = search.detail(of, place) if kind == "lost" else "lost"
    if detail == "lost":
        return condition
    unit = search.turn.units[of]
    if detail == "left":
        least = None if high is None else left(unit, high)
        return Condition(f"left:{of}", least, None if low is None else left(unit, low))
    return Condition(f"alive:{of}", 1, None) if low is None else Condition(f"alive:{of}", None, 0)


#: Conditions, what is chosen on them, and how likely that is.
Path: TypeAlias = tuple[tuple[Condition, ...], str, Fraction]


def _paths(rows: Sequence[Row]) -> list[Path]:
    """Split rows by what is known, until in each part one thing is chosen."""
    if len({choice for _, choice, _ in rows}) <= 1:
        return [((), choice, sum((row[2] for row in rows), Fraction(0))) for _, choice, _ in rows[:1]]
    names = [name for name in rows[0][0] if len({view[name] for view, _, _ in rows}) > 1]
    name = min(names, key=lambda name: _disorder(_by_value(rows, name)))
    parts: list[tuple[int, int, list[Path]]] = []
    for value, members in _by_value(rows, name):
        paths = _paths(members)
        if parts and [path[:2] for path in parts[-1][2]] == [path[:2] for path in paths]:
            low, _, before = parts.pop()
            paths = [(when, choice, one[2] + more) for one, (when, choice, more) in zip(before, paths, strict=True)]
            parts.append((low, value, paths))
        else:
            parts.append((value, value, paths))
    found: list[Path] = []
    for number, (low, high, paths) in enumerate(parts):
        condition = Condition(name, low if number else None, high if number < len(parts) - 1 else None)
        found += [((condition, *when), choice, chance) for when, choice, chance in paths]
    return found


def _by_value(rows: Sequence[Row], name: str) -> list[tuple[int, list[Row]]]:
    every = sorted(rows, key=lambda row: row[0][name])
    return [(value, list(members)) for value, members in groupby(every, key=lambda row: row[0][name])]


def _disorder(parts: list[tuple[int, list[Row]]]) -> tuple[int, int]:
    """How far parts are from one choice each: parts with several, and how often the choice changes."""
    several = [frozenset(choice for _, choice, _ in members) for _, members in parts]
    changes = sum(one != other for one, other in pairwise(several))
    return sum(len(choices) > 1 for choices in several), changes


# --- sets that are bought whatever happens -------------------------------------------------------------------------


def conflict(search: Search, one: Use, other: Use) -> bool:
    """Say whether two commands bar each other.

    Parameters
    ----------
    search : Search
        The turn, searched.
    one, other : Use
        The commands, the earlier one first.

    Returns
    -------
    bool
        Whether they are of one unit, or the same command, in one phase (1.2); or the unit has run in that turn (4.0).
    """
    rules = commands(search.turn.edition)
    first, second = (search.steps[use.step].phase for use in (one, other))
    if first == second:
        return one.unit == other.unit or one.command == other.command
    same_turn = first.startswith(ENEMY) == second.startswith(ENEMY)
    barred = "no_run" in rules[other.command].needs or "CHARGE" in rules[other.command].keywords
    return one.unit == other.unit and same_turn and barred and "RUN" in rules[one.command].keywords


def price(search: Search, uses: Iterable[Use]) -> int:
    """Give what commands cost, each of them once.

    Parameters
    ----------
    search : Search
        The turn, searched.
    uses : iterable of Use
        The commands.

    Returns
    -------
    int
        Command points.
    """
    return sum(commands(search.turn.edition)[use.command].cost for use in uses)


def sets(search: Search, points: int) -> list[tuple[tuple[Use, ...], Value]]:
    """Judge legal sets of commands, each used whenever it may be.

    Parameters
    ----------
    search : Search
        The turn, searched.
    points : int
        Command points; one of those that were asked for.

    Returns
    -------
    list of (tuple of Use, Value)
        The best one first, of the same value the cheaper one; of very many, those of few commands.
    """
    uses = search.uses()
    most = min(MOST_SETS, MOST_STATES // sum(map(len, search.layers)))
    found: list[tuple[Use, ...]] = []
    for size in range(len(uses) + 1):
        legal = [
            some
            for some in combinations(uses, size)
            if price(search, some) <= points and not any(conflict(search, *pair) for pair in combinations(some, 2))
        ]
        if not legal or (size > 1 and len(found) + len(legal) > most):  # what holds none that is legal is not legal
            break
        found += legal
    judged = [(some, search.bought(some, points)) for some in found]
    return sorted(judged, key=lambda one: (-one[1].goal, price(search, one[0]), one[1].spent))
