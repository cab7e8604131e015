"""A user's rows as a plan: what they spend in every state of every move."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.engines import chain
from tcsim.engines.block import FLOAT_TAILS, Block
from tcsim.engines.chain import States
from tcsim.engines.codes import Codes
from tcsim.engines.volley import Deals, Volley
from tcsim.scenario import problem as p
from tcsim.scenario.problem import EVERY_MARKER, Rule

#: What a condition is called here, where that is another name.
_FIELD = {"hits_in_a_row": "streak"}

Cases = dict[str, Any]


def tabulate(block: Block, codes: Codes, index: int, choices: NDArray[np.int8]) -> dict[tuple[int, int], Deals]:
    """Tabulate what the rows of one problem spend.

    Parameters
    ----------
    block : Block
        The problems.
    codes : Codes
        The states between two volleys.
    index : int
        Which problem.
    choices : array of int8, shape (moves, codes.size, 2)
        Filled for the attacks in turn.

    Returns
    -------
    dict of (problem, move) to Deals
        For the volleys.
    """
    deals: dict[tuple[int, int], Deals] = {}
    sequence = block.sequence[index, : block.moves[index]]
    attacks = block.step.kind[sequence] == p.ATTACK
    left = np.cumsum(attacks[::-1])[::-1]
    for move in np.flatnonzero(attacks).tolist():
        row = int(sequence[move])
        if block.step.shots[row] > 1:
            volley = Volley(block, FLOAT_TAILS, index, row)
            deals[index, move] = _Dealing(volley, codes, int(left[move])).deal()
        else:
            choices[move] = _single(block, codes, index, row, int(left[move]))
    return deals


def _single(block: Block, codes: Codes, index: int, row: int, left: int) -> NDArray[Any]:
    states = codes.states
    cases = _cases(states, (codes.size, 1)) | {"attacks_left": left, "critical": np.arange(2)[None, :]}
    bath = chain.bloodbath_cost(block, np.array([index]), np.array([row]), cases["down"])
    choice = _first_match(block, block.problems[index].rules, cases | {"bath": bath}, (codes.size, 2))
    forced = chain.forced(block, np.full(codes.size, row), states)
    return choice if forced is None else np.where(np.broadcast_to(forced, codes.size)[:, None] == p.ROLLED, choice, 0)


def _cases(states: States, shape: tuple[int, ...]) -> Cases:
    return {name: np.broadcast_to(field, shape[0]).reshape(shape) for name, field in states._asdict().items()}


def _matches(rule: Rule, cases: Cases, shape: tuple[int, ...]) -> NDArray[np.bool_]:
    """Where a rule's conditions hold; one on what there is not here (hits of an attack in turn) never does."""
    here = np.ones(shape, dtype=bool)
    for condition in rule.conditions:
        field = cases.get(_FIELD.get(condition.name, condition.name))
        if field is None:
            return np.zeros(shape, dtype=bool)
        here &= (field >= condition.least) & (field <= condition.most)
    return here


def _first_match(block: Block, rules: tuple[Rule, ...], cases: Cases, shape: tuple[int, ...]) -> NDArray[Any]:
    """What the first rule that matches spends on a hit."""
    choice, open_ = np.zeros(shape, dtype=np.int64), np.ones(shape, dtype=bool)
    for rule in rules:
        if rule.is_joint:
            continue
        here = open_ & _matches(rule, cases, shape)
        dice: Any = rule.dice
        if dice == EVERY_MARKER:
            dice = cases["blood"] + cases["infection"] - rule.bloodbath * cases["bath"]
        choice = np.where(here, dice + rule.bloodbath * block.dice_choices, choice)
        open_ &= ~here
    return choice


