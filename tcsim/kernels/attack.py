"""One volley of a chunk of trials, by the rules: action rolls, spending, injury rolls, what becomes of the target.

The rules are the same few passes for all lanes, and a lane that has nothing to do in one just keeps its state. Passes
called quick do in one what others do in several, for pools that keep two or three dice; they come to the same.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tcsim.kernels import layout
from tcsim.kernels._compile import part
from tcsim.kernels.lanes import Chunk, Vector, dice, higher, lane_pass, lower, pick, tops_of
from tcsim.kernels.layout import (
    ABSORBED,
    ACTION_POOL,
    ALL_BLOOD,
    AUTO_HIT,
    BATHED,
    BLOOD,
    CHOICE,
    CRITICAL,
    FALLEN,
    FLAT_DIE,
    FLAT_POOL,
    HAS_ENDED,
    HIT,
    HITS,
    HOLDS_BLESSING,
    IDLE,
    INJURY_POOL,
    IS_DOWN,
    IS_OUT,
    IS_TOUGH,
    KEEP,
    LANES,
    LEFT,
    LOWEST,
    MORE_WORDS,
    MOST_ACTION_DICE,
    PLACED,
    QUICK_DICE,
    QUICK_INJURY,
    RISKY,
    SHOTS,
    SPEND_ANY,
    SPEND_BLOOD,
    SPEND_DICE,
    SPENDING,
    STATE,
    SUCCESS,
    TOP0,
    TOP1,
    TOPS,
    TOTAL,
    WORD_DICE,
    WORDS,
    WORK_AT,
)
from tcsim.kernels.pools import fair_words, roll_rest, roll_rows, row_of
from tcsim.kernels.tape import record_pool

i64 = np.int64


def _acts(state: Vector) -> Vector:
    return (state & IDLE).is_(0)


def _total(sum_: Vector, lowest: Vector, keep: int) -> Vector:
    """Give the sum of kept dice (1 to 6 each), turned back where the lowest are kept."""
    return pick(lowest, 6 * keep - sum_, sum_ + keep)


def _hits(at: Chunk, total: Vector, acts: Vector) -> Vector:
    """Read the action chart: 0 failure, 1 success, 2 critical."""
    hit, critical = total >= at.param(SUCCESS), total >= at.param(CRITICAL)
    return (hit & acts & 1) + (critical & hit & acts & 1)


@lane_pass
def hit_all(at: Chunk) -> None:
    """Automatic hits of every lane that acts."""
    at[HIT] = _acts(at[STATE]) & 1


def _act_quick(count: int) -> Callable[[Chunk], None]:
    def body(at: Chunk) -> None:
        state = at[STATE]
        down = state.has(IS_DOWN)
        size = pick(down, at.param(layout.ACTION_SIZE_DOWN), at.param(layout.ACTION_SIZE))
        lowest = pick(down, at.param(layout.ACTION_LOWEST_DOWN), at.param(layout.ACTION_LOWEST))
        faces = list(dice(at[WORDS], WORD_DICE))
        faces += dice(at[MORE_WORDS], count - WORD_DICE)
        first, second = tops_of(faces, size)
        at[HIT] = _hits(at, _total(first + second, lowest, 2), _acts(state))

    return body


#: Action rolls of up to so many dice, from one word or two, and how they are read.
act_quick = lane_pass(_act_quick(3), "act_quick")
act_quick_four = lane_pass(_act_quick(4), "act_quick_four")
act_quick_five = lane_pass(_act_quick(5), "act_quick_five")
act_quick_six = lane_pass(_act_quick(6), "act_quick_six")


@lane_pass
def aim(at: Chunk) -> None:
    """How many dice each lane's action roll has, and which lanes keep the lowest."""
    state = at[STATE]
    down = state.has(IS_DOWN)
    at[LEFT] = pick(down, at.param(layout.ACTION_SIZE_DOWN), at.param(layout.ACTION_SIZE)) & _acts(state)
    at[LOWEST] = pick(down, at.param(layout.ACTION_LOWEST_DOWN), at.param(layout.ACTION_LOWEST))


@lane_pass
def read_action(at: Chunk) -> None:
    """Read the action chart."""
    at[HIT] = _hits(at, _total(at[TOP0] + at[TOP1], at[LOWEST], 2), _acts(at[STATE]))


@lane_pass
def note_miss(at: Chunk) -> None:
    """Note which lanes that act have missed with a shot."""
    at[FALLEN] = at[FALLEN] | (at[HIT].is_(0) & _acts(at[STATE]))


@lane_pass
def end_activation(at: Chunk) -> None:
    """A failed risky attack ends the activation."""
    at[STATE] = at[STATE] | (at[FALLEN] & HAS_ENDED)
    at[FALLEN] = 0


