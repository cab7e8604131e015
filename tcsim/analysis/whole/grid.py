"""Pairs of weapon and protection, resolved: which problem each comes to. Pairs that do the same are resolved once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tcsim.analysis.kill_odds import MOST_CARRIED
from tcsim.base.errors import InputError
from tcsim.catalog import Armour, Catalog, Weapon
from tcsim.scenario.problem import Problem
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import resolve

#: Whether the target is TOUGH.
TOUGH = (False, True)

#: What a model wears: at most one body armour or other piece, and a shield.
Worn = tuple[Armour, ...]

#: Fields of a row that no roll depends on.
_NAMES = {"id", "edition", "name", "prices", "third_party", "sources", "conflict", "unmodelled", "asks", "factions"}
_NAMES |= {"profile", "limit", "besides"}

#: How sentences begin that say an answer is not the whole one, or what they contain.
_SHORT_OF = ("Not counted", "can only be used against")


class Remark(NamedTuple):
    """What there is to say about a row; ``counted``: it is no more than an assumption."""

    edition: str
    row: str
    id: str
    name: str
    remark: str
    counted: bool


class LeftOut(NamedTuple):
    """A pair that has no cells, and why."""

    edition: str
    weapon_id: str
    armour_id: str
    shield_id: str
    why: str


def may_be_worn(rows: Catalog) -> list[Worn]:
    """Give what an ordinary model may wear: nothing, one piece, or body armour and a shield.

    Parameters
    ----------
    rows : Catalog
        Whose armour.

    Returns
    -------
    list of tuple of Armour
        Nothing first; a helmet or the like stands alone, as it adds its rules to any other armour.

    Examples
    --------
    >>> from tcsim.catalog import catalog
    >>> len(may_be_worn(catalog("1.6.3")))
    91
    """
    pieces = rows.armour_rows
    bodies = [one for one in pieces if one.slot == "body"]
    shields = [one for one in pieces if one.slot == "shield"]
    both = [(body, shield) for body in bodies for shield in shields if _go_together(body, shield)]
    return [(), *((one,) for one in pieces), *both]


def pieces_of(worn: Sequence[Worn]) -> list[Armour]:
    """Give every piece of armour once.

    Parameters
    ----------
    worn : sequence of tuple of Armour
        What is worn together.

    Returns
    -------
    list of Armour
        In the order in which they come.
    """
    seen = {piece.id: piece for pieces in worn for piece in pieces}
    return list(seen.values())


def _go_together(body: Armour, shield: Armour) -> bool:
    """Whether a shield may be carried with a body armour (as the scenario reads it)."""
    return body.stacks_with_shield or not shield.injury_modifier


def ids_of(pieces: Worn) -> tuple[str, str]:
    """Give the ids of what is worn.

    Parameters
    ----------
    pieces : tuple of Armour
        At most one that is no shield, and a shield.

    Returns
    -------
    armour_id, shield_id : str
        Empty where there is none; several pieces that are no shields are joined by ``+``.
    """
    armour = "+".join(piece.id for piece in pieces if piece.slot != "shield")
    return armour, "+".join(piece.id for piece in pieces if piece.slot == "shield")


@dataclass(frozen=True)
class Part:
    """One edition: which problem (-1: none) each weapon comes to against each protection, and the modifier there."""

    rows: Catalog
    weapons: tuple[Weapon, ...]
    worn: tuple[Worn, ...]
    which: NDArray[np.int64]
    modifier: NDArray[np.int64]
    remarks: list[Remark]

    def short(self, row: str) -> set[str]:
        """Ids of the rows of one kind of which something is not counted."""
        return {one.id for one in self.remarks if one.row == row and not one.counted}


class Grid:
    """Resolves pairs of weapon and protection, and numbers the problems that differ."""

    def __init__(self, spend: str, times: int) -> None:
        self._spend, self._times = spend, times
        #: Problem to its number.
        self.numbers: dict[Problem, int] = {}
        self.left_out: list[LeftOut] = []

    def part(
        self,
        rows: Catalog,
        weapons: Sequence[Weapon],
        worn: Sequence[Worn],
        progress: Callable[[int], None] | None,
    ) -> Part:
        """Resolve the pairs of one edition."""
        shape = (len(weapons), len(worn), len(TOUGH))
        which, modifier = np.full(shape, -1, dtype=np.int64), np.zeros(shape[:2], dtype=np.int64)
        named = {effect.text for piece in rows.armour_rows for effect in piece.effects if "weapon(" in effect.text}
        labels = {piece.name for piece in rows.armour_rows}
        kinds = [tuple(_meaning(piece) for piece in pieces) for pieces in worn]
        known: dict[Any, tuple[NDArray[np.int64], int, str]] = {}
        remarks = list(_armour_remarks(rows, worn))
        for i, weapon in enumerate(weapons):
            its = weapon.id if named or weapon.label in labels else ""
            key = (its, _meaning(weapon))
            remarks += self.remarks(rows, weapon)
            bare = self._resolved(rows, weapon, (), False)
            for j, pieces in enumerate(worn):
                pair = (key, kinds[j])
                if pair not in known:
                    known[pair] = self._pair(rows, weapon, pieces, bare)
                which[i, j], modifier[i, j], why = known[pair]
                if why:
                    self.left_out.append(LeftOut(rows.edition, weapon.id, *ids_of(pieces), why))
            if progress is not None:
                progress(1)
        return Part(rows, tuple(weapons), tuple(worn), which, modifier, remarks)

    def _pair(
        self, rows: Catalog, weapon: Weapon, pieces: Worn, bare: Problem | str
    ) -> tuple[NDArray[np.int64], int, str]:
        """The numbers of a pair's problems, ordinary and TOUGH; what the armour takes off; why there is none."""
        plain = self._resolved(rows, weapon, pieces, False)
        tough = self._resolved(rows, weapon, pieces, True) if _asks_tough(weapon, *pieces) else plain
        if isinstance(plain, str) or isinstance(tough, str) or isinstance(bare, str):
            why = next(one for one in (plain, tough, bare) if isinstance(one, str))
            return np.full(len(TOUGH), -1), 0, why
        numbers = []
        for problem in (plain, tough):
            usual = started(problem, 0, False)
            numbers.append(self.numbers.setdefault(usual, len(self.numbers)))
        return np.array(numbers), plain.steps[0].injury_modifier - bare.steps[0].injury_modifier, ""

    def _resolved(self, rows: Catalog, weapon: Weapon, pieces: Worn, tough: bool) -> Problem | str:
        """A pair's problem, or why it cannot be asked."""
        try:
            return resolve(
                from_mapping(question(rows, weapon, pieces, 0, tough, self._times, self._spend)), rows
            ).problem
        except InputError as error:
            return str(error)

    def remarks(self, rows: Catalog, weapon: Weapon) -> Iterator[Remark]:
        """Say what is assumed of a weapon, or left out; nothing of one that cannot be asked."""
        try:
            asked = resolve(from_mapping(question(rows, weapon, (), 0, False, self._times, "none")), rows)
        except InputError:
            return
        for sentence in asked.notes:
            counted = not any(words in sentence for words in _SHORT_OF)
            yield Remark(rows.edition, "weapon", weapon.id, weapon.label, sentence, counted)
        if weapon.besides:  # what is rolled against its own bearer is no attack on the target
            yield Remark(
                rows.edition, "weapon", weapon.id, weapon.label, f"{weapon.besides}.", weapon.profile != "self"
            )
        for assumed in asked.assumed:
            yield Remark(rows.edition, "weapon", weapon.id, weapon.label, f"Assumed: {assumed}.", True)


