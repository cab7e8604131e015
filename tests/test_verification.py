"""Slow truth about the dice (``make verification``): each check has a name, a number, a limit and a false-alarm rate.

A check looks at many cells, each with a chance known by counting. It fails when a cell's count is less likely than the
cell's share of the false-alarm rate (Chernoff's bound, see stat_tools); ``-s`` prints the least likely cell of all and
that limit.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import naive
import pytest
from stat_tools import smallest_seen, surprise

import tcsim
from tcsim.engines import tape as taping
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import resolve

pytestmark = pytest.mark.verification

FALSE_ALARM = 1e-6
ROOT = Path(__file__).parent.parent


def judge(name: str, cells: Iterable[tuple[int, int, float]]) -> None:
    """Check counts of trials against chances, and say how it went."""
    found = list(cells)
    limit = FALSE_ALARM / len(found)
    worst = min(surprise(count, trials, min(1.0, p)) for count, trials, p in found)
    seen = smallest_seen(min(trials for _, trials, _ in found), len(found), FALSE_ALARM)
    print(
        f"\n{name}: {len(found):,} cells, least likely {worst:.2g}, limit {limit:.2g}, "
        f"false alarms {FALSE_ALARM:g}, sees an error of {seen:.2g} in a chance near 1/2"
    )
    assert worst >= limit


def taped(scenario: dict[str, Any], seeds: range, trials: int = 65_536) -> Iterable[list[list[taping.TapedPool]]]:
    problem = resolve(from_mapping(scenario)).problem
    for seed in seeds:
        yield [taping.decode_tape(tape) for tape in taping.tapes(problem, trials, seed)]


@pytest.mark.parametrize("times", [1, 2], ids=["single", "general"])
def test_faces_and_neighbours(times: int) -> None:
    """Faces, and pairs of dice: within a pool, the first of pools in turn, the first of trials in nearby lanes.

    No die is in two pairs of a kind, so that the pairs are independent trials. Which pools are rolled depends on the
    dice before, so a pair of pools is judged by its second die.
    """
    faces: Counter[int] = Counter()
    within: Counter[tuple[int, int]] = Counter()
    in_turn: Counter[tuple[int, int]] = Counter()
    apart: dict[int, Counter[tuple[int, int]]] = {gap: Counter() for gap in (1, 2, 16, 32, 1024)}
    for trials in taped({"target": {}, "attacks": [{"kind": "melee", "action_dice": 1, "times": times}]}, range(1, 7)):
        for pools in trials:
            for pool in pools:
                faces.update(pool.dice)
                within.update(zip(pool.dice[::2], pool.dice[1::2], strict=False))
            in_turn.update((a.dice[0], b.dice[0]) for a, b in zip(pools[::2], pools[1::2], strict=False))
        first = [pools[0].dice[0] for pools in trials]
        for gap, counts in apart.items():
            counts.update((first[t], first[t + gap]) for t in range(len(first) - gap) if t // gap % 2 == 0)
    every = range(1, 7)
    cells = [(faces[face], faces.total(), 1 / 6) for face in every]
    for counts in (within, *apart.values()):
        cells += [(counts[a, b], counts.total(), 1 / 36) for a in every for b in every]
    for a in every:
        total = sum(in_turn[a, b] for b in every)
        cells += [(in_turn[a, b], total, 1 / 6) for b in every]
    judge("faces and pairs of dice", cells)


@pytest.mark.parametrize("net", range(-12, 13))
def test_totals_of_pools(net: int) -> None:
    """Every total of action pools of up to 14 dice, as the tapes of the trials tell them."""
    totals: Counter[int] = Counter()
    for trials in taped({"target": {}, "attacks": [{"kind": "melee", "action_dice": net}]}, range(1, 5)):
        totals.update(sum(pools[0].kept(2)) for pools in trials)
    chances = naive.pool_chances(net, 2)
    assert totals.keys() <= chances.keys()
    judge(f"totals at {net:+} dice", [(totals[total], totals.total(), float(p)) for total, p in chances.items()])


@pytest.mark.parametrize("net", range(-12, 13))
def test_results_of_pools(net: int) -> None:
    """What becomes of the target after 2e8 attacks with pools of up to 14 dice."""
    against_exact(
        f"results at {net:+} dice", {"target": {}, "attacks": [{"action_dice": net, "injury_dice": net}]}, 2e8
    )


def cases() -> list[dict[str, Any]]:
    lines = (ROOT / "tests/data/attack_chains.jsonl").read_text().splitlines()
    return [json.loads(line)["scenario"] for line in lines[::33]]


@pytest.mark.parametrize("scenario", cases(), ids=lambda scenario: scenario["id"])
def test_chains(scenario: dict[str, Any]) -> None:
    """Every final state of a billion trials."""
    against_exact(f"chain {scenario['id']}", scenario, 1e9)


def against_exact(name: str, scenario: dict[str, Any], trials: float) -> None:
    run = tcsim.simulate(scenario, int(trials)).run
    assert run is not None
    chances = dict(tcsim.odds(scenario).states)
    states = chances.keys() | run.counts.keys()
    judge(name, [(run.counts.get(state, 0), run.trials, chances.get(state, 0.0)) for state in states])


X86 = ["nehalem", "haswell", "skylake-avx512"]


@pytest.mark.parametrize("built_for", X86 if platform.machine() in ("x86_64", "AMD64") else ["generic"])
def test_the_same_counts_on_any_processor(built_for: str, tmp_path: Path) -> None:
    """Kernels compiled for SSE, AVX2 and AVX-512 count the same."""
    code = (
        "import json, sys, tcsim\n"
        "for scenario in json.load(sys.stdin):\n"
        "    states = tcsim.simulate(scenario, 300_001).run.counts\n"
        "    print(sorted((str(state), n) for state, n in states.items()))\n"
    )
    given = json.dumps([{"target": {}, "attacks": [{}]}, *cases()])
    said = []
    for name in (None, built_for):
        env = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / str(name)), "PYTHONPATH": str(ROOT)}
        env |= {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": ""} if name is not None else {}
        done = subprocess.run(
            [sys.executable, "-c", code], input=given, env=env, check=True, capture_output=True, text=True
        )
        said.append(done.stdout)
    assert said[0] == said[1]
    assert said[0].count("\n") == 1 + len(cases())
