"""Who wins a duel by which round, and many models against many as a map; from answers, or from tidy frames."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tcsim.base.errors import InputError, one_line
from tcsim.base.lang import mark, tr
from tcsim.base.text import percent, plural
from tcsim.plots import frames, parts, style
from tcsim.plots.page import LEADING, Sheet, Words, inner_width, measure
from tcsim.plots.parts import widest

if TYPE_CHECKING:
    import pandas as pd
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
#: Inches of a name beside a map, at most.
_NAME = 2.2


#: What a frame of one duel holds, and one of many.
COURSE = {"round": "whole", "a_wins": "chance", "b_wins": "chance", "a": "name?", "b": "name?"}
MANY_DUELS = {"a": "name", "b": "name", "a_wins": "chance~", "b_wins": "chance?~", "first": "name?"}


@dataclass(frozen=True)
class _Course:
    """A duel: names of both, the rounds, the chance of each to have won by each of them, and what the caption says."""

    names: tuple[str, str]
    rounds: tuple[int, ...]
    wins: tuple[tuple[float, float], ...]
    notes: tuple[str, ...]
    short: tuple[str, str]


def _course(given: DuelResult | pd.DataFrame, setting: str) -> _Course:
    from tcsim.duels.result import DuelResult

    if isinstance(given, DuelResult):
        rounds = tuple(range(1, len(given.story) + 1))
        notes = (setting, *_notes(given)) if setting else tuple(_notes(given))
        return _Course(_names(given), rounds, tuple(given.story), notes, ("a", "b"))
    rows = frames.tidy(given, COURSE, ("round",)).sort_values("round").to_dict("records")
    for row in rows:
        if row["a_wins"] + row["b_wins"] > 1 + 1e-9:
            raise InputError(f"both together win more often than always in round {row['round']}", "a_wins, b_wins")
    names = (rows[0].get("a", "a"), rows[0].get("b", "b"))
    wins = tuple((row["a_wins"], row["b_wins"]) for row in rows)
    return _Course(names, tuple(row["round"] for row in rows), wins, (setting,) if setting else (), names)


def _notes(result: DuelResult) -> list[str]:
    question, given = result.resolved, result.resolved.given
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
    return notes


def _names(result: DuelResult) -> tuple[str, str]:
    a, b = (
        f"{side} ({name})" if name != side else side for side, name in zip("ab", result.resolved.names, strict=True)
    )
    return a, b


def story_words(result: DuelResult | pd.DataFrame, setting: str = "") -> Words:
    """Say what :func:`story` shows.

    Parameters
    ----------
    result : DuelResult or DataFrame
        A duel.
    setting : str, optional
        Sentence on edition and assumptions, for the caption.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    found = _course(result, setting)
    a, b = found.wins[-1]
    told = mark("{one} wins {p}, {other} {q}")
    title = tr(told, one=found.names[0], p=percent(a, 0), other=found.names[1], q=percent(b, 0))
    subtitle = tr("Chance that each has won, and that neither has, by the end of each round")
    return Words(title, subtitle, " ".join(found.notes))


