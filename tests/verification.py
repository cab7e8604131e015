"""Slow truth about the dice, as named checks: each with a number, a limit, and how often it fails for nothing.

``python tests/verification.py`` runs them all and prints a table; ``--list`` says what each looks at; names, or parts
of names, choose some. ``pytest -m verification`` runs the same checks as tests.

A check looks at many cells, each with a chance known by counting. Its number is the least likely of them (Chernoff's
bound, see stat_tools), its limit the cell's share of the false-alarm rate; below the limit it fails. A check that
compares counts that must be the same has the number of differences, and the limit 0.
"""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click
import naive
from stat_tools import smallest_seen, surprise

import tcsim
from tcsim.engines import tape as taping
from tcsim.kernels.layout import BLOCK, LANES
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import resolve

#: Of all checks together, each of which has an equal share.
FALSE_ALARM, NUMBER_OF_CHECKS = 1e-6, 70
ROOT = Path(__file__).parent.parent

#: A count, of how many trials, and its chance.
Cell = tuple[int, int, float]


@dataclass(frozen=True)
class Verdict:
    """How a check went: ``sees`` is the smallest error of a chance near 1/2 that it would most likely notice."""

    number: float
    limit: float
    false_alarm: float
    cells: int
    sees: float

    @property
    def passed(self) -> bool:
        """Whether the number is on the right side of the limit; differences have the limit 0."""
        return self.number >= self.limit if self.limit else self.number == 0


@dataclass(frozen=True)
class Check:
    """A named check, what it looks at, and how it is carried out."""

    name: str
    about: str
    run: Callable[[], Verdict]


def judged(cells: Callable[[], Iterable[Cell]]) -> Verdict:
    """Judge cells by the least likely of them; all checks together fail for nothing with FALSE_ALARM."""
    found, false_alarm = list(cells()), FALSE_ALARM / NUMBER_OF_CHECKS
    worst = min(surprise(count, trials, min(1.0, p)) for count, trials, p in found)
    sees = smallest_seen(min(trials for _, trials, _ in found), len(found), false_alarm)
    return Verdict(worst, false_alarm / len(found), false_alarm, len(found), sees)


def taped(scenario: dict[str, Any], seeds: range) -> Iterator[list[list[taping.TapedPool]]]:
    """The pools of the trials of a block, for each seed."""
    problem = resolve(from_mapping(scenario)).problem
    for seed in seeds:
        yield [taping.decode_tape(tape, problem) for tape in taping.tapes(problem, BLOCK, seed)]


def faces_and_neighbours(times: int) -> list[Cell]:
    """Faces, and pairs of dice: within a pool, the first of pools in turn, the first of trials in nearby lanes.

    No die is in two pairs of a kind, so that the pairs are independent trials. Which pools are rolled depends on the
    dice before, so a pair of pools is judged by its second die.
    """
    faces: Counter[int] = Counter()
    within: Counter[tuple[int, int]] = Counter()
    in_turn: Counter[tuple[int, int]] = Counter()
    apart: dict[int, Counter[tuple[int, int]]] = {gap: Counter() for gap in (1, 2, 4, 16, 32, 64, LANES)}
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
    return cells


def totals_of_pools(net: int) -> list[Cell]:
    """Every total of action pools, as the tapes of the trials tell them."""
    totals: Counter[int] = Counter()
    for trials in taped({"target": {}, "attacks": [{"kind": "melee", "action_dice": net}]}, range(1, 5)):
        totals.update(sum(pools[0].kept(2)) for pools in trials)
    chances = naive.pool_chances(net, 2)
    return [(totals[total], totals.total(), float(chances.get(total, 0))) for total in totals.keys() | chances.keys()]


def against_exact(scenario: dict[str, Any], trials: int) -> list[Cell]:
    """Every final state of a scenario, against its exact chance."""
    run = tcsim.simulate(scenario, trials).run
    assert run is not None
    chances = dict(tcsim.odds(scenario).states)
    states = chances.keys() | run.counts.keys()
    return [(run.counts.get(state, 0), run.trials, chances.get(state, 0.0)) for state in states]


def some_cases() -> list[dict[str, Any]]:
    """Every 33rd of the scenarios with known answers."""
    lines = (ROOT / "tests/data/attack_chains.jsonl").read_text().splitlines()
    return [json.loads(line)["scenario"] for line in lines[::33]]


_COUNT = """
import json, sys, tcsim
for scenario in json.load(sys.stdin):
    states = tcsim.simulate(scenario, 300_001).run.counts
    print(sorted((str(state), n) for state, n in states.items()))
"""


def same_on(processor: str) -> Verdict:
    """Kernels compiled for this processor and for another one count the same."""
    scenarios = [{"target": {}, "attacks": [{}]}, *some_cases()]
    said = []
    with tempfile.TemporaryDirectory() as folder:
        for name in (None, processor):
            env = os.environ | {"NUMBA_CACHE_DIR": f"{folder}/{name}", "PYTHONPATH": str(ROOT)}
            env |= {"NUMBA_CPU_NAME": name, "NUMBA_CPU_FEATURES": ""} if name is not None else {}
            command = [sys.executable, "-c", _COUNT]
            given = json.dumps(scenarios)
            done = subprocess.run(command, input=given, env=env, check=True, capture_output=True, text=True)
            said.append(done.stdout.splitlines())
    assert len(said[0]) == len(said[1]) == len(scenarios)
    different = sum(a != b for a, b in zip(*said, strict=True))
    return Verdict(different, 0, 0, len(scenarios), 0)


