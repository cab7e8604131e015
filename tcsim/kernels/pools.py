"""Pools of dice for a chunk of lanes: how many dice each lane still has to roll, and the highest so far.

From a word of 16 bits three dice are taken by multiplying by 6 three times. 88 of the 65,536 words would favour some
dice; a lane that gets one takes no dice from it and rolls on later from a stream of its own (:func:`settle`), so every
die is exactly fair and no trial is ever started again.

Lowest dice: a pool with negative net dice keeps the lowest. Turning every die over (7 - die) keeps it fair and makes
the lowest the highest, so all pools are rolled as keep-highest and the total is turned back.

``left`` holds how many dice each lane still has to roll, the tops its highest dice so far (0 to 5).
"""

from __future__ import annotations

import numpy as np

from tcsim.kernels._compile import leaf
from tcsim.kernels.lanes import add16, and16, less16, max16, min16, mul16, not16, pick16, six_high, six_low, sub16
from tcsim.kernels.stream import BLOCK, LANES, philox

u16, u32, u64, i64 = np.uint16, np.uint32, np.uint64, np.int64

#: Most dice a pool keeps, and most shots of a volley.
MAX_KEEP, MAX_SHOTS = 5, 20


# rows of the workspace, a chunk each
(
    ROW_TOP0,
    ROW_TOP1,
    ROW_TOP2,
    ROW_TOP3,
    ROW_TOP4,
    ROW_LEFT,
    ROW_FLIP,
    ROW_CHOICE,
    ROW_BATH,
    ROW_PLACED,
    ROW_FALLEN,
    ROW_ABSORB,
    ROW_FLAT,
    ROW_TOTAL,
    ROW_BEFORE,
    ROW_WORDS,
    ROW_SHOTS,
) = range(17)
WORKSPACE_ROWS = ROW_SHOTS + MAX_SHOTS
#: Lanes of all the room a kernel works in: states, trial numbers, and a chunk's rows.
ROOM = 2 * (BLOCK + LANES) + WORKSPACE_ROWS * LANES

# marks of the entries on a tape; what is below is a die, 0 to 5, and its row
TAPE_SETTLED, TAPE_POOL, TAPE_END = 1 << 40, 1 << 41, 1 << 42

#: Three dice from a word are fair only if what the three multiplications leave over is at least this (Lemire, 2019).
UNFAIR = 2**16 % 6**3
FEW = 8  # so few lanes are cheaper one by one than a whole row of words


@leaf
def start2(words, top0, top1, left):
    """The first three dice of pools that keep 2."""
    for i in range(LANES):
        x, need = words[i], left[i]
        fair = and16(need, not16(less16(mul16(x, u16(216)), u16(UNFAIR))))
        a = and16(six_high(x), less16(u16(0), fair))
        x = six_low(x)
        die = and16(six_high(x), less16(u16(1), fair))
        x = six_low(x)
        b, a = min16(a, die), max16(a, die)
        die = and16(six_high(x), less16(u16(2), fair))
        b, a = max16(b, min16(a, die)), max16(a, die)
        top0[i], top1[i] = a, b
        left[i] = sub16(need, min16(fair, u16(3)))


@leaf
def more2(words, top0, top1, left):
    """Three more dice of pools that keep 2."""
    for i in range(LANES):
        x, need, a, b = words[i], left[i], top0[i], top1[i]
        fair = and16(need, not16(less16(mul16(x, u16(216)), u16(UNFAIR))))
        die = and16(six_high(x), less16(u16(0), fair))
        x = six_low(x)
        b, a = max16(b, min16(a, die)), max16(a, die)
        die = and16(six_high(x), less16(u16(1), fair))
        x = six_low(x)
        b, a = max16(b, min16(a, die)), max16(a, die)
        die = and16(six_high(x), less16(u16(2), fair))
        b, a = max16(b, min16(a, die)), max16(a, die)
        top0[i], top1[i] = a, b
        left[i] = sub16(need, min16(fair, u16(3)))


@leaf
def more5(words, top0, top1, top2, top3, top4, left):
    """Three more dice of pools that keep up to 5."""
    for i in range(LANES):
        x, need = words[i], left[i]
        a, b, c, d, e = top0[i], top1[i], top2[i], top3[i], top4[i]
        fair = and16(need, not16(less16(mul16(x, u16(216)), u16(UNFAIR))))
        for k in range(3):
            die = and16(six_high(x), less16(u16(k), fair))
            x = six_low(x)
            a, die = max16(a, die), min16(a, die)
            b, die = max16(b, die), min16(b, die)
            c, die = max16(c, die), min16(c, die)
            d, die = max16(d, die), min16(d, die)
            e = max16(e, die)
        top0[i], top1[i], top2[i], top3[i], top4[i] = a, b, c, d, e
        left[i] = sub16(need, min16(fair, u16(3)))


