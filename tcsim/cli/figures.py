"""The flag ``--plot`` of commands that draw what they answer."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from tcsim.base.errors import InputError, show


def plot_option(command: Any) -> Any:
    """Give a command ``--plot``.

    Parameters
    ----------
    command : callable
        The command.

    Returns
    -------
    callable
        The command with the flag.
    """
    return click.option("--plot", type=click.Path(), metavar="FILE", help="Draw a figure, .png or .svg.")(command)


def write_plot(path: str, axes: Any) -> None:
    """Write a figure.

    Parameters
    ----------
    path : str
        Where to; its name ends in .png or .svg.
    axes : array of Axes
        As a figure function returns them.
    """
    from tcsim.plots import page

    picture = page.svg(axes) if path.lower().endswith(".svg") else page.png(axes)
    Path(path).write_bytes(picture)


def check_plot(path: str | None, flag: str = "--plot") -> None:
    """Look at a name that a figure is to be written to, before anything is worked out.

    Parameters
    ----------
    path : str or None
        The name.
    flag : str, optional
        Where it was given.

    Raises
    ------
    InputError
        When it ends in neither .png nor .svg.
    """
    if path is not None and not path.lower().endswith((".png", ".svg")):
        raise InputError(f"{show(path, 200)} is given, a figure ends in .png or .svg", flag)
