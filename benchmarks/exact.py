"""How fast exact answers are: a whole process, many scenarios as JSON lines, and icepool on the same question."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks.machine import interleaved, process

CASES = Path(__file__).parents[1] / "tests/data/attack_chains.jsonl"

#: Three attacks in a row, all blood spent: +1 DICE, armour -1 (the question that icepool answers too).
QUESTION = {
    "target": {"injury_modifier": -1},
    "attacks": [{"kind": "melee", "action_dice": 1, "times": 3}],
    "spend": {"blood_on_injury": "all"},
}


def with_icepool() -> float:
    """The same question as a Markov chain of icepool's dice."""
    from icepool import Die, d6

    def attack(state: tuple[bool, bool, int]) -> Any:
        out, down, blood = state
        if out:
            return state
        return d6.highest(3, 2).map(lambda total: injury(total, down, blood))

    def injury(total: int, down: bool, blood: int) -> Any:
        if total < 7:
            return (False, down, blood)
        extra = blood + (total == 12) + down
        roll = d6.highest(2 + extra, 2) - 1
        return roll.map(lambda value: result(value, down))

    def result(value: int, down: bool) -> tuple[bool, bool, int]:
        if value >= 9:
            return (True, False, 0)
        if value >= 7:
            return (False, True, 2 if down else 1)
        return (False, down, 1 if value >= 2 else 0)

    die = Die([(False, False, 0)]).map(attack, repeat=3)
    return float(sum(die.probability(outcome) for outcome in die.outcomes() if outcome[0]))


def with_tcsim() -> float:
    """The question through the public API."""
    import tcsim

    return float(tcsim.odds(QUESTION).out_of_action)


def run() -> dict[str, Any]:
    """Measure, and give the figures."""
    if abs(with_icepool() - with_tcsim()) > 1e-12:
        raise ValueError("icepool and tcsim answer different questions, so their times do not compare")
    with tempfile.TemporaryDirectory() as folder:
        scenario = Path(folder) / "scenario.json"
        scenario.write_text(json.dumps(QUESTION))
        lines = [json.dumps(json.loads(line)["scenario"]) + "\n" for line in CASES.read_text().splitlines()]
        many = lines * 20
        batch = Path(folder) / "batch.jsonl"
        batch.write_text("".join(many))
        one = Path(folder) / "one.jsonl"
        one.write_text(lines[0])
        tcsim = [sys.executable, "-m", "tcsim"]
        numpy, json_ = "python -c 'import numpy'", "tcsim odds --json"
        one_line, many_lines = "tcsim odds --jsonl, 1 line", f"tcsim odds --jsonl, {len(many):,} lines"
        times = interleaved(
            {
                numpy: process([sys.executable, "-c", "import numpy"]),
                json_: process([*tcsim, "odds", str(scenario), "--json"]),
                one_line: process([*tcsim, "odds", "--jsonl", str(one)]),
                many_lines: process([*tcsim, "odds", "--jsonl", str(batch)]),
                "the question with tcsim": with_tcsim,
                "the question with icepool": with_icepool,
            }
        )
    per_line = (times[many_lines] - times[one_line]) / (len(many) - 1)
    return {
        "times_ms": {name: round(1000 * seconds, 3) for name, seconds in times.items()},
        "odds --json / import numpy": round(times[json_] / times[numpy], 2),
        "scenarios per second, start-up included": round(len(many) / times[many_lines]),
        "scenarios per second, start-up taken off": round(1 / per_line),
    }
