"""An edition of the rules as data: charts, modifiers, keywords, options, each with its source.

An edition is one file, ``editions/<id>.toml``; adding an edition is adding a file. What an option decides and which
readings it has is common to all editions and stands in ``options.toml``. An edition is a value that is passed on,
never a global.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, NamedTuple

from tcsim.base.errors import InputError, did_you_mean, show, unknown

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable
    from pathlib import Path

#: The edition that is meant when none is given: the one of the source text.
DEFAULT_EDITION = "1.6.3"


class Charts(NamedTuple):
    """The numbers of the charts that a fight needs: thresholds of totals, and markers."""

    success: int
    critical: int
    minor_hit: int
    down: int
    out_of_action: int
    marker_limit: int
    minor_hit_markers: int
    down_markers: int
    down_again_markers: int
    bloodbath_cost: int
    bloodbath_cost_down: int

    def action_result(self, total: int) -> str:
        """Look a total up on the action chart.

        Parameters
        ----------
        total : int
            Of an action roll.

        Returns
        -------
        str
            ``failure``, ``success`` or ``critical``.

        Examples
        --------
        >>> edition("1.6.3").charts.action_result(7)
        'success'
        """
        return "critical" if total >= self.critical else "success" if total >= self.success else "failure"

    def injury_result(self, total: int) -> str:
        """Look a total up on the injury chart, before TOUGH or armour change the result.

        Parameters
        ----------
        total : int
            Of an injury roll, injury modifiers included.

        Returns
        -------
        str
            ``no effect``, ``minor hit``, ``down`` or ``out of action``.

        Examples
        --------
        >>> edition("1.6.3").charts.injury_result(8)
        'down'
        """
        if total >= self.out_of_action:
            return "out of action"
        return "down" if total >= self.down else "minor hit" if total >= self.minor_hit else "no effect"


class Rulings(NamedTuple):
    """The options that decide what a roll or a result does, as 0 or 1 (the others are settled when resolving)."""

    tough_absorbs_volley: int
    second_down_counts_as_first: int
    bloodbath_adds_flat_die: int
    bloodbath_leftovers: int
    minor_hit_after_tough: int


@dataclass(frozen=True, slots=True)
class Modifier:
    """A situation that adds or takes DICE on an action roll, and perhaps injury dice; it may undo another one.

    ``only_first``: of several attacks in an action it touches the first alone.
    """

    kind: str
    action_dice: int
    source: str
    injury_dice: int = 0
    ignores: str = ""
    only_first: bool = False


@dataclass(frozen=True, slots=True)
class Keyword:
    """A keyword: where it may stand and what it does to dice. Defaults do nothing."""

    name: str
    text: str
    on: str = "any"
    number: str = "none"
    markers: int = 0
    critical_injury_dice: int | None = None
    injury_keep: int | None = None
    long_range_injury_dice: int = 0
    auto_hit: bool = False
    risky: bool = False
    ignore_armour: bool = False
    armour_piercing: bool = False
    ignores: str = ""
    negates: str = ""
    sets: str = ""
    tough: bool = False
    new_antioch: bool = False
    infects: bool = False
    golem: bool = False
    regenerates: bool = False
    counted: bool = False
    with_charge: str = ""
    unmodelled: str = ""

    @property
    def changes_dice(self) -> bool:
        """Whether it can change a roll or a result of a scenario."""
        idle = Keyword(self.name, self.text, self.on, self.number, counted=self.counted, new_antioch=self.new_antioch)
        idle = replace(idle, with_charge=self.with_charge)
        return self != idle


@dataclass(frozen=True, slots=True)
class Option:
    """A rules option: what it decides, its readings, and this edition's default with source and reason."""

    name: str
    decides: str
    values: Mapping[str | bool, str]
    default: str | bool
    source: str
    reason: str


