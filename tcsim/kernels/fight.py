"""The dice-rolling kernel: plays a block of 65,536 trials side by side, really rolling every die of each.

Trials stand in 16-bit lanes, a chunk of 1,024 at a time: :mod:`stream` gives them random words, :mod:`pools` rolls
their dice, :mod:`attack` plays an attack, and here a block goes through a whole scenario and is counted.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tcsim.kernels._compile import kernel, leaf, part
from tcsim.kernels.attack import new_activation, stand, volley
from tcsim.kernels.lanes import Chunk, Vector, counting_pass
from tcsim.kernels.layout import (
    ATTACK,
    BLOCK,
    IDS_AT,
    IS_OUT,
    LANES,
    MOVE,
    STAND,
    STATE,
    STATE_CODES,
    TAPE_END,
)
from tcsim.kernels.stream import enter, stream_of

u64, i64 = np.uint64, np.int64

#: States that are counted in one pass, and a code that is none.
CODES_AT_ONCE, NO_STATE = 8, 0xFFFF


@kernel
def count_trials(key, start, stop, begin, steps, params, sequence, planes, room, counts, tape, taped):
    """Play trials ``start`` .. ``stop - 1`` and count their final states, a block at a time.

    Parameters
    ----------
    key : uint64[2]
        Two words of 32 bits.
    start, stop : int
        The trials; a block that is only partly among them is played in full and counted in part.
    begin : int
        The state before the first move.
    steps : int64[steps, STEP_NUMBERS]
        How each step is played.
    params : uint16[steps, 2, PARAMS]
        What the passes read, for the first shot of a volley and for the others.
    sequence : int64[moves]
        The step of each move.
    planes : uint16[moves, sets, PLANE_PARAMS]
        What is spent on a hit of each move: the parameters of :func:`tcsim.kernels.attack.choose`.
    room : uint16[ROOM]
        Room to work in, at a multiple of 64 bytes, and written before it is used for the first time. One piece, so
        that all rows lie a multiple of 2,048 bytes apart: a processor that compares only the last 12 bits of addresses
        must not take a row for the one just written.
    counts : int64[STATE_CODES]
        Grows by the final states; every code with ``IS_OUT`` is out of action.
    tape : int64[trials, entries], taped : int64[trials]
        Where the dice of the first block's first trials are written, and how much is; None to write nothing, which is
        a kernel of its own, compiled when it is needed.
    """
    stream, flags = stream_of(key), np.empty(LANES // 64, dtype=np.uint64)
    codes, found = np.zeros(STATE_CODES, dtype=np.uint16), np.zeros(CODES_AT_ONCE + 1, dtype=np.int64)
    moves = sequence.size
    for block in range(start // BLOCK, (stop + BLOCK - 1) // BLOCK):
        first, last = max(start - block * BLOCK, i64(0)), min(stop - block * BLOCK, i64(BLOCK))
        enter(stream, block)
        by_trial = first > 0 or last < BLOCK or tape is not None
        begin_block(room, begin, by_trial)
        count, gone = i64(BLOCK), i64(0)
        for move in range(moves):
            step, numbers = steps[sequence[move]], params[sequence[move]]
            for place in range(0, count, LANES):
                if step[MOVE] == STAND:
                    stand(room, place, 0, numbers[0], flags)
                elif step[MOVE] != ATTACK:
                    new_activation(room, place, 0, numbers[0], flags)
                else:
                    for i in range(count, place + LANES):
                        room[i] = IS_OUT
                    gone += volley(
                        room, place, numbers, flags, stream, move, place // LANES, step, planes[move],
                        tape, taped, IDS_AT + place,
                    )  # fmt: skip
            # worth it where many would be carried along for long; part of the stream, for it says who stands where
            if gone * (moves - move - 1) * 2 > count:
                left = keep_living(room, count, by_trial)
                if not by_trial:
                    counts[IS_OUT] += count - left
                count, gone = left, i64(0)
        if by_trial:
            tally_trials(room, count, first, last, counts, tape)
        else:
            tally(room, count, counts, codes, found)


@part
def begin_block(room, begin, by_trial):
    """Put every lane into the state at the start."""
    for i in range(BLOCK):
        room[i] = begin
    if by_trial:
        for i in range(BLOCK):
            room[IDS_AT + i] = i


@part
def keep_living(room, count, by_trial):
    """Close the ranks: drop the lanes that are out of action. Gives how many are left."""
    kept = 0
    if by_trial:
        for i in range(count):
            room[IDS_AT + kept] = room[IDS_AT + i]
            kept += 1 - i64(room[i] >> 7)
        kept = 0
    for i in range(count):
        s = room[i]
        room[kept] = s
        kept += 1 - i64(s >> 7)
    return kept


@part
def tally_trials(room, count, first, last, counts, tape):
    """Count the states of some trials of a block, and end their tapes."""
    counts[IS_OUT] += last - first
    if tape is not None:
        for trial in range(tape.shape[0]):
            tape[trial, tape.shape[1] - 1] = TAPE_END | IS_OUT
    for i in range(count):
        trial = i64(room[IDS_AT + i])
        if first <= trial < last:
            counts[IS_OUT] -= 1
            counts[room[i]] += 1
        if tape is not None and trial < tape.shape[0]:
            tape[trial, tape.shape[1] - 1] = TAPE_END | i64(room[i])


def _equals(at: Chunk) -> Sequence[Vector]:
    state = at[STATE]
    return [state.is_(at.param(number)) for number in range(CODES_AT_ONCE)]


#: Count the lanes of a chunk that are in each of some states.
count_equal = counting_pass("count_equal", [_equals])


@part
def tally(room, count, counts, codes, found):
    """Count the states of a block, comparing all lanes of a chunk at once with each state that has been met so far.

    ``codes`` holds these, ``found[-1]`` how many there are. A chunk with others is counted lane by lane.
    """
    for place in range(0, count, LANES):
        stop, known = min(place + LANES, count), found[-1]
        left = stop - place
        for i in range(stop, place + LANES):
            room[i] = NO_STATE
        for first in range(0, known, CODES_AT_ONCE):
            count_equal(0, room, place, codes[first:], found)
            for k in range(first, min(first + CODES_AT_ONCE, known)):
                counts[codes[k]] += found[k - first]
                left -= found[k - first]
        if left > 0:
            for i in range(place, stop):
                meet(room[i], known, counts, codes, found)


@leaf
def meet(state, known, counts, codes, found):
    """Count a state that is none of those already counted, and remember it."""
    for k in range(found[-1]):
        if codes[k] == state:
            counts[state] += i64(k >= known)
            return
    counts[state] += 1
    codes[found[-1]] = state
    found[-1] += 1
