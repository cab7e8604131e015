"""``tcsim ask``: questions as commands, made from the data of each. Another ruleset is another group of them."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from typing import Any, TextIO

import click

from tcsim.base.csv_text import csv_text
from tcsim.base.errors import InputError, show
from tcsim.base.files import because
from tcsim.base.lang import speaking, tr
from tcsim.cli import EXIT_LINE_FAILED, HelpfulGroup, lang_option
from tcsim.cli.inputs import WholeNumber
from tcsim.questions import asking
from tcsim.questions.asking import How, Reply
from tcsim.questions.kinds import Flag
from tcsim.questions.question import Input, Question, read_pairs
from tcsim.questions.reference import OPEN, by_edition, default_of, help_of, name_of
from tcsim.questions.ruleset import Ruleset
from tcsim.situations import ASK


def how_flags(ruleset: Ruleset, editions: tuple[str, ...]) -> list[click.Parameter]:
    """Give the flags that every question has.

    Parameters
    ----------
    ruleset : Ruleset
        The game.
    editions : tuple of str
        Those in which it can be asked, the default first where the game has one.

    Returns
    -------
    list of click.Parameter
        Edition, method, trials, seed, JSON.
    """
    first, *others = editions
    told = "" if ruleset.edition_needed else " (default)"
    listed = f"{first}{told}{''.join(f' or {one}' for one in others)}{'; required' if ruleset.edition_needed else ''}"
    return [
        click.Option(["--edition"], metavar="ID", shell_complete=_editions(editions), help=f"Rules edition: {listed}."),
        click.Option(
            ["--method"],
            type=click.Choice(["exact", "monte-carlo"]),
            default="exact",
            help="Exact (default), or roll the dice.",
        ),
        click.Option(
            ["--trials"], type=WholeNumber(1, asking.MAX_TRIALS), help="How many times to roll it; default 1e5."
        ),
        click.Option(["--seed"], type=WholeNumber(0, 2**64 - 1), help="Seed of the dice; default 1."),
        click.Option(["--json", "as_json"], is_flag=True, help="Print as JSON."),
    ]


def _editions(editions: tuple[str, ...]) -> Callable[..., list[str]]:
    return lambda context, parameter, begun: [one for one in editions if one.startswith(begun)]


class QuestionCommand(click.Command):
    """A question as a command: its help is its data."""

    def __init__(self, ruleset: Ruleset, question: Question, short: bool, **more: Any) -> None:
        super().__init__(**more)
        self.ruleset, self.question, self.short = ruleset, question, short

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the page in English, as all help; the reference page knows other languages."""
        with speaking("en"):
            super().format_help(ctx, formatter)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write title, rule and source."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(tr(self.ruleset.entry(self.question.name).title))
            for line in by_edition(self.ruleset, self.question):
                formatter.write_paragraph()
                formatter.write_text(line)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write inputs, answers and flags."""
        if self.question.inputs and not self.short:
            editions = self.ruleset.editions_of(self.question)
            with formatter.section("Inputs"):
                formatter.write_dl(
                    [(f"{one.name}={_metavar(one)}", _told(one, editions)) for one in self.question.inputs]
                )
        with formatter.section("Answers"):
            formatter.write_dl([(name_of(one), f"{tr(one.help)} ({tr(one.unit)})") for one in self.question.answers])
        super().format_options(ctx, formatter)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the examples."""
        with formatter.section("Examples"):
            for example in self.question.examples:
                line = self.ruleset.line(self.question, example)
                if self.short:
                    given = read_pairs(example.split(), self.question)
                    line = " ".join(
                        ["tcsim", self.question.name, *(_as_flag(self.question, *pair) for pair in given.items())]
                    )
                formatter.write(f"  {line}\n")


def _metavar(one: Input) -> str:
    return "|".join(one.kind.words) if 0 < len(one.kind.words) <= 4 else one.kind.metavar


def _told(one: Input, editions: tuple[str, ...]) -> str:
    """What an input says, what is allowed, and its default."""
    parts = [] if one.kind.words else [one.kind.allowed]
    default = default_of(one, editions)
    if one.required:
        parts.append(tr("required"))
    elif default not in (OPEN, "false"):
        parts.append(tr("default {value}", value=default))
    return help_of(one, editions) + (f" [{'; '.join(parts)}]" if parts else "")


