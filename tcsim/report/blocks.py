"""What a report is made of. Blocks hold finished words and numbers; a renderer decides only how they look."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

from numpy.typing import NDArray

from tcsim.base.lang import tr
from tcsim.base.text import percent
from tcsim.plots.page import Words


def slug(name: str) -> str:
    """Check a name that becomes an id, an attribute or the name of a file: never one that a user gave.

    Parameters
    ----------
    name : str
        Lower-case letters, digits and dashes.

    Returns
    -------
    str
        The same.

    Raises
    ------
    ValueError
        When anything else is in it.

    Examples
    --------
    >>> slug("armour-blood-2")
    'armour-blood-2'
    """
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
        raise ValueError(f"{name!r} is not made of lower-case letters, digits and dashes")
    return name


class Strong(NamedTuple):
    """Words that stand out."""

    text: str


class Code(NamedTuple):
    """A name of the program or of a file."""

    text: str


#: A sentence: plain words, words that stand out, names.
Rich = tuple[str | Strong | Code, ...]


def rich(text: str, /, **values: Any) -> Rich:
    """Make a sentence in the language of the moment.

    Parameters
    ----------
    text : str
        English; ``**`` around words that stand out, backticks around names of the program.
    **values
        What stands for the names in braces.

    Returns
    -------
    tuple of str, Strong and Code
        The sentence.

    Examples
    --------
    >>> rich("in **{p}**, whatever it wears", p="5%")
    ('in ', Strong(text='5%'), ', whatever it wears')
    """
    parts: list[str | Strong | Code] = []
    for number, part in enumerate(re.split(r"(\*\*.+?\*\*|`.+?`)", tr(text))):
        plain = part if number % 2 == 0 else part.strip("*`")
        filled = plain.format(**values) if values else plain
        if filled:
            parts.append(filled if number % 2 == 0 else Strong(filled) if part[0] == "*" else Code(filled))
    return tuple(parts)


@dataclass(frozen=True)
class Paragraph:
    """One paragraph; ``small`` for remarks."""

    kind: ClassVar[str] = "paragraph"

    text: Rich
    small: bool = False


@dataclass(frozen=True)
class Points:
    """A list of sentences; ``lead`` for the findings that a report opens with."""

    kind: ClassVar[str] = "points"

    items: tuple[Rich, ...]
    lead: bool = False


@dataclass(frozen=True)
class Column:
    """A column of a table.

    Parameters
    ----------
    title : str
        Its head.
    group : str, optional
        What it shares with its neighbours, written once above them.
    number : bool, optional
        Whether it holds numbers, which are set flush right.
    minor : bool, optional
        Whether a narrow screen may leave it out.
    """

    title: str
    group: str = ""
    number: bool = True
    minor: bool = False


@dataclass(frozen=True)
class Cell:
    """A cell of a table.

    Parameters
    ----------
    text : str
        What is written.
    under : str, optional
        A second, fainter line.
    value : float, optional
        What it is sorted by in a column of numbers; without, the number that its text begins with.
    bar : float, optional
        A bar behind the number, as a share of the widest.
    """

    text: str
    under: str = ""
    value: float | None = None
    bar: float | None = None


def chance(p: float, bar: bool = False) -> Cell:
    """Make a cell of a probability.

    Parameters
    ----------
    p : float
        In [0, 1].
    bar : bool, optional
        Whether a bar stands behind it.

    Returns
    -------
    Cell
        With one decimal.
    """
    return Cell(percent(p), value=p, bar=p if bar else None)


@dataclass(frozen=True)
class Row:
    """A row of a table; ``tags`` (name, value) are what a filter may ask for."""

    cells: tuple[Cell, ...]
    tags: tuple[tuple[str, str], ...] = ()

    def __post_init__(self) -> None:
        """Refuse a tag whose name is no slug."""
        for name, _ in self.tags:
            slug(name)


@dataclass(frozen=True)
class Table:
    """A table.

    Parameters
    ----------
    name : str
        Letters, digits and dashes; unique in the report.
    caption : str
        What the numbers are.
    columns : tuple of Column
        Its columns; the first names the row.
    rows : tuple of Row
        Its rows.
    search : str, optional
        What is asked in a search field above it; empty: none.
    note : str, optional
        A line below.
    """

    kind: ClassVar[str] = "table"

    name: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    search: str = ""
    note: str = ""

    def __post_init__(self) -> None:
        """Refuse a name that is no slug."""
        slug(self.name)

    @property
    def sorts(self) -> bool:
        """Whether its rows can be sorted: where there are several, and the columns have heads."""
        return len(self.rows) > 1 and any(column.title for column in self.columns)

    @property
    def classes(self) -> str:
        """What a page calls it: ``sortable``, and ``wide`` where a sheet of paper holds it only in small type."""
        found = ["sortable"] if self.sorts else []
        return " ".join([*found, *(["wide"] if len(self.columns) > 8 else [])])

    @property
    def groups(self) -> tuple[tuple[str, int, bool], ...]:
        """The heads that neighbouring columns share, how many columns each spans, and whether those are minor."""
        found: list[tuple[str, int, bool]] = []
        for column in self.columns:
            if found and (found[-1][0], found[-1][2]) == (column.group, column.minor):
                found[-1] = (column.group, found[-1][1] + 1, column.minor)
            else:
                found.append((column.group, 1, column.minor))
        return tuple(found)


@dataclass(frozen=True)
class Figure:
    """A figure: what it says, and how it is drawn (``True``: bare). ``name``: letters, digits and dashes, unique."""

    kind: ClassVar[str] = "figure"

    name: str
    words: Words
    draw: Callable[[bool], NDArray[Any]]

    def __post_init__(self) -> None:
        """Refuse a name that is no slug."""
        slug(self.name)


@dataclass(frozen=True)
class Figures:
    """Figures that stand together."""

    kind: ClassVar[str] = "figures"

    figures: tuple[Figure, ...]


@dataclass(frozen=True)
class Filters:
    """Choices that hide rows of all tables of the section: tag, what is asked, and the values (value, label)."""

    kind: ClassVar[str] = "filters"

    choices: tuple[tuple[str, str, tuple[tuple[str, str], ...]], ...]


@dataclass(frozen=True)
class Command:
    """A command line."""

    kind: ClassVar[str] = "command"

    text: str


@dataclass(frozen=True)
class Link:
    """A file that lies beside the report."""

    kind: ClassVar[str] = "link"

    href: str
    text: str
    note: str = ""

    def __post_init__(self) -> None:
        """Refuse an address that leads elsewhere."""
        if not re.fullmatch(r"[a-z0-9-]+(/[a-z0-9-]+)*\.[a-z]+", self.href):
            raise ValueError(f"{self.href!r} is no file beside the report")


@dataclass(frozen=True)
class Folded:
    """Blocks that are shown when asked for."""

    kind: ClassVar[str] = "folded"

    title: str
    blocks: tuple[Block, ...]


Block = Paragraph | Points | Table | Figure | Figures | Filters | Command | Link | Folded


@dataclass(frozen=True)
class Section:
    """A part with a heading.

    Parameters
    ----------
    title : str
        The heading.
    short : str
        What a link to it says.
    anchor : str
        Where the link goes: letters, digits and dashes.
    blocks : tuple of Block
        What it holds.
    columns : bool, optional
        Whether a wide screen may set it in two columns.
    """

    title: str
    short: str
    anchor: str
    blocks: tuple[Block, ...]
    columns: bool = False

    def __post_init__(self) -> None:
        """Refuse an anchor that is no slug."""
        slug(self.anchor)


@dataclass(frozen=True)
class Report:
    """A report.

    Parameters
    ----------
    title : str
        What it is about.
    kicker : str
        A line above the title: program, edition, method.
    lead : tuple of Block
        What comes first.
    sections : tuple of Section
        The rest.
    footer : tuple of str, optional
        Lines at the end, before those that every report has.
    lang : str, optional
        Its language.
    """

    title: str
    kicker: str
    lead: tuple[Block, ...]
    sections: tuple[Section, ...]
    footer: tuple[str, ...] = ()
    lang: str = "en"

    def figures(self) -> tuple[Figure, ...]:
        """Give every figure, in order.

        Returns
        -------
        tuple of Figure
            Those of folded parts among them.
        """
        blocks = (*self.lead, *(block for section in self.sections for block in section.blocks))
        return tuple(figure for block in blocks for figure in _figures(block))

    def without_figures(self) -> Report:
        """Give the report with its words and tables alone.

        Returns
        -------
        Report
            Sections of which nothing is left are gone.
        """
        sections = tuple(replace(one, blocks=_without_figures(one.blocks)) for one in self.sections)
        return replace(
            self, lead=_without_figures(self.lead), sections=tuple(section for section in sections if section.blocks)
        )


def _without_figures(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    kept: list[Block] = []
    for block in blocks:
        if isinstance(block, Folded):
            block = replace(block, blocks=_without_figures(block.blocks))
        if not isinstance(block, (Figure, Figures)) and not (isinstance(block, Folded) and not block.blocks):
            kept.append(block)
    return tuple(kept)


def _figures(block: Block) -> tuple[Figure, ...]:
    match block:
        case Figure():
            return (block,)
        case Figures():
            return block.figures
        case Folded():
            return tuple(figure for inner in block.blocks for figure in _figures(inner))
    return ()
