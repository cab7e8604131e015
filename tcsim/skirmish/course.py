"""The course of a game: what is counted turn by turn, whether it was worked out or rolled."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tcsim.skirmish.space import Floats

#: What is counted of each turn and side: a morale test made, and failed; Shaken after it; fled, a rout too; all out of
#: action; won, because the other side fled or was destroyed.
TESTED, LOST_NERVE, SHAKEN, FLED, DESTROYED, WON = range(6)
COUNTED = ("tested", "failed", "shaken", "fled", "destroyed", "won")


@dataclass(frozen=True)
class Course:
    """How a game goes.

    Parameters
    ----------
    method : str
        ``exact`` or ``monte_carlo``.
    events : array, shape (turns, 2, 6)
        Probability of each event (``COUNTED``) in each turn, by side.
    gone : array, shape (turns, 2, models + 1)
        Probability of each number out of action at the end of each turn, by side; a game that is over stays as it is.
    trials : int, optional
        How many trials were rolled.
    partial : bool, optional
        Whether Ctrl-C stopped it.
    """

    method: str
    events: Floats
    gone: Floats
    trials: int | None = None
    partial: bool = False

    @property
    def wins(self) -> Floats:
        """Probability that each side has won, by the end of each turn: shape (turns, 2)."""
        return np.minimum(np.cumsum(self.events[:, :, WON], axis=0), 1.0)

    @property
    def over(self) -> Floats:
        """Probability that the game is over, by the end of each turn."""
        total: Floats = self.wins.sum(axis=1)
        return np.minimum(total, 1.0)
