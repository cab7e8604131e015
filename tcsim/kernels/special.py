"""Trials of special problems: what few attacks do and few targets are, one trial after the other.

Plain problems are played on many lanes side by side (:mod:`tcsim.kernels.fight`). This kernel plays whatever a problem
can say, by the rules in their order: slower, and compiled only when it is needed. Its counter holds block, trial, move
and shot, so counts depend on no thread, and problems that share dice share them attack by attack.
"""

from __future__ import annotations

import numpy as np

from tcsim.kernels._compile import kernel, leaf, part
from tcsim.kernels.layout import (
    ACTION_POOL,
    BLOCK,
    FLAT_POOL,
    INJURY_POOL,
    MAX_SHOTS,
    POOL_ROWS,
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
    BLOODBATH_CHEAPER_STANDING,
    STRIKES,
    IF_STRUCK,
    UNLESS_STRUCK,
    REACTION_TAKES,
    REACTION_DICE,
    REACTION_DICE_DOWN,
    KEEPS_DOWN,
    IF_SPARED,
) = range(FEW, FEW + 25)
GATE_KEEP, GATE_NET, GATE_TOTAL = range(FEW + 25, FEW + 28)  # the fields of ``tcsim.scenario.problem.Gate``
STEP_NUMBERS = FEW + 28

# numbers of a problem: its charts and rulings in their order, then
CHARTS, RULINGS, OTHERS = 0, 11, 16
(
    MINOR_FOR_DOWN,
    SPENDS_BLESSING,
    SPENDS,
    GOLEM,
    FIRST_OUT,
    UNMARKED,
    REGENERATES,
    FIRST_DOWN,
    UNHURT_MINOR,
    TOUGH_UNHARMED,
    SPARED_MINOR,
    SPARED_SHEDS,
    LAST_STAND,
    NO_DICE,
) = range(OTHERS, OTHERS + 14)
PROBLEM_NUMBERS = OTHERS + 14
(SUCCESS, CRITICAL, MINOR_AT, DOWN_AT, OUT_AT, LIMIT, FOR_MINOR, FOR_DOWN, FOR_AGAIN, BATH, BATH_DOWN) = range(
    CHARTS, 11
)
(ABSORBS_VOLLEY, SECOND_AS_FIRST, ADDS_FLAT, _LEFTOVERS, MINOR_AFTER_TOUGH) = range(RULINGS, 16)

# a target: the fields of ``tcsim.engines.chain.States``, in their order
(
    ENDED,
    TOUGH,
    BLESSING,
    IS_DOWN,
    BLOOD,
    INFECTED,
    SPARED,
    WARDED,
    FIRM,
    STREAK,
    STRUCK,
    PLACED,
    INFECTING,
    FALLEN,
    SEEN,
) = range(15)
OWN_BLOOD, OWN_BLESSING = 15, 16  # the attacker's markers, where players choose when to spend them
ABSORBED = 17  # TOUGH was used up in this volley, and holds for all of it
FIELDS = 18
#: The last field of a target between two attacks, and of one that is out of the fight.
_LAST_BETWEEN, _LAST_FIELD = STRUCK, FIRM

ATTACK, STAND, ACTIVATION, ACTIVATED, GATE = range(5)
NO_EFFECT, MINOR, DOWN, OUT = range(4)
ROLLED = -1
LONGEST_STREAK = 3

#: What is counted after each move, where it is asked for.
MOMENTS = 3
WAS_DOWN, WENT_OUT, HAD_ENDED = range(MOMENTS)
# where a volley's table of deals stands: its first place, its numbers of ends and of first hits (0: both players
# choose, and what is spent is told by the sequence of hits), and how many states there are whose activation goes on
SHARE_AT, SHARE_ENDS, SHARE_FIRSTS, SHARE_GOING = range(4)
SHARE_NUMBERS = 4

#: A choice: dice bought, and this for a Bloodbath.
WITH_BATH = 1 << SPENT_BITS_SPECIAL

