"""Optimal spending of blood markers: the choice that makes out of action by the end of the scenario most likely.

Backward induction over the moves: the value of a state is the chance that the target is out of action in the end, if
every later choice is optimal too. Only single attacks in turn are planned here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tcsim.engines import chain
from tcsim.engines.block import FLOAT_TAILS, Block, Ints
from tcsim.engines.chain import OUT, Codes
from tcsim.engines.policies import Options
from tcsim.scenario import problem as p

Values = NDArray[np.float64]


def plan(block: Block, codes: Codes) -> NDArray[np.int8]:
    """Plan every choice of the problems whose policy is optimal.

    Parameters
    ----------
    block : Block
        The problems; those of another policy get choices of no meaning.
    codes : Codes
        The states between two volleys.

    Returns
    -------
    array of int8, shape (problems, moves, codes.size, 2)
        The choice for a plain and a critical hit.
    """
    moves = block.sequence.shape[1]
    choices = np.zeros((block.size, moves, codes.size, 2), dtype=np.int8)
    value = np.zeros((block.size, codes.size))
    problem, code = np.nonzero(_possible(block, codes))
    for move in range(moves - 1, -1, -1):
        row = block.sequence[problem, move]
        kind = np.where(row >= 0, block.step.kind[row], -1)
        before = value.copy()
        for event in (p.STAND, p.ACTIVATION):
            here = kind == event
            before[problem[here], code[here]] = _after_event(codes, event, value, problem[here], code[here])
        here = (kind == p.ATTACK) & (codes.states.ended[code] == 0)
        if here.any():
            chosen, worth = _attack(block, codes, value, problem[here], row[here], code[here])
            choices[problem[here], move, code[here]] = chosen
            before[problem[here], code[here]] = worth
        value = before
    return choices


def _possible(block: Block, codes: Codes) -> NDArray[np.bool_]:
    """Which states a problem of this policy can come to: TOUGH is not regained, blessings go all at once."""
    tough, blessing = (np.array([getattr(q.start, name) for q in block.problems]) for name in ("tough", "blessing"))
    states = codes.states
    held = states.blessing == blessing[:, None]
    spent = (states.blessing == 0) & (block.blessing_policy == 1)[:, None]
    wanted = (block.blood_policy == p.OPTIMAL)[:, None]
    possible: NDArray[np.bool_] = wanted & (held | spent) & (states.tough <= tough[:, None])
    return possible


def _after_event(codes: Codes, event: int, value: Values, problem: Ints, code: Ints) -> Values:
    """A stand ends Down, unless the activation has ended and it is skipped; an activation begins anew."""
    states = codes.decode(code)
    if event == p.STAND:
        states = states._replace(down=np.where(states.ended == 1, states.down, 0))
    else:
        states = states._replace(ended=np.zeros_like(code))
    return value[problem, codes.of(states)]


def _attack(block: Block, codes: Codes, later: Values, problem: Ints, row: Ints, code: Ints) -> tuple[Ints, Values]:
    """Choices and values before an attack, from the values after it."""
    before = codes.decode(code)
    options = Options(block, problem, before)
    problems, rows, states = options.spread(problem, row, before)
    critical, choice = np.arange(2), options.choice[:, None]
    blessing = chain.blessing_spent(block, problems, states)
    reach = chain.injury_chances(block, FLOAT_TAILS, problems, rows, states.down, critical, blessing, choice)
    left = states.blood - chain.cost(block, problems, states.down, choice)
    spent = states._replace(blood=left, blessing=states.blessing - blessing)
    worth = np.zeros(reach[0].shape)
    exactly = (1 - reach[0], reach[0] - reach[1], reach[1] - reach[2], reach[2])
    for result, chance in enumerate(exactly):
        after, out = chain.take_result(block, problems, rows, spent, result)
        then = later[problems, codes.of(chain.end_volley(block, problems, after))]
        worth += chance * (np.where(out, 1.0, then) if result == OUT else then)
    picked = options.best(worth)
    is_picked = options.choice[:, None] == picked[options.index]
    gained = np.add.reduceat(np.where(is_picked, worth, 0.0), options.first, axis=0)
    miss, hit, crit = chain.hit_chances(block, FLOAT_TAILS, problem, row, before.down, first_shot=True)
    ended = np.where(block.step.risky[row] == 1, 1, before.ended)
    missed = later[problem, codes.of(before._replace(ended=ended))]
    return picked, miss * missed + hit * gained[:, 0] + crit * gained[:, 1]
