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
from tcsim.engines.block import FLOAT_TAILS, Block, Ints, Tails
from tcsim.engines.chain import States
from tcsim.engines.codes import Codes
from tcsim.engines.policies import TIE, Options
from tcsim.scenario import problem as p

Values = NDArray[np.float64]


class Spent(NamedTuple):
    """What an attack's rolls have spent on them, by target's state and attacker's own state.

    ``blood`` and ``blessing``: the attacker's markers, on the action roll. ``guard``: the target's blessing markers on
    the injury roll, and ``choice``: its blood (:meth:`Block.dice`, :meth:`Block.bloodbath`); both also by kind of hit
    (:attr:`Attack.kinds`), before the attacker's own state after the action roll.
    """

    blood: Ints
    blessing: Ints
    guard: Ints
    choice: Ints


class Purse(NamedTuple):
    """The attacker's own states, as one axis: what each has to spend on its action rolls, and where spending leads.

    ``blood``, ``blessing``, shape (states,): markers that may be spent; ``after``, shape (states, blood, blessing): the
    state after so many are (of no meaning where it has fewer).
    """

    blood: Ints
    blessing: Ints
    after: Ints


def _best(worth: Any, starts: Ints, group: Ints, rank: Ints) -> Ints:
    """Give where the best of each group stands: the largest within the tie, and the lowest rank among those."""
    top = np.maximum.reduceat(worth, starts, axis=0)
    place = rank * len(rank) + np.arange(len(rank))
    place = place.reshape(-1, *(1 for _ in worth.shape[1:]))
    good = np.where(worth >= top[group] - TIE, place, np.iinfo(np.int64).max)
    found: Ints = np.minimum.reduceat(good, starts, axis=0) % len(rank)
    return found


def _runs(key: Ints) -> tuple[Ints, Ints]:
    """Give where runs of the same begin, and which run each belongs to."""
    begins = np.diff(key, prepend=-1) != 0
    return np.flatnonzero(begins), np.cumsum(begins) - 1


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
        #: Where the answers to each first choice begin, and which first choice each pair has.
        self.answers_from, self._answering = _runs(self.situation * (int(first.max()) + 1) + self.first)
        self._whose = self.situation[self.answers_from]
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
    """An attack solved backwards: the value of every state before it, and which pairs of choices are taken.

    ``value``, shape (target's states, attacker's own states). ``actions``, shape (s, own states), and ``injuries``,
    shape (s, kinds, own states): pairs of :attr:`Attack.action` in each state in which the attack is made, and of
    :attr:`Attack.injury` by kind of hit and by the attacker's own state after the action roll. The answers are those
    of :meth:`Declarations.solve`.
    """

    value: Values
    actions: Ints
    injuries: Ints
    action_answers: Ints
    injury_answers: Ints


