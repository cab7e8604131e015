"""Single trials told die by die, so that a player can check a sequence by hand.

The dice come from the tapes that the kernels write: they are the very trials that are counted. What each roll meant is
found again here from the charts and :mod:`tcsim.engines.chain`; the tests hold the ends against those of the kernels.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from tcsim.engines import chain, target
from tcsim.engines.block import FLOAT_TAILS, Block, Ints
from tcsim.engines.chain import States
from tcsim.engines.codes import Codes
from tcsim.engines.game_plan import plan
from tcsim.engines.game_volley import Playing
from tcsim.engines.tape import REACTION, TapedPool, decode_tape, tapes
from tcsim.engines.volley import Volley
from tcsim.scenario import problem as p
from tcsim.scenario.problem import Problem, State
from tcsim.scenario.resolve import Resolved

_RESULTS = ("no effect", "minor hit", "Down", "out of action")


@dataclass(frozen=True)
class Roll:
    """One roll of a trial.

    Parameters
    ----------
    attack : str
        What the attack is called.
    shot : int
        Which of several shots resolved together it belongs to, from 1; 0 where there is one.
    roll : str
        ``action``, ``injury``, ``charge``, or ``reaction``, the target's own roll before an attack's.
    dice : tuple of int
        The faces, in the order in which they fell; the flat die of a Bloodbath last, where the option says so.
    kept : tuple of int
        The faces that count.
    modifier : int
        Added to their sum.
    spent : str
        What was spent on the roll, in words; empty for nothing.
    result : str
        What the chart says, and what TOUGH or armour make of it.
    """

    attack: str
    shot: int
    roll: str
    dice: tuple[int, ...]
    kept: tuple[int, ...]
    modifier: int
    spent: str
    result: str

    @property
    def total(self) -> int:
        """The sum that is looked up."""
        return sum(self.kept) + self.modifier

    def __str__(self) -> str:
        shot = f"shot {self.shot}, " if self.shot else ""
        dice = " ".join(map(str, self.dice))
        kept = "" if sorted(self.dice) == sorted(self.kept) else f", keep {' '.join(map(str, self.kept))}"
        modifier = f" {'+' if self.modifier > 0 else '−'} {abs(self.modifier)}" if self.modifier else ""
        spent = f" (spent: {self.spent})" if self.spent else ""
        return f"{shot}{self.roll} roll{spent}: {dice}{kept}{modifier} = {self.total}, {self.result}"


@dataclass(frozen=True)
class Trial:
    """One play of a scenario.

    Parameters
    ----------
    number : int
        Which trial of the run.
    told : tuple of Roll and str
        What happens, in order: rolls, and sentences between them.
    end : State or None
        How it ends; None is out of action.
    """

    number: int
    told: tuple[Roll | str, ...]
    end: State | None

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """The rolls alone."""
        return tuple(part for part in self.told if isinstance(part, Roll))

    def __str__(self) -> str:
        lines = [f"trial {self.number}"]
        lines += [f"    {part}" if isinstance(part, Roll) else f"  {part}" for part in self.told]
        return "\n".join([*lines, f"  end: {_in_words(self.end)}"])


def _in_words(state: State | None) -> str:
    if state is None:
        return "out of action"
    words = ["Down" if state.down else "standing", f"{state.blood} blood"]
    words += [f"{state.infection} infection"] if state.infection else []
    words += [f"{state.blessing} blessing"] if state.blessing else []
    left = {"TOUGH left": state.tough, "first out of action spared": state.spared == 1, "warded": state.warded}
    left |= {f"{state.spared} times out of action spared": state.spared > 1, "first Down spared": state.firm}
    return ", ".join([*words, *(words for words, holds in left.items() if holds)])


def trials(question: Resolved, count: int, seed: int = 1, dice: str = "own") -> list[Trial]:
    """Tell the first trials of a run.

    Parameters
    ----------
    question : Resolved
        What is played.
    count : int
        How many of the first trials, at most 65,536.
    seed, dice
        As for :func:`tcsim.simulate`.

    Returns
    -------
    list of Trial
        In order; the same trials that the run counts.

    Examples
    --------
    >>> from tcsim.scenario.read import from_mapping
    >>> from tcsim.scenario.resolve import resolve
    >>> [trial] = trials(resolve(from_mapping({"target": {}, "attacks": [{"kind": "melee"}]})), 1)
    >>> trial.rolls[0].roll, len(trial.rolls[0].dice)
    ('action', 2)
    """
    block = Block([question.problem])
    choices = _Choices(block) if question.problem.game is not None else None
    found = []
    for number, tape in enumerate(tapes(question.problem, count, seed, dice)):
        telling = _Telling(question, block, decode_tape(tape, question.problem), choices)
        end = telling.play()
        found.append(Trial(number, tuple(telling.told), end))
    return found


class _Telling:
    """A trial while it is told: what has been told, and how the target is."""

    def __init__(
        self, question: Resolved, block: Block, pools: list[TapedPool], choices: _Choices | None = None
    ) -> None:
        self.problem: Problem = question.problem
        self.block, self.pools = block, pools
        start = self.problem.start
        self.states = States(*(np.array([getattr(start, name, 0)]) for name in States._fields))
        self.choices = choices
        if self.problem.game is not None:
            own = (np.array([markers]) for markers in self.problem.game[:2])
            self.states = self.states._replace(own_blood=next(own), own_blessing=next(own))
        self.told: list[Roll | str] = []
        self.guards: dict[int, Ints] = {}  # blessings spent on the hits of a volley
        rolling = [action for action in question.actions if action.step.kind in (p.ATTACK, p.GATE)]
        rolling = [action for action in rolling if action.step.kind == p.ATTACK or not action.step.gate.is_certain]
        self.names = iter([action.label for action in rolling for _ in range(action.moves)])
        self.on_action = _action_spending(question)

    def play(self) -> State | None:
        """Go through the moves; gives the end."""
        for move, row in enumerate(self.block.sequence[0].tolist()):
            kind = self.problem.steps[row].kind
            if kind == p.ATTACK:
                pools = [pool for pool in self.pools if pool.move == move]
                if self._volley(next(self.names), row, pools):
                    return None
            elif kind == p.GATE:
                self._gate(next(self.names), row, [pool for pool in self.pools if pool.move == move])
            elif kind == p.ACTIVATION:
                self.told.append("a new activation begins")
                self.states = self.states._replace(ended=np.array([0]), struck=np.array([0]))
            elif not self.states.ended[0]:
                self._event(kind)
        return self._state()

    def _event(self, kind: int) -> None:
        """Tell what happens to the target between two attacks."""
        if kind == p.STAND:
            self.told.append("the target stands up" if self.states.down[0] else "the target is standing already")
            self.states = self.states._replace(down=np.array([0]))
        else:
            self.states = target.activate(self.block, np.zeros(1, dtype=np.int64), self.states)
            self.told.append(f"the target is activated: {_in_words(self._state())}")

    def _gate(self, name: str, row: int, pools: list[TapedPool]) -> None:
        """Tell a roll that is no attack."""
        if self.states.ended[0]:
            self.told.append(f"{name}: skipped, the activation has ended")
            return
        [pool], gate, spent = pools, self.problem.steps[row].gate, ""
        kept, roll = pool.kept(gate.keep), "charge"
        if gate.keep == p.ACTION_KEEP:
            roll, spent = "action", self._spent_on_action(pool.move)
        result = "success"
        if sum(kept) < gate.total:
            result = "failure, the activation ends"
            self.states = self.states._replace(ended=np.array([1]))
        self.told += [name, Roll(name, 0, roll, tuple(pool.dice), kept, 0, spent, result)]

    def _state(self) -> State:
        states = self.states
        values = {name: int(np.broadcast_to(getattr(states, name), (1,))[0]) for name in State._fields}
        return State(**values)._replace(tough=int(values["tough"] > 0))

    def _volley(self, name: str, row: int, pools: list[TapedPool]) -> bool:
        """Tell one volley; gives whether the target is out of action."""
        step, zero, rows = self.problem.steps[row], np.zeros(1, dtype=np.int64), np.array([row])
        if self.states.ended[0] and not pools:
            self.told.append(f"{name}: skipped, the activation has ended")
            return False
        self.states = chain.begin(self.block, rows, self.states)
        if not chain.is_made(self.block, rows, self.states).all():
            special = step.special
            if not (special.if_struck or special.unless_struck or special.if_spared):  # else it has a twin that is
                self.told.append(f"{name}: not made, by what came before")
            return False
        self.told.append(f"{name}, {step.shots} shots together" if step.shots > 1 else name)
        hits = self._hits(name, row, pools)
        if self.choices is not None and step.shots > 1:
            self.guards = self.choices.on_hits(self.states, pools[0].move if pools else 0, hits) if hits else {}
        for shot in range(step.shots):
            if shot not in hits:
                self.states = chain.count_hit(self.block, rows, self.states, hit=False)
                continue
            forced = chain.forced(self.block, rows, self.states)
            if forced is not None and forced[0] != p.ROLLED:
                if self._take(row, int(forced[0]), 0, f"{name}: no injury roll, but"):
                    return True
                continue
            [pool] = [pool for pool in pools if pool.kind == 1 and pool.shot == shot]
            flat = [pool for pool in pools if pool.kind == 2 and pool.shot == shot]  # it is told with its pool
            if self._injury_roll(name, row, pool, hits[shot], flat):
                return True
        after = target.end_volley(self.block, zero, self.states)
        self.states = States(*(np.broadcast_to(value, (1,)) for value in after))
        self.told.append(f"the target: {_in_words(self._state())}")
        return False

    def _hits(self, name: str, row: int, pools: list[TapedPool]) -> dict[int, int]:
        """Tell the action rolls of a volley; gives the shots that hit, and whether each is critical."""
        step = self.problem.steps[row]
        critical: dict[int, int] = {}
        rolled: set[int] = set()
        for pool in pools:
            if pool.kind == REACTION:
                if self._reaction(name, row, pool):  # what is spent on an action roll is declared before it
                    self._spent_on_action(pool.move, pool.shot, critical)
            elif pool.kind == 0:
                self._action_roll(name, row, pool, critical, pool.shot in rolled)
                rolled.add(pool.shot)
        return dict.fromkeys(range(step.shots), 0) if step.auto_hit else critical

    def _reaction(self, name: str, row: int, pool: TapedPool) -> bool:
        """Tell the target's own roll before an attack's; gives whether there is no other one."""
        step, kept = self.problem.steps[row], pool.kept(p.ACTION_KEEP)
        result = self.problem.charts.action_result(sum(kept))
        said = {"success": f", -{step.special.reaction_takes} DICE", "critical": ", the attack fails"}
        if result == "critical" and step.risky:
            self.states = self.states._replace(ended=np.array([2]))
            said["critical"] += " and the activation ends"
        told = Roll(name, _shot(step, pool), "reaction", tuple(pool.dice), kept, 0, "", result + said.get(result, ""))
        self.told.append(told)
        return result == "critical"

    def _action_roll(self, name: str, row: int, pool: TapedPool, critical: dict[int, int], again: bool) -> None:
        spent = "" if again else self._spent_on_action(pool.move, pool.shot, critical)  # it stands for the re-roll too
        step, charts, states = self.problem.steps[row], self.problem.charts, self.states
        kept = pool.kept(p.ACTION_KEEP)
        markers = int(np.broadcast_to(states.markers, (1,))[0])
        lower = step.special.critical_lower + step.special.critical_lower_per_marker * markers
        result = charts.action_result(sum(kept))
        if result == "success" and sum(kept) >= charts.critical - lower:
            result = "critical"
        if result != "failure":
            critical[pool.shot] = int(result == "critical")
        else:
            critical.pop(pool.shot, None)
        if again and 1 in pool.dice:
            if step.special.rerolls == 2:
                critical.pop(pool.shot, None)
                result = "failure"
            self.states = states._replace(ended=np.array([2]))
            result += ", and with a 1 the activation ends"
        elif result == "failure" and step.risky and (again or not step.special.rerolls):
            self.states = states._replace(ended=np.array([2]))
            result = "failure, the activation ends"
        self.told.append(Roll(name, _shot(step, pool), "action", tuple(pool.dice), kept, 0, spent, result))

    def _spent_on_action(self, move: int, shot: int = 0, hits: Mapping[int, int] | None = None) -> str:
        """Take off the attacker's markers that are spent on an action roll, and name them; ``hits``: of the volley."""
        spent, self.on_action = self.on_action, ""
        if self.choices is None:
            return spent
        states = self.states
        blood, blessing = self.choices.on_action(states, move, shot, hits or {})
        left = {"own_blood": states.own_blood - blood, "own_blessing": states.own_blessing - blessing}
        self.states = states._replace(**left)
        return " and ".join(part for part in (spent, _markers(blood, blessing)) if part)

    def _injury_roll(self, name: str, row: int, pool: TapedPool, critical: int, flat: list[TapedPool]) -> bool:
        """Tell an injury roll, and let it take effect; gives whether the target is out of action."""
        problem, block = self.problem, self.block
        step, charts, states, zero = problem.steps[row], problem.charts, self.states, np.zeros(1, dtype=np.int64)
        rows, bath = np.array([row]), int(block.bloodbath(pool.choice))
        extra = tuple(flat[0].dice) if flat else ()
        kept = pool.kept(step.injury_keep + bath * (1 - problem.rulings.bloodbath_adds_flat_die)) + extra
        blessing = chain.blessing_spent(block, zero, rows, states)
        if self.choices is not None:
            together = step.shots > 1
            blessing = self.guards[pool.shot] if together else self.choices.on_injury(states, pool.move, critical)
        markers = int(np.broadcast_to(states.markers, (1,))[0])
        modifier = int(block.injury_modifier[row, int(states.down[0]), critical])
        modifier += step.special.modifier_per_marker * markers
        result = _RESULTS.index(charts.injury_result(sum(kept) + modifier).replace("down", "Down"))
        price = chain.cost(block, zero, rows, states.down, np.array([pool.choice]))
        self.states = target.pay(states, price, blessing)
        spent = _spent(block, pool.choice, int(blessing[0]))
        dice = tuple(pool.dice) + extra
        roll = Roll(name, _shot(step, pool), "injury", dice, kept, modifier, spent, "")
        return self._take(row, result, bath, "", roll)

    def _take(self, row: int, result: int, bath: int, words: str, roll: Roll | None = None) -> bool:
        """Let a result take effect, and tell it: with its roll, or in words; gives whether the target is out."""
        before = self._state()
        states = chain.count_hit(self.block, np.array([row]), self.states, hit=True)
        after, out = target.take_result(self.block, np.zeros(1, dtype=np.int64), np.array([row]), states, result, bath)
        self.states = States(*(np.broadcast_to(value, (1,)) for value in after))
        said = _RESULTS[result] + self._softened(row, result, before, bool(np.any(out)))
        self.told.append(f"{words} {said}" if roll is None else replace(roll, result=said))
        return bool(np.any(out))

    def _softened(self, row: int, result: int, before: State, out: bool) -> str:
        """What is made of a result, in words."""
        problem, nature, special, said = self.problem, self.problem.nature, self.problem.steps[row].special, ""
        if out:
            return said
        became, after, by_tough = result, self._state(), False
        if result == p.OUT:
            became = p.DOWN
            if after.spared < before.spared:
                became = nature.first_out
                said = f"; its first out of action is {_RESULTS[became]}"
            elif before.tough and self.states.tough[0] != 1:
                unharmed = nature.tough_unharmed == 1 or (nature.tough_unharmed == 2 and not before.blood)
                became, by_tough = p.NO_EFFECT if unharmed else p.DOWN, True
                said = f"; TOUGH makes it {_RESULTS[became]}"
            else:
                said = "; without a Bloodbath it is Down"
        if became == p.DOWN and not (by_tough and not problem.rulings.minor_hit_after_tough):
            if after.firm < before.firm:
                became = nature.first_down
                said += f"; its first Down is {_RESULTS[became]}"
            if became == p.DOWN:
                by_armour = problem.minor_for_down and not special.keeps_down
                by_skill = (nature.spared_minor and after.spared) or (nature.unhurt_minor and not after.blood)
                if by_armour or by_skill:
                    became = p.MINOR_HIT
                    said += f"; {'Machine Armour' if by_armour else 'its special rule'} makes it a minor hit"
        if became == p.MINOR_HIT and special.down_for_minor:
            said += "; a minor hit is Down"
        return said


