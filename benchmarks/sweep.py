"""What sweeps cost: from a thousand to ten million scenarios, from a grid and from lines, and beside plain loops."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import threading
import time
import tomllib
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.icepool_chain import Question, Target, out_of_action, question_of
from benchmarks.machine import interleaved
from tcsim.sweep.grid import read_grid

#: Values of each place, so that no two scenarios ask the same: dice, armour, policies, starts, and attacks in a row.
SIZES = {
    "1e3": (1, 1, 18, 1),
    "1e4": (3, 3, 20, 1),
    "1e5": (7, 7, 7, 5),
    "1e6": (7, 7, 7, 52),
    "1e7": (15, 15, 21, 38),
}

GRID = """
[scenario.target]
[[scenario.attacks]]
[product]
"attacks[0].action_dice" = {{from = {dice}, to = {to_dice}}}
"attacks[0].injury_dice" = {{from = {injury}, to = {to_injury}}}
"target.injury_modifier" = {{from = {armour}, to = 0}}
"spend.blood_on_injury" = ["none", "greedy"]
"target.tough" = [false, true]
"target.down" = [false, true]
"target.blood" = {{from = 0, to = 6}}
"attacks[0].times" = {{from = 1, to = {times}}}
"""

#: Dice of scenarios that take long enough for a cluster to be worth it.
ROLLED = """
[scenario.target]
[[scenario.attacks]]
[product]
"attacks[0].action_dice" = {from = -2, to = 2}
"target.injury_modifier" = {from = -3, to = 0}
"target.blood" = {from = 0, to = 6}
"attacks[0].times" = {from = 1, to = 10}
"""

#: Kinds of question, each answered by icepool, by tcsim.odds and by a sweep.
KINDS = {
    "one attack": Question(armour=-2),
    "ten attacks": Question(armour=-2, times=10),
    "ten attacks, TOUGH, all blood spent": Question(Target(blood=2, tough=True), 1, 0, -2, "all", 10),
    "ten attacks, TOUGH, greedy": Question(Target(blood=2, tough=True), 1, 0, -2, "greedy", 10),
}

#: Scenarios of the million that are asked one by one as well.
SAMPLE = 500


def grid(size: str) -> str:
    """The grid of a size."""
    dice, injury, armour, times = SIZES[size]
    spread = {"dice": -(dice // 2), "to_dice": dice // 2, "injury": -(injury // 2), "to_injury": injury // 2}
    return GRID.format(**spread, armour=1 - armour, times=times)


def sweep(file: Path, out: Path, *more: str) -> dict[str, float]:
    """Run a sweep: seconds, seconds of processor, most memory of all its processes, size of the results."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "tcsim", "sweep", str(file), "--out", str(out), *more]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    most: dict[int, int] = {}
    watching = threading.Thread(target=watch, args=(process.pid, most))
    watching.start()
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    watching.join()
    if process.returncode:
        raise ValueError(f"the sweep of {file.name} ended with {process.returncode}")
    size = sum(part.stat().st_size for part in (out / "parts").iterdir())
    return {
        "seconds": round(seconds, 2),
        "of processor": round(used.ru_utime + used.ru_stime, 2),
        "memory, MB": sum(most.values()) // 1000,
        "results, MB": round(size / 1e6, 1),
    }


def watch(process: int, most: dict[int, int]) -> None:
    """Note the most kB that a process and those it began held each, pages that they share counted for each."""
    while True:
        family = [process]
        for one in family:  # which grows
            try:
                told = Path(f"/proc/{one}/status").read_text()
                most[one] = int(told.partition("VmHWM:")[2].split()[0])
                family += map(int, Path(f"/proc/{one}/task/{one}/children").read_text().split())
            except (OSError, IndexError):
                if one == process:
                    return
        time.sleep(0.05)


def lines(text: str, to: Path, most: int) -> None:
    """Write a grid as lines of JSON."""
    asked = read_grid(tomllib.loads(text))
    with to.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(asked.scenario(number)) + "\n" for number in range(min(most, asked.size)))


def beside(out: Path, each: float) -> dict[str, Any]:
    """Some rows of a sweep of a million one by one: whether they are the same, and what that takes."""
    import tcsim

    rows = pd.concat(
        [pd.read_parquet(part, columns=["row", "p_out", "fingerprint"]) for part in sorted(out.glob("parts/*.parquet"))]
    )
    asked = read_grid(tomllib.loads(grid("1e6")))
    chosen = random.Random(1).sample(range(asked.size), SAMPLE)
    scenarios = [asked.scenario(number) for number in chosen]
    swept = rows.set_index("row")["p_out"].loc[chosen].to_numpy()
    times: dict[str, float] = {}
    found: dict[str, list[float]] = {}
    for name, answer in (
        ("tcsim.odds", lambda scenario: tcsim.odds(scenario).out_of_action),
        ("icepool", lambda scenario: out_of_action(question_of(scenario))),
    ):
        begun = time.process_time()
        found[name] = [answer(scenario) for scenario in scenarios]
        times[name] = (time.process_time() - begun) / SAMPLE
    return {
        "different questions among the rows": int(rows["fingerprint"].nunique()),
        "largest difference of the sweep from": {
            name: float(np.abs(swept - values).max()) for name, values in found.items()
        },
        "one of these, µs of processor": {
            "sweep": round(each * 1e6, 2),
            **{name: round(took * 1e6) for name, took in times.items()},
        },
        "so many times as long as the sweep": {name: round(took / each) for name, took in times.items()},
    }


def by_kind() -> dict[str, Any]:
    """What one question of each kind takes by itself."""
    import tcsim

    found = {}
    for name, question in KINDS.items():
        scenario = question.scenario()
        if abs(out_of_action(question) - tcsim.odds(scenario).out_of_action) > 1e-12:
            raise ValueError(f"icepool and tcsim answer {name} differently, so their times do not compare")
        took = interleaved(
            {"icepool": partial(out_of_action, question), "tcsim.odds": partial(tcsim.odds, scenario)}, rounds=15
        )
        found[name] = {way: round(seconds * 1e6) for way, seconds in took.items()}
    return found


def run() -> dict[str, Any]:
    """Measure, and give the figures."""
    found: dict[str, Any] = {}

    def tell(name: str, figures: Any) -> None:
        found[name] = figures
        print(f"  {name}: {figures}", file=sys.stderr, flush=True)

    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for size in SIZES:
            file = folder / f"{size}.toml"
            file.write_text(grid(size), encoding="utf-8")
            tell(f"grid of {size}, one core", sweep(file, folder / size, "--threads", "1"))
        each = found["grid of 1e6, one core"]["of processor"] / read_grid(tomllib.loads(grid("1e6"))).size
        for name, figures in beside(folder / "1e6", each).items():
            tell(name, figures)
        lines(grid("1e6"), folder / "lines.jsonl", 1_000_000)
        tell("1e6 lines of JSON, one core", sweep(folder / "lines.jsonl", folder / "lines", "--threads", "1"))
        (folder / "rolled.toml").write_text(ROLLED, encoding="utf-8")
        for name, file, words in (
            ("grid of 1e6", folder / "1e6.toml", []),
            ("1e6 lines of JSON", folder / "lines.jsonl", []),
            ("1,400 of 100,000 trials", folder / "rolled.toml", ["--trials", "1e5", "--part-rows", "50"]),
        ):
            for way, option in (("two cores", "--threads"), ("Dask with two workers", "--workers")):
                out = folder / f"{file.stem}{option}"
                tell(f"{name}, {way}", sweep(file, out, *words, option, "2"))
        tell("one question by itself, µs", by_kind())
    return found
