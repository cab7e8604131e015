"""Abilities that are in no unit's row: of whole warbands, skills, powers, lasting wounds."""

from __future__ import annotations

from dataclasses import dataclass

from tcsim.catalog.rows import lines_of_file
from tcsim.rules.effects import Ability, read_abilities


@dataclass(frozen=True, slots=True)
class AbilityRow:
    """An ability that is in no unit's row: of a whole warband (``group``), a skill, a power, a lasting wound."""

    group: str
    kind: str
    source: str
    ability: Ability

    @property
    def whose(self) -> str:
        """The warband that has it, or what it is where any may."""
        return self.kind if self.kind in ("skill", "trauma") or not self.group else self.group


def read_ability_rows(edition: str) -> tuple[AbilityRow, ...]:
    """Read the abilities of an edition that are in no unit's row.

    Parameters
    ----------
    edition : str
        Edition id.

    Returns
    -------
    tuple of AbilityRow
        By name.

    Examples
    --------
    >>> [row.kind for row in read_ability_rows("1.0.2") if row.ability.name == "Parry"]
    ['skill']
    """
    rows = [row for row in lines_of_file("abilities") if row["edition"] == edition]
    return tuple(_ability_row(row) for row in sorted(rows, key=lambda row: (row["name"], row["group"])))


def _ability_row(row: dict[str, str]) -> AbilityRow:
    price = f" ({row['price']})" if row["price"] else ""
    effects = " & ".join(part.strip() for part in row["effects"].split(";"))
    [ability] = read_abilities(f"{row['name']}{price}: {effects}")
    return AbilityRow(row["group"], row["kind"], row["source"], ability)
