"""What a loadout is worth its ducats: the front of what is unbeaten for its price, who beats the rest, fair prices.

Chances do not grow in proportion to prices: a chance cannot pass 1, and half a weapon cannot be bought. So price and
chance stand side by side, and the ducats per expected kill beside them, not in their place: that number alone would
always praise the cheapest thing that ever kills.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tcsim.base.errors import InputError, show, unknown

if TYPE_CHECKING:
    import pandas as pd

Floats = NDArray[np.float64]

#: Chances are compared after rounding to so many decimals: exact ones are right to that.
DECIMALS = 12

#: Factors by which the weight of one target after the other is changed, to see how a finding moves with the mix.
WEIGHT_FACTORS = (0.5, 2.0)


def front(costs: Sequence[float] | Floats, chances: Sequence[float] | Floats) -> NDArray[np.bool_]:
    """Say which points are on the front of least cost and greatest chance.

    A point is on it unless another one dominates it: costs no more, has no lower a chance, and is better in one of the
    two. Points that are equal in both do not dominate each other, so they are on it together or not at all.

    Parameters
    ----------
    costs : sequence of float
        Shape (n,); ducats.
    chances : sequence of float
        Shape (n,); probabilities in [0, 1].

    Returns
    -------
    array of bool
        Shape (n,).

    Examples
    --------
    >>> front([5, 10, 10, 20, 20], [0.2, 0.4, 0.3, 0.4, 0.5]).tolist()
    [True, True, False, False, True]
    """
    c, p = np.asarray(costs, float), np.round(np.asarray(chances, float), DECIMALS)
    on = np.zeros(len(c), bool)
    best = -1.0
    for cost in np.unique(c):
        here = c == cost
        most = p[here].max()
        if most > best:
            on |= here & (p == most)
            best = most
    return on


def dominators(costs: Sequence[float] | Floats, chances: Sequence[float] | Floats, index: int) -> list[int]:
    """Name the points of the front that dominate one.

    Parameters
    ----------
    costs, chances : sequence of float
        As for :func:`front`.
    index : int
        Which point.

    Returns
    -------
    list of int
        Greatest chance first, then cheapest; empty for a point of the front.

    Examples
    --------
    >>> dominators([5, 10, 20], [0.2, 0.4, 0.1], 2)
    [1, 0]
    """
    c, p = np.asarray(costs, float), np.round(np.asarray(chances, float), DECIMALS)
    beats = (c <= c[index]) & (p >= p[index]) & ((c < c[index]) | (p > p[index])) & front(c, p)
    return sorted(map(int, np.flatnonzero(beats)), key=lambda i: (-p[i], c[i], i))


class Fair(NamedTuple):
    """A range of prices, in whole ducats; ``highest`` None for no ceiling, less than 0 where no price is low enough."""

    lowest: int
    highest: int | None

    def fits(self, cost: float) -> bool:
        """Whether a price lies in the range."""
        return self.lowest <= cost and (self.highest is None or cost <= self.highest)


def fair_price(chance: float, costs: Sequence[float] | Floats, chances: Sequence[float] | Floats) -> Fair:
    """Give the prices at which something would sit on the front of the others.

    ``highest``: the highest whole price at which none of the others dominates it: one ducat below the cheapest with a
    greater chance, and no more than the cheapest with the same chance. It has none where none of the others has so
    great a chance. ``lowest``: the lowest price at which it dominates none of the others' front either: one ducat
    above the dearest of that front with a lower chance, no less than one of that front with the same chance costs; 0
    where there is none. In between, every price is as fair as another: the front is a step, and the price of what
    stands on it is free up to the next step. Where no whole price lies between two neighbours, both ends are the
    highest.

    Parameters
    ----------
    chance : float
        Of the thing, in [0, 1].
    costs, chances : sequence of float
        Of the others; shape (n,), n may be 0.

    Returns
    -------
    Fair
        The range.

    Examples
    --------
    >>> fair_price(0.3, [5, 20, 40], [0.2, 0.4, 0.5])
    Fair(lowest=6, highest=19)
    >>> fair_price(0.6, [5, 20, 40], [0.2, 0.4, 0.5])
    Fair(lowest=41, highest=None)
    """
    c, p = np.asarray(costs, float), np.round(np.asarray(chances, float), DECIMALS)
    mine = round(float(chance), DECIMALS)
    on = front(c, p)
    pushed = [np.floor(c[on & (p < mine)].max()) + 1] if (on & (p < mine)).any() else []
    pushed += [np.ceil(c[on & (p == mine)].max())] if (on & (p == mine)).any() else []
    lowest = int(max(pushed, default=0))
    highest = _ceiling(mine, c, p)
    return Fair(lowest if highest is None else max(0, min(lowest, highest)), highest)


def _ceiling(mine: float, c: Floats, p: Floats) -> int | None:
    """The highest price at which nothing of these dominates a chance; chances are rounded already."""
    limits = [np.ceil(c[p > mine].min()) - 1] if (p > mine).any() else []
    limits += [np.floor(c[p == mine].min())] if (p == mine).any() else []
    return int(min(limits)) if limits else None


@dataclass(frozen=True)
class Sure:
    """How a finding moves when something else is changed: over so many changes, the least and greatest ceiling.

    Parameters
    ----------
    changed : str
        ``mix``, ``others``, ``attacks`` or ``dice``.
    ways : int
        How many changes were looked at.
    on_front : int
        In how many of them it is on the front at its own price.
    least, most : int or None
        Least and greatest highest fair price; None for no ceiling.
    """

    changed: str
    ways: int
    on_front: int
    least: int | None
    most: int | None


@dataclass(frozen=True)
class Worth:
    """What is found of one loadout.

    Parameters
    ----------
    name : str
        The loadout.
    cost : int
        Ducats (or glory, where the front is that of glory).
    chance : float
        Over the mix, in [0, 1].
    on_front : bool
        Whether nothing dominates it.
    per_kill : float or None
        Cost divided by chance: what one expected kill costs; None where the chance is 0.
    beaten_by : tuple of str
        Members of the front that dominate it, best first.
    same_as : tuple of str
        Others of the same cost and chance.
    fair : Fair
        Prices at which it would sit on the front of the others.
    sure : tuple of Sure
        How the highest of them moves.
    """

    name: str
    cost: int
    chance: float
    on_front: bool
    per_kill: float | None
    beaten_by: tuple[str, ...]
    same_as: tuple[str, ...]
    fair: Fair
    sure: tuple[Sure, ...]

    @property
    def verdict(self) -> str:
        """``dear``: above its fair prices; ``cheap``: below them, pushing others off the front; else ``fair``."""
        if self.fair.highest is not None and self.cost > self.fair.highest:
            return "dear"
        return "cheap" if self.cost < self.fair.lowest else "fair"

    @property
    def ceilings(self) -> tuple[int | None, int | None]:
        """Least and greatest highest fair price over all that was changed, and as it is."""
        numbers = [_number(self.fair.highest)]
        for one in self.sure:
            numbers += [_number(one.least), _number(one.most)]
        return _price(min(numbers)), _price(max(numbers))

    @property
    def stays(self) -> tuple[int, int]:
        """In how many of how many changes it is on the front at its own price."""
        return sum(one.on_front for one in self.sure), sum(one.ways for one in self.sure)

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data, for JSON.

        Returns
        -------
        dict
            Its fields; ``fair_lowest``, ``fair_highest`` and ``sure`` as a list of dicts.
        """
        return {
            "loadout": self.name,
            "cost": self.cost,
            "p": self.chance,
            "on_front": self.on_front,
            "cost_per_kill": self.per_kill,
            "dominated_by": list(self.beaten_by),
            "same_as": list(self.same_as),
            "fair_lowest": self.fair.lowest,
            "fair_highest": self.fair.highest,
            "verdict": self.verdict,
            "sure": [vars(one) for one in self.sure],
        }


