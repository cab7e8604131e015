"""Morale at the end of a turn: who has to test, and how often the test fails."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

from tcsim.dice import Pool
from tcsim.rules import Edition

#: How the LEADER is: none among these models or standing, Down, out of action.
STANDING, DOWN, OUT = range(3)


class MoraleTest(NamedTuple):
    """What a warband's morale test is.

    Parameters
    ----------
    needed : int
        From so many models Down or out of action on it is made.
    dice : tuple of int
        Net DICE of the action roll with a LEADER that is standing, Down, and out of action.
    success : int
        Lowest total that holds.
    """

    needed: int
    dice: tuple[int, int, int]
    success: int

    @property
    def failing(self) -> tuple[float, float, float]:
        """Chance that it fails, with a LEADER that is standing, Down, and out of action."""
        chances = [float(1 - Pool(net).at_least(self.success)) for net in self.dice]
        return chances[0], chances[1], chances[2]


def morale_test(rules: Edition, models: int, leader: bool, dice: int = 0) -> MoraleTest:
    """Give a warband's morale test.

    Parameters
    ----------
    rules : Edition
        The edition.
    models : int
        How many models the warband began with.
    leader : bool
        Whether it has a LEADER.
    dice : int, optional
        Net +/-DICE beside the LEADER's.

    Returns
    -------
    MoraleTest
        When it is made, and with how many DICE.

    References
    ----------
    1.6.3: source text, Morale: half or more; LEADER, unless out of action. 1.0.2: rulebook, Morale Phase: half rounded
    up; LEADER, unless Down or out of action.

    Examples
    --------
    >>> from tcsim.rules import edition
    >>> morale_test(edition("1.0.2"), 5, leader=True)
    MoraleTest(needed=3, dice=(1, 0, 0), success=7)
    """
    more = rules.turn["leader_dice"] if leader else 0
    helps = rules.turn["leader_helps"] == "not out"
    return MoraleTest(
        ceil(models * rules.turn["morale_share"]),
        (dice + more, dice + more * helps, dice),
        rules.charts.success,
    )
