"""Plain data to a checked firefight or game, with one clear sentence for whatever is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from tcsim.base.errors import InputError, show, unknown
from tcsim.rules import DEFAULT_EDITION, edition
from tcsim.scenario import model as scenario
from tcsim.scenario.read import read_attacks, read_table, read_value
from tcsim.skirmish import model as m

#: Most attackers and most targets of a firefight, and most models of a warband.
MAX_ATTACKERS, MAX_TARGETS, MAX_MODELS = 1000, 200, 20

#: Most pairs of a table of attackers and one of targets: each is a scenario of its own. (Those of a game many times.)
MAX_PAIRS, MAX_GAME_PAIRS = 1000, 100

#: What optimal targeting can be for.
GOALS = ("out", "morale", "flight")

_FIREFIGHT = ("id", "edition", "attackers", "targets", "targeting", "goal", "spend", "morale", "options")
_GAME = ("id", "edition", "warband", "turns", "rules", "spend", "options")
_WARBAND = ("name", "models", "targeting", "spend", "dice")
#: Fields of a model that it has as an attacker too; the others are only what it is like to hit.
_BOTH = ("unit", "armour", "keywords", "abilities", "auras", "blood", "blessing", "down")


def read_firefight(data: Any) -> m.Firefight:
    """Check the shape of a firefight.

    Parameters
    ----------
    data : mapping or Firefight
        As in a file: ``attackers`` and ``targets`` are required.

    Returns
    -------
    Firefight
        Well formed; names of the catalogue are checked when it is resolved.

    Raises
    ------
    InputError
        With the place, what was given, and what is allowed.

    Examples
    --------
    >>> read_firefight({"attackers": [], "targets": [{}]})
    Traceback (most recent call last):
    ...
    tcsim.base.errors.InputError: attackers: at least one is needed, the array is empty
    """
    if isinstance(data, m.Firefight):
        return data
    _check_keys(data, _FIREFIGHT, "a firefight", ("attackers", "targets"))
    spend = _spend(data.get("spend", {}), "spend", scenario.SpendPolicy())
    targets: list[m.Target] = []
    for table, where in _tables(data["targets"], "targets"):
        targets.append(_target(read_table(m.Aim, table, where), "target", targets))
    _distinct(targets, "targets")
    names = [one.name for one in targets]
    attackers: list[m.Attacker] = []
    for table, where in _tables(data["attackers"], "attackers"):
        attackers.append(_attacker(table, where, spend, names, attackers))
    _distinct(attackers, "attackers")
    _few(sum(one.count for one in attackers), MAX_ATTACKERS, "attackers")
    _few(sum(one.count for one in targets), MAX_TARGETS, "targets")
    _few_pairs(len(attackers), len(targets), MAX_PAIRS, "attackers")
    found = m.Firefight(
        _edition(data),
        tuple(attackers),
        tuple(targets),
        _word(data.get("targeting", "optimal"), m.TARGETINGS, "targeting"),
        _word(data.get("goal", "out"), GOALS, "goal"),
        read_table(m.Morale, data.get("morale", {}), "morale"),
        read_value(scenario.fields(scenario.Scenario)["options"], data.get("options", {}), "options"),
        read_value(scenario.fields(scenario.Scenario)["id"], data.get("id"), "id"),
    )
    _check_morale(found)
    return found


def read_game(data: Any) -> m.Game:
    """Check the shape of a game of two warbands.

    Parameters
    ----------
    data : mapping or Game
        As in a file: two tables ``warband`` are required.

    Returns
    -------
    Game
        Well formed; names of the catalogue are checked when it is resolved.

    Raises
    ------
    InputError
        With the place, what was given, and what is allowed.

    Examples
    --------
    >>> one = {"models": [{"count": 2, "attacks": [{}]}]}
    >>> read_game({"warband": [one, one]}).warbands[1].name
    'B'
    """
    if isinstance(data, m.Game):
        return data
    _check_keys(data, _GAME, "a game", ("warband",))
    spend = _spend(data.get("spend", {}), "spend", scenario.SpendPolicy())
    tables = _tables(data["warband"], "warband")
    if len(tables) != 2:
        raise InputError(f"{_told(len(tables))} given, a game has two warbands", "warband")
    bands = tuple(_warband(table, where, "AB"[i], spend) for i, (table, where) in enumerate(tables))
    _distinct(bands, "warband")
    _few_pairs(len(bands[0].fighters), len(bands[1].fighters), MAX_GAME_PAIRS, "warband")
    rules = data.get("rules", {})
    if "turns" in data:
        if isinstance(rules, dict) and "turns" in rules:
            raise InputError("turns are given twice, beside rules and in it", "turns")
        turns = read_value(scenario.fields(m.Rules)["turns"], data["turns"], "turns")
        rules = {**rules, "turns": turns} if isinstance(rules, dict) else rules
    return m.Game(
        _edition(data),
        (bands[0], bands[1]),
        read_table(m.Rules, rules, "rules"),
        read_value(scenario.fields(scenario.Scenario)["options"], data.get("options", {}), "options"),
        read_value(scenario.fields(scenario.Scenario)["id"], data.get("id"), "id"),
    )


def _warband(data: Any, where: str, letter: str, spend: scenario.SpendPolicy) -> m.Warband:
    _check_keys(data, _WARBAND, where, ("models",), where)
    spend = _spend(data.get("spend", {}), f"{where}.spend", spend)
    fighters: list[m.Fighter] = []
    for table, at in _tables(data["models"], f"{where}.models"):
        own, attacks, spending, _ = _parts(table, at, spend)
        given = read_table(m.Model, own, at)
        target = _target(given, "model", [one.target for one in fighters])
        shared = {name: getattr(given, name) for name in _BOTH}
        fighters.append(
            m.Fighter(
                target,
                m.Attacker(scenario.Attacker(**shared), target.name, target.count, attacks, spending),
                given.leader,
            )
        )
    _distinct([one.target for one in fighters], f"{where}.models")
    _few(sum(one.target.count for one in fighters), MAX_MODELS, f"{where}.models")
    leaders = sum(one.target.count for one in fighters if one.leader)
    if leaders > 1:
        raise InputError(f"{leaders} models are the leader, a warband has one", f"{where}.models")
    return m.Warband(
        _line(read_value(scenario.Name, data.get("name", letter), f"{where}.name"), f"{where}.name"),
        tuple(fighters),
        _word(data.get("targeting", "focus"), m.GAME_TARGETINGS, f"{where}.targeting"),
        read_value(scenario.Dice, data.get("dice", 0), f"{where}.dice"),
    )


def _attacker(
    data: Any, where: str, spend: scenario.SpendPolicy, names: list[str], others: list[m.Attacker]
) -> m.Attacker:
    own, attacks, spending, against = _parts(data, where, spend)
    given = read_table(m.Shooter, own, where)
    for name in against:
        if name not in names:
            raise unknown("target", str(name), names, f"{where}.against")
    situations = {name: read_table(m.Situation, table, f"{where}.against.{name}") for name, table in against.items()}
    who = scenario.Attacker(**{name: getattr(given, name) for name in scenario.Attacker.__struct_fields__})
    return m.Attacker(who, _name(given, "attacker", others), given.count, attacks, spending, situations)


def _parts(data: Any, where: str, spend: scenario.SpendPolicy) -> tuple[dict[Any, Any], list[Any], Any, dict[Any, Any]]:
    """Take apart what stands in an attacker's table: itself, its attacks, its spending, and single targets."""
    if not isinstance(data, dict):
        raise InputError(f"{show(data)} is given, a table is allowed", where)
    own = {key: value for key, value in data.items() if key not in ("attacks", "spend", "against")}
    if "attacks" not in data:
        raise InputError("it is missing; an attacker has at least one attack", f"{where}.attacks")
    attacks = read_attacks(data["attacks"], f"{where}.attacks")
    for number, attack in enumerate(attacks):
        if not isinstance(attack, scenario.Attack):
            raise InputError("an activation holds attacks, an event is given", f"{where}.attacks[{number}]")
    against = data.get("against", {})
    if not isinstance(against, dict):
        raise InputError(f"{show(against)} is given, a table is allowed", f"{where}.against")
    return own, attacks, _spend(data.get("spend", {}), f"{where}.spend", spend), against