class Attack:
    """An attack of one shot, against a target in any of its states by an attacker in any of its own.

    Parameters
    ----------
    block : Block
        Its problem's policy says how the target's blood is chosen.
    row : int
        Which step.
    codes : Codes
        States of the target; those with no markers of the attacker's own stand for all.
    purse : Purse
        The attacker's own states.
    game : Game
        What is chosen beside the target's blood; ``keeps_blood`` by the block's steps.
    tails : Tails, optional
        Chances of pools; decisions need those in float64.

    Attributes
    ----------
    states : array of int, shape (s,)
        The target's states in which it is made.
    kinds : int
        Kinds of hits: plain and critical; with re-rolls also those of which the roll has ended the activation.
    action, injury : Declarations
        The pairs of choices on its action roll (in each of the attacker's own states) and on its injury roll (in each
        of ``states``, by kind of hit). What is spent on an action roll stands for it and its re-roll.
    blood, blessing : array of int
        What each pair of ``action`` spends of the attacker's markers.
    guard, choice : array of int
        What each pair of ``injury`` spends of the target's blessing markers, and its choice of the target's blood.
    """

    def __init__(
        self, block: Block, row: int, codes: Codes, purse: Purse, game: p.Game, tails: Tails = FLOAT_TAILS
    ) -> None:
        self._block, self._codes, self._purse, self._tails = block, codes, purse, tails
        self._run = codes.shape.own_blood * codes.shape.own_blessing
        self.kinds = 2 * (1 + block.rerolls)
        every = np.arange(codes.size // self._run)
        rows, decoded = np.full_like(every, row), codes.decode(every * self._run)
        begun = chain.begin(block, rows, decoded)
        self._begins = self._codes_of(begun)
        self._made = chain.is_made(block, rows, begun) & (decoded.ended == 0)
        self.states = np.flatnonzero(self._made)
        self._before, self._row = begun.at(self.states), rows[self.states]
        self._problem = np.full_like(self._row, block.problem_of_step[row])
        self._guards = game.guards, int(block.blessing_policy[block.problem_of_step[row]])
        self._policy = int(block.blood_policy[block.problem_of_step[row]])
        self.blood = self.blessing = self.guard = self.choice = np.zeros(0, dtype=np.int64)
        if self.states.size:  # else it is never made
            self._set_injury(bool(game.attacker_first))
            self._set_action(row, game)

    def _codes_of(self, states: States) -> Ints:
        return np.broadcast_to(self._codes.of(states) // self._run, np.broadcast_shapes(*map(np.shape, states)))

    def _set_injury(self, attacker_first: bool) -> None:
        block, states, size = self._block, self._before, self._row.size
        options = Options(block, self._problem, self._row, states)
        buys = np.zeros((size, 2 * block.dice_choices), dtype=bool)
        buys[options.index, options.choice] = True
        pairs = self._may_guard()[:, None, :, None] & buys[:, None, None, :]
        index, kind, guard, choice = np.nonzero(np.repeat(pairs, self.kinds, axis=1))
        if self._policy != p.OPTIMAL:
            keep = self._by_policy(index, kind, guard, choice, attacker_first)
            index, kind, guard, choice = index[keep], kind[keep], guard[keep], choice[keep]
        rank = 2 * self._cost(index, choice) + block.bloodbath(choice)
        self.injury = Declarations(self.kinds * index + kind, guard, rank, attacker_first)
        order = self.injury.order
        index, kind, self.guard, self.choice = index[order], kind[order], guard[order], choice[order]
        before, row, problem = states.at(index)._replace(ended=kind // 2), self._row[index], self._problem[index]
        self._results = []
        reach = chain.injury_chances(block, self._tails, problem, row, before, kind % 2, self.guard, self.choice)
        spent = target.pay(before, self._cost(index, self.choice), self.guard)
        spent = chain.count_hit(block, row, spent, hit=True)
        exactly = (1 - reach[0], reach[0] - reach[1], reach[1] - reach[2], reach[2])
        for result, chance in enumerate(exactly):
            after, out = target.take_result(block, problem, row, spent, result, block.bloodbath(self.choice))
            code = self._codes_of(target.end_volley(block, problem, after))
            self._results.append((chance, code, np.broadcast_to(out, index.shape)))

    def _may_guard(self) -> Any:
        """Which numbers of the target's blessing markers may be spent in each state."""
        size = self._row.size
        held = np.broadcast_to(self._before.blessing, (size,))[:, None]
        chosen, all_spent = self._guards
        numbers = np.arange(int(held.max()) + 1)
        spends = numbers <= held if chosen else numbers == held * all_spent
        forced = chain.forced(self._block, self._row, self._before)
        if forced is None:
            return spends
        return np.where((forced == p.ROLLED)[:, None], spends, numbers == 0)  # nothing is spent where nothing is rolled

    def _cost(self, index: Ints, choice: Ints) -> Any:
        down = np.broadcast_to(self._before.down, self._row.shape)[index]
        return chain.cost(self._block, self._problem[index], self._row[index], down, choice)

    def _by_policy(self, index: Ints, kind: Ints, guard: Ints, choice: Ints, attacker_first: bool) -> Any:
        """Which pairs a policy leaves that settles the target's blood; greedy knows what was declared before it."""
        block = self._block
        dice, bath, cost = block.dice(choice), block.bloodbath(choice), self._cost(index, choice)
        if self._policy == p.NONE:
            return cost == 0
        key = (self.kinds * index + kind) * (int(guard.max()) + 1) + guard
        starts, group = _runs(key)
        if self._policy == p.ALL:
            return dice == np.maximum.reduceat(dice, starts)[group]
        if self._policy == p.BLOODBATH:
            return (dice == 0) & (bath == np.maximum.reduceat(bath, starts)[group])
        known = 0 * guard if attacker_first else guard
        states, row, problem = self._before.at(index), self._row[index], self._problem[index]
        out = chain.injury_chances(block, FLOAT_TAILS, problem, row, states, kind % 2, known, choice)[2]
        return np.arange(key.size) == _best(out, starts, group, 2 * cost + bath)[group]

    def _set_action(self, row: int, game: p.Game) -> None:
        block, purse = self._block, self._purse
        rolled = not block.step.auto_hit[row]
        keeps = bool(game.keeps_blood) and bool(game.keeps_blood[row])
        self.action, self.blood, self.blessing = on_action(
            purse, bool(game.attacker_first), rolled and not keeps, rolled
        )
        self._own_after = purse.after[self.action.situation, self.blood, self.blessing]
        dice, self._dice = np.unique(self.blessing - self.blood, return_inverse=True)
        chances = np.array([self._chances(int(number)) for number in dice])  # by dice, story, result and state
        self._misses, self._missed = chances[:, :, 0], []
        self._hits = chances[:, :, 1:].reshape(len(dice), self.kinds, -1)
        for story in range(self.kinds // 2):
            ended = np.maximum(block.step.risky[self._row] == 1, story)
            missed = chain.count_hit(block, self._row, self._before._replace(ended=ended), hit=False)
            self._missed.append(self._codes_of(missed))

    def _chances(self, dice: int) -> list[Any]:
        stories = chain.hit_chances(self._block, self._tails, self._problem, self._row, self._before, True, dice)
        return [[np.broadcast_to(chance, self._row.shape) for chance in story] for story in stories]

    def before(self, later: Values, out: float = 1.0) -> Solved:
        """Work out the values before the attack, and what both choose.

        Parameters
        ----------
        later : array, shape (target's states, attacker's own states)
            What each pair of states is worth after it, to the attacker's player.
        out : float, optional
            What it is worth to take the target out of action.

        Returns
        -------
        Solved
            Values and choices.
        """
        value = later[self._begins]
        if not self.states.size:
            none = np.zeros((0, self.kinds, value.shape[1]), dtype=np.int64)
            return Solved(value, none[:, 0], none, none[:, 0], none[:, 0])
        worth = np.zeros((self.guard.size, value.shape[1]))
        for chance, code, is_out in self._results:
            worth += chance[:, None] * np.where(is_out[:, None], out, later[code])
        injury_answers, injuries = self.injury.solve(worth)
        gained = np.take_along_axis(worth, injuries, axis=0).reshape(self.states.size, self.kinds, -1)
        own, dice = self._own_after, self._dice
        roll = np.zeros((dice.size, self.states.size))
        for story, missed in enumerate(self._missed):
            roll += self._misses[dice, story] * later[missed].T[own]
        for kind in range(self.kinds):
            roll += self._hits[dice, kind] * gained[:, kind].T[own]
        action_answers, actions = self.action.solve(roll)
        value[self.states] = np.take_along_axis(roll, actions, axis=0).T
        return Solved(value, actions.T, injuries.reshape(gained.shape), action_answers, injury_answers)

    def spent(self, solved: Solved) -> Spent:
        """Give what is spent where both choose as solved.

        Parameters
        ----------
        solved : Solved
            From :meth:`before`.

        Returns
        -------
        Spent
            In each of ``states``.
        """
        actions, injuries = solved.actions, solved.injuries
        return Spent(self.blood[actions], self.blessing[actions], self.guard[injuries], self.choice[injuries])

    def after(self, chances: Any, solved: Solved) -> tuple[Any, Any]:
        """Play the attack as solved.

        Parameters
        ----------
        chances : array, shape (target's states, attacker's own states)
            Of each pair of states before it, in the number type of ``tails``.
        solved : Solved
            What both choose.

        Returns
        -------
        array, number
            The chances after it, and the chance that it takes the target out of action.
        """
        after, out = np.zeros_like(chances), 0 * chances.flat[0]
        np.add.at(after, self._begins[~self._made], chances[~self._made])
        if not self.states.size:
            return after, out
        state, own, mass = self._rolled(chances)
        action = solved.actions[state, own]
        left, dice = self._own_after[action], self._dice[action]
        for story, missed in enumerate(self._missed):
            np.add.at(after, (missed[state], left), mass * self._misses[dice, story, state])
        hits = self.hits(chances, solved)
        state, kind, own = np.nonzero(hits)
        part, pair = hits[state, kind, own], solved.injuries[state, kind, own]
        for chance, code, is_out in self._results:
            share, over = part * chance[pair], is_out[pair]
            out = out + share[over].sum()
            np.add.at(after, (code[pair][~over], own[~over]), share[~over])
        return after, out

    def hits(self, chances: Any, solved: Solved) -> Any:
        """Roll to hit, as solved.

        Parameters
        ----------
        chances, solved
            As for :meth:`after`.

        Returns
        -------
        array, shape (s, kinds, attacker's own states)
            The chances of each kind of hit, by the attacker's own state after the action roll.
        """
        state, own, mass = self._rolled(chances)
        action = solved.actions[state, own]
        left, dice = self._own_after[action], self._dice[action]
        found = np.zeros((self.states.size, self.kinds, chances.shape[1]), dtype=chances.dtype)
        for kind in range(self.kinds):
            np.add.at(found[:, kind], (state, left), mass * self._hits[dice, kind, state])
        return found

    def _rolled(self, chances: Any) -> tuple[Ints, Ints, Any]:
        """The states in which it is made, of the target and the attacker's own, and how probable they are."""
        made = chances[self.states]
        state, own = np.nonzero(made)
        return state, own, made[state, own]


def on_action(
    purse: Purse, attacker_first: bool, drains: bool = True, blesses: bool = True
) -> tuple[Declarations, Ints, Ints]:
    """List the pairs of choices on an action roll.

    Parameters
    ----------
    purse : Purse
        The roller's own states: the situations.
    attacker_first : bool
        Whether the roller's player declares first.
    drains, blesses : bool, optional
        Whether its blood can be spent, and its blessings.

    Returns
    -------
    Declarations, array of int, array of int
        The pairs, and the blood and blessing markers that each spends.
    """
    most_blood, most_blessing = purse.blood * drains, purse.blessing * blesses
    grid = np.ogrid[: purse.blood.size, : int(most_blood.max()) + 1, : int(most_blessing.max()) + 1]
    own, blood, blessing = np.nonzero((grid[1] <= most_blood[grid[0]]) & (grid[2] <= most_blessing[grid[0]]))
    pairs = Declarations(own, blood, blessing, attacker_first)
    return pairs, blood[pairs.order], blessing[pairs.order]