@dataclass(frozen=True)
class Edition:
    """One edition of Trench Crusade, as data.

    ``sources`` says what the short names of sources mean; ``cited`` gives the source of each table of numbers;
    ``activation`` says what an activation is, in words and numbers that the editions' files explain.
    """

    id: str
    title: str
    charts: Charts
    injury_keep: int
    target_down_injury_dice: int
    critical_injury_dice: int
    critical_indirect: bool
    modifiers: Mapping[str, Modifier]
    boundaries: Mapping[str, float]
    turn: Mapping[str, Any]
    ignore_armour_drops_dice: bool
    negative_modifier_cap: int
    options: Mapping[str, Option]
    keywords: Mapping[str, Keyword]
    sources: Mapping[str, str]
    cited: Mapping[str, str]
    activation: Mapping[str, Any]

    def keyword(self, text: str, place: str, where: str = "") -> tuple[Keyword, int]:
        """Read one keyword as written in a scenario or the catalogue.

        Parameters
        ----------
        text : str
            As ``FIRE``, ``ARMOUR PIERCING 2`` or ``ARMOUR PIERCING (2)``, upper case.
        place : str
            ``attack`` or ``model``: what carries it.
        where : str, optional
            The place in the input, for the error.

        Returns
        -------
        Keyword, int
            The keyword and its number: 0 when it takes none, 1 when it may have one and none is given.

        Raises
        ------
        InputError
            When the edition has no such keyword, it cannot stand there, or its number is wrong or missing.

        Examples
        --------
        >>> keyword, number = edition("1.6.3").keyword("ARMOUR PIERCING 2", "attack")
        >>> keyword.name, number
        ('ARMOUR PIERCING', 2)
        """
        match = re.fullmatch(r"(.+?) (?:\(([0-9]{1,2})\)|([0-9]{1,2}))", text)
        name, digits = (match[1], match[2] or match[3]) if match else (text, None)
        keyword = self.keywords.get(name)
        if keyword is None:
            fitting = [key for key, word in self.keywords.items() if word.on in (place, "any")]
            raise unknown(f"keyword for {_A[place]} in {self.id}", text, fitting, where)
        if keyword.on not in (place, "any"):
            raise InputError(f"{keyword.name} is a keyword of {_A[keyword.on]}, not of {_A[place]}", where)
        if digits is not None and keyword.number == "none":
            raise InputError(f"{keyword.name} takes no number, {show(text)} has one", where)
        if digits is None and keyword.number == "required":
            raise InputError(f"{keyword.name} takes a number, as in {keyword.name} 2", where)
        if digits is not None and int(digits) == 0:
            raise InputError(f"{keyword.name} takes a number from 1, {show(text)} has 0", where)
        return keyword, int(digits or 1) if keyword.number != "none" else 0

    def read_options(self, given: Mapping[str, Any], where: str = "options") -> dict[str, str | bool]:
        """Settle every option: the given reading, else this edition's default.

        Parameters
        ----------
        given : mapping
            Option name to reading.
        where : str, optional
            The place in the input, for the error.

        Returns
        -------
        dict
            Every option of the edition with its reading.

        Raises
        ------
        InputError
            For an option or a reading that does not exist.

        Examples
        --------
        >>> edition("1.6.3").read_options({"bloodbath": "add"})["bloodbath"]
        'add'
        """
        settled = {name: option.default for name, option in self.options.items()}
        for name, value in given.items():
            if name not in self.options:
                raise unknown("option", str(name), self.options, where)
            values = self.options[name].values
            if not isinstance(value, (str, bool)) or value not in values:
                allowed = " or ".join(map(word, values))
                hint = did_you_mean(value, map(word, values)) if isinstance(value, str) else ""
                raise InputError(f"{show(value)} is given, {allowed} is allowed{hint}", f"{where}.{name}")
            settled[name] = value
        return settled


_A = {"attack": "an attack", "model": "a model"}


def word(value: str | bool) -> str:
    """Write a reading of an option as TOML and JSON write it.

    Parameters
    ----------
    value : str or bool
        The reading.

    Returns
    -------
    str
        As ``keep`` or ``false``.

    Examples
    --------
    >>> word("keep"), word(False)
    ('keep', 'false')
    """
    return str(value).lower() if isinstance(value, bool) else value


def rulings(options: Mapping[str, str | bool]) -> Rulings:
    """Turn settled options into the numbers that the engines read.

    Parameters
    ----------
    options : mapping
        Every option with its reading, as :meth:`Edition.read_options` gives.

    Returns
    -------
    Rulings
        One 0 or 1 each.

    Examples
    --------
    >>> rulings(edition("1.6.3").read_options({"bloodbath": "add"})).bloodbath_adds_flat_die
    1
    """
    return Rulings(
        tough_absorbs_volley=int(options["volley_tough"] == "whole"),
        second_down_counts_as_first=int(options["volley_second_down"] == "one"),
        bloodbath_adds_flat_die=int(options["bloodbath"] == "add"),
        bloodbath_leftovers=int(options["bloodbath_leftovers"] == "dice"),
        minor_hit_after_tough=int(options["machine_armour_after_tough"] == "minor_hit"),
    )


@cache
def editions() -> tuple[str, ...]:
    """Name the editions there are, the default first.

    Returns
    -------
    tuple of str
        Edition ids.

    Examples
    --------
    >>> editions()
    ('1.6.3', '1.0.2')
    """
    found = [entry.name[: -len(".toml")] for entry in _folder().iterdir() if entry.name.endswith(".toml")]
    return tuple(sorted(found, key=lambda name: (name == DEFAULT_EDITION, name), reverse=True))


