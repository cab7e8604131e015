"""The command line: thin. A module per subcommand, imported when it is called."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from functools import partial
from typing import Any

import click

from tcsim import __version__
from tcsim.base.errors import InputError, ManyInputError, did_you_mean, one_line, show
from tcsim.base.lang import LANGUAGES, speaking
from tcsim.base.text import UNOFFICIAL

#: Subcommand to the module that holds its ``command``, and its line in the help.
COMMANDS = {
    "odds": ("tcsim.cli.odds", "What happens, how often: one scenario, or many from JSON lines."),
    "explain": ("tcsim.cli.explain", "How each roll of a scenario is built, and the rule behind each line."),
    "activation": ("tcsim.cli.activation", "A whole activation: how far it gets, and the best order of its steps."),
    "spend": ("tcsim.cli.spend", "When to spend blood markers, when to save them, and what it is worth."),
    "needed": ("tcsim.cli.needed", "How many attacks, dice or markers a chance needs; where two ways are even."),
    "exchange": ("tcsim.cli.exchange", "What a die, a marker, a step of armour is worth, and in each other's terms."),
    "pool": ("tcsim.cli.pool", "The distribution of one pool of dice."),
    "duel": ("tcsim.cli.duel", "Two models until one is out of action: who wins, how often."),
    "ask": ("tcsim.cli.ask", "The dice around a fight: one of many questions."),
    "risky": ("tcsim.cli.ask", "A chain of risky actions: how far does it get?"),
    "charge": ("tcsim.cli.ask", "Does a charge reach its target?"),
    "scatter": ("tcsim.cli.ask", "How far off does a missed shot land?"),
    "blast": ("tcsim.cli.ask", "BLAST on a group: how many go out of action?"),
    "retreat": ("tcsim.cli.ask", "A retreat from melee: is the model still in action?"),
    "fall": ("tcsim.cli.ask", "A fall: what becomes of the model?"),
    "morale": ("tcsim.cli.ask", "Does a warband hold at the end of a turn?"),
    "aos": ("tcsim.cli.aos", "Age of Sigmar: hero phase, commands, end of turn."),
    "compare": ("tcsim.cli.compare", "Loadouts against targets: chances beside prices, and what differs."),
    "value": ("tcsim.cli.value", "What weapons are worth their ducats: the front, and fair prices."),
    "optimise": ("tcsim.cli.optimise", "The best legal loadout of a unit for a budget."),
    "matchup": ("tcsim.cli.matchup", "Two warbands: how often each model takes each of the others out."),
    "firefight": ("tcsim.cli.firefight", "Many attackers on many targets in one turn, and morale."),
    "turn": ("tcsim.cli.turn", "A turn or a game of two warbands: losses, morale, who wins."),
    "sweep": ("tcsim.cli.sweep", "A grid or a file of scenarios: millions, in parts, resumable."),
    "report": ("tcsim.cli.report", "Write a report with figures."),
    "catalog": ("tcsim.cli.catalog", "Search, show and list weapons, armour and units; check loadouts."),
    "editions": ("tcsim.cli.rules", "The editions of the rules there are."),
    "options": ("tcsim.cli.rules", "The rules options, with defaults, sources and reasons."),
    "schema": ("tcsim.cli.schema", "The JSON Schema of a scenario or another file, for editors."),
}

#: The language of tables and figures, where no --lang says it.
LANGUAGE = "TCSIM_LANG"

#: Exit status where some lines of a batch failed, for wrong input, and for Ctrl-C.
EXIT_LINE_FAILED, EXIT_INPUT, EXIT_INTERRUPTED = 1, 2, 130

#: Set by a shell that asks what could come next: ``eval "$(_TCSIM_COMPLETE=bash_source tcsim)"``.
COMPLETE = "_TCSIM_COMPLETE"


def _speak(context: click.Context, parameter: click.Parameter, value: str | None) -> None:
    if value:
        where = f"--lang or {LANGUAGE}" if parameter.envvar else "--lang"
        context.with_resource(speaking(value.strip().casefold(), where))


def lang_option(command: Any, envvar: str | None = None) -> Any:
    """Give a command the flag that says in which language it prints.

    Parameters
    ----------
    command : callable
        The command.
    envvar : str, optional
        The environment variable that is asked where the flag is left out.

    Returns
    -------
    callable
        The command with the flag; it is not handed on.
    """
    text = f"Language of tables and figures: {' or '.join(LANGUAGES)}; JSON stays English."
    option = click.option(
        "--lang", metavar="ID", envvar=envvar, expose_value=False, is_eager=True, callback=_speak, help=text
    )
    return option(command)


class HelpfulGroup(click.Group):
    """A group that names the nearest subcommand when there is none of a name."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the subcommand, or say the nearest one."""
        names = self.list_commands(ctx)
        if args and not args[0].startswith("-") and args[0] not in names:
            message = f"there is no command {show(args[0])}"
            raise click.UsageError(message + did_you_mean(args[0], names), ctx)
        return super().resolve_command(ctx, args)


