"""The weapon of an attack: what it brings before its situation."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from tcsim.rules import Edition
from tcsim.rules.effects import Effect
from tcsim.scenario import model
from tcsim.scenario.bearer import open_catalog
from tcsim.scenario.notes import note, note_row

if TYPE_CHECKING:
    from tcsim.catalog import Catalog


class Weapon(NamedTuple):
    """What an attack brings before its situation: a catalogue row's numbers, or nothing."""

    id: str = ""
    name: str = ""
    kind: str | None = None
    thrown: bool = False
    characteristic: str = ""
    range_in: int | None = None
    shots: int = 1
    action_dice: int = 0
    injury_dice: int = 0
    injury_modifier: int = 0
    injury_keep: int | None = None
    auto_hit: bool = False
    ignore_armour: str = "none"
    armour_piercing: int = 0
    keywords: tuple[str, ...] = ()
    effects: tuple[Effect, ...] = ()

    def without(self, names: frozenset[str]) -> Weapon:
        """Give the weapon without some of its keywords, and without what its row says in place of one.

        Parameters
        ----------
        names : frozenset of str
            Keywords, without their numbers.

        Returns
        -------
        Weapon
            The same in all else.
        """
        left = self._replace(keywords=tuple(word for word in self.keywords if _bare(word) not in names))
        if "IGNORE ARMOUR" in names and self.ignore_armour != "shield":
            left = left._replace(ignore_armour="none")
        return left


def _bare(keyword: str) -> str:
    """A keyword without its number."""
    name, _, number = keyword.rpartition(" ")
    return name if number.strip("()").isdigit() else keyword


def weapon_of(table: model.Attack, catalog: Catalog | None, rules: Edition, notes: list[str], where: str) -> Weapon:
    """Look up the weapon of an attack.

    Parameters
    ----------
    table : model.Attack
        As read.
    catalog : Catalog or None
        Where names are looked up; None for the edition's own catalogue.
    rules : Edition
        The edition.
    notes : list of str
        Grows by what is not counted.
    where : str
        Its place in the input.

    Returns
    -------
    Weapon
        A row's numbers, or nothing where there is no name.

    Raises
    ------
    InputError
        For a name that does not exist.
    """
    if table.weapon is None:
        return Weapon()
    row = open_catalog(catalog, rules).weapon(table.weapon, table.kind, f"{where}.weapon")
    note_row(notes, row, catalog)
    if row.shoot_actions > table.times:
        n = row.shoot_actions
        note(notes, f"{row.label} may make {n} Shoot ACTIONS in an activation; times= says how many are asked about.")
    numbers = {name: getattr(row, name) for name in Weapon._fields if name not in ("name", "kind", "thrown")}
    return Weapon(name=row.label, kind=row.attack_kind, thrown=row.kind == "grenade", **numbers)
