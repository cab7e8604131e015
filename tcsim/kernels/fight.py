"""The dice-rolling kernel: plays a block of 65,536 trials side by side, really rolling every die of each.

Trials stand in 16-bit lanes, a chunk of 1,024 at a time, and every loop over lanes is simple enough for LLVM to make
SIMD instructions of it; the rules are the same few steps for all lanes, and a lane that has nothing to do in one just
keeps its state. Random numbers: Philox4x32-10 (J. K. Salmon et al., SC11, 2011), keyed by the run, its counter holding
block, chunk and row, so counts depend neither on threads nor on the order of blocks.

A row of words gives each lane a word of 16 bits, from which three dice are taken by multiplying by 6 three times. 88 of
the 65,536 words would favour some dice; a lane that gets one takes no dice from it and rolls on later from a stream of
its own (:func:`settle`), so every die is exactly fair and no trial is ever started again.

Lowest dice: a pool with negative net dice keeps the lowest. Turning every die over (7 - die) keeps it fair and makes
the lowest the highest, so all pools are rolled as keep-highest and the total is turned back.
"""

from __future__ import annotations

import numpy as np

from tcsim.kernels._compile import kernel, leaf
from tcsim.kernels.lanes import (
    add16,
    and16,
    eq16,
    less16,
    max16,
    min16,
    mul16,
    not16,
    or16,
    pick16,
    shr16,
    six_high,
    six_low,
    sless16,
    sub16,
)

u16, u32, u64, i64 = np.uint16, np.uint32, np.uint64, np.int64

#: Raised whenever the same seed gives other dice; part of every key and every result.
STREAM_VERSION = 1

#: Trials of one block, and lanes of a chunk; part of the stream.
BLOCK, LANES = 65_536, 1_024

#: Most dice a pool keeps, and most shots of a volley.
MAX_KEEP, MAX_SHOTS = 5, 20

# columns of a step, as in scenario.problem.Step
KIND, VOLLEYS, SHOTS, AUTO_HIT, RISKY, ACTION_DICE, ACTION_DICE_DOWN, FIRST_SHOT_DICE = range(8)
INJURY_KEEP, INJURY_DICE, INJURY_MODIFIER, MARKERS = 8, 9, 13, 17
ATTACK, STAND, ACTIVATION = 0, 1, 2

# numbers of a problem beside its steps, in the order of engines.monte_carlo.kernel_inputs
(
    SUCCESS,
    CRITICAL,
    MINOR_HIT,
    DOWN,
    OUT,
    MARKER_LIMIT,
    MINOR_HIT_MARKERS,
    DOWN_MARKERS,
    DOWN_AGAIN_MARKERS,
    BLOODBATH_COST,
    BLOODBATH_COST_DOWN,
    TOUGH_ABSORBS_VOLLEY,
    SECOND_DOWN_AS_FIRST,
    FLAT_BLOODBATH,
    _LEFTOVERS,
    MINOR_AFTER_TOUGH,
    START_DOWN,
    START_BLOOD,
    START_BLESSING,
    START_TOUGH,
    MINOR_FOR_DOWN,
    SPEND_BLESSING,
    SPENDING,
    PLAN_SEES_TOUGH,
) = range(24)

#: SPENDING: nothing, every marker, or as the choices say.
SPEND_NONE, SPEND_ALL, SPEND_CHOICES = 0, 1, 2

# a lane's state in one word
BLOOD, IS_DOWN, IS_TOUGH, HOLDS_BLESSING, HAS_ENDED, IS_OUT = u16(7), u16(8), u16(16), u16(32), u16(64), u16(128)
IDLE = u16(64 | 128)
STATE_CODES = 256

# rows of the workspace, a chunk each
(
    _TOP0,
    _TOP1,
    _TOP2,
    _TOP3,
    _TOP4,
    _LEFT,
    _FLIP,
    _CHOICE,
    _BATH,
    _PLACED,
    _FALLEN,
    _ABSORB,
    _FLAT,
    _TOTAL,
    _BEFORE,
    _WORDS,
    _SHOTS,
) = range(17)
WORKSPACE_ROWS = _SHOTS + MAX_SHOTS
#: Lanes of all the room a kernel works in: states, trial numbers, and a chunk's rows.
ROOM = 2 * (BLOCK + LANES) + WORKSPACE_ROWS * LANES

