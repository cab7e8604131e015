"""The attacker of a scenario as numbers: its dice, and what it ignores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tcsim.rules import Edition
from tcsim.scenario import model
from tcsim.scenario.notes import note_keywords, note_row
from tcsim.scenario.target import open_catalog, unique_keywords

if TYPE_CHECKING:
    from tcsim.catalog import Catalog


@dataclass(frozen=True)
class Attacker:
    """The attacker as resolved; ``dice`` by kind of attack, None where it cannot make one."""

    name: str
    dice: dict[str, int | None]
    ignores: dict[str, str]
    fearless: bool
    down: bool

    def characteristic(self, which: str) -> int | None:
        """Give the DICE of a characteristic.

        Parameters
        ----------
        which : str
            ``ranged``, ``melee``, ``none`` for a plain roll, or ``best`` for the better of the two.

        Returns
        -------
        int or None
            DICE; None where the attacker has no such characteristic.
        """
        if which == "none":
            return 0
        if which == "best":
            return max((dice for dice in self.dice.values() if dice is not None), default=None)
        return self.dice[which]


def resolve_attacker(given: model.Attacker, rules: Edition, notes: list[str], rows: Catalog | None = None) -> Attacker:
    """Settle the attacker's unit and keywords.

    Parameters
    ----------
    given : model.Attacker
        As read.
    rules : Edition
        The edition.
    notes : list of str
        Grows by what is not counted.
    rows : Catalog, optional
        Where names are looked up; default: the edition's own catalogue.

    Returns
    -------
    Attacker
        Its dice, and what it ignores.

    Raises
    ------
    InputError
        For names that do not exist.
    """
    keywords = unique_keywords(given.keywords, rules, "model", "attacker.keywords")
    given_words = [word for word, _ in keywords.values()]
    words = {word.name: word for word in given_words}
    name = ""
    dice: dict[str, int | None] = {"ranged": 0, "melee": 0}
    if given.unit is not None:
        unit = open_catalog(rows, rules).unit(given.unit, "attacker.unit")
        name, dice = unit.name, {"ranged": unit.ranged_dice, "melee": unit.melee_dice}
        for text in unit.keywords:
            word, _ = rules.keyword(text, "model", unit.id)
            words.setdefault(word.name, word)
        note_row(notes, unit)
    note_keywords(notes, given_words, lambda word: word.ignores or "FEAR" in word.negates.split())
    return Attacker(
        name=name,
        dice=dice,
        ignores={situation: word.name for word in words.values() for situation in word.ignores.split()},
        fearless=any("FEAR" in word.negates.split() for word in words.values()),
        down=given.down,
    )
