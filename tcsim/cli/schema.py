"""``tcsim schema``: the JSON Schema of a scenario or another file, for editors."""

from __future__ import annotations

import json
import sys
from importlib import import_module

import click

#: What there is a schema of: the module that makes it, and the function.
SCHEMAS = {
    "scenario": ("tcsim.scenario.schema", "scenario_schema"),
    "activation": ("tcsim.situations.activation_schema", "activation_schema"),
    "duel": ("tcsim.duels.schema", "duel_schema"),
    "firefight": ("tcsim.skirmish.schema", "firefight_schema"),
    "turn": ("tcsim.skirmish.schema", "turn_schema"),
}


@click.command(
    epilog="""\b
Examples:
  tcsim schema
  tcsim schema duel
""",
)
@click.argument("file", type=click.Choice(list(SCHEMAS)), default="scenario")
def schema(file: str) -> None:
    """Print the JSON Schema of a scenario (default) or another file, for an editor to complete and check it.

    Each is the file that the command of that name takes.
    """
    module, name = SCHEMAS[file]
    sys.stdout.write(json.dumps(getattr(import_module(module), name)(), indent=2) + "\n")
