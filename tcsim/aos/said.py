"""Kinds of input of Age of Sigmar: modifiers with their signs, and names of spells and units."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tcsim.base.errors import InputError, show
from tcsim.base.lang import tr
from tcsim.questions.kinds import wrong
from tcsim.questions.question import Asked

#: Largest modifier of a roll that is taken, and longest name.
MOST, LONGEST = 10, 40


@dataclass(frozen=True, slots=True)
class Signed:
    """Modifiers with their signs: ``+1``, ``-1``, or several, ``0+2``.

    Parameters
    ----------
    most : int
        How many there may be; at least one.

    Examples
    --------
    >>> Signed(3).read("+1"), Signed(3).read("0+2-1"), Signed(3).read(-1)
    ((1,), (0, 2, -1), (-1,))
    >>> Signed(3).write((0, 2, -1))
    '0+2-1'
    """

    most: int
    metavar = "±N"
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        if self.most == 1:
            return tr("a modifier from -{top} to +{top} (as +1)", top=MOST)
        return tr("1 to {most} modifiers from -{top} to +{top} (as +1, or 0+2 for two)", most=self.most, top=MOST)

    def read(self, value: Any) -> tuple[int, ...]:
        """Read one modifier or several."""
        found: list[Any] = list(value) if isinstance(value, (list, tuple)) else [value]
        if isinstance(value, str):
            text = "".join(value.split())
            whole = re.fullmatch(r"[+-]?\d{1,2}([+-]\d{1,2})*", text, re.ASCII)
            found = [int(one) for one in re.findall(r"[+-]?\d+", text)] if whole else []
        if not 1 <= len(found) <= self.most or not all(type(one) is int and abs(one) <= MOST for one in found):
            raise wrong(value, self)
        return tuple(found)

    def write(self, value: tuple[int, ...]) -> str:
        """Write them with their signs."""
        return str(value[0]) + "".join(f"{one:+d}" for one in value[1:])


def read_name(value: Any) -> str | None:
    """Read a name: letters, digits and underscores, single spaces, hyphens or apostrophes between them.

    Parameters
    ----------
    value : Any
        A text.

    Returns
    -------
    str or None
        The name, spaces as underscores; None where it is none.

    Examples
    --------
    >>> read_name(" Arcane Bolt "), read_name("<b>")
    ('Arcane_Bolt', None)
    """
    text = "_".join(value.split()) if isinstance(value, str) and len(value) <= 2 * LONGEST else ""
    return text if len(text) <= LONGEST and re.fullmatch(r"\w+(['’-]\w+)*", text) else None


@dataclass(frozen=True, slots=True)
class Listed:
    """Things with plus signs between them.

    Parameters
    ----------
    metavar : str
        One word for help pages.
    told : callable
        What may be given, in words, in the language of the moment.
    one : callable
        Reads one of them; None where it is none.
    written : callable
        Writes one of them as it is given.
    most : int, optional
        How many there may be; at least one.
    """

    metavar: str
    told: Callable[[], str]
    one: Callable[[Any], Any]
    written: Callable[[Any], str] = str
    most: int = 12
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return self.told()

    def read(self, value: Any) -> tuple[Any, ...]:
        """Read one or several."""
        parts = value.split("+") if isinstance(value, str) else value
        found = [self.one(part) for part in parts] if isinstance(parts, (list, tuple)) else []
        if not 1 <= len(found) <= self.most or None in found:
            raise wrong(value, self)
        return tuple(found)

    def write(self, value: tuple[Any, ...]) -> str:
        """Write them with plus signs."""
        return "+".join(map(self.written, value))


def names(most: int) -> Listed:
    """Make the kind of names, of spells or units: ``Arcane Bolt+Mystic Shield``.

    Parameters
    ----------
    most : int
        How many there may be; at least one.

    Returns
    -------
    Listed
        The kind.

    Examples
    --------
    >>> names(3).read("Arcane Bolt+Mystic Shield")
    ('Arcane_Bolt', 'Mystic_Shield')
    """

    def told() -> str:
        return tr(
            "1 to {most} names with plus signs between them, each of at most {longest} letters and digits",
            most=most,
            longest=LONGEST,
        )

    return Listed("NAME+NAME…", told, read_name, most=most)


def refuse_twice(asked: Asked, key: str, rule: str) -> None:
    """Refuse what is named twice.

    Parameters
    ----------
    asked : Asked
        What is asked.
    key : str
        The input with the names; None is left alone.
    rule : str
        The rule that forbids it, and where it stands.

    Raises
    ------
    InputError
        For a name that stands there twice, however it is written.
    """
    met: set[str] = set()
    for one in asked[key] or ():
        if one.casefold() in met:
            raise InputError(f"{show(one)} is given twice; {rule}", key)
        met.add(one.casefold())


def refuse_beyond(asked: Asked, most: int, rule: str) -> None:
    """Refuse a distance that is out of range.

    Parameters
    ----------
    asked : Asked
        What is asked; its ``distance`` is in inches, or None.
    most : int
        Inches that are allowed.
    rule : str
        The rule that forbids more, and where it stands.

    Raises
    ------
    InputError
        For more inches.
    """
    if asked["distance"] is not None and asked["distance"] > most:
        raise InputError(f'{inches(asked["distance"])}" is given; {rule}', "distance")


def inches(value: Fraction) -> str:
    """Write a number of inches.

    Parameters
    ----------
    value : Fraction
        Inches.

    Returns
    -------
    str
        As a decimal, of at most six digits.

    Examples
    --------
    >>> inches(Fraction(61, 2))
    '30.5'
    """
    return f"{float(value):.6g}"


def one_each(values: Iterable[Any], count: int, key: str, things: str) -> tuple[Any, ...]:
    """Give a value for each thing, where one value stands for all of them.

    Parameters
    ----------
    values : iterable
        One value, or as many as there are things.
    count : int
        How many things there are.
    key : str
        The input, for the error.
    things : str
        What they are.

    Returns
    -------
    tuple
        ``count`` values.

    Raises
    ------
    InputError
        For another number of values.

    Examples
    --------
    >>> one_each((1,), 3, "mod", "spells"), one_each((1, 0), 2, "mod", "spells")
    ((1, 1, 1), (1, 0))
    """
    found = tuple(values)
    if len(found) not in (1, count):
        raise InputError(f"{len(found)} values are given for {count} {things}; one for all of them or one each", key)
    return found * count if len(found) == 1 else found
