"""How many of several spells or prayers succeed, and what is told of that number."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from tcsim.base.lang import mark
from tcsim.questions.question import Answer, family


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
    return (
        Answer("expected", mark("how many of them, on average"), unit),
        Answer("exactly", mark("exactly so many of them"), family=True),
        Answer("at_least", mark("at least so many of them"), family=True),
    )


def tell_count(chances: Sequence[Fraction]) -> dict[str, Fraction]:
    """Tell all there is about a number of spells or prayers.

    Parameters
    ----------
    chances : sequence of Fraction
        Chance of each number, from 0 on.

    Returns
    -------
    dict
        The answers of :func:`of_count`.

    Examples
    --------
    >>> tell_count([Fraction(1, 4), Fraction(3, 4)])["expected"]
    Fraction(3, 4)
    """
    return {
        "expected": sum((k * p for k, p in enumerate(chances)), Fraction(0)),
        **family("exactly", dict(enumerate(chances))),
        **family("at_least", {k: sum(chances[k:], Fraction(0)) for k in range(1, len(chances))}),
    }


def tell_count_rolled(done: Any) -> dict[str, Any]:
    """Tell the same of what was rolled.

    Parameters
    ----------
    done : array of bool, shape (trials, things)
        Whether each of them succeeds.

    Returns
    -------
    dict
        The answers of :func:`of_count`.
    """
    count, most = done.sum(axis=1), done.shape[1]
    return {
        "expected": count,
        **family("exactly", {k: count == k for k in range(most + 1)}),
        **family("at_least", {k: count >= k for k in range(1, most + 1)}),
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
