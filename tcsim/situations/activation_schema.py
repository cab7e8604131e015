"""The JSON Schema of a whole activation, made from the same definitions that check it."""

from __future__ import annotations

from typing import Any

import msgspec

from tcsim.scenario.schema import not_null, scenario_schema
from tcsim.situations import activation_file as f


def activation_schema() -> dict[str, Any]:
    """Make the JSON Schema (draft 2020-12) of a whole activation: a scenario, and its table ``activation``.

    Returns
    -------
    dict
        As that of a scenario; a step is its name, or a table with its name alone.

    Examples
    --------
    >>> activation_schema()["required"]
    ['target', 'attacks', 'activation']
    """
    schema = scenario_schema()
    tables = (f.ActivationTable, f.Plain, f.Rolled, f.Charged, f.Retreated)
    _, definitions = msgspec.json.schema_components(tables, ref_template="#/$defs/{name}")
    for name, field in (("Charged", "distance"), ("Retreated", "free_attacks")):  # these may not be left out
        definitions[name]["required"] = [field]
    not_null(definitions["Charged"]["properties"], "distance")
    named = {name: {"$ref": f"#/$defs/{kind.__name__}"} for name, kind in f.KINDS.items()}
    plain = [name for name in f.KINDS if name not in (f.CHARGE, f.RETREAT)]  # these two have to say more
    attack = {"type": "string", "pattern": "^attack [1-9][0-9]*$"}
    table = {"type": "object", "minProperties": 1, "maxProperties": 1, "properties": named}
    table |= {"patternProperties": {attack["pattern"]: {"$ref": "#/$defs/Plain"}}, "additionalProperties": False}
    steps = {"type": "array", "minItems": 1, "maxItems": f.MAX_STEPS}
    steps |= {"items": {"anyOf": [{"enum": plain}, attack, table]}}
    definitions["ActivationTable"]["properties"]["steps"] = steps
    free = definitions["Retreated"]["properties"]
    free["free_attacks"] = {"type": "array", "items": {"$ref": "#/$defs/Attack"}}
    free["model"] = {"anyOf": [{"$ref": "#/$defs/Target"}, {"type": "null"}], "default": None}
    schema["title"] = "tcsim activation"
    schema["properties"]["attacks"]["items"] = {"$ref": "#/$defs/Attack"}
    schema["properties"]["activation"] = {"$ref": "#/$defs/ActivationTable"}
    schema["required"] = [*schema["required"], "activation"]
    kept = {name: table for name, table in schema["$defs"].items() if name not in ("Event", "Risky", "Charge")}
    schema["$defs"] = kept | definitions
    return schema