@style.styled
def story(
    result: DuelResult | pd.DataFrame,
    setting: str = "",
    bare: bool = False,
    ax: Axes | None = None,
    lang: str | None = None,
) -> Any:
    """Draw who has won by which round: a line for each fighter, and one for neither.

    Parameters
    ----------
    result : DuelResult or DataFrame
        A duel as :func:`tcsim.duel` answers it, exact or rolled; or a row for each ``round`` with ``a_wins`` and
        ``b_wins`` (probabilities in [0, 1] to have won by its end), and the names ``a`` and ``b``.
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
        One panel.

    Raises
    ------
    InputError
        When a frame is empty, lacks a column or holds what is no probability.

    Examples
    --------
    >>> import tcsim
    >>> story(tcsim.duel({"a": {"attacks": [{}]}, "b": {"attacks": [{}]}}), bare=True).shape
    (1,)
    """
    found = _course(result, setting)
    sheet = Sheet(story_words(result, setting), _HEIGHT + _FOOT, bare, ax)
    called = [frames.short(name, 1.4, style.TICK, True) for name in found.short]
    lines = [(called[0], [a for a, _ in found.wins]), (called[1], [b for _, b in found.wins])]
    lines.append((tr("neither"), [max(0.0, 1 - a - b) for a, b in found.wins]))
    ends = [parts.End(chances[-1], f"{name} {percent(chances[-1], 0)}") for name, chances in lines]
    room = max(measure(end.text, style.TICK, bold=True) for end in ends) + 0.32
    axes = sheet.axes(_LEFT, 0.06, sheet.inner - _LEFT - room, _HEIGHT - 0.06, only=True)
    rounds = list(found.rounds)
    parts.percent_axis(axes)
    parts.number_axis(axes, rounds, tr("Round"))
    step = -(-len(rounds) // _TICKS)
    axes.set_xticks(rounds[step - 1 :: step], [str(n) for n in rounds[step - 1 :: step]])
    looks = ((style.MAIN, "o", False), (style.CONTRAST, "s", False), (style.PALE, "^", True))
    for (_, chances), (colour, shape, dashed) in zip(lines, looks, strict=True):
        parts.line(axes, rounds, chances, colour, shape, dashed)
    parts.end_labels(axes, ends, rounds[-1])
    return sheet.drawn([axes])


@dataclass(frozen=True)
class _Table:
    """Many duels: names of rows and columns, whose they are, P(the row wins), and what the caption says."""

    names: tuple[tuple[str, ...], tuple[str, ...]]
    ids: tuple[str, str]
    table: NDArray[np.float64]
    notes: tuple[str, ...]


def _table(given: DuelMatrix | pd.DataFrame, setting: str) -> _Table:
    from tcsim.analysis.duels import DuelMatrix

    if isinstance(given, DuelMatrix):
        table = given.chances()
        notes = [
            setting,
            tr("Edition {edition}.", edition=given.edition),
            f"{plural(given.rounds, 'round')}.",
            tr("The row is first in each round.") if given.first == "a" else tr("The column is first in each round."),
            tr("No markers are spent."),
            tr("In contact, unhurt, with what each fights with."),
            tr("Empty: one of the two has no melee attack.") if np.isnan(table).any() else "",
            tr("Exact.") if given.trials is None else tr("Rolled {trials} times.", trials=f"{given.trials:,}"),
        ]
        one, other = (one_line(id, _ID) for id in given.ids)
        return _Table(given.names, (one, other), table, tuple(filter(None, notes)))
    rows = frames.tidy(given, MANY_DUELS, ("a", "b")).to_dict("records")
    names = tuple(dict.fromkeys(row["a"] for row in rows)), tuple(dict.fromkeys(row["b"] for row in rows))
    table = np.full((len(names[0]), len(names[1])), np.nan)
    for row in rows:
        p = row["a_wins"]
        table[names[0].index(row["a"]), names[1].index(row["b"])] = np.nan if p is None else p
    firsts = {row.get("first") for row in rows}
    notes = [setting]
    if firsts == {"a"}:
        notes.append(tr("The row is first in each round."))
    elif firsts == {"b"}:
        notes.append(tr("The column is first in each round."))
    return _Table(names, ("a", "b"), table, tuple(filter(None, notes)))


def matrix_words(found: DuelMatrix | pd.DataFrame, setting: str = "") -> Words:
    """Say what :func:`matrix` shows.

    Parameters
    ----------
    found : DuelMatrix or DataFrame
        Many duels.
    setting : str, optional
        Sentence on edition and assumptions, for the caption.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    one = _table(found, setting)
    rows, columns = one.ids
    fought = ~np.isnan(one.table)
    best = np.where(fought, one.table, 0).sum(axis=1) / np.maximum(fought.sum(axis=1), 1)
    told = mark("{name} wins most often of {warband}: {p} on average")
    top = int(best.argmax())
    title = tr(told, name=one.names[0][top], warband=rows, p=percent(float(best[top]), 0))
    subtitle = tr("Chance (%) that the model of {one} (row) wins a duel with that of {other}", one=rows, other=columns)
    return Words(title, subtitle, " ".join(one.notes))


@style.styled
def matrix(
    found: DuelMatrix | pd.DataFrame,
    setting: str = "",
    bare: bool = False,
    ax: Axes | None = None,
    lang: str | None = None,
) -> Any:
    """Draw many duels as a map: a row for each model of one warband, a column for each of the other.

    Parameters
    ----------
    found : DuelMatrix or DataFrame
        Two warbands; or a row for each pair ``a`` and ``b`` with ``a_wins`` (a probability in [0, 1], missing where
        they do not fight) and, where all are the same, ``first`` (``a`` or ``b``).
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
        One panel.

    Raises
    ------
    InputError
        When a frame is empty, lacks a column or holds what is no probability.

    Examples
    --------
    >>> from tcsim.analysis.duels import duel_matrix
    >>> from tcsim.catalog import warband
    >>> found = duel_matrix(warband("na-line"), warband("hl-gunline"), {"rounds": 2})
    >>> matrix(found, bare=True).shape
    (1,)
    """
    one = _table(found, setting)
    table = one.table
    names = tuple([frames.short(name, _NAME, style.TICK) for name in side] for side in one.names)
    rows, columns = table.shape
    height = _ROW if rows <= MANY else _LOW_ROW
    size = style.TICK if rows <= MANY else style.CAPTION
    gutter = widest(list(names[0]), size) + 0.14
    cell = min(_CELL, (inner_width(bare, ax) - gutter) / columns)
    head_size = min(style.TICK, 72 * cell / LEADING)
    head = widest(list(names[1]), head_size) + 0.1
    written = cell >= _WRITTEN and rows <= MANY
    sheet = Sheet(matrix_words(found, setting), head + rows * height + (_GAP if written else _SCALE), bare, ax)
    axes = sheet.axes(gutter, head, cell * columns, rows * height, only=True)
    parts.cells(axes, table, (cell, height), 0.008, written)
    for i, name in enumerate(names[0]):
        sheet.text(gutter - 0.08, head + (i + 0.5) * height, name, size, ha="right", va="center_baseline")
    for j, name in enumerate(names[1]):
        place = gutter + (j + 0.5) * cell
        sheet.text(place, head - 0.06, name, head_size, rotation=90, ha="center", va="bottom")
    if not written:
        parts.scale(sheet, gutter, head + rows * height)
    return sheet.drawn([axes])
