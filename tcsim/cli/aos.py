"""``tcsim aos``: the questions of Age of Sigmar."""

from __future__ import annotations

import click

from tcsim.aos import AOS
from tcsim.aos.editions import EDITIONS
from tcsim.base.lang import tr
from tcsim.cli import HelpfulGroup, lang_option
from tcsim.cli.aos_budget import budget
from tcsim.cli.ask import ask_group


@click.group(
    "aos",
    cls=HelpfulGroup,
    help="""Age of Sigmar: hero phase of the third edition, commands and end of turn of the fourth.

    Exit status: 0 answered, 1 some rows of a table failed, 2 the input is wrong, 130 interrupted.
    """,
    epilog="""\b
Examples:
  tcsim aos list
  tcsim aos ask unbind cv=7 --edition 3e
  tcsim aos budget budget.toml --demo --edition 4e
""",
)
def aos() -> None:
    """Find the subcommand and run it."""


aos.add_command(
    ask_group(
        AOS,
        "ask",
        (
            "tcsim aos ask",
            "tcsim aos ask unbind cv=7 --edition 3e",
            "tcsim aos ask charge need=9 --edition 4e --json",
            "tcsim aos ask rally slain=5 --edition 3e --method monte-carlo",
        ),
    )
)


aos.add_command(budget)


@aos.command("list", epilog="\b\nExample:\n  tcsim aos list\n")
@lang_option
def list_questions() -> int:
    """List the questions, and the editions in which they can be asked."""
    from tcsim.cli.ask_table import print_questions
    from tcsim.cli.terminal import say, table

    print_questions(AOS)
    say()
    table((tr("edition"), ""), [[one.id, tr(one.title)] for one in EDITIONS], "lw")
    return 0
