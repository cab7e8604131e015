"""Differences as rows of bars: what something adds or takes off, in points, in several columns on one scale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tcsim.plots import parts, style, tell
from tcsim.plots.page import Sheet, Words, inner_width

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

#: Columns at most: as many as there are shades of armour.
COLUMNS = len(style.ARMOUR)


@style.styled
def point_bars(
    table: pd.DataFrame,
    words: Words,
    notes: Sequence[str] = (),
    bare: bool = False,
    ax: Axes | None = None,
    lang: str | None = None,
    write: Callable[[float], str] = tell.points,
) -> Any:
    """Draw differences of chances: a row for each thing, a column of bars for each situation.

    Parameters
    ----------
    table : DataFrame
        Differences of probabilities, in [-1, 1], or of anything else that ``write`` can write; its index and columns
        are what rows and columns are called, in the language of the figure. Four columns at most.
    words : Words
        What it says, computed from the table.
    notes : sequence of str, optional
        A second, fainter line for each row.
    bare : bool, optional
        Panels only.
    ax : Axes, optional
        Draw into these, of a figure of your own.
    lang : str, optional
        ``en`` or ``ko``; default: the language of the moment.
    write : callable, optional
        How a value is written; default: in points, with its sign.

    Returns
    -------
    array of Axes, or ax
        One for each column.
    """
    values = table.to_numpy(float)[:, :COLUMNS]
    bars = parts.Bars(
        tuple(map(str, table.index)),
        tuple(map(str, table.columns[:COLUMNS])),
        values,
        tuple(tuple(map(write, line)) for line in values.tolist()),
        tuple(notes) or ("",) * len(values),
        style.ARMOUR[: values.shape[1]],
    )
    sheet = Sheet(words, parts.bars_height(bars, inner_width(bare, ax)), bare, ax)
    return sheet.drawn(parts.draw_bars(sheet, 0, bars))
