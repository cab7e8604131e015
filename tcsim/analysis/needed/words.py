"""What is needed, as sentences: for the terminal, for the titles of figures, in the language of the moment."""

from __future__ import annotations

from tcsim.analysis.needed.result import Answer, Needed, Stretch
from tcsim.base.errors import one_line
from tcsim.base.lang import mark, tr
from tcsim.base.text import decimals_for, percent, signed
from tcsim.scenario.problem import ATTACK
from tcsim.scenario.resolve import Action
from tcsim.scenario.share import plain
from tcsim.scenario.written import write
from tcsim.stats import SAME

#: Most letters of the name of a way.
NAME = 60

#: Most decimals of a chance that all but equals the one asked for.
MOST_DECIMALS = 8


_GOALS = {
    "out": mark("Out of action"),
    "down": mark("Down or out of action"),
    "out-by-attack": mark("Out of action by attack {n}"),
}


def goal_words(found: Needed) -> str:
    """Say what the chance is of.

    Parameters
    ----------
    found : Needed
        Whose chance it is.

    Returns
    -------
    str
        As ``Down or out of action``.
    """
    goal = found.resolved.problem.goal
    return tr(_GOALS[goal.name], n=goal.attack)


def wanted_words(chance: float) -> str:
    """Write a chance that was asked for, with the decimals it was given with.

    Parameters
    ----------
    chance : float
        In [0, 1].

    Returns
    -------
    str
        As ``80%`` or ``33.3%``.

    Examples
    --------
    >>> wanted_words(0.8), wanted_words(0.9995)
    ('80%', '99.95%')
    """
    return f"{100 * chance:.6g}%"


def number_words(found: Needed, number: float) -> str:
    """Write a number for a column of such numbers.

    Parameters
    ----------
    found : Needed
        Whose number it is.
    number : float
        How much.

    Returns
    -------
    str
        As ``3``, ``7.5`` or ``+2``.
    """
    return signed(int(number)) if found.amount.limits[0] < 0 else f"{number:g}"


def way_words(found: Needed) -> list[str]:
    """Name the ways by what is done in them; where that is the same, by how it is written.

    Parameters
    ----------
    found : Needed
        One way or two.

    Returns
    -------
    list of str
        As ``the attacker charges + Greatsword / Greataxe``.
    """
    named = [" + ".join(map(_action_words, way.resolved.actions)) for way in found.ways]
    if len(set(named)) < len(named):
        tables = [plain(way.resolved.scenario)["attacks"] for way in found.ways]
        named = [" + ".join(write(table) if table else tr("ranged attack") for table in attacks) for attacks in tables]
    return [one_line(name, NAME) for name in named]


def _action_words(action: Action) -> str:
    times = f"{action.volleys} × " if action.volleys > 1 and action.step.kind == ATTACK else ""
    return times + tr(action.label)


def chance_words(found: Needed, p: float, low: float, high: float, wanted: float | None = None) -> str:
    """Write a chance of a curve, with as many decimals as it deserves.

    Parameters
    ----------
    found : Needed
        Whose it is.
    p, low, high : float
        The chance, and the ends of its interval.
    wanted : float or None, optional
        With so many decimals, too, that one sees on which side of this it is.

    Returns
    -------
    str
        As ``81.2%``.
    """
    decimals = decimals_for(low, high) if found.trials else 1
    while wanted is not None and decimals < MOST_DECIMALS:
        seen = round(100 * p, decimals) + 1e-9 >= 100 * wanted
        if seen == (p + SAME >= wanted):
            break
        decimals += 1
    return percent(p, decimals)


