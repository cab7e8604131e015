"""The shape of a scenario: every field with its type and limits, from which the JSON Schema is made too.

What the fields *mean* is settled in :mod:`tcsim.scenario.resolve`; here a scenario is only known to be well formed.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag

Dice = Annotated[int, Field(ge=-40, le=40)]
FlatModifier = Annotated[int, Field(ge=-20, le=20)]
Markers = Annotated[int, Field(ge=0, le=6)]
Inches = Annotated[float, Field(ge=0, le=200, allow_inf_nan=False)]
Name = Annotated[str, Field(min_length=1, max_length=200)]
Spend = Literal["none", "all"]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


class Attacker(_Table):
    """The model that attacks."""

    unit: Name | None = Field(None, description="Catalogue unit: characteristic dice and keywords.")
    blood: Markers = Field(0, description="Its blood markers, for the target's player to spend on its action rolls.")
    blessing: Markers = Field(0, description="Its blessing markers, for its own player to spend on its action rolls.")
    down: bool = Field(False, description="A Down attacker has -1 DICE on every action roll.")
    keywords: list[Name] = Field(default_factory=list, description="As FEAR, NEGATE FEAR, STRONG.")


class Target(_Table):
    """The model that is attacked, as it is before the first attack."""

    unit: Name | None = Field(None, description="Catalogue unit: armour characteristic and keywords.")
    armour: list[Name] | None = Field(None, description="Catalogue armour: at most one body armour and one shield.")
    injury_modifier: Annotated[int, Field(ge=-20, le=0)] | None = Field(
        None, description="The armour as one number, in place of names."
    )
    injury_dice: Dice = Field(0, description="Injury dice against it; never counts as armour.")
    down: bool = False
    blood: Markers = 0
    blessing: Markers = 0
    tough: bool | None = Field(None, description="TOUGH not yet used; default: the unit's, else false.")
    keywords: list[Name] = Field(default_factory=list, description="As NEGATE FIRE, TOUGH, FEAR.")
    base_mm: Annotated[int, Field(ge=10, le=300)] | None = Field(None, description="Base, for elevation, in mm.")
    machine_armour_minor: bool | None = Field(None, description="Down results become Minor Hit.")


class Attack(_Table):
    """One attack action."""

    weapon: Name | None = Field(None, description="Catalogue weapon; without one the numbers here are the weapon.")
    kind: Literal["ranged", "melee"] | None = Field(None, description="Default: the weapon's, else ranged.")
    action_dice: Dice = Field(0, description="Net +/-DICE before the situation below.")
    injury_dice: Dice = 0
    injury_modifier: FlatModifier = 0
    shots: Annotated[int, Field(ge=1, le=20)] | None = Field(None, description="Attacks within this one action.")
    times: Annotated[int, Field(ge=1, le=100)] = Field(1, description="The same action repeated.")
    keywords: list[Name] = Field(default_factory=list, description="As CRITICAL, FIRE, DEADLY, ARMOUR PIERCING 1.")
    cover: bool = False
    long_range: bool | None = None
    elevated: bool | None = None
    distance: Inches | None = Field(None, description="To the target, in inches: sets long_range.")
    height: Inches | None = Field(None, description="Above the target, in inches: sets elevated.")
    defended_obstacle: bool = False
    off_hand: bool = False
    fear: bool = False
    carried: Annotated[int, Field(ge=1, le=100)] | None = Field(
        None, description="How many GRENADE or CONSUMABLE weapons there are; default 1."
    )


class Event(_Table):
    """Something between two attacks: the target stands up, or a new activation of the attacker begins."""

    event: Literal["stand", "activation"]


class SpendPolicy(_Table):
    """Who spends which markers, and when."""

    blood_on_injury: Literal["none", "all", "bloodbath", "greedy", "optimal"] = "none"
    blessing_on_injury: Spend = "none"
    blood_on_action: Spend = "none"
    blessing_on_action: Spend = "none"


def _which(table: Any) -> str:
    return "event" if isinstance(table, Event) or (isinstance(table, dict) and "event" in table) else "attack"


Step = Annotated[Annotated[Attack, Tag("attack")] | Annotated[Event, Tag("event")], Discriminator(_which)]


class Scenario(_Table):
    """One question: an attacker, a target, attacks in order, and who spends markers.

    Every table and field is described in the README under "The scenario"; :func:`tcsim.read_scenario` builds one
    from a file and reports what is wrong in one sentence.

    Parameters
    ----------
    id : str, optional
        Copied to the output.
    edition : str, optional
        Rules edition.
    attacker : Attacker or mapping, optional
        The model that attacks.
    target : Target or mapping
        The model that is attacked.
    attacks : list of Attack, Event or mapping
        What happens, in order.
    spend : SpendPolicy or mapping, optional
        Who spends which markers, and when.
    options : dict, optional
        Rules options whose reading is not the edition's default.

    Raises
    ------
    pydantic.ValidationError
        When it is not well formed.
    """

    id: Annotated[str, Field(max_length=1000)] | None = Field(None, description="Copied to the output.")
    edition: Name = Field("1.6.3", description="Rules edition: 1.6.3 or 1.0.2.")
    attacker: Attacker = Attacker()
    target: Target
    attacks: Annotated[list[Step], Field(min_length=1)]
    spend: SpendPolicy = SpendPolicy()
    options: dict[str, Any] = Field(default_factory=dict, description="Rules options; see `tcsim options`.")
