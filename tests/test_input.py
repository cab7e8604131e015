"""The input boundary: what a scenario file may say, what it comes to, and what is said when it is wrong.

Expected numbers are never what tcsim printed: a scenario by names is set beside the same scenario by plain numbers, as
the rules give them, and that one is also played by the naive way.
"""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import naive
import pytest

import tcsim
from tcsim.base.errors import InputError, nearest, show
from tcsim.base.files import MAX_BYTES, parse_file
from tcsim.catalog import catalog
from tcsim.rules import edition, editions
from tcsim.scenario import model
from tcsim.scenario.problem import Problem
from tcsim.scenario.read import from_json, from_mapping, from_toml, read_scenario
from tcsim.scenario.resolve import Resolved, resolve
from tcsim.scenario.schema import scenario_schema

FILES = Path(__file__).parent / "data/scenarios"
VALID = sorted(path.name for path in (FILES / "valid").iterdir())

# What is wrong with each file in invalid/ (its text, which is no TOML or JSON; its shape, as a JSON Schema sees it; or
# its meaning), and what the message must contain.
INVALID = {
    "empty.toml": ("text", "empty.toml", "the input is empty"),
    "not-utf8.toml": ("text", "not-utf8.toml", "not UTF-8", "byte 9"),
    "truncated.json": ("text", "truncated.json", "not JSON", "line 1, column 37"),
    "trailing-comma.json": ("text", "trailing-comma.json", "not JSON", "line 1"),
    "repeated-key.json": ("text", "repeated-key.json", '"blood"', "twice"),
    "repeated-table.toml": ("text", "repeated-table.toml", "target", "twice", "line 3"),
    "nan.json": ("text", "nan.json", "NaN"),
    "array.json": ("shape", "an array is given", "target and attacks"),
    "no-target.toml": ("shape", "target", "missing"),
    "no-attacks.toml": ("shape", "attacks", "missing"),
    "empty-attacks.toml": ("shape", "attacks", "at least one attack", "empty"),
    "attacks-table.toml": ("shape", "attacks", "a table is given", "[[attacks]]"),
    "unknown-table.toml": ("shape", '"defender"', "attacker, target, attacks"),
    "misspelt-attacks.toml": ("shape", '"atacks"', 'did you mean "attacks"?'),
    "misspelt-field.toml": ("shape", "attacks[0]", '"covr"', 'did you mean "cover"?'),
    "event-and-more.toml": ("shape", "attacks[1]", "event alone", '"times"'),
    "unknown-event.toml": ("shape", "attacks[1].event", '"stands"', "target_activation", 'did you mean "stand"?'),
    "bool-for-number.toml": ("shape", "target.blood", "true is given", "whole number from 0 to 6"),
    "point-zero.json": ("shape", "target.blood", "1.0 is given", "without a decimal point"),
    "text-for-number.toml": ("shape", "attacks[0].times", '"2" is given', "whole number from 1 to 100"),
    "number-for-bool.json": ("shape", "target.down", "1 is given", "true or false"),
    "infinite-height.toml": ("shape", "attacks[0].height", "inf is given", "from 0 to 200"),
    "null-keywords.json": ("shape", "target.keywords", "nothing is given", "an array"),
    "number-keyword.json": ("shape", "attacks[0].keywords[1]", "1 is given", "text"),
    "blood-7.toml": ("shape", "target.blood", "7 is given", "0 to 6"),
    "shots-21.toml": ("shape", "attacks[0].shots", "21 is given", "1 to 20"),
    "times-0.toml": ("shape", "attacks[0].times", "0 is given", "1 to 100"),
    "dice-41.toml": ("shape", "attacks[0].action_dice", "41 is given", "-40 to 40"),
    "modifier-21.toml": ("shape", "attacks[0].injury_modifier", "-21 is given", "-20 to 20"),
    "armour-bonus.toml": ("shape", "target.injury_modifier", "1 is given", "-20 to 0"),
    "far-away.toml": ("shape", "attacks[0].distance", "-1 is given", "0 to 200"),
    "both-kinds.toml": ("shape", "attacks[0].kind", '"ranged and melee"', "ranged or melee"),
    "policy.toml": ("shape", "spend.blood_on_injury", '"greed"', "optimal", 'did you mean "greedy"?'),
    "empty-name.toml": ("shape", "attacks[0].weapon", '""', "not empty"),
    "option-unknown.toml": ("shape", "options", '"blodbath"', 'did you mean "bloodbath"?'),
    "option-reading.toml": ("shape", "options.obstacle_on_down", '"yes"', "false or true"),
    "edition.toml": ("shape", "edition", '"1.6"', 'did you mean "1.6.3"?', "1.0.2"),
    "weapon-misspelt.toml": ("meaning", "attacks[0].weapon", '"Bolt Action Rifel"', '"Bolt-Action Rifle"'),
    "weapon-ambiguous.toml": ("meaning", "attacks[0].weapon", "autocannon-bursts, autocannon-full-auto"),
    "weapon-other-edition.toml": ("meaning", "attacks[0].weapon", '"Dane Axe"', "1.6.3"),
    "unit-ambiguous.toml": ("meaning", "target.unit", "court-wretched, heretic-legions-wretched"),
    "armour-misspelt.toml": ("meaning", "target.armour[0]", '"Reenforced Armour"', '"Reinforced Armour"'),
    "keyword-lower-case.toml": ("meaning", "attacks[0].keywords[0]", '"fire"', 'did you mean "FIRE"?'),
    "keyword-twice.toml": ("meaning", "attacks[0].keywords", "ARMOUR PIERCING", "twice"),
    "keyword-twice-korean.toml": ("meaning", "attacks[0].keywords", "FIRE", "twice"),
    "keyword-of-a-model.toml": ("meaning", "attacks[0].keywords[0]", "TOUGH", "of a model, not of an attack"),
    "keyword-of-an-attack.toml": ("meaning", "target.keywords[0]", "FIRE", "of an attack, not of a model"),
    "keyword-other-edition.toml": ("meaning", "attacker.keywords[0]", '"AMMUNITION"', "1.6.3"),
    "keyword-with-number.toml": ("meaning", "attacks[0].keywords[0]", "CRITICAL", "no number"),
    "cover-in-melee.toml": ("meaning", "attacks[0]", "cover", "ranged", "melee"),
    "distance-in-melee.toml": ("meaning", "attacks[0]", "distance", "ranged", "melee"),
    "fear-at-range.toml": ("meaning", "attacks[0]", "fear", "melee", "ranged"),
    "two-body-armours.toml": ("meaning", "target.armour", "one body armour", "Standard Armour and Reinforced Armour"),
    "two-shields.toml": ("meaning", "target.armour", "one shield", "Trench Shield and Heavy Ballistic Shield"),
    "armour-twice.toml": ("meaning", "target.armour", "Standard Armour", "twice"),
    "machine-and-shield.toml": ("meaning", "target.armour", "Machine Armour", "Trench Shield"),
    "modifier-and-armour.toml": ("meaning", "target", "injury_modifier", "armour"),
    "modifier-and-unit.toml": ("meaning", "target", "injury_modifier", "unit"),
    "out-of-range.toml": ("meaning", "attacks[0].distance", '24.5"', '24"', "Bolt-Action Rifle"),
    "distance-without-weapon.toml": ("meaning", "attacks[0]", "distance", "long_range"),
    "contradiction.toml": ("meaning", "attacks[0]", "long_range = false", "distance"),
    "grenade-twice.toml": ("meaning", "attacks", "Grenades", "2 times", "carried is 1"),
    "cannot-shoot.toml": ("meaning", "attacks[0]", "War Wolf Assault Beast", "ranged"),
    "only-events.toml": ("meaning", "attacks", "at least one attack", "only events"),
    "too-many-rolls.toml": ("meaning", "attacks", "1,001", "at most 1,000"),
}


