"""The table of commands and of actions that are allowed a number of times only; the phases in which they are used."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files

import msgspec

from tcsim.base.errors import unknown

#: The phases of a turn in their order.
PHASES = ("hero", "movement", "shooting", "charge", "combat", "end")

#: Before a phase of the opponent's turn.
ENEMY = "enemy_"

#: Every phase of a battle round as it is written: yours, then the opponent's.
EVERY_PHASE = (*PHASES, *(f"{ENEMY}{phase}" for phase in PHASES))

#: Names of commands of one's own: abilities of a warscroll with a cost of 1 point, in any phase.
OWN = "other_"


@dataclass(frozen=True, slots=True)
class Command:
    """A command of the fourth edition, or an action of the third that is allowed a number of times only.

    Parameters
    ----------
    id, name : str
        As it is written, and as it is called.
    editions : tuple of str
        Where it is known.
    cost : int
        Command points.
    phases : tuple of str
        When it can be used, of :data:`EVERY_PHASE`.
    used_by : str
        Who uses it.
    section, source : str
        Where it stands; ``source`` or ``public``.
    reaction : str, optional
        What it reacts to; empty where it is no reaction.
    through : mapping of str to str, optional
        Phases in which only another command, of the same unit, lets what it reacts to happen.
    keywords, needs : tuple of str, optional
        What it counts as, and what its unit has to be.
    uses : mapping of str to str, optional
        What it uses up, by keyword of the unit: one of its casts, or its chant.
    """

    id: str
    name: str
    editions: tuple[str, ...]
    cost: int
    phases: tuple[str, ...]
    used_by: str
    section: str
    source: str
    reaction: str = ""
    through: dict[str, str] = field(default_factory=dict)
    keywords: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()
    uses: dict[str, str] = field(default_factory=dict)


@cache
def commands(edition: str) -> dict[str, Command]:
    """Give the commands of an edition.

    Parameters
    ----------
    edition : str
        The edition.

    Returns
    -------
    dict of str to Command
        By id, in the order of the phases.

    Examples
    --------
    >>> commands("4e")["counter_charge"].cost
    2
    """
    text = (files("tcsim.aos.plans") / "data" / "commands.toml").read_text(encoding="utf-8")
    made = msgspec.convert(tomllib.loads(text)["row"], list[Command])
    return {one.id: one for one in made if edition in one.editions}


def command(edition: str, id: str, where: str = "") -> Command:
    """Find a command.

    Parameters
    ----------
    edition : str
        The edition.
    id : str
        Its id, or a name of one's own that begins with ``other_``.
    where : str, optional
        The place in the input.

    Returns
    -------
    Command
        The command.

    Raises
    ------
    InputError
        When the edition has none of that name.
    """
    if id.startswith(OWN) and id != OWN:
        return Command(id, id.removeprefix(OWN), (edition,), 1, EVERY_PHASE, "a unit", "warscroll", "user")
    if id not in commands(edition):
        raise unknown("command", id, commands(edition), where)
    return commands(edition)[id]


def as_id(text: str) -> str:
    """Write the name of a command or a phase as its id.

    Parameters
    ----------
    text : str
        As people write it.

    Returns
    -------
    str
        In small letters, with underscores.

    Examples
    --------
    >>> as_id("All-out  Attack")
    'all_out_attack'
    """
    return "_".join(text.casefold().replace("-", " ").replace("_", " ").split())


def phase(text: str, where: str = "") -> str:
    """Read a phase.

    Parameters
    ----------
    text : str
        As ``combat`` or ``enemy_combat``; ``own_`` may stand before yours.
    where : str, optional
        The place in the input.

    Returns
    -------
    str
        One of :data:`EVERY_PHASE`.

    Raises
    ------
    InputError
        When there is none of that name.

    Examples
    --------
    >>> phase("own_combat"), phase("Enemy Hero")
    ('combat', 'enemy_hero')
    """
    word = as_id(text).removeprefix("own_")
    if word not in EVERY_PHASE:
        raise unknown("phase", text, EVERY_PHASE, where)
    return word


def order(phase: str) -> int:
    """Give the place of a phase in its turn.

    Parameters
    ----------
    phase : str
        One of :data:`EVERY_PHASE`.

    Returns
    -------
    int
        From 0 (hero) on.
    """
    return PHASES.index(phase.removeprefix(ENEMY))
