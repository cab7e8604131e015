"""How fast dice are rolled: the kernel beside what one would write otherwise, all in one run.

Every way plays the same two fights by rolling every die, and must come to the exact chance before it is timed.
"""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from collections.abc import Callable
from functools import partial
from importlib import import_module
from math import sqrt
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.machine import interleaved, processor

numba: Any = import_module("numba")

#: One attack: +1 DICE, +1 injury die, armour -1.
ONE = {
    "target": {"injury_modifier": -1},
    "attacks": [{"kind": "melee", "action_dice": 1, "injury_dice": 1}],
}
#: Three attacks in a row: +1 DICE, armour -1, all blood spent.
THREE = {
    "target": {"injury_modifier": -1},
    "attacks": [{"kind": "melee", "action_dice": 1, "times": 3}],
    "spend": {"blood_on_injury": "all"},
}
#: A volley of three shots with +3 DICE against a TOUGH target with six blood markers, spent greedily.
HARD = {
    "target": {"tough": True, "blood": 6},
    "attacks": [{"kind": "ranged", "action_dice": 3, "shots": 3}],
    "spend": {"blood_on_injury": "greedy"},
}

#: Number of attacks and extra injury dice of the fights that every way plays.
FIGHTS = {"one attack": (ONE, 1, 1), "three attacks": (THREE, 3, 0)}

#: Many enough that a thread's start, and that of a sleeping processor, count for little.
TRIALS = 100_000_000


def numpy_sort(trials: int, attacks: int, injury_dice: int) -> int:
    """Pools as rows of int64, sorted."""
    return _numpy(trials, attacks, injury_dice, np.int64, _sorted)


def numpy_top_two(trials: int, attacks: int, injury_dice: int) -> int:
    """Pools as columns of uint8, the highest two kept by min and max."""
    return _numpy(trials, attacks, injury_dice, np.uint8, _top_two)


def _sorted(rng: np.random.Generator, size: Any, most: int, dtype: Any) -> Any:
    dice = rng.integers(1, 7, (len(size), most), dtype=dtype)
    dice[np.arange(most) >= size[:, None]] = 0
    dice.sort(axis=1)
    return dice[:, -1] + dice[:, -2]


def _top_two(rng: np.random.Generator, size: Any, most: int, dtype: Any) -> Any:
    first = rng.integers(1, 7, len(size), dtype=dtype)
    second = rng.integers(1, 7, len(size), dtype=dtype)
    first, second = np.maximum(first, second), np.minimum(first, second)
    for place in range(2, most):
        die = rng.integers(1, 7, len(size), dtype=dtype) * (place < size)
        second = np.maximum(second, np.minimum(first, die))
        first = np.maximum(first, die)
    return first + second


def _numpy(trials: int, attacks: int, injury_dice: int, dtype: Any, pool: Callable[..., Any]) -> int:
    rng = np.random.default_rng(1)
    out = 0
    for begin in range(0, trials, 65_536):
        count = min(65_536, trials - begin)
        down, blood = np.zeros(count, dtype=bool), np.zeros(count, dtype=dtype)
        for _ in range(attacks):
            action = pool(rng, np.full(len(down), 3, dtype=dtype), 3, dtype)
            hit = np.flatnonzero(action >= 7)
            size = (2 + injury_dice + blood[hit] + (action[hit] == 12) + down[hit]).astype(dtype)
            result = pool(rng, size, int(size.max(initial=2)), dtype).astype(np.int64) - 1
            blood[hit] = np.where((result >= 7) & down[hit], 2, result >= 2)
            down[hit] |= result >= 7
            left = np.ones(len(down), dtype=bool)
            left[hit] = result < 9
            out += len(left) - int(left.sum())
            down, blood = down[left], blood[left]
    return out


