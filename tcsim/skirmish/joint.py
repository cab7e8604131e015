"""Choosing targets by what has happened so far: optimal and greedy, exact over the joint conditions of all targets.

Targets of one table are alike, so only how many of them are in each condition counts. A joint state is, for each table,
one such multiset; multisets are numbered by the combinatorial number system (the condition of the i-th, in ascending
order from 0, adds C(condition + i, i + 1)), which the kernel counts with too. To attack one of a table's targets takes
a condition out of its multiset, which leaves a smaller one, and puts another into that.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import combinations_with_replacement
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.skirmish.field import Field
from tcsim.skirmish.morale import DOWN, OUT, STANDING
from tcsim.skirmish.outcome import Outcome, exactly
from tcsim.skirmish.space import Floats, Ints

#: Most joint conditions of all targets, and most of them times attackers, that are planned for exactly.
MAX_JOINT, MAX_PLANNED = 300_000, 20_000_000

#: Choices whose worth differs by less are equally good: the first in order is taken.
TIE = 1e-12

#: No target is left.
NOBODY = -1

Plan = list[NDArray[np.int16]]


class Joint:
    """The joint conditions of all targets of a firefight.

    Parameters
    ----------
    field : Field
        The firefight.

    Attributes
    ----------
    counts : tuple of int
        Targets of each table.
    shape : tuple of int
        Multisets of each table.
    offsets : tuple of int
        A choice is the table's offset and the condition of the target that is attacked.
    """

    def __init__(self, field: Field) -> None:
        self.field = field
        self.counts = tuple(one.count for one in field.fight.targets)
        sizes = [space.size for space in field.spaces]
        self.shape = tuple(comb(n + c - 1, c) for n, c in zip(sizes, self.counts, strict=True))
        self.offsets = tuple(sum(sizes[:number]) for number in range(len(sizes)))

    @property
    def size(self) -> int:
        """How many joint conditions there are."""
        total = 1
        for number in self.shape:
            total *= number
        return total

    @property
    def is_small(self) -> bool:
        """Whether they are few enough to plan for."""
        return self.size <= MAX_JOINT and self.size * len(self.field.activations) <= MAX_PLANNED

    @cached_property
    def multisets(self) -> tuple[Ints, ...]:
        """The conditions of each multiset, ascending, by table and number: arrays of shape (multisets, targets)."""
        found = []
        for space, count in zip(self.field.spaces, self.counts, strict=True):
            every = np.array(list(combinations_with_replacement(range(space.size), count)), dtype=np.int64)
            found.append(every[np.argsort(ranks(every))])
        return tuple(found)

    @cached_property
    def added(self) -> tuple[Ints, ...]:
        """By table: the number of a multiset with one target less, to which a condition is added."""
        found = []
        for space, count in zip(self.field.spaces, self.counts, strict=True):
            every = list(combinations_with_replacement(range(space.size), count - 1))
            fewer = np.array(every, dtype=np.int64).reshape(len(every), count - 1)
            fewer = fewer[np.argsort(ranks(fewer))]
            columns = []
            for condition in range(space.size):
                more = np.column_stack([fewer, np.full(len(fewer), condition)])
                columns.append(ranks(np.sort(more, axis=1)))
            found.append(np.column_stack(columns))
        return tuple(found)

    @cached_property
    def start(self) -> tuple[int, ...]:
        """The joint condition at the start."""
        return tuple(
            int(ranks(np.full((1, count), space.start))[0])
            for space, count in zip(self.field.spaces, self.counts, strict=True)
        )

    def told(self, of: Callable[[int], NDArray[Any]]) -> Ints:
        """Add up a number over all targets: how many of them are Down, say.

        Parameters
        ----------
        of : callable
            Gives that number for each condition of a table.

        Returns
        -------
        array of int, of ``shape``
            The sum, by joint condition.
        """
        total = np.zeros(self.shape, dtype=np.int64)
        for table, multisets in enumerate(self.multisets):
            mine = np.asarray(of(table)).astype(np.int64)[multisets].sum(axis=1)
            total += mine.reshape([-1 if axis == table else 1 for axis in range(len(self.shape))])
        return total

    @cached_property
    def out(self) -> Ints:
        """How many are out of action, by joint condition."""
        return self.told(lambda table: np.arange(self.field.spaces[table].size) == self.field.spaces[table].out)

    @cached_property
    def down(self) -> Ints:
        """How many are Down, by joint condition."""
        return self.told(lambda table: self.field.spaces[table].down)

    @cached_property
    def leader(self) -> Ints:
        """How the LEADER is, by joint condition."""
        field = self.field
        table = None if field.leader is None else field.targets[field.leader]

        def of(number: int) -> NDArray[Any]:
            space = field.spaces[number]
            if number != table:
                return np.zeros(space.size)
            return np.where(np.arange(space.size) == space.out, OUT, np.where(space.down, DOWN, STANDING))

        return self.told(of)


def ranks(multisets: Ints) -> Ints:
    """Number multisets.

    Parameters
    ----------
    multisets : array of int, shape (n, targets)
        Conditions, ascending.

    Returns
    -------
    array of int, shape (n,)
        From 0 on, without gaps over all multisets.

    Examples
    --------
    >>> ranks(np.array([[0, 0], [0, 1], [1, 1], [0, 2]])).tolist()
    [0, 1, 2, 3]
    """
    total = np.zeros(len(multisets), dtype=np.int64)
    for place in range(multisets.shape[1]):
        column = multisets[:, place]
        ways = [comb(c + place, place + 1) for c in range(int(column.max(initial=0)) + 1)]
        total += np.array(ways, dtype=np.int64)[column]
    return total


def goal_of(joint: Joint, goal: str) -> Floats:
    """Give what each joint condition is worth at the end.

    Parameters
    ----------
    joint : Joint
        The joint conditions.
    goal : str
        ``out``: targets out of action; ``morale``: 1 where the morale test is made; ``flight``: the chance that it is
        made and fails.

    Returns
    -------
    array, of ``joint.shape``
        The worth.
    """
    if goal == "out":
        return joint.out.astype(np.float64)
    needed: Floats = joint.field.needed[joint.out, joint.down]
    if goal == "flight":
        needed = needed * np.array(joint.field.test.failing)[joint.leader]
    return needed


def optimal(field: Field, joint: Joint, goal: str) -> tuple[Plan, float]:
    """Plan for every attacker and joint condition which target to attack, by backward induction.

    Parameters
    ----------
    field : Field
        The firefight.
    joint : Joint
        Its joint conditions.
    goal : str
        As in :func:`goal_of`.

    Returns
    -------
    list of array of int16, of ``joint.shape``; float
        Of each activation: the choice, ``NOBODY`` where all are out of action. And what the plan is worth.
    """
    value, plan = goal_of(joint, goal), []
    for attacker in reversed(field.activations):

        def worth(table: int, later: Floats = value, attacker: int = attacker) -> Floats:
            behind = _axis_first(later, table)[joint.added[table]]  # fewer, condition after, others
            found: Floats = field.spaces[table].moves[attacker] @ behind
            return found

        choice, value = _best(joint, value, worth)
        plan.append(choice)
    return plan[::-1], float(value[joint.start])


def greedy(field: Field, joint: Joint, goal: str) -> Plan:
    """Attack whoever this activation alone most probably takes out of action (or, for morale, Down or out).

    Parameters
    ----------
    field, joint, goal
        As in :func:`optimal`.

    Returns
    -------
    list of array of int16
        As of :func:`optimal`.
    """
    plans: dict[int, NDArray[np.int16]] = {}
    for attacker in set(field.activations):

        def worth(table: int, attacker: int = attacker) -> Floats:
            return gain(field, table, attacker, goal)[None, :, None]

        plans[attacker] = _best(joint, np.zeros(joint.shape), worth)[0]
    return [plans[attacker] for attacker in field.activations]


def gain(field: Field, table: int, attacker: int, goal: str) -> Floats:
    """Give what an activation gains at once, by the condition of its target.

    Parameters
    ----------
    field : Field
        The firefight.
    table, attacker : int
        Tables of target and attacker.
    goal : str
        As in :func:`goal_of`.

    Returns
    -------
    array, shape (conditions,)
        P(out of action), or how much more probable Down or out of action has become.
    """
    space = field.spaces[table]
    moves = space.moves[attacker]
    gained: Floats = moves[:, -1]
    if goal != "out":
        gained = gained + moves[:, space.down].sum(axis=1) - space.down
    return gained


def _axis_first(tensor: NDArray[Any], axis: int) -> NDArray[Any]:
    """Give a table's axis first, and all others as one."""
    return np.moveaxis(tensor, axis, 0).reshape(tensor.shape[axis], -1)