# marks of the entries on a tape; what is below is a die, 0 to 5, and its row
TAPE_SETTLED, TAPE_POOL, TAPE_END = 1 << 40, 1 << 41, 1 << 42

_UNFAIR = 2**16 % 6**3
_FEW = 8  # so few lanes are cheaper one by one than a whole row of words


# --- random words ----------------------------------------------------------------------------------------------------


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


# --- pools: `left` holds how many dice each lane still has to roll, the tops its highest dice so far (0 to 5) --------


@leaf
def start2(words, top0, top1, left):
    """The first three dice of pools that keep 2."""
    for i in range(LANES):
        x, need = words[i], left[i]
        fair = and16(need, not16(less16(mul16(x, u16(216)), u16(_UNFAIR))))
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
        fair = and16(need, not16(less16(mul16(x, u16(216)), u16(_UNFAIR))))
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
        fair = and16(need, not16(less16(mul16(x, u16(216)), u16(_UNFAIR))))
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
        fair = and16(need, not16(less16(mul16(x, u16(216)), u16(_UNFAIR))))
        for k in range(3):
            die = and16(six_high(x), less16(u16(k), fair))
            x = six_low(x)
            a, die = max16(a, die), min16(a, die)
            b, die = max16(b, die), min16(b, die)
            c = max16(c, die)
        top0[i], top1[i], top2[i] = a, b, c
        left[i] = sub16(need, min16(fair, u16(3)))


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
                while work[_LEFT, lane] != u16(0):
                    first = u64(lane) | (u64(chunk) << u64(16)) | u64(0x80000000)
                    x = philox(first, u64(row) | (u64(draw) << u64(24)), stream[2], stream[3], stream[0], stream[1])[0]
                    draw += 1
                    if ((x * u64(216)) & mask) < u64(2**32 % 216):
                        continue
                    for _ in range(3):
                        if work[_LEFT, lane] != u16(0):
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
                            work[_LEFT, lane] = sub16(work[_LEFT, lane], u16(1))


# --- one attack ------------------------------------------------------------------------------------------------------


@leaf
def aim(state, left, flip, standing, down, keep):
    """How many dice each lane's action roll has, and which lanes keep the lowest; gives the largest."""
    s_need, s_flip = u16(keep + abs(standing)), u16(0xFFFF if standing < 0 else 0)
    d_need, d_flip = u16(keep + abs(down)), u16(0xFFFF if down < 0 else 0)
    for i in range(LANES):
        s = state[i]
        is_down = not16(eq16(and16(s, IS_DOWN), u16(0)))
        left[i] = and16(pick16(is_down, d_need, s_need), eq16(and16(s, IDLE), u16(0)))
        flip[i] = pick16(is_down, d_flip, s_flip)
    return max(keep + abs(standing), keep + abs(down))


@leaf
def read_hits(state, top0, top1, flip, hit, success, critical):
    """Read the action chart: 0 failure, 1 success, 2 critical."""
    low, high = u16(success - 2), u16(critical - 2)
    for i in range(LANES):
        s = state[i]
        sum_ = add16(top0[i], top1[i])
        total = pick16(flip[i], sub16(u16(10), sum_), sum_)
        acts = eq16(and16(s, IDLE), u16(0))
        hits = and16(not16(less16(total, low)), acts)
        hit[i] = and16(hits, sub16(u16(1), not16(less16(total, high))))


@leaf
def fail(state, work, shots):
    """A failed risky attack ends the activation."""
    for i in range(LANES):
        missed = u16(0)
        for shot in range(shots):
            missed = or16(missed, eq16(work[_SHOTS + shot, i], u16(0)))
        acts = eq16(and16(state[i], IDLE), u16(0))
        state[i] = or16(state[i], and16(and16(missed, acts), HAS_ENDED))


@leaf
def hit_all(state, hit):
    """Automatic hits of every lane that acts."""
    for i in range(LANES):
        hit[i] = and16(eq16(and16(state[i], IDLE), u16(0)), u16(1))


