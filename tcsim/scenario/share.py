"""A scenario as plain data and as a file: only what differs from what a scenario is anyway, so that it can be read."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec import NODEFAULT, structs

from tcsim.scenario.model import Scenario, Table


def plain(scenario: Scenario) -> dict[str, Any]:
    """Give a scenario as plain data, without what is as it would be anyway.

    Parameters
    ----------
    scenario : Scenario
        Well formed.

    Returns
    -------
    dict
        What :func:`tcsim.scenario.read.from_mapping` makes the same scenario of. The edition is always said, so that
        the question stays the same when another one becomes the default.

    Examples
    --------
    >>> from tcsim.scenario.read import from_mapping
    >>> plain(from_mapping({"target": {"blood": 2, "down": False}, "attacks": [{"cover": True, "distance": 14}]}))
    {'edition': '1.6.3', 'target': {'blood': 2}, 'attacks': [{'cover': True, 'distance': 14}]}
    """
    table = {**_changed(scenario), "edition": scenario.edition}
    return {name: table[name] for name in scenario.__struct_fields__ if name in table}


def _changed(table: Table) -> dict[str, Any]:
    """The fields of a table that are not at their defaults."""
    kept: dict[str, Any] = {}
    for field in structs.fields(table):
        value, usual = getattr(table, field.name), field.default
        if field.default_factory is not NODEFAULT:
            usual = field.default_factory()
        if usual is NODEFAULT or value != usual:
            kept[field.name] = _plain(value)
    return kept


def _plain(value: Any) -> Any:
    if isinstance(value, Table):
        return _changed(value)
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return dict(value)
    return int(value) if isinstance(value, float) and value.is_integer() else value


def as_toml(scenario: Scenario, head: Iterable[str] = ()) -> str:
    r"""Write a scenario as a file.

    Parameters
    ----------
    scenario : Scenario
        Well formed.
    head : iterable of str, optional
        Remarks that stand above it, a line each.

    Returns
    -------
    str
        TOML that :func:`tcsim.scenario.read.from_toml` makes the same scenario of.

    Examples
    --------
    >>> from tcsim.scenario.read import from_mapping
    >>> print(as_toml(from_mapping({"target": {"blood": 2}, "attacks": [{"weapon": "Machine Gun"}]})), end="")
    edition = "1.6.3"
    attacks = [
      { weapon = "Machine Gun" },
    ]
    <BLANKLINE>
    [target]
    blood = 2
    """
    import tomli_w

    remarks = [f"# {_remark(line)}\n" for text in head for line in text.split("\n")]
    return "".join(remarks) + tomli_w.dumps(plain(scenario), indent=2)


def _remark(line: str) -> str:
    """A line as a remark can hold it: no control characters but tabs."""
    return "".join("?" if (c < " " and c != "\t") or c == "\x7f" else c for c in line)
