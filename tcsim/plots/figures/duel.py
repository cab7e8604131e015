"""Who wins a duel by which round, and many models against many as a map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tcsim.base.errors import one_line
from tcsim.base.lang import mark, tr
from tcsim.base.text import percent, plural
from tcsim.plots import parts, style
from tcsim.plots.page import LEADING, Sheet, Words, inner_width, measure
from tcsim.plots.parts import widest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from tcsim.analysis.duels import DuelMatrix
    from tcsim.duels.result import DuelResult

_HEIGHT, _LEFT, _FOOT = 2.5, 0.52, 0.48
#: Most rounds that have a number below the axis.
_TICKS = 12
#: Inches of a cell of the map: at most, and at least for its number to be written.
_CELL, _WRITTEN, _ROW, _LOW_ROW = 0.62, 0.3, 0.3, 0.18
#: Rows from which on they are low.
MANY = 30
#: Inches below a map: without a scale of its colours, and with one.
_GAP, _SCALE = 0.06, 0.42
#: Most characters of a warband's id.
_ID = 30


def story_words(result: DuelResult) -> Words:
    """Say what :func:`story` shows.

    Parameters
    ----------
    result : DuelResult
        A duel.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    question, given = result.resolved, result.resolved.given
    names = _names(result)
    told = mark("{one} wins {p}, {other} {q}")
    title = tr(told, one=names[0], p=percent(result.a_wins, 0), other=names[1], q=percent(result.b_wins, 0))
    subtitle = tr("Chance that each has won, and that neither has, by the end of each round")
    notes = [tr("Edition {edition}.", edition=given.edition), tr("{who} is first in each round.", who=given.first)]
    if given.approach is not None:
        notes.append(tr("{inches} inches apart at the start.", inches=f"{given.approach.distance:g}"))
    spends = [fighter.spend.blood_on_injury for fighter in (given.a, given.b)]
    if given.spend.mode == "optimal":
        notes.append(tr("Both spend markers optimally."))
    else:
        notes.append(tr("Blood spent on injury rolls: by a {a}, by b {b}.", a=spends[0], b=spends[1]))
    notes += [f"{name} = {value}." for name, value in question.options.items()]
    notes.append(tr("Exact.") if result.run is None else tr("Rolled {trials} times.", trials=f"{result.run.trials:,}"))
    return Words(title, subtitle, " ".join(notes))


def _names(result: DuelResult) -> tuple[str, str]:
    a, b = (
        f"{side} ({name})" if name != side else side for side, name in zip("ab", result.resolved.names, strict=True)
    )
    return a, b


