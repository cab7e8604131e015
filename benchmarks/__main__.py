"""Run the benchmarks, print them, and record them with the machine in ``benchmarks/results/``."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks import dice, exact
from benchmarks.machine import describe


def main() -> None:
    """Measure everything."""
    results = Path(__file__).parent / "results"
    results.mkdir(exist_ok=True)
    for name, module in (("exact", exact), ("dice", dice)):
        record = {"machine": describe(), "figures": module.run()}
        text = json.dumps(record, indent=2)
        print(f"{name}\n{text}")
        (results / f"{name}.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
