"""The dice-rolling kernel: plays every trial of a problem as it is played at the table, die by die.

Random numbers: Philox4x32-10 (J. K. Salmon et al., SC11, 2011). A trial's dice depend only on the key, the block and
the trial's place in it, so counts are the same for any number of threads and any order of blocks. A word of 32 bits
becomes ten dice; a word that would favour some dice is thrown away before it is used, so every die is exactly fair.
"""

from __future__ import annotations

import numpy as np

from tcsim.kernels._compile import kernel, leaf

#: Raised whenever the same seed gives other dice; part of every key and every result.
STREAM_VERSION = 1

#: Trials of one block; part of the stream.
BLOCK = 65_536

# columns of a step, as in scenario.problem.Step
KIND, VOLLEYS, SHOTS, AUTO_HIT, RISKY, ACTION_KEEP, ACTION_DICE, _, FIRST_SHOT_DICE = range(9)
INJURY_KEEP, INJURY_DICE, INJURY_MODIFIER, MARKERS = 9, 10, 14, 18
ATTACK, STAND, ACTIVATION = 0, 1, 2

# numbers of a problem beside its steps, in the order of engines.monte_carlo.numbers_of
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
) = range(22)

# places in a stream: key, counter, the words of the last call, and the dice left of the last word
_K0, _K1, _DRAW, _TRIAL, _BLOCK_LOW, _BLOCK_HIGH, _W0, _W3, _NEXT, _DICE, _LEFT = 0, 1, 2, 3, 4, 5, 6, 9, 10, 11, 12
STREAM_WORDS = 13

_TEN_DICE = 6**10
_UNFAIR = 2**32 % _TEN_DICE
_MASK = 0xFFFFFFFF


@leaf
def philox(counter0, counter1, counter2, counter3, key0, key1):
    """Ten rounds of Philox4x32; all arguments and results are 32-bit words in uint64."""
    c0, c1, c2, c3 = np.uint64(counter0), np.uint64(counter1), np.uint64(counter2), np.uint64(counter3)
    k0, k1 = np.uint64(key0), np.uint64(key1)
    mask, half = np.uint64(0xFFFFFFFF), np.uint64(32)
    for _ in range(10):
        p0 = np.uint64(0xD2511F53) * c0
        p1 = np.uint64(0xCD9E8D57) * c2
        c0, c1, c2, c3 = (p1 >> half) ^ c1 ^ k0, p1 & mask, (p0 >> half) ^ c3 ^ k1, p0 & mask
        k0 = (k0 + np.uint64(0x9E3779B9)) & mask
        k1 = (k1 + np.uint64(0xBB67AE85)) & mask
    return c0, c1, c2, c3


@leaf
def start_stream(stream, trial):
    """Go to the first die of a trial of the stream's block."""
    stream[_TRIAL] = trial
    stream[_DRAW] = 0
    stream[_NEXT] = 4
    stream[_LEFT] = 0


@leaf
def roll_die(stream):
    """One fair die, 1 to 6."""
    if stream[_LEFT] == 0:
        while True:
            if stream[_NEXT] == 4:
                w0, w1, w2, w3 = philox(
                    stream[_DRAW], stream[_TRIAL], stream[_BLOCK_LOW], stream[_BLOCK_HIGH], stream[_K0], stream[_K1]
                )
                stream[_W0], stream[_W0 + 1], stream[_W0 + 2], stream[_W3] = w0, w1, w2, w3
                stream[_DRAW] += np.uint64(1)
                stream[_NEXT] = 0
            product = stream[_W0 + stream[_NEXT]] * np.uint64(_TEN_DICE)
            stream[_NEXT] += np.uint64(1)
            if product & np.uint64(_MASK) >= np.uint64(_UNFAIR):
                stream[_DICE] = product >> np.uint64(32)
                stream[_LEFT] = 10
                break
    dice = stream[_DICE]
    stream[_DICE] = dice // np.uint64(6)
    stream[_LEFT] -= np.uint64(1)
    return np.int64(dice % np.uint64(6)) + 1


@leaf
def roll_pool(stream, keep, net, kept):
    """Roll keep + |net| dice and sum the kept ones: the highest for net > 0, the lowest for net < 0."""
    if keep == 2:
        high, low = 0, 0
        for _ in range(2 + abs(net)):
            die = roll_die(stream)
            if net < 0:
                die = 7 - die
            low = max(low, min(high, die))
            high = max(high, die)
        return high + low if net >= 0 else 14 - high - low
    for i in range(keep):
        kept[i] = 0
    for _ in range(keep + abs(net)):
        die = roll_die(stream)
        if net < 0:
            die = 7 - die  # turned over, the lowest are the highest
        for i in range(keep):  # kept is sorted, highest first
            if die > kept[i]:
                die, kept[i] = kept[i], die
    total = 0
    for i in range(keep):
        total += kept[i]
    return total if net >= 0 else 7 * keep - total


@leaf
def state_code(down, blood, blessing, tough):
    """Number a final state, 1 to 196; 0 is out of action."""
    return 1 + ((tough * 2 + down) * 7 + blood) * 7 + blessing


