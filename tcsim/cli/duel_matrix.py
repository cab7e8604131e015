"""Many models against many, each pair a duel: a table for people, CSV, JSON, a figure."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

from tcsim.base.errors import one_line
from tcsim.base.lang import retold, tr
from tcsim.base.text import percent, plural
from tcsim.cli.figures import write_plot
from tcsim.cli.inputs import read_option
from tcsim.cli.matchup import WIDE, both, short_name

if TYPE_CHECKING:
    from tcsim.analysis.duels import DuelMatrix

#: Trials of a duel where none are given.
USUAL_TRIALS = 100_000

#: Most columns of one table: what stands in them has a decimal, so they are wider than those of a matchup.
COLUMNS = 6

#: Most characters of a warband's id.
ID = 30


def answer_matrix(warbands: tuple[str, str], flags: dict[str, Any], how: dict[str, Any], shown: dict[str, Any]) -> None:
    """Answer and print all duels of two warbands.

    Parameters
    ----------
    warbands : tuple of str
        Files or ids.
    flags : dict
        ``edition``, ``first``, ``rounds``, ``options``.
    how : dict
        ``method``, ``trials``, ``seed``, ``threads``.
    shown : dict
        ``as_json``, ``as_csv``, ``plot``.
    """
    from tcsim.analysis.duels import duel_matrix
    from tcsim.cli.terminal import print_csv, progress
    from tcsim.engines.answer import Plan

    one, other = both(*warbands, flags["edition"])
    asked = {name: flags[name] for name in ("first", "rounds") if flags[name] is not None}
    options = dict(read_option(text) for text in flags["options"])
    if options:
        asked["options"] = options
    plan = None
    if how["method"] == "monte-carlo":
        seed = 1 if how["seed"] is None else how["seed"]
        plan = Plan(trials=how["trials"] or USUAL_TRIALS, seed=seed, threads=how["threads"])
    with progress("fighting", len(one.models) * len(other.models)) as advance:
        found = duel_matrix(one, other, asked, plan, advance)
    if shown["as_json"]:
        sys.stdout.write(json.dumps(found.to_dict()) + "\n")
    elif shown["as_csv"]:
        print_csv(found.rows())
    else:
        _print(found)
    if shown["plot"] is not None:
        from tcsim.plots.figures.duel import matrix

        write_plot(shown["plot"], matrix(found))


def _print(found: DuelMatrix) -> None:
    from tcsim.cli.terminal import paragraph, print_notes, say

    how = tr("exact")
    if found.trials is not None:
        how = tr("{trials} trials a duel", trials=f"{found.trials:,}")
    one, other = (one_line(id, ID) for id in found.ids)
    say(f"{one} v. {other}   {found.edition}, {how}")
    first = one if found.first == "a" else other
    rounds = plural(found.rounds, "round")
    told = tr("Duels of {rounds} in contact; {who} is first in each.", rounds=rounds, who=first)
    paragraph("", told, 2)
    say()
    say(tr("{mine} wins against {theirs}", mine=one, theirs=other))
    _print_table(found, 0)
    say()
    say(tr("{mine} wins against {theirs}", mine=other, theirs=one))
    _print_table(found, 1)
    if any(cell is None for row in found.cells for cell in row):
        paragraph("", tr("–: one of the two has no melee attack."), 2)
    say()
    paragraph("", tr("The rest of each pair's chances: neither is out of action when the rounds are over."), 0)
    assumed = "; ".join([tr("no markers are spent"), *map(retold, found.assumed)])
    paragraph("", tr("Assumed: both stand, unhurt; {more}.", more=assumed), 0)
    print_notes(found.notes)


def _print_table(found: DuelMatrix, side: int) -> None:
    from tcsim.cli.terminal import say, table

    chances = found.chances("ab"[side])
    chances = chances if side == 0 else chances.T
    mine, theirs = found.sides[side].kits, found.sides[1 - side].kits
    for start in range(0, len(theirs), COLUMNS):
        if start:
            say()
        columns = range(start, min(start + COLUMNS, len(theirs)))
        names = [f"{j + 1}\n{short_name(theirs[j].unit.name, WIDE)}" for j in columns]
        lines = max(name.count("\n") for name in names)
        heads = [name + "\n " * (lines - name.count("\n")) for name in names]
        rows = []
        for i, kit in enumerate(mine):
            cells = ["–" if chances[i, j] != chances[i, j] else percent(float(chances[i, j])) for j in columns]
            rows.append([f"{i + 1} {kit.unit.name}", *cells])
        table(("", *heads), rows, "w" + "r" * len(columns))
