"""``tcsim matchup``: two warbands, and how often each model takes each of the others out by one activation."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from tcsim.base.errors import InputError
from tcsim.base.lang import label, mark, retold, tr
from tcsim.base.text import percent, signed
from tcsim.cli import lang_option
from tcsim.cli.inputs import WholeNumber, complete, one_form
from tcsim.cli.loadouts import given_loadouts

if TYPE_CHECKING:
    from tcsim.analysis.matchup import Cell, Matchup, Side
    from tcsim.catalog.warbands import Warband

#: Most columns of one table, and from how many on they are narrow.
COLUMNS, MANY = 8, 7

#: Letters of a name's words in wide and in narrow columns.
WIDE, NARROW = 7, 6


@click.command(
    epilog="""\b
Examples:
  tcsim matchup na-line hl-gunline
  tcsim matchup court-wrath tp-shrine --edition 1.0.2 --action melee
  tcsim matchup na-line bg-lord --csv
""",
)
@click.argument("first", metavar="A.toml|ID", shell_complete=complete("warband"))
@click.argument("second", metavar="B.toml|ID", shell_complete=complete("warband"))
@click.option("--edition", metavar="ID", default=None, help="Edition of warbands given by their id; default 1.6.3.")
@click.option(
    "--action",
    type=click.Choice(["best", "ranged", "melee"]),
    default="best",
    help="Shoot, Fight, or the better of them against each target (default).",
)
@click.option(
    "--method", type=click.Choice(["exact", "monte-carlo"]), default="exact", help="Exact (default), or roll the dice."
)
@click.option(
    "--trials", type=WholeNumber(1, 10**10), default=None, help="How many times to roll each cell; default 1e5."
)
@click.option("--seed", type=WholeNumber(0, 2**64 - 1), default=None, help="Seed of the dice; default 1.")
@lang_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON, every cell and every note in full.")
@click.option("--csv", "as_csv", is_flag=True, help="Print as CSV, a row per cell.")
def matchup(first: str, second: str, edition: str | None, action: str, **flags: Any) -> None:
    """Say how often each model of warband A takes each model of warband B out of action, and the other way round.

    A and B are warband files or ids of shipped warbands (tcsim catalog warbands). A cell is one Shoot or Fight action
    with what the model carries, against one that stands unhurt, at short range and in the open.
    """
    one_form(flags["as_json"], flags["as_csv"])
    if flags["method"] == "exact":
        for name in ("trials", "seed"):
            if flags[name] is not None:
                raise InputError("it goes with --method monte-carlo, an exact answer needs none", f"--{name}")
    from tcsim.analysis.matchup import matchup as work_out
    from tcsim.engines.answer import Plan

    one, other = both(first, second, edition)
    plan = None
    if flags["method"] == "monte-carlo":
        plan = Plan(trials=flags["trials"] or 100_000, seed=1 if flags["seed"] is None else flags["seed"])
    from tcsim.cli.terminal import print_csv, progress

    cells = 2 * len(one.models) * len(other.models)
    with progress("rolling", cells) as advance:
        found = work_out(one, other, action, plan, advance)
    if flags["as_json"]:
        sys.stdout.write(json.dumps(found.to_dict()) + "\n")
    elif flags["as_csv"]:
        print_csv(found.rows())
    else:
        _print(found, action)


def both(first: str, second: str, edition: str | None) -> tuple[Warband, Warband]:
    """Read both warbands; an id is of the edition that is named, or else of the other's file.

    Parameters
    ----------
    first, second : str
        Files or ids.
    edition : str or None
        What is named.

    Returns
    -------
    Warband, Warband
        Both.

    Raises
    ------
    InputError
        When one cannot be read, holds several warbands, or is of another edition.
    """
    texts = (first, second)
    files = [text for text in texts if "." in text or "/" in text]
    if edition is None and len(files) == 1:
        edition = given_loadouts(files[0], None)[0].edition
    found = []
    for text in texts:
        loadouts = given_loadouts(text, edition)
        if len(loadouts) > 1:
            raise InputError(f"there are {len(loadouts)} warbands in it, one is needed", text)
        found.append(loadouts[0])
    return found[0], found[1]


def _print(found: Matchup, action: str) -> None:
    from tcsim.cli.terminal import paragraph, print_notes, say

    how = tr("exact")
    if found.plan is not None:
        how = tr("{trials} trials a cell, seed {seed}", trials=f"{found.plan.trials:,}", seed=found.plan.seed)
    names = [side.warband.id for side in found.sides]
    say(f"{names[0]} v. {names[1]}   {found.sides[0].warband.edition}, {how}")
    paragraph("", tr("Out of action, by one activation: {what}.", what=tr(_WHAT[action])), 2)
    for number in (0, 1):
        say()
        say(tr("{mine} attacks {theirs}", mine=names[number], theirs=names[1 - number]))
        _print_table(found, number, action)
    for side in found.sides:
        say()
        _print_side(side, action)
    say()
    if found.plan is not None:
        told = mark("95% intervals reach at most {n} points to either side; --json and --csv have them.")
        paragraph("", tr(told, n=f"{100 * found.widest:.2f}"), 0)
    if any("TOUGH" in kit.keywords for side in found.sides for kit in side.kits):
        paragraph("", tr("The first time a TOUGH model would be out of action, it is Down."), 0)
    assumed = "; ".join(map(retold, found.assumed))
    paragraph("", tr("Assumed: a target that stands, unhurt; {more}.", more=assumed), 0)
    print_notes(found.notes)


_WHAT = {
    "best": mark("the better of Shoot (s) and Fight (f)"),
    "ranged": mark("one Shoot action"),
    "melee": mark("one Fight action"),
}


def _print_table(found: Matchup, number: int, action: str) -> None:
    from tcsim.cli.terminal import say, table

    attackers, targets = found.sides[number], found.sides[1 - number]
    for start in range(0, len(targets.kits), COLUMNS):
        if start:
            say()
        columns = range(start, min(start + COLUMNS, len(targets.kits)))
        narrow = len(columns) >= MANY
        names = [f"{j + 1}\n{short_name(targets.kits[j].unit.name, NARROW if narrow else WIDE)}" for j in columns]
        lines = max(name.count("\n") for name in names)
        heads = [name + "\n " * (lines - name.count("\n")) for name in names]  # so that the numbers stand in one line
        rows = []
        for i, kit in enumerate(attackers.kits):
            name = short_name(kit.unit.name, WIDE).replace("\n", " ") if narrow else kit.unit.name
            cells = [_cell(found.cells[number][i][j], action, narrow) for j in columns]
            rows.append([f"{i + 1} {name}", *cells])
        table(("", *heads), rows, "w" + "r" * len(columns))


def _cell(cell: Cell, action: str, narrow: bool) -> str:
    if cell.result is None or cell.option is None:
        return "–"
    letter = ("" if narrow else " ") + ("s" if cell.option.kind == "ranged" else "f")
    return percent(cell.out_of_action) + (letter if action == "best" else "")


def short_name(name: str, letters: int = WIDE) -> str:
    """Shorten a name to two words, one below the other.

    Parameters
    ----------
    name : str
        As ``Mechanised Heavy Infantry``.
    letters : int, optional
        Most letters of a word.

    Returns
    -------
    str
        Its first and last word, cut where they are too long.

    Examples
    --------
    >>> short_name("Mechanised Heavy Infantry").split()
    ['Mechan.', 'Infant.']
    """
    words = [word for word in name.split() if word[0].isalnum()]
    ends = words if len(words) < 3 else [words[0], words[-1]]
    return "\n".join(word if len(word) <= letters else word[: letters - 1] + "." for word in ends)


def _print_side(side: Side, action: str) -> None:
    from tcsim.cli.terminal import table

    rows = []
    for number, (kit, options) in enumerate(zip(side.kits, side.options, strict=True), 1):
        ways = [
            f"{'s' if option.kind == 'ranged' else 'f'} {option.label}"
            for option in options
            if action in ("best", option.kind)
        ]
        count = f" × {kit.model.count}" if kit.model.count > 1 else ""
        tough = f", {label('TOUGH')}" if "TOUGH" in kit.keywords else ""
        armour = signed(kit.armour_modifier) + tough
        rows.append([str(number), f"{kit.unit.name}{count}", armour, "; ".join(ways) or tr("no attack")])
    table(("", side.warband.id, tr("armour"), tr("attacks with")), rows, "rwlw")
