"""What is left of the target: out of action, Down, or standing, and the blood markers of those still in the fight."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from tcsim.base.lang import mark, tr
from tcsim.base.text import percent
from tcsim.plots import data, style, tell
from tcsim.plots.page import Sheet, Words, inner_width, line_height, measure, wrap
from tcsim.plots.parts import in_order

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: Weapons on one page at most.
MOST = 10

_ROW, _BAR, _HEAD, _BETWEEN, _NAMES, _LEFT_COLUMN = 0.31, 0.21, 0.5, 0.2, 0.31, 0.62


@dataclass(frozen=True)
class _Ends:
    """How one target ends, by weapon, most dangerous first: rows of P(out), P(Down), P(standing); mean blood left."""

    chances: dict[str, tuple[float, float, float]]
    blood: dict[str, float]


def _ends(frame: pd.DataFrame, armour: str, attacks: int, blood: int) -> dict[bool, _Ends]:
    rows = data.cells(
        data.printed(frame),
        shield=False,
        armour=armour,
        attacks=data.nearest(frame, "attacks", attacks),
        blood=data.nearest(frame, "blood", blood),
    )
    rows = rows[rows["weapon_id"].isin(data.telling(rows, MOST))]
    order = data.by_value(data.cells(rows, tough=False))
    found = {}
    for tough in (False, True):
        own = data.cells(rows, tough=tough).set_index("weapon_id")
        chances, left = {}, {}
        for key in order:
            out, down = float(own["p_out"][key]), float(own["p_down"][key])
            chances[key] = (out, down, max(0.0, 1 - out - down))
            left[key] = float(own["blood_left"][key])
        found[tough] = _Ends(chances, left)
    return found


def outcomes_words(
    frame: pd.DataFrame,
    armour: str = "standard",
    attacks: int = 2,
    blood: int = 0,
    setting: str = "",
) -> Words:
    """Say what :func:`outcomes` shows.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.
    armour : str, optional
        Name of the armour in the frame.
    attacks, blood : int, optional
        Attacks made and markers held; the nearest numbers that the frame has.
    setting : str, optional
        Sentence on edition and assumptions, for the caption.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    data.check(frame)
    ends = _ends(frame, armour, attacks, blood)
    times = data.nearest(frame, "attacks", attacks)
    ordinary, tough = ends[False].chances, ends[True].chances
    names = data.labels(frame)
    deed = {"attacks": tell.things(times, "attack"), "leave": "leaves" if times == 1 else "leave"}
    down = tell.span([chance[1] for chance in tough.values()])
    if all(chance[1] > chance[2] and chance[1] > chance[0] for chance in tough.values()):
        title = tr("{attacks} {leave} a TOUGH target Down more often than anything else: {down}", down=down, **deed)
    elif all(chance[1] >= ordinary[key][1] for key, chance in tough.items()):
        told = mark("{attacks} {leave} {span} of ordinary targets Down, {down} of TOUGH ones")
        title = tr(told, span=tell.span([chance[1] for chance in ordinary.values()]), down=down, **deed)
    else:
        standing = tell.span([chance[2] for chance in ordinary.values()])
        title = tr("{attacks} {leave} {span} of ordinary targets standing", span=standing, **deed)
    if len(ordinary) == 1:
        title = f"{names[next(iter(ordinary))]}: {title}"
    told, worn = mark("How a target in {armour} ends after {attacks}, in %"), tr(data.IN[armour])
    subtitle = tr(told, armour=worn, attacks=deed["attacks"])
    if armour == "none":
        subtitle = tr("How a target without armour ends after {attacks}, in %", attacks=deed["attacks"])
    left_out = len(data.labels(frame)) - len(ordinary)
    told = mark("Target standing, {holding}, at the start.")
    notes = [setting, tr(told, holding=tell.holding(data.nearest(frame, "blood", blood)))]
    notes.append(tr("Blood left: mean number of markers on a target still in the fight."))
    notes.append(tell.not_drawn(len(ordinary), left_out))
    return Words(title[0].upper() + title[1:], subtitle, " ".join(filter(None, [*notes, tr("Exact.")])))


