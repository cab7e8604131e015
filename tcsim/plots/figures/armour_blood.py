"""What armour, blood markers and TOUGH do to the chance of taking a target out of action."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tcsim.base.lang import mark, tr
from tcsim.base.text import percent, signed
from tcsim.plots import data, parts, style, tell
from tcsim.plots.page import Sheet, Words, inner_width, line_height, wrap

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: Weapons on one page at most.
MOST = 4
#: Line ends within this share one label.
TOGETHER = 0.025

#: Panels only, and whose Axes they are drawn into.
_Place = tuple[bool, "Axes | None"]

_LEFT, _GUTTER, _PANEL, _FOOT, _GAP = 0.52, 0.56, 1.12, 0.52, 0.14


@dataclass(frozen=True)
class _Line:
    """One armour against one weapon: chances by blood, for an ordinary and a TOUGH target."""

    label: str
    modifier: int
    chances: dict[bool, NDArray[np.float64]]


def _rows(frame: pd.DataFrame, attacks: int, weapons: Sequence[str] | None) -> tuple[pd.DataFrame, list[str]]:
    rows = data.cells(data.printed(frame), shield=False, attacks=data.nearest(frame, "attacks", attacks))
    if weapons is None:
        return rows, data.telling(rows, MOST)
    rows = rows[rows["weapon_id"].isin(list(weapons))]
    return rows, data.by_value(rows)


def shown(frame: pd.DataFrame, attacks: int = 2) -> list[str]:
    """Give the weapons that :func:`armour_blood` chooses.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.
    attacks : int, optional
        How many attacks; the nearest number that the frame has.

    Returns
    -------
    list of str
        Weapon ids, strongest first.
    """
    return _rows(frame, attacks, None)[1]


def _lines(rows: pd.DataFrame, weapon: str) -> list[_Line]:
    """The armours that differ against a weapon, from light to heavy; those that come to the same are one line."""
    lines: list[_Line] = []
    own = rows[rows["weapon_id"] == weapon].sort_values("blood")
    for armour in data.ARMOURS:
        worn = data.cells(own, armour=armour)
        if worn.empty:
            continue
        chances = {tough: data.cells(worn, tough=tough)["p_out"].to_numpy() for tough in (False, True)}
        if any(
            all(np.allclose(chances[tough], line.chances[tough], rtol=0, atol=data.SAME) for tough in chances)
            for line in lines
        ):
            continue
        modifier = int(worn["modifier"].iloc[0])
        lines.append(_Line(signed(modifier), modifier, chances))
    if len(lines) == 1:
        return [_Line(mark("any"), -1, lines[0].chances)]
    return lines


def armour_blood_words(
    frame: pd.DataFrame, attacks: int = 2, weapons: Sequence[str] | None = None, setting: str = ""
) -> Words:
    """Say what :func:`armour_blood` shows.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.
    attacks : int, optional
        How many attacks; the nearest number that the frame has.
    weapons : sequence of str, optional
        Weapon ids; default: the four that differ most.
    setting : str, optional
        Sentence on edition and assumptions, for the caption.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    data.check(frame)
    rows, chosen = _rows(frame, attacks, weapons)
    times = data.nearest(frame, "attacks", attacks)
    lines = {key: _lines(rows, key) for key in chosen}
    blood = data.values(rows, "blood")
    claims = [claim for claim in (_armour_claim(lines, blood), _tough_claim(lines, times)) if claim]
    if not claims:
        ordinary = np.concatenate([line.chances[False] for one in lines.values() for line in one])
        told = mark("{attacks} take out {span} of ordinary targets")
        claims = [tr(told, attacks=tell.things(times, "attack"), span=tell.span(ordinary))]
    title = "; ".join(claims)
    if len(chosen) == 1:
        title = f"{data.labels(rows)[chosen[0]]}: {title}"
    told = mark("Chance that {attacks} {take} the target out of action, by blood markers it holds at the start")
    if len(blood) == 1:
        told = mark("Chance that {attacks} {take} the target out of action, by armour")
    subtitle = tr(told, attacks=tell.things(times, "attack"), take=tell.takes(times))
    if len(blood) == 1:
        subtitle += tr("; it starts {holding}", holding=tell.holding(blood[0]))
    notes = [setting, tr("Target standing at the start.")]
    if len(blood) > 1:
        some = any(line.label == "any" for one in lines.values() for line in one)
        any_line = mark("Lines: what armour takes off the injury roll; one line, “any”, where it takes off nothing.")
        notes.append(tr(any_line) if some else tr("Lines: what armour takes off the injury roll."))
    notes.append(tell.not_drawn(len(chosen), len(data.labels(frame)) - len(chosen) if weapons is None else 0))
    if not any(line.chances[True].any() for one in lines.values() for line in one):
        notes.append(tr("A TOUGH target is not drawn: its chance is 0%."))
    caption = " ".join(filter(None, [*notes, tr("Exact.")]))
    return Words(title[0].upper() + title[1:], subtitle, caption)


