"""Many against many: how many are out of action by each way of choosing targets, and who wins by which turn."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from tcsim.base.errors import InputError, show
from tcsim.base.lang import mark, tr
from tcsim.base.text import percent
from tcsim.plots import style
from tcsim.plots.page import Sheet, Words, line_height, measure, wrap
from tcsim.plots.parts import End, end_labels, line
from tcsim.skirmish.firefight import FirefightResult
from tcsim.skirmish.outcome import Outcome
from tcsim.skirmish.turn import TurnResult

#: Numbers out of action that are drawn at most, and the least chance that gets one a place of its own.
MOST_NUMBERS, LEAST = 13, 0.002

_PANEL, _BETWEEN, _NAMES, _FOOT = 0.82, 0.36, 1.55, 0.5
_WAYS = {
    "focus": mark("focus"),
    "spread": mark("spread"),
    "greedy": mark("greedy"),
    "optimal": mark("optimal"),
}
#: By goal: the title where ways differ, that where they do not, and what both tell.
_TITLES: dict[str, tuple[str, str, Callable[[Outcome], float]]] = {
    "out": (
        mark("{best} takes {most} out of action on average, {least} {fewest}"),
        mark("However targets are chosen, {most} are out of action on average"),
        lambda one: one.expected_out,
    ),
    "morale": (
        mark("{best} brings a morale test in {most}, {least} in {fewest}"),
        mark("However targets are chosen, there is a morale test in {most}"),
        lambda one: one.needed,
    ),
    "flight": (
        mark("{best} brings a failed morale test in {most}, {least} in {fewest}"),
        mark("However targets are chosen, a morale test fails in {most}"),
        lambda one: one.failed,
    ),
}


def firefight_words(result: FirefightResult) -> Words:
    """Say what :func:`firefight_ends` shows.

    Parameters
    ----------
    result : FirefightResult
        The answer.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    told, same, look = _TITLES[result.goal]
    reached = {name: look(one) for name, one in result.outcomes.items()}
    best = max(reversed(list(reached)), key=lambda name: round(reached[name], 9))
    least = min(reached, key=lambda name: round(reached[name], 9))
    written = {name: f"{x:.2f}" if result.goal == "out" else percent(x) for name, x in reached.items()}
    title = tr(told, best=tr(_WAYS[best]), least=tr(_WAYS[least]), most=written[best], fewest=written[least])
    if written[best] == written[least]:
        title = tr(same, most=written[best])
    field = result.field
    subtitle = tr(
        "Chance of each number out of action, {attackers} attackers on {targets} targets in one turn",
        attackers=len(field.activations),
        targets=len(field.targets),
    )
    rolled = [name for name, one in result.outcomes.items() if one.trials is not None]
    notes = [tr("Edition {edition}.", edition=field.fight.edition)]
    if len(rolled) < len(result.outcomes):
        notes.append(tr("Exact."))
    if rolled and result.dice is not None:
        ways = ", ".join(tr(_WAYS[name]) for name in rolled)
        told = mark("Rolled: {ways}, {trials} trials, seed {seed}.")
        trials = result.outcomes[rolled[0]].trials  # fewer than were asked for after Ctrl-C
        notes.append(tr(told, ways=ways, trials=f"{trials:,}", seed=result.dice.seed))
    return Words(title[0].upper() + title[1:], subtitle, " ".join(notes))


def _numbers(outcomes: list[Outcome]) -> tuple[list[int], bool]:
    """The numbers out of action that are drawn, and whether the last one stands for more than itself."""
    likely = np.max([one.out_pmf for one in outcomes], axis=0)
    some = np.flatnonzero(likely >= LEAST)
    first, last = int(some[0]), int(some[-1])
    cut = last - first + 1 > MOST_NUMBERS
    return list(range(first, min(last, first + MOST_NUMBERS - 1) + 1)), cut


@style.styled
def firefight_ends(result: FirefightResult, bare: bool = False, ax: Axes | None = None, lang: str | None = None) -> Any:
    """Draw the distribution of the number out of action: a panel for each way of choosing targets.

    Parameters
    ----------
    result : FirefightResult
        The answer.
    bare : bool, optional
        Panels only.
    ax : Axes, optional
        Draw the panels into these, of a figure of your own.
    lang : str, optional
        ``en`` or ``ko``; default: the language of the moment.

    Returns
    -------
    array of Axes, or ax
        A panel for each way that was answered.

    Examples
    --------
    >>> import tcsim
    >>> fight = {"attackers": [{"attacks": [{}]}], "targets": [{}]}
    >>> firefight_ends(tcsim.firefight(fight), bare=True).shape
    (4,)
    """
    if not isinstance(result, FirefightResult):
        raise InputError(f"{show(result)} is given, a FirefightResult is wanted", "result")
    outcomes = list(result.outcomes.values())
    numbers, cut = _numbers(outcomes)
    chances = [[float(one.out_pmf[n]) for n in numbers] for one in outcomes]
    if cut:
        for row, one in zip(chances, outcomes, strict=True):
            row[-1] = float(one.out_pmf[numbers[-1] :].sum())
    highest = max(max(row) for row in chances)
    sheet = Sheet(firefight_words(result), len(outcomes) * (_PANEL + _BETWEEN) + _FOOT, bare, ax)
    width, panels, top = sheet.inner - _NAMES, [], 0.22
    for one, row in zip(outcomes, chances, strict=True):
        axes = sheet.axes(_NAMES, top, width, _PANEL, only=len(outcomes) == 1)
        axes.set_xlim(-0.5, len(numbers) - 0.5)
        axes.set_ylim(0, highest)
        mine = one.targeting == result.targeting
        axes.bar(range(len(row)), row, 0.74, color=style.MAIN if mine else style.BAR)
        axes.axhline(0, color=style.MUTED, linewidth=0.8)
        for x, p in enumerate(row):
            text = percent(p, 0) if p else ""
            axes.annotate(
                text, (x, p), xytext=(0, 2.5), textcoords="offset points", ha="center", va="bottom",
                fontproperties=style.font(style.CAPTION), color=style.INK, annotation_clip=False,
            )  # fmt: skip
        sheet.text(0, top + 0.02, tr(_WAYS[one.targeting]), style.HEAD, bold=True, va="top")
        y = top + 0.02 + line_height(style.HEAD)
        for told in (
            tr("{n} on average", n=f"{one.expected_out:.2f}"),
            tr("morale test {p}", p=percent(one.needed, 0)),
            *([tr("failed {p}", p=percent(one.failed))] if result.goal == "flight" else []),
        ):
            sheet.text(0, y, told, style.CAPTION, va="top", color=style.MUTED)
            y += line_height(style.CAPTION)
        panels.append(axes)
        top += _PANEL + _BETWEEN
    names = [str(n) for n in numbers]
    if cut:
        names[-1] += "+"
    for x, name in enumerate(names):
        panels[-1].annotate(
            name, (x, 0), xytext=(0, -4), textcoords="offset points", ha="center", va="top",
            fontproperties=style.font(style.TICK), color=style.INK, annotation_clip=False,
        )  # fmt: skip
    middle = _NAMES + width / 2
    sheet.text(middle, top - _BETWEEN + 0.24, tr("targets out of action"), style.TICK, ha="center", va="top")
    return sheet.drawn(panels)


