"""The folder of a sweep: its manifest, its parts, and the lock that keeps a second writer out.

Whatever is written is first written under another name, flushed to the disk, and renamed: a file that has its name is
whole. What was begun and not finished has a name that begins with a dot, and is never read. Beside each part there is a
record of what it has to be, so that one that was changed later is not taken for it. Only files that a manifest here
names are ever deleted.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from tcsim.base.errors import InputError, show
from tcsim.base.files import because
from tcsim.sweep.manifest import read_manifest

MANIFEST, ERRORS, LOCK = "manifest.json", "errors.jsonl", ".lock"

#: Names of copies of the input, by what they hold.
COPIES = {"grid": "input.json", "jsonl": "input.jsonl"}

#: Folders in it: the parts; and what is known of each.
PARTS, RECORDS = "parts", "done"


class Mark(msgspec.Struct, frozen=True):
    """What is known of a finished part: its rows, scenarios that failed, bytes, and their SHA-256."""

    rows: int
    failed: int
    size: int
    sha256: str


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

    @property
    def root(self) -> Path:
        """The folder of its first generation."""
        path = self.path.resolve()
        is_later = re.fullmatch(r"gen-\d+", path.name) and (path.parent / MANIFEST).exists()
        return path.parent if is_later else path

    def look(self, force: bool) -> None:
        """Look whether a sweep may begin here; the folder is made."""
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            there = [file for file in self.path.iterdir() if not _is_nothing(file)]
        except (OSError, ValueError) as error:
            raise InputError(f"{self.name} cannot be a folder of results: {because(error)}", "--out") from None
        if there and not force:
            if (self.path / MANIFEST).exists():
                raise InputError(
                    f"{self.name} holds a sweep already; tcsim sweep resume finishes it, --force begins anew", "--out"
                )
            raise InputError(f"{self.name} is not empty; --force writes into it all the same", "--out")

    def written(self) -> list[Path]:
        """Name all files that a sweep here has written, or will: those of later generations first, each manifest last.

        Raises
        ------
        InputError
            When there is a manifest that no sweep wrote.
        """
        if not self.has(MANIFEST):
            return []
        found: list[Path] = []
        generation = 1
        while (self.path / f"gen-{generation}" / MANIFEST).exists():
            found = Folder(self.path / f"gen-{generation}").written() + found
            generation += 1
        return found + [self.path / name for name in files_of(self.manifest())]

    def make_way(self, names: Iterable[str], keep: Path) -> None:
        """Delete what a sweep here has written, and nothing else, so that another can begin.

        A manifest goes last of its files: at any moment what is left can be resumed, or begun anew.

        Parameters
        ----------
        names : iterable of str
            What the other one will write.
        keep : Path
            Its input.

        Raises
        ------
        InputError
            When its input would be deleted, or a file is in its way that no sweep wrote; nothing is deleted then.
        """
        ours = self.written()
        if keep.resolve() in {path.resolve() for path in ours}:
            raise InputError(
                f"{show(str(keep), 200)} is of the sweep that --force begins anew; give another folder", "--out"
            )
        for name in names:
            path = self.path / name
            if os.path.lexists(path) and path not in ours:
                raise InputError(f"{show(str(path), 200)} is there, and no sweep wrote it; move it away", "--out")
        for path in ours:
            for file in {path, _begun(path)} - {keep}:
                file.unlink(missing_ok=True)
        for folder in sorted({path.parent for path in ours} - {self.path}, reverse=True):
            if not any(folder.iterdir()):
                folder.rmdir()
        for generation in self.path.glob("gen-*"):
            if _is_nothing(generation):
                generation.rmdir()

    def copy(self, kind: str, pieces: Iterable[bytes]) -> Path:
        """Copy an input into a file that has no name yet; :meth:`named` gives it one."""
        path = self.path / COPIES[kind]
        try:
            with whole(path, named=False) as file:
                file.writelines(pieces)
        except OSError as error:
            raise InputError(f"{show(str(path), 200)} cannot be written: {because(error)}") from None
        return _begun(path)

    def named(self, kind: str) -> None:
        """Give a copy of an input its name."""
        os.replace(_begun(self.path / COPIES[kind]), self.path / COPIES[kind])

    def manifest(self) -> dict[str, Any]:
        """Read the manifest.

        Raises
        ------
        InputError
            When there is none, it is of another form, or was changed.
        """
        try:
            content = (self.path / MANIFEST).read_bytes()
        except (OSError, ValueError):
            raise InputError(f"{self.name} is no folder of a sweep: it has no {MANIFEST} that can be read") from None
        return read_manifest(content, show(str(self.path / MANIFEST), 200))

    def write(self, name: str, pieces: Iterable[bytes]) -> None:
        """Write a file whole or not at all.

        Raises
        ------
        InputError
            When it cannot be written, as on a full disk; what was there before is still there.
        """
        path = self.path / name
        try:
            with whole(path) as file:
                file.writelines(pieces)
        except OSError as error:
            raise InputError(
                f"{show(str(path), 200)} cannot be written: {because(error)}; what is finished is kept; tcsim sweep "
                "resume goes on from there"
            ) from None

    def save(self, number: int, name: str, part: Any) -> None:
        """Write a part (of :mod:`tcsim.sweep.parts`), its record first: a part that has its name has a record."""
        mark = Mark(part.rows, part.failed, len(part.content), hashlib.sha256(part.content).hexdigest())
        self.write(record_name(number), [msgspec.json.encode(mark) + b"\n", part.errors])
        self.write(name, [part.content])

    def mark(self, number: int, name: str) -> Mark | None:
        """Tell what a part has to be; None where it is not there yet.

        Raises
        ------
        InputError
            When it is not as it was written, by its size.
        """
        path = self.path / name
        try:
            size = path.stat().st_size
        except FileNotFoundError:
            return None
        try:
            mark = msgspec.json.decode(self._record(number)[0], type=Mark)
        except (OSError, ValueError, msgspec.MsgspecError):
            mark = None
        if mark is None or mark.size != size:
            raise self._changed(path)
        return mark

    def marks(self, names: Sequence[str]) -> dict[str, Mark]:
        """Tell which parts are there, in order, and what each has to be.

        Raises
        ------
        InputError
            When one is not as it was written, by its size.
        """
        found = ((name, self.mark(number, name)) for number, name in enumerate(names))
        return {name: mark for name, mark in found if mark is not None}

    def content(self, number: int, name: str) -> bytes:
        """Read a finished part.

        Raises
        ------
        InputError
            When it is not there, or not as it was written.
        """
        mark = self.mark(number, name)
        if mark is None:
            raise InputError(f"{show(str(self.path / name), 200)} is not there yet; tcsim sweep resume makes it")
        content = (self.path / name).read_bytes()
        if hashlib.sha256(content).hexdigest() != mark.sha256:
            raise self._changed(self.path / name)
        return content

    def _changed(self, path: Path) -> InputError:
        return InputError(
            f"{show(str(path), 200)} is not as it was written; move it away, and tcsim sweep resume makes it again"
        )

    def errors(self, names: Sequence[str]) -> Iterator[bytes]:
        """Tell what is wrong with scenarios, a line each, of the parts that are there."""
        for number, name in enumerate(names):
            if self.has(name):
                yield from self._record(number)[1].splitlines()

    def gather_errors(self, marks: list[Mark]) -> int:
        """Put what is wrong with scenarios of all parts into one file, in order; give how many there are."""
        if not self.is_gathered(marks):
            numbers = [number for number, mark in enumerate(marks) if mark.failed]
            self.write(ERRORS, (self._record(number)[1] for number in numbers))
        return sum(mark.failed for mark in marks)

    def is_gathered(self, marks: list[Mark]) -> bool:
        """Whether what is wrong with scenarios is in one file already."""
        size = sum(len(self._record(number)[1]) for number, mark in enumerate(marks) if mark.failed)
        path = self.path / ERRORS
        return path.exists() and path.stat().st_size == size if size else True

    def _record(self, number: int) -> tuple[bytes, bytes]:
        """The mark of a part, and what is wrong with scenarios that are not in it."""
        with (self.path / record_name(number)).open("rb") as file:
            return file.readline(), file.read()

    def has(self, name: str) -> bool:
        """Whether a file is there, and so whole."""
        return (self.path / name).exists()

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep every other writer out, of all generations; the lock ends with this process, however that ends.

        Raises
        ------
        InputError
            When another writer is at work.
        """
        try:
            file = (self.root / LOCK).open("ab")
        except OSError as error:
            raise InputError(f"{self.name} cannot be written: {because(error)}", "--out") from None
        with file:
            if not _lock(file.fileno()):
                raise InputError(f"another tcsim sweep is writing to {self.name}; wait for it, or stop it")
            yield


