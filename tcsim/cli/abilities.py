"""``tcsim catalog abilities``: what can be named under ``abilities`` and ``auras`` of a scenario."""

from __future__ import annotations

import json
import sys

import click

from tcsim.base.errors import InputError
from tcsim.base.errors import show as quoted
from tcsim.base.lang import mark, tr
from tcsim.catalog import catalog as open_catalog
from tcsim.catalog import fold
from tcsim.cli import lang_option
from tcsim.rules import DEFAULT_EDITION

_COLUMNS = (mark("ability"), mark("of"), mark("cost"), mark("what it does"))


@click.command(
    epilog="""\b
Examples:
  tcsim catalog abilities aura
  tcsim catalog abilities skill --edition 1.0.2
""",
)
@click.argument("words", nargs=-1)
@click.option("--edition", metavar="ID", default=DEFAULT_EDITION, help="Rules edition; default 1.6.3.")
@lang_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def abilities(words: tuple[str, ...], edition: str, as_json: bool) -> None:
    """List abilities of units and warbands, skills, powers and wounds: all, or those that contain all WORDS."""
    every = [pair for same in open_catalog(edition).abilities.values() for pair in same]
    every.sort(key=lambda pair: (fold(pair[1].name), pair[0]))
    wanted = [fold(word) for word in words]
    found = [
        (whose, ability) for whose, ability in every if all(word in fold(f"{whose} {ability.text}") for word in wanted)
    ]
    if not found:
        raise InputError(f"no ability in the catalogue of {edition} has {quoted(' '.join(words))}")
    rows = [
        (ability.name, whose, ability.price, "; ".join(effect.text for effect in ability.effects))
        for whose, ability in found
    ]
    if as_json:
        keys = ("name", "of", "price", "effects")
        sys.stdout.write(json.dumps([dict(zip(keys, row, strict=True)) for row in rows]) + "\n")
        return
    from tcsim.cli.terminal import table

    cells = [(name, whose, "" if price is None else str(price), effects) for name, whose, price, effects in rows]
    table(tuple(map(tr, _COLUMNS)), cells, "wwrw")
