"""One form of answer for every way of answering a duel."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.duels.resolve import ResolvedDuel
from tcsim.stats import counted, rolled

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class DuelRun:
    """How a Monte Carlo answer came about: counts are of a and b, by the round in which they won.

    ``partial`` after Ctrl-C.
    """

    trials: int
    seed: int
    stream_version: int
    counts: tuple[tuple[int, int], ...]
    partial: bool = False


@dataclass(frozen=True, repr=False)
class DuelResult:
    """The answer to a duel.

    Parameters
    ----------
    resolved : ResolvedDuel
        What was asked.
    method : str
        ``exact`` or ``monte_carlo``.
    story : tuple of (float, float)
        After each round: P(a has won), P(b has won), in [0, 1].
    run : DuelRun, optional
        For Monte Carlo: trials, seed and counts.
    fractions : tuple of (Fraction, Fraction), optional
        The exact story, when it was asked for.

    Examples
    --------
    >>> import tcsim
    >>> result = tcsim.duel({"rounds": 2, "a": {"attacks": [{}]}, "b": {"attacks": [{}]}})
    >>> round(result.a_wins, 4), round(result.b_wins, 4), len(result.rounds)
    (0.2879, 0.2153, 2)
    """

    resolved: ResolvedDuel
    method: str
    story: tuple[tuple[float, float], ...]
    run: DuelRun | None = None
    fractions: tuple[tuple[Fraction, Fraction], ...] | None = None

    def __repr__(self) -> str:
        how = "exact" if self.run is None else f"{self.run.trials:,} trials, seed {self.run.seed}"
        return f"<DuelResult: a wins {self.a_wins:.6g}, b wins {self.b_wins:.6g} ({how})>"

    @property
    def a_wins(self) -> float:
        """Probability in [0, 1] that b is out of action, and a is not, when the rounds are over."""
        return self.story[-1][0]

    @property
    def b_wins(self) -> float:
        """Probability in [0, 1] that a is out of action, and b is not, when the rounds are over."""
        return self.story[-1][1]

    @property
    def neither(self) -> float:
        """Probability in [0, 1] that neither is out of action when the rounds are over."""
        return max(0.0, 1 - self.a_wins - self.b_wins)

    @property
    def length(self) -> float:
        """Mean number of rounds that are fought, the last one counted even if it does not end."""
        return 1 + sum(max(0.0, 1 - a - b) for a, b in self.story[:-1])

    @property
    def notes(self) -> tuple[str, ...]:
        """What is not counted, or changes nothing; a sentence each."""
        return self.resolved.notes

    def counts(self, until: int | None = None) -> tuple[int, int]:
        """Count the trials that each has won.

        Parameters
        ----------
        until : int, optional
            Up to this round; default: all.

        Returns
        -------
        tuple of int
            For a and b; 0 for an exact answer.
        """
        rows = self.run.counts[:until] if self.run is not None else ()
        return sum(a for a, _ in rows), sum(b for _, b in rows)

    @property
    def rounds(self) -> pd.DataFrame:
        """Who has won by which round.

        Returns
        -------
        DataFrame
            A row per round: ``round``, ``a_wins``, ``b_wins``, ``neither`` (probabilities in [0, 1], cumulative); for
            Monte Carlo also counts and 95% intervals.
        """
        import pandas as pd

        frame = pd.DataFrame(self.to_dict()["rounds"])
        frame.insert(3, "neither", (1 - frame["a_wins"] - frame["b_wins"]).clip(lower=0))
        return frame

    def to_dict(self) -> dict[str, Any]:
        """Give the answer as plain data, as the command line prints it with ``--json``.

        Returns
        -------
        dict
            ``id``, ``edition``, ``method``, ``a_wins``, ``b_wins``, ``neither``, ``rounds`` (cumulative), and what the
            method adds; ``options`` and ``notes`` only when there is something to say.
        """
        answer: dict[str, Any] = {
            "id": self.resolved.given.id,
            "edition": self.resolved.duel.edition,
            "method": self.method,
            "a_wins": self.a_wins,
            "b_wins": self.b_wins,
            "neither": self.neither,
        }
        if self.fractions is not None:
            a, b = self.fractions[-1]
            answer |= {"fractions": {"a_wins": str(a), "b_wins": str(b), "neither": str(1 - a - b)}}
        if self.run is not None:
            a_count, b_count = self.counts()
            answer |= _counted("a", a_count, self.run.trials) | _counted("b", b_count, self.run.trials)
            answer |= rolled(self.run.trials, self.run.seed, self.run.stream_version, self.run.partial)
        answer["rounds"] = [self._row(number) for number in range(1, len(self.story) + 1)]
        if self.resolved.options:
            answer["options"] = self.resolved.options
        if self.resolved.notes:
            answer["notes"] = list(self.resolved.notes)
        return answer

    def _row(self, number: int) -> dict[str, Any]:
        a, b = self.story[number - 1]
        row: dict[str, Any] = {"round": number, "a_wins": a, "b_wins": b}
        if self.run is not None:
            a_count, b_count = self.counts(number)
            row |= _counted("a", a_count, self.run.trials) | _counted("b", b_count, self.run.trials)
        return row


def _counted(side: str, count: int, trials: int) -> dict[str, Any]:
    return {f"{side}_{name}": value for name, value in counted(count, trials).items()}