def scenario(
    edition: str = "1.6.3",
    target: dict[str, Any] | None = None,
    attacker: dict[str, Any] | None = None,
    options: dict[str, Any] | None = None,
    **attack: Any,
) -> dict[str, Any]:
    """A scenario with one attack."""
    made = {"edition": edition, "target": target or {}, "attacks": [attack]}
    return made | {"attacker": attacker or {}, "options": options or {}}


def resolved(given: dict[str, Any]) -> Resolved:
    return resolve(from_mapping(given))


def problem(given: dict[str, Any]) -> Problem:
    return resolved(given).problem


def complaint(given: Any) -> str:
    """The message for a wrong scenario; it must be one printable line that is not too long."""
    with pytest.raises(InputError) as caught:
        resolve(from_mapping(given))
    message = str(caught.value)
    assert message.isprintable()
    assert len(message) < 1000
    return message


# --- files --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", VALID)
def test_valid_files_are_answered(name: str) -> None:
    given = read_scenario(FILES / "valid" / name)
    result = tcsim.odds(given)
    assert math.isclose(sum(p for _, p in result.states), 1, abs_tol=1e-12)
    assert all(p > 0 for _, p in result.states)
    assert len({state for state, _ in result.states}) == len(result.states)
    assert result.to_dict()["id"] == given.id


def test_table_of_invalid_files_is_whole() -> None:
    assert sorted(INVALID) == sorted(path.name for path in (FILES / "invalid").iterdir())


@pytest.mark.parametrize("name", INVALID)
def test_invalid_files_are_refused(name: str) -> None:
    what, *words = INVALID[name]
    with pytest.raises(InputError) as caught:
        resolve(read_scenario(FILES / "invalid" / name))
    message = str(caught.value)
    assert message.isprintable()
    assert [word for word in words if word not in message] == []
    if what == "text":
        return
    data = parse_file(FILES / "invalid" / name)
    assert fits(data, SCHEMA) == (what == "meaning")


def test_what_a_file_may_be(tmp_path: Path) -> None:
    def said(name: str, content: bytes | None) -> str:
        if content is not None:
            (tmp_path / name).write_bytes(content)
        with pytest.raises(InputError) as caught:
            read_scenario(tmp_path / name)
        assert str(caught.value).isprintable()
        return str(caught.value)

    good = b'{"target": {}, "attacks": [{}]}'
    assert ".toml or .json" in said("scenario.yaml", good)
    assert ".toml or .json" in said("scenario", good)
    assert "cannot be read" in said("missing.toml", None)
    assert "cannot be read" in said("x" * 300 + ".toml", None)
    assert "cannot be read" in said("nul\0.json", None)
    assert "cannot be read" in said("half\ud800\nline\x1b[31m.json", None)
    (tmp_path / "folder.json").mkdir()
    assert "cannot be read" in said("folder.json", None)
    assert "1 MiB" in said("large.json", good + b" " * MAX_BYTES)
    assert "empty" in said("blank.json", b"\xef\xbb\xbf \r\n")
    (tmp_path / "SCENARIO.JSON").write_bytes(good)
    assert read_scenario(str(tmp_path / "SCENARIO.JSON")).target.blood == 0


# --- text ---------------------------------------------------------------------------------------------------

JSON, TOML = '{"target": {}, "attacks": [{}]}', "[target]\n[[attacks]]\n"


def test_texts_that_are_read() -> None:
    for text in (JSON, "\ufeff" + JSON, JSON.replace(" ", "\r\n"), " " * (MAX_BYTES - len(JSON)) + JSON):
        assert from_json(text) == from_json(text.encode()) == from_mapping({"target": {}, "attacks": [{}]})
    for text in (TOML, "\ufeff" + TOML, TOML.replace("\n", "\r\n"), TOML.rstrip(), "# \n" * 1000 + TOML):
        assert from_toml(text) == from_toml(text.encode()) == from_json(JSON)
    assert from_json('{"id": "\\ud83c\\udfb2", "target": {}, "attacks": [{}]}').id == "🎲"
    assert from_json('{"id": "a\\u0000\\u001b", "target": {}, "attacks": [{}]}').id == "a\0\x1b"


@pytest.mark.parametrize("text", ["", " \n\t", "\ufeff", "\0", "\x1b[31m", "[" * 100_000, '{"a":' * 100_000])
def test_texts_that_are_neither(text: str) -> None:
    for reader in (from_json, from_toml):
        with pytest.raises(InputError) as caught:
            reader(text)
        assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("\0" + JSON, "not JSON"),
        (JSON + "\0", "not JSON"),
        (JSON + JSON, "not JSON"),
        ("// note\n" + JSON, "not JSON"),
        (JSON.replace('"', "'"), "not JSON"),
        ('{"id": "a\0b"}', "not JSON"),
        ('{"id": "a\nb"}', "not JSON"),
        (JSON.replace("{}", '{"height": Infinity}'), "Infinity"),
        (JSON.replace("{}", '{"height": -Infinity}'), "-Infinity"),
        (JSON.replace("[{}]", '[{"height": 1e400}]'), "attacks[0].height: inf is given"),
        (JSON.replace("[{}]", '[{"height": -1e400}]'), "attacks[0].height: -inf is given"),
        (JSON.replace("[{}]", f'[{{"times": {"9" * 4000}}}]'), "attacks[0].times: a whole number of over"),
        (JSON.replace("[{}]", f'[{{"times": {"9" * 5000}}}]'), "too many digits"),
        (JSON.replace("[{}]", '[{"cover": true, "c\\u006fver": true}]'), '"cover" is given twice'),
        ('{"target": {}, "target": {}, "attacks": [{}]}', '"target" is given twice'),
        ('{"id": "\\ud800", "target": {}, "attacks": [{}]}', "lone surrogates"),
        ('{"\\ud800": 1, "target": {}, "attacks": [{}]}', "lone surrogates"),
        ('{"target": {}, "attacks": [{}], "options": {"\\ud800": 1}}', '"?"'),
        ("[" * 900 + "]" * 900, "an array is given"),
        ("null", "nothing is given"),
        ("true", "true is given"),
        ("1", "1 is given"),
        ('"x"', '"x" is given'),
    ],
    ids=lambda text: ascii(text[-40:]),
)
def test_wrong_json(text: str, word: str) -> None:
    for given in (text, text.encode()):
        with pytest.raises(InputError) as caught:
            resolve(from_json(given))
        assert word in str(caught.value)
        assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (TOML + "height = nan", "nan is given"),
        (TOML + "height = -inf", "-inf is given"),
        (TOML + "height = 1e400", "inf is given"),
        (TOML + "times = 1e0", "1.0 is given"),
        (TOML + "times = 0xFF", "255 is given"),
        (TOML + f"times = {'9' * 5000}", "cannot be read"),
        (TOML + f"times = 0x{'f' * 5000}", "a whole number of over 6"),
        (TOML + "times = 2020-01-01", "datetime.date is given"),
        (TOML + "times = 10:00:00", "datetime.time is given"),
        (TOML + "times = 2\ntimes = 3", "not TOML"),
        (TOML + "[target]\n", "not TOML"),
        (TOML + 'weapon = "a\0b"', "not TOML"),
        (TOML + 'weapon = "\\ud800"', "not TOML"),
        (TOML + "a = " + "[" * 5000 + "]" * 5000, "nested too deeply"),
        (TOML + "a.b.c = 1", '"a"'),
        (TOML.replace("\n", "\r"), "not TOML"),
    ],
    ids=lambda text: ascii(text[-40:]),
)
def test_wrong_toml(text: str, word: str) -> None:
    with pytest.raises(InputError, match=word):
        resolve(from_toml(text))