class LateGroup(HelpfulGroup):
    """A group whose subcommands are imported when they are called."""

    def __init__(self, *args: Any, late: dict[str, tuple[str, str]], **more: Any) -> None:
        super().__init__(*args, **more)
        self.late = late

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the subcommands in the order in which they are told."""
        return list(self.late)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a subcommand."""
        if cmd_name not in self.late:
            return None
        from importlib import import_module

        module = import_module(self.late[cmd_name][0])
        command = getattr(module, cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the subcommands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self.late.items()])


@click.command(
    "tcsim",
    cls=LateGroup,
    late=COMMANDS,
    no_args_is_help=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 80},
    help=f"What happens, how often: exact and simulated odds for Trench Crusade and Age of Sigmar.\n\n{UNOFFICIAL}",
    epilog="""\b
Examples:
  tcsim odds --attack "Bolt-Action Rifle" --armour "Standard Armour"
  tcsim pool --net 1
""",
)
@click.version_option(__version__, message="%(prog)s %(version)s")
@partial(lang_option, envvar=LANGUAGE)
def tcsim() -> None:
    """Find the subcommand and run it."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line.

    Parameters
    ----------
    argv : sequence of str, optional
        Arguments without the program's name; default: the process's own.

    Returns
    -------
    int
        Exit status: 0 answered, 1 some lines of a batch failed, 2 the input is wrong, 130 interrupted.
    """
    arguments = list(sys.argv[1:] if argv is None else argv)
    if argv is None and COMPLETE in os.environ:
        from click.shell_completion import shell_complete

        return shell_complete(tcsim, {}, "tcsim", COMPLETE, os.environ[COMPLETE])
    if sys.stdout is None:
        return _complain("standard output is closed")
    try:
        with tcsim.make_context("tcsim", arguments or ["--help"]) as context:
            status = tcsim.invoke(context)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except click.exceptions.Exit as stop:  # after --help and --version
        return stop.exit_code
    except ManyInputError as errors:
        for sentence in errors.sentences:
            _complain(sentence)
        return EXIT_INPUT
    except InputError as error:
        return _complain(str(error))
    except click.UsageError as error:
        hint = f" (see {error.ctx.command_path} --help)" if error.ctx is not None else ""
        return _complain(error.format_message().rstrip(".") + hint)
    except click.ClickException as error:
        return _complain(error.format_message())
    except KeyboardInterrupt:
        _complain("interrupted")
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # the reader has seen enough
        _forget_output()
        return 0
    except OSError as error:  # as a full disk
        if error.filename is None:
            _forget_output()
        what = "standard output" if error.filename is None else show(str(error.filename), 200)
        return _complain(f"{what}: {error.strerror or error}")


def _forget_output() -> None:
    """Send what is still waiting to be written nowhere, so that Python does not complain about it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _complain(message: str) -> int:
    if sys.stderr is not None:
        line = one_line(" ".join(message.split()), 1000)
        encoding = getattr(sys.stderr, "encoding", None) or "ascii"
        sys.stderr.write("tcsim: " + line.encode(encoding, "replace").decode(encoding) + "\n")
    return EXIT_INPUT
