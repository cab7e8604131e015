"""Targets as people write them, and mixes: what is read, what is refused, and that mixes count what they say."""

from __future__ import annotations

import csv
import tomllib
from collections import Counter
from pathlib import Path

import pytest

from tcsim.analysis.compare.mixes import mixes, read_mix
from tcsim.analysis.compare.targets import Target, read_targets
from tcsim.base.errors import InputError
from tcsim.base.lang import speaking
from tcsim.catalog import catalog

DATA = Path(__file__).parent.parent / "tcsim" / "catalog" / "data"


@pytest.mark.parametrize(
    ("text", "names", "tables"),
    [
        ("0,-1,−2", ["no armour", "-1", "-2"], [{"injury_modifier": n} for n in (0, -1, -2)]),
        ("-2,tough,blood=2,down", ["-2, TOUGH, 2 blood, Down"],
         [{"injury_modifier": -2, "tough": True, "blood": 2, "down": True}]),
        ("-1,tough // -1", ["-1, TOUGH", "-1"], [{"injury_modifier": -1, "tough": True}, {"injury_modifier": -1}]),
        ("standard armour+Trench Shield", ["Standard Armour + Trench Shield"],
         [{"armour": ["standard-armour", "trench-shield"]}]),
        ("중갑,강인함", ["Reinforced Armour, TOUGH"], [{"armour": ["reinforced-armour"], "keywords": ["강인함"]}]),
        ("Heretic Trooper+Standard Armour,NEGATE FIRE,-3",
         ["Heretic Trooper + Standard Armour, NEGATE FIRE", "-3"],
         [{"unit": "heretic-legions-heretic-trooper", "armour": ["standard-armour"], "keywords": ["NEGATE FIRE"]},
          {"injury_modifier": -3}]),
        ("Yeoman @new-antioch", ["Yeoman"], [{"unit": "new-antioch-yeoman"}]),
        ("blood=3,FEAR", ["no armour, 3 blood, FEAR"], [{"blood": 3, "keywords": ["FEAR"]}]),
        ("model", ["no armour"], [{}]),
    ],
)  # fmt: skip
def test_texts(text: str, names: list[str], tables: list[dict[str, object]]) -> None:
    found = read_targets(text)
    assert [one.table for one in found] == tables
    assert [one.name for one in found] == names


def test_weights_and_kinds_of_input() -> None:
    table = {"injury_modifier": -3, "name": "a wall, <b>bold</b>", "weight": 4}
    own = Target("mine", {"injury_modifier": -1, "blood": 1}, 2.0)
    found = read_targets(["0.5x -2 // 3× Heretic Trooper,blood=1", 0, table, own])
    assert [one.weight for one in found] == [0.5, 3.0, 1.0, 4.0, 2.0]
    assert [one.name for one in found[2:]] == ["no armour", "a wall, <b>bold</b>", "mine"]
    assert "name" in table  # what is given is left as it is


def test_labels_are_told_in_the_language_of_the_moment() -> None:
    one = read_targets("Reinforced Armour+Trench Shield,tough,down,blood=2")[0]
    assert one.label == one.name
    with speaking("ko"):
        assert one.label == "중갑 + 참호 방패, 강인함, 중상, 유혈 표식 2개"


@pytest.mark.parametrize("edition", ["1.6.3", "1.0.2"])
def test_units_of_one_name_are_told_apart(edition: str) -> None:
    twins = Counter(unit.name for unit in catalog(edition).units if not unit.third_party and not unit.variant)
    name = next(name for name, number in twins.items() if number > 1)
    labels = [unit.label for unit in catalog(edition).units if unit.name == name and not unit.variant]
    assert [one.name for one in read_targets(labels, edition)] == labels