@dataclass(frozen=True)
class Worths:
    """Loadouts with their costs, and their chances against every target of a mix.

    Parameters
    ----------
    names : tuple of str
        Loadouts, length n.
    costs : array
        Shape (n,), whole numbers of one currency.
    chances : array
        Shape (n, t), by loadout and target.
    targets : tuple of str
        Length t.
    weights : array
        Shape (t,), of the mix; their sum is 1.
    more : mapping of int to array
        Chances after other numbers of attacks, as ``chances``.
    ends : tuple of array, optional
        Lower and upper ends of intervals of ``chances``, where they were rolled.
    """

    names: tuple[str, ...]
    costs: Floats
    chances: Floats
    targets: tuple[str, ...]
    weights: Floats
    more: Mapping[int, Floats]
    ends: tuple[Floats, Floats] | None = None

    @cached_property
    def mean(self) -> Floats:
        """Chances over the mix; shape (n,)."""
        return np.asarray(self.chances @ self.weights, float)

    @cached_property
    def on_front(self) -> NDArray[np.bool_]:
        """Whether each is on the front; shape (n,)."""
        return front(self.costs, self.mean)

    @cached_property
    def found(self) -> tuple[Worth, ...]:
        """What is found of each, in the order of the front: by cost, then greatest chance first, then name."""
        order = sorted(range(len(self.names)), key=lambda i: (self.costs[i], -self.mean[i], self.names[i]))
        return tuple(self._worth(i) for i in order)

    def _worth(self, i: int) -> Worth:
        costs, p = self.costs, np.round(self.mean, DECIMALS)
        others = np.arange(len(p)) != i
        return Worth(
            name=self.names[i],
            cost=int(costs[i]),
            chance=float(self.mean[i]),
            on_front=bool(self.on_front[i]),
            per_kill=float(costs[i] / self.mean[i]) if p[i] > 0 else None,
            beaten_by=tuple(self.names[j] for j in dominators(costs, p, i)),
            same_as=tuple(self.names[j] for j in np.flatnonzero((costs == costs[i]) & (p == p[i]) & others)),
            fair=fair_price(p[i], costs[others], p[others]),
            sure=tuple(self._sure(i)),
        )

    def _sure(self, i: int) -> Iterator[Sure]:
        ways: dict[str, list[int | None]] = {
            "mix": [self._other(i, self.chances @ weights) for weights in other_mixes(self.weights)],
            "others": [self._other(i, self.mean, without=j) for j in range(len(self.names)) if j != i],
            "attacks": [self._other(i, chances @ self.weights) for chances in self.more.values()],
        }
        if self.ends is not None:  # the worst and the best that the intervals leave open
            low, high = (end @ self.weights for end in self.ends)
            at = np.arange(len(low)) == i
            ways["dice"] = [self._other(i, np.where(at, *pair)) for pair in ((low, high), (high, low))]
        for changed, ceilings in ways.items():
            if ceilings:
                numbers = list(map(_number, ceilings))
                stays = sum(self.costs[i] <= number for number in numbers)
                yield Sure(changed, len(numbers), int(stays), _price(min(numbers)), _price(max(numbers)))

    def _other(self, i: int, p: Floats, without: int | None = None) -> int | None:
        """Give the highest fair price of one with other chances, or with one other less."""
        p = np.round(p, DECIMALS)
        others = np.arange(len(p)) != i
        if without is not None:
            others[without] = False
        return _ceiling(p[i], self.costs[others], p[others])


