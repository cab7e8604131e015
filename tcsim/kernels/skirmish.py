"""Trials of many against many: a firefight of one turn, and a game of two warbands, one trial after the other.

An attack is played as in :mod:`tcsim.kernels.special`; here stand who attacks whom, standing up, initiative and morale.
Every activation has moves of its own in the stream, so no two rolls of a trial share a word.
"""

from __future__ import annotations

import numpy as np

from tcsim.kernels._compile import kernel, leaf
from tcsim.kernels.layout import ACTION_POOL, BLOCK, MAX_SHOTS
from tcsim.kernels.pools import row_of
from tcsim.kernels.special import (
    _LAST_FIELD,
    _LOW,
    _ONE_BY_ONE,
    ACTION_WORD,
    BLESSING,
    BLOOD,
    ENDED,
    FIELDS,
    INFECTED,
    IS_DOWN,
    SOURCE,
    STREAK,
    STRUCK,
    call,
    code_of,
    kept_sum,
    pool,
    volley,
)
from tcsim.kernels.stream import philox

u64, i64 = np.uint64, np.int64

# how an attacker chooses its target: the first one left; its own; the best for this activation; by a plan
FOCUS, SPREAD, GREEDY, PLANNED = range(4)

# programs: where the moves of an activation begin, how many they are, and whose numbers hold
FIRST, LENGTH = 0, 1

# a morale test: from how many Down or out on, DICE by the LEADER's state, lowest total that holds, who leads (or -1)
NEEDED, DICE, SUCCESS, LEADER = 0, 1, 4, 5
TEST_NUMBERS = 6

# what a game is played by
TURNS, STANDS_AT_TURN, FLIGHT, TESTS_AGAIN, FIRST_SIDE, SMALLER_BEGAN, MOST_MOVES = range(7)
GAME_NUMBERS = 7

# what is counted of each turn and side
TESTED, LOST_NERVE, SHAKEN, FLED, DESTROYED, WON = range(6)
COUNTED = 6

#: Chances that differ by less are equally good.
TIE = 1e-12

# Functions that a kernel calls in more than one place are compiled once, on their own.


@leaf
def enter_trial(source, key, trial):
    """Go to the words of a trial."""
    block = trial // BLOCK
    source[0], source[1] = key[0], key[1]
    source[2], source[3] = u64(block) & u64(_LOW), u64(block) >> u64(32)
    source[4] = u64(trial % BLOCK) | u64(_ONE_BY_ONE)


@leaf
def total_of(source, move, net, words, spare):
    """Roll two dice and net DICE, and give the total."""
    row = row_of(move, ACTION_POOL, 0)
    call(source, row, words)
    return kept_sum(pool(source, words[ACTION_WORD], row, net, i64(2), i64(0), i64(0), spare, None, None), 2, net < 0)


@leaf
def toss(source, move):
    """Say 0 or 1, as a roll-off does."""
    word, _, _, _ = philox(source[4], u64(row_of(move, ACTION_POOL, 0)), source[2], source[3], source[0], source[1])
    return i64(word >> u64(31))


@leaf
def activate(
    source,
    move,
    state,
    program,
    programs,
    numbers,
    steps,
    sequence,
    tables,
    choices,
    shares,
    which,
    deals,
    sizes,
    hits,
    words,
    spare,
):
    """Play an activation against a target; gives whether it is out of action."""
    first, length = programs[program, FIRST], programs[program, LENGTH]
    state[ENDED] = state[STREAK] = state[STRUCK] = 0
    for at in range(first, first + length):
        if state[ENDED] == 1:
            break
        step = steps[sequence[at]]
        if volley(
            source, move + at - first, state, step, numbers[program], sizes, choices[tables[at]], shares[at], which,
            deals, hits, words, spare, None, None,
        ):  # fmt: skip
            return True
    state[ENDED] = state[STREAK] = state[STRUCK] = 0
    return False


