"""A turn as it is written in a file: units, events in their order, and a goal in words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from tcsim.aos.common import Amount
from tcsim.aos.fights.inputs import check_most
from tcsim.aos.fights.sequence import Readings
from tcsim.aos.fights.weapons import Needed, Weapons
from tcsim.aos.plans.plan import name_of
from tcsim.aos.plans.search import MOST_POINTS
from tcsim.aos.plans.table import ENEMY, commands, order, phase
from tcsim.aos.plans.turn import Atom, Event, Goal, Turn, Unit
from tcsim.base.errors import InputError, show, unknown
from tcsim.questions.kinds import Flag, Kind, Number, Whole, Word

#: Most units and most events.
MOST_UNITS, MOST_EVENTS = 24, 24

#: Fields of a unit.
UNIT: Mapping[str, Kind] = {
    "save": Needed(2, none=True),
    "ward": Needed(2, none=True),
    "models": Whole(1, 100),
    "health": Whole(1, 60),
    "slain": Whole(0, 99),
    "damage": Whole(0, 59),
    "control": Whole(0, 60),
    "in_combat": Flag(),
    "musician": Flag(),
}

#: Fields of an event by its kind, beside ``phase`` and ``name``; the first is the kind, and who does it or what it is.
EVENTS: Mapping[str, Mapping[str, Kind]] = {
    "rally": {},
    "run": {"distance": Whole(1, 12)},
    "spell": {"cv": Whole(2, 20), "modifier": Whole(-10, 10), "unbind": Whole(-10, 10), "damage": Amount(1, 60)},
    "prayer": {"value": Whole(2, 20), "modifier": Whole(-10, 10), "ritual": Whole(0, 20), "damage": Amount(1, 60)},
    "charge": {"need": Whole(2, 30), "modifier": Whole(-10, 10), "reroll": Flag()},
    "attack": {"weapons": Weapons(), "each": Flag(), "hit_modifier": Whole(-9, 9), "save_modifier": Whole(-9, 9)},
    "control": {"owner": Word({"yours": "", "theirs": "", "nobody": ""})},
}

#: What an event has to have, and what names a unit or more.
_NEEDED = {
    "run": ("distance",),
    "spell": ("by", "cv"),
    "prayer": ("by", "value"),
    "charge": ("target", "need"),
    "attack": ("target", "weapons"),
    "control": ("contesting",),
}
_WHOM = {
    "spell": ("by", "target"),
    "prayer": ("by", "target"),
    "charge": ("target",),
    "attack": ("target",),
    "control": ("contesting",),
}

#: Phases of each kind of event: of yours, and of an enemy.
_PHASES = {
    "rally": (("hero", "enemy_hero"), ()),
    "run": (("movement",), ()),
    "spell": (("hero", "enemy_hero"), ()),
    "prayer": (("hero", "enemy_hero"), ()),
    "charge": (("charge", "enemy_charge"), ("enemy_charge",)),
    "attack": (
        ("shooting", "combat", "enemy_shooting", "enemy_combat"),
        ("shooting", "combat", "enemy_shooting", "enemy_combat"),
    ),
    "control": (("end", "enemy_end"), ()),
}

#: Events that are what somebody does, and not who does it.
_BY = ("spell", "prayer")

_TOP = ("edition", "points", "goal", "without", "wound6", "cap", "units", "enemies", "events")


def read_turn(data: Mapping[str, Any], edition: str) -> Turn:
    """Read a turn.

    Parameters
    ----------
    data : mapping
        Tables and fields as in a file.
    edition : str
        The edition.

    Returns
    -------
    Turn
        The turn, checked.

    Raises
    ------
    InputError
        With the place, what was given, and what is allowed.
    """
    for key in data:
        if key not in _TOP:
            raise unknown("field of a turn", str(key), _TOP)
    for key in ("goal", "units", "events"):
        if key not in data:
            raise InputError(f"it is needed; a turn has {', '.join(_TOP)}", key)
    units = _units(data, "units", True) | _units(data, "enemies", False)
    both = [*_table(data["units"], "units"), *_table(data.get("enemies", {}), "enemies")]
    if not data["units"] or len(units) < len(both) or not 1 <= len(units) <= MOST_UNITS:
        raise InputError(f"{len(both)} units are given, 1 to {MOST_UNITS} with names of their own are allowed", "units")
    tables = data["events"]
    if not isinstance(tables, list) or not 1 <= len(tables) <= MOST_EVENTS:
        raise InputError(f"{show(tables)} is given, 1 to {MOST_EVENTS} tables are allowed", "events")
    events: list[Event] = []
    for place, table in enumerate(tables):
        events.append(_event(table, units, events, f"events[{place}]"))
    without = data.get("without", [])
    if not isinstance(without, list):
        raise InputError(f"{show(without)} is given, an array of commands is allowed", "without")
    for one in without:
        if one not in commands(edition):
            raise unknown("command", str(one), commands(edition), "without")
    readings = Readings(
        _read(Flag(), data.get("wound6", True), "wound6"),
        _read(Word({"net": "", "bonus": ""}), data.get("cap", "net"), "cap"),
    )
    points = _read(Whole(0, MOST_POINTS), data.get("points", 4), "points")
    goals = _goals(data["goal"], units, events)
    return Turn(edition, points, units, tuple(events), goals, frozenset(without), readings)


def _read(kind: Kind, value: Any, where: str) -> Any:
    try:
        return kind.read(value)
    except InputError as error:
        raise InputError(str(error), where) from None


def _table(value: Any, where: str) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise InputError(f"{show(value)} is given, a table is allowed", where)
    return value


def _fields(
    data: Mapping[str, Any], kinds: Mapping[str, Kind], where: str, besides: tuple[str, ...] = ()
) -> dict[str, Any]:
    """Read the fields of a table; what stands besides them is read elsewhere."""
    for key in data:
        if key not in kinds and key not in besides:
            raise unknown("field", str(key), (*besides, *kinds), where)
    return {key: _read(kind, data[key], f"{where}.{key}") for key, kind in kinds.items() if key in data}


# --- units ---------------------------------------------------------------------------------------------------------


def _units(data: Mapping[str, Any], side: str, own: bool) -> dict[str, Unit]:
    found = {}
    for given, table in _table(data.get(side, {}), side).items():
        where = f"{side}.{show(given).strip(chr(34))}"
        name = _name(given, where)
        fields = _fields(_table(table, where), UNIT, where)
        slain, carried = fields.pop("slain", 0), fields.pop("damage", 0)
        models, health = fields.get("models"), fields.get("health", 1)
        if (slain or carried) and (models is None or slain >= models or carried >= health):
            raise InputError("slain is less than models, damage on one model is less than its health", where)
        found[name] = Unit(name, own, lost=slain * health + carried, **fields)
    return found


def _name(given: Any, where: str) -> str:
    try:
        name = name_of(given if isinstance(given, str) else show(given))
    except InputError as error:
        raise InputError(str(error), where) from None
    if re.search(r"\s(and|if)\s", f" {name} "):
        raise InputError(f"{show(name)} is given, a name without the words and, if is allowed", where)
    return name


def _unit(given: Any, units: Mapping[str, Unit], where: str) -> Unit:
    name = given.strip() if isinstance(given, str) else show(given)
    if name not in units:
        raise unknown("unit", name, units, where)
    return units[name]


# --- events --------------------------------------------------------------------------------------------------------


def _event(table: Any, units: Mapping[str, Unit], events: list[Event], where: str) -> Event:
    data = _table(table, where)
    kinds = [kind for kind in EVENTS if kind in data]
    if not kinds:
        known = {"phase", "name", *(key for kind in EVENTS for key in (*EVENTS[kind], *_WHOM.get(kind, ())))}
        for key in map(str, data):
            if key not in known:
                raise unknown("kind of event", key, EVENTS, where)
    if len(kinds) != 1 or not isinstance(data.get("phase"), str):
        raise InputError(f"a table with phase and one of {', '.join(EVENTS)} is needed", where)
    [kind] = kinds
    whom = _WHOM.get(kind, ())
    fields = _fields(data, EVENTS[kind], where, (kind, "phase", "name", *whom))
    for key in _NEEDED.get(kind, ()):
        if key not in data:
            raise InputError("it is needed", f"{where}.{key}")
    when = phase(data["phase"], f"{where}.phase")
    thing = _name(data[kind], f"{where}.{kind}") if kind in (*_BY, "control") else ""
    who = "by" if kind in _BY else kind
    doer = "" if kind == "control" else _unit(data[who], units, f"{where}.{who}").name
    target = _unit(data["target"], units, f"{where}.target").name if "target" in data else ""
    made = {
        "name": _name(data["name"], f"{where}.name") if "name" in data else thing or doer,
        "kind": kind,
        "phase": when,
        "turn": _turn_of(when, events, where),
        "unit": doer,
        "target": thing if kind == "control" else target,
        "need": fields.pop("need", fields.pop("cv", fields.pop("value", fields.pop("distance", 0)))),
        "modifier": fields.pop("modifier", fields.pop("hit_modifier", 0)),
    }
    if kind == "control":
        made["contesting"] = _contesting(data["contesting"], units, events, f"{where}.contesting")
    event = Event(**made, **fields)
    _check(event, units, events, where)
    return event


def _turn_of(when: str, events: list[Event], where: str) -> int:
    """The number of the turn: the next one where the other player's phases begin."""
    if not events:
        return 0
    last = events[-1]
    if last.phase.startswith(ENEMY) != when.startswith(ENEMY):
        if last.turn:
            raise InputError("points are those of a battle round: one turn of yours and one of the enemy", where)
        return last.turn + 1
    if order(when) < order(last.phase):
        raise InputError(
            f"{when} is given after {last.phase}, events stand in the order of the phases", f"{where}.phase"
        )
    return last.turn