class _Choices:
    """What both players spend in a game, looked up in its plan."""

    def __init__(self, block: Block) -> None:
        self._codes = Codes(block, within_volley=False)
        self._plan = plan(block, self._codes)
        rows = block.sequence[0]
        self._volleys = {
            move: Playing(Volley(block, FLOAT_TAILS, 0, int(rows[move])), self._codes, dealt)
            for move, dealt in self._plan.volleys.items()
        }

    def on_action(self, states: States, move: int, shot: int, hits: Mapping[int, int]) -> tuple[int, int]:
        """Give the attacker's blood and blessing markers spent on an action roll."""
        if move in self._volleys:
            earlier = {number: critical for number, critical in hits.items() if number < shot}
            state, own, ended = _numbers(states)
            return self._volleys[move].on_action(state, own, shot, _sequence(earlier), ended)
        [code] = self._codes.of(states)
        return int(self._plan.blood[move, code]), int(self._plan.blessing[move, code])

    def on_hits(self, states: States, move: int, hits: Mapping[int, int]) -> dict[int, Ints]:
        """Give the target's blessing markers spent on the injury roll of each shot of a volley that hit."""
        state, own, ended = _numbers(states)
        told = self._volleys[move].deal(state, own, _sequence(hits), ended)
        return {shot: np.array([guard]) for shot, (_, guard) in zip(sorted(hits), told, strict=True)}

    def on_injury(self, states: States, move: int, critical: int) -> Ints:
        """Give the target's blessing markers spent on an injury roll."""
        code = self._codes.of(states._replace(ended=np.minimum(states.ended, 1)))
        guard: Ints = self._plan.guard[move, code, critical].astype(np.int64)
        return guard


