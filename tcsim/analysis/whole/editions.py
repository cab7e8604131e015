"""What an edition changed, row by row, in points: how much of it the row itself, and how much the rules.

A weapon's chance depends on its row and on the rules. Both differ between editions, so there are two ways from the old
chance to the new one: first the row and then the rules, or first the rules and then the row. The share of either is the
mean over both ways; the two shares add up to the whole change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from tcsim.analysis.kill_odds import SAME
from tcsim.analysis.whole.answer import chances
from tcsim.analysis.whole.changes import Change, changes
from tcsim.analysis.whole.weapons import STEPS, plain_targets, price_of, problem_of
from tcsim.base.errors import InputError
from tcsim.catalog import Catalog, Row, Weapon

if TYPE_CHECKING:
    import pandas as pd

    from tcsim.scenario.problem import Problem


#: Row of one edition under the rules of another, in the order of the columns: old rules and row, and so on.
WAYS = ("old", "row_first", "rules_first", "new")


def weapon_changes(
    old: Catalog, new: Catalog, spend: str = "greedy", weapons: Sequence[str] | None = None
) -> pd.DataFrame:
    """Tabulate how the chances of weapons changed, and by what.

    Parameters
    ----------
    old, new : Catalog
        Two editions.
    spend : str, optional
        Policy for blood on injury rolls.
    weapons : sequence of str, optional
        Ids; default: all that both have.

    Returns
    -------
    DataFrame
        A row per weapon of both editions and armour 0 to -3 (ordinary standing target, all that one activation has of
        the weapon): ``weapon_id``, ``weapon`` (label in the new edition), ``kind``, ``official`` (in both),
        ``counted`` (in both), ``modifier``; P(out of action) ``old`` and ``new``; ``row_first`` (new row, old rules)
        and ``rules_first`` (old row, new rules), missing where a row says what the other edition has not; ``change``,
        ``by_row`` and ``by_rules`` (which add up to it; both missing where one way is).

    Examples
    --------
    >>> from tcsim.catalog import catalog
    >>> found = weapon_changes(catalog("1.0.2"), catalog("1.6.3"), weapons=["lochaber-axe"])
    >>> bool((found.change < 0).all()), float(found.by_rules.abs().max()) < 1e-12
    (True, True)
    """
    import pandas as pd

    before, after = ({row.id: row for row in rows.weapons} for rows in (old, new))
    # each edition's rules with the weapons of the other
    turned = [_with_rows(old, after.values()), _with_rows(new, before.values())]
    heads: list[dict[str, Any]] = []
    asked: list[list[Problem | None]] = []
    for id, weapon in after.items():
        if (
            id not in before
            or (weapons is not None and id not in weapons)
            or not (weapon.injury_keep and before[id].injury_keep)
        ):
            continue
        rules = (old, *turned, new)
        for k, step in enumerate(STEPS):
            heads.append(
                {
                    "weapon_id": id,
                    "weapon": weapon.label,
                    "kind": weapon.attack_kind,
                    "official": not (weapon.third_party or before[id].third_party),
                    "counted": not (weapon.unmodelled or before[id].unmodelled),
                    "modifier": step,
                }
            )
            asked.append([_problem(rows, id, k, spend) for rows in rules])
    told = [problem for four in asked for problem in four if problem is not None]
    longest: dict[int, list[Problem]] = {}
    for problem in told:
        longest.setdefault(problem.moves, []).append(problem)
    known: dict[Problem, float] = {}
    for same in longest.values():
        known |= dict(zip(same, chances(same, [1])[:, 0, 0].tolist(), strict=True))
    table: pd.DataFrame = pd.DataFrame.from_records(heads)
    for name, column in zip(WAYS, zip(*asked, strict=True), strict=True):
        table[name] = [float("nan") if problem is None else known[problem] for problem in column]
    table["change"] = table["new"] - table["old"]
    table["by_row"] = ((table["row_first"] - table["old"]) + (table["new"] - table["rules_first"])) / 2
    table["by_rules"] = ((table["rules_first"] - table["old"]) + (table["new"] - table["row_first"])) / 2
    return table


def _with_rows(rows: Catalog, weapons: Iterable[Weapon]) -> Catalog:
    """An edition's rules with other weapons.

    Two ACTIONs of one attack in an activation are written as one of two attacks there: the same by the rules that the
    row is from, and how the other rules would write it.
    """
    moved = []
    for weapon in weapons:
        if weapon.shots == 1 and weapon.shoot_actions > 1:
            effects = tuple(effect for effect in weapon.effects if effect.target != "shoot_actions")
            weapon = replace(weapon, shots=weapon.shoot_actions, effects=effects)
        moved.append(replace(weapon, edition=rows.edition))
    return replace(rows, more=(*rows.more, *moved))


def _problem(rows: Catalog, id: str, step: int, spend: str) -> Problem | None:
    """A weapon under an edition's rules; None where these do not know what it has."""
    try:
        return problem_of(rows, rows.weapon(id), plain_targets(rows.edition)[step], 1, spend)
    except InputError:
        return None


