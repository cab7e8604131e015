"""The search over everything a unit may take: branch and bound over loadouts, proven to miss none.

A loadout is split in two: its frame (options, what is worn, other kit) and its weapons. Frames are walked through
first; within a frame every legal set of guns, grenades and melee weapons is valued in one go. What is left out of the
walk, and why nothing is lost by it:

* idle things, which change no chance that is asked about and are needed by no other thing: without them a loadout is
  cheaper, as good, and still legal;
* what costs more than the budget, and what breaks a rule that no further thing can mend;
* frames with something in vain: worn against attacks, and no more often survived with it than without;
* frames whose bound is below the last place: the bound lets every target meet the best of all ways that the frame has,
  each at its own price.

Only lean loadouts are given: those of which no part is legal and as good.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

from tcsim.analysis.optimise.odds import Floats, Odds, helps, helps_attacks
from tcsim.analysis.ways import Option
from tcsim.catalog import Armour, Weapon
from tcsim.catalog.armoury import Upgrade
from tcsim.catalog.wares import Recruit, Ware
from tcsim.stats import SAME

#: Rules that weapons can still mend once a frame is chosen.
_OPEN = frozenset({"only", "bayonet-lug"})

Wares = tuple[Ware, ...]


@dataclass
class Counts:
    """How the combinations of things were dealt with; the last four add up to the first.

    Parameters
    ----------
    combinations : int
        Ways to take each thing for sale or not (or twice), whatever it costs.
    idle : int
        With something that can change no chance asked about.
    bound : int
        In frames whose bound was too low.
    valued : int
        Worked out and compared.
    broken : int
        Over the budget, against a rule, or in a frame with something that brings nothing.
    frames, frames_cut : int
        How many frames there were, and how many the bound cut.
    solved : int
        Exact scenarios that were solved for it.
    """

    combinations: int = 0
    idle: int = 0
    bound: int = 0
    valued: int = 0
    frames: int = 0
    frames_cut: int = 0
    solved: int = 0

    @property
    def broken(self) -> int:
        """What is left of the combinations: over the budget, against a rule, or in a frame with something in vain."""
        return self.combinations - self.idle - self.bound - self.valued

    def to_dict(self) -> dict[str, int]:
        """Give them as plain data.

        Returns
        -------
        dict
            Name to number.
        """
        return {**vars(self), "broken": self.broken}


@dataclass(frozen=True)
class Frame:
    """Options, what is worn and other kit; what it costs, and the chance to survive in it."""

    wares: Wares
    cost: int
    survival: float


@dataclass(order=True)
class Place:
    """A loadout and its rank: greatest value first, then cheapest, then fewest things, then by name."""

    rank: tuple[float, int, int, int, tuple[str, ...]]
    wares: Wares = field(compare=False)
    value: float = field(compare=False)


class Search:
    """One search.

    Parameters
    ----------
    recruit : Recruit
        The unit.
    odds : Odds
        What loadouts are valued by.
    money : tuple of int
        Ducats and glory for all that it takes beside the unit itself.
    places : int
        How many loadouts are wanted.
    """

    def __init__(self, recruit: Recruit, odds: Odds, money: tuple[int, int], places: int) -> None:
        self.recruit, self.odds, self.wanted = recruit, odds, places
        self.ducats, self.glory = money
        self.counts = Counts()
        self.best: list[Place] = []
        wares = recruit.wares(glory=self.glory > 0, uses=odds.question.times)
        self.wares = tuple(ware for ware in wares if self._affordable((ware,)))
        self.counts.combinations = prod(ware.most + 1 for ware in self.wares)
        self.useful = _useful(self.wares, recruit, odds)
        self.counts.idle = self.counts.combinations - prod(ware.most + 1 for ware in self.useful)
        self._legal: dict[Wares, bool] = {}
        self._arms: dict[Wares, _Arms] = {}
        self._neutral = frozenset(ware for ware in self.useful if self._is_neutral(ware))

    def _is_neutral(self, ware: Ware) -> bool:
        """Whether something worn matters to survival alone: not to attacks, weapons, hands, or any rule."""
        item = ware.item
        if not isinstance(item, Armour) or item.slot == "shield" or "STRONG" in item.grants or helps_attacks(item):
            return False
        needed = any(ware.key in _needs(other, self.recruit) for other in self.wares)
        return not needed and not (item.slot == "body" and any(self.recruit.breaches(())))

    # --- money and rules --------------------------------------------------------------------------------------

    def _affordable(self, wares: Sequence[Ware]) -> bool:
        spent = {"ducats": 0, "glory": 0}
        for ware in wares:
            spent[ware.price.currency] += ware.price.amount
        return spent["ducats"] <= self.ducats and spent["glory"] <= self.glory

    def legal(self, wares: Wares) -> bool:
        """Whether a loadout breaks no rule.

        Parameters
        ----------
        wares : tuple of Ware
            What the model takes.

        Returns
        -------
        bool
            As ``tcsim catalog check`` would say it.
        """
        if wares not in self._legal:
            self._legal[wares] = not self.recruit.breaches(wares)
        return self._legal[wares]

    def _sets(self, frame: Wares, wares: Sequence[Ware], mendable: frozenset[str]) -> Iterator[Wares]:
        """Give every set of some things that can be paid and breaks no rule for good beside a frame."""
        bare = self.recruit.breaches(frame)

        def walk(taken: Wares, start: int) -> Iterator[Wares]:
            yield taken
            for index in range(start, len(wares)):
                ware = wares[index]
                if taken.count(ware) == ware.most:
                    continue
                more = (*taken, ware)
                if self._affordable((*frame, *more)) and not self._is_lost(frame, more, mendable, bare):
                    yield from walk(more, index)

        yield from walk((), 0)

    def _is_lost(self, frame: Wares, taken: Wares, mendable: frozenset[str], bare: list[tuple[str, str]]) -> bool:
        """Whether a set breaks a rule that nothing more can mend: beyond what the unit alone breaks, as to be armed."""
        if sum(ware.place == "upgrades" and not ware.price.amount for ware in taken) > 1:
            return True  # an option at no price is one choice of several
        found = self.recruit.breaches((*frame, *taken))
        if not found:
            return False
        only_bayonets = all("bayonet" in ware.key for ware in taken)  # one more weapon, and they count no more
        lasting = self.recruit.lasting(found)
        lasting += [one for one in found if one[0] not in mendable and one not in lasting and one not in bare]
        return any(one for one in lasting if not (only_bayonets and one[0] in ("hands-melee", "shield-two-handed")))

    # --- the walk ---------------------------------------------------------------------------------------------

    def run(self, advance: Callable[[int], None] | None = None) -> None:
        """Walk through all loadouts; :attr:`best` and :attr:`counts` hold what was found, also when it is stopped.

        Parameters
        ----------
        advance : callable, optional
            Called with 1 after each frame.
        """
        if self.ducats < 0 or self.glory < 0:
            return
        from tcsim.catalog.wares import MENDABLE

        parts = [ware for ware in self.useful if not ware.is_weapon]
        frames = []
        for taken in self._sets((), parts, MENDABLE):
            if not self._in_vain(taken):
                frames.append(Frame(taken, _cost(taken, "ducats"), self.odds.survival(taken)))
        self.counts.frames = len(frames)
        for frame in sorted(frames, key=lambda one: (-one.survival, one.cost, len(one.wares))):
            self._in_frame(frame)
            self.counts.solved = self.odds.solved
            if advance is not None:
                advance(1)

    def _in_vain(self, taken: Wares) -> bool:
        """Whether something worn against attacks could as well be left."""
        survival = self.odds.survival(taken)
        less = (taken[:index] + taken[index + 1 :] for index, ware in enumerate(taken) if ware in self._neutral)
        return any(self.odds.survival(part) >= survival - SAME for part in less)

    def _in_frame(self, frame: Frame) -> None:
        key = tuple(ware for ware in frame.wares if ware not in self._neutral)
        if key not in self._arms:
            self._arms[key] = _Arms(self, key)
        arms = self._arms[key]
        left = (self.ducats - frame.cost, self.glory - _cost(frame.wares, "glory"))
        paid = arms.paid(left)
        strikes = np.where(paid, arms.strikes, -1.0)
        reach = strikes.max(axis=1)
        if frame.survival * float(reach.max()) < self.threshold - SAME:
            self.counts.frames_cut += 1
            self.counts.bound += int(paid.sum())
            return
        self.counts.valued += int(paid.sum())
        for row in np.argsort(-reach, kind="stable"):
            if frame.survival * float(reach[row]) < self.threshold - SAME:
                break
            values = strikes[row] * frame.survival
            alone = float(values[0]) if self.legal((*frame.wares, *arms.held[row])) else -1.0
            for column in np.argsort(-values, kind="stable"):
                value = float(values[column])
                if not paid[row, column] or value < self.threshold - SAME:
                    break
                if column == 0 or value > alone + SAME:  # else the part without melee weapons is as good
                    self._enter((*frame.wares, *arms.held[row], *arms.fights[column]), value)

    @property
    def threshold(self) -> float:
        """The value of the last place, below which nothing is of interest."""
        return self.best[-1].value if len(self.best) == self.wanted else -1.0

    def _enter(self, wares: Wares, value: float) -> None:
        names = tuple(ware.name for ware in wares)
        rank = (-round(value, 12), _cost(wares, "ducats"), _cost(wares, "glory"), len(wares), names)
        place = Place(rank, wares, value)
        if len(self.best) == self.wanted and not place < self.best[-1]:
            return
        if self.legal(wares) and self._lean(wares, value):
            self.best = sorted([*self.best, place])[: self.wanted]

    def _lean(self, wares: Wares, value: float) -> bool:
        """Whether no part of it is legal and as good."""
        parts = {part for size in range(len(wares)) for part in combinations(wares, size)}
        return not any(self.legal(part) and self.odds.value(part) >= value - SAME for part in parts)


def _cost(wares: Wares, currency: str) -> int:
    return sum(ware.price.amount for ware in wares if ware.price.currency == currency)


class _Arms:
    """All weapons that go with a frame: guns and grenades (``held``) by melee weapons (``fights``), and their chances.

    ``strikes[i, j]`` is what the i-th of the one with the j-th of the other comes to over the mix of targets.
    """

    def __init__(self, search: Search, frame: Wares) -> None:
        places = ("ranged", "grenades", "melee")
        weapons = [[ware for ware in search.useful if ware.place == place] for place in places]
        guns, grenades, fights = (list(search._sets(frame, wares, _OPEN)) for wares in weapons)
        held = [(*one, *other) for one in guns for other in grenades]
        self.held = [one for one in held if search._affordable((*frame, *one))]
        self.fights = fights
        self._costs = {
            currency: [np.array([_cost(wares, currency) for wares in sets]) for sets in (self.held, fights)]
            for currency in ("ducats", "glory")
        }
        self.strikes = self._chances(search, frame)

    def paid(self, money: tuple[int, int]) -> NDArray[np.bool_]:
        """Say which can be paid together; shape (len(held), len(fights))."""
        sums = [np.add.outer(*self._costs[currency]) for currency in ("ducats", "glory")]
        return np.asarray((sums[0] <= money[0]) & (sums[1] <= money[1]))

    def _chances(self, search: Search, frame: Wares) -> Floats:
        odds = search.odds
        if not len(odds.weights):
            return np.ones((len(self.held), len(self.fights)))
        melee = [tuple(ware for ware in guns if _in_melee(ware, search.recruit)) for guns in self.held]
        shots = [odds.ways((*frame, *guns), fight=False) for guns in self.held]
        blows = {
            guns: [
                odds.ways((*frame, *guns, *arms), shoot=False) if search._affordable((*frame, *guns, *arms)) else []
                for arms in self.fights
            ]
            for guns in dict.fromkeys(melee)
        }
        lists = [*shots, *(options for several in blows.values() for options in several)]
        every = {repr(option.attacks): option for options in lists for option in options}
        ways = odds.chances(frame, every.values())
        solved = {name: way.chances for name, way in zip(every, ways, strict=True)}
        nothing = np.zeros(len(odds.weights))

        def most(options: list[Option]) -> Floats:
            chances = [solved[repr(option.attacks)] for option in options]
            return np.asarray(np.max([nothing, *chances], axis=0), float)

        by_guns = {guns: np.array([most(options) for options in several]) for guns, several in blows.items()}
        rows = [np.maximum(most(one), by_guns[guns]) @ odds.weights for one, guns in zip(shots, melee, strict=True)]
        return np.array(rows)


def _in_melee(ware: Ware, recruit: Recruit) -> bool:
    """Whether a gun is of use in melee too."""
    return isinstance(ware.item, Weapon) and any(row.id == f"{ware.item.id}-melee" for row in recruit.rows.rows.weapons)


def _useful(wares: Wares, recruit: Recruit, odds: Odds) -> Wares:
    """Leave out what is idle: it changes no chance that is asked about, and nothing that is left needs it."""
    useful = {ware for ware in wares if helps(ware, odds.question, recruit)}
    if any(rule.kind == "must" and rule.parts[0] == "weapon" for rule in recruit.table.rules):
        useful |= {ware for ware in wares if ware.is_weapon}
    if any(rule.kind == "must" and rule.parts[0] == "body" for rule in recruit.table.rules):
        useful |= {ware for ware in wares if isinstance(ware.item, Armour) and ware.item.slot == "body"}
    while True:
        needed = Counter(key for ware in useful for key in _needs(ware, recruit))
        more = {
            ware
            for ware in wares
            if ware not in useful and (ware.key in needed or ("BAYONET LUG" in needed and _has_lug(ware)))
        }
        if not more:
            return tuple(ware for ware in wares if ware in useful)
        useful |= more


def _has_lug(ware: Ware) -> bool:
    return isinstance(ware.item, Weapon) and "BAYONET LUG" in ware.item.keywords


def _needs(ware: Ware, recruit: Recruit) -> list[str]:
    """Ids of what a thing may need beside it, and ``BAYONET LUG``."""
    item = ware.item
    only = item.units if isinstance(item, Upgrade) else recruit.rows.stipulation(item, recruit.faction).only
    found = [word[5:].partition("@")[0] for word in only if word.startswith("with ")]
    if isinstance(item, Armour):
        found += [effect.value for effect in item.effects if effect.target == "only_with"]
    return found + (["BAYONET LUG"] if "bayonet" in ware.key else [])