@leaf
def choose(state, hit, choice, planes, tough, held):
    """Look up what is spent: bit planes over (blood, critical), a set for each of Down, TOUGH and held blessings."""
    for t in range(tough + 1):
        for h in range(held + 1):
            first = (t * 2 + h) * 8
            s0, s1, s2, s3 = planes[first], planes[first + 1], planes[first + 2], planes[first + 3]
            d0, d1, d2, d3 = planes[first + 4], planes[first + 5], planes[first + 6], planes[first + 7]
            want = u16((16 if t else 0) + (32 if h else 0))
            look = u16((16 if tough else 0) + (32 if held else 0))
            for i in range(LANES):
                s = state[i]
                is_down = not16(eq16(and16(s, IS_DOWN), u16(0)))
                place = add16(and16(s, BLOOD), and16(less16(u16(1), hit[i]), u16(7)))
                b0 = and16(shr16(pick16(is_down, d0, s0), place), u16(1))
                b1 = and16(shr16(pick16(is_down, d1, s1), place), u16(1))
                b2 = and16(shr16(pick16(is_down, d2, s2), place), u16(1))
                b3 = and16(shr16(pick16(is_down, d3, s3), place), u16(1))
                code = add16(add16(b0, add16(b1, b1)), add16(mul16(b2, u16(4)), mul16(b3, u16(8))))
                mine = eq16(and16(s, look), want)
                choice[i] = pick16(mine, code, choice[i])


@leaf
def choose_all(state, choice):
    """Every blood marker as a die."""
    for i in range(LANES):
        choice[i] = and16(state[i], BLOOD)


@leaf
def load(state, hit, choice, left, flip, bath, step, numbers, sizes):
    """Pay for the choice and count each lane's injury dice; the pools' sizes go to ``sizes``."""
    n0, n1, n2, n3 = (
        u16(step[INJURY_DICE]),
        u16(step[INJURY_DICE + 1]),
        u16(step[INJURY_DICE + 2]),
        u16(step[INJURY_DICE + 3]),
    )
    keep, flat = u16(step[INJURY_KEEP]), u16(0xFFFF if numbers[FLAT_BLOODBATH] else 0)
    cost, cost_down = u16(numbers[BLOODBATH_COST]), u16(numbers[BLOODBATH_COST_DOWN])
    blessing = u16(numbers[START_BLESSING] if numbers[SPEND_BLESSING] else 0)
    used_up = HOLDS_BLESSING if numbers[SPEND_BLESSING] else u16(0)
    largest, over3, over6, over9 = u16(0), u16(0), u16(0), u16(0)
    for i in range(LANES):
        s, code = state[i], choice[i]
        hits = and16(less16(u16(0), hit[i]), eq16(and16(s, IS_OUT), u16(0)))
        crit = less16(u16(1), hit[i])
        is_down = not16(eq16(and16(s, IS_DOWN), u16(0)))
        dice = and16(code, u16(7))
        bathed = not16(less16(code, u16(8)))
        paid = add16(dice, and16(bathed, pick16(is_down, cost_down, cost)))
        holds = not16(eq16(and16(s, HOLDS_BLESSING), u16(0)))
        net = pick16(is_down, pick16(crit, n3, n2), pick16(crit, n1, n0))
        net = sub16(add16(net, dice), and16(holds, blessing))
        lowest = sless16(net, u16(0))
        size = pick16(lowest, sub16(u16(0), net), net)
        kept_bath = and16(bathed, not16(flat))
        need = and16(add16(add16(size, keep), and16(kept_bath, u16(1))), hits)
        left[i] = need
        flip[i] = lowest
        bath[i] = and16(bathed, hits)
        state[i] = sub16(s, and16(hits, add16(paid, and16(s, used_up))))
        largest = max16(largest, need)
        over3 = sub16(over3, less16(u16(3), need))
        over6 = sub16(over6, less16(u16(6), need))
        over9 = sub16(over9, less16(u16(9), need))
    few = i64(largest)
    if over9 <= u16(_FEW):
        few = 9
    if over6 <= u16(_FEW):
        few = 6
    if over3 <= u16(_FEW):
        few = 3
    sizes[0] = i64(largest)
    sizes[1] = few


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
def injure(state, hit, total, placed, fallen, absorb, step, numbers, alone):
    """Read the injury chart and apply TOUGH, Machine Armour and markers; gives how many lanes went out of action.

    In a volley of one (``alone``) the result takes effect at once, in a longer one it waits in placed and fallen.
    """
    m0, m1 = u16(step[INJURY_MODIFIER]), u16(step[INJURY_MODIFIER + 1])
    m2, m3 = u16(step[INJURY_MODIFIER + 2]), u16(step[INJURY_MODIFIER + 3])
    minor_at, down_at, out_at = u16(numbers[MINOR_HIT] - 1), u16(numbers[DOWN] - 1), u16(numbers[OUT] - 1)
    markers, limit = u16(step[MARKERS]), u16(numbers[MARKER_LIMIT])
    minor_gain, down_gain = u16(numbers[MINOR_HIT_MARKERS]), u16(numbers[DOWN_MARKERS])
    again_more = u16(numbers[DOWN_AGAIN_MARKERS] - numbers[DOWN_MARKERS])
    softens = u16(0xFFFF if numbers[MINOR_FOR_DOWN] else 0)
    softens_tough = u16(0xFFFF if numbers[MINOR_FOR_DOWN] and numbers[MINOR_AFTER_TOUGH] else 0)
    absorbs = u16(0xFFFF if numbers[TOUGH_ABSORBS_VOLLEY] else 0)
    again_first = u16(0xFFFF if numbers[SECOND_DOWN_AS_FIRST] else 0)
    went = u16(0)
    for i in range(LANES):
        s = state[i]
        hits = and16(less16(u16(0), hit[i]), eq16(and16(s, IS_OUT), u16(0)))
        crit = less16(u16(1), hit[i])
        was_down = not16(eq16(and16(s, IS_DOWN), u16(0)))
        tough = not16(eq16(and16(s, IS_TOUGH), u16(0)))
        t = add16(total[i], pick16(was_down, pick16(crit, m3, m2), pick16(crit, m1, m0)))
        minor = and16(sless16(minor_at, t), hits)
        down = and16(sless16(down_at, t), hits)
        out = and16(sless16(out_at, t), hits)
        minor = and16(minor, not16(down))
        if alone:
            soft = and16(out, tough)
            again = was_down
        else:
            soft = and16(out, or16(tough, absorb[i]))
            absorb[i] = or16(absorb[i], and16(soft, absorbs))
            again = or16(was_down, and16(fallen[i], not16(again_first)))
        out = and16(out, not16(soft))
        down = and16(down, not16(out))
        turned = and16(down, pick16(soft, softens_tough, softens))
        down = and16(down, not16(turned))
        minor = or16(minor, turned)
        gain = add16(and16(hits, markers), and16(minor, minor_gain))
        gain = add16(gain, and16(down, add16(down_gain, and16(again, again_more))))
        s = and16(s, not16(and16(soft, IS_TOUGH)))
        if alone:
            blood = min16(add16(and16(s, BLOOD), gain), limit)
            s = or16(and16(s, not16(BLOOD)), blood)
            s = or16(s, and16(down, IS_DOWN))
        else:
            placed[i] = add16(placed[i], gain)
            fallen[i] = or16(fallen[i], down)
        state[i] = or16(s, and16(out, IS_OUT))
        went = sub16(went, out)
    return i64(went)


