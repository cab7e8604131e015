"""What each blood marker adds, by armour, TOUGH and weapon; and what each way of spending them adds to none."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tcsim.base.errors import one_line
from tcsim.base.lang import mark, tr
from tcsim.base.text import points, signed
from tcsim.plots import data, parts, style, tell
from tcsim.plots.page import Sheet, Words, measure

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_LEFT, _GAP, _PANEL, _HEAD, _BETWEEN, _FOOT, _TOP = 0.42, 0.2, 1.25, 0.3, 0.3, 0.2, 0.26

#: Colour, shape and dashes of each way of spending, in the order in which they are told.
_POLICIES = {
    "bloodbath": (style.ARMOUR[0], "s", True),
    "all": (style.CONTRAST, "^", False),
    "greedy": (style.PALE, "v", True),
    "optimal": (style.MAIN, "D", False),
}


def _gains(frame: pd.DataFrame) -> pd.DataFrame:
    """What each marker adds, spent best: a row for each weapon, kind of target and armour, a column for each marker."""
    best = frame[(frame["policy"] == "optimal") & (frame["blood"] > 0)]
    table = best.pivot(index=["weapon", "tough", "injury_modifier"], columns="blood", values="gain")
    return table.loc[list(dict.fromkeys(best["weapon"]))]


def place_of_most(values: Any) -> tuple[Any, ...]:
    """Say where the largest of some values stands.

    Parameters
    ----------
    values : Series
        With several levels of index.

    Returns
    -------
    tuple
        A value of each level.
    """
    place: tuple[Any, ...] = tuple(values.index[int(values.to_numpy().argmax())])
    return place


def _setting(frame: pd.DataFrame, attacks: int) -> str:
    told = mark("Edition {edition}; {attacks}, a target that stands at first and does not get up in between.")
    return tr(told, edition=", ".join(dict.fromkeys(frame["edition"])), attacks=tell.things(attacks, "attack"))


def marker_gain_words(frame: pd.DataFrame, attacks: int = 3) -> Words:
    """Say what :func:`marker_gain` shows.

    Parameters
    ----------
    frame : DataFrame
        As :func:`tcsim.analysis.markers.marker_worth` gives it, of one edition.
    attacks : int, optional
        How many attacks it is about.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    table = _gains(frame)
    weapon, tough, modifier, number = place_of_most(table.stack())
    told = mark("A marker adds up to {points} points: the {nth} one, {weapon}, armour {n}")
    if tough:
        told = mark("A marker adds up to {points} points: the {nth} one, {weapon}, armour {n}, TOUGH")
    most = points(float(table.to_numpy().max())).lstrip("+")
    title = tr(told, points=most, nth=_nth(number), weapon=tr(weapon), n=signed(modifier))
    subtitle = tr("Points of P(out of action) that each blood marker adds to one fewer, spent best, by armour")
    subtitle = f"{frame['edition'].iloc[0]} · {subtitle}"
    return Words(title, subtitle, f"{_setting(frame, attacks)} {tr('Exact.')}")


def _nth(number: int) -> str:
    return tr((mark("first"), mark("second"), mark("third"), mark("fourth"), mark("fifth"), mark("sixth"))[number - 1])


