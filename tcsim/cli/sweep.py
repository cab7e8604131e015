"""``tcsim sweep``: a grid or a file of scenarios, answered in parts that are never lost."""

from __future__ import annotations

import io
import json
import sys
from pathlib import Path
from typing import Any

import click

from tcsim.base.errors import InputError, did_you_mean
from tcsim.base.lang import tr
from tcsim.base.text import plural
from tcsim.cli import EXIT_LINE_FAILED, HelpfulGroup, lang_option
from tcsim.cli.inputs import WholeNumber, catalog_option


class RunGroup(HelpfulGroup):
    """A group whose subcommand ``run`` may be left out: a first word that is no subcommand is its file."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the subcommands in the order in which they are used."""
        return list(self.commands)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put ``run`` before what is no subcommand, and does not look like one that is misspelt."""
        if not args:
            raise click.UsageError("a grid or a file of scenarios, or a command, is needed", ctx)
        first = args[0]
        if first in ("--help", "-h", *self.commands):
            return super().parse_args(ctx, args)
        misspelt = not Path(first).suffix and did_you_mean(first, list(self.commands)) and not Path(first).exists()
        return super().parse_args(ctx, args if misspelt else ["run", *args])


@click.group(
    cls=RunGroup,
    no_args_is_help=False,
    subcommand_metavar="FILE --out DIR | COMMAND ...",
    epilog="""\b
Examples:
  tcsim sweep grid.toml --demo --dry-run
  tcsim sweep grid.toml --out results
  tcsim sweep status results
  tcsim sweep query results "SELECT avg(p_out) FROM results"
""",
)
def sweep() -> None:
    """Answer a grid, or a file, of scenarios: millions, in parts, resumable.

    "tcsim sweep FILE --out DIR" answers each scenario of FILE (the word run may be left out). DIR then has a row for
    each in parts/ (Parquet with the extra parquet, else CSV), what was asked in manifest.json, and scenarios that
    could not be asked in errors.jsonl.
    """


def _workers_options(command: Any) -> Any:
    threads = click.option(
        "--threads", type=WholeNumber(1, 1024), default=None, help="Cores to use; default what pays."
    )
    workers = click.option(
        "--workers", type=WholeNumber(1, 1024), default=None, help="So many processes here, by Dask."
    )
    scheduler = click.option("--scheduler", metavar="tcp://HOST:PORT", default=None, help="A Dask cluster.")
    return threads(workers(scheduler(command)))


@sweep.command(
    epilog="""\b
Examples:
  tcsim sweep grid.toml --demo --dry-run
  tcsim sweep grid.toml --out results
  tcsim sweep grid.toml --out rolled --trials 2000 --seed 7
""",
)
@click.argument("file", metavar="GRID.toml|FILE.jsonl|.csv|.parquet|-")
@click.option("--out", metavar="DIR", default=None, help="Folder of the results.")
@click.option("--trials", type=WholeNumber(1, 10**13), default=None, help="Roll the dice, so often for each.")
@click.option("--precision", type=float, default=None, help="Roll until each 95% interval is ± this.")
@click.option("--seed", type=WholeNumber(0, 2**64 - 1), default=1, help="Seed of the dice; default 1.")
@click.option(
    "--part-rows", type=WholeNumber(1, 10**7), default=None, help="Scenarios of a part; default 131072, of dice 512."
)
@click.option("--demo", is_flag=True, help="Write an example to FILE first, if there is no such file.")
@click.option("--dry-run", is_flag=True, help="Only say how many scenarios, how long, how large.")
@click.option("--force", is_flag=True, help="Write into a folder that is not empty; a sweep there is lost.")
@_workers_options
@catalog_option
@lang_option
def run(file: str, out: str | None, **flags: Any) -> int:
    """Answer every scenario of a grid or a file.

    A grid is TOML: --demo writes one to begin with. A file has a scenario a line (JSON lines; - reads them from
    standard input) or a row (CSV, Parquet), with places such as target.blood as heads.

    Exit status: 0, 1 when a scenario failed (the others are answered), 2 when nothing could be done.
    """
    from tcsim.sweep.run import new_sweep

    if flags["demo"]:
        write_demo(file)
    if flags["dry_run"]:
        from tcsim.cli.sweep_table import print_plan

        return print_plan(file, flags)
    if not out:  # nor an empty name, which would be the folder where one is
        raise InputError("a folder for the results is needed", "--out")
    _look_for_dask(flags)
    given: Any = file
    if file == "-":
        given = io.BytesIO() if sys.stdin is None else sys.stdin.buffer
    asked = {name: flags[name] for name in ("trials", "precision", "seed", "part_rows", "force")}
    return _go(new_sweep(given, out, catalog=flags["catalogs"], **asked), flags)


def write_demo(file: str) -> None:
    """Write an example grid, where there is no such file.

    Parameters
    ----------
    file : str
        Its name, which ends in .toml.

    Raises
    ------
    InputError
        When it cannot be written.
    """
    from importlib.resources import files
    from pathlib import Path

    from tcsim.base.errors import show
    from tcsim.base.files import because

    if not file.lower().endswith(".toml"):
        raise InputError(f"{show(file, 200)} is given, an example is written to a file that ends in .toml", "--demo")
    try:
        if not Path(file).exists():
            Path(file).write_bytes((files("tcsim.sweep") / "data" / "grid.toml").read_bytes())
    except (OSError, ValueError) as error:
        raise InputError(f"{show(file, 200)} cannot be written: {because(error)}", "--demo") from None


def _look_for_dask(flags: dict[str, Any]) -> None:
    """Say that Dask is not there before a folder is made."""
    if flags["workers"] is not None or flags["scheduler"] is not None:
        from tcsim.sweep.cluster import on_cluster

        on_cluster(flags["scheduler"], flags["workers"])


def _go(made: Any, flags: dict[str, Any]) -> int:
    """Run a sweep, and say in one line what it did."""
    from tcsim.cli.sweep_table import reporting, summary
    from tcsim.sweep.workers import usual

    found = made.status()
    if made.manifest["kind"] == "csv":
        click.echo('parts are CSV: pyarrow is not installed; pip install "tcsim[parquet]" gives Parquet', err=True)
    threads = flags["threads"]
    if threads is None and made.manifest["how"]["method"] == "exact":
        threads = usual(found.scenarios - found.done)
    with reporting(found.scenarios, found.done) as progress:
        done = made.run(threads, flags["workers"], flags["scheduler"], progress)
    summary(made, done)
    return EXIT_LINE_FAILED if done.failed else 0


@sweep.command(
    epilog="""\b