def _armour_claim(lines: dict[str, list[_Line]], blood: list[int]) -> str:
    """The heaviest armour that some markers make up for: the chance is that of a target without both, or larger."""
    armoured = {key: one for key, one in lines.items() if len(one) > 1}
    if not armoured:
        return tr("armour changes nothing") if len(blood) > 1 else ""
    if len(blood) == 1 or blood[0] != 0:
        light = [one[0].chances[False].max() for one in armoured.values()]
        heavy = [one[-1].chances[False].max() for one in armoured.values()]
        ratios = [a / b for a, b in zip(light, heavy, strict=True) if b > 0]
        heaviest = {one[-1].modifier for one in armoured.values()}
        armour = _armour(heaviest.pop()) if len(heaviest) == 1 else tr("the heaviest armour")
        told = mark("{armour} divides the chance by {ratio}")
        return tr(told, armour=armour, ratio=_ratios(ratios)) if len(ratios) == len(armoured) else ""
    for modifier in sorted({line.modifier for one in armoured.values() for line in one[1:]}):
        worn = [(one[0], line) for one in armoured.values() for line in one if line.modifier == modifier]
        enough = [line.chances[False] >= bare.chances[False][0] - data.SAME for bare, line in worn]
        fewest = next((n for i, n in enumerate(blood) if all(one[i] for one in enough)), None)
        if len(worn) == len(armoured) and fewest is not None:
            told = mark("{markers} {make} up for {armour}")
            make, markers = "makes" if fewest == 1 else "make", tell.things(fewest, "blood marker")
            return tr(told, markers=markers, make=make, armour=_armour(modifier))
    told, do = mark("even {markers} {do} not always make up for armour"), "does" if blood[-1] == 1 else "do"
    return tr(told, markers=tell.things(blood[-1], "blood marker"), do=do)


def _armour(modifier: int) -> str:
    return tr("armour {n}", n=signed(modifier)).replace(" ", "\u00a0")


def _ratios(ratios: list[float]) -> str:
    return tell.between(f"{min(ratios):.1f}", f"{max(ratios):.1f}")


def _tough_claim(lines: dict[str, list[_Line]], times: int) -> str:
    ordinary = np.concatenate([line.chances[False] for one in lines.values() for line in one])
    tough = np.concatenate([line.chances[True] for one in lines.values() for line in one])
    if not tough.any():
        told = mark("{attacks} never {take} out a TOUGH target")
        return tr(told, attacks=tell.things(times, "attack"), take=tell.takes(times))
    if (tough <= ordinary / 2 + data.SAME).all():
        return tr("TOUGH at least halves every chance")
    lost = ordinary - tough
    if (lost > 0).all():
        points = tell.between(f"{100 * lost.min():.0f}", f"{100 * lost.max():.0f}")
        return tr("TOUGH takes {points} points off", points=points)
    return ""


@style.styled
def armour_blood(
    frame: pd.DataFrame,
    attacks: int = 2,
    weapons: Sequence[str] | None = None,
    setting: str = "",
    bare: bool = False,
    ax: Axes | None = None,
    lang: str | None = None,
) -> Any:
    """Draw P(out of action) over blood markers: a row for each weapon, a line for each armour, TOUGH on the right.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.
    attacks : int, optional
        How many attacks; the nearest number that the frame has.
    weapons : sequence of str, optional
        Weapon ids; default: the four that differ most.
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
        A row for each weapon; bars for each armour when there is but one number of blood markers.

    Examples
    --------
    >>> from tcsim.analysis.kill_odds import kill_odds
    >>> odds = kill_odds(["sword-axe"], blood=[0, 3], attacks=[1, 2])
    >>> armour_blood(odds, bare=True).shape
    (1, 2)
    """
    words = armour_blood_words(frame, attacks, weapons, setting)
    rows, chosen = _rows(frame, attacks, weapons)
    lines = {key: _lines(rows, key) for key in chosen}
    kinds = [False, True] if any(line.chances[True].any() for one in lines.values() for line in one) else [False]
    if len(data.values(rows, "blood")) == 1:
        return _as_bars(rows, chosen, kinds, words, (bare, ax))
    return _as_lines(rows, chosen, kinds, words, (bare, ax))