def _choose(bits: int) -> Callable[[Chunk], None]:
    def body(at: Chunk) -> None:
        state = at[STATE]
        down = state.has(IS_DOWN)
        place = (state & BLOOD) + ((at[HIT] > 1) & 7)
        choice = (pick(down, at.param(4), at.param(0)) >> place) & 1
        for bit in range(1, bits):
            plane = pick(down, at.param(4 + bit), at.param(bit)) >> place
            choice = choice | ((plane & 1) << bit)
        at[CHOICE] = pick((state & at.param(layout.LOOK_AT)).is_(at.param(layout.LOOK_FOR)), choice, at[CHOICE])

    return body


#: Look up what is spent on a hit: dice, and without ``_dice`` also a Bloodbath. The parameters are eight words, bit
#: ``blood + 7 * critical`` of each: three bits of how many dice are bought and one for a Bloodbath, against a standing
#: target, then against one that is Down; then which of ``IS_TOUGH`` and ``HOLDS_BLESSING`` is looked at, and which of
#: them is set where this holds.
choose_dice = lane_pass(_choose(3), "choose_dice")
choose = lane_pass(_choose(4), "choose")


@lane_pass
def choose_blood(at: Chunk) -> None:
    """Choose every blood marker, or none."""
    at[CHOICE] = at[STATE] & at.param(ALL_BLOOD)


def _pay(at: Chunk, spending: int) -> tuple[Vector, Vector]:
    """Pay for what is spent; gives each lane's size of the injury pool (0: none), and which keep the lowest."""
    state, hit = at[STATE], at[HIT]
    hits = (hit > 0) & (state & IS_OUT).is_(0)
    critical, down = hit > 1, state.has(IS_DOWN)
    size = at.param(layout.INJURY_SIZE)
    net = pick(
        down,
        pick(critical, at.param(layout.INJURY_DICE_DOWN_CRITICAL), at.param(layout.INJURY_DICE_DOWN)),
        pick(critical, at.param(layout.INJURY_DICE_CRITICAL), at.param(layout.INJURY_DICE)),
    )
    if spending == SPEND_BLOOD:
        spent = state & at.param(ALL_BLOOD)
    else:
        spent = at[CHOICE] & BLOOD
    net = net + spent
    if spending == SPEND_ANY:
        bathed = at[CHOICE] > BLOOD
        spent = spent + (bathed & pick(down, at.param(layout.BATH_COST_DOWN), at.param(layout.BATH_COST)))
        size = size + (bathed & at.param(layout.BATH_KEEPS))
        at[BATHED] = bathed & hits
        net = net - (state.has(HOLDS_BLESSING) & at.param(layout.BLESSING))
        spent = spent + (state & at.param(layout.BLESSING_SPENT))
    at[STATE] = state - (spent & hits)
    return (higher(net, 0 - net) + size) & hits, net < 0


@lane_pass
def load(at: Chunk) -> None:
    """Pay, and say how many injury dice each lane has."""
    at[LEFT], at[LOWEST] = _pay(at, SPEND_ANY)


def _load_quick(spending: int, keep: int) -> Callable[[Chunk], Vector]:
    def body(at: Chunk) -> Vector:
        size, lowest = _pay(at, spending)
        for top, value in zip(TOPS, tops_of(list(dice(at[WORDS], WORD_DICE)), size, keep), strict=False):
            at[top] = value
        left = higher(size - WORD_DICE, 0)
        at[LEFT], at[LOWEST] = left, lowest
        return left > 0

    return body


#: The same, and roll the dice of one word, of pools that keep two, by what can be spent, or up to three; flags the
#: lanes that have yet more dice.
load_quick = lane_pass(_load_quick(SPEND_BLOOD, 2), "load_quick")
load_quick_dice = lane_pass(_load_quick(SPEND_DICE, 2), "load_quick_dice")
load_quick_any = lane_pass(_load_quick(SPEND_ANY, 2), "load_quick_any")
load_quick_three = lane_pass(_load_quick(SPEND_ANY, 3), "load_quick_three")


def _add_up(most: int) -> Callable[[Chunk], None]:
    def body(at: Chunk) -> None:
        bathed = at[BATHED] & (0 - at.param(layout.BATH_KEEPS))
        kept, sum_ = at.param(layout.INJURY_SIZE) + (bathed & 1), at[TOP0]
        before = sum_ | -1
        for place in range(1, most):
            keep = at.param(layout.KEEPS_SECOND - 1 + place)
            sum_ = sum_ + (at[TOPS[place]] & (keep | (before & bathed)))
            before = keep
        at[TOTAL] = pick(at[LOWEST], kept * 6 - sum_, sum_ + kept)

    return body


#: Sum the kept dice of injury pools that keep up to three, or five: one more where a Bloodbath is taken.
add_up_three = lane_pass(_add_up(3), "add_up_three")
add_up = lane_pass(_add_up(len(TOPS)), "add_up")


