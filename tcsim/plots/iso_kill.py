"""Lines of equal chance over DICE and injury dice: which combinations come to the same, armour by armour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from tcsim.analysis.worths import MEASURES
from tcsim.base.errors import InputError
from tcsim.base.lang import mark, tr
from tcsim.base.text import percent, signed
from tcsim.plots import style
from tcsim.plots.page import Sheet, Words, inner_width

if TYPE_CHECKING:
    import pandas as pd

#: Chances that have a line.
LEVELS = (0.01, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99)
#: Inches: between panels, beside them, above them, below them.
_BETWEEN, _LEFT, _HEAD, _FOOT = 0.18, 0.5, 0.3, 0.5


def _check(frame: pd.DataFrame) -> None:
    missing = {"armour", "action_dice", "injury_dice", "p"} - set(frame.columns)
    if missing:
        names = ", ".join(sorted(missing))
        raise InputError(f"the frame has no column {names}; tcsim.iso_kill(…) gives one that has", "frame")
    if frame.empty or frame["action_dice"].nunique() < 2 or frame["injury_dice"].nunique() < 2:
        raise InputError("lines need two numbers of DICE and of injury dice, or more", "frame")


def _asked(frame: pd.DataFrame) -> dict[str, Any] | None:
    """The scenario as it was asked, where the frame has it."""
    rows = frame[frame["asked"]] if "asked" in frame else frame.iloc[:0]
    return None if rows.empty else {str(key): value for key, value in rows.iloc[0].items()}


def iso_kill_words(frame: pd.DataFrame, of: str = "out", setting: str = "") -> Words:
    """Say what :func:`iso_kill` shows.

    Parameters
    ----------
    frame : DataFrame
        As :func:`tcsim.iso_kill` gives it.
    of : str, optional
        What it is measured by: ``out`` or ``down``.
    setting : str, optional
        Sentence on edition and scenario, for the caption.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    _check(frame)
    what = tr(MEASURES[of])
    asked = _asked(frame)
    title = tr("Lines of equal chance: {what}", what=what)
    notes = [setting]
    if asked is not None:
        title = _finding(frame, asked)
        told = mark("Dot: the scenario as asked, {p}; thick line: whatever comes to the same.")
        notes.append(tr(told, p=percent(asked["p"])))
    subtitle = tr("Chance of {what} by DICE and injury dice more than asked; along a line it stays the same", what=what)
    notes.append(tr("Lines are exact at whole dice and straight between them."))
    return Words(title, subtitle, " ".join(filter(None, notes)))


def _finding(frame: pd.DataFrame, asked: dict[str, Any]) -> str:
    """How many DICE make up for one step of armour, or that none do."""
    heavier = sorted((armour for armour in frame["armour"].unique() if armour < asked["armour"]), reverse=True)
    if not heavier:
        return tr("{p} as asked, and what comes to the same", p=percent(asked["p"]))
    found = []
    for along, across in (("action_dice", "injury_dice"), ("injury_dice", "action_dice")):
        row = frame[(frame["armour"] == heavier[0]) & (frame[across] == 0)].sort_values(along)
        xs, ps = row[along].to_numpy(dtype=float), row["p"].to_numpy()
        enough = np.flatnonzero((ps >= asked["p"] - 1e-12) & (xs >= 0))
        found.append(int(xs[enough[0]]) if enough.size else None)
    dice, injury = found
    armour = signed(int(heavier[0]))
    if injury is None:
        return tr("No injury dice drawn here make up for armour {armour}", armour=armour)
    if dice is None:
        told = mark("Against armour {armour}, {n} more injury dice make up for it; no number of DICE drawn here does")
        if injury == 1:
            told = mark(
                "Against armour {armour}, one more injury die makes up for it; no number of DICE drawn here does"
            )
        return tr(told, armour=armour, n=injury)
    told = mark("Armour {armour} is made up for by DICE {dice}, or by injury dice {injury}")
    return tr(told, armour=armour, dice=signed(dice), injury=signed(injury))


