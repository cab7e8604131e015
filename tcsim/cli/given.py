"""A scenario on the command line: a file, flags that build or change it, or both."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from tcsim.base.errors import InputError, show
from tcsim.cli.inputs import WholeNumber, complete, edition_option, names, read_option, rules_option
from tcsim.scenario.written import read_attack

if TYPE_CHECKING:
    from tcsim.scenario.policy_file import PolicyFile
    from tcsim.scenario.resolve import Resolved

_SPEND = ("blood_on_injury", "blessing_on_injury", "blood_on_action", "blessing_on_action")

#: Flag (its parameter's name) to the place in the scenario that it sets.
PLACES = {
    "id_": ("id",),
    "edition": ("edition",),
    "unit": ("attacker", "unit"),
    "unit_armour": ("attacker", "armour"),
    "ability": ("attacker", "abilities"),
    "aura": ("attacker", "auras"),
    "attacker_blood": ("attacker", "blood"),
    "attacker_blessing": ("attacker", "blessing"),
    "attacker_down": ("attacker", "down"),
    "attacker_keyword": ("attacker", "keywords"),
    "target_unit": ("target", "unit"),
    "target_ability": ("target", "abilities"),
    "target_aura": ("target", "auras"),
    "target_infection": ("target", "infection"),
    "armour": ("target", "armour"),
    "injury_modifier": ("target", "injury_modifier"),
    "injury_dice": ("target", "injury_dice"),
    "target_blood": ("target", "blood"),
    "target_blessing": ("target", "blessing"),
    "target_down": ("target", "down"),
    "target_keyword": ("target", "keywords"),
    "target_not_activated": ("target", "not_activated"),
    "target_paid": ("target", "paid"),
    "base_mm": ("target", "base_mm"),
    "machine_armour_minor": ("target", "machine_armour_minor"),
    "tough": ("target", "tough"),
    **{name: ("spend", name) for name in (*_SPEND, "goal")},
}


_SPEND_HELP = "The target's blood on injury rolls: none, all, bloodbath, greedy or optimal."
_POLICY_HELP = "A file (.toml, .csv) with rows of your own for the target's blood, in place of --spend."
_GOAL_HELP = "What optimal spends for: out (default), down, expected-blood, out-by-attack-N, or a .toml file of rows."
_ATTACK_HELP = (
    "An attack, as 'NAME,key=value,flag,KEYWORD'; repeatable, in order. Without a catalogue name it begins with ranged "
    "or melee; stand, activation, risky and charge are events."
)


def scenario_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the flags that build or change a scenario.

    Parameters
    ----------
    command : callable
        The command.

    Returns
    -------
    callable
        The command with its flags.
    """
    markers, dice = WholeNumber(0, 6), WholeNumber(-40, 40)
    flags = [
        click.option(
            "--attack", "attacks", multiple=True, metavar="TEXT", shell_complete=complete("weapon"), help=_ATTACK_HELP
        ),
        edition_option,
        click.option("--unit", metavar="NAME", shell_complete=complete("unit"), help="The attacker's unit."),
        click.option(
            "--unit-armour", metavar="NAMES", shell_complete=complete("armour"), help="What the attacker wears."
        ),
        click.option(
            "--ability", multiple=True, metavar="NAME", help="An ability, skill or power of the attacker; repeatable."
        ),
        click.option("--aura", multiple=True, metavar="NAME", help="An ability that reaches the attacker; repeatable."),
        click.option("--attacker-blood", type=markers, help="The attacker's blood markers, 0 to 6."),
        click.option("--attacker-blessing", type=markers, help="The attacker's blessing markers."),
        click.option("--attacker-down/--attacker-standing", default=None, help="The attacker is Down."),
        click.option("--attacker-keyword", multiple=True, metavar="WORD", help="As FEAR or NEGATE FEAR; repeatable."),
        click.option("--target-unit", metavar="NAME", shell_complete=complete("unit"), help="The target's unit."),
        click.option("--target-ability", multiple=True, metavar="NAME", help="An ability of the target; repeatable."),
        click.option(
            "--target-aura", multiple=True, metavar="NAME", help="An ability that reaches the target; repeatable."
        ),
        click.option("--target-infection", type=markers, help="The target's infection markers, 0 to 6."),
        click.option(
            "--armour",
            metavar="NAMES",
            shell_complete=complete("armour"),
            help="The target's armour, names separated by commas.",
        ),
        click.option(
            "--injury-modifier", type=WholeNumber(-20, 0), help="The target's armour as one number, -20 to 0."
        ),
        click.option("--injury-dice", type=dice, help="Injury dice against the target, as -1 for Undead Fortitude."),
        click.option("--target-blood", type=markers, help="The target's blood markers, 0 to 6."),
        click.option("--target-blessing", type=markers, help="The target's blessing markers."),
        click.option("--target-down/--target-standing", default=None, help="The target is Down."),
        click.option(
            "--target-not-activated/--target-activated",
            default=None,
            help="The target has not been activated yet in this round.",
        ),
        click.option("--target-paid", type=markers, help="Markers paid for an ability of the target, for each attack."),
        click.option("--base-mm", type=WholeNumber(10, 300), help="The target's base, for elevation, in mm."),
        click.option(
            "--machine-armour-minor/--machine-armour-down",
            default=None,
            help="Whether Down results become Minor Hits; default: by what it wears.",
        ),
        click.option("--target-keyword", multiple=True, metavar="WORD", help="As NEGATE FIRE or FEAR; repeatable."),
        click.option("--tough/--not-tough", default=None, help="The target is TOUGH, and has not used it."),
        click.option(
            "--spend",
            "--blood-on-injury",
            "blood_on_injury",
            metavar="POLICY",
            shell_complete=complete("blood"),
            help=_SPEND_HELP,
        ),
        click.option("--policy", "policies", multiple=True, metavar="FILE", help=_POLICY_HELP),
        click.option("--goal", metavar="GOAL", help=_GOAL_HELP),
        click.option(
            "--blessing-on-injury",
            metavar="POLICY",
            shell_complete=complete("spend"),
            help="Target's blessings on injury rolls: none, all or optimal.",
        ),
        click.option(
            "--blood-on-action",
            metavar="POLICY",
            shell_complete=complete("spend"),
            help="Attacker's blood on action rolls: none, all or optimal.",
        ),
        click.option(
            "--blessing-on-action",
            metavar="POLICY",
            shell_complete=complete("spend"),
            help="Attacker's blessings on action rolls: none, all or optimal.",
        ),
        rules_option,
        click.option("--id", "id_", metavar="TEXT", help="Copied to the output."),
    ]
    for flag in reversed(flags):
        command = flag(command)
    return command