def memory_of(trials: int) -> float:
    """Most memory in MB of a process that rolls so many trials."""
    code = (
        "import resource, sys, tcsim\n"
        "scenario = {'target': {'blood': 6}, 'attacks': [{'times': 3}], 'spend': {'blood_on_injury': 'greedy'}}\n"
        "tcsim.simulate(scenario, 1000)\n"
        "tcsim.simulate(scenario, int(sys.argv[1]))\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e6 if sys.platform == 'darwin' else 1e3))\n"
    )
    env = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code, str(trials)], env=env, check=True, capture_output=True, text=True
    )
    return float(done.stdout)


X86 = ("nehalem", "haswell", "skylake-avx512")
NETS = range(-12, 13)


#: Situations in which dice decide who is attacked, and those attacked hang together.
SITUATIONS: dict[str, dict[str, Any]] = {
    "shoot_into_melee": {
        "attack": "ranged,shots=3",
        "attacker": "blessing=2",
        "enemies": "injury_modifier=-1,blood=3 // tough",
        "friends": "down // injury_modifier=-2",
        "spend": "blood_on_injury=greedy,blessing_on_action=all",
    },
    "blast": {
        "attack": "ranged,SCATTER,CRITICAL",
        "group": "blood=6 // tough // injury_modifier=-2",
        "caught": "1:1+2+3//2:2//5:3",
        "spend": "bloodbath",
    },
}


def situation(name: str, edition: str, inputs: dict[str, Any], trials: int) -> Iterator[Cell]:
    """Every chance that a question answers."""
    right = tcsim.ask(name, edition=edition, **inputs)
    reply = tcsim.ask(name, edition=edition, method="monte-carlo", trials=trials, seed=5, **inputs)
    for answer, found in reply.answers.items():
        if "count" in found:
            yield found["count"], found["looks"], float(right[answer])


def checks() -> list[Check]:
    """All checks, in the order in which they run."""
    found = [
        Check(
            f"faces and pairs, {kernel} kernel",
            "faces, and pairs of dice in a pool, in pools in turn, and in lanes 1 to 1,024 apart; 393,216 trials",
            partial(judged, partial(faces_and_neighbours, times)),
        )
        for kernel, times in (("single", 1), ("general", 2))
    ]
    for net in NETS:
        name = f"totals at {net:+} dice"
        found.append(
            Check(name, "totals of action pools of 262,144 trials", partial(judged, partial(totals_of_pools, net)))
        )
    for net in NETS:
        scenario = {"target": {}, "attacks": [{"action_dice": net, "injury_dice": net}]}
        run = partial(judged, partial(against_exact, scenario, 200_000_000))
        found.append(Check(f"results at {net:+} dice", "final states of 2e8 attacks against exact", run))
    for scenario in some_cases():
        run = partial(judged, partial(against_exact, scenario, 10**9))
        found.append(Check(f"chain {scenario['id']}", "final states of 1e9 trials against exact", run))
    for name, asked in SITUATIONS.items():
        for edition in ("1.6.3", "1.0.2"):
            run = partial(judged, partial(situation, name, edition, asked, 4_000_000))
            found.append(Check(f"{name} in {edition}", "every chance of 4e6 trials against exact", run))
    for processor in X86 if platform.machine() in ("x86_64", "AMD64") else ("generic",):
        found.append(
            Check(f"counts on {processor}", "the same counts as on this processor", partial(same_on, processor))
        )
    return found


@click.command()
@click.argument("names", nargs=-1)
@click.option("--list", "only_list", is_flag=True, help="Say what each check looks at, and run none.")
def main(names: tuple[str, ...], only_list: bool) -> None:
    """Run the checks whose name contains one of NAMES, or all; exit status 1 when one fails.

    The columns: how many counts a check looks at; its number, which must not be below the limit; how often it fails for
    nothing; the error of a chance near 1/2 that it would see more often than not.
    """
    chosen = [check for check in checks() if not names or any(name in check.name for name in names)]
    if not chosen:
        raise click.UsageError(f"no check is called {' or '.join(names)}; --list tells all")
    width = max(len(check.name) for check in chosen)
    if only_list:
        for check in chosen:
            click.echo(f"{check.name:{width}}  {check.about}")
        return
    click.echo(f"{'check':{width}} cells   number    limit  alarms     sees")
    failed = 0
    for check in chosen:
        click.echo(f"{check.name:{width}} ", nl=False)
        v = check.run()
        told = " ".join(
            f"{value:8.2g}" if value else "       0" for value in (v.number, v.limit, v.false_alarm, v.sees)
        )
        click.echo(f"{v.cells:5} {told}  {'passed' if v.passed else 'FAILED'}")
        failed += not v.passed
    click.echo(f"{len(chosen) - failed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
