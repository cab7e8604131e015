"""One attack as a game of two players: who spends what, each as is best for them.

The attacker's player wants a large value at the end, the target's player a small one. Before the action roll the
target's player picks how many of the attacker's blood markers to spend (-1 DICE each) and the attacker's player how
many of its blessing markers (+1 DICE each). Once a hit, and whether it is critical, is known, the target's player picks
how many of the target's blessing markers to spend (-1 injury die each) and the attacker's player how much of its blood,
as injury dice and for a Bloodbath. On each roll one player declares first and the other one answers, so it is a game of
perfect information, and the value of a state before an attack follows from the values of those after it.

What one player may choose can be settled beforehand instead. The rules of a roll are those of
:mod:`tcsim.engines.chain` and :mod:`tcsim.engines.target`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tcsim.engines import chain, target
from tcsim.engines.block import FLOAT_TAILS, Block, Ints
from tcsim.engines.chain import Codes, States
from tcsim.engines.policies import TIE, Options
from tcsim.scenario import problem as p

Values = NDArray[np.float64]


class Purse(NamedTuple):
    """The attacker's own states, as one axis: what each has to spend on its action rolls, and where spending leads.

    ``dice``: DICE of each state on every action roll; ``blood``, ``blessing``: markers that may be spent; state ``a``
    becomes ``a - blood_step`` with a blood marker less, ``a - blessing_step`` with a blessing marker less.
    """

    dice: Ints
    blood: Ints
    blessing: Ints
    blood_step: int
    blessing_step: int


class Spent(NamedTuple):
    """What an attack's rolls have spent on them, by target's state and attacker's own state.

    ``blood`` and ``blessing``: the attacker's markers, on the action roll. ``guard``: the target's blessing markers on
    the injury roll, and ``choice``: its blood (:meth:`Block.dice`, :meth:`Block.bloodbath`); both also by plain or
    critical hit, and by the attacker's own state after the action roll.
    """

    blood: Ints
    blessing: Ints
    guard: Ints
    choice: Ints


def _best(worth: Any, starts: Ints, group: Ints, rank: Ints) -> Ints:
    """Give where the best of each group stands: the largest within the tie, and the lowest rank among those."""
    top = np.maximum.reduceat(worth, starts, axis=0)
    place = rank * len(rank) + np.arange(len(rank))
    place = place.reshape(-1, *(1 for _ in worth.shape[1:]))
    good = np.where(worth >= top[group] - TIE, place, np.iinfo(np.int64).max)
    found: Ints = np.minimum.reduceat(good, starts, axis=0) % len(rank)
    return found


class Declarations:
    """Every pair of choices on a roll: in each situation one player declares first, and the other one answers.

    Parameters
    ----------
    situation : array of int, shape (m,)
        Which situation, 0 to n - 1, each at least once.
    target, attacker : array of int, shape (m,)
        What the target's and the attacker's player choose, as ranks: among equally good ones the lowest is taken.
    attacker_first : bool
        Whether the attacker's player declares first.

    Attributes
    ----------
    order : array of int, shape (m,)
        The pairs in the order in which all other arrays have them: by situation, first choice and answer.
    """

    def __init__(self, situation: Ints, target: Ints, attacker: Ints, attacker_first: bool) -> None:
        self._sign = 1.0 if attacker_first else -1.0  # of the player who declares first
        first, second = (attacker, target) if attacker_first else (target, attacker)
        self.order = np.lexsort((second, first, situation))
        self.situation, self.first, self._second = (array[self.order] for array in (situation, first, second))
        key = self.situation * (int(first.max()) + 1) + self.first
        starts = np.flatnonzero(np.diff(key, prepend=-1))
        #: Where the answers to each first choice begin, and which first choice each pair has.
        self.answers_from, self._answering = starts, np.cumsum(np.diff(key, prepend=-1) != 0) - 1
        self._whose = self.situation[starts]
        self._from = np.searchsorted(self._whose, np.arange(int(self._whose[-1]) + 1))

    def solve(self, worth: Any) -> tuple[Ints, Ints]:
        """Let both choose.

        Parameters
        ----------
        worth : array, shape (m, ...)
            What each pair is worth to the attacker's player.

        Returns
        -------
        answers : array of int, shape (first choices, ...)
            The pair that each first choice comes to.
        pairs : array of int, shape (n, ...)
            The pair that is chosen in each situation.
        """
        answers = _best(-self._sign * worth, self.answers_from, self._answering, self._second)
        comes_to = np.take_along_axis(worth, answers, axis=0)
        picked = _best(self._sign * comes_to, self._from, self._whose, self.first[self.answers_from])
        return answers, np.take_along_axis(answers, picked, axis=0)


@dataclass(frozen=True)
class Solved:
    """An attack solved backwards: the values before it, what is spent, and the pairs behind that.

    ``action_answers``, ``injury_answers``: as :meth:`Declarations.solve` gives them.
    """

    worth: Values
    spent: Spent
    action_answers: Ints
    injury_answers: Ints


class Attack:
    """An attack of one shot, against targets in some states by an attacker in any of its own states.

    Parameters
    ----------
    block : Block
        Of one problem, whose policy says how the target's blood is chosen; without re-rolls.
    row : int
        Which step.
    codes : Codes
        States of the target; codes come in runs of one for each of the attacker's own states.
    states : array of int, shape (s,)
        The target's states, as codes divided by the length of a run, in which the attack is made.
    purse : Purse
        The attacker's own states, as many as a run is long.
    game : Game
        What is chosen beside the target's blood.
    """

    def __init__(self, block: Block, row: int, codes: Codes, states: Ints, purse: Purse, game: p.Game) -> None:
        self._block, self._codes, self._run, self._purse = block, codes, purse.dice.size, purse
        self._before = chain.begin(block, np.full_like(states, row), codes.decode(states * self._run))
        self._row, self._problem = np.full_like(states, row), np.zeros_like(states)
        self._set_injury(game)
        self._set_action(row, game)

    def _codes_of(self, states: States) -> Ints:
        return self._codes.of(states) // self._run

    def _set_injury(self, game: p.Game) -> None:
        block, states, size = self._block, self._before, self._row.size
        options = Options(block, self._problem, self._row, states)
        buys = np.zeros((size, 2 * block.dice_choices), dtype=bool)
        buys[options.index, options.choice] = True
        blessing = np.broadcast_to(states.blessing, (size,))
        spends = np.arange(int(blessing.max()) + 1) <= game.guards * blessing[:, None]
        spends |= np.arange(spends.shape[1]) == (blessing * block.blessing_policy[0])[:, None]
        spends[:, 0] &= (block.blessing_policy[0] == 0) | (blessing == 0)
        forced = chain.forced(block, self._row, states)
        if forced is not None:  # nothing is spent where nothing is rolled
            spends = np.where((forced == p.ROLLED)[:, None], spends, np.arange(spends.shape[1]) == 0)
        pairs = spends[:, None, :, None] & buys[:, None, None, :]
        index, critical, guard, choice = np.nonzero(np.repeat(pairs, 2, axis=1))
        if block.blood_policy[0] != p.OPTIMAL:
            keep = self._by_policy(index, critical, guard, choice, bool(game.attacker_first))
            index, critical, guard, choice = index[keep], critical[keep], guard[keep], choice[keep]
        rank = 2 * self._cost(index, choice) + block.bloodbath(choice)
        self.injury = Declarations(2 * index + critical, guard, rank, bool(game.attacker_first))
        order = self.injury.order
        index, critical, self.guard, self.choice = index[order], critical[order], guard[order], choice[order]
        before, row, problem = states.at(index), self._row[index], self._problem[index]
        self._results = []
        reach = chain.injury_chances(block, FLOAT_TAILS, problem, row, before, critical, self.guard, self.choice)
        spent = target.pay(before, self._cost(index, self.choice), self.guard)
        spent = chain.count_hit(block, spent, hit=True)
        exactly = (1 - reach[0], reach[0] - reach[1], reach[1] - reach[2], reach[2])
        for result, chance in enumerate(exactly):
            after, out = target.take_result(block, problem, row, spent, result, block.bloodbath(self.choice))
            code = self._codes_of(target.end_volley(block, problem, after))
            self._results.append((chance[:, None], code, np.broadcast_to(out, index.shape)[:, None]))

    def _cost(self, index: Ints, choice: Ints) -> Any:
        down = np.broadcast_to(self._before.down, self._row.shape)[index]
        return chain.cost(self._block, self._problem[index], self._row[index], down, choice)

    def _by_policy(self, index: Ints, critical: Ints, guard: Ints, choice: Ints, attacker_first: bool) -> Any:
        """Which pairs a policy leaves that settles the target's blood; greedy knows what was declared before it."""
        block, policy = self._block, self._block.blood_policy[0]
        dice, bath, cost = block.dice(choice), block.bloodbath(choice), self._cost(index, choice)
        if policy == p.NONE:
            return cost == 0
        key = (2 * index + critical) * (int(guard.max()) + 1) + guard
        starts, group = np.flatnonzero(np.diff(key, prepend=-1)), np.cumsum(np.diff(key, prepend=-1) != 0) - 1
        if policy == p.ALL:
            return dice == np.maximum.reduceat(dice, starts)[group]
        if policy == p.BLOODBATH:
            return (dice == 0) & (bath == np.maximum.reduceat(bath, starts)[group])
        known = 0 * guard if attacker_first else guard
        states, row, problem = self._before.at(index), self._row[index], self._problem[index]
        out = chain.injury_chances(block, FLOAT_TAILS, problem, row, states, critical, known, choice)[2]
        return np.arange(key.size) == _best(out, starts, group, 2 * cost + bath)[group]

    def _set_action(self, row: int, game: p.Game) -> None:
        block, purse = self._block, self._purse
        rolled = not block.step.auto_hit[row]
        keeps = bool(game.keeps_blood) and bool(game.keeps_blood[row])
        most_blood = purse.blood * (rolled and not keeps)
        most_blessing = purse.blessing * rolled
        grid = np.ogrid[: purse.dice.size, : int(most_blood.max()) + 1, : int(most_blessing.max()) + 1]
        own, blood, blessing = np.nonzero((grid[1] <= most_blood[grid[0]]) & (grid[2] <= most_blessing[grid[0]]))
        self.action = Declarations(own, blood, blessing, bool(game.attacker_first))
        order = self.action.order
        own, self.blood, self.blessing = own[order], blood[order], blessing[order]
        self._own_after = own - self.blood * purse.blood_step - self.blessing * purse.blessing_step
        dice, self._dice = np.unique(purse.dice[own] - self.blood + self.blessing, return_inverse=True)
        chances = [self._hit_chances(int(number)) for number in dice]
        self._miss, self._hit, self._critical = (np.array(column) for column in zip(*chances, strict=True))
        ended = np.where(block.step.risky[self._row] == 1, 1, self._before.ended)
        self._missed = self._codes_of(chain.count_hit(block, self._before._replace(ended=ended), hit=False))

    def _hit_chances(self, dice: int) -> tuple[Any, ...]:
        [chances] = chain.hit_chances(self._block, FLOAT_TAILS, self._problem, self._row, self._before, True, dice)
        return tuple(np.broadcast_to(chance, self._row.shape) for chance in chances)

    def before(self, later: Values, out: float = 1.0) -> Solved:
        """Work out the values before the attack.

        Parameters
        ----------
        later : array, shape (target's states, attacker's own states)
            What each pair of states is worth after it, to the attacker's player.
        out : float, optional
            What it is worth to take the target out of action.

        Returns
        -------
        Solved
            Values and decisions, for the states given.
        """
        worth = sum(chance * np.where(is_out, out, later[code]) for chance, code, is_out in self._results)
        answers, pairs = self.injury.solve(worth)
        shape = (self._row.size, 2, self._run)
        gained = np.take_along_axis(worth, pairs, axis=0).reshape(shape)
        own, dice = self._own_after, self._dice
        roll = self._miss[dice] * later[self._missed].T[own]
        roll += self._hit[dice] * gained[:, 0].T[own] + self._critical[dice] * gained[:, 1].T[own]
        action_answers, actions = self.action.solve(roll)
        spent = Spent(
            blood=self.blood[actions].T,
            blessing=self.blessing[actions].T,
            guard=self.guard[pairs].reshape(shape),
            choice=self.choice[pairs].reshape(shape),
        )
        return Solved(np.take_along_axis(roll, actions, axis=0).T, spent, action_answers, answers)
