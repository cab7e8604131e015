"""Problems to columns of results: exactly, whole blocks at once, or by rolling dice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim import __version__
from tcsim.base.errors import InputError
from tcsim.engines.families import answers
from tcsim.scenario.problem import Problem, State, fingerprints
from tcsim.stats import interval
from tcsim.sweep.questions import Asked
from tcsim.sweep.table import Column

Ints = NDArray[np.int64]

#: Columns of results, in order, and their kinds.
RESULTS = {
    "p_out": "float",
    "p_down": "float",
    "expected_blood": "float",
    "method": "text",
    "trials": "int",
    "count": "int",
    "low": "float",
    "high": "float",
    "interval": "text",
    "count_down": "int",
    "sum_blood": "int",
    "seed": "text",
    "stream_version": "int",
    "fingerprint": "text",
    "tcsim": "text",
    "not_counted": "text",
}


@dataclass(frozen=True)
class How:
    """How scenarios are answered: exactly, or with so many trials, or so many as an interval needs.

    ``seed`` goes with each scenario's fingerprint, so that no scenario's dice depend on the others.
    """

    method: str = "exact"
    trials: int | None = None
    precision: float | None = None
    seed: int = 1
    threads: int | None = None

    @classmethod
    def of(cls, trials: int | None = None, precision: float | None = None, seed: int = 1) -> How:
        """Roll dice where trials or a precision are given, else answer exactly.

        Raises
        ------
        InputError
            For numbers that cannot be.
        """
        if trials is None and precision is None:
            if seed != 1:
                raise InputError("nothing is rolled without trials or a precision", "seed")
            return cls()
        from tcsim.engines.answer import Plan
        from tcsim.engines.monte_carlo import check

        Plan(trials, seed, precision=precision).check()
        check(trials if trials is not None else 1, seed, None, "own")
        return cls("monte_carlo", trials, precision, seed)

    def told(self) -> dict[str, Any]:
        """What of it decides the results."""
        if self.method == "exact":
            return {"method": "exact"}
        return {"method": "monte_carlo", "trials": self.trials, "precision": self.precision, "seed": self.seed}


@dataclass(frozen=True)
class Counted:
    """What was counted: trials, and in how many the target was out, or Down; and the markers on those not out."""

    trials: int = 0
    out: int = 0
    down: int = 0
    blood: int = 0

    def __add__(self, other: Counted) -> Counted:
        """Add what was counted in other trials of the same scenario."""
        return Counted(
            self.trials + other.trials, self.out + other.out, self.down + other.down, self.blood + other.blood
        )


def results(asked: Asked, rows: Ints, how: How, before: Sequence[Counted] | None = None) -> dict[str, Column]:
    """Answer rows.

    Parameters
    ----------
    asked : Asked
        The questions.
    rows : array of int
        Those that can be asked.
    how : How
        How.
    before : sequence of Counted, optional
        What was counted of each row before; its trials go on from there.

    Returns
    -------
    dict of str to Column
        As ``RESULTS`` names them: ``p_out`` and ``p_down`` are probabilities in [0, 1] that the target is out of
        action, or Down, in the end; ``expected_blood`` is the mean number of blood markers on a target still in the
        fight; ``low`` to ``high`` is the 95% interval of ``p_out``. ``count``, ``count_down`` and ``sum_blood`` are
        what was counted in ``trials``. The seed is told as text: it may have 64 bits.
    """
    which, start = asked.which[rows], asked.start[rows]
    packed = which * max(len(asked.starts), 1) + start
    different, first, question = np.unique(packed, return_index=True, return_inverse=True)
    of_problem, of_start = np.divmod(different, max(len(asked.starts), 1))
    asked_as = _fingerprints(asked, of_problem, of_start)
    one = np.zeros(rows.size, dtype=np.int64)
    found: dict[str, Column] = {}
    if how.method == "exact":
        told = answers(asked.problems, asked.starts, of_problem, of_start)[question]
        found |= {name: Column("float", told[:, n]) for n, name in enumerate(("p_out", "p_down", "expected_blood"))}
        found |= {name: Column(RESULTS[name], [None], one) for name in RESULTS if name not in found}
        found["method"] = Column("text", ["exact"], one)
    else:
        asked_of = zip(of_problem.tolist(), of_start.tolist(), first.tolist(), strict=True)
        counted = [
            _rolled(replace(asked.problems[problem], start=asked.starts[begin]), how, before[row] if before else None)
            for problem, begin, row in asked_of
        ]
        found |= _columns([counted[number] for number in question.tolist()])
        from tcsim.kernels.stream import STREAM_VERSION

        found["method"] = Column("text", ["monte_carlo"], one)
        found["seed"] = Column("text", [str(how.seed)], one)
        found["stream_version"] = Column("int", [STREAM_VERSION], one)
    found["fingerprint"] = Column("text", [asked_as[number] for number in question.tolist()])
    found["tcsim"] = Column("text", [__version__], one)
    found["not_counted"] = Column("text", asked.left_out, asked.leaves[rows])
    return {name: found[name] for name in RESULTS}


def _fingerprints(asked: Asked, of_problem: Ints, of_start: Ints) -> list[str]:
    """The fingerprint of each question; questions of one problem stand together."""
    edges = np.flatnonzero(np.diff(of_problem, prepend=-1, append=-2)).tolist() if of_problem.size else []
    found: list[str] = []
    for low, high in pairwise(edges):
        starts = [asked.starts[begin] for begin in of_start[low:high].tolist()]
        found += fingerprints(asked.problems[of_problem[low]], starts)
    return found


def _rolled(problem: Problem, how: How, before: Counted | None) -> Counted:
    """Roll a problem, from its first trial or from where it stopped."""
    from tcsim.engines.answer import Plan, rolled_tally
    from tcsim.engines.states import decode

    plan = Plan(how.trials, how.seed, how.threads, precision=how.precision)
    before = before or Counted()
    tally = rolled_tally(problem, plan, start=before.trials)
    states: dict[State | None, int] = {decode(code): count for code, count in tally.counts.items()}
    alive = [(state, count) for state, count in states.items() if state is not None]
    return before + Counted(
        tally.trials,
        states.get(None, 0),
        sum(count for state, count in alive if state.down),
        sum(count * state.blood for state, count in alive),
    )


def _columns(counted: list[Counted]) -> dict[str, Column]:
    ends = [interval(one.out, one.trials) for one in counted]
    return {
        "p_out": Column("float", [one.out / one.trials for one in counted]),
        "p_down": Column("float", [one.down / one.trials for one in counted]),
        "expected_blood": Column(
            "float", [one.blood / (one.trials - one.out) if one.out < one.trials else None for one in counted]
        ),
        "trials": Column("int", [one.trials for one in counted]),
        "count": Column("int", [one.out for one in counted]),
        "low": Column("float", [low for _, low, _ in ends]),
        "high": Column("float", [high for _, _, high in ends]),
        "interval": Column("text", [method for method, _, _ in ends]),
        "count_down": Column("int", [one.down for one in counted]),
        "sum_blood": Column("int", [one.blood for one in counted]),
    }