@leaf
def end_volley(state, placed, fallen, limit):
    """Let what a volley did take effect."""
    most = u16(limit)
    for i in range(LANES):
        s = state[i]
        blood = min16(add16(and16(s, BLOOD), placed[i]), most)
        state[i] = or16(or16(and16(s, not16(BLOOD)), blood), and16(fallen[i], IS_DOWN))


@leaf
def clear(row):
    """Set a row of the workspace to 0."""
    for i in range(LANES):
        row[i] = 0


@leaf
def happen(state, count, event):
    """The target stands up (unless the activation has ended), or a new activation begins."""
    for i in range(count):
        s = state[i]
        if event == STAND:
            stands = eq16(and16(s, HAS_ENDED), u16(0))
            state[i] = and16(s, not16(and16(stands, IS_DOWN)))
        else:
            state[i] = and16(s, not16(HAS_ENDED))


@leaf
def attack(
    state, work, words, word_buffer, flags, sizes, stream, row, chunk, numbers, step, planes, tough, held, move,
    tape, taped, ids,
):  # fmt: skip
    """One volley for a chunk of lanes: roll to hit with every shot, then injure with every hit. Gives the next row.

    Each turn prepares a pool, rolls it, and reads it; first the action rolls of all shots, then the injury rolls, each
    followed by the flat die of a Bloodbath where the option says so.
    """
    top0, top1, top2, top3, top4 = work[_TOP0], work[_TOP1], work[_TOP2], work[_TOP3], work[_TOP4]
    left, flip, choice, bath = work[_LEFT], work[_FLIP], work[_CHOICE], work[_BATH]
    placed, fallen, absorb, flat, total = work[_PLACED], work[_FALLEN], work[_ABSORB], work[_FLAT], work[_TOTAL]
    before, place = work[_BEFORE], chunk * LANES
    shots, injury_keep, spending = step[SHOTS], step[INJURY_KEEP], numbers[SPENDING]
    baths = spending == SPEND_CHOICES
    flat_die = baths and numbers[FLAT_BLOODBATH] == 1
    if shots > 1:
        clear(placed)
        clear(fallen)
        clear(absorb)
    went = i64(0)
    turns = 3 if flat_die else 2
    for turn in range(turns * shots):
        kind = 0 if turn < shots else 1 + (turn - shots) % (turns - 1)
        shot = turn if turn < shots else (turn - shots) // (turns - 1)
        hit = work[_SHOTS + shot]
        if kind == 0:
            if step[AUTO_HIT] == 1:
                hit_all(state, hit)
                continue
            extra = step[FIRST_SHOT_DICE] if shot == 0 else i64(0)
            keep = i64(2)
            most = aim(state, left, flip, step[ACTION_DICE] + extra, step[ACTION_DICE_DOWN] + extra, keep)
            few = most
        elif kind == 1:
            if turn == shots and step[RISKY] == 1:
                fail(state, work, shots)
            if spending == SPEND_ALL:
                choose_all(state, choice)
            elif spending == SPEND_CHOICES:
                choose(state, hit, choice, planes, tough, held)
            load(state, hit, choice, left, flip, bath, step, numbers, sizes)
            keep = injury_keep + (1 if baths and not flat_die else 0)
            most, few = sizes[0], sizes[1]
        else:
            keep, most, few = i64(1), i64(1), i64(1)
            save_total(total, flat, left, bath)
        if tape.size:
            copy(before, left)
            record_pool(
                tape, taped, ids[place : place + LANES], left, flip, choice, (move << 20) | (shot << 12) | (kind << 8)
            )
        # roll every lane's pool: `left` dice each, the highest into the tops
        rolled = i64(0)
        if keep <= 2:
            fill(word_buffer, stream, row, chunk)
            start2(words, top0, top1, left)
            if tape.size:
                record_row(tape, taped, ids[place : place + LANES], words, before, left, row)
            rolled = i64(3)
            row += 1
        else:
            clear(top0)
            clear(top1)
            clear(top2)
            clear(top3)
            clear(top4)
        while rolled < most and rolled < few:
            fill(word_buffer, stream, row, chunk)
            if keep <= 2:
                more2(words, top0, top1, left)
            elif keep == 3:
                more3(words, top0, top1, top2, left)
            else:
                more5(words, top0, top1, top2, top3, top4, left)
            if tape.size:
                record_row(tape, taped, ids[place : place + LANES], words, before, left, row)
            rolled += 3
            row += 1
        settle(work, left.view(np.uint64), flags, stream, row, chunk, tape, taped, ids)
        row += 1
        if kind == 0:
            read_hits(state, top0, top1, flip, hit, numbers[SUCCESS], numbers[CRITICAL])
            continue
        if kind == 1:
            add_up(total, top0, top1, top2, top3, top4, flip, bath, injury_keep, baths and not flat_die)
            if flat_die:
                continue
        else:
            add_flat(total, flat, top0, bath)
        went += injure(state, hit, total, placed, fallen, absorb, step, numbers, shots == 1)
    if shots > 1:
        end_volley(state, placed, fallen, numbers[MARKER_LIMIT])
    sizes[2] = went
    return row


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


# --- a block ---------------------------------------------------------------------------------------------------------


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
    words = work[_WORDS]
    word_buffer = words.view(np.uint32)
    flags = np.empty(16, dtype=np.uint64)
    sizes = np.zeros(3, dtype=np.int64)
    begin = u16(
        numbers[START_BLOOD] | (numbers[START_DOWN] << 3) | (numbers[START_TOUGH] << 4)
        | ((1 if numbers[START_BLESSING] > 0 else 0) << 5)
    )  # fmt: skip
    tough = i64(1 if numbers[START_TOUGH] == 1 and numbers[PLAN_SEES_TOUGH] == 1 else 0)
    held = i64(1 if numbers[START_BLESSING] > 0 and numbers[SPEND_BLESSING] == 1 else 0)
    clear(work[_CHOICE])
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


@kernel
def philox_words(counter, key, out):
    """Write the four words of one Philox call: for the published known-answer vectors."""
    out[0], out[1], out[2], out[3] = philox(counter[0], counter[1], counter[2], counter[3], key[0], key[1])