def _name(given: m.Shooter | m.Aim | m.Model, what: str, others: Sequence[m.Attacker | m.Target]) -> str:
    """What it is called: as it says, by its unit (with a number where that is taken), or by its number."""
    if given.name is not None:
        return _line(given.name, f"name of {what} {len(others) + 1}")
    number = len(others) + 1
    if given.unit is None:
        return f"{what} {number}"
    return given.unit if given.unit not in [one.name for one in others] else f"{given.unit} {number}"


def _line(name: str, where: str) -> str:
    if not name.isprintable():
        raise InputError(f"{show(name)} is given, a name is one line of signs that can be printed", where)
    return name


def _target(given: m.Aim | m.Model, what: str, others: list[m.Target]) -> m.Target:
    who = scenario.Target(**{name: getattr(given, name) for name in scenario.Target.__struct_fields__})
    return m.Target(who, _name(given, what, others), given.count)


def _spend(data: Any, where: str, usual: scenario.SpendPolicy) -> scenario.SpendPolicy:
    """Read a spending policy; what it does not say is as usual."""
    given = read_table(scenario.SpendPolicy, data, where)
    said = {name: getattr(given, name) for name in data}
    return msgspec.structs.replace(usual, **said)


def _tables(data: Any, where: str) -> list[tuple[Any, str]]:
    if not isinstance(data, list):
        raise InputError(f"{show(data)} is given, an array of tables is allowed", where)
    if not data:
        raise InputError("at least one is needed, the array is empty", where)
    return [(table, f"{where}[{i}]") for i, table in enumerate(data)]


