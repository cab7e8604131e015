"""How the chance grows with the number of attacks, against ordinary and TOUGH targets."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tcsim.base.lang import mark, tr
from tcsim.base.text import percent
from tcsim.plots import data, parts, style, tell
from tcsim.plots.host import inches
from tcsim.plots.page import Sheet, Words, inner_width, line_height, measure, wrap

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: Weapons on one page at most.
MOST = 8

_LEFT, _GUTTER, _PANEL, _FOOT, _GAP = 0.52, 0.55, 1.12, 0.52, 0.16


def _chances(
    frame: pd.DataFrame, armour: str, blood: int, weapons: Sequence[str] | None
) -> tuple[dict[str, dict[bool, list[float]]], int]:
    """Chances by number of attacks for each weapon, strongest first; and how many weapons were left out."""
    rows = data.cells(data.printed(frame), shield=False, armour=armour, blood=data.nearest(frame, "blood", blood))
    if weapons is not None:
        rows = rows[rows["weapon_id"].isin(list(weapons))]
    chosen = data.by_value(rows) if weapons is not None else data.telling(rows, MOST)
    table = {}
    for key in chosen:
        own = data.cells(rows, weapon_id=key).sort_values("attacks")
        table[key] = {tough: data.cells(own, tough=tough)["p_out"].tolist() for tough in (False, True)}
    return table, len(data.labels(rows)) - len(chosen)


def attacks_words(
    frame: pd.DataFrame,
    armour: str = "standard",
    blood: int = 0,
    weapons: Sequence[str] | None = None,
    setting: str = "",
) -> Words:
    """Say what :func:`attacks` shows.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.
    armour : str, optional
        Name of the armour in the frame.
    blood : int, optional
        Markers held at the start; the nearest number that the frame has.
    weapons : sequence of str, optional
        Weapon ids; default: all, or the eight that differ most.
    setting : str, optional
        Sentence on edition and assumptions, for the caption.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    data.check(frame)
    table, left_out = _chances(frame, armour, blood, weapons)
    numbers = data.values(frame, "attacks")
    names = data.labels(frame)
    worn = tr(data.IN[armour])
    pairs = [(i, i + 1) for i in range(len(numbers) - 1) if numbers[i + 1] == numbers[i] + 1]
    dearer = pairs and all(one[True][j] < one[False][i] - data.SAME for one in table.values() for i, j in pairs)
    most = tell.things(numbers[-1], "attack")
    last = {tough: [one[tough][-1] for one in table.values()] for tough in (False, True)}
    if dearer:
        title = tr("TOUGH costs more than one extra attack, with every weapon")
        if len(table) == 1:
            told = mark("TOUGH costs more than one extra attack of {weapon}")
            title = tr(told, weapon=tell.the(next(iter(table)), names))
    else:
        told, take = (
            mark("{attacks} {take} out {span} of ordinary targets, {tough} of TOUGH ones"),
            tell.takes(numbers[-1]),
        )
        title = tr(told, attacks=most, take=take, span=tell.span(last[False]), tough=tell.span(last[True]))
        if len(table) == 1:
            title = f"{names[next(iter(table))]}: {title}"
    by = tr("{few} to {attacks}", few=tell.counted(numbers[0]), attacks=most) if len(numbers) > 1 else most
    subtitle = tr("Chance that a target in {armour} is out of action by {attacks}", armour=worn, attacks=by)
    if armour == "none":
        subtitle = tr("Chance that a target without armour is out of action by {attacks}", attacks=by)
    told = mark("Target standing, {holding}, at the start.")
    notes = [setting, tr(told, holding=tell.holding(data.nearest(frame, "blood", blood)))]
    if dearer:
        told = mark(
            "A TOUGH target survives each number of attacks more often than an ordinary one survives one fewer."
        )
        notes.append(tr(told))
    notes.append(tell.not_drawn(len(table), left_out))
    return Words(title[0].upper() + title[1:], subtitle, " ".join(filter(None, [*notes, tr("Exact.")])))


