"""Pages made from the JSON Schemas of the files that tcsim reads, and those of the questions of both rulesets."""

import json
from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Any

from _make.text import code, contents, page, table, told
from tcsim.aos import AOS
from tcsim.base.lang import speaking
from tcsim.cli.schema import SCHEMAS
from tcsim.questions.reference import markdown
from tcsim.situations import ASK


def pages() -> Iterator[tuple[str, str]]:
    """Make a page for each schema, the schemas themselves, and the questions: where each goes, and its text."""
    for ruleset, place in ((ASK, "questions"), (AOS, "aos")):
        for lang, end in (("en", ""), ("ko", "-ko")):
            with speaking(lang):
                text = markdown(ruleset)
            yield f"reference/{place}{end}.md", text
    yield (
        "reference/schemas/index.md",
        page(
            "# Files that tcsim reads",
            "Every table and field, as the JSON Schemas have them that `tcsim schema` prints, for editors to complete "
            "and check a file while it is written.",
            contents(SCHEMAS),
        ),
    )
    for name, (module, function) in SCHEMAS.items():
        schema = getattr(import_module(module), function)()
        yield f"reference/schemas/tcsim-{name}.json", json.dumps(schema, indent=2) + "\n"
        yield f"reference/schemas/{name}.md", page(*_schema(name, schema))


def _schema(name: str, schema: Mapping[str, Any]) -> Iterator[str]:
    yield f"# The file of {'an' if name[0] in 'aeiou' else 'a'} {name}"
    yield f"[tcsim-{name}.json](tcsim-{name}.json) is the schema itself, what `tcsim schema {name}` prints."
    tables = {name: schema, **schema.get("$defs", {})}
    tables |= {key: one for key, one in schema["properties"].items() if "properties" in one}
    for head, one in tables.items():
        yield f"## {head}"
        yield told(one.get("description", ""))
        yield _fields(one) if "properties" in one else _kind(one)


def _fields(schema: Mapping[str, Any]) -> str:
    needed = set(schema.get("required", ()))
    rows = [
        (code(name) + (" (required)" if name in needed else ""), _link(name, one), told(_description(one)))
        for name, one in schema["properties"].items()
    ]
    return table(("field", "what may be given", "what it says"), rows) if rows else "No fields."


def _description(one: Mapping[str, Any]) -> str:
    inner = (_description(part) for part in one.get("anyOf", ()))
    return one.get("description") or next(filter(None, inner), "")


def _link(name: str, one: Mapping[str, Any]) -> str:
    """Write what a field may be; of a table that stands in no other place, where its own fields are told."""
    return f"[table](#{name})" if "properties" in one else _kind(one)


def _kind(one: Mapping[str, Any]) -> str:
    """Write in a few words what a value may be."""
    if "$ref" in one:
        name = one["$ref"].rpartition("/")[2]
        return f"[{name}](#{name.lower()})"
    if "enum" in one:
        return ", ".join(code(json.dumps(value)) for value in one["enum"])
    if "const" in one:
        return code(json.dumps(one["const"]))
    if "anyOf" in one:
        parts = [_kind(part) for part in one["anyOf"] if part.get("type") != "null"]
        return " or ".join(dict.fromkeys(parts))
    kind = one.get("type", "anything")
    if kind == "array":
        return f"list of {_kind(one['items'])}" if one.get("items") else "list"
    low, high = one.get("minimum", one.get("exclusiveMinimum")), one.get("maximum", one.get("exclusiveMaximum"))
    limits = f", {low} to {high}" if None not in (low, high) else f", from {low}" if low is not None else ""
    names = {"integer": "whole number", "boolean": "true or false", "string": "text", "object": "table"}
    return (names.get(kind, str(kind)) + limits) if isinstance(kind, str) else " or ".join(kind)
