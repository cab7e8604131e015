"""Questions whose spending is planned, answered together: one plan is for every start, and for fewer attacks, too.

A plan says what is spent in every state before every move. So the states that any question meets are followed once,
forwards, and what each comes to is worked out backwards from the end: of a hundred starts each move is made once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tcsim.engines.block import FLOAT_TAILS, Block, Ints
from tcsim.engines.chain import NOTHING, Entries, States
from tcsim.engines.choices import Choices
from tcsim.engines.codes import Codes
from tcsim.engines.exact import BLOCK_MOVES, BLOCK_PLANS, BLOCK_PROBLEMS, advance
from tcsim.scenario.problem import Problem, State

Floats = NDArray[np.float64]

#: Most states whose moves are made together.
_MOST_ENTRIES = 8192


class _Move(NamedTuple):
    """What a move does to some states, each told as a number: problem times states of a problem, plus code.

    ``before``: the states; ``out``: P(out of action) of each. Then what each can come to: the ``place`` of the state
    before, the one ``after``, and how probable that is.
    """

    before: Ints
    out: Floats
    place: Ints
    after: Ints
    p: Floats


def answers(problems: Sequence[Problem], starts: Sequence[State], which: Ints, start: Ints) -> Floats:
    """Answer questions whose spending is planned.

    Parameters
    ----------
    problems : sequence of Problem
        Their own starts do not count.
    starts : sequence of State
        Targets before the first move; all have as many blessing markers, and all have infection markers or none has.
    which, start : array of int, shape (n,)
        The problem and the start of each question.

    Returns
    -------
    array, shape (n, 3)
        P(out of action), P(Down), and the mean number of blood markers on a target still in the fight.
    """
    wholes: dict[Problem, int] = {}
    whole_of, moves = np.zeros(len(problems), dtype=np.int64), np.zeros(len(problems), dtype=np.int64)
    for number in np.unique(which).tolist():
        problem = problems[number]
        whole_of[number], moves[number] = wholes.setdefault(_whole(problem), len(wholes)), problem.moves
    own, length = whole_of[which], moves[which]
    longest, most = np.zeros(len(wholes), dtype=np.int64), np.zeros((len(wholes), len(State._fields)), dtype=np.int64)
    np.maximum.at(longest, own, length)
    np.maximum.at(most, own, np.array(starts, dtype=np.int64)[start])
    each = [
        _of_length(replace(whole, start=State(*most[number].tolist())), int(longest[number]))
        for whole, number in wholes.items()
    ]
    found = np.zeros((which.size, 3))
    for some in _blocks(each):
        place = np.full(len(each), -1, dtype=np.int64)
        place[some] = np.arange(len(some))
        here = np.flatnonzero(place[own] >= 0)
        block = Block([each[number] for number in some])
        found[here] = _block_answers(block, starts, place[own[here]], start[here], length[here])
    return found


def _whole(problem: Problem) -> Problem:
    """What all questions have in common that one plan answers: all but the start, and how often an attack is made.

    A plan of more attacks of one kind ends as that of fewer, but where it is told in which the target is to go out.
    """
    steps = problem.steps
    if len(steps) == 1 and problem.goal.name != "out-by-attack":
        steps = (steps[0]._replace(volleys=1),)
    return replace(problem, start=State(), steps=steps)


def _of_length(problem: Problem, moves: int) -> Problem:
    if len(problem.steps) > 1:
        return problem
    return replace(problem, steps=(problem.steps[0]._replace(volleys=moves),))


def _blocks(problems: Sequence[Problem]) -> Iterator[list[int]]:
    """Put problems that are planned together into blocks: of the same states, and about as long as each other."""

    def kind(number: int) -> tuple[bool, int, tuple[str, ...]]:
        problem = problems[number]
        return problem.is_special, problem.charts.marker_limit, problem.few_states

    some: list[int] = []
    moves = 0
    for number in sorted(range(len(problems)), key=lambda one: (kind(one), problems[one].moves)):
        most = BLOCK_PLANS if problems[number].is_special else BLOCK_PROBLEMS
        more = problems[number].moves
        if some and (kind(some[0]) != kind(number) or len(some) >= most or moves + more > BLOCK_MOVES):
            yield some
            some, moves = [], 0
        some.append(number)
        moves += more
    yield some


def _block_answers(block: Block, starts: Sequence[State], which: Ints, start: Ints, moves: Ints) -> Floats:
    """Answer the questions of one block, each of which has so many moves of its problem, the last ones."""
    codes = Codes(block, within_volley=False)
    columns = np.array([starts[one] for one in start.tolist()], dtype=np.int64).T
    begun = States(ended=NOTHING, **dict(zip(State._fields, columns, strict=True)))
    asked = which * codes.size + np.broadcast_to(codes.of(begun), which.shape)
    first = block.moves[which] - moves
    told: list[_Move] = []
    states = np.zeros(0, dtype=np.int64)
    choices = Choices(block, codes)
    for move in range(int(block.moves.max())):
        states = np.unique(np.concatenate([states, asked[first == move]]))
        states = states[block.moves[states // codes.size] > move]  # the others have ended
        told.append(_made(block, choices, states, move))
        states = told[-1].after
    down, blood = (np.broadcast_to(one, (codes.size,)) for one in (codes.states.down, codes.states.blood))
    end = np.stack([np.zeros(codes.size), down == 1, blood, np.ones(codes.size)], axis=-1)
    worth = np.tile(end, (block.size, 1))
    found = np.zeros((which.size, 4))
    for move in range(len(told) - 1, -1, -1):
        before, out, place, after, p = told[move]
        parts = [np.bincount(place, p * one, minlength=before.size) for one in worth[after].T]
        worth[before] = np.stack([parts[0] + out, *parts[1:]], axis=-1)
        here = np.flatnonzero(first == move)
        found[here] = worth[asked[here]]
    with np.errstate(invalid="ignore"):
        return np.stack([found[:, 0], found[:, 1], found[:, 2] / found[:, 3]], axis=-1)


def _made(block: Block, choices: Choices, states: Ints, move: int) -> _Move:
    """Make a move from each of some states."""
    codes, parts = choices.codes, []
    for low in range(0, states.size, _MOST_ENTRIES):
        some = states[low : low + _MOST_ENTRIES]
        problem, code = np.divmod(some, codes.size)
        many = block.repeated(np.bincount(problem, minlength=block.size))
        out = np.zeros(some.size)
        entries = Entries(np.arange(some.size), codes.decode(code), np.ones(some.size))
        entries = advance(many, FLOAT_TAILS, Choices(many, codes, (choices, problem)), entries, move, out)
        after = problem[entries.problem] * codes.size + np.broadcast_to(codes.of(entries.states), entries.p.shape)
        parts.append(_Move(some, out, entries.problem + low, after, entries.p))
    return _Move(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))
