"""Named mixes of targets: who a weapon will meet, counted in the starting warbands of an edition."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from tcsim.analysis.compare.targets import Target, read_targets
from tcsim.base.errors import InputError, one_line, show, unknown
from tcsim.catalog import Catalog, shipped_warbands
from tcsim.catalog.kit import kits_of
from tcsim.rules import DEFAULT_EDITION
from tcsim.rules import edition as load_edition

#: The mix that weapons and loadouts are judged against where nothing is said: the models of the starting warbands.
USUAL = "warbands"


@dataclass(frozen=True)
class Mix:
    """Targets with weights, and why just these.

    Parameters
    ----------
    name : str
        As in ``--mix``, or the name of a file.
    targets : tuple of Target
        At least one.
    why : str
        The reason, a sentence's worth; empty for a file without one.
    """

    name: str
    targets: tuple[Target, ...]
    why: str


@cache
def mixes() -> dict[str, dict[str, Any]]:
    """Give the mixes that tcsim ships, as they are written.

    Returns
    -------
    dict
        Name to ``by``, ``elite`` and ``why``; ``mixes.toml`` tells what they mean.

    Examples
    --------
    >>> list(mixes())
    ['steps', 'warbands', 'infantry', 'elites', 'units']
    """
    import tomllib

    return tomllib.loads((files("tcsim.analysis.compare") / "mixes.toml").read_text(encoding="utf-8"))


def read_mix(name: str, edition: str = DEFAULT_EDITION, catalog: Catalog | None = None) -> Mix:
    """Read a mix: one that is shipped, or a file of one's own.

    Parameters
    ----------
    name : str
        As :func:`mixes` names them; or a path that ends with ``.toml`` or ``.json``, to ``[[target]]`` tables as
        :func:`read_targets` takes them, and perhaps ``why``.
    edition : str, optional
        Edition id: its starting warbands are counted.
    catalog : Catalog, optional
        Where the names of a file are looked up.

    Returns
    -------
    Mix
        Its weights are numbers of models.

    Raises
    ------
    InputError
        When there is none of this name, or the file is wrong.

    Examples
    --------
    >>> [(one.name, one.weight) for one in read_mix("elites").targets][:3]
    [('no armour', 1.0), ('-1', 9.0), ('-1, TOUGH', 3.0)]
    """
    if not isinstance(name, str):
        raise InputError(f"{show(name)} is given, the name of a mix or of a file is allowed", "mix")
    if name.casefold().endswith((".toml", ".json")):
        from tcsim.base.files import parse_file

        data = parse_file(name)
        if not isinstance(data, dict) or set(data) - {"target", "why"} or not isinstance(data.get("target"), list):
            raise InputError("a mix has [[target]] tables, and perhaps why; nothing else", show(name))
        why = data.get("why", "")
        if not isinstance(why, str):
            raise InputError(f"{show(why)} is given, text is allowed", "why")
        return Mix(name, read_targets(data["target"], edition, catalog, "target"), one_line(why, 300))
    if name not in mixes():
        raise unknown("mix", name, mixes(), "mix")
    given = mixes()[name]
    return Mix(name, _counted(load_edition(edition).id, given["by"], given.get("elite")), given["why"])


def whom(targets: Any, mix: str | Mix | None, rows: Catalog, usual: str) -> tuple[tuple[Target, ...], Mix | None]:
    """Read whom loadouts meet: targets, or a mix of them.

    Parameters
    ----------
    targets : str, int, mapping, Target, or iterable of these, or None
        As :func:`read_targets` takes them.
    mix : str, Mix or None
        As :func:`read_mix` takes it.
    rows : Catalog
        Where names are looked up; its edition's warbands are counted.
    usual : str
        The mix where neither is given.

    Returns
    -------
    tuple of Target, Mix or None
        The targets, and the mix they are.

    Raises
    ------
    InputError
        When both are given, or what is given is wrong.
    """
    if targets is not None:
        if mix is not None:
            raise InputError("targets and a mix are given; give one of the two", "mix")
        return read_targets(targets, rows.edition, rows), None
    read = mix if isinstance(mix, Mix) else read_mix(usual if mix is None else mix, rows.edition, rows)
    return read.targets, read


@cache
def _counted(edition: str, by: str, elite: bool | None) -> tuple[Target, ...]:
    """Count the models of the shipped starting warbands of an edition."""
    if by == "steps":
        return read_targets([0, -1, -2, -3], edition)
    from tcsim.analysis.matchup import model_of

    kits = [kit for warband in shipped_warbands(edition) for kit in kits_of(warband)]
    numbers: Counter[tuple[Any, ...]] = Counter()
    tables: dict[tuple[Any, ...], dict[str, Any]] = {}
    for kit in kits:
        if elite not in (None, "ELITE" in kit.keywords):
            continue
        table = model_of(kit)
        key: tuple[Any, ...] = (repr(table),)
        if by == "armour":
            tough = any(word.partition(" ")[0] == "TOUGH" for word in kit.keywords)
            table = {"injury_modifier": kit.armour_modifier} | ({"tough": True} if tough else {})
            key = (-kit.armour_modifier, tough)
        numbers[key] += kit.model.count
        tables[key] = {name: value for name, value in table.items() if value != []}
    order = sorted(numbers) if by == "armour" else list(numbers)
    return read_targets([{**tables[key], "weight": numbers[key]} for key in order], edition)
