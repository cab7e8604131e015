"""What each thing is worth in a scenario, in points and in each other's terms: exchange rates.

A factor (:mod:`tcsim.analysis.exchange.factors`) changes the scenario itself; all changed scenarios are answered
exactly, in one block. One change at a time: what several are worth together is another question, and no sum.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tcsim.analysis.exchange.factors import FACTORS, Asked, Factor
from tcsim.analysis.exchange.worths import TERMS, Batch, Curve, Worth, check_measure, measured, start, worths
from tcsim.base.errors import InputError, show, unknown
from tcsim.base.text import NO_DIFFERENCE
from tcsim.engines.answer import resolved as resolve_given
from tcsim.scenario.resolve import Resolved

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Exchange:
    """What each thing is worth in a scenario.

    Parameters
    ----------
    resolved : Resolved
        The scenario.
    of : str
        What it is measured by: ``out``, ``down`` (Down or out of action) or ``expected-blood``.
    value : float
        What it comes to as it stands: a probability in [0, 1], or blood markers.
    worths : tuple of Worth
        What one step of each factor adds, most first.
    curves : dict of str to Curve
        What they are counted in.
    left_out : dict of str to str
        The factors that do not apply, with the reason.
    """

    resolved: Resolved
    of: str
    value: float
    worths: tuple[Worth, ...]
    curves: dict[str, Curve]
    left_out: dict[str, str]

    def rows(self) -> list[dict[str, Any]]:
        """Give what each factor is worth as rows.

        Returns
        -------
        list of dict
            As in :attr:`frame`.
        """
        return [row_of(one) for one in self.worths]

    @property
    def frame(self) -> pd.DataFrame:
        """What each factor is worth.

        Returns
        -------
        DataFrame
            A row for each, most first: ``factor``, ``label``, ``p_base``, ``up`` (added by one step for the attacker),
            ``down`` (by one step against them; missing where there is none), and for each of the terms ``in_…`` (``up``
            counted in them) and ``down_in_…``: infinite where even the most steps add less.
        """
        import pandas as pd

        return pd.DataFrame(self.rows())

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data, as the command line prints it with ``--json``.

        Returns
        -------
        dict
            ``id``, ``edition``, ``method``, ``of``, ``value``, ``factors``, ``curves`` (each list begins with no step),
            ``left_out``; ``catalog``, ``options``, ``notes`` when there is something to say.
        """
        question = self.resolved
        answer: dict[str, Any] = {
            "id": question.scenario.id,
            "edition": question.problem.edition,
            "method": "exact",
            "of": self.of,
            "value": self.value,
            "factors": [plain(row) for row in self.rows()],
            "curves": {name: {"up": list(curve.up), "down": list(curve.down)} for name, curve in self.curves.items()},
            "left_out": self.left_out,
        }
        if question.files:
            answer["catalog"] = [file.mark for file in question.files]
        if question.options:
            answer["options"] = question.options
        if question.notes:
            answer["notes"] = list(question.notes)
        return answer


def row_of(one: Worth) -> dict[str, Any]:
    """Give what a factor is worth as a row.

    Parameters
    ----------
    one : Worth
        The factor.

    Returns
    -------
    dict
        As a row of :attr:`Exchange.frame`.
    """
    row: dict[str, Any] = {"factor": one.factor, "label": one.label, "p_base": one.base, "up": one.up, "down": one.down}
    row |= {f"in_{name}": number for name, number in one.up_in.items()}
    return row | {f"down_in_{name}": number for name, number in one.down_in.items()}


def plain(row: dict[str, Any]) -> dict[str, Any]:
    """Write a row as JSON can hold it.

    Parameters
    ----------
    row : dict
        As a row of :attr:`Exchange.frame`.

    Returns
    -------
    dict
        The same, with None for what is missing or infinite.
    """
    return {name: None if isinstance(it, float) and not math.isfinite(it) else it for name, it in row.items()}


