"""The manifest of a sweep: what it was asked, which parts it has, and a seal that tells whether it was changed."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from tcsim.base.errors import InputError

#: The form of the manifest.
FORMAT = 2


def written_manifest(manifest: dict[str, Any]) -> bytes:
    """Write a manifest, sealed.

    Parameters
    ----------
    manifest : dict
        What the sweep is.

    Returns
    -------
    bytes
        JSON, in ASCII: the name of a file need not be text.
    """
    return (json.dumps(manifest | {"sha256": _seal(manifest)}, indent=1) + "\n").encode()


def read_manifest(content: bytes, name: str) -> dict[str, Any]:
    """Read a manifest.

    Parameters
    ----------
    content : bytes
        As it was written.
    name : str
        How it is called, for errors.

    Returns
    -------
    dict
        What the sweep is.

    Raises
    ------
    InputError
        When it is no manifest, of another form, or not as it was written.
    """
    try:
        found = json.loads(content)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict):
        raise InputError(f"{name} cannot be read as the manifest of a sweep; begin a new one in another folder")
    seal = found.pop("sha256", None)
    if found.get("format") != FORMAT:
        raise InputError(f"{name} was not written by this version of tcsim, or is in another form")
    if seal != _seal(found) or found["parts"] != part_names(len(found["parts"]), found["kind"]):
        raise InputError(f"{name} was changed since it was written, so that its parts may be of another sweep")
    return found


def part_names(count: int, kind: str) -> list[str]:
    """Give the names of the parts of a sweep.

    Parameters
    ----------
    count : int
        How many they are.
    kind : str
        ``parquet`` or ``csv``.

    Returns
    -------
    list of str
        As ``parts/part-00000.parquet``.
    """
    return [f"parts/part-{number:05}.{kind}" for number in range(count)]


def _seal(manifest: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(manifest, sort_keys=True).encode()).hexdigest()
