"""Shots resolved together as a game of two players.

All shots are rolled to hit one after the other, and before each action roll both players spend the attacker's markers
as before that of a single attack (:mod:`tcsim.engines.game`), knowing which shots of the volley have hit. Then, with
all hits known, one player deals its markers out to all of them, the other one answers, and the injuries are rolled
against the state before the volley (:mod:`tcsim.engines.hands`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.engines import chain
from tcsim.engines.block import FLOAT_TAILS, Block, Ints
from tcsim.engines.chain import States
from tcsim.engines.codes import Codes
from tcsim.engines.game import Purse, Values, on_action
from tcsim.engines.hands import Hands, kinds_of
from tcsim.engines.volley import SOFT, Volley
from tcsim.scenario import problem as p

#: What is spent on an action roll as one number: this times the blood, and the blessings.
BLOOD_PLACE = 8

#: How probable each sequence of hits is, with whether the activation has ended and the attacker's markers left.
Now = dict[tuple[int, ...], Any]


def columns(shots: int) -> int:
    """Give how many columns tell what is spent on a volley.

    Parameters
    ----------
    shots : int
        Shots of it.

    Returns
    -------
    int
        For each shot one by the sequence of hits before it, then one by the sequence of all hits.
    """
    return (shots + 2) << shots


@dataclass(frozen=True)
class Dealt:
    """What is spent on a volley.

    Parameters
    ----------
    which : array of int32, shape (codes, ends, columns)
        By state before the volley with what the attacker has left of its own when it is asked, and by whether the
        shots have ended the activation (of size 1 where none can): in column ``shot << shots | sequence`` what is spent
        on an action roll (``BLOOD_PLACE``), in ``shots << shots | sequence`` the row of ``deals``.
    deals : array of int8, shape (deals, 2 * shots)
        Choice and blessings of each hit in order.
    """

    which: NDArray[np.int32]
    deals: NDArray[np.int8]


@dataclass(frozen=True)
class SolvedVolley:
    """A volley solved backwards: the value of every pair of states before it, and what both spend."""

    value: Values
    dealt: Dealt


class VolleyRoll:
    """A volley, against a target in any of its states by an attacker in any of its own.

    Parameters
    ----------
    block, row, codes, purse, game
        As for :class:`tcsim.engines.game.Attack`.

    Attributes
    ----------
    states : array of int, shape (s,)
        The target's states in which it is made.
    spends : tuple of bool
        Whether the attacker's blood can be spent on its action rolls, and its blessings.
    """

    def __init__(self, block: Block, row: int, codes: Codes, purse: Purse, game: p.Game) -> None:
        self.block, self.row, self.codes = block, row, codes
        self.volley = Volley(block, FLOAT_TAILS, 0, row)
        self._hands = Hands(self.volley, game)
        self._own = purse.blood.size
        every = np.arange(codes.going // self._own)
        rows, decoded = np.full_like(every, row), codes.decode(every * self._own)
        begun = chain.begin(block, rows, decoded)
        self._begins = np.broadcast_to(codes.of(begun) // self._own, every.shape)
        self.states = np.flatnonzero(np.broadcast_to(chain.is_made(block, rows, begun), every.shape))
        self._fields = _columns_of(begun.at(self.states), self.states.size)
        rolled = not block.step.auto_hit[row]
        keeps = bool(game.keeps_blood) and bool(game.keeps_blood[row])
        self.spends = bool(rolled and not keeps), bool(rolled)
        self._action, self._blood, self._blessing = on_action(purse, bool(game.attacker_first), *self.spends)
        self._own_after = purse.after[self._action.situation, self._blood, self._blessing]
        self._dice = self._blessing - self._blood

    def before(self, later: Values, out: float = 1.0) -> SolvedVolley:
        """Work out the values before the volley, and what both choose.

        Parameters
        ----------
        later, out
            As for :meth:`tcsim.engines.game.Attack.before`.

        Returns
        -------
        SolvedVolley
            Values and choices.
        """
        shots, ends = self.volley.shots, self.volley.ends
        which = np.zeros((self.codes.going // self._own, self._own, ends, columns(shots)), dtype=np.int32)
        value = later.copy()
        value[: len(self._begins)] = later[self._begins]
        rows: dict[tuple[int, ...], int] = {}
        if self.states.size:
            worth = self._dealt(later, out, which, rows)
            for shot in range(shots - 1, -1, -1):
                worth = self._shot(shot, worth, which)
            value[self.states] = worth[1, 0].T
        deals = np.array(list(rows), dtype=np.int8).reshape(-1, 2 * shots)
        return SolvedVolley(value, Dealt(which.reshape(-1, ends, columns(shots)), deals))

    def after(self, chances: Values, solved: SolvedVolley) -> tuple[Values, float]:
        """Play the volley as solved.

        Parameters
        ----------
        chances : array of float, shape (target's states, attacker's own states)
            Of each pair of states before it.
        solved : SolvedVolley
            What both choose.

        Returns
        -------
        array of float, float
            The chances after it, and the chance that it takes the target out of action.
        """
        after, made = chances.copy(), self.begun(chances)
        after[: len(self._begins)] = 0
        unmade = np.setdiff1d(np.arange(len(self._begins)), self.states)
        np.add.at(after, self._begins[unmade], chances[unmade])
        if not made.any():
            return after, 0.0
        code = np.flatnonzero(made)
        states, mass, out = play(self.volley, self.codes, solved.dealt, code, made.flat[code])
        np.add.at(after.reshape(-1), self.codes.of(states), mass)
        return after, float(out)

    def begun(self, chances: Values) -> Values:
        """Give the chances of the states in which it is made.

        Parameters
        ----------
        chances : array of float, shape (target's states, attacker's own states)
            Of each pair of states before it.

        Returns
        -------
        array of float
            Of the same shape; 0 where it is not made.
        """
        begun = np.zeros_like(chances)
        np.add.at(begun, self._begins[self.states], chances[self.states])
        return begun

    def _shot(self, shot: int, later: dict[Any, Values], which: NDArray[np.int32]) -> dict[Any, Values]:
        """Let both choose before an action roll; values by sequence of hits and ended, shape (own states, states)."""
        volley, own = self.volley, self._own_after
        found: dict[Any, Values] = {}
        numbers, dice = np.unique(self._dice, return_inverse=True)
        chances = np.array([[_chances(volley, down, shot, int(n)) for down in (0, 1)] for n in numbers])
        by_pair = chances[dice][:, self._fields["down"]]  # pairs, states, stories, results
        code = (BLOOD_PLACE * self._blood + self._blessing).astype(np.int32)
        for sequence, ended in np.ndindex(2 << shot, volley.ends):
            if sequence == 0:
                continue
            roll = np.zeros(by_pair.shape[:2])
            for story, result in np.ndindex(by_pair.shape[2:]):
                over = max(ended, story, volley.step.risky if result == 0 else 0)
                hits = sequence if result == 0 else 2 * sequence + result - 1
                roll += by_pair[:, :, story, result] * later[hits, over][own]
            _, picked = self._action.solve(roll)
            found[sequence, ended] = np.take_along_axis(roll, picked, axis=0)
            which[self.states, :, ended, (shot << volley.shots) + sequence] = code[picked].T
        return found

    def _dealt(
        self, later: Values, out: float, which: NDArray[np.int32], rows: dict[tuple[int, ...], int]
    ) -> dict[Any, Values]:
        """Let both deal their markers out to the hits; values by sequence of hits and ended."""
        shots, ends, fields = self.volley.shots, self.volley.ends, self._fields
        found = {
            (sequence, ended): np.zeros((self._own, self.states.size))
            for sequence in range(1, 2 << shots)
            for ended in range(ends)
        }
        situations = np.stack([fields[name] for name in ("down", "blood", "infection", "blessing")], axis=1)
        for down, blood, infection, blessing in np.unique(situations, axis=0).tolist():
            here = np.flatnonzero((situations == (down, blood, infection, blessing)).all(axis=1))
            after = self._after(later, out, (down, blood, infection, blessing), here)
            for sequence in range(1, 2 << shots):
                hand = self._hands.hand(sequence, down, blood + infection, blessing)
                worth = np.zeros((len(hand.cost), here.size, ends, self._own))
                for cost, guard in np.unique(np.stack([hand.cost, hand.guard], axis=1), axis=0).tolist():
                    group = np.flatnonzero((hand.cost == cost) & (hand.guard == guard))
                    for number, state in enumerate(here.tolist()):
                        part = hand.ends[hand.rows[group], self._start(state)] @ after[cost, guard][number]
                        worth[group, number] = part.reshape(len(group), ends, self._own)
                _, pairs = hand.pairs.solve(worth)
                best = np.take_along_axis(worth, pairs, axis=0)[0]
                for ended in range(ends):
                    found[sequence, ended][:, here] = best[:, ended].T
                    taken, inverse = np.unique(pairs[0, :, ended], return_inverse=True)
                    deals = [_deal(hand.items[pair], shots) for pair in taken.tolist()]
                    number_of = np.array([rows.setdefault(deal, len(rows)) for deal in deals], dtype=np.int32)
                    told = number_of[inverse.reshape(here.size, self._own)]
                    which[self.states[here], :, ended, (shots << shots) + sequence] = told
        return found

    def _start(self, state: int) -> int:
        place = 0
        for name in SOFT:
            place = place * (1 + getattr(self.volley.start, name)) + int(self._fields[name][state])
        return place

    def _after(
        self, later: Values, out: float, situation: tuple[int, int, int, int], here: Ints
    ) -> dict[tuple[int, int], list[Values]]:
        """What states within the volley are worth, by markers spent, for each state: by ended and own state."""
        down, blood, infection, blessing = situation
        volley, ends = self.volley, self.volley.ends
        found: dict[tuple[int, int], list[Values]] = {}
        for cost in range(blood + infection + 1):
            for guard in range(blessing + 1):
                left = blood - cost
                by_struck: dict[int, Values] = {}
                for struck in set(self._fields["struck"][here].tolist()):
                    column = np.full((volley.size + 1, ends, self._own), out)
                    for ended in range(ends):
                        after = volley.after(down, max(left, 0), infection + min(left, 0), blessing - guard, ended)
                        code = self.codes.of(after._replace(struck=np.array([struck])))
                        column[:-1, ended] = later[code // self._own]
                    by_struck[struck] = column.reshape(volley.size + 1, -1)
                found[cost, guard] = [by_struck[struck] for struck in self._fields["struck"][here].tolist()]
        return found


def _columns_of(states: States, size: int) -> dict[str, Ints]:
    return {name: np.broadcast_to(getattr(states, name), (size,)) for name in States._fields}


def _deal(items: Ints, shots: int) -> tuple[int, ...]:
    told = [number for guard, choice in items.tolist() for number in (choice, guard)]
    return (*told, *[0] * (2 * shots - len(told)))


def _chances(volley: Volley, down: int, shot: int, dice: int) -> list[list[Any]]:
    """Chances of an action roll, by story and result."""
    states = volley.within._replace(down=np.array([down]))
    one, row = np.zeros(1, dtype=np.int64), np.array([volley.row])
    stories = chain.hit_chances(volley.block, volley.tails, one, row, states, shot == 0, np.array([dice]))
    return [[chance[0] for chance in story] for story in stories]


def play(volley: Volley, codes: Codes, dealt: Dealt, code: Ints, mass: Any) -> tuple[States, Any, Any]:
    """Fire a volley on which both players have chosen what to spend.

    Parameters
    ----------
    volley : Volley
        The volley.
    codes : Codes
        The states between two volleys.
    dealt : Dealt
        What is spent.
    code : array of int, shape (n,)
        The states before it.
    mass : array, shape (n,)
        How probable each is, in the number type of the volley.

    Returns
    -------
    States, array, number
        The states after it and how probable each is, and P(out of action) of it.
    """
    playing = Playing(volley, codes, dealt)
    sums: dict[tuple[int, ...], Any] = {}
    fields = _columns_of(codes.decode(code), code.size)
    for place, probable in enumerate(mass):
        state = {name: int(column[place]) for name, column in fields.items()}
        for (sequence, ended, *own), chance in playing.hits(state, probable).items():
            ends, cost, guard = playing.injuries(state, sequence, ended, (own[0], own[1]))
            left = state["blood"] - cost
            markers = max(left, 0), state["infection"] + min(left, 0), state["blessing"] - guard
            key = (state["down"], *markers, ended, state["struck"], *own)
            sums[key] = sums.get(key, 0) + chance * ends
    parts, masses, out = [], [], 0 * mass[:1].sum()
    for (down, blood, infection, blessing, ended, struck, *left_own), ends in sums.items():
        out = out + ends[-1]
        some = np.flatnonzero(ends[:-1])
        states = volley.after(down, blood, infection, blessing, ended)
        kept = {"struck": struck, "own_blood": left_own[0], "own_blessing": left_own[1]}
        states = states._replace(**{name: np.full(volley.size, number) for name, number in kept.items()})
        parts.append(states.at(some))
        masses.append(ends[:-1][some])
    return States(*(np.concatenate(field) for field in zip(*parts, strict=True))), np.concatenate(masses), out


class Playing:
    """A volley while it is played, roll by roll.

    Parameters
    ----------
    volley, codes, dealt
        As for :func:`play`.
    """

    def __init__(self, volley: Volley, codes: Codes, dealt: Dealt) -> None:
        self.volley, self.codes, self.dealt = volley, codes, dealt
        self._rolls: dict[tuple[int, int, int], list[list[Any]]] = {}
        self._ends: dict[tuple[Any, ...], Any] = {}

    def column(self, state: dict[str, int], own: tuple[int, int], ended: int) -> NDArray[np.int32]:
        """Give what is spent in a situation, by shot and hits.

        Parameters
        ----------
        state : dict
            The target before the volley, a number a field.
        own : tuple of int
            The attacker's blood and blessing markers that are left.
        ended : int
            Whether the shots have ended the activation.

        Returns
        -------
        array of int32
            The columns of :class:`Dealt`.
        """
        here = state | {"own_blood": own[0], "own_blessing": own[1], "ended": 0}
        [code] = self.codes.of(States(**{name: np.array([value]) for name, value in here.items()}))
        told: NDArray[np.int32] = self.dealt.which[code, min(ended, self.volley.ends - 1)]
        return told

    def on_action(
        self, state: dict[str, int], own: tuple[int, int], shot: int, sequence: int, ended: int
    ) -> tuple[int, int]:
        """Give the blood and blessing markers of the attacker that are spent on an action roll.

        Parameters
        ----------
        state, own, ended
            As for :meth:`column`.
        shot : int
            Which, from 0.
        sequence : int
            The hits before it.

        Returns
        -------
        tuple of int
            Markers.
        """
        told = int(self.column(state, own, ended)[(shot << self.volley.shots) + sequence])
        return divmod(told, BLOOD_PLACE)

    def deal(self, state: dict[str, int], own: tuple[int, int], sequence: int, ended: int) -> list[list[int]]:
        """Give what the hits get.

        Parameters
        ----------
        state, own, ended
            As for :meth:`column`.
        sequence : int
            All hits.

        Returns
        -------
        list of list of int
            Choice and blessings of each hit in order.
        """
        row = self.column(state, own, ended)[(self.volley.shots << self.volley.shots) + sequence]
        told: list[list[int]] = self.dealt.deals[row].reshape(-1, 2)[: len(kinds_of(sequence))].tolist()
        return told

    def hits(self, state: dict[str, int], mass: Any) -> Now:
        """Roll all shots to hit.

        Parameters
        ----------
        state : dict
            The target before the volley, with the attacker's own markers.
        mass : number
            How probable it is.

        Returns
        -------
        dict
            How probable each sequence of hits is, with ended and the attacker's markers that are left.
        """
        now: Now = {(1, 0, state["own_blood"], state["own_blessing"]): mass}
        for shot in range(self.volley.shots):
            now = self.shot(state, shot, now)
        return now

    def shot(self, state: dict[str, int], shot: int, before: Now) -> Now:
        """Roll one of the shots to hit.

        Parameters
        ----------
        state : dict
            The target before the volley.
        shot : int
            Which, from 0.
        before : dict
            As :meth:`hits` gives it, of the shots before it.

        Returns
        -------
        dict
            The same after it.
        """
        now: Now = {}
        for (sequence, ended, *own), chance in before.items():
            blood, blessing = self.on_action(state, (own[0], own[1]), shot, sequence, ended)
            left = (own[0] - blood, own[1] - blessing)
            for story, results in enumerate(self._rolled(state["down"], shot, blessing - blood)):
                for result, share in enumerate(results):
                    if share:
                        over = max(ended, story, self.volley.step.risky if result == 0 else 0)
                        key = (2 * sequence + result - 1 if result else sequence, over, *left)
                        now[key] = now.get(key, 0) + chance * share
        return now

    def _rolled(self, down: int, shot: int, dice: int) -> list[list[Any]]:
        key = (down, int(shot == 0), dice)
        if key not in self._rolls:
            self._rolls[key] = _chances(self.volley, down, shot, dice)
        return self._rolls[key]

    def injuries(self, state: dict[str, int], sequence: int, ended: int, own: tuple[int, int]) -> tuple[Any, int, int]:
        """Roll all injuries.

        Parameters
        ----------
        state, sequence, ended, own
            As for :meth:`deal`.

        Returns
        -------
        array, int, int
            Chances of the states within the volley, and the blood and blessing markers spent.
        """
        volley, down, kinds = self.volley, state["down"], kinds_of(sequence)
        told = self.deal(state, own, sequence, ended)
        zero = np.zeros(1, dtype=np.int64)
        fresh = {name: np.array([state[name]]) for name in SOFT} | dict.fromkeys(
            ("placed", "infecting", "fallen"), zero
        )
        start = int(volley.index(volley.within._replace(**fresh))[0])
        struck = sorted((kind, *one) for kind, one in zip(kinds, told, strict=True))
        key = (down, start, *struck)
        if key not in self._ends:
            vector = np.zeros(volley.size + 1, dtype=volley.tails.dtype)
            vector[start] = vector[start] + 1
            for kind, choice, guard in struck:
                vector = vector @ volley.hit(down, kind, choice, guard)
            self._ends[key] = vector
        choices, costs = volley.choices
        price = dict(zip(choices.tolist(), costs[down].tolist(), strict=True))
        return self._ends[key], sum(price[choice] for choice, _ in told), sum(guard for _, guard in told)
