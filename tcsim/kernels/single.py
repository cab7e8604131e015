"""One plain attack, the question asked most: a kernel of its own, in which a lane is a trial from first die to last.

Each pool comes from one word of 16 bits, up to five dice, so there is no state to keep and every trial uses the same
two words. What is a fair word, and which dice it holds, is as in :mod:`tcsim.kernels.pools`; here a lane with an unfair
word is left out, and the next fair lane is the next trial.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from tcsim.kernels._compile import kernel, leaf
from tcsim.kernels.attack import injure
from tcsim.kernels.lanes import Chunk, Vector, counting_pass, dice, pick, tops_of
from tcsim.kernels.layout import ACTION_POOL, BLOCK, HITS, INJURY_POOL, LANES, MORE_WORDS, TAPE_END, WORDS, WORK_AT
from tcsim.kernels.pools import row_of
from tcsim.kernels.stream import enter, fill, stream_of
from tcsim.kernels.tape import record_begin, record_dice

u64, i64 = np.uint64, np.int64

#: Most dice of a pool: of six, 29% of the words would be unfair.
MOST_DICE = 5

# parameters: of the action roll, then of the injury roll after a plain hit, then of that after a critical one
ACTION_SIZE, ACTION_LOWEST, SUCCESS, CRITICAL = range(4)
FOR_CRITICAL = 4  # numbers of an injury roll
INJURY_SIZE, INJURY_LOWEST, MODIFIER, SPENT = range(4, 4 + FOR_CRITICAL)
MINOR_HIT, DOWN, OUT = range(4 + 2 * FOR_CRITICAL, 7 + 2 * FOR_CRITICAL)
SHARED = 7 + 2 * FOR_CRITICAL  # whether other attacks are to be played with the same dice
SINGLE_PARAMS = SHARED + 1

#: What :func:`count_single` counts: failures, then the four results after a plain and after a critical hit.
SINGLE_ENDS = 9


def _fair(words: Vector, size: int) -> Vector:
    ways: int = 6**size
    return ~(words * ways).below(2**16 % ways)


def _attack(action: int, injury: int, shared: bool = False) -> Callable[[Chunk], Sequence[Vector]]:
    """Write an attack with so many action dice, or at most so many when shared, and at most so many injury dice."""

    def body(at: Chunk) -> Sequence[Vector]:
        fair = _fair(at[WORDS], action) & _fair(at[MORE_WORDS], injury)
        first, second = tops_of(list(dice(at[WORDS], action)), at.param(ACTION_SIZE) if shared else None)
        total = (first + second) ^ at.param(ACTION_LOWEST)
        hit = fair & (total >= at.param(SUCCESS))
        critical = hit & (total >= at.param(CRITICAL))

        def param(number: int) -> Vector:
            return pick(critical, at.param(FOR_CRITICAL + number), at.param(number))

        first, second = tops_of(list(dice(at[MORE_WORDS], injury)), param(INJURY_SIZE))
        total = ((first + second) ^ param(INJURY_LOWEST)) + param(MODIFIER)
        minor = hit & (total >= at.param(MINOR_HIT))
        down = hit & (total >= at.param(DOWN))
        out = hit & (total >= at.param(OUT))
        return fair, hit, minor, down, out, critical, minor & critical, down & critical, out & critical

    return body


_SIZES = range(2, MOST_DICE + 1)
_SHARED = _attack(MOST_DICE, MOST_DICE, shared=True)
#: All attacks, by their sizes, body ``(action - 2) * 4 + injury - 2``; the last is for every size, so that whatever is
#: played, the same lanes have fair words.
play_chunk = counting_pass("play_chunk", [*(_attack(a, i) for a in _SIZES for i in _SIZES), _SHARED])


@leaf
def single_chunk(room, params, action, injury, found, counts):
    """One attack for every lane; lanes with a word that would favour some dice count nothing."""
    body = (action - 2) * (MOST_DICE - 1) + injury - 2
    play_chunk(body + 1 if params[SHARED] else body, room, 0, params, found)
    fair, hit, minor, down, out, critical = found[0], found[1], found[2], found[3], found[4], found[5]
    crit_minor, crit_down, crit_out = found[6], found[7], found[8]
    counts[0] += fair - hit
    counts[1] += (hit - critical) - (minor - crit_minor)
    counts[2] += (minor - crit_minor) - (down - crit_down)
    counts[3] += (down - crit_down) - (out - crit_out)
    counts[4] += out - crit_out
    counts[5] += critical - crit_minor
    counts[6] += crit_minor - crit_down
    counts[7] += crit_down - crit_out
    counts[8] += crit_out
    return fair


@leaf
def some_lanes(room, params, action, injury, found, counts, words, begin, first, last, tape, taped):
    """Count a chunk's trials from ``first`` to ``last - 1``, of which ``begin`` is its first; gives how many it has.

    The others' words are made 0, which is unfair. A trial with a tape is counted on its own, to tell how it ends.
    """
    at, more_at = WORK_AT + WORDS * LANES, WORK_AT + MORE_WORDS * LANES
    for lane in range(LANES):
        words[lane], room[at + lane] = room[at + lane], 0
    trial, ways, more_ways = begin, i64(6) ** action, i64(6) ** injury
    unfair, more_unfair = i64(2**16) % ways, i64(2**16) % more_ways
    for lane in range(LANES):
        word, more_word = i64(words[lane]), i64(room[more_at + lane])
        if ((word * ways) & 0xFFFF) < unfair or ((more_word * more_ways) & 0xFFFF) < more_unfair:
            continue
        if first <= trial < last:
            room[at + lane] = word
            if tape is not None and trial < tape.shape[0]:
                before = counts.copy()
                single_chunk(room, params, action, injury, found, counts)
                room[at + lane] = 0
                end = i64(np.argmax(counts - before))
                tell(tape, taped, trial, word, more_word, params, end)
        trial += 1
    single_chunk(room, params, action, injury, found, counts)
    return trial - begin


@leaf
def tell(tape, taped, trial, word, more_word, params, end):
    """Write a trial on its tape."""
    row, injury_row = row_of(0, ACTION_POOL, 0), row_of(0, INJURY_POOL, 0)
    record_begin(tape, taped, trial, row, 0, i64(params[ACTION_LOWEST]))
    record_dice(tape, taped, trial, word, i64(params[ACTION_SIZE]), row)
    if end > 0:
        of = FOR_CRITICAL if end > 4 else 0
        lowest, spent = i64(params[INJURY_LOWEST + of]), i64(params[SPENT + of])
        record_begin(tape, taped, trial, injury_row, spent, lowest)
        record_dice(tape, taped, trial, more_word, i64(params[INJURY_SIZE + of]), injury_row)
    tape[trial, tape.shape[1] - 1] = TAPE_END | end


@kernel
def read_injury(room, params):
    """Read the injury chart for the first chunk, whose hits and totals stand in the room.

    Parameters
    ----------
    room : uint16[ROOM]
        States, and the rows ``HITS`` and ``TOTAL``.
    params : uint16[PARAMS]
        Those of a shot, as in :func:`tcsim.kernels.fight.count_trials`.
    """
    injure(room, 0, WORK_AT + HITS * LANES, params, np.empty(LANES // 64, dtype=np.uint64))


@kernel
def count_single(key, start, stop, params, room, counts, tape, taped):
    """Count how one plain attack ends, trials ``start`` .. ``stop - 1``: every lane is a trial of its own.

    The trials of a block are its first 65,536 lanes whose two words are fair, chunk after chunk. A lane always uses the
    same two words, so leaving out the unfair ones favours no result.

    Parameters
    ----------
    key : uint64[2]
        Two words of 32 bits.
    start, stop : int
        The trials.
    params : uint16[SINGLE_PARAMS]
        The three pools, what is spent, and what the charts say.
    room : uint16[ROOM]
        Room to work in, at a multiple of 64 bytes.
    counts : int64[SINGLE_ENDS]
        Grows by failures and results.
    tape, taped
        As for :func:`tcsim.kernels.fight.count_trials`; the last entry is the place in ``counts``.
    """
    stream = stream_of(key)
    found, words = np.zeros(SINGLE_ENDS, dtype=np.int64), np.zeros(LANES, dtype=np.uint16)
    action = i64(params[ACTION_SIZE])
    injury = max(i64(params[INJURY_SIZE]), i64(params[INJURY_SIZE + FOR_CRITICAL]))
    if params[SHARED]:
        action, injury = i64(MOST_DICE), i64(MOST_DICE)
    for block in range(start // BLOCK, (stop + BLOCK - 1) // BLOCK):
        first, last = max(start - block * BLOCK, i64(0)), min(stop - block * BLOCK, i64(BLOCK))
        enter(stream, block)
        played, chunk = i64(0), i64(0)
        while played < last:
            fill(room, WORDS, stream, row_of(0, ACTION_POOL, 0), chunk)
            fill(room, MORE_WORDS, stream, row_of(0, INJURY_POOL, 0), chunk)
            if tape is None and played >= first and played + LANES <= last:
                played += single_chunk(room, params, action, injury, found, counts)
            else:
                played += some_lanes(
                    room, params, action, injury, found, counts, words, played, first, last, tape, taped
                )
            chunk += 1
