"""What a measurement was made on, and how times are taken."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import version
from typing import Any


def processor() -> str:
    """The processor that kernels are built for, if not for this one (NUMBA_CPU_NAME)."""
    return os.environ.get("NUMBA_CPU_NAME", "")


def describe() -> dict[str, Any]:
    """Describe processor and software."""
    model = ""
    try:
        with open("/proc/cpuinfo") as info:
            lines = [line.partition(":") for line in info]
        model = next((value.strip() for key, _, value in lines if key.strip() == "model name"), "")
    except OSError:
        model = platform.processor()
    target: Any = import_module("llvmlite.binding")
    features = target.get_host_cpu_features() if not processor() else {}
    wide = [name for name in ("avx2", "avx512f", "avx512bw", "neon", "sve") if features.get(name)]
    libraries = {name: version(name) for name in ("numpy", "numba", "click", "msgspec", "icepool", "dyce")}
    built_for = processor() or f"{target.get_host_cpu_name()} ({', '.join(wide)})"
    return {
        "processor": model,
        "built for": built_for,
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        **libraries,
    }


def interleaved(tasks: dict[str, Callable[[], object]], rounds: int = 7) -> dict[str, float]:
    """Median time of each task in seconds; the tasks take turns, after a round that is not counted."""
    times: dict[str, list[float]] = {name: [] for name in tasks}
    for number in range(rounds + 1):
        for name, task in tasks.items():
            begun = time.perf_counter()
            task()
            if number:
                times[name].append(time.perf_counter() - begun)
    return {name: statistics.median(values) for name, values in times.items()}


def process(command: Sequence[str]) -> Callable[[], object]:
    """A task that runs a whole process and throws its output away."""
    return lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
