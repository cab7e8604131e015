"""Trials of special problems: what few attacks do and few targets are, one trial after the other.

Plain problems are played on many lanes side by side (:mod:`tcsim.kernels.fight`). This kernel plays whatever a problem
can say, by the rules in their order, with a word of 32 bits for each die: slower, and compiled only when it is needed.
"""

from __future__ import annotations

import numpy as np

from tcsim.kernels._compile import kernel, leaf
from tcsim.kernels.layout import (
    ACTION_POOL,
    BLOCK,
    FLAT_POOL,
    INJURY_POOL,
    MAX_SHOTS,
    SPENT_BITS_SPECIAL,
    TAPE_END,
    TAPE_ROW,
)
from tcsim.kernels.pools import row_of
from tcsim.kernels.stream import philox
from tcsim.kernels.tape import record, record_begin

u64, i64 = np.uint64, np.int64

# numbers of a step; those by case stand at ``first + 2 * down + critical``
(KIND, SHOTS, AUTO_HIT, RISKY, FIRST_SHOT_DICE, KEEP, MARKERS) = range(7)
ACTION_DICE = 7  # by Down
INJURY_DICE, INJURY_MODIFIER = 9, 13  # by Down and critical
FEW = 17  # the fields of ``tcsim.scenario.problem.Special``, in their order
(
    CRITICAL_LOWER,
    CRITICAL_LOWER_PER_MARKER,
    MODIFIER_PER_MARKER,
    SIXES,
    RESULT,
    MARKER_FACTOR,
    INFECTS,
    INFECTION,
    INFECTION_IF_MARKED,
    BLOODBATH_CHEAPER,
    DOWN_FOR_MINOR,
    BEGINS,
    AFTER_HITS,
    OUT_AFTER_HITS,
    IF_DOWN,
    REROLLS,
) = range(FEW, FEW + 16)
STEP_NUMBERS = FEW + 16

# numbers of a problem: its charts and rulings in their order, then
CHARTS, RULINGS, OTHERS = 0, 11, 16
(MINOR_FOR_DOWN, SPENDS_BLESSING, DICE_CHOICES, GOLEM, FIRST_OUT, UNMARKED, REGENERATES) = range(OTHERS, OTHERS + 7)
PROBLEM_NUMBERS = OTHERS + 7
(SUCCESS, CRITICAL, MINOR_AT, DOWN_AT, OUT_AT, LIMIT, FOR_MINOR, FOR_DOWN, FOR_AGAIN, BATH, BATH_DOWN) = range(
    CHARTS, 11
)
(ABSORBS_VOLLEY, SECOND_AS_FIRST, ADDS_FLAT, _LEFTOVERS, MINOR_AFTER_TOUGH) = range(RULINGS, 16)

# a target: the fields of ``tcsim.engines.chain.States``, in their order
(ENDED, TOUGH, BLESSING, IS_DOWN, BLOOD, INFECTED, SPARED, WARDED, STREAK, PLACED, INFECTING, FALLEN) = range(12)
FIELDS = 12
#: The field that only the hits of an action need, and none that is over.
_LAST_FIELD = WARDED

ATTACK, STAND, ACTIVATION, ACTIVATED = range(4)
NO_EFFECT, MINOR, DOWN, OUT = range(4)
ROLLED = -1
LONGEST_STREAK = 3

#: Of so many words of 32 bits each die has the same number; the few others are passed over.
_UNFAIR = 2**32 % 6


@leaf
def roll(key, trial, row, count, lowest, again, faces, tape, taped):
    """Roll dice, and count their faces; ``lowest`` are kept, as the tape is told; ``again``: a second time."""
    low, block = u64(trial % BLOCK), trial // BLOCK
    call, used = i64(0), i64(4)
    words = (u64(0), u64(0), u64(0), u64(0))
    rolled = i64(0)
    while rolled < count:
        if used == 4:
            c0 = low | (u64(call) << u64(16))
            words = philox(
                c0,
                u64(row) | (u64(again) << u64(31)),
                u64(block) & u64(0xFFFFFFFF),
                u64(block) >> u64(32),
                key[0],
                key[1],
            )
            call, used = call + 1, i64(0)
        word = words[0] if used == 0 else words[1] if used == 1 else words[2] if used == 2 else words[3]
        used += 1
        product = word * u64(6)
        if (product & u64(0xFFFFFFFF)) < u64(_UNFAIR):
            continue
        face = i64(product >> u64(32))
        faces[face] += 1
        rolled += 1
        if tape is not None:
            record(tape, taped, trial, (row << TAPE_ROW) | (5 - face if lowest else face))


@leaf
def kept_sum(faces, keep, lowest):
    """Sum the highest dice, or the lowest; takes the faces away."""
    total, left = i64(0), keep
    for place in range(6):
        face = place if lowest else 5 - place
        taken = min(left, faces[face])
        total += taken * (face + 1)
        left -= taken
    faces[:] = 0
    return total