def edition(id: str) -> Edition:
    """Load an edition of the rules.

    Parameters
    ----------
    id : str
        As ``1.6.3`` or ``1.0.2``.

    Returns
    -------
    Edition
        Its charts, modifiers, keywords and options.

    Raises
    ------
    InputError
        When there is no such edition.

    Examples
    --------
    >>> edition("1.0.2").charts.out_of_action
    9
    """
    if not isinstance(id, str):
        raise InputError(f"{show(id)} is given, {' or '.join(editions())} is allowed", "edition")
    return _edition(id)


@cache
def _edition(id: str) -> Edition:
    path = _folder() / f"{id}.toml"
    if not re.fullmatch(r"[\w.-]{1,20}", id) or not path.is_file():
        raise unknown("edition", id, editions(), "edition")
    return read_edition(path)


def read_edition(path: Path | Traversable) -> Edition:
    """Read an edition from its file, wherever that is: so a new one can be tried before it is added.

    Parameters
    ----------
    path : Path
        A file as those in ``tcsim/rules/editions``; its name is the edition's id and ``.toml``.

    Returns
    -------
    Edition
        Its charts, modifiers, keywords and options.

    Raises
    ------
    InputError
        When the file is no TOML, lacks something, has something no edition has, or is named after another edition.

    Examples
    --------
    >>> from importlib.resources import files
    >>> read_edition(files("tcsim.rules") / "editions" / "1.0.2.toml").id
    '1.0.2'
    """
    import tomllib

    kinds = tomllib.loads((files("tcsim.rules") / "options.toml").read_text(encoding="utf-8"))
    try:
        made = _build(tomllib.loads(path.read_text(encoding="utf-8")), kinds)
    except KeyError as error:
        raise InputError(f"{error.args[0]} is missing", path.name) from None
    except (TypeError, ValueError) as error:  # an unknown field; no TOML, or not UTF-8
        raise InputError(str(error), path.name) from None
    if path.name != f"{made.id}.toml":
        raise InputError(f"the file of edition {show(made.id)} has to be called {made.id}.toml", path.name)
    return made


def _folder() -> Traversable:
    return files("tcsim.rules") / "editions"


def _build(data: Mapping[str, Any], kinds: Mapping[str, Any]) -> Edition:
    charts = data["charts"]
    numbers = {
        **{name: charts["action"][name] for name in ("success", "critical")},
        **{name: charts["injury"][name] for name in ("minor_hit", "down", "out_of_action")},
        "marker_limit": charts["markers"]["limit"],
        **{f"{name}_markers": charts["markers"][name] for name in ("minor_hit", "down", "down_again")},
        **{f"bloodbath_{name}": charts["bloodbath"][name] for name in ("cost", "cost_down")},
    }
    for place, value, low, high in (
        ("charts.action.keep", charts["action"]["keep"], 2, 2),
        ("charts.injury.keep", charts["injury"]["keep"], 1, 4),
        ("charts.markers.limit", charts["markers"]["limit"], 1, 6),
    ):
        if type(value) is not int or not low <= value <= high:  # what the engines hold
            raise InputError(f"{show(value)} is given, {low} to {high} is allowed", place)
    options = {}
    for name in data["options"]:
        if name not in kinds:
            raise unknown("option", name, kinds, "options")
    for name, kind in kinds.items():
        values = {{"false": False, "true": True}.get(key, key): text for key, text in kind["values"].items()}
        options[name] = Option(name, kind["decides"], values, **data["options"][name])
        if options[name].default not in values:
            raise InputError(f"{show(options[name].default)} is no reading of {name}", "options")
    cited = {f"charts.{name}": chart["source"] for name, chart in charts.items()}
    return Edition(
        id=data["id"],
        title=data["title"],
        charts=Charts(**numbers),
        injury_keep=charts["injury"]["keep"],
        target_down_injury_dice=data["injury_dice"]["target_down"],
        critical_injury_dice=data["injury_dice"]["critical"],
        critical_indirect=data["injury_dice"]["critical_indirect"],
        modifiers={name: Modifier(**entry) for name, entry in data["modifiers"].items()},
        boundaries={key: value for key, value in data["boundaries"].items() if key != "source"},
        turn={key: value for key, value in data["turn"].items() if key != "source"},
        ignore_armour_drops_dice=data["armour"]["ignored_drops_injury_dice"],
        negative_modifier_cap=data["armour"]["negative_modifier_cap"],
        options=options,
        keywords={name: Keyword(name, **entry) for name, entry in data["keywords"].items()},
        sources=data["sources"],
        activation={name: entry["value"] for name, entry in data["activation"].items()},
        cited={
            **cited,
            "injury_dice": data["injury_dice"]["source"],
            "armour": data["armour"]["source"],
            "boundaries": data["boundaries"]["source"],
            "turn": data["turn"]["source"],
            **{f"modifiers.{name}": entry["source"] for name, entry in data["modifiers"].items()},
            **{f"activation.{name}": entry["source"] for name, entry in data["activation"].items()},
        },
    )
