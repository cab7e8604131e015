"""The action roll of an edition, as questions use it: its chance, and its rolling."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

from tcsim.base.lang import mark
from tcsim.dice import Pool
from tcsim.questions.kinds import Whole
from tcsim.questions.question import Input
from tcsim.rules import edition

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tcsim.questions.rolling import Dice

#: Net +/-DICE of an action roll; every question that has one calls it so.
ACTION_DICE = Input(
    "action_dice",
    Whole(-40, 40),
    mark("Net +/-DICE of the action roll: characteristic, situation, markers"),
    default=0,
)


def chance(rules: str, net: int) -> Fraction:
    """Give the chance that an action roll succeeds: 7 or more with the dice that are kept.

    Parameters
    ----------
    rules : str
        The edition.
    net : int
        Net +/-DICE.

    Returns
    -------
    Fraction
        Probability in [0, 1].

    Examples
    --------
    >>> chance("1.6.3", 0), chance("1.6.3", -1)
    (Fraction(7, 12), Fraction(23, 72))
    """
    return Pool(net).at_least(edition(rules).charts.success)


def succeeds(rules: str, net: int, dice: Dice, trials: int) -> NDArray[np.bool_]:
    """Make an action roll in every trial.

    Parameters
    ----------
    rules : str
        The edition.
    net : int
        Net +/-DICE.
    dice : Dice
        The dice.
    trials : int
        How many.

    Returns
    -------
    array of bool, shape (trials,)
        Whether it succeeds.
    """
    rolled: NDArray[np.bool_] = dice.total(Pool(net), trials) >= edition(rules).charts.success
    return rolled
