"""A firefight rolled: every die of every trial, target by target, and the morale test too."""

from __future__ import annotations

from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.base.errors import InputError
from tcsim.engines.monte_carlo import check
from tcsim.engines.play import count_in_threads, stream_key
from tcsim.engines.programs import Programs, programs
from tcsim.engines.special_rows import state_fields
from tcsim.kernels import skirmish as k
from tcsim.kernels import special
from tcsim.kernels.stream import STREAM_VERSION
from tcsim.scenario.problem import State
from tcsim.skirmish.field import Field
from tcsim.skirmish.joint import NOBODY, Joint, Plan, gain
from tcsim.skirmish.morale import MoraleTest
from tcsim.skirmish.outcome import Dice, Outcome
from tcsim.skirmish.space import Space

#: Most moves (volleys of attacks, tests) of a trial: the stream has words for no more.
MAX_MOVES = 1_000_000

_MODES = {"focus": k.FOCUS, "spread": k.SPREAD, "greedy": k.GREEDY, "optimal": k.PLANNED}


def roll(field: Field, targeting: str, goal: str, plan: Plan | None, dice: Dice) -> Outcome:
    """Roll a firefight.

    Parameters
    ----------
    field : Field
        The firefight.
    targeting : str
        How targets are chosen: ``focus``, ``spread``, ``greedy``, or ``optimal`` with a plan.
    goal : str
        What greedy attackers look for.
    plan : list of array or None
        What is attacked.
    dice : Dice
        How often, with which seed.

    Returns
    -------
    Outcome
        What was counted, as shares of the trials.

    Raises
    ------
    InputError
        For numbers of trials that cannot be, and for more than the kernels hold.
    KeyboardInterrupt
        After Ctrl-C, before a trial was counted.
    """
    check(dice.trials, dice.seed, dice.threads, "own")
    table = table_of(field.spaces, [one.problem for row in field.pairs for one in row])
    moves = (len(field.activations) + 1) * table.most_moves
    if moves > MAX_MOVES:
        raise InputError(f"these are up to {moves:,} volleys, at most {MAX_MOVES:,} are rolled", "attackers")
    tables, many = len(field.spaces), len(field.targets)
    conditions = conditions_of(field.spaces, table)
    pairs = np.arange(len(field.pairs) * tables).reshape(-1, tables)
    gains = np.zeros((pairs.size, tables, int(conditions.max()) + 1))
    for attacker in range(len(field.pairs)):
        for target, space in enumerate(field.spaces):
            gains[pairs[attacker, target], target, : space.size] = gain(field, target, attacker, goal)
    plans, numbering = _planned(field, plan)
    arguments = (
        *(begin_of([field.spaces[one] for one in field.targets]), _MODES[targeting]),
        *(np.array(field.activations), np.array(field.targets), pairs),
        *kernel_arguments(table),
        *(gains, conditions, plans, *numbering),
        *(morale_row(field.test, field.leader), field.fight.morale.already, table.most_moves),
    )
    text = f"{STREAM_VERSION}:{dice.seed}:{identity(field)}:{targeting}:{goal}"
    key = stream_key(text)
    shapes: tuple[tuple[int, ...], ...] = ((3, many + 1, many + 1), (many, 2), (2,))

    def run(start: int, stop: int, room: Any, counts: NDArray[np.int64]) -> None:
        k.count_firefight(key, start, stop, *arguments, *parts(counts, shapes))

    counts, stopped = count_in_threads(
        run, size_of(shapes), max(moves, 1), (0, dice.trials), dice.threads, dice.progress
    )
    ends, each, morale = parts(counts, shapes)
    trials = int(ends.sum())
    if not trials:
        raise KeyboardInterrupt
    down, out = each[:, 0] / trials, each[:, 1] / trials
    if targeting in ("greedy", "optimal"):
        down, out = _mean(field, down), _mean(field, out)
    return Outcome(
        targeting, "monte_carlo", ends / trials, down, out,
        failed=int(morale[1]) / trials, needed=int(morale[0]) / trials, trials=trials, partial=stopped,
    )  # fmt: skip


def table_of(spaces: Any, problems: Any) -> Programs:
    """Tabulate the problems that the targets of some spaces can meet.

    Parameters
    ----------
    spaces : sequence of Space
        The targets.
    problems : sequence of Problem
        The problems.

    Returns
    -------
    Programs
        For the kernel.
    """
    most = State(*(max(values) for values in zip(*(state for one in spaces for state in one.states), strict=True)))
    return programs(problems, most)