@leaf
def greediest(state, out, first, stop, tables_of, by_table, gains, conditions, sizes):
    """Give the target that an activation gains most by; of those as good, the first table, then condition, then one.

    ``by_table`` holds the program against each table.
    """
    best, target, at = -1.0, i64(-1), i64(0)
    for one in range(first, stop):
        if out[one] == 1:
            continue
        table = tables_of[one]
        condition = conditions[table, code_of(state[one], sizes, i64(_LAST_FIELD))]
        gain = gains[by_table[table], table, condition]
        if target < 0 or gain > best + TIE:
            best, target, at = gain, one, condition
        elif gain >= best - TIE and table == tables_of[target] and condition < at:
            best, target, at = max(best, gain), one, condition
    return target


@leaf
def planned(state, out, tables_of, plan, conditions, sizes, ways, strides, offsets, room):
    """Give the target that a plan names: the first of its table that is in the condition the plan says, or -1."""
    index, first, many = i64(0), 0, out.size
    while first < many:
        table, count = tables_of[first], 0
        while first + count < many and tables_of[first + count] == table:
            one = first + count
            mine = conditions[table, conditions.shape[1] - 1]
            if out[one] == 0:
                mine = conditions[table, code_of(state[one], sizes, i64(_LAST_FIELD))]
            place = count
            while place > 0 and room[place - 1] > mine:
                room[place] = room[place - 1]
                place -= 1
            room[place] = mine
            count += 1
        rank = i64(0)
        for place in range(count):
            rank += ways[room[place] + place, place + 1]
        index += rank * strides[table]
        first += count
    choice = plan[index]
    if choice < 0:
        return i64(-1)
    for one in range(many):
        if out[one] == 0:
            table = tables_of[one]
            if offsets[table] + conditions[table, code_of(state[one], sizes, i64(_LAST_FIELD))] == choice:
                return i64(one)
    return i64(-1)


@kernel
def count_firefight(
    key, start, stop, begin, mode, activations, tables_of, pairs, programs, numbers, steps, sequence, tables, choices,
    shares, which, deals, sizes, gains, conditions, plans, ways, strides, offsets, test, already, most_moves, ends,
    each, morale,
):  # fmt: skip
    """Play trials ``start`` .. ``stop - 1`` of a firefight and count how they end.

    Parameters
    ----------
    key : uint64[2]
        Two words of 32 bits.
    start, stop : int
        The trials.
    begin : int64[targets, FIELDS]
        The targets at the start.
    mode : int
        ``FOCUS`` .. ``PLANNED``.
    activations, tables_of : int64[attackers], int64[targets]
        The table of each.
    pairs : int64[attacker tables, target tables]
        The program of each pair.
    programs, numbers, steps, sequence, tables, choices, shares, which, deals, sizes
        The programs: where in ``sequence`` they stand, their charts, and what :mod:`tcsim.kernels.special` reads.
    gains : float64[programs, target tables, conditions]
        What an activation gains.
    conditions : int64[target tables, states + 1]
        The condition of each state; out of action is the last.
    plans : int16[attackers, joint conditions]
        What is attacked.
    ways, strides, offsets : int64[:, :], int64[target tables], int64[target tables]
        How joint conditions and choices are numbered.
    test : int64[TEST_NUMBERS]
        The morale test.
    already, most_moves : int
        Models Down or out beside the targets; most moves of an activation.
    ends : int64[3, targets + 1, targets + 1], each : int64[targets, 2], morale : int64[2]
        Grow by how it ended: LEADER, out, Down; Down and out of each target; tests made and failed.
    """
    many = tables_of.size
    state, out = np.zeros((many, FIELDS), np.int64), np.zeros(many, np.int64)
    hits, room = np.zeros(MAX_SHOTS, np.int64), np.zeros(many, np.int64)
    source, words, spare = np.zeros(SOURCE, np.uint64), np.zeros((MAX_SHOTS, 4), np.uint64), np.zeros(4, np.uint64)
    for trial in range(start, stop):
        enter_trial(source, key, trial)
        state[:] = begin
        out[:] = 0
        for number in range(activations.size):
            attacker, target = activations[number], i64(-1)
            if mode == FOCUS:
                target = i64(0)
                while target < many and out[target] == 1:
                    target += 1
                if target == many:
                    break
            elif mode == SPREAD:
                target = number % many
                if out[target] == 1:
                    continue
            elif mode == GREEDY:
                target = greediest(state, out, i64(0), i64(many), tables_of, pairs[attacker], gains, conditions, sizes)
            else:
                target = planned(state, out, tables_of, plans[number], conditions, sizes, ways, strides, offsets, room)
            if target < 0:
                break
            if activate(
                source, number * most_moves, state[target], pairs[attacker, tables_of[target]], programs, numbers,
                steps, sequence, tables, choices, shares, which, deals, sizes, hits, words, spare,
            ):  # fmt: skip
                out[target] = 1
        gone, lying = i64(0), i64(0)
        for one in range(many):
            down = state[one, IS_DOWN] * (1 - out[one])
            gone += out[one]
            lying += down
            each[one, 0] += down
            each[one, 1] += out[one]
        leads = leader_state(state, out, test[LEADER])
        ends[leads, gone, lying] += 1
        if gone + lying + already >= test[NEEDED]:
            morale[0] += 1
            move = activations.size * most_moves
            morale[1] += total_of(source, move, test[DICE + leads], words[0], spare) < test[SUCCESS]


