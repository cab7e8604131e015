"""``tcsim sweep``: a grid or a file of scenarios, answered in parts that are never lost."""

from __future__ import annotations

import json
import sys
from typing import Any

import click

from tcsim.base.errors import InputError
from tcsim.base.lang import tr
from tcsim.cli import EXIT_LINE_FAILED, HelpfulGroup, lang_option
from tcsim.cli.inputs import WholeNumber, catalog_option


class RunGroup(HelpfulGroup):
    """A group whose subcommand ``run`` may be left out: a first word that is no subcommand is its file."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put ``run`` before what is no subcommand."""
        if args and args[0] not in self.commands and args[0] not in ("--help", "-h"):
            args = ["run", *args]
        return super().parse_args(ctx, args)


@click.group(
    cls=RunGroup,
    no_args_is_help=False,
    epilog="""\b
Examples:
  tcsim sweep grid.toml --demo --dry-run
  tcsim sweep grid.toml --out results
  tcsim sweep status results
  tcsim sweep query results "SELECT avg(p_out) FROM results"
""",
)
def sweep() -> None:
    """Answer a grid, or a file, of scenarios: millions, in parts, resumable."""


def _workers_options(command: Any) -> Any:
    threads = click.option("--threads", type=WholeNumber(1, 1024), default=None, help="Threads that roll dice.")
    workers = click.option("--workers", type=WholeNumber(1, 1024), default=None, help="So many processes, with Dask.")
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
@click.option("--trials", type=WholeNumber(1, 10**13), default=None, help="Roll the dice, so many times each.")
@click.option("--precision", type=float, default=None, help="Roll until each 95% interval is ± this.")
@click.option("--seed", type=WholeNumber(0, 2**64 - 1), default=1, help="Seed of the dice; default 1.")
@click.option("--part-rows", type=WholeNumber(1, 10**7), default=None, help="Scenarios of a part.")
@click.option("--demo", is_flag=True, help="Write an example to FILE first, if there is no such file.")
@click.option("--dry-run", is_flag=True, help="Only say how many scenarios, how long, how large.")
@click.option("--force", is_flag=True, help="Write into a folder that is not empty; a sweep there is lost.")
@_workers_options
@catalog_option
@lang_option
def run(file: str, out: str | None, **flags: Any) -> int:
    """Answer every scenario of a grid or a file (- is JSON lines from standard input)."""
    from tcsim.sweep.run import started

    if flags["demo"]:
        write_demo(file)
    rolls = flags["trials"] is not None or flags["precision"] is not None
    if not rolls and flags["seed"] != 1:
        raise InputError("nothing is rolled without --trials or --precision", "--seed")
    how = _how(flags) if rolls else _exact()
    if flags["dry_run"]:
        from tcsim.cli.sweep_table import print_plan

        return print_plan(file, how, flags)
    if out is None:
        raise InputError("a folder for the results is needed", "--out")
    stdin = None if sys.stdin is None else sys.stdin.buffer
    more = {"catalogs": flags["catalogs"], "part_rows": flags["part_rows"]}
    with started(file, out, how, flags["force"], stdin, **more) as made:
        return _go(made, flags)


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


def _exact() -> Any:
    from tcsim.sweep.answers import How

    return How()


def _how(flags: dict[str, Any]) -> Any:
    from tcsim.engines.answer import Plan
    from tcsim.sweep.answers import How

    Plan(flags["trials"], flags["seed"], flags["threads"], precision=flags["precision"]).check()
    return How("monte_carlo", flags["trials"], flags["precision"], flags["seed"], flags["threads"])


def _go(made: Any, flags: dict[str, Any], there: int = 0) -> int:
    """Run a sweep, and say in one line what it did."""
    from tcsim.cli.sweep_table import reporting, summary

    if made.manifest["kind"] == "csv":
        click.echo('parts are CSV: pyarrow is not installed; pip install "tcsim[parquet]" gives Parquet', err=True)
    workers = _workers(flags)
    with reporting(made.source.size, there) as progress:
        done = made.run(workers, flags["threads"], progress)
    summary(made, done)
    return EXIT_LINE_FAILED if done.failed else 0


def _workers(flags: dict[str, Any]) -> Any:
    if flags["workers"] is None and flags["scheduler"] is None:
        from tcsim.sweep.run import here

        return here
    from tcsim.sweep.cluster import cluster

    return cluster(flags["scheduler"], flags["workers"])


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
    """Finish a sweep that was stopped; what is finished is not done again."""
    from tcsim.cli.terminal import say
    from tcsim.sweep.folder import Folder, newest
    from tcsim.sweep.look import status as look
    from tcsim.sweep.look import verified
    from tcsim.sweep.run import old_sweep

    if not look(out).is_finished:
        with Folder(out).locked():
            made = old_sweep(str(newest(out)))
            return _go(made, flags, look(out).done)
    done = verified(out)
    told = {"n": f"{done.scenarios:,}", "failed": f"{done.failed:,}"}
    say(tr("{dir} is finished: {n} scenarios, {failed} failed", dir=out, **told))
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
    """Add trials to a finished sweep of dice; its parts stay, new ones tell all trials."""
    from tcsim.sweep.folder import Folder
    from tcsim.sweep.look import status as look
    from tcsim.sweep.run import begin, more_trials

    look(out)  # that there is a sweep, before it is locked
    with Folder(out).locked():
        made = more_trials(out, trials)
        made.folder.look(False)
        begin(made)
        return _go(made, flags)


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
    from tcsim.sweep.look import status as look

    found = look(out)
    if as_json:
        sys.stdout.write(json.dumps(found._asdict() | {"is_finished": found.is_finished}) + "\n")
        return
    told = tr(
        "{done} of {n} scenarios, {failed} failed; {finished} of {parts} parts",
        **{name: f"{value:,}" for name, value in (("done", found.done), ("n", found.scenarios))},
        failed=f"{found.failed:,}",
        finished=found.finished,
        parts=found.parts,
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
@click.option("--to", metavar="FILE", required=True, help="The one file; ending as the parts do.")
@click.option("--force", is_flag=True, help="Write over a file that is there.")
@lang_option
def merge(out: str, to: str, force: bool) -> None:
    """Write all parts of a finished sweep as one file."""
    from tcsim.cli.terminal import say
    from tcsim.sweep.look import merge as join

    say(tr("{n} rows in {file}", n=f"{join(out, to, force):,}", file=to))


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
    """Ask the results in SQL, through DuckDB; they are the table results."""
    from tcsim.cli.terminal import print_csv, table
    from tcsim.sweep.look import query as ask

    names, rows = ask(out, sql)
    found = [dict(zip(names, row, strict=True)) for row in rows]
    if as_json:
        for row in found:
            plain = {name: None if value != value else value for name, value in row.items()}  # JSON has no NaN
            sys.stdout.write(json.dumps(plain, default=str) + "\n")
    elif as_csv:
        print_csv(found)
    else:
        number = [all(isinstance(row[at], (int, float)) for row in rows) for at in range(len(names))]
        cells = [[_cell(value) for value in row] for row in rows]
        table(names, cells, "".join("r" if one else "w" for one in number))


def _cell(value: Any) -> str:
    return "" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value)