def _check_keys(data: Any, known: tuple[str, ...], what: str, needed: tuple[str, ...], where: str = "") -> None:
    if not isinstance(data, Mapping):
        raise InputError(f"{show(data)} is given, {what} is a table with {' and '.join(needed)}", where)
    for key in data:
        if not isinstance(key, str):
            raise InputError(f"the key {show(key)} is given, a key is text", where)
        if key not in known:
            raise unknown("field", key, known, where)
    for name in needed:
        if name not in data:
            raise InputError(f"it is missing; {what} has at least {' and '.join(needed)}", f"{where}.{name}".strip("."))


def _edition(data: Mapping[str, Any]) -> str:
    return edition(read_value(scenario.Name, data.get("edition", DEFAULT_EDITION), "edition")).id


def _word(value: Any, words: tuple[str, ...], where: str) -> str:
    if not isinstance(value, str):
        raise InputError(f"{show(value)} is given, {', '.join(words[:-1])} or {words[-1]} is allowed", where)
    if value not in words:
        raise unknown(where.rpartition(".")[2], value, words, where)
    return value


def _distinct(named: Sequence[m.Attacker | m.Target | m.Warband], where: str) -> None:
    names = [one.name for one in named]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"the name {show(name)} is given twice", where)


def _few(number: int, most: int, where: str) -> None:
    if number > most:
        raise InputError(f"these are {number:,}, at most {most:,} are allowed", where)


def _few_pairs(one: int, other: int, most: int, where: str) -> None:
    if one * other > most:
        text = f"{one} tables against {other} are {one * other:,} pairs, at most {most:,} are allowed"
        raise InputError(f"{text}; say with count how many are alike", where)


def _told(number: int) -> str:
    return "1 is" if number == 1 else f"{number} are"


def _check_morale(fight: m.Firefight) -> None:
    targets, morale = sum(one.count for one in fight.targets), fight.morale
    models = morale.models if morale.models is not None else targets + morale.already
    if models < targets + morale.already:
        beside = f" and {morale.already} beside them" * bool(morale.already)
        raise InputError(f"{models} is given, there are {targets} targets{beside}", "morale.models")
    names = [one.name for one in fight.targets if one.count == 1]
    if morale.leader is not None and morale.leader not in ("elsewhere", "none", *names):
        raise unknown("target of count 1", morale.leader, [*names, "elsewhere", "none"], "morale.leader")
