"""How the made pages are written: Markdown in which names and texts of the data can do no harm."""

import re
from collections.abc import Iterable, Sequence


def plain(text: object) -> str:
    """Escape whatever Markdown would read as more than text, and put it on one line."""
    return re.sub(r"([\\`*_{}\[\]<>#$|~&^])", r"\\\1", " ".join(str(text).split()))


def code(text: object) -> str:
    """Write something as code within a line, also within a cell of a table."""
    one = " ".join(str(text).split())
    if not one:
        return ""
    fence = "`" * (1 + max((len(run) for run in re.findall("`+", one)), default=0))
    gap = " " if "`" in one[:1] + one[-1:] else ""
    return f"{fence}{gap}{one}{gap}{fence}".replace("|", r"\|")


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Write a table of cells that are Markdown already."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


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
