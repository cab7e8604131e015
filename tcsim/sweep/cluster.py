"""The same parts, made by the workers of a Dask cluster: here as processes, or on other machines.

Workers are sent the pieces and send back the bytes, so they need not see the disk; a part that a lost worker had is
made by another.
"""

from __future__ import annotations

import logging
from asyncio import CancelledError
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import Any

from tcsim import __version__
from tcsim.base.errors import InputError, one_line, show
from tcsim.sweep.parts import Maker, Part
from tcsim.sweep.workers import Workers, alone, through

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
        import distributed
    except ImportError:
        where = "--scheduler" if scheduler is not None else "--workers"
        raise InputError(
            'the library distributed is not installed; pip install "tcsim[dask]" gives it', where
        ) from None

    def make(maker: Maker, pieces: Iterator[tuple[int, Any]]) -> Generator[tuple[int, Part], None, None]:
        for name in ("", ".client", ".core", ".nanny", ".scheduler", ".worker"):
            logging.getLogger(f"distributed{name}").setLevel(logging.CRITICAL)  # a lost worker is no reason to be loud
        maker.how = replace(maker.how, threads=maker.how.threads or 1)
        settings = {
            "distributed.scheduler.allowed-failures": _TRIES,  # of a cluster here; another one has its own
            "distributed.comm.timeouts.connect": _PATIENCE,
            "distributed.admin.large-graph-warning-threshold": "1 GiB",  # pieces of lines are large, and sent once
        }
        with dask.config.set(settings), _client(distributed, scheduler, workers) as client:
            if scheduler is not None:
                _wait(client, workers)
            ahead = _AHEAD * max(1, sum(client.nthreads().values()))
            # not pure: another run of the same piece must not be answered from a cluster's memory; and not through
            # client.get_executor, which fails where a worker is lost just after it has sent what it made
            submit = partial(client.submit, pure=False, retries=_TRIES)
            try:
                yield from through(submit, distributed.wait, ahead, maker, pieces)
            except InputError:
                raise
            except (Exception, CancelledError) as error:  # whatever a worker or the network can come to
                told = f"{type(error).__name__}: {one_line(' '.join(str(error).split()), 300)}"
                raise InputError(
                    f"the cluster cannot make the parts ({told}); what is finished is kept; tcsim sweep resume goes on "
                    "from there"
                ) from None

    return make


@contextmanager
def _client(distributed: Any, scheduler: str | None, workers: int | None) -> Iterator[Any]:
    """A client of a cluster, with one here that ends with it where no other is named."""
    if scheduler is None:
        quiet = {"dashboard_address": ":0", "silence_logs": logging.CRITICAL}
        with alone():
            cluster = distributed.LocalCluster(n_workers=workers, threads_per_worker=1, processes=True, **quiet)
            client = distributed.Client(cluster)
        with cluster, client:
            yield client
        return
    try:
        client = distributed.Client(scheduler, timeout=_PATIENCE)
    except (OSError, TimeoutError, ValueError) as error:
        why = str(error).splitlines()[0][:200] if str(error) else "no answer"
        raise InputError(f"there is no Dask scheduler at {show(scheduler, 200)}: {why}", "--scheduler") from None
    with client:
        yield client


def _wait(client: Any, workers: int | None) -> None:
    """Wait for so many workers, or a while for the first; and look whether they have this version of tcsim."""
    try:
        client.wait_for_workers(workers or 1, timeout=None if workers else _PATIENCE)
    except TimeoutError:
        raise InputError("the cluster has no worker yet; --workers N waits until there are N", "--scheduler") from None
    # in words, as a worker that has no tcsim could not be sent a function of it, and would only be lost
    for worker, version in client.run(eval, "__import__('tcsim').__version__", on_error="return").items():
        if version != __version__:
            has = f"tcsim {version}" if isinstance(version, str) else f"no tcsim ({one_line(str(version), 200)})"
            raise InputError(f"the worker {worker} has {has}, this is {__version__}; the same is needed everywhere")
