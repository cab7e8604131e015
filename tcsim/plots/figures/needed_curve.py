"""How a chance grows with what there is of something, and where it is reached; or two ways, and where they cross."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tcsim.analysis.needed.result import Needed, Point
from tcsim.analysis.needed.words import (
    answer_words,
    better_words,
    goal_words,
    number_words,
    wanted_words,
    way_words,
)
from tcsim.base.lang import tr
from tcsim.base.text import percent, signed
from tcsim.plots import parts, style
from tcsim.plots.page import Sheet, Words, measure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HEIGHT, _LEFT, _FOOT, _ABOVE = 2.6, 0.52, 0.5, 0.12

#: Most numbers below the axis; and the chance from which on its name stands below its line.
_TICKS, _NEAR_TOP = 13, 0.9


def needed_words(found: Needed) -> Words:
    """Say what :func:`needed_curve` shows.

    Parameters
    ----------
    found : Needed
        As :func:`tcsim.needed` gives it.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    head, goal = tr(found.amount.head), goal_words(found)
    notes = []
    if len(found.ways) == 2:
        title = tr("Better: {ways}", ways=better_words(found))
        subtitle = tr("{goal}: chance of each way, by {what}", goal=goal, what=head)
        notes += [f"{name}: {words}." for name, words in zip("AB", way_words(found), strict=True)]
    else:
        best = found.answers[len(found.answers) // 2]
        told = {"chance": wanted_words(best.chance), "answer": answer_words(found, best)}
        title = tr("For {chance}: {answer}", **told)
        subtitle = tr("{goal}: chance by {what}", goal=goal, what=head)
        notes.append(f"{way_words(found)[0]}.")
    question = found.resolved
    notes.append(
        tr("Target: armour {n}.", n=signed(question.target.modifier())) if found.amount.name != "armour" else ""
    )
    spend = question.scenario.spend
    policy = tr("rows of one's own") if spend.policy is not None else spend.blood_on_injury
    notes += [
        tr("Blood spent on injury rolls: {policy}.", policy=policy),
        tr("Edition {edition}.", edition=question.problem.edition),
        tr("Rolled {trials} times.", trials=f"{found.trials:,}") if found.trials else tr("Exact."),
        tr("Bars: 95% intervals.") if found.trials else "",
    ]
    return Words(title, subtitle, " ".join(filter(None, notes)))


@style.styled
def needed_curve(found: Needed, bare: bool = False, ax: Axes | None = None, lang: str | None = None) -> Any:
    """Draw the curve with the chances that were asked for, or two curves with where they cross.

    Parameters
    ----------
    found : Needed
        As :func:`tcsim.needed` gives it.
    bare : bool, optional
        Panels only.
    ax : Axes, optional
        Draw the panel into these, of a figure of your own.
    lang : str, optional
        ``en`` or ``ko``; default: the language of the moment.

    Returns
    -------
    array of Axes, or ax
        One panel.

    Examples
    --------
    >>> import tcsim
    >>> needed_curve(tcsim.needed("attacks", {"target": {}, "attacks": [{}]}, 0.5), bare=True).shape
    (1,)
    """
    sheet = Sheet(needed_words(found), _ABOVE + _HEIGHT + _FOOT, bare, ax)
    two = len(found.ways) == 2
    names = ["A ", "B "] if two else [""]
    ends = [
        parts.End(way.curve[-1].p, name + percent(way.curve[-1].p)) for name, way in zip(names, found.ways, strict=True)
    ]
    room = max(measure(end.text, style.TICK, bold=True) for end in ends) + 0.32
    axes = sheet.axes(_LEFT, _ABOVE, sheet.inner - _LEFT - room, _HEIGHT, only=True)
    numbers = [point.number for point in found.points]
    places = list(range(len(numbers)))
    parts.percent_axis(axes)
    parts.number_axis(axes, places, tr(found.amount.head))
    step = -(-(len(places) - 1) // (_TICKS - 1)) or 1
    step += found.amount.halves and step % 2  # whole inches
    ticks = places[::step]
    axes.set_xticks(ticks, [number_words(found, numbers[place]) for place in ticks])
    looks = ((style.MAIN, "o", False), (style.CONTRAST, "s", True))
    for way, (colour, shape, dashed) in zip(found.ways, looks, strict=False):
        _curve(axes, way.curve, colour, "" if found.amount.halves else shape, dashed)
    if two:
        _crossings(axes, found)
    else:
        _wanted(axes, found)
    parts.end_labels(axes, ends, places[-1])
    return sheet.drawn([axes])


def _curve(axes: Any, curve: tuple[Point, ...], colour: str, shape: str, dashed: bool) -> None:
    chances = [point.p for point in curve]
    parts.line(axes, list(range(len(curve))), chances, colour, shape, dashed)
    if not shape:  # between two of many numbers it is one or the other
        axes.lines[-1].set_drawstyle("steps-mid")
    if curve[0].count is None:
        return
    if not shape:
        ends = [[point.low for point in curve], [point.high for point in curve]]
        axes.fill_between(range(len(curve)), *ends, step="mid", color=colour, alpha=0.18, linewidth=0)
    else:
        reach = [[point.p - point.low for point in curve], [point.high - point.p for point in curve]]
        axes.errorbar(range(len(curve)), chances, yerr=reach, fmt="none", ecolor=colour, elinewidth=1.2, capsize=2)


def _wanted(axes: Any, found: Needed) -> None:
    """Draw a line at each chance that was asked for, and a ring where it is first reached."""
    numbers = [point.number for point in found.points]
    for answer in found.answers:
        axes.axhline(answer.chance, color=style.MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
        text = wanted_words(answer.chance)
        if answer.number is not None and answer.there is not None:
            at = numbers.index(answer.number)
            axes.plot([at], [answer.there], "o", markersize=11, markerfacecolor="none", markeredgecolor=style.CONTRAST)
            axes.plot([at, at], [0, answer.there], color=style.CONTRAST, linewidth=0.9, zorder=1)
            text = f"{text}: {found.amount.words(answer.number)}"
        up = answer.chance < _NEAR_TOP
        right = answer.number is not None and numbers.index(answer.number) < len(numbers) / 3
        axes.annotate(
            text,
            (1.0 if right else 0.0, answer.chance),
            xycoords=("axes fraction", "data"),
            xytext=(-4 if right else 4, 2 if up else -3),
            textcoords="offset points",
            ha="right" if right else "left",
            va="bottom" if up else "top",
            fontproperties=style.font(style.CAPTION),
            color=style.INK,
        )


def _crossings(axes: Any, found: Needed) -> None:
    """Draw a line between the numbers where the better way changes."""
    numbers = [point.number for point in found.points]
    for one in found.crossings:
        at = (numbers.index(one.last) + numbers.index(one.first)) / 2
        axes.axvline(at, color=style.MUTED, linewidth=0.9, linestyle=(0, (4, 3)), zorder=1)
