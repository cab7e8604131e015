"""What factors are worth at a starting point: all that is asked of it, in a batch of problems, and the differences."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import msgspec

from tcsim.analysis.exchange.factors import BY_NAME, FACTORS, Asked, Factor, resolved
from tcsim.base.errors import InputError, show, unknown
from tcsim.base.lang import mark
from tcsim.engines import goals
from tcsim.engines.exact import Final, solve
from tcsim.scenario.asked import Instead
from tcsim.scenario.problem import Goal, Problem
from tcsim.scenario.resolve import Resolved

#: What a scenario is measured by, as goals are called: out of action; Down or out of action; blood markers, of which a
#: target that is out of action counts as bearing as many as there can be.
MEASURES = {
    "out": mark("out of action"),
    "down": mark("Down or out of action"),
    "expected-blood": mark("expected blood markers"),
}

#: What everything is counted in, unless something else is named.
TERMS = ("action_dice", "injury_dice")

#: A difference that is none: answers are right to 1e-12.
NONE_AT_ALL = 1e-11

#: So many problems that take long are answered before progress is told.
SLOW_BLOCK = 8

#: Why a factor is left out where the changed scenario is the same problem.
NOTHING = "changes nothing here"

#: Why a factor is left out for which shots that are resolved together would have to be planned, unlike the scenario's.
LONG = "takes long for shots resolved together; ask with blood_on_injury optimal"


class Worth(NamedTuple):
    """What one factor is worth.

    Parameters
    ----------
    factor : str
        Its name.
    label : str
        What people read.
    base : float
        What the changed scenario is compared with: the answer to the scenario; with the factor's markers spent, where
        they would only lie there.
    up, down : float
        What one step for the attacker, and one against them, adds to that; NaN where there is no such step.
    up_in, down_in : dict of str to float
        The same counted in other factors: so many of them add as much. Infinite beyond the end of their curve, NaN
        where they change nothing.
    """

    factor: str
    label: str
    base: float
    up: float
    down: float
    up_in: dict[str, float]
    down_in: dict[str, float]

    @property
    def size(self) -> float:
        """The larger of both changes, without its sign."""
        return max(abs(change) for change in (self.up, self.down) if not math.isnan(change))


class Curve(NamedTuple):
    """What a scenario comes to with 0, 1, 2, … steps of a factor: for the attacker (``up``), and against them."""

    up: tuple[float, ...]
    down: tuple[float, ...]

    @property
    def is_flat(self) -> bool:
        """Whether the factor cannot be more or less here."""
        return len(self.up) == len(self.down) == 1


def counted(curve: Curve, change: float) -> float:
    """Count a change in steps of a curve.

    Between whole steps the curve is a straight line. What is for the attacker is looked for among the steps for them,
    what is against them among the others; the first place that fits, from 0 on, is taken.

    Parameters
    ----------
    curve : Curve
        Its first values are those of no step.
    change : float
        What is added to the value of no step.

    Returns
    -------
    float
        Steps, below 0 for those against the attacker; infinite where the curve never gets there, NaN where the factor
        changes nothing.

    Examples
    --------
    >>> counted(Curve((0.25, 0.5, 0.625), (0.25, 0.0)), 0.3125), counted(Curve((0.25, 0.5), (0.25, 0.0)), -0.125)
    (1.5, -0.5)
    """
    if curve.is_flat:
        return math.nan
    if abs(change) < NONE_AT_ALL:
        return 0.0
    sign, values = (1, curve.up) if change > 0 else (-1, curve.down)
    wanted = values[0] + change
    for step, (before, after) in enumerate(itertools.pairwise(values)):
        reached = abs(after - wanted) < NONE_AT_ALL or (before - wanted) * (after - wanted) < 0
        if reached:
            return sign * (step + (wanted - before) / (after - before))
    return sign * math.inf


@dataclass
class Batch:
    """Problems that are to be answered together, each once; a question that comes back is not resolved anew."""

    places: dict[Problem, int] = field(default_factory=dict)
    _resolved: dict[tuple[bytes, Instead], Resolved] = field(default_factory=dict)

    def resolved(self, asked: Asked, like: Resolved) -> Resolved:
        """Resolve a changed question.

        Parameters
        ----------
        asked : Asked
            The question.
        like : Resolved
            The one it was made of; all questions of a batch have its catalogue.

        Returns
        -------
        Resolved
            In plain numbers.

        Raises
        ------
        InputError
            Where it cannot be.
        """
        key = msgspec.msgpack.encode(asked.scenario), asked.instead
        if key not in self._resolved:
            self._resolved[key] = resolved(asked, like)
        return self._resolved[key]

    def place(self, problem: Problem) -> int:
        """Add a problem, unless it is there.

        Parameters
        ----------
        problem : Problem
            The problem.

        Returns
        -------
        int
            Where its answer will stand.
        """
        return self.places.setdefault(problem, len(self.places))

    def solve(self, progress: Callable[[int], None] | None = None) -> list[tuple[Problem, Final]]:
        """Answer all of them.

        Parameters
        ----------
        progress : callable, optional
            Called now and then with how many were answered since the last call.

        Returns
        -------
        list of (Problem, Final)
            In order of their places.
        """
        problems = list(self.places)
        slow = any(problem.deals_out or problem.game is not None for problem in problems)
        size = SLOW_BLOCK if slow and progress is not None else len(problems)
        finals: list[Final] = []
        for first in range(0, len(problems), max(size, 1)):
            finals += solve(problems[first : first + size])
            if progress is not None:
                progress(len(finals) - first)
        return list(zip(problems, finals, strict=True))


def measured(problem: Problem, final: Final, of: str) -> float:
    """What an answer is by one of the measures.

    Parameters
    ----------
    problem : Problem
        The problem.
    final : Final
        Its answer.
    of : str
        One of ``MEASURES``.

    Returns
    -------
    float
        A probability in [0, 1], or a number of blood markers.
    """
    if of == "out":
        return float(dict(final).get(None, 0.0))
    return goals.value_of(replace(problem, goal=Goal(of)), final)


class Sides(NamedTuple):
    """Where the answers of a factor will stand: of its base and of both changes, None where there is none."""

    factor: Factor
    label: str
    base: int
    up: int | None
    down: int | None


#: Places of a curve: for the attacker, and against them.
Places = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class Start:
    """A starting point with all that is asked of it, in places of a batch; ``curves`` by the place that they begin at.

    ``curves`` holds those of the starting point itself, and those of each base that a factor has of its own.
    """

    asked: Asked
    question: Resolved
    place: int
    sides: tuple[Sides, ...]
    curves: dict[int, dict[str, Places]]
    left_out: dict[str, str]


def start(
    asked: Asked, question: Resolved, batch: Batch, factors: Sequence[Factor] = FACTORS, terms: Sequence[str] = TERMS
) -> Start:
    """Ask all of a starting point.

    Parameters
    ----------
    asked : Asked
        The starting point.
    question : Resolved
        The same, resolved.
    batch : Batch
        Grows.
    factors : sequence of Factor, optional
        What can be more or less.
    terms : sequence of str, optional
        Names of factors that the others are counted in.

    Returns
    -------
    Start
        Where the answers will stand, and which factors are left out, with the reason.
    """
    bases = {batch.place(question.problem): (asked, question)}
    sides, left_out = [], {}
    for factor in factors:
        reasons: list[str] = []
        try:
            base = factor.base(asked)
            under = question if base == asked else batch.resolved(base, question)
        except InputError as error:
            left_out[factor.name] = str(error)
            continue
        if under.problem.deals_out and not question.problem.deals_out:
            left_out[factor.name] = LONG
            continue
        place = batch.place(under.problem)
        label = factor.label if base == asked else factor.spent_label
        up, down = (_changed(factor, base, under, steps, batch, reasons) for steps in (1, -1))
        if up is None and down is None:
            left_out[factor.name] = next((one for one in reasons if one != NOTHING), NOTHING)
            continue
        bases.setdefault(place, (base, under))
        sides.append(Sides(factor, label, place, up, down))
    curves = {place: {name: _curve(BY_NAME[name], *base, batch) for name in terms} for place, base in bases.items()}
    return Start(asked, question, batch.place(question.problem), tuple(sides), curves, left_out)


def _changed(
    factor: Factor, asked: Asked, question: Resolved, steps: int, batch: Batch, reasons: list[str]
) -> int | None:
    """Where the answer to a changed scenario will stand; None where it cannot be, or is the same problem."""
    try:
        problem = batch.resolved(factor.change(asked, question, steps), question).problem
    except InputError as error:
        reasons.append(str(error))
        return None
    if problem == question.problem:
        reasons.append(NOTHING)
        return None
    return batch.place(problem)


def _curve(factor: Factor, asked: Asked, question: Resolved, batch: Batch) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The places of a factor's curve to both sides, as far as there is something to change."""
    sides = []
    for sign in (1, -1):
        places = [batch.place(question.problem)]
        for steps in range(1, factor.steps + 1):
            place = _changed(factor, asked, question, sign * steps, batch, [])
            if place is None or place == places[-1]:
                break
            places.append(place)
        sides.append(tuple(places))
    return sides[0], sides[1]


