"""What a sweep is given: the name of a file, a stream of lines, a grid as a table, or scenarios one after the other."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from tcsim.base.errors import InputError, show
from tcsim.base.files import because
from tcsim.scenario.model import Scenario
from tcsim.scenario.share import plain
from tcsim.sweep.folder import COPIES, Folder

#: Kinds of input by how a file's name ends.
SUFFIXES = {
    ".toml": "grid",
    ".json": "grid",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
}

#: Bytes of a stream that are copied at a time.
_CHUNK = 1 << 20


class Input(NamedTuple):
    """A file of scenarios: where it is, what it holds, whether it is a copy in the folder of the results."""

    path: Path
    kind: str
    is_copy: bool

    @property
    def beside(self) -> Path:
        """The folder in which the files lie that a grid names: its own, or where this program is."""
        return Path.cwd() if self.is_copy else self.path.absolute().parent

    def told(self) -> dict[str, Any]:
        """Tell it in a manifest.

        Raises
        ------
        InputError
            When it cannot be read.
        """
        name = COPIES[self.kind] if self.is_copy else str(self.path.absolute())
        told = {"name": name, "copied": self.is_copy, "kind": self.kind, "beside": str(self.beside)}
        return told | digest(self.path)


def file_given(given: Any) -> Input:
    """Look at the file of scenarios that is named.

    Parameters
    ----------
    given : str or path
        Its name.

    Returns
    -------
    Input
        The file; it may not be there.

    Raises
    ------
    InputError
        When its name ends in no known way, or it is a folder.
    """
    path = Path(given)
    kind = SUFFIXES.get(path.suffix.lower())
    if kind is None:
        ends = ", ".join(SUFFIXES)
        raise InputError(
            f"{show(str(given), 200)} is given, a file that ends in {ends}, or - for JSON lines, is allowed"
        )
    if path.exists() and not path.is_file():
        raise InputError(f"{show(str(given), 200)} is no file; - reads JSON lines from standard input")
    return Input(path, kind, False)


def copied(given: Any, folder: Folder) -> Input:
    """Copy what is given and is no file into the folder of the results.

    Parameters
    ----------
    given : mapping, binary stream, or iterable of mapping or Scenario
        A grid, JSON lines, or scenarios.
    folder : Folder
        Where the results go; it is there, empty and locked.

    Returns
    -------
    Input
        The copy, which has no name yet.

    Raises
    ------
    InputError
        When it is none of these, or cannot be written.
    """
    if isinstance(given, Mapping):
        kind, chunks = "grid", iter([_json(given, "grid")])
    elif hasattr(given, "read"):
        kind, chunks = "jsonl", _bytes(given)
    elif isinstance(given, Iterable) and not isinstance(given, (bytes, bytearray)):
        kind, chunks = "jsonl", _lines(given)
    else:
        raise InputError(f"{show(given)} is given, a file, a grid, or scenarios one after the other are needed")
    return Input(folder.copy(kind, chunks), kind, True)


def _bytes(stream: Any) -> Iterator[bytes]:
    while chunk := stream.read(_CHUNK):
        if not isinstance(chunk, bytes):
            raise InputError('the stream gives text, bytes are needed; a file gives them when opened with "rb"')
        yield chunk


def _lines(scenarios: Iterable[Any]) -> Iterator[bytes]:
    for number, scenario in enumerate(scenarios):
        yield _json(plain(scenario) if isinstance(scenario, Scenario) else scenario, f"scenario {number}") + b"\n"


def _json(data: Any, where: str) -> bytes:
    def number(value: Any) -> Any:
        if hasattr(value, "item"):  # of numpy and pandas
            return value.item()
        raise TypeError(f"{show(value)} is given, text, a number, true, false, an array or a table is needed")

    try:
        return json.dumps(data, allow_nan=False, default=number).encode()
    except (TypeError, ValueError, RecursionError) as error:
        raise InputError(str(error), where) from None


def digest(path: Path) -> dict[str, Any]:
    """Give the size and the SHA-256 of a file.

    Parameters
    ----------
    path : Path
        The file.

    Returns
    -------
    dict
        ``size`` in bytes, ``sha256`` in hex.

    Raises
    ------
    InputError
        When it cannot be read.
    """
    try:
        with path.open("rb") as file:
            sha, size = hashlib.sha256(), 0
            while block := file.read(_CHUNK):
                sha.update(block)
                size += len(block)
    except (OSError, ValueError) as error:
        raise InputError(f"{show(str(path), 200)} cannot be read: {because(error)}") from None
    return {"size": size, "sha256": sha.hexdigest()}
