"""Trials of duels: two models, round after round, every die rolled; one trial after the other.

The attacks themselves are those of :mod:`tcsim.kernels.special`. What is spent, and whether one tries to stand or to
charge, stands in tables by the states of both (an axis of length 1 where a state makes no difference), so that any play
that can be written as tables can be rolled. Which table it is depends on the round and on the phase: where the two are,
and who has stood up in this turn. Rolls of a trial are numbered as they come, and each has words of its own.
"""

from __future__ import annotations

import numpy as np

from tcsim.kernels._compile import kernel, part
from tcsim.kernels.layout import ACTION_POOL, BLOCK, MAX_SHOTS
from tcsim.kernels.pools import row_of
from tcsim.kernels.special import (
    _LAST_BETWEEN,
    _LAST_FIELD,
    _LOW,
    _ONE_BY_ONE,
    ACTION_WORD,
    BLESSING,
    BLOOD,
    ENDED,
    FIELDS,
    FIRST_SHOT_DICE,
    INFECTED,
    IS_DOWN,
    LIMIT,
    REGENERATES,
    SHARE_AT,
    SHARE_NUMBERS,
    SOURCE,
    STEP_NUMBERS,
    STREAK,
    STRUCK,
    SUCCESS,
    call,
    code_of,
    kept_sum,
    pool,
    volley,
)

u64, i64 = np.uint64, np.int64

# numbers of a duel
ROUNDS, FIRST, AT_TURN, START_PLACE, FAILS = range(5)
DUEL_NUMBERS = 5
# numbers of a fighter
TRIES, STAND_DICE, CHARGES, CHARGE_DICE = range(4)
FIGHTER_NUMBERS = 4
#: The place of two who are in contact.
CONTACT = -1
# what is done in an activation, as in ``tcsim.duels.model``
IN_CONTACT, CHARGING, SHOOTING = range(3)
#: Where no face of the charge die reaches.
OUT_OF_REACH = 7
# what is spent on an action roll: the roller's markers by the enemy, its blessings by itself
DRAINED, BLESSED = 0, 1
#: ``TRIES`` and ``CHARGES``: never, always, or where a table says so.
NEVER, ALWAYS, CHOSEN = range(3)


@part
def pay(mine, own, other, table, now):
    """Spend what a table says on an action roll: gives its dice."""
    entry = entry_of(table, own, other)
    drained, blessed = i64(entry[DRAINED]), i64(entry[BLESSED])
    blood = min(drained, mine[BLOOD])
    mine[BLOOD] -= blood
    mine[INFECTED] -= drained - blood
    mine[BLESSING] -= blessed
    now[FIRST_SHOT_DICE] = blessed - drained


@part
def entry_of(table, own, other):
    """Look up a pair of states."""
    row = table[own if table.shape[0] > 1 else 0]
    return row[other if row.shape[0] > 1 else 0]


@part
def phase_of(place, stood, duel, phases):
    """Number where the two are and who has stood up; 0 for contact, or where there is only one number."""
    if place == CONTACT or phases == 1:
        return i64(0)
    return 4 * (place + 1) + (2 * stood[0] + stood[1]) * duel[AT_TURN]


@part
def befall(mine, numbers):
    """Let what befalls a model that is activated befall it."""
    if mine[INFECTED] > 0:
        mine[INFECTED] = min(mine[INFECTED] + 1, numbers[LIMIT])
    mine[BLOOD] = max(mine[BLOOD] - numbers[REGENERATES], 0)


