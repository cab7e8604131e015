"""One weapon against every legal armour and every number of blood markers, as a map with its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tcsim.base.lang import mark, tr
from tcsim.base.text import signed
from tcsim.plots import data, parts, style, tell
from tcsim.plots.page import Sheet, Words
from tcsim.plots.parts import widest

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_ROW, _HEAD, _FOOT, _BETWEEN = 0.33, 0.27, 0.48, 0.18


def most_armour_matters(frame: pd.DataFrame, attacks: int = 2) -> str:
    """Choose the weapon whose chance armour and blood markers move farthest.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.
    attacks : int, optional
        How many attacks; the nearest number that the frame has.

    Returns
    -------
    str
        Weapon id.
    """
    rows = data.cells(data.printed(frame), tough=False, attacks=data.nearest(frame, "attacks", attacks))
    spans = {}
    for key in data.labels(rows):
        chances = rows.loc[rows["weapon_id"] == key, "p_out"]
        spans[key] = round(float(chances.max() - chances.min()), 9)
    return max(spans, key=lambda key: spans[key])


def _rows(frame: pd.DataFrame, weapon: str, attacks: int) -> pd.DataFrame:
    return data.cells(data.printed(frame), weapon_id=weapon, attacks=data.nearest(frame, "attacks", attacks))


def _map(rows: pd.DataFrame, tough: bool) -> tuple[list[tuple[str, str]], NDArray[np.float64]]:
    """Names (with modifier) and chances of every protection; one row for all when none makes a difference."""
    names, chances = [], []
    for armour, shield, name in data.PROTECTIONS:
        own = data.cells(rows, armour=armour, shield=shield, tough=tough).sort_values("blood")
        if not own.empty:
            names.append((tr(name), signed(int(own["modifier"].iloc[0]))))
            chances.append(own["p_out"].to_numpy())
    table = np.array(chances)
    if len(names) > 1 and np.allclose(table, table[0], rtol=0, atol=data.SAME):
        return [(tr("Any armour"), "")], table[:1]
    return names, table


def heat_words(frame: pd.DataFrame, weapon: str | None = None, attacks: int = 2, setting: str = "") -> Words:
    """Say what :func:`heat` shows.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.
    weapon : str, optional
        Weapon id; default: the one that armour and blood move farthest.
    attacks : int, optional
        How many attacks; the nearest number that the frame has.
    setting : str, optional
        Sentence on edition and assumptions, for the caption.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    data.check(frame)
    weapon = weapon or most_armour_matters(frame, attacks)
    rows = _rows(frame, weapon, attacks)
    times = data.nearest(frame, "attacks", attacks)
    name = data.labels(frame)[weapon]
    names, table = _map(rows, tough=False)
    blood = data.values(rows, "blood")
    span = tell.span(table.ravel())
    if len(names) == 1:
        title = tr("{weapon}: armour changes nothing", weapon=name)
        if tell.span([table.min()]) != tell.span([table.max()]):
            title += tr(", blood takes it through {span}", span=span)
    elif _shield_is_a_class(rows):
        told = mark("{weapon}: a shield protects as much as one class of armour; the chance goes from {span}")
        title = tr(told, weapon=name, span=span)
    else:
        title = tr("{weapon}: armour and blood move the chance from {span}", weapon=name, span=span)
    told, deed = mark("Chance (%) that {attacks} {take} the target out of action"), tell.things(times, "attack")
    subtitle = tr(told, attacks=deed, take=tell.takes(times))
    if len(blood) == 1:
        subtitle += tr("; it starts {holding}", holding=tell.holding(blood[0]))
    notes = [setting, tr("Target standing at the start.")]
    if len(names) > 1:
        notes.append(tr("In front of each row: what it takes off the injury roll."))
    if not _tough_at_all(rows):
        notes.append(tr("A TOUGH target is not drawn: its chance is 0%."))
    every = rows["p_out"].to_numpy()
    if ((every > 0) & (every < 0.005)).any():
        notes.append(tr("<1 is below 0.5%."))
    notes += [tr("One colour scale, 0 to 100%."), tr("Exact.")]
    return Words(title, subtitle, " ".join(filter(None, notes)))


