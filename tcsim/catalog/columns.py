"""What may stand in each column of a user's own catalogue, and the reading of one value into a cell.

A cell is text, written as in the files of ``data/``, whatever it was in the file: a number, true or false, an array.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from tcsim.base.errors import InputError, did_you_mean, show

#: Longest name, and longest other text, in characters.
NAME, TEXT = 80, 1000


class Column(NamedTuple):
    """What a column takes.

    ``form``: ``text``, ``words``, ``whole``, ``flag``, ``choice``, ``rules`` or ``pattern``. ``empty``: whether it can
    be left empty.
    """

    form: str
    default: str = ""
    low: int = 0
    high: int = TEXT
    choice: tuple[str, ...] = ()
    pattern: str = ""
    example: str = ""
    empty: bool = True


def _whole(low: int, high: int, default: str = "", empty: bool = False) -> Column:
    return Column("whole", default, low, high, empty=empty)


def _choice(*words: str, default: str = "") -> Column:
    return Column("choice", default, choice=words, empty=False)


_PRICE = Column("pattern", pattern=r"\d{1,5}(@[a-z0-9-]{1,60})?", example="15, or 15@court;20@black-grail")
_LIMIT = Column("pattern", pattern=r"\d{1,2}(-\d{0,2})?(@[a-z0-9-]{1,60})?", example="2, 0-1 or 2@court")
_SLUG = Column("pattern", pattern=r"[a-z0-9]+(-[a-z0-9]+)*", example="iron-sultanate;court")
_TEXT, _FLAG, _WORDS, _RULES = Column("text"), Column("flag", "0", empty=False), Column("words"), Column("rules")

_COMMON = {
    "id": Column("pattern", high=NAME, pattern=r"[^\W_A-Z]+(-[^\W_A-Z]+)*", example="trench-hook", empty=False),
    "name": Column("text", high=NAME, empty=False),
    "cost_ducats": _PRICE,
    "cost_glory": _PRICE,
    "third_party": _FLAG,
    "source1": _TEXT,
    "source2": _TEXT,
    "conflict": _TEXT,
}

#: Columns by kind of row: those of the files in ``data/``, without ``edition``.
COLUMNS: dict[str, dict[str, Column]] = {
    "weapon": {
        **_COMMON,
        "kind": _choice("melee", "ranged", "grenade"),
        "profile": Column("text", high=40),
        "hands": _whole(0, 4, "1"),
        "range_in": _whole(0, 200, empty=True),
        "shots": _whole(1, 20, "1"),
        "action_dice": _whole(-20, 20, "0"),
        "injury_dice": _whole(-20, 20, "0"),
        "injury_modifier": _whole(-20, 20, "0"),
        "injury_keep": _whole(0, 4, "2"),
        "auto_hit": _FLAG,
        "ignore_armour": _choice(
            *("none", "all", "shield", "on_critical", "target_down", "direct", "not_in_cover", "optional"),
            default="none",
        ),
        "armour_piercing": _whole(0, 20, "0"),
        "blast_in": _whole(1, 48, empty=True),
        "keywords": _WORDS,
        "conditions": _RULES,
        "special": _TEXT,
        "limit": _LIMIT,
        "factions": _SLUG,
        "agree": _TEXT,
    },
    "armour": {
        **_COMMON,
        "slot": _choice("body", "shield", "helmet", "other"),
        "injury_modifier": _whole(-20, 0, "0"),
        "injury_dice": _whole(-20, 20, "0"),
        "shield": _FLAG,
        "machine": _FLAG,
        "stacks_with_shield": Column("flag", "1", empty=False),
        "impervious": _FLAG,
        "grants": _WORDS,
        "conditions": _RULES,
        "factions": _SLUG,
        "agree": _TEXT,
    },
    "unit": {
        **_COMMON,
        "faction": Column("pattern", "own", high=NAME, pattern=_SLUG.pattern, example="iron-sultanate", empty=False),
        "variant": Column("pattern", high=NAME, pattern=_SLUG.pattern, example="ghosts"),
        "movement_in": _whole(0, 48, "6", empty=True),
        "movement_type": _choice("Infantry", "Flying", default="Infantry"),
        "ranged_dice": _whole(-20, 20, "0", empty=True),
        "melee_dice": _whole(-20, 20, "0", empty=True),
        "injury_modifier": _whole(-20, 0, "0"),
        "armour_included": _TEXT,
        "armour_ids": _WORDS,
        "base_mm": Column("pattern", "25", pattern=r"([1-9]\d|[12]\d\d|300)(x([1-9]\d|[12]\d\d|300))?",
                          example="32 or 30x60, from 10 to 300", empty=False),
        "keywords": _WORDS,
        "limit": _LIMIT,
        "equipment_rules": _TEXT,
        "abilities": Column("text", high=4 * TEXT),
    },
}  # fmt: skip

#: Columns of a keyword: the fields of :class:`tcsim.rules.Keyword`.
COLUMNS["keyword"] = {
    "name": Column("pattern", high=60, pattern=r"(?!.* \d+$)[^\W_a-z]+([ '-][^\W_a-z]+)*",
                   example="BURNING GAS", empty=False),
    "text": Column("text", high=300),
    "on": _choice("attack", "model", "any", default="any"),
    "number": _choice("none", "optional", "required", default="none"),
    "markers": _whole(0, 3, "0"),
    "critical_injury_dice": _whole(0, 10, empty=True),
    "injury_keep": _whole(1, 4, empty=True),
    "long_range_injury_dice": _whole(-10, 10, "0"),
    **dict.fromkeys(("auto_hit", "risky", "ignore_armour", "armour_piercing", "tough", "infects"), _FLAG),
    **dict.fromkeys(("golem", "regenerates", "new_antioch", "counted"), _FLAG),
    "with_charge": Column("choice", choice=("one shot", "all shots"), empty=True),
    "ignores": Column("words"),
    "negates": Column("words"),
    "sets": Column("words"),
    "unmodelled": Column("text", high=300),
}  # fmt: skip

#: Columns of an option.
COLUMNS["option"] = {"name": Column("text", high=60, empty=False), "default": Column("text"), "reason": Column("text")}

#: What a row can have besides its columns.
BESIDES = {"edition": Column("text", high=60), "like": Column("text", high=NAME)}

_TRUE, _FALSE = ("1", "true", "yes"), ("0", "false", "no")


def read_value(column: Column, value: Any, from_csv: bool = False) -> str:
    """Read a value as a cell.

    Parameters
    ----------
    column : Column
        Where it stands.
    value : Any
        As TOML gives it, or the text of a CSV cell.
    from_csv : bool, optional
        Whether numbers and flags are written as text.

    Returns
    -------
    str
        As it is written in the files of ``data/``.

    Raises
    ------
    InputError
        When the column does not take it.

    Examples
    --------
    >>> read_value(COLUMNS["weapon"]["keywords"], ["FIRE", "GAS"]), read_value(COLUMNS["armour"]["machine"], True)
    ('FIRE;GAS', '1')
    """
    if column.empty and isinstance(value, str) and value.strip() in ("", "none"):
        return ""
    return _READERS[column.form](column, value, from_csv)


def _read_whole(column: Column, value: Any, from_csv: bool) -> str:
    number = value
    if from_csv and re.fullmatch(r"[+−-]?\d{1,9}", value.strip()):
        number = int(value.strip().replace("−", "-"))
    if type(number) is not int or not column.low <= number <= column.high:
        none = ', or "none",' if column.empty and not from_csv else " or none" if column.empty else ""
        raise InputError(f"{show(value)} is given, a whole number from {column.low} to {column.high}{none} is allowed")
    return str(number)


def _read_flag(column: Column, value: Any, from_csv: bool) -> str:
    word = value.strip().casefold() if from_csv else value
    if word is True or (from_csv and word in _TRUE):
        return "1"
    if word is False or (from_csv and word in _FALSE):
        return "0"
    raise InputError(f"{show(value)} is given, {'1 or 0' if from_csv else 'true or false'} is allowed")


def _read_choice(column: Column, value: Any, from_csv: bool) -> str:
    words = {word.casefold(): word for word in column.choice}
    found = words.get(value.strip().casefold()) if isinstance(value, str) else None
    if found is None:
        hint = did_you_mean(value, column.choice) if isinstance(value, str) else ""
        allowed = f"{', '.join(column.choice[:-1])} or {column.choice[-1]}"
        raise InputError(f"{show(value)} is given, {allowed} is allowed{hint}")
    return found


def _read_text(column: Column, value: Any, from_csv: bool = False) -> str:
    if not isinstance(value, str):
        raise InputError(f"{show(value)} is given, text is allowed")
    text = value.strip()
    if not text:
        raise InputError("nothing is given, text is needed")
    if len(text) > column.high:
        raise InputError(f"{show(text, 30)} is given, text of at most {column.high} characters is allowed")
    odd = next((sign for sign in text if not sign.isprintable()), None)
    if odd is not None:
        raise InputError(f"{show(text)} has the character U+{ord(odd):04X}, only what can be printed is allowed")
    return text


def _read_words(column: Column, value: Any, from_csv: bool) -> str:
    words = value if isinstance(value, list) else _read_text(column, value).split(";") if value else []
    if not isinstance(words, list) or len(words) > 40:
        raise InputError("more than 40 entries are given")
    cells = []
    for word in words:
        cell = _read_text(column, word)
        if ";" in cell:
            raise InputError(f"{show(cell)} is given, an entry of an array has no semicolon")
        cells.append(cell)
    return ";".join(cells)


def _read_rules(column: Column, value: Any, from_csv: bool) -> str:
    return _read_words(column, value, from_csv).replace(";", "; ")


def _read_pattern(column: Column, value: Any, from_csv: bool) -> str:
    text = str(value) if type(value) is int and abs(value) < 10**6 else value
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        text = ";".join(value)
    if not isinstance(text, str) or text != text.strip() or len(text) > column.high:
        text = ""
    parts = text.split(";") if ";" in column.example or column.example.endswith("@court") else [text]
    if not all(re.fullmatch(column.pattern, part.strip()) for part in parts):
        raise InputError(f"{show(value)} is given, what is allowed looks like {column.example}")
    return ";".join(part.strip() for part in parts)


_READERS = {
    "whole": _read_whole,
    "flag": _read_flag,
    "choice": _read_choice,
    "text": _read_text,
    "words": _read_words,
    "rules": _read_rules,
    "pattern": _read_pattern,
}