def is_given(value: Any) -> bool:
    """Whether a flag was given at all: one that is left out is None, or no texts where it is repeatable.

    Parameters
    ----------
    value : Any
        Of the flag.

    Returns
    -------
    bool
        True when it was.
    """
    return value is not None and value != ()


def asked(path: str | None, flags: dict[str, Any], catalogs: tuple[str, ...]) -> Resolved:
    """Resolve the scenario that a file, flags and at most one policy file come to.

    Parameters
    ----------
    path : str or None
        The file.
    flags : dict
        Flags by name, those of :func:`scenario_flags`; what is read is taken out.
    catalogs : tuple of str
        The user's own catalogues.

    Returns
    -------
    Resolved
        The question.

    Raises
    ------
    InputError
        For whatever is wrong, that in a policy file by its line.
    """
    from tcsim.scenario.read import from_mapping
    from tcsim.scenario.resolve import resolve

    data, policy = given(path, flags)
    try:
        return resolve(from_mapping(data), catalogs or None)
    except InputError as error:
        raise (error if policy is None else policy.placed(error)) from None


def given(path: str | None, flags: dict[str, Any]) -> tuple[Any, PolicyFile | None]:
    """Put a file, flags and at most one policy file together.

    Parameters
    ----------
    path : str or None
        The file.
    flags : dict
        Flags by name, those of :func:`scenario_flags`; what is read is taken out.

    Returns
    -------
    Any, PolicyFile or None
        The scenario as plain data, with the rows of the policy file; and that file, which knows their lines.

    Raises
    ------
    InputError
        For what is wrong with either file, or where both it and --spend are given.
    """
    from tcsim.scenario.policy_file import read_policy

    policies = flags.pop("policies")
    if len(policies) > 1:
        raise InputError("one is enough to be followed; tcsim spend compares several", "--policy")
    policy = read_policy(policies[0]) if policies else None
    given_spend = flags["blood_on_injury"] is not None
    data = merged(path, flags)
    if policy is None or not isinstance(data, dict):
        return data, None
    if given_spend:
        raise InputError("the file stands in place of --spend, both are given", "--policy")
    spend = data.setdefault("spend", {})
    spend.pop("blood_on_injury", None)
    spend["policy"] = policy.rows
    return data, policy


