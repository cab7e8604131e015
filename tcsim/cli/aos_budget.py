"""``tcsim aos budget``: the best use of command points in a turn."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Container, Mapping
from fractions import Fraction
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from tcsim.aos.plans.answer import Found, answer
from tcsim.aos.plans.search import MOST_POINTS, Use
from tcsim.aos.plans.table import commands
from tcsim.aos.plans.tree import price
from tcsim.aos.plans.words import choice_words, on_words, phase_words, when_words
from tcsim.base.errors import InputError, show
from tcsim.base.files import check_writable, parse_file, write_whole
from tcsim.base.lang import tr
from tcsim.base.text import about, decimals_for, percent
from tcsim.cli import lang_option
from tcsim.cli.inputs import FileName, WholeNumber
from tcsim.cli.terminal import bar, paragraph, say, table

#: Most lines of the plan for each step, and most sets of commands; --json has all.
MOST_LINES, MOST_SETS = 4, 8


@click.command(
    epilog="""\b
Examples:
  tcsim aos budget budget.toml --demo --edition 4e
  tcsim aos budget budget.toml --edition 4e --points 5 --trials 2e4
""",
)
@click.argument("file", metavar="FILE.toml|.json", type=FileName())
@click.option("--demo", is_flag=True, help="Write an example to FILE first, if there is no such file.")
@click.option("--edition", default=None, metavar="EDITION", help="4e or 4e_late; needed here or in the file.")
@click.option("--points", type=WholeNumber(0, MOST_POINTS), default=None, help="Command points; default: the file's.")
@click.option("--trials", type=WholeNumber(1, 10**8), default=None, help="Play the best way with dice, too, so often.")
@click.option("--seed", type=WholeNumber(0, 2**64 - 1), default=None, help="Seed of these dice; default 1.")
@lang_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def budget(file: str, demo: bool, edition: str | None, points: int | None, as_json: bool, **rolling: Any) -> int:
    """Say which commands are worth their points in a turn: which to buy, when, and what each point adds.

    FILE holds units, events in the order of the phases, and a goal; --demo writes one, docs/aos.md tells its tables.
    """
    trials, seed = rolling["trials"], rolling["seed"]
    if seed is not None and trials is None:
        raise InputError("it goes with --trials, an exact answer needs none", "--seed")
    found = answer(_given(file, demo), edition, points)
    played = None if trials is None else found.played(trials, 1 if seed is None else seed)
    if as_json:
        sys.stdout.write(json.dumps(found.to_dict() | ({} if played is None else {"played": played})) + "\n")
    else:
        print_budget(found, played)
    return 0


def _given(path: str, demo: bool) -> Any:
    """Read the file, an example having been written to it where that is wanted."""
    if demo and not Path(path).exists():
        if not path.lower().endswith(".toml"):
            raise InputError(f"{show(path, 200)} is given, an example is written to a file that ends in .toml")
        check_writable(path)
        write_whole(path, (files("tcsim.aos.plans") / "data" / "budget.toml").read_bytes())
    try:
        return parse_file(path)
    except InputError as error:
        if Path(path).exists() or not path.lower().endswith(".toml"):
            raise
        raise InputError(f"{error}; --demo writes an example there") from None


def print_budget(found: Found, played: Mapping[str, Any] | None = None) -> None:
    """Print a budget for the gaming table.

    Parameters
    ----------
    found : Found
        What was found.
    played : mapping, optional
        What came of playing it with dice.
    """
    search, points = found.search, found.turn.points
    best, nothing = search.best(points), search.best(0)
    head = tr("Best use of {points} command points: {goal}", points=points, goal=_goal(found, best.goal))
    say(f"{head}   ({about(float(best.goal))})" if found.turn.is_chance else head)
    spent, without = f"{float(best.spent):.2f}", _goal(found, nothing.goal)
    told = tr("{goal} without commands; {spent} points spent on average", goal=without, spent=spent)
    paragraph("", f"{told}   ({found.turn.edition}, {tr('exact')})", 0)
    if played is not None:
        _played(found, played)
    say()
    _points(found)
    say()
    _plan(found)
    say()
    _sets(found)


def _played(found: Found, played: Mapping[str, Any]) -> None:
    low, high = played["low"], played["high"]
    if found.turn.is_chance:
        places = decimals_for(low, high)
        value, low, high = (percent(one, places) for one in (played["value"], low, high))
    else:
        value, low, high = (f"{one:.3f}" for one in (played["value"], low, high))
    told = tr(
        "Played {trials} times, seed {seed}: {value}", trials=f"{played['trials']:,}", seed=played["seed"], value=value
    )
    within = tr("95%: {low} to {high}", low=low, high=high)
    paragraph("", f"{told} ({within}), {tr('{spent} points spent', spent=format(played['spent'], '.2f'))}", 0)


def _goal(found: Found, value: Fraction) -> str:
    return percent(float(value)) if found.turn.is_chance else tr("{n} victory points", n=f"{float(value):.3f}")


def _cell(found: Found, value: Fraction) -> str:
    return percent(float(value)) if found.turn.is_chance else f"{float(value):.3f}"


def _more(found: Found, value: Fraction) -> str:
    """A difference: in points of a hundred, or in victory points."""
    return f"{100 * float(value):+.1f}" if found.turn.is_chance else f"{float(value):+.3f}"


def _points(found: Found) -> None:
    """What each number of command points comes to."""
    search = found.search
    say(tr("By command points"))
    top = max(abs(search.best(number).goal) for number in search.starts) or Fraction(1)
    rows = []
    for number in search.starts:
        value = search.best(number)
        gain = value.goal - search.best(number - 1).goal if number else Fraction(0)
        rows.append(
            [
                str(number),
                bar(float(max(value.goal, Fraction(0)) / top), 20),
                _cell(found, value.goal),
                _more(found, gain) if number else "",
                f"{float(value.spent):.2f}",
            ]
        )
    heads = ("", "", tr("best"), tr("more by this point"), tr("spent"))
    table(heads, rows, "rlrrr")
    more = _more(found, found.underdog)
    if found.turn.is_chance:
        paragraph("", tr("To be the underdog (5 for 4) adds {more} points.", more=more), 2)
    else:
        paragraph("", tr("To be the underdog (5 for 4) adds {more} victory points.", more=more), 2)


def _plan(found: Found) -> None:
    """Which command when."""
    search = found.search
    say(tr("What to do, and how often it comes to that"))
    if not found.advice:
        paragraph("", tr("No command adds anything."), 2)
        return
    for _, group in groupby(found.advice, key=lambda one: id(one.step)):
        lines = list(group)
        about_it = ", ".join(filter(None, (lines[0].unit, on_words(lines[0]))))
        paragraph("", f"  {phase_words(lines[0].step.phase)}: {about_it}", 0)
        shown = sorted(lines, key=lambda one: -one.chance)[:MOST_LINES]
        for one in lines:
            if one in shown:
                told = f"{choice_words(one, search)}: {when_words(one, search)}"
                paragraph(percent(float(one.chance)).rjust(10), told, 12)
        if len(lines) > len(shown):
            rest = float(sum(one.chance for one in lines) - sum(one.chance for one in shown))
            told = tr("on {n} other conditions; --json has them all", n=len(lines) - len(shown))
            paragraph(percent(rest).rjust(10), told, 12)
    paragraph("", tr("Where nothing is said, no command is used."), 2)


def _sets(found: Found) -> None:
    """Sets of commands that are bought whatever happens."""
    say(tr("Sets that are bought whenever they can be"))
    nothing = found.search.best(0).goal
    seen = {use for uses, _ in found.sets for use in uses}
    often = {one for one, times in Counter((use.command, use.unit) for use in seen).items() if times > 1}
    rows = []
    for uses, value in found.sets[:MOST_SETS]:
        cost = price(found.search, uses)
        gain = value.goal - nothing
        per = _more(found, gain / cost) if cost else ""
        rows.append([_named(found, uses, often), str(cost), _cell(found, value.goal), per, f"{float(value.spent):.2f}"])
    table((tr("commands"), tr("cost"), tr("comes to"), tr("gain per point"), tr("spent")), rows, "wrrrr")


def _named(found: Found, uses: tuple[Use, ...], often: Container[tuple[str, str]]) -> str:
    """The commands of a set; a phase where the same unit may use the same one more than once in the turn."""
    rules = commands(found.turn.edition)
    told = []
    for use in uses:
        phase = phase_words(found.search.steps[use.step].phase) if (use.command, use.unit) in often else ""
        told.append(f"{rules[use.command].name} ({', '.join(filter(None, (use.unit, phase)))})")
    return ", ".join(told) or tr("none")