#: ``SPENDS``: nothing is looked up, a choice by plain or critical hit is, or beside it in the columns from these on the
#: target's blessings by plain or critical hit, or also the attacker's blood and blessings on the action roll.
NEVER, CHOICE, GUARDED, GAME = range(4)
GUARD, ON_ACTION = 2, 4
COLUMNS = 6
#: Markers spent on an action roll as one number: this times the blood, and the blessings.
BLOOD_PLACE = 8

# where the words of a trial come from: the key of the stream, the block, and the trial in it
SOURCE = 5
#: Set in the trial's number, so that no lane of a plain problem with the same key ever has the same words.
_ONE_BY_ONE = 1 << 31

#: Every attack has a call of its own, in the row of its action roll; of its four words, each pool begins with one.
ACTION_WORD, INJURY_WORD, FLAT_WORD, AGAIN_WORD = range(4)

#: Dice from a word of 32 bits, the ways they fall, and how many words would favour some of them and are passed over.
WORD_DICE = 6
WAYS: int = 6**WORD_DICE
UNFAIR = 2**32 % WAYS
_LOW = 0xFFFFFFFF


@leaf
def call(source, row, words):
    """Give the four words of a row of a trial."""
    c0, c1 = source[4], u64(row)
    words[0], words[1], words[2], words[3] = philox(c0, c1, source[2], source[3], source[0], source[1])