def test_a_name_with_commas_is_one_name(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    file.write_text('edition = "both"\n[[armour]]\nname = "Wall, high, thick"\nslot = "body"\ninjury_modifier = -3\n')
    rows = catalog("1.6.3", [str(file)])
    found = read_targets("-1,wall, high, thick,tough", catalog=rows)
    assert [one.name for one in found] == ["-1", "Wall, high, thick, TOUGH"]


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ("", "nothing between two commas"), ("0,,1", "nothing between two commas"), ([], "at least one target"),
        ("Heretic Trooper,tuogh", 'did you mean "tough"'), ("Standrd Armour", 'did you mean "Standard Armour"'),
        (True, "true is given"), (1.5, "1.5 is given"), (None, "nothing is given"), (10**400, "from -20 to 0"),
        ("3", "a whole number from -20 to 0"), ("-2,blood=9", "from 0 to 6"), ("0,0", "given twice"),
        ("0x -2", 'the weight "0"'), ("1/0x -2", 'the weight "1/0"'), ({"weight": float("nan")}, "the weight nan"),
        ({"weight": float("inf")}, "the weight inf"), ({"weight": True}, "the weight true"), ({"name": 3}, "name: 3"),
        ({"nam": "x"}, 'no field "nam"'), ({1: 2}, "the key 1"), ("Standard Armour+Heretic Trooper", "no armour"),
        ("Heretic Trooper,unit=Yeoman", "unit is given twice"), ("a" * 10_000, "no armour or unit"),
        ("Standard Armour+Reinforced Armour", "at most one body armour"), (["-2 tough"], "no armour or unit"),
        ([*range(-20, 1), *("\u202egnp" for _ in range(1))], "no armour or unit"),
        ([{"blood": n % 7, "blessing": n // 7 % 7, "infection": n // 49} for n in range(201)], "at most 200 targets"),
    ],
)  # fmt: skip
def test_what_is_refused(given: object, said: str) -> None:
    with pytest.raises(InputError, match="targets") as error:
        read_targets(given)
    assert said in str(error.value)
    assert len(str(error.value)) < 400
    assert "\n" not in str(error.value)


# --- mixes -------------------------------------------------------------------------------------------------------


def by_hand(edition: str, elite: bool | None) -> Counter[tuple[int, bool]]:
    """Armour and TOUGH of the starting warbands, straight from the files of the catalogue."""

    def rows(file: str) -> dict[str, dict[str, str]]:
        lines = csv.DictReader((DATA / f"{file}.csv").read_text(encoding="utf-8").splitlines())
        return {row["id"]: row for row in lines if row["edition"] == edition}

    units, armour = rows("units"), rows("armour")
    found: Counter[tuple[int, bool]] = Counter()
    for warband in tomllib.loads((DATA / f"warbands-{edition}.toml").read_text(encoding="utf-8"))["warband"]:
        for model in warband["model"]:
            unit = units[model["unit"]]
            words = unit["keywords"].split(";")
            if elite is not None and elite != ("ELITE" in words):
                continue
            own = unit["armour_ids"].split(";")
            worn = [armour[id] for id in (*model.get("armour", []), *model.get("equipment", [])) if id in armour]
            more = sum(int(row["injury_modifier"]) for row in worn if row["id"] not in own)
            tough = any(word.split(" ")[0] == "TOUGH" for word in words)
            found[int(unit["injury_modifier"]) + more, tough] += model.get("count", 1)
    return found


@pytest.mark.parametrize("edition", ["1.6.3", "1.0.2"])
@pytest.mark.parametrize(("name", "elite"), [("warbands", None), ("infantry", False), ("elites", True)])
def test_a_mix_counts_the_models_of_the_starting_warbands(edition: str, name: str, elite: bool | None) -> None:
    mix = read_mix(name, edition)
    told = {(t.table["injury_modifier"], t.table.get("tough", False)): t.weight for t in mix.targets}
    assert told == by_hand(edition, elite)
    assert mix.why == mixes()[name]["why"]


def test_every_mix_can_be_read_and_says_why() -> None:
    for name in mixes():
        for edition in ("1.6.3", "1.0.2"):
            mix = read_mix(name, edition)
            assert len(mix.targets) > 3
            assert len(mix.why) > 20
            assert len({one.name for one in mix.targets}) == len(mix.targets)
    assert sum(one.weight for one in read_mix("units").targets) == sum(by_hand("1.6.3", None).values())


def test_a_mix_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('why = "us"\n[[target]]\narmour = ["Standard Armour"]\nweight = 3\n[[target]]\nunit = "Yeoman"\n')
    mix = read_mix(str(file))
    assert [(one.name, one.weight) for one in mix.targets] == [("Standard Armour", 3.0), ("Yeoman", 1.0)]
    assert mix.why == "us"
    file.write_text("[[targets]]\n")
    with pytest.raises(InputError, match=r"a mix has \[\[target\]\] tables"):
        read_mix(str(file))
    with pytest.raises(InputError, match='there is no mix "infantri"; did you mean "infantry"'):
        read_mix("infantri")
