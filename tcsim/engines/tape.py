"""The dice of single trials, as the kernels write them down: the very trials that are counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tcsim.engines.monte_carlo import key_of
from tcsim.engines.room import borrowed_room
from tcsim.engines.rows import play_of
from tcsim.kernels import layout as k
from tcsim.scenario.problem import ACTION_KEEP, Game, Problem, State, Step

#: Most blood markers that the kernels hold.
BLOOD_LIMIT = k.BLOOD - 1


def tapes(problem: Problem, trials: int, seed: int = 1, dice: str = "own") -> list[list[int]]:
    """Play the first trials of a run and write down every die: the trials that are counted.

    Parameters
    ----------
    problem : Problem
        What to play.
    trials : int
        How many of the first trials, 1 to 65,536.
    seed, dice
        As for :func:`tcsim.engines.monte_carlo.count`.

    Returns
    -------
    list of list of int
        The entries of each trial's tape, as the kernel writes them; the last is the final state.
    """
    kinds, game = 1 + problem.has_infection, problem.game or Game()
    each = max(game.blood, game.blessing)  # more dice that an action roll may have
    most = 1 + sum(step.volleys * step.shots * (each + _entries(step, problem.start, kinds)) for step in problem.steps)
    tape, taped = np.zeros((trials, most), dtype=np.int64), np.zeros(trials, dtype=np.int64)
    play = play_of(problem, dice)
    with borrowed_room() as room:
        counts = np.zeros(len(play.ends), dtype=np.int64)
        play.run(key_of(problem, seed, dice), 0, trials, room, counts, tape, taped)
    return [[*tape[trial, : taped[trial]].tolist(), int(tape[trial, -1])] for trial in range(trials)]


def _entries(step: Step, start: State, kinds: int) -> int:
    """Most entries of one attack: its three pools and their dice, of which one is the flat die of a Bloodbath.

    ``kinds``: how many kinds of markers there are to spend.
    """
    action = max(abs(step.action_dice), abs(step.action_dice_down)) + abs(step.first_shot_dice)
    nets = (step.injury_dice, step.injury_dice_critical, step.injury_dice_down, step.injury_dice_down_critical)
    injury = step.injury_keep + 1 + max(map(abs, nets)) + kinds * BLOOD_LIMIT + start.blessing
    rolls = 1 + (step.special.rerolls > 0)
    return 2 + rolls * (1 + ACTION_KEEP + action) + injury + 1


@dataclass(frozen=True)
class TapedPool:
    """A pool as a tape tells it: ``kind`` 0 action, 1 injury, 2 the flat die of a Bloodbath; ``choice``: spending."""

    move: int
    shot: int
    kind: int
    choice: int
    lowest: bool
    dice: list[int]

    def kept(self, keep: int) -> tuple[int, ...]:
        """Give the faces that count, in the order in which they fell.

        Parameters
        ----------
        keep : int
            How many.

        Returns
        -------
        tuple of int
            The highest, or the lowest where net dice were negative.
        """
        order = sorted(range(len(self.dice)), key=lambda i: self.dice[i], reverse=not self.lowest)
        return tuple(self.dice[i] for i in sorted(order[:keep]))


def decode_tape(tape: list[int], problem: Problem) -> list[TapedPool]:
    """Read the entries of a tape as pools.

    Parameters
    ----------
    tape : list of int
        From :func:`tapes`.
    problem : Problem
        What was played.

    Returns
    -------
    list of TapedPool
        In the order in which they were rolled, with faces 1 to 6.
    """
    pools: list[TapedPool] = []
    bits = k.SPENT_BITS_SPECIAL if problem.is_one_by_one else k.SPENT_BITS
    choices = 1 + BLOOD_LIMIT * (1 + problem.has_infection)
    for entry in tape[:-1]:
        if entry & k.TAPE_POOL:
            code = (entry >> k.TAPE_SPENT) & (2 ** (bits + 1) - 1)
            choice = (code & (2**bits - 1)) + choices * (code >> bits)
            move, pool = divmod((entry ^ k.TAPE_POOL) >> k.TAPE_ROW, k.POOL_ROWS * k.MOVE_POOLS)
            kind, shot = divmod(pool // k.POOL_ROWS, k.MAX_SHOTS)
            pools.append(TapedPool(move, shot, kind, choice, bool(entry & 1), []))
        else:
            die = entry & (2**k.TAPE_ROW - 1)  # lowest dice are rolled turned over, see the kernel
            pools[-1].dice.append(6 - die if pools[-1].lowest else die + 1)
    return pools


def tape_end(problem: Problem, entry: int) -> State | None:
    """Give the final state that the last entry of a tape tells.

    Parameters
    ----------
    problem : Problem
        What was played.
    entry : int
        The entry.

    Returns
    -------
    State or None
        None for out of action.
    """
    end: State | None = play_of(problem).ends[entry ^ k.TAPE_END]
    return end
