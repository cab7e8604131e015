"""Lines of equal chance over DICE and injury dice: which combinations come to the same, armour by armour."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from tcsim.analysis.exchange.worths import MEASURES
from tcsim.base.errors import InputError, show
from tcsim.base.lang import mark, tr
from tcsim.base.text import percent, plural, signed
from tcsim.plots import style
from tcsim.plots.host import inches
from tcsim.plots.page import Sheet, Words, inner_width, line_height
from tcsim.plots.parts import spread

if TYPE_CHECKING:
    import pandas as pd

#: Chances that have a line.
LEVELS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98)
#: A line so near to that of the scenario is left out.
_APART = 0.03
#: Inches between the names that stand upon lines, at least; a line without room for its name has none.
_ROOM = 0.42
#: Inches: left of the panels, right of each (for what its lines are), above them, below them.
_LEFT, _BESIDE, _HEAD, _FOOT = 0.46, 0.58, 0.36, 0.5


def _check(frame: pd.DataFrame, of: str) -> None:
    if of not in ("out", "down"):
        raise InputError(f"{show(of)} is given, out or down is allowed: lines are of equal chance", "of")
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
    _check(frame, of)
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
    armours = {"heavier": signed(int(heavier[0])), "armour": signed(int(asked["armour"]))}
    dies = plural(injury or 0, "more injury die", "more injury dice")
    if dice is None and injury is None:
        return tr("Nothing drawn here makes up for armour {heavier} instead of {armour}", **armours)
    if dice is None:
        return tr(
            "Armour {heavier} instead of {armour}: {dies} make up for it, no number of DICE does", dies=dies, **armours
        )
    if injury is None:
        return tr(
            "Armour {heavier} instead of {armour}: {n} more DICE make up for it, no injury dice do", n=dice, **armours
        )
    return tr(
        "Armour {heavier} instead of {armour}: {n} more DICE or {dies} make up for it", n=dice, dies=dies, **armours
    )


@style.styled
def iso_kill(
    frame: pd.DataFrame,
    of: str = "out",
    setting: str = "",
    bare: bool = False,
    ax: Axes | None = None,
    lang: str | None = None,
) -> Any:
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
    ax : Axes, optional
        Draw the panels into these, of a figure of your own.
    lang : str, optional
        ``en`` or ``ko``; default: the language of the moment.

    Returns
    -------
    array of Axes, or ax
        A panel for each armour, none first.

    Examples
    --------
    >>> import tcsim
    >>> plane = tcsim.iso_kill({"target": {}, "attacks": [{"kind": "melee"}]})
    >>> iso_kill(plane, bare=True).shape
    (4,)
    """
    _check(frame, of)
    armours = sorted(frame["armour"].unique(), reverse=True)
    inner = inner_width(bare, ax)
    columns = 2 if len(armours) > 1 else 1
    side = min((inner - _LEFT) / columns - _BESIDE, 3.6)
    rows = -(-len(armours) // columns)
    height = rows * (_HEAD + side) + _FOOT
    sheet = Sheet(iso_kill_words(frame, of, setting), height, bare, ax)
    asked = _asked(frame)
    panels = []
    for index, armour in enumerate(armours):
        row, column = divmod(index, columns)
        left, top = _LEFT + column * (side + _BESIDE), row * (_HEAD + side)
        name = tr("Armour {n}", n=signed(int(armour))) if armour else tr("No armour")
        sheet.text(left, top + _HEAD - 0.08, name, style.HEAD, bold=True, va="bottom")
        axes = sheet.axes(left, top + _HEAD, side, side, only=len(armours) == 1)
        _numbers(axes, frame, index + columns >= len(armours), column == 0)
        _draw(axes, frame[frame["armour"] == armour], armour, asked)
        panels.append(axes)
    return sheet.drawn(panels)


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
    lines = [(level, 1.3, style.MAIN) for level in LEVELS if mine is None or abs(level - mine) > _APART]
    lines += [(mine, 2.6, style.CONTRAST)] if mine is not None else []
    ends, upon = [], [np.zeros(2)] if asked is not None else []
    for level, width, colour in lines:
        if not p.min() < level < p.max():
            continue
        drawn = axes.contour(x, y, p, levels=[level], colors=colour, linewidths=width, zorder=2 + (level == mine))
        text = percent(level, 1 if level == mine else 0)
        last = [end for line in drawn.allsegs[0] for end in (line[0], line[-1]) if abs(end[0] - x[-1]) < 1e-9]
        if last:
            ends.append((float(last[0][1]), text, level == mine))
            continue
        place = _room_upon(drawn.allsegs[0][0], upon, axes) if level != mine else None
        if place is not None:  # it ends elsewhere, so its name stands upon it
            axes.clabel(drawn, manual=[place], fmt={level: text}, fontsize=style.TICK, colors=style.INK)
            upon.append(place)
    _name(axes, ends)
    if asked is not None and armour == asked["armour"]:
        axes.scatter([0], [0], s=46, color=style.CONTRAST, edgecolors=style.PAPER, linewidths=1.2, zorder=4)


def _room_upon(line: NDArray[np.float64], taken: list[NDArray[np.float64]], axes: Axes) -> NDArray[np.float64] | None:
    """A place upon a line that is far enough from the names that stand there, and from the edges."""
    low, high = np.array([axes.get_xlim()[0], axes.get_ylim()[0]]), np.array([axes.get_xlim()[1], axes.get_ylim()[1]])
    room = _ROOM * float((high - low).max()) / min(inches(axes))
    for share in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8):
        along = share * (len(line) - 1)
        before = min(int(along), len(line) - 2)
        place: NDArray[np.float64] = line[before] + (along - before) * (line[before + 1] - line[before])
        inside = np.minimum(place - low, high - place).min() > room / 2
        if inside and all(np.hypot(*(place - other)) > room for other in taken):
            return place
    return None


def _name(axes: Axes, ends: list[tuple[float, str, bool]]) -> None:
    """Write beside the panel what the lines are that end there."""
    low, high = axes.get_ylim()
    tall = inches(axes)[1]
    gap = line_height(style.TICK) * 0.9 * (high - low) / tall
    places = spread([y for y, _, _ in ends], gap, low + gap / 3, high - gap / 3)
    for place, (_, text, bold) in zip(places, ends, strict=True):
        axes.annotate(
            text,
            (1, place),
            xycoords=("axes fraction", "data"),
            xytext=(2, 0),
            textcoords="offset points",
            ha="left",
            va="center_baseline",
            fontproperties=style.font(style.TICK, bold),
            color=style.INK,
            annotation_clip=False,
        )
