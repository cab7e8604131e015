"""What a sweep will cost: a few of its scenarios are answered, and the rest reckoned from them."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from itertools import islice
from typing import Any, NamedTuple

from tcsim.sweep.answers import How
from tcsim.sweep.folder import Folder
from tcsim.sweep.given import file_given
from tcsim.sweep.prepare import maker_of, new_manifest

#: Scenarios that are tried, by method.
_TRIED = {"exact": 16_384, "monte_carlo": 8}


class Estimate(NamedTuple):
    """Scenarios, parts; about how many seconds and bytes; from how many, how many of which failed, and why one did."""

    scenarios: int
    parts: int
    seconds: float
    size: float
    tried: int
    failed: int
    why: str


def estimate(given: str, how: How, catalogs: Sequence[str] = (), part_rows: int | None = None) -> Estimate:
    """Reckon what a sweep costs; nothing is written.

    Parameters
    ----------
    given : str
        Name of the input.
    how : How
        How it is answered.
    catalogs : sequence of str, optional
        Users' own catalogues.
    part_rows : int, optional
        Scenarios of a part.

    Returns
    -------
    Estimate
        The time is of this machine, in one process.

    Raises
    ------
    InputError
        When the input cannot be read.
    """
    manifest = new_manifest(file_given(given), how, list(catalogs), part_rows)
    length = min(_TRIED[how.method], manifest["part_rows"])
    maker = maker_of(Folder("."), manifest, how.threads)
    pieces = list(islice(maker.source.pieces(length), 2))
    maker.make(_few(pieces[0]))  # what is loaded and compiled only once
    begun = time.perf_counter()
    part = maker.make(pieces[-1])
    seconds, tried = time.perf_counter() - begun, part.rows + part.failed
    why = json.loads(part.errors.partition(b"\n")[0])["error"] if part.failed else ""
    share = manifest["scenarios"] / tried
    count = len(manifest["parts"])
    return Estimate(manifest["scenarios"], count, seconds * share, len(part.content) * share, tried, part.failed, why)


def _few(piece: Any) -> Any:
    """The first scenario of a piece."""
    return piece[:1] if isinstance(piece, list) else (piece[0], piece[0] + 1)
