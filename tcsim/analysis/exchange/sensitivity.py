"""Exchange rates at many starting points, and the plane of DICE and injury dice that lines of equal chance cross."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from msgspec import structs

from tcsim.analysis.exchange.answer import named, row_of
from tcsim.analysis.exchange.factors import BY_NAME, Asked
from tcsim.analysis.exchange.worths import TERMS, Batch, check_measure, measured, start, worths
from tcsim.base.errors import InputError, show
from tcsim.engines.answer import resolved as resolve_given
from tcsim.scenario.problem import NONE
from tcsim.scenario.resolve import Resolved

if TYPE_CHECKING:
    import pandas as pd

#: Starting points: the target's armour and its blood markers, and how many DICE more than asked.
ARMOURS, DICE, BLOODS = (0, -1, -2, -3), (-1, 0, 1, 2), (0, 1, 2, 3)

#: The plane: so many DICE and injury dice more than asked.
PLANE_DICE, PLANE_INJURY = tuple(range(-2, 6)), tuple(range(-2, 6))

#: Most starting points at once.
MOST_STARTS = 2000


def armour_of(question: Resolved) -> int:
    """Give the injury modifier of what can be ignored and pierced of a target's armour.

    Parameters
    ----------
    question : Resolved
        The question.

    Returns
    -------
    int
        0 or less.
    """
    return question.target.body + question.target.shield


def _axis(values: Sequence[int], low: int, high: int, where: str) -> tuple[int, ...]:
    """Check whole numbers along an axis; each once, in their order."""
    if isinstance(values, str) or not isinstance(values, Sequence) or not values:
        raise InputError(f"{show(values)} is given, a list of whole numbers is needed", where)
    for value in values:
        if type(value) is not int or not low <= value <= high:
            raise InputError(f"{show(value)} is given, a whole number from {low} to {high} is allowed", where)
    return tuple(dict.fromkeys(values))


def _moved(asked: Asked, question: Resolved, moves: dict[str, int]) -> Asked:
    """Change a question by so many steps of some factors."""
    for name, steps in moves.items():
        if steps:
            asked = BY_NAME[name].change(asked, question, steps)
    return asked


def sensitivity(
    scenario: Any,
    of: str = "out",
    armour: Sequence[int] = ARMOURS,
    action_dice: Sequence[int] = DICE,
    blood: Sequence[int] | None = None,
    tough: bool | None = None,
    factors: Sequence[str] | None = None,
    catalog: Any = None,
) -> pd.DataFrame:
    """Say what each thing is worth at many starting points of a scenario.

    Parameters
    ----------
    scenario : mapping, Scenario or Resolved
        The question, as for :func:`tcsim.odds`.
    of : str, optional
        As for :func:`tcsim.exchange`.
    armour : sequence of int, optional
        Injury modifiers, 0 or less, that the target's armour comes to; what it does besides stays.
    action_dice : sequence of int, optional
        How many DICE more every attack has than was asked, -20 to 20.
    blood : sequence of int, optional
        Blood markers on the target, 0 to 6; default: 0 to 3 where they are spent, else as asked.
    tough : bool, optional
        Whether the target is TOUGH; default: as asked.
    factors : sequence of str, optional
        Which factors; default: all.
    catalog : Catalog, path, or iterable of paths, optional
        As for :func:`tcsim.odds`.

    Returns
    -------
    DataFrame
        A row for each starting point and each factor that applies there: ``armour``, ``action_dice`` (more than asked),
        ``blood``, ``tough``, and the columns of :attr:`Exchange.frame`.

    Raises
    ------
    InputError
        With one sentence: what was given, what is allowed.

    Examples
    --------
    >>> from tcsim.analysis.exchange.sensitivity import sensitivity
    >>> frame = sensitivity({"target": {}, "attacks": [{}]}, action_dice=[0], blood=[0], factors=["injury_dice"])
    >>> frame[["armour", "up"]].round(3).values.tolist()
    [[0.0, 0.141], [-1.0, 0.11], [-2.0, 0.068], [-3.0, 0.027]]
    """
    import pandas as pd

    check_measure(of)
    chosen = named(factors, "factors")
    question = resolve_given(scenario, catalog)
    given = question.scenario.target
    if blood is None:
        blood = (given.blood,) if question.problem.policy.blood == NONE else BLOODS
    axes = (
        _axis(armour, -20, 0, "armour"),
        _axis(action_dice, -20, 20, "action_dice"),
        _axis(blood, 0, 6, "blood"),
    )
    if (number := len(axes[0]) * len(axes[1]) * len(axes[2])) > MOST_STARTS:
        raise InputError(f"these are {number:,} starting points, at most {MOST_STARTS:,} are allowed")
    if tough is not None and not isinstance(tough, bool):
        raise InputError(f"{show(tough)} is given, true or false is allowed", "tough")
    hardy = bool(question.problem.start.tough) if tough is None else tough
    batch, starts = Batch(), []
    for modifier, dice, markers in itertools.product(*axes):
        asked = _moved(Asked(question.scenario), question, {"action_dice": dice})
        target = structs.replace(given, blood=markers, tough=given.tough if tough is None else tough)
        asked = Asked(structs.replace(asked.scenario, target=target), asked.instead._replace(armour=modifier))
        starts.append(start(asked, batch.resolved(asked, question), batch, chosen, TERMS))
    values = [measured(problem, final, of) for problem, final in batch.solve()]
    rows = []
    for (modifier, dice, markers), begun in zip(itertools.product(*axes), starts, strict=True):
        place = {"armour": modifier, "action_dice": dice, "blood": markers, "tough": hardy}
        rows += [place | row_of(one) for one in worths(begun, values)[0]]
    return pd.DataFrame(rows)


def iso_kill(
    scenario: Any,
    of: str = "out",
    armour: Sequence[int] | None = None,
    action_dice: Sequence[int] = PLANE_DICE,
    injury_dice: Sequence[int] = PLANE_INJURY,
    catalog: Any = None,
) -> pd.DataFrame:
    """Tabulate a scenario over the plane of DICE and injury dice, for each armour.

    Parameters
    ----------
    scenario : mapping, Scenario or Resolved
        The question, as for :func:`tcsim.odds`.
    of : str, optional
        As for :func:`tcsim.exchange`.
    armour : sequence of int, optional
        Injury modifiers, 0 or less, that the target's armour comes to; default: 0 to -3, and that of the target.
    action_dice, injury_dice : sequence of int, optional
        How many more every attack has than was asked, -20 to 20.
    catalog : Catalog, path, or iterable of paths, optional
        As for :func:`tcsim.odds`.

    Returns
    -------
    DataFrame
        ``armour``, ``action_dice``, ``injury_dice`` (both more than asked), ``p`` (the measure), ``asked`` (whether
        this is the scenario as it was asked).

    Raises
    ------
    InputError
        With one sentence: what was given, what is allowed.

    Examples
    --------
    >>> from tcsim.analysis.exchange.sensitivity import iso_kill
    >>> frame = iso_kill({"target": {}, "attacks": [{}]}, armour=[0], action_dice=[0, 3], injury_dice=[0, 1])
    >>> [round(p, 3) for p in frame["p"]]
    [0.169, 0.31, 0.314, 0.535]
    """
    import pandas as pd

    check_measure(of)
    question = resolve_given(scenario, catalog)
    mine = armour_of(question)
    if armour is None:
        armour = sorted({*ARMOURS, mine}, reverse=True)
    axes = (
        _axis(armour, -20, 0, "armour"),
        _axis(action_dice, -20, 20, "action_dice"),
        _axis(injury_dice, -20, 20, "injury_dice"),
    )
    if (number := len(axes[0]) * len(axes[1]) * len(axes[2])) > MOST_STARTS:
        raise InputError(f"these are {number:,} points, at most {MOST_STARTS:,} are allowed")
    batch, rows = Batch(), []
    for modifier, dice, injury in itertools.product(*axes):
        asked = _moved(Asked(question.scenario), question, {"action_dice": dice, "injury_dice": injury})
        if modifier != mine:
            asked = asked._replace(instead=asked.instead._replace(armour=modifier))
        place = batch.place(batch.resolved(asked, question).problem)
        here = (modifier, dice, injury) == (mine, 0, 0)
        rows.append({"armour": modifier, "action_dice": dice, "injury_dice": injury, "p": place, "asked": here})
    values = [measured(problem, final, of) for problem, final in batch.solve()]
    return pd.DataFrame([row | {"p": values[row["p"]]} for row in rows])
