"""What every kill-odds figure asks of the frame: which rows, in which order, under which names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tcsim.analysis.kill_odds import SAME as SAME
from tcsim.base.errors import InputError, one_line
from tcsim.base.lang import label, mark, tr
from tcsim.base.text import signed
from tcsim.plots import frames

if TYPE_CHECKING:
    import pandas as pd

    from tcsim.catalog import Catalog, Weapon

#: Armour from light to heavy, by its name in the frame.
ARMOURS = ("none", "standard", "reinforced", "machine")
#: The seven legal ways to be protected, from least to most: armour, shield, and what it is called.
PROTECTIONS = (
    ("none", False, mark("No armour")),
    ("none", True, mark("Shield")),
    ("standard", False, mark("Standard")),
    ("standard", True, mark("Standard + shield")),
    ("reinforced", False, mark("Reinforced")),
    ("reinforced", True, mark("Reinforced + shield")),
    ("machine", False, mark("Machine")),
)
#: What an armour is called in a sentence.
IN = {
    "none": mark("no armour"),
    "standard": "Standard Armour",
    "reinforced": "Reinforced Armour",
    "machine": "Machine Armour",
}
#: What an armour is called over a column.
SHORT = {
    "none": mark("no armour"),
    "standard": mark("standard"),
    "reinforced": mark("reinforced"),
    "machine": mark("machine"),
}
#: Kinds of target, by whether it is TOUGH.
TARGETS = {False: mark("Ordinary target"), True: mark("TOUGH target")}

_COLUMNS = {
    "weapon_id": "name", "weapon": "name", "critical": "flag", "armour": "name", "shield": "flag", "tough": "flag",
    "blood": "whole", "attacks": "whole", "modifier": "number", "p_out": "chance", "p_down": "chance",
}  # fmt: skip
_TELLING_WORDS = ("CRITICAL", "FIRE", "GAS", "SHRAPNEL")


def described(frame: pd.DataFrame, edition: str, rows: Catalog | None = None) -> pd.DataFrame:
    """Add what the catalogue knows of each weapon: its own row, and its profile in a few words.

    Parameters
    ----------
    frame : DataFrame
        As :func:`tcsim.analysis.kill_odds.kill_odds` gives it.
    edition : str
        Edition id, whose catalogue is asked.
    rows : Catalog, optional
        Another catalogue to ask.

    Returns
    -------
    DataFrame
        The same with ``printed`` (the weapon as the books have it, CRITICAL neither added nor removed) and
        ``profile``; columns that are there already stay. A weapon the catalogue does not know counts without CRITICAL.
    """
    from tcsim.base.errors import InputError
    from tcsim.catalog import catalog

    rows = rows if rows is not None else catalog(edition)
    known: dict[str, Weapon] = {}
    for weapon_id in frame["weapon_id"].unique():
        try:
            known[str(weapon_id)] = rows.weapon(str(weapon_id))
        except InputError:
            continue
    more: dict[str, Any] = {}
    if "printed" not in frame:
        own = frame["weapon_id"].map({key: "CRITICAL" in weapon.keywords for key, weapon in known.items()})
        more["printed"] = frame["critical"] == own.eq(True)
    if "profile" not in frame:
        profiles = {key: profile(weapon) for key, weapon in known.items()}
        more["profile"] = frame["weapon_id"].map(profiles).fillna("")
    return frame.assign(**more)


def profile(weapon: Weapon) -> str:
    """Say in a few words what a weapon has that a plain one has not.

    Parameters
    ----------
    weapon : Weapon
        A row of the catalogue.

    Returns
    -------
    str
        As ``+1 injury die, CRITICAL``; ``plain`` when there is nothing.
    """
    parts = []
    if weapon.shots > 1:
        parts.append(tr("{n} attacks" if weapon.kind == "melee" else "{n} shots", n=weapon.shots))
    if weapon.auto_hit:
        parts.append(tr("hits without a roll"))
    elif weapon.action_dice:
        parts.append(tr("{n} DICE", n=signed(weapon.action_dice)))
    if weapon.injury_dice:
        one = abs(weapon.injury_dice) == 1
        parts.append(tr("{n} injury die" if one else "{n} injury dice", n=signed(weapon.injury_dice)))
    if weapon.injury_modifier:
        parts.append(tr("{n} to injuries", n=signed(weapon.injury_modifier)))
    if weapon.injury_keep != 2:
        parts.append(tr("{n}D6 injury roll", n=weapon.injury_keep))
    parts += [label(word) for word in _TELLING_WORDS if word in weapon.keywords]
    if weapon.ignore_armour == "all":
        parts.append(tr("ignores armour"))
    if weapon.armour_piercing:
        parts.append(label(f"ARMOUR PIERCING {weapon.armour_piercing}"))
    return ", ".join(parts) or tr("plain")


def check(frame: pd.DataFrame) -> None:
    """Look at a frame of kill odds before it is drawn.

    Parameters
    ----------
    frame : DataFrame
        As :func:`tcsim.analysis.kill_odds.kill_odds` gives it.

    Raises
    ------
    InputError
        When it is no such frame, has no rows, or holds what cannot be drawn.
    """
    first = frame.head(1) if hasattr(frame, "head") else frame
    frames.tidy(first, _COLUMNS)
    chances = frame[["p_out", "p_down"]]
    floats = all(kind.kind == "f" for kind in chances.dtypes)
    if not floats or not (chances.ge(-SAME) & chances.le(1 + SAME)).all(axis=None):  # nor where one is missing
        frames.tidy(frame, _COLUMNS)
    if "printed" in frame and frame["printed"].dtype != bool:
        frames.tidy(frame, {"printed": "flag"})


def printed(frame: pd.DataFrame) -> pd.DataFrame:
    """Take the rows of weapons as the books have them; without CRITICAL where the frame does not say.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.

    Returns
    -------
    DataFrame
        The rows.
    """
    return frame[frame["printed"] if "printed" in frame else ~frame["critical"]]


def cells(frame: pd.DataFrame, **where: Any) -> pd.DataFrame:
    """Take the rows in which columns have the values asked for.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.
    **where
        Column to value.

    Returns
    -------
    DataFrame
        The rows.

    Examples
    --------
    >>> import pandas as pd
    >>> len(cells(pd.DataFrame({"blood": [0, 0, 3], "tough": [True, False, True]}), blood=0, tough=True))
    1
    """
    for column, value in where.items():
        frame = frame[frame[column] == value]
    return frame


def values(frame: pd.DataFrame, column: str) -> list[int]:
    """Give the numbers a column takes.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.
    column : str
        ``blood`` or ``attacks``.

    Returns
    -------
    list of int
        Ascending.
    """
    return sorted(int(value) for value in frame[column].unique())


def nearest(frame: pd.DataFrame, column: str, wanted: int) -> int:
    """Give the number wanted, or the nearest that the frame has; of two, the smaller.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.
    column : str
        ``blood`` or ``attacks``.
    wanted : int
        The number.

    Returns
    -------
    int
        A number of the column.
    """
    return min(values(frame, column), key=lambda value: (abs(value - wanted), value))


def labels(frame: pd.DataFrame) -> dict[str, str]:
    """Give what each weapon is called, by its id, in the order of the frame.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.

    Returns
    -------
    dict
        Id to label.
    """
    first = frame.drop_duplicates("weapon_id")
    return {
        str(key): one_line(str(label), frames.NAME)
        for key, label in zip(first["weapon_id"], first["weapon"], strict=True)
    }


def profiles(frame: pd.DataFrame) -> dict[str, str]:
    """Give each weapon's profile in a few words, by its id; empty where the frame does not say.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.

    Returns
    -------
    dict
        Id to profile.
    """
    if "profile" not in frame:
        return dict.fromkeys(labels(frame), "")
    first = frame.drop_duplicates("weapon_id")
    return {
        str(key): one_line(str(text), 2 * frames.NAME)
        for key, text in zip(first["weapon_id"], first["profile"], strict=True)
    }


def by_value(rows: pd.DataFrame, column: str = "p_out") -> list[str]:
    """Order weapons by the mean of a column, largest first; equal ones as the frame has them.

    Parameters
    ----------
    rows : DataFrame
        The rows to be shown.
    column : str, optional
        What counts.

    Returns
    -------
    list of str
        Weapon ids.
    """
    means = {key: float(rows.loc[rows["weapon_id"] == key, column].mean()) for key in labels(rows)}
    return sorted(means, key=lambda key: -round(means[key], 9))


def telling(rows: pd.DataFrame, most: int) -> list[str]:
    """Choose the weapons whose chances differ most: the first, then always the one farthest from those chosen.

    Parameters
    ----------
    rows : DataFrame
        The rows to be shown, the same cells for each weapon.
    most : int
        How many at most.

    Returns
    -------
    list of str
        Weapon ids, by value.
    """
    if rows.empty:
        raise InputError("it has no rows for what is to be shown", "frame")
    chances = {key: rows.loc[rows["weapon_id"] == key, "p_out"].to_numpy() for key in labels(rows)}
    left = list(chances)
    chosen = [left.pop(0)]
    while left and len(chosen) < most:
        far = [min(float(abs(chances[key] - chances[one]).mean()) for one in chosen) for key in left]
        chosen.append(left.pop(far.index(max(far))))
    return [key for key in by_value(rows) if key in chosen]
