"""``tcsim value``: what weapons are worth their ducats: the front, who beats the rest, fair prices."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from tcsim.analysis.value.words import ceilings, fair_range, finding, over, per_kill, setting, short, stays
from tcsim.base.errors import InputError, one_line
from tcsim.base.lang import mark, retold, tr
from tcsim.base.text import percent
from tcsim.cli import lang_option
from tcsim.cli.figures import check_plot, plot_option, write_plot
from tcsim.cli.inputs import WholeNumber, catalog_option, complete, read_option

if TYPE_CHECKING:
    from tcsim.analysis.value.answer import Value
    from tcsim.analysis.value.fronts import Worth

#: Most dominated loadouts that are told without --all, most notes, and most characters of one.
MOST, MOST_NOTES, NOTE = 15, 6, 150

_WEAPONS = "Attacks, as for tcsim compare; default: every official weapon that is counted in full; repeatable."
_TARGETS = "Targets with weights, as '0, 2x -2,tough'; commas or // between several; repeatable."


@click.command(
    epilog="""\b
Examples:
  tcsim value --kind melee --mix steps
  tcsim value --weapons "Shotgun, Submachine Gun, Machine Gun" --targets "0, -1, -2" --times 2
  tcsim value --kind melee --faction new-antioch --mix infantry --plot front.png
