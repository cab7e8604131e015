"""The stream of random words, and who gets which: part of the contract, since counts depend on nothing else.

Philox4x32-10 (J. K. Salmon et al., SC11, 2011), keyed by the run, its counter holding block, chunk and row, so counts
depend neither on threads nor on the order of blocks. A row of words gives each lane a word of 16 bits.
"""

from __future__ import annotations

import numpy as np

from tcsim.kernels._compile import kernel, leaf

u32, u64 = np.uint32, np.uint64

#: Raised whenever the same seed gives other dice; part of every key and every result.
STREAM_VERSION = 1

#: Trials of one block, and lanes of a chunk; part of the stream.
BLOCK, LANES = 65_536, 1_024


@leaf
def philox(c0, c1, c2, c3, k0, k1):
    """Ten rounds of Philox4x32; all arguments and results are 32-bit words in uint64."""
    mask, half = u64(0xFFFFFFFF), u64(32)
    x0, x1, x2, x3, a, b = u64(c0), u64(c1), u64(c2), u64(c3), u64(k0), u64(k1)
    for _ in range(10):
        p0, p1 = u64(0xD2511F53) * (x0 & mask), u64(0xCD9E8D57) * (x2 & mask)
        x0, x1, x2, x3 = (p1 >> half) ^ x1 ^ a, p1, (p0 >> half) ^ x3 ^ b, p0
        a, b = a + u64(0x9E3779B9), b + u64(0xBB67AE85)
    return x0 & mask, x1 & mask, x2 & mask, x3 & mask


@leaf
def fill(words, stream, row, chunk):
    """Fill a row of words, four from each Philox call, so that neighbouring lanes share nothing."""
    mask, half = u64(0xFFFFFFFF), u64(32)
    calls = words.size >> 2
    k0, k1, c2, c3 = stream[0], stream[1], stream[2], stream[3]
    first = u64(chunk) << u64(16)
    for j in range(calls):
        x0, x1, x2, x3, a, b = first + u64(j), u64(row), c2, c3, k0, k1
        for _ in range(10):
            p0, p1 = u64(0xD2511F53) * (x0 & mask), u64(0xCD9E8D57) * (x2 & mask)
            x0, x1, x2, x3 = (p1 >> half) ^ x1 ^ a, p1, (p0 >> half) ^ x3 ^ b, p0
            a, b = a + u64(0x9E3779B9), b + u64(0xBB67AE85)
        words[j] = u32(x0)
        words[calls + j] = u32(x1)
        words[2 * calls + j] = u32(x2)
        words[3 * calls + j] = u32(x3)


@kernel
def philox_words(counter, key, out):
    """Write the four words of one Philox call: for the published known-answer vectors."""
    out[0], out[1], out[2], out[3] = philox(counter[0], counter[1], counter[2], counter[3], key[0], key[1])