@style.styled
def story(result: DuelResult, bare: bool = False, ax: Axes | None = None, lang: str | None = None) -> Any:
    """Draw who has won by which round: a line for each fighter, and one for neither.

    Parameters
    ----------
    result : DuelResult
        Exact or rolled.
    bare : bool, optional
        Panels only.
    ax : Axes, optional
        Draw the panels into these, of a figure of your own.
    lang : str, optional
        ``en`` or ``ko``; default: the language of the moment.

    Returns
    -------
    array of Axes, or ax
        One panel.
    """
    sheet = Sheet(story_words(result), _HEIGHT + _FOOT, bare, ax)
    lines = [("a", [a for a, _ in result.story]), ("b", [b for _, b in result.story])]
    lines.append((tr("neither"), [max(0.0, 1 - a - b) for a, b in result.story]))
    ends = [parts.End(chances[-1], f"{name} {percent(chances[-1], 0)}") for name, chances in lines]
    room = max(measure(end.text, style.TICK, bold=True) for end in ends) + 0.32
    axes = sheet.axes(_LEFT, 0.06, sheet.inner - _LEFT - room, _HEIGHT - 0.06, only=True)
    rounds = list(range(1, len(result.story) + 1))
    parts.percent_axis(axes)
    parts.number_axis(axes, rounds, tr("Round"))
    step = -(-len(rounds) // _TICKS)
    axes.set_xticks(rounds[step - 1 :: step], [str(n) for n in rounds[step - 1 :: step]])
    looks = ((style.MAIN, "o", False), (style.CONTRAST, "s", False), (style.PALE, "^", True))
    for (_, chances), (colour, shape, dashed) in zip(lines, looks, strict=True):
        parts.line(axes, rounds, chances, colour, shape, dashed)
    parts.end_labels(axes, ends, rounds[-1])
    return sheet.drawn([axes])


def matrix_words(found: DuelMatrix) -> Words:
    """Say what :func:`matrix` shows.

    Parameters
    ----------
    found : DuelMatrix
        Two warbands.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    rows, columns = (one_line(id, _ID) for id in found.ids)
    table = found.chances()
    fought = ~np.isnan(table)
    best = np.where(fought, table, 0).sum(axis=1) / np.maximum(fought.sum(axis=1), 1)
    told = mark("{name} wins most often of {warband}: {p} on average")
    top = int(best.argmax())
    title = tr(told, name=found.names[0][top], warband=rows, p=percent(float(best[top]), 0))
    subtitle = tr("Chance (%) that the model of {one} (row) wins a duel with that of {other}", one=rows, other=columns)
    notes = [
        tr("Edition {edition}.", edition=found.edition),
        f"{plural(found.rounds, 'round')}.",
        tr("The row is first in each round.") if found.first == "a" else tr("The column is first in each round."),
        tr("No markers are spent."),
        tr("In contact, unhurt, with what each fights with."),
        tr("Empty: one of the two has no melee attack.") if not fought.all() else "",
        tr("Exact.") if found.trials is None else tr("Rolled {trials} times.", trials=f"{found.trials:,}"),
    ]
    return Words(title, subtitle, " ".join(filter(None, notes)))


@style.styled
def matrix(found: DuelMatrix, bare: bool = False, ax: Axes | None = None, lang: str | None = None) -> Any:
    """Draw many duels as a map: a row for each model of one warband, a column for each of the other.

    Parameters
    ----------
    found : DuelMatrix
        Two warbands.
    bare : bool, optional
        Panels only.
    ax : Axes, optional
        Draw the panels into these, of a figure of your own.
    lang : str, optional
        ``en`` or ``ko``; default: the language of the moment.

    Returns
    -------
    array of Axes, or ax
        One panel.
    """
    from matplotlib.patches import Rectangle

    table, names = found.chances(), found.names
    rows, columns = table.shape
    height = _ROW if rows <= MANY else _LOW_ROW
    size = style.TICK if rows <= MANY else style.CAPTION
    gutter = widest(list(names[0]), size) + 0.14
    cell = min(_CELL, (inner_width(bare, ax) - gutter) / columns)
    head_size = min(style.TICK, 72 * cell / LEADING)
    head = widest(list(names[1]), head_size) + 0.1
    written = cell >= _WRITTEN and rows <= MANY
    sheet = Sheet(matrix_words(found), head + rows * height + (_GAP if written else _SCALE), bare, ax)
    axes = sheet.axes(gutter, head, cell * columns, rows * height, only=True)
    axes.set_xlim(-0.5, columns - 0.5)
    axes.set_ylim(rows - 0.5, -0.5)
    colours, across, up = style.sequential(), 0.008 / cell, 0.008 / height
    for i, row in enumerate(table.tolist()):
        sheet.text(gutter - 0.08, head + (i + 0.5) * height, names[0][i], size, ha="right", va="center_baseline")
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
    for j, name in enumerate(names[1]):
        place = gutter + (j + 0.5) * cell
        sheet.text(place, head - 0.06, name, head_size, rotation=90, ha="center", va="bottom")
    if not written:
        _scale(sheet, gutter, head + rows * height)
    return sheet.drawn([axes])


def _scale(sheet: Sheet, left: float, top: float) -> None:
    """Say which colour is which chance, where no numbers stand in the map."""
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
