"""What is told of a number: of spells or prayers that succeed, of wounds, of points."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tcsim.aos.spread import Spread
from tcsim.base.lang import mark
from tcsim.questions.question import Answer, family

#: What is told of any number.
COUNTED = (
    Answer("exactly", mark("exactly so many of them"), family=True),
    Answer("at_least", mark("at least so many of them"), family=True),
)


def of_count(unit: str) -> tuple[Answer, ...]:
    """Give what is told of a number of things.

    Parameters
    ----------
    unit : str
        What they are.

    Returns
    -------
    tuple of Answer
        Mean and chances.

    Examples
    --------
    >>> [answer.name for answer in of_count("spells")]
    ['expected', 'exactly', 'at_least']
    """
    return Answer("expected", mark("how many of them, on average"), unit), *COUNTED


def tell(name: str, spread: Spread, most: int) -> dict[str, Fraction]:
    """Tell all there is about a number: its mean, and the chance of each number and of at least each.

    Parameters
    ----------
    name : str
        What the mean is called.
    spread : Spread
        How likely each number is.
    most : int
        The largest that is told.

    Returns
    -------
    dict
        Answers, as of :func:`of_count`.

    Examples
    --------
    >>> tell("spells", Spread.chance(Fraction(1, 3)).times(2), 2)["at_least_1"]
    Fraction(5, 9)
    """
    exactly = dict(enumerate(spread.pmf()))
    return {
        name: spread.mean(),
        **family("exactly", {k: exactly.get(k, Fraction(0)) for k in range(most + 1)}),
        **family("at_least", {k: spread.at_least(k) for k in range(1, most + 1)}),
    }


def tell_rolled(name: str, numbers: Any, most: int) -> dict[str, Any]:
    """Tell the same of what was rolled.

    Parameters
    ----------
    name : str
        What the mean is called.
    numbers : array of int, shape (trials,)
        What came of each trial.
    most : int
        The largest that is told.

    Returns
    -------
    dict
        As :func:`tell`.
    """
    return {
        name: numbers,
        **family("exactly", {k: numbers == k for k in range(most + 1)}),
        **family("at_least", {k: numbers >= k for k in range(1, most + 1)}),
    }


def each(name: str, values: Any) -> dict[str, Any]:
    """Tell something of each of several things by its number, from 1 on.

    Parameters
    ----------
    name : str
        The family of answers.
    values : sequence, or array of shape (trials, things)
        A value for each, or a column.

    Returns
    -------
    dict
        An answer for each.

    Examples
    --------
    >>> each("spell", ["a", "b"])
    {'spell_1': 'a', 'spell_2': 'b'}
    """
    return family(name, dict(enumerate(values if isinstance(values, Sequence) else values.T, 1)))
