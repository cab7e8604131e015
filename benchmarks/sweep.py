"""What sweeps cost: from a thousand to ten million scenarios, from a grid and from lines, and beside plain loops."""

from __future__ import annotations

import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Any

from benchmarks.exact import with_icepool
from benchmarks.machine import interleaved

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

#: Scenarios that the plain loop answers.
SAMPLE = 300


def grid(size: str) -> str:
    """The grid of a size."""
    dice, injury, armour, times = SIZES[size]
    spread = {"dice": -(dice // 2), "to_dice": dice // 2, "injury": -(injury // 2), "to_injury": injury // 2}
    return GRID.format(**spread, armour=1 - armour, times=times)


def sweep(file: Path, out: Path, *more: str) -> dict[str, float]:
    """Run a sweep in a process of its own: seconds, seconds of processor, largest memory, size of the results."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "tcsim", "sweep", str(file), "--out", str(out), *more]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begun
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise ValueError(f"the sweep of {file.name} ended with {process.returncode}")
    size = sum(part.stat().st_size for part in (out / "parts").iterdir())
    return {
        "seconds": round(seconds, 2),
        "of processor": round(used.ru_utime + used.ru_stime, 2),
        "memory, MB": used.ru_maxrss // 1000,
        "results, MB": round(size / 1e6, 1),
    }


def lines(text: str, to: Path, most: int) -> None:
    """Write a grid as lines of JSON."""
    from tcsim.sweep.grid import read_grid

    axes = read_grid(tomllib.loads(text)).axes
    with to.open("w", encoding="utf-8") as file:
        for dice, injury, armour, spend, tough, down, blood, times in itertools.islice(
            itertools.product(*([value for (value,) in axis.points] for axis in axes)), most
        ):
            target = {"injury_modifier": armour, "tough": tough, "down": down, "blood": blood}
            attack = {"action_dice": dice, "injury_dice": injury, "times": times}
            spending = {"blood_on_injury": spend}
            file.write(json.dumps({"target": target, "attacks": [attack], "spend": spending}) + "\n")


def plain() -> float:
    """Seconds of one scenario by a loop over tcsim.odds."""
    import tcsim
    from tcsim.sweep.grid import read_grid

    asked = read_grid(tomllib.loads(grid("1e6")))
    scenarios = [asked.scenario(number) for number in random.Random(1).sample(range(asked.size), SAMPLE)]
    return interleaved({"loop": lambda: [tcsim.odds(scenario) for scenario in scenarios]}, rounds=3)["loop"] / SAMPLE


def run() -> dict[str, Any]:
    """Measure, and give the figures."""
    found: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for size in SIZES:
            file = folder / f"{size}.toml"
            file.write_text(grid(size), encoding="utf-8")
            found[f"grid of {size}"] = sweep(file, folder / size)
        lines(grid("1e6"), folder / "lines.jsonl", 1_000_000)
        found["1e6 lines of JSON"] = sweep(folder / "lines.jsonl", folder / "lines")
        found["grid of 1e6, Dask with 2 workers"] = sweep(folder / "1e6.toml", folder / "dask", "--workers", "2")
    each = found["grid of 1e6"]["seconds"] / 1e6
    loop, icepool = plain(), interleaved({"icepool": with_icepool})["icepool"]
    return found | {
        "one of 1e6, µs": round(each * 1e6, 2),
        "one by a loop over tcsim.odds, µs": round(loop * 1e6),
        "the loop takes so many times longer": round(loop / each),
        "one question of three attacks with icepool, µs": round(icepool * 1e6),
        "icepool takes so many times longer": round(icepool / each),
    }
