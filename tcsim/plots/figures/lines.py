"""Lines over whole numbers: chances, or amounts, of several things beside each other, in one panel or a few."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Any

from tcsim.base.errors import InputError
from tcsim.base.text import percent
from tcsim.plots import frames, parts, style
from tcsim.plots.data import SAME
from tcsim.plots.page import Sheet, Words, inner_width, measure

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: What a frame holds: ``p`` where values are chances, else ``amount``; ``panel`` where there are several.
COLUMNS = {"line": "name", "number": "whole", "p": "chance?", "amount": "amount?", "panel": "name?"}
#: Lines of a panel, and panels, at most.
MOST, MOST_PANELS = 6, 4

_LEFT, _PANEL, _HEAD, _FOOT, _ROOM, _WIDEST = 0.52, 2.1, 0.3, 0.52, 0.32, 1.6


@style.styled
def lines(
    frame: pd.DataFrame,
    words: Words,
    across: str = "",
    bare: bool = False,
    ax: Axes | None = None,
    lang: str | None = None,
) -> Any:
    """Draw lines over whole numbers, what each is called at the end where they are farther apart.

    Parameters
    ----------
    frame : DataFrame
        A row for each point: ``line`` (its name, in the language of the figure), ``number``, and ``p`` (probability in
        [0, 1]) or ``amount`` (0 or more); where there are several panels, ``panel``. At most six lines in four panels.
    words : Words
        What it says, computed from the frame.
    across : str, optional
        What the numbers count.
    bare : bool, optional
        Panels only.
    ax : Axes, optional
        Draw into these, of a figure of your own.
    lang : str, optional
        ``en`` or ``ko``; default: the language of the moment.

    Returns
    -------
    array of Axes, or ax
        The panels.

    Raises
    ------
    InputError
        When the frame is empty, lacks a column, has a point twice, or more than there is room for.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [("plain", 7, 0.58), ("plain", 8, 0.42), ("rerolled", 7, 0.83), ("rerolled", 8, 0.66)]
    >>> frame = pd.DataFrame(rows, columns=["line", "number", "p"])
    >>> lines(frame, Words("A reroll", "Chance by inches", "Exact."), bare=True).shape
    (1,)
    """
    rows = frames.tidy(frame, COLUMNS, ("line", "number", "panel"))
    if ("p" in rows) == ("amount" in rows):
        raise InputError("it needs a column p or a column amount, and not both", "frame")
    value, chances = ("p", True) if "p" in rows else ("amount", False)
    heads = list(dict.fromkeys(rows["panel"])) if "panel" in rows else [""]
    names = list(dict.fromkeys(rows["line"]))
    for found, most, what in ((heads, MOST_PANELS, "panel"), (names, MOST, "line")):
        if len(found) > most:
            raise InputError(f"there are {len(found)}, the figure has room for {most}", what)
    numbers = sorted(set(rows["number"].tolist()))
    top = float(rows[value].max())
    labels = {name: frames.short(name, _WIDEST, style.TICK, True) for name in names}
    named = max(measure(f"100% {label}", style.TICK, True) for label in labels.values()) + _ROOM
    width = inner_width(bare, ax) - _LEFT - named
    first = _apart(rows, value, numbers[0]) > _apart(rows, value, numbers[-1]) + SAME
    head = _HEAD if any(heads) else 0.12
    sheet = Sheet(words, len(heads) * (head + _PANEL + _FOOT), bare, ax)
    panels = []
    for place, panel in enumerate(heads):
        left = named if first else _LEFT
        upper = place * (head + _PANEL + _FOOT) + head
        if panel:
            sheet.text(left, upper - 0.06, panel, style.HEAD, bold=True, va="bottom")
        axes = sheet.axes(left, upper, width, _PANEL, only=len(heads) == 1)
        if chances:
            parts.percent_axis(axes)
        else:
            _amount_axis(axes, top)
        parts.number_axis(axes, numbers, across)
        own = rows[rows["panel"] == panel] if "panel" in rows else rows
        ends = []
        for rank, name in enumerate(names):
            line = own[own["line"] == name].sort_values("number")
            if line.empty:
                continue
            colour, marker, dashed = parts.LINE_LOOKS[rank]
            parts.line(axes, line["number"].tolist(), line[value].tolist(), colour, marker, dashed)
            end = float(line[value].iloc[0 if first else -1])
            told = f"{percent(end, 0)} {labels[name]}" if chances else f"{labels[name]}: {end:.2g}"
            ends.append(parts.End(end, told))
        parts.end_labels(axes, ends, numbers[0 if first else -1], left=first)
        if first:
            axes.yaxis.tick_right()
            axes.tick_params(axis="y", length=0)
        panels.append(axes)
    return sheet.drawn(panels)


def _apart(rows: pd.DataFrame, value: str, number: int) -> float:
    """How far the lines are from each other at a number, the nearest two of a panel."""
    own = rows[rows["number"] == number]
    panels = [own[own["panel"] == panel] for panel in dict.fromkeys(own["panel"])] if "panel" in own else [own]
    ends = [sorted(panel[value].tolist()) for panel in panels]
    return min((b - a for line in ends for a, b in pairwise(line)), default=0.0)


def _amount_axis(axes: Axes, top: float) -> None:
    """An upright axis from nothing to a little above the largest amount, in steps that are easily read."""
    steps = (base * 10.0**power for power in range(-3, 7) for base in (1, 2, 5))
    step = next(step for step in steps if top <= 5 * step)
    levels = [n * step for n in range(int(top / step + 1e-9) + 2)]
    axes.set_ylim(0, max(top * 1.04, step))
    shown = [level for level in levels if level <= max(top * 1.04, step)]
    axes.set_yticks(shown, [f"{level:g}" for level in shown])
    axes.tick_params(axis="y", pad=4)
    axes.grid(axis="y", color=style.GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    parts.baseline(axes)
