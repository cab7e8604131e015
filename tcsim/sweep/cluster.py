"""The same parts, made by the workers of a Dask cluster: here as processes, or on other machines.

Workers are sent the pieces and send back the bytes, so they need not see the disk; a part that a lost worker had is
made by another.
"""

from __future__ import annotations

import logging
from collections.abc import Generator, Iterator
from dataclasses import replace
from typing import Any

from tcsim.base.errors import InputError, show
from tcsim.sweep.parts import Maker, Part
from tcsim.sweep.workers import Workers, through

#: Pieces that are under way for each thread of the cluster; and how often one is tried that takes its worker down.
_AHEAD, _TRIES = 2, 10

#: Seconds that a scheduler may take to answer.
_PATIENCE = 20


def on_cluster(scheduler: str | None, workers: int | None) -> Workers:
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
        from distributed import Client, LocalCluster
    except ImportError:
        where = "--scheduler" if scheduler is not None else "--workers"
        raise InputError(
            'the library distributed is not installed; pip install "tcsim[dask]" gives it', where
        ) from None

    def make(maker: Maker, pieces: Iterator[tuple[int, Any]]) -> Generator[tuple[int, Part], None, None]:
        for name in ("", ".client", ".core", ".nanny", ".scheduler", ".worker"):
            logging.getLogger(f"distributed{name}").setLevel(logging.CRITICAL)  # a lost worker is no reason to be loud
        maker.how = replace(maker.how, threads=maker.how.threads or 1)
        settings = {"distributed.scheduler.allowed-failures": _TRIES, "distributed.comm.timeouts.connect": _PATIENCE}
        with dask.config.set(settings), _client(Client, LocalCluster, scheduler, workers) as client:
            if scheduler is not None and workers is not None:
                client.wait_for_workers(workers)
            ahead = _AHEAD * max(1, sum(client.nthreads().values()))
            # not pure: another run of the same piece must not be answered from a cluster's memory
            yield from through(client.get_executor(pure=False, retries=_TRIES), ahead, maker, pieces)

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