""",
)
@click.argument("loadouts", nargs=-1, metavar="[LOADOUT|FILE]...")
@click.option("--weapons", multiple=True, metavar="TEXT", shell_complete=complete("weapon"), help=_WEAPONS)
@click.option("--kind", metavar="KIND", default="all", help="Of all weapons: ranged, melee, or all (default).")
@click.option("--targets", multiple=True, metavar="TEXT", shell_complete=complete("name"), help=_TARGETS)
@click.option("--mix", metavar="NAME|FILE", help="warbands (default), steps, infantry, elites, units.")
@click.option("--times", type=WholeNumber(1, 100), default=1, help="How often the attacks are made; default 1.")
@click.option("--spend", metavar="POLICY", shell_complete=complete("blood"), help="The target's blood on injury rolls.")
@click.option("--unit", metavar="TEXT", shell_complete=complete("unit"), help="Who attacks; not part of the price.")
@click.option("--faction", metavar="NAME", help="Who pays; default: the faction that pays least.")
@click.option("--edition", metavar="ID", shell_complete=complete("edition"), help="Rules edition: 1.6.3 or 1.0.2.")
@click.option(
    "--option", "options", multiple=True, metavar="KEY=VALUE", shell_complete=complete("option"), help="A rules option."
)
@catalog_option
@click.option(
    "--method", type=click.Choice(["exact", "monte-carlo"]), default="exact", help="Exact (default), or roll the dice."
)
@click.option("--trials", type=WholeNumber(1, 10**10), default=None, help="Trials of each cell; default 1e5.")
@click.option("--seed", type=WholeNumber(0, 2**64 - 1), default=None, help="Seed of the dice; default 1.")
@click.option("--all", "whole", is_flag=True, help="Show every dominated loadout.")
@plot_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON, with how sure each fair price is.")
@click.option("--csv", "as_csv", is_flag=True, help="Print as CSV, a row per loadout.")
@lang_option
def value(loadouts: tuple[str, ...], as_json: bool, as_csv: bool, whole: bool, **flags: Any) -> int:
    """Say what loadouts are worth their price against a mix of targets.

    On the front is what nothing beats: nothing costs no more and kills as often, and is better in one of the two. The
    fair prices of a loadout are those at which it would sit on the front of the others.
    """
    if as_json and as_csv:
        raise InputError("give one of --json and --csv")
    check_plot(flags["plot"])
    if flags["targets"] and flags["mix"]:
        raise InputError("targets and a mix are given; give one of the two", "--mix")
    from tcsim.analysis.value.answer import value as work_out
    from tcsim.cli.terminal import print_csv, progress

    with progress("comparing", None) as advance:
        found = work_out(
            [*loadouts, *flags["weapons"]] or None,
            list(flags["targets"]) or None,
            flags["mix"],
            flags["kind"],
            _plan(flags),
            advance,
            times=flags["times"],
            spend=flags["spend"],
            edition=flags["edition"],
            catalog=flags["catalogs"] or None,
            attacker=flags["unit"],
            faction=flags["faction"],
            options=dict(read_option(text) for text in flags["options"]),
        )
    if as_json:
        sys.stdout.write(json.dumps(found.to_dict()) + "\n")
    elif as_csv:
        print_csv([{str(name): cell for name, cell in row.items()} for row in found.frame.to_dict("records")])
    else:
        print_value(found, whole)
    if flags["plot"]:
        from tcsim.plots.figures.pareto import pareto

        if not found.fronts:
            raise InputError("no loadout has a price, so there is no front to draw", "--plot")
        currency = "ducats" if found.ducats is not None else "glory"
        rows = found.frame[found.frame["currency"] == currency]
        write_plot(flags["plot"], pareto(rows, currency, setting(found)))
    return 0


def _plan(flags: dict[str, Any]) -> Any:
    if flags["method"] == "exact":
        for name in ("trials", "seed"):
            if flags[name] is not None:
                raise InputError("it goes with --method monte-carlo, an exact answer needs none", f"--{name}")
        return None
    from tcsim.engines.answer import Plan

    return Plan(trials=flags["trials"] or 100_000, seed=1 if flags["seed"] is None else flags["seed"])


_GROUPS = {
    "ducats": mark("On the front: nothing costs no more ducats and kills as often"),
    "glory": mark("Priced in glory, a front of their own"),
}


def print_value(found: Value, whole: bool) -> None:
    """Print the fronts for the gaming table.

    Parameters
    ----------
    found : Value
        The answer.
    whole : bool
        Whether every dominated loadout is told.
    """
    from tcsim.cli.terminal import paragraph, say

    for currency, front in found.fronts.items():
        own = [one for one in front.found if one.on_front]
        if currency == "ducats":
            say(finding(front))
            say()
        paragraph("", tr(_GROUPS[currency]), 0)
        _print_rows(own, currency)
        say()
        others = sorted((one for one in front.found if not one.on_front), key=lambda one: (-over(one), one.name))
        if others:
            paragraph("", tr("Dominated, the most overpriced first"), 0)
            _print_dominated(others if whole else others[:MOST], currency)
            if len(others) > MOST and not whole:
                paragraph("", tr("{n} more are dominated: --all shows them.", n=len(others) - MOST), 2)
            say()
    _print_words(found)


def _print_rows(rows: list[Worth], currency: str) -> None:
    from tcsim.cli.terminal import table

    heads = (tr("loadout"), tr(currency), tr("chance"), tr("a kill"), tr("fair"), tr("highest"), tr("stays"))
    cells = [
        [
            short(one.name),
            str(one.cost),
            percent(one.chance),
            per_kill(one),
            fair_range(one),
            ceilings(one),
            stays(one),
        ]
        for one in rows
    ]
    table(heads, cells, "wrrrrrr")


def _print_dominated(rows: list[Worth], currency: str) -> None:
    from tcsim.cli.terminal import table

    heads = (tr("loadout"), tr(currency), tr("chance"), tr("fair"), tr("stays"), tr("beaten by"))
    cells = []
    for one in rows:
        by = short(one.beaten_by[0]) + (f" +{len(one.beaten_by) - 1}" if len(one.beaten_by) > 1 else "")
        cells.append([short(one.name), str(one.cost), percent(one.chance), fair_range(one), stays(one), by])
    table(heads, cells, "wrrrrw")


def _print_words(found: Value) -> None:
    from tcsim.cli.terminal import paragraph

    base = found.comparison
    told = [
        mark(
            "A kill: price by chance. Chances do not grow with the price, so it is told beside both, and never alone."
        ),
        mark(
            "Fair: prices at which it would sit on the front of the others. Highest, stays: how the highest of them "
            "moves, and how often it is on the front at its price, when the mix, the number of attacks or the others "
            "compared are changed; --json says each."
        ),
    ]
    for text in told:
        paragraph("", tr(text), 0)
    if found.apart:
        names = ", ".join(short(name) for name in found.apart[:8])
        more = f" +{len(found.apart) - 8}" if len(found.apart) > 8 else ""
        paragraph("", tr("On no front, without a price or priced in both: {names}.", names=names + more), 0)
    if found.left_out:
        paragraph("", tr("Not among them, not counted in full: {names}.", names=", ".join(found.left_out)), 0)
    paragraph("", setting(found), 0)
    if base.mix is not None and base.mix.why:
        paragraph("", tr("Mix: {why}.", why=tr(base.mix.why)), 0)
    how = tr("exact")
    if base.plan is not None:
        trials = base.plan.trials or 0
        how = tr("{trials} trials a cell, seed {seed}", trials=f"{trials:,}", seed=base.plan.seed)
    attacks = tr("attacks made {n} times", n=base.terms.times) if base.terms.times > 1 else tr("one attack action")
    paragraph("", f"{attacks}; {how}.", 0)
    for text in base.notes[:MOST_NOTES]:
        paragraph("", one_line(retold(text), NOTE), 0)
    if len(base.notes) > MOST_NOTES:
        paragraph("", tr("--json has {n} more notes.", n=len(base.notes) - MOST_NOTES), 0)