@pytest.mark.parametrize("encoded", ["é".encode("latin-1"), "{}".encode("utf-16"), b"\xed\xa0\x80", b"\xff"])
def test_only_utf8(encoded: bytes) -> None:
    for reader in (from_json, from_toml):
        with pytest.raises(InputError, match="not UTF-8: byte 0"):
            reader(encoded)


# --- every field and every wrong value ----------------------------------------------------------------------

TABLES = {
    "": model.Scenario,
    "attacker": model.Attacker,
    "target": model.Target,
    "attacks": model.Attack,
    "event": model.Event,
    "risky": model.Risky,
    "charge": model.Charge,
    "spend": model.SpendPolicy,
}
FIELDS = [(table, field) for table, kind in TABLES.items() for field in model.fields(kind)]
EVENTS = ("event", "risky", "charge")
MAYBE_NONE = {"id", "unit", "armour", "tough", "machine_armour_minor", "base_mm", "weapon", "kind", "shots", "carried"}
MAYBE_NONE |= {"spend.policy", "target.injury_modifier", "choice", "long_range", "elevated", "attacks.distance"}
MAYBE_NONE |= {"height", "label", "bonus", "doing"}  # and the move, where the attacker has a unit
WHOLE = {
    **{f"{model}.{field}": (0, 6) for model in ("attacker", "target") for field in ("blood", "blessing")},
    **dict.fromkeys(("target.injury_dice", "attacks.injury_dice", "attacks.action_dice"), (-40, 40)),
    **dict.fromkeys(("target.infection", "target.paid", "attacks.paid"), (0, 6)),
    "target.injury_modifier": (-20, 0),
    "attacks.injury_modifier": (-20, 20),
    "target.base_mm": (10, 300),
    "attacks.shots": (1, 20),
    "attacks.times": (1, 100),
    "attacks.carried": (1, 100),
    "attacks.friends": (0, 20),
    "risky.action_dice": (-40, 40),
}
DECIMAL = dict.fromkeys(("attacks.distance", "attacks.height"), (0, 200))
FLAGS = {"down", "tough", "machine_armour_minor", "cover", "long_range", "elevated"}
FLAGS |= {"defended_obstacle", "off_hand", "fear"}
FLAGS |= {
    "not_activated",
    "charging",
    "fireteam",
    "behind_obstacle",
    "indirect",
    "blast_obstacle",
    "retreating",
    "prepared",
    "diving_charge",
    "halved",
}
NAMES = {"edition", "unit", "weapon"}
LISTS = {"keywords", "armour", "abilities", "auras", "policy"}
STRANGE = [10**400, -(10**20), 1.5, -0.0, float("nan"), float("inf"), "", "x", "1", "true", "x" * 100_000]
STRANGE += ["\ud800", "\x1b[31m\n", "\u202e", [], [[]], [None], [1], ["\ud800"], {}, {"a": 1}, {1: 2}, (), {"x"}]
STRANGE += [b"x", None, True, 1, -1, 1.0, object(), lambda: 1]


def with_value(table: str, field: str, value: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"target": {}, "attacks": [{}]}
    if table == "":
        return made | {field: value}
    if table == "attacks":
        made["attacks"] = [{field: value}]
    elif table == "event":
        made["attacks"].append({"event": "stand", field: value})
    elif table == "risky":
        made["attacks"].append({"event": "risky", field: value})
    elif table == "charge":
        made["attacks"].append({"event": "charge", "distance": 5, "move": 6, field: value})
    else:
        made[table] = {field: value}
    return made


def can_be_right(table: str, field: str, value: Any) -> bool:
    """Whether the contract allows a value in a field, for the values in STRANGE."""
    place, kind = f"{table}.{field}", type(value)
    if value is None:
        return field in MAYBE_NONE or place in MAYBE_NONE
    if place in WHOLE:
        return kind is int and WHOLE[place][0] <= value <= WHOLE[place][1]
    if place in ("charge.distance", "charge.move"):
        return kind in (int, float) and 0 <= value <= 12
    if field == "label":
        return kind is str and 0 < len(value) <= 200 and value != "\ud800"
    if place in DECIMAL:
        return field == "height" and kind in (int, float) and 0 <= value <= 200
    if field in FLAGS:
        return value is True and field not in ("defended_obstacle", "off_hand", "fear", "diving_charge")
    if field in LISTS:
        return kind is list and not value
    if field == "id":
        return kind is str and len(value) <= 1000 and value != "\ud800"
    if place in (".attacker", ".target", ".spend", ".options"):
        return kind is dict and not value
    return False


@pytest.mark.parametrize(("table", "field"), FIELDS, ids=[f"{table}.{field}".strip(".") for table, field in FIELDS])
def test_every_field_refuses_what_is_wrong(table: str, field: str) -> None:
    for value in STRANGE:
        given = with_value(table, field, value)
        if can_be_right(table, field, value):
            tcsim.odds(given)
            continue
        message = complaint(given)
        if field not in ("attacks", "options", *LISTS) and not isinstance(value, dict):
            assert field in message, (value, message)


@pytest.mark.parametrize("table", TABLES)
def test_unknown_fields_are_named(table: str) -> None:
    for field in (
        "bogus",
        "",
        "0",
        "a.b",
        "a\n\x1b[31m",
        "x" * 100_000,
        "[key]",
        *(["event"] if table not in EVENTS else []),
    ):
        if (table, field) == ("attacks", "event"):
            continue
        message = complaint(with_value(table, field, 1))
        assert show(field) in message
        assert "event alone" in message or "there is" in message
    for field in (1, None, ("a",), 1.5):
        assert "key" in complaint(with_value(table, field, 1))  # type: ignore[arg-type]
    for field in model.fields(TABLES[table]):
        if table not in EVENTS:
            assert f'did you mean "{field}"?' in complaint(with_value(table, field.upper() + "S", 1))