@leaf
def leader_state(state, out, leader):
    """Say how the LEADER is: 0 standing or none, 1 Down, 2 out of action."""
    if leader < 0:
        return i64(0)
    if out[leader] == 1:
        return i64(2)
    return state[leader, IS_DOWN]


@leaf
def in_action(out, first, stop):
    """Count the models of a side that are not out of action."""
    left = i64(0)
    for one in range(first, stop):
        left += 1 - out[one]
    return left


@leaf
def smaller(out, size, by_beginning, source, move):
    """Give the side with fewer models left, or at the beginning; where both have as many, a roll-off says."""
    mine, other = in_action(out, i64(0), size), in_action(out, size, i64(out.size))
    if by_beginning == 1:
        mine, other = i64(size), i64(out.size - size)
    if mine == other:
        return toss(source, move)
    return i64(0) if mine < other else i64(1)


@leaf
def aim(mode, number, state, out, first, stop, tables_of, by_table, gains, conditions, sizes):
    """Choose the target of a model of a game, among the enemies ``first`` .. ``stop - 1``."""
    if mode == GREEDY:
        return greediest(state, out, first, stop, tables_of, by_table, gains, conditions, sizes)
    skip = i64(0)
    if mode == SPREAD:
        skip = number % in_action(out, first, stop)
    for one in range(first, stop):
        if out[one] == 0:
            if skip == 0:
                return i64(one)
            skip -= 1
    return i64(-1)


