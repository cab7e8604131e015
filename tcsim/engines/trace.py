"""Single trials told die by die, so that a player can check a sequence by hand.

The dice come from the tapes that the kernels write: they are the very trials that are counted. What each roll meant is
found again here from the charts and :mod:`tcsim.engines.chain`; the tests hold the ends against those of the kernels.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tcsim.engines import chain
from tcsim.engines.block import Block
from tcsim.engines.chain import States
from tcsim.engines.tape import decode_tape, tapes
from tcsim.scenario import problem as p
from tcsim.scenario.problem import Problem, State
from tcsim.scenario.resolve import Resolved

_RESULTS = ("no effect", "minor hit", "down", "out of action")


@dataclass(frozen=True)
class Roll:
    """One roll of a trial.

    Parameters
    ----------
    attack : str
        What the attack is called.
    roll : str
        ``action`` or ``injury``.
    dice : tuple of int
        The faces, in the order in which they fell; the flat die of a Bloodbath last, where the option says so.
    kept : tuple of int
        The faces that count.
    modifier : int
        Added to their sum.
    spent : str
        What was spent on the roll, in words; empty for nothing.
    result : str
        What the chart says: failure, success, critical; no effect, minor hit, down, out of action.
    """

    attack: str
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
        dice = " ".join(map(str, self.dice))
        kept = "" if sorted(self.dice) == sorted(self.kept) else f", keep {' '.join(map(str, self.kept))}"
        modifier = f" {'+' if self.modifier > 0 else '−'} {abs(self.modifier)}" if self.modifier else ""
        spent = f" (spent: {self.spent})" if self.spent else ""
        return f"{self.roll} roll{spent}: {dice}{kept}{modifier} = {self.total}, {self.result}"


@dataclass(frozen=True)
class Trial:
    """One play of a scenario: its rolls, and how it ended (None: out of action)."""

    number: int
    rolls: tuple[Roll, ...]
    end: State | None

    def __str__(self) -> str:
        lines = [f"trial {self.number}"]
        attack = None
        for roll in self.rolls:
            if roll.attack != attack or roll.roll == "action":
                lines.append(f"  {roll.attack}")
                attack = roll.attack
            lines.append(f"    {roll}")
        if self.end is None:
            return "\n".join([*lines, "  end: out of action"])
        state = self.end
        words = ["Down" if state.down else "standing", f"{state.blood} blood", f"{state.blessing} blessing"]
        return "\n".join([*lines, f"  end: {', '.join([*words, *(['TOUGH left'] if state.tough else [])])}"])


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
    problem = question.problem
    names = _names(question)
    block = Block([problem])
    told = []
    for number, tape in enumerate(tapes(problem, count, seed, dice)):
        told.append(_trial(problem, block, names, number, tape))
    return told


def _names(question: Resolved) -> list[str]:
    """What is attacked with in each volley."""
    attacks = (action for action in question.actions if action.step.kind == p.ATTACK)
    return [action.label for action in attacks for _ in range(action.step.volleys)]


def _trial(problem: Problem, block: Block, names: list[str], number: int, tape: list[int]) -> Trial:
    """Read a tape's pools as rolls, following the target's state from move to move."""
    pools = decode_tape(tape)
    start = problem.start
    values = (0, start.tough, start.blessing, start.down, start.blood, 0, 0)
    states = States(*(np.array([value]) for value in values))
    rolls: list[Roll] = []
    waiting = iter(names)
    for move, row in enumerate(block.sequence[0].tolist()):
        step = problem.steps[row]
        mine = [pool for pool in pools if pool.move == move]
        if step.kind != p.ATTACK:
            change: dict[str, Any] = {"down": np.array([0])} if step.kind == p.STAND else {"ended": np.array([0])}
            if step.kind == p.ACTIVATION or not states.ended[0]:
                states = states._replace(**change)
            continue
        followed = _volley(problem, block, next(waiting), row, mine, states, rolls)
        if followed is None:
            return Trial(number, tuple(rolls), None)
        states = followed
    down, blood, blessing, tough = (
        int(value[0]) for value in (states.down, states.blood, states.blessing, states.tough)
    )
    return Trial(number, tuple(rolls), State(down, blood, blessing, tough))


def _volley(
    problem: Problem, block: Block, name: str, row: int, pools: list[Any], states: States, rolls: list[Roll]
) -> States | None:
    """Tell one volley; gives the state after it, None for out of action."""
    step, charts = problem.steps[row], problem.charts
    zero, rows = np.zeros(1, dtype=np.int64), np.array([row])
    critical: dict[int, int] = {}
    for pool in pools:
        if pool.kind == 0:
            total = sum(pool.kept(p.ACTION_KEEP))
            result = "failure" if total < charts.success else "critical" if total >= charts.critical else "success"
            critical[pool.shot] = int(result == "critical")
            if step.risky and result == "failure":
                states = states._replace(ended=np.array([2]))
            rolls.append(Roll(name, "action", tuple(pool.dice), pool.kept(p.ACTION_KEEP), 0, "", result))
            continue
        if pool.kind == 2:
            continue  # the flat die was told with its pool
        down, is_critical = int(states.down[0]), critical.get(pool.shot, 0)
        flat = [other for other in pools if other.kind == 2 and other.shot == pool.shot]
        bath = int(chain.BLOODBATH[pool.choice])
        keep = step.injury_keep + bath * (1 - problem.rulings.bloodbath_adds_flat_die)
        kept = pool.kept(keep) + (tuple(flat[0].dice) if flat else ())
        blessing = chain.blessing_spent(block, zero, states)
        modifier = int(block.injury_modifier[row, down, is_critical])
        total = sum(kept) + modifier
        result = sum(total >= limit for limit in (charts.minor_hit, charts.down, charts.out_of_action))
        spent = _spent(pool.choice, int(blessing[0]))
        faces = tuple(pool.dice) + (tuple(flat[0].dice) if flat else ())
        rolls.append(Roll(name, "injury", faces, kept, modifier, spent, _RESULTS[result]))
        left = states.blood - chain.cost(block, zero, states.down, np.array([pool.choice]))
        states = states._replace(blood=left, blessing=states.blessing - blessing)
        states, out = chain.take_result(block, zero, rows, states, result)
        if np.any(out):
            return None
    after = chain.end_volley(block, zero, states)
    return States(*(np.broadcast_to(value, (1,)) for value in after))


def _spent(choice: int, blessing: int) -> str:
    dice, bath = int(chain.DICE[choice]), int(chain.BLOODBATH[choice])
    parts = ["a Bloodbath"] if bath else []
    parts += [f"{dice} blood"] if dice else []
    parts += [f"{blessing} blessing"] if blessing else []
    return " and ".join(parts)
