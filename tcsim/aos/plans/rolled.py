"""A turn played with dice, commands used as the search found, or as is given: all trials side by side in numpy.

Trials that are in the same state do the same and roll their own dice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from tcsim.aos.plans.search import Search, State, Use

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice


@dataclass(frozen=True, slots=True)
class Played:
    """What came of playing.

    Parameters
    ----------
    goal : array of float, shape (trials,)
        What the goals that hold in the end are worth.
    spent : array of int, shape (trials,)
        Command points spent.
    uses : dict of str to array of int, shape (trials,)
        How often each command that can be used was.
    """

    goal: NDArray[np.float64]
    spent: NDArray[np.int64]
    uses: dict[str, NDArray[np.int64]]


def played(search: Search, points: int, dice: Dice, trials: int, wanted: set[Use] | None = None) -> Played:
    """Play a turn in every trial.

    Parameters
    ----------
    search : Search
        The turn, searched.
    points : int
        Command points; one of those that were asked for.
    dice : Dice
        The stream of dice.
    trials : int
        How many.
    wanted : set of Use, optional
        Commands that are used whenever they may be, and no others; default: the best way.

    Returns
    -------
    Played
        What came of it.
    """
    spent = np.zeros(trials, np.int64)
    uses = {use.command: np.zeros(trials, np.int64) for use in search.uses()}
    now = {search.starts[points]: np.arange(trials)}
    for place in range(len(search.steps)):
        following: dict[State, list[NDArray[np.int64]]] = {}
        for state, members in now.items():
            option = search.taken(place, state, wanted).option
            spent[members] += option.cost
            if option.command:
                uses[option.command][members] += 1
            outcomes = option.roll.rolled(dice, len(members))
            for outcome in np.unique(outcomes).tolist():
                after = search.after(place, state, option, outcome)
                following.setdefault(after, []).append(members[outcomes == outcome])
        now = {state: np.concatenate(parts) for state, parts in following.items()}
    goal = np.zeros(trials)
    for state, members in now.items():
        goal[members] = float(search.ends[state])
    return Played(goal, spent, uses)
