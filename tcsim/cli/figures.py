"""The flag ``--plot`` of commands that draw what they answer."""

from __future__ import annotations

from typing import Any

import click

from tcsim.base.errors import InputError, show
from tcsim.base.files import check_writable, write_whole
from tcsim.cli.inputs import FileName


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
    return click.option("--plot", type=FileName(), metavar="FILE", help="Draw a figure, .png or .svg.")(command)


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
    write_whole(path, picture)


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
        When it ends in neither .png nor .svg, or no file can be written there.
    """
    if path is None:
        return
    if not path.lower().endswith((".png", ".svg")):
        raise InputError(f"{show(path, 200)} is given, a figure ends in .png or .svg", flag)
    check_writable(path, flag)
