"""``tcsim duel``: two models until one is out of action; exact or by dice; one pair, many lines, or warbands."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import click

from tcsim.base.errors import InputError
from tcsim.cli import lang_option
from tcsim.cli.duel_given import fighter_flags, merged
from tcsim.cli.figures import check_plot, plot_option, write_plot
from tcsim.cli.given import is_given
from tcsim.cli.inputs import Inches, WholeNumber, catalog_option, edition_option, one_form, rules_option

if TYPE_CHECKING:
    from tcsim.catalog import Catalog
    from tcsim.cli.batch import Lines
    from tcsim.duels.resolve import ResolvedDuel
    from tcsim.duels.result import DuelResult


@click.command(
    context_settings={"token_normalize_func": lambda token: token.replace("_", "-")},
    epilog="""\b
Examples:
  tcsim duel --a-attack "Sword / Axe" --b-attack "melee,injury_dice=+1" --b-tough
  tcsim duel --a-unit Yeoman --a-attack Bayonet --b-attack melee --distance 12 --b-move 6
  tcsim duel --a-attack melee --b-attack melee --method monte-carlo --json
  tcsim duel --matrix na-line hl-gunline
""",
)
@click.argument("duel", required=False, metavar="[DUEL.toml|.json]")
@click.option("--matrix", nargs=2, metavar="A B", help="Each model of warband A against each of B, files or ids.")
@fighter_flags
@edition_option
@click.option("--first", metavar="a|b", help="Who is activated first in every round; default a.")
@click.option("--rounds", type=WholeNumber(1, 100), help="After so many neither has won; default 6.")
@click.option("--distance", type=Inches(), help="They start so many inches apart, and come together.")
@click.option("--who-charges", metavar="WHO", help="a, b, first-able (default), or best with --optimal.")
@click.option("--optimal", is_flag=True, help="Both players spend markers optimally.")
@rules_option
@click.option("--id", metavar="TEXT", help="Copied to the output.")
@catalog_option
@click.option("--jsonl", metavar="FILE", help="Answer a duel per line, in order, as JSON lines; - is standard input.")
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print a matrix as CSV, a row per pair.")
@plot_option
@click.option(
    "--method", type=click.Choice(["exact", "monte-carlo"]), default="exact", help="Exact (default), or roll the dice."
)
@click.option("--trials", type=WholeNumber(1, 10**13), help="How many times to fight it, up to 1e13; default 1e6.")
@click.option("--seed", type=WholeNumber(0, 2**64 - 1), help="Seed of the dice; default 1.")
@click.option("--threads", type=WholeNumber(1, 1024), help="Threads; default one per processor.")
@click.option("--fractions", is_flag=True, help="Also give exact rationals, with --json (up to 10 rounds).")
@lang_option
def duel(duel: str | None, matrix: tuple[str, str] | None, catalogs: tuple[str, ...], **flags: Any) -> int:
    """Let two models fight until one is out of action, or the rounds run out.

    In a round the first one is activated, then the other; each makes its attacks in order. A duel comes from a file,
    from flags, or from both (flags override), or many come as JSON lines. With --matrix every model of one warband
    meets every model of another, with what it fights with.

    Exit status: 0 answered, 1 some lines of a batch failed, 2 the input is wrong, 130 interrupted.
    """
    how = {name: flags.pop(name) for name in ("method", "trials", "seed", "threads", "fractions")}
    shown = {name: flags.pop(name) for name in ("as_json", "as_csv", "plot")}
    _check(how, shown, matrix is not None)
    jsonl = flags.pop("jsonl")
    if matrix is not None or jsonl is not None:
        name = "--matrix" if matrix is not None else "--jsonl"
        allowed = ("edition", "first", "rounds", "options") if matrix is not None else ()
        more = any(_is_set(value) for key, value in flags.items() if key not in allowed)
        if duel is not None or more or (matrix is not None and jsonl is not None):
            raise InputError("each of them is a whole duel, so no file and no flags of one duel go with it", name)
    if jsonl is not None:
        return _lines(jsonl, how, catalogs)
    if matrix is not None:
        if catalogs:
            raise InputError("warbands are looked up in the books, no catalogue goes with them", "--matrix")
        from tcsim.cli.duel_matrix import answer_matrix

        answer_matrix(matrix, flags, how, shown)
        return 0
    from tcsim.duels.given import from_mapping
    from tcsim.duels.resolve import resolve_duel

    question = resolve_duel(from_mapping(merged(duel, flags)), catalogs or None)
    result = answer(question, how)
    if shown["as_json"]:
        sys.stdout.write(json.dumps(result.to_dict()) + "\n")
    else:
        from tcsim.cli.duel_table import print_duel

        print_duel(result)
    if shown["plot"] is not None:
        from tcsim.plots.figures.duel import story

        write_plot(shown["plot"], story(result))
    if result.run is not None and result.run.partial:
        raise KeyboardInterrupt  # what was counted is printed; the exit status says that it is not all
    return 0


def _is_set(value: Any) -> bool:
    return is_given(value) and value is not False


def _check(how: dict[str, Any], shown: dict[str, Any], is_matrix: bool) -> None:
    if how["method"] == "exact":
        for name in ("trials", "seed", "threads"):
            if how[name] is not None:
                raise InputError("it goes with --method monte-carlo, an exact answer needs none", f"--{name}")
    elif how["fractions"]:
        raise InputError("only exact answers have them, rolled ones are counts", "--fractions")
    if shown["as_csv"] and not is_matrix:
        raise InputError("it goes with --matrix; one duel is printed with --json", "--csv")
    one_form(shown["as_json"], shown["as_csv"])
    check_plot(shown["plot"])


def answer(question: ResolvedDuel, how: dict[str, Any]) -> DuelResult:
    """Answer one resolved duel as the flags say.

    Parameters
    ----------
    question : ResolvedDuel
        The question.
    how : dict
        ``method``, ``trials``, ``seed``, ``threads``, ``fractions``.

    Returns
    -------
    DuelResult
        The answer.
    """
    from tcsim.duels.answer import USUAL_TRIALS, answer_duel, simulate_duel

    if how["method"] == "exact":
        return answer_duel(question, how["fractions"])
    from tcsim.cli.terminal import progress

    chosen = {name: how[name] for name in ("trials", "seed", "threads") if how[name] is not None}
    with progress("rolling", how["trials"] or USUAL_TRIALS) as advance:
        return simulate_duel(question, **chosen, progress=advance)


def _lines(path: str, how: dict[str, Any], files: tuple[str, ...]) -> int:
    """Answer a duel per line."""
    from tcsim.cli.batch import read_line, stream
    from tcsim.duels.given import from_mapping
    from tcsim.duels.resolve import resolve_duel

    catalogs: Mapping[str, Catalog] = {}
    if files:
        from tcsim.catalog.custom import read_catalogs

        catalogs = read_catalogs(files)

    def read(data: Any) -> dict[str, Any]:
        given = from_mapping(data)
        return answer(resolve_duel(given, catalogs.get(given.edition)), how).to_dict()

    def answers(lines: Lines) -> list[dict[str, Any]]:
        found = []
        for number, line in lines:
            done, wrong = read_line(number, line, read)
            found.append(wrong if done is None else done)
        return found

    return stream(path, answers, 1)
