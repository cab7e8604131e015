"""``tcsim catalog check`` and ``tcsim catalog warbands``: loadouts, what they cost, and whether they are legal."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from tcsim.base.errors import InputError
from tcsim.base.lang import label, tr
from tcsim.base.text import plural
from tcsim.cli import lang_option
from tcsim.cli.inputs import complete
from tcsim.rules import DEFAULT_EDITION

if TYPE_CHECKING:
    from tcsim.catalog.loadout import Checked
    from tcsim.catalog.warbands import Warband

#: Exit status for a loadout that is not legal: an answer, not a mistake of the input.
EXIT_NOT_LEGAL = 1


def given_loadouts(text: str, edition: str | None) -> tuple[Warband, ...]:
    """Read the loadouts that an argument names: a file, or the id of a warband that is shipped.

    Parameters
    ----------
    text : str
        A path that ends in .toml or .json, or an id.
    edition : str or None
        For an id; a file says its own, and must not say another.

    Returns
    -------
    tuple of Warband
        At least one.

    Raises
    ------
    InputError
        When there is no such file or id, or it is not a loadout, or of another edition.
    """
    from tcsim.catalog.warbands import read_warbands, warband

    if "." not in text and "/" not in text:
        return (warband(text, DEFAULT_EDITION if edition is None else edition),)
    found = read_warbands(text)
    for one in found:
        if edition is not None and one.edition != edition:
            raise InputError(f"it is of {one.edition}, --edition says {edition}", one.file)
    return found


@click.command(
    epilog="""\b
Examples:
  tcsim catalog check na-line
  tcsim catalog check bg-amalgam --edition 1.0.2 --json
""",
)
@click.argument("loadout", metavar="LOADOUT.toml|ID", shell_complete=complete("warband"))
@click.option("--edition", metavar="ID", default=None, help="Edition of a warband given by its id; default 1.6.3.")
@lang_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def check(loadout: str, edition: str | None, as_json: bool) -> int:
    """Say whether a loadout is legal and what it costs, or name every rule that is broken.

    LOADOUT is a TOML or JSON file with one model or with warbands, or the id of a warband that is shipped.

    Exit status: 0 legal, 1 not legal, 2 the input cannot be read.
    """
    from tcsim.catalog.loadout import check as check_loadout

    found = [check_loadout(one) for one in given_loadouts(loadout, edition)]
    legal = all(one.legal for one in found)
    if as_json:
        sys.stdout.write(json.dumps({"legal": legal, "loadouts": [one.to_dict() for one in found]}) + "\n")
    else:
        from tcsim.cli.terminal import say

        for number, one in enumerate(found):
            if number:
                say()
            _print_checked(one)
    return 0 if legal else EXIT_NOT_LEGAL


@click.command(
    epilog="""\b
Example:
  tcsim catalog warbands --edition 1.0.2
""",
)
@click.option("--edition", metavar="ID", default=DEFAULT_EDITION, help="Rules edition; default 1.6.3.")
@lang_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def warbands(edition: str, as_json: bool) -> None:
    """List the starting warbands that are shipped, for check and matchup."""
    from tcsim.catalog import shipped_warbands
    from tcsim.catalog.loadout import check as check_loadout

    found = [check_loadout(one) for one in shipped_warbands(edition)]
    if as_json:
        sys.stdout.write(json.dumps([one.to_dict() | {"description": one.warband.description} for one in found]) + "\n")
        return
    from tcsim.cli.terminal import table

    rows = [[one.warband.id, *map(str, (one.number, one.elite, one.cost())), one.warband.description] for one in found]
    table(("id", tr("models"), label("ELITE"), tr("ducats"), ""), rows, "lrrrw")


def money(ducats: int, glory: int) -> str:
    """Write a cost.

    Parameters
    ----------
    ducats, glory : int
        How much of each.

    Returns
    -------
    str
        As ``35 ducats`` or ``35 ducats + 2 glory``.

    Examples
    --------
    >>> money(35, 0), money(0, 2)
    ('35 ducats', '2 glory')
    """
    parts = [tr("{n} ducats", n=ducats)] if ducats or not glory else []
    return " + ".join([*parts, *([tr("{n} glory", n=glory)] if glory else [])])


def _print_checked(one: Checked) -> None:
    from tcsim.cli.terminal import paragraph, say, table

    warband = one.warband
    broken = plural(len(one.breaches), "rule is", "rules are")
    verdict = tr("legal") if one.legal else tr("not legal, {rules} broken", rules=broken)
    say(f"{verdict}   {money(one.cost(), one.cost('glory'))}")
    name = one.kits[0].unit.name if warband.single else warband.id
    elite = tr("{n} ELITE", n=one.elite) if one.elite else tr("no ELITE")
    size = "" if warband.single else f", {plural(one.number, 'model')}, {elite}"
    paragraph("", f"{name}, {warband.faction}, {warband.edition}{size}", 2)
    if one.breaches:
        say()
    for breach in one.breaches:
        whose = f"{breach.model}: " if breach.model else ""
        paragraph("  *", f"{whose}{breach.text} ({breach.source}).", 4)
    say()
    rows: list[list[str]] = []
    for kit in one.kits:
        lines = ", ".join(f"{label(name)} {_short(price)}" for name, price in kit.bill)
        fixed = [item.name for item, is_fixed in kit.carried if is_fixed]
        free = tr("; with it {items}", items=", ".join(map(label, fixed))) if fixed else ""
        count = kit.model.count
        cost = _plain_money(kit.cost(), kit.cost("glory"))
        total = _plain_money(count * kit.cost(), count * kit.cost("glory"))
        rows.append([str(count), lines + free, cost, total])
    if not warband.single:
        rows.append(["", "", "", _plain_money(one.cost(), one.cost("glory"))])
    table(("", tr("bill"), tr("each"), tr("ducats")), rows, "rwrr")
    if one.notes:
        say()
    for text in one.notes:
        paragraph("", text, 2)


def _plain_money(ducats: int, glory: int) -> str:
    """A cost in a column of ducats."""
    return f"{ducats}" if not glory else money(ducats, glory)


def _short(price: Any) -> str:
    return f"{price.amount}" if price.currency == "ducats" else f"{price.amount} glory"