@leaf
def pool(key, trial, row, net, keep, sixes, spent, faces, tape, taped):
    """Roll a pool and sum what it keeps; ``sixes`` of its dice are a 6 and not rolled."""
    lowest = net < 0
    if tape is not None:
        record_begin(tape, taped, trial, row, spent, i64(lowest))
        for _ in range(sixes):
            record(tape, taped, trial, (row << TAPE_ROW) | (0 if lowest else 5))
    faces[5] += sixes
    roll(key, trial, row, keep + abs(net) - sixes, lowest, i64(0), faces, tape, taped)
    return kept_sum(faces, keep, lowest)


@leaf
def code_of(state, sizes, last):
    """Give a state as one number; fields that are the same for all have size 1.

    TOUGH that absorbs a volley counts as unused until its end.
    """
    code = i64(0)
    for field in range(TOUGH, last + 1):
        if sizes[field] > 1:
            code = code * sizes[field] + min(state[field], sizes[field] - 1)
    return code


@leaf
def act(key, trial, move, shot, state, step, numbers, faces, tape, taped):
    """One action roll: 0 failure, 1 success, 2 critical; 4 more where it ends the activation."""
    if step[AUTO_HIT] == 1:
        return i64(1)
    net = step[ACTION_DICE + state[IS_DOWN]] + (step[FIRST_SHOT_DICE] if shot == 0 else 0)
    row = row_of(move, ACTION_POOL, shot)
    total = pool(key, trial, row, net, i64(2), i64(0), i64(0), faces, tape, taped)
    ends = i64(0)
    if step[REROLLS] > 0 and total < numbers[SUCCESS]:
        if tape is not None:
            record_begin(tape, taped, trial, row, i64(0), i64(net < 0))
        roll(key, trial, row, 2 + abs(net), net < 0, i64(1), faces, tape, taped)
        ends = i64(4) if faces[0] > 0 else i64(0)
        total = kept_sum(faces, i64(2), net < 0)
        if ends > 0 and step[REROLLS] == 2:
            return ends
    markers = state[BLOOD] + state[INFECTED]
    lowest = numbers[CRITICAL] - step[CRITICAL_LOWER] - step[CRITICAL_LOWER_PER_MARKER] * markers
    return ends + i64(total >= numbers[SUCCESS]) + i64(total >= max(lowest, numbers[SUCCESS]))


@leaf
def injure(key, trial, move, shot, critical, choice, state, step, numbers, faces, tape, taped):
    """Spend, roll, and read the injury chart: gives the result, and 4 more where it was a Bloodbath."""
    if step[OUT_AFTER_HITS] > 0 and state[STREAK] >= step[OUT_AFTER_HITS]:
        return i64(OUT)
    if step[RESULT] != ROLLED:
        return step[RESULT]
    down, markers = state[IS_DOWN], state[BLOOD] + state[INFECTED]
    bought, bath = choice % numbers[DICE_CHOICES], choice // numbers[DICE_CHOICES]
    price = bought + bath * max(numbers[BATH + down] - step[BLOODBATH_CHEAPER], 1)
    from_blood = min(price, state[BLOOD])
    state[BLOOD] -= from_blood
    state[INFECTED] -= price - from_blood
    blessing = state[BLESSING] * numbers[SPENDS_BLESSING]
    state[BLESSING] -= blessing
    net = step[INJURY_DICE + 2 * down + critical] + bought - blessing
    flat = bath * numbers[ADDS_FLAT]
    row, spent = row_of(move, INJURY_POOL, shot), bought | (bath << SPENT_BITS_SPECIAL)
    total = pool(key, trial, row, net, step[KEEP] + bath - flat, step[SIXES], spent, faces, tape, taped)
    if flat == 1:
        total += pool(key, trial, row_of(move, FLAT_POOL, shot), i64(0), i64(1), i64(0), i64(0), faces, tape, taped)
    total += step[INJURY_MODIFIER + 2 * down + critical] + step[MODIFIER_PER_MARKER] * markers
    result = i64(total >= numbers[MINOR_AT]) + i64(total >= numbers[DOWN_AT]) + i64(total >= numbers[OUT_AT])
    return result + 4 * bath


@leaf
def take(result, bath, state, step, numbers):
    """Let a result be softened, and mark what it does for the end of the volley; gives whether the target is out."""
    by_tough = False
    if result == OUT:
        if numbers[GOLEM] == 1 and bath == 0:
            result = i64(DOWN)
        elif state[SPARED] == 1:
            state[SPARED], result = 0, numbers[FIRST_OUT]
        elif state[TOUGH] > 0:
            state[TOUGH], result, by_tough = 2 * numbers[ABSORBS_VOLLEY], i64(DOWN), True
        else:
            return True
    if result == DOWN and numbers[MINOR_FOR_DOWN] == 1 and (not by_tough or numbers[MINOR_AFTER_TOUGH] == 1):
        result = i64(MINOR)
    if result == MINOR and step[DOWN_FOR_MINOR] == 1:
        result = i64(DOWN)
    gain = i64(0)
    if result == MINOR:
        gain = numbers[FOR_MINOR]
    elif result == DOWN:
        again = state[IS_DOWN] == 1 or (state[FALLEN] == 1 and numbers[SECOND_AS_FIRST] == 0)
        gain = numbers[FOR_AGAIN] if again else numbers[FOR_DOWN]
        state[FALLEN] = 1
    gain = gain * step[MARKER_FACTOR] + step[MARKERS]
    blood = i64(0) if step[INFECTS] == 1 else gain
    place(blood, gain - blood + step[INFECTION], step[INFECTION_IF_MARKED], state, numbers)
    return False


