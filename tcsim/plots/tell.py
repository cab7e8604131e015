"""How figures and reports tell what they show: numbers, ranges, differences and lists as a sentence has them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from tcsim.base.lang import current, mark, tr
from tcsim.base.text import percent
from tcsim.base.text import points as points

_COUNTED = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def counted(n: int) -> str:
    """Write a number as a sentence has it.

    Parameters
    ----------
    n : int
        0 or more.

    Returns
    -------
    str
        A word up to twelve, then digits; in Korean always digits.

    Examples
    --------
    >>> counted(2), counted(13)
    ('two', '13')
    """
    return _COUNTED[n] if n < len(_COUNTED) and current() == "en" else str(n)


def things(n: int, one: str, many: str = "") -> str:
    """Write a number with its noun, as a sentence has it.

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
        As ``two attacks`` or ``no blood markers``.

    Examples
    --------
    >>> things(1, "attack"), things(0, "blood marker")
    ('one attack', 'no blood markers')
    """
    many = many or one + "s"
    return tr(f"{{n}} {one if n == 1 else many}", n=counted(n)) if n else tr(f"no {many}")


def span(chances: Iterable[float], decimals: int = 0) -> str:
    """Write from where to where some chances go.

    Parameters
    ----------
    chances : iterable of float
        Probabilities in [0, 1]; at least one.
    decimals : int, optional
        Digits after the point.

    Returns
    -------
    str
        As ``12% to 55%``, or one percentage if both ends are written the same.

    Examples
    --------
    >>> span([0.55, 0.12, 0.3]), span([0.501, 0.502])
    ('12% to 55%', '50%')
    """
    given = list(chances)
    return between(percent(min(given), decimals), percent(max(given), decimals))


def between(low: str, high: str) -> str:
    """Write a range.

    Parameters
    ----------
    low, high : str
        Its ends, as they are written.

    Returns
    -------
    str
        As ``12 to 55``, or one number if both ends are written the same.

    Examples
    --------
    >>> between("1.2", "1.4"), between("1.2", "1.2")
    ('1.2 to 1.4', '1.2')
    """
    return low if low == high else tr("{low} to {high}", low=low, high=high)


def joined(names: Sequence[str], word: str = "and") -> str:
    """Write a list as a sentence has it.

    Parameters
    ----------
    names : sequence of str
        At least one.
    word : str, optional
        What stands before the last: ``and`` or ``or``.

    Returns
    -------
    str
        As ``a, b and c``.

    Examples
    --------
    >>> joined(["a"]), joined(["a", "b", "c"])
    ('a', 'a, b and c')
    """
    return names[0] if len(names) == 1 else tr(_JOINED[word], first=", ".join(names[:-1]), last=names[-1])


_JOINED = {"and": mark("{first} and {last}"), "or": mark("{first} or {last}")}


def the(key: str, names: Mapping[str, str]) -> str:
    """Name a weapon in a sentence.

    Parameters
    ----------
    key : str
        Weapon id.
    names : mapping
        Id to label.

    Returns
    -------
    str
        As ``the Shotgun``.
    """
    return tr("the {weapon}", weapon=names[key])


def holding(blood: int) -> str:
    """Say how many blood markers a target holds.

    Parameters
    ----------
    blood : int
        0 to 6.

    Returns
    -------
    str
        As ``without blood markers`` or ``with three blood markers``.

    Examples
    --------
    >>> holding(0), holding(3)
    ('without blood markers', 'with three blood markers')
    """
    if not blood:
        return tr("without blood markers")
    return tr("with {markers}", markers=things(blood, "blood marker"))


def takes(times: int) -> str:
    """Write the verb of some attacks.

    Parameters
    ----------
    times : int
        How many attacks.

    Returns
    -------
    str
        ``takes`` for one, else ``take``.
    """
    return "takes" if times == 1 else "take"


def not_drawn(drawn: int, left_out: int) -> str:
    """Say that a figure shows only the weapons that differ most.

    Parameters
    ----------
    drawn, left_out : int
        How many weapons are in the figure, and how many are not.

    Returns
    -------
    str
        A sentence; empty when none is left out.

    Examples
    --------
    >>> not_drawn(4, 2), not_drawn(4, 0)
    ('The four weapons that differ most; two not drawn.', '')
    """
    if not left_out:
        return ""
    told = mark("The {weapons} that differ most; {left_out} not drawn.")
    return tr(told, weapons=things(drawn, "weapon"), left_out=counted(left_out))
