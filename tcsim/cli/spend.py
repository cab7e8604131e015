"""``tcsim spend``: when to spend blood markers and when to save them, and what it is worth."""

from __future__ import annotations

import json
import sys
from typing import TYPE_CHECKING, Any

import click

from tcsim.base.errors import InputError
from tcsim.base.files import check_writable
from tcsim.base.lang import mark, tr
from tcsim.base.text import about, percent
from tcsim.cli import lang_option
from tcsim.cli.figures import check_plot, plot_option, write_plot
from tcsim.cli.given import asked, scenario_flags
from tcsim.cli.inputs import WholeNumber, catalog_option, one_form
from tcsim.cli.sharing import flag_words, share, sharing_options, wants_sharing
from tcsim.cli.terminal import print_csv

if TYPE_CHECKING:
    from tcsim.analysis.spending import Spending, Way
    from tcsim.engines.advice import Grid

#: Most rows of advice that are printed; --json and --csv have all.
MAX_ROWS = 30


@click.command(
    context_settings={"token_normalize_func": lambda token: token.replace("_", "-")},
    epilog="""\b
Examples:
  tcsim spend --attack "melee,times=3" --injury-modifier -3 --target-blood 3
  tcsim spend --attack "Submachine Gun" --target-blood 5 --tough --worth
  tcsim spend --attack "melee,times=2" --target-blood 4 --goal down --json
""",
)
@click.argument("scenario", required=False, metavar="[SCENARIO.toml|.json]")
@scenario_flags
@catalog_option
@click.option("--save-policy", metavar="FILE", help="Write optimal spending as a policy file (.toml, .csv).")
@plot_option
@click.option("--worth", is_flag=True, help="Also print the value by blood markers at the start, 0 to 6.")
@click.option(
    "--trials",
    type=WholeNumber(1, 10**10),
    default=None,
    help="How many times to roll every policy, beside its exact value.",
)
@click.option("--seed", type=WholeNumber(0, 2**64 - 1), default=None, help="Seed of the dice; default 1.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the advice as CSV; with --worth, the values.")
@sharing_options
@lang_option
def spend(scenario: str | None, catalogs: tuple[str, ...], **flags: Any) -> None:
    """Say when to spend the target's blood markers on injury rolls and when to save them.

    The scenario is given as to tcsim odds; its own --spend is left aside. Optimal spending is compared with every fixed
    policy and with each --policy FILE of yours.
    """
    form = wants_sharing(flags, as_json=flags["as_json"], as_csv=flags["as_csv"])
    how = {name: flags.pop(name) for name in ("save_policy", "plot", "worth", "trials", "seed", "as_json", "as_csv")}
    one_form(how["as_json"], how["as_csv"])
    if how["seed"] is not None and how["trials"] is None:
        raise InputError("it goes with --trials, exact values need none", "--seed")
    check_plot(how["plot"])
    if how["save_policy"] is not None:
        check_writable(how["save_policy"], "--save-policy")
    policies, flags["policies"] = flags["policies"], ()
    question = asked(scenario, flags, catalogs)
    if form is not None:
        seed = 1 if how["trials"] is not None and how["seed"] is None else how["seed"]
        own = {"policy": policies, "worth": how["worth"], "trials": how["trials"], "seed": seed}
        share(question, form, ["spend"], flag_words(own, {}), catalogs)
        return
    from tcsim.analysis.spending import spend as work_out

    seed = 1 if how["seed"] is None else how["seed"]
    found = work_out(question, policies=policies, trials=how["trials"] or 0, seed=seed)
    if how["save_policy"] is not None:
        found.save(how["save_policy"])
    if how["plot"] is not None:
        from tcsim.plots.figures.spending import spending_map

        write_plot(how["plot"], spending_map(found))
    if how["as_json"]:
        sys.stdout.write(json.dumps(found.to_dict()) + "\n")
    elif how["as_csv"]:
        rows = found.to_dict()["worth"] if how["worth"] else found.advice_rows()
        print_csv(rows)
    else:
        _print(found, how["worth"])


def _print(found: Spending, worth: bool) -> None:
    from tcsim.analysis.advice_words import goal_words
    from tcsim.cli.odds_table import print_assumed, print_question
    from tcsim.cli.terminal import say
    from tcsim.engines.goals import is_chance
    from tcsim.engines.result import Result

    odds = f"   ({about(found.value)})" if is_chance(found.best.problem.goal) else ""
    say(f"{goal_words(found.best.problem.goal)}  {_value(found, found.value)}{odds}")
    say()
    result = Result(found.resolved, "exact", [])
    print_question(result)
    say()
    _policies(found)
    say()
    if found.is_game:
        from tcsim.cli.spend_game import print_decisions

        print_decisions(found)
    else:
        _advice(found)
    if worth:
        say()
        _worth(found)
    print_assumed(result)


_WORDS = {
    "none": mark("keep all markers"),
    "all": mark("every marker at once, as injury dice"),
    "bloodbath": mark("a Bloodbath when it can be paid"),
    "greedy": mark("whatever is best for each roll"),
    "optimal": mark("whatever is best for the goal"),
}


