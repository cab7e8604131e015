"""Questions whose input is a file of tables: the kind of input, and how the other inputs are laid over it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from tcsim.base.errors import InputError, show
from tcsim.base.files import parse_file, parse_toml
from tcsim.base.lang import tr
from tcsim.questions.kinds import wrong
from tcsim.questions.question import Asked, Input

#: What stands for the file that comes with tcsim.
EXAMPLE = "example"


@dataclass(frozen=True, slots=True)
class Tables:
    """Tables that were given, and the file that they are from; empty where they were given themselves.

    As a text it is its tables, so that the dice of a question do not depend on the name of a file.
    """

    data: Mapping[str, Any]
    file: str = ""

    def __str__(self) -> str:
        return repr(self.data)


@dataclass(frozen=True, slots=True)
class TablesFile:
    """A file of tables, ``example`` for the one that comes with tcsim, or the tables themselves.

    Parameters
    ----------
    package, example : str
        Where the example lies: a package, and the file in it.

    Examples
    --------
    >>> kind = TablesFile("tcsim.situations", "activation_example.toml")
    >>> kind.read("example").data["activation"]["steps"][0]
    'dash'
    >>> kind.write(kind.read("example")), kind.write(kind.read({"target": {}}))
    ('example', {'target': {}})
    """

    package: str
    example: str
    metavar = "FILE"
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return tr("a .toml or .json file, or {example} for the one that comes with tcsim", example=EXAMPLE)

    def read(self, value: Any) -> Tables:
        """Read the tables; what stands in them is checked where it is used."""
        if isinstance(value, Tables):
            return value
        if isinstance(value, Mapping):
            return Tables(dict(value))
        name = os.fspath(value) if isinstance(value, os.PathLike) else value
        if not isinstance(name, str) or not name.strip():
            raise wrong(value, self)
        name = name.strip()
        if name.casefold() == EXAMPLE:
            return Tables(parse_toml((files(self.package) / self.example).read_text(encoding="utf-8")), EXAMPLE)
        data = parse_file(name)
        if not isinstance(data, Mapping):
            raise InputError(f"{show(data)} is in {show(name, 200)}, a table is allowed")
        return Tables(data, name)

    def write(self, value: Tables) -> str | dict[str, Any]:
        """Write the name of the file, or the tables where they are from none."""
        return value.file or dict(value.data)


def edition_named(file: Input) -> Callable[[Mapping[str, Any]], Any]:
    """Make what finds the edition that a file names.

    Parameters
    ----------
    file : Input
        The input that is a file of tables.

    Returns
    -------
    callable
        Of what is given, the edition; None where the file names none, or cannot be read.
    """

    def find(given: Mapping[str, Any]) -> Any:
        try:
            return file.kind.read(given.get(file.name)).data.get("edition")
        except InputError:
            return None  # said when the inputs are read

    return find


def laid_over(asked: Asked, names: tuple[str, ...] = ()) -> dict[str, Any]:
    """Lay what was asked over the tables of its file.

    Parameters
    ----------
    asked : Asked
        With the inputs ``file`` and, where there is one, ``options``.
    names : tuple of str, optional
        Inputs that are fields of the file itself.

    Returns
    -------
    dict
        The tables with these fields, the options and the edition.
    """
    data = {**asked["file"].data, "edition": asked.edition}
    data |= {name: asked[name] for name in names if asked[name] is not None}
    return with_table(data, "options", asked.values.get("options") or {})


def with_table(data: dict[str, Any], name: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    """Lay fields over one table of a file.

    Parameters
    ----------
    data : dict
        The file.
    name : str
        Its table.
    fields : mapping
        Field to value; None is left as it is.

    Returns
    -------
    dict
        The file, with a table of that name if one is needed.
    """
    given = {key: value for key, value in fields.items() if value is not None}
    table = data.get(name, {})
    if not given or not isinstance(table, Mapping):  # a table that is none is said where it is read
        return data
    return {**data, name: {**table, **given}}
