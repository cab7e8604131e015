"""Rows of a tidy table that are wanted: conditions as people write them, and an order. Nothing that is given is run."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from tcsim.base.errors import InputError, show, unknown
from tcsim.base.numbers import fraction

if TYPE_CHECKING:
    import pandas as pd

#: How a value is compared; the longer signs first, so that ``>=`` is not read as ``>``.
SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    ">=": operator.ge,
    "<=": operator.le,
    "!=": operator.ne,
    "=": operator.eq,
    ">": operator.gt,
    "<": operator.lt,
    "~": lambda text, part: part.casefold() in text.casefold(),
}

#: Columns that are best when they are low; other numbers are sorted from the highest down.
_LOW_FIRST = ("cost", "attacks", "rank")


def keep(frame: pd.DataFrame, conditions: Sequence[str], where: str = "only") -> pd.DataFrame:
    """Keep the rows for which all conditions hold.

    Parameters
    ----------
    frame : DataFrame
        Any.
    conditions : sequence of str
        As ``p_out>=0.3``, ``cost_ducats<20`` or ``loadout~rifle`` (contains, in any case).
    where : str, optional
        The place in the input, for errors.

    Returns
    -------
    DataFrame
        What is left, perhaps nothing; a missing number meets no condition.

    Raises
    ------
    InputError
        For a column that does not exist, and a number that is none.

    Examples
    --------
    >>> import pandas as pd
    >>> frame = pd.DataFrame({"loadout": ["Sword", "Rifle"], "p_out": [0.2, 0.4]})
    >>> keep(frame, ["p_out > 30%", "loadout~rif"]).loadout.tolist()
    ['Rifle']
    """
    import pandas as pd

    for text in conditions:
        name, sign, value = _read(text, frame, where)
        column = frame[name]
        if not _is_text(column):
            number = _number(value, where)
            if sign == "~":
                raise InputError(f"~ is given, it goes with texts; {name} is a number", where)
            near = column.astype(float)
            if sign in ("=", "!="):  # what is printed as 0.3 is meant by 0.3
                near = near.round(12)
            held = SIGNS[sign](near, number) & column.notna()
        else:
            if sign not in ("=", "!=", "~"):
                raise InputError(f"{sign} is given, {name} is a text: =, != or ~ is allowed", where)
            held = pd.Series([bool(SIGNS[sign](str(cell), value)) for cell in column], frame.index)
        frame = frame[held.to_numpy(dtype=bool)]
    return frame


def _read(text: str, frame: pd.DataFrame, where: str) -> tuple[str, str, str]:
    names = sorted(map(str, frame.columns), key=len, reverse=True)
    given = text.strip()
    signs = "|".join(map(re.escape, SIGNS))
    for name in names:  # a column may be called anything, so it is looked for first
        match = re.fullmatch(rf"{re.escape(name)}\s*({signs})\s*(.+)", given, re.IGNORECASE | re.DOTALL)
        if match is not None:
            return name, match[1], match[2].strip()
    match = re.match(rf"(.*?)\s*({signs})", given, re.DOTALL)
    if match is None:
        raise InputError(f"{show(text)} is given, as p_out>=0.3 or loadout~rifle is allowed", where)
    if match[1].casefold() in (name.casefold() for name in names):
        raise InputError(f"there is nothing to compare with in {show(text)}", where)
    raise unknown("column", match[1], map(str, frame.columns), where)


def _number(text: str, where: str) -> float:
    part = text.strip()
    number = fraction(part.removesuffix("%"))
    if number is None:
        raise InputError(f"{show(text)} is given, a number is allowed", where)
    return float(number / 100 if part.endswith("%") else number)


def _is_text(column: Any) -> bool:
    from pandas.api.types import is_numeric_dtype

    return not is_numeric_dtype(column)


def in_order(frame: pd.DataFrame, column: str, where: str = "sort") -> pd.DataFrame:
    """Sort by a column: texts by the alphabet, costs and ranks from the lowest, other numbers from the highest.

    Parameters
    ----------
    frame : DataFrame
        Any.
    column : str
        Its name.
    where : str, optional
        The place in the input, for the error.

    Returns
    -------
    DataFrame
        Equal rows stay in their order, missing numbers are last.

    Raises
    ------
    InputError
        When there is no such column.

    Examples
    --------
    >>> import pandas as pd
    >>> in_order(pd.DataFrame({"p_out": [0.2, 0.4], "rank": [2, 1]}), "p_out")["rank"].tolist()
    [1, 2]
    """
    found = next((name for name in frame.columns if str(name).casefold() == column.casefold()), None)
    if found is None:
        raise unknown("column", column, map(str, frame.columns), where)
    rises = _is_text(frame[found]) or str(found).startswith(_LOW_FIRST)
    return frame.sort_values(found, ascending=rises, kind="stable", na_position="last")