def worths(begun: Start, values: Sequence[float]) -> tuple[list[Worth], dict[str, Curve]]:
    """Say what the factors of a starting point are worth.

    Parameters
    ----------
    begun : Start
        The starting point.
    values : sequence of float
        The answers, in order of their places.

    Returns
    -------
    list of Worth
        In the order of the factors.
    dict of str to Curve
        What they are counted in.
    """
    curves = {
        start: {name: Curve(*(tuple(values[place] for place in side) for side in both)) for name, both in named.items()}
        for start, named in begun.curves.items()
    }
    found = []
    for one in begun.sides:
        up, down = (math.nan if place is None else values[place] - values[one.base] for place in (one.up, one.down))
        terms = curves[one.base]
        counts = _in_terms(up, terms), _in_terms(down, terms)
        found.append(Worth(one.factor.name, one.label, values[one.base], up, down, *counts))
    return found, curves[begun.place]


def _in_terms(change: float, terms: dict[str, Curve]) -> dict[str, float]:
    return {name: math.nan if math.isnan(change) else counted(curve, change) for name, curve in terms.items()}


def check_measure(of: Any, where: str = "of") -> None:
    """Check that there is a measure.

    Parameters
    ----------
    of : Any
        What was given.
    where : str, optional
        The place in the input.

    Raises
    ------
    InputError
        When it is none of ``MEASURES``.
    """
    if not isinstance(of, str):
        raise InputError(f"{show(of)} is given, {', '.join(MEASURES)} is allowed", where)
    if of not in MEASURES:
        raise unknown("measure", of, MEASURES, where)