@pytest.mark.parametrize("place", [*WHOLE, *DECIMAL])
def test_limits(place: str) -> None:
    table, field = place.split(".")
    low, high = (WHOLE | DECIMAL)[place]

    def with_limit(value: Any) -> dict[str, Any]:
        given = with_value(table, field, value)
        if field == "carried":
            given["attacks"][0]["keywords"] = ["GRENADE"]
        if field == "distance":
            given["attacks"][0]["weapon"] = "Infernal Bomb"  # its range is 36
        return given

    for value in (low, high):
        if (field, value) != ("distance", high):
            resolved(with_limit(value))
    step = 1 if place in WHOLE else 1e-9
    for value in (low - step, high + step, 10**5000, -(10**5000)):
        message = complaint(with_limit(value))
        assert ("attacks" if table in EVENTS else table) in message
        assert f"number from {low} to {high}" in message
        assert message.split(": ")[1].startswith(show(value))


def test_limit_of_attack_rolls() -> None:
    assert problem(scenario(shots=10, times=100)).rolls == 1000
    assert "at least 1,010 attack" in complaint({"target": {}, "attacks": [{"shots": 10, "times": 100}, {"shots": 10}]})
    assert "these are 1,197 attack" in complaint(
        {"target": {}, "attacks": [{"times": 100}] * 9 + [{"weapon": "Machine Gun", "times": 99}]}
    )
    assert "100,000" in complaint({"target": {}, "attacks": [{}] * 100_000})
    assert "only events" in complaint({"target": {}, "attacks": [{"event": "activation"}] * 3})
    events = [{"event": "stand"}, {"event": "activation"}]
    assert problem({"target": {}, "attacks": [*events * 500, {}]}).rolls == 1
    twenty = tcsim.odds(scenario(shots=20, times=50, action_dice=-40))
    assert twenty.out_of_action < 1e-6


def test_other_containers_are_named() -> None:
    from types import MappingProxyType

    assert from_mapping(MappingProxyType({"target": {}, "attacks": [{}]})) == from_json(JSON)
    ready = from_json(JSON)
    assert from_mapping(ready) is ready
    assert "a tuple is given" in complaint({"target": {}, "attacks": ({},)})
    numpy = pytest.importorskip("numpy")
    assert "numpy.int64 is given" in complaint(scenario(target={"blood": numpy.int64(3)}))
    deep: dict[str, Any] = {}
    for _ in range(100_000):
        deep = {"a": deep}
    assert '"a"' in complaint({"target": {}, "attacks": [{}], "options": deep})
    itself: dict[str, Any] = {"attacks": [{}]}
    itself["target"] = itself
    assert '"attacks"' in complaint(itself)


def test_options() -> None:
    for name in editions():
        options = edition(name).options
        for option in options.values():
            for reading in option.values:
                answer = resolved(scenario(name, options={option.name: reading}))
                assert answer.options == ({} if reading == option.default else {option.name: reading})
            for wrong in (
                "",
                "x",
                0,
                1,
                1.0,
                None,
                [],
                {},
                float("nan"),
                "TRUE",
                "x" * 1000,
                str(option.default) + "!",
            ):
                message = complaint(scenario(name, options={option.name: wrong}))
                assert f"options.{option.name}" in message
                assert all(str(value).lower() in message for value in option.values)
        for wrong in ("bogus", "", "Bloodbath", "x" * 1000):
            assert 'did you mean "bloodbath"' in (message := complaint(scenario(name, options={wrong: 1}))) or (
                all(option in message for option in options)
            )


# --- names --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("id", editions())
def test_every_row_is_found_by_id_and_label(id: str) -> None:
    rows = catalog(id)
    for weapon in rows.weapons:
        for name in (weapon.id, weapon.label, f"  {weapon.label.upper()} "):
            found = [row for row in rows.named(name) if row.kind_of_row == "weapon"]
            assert weapon in found
            if len(found) == 1:
                assert rows.weapon(name) is weapon
        assert rows.weapon(weapon.id) is weapon
    for armour in rows.armour_rows:
        assert rows.armour(armour.id) is rows.armour(armour.id.upper()) is armour
        assert rows.armour(armour.name.lower()).name == armour.name
    for unit in rows.units:
        assert rows.unit(unit.id) is rows.unit(unit.label) is rows.unit(unit.label.upper()) is unit


def test_name_forms() -> None:
    for name in (
        "bolt-action-rifle",
        "Bolt-Action Rifle",
        "BOLT-ACTION RIFLE",
        " bolt-action  rifle ",
        "Bolt‑Action Rifle",
    ):
        assert problem(scenario(weapon=name)) == problem(scenario())
    for name in ("Heretic Trooper", "heretic trooper @heretic-legions", "heretic-legions-heretic-trooper"):
        assert problem(scenario(target={"unit": name})) == problem(scenario())
    ghost = {"unit": "Heretic Trooper @heretic-legions-ghosts"}  # the variant has FEAR and NEGATE GAS
    by_numbers = {"keywords": ["FEAR", "NEGATE GAS"]}
    melee = {"kind": "melee", "keywords": ["GAS"]}
    assert problem(scenario(target=ghost, **melee)) == problem(scenario(target=by_numbers, **melee))
    for name in ("평갑", "평 갑", "Standard Armour", "standard-armour"):
        assert problem(scenario(target={"armour": [name]})) == problem(scenario(target={"injury_modifier": -1}))
    for ranged in ("Pistol / Revolver (ranged)", "pistol / revolver (RANGED)", "pistol"):
        assert resolved(scenario(weapon=ranged)).actions[0].kind == "ranged"
    assert resolved(scenario(weapon="Pistol / Revolver", kind="melee")).actions[0].kind == "melee"
    assert resolved(scenario(weapon="Pistol / Revolver", kind="ranged")).actions[0].kind == "ranged"
    assert "pistol, pistol-melee" in complaint(scenario(weapon="Pistol / Revolver"))
    for name in ("x", "\x1b[1mBolt-Action Rifle\n", "Bolt-Action Rifle (melee)", "Ж" * 200, "   ", "%s{0}", "../x"):
        for place in ({"weapon": name}, {"target": {"unit": name}}, {"target": {"armour": [name]}}):
            assert "there is no" in complaint(scenario(**place))
    assert nearest("rifle", ["Bolt-Action Rifle"]) == "Bolt-Action Rifle"


# --- names beside numbers -----------------------------------------------------------------------------------

MECHANISED = "Mechanised Heavy Infantry (Machine Armour) @new-antioch"
STANDARD_AND_ICON = ["Standard Armour", "Holy Icon Shield"]


def armoured(*names: str, **more: Any) -> dict[str, Any]:
    return {"armour": list(names), **more}


def modified(modifier: int, **more: Any) -> dict[str, Any]:
    return {"injury_modifier": modifier, **more}


def melee(**more: Any) -> dict[str, Any]:
    return {"kind": "melee", **more}


