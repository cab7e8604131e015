"""Advice on spending in words: what a table and a map say."""

from __future__ import annotations

from collections.abc import Iterable

from tcsim.base.lang import mark, tr
from tcsim.engines.advice import Box, Deed, Grid
from tcsim.scenario.problem import EVERY_MARKER, Goal


def deed_words(deed: Deed, rest: bool = True) -> str:
    """Say what is spent on one hit.

    Parameters
    ----------
    deed : Deed
        Dice and Bloodbath.
    rest : bool, optional
        Whether a Bloodbath leaves markers that can be dice.

    Returns
    -------
    str
        As ``Bloodbath +1``.

    Examples
    --------
    >>> deed_words((0, 0)), deed_words((2, 0)), deed_words((1, 1))
    ('keep', '2 dice', 'Bloodbath +1')
    """
    dice, bath = deed
    if bath and dice == EVERY_MARKER:
        return tr("Bloodbath, rest as dice") if rest else tr("Bloodbath")
    if bath:
        return tr("Bloodbath") if not dice else tr("Bloodbath +{n}", n=dice)
    if dice == EVERY_MARKER:
        return tr("all as dice")
    return tr("keep") if not dice else tr("1 die") if dice == 1 else tr("{n} dice", n=dice)


def share_words(deed: Deed) -> str:
    """Say what the hits of a volley get.

    Parameters
    ----------
    deed : Deed
        Of each plain and each critical hit.

    Returns
    -------
    str
        As ``critical: Bloodbath; plain: 2 dice, keep, 1 die``.

    Examples
    --------
    >>> share_words((((2, 0), (1, 0)), ()))
    'plain: 2 dice, 1 die'
    """
    plain, critical = deed
    told = []
    for words, own in ((mark("critical: {what}"), critical), (mark("plain: {what}"), plain)):
        if own:
            told.append(tr(words, what=", ".join(map(deed_words, own))))
    return "; ".join(told) or tr("keep")


def span_words(low: int, high: int) -> str:
    """Write a range of whole numbers.

    Parameters
    ----------
    low, high : int
        Both included.

    Returns
    -------
    str
        As ``3–5``.

    Examples
    --------
    >>> span_words(3, 5), span_words(2, 2)
    ('3–5', '2')
    """
    return str(low) if low == high else f"{low}–{high}"


def state_words(box: Box) -> str:
    """Say in which states a box is.

    Parameters
    ----------
    box : Box
        Of advice.

    Returns
    -------
    str
        As ``Down, 3–6 blood``.
    """
    held = {name: (low, high) for name, low, high in box.ranges}
    told = []
    for name, words in _FLAGS.items():
        if name in held:
            told.append(tr(words[held[name][0]]))
    for name, text in _NUMBERS.items():
        if name in held:
            told.append(tr(text, n=span_words(*held[name])))
    return ", ".join(told) or tr("any")


_FLAGS = {
    "down": (mark("standing"), mark("Down")),
    "tough": (mark("TOUGH used up"), mark("TOUGH left")),
    "spared": (mark("no longer spared"), mark("first out of action spared")),
    "warded": (mark("no longer warded"), mark("first marker ignored")),
    "firm": (mark("first Down no longer spared"), mark("first Down spared")),
    "ended": (mark("the activation goes on"), mark("the activation has ended")),
}
_NUMBERS = {
    "blood": mark("{n} blood"),
    "infection": mark("{n} infection"),
    "blessing": mark("{n} blessing"),
    "streak": mark("{n} hits in a row"),
}


def hit_words(box: Box) -> str:
    """Say on which hits a box is.

    Parameters
    ----------
    box : Box
        Of advice.

    Returns
    -------
    str
        ``plain``, ``critical`` or ``any``; in a volley, how many of each.
    """
    held = {name: (low, high) for name, low, high in box.ranges}
    if not box.joint:
        return tr("any") if "critical" not in held else tr(("plain hit", "critical hit")[held["critical"][0]])
    told = []
    for name, text in (("plain_hits", mark("{n} plain")), ("critical_hits", mark("{n} critical"))):
        if name in held:
            told.append(tr(text, n=span_words(*held[name])))
    both = all(held.get(name, (0, 1))[1] > 0 for name in ("plain_hits", "critical_hits"))
    if "first_critical" in held and both:  # else there is but one kind that can be the first
        told.append(tr(("first plain", "first critical")[held["first_critical"][0]]))
    return ", ".join(told) or tr("any")


