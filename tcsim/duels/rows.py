"""A duel as its kernel reads it (:mod:`tcsim.kernels.duel`)."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tcsim.base.errors import InputError
from tcsim.duels import model as m
from tcsim.duels.grid import blows_of, own_states, programs_of, steps_of, target_blocks
from tcsim.duels.model import Blows, Duel
from tcsim.engines import policies
from tcsim.engines.block import Block
from tcsim.engines.codes import Codes
from tcsim.engines.play import Play
from tcsim.engines.special_rows import check_holds, in_bits, problem_numbers, state_fields, step_numbers
from tcsim.kernels import duel as k
from tcsim.kernels import special


class Tables(NamedTuple):
    """What both players spend, as the kernel looks it up; see :func:`tcsim.kernels.duel.count_duels`.

    States are numbered by ``Codes`` of :func:`target_blocks`.
    """

    spent: NDArray[np.int8]
    spent_of: NDArray[np.int64]
    choices: NDArray[np.int8]
    choice_of: NDArray[np.int64]
    yes: NDArray[np.int8]
    tries_of: NDArray[np.int64]
    charges_of: NDArray[np.int64]


def duel_play(duel: Duel, tables: Tables | None = None) -> Play:
    """Give a duel its kernel.

    Parameters
    ----------
    duel : Duel
        The duel.
    tables : Tables, optional
        What the players spend; default: as fixed spending says.

    Returns
    -------
    Play
        How it is played; the ends are 0 for neither, then by round a and b.
    """
    blocks = target_blocks(duel)
    for block, _ in blocks:
        try:
            check_holds(block)
        except ValueError as error:
            raise InputError(f"this cannot be rolled: {error}", "duel") from None
    if tables is None:
        tables = fixed_tables(duel, blocks)
    sizes = np.array([codes.shape for _, codes in blocks], dtype=np.int64)
    sizes = np.pad(sizes, ((0, 0), (0, special.FIELDS - sizes.shape[1])), constant_values=1)
    begin = np.zeros((2, special.FIELDS), dtype=np.int64)
    for side, fighter in enumerate(duel.fighters):
        begin[side, special.TOUGH : special.STREAK] = state_fields(fighter.start)
    rows = [step_numbers(step) for side in (0, 1) for problem in programs_of(duel, side) for step in problem.steps]
    approach = duel.approach
    numbers = np.array([problem_numbers(m.target_of(duel, side)) for side in (0, 1)], dtype=np.int64)
    guarded = tables.choices.shape[-1] > special.GUARD
    numbers[:, special.SPENDS] = special.GUARDED if guarded else special.CHOICE * tables.choices.any()
    fighters = np.zeros((2, k.FIGHTER_NUMBERS), dtype=np.int64)
    for side, fighter in enumerate(duel.fighters):
        fighters[side, : k.CHARGES] = (fighter.stand_up, fighter.stand_dice)
        if approach is not None:
            fighters[side, k.CHARGES :] = (approach.charges[side], approach.dice[side])
    plan = np.zeros(k.DUEL_NUMBERS, dtype=np.int64)
    plan[k.ROUNDS], plan[k.FIRST], plan[k.AT_TURN] = duel.rounds, duel.first, duel.stand_at == m.AT_TURN
    plan[k.START_PLACE], plan[k.FAILS] = (k.CONTACT, 0) if approach is None else (0, approach.fails)
    steps, programs, ground = np.array(rows, dtype=np.int64), _programs(duel), _ground(duel)

    def run(key: Any, start: int, stop: int, room: Any, counts: Any, tape: Any, taped: Any) -> None:
        k.count_duels(
            key, start, stop, begin, plan, fighters, numbers, steps, programs, sizes, ground, *tables, counts
        )  # fmt: skip

    most = max(len(problem.steps) for side in (0, 1) for problem in programs_of(duel, side))
    return Play(run, tuple(range(1 + 2 * duel.rounds)), 2 * duel.rounds * most, int)


def fixed_tables(duel: Duel, blocks: tuple[tuple[Block, Codes], tuple[Block, Codes]]) -> Tables:
    """Write fixed spending as tables.

    Parameters
    ----------
    duel : Duel
        The duel.
    blocks : tuple of (Block, Codes)
        As :func:`target_blocks` gives them.

    Returns
    -------
    Tables
        The same for every round.
    """
    spent_of, choice_tables = [], []
    own = [own_states(codes) for _, codes in blocks]
    # tables of what is spent: nothing, then for each side by who spends: the enemy's player, its own, both
    drained = [(states.blood + states.infection) * duel.fighters[1 - side].drains for side, states in enumerate(own)]
    blessed = [states.blessing * duel.fighters[side].blesses for side, states in enumerate(own)]
    most = max(codes.size for _, codes in blocks)
    spent = np.zeros((7, most, 1, 2), dtype=np.int8)
    for side in (0, 1):
        for who in (1, 2, 3):
            table = spent[3 * side + who, : len(own[side].blood), 0]
            table[:, k.DRAINED] = drained[side] * (who & 1)
            table[:, k.BLESSED] = blessed[side] * (who >> 1)
        for blows in blows_of(duel.fighters[side]):
            spent_of += [3 * side + who if who else 0 for who in _who_spends(blows)] * 2
    for block, codes in (blocks[1], blocks[0]):  # what a does, then what b does
        going = codes.size // codes.shape.ended
        states = codes.decode(np.arange(going))
        found = policies.table(block)[:, states.down, states.markers, states.blessing]
        table = np.zeros((found.shape[0], 1, most, 2), dtype=np.int8)
        table[:, 0, :going] = in_bits(block, found)
        choice_tables.append(table)
    choices = np.concatenate(choice_tables)
    spent_rows = np.array([[[*spent_of, 3, 6]]], dtype=np.int64)
    yes = np.zeros((1, 1, 1), dtype=np.int8)
    tries, charges = (np.zeros((1, 1, *more), dtype=np.int64) for more in ((2,), (2, 2)))
    return Tables(spent, spent_rows, choices, np.arange(choices.shape[0])[None, None], yes, tries, charges)


def _who_spends(blows: Blows) -> list[int]:
    """For each step: 1 where the enemy's player spends on its action roll, 2 where the roller's does, 3 for both."""
    drained, blessed = blows.first_drained, blows.first_blessed
    return [int(step == drained) + 2 * int(step == blessed) for step in range(len(blows.rolls))]


def _programs(duel: Duel) -> NDArray[np.int64]:
    """Where the steps of each activation begin, and how many they are."""
    places = len(duel.approach.distances) if duel.approach is not None else 0
    programs = np.zeros((2, 2, m.SHOOTING + places, 2), dtype=np.int64)
    first = 0
    for side, fighter in enumerate(duel.fighters):
        for (what, down), steps in steps_of(fighter).items():
            programs[side, down, what] = (first + steps.start, len(steps))
        first += sum(len(problem.steps) for problem in programs_of(duel, side))
    return programs


def _ground(duel: Duel) -> NDArray[np.int64]:
    """What a fighter needs to reach the other from each distance, and where it comes to."""
    approach = duel.approach
    if approach is None:
        return np.zeros((2, 2, 1, 9), dtype=np.int64)
    ground = np.zeros((2, 2, len(approach.distances), 9), dtype=np.int64)
    for side in (0, 1):
        for stood in (0, 1):
            ground[side, stood, :, 0] = approach.needs[side][stood]
            ground[side, stood, :, 1] = approach.closes[side][stood]
            ground[side, stood, :, 2:] = approach.stays[side][stood]
    return ground
