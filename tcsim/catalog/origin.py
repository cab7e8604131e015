"""Where rows, keywords and readings of a catalogue come from that are not those of the books."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from tcsim.rules import Edition


class File(NamedTuple):
    """A user's own catalogue: its name without folders, SHA-256 of its bytes in hex, and the editions it is for."""

    name: str
    sha256: str
    editions: tuple[str, ...]

    @property
    def mark(self) -> dict[str, str]:
        """What answers say of it: its name and the first 12 digits of its SHA-256."""
        return {"file": self.name, "sha256": self.sha256[:12]}

    def __str__(self) -> str:
        return f"{self.name} (SHA-256 {self.sha256[:12]})"


class Place(NamedTuple):
    """A line of a user's own catalogue."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}"


@dataclass(frozen=True)
class Own:
    """What users' own catalogues make of an edition.

    Parameters
    ----------
    rules : Edition
        The edition with their keywords, and their readings of the options as defaults.
    files : tuple of File
        In the order in which they were given.
    places : mapping
        Kind (``weapon``, ``armour``, ``unit``, ``keyword``, ``option``) and id or name to where it stands.
    """

    rules: Edition
    files: tuple[File, ...]
    places: Mapping[tuple[str, str], Place]
