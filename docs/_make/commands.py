"""The reference of the command line: every command and option, from the command line itself."""

import inspect
from collections.abc import Iterator

import click

from _make.text import code, contents, fenced, page, plain
from tcsim.cli import COMMANDS, tcsim


def pages() -> Iterator[tuple[str, str]]:
    """Make a page for the whole and one for each command: where it goes, and its text."""
    top = click.Context(tcsim, info_name="tcsim", **tcsim.context_settings)
    lines = [f"[`tcsim {name}`]({name}.md)\n: {plain(text)}" for name, (_, text) in COMMANDS.items()]
    yield (
        "reference/commands/index.md",
        page(
            "# Command line",
            *_told(tcsim.help or ""),
            _usage(tcsim, top),
            _options(tcsim, top),
            *lines,
            contents(COMMANDS),
        ),
    )
    for name in COMMANDS:
        yield f"reference/commands/{name}.md", page(*_command(tcsim.get_command(top, name), name, top, "#"))


def _command(command: click.Command, name: str, parent: click.Context, hashes: str) -> Iterator[str]:
    context = click.Context(command, info_name=name, parent=parent, **command.context_settings)
    yield f"{hashes} {context.command_path}"
    yield from _told(command.help or "")
    yield _usage(command, context)
    yield _options(command, context)
    yield from _told(command.epilog or "")
    if isinstance(command, click.Group):
        for below in command.list_commands(context):
            yield from _command(command.get_command(context, below), below, context, hashes + "#")


def _usage(command: click.Command, context: click.Context) -> str:
    return fenced("text", " ".join([context.command_path, *command.collect_usage_pieces(context)]))


def _options(command: click.Command, context: click.Context) -> str:
    """Write every option with what it does, as a list, which wraps on a phone; of arguments the usage tells."""
    records = [parameter.get_help_record(context) for parameter in command.get_params(context)]
    return "\n\n".join(f"{code(flags)}\n: {plain(text)}" for flags, text in filter(None, records) if text)


def _told(text: str) -> Iterator[str]:
    r"""Write the text of a help page; what stands behind \b keeps its lines."""
    for part in inspect.cleandoc(text).split("\n\n"):
        kept, lines = part.startswith("\b"), part.removeprefix("\b\n")
        if not kept:
            yield plain(part)
        elif lines.startswith("Example"):
            head, _, examples = lines.partition("\n")
            yield head
            yield fenced("sh", "\n".join(line.strip() for line in examples.splitlines()))
        else:
            yield fenced("text", lines)
