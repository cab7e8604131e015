"""Kinds of input of questions about commands: a plan, and what is said of some of its units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tcsim.aos.plans.table import as_id, phase
from tcsim.base.errors import InputError, show
from tcsim.base.lang import tr
from tcsim.questions.kinds import Number, wrong

#: Most uses in a plan, and most characters of a name.
MOST, LONGEST = 12, 40

#: Signs that no name of a unit has, as they stand between names.
SIGNS = frozenset(":+@>=,")


@dataclass(frozen=True, slots=True)
class Use:
    """A command that is used, or an action.

    Parameters
    ----------
    unit : str
        Who uses it; of a command that is issued, who receives it.
    command : str
        Its id.
    phase : str
        When.
    issuer : str, optional
        Who issues it, in the third edition.
    what : str, optional
        Which spell, prayer, endless spell or invocation.
    """

    unit: str
    command: str
    phase: str
    issuer: str = ""
    what: str = ""

    def __str__(self) -> str:
        who = f"{self.issuer}>{self.unit}" if self.issuer else self.unit
        what = f"={self.what}" if self.what else ""
        return f"{who}:{self.command}{what}@{self.phase}"


def name_of(text: str) -> str:
    """Read a name of a unit or a spell.

    Parameters
    ----------
    text : str
        Anything without the signs of a plan.

    Returns
    -------
    str
        Without spaces around it.

    Raises
    ------
    InputError
        When it is empty, too long, or has a sign of a plan in it.
    """
    name = text.strip()
    if not name or len(name) > LONGEST or SIGNS & set(name) or not name.isprintable():
        raise InputError(f"{show(text)} is given, a name of 1 to {LONGEST} characters without : + @ > = , is allowed")
    return name


@dataclass(frozen=True, slots=True)
class Plan:
    """Commands of a battle round: ``unit:command@phase`` with plus signs between.

    Examples
    --------
    >>> Plan().read("a:redeploy@enemy_movement+a:all_out_defence@combat")[1]
    Use(unit='a', command='all_out_defence', phase='combat', issuer='', what='')
    >>> Plan().read("h>a:rally@hero")[0].issuer
    'h'
    """

    metavar = "UNIT:COMMAND@PHASE+…"
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return tr("1 to {most} of unit:command@phase, with + between", most=MOST)

    def read(self, value: Any) -> tuple[Use, ...]:
        """Read a plan; which commands there are depends on the edition."""
        if isinstance(value, tuple) and value and all(isinstance(one, Use) for one in value):
            return value
        parts = list(value) if isinstance(value, (list, tuple)) else value.split("+") if isinstance(value, str) else []
        if not 1 <= len(parts) <= MOST or not all(isinstance(part, str) for part in parts):
            raise wrong(value, self)
        return tuple(map(_use, parts))

    def write(self, value: tuple[Use, ...]) -> str:
        """Write the plan."""
        return "+".join(map(str, value))


def _use(text: str) -> Use:
    who, colon, rest = text.partition(":")
    what, at, when = rest.partition("@")
    if not colon or not at:
        raise InputError(f"{show(text)} is given, unit:command@phase is needed, as a:all_out_attack@combat")
    issuer, issued, unit = who.rpartition(">")
    command, equals, thing = what.partition("=")
    return Use(
        name_of(unit), as_id(command), phase(when), name_of(issuer) if issued else "", name_of(thing) if equals else ""
    )


@dataclass(frozen=True, slots=True)
class Some:
    """Some of the units: their names with plus signs between, or ``true`` for all of them.

    It is read into a tuple of names; an empty one is all, None is none.

    Examples
    --------
    >>> Some().read("a+b"), Some().read("1"), Some().read(False)
    (('a', 'b'), (), None)
    """

    metavar = "UNIT+…"
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return tr("names of units with + between, true for all or false for none")

    def read(self, value: Any) -> tuple[str, ...] | None:
        """Read names, or yes or no."""
        if value is None or value == ():
            return None if value is None else ()
        text = str(value).strip() if isinstance(value, (str, bool, int)) else ""
        word = text.casefold()
        if word in ("true", "yes", "1"):
            return ()
        if word in ("false", "no", "0"):
            return None
        parts = list(value) if isinstance(value, (list, tuple)) else text.split("+")
        if not all(isinstance(part, str) and part.strip() for part in parts) or not parts:
            raise wrong(value, self)
        return tuple(map(name_of, parts))

    def write(self, value: tuple[str, ...]) -> Any:
        """Write the names, or true."""
        return "+".join(value) or True


@dataclass(frozen=True, slots=True)
class Commands:
    """Commands with plus signs between, or ``none``.

    Examples
    --------
    >>> Commands().read("All-out Attack+redeploy"), Commands().read("none")
    (('all_out_attack', 'redeploy'), ())
    """

    metavar = "COMMAND+…"
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return tr("commands with + between, or none")

    def read(self, value: Any) -> tuple[str, ...]:
        """Read commands; which there are depends on the edition."""
        parts = value.split("+") if isinstance(value, str) else value
        if not isinstance(parts, (list, tuple)) or len(parts) > MOST or not all(map(_is_word, parts)):
            raise wrong(value, self)
        words = [as_id(part) for part in parts]
        return () if words == ["none"] else tuple(words)

    def write(self, value: tuple[str, ...]) -> str:
        """Write them."""
        return "+".join(value) or "none"


def _is_word(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def among(some: tuple[str, ...] | None, name: str) -> bool:
    """Say whether a unit is one of some.

    Parameters
    ----------
    some : tuple of str or None
        As :class:`Some` reads them.
    name : str
        The unit.

    Returns
    -------
    bool
        Whether it is.

    Examples
    --------
    >>> among(("a", "b"), "a"), among((), "a"), among(None, "a")
    (True, True, False)
    """
    return some is not None and (not some or name in some)


@dataclass(frozen=True, slots=True)
class Each:
    """A number for each unit: ``a:5+b:3``, or one for all.

    It is read into a mapping; the key ``""`` is for all others.

    Parameters
    ----------
    low, high : int
        Smallest and largest number.

    Examples
    --------
    >>> Each(1, 60).read("a:5+b:3"), Each(1, 60).read("7.5")
    ({'a': Fraction(5, 1), 'b': Fraction(3, 1)}, {'': Fraction(15, 2)})
    """

    low: int
    high: int
    metavar = "UNIT:N+…"
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return tr("a number from {low} to {high} for all, or unit:number with + between", low=self.low, high=self.high)

    def read(self, value: Any) -> Mapping[str, Fraction]:
        """Read the numbers."""
        number = Number(self.low, self.high)
        if isinstance(value, Mapping):
            return {str(key): number.read(one) for key, one in value.items()}
        if not isinstance(value, str) or ":" not in value:
            return {"": number.read(value)}
        found: dict[str, Fraction] = {}
        for part in value.split("+"):
            name, colon, text = part.rpartition(":")
            if not colon:
                raise wrong(value, self)
            if name.strip() in found:
                raise InputError(f"{show(name.strip())} is given twice")
            found[">".join(name_of(one) for one in name.split(">"))] = number.read(text)
        return found

    def write(self, value: Mapping[str, Fraction]) -> Any:
        """Write the numbers."""
        return "+".join(f"{name}:{one}" if name else str(one) for name, one in value.items())


def number_of(each: Mapping[str, Fraction] | None, name: str) -> Fraction | None:
    """Give the number of a unit.

    Parameters
    ----------
    each : mapping or None
        As :class:`Each` reads it.
    name : str
        The unit.

    Returns
    -------
    Fraction or None
        Its number, or that of all; None where neither is known.
    """
    return None if each is None else each.get(name, each.get(""))
