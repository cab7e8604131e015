"""Where things stand in the arrays that the kernels read and work in: rows, parameters, and a lane's state."""

from __future__ import annotations

#: Trials of one block, and lanes of a chunk; part of the stream.
BLOCK, LANES = 65_536, 1_024

# rows of the workspace, a chunk each; the first two have a place that is given with each pass: the state of the chunk,
# and a row of the pass's own, mostly that of a shot's hits
STATE, OWN = -2, -1
HIT = OWN
(
    TOP0,
    TOP1,
    TOP2,
    TOP3,
    TOP4,
    LEFT,
    LOWEST,
    CHOICE,
    BATHED,
    PLACED,
    FALLEN,
    ABSORBED,
    TOTAL,
    BEFORE,
    WORDS,
    MORE_WORDS,
    SPARE_WORDS,
    HITS,
) = range(18)
TOPS = (TOP0, TOP1, TOP2, TOP3, TOP4)

#: Most shots of a volley: each has a row of hits.
MAX_SHOTS = 20

#: Where the rows begin: the states and the trial numbers of a whole block stand before them.
IDS_AT = BLOCK
WORK_AT = 2 * BLOCK
#: Numbers of 16 bits of all the room that a kernel works in.
ROOM = WORK_AT + (HITS + MAX_SHOTS) * LANES

# what a move is (MOVE) and how it is played: numbers that the kernels branch on, one row for each step
MOVE, SHOTS, AUTO_HIT, RISKY, MOST_ACTION_DICE, KEEP, QUICK_INJURY, SPENDING, FLAT_DIE = range(9)
STEP_NUMBERS = 9
ATTACK, STAND, ACTIVATION = 0, 1, 2
#: What can be spent: every blood marker or none, as many as are chosen, or also a Bloodbath and blessings.
SPEND_BLOOD, SPEND_DICE, SPEND_ANY = 0, 1, 2

#: Dice from a word, and most dice of an action roll that is rolled and read in one pass.
WORD_DICE, QUICK_DICE = 3, 6

# parameters: numbers that the passes read, one row for first shots and one for others, of each step; names that end
# in DOWN hold against a Down target, those with CRITICAL on a critical; "mask" is 0xFFFF or 0
(
    ACTION_SIZE,
    ACTION_SIZE_DOWN,
    ACTION_LOWEST,  # mask
    ACTION_LOWEST_DOWN,
    SUCCESS,
    CRITICAL,
    ALL_BLOOD,  # the bits of blood, where every marker is spent
    INJURY_SIZE,
    INJURY_DICE,
    INJURY_DICE_CRITICAL,
    INJURY_DICE_DOWN,
    INJURY_DICE_DOWN_CRITICAL,
    BLESSING,  # dice taken away by the blessing markers that the target spends
    BLESSING_SPENT,  # the bit of held blessings, where they are spent
    BATH_COST,
    BATH_COST_DOWN,
    BATH_KEEPS,  # 1 where a Bloodbath keeps one die more, 0 where it adds a flat one
    KEEPS_SECOND,  # masks: injury rolls keep so many
    KEEPS_THIRD,
    KEEPS_FOURTH,
    KEEPS_FIFTH,
    MODIFIER,
    MODIFIER_CRITICAL,
    MODIFIER_DOWN,
    MODIFIER_DOWN_CRITICAL,
    MINOR_HIT,
    DOWN,
    OUT,
    ALWAYS_MARKERS,
    MINOR_HIT_MARKERS,
    DOWN_MARKERS,
    DOWN_AGAIN_MARKERS,
    MARKER_LIMIT,
    SOFTENS,  # mask: Down is a Minor Hit
    SOFTENS_TOUGH,  # mask: also when TOUGH made it Down
    ABSORBS_VOLLEY,  # mask: TOUGH holds for every shot of a volley
    AGAIN_COUNTS,  # mask: a second Down in one volley counts as again
) = range(37)
PARAMS = 37

# a lane's state in one word
BLOOD, IS_DOWN, IS_TOUGH, HOLDS_BLESSING, HAS_ENDED, IS_OUT = 7, 8, 16, 32, 64, 128
IDLE = HAS_ENDED | IS_OUT
STATE_CODES = 256

# parameters of :func:`tcsim.kernels.attack.choose`: eight words, then the bits of the state to look at and to look for
LOOK_AT, LOOK_FOR, PLANE_PARAMS = 8, 9, 10

# Every pool has rows of words of its own: POOL_ROWS for each kind of pool, of each shot, of each move.
ACTION_POOL, INJURY_POOL, FLAT_POOL = 0, 1, 2
POOL_ROWS, MOVE_POOLS = 64, 64
#: Most net dice before markers, so that a pool's rows hold it.
MOST_NET = 170

# An entry of a tape is a die (0 to 5, and its row of words from TAPE_ROW on), or with TAPE_POOL set a pool that begins
# (bit 0: the lowest are kept; what is spent from bit 1 on; its first row), or with TAPE_END set how the trial ended.
TAPE_ROW, TAPE_SPENT = 8, 1
# What is spent: so many bits of dice, and one for a Bloodbath.
SPENT_BITS, SPENT_BITS_SPECIAL = 3, 4
TAPE_POOL, TAPE_END = 1 << 41, 1 << 42
