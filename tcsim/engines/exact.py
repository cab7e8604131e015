"""The exact engine: a Markov chain over the target's state, a whole block of Problems at a time.

The chain is a list of (problem, state, probability). Each move (a volley or an event) turns every entry into its
outcomes, and entries of the same problem and state are added up. Probabilities are float64, or Fractions when asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from tcsim.engines import chain, target
from tcsim.engines.block import FLOAT_TAILS, FRACTION_TAILS, Block, Ints, Tails
from tcsim.engines.chain import NOTHING, Entries, States
from tcsim.engines.choices import Choices, Spent
from tcsim.engines.codes import Codes
from tcsim.engines.result import in_order
from tcsim.scenario import problem as p
from tcsim.scenario.problem import Problem, State

#: Most problems, and most moves of all of them, worked on at once (a processor's cache), and of plans of many states.
BLOCK_PROBLEMS, BLOCK_MOVES, BLOCK_PLANS = 256, 4096, 16

#: Most problems times states that are added up in an array of all of them.
_MOST_DENSE = 1 << 20

#: A problem's answer: how it can end (None: out of action) and how probable that is.
Final = list[tuple[State | None, Any]]


def solve(problems: Sequence[Problem], fractions: bool = False) -> list[Final]:
    """Answer problems exactly.

    Parameters
    ----------
    problems : sequence of Problem
        Any number, of any kind.
    fractions : bool, optional
        Give Fractions instead of float64.

    Returns
    -------
    list of Final
        In the order of ``problems``. Each lists every way it can end, out of action first, with its probability in
        [0, 1] (float64 ones are right to 1e-12); those sum to 1.

    Examples
    --------
    >>> from tcsim.scenario.read import from_mapping
    >>> from tcsim.scenario.resolve import resolve
    >>> problem = resolve(from_mapping({"target": {}, "attacks": [{}]})).problem
    >>> [final] = solve([problem], fractions=True)
    >>> final[0]
    (None, Fraction(1313, 7776))
    """
    finals: list[Final] = [[] for _ in problems]
    for places, block in _in_blocks(problems):
        for index, final in zip(places, _solve(block, fractions), strict=True):
            finals[index] = final
    return finals


def _in_blocks(problems: Sequence[Problem]) -> Iterator[tuple[list[int], Block]]:
    """Put problems into blocks, with the places that they had."""
    # problems of like length together, so that short ones do not wait for long ones; those of many states apart
    order = sorted(range(len(problems)), key=lambda i: (_states_told(problems[i]), problems[i].moves))
    start = 0
    while start < len(order):
        stop, moves, alone = start, 0, problems[order[start]].game is not None  # a game is planned by itself
        most = 1 if alone else BLOCK_PLANS if _states_told(problems[order[start]])[1] else BLOCK_PROBLEMS
        while stop < len(order) and stop - start < most and (moves < BLOCK_MOVES or stop == start):
            moves += problems[order[stop]].moves
            stop += 1
        yield order[start:stop], Block([problems[index] for index in order[start:stop]])
        start = stop


def _states_told(problem: Problem) -> tuple[bool, bool, bool, bool, tuple[str, ...]]:
    many = problem.is_special and problem.is_planned
    return problem.game is None, many, problem.start.blessing > 0, problem.is_special, problem.few_states


class Moment(NamedTuple):
    """How likely it is, after a move, that the target is Down, that it is out, and that the activation has ended.

    The first and the last are of targets that are not out of action; ``blood``: mean number of blood markers on such a
    target, NaN where there is none.
    """

    down: float
    out: float
    ended: float
    blood: float


def watch(problem: Problem) -> list[Moment]:
    """Follow one problem from move to move.

    Parameters
    ----------
    problem : Problem
        The problem.

    Returns
    -------
    list of Moment
        After each move.

    Examples
    --------
    >>> from tcsim.scenario.read import from_mapping
    >>> from tcsim.scenario.resolve import resolve
    >>> problem = resolve(from_mapping({"target": {}, "attacks": [{"times": 2}]})).problem
    >>> [round(moment.out, 4) for moment in watch(problem)]
    [0.1689, 0.3342]
    """
    return watch_all([problem])[0]


def watch_all(problems: Sequence[Problem]) -> list[list[Moment]]:
    """Follow problems from move to move.

    Parameters
    ----------
    problems : sequence of Problem
        Any number, of any kind.

    Returns
    -------
    list of list of Moment
        In the order of ``problems``, what :func:`watch` gives for each.
    """
    stories: list[list[Moment]] = [[] for _ in problems]
    for places, block in _in_blocks(problems):
        story: list[Any] = []
        _solve(block, False, story)
        for number, index in enumerate(places):
            stories[index] = [Moment(*moment[:, number].tolist()) for moment in story[: problems[index].moves]]
    return stories


def _solve(block: Block, fractions: bool, story: list[Any] | None = None) -> list[Final]:
    tails = FRACTION_TAILS if fractions else FLOAT_TAILS
    one = tails.at_least(tails.rows(np.array([2]), np.array([0])), np.array([0]))  # 1 in the number type
    codes = Codes(block, within_volley=False)
    choices = Choices(block, codes)
    start = np.array([problem.start for problem in block.problems], dtype=np.int64).T
    states = States(ended=NOTHING, **dict(zip(State._fields, start, strict=True)))
    [game] = {problem.game for problem in block.problems} if block.size == 1 else {None}
    if game is not None:
        states = states._replace(own_blood=np.array([game.blood]), own_blessing=np.array([game.blessing]))
    # in the form of every later chain: what nothing differs in is nothing
    states = codes.decode(codes.of(states))
    entries = Entries(np.arange(block.size), states, np.repeat(one, block.size))
    out = np.zeros(block.size, dtype=tails.dtype)
    settled: list[Entries] = []
    for move in range(block.sequence.shape[1]):
        entries, done = _split(entries, block.sequence[entries.problem, move] >= 0)
        settled.append(done)
        entries = advance(block, tails, choices, entries, move, out)
        if story is not None:
            story.append(_moment(block, entries, out))
    settled.append(entries)
    return _finals(block, codes, settled, out)


def advance(block: Block, tails: Tails, choices: Choices, entries: Entries, move: int, out: Any) -> Entries:
    """Make one move, a volley or an event.

    Parameters
    ----------
    block, tails
        The problems, and the chances of pools in the number type of the chain.
    choices : Choices
        What is spent.
    entries : Entries
        The chain before it, of problems that have such a move.
    move : int
        Which one.
    out : array
        P(out of action) of each problem of the block; what this move does is added.

    Returns
    -------
    Entries
        The chain after it.
    """
    row = block.sequence[entries.problem, move]
    entries = _events(block, entries, row)
    if block.gate is not None:
        entries, row = _gates(block, tails, choices, entries, row, move)
    return _volley(block, tails, choices.codes, choices, entries, row, move, out)


def _moment(block: Block, entries: Entries, out: Any) -> Any:
    """The fields of Moment for each problem."""
    states, p = entries.states, entries.p
    parts = (p * (states.down == 1), p * (states.ended == 1), p * states.blood, p)
    down, ended, blood, still = (np.bincount(entries.problem, part, minlength=block.size) for part in parts)
    with np.errstate(invalid="ignore"):
        return np.stack([down, out, ended, blood / still])


def _split(entries: Entries, mask: Any) -> tuple[Entries, Entries]:
    if mask.all():
        return entries, _pick(entries, slice(0, 0))
    return _pick(entries, mask), _pick(entries, ~mask)


def _pick(entries: Entries, where: Any) -> Entries:
    return Entries(entries.problem[where], entries.states.at(where), entries.p[where])


def _events(block: Block, entries: Entries, row: Ints) -> Entries:
    """Stand up whoever is to; let a new activation begin, of the attacker or of the target."""
    kind = block.step.kind[row]
    if not kind.any():
        return entries
    states = entries.states
    stands = (kind == p.STAND) & (states.ended == 0)
    begins = kind == p.ACTIVATION
    states = states._replace(down=np.where(stands, 0, states.down), ended=np.where(begins, 0, states.ended))
    if block.strikes:
        states = states._replace(struck=np.where(begins, 0, states.struck))
    acts = (kind == p.ACTIVATED) & (states.ended == 0)
    if acts.any():
        after = target.activate(block, entries.problem, states)
        states = states._replace(
            blood=np.where(acts, after.blood, states.blood),
            infection=np.where(acts, after.infection, states.infection),
        )
    return Entries(entries.problem, states, entries.p)


def _gates(
    block: Block, tails: Tails, choices: Choices, entries: Entries, row: Ints, move: int
) -> tuple[Entries, Ints]:
    """Let those go on who pass a gate; the activation of the others ends. Gives the step of each entry, too."""
    gated = (block.step.kind[row] == p.GATE) & (entries.states.ended == 0)
    at, others = _split(entries, gated)
    at, dice = choices.on_action(at, move)
    chance = chain.gate_chance(block, tails, row[gated], dice)
    failed = at.states._replace(ended=np.ones_like(row[gated]))
    parts = (others, Entries(at.problem, at.states, at.p * chance), Entries(at.problem, failed, at.p * (1 - chance)))
    joined = Entries(
        np.concatenate([part.problem for part in parts]),
        States(*(_joined([part.states[field] for part in parts], parts) for field in range(len(States._fields)))),
        np.concatenate([part.p for part in parts]),
    )
    return joined, np.concatenate([row[~gated], row[gated], row[gated]])


def _joined(values: list[Any], parts: tuple[Entries, ...]) -> Any:
    """One field of the states of several entries; nothing, if it is nothing in all."""
    if not any(np.ndim(value) for value in values):
        return NOTHING
    return np.concatenate([np.broadcast_to(value, part.p.shape) for value, part in zip(values, parts, strict=True)])


def _volley(
    block: Block,
    tails: Tails,
    codes: Codes,
    choices: Choices,
    entries: Entries,
    row: Ints,
    move: int,
    out: Any,
) -> Entries:
    """Fire the volleys of one move; entries without one (events, ended activations) come through as they are."""
    fires = (block.step.kind[row] == p.ATTACK) & (entries.states.ended == 0)
    if block.special is not None:
        begun = chain.begin(block, row, entries.states)
        fires &= chain.is_made(block, row, begun)
        entries = Entries(entries.problem, begun, entries.p)
    firing, waiting = _split(entries, fires)
    still: list[Any] = [(waiting.problem, waiting.states, waiting.p)]
    if choices.deals_out.any():
        row = block.sequence[firing.problem, move]
        dealt = (block.step.shots[row] > 1) & choices.deals_out[firing.problem]
        dealing, firing = _split(firing, dealt)
        for problem in np.unique(dealing.problem).tolist():
            still.append(_dealt(block, tails, choices, _pick(dealing, dealing.problem == problem), move, out))
    shot = 0
    within: Codes | None = None
    while firing.p.size:
        row = block.sequence[firing.problem, move]
        last = block.step.shots[row] == shot + 1
        if not last.all() and within is None:
            within = Codes(block, within_volley=True)
        firing, dice = choices.on_action(firing, move)
        spent = [choices.spent(dice, firing, row, move, ended) for ended in (False, True)[: 1 + block.rerolls]]
        ends, continues = _shoot(block, tails, firing, row, spent, last, shot == 0, out)
        still += ends
        if not continues:
            break
        assert within is not None  # something continues only when some volley was longer
        firing = _gather(block, within, continues)
        shot += 1
    return _gather(block, codes, still)


def _dealt(
    block: Block, tails: Tails, choices: Choices, entries: Entries, move: int, out: Any
) -> tuple[Ints, States, Any]:
    """Fire the volley of one problem whose hits are decided on jointly: adds to ``out``."""
    problem = int(entries.problem[0])
    row = int(block.sequence[problem, move])
    volley = choices.volley(tails, problem, row)
    code = choices.codes.of(entries.states)
    # these two are loaded where shots are resolved together, so that every other question starts sooner
    if choices.game is not None:
        from tcsim.engines import game_volley

        after, mass, gone = game_volley.play(volley, choices.codes, choices.game.volleys[move], code, entries.p)
    else:
        from tcsim.engines import deal

        after, mass, gone = deal.play(volley, choices.codes, choices.deals(problem, move), code, entries.p)
    out[problem] += gone
    return np.full(mass.size, problem), after, mass


def _shoot(
    block: Block,
    tails: Tails,
    entries: Entries,
    row: Ints,
    spent: list[Spent],
    last: Any,
    first_shot: bool,
    out: Any,
) -> tuple[list[Any], list[Any]]:
    """One shot for every entry: adds to ``out``; gives what ended its volley and what is still in it."""
    problem, parts = entries.problem, []
    stories = chain.hit_chances(block, tails, problem, row, entries.states, first_shot, spent[0].dice)
    if first_shot and block.sees_markers:
        entries = Entries(problem, entries.states._replace(seen=entries.states.markers), entries.p)
    for ends_activation, chances in enumerate(stories):
        if ends_activation:
            ended = entries.states._replace(ended=np.full_like(row, 2))
            entries = Entries(problem, ended, entries.p)
        parts += _strike(block, tails, entries, row, spent[ends_activation], chances, out)
    if last.all():
        return [(problem, target.end_volley(block, problem, after), part) for after, part in parts], []
    ends: list[Any] = []
    continues: list[Any] = []
    for after, part in parts:
        over, goes_on = after.at(last), after.at(~last)
        ends.append((problem[last], target.end_volley(block, problem[last], over), part[last]))
        continues.append((problem[~last], goes_on, part[~last]))
    return ends, continues


def _strike(
    block: Block,
    tails: Tails,
    entries: Entries,
    row: Ints,
    spent: Spent,
    chances: tuple[Any, Any, Any],
    out: Any,
) -> list[tuple[States, Any]]:
    """Miss, hit and critical, and what they do: adds to ``out``; gives the states after them, and how probable."""
    problem, states, mass = entries.problem, entries.states, entries.p
    miss, hit, crit = chances
    ended = np.where(block.step.risky[row] == 1, 2, states.ended)
    parts = [(chain.count_hit(block, row, states._replace(ended=ended), hit=False), mass * miss)]
    for critical, chance in ((0, hit), (1, crit)):
        blessing, chosen = spent.blessing[critical], spent.choice[:, critical]
        reach = chain.injury_chances(block, tails, problem, row, states, critical, blessing, chosen)
        paid = target.pay(states, chain.cost(block, problem, row, states.down, chosen), blessing)
        paid = chain.count_hit(block, row, paid, hit=True)
        weight = mass * chance
        exactly = (1 - reach[0], reach[0] - reach[1], reach[1] - reach[2], reach[2])
        for result, share in enumerate(exactly):
            after, is_out = target.take_result(block, problem, row, paid, result, block.bloodbath(chosen))
            part = weight * share
            if result == p.OUT:
                _add_up(out, problem, np.where(is_out, part, 0 * part))
                part = np.where(is_out, 0 * part, part)
            parts.append((after, part))
    return parts


def _add_up(total: Any, index: Ints, amount: Any) -> None:
    if total.dtype == object:
        np.add.at(total, index, amount)
    else:
        total += np.bincount(index, weights=amount, minlength=total.size)


def _gather(block: Block, codes: Codes, parts: list[Any]) -> Entries:
    """Add up the entries of each problem and state; what has no probability is dropped."""
    keys = np.concatenate([problem * codes.size + codes.of(states) for problem, states, _ in parts])
    mass = np.concatenate([part for _, _, part in parts])
    size, found = block.size * codes.size, None
    if size > _MOST_DENSE:  # few of so many states are ever met
        found, keys = np.unique(keys, return_inverse=True)
        size = found.size
    total = np.zeros(size, dtype=mass.dtype)
    if mass.dtype == object:
        some = np.flatnonzero(mass != 0)
        keys, mass = keys[some], mass[some]
    _add_up(total, keys, mass)
    some = np.flatnonzero(total)
    problem, code = np.divmod(some if found is None else found[some], codes.size)
    return Entries(problem, codes.decode(code), total[some])


def _finals(block: Block, codes: Codes, settled: list[Entries], out: Any) -> list[Final]:
    parts = []
    for entries in settled:
        states = entries.states._replace(
            ended=NOTHING, streak=NOTHING, struck=NOTHING, own_blood=NOTHING, own_blessing=NOTHING
        )
        parts.append((entries.problem, states, entries.p))
    entries = _gather(block, codes, parts)
    if out.dtype != object:  # 1 is for what is certain: not for what rounding makes of the rest
        out = np.minimum(out, np.where(np.isin(np.arange(block.size), entries.problem), np.nextafter(1.0, 0.0), 1.0))
        entries = Entries(entries.problem, entries.states, np.minimum(entries.p, 1.0))
    finals: list[Final] = [[(None, p_out)] if p_out else [] for p_out in out.tolist()]
    columns = (np.broadcast_to(getattr(entries.states, name), entries.p.shape).tolist() for name in State._fields)
    for problem, chance, *state in zip(entries.problem.tolist(), entries.p.tolist(), *columns, strict=True):
        finals[problem].append((State(*state), chance))
    return [in_order(final) for final in finals]
