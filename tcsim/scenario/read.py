"""Text to checked Scenario: TOML, JSON, JSON lines and mappings, with one clear sentence for whatever is wrong."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from tcsim.base.errors import InputError, nearest, show, unknown
from tcsim.scenario import model
from tcsim.scenario.model import Scenario

#: A scenario file or a line of JSON lines above this many bytes is refused.
MAX_BYTES = 1 << 20


def from_mapping(data: Any) -> Scenario:
    """Check the shape of a scenario given as plain data.

    Parameters
    ----------
    data : mapping or Scenario
        Tables and fields as in a scenario file.

    Returns
    -------
    Scenario
        Well formed; names are checked when it is resolved.

    Raises
    ------
    InputError
        With the place, what was given, and what is allowed.

    Examples
    --------
    >>> from_mapping({"target": {}, "attacks": [{"cover": 1}]})
    Traceback (most recent call last):
    ...
    tcsim.base.errors.InputError: attacks[0].cover: 1 is given, true or false is allowed
    """
    if isinstance(data, Scenario):
        return data
    if not isinstance(data, Mapping):
        raise InputError(f"a scenario is a table with target and attacks, {show(data)} is given")
    try:
        return Scenario.model_validate(dict(data))
    except ValidationError as error:
        raise _sentence(error.errors(include_url=False)) from None
    except RecursionError:
        raise InputError("the tables are nested too deeply") from None


def from_json(text: str | bytes) -> Scenario:
    """Read a scenario from JSON.

    Parameters
    ----------
    text : str or bytes
        One JSON object, UTF-8, at most 1 MiB.

    Returns
    -------
    Scenario
        Well formed; names are checked when it is resolved.

    Raises
    ------
    InputError
        For anything that is not a scenario, repeated keys, NaN and infinities included.

    Examples
    --------
    >>> from_json('{"target": {"blood": 2}, "attacks": [{}]}').target.blood
    2
    """
    return from_mapping(parse_json(text))


def parse_json(text: str | bytes) -> Any:
    """Parse JSON strictly: no repeated keys, no NaN, no infinities, at most 1 MiB.

    Parameters
    ----------
    text : str or bytes
        JSON, UTF-8.

    Returns
    -------
    Any
        Plain data.

    Raises
    ------
    InputError
        With what is wrong and where.
    """
    import json

    text = _decode(text)
    if not text.strip():
        raise InputError("the input is empty; a scenario has at least target and attacks")
    try:
        return json.loads(text, object_pairs_hook=_no_repeats, parse_constant=_no_constant)
    except json.JSONDecodeError as error:
        what = error.msg.removesuffix(" at")
        raise InputError(f"this is not JSON: {what} at line {error.lineno}, column {error.colno}") from None
    except RecursionError:
        raise InputError("the tables are nested too deeply") from None
    except InputError:
        raise
    except ValueError:  # int() refuses more than 4,300 digits
        raise InputError("a number has too many digits") from None


def from_toml(text: str | bytes) -> Scenario:
    r"""Read a scenario from TOML.

    Parameters
    ----------
    text : str or bytes
        A TOML document, UTF-8, at most 1 MiB.

    Returns
    -------
    Scenario
        Well formed; names are checked when it is resolved.

    Raises
    ------
    InputError
        For anything that is not a scenario.

    Examples
    --------
    >>> from_toml("[target]\nblood = 2\n[[attacks]]\n").target.blood
    2
    """
    return from_mapping(parse_toml(text))


def parse_toml(text: str | bytes) -> Any:
    """Parse TOML, at most 1 MiB.

    Parameters
    ----------
    text : str or bytes
        TOML, UTF-8.

    Returns
    -------
    Any
        Plain data.

    Raises
    ------
    InputError
        With what is wrong and where.
    """
    import tomllib

    text = _decode(text)
    if not text.strip():
        raise InputError("the input is empty; a scenario has at least target and attacks")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"this is not TOML: {str(error)[:200]}") from None
    except RecursionError:
        raise InputError("the tables are nested too deeply") from None
    except ValueError:
        raise InputError("a number or date cannot be read") from None


def parse_file(path: str | Path) -> Any:
    """Read a scenario file as plain data; its name ends in .toml or .json.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    Any
        Plain data, its shape not yet checked.

    Raises
    ------
    InputError
        When it cannot be read, is too large, or is not TOML or JSON.
    """
    name, path = show(str(path), 200), Path(path)
    suffix = path.suffix.lower()
    if suffix not in (".toml", ".json"):
        raise InputError(f"{name} is given, a scenario file ends in .toml or .json")
    try:
        with path.open("rb") as file:
            text = file.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "the name is not possible"
        raise InputError(f"{name} cannot be read: {reason}") from None
    try:
        return parse_toml(text) if suffix == ".toml" else parse_json(text)
    except InputError as error:
        raise InputError(str(error), show(path.name, 200).strip('"')) from None


def read_scenario(path: str | Path) -> Scenario:
    """Read a scenario from a .toml or .json file.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    Scenario
        Well formed; names are checked when it is resolved.

    Raises
    ------
    InputError
        When the file cannot be read or is not a scenario.
    """
    return from_mapping(parse_file(path))


def _decode(text: str | bytes) -> str:
    if len(text) > MAX_BYTES:
        raise InputError("the input is larger than 1 MiB")
    if isinstance(text, str):
        return text.removeprefix("\ufeff")
    try:
        return text.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"the input is not UTF-8: byte {error.start} cannot be read") from None


def _no_repeats(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    table = dict(pairs)
    if len(table) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise InputError(f"the key {show(key)} is given twice in one table")
            seen.add(key)
    return table


def _no_constant(word: str) -> Any:
    raise InputError(f"{word} is not a number that can be used")


_NUMBERS = ("int_type", "int_from_float", "float_type", "finite_number", "greater_than_equal", "less_than_equal")
_KINDS = {
    "bool_type": "true or false",
    "string_type": "text",
    "string_unicode": "text without half characters (lone surrogates)",
    "string_too_short": "text that is not empty",
    "list_type": "an array",
    "dict_type": "a table",
    "model_type": "a table",
}


def _sentence(errors: list[ErrorDetails]) -> InputError:
    """Turn the first error into one sentence; an unknown field goes first, what is missing may be its right name."""
    error = min(errors, key=lambda error: error["type"] != "extra_forbidden")
    kind, loc, given, context = error["type"], error["loc"], error["input"], error.get("ctx", {})
    if kind == "extra_forbidden":
        where, table = _place(loc[:-1])
        if table is model.Event:
            return InputError(f"an event table has the key event alone, {show(loc[-1])} is given too", where)
        return unknown("field", str(loc[-1]), table.model_fields, where or "scenario")
    if kind == "invalid_key" or loc[-1:] == ("[key]",):
        where, _ = _place(loc[:-1] if kind == "invalid_key" else loc[:-2])
        return InputError(f"the key {show(given)} is given, a key is text", where)
    where, table = _place(loc)
    if kind == "missing":
        return InputError("it is missing; a scenario has at least target and attacks", where)
    if kind == "too_short":
        return InputError("at least one attack is needed, the array is empty", where)
    hint = None
    if kind in _NUMBERS:
        allowed = _number(table, where)
        if allowed.startswith("a whole number") and isinstance(given, float):
            allowed += " (without a decimal point)"
    elif kind == "literal_error":
        allowed = str(context["expected"]).replace("'", "")
        hint = nearest(given, allowed.replace(" or ", ", ").split(", ")) if isinstance(given, str) else None
    elif where == "attacks":
        allowed = "an array of tables ([[attacks]] in TOML)"
    elif kind == "string_too_long":
        allowed = f"text of at most {context['max_length']} characters"
    else:
        allowed = _KINDS.get(kind, str(error["msg"]))
    sentence = f"{show(given)} is given, {allowed} is allowed"
    return InputError(sentence + (f'; did you mean "{hint}"?' if hint else ""), where)


def _place(loc: tuple[int | str, ...]) -> tuple[str, type[model._Table]]:
    """Write the place of an error as a path, and find the table it is in."""
    where, table, after_index = "", Scenario, False
    tables: dict[str, Any] = {
        "attacker": model.Attacker,
        "target": model.Target,
        "spend": model.SpendPolicy,
        "attack": model.Attack,
        "event": model.Event,
    }
    for depth, part in enumerate(loc):
        if isinstance(part, int):
            where += f"[{part}]"
        elif after_index and part in ("attack", "event"):  # the tag of the union, not a key of the input
            table = tables[part]
        else:
            where += f".{part}" if where else part
            if depth == 0 and part in tables:
                table = tables[part]
        after_index = isinstance(part, int)
    return where, table


def _number(table: type[model._Table], where: str) -> str:
    """Say what number a field takes; its limits stand in its definition."""
    schema = table.model_json_schema()["properties"][where.rpartition(".")[2]]
    schema = next((part for part in schema.get("anyOf", ()) if "minimum" in part), schema)
    kind = "a whole number" if schema["type"] == "integer" else "a number"
    return f"{kind} from {schema['minimum']:g} to {schema['maximum']:g}"
