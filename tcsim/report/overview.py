"""The page above the reports: what each is about, what it found first, and the way to it."""

from __future__ import annotations

from collections.abc import Mapping

from tcsim.base.lang import current, tr
from tcsim.report.blocks import Block, Link, Points, Report, Section

#: Findings of each report that are told.
MOST = 4


def compose(reports: Mapping[str, Report]) -> Report:
    """Make the page above some reports.

    Parameters
    ----------
    reports : mapping of str to Report
        By the folder in which each lies, in order.

    Returns
    -------
    Report
        A section for each, with its first findings, in the language of the moment.

    Examples
    --------
    >>> page = compose({"kill-odds": Report("Kill odds", "", (), ())})
    >>> page.sections[0].title
    'Kill odds'
    """
    sections = []
    for name, report in reports.items():
        links = (Link(f"{name}/index.html", tr("The whole report")), Link(f"{name}/report.md", tr("The same as text")))
        sections.append(Section(report.title, report.title, name, (*_findings(report), *links)))
    return Report(
        title=tr("Trench Crusade and Age of Sigmar in numbers"),
        kicker=tr("tcsim report · findings computed from the rules, weapons and armour of the books"),
        lead=(),
        sections=tuple(sections),
        lang=current(),
    )


def _findings(report: Report) -> tuple[Block, ...]:
    return tuple(Points(block.items[:MOST]) for block in report.lead if isinstance(block, Points))
