"""What each thing is worth in a scenario, as bars to both sides of what it comes to: a tornado."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib.axes import Axes

from tcsim.analysis.exchange.answer import alike
from tcsim.analysis.exchange.worths import MEASURES
from tcsim.base.errors import InputError
from tcsim.base.lang import mark, tr
from tcsim.base.text import NO_DIFFERENCE, percent, points, so_many
from tcsim.plots import style
from tcsim.plots.page import Sheet, Words, inner_width, line_height, measure, wrap
from tcsim.plots.parts import baseline

if TYPE_CHECKING:
    import pandas as pd

#: Rows that are drawn at most.
MOST_ROWS = 14
#: Inches: a row, a bar, the room above the panel and below it.
_ROW, _HEAD, _FOOT, _GAP = 0.36, 0.42, 0.52, 0.08
#: How a bar for what is against you is hatched.
_HATCH = "////"


def _rows(frame: pd.DataFrame) -> list[list[dict[str, Any]]]:
    """What changes anything, rows that say the same together."""
    needed = {"label", "p_base", "up", "down"} - set(frame.columns)
    if needed:
        raise InputError(f"the frame has no column {', '.join(sorted(needed))}; tcsim.exchange(…).frame has", "frame")
    rows: list[dict[str, Any]] = [{str(key): value for key, value in row.items()} for row in frame.to_dict("records")]
    groups = alike([row for row in rows if max(abs(change) for change in _changes(row)) > NO_DIFFERENCE])
    if not groups:
        raise InputError("nothing in the frame changes anything", "frame")
    return groups


def _changes(row: dict[str, Any]) -> list[float]:
    return [row[side] for side in ("up", "down") if not math.isnan(row[side])] or [0.0]


def _term(frame: pd.DataFrame) -> str:
    """What the right column counts in: injury dice if the frame has them."""
    terms = [str(name)[3:] for name in frame.columns if str(name).startswith("in_")]
    return "injury_dice" if "injury_dice" in terms else terms[0] if terms else ""


#: What things are counted in, as a sentence and as the head of the column have it.
_TERMS = {
    "action_dice": (mark("DICE"), "DICE"),
    "injury_dice": (mark("injury dice"), mark("inj.\ndice")),
    "injury_modifier": (mark("injury modifiers"), mark("inj.\nmod.")),
    "attacks": (mark("attacks"), mark("attacks")),
    "armour": (mark("steps of armour"), mark("armour")),
    "blood": (mark("blood markers"), mark("blood\nmarkers")),
    "blood_best": (mark("blood markers"), mark("blood\nmarkers")),
    "blessing": (mark("blessing markers"), mark("bless.\nmarkers")),
    "attacker_blood": (mark("blood markers of the attacker"), mark("own\nblood")),
    "attacker_blessing": (mark("blessing markers of the attacker"), mark("own\nblessings")),
}


def _amount(change: float, of: str) -> str:
    if of != "expected-blood":
        return points(change)
    return f"{'−' if change < 0 else '+'}{abs(change):.2f}"


def _base(frame: pd.DataFrame, of: str) -> str:
    """What the scenario comes to as it stands; most factors are compared with that."""
    bases = frame["p_base"].round(12)
    value = float(bases.mode().iloc[0])
    return percent(value) if of != "expected-blood" else f"{value:.2f}"


def tornado_words(frame: pd.DataFrame, of: str = "out", setting: str = "") -> Words:
    """Say what :func:`tornado` shows.

    Parameters
    ----------
    frame : DataFrame
        As ``tcsim.exchange(…).frame``.
    of : str, optional
        What it is measured by.
    setting : str, optional
        Sentence on edition and scenario, for the caption.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    groups, term = _rows(frame), _term(frame)
    rows = {row["factor"]: row for group in groups for row in group if "factor" in row}
    title = _finding(rows) or tr(
        "{what} changes most: {amount}",
        what=" = ".join(tr(row["label"]) for row in groups[0]),
        amount=_amount(max(_changes(groups[0][0]), key=abs), of),
    )
    if of == "expected-blood":
        subtitle = tr("Change of {p} expected blood markers (out of action counts as 6)", p=_base(frame, of))
    else:
        what = tr(MEASURES[of])
        subtitle = tr("Change of a {p} chance of {what}, in points", p=_base(frame, of), what=what)
    if term:
        subtitle += tr("; right: the same, counted in {terms}", terms=tr(_TERMS[term][0]))
    notes = [setting, tr("One change at a time, in every attack; the changes do not add up.")]
    if frame["p_base"].round(9).nunique() > 1:
        notes.append(tr("Markers: against the same scenario in which such markers are spent."))
    if len(groups) > MOST_ROWS:
        notes.append(tr("{n} smaller ones are not drawn.", n=len(groups) - MOST_ROWS))
    notes.append(tr("Exact."))
    return Words(title, subtitle, " ".join(filter(None, notes)))


