"""What several figures are made of: axes of percentages, labels at line ends, rows of bars."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import NDArray

from tcsim.base.text import percent
from tcsim.plots import style
from tcsim.plots.host import inches
from tcsim.plots.page import Sheet, line_height, measure, wrap

#: Shapes of markers from light to heavy armour.
MARKERS = ("o", "s", "^", "D")
#: Numbers that a level axis writes at most.
MOST_NUMBERS = 14
#: Dashes that tell a line from a solid one.
DASHES = (0, (3.2, 1.6))


def percent_axis(axes: Axes, ticks: bool = True) -> None:
    """Make the upright axis go from 0% to 100%, with a fine line every 25.

    Parameters
    ----------
    axes : Axes
        The panel.
    ticks : bool, optional
        Whether the numbers are written.
    """
    axes.set_ylim(0, 1)
    steps = [0, 0.25, 0.5, 0.75, 1]
    axes.set_yticks(steps, [f"{100 * step:.0f}%" for step in steps] if ticks else [""] * len(steps))
    axes.tick_params(axis="y", pad=4)
    axes.grid(axis="y", color=style.GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    baseline(axes)


def baseline(axes: Axes) -> None:
    """Draw the axis that a panel stands on.

    Parameters
    ----------
    axes : Axes
        The panel.
    """
    axes.spines["bottom"].set_visible(True)
    axes.spines["bottom"].set_linewidth(0.9)
    axes.spines["bottom"].set_zorder(1.5)


def number_axis(axes: Axes, numbers: Sequence[float], label: str = "", ticks: bool = True) -> None:
    """Make the level axis one of numbers, as they are counted.

    Parameters
    ----------
    axes : Axes
        The panel.
    numbers : sequence of float
        The numbers there are, ascending.
    label : str, optional
        What they count.
    ticks : bool, optional
        Whether they are written.
    """
    room = max(0.3, 0.04 * (numbers[-1] - numbers[0]))
    axes.set_xlim(numbers[0] - room, numbers[-1] + room)
    written = list(numbers)[:: -(-len(numbers) // MOST_NUMBERS)]
    axes.set_xticks(written, [f"{n:,.6g}".replace("-", "−") for n in written] if ticks else [""] * len(written))
    axes.tick_params(axis="x", length=3, width=0.9, color=style.MUTED, pad=3)
    if label:
        axes.set_xlabel(label, fontproperties=style.font(style.LABEL), labelpad=3)


def spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Move places apart by the smallest shift (least squares) until each is a gap from the next.

    Parameters
    ----------
    wanted : sequence of float
        Where they would be.
    gap : float
        Least distance.
    low, high : float
        Where they must stay; when there is no room for all gaps, ``high`` gives way.

    Returns
    -------
    list of float
        Where they are, in the order of ``wanted``.

    Examples
    --------
    >>> spread([1.0, 1.0, 5.0], 1.0, 0.0, 9.0)
    [0.5, 1.5, 5.0]
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    taken = [gap * rank for rank in range(len(order))]
    places = [0.0] * len(wanted)
    for i, place in zip(order, in_order([wanted[i] for i in order], taken, low, high), strict=True):
        places[i] = place
    return places


def in_order(wanted: Sequence[float], taken: Sequence[float], low: float, high: float) -> list[float]:
    """Move places by the smallest shift (least squares) until each leaves those before it the room they take.

    Parameters
    ----------
    wanted : sequence of float
        Where they would be, in the order they must keep.
    taken : sequence of float
        Room that everything before each one takes, ascending from 0.
    low, high : float
        Where they must stay; when there is not enough room, ``high`` gives way.

    Returns
    -------
    list of float
        Where they are.

    Examples
    --------
    >>> in_order([2.0, 1.0], [0.0, 3.0], 0.0, 9.0)
    [0.0, 3.0]
    """
    pools: list[tuple[float, int]] = []
    for place, room in zip(wanted, taken, strict=True):
        mean, size = place - room, 1
        while pools and pools[-1][0] > mean:
            before, n = pools.pop()
            mean, size = (before * n + mean * size) / (n + size), n + size
        pools.append((mean, size))
    flat = [mean for mean, size in pools for _ in range(size)]
    ceiling = max(low, high - max(taken, default=0.0))
    return [min(max(place, low), ceiling) + room for place, room in zip(flat, taken, strict=True)]


#: Colour and marker of the line of each policy, from the best to the worst.
POLICY_LOOKS = {
    "optimal": (style.MAIN, "o"),
    "greedy": (style.ARMOUR[1], "s"),
    "all": (style.ARMOUR[0], "D"),
    "bloodbath": (style.CONTRAST, "^"),
    "none": (style.PALE, "v"),
}
#: The same for lines of any other name, one after the other, and whether they are dashed.
LINE_LOOKS = (
    (style.MAIN, "o", False), (style.CONTRAST, "s", True), (style.ARMOUR[1], "^", False), (style.PALE, "D", True),
    (style.INK, "v", False), (style.ARMOUR[0], "P", True),
)  # fmt: skip


@dataclass(frozen=True)
class End:
    """The end of a line, and what it is called: ``y`` in data units, ``bold`` for the name or value itself."""

    y: float
    text: str
    bold: bool = True


def end_labels(axes: Axes, ends: Sequence[End], x: float, left: bool = False) -> None:
    """Write at the end of each line what it is, spread apart, with a hairline back where a label had to move.

    Parameters
    ----------
    axes : Axes
        The panel; its upright scale is set.
    ends : sequence of End
        The line ends.
    x : float
        Where the lines end, in data units.
    left : bool, optional
        Whether that is their left end.
    """
    away = -1 if left else 1
    height = inches(axes)[1]
    low, high = axes.get_ylim()
    wanted = [(end.y - low) / (high - low) * height for end in ends]
    gap = line_height(style.TICK) * 0.94
    places = spread(wanted, gap, 0.04, max(height - 0.02, gap * len(ends)))
    for end, was, place in zip(ends, wanted, places, strict=True):
        shift = place - was
        axes.annotate(
            end.text,
            (x, end.y),
            xytext=(17 * away, 72 * shift),
            textcoords="offset points",
            va="center_baseline",
            ha="right" if left else "left",
            fontproperties=style.font(style.TICK, end.bold),
            color=style.INK,
            annotation_clip=False,
        )
        if abs(shift) > 0.03:
            axes.annotate(
                "",
                (x, end.y),
                xytext=(15 * away, 72 * shift),
                textcoords="offset points",
                arrowprops={
                    "arrowstyle": "-",
                    "linewidth": 0.7,
                    "color": style.PALE,
                    "shrinkA": 0,
                    "shrinkB": 5,
                },
                annotation_clip=False,
            )


def line(axes: Axes, x: Sequence[float], y: Sequence[float], colour: str, marker: str, dashed: bool = False) -> None:
    """Draw a line with its markers.

    Parameters
    ----------
    axes : Axes
        The panel.
    x, y : sequence of float
        Data units.
    colour : str
        Of the palette.
    marker : str
        Its shape.
    dashed : bool, optional
        Whether the line is dashed.
    """
    axes.plot(
        x,
        y,
        color=colour,
        linewidth=2.0,
        linestyle=DASHES if dashed else "-",
        marker=marker,
        markersize=5.6 if marker in "o^" else 4.9,
        markeredgecolor=style.PAPER,
        markeredgewidth=0.7,
        clip_on=False,
        zorder=3,
    )


def cells(axes: Axes, table: NDArray[np.float64], size: tuple[float, float], gap: float, written: bool = True) -> None:
    """Draw chances as a map, a cell each, with its number.

    Parameters
    ----------
    axes : Axes
        The panel.
    table : array
        Shape (rows, columns); probabilities in [0, 1], NaN for an empty cell.
    size : tuple of float
        Inches of a cell.
    gap : float
        Inches that are left free around each.
    written : bool, optional
        Whether the numbers are written.
    """
    from matplotlib.patches import Rectangle

    rows, columns = table.shape
    axes.set_xlim(-0.5, columns - 0.5)
    axes.set_ylim(rows - 0.5, -0.5)
    colours, across, up = style.sequential(), gap / size[0], gap / size[1]
    for i, row in enumerate(table.tolist()):
        for j, chance in enumerate(row):
            if np.isnan(chance):
                continue
            step = style.step_of(chance)
            box = (j - 0.5 + across, i - 0.5 + up)
            axes.add_patch(Rectangle(box, 1 - 2 * across, 1 - 2 * up, facecolor=colours[step]))
            if written:
                axes.text(
                    j,
                    i,
                    percent(chance, 0).removesuffix("%"),
                    fontproperties=style.font(style.TICK),
                    color=style.ON_DEEP if step >= style.TURN else style.ON_TINT,
                    ha="center",
                    va="center_baseline",
                )


def scale(sheet: Sheet, left: float, top: float) -> None:
    """Say which colour is which chance, where no numbers stand in a map.

    Parameters
    ----------
    sheet : Sheet
        The page.
    left, top : float
        Inches of the lower left corner of the map.
    """
    from matplotlib.patches import Rectangle

    colours = style.sequential()
    width, high = min(2.4, sheet.inner - left - 0.3), 0.1
    axes = sheet.axes(left, top + 0.12, width, high)
    axes.set_xlim(0, len(colours))
    for step, colour in enumerate(colours):
        axes.add_patch(Rectangle((step, 0), 1, 1, facecolor=colour))
    for share, side in ((0.0, "left"), (0.5, "center"), (1.0, "right")):
        place = left + share * width
        sheet.text(place, top + 0.12 + high + 0.04, percent(share, 0), style.CAPTION, ha=side, va="top")


@dataclass(frozen=True)
class Bars:
    """Rows of bars on one scale: a table whose numbers can be seen.

    Parameters
    ----------
    rows, columns : tuple of str
        What they are called.
    values : array of float, shape (rows, columns)
        How long each bar is; NaN draws none.
    texts : tuple of tuple of str
        What is written on each.
    notes : tuple of str
        A second, fainter line for each row; may be empty.
    colours : tuple of str
        Of each column.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: NDArray[np.float64]
    texts: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...]
    colours: tuple[str, ...]