@style.styled
def outcomes(
    frame: pd.DataFrame,
    armour: str = "standard",
    attacks: int = 2,
    blood: int = 0,
    setting: str = "",
    bare: bool = False,
    ax: Axes | None = None,
    lang: str | None = None,
) -> Any:
    """Draw how the target ends: a bar for each weapon, split into out of action, Down and standing; TOUGH below.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.
    armour : str, optional
        Name of the armour in the frame.
    attacks, blood : int, optional
        Attacks made and markers held; the nearest numbers that the frame has.
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
        The ordinary target, and the TOUGH one.

    Examples
    --------
    >>> from tcsim.analysis.kill_odds import kill_odds
    >>> odds = kill_odds(["sword-axe"], blood=[0, 3], attacks=[1, 2])
    >>> outcomes(odds, bare=True).shape
    (2,)
    """
    data.check(frame)
    ends = _ends(frame, armour, attacks, blood)
    names = data.labels(frame)
    inner = inner_width(bare, ax)
    first = inner * _NAMES
    lines = {key: wrap(names[key], first - 0.1, style.TICK) for key in ends[False].chances}
    heights = [max(_ROW, len(line) * line_height(style.TICK) + 0.07) for line in lines.values()]
    words = outcomes_words(frame, armour, attacks, blood, setting)
    sheet = Sheet(words, 2 * (_HEAD + sum(heights)) + _BETWEEN, bare, ax)
    width = sheet.inner - first - _LEFT_COLUMN
    panels = []
    top = 0.0
    for tough in (False, True):
        sheet.text(0, top, tr(data.TARGETS[tough]), style.HEAD, bold=True, va="top", color=style.CONTRAST)
        column = sheet.inner - 0.02
        sheet.text(
            column, top + _HEAD - 0.05, tr("blood\nleft"), style.TICK, ha="right", va="bottom", color=style.MUTED
        )
        top += _HEAD
        axes = sheet.axes(first, top, width, sum(heights))
        axes.set_xlim(0, 1)
        axes.set_ylim(sum(heights), 0)
        y = 0.0
        for i, (key, line) in enumerate(lines.items()):
            middle = y + heights[i] / 2
            va = "center_baseline" if len(line) == 1 else "center"
            sheet.text(first - 0.1, top + middle, "\n".join(line), style.TICK, ha="right", va=va)
            _bar(axes, middle, ends[tough].chances[key], width)
            if i == 0:
                _key(axes, middle - _BAR / 2, ends[tough].chances[key], width)
            left = ends[tough].blood[key]
            mean = "–" if np.isnan(left) else f"{left:.1f}"
            sheet.text(column, top + middle, mean, style.TICK, ha="right", va="center_baseline")
            y += heights[i]
        panels.append(axes)
        top += sum(heights) + _BETWEEN
    return sheet.drawn(panels)


_PARTS = (mark("out of action"), mark("Down"), mark("standing"))


def _bar(axes: Any, middle: float, chances: tuple[float, float, float], width: float) -> None:
    start = 0.0
    for i, chance in enumerate(chances):
        if chance <= 0:
            continue
        axes.barh(middle, chance, _BAR, left=start, color=style.OUTCOME[i], edgecolor=style.PAPER, linewidth=0.8)
        text = percent(chance, 0).removesuffix("%")
        if measure(text, style.TICK) + 0.04 <= chance * width:
            axes.text(
                start + chance / 2,
                middle,
                text,
                fontproperties=style.font(style.TICK),
                color=style.ON_OUTCOME[i],
                ha="center",
                va="center_baseline",
            )
        start += chance


def _key(axes: Any, y: float, chances: tuple[float, float, float], width: float) -> None:
    """Name the parts of a bar above where each begins, moved as little as they must to stand side by side."""
    named = [(chance, tr(word)) for chance, word in zip(chances, _PARTS, strict=True)]
    words = [word for chance, word in named if chance > 0]
    starts = [sum(chances[:i]) * width for i, (chance, _) in enumerate(named) if chance > 0]
    before = [sum(measure(word, style.TICK) + 0.1 for word in words[:i]) for i in range(len(words))]
    for word, place in zip(words, in_order(starts, before, 0.0, width - measure(words[-1], style.TICK)), strict=True):
        axes.annotate(
            word,
            (place / width, y),
            xytext=(0, 4),
            textcoords="offset points",
            fontproperties=style.font(style.TICK),
            color=style.INK,
            annotation_clip=False,
        )
