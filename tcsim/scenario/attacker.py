"""The attacker of a scenario as numbers: its dice, and what it ignores."""

from __future__ import annotations

import re
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

    ``dice`` by kind of attack, None where it cannot make one; ``height``: inches that it counts as higher; ``move``:
    its Movement in inches, None where no row says it; ``charge_die``: the die of its charge, and why; ``beside``: its
    rules that count in no attack.
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
    move: int | None = None
    charge_die: tuple[str, str] = ("d6", "")
    beside: tuple[Rule, ...] = ()

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

    def doing(self, action: str) -> list[tuple[str, int]]:
        """Give the DICE that its rules give to an action that is no attack.

        Parameters
        ----------
        action : str
            As ``dash``, ``climb``, ``jump`` or ``diving_charge``.

        Returns
        -------
        list of (str, int)
            What says so, and the DICE.
        """
        found = []
        for name, effect in self.beside:
            asked = [(condition.name, condition.turned) for condition in effect.conditions]
            gives = effect.target == "action_dice" and effect.number and asked == [("doing", False)]
            if gives and action in effect.conditions[0].words:
                found.append((f"{name}: {effect.text}", effect.number or 0))
        return found

    def says(self, target: str) -> dict[str, str]:
        """Give what its rules that hold always say of one thing beside attacks.

        Parameters
        ----------
        target : str
            As ``movement`` or ``standing``.

        Returns
        -------
        dict
            What they say, as ``no_dash``, and whose rule it is.
        """
        plain = [rule for rule in self.beside if not rule.effect.conditions and rule.effect.target == target]
        return {effect.value: name for name, effect in plain}


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
        move=_move(bearer),
        beside=bearer.beside,
        charge_die=_charge_die(bearer, rules),
    )


def _move(bearer: Bearer) -> int | None:
    """Its Movement: its row's, or what a rule puts in its place, and what others add."""
    move = bearer.unit.movement_in if bearer.unit is not None else None
    rules = [rule.effect for rule in bearer.beside if rule.effect.target == "movement" and not rule.effect.conditions]
    numbers = [effect.value for effect in rules if re.fullmatch(r"[+-]?\d+", effect.value)]
    if move is None:
        return None
    move = max([move, *(int(number) for number in numbers if number.isdigit())])
    return move + sum(int(number) for number in numbers if not number.isdigit())


#: The die of a charge as rules write it, and as a scenario does.
_DICE = {"2D6": "2d6kh1", "D6": "d6", "D3": "d3"}


def _charge_die(bearer: Bearer, rules: Edition) -> tuple[str, str]:
    """The die of its charge, and what says so: HEAVY takes it away, Machine Armour makes it a D3, others name one."""
    if "HEAVY" in bearer.words and not ("STRONG" in bearer.words and rules.activation["strong_ignores_heavy"]):
        return "none", "HEAVY"
    machine = [armour.name for armour in bearer.worn if armour.machine]
    for name, effect in bearer.beside:
        if effect.target != "charge_dice" or effect.conditions:
            continue
        if effect.value == "2D6" and machine:
            return "2d3kh1", f"{machine[0]}; {name}: {effect.text}"
        if effect.value in _DICE:
            return _DICE[effect.value], f"{name}: {effect.text}"
    return ("d3", machine[0]) if machine else ("d6", "")


def _dice(bearer: Bearer) -> dict[str, int | None]:
    if bearer.unit is None:
        dice: dict[str, int | None] = {"ranged": 0, "melee": 0}
    else:
        dice = {"ranged": bearer.unit.ranged_dice, "melee": bearer.unit.melee_dice}
    for kind, number in dice.items():
        if number is not None:
            dice[kind] = number + sum(bearer.numbers(f"{kind}_dice"))
    return dice
