"""Mortal wounds that are inflicted outright: a D3, wards against them, and what is told of them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import comb
from typing import TYPE_CHECKING, Any

from tcsim.base.lang import mark
from tcsim.questions.kinds import Whole
from tcsim.questions.question import Answer, Input, family

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: Chances of each number of wounds, from 0 on.
Chances = Sequence[Fraction]

NO_WOUND: Chances = (Fraction(1),)
ONE_WOUND: Chances = (Fraction(0), Fraction(1))
D3: Chances = (Fraction(0), *[Fraction(1, 3)] * 3)

#: The ward that is none.
NO_WARD = 7

WARD = Input("ward", Whole(2, NO_WARD), mark("Ward against each mortal wound, as 5 for 5+; 7: none"), default=NO_WARD)

WOUND = mark("mortal wounds")
OF_WOUNDS = (
    Answer("wounds", mark("mortal wounds that get through, on average"), WOUND),
    Answer("exactly", mark("exactly so many mortal wounds"), family=True),
    Answer("at_least", mark("at least so many mortal wounds"), family=True),
)


def mixed(*parts: tuple[Fraction, Chances]) -> Chances:
    """Mix numbers of wounds.

    Parameters
    ----------
    *parts : tuple of Fraction and chances
        How often it comes to this, and the chances of each number then.

    Returns
    -------
    tuple of Fraction
        Chances of each number of wounds.

    Examples
    --------
    >>> mixed((Fraction(1, 2), NO_WOUND), (Fraction(1, 2), ONE_WOUND))
    (Fraction(1, 2), Fraction(1, 2))
    """
    total = [Fraction(0)] * max(len(chances) for _, chances in parts)
    for share, chances in parts:
        for number, chance in enumerate(chances):
            total[number] += share * chance
    return tuple(total)


def added(one: Chances, other: Chances) -> Chances:
    """Add two independent numbers of wounds.

    Parameters
    ----------
    one, other : tuple of Fraction
        Chances of each number of wounds.

    Returns
    -------
    tuple of Fraction
        Chances of each sum.

    Examples
    --------
    >>> added(ONE_WOUND, D3)[2]
    Fraction(1, 3)
    """
    total = [Fraction(0)] * (len(one) + len(other) - 1)
    for a, chance in enumerate(one):
        for b, more in enumerate(other):
            total[a + b] += chance * more
    return tuple(total)


def warded(chances: Chances, ward: int) -> Chances:
    """Say what gets through a ward.

    Parameters
    ----------
    chances : tuple of Fraction
        Chances of each number of wounds before the ward.
    ward : int
        2 to 6, or 7 for none.

    Returns
    -------
    tuple of Fraction
        Chances of each number after it: a D6 for each wound.

    Examples
    --------
    >>> warded(ONE_WOUND, 5)
    (Fraction(1, 3), Fraction(2, 3))
    """
    through = Fraction(ward - 1, 6)
    total = [Fraction(0)] * len(chances)
    for wounds, chance in enumerate(chances):
        for left in range(wounds + 1):
            total[left] += chance * comb(wounds, left) * through**left * (1 - through) ** (wounds - left)
    return tuple(total)


def warded_rolled(wounds: Any, ward: int, dice: Dice) -> Any:
    """Roll wards.

    Parameters
    ----------
    wounds : array of int, shape (trials,)
        Wounds before the ward.
    ward : int
        2 to 6, or 7 for none.
    dice : Dice
        The dice.

    Returns
    -------
    array of int, shape (trials,)
        Wounds that get through.
    """
    import numpy as np

    if ward == NO_WARD:
        return wounds
    most = int(wounds.max())
    faces = dice.roll(len(wounds), most)
    return ((faces < ward) & (np.arange(most) < wounds[:, None])).sum(axis=1)


def tell(chances: Chances) -> dict[str, Fraction]:
    """Tell all there is about a number of wounds.

    Parameters
    ----------
    chances : tuple of Fraction
        Chances of each number.

    Returns
    -------
    dict
        The answers of :data:`OF_WOUNDS`.
    """
    numbers = range(len(chances))
    at_least = {k: sum(chances[k:], Fraction(0)) for k in numbers if k}
    return {
        "wounds": sum((k * chances[k] for k in numbers), Fraction(0)),
        **family("exactly", dict(enumerate(chances))),
        **family("at_least", at_least),
    }


def tell_rolled(wounds: Any, most: int) -> dict[str, Any]:
    """Tell the same of what was rolled.

    Parameters
    ----------
    wounds : array of int, shape (trials,)
        What came of each trial.
    most : int
        Most wounds there can be.

    Returns
    -------
    dict
        The answers of :data:`OF_WOUNDS`.
    """
    return {
        "wounds": wounds,
        **family("exactly", {k: wounds == k for k in range(most + 1)}),
        **family("at_least", {k: wounds >= k for k in range(1, most + 1)}),
    }
