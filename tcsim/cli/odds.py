"""``tcsim odds``: a scenario from flags, a file or JSON lines; exact or by dice; as a table or as JSON."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from tcsim.base.errors import InputError
from tcsim.cli import lang_option
from tcsim.cli.given import asked, is_given, scenario_flags
from tcsim.cli.inputs import HalfWidth, WholeNumber, catalog_option
from tcsim.cli.sharing import flag_words, share, sharing_options, wants_sharing

_MODE_HELP = "dice (default) rolls every die; outcome and counts draw from the exact answer and cannot check it."
_PRECISION_HELP = (
    "Roll until the 95% interval of out of action is this far to either side, as 0.001; or until --trials, if given."
)


@click.command(
    # the others go by their key, so a key's own spelling is an option's too
    context_settings={"token_normalize_func": lambda token: token.replace("_", "-")},
    epilog="""\b
Examples:
  tcsim odds --attack "Bolt-Action Rifle,cover" --armour "Reinforced Armour"
  tcsim odds --attack "melee,CRITICAL,times=2" --target-blood 3 --spend optimal
  tcsim odds --attack "Sniper Rifle,distance=30" --injury-modifier -2 --json
  tcsim odds --attack ranged --tough --method monte-carlo --trials 1e5
""",
)
@click.argument("scenario", required=False, metavar="[SCENARIO.toml|.json]")
@scenario_flags
@catalog_option
@click.option(
    "--jsonl", metavar="FILE", help="Answer a scenario per line, in order, as JSON lines; - is standard input."
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option(
    "--method", type=click.Choice(["exact", "monte-carlo"]), default="exact", help="Exact (default), or roll the dice."
)
@click.option(
    "--trials", type=WholeNumber(1, 10**13), default=None, help="How many times to play it, up to 1e13; default 1e6."
)
@click.option("--seed", type=WholeNumber(0, 2**64 - 1), default=None, help="Seed of the dice; default 1.")
@click.option("--threads", type=WholeNumber(1, 1024), default=None, help="Threads; default one per processor.")
@click.option(
    "--mode",
    type=click.Choice(["dice", "outcome", "counts"]),
    default=None,
    help=_MODE_HELP,
)
@click.option(
    "--dice",
    type=click.Choice(["own", "shared"]),
    default=None,
    help="own (default), or shared: the same dice for every scenario with this seed, to compare them.",
)
@click.option("--precision", type=HalfWidth(), help=_PRECISION_HELP)
@click.option("--traces", type=WholeNumber(1, 10_000), default=None, help="Tell the first so many trials die by die.")
@click.option("--fractions", is_flag=True, help="Also print exact rationals (up to 50 attack rolls).")
@sharing_options
@lang_option
def odds(scenario: str | None, catalogs: tuple[str, ...], jsonl: str | None, as_json: bool, **flags: Any) -> int:
    """Say what happens, how often.

    A scenario comes from a file, from flags, or from both (flags override), or many come as JSON lines. The default is
    an exact answer as a table; --method monte-carlo rolls every die instead, and Ctrl-C then prints what was counted
    so far.

    Exit status: 0 answered, 1 some lines of a batch failed, 2 the input is wrong, 130 interrupted.
    """
    how = _how(flags)
    form = wants_sharing(flags, as_json=as_json, jsonl=jsonl)
    if jsonl is not None:
        if scenario is not None or any(is_given(value) for value in flags.values()):
            raise InputError("each line is a whole scenario, so no file and no scenario flags go with it", "--jsonl")
        from tcsim.cli.batch import answer_lines

        return answer_lines(jsonl, how, catalogs)
    question = asked(scenario, flags, catalogs)
    if form is not None:
        share(question, form, ["odds"], _words(how), catalogs)
        return 0
    result = answer_resolved(question, how)
    if as_json:
        sys.stdout.write(json.dumps(result.to_dict()) + "\n")
    else:
        from tcsim.cli.odds_table import print_result

        print_result(result)
    if result.run is not None and result.run.partial:
        raise KeyboardInterrupt  # what was counted is printed; the exit status says that it is not all
    return 0


#: Flags that go with rolling: the arguments of a Plan.
_OF_ROLLING = ("trials", "seed", "threads", "mode", "dice", "precision", "traces")


def _how(flags: dict[str, Any]) -> dict[str, Any]:
    """Take the flags that say how to answer out of the others."""
    names_of_how = ("method", *_OF_ROLLING, "fractions")
    how = {name: flags.pop(name) for name in names_of_how}
    if how["method"] == "exact":
        for name in _OF_ROLLING:
            if how[name] is not None:
                raise InputError("it goes with --method monte-carlo, an exact answer needs none", f"--{name}")
    elif how["fractions"]:
        raise InputError("only exact answers have them, rolled ones are counts", "--fractions")
    return how


def _words(how: dict[str, Any]) -> list[str]:
    """How it is answered, as words: what decides the answer is said even where it is the default."""
    if how["method"] == "exact":
        return flag_words({"fractions": how["fractions"]}, {})
    from tcsim.engines.answer import USUAL_TRIALS

    said = {name: how[name] for name in ("method", "trials", "seed", "mode", "precision", "traces")}
    said["seed"] = 1 if how["seed"] is None else how["seed"]
    if how["trials"] is None and how["precision"] is None:
        said["trials"] = USUAL_TRIALS
    return flag_words(said, {})


def answer_resolved(question: Any, how: dict[str, Any]) -> Any:
    """Answer one resolved scenario as the flags say.

    Parameters
    ----------
    question : Resolved
        The question.
    how : dict
        ``method``, ``trials``, ``seed``, ``threads``, ``mode``, ``dice``, ``precision``, ``traces``, ``fractions``.

    Returns
    -------
    Result
        The answer.
    """
    from tcsim.engines.answer import USUAL_TRIALS, Plan, exact_results, simulate_resolved

    if how["method"] == "exact":
        return exact_results([question], how["fractions"])[0]
    from tcsim.cli.terminal import progress

    chosen = {name: how[name] for name in _OF_ROLLING if how[name] is not None}
    total = how["trials"] or (None if how["precision"] is not None else USUAL_TRIALS)
    with progress("rolling", total) as advance:
        return simulate_resolved(question, Plan(**chosen), advance)
