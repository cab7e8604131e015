"""The flags of commands that roll only when they are asked to, or must."""

from __future__ import annotations

from typing import Any

import click

from tcsim.cli.inputs import WholeNumber


def rolling_options(command: Any) -> Any:
    """Give a command ``--method``, ``--trials``, ``--seed`` and ``--threads``.

    Parameters
    ----------
    command : callable
        The command.

    Returns
    -------
    callable
        The command with the flags; ``method`` is ``exact`` or ``monte-carlo``.
    """
    threads = click.option("--threads", type=WholeNumber(1, 1024), default=None, help="Most threads; default all.")
    seed = click.option("--seed", type=WholeNumber(0, 2**64 - 1), default=1, help="Seed of the dice; default 1.")
    trials = click.option("--trials", type=WholeNumber(1, 10**10), default=100_000, help="How often; default 1e5.")
    method = click.option(
        "--method",
        type=click.Choice(["exact", "monte-carlo"]),
        default="exact",
        help="Exact (default; rolled where that is too much), or roll the dice.",
    )
    return method(trials(seed(threads(command))))


def file_argument(command: Any) -> Any:
    """Give a command its FILE, and ``--demo``.

    Parameters
    ----------
    command : callable
        The command.

    Returns
    -------
    callable
        The command with both.
    """
    demo = click.option("--demo", is_flag=True, help="Write an example to FILE first, if there is no such file.")
    return click.argument("file", metavar="FILE", type=click.Path())(demo(command))


def given_file(path: str, demo: str | None) -> Any:
    """Read the file that is given.

    Parameters
    ----------
    path : str
        Its name, which ends in .toml or .json.
    demo : str or None
        Name of the example that is written to it first, where there is no such file.

    Returns
    -------
    Any
        Plain data.

    Raises
    ------
    InputError
        When it cannot be read, or is not TOML or JSON.
    """
    from importlib.resources import files
    from pathlib import Path

    from tcsim.base.errors import InputError, show
    from tcsim.scenario.read import parse_file

    if demo is not None and not Path(path).exists():
        if not path.lower().endswith(".toml"):
            raise InputError(f"{show(path, 200)} is given, an example is written to a file that ends in .toml")
        text = (files("tcsim.skirmish") / "data" / demo).read_text(encoding="utf-8")
        Path(path).write_text(text, encoding="utf-8")
    return parse_file(path)
