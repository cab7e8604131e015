"""One draw per trial from a table of outcomes: fast, and no check of the table, which it takes as given.

A trial is one number of 64 bits: a word of 16 bits from a row, as in :mod:`tcsim.kernels.fight`, and 48 more bits that
are only looked at where the word alone does not settle the outcome. So an outcome has its probability to 2**-64.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tcsim.kernels._compile import kernel, leaf
from tcsim.kernels.lanes import Chunk, Vector, counting_pass, lane_pass, lowest_bit
from tcsim.kernels.layout import BLOCK, LANES, WORDS, WORK_AT
from tcsim.kernels.stream import enter, fill, philox, stream_of

u64, i64 = np.uint64, np.int64


#: Thresholds that are compared in one pass.
AT_ONCE = 4


def _reached(at: Chunk) -> Sequence[Vector]:
    words = at[WORDS]
    high = [at.param(k) for k in range(AT_ONCE)]
    ties = [words.is_(threshold) for threshold in high]
    return [*(~words.below(threshold) for threshold in high), ties[0] | ties[1] | ties[2] | ties[3]]


#: Count the lanes that have at least the first 16 bits of each threshold, and those that have just these of any.
reach_thresholds = counting_pass("reach_thresholds", [_reached])


@lane_pass
def find_ties(at: Chunk) -> Vector:
    """Flag the lanes that have just the first 16 bits of a threshold."""
    return at[WORDS].is_(at.param(0))


@leaf
def tie_is_above(stream, chunk, lane, low):
    """Whether the further bits of a lane's number reach those of a threshold; they are drawn only for a tie."""
    first = u64(lane) | (u64(chunk) << u64(16)) | u64(0x80000000)
    x0, x1, _, _ = philox(first, u64(0), stream[2], stream[3], stream[0], stream[1])
    return i64(((x0 << u64(16)) | (x1 & u64(0xFFFF))) >= low)


@leaf
def settle_ties(room, stream, chunk, high, low, flags):
    """How many lanes that have just the first 16 bits of a threshold do not reach it; both are arrays of one."""
    short = find_ties(room, 0, 0, high, flags)
    for k in range(flags.size):
        bits = flags[k]
        while bits != u64(0):
            short -= tie_is_above(stream, chunk, u64(64 * k) + lowest_bit(bits), low[0])
            bits &= bits - u64(1)
    return short


@leaf
def count_some(room, stream, chunk, first, last, high, low):
    """Count the lanes from ``first`` to ``last - 1`` whose number reaches a threshold."""
    above = i64(0)
    for lane in range(first, last):
        word = room[WORK_AT + WORDS * LANES + lane]
        above += tie_is_above(stream, chunk, lane, low) if word == high else i64(word > high)
    return above


@kernel
def count_outcomes(key, start, stop, high, low, room, counts):
    """Draw trials ``start`` .. ``stop - 1`` and count their outcomes.

    Parameters
    ----------
    key : uint64[2]
        Two words of 32 bits.
    start, stop : int
        The trials.
    high : uint16[outcomes - 1], low : uint64[outcomes - 1]
        The first 16 and the last 48 bits of the thresholds between outcomes, ascending.
    room : uint16[ROOM]
        Room to work in.
    counts : int64[outcomes]
        Grows by the outcomes.
    """
    stream = stream_of(key)
    outcomes, found = high.size + 1, np.zeros(AT_ONCE + 1, dtype=np.int64)
    flags, reached = np.zeros(LANES // 64, dtype=np.uint64), np.zeros(high.size, dtype=np.int64)
    padded = np.zeros(outcomes + AT_ONCE, dtype=np.uint16)
    padded[: high.size] = high
    for block in range(start // BLOCK, (stop + BLOCK - 1) // BLOCK):
        enter(stream, block)
        for chunk in range(BLOCK // LANES):
            place = block * BLOCK + chunk * LANES
            first, last = max(start - place, i64(0)), min(stop - place, i64(LANES))
            if first >= last:
                continue
            fill(room, WORDS, stream, 0, chunk)
            for k in range(0, high.size, AT_ONCE):
                reach_thresholds(0, room, 0, padded[k:], found)
                for j in range(k, min(k + AT_ONCE, high.size)):
                    reached[j] = found[j - k]
                    if last - first < LANES:
                        reached[j] = count_some(room, stream, chunk, first, last, high[j], low[j])
                    elif found[AT_ONCE] > 0:
                        reached[j] -= settle_ties(room, stream, chunk, high[j : j + 1], low[j : j + 1], flags)
            left = last - first
            for k in range(high.size):
                counts[k] += left - reached[k]
                left = reached[k]
            counts[high.size] += left
