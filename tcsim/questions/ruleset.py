"""The questions of one game: a table of contents, whose modules are imported when a question is asked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module

from tcsim.base.errors import InputError, unknown
from tcsim.questions.question import Question


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the table of contents.

    Parameters
    ----------
    name : str
        The question's name.
    module : str
        Where it is, in a tuple ``QUESTIONS``.
    title : str
        What it asks, in a line.
    short : bool, optional
        Whether it is a command of its own, too.
    """

    name: str
    module: str
    title: str
    short: bool = False


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The questions of one game.

    Parameters
    ----------
    system : str
        The game.
    command : str
        How its questions are asked on the command line, as ``tcsim ask``.
    editions : tuple of str
        Its editions, the default first.
    entries : tuple of Entry
        Its questions, in the order in which they are told.
    edition_needed : bool, optional
        Whether the edition has to be given: there is no default.
    heads : mapping of str to str, optional
        Where they are told in parts: the first question of each part to the part's head.
    """

    system: str
    command: str
    editions: tuple[str, ...]
    entries: tuple[Entry, ...]
    edition_needed: bool = False
    heads: Mapping[str, str] = field(default_factory=dict)

    @property
    def names(self) -> list[str]:
        """The names of its questions."""
        return [entry.name for entry in self.entries]

    def entry(self, name: str) -> Entry:
        """Find a line of the table of contents.

        Parameters
        ----------
        name : str
            A question's name; capitals, and hyphens for underscores, do not matter.

        Returns
        -------
        Entry
            Its line.

        Raises
        ------
        InputError
            When there is no such question.
        """
        wanted = str(name).strip().casefold().replace("-", "_")
        for entry in self.entries:
            if entry.name == wanted:
                return entry
        raise unknown("question", str(name), self.names)

    def question(self, name: str) -> Question:
        """Import a question.

        Parameters
        ----------
        name : str
            Its name.

        Returns
        -------
        Question
            The question.

        Raises
        ------
        InputError
            When there is none of that name.
        """
        entry = self.entry(name)
        found: dict[str, Question] = {one.name: one for one in import_module(entry.module).QUESTIONS}
        return found[entry.name]

    def editions_of(self, question: Question) -> tuple[str, ...]:
        """Give the editions in which a question can be asked; its examples are of the first.

        Parameters
        ----------
        question : Question
            The question.

        Returns
        -------
        tuple of str
            The editions.
        """
        return tuple(one for one in self.editions if not question.editions or one in question.editions)

    def line(self, question: Question, example: str) -> str:
        """Write an example of a question as a command.

        Parameters
        ----------
        question : Question
            The question.
        example : str
            Its inputs, ``key=value key=value``.

        Returns
        -------
        str
            As ``tcsim ask charge move=6``, with the edition where one has to be given.
        """
        edition = f"--edition {self.editions_of(question)[0]}" if self.edition_needed else ""
        return " ".join(filter(None, (self.command, question.name, example, edition)))

    def edition(self, question: Question, id: str | None) -> str:
        """Settle the edition of a question.

        Parameters
        ----------
        question : Question
            What is asked.
        id : str or None
            The edition; None for the ruleset's default, or the question's own first one, where the ruleset has one.

        Returns
        -------
        str
            The edition.

        Raises
        ------
        InputError
            When there is no such edition, it does not have the question, or none is given and one is needed.
        """
        allowed = self.editions_of(question)
        if id is None and self.edition_needed:
            raise InputError(f"an edition is needed: {question.name} is a question of {_listed(allowed)}", "edition")
        if id is None:
            return allowed[0]
        if id not in self.editions:
            raise unknown("edition", str(id), self.editions, "edition")
        if id not in allowed:
            raise InputError(f"{question.name} is no question of edition {id}, it is one of {_listed(allowed)}")
        return id


def _listed(editions: tuple[str, ...]) -> str:
    *others, last = editions
    return f"{', '.join(others)} and {last}" if others else last
