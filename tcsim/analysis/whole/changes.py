"""What changed between two editions: row by row in the numbers that matter to dice, and in kill odds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tcsim.base.errors import InputError, show
from tcsim.catalog import Catalog, Row, Weapon, as_record, catalog
from tcsim.rules.effects import Condition, Effect, read_abilities, read_effects

#: What of a row changes a roll, or whether and how one gets it.
FIELDS = (
    *("hands", "range_in", "shots", "characteristic", "action_dice", "injury_dice", "injury_modifier", "injury_keep"),
    *("auto_hit", "ignore_armour", "armour_piercing", "blast_in", "keywords", "effects"),
    *("slot", "machine", "stacks_with_shield", "impervious", "grants"),
    *("movement_in", "ranged_dice", "melee_dice", "base_mm", "abilities", "prices"),
)

#: Armour as injury modifiers, against which kill odds are told.
ARMOUR = (0, -1, -2, -3)


@dataclass(frozen=True)
class Change:
    """A row of the catalogue in two editions.

    Parameters
    ----------
    kind, id, name : str
        Of the row; the name is that of the newer edition, where it has one.
    fields : dict
        Name of each field that differs to its old and new value; None where the edition lacks the row.
    odds : tuple of (float, float), optional
        For a weapon in both editions: chance of out of action by one action against armour 0, -1, -2, -3, old and new.
    left_out : tuple of str
        What of the row is not counted in these odds, with its edition.
    """

    kind: str
    id: str
    name: str
    fields: dict[str, tuple[Any, Any]]
    odds: tuple[tuple[float, float], ...] | None = None
    left_out: tuple[str, ...] = ()

    def told(self, field: str) -> tuple[Any, Any]:
        """Give what of a field differs: of two lists only what the other has not.

        Parameters
        ----------
        field : str
            One of ``fields``.

        Returns
        -------
        old, new
            Values, or lists of them.

        Examples
        --------
        >>> [change] = changes("1.6.3", "1.0.2", "Ducal Winged Armour")
        >>> change.told("grants")
        ([], ['FLYING'])
        """
        before, after = self.fields[field]
        return _only(field, before, after) if isinstance(before, list) else (before, after)


def changes(
    old: str | Catalog,
    new: str | Catalog,
    name: str | None = None,
    files: Sequence[str] = (),
    with_odds: bool = True,
) -> list[Change]:
    """Find what changed.

    Parameters
    ----------
    old, new : str or Catalog
        Edition ids, or opened catalogues.
    name : str, optional
        Only rows that this name finds in either edition; default: all official rows, without what differs in prices.
    files : sequence of str, optional
        Users' own catalogues, which add to both editions and change them; those of opened catalogues are in them.
    with_odds : bool, optional
        Whether kill odds of weapons are worked out.

    Returns
    -------
    list of Change
        Weapons, armour, units, each by id; rows that are the same in both are left out unless they are named.

    Raises
    ------
    InputError
        For an edition or a name that does not exist.

    Examples
    --------
    >>> [change] = changes("1.6.3", "1.0.2", "Heavy Shotgun")
    >>> change.fields["effects"]
    (['injury_dice=+2 if short_range'], ['injury_dice=+1 if short_range'])
    """
    earlier, later = (one if isinstance(one, Catalog) else catalog(one, files) for one in (old, new))
    wanted = _ids({rows.edition: rows for rows in (earlier, later)}, name) if name is not None else None
    first, second = _rows(earlier, wanted), _rows(later, wanted)
    found: list[Change] = []
    for kind, id in sorted({*first, *second}, key=lambda place: (_KINDS.index(place[0]), place[1])):
        before, after = first.get((kind, id)), second.get((kind, id))
        fields = _differences(before, after)
        if name is None:
            fields.pop("prices", None)
        if fields or name is not None:
            odds = (
                _odds(earlier, later, before, after)
                if with_odds and isinstance(before, Weapon) and isinstance(after, Weapon)
                else None
            )
            label = next(row.label for row in (after, before) if row is not None)
            rows = [row for row in (before, after) if row is not None]
            left_out = tuple(f"{row.edition}: {text}" for row in rows for text in row.unmodelled)
            found.append(Change(kind, id, label, fields, odds, left_out))
    return found


_KINDS = ("weapon", "armour", "unit")


def _rows(opened: Catalog, wanted: set[str] | None) -> dict[tuple[str, str], Row]:
    rows = (row for kind in _KINDS for row in opened.by_kind[kind])
    return {
        (row.kind_of_row, row.id): row
        for row in rows
        if (row.id in wanted if wanted is not None else not row.third_party)
    }


def _ids(opened: Mapping[str, Catalog], name: str) -> set[str]:
    """The ids of what a name finds in either edition; an error where it finds nothing in both."""
    found: set[str] = set()
    for rows in opened.values():
        try:
            found |= {row.id for row in rows.named(name)}
        except InputError:
            continue
    if not found:
        raise InputError(f"there is no weapon, armour or unit {show(name)} in {' or '.join(opened)}")
    return found


#: Keywords that say in one edition what a column says in both.
_IN_COLUMNS = re.compile(r"IGNORE ARMOUR|ARMOUR PIERCING.*|(AUTOMATIC|CLEAVE) \d+|FLAMETHROWER|DEADLY")


def _differences(before: Row | None, after: Row | None) -> dict[str, tuple[Any, Any]]:
    if before is None or after is None:
        return {"row": (before is not None, after is not None)}
    old, new = as_record(before), as_record(after)
    for record in (old, new):
        for field in ("keywords", "grants", "effects"):
            if field in record:
                record[field] = sorted(word for word in record[field] if not _IN_COLUMNS.fullmatch(word))
    found = {field: (old[field], new[field]) for field in FIELDS if field in old and old[field] != new[field]}
    return {field: pair for field, pair in found.items() if not isinstance(pair[0], list) or any(_only(field, *pair))}


def _only(field: str, old: list[Any], new: list[Any]) -> tuple[list[Any], list[Any]]:
    """What either list has and the other has not; the order says nothing, not even within a special rule."""
    first, second = ([_meaning(field, item) for item in items] for items in (old, new))
    return (
        [item for item, meaning in zip(old, first, strict=True) if meaning not in second],
        [item for item, meaning in zip(new, second, strict=True) if meaning not in first],
    )


def _meaning(field: str, item: Any) -> Any:
    if field == "effects":
        return _terms(read_effects(item))
    if field == "abilities":
        [ability] = read_abilities(item)
        return ability.name, ability.price, _terms(ability.effects)
    return item


def _terms(effects: Iterable[Effect]) -> frozenset[Effect]:
    """Effects without the order of their conditions and of the words in these."""
    return frozenset(replace(effect, text="", conditions=_sorted(effect.conditions)) for effect in effects)


def _sorted(conditions: tuple[Condition, ...]) -> tuple[Condition, ...]:
    return tuple(sorted((replace(one, words=tuple(sorted(one.words))) for one in conditions), key=repr))


def _odds(old: Catalog, new: Catalog, before: Weapon, after: Weapon) -> tuple[tuple[float, float], ...] | None:
    """Chances by armour; None for a weapon that makes no injury roll."""
    from tcsim.engines.answer import exact_results
    from tcsim.scenario.read import from_mapping
    from tcsim.scenario.resolve import resolve

    if not (before.injury_keep and after.injury_keep):
        return None
    questions = []
    for rows, weapon in ((old, before), (new, after)):
        attack: dict[str, Any] = {"weapon": weapon.id, "kind": weapon.attack_kind}
        if {"GRENADE", "CONSUMABLE"} & set(weapon.keywords):
            attack["carried"] = max(1, weapon.shots)
        for armour in ARMOUR:
            scenario = {"edition": rows.edition, "target": {"injury_modifier": armour}, "attacks": [attack]}
            questions.append(resolve(from_mapping(scenario), rows))
    chances = [result.out_of_action for result in exact_results(questions)]
    half = len(ARMOUR)
    return tuple(zip(chances[:half], chances[half:], strict=True))
