"""The situation of an attack: which of the edition's modifiers hold, said by a flag or by a measure."""

from __future__ import annotations

from typing import NamedTuple

from tcsim.base.errors import InputError, show
from tcsim.rules import Edition
from tcsim.scenario import model
from tcsim.scenario.attacker import Attacker
from tcsim.scenario.target import Target
from tcsim.scenario.weapon import Weapon


class OutOfReachError(InputError):
    """The distance that is given is one from which the weapon does not reach."""


class Place(NamedTuple):
    """What a situation is read by besides the attack's own table; ``where``: its place in the input."""

    edition: Edition
    options: dict[str, str | bool]
    attacker: Attacker
    target: Target
    weapon: Weapon
    where: str


def situation_of(table: model.Attack, kind: str, place: Place) -> dict[str, bool]:
    """Say which of the edition's modifiers hold, whether or not something ignores them.

    Parameters
    ----------
    table : model.Attack
        As read.
    kind : str
        ``ranged`` or ``melee``.
    place : Place
        What else it depends on.

    Returns
    -------
    dict
        Every modifier of the edition.

    Raises
    ------
    InputError
        For a measure out of reach, or one that a flag contradicts.
    """
    attacker, target, ranged = place.attacker, place.target, kind == "ranged"
    return {
        "cover": table.cover or (ranged and "cover" in target.sets),
        "long_range": _long_range(table, place),
        "elevated": _elevated(table, ranged, place),
        "defended_obstacle": table.defended_obstacle or (not ranged and table.charging and target.guards),
        "block": not ranged and table.charging and "block" in target.sets,
        "diving_charge": table.diving_charge,
        "off_hand": table.off_hand,
        "fear": (table.fear or (not ranged and "fear" in target.sets)) and not attacker.fearless,
        "attacker_down": attacker.down,
    }


def _long_range(table: model.Attack, place: Place) -> bool:
    reach, name = place.weapon.range_in, place.weapon.name
    if table.distance is None:
        return bool(table.long_range)
    if reach is None:
        raise InputError("distance needs a catalogue weapon with a range; say long_range instead", place.where)
    if table.distance > reach:
        message = f'{table.distance:g}" is out of range, the {name} reaches {reach}"'
        raise OutOfReachError(message, f"{place.where}.distance")
    boundary = reach * place.edition.boundaries["long_range_share"]
    inclusive = place.options["long_range"] == "half-or-more"
    measured = table.distance >= boundary if inclusive else table.distance > boundary
    return _agreed(table.long_range, measured, "long_range", "distance", place.where)


def _elevated(table: model.Attack, ranged: bool, place: Place) -> bool:
    bounds = place.edition.boundaries
    if table.height is None and (table.elevated is not None or not (ranged and place.attacker.height)):
        return bool(table.elevated)
    large = place.target.base_mm >= bounds["large_base_mm"]
    boundary = bounds["elevated_large_base_in" if large else "elevated_in"]
    height = (table.height or 0) + place.attacker.height  # what counts as higher does so on level ground too
    inclusive = place.options["elevated"] == "at-least"
    measured = height >= boundary if inclusive else height > boundary
    return _agreed(table.elevated, measured, "elevated", "height", place.where)


def _agreed(flag: bool | None, measured: bool, name: str, measure: str, where: str) -> bool:
    if flag is not None and flag != measured:
        raise InputError(f"{name} = {show(flag)} contradicts {measure}; give one of the two", where)
    return measured


def check_flags(table: model.Attack, kind: str, place: Place) -> None:
    """Check that no flag belongs to the other kind of attack.

    Parameters
    ----------
    table, kind, place
        As for :func:`situation_of`.

    Raises
    ------
    InputError
        When one does.
    """
    for name in _FLAGS:
        if getattr(table, name) is None or getattr(table, name) is False:  # a distance of 0 is given
            continue
        of = kind_of(name, place.edition)
        if of != kind:
            raise InputError(f"{name} belongs to {of} attacks, this one is {kind}", place.where)


#: Fields that belong to one kind of attack.
_FLAGS = (
    *("cover", "long_range", "elevated", "distance", "height"),
    *("defended_obstacle", "off_hand", "fear", "diving_charge"),
)


def kind_of(name: str, edition: Edition) -> str:
    """Say to which kind of attack a field belongs.

    Parameters
    ----------
    name : str
        A field of an attack.
    edition : Edition
        Whose modifiers they are.

    Returns
    -------
    str
        ``ranged`` or ``melee``; empty for both.

    Examples
    --------
    >>> from tcsim.rules import edition
    >>> [kind_of(name, edition("1.6.3")) for name in ("cover", "height", "off_hand", "action_dice")]
    ['ranged', 'ranged', 'melee', '']
    """
    if name not in _FLAGS:
        return ""
    return edition.modifiers[name].kind if name in edition.modifiers else "ranged"