@leaf
def more3(words, top0, top1, top2, left):
    """Three more dice of pools that keep 3."""
    for i in range(LANES):
        x, need, a, b, c = words[i], left[i], top0[i], top1[i], top2[i]
        fair = and16(need, not16(less16(mul16(x, u16(216)), u16(UNFAIR))))
        for k in range(3):
            die = and16(six_high(x), less16(u16(k), fair))
            x = six_low(x)
            a, die = max16(a, die), min16(a, die)
            b, die = max16(b, die), min16(b, die)
            c = max16(c, die)
        top0[i], top1[i], top2[i] = a, b, c
        left[i] = sub16(need, min16(fair, u16(3)))


@leaf
def add_up(total, top0, top1, top2, top3, top4, flip, bath, keep, with_bath):
    """Sum the kept dice (1 to 6 each) of pools that keep ``keep``, and one more where a Bloodbath is taken."""
    for i in range(LANES):
        sum_ = top0[i]
        kept = u16(keep)
        if keep > 1:
            sum_ = add16(sum_, top1[i])
        if keep > 2:
            sum_ = add16(sum_, top2[i])
        if keep > 3:
            sum_ = add16(sum_, top3[i])
        if with_bath:
            more = top4[i]
            if keep == 1:
                more = top1[i]
            if keep == 2:
                more = top2[i]
            if keep == 3:
                more = top3[i]
            sum_ = add16(sum_, and16(bath[i], more))
            kept = add16(kept, and16(bath[i], u16(1)))
        total[i] = pick16(flip[i], sub16(mul16(kept, u16(6)), sum_), add16(sum_, kept))


@leaf
def save_total(total, flat, left, bath):
    """Put the kept total aside while the flat die of a Bloodbath is rolled."""
    for i in range(LANES):
        flat[i] = total[i]
        left[i] = and16(bath[i], u16(1))


@leaf
def add_flat(total, flat, top0, bath):
    """Add the flat die of a Bloodbath."""
    for i in range(LANES):
        total[i] = add16(flat[i], and16(bath[i], add16(top0[i], u16(1))))


@leaf
def record(tape, taped, trial, entry):
    """Write an entry on the tape of a trial, if it has one."""
    if trial < tape.shape[0] and taped[trial] < tape.shape[1]:
        tape[trial, taped[trial]] = entry
        taped[trial] += 1


@leaf
def record_pool(tape, taped, ids, left, flip, choice, entry):
    """Write which pool begins, for every taped trial that has dice to roll: kept lowest or not, and what is spent."""
    for lane in range(LANES):
        if left[lane] > u16(0):
            spent = i64(choice[lane]) << 1
            record(tape, taped, i64(ids[lane]), TAPE_POOL | entry | spent | (1 if flip[lane] else 0))


@leaf
def record_row(tape, taped, ids, words, before, left, row):
    """Write the dice that taped trials took from a row of words."""
    for lane in range(LANES):
        x = i64(words[lane])
        for _ in range(i64(before[lane]) - i64(left[lane])):
            x = x * 6
            record(tape, taped, i64(ids[lane]), (row << 8) | (x >> 16))
            x = x & 0xFFFF
        before[lane] = left[lane]


@leaf
def copy(to, row):
    """Copy a row of the workspace."""
    for i in range(LANES):
        to[i] = row[i]


@leaf
def settle(work, left_words, flags, stream, row, chunk, tape, taped, ids):
    """Let the few lanes that still have dice to roll do so one by one, each from a stream of its own."""
    mask = u64(0xFFFFFFFF)
    for i in range(16):
        flags[i] = (
            left_words[i] | left_words[i + 16] | left_words[i + 32] | left_words[i + 48]
            | left_words[i + 64] | left_words[i + 80] | left_words[i + 96] | left_words[i + 112]
            | left_words[i + 128] | left_words[i + 144] | left_words[i + 160] | left_words[i + 176]
            | left_words[i + 192] | left_words[i + 208] | left_words[i + 224] | left_words[i + 240]
        )  # fmt: skip
    for place in range(16):
        if flags[place] == u64(0):
            continue
        for k in range(place, 256, 16):
            if left_words[k] == u64(0):
                continue
            for lane in range(4 * k, 4 * k + 4):
                draw = 0
                while work[ROW_LEFT, lane] != u16(0):
                    first = u64(lane) | (u64(chunk) << u64(16)) | u64(0x80000000)
                    x = philox(first, u64(row) | (u64(draw) << u64(24)), stream[2], stream[3], stream[0], stream[1])[0]
                    draw += 1
                    if ((x * u64(216)) & mask) < u64(2**32 % 216):
                        continue
                    for _ in range(3):
                        if work[ROW_LEFT, lane] != u16(0):
                            x = x * u64(6)
                            die = u16(x >> u64(32))
                            x = x & mask
                            if tape.size:
                                record(
                                    tape, taped, i64(ids[chunk * LANES + lane]), TAPE_SETTLED | (row << 8) | i64(die)
                                )
                            for t in range(MAX_KEEP):
                                top = work[t, lane]
                                work[t, lane] = max16(top, die)
                                die = min16(top, die)
                            work[ROW_LEFT, lane] = sub16(work[ROW_LEFT, lane], u16(1))