def wins_words(result: TurnResult) -> Words:
    """Say what :func:`wins_by_turn` shows.

    Parameters
    ----------
    result : TurnResult
        The answer.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    turns, names = result.arena.turns, result.names
    leader = 0 if result.wins[0] >= result.wins[1] else 1
    told = mark("{name} has won {p} of games after {n} turns")
    if turns == 1:
        told = mark("{name} has won {p} of games after {n} turn")
    title = tr(told, name=names[leader], p=percent(result.wins[leader], 0), n=turns)
    if percent(result.wins[0]) == percent(result.wins[1]):
        title = tr("Each side has won {p} of games after {n} turns", p=percent(result.wins[0], 0), n=turns)
    subtitle = tr("Chance to have won by the end of each turn: the other side fled, or is all out of action")
    notes = [tr("Edition {edition}.", edition=result.arena.game.edition), tr("Exact.")]
    if result.course.trials is not None and result.dice is not None:
        told = mark("{trials} trials, seed {seed}.")
        notes[-1] = tr(told, trials=f"{result.course.trials:,}", seed=result.dice.seed)
    return Words(title, subtitle, " ".join(notes))


@style.styled
def wins_by_turn(result: TurnResult, bare: bool = False, ax: Axes | None = None, lang: str | None = None) -> Any:
    """Draw who has won by which turn: a line for each side, and one for games that go on.

    Parameters
    ----------
    result : TurnResult
        The answer.
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

    Examples
    --------
    >>> import tcsim
    >>> side = {"models": [{"attacks": [{}]}]}
    >>> wins_by_turn(tcsim.turn({"turns": 2, "warband": [side, side]}), bare=True).shape
    (1,)
    """
    if not isinstance(result, TurnResult):
        raise InputError(f"{show(result)} is given, a TurnResult is wanted", "result")
    turns, course = result.arena.turns, result.course
    x = list(range(turns + 1))
    lines = [[0.0, *map(float, course.wins[:, side])] for side in (0, 1)]
    lines.append([1.0, *(max(0.0, 1 - float(p)) for p in course.over)])
    labels = [*(tr("{name} wins", name=name) for name in result.names), tr("goes on")]
    room = min(max(measure(f"{text} 100%", style.TICK, True) for text in labels) + 0.35, 2.4)
    sheet = Sheet(wins_words(result), 2.9, bare, ax)
    axes = sheet.axes(0.5, 0.12, sheet.inner - 0.5 - room, 2.2, only=True)
    axes.set_xlim(0, turns)
    axes.set_ylim(0, 1)
    for level in (0, 0.25, 0.5, 0.75, 1):
        axes.axhline(level, color=style.GRID, linewidth=0.8, zorder=1)
        axes.annotate(
            percent(level, 0), (0, level), xytext=(-8, 0), textcoords="offset points", ha="right",
            va="center_baseline", fontproperties=style.font(style.TICK), color=style.MUTED, annotation_clip=False,
        )  # fmt: skip
    step = -(-turns // 10)
    for number in range(0, turns + 1, step):
        axes.annotate(
            str(number), (number, 0), xytext=(0, -6), textcoords="offset points", ha="center", va="top",
            fontproperties=style.font(style.TICK), color=style.MUTED, annotation_clip=False,
        )  # fmt: skip
    ends = []
    for values, label, colour, marker in zip(
        lines, labels, (style.MAIN, style.CONTRAST, style.PALE), "os^", strict=True
    ):
        line(axes, x, values, colour, marker, dashed=colour == style.PALE)
        told = wrap(label, room - measure(" 100%", style.TICK, True) - 0.3, style.TICK, True)[0]
        ends.append(End(values[-1], f"{told} {percent(values[-1], 0)}"))
    end_labels(axes, ends, turns)
    sheet.text(0.5 + (sheet.inner - 0.5 - room) / 2, 2.6, tr("turns played"), style.TICK, ha="center", va="top")
    return sheet.drawn([axes])