def answer_words(found: Needed, answer: Answer) -> str:
    """Say how much a chance needs.

    Parameters
    ----------
    found : Needed
        The curve.
    answer : Answer
        One of its answers.

    Returns
    -------
    str
        As ``14 attacks (81.2%; 79.1% with 13 attacks)``.
    """
    points, words = found.points, found.amount.words
    if answer.number is None or answer.there is None:
        return _never(found, answer.chance)
    numbers = [point.number for point in points]
    p = {point.number: chance_words(found, point.p, point.low, point.high, answer.chance) for point in points}
    end = answer.spans[0][1]
    after = next((n for n in numbers[numbers.index(end) + 1 :]), None)
    told = {"amount": words(answer.number), "p": p[answer.number]}
    if answer.before is None and after is None:
        least = min(points, key=lambda point: point.p)
        text = tr("always here: at least {p}, from {first} to {last}", p=p[least.number], **_ends(found))
    elif answer.before is None and after is not None:
        text = tr("up to {amount} ({p}; {q} with {next})", amount=words(end), p=p[end], q=p[after], next=words(after))
    else:
        before = numbers[numbers.index(answer.number) - 1]
        text = tr("{amount} ({p}; {q} with {next})", **told, q=p[before], next=words(before))
        if after is not None:
            text += tr(", only up to {amount}: {q} with {next}", amount=words(end), q=p[after], next=words(after))
    for first, last in answer.spans[1:]:
        again = tr(", again from {first} to {last}", first=words(first), last=words(last))
        text += again if first != last else tr(", again with {amount}", amount=words(first))
    if found.trials:
        text += _range(found, answer)
    return text


def _range(found: Needed, answer: Answer) -> str:
    early, late, words = answer.earliest, answer.latest, found.amount.words
    if early == late and early is not None:
        return tr("; by the 95% intervals as well")
    if early is not None and late is not None:
        return tr("; by the 95% intervals {first} to {last}", first=words(early), last=words(late))
    if early is not None:
        return tr("; by the 95% intervals {first}, or more than was looked at", first=words(early))
    return ""


def _ends(found: Needed) -> dict[str, str]:
    words = found.amount.words
    return {"first": words(found.points[0].number), "last": words(found.points[-1].number)}


def _never(found: Needed, wanted: float) -> str:
    best = max(found.points, key=lambda point: point.p)
    last, words = found.points[-1], found.amount.words
    p = chance_words(found, best.p, best.low, best.high, wanted)
    at_end = best.p - last.p < SAME
    if at_end and found.settles:
        return tr("never: it comes to {p} and no nearer", p=p)
    if at_end and last.number != found.amount.limits[1] and not found.amount.halves:
        return tr("not up to {last}: {p} there", last=words(last.number), p=p)
    return tr("never: {p} at most, with {amount}", p=p, amount=words(best.number))


def better_words(found: Needed) -> str:
    """Say which of two ways is better from where to where.

    Parameters
    ----------
    found : Needed
        Two ways.

    Returns
    -------
    str
        As ``A up to 9 inches; B from 9.5 inches on``.
    """
    stretches = found.stretches
    told = [_stretch(found, one, index, len(stretches)) for index, one in enumerate(stretches)]
    if found.trials:
        for one in found.crossings:
            words = found.amount.words
            early = words(one.earliest) if one.earliest is not None else tr("the first")
            late = words(one.latest) if one.latest is not None else tr("the last")
            told.append(tr("by the 95% intervals it changes between {first} and {last}", first=early, last=late))
    return "; ".join(told)


def _stretch(found: Needed, one: Stretch, index: int, count: int) -> str:
    words = found.amount.words
    who = {"a": "A", "b": "B", "same": tr("both alike")}[one.better]
    if count == 1:
        return tr("{who} everywhere, from {first} to {last}", who=who, first=words(one.first), last=words(one.last))
    if index == 0:
        return tr("{who} up to {last}", who=who, last=words(one.last))
    if index == count - 1:
        return tr("{who} from {first} on", who=who, first=words(one.first))
    if one.first == one.last:
        return tr("{who} with {first}", who=who, first=words(one.first))
    return tr("{who} from {first} to {last}", who=who, first=words(one.first), last=words(one.last))