class _Dealing:
    """The rows laid upon one volley: critical hits first, then plain ones, each with the markers that are left.

    A row for all hits is looked at where the first hit is: if it is the first that matches there, it decides for all.
    """

    def __init__(self, volley: Volley, codes: Codes, left: int) -> None:
        self.volley, self.codes = volley, codes
        self.rules = volley.block.problems[volley.problem].rules
        self.going = codes.going
        shots = volley.shots
        asked = any(one.name == "first_critical" for rule in self.rules for one in rule.conditions)
        kinds = 1 + (volley.has_blessing or asked)
        self.shape = (self.going, volley.ends, kinds, shots + 1, shots + 1)
        states = codes.decode(np.arange(self.going))
        self.cases = _cases(states, (self.going, 1, 1, 1, 1)) | {
            "attacks_left": left,
            "ended": np.arange(volley.ends)[:, None, None, None],
            "plain_hits": np.arange(shots + 1)[:, None],
            "critical_hits": np.arange(shots + 1),
        }
        self.cases["bath"] = chain.bloodbath_cost(volley.block, volley._i, volley._r, self.cases["down"])
        if kinds > 1:
            self.cases["first_critical"] = np.arange(kinds)[:, None, None]

    def deal(self) -> Deals:
        """Give the deals."""
        volley, shots = self.volley, self.volley.shots
        chosen = np.zeros((*self.shape, 2, shots), dtype=np.int64)
        counts = {1: self.cases["critical_hits"], 0: self.cases["plain_hits"]}
        settled = np.zeros(self.shape, dtype=bool)
        if volley.rolls_injury:
            settled = self._jointly(chosen)
            blood, infection = (np.broadcast_to(self.cases[name], self.shape) for name in ("blood", "infection"))
            for critical in (1, 0):
                for hit in range(shots):
                    there = ~settled & (counts[critical] > hit) & np.broadcast_to(self._possible(), self.shape)
                    if not there.any():
                        break
                    cases = self.cases | {"critical": critical, "blood": blood, "infection": infection}
                    choice = np.where(there, _first_match(volley.block, self.rules, cases, self.shape), 0)
                    chosen[..., critical, hit] = np.where(settled, chosen[..., critical, hit], choice)
                    paid = blood - self._cost(choice)
                    blood, infection = np.maximum(paid, 0), infection + np.minimum(paid, 0)
        return self._as_deals(chosen)

    def _possible(self) -> NDArray[np.bool_]:
        """Patterns that so many shots can come to."""
        return np.asarray(self.cases["plain_hits"] + self.cases["critical_hits"] <= self.volley.shots)

    def _cost(self, choice: NDArray[Any]) -> NDArray[Any]:
        volley = self.volley
        down = np.broadcast_to(self.cases["down"], self.shape)
        return np.asarray(chain.cost(volley.block, volley._i, volley._r, down, choice))

    def _jointly(self, chosen: NDArray[Any]) -> NDArray[np.bool_]:
        """Fill in what rows for all hits decide; gives where they do."""
        open_ = np.broadcast_to(self._possible(), self.shape).copy()
        settled = np.zeros(self.shape, dtype=bool)
        first_is = np.where(self.cases["critical_hits"] > 0, 1, 0)
        for rule in self.rules:
            cases = self.cases if rule.is_joint else self.cases | {"critical": first_is}
            here = open_ & _matches(rule, cases, self.shape)
            open_ &= ~here
            if not rule.is_joint:
                continue
            settled |= here
            for critical, given in ((0, rule.plain or ()), (1, rule.critical or ())):
                for hit, (dice, bath) in enumerate(given[: self.volley.shots]):
                    chosen[here, critical, hit] = dice + bath * self.volley.block.dice_choices
        return settled

    def _as_deals(self, chosen: NDArray[Any]) -> Deals:
        volley, shots = self.volley, self.volley.shots
        rows = np.zeros((*self.shape, 1 + 2 * shots), dtype=np.int8)
        rows[..., 1 : 1 + shots], rows[..., 1 + shots :] = chosen[..., 0, :], chosen[..., 1, :]
        if volley.has_blessing:  # the first hit is told apart where a blessing is held
            held = np.flatnonzero(self.cases["blessing"].ravel() > 0)
            for kind in (0, 1):
                own, at = rows[held][:, :, kind], 1 + kind * shots
                own[..., 0] = own[..., at]
                own[..., at : at + shots - 1], own[..., at + shots - 1] = own[..., at + 1 : at + shots].copy(), 0
                rows[held, :, kind] = own
        deals, which = np.unique(rows.reshape(-1, rows.shape[-1]), axis=0, return_inverse=True)
        return Deals(which.reshape(rows.shape[:-1]).astype(np.int32), deals.astype(np.int8))