def _as_flag(question: Question, name: str, value: str) -> str:
    flag = f"--{name.replace('_', '-')}"
    kinds = {one.name: one.kind for one in question.inputs}
    if isinstance(kinds[name], Flag):
        return flag if kinds[name].read(value) else f"--no-{flag[2:]}"
    return f"{flag} {value}"


def question_command(ruleset: Ruleset, name: str) -> click.Command:
    """Make the command that asks a question as ``key=value key=value``.

    Parameters
    ----------
    ruleset : Ruleset
        The game.
    name : str
        The question.

    Returns
    -------
    click.Command
        The command.
    """
    question = ruleset.question(name)

    def begun(context: click.Context, parameter: click.Parameter, text: str) -> list[str]:
        offers = [f"{one.name}={word}" for one in question.inputs for word in one.kind.words or ("",)]
        return [offer for offer in offers if offer.startswith(text)]

    def run(pairs: tuple[str, ...], **flags: Any) -> int:
        return _answer(ruleset, question.name, read_pairs(list(pairs), question), flags)

    pairs = click.Argument(["pairs"], nargs=-1, metavar="[KEY=VALUE]...", shell_complete=begun)
    params = [pairs, *how_flags(ruleset, ruleset.editions_of(question))]
    return _with_lang(QuestionCommand(ruleset, question, False, name=question.name, params=params, callback=run))


def short_command(ruleset: Ruleset, name: str) -> click.Command:
    """Make the command that asks a question by flags.

    Parameters
    ----------
    ruleset : Ruleset
        The game.
    name : str
        The question.

    Returns
    -------
    click.Command
        The command.
    """
    question = ruleset.question(name)
    params: list[click.Parameter] = []
    editions = ruleset.editions_of(question)
    for one in question.inputs:
        flag, text = f"--{one.name.replace('_', '-')}", _told(one, editions)
        if isinstance(one.kind, Flag):
            usual = any(one.default_in(edition) for edition in editions)
            names = f"{flag}/--no-{flag[2:]}" if usual else flag
            params.append(click.Option([names, one.name], is_flag=True, default=None, help=text))
        else:
            metavar = _metavar(one)
            params.append(click.Option([flag, one.name], metavar=metavar, help=text, shell_complete=_words(one)))

    def run(**flags: Any) -> int:
        given = {one.name: flags.pop(one.name) for one in question.inputs}
        return _answer(ruleset, question.name, {key: v for key, v in given.items() if v is not None}, flags)

    params += how_flags(ruleset, editions)
    return _with_lang(QuestionCommand(ruleset, question, True, name=question.name, params=params, callback=run))


def _words(one: Input) -> Callable[..., list[str]]:
    return lambda context, parameter, begun: [word for word in one.kind.words if word.startswith(begun)]


def _with_lang(command: click.Command) -> click.Command:
    lang_option(command)
    return command


def _answer(ruleset: Ruleset, name: str, given: dict[str, Any], flags: dict[str, Any]) -> int:
    reply = _reply(ruleset, name, given, flags)
    if flags["as_json"]:
        sys.stdout.write(json.dumps(reply.to_dict()) + "\n")
    else:
        from tcsim.cli.ask_table import print_reply

        print_reply(ruleset, reply)
    if reply.partial:
        raise KeyboardInterrupt  # what was counted is printed; the exit status says that it is not all
    return 0


def _reply(ruleset: Ruleset, name: str, given: dict[str, Any], flags: dict[str, Any]) -> Reply:
    how = _how(flags)
    if how.method == "exact":
        return asking.ask(ruleset, name, given, flags["edition"], how)
    from tcsim.cli.terminal import progress

    with progress("rolling", how.trials or asking.USUAL_TRIALS) as advance:
        return asking.ask(ruleset, name, given, flags["edition"], how, advance)


def _how(flags: dict[str, Any]) -> How:
    for name in ("trials", "seed"):
        if flags["method"] == "exact" and flags[name] is not None:
            raise InputError("it goes with --method monte-carlo, an exact answer needs none", f"--{name}")
    return How(flags["method"], flags["trials"], flags["seed"])


