"""Victory points: of one check after attacks, over checks with their chances, over turns with several objectives."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import TYPE_CHECKING, Any

from tcsim.aos.control.check import (
    CONTROL,
    LOSS_INPUTS,
    OWNER,
    PLACE,
    SIDE_INPUTS,
    held_rolled,
    judged,
    score_rolled,
    side,
)
from tcsim.aos.control.objective import STRIKE_INPUTS, check_strike, contested, left, rolled
from tcsim.aos.editions import FOURTH
from tcsim.aos.spread import Spread
from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.questions.kinds import Number, Several, Whole
from tcsim.questions.question import Answer, Asked, Input, Question, family

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tcsim.questions.rolling import Dice

#: Most objectives, and most turns.
MOST, TURNS = 6, 10

#: Most faces of a die that decides who controls an objective.
MOST_FACES = 10**15

#: How likely it is that each player controls so many objectives: A's number and B's number to a chance.
Numbers = dict[tuple[int, int], Fraction]


@dataclass(frozen=True, slots=True)
class Table:
    """What a battleplan gives the active player at the end of a turn.

    Parameters
    ----------
    each : int
        Points for each objective that it controls.
    one, two : int
        Points for one or more, and for two or more.
    more : int
        Points for more than the opponent controls.
    """

    each: int = 0
    one: int = 0
    two: int = 0
    more: int = 0

    def points(self, own: int, other: int) -> int:
        """Give the points of a turn.

        Parameters
        ----------
        own, other : int
            Objectives that the active player and the opponent control.

        Returns
        -------
        int
            Points.

        Examples
        --------
        >>> EXAMPLE.points(2, 1), EXAMPLE.points(1, 1), EXAMPLE.points(0, 2)
        (3, 1, 0)
        """
        return self.each * own + self.one * (own >= 1) + self.two * (own >= 2) + self.more * (own > other)


#: An example of a battleplan, where none is given: it is none of a book's.
EXAMPLE = Table(one=1, two=1, more=1)

#: The inputs of a table.
_TABLE = {"vp": "each", "vp_one": "one", "vp_two": "two", "vp_more": "more"}


def table(asked: Asked) -> Table:
    """Read what a battleplan gives.

    Parameters
    ----------
    asked : Asked
        ``vp``, ``vp_one``, ``vp_two``, ``vp_more``.

    Returns
    -------
    Table
        The example where none is given.
    """
    given = {field: asked[name] for name, field in _TABLE.items() if asked[name] is not None}
    return Table(**given) if given else EXAMPLE


def _numbers(asked: Asked) -> list[Numbers]:
    """At each check at which A scores, what both control."""
    if asked["checks"] is not None:
        return [{(1, 0): p, (0, 0): 1 - p} for p in asked["checks"]]
    if asked["A_holds"] is not None:
        return [_together(asked)] * asked["turns"]
    a, b = side(asked, "A"), side(asked, "B")
    found = judged(
        left(asked).mapped(a.score),
        b.left().mapped(b.score),
        CONTROL[asked["owner"]],
        asked["place"] == "objective",
    )
    return [{(1, 0): found["a_controls"], (0, 1): found["b_controls"], (0, 0): found["nobody"]}]


def _together(asked: Asked) -> Numbers:
    numbers: Numbers = {(0, 0): Fraction(1)}
    for a, b in zip(*_holds(asked), strict=True):
        found: Numbers = {}
        for (own, other), chance in numbers.items():
            for more, p in (((1, 0), a), ((0, 1), b), ((0, 0), 1 - a - b)):
                key = (own + more[0], other + more[1])
                found[key] = found.get(key, Fraction(0)) + chance * p
        numbers = found
    return numbers


def _holds(asked: Asked) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    return asked["A_holds"], asked["B_holds"] or (Fraction(0),) * len(asked["A_holds"])


def _scored(numbers: list[Numbers], plan: Table, of_b: bool = False) -> Spread:
    total = Spread.fixed(0)
    for every in numbers:
        chances = [Fraction(0)] * (plan.points(MOST, 0) + 1)
        for (a, b), chance in every.items():
            chances[plan.points(b, a) if of_b else plan.points(a, b)] += chance
        total = total.then(Spread.of_chances(chances))
    return total.trimmed()


def _possible(asked: Asked) -> list[int]:
    """Totals of points that can come about."""
    return [points for points, ways in enumerate(_scored(_numbers(asked), table(asked)).ways) if ways]


def _exact(asked: Asked) -> dict[str, Fraction]:
    plan, numbers = table(asked), _numbers(asked)
    mine = _scored(numbers, plan)
    answers = {"expected": mine.mean()}
    if asked["A_holds"] is not None:
        theirs = _scored(numbers, plan, of_b=True)
        ahead, of = {1: 0, 0: 0, -1: 0}, mine.of * theirs.of
        for a, ways in enumerate(mine.ways):
            for b, more in enumerate(theirs.ways):
                ahead[(a > b) - (a < b)] += ways * more
        answers |= {"expected_b": theirs.mean()}
        answers |= {name: Fraction(ahead[sign], of) for name, sign in (("ahead", 1), ("level", 0), ("behind", -1))}
    points = _possible(asked)
    answers |= family("exactly", {n: Fraction(mine.ways[n], mine.of) for n in points})
    return answers | family("at_least", {n: mine.at_least(n) for n in points})


def _simulate(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    mine, theirs = _rolled(asked, dice, trials)
    answers: dict[str, Any] = {"expected": mine}
    if theirs is not None:
        answers |= {"expected_b": theirs, "ahead": mine > theirs, "level": mine == theirs, "behind": mine < theirs}
    points = _possible(asked)
    answers |= family("exactly", {n: mine == n for n in points})
    return answers | family("at_least", {n: mine >= n for n in points})


def _rolled(asked: Asked, dice: Dice, trials: int) -> tuple[NDArray[np.int64], NDArray[np.int64] | None]:
    """Points of A, and of B where it scores."""
    import numpy as np

    def scored(own: Any, other: Any) -> Any:
        if all(asked[name] is None for name in _TABLE):
            return np.minimum(own, 2) + (own > other)
        each, one, two, more = (asked[name] or 0 for name in _TABLE)
        return each * own + np.select([own >= 2, own == 1], [one + two, one], 0) + np.where(own > other, more, 0)

    none = np.zeros(trials, np.int64)
    if asked["checks"] is not None:
        total = none.copy()
        for p in asked["checks"]:
            total += scored((dice.roll(trials, 1, p.denominator)[:, 0] <= p.numerator).astype(np.int64), none)
        return total, None
    if asked["A_holds"] is None:
        kept, b, _ = rolled(asked, dice, trials)
        a, sticky = score_rolled(side(asked, "A"), kept), asked["place"] == "objective"
        held = held_rolled(a, b, CONTROL[asked["owner"]], sticky)
        return scored((held == 1).astype(np.int64), (held == -1).astype(np.int64)), None
    totals = [none.copy(), none.copy()]
    for _ in range(asked["turns"]):
        for who in (0, 1):  # A's turn, then B's: only the active player scores
            numbers = [none.copy(), none.copy()]
            for a, b in zip(*_holds(asked), strict=True):
                of = lcm(a.denominator, b.denominator)
                face = dice.roll(trials, 1, of)[:, 0]
                numbers[0] += face <= int(a * of)
                numbers[1] += face > int((1 - b) * of)
            totals[who] += scored(numbers[who], numbers[1 - who])
    return totals[0], totals[1]


def _check(asked: Asked) -> None:
    check_strike(asked)
    ways = [
        name
        for name, given in (
            ("A, B, A_models or B_models", contested(asked)),
            ("checks", asked["checks"] is not None),
            ("A_holds", asked["A_holds"] is not None),
        )
        if given
    ]
    if len(ways) != 1:
        given = f"{' and '.join(ways)} are given" if ways else "nothing is given"
        raise InputError(
            f"{given}, one of these is needed: A and B (who contests), checks (chances of control), A_holds (chances "
            "for each objective)"
        )
    if asked["A_holds"] is None:
        return
    a, b = _holds(asked)
    if len(a) != len(b):
        raise InputError(f"{len(b)} are given for {len(a)} objectives, one for each is needed", "B_holds")
    for one, other in zip(a, b, strict=True):
        if one + other > 1:
            raise InputError(f"A holds an objective with {one} and B with {other}, more than 1 together", "B_holds")
        if lcm(one.denominator, other.denominator) > MOST_FACES:
            raise InputError(f"{one} and {other} have no small common denominator: give fewer digits", "B_holds")


def _notes(asked: Asked) -> tuple[str, ...]:
    notes = []
    if all(asked[name] is None for name in _TABLE):
        notes.append(
            mark(
                "Points as in an example of a battleplan, no book's: 1 for an objective or more, 1 for two or more, 1 "
                "for more than the opponent. Give vp, vp_one, vp_two, vp_more for yours."
            )
        )
    if asked["checks"] is not None or asked["A_holds"] is not None:
        notes.append(
            mark("Checks do not depend on each other here; outlook follows units, losses and control on and on.")
        )
    return tuple(notes)


QUESTIONS = (
    Question(
        name="victory_points",
        inputs=(
            Input("vp", Whole(0, 20), mark("Victory points for each objective that is controlled")),
            Input("vp_one", Whole(0, 20), mark("Victory points for controlling one or more")),
            Input("vp_two", Whole(0, 20), mark("Victory points for controlling two or more")),
            Input("vp_more", Whole(0, 20), mark("Victory points for controlling more than the opponent")),
            Input(
                "checks",
                Several(Number(0, 1), 2 * TURNS),
                mark("One objective: A's chance of control at each check at which it scores, as 0.9+0.7"),
            ),
            Input(
                "A_holds",
                Several(Number(0, 1), MOST),
                mark("A's chance of control of each objective, in every turn, as 0.9+0.5"),
            ),
            Input("B_holds", Several(Number(0, 1), MOST), mark("B's chances; left out: 0"), goes_with=("A_holds",)),
            Input("turns", Whole(1, TURNS), mark("How often each player scores"), default=1, goes_with=("A_holds",)),
            *SIDE_INPUTS,
            *LOSS_INPUTS,
            OWNER,
            *STRIKE_INPUTS,
            PLACE,
        ),
        answers=(
            Answer("expected", mark("what A scores"), mark("victory points")),
            Answer("expected_b", mark("what B scores"), mark("victory points")),
            Answer("ahead", mark("A has more points")),
            Answer("level", mark("both have as many points")),
            Answer("behind", mark("B has more points")),
            Answer("exactly", mark("A scores so many points"), family=True),
            Answer("at_least", mark("A scores so many points or more"), family=True),
        ),
        exact=_exact,
        simulate=_simulate,
        check=_check,
        rule=mark(
            "At the end of each turn, after control is judged, the active player alone scores, as the battleplan says. "
            "The battle lasts as many rounds as the battleplan says."
        ),
        source="end of turn, 31.0 and 33.0; attacks: public rules",
        examples=(
            "A_holds=0.9+0.5+0.2 B_holds=0.1+0.4+0.6 turns=5",
            "checks=0.9+0.8+0.7+0.6+0.5 vp=2",
            "A_models=10 attacks=10 hit=3 wound=3 save=4 rend=1 B=6 owner=A vp=2",
        ),
        editions=FOURTH,
        notes=_notes,
    ),
)
