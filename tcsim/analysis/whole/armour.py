"""What armour is worth: what everything a model may wear takes off the chances of every weapon, and what it costs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tcsim.analysis.kill_odds import SAME
from tcsim.analysis.whole.answer import Whole, whole
from tcsim.analysis.whole.grid import ids_of, may_be_worn
from tcsim.analysis.whole.weapons import price_of
from tcsim.catalog import Armour, Catalog

if TYPE_CHECKING:
    import pandas as pd

#: Attacks after which armour is judged: two, so that markers of the first and TOUGH count.
ATTACKS = 2
#: What is worn, by what it takes up: like is compared with like.
CLASSES = ("body", "body + shield", "shield", "helmet", "other")


def armour_cells(
    rows: Catalog,
    spend: str = "greedy",
    progress: Callable[[int], None] | None = None,
    weapons: Sequence[str] | None = None,
) -> Whole:
    """Answer everything that can be worn against every weapon, by blood markers and TOUGH.

    Parameters
    ----------
    rows : Catalog
        The edition.
    spend : str, optional
        Policy for blood on injury rolls.
    progress : callable, optional
        Called with the number of weapons resolved since the last call.
    weapons : sequence of str, optional
        Names; default: every one.

    Returns
    -------
    Whole
        As :func:`tcsim.analysis.whole.answer.whole` gives it, after one and two attacks.
    """
    return whole([rows], weapons, attacks=[1, ATTACKS], spend=spend, progress=progress)


def taken_off(cells: pd.DataFrame, blood: int = 0, tough: bool = False, attacks: int = ATTACKS) -> pd.DataFrame:
    """Tabulate what armour takes off the chance of each weapon.

    Parameters
    ----------
    cells : DataFrame
        Of one edition; only rows that are counted in full and official are looked at, and of weapons only those that
        ever take out a target without armour.
    blood : int, optional
        Blood markers on the target at the start.
    tough : bool, optional
        Whether it is TOUGH.
    attacks : int, optional
        Number of attacks.

    Returns
    -------
    DataFrame
        P(out of action) without armour less that in it: a row for each (``armour_id``, ``shield_id``), a column for
        each weapon id.
    """
    asked = (cells["blood"] == blood) & (cells["tough"] == tough) & (cells["attacks"] == attacks)
    rows = cells[asked & cells["counted"] & cells["official"]]
    wide: Any = rows.pivot(index=["armour_id", "shield_id"], columns="weapon_id", values="p_out").astype(float)
    bare: Any = wide.loc[("", "")]
    hurting = bare > SAME
    table = bare[hurting] - wide.loc[:, hurting]
    found: pd.DataFrame = table.mask(table.abs() <= SAME, 0.0)
    return found


def armours(rows: Catalog, cells: pd.DataFrame) -> pd.DataFrame:
    """Judge everything that can be worn.

    Parameters
    ----------
    rows : Catalog
        The edition.
    cells : DataFrame
        Of :func:`armour_cells`.

    Returns
    -------
    DataFrame
        A row for each way to be protected, most protective first: ``armour_id``, ``shield_id``, ``worn`` (names),
        ``class``, ``cost`` (ducats, missing where a piece is not sold for any), ``factions`` (that may buy all of it,
        joined by ``;``; empty: not said), ``mean`` (points of P(out of action) that two attacks lose, mean over the
        weapons, as a share of 1), ``most`` and ``most_weapon``, ``least`` and ``least_weapon``, ``nothing`` (how many
        weapons lose nothing), ``weapons``, ``mean_tough``, ``mean_blood`` (six markers), ``per_ducat`` (mean by cost),
        ``beaten_by`` (names of one of its class that whoever may buy it may buy, too, that costs no more and protects
        as well from every weapon, and is cheaper or better from one; empty: none, or no price).
    """
    import pandas as pd

    plain, tough, bloody = (_by_worn(taken_off(cells, *start)) for start in ((0, False), (0, True), (6, False)))
    names = _labels(cells)
    ids = list(taken_off(cells).columns)
    worn = {ids_of(pieces): pieces for pieces in may_be_worn(rows) if pieces}
    records = []
    for key, pieces in worn.items():
        if key not in plain:  # third-party, or not counted in full
            continue
        taken, cost = plain[key], _cost(pieces, rows)
        high, low = float(taken.max()), float(taken.min())
        records.append(
            {
                "armour_id": key[0],
                "shield_id": key[1],
                "worn": " + ".join(piece.name for piece in pieces),
                "class": " + ".join(piece.slot for piece in pieces),
                "cost": cost,
                "factions": ";".join(_buyers(pieces)),
                "mean": float(taken.mean()),
                "most": high,
                "most_weapon": names[ids[int(np.argmax(taken >= high - SAME))]],
                "least": low,
                "least_weapon": names[ids[int(np.argmax(taken <= low + SAME))]],
                "nothing": int((taken == 0).sum()),
                "weapons": len(taken),
                "mean_tough": float(tough[key].mean()),
                "mean_blood": float(bloody[key].mean()),
                "per_ducat": float(taken.mean()) / cost if cost else float("nan"),
            }
        )
    table = pd.DataFrame.from_records(records)
    table["beaten_by"] = _beaten(table, np.array([plain[key] for key in worn if key in plain]))
    order = np.lexsort((table["worn"].to_numpy(str), -table["mean"].round(9).to_numpy()))
    return table.iloc[order].reset_index(drop=True)


def _by_worn(table: pd.DataFrame) -> dict[tuple[str, str], NDArray[np.float64]]:
    keys = [(str(armour), str(shield)) for armour, shield in table.index]
    return dict(zip(keys, table.to_numpy(float), strict=True))


def _labels(cells: pd.DataFrame) -> dict[str, str]:
    first = cells.drop_duplicates("weapon_id")
    return {str(id): str(label) for id, label in zip(first["weapon_id"], first["weapon"], strict=True)}


def _cost(pieces: tuple[Armour, ...], rows: Catalog) -> float:
    prices = [price_of(piece, rows) for piece in pieces]
    known = [price for price in prices if price is not None]
    return float(sum(known)) if len(known) == len(prices) else float("nan")


def _buyers(pieces: tuple[Armour, ...]) -> list[str]:
    """Factions that all pieces name; pieces that name none are for everybody."""
    named = [set(piece.factions) for piece in pieces if piece.factions]
    return sorted(set.intersection(*named)) if named else []


def _beaten(table: pd.DataFrame, values: NDArray[np.float64]) -> list[str]:
    """For each row one of its class that is as easily bought, costs no more and protects as well from every weapon."""
    found = []
    names, costs, classes = list(table["worn"]), table["cost"].to_numpy(float), table["class"].to_numpy(str)
    buyers = [{name for name in str(text).split(";") if name} for text in table["factions"]]
    for i in range(len(names)):
        as_well = (values >= values[i] - SAME).all(axis=1) & (costs <= costs[i]) & (classes == classes[i])
        better = (values > values[i] + SAME).any(axis=1) | (costs < costs[i])
        who = [j for j in np.flatnonzero(as_well & better).tolist() if _covers(buyers[j], buyers[i])]
        best = min(who, key=lambda j: (costs[j], -values[j].mean(), j), default=None)
        found.append("" if best is None else str(names[best]))
    return found


def _covers(rival: set[str], own: set[str]) -> bool:
    """Whether all who may buy one thing may buy the other; a faction covers its variants, none named is everybody."""
    if not rival:
        return True
    return bool(own) and all(any(name == other or name.startswith(f"{other}-") for other in rival) for name in own)


def interplay(cells: pd.DataFrame) -> pd.DataFrame:
    """Tabulate how armour, blood markers and TOUGH go together.

    Parameters
    ----------
    cells : DataFrame
        Of :func:`armour_cells`.

    Returns
    -------
    DataFrame
        ``armour_id``, ``shield_id``, ``blood``, ``tough``, ``attacks`` and ``p_out``: the mean over the official
        weapons that are counted in full and ever take out a target without armour.
    """
    hurting = taken_off(cells).columns
    rows = cells[cells["counted"] & cells["official"] & cells["weapon_id"].isin(hurting)]
    key = ["armour_id", "shield_id", "blood", "tough", "attacks"]
    found: pd.DataFrame = rows.groupby(key, observed=True, sort=False)["p_out"].mean().reset_index()
    return found


def ignoring(cells: pd.DataFrame, armour_id: str = "reinforced-armour") -> list[str]:
    """Name the weapons that a piece of armour does nothing against.

    Parameters
    ----------
    cells : DataFrame
        Of :func:`armour_cells`.
    armour_id : str, optional
        The piece, worn alone.

    Returns
    -------
    list of str
        Labels, in alphabetical order.
    """
    table, names = taken_off(cells), _labels(cells)
    taken = _by_worn(table)[armour_id, ""]
    return sorted(names[str(id)] for id, points in zip(table.columns, taken, strict=True) if points == 0)