@kernel
def count_game(
    key, start, stop, begin, game, size, modes, tables_of, pairs, spends, regenerates, limit, programs, numbers, steps,
    sequence, tables, choices, shares, which, deals, sizes, gains, conditions, tests, counts, gone,
):  # fmt: skip
    """Play trials ``start`` .. ``stop - 1`` of a game of two warbands and count what happens, turn by turn.

    Parameters
    ----------
    key, start, stop
        As for :func:`count_firefight`.
    begin : int64[models, FIELDS]
        All models at the start, those of the first warband before the others.
    game : int64[GAME_NUMBERS]
        What the game is played by.
    size : int
        Models of the first warband.
    modes : int64[2]
        How each warband chooses targets: ``FOCUS`` .. ``GREEDY``.
    tables_of : int64[models]
        The table of each model.
    pairs : int64[tables, tables, 2, 2, markers, 2]
        The program of an attacker against a target by Shaken, and the attacker's Down, blood, and held blessings.
    spends : int64[tables, 2]
        Whether blood and blessings of an attacker are spent on its action rolls.
    regenerates : int64[tables]
        Blood markers that a model sheds when it is activated.
    limit : int
        Most markers of a kind.
    programs, numbers, steps, sequence, tables, choices, shares, which, deals, sizes, conditions
        As for :func:`count_firefight`.
    gains : float64[programs, tables, conditions]
        What a program gains against each.
    tests : int64[2, TEST_NUMBERS]
        The morale test of each warband.
    counts : int64[turns, 2, COUNTED], gone : int64[turns, 2, models + 1]
        Grow by what happened in each turn, and by the number out of action at its end; what has ended stays so.
    """
    many = tables_of.size
    state, out = np.zeros((many, FIELDS), np.int64), np.zeros(many, np.int64)
    hits, after, shaken = np.zeros(MAX_SHOTS, np.int64), np.zeros(2, np.int64), np.zeros(2, np.int64)
    source, words, spare = np.zeros(SOURCE, np.uint64), np.zeros((MAX_SHOTS, 4), np.uint64), np.zeros(4, np.uint64)
    firsts, stops = np.array([0, size]), np.array([size, many])
    for trial in range(start, stop):
        enter_trial(source, key, trial)
        state[:] = begin
        out[:] = 0
        shaken[:] = 0
        move, winner = i64(0), i64(-1)
        for turn in range(game[TURNS]):
            if winner < 0:
                if game[STANDS_AT_TURN] == 1:
                    state[:, IS_DOWN] = 0
                side = game[FIRST_SIDE]
                if side < 0:
                    side = smaller(out, size, i64(0), source, move)
                move += 1
                after[:] = firsts
                while winner < 0:
                    for _ in range(2):
                        while after[side] < stops[side] and out[after[side]] == 1:
                            after[side] += 1
                        if after[side] < stops[side]:
                            break
                        side = 1 - side
                    if after[side] == stops[side]:
                        break
                    model = after[side]
                    after[side] += 1
                    mine, enemy = state[model], 1 - side
                    if game[STANDS_AT_TURN] == 0:
                        mine[IS_DOWN] = 0
                    if mine[INFECTED] > 0:
                        mine[INFECTED] = min(mine[INFECTED] + 1, limit)
                    table = tables_of[model]
                    mine[BLOOD] = max(mine[BLOOD] - regenerates[table], 0)
                    by_table = pairs[table, :, shaken[side], mine[IS_DOWN], mine[BLOOD], i64(mine[BLESSING] > 0)]
                    target = aim(
                        modes[side], model - firsts[side], state, out, firsts[enemy], stops[enemy], tables_of,
                        by_table, gains, conditions, sizes,
                    )  # fmt: skip
                    program = by_table[tables_of[target]]
                    if activate(
                        source, move, state[target], program, programs, numbers, steps, sequence, tables, choices,
                        shares, which, deals, sizes, hits, words, spare,
                    ):  # fmt: skip
                        out[target] = 1
                    move += game[MOST_MOVES]
                    if spends[table, 0] == 1:
                        mine[BLOOD] = 0
                    if spends[table, 1] == 1:
                        mine[BLESSING] = 0
                    if in_action(out, firsts[enemy], stops[enemy]) == 0:
                        winner = side
                        counts[turn, enemy, DESTROYED] += 1
                    side = enemy
                if winner < 0:
                    side = smaller(out, size, game[SMALLER_BEGAN], source, move)
                    move += 1
                    for _ in range(2):
                        test, hurt = tests[side], i64(0)
                        for one in range(firsts[side], stops[side]):
                            hurt += i64(out[one] == 1 or state[one, IS_DOWN] == 1)
                        again = shaken[side] == 1
                        if hurt >= test[NEEDED] or (again and game[TESTS_AGAIN] == 1):
                            leads = leader_state(state, out, test[LEADER])
                            counts[turn, side, TESTED] += 1
                            shaken[side] = 0
                            if total_of(source, move, test[DICE + leads], words[0], spare) < test[SUCCESS]:
                                counts[turn, side, LOST_NERVE] += 1
                                if game[FLIGHT] == 1 or again:
                                    counts[turn, side, FLED] += 1
                                    winner = 1 - side
                                    break
                                shaken[side] = 1
                                counts[turn, side, SHAKEN] += 1
                        else:
                            shaken[side] = 0
                        move += 1
                        side = 1 - side
                if winner >= 0:
                    counts[turn, winner, WON] += 1
            for side in range(2):
                gone[turn, side, stops[side] - firsts[side] - in_action(out, firsts[side], stops[side])] += 1
