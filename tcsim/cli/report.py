"""``tcsim report``: pages with figures. A kind of report is a row of :data:`KINDS`; all else is shared."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import click

from tcsim.base.errors import InputError, show
from tcsim.base.files import because
from tcsim.base.lang import current
from tcsim.cli import HelpfulGroup, lang_option
from tcsim.cli.inputs import WholeNumber, catalog_option, complete
from tcsim.rules import DEFAULT_EDITION


@dataclass(frozen=True)
class Kind:
    """A kind of report.

    Parameters
    ----------
    name : str
        What it is called, also its folder in ``reports/``.
    text : str
        Its help; the first sentence stands in the list.
    module : str
        Where its ``build(asked)`` is, imported when it is called (:class:`tcsim.report.settings.Asked` to ``Built``).
    options : tuple, optional
        Its own flags, from ``click.option``; what they say reaches ``build`` by their names.
    every_edition : bool, optional
        Whether it is about all editions unless some are named; otherwise it is about one.
    catalog : bool, optional
        Whether names are looked up, so that users' own catalogues count.
    example : str, optional
        A command, for the help.
    """

    name: str
    text: str
    module: str
    options: tuple[Any, ...] = ()
    every_edition: bool = False
    catalog: bool = True
    example: str = ""


_WEAPONS = click.option(
    "--weapon",
    "weapons",
    multiple=True,
    metavar="NAME",
    shell_complete=complete("weapon"),
    help="A catalogue weapon; repeatable.",
)
_TRIALS = click.option(
    "--trials", type=WholeNumber(0, 10**9), help="How many times to roll each cell; default 1e6, 0 rolls none."
)
_SEED = click.option("--seed", type=WholeNumber(0, 2**64 - 1), default=1, help="Seed of the dice; default 1.")

#: Every kind of report, in the order in which they are told.
KINDS = (
    Kind(
        "kill-odds",
        "Tabulate kill odds by armour, shield, blood, CRITICAL, TOUGH and number of attacks. Every cell is answered "
        "exactly and rolled. Without --weapon the report takes eight well-known weapons.",
        "tcsim.report.kill_odds",
        (
            _WEAPONS,
            click.option("--blood", metavar="N,…", default="0,1,2,3,4,5,6", help="Blood markers held; default 0 to 6."),
            click.option("--attacks", metavar="N,…", default="1,2,3,4", help="Numbers of attacks; default 1 to 4."),
            click.option("--spend", metavar="POLICY", default="greedy", help="How blood is spent; default greedy."),
            _TRIALS,
            _SEED,
            click.option("--demo", is_flag=True, help="Roll 100,000 trials per cell unless --trials says how many."),
        ),
        example='tcsim report kill-odds --weapon "Sword / Axe" --blood 0,3 --out my-report',
    ),
    Kind(
        "spending",
        "Tell when to spend blood markers and when to save them, in each armour, and what saving is worth.",
        "tcsim.report.spending",
        every_edition=True,
        catalog=False,
        example="tcsim report spending --out my-report",
    ),
)

_ONE_EDITION = click.option(
    "--edition",
    metavar="ID",
    default=DEFAULT_EDITION,
    shell_complete=complete("edition"),
    help=f"Rules edition; default {DEFAULT_EDITION}.",
)
_EDITIONS = click.option(
    "--edition",
    metavar="ID",
    multiple=True,
    shell_complete=complete("edition"),
    help="Rules edition; repeatable; default every one.",
)
_PARQUET = click.option("--parquet", is_flag=True, help="Write the data as Parquet, too.")
_PLAIN = click.option("--plain", is_flag=True, help="Without figures: quicker, and smaller.")


@click.group(
    cls=HelpfulGroup,
    no_args_is_help=False,
    epilog="""\b
Example:
  tcsim report kill-odds --weapon "Sword / Axe" --blood 0,3 --out my-report
""",
)
def report() -> None:
    """Write a report: a self-contained HTML page, Markdown, CSV and figures."""


def _command(kind: Kind) -> None:
    """Make the command of a kind of report."""

    def run(out: str, parquet: bool, plain: bool, **given: Any) -> None:
        click.echo(_write(kind, out, parquet, plain, given))

    default = f"reports/{kind.name}"
    shared = (
        _EDITIONS if kind.every_edition else _ONE_EDITION,
        *((catalog_option,) if kind.catalog else ()),
        click.option("--out", metavar="DIR", default=default, help=f"Where to; default {default}."),
        _PARQUET,
        _PLAIN,
        lang_option,
    )
    for option in reversed((*kind.options, *shared)):
        run = option(run)
    epilog = f"\b\nExample:\n  {kind.example}\n" if kind.example else None
    report.command(kind.name, help=kind.text, epilog=epilog)(run)


for _kind in KINDS:
    _command(_kind)


def _write(kind: Kind, out: str, parquet: bool, plain: bool, given: dict[str, Any]) -> Path:
    """Build a report and write it; what can be wrong is looked at before anything is worked out."""
    from tcsim.catalog import catalog
    from tcsim.cli.terminal import progress
    from tcsim.report.provenance import Provenance
    from tcsim.report.settings import Asked
    from tcsim.report.write import check_parquet, write
    from tcsim.rules import editions

    files, edition = given.pop("catalogs", ()), given.pop("edition")
    chosen = (edition,) if isinstance(edition, str) else dict.fromkeys(edition or editions())
    command = _words(click.get_current_context())
    rows = tuple(catalog(one, files) for one in chosen)
    if parquet:
        check_parquet()
    folder = _folder(out)
    if current() != "en":
        from tcsim.plots.style import families

        families()  # the letters that the figures need
    built = import_module(kind.module).build(Asked(rows, given, progress))
    if plain:
        built = built._replace(report=built.report.without_figures())
    return write(built, Provenance(rows, command, built.rolled), folder, parquet)


def _words(context: click.Context) -> tuple[str, ...]:
    """The command that was given, word by word: only what differs from the defaults, and no folder of this machine."""
    found: list[str] = []
    for option in context.command.params:
        value = context.params.get(option.name or "")
        if option.name == "out" or value in (None, (), False) or value == option.get_default(context):
            continue
        for one in value if isinstance(value, tuple) else (value,):
            shown = Path(one).name if option.name == "catalogs" else str(one)
            found += [option.opts[0]] if one is True else [option.opts[0], shown]
    spoken = [] if current() == "en" else ["--lang", current()]
    return (*context.command_path.split(), *found, *spoken)


def _folder(out: str) -> Path:
    """The folder to write to, made now: a report must not be lost for a wrong name after it was rolled."""
    folder = Path(out)
    places = (folder, folder / "data", folder / "figures")
    try:
        out.encode()
        for place in places:
            place.mkdir(parents=True, exist_ok=True)
            with TemporaryFile(dir=place):
                pass
    except (OSError, ValueError) as error:
        raise InputError(f"{show(out, 200)} cannot be written to: {because(error)}", "--out") from None
    in_the_way = [name for name in ("index.html", "report.md") if (folder / name).is_dir()]
    if not out or in_the_way:
        what = f"{in_the_way[0]} is a folder there" if in_the_way else "a folder is needed, nothing is given"
        raise InputError(what, "--out")
    return folder
