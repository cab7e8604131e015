"""With what a report is asked for, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from tcsim.report.blocks import Report

if TYPE_CHECKING:
    import pandas as pd

    from tcsim.catalog import Catalog


@contextmanager
def in_silence(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Show no progress.

    Parameters
    ----------
    what : str
        What is being done.
    total : int or None
        How much there is to do.

    Yields
    ------
    callable
        To be called with how much was done since the last call.
    """
    yield lambda amount: None


@dataclass(frozen=True)
class Asked:
    """With what a report is asked for: everything that repeats it, and nothing that changes from day to day.

    Parameters
    ----------
    catalogs : tuple of Catalog
        One for each edition it is about; none where its game has no catalogue.
    options : mapping, optional
        What the report's own flags say, by the names of their parameters.
    progress : callable, optional
        Called with what is being done and how much there is to do; gives a context whose value is called with how
        much was done.
    editions : tuple of str, optional
        The editions it is about, where its game has no catalogue.
    """

    catalogs: tuple[Catalog, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    progress: Callable[[str, int | None], AbstractContextManager[Callable[[int], None]]] = in_silence
    editions: tuple[str, ...] = ()

    @property
    def catalog(self) -> Catalog:
        """The catalogue, where it is one."""
        return self.catalogs[0]


class Rolled(NamedTuple):
    """How dice were rolled: trials for each question, and the seed."""

    trials: int
    seed: int


class Built(NamedTuple):
    """A report, the data frames it is about by name (letters, digits and dashes), and how dice were rolled, if any."""

    report: Report
    frames: Mapping[str, pd.DataFrame]
    rolled: Rolled | None = None
