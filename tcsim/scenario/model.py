"""The shape of a scenario: every field with its type and limits, from which the JSON Schema is made too.

What the fields *mean* is settled in :mod:`tcsim.scenario.resolve`; here a scenario is only known to be well formed.
"""

from __future__ import annotations

from functools import cache
from typing import Annotated, Any, Literal, get_type_hints

from msgspec import Meta, Struct, field

from tcsim.rules import DEFAULT_EDITION

Dice = Annotated[int, Meta(ge=-40, le=40)]
FlatModifier = Annotated[int, Meta(ge=-20, le=20)]
Markers = Annotated[int, Meta(ge=0, le=6)]
Inches = Annotated[float, Meta(ge=0, le=200)]
Name = Annotated[str, Meta(min_length=1, max_length=200)]
FixedSpend = Literal["none", "all"]
Spend = Literal["none", "all", "optimal"]


class Table(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """What every table of a scenario is."""


class Attacker(Table, frozen=True, kw_only=True):
    """The model that attacks."""

    unit: Annotated[Name | None, Meta(description="Catalogue unit: characteristic dice and keywords.")] = None
    blood: Annotated[
        Markers, Meta(description="Its blood markers, for the target's player to spend on its action rolls.")
    ] = 0
    blessing: Annotated[
        Markers, Meta(description="Its blessing markers, for its own player to spend on its action rolls.")
    ] = 0
    down: Annotated[bool, Meta(description="A Down attacker has -1 DICE on every action roll.")] = False
    armour: Annotated[list[Name] | None, Meta(description="What it wears, for rules about its own attacks.")] = None
    keywords: Annotated[list[Name], Meta(description="As FEAR, NEGATE FEAR, STRONG.")] = field(default_factory=list)
    abilities: Annotated[list[Name], Meta(description="Abilities beside its unit's: options, skills, powers.")] = field(
        default_factory=list
    )
    auras: Annotated[list[Name], Meta(description="Abilities of models near it that reach it.")] = field(
        default_factory=list
    )


class Target(Table, frozen=True, kw_only=True):
    """The model that is attacked, as it is before the first attack."""

    unit: Annotated[Name | None, Meta(description="Catalogue unit: armour characteristic and keywords.")] = None
    armour: Annotated[
        list[Name] | None, Meta(description="Catalogue armour: at most one body armour and one shield.")
    ] = None
    injury_modifier: Annotated[
        Annotated[int, Meta(ge=-20, le=0)] | None, Meta(description="The armour as one number, in place of names.")
    ] = None
    injury_dice: Annotated[Dice, Meta(description="Injury dice against it; never counts as armour.")] = 0
    down: bool = False
    blood: Markers = 0
    blessing: Markers = 0
    infection: Annotated[Markers, Meta(description="Its infection markers, spent like blood.")] = 0
    tough: Annotated[bool | None, Meta(description="TOUGH not yet used; default: the unit's, else false.")] = None
    keywords: Annotated[list[Name], Meta(description="As NEGATE FIRE, TOUGH, FEAR.")] = field(default_factory=list)
    abilities: Annotated[list[Name], Meta(description="Abilities beside its unit's: options, skills, powers.")] = field(
        default_factory=list
    )
    auras: Annotated[list[Name], Meta(description="Abilities of models near it that reach it.")] = field(
        default_factory=list
    )
    paid: Annotated[Markers, Meta(description="Markers paid for an ability of the target, for each attack.")] = 0
    not_activated: Annotated[bool, Meta(description="It has not been activated yet in this round.")] = False
    base_mm: Annotated[Annotated[int, Meta(ge=10, le=300)] | None, Meta(description="Base, for elevation, in mm.")] = (
        None
    )
    machine_armour_minor: Annotated[bool | None, Meta(description="Down results become Minor Hit.")] = None


class Attack(Table, frozen=True, kw_only=True):
    """One attack action."""

    weapon: Annotated[
        Name | None, Meta(description="Catalogue weapon; without one the numbers here are the weapon.")
    ] = None
    kind: Annotated[Literal["ranged", "melee"] | None, Meta(description="Default: the weapon's, else ranged.")] = None
    action_dice: Annotated[Dice, Meta(description="Net +/-DICE before the situation below.")] = 0
    injury_dice: Dice = 0
    injury_modifier: FlatModifier = 0
    shots: Annotated[Annotated[int, Meta(ge=1, le=20)] | None, Meta(description="Attacks within this one action.")] = (
        None
    )
    times: Annotated[int, Meta(ge=1, le=100, description="The same action repeated.")] = 1
    keywords: Annotated[list[Name], Meta(description="As CRITICAL, FIRE, DEADLY, ARMOUR PIERCING 1.")] = field(
        default_factory=list
    )
    cover: bool = False
    long_range: bool | None = None
    elevated: bool | None = None
    distance: Annotated[Inches | None, Meta(description="To the target, in inches: sets long_range.")] = None
    height: Annotated[Inches | None, Meta(description="Above the target, in inches: sets elevated.")] = None
    defended_obstacle: bool = False
    off_hand: bool = False
    fear: bool = False
    diving_charge: Annotated[bool, Meta(description="The attacker charges from above.")] = False
    retreating: Annotated[bool, Meta(description="A free attack on a target that retreats.")] = False
    prepared: Annotated[bool, Meta(description="A test that comes first, as Aim, has succeeded.")] = False
    paid: Annotated[Markers, Meta(description="Markers paid for an ability of the attacker, for each attack.")] = 0
    charging: Annotated[bool, Meta(description="The attacker has charged in this activation.")] = False
    fireteam: Annotated[bool, Meta(description="The other model of the attacker's fireteam makes it.")] = False
    behind_obstacle: Annotated[bool, Meta(description="The attacker stands behind an obstacle.")] = False
    indirect: Annotated[bool, Meta(description="Caught in a blast, not hit by the shot itself.")] = False
    blast_obstacle: Annotated[bool, Meta(description="An obstacle stands between the blast and the target.")] = False
    choice: Annotated[
        Literal["injury_dice", "ignore_armour"] | None,
        Meta(description="What the player picks where a weapon lets them; default: what is better against the target."),
    ] = None
    friends: Annotated[int, Meta(ge=0, le=20, description="Friends of the attacker, as a rule counts them.")] = 0
    carried: Annotated[
        Annotated[int, Meta(ge=1, le=100)] | None,
        Meta(description="How many GRENADE or CONSUMABLE weapons there are; default 1."),
    ] = None


class Event(Table, frozen=True, kw_only=True):
    """Something between two attacks.

    The target stands up, a new activation of the attacker begins, or the target itself is activated.
    """

    event: Literal["stand", "activation", "target_activation"]


class Risky(Table, frozen=True, kw_only=True):
    """A risky action of the attacker that is no attack: a failed action roll ends its activation.

    ``attacker_stand``: the attacker, who is Down, gets up by it, and has no -1 DICE from then on.
    """

    event: Literal["risky", "attacker_stand"]
    action_dice: Annotated[Dice, Meta(description="Net +/-DICE; -1 for an attacker that is Down comes by itself.")] = 0
    label: Annotated[Name | None, Meta(description="What the action is called.")] = None
    doing: Annotated[
        Literal["dash", "climb", "jump", "diving_charge"] | None,
        Meta(description="What the action is, for abilities of the attacker that give it DICE."),
    ] = None


class Charge(Table, frozen=True, kw_only=True):
    """A charge of the attacker: what follows in its activation is only done if it reaches the target."""

    event: Literal["charge"]
    distance: Annotated[Inches, Meta(description="To the target, in inches.")]
    move: Annotated[Inches | None, Meta(description="Its Movement, in inches; default: the unit's.")] = None
    bonus: Annotated[
        Literal["d6", "d3", "2d6kh1", "2d3kh1", "none"] | None,
        Meta(description="The die that is added; kh1: the higher of two. Default: by what the attacker is."),
    ] = None
    halved: Annotated[bool, Meta(description="Its Movement is halved, as after standing up.")] = False


Count = Annotated[int, Meta(ge=0, le=1000)]
Amount = Annotated[
    Annotated[int, Meta(ge=0, le=1000)] | Annotated[str, Meta(min_length=1, max_length=20)] | None,
    Meta(description='A number, or a range: ">=3", "<=2", "3-5". Left out: any.'),
]
Flag = Annotated[bool | None, Meta(description="Left out: either.")]
HitSpend = Annotated[int, Meta(ge=0, le=12)] | Annotated[str, Meta(min_length=1, max_length=20)]


class StateRow(Table, frozen=True, kw_only=True):
    """Conditions on a target; what is left out can be anything."""

    down: Flag = None
    tough: Flag = None
    blood: Amount = None
    infection: Amount = None
    blessing: Amount = None
    spared: Flag = None
    warded: Flag = None
    firm: Flag = None


class PolicyRow(StateRow, frozen=True, kw_only=True):
    """A row of a spending policy: where its conditions hold, and no earlier row's do, so much is spent on a hit."""

    attacks_left: Amount = None
    hits_in_a_row: Amount = None
    critical: Flag = None
    ended: Annotated[bool | None, Meta(description="A 1 on a re-roll or a failed RISKY shot ended the activation.")] = (
        None
    )
    first_critical: Annotated[
        bool | None, Meta(description="Of shots resolved together: the first hit is critical.")
    ] = None
    plain_hits: Annotated[Amount, Meta(description="Plain hits of shots resolved together.")] = None
    critical_hits: Annotated[Amount, Meta(description="Critical hits of shots resolved together.")] = None
    dice: Annotated[HitSpend | None, Meta(description='Markers spent as injury dice on one hit; or "all".')] = None
    bloodbath: Annotated[bool | None, Meta(description="Whether the hit is a Bloodbath.")] = None
    on_plain: Annotated[
        list[HitSpend] | None,
        Meta(description='All plain hits of shots resolved together, in order: 2, "bloodbath", "bloodbath+1".'),
    ] = None
    on_critical: Annotated[list[HitSpend] | None, Meta(description="All critical hits alike.")] = None


class GoalRow(StateRow, frozen=True, kw_only=True):
    """A row of a goal: what a final state is worth, where no earlier row says it."""

    out_of_action: Flag = None
    value: Annotated[float, Meta(ge=-1e6, le=1e6)]


class SpendPolicy(Table, frozen=True, kw_only=True):
    """Who spends which markers, and when; ``optimal`` is what is best for whoever spends them."""

    blood_on_injury: Literal["none", "all", "bloodbath", "greedy", "optimal"] = "none"
    blessing_on_injury: Spend = "none"
    blood_on_action: Spend = "none"
    blessing_on_action: Spend = "none"
    policy: Annotated[
        list[PolicyRow] | None,
        Meta(description="The target's blood on injury rolls, by rows of your own in place of blood_on_injury."),
    ] = None
    goal: Annotated[
        Annotated[str, Meta(max_length=40)] | list[GoalRow],
        Meta(description="What optimal is for: out, down, expected-blood, out-by-attack-N, or rows of your own."),
    ] = "out"


class Scenario(Table, frozen=True, kw_only=True):
    """One question: an attacker, a target, attacks in order, and who spends markers.

    Every table and field is described in docs/scenario.md; :func:`tcsim.read_scenario` builds one
    from a file and reports what is wrong in one sentence.

    Parameters
    ----------
    id : str, optional
        Copied to the output.
    edition : str, optional
        Rules edition.
    attacker : Attacker, optional
        The model that attacks.
    target : Target
        The model that is attacked.
    attacks : list of Attack, Event, Risky and Charge
        What happens, in order; at least one.
    spend : SpendPolicy, optional
        Who spends which markers, and when.
    options : dict, optional
        Rules options whose reading is not the edition's default.

    Examples
    --------
    >>> Scenario(target=Target(blood=2), attacks=[Attack(weapon="Bolt-Action Rifle")]).target.blood
    2
    """

    id: Annotated[Annotated[str, Meta(max_length=1000)] | None, Meta(description="Copied to the output.")] = None
    edition: Annotated[Name, Meta(description="Rules edition: 1.6.3 or 1.0.2.")] = DEFAULT_EDITION
    attacker: Attacker = Attacker()
    target: Target
    attacks: list[Attack | Event | Risky | Charge]
    spend: SpendPolicy = SpendPolicy()
    options: Annotated[dict[str, Any], Meta(description="Rules options; see `tcsim options`.")] = field(
        default_factory=dict
    )


#: What ``event`` may say, and the kind of table it says it in.
EventWord = Literal["stand", "activation", "target_activation", "risky", "attacker_stand", "charge"]
EVENTS: dict[str, type[Table]] = {
    **dict.fromkeys(("stand", "activation", "target_activation"), Event),
    **dict.fromkeys(("risky", "attacker_stand"), Risky),
    "charge": Charge,
}

#: Fields of a scenario that are tables of their own.
TABLES: dict[str, type[Table]] = {"attacker": Attacker, "target": Target, "spend": SpendPolicy}

#: Fields that hold an array of tables, and what each of these is.
ROWS: dict[str, type[Table]] = {"spend.policy": PolicyRow, "spend.goal": GoalRow}


@cache
def fields(table: type[Table]) -> dict[str, Any]:
    """Give the fields of a table with their types and limits.

    Parameters
    ----------
    table : type
        A kind of table, as :class:`Attack`.

    Returns
    -------
    dict
        Field to annotated type, in the order in which they are told.

    Examples
    --------
    >>> list(fields(Event))
    ['event']
    """
    hints = get_type_hints(table, include_extras=True)
    return {name: hints[name] for name in table.__struct_fields__}
