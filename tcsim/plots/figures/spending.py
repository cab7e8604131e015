"""What to spend on a hit, as a map, and what markers are worth, as curves."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from tcsim.analysis.advice_words import by_blood, goal_words, is_simple, span_words, tough_values
from tcsim.base.lang import mark, tr
from tcsim.base.text import percent
from tcsim.engines import advice
from tcsim.engines.advice import Deed, Grid
from tcsim.plots import parts, style
from tcsim.plots.page import Sheet, Words, measure
from tcsim.scenario.problem import EVERY_MARKER

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from tcsim.analysis.spending import Spending

#: Blood markers that are drawn, and most patterns of hits of a volley.
BLOOD, PATTERNS = (1, 2, 3, 4, 5, 6), 5

_ROW, _HEAD, _FOOT, _BETWEEN, _LEGEND, _CURVES, _GUTTER = 0.27, 0.27, 0.42, 0.2, 0.36, 1.7, 0.2

#: Smallest type in a cell, in points.
_SMALLEST = 6.0


@dataclass(frozen=True)
class Map:
    """One panel: what is done, by rows of states and columns of blood markers.

    Parameters
    ----------
    head : str
        What stands above it.
    rows : tuple of str
        What the rows are.
    cells : tuple of tuple of tuple of Deed
        What each hit gets, by row and blood marker; of an attack in turn, one hit.
    wide : bool
        Whether it takes the whole page.
    state : str, optional
        What else it holds for.
    """

    head: str
    rows: tuple[str, ...]
    cells: tuple[tuple[tuple[Deed, ...], ...], ...]
    wide: bool = False
    state: str = ""


def maps_of(found: Spending, together: bool = True) -> list[Map]:
    """Lay out the advice as panels.

    Parameters
    ----------
    found : Spending
        As :func:`tcsim.spend` gives it.
    together : bool, optional
        Make one panel of attacks with the same advice, and one row of hits with the same; else each has its own.

    Returns
    -------
    list of Map
        Attack by attack; a panel each for TOUGH left and used up.
    """
    grids = advice.grids(found.best.problem)
    toughs = tough_values(grids)
    told: list[tuple[list[int], list[Map]]] = []
    for grid in grids:
        own = [_volley(grid, tough) if grid.joint else _single(grid, tough, not together) for tough in toughs]
        if not grid.joint and len({one.rows for one in own}) > 1:  # the same rows side by side
            own = [_single(grid, tough, apart=True) for tough in toughs]
        if together and told and told[-1][1] == own:
            told[-1][0].append(grid.attacks_left)
        else:
            told.append(([grid.attacks_left], own))
    panels = []
    for left, own in told:
        head = left_words(min(left), max(left))
        for tough, one in zip(toughs, own, strict=True):
            state = "" if len(toughs) == 1 else tr("TOUGH left") if tough else tr("TOUGH used up")
            panels.append(Map(head, one.rows, one.cells, one.wide, state))
    return panels


def left_words(low: int, high: int) -> str:
    """Say how many attacks are left, this one counted.

    Parameters
    ----------
    low, high : int
        Fewest and most for which a panel holds.

    Returns
    -------
    str
        As ``2–3 attacks left``.

    Examples
    --------
    >>> left_words(1, 1), left_words(2, 3)
    ('Last attack', '2–3 attacks left')
    """
    if low == high == 1:
        return tr("Last attack")
    return tr("{n} attacks left", n=span_words(low, high))


def _single(grid: Grid, tough: int, apart: bool = False) -> Map:
    rows, cells = [], []
    for down, posture in ((0, tr("standing")), (1, tr("Down"))):
        both = [_exact(grid, tough, down, critical) for critical in (0, 1)]
        kinds = [tr("{state}, any hit", state=posture)]
        if apart or both[0] != both[1]:
            kinds = [tr("{state}, plain hit", state=posture), tr("{state}, critical hit", state=posture)]
        rows += kinds
        cells += both[: len(kinds)]
    return Map("", tuple(rows), tuple(cells))


def _exact(grid: Grid, tough: int, down: int, critical: int) -> tuple[tuple[Deed, ...], ...]:
    """What a hit gets, by blood markers, with the dice counted."""
    simple = grid if is_simple(grid) else _without_others(grid)
    found = by_blood(simple, tough, down, critical)
    cost = grid.bath_costs[down]
    return tuple((_counted(found[blood], blood, cost),) if blood in found else () for blood in BLOOD)


def _counted(deed: Deed, blood: int, bath_cost: int) -> Deed:
    dice, bath = deed
    return (blood - bath * bath_cost if dice == EVERY_MARKER else dice, bath)


def _without_others(grid: Grid) -> Grid:
    """The states of a grid in which all that a map does not show is nothing."""
    shown = ("tough", "down", "blood", "critical", "plain_hits", "critical_hits")
    others = [index for index, name in enumerate(grid.axes) if name not in shown]
    least = {index: min(cell[index] for cell in grid.deeds) for index in others}
    kept = {cell: deed for cell, deed in grid.deeds.items() if all(cell[i] == low for i, low in least.items())}
    return Grid(grid.attacks_left, grid.axes, grid.sizes, kept, grid.joint, grid.bath_costs, grid.patterns)


def _volley(grid: Grid, tough: int) -> Map:
    place = {name: index for index, name in enumerate(grid.axes)}
    found = {
        tuple(cell[place[name]] for name in ("tough", "down", "blood", "plain_hits", "critical_hits")): deed
        for cell, deed in _without_others(grid).deeds.items()
    }
    rows, cells = [], []
    for down, posture in ((0, tr("standing")), (1, tr("Down"))):
        for plain, critical in sorted(grid.patterns[:PATTERNS], key=lambda hits: (sum(hits), hits[1])):
            row = []
            for blood in BLOOD:
                on_plain, on_critical = found.get((tough, down, blood, plain, critical), ((), ()))
                pairs = ((on_critical, critical), (on_plain, plain))
                row.append(tuple((own[hit] if hit < len(own) else (0, 0)) for own, n in pairs for hit in range(n)))
            hits = [tr("{n} critical", n=critical)] if critical else []
            hits += [tr("{n} plain", n=plain)] if plain else []
            rows.append(f"{posture}, {' + '.join(hits)}")
            cells.append(tuple(row))
    return Map("", tuple(rows), tuple(cells), wide=True)


def spending_words(found: Spending, setting: str = "") -> Words:
    """Say what :func:`spending_map` shows.

    Parameters
    ----------
    found : Spending
        As :func:`tcsim.spend` gives it.
    setting : str, optional
        Sentence on target and assumptions, for the caption.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    from tcsim.engines.goals import is_chance

    goal = found.best.problem.goal
    others = sorted((way for way in found.ways if way.name != "optimal"), key=lambda way: -way.value)
    loss = found.losses[others[0].name]
    value = percent(found.value) if is_chance(goal) else f"{found.value:.3f}"
    asked = goal_words(goal)
    title = tr("{goal}: {value}; no fixed way does better", goal=asked, value=value)
    if loss >= 5e-4:
        lost = tr("{change} points", change=f"{100 * loss:.1f}") if is_chance(goal) else f"{loss:.3f}"
        title = tr("{goal}: {value}, {lost} more than any fixed way", goal=asked, value=value, lost=lost)
    subtitle = tr("What to spend on a hit, by blood markers on the target before it")
    notes = [setting, tr("Edition {edition}.", edition=found.resolved.problem.edition)]
    if any(grid.joint for grid in found.grids):
        notes.append(tr("Shots resolved together: what each hit gets, critical ones first; the likeliest hits."))
    told = mark("Below: value by blood markers at the start.")
    return Words(title, subtitle, " ".join(filter(None, [*notes, tr(told), tr("Exact.")])))


