"""What is needed, for the gaming table: the answers, and the curve behind them."""

from __future__ import annotations

from collections.abc import Sequence

from tcsim.analysis.needed.result import Needed, Point, is_sure
from tcsim.analysis.needed.words import (
    answer_words,
    better_words,
    chance_words,
    goal_words,
    number_words,
    wanted_words,
    way_words,
)
from tcsim.base.lang import retold, tr
from tcsim.base.text import columns
from tcsim.cli.odds_table import print_assumed, print_question
from tcsim.cli.terminal import bar, paragraph, say, table
from tcsim.engines.result import Result, Run
from tcsim.stats import SAME

#: Most rows of a curve; rows near an answer, the first and the last ones are kept.
MAX_ROWS, NEAR = 26, 2

#: Most columns of the head of the numbers.
MAX_HEAD = 13


def print_needed(found: Needed) -> None:
    """Print what is needed.

    Parameters
    ----------
    found : Needed
        As :func:`tcsim.needed` gives it.
    """
    goal = goal_words(found)
    what = tr(found.amount.head)
    if len(found.ways) == 2:
        say(tr("{goal}: which way is better, by {what}", goal=goal, what=what))
        paragraph("", better_words(found), 2)
        say()
        for name, words in zip("AB", way_words(found), strict=True):
            paragraph(name, words)
    else:
        say(tr("{goal}: how much it needs ({what})", goal=goal, what=what))
        width = max(len(wanted_words(one.chance)) for one in found.answers) + 5
        for one in found.answers:
            paragraph("  " + wanted_words(one.chance), answer_words(found, one), width)
    say()
    shown = found.ways[0].shown
    result = Result(shown, "exact", [])
    if found.trials:
        from tcsim.kernels.stream import STREAM_VERSION

        result = Result(shown, "monte_carlo", [], Run(found.trials, found.seed, STREAM_VERSION, {}))
    print_question(result)
    say()
    if len(found.ways) == 2:
        _two(found)
    else:
        _one(found)
    _notes(found)
    print_assumed(result)


def _notes(found: Needed) -> None:
    notes = [way.ended for way in found.ways if way.ended]
    if found.is_flat:
        notes.append(tr("It changes nothing here: nobody spends it, or nothing asks for it."))
    if found.trials:
        notes.append(tr("Every number was rolled by itself; each interval is one of 95%."))
    elif any(not point.possible for way in found.ways for point in way.curve):
        notes.append(tr("0% where it is out of range, too near, or out of reach of the charge."))
    if notes:
        say()
    for text in notes:
        paragraph("", retold(text), 2)


def _one(found: Needed) -> None:
    points = found.points
    groups = _groups([points], bool(found.trials))
    at_answer = {one.number for one in found.answers}
    crossed = _crossed(found)
    marks = [" ".join(crossed[i] for i in range(first, last + 1) if crossed[i]) for first, last in groups]
    rows = []
    for (first, last), told in zip(groups, marks, strict=True):
        point = points[first]
        chance = chance_words(found, point.p, point.low, point.high)
        interval = [_interval(found, point)] if found.trials else []
        rows.append([_span(found, first, last), bar(point.p, 15 if found.trials else 25), chance, *interval, told])
    near = {i for i, (first, last) in enumerate(groups) if marks[i] or points[first].number in at_answer}
    heads = (_head(found), "", tr("chance"), *([tr("95% interval")] if found.trials else []), "")
    table(heads, _shortened(rows, near), "rlr" + "r" * bool(found.trials) + "l")


def _head(found: Needed) -> str:
    """What the numbers of the first column are, where that is short; it is said above as well."""
    head = tr(found.amount.head)
    return head if columns(head) <= MAX_HEAD else ""


def _crossed(found: Needed) -> list[str]:
    """What happens at each point: which chances it is the first to reach, and below which ones it falls."""
    told = []
    before: set[float] = set()
    for number, point in enumerate(found.points):
        reached = {chance for chance in found.chances if point.p >= chance - SAME}
        new = [wanted_words(chance) for chance in sorted(reached - before)]
        lost = [wanted_words(chance) for chance in sorted(before - reached)]
        words = [tr("{chances} reached", chances=", ".join(new))] if new and number else []
        words += [tr("below {chances}", chances=", ".join(lost))] if lost else []
        told.append("; ".join(words))
        before = reached
    return told


def _two(found: Needed) -> None:
    a, b = (way.curve for way in found.ways)
    groups = _groups([a, b], bool(found.trials))
    edges = {one.first for one in found.stretches[1:]} | {one.last for one in found.stretches[:-1]}
    rows, near = [], set()
    for index, (first, last) in enumerate(groups):
        one, other = a[first], b[first]
        points = 100 * (one.p - other.p)
        better = tr("{way} by {n} points", way="AB"[points < 0], n=f"{abs(points):.1f}")
        if abs(one.p - other.p) < SAME:
            better = tr("both alike")
        elif not is_sure(one, other):
            better = tr("too near to tell")
        chances = [chance_words(found, point.p, point.low, point.high) for point in (one, other)]
        rows.append([_span(found, first, last), bar(one.p, 10), chances[0], bar(other.p, 10), chances[1], better])
        if edges & {point.number for point in a[first : last + 1]}:
            near.add(index)
    table((_head(found), "A", "", "B", "", tr("better")), _shortened(rows, near), "rlrlrl")


def _groups(curves: Sequence[Sequence[Point]], rolled: bool) -> list[tuple[int, int]]:
    """First and last index of points in a row that are the same in all curves."""
    groups: list[tuple[int, int]] = []
    for index in range(len(curves[0])):
        last = groups[-1][0] if groups else None
        same = last is not None and all(_alike(curve[last], curve[index], rolled) for curve in curves)
        if same:
            groups[-1] = (groups[-1][0], index)
        else:
            groups.append((index, index))
    return groups


def _alike(one: Point, other: Point, rolled: bool) -> bool:
    if one.possible != other.possible:
        return False
    return one.asked == other.asked if rolled else abs(one.p - other.p) < SAME


def _span(found: Needed, first: int, last: int) -> str:
    low, high = (number_words(found, found.points[i].number) for i in (first, last))
    return low if first == last else tr("{low} to {high}", low=low, high=high)


def _interval(found: Needed, point: Point) -> str:
    low, high = (chance_words(found, end, point.low, point.high) for end in (point.low, point.high))
    return tr("{low} to {high}", low=low, high=high)


def _shortened(rows: list[list[str]], near: set[int]) -> list[list[str]]:
    """Leave out rows in between where there are many."""
    if len(rows) <= MAX_ROWS:
        return rows
    kept = set(range(6)) | {len(rows) - 1}
    kept |= {i for at in near for i in range(at - NEAR, at + NEAR + 1) if 0 <= i < len(rows)}
    kept |= {i for i in range(1, len(rows)) if i - 1 in kept and i + 1 in kept}
    told: list[list[str]] = []
    for index, row in enumerate(rows):
        if index in kept:
            told.append(row)
        elif index - 1 in kept:
            told.append(["…", *[""] * (len(row) - 1)])
    return told