@numba.njit(nogil=True)
def numba_sort(trials: int, attacks: int, injury_dice: int) -> int:
    """A loop over trials, np.random for each die and np.sort for each pool."""
    out = 0
    for _ in range(trials):
        down, blood = 0, 0
        for _ in range(attacks):
            dice = np.empty(3, dtype=np.int64)
            for i in range(3):
                dice[i] = np.random.randint(1, 7)  # noqa: NPY002
            dice = np.sort(dice)
            action = dice[-1] + dice[-2]
            if action < 7:
                continue
            size = 2 + injury_dice + blood + (1 if action == 12 else 0) + down
            dice = np.empty(size, dtype=np.int64)
            for i in range(size):
                dice[i] = np.random.randint(1, 7)  # noqa: NPY002
            dice = np.sort(dice)
            result = dice[-1] + dice[-2] - 1
            if result >= 9:
                out += 1
                break
            if result >= 7:
                blood, down = 1 + down, 1
            else:
                blood = 1 if result >= 2 else 0
    return out


@numba.njit(nogil=True)
def _numba_pool(size: int) -> int:
    first, second = 0, 0
    for _ in range(size):
        die = int(np.random.random() * 6) + 1  # noqa: NPY002
        if die > first:
            first, second = die, first
        elif die > second:
            second = die
    return first + second


@numba.njit(nogil=True)
def numba_top_two(trials: int, attacks: int, injury_dice: int) -> int:
    """A loop over trials, np.random for each die, the highest two kept as they fall."""
    out = 0
    for _ in range(trials):
        down, blood = 0, 0
        for _ in range(attacks):
            action = _numba_pool(3)
            if action < 7:
                continue
            result = _numba_pool(2 + injury_dice + blood + (1 if action == 12 else 0) + down) - 1
            if result >= 9:
                out += 1
                break
            if result >= 7:
                blood, down = 1 + down, 1
            else:
                blood = 1 if result >= 2 else 0
    return out


C_SOURCE = """
#include <stdint.h>
static uint64_t s[4] = {0x9E3779B97F4A7C15u, 0xBF58476D1CE4E5B9u, 0x94D049BB133111EBu, 0xD1B54A32D192ED03u};
static inline uint64_t turn(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
static inline uint64_t next(void) { /* xoshiro256++ (Blackman and Vigna, 2019) */
    uint64_t result = turn(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3]; s[2] ^= t; s[3] = turn(s[3], 45);
    return result;
}
static inline int pool(int size) {
    int first = 0, second = 0;
    for (int i = 0; i < size; i++) {
        int die = (int)(((next() >> 32) * 6) >> 32) + 1;
        int low = die < first ? die : first;
        first = die > first ? die : first;
        second = low > second ? low : second;
    }
    return first + second;
}
int64_t play(int64_t trials, int64_t attacks, int64_t injury_dice) {
    int64_t out = 0;
    for (int64_t t = 0; t < trials; t++) {
        int down = 0, blood = 0;
        for (int64_t a = 0; a < attacks; a++) {
            int action = pool(3);
            if (action < 7) continue;
            int result = pool(2 + (int)injury_dice + blood + (action == 12) + down) - 1;
            if (result >= 9) { out++; break; }
            if (result >= 7) { blood = 1 + down; down = 1; } else blood = result >= 2;
        }
    }
    return out;
}
"""


def compiled_c(folder: Path) -> Callable[[int, int, int], int]:
    """The same loop in C, one random number per die; fails where there is no gcc."""
    source, library = folder / "fight.c", folder / "fight.so"
    source.write_text(C_SOURCE)
    command = ["gcc", "-O3", f"-march={processor() or 'native'}", "-shared", "-fPIC", "-o", library, source]
    subprocess.run(command, check=True)
    play = ctypes.CDLL(str(library)).play
    play.argtypes, play.restype = [ctypes.c_int64] * 3, ctypes.c_int64
    return lambda trials, attacks, injury_dice: int(play(trials, attacks, injury_dice))


