"""What turns attacks into a fight, as data (``rules.toml``): the options that only a duel has."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from tcsim.base.errors import InputError, did_you_mean, show, unknown
from tcsim.rules import Edition, Option


@cache
def _data() -> dict[str, Any]:
    import tomllib

    data = tomllib.loads((files("tcsim.duels") / "rules.toml").read_text(encoding="utf-8"))
    return data


@cache
def duel_options(edition: str) -> dict[str, Option]:
    """Give the options that only a duel has.

    Parameters
    ----------
    edition : str
        Edition id.

    Returns
    -------
    dict
        Name to option, with the edition's default, its source and reason.

    Examples
    --------
    >>> duel_options("1.6.3")["stand_at"].default, duel_options("1.0.2")["stand_at"].default
    ('turn', 'activation')
    """
    return {
        name: Option(name, kind["decides"], kind["values"], **_data()[edition]["options"][name])
        for name, kind in _data()["options"].items()
    }


def contact_in() -> float:
    """Give the inches within which a model comes by a charge only.

    Returns
    -------
    float
        Inches.
    """
    return float(_data()["contact"]["inches"])


def read_options(given: Mapping[str, Any], rules: Edition) -> tuple[dict[str, str], dict[str, Any]]:
    """Split options into those of a duel, which are settled, and those of its scenarios.

    Parameters
    ----------
    given : mapping
        Option name to reading.
    rules : Edition
        The edition.

    Returns
    -------
    dict, dict
        Every option of the duel with its reading; the others as they are.

    Raises
    ------
    InputError
        For an option or a reading that does not exist.

    Examples
    --------
    >>> from tcsim.rules import edition
    >>> read_options({"stand_up": "risky", "bloodbath": "add"}, edition("1.0.2"))[0]["stand_up"]
    'risky'
    """
    own = duel_options(rules.id)
    settled = {name: str(option.default) for name, option in own.items()}
    others = {}
    for name, value in given.items():
        if name in own:
            values = own[name].values
            if not isinstance(value, str) or value not in values:
                hint = did_you_mean(value, map(str, values)) if isinstance(value, str) else ""
                allowed = " or ".join(map(str, values))
                raise InputError(f"{show(value)} is given, {allowed} is allowed{hint}", f"options.{name}")
            settled[name] = value
        elif name in rules.options:
            others[name] = value
        else:
            raise unknown("option", str(name), [*own, *rules.options], "options")
    return settled, others
