"""Which differences of a comparison matter: its ranks, its means, and the table of all pairs."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tcsim.analysis.compare.differences import Differences, exact, independent, level_of, means, paired, ranks
from tcsim.base.errors import InputError
from tcsim.stats import LEVEL, z_score

if TYPE_CHECKING:
    import pandas as pd

    from tcsim.analysis.compare.answer import Comparison
    from tcsim.analysis.compare.cells import Cell

#: Trials of a piece, whole bytes of bits: so many numbers of every loadout are held at once.
PIECE = 16_384

#: Most rows of the table of all pairs.
MOST_PAIRS = 1_000_000

_MEANS = ("p_out", "p_down_or_out", "expected_blood")

Floats = NDArray[np.float64]


def pairs_of(comparison: Comparison) -> int:
    """Count the pairs that a comparison compares: of loadouts, in every situation, for every target and over all.

    Loadouts that were left out afterwards count: whoever picks has looked at them.

    Parameters
    ----------
    comparison : Comparison
        Any.

    Returns
    -------
    int
        The number that the level of each interval is corrected for.
    """
    loadouts, targets = max(comparison.among, len(comparison.loadouts)), len(comparison.targets)
    return loadouts * (loadouts - 1) // 2 * len(comparison.situations) * (targets + (targets > 1))


def _level(comparison: Comparison) -> float:
    return level_of(pairs_of(comparison))


def _column(comparison: Comparison, situation: int, target: int) -> list[Cell]:
    return [comparison.cell(loadout, target, situation) for loadout in range(len(comparison.loadouts))]


def _out(cell: Cell) -> float:
    return cell.result.out_of_action if cell.result is not None else 0.0


def of_target(comparison: Comparison, situation: int, target: int) -> Differences:
    """Compare all loadouts against one target.

    Parameters
    ----------
    comparison : Comparison
        Any.
    situation, target : int
        Their places.

    Returns
    -------
    Differences
        Of P(out of action), of every pair of loadouts.
    """
    cells, plan = _column(comparison, situation, target), comparison.plan
    if plan is None or plan.trials is None:
        return exact(np.array([_out(cell) for cell in cells]))
    level = _level(comparison)
    if plan.dice == "shared":
        both = sum(piece @ piece.T for piece in _pieces([[(cell, 1.0)] for cell in cells], plan.trials))
        return paired(np.rint(both), plan.trials, level)
    counts = np.array([round(_out(cell) * plan.trials) for cell in cells])
    return _same_dice_do_not_differ(independent(counts, plan.trials, level), cells)


def _same_dice_do_not_differ(found: Differences, cells: list[Cell]) -> Differences:
    """Loadouts that ask the same question were rolled once, and a weapon that does not reach never hits."""
    asked = [cell.result.resolved.problem if cell.result is not None else None for cell in cells]
    same = np.array([[one == other for other in asked] for one in asked])
    return Differences(found.value, np.where(same, 0.0, found.low), np.where(same, 0.0, found.high))


def of_all(comparison: Comparison, situation: int) -> Differences:
    """Compare all loadouts over all targets, by their weights.

    Parameters
    ----------
    comparison : Comparison
        Any.
    situation : int
        Its place.

    Returns
    -------
    Differences
        Of the mean P(out of action), of every pair of loadouts.
    """
    value, plan = mean_out(comparison, situation), comparison.plan
    if plan is None or plan.trials is None:
        return exact(value)
    return means(value, _covariance(comparison, situation), plan.trials, _level(comparison))


def mean_out(comparison: Comparison, situation: int) -> Floats:
    """Give the mean P(out of action) of every loadout, by the targets' weights.

    Parameters
    ----------
    comparison : Comparison
        Any.
    situation : int
        Its place.

    Returns
    -------
    array of float
        Shape (loadouts,).
    """
    table = [[_out(comparison.cell(i, t, situation)) for t in range(len(comparison.targets))] for i in _all(comparison)]
    return np.array(table) @ _weights(comparison)


def _all(comparison: Comparison) -> range:
    return range(len(comparison.loadouts))


def _weights(comparison: Comparison) -> Floats:
    weights = np.array([target.weight for target in comparison.targets])
    share: Floats = weights / weights.sum()
    return share


def _covariance(comparison: Comparison, situation: int) -> Floats:
    """How the means of the loadouts vary and go together from trial to trial; shape (loadouts, loadouts)."""
    plan, weights = comparison.plan, _weights(comparison)
    assert plan is not None
    assert plan.trials is not None
    rows = [[(comparison.cell(i, t, situation), w) for t, w in enumerate(weights)] for i in _all(comparison)]
    if plan.dice == "shared":
        value = mean_out(comparison, situation)
        square = sum(piece @ piece.T for piece in _pieces(rows, plan.trials)) / plan.trials
        return square - np.outer(value, value)
    of_problem: dict[Any, Floats] = {}
    for place, row in enumerate(rows):  # the same question, of whatever cells, was rolled once
        for cell, weight in row:
            if cell.result is not None:
                share = of_problem.setdefault(cell.result.resolved.problem, np.zeros(len(rows)))
                share[place] += weight
    chance = {cell.result.resolved.problem: _out(cell) for row in rows for cell, _ in row if cell.result is not None}
    total = np.zeros((len(rows), len(rows)))
    for problem, share in of_problem.items():
        total += np.outer(share, share) * chance[problem] * (1 - chance[problem])
    return total


def _pieces(rows: list[list[tuple[Cell, float]]], trials: int) -> Iterator[Floats]:
    """Give what each row counts in each trial, the weights of its cells that went out, some trials at a time."""
    for start in range(0, trials, PIECE):
        size = min(PIECE, trials - start)
        piece = np.zeros((len(rows), size))
        for place, row in enumerate(rows):
            for cell, weight in row:
                if cell.out is not None:
                    piece[place] += weight * np.unpackbits(cell.out[start // 8 : (start + PIECE) // 8], count=size)
        yield piece


def ranks_of(comparison: Comparison) -> list[int]:
    """Rank every cell among those of its situation and target.

    Parameters
    ----------
    comparison : Comparison
        Any.

    Returns
    -------
    list of int
        In the order of the cells; 1 and as many as are certainly better.
    """
    loadouts, targets = len(comparison.loadouts), len(comparison.targets)
    found = np.zeros((len(comparison.situations), loadouts, targets), dtype=np.int64)
    for situation, target in product(range(len(comparison.situations)), range(targets)):
        found[situation, :, target] = ranks(of_target(comparison, situation, target).better)
    ranked: list[int] = found.ravel().tolist()
    return ranked


def means_of(comparison: Comparison) -> pd.DataFrame:
    """Tabulate the means over all targets; see :attr:`tcsim.analysis.compare.answer.Comparison.means`.

    Parameters
    ----------
    comparison : Comparison
        Any.

    Returns
    -------
    DataFrame
        A row per loadout and situation.
    """
    import pandas as pd

    weights, records = _weights(comparison), []
    shape = (len(comparison.situations), len(comparison.loadouts), len(weights), len(_MEANS))
    answers = [cell.answers for cell in comparison.cells]
    values = np.array([[one[name] for name in _MEANS] for one in answers]).reshape(shape)
    mean = np.einsum("slte,t->sle", values, weights)
    for number, situation in enumerate(comparison.situations):
        rank = ranks(of_all(comparison, number).better)
        half = None
        if comparison.plan is not None and comparison.plan.trials is not None:
            spread = np.diag(_covariance(comparison, number)).clip(0)
            half = z_score(LEVEL) * np.sqrt(spread / comparison.plan.trials)
        for i, loadout in enumerate(comparison.loadouts):
            record: dict[str, Any] = {"loadout": loadout.name, "situation": situation.name}
            record |= {"cost_ducats": loadout.cost.ducats, "cost_glory": loadout.cost.glory}
            record |= dict(zip(_MEANS, mean[number, i].tolist(), strict=True))
            if half is not None:
                p = float(mean[number, i, 0])
                record |= {"out_low": max(p - half[i], 0.0), "out_high": min(p + half[i], 1.0)}
            records.append({**record, "rank": int(rank[i])})
    return pd.DataFrame.from_records(records).astype({"cost_ducats": "Int64", "cost_glory": "Int64"})


def differences_of(comparison: Comparison) -> pd.DataFrame:
    """Tabulate all pairs; see :attr:`tcsim.analysis.compare.answer.Comparison.differences`.

    Parameters
    ----------
    comparison : Comparison
        Any.

    Returns
    -------
    DataFrame
        A row per pair, target and situation.

    Raises
    ------
    InputError
        For more than 1,000,000 rows.
    """
    import pandas as pd

    if pairs_of(comparison) > MOST_PAIRS:
        raise InputError(f"these are {pairs_of(comparison):,} pairs, at most {MOST_PAIRS:,} are listed")
    records = []
    targets: list[int | None] = [*range(len(comparison.targets))]
    targets += [None] if len(targets) > 1 else []
    for (number, situation), target in product(enumerate(comparison.situations), targets):
        found = of_all(comparison, number) if target is None else of_target(comparison, number, target)
        for i, j in combinations(_all(comparison), 2):
            record: dict[str, Any] = {
                "loadout": comparison.loadouts[i].name,
                "other": comparison.loadouts[j].name,
                "target": "mean" if target is None else comparison.targets[target].name,
                "situation": situation.name,
                "difference": float(found.value[i, j]),
                "matters": bool(found.better[i, j] or found.better[j, i]),
            }
            if comparison.plan is not None:
                record |= {"low": float(found.low[i, j]), "high": float(found.high[i, j])}
            records.append(record)
    return pd.DataFrame.from_records(records)
