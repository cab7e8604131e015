"""Kinds of input that are parts of a scenario: attacks, models, small tables; as a text or as plain data."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from tcsim.base.errors import InputError, show, unknown
from tcsim.base.lang import tr
from tcsim.base.numbers import whole_number
from tcsim.questions.kinds import wrong
from tcsim.scenario import model
from tcsim.scenario.written import read_attack, read_keys, read_model, write
from tcsim.situations import models

#: Between two models, attacks or files in one text; commas, plus signs and semicolons mean something else there, and a
#: shell leaves it alone.
BETWEEN = "//"


@dataclass(frozen=True, slots=True)
class Attack:
    """One attack: ``Bolt-Action Rifle,cover,action_dice=+1``, or its table.

    Examples
    --------
    >>> Attack().read("melee,CRITICAL")
    {'kind': 'melee', 'keywords': ['CRITICAL']}
    """

    metavar = "ATTACK"
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return tr("an attack (as NAME,key=value,flag,KEYWORD, or melee,… or ranged,…)")

    def read(self, value: Any) -> dict[str, Any]:
        """Read an attack."""
        table = read_attack(value, "") if isinstance(value, str) and value.strip() else value
        if not isinstance(table, Mapping):
            raise wrong(value, self)
        for key in table:
            if key not in model.fields(model.Attack):
                raise unknown("field of an attack", key if isinstance(key, str) else show(key), ATTACK_FIELDS)
        return dict(table)

    def write(self, value: dict[str, Any]) -> str | dict[str, Any]:
        """Write it as a text, or as its table where no text says the same."""
        return _written(self, value)


def _written(kind: Attack | OneModel | Keys, value: dict[str, Any]) -> str | dict[str, Any]:
    text = write(value)
    try:
        return text if BETWEEN not in text and kind.read(text) == value else value
    except InputError:
        return value


ATTACK_FIELDS = tuple(model.fields(model.Attack))


@dataclass(frozen=True, slots=True)
class OneModel:
    """One model: ``Heretic Trooper,blood=2,down``, or its table.

    Parameters
    ----------
    fields : tuple of str, optional
        What can be said of it; default: all that can be said of one who is attacked.

    Examples
    --------
    >>> OneModel().read("injury_modifier=-2,down")
    {'injury_modifier': -2, 'down': True}
    """

    fields: tuple[str, ...] = models.FIELDS
    metavar = "MODEL"
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return tr("a model (as UNIT,key=value,flag,KEYWORD)")

    def read(self, value: Any) -> dict[str, Any]:
        """Read a model."""
        table = read_model(value, self.fields, "") if isinstance(value, str) and value.strip() else value
        if not isinstance(table, Mapping):
            raise wrong(value, self)
        for key in table:
            if key not in self.fields:
                raise unknown("field of a model", key if isinstance(key, str) else show(key), self.fields)
        return dict(table)

    def write(self, value: dict[str, Any]) -> str | dict[str, Any]:
        """Write it as a text, or as its table where no text says the same."""
        return _written(self, value)


#: One who attacks.
ATTACKER = OneModel(tuple(model.fields(model.Attacker)))


@dataclass(frozen=True, slots=True)
class Every:
    """Several models or attacks: ``Yeoman // 2x Heretic Trooper,down``, or a list.

    Parameters
    ----------
    kind : OneModel or Attack
        What each is.
    most : int, optional
        How many there may be.

    Examples
    --------
    >>> Every(OneModel()).read("2x model // Yeoman,cover")
    ({}, {}, {'unit': 'Yeoman', 'cover': True})
    """

    kind: OneModel | Attack
    most: int = models.MAX_MODELS
    words = ()

    @property
    def metavar(self) -> str:
        """One word for help pages."""
        return f"{self.kind.metavar}{BETWEEN}{self.kind.metavar}…"

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        many = tr("1 to {most}, with {sign} between them or 3x before one, each", most=self.most, sign=BETWEEN)
        return f"{many} {self.kind.allowed}"

    def read(self, value: Any) -> tuple[dict[str, Any], ...]:
        """Read them."""
        parts: list[Any] = []
        for one in list(value) if isinstance(value, (list, tuple)) else [value]:
            for piece in one.split(BETWEEN) if isinstance(one, str) else [one]:
                match = re.fullmatch(r"\s*(\d{1,4})\s*[x×]\s+(\S.*)", piece) if isinstance(piece, str) else None
                times = int(match[1]) if match else 1
                parts += [match[2] if match else piece] * min(times, self.most + 1)
        if not 1 <= len(parts) <= self.most:
            raise InputError(f"{len(parts)} are given, 1 to {self.most} are allowed")
        return tuple(self.kind.read(part.strip() if isinstance(part, str) else part) for part in parts)

    def write(self, value: tuple[dict[str, Any], ...]) -> str | list[dict[str, Any]]:
        """Write them as a text, with 3x before what is so three times, or as tables where no text says the same."""
        runs = [(one, len(list(same))) for one, same in groupby(map(self.kind.write, value))]
        if not all(isinstance(one, str) for one, _ in runs):
            return list(value)
        return BETWEEN.join(f"{number}x {one}" if number > 1 else str(one) for one, number in runs)


@dataclass(frozen=True, slots=True)
class Keys:
    """A small table: ``blood_on_injury=greedy,blood_on_action=all``, or the table.

    Parameters
    ----------
    usual : str, optional
        The key that is meant by one word alone.

    Examples
    --------
    >>> Keys("blood_on_injury").read("greedy")
    {'blood_on_injury': 'greedy'}
    """

    usual: str = ""
    metavar = "KEY=VALUE,…"
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return tr("a table (as KEY=VALUE,KEY=VALUE)")

    def read(self, value: Any) -> dict[str, Any]:
        """Read the table; its keys are checked where they are used."""
        table = read_keys(value, self.usual, "") if isinstance(value, str) and value.strip() else value
        if not isinstance(table, Mapping):
            raise wrong(value, self)
        for key in table:
            if not isinstance(key, str):
                raise InputError(f"the key {show(key)} is given, a key is text")
        return dict(table)

    def write(self, value: dict[str, Any]) -> str | dict[str, Any]:
        """Write it as a text, or as it is where no text says the same."""
        return _written(self, value)


@dataclass(frozen=True, slots=True)
class Files:
    """Files, as those of users' own catalogues.

    Examples
    --------
    >>> Files().read("one.toml//two.toml")
    ('one.toml', 'two.toml')
    """

    metavar = "FILE"
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return tr("a file, or several with {sign} between them", sign=BETWEEN)

    def read(self, value: Any) -> tuple[str, ...]:
        """Read their names."""
        given = value.split(BETWEEN) if isinstance(value, str) else value
        if not isinstance(given, (list, tuple)) or not given:
            raise wrong(value, self)
        names = tuple(str(name).strip() for name in given)
        if not all(names):
            raise wrong(value, self)
        return names

    def write(self, value: tuple[str, ...]) -> str:
        """Write their names."""
        return BETWEEN.join(value)


@dataclass(frozen=True, slots=True)
class Caught:
    """Who is caught by a blast that lands so many inches away: ``1:1+2//2:1``, or a table of lists.

    Examples
    --------
    >>> Caught().read("1:1+the monk//2:1"), Caught().read({1: ["1"]})
    ({1: ('1', 'the monk'), 2: ('1',)}, {1: ('1',)})
    """

    metavar = "INCHES:WHO+WHO//…"
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return tr("INCHES:WHO+WHO, several with {sign} between them", sign=BETWEEN)

    def read(self, value: Any) -> dict[int, tuple[str, ...]]:
        """Read inches to names."""
        pairs: list[tuple[Any, Any]] = []
        if isinstance(value, Mapping):
            pairs = list(value.items())
        elif isinstance(value, str):
            pairs = [
                (inches, names.split("+")) for inches, _, names in (p.partition(":") for p in value.split(BETWEEN))
            ]
        found: dict[int, tuple[str, ...]] = {}
        for inches, names in pairs:
            number = whole_number(inches) if isinstance(inches, str) else inches
            who = tuple(str(name).strip() for name in names) if isinstance(names, (list, tuple)) else ()
            if type(number) is not int or not all(who) or not who or number in found:
                raise wrong(value, self)
            found[number] = who
        if not found:
            raise wrong(value, self)
        return found

    def write(self, value: dict[int, tuple[str, ...]]) -> str:
        """Write the text."""
        return BETWEEN.join(f"{inches}:{'+'.join(names)}" for inches, names in value.items())


@dataclass(frozen=True, slots=True)
class Words:
    """Keywords: ``FIRE+GAS``, or a list.

    Examples
    --------
    >>> Words().read("FIRE + GAS")
    ('FIRE', 'GAS')
    """

    metavar = "WORD+WORD"
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return tr("a list of keywords (as FIRE+GAS)")

    def read(self, value: Any) -> tuple[str, ...]:
        """Read them; which there are is checked where they are used."""
        parts = value.split("+") if isinstance(value, str) else value
        if not isinstance(parts, (list, tuple)) or not all(isinstance(one, str) and one.strip() for one in parts):
            raise wrong(value, self)
        return tuple(one.strip() for one in parts)

    def write(self, value: tuple[str, ...]) -> str:
        """Write the text."""
        return "+".join(value)