def _contesting(
    given: Any, units: Mapping[str, Unit], events: list[Event], where: str
) -> tuple[tuple[str, Goal | None], ...]:
    if not isinstance(given, list) or not 1 <= len(given) <= MOST_UNITS:
        raise InputError(f"{show(given)} is given, an array of units is allowed", where)
    found: list[tuple[str, Goal | None]] = []
    for one in given:
        name, condition, text = one.partition(" if ") if isinstance(one, str) else (one, "", "")
        goal = Goal(_atoms(text, units, events, where)) if condition else None
        found.append((_unit(name, units, where).name, goal))
    return tuple(found)


def _check(event: Event, units: Mapping[str, Unit], events: list[Event], where: str) -> None:
    own = event.kind == "control" or units[event.unit].own
    allowed = _PHASES[event.kind][not own]
    if event.phase not in allowed:
        whose = "yours" if own else "the enemy's"
        told = f"{' or '.join(allowed)} is allowed" if allowed else "there is none in a budget"
        raise InputError(f"{event.phase} is given for a {event.kind} of {whose}, {told}", f"{where}.phase")
    if event.kind in ("charge", "attack", *_BY) and event.target and units[event.target].own is own:
        raise InputError("its target is on the same side", f"{where}.target")
    if event.damage is not None and not event.target:
        raise InputError("its damage needs a target", where)
    if (event.kind == "rally" or event.each) and units[event.unit].models is None:
        raise InputError(f"{show(event.unit)} needs models and health", where)
    if event.reroll and own:
        raise InputError("it is for an enemy; yours is Forward to Victory", f"{where}.reroll")
    check_most(event.weapons, (units[event.unit].models or 1) if event.each else 1, f"{where}.weapons")
    if event.kind == "charge" and units[event.unit].in_combat:
        raise InputError(f"{show(event.unit)} is in combat as this begins: it does not charge", where)
    ran = any((one.kind, one.unit, one.turn) == ("run", event.unit, event.turn) for one in events)
    if ran and (event.kind == "charge" or event.phase == "shooting"):
        raise InputError(f"{show(event.unit)} ran this turn: it neither shoots nor charges", where)