def _value(found: Spending, value: float) -> str:
    from tcsim.engines.goals import is_chance

    return percent(value) if is_chance(found.best.problem.goal) else f"{value:.3f}"


def _policies(found: Spending) -> None:
    from tcsim.cli.terminal import paragraph, table
    from tcsim.engines.goals import is_chance

    chance = is_chance(found.best.problem.goal)
    rows = []
    for way in sorted(found.ways, key=lambda way: -way.value):
        loss = found.losses[way.name]
        lost = tr("{change} points", change=f"{100 * loss:.1f}") if chance else f"{loss:.3f}"
        if loss < 1e-12:
            lost = "" if way.name == "optimal" else tr("no loss")
        rolled = [] if way.rolled is None else [_rolled(found, way)]
        rows.append(
            [way.name, tr(_WORDS.get(way.name, mark("rows of one's own"))), _value(found, way.value), lost, *rolled]
        )
    heads = (
        "",
        tr("spending the target's blood"),
        tr("value"),
        tr("loses"),
        *([tr("rolled, 95% interval")] if found.trials else []),
    )
    table(heads, rows, "lwrrr")
    if found.trials:
        told = tr("Rolled: {trials} trials each, seed {seed}.", trials=f"{found.trials:,}", seed=found.seed)
        paragraph("", told, 2)


def _rolled(found: Spending, way: Way) -> str:
    mean, low, high = way.rolled or (0.0, 0.0, 0.0)
    within = tr("{low} to {high}", low=_value(found, low), high=_value(found, high))
    return f"{_value(found, mean)}, {within}"


def _advice(found: Spending) -> None:
    from tcsim.analysis.advice_words import is_simple
    from tcsim.cli.terminal import paragraph, say

    say(tr("What to spend on a hit, by blood markers on the target"))
    simple = [grid for grid in found.grids if is_simple(grid)]
    others = [grid for grid in found.grids if not is_simple(grid)]
    if others:
        _by_state(others)
    if simple:
        if others:
            say()
        _by_hit(simple)
    notes = [tr("attacks left: this one counted.")]
    if any(grid.joint for grid in found.grids):
        told = mark(
            "Shots resolved together: what each hit gets, in order; the others get nothing. Left out: hits that fewer "
            "than 1 in 200 volleys come to."
        )
        notes.append(tr(told))
    paragraph("", " ".join(notes), 2)


def _by_hit(grids: list[Grid]) -> None:
    """A line for each kind of hit, with what is done against a standing and a Down target."""
    from tcsim.analysis.advice_words import by_blood, run_words, span_words, tough_values
    from tcsim.cli.terminal import table

    lines: list[tuple[list[int], list[list[str]]]] = []
    toughs = tough_values(grids)
    for grid in grids:
        told = []
        for tough in toughs:
            cells = [
                [run_words(by_blood(grid, tough, down, critical), grid.bath_costs[down]) for down in (0, 1)]
                for critical in (0, 1)
            ]
            kinds = [tr("any")] if cells[0] == cells[1] else [tr("plain hit"), tr("critical hit")]
            state = [tr("TOUGH left") if tough else tr("TOUGH used up")] if len(toughs) > 1 else []
            told += [[*state, kind, *row] for kind, row in zip(kinds, cells, strict=False)]
        if lines and lines[-1][1] == told:
            lines[-1][0].append(grid.attacks_left)
        else:
            lines.append(([grid.attacks_left], told))
    rows = []
    for left, told in lines:
        for number, row in enumerate(told):
            rows.append([span_words(min(left), max(left)) if number == 0 else "", *row])
    heads = [tr("attacks left"), *([""] if len(toughs) > 1 else []), tr("hit"), tr("standing"), tr("Down")]
    table(heads, rows, "l" * (len(heads) - 2) + "ww")


def _by_state(grids: list[Grid]) -> None:
    """A line for each group of states in which the same is done."""
    from tcsim.analysis.advice_words import deed_words, hit_words, share_words, span_words, state_words
    from tcsim.cli.terminal import table
    from tcsim.engines import advice

    boxes = [box for box in advice.boxes(grids) if ("blood", 0, 0) not in box.ranges]
    rows, before = [], ""
    for box in boxes[:MAX_ROWS]:
        left = span_words(*box.attacks_left)
        what = share_words(box.deed) if box.joint else deed_words(box.deed)
        rows.append([left if left != before else "", state_words(box), hit_words(box), what])
        before = left
    if len(boxes) > MAX_ROWS:
        rows.append(["", tr("… {n} more, see --csv", n=len(boxes) - MAX_ROWS), "", ""])
    table((tr("attacks left"), tr("target"), tr("hits"), tr("spend")), rows, "lwww")


def _worth(found: Spending) -> None:
    from tcsim.cli.terminal import say, table

    say(tr("Value by blood markers at the start"))
    values = {(row["policy"], row["blood"]): row["value"] for row in found.to_dict()["worth"]}
    bloods = sorted({blood for _, blood in values})
    rows = [[way.name, *(_value(found, values[way.name, blood]) for blood in bloods)] for way in found.ways]
    table(("", *map(str, bloods)), rows, "l" + "r" * len(bloods))
