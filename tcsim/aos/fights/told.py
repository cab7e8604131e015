"""What is told of the damage of a fight, exactly and rolled: of one, and of one beside another."""

from __future__ import annotations

from fractions import Fraction
from itertools import dropwhile
from operator import not_
from typing import TYPE_CHECKING, Any

from tcsim.aos.fights.inputs import target_of
from tcsim.aos.fights.sequence import destroyed, slain
from tcsim.aos.spread import Spread
from tcsim.base.lang import mark
from tcsim.questions.question import Answer, Asked, family

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

#: Numbers that are rarer than this are left out of tables of damage.
RARE = 1_000_000

POINTS, MODELS = mark("damage"), mark("models")

#: What is told of damage, and of the models that it removes.
DEALT = (
    Answer("damage", mark("damage, after the ward, on average"), POINTS),
    Answer("slain", mark("models slain, on average"), MODELS),
    Answer("destroyed", mark("the unit is destroyed")),
    Answer("exactly", mark("damage is exactly"), family=True),
    Answer("at_least", mark("damage is at least"), family=True),
    Answer("removes", mark("models slain: exactly"), family=True),
)


def _counts_models(asked: Asked) -> bool:
    return asked["models"] is not None or asked["health"] is not None


def shown(spread: Spread) -> range:
    """Give the numbers that a table tells of.

    Parameters
    ----------
    spread : Spread
        How likely each number is.

    Returns
    -------
    range
        Those from the first to the last that is not rarer than one in a million.
    """
    often = [number for number, ways in enumerate(spread.ways) if ways * RARE >= spread.of]
    return range(often[0], often[-1] + 1)


def rare(*spreads: Spread) -> tuple[str, ...]:
    """Say that a table leaves numbers out.

    Parameters
    ----------
    *spreads : Spread
        What the tables tell of.

    Returns
    -------
    tuple of str
        A sentence, or none.
    """
    left_out = any(len(shown(one)) < sum(1 for _ in dropwhile(not_, one.ways)) for one in spreads)
    return (mark("Numbers that are rarer than one in a million are left out of the tables."),) if left_out else ()


def exactly(name: str, spread: Spread) -> dict[str, Fraction]:
    """Tell the chance of each number.

    Parameters
    ----------
    name : str
        The family of answers.
    spread : Spread
        How likely each number is.

    Returns
    -------
    dict
        Of those that are :func:`shown`.
    """
    chances = spread.pmf()
    return family(name, {number: chances[number] for number in shown(spread)})


def exactly_rolled(name: str, spread: Spread, points: NDArray[np.int64]) -> dict[str, Any]:
    """Tell the same of what was rolled.

    Parameters
    ----------
    name : str
        The family of answers.
    spread : Spread
        The same exactly, for which numbers to tell of.
    points : array of int, shape (trials,)
        What was rolled.

    Returns
    -------
    dict
        As :func:`exactly`.
    """
    return family(name, {number: points == number for number in shown(spread)})


def at_least(name: str, spread: Spread) -> dict[str, Fraction]:
    """Tell the chance of each number or more, from 1 on.

    Parameters
    ----------
    name : str
        The family of answers.
    spread : Spread
        How likely each number is.

    Returns
    -------
    dict
        Of those that are :func:`shown`.
    """
    tails = spread.tails()
    return family(name, {number: tails[number] for number in shown(spread) if number})


def at_least_rolled(name: str, spread: Spread, points: NDArray[np.int64]) -> dict[str, Any]:
    """Tell the same of what was rolled.

    Parameters
    ----------
    name : str
        The family of answers.
    spread : Spread
        The same exactly, for which numbers to tell of.
    points : array of int, shape (trials,)
        What was rolled.

    Returns
    -------
    dict
        As :func:`at_least`.
    """
    return family(name, {number: points >= number for number in shown(spread) if number})


def dealt(asked: Asked, spread: Spread) -> dict[str, Fraction]:
    """Tell of damage, exactly.

    Parameters
    ----------
    asked : Asked
        With the inputs of :data:`TARGET`.
    spread : Spread
        The damage.

    Returns
    -------
    dict
        The answers of :data:`DEALT`; of models where something is said of them.
    """
    answers = {"damage": spread.mean()} | losses(asked, spread)
    answers |= exactly("exactly", spread) | at_least("at_least", spread)
    if _counts_models(asked):
        answers |= exactly("removes", slain(spread, target_of(asked)))
    return answers


