"""How numbers are written for people: never more certain than they are, and the same everywhere."""

from __future__ import annotations

from tcsim.base.lang import mark, tr

#: Printed wherever a result leaves tcsim for people.
UNOFFICIAL = mark("tcsim is unofficial and not affiliated with the makers of Trench Crusade or Age of Sigmar.")


def percent(p: float, decimals: int = 1) -> str:
    """Write a probability as a percentage; 0% and 100% only if they are exact.

    Parameters
    ----------
    p : float
        Probability in [0, 1].
    decimals : int, optional
        Digits after the point.

    Returns
    -------
    str
        As ``27.8%``; ``<0.1%`` and ``>99.9%`` where rounding would claim certainty.

    Examples
    --------
    >>> percent(5 / 18), percent(0.0), percent(1e-9), percent(0.99999), percent(1.0)
    ('27.8%', '0%', '<0.1%', '>99.9%', '100%')
    """
    if p <= 0:
        return "0%"
    if p >= 1:
        return "100%"
    text, step = f"{100 * p:.{decimals}f}", 10.0**-decimals
    if float(text) == 0:
        return f"<{step:.{decimals}f}%"
    if float(text) >= 100:
        return f">{100 - step:.{decimals}f}%"
    return f"{text}%"


def decimals_for(low: float, high: float) -> int:
    """How many decimals a percentage deserves that is only known to lie in an interval.

    Parameters
    ----------
    low, high : float
        The interval, probabilities in [0, 1].

    Returns
    -------
    int
        1 to 8: so many that the interval is some tens of the last one wide.

    Examples
    --------
    >>> decimals_for(0.25, 0.31), decimals_for(0.3092, 0.3096), decimals_for(0.30921, 0.30922)
    (1, 3, 4)
    """
    decimals = 1
    while decimals < 8 and 100 * (high - low) * 10**decimals < 10:
        decimals += 1
    return decimals


#: A difference of two chances that is none: exact ones are right to 1e-12.
NO_DIFFERENCE = 1e-9


def points(difference: float, decimals: int = 1) -> str:
    """Write a difference of two chances in points, with its sign.

    Parameters
    ----------
    difference : float
        In [-1, 1].
    decimals : int, optional
        Digits after the point.

    Returns
    -------
    str
        As ``+4.5``, ``−0.3``, ``0`` (only if exact), or ``<+0.05`` for what would be rounded to nothing.

    Examples
    --------
    >>> points(0.045), points(-0.003), points(0.0), points(0.0001, 1)
    ('+4.5', '−0.3', '0', '<+0.1')
    """
    if abs(difference) <= NO_DIFFERENCE:
        return "0"
    sign = "+" if difference > 0 else "−"
    size = 100 * abs(difference)
    step = 10.0**-decimals
    return f"<{sign}{step:.{decimals}f}" if size < step / 2 else f"{sign}{size:.{decimals}f}"


def so_many(count: float, most: int, least: int) -> str:
    """Write how many of one thing another is worth.

    Parameters
    ----------
    count : float
        Infinite where even the most are too few; NaN where there is nothing to count in.
    most, least : int
        The most that were looked at, and so many to the other side.

    Returns
    -------
    str
        As ``2.8``, ``−0.04``, ``>10`` or ``–``.

    Examples
    --------
    >>> so_many(2.84, 10, 10), so_many(-0.04, 10, 10), so_many(float("inf"), 10, 3), so_many(-float("inf"), 10, 3)
    ('2.8', '−0.04', '>10', '<−3')
    """
    if count != count:
        return "–"
    if abs(count) == float("inf"):
        return f">{most}" if count > 0 else f"<−{least}" if least else "–"
    size = abs(count)
    text = f"{size:.1f}" if size >= 0.1 or size < 1e-9 else f"{size:.2f}" if size >= 0.005 else "<0.01"
    return f"−{text}" if count < 0 and float(text.lstrip("<")) else text


def signed(n: int) -> str:
    """Write a modifier with its sign, with a true minus; 0 has none.

    Parameters
    ----------
    n : int
        A number of dice or a flat modifier.

    Returns
    -------
    str
        As ``+1``, ``−2`` or ``0``.

    Examples
    --------
    >>> signed(1), signed(-2), signed(0)
    ('+1', '−2', '0')
    """
    return f"+{n}" if n > 0 else f"−{-n}" if n < 0 else "0"


