"""The JSON Schema of a scenario, made from the same definitions that check it."""

from __future__ import annotations

from typing import Any

import msgspec

from tcsim.rules import edition, editions, word
from tcsim.scenario import model


def scenario_schema() -> dict[str, Any]:
    """Make the JSON Schema (draft 2020-12) of a scenario.

    Returns
    -------
    dict
        Fields, types and limits from the model; editions, options and keywords from the rules.

    Examples
    --------
    >>> scenario_schema()["properties"]["edition"]["enum"]
    ['1.6.3', '1.0.2']
    """
    steps = (model.Attack, model.Event, model.Risky, model.Charge)
    tables = (model.Attacker, model.Target, *steps, model.SpendPolicy)
    _, definitions = msgspec.json.schema_components(tables, ref_template="#/$defs/{name}")
    properties = {name: _field_schema(name, hint) for name, hint in model.fields(model.Scenario).items()}
    schema: dict[str, Any] = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "tcsim scenario",
        "type": "object",
        "properties": properties,
        "required": ["target", "attacks"],
        "additionalProperties": False,
        "$defs": definitions,
    }
    rules = [edition(name) for name in editions()]
    schema["properties"]["edition"]["enum"] = [e.id for e in rules]
    options: dict[str, Any] = {}
    for option in rules[0].options.values():
        readings = "; ".join(f"{word(value)}: {text}" for value, text in option.values.items())
        options[option.name] = {"enum": list(option.values), "description": f"{option.decides} ({readings})"}
    schema["properties"]["options"] |= {"properties": options, "additionalProperties": False}
    for table, place in (("Attacker", "model"), ("Target", "model"), ("Attack", "attack")):
        words = {
            name
            for e in rules
            for name, keyword in e.keywords.items()
            if keyword.on in (place, "any") and keyword.number != "required"
        }
        field = schema["$defs"][table]["properties"]["keywords"]
        field["items"] |= {"examples": sorted(words)}
    return schema


def _field_schema(name: str, hint: Any) -> dict[str, Any]:
    """The schema of a field of the scenario itself."""
    if name in model.TABLES:
        return {"$ref": f"#/$defs/{model.TABLES[name].__name__}"}
    if name == "attacks":
        steps = [
            {"$ref": f"#/$defs/{kind.__name__}"} for kind in (model.Attack, model.Event, model.Risky, model.Charge)
        ]
        return {"type": "array", "minItems": 1, "items": {"anyOf": steps}}
    return dict(msgspec.json.schema(hint))
