"""What a reader of an answer should know: what is not counted yet, what changes no dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from tcsim.rules import Keyword

if TYPE_CHECKING:
    from tcsim.catalog import Row


def note(notes: list[str], sentence: str) -> None:
    """Add a sentence once.

    Parameters
    ----------
    notes : list of str
        Sentences so far; grows.
    sentence : str
        What to say.
    """
    if sentence not in notes:
        notes.append(sentence)


def note_row(notes: list[str], row: Row, but: Iterable[str] = ()) -> None:
    """Say what a catalogue row has that is not counted yet, and that it is not official.

    Parameters
    ----------
    notes : list of str
        Sentences so far; grows.
    row : Row
        A row of the catalogue that is used.
    but : iterable of str, optional
        Names of its abilities that are not used.
    """
    unused = tuple(f"{name}: " for name in but)
    for text in row.unmodelled:
        if not text.startswith(unused):
            note(notes, f"Not counted yet: {row.name}: {text}.")
    if row.third_party:
        note(notes, f"{row.name} is not in the official books.")


def note_keywords(notes: list[str], given: Iterable[Keyword], matters: Callable[[Keyword], object]) -> None:
    """Say which of the keywords a user wrote are not counted yet, and which change no dice.

    Parameters
    ----------
    notes : list of str
        Sentences so far; grows.
    given : iterable of Keyword
        Those the user wrote; those of catalogue rows are in the rows' own sentences.
    matters : callable
        Whether a keyword can change dice where it stands.
    """
    idle = []
    for keyword in given:
        if keyword.unmodelled:
            note(notes, f"Not counted yet: {keyword.name}, {keyword.unmodelled}.")
        elif not matters(keyword):
            idle.append(keyword.name)
    if idle:
        note(notes, f"Changes no dice here: {', '.join(idle)}.")
