"""The fingerprint of a catalogue: two answers with the same one were worked out from the same rows and rules."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from tcsim.catalog import Catalog
from tcsim.catalog.ability_rows import read_ability_rows

#: Fields that say how something is known.
_ORIGIN = frozenset({"source", "sources", "cited", "conflict", "reason"})


def fingerprint(rows: Catalog) -> str:
    """Give the SHA-256 of everything that a catalogue resolves to.

    Parameters
    ----------
    rows : Catalog
        Of one edition, with or without users' own rows.

    Returns
    -------
    str
        64 hexadecimal digits. Weapons, armour, units, abilities and the rules of the edition count; by which source or
        file they are known, and in which order rows stand, does not.

    Examples
    --------
    >>> from tcsim.catalog import catalog
    >>> fingerprint(catalog("1.6.3")) == fingerprint(catalog("1.0.2"))
    False
    """
    every: list[Any] = [row for found in rows.by_kind.values() for row in found]
    every += read_ability_rows(rows.edition)
    lines = sorted(_line(row) for row in every)
    return hashlib.sha256("\n".join([*lines, _line(rows.rules)]).encode()).hexdigest()


def _line(thing: Any) -> str:
    return json.dumps(_plain(thing), sort_keys=True, ensure_ascii=True)


def _plain(thing: Any) -> Any:
    """A value as JSON, whatever the order of its tables."""
    if is_dataclass(thing):
        told = {item.name: _plain(getattr(thing, item.name)) for item in fields(thing) if item.name not in _ORIGIN}
        return [type(thing).__name__, told]
    if isinstance(thing, Mapping):
        return {str(key): _plain(value) for key, value in thing.items()}
    return [_plain(one) for one in thing] if isinstance(thing, (list, tuple)) else thing