def plural(n: int, one: str, many: str = "") -> str:
    """Write a number with its noun.

    Parameters
    ----------
    n : int
        How many.
    one : str
        The noun for one.
    many : str, optional
        The noun for several; ``one`` + s when left out.

    Returns
    -------
    str
        As ``1 marker``, ``no markers`` or ``3 markers``.

    Examples
    --------
    >>> plural(1, "marker"), plural(0, "marker"), plural(3, "marker")
    ('1 marker', 'no markers', '3 markers')
    """
    many = many or one + "s"
    return tr(f"{{n}} {one if n == 1 else many}", n=f"{n:,}") if n else tr(f"no {many}")


def about(p: float) -> str:
    """Write a probability as a fraction of small whole numbers, for the gaming table.

    Parameters
    ----------
    p : float
        Probability in [0, 1].

    Returns
    -------
    str
        As ``about 3 in 7``, ``about 1 in 400``, ``never`` or ``always``, and ``nearly`` so close to them.

    Examples
    --------
    >>> about(0.431), about(0.0025), about(0.0), about(1.0), about(0.99999)
    ('about 3 in 7', 'about 1 in 400', 'never', 'always', 'nearly always')
    """
    if p <= 0:
        return tr("never")
    if p >= 1:
        return tr("always")
    if p < 1e-12:
        return tr("nearly never")
    if p < 0.1:
        n = 1 / p
        digits = len(str(int(n)))
        return tr("about {few} in {many}", few=1, many=f"{int(round(n, 2 - digits) if digits > 2 else round(n)):,}")
    if p > 0.99:
        return tr("nearly always")
    from fractions import Fraction

    best = Fraction(p).limit_denominator(10)
    return tr("about {few} in {many}", few=best.numerator, many=best.denominator) if best != 1 else tr("nearly always")


def printable(text: str) -> str:
    r"""Write a text without signs that do something other than to be seen.

    Parameters
    ----------
    text : str
        Any text, names that users gave among it.

    Returns
    -------
    str
        The same with ``?`` for control signs, marks that turn the direction of text round, and signs without width;
        line ends and no-break spaces stay.

    Examples
    --------
    >>> printable("a\x1b[31m\u202eb"), printable("two\nlines")
    ('a?[31m?b', 'two\nlines')
    """
    if text.isprintable():
        return text
    return "".join(sign if sign.isprintable() or sign in "\n\xa0" else "?" for sign in text)


def columns(text: str) -> int:
    """Count the columns that a text takes in a terminal: a Korean syllable takes two.

    Parameters
    ----------
    text : str
        One line.

    Returns
    -------
    int
        Columns.

    Examples
    --------
    >>> columns("Down"), columns("\uc911\uc0c1")
    (4, 4)
    """
    return len(text) if text.isascii() else len(_spread(text))


def padded(text: str, width: int) -> str:
    """Fill a text with spaces up to a number of columns.

    Parameters
    ----------
    text : str
        One line.
    width : int
        Columns of a terminal.

    Returns
    -------
    str
        The text, unchanged if it is as wide already.
    """
    return text + " " * max(0, width - columns(text))


def wrapped(text: str, width: int) -> list[str]:
    """Break a text into lines of at most a number of columns.

    Parameters
    ----------
    text : str
        The text.
    width : int
        Columns of a terminal.

    Returns
    -------
    list of str
        The lines; none for no text.

    Examples
    --------
    >>> wrapped("one two", 4)
    ['one', 'two']
    """
    import textwrap

    words = (_cut(word, width) for word in _spread(text).split(" "))
    return [line.replace(_FILL, "") for line in textwrap.wrap(" ".join(words), width, break_long_words=True)]


def _cut(word: str, width: int) -> str:
    """Cut a word that is too long for a line, beside no letter's second column."""
    if len(word) <= width or _FILL not in word:
        return word
    at = width - (word[width] == _FILL)
    return f"{word[:at]} {_cut(word[at:], width)}"


#: Stands beside a letter that takes two columns, so that columns can be counted as letters.
_FILL = "\ue000"


def _spread(text: str) -> str:
    from unicodedata import combining, east_asian_width, normalize

    letters = (letter for letter in normalize("NFC", text) if not combining(letter))
    return "".join(letter + _FILL if east_asian_width(letter) in "WF" else letter for letter in letters)
