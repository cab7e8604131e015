"""What both players do in a game of markers, as a list: every decision that play comes to where both play best."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from tcsim.engines import target
from tcsim.engines.block import Block
from tcsim.engines.chain import States
from tcsim.engines.codes import Codes
from tcsim.engines.game import Attack, Solved, Values
from tcsim.engines.game_gate import GateRoll
from tcsim.engines.game_plan import backwards
from tcsim.engines.game_volley import Now, Playing, SolvedVolley, VolleyRoll
from tcsim.engines.hands import kinds_of
from tcsim.scenario import problem as p
from tcsim.scenario.problem import Problem, State

#: ``Decision.roll``; what is said of a hit is said by the kind of it.
ACTION_ROLL, PLAIN_HIT, CRITICAL_HIT = "action roll", "plain hit", "critical hit"
#: The action roll of what is no attack: a risky action before the attack that is numbered.
RISKY_ROLL = "risky action"
#: ``Decision.who``.
TARGETS_PLAYER, ATTACKERS_PLAYER = "target", "attacker"


class Decision(NamedTuple):
    """One decision: a player who has something to spend, and what it spends.

    ``attack``: which attack roll, from 1; of a risky action the one after it. ``roll``: what it is spent on. ``who``:
    whose player decides. ``own_blood``, ``own_blessing``: the attacker's markers, as far as players choose when to
    spend them. ``chance``: how often play comes to it. ``blood``, ``blessing``: markers spent, those of a Bloodbath not
    counted; of the attacker on an action roll, of the target on a hit. ``bloodbath``: 0 or 1. ``ended``: 1 where the
    roll that hit has ended the activation. Of shots resolved together ``hits`` are those that are known, 0 for a plain
    and 1 for a critical one: on an action roll those before it, on a hit all; ``hit`` is which of them, from 1, and its
    ``attack`` the last of the shots.
    """

    attack: int
    roll: str
    who: str
    state: State
    own_blood: int
    own_blessing: int
    chance: float
    blood: int = 0
    blessing: int = 0
    bloodbath: int = 0
    ended: int = 0
    hits: tuple[int, ...] = ()
    hit: int = 0


def decisions(problem: Problem) -> list[Decision]:
    """List every decision that play comes to.

    Parameters
    ----------
    problem : Problem
        A game.

    Returns
    -------
    list of Decision
        By attack, then by roll in the order in which they are declared, the most frequent first.

    Examples
    --------
    >>> from tcsim.scenario.read import from_mapping
    >>> from tcsim.scenario.resolve import resolve
    >>> asked = {"attacker": {"blood": 1}, "target": {}, "attacks": [{}], "spend": {"blood_on_action": "optimal"}}
    >>> [one] = decisions(resolve(from_mapping(asked)).problem)
    >>> one.who, one.roll, one.blood, one.chance
    ('target', 'action roll', 1, 1.0)
    """
    block = Block([problem])
    codes = Codes(block, within_volley=False)
    own = codes.shape.own_blood * codes.shape.own_blessing
    every = codes.decode(np.arange(codes.size // own) * own)
    game = problem.game or p.Game()
    start = every._replace(**{name: np.array([value]) for name, value in problem.start._asdict().items()})
    start = start._replace(ended=0, streak=0, own_blood=np.array([game.blood]), own_blessing=np.array([game.blessing]))
    chances: Values = np.zeros((codes.size // own, own))
    chances.flat[codes.of(start)] = 1.0
    found: list[Decision] = []
    number = 0
    for move in reversed(list(backwards(block, codes))):
        if move.roll is None or move.solved is None:
            kind = int(block.step.kind[block.sequence[0, move.move]])
            happened = codes.of(target.after_event(block, np.zeros(len(chances), dtype=np.int64), kind, every)) // own
            after = np.zeros_like(chances)
            np.add.at(after, happened, chances)
            chances = after
            continue
        if isinstance(move.roll, VolleyRoll):
            assert isinstance(move.solved, SolvedVolley)
            found += _of_volley(number + 1, move.roll, move.solved, chances)
            number += move.roll.volley.shots
            chances, _ = move.roll.after(chances, move.solved)
        else:
            assert isinstance(move.solved, Solved)
            found += _of_roll(number + 1, block, codes, move.roll, move.solved, chances)
            number += isinstance(move.roll, Attack)
            chances, _ = move.roll.after(chances, move.solved)
    return found


def _of_volley(number: int, roll: VolleyRoll, solved: SolvedVolley, chances: Values) -> list[Decision]:
    """The decisions of shots resolved together."""
    [problem] = roll.block.problems
    game, playing, made = problem.game or p.Game(), Playing(roll.volley, roll.codes, solved.dealt), roll.begun(chances)
    drains, blesses = roll.spends
    found: dict[Decision, float] = {}

    def add(chance: float, decision: Decision) -> None:
        found[decision] = found.get(decision, 0.0) + chance

    code = np.flatnonzero(made)
    columns = [np.broadcast_to(field, code.shape).tolist() for field in roll.codes.decode(code)]
    for *values, mass in zip(*columns, made.flat[code].tolist(), strict=True):
        state = dict(zip(States._fields, values, strict=True))
        target = State(**{name: state[name] for name in State._fields})
        now: Now = {(1, 0, state["own_blood"], state["own_blessing"]): mass}
        for shot in range(roll.volley.shots):
            for (sequence, ended, *own), chance in now.items():
                blood, blessing = playing.on_action(state, (own[0], own[1]), shot, sequence, ended)
                here = Decision(number + shot, ACTION_ROLL, TARGETS_PLAYER, target, own[0], own[1], 0.0, ended=ended)
                here = here._replace(hits=kinds_of(sequence))
                if drains and own[0]:
                    add(chance, here._replace(blood=blood))
                if blesses and own[1]:
                    add(chance, here._replace(who=ATTACKERS_PLAYER, blessing=blessing))
            now = playing.shot(state, shot, now)
        for (sequence, ended, *own), chance in now.items():
            kinds, told = kinds_of(sequence), playing.deal(state, (own[0], own[1]), sequence, ended)
            for hit, (kind, (choice, guard)) in enumerate(zip(kinds, told, strict=True), 1):
                roll_of = (PLAIN_HIT, CRITICAL_HIT)[kind]
                here = Decision(number + roll.volley.shots - 1, roll_of, TARGETS_PLAYER, target, own[0], own[1], 0.0)
                here = here._replace(ended=ended, hits=kinds, hit=hit)
                if game.guards and target.blessing:
                    add(chance, here._replace(blessing=guard))
                if problem.policy.blood == p.OPTIMAL and target.blood + target.infection:
                    dice, bath = int(roll.block.dice(choice)), int(roll.block.bloodbath(choice))
                    add(chance, here._replace(who=ATTACKERS_PLAYER, blood=dice, bloodbath=bath))
    first = [TARGETS_PLAYER, ATTACKERS_PLAYER][:: -1 if game.attacker_first else 1]
    every = [decision._replace(chance=chance) for decision, chance in found.items()]

    def place(one: Decision) -> tuple[object, ...]:
        sequence = found_at[one.attack, one.hit > 0, one.state, one.own_blood, one.own_blessing, one.ended, one.hits]
        return (
            one.hit > 0,
            one.attack,
            -sequence,
            one.hits,
            one.state,
            one[4:6],
            one.ended,
            one.hit,
            first.index(one.who),
        )

    found_at: dict[tuple[object, ...], float] = {}
    for one in every:
        key = (one.attack, one.hit > 0, one.state, one.own_blood, one.own_blessing, one.ended, one.hits)
        found_at[key] = max(found_at.get(key, 0.0), one.chance)
    return sorted(every, key=place)


def _of_roll(
    number: int, block: Block, codes: Codes, attack: Attack | GateRoll, solved: Solved, chances: Values
) -> list[Decision]:
    [problem] = block.problems
    game, told = problem.game or p.Game(), attack.spent(solved)
    own = codes.shape.own_blessing
    every = codes.decode(attack.states * codes.shape.own_blood * own)
    columns = [np.broadcast_to(getattr(every, name), attack.states.shape).tolist() for name in State._fields]
    states = [State(*values) for values in zip(*columns, strict=True)]
    first = [TARGETS_PLAYER, ATTACKERS_PLAYER][:: -1 if game.attacker_first else 1]
    found = []
    for state, held in zip(*np.nonzero(chances[attack.states]), strict=True):
        chance = float(chances[attack.states[state], held])
        blood, blessing = divmod(int(held), own)
        roll = ACTION_ROLL if isinstance(attack, Attack) else RISKY_ROLL
        here = Decision(number, roll, TARGETS_PLAYER, states[state], blood, blessing, chance)
        pairs = attack.action.situation == held
        drains, blesses = (bool(spends[pairs].any()) for spends in (attack.blood, attack.blessing))
        if drains:
            found.append(here._replace(blood=int(told.blood[state, held])))
        if blesses:
            found.append(here._replace(who=ATTACKERS_PLAYER, blessing=int(told.blessing[state, held])))
    hits = attack.hits(chances, solved) if isinstance(attack, Attack) else np.zeros((0, 0, 0))
    for state, kind, held in zip(*np.nonzero(hits), strict=True):
        chance, roll = float(hits[state, kind, held]), (PLAIN_HIT, CRITICAL_HIT)[kind % 2]
        blood, blessing = divmod(int(held), own)
        here = Decision(number, roll, TARGETS_PLAYER, states[state], blood, blessing, chance, ended=int(kind) // 2)
        if game.guards and here.state.blessing:
            found.append(here._replace(blessing=int(told.guard[state, kind, held])))
        if problem.policy.blood == p.OPTIMAL and here.state.blood + here.state.infection:
            choice = told.choice[state, kind, held]
            dice, bath = int(block.dice(choice)), int(block.bloodbath(choice))
            found.append(here._replace(who=ATTACKERS_PLAYER, blood=dice, bloodbath=bath))
    rolls = [RISKY_ROLL, ACTION_ROLL, PLAIN_HIT, CRITICAL_HIT]
    return sorted(
        found, key=lambda one: (rolls.index(one.roll), -one.chance, one[3:6], one.ended, first.index(one.who))
    )
