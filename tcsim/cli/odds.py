"""``tcsim odds``: a scenario from flags, a file or JSON lines; exact or by dice; as a table or as JSON."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import click

from tcsim.base.errors import InputError
from tcsim.cli.inputs import HalfWidth, WholeNumber, complete, names, read_attack, read_option

_SPEND = ("blood_on_injury", "blessing_on_injury", "blood_on_action", "blessing_on_action")

#: Flag (its parameter's name) to the place in the scenario that it sets.
_PLACES = {
    "id_": ("id",),
    "edition": ("edition",),
    "unit": ("attacker", "unit"),
    "attacker_blood": ("attacker", "blood"),
    "attacker_blessing": ("attacker", "blessing"),
    "attacker_down": ("attacker", "down"),
    "attacker_keyword": ("attacker", "keywords"),
    "target_unit": ("target", "unit"),
    "armour": ("target", "armour"),
    "injury_modifier": ("target", "injury_modifier"),
    "injury_dice": ("target", "injury_dice"),
    "target_blood": ("target", "blood"),
    "target_blessing": ("target", "blessing"),
    "target_down": ("target", "down"),
    "target_keyword": ("target", "keywords"),
    "tough": ("target", "tough"),
    **{name: ("spend", name) for name in _SPEND},
}


_SPEND_HELP = "The target's blood on injury rolls: none, all, bloodbath, greedy or optimal."
_MODE_HELP = "dice (default) rolls every die; outcome and counts draw from the exact answer and cannot check it."
_PRECISION_HELP = (
    "Roll until the 95% interval of out of action is this far to either side, as 0.001; or until --trials, if given."
)
_ATTACK_HELP = (
    "An attack, as 'NAME,key=value,flag,KEYWORD'; repeatable, in order. Without a catalogue name it begins with ranged "
    "or melee; stand and activation are events."
)


def _scenario_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """The flags that build or change a scenario."""
    markers, dice = WholeNumber(0, 6), WholeNumber(-40, 40)
    flags = [
        click.option(
            "--attack", "attacks", multiple=True, metavar="TEXT", shell_complete=complete("weapon"), help=_ATTACK_HELP
        ),
        click.option(
            "--edition",
            metavar="ID",
            shell_complete=complete("edition"),
            help="Rules edition: 1.6.3 (default) or 1.0.2.",
        ),
        click.option("--unit", metavar="NAME", shell_complete=complete("unit"), help="The attacker's unit."),
        click.option("--attacker-blood", type=markers, help="The attacker's blood markers, 0 to 6."),
        click.option("--attacker-blessing", type=markers, help="The attacker's blessing markers."),
        click.option("--attacker-down/--attacker-standing", default=None, help="The attacker is Down."),
        click.option("--attacker-keyword", multiple=True, metavar="WORD", help="As FEAR or NEGATE FEAR; repeatable."),
        click.option("--target-unit", metavar="NAME", shell_complete=complete("unit"), help="The target's unit."),
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
        click.option(
            "--blessing-on-injury",
            metavar="POLICY",
            shell_complete=complete("spend"),
            help="Target's blessings on injury rolls: none or all.",
        ),
        click.option(
            "--blood-on-action",
            metavar="POLICY",
            shell_complete=complete("spend"),
            help="Attacker's blood on action rolls: none or all.",
        ),
        click.option(
            "--blessing-on-action",
            metavar="POLICY",
            shell_complete=complete("spend"),
            help="Attacker's blessings on action rolls: none or all.",
        ),
        click.option(
            "--option",
            "options",
            multiple=True,
            metavar="KEY=VALUE",
            shell_complete=complete("option"),
            help="A rules option; see tcsim options.",
        ),
        click.option("--id", "id_", metavar="TEXT", help="Copied to the output."),
    ]
    for flag in reversed(flags):
        command = flag(command)
    return command


@click.command(
    # the others go by their key, so a key's own spelling is an option's too
    context_settings={"token_normalize_func": lambda token: token.replace("_", "-")},
    epilog="""\b
Examples:
  tcsim odds --attack "Bolt-Action Rifle,cover" --armour "Reinforced Armour"
  tcsim odds --attack "melee,CRITICAL,times=2" --target-blood 3 --spend optimal
  tcsim odds --attack "Sniper Rifle,distance=30" --injury-modifier -2 --json
  tcsim odds --attack ranged --tough --method monte-carlo --trials 1e5
