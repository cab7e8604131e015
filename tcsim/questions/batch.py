"""Many questions from a table: a row each, in order, and a bad row never stops the rest.

The columns are ``id``, ``edition``, ``system`` (the question's name) and ``inputs`` (``key=value;key=value``); others
are let pass. An edition of ``both`` asks the question in every edition that has it.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TextIO

from tcsim.base.errors import InputError, one_line, show
from tcsim.questions.asking import How, Reply, ask
from tcsim.questions.question import read_pairs
from tcsim.questions.ruleset import Ruleset

#: Columns that are read, and those that a table has to have.
READ, NEEDED = ("id", "edition", "system", "inputs"), ("system", "inputs")

#: What those hold.
_MEANING = "system is the name of a question, inputs are key=value;key=value"

#: Columns that are written, a row per answer.
COLUMNS = (
    "id", "edition", "system", "inputs", "answer", "label", "value", "fraction", "count", "looks", "low", "high",
    "error",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Row:
    """What came of a row.

    Parameters
    ----------
    id, system, inputs : str
        As they were given.
    line : int
        Where it stands.
    edition : str
        In which edition it was asked; as it was given where that is wrong.
    reply : Reply or None
        The answers.
    error : str
        What is wrong, where there are no answers.
    """

    id: str
    system: str
    inputs: str
    line: int
    edition: str
    reply: Reply | None = None
    error: str = ""

    def to_dict(self) -> dict[str, Any]:
        """Give it as ``--json`` prints it.

        Returns
        -------
        dict
            ``id`` and the reply, or ``id``, ``line`` and ``error``.
        """
        if self.reply is None:
            return {"id": self.id or None, "line": self.line, "error": self.error}
        return {"id": self.id or None, **self.reply.to_dict()}

    def cells(self) -> Iterator[dict[str, Any]]:
        """Give it as rows of :data:`COLUMNS`.

        Yields
        ------
        dict
            One per answer, or one that says what is wrong.
        """
        start = {"id": self.id, "edition": self.edition, "system": self.system, "inputs": self.inputs}
        if self.reply is None:
            yield start | {"error": self.error}
            return
        for name, found in self.reply.answers.items():
            yield start | {"answer": name} | {key: found[key] for key in COLUMNS if key in found}


def ask_rows(ruleset: Ruleset, stream: TextIO, how: How, edition: str | None = None) -> Iterator[Row]:
    """Ask the question of every row of a table.

    Parameters
    ----------
    ruleset : Ruleset
        The game.
    stream : text stream
        The table, with a head; open with ``newline=""`` and ``errors="surrogateescape"``, so that a row that is no text
        is one bad row.
    how : How
        Exactly, or by rolling dice.
    edition : str, optional
        For rows that name none.

    Yields
    ------
    Row
        In order; several for a row in several editions.

    Raises
    ------
    InputError
        When the table has no head, lacks a column, has it twice, or is no text.
    """
    reader = csv.DictReader(stream, strict=True)
    try:
        head = reader.fieldnames or ()
    except csv.Error as error:
        raise InputError(f"line 1 is no CSV: {error}") from None
    if not all(map(_is_text, head)):
        raise InputError("line 1 is no UTF-8 text, so this is no table")
    missing = [name for name in NEEDED if name not in head]
    if missing:
        found = ", ".join(show(name) for name in head) or "nothing"
        raise InputError(f"a column {missing[0]} is needed, the head has {found}; {_MEANING}")
    twice = [name for name in READ if head.count(name) > 1]
    if twice:
        raise InputError(f"the head has the column {twice[0]} twice")
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:  # the rest of its line is lost, what comes after it is read
            line = reader.reader.line_num
            yield Row("", "", "", line, "", None, f"line {line} is no CSV: {error}")
        else:
            yield from _ask_row(ruleset, cells, reader.line_num, how, edition)


def _is_text(cell: Any) -> bool:
    """Whether a cell was UTF-8: what is not is read as half characters."""
    return not isinstance(cell, str) or cell.isascii() or not any("\ud800" <= sign <= "\udfff" for sign in cell)


def _ask_row(ruleset: Ruleset, cells: dict[Any, Any], line: int, how: How, usual: str | None) -> Iterator[Row]:
    id_, given, system, inputs = ((cells.get(name) or "").strip() for name in READ)
    try:
        if not all(map(_is_text, cells.values())):
            id_, given, system, inputs = (one_line(cell, len(cell)) for cell in (id_, given, system, inputs))
            raise InputError("the row is no UTF-8 text")
        if None in cells:
            raise InputError("the row has more cells than the head")
        question = ruleset.question(system)
        editions: tuple[str | None, ...] = (given or usual,)
        if given == "both":
            editions = question.editions or ruleset.editions
        pairs = read_pairs([text for text in inputs.split(";") if text.strip()], question)
        for edition in editions:
            reply = ask(ruleset, system, pairs, edition, how)
            yield Row(id_, system, inputs, line, reply.asked.edition, reply)
    except InputError as error:
        yield Row(id_, system, inputs, line, given, None, str(error))
