"""One part of a sweep: a piece of the input in, the bytes of a file out. The same anywhere, for ever."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from tcsim import __version__
from tcsim.catalog import Catalog
from tcsim.sweep.answers import Counted, How, results
from tcsim.sweep.questions import Resolver
from tcsim.sweep.sources import Source
from tcsim.sweep.table import Column, written


@dataclass(frozen=True)
class Part:
    """A part: what its file holds, what is wrong with scenarios that are not in it, and how many there are of both."""

    content: bytes
    errors: bytes
    rows: int
    failed: int
    #: The version that made it; without a default, which one that another version sends would have.
    tcsim: str


class Maker:
    """Makes parts.

    Parameters
    ----------
    source : GridSource or FileSource
        Whose pieces it is given.
    how : How
        How scenarios are answered.
    kind : str
        ``parquet`` or ``csv``.
    catalogs : mapping of str to Catalog, optional
        Catalogues by edition, where not those of the books.
    """

    def __init__(self, source: Source, how: How, kind: str, catalogs: Mapping[str, Catalog] | None = None) -> None:
        self.source, self.how, self.kind = source, how, kind
        self._resolver = Resolver(dict(catalogs or {}))

    def make(self, piece: Any, before: Sequence[Counted] | None = None) -> Part:
        """Answer the scenarios of a piece.

        Parameters
        ----------
        piece : Any
            As the source cuts it.
        before : sequence of Counted, optional
            What was counted before of each scenario that can be asked.

        Returns
        -------
        Part
            The part.
        """
        read = self.source.read(piece)
        asked = self._resolver.ask(read.rows)
        wrong = asked.errors | read.errors  # what cannot be read is no scenario at all
        size = read.numbers.size
        good = np.setdiff1d(np.arange(size), np.array(sorted(wrong), dtype=np.int64))
        number = self.source.counts
        columns = {number: Column("int", read.numbers[good])}
        columns |= {name: column.take(good) for name, column in read.columns.items()}
        columns |= results(asked, good, self.how, before)
        errors = [
            {"id": read.ids[row] if read.ids else None, number: int(read.numbers[row]), "error": wrong[row]}
            for row in sorted(wrong)
        ]
        told = b"".join(msgspec.json.encode(error) + b"\n" for error in errors)
        return Part(written(columns, self.kind), told, int(good.size), len(errors), __version__)