def _axis_back(tensor: NDArray[Any], axis: int, shape: tuple[int, ...]) -> NDArray[Any]:
    others = shape[:axis] + shape[axis + 1 :]
    return np.moveaxis(tensor.reshape(shape[axis], *others), 0, axis)


def _best(joint: Joint, value: Floats, worth: Callable[[int], Floats]) -> tuple[NDArray[np.int16], Floats]:
    """Pick the best choice in each joint condition; who is first in order wins a tie."""
    choice = np.full(joint.shape, NOBODY, dtype=np.int16)
    best = np.where(choice == NOBODY, -np.inf, 0.0)
    for table, added in enumerate(joint.added):
        mine, kept = _axis_first(best, table).copy(), _axis_first(choice, table).copy()
        worths = np.broadcast_to(worth(table), (*added.shape, mine.shape[1]))
        for condition in range(joint.field.spaces[table].out):
            rows = added[:, condition]
            better = worths[:, condition] > mine[rows] + TIE
            mine[rows] = np.where(better, worths[:, condition], mine[rows])
            kept[rows] = np.where(better, joint.offsets[table] + condition, kept[rows])
        best, choice = _axis_back(mine, table, joint.shape), _axis_back(kept, table, joint.shape)
    return choice, np.where(choice == NOBODY, value, best)


