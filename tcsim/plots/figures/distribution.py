"""How it ends: the chance of each end, mild to severe, and of that end or a worse one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tcsim.base.errors import InputError
from tcsim.base.lang import mark, tr
from tcsim.base.text import percent, plural
from tcsim.plots import frames, style
from tcsim.plots.page import Sheet, Words, inner_width, measure

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: What a frame holds: ends as states, or as names in their order.
STATES = {"out_of_action": "flag", "down": "flag~", "blood": "whole~", "p": "chance"}
NAMED = {"outcome": "name", "p": "chance"}
_MORE = {
    "at_least": "chance?", "low": "chance?", "high": "chance?", "at_least_low": "chance?", "at_least_high": "chance?",
    "trials": "whole?",
}  # fmt: skip
#: Rows at most.
MOST = 26

_ROW, _BAR, _HEAD, _FOOT, _VALUE, _WIDEST = 0.29, 0.17, 0.28, 0.24, 0.58, 1.9


@dataclass(frozen=True)
class _End:
    """One row: its name, chances of it and of it or worse, and their intervals where they were rolled."""

    name: str
    p: float
    at_least: float
    ends: tuple[float, float] | None
    at_least_ends: tuple[float, float] | None
    worst: bool


def _ends(frame: pd.DataFrame) -> tuple[list[_End], int | None]:
    named = "outcome" in getattr(frame, "columns", ())
    rows = frames.tidy(
        frame, (NAMED if named else STATES) | _MORE, ("outcome",) if named else ("out_of_action", "down", "blood")
    )
    if len(rows) > MOST:
        raise InputError(f"there are {len(rows)} ends, the figure has room for {MOST}", "frame")
    total = float(rows["p"].sum())
    if abs(total - 1) > 1e-6:
        raise InputError(f"its chances add up to {total:.6g}; every end is wanted, so that they add up to 1", "p")
    records = rows.to_dict("records")
    if not named:
        records.sort(key=lambda row: (row["out_of_action"], bool(row["down"]), row["blood"] or 0))
    worse = np.cumsum([row["p"] for row in records][::-1])[::-1].tolist()
    worse[0] = 1.0
    found = []
    for i, row in enumerate(records):
        low, high = row.get("low"), row.get("high")
        under, over = row.get("at_least_low"), row.get("at_least_high")
        found.append(
            _End(
                row["outcome"] if named else _name(row),
                row["p"],
                row.get("at_least", min(1.0, worse[i])),
                (low, high) if low is not None and high is not None else None,
                (under, over) if under is not None and over is not None else None,
                i == len(records) - 1 if named else row["out_of_action"],
            )
        )
    return found, records[0].get("trials")


def _name(row: dict[Any, Any]) -> str:
    if row["out_of_action"]:
        return tr("out of action")
    if row["down"] is None or row["blood"] is None:
        raise InputError(
            "it is missing for an end that is not out of action", "down" if row["down"] is None else "blood"
        )
    if not row["down"] and not row["blood"]:
        return tr("unhurt")
    markers = plural(int(row["blood"]), "marker")
    return f"{tr('Down')}, {markers}" if row["down"] else f"{tr('standing')}, {markers}"


def distribution_words(frame: pd.DataFrame, setting: str = "") -> Words:
    """Say what :func:`distribution` shows.

    Parameters
    ----------
    frame : DataFrame
        As for :func:`distribution`.
    setting : str, optional
        Sentence on edition and assumptions, for the caption.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    found, trials = _ends(frame)
    last, likely = found[-1], max(found, key=lambda one: one.p)
    hurt = found[1].at_least if len(found) > 1 else 1.0
    if len(found) == 1:
        title = tr("It always ends so: {name}", name=last.name)
    elif found[0].name == tr("unhurt") and last.worst:
        title = tr("{name}: {p}; hurt: {q}", name=last.name, p=percent(last.p), q=percent(hurt))
    elif last is likely:
        told = mark("The likeliest end is the last: {name}, {p}")
        title = tr(told, name=last.name, p=percent(last.p))
    else:
        told = mark("{name}: {p}; likelier is {likely}, {q}")
        title = tr(told, name=last.name, p=percent(last.p), likely=likely.name, q=percent(likely.p))
    subtitle = tr("How often it ends exactly so (left), and so or worse (right)")
    notes = [setting]
    if len(found) > 1:
        notes.append(tr("Anything worse than “{mildest}”: {p}.", mildest=found[0].name, p=percent(hurt)))
    if any(one.ends for one in found):
        told = mark("Rolled {trials} times; lines below the bars: 95% intervals, each for its row alone.")
        notes.append(
            tr(told, trials=f"{trials:,}") if trials is not None else tr("Lines below the bars: 95% intervals.")
        )
    else:
        notes.append(tr("Exact."))
    return Words(title[0].upper() + title[1:], subtitle, " ".join(filter(None, notes)))