def other_mixes(weights: Floats) -> list[Floats]:
    """Give the mixes that a finding is tried with: without each target in turn, and with each at half and twice.

    Parameters
    ----------
    weights : array
        Shape (t,).

    Returns
    -------
    list of array
        Each of shape (t,) and sum 1; empty for a single target.

    Examples
    --------
    >>> [mix.round(2).tolist() for mix in other_mixes(np.array([0.5, 0.5]))[:3]]
    [[0.0, 1.0], [0.33, 0.67], [0.67, 0.33]]
    """
    found = []
    for i in range(len(weights)) if np.count_nonzero(weights) > 1 else ():
        for factor in (0.0, *WEIGHT_FACTORS):
            mix = weights.copy()
            mix[i] *= factor
            if weights[i] > 0:
                found.append(mix / mix.sum())
    return found


def _number(price: int | None) -> float:
    return float("inf") if price is None else float(price)


def _price(number: float) -> int | None:
    return None if number == float("inf") else int(number)


def worths(frame: pd.DataFrame, chance: str = "p_out", cost: str = "cost_ducats") -> Worths:
    """Read a tidy frame of loadouts: front, fair prices and who beats whom are its answers.

    Parameters
    ----------
    frame : DataFrame
        A row per loadout and target (and number of attacks). Columns: ``loadout``, ``target`` (default: one target),
        ``weight`` of the target (default: all alike), cost and chance, ``attacks`` (optional: the least number is the
        question, the others show how a finding moves), ``low`` and ``high`` (optional: ends of intervals).
    chance : str, optional
        Column of probabilities in [0, 1].
    cost : str, optional
        Column of whole numbers from 0; the same in every row of a loadout.

    Returns
    -------
    Worths
        With ``found``.

    Raises
    ------
    InputError
        For a column that is missing, no rows, a loadout that lacks a target, and numbers that cannot be.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = [("Pistol", 6, 0.1), ("Shotgun", 10, 0.3), ("Rifle", 10, 0.2)]
    >>> table = worths(pd.DataFrame(rows, columns=["loadout", "cost_ducats", "p_out"]))
    >>> [(one.name, one.on_front, one.fair.highest) for one in table.found]
    [('Pistol', True, 9), ('Shotgun', True, None), ('Rifle', False, 9)]
    """
    for name in ("loadout", cost, chance):
        if name not in frame.columns:
            raise unknown("column", name, list(map(str, frame.columns)), "frame")
    if not len(frame):
        raise InputError("there are no rows, at least one loadout is needed", "frame")
    rows = frame.assign(**{name: one for name, one in _DEFAULTS.items() if name not in frame.columns})
    _check(rows, chance, cost)
    names = tuple(dict.fromkeys(rows["loadout"]))
    targets = tuple(dict.fromkeys(rows["target"]))
    numbers = sorted(set(rows["attacks"]))
    size = len(names) * len(targets) * len(numbers)
    if len(rows) != size or rows.duplicated(["loadout", "target", "attacks"]).any():
        raise InputError(
            f"these are {len(rows)} rows, and {len(names)} loadouts by {len(targets)} targets by {len(numbers)} "
            f"numbers of attacks are {size}; each is needed once",
            "frame",
        )
    first = rows[rows["attacks"] == numbers[0]]
    weights = first.drop_duplicates("target").set_index("target")["weight"].loc[list(targets)].to_numpy(float)
    if not weights.sum() > 0:
        raise InputError("all weights are 0, one at least must be more", "weight")

    def table(part: pd.DataFrame, column: str) -> Floats:
        wide = part.pivot(index="loadout", columns="target", values=column)
        return wide.loc[list(names), list(targets)].to_numpy(float)

    return Worths(
        names=names,
        costs=first.drop_duplicates("loadout").set_index("loadout")[cost].loc[list(names)].to_numpy(float),
        chances=table(first, chance),
        targets=targets,
        weights=weights / weights.sum(),
        more={int(n): table(rows[rows["attacks"] == n], chance) for n in numbers[1:]},
        ends=(table(first, "low"), table(first, "high")) if {"low", "high"} <= set(frame.columns) else None,
    )


