"""Run the benchmarks, print them, and record them with the machine in ``benchmarks/results/``.

All, or those named: ``python -m benchmarks dice``. With NUMBA_CPU_NAME=haswell and an empty NUMBA_CPU_FEATURES the
kernels, and what they are compared with, are built for AVX2; the figures then go to files of that name.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from benchmarks import dice, duel, exact, spending, sweep, whole
from benchmarks.machine import describe, processor


def main() -> None:
    """Measure everything."""
    results = Path(__file__).parent / "results"
    results.mkdir(exist_ok=True)
    modules = {"exact": exact, "dice": dice, "duel": duel, "spending": spending, "sweep": sweep, "whole": whole}
    for name in sys.argv[1:] or modules:
        if name not in modules:
            sys.exit(f"there is no benchmark {name}, only {', '.join(modules)}")
        record = {"machine": describe(), "figures": modules[name].run()}
        text = json.dumps(record, indent=2)
        print(f"{name}\n{text}")
        built_for = f"-{processor()}" if processor() else ""
        (results / f"{name}{built_for}.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
