"""``tcsim pool``: the distribution of one pool of dice."""

from __future__ import annotations

import json
import sys

import click

from tcsim.cli import lang_option
from tcsim.cli.inputs import WholeNumber
from tcsim.dice import MAX_KEEP, MAX_MODIFIER, MAX_NET, MAX_SIDES, Pool


@click.command(
    epilog="""\b
Examples:
  tcsim pool --net 1
  tcsim pool --net -5 --keep 3 --modifier -2 --json
""",
)
@click.option(
    "--net",
    type=WholeNumber(-MAX_NET, MAX_NET),
    default=0,
    help="Net +/-DICE: +2 rolls two more and keeps the highest, -2 the lowest.",
)
@click.option("--keep", type=WholeNumber(1, MAX_KEEP), default=2, help="Dice that are kept; default 2.")
@click.option("--sides", type=WholeNumber(2, MAX_SIDES), default=6, help="Faces of each die; default 6.")
@click.option("--modifier", type=WholeNumber(-MAX_MODIFIER, MAX_MODIFIER), default=0, help="Added to the total.")
@click.option("--json", "as_json", is_flag=True, help="Print the distribution as JSON.")
@lang_option
def pool(net: int, keep: int, sides: int, modifier: int, as_json: bool) -> None:
    """Give the exact distribution of a pool: roll keep + |net| dice, keep the best or worst, add the modifier."""
    dice = Pool(net, keep, sides, modifier)
    if as_json:
        sys.stdout.write(json.dumps(dice.to_dict()) + "\n")
        return
    from tcsim.base.lang import tr
    from tcsim.base.text import percent, signed
    from tcsim.cli.terminal import bar, say, table

    kept = tr(", keep the highest {n}" if net > 0 else ", keep the lowest {n}", n=keep) if net else ""
    mean = tr("mean {number}", number=f"{float(dice.mean()):.2f}")
    say(f"{dice.dice}D{sides}{kept}{f', {signed(modifier)}' if modifier else ''}   {mean}")
    say()
    counts, total = dice.counts(), dice.denominator
    top = max(counts.values())
    rows, at_least = [], total
    for value, count in counts.items():
        p = count / total
        rows.append([_total(value), bar(count / top), percent(p, 2), percent(at_least / total, 2)])
        at_least -= count
    table((tr("total"), "", tr("exactly"), tr("at least")), rows, "rlrr")


def _total(value: int) -> str:
    """Write a total: not a modifier, so only a minus is written."""
    return f"−{-value}" if value < 0 else str(value)
