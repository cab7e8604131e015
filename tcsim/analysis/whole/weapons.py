"""What weapons do and cost: every weapon of an edition on the same targets, and what each keyword is worth on it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from tcsim.analysis.compare.mixes import USUAL, read_mix
from tcsim.analysis.compare.targets import Target, read_targets
from tcsim.analysis.kill_odds import MOST_CARRIED
from tcsim.analysis.whole.answer import chances
from tcsim.analysis.whole.grid import Grid, Remark
from tcsim.catalog import Catalog, Row, Weapon
from tcsim.scenario.problem import Problem
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import resolve

if TYPE_CHECKING:
    import pandas as pd

#: Injury modifiers of the plain targets, and how often they are attacked.
STEPS, ATTACKS = (0, -1, -2, -3), (1, 2)


def problem_of(rows: Catalog, weapon: Weapon, target: Target, attacks: int, spend: str = "greedy") -> Problem:
    """Resolve a weapon's attacks on a target, each all that one activation has of it.

    Parameters
    ----------
    rows : Catalog
        With the weapon among its rows.
    weapon : Weapon
        What attacks.
    target : Target
        Who is attacked.
    attacks : int
        How often.
    spend : str, optional
        Policy for blood on injury rolls.

    Returns
    -------
    Problem
        In plain numbers.

    Raises
    ------
    InputError
        When it cannot be asked.
    """
    attack: dict[str, Any] = {
        "weapon": weapon.id,
        "kind": weapon.attack_kind,
        "times": attacks * weapon.shoot_actions,
    }
    if any(rows.rules.keyword(name, "attack")[0].counted for name in weapon.keywords):
        attack["carried"] = MOST_CARRIED
    scenario = {
        "edition": rows.edition,
        "target": dict(target.table),
        "attacks": [attack],
        "spend": {"blood_on_injury": spend},
    }
    return resolve(from_mapping(scenario), rows).problem


def plain_targets(edition: str) -> tuple[Target, ...]:
    """Give the targets that every weapon is measured on: armour 0 to -3, each ordinary and TOUGH.

    Parameters
    ----------
    edition : str
        Edition id.

    Returns
    -------
    tuple of Target
        Ordinary ones first.

    Examples
    --------
    >>> [one.name for one in plain_targets("1.6.3")][3:6]
    ['-3', 'no armour, TOUGH', '-1, TOUGH']
    """
    steps = [{"injury_modifier": step} for step in STEPS]
    return read_targets([*steps, *({**step, "tough": True} for step in steps)], edition)


def weapon_odds(
    rows: Catalog, spend: str = "greedy", mix: str = USUAL, weapons: Sequence[str] | None = None
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Tabulate every weapon on plain targets and on a mix.

    Parameters
    ----------
    rows : Catalog
        The edition, perhaps with users' own weapons.
    spend : str, optional
        Policy for blood on injury rolls: none, all, bloodbath or greedy.
    mix : str, optional
        As :func:`tcsim.analysis.compare.mixes.read_mix` reads it; its targets must be armour and TOUGH alone.
    weapons : sequence of str, optional
        Names; default: every one.

    Returns
    -------
    cells : DataFrame
        A row per weapon, target and number of attacks: ``weapon_id``, ``weapon``, ``kind``, ``cost`` (ducats, the
        lowest any faction pays; missing where it is not sold for ducats), ``glory``, ``sold`` (as it is: no attack that
        an option gives, no gun used in melee), ``keywords`` and ``factions`` (joined by ``;``), ``counted`` (nothing is
        left out), ``official``, ``modifier``, ``tough``, ``weight`` (models of the mix that are such a target),
        ``attacks`` (each is all that an activation has of the weapon), ``p_out``, ``p_down``, ``expected_blood``, as
        in :func:`tcsim.analysis.whole.answer.whole`.
    remarks : DataFrame
        What is assumed or left out, as there.

    Raises
    ------
    InputError
        For a mix or a weapon that does not exist.

    Examples
    --------
    >>> from tcsim.catalog import catalog
    >>> cells, _ = weapon_odds(catalog("1.6.3"), weapons=["Bolt-Action Rifle"])
    >>> round(float(at_step(cells, -1)["bolt-action-rifle"]), 4)
    0.1025
    """
    import pandas as pd

    weights: dict[tuple[int, bool], float] = {}
    for one in read_mix(mix, rows.edition, rows).targets:
        key = _place(one)
        weights[key] = weights.get(key, 0.0) + one.weight
    plain = {_place(one): one for one in plain_targets(rows.edition)}
    more = {_place(one): one for one in read_mix(mix, rows.edition, rows).targets}
    targets = {**more, **plain}
    chosen = rows.weapons if weapons is None else [rows.weapon(name, where="weapons") for name in weapons]
    grid, remarks = Grid(spend, ATTACKS[-1]), list[Remark]()
    for weapon in chosen:
        remarks += grid.remarks(rows, weapon)
    short = {one.id for one in remarks if not one.counted}
    places = [(weapon, place) for weapon in chosen for place in targets]
    problems = [problem_of(rows, weapon, targets[place], ATTACKS[-1], spend) for weapon, place in places]
    found = chances(problems, ATTACKS)
    records = [
        {
            **told(weapon, rows),
            "counted": weapon.id not in short,
            "modifier": place[0],
            "tough": place[1],
            "weight": weights.get(place, 0.0),
            "attacks": attacks,
            **dict(zip(("p_out", "p_down", "expected_blood"), found[i, k].tolist(), strict=True)),
        }
        for i, (weapon, place) in enumerate(places)
        for k, attacks in enumerate(ATTACKS)
    ]
    return pd.DataFrame.from_records(records), pd.DataFrame(remarks, columns=list(Remark._fields))


