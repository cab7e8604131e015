"""How the made pages are written: Markdown in which names and texts of the data can do no harm."""

import re
from collections.abc import Iterable, Sequence


def plain(text: object) -> str:
    """Escape whatever Markdown would read as more than text, and put it on one line."""
    return escaped(" ".join(str(text).split()))


def escaped(text: str) -> str:
    """Put a backslash before every sign that means something in Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>#$|~&^])", r"\\\1", text)


def told(text: object) -> str:
    """Escape a text like `plain`, but leave code within it as code."""
    parts = re.split(r"`([^`]+)`", " ".join(str(text).split()))
    return "".join(code(part) if at % 2 else escaped(part) for at, part in enumerate(parts))


def code(text: object) -> str:
    """Write something as code within a line."""
    one = " ".join(str(text).split())
    if not one:
        return ""
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", one)), default=0))
    gap = " " if "`" in one[:1] + one[-1:] else ""
    return f"{fence}{gap}{one}{gap}{fence}"


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table of cells that are Markdown already; what looks like the edge of a cell, as in code, is escaped."""
    lines = [heads, ["---"] * len(heads), *rows]
    cells = [[re.sub(r"(?<!\\)\|", r"\|", str(cell)) for cell in line] for line in lines]
    return "\n".join("| " + " | ".join(line) + " |" for line in cells)


def fenced(kind: str, text: str) -> str:
    """Write a block of code."""
    fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", text)), default=0))
    return f"{fence}{kind}\n{text.rstrip()}\n{fence}"


def page(*parts: str) -> str:
    """Join parts with an empty line between them, leaving out empty ones."""
    return "\n\n".join(part for part in parts if part) + "\n"


def contents(names: Iterable[str]) -> str:
    """Write the table of contents of a part of the site."""
    return fenced("{toctree}", "\n".join([":maxdepth: 1", "", *names]))