def _shield_is_a_class(rows: pd.DataFrame) -> bool:
    """Whether a shield over each armour protects exactly as the next heavier armour without one."""
    pairs = list(zip(data.ARMOURS[:-1], data.ARMOURS[1:], strict=True))
    found = False
    for lighter, heavier in pairs:
        with_shield = data.cells(rows, armour=lighter, shield=True).sort_values(["tough", "blood"])
        next_one = data.cells(rows, armour=heavier, shield=False).sort_values(["tough", "blood"])
        if with_shield.empty or next_one.empty:
            return False
        a, b = with_shield["p_out"].to_numpy(), next_one["p_out"].to_numpy()
        found = True
        if not np.allclose(a, b, rtol=0, atol=data.SAME):
            return False
    return found


def _tough_at_all(rows: pd.DataFrame) -> bool:
    return bool((data.cells(rows, tough=True)["p_out"] > 0).any())


@style.styled
def heat(
    frame: pd.DataFrame,
    weapon: str | None = None,
    attacks: int = 2,
    setting: str = "",
    bare: bool = False,
    ax: Axes | None = None,
    lang: str | None = None,
) -> Any:
    """Draw one weapon's chances: a row for each legal armour, a column for each number of blood markers.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.
    weapon : str, optional
        Weapon id; default: the one that armour and blood move farthest.
    attacks : int, optional
        How many attacks; the nearest number that the frame has.
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
        The map of the ordinary target, and that of the TOUGH one if it can be taken out; one map of both when there is
        but one number of blood markers.

    Examples
    --------
    >>> from tcsim.analysis.kill_odds import kill_odds
    >>> odds = kill_odds(["sword-axe"], blood=[0, 3], attacks=[1, 2])
    >>> heat(odds, bare=True).shape
    (2,)
    """
    data.check(frame)
    weapon = weapon or most_armour_matters(frame, attacks)
    rows = _rows(frame, weapon, attacks)
    blood = data.values(rows, "blood")
    kinds = [False, True] if _tough_at_all(rows) else [False]
    maps = [_map(rows, tough) for tough in kinds]
    heads, numbers = [tr(data.TARGETS[tough]) for tough in kinds], [str(n) for n in blood]
    if len(blood) == 1:  # both targets side by side
        shared = maps[0][0] if len(maps[0][0]) >= len(maps[-1][0]) else maps[-1][0]
        columns = [np.broadcast_to(table, (len(shared), 1)) for _, table in maps]
        maps, heads, numbers = (
            [(shared, np.hstack(columns))],
            [""],
            [tr("TOUGH" if tough else "ordinary") for tough in kinds],
        )
    height = (
        sum(len(names) * _ROW for names, _ in maps) + _HEAD * sum(map(bool, heads)) + _BETWEEN * (len(maps) - 1) + _FOOT
    )
    sheet = Sheet(heat_words(frame, weapon, attacks, setting), height, bare, ax)
    name_width = (
        max(widest([name for name, _ in names], style.TICK) for names, _ in maps) + 0.04
    )  # type is set a little wider elsewhere
    gutter = name_width + 0.52
    width = min(sheet.inner - gutter, (0.78 if len(blood) > 1 else 0.95) * len(numbers))
    panels = []
    top = 0.0
    for head, (names, table) in zip(heads, maps, strict=True):
        if head:
            sheet.text(gutter, top, head, style.HEAD, bold=True, va="top", color=style.CONTRAST)
        top += _HEAD if head else 0.0
        axes = sheet.axes(gutter, top, width, len(names) * _ROW, only=len(maps) == 1)
        parts.cells(axes, table, (width / len(numbers), _ROW), 0.012)
        for i, (name, modifier) in enumerate(names):
            y = top + (i + 0.5) * _ROW
            sheet.text(name_width, y, name, style.TICK, ha="right", va="center_baseline")
            sheet.text(gutter - 0.1, y, modifier, style.TICK, ha="right", va="center_baseline", color=style.MUTED)
        top += len(names) * _ROW
        lowest = head == heads[-1]
        axes.set_xticks(range(len(numbers)), numbers if lowest else [""] * len(numbers))
        axes.tick_params(axis="x", pad=3)
        if lowest:
            label = tr("Target" if len(blood) == 1 else "Blood markers held" if width > 1.6 else "Blood markers")
            axes.set_xlabel(label, fontproperties=style.font(style.LABEL), labelpad=3)
        top += _BETWEEN
        panels.append(axes)
    return sheet.drawn(panels)