def alike(rows: Sequence[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Put rows together that say the same: as much to both sides, from the same base.

    Parameters
    ----------
    rows : sequence of dict
        As of :attr:`Exchange.frame`.

    Returns
    -------
    list of list of dict
        In the order of the first of each.
    """
    groups: list[list[dict[str, Any]]] = []
    for row in rows:
        same = [group for group in groups if all(_equal(group[0][key], row[key]) for key in ("p_base", "up", "down"))]
        if same:
            same[0].append(row)
        else:
            groups.append([row])
    return groups


def _equal(one: float, other: float) -> bool:
    if math.isnan(one) or math.isnan(other):
        return math.isnan(one) and math.isnan(other)
    return abs(one - other) < NO_DIFFERENCE


def named(names: Sequence[str] | None, where: str, terms: bool = False) -> tuple[Factor, ...]:
    """Give factors by their names.

    Parameters
    ----------
    names : sequence of str or None
        None for all.
    where : str
        The place in the input.
    terms : bool, optional
        Whether only those are allowed that others can be counted in.

    Returns
    -------
    tuple of Factor
        In the order of the names, each once.

    Raises
    ------
    InputError
        For a name that is none.
    """
    allowed = {factor.name: factor for factor in FACTORS if factor.steps > 1 or not terms}
    if names is None:
        return tuple(allowed.values())
    if isinstance(names, str) or not isinstance(names, Iterable):
        raise InputError(f"{show(names)} is given, a list of names is needed", where)
    names = list(names)
    if not all(isinstance(name, str) for name in names):
        raise InputError(f"{show(names)} is given, a list of names is needed", where)
    for name in names:
        if name not in allowed:
            raise unknown("factor", name, allowed, where)
    return tuple(allowed[name] for name in dict.fromkeys(names))


def exchange(
    scenario: Any,
    of: str = "out",
    terms: Sequence[str] = TERMS,
    factors: Sequence[str] | None = None,
    catalog: Any = None,
    progress: Callable[[int], None] | None = None,
) -> Exchange:
    """Say what each thing is worth in a scenario: a die, a marker, a step of armour; in points, and in other terms.

    Each factor is changed by one step in the scenario itself, in every attack of its kind, and the changed scenario is
    answered exactly. What markers are worth is compared with the same scenario in which such markers are spent.

    Parameters
    ----------
    scenario : mapping, Scenario or Resolved
        The question, as for :func:`tcsim.odds`.
    of : str, optional
        What is measured: ``out`` (P(out of action)), ``down`` (P(Down or out of action)) or ``expected-blood``.
    terms : sequence of str, optional
        Factors that all are counted in, as ``action_dice``, ``injury_dice``, ``injury_modifier``, ``armour``,
        ``blood`` or ``attacks``.
    factors : sequence of str, optional
        Which factors; default: all.
    catalog : Catalog, path, or iterable of paths, optional
        As for :func:`tcsim.odds`.
    progress : callable, optional
        Called now and then with how many changed scenarios were answered since the last call.

    Returns
    -------
    Exchange
        Differences of probabilities (or blood markers), right to 1e-12.

    Raises
    ------
    InputError
        With one sentence: what was given, what is allowed.

    Examples
    --------
    >>> import tcsim
    >>> found = tcsim.exchange({"target": {"injury_modifier": -1}, "attacks": [{}]})
    >>> best = found.worths[0]
    >>> best.factor, round(100 * best.up, 1), round(best.up_in["injury_dice"], 1)
    ('deadly', 26.8, 2.8)
    """
    check_measure(of)
    chosen = named(factors, "factors")
    units = [factor.name for factor in named(terms, "terms", terms=True)]
    question = resolve_given(scenario, catalog)
    batch = Batch()
    begun = start(Asked(question.scenario), question, batch, chosen, units)
    values = [measured(problem, final, of) for problem, final in batch.solve(progress)]
    found, curves = worths(begun, values)
    order = sorted(found, key=lambda one: -round(one.size, 12))
    return Exchange(question, of, values[begun.place], tuple(order), curves, begun.left_out)


#: What ``tcsim odds`` tells of, and most attack rolls of a scenario of which it does so unasked.
BRIEF, MOST_ROLLS = ("action_dice", "injury_dice", "blood", "armour"), 12


def brief(question: Resolved) -> list[Worth] | None:
    """Say what one step of the few factors adds that everybody asks about.

    Parameters
    ----------
    question : Resolved
        The scenario.

    Returns
    -------
    list of Worth
        Those that change P(out of action), in the order of ``BRIEF``; None where it would take long: for many attack
        rolls, plans for shots that are resolved together, and what both players choose.
    """
    problem = question.problem
    if problem.game is not None or problem.deals_out or problem.rolls > MOST_ROLLS:
        return None
    batch = Batch()
    begun = start(Asked(question.scenario), question, batch, named(BRIEF, "factors"), ())
    values = [measured(one, final, "out") for one, final in batch.solve()]
    return [one for one in worths(begun, values)[0] if one.size > NO_DIFFERENCE]
