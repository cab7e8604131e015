"""What trials write down: an entry for each pool and each die, and how it ended (told in :mod:`layout`)."""

from __future__ import annotations

import numpy as np

from tcsim.kernels._compile import leaf
from tcsim.kernels.layout import (
    BEFORE,
    CHOICE,
    LANES,
    LEFT,
    LOWEST,
    TAPE_POOL,
    TAPE_ROW,
    TAPE_SPENT,
    WORDS,
    WORK_AT,
)

i64 = np.int64


@leaf
def record(tape, taped, trial, entry):
    """Write an entry on the tape of a trial, if it has one; the last place is kept for its end."""
    if trial < tape.shape[0] and taped[trial] < tape.shape[1] - 1:
        tape[trial, taped[trial]] = entry
        taped[trial] += 1


@leaf
def record_begin(tape, taped, trial, row, spent, lowest):
    """Write that the pool with some first row begins."""
    record(tape, taped, trial, TAPE_POOL | (row << TAPE_ROW) | (spent << TAPE_SPENT) | (lowest & 1))


@leaf
def record_dice(tape, taped, trial, word, count, row):
    """Write the dice that a trial takes from a word."""
    x = i64(word)
    for _ in range(count):
        x = x * 6
        record(tape, taped, trial, (row << TAPE_ROW) | (x >> 16))
        x = x & 0xFFFF


@leaf
def record_pool(tape, taped, room, first_id, row, by_choice):
    """Write that a pool begins, for every taped trial of a chunk that has dice to roll."""
    if room[first_id] >= tape.shape[0]:  # trials stand in their order
        return
    for lane in range(LANES):
        left = room[WORK_AT + LEFT * LANES + lane]
        room[WORK_AT + BEFORE * LANES + lane] = left
        if left > 0:
            spent = i64(room[WORK_AT + CHOICE * LANES + lane]) if by_choice else i64(0)
            lowest = i64(room[WORK_AT + LOWEST * LANES + lane])
            record_begin(tape, taped, i64(room[first_id + lane]), row, spent, lowest)


@leaf
def record_row(tape, taped, room, first_id, row):
    """Write the dice that taped trials of a chunk took from a row of words."""
    if room[first_id] >= tape.shape[0]:
        return
    for lane in range(LANES):
        left = room[WORK_AT + LEFT * LANES + lane]
        count = i64(room[WORK_AT + BEFORE * LANES + lane]) - i64(left)
        record_dice(tape, taped, i64(room[first_id + lane]), room[WORK_AT + WORDS * LANES + lane], count, row)
        room[WORK_AT + BEFORE * LANES + lane] = left
