"""The cells of a comparison: each an ordinary scenario, asked, solved and rolled."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.analysis.compare.loadouts import Loadout
from tcsim.analysis.compare.repeated import Repeated, repeated
from tcsim.analysis.compare.situations import Situation
from tcsim.analysis.compare.targets import Target
from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.catalog import Catalog
from tcsim.engines.answer import Plan, exact_results, simulate_whole
from tcsim.engines.result import Result, Run, in_order
from tcsim.scenario.problem import Problem, State
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import MAX_ROLLS, Resolved, resolve
from tcsim.scenario.situation import OutOfReachError
from tcsim.scenario.written import read_keys

Bits = NDArray[np.uint8]

#: How many weapons that are used up there are, where attacks are made several times and nothing is said.
_ENOUGH = 100

#: What stands for the target that a scenario file has itself.
OWN_TARGET = Target(mark("its own target"), {})

#: Chances of a cell, each by the ends that it counts.
ENDS: dict[str, Callable[[State | None], bool]] = {
    "out": lambda end: end is None,
    "down_or_out": lambda end: end is None or bool(end.down),
}


@dataclass(frozen=True)
class Terms:
    """What all cells of a comparison have in common; the fields are arguments of :func:`compare`."""

    times: int = 1
    spend: str | Mapping[str, Any] | None = None
    edition: str | None = None
    catalog: Any = None
    attacker: str | Mapping[str, Any] | None = None
    faction: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Cell:
    """One loadout against one target in one situation; ``result`` None where the weapon does not reach.

    ``out``: with shared dice a bit for each trial, whether the target is out of action, packed as numpy does.
    """

    loadout: Loadout
    target: Target
    situation: Situation
    scenario: Mapping[str, Any]
    result: Result | None
    out: Bits | None
    again: Repeated | None

    @property
    def marker_limit(self) -> int:
        """How many blood markers a model can hold; 0 where the weapon does not reach."""
        return self.result.resolved.problem.charts.marker_limit if self.result is not None else 0

    @property
    def answers(self) -> dict[str, float]:
        """``p_out``, ``p_down_or_out``, ``expected_blood``; where the weapon does not reach, of the target as it is."""
        if self.result is not None:
            states, limit = self.result.states, self.marker_limit
        else:
            target = self.scenario["target"]
            states, limit = [(State(int(bool(target.get("down"))), target.get("blood", 0)), 1.0)], 0
        found = {f"p_{name}": min(1.0, sum(p for end, p in states if so(end))) for name, so in ENDS.items()}
        return found | {"expected_blood": sum(p * (limit if end is None else end.blood) for end, p in states)}


@dataclass(frozen=True)
class Question:
    """A cell as it is asked; ``question`` None where the weapon does not reach, which ``beyond`` says."""

    loadout: Loadout
    target: Target
    situation: Situation
    scenario: Mapping[str, Any]
    question: Resolved | None
    again: Repeated | None
    beyond: str = ""


def ask(side: Loadout, mark: Target, way: Situation, given: Terms, rows: Catalog) -> Question:
    """Ask a cell.

    Parameters
    ----------
    side, mark, way
        Loadout, target and situation.
    given : Terms
        What all cells have in common.
    rows : Catalog
        Where names are looked up.

    Returns
    -------
    Question
        Resolved, once and as often as the attacks are made.

    Raises
    ------
    InputError
        For what cannot be together, with the names of all three.
    """
    target = dict(side.more.get("target", {}) if mark is OWN_TARGET else mark.table)
    spend = given.spend if given.spend is not None else side.more.get("spend", {})
    once: dict[str, Any] = {
        "edition": rows.edition,
        "attacker": {**side.attacker, **way.attacker},
        "target": {**target, **way.target},
        "attacks": [way.changed(attack, rows) for attack in side.attacks],
        "spend": read_keys(spend, "blood_on_injury", "spend") if isinstance(spend, str) else dict(spend),
        "options": {**side.more.get("options", {}), **given.options},
    }
    scenario = once if given.times == 1 else _made(once, given.times, rows)
    try:
        first, second = (resolve(from_mapping(one), rows) for one in (once, _made(once, 2, rows)))
        again = repeated(first.problem, second.problem)
        question = first
        if given.times > 1:
            question = (
                replace(second, problem=again.times(given.times))
                if again.again
                else resolve(from_mapping(scenario), rows)
            )
            if question.problem.rolls > MAX_ROLLS:
                raise InputError(
                    f"these are {question.problem.rolls:,} attack rolls, at most 1,000 are allowed", "times"
                )
    except OutOfReachError as error:
        return Question(side, mark, way, scenario, None, None, f"{side.name}, {way.name}: {_sentence(error)}")
    except InputError as error:
        raise InputError(str(error), ", ".join([side.name, mark.name, way.name])) from None
    return Question(side, mark, way, scenario, question, again)


def _sentence(error: InputError) -> str:
    return str(error).partition(": ")[2] + "."


def _made(once: Mapping[str, Any], times: int, rows: Catalog) -> dict[str, Any]:
    """Write attacks that are made several times, an activation each, with enough of what is used up."""
    attacks = [_enough(attack, rows) for attack in once["attacks"]]
    more = [{"event": "activation"}, *attacks]
    return {**once, "attacks": [*attacks, *more * (times - 1)]}


def _enough(attack: Mapping[str, Any], rows: Catalog) -> dict[str, Any]:
    given = dict(attack)
    if "event" in given or given.get("carried") is not None:
        return given
    weapon = rows.weapon(given["weapon"], given.get("kind")).keywords if given.get("weapon") is not None else ()
    words = {name.partition(" ")[0] for name in (*weapon, *given.get("keywords", ()))}
    if any(name in rows.rules.keywords and rows.rules.keywords[name].counted for name in words):
        given["carried"] = _ENOUGH
    return given


class Answers:
    """The answers to all cells: each problem is solved, and rolled, once."""

    def __init__(
        self,
        asked: Sequence[Question],
        plan: Plan | None,
        times: int,
        progress: Callable[[int], None] | None,
    ) -> None:
        self._progress = progress or (lambda number: None)
        questions = {one.question.problem: one.question for one in asked if one.question is not None}
        self.plan = plan
        self._runs: dict[Problem, tuple[Result, Bits | None]] = {}
        if plan is None:
            for result in exact_results(list(questions.values())) if questions else ():
                self._runs[result.resolved.problem] = result, None
            self._progress(len(asked))
            return
        plan.check()
        if plan.mode != "dice" or plan.precision is not None or plan.traces:
            raise InputError("a comparison rolls every die of as many trials for each cell; leave out the rest", "plan")
        self.plan = plan = replace(plan, trials=plan.trials if plan.trials is not None else 100_000)
        for problem, question in questions.items():
            self._runs[problem] = _rolled(question, plan)
            self._progress(1)

    def cell(self, one: Question) -> Cell:
        """Give a cell its answer."""
        if one.question is None:
            return Cell(one.loadout, one.target, one.situation, one.scenario, None, None, None)
        result, out = self._runs[one.question.problem]
        own = Result(one.question, result.method, result.states, result.run)
        return Cell(one.loadout, one.target, one.situation, one.scenario, own, out, one.again)


def _rolled(question: Resolved, plan: Plan) -> tuple[Result, Bits | None]:
    if plan.dice == "own":
        return simulate_whole(question, plan), None
    from tcsim.engines.paired import play_ends
    from tcsim.kernels.stream import STREAM_VERSION

    assert plan.trials is not None
    ends = play_ends(question.problem, plan.trials, plan.seed, plan.threads, plan.dice)
    counts = ends.counts
    states = in_order((state, n / plan.trials) for state, n in counts.items())
    run = Run(plan.trials, plan.seed, STREAM_VERSION, counts, dice=plan.dice)
    return Result(question, "monte_carlo", states, run), np.packbits(ends.out)
