"""The Monte Carlo engine: rolls every die of every trial and counts the final states.

Trials come in blocks of 65,536, each with its own place in a keyed stream, so the counts are the same for any number of
threads, and a run can be extended by counting further trials and adding the tallies.
"""

from __future__ import annotations

import os
import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tcsim.base.errors import InputError, show
from tcsim.engines import policies
from tcsim.engines.block import Block
from tcsim.engines.chain import Codes, States
from tcsim.engines.optimal import plan
from tcsim.kernels.fight import count_trials
from tcsim.kernels.layout import IS_OUT, SPEND_ALL, SPEND_CHOICES, SPEND_NONE, STATE_CODES
from tcsim.kernels.pools import ROOM, TAPE_END, TAPE_POOL
from tcsim.kernels.single import SINGLE_ENDS, WORD_DICE, count_single, single_ends
from tcsim.kernels.stream import BLOCK, STREAM_VERSION
from tcsim.scenario import problem as p
from tcsim.scenario.problem import ACTION_KEEP, Problem, State
from tcsim.stats import Tally

#: Blocks that a thread plays before it asks for more.
TASK_BLOCKS = 8

#: Most trials in one run, and the largest seed.
MAX_TRIALS, MAX_SEED = 10**13, 2**64 - 1


class Interrupted(KeyboardInterrupt):
    """Ctrl-C, with what was counted until then.

    Parameters
    ----------
    tally : Tally
        Of the trials from the first on that were played; it may hold none.
    """

    def __init__(self, tally: Tally) -> None:
        super().__init__()
        self.tally = tally


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
        State codes to counts; decode them with :func:`decode`.

    Raises
    ------
    InputError
        When a number is out of range.
    Interrupted
        After Ctrl-C, when the blocks that had begun are finished; it holds their tally.
    """
    check(trials, seed, threads, dice, start)
    play = _player(problem, key_of(problem, seed, dice))
    spans = _spans(start, start + trials)
    lock, stopped = threading.Lock(), threading.Event()
    reached = start

    def work() -> Counter[int]:
        nonlocal reached
        room, counts = workspace(), Counter[int]()
        while not stopped.is_set():
            with lock:
                span = next(spans, None)
                if span is None:
                    break
                reached = span[1]
            counts.update(play(*span, room, *NO_TAPE))
            if progress is not None:
                with lock:
                    progress(span[1] - span[0])
        return counts

    workers = min(threads or os.cpu_count() or 1, -(-trials // (TASK_BLOCKS * BLOCK)))
    total = Counter[int]()
    with ThreadPoolExecutor(workers) as pool:
        futures: list[Future[Counter[int]]] = []
        try:
            for _ in range(workers):
                futures.append(pool.submit(work))
            wait(futures)
        except KeyboardInterrupt:  # what has begun is finished, and counts
            stopped.set()
            wait(futures)
        for future in futures:
            total.update(future.result())
    played = ((start, reached),) if reached > start else ()
    tally = Tally(_tally_key(problem, seed, dice), played, dict(total))
    if stopped.is_set():
        raise Interrupted(tally)
    return tally


def _player(problem: Problem, key: NDArray[np.uint64]) -> Callable[..., dict[int, int]]:
    """Choose the kernel that plays a problem; it gives the counts of a span of trials by number of state."""
    numbers, *rest = kernel_inputs(problem)
    single = single_attack(problem)
    if single is None:
        ends = list(range(STATE_CODES))
    else:
        pools, ends = single
    states = [encode(state_of(code, problem.start.blessing)) for code in ends]

    def play(start: int, stop: int, room: Any, tape: Any, taped: Any) -> dict[int, int]:
        found = np.zeros(len(ends), dtype=np.int64)
        if single is None:
            count_trials(key, start, stop, numbers, *rest, room, found, tape, taped)
        else:
            count_single(key, start, stop, pools, numbers, room, found, tape, taped)
        counts: dict[int, int] = {}
        for place in np.flatnonzero(found).tolist():
            counts[states[place]] = counts.get(states[place], 0) + int(found[place])
        return counts

    return play


def tapes(problem: Problem, trials: int, seed: int = 1, dice: str = "own") -> list[list[int]]:
    """Play the first trials of a run and write down every die: the same trials that :func:`count` counts.

    Parameters
    ----------
    problem : Problem
        What to play.
    trials : int
        How many of the first trials, 1 to 65,536.
    seed, dice
        As for :func:`count`.

    Returns
    -------
    list of list of int
        The entries of each trial's tape, as the kernel writes them; the last is the final state.
    """
    most = sum(step.volleys * step.shots * (3 * 50 + 9) for step in problem.steps) + 1
    tape, taped = np.zeros((trials, most), dtype=np.int64), np.zeros(trials, dtype=np.int64)
    _player(problem, key_of(problem, seed, dice))(0, trials, workspace(), tape, taped)
    return [[*tape[trial, : taped[trial]].tolist(), int(tape[trial, -1])] for trial in range(trials)]


@dataclass(frozen=True)
class TapedPool:
    """A pool as a tape tells it: ``kind`` 0 action, 1 injury, 2 the flat die of a Bloodbath; ``choice``: spending."""

    move: int
    shot: int
    kind: int
    choice: int
    lowest: bool
    dice: list[int]

    def kept(self, keep: int) -> tuple[int, ...]:
        """Give the faces that count, in the order in which they fell.

        Parameters
        ----------
        keep : int
            How many.

        Returns
        -------
        tuple of int
            The highest, or the lowest where net dice were negative.
        """
        order = sorted(range(len(self.dice)), key=lambda i: self.dice[i], reverse=not self.lowest)
        return tuple(self.dice[i] for i in sorted(order[:keep]))


def decode_tape(tape: list[int]) -> list[TapedPool]:
    """Read the entries of a tape as pools.

    Parameters
    ----------
    tape : list of int
        From :func:`tapes`.

    Returns
    -------
    list of TapedPool
        In the order in which they were rolled, with faces 1 to 6.
    """
    pools: list[TapedPool] = []
    for entry in tape[:-1]:
        if entry & TAPE_POOL:
            code = (entry >> 1) & 15
            choice = (code & 7) + 7 * (code >> 3)
            move = (entry ^ TAPE_POOL) >> 20
            pools.append(TapedPool(move, (entry >> 12) & 255, (entry >> 8) & 3, choice, bool(entry & 1), []))
        else:
            die = entry & 255  # lowest dice are rolled turned over, see the kernel
            pools[-1].dice.append(6 - die if pools[-1].lowest else die + 1)
    return pools


def tape_end(problem: Problem, entry: int) -> State | None:
    """Give the final state that the last entry of a tape tells.

    Parameters
    ----------
    problem : Problem
        What was played.
    entry : int
        The entry.

    Returns
    -------
    State or None
        None for out of action.
    """
    single, code = single_attack(problem), entry ^ TAPE_END
    return state_of(code if single is None else single[1][code], problem.start.blessing)


def workspace() -> NDArray[np.uint16]:
    """Make the room that a kernel works in.

    Returns
    -------
    array of uint16
        ``ROOM`` of it, at an address that is a multiple of 64.
    """
    room = np.empty(ROOM + 32, dtype=np.uint16)
    # Written once: memory that was never written is one and the same page of zeros wherever it is read, and a processor
    # that looks its cache up by address (AMD's) then loses every line to the next row, at ten times the cost.
    room[:] = 0
    first = -room.ctypes.data % 64 // room.itemsize
    return room[first : first + ROOM]


#: For a kernel that is to write no tape.
NO_TAPE = (np.empty((0, 0), dtype=np.int64), np.empty(0, dtype=np.int64))


def state_of(code: int, blessing: int) -> State | None:
    """Give the final state of a kernel's code.

    Parameters
    ----------
    code : int
        A lane's state, packed.
    blessing : int
        Blessing markers at the start: a lane holds them all or none.

    Returns
    -------
    State or None
        None for out of action.
    """
    if code & IS_OUT:
        return None
    return State((code >> 3) & 1, code & 7, blessing if code & 32 else 0, (code >> 4) & 1)


def encode(state: State | None) -> int:
    """Number a final state, for tallies: 0 is out of action.

    Parameters
    ----------
    state : State or None
        The state.

    Returns
    -------
    int
        0 to 196.
    """
    if state is None:
        return 0
    return 1 + ((state.tough * 2 + state.down) * 7 + state.blood) * 7 + state.blessing


def decode(code: int) -> State | None:
    """Give the final state of a code in a tally.

    Parameters
    ----------
    code : int
        As :func:`encode` gives it.

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


