"""The JSON Schema of a duel, made from the same definitions that check it."""

from __future__ import annotations

from typing import Any

from tcsim.duels.given import GivenDuel
from tcsim.duels.rules import duel_options
from tcsim.rules import DEFAULT_EDITION
from tcsim.scenario.schema import not_null, struct_schema


def duel_schema() -> dict[str, Any]:
    """Make the JSON Schema (draft 2020-12) of a duel.

    Returns
    -------
    dict
        Fields, types and limits from the model; editions, options and keywords from the rules.

    Examples
    --------
    >>> duel_schema()["required"]
    ['a', 'b']
    """
    schema = struct_schema(GivenDuel, "duel", duel_options(DEFAULT_EDITION))
    schema["$defs"]["Fighter"]["properties"]["attacks"]["minItems"] = 1
    not_null(schema["properties"], "approach")
    return schema
