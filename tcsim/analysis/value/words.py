"""What fronts and fair prices come to, in words: for the terminal and the reports."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tcsim.analysis.compare.words import minus
from tcsim.base.lang import mark, tr
from tcsim.base.text import percent

if TYPE_CHECKING:
    from tcsim.analysis.value.answer import Value
    from tcsim.analysis.value.fronts import Worth, Worths


def who(found: Value) -> str:
    """Say who is attacked: what the mix is, or the targets.

    Parameters
    ----------
    found : Value
        Any.

    Returns
    -------
    str
        A sentence in the language of the moment.
    """
    base = found.comparison
    if base.mix is not None and base.mix.why:
        return tr("Targets: {why}.", why=tr(base.mix.why))
    names = " / ".join(minus(one.label) for one in base.targets[:8]) + (" …" if len(base.targets) > 8 else "")
    return tr("Targets: {names}.", names=names)


def over(one: Worth) -> int:
    """Give by how much a price is above the highest fair one.

    Parameters
    ----------
    one : Worth
        Any.

    Returns
    -------
    int
        0 for one that is not too dear.
    """
    return max(0, one.cost - one.fair.highest) if one.fair.highest is not None else 0


def finding(front: Worths) -> str:
    """Say in a sentence what a front of ducats comes to.

    Parameters
    ----------
    front : Worths
        At least one loadout.

    Returns
    -------
    str
        In the language of the moment.
    """
    number = sum(one.on_front for one in front.found)
    told = tr("{n} of {all} are unbeaten for their price.", n=number, all=len(front.found))
    worst = dearest(front)
    if len(worst) == 1:
        [one] = worst
        more = mark("Most overpriced: {name}, {cost} ducats, fair up to {fair}.")
        told += " " + tr(more, name=short(one.name), cost=one.cost, fair=max(one.fair.highest or 0, 0))
    elif worst:
        more = mark("Most overpriced: {names}, each {n} ducats above its highest fair price.")
        told += " " + tr(more, names=", ".join(short(one.name) for one in worst), n=over(worst[0]))
    return told


def dearest(front: Worths) -> tuple[Worth, ...]:
    """Give the loadouts whose price is the furthest above the highest fair one.

    Parameters
    ----------
    front : Worths
        At least one loadout.

    Returns
    -------
    tuple of Worth
        Several where they are as far above it; empty where none is.
    """
    most = max(map(over, front.found))
    return tuple(one for one in front.found if most and over(one) == most)


def short(name: str, letters: int = 30) -> str:
    """Cut a name that is too long for a table.

    Parameters
    ----------
    name : str
        Any.
    letters : int, optional
        Most letters.

    Returns
    -------
    str
        One line that can be printed.

    Examples
    --------
    >>> short("Scourge / Battle-Whip / Flail", 12)
    'Scourge / Ba…'
    """
    from tcsim.base.errors import one_line

    return one_line(name, letters)


def fair_range(one: Worth) -> str:
    """Write fair prices as a range.

    Parameters
    ----------
    one : Worth
        Any.

    Returns
    -------
    str
        As ``6–9``, ``56 or more`` or ``none``, in the language of the moment.
    """
    low, high = one.fair
    if high is None:
        return tr("{n} or more", n=low)
    if high < 0:
        return tr("none")
    return str(high) if low == high else f"{low}–{high}"


def ceilings(one: Worth) -> str:
    """Write how the highest fair price moves over all that was changed.

    Parameters
    ----------
    one : Worth
        Any.

    Returns
    -------
    str
        As ``14–44`` or ``19–no limit``, in the language of the moment.
    """
    least, most = (
        tr("no limit") if price is None else tr("none") if price < 0 else str(price) for price in one.ceilings
    )
    return least if least == most else f"{least}–{most}"


def stays(one: Worth) -> str:
    """Write in which share of all that was changed it is on the front at its price.

    Parameters
    ----------
    one : Worth
        Any.

    Returns
    -------
    str
        A percentage.
    """
    kept, tried = one.stays
    return percent(kept / tried, 0) if tried else "–"


def per_kill(one: Worth) -> str:
    """Write what an expected kill costs.

    Parameters
    ----------
    one : Worth
        Any.

    Returns
    -------
    str
        A whole number; a dash where it never kills.
    """
    return f"{one.per_kill:,.0f}" if one.per_kill is not None else "–"