Examples:
  tcsim sweep grid.toml --demo --out results
  tcsim sweep resume results
""",
)
@click.argument("out", metavar="DIR")
@_workers_options
@lang_option
def resume(out: str, **flags: Any) -> int:
    """Finish a sweep that was stopped.

    What is finished is not done again.
    """
    from tcsim.cli.terminal import say
    from tcsim.sweep.look import verified
    from tcsim.sweep.run import open_sweep

    made = open_sweep(out)
    if not made.status().is_finished:
        return _go(made, flags)
    done = verified(made.folder, made.manifest)
    told = {"scenarios": plural(done.scenarios, "scenario"), "failed": f"{done.failed:,}"}
    say(tr("{dir} is finished: {scenarios}, {failed} failed", dir=out, **told))
    return 0


@sweep.command(
    epilog="""\b
Examples:
  tcsim sweep grid.toml --demo --out rolled --trials 1000
  tcsim sweep more rolled --trials 1000
""",
)
@click.argument("out", metavar="DIR")
@click.option("--trials", type=WholeNumber(1, 10**13), required=True, help="So many more for each scenario.")
@_workers_options
@lang_option
def more(out: str, trials: int, **flags: Any) -> int:
    """Add trials to a finished sweep of dice.

    Its parts stay, new ones tell all trials.
    """
    from tcsim.sweep.run import open_sweep

    _look_for_dask(flags)
    return _go(open_sweep(out).more(trials), flags)


@sweep.command(
    epilog="""\b
Examples:
  tcsim sweep grid.toml --demo --out results
  tcsim sweep status results
""",
)
@click.argument("out", metavar="DIR")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@lang_option
def status(out: str, as_json: bool) -> None:
    """Say how far a sweep is."""
    from tcsim.cli.terminal import say
    from tcsim.sweep.run import open_sweep

    found = open_sweep(out).status()
    if as_json:
        sys.stdout.write(json.dumps(found._asdict() | {"is_finished": found.is_finished}) + "\n")
        return
    told = tr(
        "{done} of {scenarios} done, {failed} failed; {finished} of {parts}",
        done=f"{found.done:,}",
        scenarios=plural(found.scenarios, "scenario"),
        failed=f"{found.failed:,}",
        finished=f"{found.finished:,}",
        parts=plural(found.parts, "part"),
    )
    say(told)


@sweep.command(
    epilog="""\b
Examples:
  tcsim sweep grid.toml --demo --out results
  tcsim sweep merge results --to all
""",
)
@click.argument("out", metavar="DIR")
@click.option("--to", metavar="FILE", required=True, help="The one file; ends as the parts do, else is made to.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@lang_option
def merge(out: str, to: str, force: bool) -> None:
    """Write all parts of a finished sweep as one file."""
    from tcsim.cli.terminal import say
    from tcsim.sweep.run import open_sweep

    made = open_sweep(out)
    path, found = made.merge(to, force), made.status()
    say(tr("{rows} in {file}", rows=plural(found.done - found.failed, "row"), file=str(path)))


@sweep.command(
    epilog="""\b
Examples:
  tcsim sweep grid.toml --demo --out results
  tcsim sweep query results "SELECT avg(p_out) FROM results"
  tcsim sweep query results "SELECT * FROM results ORDER BY p_out LIMIT 5" --csv
""",
)
@click.argument("out", metavar="DIR")
@click.argument("sql", metavar="SQL")
@click.option("--csv", "as_csv", is_flag=True, help="Print as CSV.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON, a table a row.")
@lang_option
def query(out: str, sql: str, as_csv: bool, as_json: bool) -> None:
    """Ask the results in SQL, through DuckDB.

    They are the table results. Names with dots stand in double quotes: "target.blood". DESCRIBE results lists the
    columns. Without --csv or --json, at most 100 rows are shown.
    """
    from tcsim.cli.sweep_table import print_rows
    from tcsim.cli.terminal import print_csv
    from tcsim.sweep.look import query as ask
    from tcsim.sweep.run import open_sweep

    made = open_sweep(out)
    names, rows = ask(made.folder, made.manifest, sql)
    found = [dict(zip(names, row, strict=True)) for row in rows]
    if as_json:
        for row in found:
            plain = {name: None if value != value else value for name, value in row.items()}  # JSON has no NaN
            sys.stdout.write(json.dumps(plain, default=str) + "\n")
    elif as_csv:
        print_csv(found)
    else:
        print_rows(names, rows)