@style.styled
def attacks(
    frame: pd.DataFrame,
    armour: str = "standard",
    blood: int = 0,
    weapons: Sequence[str] | None = None,
    setting: str = "",
    bare: bool = False,
    ax: Axes | None = None,
    lang: str | None = None,
) -> Any:
    """Draw P(out of action) over the number of attacks: a panel for each weapon, a line for each kind of target.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.
    armour : str, optional
        Name of the armour in the frame.
    blood : int, optional
        Markers held at the start; the nearest number that the frame has.
    weapons : sequence of str, optional
        Weapon ids; default: all, or the eight that differ most.
    setting : str, optional
        Sentence on edition and assumptions, for the caption.
    bare : bool, optional
        Panels only.
    ax : Axes, optional
        Draw the panels into these, of a figure of your own.
    lang : str, optional
        ``en`` or ``ko``; default: the language of the moment.

    Returns
    -------
    array of Axes, or ax
        A panel for each weapon; two columns of bars when there is but one number of attacks.

    Examples
    --------
    >>> from tcsim.analysis.kill_odds import kill_odds
    >>> odds = kill_odds(["sword-axe"], blood=[0, 3], attacks=[1, 2])
    >>> attacks(odds, bare=True).shape
    (1,)
    """
    data.check(frame)
    words = attacks_words(frame, armour, blood, weapons, setting)
    table, _ = _chances(frame, armour, blood, weapons)
    names, profiles, numbers = data.labels(frame), data.profiles(frame), data.values(frame, "attacks")
    inner = inner_width(bare, ax)
    if len(numbers) == 1:
        chances = np.array([[one[False][0], one[True][0]] for one in table.values()])
        bars = parts.Bars(
            tuple(names[key] for key in table),
            (tr("ordinary target"), tr("TOUGH target")),
            chances,
            tuple(tuple(percent(p) for p in row) for row in chances.tolist()),
            tuple(profiles[key] for key in table),
            (style.MAIN, style.CONTRAST),
        )
        sheet = Sheet(words, parts.bars_height(bars, inner), bare, ax)
        return sheet.drawn(parts.draw_bars(sheet, 0, bars, full=1.0))
    across = 2 if len(table) > 1 else 1
    width = (inner - _LEFT - across * _GUTTER) / across
    heads = [(key, wrap(names[key], width + _GUTTER - 0.08, style.HEAD, True)) for key in table]
    lines = [heads[i : i + across] for i in range(0, len(heads), across)]
    heights = [max(len(name) for _, name in line) * line_height(style.HEAD) + 0.09 for line in lines]
    total = sum(heights) + len(lines) * _PANEL + (len(lines) - 1) * _GAP + _FOOT
    sheet = Sheet(words, total, bare, ax)
    panels: list[Any] = []
    unnamed = [False, True]  # lines that no panel so far had room to name
    top = 0.0
    for i, line in enumerate(lines):
        for j, (key, name) in enumerate(line):
            left = _LEFT + j * (width + _GUTTER)
            sheet.text(left, top + heights[i] - 0.09, "\n".join(name), style.HEAD, bold=True, va="bottom")
            axes = sheet.axes(left, top + heights[i], width, _PANEL, only=len(heads) == 1)
            lowest = i == len(lines) - 1 or (i == len(lines) - 2 and j >= len(lines[-1]))
            parts.percent_axis(axes, ticks=j == 0)
            parts.number_axis(axes, numbers, tr("Attacks made") if lowest else "", ticks=lowest)
            unnamed = _draw(axes, numbers, table[key], unnamed)
            panels.append(axes)
        top += heights[i] + _PANEL + _GAP
    return sheet.drawn(panels)


def _draw(axes: Any, numbers: list[int], chances: dict[bool, list[float]], unnamed: list[bool]) -> list[bool]:
    """Draw both lines and the values at their ends, and name those that have no name yet; give what is left."""
    parts.line(axes, numbers, chances[False], style.MAIN, "o")
    parts.line(axes, numbers, chances[True], style.CONTRAST, "s", dashed=True)
    ends = [parts.End(chances[tough][-1], percent(chances[tough][-1], 0)) for tough in (False, True)]
    parts.end_labels(axes, ends, numbers[-1])
    size = inches(axes)
    left = []
    for tough in unnamed:
        lines = (numbers, chances[tough], chances[not tough])
        if not _name_line(axes, tr("TOUGH" if tough else "ordinary"), lines, size, below=tough):
            left.append(tough)
    return left


def _name_line(
    axes: Any, word: str, lines: tuple[list[int], list[float], list[float]], size: tuple[float, float], below: bool
) -> bool:
    """Write a word close to a line, near the middle, where it touches neither line nor edge; tell if there was room."""
    numbers, own, other = lines
    low, high = axes.get_xlim()
    long = measure(word, style.TICK) / size[0] * (high - low)
    tall, pad = 0.15 / size[1], 0.07 / size[1]
    best: tuple[float, float, float] | None = None
    for start in np.linspace(low, high - long, 60):
        under = np.linspace(start, start + long, 25)
        mine, others = np.interp(under, numbers, own), np.interp(under, numbers, other)
        for side in (below, not below):
            bottom = float(mine.min()) - pad - tall if side else float(mine.max()) + pad
            clear = (others >= bottom + tall + pad / 2) | (others <= bottom - pad / 2)
            if bottom >= 0.03 and bottom + tall <= 0.98 and clear.all():
                cost = abs(start + long / 2 - (low + high) / 2) / (high - low) + (0.4 if side != below else 0.0)
                if best is None or cost < best[0]:
                    best = (cost, float(start), bottom)
    if best is None:
        return False
    axes.text(best[1], best[2], word, fontproperties=style.font(style.TICK), color=style.INK, va="bottom", ha="left")
    return True