def follow(field: Field, joint: Joint, plan: Plan, targeting: str) -> Outcome:
    """Follow a plan from the start to its end.

    Parameters
    ----------
    field : Field
        The firefight.
    joint : Joint
        Its joint conditions.
    plan : list of array
        As :func:`optimal` gives it.
    targeting : str
        What it is called.

    Returns
    -------
    Outcome
        Exact, with what is attacked.
    """
    chances = np.zeros(joint.shape)
    chances[joint.start] = 1
    advice: list[dict[str, Any]] = []
    for number, (attacker, choice) in enumerate(zip(field.activations, plan, strict=True)):
        after = np.where(choice == NOBODY, chances, 0.0)
        for table, condition in _choices(joint):
            share = np.where(choice == joint.offsets[table] + condition, chances, 0.0)
            by_out = np.bincount(joint.out.ravel(), share.ravel())
            if not by_out.any():
                continue
            advice += [
                {"activation": number, "out": k, "table": table, "condition": condition, "p": float(p)}
                for k, p in enumerate(by_out)
                if p
            ]
            added = joint.added[table]
            taken = _axis_first(share, table)[added[:, condition]]
            moved = np.zeros((joint.shape[table], taken.shape[1]))
            for to in np.flatnonzero(field.spaces[table].moves[attacker, condition]):
                moved[added[:, to]] += field.spaces[table].moves[attacker, condition, to] * taken
            after = after + _axis_back(moved, table, joint.shape)
        chances = after
    size = len(field.targets) + 1
    ends = np.zeros((3, size, size))
    np.add.at(ends, (joint.leader, joint.out, joint.down), chances)
    return exactly(field, targeting, ends, _each(field, joint, chances), advice)


def _choices(joint: Joint) -> Iterator[tuple[int, int]]:
    for table, space in enumerate(joint.field.spaces):
        for condition in range(space.out):
            yield table, condition


def _each(field: Field, joint: Joint, chances: Floats) -> tuple[Floats, Floats]:
    """P(Down) and P(out) of each target; of several alike the mean, for nobody says which of them is attacked first."""
    down, out = [], []
    for table, multisets in enumerate(joint.multisets):
        space, count = field.spaces[table], joint.counts[table]
        mine = _axis_first(chances, table).sum(axis=1)
        down += [float(mine @ space.down[multisets].sum(axis=1)) / count] * count
        out += [float(mine @ (multisets == space.out).sum(axis=1)) / count] * count
    return np.array(down), np.array(out)
