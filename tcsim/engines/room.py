"""The room that kernels work in."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
from numpy.typing import NDArray

from tcsim.kernels import layout as k


def workspace() -> NDArray[np.uint16]:
    """Make the room that a kernel works in.

    Returns
    -------
    array of uint16
        ``ROOM`` of it, at an address that is a multiple of 64.
    """
    room = np.empty(k.ROOM + 32, dtype=np.uint16)
    # Written once: memory that was never written is one and the same page of zeros wherever it is read, and a processor
    # that looks its cache up by address (AMD's) then loses every line to the next row, at ten times the cost.
    room[:] = 0
    first = -room.ctypes.data % 64 // room.itemsize
    return room[first : first + k.ROOM]


#: Rooms that nobody is playing in: to make one takes as long as to play some thousand trials.
_free_rooms: list[NDArray[np.uint16]] = []


@contextmanager
def borrowed_room() -> Iterator[NDArray[np.uint16]]:
    """Lend a room for a kernel to work in.

    Yields
    ------
    array of uint16
        As :func:`workspace` makes it, with whatever was left in it.
    """
    try:
        room = _free_rooms.pop()
    except IndexError:
        room = workspace()
    try:
        yield room
    finally:
        _free_rooms.append(room)
