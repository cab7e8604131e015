"""The attacker of a scenario as numbers: its dice, and what it ignores."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tcsim.rules import Edition
from tcsim.scenario import model
from tcsim.scenario.bearer import Bearer, Rule, resolve_bearer
from tcsim.scenario.notes import note_keywords

if TYPE_CHECKING:
    from tcsim.catalog import Catalog


@dataclass(frozen=True)
class Attacker:
    """The attacker as resolved.

    ``dice`` by kind of attack, None where it cannot make one; ``height``: inches that it counts as higher.
    """

    id: str
    name: str
    dice: dict[str, int | None]
    ignores: dict[str, str]
    fearless: bool
    down: bool
    blood: int = 0
    height: int = 0
    words: frozenset[str] = frozenset()
    rules: tuple[Rule, ...] = ()
    for_enemies: tuple[Rule, ...] = ()

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
    """Settle the attacker's unit, keywords and special rules.

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
    bearer = resolve_bearer(given, "attacker", rules, notes, rows)
    note_keywords(notes, bearer.given, lambda word: word.ignores or "FEAR" in word.negates.split())
    words = [word for word, _ in bearer.words.values()]
    return Attacker(
        id=bearer.unit.id if bearer.unit is not None else "",
        name=bearer.name,
        dice=_dice(bearer),
        ignores={situation: word.name for word in words for situation in word.ignores.split()},
        fearless=any("FEAR" in word.negates.split() for word in words),
        down=given.down,
        blood=given.blood,
        height=sum(bearer.numbers("height")),
        words=frozenset(bearer.words),
        rules=bearer.rules,
        for_enemies=bearer.for_enemies,
    )


def _dice(bearer: Bearer) -> dict[str, int | None]:
    if bearer.unit is None:
        dice: dict[str, int | None] = {"ranged": 0, "melee": 0}
    else:
        dice = {"ranged": bearer.unit.ranged_dice, "melee": bearer.unit.melee_dice}
    for kind, number in dice.items():
        if number is not None:
            dice[kind] = number + sum(bearer.numbers(f"{kind}_dice"))
    return dice
