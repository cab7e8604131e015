"""``tcsim report``: pages with figures. A kind of report is a row of :data:`KINDS`; all else is shared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryFile
from typing import TYPE_CHECKING, Any

import click

from tcsim.base.errors import InputError, show, unknown
from tcsim.base.files import because
from tcsim.base.lang import current
from tcsim.cli import HelpfulGroup, lang_option
from tcsim.cli.inputs import WholeNumber, catalog_option, complete
from tcsim.rules import DEFAULT_EDITION

if TYPE_CHECKING:
    from tcsim.report.blocks import Report
    from tcsim.report.settings import Asked, Built


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
    least : int, optional
        How many editions it needs.
    ruleset : str, optional
        The module whose ``EDITIONS`` it is about, where its game has no catalogue.
    """

    name: str
    text: str
    module: str
    options: tuple[Any, ...] = ()
    every_edition: bool = False
    catalog: bool = True
    example: str = ""
    least: int = 1
    ruleset: str = ""

    @property
    def titles(self) -> dict[str, str]:
        """The editions of a game that has no catalogue: id to title."""
        rows = import_module(self.ruleset).EDITIONS if self.ruleset else ()
        return {row.id: row.title for row in rows}


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

_FEW = click.option("--demo", is_flag=True, help="Only eight well-known weapons, unless --weapon names others.")
_SMALL = click.option("--demo", is_flag=True, help="Each report in its small form: few weapons, few trials.")

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
        "markers",
        "Tell what blood markers are worth, by armour, TOUGH and weapon, what each way of spending them comes to, and "
        "when to save them. Without --weapon the report takes four well-known weapons and a plain attack.",
        "tcsim.report.markers",
        (_WEAPONS,),
        every_edition=True,
        example='tcsim report markers --weapon "Machine Gun" --out my-report',
    ),
    Kind(
        "weapons",
        "Rank every weapon by what it does and costs: on armour, on the models met at the table, out of line with its "
        "price, and what each keyword is worth.",
        "tcsim.report.weapons",
        (_WEAPONS, _FEW),
        example="tcsim report weapons --edition 1.0.2 --out my-report",
    ),
    Kind(
        "armour",
        "Tell what everything that can be worn takes off, from which weapons, for how much, and what is never worth "
        "it.",
        "tcsim.report.armour",
        (_WEAPONS, _FEW),
        example="tcsim report armour --out my-report",
    ),
    Kind(
        "edition-diff",
        "Tell what an edition changed: each weapon's chance, by its own row and by the rules; prices; rows that are "
        "new or gone.",
        "tcsim.report.edition_diff",
        (_WEAPONS, _FEW),
        every_edition=True,
        example="tcsim report edition-diff --out my-report",
        least=2,
    ),
    Kind(
        "loadouts",
        "Tell what is unbeaten for its ducats, who beats the rest, fair prices and how sure they are, and the best "
        "loadouts of some units.",
        "tcsim.report.loadouts",
        every_edition=True,
        catalog=False,
        example="tcsim report loadouts --edition 1.0.2 --plain --out my-report",
    ),
    Kind(
        "aos",
        "Age of Sigmar: what is cast and unbound, what a reroll does for a charge, what Rally brings back, which "
        "command is worth its point, what each point adds in a turn, and how long objectives are held.",
        "tcsim.report.aos",
        every_edition=True,
        catalog=False,
        example="tcsim report aos --edition 4e --out my-report",
        ruleset="tcsim.aos.editions",
    ),
)

_EXAMPLE = "\b\nExample:\n  {}\n"


def _begun(words: Iterable[str]) -> Callable[..., list[str]]:
    return lambda context, parameter, begun: [word for word in words if word.startswith(begun)]


def _flags(kind: Kind | None) -> tuple[Any, ...]:
    """The flags of a kind of report, its own first; None: of all reports together."""
    one = kind is not None and not kind.every_edition
    default = f"reports/{kind.name}" if kind else "reports"
    edition = click.option(
        "--edition",
        metavar="ID",
        multiple=not one,
        default=DEFAULT_EDITION if one else None,
        shell_complete=_begun(kind.titles) if kind and kind.ruleset else complete("edition"),
        help=f"Rules edition; default {DEFAULT_EDITION}." if one else "Rules edition; repeatable; default every one.",
    )
    return (
        *(kind.options if kind else (_TRIALS, _SMALL)),
        edition,
        *((catalog_option,) if kind is None or kind.catalog else ()),
        click.option("--out", metavar="DIR", default=default, help=f"Where to; default {default}."),
        click.option("--parquet", is_flag=True, help="Write the data as Parquet, too."),
        click.option("--plain", is_flag=True, help="Without figures: quicker, and smaller."),
        lang_option,
    )


@click.group(
    cls=HelpfulGroup,
    no_args_is_help=False,
    epilog=_EXAMPLE.format('tcsim report kill-odds --weapon "Sword / Axe" --blood 0,3 --out my-report'),
)
def report() -> None:
    """Write a report: a self-contained HTML page, Markdown, CSV and figures."""


