"""Final states as numbers: as the kernels' lanes hold them, and as tallies count them."""

from __future__ import annotations

from tcsim.kernels import layout as k
from tcsim.scenario.problem import State


def pack(state: State) -> int:
    """Write a state as a lane holds it, all its blessings or none.

    Parameters
    ----------
    state : State
        Of the start of a problem.

    Returns
    -------
    int
        Bits as in ``layout``.
    """
    held = k.HOLDS_BLESSING if state.blessing else 0
    return state.blood | state.down * k.IS_DOWN | state.tough * k.IS_TOUGH | held


def unpack(code: int, blessing: int) -> State | None:
    """Give the final state of a kernel's code.

    Parameters
    ----------
    code : int
        A lane's state, packed.
    blessing : int
        Blessing markers at the start: a lane holds them all or none.

    Returns
    -------
    State or None
        None for out of action.
    """
    if code & k.IS_OUT:
        return None
    held = blessing if code & k.HOLDS_BLESSING else 0
    return State(int(bool(code & k.IS_DOWN)), code & k.BLOOD, held, int(bool(code & k.IS_TOUGH)))


def encode(state: State | None) -> int:
    """Number a final state, for tallies: 0 is out of action.

    Parameters
    ----------
    state : State or None
        The state.

    Returns
    -------
    int
        From 0; up to 196 for plain states.
    """
    if state is None:
        return 0
    plain = ((state.tough * 2 + state.down) * 7 + state.blood) * 7 + state.blessing
    few = ((state.firm * 2 + state.warded) * _SPARED + state.spared) * 7 + state.infection
    return 1 + plain + _PLAIN * few


#: Plain states; the others are numbered after them. And how many values ``State.spared`` has.
_PLAIN, _SPARED = 2 * 2 * 7 * 7, 4


def decode(code: int) -> State | None:
    """Give the final state of a code in a tally.

    Parameters
    ----------
    code : int
        As :func:`encode` gives it.

    Returns
    -------
    State or None
        None for out of action.
    """
    if code == 0:
        return None
    few, plain = divmod(code - 1, _PLAIN)
    few, infection = divmod(few, 7)
    few, spared = divmod(few, _SPARED)
    firm, warded = divmod(few, 2)
    rest, blessing = divmod(plain, 7)
    rest, blood = divmod(rest, 7)
    tough, down = divmod(rest, 2)
    return State(down, blood, blessing, tough, infection, spared, warded, firm)
