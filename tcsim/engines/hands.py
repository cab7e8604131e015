"""Every pair of deals of one volley in which both players choose: blessings and blood on all of its hits at once.

Once all shots of a volley are rolled to hit, each player deals its markers out to the hits. What hits do to the target
commutes (:mod:`tcsim.engines.volley`), so hits of a kind are alike until markers tell them apart, and of deals that
differ only in the order of hits of a kind one stands for all: that with more dice on the earlier hit. A policy that
settles one player's deal goes from hit to hit instead, and there the hits are told apart by their order.

A sequence of hits is one number: a 1, then for each hit in order a binary digit, 1 for a critical one.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tcsim.base.errors import InputError
from tcsim.engines import chain
from tcsim.engines.block import FLOAT_TAILS, Ints
from tcsim.engines.chain import NOTHING
from tcsim.engines.game import Declarations
from tcsim.engines.policies import TIE
from tcsim.engines.volley import SOFT, Volley
from tcsim.scenario import problem as p

#: Most pairs of deals of the hits of a volley.
MAX_PAIRS = 30_000

#: What one hit gets: blessings, and a choice of blood.
Item = tuple[int, int]


@lru_cache(maxsize=256)
def kinds_of(sequence: int) -> tuple[int, ...]:
    """Give the hits of a sequence.

    Parameters
    ----------
    sequence : int
        From 1, which is no hit.

    Returns
    -------
    tuple of int
        0 for a plain, 1 for a critical hit, in order.

    Examples
    --------
    >>> kinds_of(0b101)
    (0, 1)
    """
    return tuple(map(int, bin(sequence)[3:]))


class Hand(NamedTuple):
    """The pairs of deals of a sequence of hits, in one situation.

    ``pairs``: who declares first, and the answers; ``items``, shape (pairs, hits, 2): blessings and choice of each hit;
    ``cost`` and ``guard``: blood and blessing markers of a pair; ``rows``: of ``ends``, shape (n, starts, size + 1),
    which tells what comes of the hits, by the state within the volley before them.
    """

    pairs: Declarations
    items: Ints
    cost: Ints
    guard: Ints
    rows: Ints
    ends: NDArray[np.float64]


class _Every(NamedTuple):
    """Pairs of deals, as :class:`Hand` has them, and what each player declares as a rank: the lowest is preferred."""

    items: Ints
    cost: Ints
    guard: Ints
    ends: NDArray[np.float64]
    targets: Ints
    attackers: Ints


class Hands:
    """The hands of one volley.

    Parameters
    ----------
    volley : Volley
        In float64.
    game : Game
        Who chooses what, and declares first.
    """

    def __init__(self, volley: Volley, game: p.Game) -> None:
        [problem] = volley.block.problems
        self.volley, self.attacker_first = volley, bool(game.attacker_first)
        self._blessing = problem.start.blessing if volley.rolls_injury else 0
        self._guards, self._all_guards = bool(game.guards), bool(problem.policy.blessing)
        self._policy = problem.policy.blood
        shape = volley.shape[: len(SOFT)]
        axes = np.meshgrid(*(np.arange(1 + getattr(problem.start, name)) for name in SOFT), indexing="ij")
        soft = [axis.ravel() for axis in axes]
        #: The states within the volley before its first hit, by their places among all.
        self.starts: Ints = np.ravel_multi_index(tuple(soft), shape) * (volley.size // int(np.prod(shape)))
        self._of: dict[tuple[int, ...], Hand] = {}
        self._every: dict[Any, _Every] = {}
        self._done: dict[Any, NDArray[np.float64]] = {(0,): self._unit(), (1,): self._unit()}
        block = volley.block
        choices, costs = volley.choices
        self._price: list[dict[int, int]] = [dict(zip(choices.tolist(), of.tolist(), strict=True)) for of in costs]
        self._dice = {choice: int(block.dice(choice)) for choice in choices.tolist()}
        self._bath = {choice: int(block.bloodbath(choice)) for choice in choices.tolist()}

        if self._policy == p.OPTIMAL:  # the hits that there are most pairs for, before any work is done on others
            half = volley.shots // 2
            self._both((0,) * half + (1,) * (volley.shots - half), 1, self._blessing)

    def _unit(self) -> NDArray[np.float64]:
        return np.eye(self.volley.size + 1)[self.starts]

    def hand(self, sequence: int, down: int, markers: int, blessing: int) -> Hand:
        """Give every pair of deals.

        Parameters
        ----------
        sequence : int
            The hits.
        down : int
            Whether the target is Down before the volley.
        markers, blessing : int
            What it holds: blood with infection, and blessings.

        Returns
        -------
        Hand
            All that can be declared.
        """
        key = (sequence, down, markers, blessing)
        if key not in self._of:
            every = self._found(kinds_of(sequence), down, markers, min(blessing, self._blessing))
            rows = np.flatnonzero((every.cost <= markers) & (every.guard <= blessing))
            ranks = every.targets[rows], every.attackers[rows]
            pairs = Declarations(np.zeros(rows.size, dtype=np.int64), *ranks, self.attacker_first)
            rows = rows[pairs.order]
            self._of[key] = Hand(pairs, every.items[rows], every.cost[rows], every.guard[rows], rows, every.ends)
        return self._of[key]

    def _found(self, kinds: tuple[int, ...], down: int, markers: int, blessing: int) -> _Every:
        """Every pair of deals, and perhaps some that are too dear."""
        if self._policy != p.OPTIMAL:
            return self._told(kinds, down, self._by_policy(kinds, down, markers, blessing))
        alike = not self._all_guards or not blessing  # hits of a kind, at first
        key = (kinds, down, 0 if alike else blessing)
        if key not in self._every and alike and kinds != tuple(sorted(kinds)):  # the same pairs in another order
            every = self._found(tuple(sorted(kinds)), down, markers, blessing)
            places = np.argsort(np.argsort(kinds, kind="stable"), kind="stable")
            self._every[key] = self._ranked(down, every.items[:, places], every.ends)
        elif key not in self._every:
            found = self._both(kinds, down, self._blessing if self._guards else blessing)
            self._every[key] = self._told(kinds, down, found)
        return self._every[key]

    def _told(self, kinds: tuple[int, ...], down: int, found: list[tuple[Item, ...]]) -> _Every:
        ends = np.stack([self._ends(kinds, down, deal) for deal in found])
        return self._ranked(down, np.array(found, dtype=np.int64).reshape(len(found), len(kinds), 2), ends)

    def _ranked(self, down: int, items: Ints, ends: NDArray[np.float64]) -> _Every:
        block, price = self.volley.block, np.zeros(1 + max(self._dice), dtype=np.int64)
        price[list(self._price[down])] = list(self._price[down].values())
        cost, guard = price[items[:, :, 1]].sum(axis=1), items[:, :, 0].sum(axis=1)
        dice, bath = block.dice(items[:, :, 1]), block.bloodbath(items[:, :, 1])
        attackers = np.column_stack([cost, bath.sum(axis=1), -dice, -bath])
        targets = np.column_stack([guard, -items[:, :, 0]])
        ranks = (np.unique(keys, axis=0, return_inverse=True)[1].ravel() for keys in (targets, attackers))
        return _Every(items, cost, guard, ends, *ranks)

    def _ends(self, kinds: tuple[int, ...], down: int, deal: tuple[Item, ...]) -> NDArray[np.float64]:
        key: Any = (down,)
        for hit in sorted((kind, guard, choice) for kind, (guard, choice) in zip(kinds, deal, strict=True)):
            longer = (*key, hit)
            if longer not in self._done:
                kind, guard, choice = hit
                self._done[longer] = self._done[key] @ self.volley.hit(down, kind, choice, guard)
            key = longer
        return self._done[key]

    def _may_guard(self, hit: int, left: int) -> range:
        """How many blessings a hit may get, of so many left: any, all on the first hit, or none."""
        if self._guards:
            return range(left, -1, -1)
        return range(left, left + 1) if self._all_guards and hit == 0 else range(1)

    def _both(self, kinds: tuple[int, ...], down: int, blessing: int) -> list[tuple[Item, ...]]:
        """Pairs of deals where the attacker's player chooses; one for all that differ in the order of like hits."""
        price = self._price[down]
        choices = sorted(price, key=lambda choice: (-self._dice[choice], -self._bath[choice]))
        place = {choice: number for number, choice in enumerate(choices)}
        by_choice = self.attacker_first and self._guards
        found: list[tuple[Item, ...]] = []

        def rank(item: Item) -> tuple[int, int]:
            guard, choice = -item[0], place[item[1]]
            return (choice, guard) if by_choice else (guard, choice)

        def extend(deal: tuple[Item, ...], markers: int, left: int) -> None:
            hit = len(deal)
            if hit == len(kinds):
                found.append(deal)
                if len(found) > MAX_PAIRS:
                    raise InputError(_TOO_MANY, "attacks")
                return
            alike = [rank(deal[before]) for before in range(hit) if kinds[before] == kinds[hit]]
            for guard in self._may_guard(hit, left):
                for choice in choices:
                    item = (guard, choice)
                    if price[choice] <= markers and (not alike or rank(item) >= alike[-1]):
                        extend((*deal, item), markers - price[choice], left - guard)

        extend((), self.volley.most, blessing)
        return found

    def _by_policy(self, kinds: tuple[int, ...], down: int, markers: int, blessing: int) -> list[tuple[Item, ...]]:
        """Every deal of the blessings, and what a policy spends hit by hit."""
        found: list[tuple[Item, ...]] = []

        def extend(deal: tuple[Item, ...], markers: int, left: int) -> None:
            hit = len(deal)
            if hit == len(kinds):
                found.append(deal)
                return
            for guard in self._may_guard(hit, left):
                choice = self._settled(kinds[hit], down, markers, guard)
                extend((*deal, (guard, choice)), markers - self._price[down][choice], left - guard)

        extend((), markers, blessing)
        return found

    def _settled(self, kind: int, down: int, markers: int, guard: int) -> int:
        """What a policy spends on a hit; greedy knows what was declared before it."""
        price = self._price[down]
        payable = [choice for choice, cost in price.items() if cost <= markers]
        if self._policy == p.ALL:
            return max((choice for choice in payable if not self._bath[choice]), key=lambda choice: self._dice[choice])
        if self._policy == p.BLOODBATH:
            plain = (choice for choice in payable if not self._dice[choice])
            return max(plain, key=lambda choice: self._bath[choice])
        if self._policy != p.GREEDY:
            return 0
        chances = {choice: self._out(kind, down, choice, 0 if self.attacker_first else guard) for choice in payable}
        good = (choice for choice in payable if chances[choice] >= max(chances.values()) - TIE)
        return min(good, key=lambda choice: (price[choice], self._bath[choice]))

    def _out(self, kind: int, down: int, choice: int, guard: int) -> float:
        """The chance that the chart says out of action."""
        volley = self.volley
        before = volley.within._replace(down=np.array([down]), **dict.fromkeys(SOFT, NOTHING))
        numbers = (np.array([number]) for number in (kind, guard, choice))
        one, row = np.array([0]), np.array([volley.row])
        return float(chain.injury_chances(volley.block, FLOAT_TAILS, one, row, before, *numbers)[2][0])


_TOO_MANY = (
    f"more than {MAX_PAIRS:,} pairs of deals of both players' markers are possible on the hits of the shots resolved "
    "together; fewer shots or markers, all or none, or the option shots=in-turn are answered"
)
