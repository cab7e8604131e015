"""The shape of a duel as it is written, and how it is read: every field with its type and limits.

What stands in ``[a]`` is about the model, whether it strikes or is struck. What it is like to hit may stand there too,
or in its ``target`` table; it is the same model.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, field, to_builtins

from tcsim.base.errors import InputError, show
from tcsim.rules import DEFAULT_EDITION
from tcsim.scenario.model import Attack, Dice, FixedSpend, Inches, Markers, Name, Table
from tcsim.scenario.read import known, read_table, read_value

#: Most rounds of a duel.
MAX_ROUNDS = 100

#: The fighters by side.
SIDES = ("a", "b")

ChargeDie = Literal["none", "D3", "D6", "2D6", "2D3"]


class Body(Table, frozen=True, kw_only=True):
    """What a model is like to hit, and the state in which it begins."""

    armour: Annotated[list[Name] | None, Meta(description="Catalogue armour that it wears.")] = None
    injury_modifier: Annotated[
        Annotated[int, Meta(ge=-20, le=0)] | None, Meta(description="Its armour as one number, in place of names.")
    ] = None
    injury_dice: Annotated[Dice, Meta(description="Injury dice against it; never counts as armour.")] = 0
    down: bool = False
    blood: Markers = 0
    blessing: Markers = 0
    infection: Markers = 0
    tough: Annotated[bool | None, Meta(description="TOUGH not yet used; default: the unit's, else false.")] = None
    keywords: Annotated[list[Name], Meta(description="As TOUGH, FEAR, STRONG.")] = field(default_factory=list)
    abilities: Annotated[list[Name], Meta(description="Abilities beside its unit's.")] = field(default_factory=list)
    auras: Annotated[list[Name], Meta(description="Abilities of models near it.")] = field(default_factory=list)
    base_mm: Annotated[int, Meta(ge=10, le=300)] | None = None
    machine_armour_minor: bool | None = None


class Spending(Table, frozen=True, kw_only=True):
    """What a fighter's player spends: the enemy's blood, and its own blessings."""

    blood_on_injury: Literal["none", "all", "bloodbath", "greedy"] = "none"
    blood_on_action: FixedSpend = "none"
    blessing_on_injury: FixedSpend = "none"
    blessing_on_action: FixedSpend = "none"


class Fighter(Body, frozen=True, kw_only=True):
    """One of the two models."""

    unit: Annotated[Name | None, Meta(description="Catalogue unit.")] = None
    target: Annotated[Body, Meta(description="What it is like to hit; or the same keys beside this table.")] = Body()
    attacks: Annotated[list[Attack], Meta(description="Its melee attacks in an activation, in order.")]
    ranged: Annotated[list[Attack], Meta(description="What it shoots in an activation, with an approach.")] = field(
        default_factory=list
    )
    spend: Spending = Spending()
    move: Annotated[Inches | None, Meta(description="Its Movement; default: the unit's.")] = None
    charge_die: Annotated[ChargeDie | None, Meta(description="What its charge adds; default: by what it is.")] = None


class Approach(Table, frozen=True, kw_only=True):
    """The two start apart."""

    distance: Annotated[Annotated[float, Meta(ge=1, le=200)], Meta(description="Inches between them.")]
    who_charges: Literal["a", "b", "first-able", "best"] = "first-able"


class Mode(Table, frozen=True, kw_only=True):
    """Whether each player spends as its own table says, or both spend optimally."""

    mode: Literal["fixed", "optimal"] = "fixed"


class GivenDuel(Table, frozen=True, kw_only=True):
    """A duel as it is written.

    Parameters
    ----------
    id : str, optional
        Copied to the output.
    edition : str, optional
        Rules edition.
    first : str, optional
        Who activates first in every round.
    rounds : int, optional
        After so many neither has won.
    a, b : Fighter
        The two.
    approach : Approach, optional
        They start apart.
    spend : Mode, optional
        Fixed or optimal.
    options : dict, optional
        Rules options whose reading is not the edition's default.
    """

    id: Annotated[str, Meta(max_length=1000)] | None = None
    edition: Name = DEFAULT_EDITION
    first: Literal["a", "b"] = "a"
    rounds: Annotated[int, Meta(ge=1, le=MAX_ROUNDS)] = 6
    a: Fighter
    b: Fighter
    approach: Approach | None = None
    spend: Mode = Mode()
    options: dict[str, Any] = field(default_factory=dict)


def from_mapping(data: Any) -> GivenDuel:
    """Check the shape of a duel given as plain data.

    Parameters
    ----------
    data : mapping or GivenDuel
        Tables and fields as in a duel's file.

    Returns
    -------
    GivenDuel
        Well formed; names are checked when it is resolved.

    Raises
    ------
    InputError
        With the place, what was given, and what is allowed.

    Examples
    --------
    >>> from_mapping({"a": {"attacks": [{}]}, "b": {"attacks": [{"cover": 1}]}})
    Traceback (most recent call last):
    ...
    tcsim.base.errors.InputError: b.attacks[0].cover: 1 is given, true or false is allowed
    """
    if isinstance(data, GivenDuel):  # perhaps built by hand, so it is looked at too
        from_mapping(to_builtins(data))
        return data
    if not isinstance(data, Mapping):
        raise InputError(f"a duel is a table with a and b, {show(data)} is given")
    fields = known(GivenDuel, data, "duel")
    tables: dict[str, type[Table]] = {"approach": Approach, "spend": Mode}
    approach = data.get("approach")
    if isinstance(approach, dict) and "distance" not in approach:
        raise InputError("it is missing; an approach has a distance in inches", "approach.distance")
    values: dict[str, Any] = {}
    for name, value in data.items():
        if name in SIDES:
            values[name] = _read_fighter(value, name)
        elif name in tables:
            values[name] = read_table(tables[name], value, name)
        else:
            values[name] = read_value(fields[name], value, name)
    for name in SIDES:
        if name not in values:
            raise InputError("it is missing; a duel has the tables a and b", name)
    return GivenDuel(**values)


def _read_fighter(data: Any, where: str) -> Fighter:
    if not isinstance(data, dict):
        raise InputError(f"{show(data)} is given, a table is allowed", where)
    fields = known(Fighter, data, where)
    tables: dict[str, type[Table]] = {"target": Body, "spend": Spending}
    values: dict[str, Any] = {}
    for name, value in data.items():
        place = f"{where}.{name}"
        if name in tables:
            values[name] = read_table(tables[name], value, place)
        elif name in ("attacks", "ranged"):
            values[name] = _read_attacks(value, place)
        else:
            values[name] = read_value(fields[name], value, place)
    if not values.get("attacks"):
        raise InputError("at least one attack is needed, a model without weapons has its fists", f"{where}.attacks")
    for name in data.get("target", {}):
        if name in data:
            raise InputError(f"it is given in {where} and in {where}.target; give it once", f"{where}.target.{name}")
    return Fighter(**values)


def _read_attacks(value: Any, where: str) -> list[Table]:
    if not isinstance(value, list):
        raise InputError(f"{show(value)} is given, an array of tables is allowed", where)
    for index, table in enumerate(value):
        if isinstance(table, dict) and "event" in table:
            message = "a duel knows by itself who stands up and who is activated; only a scenario has events"
            raise InputError(message, f"{where}[{index}].event")
    return [read_table(Attack, table, f"{where}[{index}]") for index, table in enumerate(value)]