@style.styled
def marker_gain(
    frame: pd.DataFrame,
    attacks: int = 3,
    bare: bool = False,
    ax: Axes | None = None,
    lang: str | None = None,
) -> Any:
    """Draw what each marker adds: a row for each weapon, ordinary and TOUGH targets, a line for each armour.

    Parameters
    ----------
    frame : DataFrame
        As :func:`tcsim.analysis.markers.marker_worth` gives it, of one edition.
    attacks : int, optional
        How many attacks it is about.
    bare : bool, optional
        Panels only.
    ax : Axes, optional
        Draw the panels into these, of a figure of your own.
    lang : str, optional
        ``en`` or ``ko``; default: the language of the moment.

    Returns
    -------
    array of Axes, or ax
        Shape (weapons, 2).

    Examples
    --------
    >>> from tcsim.analysis.markers import marker_worth
    >>> worth = marker_worth("1.6.3", weapons=[], attacks=2)
    >>> marker_gain(worth, 2, bare=True).shape
    (1, 2)
    """
    table = _gains(frame)
    weapons = list(dict.fromkeys(table.index.get_level_values("weapon")))
    row = _HEAD + _PANEL + _BETWEEN
    sheet = Sheet(marker_gain_words(frame, attacks), _TOP + row * len(weapons) + _FOOT, bare, ax)
    modifiers = sorted({int(n) for n in table.index.get_level_values("injury_modifier")}, reverse=True)
    names = [*map(signed, modifiers), tr("any"), tr("armour")]
    reach = max(measure(name, style.TICK, True) for name in names) + 0.3
    width = (sheet.inner - _LEFT - 2 * reach - _GAP) / 2
    full = _full(float(table.to_numpy().max()))
    of: dict[Any, dict[Any, Any]] = dict(zip(table.index, table.to_dict("records"), strict=True))
    drawn = np.empty((len(weapons), 2), dtype=object)
    for j, tough in enumerate((False, True)):
        left = _LEFT + j * (width + reach + _GAP)
        sheet.text(left, 0.0, tr(data.TARGETS[tough]), style.HEAD, bold=True, va="top", color=style.CONTRAST)
        over = left + width + 0.24
        sheet.text(over, 0.01, tr("armour"), style.TICK, va="top", color=style.MUTED)
        for i, weapon in enumerate(weapons):
            top = _TOP + i * row
            if j == 0:
                sheet.text(0.0, top + 0.02, one_line(tr(weapon), 60), style.HEAD, bold=True, va="top")
            lines = {n: list(of[weapon, tough, n].values()) for n in modifiers}
            axes = sheet.axes(left, top + _HEAD, width, _PANEL)
            _axes(axes, [1, 2, 3, 4, 5, 6], full, j == 0, tr("Marker") if i + 1 == len(weapons) else "")
            _by_armour(axes, lines, full)
            drawn[i, j] = axes
    return sheet.drawn(drawn)


def _by_armour(axes: Any, lines: Mapping[int, Sequence[float]], full: float) -> None:
    """A line for each armour; those that are the same are one."""
    apart: dict[tuple[float, ...], list[int]] = {}
    for modifier, gains in lines.items():
        apart.setdefault(tuple(round(gain, 9) for gain in gains), []).append(modifier)
    ends = []
    for modifiers in apart.values():
        gains = lines[modifiers[0]]
        place = list(lines).index(modifiers[0])
        colour, shape = style.armour_colour(modifiers[0]), parts.MARKERS[min(place, len(parts.MARKERS) - 1)]
        parts.line(axes, range(1, len(gains) + 1), [gain / full for gain in gains], colour, shape)
        name = tr("any") if len(modifiers) == len(lines) > 1 else ", ".join(map(signed, modifiers))
        ends.append(parts.End(gains[-1] / full, name))
    parts.end_labels(axes, sorted(ends, key=lambda end: end.y), len(next(iter(lines.values()))))


def _full(highest: float) -> float:
    """The end of an axis of points that begins at 0."""
    return next((step for step in (0.04, 0.06, 0.1, 0.14, 0.2, 0.3, 0.4, 0.6, 0.8) if highest <= step), 1.0)


