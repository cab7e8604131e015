"""What one attack roll does to the target, elementwise over arrays of (problem, state): the rules of the fight.

Both the exact engine (forwards, over probabilities) and optimal spending (backwards, over values) are loops around
these functions, so the rules stand here once. All arrays broadcast together; ``row`` is a step of the block.

Within a volley a state holds more than between two: ``placed`` markers and a Down result (``fallen``) that take effect
when the volley ends, and two passing values: ``ended`` 2 is a risky attack missed in this volley, ``tough`` 2 is TOUGH
used up in this volley while it absorbs the whole of it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tcsim.engines.block import Block, Ints, Tails
from tcsim.scenario.problem import ACTION_KEEP

#: Results of the injury chart, mild to severe.
NO_EFFECT, MINOR_HIT, DOWN, OUT = range(4)

#: The choices a spending player has: ``DICE[i]`` markers as injury dice, with (1) or without (0) a Bloodbath.
CHOICES = 14
DICE = np.array([*range(7), *range(7)], dtype=np.int64)
BLOODBATH = np.repeat(np.array([0, 1], dtype=np.int64), 7)


class States(NamedTuple):
    """States of targets, an array a field."""

    ended: Any
    tough: Any
    blessing: Any
    down: Any
    blood: Any
    placed: Any
    fallen: Any


def hit_chances(
    block: Block, tails: Tails, problem: Ints, row: Ints, down: Ints, first_shot: bool
) -> tuple[Any, Any, Any]:
    """Chances of the action roll.

    Parameters
    ----------
    block : Block
        The problems.
    tails : Tails
        Chances of pools, in the number type wanted.
    problem, row, down : array of int
        Which problem, step and state.
    first_shot : bool
        Whether it is the first shot of its volley.

    Returns
    -------
    tuple of array
        P(failure), P(plain success), P(critical).
    """
    step = block.step
    net = block.action_dice[row, down]
    if first_shot:
        net = net + step.first_shot_dice[row]
    pools = tails.rows(np.full_like(net, ACTION_KEEP), net)
    success = tails.at_least(pools, block.charts.success[problem])
    critical = tails.at_least(pools, block.charts.critical[problem])
    auto = step.auto_hit[row] == 1
    if auto.any():
        success, critical = np.where(auto, 1, success), np.where(auto, 0, critical)
    return 1 - success, success - critical, critical


def injury_chances(
    block: Block, tails: Tails, problem: Ints, row: Ints, down: Any, critical: Any, blessing: Any, choice: Any
) -> tuple[Any, Any, Any]:
    """Chances of the injury roll, as those of reaching each result or a worse one.

    Parameters
    ----------
    block, tails, problem, row
        As in :func:`hit_chances`.
    down : array of int
        The target's Down as the roll sees it.
    critical : array of int
        1 for a critical hit.
    blessing : array of int
        Blessing markers spent on the roll.
    choice : array of int
        Index into ``DICE`` and ``BLOODBATH``.

    Returns
    -------
    tuple of array
        P(Minor Hit or worse), P(Down or worse), P(out of action), before anything softens the result.
    """
    charts = block.charts
    bloodbath = BLOODBATH[choice]
    flat = bloodbath * block.rulings.bloodbath_adds_flat_die[problem]
    net = block.injury_dice[row, down, critical] + DICE[choice] - blessing
    pools = tails.rows(block.step.injury_keep[row] + bloodbath - flat, net, flat)
    modifier = block.injury_modifier[row, down, critical]
    return (
        tails.at_least(pools, charts.minor_hit[problem] - modifier),
        tails.at_least(pools, charts.down[problem] - modifier),
        tails.at_least(pools, charts.out_of_action[problem] - modifier),
    )


def blessing_spent(block: Block, problem: Ints, states: States) -> Any:
    """Blessing markers that the target's player spends on an injury roll.

    Parameters
    ----------
    block, problem
        As in :func:`hit_chances`.
    states : States
        The targets.

    Returns
    -------
    array of int
        All or none.
    """
    return states.blessing * block.blessing_policy[problem]


def cost(block: Block, problem: Ints, down: Any, choice: Any) -> Any:
    """Blood markers that a choice costs.

    Parameters
    ----------
    block, problem, down, choice
        As in :func:`injury_chances`.

    Returns
    -------
    array of int
        Markers.
    """
    return DICE[choice] + BLOODBATH[choice] * block.bloodbath_cost[problem, down]


def take_result(block: Block, problem: Ints, row: Ints, states: States, result: int) -> tuple[States, Any]:
    """Apply a result of the injury chart: TOUGH, then Machine Armour, then markers.

    Parameters
    ----------
    block, problem, row
        As in :func:`hit_chances`.
    states : States
        The targets, markers spent on the roll already taken off.
    result : int
        ``NO_EFFECT`` .. ``OUT``.

    Returns
    -------
    States, array of bool or bool
        The targets after it, and which of them are out of action.
    """
    charts, rulings = block.charts, block.rulings
    tough, out = states.tough, False
    softened: Any = False
    if result == OUT:
        softened = tough > 0
        out = ~softened
        tough = np.where(softened, 2 * rulings.tough_absorbs_volley[problem], tough)
    gain: Any = block.step.markers[row]
    fallen = states.fallen
    if result == MINOR_HIT:
        gain = gain + charts.minor_hit_markers[problem]
    elif result in (DOWN, OUT):
        minor = block.minor_for_down[problem] == 1
        if result == OUT:
            minor = minor & (rulings.minor_hit_after_tough[problem] == 1)
        again = (states.down == 1) | ((fallen == 1) & (rulings.second_down_counts_as_first[problem] == 0))
        gain = gain + np.where(
            minor,
            charts.minor_hit_markers[problem],
            np.where(again, charts.down_again_markers[problem], charts.down_markers[problem]),
        )
        fallen = np.where(minor, fallen, 1)
    placed = np.minimum(states.placed + gain, charts.marker_limit[problem])
    return states._replace(tough=tough, placed=placed, fallen=fallen), out


def end_volley(block: Block, problem: Ints, states: States) -> States:
    """Let what a volley did take effect.

    Parameters
    ----------
    block, problem
        As in :func:`hit_chances`.
    states : States
        The targets within the volley.

    Returns
    -------
    States
        The targets after it; nothing is pending.
    """
    nothing = np.zeros((), dtype=np.int64)
    return States(
        ended=np.minimum(states.ended, 1),
        tough=states.tough % 2,
        blessing=states.blessing,
        down=states.down | states.fallen,
        blood=np.minimum(states.blood + states.placed, block.charts.marker_limit[problem]),
        placed=nothing,
        fallen=nothing,
    )


class Codes:
    """States as one whole number each, in no more room than the block needs.

    Parameters
    ----------
    block : Block
        Whose states they are.
    within_volley : bool
        Whether ``placed``, ``fallen`` and the passing values can differ from nothing.
    """

    def __init__(self, block: Block, within_volley: bool) -> None:
        risky = bool(block.step.risky.any())
        tough = any(problem.start.tough for problem in block.problems)
        passing = within_volley and bool(block.rulings.tough_absorbs_volley.any())
        blessing = max(problem.start.blessing for problem in block.problems)
        limit = int(block.charts.marker_limit.max())
        self.shape = (
            1 + risky * (1 + within_volley),
            1 + tough * (1 + passing),
            blessing + 1,
            2,
            limit + 1,
            1 + within_volley * limit,
            1 + within_volley,
        )
        self.size = int(np.prod(self.shape))
        self.states = States(*np.unravel_index(np.arange(self.size), self.shape))

    def of(self, states: States) -> Ints:
        """Give the code of each state.

        Parameters
        ----------
        states : States
            Arrays that broadcast together.

        Returns
        -------
        array of int
            Codes from 0 to ``size - 1``.
        """
        code: Any = states[0]
        for value, size in zip(states[1:], self.shape[1:], strict=True):
            code = code * size + value
        return np.asarray(code, dtype=np.int64)

    def decode(self, codes: NDArray[np.int64]) -> States:
        """Give the states of codes.

        Parameters
        ----------
        codes : array of int
            As :meth:`of` gives.

        Returns
        -------
        States
            A field an array.
        """
        return States(*(column[codes] for column in self.states))