def _tcsim(scenario: Any, threads: int, mode: str = "dice", trials: int = TRIALS) -> Callable[[], object]:
    import tcsim

    return lambda: tcsim.simulate(scenario, trials=trials, threads=threads, mode=mode)


def _check(name: str, out: int, trials: int, p: float) -> None:
    if abs(out / trials - p) > 6 * sqrt(p * (1 - p) / trials):
        raise ValueError(f"{name} plays another fight: {out / trials:.5f} is rolled, {p:.5f} is exact")


def _ways(compiled: Callable[[int, int, int], int]) -> dict[str, tuple[Callable[[int, int, int], int], int]]:
    """Each other way, and for how many trials it is timed."""
    return {
        "numpy int64 sort": (numpy_sort, 500_000),
        "numpy uint8 top-two": (numpy_top_two, 1_000_000),
        "numba np.sort": (numba_sort, 200_000),
        "numba top-two": (numba_top_two, 2_000_000),
        "C top-two": (compiled, 5_000_000),
    }


def run() -> dict[str, Any]:
    """Measure, and give the figures."""
    import tcsim

    figures: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        ways = _ways(compiled_c(Path(folder)))
        for fight, (scenario, attacks, injury_dice) in FIGHTS.items():
            p = tcsim.odds(scenario).out_of_action
            for name, (way, trials) in ways.items():
                _check(name, way(trials, attacks, injury_dice), trials, p)
            tasks: dict[str, tuple[Callable[[], object], int]] = {
                "tcsim, 1 thread": (_tcsim(scenario, 1), TRIALS),
                "tcsim, 2 threads": (_tcsim(scenario, 2), TRIALS),
                "tcsim outcome, 1 thread": (_tcsim(scenario, 1, "outcome"), TRIALS),
            }
            for name, (way, trials) in ways.items():
                tasks[name] = (partial(way, trials, attacks, injury_dice), trials)
            seconds = interleaved({name: task for name, (task, _) in tasks.items()})
            ns = {name: 1e9 * seconds[name] / trials for name, (_, trials) in tasks.items()}
            figures[fight] = {
                "ns per trial": {name: round(value, 3) for name, value in ns.items()},
                "times as long as tcsim, 1 thread": {name: round(ns[name] / ns["tcsim, 1 thread"], 1) for name in ways},
                "times as long as tcsim outcome": {
                    name: round(ns[name] / ns["tcsim outcome, 1 thread"], 1) for name in ways
                },
            }
    figures["hard and three attacks, ns per attack"] = _hard()
    for fight, (scenario, *_) in FIGHTS.items():
        figures[f"ns per trial by trials, 2 threads, {fight}"] = _by_trials(scenario)
    figures["ns per trial by extra dice, 1 thread"] = _by_dice()
    return figures


def _hard() -> dict[str, float]:
    seconds = interleaved({"hard": _tcsim(HARD, 1), "three attacks": _tcsim(THREE, 1)})
    return {name: round(1e9 * value / TRIALS / 3, 3) for name, value in seconds.items()}


def _by_trials(scenario: Any) -> dict[str, float]:
    counts = [10**exponent for exponent in range(4, 11)]
    few = interleaved({f"{n:,}": _tcsim(scenario, 2, trials=n) for n in counts if n < 10**9})
    many = interleaved({f"{n:,}": _tcsim(scenario, 2, trials=n) for n in counts if n >= 10**9}, rounds=1)
    return {name: round(1e9 * value / int(name.replace(",", "")), 3) for name, value in (few | many).items()}


def _by_dice() -> dict[str, float]:
    fights = {
        f"{dice:+}": {"target": {}, "attacks": [{"kind": "melee", "action_dice": dice, "injury_dice": dice}]}
        for dice in (-6, -3, -1, 0, 1, 2, 3, 6, 12)
    }
    seconds = interleaved({name: _tcsim(fight, 1) for name, fight in fights.items()})
    return {name: round(1e9 * value / TRIALS, 3) for name, value in seconds.items()}