def _as_lines(rows: pd.DataFrame, chosen: list[str], kinds: list[bool], words: Words, place: _Place) -> Any:
    blood = data.values(rows, "blood")
    names, profiles = data.labels(rows), data.profiles(rows)
    inner = inner_width(*place)
    width = (inner - _LEFT - len(kinds) * _GUTTER) / len(kinds)
    reach = inner - _LEFT if len(kinds) == 1 else width + _GUTTER - 0.1
    heads = [
        (wrap(names[key], reach, style.HEAD, True), wrap(profiles[key], reach, style.TICK) if profiles[key] else [])
        for key in chosen
    ]
    beside = len(kinds) > 1
    heights = [
        max(len(name) * line_height(style.HEAD), len(note) * line_height(style.TICK))
        if beside
        else len(name) * line_height(style.HEAD) + len(note) * line_height(style.TICK)
        for name, note in heads
    ]
    top = 0.3
    total = top + sum(heights) + len(chosen) * (_PANEL + 0.09) + (len(chosen) - 1) * _GAP + _FOOT
    sheet = Sheet(words, total, *place)
    panels = np.empty((len(chosen), len(kinds)), dtype=object)
    for j, tough in enumerate(kinds):
        left = _LEFT + j * (width + _GUTTER)
        sheet.text(left, 0, tr(data.TARGETS[tough]), style.HEAD, bold=True, va="top", color=style.CONTRAST)
        sheet.text(
            left + width + _GUTTER - 0.16, 0.01, tr("armour"), style.TICK, va="top", ha="right", color=style.MUTED
        )
    for i, key in enumerate(chosen):
        name, note = heads[i]
        top += heights[i]
        over = 0.0 if beside else len(note) * line_height(style.TICK)
        sheet.text(_LEFT, top - over, "\n".join(name), style.HEAD, bold=True, va="bottom")
        left = _LEFT + width + _GUTTER if beside else _LEFT
        sheet.text(left, top, "\n".join(note), style.TICK, va="bottom", color=style.MUTED)
        top += 0.09
        last = i == len(chosen) - 1
        for j, tough in enumerate(kinds):
            axes = sheet.axes(_LEFT + j * (width + _GUTTER), top, width, _PANEL, only=panels.size == 1)
            parts.percent_axis(axes, ticks=j == 0)
            parts.number_axis(axes, blood, tr("Blood markers held") if last else "", ticks=last)
            _draw(axes, blood, _lines(rows, key), tough)
            panels[i, j] = axes
        top += _PANEL + _GAP
    return sheet.drawn(panels)


def _draw(axes: Any, blood: list[int], lines: list[_Line], tough: bool) -> None:
    for line in lines:
        rank = min(-line.modifier, len(parts.MARKERS) - 1)
        colour = style.MAIN if line.label == "any" else style.armour_colour(line.modifier)
        marker = "o" if line.label == "any" else parts.MARKERS[rank]
        parts.line(axes, blood, line.chances[tough].tolist(), colour, marker)
    ends = [float(line.chances[tough][-1]) for line in lines]
    if len(lines) > 1 and max(ends) - min(ends) <= TOGETHER:
        parts.end_labels(axes, [parts.End(sum(ends) / len(ends), tr("all"))], blood[-1])
    else:
        labels = [parts.End(end, tr(line.label)) for end, line in zip(ends, lines, strict=True)]
        parts.end_labels(axes, labels, blood[-1])


def _as_bars(rows: pd.DataFrame, chosen: list[str], kinds: list[bool], words: Words, place: _Place) -> Any:
    names, profiles = data.labels(rows), data.profiles(rows)
    present = [armour for armour in data.ARMOURS if (rows["armour"] == armour).any()]
    blocks = []
    for tough in kinds:
        chances = np.array(
            [
                [data.cells(rows, weapon_id=key, armour=armour, tough=tough)["p_out"].item() for armour in present]
                for key in chosen
            ]
        )
        blocks.append(
            parts.Bars(
                tuple(names[key] for key in chosen),
                tuple(tr(data.SHORT[armour]) for armour in present),
                chances,
                tuple(tuple(percent(p) for p in row) for row in chances.tolist()),
                tuple(profiles[key] for key in chosen),
                tuple(style.ARMOUR[data.ARMOURS.index(armour)] for armour in present),
            )
        )
    inner = inner_width(*place)
    heights = [parts.bars_height(block, inner) for block in blocks]
    sheet = Sheet(words, sum(heights) + 0.26 * len(blocks) + 0.2 * (len(blocks) - 1), *place)
    top = 0.0
    panels = []
    for tough, block, height in zip(kinds, blocks, heights, strict=True):
        sheet.text(0, top, tr(data.TARGETS[tough]), style.HEAD, bold=True, va="top", color=style.CONTRAST)
        panels.append(parts.draw_bars(sheet, top + 0.26, block, full=1.0))
        top += 0.46 + height
    return sheet.drawn(panels)
