"""How two models come together: who reaches whom by a charge, and where each stands after its activation."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from tcsim.base.errors import InputError
from tcsim.duels.model import OUT_OF_REACH, Approach
from tcsim.duels.rules import Charge, contact_in

#: Inches that each face of a charge die adds, and how many dice are rolled, of which the highest counts.
CHARGE_DICE: dict[str, tuple[int, tuple[int, ...]]] = {
    "none": (0, (0, 0, 0, 0, 0, 0)),
    "D3": (1, (1, 1, 2, 2, 3, 3)),
    "D6": (1, (1, 2, 3, 4, 5, 6)),
    "2D6": (2, (1, 2, 3, 4, 5, 6)),
}

#: Most distances at which an activation can begin.
MAX_DISTANCES = 300


T = TypeVar("T")


class Mover(NamedTuple):
    """How a side moves: its Movement in inches, its charge die, and whether and how it charges (see ``Approach``)."""

    move: float
    die: str
    charges: int


def approach_of(distance: float, movers: tuple[Mover, Mover], rules: Charge, fails: int, activations: int) -> Approach:
    """Work out every distance that can be met, and what each side can do there.

    Parameters
    ----------
    distance : float
        Inches between the two at the start.
    movers : tuple of Mover
        The sides.
    rules : Charge
        Of the edition.
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
    >>> from tcsim.duels.rules import charge_of
    >>> found = approach_of(24, (Mover(6, "D6", 1), Mover(6, "D6", 1)), charge_of("1.6.3"), 0, 12)
    >>> found.distances  # those with half a Move too
    (24, 18.0, 21.0, 12.0, 15.0, 6.0, 9.0, 1.0, 3.0)
    >>> found.needs[0][0]
    (7, 7, 7, 6, 7, 1, 3, 1, 1)
    """
    found, waiting = [distance], [distance]
    for _ in range(activations):
        ahead = [
            after
            for here in waiting
            for mover in movers
            for stood in (0, 1)
            for after in {_closed(here, mover, stood), *(_charged(here, mover, stood, rules) if fails else ())}
        ]
        waiting = [one for one in dict.fromkeys(ahead) if one not in found]
        found += waiting
        if len(found) > MAX_DISTANCES:
            message = f"these are more than {MAX_DISTANCES} distances at which an activation can begin"
            raise InputError(f"{message}; begin nearer, or move in whole inches", "approach")
    place = {one: index for index, one in enumerate(found)}

    def by_ground(what: Callable[[float, Mover, int], T]) -> tuple[tuple[tuple[T, ...], tuple[T, ...]], ...]:
        return tuple(
            (tuple(what(here, mover, 0) for here in found), tuple(what(here, mover, 1) for here in found))
            for mover in movers
        )

    def closed(here: float, mover: Mover, stood: int) -> int:
        return place.get(_closed(here, mover, stood), place[here])

    def stays(here: float, mover: Mover, stood: int) -> tuple[int, ...]:
        return tuple(place.get(after, place[here]) for after in _charged(here, mover, stood, rules))

    return Approach(
        distances=tuple(found),
        charges=(movers[0].charges, movers[1].charges),
        dice=(CHARGE_DICE[movers[0].die][0], CHARGE_DICE[movers[1].die][0]),
        needs=by_ground(lambda here, mover, stood: _needed(here, mover, stood, rules)),
        closes=by_ground(closed),
        stays=by_ground(stays),
        fails=fails,
    )


def _reaches(mover: Mover, stood: int, rules: Charge) -> list[float]:
    """How far a charge comes, by face."""
    half = 0.5 if stood else 1.0
    bonus = CHARGE_DICE[mover.die][1]
    share = half if rules.stood_halves == "all" else 1.0
    return [min(mover.move * half + inches * share, rules.limit) for inches in bonus]


def _needed(here: float, mover: Mover, stood: int, rules: Charge) -> int:
    faces = [face for face, reach in enumerate(_reaches(mover, stood, rules), start=1) if reach >= here]
    return min(faces, default=OUT_OF_REACH)


def _closed(here: float, mover: Mover, stood: int) -> float:
    return _nearer(here, mover.move * (0.5 if stood else 1.0))


def _charged(here: float, mover: Mover, stood: int, rules: Charge) -> list[float]:
    """Where a charge that does not reach ends, by face; the face 0 stands for none rolled."""
    return [_nearer(here, reach) for reach in (0.0, *_reaches(mover, stood, rules))]


def _nearer(here: float, inches: float) -> float:
    return min(here, max(round(here - inches, 6), contact_in()))
