"""One plain attack, the question asked most: a kernel of its own, in which a lane is a trial from first die to last.

All pools come from two words of 16 bits, up to four dice each, so there is no state to keep and every trial uses the
same words. What is a fair word, and which dice it holds, is as in :mod:`tcsim.kernels.fight`; here a lane with an
unfair word is left out, and the next fair lane is the next trial.
"""

from __future__ import annotations

import numpy as np

from tcsim.kernels._compile import kernel, leaf
from tcsim.kernels.lanes import (
    add16,
    and16,
    less16,
    max16,
    min16,
    mul16,
    not16,
    or16,
    pick16,
    six_high,
    six_low,
    sless16,
    sub16,
)
from tcsim.kernels.layout import (
    CRITICAL,
    DOWN,
    DOWN_AGAIN_MARKERS,
    DOWN_MARKERS,
    IS_OUT,
    MARKER_LIMIT,
    MARKERS,
    MINOR_AFTER_TOUGH,
    MINOR_FOR_DOWN,
    MINOR_HIT,
    MINOR_HIT_MARKERS,
    OUT,
    SPEND_BLESSING,
    START_BLESSING,
    START_BLOOD,
    START_DOWN,
    START_TOUGH,
    SUCCESS,
)
from tcsim.kernels.pools import TAPE_END, TAPE_POOL, record
from tcsim.kernels.stream import BLOCK, LANES, fill

u16, u64, i64 = np.uint16, np.uint64, np.int64

#: Columns of ``pools``: dice of the action roll and whether the lowest are kept; the same with its modifier for the
#: injury roll after a plain hit, and for that after a critical one.
ACTION_SIZE, ACTION_LOWEST = 0, 1
PLAIN_SIZE, PLAIN_LOWEST, PLAIN_MODIFIER = 2, 3, 4
CRITICAL_SIZE, CRITICAL_LOWEST, CRITICAL_MODIFIER = 5, 6, 7
#: Blood markers spent as dice on a plain and on a critical hit (they are in the sizes already).
PLAIN_SPENT, CRITICAL_SPENT = 8, 9
#: Most dice of a pool that comes from one word.
WORD_DICE = 4
_UNFAIR4 = 2**16 % 6**4

#: What :func:`count_single` counts: failures, then the four results after a plain and after a critical hit.
SINGLE_ENDS = 9