def _numbers(states: States) -> tuple[dict[str, int], tuple[int, int], int]:
    """A state as numbers; the attacker's own markers; and whether the activation has ended."""
    state = {name: int(np.broadcast_to(value, (1,))[0]) for name, value in states._asdict().items()}
    return state, (state["own_blood"], state["own_blessing"]), min(state["ended"], 1)


def _sequence(hits: Mapping[int, int]) -> int:
    """Hits as :mod:`tcsim.engines.hands` numbers them."""
    sequence = 1
    for shot in sorted(hits):
        sequence = 2 * sequence + hits[shot]
    return sequence


def _shot(step: Any, pool: TapedPool) -> int:
    return pool.shot + 1 if step.shots > 1 else 0


def _action_spending(question: Resolved) -> str:
    """What is spent on the first action roll, in words."""
    spend, attacker = question.scenario.spend, question.scenario.attacker
    blood = attacker.blood if spend.blood_on_action == "all" else 0
    blessing = attacker.blessing if spend.blessing_on_action == "all" else 0
    return _markers(blood, blessing)


def _spent(block: Block, choice: int, blessing: int) -> str:
    bath, dice = int(block.bloodbath(choice)), int(block.dice(choice))
    return " and ".join(part for part in ("a Bloodbath" if bath else "", _markers(dice, blessing)) if part)


def _markers(blood: int, blessing: int) -> str:
    return " and ".join(f"{number} {kind}" for number, kind in ((blood, "blood"), (blessing, "blessing")) if number)
