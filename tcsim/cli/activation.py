"""``tcsim activation``: how far a whole activation gets, what it does to its target, and its best order."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from tcsim.base.errors import InputError
from tcsim.base.lang import mark, retold, tr
from tcsim.base.text import about, decimals_for, percent, plural
from tcsim.cli import lang_option, terminal
from tcsim.cli.given import lay_over, scenario_flags
from tcsim.cli.inputs import WholeNumber, catalog_option
from tcsim.cli.terminal import paragraph, say, table
from tcsim.scenario.written import read_step
from tcsim.situations.activation_words import order_in_words, step_in_words

if TYPE_CHECKING:
    from tcsim.situations.activation import ActivationResult


@click.command(
    context_settings={"token_normalize_func": lambda token: token.replace("_", "-")},
    epilog="""\b
Examples:
  tcsim activation --move 6 --attack "Sword / Axe,defended_obstacle" --step dash \\
      --step charge,distance=9 --step "move in melee" --step "attack 1"
  tcsim activation --attack ranged --step dash --step "attack 1" --best-order
""",
)
@click.argument("file", required=False, metavar="[FILE.toml|.json]")
@scenario_flags
@click.option(
    "--step",
    "steps",
    multiple=True,
    metavar="TEXT",
    help="A step, as dash, 'charge,distance=9', 'attack 1', 'move in melee'; repeatable, in order.",
)
@click.option("--move", type=float, metavar="INCHES", help="The attacker's Movement; default: its unit's.")
@click.option("--in-melee", is_flag=True, default=None, help="It begins in contact with the target.")
@click.option("--shaken", is_flag=True, default=None, help="It is Shaken.")
@click.option("--best-order", is_flag=True, help="Look at every legal order of the steps, and tell the best ones.")
@click.option(
    "--method",
    type=click.Choice(["exact", "monte-carlo"]),
    default="exact",
    help="Exact (default), or roll the dice.",
)
@click.option("--trials", type=WholeNumber(1, 10**13), help="How many times to play it, up to 1e13; default 1e6.")
@click.option("--seed", type=WholeNumber(0, 2**64 - 1), help="Seed of the dice; default 1.")
@catalog_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@lang_option
def activation(
    file: str | None,
    best_order: bool,
    method: str,
    trials: int | None,
    seed: int | None,
    catalogs: tuple[str, ...],
    as_json: bool,
    **flags: Any,
) -> None:
    """Say how far a whole activation gets: dash, charge, attacks and the rest in order, risky steps ending it.

    The file is a scenario (see tcsim odds) with a table [activation] beside it; flags override it.
    """
    from tcsim.situations.activation import USUAL_TRIALS
    from tcsim.situations.activation import activation as answer

    for name, value in (("--trials", trials), ("--seed", seed)):
        if method == "exact" and value is not None:
            raise InputError("it goes with --method monte-carlo, an exact answer needs none", name)
    data = _given(file, flags)
    how: dict[str, Any] = {"best_order": best_order, "catalog": catalogs or None}
    if method == "exact":
        result = answer(data, method, trials, **how)
    else:
        with terminal.progress("rolling", trials or USUAL_TRIALS) as advance:
            result = answer(data, method, trials, 1 if seed is None else seed, progress=advance, **how)
    if as_json:
        sys.stdout.write(json.dumps(result.to_dict()) + "\n")
        return
    _print(result)


def _given(file: str | None, flags: dict[str, Any]) -> Any:
    """The file with the flags over it, or what the flags say alone."""
    from tcsim.base.files import parse_file
    from tcsim.scenario.read import from_mapping

    if file is None and not (flags["attacks"] and flags["steps"]):
        raise InputError(
            "give a file, or --attack and --step, as in: tcsim activation --attack ranged --step 'attack 1'"
        )
    data = parse_file(file) if file is not None else {"activation": {}}
    if not isinstance(data, dict):
        return data
    if file is not None:
        from_mapping({name: value for name, value in data.items() if name != "activation"})  # its own mistakes first
    table = data.get("activation")
    if isinstance(table, dict):
        steps = [read_step(text, f"--step {number}") for number, text in enumerate(flags["steps"], 1)]
        given = {"steps": steps or None, **{name: flags[name] for name in ("move", "in_melee", "shaken")}}
        data["activation"] = table | {name: value for name, value in given.items() if value is not None}
    return lay_over(data, flags)


def _print(result: ActivationResult) -> None:
    from tcsim.cli.odds_table import print_question
    from tcsim.engines.result import Result, Run

    trials = result.trials
    _answer(result)
    say(tr("Down           {p}", p=percent(result.down)))
    say(tr("Ended early    {p}", p=percent(result.ended_early)))
    say()
    run = None if trials is None else Run(trials, result.seed or 0, 0, {})
    print_question(Result(result.resolved, result.method, [], run))
    say()
    _steps(result)
    if result.legal_orders:
        say()
        _orders(result)
    say()
    for note in result.notes:
        paragraph("", retold(note), 0)
    assumed = "; ".join(map(tr, result.resolved.assumed)) or tr("nothing beyond what was given")
    paragraph("", tr("Assumed: {assumed}.", assumed=assumed), 0)


def _answer(result: ActivationResult) -> None:
    odds = about(result.out_of_action)
    if result.trials is None:
        say(tr("Out of action  {p}   ({odds})", p=percent(result.out_of_action), odds=odds))
        return
    count = round(result.out_of_action * result.trials)
    if count in (0, result.trials):  # counted, so it is not "never" or "always"
        odds = tr("{count} of {trials}", count=f"{count:,}", trials=f"{result.trials:,}")
    low, high = result.interval(count)
    places = decimals_for(low, high)
    within = tr("{low} to {high}", low=percent(low, places), high=percent(high, places))
    chance = percent(result.out_of_action, places)
    say(tr("Out of action  {p}   ({odds})   95% interval {within}", p=chance, odds=odds, within=within))


def _steps(result: ActivationResult) -> None:
    total = result.trials or 1
    rows = []
    for number, point in enumerate(result.points, 1):
        ends = percent(point.ends / total) if point.ends else ""
        chances = [percent(point.reached / total), ends, percent(point.down / total), percent(point.out / total)]
        rows.append([str(number), step_in_words(point.step), *chances])
    heads = (tr("step"), tr("gets here"), tr("ends here"), tr("Down"), tr("out by now"))
    table(("", *heads), rows, "rwrrrr")
    told = mark("Gets here: before the step, and the target is not out yet. Down, out by now: after the step.")
    notes = [tr(told)]
    if result.trials is not None:
        counts = {count for point in result.points for count in (point.reached, point.ends, point.down, point.out)}
        widest = max((high - low) / 2 for low, high in map(result.interval, counts))
        notes.append(tr("Counted: each number is right to ±{p} points (95%).", p=f"{100 * widest:.2g}"))
    paragraph("", " ".join(notes), 2)


def _orders(result: ActivationResult) -> None:
    say(tr("Best orders, of {count}", count=plural(result.legal_orders, "legal order")))
    given = tuple(point.step for point in result.points)
    rows = []
    for number, order in enumerate(result.orders, 1):
        steps = order_in_words(order.steps)
        mine = "<" if order.steps == given else ""
        rows.append([str(number), steps, percent(order.out), percent(order.ended), str(order.orders), mine])
    table(("", tr("order"), tr("out"), tr("ended early"), tr("ties"), ""), rows, "rwrrrl")
    told = mark(
        "Ties: how many orders have this chance of out of action; told is the one that ends early least often. "
        "A mark (<) is on the order above."
    )
    paragraph("", tr(told), 2)
