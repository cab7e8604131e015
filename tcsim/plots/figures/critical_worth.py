"""What the keyword CRITICAL is worth to each weapon, in points."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tcsim.base.lang import mark, tr
from tcsim.plots import data, parts, style, tell
from tcsim.plots.page import Sheet, Words, inner_width

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes


#: Weapons on one page at most.
MOST = 12


def worth(frame: pd.DataFrame, attacks: int = 1, blood: int = 0, tough: bool = False) -> pd.DataFrame:
    """Tabulate how much CRITICAL adds to the chance of taking the target out of action.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.
    attacks, blood : int, optional
        Attacks made and markers held; the nearest numbers that the frame has.
    tough : bool, optional
        Whether the target is TOUGH.

    Returns
    -------
    DataFrame
        Differences of probabilities: a row for each weapon id, most first, a column for each armour without shield.
    """
    import pandas as pd

    rows = data.cells(
        frame,
        shield=False,
        tough=tough,
        attacks=data.nearest(frame, "attacks", attacks),
        blood=data.nearest(frame, "blood", blood),
    )
    key = ["weapon_id", "armour"]
    with_it = data.cells(rows, critical=True).set_index(key)["p_out"]
    without = data.cells(rows, critical=False).set_index(key)["p_out"]
    table = (with_it - without).unstack("armour")
    present = [armour for armour in data.ARMOURS if armour in table]
    order = [name for name in data.labels(frame) if name in table.index]
    table = pd.DataFrame(table.loc[order, present])
    return table.iloc[np.argsort(-table.mean(axis=1).to_numpy().round(9), kind="stable")]


def critical_worth_words(frame: pd.DataFrame, attacks: int = 1, blood: int = 0, setting: str = "") -> Words:
    """Say what :func:`critical_worth` shows.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.
    attacks, blood : int, optional
        Attacks made and markers held; the nearest numbers that the frame has.
    setting : str, optional
        Sentence on edition and assumptions, for the caption.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    data.check(frame)
    table = worth(frame, attacks, blood)
    times, markers = data.nearest(frame, "attacks", attacks), data.nearest(frame, "blood", blood)
    names = data.labels(frame)
    deed = tell.things(times, "attack")
    if times > 1:
        deed = tr("the chance of {attacks}", attacks=deed)
    gains = table.to_numpy()
    top = float(gains.max())
    best = [str(key) for key in table.index if float(table.loc[key].max()) >= top - data.SAME]
    if abs(gains).max() <= data.SAME:
        title = tr("CRITICAL adds nothing to {deed}", deed=deed)
        if len(names) == 1:
            title = tr("CRITICAL adds nothing to {deed} with {weapon}", deed=deed, weapon=tell.the(best[0], names))
    elif len(names) == 1:
        span = tell.between(tell.points(float(gains.min())), tell.points(top))
        told = mark("CRITICAL is worth {span} points to {deed} with {weapon}")
        title = tr(told, span=span, deed=deed, weapon=tell.the(best[0], names))
    else:
        title = tr("CRITICAL adds at most {points} points to {deed}", points=tell.points(top).lstrip("+"), deed=deed)
        if len(best) <= 2:
            title += tr(", with {weapons}", weapons=tell.joined([tell.the(key, names) for key in best]))
    told = mark("Points of P(out of action) that CRITICAL adds to {attacks}, by armour")
    subtitle = tr(told, attacks=tell.things(times, "attack"))
    notes = [setting, tr("Ordinary target, standing, {holding}.", holding=tell.holding(markers))]
    notes.append(tr("Each weapon once with the keyword and once without, whatever the books give it."))
    if len(table) > MOST:
        told = mark("The {n} that gain most; {left_out} not drawn.")
        notes.append(tr(told, n=tell.counted(MOST), left_out=tell.counted(len(table) - MOST)))
    return Words(title, subtitle, " ".join(filter(None, [*notes, tr("Exact.")])))


@style.styled
def critical_worth(
    frame: pd.DataFrame,
    attacks: int = 1,
    blood: int = 0,
    setting: str = "",
    bare: bool = False,
    ax: Axes | None = None,
    lang: str | None = None,
) -> Any:
    """Draw what CRITICAL is worth: a row for each weapon, a column of bars for each armour.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.
    attacks, blood : int, optional
        Attacks made and markers held; the nearest numbers that the frame has.
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
        One for each armour.

    Examples
    --------
    >>> from tcsim.analysis.kill_odds import kill_odds
    >>> odds = kill_odds(["sword-axe"], blood=[0, 3], attacks=[1, 2])
    >>> critical_worth(odds, bare=True).shape
    (4,)
    """
    data.check(frame)
    table = worth(frame, attacks, blood).iloc[:MOST]
    names, profiles = data.labels(frame), data.profiles(frame)
    gains = table.to_numpy()
    decimals = 1 if float(abs(gains).max()) >= 0.095 else 2
    bars = parts.Bars(
        tuple(names[str(key)] for key in table.index),
        tuple(tr(data.SHORT[str(armour)]) for armour in table.columns),
        gains,
        tuple(tuple(tell.points(gain, decimals) for gain in row) for row in gains.tolist()),
        tuple(profiles[str(key)] for key in table.index),
        tuple(style.ARMOUR[data.ARMOURS.index(str(armour))] for armour in table.columns),
    )
    inner = inner_width(bare, ax)
    sheet = Sheet(critical_worth_words(frame, attacks, blood, setting), parts.bars_height(bars, inner), bare, ax)
    return sheet.drawn(parts.draw_bars(sheet, 0, bars))
