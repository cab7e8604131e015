"""One form of answer for every engine."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.scenario.problem import State
from tcsim.scenario.resolve import Resolved
from tcsim.stats import counted, interval, rolled

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Run:
    """How a Monte Carlo answer came about, and what was counted (state to count; None is out of action).

    ``partial`` after Ctrl-C; ``traces`` are the first trials, told die by die, where they were asked for; ``dice``:
    ``own``, or ``shared`` with other scenarios.
    """

    trials: int
    seed: int
    stream_version: int
    counts: dict[State | None, int]
    partial: bool = False
    traces: tuple[Any, ...] = ()
    dice: str = "own"


def in_order(ways: Iterable[tuple[State | None, Any]]) -> list[tuple[State | None, Any]]:
    """Sort the ways a problem can end: out of action first, then by Down, blood, blessing, TOUGH.

    Parameters
    ----------
    ways : iterable of (State or None, probability)
        In any order.

    Returns
    -------
    list of (State or None, probability)
        Sorted.
    """
    return sorted(ways, key=lambda way: (way[0] is not None, way[0] or ()))


@dataclass(frozen=True, repr=False)
class Result:
    """The answer to a scenario.

    Parameters
    ----------
    resolved : Resolved
        What was asked.
    method : str
        ``exact``, ``monte_carlo`` (dice), ``outcome`` or ``counts``.
    states : list of (State or None, probability)
        Every way it can end, out of action (None) first; probabilities in [0, 1] that sum to 1.
    run : Run, optional
        For Monte Carlo: trials, seed and counts.
    fractions : list of Fraction, optional
        The exact probabilities, in the order of ``states``, when they were asked for.

    Examples
    --------
    >>> import tcsim
    >>> result = tcsim.odds({"target": {"injury_modifier": -1}, "attacks": [{"keywords": ["CRITICAL"]}]})
    >>> round(result.out_of_action, 4)
    0.1071
    """

    resolved: Resolved
    method: str
    states: list[tuple[State | None, float]]
    run: Run | None = None
    fractions: list[Fraction] | None = None

    def __repr__(self) -> str:
        how = "exact" if self.run is None else f"{self.run.trials:,} trials, seed {self.run.seed}"
        return f"<Result: out of action {self.out_of_action:.6g} ({how}), {len(self.states)} final states>"

    @property
    def out_of_action(self) -> float:
        """Probability in [0, 1] that the target is out of action in the end."""
        return self.states[0][1] if self.states and self.states[0][0] is None else 0.0

    @property
    def down(self) -> float:
        """Probability in [0, 1] that the target is Down, and not out of action, in the end."""
        return min(1.0, sum(p for state, p in self.states if state is not None and state.down))

    @property
    def blood(self) -> float:
        """Mean number of blood markers on a target that is still in the fight; NaN when it never is."""
        alive = sum(p for state, p in self.states if state is not None)
        total = sum(p * state.blood for state, p in self.states if state is not None)
        return total / alive if alive else float("nan")

    @property
    def notes(self) -> tuple[str, ...]:
        """What is not counted, or changes nothing; a sentence each."""
        return self.resolved.notes

    @property
    def interval(self) -> tuple[str, float, float] | None:
        """For Monte Carlo: method, low and high end of the 95% interval of ``out_of_action``; else None."""
        if self.run is None:
            return None
        return interval(self.run.counts.get(None, 0), self.run.trials)

    @property
    def final(self) -> pd.DataFrame:
        """Every final state.

        Returns
        -------
        DataFrame
            A row per state with ``out_of_action``, ``down``, ``blood``, ``blessing``, ``tough``, in some scenarios
            ``infection``, ``spared``, ``warded``, ``firm`` (missing when out of action), ``p`` (probability in [0, 1]);
            for Monte Carlo also ``count``, ``low``, ``high``.
        """
        import pandas as pd

        rows = self.to_dict()["final"]
        frame = pd.DataFrame(rows)
        types: dict[str, Any] = {"down": "boolean", "blood": "Int64", "blessing": "Int64", "tough": "boolean"}
        few = self.resolved.problem.few_states
        types |= {name: "Int64" if self._is_number(name) else "boolean" for name in few}
        for name, kind in types.items():
            frame[name] = frame[name].astype(kind) if name in frame else pd.Series([pd.NA] * len(frame), dtype=kind)
        return frame[["out_of_action", *types, *(c for c in frame if c not in types and c != "out_of_action")]]

    def _is_number(self, name: str) -> bool:
        """Whether a field that few states have counts something, and does not just hold or not."""
        return name == "infection" or getattr(self.resolved.problem.start, name) > 1

    def to_dict(self) -> dict[str, Any]:
        """Give the answer as plain data, as the command line prints it with ``--json``.

        Returns
        -------
        dict
            ``id``, ``edition``, ``method``, ``out_of_action``, ``final`` (every state that is possible, or was
            counted, once), and what the method adds; ``catalog``, ``options`` and ``notes`` only when
            there is something to say.
        """
        answer: dict[str, Any] = {
            "id": self.resolved.scenario.id,
            "edition": self.resolved.problem.edition,
            "method": self.method,
            "out_of_action": self.out_of_action,
        }
        if self.fractions is not None:
            answer["fraction"] = str(self.fractions[0]) if self.states[0][0] is None else "0"
        if self.run is not None:
            answer |= self._run_entries()
        answer["final"] = [self._row(index) for index in range(len(self.states))]
        if self.resolved.files:
            answer["catalog"] = [file.mark for file in self.resolved.files]
        if self.resolved.options:
            answer["options"] = self.resolved.options
        if self.resolved.notes:
            answer["notes"] = list(self.resolved.notes)
        return answer

    def _run_entries(self) -> dict[str, Any]:
        assert self.run is not None
        run = self.run
        entries = counted(run.counts.get(None, 0), run.trials)
        entries |= rolled(run.trials, run.seed, run.stream_version, run.partial)
        entries |= {"dice": run.dice} if run.dice != "own" else {}
        if run.traces:
            entries["traces"] = [str(trial) for trial in run.traces]
        return entries

    def _row(self, index: int) -> dict[str, Any]:
        state, p = self.states[index]
        row: dict[str, Any] = {"out_of_action": state is None}
        if state is not None:
            row |= {
                "down": bool(state.down),
                "blood": state.blood,
                "blessing": state.blessing,
                "tough": bool(state.tough),
            }
            for name in self.resolved.problem.few_states:
                value = getattr(state, name)
                row[name] = value if self._is_number(name) else bool(value)
        row["p"] = p
        if self.fractions is not None:
            row["fraction"] = str(self.fractions[index])
        if self.run is not None:
            row |= counted(self.run.counts[state], self.run.trials)
        return row
