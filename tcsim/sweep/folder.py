"""The folder of a sweep: its manifest, its parts, and the lock that keeps a second writer out.

Whatever is written is first written under another name, flushed to the disk, and renamed: a file that has its name is
whole. What was begun and not finished has a name that begins with a dot, and is never read.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

from tcsim.base.errors import InputError, show
from tcsim.base.files import because

#: The form of the manifest.
FORMAT = 1

MANIFEST, ERRORS, LOCK = "manifest.json", "errors.jsonl", ".lock"

#: Names of copies of the input, by what they hold.
COPIES = {"grid": "input.json", "jsonl": "input.jsonl"}


class Folder:
    """The folder of a sweep.

    Parameters
    ----------
    path : str or Path
        Where it is.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)

    @property
    def name(self) -> str:
        """Its name, as it is shown."""
        return show(str(self.path), 200)

    def look(self, force: bool) -> None:
        """Look whether a sweep may begin here."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            there = [file for file in self.path.iterdir() if file.name != LOCK]
        except (OSError, ValueError) as error:
            raise InputError(f"{self.name} cannot be a folder of results: {because(error)}", "--out") from None
        if there and not force:
            if (self.path / MANIFEST).exists():
                raise InputError(
                    f"{self.name} holds a sweep already; tcsim sweep resume finishes it, --force begins anew", "--out"
                )
            raise InputError(f"{self.name} is not empty; --force writes into it all the same", "--out")

    def clear(self) -> None:
        """Take away what a sweep left, its manifest first: no moment has a manifest with parts of another."""
        for name in (MANIFEST, ERRORS, *COPIES.values()):
            (self.path / name).unlink(missing_ok=True)
        for folder in ("parts", "errors"):
            for file in (self.path / folder).glob("*part-*"):
                file.unlink()
        for generation in self.path.glob("gen-[0-9]*"):
            shutil.rmtree(generation)

    def copy(self, name: str, chunks: Iterator[bytes]) -> None:
        """Write a file whole or not at all, a chunk after the other."""
        begun = self.path / f".{name}.begun"
        try:
            with begun.open("wb") as file:
                file.writelines(chunks)
                file.flush()
                os.fsync(file.fileno())
            os.replace(begun, self.path / name)
        except OSError as error:
            raise InputError(f"{show(str(begun), 200)} cannot be written: {because(error)}") from None
        finally:
            begun.unlink(missing_ok=True)

    def manifest(self) -> dict[str, Any]:
        """Read the manifest.

        Raises
        ------
        InputError
            When there is none, or it is of another form.
        """
        try:
            found = json.loads((self.path / MANIFEST).read_bytes())
        except (OSError, ValueError):
            raise InputError(f"{self.name} is no folder of a sweep: it has no {MANIFEST} that can be read") from None
        if not isinstance(found, dict) or found.get("format") != FORMAT:
            raise InputError(f"{self.name} was written by another version of tcsim, in another form")
        return found

    def write(self, name: str, content: bytes) -> None:
        """Write a file whole or not at all.

        Raises
        ------
        InputError
            When it cannot be written, as on a full disk; what was there before is still there.
        """
        path = self.path / name
        begun = path.with_name(f".{path.name}.begun")
        try:
            with begun.open("wb") as file:
                file.write(content)
                file.flush()
                os.fsync(file.fileno())
            os.replace(begun, path)
            _flush(path.parent)
        except OSError as error:
            begun.unlink(missing_ok=True)
            raise InputError(
                f"{show(str(path), 200)} cannot be written: {because(error)}; what is finished is kept; tcsim sweep "
                "resume goes on from there"
            ) from None

    def has(self, name: str) -> bool:
        """Whether a file is there, and so whole."""
        return (self.path / name).exists()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep every other writer out; the lock ends with this process, however that ends.

        Raises
        ------
        InputError
            When another writer is at work.
        """
        try:
            file = (self.path / LOCK).open("ab")
        except OSError as error:
            raise InputError(f"{self.name} cannot be written: {because(error)}", "--out") from None
        with file:
            if not _lock(file.fileno()):
                raise InputError(f"another tcsim sweep is writing to {self.name}; wait for it, or stop it")
            yield


def newest(out: str | Path) -> Path:
    """Give the folder of the last generation of a sweep: itself, or one of further trials within it.

    Parameters
    ----------
    out : str or Path
        The folder of the sweep.

    Returns
    -------
    Path
        Where the newest manifest is.
    """
    found, generation = Path(out), 1
    while (Path(out) / f"gen-{generation}" / MANIFEST).exists():
        found = Path(out) / f"gen-{generation}"
        generation += 1
    return found


def part_name(number: int, kind: str) -> str:
    """Give the name of a part.

    Parameters
    ----------
    number : int
        From 0.
    kind : str
        ``parquet`` or ``csv``.

    Returns
    -------
    str
        As ``parts/part-00000.parquet``.
    """
    return f"parts/part-{number:05}.{kind}"


def errors_name(number: int) -> str:
    """Give the name of the file of what is wrong with scenarios of a part.

    Parameters
    ----------
    number : int
        From 0.

    Returns
    -------
    str
        As ``errors/part-00000.jsonl``.
    """
    return f"errors/part-{number:05}.jsonl"


def _flush(folder: Path) -> None:
    """Flush a folder, so that a name that was given stays given; where a system has no such thing, it need not."""
    if hasattr(os, "O_DIRECTORY"):
        handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


def _lock(handle: int) -> bool:
    try:
        import fcntl
    except ImportError:
        msvcrt: Any = import_module("msvcrt")  # where there is no fcntl; its types are known there alone
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
