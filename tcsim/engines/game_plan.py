"""Whole scenarios in which both players choose what to spend: every decision, planned backwards move by move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tcsim.engines import chain, target
from tcsim.engines.block import Block, Ints
from tcsim.engines.chain import Codes
from tcsim.engines.game import Attack, Purse, Solved, Spent, Values
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
    for step in backwards(block, codes):
        if step.solved is None:
            continue
        for table, chosen in zip(made, _in_runs(step.solved.spent), strict=True):
            runs = table[step.move].reshape(-1, step.own, *table.shape[2:])
            runs[step.states] = chosen
    return made


def _in_runs(spent: Spent) -> Iterator[Ints]:
    """Give decisions with the attacker's own state before the kind of hit."""
    yield spent.blood
    yield spent.blessing
    yield spent.guard.swapaxes(1, 2)
    yield spent.choice.swapaxes(1, 2)


class Move(NamedTuple):
    """A move while it is planned: the values before it, and of an attack the states it is made in and what is done.

    ``own``: how many states of its own the attacker has.
    """

    move: int
    value: Values
    own: int
    states: Ints
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
    game = problem.game or p.Game()
    purse = _purse(codes)
    own = purse.dice.size
    every = np.arange(codes.size // own)
    states = codes.decode(every * own)
    value = np.zeros((every.size, own))
    attacks: dict[int, tuple[Ints, Ints, Attack]] = {}
    for move in range(block.sequence.shape[1] - 1, -1, -1):
        row = int(block.sequence[0, move])
        if block.step.kind[row] != p.ATTACK:
            value = value[codes.of(target.after_event(block, 0 * every, int(block.step.kind[row]), states)) // own]
            yield Move(move, value, own, every[:0])
            continue
        if row not in attacks:
            rows = np.full_like(every, row)
            begun = chain.begin(block, rows, states)
            made = np.flatnonzero(chain.is_made(block, rows, begun) & (states.ended == 0))
            attacks[row] = codes.of(begun) // own, made, Attack(block, row, codes, made, purse, game)
        begins, made, attack = attacks[row]
        solved = attack.before(value)
        value = value[begins]
        value[made] = solved.worth
        yield Move(move, value, own, made, attack, solved)


def _purse(codes: Codes) -> Purse:
    """What the attacker has of its own: the last two parts of a code."""
    blood, blessing = np.indices((codes.shape.own_blood, codes.shape.own_blessing)).reshape(2, -1)
    return Purse(np.zeros_like(blood), blood, blessing, codes.shape.own_blessing, 1)
