"""The Monte Carlo way: every die of every trial of a duel is rolled, and counted is who has won in which round."""

from __future__ import annotations

from collections.abc import Callable

from tcsim.duels.model import Duel
from tcsim.duels.rows import Tables, duel_play
from tcsim.engines import monte_carlo
from tcsim.engines.play import play, stream_key
from tcsim.kernels.stream import STREAM_VERSION
from tcsim.stats import Tally


def count(
    duel: Duel,
    trials: int,
    seed: int = 1,
    threads: int | None = None,
    tables: Tables | None = None,
    progress: Callable[[int], None] | None = None,
) -> Tally:
    """Roll the dice of a duel and count how it ends.

    Parameters
    ----------
    duel : Duel
        What to play.
    trials : int
        How many times, 1 to 1e13.
    seed : int, optional
        0 to 2**64 - 1.
    threads : int, optional
        How many threads; default: one per processor. The counts do not depend on it.
    tables : Tables, optional
        What the players spend; default: as fixed spending says.
    progress : callable, optional
        Called now and then with the number of trials counted since the last call.

    Returns
    -------
    Tally
        Ends to counts: 0 for neither, ``1 + 2 * round`` (from 0) for a, and one more for b.

    Raises
    ------
    InputError
        When a number is out of range.
    Interrupted
        After Ctrl-C, when the blocks that had begun are finished; it holds their tally.
    """
    monte_carlo.check(trials, seed, threads, "own")
    name = f"{STREAM_VERSION}:{seed}:{duel.fingerprint}"
    return play(duel_play(duel, tables), stream_key(name), name, (0, trials), threads, progress)