@leaf
def roll(source, word, row, count, lowest, spare, tape, taped):
    """Roll dice, and count their faces, 8 bits each; ``lowest`` are kept, as the tape is told.

    The first dice come from the word, others from the calls of the rows behind.
    """
    faces, left, used = u64(0), count, i64(0)
    while left > 0:
        if ((word * u64(WAYS)) & u64(_LOW)) >= u64(UNFAIR):
            for _ in range(min(left, WORD_DICE)):
                word = word * u64(6)
                face = word >> u64(32)
                word &= u64(_LOW)
                faces += u64(1) << (face << u64(3))
                if tape is not None:
                    trial, die = i64(source[4] ^ u64(_ONE_BY_ONE)), i64(face)
                    record(tape, taped, trial, (row << TAPE_ROW) | (5 - die if lowest else die))
            left -= WORD_DICE
        if left > 0:
            if used % 4 == 0:
                call(source, row + 1 + used // 4, spare)
            word = spare[used % 4]
            used += 1
    return faces


@leaf
def kept_sum(faces, keep, lowest):
    """Sum the highest dice, or the lowest."""
    total, left = i64(0), keep
    for place in range(6):
        face = place if lowest else 5 - place
        taken = min(left, i64((faces >> u64(8 * face)) & u64(255)))
        total += taken * (face + 1)
        left -= taken
    return total


@leaf
def pool(source, word, row, net, keep, sixes, spent, spare, tape, taped):
    """Roll a pool and give its faces; ``sixes`` of its dice are a 6 and not rolled."""
    lowest = net < 0
    if tape is not None:
        trial = i64(source[4] ^ u64(_ONE_BY_ONE))
        record_begin(tape, taped, trial, row, spent, i64(lowest))
        for _ in range(sixes):
            record(tape, taped, trial, (row << TAPE_ROW) | (0 if lowest else 5))
    faces = roll(source, word, row, keep + abs(net) - sixes, lowest, spare, tape, taped)
    return faces + (u64(sixes) << u64(40))


@leaf
def code_of(state, sizes, last):
    """Give a state as one number; fields that are the same for all have size 1."""
    code = i64(0)
    for field in range(TOUGH, last + 1):
        if sizes[field] > 1:
            code = code * sizes[field] + state[field]
    return code


@leaf
def place_of(state, sizes):
    """Give the place of a state in a table of choices: the target's state, and the attacker's own markers."""
    own = state[OWN_BLOOD] * sizes[OWN_BLESSING] + state[OWN_BLESSING]
    return code_of(state, sizes, i64(_LAST_BETWEEN)) * (sizes[OWN_BLOOD] * sizes[OWN_BLESSING]) + own


@part
def react(source, move, shot, state, step, numbers, spare, tape, taped):
    """The target's own action roll before an attack's: 0 failure, 1 success, 2 critical. Its rows are its own."""
    row = row_of(move, FLAT_POOL, shot) + POOL_ROWS // 2
    net = step[REACTION_DICE + state[IS_DOWN]]
    call(source, row, spare)
    faces = pool(source, spare[ACTION_WORD], row, net, i64(2), i64(0), i64(0), spare, tape, taped)
    total = kept_sum(faces, i64(2), net < 0)
    return i64(total >= numbers[SUCCESS]) + i64(total >= numbers[CRITICAL])


@part
def act(source, move, shot, dice, state, step, numbers, words, spare, tape, taped):
    """One action roll, with DICE from markers: 0 failure, 1 success, 2 critical; 4 more if it ends the activation."""
    row = row_of(move, ACTION_POOL, shot)
    call(source, row, words)
    if step[AUTO_HIT] == 1:
        return i64(1)
    net = step[ACTION_DICE + state[IS_DOWN]] + dice + (step[FIRST_SHOT_DICE] if shot == 0 else 0)
    if step[REACTION_TAKES] > 0:
        reaction = react(source, move, shot, state, step, numbers, spare, tape, taped)
        if reaction == 2:
            return i64(0)
        net -= reaction * step[REACTION_TAKES]
    faces = pool(source, words[ACTION_WORD], row, net, i64(2), i64(0), i64(0), spare, tape, taped)
    total, ends = kept_sum(faces, i64(2), net < 0), i64(0)
    if step[REROLLS] > 0 and total < numbers[SUCCESS]:
        row += POOL_ROWS // 2
        faces = pool(source, words[AGAIN_WORD], row, net, i64(2), i64(0), i64(0), spare, tape, taped)
        ends = i64(4) if faces & u64(255) > u64(0) else i64(0)
        total = kept_sum(faces, i64(2), net < 0)
        if ends > 0 and step[REROLLS] == 2:
            return ends
    markers = state[BLOOD] + state[INFECTED]
    lowest = numbers[CRITICAL] - step[CRITICAL_LOWER] - step[CRITICAL_LOWER_PER_MARKER] * markers
    return ends + i64(total >= numbers[SUCCESS]) + i64(total >= max(lowest, numbers[SUCCESS]))


@part
def injure(source, move, shot, critical, choice, blessing, state, step, numbers, words, spare, tape, taped):
    """Spend, roll, and read the injury chart: gives the result, and 4 more where it was a Bloodbath."""
    if step[OUT_AFTER_HITS] > 0 and state[STREAK] >= step[OUT_AFTER_HITS]:
        return i64(OUT)
    if step[RESULT] != ROLLED:
        return step[RESULT]
    down, markers = state[IS_DOWN], state[BLOOD] + state[INFECTED]
    bought, bath = choice & (WITH_BATH - 1), choice >> SPENT_BITS_SPECIAL
    cheaper = step[BLOODBATH_CHEAPER] + step[BLOODBATH_CHEAPER_STANDING] * (1 - down)
    price = bought + bath * max(numbers[BATH + down] - cheaper, 1)
    from_blood = min(price, state[BLOOD])
    state[BLOOD] -= from_blood
    state[INFECTED] -= price - from_blood
    state[BLESSING] -= blessing
    net = step[INJURY_DICE + 2 * down + critical] + bought - blessing
    flat = bath * numbers[ADDS_FLAT]
    row, keep = row_of(move, INJURY_POOL, shot), step[KEEP] + bath - flat
    faces = pool(source, words[INJURY_WORD], row, net, keep, step[SIXES], choice, spare, tape, taped)
    total = kept_sum(faces, keep, net < 0)
    if flat == 1:
        row = row_of(move, FLAT_POOL, shot)
        faces = pool(source, words[FLAT_WORD], row, i64(0), i64(1), i64(0), i64(0), spare, tape, taped)
        total += kept_sum(faces, i64(1), False)
    total += step[INJURY_MODIFIER + 2 * down + critical] + step[MODIFIER_PER_MARKER] * markers
    result = i64(total >= numbers[MINOR_AT]) + i64(total >= numbers[DOWN_AT]) + i64(total >= numbers[OUT_AT])
    return result + 4 * bath


@leaf
def is_soft(state, step, numbers):
    """Whether Down is a Minor Hit for the target as it is."""
    always = numbers[MINOR_FOR_DOWN] == 1 and step[KEEPS_DOWN] == 0
    spared = numbers[SPARED_MINOR] == 1 and state[SPARED] > 0
    return always or spared or (numbers[UNHURT_MINOR] == 1 and state[BLOOD] == 0)


@leaf
def is_made(state, step):
    """Whether an attack is made, after what was hit before and as the target is."""
    if state[STREAK] < step[AFTER_HITS] or state[IS_DOWN] < step[IF_DOWN]:
        return False
    if step[IF_STRUCK] > 0 and (state[STRUCK] & step[IF_STRUCK]) == 0:
        return False
    return (state[STRUCK] & step[UNLESS_STRUCK]) == 0 and step[IF_SPARED] != (2 if state[SPARED] > 0 else 1)


@part
def take(result, bath, state, step, numbers):
    """Let a result be softened, and mark what it does for the end of the volley; gives whether the target is out."""
    by_tough = False
    if result == OUT:
        if numbers[GOLEM] == 1 and bath == 0:
            result = i64(DOWN)
        elif state[SPARED] > 0:
            state[SPARED] -= 1
            result = numbers[FIRST_OUT]
            if numbers[SPARED_SHEDS] == 1:
                state[BLOOD] = state[PLACED] = 0
        elif numbers[LAST_STAND] == 1 and bath == 0:
            result = i64(DOWN)
        elif state[TOUGH] == 1 or state[ABSORBED] == 1:
            clean = numbers[TOUGH_UNHARMED] == 1 or (numbers[TOUGH_UNHARMED] == 2 and state[BLOOD] == 0)
            result = i64(NO_EFFECT) if state[TOUGH] == 1 and clean else i64(DOWN)
            state[TOUGH], state[ABSORBED] = 0, numbers[ABSORBS_VOLLEY]
            by_tough = True
        else:
            return True
    if result == DOWN and (not by_tough or numbers[MINOR_AFTER_TOUGH] == 1):
        if state[FIRM] == 1:
            state[FIRM], result = 0, numbers[FIRST_DOWN]
        if result == DOWN and is_soft(state, step, numbers):
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


@part
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
def told_at(place, ends, shots, share):
    """Give where it is told what both players spend on a volley: a row by state before it, and whether it has ended."""
    row = place * share[SHARE_ENDS] + min(ends, share[SHARE_ENDS] - 1)
    return share[SHARE_AT] + row * ((shots + 2) << shots)


@leaf
def on_shot(shot, sequence, shots, state, sizes, share, which):
    """Let both players spend the attacker's markers on one of several shots, by those before it that have hit."""
    at = told_at(place_of(state, sizes), state[ENDED], shots, share)
    spent = i64(which[at + (shot << shots) + sequence])
    blood, blessing = spent // BLOOD_PLACE, spent % BLOOD_PLACE
    state[OWN_BLOOD] -= blood
    state[OWN_BLESSING] -= blessing
    return blessing - blood


@leaf
def deal_of(hits, shots, ended, own, share, which):
    """Give the row of the deal for the hits of a volley, or -1 where each hit is looked up when its turn comes.

    ``own`` is the state before the volley; ``share`` says where the volley's table begins, and its sizes.
    """
    if share[SHARE_AT] < 0 or share[SHARE_FIRSTS] == 0:
        return i64(-1)
    plain, critical, first = i64(0), i64(0), i64(0)
    for shot in range(shots):
        if hits[shot] > 0 and plain + critical == 0:
            first = hits[shot] - 1
        plain += i64(hits[shot] == 1)
        critical += i64(hits[shot] == 2)
    place = own * share[SHARE_ENDS] + min(ended, share[SHARE_ENDS] - 1)
    place = place * share[SHARE_FIRSTS] + min(first, share[SHARE_FIRSTS] - 1)
    return i64(which[share[SHARE_AT] + (place * (shots + 1) + plain) * (shots + 1) + critical])


@leaf
def on_action(state, numbers, sizes, choices):
    """Let the players of a game spend the attacker's markers on an action roll: gives the DICE that they come to."""
    if numbers[SPENDS] != GAME:
        return i64(0)
    spent = choices[place_of(state, sizes)]
    state[OWN_BLOOD] -= spent[ON_ACTION]
    state[OWN_BLESSING] -= spent[ON_ACTION + 1]
    return i64(spent[ON_ACTION + 1]) - i64(spent[ON_ACTION])


@part
def falls_short(source, move, dice, step, words, spare, tape, taped):
    """Roll for what is no attack: 1 where it ends the activation."""
    row = row_of(move, ACTION_POOL, i64(0))
    call(source, row, words)
    keep, net = step[GATE_KEEP], step[GATE_NET] + dice
    faces = pool(source, words[ACTION_WORD], row, net, keep, i64(0), i64(0), spare, tape, taped)
    return i64(kept_sum(faces, keep, net < 0) < step[GATE_TOTAL])


@part
def volley(
    source, move, state, step, numbers, sizes, choices, share, which, deals, hits, words, spare, tape, taped
):  # fmt: skip
    """All attacks of a volley: first they are rolled to hit, then each hit injures; gives whether the target is out."""
    if step[BEGINS] == 1:
        state[STREAK] = 0
    if not is_made(state, step):
        return False
    joint, sequence = share[SHARE_AT] >= 0 and share[SHARE_FIRSTS] == 0, i64(1)
    for shot in range(step[SHOTS]):
        if joint:
            dice = on_shot(shot, sequence, step[SHOTS], state, sizes, share, which)
        else:
            dice = on_action(state, numbers, sizes, choices)
        hits[shot] = act(source, move, shot, dice, state, step, numbers, words[shot], spare, tape, taped)
        if hits[shot] >= 4:
            state[ENDED], hits[shot] = 1, hits[shot] - 4
        if hits[shot] == 0:
            state[ENDED] = max(state[ENDED], step[RISKY])
        else:
            sequence = 2 * sequence + hits[shot] - 1
    own = code_of(state, sizes, i64(_LAST_BETWEEN))
    deal = deal_of(hits, step[SHOTS], state[ENDED], own, share, which)
    if joint:
        at = told_at(place_of(state, sizes), state[ENDED], step[SHOTS], share)
        deal = i64(which[at + (step[SHOTS] << step[SHOTS]) + sequence])
    apart, per_kind = numbers[SPENDS_BLESSING] == 1 and state[BLESSING] > 0, (deals.shape[1] - 1) // 2
    plain, criticals = i64(0), i64(0)
    for shot in range(step[SHOTS]):
        if hits[shot] == 0:
            state[STREAK] = 0
            continue
        critical = hits[shot] - 1
        choice, blessing = i64(0), state[BLESSING] * numbers[SPENDS_BLESSING]
        if joint:
            choice, blessing = i64(deals[deal, 2 * plain]), i64(deals[deal, 2 * plain + 1])
            plain += 1  # counts all hits here
        elif deal >= 0:
            if apart:
                choice, apart = i64(deals[deal, 0]), False
            else:
                number = criticals if critical == 1 else plain
                choice = i64(deals[deal, 1 + critical * per_kind + number]) if number < per_kind else i64(0)
                plain, criticals = plain + 1 - critical, criticals + critical
        elif numbers[SPENDS] != NEVER:
            place = place_of(state, sizes) + state[ENDED] * share[SHARE_GOING]
            choice = i64(choices[place, critical])
            if numbers[SPENDS] >= GUARDED:
                blessing = i64(choices[place, GUARD + critical])
        found = injure(
            source, move, shot, critical, choice, blessing, state, step, numbers, words[shot], spare, tape, taped
        )
        state[STREAK] = min(state[STREAK] + 1, LONGEST_STREAK)
        state[STRUCK] |= step[STRIKES]
        if take(found % 4, found // 4, state, step, numbers):
            return True
    state[IS_DOWN] |= state[FALLEN]
    state[BLOOD] = min(state[BLOOD] + state[PLACED], numbers[LIMIT])
    state[INFECTED] = min(state[INFECTED] + state[INFECTING], numbers[LIMIT])
    state[PLACED] = state[INFECTING] = state[FALLEN] = state[ABSORBED] = 0
    return False


@kernel
def count_special(
    key, start, stop, begin, numbers, steps, sequence, tables, choices, shares, which, deals, sizes, counts, moments,
    tape, taped,
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
    choices : int8[tables, states, 2 or COLUMNS]
        What is spent on a plain and on a critical hit, by state (:func:`place_of`): dice bought, and ``WITH_BATH``; the
        states of which the activation has ended stand behind the others; in games also what the other columns hold.
    shares : int64[moves, SHARE_NUMBERS]
        Volleys whose markers are dealt out: where in ``which`` each begins (-1: it is none), and its sizes.
    which : int32[n]
        Rows of ``deals``, by state before the volley, whether its shots ended the activation, kind of the first hit,
        plain and critical hits; of volleys on which both players choose as in :class:`tcsim.engines.game_volley.Dealt`.
    deals : int8[rows, 1 + 2 * hits]
        Choices: of a first hit that a blessing is spent on, of the other plain hits, of the other critical hits.
    sizes : int64[FIELDS]
        How many values each field of a state can have.
    counts : int64[1 + states]
        Grows by the ends: first out of action, then by state, hits in a row left out.
    moments : int64[moves, MOMENTS]
        Grows by the trials in which, after each move, the target is Down, it went out in just that move, or the
        activation has ended (of targets that are not out). No rows: nothing is counted by move.
    tape, taped
        As for :func:`tcsim.kernels.fight.count_trials`; the last entry is the place in ``counts``.
    """
    state, hits = np.zeros(FIELDS, np.int64), np.zeros(MAX_SHOTS, np.int64)
    source, words, spare = np.zeros(SOURCE, np.uint64), np.zeros((MAX_SHOTS, 4), np.uint64), np.zeros(4, np.uint64)
    source[0], source[1] = key[0], key[1]
    for trial in range(start, stop):
        block = trial // BLOCK
        source[2], source[3] = u64(block) & u64(_LOW), u64(block) >> u64(32)
        source[4] = u64(trial % BLOCK) | u64(_ONE_BY_ONE)
        for field in range(FIELDS):
            state[field] = begin[field]
        end = i64(-1)
        for move in range(sequence.size):
            step = steps[sequence[move]]
            if step[KIND] == ACTIVATION:
                state[ENDED] = state[STRUCK] = 0
            elif state[ENDED] == 1:
                pass
            elif step[KIND] == STAND:
                state[IS_DOWN] = 0
            elif step[KIND] == ACTIVATED:
                if state[INFECTED] > 0:
                    state[INFECTED] = min(state[INFECTED] + 1, numbers[LIMIT])
                state[BLOOD] = max(state[BLOOD] - numbers[REGENERATES], 0)
            elif step[KIND] == GATE:
                dice = on_action(state, numbers, sizes, choices[tables[move]])
                state[ENDED] = falls_short(source, move, dice, step, words[0], spare, tape, taped)
            elif volley(
                source, move, state, step, numbers, sizes, choices[tables[move]], shares[move], which, deals, hits,
                words, spare, tape, taped,
            ):  # fmt: skip
                end = i64(0)
                if moments.shape[0] > 0:
                    moments[move, WENT_OUT] += 1
                break
            if moments.shape[0] > 0:
                moments[move, WAS_DOWN] += state[IS_DOWN]
                moments[move, HAD_ENDED] += state[ENDED]
        if end < 0:
            end = 1 + code_of(state, sizes, i64(_LAST_FIELD))
        counts[end] += 1
        if tape is not None and trial < tape.shape[0]:
            tape[trial, tape.shape[1] - 1] = TAPE_END | end
