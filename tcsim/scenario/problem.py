"""The Problem: a scenario as plain numbers, all that an engine ever sees.

Names, editions and situations are settled before; what differs between a standing and a Down target or between a plain
and a critical hit stands in the step as separate numbers, so that no engine knows a rule about them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tcsim.rules import Charts, Rulings

#: Dice that an action roll keeps, in every edition.
ACTION_KEEP = 2

#: ``Step.kind``.
ATTACK, STAND, ACTIVATION = 0, 1, 2

#: ``Policy.blood_on_injury``, in the order in which the policies are told.
NONE, ALL, BLOODBATH, GREEDY, OPTIMAL = range(5)
BLOOD_POLICIES = ("none", "all", "bloodbath", "greedy", "optimal")


class Step(NamedTuple):
    """One row of a problem: some volleys of attacks, one after the other, or an event.

    A volley is ``shots`` attacks whose injuries are rolled against the state before it and applied together; attacks
    in turn are volleys of one. The suffixes: ``_down`` against a Down target, ``_critical`` on a critical.
    """

    kind: int = ATTACK
    volleys: int = 1
    shots: int = 1
    auto_hit: int = 0
    risky: int = 0
    action_dice: int = 0
    action_dice_down: int = 0
    first_shot_dice: int = 0
    injury_keep: int = 2
    injury_dice: int = 0
    injury_dice_critical: int = 0
    injury_dice_down: int = 0
    injury_dice_down_critical: int = 0
    injury_modifier: int = 0
    injury_modifier_critical: int = 0
    injury_modifier_down: int = 0
    injury_modifier_down_critical: int = 0
    markers: int = 0


class State(NamedTuple):
    """The target between two attacks; out of action is no state but the end."""

    down: int = 0
    blood: int = 0
    blessing: int = 0
    tough: int = 0


class Policy(NamedTuple):
    """Who spends what on injury rolls: ``blood`` a code of ``BLOOD_POLICIES``, ``blessing`` 0 none or 1 all."""

    blood: int = NONE
    blessing: int = 0


@dataclass(frozen=True)
class Problem:
    """A resolved scenario.

    Parameters
    ----------
    edition : str
        Edition id.
    charts : Charts
        Thresholds and marker numbers of the edition.
    rulings : Rulings
        Options that decide what rolls and results do.
    start : State
        The target before the first step.
    minor_for_down : int
        1 where Down results become Minor Hit.
    policy : Policy
        Who spends what on injury rolls.
    steps : tuple of Step
        What happens, in order.
    """

    edition: str
    charts: Charts
    rulings: Rulings
    start: State
    minor_for_down: int
    policy: Policy
    steps: tuple[Step, ...]

    @cached_property
    def rolls(self) -> int:
        """How many attack rolls there are at most."""
        return sum(step.volleys * step.shots for step in self.steps if step.kind == ATTACK)

    @cached_property
    def moves(self) -> int:
        """How many volleys and events there are."""
        return sum(step.volleys for step in self.steps)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of all its numbers, in hex: the same question has the same one, however it was asked."""
        import hashlib

        numbers = [tuple(self.charts), tuple(self.rulings), tuple(self.start), self.minor_for_down, tuple(self.policy)]
        text = repr([self.edition, *numbers, *map(tuple, self.steps)])
        return hashlib.sha256(text.encode("ascii")).hexdigest()
