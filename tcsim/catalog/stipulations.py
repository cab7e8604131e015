"""Who may have what: factions, stipulations, and the rules of a unit's kit as one small checked language.

The tables that are written in it are read in :mod:`tcsim.catalog.armoury`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from tcsim.base.errors import InputError, show
from tcsim.catalog import Unit


class Faction(NamedTuple):
    """Whose warband it is: a base faction, and perhaps a variant of it."""

    base: str
    variant: str = ""

    @property
    def name(self) -> str:
        """Both in one, as ``new-antioch-alba``."""
        return f"{self.base}-{self.variant}" if self.variant else self.base


@dataclass(frozen=True, slots=True)
class Stipulation:
    """Who of a faction may have something, how many of a warband, and how many each."""

    only: tuple[str, ...] = ()
    limit: str = ""
    per_model: int | None = None


class UnitRule(NamedTuple):
    """One rule of a unit's kit: its kind (a key of :data:`UNIT_RULES`) and its parts."""

    kind: str
    parts: tuple[str, ...]
    text: str


@dataclass(frozen=True, slots=True)
class UnitKit:
    """What a unit comes with, how it attacks without weapons, what it may not have, with whom it shares its limit."""

    fixed: tuple[str, ...] = ()
    natural: tuple[str, ...] = ()
    rules: tuple[UnitRule, ...] = ()
    shares: str = ""


#: The language of the column ``rules`` of unit_kit.csv: kind of rule, and how it is written.
UNIT_RULES = {
    "even": r"no off-hand",
    "no": r"no (kit|weapons|ranged|melee|grenade|body|shield|helmet|equipment|two-handed|[a-z][a-z-]+)",
    "only": r"only (kit|weapons|ranged|grenade|shield|equipment) ([A-Z ]+|[a-z|-]+)",
    "one": r"one (ranged|melee)",
    "must": r"must (weapon|body)",
    "dearest": r"price (?:of (ranged) )?at most (\d+)",
    "price": r"price ([a-z-]+) (\d+)",
    "free": r"free ([A-Z]+) ([a-z-]+)",
    "arms": r"arms (\d+)",
    "heavy-arms": r"HEAVY in one hand (\d+)",
    "same": r"same weapon (\d+)",
    "melee": r"melee (\d+) with (\d+) two-handed",
    "upgrades": r"upgrades (\d+)(?: in ([a-z-]+))?",
    "fewer": r"fewer than ([A-Z]+)",
    "as-many": r"at most as many as ([a-z-]+)",
    "most": r"most (\d+) without ([a-z-]+)",
}


def read_unit_rule(text: str) -> UnitRule:
    """Read one rule of a unit's kit.

    Parameters
    ----------
    text : str
        As ``no ranged`` or ``price at most 10``.

    Returns
    -------
    UnitRule
        Its kind and parts.

    Raises
    ------
    InputError
        When it is not in the language.

    Examples
    --------
    >>> read_unit_rule("only grenade gas-grenades").parts
    ('grenade', 'gas-grenades')
    """
    for kind, pattern in UNIT_RULES.items():
        match = re.fullmatch(pattern, text)
        if match:
            return UnitRule(kind, tuple(part or "" for part in match.groups()), text)
    raise InputError(f"{show(text)} is no rule of a unit's kit")


def limit_of(text: str, faction: Faction) -> int | None:
    """Read how many of something a faction may have.

    Parameters
    ----------
    text : str
        A number, ``number@faction`` pairs, or nothing.
    faction : Faction
        Who asks.

    Returns
    -------
    int or None
        None for any number.

    Examples
    --------
    >>> limit_of("2@new-antioch;1@new-antioch-alba", Faction("new-antioch", "alba"))
    1
    """
    limits = dict(reversed(part.partition("@")[::2]) for part in text.split(";") if part)
    for whose in (faction.name, faction.base, ""):
        if whose in limits:
            return int(limits[whose])
    return None


def slug(unit: Unit) -> str:
    """Give a unit's id without its faction and variant.

    Parameters
    ----------
    unit : Unit
        The row.

    Returns
    -------
    str
        As ``war-prophet``.

    Examples
    --------
    >>> from tcsim.catalog import catalog
    >>> slug(catalog("1.6.3").unit("War Prophet"))
    'war-prophet'
    """
    return unit.id.removeprefix(f"{unit.faction}-").removeprefix(f"{unit.variant}-" if unit.variant else "")


def is_one_of(
    words: tuple[str, ...], unit: Unit, keywords: tuple[str, ...], carried: tuple[str, ...], faction: Faction
) -> bool:
    """Whether a model is among those that a stipulation names; no names: everybody is.

    Parameters
    ----------
    words : tuple of str
        A keyword (``ELITE``), ``not`` and a keyword, ``with`` and an id, or a unit's id without its faction; what
        follows ``@`` is whom the word concerns.
    unit : Unit
        The model's unit.
    keywords : tuple of str
        All keywords it has.
    carried : tuple of str
        Ids of what it carries.
    faction : Faction
        Whose warband it is.

    Returns
    -------
    bool
        True when one of the words fits.
    """
    fitting = [word.partition("@")[0] for word in words if word.partition("@")[2] in ("", faction.name, faction.base)]
    for word in fitting:
        if word.startswith("not "):
            fits = word[4:] not in keywords
        elif word.startswith("with "):
            fits = word[5:] in carried
        elif word == word.upper():
            fits = word in keywords
        else:
            fits = f"-{word}-" in f"-{slug(unit)}-"
        if fits:
            return True
    return not fitting
