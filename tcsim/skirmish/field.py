"""A firefight made ready: who is activated in which order, what each does to each target, and what is asked."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from tcsim.base.errors import InputError, show
from tcsim.rules import edition
from tcsim.skirmish import model as m
from tcsim.skirmish.morale import MoraleTest, morale_test
from tcsim.skirmish.pairs import Pair, pair
from tcsim.skirmish.space import Floats, Space, explore


@dataclass(frozen=True)
class Field:
    """A firefight in numbers.

    Parameters
    ----------
    fight : Firefight
        As read.
    pairs : tuple of tuple of Pair
        By table of the attackers, then by table of the targets.
    catalog : Any
        Where names were looked up.
    """

    fight: m.Firefight
    pairs: tuple[tuple[Pair, ...], ...]
    catalog: Any = None

    @cached_property
    def activations(self) -> tuple[int, ...]:
        """The table of each attacker, in the order in which they are activated."""
        return tuple(i for i, one in enumerate(self.fight.attackers) for _ in range(one.count))

    @cached_property
    def targets(self) -> tuple[int, ...]:
        """The table of each target, in order."""
        return tuple(i for i, one in enumerate(self.fight.targets) for _ in range(one.count))

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What each target is called; several alike are numbered."""
        return tuple(
            one.name if one.count == 1 else f"{one.name} #{number}"
            for one in self.fight.targets
            for number in range(1, one.count + 1)
        )

    @cached_property
    def spaces(self) -> tuple[Space, ...]:
        """The conditions of a target of each table; its moves are by table of the attackers."""
        known: dict[Any, Space] = {}  # targets that differ in nothing but their name are found once
        found = []
        for j in range(len(self.fight.targets)):
            start, problems = self.pairs[0][j].resolved.problem.start, tuple(row[j].problem for row in self.pairs)
            if (start, problems) not in known:
                known[start, problems] = explore(start, problems)
            found.append(known[start, problems])
        return tuple(found)

    @cached_property
    def leader(self) -> int | None:
        """Which target is the LEADER."""
        told = self.fight.morale.leader
        if told in ("elsewhere", "none"):
            return None
        if told is not None:
            return self.names.index(told)
        found = [
            number
            for number, table in enumerate(self.targets)
            if "LEADER" in self.pairs[0][table].resolved.target.words and self.fight.targets[table].count == 1
        ]
        return found[0] if len(found) == 1 else None

    @cached_property
    def models(self) -> int:
        """How many models the warband of the targets began with."""
        morale = self.fight.morale
        return morale.models if morale.models is not None else len(self.targets) + morale.already

    @cached_property
    def test(self) -> MoraleTest:
        """The morale test of the targets' warband."""
        morale = self.fight.morale
        has_leader = self.leader is not None or morale.leader == "elsewhere"
        return morale_test(self.fight.edition, self.models, has_leader, morale.dice)

    @property
    def failure(self) -> str:
        """What a failed morale test is: flight, shaken or rout."""
        if self.fight.morale.shaken:
            return "rout"
        return str(edition(self.fight.edition).turn["failure"])

    @cached_property
    def needed(self) -> Floats:
        """Whether the test is made, by how many targets are out of action and how many are Down."""
        number = np.arange(len(self.targets) + 1)
        hurt = number[:, None] + number + self.fight.morale.already
        return (hurt >= self.test.needed).astype(np.float64)

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What is not counted, of all pairs, a sentence each."""
        return tuple(dict.fromkeys(note for row in self.pairs for one in row for note in one.resolved.notes))

    @cached_property
    def assumed(self) -> tuple[str, ...]:
        """What special rules ask for and was not said."""
        return tuple(dict.fromkeys(text for row in self.pairs for one in row for text in one.resolved.assumed))


def ready(fight: m.Firefight, catalog: Any = None) -> Field:
    """Settle every pair of a firefight.

    Parameters
    ----------
    fight : Firefight
        As read.
    catalog : Catalog, path, or iterable of paths, optional
        Where names are looked up.

    Returns
    -------
    Field
        In numbers.

    Raises
    ------
    InputError
        For whatever is wrong with a pair, told by its place in the input.
    """
    setting = (fight.edition, fight.options, catalog)
    pairs = tuple(
        tuple(pair(one, other, setting, (f"attackers[{i}]", f"targets[{j}]")) for j, other in enumerate(fight.targets))
        for i, one in enumerate(fight.attackers)
    )
    field = Field(fight, pairs, catalog)
    told = fight.morale.leader
    if told is not None and told not in ("elsewhere", "none", *field.names):
        raise InputError(f"{show(told)} is given, there are several of that name", "morale.leader")
    return field