@style.styled
def iso_kill(
    frame: pd.DataFrame, of: str = "out", setting: str = "", bare: bool = False, lang: str | None = None
) -> NDArray[Any]:
    """Draw lines of equal chance over DICE and injury dice, a panel for each armour.

    Parameters
    ----------
    frame : DataFrame
        As :func:`tcsim.iso_kill` gives it: ``armour``, ``action_dice``, ``injury_dice``, ``p`` (probability in [0, 1]),
        and ``asked``, which marks the scenario as it was asked.
    of : str, optional
        What it is measured by: ``out`` or ``down``.
    setting : str, optional
        Sentence on edition and scenario, for the caption.
    bare : bool, optional
        Panels only.
    lang : str, optional
        ``en`` or ``ko``; default: the language of the moment.

    Returns
    -------
    array of Axes
        A panel for each armour, none first.
    """
    _check(frame)
    armours = sorted(frame["armour"].unique(), reverse=True)
    inner = inner_width(bare)
    columns = 2 if len(armours) > 1 else 1
    side = (inner - _LEFT - (columns - 1) * _BETWEEN - 0.06) / columns
    side = min(side, 3.6)
    rows = -(-len(armours) // columns)
    height = rows * (_HEAD + side) + _FOOT
    sheet = Sheet(iso_kill_words(frame, of, setting), height, bare)
    asked = _asked(frame)
    panels = []
    for index, armour in enumerate(armours):
        row, column = divmod(index, columns)
        left, top = _LEFT + column * (side + _BETWEEN), row * (_HEAD + side)
        name = tr("Armour {n}", n=signed(int(armour))) if armour else tr("No armour")
        sheet.text(left, top + _HEAD - 0.08, name, style.HEAD, bold=True, va="bottom")
        axes = sheet.axes(left, top + _HEAD, side, side)
        _draw(axes, frame[frame["armour"] == armour], armour, asked)
        below = index + columns >= len(armours)
        _numbers(axes, frame, below, column == 0)
        panels.append(axes)
    return np.array(panels, dtype=object)


def _numbers(axes: Axes, frame: pd.DataFrame, below: bool, beside: bool) -> None:
    """Write the numbers of dice along the panel."""
    for name, at, words in (
        ("action_dice", "x" if below else "", mark("DICE (action roll)")),
        ("injury_dice", "y" if beside else "", mark("Injury dice")),
    ):
        numbers = sorted(int(n) for n in frame[name].unique())
        texts = [signed(n) for n in numbers]
        if name == "action_dice":
            axes.set_xlim(numbers[0] - 0.35, numbers[-1] + 0.35)
            axes.set_xticks(numbers, texts if at else [""] * len(numbers))
        else:
            axes.set_ylim(numbers[0] - 0.35, numbers[-1] + 0.35)
            axes.set_yticks(numbers, texts if at else [""] * len(numbers))
        if at == "x":
            axes.set_xlabel(tr(words), fontproperties=style.font(style.LABEL), labelpad=3)
        if at == "y":
            axes.set_ylabel(tr(words), fontproperties=style.font(style.LABEL), labelpad=3)
    axes.tick_params(length=0, pad=3)


def plane(rows: pd.DataFrame) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Give the plane of one armour.

    Parameters
    ----------
    rows : DataFrame
        Of one armour.

    Returns
    -------
    array, array, array of float
        DICE, injury dice, and chances, a row for each number of injury dice.
    """
    table = rows.pivot(index="injury_dice", columns="action_dice", values="p").sort_index().sort_index(axis=1)
    return table.columns.to_numpy(dtype=float), table.index.to_numpy(dtype=float), table.to_numpy(dtype=float)


def _draw(axes: Axes, rows: pd.DataFrame, armour: int, asked: dict[str, Any] | None) -> None:
    x, y, p = plane(rows)
    axes.set_facecolor(style.WASH)
    axes.patch.set_alpha(1.0)
    grid_x, grid_y = np.meshgrid(x, y)
    axes.scatter(grid_x, grid_y, s=5, color=style.PALE, zorder=1.5, linewidths=0)
    mine = asked["p"] if asked is not None else None
    levels = [level for level in LEVELS if p.min() < level < p.max()]
    if mine is not None:
        levels = [level for level in levels if abs(level - mine) > 0.02]
    if levels:
        lines = axes.contour(x, y, p, levels=levels, colors=style.MAIN, linewidths=1.3, zorder=2)
        axes.clabel(lines, fmt=lambda level: percent(level, 0), fontsize=style.TICK, colors=style.INK, inline_spacing=2)
    if mine is not None and p.min() < mine < p.max():
        lines = axes.contour(x, y, p, levels=[mine], colors=style.CONTRAST, linewidths=2.6, zorder=3)
        axes.clabel(lines, fmt=lambda level: percent(level), fontsize=style.TICK, colors=style.INK, inline_spacing=2)
    if asked is not None and armour == asked["armour"]:
        axes.scatter([0], [0], s=46, color=style.CONTRAST, edgecolors=style.PAPER, linewidths=1.2, zorder=4)