_HITS = (mark("plain hit"), mark("critical hit"), mark("first plain"), mark("first critical"))


def is_simple(grid: Grid) -> bool:
    """Whether the advice of an attack depends on nothing but Down, TOUGH, blood and the kind of hit.

    Parameters
    ----------
    grid : Grid
        Of one attack in turn.

    Returns
    -------
    bool
        So that it fits a line for each kind of hit.
    """
    others = [index for index, name in enumerate(grid.axes) if name not in ("tough", "down", "blood", "critical")]
    return not grid.joint and all(len({cell[index] for cell in grid.deeds}) == 1 for index in others)


def by_blood(grid: Grid, tough: int, down: int, critical: int) -> dict[int, Deed]:
    """Give the advice of a simple grid by blood markers.

    Parameters
    ----------
    grid : Grid
        One for which :func:`is_simple` holds.
    tough, down, critical : int
        The rest of the state.

    Returns
    -------
    dict of int to Deed
        By blood markers, from 1 on.
    """
    place = {name: index for index, name in enumerate(grid.axes)}
    critical = min(critical, max(cell[place["critical"]] for cell in grid.deeds))
    wanted = {"tough": tough, "down": down, "critical": critical}
    return {
        cell[place["blood"]]: deed
        for cell, deed in sorted(grid.deeds.items())
        if cell[place["blood"]] and all(cell[place[name]] == value for name, value in wanted.items())
    }


def runs(deeds: dict[int, Deed]) -> list[tuple[int, int, Deed]]:
    """Put neighbouring numbers of blood markers together.

    Parameters
    ----------
    deeds : dict of int to Deed
        By blood markers, ascending.

    Returns
    -------
    list of (int, int, Deed)
        First, last, and what is done.

    Examples
    --------
    >>> runs({1: (0, 0), 2: (0, 0), 3: (0, 1)})
    [(1, 2, (0, 0)), (3, 3, (0, 1))]
    """
    found: list[tuple[int, int, Deed]] = []
    for blood, deed in deeds.items():
        if found and found[-1][2] == deed:
            found[-1] = (found[-1][0], blood, deed)
        else:
            found.append((blood, blood, deed))
    return found


def run_words(deeds: dict[int, Deed], bath_cost: int = 0) -> str:
    """Say what is done by blood markers.

    Parameters
    ----------
    deeds : dict of int to Deed
        By blood markers, ascending.
    bath_cost : int, optional
        Markers that a Bloodbath costs: where there are as many, it leaves nothing.

    Returns
    -------
    str
        As ``1–2: keep; 3: Bloodbath``.

    Examples
    --------
    >>> run_words({1: (0, 0), 2: (0, 0), 3: (0, 1)})
    '1–2: keep; 3: Bloodbath'
    """
    found = runs(deeds)
    if len(found) == 1:
        return deed_words(found[0][2])
    return "; ".join(f"{span_words(low, high)}: {deed_words(deed, high > bath_cost)}" for low, high, deed in found)


def tough_values(grids: Iterable[Grid]) -> list[int]:
    """Give the values of TOUGH there are, most first.

    Parameters
    ----------
    grids : iterable of Grid
        Of all attacks.

    Returns
    -------
    list of int
        1 and 0, or 0.
    """
    found = {cell[grid.axes.index("tough")] for grid in grids for cell in grid.deeds}
    return sorted(found, reverse=True)


def goal_words(goal: Goal) -> str:
    """Say what is spent for.

    Parameters
    ----------
    goal : Goal
        Of a problem.

    Returns
    -------
    str
        What the value of optimal spending is the chance, or the mean, of.

    Examples
    --------
    >>> goal_words(Goal("down"))
    'Down or out of action, spent best'
    """
    return tr(_GOALS[goal.name], n=goal.attack)


_GOALS = {
    "out": mark("Out of action, spent best"),
    "down": mark("Down or out of action, spent best"),
    "expected-blood": mark("Blood markers in the end, spent best"),
    "out-by-attack": mark("Out of action by attack {n}, spent best"),
    "own": mark("Value of your goal, spent best"),
}
