"""What a reader of an answer should know: what is not counted yet, what changes no dice."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from tcsim.rules import Keyword, word

if TYPE_CHECKING:
    from tcsim.catalog import Catalog, Row


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


def note_row(notes: list[str], row: Row, rows: Catalog | None, but: Iterable[str] = ()) -> None:
    """Say what a catalogue row has that is not counted yet, and that it is not official or not of the books.

    Parameters
    ----------
    notes : list of str
        Sentences so far; grows.
    row : Row
        A row of the catalogue that is used.
    rows : Catalog or None
        Where it was looked up, if not in the edition's own catalogue.
    but : iterable of str, optional
        Names of its abilities that are not used.
    """
    place = rows.origin(row.kind_of_row, row.id) if rows is not None else None
    if place is not None:
        note(notes, f"{row.name} is from {place.file}.")
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


def note_own(
    notes: list[str], rows: Catalog, words: Iterable[str], options: Mapping[str, str | bool], given: Iterable[str]
) -> None:
    """Say which keywords and readings that are used come from users' own catalogues, and which files count for nothing.

    Parameters
    ----------
    notes : list of str
        Sentences so far; grows.
    rows : Catalog
        With what is from users' own catalogues.
    words : iterable of str
        Names of the keywords that are used.
    options : mapping
        Every option with its reading.
    given : iterable of str
        Options that the scenario itself sets.
    """
    if rows.own is None:
        return
    for name in dict.fromkeys(words):
        place = rows.origin("keyword", name)
        if place is not None:
            note(notes, f"{name} is from {place.file}.")
    for name in sorted(options.keys() - set(given)):
        place = rows.origin("option", name)
        if place is not None:
            note(notes, f"{name} = {word(options[name])} is from {place.file}.")
    for file in rows.own.files:
        if rows.edition not in file.editions:
            note(notes, f"{file.name} is for {' and '.join(file.editions)}, it changes nothing in {rows.edition}.")
