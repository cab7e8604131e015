"""The editions of Age of Sigmar that are told apart. Numbers never leave one edition for another."""

from __future__ import annotations

from dataclasses import dataclass

from tcsim.base.lang import mark


@dataclass(frozen=True, slots=True)
class Edition:
    """An edition, or a revision of its text.

    Parameters
    ----------
    id : str
        As it is given and printed.
    title : str
        What it is, in a line.
    source : str
        Where its rules stand.
    """

    id: str
    title: str
    source: str


#: Every edition, the newest game first. There is no default: the same words mean other rules in each.
EDITIONS = (
    Edition("4e", mark("fourth edition, 2024"), "commands and end of turn source texts"),
    Edition("4e_late", mark("fourth edition, later text of two commands"), "later core rules of the fourth edition"),
    Edition("3e", mark("third edition after the errata of December 2021"), "hero phase source text"),
    Edition("3e_launch", mark("third edition as it came out"), "core rules 2021, first printing"),
)

#: Ids of the third and of the fourth edition, which share most rules within.
THIRD, FOURTH = ("3e", "3e_launch"), ("4e", "4e_late")