# A scenario by names, and what the rules say it comes to in numbers.
TWINS: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "no armour": (scenario(weapon="Bolt-Action Rifle"), scenario()),
    "standard": (scenario(target=armoured("Standard Armour")), scenario(target=modified(-1))),
    "reinforced": (scenario(target=armoured("Reinforced Armour")), scenario(target=modified(-2))),
    "machine": (scenario(target=armoured("Machine Armour")), scenario(target=modified(-3))),
    "shield": (scenario(target=armoured("Trench Shield")), scenario(target=modified(-1))),
    "reinforced and shield": (scenario(target=armoured("중갑", "참호 방패")), scenario(target=modified(-3))),
    "no names": (scenario(target={"armour": []}), scenario()),
    "machine and ballistic shield gives cover": (
        scenario(target=armoured("Machine Armour", "Heavy Ballistic Shield")),
        scenario(target=modified(-3), cover=True),
    ),
    "cover of a shield and of terrain is one": (
        scenario(target=armoured("Heavy Ballistic Shield"), cover=True),
        scenario(cover=True),
    ),
    "cover of a shield is none in melee": (
        scenario(target=armoured("Heavy Ballistic Shield"), **melee()),
        scenario(**melee()),
    ),
    # merging
    "the unit's dice": (scenario(attacker={"unit": "Heretic Priest"}), scenario(action_dice=2)),
    "unit, weapon and attack are added": (
        scenario(attacker={"unit": "Heretic Priest"}, weapon="Shotgun", action_dice=-1, injury_dice=2),
        scenario(action_dice=2, injury_dice=2, keywords=["SHOTGUN"]),
    ),
    "injury dice are added": (scenario(weapon="Musket", injury_dice=3), scenario(injury_dice=2)),
    "injury modifiers are added": (
        scenario(weapon="Kilij", injury_modifier=2),
        scenario(**melee(injury_modifier=3, keywords=["CRITICAL"])),
    ),
    "keywords are joined": (
        scenario(weapon="Hellblade", keywords=["GAS", "FIRE"]),
        scenario(**melee(injury_dice=1, keywords=["FIRE", "GAS"])),
    ),
    "the weapon's shots": (scenario(weapon="Machine Gun"), scenario(shots=3)),
    "shots replace": (scenario(weapon="Machine Gun", shots=2), scenario(shots=2)),
    "kind replaces": (scenario(weapon="Trench Club", kind="ranged", cover=True), scenario(cover=True)),
    "the target's injury dice are added": (
        scenario(target=armoured("Martyrdom Pills", injury_dice=-2)),
        scenario(target={"injury_dice": -3}),
    ),
    # what a unit comes with
    "included armour": (scenario(target={"unit": "Hell Knight"}), scenario(target=modified(-2))),
    "included armour is not counted twice": (
        scenario(target={"unit": "Hell Knight", "armour": ["Infernal Iron Armour"]}),
        scenario(target=modified(-2)),
    ),
    "included armour and a shield": (
        scenario(target={"unit": "Anointed Heavy Infantry", "armour": ["trench-shield", "reinforced-armour"]}),
        scenario(target=modified(-3)),
    ),
    "included armour has its other rules": (
        scenario(target={"unit": "Combat Engineer"}, keywords=["SHRAPNEL", "FIRE"]),
        scenario(target=modified(-2, keywords=["NEGATE SHRAPNEL"], injury_dice=-1), keywords=["SHRAPNEL", "FIRE"]),
    ),
    "impervious included armour": (
        scenario(target={"unit": "Hell Knight"}, keywords=["IGNORE ARMOUR", "ARMOUR PIERCING 9"]),
        scenario(target=modified(-2)),
    ),
    # armour that is ignored or pierced
    "armour ignored": (
        scenario(target=armoured("Reinforced Armour", "Trench Shield"), keywords=["IGNORE ARMOUR"]),
        scenario(),
    ),
    "a number is armour": (scenario(target=modified(-4), keywords=["IGNORE ARMOUR"]), scenario()),
    "impervious armour": (
        scenario(target=armoured("Damascus Armour", "Trench Shield"), keywords=["IGNORE ARMOUR"]),
        scenario(target=modified(-2)),
    ),
    "impervious shield": (
        scenario(target=armoured(*STANDARD_AND_ICON), keywords=["IGNORE ARMOUR"]),
        scenario(target=modified(-1)),
    ),
    "impervious shield, pierced": (
        scenario(target=armoured(*STANDARD_AND_ICON), keywords=["ARMOUR PIERCING 3"]),
        scenario(target=modified(-1)),
    ),
    "pierced": (
        scenario("1.0.2", armoured("Standard Armour", "Trench Shield"), keywords=["ARMOUR PIERCING"]),
        scenario("1.0.2", modified(-1)),
    ),
    "pierced by 2": (scenario(target=modified(-3), keywords=["ARMOUR PIERCING 2"]), scenario(target=modified(-1))),
    "pierced to 0": (scenario(target=modified(-1), keywords=["ARMOUR PIERCING 3"]), scenario()),
    "pierced nothing": (scenario(keywords=["ARMOUR PIERCING 3"], injury_modifier=-1), scenario(injury_modifier=-1)),
    "pierced and ignored": (
        scenario(target=modified(-3), keywords=["ARMOUR PIERCING", "IGNORE ARMOUR"]),
        scenario(),
    ),
    "infested rifle": (
        scenario(target=armoured("Reinforced Armour"), weapon="Infested Rifle"),
        scenario(target=modified(-1)),
    ),
    "a pistol in melee is rolled with the ranged characteristic": (
        {"attacker": {"unit": "Communicant"}, "target": {}, "attacks": [{"weapon": "Pistol / Revolver (melee)"}]},
        {"target": {}, "attacks": [{"kind": "melee", "action_dice": -3}]},
    ),
    "or, released, with the better of the two": (
        {
            "edition": "1.0.2",
            "attacker": {"unit": "Communicant"},
            "target": {},
            "attacks": [{"weapon": "Pistol (melee)"}],
        },
        {"edition": "1.0.2", "target": {}, "attacks": [{"kind": "melee", "action_dice": 2}]},
    ),
    "infested rifle, released": (
        scenario("1.0.2", armoured("Reinforced Armour"), weapon="Infested Rifle"),
        scenario("1.0.2", modified(-1)),
    ),
    "dane axe": (
        scenario("1.0.2", modified(-3), weapon="Dane Axe"),
        scenario("1.0.2", modified(-1), **melee(injury_dice=1, keywords=["CRITICAL"])),
    ),
    "shield ignored": (
        scenario(target=armoured("Standard Armour", "Trench Shield"), weapon="Shotel"),
        scenario(target=modified(-1), **melee(keywords=["CRITICAL"])),
    ),
    "armour ignored, its dice stay": (
        scenario(target=armoured("Martyrdom Pills", "Standard Armour"), keywords=["IGNORE ARMOUR"]),
        scenario(target={"injury_dice": -1}),
    ),
    "armour ignored, its dice too, released": (
        scenario("1.0.2", armoured("Fire Shield"), keywords=["IGNORE ARMOUR"]),
        scenario("1.0.2"),
    ),
    "kit that is no armour is not ignored": (
        scenario("1.0.2", armoured("Holy Smoke", "Standard Armour"), keywords=["IGNORE ARMOUR"]),
        scenario("1.0.2", {"injury_dice": -1}),
    ),
    "given dice are no armour, released": (
        scenario("1.0.2", modified(-1, injury_dice=-1), keywords=["IGNORE ARMOUR"]),
        scenario("1.0.2", {"injury_dice": -1}),
    ),
    # the cap
    "no cap": (scenario(target=modified(-3), injury_modifier=-2), scenario(target=modified(-5))),
    "cap": (scenario("1.0.2", modified(-4), injury_modifier=-2), scenario("1.0.2", modified(-3))),
    "cap before positive": (
        scenario("1.0.2", modified(-5), injury_modifier=2),
        scenario("1.0.2", modified(-3), injury_modifier=2),
    ),
    "cap after adding": (
        scenario("1.0.2", modified(-6), options={"negative_modifier_cap": "after-adding"}, injury_modifier=2),
        scenario("1.0.2", modified(-3)),
    ),
    "cap and armour ignored": (
        scenario("1.0.2", modified(-3), injury_modifier=-2, keywords=["IGNORE ARMOUR"]),
        scenario("1.0.2", injury_modifier=-2),
    ),
    # machine armour
    "machine armour of New Antioch": (
        scenario(target={"unit": MECHANISED}),
        scenario(target=modified(-3, machine_armour_minor=True)),
    ),
    "machine armour of a New Antioch keyword": (
        scenario(target=armoured("Machine Armour", keywords=["NEW ANTIOCH"])),
        scenario(target=modified(-3, machine_armour_minor=True)),
    ),
    "New Antioch without machine armour": (
        scenario(target=armoured("Reinforced Armour", keywords=["NEW ANTIOCH"])),
        scenario(target=modified(-2)),
    ),
    "machine armour, released": (
        scenario("1.0.2", armoured("Machine Armour")),
        scenario("1.0.2", modified(-3, machine_armour_minor=True)),
    ),
    "machine armour of anyone": (
        scenario(target=armoured("Machine Armour"), options={"machine_armour_wearers": "any"}),
        scenario(target=modified(-3, machine_armour_minor=True)),
    ),
    "machine armour of New Antioch alone, released": (
        scenario("1.0.2", armoured("Machine Armour"), options={"machine_armour_wearers": "new-antioch"}),
        scenario("1.0.2", modified(-3)),
    ),
    "machine_armour_minor replaces": (
        scenario(target={"unit": MECHANISED, "machine_armour_minor": False}),
        scenario(target=modified(-3)),
    ),
    "armour ignored, Minor Hit stays": (
        scenario(target={"unit": MECHANISED}, keywords=["IGNORE ARMOUR"]),
        scenario(target={"machine_armour_minor": True}),
    ),
    # TOUGH, FEAR and other keywords
    "the unit's TOUGH": (scenario(target={"unit": "Communicant"}), scenario(target={"tough": True})),
    "tough replaces the unit's": (scenario(target={"unit": "Communicant", "tough": False}), scenario()),
    "TOUGH by keyword": (scenario(target={"keywords": ["TOUGH"]}), scenario(target={"tough": True})),
    "tough replaces the keyword": (scenario(target={"keywords": ["강인함"], "tough": False}), scenario()),
    "FEAR of the target": (
        scenario(target={"unit": "Amalgam", "tough": False}, **melee()),
        scenario(target={"injury_dice": -2}, **melee(fear=True)),  # it is Corpulent
    ),
    "FEAR counts once": (
        scenario(target={"keywords": ["FEAR"]}, **melee(fear=True)),
        scenario(**melee(action_dice=-1)),
    ),
    "FEAR does not reach far": (scenario(target={"keywords": ["FEAR"]}), scenario()),
    "FEAR against FEAR": (
        scenario(target={"keywords": ["FEAR"]}, attacker={"keywords": ["FEAR"]}, **melee()),
        scenario(**melee()),
    ),
    "FEAR against NEGATE FEAR": (
        scenario(attacker={"keywords": ["NEGATE FEAR"]}, **melee(fear=True)),
        scenario(**melee()),
    ),
    "the unit's NEGATE FEAR": (
        scenario(attacker={"unit": "Yeoman (Swiss Guard)"}, **melee(fear=True)),
        scenario(**melee()),
    ),
    "markers negated": (
        scenario(target={"keywords": ["NEGATE FIRE", "NEGATE SHRAPNEL"]}, keywords=["FIRE", "GAS", "SHRAPNEL"]),
        scenario(keywords=["GAS"]),
    ),
    "markers negated by the unit": (scenario(target={"unit": "Yoke Fiend"}, keywords=["FIRE"]), scenario()),
    "markers negated by armour": (scenario(target=armoured("Combat Helmet"), keywords=["SHRAPNEL"]), scenario()),
    "off-hand ignored by the unit": (
        scenario(attacker={"unit": "Dervish @iron-sultanate-fidai"}, **melee(off_hand=True)),
        scenario(**melee(action_dice=1)),
    ),
    # situations
    "all at range": (
        scenario(cover=True, long_range=True, elevated=True, action_dice=3, attacker={"down": True}),
        scenario(action_dice=1),
    ),
    "all in melee": (
        scenario(**melee(defended_obstacle=True, off_hand=True, fear=True), options={"obstacle_on_down": True}),
        scenario(**melee(action_dice=-3)),
    ),
    "a grenade ignores cover and distance": (
        scenario(weapon="Grenades", cover=True, distance=8, height=3),
        scenario(keywords=["SHRAPNEL"], elevated=True),
    ),
    "the keyword GRENADE does so": (scenario(keywords=["GRENADE"], cover=True, long_range=True), scenario()),
    "GRENADE is a mere word, released": (
        scenario("1.0.2", keywords=["GRENADE"], cover=True, long_range=True),
        scenario("1.0.2", action_dice=-2),
    ),
    "shotgun far away": (
        scenario("1.0.2", weapon="Shotgun", distance=7),
        scenario("1.0.2", action_dice=1, injury_dice=-1),
    ),
    "an automatic hit has no situation": (
        scenario(weapon="Flamethrower", cover=True, long_range=True, attacker={"down": True}),
        scenario(injury_dice=-1, keywords=["FIRE", "AUTO-HIT"]),
    ),
    "deadly": (scenario(weapon="Malebranche Sword"), scenario(**melee(keywords=["DEADLY"]))),
    "deadly twice is three dice": (
        scenario(weapon="Malebranche Sword", keywords=["DEADLY"]),
        scenario(**melee(keywords=["DEADLY"])),
    ),
}


