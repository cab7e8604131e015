"""``tcsim report``: pages with figures."""

from __future__ import annotations

import shlex
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

import click

from tcsim import __version__
from tcsim.base.errors import InputError, show
from tcsim.base.files import because
from tcsim.base.lang import current
from tcsim.base.numbers import whole_number
from tcsim.cli import HelpfulGroup, lang_option
from tcsim.cli.inputs import WholeNumber, catalog_option, complete
from tcsim.rules import DEFAULT_EDITION

if TYPE_CHECKING:
    from tcsim.catalog import Catalog

#: Trials per cell of a full report and of the demo.
FULL_TRIALS, DEMO_TRIALS = 1_000_000, 100_000

#: What is asked where a flag is left out; a report's own command line names only what differs.
_DEFAULTS: dict[str, Any] = {
    "edition": DEFAULT_EDITION,
    "blood": "0,1,2,3,4,5,6",
    "attacks": "1,2,3,4",
    "spend": "greedy",
    "seed": 1,
}


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


@report.command(
    "kill-odds",
    epilog="""\b
Example:
  tcsim report kill-odds --weapon "Sword / Axe" --blood 0,3 --out my-report
""",
)
@click.option(
    "--weapon",
    "weapons",
    multiple=True,
    metavar="NAME",
    shell_complete=complete("weapon"),
    help="A catalogue weapon; repeatable.",
)
@click.option("--edition", metavar="ID", default=_DEFAULTS["edition"], help="Rules edition; default 1.6.3.")
@catalog_option
@click.option("--blood", metavar="N,…", default=_DEFAULTS["blood"], help="Blood markers held; default 0 to 6.")
@click.option("--attacks", metavar="N,…", default=_DEFAULTS["attacks"], help="Numbers of attacks; default 1 to 4.")
@click.option("--spend", metavar="POLICY", default=_DEFAULTS["spend"], help="How blood is spent; default greedy.")
@click.option(
    "--trials", type=WholeNumber(0, 10**9), help="How many times to roll each cell; default 1e6, 0 rolls none."
)
@click.option("--seed", type=WholeNumber(0, 2**64 - 1), default=_DEFAULTS["seed"], help="Seed of the dice; default 1.")
@click.option("--out", metavar="DIR", default="reports/kill-odds", help="Where to; default reports/kill-odds.")
@click.option("--demo", is_flag=True, help=f"Roll {DEMO_TRIALS:,} trials per cell unless --trials says how many.")
@lang_option
def kill_odds(out: str, demo: bool, **given: Any) -> None:
    """Tabulate kill odds by armour, shield, blood, CRITICAL, TOUGH and number of attacks.

    Every cell is answered exactly and rolled. Without --weapon the report takes eight well-known weapons.
    """
    trials = given["trials"] if given["trials"] is not None else DEMO_TRIALS if demo else FULL_TRIALS
    blood, attacks = (_numbers(given[name], f"--{name}") for name in ("blood", "attacks"))
    from tcsim.catalog import catalog

    rows = catalog(given["edition"], given["catalogs"])
    folder = _folder(out)
    if current() != "en":
        from tcsim.plots.style import families

        families()  # the letters that the figures need, asked for before anything is rolled
    frame = _tabulate(given, rows, blood, attacks, trials)
    from tcsim.report.kill_odds import Settings, build, write

    settings = Settings(
        edition=given["edition"],
        weapons=tuple(frame["weapon"].unique()),
        blood=blood,
        attacks=attacks,
        spend=given["spend"],
        trials=trials,
        seed=given["seed"],
        command=_command(out, trials, given),
        version=__version__,
        lang=current(),
        catalog=rows,
    )
    page = write(build(frame, settings), frame, folder)
    click.echo(page)


@report.command(
    "spending",
    epilog="""\b
Example:
  tcsim report spending --out my-report
""",
)
@click.option("--edition", "chosen", multiple=True, metavar="ID", help="Rules edition, repeatable; default both.")
@click.option("--out", metavar="DIR", default="reports/spending", help="Where to; default reports/spending.")
@lang_option
def spending(out: str, chosen: tuple[str, ...]) -> None:
    """Draw when to spend blood markers and when to save them, in each armour: a picture for each edition."""
    from tcsim.analysis.spending import by_armour
    from tcsim.plots.figures.spending_armour import spending_by_armour
    from tcsim.plots.page import png
    from tcsim.rules import editions

    found = {one: by_armour(one) for one in dict.fromkeys(chosen or editions())}
    folder = _folder(out, ())
    for one, advice in found.items():
        path = folder / f"advice-{one}.png"
        path.write_bytes(png(spending_by_armour(advice)))
        click.echo(path)


def _tabulate(
    given: dict[str, Any], rows: Catalog, blood: tuple[int, ...], attacks: tuple[int, ...], trials: int
) -> Any:
    from tcsim.analysis.kill_odds import ARMOURS, DEFAULT_WEAPONS, kill_odds
    from tcsim.cli.terminal import progress

    weapons = given["weapons"] or DEFAULT_WEAPONS
    cells = len(set(weapons)) * (2 * len(ARMOURS) - 1) * 4 * len(blood) * len(attacks)
    with progress("rolling cells" if trials else "solving cells", cells) as advance:
        return kill_odds(weapons, rows, blood, attacks, given["spend"], trials, given["seed"], advance)


def _numbers(text: str, where: str) -> tuple[int, ...]:
    numbers = [whole_number(part) for part in text.split(",")]
    if None in numbers or len(set(numbers)) < len(numbers):
        raise InputError(f"{show(text)} is given, different whole numbers with commas are needed, as 0,3,6", where)
    return tuple(sorted(number for number in numbers if number is not None))


def _folder(out: str, within: tuple[str, ...] = ("figures",)) -> Path:
    """The folder to write to, made now: a report must not be lost for a wrong name after it was rolled."""
    folder = Path(out)
    try:
        out.encode()
        folder.mkdir(parents=True, exist_ok=True)
        for name in within:
            (folder / name).mkdir(exist_ok=True)
        for place in (folder, *(folder / name for name in within)):
            with TemporaryFile(dir=place):
                pass
    except (OSError, ValueError) as error:
        raise InputError(f"{show(out, 200)} cannot be written to: {because(error)}", "--out") from None
    in_the_way = [name for name in ("index.html", "report.md", "cells.csv") if (folder / name).is_dir()]
    if not out or in_the_way:
        what = f"{in_the_way[0]} is a folder there" if in_the_way else "a folder is needed, nothing is given"
        raise InputError(what, "--out")
    return folder


def _command(out: str, trials: int, given: dict[str, Any]) -> str:
    words = ["tcsim", "report", "kill-odds"]
    for weapon in given["weapons"]:
        words += ["--weapon", weapon]
    for file in given["catalogs"]:
        words += ["--catalog", file]
    for name, default in _DEFAULTS.items():
        if given[name] != default:
            words += [f"--{name}", str(given[name])]
    if trials != FULL_TRIALS:
        words += ["--trials", str(trials)]
    if current() != "en":
        words += ["--lang", current()]
    return shlex.join([*words, "--out", out])
