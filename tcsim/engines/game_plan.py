"""Whole scenarios in which both players choose what to spend: every decision, planned backwards move by move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tcsim.engines import goals, target
from tcsim.engines.block import Block
from tcsim.engines.codes import Codes
from tcsim.engines.game import Attack, Purse, Solved, Values
from tcsim.engines.game_gate import GateRoll
from tcsim.engines.game_volley import Dealt, SolvedVolley, VolleyRoll
from tcsim.scenario import problem as p

Table = NDArray[np.int8]


class Plan(NamedTuple):
    """What is spent, by move and code (of the target's state and the attacker's own markers).

    ``blood``, ``blessing``, shape (moves, codes): the attacker's markers, on the action roll. ``guard``, ``choice``,
    shape (moves, codes, 2): the target's blessing markers and its blood on the injury roll of a plain and of a critical
    hit, by what the attacker has left after its action roll; a state whose activation has ended tells of a hit that
    ended it. ``volleys``: what is spent on shots resolved together, by move.
    """

    blood: Table
    blessing: Table
    guard: Table
    choice: Table
    volleys: dict[int, Dealt]


def plan(block: Block, codes: Codes) -> Plan:
    """Plan every choice of both players.

    Parameters
    ----------
    block : Block
        Of one problem that is a game.
    codes : Codes
        Its states between two volleys.

    Returns
    -------
    Plan
        What is spent where both play best.
    """
    moves = block.sequence.shape[1]
    tables = [np.zeros((moves, codes.size, *more), dtype=np.int8) for more in ((), (), (2,), (2,))]
    made = Plan(tables[0], tables[1], tables[2], tables[3], {})
    own = codes.shape.own_blood * codes.shape.own_blessing
    for move, _, roll, solved in backwards(block, codes):
        if isinstance(solved, SolvedVolley):
            made.volleys[move] = solved.dealt
        if roll is None or solved is None or isinstance(roll, VolleyRoll) or isinstance(solved, SolvedVolley):
            continue
        # a code's last part is the attacker's own state: it stands before the kind of hit
        blood, blessing, guard, choice = (table[move] for table in tables)
        spent = roll.spent(solved)
        blood.reshape(-1, own)[roll.states], blessing.reshape(-1, own)[roll.states] = spent.blood, spent.blessing
        for ended in range(roll.kinds // 2):
            there, kinds = roll.states + ended * codes.going // own, slice(2 * ended, 2 * ended + 2)
            guard.reshape(-1, own, 2)[there] = spent.guard[:, kinds].swapaxes(1, 2)
            choice.reshape(-1, own, 2)[there] = spent.choice[:, kinds].swapaxes(1, 2)
    return made


class Move(NamedTuple):
    """A move while it is planned: the values before it, and its roll unless it is an event."""

    move: int
    value: Values
    roll: Attack | GateRoll | VolleyRoll | None = None
    solved: Solved | SolvedVolley | None = None


def backwards(block: Block, codes: Codes) -> Iterator[Move]:
    """Go through the moves from the last to the first.

    Parameters
    ----------
    block : Block
        Of one problem that is a game.
    codes : Codes
        Its states between two volleys.

    Yields
    ------
    Move
        With the values before it, of shape (target's states, attacker's own states): what the goal makes of the end.
    """
    [problem] = block.problems
    purse = _purse(codes)
    own = purse.blood.size
    every = np.arange(codes.size // own)
    states = codes.decode(every * own)
    value = np.repeat(goals.worth_alive(problem, states)[:, None], own, axis=1)
    out = goals.worth_out(problem)
    rolls: dict[int, Attack | GateRoll | VolleyRoll] = {}
    for move in range(block.sequence.shape[1] - 1, -1, -1):
        row = int(block.sequence[0, move])
        kind = int(block.step.kind[row])
        if kind not in (p.ATTACK, p.GATE):
            happened = target.after_event(block, 0 * every, kind, states)
            value = value[codes.of(happened) // own]
            yield Move(move, value)
            continue
        if row not in rolls:
            one = Attack if block.step.shots[row] == 1 else VolleyRoll
            rolls[row] = (GateRoll if kind == p.GATE else one)(block, row, codes, purse, problem.game or p.Game())
        solved = rolls[row].before(value, float(out[move]))
        value = solved.value
        yield Move(move, value, rolls[row], solved)


def _purse(codes: Codes) -> Purse:
    """What the attacker has of its own: the last two parts of a code."""
    shape = codes.shape.own_blood, codes.shape.own_blessing
    blood, blessing = np.indices(shape).reshape(2, -1)
    left_blood = blood[:, None, None] - np.arange(shape[0])[:, None]
    left_blessing = blessing[:, None, None] - np.arange(shape[1])
    return Purse(blood, blessing, left_blood * shape[1] + left_blessing)
