"""Parts of a scenario as one text each, as people write them on a command line: an attack, a model, a small table.

A text is a name and then keys, flags and keywords, separated by commas; lists stand with plus signs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from tcsim.base.errors import InputError, nearest, show, unknown
from tcsim.base.labels import ATTACK, english
from tcsim.base.numbers import MINUS, whole_number
from tcsim.scenario import model

#: Fields that are lists of names.
LISTS = ("keywords", "armour", "abilities", "auras")


def read_attack(text: str, where: str) -> dict[str, Any]:
    """Read an attack or event: a name, then keys, flags and keywords.

    Parameters
    ----------
    text : str
        As ``Bolt-Action Rifle,cover,action_dice=+1`` or ``melee,CRITICAL,times=2``; ``stand`` and ``activation``
        are events, ``risky,label=dash`` and ``charge,distance=9,move=6`` rolls of the attacker that are no attacks.
        Kinds, situations and events may be Korean labels.
    where : str
        The place in the input, for the error.

    Returns
    -------
    dict
        An entry of ``attacks``.

    Raises
    ------
    InputError
        For a key or flag that does not exist.

    Examples
    --------
    >>> read_attack("melee,CRITICAL,action_dice=+1", "attack")
    {'kind': 'melee', 'action_dice': 1, 'keywords': ['CRITICAL']}
    """
    name, *parts = [part.strip() for part in text.split(",")]
    word = english(name, ATTACK).casefold()
    event = model.EVENTS.get(word)
    if event is model.Event:
        if parts:
            raise InputError(f"{word} is an event and takes nothing more, {show(parts[0])} is given", where)
        return {"event": word}
    if event is not None:
        fields = [field for field in model.fields(event) if field != "event"]
        return _fill({"event": word}, parts, fields, f"{word} key or flag", where)
    table: dict[str, Any] = {"kind": word} if word in ("melee", "ranged") else {"weapon": name}
    fields = [field for field in model.fields(model.Attack) if field != "weapon"]
    return _fill(table, parts, fields, "attack key or flag", where)


def read_step(text: str, where: str) -> dict[str, Any]:
    """Read one ``--step`` of an activation: its name, then keys and flags, separated by commas.

    Parameters
    ----------
    text : str
        As ``dash``, ``charge,distance=9,diving`` or ``attack 1,after=dash``.
    where : str
        The place in the input, for the error.

    Returns
    -------
    dict
        An entry of ``steps``; whether it is one is looked at later.

    Raises
    ------
    InputError
        When there is nothing after a comma.

    Examples
    --------
    >>> read_step("charge,distance=9,diving", "--step")
    {'charge': {'distance': 9, 'diving': True}}
    """
    name, *parts = [part.strip() for part in text.split(",")]
    inner: dict[str, Any] = {}
    for part in parts:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not key:
            raise InputError("there is nothing after a comma", where)
        if key == "after":
            inner[key] = [*inner.get(key, []), value]
        else:
            inner[key.replace("-", "_")] = _value(value) if equals else True
    return {name: inner}


def read_model(text: str, fields: Iterable[str], where: str) -> dict[str, Any]:
    """Read a model: its unit, then keys, flags and keywords.

    Parameters
    ----------
    text : str
        As ``Heretic Trooper,blood=2,down`` or, without a unit, ``armour=Standard Armour+Trench Shield,FEAR``; ``model``
        is one of which nothing is said.
    fields : iterable of str
        Its keys and flags.
    where : str
        The place in the input, for the error.

    Returns
    -------
    dict
        A table of those fields.

    Raises
    ------
    InputError
        For a key or flag that does not exist.

    Examples
    --------
    >>> read_model("Yeoman,down,armour=Standard Armour+Trench Shield,FEAR", ["unit", "down", "armour"], "target")
    {'unit': 'Yeoman', 'down': True, 'armour': ['Standard Armour', 'Trench Shield'], 'keywords': ['FEAR']}
    """
    known = list(fields)
    first, *parts = [part.strip() for part in text.split(",")]
    flag = english(first, ATTACK).replace("-", "_")
    if first.casefold() == "model":
        return _fill({}, parts, known, "key or flag of a model", where)
    if "=" in first or flag in known or (first and first == first.upper() and first != first.lower()):
        return _fill({}, [first, *parts], known, "key or flag of a model", where)
    return _fill({"unit": first}, parts, known, "key or flag of a model", where)


def write(table: dict[str, Any]) -> str:
    """Write an attack, an event, a model or a small table as one text.

    Parameters
    ----------
    table : dict
        As the readers here give it.

    Returns
    -------
    str
        What they read it from; not the same table, where a value holds a comma or a plus sign.

    Examples
    --------
    >>> write({"unit": "Yeoman", "down": True, "armour": ["Standard Armour"], "keywords": ["FEAR"]}), write({})
    ('Yeoman,down,armour=Standard Armour,FEAR', 'model')
    """
    named = ("event", "weapon", "unit")
    parts = [str(table[name]) for name in named if table.get(name) is not None]
    if not parts and "kind" in table:
        parts = [str(table["kind"])]
        table = {name: value for name, value in table.items() if name != "kind"}
    for name, value in table.items():
        if name == "keywords":
            continue
        if value is True:
            parts.append(name)
        elif isinstance(value, list):
            parts.append(f"{name}={'+'.join(map(str, value))}")
        elif name not in named:
            parts.append(f"{name}={str(value).lower() if isinstance(value, bool) else value}")
    return ",".join([*parts, *map(str, table.get("keywords", []))]) or "model"


def read_keys(text: str, usual: str, where: str) -> dict[str, Any]:
    """Read a small table of keys.

    Parameters
    ----------
    text : str
        As ``blood_on_injury=greedy,blood_on_action=all``.
    usual : str
        The key that is meant where the text is one word; empty for none.
    where : str
        The place in the input, for the error.

    Returns
    -------
    dict
        Key to value.

    Raises
    ------
    InputError
        For a part without ``=``, and a key that is given twice.

    Examples
    --------
    >>> read_keys("greedy", "blood_on_injury", "spend"), read_keys("obstacle_on_down=true", "", "options")
    ({'blood_on_injury': 'greedy'}, {'obstacle_on_down': True})
    """
    table: dict[str, Any] = {}
    for part in text.split(","):
        key, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals and usual and not table and "," not in text:
            return {usual: key}
        if not equals:
            raise InputError(f"{show(part.strip())} is given, key=value is needed", where)
        field = key.replace("-", "_")
        if field in table:
            raise InputError(f"{field} is given twice", where)
        table[field] = value.casefold() == "true" if value.casefold() in ("true", "false") else value
    return table


def _fill(table: dict[str, Any], parts: Iterable[str], fields: list[str], what: str, where: str) -> dict[str, Any]:
    """Add keys, flags and keywords to a table."""
    keywords: list[str] = []
    for part in parts:
        key, equals, value = (piece.strip() for piece in part.partition("="))
        field = english(key, ATTACK).replace("-", "_")
        if not part:
            raise InputError("there is nothing after a comma", where)
        if field == "keywords" and equals:
            keywords += _list(value)
        elif field in table:
            raise InputError(f"{field} is given twice", where)
        elif field in LISTS and field in fields and equals:
            table[field] = _list(value)
        elif field in fields:
            table[field] = _value(value) if equals else True
        elif "event" not in table and not equals and _may_be_keyword(key, field, fields):
            keywords.append(key)
        else:
            raise unknown(what, key, fields, where)
    return table | {"keywords": keywords} if keywords else table


def _may_be_keyword(key: str, field: str, fields: list[str]) -> bool:
    """Whether a part that is no field is a keyword, and not a misspelt one.

    That is what is in capitals, a keyword of an edition but for its case, or like no field.
    """
    from tcsim.rules import edition, editions

    if key == key.upper() or nearest(field, fields) is None:
        return True
    return field.casefold() not in fields and any(field.upper() in edition(id).keywords for id in editions())


def _list(text: str) -> list[str]:
    return [word.strip() for word in text.split("+") if word.strip()]


def _value(text: str) -> Any:
    """A flag, number or word as the scenario takes it."""
    if text.casefold() in ("true", "false"):
        return text.casefold() == "true"
    number = whole_number(text)
    if number is not None:
        return number
    plain = text.translate(MINUS)
    if re.fullmatch(r"[+-]?(\d{1,15}\.\d{0,15}|\.\d{1,15})", plain):
        return float(plain)
    return text
