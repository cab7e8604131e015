"""The Monte Carlo engine: rolls every die of every trial and counts the final states.

Trials come in blocks of 65,536, each with its own place in a keyed stream, so the counts are the same for any number of
threads, and a run can be extended by counting further trials and adding the tallies.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.base.errors import InputError, show
from tcsim.engines import policies
from tcsim.engines.block import Block
from tcsim.engines.chain import Codes
from tcsim.engines.optimal import plan
from tcsim.kernels.fight import BLOCK, STREAM_VERSION, count_trials
from tcsim.scenario import problem as p
from tcsim.scenario.problem import Problem, State
from tcsim.stats import Tally

#: Most trials in one run, and the largest seed.
MAX_TRIALS, MAX_SEED = 10**13, 2**64 - 1

#: State codes of the kernel: 0 is out of action.
_STATES = 197


def count(
    problem: Problem,
    trials: int,
    seed: int = 1,
    threads: int | None = None,
    dice: str = "own",
    start: int = 0,
    progress: Callable[[int], None] | None = None,
) -> Tally:
    """Roll a problem's dice and count how it ends.

    Parameters
    ----------
    problem : Problem
        What to play.
    trials : int
        How many times, 1 to 1e13.
    seed : int, optional
        0 to 2**64 - 1.
    threads : int, optional
        How many threads; default: one per processor. The counts do not depend on it.
    dice : str, optional
        ``own``: the stream depends on the problem; ``shared``: only on the seed, so that compared problems share dice.
    start : int, optional
        Number of the first trial: a run is extended by counting from where it stopped, and adding the tallies.
    progress : callable, optional
        Called now and then with the number of trials counted since the last call.

    Returns
    -------
    Tally
        State codes to counts; decode them with :func:`decode`. After Ctrl-C, KeyboardInterrupt is raised.

    Raises
    ------
    InputError
        When a number is out of range.
    """
    _check(trials, seed, threads, dice)
    key = key_of(problem, seed, dice)
    inputs = _inputs(problem)
    spans = _spans(start, start + trials)
    lock, stopped = threading.Lock(), threading.Event()

    def work() -> NDArray[np.int64]:
        counts = np.zeros(_STATES, dtype=np.int64)
        while not stopped.is_set():
            with lock:
                span = next(spans, None)
            if span is None:
                break
            block, first, last = span
            count_trials(key, block, first, last, *inputs, counts)
            if progress is not None:
                with lock:
                    progress(last - first)
        return counts

    workers = min(threads or os.cpu_count() or 1, -(-trials // BLOCK))
    if workers == 1:
        total = work()
    else:
        with ThreadPoolExecutor(workers) as pool:
            futures = [pool.submit(work) for _ in range(workers)]
            try:
                total = np.sum([future.result() for future in futures], axis=0)
            finally:
                stopped.set()
    counts = {code: int(total[code]) for code in np.flatnonzero(total).tolist()}
    return Tally(_tally_key(problem, seed, dice), ((start, start + trials),), counts)


def decode(code: int) -> State | None:
    """Give the final state of a code in a tally.

    Parameters
    ----------
    code : int
        As the kernel counts them.

    Returns
    -------
    State or None
        None for out of action.
    """
    if code == 0:
        return None
    rest, blessing = divmod(code - 1, 7)
    rest, blood = divmod(rest, 7)
    tough, down = divmod(rest, 2)
    return State(down, blood, blessing, tough)


def key_of(problem: Problem, seed: int, dice: str = "own") -> NDArray[np.uint64]:
    """Derive the key of a stream from stream version, seed and, for own dice, the problem's fingerprint.

    Parameters
    ----------
    problem : Problem
        What is played.
    seed : int
        0 to 2**64 - 1.
    dice : str, optional
        ``own`` or ``shared``.

    Returns
    -------
    array of uint64, shape (2,)
        Two words of 32 bits.
    """
    import hashlib

    digest = hashlib.sha256(_tally_key(problem, seed, dice).encode("ascii")).digest()
    return np.frombuffer(digest[:8], dtype="<u4").astype(np.uint64)


def _tally_key(problem: Problem, seed: int, dice: str) -> str:
    stream = problem.fingerprint if dice == "own" else "shared"
    return f"{STREAM_VERSION}:{seed}:{stream}"


def _check(trials: Any, seed: Any, threads: Any, dice: Any) -> None:
    for name, value, low, high in (("trials", trials, 1, MAX_TRIALS), ("seed", seed, 0, MAX_SEED)):
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise InputError(f"{show(value)} is given, a whole number from {low} to {high} is allowed", name)
    if threads is not None and (type(threads) is not int or not 1 <= threads <= 1024):
        raise InputError(f"{show(threads)} is given, a whole number from 1 to 1024 is allowed", "threads")
    if dice not in ("own", "shared"):
        raise InputError(f"{show(dice)} is given, own or shared is allowed", "dice")


def _spans(start: int, stop: int) -> Any:
    """Cut a range of trials at the ends of blocks: (block, first, last) within the block."""
    while start < stop:
        block, first = divmod(start, BLOCK)
        last = min(BLOCK, first + stop - start)
        yield block, first, last
        start += last - first


@cache
def _inputs_of(problem: Problem) -> tuple[Any, ...]:
    block = Block([problem])
    sequence = block.sequence[0]
    codes = Codes(block, within_volley=False)
    by_state = policies.table(block)  # [step, down, blood, blessing, critical]
    if problem.policy.blood == p.OPTIMAL:
        plans = plan(block, codes)[0]  # [move, code, critical], the activation not ended
        shape = codes.shape[1:5]
        choices = plans[:, : int(np.prod(shape))].reshape(sequence.size, *shape, 2)
        choice_row = np.arange(sequence.size)
        if shape[0] == 1:
            choices = np.repeat(choices, 2, axis=1)
    else:
        # [step, tough, blessing, down, blood, critical]: these policies do not look at TOUGH
        choices = np.repeat(by_state.transpose(0, 3, 1, 2, 4)[:, None], 2, axis=1)
        choice_row = sequence
    choices = np.ascontiguousarray(choices.transpose(0, 1, 3, 4, 2, 5))
    numbers = np.array(
        [*problem.charts, *problem.rulings, *problem.start, problem.minor_for_down, problem.policy.blessing],
        dtype=np.int64,
    )
    steps = np.array(problem.steps, dtype=np.int64)
    return numbers, steps, sequence, np.ascontiguousarray(choice_row), choices


def _inputs(problem: Problem) -> tuple[Any, ...]:
    """The problem as the kernel reads it."""
    return _inputs_of(problem)