ROW, HEAD_ROW = 0.44, 0.26
BAR_THICK, NAME_SHARE = 0.105, 0.33


def bars_height(bars: Bars, inner: float) -> float:
    """Give the height that rows of bars take.

    Parameters
    ----------
    bars : Bars
        What is drawn.
    inner : float
        Inches from margin to margin.

    Returns
    -------
    float
        Inches.
    """
    return _head_height(bars, inner) + 0.06 + sum(_row_heights(bars, inner * NAME_SHARE - 0.1))


def _heads(bars: Bars, inner: float) -> list[list[str]]:
    """The heads of the columns, in lines that fit."""
    pitch = inner * (1 - NAME_SHARE) / len(bars.columns)
    return [wrap(column, pitch - 0.06, style.TICK) for column in bars.columns]


def _head_height(bars: Bars, inner: float) -> float:
    return HEAD_ROW + (max(map(len, _heads(bars, inner))) - 1) * line_height(style.TICK)


def _row_heights(bars: Bars, width: float) -> list[float]:
    heights = []
    for name, note in zip(bars.rows, bars.notes, strict=True):
        lines = len(wrap(name, width, style.LABEL, True)) * line_height(style.LABEL)
        lines += len(wrap(note, width, style.CAPTION)) * line_height(style.CAPTION)
        heights.append(max(ROW, lines + 0.1))
    return heights


