"""Weapons and other loadouts with their prices against a mix of targets: what each is worth its ducats."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from tcsim.analysis.compare.answer import Comparison, compare
from tcsim.analysis.compare.mixes import USUAL, Mix
from tcsim.analysis.value.fronts import Worths, worths
from tcsim.base.errors import InputError, show, unknown
from tcsim.catalog import Catalog
from tcsim.catalog import catalog as open_catalog
from tcsim.engines.answer import Plan
from tcsim.rules import DEFAULT_EDITION

if TYPE_CHECKING:
    import pandas as pd

#: Kinds of weapon that may be asked for, and the numbers of attacks over which a finding is tried.
KINDS = ("all", "ranged", "melee")
TRIED = (1, 2, 3, 4)


@dataclass(frozen=True)
class Value:
    """Loadouts and what they are worth; ducats and glory are never added.

    Parameters
    ----------
    comparison : Comparison
        Every chance, and how it was asked.
    kinds : mapping of str to str
        Loadout to ``ranged``, ``melee`` or ``both``.
    ducats, glory : Worths or None
        Those that cost only ducats, and only glory, each with a front of its own; None where there are none.
    apart : tuple of str
        Loadouts on no front: without a price, or at a price in both.
    left_out : tuple of str
        Official weapons that are not among them, as their rules are not counted in full; empty where some were named.
    """

    comparison: Comparison
    kinds: dict[str, str]
    ducats: Worths | None
    glory: Worths | None
    apart: tuple[str, ...]
    left_out: tuple[str, ...]

    @property
    def fronts(self) -> dict[str, Worths]:
        """The fronts there are, by currency."""
        both = {"ducats": self.ducats, "glory": self.glory}
        return {currency: one for currency, one in both.items() if one is not None}

    @property
    def frame(self) -> pd.DataFrame:
        """A row per loadout on a front.

        Returns
        -------
        DataFrame
            ``loadout``, ``kind``, ``currency``, ``cost``, ``p`` (over the mix, in [0, 1]), ``on_front``,
            ``cost_per_kill``, ``fair_lowest``, ``fair_highest`` (missing: no ceiling), ``verdict``, ``dominated_by``
            (names, ``; `` between), ``ceiling_least``, ``ceiling_most`` (over all that was changed; missing: none),
            ``stays`` and ``tried``: in how many of how many changes it is on the front at its price.
        """
        import pandas as pd

        rows = []
        for currency, front in self.fronts.items():
            for one in front.found:
                least, most = one.ceilings
                rows.append(
                    {
                        "loadout": one.name,
                        "kind": self.kinds[one.name],
                        "currency": currency,
                        "cost": one.cost,
                        "p": one.chance,
                        "on_front": one.on_front,
                        "cost_per_kill": one.per_kill,
                        "fair_lowest": one.fair.lowest,
                        "fair_highest": one.fair.highest,
                        "verdict": one.verdict,
                        "dominated_by": "; ".join(one.beaten_by),
                        "ceiling_least": least,
                        "ceiling_most": most,
                        "stays": one.stays[0],
                        "tried": one.stays[1],
                    }
                )
        frame = pd.DataFrame(rows)
        whole = ["fair_highest", "ceiling_least", "ceiling_most"]
        return frame.astype(dict.fromkeys(whole, "Int64")) if len(frame) else frame

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data, for JSON.

        Returns
        -------
        dict
            How it was asked, as :meth:`Comparison.to_dict` says it, without its cells; ``fronts`` by currency,
            ``apart``, ``left_out``.
        """
        told = {name: one for name, one in self.comparison.to_dict().items() if name not in ("cells", "means")}
        fronts = {
            currency: [{"kind": self.kinds[one.name], **one.to_dict()} for one in front.found]
            for currency, front in self.fronts.items()
        }
        return told | {"fronts": fronts, "apart": list(self.apart), "left_out": list(self.left_out)}


def value(
    loadouts: Any = None,
    targets: Any = None,
    mix: str | Mix | None = None,
    kind: str = "all",
    plan: Plan | None = None,
    progress: Callable[[int], None] | None = None,
    **terms: Any,
) -> Value:
    """Say what loadouts are worth their price: the front, who beats the rest, fair prices and how sure they are.

    Parameters
    ----------
    loadouts : as for :func:`tcsim.compare`, optional
        Default: every official weapon whose rules are counted in full, at the cheapest official price.
    targets : as for :func:`tcsim.compare`, optional
        With weights; default: the mix.
    mix : str or Mix, optional
        Default: the models of the shipped starting warbands, by armour and TOUGH.
    kind : str, optional
        ``all``, ``ranged`` (what is thrown too) or ``melee``: which weapons, where none are named.
    plan : Plan, optional
        Roll the chances so; default: exact.
    progress : callable, optional
        Called with the number of cells finished since the last call.
    **terms
        As for :func:`tcsim.compare`: ``times`` (how many attacks the question is about, default 1), ``edition``,
        ``faction`` (who pays; what it cannot buy is set apart), ``attacker``, ``spend``, ``options``, ``catalog``.

    Returns
    -------
    Value
        Its ``frame`` is a tidy table.

    Raises
    ------
    InputError
        With one sentence: what was given, what is allowed.

    Examples
    --------
    >>> found = value("Musket, Shotgun, Submachine Gun", "0, -1")
    >>> [(one.name, one.cost, one.on_front, one.fair.highest) for one in found.ducats.found]
    [('Musket', 5, True, 9), ('Shotgun', 10, True, 24), ('Submachine Gun', 25, True, None)]
    """
    if not isinstance(kind, str) or kind not in KINDS:
        raise unknown("kind", str(kind), KINDS, "kind")
    if loadouts is not None and kind != "all":
        raise InputError(f"it chooses among all weapons, and some are named; {show(kind)} is given", "kind")
    if targets is None and mix is None:
        mix = USUAL
    left_out: tuple[str, ...] = ()
    if loadouts is None:
        rows = _rows(terms)
        loadouts, left_out = all_weapons(rows, kind)
    base = compare(loadouts, targets, None, mix, plan, progress, **terms)
    found = _chances(base)
    if plan is None:
        others = [times for times in TRIED if times != base.terms.times]
        more = [compare(base.loadouts, base.targets, **(terms | {"times": times})) for times in others]
        found += [record for one in more for record in _chances(one, base)]
    import pandas as pd

    table = pd.DataFrame(found)
    fronts = {currency: _front(table, currency, base.terms.times) for currency in ("ducats", "glory")}
    placed = {name for front in fronts.values() if front is not None for name in front.names}
    names = [one.name for one in base.loadouts]
    kinds = {one.name: _kind(one.attacks, base) for one in base.loadouts}
    apart = tuple(name for name in names if name not in placed)
    return Value(base, kinds, fronts["ducats"], fronts["glory"], apart, left_out)


