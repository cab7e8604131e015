"""The JSON Schemas of files beside scenarios: what fits them is what is read, and nothing else."""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any

import duels
import pytest
from test_cli import run
from test_input import fits
from test_skirmish import FIGHTS
from test_skirmish_games import GAMES

from tcsim.base.errors import InputError
from tcsim.cli.schema import SCHEMAS
from tcsim.duels.given import from_mapping
from tcsim.situations import ASK
from tcsim.situations.activation_file import read_activation
from tcsim.skirmish.read import read_firefight, read_game

READERS: dict[str, Callable[[Any], Any]] = {
    "activation": read_activation, "duel": from_mapping, "firefight": read_firefight, "turn": read_game,
}  # fmt: skip
STORM = {
    "edition": "1.0.2",
    "target": {"down": True},
    "attacks": [{"kind": "melee"}, {"weapon": "Sword / Axe", "off_hand": True}],
    "activation": {
        "steps": [
            {"risky": {"action_dice": 1, "label": "a leap"}},
            {"charge": {"distance": 9.5, "bonus": "d3", "after": ["a leap"]}},
            {"attack 1": {"after": ["charge"]}},
            "attack 2",
            {"retreat": {"free_attacks": [{"kind": "melee"}], "model": {"injury_modifier": -1}}},
        ],
        "in_melee": False,
    },
}
FIGHT = {
    **FIGHTS[0],
    "goal": "morale",
    "targets": [{"name": "one", "count": 2}],
    "attackers": [{"attacks": [{}], "against": {"one": {"cover": True, "distance": 3}}, "count": 3}],
}
GAME = {**GAMES[0], "turns": 3, "rules": {"smaller": "left", "stand": "turn"}}
VALID: dict[str, list[dict[str, Any]]] = {
    "activation": [STORM],
    "duel": [duels.approaching(random.Random(seed), 3) for seed in range(10)],
    "firefight": [FIGHT, *FIGHTS],
    "turn": [GAME, *GAMES],
}


def schema(name: str) -> Any:
    return json.loads(run("schema", name).out)


def example(name: str) -> dict[str, Any]:
    """The file that comes with tcsim."""
    [file] = [one for one in ASK.question(name).inputs if one.name == "file"]
    return dict(file.kind.read("example").data)


def reads(name: str, data: Any) -> bool:
    try:
        READERS[name](data)
    except InputError:
        return False
    return True


def tables(data: Any) -> Iterator[dict[str, Any]]:
    """Every table in some data."""
    if isinstance(data, dict):
        yield data
    for part in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from tables(part)


def changed(data: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The data with one thing strange: a key more, or a value that may be wrong there."""
    for number, table in enumerate(tables(data)):
        if table is data.get("options"):
            continue  # looked at later, as the edition is
        for key in {*table, "nonsense"} - {"edition", "options"}:
            for value in (None, True, -5, 2.5, "nonsense", [], {}, {"nonsense": 1}):
                found = copy.deepcopy(data)
                list(tables(found))[number][key] = value
                yield found


@pytest.mark.parametrize("name", READERS)
def test_what_is_read_fits(name: str) -> None:
    found = schema(name)
    assert found["title"] == f"tcsim {name}"
    for data in (example(name), *VALID[name]):
        assert reads(name, data)
        assert fits(data, found, found)


#: What no schema says: names that have to be those of something else in the file, and sums.
BEYOND = ("free_attacks", "after", "against", "models", "already", "leader", "label")


@pytest.mark.parametrize("name", READERS)
def test_what_fits_is_read(name: str) -> None:
    """Strange data in every place: the schema refuses what reading refuses, names and sums aside."""
    found, refused = schema(name), 0
    for data in changed(VALID[name][0]):
        fit, read = fits(data, found, found), reads(name, data)
        refused += not read
        assert fit or not read, data
        if fit and not read:
            with pytest.raises(InputError) as caught:
                READERS[name](data)
            assert any(word in str(caught.value) for word in BEYOND), (data, str(caught.value))
    assert refused > 100


def test_a_scenario_is_what_is_printed_where_nothing_is_said() -> None:
    assert run("schema").out == run("schema", "scenario").out
    assert set(SCHEMAS) == {"scenario", *READERS}
    wrong = run("schema", "dule")
    assert (wrong.status, wrong.out) == (2, "")


def test_options_of_a_duel_are_in_its_schema() -> None:
    options = schema("duel")["properties"]["options"]["properties"]
    assert options["stand_at"]["enum"] == ["turn", "activation"]
    assert set(schema("scenario")["properties"]["options"]["properties"]) < set(options)
