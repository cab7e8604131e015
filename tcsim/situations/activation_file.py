"""A whole activation as it is written: a scenario, and a table that says what its attacker does in which order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from msgspec import Meta
from msgspec import field as table_field

from tcsim.base.errors import InputError, one_line, show, unknown
from tcsim.rules import edition
from tcsim.scenario import model
from tcsim.scenario.model import Dice, Inches, Name, Table
from tcsim.scenario.read import from_mapping, read_table

#: What an attacker does, and what it is called.
STAND, MOVE, DASH, CLIMB, JUMP, RISKY = "stand", "move", "dash", "climb", "jump", "risky"
CHARGE, ATTACK, MOVE_IN_MELEE, RETREAT = "charge", "attack", "move in melee", "retreat"
ROLLED = (STAND, DASH, CLIMB, JUMP, RISKY)

#: Most steps of an activation.
MAX_STEPS = 20


class Plain(Table, frozen=True, kw_only=True):
    """What may be said of every step: which ones have to come before it."""

    after: list[Name] = table_field(default_factory=list)


class Rolled(Plain, frozen=True, kw_only=True):
    """Of a risky action: its DICE, beside those for being Down."""

    action_dice: Dice = 0
    label: Name | None = None


class Charged(Plain, frozen=True, kw_only=True):
    """Of a charge: how far, with which die, and what is rolled before it."""

    distance: Annotated[Inches | None, Meta(description="To the target, in inches.")] = None
    bonus: Literal["d6", "d3", "2d6kh1", "2d3kh1", "none"] | None = None
    diving: bool = False
    out_of_sight: bool = False
    action_dice: Annotated[Dice, Meta(description="Of the risky action that comes first, where one does.")] = 0


class Retreated(Plain, frozen=True, kw_only=True):
    """Of a retreat: the attacks that engaged enemies make, and the retreating model as their target."""

    free_attacks: list[Any] | None = None
    model: Any = None


class ActivationTable(Table, frozen=True, kw_only=True):
    """The table ``[activation]``."""

    steps: list[Any]
    move: Annotated[Inches | None, Meta(description="Movement in inches; default: the unit's.")] = None
    in_melee: Annotated[bool, Meta(description="The attacker begins in contact with the target.")] = False
    shaken: bool = False
    stood_up: Annotated[bool, Meta(description="It has stood up as the turn began: Movement is halved.")] = False
    stand_at: Annotated[
        Literal["turn", "activation"] | None,
        Meta(description="When a Down model stands without a roll: at the next turn, or when it is activated."),
    ] = None
    move_after_standing: Annotated[bool | None, Meta(description="It may move once it has stood up by a roll.")] = None
    melee_attacks: Annotated[int, Meta(ge=1, le=10, description="Melee weapons that it may use.")] = 2


#: Steps beside attacks, and what may be said of each.
KINDS: dict[str, type[Plain]] = {
    **dict.fromkeys(ROLLED, Rolled),
    **dict.fromkeys((MOVE, MOVE_IN_MELEE), Plain),
    CHARGE: Charged,
    RETREAT: Retreated,
}


@dataclass(frozen=True)
class Doing:
    """One step of an activation.

    Parameters
    ----------
    place : int
        Its place among the steps, from 0.
    kind : str
        What is done, one of the names of this module.
    label : str
        As it is told.
    table : Plain
        What is said of it.
    attack : int
        Which attack of the scenario, from 0; -1 for other steps.
    after : frozenset of int
        Places of the steps that have to come before it.
    """

    place: int
    kind: str
    label: str
    table: Any
    attack: int = -1
    after: frozenset[int] = field(default_factory=frozenset)

    @property
    def where(self) -> str:
        """Its place in the input."""
        return f"activation.steps[{self.place}]"


@dataclass(frozen=True)
class Asked:
    """A whole activation as read: the scenario, its steps, and what is said of the attacker.

    ``stands``: how a Down attacker stands, by a ``risky`` roll or as it is ``activated``; ``moves_after``: whether it
    may move after such a roll; ``free_attacks`` and ``retreating`` of a retreat, if there is one.
    """

    scenario: model.Scenario
    table: ActivationTable
    steps: tuple[Doing, ...]
    stands: str
    moves_after: bool
    free_attacks: tuple[model.Attack, ...] = ()
    retreating: model.Target | None = None


def read_activation(data: Any) -> Asked:
    """Check the shape of a whole activation.

    Parameters
    ----------
    data : mapping
        A scenario, and the table ``activation`` beside.

    Returns
    -------
    Asked
        Well formed; whether its steps are legal is looked at later.

    Raises
    ------
    InputError
        With the place, what was given, and what is allowed.
    """
    if not isinstance(data, Mapping):
        raise InputError(f"an activation is a table with target, attacks and activation, {show(data)} is given")
    if "activation" not in data:
        raise InputError('it is missing; it says the steps, as steps = ["dash", "attack 1"]', "activation")
    scenario = from_mapping({name: value for name, value in data.items() if name != "activation"})
    for index, table in enumerate(scenario.attacks):
        if not isinstance(table, model.Attack):
            message = "an event is given, the attacks of an activation are attacks; its steps say what comes between"
            raise InputError(message, f"attacks[{index}]")
    given = data["activation"]
    if isinstance(given, dict) and "steps" not in given:
        raise InputError('it is missing; it says what is done, as ["dash", "attack 1"]', "activation.steps")
    table = read_table(ActivationTable, given, "activation")
    rules = edition(scenario.edition)
    if not 1 <= len(table.steps) <= MAX_STEPS:
        raise InputError(f"{len(table.steps)} steps are given, 1 to {MAX_STEPS} are allowed", "activation.steps")
    steps = _ordered([_read_step(step, place, scenario) for place, step in enumerate(table.steps)])
    if all(step.kind != ATTACK for step in steps):
        raise InputError('at least one step is an attack, as "attack 1"', "activation.steps")
    at_once = rules.activation["down_stands"] == "activated" if table.stand_at is None else table.stand_at != "turn"
    may_move = table.move_after_standing
    retreat = next((step for step in steps if step.kind == RETREAT), None)
    return Asked(
        scenario,
        table,
        steps,
        "activated" if at_once else "risky",
        rules.activation["down_moves"] if may_move is None else may_move,
        *(_read_retreat(retreat, scenario) if retreat is not None else ()),
    )


def _read_step(given: Any, place: int, scenario: model.Scenario) -> Doing:
    where = f"activation.steps[{place}]"
    name, inner = given, dict[str, Any]()
    if isinstance(given, dict) and len(given) == 1:
        [(name, inner)] = given.items()
    if not isinstance(name, str):
        message = (
            f"{show(given)} is given, a name or a table with one name is allowed, as {{charge = {{distance = 9}}}}"
        )
        raise InputError(message, where)
    words = " ".join(name.replace("_", " ").casefold().split())
    kind, attack = words, -1
    if words.startswith("attack"):
        kind, attack = ATTACK, _attack_number(words, name, where, scenario)
    elif kind not in KINDS:
        raise unknown("step", name, [*KINDS, "attack 1"], where)
    table = read_table(KINDS.get(kind, Plain), inner, where)
    if isinstance(table, Charged) and table.distance is None:
        raise InputError("it is missing; a charge has a distance, in inches", f"{where}.distance")
    if isinstance(table, Charged) and table.action_dice and not (table.diving or table.out_of_sight):
        raise InputError(
            "it goes with diving or out_of_sight, else nothing is rolled with DICE", f"{where}.action_dice"
        )
    label = kind if attack < 0 else f"{ATTACK} {attack + 1}"
    if isinstance(table, Rolled) and table.label is not None:
        label = one_line(table.label, 40)
    return Doing(place, kind, label, table, attack)


def _attack_number(words: str, name: str, where: str, scenario: model.Scenario) -> int:
    number = words.removeprefix(ATTACK).strip()
    count = len(scenario.attacks)
    if not (number.isascii() and number.isdigit()) or not 1 <= int(number[:4]) <= count:
        there = "attack 1 is" if count == 1 else f"attack 1 to attack {count} are"
        raise InputError(f"{show(name)} is given, {there} allowed", where)
    return int(number) - 1


def _ordered(steps: list[Doing]) -> tuple[Doing, ...]:
    """Find the steps that others name under ``after``; a name means every step of it."""
    found = []
    for step in steps:
        after: set[int] = set()
        for index, name in enumerate(step.table.after):
            words = " ".join(name.replace("_", " ").casefold().split())
            others = [one for one in steps if words in (one.label.casefold(), one.kind) and one is not step]
            if not others:
                labels = [one.label for one in steps if one is not step]
                raise unknown("other step", name, labels, f"{step.where}.after[{index}]")
            after |= {one.place for one in others}
        found.append(Doing(step.place, step.kind, step.label, step.table, step.attack, frozenset(after)))
    return tuple(found)


def _read_retreat(step: Doing, scenario: model.Scenario) -> tuple[tuple[model.Attack, ...], model.Target]:
    """The free attacks, and the attacker as their target: by its own unit and armour, where nothing else is said."""
    table: Retreated = step.table
    if table.free_attacks is None:
        message = "it is missing; it lists what each engaged enemy strikes with, or is [] where none may"
        raise InputError(message, f"{step.where}.free_attacks")
    where = f"{step.where}.free_attacks"
    attacks = tuple(read_table(model.Attack, one, f"{where}[{i}]") for i, one in enumerate(table.free_attacks))
    if table.model is not None:
        return attacks, read_table(model.Target, table.model, f"{step.where}.model")
    own = scenario.attacker
    return attacks, model.Target(unit=own.unit, armour=own.armour, blood=own.blood, keywords=own.keywords)