@style.styled
def distribution(
    frame: pd.DataFrame, setting: str = "", bare: bool = False, ax: Axes | None = None, lang: str | None = None
) -> Any:
    """Draw how it ends: a bar for each end, mild to severe, and beside it the chance of that or worse as steps.

    Parameters
    ----------
    frame : DataFrame
        A row for each end: ``out_of_action``, ``down``, ``blood``, ``p`` (as :func:`tcsim.analysis.ends.ends` gives
        them), or ``outcome`` (a name) and ``p``, mild to severe; where they are known ``at_least``, and the ends of
        intervals ``low``, ``high``, ``at_least_low``, ``at_least_high`` with ``trials``.
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
        The bars, and the steps.

    Raises
    ------
    InputError
        When the frame is empty, lacks a column, or its chances do not add up to 1.

    Examples
    --------
    >>> import pandas as pd
    >>> ends = pd.DataFrame({"outcome": ["standing", "Down", "out of action"], "p": [0.75, 0.15, 0.1]})
    >>> distribution(ends, bare=True).shape
    (2,)
    """
    found, _ = _ends(frame)
    rolled = any(one.ends for one in found)
    row = _ROW + (0.09 if rolled else 0.0)
    inner = inner_width(bare, ax)
    names = [frames.short(one.name, _WIDEST, style.TICK) for one in found]
    first = min(_WIDEST, max(measure(name, style.TICK) for name in names)) + 0.12
    width = (inner - first - 2 * _VALUE - 0.1) / 2
    sheet = Sheet(distribution_words(frame, setting), _HEAD + row * len(found) + _FOOT, bare, ax)
    lefts = (first, first + width + _VALUE + 0.1)
    tall = row * len(found)
    panels = []
    highest = max(max((one.p, *(one.ends or ()))) for one in found)
    full = next((step for step in (0.1, 0.2, 0.25, 0.4, 0.5, 0.6, 0.8) if highest <= step), 1.0)
    for left, top, head in zip(lefts, (full, 1.0), (tr("exactly so"), tr("so or worse")), strict=True):
        sheet.text(left, 0.02, head, style.TICK, va="top", color=style.MUTED)
        axes = sheet.axes(left, _HEAD, width, tall)
        axes.set_xlim(0, top)
        axes.set_ylim(len(found) - 0.5, -0.5)
        axes.set_xticks([0, top / 2, top], [percent(0, 0), "", percent(top, 0)])
        axes.tick_params(axis="x", pad=3)
        axes.grid(axis="x", color=style.GRID, linewidth=0.8)
        axes.set_axisbelow(True)
        panels.append(axes)
    thick, up = _BAR / row, 0.05 / row if rolled else 0.0
    for i, (one, name) in enumerate(zip(found, names, strict=True)):
        middle = _HEAD + (i + 0.5) * row - (0.05 if rolled else 0.0)
        sheet.text(first - 0.1, middle, name, style.TICK, ha="right", va="center_baseline")
        pairs = (
            (one.p, one.ends, style.MAIN if one.worst else style.BAR),
            (one.at_least, one.at_least_ends, style.BAND),
        )
        for axes, left, (chance, interval, colour) in zip(panels, lefts, pairs, strict=True):
            axes.barh(i - up, chance, thick, color=colour, zorder=2)
            if interval is not None:
                axes.plot(
                    interval, [i + thick / 2 + up / 2] * 2, color=style.INK, linewidth=1.3, zorder=3, clip_on=False
                )
            bold = chance > 0
            at = left + (chance / full if axes is panels[0] else 1.0) * width
            colour = style.INK if bold else style.MUTED
            sheet.text(at + 0.06, middle, percent(chance), style.TICK, bold=bold, va="center_baseline", color=colour)
    steps = [one.at_least for one in found]
    edges = [i - 0.5 for i in range(len(found) + 1)]
    panels[1].plot(
        np.repeat(steps, 2), np.repeat(edges, 2)[1:-1], color=style.MAIN, linewidth=1.8, zorder=4, clip_on=False
    )
    return sheet.drawn(panels)