@contextmanager
def whole(path: Path, named: bool = True) -> Iterator[BinaryIO]:
    """Write a file whole or not at all: under another name, flushed to the disk, then renamed.

    Parameters
    ----------
    path : Path
        The file.
    named : bool, optional
        Whether it is renamed; else that is left for later.

    Yields
    ------
    binary file
        To be written to.
    """
    begun = _begun(path)
    try:
        with begun.open("wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if named:
            os.replace(begun, path)
            _flush(path.parent)
    except (Exception, KeyboardInterrupt):
        begun.unlink(missing_ok=True)
        raise


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


def record_name(number: int) -> str:
    """Give the name of the record of a part: its mark, and what is wrong with scenarios that are not in it.

    Parameters
    ----------
    number : int
        From 0.

    Returns
    -------
    str
        As ``done/part-00000.jsonl``.
    """
    return f"{RECORDS}/part-{number:05}.jsonl"


def files_of(manifest: dict[str, Any]) -> list[str]:
    """Name the files of a sweep, its manifest last.

    Parameters
    ----------
    manifest : dict
        What it is.

    Returns
    -------
    list of str
        Within its folder.
    """
    parts = manifest["parts"]
    copied = [COPIES[manifest["input"]["kind"]]] if manifest["input"]["copied"] and "generation" not in manifest else []
    return [*parts, *(record_name(number) for number in range(len(parts))), ERRORS, *copied, MANIFEST]


def _begun(path: Path) -> Path:
    return path.with_name(f".{path.name}.begun")


def _is_nothing(path: Path) -> bool:
    """Whether it holds nothing of anybody: the lock, what was begun and not finished, empty folders of a sweep."""
    if path.is_dir() and not path.is_symlink():
        is_own = re.fullmatch(rf"gen-\d+|{PARTS}|{RECORDS}", path.name)
        return is_own is not None and all(_is_nothing(one) for one in path.iterdir())
    begun = rf"\.({MANIFEST}|{ERRORS}|{'|'.join(COPIES.values())}|part-\d+\.(jsonl|csv|parquet))\.begun"
    return path.name == LOCK or re.fullmatch(begun, path.name) is not None


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
    except BlockingIOError:
        return False
    except OSError as error:
        raise InputError(f"the folder cannot be locked: {because(error)}; give one on another disk", "--out") from None
    return True
