"""Questions the other way round: how much of something until a chance is reached, and where two ways are even."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tcsim.analysis.needed.amounts import Amount, amount, farthest
from tcsim.analysis.needed.result import Needed, Point, Way, goal_of
from tcsim.base.errors import InputError, show
from tcsim.base.numbers import fraction
from tcsim.engines import goals
from tcsim.engines.exact import solve
from tcsim.scenario.model import Scenario
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import Resolved, resolve
from tcsim.scenario.share import plain
from tcsim.stats import interval

#: The first and the last number that are looked at; None for the usual ones.
Span = tuple[float | None, float | None]

#: What is asked for where nothing is said.
CHANCES = (0.5, 0.8, 0.95)

#: Points that a curve has at most, so that rolling them stays bearable.
MAX_POINTS = 401


def needed(
    what: str,
    scenario: Any,
    chance: Any = CHANCES,
    versus: Any = None,
    catalog: Any = None,
    trials: int = 0,
    seed: int = 1,
    span: Span = (None, None),
) -> Needed:
    """Find how much of something is needed until a chance is reached, or where two ways are equally good.

    Parameters
    ----------
    what : str
        ``attacks`` (those of the scenario, gone through again and again), ``dice``, ``injury-dice`` and
        ``injury-modifier`` (more or less of each attack), ``blood``, ``blessing`` and ``infection`` (markers on the
        target), ``attacker-blood``, ``attacker-blessing``, ``armour`` (0 to -3) or ``distance`` (inches, of all shots
        and charges).
    scenario : mapping, Scenario or Resolved
        The question; its ``spend.goal`` says what the chance is of: out (default), down, out-by-attack-N.
    chance : float, text, or several of them, optional
        The chance that is wanted, between 0 and 1: ``0.8``, ``"80%"``.
    versus : mapping, Scenario or Resolved, optional
        Another way, with as much of it; then the question is where which of the two is better.
    catalog : Catalog, path, or iterable of paths, optional
        As for :func:`tcsim.odds`.
    trials : int, optional
        Roll each point of the curve so often; 0 for exact chances.
    seed : int, optional
        Of the dice.
    span : tuple of float, optional
        The first and the last number to look at.

    Returns
    -------
    Needed
        The answers, and the whole curve.

    Raises
    ------
    InputError
        With one sentence: what was given, what is allowed.

    Examples
    --------
    >>> import tcsim
    >>> shot = {"target": {}, "attacks": [{"weapon": "Bolt-Action Rifle"}]}
    >>> charge = {"event": "charge", "move": 6}
    >>> blow = {"target": {}, "attacks": [charge, {"weapon": "Greatsword / Greataxe"}]}
    >>> [(one.last, one.better) for one in tcsim.needed("distance", blow, versus=shot).stretches]
    [(9, 'a'), (24, 'b')]
    """
    return prepared(what, scenario, chance, versus, catalog, span).answered(trials, seed)


@dataclass(frozen=True)
class Prepared:
    """A question that is understood, and yet to be answered: each way with every number."""

    amount: Amount
    questions: tuple[Resolved, ...]
    chances: tuple[float, ...]
    numbers: tuple[float, ...]

    def answered(self, trials: int = 0, seed: int = 1, progress: Callable[[int], None] | None = None) -> Needed:
        """Work it out.

        Parameters
        ----------
        trials, seed : int, optional
            As for :func:`needed`.
        progress : callable, optional
            Called now and then with the number of trials counted since the last call.

        Returns
        -------
        Needed
            The answers, and the whole curve.

        Raises
        ------
        InputError
            For a number with which it is no question.
        """
        ways = [_way(self.amount, question, self.numbers) for question in self.questions]
        numbers = self.numbers[: min(len(asked) for asked, _ in ways)]  # only what both have
        found = []
        for question, (asked, ended) in zip(self.questions, ways, strict=True):
            problems = [None if one is None else goals.as_solved(one.problem) for one in asked]
            points = _rolled(numbers, problems, trials, seed, progress) if trials else _exact(numbers, problems)
            some = next((one for one in asked if one is not None), None) if self.amount.replaces else None
            found.append(Way(question, tuple(points), some or question, ended))
        return Needed(self.amount, tuple(found), self.chances, trials, seed)


def prepared(
    what: str,
    scenario: Any,
    chance: Any = CHANCES,
    versus: Any = None,
    catalog: Any = None,
    span: Span = (None, None),
) -> Prepared:
    """Understand a question, and look at what can be wrong with it.

    Parameters
    ----------
    what, scenario, chance, versus, catalog, span
        As for :func:`needed`.

    Returns
    -------
    Prepared
        What remains to be worked out.

    Raises
    ------
    InputError
        With one sentence: what was given, what is allowed.
    """
    kind = amount(what)
    chances = () if versus is not None else tuple(read_chances(chance))
    questions = [_question(kind, one, catalog) for one in ((scenario,) if versus is None else (scenario, versus))]
    for question in questions:
        if not goals.is_chance(question.problem.goal):
            raise InputError(f"{goal_of(question)} is no chance; out, down or out-by-attack-N is allowed", "spend.goal")
    if len({goal_of(question) for question in questions}) > 1:
        raise InputError("both ways need the same goal", "spend.goal")
    numbers = kind.numbers(span, farthest(questions))
    if len(numbers) > MAX_POINTS:
        raise InputError(f"these are {len(numbers)} numbers, at most {MAX_POINTS} are looked at", "to")
    return Prepared(kind, tuple(questions), chances, tuple(numbers))


def read_chances(given: Any) -> list[float]:
    """Read the chances that are wanted.

    Parameters
    ----------
    given : float, str, or iterable of them
        As ``0.8``, ``"80%"`` or ``"4/5"``.

    Returns
    -------
    list of float
        Each once, ascending.

    Raises
    ------
    InputError
        For what is no chance above 0 and below 1.

    Examples
    --------
    >>> read_chances("80%"), read_chances([0.95, "1/2"])
    ([0.8], [0.5, 0.95])
    """
    several = isinstance(given, Iterable) and not isinstance(given, (str, bytes, dict))
    found = sorted({_chance(one) for one in (given if several else [given])})
    if not found:
        raise InputError("none is given, a chance is needed, as 80%", "chance")
    return found


def _chance(given: Any) -> float:
    number: Any = given
    if isinstance(given, str):
        text = given.strip()
        share = fraction(text.removesuffix("%"))
        number = None if share is None else share / 100 if text.endswith("%") else share
    good = isinstance(number, (int, float, Fraction)) and not isinstance(number, bool) and 0 < number < 1
    if not good:
        raise InputError(
            f"{show(given)} is given, a chance above 0% and below 100% is allowed, as 80% or 0.8", "chance"
        )
    return float(number)


def _question(kind: Amount, scenario: Any, catalog: Any) -> Resolved:
    """The question as it was asked; a charge may leave its distance out where distances are what is asked for."""
    if isinstance(scenario, Resolved):
        return scenario
    if kind.name == "distance" and isinstance(scenario, dict) and isinstance(scenario.get("attacks"), list):
        attacks = [
            {**table, "distance": 1} if isinstance(table, dict) and _lacks_distance(table) else table
            for table in scenario["attacks"]
        ]
        scenario = {**scenario, "attacks": attacks}
    return resolve(scenario if isinstance(scenario, Scenario) else from_mapping(scenario), catalog)


def _lacks_distance(table: dict[str, Any]) -> bool:
    return table.get("event") == "charge" and "distance" not in table


def _way(kind: Amount, question: Resolved, numbers: Sequence[float]) -> tuple[list[Resolved | None], str]:
    """The question with each number: None where it cannot be done; as many as there are before a mistake ends them."""
    data, asked = plain(question.scenario), list[Resolved | None]()
    for number in numbers:
        try:
            asked.append(resolve(from_mapping(kind.put(data, number, question)), question.catalog))
        except InputError as error:
            if kind.halves and error.where.endswith(".distance"):
                asked.append(None)
            elif len(asked) > 1:
                return asked, f"Looked at up to {numbers[len(asked) - 1]:g}: {error}."
            else:
                raise
    return asked, ""


def _exact(numbers: Sequence[float], problems: Sequence[Any]) -> list[Point]:
    can = [problem for problem in problems if problem is not None]
    finals = iter(zip(can, solve(can), strict=True))
    points = []
    for number, problem in zip(numbers, problems, strict=False):
        p = 0.0 if problem is None else _value(*next(finals))
        points.append(Point(number, p, p, p, possible=problem is not None))
    return points


def _value(problem: Any, final: list[tuple[Any, float]]) -> float:
    """The chance of the goal; 1 only where every end is worth 1, not for what rounding makes of a sum."""
    worths = goals.worths_of(problem, [state for state, _ in final])
    if (worths == 1).all():
        return 1.0
    return float(min(goals.value_of(problem, final), 1 - 2**-53))


def _rolled(
    numbers: Sequence[float],
    problems: Sequence[Any],
    trials: int,
    seed: int,
    progress: Callable[[int], None] | None,
) -> list[Point]:
    from tcsim.engines import monte_carlo
    from tcsim.engines.states import decode

    points, known = [], {}
    for number, problem in zip(numbers, problems, strict=False):
        if problem is None:
            points.append(Point(number, 0.0, 0.0, 0.0, 0, possible=False))
            continue
        if problem.fingerprint not in known:
            tally = monte_carlo.count(problem, trials, seed, progress=progress)
            worths = goals.worths_of(problem, [decode(code) for code in tally.counts])
            known[problem.fingerprint] = round(sum(w * n for w, n in zip(worths, tally.counts.values(), strict=True)))
        count = known[problem.fingerprint]
        _, low, high = interval(count, trials)
        points.append(Point(number, count / trials, low, high, count, asked=problem.fingerprint))
    return points
