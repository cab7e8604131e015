"""JSON lines in, JSON lines out: in order, a block at a time, and a bad line never stops the rest."""

from __future__ import annotations

import gc
import json
import os
import select
import stat
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, BinaryIO, TypeVar

from tcsim.base.errors import InputError, show
from tcsim.base.files import MAX_BYTES, because, parse_json
from tcsim.cli import EXIT_LINE_FAILED
from tcsim.cli.odds import answer_resolved
from tcsim.engines.answer import MAX_FRACTION_ROLLS, exact_results, too_many_for_fractions
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import Resolved, resolve

if TYPE_CHECKING:
    from tcsim.catalog import Catalog

#: Most lines, and bytes of lines, that are answered together. What is rolled is written line by line.
LINES, BYTES = 512, 1 << 23

#: Lines with their numbers, counted from 1; None for one that is too long.
Lines = list[tuple[int, bytes | None]]

T = TypeVar("T")

#: Bytes read at once.
_CHUNK = 1 << 18


def answer_lines(path: str, how: dict[str, Any], files: Sequence[str] = ()) -> int:
    """Answer every line of a file or of standard input.

    Parameters
    ----------
    path : str
        The file, or ``-``.
    how : dict
        As :func:`tcsim.cli.odds.answer_resolved` takes it.
    files : sequence of str, optional
        Users' own catalogues.

    Returns
    -------
    int
        Exit status: 0, or 1 when some line could not be answered.

    Raises
    ------
    InputError
        When the file cannot be read.
    """
    catalogs: Mapping[str, Catalog] = {}
    if files:
        from tcsim.catalog.custom import read_catalogs

        catalogs = read_catalogs(files)

    def answer(lines: Lines) -> list[dict[str, Any]]:
        return _answer_batch(lines, how, catalogs)

    return stream(path, answer, LINES if how["method"] == "exact" else 1)


def stream(path: str, answer: Callable[[Lines], list[dict[str, Any]]], most: int) -> int:
    """Answer the lines of a file or of standard input, a batch at a time.

    Parameters
    ----------
    path : str
        The file, or ``-``.
    answer : callable
        Gives an answer, or an ``error``, for each line.
    most : int
        Most lines that are answered together.

    Returns
    -------
    int
        Exit status: 0, or 1 when some line could not be answered.

    Raises
    ------
    InputError
        When the file cannot be read.
    """
    # answers are many small objects that die as soon as they are written: no need to look for circles so often
    gc.freeze()
    gc.set_threshold(50_000)
    if path == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed", "--jsonl")
        return _answer_stream(sys.stdin.buffer, answer, most)
    try:
        file = open(path, "rb")  # noqa: SIM115 - closed below; an error while reading must not look like a bad name
    except (OSError, ValueError) as error:
        raise InputError(f"{show(path, 200)} cannot be read: {because(error)}", "--jsonl") from None
    with file:
        return _answer_stream(file, answer, most)


def _answer_stream(file: BinaryIO, answer: Callable[[Lines], list[dict[str, Any]]], most: int) -> int:
    failed = False
    for lines in _batches(file, most):
        answers = answer(lines)
        failed |= any("error" in one for one in answers)
        sys.stdout.write("".join(json.dumps(one) + "\n" for one in answers))
        sys.stdout.flush()
        if any(one.get("partial") for one in answers):
            raise KeyboardInterrupt
    return EXIT_LINE_FAILED if failed else 0


def _answer_batch(lines: Lines, how: dict[str, Any], catalogs: Mapping[str, Catalog]) -> list[dict[str, Any]]:
    """Answer the good lines together, and put the bad ones' errors in their places."""
    answers: list[dict[str, Any]] = []
    good: list[tuple[int, Resolved]] = []
    for number, line in lines:
        question, error = _read_line(number, line, how, catalogs)
        if question is not None:
            good.append((len(answers), question))
        answers.append(error)
    if how["method"] == "exact":
        results = exact_results([question for _, question in good], how["fractions"])
    else:
        results = [answer_resolved(question, how) for _, question in good]
    for (place, _), result in zip(good, results, strict=True):
        answers[place] = result.to_dict()
    return answers


def _read_line(
    number: int, line: bytes | None, how: dict[str, Any], catalogs: Mapping[str, Catalog]
) -> tuple[Resolved | None, dict[str, Any]]:
    def read(data: Any) -> Resolved:
        scenario = from_mapping(data)
        question = resolve(scenario, catalogs.get(scenario.edition))
        if how["fractions"] and question.problem.rolls > MAX_FRACTION_ROLLS:
            raise too_many_for_fractions(question.problem.rolls)
        return question

    return read_line(number, line, read)


def read_line(number: int, line: bytes | None, read: Callable[[Any], T]) -> tuple[T | None, dict[str, Any]]:
    """Read a line, or say what is wrong with it.

    Parameters
    ----------
    number : int
        Which line it is.
    line : bytes or None
        The line; None where it is too long.
    read : callable
        Makes the question of plain data.

    Returns
    -------
    T or None, dict
        The question; or None, and the answer that says what is wrong.
    """
    id_ = None
    try:
        if line is None:
            raise InputError("the line is longer than 1 MiB")
        data = parse_json(line)
        if isinstance(data, dict) and isinstance(data.get("id"), str):
            id_ = data["id"]
        return read(data), {}
    except InputError as error:
        return None, {"id": id_, "line": number, "error": str(error)}


def _batches(stream: BinaryIO, most: int) -> Iterator[Lines]:
    """Cut a stream into batches of at most ``most`` (line number, line); None for a line over 1 MiB, which is not kept.

    A batch is given as soon as nothing more is waiting to be read, so that a program at the other end of a pipe can
    send a line and wait for its answer.
    """
    batch: list[tuple[int, bytes | None]] = []
    number, size, rest, too_long = 0, 0, b"", False
    while True:
        data = _read(stream)
        *lines, last = (rest + data).split(b"\n")
        if not data and (last or too_long):  # the last line has no end
            lines, last = [*lines, last], b""
        for line in lines:
            number += 1
            line = line.removesuffix(b"\r")
            if too_long or len(line) > MAX_BYTES:
                batch.append((number, None))
            elif line.removeprefix(b"\xef\xbb\xbf").strip():
                batch.append((number, line))
                size += len(line)
            too_long = False
        rest = last
        if len(rest) > MAX_BYTES + 1:
            rest, too_long = b"", True
        if batch and (len(batch) >= most or size > BYTES or not data or not _ready(stream)):
            for start in range(0, len(batch), most):
                yield batch[start : start + most]
            batch, size = [], 0
        if not data:
            return


def _read(stream: BinaryIO) -> bytes:
    try:
        return stream.read1(_CHUNK) if hasattr(stream, "read1") else stream.read(_CHUNK)
    except OSError as error:
        raise InputError(f"the lines cannot be read: {error.strerror or error}", "--jsonl") from None


def _ready(stream: BinaryIO) -> bool:
    """Whether more can be read without waiting."""
    try:
        if stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
            return True
        return bool(select.select([stream], [], [], 0)[0])
    except (OSError, ValueError):  # not a file, or a system that cannot say
        return False
