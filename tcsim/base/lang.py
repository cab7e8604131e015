"""The language that tcsim prints and plots in: English strings stand in the code, one table maps them.

:func:`tr` gives a string in the language of the moment; what the table lacks stays English. A string that is kept in a
table of the code and translated later is marked with :func:`mark`. ``tests/test_korean.py`` walks all strings that are
passed to either.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache
from typing import Any

from tcsim.base.errors import unknown

#: The languages there are; the first is the one of the code.
LANGUAGES = ("en", "ko")

#: Files of the folder ``korean`` with the strings of the code, and with the sentences that reach us finished.
FILES = (
    "terminal.toml",
    "rules.toml",
    "figures.toml",
    "report.toml",
    "questions.toml",
    "situations.toml",
    "duel.toml",
    "spending.toml",
    "skirmish.toml",
    "compare.toml",
    "pages.toml",
    "value.toml",
    "exchange.toml",
    "needed.toml",
    "whole.toml",
    "plots_public.toml",
    "sweep.toml",
    "aos.toml",
    "aos_magic.toml",
    "aos_moves.toml",
    "aos_fights.toml",
    "aos_control.toml",
    "aos_commands.toml",
    "aos_report.toml",
)
NOTES = "notes.toml"

_current: ContextVar[str] = ContextVar("language", default=LANGUAGES[0])


def current() -> str:
    """Give the language of the moment.

    Returns
    -------
    str
        One of :data:`LANGUAGES`.

    Examples
    --------
    >>> current()
    'en'
    """
    return _current.get()


@contextmanager
def speaking(lang: str | None, where: str = "lang") -> Iterator[None]:
    """Speak another language for a while.

    Parameters
    ----------
    lang : str or None
        One of :data:`LANGUAGES`; None stays with the present one.
    where : str, optional
        The place in the input, for the error.

    Yields
    ------
    None
        Inside, :func:`tr` gives that language.

    Raises
    ------
    InputError
        When there is no such language.

    Examples
    --------
    >>> with speaking("ko"):
    ...     tr("Down")
    '중상'
    """
    if lang is not None and lang not in LANGUAGES:
        raise unknown("language", lang, LANGUAGES, where)
    token = _current.set(lang or current())
    try:
        yield
    finally:
        _current.reset(token)


@cache
def strings() -> dict[str, str]:
    """Read the table: English string to Korean string.

    Returns
    -------
    dict
        Names in braces stand for values in both.
    """
    return table_of(*FILES, NOTES)


def table_of(*names: str) -> dict[str, str]:
    """Read some files of the table.

    Parameters
    ----------
    *names : str
        Of :data:`FILES`, or :data:`NOTES`.

    Returns
    -------
    dict
        English string to Korean string.
    """
    return {text: told for name in names for text, told in _read(name).items()}


@cache
def _read(name: str) -> dict[str, str]:
    import tomllib
    from importlib.resources import files

    read: dict[str, str] = tomllib.loads((files("tcsim.base") / "korean" / name).read_text(encoding="utf-8"))
    return read


def mark(text: str) -> str:
    """Mark a string that is translated where it is printed.

    Parameters
    ----------
    text : str
        English.

    Returns
    -------
    str
        The same.

    Examples
    --------
    >>> mark("Down")
    'Down'
    """
    return text


def tr(text: str, /, **values: Any) -> str:
    """Give a string in the language of the moment.

    Parameters
    ----------
    text : str
        English, or a game term.
    **values
        What stands for the names in braces.

    Returns
    -------
    str
        Translated and filled in.

    Examples
    --------
    >>> tr("about {few} in {many}", few=1, many=3)
    'about 1 in 3'
    """
    if current() != "en":
        text = strings().get(text) or label(text)
    return text.format(**values) if values else text


def label(term: str) -> str:
    """Give what a game term is called in the language of the moment.

    Parameters
    ----------
    term : str
        As ``CRITICAL``, ``ARMOUR PIERCING 2`` or ``Machine Armour``.

    Returns
    -------
    str
        Its label; the term itself where it has none.

    Examples
    --------
    >>> with speaking("ko"):
    ...     label("CRITICAL"), label("BLAST 3"), label("Shotgun")
    ('치명적인 무기', '광역무기 3', 'Shotgun')
    """
    if current() == "en":
        return term
    from tcsim.base.labels import NAMES, table

    name, _, number = term.rpartition(" ")
    for group in NAMES:
        terms = table()[group]
        if term in terms:
            return terms[term][0]
        if name in terms and number.strip("()").isdigit():
            return f"{terms[name][0]} {number}"
    return term


@cache
def _patterns() -> list[tuple[re.Pattern[str], str]]:
    """Sentences with values as patterns, those with most text of their own first."""
    found = []
    for text in _read(NOTES):
        parts = re.split(r"\{(\w+)\}", text)
        if len(parts) > 1 and any(part.strip(" .,;:") for part in parts[::2]):
            pieces = [_value(part) if i % 2 else re.escape(part) for i, part in enumerate(parts)]
            found.append((sum(map(len, parts[::2])), re.compile("".join(pieces)), text))
    return [(pattern, text) for _, pattern, text in sorted(found, key=lambda one: -one[0])]


def _value(name: str) -> str:
    """What may stand for a name in braces: anything, or a number for ``n`` and ``m``."""
    return rf"(?P<{name}>\d+)" if name in "nm" else f"(?P<{name}>.+?)"


def retold(sentence: str) -> str:
    """Give a sentence that was made elsewhere, its values already filled in, in the language of the moment.

    Parameters
    ----------
    sentence : str
        English, as the notes of a result.

    Returns
    -------
    str
        Translated where the table has a string that fits; values that are terms are translated, too.

    Examples
    --------
    >>> with speaking("ko"):
    ...     retold("Machine Armour")
    '기갑'
    """
    if current() == "en":
        return sentence
    told = tr(sentence)
    if told != sentence:
        return told
    for pattern, text in _patterns():
        match = pattern.fullmatch(sentence)
        if match is not None:
            return tr(text, **{name: retold(value) for name, value in match.groupdict().items()})
    name, colon, rest = sentence.partition(": ")
    if colon:  # whose rule it is, and what it does
        return f"{name}: {retold(rest)}"
    return ", ".join(map(retold, sentence.split(", "))) if ", " in sentence else sentence


def listed(text: str) -> str:
    """Translate a list of terms with commas between them.

    Parameters
    ----------
    text : str
        As ``CRITICAL, FIRE``.

    Returns
    -------
    str
        As the table has them.
    """
    return ", ".join(tr(part) for part in text.split(", "))
