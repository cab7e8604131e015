"""The JSON Schemas of a firefight and of a game, made from the same tables that check their parts."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, field

from tcsim.rules import DEFAULT_EDITION
from tcsim.scenario import model as scenario
from tcsim.scenario.model import Dice, Name, Table
from tcsim.scenario.schema import struct_schema
from tcsim.skirmish import model as m

Attacks = Annotated[list[scenario.Attack], Meta(min_length=1, description="Of one activation, in order.")]


class FightAttacker(m.Shooter, frozen=True, kw_only=True):
    """An attacker of a firefight, with its attacks and its spending."""

    attacks: Attacks
    spend: scenario.SpendPolicy = scenario.SpendPolicy()
    against: Annotated[
        dict[str, m.Situation], Meta(description="What is different against a target, by the target's name.")
    ] = field(default_factory=dict)


class GameModel(m.Model, frozen=True, kw_only=True):
    """A model of a game, with its attacks and its spending."""

    attacks: Attacks
    spend: scenario.SpendPolicy = scenario.SpendPolicy()


class GameWarband(Table, frozen=True, kw_only=True):
    """A side of a game."""

    name: Name | None = None
    models: Annotated[list[GameModel], Meta(min_length=1)]
    targeting: Literal["focus", "spread", "greedy"] = "focus"
    spend: scenario.SpendPolicy = scenario.SpendPolicy()
    dice: Dice = 0


class File(Table, frozen=True, kw_only=True):
    """What both files have."""

    id: Annotated[str, Meta(max_length=1000)] | None = None
    edition: Name = DEFAULT_EDITION
    spend: scenario.SpendPolicy = scenario.SpendPolicy()
    options: dict[str, Any] = field(default_factory=dict)


class FirefightFile(File, frozen=True, kw_only=True):
    """A firefight."""

    attackers: Annotated[list[FightAttacker], Meta(min_length=1)]
    targets: Annotated[list[m.Aim], Meta(min_length=1)]
    targeting: Literal["focus", "spread", "greedy", "optimal"] = "optimal"
    goal: Literal["out", "morale", "flight"] = "out"
    morale: m.Morale = m.Morale()


class GameFile(File, frozen=True, kw_only=True):
    """A game of two warbands."""

    warband: Annotated[list[GameWarband], Meta(min_length=2, max_length=2)]
    turns: Annotated[int, Meta(ge=1, le=100, description="Turns played at most.")] = 6
    rules: m.Rules = m.Rules()


def firefight_schema() -> dict[str, Any]:
    """Make the JSON Schema (draft 2020-12) of a firefight.

    Returns
    -------
    dict
        Fields, types and limits; editions, options and keywords from the rules.

    Examples
    --------
    >>> firefight_schema()["required"]
    ['attackers', 'targets']
    """
    return struct_schema(FirefightFile, "firefight")


def turn_schema() -> dict[str, Any]:
    """Make the JSON Schema (draft 2020-12) of a game of two warbands.

    Returns
    -------
    dict
        As that of a firefight.

    Examples
    --------
    >>> turn_schema()["required"]
    ['warband']
    """
    return struct_schema(GameFile, "turn")