@pytest.mark.parametrize("name", TWINS)
def test_names_come_to_the_numbers_of_the_rules(name: str) -> None:
    named, numbers = TWINS[name]
    assert problem(named) == problem(numbers)
    assert problem({**named, "id": name}).fingerprint == problem(numbers).fingerprint
    out = tcsim.odds(named, fractions=True).to_dict()["fraction"]
    assert out == str(naive.final_states(numbers).get(naive.OUT, 0))


@pytest.mark.parametrize("name", ["reinforced", "the unit's dice", "all at range", "machine", "FEAR of the target"])
def test_twins_would_differ(name: str) -> None:
    assert problem(TWINS[name][0]) != problem(scenario())


@pytest.mark.parametrize(
    ("id", "option", "distance", "far"),
    [
        ("1.6.3", {}, 11.999, False),
        ("1.6.3", {}, 12, True),
        ("1.6.3", {}, 24, True),
        ("1.6.3", {}, 0, False),
        ("1.6.3", {"long_range": "beyond-half"}, 12, False),
        ("1.0.2", {}, 12, False),
        ("1.0.2", {}, 12.001, True),
        ("1.0.2", {"long_range": "half-or-more"}, 12.0, True),
    ],
)
def test_distance(id: str, option: dict[str, str], distance: float, far: bool) -> None:
    rifle = {"edition": id, "weapon": "Bolt-Action Rifle", "options": option}
    measured = problem(scenario(**rifle, distance=distance))
    assert measured == problem(scenario(**rifle, long_range=far))
    assert measured == problem(scenario(**rifle, distance=distance, long_range=far))
    assert "contradicts" in complaint(scenario(**rifle, distance=distance, long_range=not far))


