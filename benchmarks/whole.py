"""How fast the whole catalogue is answered, how that grows, and how a plain loop over single answers compares."""

from __future__ import annotations

import random
import resource
import sys
import time
from typing import Any

from benchmarks.machine import interleaved, process
from tcsim.analysis.whole.answer import Whole, whole
from tcsim.analysis.whole.grid import may_be_worn
from tcsim.catalog import catalog

#: Cells that the plain loop answers.
SAMPLE = 400

#: Every cell of both editions in a process of its own, start-up included; prints its largest memory in MB.
EVERYTHING = """
import resource
from tcsim.analysis.whole.answer import whole
whole()
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000)
"""


def plain(found: Whole) -> float:
    """Seconds of one cell by a loop over tcsim.odds, each asked as a user would."""
    import tcsim

    rows = found.cells.iloc[random.Random(1).sample(range(len(found.cells)), SAMPLE)]
    questions = []
    for row in rows.itertuples(index=False):
        worn = [id for id in (row.armour_id, row.shield_id) if id]
        attack = {"weapon": row.weapon_id, "times": int(row.attacks)}
        words = {word.split(" ")[0] for word in catalog(str(row.edition)).weapon(str(row.weapon_id)).keywords}
        if words & {"GRENADE", "CONSUMABLE"}:
            attack["carried"] = 100
        target = {"armour": worn, "blood": int(row.blood), "tough": bool(row.tough)}
        spend = {"blood_on_injury": "greedy"}
        questions.append({"edition": row.edition, "target": target, "attacks": [attack], "spend": spend})
    begun = time.perf_counter()
    for question, p_out in zip(questions, rows["p_out"], strict=True):
        if abs(tcsim.odds(question).out_of_action - p_out) > 1e-12:
            raise ValueError(f"the two ways differ at {question}, so their times do not compare")
    return (time.perf_counter() - begun) / SAMPLE


def growth() -> dict[str, float]:
    """Seconds for parts of 1.6.3: by weapons (all protections), by protections (all weapons), by starts and attacks."""
    rows = catalog("1.6.3")
    names = [row.id for row in rows.weapons]
    worn = [[piece.id for piece in pieces] for pieces in may_be_worn(rows)]
    asked: dict[str, dict[str, Any]] = {}
    for share in (4, 2, 1):
        some = names[::share]
        asked[f"{len(some)} weapons"] = {"weapons": some}
    for share in (4, 2):
        asked[f"{len(worn[::share])} protections"] = {"worn": worn[::share]}
    for most in (1, 2, 8, 16):
        asked[f"1 to {most} attacks"] = {"attacks": list(range(1, most + 1))}
    asked["blood 0 alone"] = {"blood": [0]}
    tasks = {name: (lambda how=how: whole(["1.6.3"], **how)) for name, how in asked.items()}
    return {name: round(seconds, 2) for name, seconds in interleaved(tasks, rounds=3).items()}


def run() -> dict[str, Any]:
    """Measure, and give the figures."""
    begun = time.perf_counter()
    found = whole()
    first = time.perf_counter() - begun
    one = plain(found)
    seconds = interleaved({"whole": whole, "process": process([sys.executable, "-c", EVERYTHING])}, rounds=3)
    cells = len(found.cells)
    return {
        "cells": cells,
        "pairs resolved to different problems": len(found.problems),
        "different questions": int(found.cells["question"].nunique()),
        "bytes of the table, MB": round(found.cells.memory_usage(deep=True).sum() / 1e6),
        "largest memory of this process, MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000,
        "seconds, first time": round(first, 2),
        "seconds, median": round(seconds["whole"], 2),
        "seconds, whole process": round(seconds["process"], 2),
        "cells per second": round(cells / seconds["whole"]),
        "a cell by a plain loop over odds, ms": round(1000 * one, 3),
        "plain loop, seconds if it did all cells": round(one * cells),
        "plain loop / whole": round(one * cells / seconds["whole"]),
        "seconds of 1.6.3 by size": growth(),
    }
