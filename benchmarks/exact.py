"""How fast exact answers are: a whole process, many scenarios as JSON lines, and one beside icepool and dyce."""

from __future__ import annotations

import json
import sys
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

from benchmarks.icepool_chain import Question, out_of_action
from benchmarks.machine import interleaved, process

CASES = Path(__file__).parents[1] / "tests/data/attack_chains.jsonl"

#: Three attacks in a row, all blood spent: +1 DICE, armour -1 (the question that icepool and dyce answer too).
QUESTION = {
    "target": {"injury_modifier": -1},
    "attacks": [{"kind": "melee", "action_dice": 1, "times": 3}],
    "spend": {"blood_on_injury": "all"},
}


#: Whether the target is out of action, whether it is Down, and its blood markers.
Target = tuple[bool, bool, int]


def _injury_dice(total: int, down: bool, blood: int) -> int:
    """Dice of the injury roll, of which two count, after an action roll that hits."""
    return 2 + blood + (total == 12) + down


def _result(total: int, down: bool) -> Target:
    """What an injury roll does, all blood being spent on it."""
    value = total - 1
    if value >= 9:
        return (True, False, 0)
    if value >= 7:
        return (False, True, 2 if down else 1)
    return (False, down, 1 if value >= 2 else 0)


def with_icepool() -> float:
    """The same question as a Markov chain of icepool's dice."""
    return out_of_action(Question(action_dice=1, armour=-1, spend="all", times=3))


def with_dyce() -> float:
    """The same question with dyce's pools, expanded attack by attack."""
    import warnings
    from functools import partial

    from dyce import H, P
    from dyce import expand as truncating

    expand: Any = partial(truncating, min_path_probability=Fraction(0))  # by itself it drops what is improbable

    def attack(target: Any) -> Any:
        out, down, blood = target.outcome
        return target.outcome if out else expand(lambda total: injury(total.outcome, down, blood), _two_highest(3))

    def injury(total: int, down: bool, blood: int) -> Any:
        if total < 7:
            return (False, down, blood)
        dice = _two_highest(_injury_dice(total, down, blood))
        return expand(lambda value: _result(value.outcome, down), dice)

    def _two_highest(dice: int) -> Any:
        return (dice @ P(6)).at(slice(-2, None))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # expand is called experimental
        targets: Any = H({(False, False, 0): 1})
        for _ in range(3):
            targets = expand(attack, targets)
    return float(sum(count for target, count in targets.items() if target[0]) / targets.total)


def with_tcsim() -> float:
    """The question through the public API."""
    import tcsim

    return float(tcsim.odds(QUESTION).out_of_action)


def run() -> dict[str, Any]:
    """Measure, and give the figures."""
    for other in (with_icepool, with_dyce):
        if abs(other() - with_tcsim()) > 1e-12:
            raise ValueError(f"{other.__name__} answers another question than tcsim, so their times do not compare")
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
                "the question with dyce": with_dyce,
            }
        )
    per_line = (times[many_lines] - times[one_line]) / (len(many) - 1)
    return {
        "times_ms": {name: round(1000 * seconds, 3) for name, seconds in times.items()},
        "odds --json / import numpy": round(times[json_] / times[numpy], 2),
        "scenarios per second, start-up included": round(len(many) / times[many_lines]),
        "scenarios per second, start-up taken off": round(1 / per_line),
    }
