"""Mortal wounds that are inflicted outright: a D3, wards against them, and what is told of them."""

from __future__ import annotations

from fractions import Fraction

from tcsim.aos.common import D3
from tcsim.aos.fights.sequence import NONE, through
from tcsim.aos.fights.weapons import Needed
from tcsim.aos.spread import Spread
from tcsim.base.lang import mark
from tcsim.questions.question import Answer, Input

NO_WOUND, ONE_WOUND, D3_WOUNDS = Spread.fixed(0), Spread.fixed(1), Spread.rolled(D3)

WARD = Input("ward", Needed(2, none=True), mark("Ward against each mortal wound"), default=NONE)

WOUND = mark("mortal wounds")
OF_WOUNDS = (
    Answer("wounds", mark("mortal wounds that get through, on average"), WOUND),
    Answer("exactly", mark("exactly so many mortal wounds"), family=True),
    Answer("at_least", mark("at least so many mortal wounds"), family=True),
)


def inflicted(chance: Fraction, wounds: Spread, ward: int) -> Spread:
    """Give the mortal wounds of something that may come to nothing.

    Parameters
    ----------
    chance : Fraction
        How often it comes to something, in [0, 1].
    wounds : Spread
        Mortal wounds then.
    ward : int
        2 to 6, or 7 for none.

    Returns
    -------
    Spread
        Those that get through the ward.

    Examples
    --------
    >>> inflicted(Fraction(1, 2), D3_WOUNDS, 5).mean()
    Fraction(2, 3)
    """
    return Spread.mixed([(1 - chance, NO_WOUND), (chance, through(wounds, ward))])
