"""What is unbeaten for its price: cost against chance, and the front of the best."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from tcsim.analysis.value.fronts import front
from tcsim.base.lang import mark, tr
from tcsim.base.text import percent
from tcsim.plots import frames, parts, style, tell
from tcsim.plots.host import inches
from tcsim.plots.labels import Name, Place, height_of, leader, placed
from tcsim.plots.page import Sheet, Words, inner_width, measure

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: What a frame holds; ``loadout`` may be called ``weapon``.
COLUMNS = {"loadout": "name", "cost": "amount", "p": "chance", "kind": "name?", "low": "chance?", "high": "chance?"}

_LEFT, _KEY, _PANEL, _FOOT, _RIGHT = 0.52, 0.3, 4.0, 0.46, 0.06
#: Currencies there are.
CURRENCIES = (mark("ducats"), mark("glory"))
#: Inches that the name of a point may be wide.
_WIDE = 2.0
#: Names in the caption at most.
_LISTED = 12


@dataclass(frozen=True)
class _Spot:
    """Loadouts of the same cost and chance: one point."""

    cost: float
    p: float
    names: tuple[str, ...]
    kinds: tuple[str, ...]
    on_front: bool
    ends: tuple[float, float] | None

    @property
    def text(self) -> str:
        """What is written beside it: its names if there are two that have room, else the first and how many more."""
        both = ", ".join(self.names)
        if len(self.names) <= 2 and measure(both, style.TICK, self.on_front) <= _WIDE:
            return both
        more = f" +{len(self.names) - 1}" if len(self.names) > 1 else ""
        return frames.short(self.names[0], _WIDE, style.TICK, self.on_front) + more


@dataclass(frozen=True)
class _Picture:
    """All that is drawn: the spots, the scales, and where names stand."""

    spots: tuple[_Spot, ...]
    right: float
    top: float
    names: tuple[tuple[_Spot, Name, Place | None], ...]

    @property
    def front(self) -> list[_Spot]:
        """The spots of the front, from cheap to dear."""
        return sorted((spot for spot in self.spots if spot.on_front), key=lambda spot: spot.cost)


def _spots(frame: pd.DataFrame) -> tuple[_Spot, ...]:
    rows = frames.tidy(frames.renamed(frame, "loadout", "weapon", "name"), COLUMNS).to_dict("records")
    on_front = front([row["cost"] for row in rows], [row["p"] for row in rows])
    here: dict[tuple[float, float], list[tuple[dict[Any, Any], bool]]] = {}
    for row, on in zip(rows, on_front.tolist(), strict=True):
        here.setdefault((row["cost"], round(row["p"], 9)), []).append((row, on))
    found = []
    for (cost, _), pairs in sorted(here.items()):
        own = [row for row, _ in pairs]
        kinds = tuple(sorted({row["kind"] for row in own if "kind" in row}))
        ends = (min(row["low"] for row in own), max(row["high"] for row in own)) if "low" in own[0] else None
        names = tuple(row["loadout"] for row in own)
        found.append(_Spot(cost, own[0]["p"], names, kinds, any(on for _, on in pairs), ends))
    return tuple(found)


def _picture(frame: pd.DataFrame, size: tuple[float, float]) -> _Picture:
    """Choose the scales, and a place for every name that has one; those of the front come first."""
    spots = _spots(frame)
    return _laid(spots, size, _numbers(spots, style.families()))


@lru_cache(maxsize=8)
def _numbers(spots: tuple[_Spot, ...], families: tuple[str, ...]) -> dict[_Spot, str]:
    """Numbers, from cheap to dear, for spots of the front whose names have no room on a page or on a bare one."""
    cramped = {
        spot
        for bare in (False, True)
        for spot, _, place in _laid(spots, _size(inner_width(bare)), {}).names
        if spot.on_front and place is None
    }
    return {spot: str(i) for i, spot in enumerate(sorted(cramped, key=lambda spot: spot.cost), start=1)}


def _laid(spots: tuple[_Spot, ...], size: tuple[float, float], numbers: dict[_Spot, str]) -> _Picture:
    right = max(spot.cost for spot in spots) * 1.06 or 1.0
    top = _nice(max(max((spot.p, *(spot.ends or ()))) for spot in spots))
    own = sorted((spot for spot in spots if spot.on_front), key=lambda spot: -spot.p)
    order = [*own, *sorted((spot for spot in spots if not spot.on_front), key=lambda spot: (-spot.p, spot.cost))]
    names = [
        Name(
            spot.cost / right * size[0],
            spot.p / top * size[1],
            numbers.get(spot, spot.text),
            style.TICK,
            spot.on_front,
        )
        for spot in order
    ]
    at = np.array([(name.x, name.y) for name in names])
    lines = [_inches(line, size, right, top) for line in _steps(own[::-1], right)]
    return _Picture(spots, right, top, tuple(zip(order, names, placed(names, at, lines, size), strict=True)))


def _inches(
    line: tuple[float, float, float, float], size: tuple[float, float], right: float, top: float
) -> tuple[float, float, float, float]:
    x0, y0, x1, y1 = line
    return x0 / right * size[0], y0 / top * size[1], x1 / right * size[0], y1 / top * size[1]


def _steps(own: list[_Spot], right: float) -> list[tuple[float, float, float, float]]:
    """The front as level and upright lines, in data units."""
    lines = []
    for one, following in zip(own, [*own[1:], None], strict=True):
        end = following.cost if following is not None else right
        lines.append((one.cost, one.p, end, one.p))
        if following is not None:
            lines.append((end, one.p, end, following.p))
    return lines


def _nice(highest: float) -> float:
    """The top of a scale: a little above the highest chance, and no more than needed above 100%."""
    step = next(step for step in (0.01, 0.02, 0.05, 0.1, 0.2) if highest <= 7 * step or step == 0.2)
    return min(max(step, (int(highest / step * 1.001) + 1) * step), 1.04)


def pareto_words(frame: pd.DataFrame, currency: str = "ducats", setting: str = "", about: str = "") -> Words:
    """Say what :func:`pareto` shows.

    Parameters
    ----------
    frame : DataFrame
        As for :func:`pareto`.
    currency : str, optional
        What prices are in.
    setting : str, optional
        Sentence on edition, targets and assumptions, for the caption.
    about : str, optional
        Which loadouts these are, before the subtitle.

    Returns
    -------
    Words
        Title, subtitle and caption.

    Examples
    --------
    >>> import pandas as pd
    >>> points = pd.DataFrame({"loadout": ["Knife", "Shotgun"], "cost": [1, 20], "p": [0.1, 0.4]})
    >>> pareto_words(points).title
    'Below 20 ducats nothing kills more often than Knife (1)'
    """
    picture = _picture(frame, _size(inner_width(False)))
    own = picture.front
    money = tr(currency)
    dearest = max(spot.cost for spot in picture.spots)
    ends = [*(spot.cost for spot in own[1:]), dearest]
    wide = [(end - spot.cost, spot, end) for spot, end in zip(own, ends, strict=True)]
    _, widest, end = max(wide, key=lambda one: one[0])
    name = (
        tell.joined([*widest.names[:2]])
        if len(widest.names) <= 2
        else tr("{name} and {n} more", name=widest.names[0], n=len(widest.names) - 1)
    )
    if len(own) == 1:
        told = mark("{name} beats all others: nothing is cheaper or kills more often")
        if len(picture.spots) == 1:
            told = mark("{name}: {p} for {cost} {money}")
    elif widest is own[-1]:
        told = mark("Above {cost} {money} nothing kills more often than {name}")
    else:
        told = mark("Below {end} {money} nothing kills more often than {name} ({cost})")
    title = tr(told, name=name, cost=_price(widest.cost), end=_price(end), money=money, p=percent(widest.p))
    subtitle = tr("Chance that the target is taken out of action, against cost")
    if about:
        subtitle = f"{about} · {subtitle}"
    count = sum(len(spot.names) for spot in picture.spots)
    notes = [setting]
    unbeaten = sum(len(spot.names) for spot in own)
    told = mark("{count} loadouts, {unbeaten} of them on the front: no other costs no more and kills as often.")
    notes.append(tr(told, count=count, unbeaten=unbeaten))
    notes.append(tr("Tinted: nothing this cheap kills this often."))
    if any(" +" in name.text and place is not None for _, name, place in picture.names):
        notes.append(tr("+1, +2: so many more have the same cost and chance."))
    unnamed = [
        f"{name.text}\u00a0{', '.join(spot.names)}" if place is not None else ", ".join(spot.names)
        for spot, name, place in sorted(picture.names, key=lambda one: one[0].cost)
        if spot.on_front and (place is None or name.text.isdigit())
    ]
    if unnamed:
        more = f"; +{len(unnamed) - _LISTED}" if len(unnamed) > _LISTED else ""
        notes.append(tr("On the front, too: {names}.", names="; ".join(unnamed[:_LISTED]) + more))
    if any(spot.ends for spot in picture.spots):
        notes.append(tr("Upright lines: 95% intervals of what was rolled."))
    else:
        notes.append(tr("Exact."))
    return Words(title, subtitle, " ".join(filter(None, notes)))


def _price(cost: float) -> str:
    return f"{cost:,.6g}" if cost < 1e6 else f"{cost:,.0f}"


def _size(inner: float) -> tuple[float, float]:
    return inner - _LEFT - _RIGHT, _PANEL


@style.styled
def pareto(
    frame: pd.DataFrame,
    currency: str = "ducats",
    setting: str = "",
    bare: bool = False,
    ax: Axes | None = None,
    lang: str | None = None,
    about: str = "",
) -> Any:
    """Draw cost against chance: a dot for each loadout, the front as steps, the empty side tinted.

    Parameters
    ----------
    frame : DataFrame
        A row for each loadout: ``loadout`` (or ``weapon``), ``cost``, ``p`` (probability in [0, 1]); where they are
        known, ``kind`` (``melee`` is drawn as circles, all else as triangles), ``low`` and
        ``high`` (ends of intervals).
    currency : str, optional
        What prices are in.
    setting : str, optional
        Sentence on edition, targets and assumptions, for the caption.
    bare : bool, optional
        Panels only.
    ax : Axes, optional
        Draw into these, of a figure of your own.
    lang : str, optional
        ``en`` or ``ko``; default: the language of the moment.
    about : str, optional
        Which loadouts these are, before the subtitle.

    Returns
    -------
    array of Axes, or ax
        One panel.

    Raises
    ------
    InputError
        When the frame is empty, lacks a column or holds what is no price or probability.

    Examples
    --------
    >>> import pandas as pd
    >>> points = pd.DataFrame({"loadout": ["Knife", "Shotgun"], "cost": [1, 20], "p": [0.1, 0.4]})
    >>> pareto(points, bare=True).shape
    (1,)
    """
    sheet = Sheet(pareto_words(frame, currency, setting, about), _KEY + _PANEL + _FOOT, bare, ax)
    wide, _ = _size(sheet.inner)
    axes = sheet.axes(_LEFT, _KEY, wide, _PANEL, only=True)
    picture = _picture(frame, inches(axes))
    axes.set_xlim(0, picture.right)
    axes.set_ylim(0, picture.top)
    _scales(axes, picture, tr("Cost, {currency}", currency=tr(currency)))
    own = picture.front
    x = [*(spot.cost for spot in own), picture.right]
    y = [*(spot.p for spot in own), own[-1].p]
    axes.fill_between(x, y, picture.top, step="post", color=style.WASH, linewidth=0, zorder=0.5)
    axes.plot(x, y, drawstyle="steps-post", color=style.MAIN, linewidth=1.8, zorder=2)
    for spot in sorted(picture.spots, key=lambda spot: spot.on_front):
        if spot.ends is not None:
            axes.plot([spot.cost] * 2, spot.ends, color=style.PALE, linewidth=1.0, zorder=2.2)
        for kind in spot.kinds or ("melee",):
            _dot(axes, spot.cost, spot.p, kind, spot.on_front)
    _write(axes, picture)
    _key(sheet, picture)
    return sheet.drawn([axes])


def _dot(axes: Axes, x: float, y: float, kind: str, on_front: bool) -> None:
    axes.plot(
        [x],
        [y],
        linestyle="",
        marker="o" if kind == "melee" else "^",
        markersize=6.4,
        markerfacecolor=style.MAIN if on_front else style.PAPER,
        markeredgecolor=style.MAIN if on_front else style.PALE,
        markeredgewidth=1.3,
        clip_on=False,
        zorder=4 if on_front else 3,
    )


def _scales(axes: Axes, picture: _Picture, label: str) -> None:
    step = next(step for step in (0.01, 0.02, 0.05, 0.1, 0.2) if picture.top <= 8.01 * step or step == 0.2)
    levels = [i * step for i in range(int(picture.top / step + 1e-9) + 1)]
    axes.set_yticks(levels, [percent(level, 0) for level in levels])
    axes.grid(axis="y", color=style.GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    magnitude = 10.0 ** np.floor(np.log10(picture.right))
    step = next(s * magnitude for s in (0.1, 0.2, 0.5, 1, 2, 5) if picture.right <= 7.5 * s * magnitude)
    prices = [i * step for i in range(int(picture.right / step + 1e-9) + 1)]
    axes.set_xticks(prices, [_price(price) for price in prices])
    axes.tick_params(axis="x", length=3, width=0.9, color=style.MUTED, pad=3)
    axes.set_xlabel(label, fontproperties=style.font(style.LABEL), labelpad=3)
    parts.baseline(axes)


def _write(axes: Axes, picture: _Picture) -> None:
    """Write the names; offsets are in points, so that they are the same in every kind of file."""
    for spot, name, place in picture.names:
        if place is None:
            continue
        at = (spot.cost, spot.p)
        if place.led:
            x, y, dot_x, dot_y = leader(name, place)
            ends = [(72 * (x - name.x), 72 * (y - name.y)), (72 * (dot_x - name.x), 72 * (dot_y - name.y))]
            _hairline(axes, at, ends)
        axes.annotate(
            name.text,
            at,
            xytext=(72 * (place.x - name.x), 72 * (place.y + height_of(name.size) / 2 - name.y)),
            textcoords="offset points",
            ha="left",
            va="center_baseline",
            fontproperties=style.font(name.size, name.bold),
            color=style.INK if name.bold else style.MUTED,
            annotation_clip=False,
            zorder=5,
        )


def _hairline(axes: Axes, at: tuple[float, float], ends: list[tuple[float, float]]) -> None:
    from matplotlib.lines import Line2D
    from matplotlib.transforms import ScaledTranslation

    figure: Any = axes.figure
    x, y = zip(*ends, strict=True)
    data: Any = axes.transData
    shift = ScaledTranslation(*at, data)
    scale: Any = figure.dpi_scale_trans
    axes.add_line(
        Line2D(
            [one / 72 for one in x],
            [one / 72 for one in y],
            transform=scale + shift,
            color=style.PALE,
            linewidth=0.7,
            zorder=1.5,
            clip_on=False,
        )
    )


def _key(sheet: Sheet, picture: _Picture) -> None:
    """Say above the panel what the shapes mean."""
    kinds = {kind for spot in picture.spots for kind in spot.kinds}
    entries = [("●", tr("unbeaten"))] if not kinds else []
    if "melee" in kinds:
        entries.append(("○", tr("melee")))
    if kinds - {"melee"}:
        entries.append(("△", tr("ranged")))
    if kinds:
        entries.append(("●" if "melee" in kinds else "▲", tr("unbeaten")))
    left = _LEFT
    for sign, word in entries:
        colour = style.MAIN if sign in "●▲" else style.MUTED
        sheet.text(left, 0.06, sign, style.TICK, va="center_baseline", color=colour)
        sheet.text(left + 0.17, 0.06, word, style.TICK, va="center_baseline", color=style.MUTED)
        left += 0.17 + measure(word, style.TICK) + 0.2