def price_changes(old: Catalog, new: Catalog) -> pd.DataFrame:
    """Tabulate what costs something else.

    Parameters
    ----------
    old, new : Catalog
        Two editions.

    Returns
    -------
    DataFrame
        ``row`` (weapon, armour, unit), ``id``, ``name``, ``currency``, ``old`` and ``new`` (the lowest price any
        faction pays; missing: not sold for it), of official rows where these differ.

    Examples
    --------
    >>> from tcsim.catalog import catalog
    >>> "old" in price_changes(catalog("1.0.2"), catalog("1.6.3"))
    True
    """
    import pandas as pd

    records = []
    for kind, id, before, after in _pairs(old, new):
        if before is None or after is None:
            continue
        for currency in ("ducats", "glory"):
            prices = [price_of(before, old, currency), price_of(after, new, currency)]
            if prices[0] != prices[1]:
                one, other = (float("nan") if price is None else float(price) for price in prices)
                records.append(
                    {"row": kind, "id": id, "name": after.label, "currency": currency, "old": one, "new": other}
                )
    return pd.DataFrame.from_records(records, columns=["row", "id", "name", "currency", "old", "new"])


def comings(old: Catalog, new: Catalog) -> pd.DataFrame:
    """List the official rows that only one edition has.

    Parameters
    ----------
    old, new : Catalog
        Two editions.

    Returns
    -------
    DataFrame
        ``row``, ``id``, ``name``, ``status`` (``new``, or ``gone``: not in the new edition).
    """
    import pandas as pd

    records = [
        {"row": kind, "id": id, "name": row.label, "status": "new" if before is None else "gone"}
        for kind, id, before, after in _pairs(old, new)
        for row in (before or after,)
        if row is not None and (before is None or after is None)
    ]
    return pd.DataFrame.from_records(records, columns=["row", "id", "name", "status"])


def _pairs(old: Catalog, new: Catalog) -> list[tuple[str, str, Row | None, Row | None]]:
    """Official rows of either edition by kind and id, each edition's or None."""
    found = []
    for kind in ("weapon", "armour", "unit"):
        before, after = ({row.id: row for row in rows.by_kind[kind] if not row.third_party} for rows in (old, new))
        ids = [*after, *(id for id in before if id not in after)]
        found += [(kind, id, before.get(id), after.get(id)) for id in ids]
    return found


def field_changes(old: Catalog, new: Catalog) -> list[Change]:
    """Give what changed in the rows themselves, of those that both editions have.

    Parameters
    ----------
    old, new : Catalog
        Two editions.

    Returns
    -------
    list of Change
        As :func:`tcsim.analysis.whole.changes.changes` gives them, without odds.
    """
    return [change for change in changes(old, new, with_odds=False) if "row" not in change.fields]


def summary(table: pd.DataFrame) -> pd.DataFrame:
    """Bring the changes of a weapon over all armours into one row.

    Parameters
    ----------
    table : DataFrame
        Of :func:`weapon_changes`.

    Returns
    -------
    DataFrame
        A row per weapon, largest change first: ``weapon_id``, ``weapon``, ``kind``, ``official``, ``counted``, the
        means over armour 0 to -3 of ``old``, ``new``, ``change``, ``by_row`` and ``by_rules``, and ``cause``: ``row``,
        ``rules``, ``both``, ``none`` or ``unknown`` (it cannot be split).
    """
    keys = ["weapon_id", "weapon", "kind", "official", "counted"]
    numbers = ["old", "new", "change", "by_row", "by_rules"]
    groups: Any = table.groupby(keys, sort=False)[numbers]
    found: Any = groups.mean(numeric_only=True).reset_index()
    reach: Any = table.assign(**{name: table[name].abs() for name in numbers}).groupby(keys, sort=False)[numbers].max()
    split: Any = table.groupby(keys, sort=False)["by_row"].apply(lambda column: bool(column.notna().all()))
    for name in ("by_row", "by_rules"):
        found.loc[~split.to_numpy(), name] = float("nan")
    lines = zip(reach["change"], reach["by_row"], reach["by_rules"], split, strict=True)
    found["cause"] = [_cause(*line) for line in lines]
    order = np.lexsort((found["weapon"].to_numpy(str), -found["change"].abs().round(9).to_numpy()))
    ordered: pd.DataFrame = found.iloc[order].reset_index(drop=True)
    return ordered


def _cause(change: float, by_row: float, by_rules: float, split: bool) -> str:
    if not split:
        return "unknown" if change > SAME else "none"
    row, rules = by_row > SAME, by_rules > SAME
    return "both" if row and rules else "row" if row else "rules" if rules else "none"
