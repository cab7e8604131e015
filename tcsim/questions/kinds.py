"""Kinds of input: what a value may be, read from text as from Python, and how it is written again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import isfinite
from typing import Any, Protocol

from tcsim.base.errors import InputError, did_you_mean, show
from tcsim.base.lang import speaking, tr
from tcsim.base.numbers import fraction, whole_number
from tcsim.dice import MAX_KEEP, MAX_SIDES, Pool

#: Most dice in one expression.
MAX_DICE = 20

#: Longest denominator of a number, in bits; that of every float is shorter.
MAX_BITS = 1100

#: What ``none`` is read into: no dice are given, which is not the same as nothing given.
NO_DICE = "none"


class Kind(Protocol):
    """What an input may be.

    Attributes
    ----------
    allowed : str
        In words, as ``a whole number from 0 to 6``.
    metavar : str
        One word for help pages.
    words : tuple of str
        Every value there is, where these are few words; for shells that complete a command.
    """

    @property
    def allowed(self) -> str:
        """What may be given, in words, in the language of the moment."""

    @property
    def metavar(self) -> str:
        """One word for help pages."""

    @property
    def words(self) -> tuple[str, ...]:
        """Every value there is, where these are few words."""

    def read(self, value: Any) -> Any:
        """Read a value, or raise an InputError."""

    def write(self, value: Any) -> Any:
        """Write a value that was read as JSON has it; reading that gives the value again."""


def wrong(value: Any, kind: Kind, hint: str = "") -> InputError:
    """Say what is given and what is allowed.

    Parameters
    ----------
    value : Any
        What is given.
    kind : Kind
        What it should be.
    hint : str, optional
        Added to it.

    Returns
    -------
    InputError
        To be raised.
    """
    with speaking("en"):  # as all errors
        return InputError(f"{show(value)} is given, {kind.allowed} is allowed{hint}")


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number.

    Parameters
    ----------
    low, high : int
        Smallest and largest allowed.

    Examples
    --------
    >>> Whole(0, 6).read("+3")
    3
    """

    low: int
    high: int
    metavar = "N"
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return tr("a whole number from {low} to {high}", low=f"{self.low:,}", high=f"{self.high:,}")

    def read(self, value: Any) -> int:
        """Read a whole number: ``3``, ``+1``, ``1e3``; no boolean, no ``3.0``."""
        number = whole_number(value) if isinstance(value, str) else value
        if type(number) is not int or not self.low <= number <= self.high:
            raise wrong(value, self)
        return number

    def write(self, value: int) -> int:
        """Write it as it is."""
        return value


@dataclass(frozen=True, slots=True)
class Number:
    """A number that need not be whole, kept exactly: inches, chances.

    Parameters
    ----------
    low, high : int
        Smallest and largest allowed.

    Examples
    --------
    >>> Number(0, 48).read("2.5"), Number(0, 1).read("1/4"), Number(0, 48).read(0.1)
    (Fraction(5, 2), Fraction(1, 4), Fraction(1, 10))
    """

    low: int
    high: int
    metavar = "X"
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return tr("a number from {low} to {high} (as 2, 2.5 or 1/4)", low=f"{self.low:,}", high=f"{self.high:,}")

    def read(self, value: Any) -> Fraction:
        """Read a number: ``3``, ``2.5``, ``1/4``; a float is taken as it is written."""
        number: Fraction | None = None
        if isinstance(value, str):
            number = fraction(value)
        elif isinstance(value, float) and isfinite(value):
            number = Fraction(repr(float(value)))  # 0.1 is meant as a tenth; a float of NumPy is one
        elif isinstance(value, (int, Fraction)) and not isinstance(value, bool):
            number = Fraction(value)
        if number is None or not self.low <= number <= self.high or number.denominator.bit_length() > MAX_BITS:
            raise wrong(value, self)
        return number

    def write(self, value: Fraction) -> int | str:
        """Write a whole number as one, and another as a fraction."""
        return int(value) if value.denominator == 1 else str(value)