@kernel
def count_trials(key, block, first, last, numbers, steps, sequence, choice_row, choices, counts):
    """Play trials ``first`` .. ``last - 1`` of a block and count their final states.

    Parameters
    ----------
    key : uint64[2]
        Two words of 32 bits.
    block : int
        Number of the block.
    first, last : int
        Trials of the block, 0 to ``BLOCK``.
    numbers : int64[22]
        Charts, rulings, start and policy of the problem.
    steps : int64[steps, 19]
        The rows of the problem.
    sequence, choice_row : int64[moves]
        The step of each move, and the row of ``choices`` that holds for it.
    choices : int8[rows, tough, down, blood, blessing, critical]
        What is spent on a hit: dice, plus 7 for a Bloodbath.
    counts : int64[197]
        Grows by the trials' final states.
    """
    stream = np.zeros(STREAM_WORDS, dtype=np.uint64)
    stream[_K0], stream[_K1] = key[0], key[1]
    stream[_BLOCK_LOW] = np.uint64(block) & np.uint64(_MASK)
    stream[_BLOCK_HIGH] = np.uint64(block) >> np.uint64(32)
    kept = np.zeros(8, dtype=np.int64)
    for trial in range(first, last):
        start_stream(stream, np.uint64(trial))
        down, blood = numbers[START_DOWN], numbers[START_BLOOD]
        blessing, tough = numbers[START_BLESSING], numbers[START_TOUGH]
        ended, out = False, False
        for move in range(sequence.size):
            row = sequence[move]
            kind = steps[row, KIND]
            if kind == ACTIVATION:
                ended = False
                continue
            if ended:
                continue
            if kind == STAND:
                down = 0
                continue
            # every shot of the volley is rolled to hit before any injury roll
            hits, criticals = 0, 0
            for shot in range(steps[row, SHOTS]):
                if steps[row, AUTO_HIT] == 1:
                    hits |= 1 << shot
                    continue
                net = steps[row, ACTION_DICE + down]
                if shot == 0:
                    net += steps[row, FIRST_SHOT_DICE]
                total = roll_pool(stream, steps[row, ACTION_KEEP], net, kept)
                if total >= numbers[SUCCESS]:
                    hits |= 1 << shot
                    if total >= numbers[CRITICAL]:
                        criticals |= 1 << shot
                elif steps[row, RISKY] == 1:
                    ended = True
            placed, fallen, absorbing = 0, 0, False
            for shot in range(steps[row, SHOTS]):
                if (hits >> shot) & 1 == 0:
                    continue
                critical = (criticals >> shot) & 1
                choice = np.int64(choices[choice_row[move], tough, down, blood, blessing, critical])
                bloodbath = choice // 7
                dice = choice % 7
                blood -= dice + bloodbath * numbers[BLOODBATH_COST + down]
                if numbers[SPEND_BLESSING] == 1:
                    dice -= blessing
                    blessing = 0
                case = 2 * down + critical
                keep = steps[row, INJURY_KEEP]
                if bloodbath == 1 and numbers[FLAT_BLOODBATH] == 0:
                    keep += 1
                total = roll_pool(stream, keep, steps[row, INJURY_DICE + case] + dice, kept)
                if bloodbath == 1 and numbers[FLAT_BLOODBATH] == 1:
                    total += roll_die(stream)
                total += steps[row, INJURY_MODIFIER + case]
                markers = steps[row, MARKERS]
                if total >= numbers[DOWN]:
                    minor = numbers[MINOR_FOR_DOWN] == 1
                    if total >= numbers[OUT]:
                        if tough == 0 and not absorbing:
                            out = True
                            break
                        tough = 0
                        absorbing = numbers[TOUGH_ABSORBS_VOLLEY] == 1
                        minor = minor and numbers[MINOR_AFTER_TOUGH] == 1
                    if minor:
                        markers += numbers[MINOR_HIT_MARKERS]
                    else:
                        if down == 1 or (fallen == 1 and numbers[SECOND_DOWN_AS_FIRST] == 0):
                            markers += numbers[DOWN_AGAIN_MARKERS]
                        else:
                            markers += numbers[DOWN_MARKERS]
                        fallen = 1
                elif total >= numbers[MINOR_HIT]:
                    markers += numbers[MINOR_HIT_MARKERS]
                placed += markers
            if out:
                break
            blood = min(blood + placed, numbers[MARKER_LIMIT])
            if fallen == 1:
                down = 1
        counts[0 if out else state_code(down, blood, blessing, tough)] += 1


@kernel
def roll_pools(key, block, rolls, keep, net, out):
    """Roll a pool ``rolls`` times and write the totals: for tests of the dice themselves."""
    stream = np.zeros(STREAM_WORDS, dtype=np.uint64)
    stream[_K0], stream[_K1] = key[0], key[1]
    stream[_BLOCK_LOW] = np.uint64(block)
    kept = np.zeros(8, dtype=np.int64)
    for trial in range(rolls):
        start_stream(stream, np.uint64(trial))
        out[trial] = roll_pool(stream, keep, net, kept)


@kernel
def philox_words(counter, key, out):
    """Write the four words of one Philox call: for the published known-answer vectors."""
    w0, w1, w2, w3 = philox(counter[0], counter[1], counter[2], counter[3], key[0], key[1])
    out[0], out[1], out[2], out[3] = w0, w1, w2, w3