@lane_pass
def load_flat(at: Chunk) -> None:
    """Begin the flat die of a Bloodbath."""
    at[LEFT] = at[BATHED] & 1
    at[LOWEST] = 0


@lane_pass
def add_flat(at: Chunk) -> None:
    """Add the flat die of a Bloodbath."""
    at[TOTAL] = at[TOTAL] + (at[BATHED] & (at[TOP0] + 1))


def _injure(quick: bool, alone: bool) -> Callable[[Chunk], Vector]:
    def body(at: Chunk) -> Vector:
        state, hit = at[STATE], at[HIT]
        total = _total(at[TOP0] + at[TOP1], at[LOWEST], 2) if quick else at[TOTAL]
        hits = (hit > 0) & (state & IS_OUT).is_(0)
        critical, was_down, tough = hit > 1, state.has(IS_DOWN), state.has(IS_TOUGH)
        total = total + pick(
            was_down,
            pick(critical, at.param(layout.MODIFIER_DOWN_CRITICAL), at.param(layout.MODIFIER_DOWN)),
            pick(critical, at.param(layout.MODIFIER_CRITICAL), at.param(layout.MODIFIER)),
        )
        minor = (total >= at.param(layout.MINOR_HIT)) & hits
        down = (total >= at.param(layout.DOWN)) & hits
        out = (total >= at.param(layout.OUT)) & hits
        held, again = tough, was_down
        if not alone:  # what a volley does waits until its end
            held = tough | at[ABSORBED]
            again = was_down | (at[FALLEN] & at.param(layout.AGAIN_COUNTS))
        held = held & out
        out = out & ~held
        soft = down & pick(held, at.param(layout.SOFTENS_TOUGH), at.param(layout.SOFTENS))
        minor = minor & (soft | ~down)
        down = down & ~out & ~soft
        gain = (hits & at.param(layout.ALWAYS_MARKERS)) + (minor & at.param(layout.MINOR_HIT_MARKERS))
        gain = gain + (down & pick(again, at.param(layout.DOWN_AGAIN_MARKERS), at.param(layout.DOWN_MARKERS)))
        state = state & ~(held & IS_TOUGH)
        if alone:
            state = _mark(at, state, gain, down)
        else:
            at[ABSORBED] = at[ABSORBED] | (held & at.param(layout.ABSORBS_VOLLEY))
            at[PLACED], at[FALLEN] = at[PLACED] + gain, at[FALLEN] | down
        at[STATE] = pick(out, (state & 0) | IS_OUT, state)
        return out

    return body


def _mark(at: Chunk, state: Vector, gain: Vector, down: Vector) -> Vector:
    """Place markers, as many as there may be, and let the target fall."""
    blood = lower((state & BLOOD) + gain, at.param(layout.MARKER_LIMIT))
    return (state & ~BLOOD) | blood | (down & IS_DOWN)


#: Read the injury chart and apply TOUGH, Machine Armour and markers; flags the lanes that go out of action. Alone: a
#: volley of one, whose result takes effect at once.
injure = lane_pass(_injure(False, True), "injure")
injure_quick = lane_pass(_injure(True, True), "injure_quick")
injure_shot = lane_pass(_injure(False, False), "injure_shot")
injure_shot_quick = lane_pass(_injure(True, False), "injure_shot_quick")


@lane_pass
def begin_volley(at: Chunk) -> None:
    """Nothing has been done by a volley yet."""
    at[PLACED] = at[FALLEN] = at[ABSORBED] = 0


@lane_pass
def end_volley(at: Chunk) -> None:
    """Let what a volley did take effect."""
    state = at[STATE]
    at[STATE] = pick(state.has(IS_OUT), state, _mark(at, state, at[PLACED], at[FALLEN]))


@lane_pass
def stand(at: Chunk) -> None:
    """The target stands up, unless the activation has ended."""
    state = at[STATE]
    at[STATE] = state & ~((state & HAS_ENDED).is_(0) & IS_DOWN)


@lane_pass
def new_activation(at: Chunk) -> None:
    """A new activation begins."""
    at[STATE] = at[STATE] & ~HAS_ENDED


