"""One draw per trial from a table of outcomes: fast, and no check of the table, which it takes as given.

A trial is one number of 64 bits: a word of 16 bits from a row, as in :mod:`tcsim.kernels.fight`, and 48 more bits that
are only looked at where the word alone does not settle the outcome. So an outcome has its probability to 2**-64.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from tcsim.kernels._compile import kernel, leaf
from tcsim.kernels.lanes import Chunk, Vector, counting_pass
from tcsim.kernels.layout import BLOCK, LANES, WORDS, WORK_AT
from tcsim.kernels.stream import fill, philox

u64, i64 = np.uint64, np.int64


def _above(at: Chunk) -> Sequence[Vector]:
    words, high = at[WORDS], at.param(0)
    return ~words.below(high), words.is_(high)


#: Count the lanes that reach the first 16 bits of a threshold, and those that have just these.
reach_threshold = counting_pass("reach_threshold", [_above])


@leaf
def lane_is_above(stream, chunk, lane, word, high, low):
    """Whether a lane's number reaches a threshold; its further bits are drawn only for a tie."""
    if word != high:
        return word > high
    first = u64(lane) | (u64(chunk) << u64(16)) | u64(0x80000000)
    x0, x1, _, _ = philox(first, u64(0), stream[2], stream[3], stream[0], stream[1])
    return ((x0 << u64(16)) | (x1 & u64(0xFFFF))) >= low


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
    stream = np.zeros(5, dtype=np.uint64)
    stream[0], stream[1] = key[0], key[1]
    found, reached = np.zeros(2, dtype=np.int64), np.zeros(high.size + 2, dtype=np.int64)
    for block in range(start // BLOCK, (stop + BLOCK - 1) // BLOCK):
        stream[2], stream[3] = u64(block) & u64(0xFFFFFFFF), u64(block) >> u64(32)
        for chunk in range(BLOCK // LANES):
            place = block * BLOCK + chunk * LANES
            first, last = max(start - place, i64(0)), min(stop - place, i64(LANES))
            if first >= last:
                continue
            fill(room, WORDS, stream, 0, chunk)
            whole = last - first == LANES
            reached[0], reached[high.size + 1] = last - first, 0
            for k in range(high.size):
                reach_threshold(0, room, 0, high[k:], found)
                above = found[0]
                if found[1] > 0 or not whole:
                    above = i64(0)
                    for lane in range(first, last):
                        if lane_is_above(stream, chunk, lane, room[WORK_AT + WORDS * LANES + lane], high[k], low[k]):
                            above += 1
                reached[k + 1] = above
            for k in range(high.size + 1):
                counts[k] += reached[k] - reached[k + 1]