@pytest.mark.parametrize(
    ("id", "option", "target", "height", "high"),
    [
        ("1.6.3", {}, {}, 2, False),
        ("1.6.3", {}, {}, 2.001, True),
        ("1.6.3", {}, {"base_mm": 49}, 3, True),
        ("1.6.3", {}, {"base_mm": 50}, 4, False),
        ("1.6.3", {}, {"base_mm": 50}, 4.001, True),
        ("1.6.3", {}, {"unit": "Pit Locust"}, 4, False),  # its base is 30 by 60 mm
        ("1.6.3", {}, {"unit": "Pit Locust", "base_mm": 40}, 4, True),
        ("1.6.3", {}, {"unit": "Hell Knight"}, 4, True),
        ("1.6.3", {"elevated": "at-least"}, {}, 2, True),
        ("1.6.3", {"elevated": "at-least"}, {}, 1.999, False),
        ("1.6.3", {"elevated": "at-least"}, {"base_mm": 60}, 4, True),
        ("1.0.2", {}, {}, 2.999, False),
        ("1.0.2", {}, {}, 3, True),
        ("1.0.2", {}, {"base_mm": 120}, 3, True),
        ("1.0.2", {"elevated": "more-than"}, {}, 3, False),
    ],
)
def test_height(id: str, option: dict[str, str], target: dict[str, Any], height: float, high: bool) -> None:
    given = {"edition": id, "target": target, "options": option}
    measured = problem(scenario(**given, height=height))
    assert measured == problem(scenario(**given, elevated=high))
    assert measured != problem(scenario(**given, elevated=not high))
    assert "contradicts" in complaint(scenario(**given, height=height, elevated=not high))


@pytest.mark.parametrize("id", editions())
def test_flags_of_the_other_kind(id: str) -> None:
    ranged = {"cover": True, "long_range": True, "elevated": True, "distance": 0, "height": 0}
    close = {"defended_obstacle": True, "off_hand": True, "fear": True}
    for name, value in ranged.items():
        assert f"{name} belongs to ranged attacks" in complaint(scenario(id, **melee(**{name: value})))
        assert f"{name} belongs to ranged attacks" in complaint(scenario(id, weapon="Trench Club", **{name: value}))
    for name, value in close.items():
        assert f"{name} belongs to melee attacks" in complaint(scenario(id, **{name: value}))
        assert f"{name} belongs to melee attacks" in complaint(
            scenario(id, weapon="Bolt-Action Rifle", **{name: value})
        )
    off = {name: False for name in (*ranged, *close) if name not in ("distance", "height")}
    assert problem(scenario(id, **off)) == problem(scenario(id))
    assert problem(scenario(id, **melee(**off))) == problem(scenario(id, **melee()))


def test_carried() -> None:
    grenades = {"weapon": "Grenades"}
    for attacks in ([grenades], [{**grenades, "times": 2, "carried": 2}], [grenades, {**grenades, "carried": 2}]):
        resolved({"target": {}, "attacks": attacks})
    for attacks in (
        [{**grenades, "times": 2}],
        [{**grenades, "shots": 2}],
        [{**grenades, "shots": 2, "times": 2, "carried": 3}],
        [{**grenades, "carried": 2}, {"event": "stand"}, {**grenades, "times": 2}],
        [{"keywords": ["CONSUMABLE"], "times": 2}],
        [{"keywords": ["GRENADE"], "times": 2}],
    ):
        assert "carried is" in complaint({"target": {}, "attacks": attacks})
    resolved({"target": {}, "attacks": [{"keywords": ["GRENADE"]}, {"keywords": ["GRENADE"]}]})
    resolved({"edition": "1.0.2", "target": {}, "attacks": [{"weapon": "Frag Grenades", "times": 3}]})
    assert "Satchel Charge" in complaint(scenario("1.0.2", weapon="Satchel Charge", times=2))


def test_keywords() -> None:
    for name in editions():
        rules = edition(name)
        for word in rules.keywords.values():
            text = f"{word.name} 1" if word.number == "required" else word.name
            for place, kind in (("attacks", "attack"), ("attacker", "model"), ("target", "model")):
                given = with_value(place, "keywords", [text]) | {"edition": name}
                if word.on in (kind, "any"):
                    resolved(given)
                    for wrong in (text.lower(), text.title(), f" {text}", f"{text} "):
                        assert f'did you mean "{word.name}"?' in complaint(
                            with_value(place, "keywords", [wrong]) | {"edition": name}
                        )
                    assert "twice" in complaint(with_value(place, "keywords", [text, text]) | {"edition": name})
                else:
                    assert "is a keyword of" in complaint(given)
                if word.number == "none" and word.on in (kind, "any"):
                    assert "takes no number" in complaint(
                        with_value(place, "keywords", [f"{word.name} 2"]) | {"edition": name}
                    )


def test_armour_that_cannot_be_worn() -> None:
    def armour(*names: str, edition: str = "1.6.3", **more: Any) -> str:
        return complaint(scenario(edition, armoured(*names, **more)))

    assert "cannot be combined" in armour("Trench Shield", "Machine Armour")
    assert "cannot be combined" in armour("Machine Armour", "Holy Icon Shield", edition="1.0.2")
    assert "cannot be combined" in armour("Trench Shield", unit=MECHANISED)
    assert "one body armour" in armour("Standard Armour", unit="Anointed Heavy Infantry")
    assert "twice" in armour("Combat Helmet", "combat-helmet")
    for fine in (["Machine Armour", "Heavy Ballistic Shield"], ["Combat Helmet", "Gas Mask", "Martyrdom Pills"]):
        for name in editions():
            resolved(scenario(name, armoured(*fine)))
    both = {"injury_modifier": 0}
    assert "injury_modifier" in complaint(scenario(target={**both, "armour": []}))
    assert "injury_modifier" in complaint(scenario(target={**both, "unit": "Trench Pilgrim"}))


