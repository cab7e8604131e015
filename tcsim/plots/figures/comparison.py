"""Loadouts against targets as a map: who takes whom out of action, how often."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tcsim.analysis.compare.words import minus
from tcsim.base.errors import InputError
from tcsim.base.lang import mark, tr
from tcsim.base.text import percent
from tcsim.plots import frames, parts, style
from tcsim.plots.data import SAME
from tcsim.plots.page import Sheet, Words, inner_width, line_height, measure, wrap

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: What a frame holds; ``loadout`` may be called ``weapon``.
COLUMNS = {"loadout": "name", "target": "name", "p_out": "chance~", "cost_ducats": "amount?~", "weight": "amount?"}
#: Rows and columns at most.
MOST, MOST_TARGETS = 40, 20

_ROW, _WIDEST, _CELL, _WRITTEN = 0.29, 2.1, 0.95, 0.3


@dataclass(frozen=True)
class _Found:
    """What is drawn: names and prices of the rows, strongest first, columns with their weights, and the chances."""

    loadouts: tuple[str, ...]
    costs: tuple[float | None, ...]
    targets: tuple[str, ...]
    table: NDArray[np.float64]
    weights: NDArray[np.float64]
    left_out: int


def _found(frame: pd.DataFrame) -> _Found:
    named = frames.renamed(frames.renamed(frame, "loadout", "weapon"), "p_out", "p")
    rows = frames.tidy(named, COLUMNS, ("loadout", "target")).to_dict("records")
    loadouts, targets = (list(dict.fromkeys(row[key] for row in rows)) for key in ("loadout", "target"))
    if len(targets) > MOST_TARGETS:
        raise InputError(f"there are {len(targets)}, the figure has room for {MOST_TARGETS}", "target")
    table = np.full((len(loadouts), len(targets)), np.nan)
    costs: dict[str, float | None] = {}
    weights = np.ones(len(targets))
    for row in rows:
        weights[targets.index(row["target"])] = row.get("weight", 1.0)
        p = row["p_out"]
        table[loadouts.index(row["loadout"]), targets.index(row["target"])] = np.nan if p is None else p
        costs[row["loadout"]] = row.get("cost_ducats")
    if np.isnan(table).all():
        raise InputError("every chance is missing", "p_out")
    mean = _means(table, weights)
    order = sorted(range(len(loadouts)), key=lambda i: -round(float(mean[i]), 9))[:MOST]
    names = tuple(loadouts[i] for i in order)
    left_out = len(loadouts) - len(order)
    return _Found(names, tuple(costs[name] for name in names), tuple(targets), table[order], weights, left_out)


def _means(table: NDArray[np.float64], weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of each row over what is there, by the columns' weights; -1 where nothing is."""
    there = ~np.isnan(table) * weights
    total = there.sum(axis=1)
    return np.where(
        total > 0, (np.where(there > 0, table, 0) * there).sum(axis=1) / np.where(total > 0, total, 1), -1.0
    )


