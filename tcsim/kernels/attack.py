"""One attack of a chunk of trials, by the rules: action roll, hits, spending, injury rolls, what becomes of the target.

The rules are the same few steps for all lanes, and a lane that has nothing to do in one just keeps its state. Every
loop over lanes is simple enough for LLVM to make SIMD instructions of it.
"""

from __future__ import annotations

import numpy as np

from tcsim.kernels._compile import leaf
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
    sless16,
    sub16,
)
from tcsim.kernels.layout import (
    ACTION_DICE,
    ACTION_DICE_DOWN,
    AUTO_HIT,
    BLOOD,
    BLOODBATH_COST,
    BLOODBATH_COST_DOWN,
    CRITICAL,
    DOWN,
    DOWN_AGAIN_MARKERS,
    DOWN_MARKERS,
    FIRST_SHOT_DICE,
    FLAT_BLOODBATH,
    HAS_ENDED,
    HOLDS_BLESSING,
    IDLE,
    INJURY_DICE,
    INJURY_KEEP,
    INJURY_MODIFIER,
    IS_DOWN,
    IS_OUT,
    IS_TOUGH,
    MARKER_LIMIT,
    MARKERS,
    MINOR_AFTER_TOUGH,
    MINOR_FOR_DOWN,
    MINOR_HIT,
    MINOR_HIT_MARKERS,
    OUT,
    RISKY,
    SECOND_DOWN_AS_FIRST,
    SHOTS,
    SPEND_ALL,
    SPEND_BLESSING,
    SPEND_CHOICES,
    SPENDING,
    STAND,
    START_BLESSING,
    SUCCESS,
    TOUGH_ABSORBS_VOLLEY,
)
from tcsim.kernels.pools import (
    FEW,
    ROW_ABSORB,
    ROW_BATH,
    ROW_BEFORE,
    ROW_CHOICE,
    ROW_FALLEN,
    ROW_FLAT,
    ROW_FLIP,
    ROW_LEFT,
    ROW_PLACED,
    ROW_SHOTS,
    ROW_TOP0,
    ROW_TOP1,
    ROW_TOP2,
    ROW_TOP3,
    ROW_TOP4,
    ROW_TOTAL,
    add_flat,
    add_up,
    copy,
    more2,
    more3,
    more5,
    record_pool,
    record_row,
    save_total,
    settle,
    start2,
)
from tcsim.kernels.stream import LANES, fill

u16, u32, u64, i64 = np.uint16, np.uint32, np.uint64, np.int64


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
            missed = or16(missed, eq16(work[ROW_SHOTS + shot, i], u16(0)))
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
    if over9 <= u16(FEW):
        few = 9
    if over6 <= u16(FEW):
        few = 6
    if over3 <= u16(FEW):
        few = 3
    sizes[0] = i64(largest)
    sizes[1] = few


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
    top0, top1, top2, top3, top4 = work[ROW_TOP0], work[ROW_TOP1], work[ROW_TOP2], work[ROW_TOP3], work[ROW_TOP4]
    left, flip, choice, bath = work[ROW_LEFT], work[ROW_FLIP], work[ROW_CHOICE], work[ROW_BATH]
    placed, fallen, absorb, flat, total = (
        work[ROW_PLACED],
        work[ROW_FALLEN],
        work[ROW_ABSORB],
        work[ROW_FLAT],
        work[ROW_TOTAL],
    )
    before, place = work[ROW_BEFORE], chunk * LANES
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
        hit = work[ROW_SHOTS + shot]
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
