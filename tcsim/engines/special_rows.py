"""A special problem, or a game, as its kernel reads it (:mod:`tcsim.kernels.special`)."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.engines import game_plan, policies
from tcsim.engines.block import Block
from tcsim.engines.chain import States
from tcsim.engines.codes import Codes
from tcsim.engines.deal import stacked
from tcsim.engines.optimal import Plan, plan
from tcsim.engines.play import Play
from tcsim.kernels import layout
from tcsim.kernels import special as k
from tcsim.scenario.problem import NONE, Problem, State, Step

#: The fields that a target has also between attacks, in the order of ``chain.States``.
_STATE = tuple(name for name in States._fields if name in State._fields)


def special_play(block: Block, moments: NDArray[np.int64] | None = None) -> Play:
    """Give a problem its kernel.

    Parameters
    ----------
    block : Block
        Of one problem, of any kind.
    moments : array of int64, shape (moves, 3), optional
        Grows by what is so after each move: Down, gone out in it, activation ended. Only one thread may play then.

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
    if problem.game is not None:
        begin[k.OWN_BLOOD], begin[k.OWN_BLESSING] = problem.game.blood, problem.game.blessing
    steps = np.array([step_numbers(step) for step in problem.steps], dtype=np.int64)
    numbers, sequence = np.array(problem_numbers(problem), dtype=np.int64), block.sequence[0]
    planned = plan(block, codes) if problem.is_planned else None
    played = game_plan.plan(block, codes) if problem.game is not None else None
    choices, tables = _choices(block, codes, planned, played)
    shares, which, deals = _deals(block, codes, planned, played)
    by_move = np.zeros((0, k.MOMENTS), dtype=np.int64) if moments is None else moments

    def run(key: Any, start: int, stop: int, room: Any, counts: Any, tape: Any, taped: Any) -> None:
        tables_of = (tables, choices, shares, which, deals, sizes)
        k.count_special(key, start, stop, begin, numbers, steps, sequence, *tables_of, counts, by_move, tape, taped)

    return Play(run, (None, *_ends(codes)), max(problem.rolls, 1))  # there may be nothing but twins of no attack


def check_holds(block: Block) -> None:
    """Raise ValueError for what the kernel cannot hold.

    Parameters
    ----------
    block : Block
        Of any problems.
    """
    games = [problem.game for problem in block.problems if problem.game is not None]
    chosen = max((max(game.blood, game.blessing) for game in games), default=0)
    action = abs(block.action_dice).max(axis=1) + abs(block.step.first_shot_dice) + chosen
    gates = (abs(step.gate.net) for problem in block.problems for step in problem.steps)
    dice = max(action.max(), abs(block.injury_dice).max(), *gates)
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
    return tuple(getattr(state, name) for name in _STATE)


def _ends(codes: Codes) -> list[State]:
    """Give the states in the order of the kernel's counts."""
    sizes = codes.shape._asdict()
    shape = tuple(sizes[name] for name in _STATE)
    return [State(**dict(zip(_STATE, map(int, index), strict=True))) for index in np.ndindex(shape)]


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
        *step.gate,
    ]


def problem_numbers(problem: Problem) -> list[int]:
    """Write charts, rulings, nature and policy of a problem as the kernel reads them.

    Parameters
    ----------
    problem : Problem
        Any.

    Returns
    -------
    list of int
        ``k.PROBLEM_NUMBERS`` of them.
    """
    spends = k.GAME if problem.game is not None else k.CHOICE if problem.policy.blood != NONE else k.NEVER
    others = [problem.minor_for_down, problem.policy.blessing, spends]
    return [*problem.charts, *problem.rulings, *others, *problem.nature]


def _choices(
    block: Block, codes: Codes, planned: Plan | None, played: game_plan.Plan | None
) -> tuple[NDArray[np.int8], NDArray[np.int64]]:
    """What is spent on a hit, by table and state, and which table each move has."""
    moves = np.arange(block.sequence.shape[1])
    if played is not None:
        columns = [in_bits(block, played.choice), played.guard, played.blood[..., None], played.blessing[..., None]]
        return np.concatenate(columns, axis=-1), moves
    if planned is not None:
        return in_bits(block, planned.choices[0]), moves
    states = codes.decode(np.arange(codes.size))
    table = policies.table(block)
    return in_bits(block, table[:, states.down, states.markers, states.blessing]), block.sequence[0]


def _deals(
    block: Block, codes: Codes, planned: Plan | None, played: game_plan.Plan | None
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.int8]]:
    """What the hits of volleys get that are decided on jointly, all tables behind one another."""
    shares = np.zeros((block.sequence.shape[1], k.SHARE_NUMBERS), dtype=np.int64)
    shares[:, k.SHARE_AT], shares[:, k.SHARE_GOING] = -1, codes.going
    which, deals, at, rows = [np.zeros(0, dtype=np.int32)], [], 0, 0
    for (_, move), dealt in planned.deals.items() if planned is not None else ():
        shares[move, : k.SHARE_GOING] = at, *dealt.which.shape[1:3]
        which.append(dealt.which.ravel() + np.int32(rows))
        deals.append(in_bits(block, dealt.deals))
        at, rows = at + which[-1].size, rows + len(deals[-1])
    if played is not None and played.volleys:
        for move, chosen in played.volleys.items():
            shares[move, : k.SHARE_GOING] = at, chosen.which.shape[1], 0
            shots = int(block.step.shots[block.sequence[0, move]])
            told = chosen.which.copy()
            told[:, :, shots << shots :] += rows
            which.append(told.ravel())
            own = chosen.deals.copy()
            own[:, ::2] = in_bits(block, chosen.deals[:, ::2])
            deals.append(own)
            at, rows = at + told.size, rows + len(own)
        return shares, np.concatenate(which), _beside(deals)
    return shares, np.concatenate(which), stacked(deals)


def _beside(tables: list[NDArray[np.int8]]) -> NDArray[np.int8]:
    """Put tables below one another, each filled up to the width of the widest."""
    width = max(table.shape[1] for table in tables)
    return np.concatenate([np.pad(table, ((0, 0), (0, width - table.shape[1]))) for table in tables])


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
