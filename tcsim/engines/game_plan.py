"""Whole scenarios in which both players choose what to spend: every decision, planned backwards move by move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tcsim.engines import target
from tcsim.engines.block import Block
from tcsim.engines.chain import Codes
from tcsim.engines.game import Attack, Purse, Solved, Values
from tcsim.scenario import problem as p

Table = NDArray[np.int8]


class Plan(NamedTuple):
    """What is spent, by move and code (of the target's state and the attacker's own markers).

    ``blood``, ``blessing``, shape (moves, codes): the attacker's markers, on the action roll. ``guard``, ``choice``,
    shape (moves, codes, 2): the target's blessing markers and its blood on the injury roll of a plain and of a critical
    hit, by what the attacker has left after its action roll.
    """

    blood: Table
    blessing: Table
    guard: Table
    choice: Table


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
    made = Plan(*(np.zeros((moves, codes.size, *more), dtype=np.int8) for more in ((), (), (2,), (2,))))
    for move, _, attack, solved in backwards(block, codes):
        if attack is None or solved is None:
            continue
        spent = attack.spent(solved)
        # a code's last part is the attacker's own state: it stands before the kind of hit
        by_code = (spent.blood, spent.blessing, spent.guard.swapaxes(1, 2), spent.choice.swapaxes(1, 2))
        for table, chosen in zip(made, by_code, strict=True):
            table[move].reshape(-1, *chosen.shape[1:])[attack.states] = chosen
    return made


class Move(NamedTuple):
    """A move while it is planned: the values before it, and the attack if it is one."""

    move: int
    value: Values
    attack: Attack | None = None
    solved: Solved | None = None


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
        With the values before it, of shape (target's states, attacker's own states): the chance of out of action in
        the end.
    """
    [problem] = block.problems
    purse = _purse(codes)
    own = purse.blood.size
    every = np.arange(codes.size // own)
    states, value = codes.decode(every * own), np.zeros((every.size, own))
    attacks: dict[int, Attack] = {}
    for move in range(block.sequence.shape[1] - 1, -1, -1):
        row = int(block.sequence[0, move])
        if block.step.kind[row] != p.ATTACK:
            happened = target.after_event(block, 0 * every, int(block.step.kind[row]), states)
            value = value[codes.of(happened) // own]
            yield Move(move, value)
            continue
        if row not in attacks:
            attacks[row] = Attack(block, row, codes, purse, problem.game or p.Game())
        solved = attacks[row].before(value)
        value = solved.value
        yield Move(move, value, attacks[row], solved)


def _purse(codes: Codes) -> Purse:
    """What the attacker has of its own: the last two parts of a code."""
    shape = codes.shape.own_blood, codes.shape.own_blessing
    blood, blessing = np.indices(shape).reshape(2, -1)
    left_blood = blood[:, None, None] - np.arange(shape[0])[:, None]
    left_blessing = blessing[:, None, None] - np.arange(shape[1])
    return Purse(blood, blessing, left_blood * shape[1] + left_blessing)