def conditions_of(spaces: Any, table: Programs) -> NDArray[np.int64]:
    """Give the condition of each state, as the kernel numbers them.

    Parameters
    ----------
    spaces : sequence of Space
        The targets.
    table : Programs
        That numbers the states.

    Returns
    -------
    array of int64, shape (spaces, states + 1)
        The last is out of action.
    """
    size = int(np.prod(table.sizes[special.TOUGH : special.STREAK]))
    found = np.zeros((len(spaces), size + 1), dtype=np.int64)
    for number, space in enumerate(spaces):
        found[number, table.codes(space.states)] = space.condition
        found[number, -1] = space.out
    return found


def begin_of(spaces: list[Space]) -> NDArray[np.int64]:
    """Give models at the start, as the kernel holds them.

    Parameters
    ----------
    spaces : list of Space
        One of each model.

    Returns
    -------
    array of int64, shape (models, FIELDS)
        The models.
    """
    begin = np.zeros((len(spaces), special.FIELDS), dtype=np.int64)
    begin[:, special.TOUGH : special.STREAK] = [state_fields(space.states[0]) for space in spaces]
    return begin


def kernel_arguments(table: Programs) -> tuple[Any, ...]:
    """Give the programs in the order in which the kernels take them.

    Parameters
    ----------
    table : Programs
        The programs.

    Returns
    -------
    tuple of array
        Places, numbers, steps, sequence, tables, choices, shares, which, deals, sizes.
    """
    return (
        *(table.places, table.numbers, table.steps, table.sequence, table.tables, table.choices),
        *(table.shares, table.which, table.deals, table.sizes),
    )


def size_of(shapes: tuple[tuple[int, ...], ...]) -> int:
    """Give how many numbers some arrays hold.

    Parameters
    ----------
    shapes : tuple of tuple of int
        Their shapes.

    Returns
    -------
    int
        The sum.
    """
    return sum(int(np.prod(shape)) for shape in shapes)


def parts(counts: NDArray[np.int64], shapes: tuple[tuple[int, ...], ...]) -> list[NDArray[np.int64]]:
    """Look at a row of numbers as arrays, one behind the other.

    Parameters
    ----------
    counts : array of int64
        ``size_of(shapes)`` of them.
    shapes : tuple of tuple of int
        Shapes of the arrays.

    Returns
    -------
    list of array
        Views.
    """
    found, first = [], 0
    for shape in shapes:
        size = int(np.prod(shape))
        found.append(counts[first : first + size].reshape(shape))
        first += size
    return found


def morale_row(test: MoraleTest, leader: int | None) -> NDArray[np.int64]:
    """Give a morale test as the kernel reads it.

    Parameters
    ----------
    test : MoraleTest
        The test.
    leader : int or None
        Which model leads.

    Returns
    -------
    array of int64, shape (TEST_NUMBERS,)
        The test.
    """
    return np.array([test.needed, *test.dice, test.success, -1 if leader is None else leader])


def identity(field: Field) -> str:
    """Give what tells a firefight from others, names aside: the problems, and who is where.

    Parameters
    ----------
    field : Field
        The firefight.

    Returns
    -------
    str
        As text.
    """
    problems = [one.problem.fingerprint for row in field.pairs for one in row]
    starts = [tuple(space.states[0]) for space in field.spaces]
    return repr((problems, starts, field.activations, field.targets, field.test, field.leader))


def _mean(field: Field, chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Of several targets alike the mean, for nobody says which of them is attacked first."""
    tables = np.array(field.targets)
    return np.array([chances[tables == table].mean() for table in tables])


def _planned(field: Field, plan: Plan | None) -> tuple[NDArray[np.int16], tuple[NDArray[np.int64], ...]]:
    """A plan as the kernel reads it, and how it numbers joint conditions; without a plan, room for none."""
    tables = len(field.spaces)
    if plan is None:
        nothing = np.zeros(tables, dtype=np.int64)
        return np.full((1, 1), NOBODY, dtype=np.int16), (np.zeros((1, 1), dtype=np.int64), nothing, nothing)
    joint = Joint(field)
    most, count = max(space.size for space in field.spaces), max(joint.counts)
    ways = np.array(
        [[comb(c, place) if place else 0 for place in range(count + 1)] for c in range(most + count)], dtype=np.int64
    )
    strides = np.array([int(np.prod(joint.shape[table + 1 :])) for table in range(tables)], dtype=np.int64)
    plans = np.array([choice.ravel() for choice in plan])
    return plans, (ways, strides, np.array(joint.offsets, dtype=np.int64))
