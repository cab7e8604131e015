"""What was found of a question asked the other way round: the curve, what it needs, and where two ways cross."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tcsim.analysis.needed.amounts import Amount
from tcsim.scenario.resolve import Resolved
from tcsim.stats import SAME, rolled

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Point:
    """The chance with one number.

    Parameters
    ----------
    number : float
        How much of what is asked for.
    p : float
        The chance of the goal, in [0, 1].
    low, high : float
        The ends of its 95% interval; both ``p`` where it is exact.
    count : int, optional
        How often it was counted; None where it is exact.
    possible : bool, optional
        False where the attack cannot be made at all: out of range, or out of reach of a charge.
    asked : str, optional
        Fingerprint of the problem: what was rolled once for several numbers is the same answer.
    """

    number: float
    p: float
    low: float
    high: float
    count: int | None = None
    possible: bool = True
    asked: str = ""


@dataclass(frozen=True)
class Answer:
    """How much is needed for a chance.

    Parameters
    ----------
    chance : float
        The chance that is wanted.
    number : float or None
        The first number that reaches it; None if none does.
    there, before : float or None
        The chance with that number, and with the one before it.
    spans : tuple of (float, float)
        From where to where it is reached, in order; one span that ends at the last number means that it stays.
    earliest, latest : float or None
        Rolled: the first number whose interval reaches the chance at all, and the first that is above it with its whole
        interval; exact: both ``number``.
    """

    chance: float
    number: float | None
    there: float | None
    before: float | None
    spans: tuple[tuple[float, float], ...]
    earliest: float | None
    latest: float | None


@dataclass(frozen=True)
class Stretch:
    """From where to where the same way is better.

    Parameters
    ----------
    first, last : float
        The numbers.
    better : str
        ``a``, ``b`` or ``same``.
    sure : bool
        Whether it is so with every number: always where it is exact, else where the 95% interval of the difference
        leaves 0 out.
    """

    first: float
    last: float
    better: str
    sure: bool


@dataclass(frozen=True)
class Crossing:
    """Where another way becomes the better one.

    Parameters
    ----------
    last, first : float
        The last number of the stretch before, and the first of the stretch after.
    earliest, latest : float or None
        Rolled: the last number before with which the one way is surely better, and the first after with which the
        other one is; None where there is none. Exact: ``last`` and ``first``.
    """

    last: float
    first: float
    earliest: float | None
    latest: float | None


@dataclass(frozen=True)
class Way:
    """One question and its curve; ``shown`` has one of the numbers, ``ended`` says why the curve stops early."""

    resolved: Resolved
    curve: tuple[Point, ...]
    shown: Resolved
    ended: str = ""


@dataclass(frozen=True, repr=False)
class Needed:
    """What is needed for a chance, or where two ways are even.

    Parameters
    ----------
    amount : Amount
        What there is more or less of.
    ways : tuple of Way
        The question, or the two that are compared.
    chances : tuple of float
        The chances that are wanted; none where two ways are compared.
    trials, seed : int
        How often each point was rolled, 0 for never; and the seed.

    Examples
    --------
    >>> import tcsim
    >>> found = tcsim.needed("attacks", {"target": {"injury_modifier": -1}, "attacks": [{}]}, chance=0.5)
    >>> found.answers[0].number, round(found.answers[0].there, 3), round(found.answers[0].before, 3)
    (5, 0.505, 0.416)
    """

    amount: Amount
    ways: tuple[Way, ...]
    chances: tuple[float, ...]
    trials: int = 0
    seed: int = 1

    def __repr__(self) -> str:
        return f"<Needed: {self.amount.name}, {len(self.ways[0].curve)} numbers, {len(self.ways)} ways>"

    @property
    def resolved(self) -> Resolved:
        """The question as it was asked."""
        return self.ways[0].resolved

    @property
    def points(self) -> tuple[Point, ...]:
        """The curve of the question, in order."""
        return self.ways[0].curve

    @property
    def answers(self) -> list[Answer]:
        """How much each chance needs."""
        return [_answer(self.points, chance) for chance in self.chances]

    @property
    def stretches(self) -> list[Stretch]:
        """Where two ways are compared, which one is better from where to where; else nothing."""
        return _stretches(self.ways[0].curve, self.ways[1].curve) if len(self.ways) == 2 else []

    @property
    def crossings(self) -> list[Crossing]:
        """Where two ways are compared, each change from one stretch to the next."""
        stretches = self.stretches
        pairs = [] if not stretches else list(zip(self.ways[0].curve, self.ways[1].curve, strict=True))
        sure = [(a.number, 1 if a.p > b.p else -1) for a, b in pairs if abs(a.p - b.p) >= SAME and is_sure(a, b)]
        found = []
        for before, after in pairwise(stretches):
            if not self.trials:
                found.append(Crossing(before.last, after.first, before.last, after.first))
                continue
            numbers = [a.number for a, _ in pairs]
            at = numbers.index(after.first)
            sides = {"a": 1, "b": -1, "same": 0}
            early = [n for n, side in sure if n in numbers[:at] and side == sides[before.better]]
            late = [n for n, side in sure if n in numbers[at:] and side == sides[after.better]]
            found.append(Crossing(before.last, after.first, early[-1] if early else None, late[0] if late else None))
        return found

    @property
    def is_flat(self) -> bool:
        """Whether no number changes anything."""
        return all(max(p.p for p in way.curve) - min(p.p for p in way.curve) < SAME for way in self.ways)

    @property
    def settles(self) -> bool:
        """Whether more of it would change nothing one sees: the last steps of an exact curve are next to nothing."""
        last = [point.p for point in self.points[-3:]]
        return not self.trials and len(self.points) > 3 and max(last) - min(last) < 5e-5

    def rows(self) -> list[dict[str, Any]]:
        """Give the curves as plain data.

        Returns
        -------
        list of dict
            ``way`` (``a``, ``b``), ``number``, ``p``, ``possible``; rolled also ``count``, ``low``, ``high``.
        """
        rows = []
        for name, way in zip("ab", self.ways, strict=False):
            for point in way.curve:
                row: dict[str, Any] = {"way": name, "number": point.number, "p": point.p, "possible": point.possible}
                if self.trials:
                    row |= {"count": point.count, "low": point.low, "high": point.high}
                rows.append(row)
        return rows

    @property
    def curve(self) -> pd.DataFrame:
        """The curves.

        Returns
        -------
        DataFrame
            As :meth:`rows`.
        """
        import pandas as pd

        return pd.DataFrame(self.rows())

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data, as the command line prints it with ``--json``.

        Returns
        -------
        dict
            ``id``, ``edition``, ``method``, ``goal``, ``what``, ``answers`` or ``better``, ``curve``; ``options`` and
            ``notes`` when there is something to say.
        """
        question = self.resolved
        answer: dict[str, Any] = {
            "id": question.scenario.id,
            "edition": question.problem.edition,
            "method": "monte_carlo" if self.trials else "exact",
            "goal": goal_of(question),
            "what": self.amount.name,
        }
        if self.trials:
            from tcsim.kernels.stream import STREAM_VERSION

            answer |= rolled(self.trials, self.seed, STREAM_VERSION)
        if len(self.ways) == 2:
            answer["better"] = [vars(one) for one in self.stretches]
            answer["crossings"] = [vars(one) for one in self.crossings]
        else:
            answer["answers"] = [_told(one, self.trials) for one in self.answers]
        answer["curve"] = self.rows()
        if question.files:
            answer["catalog"] = [file.mark for file in question.files]
        if question.options:
            answer["options"] = question.options
        notes = list(dict.fromkeys(note for way in self.ways for note in (*way.resolved.notes, way.ended) if note))
        return answer | ({"notes": notes} if notes else {})


