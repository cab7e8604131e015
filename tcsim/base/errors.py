"""Errors a user can mend: one sentence that says what was given, what is allowed, and the nearest right name."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any


class InputError(ValueError):
    """The input is wrong. The message is one sentence that stands on its own.

    Parameters
    ----------
    message : str
        What was given, what is allowed.
    where : str, optional
        The place in the input, as ``attacks[1].cover``; it is put before the message.

    Examples
    --------
    >>> str(InputError("7 is given, 0 to 6 is allowed", "target.blood"))
    'target.blood: 7 is given, 0 to 6 is allowed'
    """

    def __init__(self, message: str, where: str = "") -> None:
        super().__init__(f"{where}: {message}" if where else message)
        self.where = where


def show(value: Any, limit: int = 60) -> str:
    """Write a given value so that it fits in a sentence, on one line, in any encoding.

    Parameters
    ----------
    value : Any
        Anything a user can have given: text, a huge integer, a nested table.
    limit : int, optional
        Longest result, in characters.

    Returns
    -------
    str
        ``"text"`` in quotes, a number or word as TOML and JSON write it, tables and arrays by kind, anything else
        by its type.

    Examples
    --------
    >>> show("Bolt"), show(True), show(None), show({"a": 1}), show(("a", 1))
    ('"Bolt"', 'true', 'nothing', 'a table', 'a tuple')
    """
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return "an array"
    if isinstance(value, int) and value.bit_length() > 200:
        return f"a whole number of over {int(value.bit_length() * 0.301)} digits"
    if isinstance(value, Fraction) and max(value.numerator.bit_length(), value.denominator.bit_length()) > 4000:
        return "a fraction of over 1,000 digits"  # Python writes none of more than 4,300
    if isinstance(value, (int, float, Fraction)):
        return str(value)[:limit]
    if isinstance(value, str):
        return f'"{one_line(value, limit)}"'
    kind = type(value)
    return f"a {kind.__module__}.{kind.__name__}".replace("builtins.", "")


def one_line(text: str, limit: int) -> str:
    r"""Write text on one line and not too long, with ``?`` for what cannot be printed.

    Parameters
    ----------
    text : str
        Anything, control characters and half characters (lone surrogates) included.
    limit : int
        Longest result, in characters.

    Returns
    -------
    str
        The text; ``…`` stands for what was cut off.

    Examples
    --------
    >>> one_line("red\x1b[31m", 20), one_line("Bolt-Action Rifle", 4)
    ('red?[31m', 'Bolt…')
    """
    line = "".join(c if c.isprintable() else "?" for c in text[:limit])
    return line + "…" if len(text) > limit else line


def nearest(given: str, allowed: Iterable[str]) -> str | None:
    """Find the allowed name that a user most probably meant.

    Parameters
    ----------
    given : str
        The name that is not allowed.
    allowed : iterable of str
        The right names.

    Returns
    -------
    str or None
        The nearest right name, or None when nothing is near.

    Examples
    --------
    >>> nearest("covr", ["cover", "long_range"])
    'cover'
    >>> nearest("Swrd", ["Sword / Axe", "Sniper Rifle"])
    'Sword / Axe'
    """
    import difflib

    names = {name.casefold(): name for name in allowed}
    folded = given[:80].casefold()
    found = difflib.get_close_matches(folded, names, n=1, cutoff=0.6)
    if not found and len(folded) >= 3:  # "rifle" for "Bolt-Action Rifle"
        found = sorted((name for name in names if folded in name), key=len)[:1]
    if not found and len(folded) >= 4:  # "swrd" for "Sword / Axe"
        words: dict[str, str] = {}
        for name in sorted(names, key=len):
            for word in name.split():
                words.setdefault(word, name)
        found = [words[word] for word in difflib.get_close_matches(folded, words, n=1, cutoff=0.8)]
    return names[found[0]] if found else None


def did_you_mean(given: str, allowed: Iterable[str]) -> str:
    """Write the end of a sentence that names the nearest right name.

    Parameters
    ----------
    given : str
        The name that is not allowed.
    allowed : iterable of str
        The right names.

    Returns
    -------
    str
        To be put behind the sentence; empty when nothing is near.

    Examples
    --------
    >>> did_you_mean("covr", ["cover", "long_range"])
    '; did you mean "cover"?'
    """
    hint = nearest(given, allowed)
    return f'; did you mean "{hint}"?' if hint else ""


def unknown(what: str, given: str, allowed: Iterable[str], where: str = "") -> InputError:
    """Build the error for a name that does not exist.

    Parameters
    ----------
    what : str
        What kind of name it is, as ``weapon``.
    given : str
        The name as given.
    allowed : iterable of str
        The right names; they are listed when there are at most 12, or when none is near (see :func:`some`).
    where : str, optional
        The place in the input.

    Returns
    -------
    InputError
        Ready to be raised.

    Examples
    --------
    >>> print(unknown("edition", "1.6", ["1.6.3", "1.0.2"]))
    there is no edition "1.6"; did you mean "1.6.3"? (1.6.3, 1.0.2)
    """
    names = list(allowed)
    hint = did_you_mean(given, names)
    message = f"there is no {what} {show(given)}"
    if not hint:
        return InputError(f"{message}; there is {some(names)}", where)
    return InputError(message + hint + (f" ({some(names)})" if len(names) <= 12 else ""), where)


def some(names: Iterable[str], limit: int = 320) -> str:
    """List names, as many as a sentence can hold.

    Parameters
    ----------
    names : iterable of str
        Any number.
    limit : int, optional
        Most characters of those that are listed.

    Returns
    -------
    str
        All of them, or the first and how many there are.

    Examples
    --------
    >>> some(["FIRE", "GAS", "SHRAPNEL"]), some(["FIRE", "GAS", "SHRAPNEL"], 9)
    ('FIRE, GAS, SHRAPNEL', 'FIRE, GAS, … (3 in all)')
    """
    every = list(names)
    shown, length = 0, 0
    while shown < len(every) and length + len(every[shown]) <= limit:
        length += len(every[shown]) + 2
        shown += 1
    if shown == len(every):
        return ", ".join(every)
    return ", ".join([*every[:shown], f"… ({len(every)} in all)"])


class ManyInputError(InputError):
    """Several mistakes in one input.

    Parameters
    ----------
    sentences : iterable of str
        One for each, which stands on its own; at least one.
    """

    def __init__(self, sentences: Iterable[str]) -> None:
        self.sentences = tuple(sentences)
        super().__init__("\n".join(self.sentences))