def _place(target: Target) -> tuple[int, bool]:
    """A plain target by its armour and TOUGH."""
    return int(target.table.get("injury_modifier") or 0), bool(target.table.get("tough", False))


def price_of(row: Row, rows: Catalog, currency: str = "ducats") -> int | None:
    """Give the lowest price that a faction pays.

    Parameters
    ----------
    row : Row
        What is bought.
    rows : Catalog
        The edition: its units say which factions there are. Prices for one unit alone are passed over.
    currency : str, optional
        ``ducats`` or ``glory``.

    Returns
    -------
    int or None
        The price; None where it is not sold for that.

    Examples
    --------
    >>> from tcsim.catalog import catalog
    >>> rows = catalog("1.0.2")
    >>> rows.armour("Machine Armour").cheapest(), price_of(rows.armour("Machine Armour"), rows)
    (10, 50)
    """
    factions = {unit.faction for unit in rows.units}
    of_factions = [
        price.amount
        for price in row.prices
        if price.currency == currency and (not price.faction or any(price.faction.startswith(one) for one in factions))
    ]
    return min(of_factions, default=row.cheapest(currency))


def told(weapon: Weapon, rows: Catalog) -> dict[str, Any]:
    """Give what a table says of a weapon before its odds.

    Parameters
    ----------
    weapon : Weapon
        Its row.
    rows : Catalog
        The edition.

    Returns
    -------
    dict
        Column to value.

    Examples
    --------
    >>> from tcsim.catalog import catalog
    >>> rows = catalog("1.6.3")
    >>> told(rows.weapon("anti-tank-hammer"), rows)["keywords"]
    'CRITICAL;RISKY'
    """
    ducats, glory = price_of(weapon, rows), price_of(weapon, rows, "glory")
    return {
        "weapon_id": weapon.id,
        "weapon": weapon.label,
        "kind": weapon.attack_kind,
        "cost": float("nan") if ducats is None else float(ducats),
        "glory": float("nan") if glory is None else float(glory),
        "sold": weapon.is_carried,
        "keywords": ";".join(weapon.keywords),
        "factions": ";".join(weapon.factions),
        "official": not weapon.third_party,
    }


