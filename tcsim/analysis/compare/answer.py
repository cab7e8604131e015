"""Loadouts against targets in situations: every chance beside its price, and which differences matter.

A cell is an ordinary scenario, so it equals what ``tcsim odds`` says of it (:meth:`Comparison.scenario`). Attacks that
are made several times are made in an activation each: a failed RISKY roll ends one, and not the rest. The target does
nothing in between.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import product
from typing import TYPE_CHECKING, Any

from tcsim.analysis.compare.cells import ENDS, OWN_TARGET, Answers, Cell, Terms, ask
from tcsim.analysis.compare.loadouts import Loadout, read_loadouts
from tcsim.analysis.compare.mixes import Mix, whom
from tcsim.analysis.compare.repeated import CHANCES, attacks_needed
from tcsim.analysis.compare.situations import Situation, read_situations
from tcsim.analysis.compare.targets import Target
from tcsim.base.errors import InputError, show, unknown
from tcsim.catalog import Catalog
from tcsim.catalog import catalog as open_catalog
from tcsim.engines.answer import Plan
from tcsim.rules import DEFAULT_EDITION
from tcsim.scenario.notes import note
from tcsim.stats import LEVEL, interval, rolled, z_score

if TYPE_CHECKING:
    import pandas as pd


#: Most cells of a comparison, and most times that attacks are made.
MOST_CELLS, MOST_TIMES = 20_000, 100


@dataclass(frozen=True, repr=False)
class Comparison:
    """Loadouts against targets in situations.

    Parameters
    ----------
    edition : str
        Edition id.
    terms : Terms
        What all cells have in common.
    loadouts, targets, situations : tuple
        What was compared.
    mix : Mix or None
        Where the targets come from, if they are one.
    cells : tuple of Cell
        Situation by situation, loadout by loadout, target by target.
    notes : tuple of str
        What is not counted, a sentence each.
    assumed : tuple of str
        What is taken for granted.
    plan : Plan or None
        How it was rolled; None for exact chances.
    among : int
        How many loadouts there were, where some were left out: so many pairs were looked at.
    """

    edition: str
    terms: Terms
    loadouts: tuple[Loadout, ...]
    targets: tuple[Target, ...]
    situations: tuple[Situation, ...]
    mix: Mix | None
    cells: tuple[Cell, ...]
    notes: tuple[str, ...]
    assumed: tuple[str, ...]
    plan: Plan | None = None
    among: int = 0

    def __repr__(self) -> str:
        how = "exact" if self.plan is None else f"{self.plan.trials:,} trials, seed {self.plan.seed}"
        sizes = f"{len(self.loadouts)} loadouts, {len(self.targets)} targets, {len(self.situations)} situations"
        return f"<Comparison: {sizes} ({how})>"

    def cell(self, loadout: int, target: int, situation: int = 0) -> Cell:
        """Give one cell.

        Parameters
        ----------
        loadout, target, situation : int
            Places in what was compared, from 0.

        Returns
        -------
        Cell
            Its scenario and result.
        """
        return self.cells[(situation * len(self.loadouts) + loadout) * len(self.targets) + target]

    def scenario(self, loadout: int, target: int, situation: int = 0) -> dict[str, Any]:
        """Write a cell as the scenario that it is.

        Parameters
        ----------
        loadout, target, situation : int
            Places in what was compared, from 0.

        Returns
        -------
        dict
            As :func:`tcsim.odds` takes it.
        """
        return dict(self.cell(loadout, target, situation).scenario)

    def picked(self, order: Sequence[int]) -> Comparison:
        """Give a comparison of some of the loadouts.

        Parameters
        ----------
        order : sequence of int
            Their places, in the wanted order.

        Returns
        -------
        Comparison
            Ranks are among them; what is beyond luck is judged as before, for all pairs there were.
        """
        targets = len(self.targets)
        places = [
            (situation * len(self.loadouts) + loadout) * targets + target
            for situation in range(len(self.situations))
            for loadout in order
            for target in range(targets)
        ]
        cells = tuple(self.cells[place] for place in places)
        among = max(self.among, len(self.loadouts))
        found = replace(self, loadouts=tuple(self.loadouts[place] for place in order), cells=cells, among=among)
        if "needed" in self.__dict__:  # it is dear, and stays the same
            found.__dict__["needed"] = [self.needed[place] for place in places]
        return found

    @cached_property
    def needed(self) -> list[tuple[int | None, ...]]:
        """Of every cell, how many times its attacks must be made for 50, 80 and 95% out of action; exact."""
        chains = list(dict.fromkeys(cell.again for cell in self.cells if cell.again is not None))
        found = dict(zip(chains, attacks_needed(chains), strict=True))
        return [found[cell.again] if cell.again is not None else (None,) * len(CHANCES) for cell in self.cells]

    @cached_property
    def frame(self) -> pd.DataFrame:
        """Every cell.

        Returns
        -------
        DataFrame
            A row per cell: ``loadout``, ``target``, ``situation``, ``weight`` (of the target), ``cost_ducats``,
            ``cost_glory`` (missing where there is no price), ``p_out`` and ``p_down_or_out`` (probabilities in
            [0, 1]), ``expected_blood`` (mean blood markers in the end, a target out of action counting as many as
            there can be, 6: the goal ``expected-blood`` of spending), ``attacks_50``, ``attacks_80``, ``attacks_95``
            (how many times the attacks must be made until out of action has that chance, in %; always exact; missing
            beyond 100 times), and ``rank`` among the loadouts by ``p_out``: 1 and as many as are certainly better.
            When rolled also ``trials``, and for each chance ``*_count``, ``*_low``, ``*_high`` (95%), and ``blood_low``
            and ``blood_high``.
        """
        import pandas as pd

        records = [self._record(cell) for cell in self.cells]
        for record, needed in zip(records, self.needed, strict=True):
            record |= {f"attacks_{round(100 * chance)}": n for chance, n in zip(CHANCES, needed, strict=True)}
        from tcsim.analysis.compare.marks import ranks_of

        for record, rank in zip(records, ranks_of(self), strict=True):
            record["rank"] = rank
        frame = pd.DataFrame.from_records(records)
        whole = ["cost_ducats", "cost_glory", *(f"attacks_{round(100 * chance)}" for chance in CHANCES)]
        return frame.astype(dict.fromkeys(whole, "Int64"))

    @cached_property
    def means(self) -> pd.DataFrame:
        """Every loadout over all targets.

        Returns
        -------
        DataFrame
            A row per loadout and situation: ``loadout``, ``situation``, ``cost_ducats``, ``cost_glory``, the means of
            ``p_out``, ``p_down_or_out`` and ``expected_blood`` by the targets' weights, and ``rank`` by ``p_out``; when
            rolled also ``out_low`` and ``out_high`` (95%).
        """
        from tcsim.analysis.compare.marks import means_of

        return means_of(self)

    @cached_property
    def differences(self) -> pd.DataFrame:
        """Every pair of loadouts, for each target and over all of them.

        Returns
        -------
        DataFrame
            A row per pair, target (``mean`` for all, by their weights) and situation: ``loadout``, ``other``,
            ``target``, ``situation``, ``difference`` (of P(out of action), in [-1, 1]), ``matters``; when rolled also
            ``low`` and ``high``, which hold for all pairs of the comparison at once (Bonferroni, 95%).
        """
        from tcsim.analysis.compare.marks import differences_of

        return differences_of(self)

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data, for JSON.

        Returns
        -------
        dict
            ``edition``, ``method``, ``times``, ``loadouts`` (with costs), ``targets`` (with weights and tables),
            ``situations``, ``cells`` as :attr:`frame`, ``means``, ``notes``, ``assumed``; ``mix`` where there is one;
            where it was rolled also ``trials``, ``seed``, ``stream_version``, ``level`` and, where shared, ``dice``.
        """
        how: dict[str, Any] = {"method": "exact"}
        if self.plan is not None:
            from tcsim.kernels.stream import STREAM_VERSION

            how = {"method": "monte_carlo"} | rolled(self.plan.trials, self.plan.seed, STREAM_VERSION)
            how |= {"dice": self.plan.dice} if self.plan.dice != "own" else {}
        told = {"edition": self.edition, **how, "times": self.terms.times}
        if self.mix is not None:
            told["mix"] = {"name": self.mix.name, "why": self.mix.why}
        return told | {
            "loadouts": [_told_loadout(one) for one in self.loadouts],
            "targets": [{"name": one.name, "weight": one.weight, "table": dict(one.table)} for one in self.targets],
            "situations": [
                {"name": one.name, "attack": one.attack, "target": one.target, "attacker": one.attacker}
                for one in self.situations
            ],
            "cells": plain_rows(self.frame),
            "means": plain_rows(self.means),
            "notes": list(self.notes),
            "assumed": list(self.assumed),
        }

    def _record(self, cell: Cell) -> dict[str, Any]:
        record: dict[str, Any] = {
            "loadout": cell.loadout.name,
            "target": cell.target.name,
            "situation": cell.situation.name,
            "weight": cell.target.weight,
            "cost_ducats": cell.loadout.cost.ducats,
            "cost_glory": cell.loadout.cost.glory,
        }
        record |= cell.answers
        if self.plan is not None:
            record |= _counted(cell, record["expected_blood"])
        return record


