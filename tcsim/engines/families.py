"""Many questions that differ in their start and their number of attacks, answered together.

What one move does to a target is a matrix over its states. Questions that are made of the same moves share it, wherever
they start and however often the move is made; so a sweep pays for its moves, and hardly for its questions.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tcsim.engines import planned
from tcsim.engines.block import FLOAT_TAILS, Block, Ints
from tcsim.engines.chain import NOTHING, Entries, States
from tcsim.engines.choices import Choices
from tcsim.engines.codes import Codes
from tcsim.engines.exact import advance, watch_all
from tcsim.scenario.problem import GATE, Problem, State

Floats = NDArray[np.float64]

#: A move: of which problem, and which of its steps.
_Move = tuple[int, int]

#: Most states of a target for which a move is tabulated; few attacks need more, and are answered one by one.
MOST_STATES = 256

#: Most numbers in the matrices, and in the chains, that are held at once.
_ROOM = 1 << 22

#: Most problems of a block, and most states of them all whose moves are tabulated together.
_BLOCK, _MOST_ENTRIES = 256, 8192


def answers(problems: Sequence[Problem], starts: Sequence[State], which: Ints, start: Ints) -> Floats:
    """Answer problems from several starts.

    Parameters
    ----------
    problems : sequence of Problem
        Their own starts do not count.
    starts : sequence of State
        Targets before the first move.
    which, start : array of int, shape (n,)
        The problem and the start of each question.

    Returns
    -------
    array, shape (n, 3)
        P(out of action), P(Down), and the mean number of blood markers on a target still in the fight (NaN where there
        is none), right to 1e-12.

    Examples
    --------
    >>> from tcsim.scenario.read import from_mapping
    >>> from tcsim.scenario.resolve import resolve
    >>> problem = resolve(from_mapping({"target": {}, "attacks": [{"times": 2}]})).problem
    >>> answers([problem], [State(), State(down=1)], np.array([0, 0]), np.array([0, 1]))[:, 0].round(4)
    array([0.3342, 0.5238])
    """
    found = np.zeros((which.size, 3))
    together: dict[tuple[object, ...], list[int]] = {}
    for number, problem in enumerate(problems):
        together.setdefault(_kind(problem), []).append(number)
    kind_of = np.empty(len(problems), dtype=np.int64)
    for number, members in enumerate(together.values()):
        kind_of[members] = number
    kind_of_row = kind_of[which]
    for number, kind in enumerate(together):
        for some in _by_blessing(np.flatnonzero(kind_of_row == number), starts, start):
            if kind == _PLANNED:
                found[some] = planned.answers(problems, starts, which[some], start[some])
                continue
            held = [starts[one] for one in np.unique(start[some]).tolist()]
            most = State(*(max(values) for values in zip(*held, strict=True)))
            family = None if kind == () else _Family.of(problems, np.unique(which[some]).tolist(), most)
            if family is None:
                found[some] = _one_by_one(problems, starts, which[some], start[some])
            else:
                found[some] = family.answers(starts, which[some], start[some])
    alive = ~np.isnan(found[:, 2])  # 1 is for what is certain, as in an answer
    found[:, 0] = np.minimum(found[:, 0], np.where(alive, np.nextafter(1.0, 0.0), 1.0))
    found[:, 1] = np.minimum(found[:, 1], 1.0)
    return found


#: The kind of problems whose spending is planned.
_PLANNED = ("planned",)


def _kind(problem: Problem) -> tuple[object, ...]:
    """What decides how many states there are; empty where moves are not made one after the other, each alike."""
    if problem.game is not None:
        return ()
    if problem.is_planned:
        return _PLANNED
    ends = any(step.risky or step.kind == GATE or step.special.rerolls for step in problem.steps)
    return problem.charts.marker_limit, ends, problem.is_special, problem.few_states


def _by_blessing(rows: Ints, starts: Sequence[State], start: Ints) -> Iterator[Ints]:
    """Tell questions apart by what is tabulated for one number only (blessing markers), or asks for more states."""
    has = np.array([2 * one.blessing + (one.infection > 0) for one in starts])[start[rows]]
    for kind in np.unique(has).tolist():
        yield rows[has == kind]


def _one_by_one(problems: Sequence[Problem], starts: Sequence[State], which: Ints, start: Ints) -> Floats:
    pairs = zip(which.tolist(), start.tolist(), strict=True)
    stories = watch_all([replace(problems[one], start=starts[begin]) for one, begin in pairs])
    return np.array([(story[-1].out, story[-1].down, story[-1].blood) for story in stories])


@dataclass
class _Family:
    """Problems whose targets have the same states, taken apart into moves.

    A move is told by two numbers: of the problem that has every different step once, and of the step.
    """

    codes: Codes
    bases: list[Problem]
    #: By problem: the moves before its last step with how often each is made, and that step, and how often.
    runs: dict[int, tuple[tuple[tuple[_Move, int], ...], _Move, int]]

    @staticmethod
    def of(problems: Sequence[Problem], members: Sequence[int], most: State) -> _Family | None:
        """Take problems apart; None where there are too many states."""
        bases: dict[Problem, int] = {}
        runs = {}
        for number in members:
            problem = problems[number]
            each = [step if step.volleys == 1 else step._replace(volleys=1) for step in problem.steps]
            steps = {step: place for place, step in enumerate(dict.fromkeys(each))}
            base = bases.setdefault(replace(problem, start=most, steps=tuple(steps)), len(bases))
            told = [((base, steps[step]), whole.volleys) for step, whole in zip(each, problem.steps, strict=True)]
            runs[number] = (tuple(told[:-1]), *told[-1])
        every = list(bases)
        codes = Codes.of_blocks([Block(every[at : at + _BLOCK]) for at in range(0, len(every), _BLOCK)])
        return _Family(codes, every, runs) if codes.size <= MOST_STATES else None

    def answers(self, starts: Sequence[State], which: Ints, start: Ints) -> Floats:
        """Answer questions of these problems."""
        found = np.zeros((which.size, 3))
        used, begins = np.unique(start, return_inverse=True)
        first = self._codes_of([starts[one] for one in used.tolist()])
        buckets: dict[tuple[int, ...], dict[tuple[_Move, ...], list[int]]] = {}
        for number in np.unique(which).tolist():
            before, last, _ = self.runs[number]
            path = (*(move for move, _ in before), last)
            shape = tuple(volleys for _, volleys in before)
            buckets.setdefault(shape, {}).setdefault(path, []).append(number)
        order = np.argsort(which, kind="stable")
        edges = np.searchsorted(which[order], np.arange(int(which.max()) + 2))
        volleys_of = {number: volleys for number, (_, _, volleys) in self.runs.items()}
        size = self.codes.size
        for shape, paths in buckets.items():
            each = max(1, _ROOM // (max(len(used), size) * size * (len(shape) + 1)))
            listed = list(paths.items())
            for at in range(0, len(listed), each):
                slab = listed[at : at + each]
                rows_of, path_of, count_of = [], [], []
                for place, (_, members) in enumerate(slab):
                    for member in members:
                        rows = order[edges[member] : edges[member + 1]]
                        rows_of.append(rows)
                        path_of.append(np.full(rows.size, place))
                        count_of.append(np.full(rows.size, volleys_of[member]))
                rows, at_path, count = (np.concatenate(parts) for parts in (rows_of, path_of, count_of))
                found[rows] = self._walk([one for one, _ in slab], shape, first, at_path, begins[rows], count)
        return found

    def _codes_of(self, starts: Sequence[State]) -> Ints:
        columns = np.array(starts, dtype=np.int64).T
        states = States(ended=NOTHING, **dict(zip(State._fields, columns, strict=True)))
        codes: Ints = np.broadcast_to(self.codes.of(states), (len(starts),))
        return codes

    def _walk(
        self, paths: list[tuple[_Move, ...]], shape: tuple[int, ...], first: Ints, path: Ints, begin: Ints, count: Ints
    ) -> Floats:
        """Walk several paths from every start, and look at the questions on the way.

        The last move of a path is made as often as a question says (``count``), the others as ``shape`` says.
        """
        used: dict[_Move, int] = {}
        local = np.array([[used.setdefault(move, len(used)) for move in one] for one in paths])
        once = not shape and int(count.max()) == 1
        matrices, outs = self._tabulated(list(used), np.unique(first) if once else None)
        size = self.codes.size
        chain = np.zeros((len(paths), first.size, size))
        chain[:, np.arange(first.size), first] = 1
        out = np.zeros((len(paths), first.size))
        for place, volleys in enumerate(shape):
            for _ in range(volleys):
                out += (chain @ outs[local[:, place], :, None])[..., 0]
                chain = chain @ matrices[local[:, place]]
        last = local[:, -1]
        found = np.zeros((path.size, 3))
        for made in range(1, int(count.max()) + 1):
            out += (chain @ outs[last, :, None])[..., 0]
            chain = chain @ matrices[last]
            here = np.flatnonzero(count == made)
            if here.size:
                found[here] = self._told(chain, out)[path[here], begin[here]]
        return found

    def _told(self, chain: Floats, out: Floats) -> Floats:
        states = self.codes.states
        down, blood = (np.broadcast_to(one, (self.codes.size,)) for one in (states.down, states.blood))
        with np.errstate(invalid="ignore"):
            mean = (chain @ blood) / chain.sum(axis=-1)
        return np.stack([out, chain @ (down == 1), mean], axis=-1)

    def _tabulated(self, moves: Sequence[_Move], only: Ints | None) -> tuple[Floats, Floats]:
        """What each move does to every state (or to ``only`` some): the states after it, and P(out of action)."""
        size = self.codes.size
        begin = np.arange(size) if only is None else only
        matrices, outs = np.zeros((len(moves), size, size)), np.zeros((len(moves), size))
        by_step: dict[int, list[int]] = {}
        for number, (_, step) in enumerate(moves):
            by_step.setdefault(step, []).append(number)
        together = max(1, _MOST_ENTRIES // begin.size)
        for step, numbers in by_step.items():
            for at in range(0, len(numbers), together):
                some = np.array(numbers[at : at + together])
                block = Block([self.bases[moves[one][0]] for one in some]).repeated(begin.size)
                states = self.codes.decode(np.tile(begin, some.size))
                entries = Entries(np.arange(block.size), states, np.ones(block.size))
                out = np.zeros(block.size)
                entries = advance(block, FLOAT_TAILS, Choices(block, self.codes), entries, step, out)
                move, place = np.divmod(entries.problem, begin.size)
                codes = np.broadcast_to(self.codes.of(entries.states), move.shape)
                np.add.at(matrices, (some[move], begin[place], codes), entries.p)
                outs[some[:, None], begin] = out.reshape(some.size, begin.size)
        return matrices, outs