class AskGroup(HelpfulGroup):
    """The questions of a ruleset as commands, each imported when it is called."""

    def __init__(self, ruleset: Ruleset, **more: Any) -> None:
        super().__init__(**more)
        self.ruleset = ruleset

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Name the questions in the order in which they are told."""
        return self.ruleset.names

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find a question, or say the nearest one."""
        if args and not args[0].startswith("-"):
            args = [self.ruleset.entry(args[0]).name, *args[1:]]
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Make the command of a question."""
        return question_command(self.ruleset, cmd_name) if cmd_name in self.ruleset.names else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the questions without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(entry.name, entry.title) for entry in self.ruleset.entries])


def ask_group(ruleset: Ruleset, name: str, examples: tuple[str, ...]) -> click.Group:
    """Make the group of commands that asks the questions of a ruleset.

    Parameters
    ----------
    ruleset : Ruleset
        The game.
    name : str
        The group's name.
    examples : tuple of str
        Command lines for its help.

    Returns
    -------
    click.Group
        The group.
    """

    def run(path: str | None, reference: bool, **flags: Any) -> int:
        context = click.get_current_context()
        if context.invoked_subcommand is not None:
            given = [
                key for key in ("path", "reference", "edition", "trials", "seed", "as_json") if context.params[key]
            ]
            if given or flags["method"] != "exact":
                raise InputError("what stands before a question goes with --csv or --reference, flags come after it")
            return 0
        if path is not None:
            if reference:
                raise InputError("--csv and --reference do not go together")
            return _batch(ruleset, path, flags)
        if reference:
            from tcsim.cli.terminal import say
            from tcsim.questions.reference import markdown

            say(markdown(ruleset).rstrip())
            return 0
        from tcsim.cli.ask_table import print_questions

        print_questions(ruleset)
        return 0

    csv_help = (
        "Ask a question per row: columns id, edition, system (its name), inputs (key=value;…); - is standard input."
    )
    params = [
        click.Option(["--csv", "path"], metavar="FILE", help=csv_help),
        click.Option(["--reference"], is_flag=True, help="Write all questions, inputs, answers and rules as Markdown."),
        *how_flags(ruleset, ruleset.editions),
    ]
    lines = "\n".join(f"  {line}" for line in examples)
    text = f"""Ask one of many questions: exact answers, or by rolling the dice.

    Without a question, list them; "{ruleset.command} NAME --help" tells what a question takes, answers and rests on.

    Exit status: 0 answered, 1 some rows of a table failed, 2 the input is wrong, 130 interrupted.
    """
    group = AskGroup(
        ruleset,
        name=name,
        params=params,
        callback=run,
        invoke_without_command=True,
        help=text,
        epilog=f"\b\nExamples:\n{lines}\n",
    )
    lang_option(group)
    return group


def _batch(ruleset: Ruleset, path: str, flags: dict[str, Any]) -> int:
    from tcsim.cli.terminal import say
    from tcsim.questions.batch import COLUMNS, ask_rows

    how, failed = _how(flags), False
    with _table(path) as stream:
        for number, row in enumerate(ask_rows(ruleset, stream, how, flags["edition"])):
            failed |= row.reply is None
            if flags["as_json"]:
                sys.stdout.write(json.dumps(row.to_dict()) + "\n")
            else:
                say(csv_text(COLUMNS, row.cells(), head=number == 0).removesuffix("\n"))
            if row.reply is not None and row.reply.partial:
                raise KeyboardInterrupt  # the rows until then are printed, the last one with what was counted
    return EXIT_LINE_FAILED if failed else 0


def _table(path: str) -> TextIO:
    """Open a table, or standard input."""
    if path == "-":
        if sys.stdin is None:
            raise InputError("standard input is closed", "--csv")
        return io.TextIOWrapper(sys.stdin.buffer, encoding="utf-8-sig", errors="surrogateescape", newline="")
    try:
        return open(path, encoding="utf-8-sig", errors="surrogateescape", newline="")
    except (OSError, ValueError) as error:
        raise InputError(f"{show(path, 200)} cannot be read: {because(error)}", "--csv") from None


ask = ask_group(
    ASK,
    "ask",
    (
        "tcsim ask",
        "tcsim ask charge move=6 distance=9",
        "tcsim ask morale action_dice=1 --edition 1.0.2 --json",
        "tcsim ask risky actions=3 --method monte-carlo",
    ),
)


def __getattr__(name: str) -> click.Command:
    """Make the short command of a question when it is looked up."""
    if any(entry.short and entry.name == name for entry in ASK.entries):
        return short_command(ASK, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
