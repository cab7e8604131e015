"""Where a report comes from: what it was made of, with what, and the command that makes it again.

Nothing in it changes from day to day or from machine to machine: no time, no host, no folder.
"""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import TYPE_CHECKING

from tcsim import __version__
from tcsim.base.lang import tr
from tcsim.base.text import UNOFFICIAL
from tcsim.report.blocks import Block, Cell, Column, Command, Link, Paragraph, Report, Row, Section, Table, rich
from tcsim.report.settings import Rolled

if TYPE_CHECKING:
    from tcsim.catalog import Catalog

#: Libraries whose versions decide the bytes of a report.
LIBRARIES = ("matplotlib", "numpy", "pandas", "pillow")


@dataclass(frozen=True)
class Provenance:
    """Where a report comes from.

    Parameters
    ----------
    catalogs : tuple of Catalog
        What it was made of, one for each edition.
    command : tuple of str
        The command line that makes it again, word by word.
    rolled : Rolled, optional
        How dice were rolled, if any.
    parquet : bool, optional
        Whether the data are written as Parquet, too.
    editions : tuple of str, optional
        Titles of the editions it is about, in English, where its game has no catalogue.

    Examples
    --------
    >>> Provenance((), ("tcsim", "report", "kill-odds", "--weapon", "Sword / Axe")).command_line
    "tcsim report kill-odds --weapon 'Sword / Axe'"
    """

    catalogs: tuple[Catalog, ...]
    command: tuple[str, ...]
    rolled: Rolled | None = None
    parquet: bool = False
    editions: tuple[str, ...] = ()

    @property
    def command_line(self) -> str:
        """The command, quoted for a shell."""
        return shlex.join(self.command)

    def facts(self) -> tuple[tuple[str, str], ...]:
        """Give what there is to know, in order.

        Returns
        -------
        tuple of (str, str)
            What it is, in the language of the moment, and its value.
        """
        from tcsim.catalog.fingerprint import fingerprint

        found = [(tr("Version of tcsim"), __version__)]
        found += [(tr("Edition"), tr(title)) for title in self.editions]
        for rows in self.catalogs:
            found.append((tr("Edition"), tr(rows.rules.title)))
            found.append((tr("Catalogue of {edition}, SHA-256", edition=rows.edition), fingerprint(rows)))
        files = {str(file): None for rows in self.catalogs if rows.own is not None for file in rows.own.files}
        found += [(tr("Own catalogue"), file) for file in files]
        if self.rolled is not None:
            from tcsim.kernels.stream import STREAM_VERSION

            found += [
                (tr("Trials for each"), f"{self.rolled.trials:,}"),
                (tr("Seed"), str(self.rolled.seed)),
                (tr("Version of the dice stream"), str(STREAM_VERSION)),
            ]
        libraries = (*LIBRARIES, "pyarrow") if self.parquet else LIBRARIES
        return (*found, (tr("Libraries"), ", ".join(f"{name} {version(name)}" for name in libraries)))


def finish(report: Report, provenance: Provenance, files: Sequence[tuple[str, str]] = ()) -> Report:
    """Put below a report where it comes from, the files beside it, and who made it.

    Parameters
    ----------
    report : Report
        As it was built.
    provenance : Provenance
        Where it comes from.
    files : sequence of (str, str), optional
        Files of data beside it, and what is in each.

    Returns
    -------
    Report
        With one section more, and a footer.
    """
    facts = tuple(Row((Cell(name), Cell(value))) for name, value in provenance.facts())
    columns = (Column("", number=False), Column("", number=False))
    again = rich(
        "Made again by this command; with the same versions of the libraries every file is the same to the byte:"
    )
    blocks: tuple[Block, ...] = (
        *(Link(href, href, told) for href, told in files),
        Table("provenance", tr("What this report was made of"), columns, facts),
        Paragraph(again),
        Command(provenance.command_line),
    )
    section = Section(tr("Where this report comes from"), tr("Provenance"), "provenance", blocks)
    made = tr("Made by tcsim {version}.", version=__version__)
    return replace(report, sections=(*report.sections, section), footer=(*report.footer, made, tr(UNOFFICIAL)))
