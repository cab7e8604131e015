"""``tcsim compare``: loadouts against targets, with what they cost, as tables, CSV, JSON or a figure."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from tcsim.base.errors import InputError
from tcsim.cli import lang_option
from tcsim.cli.comparing import cell_flags, loadout_flags, plan_of, terms_of
from tcsim.cli.figures import check_plot, plot_option, write_plot
from tcsim.cli.inputs import complete, one_form

if TYPE_CHECKING:
    import pandas as pd

    from tcsim.analysis.compare.answer import Comparison

#: What the cells of the tables show: the flag's word to the column of the frame.
SHOWN = {
    "out": "p_out",
    "down": "p_down_or_out",
    "expected-blood": "expected_blood",
    "attacks-50": "attacks_50",
    "attacks-80": "attacks_80",
    "attacks-95": "attacks_95",
}

_WEAPONS = "Attacks, as 'NAME,key=value,flag'; commas or // between several, ' + ' between those of one loadout."
_SITUATION = "Changes to every attack, as 'cover' or 'far=long_range,blood=1'; repeatable, a table each."
_ONLY = "Keep loadouts for which it holds: a column of the means, or a target, as 'cost_ducats<20'; repeatable."


@click.command(
    epilog="""\b
Examples:
  tcsim compare "Heavy Shotgun" "Siege Jezzail" --times 2 --spend all
  tcsim compare --weapons "Sword / Axe, Hellblade" --mix infantry
  tcsim compare "Sword / Axe + Pistol (melee),off_hand" --targets "0,-2" --csv
  tcsim compare Hellblade Bayonet --situation "blood=1 // blood=3" --spend all
""",
)
@click.option("--weapons", multiple=True, metavar="TEXT", shell_complete=complete("weapon"), help=_WEAPONS)
@loadout_flags
@click.option("--situation", "situations", multiple=True, metavar="TEXT", help=_SITUATION)
@cell_flags
@click.option(
    "--dice",
    type=click.Choice(["own", "shared"]),
    default=None,
    help="own (default), or shared: trial by trial the same for all cells, so that small differences show.",
)
@click.option(
    "--show",
    type=click.Choice(list(SHOWN)),
    default="out",
    help="What the tables show: out of action (default), Down or out, blood markers, attacks for 50, 80, 95%.",
)
@click.option(
    "--group-by",
    type=click.Choice(["situation", "target", "loadout"]),
    default="situation",
    help="A table for each situation (default), target or loadout; the latter show all columns.",
)
@click.option("--sort", metavar="COLUMN", help="By a column of the means, or a target; default: what is shown.")
@click.option("--only", multiple=True, metavar="CONDITION", help=_ONLY)
@plot_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON, every cell and every note in full.")
@click.option("--csv", "as_csv", is_flag=True, help="Print as CSV, a row per cell.")
@lang_option
def compare(loadouts: tuple[str, ...], as_json: bool, as_csv: bool, **flags: Any) -> int:
    """Say what each loadout does to each target, beside its price, and which differences matter.

    A loadout is an attack, several of them, a scenario file, or a file of models as tcsim catalog check reads it.
    Attacks that are made several times are made in an activation each, on one target that does nothing in between.
    """
    one_form(as_json, as_csv)
    check_plot(flags["plot"])
    if flags["plot"] and len(flags["situations"]) > 1:
        raise InputError("a figure shows one situation, several are given", "--plot")
    given = [*loadouts, *flags["weapons"]]
    if not given:
        raise InputError('give loadouts, as in: tcsim compare "Heavy Shotgun" "Siege Jezzail"')
    from tcsim.analysis.compare.answer import compare as work_out
    from tcsim.cli.terminal import print_csv, progress

    with progress("comparing", None) as advance:
        found = work_out(
            given,
            list(flags["targets"]) or None,
            list(flags["situations"]) or None,
            flags["mix"],
            plan_of(flags),
            advance,
            **terms_of(flags),
        )
    found, kept = chosen(found, SHOWN[flags["show"]] if flags["sort"] is None else flags["sort"], flags["only"])
    if as_json:
        sys.stdout.write(json.dumps(found.to_dict()) + "\n")
    elif as_csv:
        from tcsim.analysis.compare.answer import plain_rows

        print_csv(plain_rows(found.frame))
    else:
        from tcsim.cli.compare_table import print_comparison

        print_comparison(found, SHOWN[flags["show"]], flags["group_by"], kept)
    if flags["plot"]:
        write_plot(flags["plot"], drawn(found))
    return 0


def drawn(found: Comparison) -> Any:
    """Draw a comparison as a map of loadouts against targets.

    Parameters
    ----------
    found : Comparison
        Of one situation.

    Returns
    -------
    array of Axes
        One panel.

    Raises
    ------
    InputError
        Where there are more targets than fit.
    """
    from tcsim.analysis.compare.words import minus, setting
    from tcsim.plots import comparison

    frame = found.frame[["loadout", "target", "p_out", "cost_ducats", "weight"]].copy()
    frame["target"] = frame["target"].map({one.name: minus(one.label) for one in found.targets})
    frame["cost_ducats"] = frame["cost_ducats"].mask(found.frame["cost_glory"].fillna(0) > 0)
    return comparison(frame, setting(found))


def chosen(found: Comparison, sort: str, only: tuple[str, ...]) -> tuple[Comparison, int]:
    """Keep the loadouts that are wanted, in the wanted order.

    Parameters
    ----------
    found : Comparison
        Any.
    sort : str
        A column of the means, or the name of a target.
    only : tuple of str
        Conditions on the same columns; where there are several situations, of the first.

    Returns
    -------
    Comparison, int
        With those loadouts, and how many there were.

    Raises
    ------
    InputError
        When a column does not exist, or no loadout is left.
    """
    from tcsim.analysis.compare.pick import in_order, keep

    rows = in_order(keep(wide(found), only, "--only"), sort, "--sort")
    if rows.empty:
        raise InputError("no loadout is left", "--only")
    return found.picked(rows.index.tolist()), len(found.loadouts)


def wide(found: Comparison) -> pd.DataFrame:
    """Give a row per loadout of the first situation: the columns of the means, and P(out of action) of every target.

    Parameters
    ----------
    found : Comparison
        Any.

    Returns
    -------
    DataFrame
        ``attacks_50`` and the like are those of the first target.
    """
    sides = len(found.loadouts)
    rows = found.means.iloc[:sides].reset_index(drop=True)
    first = found.frame.iloc[: sides * len(found.targets)]
    for column in first.columns:
        if column.startswith("attacks_"):
            rows[column] = first[column].to_numpy()[:: len(found.targets)]
    for place, target in enumerate(found.targets):
        if target.name not in rows.columns:
            rows[target.name] = first["p_out"].to_numpy()[place :: len(found.targets)]
    return rows