def dealt_rolled(asked: Asked, spread: Spread, points: NDArray[np.int64]) -> dict[str, Any]:
    """Tell of damage that was rolled.

    Parameters
    ----------
    asked : Asked
        With the inputs of :data:`TARGET`.
    spread : Spread
        The damage exactly, for which numbers to tell of.
    points : array of int, shape (trials,)
        Damage that was rolled.

    Returns
    -------
    dict
        As :func:`dealt`.
    """
    from tcsim.aos.fights import rolled

    answers: dict[str, Any] = {"damage": points} | losses_rolled(asked, points)
    answers |= exactly_rolled("exactly", spread, points) | at_least_rolled("at_least", spread, points)
    if _counts_models(asked):
        target = target_of(asked)
        answers |= exactly_rolled("removes", slain(spread, target), rolled.slain(points, target))
    return answers


def losses(asked: Asked, spread: Spread, end: str = "") -> dict[str, Fraction]:
    """Tell of models slain, exactly.

    Parameters
    ----------
    asked : Asked
        With the inputs of :data:`TARGET`.
    spread : Spread
        The damage.
    end : str, optional
        Put behind the answers' names.

    Returns
    -------
    dict
        ``slain``; ``destroyed`` where the number of models is given; nothing where nothing is said of models.
    """
    target = target_of(asked)
    answers = {f"slain{end}": slain(spread, target).mean()} if _counts_models(asked) else {}
    return answers | ({f"destroyed{end}": destroyed(spread, target)} if target.models is not None else {})


def losses_rolled(asked: Asked, points: NDArray[np.int64], end: str = "") -> dict[str, Any]:
    """Tell of models slain by damage that was rolled.

    Parameters
    ----------
    asked : Asked
        With the inputs of :data:`TARGET`.
    points : array of int, shape (trials,)
        The damage.
    end : str, optional
        Put behind the answers' names.

    Returns
    -------
    dict
        As :func:`losses`.
    """
    from tcsim.aos.fights import rolled

    target = target_of(asked)
    answers: dict[str, Any] = {f"slain{end}": rolled.slain(points, target)} if _counts_models(asked) else {}
    if target.models is not None:
        answers[f"destroyed{end}"] = points + target.wounded >= target.models * target.health
    return answers


#: What is told of damage with a command or an ability, beside the damage without it; ``gain`` or ``prevented`` besides.
COMPARED = (
    Answer("damage", mark("damage, on average"), POINTS),
    Answer("damage_without", mark("damage without it, on average"), POINTS),
)
COMPARED_MODELS = (
    Answer("slain", mark("models slain, on average"), MODELS),
    Answer("slain_without", mark("models slain without it, on average"), MODELS),
    Answer("destroyed", mark("the unit is destroyed")),
    Answer("destroyed_without", mark("the unit is destroyed without it")),
    Answer("at_least", mark("damage is at least"), family=True),
    Answer("without", mark("damage without it is at least"), family=True),
)


def compared(asked: Asked, changed: Spread, plain: Spread) -> dict[str, Fraction]:
    """Tell of damage with something, beside that without it.

    Parameters
    ----------
    asked : Asked
        With the inputs of :data:`tcsim.aos.fights.inputs.TARGET`.
    changed, plain : Spread
        The damage with it, and without.

    Returns
    -------
    dict
        The answers of :data:`COMPARED` and :data:`COMPARED_MODELS`.
    """
    answers = {"damage": changed.mean(), "damage_without": plain.mean()}
    answers |= losses(asked, changed) | losses(asked, plain, "_without")
    return answers | at_least("at_least", changed) | at_least("without", plain)


def compared_rolled(
    asked: Asked, damages: tuple[Spread, Spread], changed: NDArray[np.int64], plain: NDArray[np.int64]
) -> dict[str, Any]:
    """Tell of damage that was rolled with something, beside that without it.

    Parameters
    ----------
    asked : Asked
        With the inputs of :data:`tcsim.aos.fights.inputs.TARGET`.
    damages : (Spread, Spread)
        Both exactly, for which numbers to tell of.
    changed, plain : array of int, shape (trials,)
        The damage with it, and without.

    Returns
    -------
    dict
        As :func:`compared`.
    """
    answers: dict[str, Any] = {"damage": changed, "damage_without": plain}
    answers |= losses_rolled(asked, changed) | losses_rolled(asked, plain, "_without")
    answers |= at_least_rolled("at_least", damages[0], changed)
    return answers | at_least_rolled("without", damages[1], plain)
