"""The command line: thin. A module per subcommand, imported when it is called."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from typing import Any

import click

from tcsim import __version__
from tcsim.base.errors import EXIT_INPUT, EXIT_INTERRUPTED, InputError, nearest
from tcsim.base.text import UNOFFICIAL

#: Subcommand to the module that holds its ``command``, and its line in the help.
COMMANDS = {
    "odds": ("tcsim.cli.odds", "What happens, how often: one scenario, or many from JSON lines."),
    "pool": ("tcsim.cli.pool", "The distribution of one pool of dice."),
    "report": ("tcsim.cli.report", "Write a report with figures."),
    "catalog": ("tcsim.cli.catalog", "Search, show and list weapons, armour and units."),
    "editions": ("tcsim.cli.rules", "The editions of the rules there are."),
    "options": ("tcsim.cli.rules", "The rules options, with defaults, sources and reasons."),
    "schema": ("tcsim.cli.schema", "The JSON Schema of a scenario, for editors."),
}


class LateGroup(click.Group):
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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the subcommand, or say the nearest one."""
        if args and not args[0].startswith("-") and args[0] not in self.late:
            hint = nearest(args[0], self.late)
            message = f'there is no command "{args[0]}"'
            raise click.UsageError(message + (f'; did you mean "{hint}"?' if hint else ""), ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the subcommands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in self.late.items()])


@click.command(
    "tcsim",
    cls=LateGroup,
    late=COMMANDS,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=f"""\b
Examples:
  tcsim odds --attack "Bolt-Action Rifle" --armour "Standard Armour"
  tcsim pool --net 1
\n{UNOFFICIAL}""",
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def tcsim() -> None:
    """What happens, how often: exact and simulated odds for Trench Crusade."""


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
    try:
        status = tcsim.main(arguments, prog_name="tcsim", standalone_mode=False)
        sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except InputError as error:
        return _complain(str(error))
    except click.UsageError as error:
        hint = f"; see {error.ctx.command_path} --help" if error.ctx is not None else ""
        return _complain(error.format_message().rstrip(".") + hint)
    except click.ClickException as error:
        return _complain(error.format_message())
    except (KeyboardInterrupt, click.Abort):
        _complain("interrupted")
        return EXIT_INTERRUPTED
    except BrokenPipeError:  # the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def _complain(message: str) -> int:
    line = " ".join(message.split())
    encoding = getattr(sys.stderr, "encoding", None) or "ascii"
    sys.stderr.write("tcsim: " + line.encode(encoding, "replace").decode(encoding) + "\n")
    return EXIT_INPUT