_DEFAULTS: dict[str, Any] = {"target": "", "weight": 1.0, "attacks": 1}


def _check(rows: pd.DataFrame, chance: str, cost: str) -> None:
    """Refuse numbers that cannot be, and a loadout with two costs or a target with two weights."""
    for name, allowed, low, high in (
        (chance, "0 to 1", 0.0, 1.0),
        (cost, "a whole number from 0 to 1,000,000", 0.0, 1e6),
        ("weight", "a number from 0 to 1,000,000", 0.0, 1e6),
        ("attacks", "a whole number from 1 to 1,000,000", 1.0, 1e6),
        ("low", "0 to 1", 0.0, 1.0),
        ("high", "0 to 1", 0.0, 1.0),
    ):
        for value in rows[name] if name in rows.columns else ():
            number = isinstance(value, (int, float, np.number)) and not isinstance(value, (bool, np.bool_))
            slack = 1e-9 if name == chance else 0.0  # a sum of floats
            if not number or not low - slack <= value <= high + slack or ("whole" in allowed and value != int(value)):
                raise InputError(f"{show(value)} is given, {allowed} is allowed", name)
    for key, name in (("loadout", cost), ("target", "weight")):
        several = rows.groupby(key, sort=False)[name].nunique()
        if (several > 1).any():
            which = several[several > 1].index[0]
            raise InputError(f"{show(which)} has {several[which]} of them, one is needed", name)