def question(
    rows: Catalog, weapon: Weapon, worn: Worn, blood: int, tough: bool, attacks: int, spend: str = "greedy"
) -> dict[str, Any]:
    """Write one cell as a scenario.

    Parameters
    ----------
    rows : Catalog
        The edition.
    weapon : Weapon
        What attacks.
    worn : tuple of Armour
        What the target wears.
    blood : int
        Its blood markers.
    tough : bool
        Whether it is TOUGH.
    attacks : int
        How many attacks.
    spend : str, optional
        Policy for blood on injury rolls.

    Returns
    -------
    dict
        As :func:`tcsim.odds` takes it.

    Examples
    --------
    >>> from tcsim.catalog import catalog
    >>> rows = catalog("1.6.3")
    >>> question(rows, rows.weapon("bayonet"), (), 0, False, 2)["attacks"]
    [{'weapon': 'bayonet', 'kind': 'melee', 'times': 2}]
    """
    attack: dict[str, Any] = {"weapon": weapon.id, "kind": weapon.attack_kind, "times": attacks}
    if any(rows.rules.keyword(name, "attack")[0].counted for name in weapon.keywords):
        attack["carried"] = MOST_CARRIED
    return {
        "edition": rows.edition,
        "target": {"armour": [piece.id for piece in worn], "blood": blood, "tough": tough},
        "attacks": [attack],
        "spend": {"blood_on_injury": spend},
    }


def _armour_remarks(rows: Catalog, worn: Sequence[Worn]) -> Iterator[Remark]:
    for piece in pieces_of(worn):
        for text in piece.unmodelled:
            yield Remark(rows.edition, "armour", piece.id, piece.name, f"Not counted yet: {text}.", False)
        if piece.third_party:
            yield Remark(
                rows.edition, "armour", piece.id, piece.name, f"{piece.name} is not in the official books.", True
            )


def _meaning(row: Weapon | Armour) -> tuple[Any, ...]:
    """All of a row that a roll can depend on; with its name where rules of one name count once."""
    name = row.name if any("not cumulative" in effect.remark for effect in row.effects) else ""
    return name, *(getattr(row, item.name) for item in fields(row) if item.name not in _NAMES)


def _asks_tough(*rows: Weapon | Armour) -> bool:
    """Whether rules of a row are about TOUGH, so that a TOUGH target is more than one with another start."""
    texts = [effect.text for row in rows for effect in row.effects]
    texts += [word for row in rows if isinstance(row, Armour) for word in row.grants]
    return any("TOUGH" in text for text in texts)


def started(problem: Problem, blood: int, tough: bool) -> Problem:
    """Give a problem another start.

    Parameters
    ----------
    problem : Problem
        A problem.
    blood : int
        Blood markers on the target.
    tough : bool
        Whether it is TOUGH.

    Returns
    -------
    Problem
        The same otherwise.
    """
    return replace(problem, start=problem.start._replace(blood=blood, tough=int(tough)))