def merged(path: str | None, flags: dict[str, Any]) -> Any:
    """Put flags over the file's scenario.

    Parameters
    ----------
    path : str or None
        The file.
    flags : dict
        Flags by name, those of :func:`scenario_flags`; what is read is taken out.

    Returns
    -------
    Any
        The scenario as plain data.

    Raises
    ------
    InputError
        When neither a file nor an attack is given, or the file cannot be read.
    """
    if path is None and not flags["attacks"]:
        name = click.get_current_context().info_name
        ways = "a scenario file, --attack or --jsonl" if name == "odds" else "a scenario file or --attack"
        raise InputError(f'give {ways}, as in: tcsim {name} --attack "Bolt-Action Rifle"')
    data: Any = {}
    if path is not None:
        from tcsim.base.files import parse_file
        from tcsim.scenario.read import from_mapping

        data = parse_file(path)
        if isinstance(data, dict) and "activation" in data:
            raise InputError(f"{show(path, 200)} has a table [activation], it is answered by tcsim activation")
        from_mapping(data)  # its own mistakes first, and by its own places
    return lay_over(data, flags) if isinstance(data, dict) else data


def lay_over(data: dict[str, Any], flags: dict[str, Any]) -> dict[str, Any]:
    """Put flags over a scenario.

    Parameters
    ----------
    data : dict
        The scenario as plain data; it is changed.
    flags : dict
        Flags by name, those of :func:`scenario_flags`; what is read is taken out.

    Returns
    -------
    dict
        The scenario.
    """
    attacks = [read_attack(text, f"--attack {number}") for number, text in enumerate(flags.pop("attacks"), 1)]
    if attacks:
        data["attacks"] = attacks
    if flags["goal"] is not None and flags["goal"].casefold().endswith(".toml"):
        from tcsim.scenario.policy_file import read_goal

        flags["goal"] = read_goal(flags["goal"])
    options = dict(read_option(text) for text in flags.pop("options"))
    if options:
        data["options"] = data.get("options", {}) | options
    for name in ("armour", "unit_armour"):
        if flags[name] is not None:
            flags[name] = names(flags[name])
    data.setdefault("target", {})
    for name, place in PLACES.items():
        value = flags[name]
        if not is_given(value):
            continue
        table = data
        for key in place[:-1]:
            table = table.setdefault(key, {})
        table[place[-1]] = list(value) if isinstance(value, tuple) else value
    if flags["injury_modifier"] is not None and flags["armour"] is None and flags["target_unit"] is None:
        data["target"].pop("armour", None)
        data["target"].pop("unit", None)
    elif (flags["armour"] is not None or flags["target_unit"] is not None) and flags["injury_modifier"] is None:
        data["target"].pop("injury_modifier", None)
    return data