def _finding(rows: dict[str, dict[str, Any]]) -> str:
    """What an injury die is worth in DICE, or a DICE in injury dice, whichever is more than one."""
    die, dice = rows.get("injury_dice", {}), rows.get("action_dice", {})
    in_dice, in_injury = die.get("in_action_dice", math.nan), dice.get("in_injury_dice", math.nan)
    if math.isinf(in_dice):
        return tr("No number of DICE adds as much here as one injury die")
    if in_dice > 1 + NO_DIFFERENCE:
        return tr("One injury die is worth {n} DICE here", n=so_many(in_dice, 0, 0))
    if math.isinf(in_injury):
        return tr("No number of injury dice adds as much here as 1 DICE")
    if in_injury > 1 + NO_DIFFERENCE:
        return tr("1 DICE is worth {n} injury dice here", n=so_many(in_injury, 0, 0))
    return ""


@style.styled
def tornado(
    frame: pd.DataFrame,
    of: str = "out",
    setting: str = "",
    bare: bool = False,
    ax: Axes | None = None,
    lang: str | None = None,
) -> Any:
    """Draw what each thing is worth: bars to both sides of what the scenario comes to, most first.

    Parameters
    ----------
    frame : DataFrame
        As ``tcsim.exchange(…).frame``: ``label``, ``p_base``, ``up``, ``down`` (differences of probabilities, missing
        where there is no such step), and for the right column ``in_…`` and ``down_in_…``.
    of : str, optional
        What it is measured by: ``out``, ``down`` or ``expected-blood``.
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
        One panel; bars solid for you, hatched against you.

    Examples
    --------
    >>> import tcsim
    >>> tornado(tcsim.exchange({"target": {}, "attacks": [{"kind": "melee"}]}).frame, bare=True).shape
    (1,)
    """
    groups, term = _rows(frame)[:MOST_ROWS], _term(frame)
    inner = inner_width(bare, ax)
    names = [" = ".join(tr(row["label"]) for row in group) for group in groups]
    widest = 0.36 * inner
    lines = [wrap(name, widest, style.LABEL) for name in names]
    left = max(measure(line, style.LABEL) for name in lines for line in name) + _GAP
    heights = [max(_ROW, len(name) * line_height(style.LABEL) + 0.08) for name in lines]
    right = 0.55 if term else 0.0
    sheet = Sheet(tornado_words(frame, of, setting), _HEAD + sum(heights) + _FOOT, bare, ax)
    axes = sheet.axes(left, _HEAD, inner - left - right, sum(heights), only=True)
    _draw(axes, groups, heights, inner - left - right, of)
    middles = np.cumsum(heights) - np.array(heights) / 2
    for name, middle in zip(lines, middles, strict=True):
        _beside(axes, middle, "\n".join(name), 0.0, -72 * _GAP, style.LABEL)
    if term:
        for group, middle in zip(groups, middles, strict=True):
            _beside(axes, middle, _counted(group[0], term), 1.0, 72 * (right - 0.02), style.TICK)
        head = tr(_TERMS[term][1])
        sheet.text(inner - 0.02, _HEAD - 0.08, head, style.TICK, ha="right", va="bottom", color=style.MUTED)
    return sheet.drawn([axes])


def _beside(axes: Axes, y: float, text: str, side: float, shift: float, size: float) -> None:
    """Write beside the panel, in line with a row, flush right."""
    axes.annotate(
        text,
        (side, y),
        xycoords=("axes fraction", "data"),
        xytext=(shift, 0),
        textcoords="offset points",
        ha="right",
        va="center",
        fontproperties=style.font(size),
        color=style.INK,
        annotation_clip=False,
        linespacing=style.linespacing(),
    )


