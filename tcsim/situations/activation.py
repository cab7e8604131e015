"""A whole activation: how far it gets, what it does to the target, and the best order of its steps.

Every step is rolled as the scenario says (:mod:`tcsim.scenario`), a failed risky step ends all that follows; the exact
engine and the dice answer the same problems.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from tcsim.base.errors import InputError, show, unknown
from tcsim.engines.exact import solve, watch, watch_all
from tcsim.scenario.attacker import resolve_attacker
from tcsim.scenario.problem import Problem
from tcsim.scenario.resolve import Resolved, resolve
from tcsim.situations.activation_file import Asked, Doing, read_activation
from tcsim.situations.activation_rules import Legal
from tcsim.situations.activation_way import DOWN, OUT, STANDS, Branch, Writer, retreat_question
from tcsim.stats import interval, rolled

METHODS = ("exact", "monte-carlo")

#: Trials when none are named, most orders that are looked at, how many are told, and what counts as equally good.
USUAL_TRIALS, MAX_ORDERS, TOLD, TIE = 1_000_000, 5_040, 10, 1e-12


class Point(NamedTuple):
    """A step of an activation; all numbers are chances in [0, 1], or counts of trials.

    ``reached``: it is begun, the target not being out yet; ``ends``: the activation ends by it; ``down`` and ``out``:
    the target is Down, or out of action, after it.
    """

    step: str
    reached: float
    ends: float
    down: float
    out: float

    @property
    def goes_on(self) -> float:
        """It is begun, and does not end the activation."""
        return self.reached - self.ends


@dataclass(frozen=True)
class Order:
    """Orders of the steps that come to the same.

    Parameters
    ----------
    steps : tuple of str
        The one that is told.
    out : float
        P(out of action).
    ended : float
        P(the activation ends early).
    orders : int
        How many orders have this P(out of action).
    places : tuple of int
        Which of the steps that were given each step is, from 0.
    """

    steps: tuple[str, ...]
    out: float
    ended: float
    orders: int
    places: tuple[int, ...]


@dataclass(frozen=True)
class ActivationResult:
    """The answer to a whole activation.

    Parameters
    ----------
    resolved : Resolved
        What was asked, as the engines see it if the attacker keeps standing.
    points : tuple of Point
        For each step, in order.
    method : str
        ``exact`` or ``monte_carlo``.
    trials, seed : int, optional
        Of rolled answers.
    orders : tuple of Order
        The best orders, best first, where they were asked for.
    legal_orders : int
        How many legal orders there are; 0 where they were not asked for.
    notes : tuple of str
        What a reader should know.
    places : tuple of int
        Which of the steps that were given each point is, from 0.
    """

    resolved: Resolved
    points: tuple[Point, ...]
    method: str = "exact"
    trials: int | None = None
    seed: int | None = None
    orders: tuple[Order, ...] = ()
    legal_orders: int = 0
    notes: tuple[str, ...] = field(default=())
    places: tuple[int, ...] = ()

    def _chance(self, number: float) -> float:
        return number if self.trials is None else number / self.trials

    @property
    def out_of_action(self) -> float:
        """Probability in [0, 1] that the target is out of action in the end."""
        return self._chance(self.points[-1].out)

    @property
    def down(self) -> float:
        """Probability in [0, 1] that it is Down in the end."""
        return self._chance(self.points[-1].down)

    @property
    def ended_early(self) -> float:
        """Probability in [0, 1] that a failed step ends the activation before its last."""
        return self._chance(sum(point.ends for point in self.points))

    def interval(self, count: float) -> tuple[float, float]:
        """Give the 95% interval of a number of trials.

        Parameters
        ----------
        count : float
            How many of the trials.

        Returns
        -------
        float, float
            Its ends.
        """
        _, low, high = interval(int(count), self.trials or 1)
        return low, high

    def to_dict(self) -> dict[str, Any]:
        """Give the answer as plain data.

        Returns
        -------
        dict
            What ``tcsim activation --json`` prints.
        """
        points = []
        for point in self.points:
            numbers = {"reached": point.reached, "goes_on": point.goes_on, "ends_here": point.ends}
            numbers |= {"down": point.down, "out_of_action": point.out}
            told: dict[str, Any] = {"step": point.step}
            told |= {name: self._chance(number) for name, number in numbers.items()}
            if self.trials is not None:
                told["counts"] = {name: int(number) for name, number in numbers.items()}
                told["intervals"] = {name: list(self.interval(number)) for name, number in numbers.items()}
            points.append(told)
        data: dict[str, Any] = {"id": self.resolved.scenario.id, "edition": self.resolved.problem.edition}
        data |= {"method": self.method, "out_of_action": self.out_of_action, "down": self.down}
        data |= {"ended_early": self.ended_early, "points": points}
        if self.trials is not None:
            from tcsim.kernels.stream import STREAM_VERSION

            data |= rolled(self.trials, self.seed, STREAM_VERSION)
        if self.legal_orders:
            orders = [
                {"steps": list(one.steps), "out_of_action": one.out, "ended_early": one.ended, "orders": one.orders}
                for one in self.orders
            ]
            data |= {"legal_orders": self.legal_orders, "best_orders": orders}
        return data | {"notes": list(self.notes), "assumed": list(self.resolved.assumed)}


def activation(
    data: Any,
    method: str = "exact",
    trials: int | None = None,
    seed: int = 1,
    best_order: bool = False,
    catalog: Any = None,
    progress: Callable[[int], None] | None = None,
) -> ActivationResult:
    """Answer a whole activation: P(each point reached), what becomes of the target, and the best order of the steps.

    Parameters
    ----------
    data : mapping
        A scenario whose ``attacks`` are what the attacker may do, and beside them ``activation``: ``steps`` in order,
        and what is said of the attacker; both are described in docs/activation.md.
    method : str, optional
        ``exact``, or ``monte-carlo``: every die is rolled.
    trials, seed : int, optional
        Of rolled answers; default 1e6 and 1.
    best_order : bool, optional
        Also look at every legal order of the steps, exactly.
    catalog : Catalog, path, or iterable of paths, optional
        As for :func:`tcsim.odds`.
    progress : callable, optional
        Called now and then with the number of trials rolled since the last call.

    Returns
    -------
    ActivationResult
        Chances in [0, 1]; exact ones are right to 1e-12.

    Raises
    ------
    InputError
        For what is no activation, and for a step that may not be taken where it stands.

    References
    ----------
    Trench Crusade 1.6.3 (Korean source text: Down; its data: Risky Actions, Charge) and 1.0.2 (rulebook: risky success
    rolls, Charge, Down); which reading is whose stands in ``tcsim/rules/editions`` under ``[activation]``.

    Examples
    --------
    >>> import tcsim
    >>> result = tcsim.activation({
    ...     "target": {}, "attacks": [{"kind": "melee", "action_dice": 1}],
    ...     "activation": {"move": 6, "steps": ["dash", {"charge": {"distance": 9}}, "attack 1"]},
    ... })
    >>> [round(point.reached, 4) for point in result.points]
    [1.0, 0.5833, 0.3889]
    """
    if method not in METHODS:
        raise (
            unknown("method", method, METHODS, "method")
            if isinstance(method, str)
            else InputError(f"{show(method)} is given, exact or monte-carlo is allowed", "method")
        )
    if method == "exact" and trials is not None:
        raise InputError("it goes with the method monte-carlo, an exact answer needs none", "trials")
    asked = read_activation(data)
    base = resolve(asked.scenario, catalog)
    attacker = resolve_attacker(asked.scenario.attacker, base.rules, [], base.catalog)
    legal = Legal(asked, base.rules, base.actions, attacker)
    writer = Writer(asked, legal, base.catalog)
    fates = _Fates(retreat_question(asked, base.catalog))
    order, notes = asked.steps, list[str]()
    orders: tuple[Order, ...] = ()
    count = 0
    if best_order:
        order, orders, count, notes = _best(legal, writer, fates, asked)
    else:
        legal.check(order)
    branches = writer.branches(order)
    notes += [note for note in branches[0].resolved.notes if note not in notes] + fates.notes
    if method == "exact":
        parts = [_exactly(branch, share) for branch in branches if (share := fates.exact[branch.fate])]
    else:
        from tcsim.engines import monte_carlo

        trials = USUAL_TRIALS if trials is None else trials
        monte_carlo.check(trials, seed, None, "own")
        counts = fates.rolled(trials, seed)
        parts = [_by_dice(branch, n, seed, progress) for branch in branches if (n := counts[branch.fate])]
    points = _points([told(step, asked, base) for step in order], parts)
    rolled = method != "exact"
    return ActivationResult(
        branches[0].resolved,
        points,
        "monte_carlo" if rolled else "exact",
        trials if rolled else None,
        seed if rolled else None,
        orders,
        count,
        tuple(notes),
        tuple(step.place for step in order),
    )


def told(step: Doing, asked: Asked, base: Resolved) -> str:
    """Say a step with what it is: which weapon, how far.

    Parameters
    ----------
    step : Doing
        The step.
    asked : Asked
        Its activation.
    base : Resolved
        The scenario of it.

    Returns
    -------
    str
        As ``attack 1: Sword / Axe``.
    """
    if step.attack >= 0:
        return f"{step.label}: {base.actions[step.attack].label}"
    return step.label


class _Fates:
    """What becomes of an attacker that retreats."""

    def __init__(self, question: Resolved | None) -> None:
        self._question = question
        self.exact = {STANDS: 1.0, DOWN: 0.0, OUT: 0.0}
        self.notes: list[str] = []
        if question is not None:
            self.notes = [f"The free attacks: {note}" for note in question.notes if "retreating" not in note]
            self.exact = dict.fromkeys(self.exact, 0.0)
            for state, chance in solve([question.problem])[0]:
                self.exact[_fate(state)] += float(chance)

    def rolled(self, trials: int, seed: int) -> dict[str, int]:
        """Roll the free attacks, if there are any: how often each fate came up."""
        from tcsim.engines import monte_carlo
        from tcsim.engines.states import decode

        counts = {STANDS: trials, DOWN: 0, OUT: 0}
        if self._question is not None:
            counts = dict.fromkeys(counts, 0)
            for code, n in monte_carlo.count(self._question.problem, trials, seed).counts.items():
                counts[_fate(decode(code))] += n
        return counts


def _fate(state: Any) -> str:
    return OUT if state is None else DOWN if state.down else STANDS


class _Part(NamedTuple):
    """A branch with its share of everything, and what is so before its first move and after each: Down, out, ended."""

    branch: Branch
    share: float
    moments: list[tuple[float, float, float]]


def _exactly(branch: Branch, share: float) -> _Part:
    moments = [(share * branch.problem.start.down, 0.0, 0.0)]
    for moment in watch(branch.problem) if branch.problem.steps else []:
        moments.append((share * moment.down, share * moment.out, share * moment.ended))
    return _Part(branch, share, moments)


def _by_dice(branch: Branch, trials: int, seed: int, progress: Callable[[int], None] | None) -> _Part:
    from tcsim.engines import monte_carlo

    moments: list[tuple[float, float, float]] = [(trials * branch.problem.start.down, 0, 0)]
    if branch.problem.steps:
        story = monte_carlo.follow(branch.problem, trials, seed, progress)
        moments += zip(story.down, story.out, story.ended, strict=True)
    return _Part(branch, trials, moments)


def _points(labels: Sequence[str], parts: Sequence[_Part]) -> tuple[Point, ...]:
    """Add the branches up, step by step; a step that a branch does not take changes nothing in it."""
    points, place = [], [0] * len(parts)
    for number, label in enumerate(labels):
        reached = ends = down = out = 0.0
        for index, part in enumerate(parts):
            span = part.branch.spans[number]
            before = part.moments[place[index]]
            if span is not None:
                place[index] = span[1]
                reached += part.share - before[1] - before[2]
            after = part.moments[place[index]]
            ends += after[2] - before[2]
            down, out = down + after[0], out + after[1]
        points.append(Point(label, max(reached, 0.0), max(ends, 0.0), down, out))
    return tuple(points)


def _best(
    legal: Legal, writer: Writer, fates: _Fates, asked: Asked
) -> tuple[tuple[Doing, ...], tuple[Order, ...], int, list[str]]:
    """Look at every legal order: the order to tell of, the best ones, how many there are, and what to say."""
    notes: list[str] = []
    written: dict[tuple[tuple[float, Problem], ...], list[tuple[Doing, ...]]] = {}
    try:
        legal.check(asked.steps)
    except InputError as error:
        notes.append(f"The order given is not legal ({error}), so what is told step by step is the best one.")
        wrong: InputError | None = error
    else:
        wrong = None
    for order in list(legal.orders(MAX_ORDERS)):  # all of them first: too many are an error
        shares = ((fates.exact[branch.fate], branch.problem) for branch in writer.branches(order))
        written.setdefault(tuple(one for one in shares if one[0]), []).append(order)
    if not written:
        raise wrong or InputError("no order of these steps is legal", "activation.steps")
    problems = list(dict.fromkeys(problem for key in written for _, problem in key if problem.steps))
    out = {problem: dict(final).get(None, 0.0) for problem, final in zip(problems, solve(problems), strict=True)}
    ranked = sorted(
        ((sum(share * out.get(problem, 0.0) for share, problem in key), key) for key in written),
        key=lambda one: -one[0],
    )
    groups: list[list[tuple[float, Any]]] = []
    for chance, key in ranked:
        if not groups or groups[-1][0][0] - chance > TIE:
            groups.append([])
        groups[-1].append((chance, key))
    base = resolve(asked.scenario, writer.catalog)
    told_of = [problem for group in groups[:TOLD] for _, key in group for _, problem in key if problem.steps]
    stories = zip(told_of, watch_all(told_of), strict=True)
    ended_of = {problem: story[-1].ended for problem, story in stories}
    rows, first = list[Order](), asked.steps
    for group in groups[:TOLD]:
        ended = {key: sum(share * ended_of.get(problem, 0.0) for share, problem in key) for _, key in group}
        chance, key = min(group, key=lambda one: (round(ended[one[1]], 12), written[one[1]][0] != asked.steps))
        steps = next((order for order in written[key] if order == asked.steps), written[key][0])
        if not rows and wrong is not None:
            first = steps
        count = sum(len(written[key]) for _, key in group)
        places = tuple(step.place for step in steps)
        rows.append(Order(tuple(told(step, asked, base) for step in steps), chance, ended[key], count, places))
    return first, tuple(rows), sum(map(len, written.values())), notes