def test_notes() -> None:
    def notes(**given: Any) -> tuple[str, ...]:
        return resolved(scenario(**given)).notes

    assert notes() == notes(keywords=["FIRE", "CRITICAL", "ARMOUR PIERCING"]) == ()
    assert notes(keywords=["HEAVY", "FIRE", "BLAST 3"]) == ("Changes no dice here: HEAVY, BLAST.",)
    assert notes(target={"keywords": ["ELITE", "TOUGH"]}) == ("Changes no dice here: ELITE.",)
    assert notes(attacker={"keywords": ["FEAR", "TOUGH"]}) == ("Changes no dice here: TOUGH.",)
    assert notes(target={"keywords": ["NEGATE FEAR", "NEGATE GAS"]}) == ("Changes no dice here: NEGATE FEAR.",)
    new_antioch = armoured("Machine Armour", keywords=["NEW ANTIOCH"])
    assert notes(target=new_antioch) == ()
    assert notes(edition="1.0.2", target=new_antioch) == ("Changes no dice here: NEW ANTIOCH.",)
    for place in ({"keywords": ["INFECTION MARKERS"]}, {"target": {"keywords": ["GOLEM", "REGENERATE 1"]}}):
        assert notes(**place) == ()
    [note] = notes(edition="1.0.2", target={"keywords": ["IMPERVIOUS"]})
    assert note.startswith("Not counted yet: ")
    for name in editions():
        rows = catalog(name)
        weapon = next(row for row in rows.weapons if row.unmodelled and row.kind == "melee" and row.injury_keep)
        for text in weapon.unmodelled:
            assert f"Not counted yet: {weapon.name}: {text}." in notes(edition=name, weapon=weapon.id)
        unit = next(row for row in rows.units if row.unmodelled and not row.options)
        for text in unit.unmodelled:
            assert f"Not counted yet: {unit.name}: {text}." in notes(edition=name, target={"unit": unit.id})
    made_up = next(row for row in catalog("1.0.2").weapons if row.third_party)
    assert f"{made_up.name} is not in the official books." in notes(edition="1.0.2", weapon=made_up.id)


# --- the JSON Schema ----------------------------------------------------------------------------------------

SCHEMA = scenario_schema()
TYPES = {
    "object": dict, "array": list, "string": str, "boolean": bool, "null": type(None),
    "integer": int, "number": (int, float),
}  # fmt: skip


def fits(value: Any, schema: Any, whole: Any = SCHEMA) -> bool:
    """Whether a value fits a JSON Schema, of as much of the language as tcsim's needs (and 1.0 is no integer)."""
    if "$ref" in schema:
        return fits(value, whole["$defs"][schema["$ref"].rpartition("/")[2]], whole)
    for word in ("anyOf", "oneOf", "allOf"):
        if word in schema:
            ways = [fits(value, part, whole) for part in schema[word]]
            if not any(ways) or (word == "oneOf" and sum(ways) > 1) or (word == "allOf" and not all(ways)):
                return False
    kind = schema.get("type")
    if kind is not None and (not isinstance(value, TYPES[kind]) or (isinstance(value, bool) and kind != "boolean")):
        return False
    if "enum" in schema and not any(value == one and type(value) is type(one) for one in schema["enum"]):
        return False
    if "const" in schema and value != schema["const"]:
        return False
    if isinstance(value, (int, float)) and not schema.get("minimum", -math.inf) <= value <= schema.get(
        "maximum", math.inf
    ):
        return False
    if isinstance(value, float) and not math.isfinite(value):
        return False
    if isinstance(value, str) and not schema.get("minLength", 0) <= len(value) <= schema.get("maxLength", math.inf):
        return False
    if isinstance(value, str) and re.search(schema.get("pattern", ""), value) is None:
        return False
    if isinstance(value, list):
        few = schema.get("minItems", 0) <= len(value) <= schema.get("maxItems", math.inf)
        return few and all(fits(one, schema.get("items", {}), whole) for one in value)
    if isinstance(value, dict):
        if any(name not in value for name in schema.get("required", ())):
            return False
        few = schema.get("minProperties", 0) <= len(value) <= schema.get("maxProperties", math.inf)
        return few and all(fits(one, of_key(key, schema), whole) for key, one in value.items())
    return True


def of_key(key: str, schema: Any) -> Any:
    """The schema of what stands under a key; one that nothing fits where the key is not allowed."""
    if key in schema.get("properties", {}):
        return schema["properties"][key]
    for pattern, part in schema.get("patternProperties", {}).items():
        if re.search(pattern, key):
            return part
    rest = schema.get("additionalProperties", True)
    return rest if isinstance(rest, dict) else {} if rest else {"enum": []}


@pytest.mark.parametrize("name", VALID)
def test_valid_files_fit_the_schema(name: str) -> None:
    assert fits(parse_file(FILES / "valid" / name), SCHEMA)


def test_schema_says_what_the_reader_does() -> None:
    """Every field, with every strange value: what the schema refuses and what reading refuses are the same."""
    keyed = {
        "properties",
        "items",
        "anyOf",
        "oneOf",
        "allOf",
        "enum",
        "const",
        "minimum",
        "maximum",
        "required",
        "type",
    }
    keyed |= {"minLength", "maxLength", "minItems", "additionalProperties", "$ref", "$defs", "$schema", "discriminator"}
    keyed |= {"title", "description", "default", "examples"}
    assert words_of(SCHEMA) <= keyed
    for table, field in FIELDS:
        for value in STRANGE:
            try:
                data = json.loads(json.dumps(given := with_value(table, field, value), allow_nan=False))
            except (TypeError, ValueError):
                continue  # nothing that JSON can say
            if data != given or "\\ud800" in json.dumps(given):
                continue
            try:
                from_mapping(data)
                reads = True
            except InputError:
                reads = False
            if field == "edition":
                reads = value in editions()
            if field == "options" and value == {"a": 1}:
                reads = False
            assert fits(data, SCHEMA) == reads, (table, field, value)


def words_of(schema: Any) -> set[str]:
    """Every word of the schema language that a schema uses."""
    found: set[str] = set()
    if isinstance(schema, dict):
        for word, part in schema.items():
            found.add(word)
            if word in ("properties", "$defs"):
                found |= set().union(*(words_of(one) for one in part.values()))
            elif word in ("items", "anyOf", "oneOf", "allOf", "additionalProperties"):
                found |= words_of(part)
    elif isinstance(schema, list):
        found |= set().union(*(words_of(one) for one in schema))
    return found


def test_schema_has_every_field_and_option() -> None:
    places = {"Attacker": "attacker", "Target": "target", "Attack": "attacks", "Event": "event", "SpendPolicy": "spend"}
    places |= {"Risky": "risky", "Charge": "charge"}
    for definition, table in places.items():
        part = SCHEMA["$defs"][definition]
        assert list(part["properties"]) == list(model.fields(TABLES[table]))
        assert part["additionalProperties"] is False
    assert list(SCHEMA["properties"]) == list(model.fields(model.Scenario))
    assert SCHEMA["required"] == ["target", "attacks"]
    for name in editions():
        given = SCHEMA["properties"]["options"]["properties"]
        assert {key: set(one["enum"]) for key, one in given.items()} == {
            key: set(option.values) for key, option in edition(name).options.items()
        }
    assert json.loads(json.dumps(SCHEMA)) == SCHEMA
