"""The stream of random words, and who gets which: part of the contract, since counts depend on nothing else.

Philox4x32-10 (J. K. Salmon et al., SC11, 2011), keyed by the run, its counter holding block, chunk and row, so counts
depend neither on threads nor on the order of blocks. A row of words gives each lane a word of 16 bits.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils

from tcsim.kernels._compile import kernel, leaf
from tcsim.kernels.lanes import I64, Vector, operation, splat
from tcsim.kernels.layout import LANES, WORK_AT

u64 = np.uint64

#: Raised whenever the same seed gives other dice; part of every key and every result.
STREAM_VERSION = 2

_MULTIPLIERS, _WEYL, _ROUNDS, _LOW = (0xD2511F53, 0xCD9E8D57), (0x9E3779B9, 0xBB67AE85), 10, 0xFFFFFFFF


@leaf
def philox(c0, c1, c2, c3, k0, k1):
    """Ten rounds of Philox4x32; all arguments and results are 32-bit words in uint64."""
    mask, half = u64(_LOW), u64(32)
    x0, x1, x2, x3, a, b = u64(c0), u64(c1), u64(c2), u64(c3), u64(k0), u64(k1)
    for _ in range(_ROUNDS):
        p0, p1 = u64(_MULTIPLIERS[0]) * (x0 & mask), u64(_MULTIPLIERS[1]) * (x2 & mask)
        x0, x1, x2, x3 = (p1 >> half) ^ x1 ^ a, p1, (p0 >> half) ^ x3 ^ b, p0
        a, b = a + u64(_WEYL[0]), b + u64(_WEYL[1])
    return x0 & mask, x1 & mask, x2 & mask, x3 & mask


#: In a stream stand two words of its key, two of the block's number, and how many spare words of the block are used.
SPARE = 4
#: Spare words are rows of a chunk that no trial stands in.
SPARE_CHUNK = 1 << 14


@leaf
def stream_of(key):
    """Make the stream of a key, two words of 32 bits."""
    stream = np.zeros(SPARE + 1, dtype=np.uint64)
    stream[0], stream[1] = key[0], key[1]
    return stream


@leaf
def enter(stream, block):
    """Go to the words of a block."""
    stream[2], stream[3] = u64(block) & u64(_LOW), u64(block) >> u64(32)
    stream[SPARE] = 0


#: Philox calls for a row: four 32-bit words each, so two lanes of each of its four outputs.
_CALLS = LANES // 8
#: Calls whose words stand in the lower halves of 64 bits; the words of the others stand in the upper halves.
_PAIRS = _CALLS // 2


def _fill(builder: Any, room: Any, row: Any, stream: Any, number: Any, chunk: Any) -> None:
    kind = ir.VectorType(I64, 8)
    words_at = builder.add(builder.mul(row, ir.Constant(I64, LANES)), ir.Constant(I64, WORK_AT))
    words = builder.bitcast(builder.gep(room, [words_at]), I64.as_pointer())
    key = [builder.load(builder.gep(stream, [ir.Constant(I64, place)])) for place in range(SPARE)]
    keys = []
    for a, b in zip(*(_weyl(builder, key[place], _WEYL[place]) for place in range(2)), strict=True):
        keys.append((splat(builder, kind, a), splat(builder, kind, b)))
    counter = [splat(builder, kind, value) for value in (number, key[2], key[3])]
    first = builder.shl(chunk, ir.Constant(I64, 16))
    eight = Vector(builder, ir.Constant(kind, [ir.Constant(I64, place) for place in range(8)]))
    bounds = (ir.Constant(I64, 0), ir.Constant(I64, _PAIRS), ir.Constant(I64, 8))
    with cgutils.for_range_slice(builder, *bounds, I64) as (call, _):
        calls = splat(builder, kind, builder.add(first, call)) + eight
        halves = [_rounds((calls + half * _PAIRS, *counter), keys) for half in range(2)]
        for quarter, (low, high) in enumerate(zip(*halves, strict=True)):
            place = builder.gep(words, [builder.add(call, ir.Constant(I64, quarter * _PAIRS))])
            pair = (low & _LOW) | (high << 32)
            builder.store(pair.value, builder.bitcast(place, kind.as_pointer()), align=64)


#: ``fill(room, row, stream, number, chunk)`` fills a row of the workspace with the words of row ``number`` of a stream.
fill = operation("fill", _fill)


def _weyl(builder: Any, key: Any, step: int) -> list[Any]:
    return [builder.add(key, ir.Constant(I64, turn * step)) for turn in range(_ROUNDS)]


def _rounds(counter: tuple[Vector, ...], keys: list[tuple[Vector, Vector]]) -> tuple[Vector, ...]:
    """Write the rounds of Philox for a vector of calls; the upper halves of the results are of no use."""
    x0, x1, x2, x3 = counter
    for a, b in keys:
        p0, p1 = (x0 & _LOW) * _MULTIPLIERS[0], (x2 & _LOW) * _MULTIPLIERS[1]
        x0, x1, x2, x3 = (p1 >> 32) ^ x1 ^ a, p1, (p0 >> 32) ^ x3 ^ b, p0
    return x0, x1, x2, x3


@kernel
def philox_words(counter, key, out):
    """Write the four words of one Philox call: for the published known-answer vectors."""
    out[0], out[1], out[2], out[3] = philox(counter[0], counter[1], counter[2], counter[3], key[0], key[1])
