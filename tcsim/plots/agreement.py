"""Exact against rolled over all cells: whether the deviations look as fair dice make them."""

from __future__ import annotations

from math import ceil
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tcsim.analysis.agreement import ENOUGH, scores, verdict
from tcsim.plots import parts, style, tell
from tcsim.plots.page import Sheet, Words
from tcsim.stats import z_score

if TYPE_CHECKING:
    import pandas as pd

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
    found = verdict(frame)
    one = found.agreement
    outside = f"{one.outside:,} of {one.cells:,} chances outside their 95% range, {one.expected:,.0f} expected"
    if one.impossible:
        title = f"Exact and rolled disagree: {tell.things(one.impossible, 'count')} cannot be"
    elif not one.cells:
        title = "Too few trials to compare exact and rolled"
    else:
        start = {"agree": "Exact and rolled agree", "doubt": "Exact and rolled: look closer"}
        title = f"{start.get(found.word, 'Exact and rolled disagree')}: {outside}"
    subtitle = "How far rolled counts lie from the exact expectation, in standard deviations"
    trials = sorted({int(n) for n in frame["trials"].unique()})
    each = f"{trials[0]:,}" if len(trials) == 1 else f"{trials[0]:,} to {trials[-1]:,}"
    caption = (
        f"{setting} {found.questions:,} different questions, {each} trials each, judged by P(out of action) and "
        f"P(Down) where at least {ENOUGH} of either outcome are expected. Curve: fair dice; dashed: their 95% range. "
        f"Largest deviation {one.worst_z:.2f}; fair dice give a larger one with probability "
        f"{_probability(one.chance_of_worse)}."
    )
    return Words(title, subtitle, caption.strip())


def _probability(p: float) -> str:
    return f"{p:.2f}" if 0.005 <= p < 0.995 else ">0.99" if p >= 0.995 else f"{p:.1g}"


@style.styled
def agreement(frame: pd.DataFrame, setting: str = "", bare: bool = False) -> NDArray[Any]:
    """Draw the deviations of all cells as a histogram, with the curve that fair dice follow.

    Parameters
    ----------
    frame : DataFrame
        Kill odds, rolled.
    setting : str, optional
        Sentence on edition and assumptions, for the caption.
    bare : bool, optional
        Panels only.

    Returns
    -------
    array of Axes
        One panel.
    """
    z = scores(frame)
    sheet = Sheet(agreement_words(frame, setting), _HEIGHT + 0.52, bare)
    axes = sheet.axes(_LEFT, 0.05, sheet.inner - _LEFT - 0.1, _HEIGHT)
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
            f"{beyond:,} beyond,\n{len(z) * 0.025:,.0f} expected",
            (side * limit, top * 0.97),
            xytext=(side * 5, 0),
            textcoords="offset points",
            ha="right" if side < 0 else "left",
            va="top",
            fontproperties=style.font(style.TICK),
            color=style.INK,
        )
    whole = range(-int(reach), int(reach) + 1)
    axes.set_xticks(list(whole), [f"{n:+d}".replace("-", "−") if n else "0" for n in whole])
    axes.tick_params(axis="x", length=3, width=0.9, color=style.MUTED, pad=3)
    axes.set_xlabel("Rolled minus exact, in standard deviations", fontproperties=style.font(style.LABEL), labelpad=3)
    step = _round_step(top)
    marks = np.arange(0, top, step)
    axes.set_yticks(marks.tolist(), [f"{int(mark):,}" for mark in marks])
    axes.grid(axis="y", color=style.GRID, linewidth=0.8)
    axes.set_axisbelow(True)
    parts.baseline(axes)
    return np.array([axes], dtype=object)


def _round_step(top: float) -> int:
    """The step of at most five marks up to a number."""
    for magnitude in (1, 10, 100, 1000, 10_000, 100_000):
        for step in (1, 2, 5):
            if top <= 5 * step * magnitude:
                return step * magnitude
    return ceil(top)
