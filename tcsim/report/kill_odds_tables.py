"""The tables of the kill-odds report."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from tcsim.analysis.agreement import Verdict
from tcsim.base.lang import mark, tr
from tcsim.base.text import percent, plural, signed
from tcsim.plots import data, tell
from tcsim.plots.figures.critical_worth import worth
from tcsim.report.blocks import Cell, Column, Folded, Row, Table, chance
from tcsim.report.kill_odds_words import base_cells

if TYPE_CHECKING:
    import pandas as pd

    from tcsim.report.kill_odds import Settings

_HEADS = {armour: label for armour, shield, label in data.PROTECTIONS if not shield}


def counted_twice(row: Mapping[Hashable, Any]) -> Cell:
    """Make a cell of P(out of action): exact, and below it what was rolled, with its interval.

    Parameters
    ----------
    row : mapping
        A cell of the frame: column to value.

    Returns
    -------
    Cell
        Without a second line if nothing was rolled.
    """
    p = float(row["p_out"])
    if "trials" not in row:
        return Cell(percent(p), value=p)
    rolled = percent(float(row["out_count"]) / float(row["trials"]))
    return Cell(percent(p), f"{rolled} ({percent(float(row['out_low']))}–{percent(float(row['out_high']))})", p)


def summary(frame: pd.DataFrame) -> Table:
    """Tabulate every weapon against every class of armour, in the plainest situation there is.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.

    Returns
    -------
    Table
        A row for each weapon, strongest first.
    """
    rows = base_cells(frame)
    times, blood = data.nearest(frame, "attacks", 1), data.nearest(frame, "blood", 0)
    most, twice = data.values(frame, "blood")[-1], data.nearest(frame, "attacks", 2)
    names, profiles = data.labels(frame), data.profiles(frame)
    gains = worth(frame, times, blood)["standard"]
    bloody = base_cells(frame, armour="standard", blood=most).set_index("weapon_id")["p_out"]
    tough = base_cells(frame, armour="standard", attacks=twice, tough=True).set_index("weapon_id")["p_out"]
    kinds = dict(zip(rows["weapon_id"], rows["kind"], strict=True))
    first = ", ".join((tell.things(times, "attack"), tell.things(blood, "blood marker")))
    more = tr("Standard Armour, otherwise")
    columns = [Column(tr("Weapon"), number=False), Column(tr("Type"), number=False, minor=True)]
    columns += [Column(tr(_HEADS[armour]), first) for armour in data.ARMOURS]
    if most != blood:
        columns.append(Column(plural(most, "marker"), more))
    columns += [
        Column(tr("TOUGH") if twice == times else f"{tr('TOUGH')}, {tell.things(twice, 'attack')}", more),
        Column(tr("CRITICAL adds"), more),
    ]
    lines = []
    for key in data.by_value(rows):
        own = data.cells(rows, weapon_id=key).set_index("armour")["p_out"]
        cells = [Cell(names[key], profiles[key]), Cell(tr(str(kinds[key])))]
        cells += [chance(float(own[armour]), bar=True) for armour in data.ARMOURS]
        if most != blood:
            cells.append(chance(float(bloody[key])))
        gain = float(gains[key])
        cells += [chance(float(tough[key])), Cell(tell.points(gain, 2), value=gain)]
        lines.append(Row(tuple(cells)))
    return Table(
        "weapons",
        tr("Chance that the target is out of action, exact"),
        tuple(columns),
        tuple(lines),
        search=tr("Find a weapon") if len(lines) > 1 else "",
        note=tr("Bars share one scale, 0 to 100%. CRITICAL adds: points, with the keyword against without it."),
    )


def agreement_table(judged: Verdict, settings: Settings) -> Table:
    """Tabulate how exact and rolled agree.

    Parameters
    ----------
    judged : Verdict
        How they agree.
    settings : Settings
        With what the report is made.

    Returns
    -------
    Table
        A row for each number.
    """
    one = judged.agreement
    facts = (
        (mark("Different questions rolled"), f"{judged.questions:,}"),
        (mark("Trials for each"), f"{settings.trials:,}"),
        (mark("Chances judged"), f"{one.cells:,}"),
        (mark("Outside their 95% range"), f"{one.outside:,}"),
        (mark("Expected outside, if all dice are fair"), f"{one.expected:,.1f}"),
        (mark("Chance of so many or more outside, then"), _probability(judged.chance_of_outside)),
        (mark("Largest deviation, in standard deviations"), f"{one.worst_z:.2f}"),
        (mark("Chance of a larger one, then"), _probability(one.chance_of_worse)),
        (mark("Counts that cannot be"), f"{one.impossible:,}"),
    )
    return Table(
        "agreement",
        tr("Exact against rolled, over all cells at once"),
        (Column("", number=False), Column("")),
        tuple(Row((Cell(tr(name)), Cell(found))) for name, found in facts),
    )


def _probability(p: float) -> str:
    return percent(p, 1 if p >= 0.001 else 4)


def weapon_cells(frame: pd.DataFrame) -> tuple[Folded, ...]:
    """Tabulate the cells of each weapon for the two smallest numbers of attacks: exact, and rolled beside it.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.

    Returns
    -------
    tuple of Folded
        One for each weapon, strongest first: a table as the books have it, and one with CRITICAL changed.
    """
    names, profiles = data.labels(frame), data.profiles(frame)
    numbers = data.values(frame, "attacks")[:2]
    rows = frame[frame["attacks"].isin(numbers)]
    own = data.printed(frame)["critical"].groupby(data.printed(frame)["weapon_id"], sort=False).first()
    folded: list[Folded] = []
    for key in data.by_value(base_cells(frame)):
        tables = []
        has_it = bool(own[key])
        for critical in (has_it, not has_it):
            cells = data.cells(rows, weapon_id=key, critical=critical)
            what = mark("{weapon}, as the books have it: chance that the target is out of action")
            if critical != has_it:
                added = mark("{weapon}, CRITICAL added: chance that the target is out of action")
                what = added if critical else _TAKEN_AWAY
            name = f"cells-{len(folded)}-{'own' if critical == has_it else 'twin'}"
            tables.append(_cells_table(cells, name, tr(what, weapon=names[key])))
        shown = f"{names[key]} ({profiles[key]})" if profiles[key] else names[key]
        folded.append(Folded(shown, tuple(tables)))
    return tuple(folded)


_TAKEN_AWAY = mark("{weapon}, CRITICAL taken away: chance that the target is out of action")


def _cells_table(cells: pd.DataFrame, name: str, caption: str) -> Table:
    numbers, blood = data.values(cells, "attacks"), data.values(cells, "blood")
    columns = [Column(tr("Armour"), number=False), Column(tr("Blood"))]
    for times in numbers:
        group = tell.things(times, "attack")
        columns += [Column(tr("ordinary"), group), Column(tr("TOUGH"), group)]
    key = ("armour", "shield", "blood", "attacks", "tough")
    at = {tuple(record[name] for name in key): record for record in cells.to_dict("records")}
    rows = []
    for label, note, armours, (armour, shield) in _protections(cells):
        for markers in blood:
            line = [Cell(label, note), Cell(str(markers), value=float(markers))]
            for times in numbers:
                for tough in (False, True):
                    line.append(counted_twice(at[(armour, shield, markers, times, tough)]))
            rows.append(Row(tuple(line), (("armour", armours), ("blood", str(markers)))))
    rolled = tr("Second line: rolled, with its 95% interval.") if "trials" in cells else ""
    return Table(name, caption, tuple(columns), tuple(rows), note=rolled)


def _protections(cells: pd.DataFrame) -> list[tuple[str, str, str, tuple[str, bool]]]:
    """Ways to be protected that differ against a weapon: modifier, what they are called, their tags, one of them.

    Ways that come to the same chances everywhere share a row, because they are the same question.
    """
    found: list[tuple[list[str], list[str], tuple[str, bool], str, np.ndarray]] = []
    for armour, shield, label in data.PROTECTIONS:
        own = data.cells(cells, armour=armour, shield=shield).sort_values(["tough", "blood", "attacks"])
        if own.empty:
            continue
        chances = own[["p_out", "p_down"]].to_numpy()
        tag = f"{armour}{'-shield' if shield else ''}"
        for labels, tags, _, _, known in found:
            if np.allclose(known, chances, rtol=0, atol=data.SAME):
                labels.append(tr(label))
                tags.append(tag)
                break
        else:
            found.append(([tr(label)], [tag], (armour, shield), signed(int(own["modifier"].iloc[0])), chances))
    if len(found) == 1:
        return [(tr("any"), tr("Armour makes no difference"), " ".join(found[0][1]), found[0][2])]
    return [(modifier, ", ".join(labels), " ".join(tags), one) for labels, tags, one, modifier, _ in found]
