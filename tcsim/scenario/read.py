"""Text to checked Scenario: TOML, JSON, JSON lines and mappings, with one clear sentence for whatever is wrong."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import msgspec
from msgspec import inspect

from tcsim.base.errors import InputError, did_you_mean, show, unknown
from tcsim.base.files import parse_file, parse_json, parse_toml
from tcsim.scenario import model
from tcsim.scenario.model import ROWS, TABLES, Name, Scenario, Table


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
    if isinstance(data, Scenario):  # perhaps built by hand, so it is looked at too
        _read_scenario(_plain(data))
        return data
    if not isinstance(data, Mapping):
        raise InputError(f"a scenario is a table with target and attacks, {show(data)} is given")
    return _read_scenario(data)


def _plain(scenario: Scenario) -> Any:
    tables = {name: _fields_of(getattr(scenario, name)) for name in TABLES}
    attacks: Any = scenario.attacks
    if isinstance(attacks, list):
        attacks = [_fields_of(table) for table in attacks]
    rest = {name: getattr(scenario, name) for name in ("id", "edition", "options")}
    return {**rest, **tables, "attacks": attacks}


def _fields_of(table: Any) -> Any:
    return msgspec.structs.asdict(table) if isinstance(table, Table) else table


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

    Examples
    --------
    >>> _ = Path("shot.json").write_text('{"target": {"blood": 2}, "attacks": [{"cover": true}]}', encoding="utf-8")
    >>> read_scenario("shot.json").target.blood
    2
    """
    return from_mapping(parse_file(path))


_WHOLE = " without half characters (lone surrogates)"


def _read_scenario(data: Any) -> Scenario:
    fields = known(model.Scenario, data, "")
    values: dict[str, Any] = {}
    for name, value in data.items():
        if name in TABLES:
            values[name] = read_table(TABLES[name], value, name)
        elif name == "attacks":
            values[name] = read_attacks(value)
        else:
            values[name] = read_value(fields[name], value, name)
    for name in ("target", "attacks"):
        if name not in values:
            raise InputError("it is missing; a scenario has at least target and attacks", name)
    return Scenario(**values)


def read_attacks(value: Any, where: str = "attacks") -> list[Any]:
    """Check the shape of a list of attacks and events.

    Parameters
    ----------
    value : Any
        As given.
    where : str, optional
        Its place in the input.

    Returns
    -------
    list of Attack and Event
        At least one.

    Raises
    ------
    InputError
        With the place, what was given, and what is allowed.
    """
    if not isinstance(value, list):
        heading = re.sub(r"\[\d+\]", "", where)
        raise InputError(f"{show(value)} is given, an array of tables ([[{heading}]] in TOML) is allowed", where)
    if not value:
        raise InputError("at least one attack is needed, the array is empty", where)
    return [read_table(_kind_of(table, f"{where}[{i}]"), table, f"{where}[{i}]") for i, table in enumerate(value)]


def _kind_of(table: Any, where: str) -> type[Table]:
    """Which kind of table an entry of ``attacks`` is, by its event."""
    if not isinstance(table, dict) or "event" not in table:
        return model.Attack
    event = read_value(model.EventWord, table["event"], f"{where}.event")
    return model.EVENTS[event]


def read_table(kind: type[Table], data: Any, where: str) -> Any:
    """Read a table at once; only if something is wrong, field by field, to say what.

    Parameters
    ----------
    kind : type
        What it is to be, as ``model.Attack``.
    data : Any
        As parsed.
    where : str
        Its place in the input.

    Returns
    -------
    Table
        Of that kind.

    Raises
    ------
    InputError
        For a key that does not exist, or a value that is not allowed.

    Examples
    --------
    >>> read_table(model.Attack, {"cover": True}, "attack").cover
    True
    """
    if not isinstance(data, dict):
        raise InputError(f"{show(data)} is given, a table is allowed", where)
    if not any(_is_odd(value) for value in data.values()):
        try:
            return msgspec.convert(data, kind, strict=True)
        except (msgspec.ValidationError, UnicodeEncodeError):
            pass
    fields = known(kind, data, where)
    values = {name: _read_field(fields[name], value, f"{where}.{name}") for name, value in data.items()}
    if kind is model.Charge and "distance" not in values:
        raise InputError("it is missing; a charge has a distance, in inches", f"{where}.distance")
    return kind(**values)


def _read_field(hint: Any, value: Any, where: str) -> Any:
    """Read a value, or each row of a field that holds an array of tables."""
    if where in ROWS and isinstance(value, list):
        return [read_table(ROWS[where], row, f"{where}[{index}]") for index, row in enumerate(value)]
    return read_value(hint, value, where)