# --- goals ---------------------------------------------------------------------------------------------------------

#: How a condition is written, by its kind.
CONDITIONS = {
    "damage": "damage UNIT >= N",
    "destroyed": "destroyed UNIT",
    "survives": "survives UNIT",
    "models": "models UNIT >= N",
    "charge": "charge UNIT",
    "charges": "charges >= N",
    "run": "run UNIT",
    "spell": "spell NAME",
    "prayer": "prayer NAME",
    "control": "control NAME",
}


def _goals(given: Any, units: Mapping[str, Unit], events: list[Event]) -> tuple[Goal, ...]:
    if isinstance(given, str):
        return (Goal(_atoms(given, units, events, "goal")),)
    if not isinstance(given, list) or not 1 <= len(given) <= MOST_EVENTS:
        raise InputError(f"{show(given)} is given, a text or tables with when and vp are allowed", "goal")
    found = []
    for place, table in enumerate(given):
        where = f"goal[{place}]"
        data = _table(table, where)
        fields = _fields(data, {"vp": Number(-100, 100)}, where, ("when",))
        found.append(Goal(_atoms(data.get("when"), units, events, f"{where}.when"), fields.get("vp", 1)))
    return tuple(found)


def _atoms(given: Any, units: Mapping[str, Unit], events: list[Event], where: str) -> tuple[Atom, ...]:
    text = given if isinstance(given, str) else ""
    return tuple(_atom(part.strip(), units, events, where) for part in re.split(r"\s+and\s+", text.strip()))


def _atom(text: str, units: Mapping[str, Unit], events: list[Event], where: str) -> Atom:
    match = re.fullmatch(r"(\w+)\s*(.*?)\s*(?:>=\s*(\d{1,5}))?", text)
    kind = match[1].casefold() if match else ""
    counted = kind in ("damage", "models", "charges")
    if (
        match is None
        or kind not in CONDITIONS
        or counted != (match[3] is not None)
        or (kind == "charges") == bool(match[2])
    ):
        raise InputError(f"{show(text)} is given, conditions are {'; '.join(CONDITIONS.values())}", where)
    atom = Atom(kind, match[2], int(match[3] or 1))
    if kind in ("damage", "destroyed", "survives", "models"):
        unit = _unit(atom.name, units, where)
        if kind != "damage" and unit.models is None:
            raise InputError(f"{show(unit.name)} needs models and health", where)
    elif kind != "charges":
        names = [one.name for one in events if one.kind == kind]
        if atom.name not in names:
            raise unknown(f"{kind} among the events", atom.name, names or ["none"], where)
    return atom
