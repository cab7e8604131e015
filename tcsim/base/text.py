"""How numbers are written for people: never more certain than they are, and the same everywhere."""

from __future__ import annotations

#: Printed wherever a result leaves tcsim for people.
UNOFFICIAL = "tcsim is unofficial and not affiliated with the makers of Trench Crusade."


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
    return f"{n} {one}" if n == 1 else f"{n or 'no'} {many or one + 's'}"


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
        return "never"
    if p >= 1:
        return "always"
    if p < 1e-12:
        return "nearly never"
    if p < 0.1:
        n = 1 / p
        digits = len(str(int(n)))
        return f"about 1 in {int(round(n, 2 - digits) if digits > 2 else round(n)):,}"
    if p > 0.99:
        return "nearly always"
    from fractions import Fraction

    best = Fraction(p).limit_denominator(10)
    return f"about {best.numerator} in {best.denominator}" if best != 1 else "nearly always"