def goal_of(question: Resolved) -> str:
    """Name the goal of a question, as a scenario does.

    Parameters
    ----------
    question : Resolved
        The question.

    Returns
    -------
    str
        ``out``, ``down`` or ``out-by-attack-N``.
    """
    goal = question.problem.goal
    return f"{goal.name}-{goal.attack}" if goal.attack else goal.name


def _told(one: Answer, trials: int) -> dict[str, Any]:
    told = {**vars(one), "spans": [list(span) for span in one.spans]}
    if not trials:
        del told["earliest"], told["latest"]
    return told


def _answer(points: Sequence[Point], chance: float) -> Answer:
    reached = [point.p >= chance - SAME for point in points]
    spans: list[tuple[float, float]] = []
    for index, (point, good) in enumerate(zip(points, reached, strict=True)):
        if good and index and reached[index - 1]:
            spans[-1] = (spans[-1][0], point.number)
        elif good:
            spans.append((point.number, point.number))
    at = reached.index(True) if spans else None
    earliest = next((point.number for point in points if point.high >= chance - SAME), None)
    latest = next((point.number for point in points if point.low >= chance - SAME), None)
    if at is None:
        return Answer(chance, None, None, None, (), earliest, latest)
    before = points[at - 1].p if at else None
    return Answer(chance, points[at].number, points[at].p, before, tuple(spans), earliest, latest)


def _stretches(one: Sequence[Point], other: Sequence[Point]) -> list[Stretch]:
    found: list[Stretch] = []
    for a, b in zip(one, other, strict=True):
        better = "same" if abs(a.p - b.p) < SAME else "a" if a.p > b.p else "b"
        sure = is_sure(a, b)
        if found and found[-1].better == better:
            last = found[-1]
            found[-1] = Stretch(last.first, a.number, better, last.sure and sure)
        else:
            found.append(Stretch(a.number, a.number, better, sure))
    return found


def is_sure(a: Point, b: Point) -> bool:
    """Whether two points differ for sure: what was rolled, where the 95% interval of the difference leaves 0 out.

    Parameters
    ----------
    a, b : Point
        With the same number, of two ways.

    Returns
    -------
    bool
        True for exact chances.

    References
    ----------
    R. G. Newcombe, Statistics in Medicine 17, 1998: the interval of a difference (method 10).
    """
    if a.count is None or b.count is None:
        return True
    high, low = (a, b) if a.p >= b.p else (b, a)
    reach: float = ((high.p - high.low) ** 2 + (low.high - low.p) ** 2) ** 0.5
    return high.p - low.p > reach
