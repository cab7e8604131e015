"""What the parts of the report on Age of Sigmar share: editions that say the same, and how sizes are written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tcsim.base.lang import tr
from tcsim.plots import tell
from tcsim.plots.data import SAME

if TYPE_CHECKING:
    import pandas as pd


def one_edition(frame: pd.DataFrame) -> pd.DataFrame:
    """Give the rows of the first edition; :func:`alike` tells whether the others say the same.

    Parameters
    ----------
    frame : DataFrame
        With a column ``edition``.

    Returns
    -------
    DataFrame
        Its rows of one edition.
    """
    rows: pd.DataFrame = frame[frame["edition"] == frame["edition"].iloc[0]]
    return rows


def alike(frame: pd.DataFrame) -> list[tuple[tuple[str, ...], pd.DataFrame]]:
    """Give editions with the same numbers, and their rows once.

    Parameters
    ----------
    frame : DataFrame
        With a column ``edition``.

    Returns
    -------
    list of (tuple of str, DataFrame)
        Editions that say the same, and what they say.
    """
    groups: list[tuple[list[str], Any]] = []
    for edition in dict.fromkeys(frame["edition"]):
        own = frame[frame["edition"] == edition].drop(columns="edition").reset_index(drop=True)
        for editions, rows in groups:
            if own.equals(rows):
                editions.append(edition)
                break
        else:
            groups.append(([edition], own))
    return [(tuple(editions), rows) for editions, rows in groups]


def setting(editions: tuple[str, ...]) -> str:
    """Say of which editions something is.

    Parameters
    ----------
    editions : tuple of str
        Edition ids.

    Returns
    -------
    str
        A sentence, in the language of the moment.
    """
    return tr("Age of Sigmar {edition}.", edition=", ".join(editions))


def amount(value: float) -> str:
    """Write an amount.

    Parameters
    ----------
    value : float
        What it comes to.

    Returns
    -------
    str
        As ``0.74``; ``0`` only if it is nothing.
    """
    return "0" if abs(value) <= SAME else f"{value:.2f}"


def size(difference: float) -> str:
    """Write how large a difference of chances is.

    Parameters
    ----------
    difference : float
        From -1 to 1.

    Returns
    -------
    str
        In points, without a plus sign.
    """
    return tell.points(difference).replace("+", "")
