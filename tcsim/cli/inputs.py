"""What the command line reads: numbers as people write them, names and options."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from tcsim.base.errors import InputError, show
from tcsim.base.numbers import fraction, whole_number
from tcsim.rules import word
from tcsim.scenario.problem import BLOOD_POLICIES

if TYPE_CHECKING:
    from tcsim.catalog import Catalog

    IntegerType = click.ParamType[int]
    FloatType = click.ParamType[float]
else:
    IntegerType = FloatType = click.ParamType  # only newer releases of click can be asked for ParamType[int]


class WholeNumber(IntegerType):
    """A whole number: ``3``, ``+1``, ``-2``, and ``1e7`` or ``10_000`` for large ones.

    Parameters
    ----------
    low, high : int
        Smallest and largest allowed.
    """

    name = "number"

    def __init__(self, low: int, high: int) -> None:
        self.low, self.high = low, high

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read the number, or fail with what is allowed."""
        number = value if isinstance(value, int) else whole_number(str(value))
        if number is None or not self.low <= number <= self.high:
            name = max(param.opts, key=len) if param is not None else "number"
            limits = f"a whole number from {self.low:,} to {self.high:,}"
            raise InputError(f"{show(value)} is given, {limits} is allowed", name)
        return number


class HalfWidth(FloatType):
    """How far an interval may reach to either side: from 0.000001 to less than 0.5."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the number, or fail with what is allowed."""
        try:
            number = float(value)
        except ValueError:
            number = 0.0
        if not 1e-6 <= number < 0.5:
            name = max(param.opts, key=len) if param is not None else "number"
            raise InputError(f"{show(value)} is given, 0.000001 to less than 0.5 is allowed", name)
        return number


class Inches(FloatType):
    """A length in inches, from 0 to 200."""

    name = "inches"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the number, or fail with what is allowed."""
        try:
            number = float(value)
        except ValueError:
            number = -1.0
        if not 0 <= number <= 200:
            name = max(param.opts, key=len) if param is not None else "inches"
            raise InputError(f"{show(value)} is given, a number of inches from 0 to 200 is allowed", name)
        return number


class HalfInches(FloatType):
    """A number in halves, from -40 to 200: ``3``, ``-2``, ``7.5``."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read the number, or fail with what is allowed."""
        number = fraction(str(value))
        if number is None or not -40 <= number <= 200 or 2 % number.denominator:
            name = max(param.opts, key=len) if param is not None else "number"
            raise InputError(f"{show(value)} is given, a number of halves from -40 to 200 is allowed", name)
        return float(number)


class FileName(click.Path):
    """The name of a file, as it is given: whether there is one is asked where it is read, not by click.

    click looks a name up as soon as it reads it, and ends in a traceback for one that no file can have.
    """

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Give the name back."""
        return str(value)


#: Users' own catalogues, for every command that looks names up.
catalog_option = click.option(
    "--catalog",
    "catalogs",
    multiple=True,
    metavar="FILE",
    type=FileName(),
    help="Your own weapons, armour, units, keywords and options, .toml or .csv; repeatable, later ones win.",
)


def complete(kind: str) -> Callable[[click.Context, click.Parameter, str], list[str]]:
    """Offer values to a shell that completes a command.

    Parameters
    ----------
    kind : str
        ``weapon``, ``armour``, ``unit``, ``name`` (any of them), ``warband``, ``edition``, ``option``, ``blood`` or
        ``spend``.

    Returns
    -------
    callable
        What click asks with the beginning of a word.
    """

    def offer(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
        from tcsim.rules import DEFAULT_EDITION, editions
        from tcsim.rules import edition as load

        chosen = context.params.get("edition") or DEFAULT_EDITION
        if kind == "edition":
            words = list(editions())
        elif kind == "warband":
            from tcsim.catalog import shipped_warbands

            words = [one.id for one in shipped_warbands(chosen)]
        elif kind == "option":
            words = [
                f"{name}={word(value)}" for name, option in load(chosen).options.items() for value in option.values
            ]
        elif kind in ("blood", "spend"):
            words = list(BLOOD_POLICIES if kind == "blood" else ("none", "all", "optimal"))
        else:
            rows = _with_own(chosen, context.params.get("catalogs") or ()).by_kind
            words = [row.label for name, found in rows.items() if kind in (name, "name") for row in found]
        return [text for text in dict.fromkeys(words) if text.casefold().startswith(begun.casefold())]

    return offer


def _with_own(edition: str, files: tuple[str, ...]) -> Catalog:
    """The catalogue whose names a shell offers; without users' own where these are wrong."""
    from tcsim.catalog import catalog

    try:
        return catalog(edition, files)
    except InputError:
        return catalog(edition)


def read_option(text: str) -> tuple[str, str | bool]:
    """Read one ``--option key=value``.

    Parameters
    ----------
    text : str
        As ``bloodbath=add``.

    Returns
    -------
    str, str or bool
        The option and its reading.

    Raises
    ------
    InputError
        When there is no ``=``.
    """
    key, equals, value = (part.strip() for part in text.partition("="))
    if not equals:
        raise InputError(f"{show(text)} is given, key=value is needed, as bloodbath=add", "--option")
    word = value.casefold()
    return key.replace("-", "_"), word == "true" if word in ("true", "false") else value


def one_form(as_json: bool, as_csv: bool) -> None:
    """Refuse two forms of one answer.

    Parameters
    ----------
    as_json, as_csv : bool
        Whether ``--json`` and ``--csv`` are given.

    Raises
    ------
    InputError
        When both are.
    """
    if as_json and as_csv:
        raise InputError("give one of --json and --csv")


def names(text: str) -> list[str]:
    """Read a list of names separated by commas.

    Parameters
    ----------
    text : str
        As ``Standard Armour,Trench Shield``.

    Returns
    -------
    list of str
        The names.
    """
    return [name.strip() for name in text.split(",") if name.strip()]


#: Which edition's rules, for every command that asks a scenario.
edition_option = click.option(
    "--edition", metavar="ID", shell_complete=complete("edition"), help="Rules edition: 1.6.3 (default) or 1.0.2."
)

#: Readings of rules, which :func:`read_option` reads.
rules_option = click.option(
    "--option",
    "options",
    multiple=True,
    metavar="KEY=VALUE",
    shell_complete=complete("option"),
    help="A rules option; see tcsim options.",
)
