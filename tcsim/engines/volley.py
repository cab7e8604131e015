"""Shots resolved together when markers are dealt out to all of their hits at once.

All shots are rolled to hit, then markers are declared for every hit, then each injury is rolled against the state
before the action. So what one hit does to the state within the volley (TOUGH used up, markers placed, fallen) commutes
with what another does, and of hits only numbers matter: so many plain, so many critical. A hit is a matrix over the
states within the volley; hits that get no marker are powers of two of them, and the few that get some are a product
kept for each *deal* of markers. With blessings the first hit is another one, and is told apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.engines import chain, target
from tcsim.engines.block import Block, Ints, Tails
from tcsim.engines.chain import NOTHING, States
from tcsim.engines.policies import keeps_dice
from tcsim.scenario import problem as p

#: Fields of a state that soften what a hit does, each until it is used up.
SOFT = ("tough", "spared", "warded", "firm")

#: Fields of a state that change within a volley; the others stay as they were before it.
_WITHIN = (*SOFT, "placed", "infecting", "fallen")


@dataclass(frozen=True)
class Deals:
    """How the markers of one volley are dealt out.

    Parameters
    ----------
    which : array of int32, shape (states, ended, first, shots + 1, shots + 1)
        The row of ``deals`` by state before the volley (those whose activation has not ended), by whether the shots
        have ended the activation, kind of the first hit, and numbers of plain and of critical hits. ``ended`` has
        size 1 where no shot can, ``first`` where it changes nothing: no blessing is spent on the first hit, and no
        deals that are worth the same differ in what it gets.
    deals : array of int8, shape (deals, 1 + 2 * hits)
        Choices: of the first hit, where a blessing is spent on it; of each other plain hit in order, and of each other
        critical one.
    """

    which: NDArray[np.int32]
    deals: NDArray[np.int8]

    @property
    def hits(self) -> int:
        """How many hits of a kind a deal tells of; those behind get nothing."""
        return int(self.deals.shape[1] - 1) // 2


class Volley:
    """One volley of one problem: its states within, and each hit as a matrix.

    Parameters
    ----------
    block : Block
        The problems.
    tails : Tails
        Chances of pools, in the number type wanted.
    problem, row : int
        Which problem and step.

    Attributes
    ----------
    shots, ends : int
        Shots; 2 where one can end the activation, else 1.
    within : States of array
        The states within the volley, each out of action left out, which is the one behind the last.
    """

    def __init__(self, block: Block, tails: Tails, problem: int, row: int) -> None:
        self.block, self.tails, self.problem, self.row = block, tails, problem, row
        one = block.problems[problem]
        self.step, self.start, limit = one.steps[row - self._first_row()], one.start, one.charts.marker_limit
        self.shots = self.step.shots
        self.ends = 1 + int(bool(self.step.risky or self.step.special.rerolls))
        few = self.step.special
        infection = limit * bool(few.infects or few.infection or few.infection_if_marked)
        self.most = limit * (1 + one.has_infection)
        absorbs = one.rulings.tough_absorbs_volley
        soft = (1 + self.start.tough * (1 + absorbs), 1 + self.start.spared, 1 + self.start.warded, 1 + self.start.firm)
        self.shape = (*soft, 1 + limit, 1 + infection, 2)
        self.size = int(np.prod(self.shape))
        columns = dict(zip(_WITHIN, np.unravel_index(np.arange(self.size), self.shape), strict=True))
        nothing = np.zeros(1, dtype=np.int64)
        self.within = States(ended=nothing, blessing=nothing, down=nothing, blood=nothing, **columns)
        self.rolls_injury = self.step.special.result == p.ROLLED
        self.has_blessing = bool(one.policy.blessing and self.start.blessing and self.rolls_injury)
        self._hits: dict[tuple[int, int, int, int], NDArray[Any]] = {}

    def _first_row(self) -> int:
        return int(np.searchsorted(self.block.problem_of_step, self.problem))

    def index(self, states: States) -> Ints:
        """Give the place of states among those within the volley.

        Parameters
        ----------
        states : States of array
            Within the volley, or before it.

        Returns
        -------
        array of int
            Places.
        """
        place: Any = np.zeros(1, dtype=np.int64)
        for name, size in zip(_WITHIN, self.shape, strict=True):
            place = place * size + (getattr(states, name) if size > 1 else 0)
        return np.asarray(place)

    @cached_property
    def choices(self) -> tuple[Ints, Ints]:
        """Every choice that is legal and can ever be paid, and what each costs: by Down."""
        block, every = self.block, np.arange(2 * self.block.dice_choices)
        dice, bath = block.dice(every), block.bloodbath(every)
        leftovers = bool(block.rulings.bloodbath_leftovers[self.problem])
        costs = np.stack([chain.cost(block, self._i, self._r, np.array(down), every) for down in (0, 1)])
        legal = (costs.min(axis=0) <= self.most) & (leftovers | (bath == 0) | (dice == 0))
        legal &= (every == 0) | self.rolls_injury
        legal &= (dice == 0) | ~keeps_dice(block, self._i)
        return every[legal], costs[:, legal]

    @property
    def _i(self) -> Ints:
        return np.array([self.problem])

    @property
    def _r(self) -> Ints:
        return np.array([self.row])

    def hit(self, down: int, critical: int, choice: int, blessing: int = 0) -> NDArray[Any]:
        """Give what one hit does, as a matrix from states within the volley to such states and out of action.

        Parameters
        ----------
        down : int
            Whether the target is Down before the volley.
        critical : int
            Whether the hit is critical.
        choice : int
            What is spent on it.
        blessing : int, optional
            Blessing markers that are spent on it.

        Returns
        -------
        array, shape (size + 1, size + 1)
            Probabilities, in the number type of the tails; out of action stays so.
        """
        key = (down, critical, choice, blessing)
        if key not in self._hits:
            self._hits[key] = self._matrix(*key)
        return self._hits[key]

    def _matrix(self, down: int, critical: int, choice: int, blessing: int) -> NDArray[Any]:
        block, choose = self.block, np.array([choice])
        states = self.within._replace(down=np.array([down]))
        before = states._replace(**dict.fromkeys(SOFT, NOTHING))
        reach = chain.injury_chances(
            block, self.tails, self._i, self._r, before, np.array([critical]), np.array([blessing]), choose
        )
        exactly = (1 - reach[0], reach[0] - reach[1], reach[1] - reach[2], reach[2])
        matrix = np.zeros((self.size + 1, self.size + 1), dtype=self.tails.dtype)
        for result, chance in enumerate(exactly):
            after, is_out = target.take_result(block, self._i, self._r, states, result, block.bloodbath(choose))
            place = np.where(is_out, self.size, np.broadcast_to(self.index(after), (self.size,)))
            matrix[np.arange(self.size), place] += chance[0]
        matrix[self.size, self.size] += 1
        return matrix

    def patterns(self, down: int) -> NDArray[Any]:
        """Chances of so many plain and critical hits.

        Parameters
        ----------
        down : int
            Whether the target is Down before the volley.

        Returns
        -------
        array, shape (ends, 2, shots + 1, shots + 1)
            By whether the activation ends, kind of the first hit (plain where there is none), plain and critical hits.
        """
        chances = np.zeros((2, 2, self.shots + 1, self.shots + 1), dtype=self.tails.dtype)
        chances[0, 0, 0, 0] = chances[0, 0, 0, 0] + 1
        states = self.within._replace(down=np.array([down]))
        for shot in range(self.shots):
            stories = chain.hit_chances(self.block, self.tails, self._i, self._r, states, shot == 0)
            before, chances = chances, np.zeros_like(chances)
            for story, (miss, hit, critical) in enumerate(stories):
                for ended in (0, 1):
                    over = max(ended, story)
                    chances[max(over, self.step.risky)] += before[ended] * miss[0]
                    chances[over, :, 1:] += before[ended, :, :-1] * hit[0]
                    added = before[ended, :, :, :-1] * critical[0]
                    first = added[0, 0, 0]  # the first hit of all is this critical one
                    chances[over, :, :, 1:] += added
                    chances[over, 0, 0, 1] -= first
                    chances[over, 1, 0, 1] += first
        return chances[: self.ends]

    def after(self, down: int, blood: int, infection: int, blessing: int, ended: int) -> States:
        """Let the volley end in each of its states.

        Parameters
        ----------
        down : int
            Whether the target was Down before.
        blood, infection, blessing : int
            Markers that are left.
        ended : int
            Whether the activation has ended.

        Returns
        -------
        States of array, shape (size,)
            The targets after it.
        """
        given = {"down": down, "blood": blood, "infection": infection, "blessing": blessing, "ended": ended}
        states = self.within._replace(**{name: np.array([value]) for name, value in given.items()})
        ended_states = target.end_volley(self.block, self._i, states)
        return States(*(np.broadcast_to(field, (self.size,)) for field in ended_states))

    def powers(self, down: int, column: NDArray[Any]) -> NDArray[Any]:
        """What columns are worth before so many hits that get no marker.

        Parameters
        ----------
        down : int
            Whether the target is Down before the volley.
        column : array, shape (size + 1, n)
            What each state is worth when the volley ends.

        Returns
        -------
        array, shape (shots + 1, shots + 1, size + 1, n)
            By plain and critical hits.
        """
        plain, critical = self.hit(down, 0, 0), self.hit(down, 1, 0)
        worth = np.zeros((self.shots + 1, self.shots + 1, *column.shape), dtype=column.dtype)
        worth[0, 0] = column
        for hits in range(self.shots):
            worth[0, hits + 1] = critical @ worth[0, hits]
        for hits in range(self.shots):
            worth[hits + 1] = plain @ worth[hits]
        return worth
