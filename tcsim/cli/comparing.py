"""The flags of commands that compare loadouts: which, against whom, who pays, and how it is answered."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import click

from tcsim.base.errors import InputError
from tcsim.cli.inputs import WholeNumber, catalog_option, complete, edition_option, read_option, rules_option

if TYPE_CHECKING:
    from tcsim.engines.answer import Plan

TARGETS = "Injury modifiers, armour, units, as '2x -2,tough' or 'Yeoman'; commas or // between several; repeatable."
MIX = "Targets with weights: steps, warbands, infantry, elites, units."
_UNIT = "Who attacks, as 'Yeoman,blood=1'; not part of the price."
_SPEND = "The target's blood on injury rolls: none (default), all, bloodbath, greedy or optimal."


def loadout_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command what is compared: loadouts, targets, who attacks and pays, edition, options and catalogues.

    Parameters
    ----------
    command : callable
        The command; it has a flag ``--weapons`` of its own.

    Returns
    -------
    callable
        The command with its flags.
    """
    flags = [
        click.argument("loadouts", nargs=-1, metavar="[LOADOUT|FILE]..."),
        click.option("--targets", multiple=True, metavar="TEXT", shell_complete=complete("name"), help=TARGETS),
        click.option("--mix", metavar="NAME|FILE", help=MIX),
        click.option("--times", type=WholeNumber(1, 100), default=1, help="How often the attacks are made; default 1."),
        click.option("--spend", metavar="POLICY", shell_complete=complete("blood"), help=_SPEND),
        click.option(
            "--unit",
            metavar="TEXT",
            shell_complete=complete("unit"),
            help=_UNIT,
        ),
        click.option("--faction", metavar="NAME", help="Who pays; default: the faction that pays least."),
        edition_option,
        rules_option,
        catalog_option,
    ]
    for flag in reversed(flags):
        command = flag(command)
    return command


def terms_of(flags: dict[str, Any]) -> dict[str, Any]:
    """Give what all cells have in common, as :func:`tcsim.compare` and :func:`tcsim.value` take it.

    Parameters
    ----------
    flags : dict
        Flags by name, those of :func:`loadout_flags`.

    Returns
    -------
    dict
        Keyword arguments.

    Raises
    ------
    InputError
        When an option is not written as one.
    """
    return {
        "times": flags["times"],
        "spend": flags["spend"],
        "edition": flags["edition"],
        "catalog": flags["catalogs"] or None,
        "attacker": flags["unit"],
        "faction": flags["faction"],
        "options": dict(read_option(text) for text in flags["options"]),
    }


def cell_flags(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command how its cells are answered: ``--method``, ``--trials``, ``--seed``, ``--threads``.

    Parameters
    ----------
    command : callable
        The command.

    Returns
    -------
    callable
        The command with its flags; those that are not given are None, so that :func:`plan_of` can tell.
    """
    flags = [
        click.option(
            "--method", type=click.Choice(["exact", "monte-carlo"]), default="exact", help="Exact (default), or rolled."
        ),
        click.option("--trials", type=WholeNumber(1, 10**10), help="Trials of each cell; default 1e5."),
        click.option("--seed", type=WholeNumber(0, 2**64 - 1), help="Seed of the dice; default 1."),
        click.option("--threads", type=WholeNumber(1, 1024), help="Threads; default one per processor."),
    ]
    for flag in reversed(flags):
        command = flag(command)
    return command


def plan_of(flags: dict[str, Any]) -> Plan | None:
    """Give the plan by which every cell is rolled.

    Parameters
    ----------
    flags : dict
        Flags by name, those of :func:`cell_flags`; ``dice`` where the command has it.

    Returns
    -------
    Plan or None
        None where the answer is exact.

    Raises
    ------
    InputError
        When something is said of rolling, and nothing is rolled.
    """
    how = {name: flags[name] for name in ("trials", "seed", "threads", "dice") if flags.get(name) is not None}
    if flags["method"] == "exact":
        if how:
            raise InputError("it goes with --method monte-carlo, an exact answer needs none", f"--{next(iter(how))}")
        return None
    from tcsim.engines.answer import Plan

    return Plan(**{"seed": 1, **how})
