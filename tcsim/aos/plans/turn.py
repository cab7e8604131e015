"""A turn, or several, for which command points are budgeted: units, events in the order of the phases, and a goal."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction

from tcsim.aos.fights.sequence import USUAL, Profile, Readings
from tcsim.dice import Pool


@dataclass(frozen=True, slots=True)
class Unit:
    """A unit of either side.

    Parameters
    ----------
    name : str
        Its name.
    own : bool
        Whether it is yours.
    save, ward : int, optional
        7 for none.
    models : int or None, optional
        How many it had when it was whole; None where no damage destroys it.
    health : int, optional
        Health of each.
    lost : int, optional
        Damage it has taken before, of slain models too.
    control : int, optional
        Control of each model.
    in_combat : bool, optional
        Whether it is in combat as this begins.
    musician : bool, optional
        One more die for Rally.
    """

    name: str
    own: bool
    save: int = 7
    ward: int = 7
    models: int | None = None
    health: int = 1
    lost: int = 0
    control: int = 1
    in_combat: bool = False
    musician: bool = False

    @property
    def most(self) -> int | None:
        """The damage that destroys it when it is whole."""
        return None if self.models is None else self.models * self.health


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happens in a phase.

    Parameters
    ----------
    name : str
        What it is called in goals: the unit's name, or one of its own.
    kind : str
        ``rally``, ``run``, ``spell``, ``prayer``, ``charge``, ``attack`` or ``control``.
    phase : str
        When.
    turn : int
        In which turn, from 0 on.
    unit : str, optional
        Who runs, casts, charges or attacks.
    target : str, optional
        Whom; of a check of control, the objective.
    need : int, optional
        Of a charge: what the 2D6 have to reach; of a run: inches beyond its Move; of a spell or prayer: its value.
    modifier : int, optional
        To the charge, casting or chanting roll, or to hit rolls.
    unbind : int or None, optional
        Modifier of the unbinding roll; None where nobody unbinds.
    ritual : int, optional
        Ritual points that are added to a chanting roll.
    damage : int, Pool or None, optional
        Mortal damage of a spell or prayer.
    weapons : tuple of Profile, optional
        Of an attack.
    each : bool, optional
        Whether the attacks of the weapons are those of each model.
    save_modifier : int, optional
        To the target's save rolls.
    reroll : bool, optional
        Whether the enemy has a reroll for a charge that fails.
    contesting : tuple of (str, Goal or None), optional
        Units that contest an objective, and the condition on which each does.
    owner : str, optional
        Whose an objective is before: ``yours``, ``theirs`` or ``nobody``.
    """

    name: str
    kind: str
    phase: str
    turn: int
    unit: str = ""
    target: str = ""
    need: int = 0
    modifier: int = 0
    unbind: int | None = None
    ritual: int = 0
    damage: int | Pool | None = None
    weapons: tuple[Profile, ...] = ()
    each: bool = False
    save_modifier: int = 0
    reroll: bool = False
    contesting: tuple[tuple[str, Goal | None], ...] = ()
    owner: str = "theirs"


@dataclass(frozen=True, slots=True)
class Atom:
    """One condition of a goal.

    Parameters
    ----------
    kind : str
        ``damage``, ``destroyed``, ``survives``, ``models``, or the kind of an event.
    name : str
        The unit, or the event; empty for ``charges``.
    least : int, optional
        At least how much damage, how many models or charges.
    """

    kind: str
    name: str
    least: int = 1


@dataclass(frozen=True, slots=True)
class Goal:
    """Conditions that all have to hold in the end, and what that is worth.

    Parameters
    ----------
    atoms : tuple of Atom
        The conditions.
    value : Fraction, optional
        Victory points; 1 for a goal that is a chance.
    """

    atoms: tuple[Atom, ...]
    value: Fraction = Fraction(1)


@dataclass(frozen=True, slots=True)
class Turn:
    """All of it.

    Parameters
    ----------
    edition : str
        ``4e`` or ``4e_late``.
    points : int
        Command points there are.
    units : dict of str to Unit
        Of both sides.
    events : tuple of Event
        In their order.
    goals : tuple of Goal
        What is wanted: the sum of the values of those that hold in the end.
    without : frozenset of str, optional
        Commands that are not used.
    readings : Readings, optional
        What the attack sequence leaves open.
    """

    edition: str
    points: int
    units: dict[str, Unit]
    events: tuple[Event, ...]
    goals: tuple[Goal, ...]
    without: frozenset[str] = field(default_factory=frozenset)
    readings: Readings = USUAL

    @property
    def is_chance(self) -> bool:
        """Whether the goal is a chance, and no sum of victory points."""
        return len(self.goals) == 1 and self.goals[0].value == 1
