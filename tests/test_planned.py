"""One plan for many starts: each question comes to what it does alone, where it is planned anew."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

import tcsim
from tcsim.engines.families import answers
from tcsim.scenario.problem import Problem, State
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import resolve

OPTIMAL = {"blood_on_injury": "optimal"}

#: Rows of a user's own, which look at how many attacks are left.
ROWS = {"policy": [{"attacks_left": 1, "dice": "all"}, {"down": True, "blood": "3-6", "bloodbath": True}]}

#: Scenarios, and starts of theirs as changes of the target.
CASES: dict[str, tuple[dict[str, Any], dict[str, list[Any]]]] = {
    "attacks in turn": (
        {"target": {"armour": ["Standard Armour"]}, "attacks": [{}], "spend": OPTIMAL},
        {"blood": [0, 3, 6], "down": [False, True], "tough": [False, True], "times": [1, 2, 4]},
    ),
    "another goal": (
        {"target": {}, "attacks": [{"keywords": ["CRITICAL"]}], "spend": OPTIMAL | {"goal": "down"}},
        {"blood": [1, 5], "down": [False, True], "times": [1, 3]},
    ),
    "a goal that counts attacks": (
        {"target": {"armour": ["Standard Armour"]}, "attacks": [{}], "spend": OPTIMAL | {"goal": "out-by-attack-2"}},
        {"blood": [2, 4], "times": [2, 3, 4]},
    ),
    "a volley": (
        {"target": {}, "attacks": [{"shots": 2}], "spend": OPTIMAL},
        {"blood": [0, 3, 4], "down": [False, True], "times": [1, 2]},
    ),
    "events, and an activation that may end": (
        {"target": {}, "attacks": [{"keywords": ["RISKY"]}, {"event": "risky"}, {}], "spend": OPTIMAL},
        {"blood": [0, 4], "down": [False, True]},
    ),
    "other markers": (
        {"target": {}, "attacks": [{}], "spend": OPTIMAL | {"blessing_on_injury": "all"}},
        {"blood": [0, 4], "infection": [0, 2], "blessing": [0, 1, 2], "times": [1, 2]},
    ),
    "what few targets are": (
        {"target": {"unit": "Lord of Tumours"}, "attacks": [{}], "spend": OPTIMAL},
        {"blood": [0, 3], "down": [False, True], "times": [1, 2]},
    ),
    "rows of a user": (
        {"target": {}, "attacks": [{}], "spend": ROWS},
        {"blood": [1, 4, 6], "down": [False, True], "times": [1, 3]},
    ),
}


def problem_of(scenario: dict[str, Any], changes: dict[str, Any]) -> Problem:
    times = changes.pop("times", 1)
    attacks = [*scenario["attacks"][:-1], scenario["attacks"][-1] | {"times": times}]
    return resolve(from_mapping(scenario | {"target": scenario["target"] | changes, "attacks": attacks})).problem


@pytest.mark.parametrize("name", CASES)
def test_one_plan_is_for_every_start_and_for_fewer_attacks(name: str) -> None:
    scenario, axes = CASES[name]
    asked = [problem_of(scenario, dict(zip(axes, values, strict=True))) for values in product(*axes.values())]
    wholes = list(dict.fromkeys(replace(problem, start=State()) for problem in asked))
    starts = list(dict.fromkeys(problem.start for problem in asked))
    which = np.array([wholes.index(replace(problem, start=State())) for problem in asked])
    start = np.array([starts.index(problem.start) for problem in asked])
    for found, problem in zip(answers(wholes, starts, which, start), asked, strict=True):
        resolved = replace(tcsim.resolve(from_mapping({"target": {}, "attacks": [{}]})), problem=problem)
        alone = tcsim.odds(resolved)
        assert tuple(found) == pytest.approx((alone.out_of_action, alone.down, alone.blood), abs=1e-12, nan_ok=True)
