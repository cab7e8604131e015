"""What a firefight comes to: how many are Down and out of action, and what that means for morale."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from tcsim.skirmish.field import Field
from tcsim.skirmish.morale import DOWN, OUT, STANDING
from tcsim.skirmish.space import Floats

#: Trials when none are named.
USUAL_TRIALS = 100_000


@dataclass(frozen=True)
class Dice:
    """How a firefight or game is rolled: trials, seed, threads; ``progress`` is told of trials that were counted."""

    trials: int = USUAL_TRIALS
    seed: int = 1
    threads: int | None = None
    progress: Callable[[int], None] | None = None


#: Numbers of joint conditions above this one are not told digit by digit.
MOST_TOLD = 10**15


def told_size(size: int) -> str:
    """Write a number of joint conditions.

    Parameters
    ----------
    size : int
        How many there are.

    Returns
    -------
    str
        As ``12,345``, or ``more than 1e15``.
    """
    return f"{size:,}" if size <= MOST_TOLD else "more than 1e15"


@dataclass(frozen=True)
class Outcome:
    """How a firefight ends under one way of choosing targets.

    Parameters
    ----------
    targeting : str
        How targets were chosen.
    method : str
        ``exact`` or ``monte_carlo``.
    ends : array, shape (3, targets + 1, targets + 1)
        Probability by the LEADER's end (standing or none, Down, out of action), number out of action, number Down.
    down, out : array, shape (targets,)
        Probability that each target is Down, or out of action.
    failed : float
        Probability that the morale test is made and fails.
    trials : int, optional
        How many trials were rolled.
    partial : bool, optional
        Whether Ctrl-C stopped it.
    advice : list of dict, optional
        What is attacked, activation by activation, and how probable that is.
    """

    targeting: str
    method: str
    ends: Floats
    down: Floats
    out: Floats
    failed: float
    needed: float
    trials: int | None = None
    partial: bool = False
    advice: list[dict[str, Any]] = field(default_factory=list)

    @property
    def out_pmf(self) -> Floats:
        """Probability of each number out of action, from 0 on."""
        pmf: Floats = self.ends.sum(axis=(0, 2))
        return pmf

    @property
    def down_pmf(self) -> Floats:
        """Probability of each number Down, from 0 on."""
        pmf: Floats = self.ends.sum(axis=(0, 1))
        return pmf

    @property
    def expected_out(self) -> float:
        """Mean number out of action."""
        return float(self.out_pmf @ np.arange(self.out_pmf.size))

    @property
    def expected_down(self) -> float:
        """Mean number Down."""
        return float(self.down_pmf @ np.arange(self.down_pmf.size))


def exactly(
    fields: Field, targeting: str, ends: Floats, each: tuple[Floats, Floats], advice: list[dict[str, Any]] | None = None
) -> Outcome:
    """Make an exact outcome of its end.

    Parameters
    ----------
    fields : Field
        The firefight.
    targeting : str
        How targets were chosen.
    ends : array, shape (3, targets + 1, targets + 1)
        As in :class:`Outcome`.
    each : tuple of array, shape (targets,)
        Probability of Down, and of out of action, target by target.
    advice : list of dict, optional
        What is attacked.

    Returns
    -------
    Outcome
        With the chances of the morale test.
    """
    test = ends * fields.needed
    failed = float(sum(chance * part.sum() for chance, part in zip(fields.test.failing, test, strict=True)))
    return Outcome(
        targeting, "exact", ends, *each, failed=min(failed, 1.0), needed=min(float(test.sum()), 1.0),
        advice=advice or [],
    )  # fmt: skip


def joined(chances: Sequence[tuple[float, float, float]], leader: int | None) -> Floats:
    """Join targets that are independent of each other.

    Parameters
    ----------
    chances : sequence of (float, float, float)
        Of each target: P(standing), P(Down), P(out of action).
    leader : int or None
        Which of them is the LEADER.

    Returns
    -------
    array, shape (3, targets + 1, targets + 1)
        As :attr:`Outcome.ends`.
    """
    size = len(chances) + 1
    ends = np.zeros((3, size, size))
    ends[STANDING, 0, 0] = 1
    for number, (standing, down, out) in enumerate(chances):
        after = standing * ends
        fallen, gone = np.zeros_like(ends), np.zeros_like(ends)
        fallen[:, :, 1:] = down * ends[:, :, :-1]
        gone[:, 1:] = out * ends[:, :-1]
        if number == leader:  # no other target moves it from where it was until now
            after[DOWN], after[OUT] = fallen[STANDING], gone[STANDING]
            ends = after
        else:
            ends = after + fallen + gone
    return ends
