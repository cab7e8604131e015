"""The numbers of ``fights.toml``: what an edition says about dice around a fight."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any


@cache
def fights() -> Mapping[str, Mapping[str, Mapping[str, Any]]]:
    """Read the numbers.

    Returns
    -------
    mapping
        Edition, then what it is about, then its numbers and ``source``.

    Examples
    --------
    >>> fights()["1.6.3"]["melee_shot"]["friend_to"]
    3
    """
    import tomllib

    return tomllib.loads((files("tcsim.situations") / "fights.toml").read_text(encoding="utf-8"))


def sources(about: str) -> dict[str, str]:
    """Say where a matter stands in each edition.

    Parameters
    ----------
    about : str
        As ``fall``.

    Returns
    -------
    dict of str to str
        Edition to source.
    """
    return {edition: tables[about]["source"] for edition, tables in fights().items() if about in tables}
