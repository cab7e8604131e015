"""``tcsim value``: what weapons are worth their ducats: the front, who beats the rest, fair prices."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from tcsim.analysis.compare.words import setting
from tcsim.analysis.value.words import ceilings, fair_range, finding, over, per_kill, short, stays, who
from tcsim.base.errors import InputError
from tcsim.base.lang import mark, tr
from tcsim.base.text import percent
from tcsim.cli import lang_option
from tcsim.cli.comparing import cell_flags, loadout_flags, plan_of, terms_of
from tcsim.cli.figures import check_plot, plot_option, write_plot
from tcsim.cli.inputs import complete, one_form

if TYPE_CHECKING:
    from tcsim.analysis.value.answer import Value
    from tcsim.analysis.value.fronts import Worth

#: Most dominated loadouts that are told without --all, most notes, and most characters of one.
MOST = 15

_WEAPONS = "Attacks, as for tcsim compare; default: every official weapon that is counted in full; repeatable."


@click.command(
    epilog="""\b
Examples:
  tcsim value --kind melee --mix steps
  tcsim value --weapons "Shotgun, Submachine Gun, Machine Gun" --targets "0, -1, -2" --times 2
  tcsim value --kind melee --faction new-antioch --mix infantry --plot front.png
""",
)
@click.option("--weapons", multiple=True, metavar="TEXT", shell_complete=complete("weapon"), help=_WEAPONS)
@click.option("--kind", metavar="KIND", default="all", help="Of all weapons: ranged, melee, or all (default).")
@loadout_flags
@cell_flags
@click.option("--all", "whole", is_flag=True, help="Show every dominated loadout.")
@plot_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON, with how sure each fair price is.")
@click.option("--csv", "as_csv", is_flag=True, help="Print as CSV, a row per loadout.")
@lang_option
def value(loadouts: tuple[str, ...], as_json: bool, as_csv: bool, whole: bool, **flags: Any) -> int:
    """Say what loadouts are worth their price against a mix of targets.

    On the front is what nothing beats: nothing costs no more and kills as often, and is better in one of the two. The
    fair prices of a loadout are those at which it would sit on the front of the others. The mix is warbands where
    neither targets nor a mix are given.
    """
    one_form(as_json, as_csv)
    check_plot(flags["plot"])
    from tcsim.analysis.value.answer import value as work_out
    from tcsim.cli.terminal import print_csv, progress

    with progress("comparing", None) as advance:
        found = work_out(
            [*loadouts, *flags["weapons"]] or None,
            list(flags["targets"]) or None,
            flags["mix"],
            flags["kind"],
            plan_of(flags),
            advance,
            **terms_of(flags),
        )
    if as_json:
        sys.stdout.write(json.dumps(found.to_dict()) + "\n")
    elif as_csv:
        print_csv(found.frame.to_dict("records"))
    else:
        print_value(found, whole)
    if flags["plot"]:
        from tcsim.plots.figures.pareto import pareto

        if not found.fronts:
            raise InputError("no loadout has a price, so there is no front to draw", "--plot")
        currency = "ducats" if found.ducats is not None else "glory"
        rows = found.frame[found.frame["currency"] == currency]
        write_plot(flags["plot"], pareto(rows, currency, f"{setting(found.comparison)} {who(found)}"))
    return 0


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
            paragraph("", finding(front), 0)
            say()
        paragraph("", tr(_GROUPS[currency]), 0)
        _print_rows(own, currency)
        say()
        others = sorted((one for one in front.found if not one.on_front), key=lambda one: (-over(one), one.name))
        if others:
            paragraph("", tr("Dominated, the most overpriced first"), 0)
            _print_dominated(others if whole else others[:MOST], currency)
            if len(others) > MOST and not whole:
                more = len(others) - MOST
                told = mark("{n} more are dominated: --all shows them.")
                if more == 1:
                    told = mark("{n} more is dominated: --all shows it.")
                paragraph("", tr(told, n=more), 2)
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
    from tcsim.cli.terminal import paragraph, print_notes

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
    if any(len(one.beaten_by) > 1 for front in found.fronts.values() for one in front.found):
        paragraph("", tr("+1, +2: so many more beat it."), 0)
    if found.apart:
        names = ", ".join(short(name) for name in found.apart[:8])
        more = f" +{len(found.apart) - 8}" if len(found.apart) > 8 else ""
        paragraph("", tr("On no front, without a price or priced in both: {names}.", names=names + more), 0)
    if found.left_out:
        paragraph("", tr("Not among them, not counted in full: {names}.", names=", ".join(found.left_out)), 0)
    paragraph("", who(found), 0)
    attacks = tr("Attacks made {n} times", n=base.terms.times) if base.terms.times > 1 else tr("One activation")
    paragraph("", f"{attacks}. {setting(base)}", 0)
    print_notes(base.notes)