@style.styled
def spending_map(
    found: Spending,
    setting: str = "",
    bare: bool = False,
    ax: Axes | None = None,
    lang: str | None = None,
) -> Any:
    """Draw what to spend as a map for each attack, and below the value by blood markers at the start.

    Parameters
    ----------
    found : Spending
        As :func:`tcsim.spend` gives it.
    setting : str, optional
        Sentence on target and assumptions, for the caption.
    bare : bool, optional
        Panels only.
    ax : Axes, optional
        Draw the panels into these, of a figure of your own.
    lang : str, optional
        ``en`` or ``ko``; default: the language of the moment.

    Returns
    -------
    array of Axes, or ax
        A panel each, and last that of the curves.

    Examples
    --------
    >>> import tcsim
    >>> question = {"target": {"blood": 3}, "attacks": [{"kind": "melee", "times": 2}]}
    >>> spending_map(tcsim.spend(question), bare=True).shape
    (2,)
    """
    maps = maps_of(found)
    words = spending_words(found, setting)
    lines = _lines(maps)
    height = _LEGEND + sum(_height(line) for line in lines) + _BETWEEN * len(lines) + _HEAD + _CURVES + _FOOT
    sheet = Sheet(words, height, bare, ax)
    draw_legend(sheet, 0.0)
    top = _LEGEND
    panels: list[Any] = []
    for line in lines:
        gutter = max(measure(name, style.CAPTION) for one in line for name in one.rows) + 0.1
        width = sheet.inner - gutter if line[0].wide else (sheet.inner - gutter - _GUTTER) / 2
        for number, one in enumerate(line):
            left = gutter + number * (width + _GUTTER)
            if number and one.state:  # the second of a pair: what it shares stands above the first
                one = replace(one, head="")
            panels.append(draw_map(sheet, one, (left, top + _HEAD, width), number == 0))
        top += _height(line) + _BETWEEN
    panels.append(_curves(sheet, found, top))
    return sheet.drawn(panels)


