"""Morale at the end of a turn, as numbers for engines: who has to test, and how often the test fails."""

from __future__ import annotations

from typing import NamedTuple

from tcsim.rules import edition
from tcsim.situations.action import chance
from tcsim.situations.morale import LEADER_HELPS, has_suffered

#: How the LEADER is: none among these models or standing, Down, out of action; and what questions call that.
STANDING, DOWN, OUT = range(3)
_WORDS = ("standing", "down", "out")


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
    failing : tuple of float
        Chance that it fails, by the LEADER as well.
    """

    needed: int
    dice: tuple[int, int, int]
    success: int
    failing: tuple[float, float, float]


def morale_test(rules: str, models: int, leader: bool, dice: int = 0) -> MoraleTest:
    """Give a warband's morale test.

    Parameters
    ----------
    rules : str
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
    As the question ``tcsim ask morale``.

    Examples
    --------
    >>> test = morale_test("1.0.2", 5, leader=True)
    >>> test.needed, test.dice
    (3, (1, 0, 0))
    """
    standing, down, out = (dice + (leader and word in LEADER_HELPS[rules]) for word in _WORDS)
    failing = [float(1 - chance(rules, net)) for net in (standing, down, out)]
    return MoraleTest(
        next(hurt for hurt in range(models + 1) if has_suffered(models, hurt)),
        (standing, down, out),
        edition(rules).charts.success,
        (failing[0], failing[1], failing[2]),
    )