def _told_loadout(one: Loadout) -> dict[str, Any]:
    cost = {"ducats": one.cost.ducats, "glory": one.cost.glory, "of": one.cost.of, "faction": one.cost.faction}
    return {"name": one.name, "cost": cost, "attacks": [dict(attack) for attack in one.attacks]}


def plain_rows(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """Give the rows of a frame as plain data.

    Parameters
    ----------
    frame : DataFrame
        Any.

    Returns
    -------
    list of dict
        Column to value, None for what is missing.
    """
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return [{str(key): value for key, value in row.items()} for row in rows]


def _counted(cell: Cell, mean: float) -> dict[str, Any]:
    """Counts and intervals of what was rolled."""
    run, limit = cell.result.run if cell.result is not None else None, cell.marker_limit
    names = [f"{name}_{end}" for name in ENDS for end in ("count", "low", "high")]
    if run is None:
        return dict.fromkeys(["trials", *names, "blood_low", "blood_high"])
    record: dict[str, Any] = {"trials": run.trials}
    for name, so in ENDS.items():
        count = sum(n for end, n in run.counts.items() if so(end))
        _, low, high = interval(count, run.trials)
        record |= {f"{name}_count": count, f"{name}_low": low, f"{name}_high": high}
    square = sum(n * ((limit if end is None else end.blood) - mean) ** 2 for end, n in run.counts.items()) / run.trials
    half = z_score(LEVEL) * (square / run.trials) ** 0.5
    return record | {"blood_low": max(mean - half, 0.0), "blood_high": mean + half}


# --- asking --------------------------------------------------------------------------------------------------------


def compare(
    loadouts: Any,
    targets: Any = None,
    situations: Any = None,
    mix: str | Mix | None = None,
    plan: Plan | None = None,
    progress: Callable[[int], None] | None = None,
    **terms: Any,
) -> Comparison:
    """Compare loadouts against targets: how often each takes each out of action, and what it costs.

    Parameters
    ----------
    loadouts : str, mapping, Kit, Loadout, or iterable of these
        As ``"Heavy Shotgun, Siege Jezzail,cover"``; files; scenarios (:mod:`tcsim.analysis.compare.loadouts`).
    targets : str, int, mapping, Target, or iterable of these, optional
        As ``"0, -2,tough, 3x Heretic Trooper"`` (:mod:`tcsim.analysis.compare.targets`); default: the injury modifiers
        0 to -3, or the targets of scenario files where there are only such.
    situations : str, mapping, Situation, or iterable of these, optional
        Changes to every attack, as ``"as given // far=long_range,cover"``; default: none.
    mix : str or Mix, optional
        Targets with weights, in place of ``targets``: ``steps``, ``warbands``, ``infantry``, ``elites``, ``units``, or
        a file (:mod:`tcsim.analysis.compare.mixes`).
    plan : Plan, optional
        Roll it so; default: exact. With ``dice="shared"`` the trials of all cells share their dice, so that small
        differences show.
    progress : callable, optional
        Called with the number of cells finished since the last call.
    **terms
        ``times`` (how often the attacks are made, an activation each, 1 to 100), ``spend`` (a policy, or the ``spend``
        of a scenario), ``edition``, ``catalog``, ``attacker`` and ``faction`` (as for
        :func:`tcsim.analysis.compare.loadouts.read_loadouts`), ``options``.

    Returns
    -------
    Comparison
        Its ``frame``, ``means`` and ``differences`` are tidy tables.

    Raises
    ------
    InputError
        With one sentence: what was given, what is allowed.

    Examples
    --------
    >>> import tcsim
    >>> found = tcsim.compare("Heavy Shotgun, Siege Jezzail", "0, -3", times=2, spend="all")
    >>> found.frame[["loadout", "target", "p_out", "attacks_50", "rank"]].round(3).values.tolist()
    [['Heavy Shotgun', 'no armour', 0.843, 1, 1], ['Heavy Shotgun', '-3', 0.262, 4, 1], ['Siege Jezzail', 'no armour', \
0.561, 2, 2], ['Siege Jezzail', '-3', 0.111, 8, 2]]
    """
    known = [item.name for item in fields(Terms)]
    for name in terms:
        if name not in known:
            raise unknown("argument of compare", name, known)
    given = Terms(**terms)
    if type(given.times) is not int or not 1 <= given.times <= MOST_TIMES:
        raise InputError(f"{show(given.times)} is given, a whole number from 1 to {MOST_TIMES} is allowed", "times")
    for name, value in (("spend", given.spend), ("options", given.options)):
        if not isinstance(value, Mapping) and not (name == "spend" and isinstance(value, str | None)):
            allowed = "a policy or a table" if name == "spend" else "a table"
            raise InputError(f"{show(value)} is given, {allowed} is allowed", name)
    if plan is not None and not isinstance(plan, Plan):
        raise InputError(f"{show(plan)} is given, a Plan is allowed", "plan")
    rows = _rows(given)
    sides = read_loadouts(loadouts, rows.edition, rows, given.attacker, given.faction)
    marks, whole = _targets(targets, mix, sides, rows)
    ways = read_situations(situations)
    number = len(sides) * len(marks) * len(ways)
    if number > MOST_CELLS:
        raise InputError(f"these are {number:,} cells, at most {MOST_CELLS:,} are compared at once")
    asked = [ask(side, mark, way, given, rows) for way, side, mark in product(ways, sides, marks)]
    answers = Answers([one for one in asked if one.question is not None], plan, given.times, progress)
    cells = [answers.cell(one) for one in asked]
    notes: list[str] = []
    assumed: list[str] = []
    for one in asked:
        for text in [one.beyond] if one.question is None else one.question.notes:
            note(notes, text)
        for text in () if one.question is None else one.question.assumed:
            note(assumed, text)
    return Comparison(
        rows.edition, given, sides, marks, ways, whole, tuple(cells), tuple(notes), tuple(assumed), answers.plan
    )


def _rows(given: Terms) -> Catalog:
    if isinstance(given.catalog, Catalog):
        if given.edition not in (None, given.catalog.edition):
            raise InputError(f"the catalogue is of {given.catalog.edition}, {given.edition} is asked for", "edition")
        return given.catalog
    return open_catalog(DEFAULT_EDITION if given.edition is None else given.edition, given.catalog)


def _targets(
    targets: Any, mix: str | Mix | None, sides: Sequence[Loadout], rows: Catalog
) -> tuple[tuple[Target, ...], Mix | None]:
    if targets is None and mix is None and all("target" in side.more for side in sides):
        return (OWN_TARGET,), None
    return whom(targets, mix, rows, "steps")