def _lines(maps: Sequence[Map]) -> list[list[Map]]:
    """Put panels side by side, two with the same rows on a line."""
    lines: list[list[Map]] = []
    for one in maps:
        before = lines[-1] if lines else []
        # a pair for TOUGH left and used up stays together
        fits = len(before) == 1 and not one.wide and before[0].rows == one.rows
        if fits and (not one.state or before[0].head == one.head):
            lines[-1].append(one)
        else:
            lines.append([one])
    return lines


def _height(line: Sequence[Map]) -> float:
    return _HEAD + max(len(one.rows) for one in line) * _ROW + 0.2


def draw_map(sheet: Sheet, one: Map, place: tuple[float, float, float], named: bool = True) -> Any:
    """Draw one panel.

    Parameters
    ----------
    sheet : Sheet
        The page.
    one : Map
        What is drawn.
    place : tuple of float
        Inches from the left and the top, and the width.
    named : bool, optional
        Whether the rows are named.

    Returns
    -------
    Axes
        The panel.
    """
    left, top, width = place
    sheet.text(left, top - 0.06, one.head, style.LABEL, bold=True, va="bottom")
    beside = left + (measure(one.head + " ", style.LABEL, True) if one.head else 0.0)
    sheet.text(beside, top - 0.06, one.state, style.CAPTION, va="bottom", color=style.MUTED)
    axes = sheet.axes(left, top, width, len(one.rows) * _ROW)
    axes.set_xlim(0.5, len(BLOOD) + 0.5)
    axes.set_ylim(len(one.rows) - 0.5, -0.5)
    for i, name in enumerate(one.rows):
        if named:
            y = top + (i + 0.5) * _ROW
            sheet.text(left - 0.08, y, name, style.CAPTION, ha="right", va="center_baseline")
        for blood, hits in zip(BLOOD, one.cells[i], strict=True):
            _cell(axes, (blood, i), hits, (width / len(BLOOD), _ROW))
    axes.set_xticks(list(BLOOD), [str(blood) for blood in BLOOD], fontproperties=style.font(style.CAPTION))
    axes.tick_params(axis="x", pad=2)
    return axes


def _cell(axes: Any, at: tuple[int, int], hits: Sequence[Deed], size: tuple[float, float]) -> None:
    """Draw a cell of so many inches; what does not fit is written smaller."""
    from matplotlib.patches import Rectangle

    if not hits:
        return
    (x, y), (across, up) = at, (0.014 / size[0], 0.014 / size[1])
    face, ink = colours(hits)
    axes.add_patch(Rectangle((x - 0.5 + across, y - 0.5 + up), 1 - 2 * across, 1 - 2 * up, facecolor=face))
    bold = any(bath for _, bath in hits)
    text = "·".join(map(token, hits)) if any(deed != (0, 0) for deed in hits) else "–"
    points = style.CAPTION
    while points > _SMALLEST and measure(text, points, bold) > size[0] - 0.05:
        points -= 0.5
    axes.text(x, y, text, fontproperties=style.font(points, bold), color=ink, ha="center", va="center_baseline")