@leaf
def single_chunk(words, pools, numbers, counts):
    """One attack for every lane, from two words each; lanes with a word that would favour some dice count nothing."""
    a2, a3 = u16(0xFFFF if pools[ACTION_SIZE] > 2 else 0), u16(0xFFFF if pools[ACTION_SIZE] > 3 else 0)
    p2, p3 = u16(0xFFFF if pools[PLAIN_SIZE] > 2 else 0), u16(0xFFFF if pools[PLAIN_SIZE] > 3 else 0)
    c2, c3 = u16(0xFFFF if pools[CRITICAL_SIZE] > 2 else 0), u16(0xFFFF if pools[CRITICAL_SIZE] > 3 else 0)
    a_flip = u16(0xFFFF if pools[ACTION_LOWEST] else 0)
    p_flip, c_flip = u16(0xFFFF if pools[PLAIN_LOWEST] else 0), u16(0xFFFF if pools[CRITICAL_LOWEST] else 0)
    p_mod, c_mod = u16(pools[PLAIN_MODIFIER] + 2), u16(pools[CRITICAL_MODIFIER] + 2)
    low, high = u16(numbers[SUCCESS] - 2), u16(numbers[CRITICAL] - 2)
    minor_at, down_at, out_at = u16(numbers[MINOR_HIT] - 1), u16(numbers[DOWN] - 1), u16(numbers[OUT] - 1)
    fair_lanes, hits = u16(0), u16(0)
    minors, downs, outs = u16(0), u16(0), u16(0)
    crits, crit_minors, crit_downs, crit_outs = u16(0), u16(0), u16(0), u16(0)
    for i in range(LANES):
        x, y = words[i], words[LANES + i]
        unfair = or16(less16(mul16(x, u16(1296)), u16(_UNFAIR4)), less16(mul16(y, u16(1296)), u16(_UNFAIR4)))
        fair = not16(unfair)
        a = six_high(x)
        x = six_low(x)
        die = six_high(x)
        x = six_low(x)
        b, a = min16(a, die), max16(a, die)
        die = and16(six_high(x), a2)
        x = six_low(x)
        b, a = max16(b, min16(a, die)), max16(a, die)
        die = and16(six_high(x), a3)
        b, a = max16(b, min16(a, die)), max16(a, die)
        total = add16(a, b)
        total = pick16(a_flip, sub16(u16(10), total), total)
        hit = and16(fair, not16(less16(total, low)))
        crit = and16(hit, not16(less16(total, high)))
        a = six_high(y)
        y = six_low(y)
        die = six_high(y)
        y = six_low(y)
        b, a = min16(a, die), max16(a, die)
        die = and16(six_high(y), pick16(crit, c2, p2))
        y = six_low(y)
        b, a = max16(b, min16(a, die)), max16(a, die)
        die = and16(six_high(y), pick16(crit, c3, p3))
        b, a = max16(b, min16(a, die)), max16(a, die)
        total = add16(a, b)
        total = pick16(pick16(crit, c_flip, p_flip), sub16(u16(10), total), total)
        total = add16(total, pick16(crit, c_mod, p_mod))
        minor = and16(hit, sless16(minor_at, total))
        down = and16(hit, sless16(down_at, total))
        out = and16(hit, sless16(out_at, total))
        fair_lanes, hits = sub16(fair_lanes, fair), sub16(hits, hit)
        minors, downs, outs = sub16(minors, minor), sub16(downs, down), sub16(outs, out)
        crits, crit_minors = sub16(crits, crit), sub16(crit_minors, and16(minor, crit))
        crit_downs, crit_outs = sub16(crit_downs, and16(down, crit)), sub16(crit_outs, and16(out, crit))
    counts[0] = i64(fair_lanes) - i64(hits)
    counts[1] = (i64(hits) - i64(crits)) - (i64(minors) - i64(crit_minors))
    counts[2] = (i64(minors) - i64(crit_minors)) - (i64(downs) - i64(crit_downs))
    counts[3] = (i64(downs) - i64(crit_downs)) - (i64(outs) - i64(crit_outs))
    counts[4] = i64(outs) - i64(crit_outs)
    counts[5] = i64(crits) - i64(crit_minors)
    counts[6] = i64(crit_minors) - i64(crit_downs)
    counts[7] = i64(crit_downs) - i64(crit_outs)
    counts[8] = i64(crit_outs)
    return i64(fair_lanes)


@leaf
def top_two(word, size, lowest, tape, taped, trial, entry):
    """Sum the kept two of a pool from one word; writes its dice on the trial's tape."""
    high, low, x = i64(0), i64(0), i64(word)
    record(tape, taped, trial, TAPE_POOL | entry | lowest)
    for _ in range(size):
        x = x * 6
        die = x >> 16
        x = x & 0xFFFF
        record(tape, taped, trial, die)
        low, high = max(low, min(high, die)), max(high, die)
    return 12 - high - low if lowest else high + low + 2


@leaf
def single_lane(x, y, pools, numbers, tape, taped, trial):
    """How one lane's attack ends, as a place in the counts of :func:`count_single`."""
    total = top_two(x, pools[ACTION_SIZE], pools[ACTION_LOWEST], tape, taped, trial, i64(0))
    if total < numbers[SUCCESS]:
        return i64(0)
    critical = i64(1 if total >= numbers[CRITICAL] else 0)
    first = PLAIN_SIZE + 3 * critical
    entry = i64(1 << 8) | (pools[PLAIN_SPENT + critical] << 1)
    total = top_two(y, pools[first], pools[first + 1], tape, taped, trial, entry) + pools[first + 2]
    result = i64(0)
    if total >= numbers[MINOR_HIT]:
        result += 1
    if total >= numbers[DOWN]:
        result += 1
    if total >= numbers[OUT]:
        result += 1
    return 1 + 4 * critical + result