def _is_odd(value: Any) -> bool:
    """Whether msgspec might take a value that a scenario does not: other containers for arrays, and half characters."""
    if isinstance(value, list):
        return any(isinstance(item, str) and _is_half(item) for item in value)
    return isinstance(value, (tuple, set, frozenset)) or (isinstance(value, str) and _is_half(value))


def known(kind: type[Table], data: Mapping[Any, Any], where: str) -> dict[str, Any]:
    """Give the fields of a kind of table, after a look at whether the keys of ``data`` are among them.

    Parameters
    ----------
    kind : type
        As for :func:`read_table`.
    data : mapping
        As parsed.
    where : str
        Its place in the input.

    Returns
    -------
    dict
        Field to annotated type.

    Raises
    ------
    InputError
        For a key that does not exist.
    """
    fields = model.fields(kind)
    for key in data:
        if key in fields:
            continue
        if not isinstance(key, str) or _is_half(key):
            raise InputError(f"the key {show(key)} is given, a key is text{_WHOLE * isinstance(key, str)}", where)
        if kind is model.Event:
            raise InputError(f"an event table has the key event alone, {show(key)} is given too", where)
        raise unknown("field", key, fields, where or "scenario")
    return fields


def read_value(hint: Any, value: Any, where: str) -> Any:
    """Read one value as its field takes it: of exactly that type, within its limits.

    Parameters
    ----------
    hint : Any
        The annotated type.
    value : Any
        As parsed.
    where : str
        Its place in the input.

    Returns
    -------
    Any
        The value.

    Raises
    ------
    InputError
        When it is not allowed.
    """
    try:
        found = msgspec.convert(value, hint, strict=True)
    except (msgspec.ValidationError, UnicodeEncodeError):
        raise _not_allowed(hint, value, where) from None
    if _is_odd(value):
        if isinstance(value, list):
            index, text = next((index, text) for index, text in enumerate(value) if _is_half(text))
            raise _not_allowed(str, text, f"{where}[{index}]")
        raise _not_allowed(hint, value, where)
    if isinstance(value, dict) and not all(isinstance(key, str) for key in value):
        key = next(key for key in value if not isinstance(key, str))
        raise InputError(f"the key {show(key)} is given, a key is text", where)
    return found


def _is_half(text: str) -> bool:
    """Whether a text holds half of a character (a lone surrogate), which cannot be written anywhere."""
    return not text.isascii() and any("\ud800" <= sign <= "\udfff" for sign in text)


def _not_allowed(field: Any, value: Any, where: str) -> InputError:
    """Say in one sentence what was given and what the field allows."""
    info = inspect.type_info(field)
    while isinstance(info, (inspect.Metadata, inspect.UnionType)):
        if isinstance(info, inspect.Metadata):
            info = info.type
        else:  # with nothing, which stands for a field that is left out
            info = next(kind for kind in info.types if not isinstance(kind, inspect.NoneType))
    if isinstance(info, inspect.ListType) and isinstance(value, list):
        for index, item in enumerate(value):
            try:
                msgspec.convert(item, Name, strict=True)
            except (msgspec.ValidationError, UnicodeEncodeError):
                return _not_allowed(Name, item, f"{where}[{index}]")
    hint = ""
    if isinstance(info, (inspect.IntType, inspect.FloatType)):
        whole = isinstance(info, inspect.IntType)
        allowed = f"{'a whole number' if whole else 'a number'} from {info.ge:g} to {info.le:g}"
        allowed += " (without a decimal point)" if whole and isinstance(value, float) else ""
    elif isinstance(info, inspect.LiteralType):
        words = [str(word) for word in _in_order(field)]
        allowed = f"{', '.join(words[:-1])} or {words[-1]}"
        hint = did_you_mean(value, words) if isinstance(value, str) else ""
    elif isinstance(info, inspect.StrType) and isinstance(value, str):
        allowed = "text that is not empty" if not value else f"text of at most {info.max_length} characters"
        allowed = f"text{_WHOLE}" if _is_half(value) else allowed
    else:
        kinds = {inspect.BoolType: "true or false", inspect.ListType: "an array", inspect.DictType: "a table"}
        allowed = kinds.get(type(info), "text")
    return InputError(f"{show(value)} is given, {allowed} is allowed{hint}", where)


def _in_order(hint: Any) -> tuple[Any, ...]:
    """The words of a Literal in the order in which they are told, however deep it stands in an annotation."""
    while get_origin(hint) is not Literal:
        hint = next(part for part in get_args(hint) if get_origin(part) is not None)
    return get_args(hint)