@part
def roll_to_hit(room, state_at, hit_at, params, flags, stream, row, chunk, step, tape, taped, first_id):
    """Action rolls of one shot."""
    if step[AUTO_HIT] == 1:
        hit_all(room, state_at, hit_at, params, flags)
        return
    if tape is None and step[MOST_ACTION_DICE] <= QUICK_DICE:
        fair_words(room, i64(WORDS), flags, stream, row, chunk)
        if step[MOST_ACTION_DICE] > WORD_DICE:
            fair_words(room, i64(MORE_WORDS), flags, stream, row + 1, chunk)
        if step[MOST_ACTION_DICE] <= 3:
            act_quick(room, state_at, hit_at, params, flags)
        elif step[MOST_ACTION_DICE] == 4:
            act_quick_four(room, state_at, hit_at, params, flags)
        elif step[MOST_ACTION_DICE] == 5:
            act_quick_five(room, state_at, hit_at, params, flags)
        else:
            act_quick_six(room, state_at, hit_at, params, flags)
        return
    aim(room, state_at, hit_at, params, flags)
    if tape is not None:
        record_pool(tape, taped, room, first_id, row, False)
    rows = (step[MOST_ACTION_DICE] + WORD_DICE - 1) // WORD_DICE
    roll_rows(room, flags, stream, row, chunk, i64(2), rows, tape, taped, first_id)
    read_action(room, state_at, hit_at, params, flags)


@part
def roll_to_injure(
    room, state_at, hit_at, params, flags, stream, row, flat_row, chunk, step, planes, tape, taped, first_id
):  # fmt: skip
    """Spending and injury rolls of one shot."""
    spending, quick = step[SPENDING], i64(0)
    if tape is None:
        quick = step[QUICK_INJURY]
    if spending == SPEND_DICE:
        for k in range(planes.shape[0]):
            choose_dice(room, state_at, hit_at, planes[k], flags)
    elif spending == SPEND_ANY:
        for k in range(planes.shape[0]):
            choose(room, state_at, hit_at, planes[k], flags)
    elif quick != 2:
        choose_blood(room, state_at, hit_at, params, flags)
    if quick > 0:
        fair_words(room, i64(WORDS), flags, stream, row, chunk)
        if quick == 3:
            waiting = load_quick_three(room, state_at, hit_at, params, flags)
        elif spending == SPEND_DICE:
            waiting = load_quick_dice(room, state_at, hit_at, params, flags)
        elif spending == SPEND_ANY:
            waiting = load_quick_any(room, state_at, hit_at, params, flags)
        else:
            waiting = load_quick(room, state_at, hit_at, params, flags)
        roll_rest(room, flags, stream, row + 1, chunk, quick, waiting, tape, taped, first_id)
        if quick == 3:
            add_up_three(room, state_at, hit_at, params, flags)
        return
    load(room, state_at, hit_at, params, flags)
    if tape is not None:
        record_pool(tape, taped, room, first_id, row, True)
    waiting = roll_rows(room, flags, stream, row, chunk, step[KEEP], i64(1), tape, taped, first_id)
    roll_rest(room, flags, stream, row + 1, chunk, step[KEEP], waiting, tape, taped, first_id)
    add_up(room, state_at, hit_at, params, flags)
    if step[FLAT_DIE] == 1:
        load_flat(room, state_at, hit_at, params, flags)
        if tape is not None:
            record_pool(tape, taped, room, first_id, flat_row, False)
        roll_rows(room, flags, stream, flat_row, chunk, i64(1), i64(1), tape, taped, first_id)
        add_flat(room, state_at, hit_at, params, flags)


@part
def volley(room, state_at, params, flags, stream, move, chunk, step, planes, tape, taped, first_id):
    """One volley for a chunk of lanes: roll to hit with every shot, then injure with every hit.

    Gives how many lanes went out of action.
    """
    shots, went = step[SHOTS], i64(0)
    if shots > 1 or step[RISKY] == 1:
        begin_volley(room, state_at, 0, params[0], flags)
    for shot in range(shots):
        hit_at, row = WORK_AT + (HITS + shot) * LANES, row_of(move, ACTION_POOL, shot)
        roll_to_hit(
            room, state_at, hit_at, params[min(shot, 1)], flags, stream, row, chunk, step, tape, taped, first_id
        )
        if step[RISKY] == 1:
            note_miss(room, state_at, hit_at, params[0], flags)
    if step[RISKY] == 1:
        end_activation(room, state_at, 0, params[0], flags)
    for shot in range(shots):
        hit_at = WORK_AT + (HITS + shot) * LANES
        row, flat_row = row_of(move, INJURY_POOL, shot), row_of(move, FLAT_POOL, shot)
        roll_to_injure(
            room, state_at, hit_at, params[0], flags, stream, row, flat_row, chunk, step, planes, tape, taped, first_id
        )
        quick = tape is None and step[QUICK_INJURY] == 2
        if shots == 1 and quick:
            went += injure_quick(room, state_at, hit_at, params[0], flags)
        elif shots == 1:
            went += injure(room, state_at, hit_at, params[0], flags)
        elif quick:
            went += injure_shot_quick(room, state_at, hit_at, params[0], flags)
        else:
            went += injure_shot(room, state_at, hit_at, params[0], flags)
    if shots > 1:
        end_volley(room, state_at, 0, params[0], flags)
    return went
