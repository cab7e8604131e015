"""Numbers as people write them: ``+1``, ``1e7``, ``10_000``, ``1/4``, ``2.5``, with a true minus or a hyphen."""

from __future__ import annotations

import re
from fractions import Fraction

#: A true minus, as tcsim itself prints it, is a minus.
MINUS = str.maketrans({"−": "-"})


def whole_number(text: str) -> int | None:
    """Read a whole number, or None.

    Parameters
    ----------
    text : str
        As ``-2``, ``+1``, ``10_000`` or ``1e7``.

    Returns
    -------
    int or None
        The number.

    Examples
    --------
    >>> whole_number("+1"), whole_number("1e7"), whole_number("1.5")
    (1, 10000000, None)
    """
    text = text.strip().translate(MINUS)
    if re.fullmatch(r"[+-]?\d[\d_]{0,40}", text) and not text.endswith("_") and "__" not in text:
        return int(text)
    match = re.fullmatch(r"(\d{1,15})(?:\.(\d{1,15}))?[eE]\+?(\d{1,2})", text)
    if match is None:
        return None
    digits, power = match[1] + (match[2] or ""), int(match[3]) - len(match[2] or "")
    return int(digits) * 10**power if power >= 0 else None


def fraction(text: str) -> Fraction | None:
    """Read a number exactly, or None.

    Parameters
    ----------
    text : str
        As ``3``, ``-2.5``, ``.5`` or ``1/4``.

    Returns
    -------
    Fraction or None
        The number.

    Examples
    --------
    >>> fraction("2.5"), fraction("1/4"), fraction("1/0"), fraction("nan")
    (Fraction(5, 2), Fraction(1, 4), None, None)
    """
    text = text.strip().translate(MINUS)
    number = whole_number(text)
    if number is not None:
        return Fraction(number)
    if re.fullmatch(r"[+-]?(\d{1,15}\.\d{0,15}|\.\d{1,15})", text, re.ASCII):
        return Fraction(text)
    match = re.fullmatch(r"([+-]?\d{1,15})/(\d{1,15})", text, re.ASCII)
    return Fraction(int(match[1]), int(match[2])) if match and int(match[2]) else None