def comparison_words(frame: pd.DataFrame, setting: str = "") -> Words:
    """Say what :func:`comparison` shows.

    Parameters
    ----------
    frame : DataFrame
        As for :func:`comparison`.
    setting : str, optional
        Sentence on edition and assumptions, for the caption.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    found = _found(frame)
    filled = np.where(np.isnan(found.table), -1.0, found.table)
    best = filled >= filled.max(axis=0) - SAME
    wins = best.sum(axis=1)
    top = int(wins.argmax())
    name, p = found.loadouts[top], percent(float(_means(found.table, found.weights)[top]), 0)
    if len(found.loadouts) == 1:
        title = tr("{name} takes out {p} on average", name=name, p=p)
    elif wins[top] == len(found.targets):
        told = mark("No loadout does better than {name} against any of the targets")
        title = tr(told, name=name)
    else:
        told = mark("No loadout is best throughout: {name} against {n} of {all} targets")
        title = tr(told, name=name, n=int(wins[top]), all=len(found.targets))
    subtitle = tr("Chance (%) that the target (column) is taken out of action by the loadout (row)")
    plain = mark("Rows by their mean, the largest first.")
    weighted = mark("Rows by their mean over the targets, by their weights, the largest first.")
    notes = [setting, tr(plain if len(set(found.weights.tolist())) == 1 else weighted)]
    if found.left_out:
        told = mark("The {n} with the largest mean; {left_out} not drawn.")
        notes.append(tr(told, n=MOST, left_out=found.left_out))
    if np.isnan(found.table).any():
        notes.append(tr("Empty: it cannot attack that target."))
    return Words(title, subtitle, " ".join(filter(None, notes)))


@style.styled
def comparison(
    frame: pd.DataFrame, setting: str = "", bare: bool = False, ax: Axes | None = None, lang: str | None = None
) -> Any:
    """Draw loadouts against targets as a map with its numbers: strongest loadouts first, prices beside their names.

    Parameters
    ----------
    frame : DataFrame
        A row for each pair: ``loadout`` (or ``weapon``), ``target``, ``p_out`` (probability in [0, 1]; missing where
        there is no attack); where it is known ``cost_ducats``, and the target's ``weight`` in the mean.
    setting : str, optional
        Sentence on edition, assumptions and method, for the caption.
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
        When the frame is empty, lacks a column, or a pair is there twice.

    Examples
    --------
    >>> import tcsim
    >>> comparison(tcsim.compare("Shotgun, Sword / Axe", "0, -2").frame, bare=True).shape
    (1,)
    """
    found = _found(frame)
    inner = inner_width(bare, ax)
    names = [frames.short(name, _WIDEST, style.TICK) for name in found.loadouts]
    costs = ["" if cost is None or np.isnan(cost) else f"{cost:,.6g}" for cost in found.costs]
    name_width = max(measure(name, style.TICK) for name in names) + 0.04
    price = tr("ducats") if any(costs) else ""
    gutter = name_width + 0.12
    if price:
        gutter += max(measure(text, style.TICK) for text in (*costs, price)) + 0.12
    columns = len(found.targets)
    cell = min(_CELL, (inner - gutter) / columns)
    heads = [wrap(minus(name), cell - 0.06, style.TICK) for name in found.targets]
    upright = max(map(len, heads)) > 3 or any(measure(line, style.TICK) > cell for head in heads for line in head)
    upright = upright or any(_is_broken(name, head) for name, head in zip(found.targets, heads, strict=True))
    turned = [frames.short(minus(name), _WIDEST, style.TICK) for name in found.targets]
    head = max(map(len, heads)) * line_height(style.TICK) + 0.06
    if upright:
        head = max(measure(name, style.TICK) for name in turned) + 0.1
    written = cell >= _WRITTEN
    tall = _ROW * len(names)
    sheet = Sheet(comparison_words(frame, setting), head + tall + (0.06 if written else 0.42), bare, ax)
    axes = sheet.axes(gutter, head, cell * columns, tall, only=True)
    parts.cells(axes, found.table, (cell, _ROW), 0.01, written)
    for i, name in enumerate(names):
        y = head + (i + 0.5) * _ROW
        sheet.text(name_width, y, name, style.TICK, ha="right", va="center_baseline")
        sheet.text(gutter - 0.12, y, costs[i], style.TICK, ha="right", va="center_baseline", color=style.MUTED)
    sheet.text(gutter - 0.12, head - 0.06, price, style.TICK, ha="right", va="bottom", color=style.MUTED)
    for j, lines in enumerate(heads):
        middle = gutter + (j + 0.5) * cell
        if upright:
            sheet.text(middle, head - 0.06, turned[j], style.TICK, rotation=90, ha="center", va="bottom")
            continue
        for k, line in enumerate(reversed(lines)):
            sheet.text(middle, head - 0.06 - k * line_height(style.TICK), line, style.TICK, ha="center", va="bottom")
    if not written:
        parts.scale(sheet, gutter, head + tall)
    return sheet.drawn([axes])


def _is_broken(name: str, lines: list[str]) -> bool:
    """Whether a word had to be broken."""
    return " ".join(lines) != " ".join(name.split())
