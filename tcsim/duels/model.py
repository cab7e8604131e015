"""The Duel: two models as plain numbers, all that an engine ever sees.

What one does to the other in an activation is a Problem of the scenario's kind (:mod:`tcsim.scenario.problem`), whose
target is the other; so every rule about rolls and results is written there, and here only what turns two of them into a
fight: who activates when, who stands up, who spends what, and how the two come together.

Sides are numbers: 0 is a, 1 is b. The state of a fighter is the ``State`` in which the other's Problems know it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tcsim.scenario.problem import Problem, State

#: When a Down model stands: all as a round begins, or each as its activation begins.
AT_TURN, AT_ACTIVATION = range(2)

#: What one that is still Down in its activation does: it fights on, or first tries a RISKY action to stand; ``BEST`` is
#: its player's choice, which only optimal play knows.
WAIT, RISKY, BEST = range(3)

#: Who may charge, by side: not at all, whenever it reaches, or as its player chooses in optimal play.
NEVER, ALWAYS, CHOSEN = range(3)

#: What a fighter does in an activation: its attacks in contact, those after a charge, or what it shoots at a distance,
#: whose place is added.
IN_CONTACT, CHARGING, SHOOTING = range(3)

#: ``Approach.needs`` where no roll of the charge die reaches.
OUT_OF_REACH = 7


class Blows(NamedTuple):
    """What one does to the other in an activation, by whether it is Down while it does.

    Every step of the Problems is one attack roll, or one volley (``volleys`` is 1); both have equally many. ``start``
    is the other as the duel begins. ``rolls``: for each step, 0 where it has no action roll, 1 where its player can
    spend blessings on that, 2 where the enemy's player can spend markers on it too. A step's ``first_shot_dice`` are 0
    here: the duel adds what is spent.
    """

    standing: Problem
    down: Problem
    rolls: tuple[int, ...]

    @property
    def first_blessed(self) -> int:
        """The first step on whose action roll blessings can be spent; -1 where there is none."""
        return next((step for step, roll in enumerate(self.rolls) if roll), -1)

    @property
    def first_drained(self) -> int:
        """The first step on whose action roll the enemy's player can spend markers; -1 where there is none."""
        return next((step for step, roll in enumerate(self.rolls) if roll == 2), -1)


class Fighter(NamedTuple):
    """One of the two.

    ``start``: its state as the duel begins. ``melee``: its attacks in contact; ``charging``: the same in the activation
    in which it has charged, and ``shooting``: what it shoots at each distance of the approach (None: nothing); both are
    empty without an approach. ``stand_up``: one of ``WAIT``, ``RISKY``, ``BEST``, and ``stand_dice`` the net DICE of
    that action roll. ``drains``: 1 where its player spends all the *enemy's* markers on the enemy's first action roll
    of each activation, ``blesses``: 1 where it spends all its own blessings on its own. ``optimal``: 1 where its player
    decides both, and what is spent on injury rolls against the enemy, by optimal play.
    """

    start: State
    melee: Blows
    charging: Blows | None = None
    shooting: tuple[Blows | None, ...] = ()
    stand_up: int = WAIT
    stand_dice: int = -1
    drains: int = 0
    blesses: int = 0
    optimal: int = 0


class Approach(NamedTuple):
    """How the two come together.

    Parameters
    ----------
    distances : tuple of float
        Every distance in inches at which an activation can begin, the first one first.
    charges : tuple of int
        By side, ``NEVER``, ``ALWAYS`` or ``CHOSEN``.
    dice : tuple of int
        By side, how many D6 a charge rolls, of which the highest counts: 0, 1 or 2.
    needs : tuple
        By side, whether it has stood up in this turn (0 or 1), and distance: the lowest D6 that reaches, 1 for any (and
        where none is rolled), ``OUT_OF_REACH`` for none.
    closes : tuple
        By the same: the distance (its place in ``distances``) after it has closed by its Move.
    stays : tuple
        By the same and by what is rolled (0: nothing, else the die): the distance after a charge that did not reach.
    fails : int
        What one does whose charge does not reach: 0 it shoots and closes by its Move instead, 1 it has moved, and that
        was its activation.
    """

    distances: tuple[float, ...]
    charges: tuple[int, int]
    dice: tuple[int, int]
    needs: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    closes: tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
    stays: tuple[tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]], ...]
    fails: int = 0


@dataclass(frozen=True)
class Duel:
    """A resolved duel.

    Parameters
    ----------
    edition : str
        Edition id.
    rounds : int
        After so many the duel ends with neither out of action.
    first : int
        The side that activates first in every round.
    stand_at : int
        ``AT_TURN`` or ``AT_ACTIVATION``.
    fighters : tuple of Fighter
        The two.
    approach : Approach, optional
        How they come together; None where they are in contact.
    attacker_first : int, optional
        1 where, of two players who choose for one roll, the one whose model rolls declares first.

    Notes
    -----
    A round: with ``AT_TURN`` every Down model stands. Then ``first`` activates, then the other. An activation: what
    befalls an activated model does (infection grows, it regenerates: ``tcsim.engines.target.activate`` with the
    *enemy's* Problem, whose target it is); with ``AT_ACTIVATION`` it stands; if it is Down, ``stand_up``; then its
    attacks in order, by ``standing`` or ``down``, until one that is RISKY fails.
    """

    edition: str
    rounds: int
    first: int
    stand_at: int
    fighters: tuple[Fighter, Fighter]
    approach: Approach | None = None
    attacker_first: int = 0

    @property
    def order(self) -> tuple[int, int]:
        """The sides in the order in which they activate."""
        return self.first, 1 - self.first

    @property
    def is_optimal(self) -> bool:
        """Whether any choice in it is one of optimal play."""
        return any(fighter.optimal or fighter.stand_up == BEST for fighter in self.fighters)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of all its numbers, in hex: the same duel has the same one, however it was asked."""
        import hashlib

        parts: list[object] = [self.edition, self.rounds, self.first, self.stand_at, self.approach]
        for fighter in self.fighters:
            blows = (fighter.melee, fighter.charging, *fighter.shooting)
            parts.append((tuple(fighter.start), tuple(fighter[4:])))
            parts += [one and (one.standing.fingerprint, one.down.fingerprint, one.rolls) for one in blows]
        parts += [self.attacker_first] if self.is_optimal else []
        return hashlib.sha256(repr(parts).encode("ascii")).hexdigest()


def target_of(duel: Duel, side: int) -> Problem:
    """Give the Problem in which a side is the target, for what depends on the target alone.

    Parameters
    ----------
    duel : Duel
        The duel.
    side : int
        0 or 1.

    Returns
    -------
    Problem
        Its nature, and how it takes results.
    """
    return duel.fighters[1 - side].melee.standing
