"""How many are needed: a chance that grows with a number, and where it passes a threshold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tcsim.base.errors import InputError, show
from tcsim.base.lang import mark, tr
from tcsim.base.text import percent
from tcsim.plots import frames, parts, style, tell
from tcsim.plots.page import Sheet, Words, measure

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: What a frame holds; ``line`` may be called ``loadout``, ``weapon`` or ``policy``.
COLUMNS = {"n": "number", "p": "chance", "line": "name?", "low": "chance?", "high": "chance?"}
#: What is counted, usually.
COUNTED = (mark("attacks"), mark("dice"), mark("blood markers"))
#: Lines at most.
MOST = 6

_LEFT, _HEIGHT, _FOOT, _WIDEST = 0.52, 2.5, 0.48, 1.9


@dataclass(frozen=True)
class _Line:
    """A line: its numbers, chances and, where it was rolled, intervals."""

    name: str
    numbers: tuple[float, ...]
    chances: tuple[float, ...]
    ends: tuple[tuple[float, float], ...]

    def reaches(self, threshold: float) -> float | None:
        """The first number whose chance is the threshold or more; None when none is."""
        return next((n for n, p in zip(self.numbers, self.chances, strict=True) if p >= threshold), None)


def _lines(frame: pd.DataFrame, threshold: float) -> list[_Line]:
    if isinstance(threshold, (bool, str)) or not isinstance(threshold, (int, float)) or not 0 < threshold <= 1:
        raise InputError(f"{show(threshold)} is given, a probability above 0, up to 1, is wanted", "threshold")
    named = frames.renamed(frames.renamed(frame, "line", "loadout", "weapon", "policy"), "p", "p_out")
    named = frames.renamed(named, "n", "attacks", "dice", "blood", "distance")
    rows = frames.tidy(named, COLUMNS, ("line", "n"))
    rows = rows.assign(line="") if "line" not in rows else rows
    found = []
    for name in dict.fromkeys(rows["line"]):
        own = rows[rows["line"] == name].sort_values("n").to_dict("records")
        ends = tuple((row["low"], row["high"]) for row in own) if "low" in own[0] and "high" in own[0] else ()
        found.append(_Line(name, tuple(row["n"] for row in own), tuple(row["p"] for row in own), ends))
    if len(found) > MOST:
        raise InputError(f"there are {len(found)}, the figure has room for {MOST}", "line")
    return found


def needed_words(frame: pd.DataFrame, threshold: float = 0.8, what: str = "attacks", setting: str = "") -> Words:
    """Say what :func:`needed` shows.

    Parameters
    ----------
    frame : DataFrame
        As for :func:`needed`.
    threshold : float, optional
        Probability that is wanted.
    what : str, optional
        What is counted.
    setting : str, optional
        Sentence on edition and assumptions, for the caption.

    Returns
    -------
    Words
        Title, subtitle and caption.

    Examples
    --------
    >>> import pandas as pd
    >>> needed_words(pd.DataFrame({"n": [1, 2, 3], "p": [0.4, 0.7, 0.85]})).title
    '3 attacks reach 80%: 85%, after 70% with 2'
    """
    lines = _lines(frame, threshold)
    wanted = percent(threshold, 0)
    first = {line.name: line.reaches(threshold) for line in lines}
    things = tr(what)
    if len(lines) == 1:
        [line] = lines
        n = first[line.name]
        if n is None:
            told = mark("{n} {things} do not reach {wanted}: {p}")
            title = tr(told, n=_number(line.numbers[-1]), things=things, wanted=wanted, p=percent(line.chances[-1], 0))
        else:
            place = line.numbers.index(n)
            told = mark("{n} {things} reach {wanted}: {p}") if n != 1 else mark("One is enough for {wanted}: {p}")
            title = tr(told, n=_number(n), things=things, wanted=wanted, p=percent(line.chances[place], 0))
            if place:
                before = {"p": percent(line.chances[place - 1], 0), "n": _number(line.numbers[place - 1])}
                title += tr(", after {p} with {n}", **before)
    else:
        reached = {name: n for name, n in first.items() if n is not None}
        if not reached:
            title = tr("Nothing reaches {wanted}", wanted=wanted)
        else:
            fewest = min(reached.values())
            names = [name for name, n in reached.items() if n == fewest]
            who = tell.joined(names) if len(names) <= 2 else tr("{name} and {n} more", name=names[0], n=len(names) - 1)
            title = tr(
                "{name}: {wanted} with the fewest {things}, {n}",
                name=who,
                wanted=wanted,
                things=things,
                n=_number(fewest),
            )
    subtitle = tr("Chance that the target is taken out of action, by number of {things}", things=things)
    notes = [setting, tr("Ringed: the first that reaches {wanted}.", wanted=wanted)]
    method = (
        tr("Upright lines: 95% intervals of what was rolled.") if any(line.ends for line in lines) else tr("Exact.")
    )
    return Words(title[0].upper() + title[1:], subtitle, " ".join(filter(None, [*notes, method])))


def _number(n: float) -> str:
    return f"{n:,.6g}".replace("-", "−")


@style.styled
def needed(
    frame: pd.DataFrame,
    threshold: float = 0.8,
    what: str = "attacks",
    setting: str = "",
    bare: bool = False,
    ax: Axes | None = None,
    lang: str | None = None,
) -> Any:
    """Draw a chance over a number of attacks, dice or markers, with the threshold and the first number that reaches it.

    Parameters
    ----------
    frame : DataFrame
        A row for each number: ``n`` (or ``attacks``), ``p`` (or ``p_out``, a probability in [0, 1]); where there are
        several lines ``line`` (or ``loadout``, ``weapon``, ``policy``); where it was rolled ``low`` and ``high``.
    threshold : float, optional
        Probability that is wanted.
    what : str, optional
        What is counted.
    setting : str, optional
        Sentence on edition and assumptions, for the caption.
    bare : bool, optional
        Panels only.
    ax : Axes, optional
        Draw into these, of a figure of your own.
    lang : str, optional
        ``en`` or ``ko``; default: the language of the moment.

    Returns
    -------
    array of Axes, or ax
        One panel.

    Raises
    ------
    InputError
        When the frame is empty, lacks a column, or has more lines than have room.

    Examples
    --------
    >>> import pandas as pd
    >>> needed(pd.DataFrame({"n": [1, 2, 3], "p": [0.3, 0.6, 0.8]}), bare=True).shape
    (1,)
    """
    lines = _lines(frame, threshold)
    sheet = Sheet(needed_words(frame, threshold, what, setting), _HEIGHT + _FOOT, bare, ax)
    labels = [
        frames.short(f"{percent(line.chances[-1], 0)} {line.name}".strip(), _WIDEST, style.TICK, True) for line in lines
    ]
    room = max(measure(text, style.TICK, True) for text in labels) + 0.34
    axes = sheet.axes(_LEFT, 0.06, sheet.inner - _LEFT - room, _HEIGHT - 0.06, only=True)
    numbers = sorted({n for line in lines for n in line.numbers})
    parts.percent_axis(axes)
    parts.number_axis(axes, numbers, tr("Number of {things}", things=tr(what)))
    axes.axhline(threshold, color=style.MUTED, linewidth=1.1, linestyle=parts.DASHES, zorder=2)
    ends = []
    for rank, (line, label) in enumerate(zip(lines, labels, strict=True)):
        colour, marker, dashed = parts.LINE_LOOKS[rank]
        parts.line(axes, line.numbers, line.chances, colour, marker, dashed)
        for n, pair in zip(line.numbers, line.ends, strict=False):
            axes.plot([n, n], pair, color=colour, linewidth=1.0, zorder=2.5)
        first = line.reaches(threshold)
        if first is not None:
            p = line.chances[line.numbers.index(first)]
            axes.plot(
                [first], [p], marker="o", linestyle="", markersize=11, markerfacecolor="none",
                markeredgecolor=style.INK, markeredgewidth=1.4, zorder=4, clip_on=False,
            )  # fmt: skip
        ends.append(parts.End(line.chances[-1], label))
    parts.end_labels(axes, ends, numbers[-1])
    return sheet.drawn([axes])
