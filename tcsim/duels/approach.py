"""How two models come together: who reaches whom by a charge, and where each stands after its activation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any, NamedTuple, TypeVar

from tcsim.base.errors import InputError
from tcsim.duels.model import OUT_OF_REACH, Approach
from tcsim.duels.rules import contact_in

#: Inches that each face of a charge die adds, and how many dice are rolled, of which the highest counts.
CHARGE_DICE: dict[str, tuple[int, tuple[int, ...]]] = {
    "none": (0, (0, 0, 0, 0, 0, 0)),
    "D3": (1, (1, 1, 2, 2, 3, 3)),
    "D6": (1, (1, 2, 3, 4, 5, 6)),
    "2D6": (2, (1, 2, 3, 4, 5, 6)),
    "2D3": (2, (1, 1, 2, 2, 3, 3)),
}

#: Most distances at which an activation can begin.
MAX_DISTANCES = 300


T = TypeVar("T")


class Mover(NamedTuple):
    """How a side moves.

    ``move``: its Movement in inches; ``die``: what its charge adds; ``charges``: whether and how it does (see
    ``Approach``); ``steady``: having stood up does not slow it.
    """

    move: float
    die: str
    charges: int
    steady: bool = False


def approach_of(
    distance: float, movers: tuple[Mover, Mover], activation: Mapping[str, Any], fails: int, activations: int
) -> Approach:
    """Work out every distance that can be met, and what each side can do there.

    Parameters
    ----------
    distance : float
        Inches between the two at the start.
    movers : tuple of Mover
        The sides.
    activation : mapping
        The edition's: ``charge_in`` is the longest charge, ``halved`` what is halved for one that has stood up: its
        Move, or ``all`` it moves.
    fails : int
        As ``Approach.fails``.
    activations : int
        How many there are at most.

    Returns
    -------
    Approach
        As the engines read it.

    Raises
    ------
    InputError
        When there are too many distances.

    Examples
    --------
    >>> from tcsim.rules import edition
    >>> found = approach_of(24, (Mover(6, "D6", 1), Mover(6, "D6", 1)), edition("1.6.3").activation, 0, 12)
    >>> found.distances  # those with half a Move too
    (24.0, 18.0, 21.0, 12.0, 15.0, 6.0, 9.0, 1.0, 3.0)
    >>> found.needs[0][0]
    (7, 7, 7, 6, 7, 1, 3, 1, 1)
    """
    steps = (_Steps(movers[0], activation), _Steps(movers[1], activation))
    found = [_exact(distance)]
    waiting = found[:]
    for _ in range(activations):
        ahead = [
            after
            for here in waiting
            for one in steps
            for stood in (0, 1)
            for after in {one.closed(here, stood), *(one.charged(here, stood) if fails else ())}
        ]
        waiting = [one for one in dict.fromkeys(ahead) if one not in found]
        found += waiting
        if len(found) > MAX_DISTANCES:
            message = f"these are more than {MAX_DISTANCES} distances at which an activation can begin"
            raise InputError(f"{message}; begin nearer, or move in whole inches", "approach")
    place = {one: index for index, one in enumerate(found)}

    def by_ground(what: Callable[[_Steps, Fraction, int], T]) -> tuple[tuple[tuple[T, ...], tuple[T, ...]], ...]:
        return tuple(
            (tuple(what(one, here, 0) for here in found), tuple(what(one, here, 1) for here in found)) for one in steps
        )

    def closed(one: _Steps, here: Fraction, stood: int) -> int:
        return place.get(one.closed(here, stood), place[here])

    def stays(one: _Steps, here: Fraction, stood: int) -> tuple[int, ...]:
        return tuple(place.get(after, place[here]) for after in one.charged(here, stood))

    return Approach(
        distances=tuple(map(float, found)),
        charges=(movers[0].charges, movers[1].charges),
        dice=(CHARGE_DICE[movers[0].die][0], CHARGE_DICE[movers[1].die][0]),
        needs=by_ground(_Steps.needed),
        closes=by_ground(closed),
        stays=by_ground(stays),
        fails=fails,
    )


class _Steps:
    """How far a side comes, in exact inches, by whether it has stood up in this turn (0 or 1)."""

    def __init__(self, mover: Mover, activation: Mapping[str, Any]) -> None:
        half = Fraction(1) if mover.steady else Fraction(1, 2)
        die = half if activation["halved"] == "all" else Fraction(1)
        move, faces = _exact(mover.move), CHARGE_DICE[mover.die][1]
        self._move = (move, move * half)
        self._reaches = tuple(
            [min(inches + face * share, Fraction(activation["charge_in"])) for face in faces]
            for inches, share in ((move, Fraction(1)), (move * half, die))
        )

    def needed(self, here: Fraction, stood: int) -> int:
        """The lowest face that reaches."""
        faces = [face for face, reach in enumerate(self._reaches[stood], start=1) if reach >= here]
        return min(faces, default=OUT_OF_REACH)

    def closed(self, here: Fraction, stood: int) -> Fraction:
        """Where it comes to by its Move."""
        return _nearer(here, self._move[stood])

    def charged(self, here: Fraction, stood: int) -> list[Fraction]:
        """Where a charge that does not reach ends, by face; the face 0 stands for none rolled."""
        return [_nearer(here, reach) for reach in (Fraction(0), *self._reaches[stood])]


def _nearer(here: Fraction, inches: Fraction) -> Fraction:
    return min(here, max(here - inches, Fraction(contact_in())))


def _exact(inches: float) -> Fraction:
    """The number that was written: 8.2 - 5.2 is 3, not a little less."""
    return Fraction(repr(inches))
