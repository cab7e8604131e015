"""Many models against many: each model of one warband in a duel with each of another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.analysis.matchup import Matchup, Side, matchup, model_of
from tcsim.base.errors import InputError
from tcsim.catalog.warbands import Warband
from tcsim.duels.answer import answer_duel, simulate_duel
from tcsim.duels.given import from_mapping
from tcsim.duels.resolve import resolve_duel
from tcsim.duels.result import DuelResult
from tcsim.engines.answer import Plan
from tcsim.scenario.notes import note


@dataclass(frozen=True)
class DuelMatrix:
    """Two warbands, model against model.

    Parameters
    ----------
    sides : tuple of Side
        Both warbands.
    cells : tuple of tuple of DuelResult or None
        A row per model of the first (its a), a column per model of the second (b); None where one of them has no
        attack against the other.
    weapons : tuple of table of str
        What the row fights with against the column, and what the column fights with against the row.
    rounds : int
        Of each duel.
    first : str
        ``a``: the row is first in each round; ``b``: the column is.
    notes, assumed : tuple of str
        What is not counted, and what is taken for granted.
    """

    sides: tuple[Side, Side]
    cells: tuple[tuple[DuelResult | None, ...], ...]
    weapons: tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]
    rounds: int
    first: str
    notes: tuple[str, ...]
    assumed: tuple[str, ...]

    @property
    def edition(self) -> str:
        """Edition of both."""
        return self.sides[0].warband.edition

    @property
    def ids(self) -> tuple[str, str]:
        """Ids of the warbands."""
        return self.sides[0].warband.id, self.sides[1].warband.id

    @property
    def names(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Names of their models, with a number where a name stands twice."""
        one, other = (_numbered([kit.unit.name for kit in side.kits]) for side in self.sides)
        return one, other

    @property
    def trials(self) -> int | None:
        """How often each was rolled; None for exact answers."""
        runs = [cell.run for row in self.cells for cell in row if cell is not None and cell.run is not None]
        return runs[0].trials if runs else None

    def chances(self, who: str = "a") -> NDArray[np.float64]:
        """Give P(the row wins), or P(the column wins).

        Parameters
        ----------
        who : str, optional
            ``a`` for the row, ``b`` for the column.

        Returns
        -------
        array (rows, columns)
            Probabilities in [0, 1]; NaN where there is no duel.
        """
        empty = float("nan")
        return np.array(
            [[getattr(cell, f"{who}_wins") if cell is not None else empty for cell in row] for row in self.cells]
        )

    def rows(self) -> list[dict[str, Any]]:
        """Give every duel as plain data.

        Returns
        -------
        list of dict
            ``a`` and ``b`` (name, with number and warband), their ``weapons``, ``a_wins``, ``b_wins``, ``neither``,
            ``length`` (mean number of rounds); where it was rolled also counts and trials.
        """
        found = []
        for i, row in enumerate(self.cells):
            for j, cell in enumerate(row):
                record: dict[str, Any] = {}
                for letter, side, place in (("a", 0, i), ("b", 1, j)):
                    kit = self.sides[side].kits[place]
                    record |= {f"{letter}_warband": self.ids[side], f"{letter}_number": place + 1}
                    record |= {letter: kit.unit.name, f"{letter}_weapons": self.weapons[side][i][j] or None}
                for name in ("a_wins", "b_wins", "neither", "length"):
                    record[name] = getattr(cell, name) if cell is not None else None
                if self.trials is not None:
                    a, b = cell.counts() if cell is not None else (None, None)
                    record |= {"a_count": a, "b_count": b, "trials": self.trials if cell is not None else None}
                found.append(record)
        return found

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data, for JSON.

        Returns
        -------
        dict
            ``edition``, ``method``, ``warbands``, ``rounds``, ``first``, ``cells`` as :meth:`rows`, ``notes`` and
            ``assumed``.
        """
        runs = [cell.run for row in self.cells for cell in row if cell is not None and cell.run is not None]
        how: dict[str, Any] = {"method": "exact"}
        if runs:
            how = {"method": "monte_carlo", "trials": runs[0].trials, "seed": runs[0].seed}
        return {
            "edition": self.edition,
            **how,
            "warbands": list(self.ids),
            "rounds": self.rounds,
            "first": self.first,
            "cells": self.rows(),
            "notes": list(self.notes),
            "assumed": list(self.assumed),
        }


def _numbered(names: Sequence[str]) -> tuple[str, ...]:
    return tuple(
        f"{name} {names[: place + 1].count(name)}" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    )


def duel_matrix(
    first: Warband,
    second: Warband,
    asked: dict[str, Any] | None = None,
    plan: Plan | None = None,
    progress: Callable[[int], None] | None = None,
) -> DuelMatrix:
    """Let each model of a warband fight a duel with each model of another, in contact and unhurt.

    Each fights with what takes the other out of action most often in one Fight action (as ``tcsim matchup`` picks it).

    Parameters
    ----------
    first, second : Warband
        Both of the same edition.
    asked : dict, optional
        Fields of the duels, as ``rounds``, ``first``, ``options``.
    plan : Plan, optional
        Roll each duel so; default: exact.
    progress : callable, optional
        Called with the number of duels answered since the last call.

    Returns
    -------
    DuelMatrix
        All duels.

    Raises
    ------
    InputError
        When the editions differ, a name does not exist, or nobody can fight.

    Examples
    --------
    >>> from tcsim.catalog import warband
    >>> table = duel_matrix(warband("na-line"), warband("hl-gunline"), {"rounds": 2})
    >>> table.chances().shape
    (6, 5)
    """
    pairs = matchup(first, second, "melee")
    known: dict[str, DuelResult] = {}
    notes, assumed, rows = list(pairs.notes), list[str](), []
    for i in range(len(pairs.sides[0].kits)):
        row: list[DuelResult | None] = []
        for j in range(len(pairs.sides[1].kits)):
            given = _duel_of(pairs, i, j, asked or {})
            key = repr(given)
            if given is not None and key not in known:  # models that are alike fight once
                known[key] = _answered(given, plan)
            row.append(known[key] if given is not None else None)
            if progress is not None:
                progress(1)
        rows.append(tuple(row))
    for result in known.values():
        for text in result.resolved.notes:
            if text not in notes and not text.startswith("Not counted yet"):
                note(notes, text)
        for text in result.resolved.assumed:
            note(assumed, text)
    if not known:
        raise InputError(f"no model of {first.id} and {second.id} can fight another: they have no melee attacks")
    given_first = next(iter(known.values())).resolved.given
    return DuelMatrix(
        sides=pairs.sides,
        cells=tuple(rows),
        weapons=_weapons(pairs),
        rounds=given_first.rounds,
        first=given_first.first,
        notes=tuple(notes),
        assumed=tuple(assumed),
    )


def _duel_of(pairs: Matchup, i: int, j: int, asked: dict[str, Any]) -> dict[str, Any] | None:
    """Write a pair as the duel that it is; None where one of them has no attack to make."""
    options = pairs.cells[0][i][j].option, pairs.cells[1][j][i].option
    if options[0] is None or options[1] is None:
        return None
    kits = pairs.sides[0].kits[i], pairs.sides[1].kits[j]
    a, b = (
        {**model_of(kit), "attacks": [dict(attack) for attack in option.attacks]}
        for kit, option in zip(kits, options, strict=True)
        if option is not None
    )
    return {"edition": pairs.sides[0].warband.edition, **asked, "a": a, "b": b}


def _answered(given: dict[str, Any], plan: Plan | None) -> DuelResult:
    question = resolve_duel(from_mapping(given))
    return answer_duel(question) if plan is None else simulate_duel(question, plan.trials, plan.seed, plan.threads)


def _weapons(pairs: Matchup) -> tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]:
    rows, columns = len(pairs.sides[0].kits), len(pairs.sides[1].kits)

    def label(side: int, i: int, j: int) -> str:
        option = pairs.cells[side][i][j].option
        return option.label if option is not None else ""

    mine = tuple(tuple(label(0, i, j) for j in range(columns)) for i in range(rows))
    theirs = tuple(tuple(label(1, j, i) for j in range(columns)) for i in range(rows))
    return mine, theirs
