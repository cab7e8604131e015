"""Answers as shares of everything: one way to tell them, whether they were worked out or counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from tcsim.questions.rolling import Seen

#: A chance in [0, 1], or for a mean the chance of each number from 0 on.
Share: TypeAlias = float | Fraction | Sequence[float] | Sequence[Fraction]


def worked_out(shares: Mapping[str, Share]) -> dict[str, float | Fraction]:
    """Give exact answers.

    Parameters
    ----------
    shares : mapping
        Answer name to its share.

    Returns
    -------
    dict
        Answer name to the chance, or the mean.

    Examples
    --------
    >>> worked_out({"wins": Fraction(1, 2), "left": [0.5, 0.25, 0.25]})
    {'wins': Fraction(1, 2), 'left': 0.75}
    """
    return {name: _mean(share) if isinstance(share, Sequence) else share for name, share in shares.items()}


def _mean(chances: Sequence[Any]) -> Any:
    return sum(number * chance for number, chance in enumerate(chances))


def counted(shares: Mapping[str, Share], trials: int) -> dict[str, Seen]:
    """Give rolled answers.

    Parameters
    ----------
    shares : mapping
        Answer name to its share of the trials.
    trials : int
        How many trials there were.

    Returns
    -------
    dict
        Answer name to what was seen.

    Examples
    --------
    >>> counted({"wins": 0.5, "left": [0.5, 0.25, 0.25]}, 8)["left"]
    Seen(looks=8, total=6.0, squares=10.0)
    """
    from tcsim.questions.rolling import Seen

    seen = {}
    for name, share in shares.items():
        if isinstance(share, Sequence):
            counts = [round(float(part) * trials) for part in share]
            total, squares = (sum(number**power * count for number, count in enumerate(counts)) for power in (1, 2))
        else:
            total = squares = round(float(share) * trials)
        seen[name] = Seen(trials, float(total), float(squares))
    return seen
