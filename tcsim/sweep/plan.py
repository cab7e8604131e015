"""What a sweep will cost: a few of its scenarios are answered, and the rest reckoned from them."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from tcsim.sweep.answers import How
from tcsim.sweep.folder import Folder
from tcsim.sweep.given import file_given
from tcsim.sweep.parts import Maker, Part
from tcsim.sweep.prepare import maker_of, new_manifest
from tcsim.sweep.sources import GridSource
from tcsim.sweep.workers import usual

#: Seconds that trying may take, about; how many times more scenarios are tried next.
_SECONDS, _MORE = 2.0, 8

#: Seconds of a scenario where all others share work with it.
_ROW = 5e-6

#: Lines of a file that are read for that.
_LINES = 65_536

#: Cuts a piece: its first scenario, and how many.
Cut = Callable[[int, int], Any]


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
        The time is of this machine.

    Raises
    ------
    InputError
        When the input cannot be read.
    """
    begun = time.perf_counter()
    manifest = new_manifest(file_given(given), how, list(catalogs), part_rows)
    looking = time.perf_counter() - begun  # a run looks through its input, too
    size, parts, rows = manifest["scenarios"], len(manifest["parts"]), manifest["part_rows"]
    maker = maker_of(Folder("."), manifest, how.threads)
    there, cut, reading = _cutting(maker, rows)
    maker.make(cut(0, 1))  # loads and compiles what is needed only once
    of_part, smallest = _timed(maker, cut(0, 1))
    tried = _try(maker, min(there, rows), there, cut)
    each = _longer(maker, tried, rows) / rows
    new = _different(maker) if isinstance(maker.source, GridSource) else size * min(tried.seen / tried.rows, 1)
    making = reading * size + parts * of_part + each * size + tried.seconds_of_new * new
    together = min(how.threads or usual(size), parts) if how.method == "exact" else 1
    seconds = looking + making / together
    weight = max(tried.content - tried.pieces * len(smallest.content), 0) / tried.rows
    content = parts * len(smallest.content) + weight * (size - parts)
    return Estimate(size, parts, seconds, content, tried.rows, tried.failed, tried.why)


@dataclass
class _Tried:
    """What some pieces of one length came to."""

    rows: int = 0
    pieces: int = 0
    #: Scenarios of them that must be resolved, piece by piece, and of all that was tried.
    keys: int = 0
    seen: int = 0
    #: Seconds when all is resolved, and of each that is resolved.
    seconds: float = 0.0
    seconds_of_new: float = 0.0
    content: int = 0
    failed: int = 0
    why: str = ""


def _try(maker: Maker, most: int, there: int, cut: Cut) -> _Tried:
    """Try pieces from all over, the longer the better: scenarios that are answered together share work."""
    begun = time.perf_counter()
    length, resolving, seen = 1, 0.0, set[Any]()
    places, tried = _spread(there), _Tried()
    while (number := next(places, None)) is not None:
        piece = cut(number * length, length)
        keys = set(maker.source.read(piece).rows.keys)
        first, part = _timed(maker, piece)
        again, _ = _timed(maker, piece)
        resolving += max(first - again, 0) if keys - seen else 0
        share = len(keys - seen) / length
        seen |= keys
        tried.seen, tried.seconds_of_new = len(seen), resolving / len(seen)
        tried.seconds, tried.keys = tried.seconds + again, tried.keys + len(keys)
        tried.content += len(part.content)
        tried.rows, tried.pieces, tried.failed = tried.rows + length, tried.pieces + 1, tried.failed + part.failed
        tried.why = tried.why or (json.loads(part.errors.partition(b"\n")[0])["error"] if part.failed else "")
        left = begun + _SECONDS - time.perf_counter()
        longer = min(_MORE * length, most)
        new = min(_different(maker) - len(seen), share * longer)
        expected = 2 * _longer(maker, tried, longer) + tried.seconds_of_new * new
        if longer > length and expected < left:
            length, places = longer, _spread(there // longer)
            tried = _Tried()
        elif left < 0:
            break
    return tried


def _different(maker: Maker) -> int:
    """How many scenarios must be resolved, at most."""
    return maker.source.different if isinstance(maker.source, GridSource) else maker.source.size


def _longer(maker: Maker, tried: _Tried, rows: int) -> float:
    """Seconds of a longer piece where all is resolved: each row is rolled, or what is the same of rows is shared."""
    times = rows * tried.pieces / tried.rows
    if maker.how.method == "exact":
        times = min(times, _different(maker) * tried.pieces / tried.keys)
    return max(times * tried.seconds / tried.pieces, _ROW * rows)


def _cutting(maker: Maker, rows: int) -> tuple[int, Cut, float]:
    """How many scenarios can be tried, what cuts pieces of them, and seconds that reading one takes."""
    if isinstance(maker.source, GridSource):
        return maker.source.size, lambda first, count: (first, first + count), 0.0
    begun = time.perf_counter()
    lines = next(maker.source.pieces(min(rows, _LINES)))
    reading = (time.perf_counter() - begun) / len(lines)
    return len(lines), lambda first, count: lines[first : first + count], reading


def _timed(maker: Maker, piece: Any) -> tuple[float, Part]:
    begun = time.perf_counter()
    part = maker.make(piece)
    return time.perf_counter() - begun, part


def _spread(count: int) -> Iterator[int]:
    """The numbers from 0, so that the first few lie all over."""
    step = max(1, round(count * 0.618))
    while math.gcd(step, count) != 1:
        step += 1
    for number in range(count):
        yield (number + 1) * step % count
