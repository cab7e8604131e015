"""Optimal spending of blood markers: the choice that makes out of action by the end of the scenario most likely.

Backward induction over the moves: the value of a state is the chance that the target is out of action in the end, if
every later choice is optimal too. Only single attacks in turn are planned here.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tcsim.engines import chain, target
from tcsim.engines.block import FLOAT_TAILS, Block, Ints
from tcsim.engines.chain import NOTHING, Codes
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
        for event in (p.STAND, p.ACTIVATION, p.ACTIVATED):
            here = kind == event
            if not here.any():
                continue
            before[problem[here], code[here]] = _after_event(block, codes, event, value, problem[here], code[here])
        here = (kind == p.GATE) & (codes.decode(code).ended == 0)
        if here.any():
            before[problem[here], code[here]] = _at_gate(block, codes, value, problem[here], row[here], code[here])
        here = (kind == p.ATTACK) & (codes.decode(code).ended == 0)
        if here.any():
            chosen, worth = _attack(block, codes, value, problem[here], row[here], code[here])
            choices[problem[here], move, code[here]] = chosen
            before[problem[here], code[here]] = worth
        value = before
    return choices


def _possible(block: Block, codes: Codes) -> NDArray[np.bool_]:
    """Which states a problem of this policy can come to: TOUGH is not regained, blessings go all at once."""
    states = codes.states
    possible: NDArray[np.bool_] = np.repeat((block.blood_policy == p.OPTIMAL)[:, None], codes.size, axis=1)
    for name in ("tough", "spared", "warded", "firm"):
        start = np.array([getattr(problem.start, name) for problem in block.problems])
        possible &= getattr(states, name) <= start[:, None]
    blessing = np.array([problem.start.blessing for problem in block.problems])[:, None]
    spent = (states.blessing == 0) & (block.blessing_policy == 1)[:, None]
    possible &= (states.blessing == blessing) | spent
    return possible


def _after_event(block: Block, codes: Codes, event: int, value: Values, problem: Ints, code: Ints) -> Values:
    """What happens to the target is skipped where the activation has ended; a new activation begins anyway."""
    states = codes.decode(code)
    if event == p.ACTIVATION:
        after = states._replace(ended=np.zeros_like(code), struck=NOTHING)
    elif event == p.STAND:
        after = states._replace(down=np.where(states.ended == 1, states.down, 0))
    else:
        activated = target.activate(block, problem, states)
        skipped = states.ended == 1
        after = states._replace(
            blood=np.where(skipped, states.blood, activated.blood),
            infection=np.where(skipped, states.infection, activated.infection),
        )
    return value[problem, codes.of(after)]


def _at_gate(block: Block, codes: Codes, value: Values, problem: Ints, row: Ints, code: Ints) -> Values:
    """Either the activation goes on, or it ends."""
    passes = chain.gate_chance(block, FLOAT_TAILS, row)
    failed = codes.of(codes.decode(code)._replace(ended=np.ones_like(code)))
    worth: Values = passes * value[problem, code] + (1 - passes) * value[problem, failed]
    return worth


def _attack(block: Block, codes: Codes, later: Values, problem: Ints, row: Ints, code: Ints) -> tuple[Ints, Values]:
    """Choices and values before an attack, from the values after it."""
    before = chain.begin(block, row, codes.decode(code))
    options = Options(block, problem, row, before)
    problems, rows, states = options.spread(problem, row, before)
    critical, choice = np.arange(2), options.choice[:, None]
    blessing = chain.blessing_spent(block, problems, rows, states)
    reach = chain.injury_chances(block, FLOAT_TAILS, problems, rows, states, critical, blessing, choice)
    spent = target.pay(states, chain.cost(block, problems, rows, states.down, choice), blessing)
    spent = chain.count_hit(block, rows, spent, hit=True)
    worth = np.zeros(reach[0].shape)
    exactly = (1 - reach[0], reach[0] - reach[1], reach[1] - reach[2], reach[2])
    for result, chance in enumerate(exactly):
        after, out = target.take_result(block, problems, rows, spent, result, block.bloodbath(choice))
        then = later[problems, codes.of(target.end_volley(block, problems, after))]
        worth += chance * (np.where(out, 1.0, then) if result == p.OUT else then)
    picked = options.best(worth)
    is_picked = options.choice[:, None] == picked[options.index]
    gained = np.add.reduceat(np.where(is_picked, worth, 0.0), options.first, axis=0)
    # a problem with re-rolls has another policy, so nothing is in the other stories
    miss, hit, crit = chain.hit_chances(block, FLOAT_TAILS, problem, row, before, first_shot=True)[0]
    ended = np.where(block.step.risky[row] == 1, 1, before.ended)
    missed = later[problem, codes.of(chain.count_hit(block, row, before._replace(ended=ended), hit=False))]
    worth = miss * missed + hit * gained[:, 0] + crit * gained[:, 1]
    return picked, np.where(chain.is_made(block, row, before), worth, later[problem, codes.of(before)])
