"""What figures ask of a frame that somebody hands them: which columns, and what may stand in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import isfinite, isnan
from typing import TYPE_CHECKING, Any

from tcsim.base.errors import InputError, did_you_mean, one_line, show, some
from tcsim.plots.page import measure

if TYPE_CHECKING:
    import pandas as pd

#: Most characters of a name on a figure.
NAME = 60
#: Most rows of a frame: more are more than a page can show, and take long to place.
ROWS = 100_000


def tidy(frame: Any, columns: Mapping[str, str], key: Sequence[str] = ()) -> pd.DataFrame:
    """Check a frame and take from it what a figure needs.

    Parameters
    ----------
    frame : DataFrame
        What was given.
    columns : mapping
        Column to what stands in it: ``name``, ``chance`` (a probability in [0, 1]), ``number``, ``amount`` (0 or more),
        ``whole`` (a whole number, 0 or more) or ``flag``; with ``?`` behind it
        where the column may be missing, and ``~`` where values may be.
    key : sequence of str, optional
        Columns that together name a row: no two rows may be alike in all that are there.

    Returns
    -------
    DataFrame
        The columns that are there, in the order asked for; names on one line, cut after so many characters.

    Raises
    ------
    InputError
        When it is no frame, has no rows, lacks a column, or holds what cannot be drawn.

    Examples
    --------
    >>> import pandas as pd
    >>> tidy(pd.DataFrame({"weapon": ["Knife"], "p": [1.5]}), {"weapon": "name", "p": "chance"})
    Traceback (most recent call last):
    ...
    tcsim.base.errors.InputError: p: 1.5 in row 1, a probability from 0 to 1 is wanted
    """
    import pandas as pd

    if not isinstance(frame, pd.DataFrame):
        raise InputError(f"{show(frame)} is given, a DataFrame is wanted", "frame")
    if frame.empty:
        raise InputError("it has no rows, so there is nothing to draw", "frame")
    if len(frame) > ROWS:
        raise InputError(f"it has {len(frame):,} rows, a figure has room for {ROWS:,}", "frame")
    taken: dict[str, Any] = {}
    for column, told in columns.items():
        kind = told.rstrip("?~")
        if column not in frame:
            if "?" in told:
                continue
            there = [str(name) for name in frame.columns]
            raise InputError(
                f"it has no column {show(column)}{did_you_mean(column, there)} (there is {some(there)})", "frame"
            )
        values = frame[column]
        if getattr(values, "ndim", 1) != 1:
            raise InputError(f"it has the column {show(column)} twice", "frame")
        taken[column] = [
            None if "~" in told and _missing(value) else _READ[kind](value, column, row)
            for row, value in enumerate(values.tolist(), start=1)
        ]
    found = pd.DataFrame({name: pd.Series(taken[name], dtype=_TYPES.get(columns[name].strip("?"))) for name in taken})
    named = [column for column in key if column in found]
    again = found.duplicated(named) if named else pd.Series(dtype=bool)
    if again.any():
        twice = found.loc[again, named].iloc[0].tolist()
        raise InputError(f"it has two rows for {', '.join(show(one) for one in twice)}", "frame")
    return found


def _missing(value: Any) -> bool:
    """Whether a cell holds nothing: None, NaN, or what pandas has in their place."""
    return value is None or type(value).__name__ in ("NAType", "NaTType") or (isinstance(value, float) and isnan(value))


def _wrong(value: Any, column: str, row: int, wanted: str) -> InputError:
    return InputError(f"{show(value)} in row {row}, {wanted} is wanted", column)


def _name(value: Any, column: str, row: int) -> str:
    if _missing(value) or not str(value).strip():
        raise _wrong(value, column, row, "a name")
    return one_line(" ".join(str(value).split()), NAME)


def _number(value: Any, column: str, row: int, wanted: str = "a number") -> float:
    try:
        number = float("nan") if isinstance(value, (bool, str)) or _missing(value) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = float("nan")
    if isnan(number) or not isfinite(number) or abs(number) > 1e12:
        raise _wrong(value, column, row, wanted)
    return number


def _chance(value: Any, column: str, row: int) -> float:
    wanted = "a probability from 0 to 1"
    number = _number(value, column, row, wanted)
    if not -1e-9 <= number <= 1 + 1e-9:
        raise _wrong(value, column, row, wanted)
    return min(1.0, max(0.0, number))


def _amount(value: Any, column: str, row: int) -> float:
    number = _number(value, column, row, "a number, 0 or more,")
    if number < 0:
        raise _wrong(value, column, row, "a number, 0 or more,")
    return number


def _whole(value: Any, column: str, row: int) -> int:
    wanted = "a whole number, 0 or more,"
    number = _number(value, column, row, wanted)
    if number < 0 or number != int(number):
        raise _wrong(value, column, row, wanted)
    return int(number)


def _flag(value: Any, column: str, row: int) -> bool:
    if _missing(value) or isinstance(value, str) or value not in (True, False):
        raise _wrong(value, column, row, "true or false")
    return bool(value)


#: Whole columns keep their type; where values may be missing, each value has its own.
_TYPES: dict[str, Any] = {"name": object, "flag": bool, "whole": int, "number": float, "amount": float, "chance": float}
_TYPES |= {f"{kind}~": object for kind in _TYPES}
_READ: dict[str, Any] = {
    "name": _name, "number": _number, "chance": _chance, "amount": _amount, "whole": _whole, "flag": _flag,
}  # fmt: skip


def renamed(frame: Any, wanted: str, *others: str) -> Any:
    """Let a column have one of several names.

    Parameters
    ----------
    frame : DataFrame
        What was given.
    wanted : str
        What the column is called here.
    *others : str
        What it may be called instead; the first that is there counts where ``wanted`` is missing.

    Returns
    -------
    DataFrame
        The same, with the column called as wanted.
    """
    there = getattr(frame, "columns", ())
    found = next((name for name in others if name in there), None)
    return frame if wanted in there or found is None else frame.rename(columns={found: wanted})


def short(text: str, width: float, size: float, bold: bool = False) -> str:
    """Cut a text to a width.

    Parameters
    ----------
    text : str
        One line.
    width : float
        Inches.
    size : float
        Points.
    bold : bool, optional
        Whether it is bold.

    Returns
    -------
    str
        The text, or as much of it as has room before ``…``.
    """
    if measure(text, size, bold) <= width:
        return text
    keep = next((n for n in range(len(text) - 1, 0, -1) if measure(text[:n].rstrip() + "…", size, bold) <= width), 0)
    return text[:keep].rstrip() + "…"
