"""In which line of a TOML document each table and key stands: the parser of the standard library does not say.

The document has been parsed before, so it is known to be right; it is only walked through here: heads of tables, keys,
and values that are skipped, with their strings, brackets and comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

#: Names of tables and keys, and numbers of the tables in an array, from the outside in.
Path = tuple[str | int, ...]

_SPACE = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_KEY_PART = re.compile(r"""[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z0-9_-]+)[ \t]*(\.?)""")
#: What a value is made of: strings, brackets, comments, ends of lines, and the rest.
_VALUE_PART = re.compile(
    r""""{3}(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}|'{3}(?:[^']|'{1,2}(?!'))*'{3,5}"""
    r"""|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|\#[^\n]*|[\[\]{}\n]|[^"'\#\[\]{}\n]+""",
    re.DOTALL,
)


def lines_of(text: str) -> dict[Path, int]:
    r"""Find the line of every table and key.

    Parameters
    ----------
    text : str
        A TOML document that can be parsed.

    Returns
    -------
    dict
        Path to line, counted from 1. What stands in an inline table is not told apart from the key it belongs to.

    Examples
    --------
    >>> lines_of('edition = "1.6.3"\n[[weapon]]\nid = "a"\n[[weapon]]\n')[("weapon", 0, "id")]
    3
    """
    found: dict[Path, int] = {}
    counts: dict[Path, int] = {}
    table: Path = ()
    for position, is_head, names in _statements(text):
        line = position.line
        if not is_head:
            for end in range(1, len(names) + 1):  # a dotted key makes tables
                found.setdefault(table + names[:end], line)
            continue
        table = ()
        for name in names[:-1]:
            table = _inside((*table, name), counts)
        table = (*table, names[-1])
        if position.is_array:
            counts[table] = counts.get(table, 0) + 1
            found.setdefault(table, line)
            table = _inside(table, counts)
        found.setdefault(table, line)
    return found


def _inside(table: Path, counts: dict[Path, int]) -> Path:
    """The last table of an array, where it is one."""
    return (*table, counts[table] - 1) if table in counts else table


class _Position:
    """The line of a statement; for a head, whether it is that of an array of tables."""

    def __init__(self, line: int, is_array: bool = False) -> None:
        self.line, self.is_array = line, is_array


def _statements(text: str) -> Iterator[tuple[_Position, bool, tuple[str, ...]]]:
    """Heads of tables and keys, one after the other: where, whether it is a head, and its name in parts."""
    at, line, counted = 0, 1, 0
    while True:
        at = _end(_SPACE, text, at)
        line, counted = line + text.count("\n", counted, at), at
        if at >= len(text):
            return
        if text[at] == "[":
            is_array = text.startswith("[[", at)
            names, at = _names(text, at + 1 + is_array)
            yield _Position(line, is_array), True, names
            at += 1 + is_array
        else:
            names, at = _names(text, at)
            yield _Position(line), False, names
            at = _after_value(text, at + 1)


def _end(pattern: re.Pattern[str], text: str, at: int) -> int:
    found = pattern.match(text, at)
    return found.end() if found is not None else len(text)


def _names(text: str, at: int) -> tuple[tuple[str, ...], int]:
    names = []
    while (found := _KEY_PART.match(text, at)) is not None:
        names.append(_unquoted(found[1]))
        at = found.end()
        if not found[2]:
            return tuple(names), at
    return tuple(names), len(text)


def _unquoted(name: str) -> str:
    if name[0] == "'":
        return name[1:-1]
    if name[0] == '"':
        import tomllib

        return next(iter(tomllib.loads(f"{name} = 0")))
    return name


def _after_value(text: str, at: int) -> int:
    """The place behind a value: the end of the line, or of the line that closes all its brackets."""
    depth = 0
    while (found := _VALUE_PART.match(text, at)) is not None:
        part, at = found[0], found.end()
        depth += (part in "[{") - (part in "]}")
        if part == "\n" and depth == 0:
            break
    return at if found is not None else len(text)
