"""``tcsim needed``: how much of something until a chance is reached, and where two ways are equally good."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from tcsim.base.errors import InputError, show
from tcsim.cli import lang_option
from tcsim.cli.figures import check_plot, plot_option, write_plot
from tcsim.cli.given import given, scenario_flags
from tcsim.cli.inputs import HalfInches, catalog_option, one_form
from tcsim.cli.rolling import rolling_options
from tcsim.cli.sharing import flag_words, share, sharing_options, wants_sharing
from tcsim.cli.terminal import print_csv, progress

_VERSUS_HELP = (
    "An attack of another way, as --attack takes it, in place of those; repeatable. Or a scenario file. Then: where "
    "which of the two is better."
)


def _complete(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """Offer the names of what there can be more or less of."""
    from tcsim.analysis.needed.amounts import AMOUNTS

    return [name for name in AMOUNTS if name.startswith(begun)]


@click.command(
    context_settings={"token_normalize_func": lambda token: token.replace("_", "-")},
    epilog="""\b
Examples:
  tcsim needed attacks --attack "Bolt-Action Rifle,cover" --chance 80%
  tcsim needed blood --attack melee --injury-modifier -2 --spend greedy --chance 1/2
  tcsim needed distance --attack "charge,move=6" --attack "Greatsword / Greataxe" --versus "Bolt-Action Rifle"
""",
)
@click.argument("what", metavar="WHAT", shell_complete=_complete)
@click.argument("scenario", required=False, metavar="[SCENARIO.toml|.json]")
@scenario_flags
@catalog_option
@click.option("--chance", "chances", multiple=True, metavar="P", help="As 80% or 0.8; repeatable; default 50, 80, 95%.")
@click.option("--versus", multiple=True, metavar="TEXT", help=_VERSUS_HELP)
@click.option("--from", "first", type=HalfInches(), metavar="N", help="The first number to look at.")
@click.option("--to", "last", type=HalfInches(), metavar="N", help="The last number to look at.")
@rolling_options
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print the curve as CSV.")
@plot_option
@sharing_options
@lang_option
def needed(what: str, scenario: str | None, catalogs: tuple[str, ...], **flags: Any) -> None:
    """Say how much of something a chance needs.

    WHAT is attacks, dice, injury-dice, injury-modifier (more or less of each attack), blood, blessing, infection
    (markers on the target), attacker-blood, attacker-blessing, armour (0 to -3) or distance (inches, of all shots and
    charges). The chance is that of --goal: out (default), down, out-by-attack-N. With --versus it says where which of
    two ways is better.
    """
    from tcsim.analysis.needed.answer import CHANCES, prepared

    names = ("chances", "versus", "first", "last", "method", "trials", "seed", "threads", "plot")
    how = {name: flags.pop(name) for name in names}
    as_json, as_csv = flags.pop("as_json"), flags.pop("as_csv")
    form = wants_sharing(flags, as_json=as_json, as_csv=as_csv)
    one_form(as_json, as_csv)
    check_plot(how["plot"])
    if how["versus"] and how["chances"]:
        raise InputError("two ways are compared with each other, not with a chance; leave one of them out", "--versus")
    data, policy = given(scenario, flags)
    other = _other(data, how["versus"])
    trials = how["trials"] if how["method"] == "monte-carlo" else 0
    span = (how["first"], how["last"])
    try:
        question = prepared(what, data, how["chances"] or CHANCES, other, catalogs or None, span)
    except InputError as error:
        raise (error if policy is None else policy.placed(error)) from None
    if form is not None:
        own = {"chance": how["chances"], "versus": how["versus"], "from": how["first"], "to": how["last"]}
        if trials:
            own |= {name: how[name] for name in ("method", "trials", "seed")}
        share(question.questions[0], form, ["needed", question.amount.name], flag_words(own, {}), catalogs)
        return
    with progress("rolling", None) as advance:
        found = question.answered(trials, how["seed"], advance)
    if how["plot"] is not None:
        from tcsim.plots.figures.needed_curve import needed_curve

        write_plot(how["plot"], needed_curve(found))
    if as_json:
        sys.stdout.write(json.dumps(found.to_dict()) + "\n")
    elif as_csv:
        print_csv(found.rows())
    else:
        from tcsim.cli.needed_table import print_needed

        print_needed(found)


def _other(data: Any, versus: tuple[str, ...]) -> Any:
    """The other way: another file, or the same question with other attacks."""
    if not versus:
        return None
    from tcsim.scenario.written import read_attack

    if versus[0].casefold().endswith((".toml", ".json")):
        from tcsim.base.files import parse_file

        if len(versus) > 1:
            raise InputError(f"a file is all of the other way, {show(versus[1])} is given too", "--versus")
        return parse_file(versus[0])
    attacks = [read_attack(text, f"--versus {number}") for number, text in enumerate(versus, 1)]
    return {**data, "attacks": attacks} if isinstance(data, dict) else data
