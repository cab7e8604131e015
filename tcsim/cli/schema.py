"""``tcsim schema``: the JSON Schema of a scenario, for editors."""

from __future__ import annotations

import json
import sys

import click


@click.command(
    epilog="""\b
Example:
  tcsim schema
""",
)
def schema() -> None:
    """Print the JSON Schema of a scenario, to be used by an editor for completion and checks."""
    from tcsim.scenario.schema import scenario_schema

    sys.stdout.write(json.dumps(scenario_schema(), indent=2) + "\n")