def _counted(row: dict[str, Any], term: str) -> str:
    from tcsim.analysis.exchange.factors import BY_NAME

    count = row.get(f"down_in_{term}" if math.isnan(row["up"]) else f"in_{term}", math.nan)
    return so_many(count, BY_NAME[term].steps, BY_NAME[term].steps)


def _draw(axes: Axes, groups: list[list[dict[str, Any]]], heights: list[float], width: float, of: str) -> None:
    """Draw the bars with their numbers; the axis is so long that all numbers have room."""
    scale = 1.0 if of == "expected-blood" else 100.0
    bars = []  # (row, change, where it is in the row)
    for index, group in enumerate(groups):
        changes = _changes(group[0])
        same_side = len(changes) == 2 and changes[0] * changes[1] > 0
        bars += [(index, change, (at + 0.5) / 2 if same_side else 0.5) for at, change in enumerate(changes)]
    texts = [(change, measure(_amount(change, of), style.TICK, True) + 0.1) for _, change, _ in bars]
    low, high = _limits([(scale * change, room) for change, room in texts], width)
    tops = np.cumsum([0.0, *heights])
    axes.set_xlim(low, high)
    axes.set_ylim(tops[-1], 0)
    axes.xaxis.grid(True, color=style.GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    for index, change, place in bars:
        middle = tops[index] + place * heights[index]
        good = change > 0
        look: dict[str, Any] = {"color": style.MAIN}
        if not good:
            look = {"facecolor": style.PAPER, "edgecolor": style.CONTRAST, "hatch": _HATCH, "linewidth": 1.2}
        thick = 0.22 if place == 0.5 else 0.15
        axes.barh(middle, scale * change, thick, zorder=2, **look)
        axes.annotate(
            _amount(change, of),
            (scale * change, middle),
            xytext=(4 if change >= 0 else -4, 0),
            textcoords="offset points",
            ha="left" if change >= 0 else "right",
            va="center_baseline",
            fontproperties=style.font(style.TICK, True),
            color=style.INK,
        )
    axes.axvline(0, color=style.INK, linewidth=1.4, zorder=3)
    _ticks(axes, low, high)
    label = tr("blood markers") if of == "expected-blood" else tr("points")
    axes.set_xlabel(label, fontproperties=style.font(style.LABEL), labelpad=3)
    baseline(axes)
    for words, shift, side in ((tr("against you"), -5, "right"), (tr("for you"), 5, "left")):
        axes.annotate(
            words,
            (0, 1),
            xycoords=("data", "axes fraction"),
            xytext=(shift, 5),
            textcoords="offset points",
            ha=side,
            va="bottom",
            fontproperties=style.font(style.TICK),
            color=style.MUTED,
            annotation_clip=False,
        )


def _limits(ends: list[tuple[float, float]], width: float) -> tuple[float, float]:
    """The ends of the axis: every bar with its number fits; ``ends`` are bar ends with the inches of their numbers."""
    low, high = min(0.0, *(end for end, _ in ends)), max(0.0, *(end for end, _ in ends))
    least = 0.75  # inches on a side, for the words above it
    unit = (high - low) / width  # data units in an inch; grows until all fits
    for _ in range(200):
        left = max([least * unit, *(-end + room * unit for end, room in ends if end < 0)])
        right = max([least * unit, *(end + room * unit for end, room in ends if end >= 0)])
        if left + right <= width * unit:
            break
        unit *= 1.02
    spare = width * unit - left - right
    return -left, right + spare


def _ticks(axes: Axes, low: float, high: float) -> None:
    from matplotlib.ticker import MaxNLocator

    steps = [step for step in MaxNLocator(7, steps=[1, 2, 5, 10]).tick_values(low, high) if low <= step <= high]
    texts = ["0" if abs(step) < 1e-9 else f"{'+' if step > 0 else '−'}{abs(step):g}" for step in steps]
    axes.set_xticks(steps, texts)
    axes.tick_params(axis="x", length=3, width=0.9, color=style.MUTED, pad=3)