def _rows(terms: dict[str, Any]) -> Catalog:
    given = terms.get("catalog")
    if isinstance(given, Catalog):
        return given
    edition = terms.get("edition")
    return open_catalog(DEFAULT_EDITION if edition is None else edition, given)


def all_weapons(rows: Catalog, kind: str = "all") -> tuple[list[str], tuple[str, ...]]:
    """Give the official weapons that are sold and whose rules are counted in full.

    Parameters
    ----------
    rows : Catalog
        Of an edition.
    kind : str, optional
        One of :data:`KINDS`.

    Returns
    -------
    list of str, tuple of str
        Ids of those, each profile on its own, with ``times=2`` after one that makes two attack ACTIONs in an
        activation; names of the others that make an injury roll.

    Examples
    --------
    >>> named, others = all_weapons(open_catalog("1.6.3"), "melee")
    >>> "polearm" in named, "pistol" in named
    (True, False)
    """
    named, others = [], []
    for row in rows.weapons:
        sold = row.prices and not row.third_party and row.injury_keep and kind in ("all", row.attack_kind)
        if sold and row.is_carried:
            if row.status == "whole":
                often = f",times={row.shoot_actions}" if row.shoot_actions > 1 else ""
                named.append(row.id + often)
            else:
                others.append(row.label)
    return named, tuple(others)


def _chances(one: Comparison, base: Comparison | None = None) -> list[dict[str, Any]]:
    """Chances after a number of attacks; what is thrown is thrown but once, as its price is that of one."""
    thrown = {side.name for side in base.loadouts if _is_thrown(side.attacks, base)} if base is not None else set()
    known = {(cell.loadout.name, cell.target.name): cell for cell in base.cells} if base is not None else {}
    found = []
    for cell in one.cells:
        counted = known[cell.loadout.name, cell.target.name] if cell.loadout.name in thrown else cell
        record = {
            "loadout": cell.loadout.name,
            "target": cell.target.name,
            "weight": cell.target.weight,
            "cost_ducats": cell.loadout.cost.ducats,
            "cost_glory": cell.loadout.cost.glory,
            "attacks": one.terms.times,
            "p_out": counted.answers["p_out"],
        }
        if one.plan is not None:  # a weapon that does not reach has no trials, and its chance is known
            ends = cell.result.interval if cell.result is not None else None
            record |= {"low": ends[1], "high": ends[2]} if ends is not None else {"low": 0.0, "high": 0.0}
        found.append(record)
    return found


def _books(base: Comparison) -> Catalog:
    """Where a comparison looked its names up, users' own catalogues too."""
    return _rows({"catalog": base.terms.catalog, "edition": base.edition})


def _is_thrown(attacks: Any, base: Comparison) -> bool:
    rows = _books(base)
    words = {word for attack in attacks if "weapon" in attack for row in rows.weapons if row.id == attack["weapon"]
             for word in row.keywords}  # fmt: skip
    return any((one := rows.rules.keywords.get(word)) is not None and one.counted for word in words)


def _kind(attacks: Any, base: Comparison) -> str:
    rows = {row.id: row.attack_kind for row in _books(base).weapons}
    kinds = {
        attack.get("kind") or rows.get(attack.get("weapon", ""), "ranged")
        for attack in attacks
        if "event" not in attack
    }
    return kinds.pop() if len(kinds) == 1 else "both"


def _front(frame: pd.DataFrame, currency: str, times: int) -> Worths | None:
    """The loadouts that cost this currency alone; what costs nothing at all counts as costing ducats."""
    other = "glory" if currency == "ducats" else "ducats"
    own, none = frame[f"cost_{currency}"], frame[f"cost_{other}"].fillna(0) == 0
    rows = frame[own.notna() & none & ((own > 0) | (currency == "ducats"))]
    if not len(rows):
        return None
    rows = rows.assign(**{"cost": rows[f"cost_{currency}"].astype(int)})
    # the question's own number of attacks is the base, whatever others are tried
    rows = rows.assign(attacks=rows["attacks"].map(lambda n: 1 if n == times else n + 1))
    columns = ["loadout", "target", "weight", "cost", "p_out", "attacks"]
    return worths(rows[[*columns, *(name for name in ("low", "high") if name in rows.columns)]], "p_out", "cost")
