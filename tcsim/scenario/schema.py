"""The JSON Schema of a scenario and of other files, made from the same definitions that check them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from tcsim.rules import Option, edition, editions, word
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
        "type": "object",
        "properties": properties,
        "required": ["target", "attacks"],
        "additionalProperties": False,
        "$defs": definitions,
    }
    return with_rules(schema, "scenario")


def struct_schema(kind: type[model.Table], what: str, options: Mapping[str, Option] | None = None) -> dict[str, Any]:
    """Make the JSON Schema of a file whose whole shape is one struct.

    Parameters
    ----------
    kind : type
        The struct.
    what : str
        What the file is called.
    options : mapping, optional
        Options beside those of every scenario.

    Returns
    -------
    dict
        As :func:`scenario_schema`.
    """
    _, definitions = msgspec.json.schema_components((kind,), ref_template="#/$defs/{name}")
    own = definitions.pop(kind.__name__)
    schema = {name: own[name] for name in ("type", "properties", "required", "additionalProperties")}
    return with_rules(schema | {"$defs": definitions}, what, options)


def not_null(properties: dict[str, Any], name: str) -> None:
    """Say of a field that it is left out or given, but never null.

    Parameters
    ----------
    properties : dict
        The fields, which are changed.
    name : str
        One that may be null until now.
    """
    field = properties[name]
    [kind] = [part for part in field.pop("anyOf") if part != {"type": "null"}]
    field.pop("default", None)
    properties[name] = field | kind


def with_rules(schema: dict[str, Any], what: str, options: Mapping[str, Option] | None = None) -> dict[str, Any]:
    """Give a schema its title, and what the rules know: editions, options, keywords.

    Parameters
    ----------
    schema : dict
        With the properties ``edition`` and ``options``, and with ``$defs``.
    what : str
        What it is the schema of.
    options : mapping, optional
        Options beside those of every scenario.

    Returns
    -------
    dict
        The schema.
    """
    rules = [edition(name) for name in editions()]
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": f"tcsim {what}", **schema}
    schema["properties"]["edition"]["enum"] = [e.id for e in rules]
    told: dict[str, Any] = {}
    for option in (*rules[0].options.values(), *(options or {}).values()):
        readings = "; ".join(f"{word(value)}: {text}" for value, text in option.values.items())
        told[option.name] = {"enum": list(option.values), "description": f"{option.decides} ({readings})"}
    schema["properties"]["options"] |= {"properties": told, "additionalProperties": False}
    for table, definition in schema["$defs"].items():
        place = "attack" if table == "Attack" else "model"
        words = {
            name
            for e in rules
            for name, keyword in e.keywords.items()
            if keyword.on in (place, "any") and keyword.number != "required"
        }
        if "keywords" in definition["properties"]:
            definition["properties"]["keywords"]["items"] |= {"examples": sorted(words)}
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
