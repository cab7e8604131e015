"""What reports share: figures, prices, filters, and what is assumed or left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from tcsim.analysis.kill_odds import DEFAULT_WEAPONS
from tcsim.base.lang import current, mark, retold, tr
from tcsim.plots import tell
from tcsim.plots.figures.pareto import pareto, pareto_words
from tcsim.plots.page import Words
from tcsim.report.blocks import Cell, Column, Figure, Folded, Row, Table
from tcsim.report.settings import Asked

if TYPE_CHECKING:
    import pandas as pd

#: Kinds of weapon, each with a front of its own.
WEAPONS = {"ranged": mark("ranged weapons"), "melee": mark("melee weapons")}


def chosen_weapons(asked: Asked) -> list[str] | None:
    """Give the weapons that a report is asked for.

    Parameters
    ----------
    asked : Asked
        Its options ``weapons`` and ``demo``.

    Returns
    -------
    list of str, or None
        Names; None for every weapon.
    """
    named = list(dict.fromkeys(asked.options.get("weapons") or ()))
    return named or (list(DEFAULT_WEAPONS) if asked.options.get("demo") else None)


def kicker(edition: str) -> str:
    """Give the line above the title of a report whose numbers are all exact.

    Parameters
    ----------
    edition : str
        Which edition, or editions.

    Returns
    -------
    str
        Program, edition and method.
    """
    return tr("tcsim report · Trench Crusade {edition} · {method}", edition=edition, method=tr("exact"))


def setting(edition: str) -> str:
    """Give the assumptions that the captions begin with.

    Parameters
    ----------
    edition : str
        Which edition, or editions.

    Returns
    -------
    str
        One sentence.
    """
    spend = tr("markers spent for the best chance on each roll")
    told = "Trench Crusade {edition}, short range, no cover, 0 DICE; {spend}."
    return tr(told, edition=edition, spend=spend)


def figure(name: str, draw: Callable[..., Any], words: Words, *about: Any, **how: Any) -> Figure:
    """Make a figure of a report, in the language of the moment.

    Parameters
    ----------
    name : str
        Letters, digits and dashes.
    draw : callable
        A function of :mod:`tcsim.plots`.
    words : Words
        What the figure says.
    *about, **how
        What it is called with, besides ``bare`` and ``lang``.

    Returns
    -------
    Figure
        It is drawn when it is asked for.
    """
    return Figure(name, words, partial(_drawn, draw, about, how | {"lang": current()}))


def _drawn(draw: Callable[..., Any], about: tuple[Any, ...], how: dict[str, Any], bare: bool) -> NDArray[Any]:
    axes: NDArray[Any] = draw(*about, bare=bare, **how)
    return axes


def front_figure(name: str, frame: pd.DataFrame, edition: str, kind: str) -> Figure:
    """Give the figure of price against chance over the models met at the table, blood markers spent greedily.

    Parameters
    ----------
    name : str
        Of the figure.
    frame : DataFrame
        As for :func:`tcsim.plots.pareto`.
    edition : str
        Edition id.
    kind : str
        ``ranged`` or ``melee``.

    Returns
    -------
    Figure
        In the language of the moment.
    """
    told = f"{setting(edition)} {tr('Targets: the armour and TOUGH of the models met at the table.')}"
    said: dict[str, Any] = {"setting": told, "about": f"{edition} · {tr(WEAPONS[kind])}"}
    return figure(name, pareto, pareto_words(frame, **said), frame, **said)


def token(text: str) -> str:
    """Make of any text a word that a filter can ask for.

    Parameters
    ----------
    text : str
        As a keyword or faction.

    Returns
    -------
    str
        Letters and digits of any script, and dashes.

    Examples
    --------
    >>> token("ARMOUR PIERCING 1")
    'armour-piercing-1'
    """
    return re.sub(r"[\W_]+", "-", text.lower()).strip("-") or "-"


def choices(texts: Iterable[str], named: dict[str, str] | None = None) -> tuple[tuple[str, str], ...]:
    """Make the choices of a filter of lists joined by ``;``.

    Parameters
    ----------
    texts : iterable of str
        The lists.
    named : dict, optional
        What a member is called; default: itself.

    Returns
    -------
    tuple of (str, str)
        Value and label, by label.

    Examples
    --------
    >>> choices(["FIRE;GAS", "GAS"])
    (('fire', 'FIRE'), ('gas', 'GAS'))
    """
    words = {word for text in texts for word in text.split(";") if word}
    return tuple(sorted(((token(word), (named or {}).get(word, word)) for word in words), key=lambda pair: pair[1]))


def tokens(text: str) -> str:
    """Make the tag of a row of a list joined by ``;``.

    Parameters
    ----------
    text : str
        The list.

    Returns
    -------
    str
        Its words, with spaces between them.

    Examples
    --------
    >>> tokens("FIRE;ARMOUR PIERCING 1")
    'fire armour-piercing-1'
    """
    return " ".join(token(word) for word in text.split(";") if word)


def ducats(value: float, under: str = "") -> Cell:
    """Make a cell of a price.

    Parameters
    ----------
    value : float
        Ducats; NaN: not sold for any.
    under : str, optional
        A second line.

    Returns
    -------
    Cell
        Sorted by the price.
    """
    return Cell("–", under) if value != value else Cell(f"{value:,.0f}", under, value)


def points(difference: float, decimals: int = 1) -> Cell:
    """Make a cell of a difference of chances.

    Parameters
    ----------
    difference : float
        In [-1, 1]; NaN: not known.
    decimals : int, optional
        Digits after the point.

    Returns
    -------
    Cell
        In points.
    """
    return Cell("–") if difference != difference else Cell(tell.points(difference, decimals), value=difference)


def remarks(frame: pd.DataFrame, name: str) -> Folded:
    """Tabulate what the numbers of rows assume or leave out.

    Parameters
    ----------
    frame : DataFrame
        ``name``, ``remark`` and ``counted``, as :func:`tcsim.analysis.whole.answer.whole` gives them.
    name : str
        Of the table: letters, digits and dashes.

    Returns
    -------
    Folded
        A table, what is left out first.
    """
    lines = sorted(
        zip(frame["counted"].tolist(), frame["name"].tolist(), frame["remark"].tolist(), strict=True),
    )
    rows = tuple(
        Row((Cell(label), Cell(tr("assumed") if counted else tr("left out")), Cell(retold(text))))
        for counted, label, text in lines
    )
    columns = (Column(tr("Name"), number=False), Column("", number=False), Column(tr("What"), number=False))
    table = Table(name, tr("What the numbers of a row assume or leave out"), columns, rows)
    return Folded(tr("What is assumed and left out: {n} sentences", n=len(rows)), (table,))
