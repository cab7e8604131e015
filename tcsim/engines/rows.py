"""A problem as the kernels read it: rows of numbers, and which kernel plays them."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tcsim.engines import policies
from tcsim.engines.block import Block
from tcsim.engines.codes import Codes
from tcsim.engines.optimal import plan
from tcsim.engines.play import Play
from tcsim.engines.room import borrowed_room
from tcsim.engines.special_rows import special_play
from tcsim.engines.states import pack, unpack
from tcsim.kernels import layout as k
from tcsim.kernels import single
from tcsim.kernels.fight import count_trials
from tcsim.scenario import problem as p
from tcsim.scenario.problem import ACTION_KEEP, Problem

#: Choices from this one on are with a Bloodbath.
BLOODBATH_FROM = 7


@lru_cache(maxsize=64)
def play_of(problem: Problem, dice: str = "own") -> Play:
    """Choose the kernel that plays a problem, and give it the problem's rows.

    Parameters
    ----------
    problem : Problem
        What is played.
    dice : str, optional
        ``own``, or ``shared`` with other problems, which takes a little longer.

    Returns
    -------
    Play
        Of one plain attack, if the problem is one.
    """
    block = Block([problem])
    if problem.is_one_by_one:
        return special_play(block)
    spending = _spending(block)
    return _single(block, spending, dice == "shared") or _general(block, spending)


class _Spending(NamedTuple):
    """What is spent on hits, as choices by move, TOUGH, blessing held, Down, blood and critical."""

    choices: NDArray[np.int64]
    kind: int
    baths: bool


def _spending(block: Block) -> _Spending:
    [problem] = block.problems
    sequence, policy, start = block.sequence[0], problem.policy, problem.start
    if problem.is_planned:
        codes = Codes(block, within_volley=False)
        shape = codes.shape[1:5]  # TOUGH, blessing, Down, blood; the activation has not ended
        plans = plan(block, codes).choices[0, :, : int(np.prod(shape))]
        choices = plans.reshape(sequence.size, *shape, 2)
    else:
        choices = policies.table(block).transpose(0, 3, 1, 2, 4)[sequence, None]
    # without blessings to tell apart, a lane is looked up as if it held what the problem starts with
    held = [0, start.blessing] if policy.blessing and start.blessing else [start.blessing]
    told = choices[:, :, held].astype(np.int64)
    if not start.down:  # nothing takes a target Down before the end of the first volley
        first = int(np.argmax(block.step.kind[sequence] == p.ATTACK))
        told[: first + 1, :, :, 1] = 0
    baths = bool(told.max() >= BLOODBATH_FROM)
    kind = k.SPEND_DICE
    if len(held) > 1 or baths:
        kind = k.SPEND_ANY
    elif policy.blood in (p.NONE, p.ALL):
        kind = k.SPEND_BLOOD
    return _Spending(told, kind, baths)


def _general(block: Block, spending: _Spending) -> Play:
    [problem] = block.problems
    rows = range(len(problem.steps))
    steps = np.array([_numbers(k.STEP_NUMBERS, _step(block, row, spending)) for row in rows])
    shots = [[_shot(block, row, spending, first) for first in (True, False)] for row in rows]
    params = np.array([[_numbers(k.PARAMS, shot) for shot in both] for both in shots]).astype(np.uint16)
    planes, begin = _planes(spending.choices), pack(problem.start)

    def run(key: Any, start: int, stop: int, room: Any, counts: Any, tape: Any, taped: Any) -> None:
        count_trials(key, start, stop, begin, steps, params, block.sequence[0], planes, room, counts, tape, taped)

    ends = tuple(unpack(code, problem.start.blessing) for code in range(k.STATE_CODES))
    return Play(run, ends, problem.rolls)


def _numbers(size: int, numbers: dict[int, Any]) -> NDArray[np.int64]:
    """Put numbers where ``layout`` has them; all must be given."""
    row = np.zeros(size, dtype=np.int64)
    row[list(numbers)] = list(numbers.values())
    if len(numbers) != size:
        raise ValueError(f"{len(numbers)} numbers are given, the kernel reads {size}")
    return row


def _step(block: Block, row: int, spending: _Spending) -> dict[int, Any]:
    """How the kernel plays a step."""
    [problem] = block.problems
    step = problem.steps[row]
    flat = spending.baths and problem.rulings.bloodbath_adds_flat_die
    keep = step.injury_keep + (spending.baths and not flat)
    if step.shots > k.MAX_SHOTS or keep > len(k.TOPS) or problem.charts.marker_limit >= k.BLOOD:
        raise ValueError(f"the kernels hold {k.MAX_SHOTS} shots, {len(k.TOPS)} kept dice and {k.BLOOD - 1} markers")
    if (
        max(abs(block.action_dice[row]).max() + abs(step.first_shot_dice), abs(block.injury_dice[row]).max())
        > k.MOST_NET
    ):
        raise ValueError(f"the kernels hold {k.MOST_NET} net dice")
    extra = (step.first_shot_dice, 0)[: step.shots]
    return {
        k.MOVE: step.kind,
        k.SHOTS: step.shots,
        k.AUTO_HIT: step.auto_hit,
        k.RISKY: step.risky,
        k.MOST_ACTION_DICE: ACTION_KEEP + max(abs(net + more) for net in block.action_dice[row] for more in extra),
        k.KEEP: keep,
        k.QUICK_INJURY: keep if step.injury_keep > 1 and keep < 4 and not flat else 0,
        k.SPENDING: spending.kind,
        k.FLAT_DIE: flat,
    }


def _shot(block: Block, row: int, spending: _Spending, first: bool) -> dict[int, Any]:
    """What the passes read for a shot of a step."""
    [problem] = block.problems
    step, charts, rulings = problem.steps[row], problem.charts, problem.rulings
    standing, down = block.action_dice[row] + (step.first_shot_dice if first else 0)
    dice, modifiers = block.injury_dice[row], block.injury_modifier[row]
    blessing = problem.start.blessing if problem.policy.blessing else 0
    return {
        k.ACTION_SIZE: ACTION_KEEP + abs(standing),
        k.ACTION_SIZE_DOWN: ACTION_KEEP + abs(down),
        k.ACTION_LOWEST: _mask(standing < 0),
        k.ACTION_LOWEST_DOWN: _mask(down < 0),
        k.SUCCESS: charts.success,
        k.CRITICAL: charts.critical,
        k.ALL_BLOOD: k.BLOOD if problem.policy.blood == p.ALL else 0,
        k.INJURY_SIZE: step.injury_keep,
        k.INJURY_DICE: dice[0, 0],
        k.INJURY_DICE_CRITICAL: dice[0, 1],
        k.INJURY_DICE_DOWN: dice[1, 0],
        k.INJURY_DICE_DOWN_CRITICAL: dice[1, 1],
        k.BLESSING: blessing,
        k.BLESSING_SPENT: k.HOLDS_BLESSING if blessing else 0,
        k.BATH_COST: charts.bloodbath_cost,
        k.BATH_COST_DOWN: charts.bloodbath_cost_down,
        k.BATH_KEEPS: spending.baths and not rulings.bloodbath_adds_flat_die,
        k.KEEPS_SECOND: _mask(step.injury_keep > 1),
        k.KEEPS_THIRD: _mask(step.injury_keep > 2),
        k.KEEPS_FOURTH: _mask(step.injury_keep > 3),
        k.KEEPS_FIFTH: _mask(step.injury_keep > 4),
        k.MODIFIER: modifiers[0, 0],
        k.MODIFIER_CRITICAL: modifiers[0, 1],
        k.MODIFIER_DOWN: modifiers[1, 0],
        k.MODIFIER_DOWN_CRITICAL: modifiers[1, 1],
        k.MINOR_HIT: charts.minor_hit,
        k.DOWN: charts.down,
        k.OUT: charts.out_of_action,
        k.ALWAYS_MARKERS: step.markers,
        k.MINOR_HIT_MARKERS: charts.minor_hit_markers,
        k.DOWN_MARKERS: charts.down_markers,
        k.DOWN_AGAIN_MARKERS: charts.down_again_markers,
        k.MARKER_LIMIT: charts.marker_limit,
        k.SOFTENS: _mask(problem.minor_for_down),
        k.SOFTENS_TOUGH: _mask(problem.minor_for_down and rulings.minor_hit_after_tough),
        k.ABSORBS_VOLLEY: _mask(rulings.tough_absorbs_volley),
        k.AGAIN_COUNTS: _mask(not rulings.second_down_counts_as_first),
    }


def _mask(truth: object) -> int:
    return 0xFFFF if truth else 0


def _planes(choices: NDArray[np.int64]) -> NDArray[np.uint16]:
    """Write choices as bit planes: bit ``blood + 7 * critical`` of 4 words, against a standing and a Down target.

    The words hold dice bought (three bits) and whether a Bloodbath is taken. There is a set of them for each state of
    TOUGH and held blessings; at its end stand the bits of the state to look at, and how they are set.
    """
    dice, bloodbath = choices % BLOODBATH_FROM, choices // BLOODBATH_FROM
    code = dice | (bloodbath << 3)
    place = np.arange(7)[:, None] + 7 * np.arange(2)[None, :]
    moves, tough, held, *_ = choices.shape
    words = np.stack([(((code >> bit) & 1) << place).sum(axis=(-2, -1)) for bit in range(4)], axis=-1)
    planes = np.zeros((moves, tough, held, k.PLANE_PARAMS), dtype=np.uint16)
    planes[..., : k.LOOK_AT] = words.reshape(moves, tough, held, k.LOOK_AT)
    planes[..., k.LOOK_AT] = (k.IS_TOUGH if tough > 1 else 0) | (k.HOLDS_BLESSING if held > 1 else 0)
    planes[:, 1:, :, k.LOOK_FOR] |= k.IS_TOUGH
    planes[:, :, 1:, k.LOOK_FOR] |= k.HOLDS_BLESSING
    return planes.reshape(moves, tough * held, k.PLANE_PARAMS)


def _single(block: Block, spending: _Spending, shared: bool) -> Play | None:
    """One plain attack, if the problem is one and each of its pools comes from one word."""
    [problem] = block.problems
    step, start, charts = problem.steps[0], problem.start, problem.charts
    if len(problem.steps) != 1 or problem.rolls != 1 or step.auto_hit or step.injury_keep != 2:
        return None
    spent = spending.choices[0, -1, -1, start.down, start.blood]  # of a target that has its TOUGH and blessings
    action = int(block.action_dice[0, start.down]) + step.first_shot_dice
    nets = block.injury_dice[0, start.down] + spent - start.blessing * problem.policy.blessing
    if spent.max() >= BLOODBATH_FROM or max(abs(action), *abs(nets)) > single.MOST_DICE - 2:
        return None
    numbers = {
        single.ACTION_SIZE: 2 + abs(action),
        single.ACTION_LOWEST: _mask(action < 0),
        single.SUCCESS: charts.success - _turned(action),
        single.CRITICAL: charts.critical - _turned(action),
        single.MINOR_HIT: charts.minor_hit,
        single.DOWN: charts.down,
        single.OUT: charts.out_of_action,
        single.SHARED: shared,
    }
    for hit, net in enumerate(nets.tolist()):
        for_hit = {
            single.INJURY_SIZE: 2 + abs(net),
            single.INJURY_LOWEST: _mask(net < 0),
            single.MODIFIER: block.injury_modifier[0, start.down, hit] + _turned(net),
            single.SPENT: spent[hit],
        }
        numbers |= {single.FOR_CRITICAL * hit + number: value for number, value in for_hit.items()}
    params = _numbers(single.SINGLE_PARAMS, numbers).astype(np.uint16)
    ends = [pack(start), *_injured(block, spending, spent)]

    def run(key: Any, start: int, stop: int, room: Any, counts: Any, tape: Any, taped: Any) -> None:
        single.count_single(key, start, stop, params, room, counts, tape, taped)

    return Play(run, tuple(unpack(code, start.blessing) for code in ends))


def _turned(net: int) -> int:
    """What is added to two dice from 0 to 5 to make them faces; all bits of their sum are turned for lowest dice."""
    return 13 if net < 0 else 2


def _injured(block: Block, spending: _Spending, spent: NDArray[np.int64]) -> list[int]:
    """Give the state codes after each result of the injury chart, on a plain and on a critical hit."""
    [problem] = block.problems
    start, charts = problem.start, problem.charts
    params = _shot(block, 0, spending, first=True)
    unmodified = (k.MODIFIER, k.MODIFIER_CRITICAL, k.MODIFIER_DOWN, k.MODIFIER_DOWN_CRITICAL)
    params |= dict.fromkeys(unmodified, 0)
    paid = pack(start) - spent - params[k.BLESSING_SPENT]
    with borrowed_room() as room:
        states = room[:8]
        states[:] = np.repeat(paid, 4)
        room[k.WORK_AT + k.HITS * k.LANES :][:8] = np.repeat([1, 2], 4)
        results = (charts.minor_hit - 1, charts.minor_hit, charts.down, charts.out_of_action)
        room[k.WORK_AT + k.TOTAL * k.LANES :][:8] = results * 2
        single.read_injury(room, _numbers(k.PARAMS, params).astype(np.uint16))
        codes: list[int] = states.tolist()
    return codes