@kernel
def count_single(key, start, stop, pools, numbers, room, counts, tape, taped):
    """Count how one plain attack ends, trials ``start`` .. ``stop - 1``: every lane is a trial of its own.

    The trials of a block are its first 65,536 lanes whose two words are fair, chunk after chunk. A lane always uses the
    same two words, so leaving out the unfair ones favours no result.

    Parameters
    ----------
    key : uint64[2]
        Two words of 32 bits.
    start, stop : int
        The trials.
    pools : int64[10]
        The three pools, and what is spent.
    numbers : int64[24]
        As for :func:`count_trials`.
    room : uint16[ROOM]
        Room to work in.
    counts : int64[SINGLE_ENDS]
        Grows by failures and results.
    tape, taped
        As for :func:`count_trials`; the last entry is the place in ``counts``.
    """
    stream = np.empty(4, dtype=np.uint64)
    stream[0], stream[1] = key[0], key[1]
    words = room[: 2 * LANES]
    some = np.zeros(SINGLE_ENDS, dtype=np.int64)
    for block in range(start // BLOCK, (stop + BLOCK - 1) // BLOCK):
        first, last = max(start - block * BLOCK, i64(0)), min(stop - block * BLOCK, i64(BLOCK))
        stream[2], stream[3] = u64(block) & u64(0xFFFFFFFF), u64(block) >> u64(32)
        found, chunk = i64(0), i64(0)
        while found < last:
            fill(words[:LANES].view(np.uint32), stream, i64(0), chunk)
            fill(words[LANES:].view(np.uint32), stream, i64(1), chunk)
            chunk += 1
            fair = single_chunk(words, pools, numbers, some)
            if tape.size == 0 and found >= first and found + fair <= last:
                for end in range(SINGLE_ENDS):
                    counts[end] += some[end]
                found += fair
                continue
            for i in range(LANES):
                x, y = i64(words[i]), i64(words[LANES + i])
                if (x * 1296) & 0xFFFF < _UNFAIR4 or (y * 1296) & 0xFFFF < _UNFAIR4 or found >= last:
                    continue
                if found >= first:
                    end = single_lane(x, y, pools, numbers, tape, taped, found)
                    counts[end] += 1
                    if found < tape.shape[0]:
                        tape[found, tape.shape[1] - 1] = TAPE_END | end
                found += 1


@kernel
def single_ends(numbers, step, spent, ends):
    """Write the state that each place in the counts of :func:`count_single` ends in.

    Parameters
    ----------
    numbers : int64[24]
        As for :func:`tcsim.kernels.fight.count_trials`.
    step : int64[18]
        The one row of the problem.
    spent : int64[2]
        Blood markers spent on a plain and on a critical hit.
    ends : int64[SINGLE_ENDS]
        Codes of states, packed as a lane's.
    """
    down, tough = numbers[START_DOWN], numbers[START_TOUGH]
    held = 1 if numbers[START_BLESSING] > 0 else 0
    ends[0] = numbers[START_BLOOD] | (down << 3) | (tough << 4) | (held << 5)
    for critical in range(2):
        for result in range(4):  # no effect, Minor Hit, Down, out of action
            is_down, is_tough, markers = down, tough, step[MARKERS]
            minor, fell = result == 1, result >= 2
            if result == 3 and tough == 0:
                ends[1 + 4 * critical + result] = i64(IS_OUT)
                continue
            if result == 3:
                is_tough = 0
            if fell and numbers[MINOR_FOR_DOWN] == 1 and (result == 2 or numbers[MINOR_AFTER_TOUGH] == 1):
                minor, fell = True, False
            if minor:
                markers += numbers[MINOR_HIT_MARKERS]
            if fell:
                markers += numbers[DOWN_AGAIN_MARKERS] if down == 1 else numbers[DOWN_MARKERS]
                is_down = 1
            blood = min(numbers[START_BLOOD] - spent[critical] + markers, numbers[MARKER_LIMIT])
            holds = held if numbers[SPEND_BLESSING] == 0 else 0
            ends[1 + 4 * critical + result] = blood | (is_down << 3) | (is_tough << 4) | (holds << 5)
