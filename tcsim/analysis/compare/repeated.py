"""The same attacks again and again on one target: as one problem, and how often it takes until the target is out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

from tcsim.engines.exact import solve, watch_all
from tcsim.scenario import problem as p
from tcsim.scenario.problem import GOAL_OUT, Problem, Step
from tcsim.stats import SAME

#: Chances of out of action for which attacks are counted, and most times that attacks are repeated for it.
CHANCES, MOST_TIMES = (0.5, 0.8, 0.95), 100

#: Times that are looked at, one after the other: most chances are reached early.
_LOOKS = (12, 36, MOST_TIMES)
#: Most attack rolls of one problem.
_MOST_ROLLS = 1000


@dataclass(frozen=True)
class Repeated:
    """Attacks that can be repeated, an activation of the attacker each.

    Parameters
    ----------
    once : Problem
        Made once.
    again : tuple of Step
        What is added for each further time: a new activation, and the attacks. Empty where that cannot be told.
    """

    once: Problem
    again: tuple[Step, ...]

    def times(self, number: int) -> Problem:
        """Give the problem of making them so many times.

        Parameters
        ----------
        number : int
            1 or more.

        Returns
        -------
        Problem
            One target, whose state is carried on.
        """
        return replace(self.once, steps=(*self.once.steps, *self.again * (number - 1)))

    def chain(self, number: int) -> Problem:
        """Give a problem that ends as :meth:`times` does, in the fewest moves.

        Parameters
        ----------
        number : int
            1 or more.

        Returns
        -------
        Problem
            To be watched move by move; the dice of its trials are others.
        """
        return replace(self.once, steps=(*self.once.steps, *self.light * (number - 1)))

    @cached_property
    def light(self) -> tuple[Step, ...]:
        """What is added for each further time, without a new activation where that changes nothing."""
        steps = (*self.once.steps, *self.again)
        return self.again if any(map(_of_an_activation, steps)) else self.again[1:]

    @property
    def most(self) -> int:
        """How many times they can be made."""
        rolls = sum(step.volleys * step.shots for step in self.again if step.kind == p.ATTACK)
        return min(MOST_TIMES, _MOST_ROLLS // max(rolls, 1)) if self.again else 1

    @property
    def looks_ahead(self) -> bool:
        """Whether what is spent depends on how many attacks are left."""
        return self.once.is_planned or self.once.game is not None


def _of_an_activation(step: Step) -> bool:
    """Whether a step can end an activation, or is played by what was done in it."""
    few = step.special
    return bool(step.kind == p.GATE or step.risky or few.rerolls or few.strikes or few.if_struck or few.unless_struck)


def repeated(once: Problem, twice: Problem) -> Repeated:
    """Tell from a problem and the same attacks made twice what each further time adds.

    Parameters
    ----------
    once : Problem
        The attacks.
    twice : Problem
        The attacks, a new activation, and the attacks again.

    Returns
    -------
    Repeated
        The second time stands for all later ones: only in the first one the attacker spends markers of its own.
    """
    begun = len(once.steps)
    again = twice.steps[begun:]
    alike = twice.steps[:begun] == once.steps and again and again[0].kind == p.ACTIVATION
    return Repeated(once, tuple(again) if alike and once.game is None else ())


def attacks_needed(problems: Sequence[Repeated], chances: Sequence[float] = CHANCES) -> list[tuple[int | None, ...]]:
    """Count how many times attacks must be made until the target is out of action with some chance.

    Parameters
    ----------
    problems : sequence of Repeated
        Any number.
    chances : sequence of float, optional
        In (0, 1).

    Returns
    -------
    list of tuple of int or None
        For each problem, of each chance: the least number of times by which it is reached. None where that is not so
        within 100 times (or 1,000 attack rolls), or cannot be told. Where spending looks ahead, it looks as far as the
        number of times in question, each of which is a problem of its own; otherwise one long chain is watched.
    """
    found: list[list[int | None]] = [[None] * len(chances) for _ in problems]
    for index, one in enumerate(problems):
        if one.again and one.looks_ahead:
            found[index] = _by_search(one, chances)
    for least, most in pairwise((0, *_LOOKS)):
        left = [
            index
            for index, one in enumerate(problems)
            if one.again and not one.looks_ahead and None in found[index] and one.most > least
        ]
        chains = [problems[index].chain(min(most, problems[index].most)) for index in left]
        for index, story in zip(left, watch_all(chains), strict=True):
            one = problems[index]
            first, more = one.once.moves, sum(step.volleys for step in one.light)
            out = [moment.out for moment in story[first - 1 :: more]]
            found[index] = [_first(out, chance) for chance in chances]
    return [tuple(one) for one in found]


def _first(out: Sequence[float], chance: float) -> int | None:
    return next((number for number, p_out in enumerate(out, 1) if p_out >= chance - SAME), None)


def _by_search(one: Repeated, chances: Sequence[float]) -> list[int | None]:
    """Where spending is planned, every number of times is planned for itself."""
    known: dict[int, float] = {}

    def out(number: int) -> float:
        if number not in known:
            [final] = solve([one.times(number)])
            known[number] = final[0][1] if final[0][0] is None else 0.0
        return known[number]

    grows = one.once.policy.blood == p.OPTIMAL and one.once.goal == GOAL_OUT  # more attacks never make the best worse
    find = _bisected if grows else _walked
    return [find(out, chance - SAME, one.most) for chance in chances]


def _bisected(out: Callable[[int], float], chance: float, most: int) -> int | None:
    low, high = 0, 1
    while out(min(high, most)) < chance:
        if high >= most:
            return None
        low, high = high, 2 * high
    high = min(high, most)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if out(middle) >= chance else (middle, high)
    return high


def _walked(out: Callable[[int], float], chance: float, most: int) -> int | None:
    return next((number for number in range(1, most + 1) if out(number) >= chance), None)