@dataclass(frozen=True, slots=True)
class Dice:
    """A roll of dice: ``D6``, ``D3``, ``2D6``, ``2D6kh1``, ``3D6kl2``, ``D6+1``; ``none`` for no dice.

    It is read into a :class:`tcsim.dice.Pool`, or :data:`NO_DICE`.

    Examples
    --------
    >>> Dice().read("2d6kh1")
    Pool(net=1, keep=1, sides=6, modifier=0, added=0)
    >>> Dice().write(Dice().read("2d6kh1")), Dice().write(Dice().read("none"))
    ('2D6kh1', 'none')
    """

    metavar = "DICE"
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return tr("D6, D3, 2D6, 2D6kh1 (keep the highest), … or none")

    def read(self, value: Any) -> Pool | str:
        """Read an expression."""
        if isinstance(value, Pool):
            return value
        text = "".join(value.split()).casefold() if isinstance(value, str) else ""
        if text == NO_DICE:
            return NO_DICE
        match = re.fullmatch(r"(\d{0,2})d(\d{1,3})(?:k([hl])(\d{1,2}))?([+-]\d{1,2})?", text, re.ASCII)
        if match is None:
            raise wrong(value, self)
        count, sides = int(match[1] or 1), int(match[2])
        keep = int(match[4]) if match[4] else count
        if not (1 <= keep <= min(count, MAX_KEEP) and count <= MAX_DICE and 2 <= sides <= MAX_SIDES):
            raise wrong(value, self, f", with at most {MAX_DICE} dice of 2 to {MAX_SIDES} faces")
        spare = count - keep
        return Pool(spare if match[3] != "l" else -spare, keep, sides, int(match[5] or 0))

    def write(self, value: Pool | str) -> str:
        """Write the expression."""
        if isinstance(value, str):
            return value
        kept = f"k{'h' if value.net > 0 else 'l'}{value.keep}" if value.net else ""
        count = "" if value.dice == 1 else str(value.dice)
        return f"{count}D{value.sides}{kept}{f'{value.modifier:+d}' if value.modifier else ''}"


@dataclass(frozen=True, slots=True)
class Word:
    """A word out of a list.

    Parameters
    ----------
    meanings : mapping of str to str
        Word to what it means, in a few words of their own.

    Examples
    --------
    >>> Word({"one": "", "both": ""}).read("Both")
    'both'
    """

    meanings: Mapping[str, str]
    metavar = "WORD"

    @property
    def words(self) -> tuple[str, ...]:
        """Every word there is."""
        return tuple(self.meanings)

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        *others, last = self.meanings
        return tr("{words} or {last}", words=", ".join(others), last=last)

    def read(self, value: Any) -> str:
        """Read a word; capitals, and hyphens for underscores, do not matter."""
        text = value.strip().casefold().replace("-", "_") if isinstance(value, str) else ""
        if text not in self.meanings:
            raise wrong(value, self, did_you_mean(text, self.meanings))
        return text

    def write(self, value: str) -> str:
        """Write it as it is."""
        return value


def yes_or_no(value: Any) -> bool | None:
    """Read ``true``, ``yes``, ``on``, ``1`` and their opposites, as a text or from Python.

    Parameters
    ----------
    value : Any
        What is given.

    Returns
    -------
    bool or None
        None where it is neither.

    Examples
    --------
    >>> yes_or_no("On"), yes_or_no(0), yes_or_no(2)
    (True, False, None)
    """
    if isinstance(value, int):
        return bool(value) if value in (0, 1) else None
    text = value.strip().casefold() if isinstance(value, str) else ""
    return True if text in ("true", "yes", "on", "1") else False if text in ("false", "no", "off", "0") else None


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no.

    Examples
    --------
    >>> Flag().read("yes"), Flag().read("0"), Flag().read(True)
    (True, False, True)
    """

    metavar = ""
    words = ("true", "false")

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return tr("{words} or {last}", words="true", last="false")

    def read(self, value: Any) -> bool:
        """Read ``true``, ``yes``, ``on``, ``1`` and their opposites."""
        found = yes_or_no(value)
        if found is None:
            raise wrong(value, self)
        return found

    def write(self, value: bool) -> bool:
        """Write it as it is."""
        return value


@dataclass(frozen=True, slots=True)
class Several:
    """Several values of one kind: ``5+3`` or ``5,3``, or ``6x1`` for six times 1.

    Parameters
    ----------
    kind : Kind
        What each of them is.
    most : int, optional
        How many there may be; at least one.

    Examples
    --------
    >>> Several(Whole(0, 9)).read("5+3"), Several(Whole(0, 9)).read("2x1+4"), Several(Whole(0, 9)).read([1, 2])
    ((5, 3), (1, 1, 4), (1, 2))
    """

    kind: Kind
    most: int = 100
    words = ()

    @property
    def metavar(self) -> str:
        """One word for help pages."""
        return f"{self.kind.metavar}+{self.kind.metavar}…"

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        many = tr("1 to {most} values (as 5+3, or 6x1 for six times 1), each", most=self.most)
        return f"{many} {self.kind.allowed}"

    def read(self, value: Any) -> tuple[Any, ...]:
        """Read several values; one of the kind is a list of one."""
        parts: list[Any] = []
        for part in list(value) if isinstance(value, (list, tuple)) else [value]:
            for piece in re.split("[+,]", part) if isinstance(part, str) else [part]:
                match = re.fullmatch(r"\s*(\d{1,4})\s*[x×]\s*(\S.*)", piece) if isinstance(piece, str) else None
                times = int(match[1]) if match else 1
                parts += [match[2] if match else piece] * min(times, self.most + 1)
            if len(parts) > self.most:
                break
        if not 1 <= len(parts) <= self.most:
            raise wrong(value, self)
        return tuple(self.kind.read(part) for part in parts)

    def write(self, value: tuple[Any, ...]) -> str:
        """Write them with plus signs."""
        return "+".join(str(self.kind.write(one)) for one in value)
