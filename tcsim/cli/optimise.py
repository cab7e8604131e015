"""``tcsim optimise``: the best legal loadouts of a unit for a budget, proven best, with the runners-up."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from tcsim.base.lang import label, mark, retold, tr
from tcsim.base.text import about, percent, plural
from tcsim.cli import lang_option
from tcsim.cli.comparing import MIX, TARGETS
from tcsim.cli.inputs import complete, one_form
from tcsim.cli.loadouts import money
from tcsim.rules import DEFAULT_EDITION

if TYPE_CHECKING:
    from tcsim.analysis.optimise.answer import Choice, Optimum

_AGAINST = "An attack on the model, as 'Bolt-Action Rifle' or '3x melee,CRITICAL', for survive and both; repeatable."


@click.command(
    epilog="""\b
Examples:
  tcsim optimise --unit Yeoman --budget 80
  tcsim optimise --unit Janissary --budget 120 --targets "0, 2x -2,tough" --action melee
  tcsim optimise --unit Lieutenant --budget 150 --goal both --against "Bolt-Action Rifle"
""",
)
@click.option("--unit", metavar="NAME", required=True, shell_complete=complete("unit"), help="The unit.")
@click.option("--budget", type=int, metavar="N", required=True, help="Ducats for the model with all it takes.")
@click.option("--glory", type=int, metavar="N", default=0, help="Glory that may be spent too; default none.")
@click.option("--faction", metavar="NAME", help="Whose warband it is in; default: the unit's own.")
@click.option("--targets", multiple=True, metavar="TEXT", shell_complete=complete("name"), help=TARGETS)
@click.option("--mix", metavar="NAME|FILE", help=MIX)
@click.option(
    "--goal",
    metavar="GOAL",
    default="out",
    help="out (default), down, survive, or both: out of action, and the model survives --against.",
)
@click.option(
    "--action", metavar="ACTION", default="best", help="ranged, melee, or the better of them for each target (default)."
)
@click.option("--times", type=int, metavar="N", default=1, help="How often the action is made; default 1.")
@click.option("--against", multiple=True, metavar="ATTACK", help=_AGAINST)
@click.option(
    "--spend",
    metavar="POLICY",
    default="none",
    shell_complete=complete("blood"),
    help="The blood of whoever is attacked, on injury rolls: none (default), all, bloodbath, greedy or optimal.",
)
@click.option("--runners-up", type=int, metavar="N", default=5, help="How many more loadouts; default 5.")
@click.option(
    "--edition", metavar="ID", default=DEFAULT_EDITION, shell_complete=complete("edition"), help="Rules edition."
)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON, with every scenario that was asked.")
@click.option("--csv", "as_csv", is_flag=True, help="Print as CSV, a row per loadout and target.")
@lang_option
def optimise(unit: str, budget: int, targets: tuple[str, ...], as_json: bool, as_csv: bool, **flags: Any) -> int:
    """Find the best legal loadouts of a unit for a budget: the answer is proven best, and the runners-up are told.

    Everything that the unit may take is looked at, by the rules of tcsim catalog check. The default mix of targets is
    the models of the shipped starting warbands, by armour and TOUGH. Ctrl-C gives the best found so far.
    """
    one_form(as_json, as_csv)
    from tcsim.analysis.optimise.answer import optimise as work_out
    from tcsim.cli.terminal import print_csv, progress

    flags["against"] = list(flags["against"]) or None
    edition, mix = flags.pop("edition"), flags.pop("mix")
    with progress("searching", None) as advance:
        found = work_out(unit, budget, list(targets) or None, mix, edition, advance, **flags)
    if as_json:
        sys.stdout.write(json.dumps(found.to_dict()) + "\n")
    elif as_csv:
        print_csv(found.frame.to_dict("records"))
    else:
        print_optimum(found)
    if found.partial:
        raise KeyboardInterrupt
    return 0


_GOALS = {
    "out": mark("Out of action"),
    "down": mark("Down or out of action"),
    "survive": mark("Survives"),
    "both": mark("Out of action, and survives"),
}


def print_optimum(found: Optimum) -> None:
    """Print the best loadouts for the gaming table.

    Parameters
    ----------
    found : Optimum
        The answer.
    """
    from tcsim.cli.terminal import paragraph, print_notes, say

    unit, goal = found.recruit.unit, found.settings.goal
    if not found.choices:
        say(tr("Nothing legal for this budget"))
        alone = money(*_paid(found.recruit.price))
        told = tr("{unit} costs {cost} with nothing more; {budget} may be spent.", unit=unit.name, cost=alone,
                  budget=money(found.budget, found.settings.glory))  # fmt: skip
        paragraph("", told, 2)
        _print_proof(found)
        return
    best = found.choices[0]
    say(f"{tr(_GOALS[goal])}  {percent(best.value)}   ({about(best.value)})")
    paragraph("", f"{label(unit.name)}: {_taken(best)}", 2)
    left = tr("{cost} of {budget}", cost=money(best.kit.cost(), best.kit.cost("glory")),
              budget=money(found.budget, found.settings.glory))  # fmt: skip
    paragraph("", f"{left}; {found.recruit.faction.name}, {unit.edition}, {tr('exact')}", 2)
    bill = ", ".join(f"{label(name)} {money(*_paid(price))}" for name, price in best.kit.bill)
    paragraph("", f"{tr('bill')}: {bill}", 2)
    if best.survives is not None:
        parts = [tr("survives {p}", p=percent(best.survives))]
        if best.strike is not None:
            parts.insert(0, tr("out of action {p}", p=percent(best.strike)))
        paragraph("", "; ".join(parts), 2)
    if best.strikes:
        say()
        _print_strikes(found, best)
    if len(found.choices) > 1:
        say()
        _print_choices(found)
    say()
    _print_proof(found)
    print_notes(found.notes)


def _paid(price: Any) -> tuple[int, int]:
    return (price.amount, 0) if price.currency == "ducats" else (0, price.amount)


def _taken(choice: Choice) -> str:
    return ", ".join(label(part) for part in choice.name.split(", ")) or tr("nothing more")


def _print_strikes(found: Optimum, best: Choice) -> None:
    from tcsim.analysis.compare.words import minus
    from tcsim.cli.terminal import table

    total = sum(one.target.weight for one in best.strikes)
    kinds = {"ranged": mark("Shoot"), "melee": mark("Fight")}
    rows = [
        [
            minus(one.target.label),
            percent(one.target.weight / total, 0),
            tr(kinds[one.kind]) if one.kind else "–",
            one.weapons or tr("no attack"),
            percent(one.chance),
        ]
        for one in best.strikes
    ]
    title = tr("Down or out of action") if found.settings.goal == "down" else tr("out of action")
    table((tr("target"), tr("weight"), "", tr("attacks with"), title), rows, "wrlwr")


def _print_choices(found: Optimum) -> None:
    from tcsim.cli.terminal import table

    both = found.settings.goal == "both"
    heads = ["", tr("ducats"), tr(_GOALS[found.settings.goal]) if not both else tr("both")]
    heads += [tr("out of action"), tr("survives")] if both else []
    rows = []
    for rank, choice in enumerate(found.choices, 1):
        glory = choice.kit.cost("glory")
        cost = str(choice.kit.cost()) + (f" + {tr('{n} glory', n=glory)}" if glory else "")
        row = [str(rank), cost, percent(choice.value)]
        row += [percent(choice.strike or 0.0), percent(choice.survives or 0.0)] if both else []
        rows.append([*row, _taken(choice)])
    table((*heads, tr("takes")), rows, "r" * len(heads) + "w")


def _print_proof(found: Optimum) -> None:
    from tcsim.cli.terminal import paragraph

    counts = found.counts
    if found.partial:
        paragraph("", tr("Stopped: these are the best found so far, better ones may not have been met."), 0)
    elif found.choices:
        paragraph("", tr("Proven best: no legal loadout for this budget has a greater chance."), 0)
    told = mark(
        "Combinations of all that may be bought: {combinations}. With something that changes no chance asked about: "
        "{idle}; over the budget, against a rule, or worn in vain: {broken}; cut by a bound: {bound}; compared: "
        "{valued}, from {solved} exact answers."
    )
    paragraph("", tr(told, **{name: f"{number:,}" for name, number in counts.to_dict().items()}), 0)
    if not found.choices:
        return
    if found.question.targets:
        assumed = mark(
            "Assumed: short range, no cover, a target that stays as it is given; {times}, the way to attack picked for "
            "each target."
        )
        paragraph("", tr(assumed, times=plural(found.settings.times, "action")), 0)
    paragraph("", tr("Blood spent on injury rolls: {policy}.", policy=found.settings.spend), 0)
    if found.mix is not None:
        paragraph("", tr("Targets: {why}.", why=retold(found.mix.why)), 0)
    paragraph("", tr("No part of a loadout that is shown is legal and as good."), 0)