def token(deed: Deed) -> str:
    """Write what a hit gets in a cell.

    Parameters
    ----------
    deed : Deed
        Dice, counted, and Bloodbath.

    Returns
    -------
    str
        As ``2`` or ``B+1``.
    """
    dice, bath = deed
    if not bath:
        return str(dice)
    return tr("B") if not dice else tr("B") + f"+{dice}"


def colours(hits: Sequence[Deed]) -> tuple[str, str]:
    """Choose the colours of a cell.

    Parameters
    ----------
    hits : sequence of Deed
        What each hit gets.

    Returns
    -------
    str, str
        Of the cell and of the text on it.
    """
    if any(bath for _, bath in hits):
        return style.CONTRAST, style.ON_DEEP
    dice = sum(dice for dice, _ in hits)
    if not dice:
        return style.WASH, style.MUTED
    step = min(2 + 2 * dice, style.STEPS - 1)
    return style.sequential()[step], style.ON_DEEP if step >= style.TURN else style.ON_TINT


def draw_legend(sheet: Sheet, top: float) -> None:
    """Draw what colours and letters mean.

    Parameters
    ----------
    sheet : Sheet
        The page.
    top : float
        Inches from the top of the space for panels.
    """
    samples: tuple[tuple[tuple[Deed, ...], str], ...] = (
        (((0, 0),), tr("keep")),
        (((2, 0),), tr("dice")),
        (((0, 1),), tr("Bloodbath")),
        (((1, 1),), tr("Bloodbath and a die")),
    )
    left = 0.0
    for hits, words in samples:
        axes = sheet.axes(left, top, 0.42, 0.22)
        axes.set_xlim(0.5, 1.5)
        axes.set_ylim(0.5, -0.5)
        _cell(axes, (1, 0), hits, (0.42, 0.22))
        sheet.text(left + 0.49, top + 0.11, words, style.CAPTION, va="center_baseline")
        left += 0.49 + measure(words, style.CAPTION) + 0.2


def _curves(sheet: Sheet, found: Spending, top: float) -> Any:
    """Draw the value by blood markers at the start, a line for each policy; those that are the same share one."""
    from tcsim.engines.goals import is_chance

    chance = is_chance(found.best.problem.goal)
    rows = found.to_dict()["worth"]
    bloods = sorted({row["blood"] for row in rows})
    values = {way.name: [row["value"] for row in rows if row["policy"] == way.name] for way in found.ways}
    highest = max(max(line) for line in values.values())
    lowest = min(0.0, *(min(line) for line in values.values()))
    full = (
        next((step for step in (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0) if highest <= step), highest)
        if chance
        else highest or 1.0
    )
    sheet.text(0.0, top + _HEAD - 0.06, tr("What markers are worth"), style.LABEL, bold=True, va="bottom")
    right = max(measure(name, style.TICK, True) for name in values) + 0.35
    axes = sheet.axes(0.55, top + _HEAD, sheet.inner - 0.55 - right, _CURVES)
    axes.set_ylim(0, 1)
    shares = [0, 0.5, 1]
    numbers = [lowest + share * (full - lowest) for share in shares]
    told = [f"{100 * number:g}%" if chance else f"{number:.2g}" for number in numbers]
    axes.set_yticks(shares, told, fontproperties=style.font(style.CAPTION))
    axes.grid(axis="y", color=style.GRID, linewidth=0.8)
    parts.number_axis(axes, bloods, tr("Blood markers at the start"))
    ends = []
    for name in sorted(values, key=lambda name: name == "optimal"):
        colour, marker = parts.POLICY_LOOKS.get(name, (style.INK, "X"))
        line = [(value - lowest) / (full - lowest) for value in values[name]]
        parts.line(axes, bloods, line, colour, marker, dashed=name not in parts.POLICY_LOOKS)
        ends.append(parts.End(line[-1], name, name == "optimal"))
    parts.end_labels(axes, sorted(ends, key=lambda end: end.y), bloods[-1])
    return axes
