"""The dice-rolling kernel: plays a block of 65,536 trials side by side, really rolling every die of each.

Trials stand in 16-bit lanes, a chunk of 1,024 at a time: :mod:`stream` gives them random words, :mod:`pools` rolls
their dice, :mod:`attack` plays an attack, and here a block goes through a whole scenario and is counted.
"""

from __future__ import annotations

import numpy as np

from tcsim.kernels._compile import kernel, leaf
from tcsim.kernels.attack import attack, clear, happen
from tcsim.kernels.layout import (
    ATTACK,
    IS_OUT,
    KIND,
    PLAN_SEES_TOUGH,
    SPEND_BLESSING,
    START_BLESSING,
    START_BLOOD,
    START_DOWN,
    START_TOUGH,
    STATE_CODES,
)
from tcsim.kernels.pools import (
    ROW_CHOICE,
    ROW_WORDS,
    TAPE_END,
    WORKSPACE_ROWS,
)
from tcsim.kernels.stream import BLOCK, LANES

u16, u32, u64, i64 = np.uint16, np.uint32, np.uint64, np.int64


@leaf
def keep_living(state, ids, count, with_ids):
    """Close the ranks: drop the lanes that are out of action. Gives how many are left."""
    kept = 0
    if with_ids:
        for i in range(count):
            ids[kept] = ids[i]
            kept += 1 - i64(state[i] >> 7)
        kept = 0
    for i in range(count):
        s = state[i]
        state[kept] = s
        kept += 1 - i64(s >> 7)
    return kept


@kernel
def count_trials(
    key, start, stop, numbers, steps, sequence, plane_row, planes, room, counts, tape, taped
):  # fmt: skip
    """Play trials ``start`` .. ``stop - 1`` and count their final states, a block at a time.

    Parameters
    ----------
    key : uint64[2]
        Two words of 32 bits.
    start, stop : int
        The trials; a block that is only partly among them is played in full and counted in part.
    numbers : int64[24]
        Charts, rulings, start and policy of the problem.
    steps : int64[steps, 18]
        The rows of the problem.
    sequence, plane_row : int64[moves]
        The step of each move, and the row of ``planes`` that holds for it.
    planes : uint16[rows, 32]
        What is spent on a hit, as bit planes (see :func:`choose`).
    room : uint16[ROOM]
        Room to work in, best at a multiple of 64 bytes, and written before it is used for the first time. One piece, so
        that all rows lie a multiple of 2,048 bytes apart: a processor that compares only the last 12 bits of addresses
        must not take a row for the one just written.
    counts : int64[STATE_CODES]
        Grows by the final states; every code with ``IS_OUT`` is out of action.
    tape : int64[trials, entries], taped : int64[trials]
        Where the dice of the first block's first trials are written, and how much is; of size 0 to write nothing.
    """
    stream = np.empty(4, dtype=np.uint64)
    stream[0], stream[1] = key[0], key[1]
    state, ids = room[: BLOCK + LANES], room[BLOCK + LANES : 2 * (BLOCK + LANES)]
    work = room[2 * (BLOCK + LANES) :].reshape(WORKSPACE_ROWS, LANES)
    words = work[ROW_WORDS]
    word_buffer = words.view(np.uint32)
    flags = np.empty(16, dtype=np.uint64)
    sizes = np.zeros(3, dtype=np.int64)
    begin = u16(
        numbers[START_BLOOD] | (numbers[START_DOWN] << 3) | (numbers[START_TOUGH] << 4)
        | ((1 if numbers[START_BLESSING] > 0 else 0) << 5)
    )  # fmt: skip
    tough = i64(1 if numbers[START_TOUGH] == 1 and numbers[PLAN_SEES_TOUGH] == 1 else 0)
    held = i64(1 if numbers[START_BLESSING] > 0 and numbers[SPEND_BLESSING] == 1 else 0)
    clear(work[ROW_CHOICE])
    moves = sequence.size
    for block in range(start // BLOCK, (stop + BLOCK - 1) // BLOCK):
        first, last = max(start - block * BLOCK, i64(0)), min(stop - block * BLOCK, i64(BLOCK))
        stream[2], stream[3] = u64(block) & u64(0xFFFFFFFF), u64(block) >> u64(32)
        by_trial = first > 0 or last < BLOCK or tape.size > 0
        begin_block(state, ids, begin, by_trial)
        count, row, gone = i64(BLOCK), i64(0), i64(0)
        for move in range(moves):
            step = steps[sequence[move]]
            if step[KIND] != ATTACK:
                happen(state, count, step[KIND])
                continue
            after = row
            for chunk in range((count + LANES - 1) // LANES):
                place = chunk * LANES
                for i in range(count, place + LANES):
                    state[i] = IS_OUT
                ended = attack(
                    state[place : place + LANES], work, words, word_buffer, flags, sizes, stream, row, chunk, numbers,
                    step, planes[plane_row[move]], tough, held, move, tape, taped, ids,
                )  # fmt: skip
                gone += sizes[2]
                after = max(after, ended)
            row = after
            if gone * (moves - move - 1) * 2 > count:
                left = keep_living(state, ids, count, by_trial)
                if not by_trial:
                    counts[IS_OUT] += count - left
                count, gone = left, i64(0)
        if by_trial:
            tally_trials(state, ids, count, first, last, counts, tape)
        else:
            tally(state, count, counts)


@leaf
def begin_block(state, ids, begin, by_trial):
    """Put every lane into the state at the start."""
    for i in range(BLOCK):
        state[i] = begin
    if by_trial:
        for i in range(BLOCK + LANES):
            ids[i] = u16(min(i, BLOCK - 1))


@leaf
def tally_trials(state, ids, count, first, last, counts, tape):
    """Count the states of some trials of a block, and end their tapes."""
    counts[IS_OUT] += last - first
    for trial in range(tape.shape[0]):
        tape[trial, tape.shape[1] - 1] = TAPE_END | i64(IS_OUT)
    for i in range(count):
        trial = i64(ids[i])
        if first <= trial < last:
            counts[IS_OUT] -= 1
            counts[i64(state[i])] += 1
        if trial < tape.shape[0]:
            tape[trial, tape.shape[1] - 1] = TAPE_END | i64(state[i])


@leaf
def tally(state, count, counts):
    """Count states; four tables in turn, so that no increment waits for the one before."""
    tables = np.zeros((4, STATE_CODES), dtype=np.int64)
    whole = count & ~3
    for i in range(0, whole, 4):
        tables[0, state[i]] += 1
        tables[1, state[i + 1]] += 1
        tables[2, state[i + 2]] += 1
        tables[3, state[i + 3]] += 1
    for i in range(whole, count):
        tables[0, state[i]] += 1
    for code in range(STATE_CODES):
        counts[code] += tables[0, code] + tables[1, code] + tables[2, code] + tables[3, code]
