"""The report on Age of Sigmar, whole turns: what each command point adds, and how long an objective is held."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from tcsim.analysis.aos_turns import ATTACKER
from tcsim.base.lang import mark, tr
from tcsim.base.text import percent
from tcsim.plots.figures.lines import lines
from tcsim.plots.page import Words
from tcsim.report.aos_shared import alike, amount, one_edition, setting, size
from tcsim.report.blocks import Block, Cell, Column, Figures, Paragraph, Rich, Row, Table, chance, rich
from tcsim.report.shared import figure

if TYPE_CHECKING:
    import pandas as pd

#: Command points of a battle round, and those of the underdog.
_USUAL, _UNDERDOG = 4, 5


def _added(rows: pd.DataFrame, points: int) -> pd.Series[float]:
    """What a command point adds, by turn: the first adds what is at 1 less what is at 0."""
    at, before = (rows[rows["points"] == number].set_index("turn")["p"] for number in (points, points - 1))
    return at - before


def budget_finding(frame: pd.DataFrame) -> Rich:
    """Say what the first command point adds, and a fifth.

    Parameters
    ----------
    frame : DataFrame
        As :func:`tcsim.analysis.aos_turns.budgets` gives it.

    Returns
    -------
    Rich
        A sentence.
    """
    rows = one_edition(frame)
    first, last = _added(rows, 1), _added(rows, _UNDERDOG)
    spent = rows[rows["points"] == _USUAL]["spent"]
    sentence = mark(
        "Of {n} turns, the first command point adds most to “{turn}”: **{gain} points**; the underdog's fifth adds at "
        "most **{fifth} points**. With 4 points **{low} to {high}** are spent on average, as most are bought only if "
        "they are needed."
    )
    turn = tr(str(first.idxmax()))
    told = {"gain": size(float(first.max())), "fifth": size(float(last.max()))}
    told |= {"low": amount(float(spent.min())), "high": amount(float(spent.max()))}
    return rich(sentence, n=len(first), turn=turn, **told)


def budgets(frame: pd.DataFrame) -> tuple[Block, ...]:
    """Show what each command point adds.

    Parameters
    ----------
    frame : DataFrame
        As :func:`tcsim.analysis.aos_turns.budgets` gives it.

    Returns
    -------
    tuple of Block
        A figure and a table for editions with the same numbers, and a note.
    """
    blocks: list[Block] = []
    for number, (editions, rows) in enumerate(alike(frame)):
        first, last = _added(rows, 1), _added(rows, _UNDERDOG)
        words = Words(
            tr(
                "The first command point adds {low} to {high} points, a fifth at most {fifth}",
                low=size(float(first.min())),
                high=size(float(first.max())),
                fifth=size(float(last.max())),
            ),
            tr("Chance to reach the goal of a turn with the best use of command points"),
            f"{setting(editions)} {tr('Commands are bought knowing all dice so far.')} {tr('Exact.')}",
        )
        drawn = rows.assign(line=[tr(turn) for turn in rows["turn"].tolist()], number=rows["points"])
        end = f"-{number + 1}" if number else ""
        picture = figure(f"budget-points{end}", lines, words, drawn, words, across=tr("Command points"))
        blocks.append(Figures((picture,)))
        counts = sorted(set(rows["points"].tolist()))
        columns = (
            Column(tr("Turn"), number=False),
            *(Column(str(points), tr("Command points")) for points in counts),
            Column(tr("spent of 4")),
        )
        body = []
        for turn in dict.fromkeys(rows["turn"].tolist()):
            own = rows[rows["turn"] == turn].sort_values("points")
            spent = float(own[own["points"] == _USUAL]["spent"].iloc[0])
            cells = (*(chance(float(p)) for p in own["p"].tolist()), Cell(amount(spent), value=spent))
            body.append(Row((Cell(tr(turn)), *cells)))
        caption = f"{setting(editions)} {tr('Chance to reach the goal, by command points')}"
        blocks.append(Table(f"budgets{end}", caption, columns, tuple(body)))
    note = rich(
        "Break a unit: three models with 12x3+/3+/-1/2 charge ten of Save 4+, needing 8. 2 of 3 charges: they "
        "need 7, 8 and 9. Hold an objective: ten models of Save 4+ are charged by five of Health 3, which ten archers "
        "may shoot at. Break and save: as the first, and then five archers are charged. `tcsim aos budget` reads turns "
        "of your own."
    )
    return (*blocks, Paragraph(note, small=True))


# --- objectives -----------------------------------------------------------------------------------------------


def _called(row: Mapping[Any, Any]) -> str:
    return tr("{models} models, {save}+", models=row["models"], save=row["save"])


def _lost(rows: pd.DataFrame) -> float:
    """The most that Power Through takes off a hold at any check."""
    with_, without = (rows[rows["power"] == power]["p"].to_numpy(float) for power in (True, False))
    return float((without - with_).max())


def outlook_finding(frame: pd.DataFrame) -> Rich:
    """Say who holds an objective to the end, and what Power Through takes off.

    Parameters
    ----------
    frame : DataFrame
        As :func:`tcsim.analysis.aos_turns.holding` gives it.

    Returns
    -------
    Rich
        A sentence.
    """
    rows = one_edition(frame)
    checks = int(rows["check"].max())
    end = rows[(rows["check"] == checks) & ~rows["power"]].sort_values("p").to_dict("records")
    worst, best = end[0], end[-1]
    sentence = mark(
        "Against the same attacks an objective is held over {checks} control checks in **{best}** ({strong}) to "
        "**{worst}** ({weak}); Power Through before the checks takes off up to **{points} points**."
    )
    told = {"best": percent(float(best["p"])), "worst": percent(float(worst["p"])), "points": size(_lost(rows))}
    return rich(sentence, checks=checks, strong=_called(best), weak=_called(worst), **told)


def outlook(frame: pd.DataFrame) -> tuple[Block, ...]:
    """Show how long an objective is held.

    Parameters
    ----------
    frame : DataFrame
        As :func:`tcsim.analysis.aos_turns.holding` gives it.

    Returns
    -------
    tuple of Block
        A figure and a table for editions with the same numbers, and a note.
    """
    first = tr("The holder has the first turn, Power Through ends the enemy turns.")
    panels = {False: tr("Without Power Through"), True: tr("With Power Through")}
    blocks: list[Block] = []
    for number, (editions, rows) in enumerate(alike(frame)):
        words = Words(
            tr("Power Through takes up to {points} points off the hold of an objective", points=size(_lost(rows))),
            tr("Chance that an objective was held at every control check so far"),
            f"{setting(editions)} {first} {tr('Exact.')}",
        )
        drawn = rows.assign(
            line=[_called(row) for row in rows.to_dict("records")],
            number=rows["check"],
            panel=[panels[power] for power in rows["power"].tolist()],
        )
        end = f"-{number + 1}" if number else ""
        picture = figure(f"objective-outlook{end}", lines, words, drawn, words, across=tr("Control check"))
        blocks.append(Figures((picture,)))
        checks = sorted(set(rows["check"].tolist()))
        columns = (
            Column(tr("Held by"), number=False),
            Column("Power Through", number=False),
            *(Column(str(check), tr("Control check"), minor=check % 2 == 1) for check in checks),
        )
        body = []
        for (_, power), own in drawn.groupby(["line", "power"], sort=False):
            cells = (chance(float(p)) for p in own.sort_values("check")["p"].tolist())
            body.append(Row((Cell(own["line"].iloc[0]), Cell(tr("yes") if power else tr("no")), *cells)))
        caption = f"{setting(editions)} {tr('Chance that the objective was held so far')}"
        blocks.append(Table(f"outlook{end}", caption, columns, tuple(body)))
    note = rich(
        "Every holder is attacked in every turn by {models} models of Health {health} and Save {save}+ with {weapons} "
        "each, and strikes back; `tcsim aos ask outlook` takes units of your own.",
        models=ATTACKER["B_models"],
        health=ATTACKER["B_health"],
        save=ATTACKER["B_save"],
        weapons=ATTACKER["B_weapons"],
    )
    return (*blocks, Paragraph(note, small=True))
