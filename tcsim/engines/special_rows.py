"""A special problem as its kernel reads it (:mod:`tcsim.kernels.special`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.engines import policies
from tcsim.engines.block import Block
from tcsim.engines.chain import Codes
from tcsim.engines.optimal import plan
from tcsim.engines.play import Play
from tcsim.kernels import layout
from tcsim.kernels import special as k
from tcsim.scenario import problem as p
from tcsim.scenario.problem import Problem, State, Step


def special_play(block: Block) -> Play:
    """Give a problem its kernel.

    Parameters
    ----------
    block : Block
        Of one problem, special or plain.

    Returns
    -------
    Play
        How it is played.
    """
    [problem] = block.problems
    check_holds(block)
    codes = Codes(block, within_volley=False)
    sizes = np.array(codes.shape, dtype=np.int64)
    begin = np.zeros(k.FIELDS, dtype=np.int64)
    begin[k.TOUGH : k.STREAK] = state_fields(problem.start)
    steps = np.array([step_numbers(step) for step in problem.steps], dtype=np.int64)
    numbers, sequence = np.array(problem_numbers(problem), dtype=np.int64), block.sequence[0]
    choices, tables = _choices(block, codes)

    def run(key: Any, start: int, stop: int, room: Any, counts: Any, tape: Any, taped: Any) -> None:
        k.count_special(key, start, stop, begin, numbers, steps, sequence, tables, choices, sizes, counts, tape, taped)

    return Play(run, (None, *_ends(codes)), problem.rolls)


def check_holds(block: Block) -> None:
    """Raise ValueError for what the kernel cannot hold.

    Parameters
    ----------
    block : Block
        Of any problems.
    """
    action = abs(block.action_dice).max(axis=1) + abs(block.step.first_shot_dice)
    dice = max(action.max(), abs(block.injury_dice).max())
    if block.step.shots.max() > layout.MAX_SHOTS or dice > layout.MOST_NET:
        raise ValueError(f"the kernels hold {layout.MAX_SHOTS} shots and {layout.MOST_NET} net dice")


def state_fields(state: State) -> tuple[int, ...]:
    """Give a state in the order of ``chain.States``, from its second field on.

    Parameters
    ----------
    state : State
        As a problem has it.

    Returns
    -------
    tuple of int
        What stands between ``k.TOUGH`` and ``k.STREAK``.
    """
    return state.tough, state.blessing, state.down, state.blood, state.infection, state.spared, state.warded


def _ends(codes: Codes) -> list[State]:
    """Give the states in the order of the kernel's counts."""
    sizes = codes.shape._asdict()
    names = ("tough", "blessing", "down", "blood", "infection", "spared", "warded")
    shape = tuple(sizes[name] for name in names)
    return [State(**dict(zip(names, map(int, index), strict=True))) for index in np.ndindex(shape)]


def step_numbers(step: Step) -> list[int]:
    """Write a step as the kernel reads it.

    Parameters
    ----------
    step : Step
        As a problem has it.

    Returns
    -------
    list of int
        ``k.STEP_NUMBERS`` of them.
    """
    return [
        *(step.kind, step.shots, step.auto_hit, step.risky, step.first_shot_dice, step.injury_keep, step.markers),
        *(step.action_dice, step.action_dice_down),
        *(step.injury_dice, step.injury_dice_critical, step.injury_dice_down, step.injury_dice_down_critical),
        *(step.injury_modifier, step.injury_modifier_critical),
        *(step.injury_modifier_down, step.injury_modifier_down_critical),
        *step.special,
    ]


def problem_numbers(problem: Problem) -> list[int]:
    """Give charts, rulings and nature as the kernel reads them.

    Parameters
    ----------
    problem : Problem
        The problem.

    Returns
    -------
    list of int
        ``PROBLEM_NUMBERS`` of them.
    """
    others = [problem.minor_for_down, problem.policy.blessing, problem.policy.blood != p.NONE]
    return [*problem.charts, *problem.rulings, *others, *problem.nature]


def _choices(block: Block, codes: Codes) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """What is spent on a hit, by table and state, and which table each move has.

    The states are those whose activation has not ended, which are the first of all.
    """
    [problem] = block.problems
    going = codes.size // codes.shape.ended
    if problem.policy.blood == p.OPTIMAL:
        return in_bits(block, plan(block, codes)[0, :, :going]), np.arange(block.sequence.shape[1])
    states = codes.decode(np.arange(going))
    table = policies.table(block)
    return in_bits(block, table[:, states.down, states.markers, states.blessing]), block.sequence[0]


def in_bits(block: Block, choices: NDArray[np.int8]) -> NDArray[np.int8]:
    """Write choices as the kernel reads them: dice bought, and a bit for a Bloodbath.

    Parameters
    ----------
    block : Block
        Whose choices they are.
    choices : array of int8
        As ``Block.dice`` and ``Block.bloodbath`` read them.

    Returns
    -------
    array of int8
        Of the same shape.
    """
    bits = block.dice(choices) + k.WITH_BATH * block.bloodbath(choices)
    return np.ascontiguousarray(bits, dtype=np.int8)