def check(trials: Any, seed: Any, threads: Any, dice: Any, start: Any = 0) -> None:
    """Raise InputError for a number of trials, seed, number of threads, kind of dice or first trial that cannot be."""
    for name, value, low, high in (
        ("trials", trials, 1, MAX_TRIALS),
        ("seed", seed, 0, MAX_SEED),
        ("start", start, 0, MAX_TRIALS),
    ):
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise InputError(f"{show(value)} is given, a whole number from {low} to {high} is allowed", name)
    if threads is not None and (type(threads) is not int or not 1 <= threads <= 1024):
        raise InputError(f"{show(threads)} is given, a whole number from 1 to 1024 is allowed", "threads")
    if dice not in ("own", "shared"):
        raise InputError(f"{show(dice)} is given, own or shared is allowed", "dice")


def _spans(start: int, stop: int) -> Any:
    """Cut a range of trials into tasks of whole blocks: long enough that threads meet rarely, short enough to stop."""
    while start < stop:
        end = min(stop, (start // BLOCK + TASK_BLOCKS) * BLOCK)
        yield start, end
        start = end


@lru_cache(maxsize=64)
def kernel_inputs(problem: Problem) -> tuple[Any, ...]:
    """Give the problem as the kernel reads it: numbers, steps, sequence, and what is spent as bit planes.

    Parameters
    ----------
    problem : Problem
        The problem.

    Returns
    -------
    tuple of array
        ``numbers``, ``steps``, ``sequence``, ``plane_row``, ``planes`` of :func:`tcsim.kernels.fight.count_trials`.
    """
    block = Block([problem])
    sequence = block.sequence[0]
    optimal = problem.policy.blood == p.OPTIMAL
    if optimal:
        codes = Codes(block, within_volley=False)
        shape = codes.shape[1:5]  # TOUGH, blessing, Down, blood; the activation has not ended
        plans = plan(block, codes)[0, :, : int(np.prod(shape))]
        choices = plans.reshape(sequence.size, *shape, 2)
        plane_row = np.arange(sequence.size)
    else:
        choices = policies.table(block).transpose(0, 3, 1, 2, 4)[:, None]
        plane_row = sequence
    start = problem.start
    # without TOUGH or blessings to tell apart, a lane is looked up as if it had what the problem starts with
    tough = (0, choices.shape[1] - 1)
    held = (0, start.blessing) if problem.policy.blessing else (start.blessing, start.blessing)
    planes = np.stack([_planes(choices[:, t, h]) for t in tough for h in held], axis=1).reshape(len(choices), -1)
    spending = {p.NONE: SPEND_NONE, p.ALL: SPEND_ALL}.get(problem.policy.blood, SPEND_CHOICES)
    numbers = np.array(
        [
            *problem.charts,
            *problem.rulings,
            *start,
            problem.minor_for_down,
            problem.policy.blessing,
            spending,
            int(optimal),
        ],
        dtype=np.int64,
    )
    return numbers, np.array(problem.steps, dtype=np.int64), sequence, plane_row, planes


@lru_cache(maxsize=64)
def single_attack(problem: Problem) -> tuple[NDArray[np.int64], list[int]] | None:
    """Give what the kernel for one plain attack needs, if the problem is one.

    Parameters
    ----------
    problem : Problem
        The problem.

    Returns
    -------
    array of int64 and list of int, or None
        ``pools`` of :func:`tcsim.kernels.single.count_single`, and the state code of each place in its counts; None
        for a problem that is more than one attack roll, or whose pools do not come from one word each.
    """
    step, start = problem.steps[0], problem.start
    if len(problem.steps) != 1 or problem.rolls != 1 or step.auto_hit or step.injury_keep != 2:
        return None
    block, down = Block([problem]), start.down
    if problem.policy.blood == p.OPTIMAL:
        codes = Codes(block, within_volley=False)
        values = (0, start.tough, start.blessing, down, start.blood, 0, 0)
        spent = plan(block, codes)[0, 0, codes.of(States(*map(np.array, values)))]
    else:
        spent = policies.table(block)[0, down, start.blood, start.blessing]
    bonus = spent.astype(np.int64) - start.blessing * problem.policy.blessing
    action = int(block.action_dice[0, down]) + step.first_shot_dice
    plain, critical = (block.injury_dice[0, down] + bonus).tolist()
    if spent.max() > 6 or max(abs(action), abs(plain), abs(critical)) > WORD_DICE - ACTION_KEEP:
        return None  # a Bloodbath, or too many dice
    modifiers = block.injury_modifier[0, down].tolist()
    pools = [2 + abs(action), int(action < 0)]
    for net, modifier in ((plain, modifiers[0]), (critical, modifiers[1])):
        pools += [2 + abs(net), int(net < 0), modifier]
    ends = np.zeros(SINGLE_ENDS, dtype=np.int64)
    numbers, steps, *_ = kernel_inputs(problem)
    single_ends(numbers, steps[0], spent.astype(np.int64), ends)
    return np.array([*pools, *spent.tolist()], dtype=np.int64), ends.tolist()


def _planes(choices: NDArray[np.int8]) -> NDArray[np.uint16]:
    """Write choices, by row, Down, blood and critical, as bit planes: bit ``blood + 7 * critical`` of 4 words a state.

    The words hold dice bought (three bits) and whether a Bloodbath is taken; first those against a standing target.
    """
    dice, bloodbath = choices.astype(np.int64) % 7, choices.astype(np.int64) // 7
    code = dice | (bloodbath << 3)
    place = np.arange(7)[:, None] + 7 * np.arange(2)[None, :]
    bits = [(((code >> bit) & 1) << place).sum(axis=(2, 3)) for bit in range(4)]
    return np.stack(bits, axis=2).reshape(len(choices), 8).astype(np.uint16)
