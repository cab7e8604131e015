"""With what a kill-odds report was made."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tcsim.catalog import Catalog


@dataclass(frozen=True)
class Settings:
    """With what a kill-odds report was made: everything that repeats it, and nothing that changes from day to day.

    Parameters
    ----------
    edition : str
        Edition id.
    weapons : tuple of str
        Labels of the weapons, as asked for.
    blood : tuple of int
        Blood markers at the start.
    attacks : tuple of int
        Numbers of attacks.
    spend : str
        Policy for blood on injury rolls: none, all, bloodbath or greedy.
    trials : int
        Trials per rolled cell; 0 if none were rolled.
    seed : int
        Seed of the rolled cells.
    command : str
        The command line that makes this report again.
    version : str
        Version of tcsim.
    lang : str, optional
        Language of the page and of its figures: ``en`` or ``ko``.
    catalog : Catalog, optional
        Where names were looked up, if not in the edition's own catalogue.
    """

    edition: str
    weapons: tuple[str, ...]
    blood: tuple[int, ...]
    attacks: tuple[int, ...]
    spend: str
    trials: int
    seed: int
    command: str
    version: str
    lang: str = "en"
    catalog: Catalog | None = None
