"""The same parts, made by the workers of a Dask cluster: here as processes, or on other machines.

Workers are sent the pieces and send back the bytes, so they need not see the disk; a part that a lost worker had is
made by another.
"""

from __future__ import annotations

import logging
import pickle
from collections.abc import Generator, Iterator
from dataclasses import replace
from functools import lru_cache
from typing import Any

from tcsim.base.errors import InputError, show
from tcsim.sweep.parts import Maker, Part
from tcsim.sweep.run import Workers

#: Pieces that are under way for each thread of the cluster; and how often one is tried that takes its worker down.
_AHEAD, _TRIES = 2, 10

#: Seconds that a scheduler may take to answer.
_PATIENCE = 20


def cluster(scheduler: str | None, workers: int | None) -> Workers:
    """Give what makes parts on a cluster.

    Parameters
    ----------
    scheduler : str or None
        Its address, as ``tcp://HOST:8786``; None for processes here.
    workers : int or None
        So many processes here; of a cluster, so many to wait for before it begins.

    Returns
    -------
    callable
        As :meth:`Sweep.run` takes it.

    Raises
    ------
    InputError
        When Dask is not installed.
    """
    try:
        import dask
        from distributed import Client, LocalCluster, as_completed

        finished: Any = as_completed
    except ImportError:
        where = "--scheduler" if scheduler is not None else "--workers"
        raise InputError(
            'the library distributed is not installed; pip install "tcsim[dask]" gives it', where
        ) from None

    def make(maker: Maker, pieces: Iterator[tuple[int, Any]]) -> Generator[tuple[int, Part], None, None]:
        for name in ("", ".client", ".core", ".nanny", ".scheduler", ".worker"):
            logging.getLogger(f"distributed{name}").setLevel(logging.CRITICAL)  # a lost worker is no reason to be loud
        maker.how = replace(maker.how, threads=maker.how.threads or 1)
        sent = pickle.dumps(maker)
        settings = {"distributed.scheduler.allowed-failures": _TRIES, "distributed.comm.timeouts.connect": _PATIENCE}
        with dask.config.set(settings), _client(Client, LocalCluster, scheduler, workers) as client:
            if scheduler is not None and workers is not None:
                client.wait_for_workers(workers)
            room = _AHEAD * max(1, sum(client.nthreads().values()))
            number_of: dict[Any, int] = {}

            def submit() -> Any:
                for number, piece in pieces:
                    # not pure: another run of the same piece must not be answered from a cluster's memory
                    future = client.submit(_make, sent, piece, pure=False, retries=_TRIES)
                    number_of[future.key] = number
                    return future
                return None

            under_way: Any = finished([future for _ in range(room) if (future := submit()) is not None])
            for future in under_way:
                number, part = number_of.pop(future.key), future.result()
                following = submit()
                if following is not None:
                    under_way.add(following)
                yield number, part

    return make


def _client(client: Any, local: Any, scheduler: str | None, workers: int | None) -> Any:
    if scheduler is None:
        made = local(n_workers=workers, threads_per_worker=1, processes=True, dashboard_address=None)
        return _WithCluster(made, client(made))
    try:
        return client(scheduler, timeout=_PATIENCE)
    except (OSError, TimeoutError, ValueError) as error:
        why = str(error).splitlines()[0][:200] if str(error) else "no answer"
        raise InputError(f"there is no Dask scheduler at {show(scheduler, 200)}: {why}", "--scheduler") from None


class _WithCluster:
    """A client that ends the processes it began."""

    def __init__(self, cluster: Any, client: Any) -> None:
        self._cluster, self._client = cluster, client

    def __enter__(self) -> Any:
        return self._client

    def __exit__(self, *_: object) -> None:
        self._client.close()
        self._cluster.close()


def _make(sent: bytes, piece: Any) -> Part:
    return _maker(sent).make(*piece)


@lru_cache(maxsize=4)
def _maker(sent: bytes) -> Maker:
    """The maker of a sweep, with what it has resolved so far, on this worker."""
    maker: Maker = pickle.loads(sent)
    return maker
