"""Spending that is planned: by a user's rows, or optimal for a goal, as a table over every state of every move.

Optimal spending is backward induction over the moves: the value of a state is what the goal makes of the end, on
average, if every later choice is optimal too. Shots resolved together are one move, whose hits are decided on jointly
(:mod:`tcsim.engines.deal`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from tcsim.engines import chain, goals, ruled, target
from tcsim.engines.block import FLOAT_TAILS, Block, Ints
from tcsim.engines.chain import NOTHING, States
from tcsim.engines.codes import Codes
from tcsim.engines.deal import Best
from tcsim.engines.policies import Options
from tcsim.engines.volley import SOFT, Deals, Volley
from tcsim.scenario import problem as p

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Plan:
    """What is spent, by problem, move and state.

    Parameters
    ----------
    choices : array of int8, shape (problems, moves, codes.size, 2)
        The choice for a plain and a critical hit of an attack in turn; of no meaning for problems that are not planned.
        A state whose activation has ended tells of a hit that ended it.
    deals : dict of (problem, move) to Deals
        What the hits of each volley get.
    value : array of float, shape (problems, codes.size)
        What the goal makes of each state before the first move; 0 for problems that are not optimal.
    """

    choices: NDArray[np.int8]
    deals: dict[tuple[int, int], Deals]
    value: Values


def plan(block: Block, codes: Codes) -> Plan:
    """Plan every choice of the problems whose spending is planned.

    Parameters
    ----------
    block : Block
        The problems.
    codes : Codes
        The states between two volleys.

    Returns
    -------
    Plan
        The choices; those of problems of another policy have no meaning.
    """
    return _Planner(block, codes).plan()


@dataclass
class _Attack:
    """What an attack can come to, whatever is worth after it: options, chances, and the states after each result."""

    before: States
    options: Options
    chances: list[Values]
    after: list[tuple[Ints, NDArray[np.bool_] | bool]]
    stories: tuple[tuple[Values, Values, Values], ...]
    missed: list[Ints]
    made: NDArray[np.bool_]


@dataclass
class _Planner:
    block: Block
    codes: Codes
    _attacks: dict[bytes, _Attack] = field(default_factory=dict)
    _volleys: dict[tuple[int, int], Best] = field(default_factory=dict)

    def plan(self) -> Plan:
        """Go back from the last move to the first."""
        block, codes = self.block, self.codes
        moves = block.sequence.shape[1]
        choices = np.zeros((block.size, moves, codes.size, 2), dtype=np.int8)
        deals: dict[tuple[int, int], Deals] = {}
        for index in np.flatnonzero(block.blood_policy == p.RULES).tolist():
            deals |= ruled.tabulate(block, codes, index, choices[index])
        optimal = block.blood_policy == p.OPTIMAL
        value = np.zeros((block.size, codes.size))
        out = np.zeros((block.size, moves))
        for index in np.flatnonzero(optimal).tolist():
            value[index] = goals.worth_alive(block.problems[index], codes.states)
            out[index, : block.moves[index]] = goals.worth_out(block.problems[index])
        problem, code = np.nonzero(_possible(block, codes, optimal))
        ended = codes.decode(code).ended == 1
        for move in range(moves - 1, -1, -1):
            row = block.sequence[problem, move]
            kind = np.where(row >= 0, block.step.kind[row], -1)
            before = value.copy()
            for event in (p.STAND, p.ACTIVATION, p.ACTIVATED):
                here = kind == event
                if here.any():
                    before[problem[here], code[here]] = _after_event(
                        block, codes, event, value, problem[here], code[here]
                    )
            here = (kind == p.GATE) & ~ended
            if here.any():
                before[problem[here], code[here]] = _at_gate(block, codes, value, problem[here], row[here], code[here])
            attack = (kind == p.ATTACK) & ~ended
            single = attack & (block.step.shots[row] == 1)
            if single.any():
                where = problem[single], row[single], code[single]
                before[where[0], where[2]] = self._attack(value, out[where[0], move], where, choices[:, move])
            for index in np.unique(problem[attack & ~single]).tolist():
                here = attack & (problem == index)
                own = int(block.sequence[index, move])
                if (index, own) not in self._volleys:
                    self._volleys[index, own] = Best(Volley(block, FLOAT_TAILS, index, own), codes)
                dealt, worth = self._volleys[index, own].deal(value[index], out[index, move], code[here])
                deals[index, move] = dealt
                made = chain.is_made(block, row[here], chain.begin(block, row[here], codes.decode(code[here])))
                before[index, code[here]] = np.where(made, worth, value[index, code[here]])
            value = before
        return Plan(choices, deals, value)

    def _attack(self, later: Values, out: Values, where: tuple[Ints, Ints, Ints], choices: NDArray[np.int8]) -> Values:
        """Choices and values before an attack, from the values after it."""
        problem, _, code = where
        key = b"".join(part.tobytes() for part in where)
        if key not in self._attacks:
            self._attacks[key] = self._prepare(*where)
        attack = self._attacks[key]
        worth = np.zeros(code.shape)
        index = problem[attack.options.index][:, None]
        for story, (miss, hit, critical) in enumerate(attack.stories):
            gain = np.zeros(attack.chances[0].shape)
            for result, chance in enumerate(attack.chances):
                after, is_out = attack.after[result]
                then = later[index, after + self._ended * story]
                gain += chance * (
                    np.where(is_out, out[attack.options.index][:, None], then) if result == p.OUT else then
                )
            picked, gained = attack.options.best(gain)
            choices[problem, code + self._ended * story] = picked
            worth += miss * later[problem, attack.missed[story]] + hit * gained[:, 0] + critical * gained[:, 1]
        return np.where(attack.made, worth, later[problem, code])

    @property
    def _ended(self) -> int:
        """How far a state's code lies from that of the same state when the activation has ended."""
        return self.codes.going

    def _prepare(self, problem: Ints, row: Ints, code: Ints) -> _Attack:
        block, codes = self.block, self.codes
        before = chain.begin(block, row, codes.decode(code))
        options = Options(block, problem, row, before)
        problems, rows, states = options.spread(problem, row, before)
        critical, choice = np.arange(2), options.choice[:, None]
        blessing = chain.blessing_spent(block, problems, rows, states)
        reach = chain.injury_chances(block, FLOAT_TAILS, problems, rows, states, critical, blessing, choice)
        spent = target.pay(states, chain.cost(block, problems, rows, states.down, choice), blessing)
        spent = chain.count_hit(block, rows, spent, hit=True)
        after = []
        for result in range(4):
            hit, is_out = target.take_result(block, problems, rows, spent, result, block.bloodbath(choice))
            after.append((codes.of(target.end_volley(block, problems, hit)), is_out))
        stories = chain.hit_chances(block, FLOAT_TAILS, problem, row, before, first_shot=True)
        missed = []
        for story in range(len(stories)):
            ended = np.maximum(block.step.risky[row] == 1, story)
            missed.append(codes.of(chain.count_hit(block, row, before._replace(ended=ended), hit=False)))
        chances = [1 - reach[0], reach[0] - reach[1], reach[1] - reach[2], reach[2]]
        return _Attack(before, options, chances, after, stories, missed, chain.is_made(block, row, before))


def _possible(block: Block, codes: Codes, optimal: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which states a problem of this policy can come to: TOUGH is not regained, blessings go all at once."""
    states = codes.states
    possible: NDArray[np.bool_] = np.repeat(optimal[:, None], codes.size, axis=1)
    for name in SOFT:
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