def _axes(axes: Any, numbers: Sequence[int], full: float, named: bool, label: str) -> None:
    """Axes of numbers of markers, and of points that are drawn as shares of the highest."""
    axes.set_ylim(0, 1)
    shares = [0, 0.5, 1]
    told = [points(share * full, 0 if full >= 0.1 else 1) for share in shares] if named else [""] * 3
    axes.set_yticks(shares, told, fontproperties=style.font(style.CAPTION))
    axes.grid(axis="y", color=style.GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    parts.baseline(axes)
    parts.number_axis(axes, numbers, label)


def policy_gain_words(frame: pd.DataFrame, attacks: int = 3) -> Words:
    """Say what :func:`policy_gain` shows.

    Parameters
    ----------
    frame : DataFrame
        As :func:`tcsim.analysis.markers.marker_worth` gives it, of one edition; its first weapon is drawn.
    attacks : int, optional
        How many attacks it is about.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    table = _over_none(frame)
    most = (table["optimal"] - table["all"]).groupby("injury_modifier").max()
    lost = {int(n): float(value) for n, value in zip(most.index, most, strict=True)}
    heavy = max(lost, key=lambda n: lost[n])
    light = [signed(n) for n in sorted(lost, reverse=True) if lost[n] <= data.SAME]
    told = mark("The best plan adds up to {points} points to all at once in armour {n}")
    title = tr(told, points=points(lost[heavy]).lstrip("+"), n=signed(heavy))
    if lost[heavy] <= data.SAME:
        title = tr("All at once is the best plan in every armour")
    elif light:
        title += tr(", and nothing in armour {modifiers}", modifiers=", ".join(light))
    told = mark("{weapon}: points of P(out of action) over spending none, by blood markers at the start")
    subtitle = tr(told, weapon=one_line(tr(str(frame["weapon"].iloc[0])), 60))
    subtitle = f"{frame['edition'].iloc[0]} · {subtitle}"
    return Words(title, subtitle, f"{_setting(frame, attacks)} {tr('An ordinary target.')} {tr('Exact.')}")


def _over_none(frame: pd.DataFrame) -> pd.DataFrame:
    one = frame[(frame["weapon_id"] == frame["weapon_id"].iloc[0]) & ~frame["tough"]]
    wide: pd.DataFrame = one.pivot(index=["injury_modifier", "blood"], columns="policy", values="p")
    return wide.sub(wide["none"], axis="index")


@style.styled
def policy_gain(
    frame: pd.DataFrame,
    attacks: int = 3,
    bare: bool = False,
    ax: Axes | None = None,
    lang: str | None = None,
) -> Any:
    """Draw what each way of spending adds to spending none: a panel for each armour, a line for each policy.

    Parameters
    ----------
    frame : DataFrame
        As :func:`tcsim.analysis.markers.marker_worth` gives it, of one edition; its first weapon is drawn.
    attacks : int, optional
        How many attacks it is about.
    bare : bool, optional
        Panels only.
    ax : Axes, optional
        Draw the panels into these, of a figure of your own.
    lang : str, optional
        ``en`` or ``ko``; default: the language of the moment.

    Returns
    -------
    array of Axes, or ax
        A panel for each armour, two in a row.

    Examples
    --------
    >>> from tcsim.analysis.markers import marker_worth
    >>> worth = marker_worth("1.6.3", weapons=[], attacks=2)
    >>> policy_gain(worth, 2, bare=True).shape
    (4,)
    """
    table = _over_none(frame)
    modifiers = sorted({int(n) for n in table.index.get_level_values("injury_modifier")}, reverse=True)
    row = _HEAD + _PANEL + 0.2 + _FOOT
    sheet = Sheet(policy_gain_words(frame, attacks), row * ((len(modifiers) + 1) // 2) + 0.05, bare, ax)
    reach = max(measure(name, style.TICK, True) for name in _POLICIES) + 0.3
    width = (sheet.inner - _LEFT - 2 * reach - _GAP) / 2
    full = _full(float(table.to_numpy().max()))
    drawn = []
    for number, modifier in enumerate(modifiers):
        left, top = _LEFT + (number % 2) * (width + reach + _GAP), (number // 2) * row
        sheet.text(left, top + 0.02, tr("armour {n}", n=signed(modifier)), style.LABEL, bold=True, va="top")
        axes = sheet.axes(left, top + _HEAD, width, _PANEL)
        lines = table.loc[modifier]
        bloods = [int(n) for n in lines.index]
        _axes(axes, bloods, full, number % 2 == 0, tr("Blood markers") if number >= len(modifiers) - 2 else "")
        axes.set_xticks(bloods[::2], [str(blood) for blood in bloods[::2]])
        ends = []
        for name, (colour, shape, dashed) in _POLICIES.items():
            shares = [max(0.0, float(gain)) / full for gain in lines[name]]
            parts.line(axes, bloods, shares, colour, shape, dashed)
            ends.append(parts.End(shares[-1], name, name == "optimal"))
        parts.end_labels(axes, sorted(ends, key=lambda end: end.y), bloods[-1])
        drawn.append(axes)
    return sheet.drawn(drawn)
