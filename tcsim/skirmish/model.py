"""The shape of a firefight and of a game: tables of a scenario, with names and counts beside them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Annotated, Literal

from msgspec import Meta

from tcsim.scenario import model
from tcsim.scenario.model import Dice, Name, Table

Count = Annotated[int, Meta(ge=1, le=1000, description="How many alike there are.")]

#: How attackers choose their targets, and what a game leaves of that: it has no plan for all that may come.
TARGETINGS = ("focus", "spread", "greedy", "optimal")
GAME_TARGETINGS = TARGETINGS[:3]


class Shooter(model.Attacker, frozen=True, kw_only=True):
    """An attacker of a firefight: that of a scenario, with a name and a count."""

    name: Name | None = None
    count: Count = 1


class Aim(model.Target, frozen=True, kw_only=True):
    """A target of a firefight: that of a scenario, with a name and a count."""

    name: Name | None = None
    count: Count = 1


class Model(model.Target, frozen=True, kw_only=True):
    """A model of a game: what it is like to hit; its attacks and spending stand beside it."""

    name: Name | None = None
    count: Count = 1
    leader: Annotated[bool | None, Meta(description="LEADER; default: by its keywords.")] = None


class Situation(Table, frozen=True, kw_only=True):
    """What is different in an attacker's attacks against one of the targets."""

    action_dice: Dice | None = None
    injury_dice: Dice | None = None
    cover: bool | None = None
    long_range: bool | None = None
    elevated: bool | None = None
    distance: model.Inches | None = None
    height: model.Inches | None = None
    defended_obstacle: bool | None = None
    off_hand: bool | None = None
    fear: bool | None = None
    diving_charge: bool | None = None
    charging: bool | None = None
    behind_obstacle: bool | None = None


class Morale(Table, frozen=True, kw_only=True):
    """The warband that the targets belong to, for its morale test at the end of the turn."""

    models: Annotated[
        Annotated[int, Meta(ge=1, le=10_000)] | None, Meta(description="Models of the warband; default: the targets.")
    ] = None
    already: Annotated[int, Meta(ge=0, le=10_000, description="Of these Down or out of action beside the targets.")] = 0
    leader: Annotated[
        Name | None,
        Meta(description="The LEADER: a target's name, elsewhere or none; default: the target that is one, else none."),
    ] = None
    dice: Annotated[Dice, Meta(description="Net +/-DICE of the test beside the LEADER's.")] = 0
    shaken: Annotated[bool, Meta(description="Shaken already: another failure is a rout.")] = False


class Rules(Table, frozen=True, kw_only=True):
    """How a game goes, where the sources leave it open or differ."""

    turns: Annotated[int, Meta(ge=1, le=100, description="Turns played at most.")] = 6
    stand: Literal["turn", "activation"] | None = None
    failure: Literal["flight", "shaken"] | None = None
    # as `tcsim ask morale` has it: the sheet counts those out of action among the models of a warband
    smaller: Annotated[
        Literal["began", "left"],
        Meta(description="Which side is smaller, and tests first: by models it began with, or by those left."),
    ] = "began"
    first: Annotated[
        Literal["initiative", "a", "b"], Meta(description="Who begins a turn: fewer models, or always one.")
    ] = "initiative"


@dataclass(frozen=True)
class Attacker:
    """An attacker with all that belongs to it; ``against`` by a target's name."""

    who: model.Attacker
    name: str
    count: int
    attacks: list[model.Attack]
    spend: model.SpendPolicy
    against: dict[str, Situation] = field(default_factory=dict)


@dataclass(frozen=True)
class Target:
    """A target, its name and how many there are."""

    who: model.Target
    name: str
    count: int


@dataclass(frozen=True)
class Firefight:
    """A firefight as read.

    Parameters
    ----------
    edition : str
        Rules edition.
    attackers : tuple of Attacker
        In the order in which they are activated.
    targets : tuple of Target
        In the order in which they are listed.
    targeting, goal : str
        How targets are chosen, and what for.
    morale : Morale
        The warband of the targets.
    options : dict
        Rules options.
    id : str, optional
        Copied to the output.
    """

    edition: str
    attackers: tuple[Attacker, ...]
    targets: tuple[Target, ...]
    targeting: str
    goal: str
    morale: Morale
    options: dict[str, object]
    id: str | None = None


@dataclass(frozen=True)
class Fighter:
    """A model of a game: as a target, as an attacker, and whether it is the LEADER."""

    target: Target
    attacker: Attacker
    leader: bool | None


@dataclass(frozen=True)
class Warband:
    """One side of a game."""

    name: str
    fighters: tuple[Fighter, ...]
    targeting: str
    dice: int


@dataclass(frozen=True)
class Game:
    """A game of two warbands as read."""

    edition: str
    warbands: tuple[Warband, Warband]
    rules: Rules
    options: dict[str, object]
    id: str | None = None
