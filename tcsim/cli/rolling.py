"""The flags of commands that roll only when they are asked to, or must."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any

import click

from tcsim.cli.figures import write_plot
from tcsim.cli.inputs import FileName, WholeNumber, edition_option, read_option, rules_option


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
    threads = click.option(
        "--threads", type=WholeNumber(1, 1024), default=None, help="Threads; default one per processor."
    )
    seed = click.option("--seed", type=WholeNumber(0, 2**64 - 1), default=1, help="Seed of the dice; default 1.")
    trials = click.option(
        "--trials", type=WholeNumber(1, 10**10), default=100_000, help="How many times to play it; default 1e5."
    )
    method = click.option(
        "--method",
        type=click.Choice(["exact", "monte-carlo"]),
        default="exact",
        help="Exact (default; rolled where that is too much), or roll the dice.",
    )
    return method(trials(seed(threads(command))))


def file_argument(command: Any) -> Any:
    """Give a command its FILE, ``--demo``, and what is laid over the file: ``--edition``, ``--option``.

    Parameters
    ----------
    command : callable
        The command.

    Returns
    -------
    callable
        The command with all of them.
    """
    demo = click.option("--demo", is_flag=True, help="Write an example to FILE first, if there is no such file.")
    file = click.argument("file", metavar="FILE.toml|.json", type=FileName())
    return file(demo(edition_option(rules_option(command))))


def given_file(path: str, demo: str | None, flags: dict[str, Any]) -> Any:
    """Read the file that is given, and lay flags over it.

    Parameters
    ----------
    path : str
        Its name, which ends in .toml or .json.
    demo : str or None
        Name of the example that is written to it first, where there is no such file.
    flags : dict
        ``edition`` and ``options``, as :func:`file_argument` gives them.

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
    from tcsim.base.files import check_writable, parse_file, write_whole

    if demo is not None and not Path(path).exists():
        if not path.lower().endswith(".toml"):
            raise InputError(f"{show(path, 200)} is given, an example is written to a file that ends in .toml")
        check_writable(path)
        write_whole(path, (files("tcsim.skirmish") / "data" / demo).read_bytes())
    try:
        data = parse_file(path)
    except InputError as error:
        if Path(path).exists() or not path.lower().endswith(".toml"):
            raise
        raise InputError(f"{error}; --demo writes an example there") from None
    if not isinstance(data, dict):
        return data
    if flags["edition"] is not None:
        data["edition"] = flags["edition"]
    options = dict(read_option(text) for text in flags["options"])
    if options and isinstance(data.get("options", {}), dict):
        data["options"] = data.get("options", {}) | options
    return data


def deliver(found: Any, flags: dict[str, Any], table: Callable[[Any], None], figure: str, partial: bool) -> int:
    """Print an answer, draw it if asked to, and let the exit status say whether all of it was counted.

    Parameters
    ----------
    found : FirefightResult or TurnResult
        The answer.
    flags : dict
        ``as_json`` and ``plot``.
    table : callable
        Prints it for the gaming table.
    figure : str
        The function of :mod:`tcsim.plots.figures.skirmish` that draws it.
    partial : bool
        Ctrl-C has stopped it.

    Returns
    -------
    int
        Exit status 0.

    Raises
    ------
    KeyboardInterrupt
        Where it is partial, once all is printed.
    """
    if flags["as_json"]:
        sys.stdout.write(json.dumps(found.to_dict()) + "\n")
    else:
        table(found)
    if flags["plot"]:
        from tcsim.plots.figures import skirmish

        write_plot(flags["plot"], getattr(skirmish, figure)(found))
    if partial:
        raise KeyboardInterrupt
    return 0
