"""The best deals of one volley, and what comes of deals: see :mod:`tcsim.engines.volley`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.engines.block import Ints
from tcsim.engines.chain import States
from tcsim.engines.codes import Codes
from tcsim.engines.policies import TIE
from tcsim.engines.volley import SOFT, Deals, Volley

Values = NDArray[np.float64]


@dataclass(frozen=True)
class _Group:
    """Deals that mark as many plain and critical hits, and cost as much: their places, ascending."""

    plain: int
    critical: int
    cost: int
    places: Ints


class Menu:
    """Every deal that a volley has, best first where all else is equal.

    That is: fewest markers, then fewest Bloodbaths, then more dice on the earlier hit. The deals of hits of one kind
    differ only in their order, so that with more dice on the earlier hit stands for all of them.

    Parameters
    ----------
    volley : Volley
        The volley.
    down : int
        Whether the target is Down before it.
    first : bool
        Whether the first hit is told apart, so that each deal says what it gets, and more than the others.
    """

    def __init__(self, volley: Volley, down: int, first: bool) -> None:
        self.volley, self.down = volley, down
        block = volley.block
        choices, costs = volley.choices
        price = dict(zip(choices.tolist(), costs[down].tolist(), strict=True))
        self._dice = {choice: int(block.dice(choice)) for choice in price}
        self._bath = {choice: int(block.bloodbath(choice)) for choice in price}
        items = sorted((c for c in price if c), key=lambda c: (-self._dice[c], -self._bath[c]))
        found: list[tuple[int, tuple[int, ...], tuple[int, ...]]] = []
        hits = volley.shots - first

        def extend(cost: int, marked: tuple[tuple[int, ...], tuple[int, ...]], kind: int, least: int) -> None:
            found.append((cost, *marked))
            if len(marked[0]) + len(marked[1]) == hits:
                return
            for next_kind in range(kind, 2):
                for place in range(least if next_kind == kind else 0, len(items)):
                    more = cost + price[items[place]]
                    if more <= volley.most:
                        both = list(marked)
                        both[next_kind] = (*both[next_kind], items[place])
                        extend(more, (both[0], both[1]), next_kind, place)

        extend(0, ((), ()), 0, 0)
        firsts = sorted(price) if first else [0]
        every = [
            (cost + price[one], one, plain, critical)
            for one in firsts
            for cost, plain, critical in found
            if cost + price[one] <= volley.most
        ]
        every.sort(key=self._rank)
        self.every = every
        grouped: dict[tuple[int, int, int], list[int]] = {}
        for place, (cost, _, plain, critical) in enumerate(every):
            grouped.setdefault((len(plain), len(critical), cost), []).append(place)
        self.groups = [_Group(*key, np.array(places)) for key, places in grouped.items()]
        self.costs = np.array([deal[0] for deal in every])
        #: The places of the deals, best first where the first hit is critical: more dice on that one.
        self.critical_first = np.array(sorted(range(len(every)), key=lambda place: self._rank(every[place], 1)))

    def _rank(self, deal: tuple[int, int, tuple[int, ...], tuple[int, ...]], kind: int = 0) -> tuple[Any, ...]:
        """Sort deals that are worth the same, where the first hit is of a kind."""
        cost, first, plain, critical = deal
        baths = sum(self._bath[choice] for choice in (first, *plain, *critical))
        dice = [[self._dice[choice] for choice in own] for own in (plain, critical)]
        in_turn = [-n for own in (dice[kind], dice[1 - kind]) for n in (*own, *[0] * (self.volley.shots - len(own)))]
        return cost, baths, -self._dice[first], in_turn

    def table(self) -> NDArray[np.int8]:
        """Give the deals as :class:`Deals` holds them.

        Returns
        -------
        array of int8
            A row a deal.
        """
        hits = max(max(len(plain), len(critical)) for _, _, plain, critical in self.every)
        table = np.zeros((len(self.every), 1 + 2 * hits), dtype=np.int8)
        for place, (_, first, plain, critical) in enumerate(self.every):
            table[place, 0] = first
            table[place, 1 : 1 + len(plain)] = plain
            table[place, 1 + hits : 1 + hits + len(critical)] = critical
        return table

    def products(self, blessing: int, kind: int) -> NDArray[Any]:
        """What comes of the hits that each deal marks, the first one included where it is told apart.

        Parameters
        ----------
        blessing : int
            Blessing markers spent on the first hit; 0 where it is none apart.
        kind : int
            Kind of that first hit.

        Returns
        -------
        array, shape (starts, deals, size + 1)
            By the state within the volley before its first hit, for those in which nothing is placed yet.
        """
        volley, down = self.volley, self.down
        starts = volley.index(_starts(volley))
        done: dict[Any, NDArray[Any]] = {}
        unit = np.eye(volley.size + 1)[starts]
        result = np.empty((len(starts), len(self.every), volley.size + 1))
        for place, (_, first, plain, critical) in enumerate(self.every):
            key: Any = (first,)
            if key not in done:
                done[key] = unit @ volley.hit(down, kind, first, blessing) if blessing else unit
            for kind_of_hit, chosen in ((0, plain), (1, critical)):
                for choice in chosen:
                    longer = (*key, (kind_of_hit, choice))
                    if longer not in done:
                        done[longer] = done[key] @ volley.hit(down, kind_of_hit, choice)
                    key = longer
            result[:, place] = done[key]
        return result


def _starts(volley: Volley) -> States:
    """States within the volley before its first hit."""
    left = np.meshgrid(*(np.arange(1 + getattr(volley.start, name)) for name in SOFT), indexing="ij")
    soft = {name: axis.ravel() for name, axis in zip(SOFT, left, strict=True)}
    nothing = np.zeros_like(soft["tough"])
    return volley.within._replace(**soft, placed=nothing, infecting=nothing, fallen=nothing)


class Best:
    """The best deals of one volley, from what each state is worth after it.

    Parameters
    ----------
    volley : Volley
        The volley, in float64.
    codes : Codes
        The states between two volleys.
    """

    def __init__(self, volley: Volley, codes: Codes) -> None:
        self.volley, self.codes = volley, codes
        self._menus: dict[tuple[int, bool], Menu] = {}
        self._products: dict[tuple[int, int, int], NDArray[Any]] = {}
        self._patterns = [volley.patterns(down).astype(float) for down in (0, 1)]

    def deal(self, later: Values, out: float, code: Ints) -> tuple[Deals, Values]:
        """Choose the deals.

        Parameters
        ----------
        later : array of float, shape (codes.size,)
            What each state is worth after the volley.
        out : float
            What out of action is worth.
        code : array of int
            The states before the volley.

        Returns
        -------
        Deals, array of float
            The deals, and what the states are worth before it.
        """
        volley, shots = self.volley, self.volley.shots
        states = self.codes.decode(code)
        going = self.codes.size // self.codes.shape.ended
        which = np.zeros((going, volley.ends, 2, shots + 1, shots + 1), dtype=np.int32)
        worth = np.zeros(code.size)
        fields = {name: np.broadcast_to(getattr(states, name), code.shape) for name in States._fields}
        tables: list[NDArray[np.int8]] = []
        offset = 0
        for down in (0, 1):
            for blessing in np.unique(fields["blessing"]).tolist():
                here = np.flatnonzero((fields["down"] == down) & (fields["blessing"] == blessing))
                if not here.size:
                    continue
                spent = blessing if volley.has_blessing else 0
                menu = self._menu(down, spent > 0)
                columns = self._columns(later, out, down, blessing - spent)
                for place in here.tolist():
                    state = {name: int(column[place]) for name, column in fields.items()}
                    picked, worth[place] = self._pick(menu, columns, state, spent, later)
                    which[code[place] % going] = picked + offset
                tables.append(menu.table())
                offset += len(tables[-1])
        if not volley.has_blessing and (which[:, :, 0] == which[:, :, 1]).all():
            which = which[:, :, :1]  # it changes nothing which hit is the first
        return Deals(which, stacked(tables)), worth

    def _menu(self, down: int, first: bool) -> Menu:
        if (down, first) not in self._menus:
            self._menus[down, first] = Menu(self.volley, down, first)
        return self._menus[down, first]

    def _columns(self, later: Values, out: float, down: int, blessing: int) -> Values:
        """What states within the volley are worth, by hits yet to come that get no marker, and markers left.

        Shape (blood, infection, size + 1, ends, plain, critical).
        """
        volley, limit = self.volley, self.codes.shape
        columns = np.full((limit.blood, limit.infection, volley.ends, volley.size + 1), out)
        for blood, infection, ended in np.ndindex(columns.shape[:3]):
            after = volley.after(down, blood, infection, blessing, ended)
            columns[blood, infection, ended, :-1] = later[self.codes.of(after)]
        flat = columns.reshape(-1, volley.size + 1).T
        powers = volley.powers(down, flat)
        shape = (*powers.shape[:3], *columns.shape[:3])
        return np.ascontiguousarray(powers.reshape(shape).transpose(3, 4, 2, 5, 0, 1))

    def _pick(
        self, menu: Menu, columns: Values, state: dict[str, int], spent: int, later: Values
    ) -> tuple[Ints, float]:
        """Choose the deals of one state for every pattern of hits; gives them, and what the state is worth."""
        volley, shots = self.volley, self.volley.shots
        chances = self._patterns[state["down"]]
        start = 0
        for name in SOFT:
            start = start * (1 + getattr(volley.start, name)) + state[name]
        firsts = 1 + (spent > 0)
        picked = np.zeros((volley.ends, 2, shots + 1, shots + 1), dtype=np.int64)
        worth = 0.0
        held = np.searchsorted(menu.costs, state["blood"] + state["infection"], side="right")
        for kind in range(firsts):
            key = (state["down"], spent, kind)
            if key not in self._products:
                self._products[key] = menu.products(spent, kind)
            product = self._products[key][start]
            # the first hit that is told apart is none of the others
            value = np.full((held, volley.ends, shots + 1, shots + 1), -np.inf)
            of_plain, of_critical = (spent > 0) * (kind == 0), (spent > 0) * (kind == 1)
            for group in menu.groups:
                if group.cost > state["blood"] + state["infection"]:
                    continue
                blood = state["blood"] - group.cost
                column = columns[max(blood, 0), state["infection"] + min(blood, 0)]
                plain, critical = group.plain + of_plain, group.critical + of_critical
                if plain > shots or critical > shots:
                    continue
                part = column[:, :, : shots + 1 - plain, : shots + 1 - critical]
                found = product[group.places] @ part.reshape(volley.size + 1, -1)
                value[group.places, :, plain:, critical:] = found.reshape(-1, *part.shape[1:])
            good = value >= value.max(axis=0) - TIE
            best = good.argmax(axis=0)
            got = np.take_along_axis(value, best[None], axis=0)[0]
            if spent:
                got[:, 0, 0] = 0.0
                chance = chances[:, kind]
                picked[:, kind] = best
            else:
                chance = chances.sum(axis=1)
                order = menu.critical_first[menu.critical_first < held]
                picked[:, 0], picked[:, 1] = best, order[good[order].argmax(axis=0)]
            possible = chance > 0
            worth += float((chance[possible] * got[possible]).sum())
        if spent:  # without a hit the blessings stay
            for ended in range(volley.ends):
                before = States(**{name: np.array([value]) for name, value in state.items()})
                code = self.codes.of(before._replace(ended=np.array([ended]), streak=np.array([0])))
                worth += float(chances[ended, :, 0, 0].sum() * later[code][0])
            picked[:, :, 0, 0] = 0
        return picked, worth


def stacked(tables: list[NDArray[np.int8]]) -> NDArray[np.int8]:
    """Put tables of deals below one another, each as wide as the widest.

    Parameters
    ----------
    tables : list of array of int8
        As :class:`tcsim.engines.volley.Deals` holds them.

    Returns
    -------
    array of int8
        One table; of no rows where there are none.
    """
    hits = max(((table.shape[1] - 1) // 2 for table in tables), default=0)
    wide = np.zeros((sum(map(len, tables)), 1 + 2 * hits), dtype=np.int8)
    row = 0
    for table in tables:
        own = (table.shape[1] - 1) // 2
        here = wide[row : row + len(table)]
        here[:, 0] = table[:, 0]
        here[:, 1 : 1 + own] = table[:, 1 : 1 + own]
        here[:, 1 + hits : 1 + hits + own] = table[:, 1 + own :]
        row += len(table)
    return wide


def play(volley: Volley, codes: Codes, deals: Deals, code: Ints, mass: Any) -> tuple[States, Any, Any]:
    """Fire a volley whose markers are dealt out.

    Parameters
    ----------
    volley : Volley
        The volley.
    codes : Codes
        The states between two volleys.
    deals : Deals
        How its markers are dealt out.
    code : array of int, shape (n,)
        The states before it.
    mass : array, shape (n,)
        How probable each is, in the number type of the volley.

    Returns
    -------
    States, array, number
        The states after it and how probable each is, and P(out of action) of it.
    """
    states = codes.decode(code)
    fields = {name: np.broadcast_to(getattr(states, name), code.shape).tolist() for name in States._fields}
    patterns = [volley.patterns(down) for down in (0, 1)]
    sums: dict[tuple[int, ...], NDArray[Any]] = {}
    marked: dict[tuple[int, ...], tuple[NDArray[Any], int, int, int]] = {}
    shots, kinds = volley.shots, deals.which.shape[2]
    for place, (own, probable) in enumerate(zip(code.tolist(), mass, strict=True)):
        state = {name: column[place] for name, column in fields.items()}
        down, spends = state["down"], volley.has_blessing and state["blessing"] > 0
        one = volley.within._replace(
            **{name: np.array([state[name]]) for name in SOFT},
            **{name: np.zeros(1, dtype=np.int64) for name in ("placed", "infecting", "fallen")},
        )
        start = int(volley.index(one)[0])
        for ended, kind, plain, critical in np.argwhere(patterns[down] != 0).tolist():
            deal = int(deals.which[own, ended, min(kind, kinds - 1), plain, critical])
            first = spends and plain + critical > 0
            key = (down, start, deal, kind if first else 0, state["blessing"] if first else 0, plain, critical)
            if key not in marked:
                marked[key] = _marked(volley, deals.deals[deal], key, first)
            vector, cost, of_plain, of_critical = marked[key]
            blood = state["blood"] - cost
            left = (max(blood, 0), state["infection"] + min(blood, 0), 0 if first else state["blessing"])
            into = sums.setdefault(
                (down, ended, *left), np.zeros((shots + 1, shots + 1, volley.size + 1), dtype=mass.dtype)
            )
            into[plain - of_plain, critical - of_critical] += vector * (
                probable * patterns[down][ended, kind, plain, critical]
            )
    return _gathered(volley, sums)


def _marked(
    volley: Volley, deal: NDArray[np.int8], key: tuple[int, ...], first: bool
) -> tuple[NDArray[Any], int, int, int]:
    """What comes of the hits that get markers, what these cost, and how many hits of each kind they are."""
    down, start, _, kind, blessing, *counts = key
    vector = np.zeros(volley.size + 1, dtype=volley.tails.dtype)
    vector[start] = vector[start] + 1
    choices, costs = volley.choices
    price = dict(zip(choices.tolist(), costs[down].tolist(), strict=True))
    cost, taken = 0, [0, 0]
    if first:
        vector, cost = vector @ volley.hit(down, kind, int(deal[0]), blessing), price[int(deal[0])]
        taken[kind] = 1
    hits = (len(deal) - 1) // 2
    for own in (0, 1):
        there = counts[own] - taken[own]
        for choice in deal[1 + own * hits : 1 + own * hits + min(there, hits)].tolist():
            if choice:
                vector, cost = vector @ volley.hit(down, own, choice), cost + price[choice]
                taken[own] += 1
    return vector, cost, taken[0], taken[1]


def _gathered(volley: Volley, sums: dict[tuple[int, ...], NDArray[Any]]) -> tuple[States, Any, Any]:
    """Let the hits that get no marker follow, and the volley end."""
    parts, masses, out = [], [], volley.tails.dtype(0) if volley.tails.dtype is not object else 0
    for (down, ended, blood, infection, blessing), begun in sums.items():
        plain, critical = volley.hit(down, 0, 0), volley.hit(down, 1, 0)
        total = np.zeros(volley.size + 1, dtype=begun.dtype)
        for hits in range(volley.shots, -1, -1):  # Horner's rule, in both numbers
            inner = np.zeros(volley.size + 1, dtype=begun.dtype)
            for more in range(volley.shots - hits, -1, -1):
                inner = inner @ critical + begun[hits, more] if more < volley.shots - hits else begun[hits, more]
            total = total @ plain + inner if hits < volley.shots else inner
        out = out + total[-1]
        some = np.flatnonzero(total[:-1])
        parts.append(volley.after(down, blood, infection, blessing, ended).at(some))
        masses.append(total[:-1][some])
    joined = (np.concatenate(columns) for columns in zip(*parts, strict=True))
    return States(*joined), np.concatenate(masses), out
