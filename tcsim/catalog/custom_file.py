"""A user's own catalogue from TOML or CSV to checked cells, each with its line; which rows there are is not asked yet.

Nothing but the file that was named is read, and nothing in it is run.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tcsim.base.errors import InputError, ManyInputError, one_line, show, unknown
from tcsim.base.files import MAX_BYTES, because
from tcsim.catalog.columns import BESIDES, COLUMNS, read_value
from tcsim.catalog.origin import File
from tcsim.catalog.positions import Path as Place
from tcsim.catalog.positions import lines_of
from tcsim.rules import editions

#: Most mistakes that are told of one file.
MAX_TOLD = 20

#: What a TOML file may have at its top.
TABLES = ("weapon", "armour", "unit", "keyword", "option")
_TOP = ("edition", *TABLES, "options")


@dataclass(frozen=True)
class Entry:
    """A row, keyword or option of a file: its cells as given, and the line of each."""

    kind: str
    line: int
    cells: Mapping[str, str]
    lines: Mapping[str, int]
    editions: tuple[str, ...]


@dataclass
class Mistakes:
    """What is wrong with a file, as sentences that begin with its name and a line."""

    path: str
    found: dict[str, int] = field(default_factory=dict)

    def add(self, line: int, error: str | InputError) -> None:
        """Note a mistake once."""
        self.found.setdefault(f"{self.path}:{line}: {error}", line)

    def check(self) -> None:
        """Raise ManyInputError if there are any, in the order of the lines."""
        if not self.found:
            return
        told = sorted(self.found, key=lambda sentence: self.found[sentence])
        if len(told) > MAX_TOLD:
            told[MAX_TOLD:] = [f"{self.path}: there are {len(told) - MAX_TOLD} more mistakes"]
        raise ManyInputError(told)


@dataclass(frozen=True)
class CustomFile:
    """A file as read: its mark, its entries, and what to call it in errors."""

    file: File
    entries: tuple[Entry, ...]
    path: str


def read_file(path: str | os.PathLike[str]) -> CustomFile:
    """Read a user's own catalogue.

    Parameters
    ----------
    path : str or path
        A .toml or .csv file of at most 1 MiB, UTF-8.

    Returns
    -------
    CustomFile
        Every value is one that its column takes; names are not looked up yet.

    Raises
    ------
    InputError
        When it cannot be read; ``ManyInputError`` with a sentence for every mistake in it.
    """
    name = one_line(os.fspath(path), 200)
    suffix = Path(path).suffix.lower()
    if suffix not in (".toml", ".csv"):
        raise InputError("a catalogue ends in .toml or .csv", name or "--catalog")
    data = _bytes(Path(path), name)
    mistakes = Mistakes(name)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        mistakes.add(data.count(b"\n", 0, error.start) + 1, "this is not UTF-8")
        mistakes.check()
        raise
    if not text.strip():
        raise InputError("the file is empty; a catalogue has at least one row", f"{name}:1")
    found = _toml(text, mistakes) if suffix == ".toml" else _csv(text, mistakes)
    entries = tuple(found)
    mistakes.check()
    if not entries:
        raise InputError("nothing stands in it; a catalogue has at least one row", f"{name}:1")
    named = {edition for entry in entries for edition in entry.editions}
    base = one_line(Path(path).name, 200)
    sha256 = hashlib.sha256(data).hexdigest()
    return CustomFile(File(base, sha256, tuple(id for id in editions() if id in named)), entries, name)


def _bytes(path: Path, name: str) -> bytes:
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        raise InputError(f"it cannot be read: {because(error)}", name) from None
    if len(data) > MAX_BYTES:
        raise InputError("the file is larger than 1 MiB, the most that a catalogue may have", name)
    return data


def _toml(text: str, mistakes: Mistakes) -> Iterator[Entry]:
    data = _parsed(text, mistakes)
    lines = lines_of(text)
    for key in data:
        if key not in _TOP:
            mistakes.add(_line(lines, (key,)), unknown("table", key, _TOP))
    whole: tuple[str, ...] = ()
    if "edition" not in data:
        mistakes.add(1, f"edition is missing: say which one it is for, {_editions_told()}")
    else:
        try:
            whole = _editions(data["edition"])
        except InputError as error:
            mistakes.add(_line(lines, ("edition",)), error)
    for kind in TABLES:
        tables = data.get(kind, [])
        if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
            mistakes.add(_line(lines, (kind,)), f"{show(tables)} is given, [[{kind}]] is written before each {kind}")
            continue
        for number, table in enumerate(tables):
            where = {str(key): _line(lines, (kind, number, key)) for key in table}
            yield from _entry(kind, table, _line(lines, (kind, number)), where, whole, mistakes)
    options = data.get("options", {})
    if not isinstance(options, dict):
        mistakes.add(_line(lines, ("options",)), f"{show(options)} is given, a table with option = reading is allowed")
        return
    for name, value in options.items():
        line = _line(lines, ("options", name))
        yield from _entry("option", {"name": name, "default": value}, line, {}, whole, mistakes)


def _parsed(text: str, mistakes: Mistakes) -> dict[str, Any]:
    import tomllib

    line, message = 1, ""
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        found = re.search(r" \(at line (\d+), column (\d+)\)$", str(error))
        line = int(found[1]) if found else text.rstrip().count("\n") + 1
        what = str(error)[: found.start()] if found else str(error)
        message = f"this is not TOML: {one_line(what, 200)}" + (f", in column {found[2]}" if found else "")
    except RecursionError:
        message = "the tables are nested too deeply"
    except ValueError:  # int() refuses more than 4,300 digits; some dates do not exist
        message = "a number or date in it cannot be read"
    mistakes.add(line, message)
    mistakes.check()
    return {}


def _line(lines: Mapping[Place, int], place: Place) -> int:
    """The line of a place, or of what it is in."""
    while place and place not in lines:
        place = place[:-1]
    return lines.get(place, 1)


def _csv(text: str, mistakes: Mistakes) -> Iterator[Entry]:
    header: list[str] = []
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    while True:
        line = reader.line_num + 1
        try:
            record = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            mistakes.add(line, f"this is not CSV: {error}")
            return
        if not any(cell.strip() for cell in record):
            continue
        if not header:
            header = [name.strip() for name in record]
            if not _check_header(header, line, mistakes):
                return
            continue
        if len(record) != len(header):
            mistakes.add(line, f"{len(record)} cells are given, the first row names {len(header)} columns")
            continue
        cells = {name: cell for name, cell in zip(header, record, strict=True) if cell.strip()}
        kind = _kind(cells.pop("row", ""), header, line, mistakes)
        if kind:
            everywhere = dict.fromkeys(cells, line)
            yield from _entry(kind, cells, line, everywhere, editions(), mistakes, from_csv=True)


_ROWS = ("weapon", "armour", "unit")


def _check_header(header: list[str], line: int, mistakes: Mistakes) -> bool:
    every = dict.fromkeys(["row", *BESIDES, *(name for kind in _ROWS for name in COLUMNS[kind])])
    if len(header) == 1 and (";" in header[0] or "\t" in header[0]):
        mistakes.add(line, "the columns are not separated by commas, as they have to be")
        return False
    for number, name in enumerate(header):
        if name not in every:
            mistakes.add(line, unknown("column", name, every))
        elif name in header[:number]:
            mistakes.add(line, f"the column {show(name)} is given twice")
    return not mistakes.found


def _kind(word: str, header: list[str], line: int, mistakes: Mistakes) -> str:
    """What a CSV row is: as it says, else as its columns say."""
    word = word.strip().casefold()
    if word in _ROWS:
        return word
    if word:
        mistakes.add(line, unknown("kind of row", word, _ROWS))
        return ""
    fitting = [kind for kind in _ROWS if all(name in ("row", *BESIDES, *COLUMNS[kind]) for name in header)]
    if len(fitting) == 1:
        return fitting[0]
    mistakes.add(line, "what the row is cannot be told from its columns: add a column row with weapon, armour or unit")
    return ""


def _entry(
    kind: str,
    given: Mapping[str, Any],
    line: int,
    lines: Mapping[str, int],
    whole: tuple[str, ...],
    mistakes: Mistakes,
    from_csv: bool = False,
) -> Iterator[Entry]:
    """Check the values of an entry; it is given even when some are wrong, so that all mistakes are found."""
    columns = COLUMNS[kind]
    allowed = [*columns, *(name for name in BESIDES if kind != "option" or name != "like")]
    cells: dict[str, str] = {}
    for name, value in given.items():
        where = lines.get(name, line)
        try:
            if name not in allowed:
                raise _no_column(kind, name, allowed)
            if name == "edition":
                some = _editions(value)
                if whole and not set(some) <= set(whole):
                    raise InputError(f"{show(value)} is given, the file is for {' and '.join(whole)}")
                whole = some
            elif kind == "option" and name == "default":
                cells[name] = _reading(value)
            else:
                cells[name] = read_value({**columns, **BESIDES}[name], value, from_csv)
        except InputError as error:
            mistakes.add(where, error if name not in allowed else f"{name}: {error}")
    yield Entry(kind, line, cells, lines, whole)


def _no_column(kind: str, name: str, allowed: list[str]) -> InputError:
    others = [f"{_a(other)} {other}" for other, columns in COLUMNS.items() if name in columns]
    if others:
        return InputError(f"{name} is a column of {' or '.join(others)}, not of {_a(kind)} {kind}")
    return unknown(f"column of {_a(kind)} {kind}", name, allowed)


def _a(kind: str) -> str:
    return "an" if kind[0] in "ao" else "a"


def _reading(value: Any) -> str:
    """The reading of an option, as text; which there are is asked later."""
    if isinstance(value, bool):
        return str(value).lower()
    return read_value(COLUMNS["option"]["name"], value)


def _editions(value: Any) -> tuple[str, ...]:
    names = value.split(";") if isinstance(value, str) else value
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise InputError(f"{show(value)} is given, {_editions_told()} is allowed")
    found = {name.strip() for name in names}
    if found == {"both"}:
        return editions()
    for name in found:
        if name not in editions():
            raise unknown("edition", name, (*editions(), "both"))
    return tuple(id for id in editions() if id in found)


def _editions_told() -> str:
    return ", ".join(f'"{id}"' for id in editions()) + ' or "both"'
