"""What is known at a moment of a turn, and what may be done then."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from tcsim.aos.plans.rolls import Roll, Sure
from tcsim.aos.plans.table import commands
from tcsim.aos.plans.turn import Atom, Event, Goal, Turn, Unit

#: What is known, by name: ``points``; ``lost:UNIT``, damage that counts; ``made:N``, what came of event N;
#: ``used:COMMAND``, ``busy:UNIT``, ``guarded:UNIT`` in this phase; ``ran:UNIT``, ``moved:UNIT``, ``exposed:UNIT`` in
#: this turn; ``rallied:UNIT``, rally points.
View: TypeAlias = Mapping[str, int]

#: Of what a roll comes to, what changes.
Then: TypeAlias = Callable[[int], Mapping[str, int]]

#: Owners of an objective as numbers.
OWNERS = ("nobody", "yours", "theirs")


@dataclass(frozen=True, slots=True)
class Option:
    """Something that may be done in a step.

    Parameters
    ----------
    roll : Roll
        What is rolled then.
    then : callable
        Of what it comes to, what changes.
    command : str, optional
        The command that it is, by id; empty for none.
    unit : str, optional
        Who uses it.
    cost : int, optional
        What it costs.
    changes : mapping of str to int, optional
        What changes before the roll.
    word : str, optional
        What is done, where that is a choice without a command.
    """

    roll: Roll
    then: Then
    command: str = ""
    unit: str = ""
    cost: int = 0
    changes: Mapping[str, int] | None = None
    word: str = ""


def _nothing(outcome: int) -> Mapping[str, int]:
    return {}


#: Nothing happens.
PASS = Option(Sure(), _nothing)


def settled(**changes: int) -> Then:
    """Change the same whatever is rolled.

    Parameters
    ----------
    **changes : int
        What changes.

    Returns
    -------
    callable
        For an option.
    """
    return lambda outcome: changes


def left(unit: Unit, lost: int) -> int:
    """Give how many models a unit has left.

    Parameters
    ----------
    unit : Unit
        The unit; it has an end of models.
    lost : int
        Damage that it has taken.

    Returns
    -------
    int
        Models.
    """
    return -(-((unit.most or 0) - lost) // unit.health)


class Known:
    """What is known in a turn.

    Parameters
    ----------
    turn : Turn
        The turn.
    """

    def __init__(self, turn: Turn) -> None:
        self.turn = turn
        self.commands = commands(turn.edition)
        self.most = {unit.name: self._most(unit) for unit in turn.units.values()}

    def _most(self, unit: Unit) -> int:
        """The damage on a unit that counts."""
        if unit.most is not None:
            return unit.most
        atoms = [atom for goal in self.turn.goals for atom in goal.atoms]
        return max((atom.least for atom in atoms if (atom.kind, atom.name) == ("damage", unit.name)), default=0)

    def start(self) -> dict[str, int]:
        """Give what is known at the start, where it is not 0; points are left out.

        Returns
        -------
        dict of str to int
            Name to value.
        """
        return {f"lost:{unit.name}": unit.lost for unit in self.turn.units.values() if unit.lost}

    def alive(self, view: View, *names: str) -> bool:
        """Say whether units are there.

        Parameters
        ----------
        view : View
            What is known.
        *names : str
            The units; an empty name is nobody.

        Returns
        -------
        bool
            Whether none of them is destroyed.
        """
        units = [self.turn.units[name] for name in names if name]
        return all(unit.most is None or view[f"lost:{unit.name}"] < unit.most for unit in units)

    def wounds(self, *names: str) -> set[str]:
        """Give where the damage of units is known, to the point.

        Parameters
        ----------
        *names : str
            The units; an empty name is nobody.

        Returns
        -------
        set of str
            What is looked at.
        """
        return {f"lost:{name}" for name in names if name}

    def lives(self, *names: str, models: bool = False) -> set[str]:
        """Give where it is known whether units are there: ``alive:UNIT``; and how many models: ``left:UNIT``.

        Parameters
        ----------
        *names : str
            The units; an empty name is nobody.
        models : bool, optional
            Whether the number of models matters.

        Returns
        -------
        set of str
            What is looked at; nothing of a unit that has no end of models.
        """
        units = (self.turn.units[name] for name in names if name)
        return {f"{'left' if models else 'alive'}:{unit.name}" for unit in units if unit.most is not None}

    def hurt(self, view: View, name: str, dealt: int) -> dict[str, int]:
        """Add damage to a unit.

        Parameters
        ----------
        view : View
            What is known.
        name : str
            The unit; an empty name is nobody.
        dealt : int
            The damage.

        Returns
        -------
        dict
            What changes.
        """
        return {f"lost:{name}": min(view[f"lost:{name}"] + dealt, self.most[name])} if name else {}

    def _charges(self, place: int, *names: str) -> list[tuple[int, Event]]:
        """Charges before an event in which all of these units take part."""
        before = enumerate(self.turn.events[:place])
        return [(n, one) for n, one in before if one.kind == "charge" and {*names} <= {one.unit, one.target}]

    def engaged(self, view: View, place: int, name: str) -> bool:
        """Say whether a unit is in combat.

        Parameters
        ----------
        view : View
            What is known.
        place : int
            Before which event.
        name : str
            The unit.

        Returns
        -------
        bool
            Whether it was at the start, or a charge was made, by it or at it, and both units are there.
        """
        made = ((view[f"made:{n}"], one) for n, one in self._charges(place, name))
        return self.turn.units[name].in_combat or any(
            done and self.alive(view, one.unit, one.target) for done, one in made
        )

    def engaged_by(self, place: int, name: str) -> set[str]:
        """Give what :meth:`engaged` looks at.

        Parameters
        ----------
        place : int
            Before which event.
        name : str
            The unit.

        Returns
        -------
        set of str
            What is looked at.
        """
        charges = self._charges(place, name)
        return {f"made:{n}" for n, _ in charges}.union(*(self.lives(one.unit, one.target) for _, one in charges))

    def meet(self, view: View, place: int, event: Event) -> bool:
        """Say whether two units fight: where they charge each other, only once a charge was made.

        Parameters
        ----------
        view : View
            What is known.
        place : int
            Place of the fight among the events.
        event : Event
            The fight.

        Returns
        -------
        bool
            Whether they do.
        """
        charges = self._charges(place, event.unit, event.target)
        started = any(self.turn.units[name].in_combat for name in (event.unit, event.target))
        return not charges or started or any(view[f"made:{n}"] for n, _ in charges)

    def met_by(self, place: int, event: Event) -> set[str]:
        """Give what :meth:`meet` looks at.

        Parameters
        ----------
        place : int
            Place of the fight among the events.
        event : Event
            The fight.

        Returns
        -------
        set of str
            What is looked at.
        """
        return {f"made:{n}" for n, _ in self._charges(place, event.unit, event.target)}

    # --- commands --------------------------------------------------------------------------------------------------

    def may(self, view: View, command: str, unit: str) -> bool:
        """Say whether a command can be paid, and neither the unit nor the army has used it up (1.2).

        Parameters
        ----------
        view : View
            What is known.
        command, unit : str
            The command, and who would use it.

        Returns
        -------
        bool
            Whether it may be used.
        """
        if command in self.turn.without or view["points"] < self.commands[command].cost:
            return False
        return not view[f"used:{command}"] and not view[f"busy:{unit}"]

    def asked_by(self, command: str, unit: str) -> set[str]:
        """Give what :meth:`may` looks at.

        Parameters
        ----------
        command, unit : str
            The command, and who would use it.

        Returns
        -------
        set of str
            What is looked at.
        """
        return {"points", f"used:{command}", f"busy:{unit}"}

    def paid(self, view: View, command: str, unit: str, roll: Roll, then: Then, *more: str) -> Option:
        """Make the option of a command.

        Parameters
        ----------
        view : View
            What is known.
        command, unit : str
            The command, and who uses it.
        roll : Roll
            What is rolled then.
        then : callable
            What that changes.
        *more : str
            What becomes 1 of the unit, as ``ran``.

        Returns
        -------
        Option
            The option.
        """
        cost = self.commands[command].cost
        changes = {"points": view["points"] - cost, f"used:{command}": 1, f"busy:{unit}": 1}
        return Option(roll, then, command, unit, cost, changes | {f"{name}:{unit}": 1 for name in more})

    # --- goals -----------------------------------------------------------------------------------------------------

    def event_of(self, atom: Atom, before: int) -> int:
        """Find the event that a condition is about: the last one of its kind and name.

        Parameters
        ----------
        atom : Atom
            The condition.
        before : int
            Before which event.

        Returns
        -------
        int
            Its place; -1 where there is none.
        """
        events = self.turn.events[:before]
        return max((n for n, one in enumerate(events) if (one.kind, one.name) == (atom.kind, atom.name)), default=-1)

    def _own_charges(self, before: int) -> list[int]:
        events = self.turn.events[:before]
        return [n for n, one in enumerate(events) if one.kind == "charge" and self.turn.units[one.unit].own]

    def holds(self, view: View, goal: Goal, before: int) -> bool:
        """Say whether all conditions of a goal hold.

        Parameters
        ----------
        view : View
            What is known.
        goal : Goal
            The goal.
        before : int
            Before which event this is asked.

        Returns
        -------
        bool
            Whether they do.
        """
        return all(self._holds(view, atom, before) for atom in goal.atoms)

    def _holds(self, view: View, atom: Atom, before: int) -> bool:
        if atom.kind in ("destroyed", "survives"):
            return self.alive(view, atom.name) is (atom.kind == "survives")
        if atom.kind == "damage":
            return view[f"lost:{atom.name}"] - self.turn.units[atom.name].lost >= atom.least
        if atom.kind == "models":
            return left(self.turn.units[atom.name], view[f"lost:{atom.name}"]) >= atom.least
        if atom.kind == "charges":
            return sum(view[f"made:{n}"] for n in self._own_charges(before)) >= atom.least
        return view[f"made:{self.event_of(atom, before)}"] == 1

    def held_by(self, goal: Goal, before: int) -> set[str]:
        """Give what :meth:`holds` looks at.

        Parameters
        ----------
        goal : Goal
            The goal.
        before : int
            Before which event this is asked.

        Returns
        -------
        set of str
            What is looked at.
        """
        found: set[str] = set()
        for atom in goal.atoms:
            if atom.kind == "charges":
                found |= {f"made:{n}" for n in self._own_charges(before)}
            elif atom.kind in ("destroyed", "survives", "damage", "models"):
                found |= (
                    self.wounds(atom.name)
                    if atom.kind == "damage"
                    else self.lives(atom.name, models=atom.kind == "models")
                )
            else:
                found.add(f"made:{self.event_of(atom, before)}")
        return found
