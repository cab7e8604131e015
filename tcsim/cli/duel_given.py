"""A duel on the command line: a file, flags that build or change it, or both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from tcsim.base.errors import InputError
from tcsim.cli.given import is_given
from tcsim.cli.inputs import Inches, WholeNumber, complete, names, read_option
from tcsim.scenario.written import read_attack

_SIDES = ("a", "b")
_ATTACK_HELP = "A melee attack of {side}, as 'NAME,key=value,flag,KEYWORD' or 'melee,…'; repeatable, in order."
_RANGED_HELP = "What {side} shoots before contact, alike ('ranged,…' without a name); repeatable."


def fighter_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the flags that say what each fighter is, has and does.

    Parameters
    ----------
    command : callable
        The command.

    Returns
    -------
    callable
        The command with its flags: those of a, then those of b.
    """
    flags: list[Any] = []
    for side in _SIDES:
        weapon, armour, unit = complete("weapon"), complete("armour"), complete("unit")
        flags += [
            click.option(f"--{side}-unit", metavar="NAME", shell_complete=unit, help=f"The unit of {side}."),
            click.option(
                f"--{side}-attack",
                multiple=True,
                metavar="TEXT",
                shell_complete=weapon,
                help=_ATTACK_HELP.format(side=side),
            ),
            click.option(
                f"--{side}-ranged",
                multiple=True,
                metavar="TEXT",
                shell_complete=weapon,
                help=_RANGED_HELP.format(side=side),
            ),
            click.option(f"--{side}-armour", metavar="NAMES", shell_complete=armour, help=f"What {side} wears."),
            click.option(
                f"--{side}-injury-modifier", type=WholeNumber(-20, 0), help=f"The armour of {side} as one number."
            ),
            click.option(f"--{side}-tough/--{side}-not-tough", default=None, help=f"Whether {side} is TOUGH."),
            click.option(f"--{side}-down/--{side}-standing", default=None, help=f"Whether {side} starts Down."),
            click.option(f"--{side}-blood", type=WholeNumber(0, 6), help=f"Blood markers of {side} at the start."),
            click.option(
                f"--{side}-keyword", multiple=True, metavar="WORD", help=f"A keyword of {side}, as FEAR; repeatable."
            ),
            click.option(
                f"--{side}-ability", multiple=True, metavar="NAME", help=f"An ability or skill of {side}; repeatable."
            ),
            click.option(
                f"--{side}-spend",
                metavar="POLICY",
                shell_complete=complete("blood"),
                help=f"How {side} spends the other's blood on injury rolls: none, all, bloodbath or greedy.",
            ),
            click.option(
                f"--{side}-blood-on-action",
                metavar="POLICY",
                shell_complete=complete("spend"),
                help=f"How {side} spends the other's blood on its action rolls: none or all.",
            ),
            click.option(f"--{side}-move", type=Inches(), help=f"Movement of {side} in inches; default: its unit's."),
        ]
    for flag in reversed(flags):
        command = flag(command)
    return command


#: What of a flag's name stands where in a fighter's table.
_PLACES: dict[str, tuple[str, ...]] = {
    "unit": ("unit",),
    "armour": ("armour",),
    "injury_modifier": ("injury_modifier",),
    "tough": ("tough",),
    "down": ("down",),
    "blood": ("blood",),
    "keyword": ("keywords",),
    "ability": ("abilities",),
    "spend": ("spend", "blood_on_injury"),
    "blood_on_action": ("spend", "blood_on_action"),
    "move": ("move",),
    "attack": ("attacks",),
    "ranged": ("ranged",),
}


def merged(path: str | None, flags: dict[str, Any]) -> Any:
    """Put flags over the file's duel.

    Parameters
    ----------
    path : str or None
        The file.
    flags : dict
        Flags by name.

    Returns
    -------
    Any
        The duel as plain data.

    Raises
    ------
    InputError
        When neither a file nor the attacks of both are given, or the file cannot be read.
    """
    if path is None and not (flags["a_attack"] and flags["b_attack"]):
        example = 'tcsim duel --a-attack "Sword / Axe" --b-attack "Club / Flail / Hammer" --b-armour "Standard Armour"'
        raise InputError(f"give a duel's file, --jsonl, --matrix, or attacks of both, as in: {example}")
    data: Any = {}
    if path is not None:
        from tcsim.base.files import parse_file
        from tcsim.duels.given import from_mapping

        data = parse_file(path)
        from_mapping(data)  # its own mistakes first, and by its own places
    for name in ("id", "edition", "first", "rounds"):
        if flags[name] is not None:
            data[name] = flags[name]
    for name, key in (("distance", "distance"), ("who_charges", "who_charges")):
        if flags[name] is not None:
            data.setdefault("approach", {})[key] = flags[name]
    if flags["optimal"]:
        data["spend"] = {"mode": "optimal"}
    options = dict(read_option(text) for text in flags["options"])
    if options:
        data["options"] = data.get("options", {}) | options
    for side in _SIDES:
        for name in ("spend", "blood_on_action"):
            if flags[f"{side}_{name}"] == "optimal":
                raise InputError(
                    "optimal play is that of both players: give --optimal instead", f"--{side}-{name.replace('_', '-')}"
                )
        _put(data.setdefault(side, {}), side, flags)
    return data


def _put(fighter: dict[str, Any], side: str, flags: dict[str, Any]) -> None:
    for name, place in _PLACES.items():
        value = flags[f"{side}_{name}"]
        if not is_given(value):
            continue
        if name in ("attack", "ranged"):
            where = f"--{side}-{name}"
            value = [read_attack(text, f"{where} {number}") for number, text in enumerate(value, 1)]
        elif name == "armour":
            value = names(value)
        fighter.get("target", {}).pop(place[0], None)
        table = fighter
        for key in place[:-1]:
            table = table.setdefault(key, {})
        table[place[-1]] = list(value) if isinstance(value, tuple) else value
    by_number = flags[f"{side}_injury_modifier"] is not None
    by_name = flags[f"{side}_armour"] is not None or flags[f"{side}_unit"] is not None
    if by_number == by_name:
        return
    for table in (fighter, fighter.get("target", {})):
        for name in ("armour", "unit") if by_number else ("injury_modifier",):
            table.pop(name, None)