@leaf
def place(blood, infection, if_marked, state, numbers):
    """Place markers, unless the target bears none, or ignores its first one."""
    if numbers[UNMARKED] == 1:
        return
    if state[WARDED] == 1 and blood + infection > 0:
        state[WARDED] = 0
        if blood > 0:
            blood -= 1
        else:
            infection -= 1
    if blood + infection > 0:
        infection += if_marked
    state[PLACED] = min(state[PLACED] + blood, numbers[LIMIT])
    state[INFECTING] = min(state[INFECTING] + infection, numbers[LIMIT])


@leaf
def volley(key, trial, move, state, step, numbers, sizes, choices, hits, faces, tape, taped):
    """All attacks of a volley: first they are rolled to hit, then each hit injures; gives whether the target is out."""
    if step[BEGINS] == 1:
        state[STREAK] = 0
    if state[STREAK] < step[AFTER_HITS] or state[IS_DOWN] < step[IF_DOWN]:
        return False
    for shot in range(step[SHOTS]):
        hits[shot] = act(key, trial, move, shot, state, step, numbers, faces, tape, taped)
        if hits[shot] >= 4:
            state[ENDED], hits[shot] = 1, hits[shot] - 4
    for shot in range(step[SHOTS]):
        if hits[shot] == 0:
            state[STREAK] = 0
            state[ENDED] = max(state[ENDED], step[RISKY])
            continue
        critical = hits[shot] - 1
        choice = i64(choices[code_of(state, sizes, STREAK), critical])
        found = injure(key, trial, move, shot, critical, choice, state, step, numbers, faces, tape, taped)
        state[STREAK] = min(state[STREAK] + 1, LONGEST_STREAK)
        if take(found % 4, found // 4, state, step, numbers):
            return True
    state[TOUGH] %= 2
    state[IS_DOWN] |= state[FALLEN]
    state[BLOOD] = min(state[BLOOD] + state[PLACED], numbers[LIMIT])
    state[INFECTED] = min(state[INFECTED] + state[INFECTING], numbers[LIMIT])
    state[PLACED] = state[INFECTING] = state[FALLEN] = 0
    return False


@kernel
def count_special(
    key, start, stop, begin, numbers, steps, sequence, tables, choices, sizes, counts, tape, taped
):  # fmt: skip
    """Play trials ``start`` .. ``stop - 1`` and count how they end.

    Parameters
    ----------
    key : uint64[2]
        Two words of 32 bits.
    start, stop : int
        The trials.
    begin : int64[FIELDS]
        The target at the start.
    numbers : int64[PROBLEM_NUMBERS]
        Charts, rulings and nature.
    steps : int64[steps, STEP_NUMBERS]
        The steps.
    sequence, tables : int64[moves]
        The step of each move, and its table of choices.
    choices : int8[tables, states, 2]
        What is spent on a plain and on a critical hit, by state (:func:`code_of`).
    sizes : int64[FIELDS]
        How many values each field of a state can have.
    counts : int64[1 + states]
        Grows by the ends: first out of action, then by state, hits in a row left out.
    tape, taped
        As for :func:`tcsim.kernels.fight.count_trials`; the last entry is the place in ``counts``.
    """
    state, hits, faces = np.zeros(FIELDS, np.int64), np.zeros(MAX_SHOTS, np.int64), np.zeros(6, np.int64)
    for trial in range(start, stop):
        state[:] = begin
        end = i64(-1)
        for move in range(sequence.size):
            step = steps[sequence[move]]
            if step[KIND] == ACTIVATION:
                state[ENDED] = 0
            elif state[ENDED] == 1:
                continue
            elif step[KIND] == STAND:
                state[IS_DOWN] = 0
            elif step[KIND] == ACTIVATED:
                if state[INFECTED] > 0:
                    state[INFECTED] = min(state[INFECTED] + 1, numbers[LIMIT])
                state[BLOOD] = max(state[BLOOD] - numbers[REGENERATES], 0)
            elif volley(key, trial, move, state, step, numbers, sizes, choices[tables[move]], hits, faces, tape, taped):
                end = i64(0)
                break
        if end < 0:
            end = 1 + code_of(state, sizes, i64(_LAST_FIELD))
        counts[end] += 1
        if tape is not None and trial < tape.shape[0]:
            tape[trial, tape.shape[1] - 1] = TAPE_END | end
