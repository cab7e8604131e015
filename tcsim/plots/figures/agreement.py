"""Exact against rolled over all cells: whether the deviations look as fair dice make them."""

from __future__ import annotations

from math import ceil
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np

from tcsim.analysis.agreement import ENOUGH, scores, verdict
from tcsim.base.lang import mark, tr
from tcsim.plots import data, frames, parts, style, tell
from tcsim.plots.page import Sheet, Words
from tcsim.stats import z_score

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

_HEIGHT, _LEFT, _BIN = 2.6, 0.56, 0.25


def agreement_words(frame: pd.DataFrame, setting: str = "") -> Words:
    """Say what :func:`agreement` shows.

    Parameters
    ----------
    frame : DataFrame
        Kill odds, rolled.
    setting : str, optional
        Sentence on edition and assumptions, for the caption.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    _look(frame)
    found = verdict(frame)
    one = found.agreement
    told = mark("{start}: {outside} of {cells} chances outside their 95% range, {expected} expected")
    if one.impossible:
        title = tr("Exact and rolled disagree: {counts} cannot be", counts=tell.things(one.impossible, "count"))
    elif not one.cells:
        title = tr("Too few trials to compare exact and rolled")
    else:
        start = {"agree": mark("Exact and rolled agree"), "doubt": mark("Exact and rolled: look closer")}
        first = tr(start.get(found.word, mark("Exact and rolled disagree")))
        numbers = {"outside": f"{one.outside:,}", "cells": f"{one.cells:,}", "expected": f"{one.expected:,.0f}"}
        title = tr(told, start=first, **numbers)
    subtitle = tr("How far rolled counts lie from the exact expectation, in standard deviations")
    trials = sorted({int(n) for n in frame["trials"].unique()})
    asked = mark(
        "{questions} different questions, {trials} trials each, judged by P(out of action) and P(Down) where at least "
        "{enough} of either outcome are expected."
    )
    each = tell.between(f"{trials[0]:,}", f"{trials[-1]:,}")
    notes = [setting, tr(asked, questions=f"{found.questions:,}", trials=each, enough=ENOUGH)]
    notes.append(tr("Curve: fair dice; dashed: their 95% range."))
    largest = mark("Largest deviation {largest}; fair dice give a larger one with probability {p}.")
    notes.append(tr(largest, largest=f"{one.worst_z:.2f}", p=_probability(one.chance_of_worse)))
    return Words(title, subtitle, " ".join(filter(None, notes)))


#: What a frame of rolled cells holds besides.
_ROLLED = {"question": "name", "trials": "whole", "out_count": "whole", "down_count": "whole"}


def _look(frame: Any) -> None:
    """Check a frame of cells that were rolled; one of whole numbers is not gone through row by row."""
    data.check(frame)
    if "trials" in frame:
        frames.tidy(frame.head(1), _ROLLED)
        if not all(frame[name].dtype.kind in "iu" for name in _ROLLED if name != "question"):
            frames.tidy(frame, _ROLLED)


def _probability(p: float) -> str:
    return f"{p:.2f}" if 0.005 <= p < 0.995 else ">0.99" if p >= 0.995 else f"{p:.1g}"


@style.styled
def agreement(
    frame: pd.DataFrame,
    setting: str = "",
    bare: bool = False,
    ax: Axes | None = None,
    lang: str | None = None,
) -> Any:
    """Draw the deviations of all cells as a histogram, with the curve that fair dice follow.

    Parameters
    ----------
    frame : DataFrame
        Kill odds, rolled.
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

    Examples
    --------
    >>> from tcsim.analysis.kill_odds import kill_odds
    >>> rolled = kill_odds(["sword-axe"], blood=[0], attacks=[1], trials=1000)
    >>> agreement(rolled).shape
    (1,)
    """
    _look(frame)
    z = scores(frame)
    sheet = Sheet(agreement_words(frame, setting), _HEIGHT + 0.52, bare, ax)
    axes = sheet.axes(_LEFT, 0.05, sheet.inner - _LEFT - 0.1, _HEIGHT, only=True)
    reach = max(4.0, ceil(4 * float(abs(z).max(initial=0.0))) / 4)
    edges = np.arange(-reach, reach + _BIN / 2, _BIN)
    heights, _ = np.histogram(z, edges)
    middles = (edges[:-1] + edges[1:]) / 2
    limit = z_score(0.95)
    axes.bar(middles, heights, _BIN * 0.9, color=style.BAR, zorder=2)
    x = np.linspace(-reach, reach, 241)
    normal = NormalDist()
    curve = np.array([normal.pdf(float(one)) for one in x]) * len(z) * _BIN
    axes.plot(x, curve, color=style.INK, linewidth=1.6, zorder=3)
    top = max(float(heights.max(initial=0)), float(curve.max(initial=0.0)), 1.0) * 1.12
    axes.set_ylim(0, top)
    axes.set_xlim(-reach, reach)
    for side in (-1, 1):
        axes.axvline(side * limit, color=style.CONTRAST, linewidth=1.4, linestyle=parts.DASHES, zorder=2.5)
        beyond = int((side * z > limit).sum())
        axes.annotate(
            tr("{n} beyond,\n{expected} expected", n=f"{beyond:,}", expected=f"{len(z) * 0.025:,.0f}"),
            (side * limit, top * 0.97),
            xytext=(side * 5, 0),
            textcoords="offset points",
            ha="right" if side < 0 else "left",
            va="top",
            linespacing=style.linespacing(),
            fontproperties=style.font(style.TICK),
            color=style.INK,
        )
    whole = range(-int(reach), int(reach) + 1)
    axes.set_xticks(list(whole), [f"{n:+d}".replace("-", "−") if n else "0" for n in whole])
    axes.tick_params(axis="x", length=3, width=0.9, color=style.MUTED, pad=3)
    axes.set_xlabel(
        tr("Rolled minus exact, in standard deviations"), fontproperties=style.font(style.LABEL), labelpad=3
    )
    step = _round_step(top)
    marks = np.arange(0, top, step)
    axes.set_yticks(marks.tolist(), [f"{int(mark):,}" for mark in marks])
    axes.grid(axis="y", color=style.GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    parts.baseline(axes)
    return sheet.drawn([axes])


def _round_step(top: float) -> int:
    """The step of at most five marks up to a number."""
    for magnitude in (1, 10, 100, 1000, 10_000, 100_000):
        for step in (1, 2, 5):
            if top <= 5 * step * magnitude:
                return step * magnitude
    return ceil(top)