""",
)
@click.argument("scenario", required=False, metavar="[SCENARIO.toml|.json]")
@_scenario_flags
@click.option(
    "--jsonl", metavar="FILE", help="Answer a scenario per line, in order, as JSON lines; - is standard input."
)
@click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")
@click.option(
    "--method", type=click.Choice(["exact", "monte-carlo"]), default="exact", help="Exact (default), or roll the dice."
)
@click.option(
    "--trials", type=WholeNumber(1, 10**13), default=None, help="How many times to play it, up to 1e13; default 1e6."
)
@click.option("--seed", type=WholeNumber(0, 2**64 - 1), default=None, help="Seed of the dice; default 1.")
@click.option("--threads", type=WholeNumber(1, 1024), default=None, help="Threads; default one per processor.")
@click.option(
    "--mode",
    type=click.Choice(["dice", "outcome", "counts"]),
    default=None,
    help=_MODE_HELP,
)
@click.option("--precision", type=HalfWidth(), help=_PRECISION_HELP)
@click.option("--traces", type=WholeNumber(1, 10_000), default=None, help="Tell the first so many trials die by die.")
@click.option("--fractions", is_flag=True, help="Also print exact rationals (up to 50 attack rolls).")
def odds(scenario: str | None, jsonl: str | None, as_json: bool, **flags: Any) -> int:
    """Say what happens, how often.

    A scenario comes from a file, from flags, or from both (flags override), or many come as JSON lines. The default is
    an exact answer as a table; --method monte-carlo rolls every die instead, and Ctrl-C then prints what was counted
    so far.

    Exit status: 0 answered, 1 some lines of a batch failed, 2 the input is wrong, 130 interrupted.
    """
    how = _how(flags)
    if jsonl is not None:
        if scenario is not None or any(_is_given(value) for value in flags.values()):
            raise InputError("each line is a whole scenario, so no file and no scenario flags go with it", "--jsonl")
        from tcsim.cli.batch import answer_lines

        return answer_lines(jsonl, how)
    from tcsim.scenario.read import from_mapping
    from tcsim.scenario.resolve import resolve

    result = answer_resolved(resolve(from_mapping(_merge(scenario, flags))), how)
    if as_json:
        sys.stdout.write(json.dumps(result.to_dict()) + "\n")
    else:
        from tcsim.cli.odds_table import print_result

        print_result(result)
    if result.run is not None and result.run.partial:
        raise KeyboardInterrupt  # what was counted is printed; the exit status says that it is not all
    return 0


#: Flags that go with rolling: the arguments of a Plan.
_OF_ROLLING = ("trials", "seed", "threads", "mode", "precision", "traces")


def _is_given(value: Any) -> bool:
    """Whether a flag was given at all: one that is left out is None, or no texts where it is repeatable."""
    return value is not None and value != ()


def _how(flags: dict[str, Any]) -> dict[str, Any]:
    """Take the flags that say how to answer out of the others."""
    names_of_how = ("method", "trials", "seed", "threads", "mode", "precision", "traces", "fractions")
    how = {name: flags.pop(name) for name in names_of_how}
    if how["method"] == "exact":
        for name in _OF_ROLLING:
            if how[name] is not None:
                raise InputError("it goes with --method monte-carlo, an exact answer needs none", f"--{name}")
    elif how["fractions"]:
        raise InputError("only exact answers have them, rolled ones are counts", "--fractions")
    return how


def _merge(path: str | None, flags: dict[str, Any]) -> Any:
    """Put flags over the file's scenario."""
    if path is None and not flags["attacks"]:
        raise InputError('give a scenario file, --attack or --jsonl, as in: tcsim odds --attack "Bolt-Action Rifle"')
    data: Any = {}
    if path is not None:
        from tcsim.scenario.read import from_mapping, parse_file

        data = parse_file(path)
        from_mapping(data)  # its own mistakes first, and by its own places
    if not isinstance(data, dict):
        return data
    attacks = [read_attack(text, f"--attack {number}") for number, text in enumerate(flags.pop("attacks"), 1)]
    if attacks:
        data["attacks"] = attacks
    options = dict(read_option(text) for text in flags.pop("options"))
    if options:
        data["options"] = data.get("options", {}) | options
    if flags["armour"] is not None:
        flags["armour"] = names(flags["armour"])
    data.setdefault("target", {})
    for name, place in _PLACES.items():
        value = flags[name]
        if not _is_given(value):
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


def answer_resolved(question: Any, how: dict[str, Any]) -> Any:
    """Answer one resolved scenario as the flags say.

    Parameters
    ----------
    question : Resolved
        The question.
    how : dict
        ``method``, ``trials``, ``seed``, ``threads``, ``mode``, ``precision``, ``traces``, ``fractions``.

    Returns
    -------
    Result
        The answer.
    """
    from tcsim.engines.answer import USUAL_TRIALS, Plan, exact_results, simulate_resolved

    if how["method"] == "exact":
        return exact_results([question], how["fractions"])[0]
    from tcsim.cli.terminal import progress

    chosen = {name: how[name] for name in _OF_ROLLING if how[name] is not None}
    total = how["trials"] or (None if how["precision"] is not None else USUAL_TRIALS)
    with progress("rolling", total) as advance:
        return simulate_resolved(question, Plan(**chosen), advance)
