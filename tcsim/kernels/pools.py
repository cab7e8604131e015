"""Pools of dice for a chunk of lanes: how many dice each lane still has to roll, and the highest so far.

From a word of 16 bits three dice are taken by multiplying by 6 three times. 88 of the 65,536 words would favour some
dice (D. Lemire, "Fast random integer generation in an interval", 2019); before a row is used, each of these is replaced
by a spare word that is fair (:func:`mend`), so every die is exactly fair and no trial is ever started again.

Lowest dice: a pool with negative net dice keeps the lowest. Turning every die over (7 - die) keeps it fair and makes
the lowest the highest, so all pools are rolled as keep-highest and the total is turned back.

``LEFT`` holds how many dice each lane still has to roll, the tops its highest dice so far (0 to 5). Passes without
parameters are given the room in their place.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tcsim.kernels._compile import leaf
from tcsim.kernels.lanes import Chunk, Vector, dice, higher, keep_highest, lane_pass, lowest_bit
from tcsim.kernels.layout import (
    LANES,
    LEFT,
    MAX_SHOTS,
    MOVE_POOLS,
    OWN,
    POOL_ROWS,
    SPARE_WORDS,
    TOPS,
    WORD_DICE,
    WORDS,
    WORK_AT,
)
from tcsim.kernels.stream import SPARE, SPARE_CHUNK, fill
from tcsim.kernels.tape import record_row

u64, i64 = np.uint64, np.int64

#: In how many ways the dice of a word fall, and how many words would favour some of them.
WAYS: int = 6**WORD_DICE
UNFAIR = 2**16 % WAYS

#: So few lanes get spare words, which is quicker than a whole row. Part of the stream: another number, other dice.
FEW = 96


@lane_pass
def find_unfair(at: Chunk) -> Vector:
    """Flag the lanes with a word, in the row of its own, that would favour some dice."""
    return (at[OWN] * WAYS).below(UNFAIR)


@leaf
def mend(room, words_at, flags, stream):
    """Give every flagged lane the next spare word of the block that is fair."""
    for k in range(LANES // 64):
        bits = flags[k]
        while bits != u64(0):
            lane = words_at + 64 * k + i64(lowest_bit(bits))
            bits &= bits - u64(1)
            word = 0
            while (word * WAYS) & 0xFFFF < UNFAIR:  # 0 is unfair
                if stream[SPARE] % LANES == 0:
                    fill(room, SPARE_WORDS, stream, i64(stream[SPARE]) // LANES, SPARE_CHUNK)
                word = i64(room[WORK_AT + SPARE_WORDS * LANES + i64(stream[SPARE]) % LANES])
                stream[SPARE] += u64(1)
            room[lane] = word


@leaf
def fair_words(room, row_of_room, flags, stream, row, chunk):
    """Fill a row with words that favour no dice."""
    words_at = WORK_AT + row_of_room * LANES
    fill(room, row_of_room, stream, row, chunk)
    if find_unfair(room, 0, words_at, room, flags) > 0:
        mend(room, words_at, flags, stream)


def _more(keep: int) -> Callable[[Chunk], Vector]:
    def body(at: Chunk) -> Vector:
        left, tops = at[LEFT], [at[top] for top in TOPS[:keep]]
        for number, die in enumerate(dice(at[WORDS], WORD_DICE)):
            keep_highest(tops, die & (left > number))
        for top, value in zip(TOPS, tops, strict=False):
            at[top] = value
        left = higher(left - WORD_DICE, 0)
        at[LEFT] = left
        return left > 0

    return body


#: Three dice more of pools that keep up to 2, 3 or 5; flag the lanes that have yet more.
more2 = lane_pass(_more(2), "more2")
more3 = lane_pass(_more(3), "more3")
more5 = lane_pass(_more(5), "more5")


@lane_pass
def clear_tops(at: Chunk) -> None:
    """Begin new pools."""
    for top in TOPS:
        at[top] = 0


@leaf
def more(room, flags, keep):
    """Three dice more of pools that keep so many; gives how many lanes have yet more."""
    if keep <= 2:
        return more2(room, 0, 0, room, flags)
    if keep == 3:
        return more3(room, 0, 0, room, flags)
    return more5(room, 0, 0, room, flags)


@leaf
def row_of(move, kind, shot):
    """Give the first row of words of a pool."""
    return POOL_ROWS * (MOVE_POOLS * move + MAX_SHOTS * kind + shot)


@leaf
def roll_rows(room, flags, stream, row, chunk, keep, rows, tape, taped, first_id):
    """Roll new pools with so many rows of words, whoever has dice to roll; gives how many lanes have yet more."""
    clear_tops(room, 0, 0, room, flags)
    waiting = i64(0)
    for number in range(row, row + rows):
        fair_words(room, i64(WORDS), flags, stream, number, chunk)
        waiting = more(room, flags, keep)
        if tape is not None:
            record_row(tape, taped, room, first_id, number)
    return waiting


@leaf
def roll_rest(room, flags, stream, row, chunk, keep, waiting, tape, taped, first_id):
    """Roll what is left of every lane's pool, from a row on; ``waiting`` lanes have more dice, and are flagged."""
    while waiting > 0:
        if waiting > FEW:
            fair_words(room, i64(WORDS), flags, stream, row, chunk)
        else:
            mend(room, WORK_AT + WORDS * LANES, flags, stream)
        waiting = more(room, flags, keep)
        if tape is not None:
            record_row(tape, taped, room, first_id, row)
        row += 1