def over_mix(cells: pd.DataFrame, column: str = "p_out", attacks: int = 1) -> pd.Series[float]:
    """Give the mean chance of each weapon over the mix.

    Parameters
    ----------
    cells : DataFrame
        As :func:`weapon_odds` gives it.
    column : str, optional
        Which chance.
    attacks : int, optional
        Number of attacks.

    Returns
    -------
    Series
        By weapon id, in the order of the cells.
    """
    rows = cells[cells["attacks"] == attacks]
    weighted = (rows[column] * rows["weight"]).groupby(rows["weapon_id"], sort=False).sum()
    total = rows["weight"].groupby(rows["weapon_id"], sort=False).sum()
    return weighted / total


def at_step(cells: pd.DataFrame, modifier: int, tough: bool = False, attacks: int = 1) -> pd.Series[float]:
    """Give the chance of each weapon on one plain target.

    Parameters
    ----------
    cells : DataFrame
        As :func:`weapon_odds` gives it.
    modifier : int
        The target's armour.
    tough : bool, optional
        Whether it is TOUGH.
    attacks : int, optional
        Number of attacks.

    Returns
    -------
    Series
        P(out of action) by weapon id, in the order of the cells.
    """
    asked = (cells["modifier"] == modifier) & (cells["tough"] == tough) & (cells["attacks"] == attacks)
    return cells[asked].set_index("weapon_id")["p_out"]


def standing(cells: pd.DataFrame) -> pd.DataFrame:
    """Judge every weapon by price and chance over the mix, among those of its kind.

    Parameters
    ----------
    cells : DataFrame
        As :func:`weapon_odds` gives it.

    Returns
    -------
    DataFrame
        A row per weapon, most likely first: its columns there, ``p_0`` to ``p_3`` (one attack on an ordinary target
        of that armour), ``mix`` (one attack), ``mix_down`` (Down or out), ``tough`` (two attacks on a TOUGH target in
        armour -1), ``judged`` (official, counted in full, sold as it is for ducats), and of those judged ``on_front``,
        ``fair_low`` and ``fair_high`` (prices at which it would sit on the front of the others of its kind; missing:
        no ceiling), ``off`` (ducats above the highest fair price, or below the lowest: negative; 0 between) and
        ``beaten_by`` (the cheapest that costs no more and takes out as many, by label) with its price ``beaten_at``.
    """
    from tcsim.analysis.value.fronts import dominators, fair_price, front

    table = cells.drop_duplicates("weapon_id").set_index("weapon_id")
    table = table[["weapon", "kind", "cost", "glory", "sold", "keywords", "factions", "official", "counted"]].copy()
    for step in STEPS:
        table[f"p_{-step}"] = at_step(cells, step)
    table["mix"] = over_mix(cells)
    table["mix_down"] = table["mix"] + over_mix(cells, "p_down")
    table["tough"] = at_step(cells, -1, True, ATTACKS[-1])
    table["judged"] = table["official"] & table["counted"] & table["sold"] & table["cost"].notna()
    table["on_front"], table["beaten_by"] = False, ""
    for name in ("fair_low", "fair_high", "off", "beaten_at"):
        table[name] = np.nan
    for kind in table["kind"].unique():
        own = table[table["judged"] & (table["kind"] == kind)]
        costs, p = own["cost"].to_numpy(float), own["mix"].to_numpy(float)
        table.loc[own.index, "on_front"] = front(costs, p)
        for i, key in enumerate(own.index):
            others = np.arange(len(own)) != i
            fair = fair_price(float(p[i]), costs[others], p[others])
            table.loc[key, "fair_low"] = fair.lowest
            table.loc[key, "fair_high"] = np.nan if fair.highest is None else fair.highest
            over = 0.0 if fair.highest is None else max(0.0, costs[i] - max(fair.highest, 0))
            table.loc[key, "off"] = over if over else min(0.0, costs[i] - fair.lowest)
            better = min(dominators(costs, p, i), key=lambda j: costs[j], default=None)
            table.loc[key, "beaten_by"] = "" if better is None else own["weapon"].iloc[better]
            table.loc[key, "beaten_at"] = float("nan") if better is None else costs[better]
    order = np.lexsort((table["weapon"].to_numpy(str), -table["mix"].round(9).to_numpy()))
    return table.iloc[order].reset_index()
