"""Where things stand in the arrays that the kernels read: a step, the numbers of a problem, a lane's state."""

from __future__ import annotations

import numpy as np

u16 = np.uint16

# columns of a step, as in scenario.problem.Step
KIND, VOLLEYS, SHOTS, AUTO_HIT, RISKY, ACTION_DICE, ACTION_DICE_DOWN, FIRST_SHOT_DICE = range(8)
INJURY_KEEP, INJURY_DICE, INJURY_MODIFIER, MARKERS = 8, 9, 13, 17
ATTACK, STAND, ACTIVATION = 0, 1, 2

# numbers of a problem beside its steps, in the order of engines.monte_carlo.kernel_inputs
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
    SPENDING,
    PLAN_SEES_TOUGH,
) = range(24)

#: SPENDING: nothing, every marker, or as the choices say.
SPEND_NONE, SPEND_ALL, SPEND_CHOICES = 0, 1, 2

# a lane's state in one word
BLOOD, IS_DOWN, IS_TOUGH, HOLDS_BLESSING, HAS_ENDED, IS_OUT = u16(7), u16(8), u16(16), u16(32), u16(64), u16(128)
IDLE = u16(64 | 128)
STATE_CODES = 256
