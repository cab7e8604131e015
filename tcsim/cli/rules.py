"""``tcsim editions`` and ``tcsim options``: what there is, with sources and reasons."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any

import click

from tcsim.base.lang import tr
from tcsim.cli import lang_option
from tcsim.cli.inputs import catalog_option
from tcsim.rules import DEFAULT_EDITION, Option, edition, word
from tcsim.rules import editions as edition_names


@click.command(
    epilog="""\b
Example:
  tcsim editions
""",
)
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@lang_option
def editions(as_json: bool) -> None:
    """List the editions of the rules."""
    found = [edition(name) for name in edition_names()]
    if as_json:
        rows = [{"id": e.id, "title": e.title, "default": e.id == DEFAULT_EDITION} for e in found]
        sys.stdout.write(json.dumps(rows) + "\n")
        return
    from tcsim.cli.terminal import table

    table(
        (tr("edition"), tr("rules"), tr("keywords"), ""),
        [[e.id, tr(e.title), str(len(e.keywords)), tr("default") if e.id == DEFAULT_EDITION else ""] for e in found],
        "llrl",
    )


@click.command(
    epilog="""\b
Examples:
  tcsim options
  tcsim options --edition 1.0.2
""",
)
@click.option("--edition", "name", metavar="ID", default=DEFAULT_EDITION, help="Rules edition; default 1.6.3.")
@catalog_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@lang_option
def options(name: str, catalogs: tuple[str, ...], as_json: bool) -> None:
    """List the rules options: what each decides, its readings, the edition's default, source and reason.

    The default is marked with a star. A scenario sets an option in its [options] table, the command line with --option
    key=value. Those that only a duel has stand at the end.
    """
    from tcsim.duels.rules import duel_options

    rules = edition(name)
    of_duels = duel_options(rules.id)
    if catalogs:
        from tcsim.catalog import catalog

        rules = catalog(name, catalogs).rules
    if as_json:
        told = {"options": rules.options, "duel_options": of_duels}
        rows = {key: {option.name: _as_data(option) for option in of.values()} for key, of in told.items()}
        sys.stdout.write(json.dumps({"edition": rules.id, **rows}) + "\n")
        return
    from tcsim.cli.terminal import say

    say(tr("Rules options of {edition}; * is the default", edition=rules.id))
    _print_options(rules.options)
    say()
    say(tr("Options of duels"))
    _print_options(of_duels)
    say()
    from tcsim.cli.terminal import paragraph

    for source, text in rules.sources.items():
        paragraph(f"  {source}:", tr(text), 22)


def _as_data(option: Option) -> dict[str, Any]:
    return {
        "decides": option.decides,
        "values": {word(value): text for value, text in option.values.items()},
        "default": option.default,
        "source": option.source,
        "reason": option.reason,
    }


def _print_options(options: Mapping[str, Option]) -> None:
    from tcsim.cli.terminal import paragraph, say

    for option in options.values():
        say()
        say(option.name)
        paragraph("", tr(option.decides), 2)
        for value, text in option.values.items():
            mark = "*" if value == option.default else " "
            paragraph(f"  {mark} {word(value)}", tr(text), 22)
        paragraph(f"    {tr('source')}", option.source, 22)
        paragraph(f"    {tr('reason')}", tr(option.reason), 22)