@kernel
def count_duels(
    key, start, stop, begin, duel, fighters, numbers, steps, programs, sizes, ground, spent, spent_of, choices,
    choice_of, yes, tries_of, charges_of, counts
):  # fmt: skip
    """Play trials ``start`` .. ``stop - 1`` of a duel and count who wins in which round.

    Parameters
    ----------
    key : uint64[2]
        Two words of 32 bits.
    start, stop : int
        The trials.
    begin : int64[2, FIELDS]
        Both fighters at the start.
    duel : int64[DUEL_NUMBERS]
        Rounds, who is first, whether all stand as a round begins, place of the start, what a failed charge is.
    fighters : int64[2, FIGHTER_NUMBERS]
        Whether it tries to stand, with which DICE; whether it charges, with how many dice.
    numbers : int64[2, PROBLEM_NUMBERS]
        How each takes results: those of the problem whose target it is.
    steps : int64[steps, STEP_NUMBERS]
        All attacks of both, one after the other.
    programs : int64[2, 2, kinds, 2]
        By side, Down, and what is done: the first step and how many.
    sizes : int64[2, FIELDS]
        How many values each field of each one's state can have.
    ground : int64[2, 2, places, 9]
        By side, whether it has stood up, and place: the face that it needs, the place after closing, and the places
        after a failed charge by face (0: none rolled).
    spent : int8[tables, own, other, 2]
        What is spent on an action roll, by the roller's state and the enemy's.
    spent_of : int64[rounds, phases, steps + 2]
        Which of these tables a roll has, behind those of the steps the two attempts to stand; one round or phase for
        all alike. The phase of a step is the one in which its activation ends (see :func:`phase_of`).
    choices : int8[tables, own, other, 2 or 4]
        What is spent on a plain and a critical hit, by the attacker's state and the target's, and perhaps the target's
        blessings.
    choice_of : int64[rounds, phases, steps]
        Which of these tables a step has.
    yes : int8[tables, own, other]
        Whether one does something, by its own state and the enemy's.
    tries_of : int64[rounds, phases, 2]
        Which of these says whether a side tries to stand.
    charges_of : int64[rounds, phases, 2, 2]
        Which of these says whether a side charges, by whether it has stood up in this turn.
    counts : int64[1 + 2 * rounds]
        Grows by the ends: neither wins, then by round a and b.
    """
    both, hits, now = np.zeros((2, FIELDS), np.int64), np.zeros(MAX_SHOTS, np.int64), np.zeros(STEP_NUMBERS, np.int64)
    source, words, spare = np.zeros(SOURCE, np.uint64), np.zeros((MAX_SHOTS, 4), np.uint64), np.zeros(4, np.uint64)
    stood, last, attempts = np.zeros(2, np.int64), i64(_LAST_FIELD), steps.shape[0]
    # nothing is dealt out to all hits of a volley at once
    share, which, deals = np.zeros(SHARE_NUMBERS, np.int64), np.zeros(0, np.int32), np.zeros((1, 1), np.int8)
    share[SHARE_AT] = -1
    source[0], source[1] = key[0], key[1]
    for trial in range(start, stop):
        block = trial // BLOCK
        source[2], source[3] = u64(block) & u64(_LOW), u64(block) >> u64(32)
        source[4] = u64(trial % BLOCK) | u64(_ONE_BY_ONE)
        both[:] = begin
        place, move, end = duel[START_PLACE], i64(0), i64(0)
        for activation in range(2 * duel[ROUNDS]):
            number = activation // 2
            if activation % 2 == 0:
                stood[:] = 0
                if duel[AT_TURN] == 1:
                    stood[0], stood[1] = both[0, IS_DOWN], both[1, IS_DOWN]
                    both[0, IS_DOWN] = both[1, IS_DOWN] = 0
            me = duel[FIRST] if activation % 2 == 0 else 1 - duel[FIRST]
            mine, theirs, of_round = both[me], both[1 - me], number if spent_of.shape[0] > 1 else 0
            phase = phase_of(place, stood, duel, spent_of.shape[1])
            befall(mine, numbers[me])
            if duel[AT_TURN] == 0 and mine[IS_DOWN] == 1:
                mine[IS_DOWN], stood[me] = 0, 1
            acts, moves = True, mine[IS_DOWN] == 0
            own, other = code_of(mine, sizes[me], last), code_of(theirs, sizes[1 - me], i64(_LAST_BETWEEN))
            tries = not moves and fighters[me, TRIES] != NEVER
            if tries and fighters[me, TRIES] == CHOSEN:
                tries = entry_of(yes[tries_of[of_round, phase, me]], own, other) == 1
            if tries:
                pay(mine, own, other, spent[spent_of[of_round, phase, attempts + me]], now)
                row, net = row_of(move, ACTION_POOL, i64(0)), fighters[me, STAND_DICE] + now[FIRST_SHOT_DICE]
                move += 1
                call(source, row, words[0])
                faces = pool(source, words[0, ACTION_WORD], row, net, i64(2), i64(0), i64(0), spare, None, None)
                acts = kept_sum(faces, i64(2), net < 0) >= numbers[me, SUCCESS]
                if acts:
                    mine[IS_DOWN] = 0
            what = i64(IN_CONTACT) if acts else i64(-1)
            if place != CONTACT and acts:
                what = SHOOTING + place
                here = ground[me, stood[me], place]
                charges = moves and fighters[me, CHARGES] != NEVER and here[0] < OUT_OF_REACH
                if charges and fighters[me, CHARGES] == CHOSEN:
                    charges = entry_of(yes[charges_of[of_round, phase, me, stood[me]]], own, other) == 1
                if charges:
                    face, dice = i64(0), fighters[me, CHARGE_DICE]
                    if dice > 0:
                        row = row_of(move, ACTION_POOL, i64(0))
                        move += 1
                        call(source, row, words[0])
                        faces = pool(
                            source, words[0, ACTION_WORD], row, dice - 1, i64(1), i64(0), i64(0), spare, None, None
                        )
                        face = kept_sum(faces, i64(1), False)
                    if dice == 0 or face >= here[0]:
                        what, place = i64(CHARGING), i64(CONTACT)
                    elif duel[FAILS] == 1:
                        what, place = i64(-1), here[2 + face]
                    else:
                        place = here[1]
                elif moves:
                    place = here[1]
            if what < 0:
                continue
            first, count = programs[me, mine[IS_DOWN], what]
            phase = phase_of(place, stood, duel, spent_of.shape[1])
            for index in range(first, first + count):
                if theirs[ENDED] == 1:
                    break
                now[:] = steps[index]
                own, other = code_of(mine, sizes[me], last), code_of(theirs, sizes[1 - me], i64(_LAST_BETWEEN))
                pay(mine, own, other, spent[spent_of[of_round, phase, index]], now)
                table = choices[choice_of[of_round, phase, index]]
                own = code_of(mine, sizes[me], last) if table.shape[0] > 1 else i64(0)
                if volley(
                    source, move, theirs, now, numbers[1 - me], sizes[1 - me], table[own], share, which, deals, hits,
                    words, spare, None, None,
                ):  # fmt: skip
                    end = 1 + 2 * number + me
                    break
                move += 1
            theirs[ENDED] = theirs[STREAK] = theirs[STRUCK] = 0
            if end > 0:
                break
        counts[end] += 1
