"""A plan as advice: what to do in every state, with states in which the same is done put together.

The states of an attack stand in a grid, an axis for each thing that a choice can depend on; neighbours with the same
advice become one box, a range on each axis: a row that a person can read, and a rule that an engine can follow.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tcsim.engines import chain
from tcsim.engines.block import FLOAT_TAILS, Block
from tcsim.engines.codes import Codes
from tcsim.engines.optimal import Plan, plan
from tcsim.engines.volley import SOFT, Deals, Volley
from tcsim.scenario import problem as p
from tcsim.scenario.problem import EVERY_MARKER, Condition, Problem, Rule
from tcsim.scenario.spending import AMOUNTS, FLAGS

#: The axes of a grid, in the order in which boxes grow along them, the last one first.
STATE_AXES = ("ended", "streak", "tough", "spared", "warded", "firm", "blessing", "infection", "down", "blood")
_NAMES = {"streak": "hits_in_a_row"}

#: What is done: dice (or ``EVERY_MARKER``, where nothing is left) and Bloodbath of one hit; or of each plain and each
#: critical hit of a volley.
Deed = tuple[Any, ...]

NOTHING_SPENT: tuple[Deed, ...] = ((0, 0), ((), ()))

#: Axes that say what can be spent, and on how many hits.
_SPENT = ("blood", "infection", "plain_hits", "critical_hits")

#: Chance below which a pattern of hits is left out of what a person reads.
RARE = 0.005


class Box(NamedTuple):
    """States in which the same is done.

    ``attacks_left`` counts this attack; ``ranges`` gives least and most of each axis on which the advice depends here.
    """

    attacks_left: tuple[int, int]
    ranges: tuple[tuple[str, int, int], ...]
    deed: Deed
    joint: bool

    def rule(self) -> Rule:
        """Give it as a rule that spends the same."""
        conditions = [Condition("attacks_left", *self.attacks_left)]
        conditions += [Condition(_NAMES.get(name, name), least, most) for name, least, most in self.ranges]
        conditions.sort(key=lambda condition: (*AMOUNTS, *FLAGS).index(condition.name))
        if self.joint:
            plain, critical = self.deed
            return Rule(tuple(conditions), plain=plain, critical=critical)
        return Rule(tuple(conditions), *self.deed)


@dataclass(frozen=True)
class Grid:
    """What is done at one attack.

    Parameters
    ----------
    attacks_left : int
        This one counted.
    axes : tuple of str
        What the axes are.
    sizes : tuple of int
        How long they are; each begins at 0.
    deeds : dict of index to Deed
        What is done, for the states there can be.
    joint : bool
        Whether all hits of a volley are decided on at once.
    bath_costs : tuple of int
        Markers that a Bloodbath costs of a standing target, and of one that is Down.
    patterns : tuple of (int, int), optional
        Of a volley: plain and critical hits, the likeliest first.
    """

    attacks_left: int
    axes: tuple[str, ...]
    sizes: tuple[int, ...]
    deeds: dict[tuple[int, ...], Deed]
    joint: bool
    bath_costs: tuple[int, int]
    patterns: tuple[tuple[int, int], ...] = ()

    def boxes(self) -> list[tuple[tuple[tuple[int, int], ...], Deed]]:
        """Put states together; gives least and most on every axis, and the deed."""
        left = dict(sorted(self.deeds.items()))
        found = []
        while left:
            corner, deed = next(iter(left.items()))
            low, high = list(corner), list(corner)
            for axis in reversed(range(len(corner))):
                while high[axis] + 1 < self.sizes[axis]:
                    slab = [(low[i], high[i]) if i != axis else (high[axis] + 1,) * 2 for i in range(len(corner))]
                    cells = list(_cells(slab))
                    there = [cell for cell in cells if cell in self.deeds]
                    if not there or any(left.get(cell) != deed for cell in there):
                        break
                    high[axis] += 1
            for cell in _cells(list(zip(low, high, strict=True))):
                left.pop(cell, None)
            found.append((tuple(zip(low, high, strict=True)), deed))
        return found


def _cells(ranges: Sequence[tuple[int, int]]) -> Iterator[tuple[int, ...]]:
    return itertools.product(*(range(low, high + 1) for low, high in ranges))


def grids(problem: Problem, planned: Plan | None = None, readable: bool = False) -> list[Grid]:
    """Give what is done at every attack, in order.

    Parameters
    ----------
    problem : Problem
        Whose spending is planned.
    planned : Plan, optional
        Its plan, if it is there already.
    readable : bool, optional
        Leave out hits of a volley that fewer than one in 200 come to, and states that the first attack cannot meet.

    Returns
    -------
    list of Grid
        One an attack; shots resolved together are one.
    """
    block = Block([problem])
    codes = Codes(block, within_volley=False)
    planned = planned or plan(block, codes)
    sequence = block.sequence[0]
    attacks = np.flatnonzero(block.step.kind[sequence] == p.ATTACK).tolist()
    found = []
    for number, move in enumerate(attacks):
        row, left = int(sequence[move]), len(attacks) - number
        first = readable and number == 0
        if (0, move) in planned.deals:
            found.append(_volley_grid(block, codes, (row, left), planned.deals[0, move], readable, first))
        else:
            found.append(_grid(block, codes, (row, left), planned.choices[0, move]))
    return found


def _states(block: Block, codes: Codes, row: int, ended: bool) -> Iterator[tuple[int, dict[str, int]]]:
    """The states that can be before an attack, with what their choices can depend on."""
    [problem] = block.problems
    states = codes.states
    columns = {name: np.broadcast_to(getattr(states, name), (codes.size,)) for name in STATE_AXES}
    made = chain.is_made(block, np.full(codes.size, row), chain.begin(block, np.full(codes.size, row), states))
    begins = block.special is not None and block.special.begins[row] == 1
    for code in range(codes.size):
        state = {name: int(column[code]) for name, column in columns.items()}
        start = problem.start
        possible = all(state[name] <= getattr(start, name) for name in SOFT)
        held = state["blessing"]
        possible &= held == start.blessing or (held == 0 and problem.policy.blessing == 1)
        if possible and made[code] and not (state["ended"] and not ended) and not (begins and state["streak"]):
            yield code, state


def _deed(block: Block, choice: int, markers: int, bath_cost: int) -> Deed:
    """What a choice is called: where nothing is left it is told as that, however many markers there are."""
    dice, bath = int(block.dice(choice)), int(block.bloodbath(choice))
    leftovers = bool(block.rulings.bloodbath_leftovers[0])
    nothing_left = dice == markers - bath * bath_cost and (leftovers if bath else dice > 0)
    return (EVERY_MARKER if nothing_left else dice, bath)


def _grid(block: Block, codes: Codes, where: tuple[int, int], choices: NDArray[np.int8]) -> Grid:
    row, left = where
    ended = block.rerolls and bool(block.special.rerolls[row])
    axes, deeds = (*STATE_AXES, "critical"), {}
    auto, baths = bool(block.step.auto_hit[row]), _bath_costs(block, row)
    for code, state in _states(block, codes, row, ended):
        markers = state["blood"] + state["infection"]
        for critical in (0,) if auto else (0, 1):
            deed = _deed(block, int(choices[code, critical]), markers, baths[state["down"]])
            deeds[*(state[name] for name in STATE_AXES), critical] = deed
    sizes = (*(getattr(codes.shape, name) for name in STATE_AXES), 2)
    return Grid(left, axes, sizes, deeds, False, baths)


def _bath_costs(block: Block, row: int) -> tuple[int, int]:
    """Markers that a Bloodbath costs of a standing target, and of one that is Down."""
    costs = (chain.bloodbath_cost(block, np.array([0]), np.array([row]), np.array([down])) for down in (0, 1))
    standing, down = (int(cost[0]) for cost in costs)
    return standing, down


def _volley_grid(block: Block, codes: Codes, where: tuple[int, int], dealt: Deals, readable: bool, first: bool) -> Grid:
    row, left = where
    volley = Volley(block, FLOAT_TAILS, 0, row)
    going = codes.going
    chances = [volley.patterns(down) for down in (0, 1)]
    axes, deeds = (*STATE_AXES, "first_critical", "plain_hits", "critical_hits"), {}
    start = block.problems[0].start
    only_start = first and int(block.sequence[0, 0]) == row  # an event before it may change the target
    for code, state in _states(block, codes, row, ended=False):
        if only_start and any(state[name] != getattr(start, name) for name in start._fields):
            continue
        of_state = dealt.which[code % going]
        for ended, kind, plain, critical in np.argwhere(chances[state["down"]] > (RARE if readable else 0)).tolist():
            apart = volley.has_blessing and state["blessing"] > 0
            first_kind = kind if dealt.which.shape[2] > 1 else 0
            if plain + critical == 0:
                continue
            deal = dealt.deals[of_state[ended, first_kind, plain, critical]].tolist()
            deed = _shares(block, deal, (plain, critical), kind if apart else -1)
            here = {**state, "ended": ended, "first_critical": first_kind}
            deeds[*(here[name] for name in axes[:-2]), plain, critical] = deed
    sizes = (*(getattr(codes.shape, name) for name in STATE_AXES), 2, volley.shots + 1, volley.shots + 1)
    likely = chances[start.down].sum(axis=(0, 1))
    patterns = sorted(np.argwhere(likely > 0).tolist(), key=lambda hits: -likely[tuple(hits)])
    told = tuple((plain, critical) for plain, critical in patterns if plain + critical)
    return Grid(left, axes, sizes, deeds, True, _bath_costs(block, row), told)


def _shares(block: Block, deal: list[int], hits: tuple[int, int], first: int) -> Deed:
    """What each plain and each critical hit gets; zeros behind the last that gets something are left out."""
    per_kind = (len(deal) - 1) // 2
    told = []
    for kind in (0, 1):
        own = deal[1 + kind * per_kind : 1 + (kind + 1) * per_kind]
        own = ([deal[0], *own] if first == kind else own)[: hits[kind]]
        while own and not own[-1]:
            own.pop()
        told.append(tuple((int(block.dice(choice)), int(block.bloodbath(choice))) for choice in own))
    return tuple(told)


def boxes(grids_: Sequence[Grid]) -> list[Box]:
    """Put together the states of all attacks in which the same is done.

    Parameters
    ----------
    grids_ : sequence of Grid
        As :func:`grids` gives them.

    Returns
    -------
    list of Box
        Attack by attack, neighbours with the same advice throughout as one.
    """
    found: list[Box] = []
    start = 0
    told = [grid.boxes() for grid in grids_]
    while start < len(grids_):
        stop = start + 1
        while stop < len(grids_) and told[stop] == told[start] and grids_[stop].joint == grids_[start].joint:
            stop += 1
        grid = grids_[start]
        left = (grids_[stop - 1].attacks_left, grid.attacks_left)
        held = _depends(grid)
        for ranges, deed in told[start]:
            spends = deed not in NOTHING_SPENT
            kept = tuple(
                (name, low, high)
                for name, (low, high), values in zip(grid.axes, ranges, held, strict=True)
                # what is spent must be there, so that is told even where it is always so
                if low > values[0] or high < values[-1] or (spends and low > 0 and name in _SPENT)
            )
            found.append(Box(left, kept, deed, grid.joint))
        start = stop
    return found


def _depends(grid: Grid) -> list[list[int]]:
    """The values of each axis that there are."""
    return [sorted(set(values)) for values in zip(*grid.deeds, strict=True)] if grid.deeds else []


def rules(problem: Problem, planned: Plan | None = None) -> list[Rule]:
    """Give a plan as rules that spend the same.

    Parameters
    ----------
    problem : Problem
        Whose spending is planned.
    planned : Plan, optional
        Its plan, if it is there already.

    Returns
    -------
    list of Rule
        What spends nothing is left out, since nothing is what is spent where no rule matches.
    """
    found = []
    for box in boxes(grids(problem, planned)):
        if box.deed not in NOTHING_SPENT:
            found.append(box.rule())
    return found
