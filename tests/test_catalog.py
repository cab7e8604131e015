"""The catalogue: every row loads, is sane and found by its names; well-known rows against the sources."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
import unicodedata
import zipfile
from collections import Counter
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

import tcsim
from tcsim.base.errors import InputError
from tcsim.catalog import Armour, Catalog, Price, Row, Unit, Weapon, as_record, catalog, fold
from tcsim.rules import edition
from tcsim.rules.effects import read_abilities, read_effects
from tcsim.rules.mechanisms import CONDITIONS, COUNTERS, TARGETS, WITH_MEASURE, WITH_WORDS, left_out

EDITIONS = ("1.6.3", "1.0.2")
DATA = files("tcsim.catalog") / "data"


def cells(file: str, edition_id: str = "") -> list[dict[str, str]]:
    """The lines of a file as they stand there, of one edition or of all."""
    lines = csv.DictReader((DATA / f"{file}.csv").read_text(encoding="utf-8").splitlines())
    return [line for line in lines if edition_id in ("", line["edition"])]


def every_row(edition_id: str) -> Iterator[Row]:
    rows = catalog(edition_id)
    yield from rows.weapons
    yield from rows.armour_rows
    yield from rows.units


def find(rows: Catalog, row: Row, name: str, kind: str | None = None) -> Row:
    if isinstance(row, Weapon):
        return rows.weapon(name, kind)
    return rows.armour(name) if isinstance(row, Armour) else rows.unit(name)


# --- counts, ids, ranges ------------------------------------------------------------------------------------

#: Official rows and third-party rows by edition and kind.
COUNTS = {
    ("1.6.3", "weapon"): (123, 4),
    ("1.6.3", "armour"): (26, 0),
    ("1.6.3", "unit"): (132, 5),
    ("1.0.2", "weapon"): (129, 32),
    ("1.0.2", "armour"): (30, 4),
    ("1.0.2", "unit"): (136, 21),
}


def test_how_many_rows_there_are() -> None:
    found = {
        (name, kind): (
            sum(row.kind_of_row == kind and not row.third_party for row in every_row(name)),
            sum(row.kind_of_row == kind and row.third_party for row in every_row(name)),
        )
        for name in EDITIONS
        for kind in ("weapon", "armour", "unit")
    }
    assert found == COUNTS
    assert sum(map(sum, COUNTS.values())) == sum(len(cells(file)) for file in ("weapons", "armour", "units"))


@pytest.mark.parametrize("name", EDITIONS)
def test_ids_are_unique_and_plain(name: str) -> None:
    for kind in ("weapon", "armour", "unit"):
        ids = Counter(row.id for row in every_row(name) if row.kind_of_row == kind)
        assert set(ids.values()) == {1}
    for row in every_row(name):
        assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", row.id)
        assert row.edition == name
        assert row.name.strip() == row.name
        assert row.sources


@pytest.mark.parametrize("file", ["weapons", "armour", "units"])
def test_files_are_in_order(file: str) -> None:
    keys = [(-EDITIONS[::-1].index(line["edition"]), line["id"]) for line in cells(file)]
    assert keys == sorted(keys)
    for line in cells(file):
        assert None not in line
        assert all(cell is not None and cell == cell.strip() for cell in line.values())
        assert line["third_party"] in ("0", "1")


@pytest.mark.parametrize("name", EDITIONS)
def test_weapons_are_sane(name: str) -> None:
    for weapon in catalog(name).weapons:
        assert weapon.kind in ("melee", "ranged", "grenade")
        assert weapon.hands in (0, 1, 2)
        assert (weapon.range_in is None) == (weapon.kind == "melee")
        assert weapon.range_in is None or 0 <= weapon.range_in <= 48
        assert 1 <= weapon.shots <= 5
        assert weapon.action_dice in (-1, 0, 1, 2)
        assert weapon.injury_dice in (-1, 0, 1, 2)
        assert weapon.injury_modifier in (0, 1, 2)
        assert weapon.injury_keep in (0, 1, 2, 3, 4)
        assert weapon.armour_piercing in (0, 1, 2)
        assert weapon.blast_in is None or 1 <= weapon.blast_in <= 6
        assert not (weapon.auto_hit and weapon.action_dice)
        assert weapon.ignore_armour in IGNORES
        by_column = weapon.armour_piercing
        by_keyword = [word for word in weapon.keywords if word.startswith("ARMOUR PIERCING")]
        assert not by_keyword or edition(name).keyword(by_keyword[0], "attack")[1] == by_column
        if "IGNORE ARMOUR" in weapon.keywords:
            assert weapon.ignore_armour == "all"
        for word in weapon.keywords:
            keyword, number = edition(name).keyword(word, "attack")
            if keyword.name in ("AUTOMATIC", "CLEAVE"):
                assert number == weapon.shots
            if keyword.injury_keep is not None:
                assert weapon.injury_keep == keyword.injury_keep
            if keyword.auto_hit:
                assert weapon.auto_hit


IGNORES = {"none", "all", "shield", "on_critical", "target_down", "direct", "not_in_cover", "optional"}


@pytest.mark.parametrize("name", EDITIONS)
def test_armour_is_sane(name: str) -> None:
    for line, armour in zip(
        sorted(cells("armour", name), key=lambda line: line["id"]),
        sorted(catalog(name).armour_rows, key=lambda row: row.id),
        strict=True,
    ):
        assert armour.slot in ("body", "shield", "helmet", "other")
        assert (armour.slot == "shield") is (line["shield"] == "1")
        assert -3 <= armour.injury_modifier <= 0
        assert armour.injury_dice in (-1, 0)
        assert not armour.machine or (armour.slot, armour.injury_modifier) == ("body", -3)
        assert armour.stacks_with_shield or armour.slot == "body"
        assert armour.slot in ("body", "shield") or armour.injury_modifier == 0
        assert not armour.impervious or armour.injury_modifier < 0


@pytest.mark.parametrize("name", EDITIONS)
def test_units_are_sane(name: str) -> None:
    rows = catalog(name)
    pieces = {armour.id: armour for armour in rows.armour_rows}
    for unit in rows.units:
        assert unit.movement_in is None or 5 <= unit.movement_in <= 10
        for dice in (unit.ranged_dice, unit.melee_dice):
            assert dice is None or -3 <= dice <= 4
        assert unit.base_mm in (25, 32, 40, 50, 60, 120)
        included = sum(pieces[id].injury_modifier for id in unit.armour_ids)
        assert -3 <= unit.injury_modifier <= included <= 0  # what it comes with is in its own number
        assert bool(unit.armour_included) or not unit.injury_modifier or unit.faction == "scenario" or unit.third_party
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", unit.faction)
        assert unit.id.startswith(unit.faction)
        machine = any(pieces[id].machine for id in unit.armour_ids)
        if machine and name == "1.6.3":
            assert "NEW ANTIOCH" in unit.keywords  # only there does 1.6.3 turn Down into a Minor Hit
    models_without = [unit.id for unit in rows.units if unit.movement_in is None]
    assert models_without == (["scenario-the-dragon"] if name == "1.6.3" else [])


# --- well-known rows ----------------------------------------------------------------------------------------

#: Edition, kind, id, and what the sources give.
FACTS: list[tuple[str, str, str, dict[str, Any]]] = [
    ("1.6.3", "weapon", "bolt-action-rifle", {"kind": "ranged", "range_in": 24, "shots": 1, "hands": 2}),
    ("1.0.2", "weapon", "sniper-rifle", {"range_in": 48, "action_dice": 1, "ignore_armour": "on_critical"}),
    ("1.6.3", "weapon", "sniper-rifle", {"ignore_armour": "on_critical", "keywords": ("CRITICAL", "RISKY")}),
    ("1.6.3", "weapon", "catherine-wheel", {"injury_keep": 3, "kind": "melee"}),
    ("1.6.3", "weapon", "malebranche-sword", {"injury_keep": 3}),
    ("1.0.2", "weapon", "malebranche-sword", {"injury_keep": 3, "keywords": ("DEADLY", "HEAVY")}),
    ("1.6.3", "weapon", "torture-instrument", {"injury_keep": 1}),
    ("1.0.2", "weapon", "martyrdom-device-self", {"injury_keep": 4, "auto_hit": True}),
    ("1.6.3", "weapon", "titan-zulfiqar", {"injury_modifier": 2}),
    ("1.6.3", "weapon", "sacrificial-blade", {"injury_modifier": 2, "name": "Sacrificial Knife"}),
    ("1.6.3", "weapon", "assassins-dagger", {"injury_modifier": 1}),
    ("1.6.3", "weapon", "infested-rifle", {"armour_piercing": 1}),
    ("1.6.3", "weapon", "machine-gun", {"shots": 3, "range_in": 36}),
    ("1.0.2", "weapon", "machine-gun", {"shots": 3, "keywords": ("AUTOMATIC 3", "HEAVY", "RELOAD")}),
    ("1.6.3", "weapon", "automatic-rifle", {"shots": 2}),
    ("1.6.3", "weapon", "shotel", {"ignore_armour": "shield"}),
    ("1.0.2", "weapon", "shotel", {"ignore_armour": "shield"}),
    ("1.6.3", "weapon", "misericordia", {"ignore_armour": "target_down"}),
    ("1.0.2", "weapon", "misericordia", {"prices": (Price(15, "ducats"),)}),
    ("1.0.2", "weapon", "molotov-cocktail", {"ignore_armour": "on_critical", "range_in": 6}),
    ("1.6.3", "weapon", "bow-of-lethe", {"ignore_armour": "optional"}),
    ("1.6.3", "weapon", "gas-censer", {"ignore_armour": "not_in_cover", "auto_hit": True}),
    ("1.6.3", "weapon", "golden-khanjar", {"keywords": (), "shots": 2}),
    ("1.6.3", "weapon", "rocket-propelled-grenade", {"hands": 2, "keywords": ("CONSUMABLE", "RELOAD")}),
    ("1.0.2", "weapon", "rocket-propelled-grenade", {"prices": (Price(2, "glory"),)}),
    ("1.6.3", "weapon", "trench-mortar", {"range_in": 48}),
    ("1.0.2", "weapon", "trench-mortar", {"range_in": 36}),
    ("1.0.2", "weapon", "heavy-flamethrower", {"range_in": 10, "auto_hit": True, "shots": 2}),
    ("1.0.2", "weapon", "locust-spitter", {"range_in": 18}),
    ("1.0.2", "weapon", "flail-scourge", {"prices": (Price(5, "ducats"),)}),
    ("1.0.2", "weapon", "executioners-axe", {"shots": 2, "keywords": ("CLEAVE 2", "CRITICAL")}),
    ("1.6.3", "weapon", "executioners-axe", {"shots": 1}),
    ("1.0.2", "weapon", "many-limbed-end", {"shots": 4, "keywords": ("CLEAVE 4",)}),
    ("1.0.2", "weapon", "feeble-flailing", {"action_dice": -1}),
    ("1.6.3", "weapon", "feeble-flailing", {"action_dice": 0}),
    ("1.0.2", "weapon", "submachine-gun", {"shots": 1}),
    ("1.0.2", "weapon", "trample", {"ignore_armour": "all"}),
    ("1.0.2", "weapon", "shovel", {"hands": 2}),
    ("1.0.2", "weapon", "shredding-claws", {"hands": 0}),
    ("1.6.3", "weapon", "bayonet", {"hands": 2}),
    ("1.0.2", "weapon", "vivisector", {"prices": ()}),
    ("1.6.3", "armour", "standard-armour", {"injury_modifier": -1, "slot": "body", "stacks_with_shield": True}),
    ("1.0.2", "armour", "reinforced-armour", {"injury_modifier": -2, "stacks_with_shield": True}),
    ("1.6.3", "armour", "machine-armour", {"injury_modifier": -3, "machine": True, "stacks_with_shield": False}),
    ("1.0.2", "armour", "machine-armour", {"injury_modifier": -3, "machine": True, "stacks_with_shield": False}),
    ("1.6.3", "armour", "trench-shield", {"injury_modifier": -1, "slot": "shield"}),
    ("1.0.2", "armour", "holy-icon-shield", {"injury_modifier": -1, "impervious": True}),
    ("1.0.2", "armour", "engineer-body-armour", {"injury_modifier": -2, "prices": (Price(45, "ducats"),)}),
    ("1.6.3", "armour", "tarnished-armour", {"grants": ("NEGATE SHRAPNEL", "NEGATE GAS")}),
    ("1.6.3", "armour", "ducal-winged-armour", {"stacks_with_shield": False}),
    ("1.0.2", "armour", "ducal-winged-armour", {"stacks_with_shield": True}),
    ("1.0.2", "armour", "cruel-helmet", {"grants": ("NEGATE SHRAPNEL",), "slot": "helmet"}),
    ("1.0.2", "armour", "tank-palanquin", {"machine": True, "stacks_with_shield": False}),
    ("1.6.3", "unit", "heretic-legions-war-wolf-assault-beast", {"injury_modifier": -3, "armour_ids": ()}),
    ("1.0.2", "unit", "new-antioch-combat-engineer", {"injury_modifier": -2, "armour_ids": ("engineer-body-armour",)}),
    ("1.0.2", "unit", "heretic-legions-anointed-heavy-infantry", {"injury_modifier": -2}),
    ("1.0.2", "unit", "court-hell-knight", {"injury_modifier": -2, "armour_ids": ("infernal-iron-armour",)}),
    ("1.0.2", "unit", "trench-pilgrims-anchorite-shrine", {"injury_modifier": -3}),
    ("1.0.2", "unit", "mercenaries-hellhound", {"melee_dice": 0, "ranged_dice": None, "movement_in": 8}),
    ("1.0.2", "unit", "mercenaries-scripture-guardian", {"ranged_dice": None}),
    ("1.6.3", "unit", "black-grail-amalgam", {"keywords": ("BLACK GRAIL", "FEAR", "TOUGH", "STRONG"), "base_mm": 60}),
]


@pytest.mark.parametrize(("name", "kind", "id", "facts"), FACTS, ids=lambda value: value if "-" in str(value) else "")
def test_well_known_rows(name: str, kind: str, id: str, facts: dict[str, Any]) -> None:
    rows = catalog(name)
    row = {"weapon": rows.weapon, "armour": rows.armour, "unit": rows.unit}[kind](id)
    assert row.kind_of_row == kind
    assert {field: getattr(row, field) for field in facts} == facts


# --- names --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", EDITIONS)
def test_every_row_is_found_by_id_and_label(name: str) -> None:
    rows = catalog(name)
    for row in every_row(name):
        assert find(rows, row, row.id) is row
        same = [other for other in every_row(name) if type(other) is type(row) and other.label == row.label]
        if same == [row]:
            for text in (row.label, row.label.upper(), f"  {row.label.lower()}  "):
                assert row in rows.named(text)
                alike = [other for other in rows.named(text) if type(other) is type(row) and not other.third_party]
                if len(alike) <= 1:
                    assert find(rows, row, text) is row
        else:  # the prices of one spell
            assert {other.name for other in same} <= {"Burning Inferno", "Vomitus (Matagot Hag)"}


def test_labels_with_several_rows() -> None:
    """Profiles, variants and factions are told apart by the label."""
    rows = catalog("1.6.3")
    assert rows.weapon("Arquebus (ranged)").id == "arquebus"
    assert rows.weapon("arquebus (MELEE)").id == "arquebus-melee"
    assert rows.unit("Wretched @court").id == "court-wretched"
    assert rows.unit("wretched @heretic-legions-ghosts").id == "heretic-legions-ghosts-wretched"


@pytest.mark.parametrize("name", EDITIONS)
def test_every_row_is_found_by_its_name_in_capitals(name: str) -> None:
    """The official row, the base unit, the profile of the kind asked for; if several are left, all ids are told."""
    rows = catalog(name)
    for row in every_row(name):
        same = [other for other in every_row(name) if type(other) is type(row) and other.name == row.name]
        meant = [other for other in same if not other.third_party] or same
        if isinstance(row, Unit):
            meant = [other for other in meant if isinstance(other, Unit) and not other.variant] or meant
        if len(meant) == 1:
            assert find(rows, row, row.name.upper()) is meant[0]
            continue
        with pytest.raises(InputError) as error:
            find(rows, row, row.name.upper())
        ids = str(error.value).split("rows: ")[1].removesuffix("; give one of these ids").split(", ")
        assert sorted(ids) == sorted(other.id for other in meant)
        for kind in ("melee", "ranged"):
            of_kind = [one for one in meant if isinstance(one, Weapon) and (one.kind == "melee") == (kind == "melee")]
            if len(of_kind) == 1:
                assert find(rows, row, row.name.upper(), kind) is of_kind[0]


def test_ambiguous_names() -> None:
    with pytest.raises(InputError) as error:
        catalog("1.0.2").unit("Wretched", "target.unit")
    assert str(error.value) == (
        'target.unit: "Wretched" is the name of several unit rows: court-wretched, heretic-legions-wretched; '
        "give one of these ids"
    )
    with pytest.raises(InputError, match=r"autocannon-bursts, autocannon-full-auto; give one of these ids$"):
        catalog("1.0.2").weapon("Autocannon", "ranged")


@pytest.mark.parametrize(
    ("kind", "name", "message"),
    [
        (
            "weapon",
            "Bolt-Action Riffle",
            'there is no weapon "Bolt-Action Riffle" in the catalogue of 1.6.3; did you mean',
        ),
        ("armour", "Reinforced Armor", 'there is no armour "Reinforced Armor" in the catalogue of 1.6.3; did you mean'),
        ("unit", "Heretic Troper", 'there is no unit "Heretic Troper" in the catalogue of 1.6.3; did you mean'),
        ("weapon", "zzzzzz", 'there is no weapon "zzzzzz" in the catalogue of 1.6.3; see `tcsim catalog list weapon`'),
        ("armour", "Bolt-Action Rifle", 'there is no armour "Bolt-Action Rifle"'),
        ("weapon", "", 'there is no weapon ""'),
    ],
)
def test_names_there_are_not(kind: str, name: str, message: str) -> None:
    rows = catalog("1.6.3")
    with pytest.raises(InputError) as error:
        {"weapon": rows.weapon, "armour": rows.armour, "unit": rows.unit}[kind](name, where="here")
    assert str(error.value).startswith(f"here: {message}")
    with pytest.raises(InputError, match="there is no edition"):
        catalog("1.6")


#: A name as it may be typed, and the one that is printed.
SPELLINGS = [
    ("assassin's dagger", "Assassin’s Dagger"),
    ("  BOLT-ACTION   rifle ", "Bolt‑Action Rifle"),
    ("Yuzbasi", "Yüzbaşı"),
    ("YÜZBAŞI", "Yüzbaşı"),
    ("yüzbaşi", unicodedata.normalize("NFD", "Yüzbaşı")),
    ("reinforced armour", "중갑"),
    ("trench shield", " 참호방패 "),
]


@pytest.mark.parametrize(("typed", "printed"), SPELLINGS)
def test_spellings_that_mean_the_same(typed: str, printed: str) -> None:
    assert fold(typed) == fold(printed)
    assert fold(fold(typed)) == fold(typed)


@pytest.mark.parametrize("name", EDITIONS)
def test_no_two_names_fold_into_one(name: str) -> None:
    for kind in (Weapon, Armour, Unit):
        names = {row.name for row in every_row(name) if isinstance(row, kind)}
        assert len({fold(text) for text in names}) == len(names)


@pytest.mark.parametrize("name", EDITIONS)
@pytest.mark.parametrize(
    ("korean", "id"),
    [
        ("참호 방패", "trench-shield"),
        ("참호방패", "trench-shield"),
        ("평갑", "standard-armour"),
        ("중갑", "reinforced-armour"),
        ("기갑", "machine-armour"),
    ],
)
def test_korean_labels_find_armour(name: str, korean: str, id: str) -> None:
    assert catalog(name).armour(korean).id == id
    assert catalog(name).armour(unicodedata.normalize("NFD", korean)).id == id
    assert [row.id for row in catalog(name).named(korean)] == [id]
    answer = {
        label: tcsim.odds({"edition": name, "target": {"armour": [label]}, "attacks": [{}]}).out_of_action
        for label in (korean, id)
    }
    assert answer[korean] == answer[id]


# --- third party, conflicts, what is not modelled ------------------------------------------------------------


@pytest.mark.parametrize("name", EDITIONS)
def test_third_party_rows_come_when_asked(name: str) -> None:
    rows = catalog(name)
    for text in ("", "great-hunger", "shield"):
        official, every = set(rows.search(text)), set(rows.search(text, third_party=True))
        assert not any(row.third_party for row in official)
        assert official == {row for row in every if not row.third_party}
    assert set(rows.search("", third_party=True)) == set(every_row(name))
    for part in (rows.weapons, rows.armour_rows, rows.units):
        flags = [row.third_party for row in part]
        assert flags == sorted(flags)  # last in every list


def test_a_third_party_row_says_so() -> None:
    blade = catalog("1.0.2").weapon("Void Blade")  # named in full, so it is asked for
    assert blade.third_party
    question = {"edition": "1.0.2", "target": {}, "attacks": [{"weapon": "Void Blade"}]}
    assert "Void Blade is not in the official books." in tcsim.odds(question).notes
    assert not catalog("1.0.2").unit("Guard Dog").third_party  # the official one of two


#: Official weapons, and all armour: rows on which two sources agree, rows on which they do not, rows with one source.
AGREE = {
    ("weapons", "1.6.3"): (102, 4, 17),
    ("weapons", "1.0.2"): (110, 18, 1),
    ("armour", "1.6.3"): (25, 1, 0),
    ("armour", "1.0.2"): (28, 2, 4),
}


@pytest.mark.parametrize(("file", "name"), AGREE)
def test_conflicts_are_told(file: str, name: str) -> None:
    lines = cells(file, name)
    counts = Counter(line["agree"] for line in lines if file == "armour" or line["third_party"] == "0")
    assert tuple(counts[word] for word in ("yes", "no", "single-source")) == AGREE[file, name]
    assert counts.total() == sum(AGREE[file, name])
    for line in lines:
        if line["agree"] == "no":
            assert re.search(r"\bkept\b|left out", line["conflict"]), line["id"]
        if line["conflict"]:
            assert re.match(r"[\w ]+: \S", line["conflict"]), line["id"]  # what it is about comes first


#: Both values of a conflict.
BOTH_VALUES = [
    ("1.6.3", "weapon", "bayonet", "hands: 0 .* 2 "),
    ("1.6.3", "weapon", "golden-khanjar", "CRITICAL: only trenchcompendium has it"),
    ("1.6.3", "weapon", "trench-mortar", "range: profile 48in, rule text 36in"),
    ("1.0.2", "weapon", "heavy-flamethrower", "range: 8in and 10in"),
    ("1.0.2", "weapon", "locust-spitter", "range: 24in .* 18in"),
    ("1.0.2", "weapon", "rocket-propelled-grenade", "cost: 2 glory .* 30 ducats"),
    ("1.0.2", "weapon", "flail-scourge", "cost: 15 .* 5 "),
    ("1.0.2", "weapon", "many-limbed-end", "shots: 1 .* CLEAVE 4"),
    ("1.0.2", "weapon", "tank-splitter-sword", "Success Roll .* Injury Roll"),
    ("1.6.3", "armour", "machine-armour", "overrides .* both apply kept"),
    ("1.0.2", "armour", "cruel-helmet", "NEGATE SHRAPNEL: in the rulebook, not in the New Recruit catalogue"),
    ("1.0.2", "unit", "mercenaries-hellhound", "melee: 1 .* 0 kept"),
]


@pytest.mark.parametrize(("name", "kind", "id", "text"), BOTH_VALUES)
def test_conflicts_keep_both_values(name: str, kind: str, id: str, text: str) -> None:
    rows = catalog(name)
    row = {"weapon": rows.weapon, "armour": rows.armour, "unit": rows.unit}[kind](id)
    assert re.search(text, row.conflict)
    assert as_record(row)["conflict"] == row.conflict


@pytest.mark.parametrize("name", EDITIONS)
def test_what_is_left_out_is_said(name: str) -> None:
    """A reason for every effect of a row that is left out, and none for the others."""
    for file in ("weapons", "armour", "units"):
        loaded = {row.id: row for row in every_row(name) if row.kind_of_row == file.removesuffix("s")}
        for line in cells(file, name):
            row = loaded[line["id"]]
            if file == "units":
                effects = [effect for ability in read_abilities(line["abilities"]) for effect in ability.effects]
            else:
                effects = list(read_effects(line["conditions"]))
            parts = [effect.text for effect in effects if left_out(effect)]
            assert len(row.unmodelled) == len(parts)
            for part, reason in zip(parts, row.unmodelled, strict=True):
                assert part in reason


@pytest.mark.parametrize("name", EDITIONS)
def test_few_rows_are_not_whole(name: str) -> None:
    """At most 5% of the official rows of an edition need the board, and most are whole."""
    rows = [row for row in every_row(name) if not row.third_party]
    found = Counter(row.status for row in rows)
    assert found["board"] <= 0.05 * len(rows)
    assert found["whole"] >= 0.85 * len(rows)
    assert set(found) <= {"whole", "partial", "board"}
    for row in rows:
        assert (row.status == "whole") == (not row.unmodelled and not row.asks)


@pytest.mark.parametrize(
    ("name", "id"),
    [
        ("1.6.3", "bolt-action-rifle"),
        ("1.6.3", "great-sword-axe"),
        ("1.6.3", "shotgun"),
        ("1.0.2", "shotgun"),
        ("1.0.2", "executioners-axe"),
    ],
)
def test_usual_weapons_are_counted_in_full(name: str, id: str) -> None:
    assert catalog(name).weapon(id).unmodelled == ()


def test_reasons_name_the_part_of_the_row() -> None:
    """One of each kind, as a user reads them behind the name of the row."""
    old, new = catalog("1.6.3"), catalog("1.0.2")
    assert old.weapon("heavy-shotgun").unmodelled == ()
    assert new.weapon("vivisector").unmodelled == new.weapon("plague-blade").unmodelled == ()
    assert new.weapon("masterwork-jezzail").unmodelled == (
        "the hit goes on to another model, to be asked as an attack on it (chain=closest_within(roll-7))",
    )
    assert old.weapon("pummel").asks == ("friends, for action_dice=+1 per friend_within_3in (max 4)",)
    assert old.weapon("satchel-charge").unmodelled == old.weapon("tormentor-chain").unmodelled == ()
    assert old.armour("gas-mask").unmodelled == ()
    [left_out] = old.unit("trench-pilgrims-communicant").unmodelled
    redirected = "Pilgrim Bodyguard: another model takes the hit, to be asked with it as the target (redirect=bearer"
    assert left_out.startswith(redirected)


def test_every_word_of_the_language_is_explained() -> None:
    """In the README of the data, where those who read or write rows look."""
    notation = (DATA / "README.md").read_text(encoding="utf-8")
    notation = notation.split("## The language of special rules")[1].split("## Sources")[0]
    known = {re.split(r"\W", word)[0] for word in re.findall(r"`([^`]+)`", notation)}
    assert {*TARGETS, *CONDITIONS, *WITH_WORDS, *WITH_MEASURE, *COUNTERS} - known == set()


def test_special_is_one_short_sentence() -> None:
    """And says nothing that a keyword or a condition of its row says already."""
    for line in cells("weapons"):
        special = line["special"]
        if special:
            assert re.fullmatch(r"[A-Z][^.;]*\.", special), line["id"]
            assert len(special) <= 180
        if "if off_hand" in line["conditions"]:
            assert line["id"] == "flail-scourge"  # loses its own +1; the game's off-hand -1 is no condition


# --- prices, factions, keywords ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "id", "prices"),
    [
        ("1.6.3", "bolt-action-rifle", [(10, "ducats", "")]),
        ("1.6.3", "hellblade", [(15, "ducats", "court"), (1, "glory", "heretic-legions")]),
        (
            "1.0.2",
            "anti-materiel-rifle",
            [(40, "ducats", "trench-pilgrims-methodius"), (3, "glory", "heretic-legions")],
        ),
        ("1.0.2", "catherine-wheel", []),
    ],
)
def test_prices(name: str, id: str, prices: list[tuple[int, str, str]]) -> None:
    assert catalog(name).weapon(id).prices == tuple(Price(*price) for price in prices)


def test_cheapest() -> None:
    rows = catalog("1.6.3")
    assert rows.weapon("great-sword-axe").cheapest() == 7  # for Alba
    assert rows.weapon("submachine-gun").cheapest() == 25  # for Naval Raiders
    assert rows.weapon("submachine-gun").cheapest("glory") == 2
    assert rows.weapon("catherine-wheel").cheapest() is None
    assert rows.weapon("kilij").cheapest("ducats") is None
    assert rows.armour("Machine Armour").cheapest() == 50
    assert rows.unit("Amalgam").cheapest() == 140


#: Who is no faction or variant with units of its own: patrons, a kind of row, and a model with its own price.
NO_UNITS = {
    "court-pride": {"light-of-samael"},
    "court-wrath": {"lesser-mark-of-cain"},
    "third-party": {"entropital-dermis", "runeforged-armour", "trench-shield-nordic"},
    "mechanized-heavy-infantry": {"machine-armour"},
}


def test_factions_are_known() -> None:
    units = [row for name in EDITIONS for row in every_row(name) if isinstance(row, Unit)]
    known = {unit.faction for unit in units}
    known |= {f"{unit.faction}-{unit.variant}" for unit in units if unit.variant}
    strangers: dict[str, set[str]] = {}
    for name in EDITIONS:
        for row in every_row(name):
            if isinstance(row, (Weapon, Armour)):
                for faction in {*row.factions, *(price.faction for price in row.prices)} - known - {""}:
                    strangers.setdefault(faction, set()).add(row.id)
    assert strangers == NO_UNITS
    for line in cells("weapons"):
        for part in filter(None, line["limit"].split(";")):
            number, _, faction = part.partition("@")
            assert number.isdigit()
            assert faction in known | {""}


@pytest.mark.parametrize("name", EDITIONS)
def test_keywords_are_keywords_of_the_edition(name: str) -> None:
    for row in every_row(name):
        if isinstance(row, Armour):
            assert set(row.grants) <= set(edition(name).keywords)
        elif isinstance(row, (Weapon, Unit)):
            place = "attack" if isinstance(row, Weapon) else "model"
            words = [edition(name).keyword(text, place, row.id)[0].name for text in row.keywords]
            assert len(set(words)) == len(words)


@pytest.mark.parametrize("name", EDITIONS)
def test_every_row_can_be_used(name: str) -> None:
    """Each weapon attacks, each armour and unit is attacked, each unit attacks."""
    for row in every_row(name):
        question: dict[str, Any] = {"edition": name, "target": {}, "attacks": [{"kind": "melee"}]}
        if isinstance(row, Weapon):
            question["attacks"] = [{"weapon": row.id, "carried": row.shots} if counted(row) else {"weapon": row.id}]
        elif isinstance(row, Armour):
            question["target"] = {"armour": [row.id]}
        else:
            question["target"] = {"unit": row.id}
            if row.melee_dice is not None:
                question["attacker"] = {"unit": row.id}
        result = tcsim.odds(question)
        assert sum(p for _, p in result.states) == pytest.approx(1, abs=1e-12)
        for reason in row.unmodelled:
            chosen = not reason.startswith(tuple(f"{name}: " for name in getattr(row, "options", ())))
            assert (f"Not counted yet: {row.name}: {reason}." in result.notes) == chosen


def counted(weapon: Weapon) -> bool:
    return any(edition(weapon.edition).keyword(word, "attack")[0].counted for word in weapon.keywords)


# --- search, plain data, packaging ---------------------------------------------------------------------------


def test_search_wants_every_word() -> None:
    rows = catalog("1.6.3")
    assert {row.id for row in rows.search("shotgun")} >= {"shotgun", "automatic-shotgun", "heavy-shotgun"}
    assert [row.id for row in rows.search("RIFLE sniper")] == ["sniper-rifle"]
    assert [row.id for row in rows.search("SKIRMISHER tough")] == [
        row.id for row in rows.units if {"SKIRMISHER", "TOUGH"} <= set(row.keywords)
    ]
    assert list(rows.search("no such thing")) == []
    kinds = [row.kind_of_row for row in rows.search("new-antioch")]
    assert list(dict.fromkeys(kinds)) == ["weapon", "armour", "unit"]


def test_named_gives_all_that_a_name_can_mean() -> None:
    rows = catalog("1.0.2")
    assert {row.id for row in rows.named("pistol")} == {"pistol", "pistol-melee"}
    assert {row.kind_of_row for row in rows.named("Sarcophagus Mine")} >= {"weapon", "armour"}
    with pytest.raises(InputError, match=r'there is no weapon, armour or unit "Sworrd" in the catalogue of 1\.0\.2'):
        rows.named("Sworrd")


@pytest.mark.parametrize("name", EDITIONS)
def test_rows_as_plain_data(name: str) -> None:
    for row in every_row(name):
        record = as_record(row)
        assert json.loads(json.dumps(record)) == record
        assert record["row"] == row.kind_of_row
        assert record["id"] == row.id
        assert [(p["amount"], p["currency"], p["faction"]) for p in record["prices"]] == [
            (price.amount, price.currency, price.faction) for price in row.prices
        ]


def test_more_rows_are_found_like_the_others() -> None:
    from dataclasses import replace

    rifle = catalog("1.6.3").weapon("bolt-action-rifle")
    mine = replace(rifle, id="my-rifle", name="My Rifle", injury_dice=1)
    rows = Catalog("1.6.3", more=(mine,))
    assert rows.weapon("my rifle") is mine
    assert rows.weapon("bolt-action-rifle") == rifle
    with pytest.raises(InputError):
        catalog("1.6.3").weapon("my rifle")


def test_data_travel_with_the_package(tmp_path: Path) -> None:
    """From inside a zip file too, which only reading them as resources of the package can do."""
    package = Path(tcsim.__file__).parent
    with zipfile.ZipFile(tmp_path / "tcsim.zip", "w") as packed:
        for path in package.rglob("*"):
            if path.suffix in (".py", ".csv", ".toml", ".md"):
                packed.write(path, Path("tcsim") / path.relative_to(package))
    code = """
from tcsim.catalog import catalog
from tcsim.rules import editions
for name in editions():
    rows = catalog(name)
    print(name, len(rows.weapons), len(rows.armour_rows), len(rows.units))
"""
    command = [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, 'tcsim.zip'){code}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", check=False)
    assert done.stdout.splitlines() == ["1.6.3 127 26 137", "1.0.2 161 34 157"], done.stderr


def test_names_without_their_brackets_and_of_the_other_edition() -> None:
    """What a player remembers: the weapon without whose it is, or as the other edition writes it."""
    old, new = catalog("1.6.3"), catalog("1.0.2")
    assert old.weapon("Reaping Claws").id == new.weapon("reaping claws").id == "reaping-claws"
    assert old.weapon("Iron-Clawed Hands").id == "reaping-claws"
    assert old.weapon("Autocannon (full-auto)").id == "autocannon-full-auto"
    assert old.weapon("Frag Grenades").id == "frag-grenades"
    assert new.armour("Trench Shield").id == "trench-shield"  # a name of its own comes first
    assert [row.id for row in old.named("Reaping Claws")] == ["reaping-claws"]
    with pytest.raises(InputError, match=r"several weapon rows: .*paid-1"):
        new.weapon("Vomitus")