def _add(kind: Kind) -> None:
    def run(**given: Any) -> Report:
        build = import_module(kind.module).build
        return _written(build, given, kind.titles)

    for option in reversed(_flags(kind)):
        run = option(run)
    report.command(kind.name, help=kind.text, epilog=_EXAMPLE.format(kind.example))(run)


for _kind in KINDS:
    _add(_kind)


def _every(**given: Any) -> Report:
    """Write every report, each into a folder of its own, and a page above them with what each found.

    Reports that are about one edition take the first that is named; one that compares editions needs two.
    """

    def build(asked: Asked) -> Built:
        from tcsim.report.overview import compose
        from tcsim.report.settings import Built

        return Built(compose({kind.name: _part(kind) for kind in KINDS if kind.least <= len(asked.catalogs)}), {})

    return _written(build, given)


for _option in reversed(_flags(None)):
    _every = _option(_every)
report.command("all", epilog=_EXAMPLE.format("tcsim report all --plain --trials 0 --out my-reports"))(_every)


def _part(kind: Kind) -> Report:
    """Write one report of all, as its own command would with the flags that are given to all."""
    context = click.get_current_context()
    command = report.commands[kind.name]
    given = context.params | {"out": str(Path(context.params["out"]) / kind.name)}
    if kind.ruleset:  # the editions that are named for all are those of another game
        given["edition"] = ()
    words = [word for option in command.params for word in _said(option, given.get(option.name or ""))]
    with command.make_context(kind.name, words, context.parent) as inner:
        made: Report = command.invoke(inner)
    return made


def _written(build: Callable[[Asked], Built], given: dict[str, Any], titles: Mapping[str, str] | None = None) -> Report:
    """Build a report and write it; what can be wrong is looked at before anything is worked out.

    ``titles``: editions and their titles, where the game has no catalogue.
    """
    from tcsim.catalog import catalog
    from tcsim.cli.terminal import progress
    from tcsim.report.provenance import Provenance
    from tcsim.report.settings import Asked
    from tcsim.report.write import check_parquet, write
    from tcsim.rules import editions

    out, parquet, plain, edition = (given.pop(name) for name in ("out", "parquet", "plain", "edition"))
    files = given.pop("catalogs", ())
    titles = titles or {}
    chosen = (edition,) if isinstance(edition, str) else tuple(dict.fromkeys(edition or titles or editions()))
    if titles and not titles.keys() >= set(chosen):
        raise unknown("edition", next(one for one in chosen if one not in titles), titles, "--edition")
    rows = () if titles else tuple(catalog(one, files) for one in chosen)
    if parquet:
        check_parquet()
    folder = _folder(out)
    if current() != "en":
        from tcsim.plots.style import families

        families()  # the letters that the figures need
    try:
        built = build(Asked(rows, given, progress, chosen if titles else ()))
    except InputError:  # what is wrong costs no page
        raise
    except BaseException:  # a run that is interrupted leaves none
        (folder / "index.html").unlink(missing_ok=True)
        raise
    if plain:
        built = built._replace(report=built.report.without_figures())
    told = tuple(titles[one] for one in chosen if titles)
    provenance = Provenance(rows, _command_line(), built.rolled, parquet, told)
    click.echo(write(built, provenance, folder))
    return built.report


def _command_line() -> tuple[str, ...]:
    """The command that was given, word by word: only what differs from the defaults, and no folder of this machine."""
    context = click.get_current_context()
    found: list[str] = []
    for option in context.command.params:
        value: Any = context.params.get(option.name or "")
        if option.name == "catalogs":
            value = tuple(Path(file).name for file in value)
        if option.name != "out" and value != option.get_default(context):
            found += _said(option, value)
    spoken = [] if current() == "en" else ["--lang", current()]
    return (*context.command_path.split(), *found, *spoken)


def _said(option: click.Parameter, value: Any) -> list[str]:
    """The words that give a flag a value; none for what is left out."""
    if value is None or value is False:
        return []
    if value is True:
        return [option.opts[0]]
    given = value if isinstance(value, tuple) else (value,)
    return [word for one in (given if option.multiple else given[:1]) for word in (option.opts[0], str(one))]


def _folder(out: str) -> Path:
    """The folder to write to, made now: a report must not be lost for a wrong name after it was rolled."""
    folder = Path(out)
    try:
        out.encode()
        folder.mkdir(parents=True, exist_ok=True)
        for place in (folder, folder / "data", folder / "figures"):
            if place.exists():
                with TemporaryFile(dir=place):
                    pass
    except (OSError, ValueError) as error:
        raise InputError(f"{show(out, 200)} cannot be written to: {because(error)}", "--out") from None
    in_the_way = [name for name in ("index.html", "report.md") if (folder / name).is_dir()]
    if not out or in_the_way:
        what = f"{in_the_way[0]} is a folder there" if in_the_way else "a folder is needed, nothing is given"
        raise InputError(what, "--out")
    return folder