def draw_bars(sheet: Sheet, top: float, bars: Bars, full: float | None = None) -> list[Axes]:
    """Draw rows of bars.

    Parameters
    ----------
    sheet : Sheet
        The page.
    top : float
        Inches from the top of the space for panels.
    bars : Bars
        What is drawn.
    full : float, optional
        What a bar as wide as its column stands for; default: the largest value.

    Returns
    -------
    list of Axes
        One for each column.
    """
    first = sheet.inner * NAME_SHARE
    pitch = (sheet.inner - first) / len(bars.columns)
    width = min(pitch - 0.14, 1.35)
    heights = _row_heights(bars, first - 0.1)
    total = sum(heights)
    head = _head_height(bars, sheet.inner)
    finite = bars.values[np.isfinite(bars.values)]
    high = full if full is not None else float(finite.max(initial=0.0))
    low = min(0.0, float(finite.min(initial=0.0)))
    tops = [head + sum(heights[:i]) for i in range(len(heights))]
    for name, note, y in zip(bars.rows, bars.notes, tops, strict=True):
        y += top + 0.03
        for text, size, bold in ((name, style.LABEL, True), (note, style.CAPTION, False)):
            for part in wrap(text, first - 0.1, size, bold):
                sheet.text(0, y, part, size, bold=bold, va="top", color=style.INK if bold else style.MUTED)
                y += line_height(size)
    lines = sheet.axes(0, top + head, sheet.inner, total)
    lines.set_ylim(total, 0)
    for y in tops[1:]:
        lines.axhline(y - head, color=style.GRID, linewidth=0.8)
    panels = []
    for j, parts in enumerate(_heads(bars, sheet.inner)):
        left = first + j * pitch
        for place, part in enumerate(parts):
            y = top + head - 0.13 - (len(parts) - 1 - place) * line_height(style.TICK)
            sheet.text(left, y, part, style.TICK, va="baseline", color=style.MUTED)
        axes = sheet.axes(left, top + head, width, total)
        axes.set_xlim(low, high if high > low else low + 1)
        axes.set_ylim(total, 0)
        for i, (height, y) in enumerate(zip(heights, tops, strict=True)):
            value = float(bars.values[i, j])
            middle = y - head + height / 2 + 0.1
            if np.isfinite(value):
                axes.barh(middle, value, BAR_THICK, color=bars.colours[j], zorder=2)
            bold = np.isfinite(value) and abs(value) > 0
            axes.annotate(
                bars.texts[i][j],
                (0, middle - BAR_THICK / 2),
                xycoords=("axes fraction", "data"),
                xytext=(3, 2.5),
                textcoords="offset points",
                fontproperties=style.font(style.TICK, bold),
                color=style.INK if bold else style.MUTED,
                annotation_clip=False,
            )
        axes.axvline(0, color=style.MUTED, linewidth=0.8, zorder=3)
        panels.append(axes)
    return panels


def widest(texts: Sequence[str], size: float, bold: bool = False) -> float:
    """Measure the widest of some lines.

    Parameters
    ----------
    texts : sequence of str
        The lines.
    size : float
        Points.
    bold : bool, optional
        Whether they are bold.

    Returns
    -------
    float
        Inches; 0 if there are none.
    """
    return max((measure(text, size, bold) for text in texts), default=0.0)
