"""Users' own catalogues: what each example comes to, in which sentence each wrong one ends, and where they count."""

from __future__ import annotations

import csv
import hashlib
import json
import subprocess
import sys
import tomllib
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import tcsim
from tcsim.base.errors import InputError, ManyInputError
from tcsim.catalog import catalog
from tcsim.catalog.checks import check_effect
from tcsim.catalog.columns import COLUMNS, read_value
from tcsim.catalog.custom import read_catalogs
from tcsim.catalog.positions import lines_of
from tcsim.catalog.rows import read_cells
from tcsim.cli import main
from tcsim.rules import Keyword, edition, editions
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import resolve

DATA = Path(__file__).parent / "data" / "catalogs"
VALID, INVALID = DATA / "valid", DATA / "invalid"
CASES = tomllib.loads((VALID / "expected.toml").read_text(encoding="utf-8"))["case"]
SENTENCES: dict[str, Any] = tomllib.loads((INVALID / "expected.toml").read_text(encoding="utf-8"))
KINDS = ("weapon", "armour", "unit")
HOOK = 'edition = "1.6.3"\n[[weapon]]\nname = "Hook"\nkind = "melee"\n'


def question(**changes: Any) -> Any:
    return from_mapping({"target": {}, "attacks": [{"weapon": "Hook"}], **changes})


@pytest.fixture
def hook(tmp_path: Path) -> Path:
    path = tmp_path / "my.toml"
    path.write_text(HOOK + "injury_dice = 1\n", encoding="utf-8")
    return path


# --- the examples -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES, ids=[f"{case['file']}-{number}" for number, case in enumerate(CASES)])
def test_a_row_of_ones_own_is_the_same_question_as_its_numbers(case: dict[str, Any]) -> None:
    found = resolve(from_mapping(case["asked"]), VALID / case["file"])
    assert found.problem == resolve(from_mapping(case["plain"])).problem
    assert found.problem.fingerprint == resolve(from_mapping(case["plain"])).problem.fingerprint
    if "options" not in case["asked"]:  # else the scenario's own reading goes before that of the file
        assert any(note.endswith(f" is from {case['file']}.") for note in found.notes)


def test_the_example_of_the_docs_comes_to_its_numbers(tmp_path: Path) -> None:
    page = (Path(__file__).parents[1] / "docs" / "catalogue.md").read_text(encoding="utf-8")
    path = tmp_path / "my.toml"
    path.write_text("# my.toml" + page.split("# my.toml", 1)[1].split("```", 1)[0], encoding="utf-8")
    attack = {"weapon": "Trench Hook", "charging": True}
    asked = {"attacker": {"unit": "Wire Cutter"}, "target": {"armour": ["Sand Coat"]}, "attacks": [attack]}
    plain: dict[str, Any] = {
        "target": {"injury_modifier": -2},
        "attacks": [{"kind": "melee", "action_dice": 2, "injury_dice": 1, "keywords": ["SHRAPNEL"]}],
        "options": {"bloodbath": "add"},
    }  # the die of the unit and that of the charge; a keyword of the books that places a marker
    assert edition("1.6.3").keywords["SHRAPNEL"].markers == 1
    assert resolve(from_mapping(asked), path).problem == resolve(from_mapping(plain)).problem
    rifle = resolve(from_mapping({"target": {}, "attacks": [{"weapon": "Bolt-Action Rifle"}]}), path)
    assert rifle.problem.steps[0].action_dice == 1


def test_every_example_is_asked() -> None:
    assert {case["file"] for case in CASES} == {path.name for path in VALID.iterdir()} - {"expected.toml"}
    assert set(SENTENCES) == {path.name for path in INVALID.iterdir()} - {"expected.toml"}
    assert len({case["file"] for case in CASES}) >= 30
    assert len(SENTENCES) >= 60


@pytest.mark.parametrize("name", SENTENCES)
def test_a_wrong_file_ends_in_sentences_with_their_lines(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    path = INVALID / name
    assert main(["odds", "--attack", "ranged", "--catalog", str(path)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    told = [line.removeprefix(f"tcsim: {path}:") for line in err.splitlines()]
    assert len(told) == len(SENTENCES[name])
    for line, sentence in zip(told, SENTENCES[name], strict=True):
        start, rest, _ = sentence.partition("…") if sentence.endswith("…") else (sentence, "", "")
        assert line.startswith(start) if rest else line == sentence


def failure(path: Any) -> str:
    with pytest.raises(InputError) as caught:
        read_catalogs(path)
    return str(caught.value)


def test_what_is_no_file(tmp_path: Path) -> None:
    (tmp_path / "folder.toml").mkdir()
    large = tmp_path / "large.csv"
    large.write_bytes(b"id,name\n" + b"x" * (10 << 20))
    assert failure(tmp_path / "none.toml") == f"{tmp_path}/none.toml: it cannot be read: No such file or directory"
    assert failure(tmp_path / "folder.toml") == f"{tmp_path}/folder.toml: it cannot be read: Is a directory"
    assert failure(large) == f"{large}: the file is larger than 1 MiB, the most that a catalogue may have"
    assert failure("my.json") == "my.json: a catalogue ends in .toml or .csv"
    assert failure("") == "--catalog: a catalogue ends in .toml or .csv"
    assert failure("a\0b.toml") == "a?b.toml: it cannot be read: the name is not possible"
    assert failure(["a.toml", 3]) == "catalog: 3 is given, the path of a .toml or .csv file is allowed"
    assert failure(3) == "catalog: 3 is given, the path of a .toml or .csv file is allowed"


def test_at_most_twenty_mistakes_are_told(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("name,kind\n" + "Hook,meele\n" * 25, encoding="utf-8")
    with pytest.raises(ManyInputError) as caught:
        read_catalogs(path)
    assert len(caught.value.sentences) == 21
    assert caught.value.sentences[0].startswith(f"{path}:2: kind: ")
    assert caught.value.sentences[-1] == f"{path}: there are 5 more mistakes"


def test_a_name_cannot_speak_to_the_terminal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "red\x1b[31m.toml"
    path.write_text(HOOK, encoding="utf-8")
    assert main(["odds", "--attack", "Hook", "--catalog", str(path)]) == 0
    assert "Hook is from red?[31m.toml." in capsys.readouterr().out


# --- how files, rows and editions go together ---------------------------------------------------------------


def test_later_files_go_before_earlier_ones(tmp_path: Path, hook: Path) -> None:
    second = tmp_path / "second.toml"
    second.write_text(
        'edition = "1.6.3"\n[[weapon]]\nid = "hook"\naction_dice = 2\n[[weapon]]\nname = "Crook"\nlike = "Hook"\n',
        encoding="utf-8",
    )
    rows = catalog("1.6.3", [hook, second])
    assert [(rows.weapon(name).action_dice, rows.weapon(name).injury_dice) for name in ("Hook", "Crook")] == [
        (2, 1)
    ] * 2
    notes = resolve(question(), [hook, second]).notes
    assert notes == ("Hook is from second.toml.",)
    third = tmp_path / "third.toml"
    third.write_text('edition = "1.6.3"\n[[weapon]]\nid = "hok"\n', encoding="utf-8")
    with pytest.raises(InputError, match='to be changed; did you mean "hook"'):
        read_catalogs([hook, third])


def test_the_catalogue_of_the_books_is_left_as_it_is(hook: Path) -> None:
    before = catalog("1.6.3")
    assert catalog("1.6.3", hook).weapon("hook").injury_dice == 1
    assert catalog("1.6.3") is before
    assert before.own is None
    assert before.exactly("weapon", "hook") == []
    assert edition("1.6.3").options["bloodbath"].default == "keep"
    assert catalog("1.6.3", VALID / "options.toml").rules.options["bloodbath"].default == "add"
    assert edition("1.6.3").options["bloodbath"].default == "keep"


def test_a_file_for_another_edition_says_so(hook: Path) -> None:
    found = resolve(from_mapping({"edition": "1.0.2", "target": {}, "attacks": [{}]}), hook)
    assert found.notes == ("my.toml is for 1.6.3, it changes nothing in 1.0.2.",)
    with pytest.raises(InputError, match=r'there is no weapon "Hook" in the catalogue of 1\.0\.2'):
        resolve(question(edition="1.0.2"), hook)
    with pytest.raises(InputError, match=r"the scenario is of 1\.0\.2, the catalogue of 1\.6\.3"):
        resolve(question(edition="1.0.2"), catalog("1.6.3", hook))


def test_a_reading_of_the_scenario_goes_before_that_of_a_file() -> None:
    files = VALID / "options.toml"
    asked: dict[str, Any] = {
        "target": {"blood": 6},
        "attacks": [{"injury_dice": 2}],
        "spend": {"blood_on_injury": "bloodbath"},
    }
    house, book = (tcsim.odds(asked, catalog=given) for given in (files, None))
    assert house.resolved.options == {"bloodbath": "add"}  # the other one is that of the book
    assert "bloodbath = add is from options.toml." in house.notes
    undone = tcsim.odds({**asked, "options": {"bloodbath": "keep"}}, catalog=files)
    assert undone.out_of_action == book.out_of_action != house.out_of_action
    assert not any("bloodbath" in note for note in undone.notes)


def test_only_what_is_used_is_told() -> None:
    files = VALID / "keyword-new.toml"
    assert resolve(from_mapping({"target": {}, "attacks": [{}]}), files).notes == ()
    told = resolve(from_mapping({"target": {}, "attacks": [{"weapon": "barbed wire"}]}), files).notes
    assert told == ("Barbed Wire is from keyword-new.toml.", "BARBED is from keyword-new.toml.")


def test_what_a_changed_keyword_counts_is_said_of_every_row(tmp_path: Path) -> None:
    path = tmp_path / "gap.toml"
    path.write_text('edition = "1.6.3"\n[[keyword]]\nname = "RELOAD"\nunmodelled = "it hampers"\n', encoding="utf-8")
    changed = [row for row in catalog("1.6.3", path).weapons if "RELOAD" in row.keywords]
    assert len(changed) > 3
    assert all("RELOAD, it hampers" in row.unmodelled for row in changed)


# --- the answers say it -------------------------------------------------------------------------------------


def run(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(list(words)) == 0, capsys.readouterr().err
    return capsys.readouterr().out


def test_odds_and_explain_say_which_files(hook: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sha = hashlib.sha256(hook.read_bytes()).hexdigest()[:12]
    mark = [{"file": "my.toml", "sha256": sha}]
    flags = ("--attack", "Hook", "--catalog", str(hook))
    text = " ".join(run(capsys, "odds", *flags).split())
    assert f"with my.toml (SHA-256 {sha})" in text
    assert "Hook is from my.toml." in text
    for command in ("odds", "explain"):
        told = json.loads(run(capsys, command, *flags, "--json"))
        assert told["catalog"] == mark
        assert "Hook is from my.toml." in told["notes"]
        unused = json.loads(run(capsys, command, "--attack", "ranged", "--catalog", str(hook), "--json"))
        assert unused["catalog"] == mark
        assert unused.get("notes", []) == []
        assert "catalog" not in json.loads(run(capsys, command, "--attack", "ranged", "--json"))
    assert "Hook [my.toml, line 2]" in run(capsys, "explain", *flags)
    lines = tmp_path / "lines.jsonl"
    asked = [{"target": {}, "attacks": [{"weapon": "Hook"}]}, {"edition": "1.0.2", "target": {}, "attacks": [{}]}]
    lines.write_text("\n".join(map(json.dumps, asked)), encoding="utf-8")
    answers = [
        json.loads(line)
        for line in run(capsys, "odds", "--jsonl", str(lines), "--catalog", str(hook)).split("\n")
        if line
    ]
    assert [answer["catalog"] for answer in answers] == [mark, mark]
    plain = tcsim.odds({"target": {}, "attacks": [{"kind": "melee", "injury_dice": 1}]})
    assert answers[0]["out_of_action"] == plain.out_of_action


def test_rolled_answers_keep_the_catalogue(hook: Path, capsys: pytest.CaptureFixture[str]) -> None:
    asked = tcsim.odds({"target": {}, "attacks": [{"weapon": "Hook"}]}, catalog=hook)
    rolled = tcsim.simulate(asked.resolved, trials=1000)
    assert rolled.to_dict()["catalog"] == asked.to_dict()["catalog"] != []
    with pytest.raises(InputError, match="resolved already"):
        tcsim.odds(asked.resolved, catalog=hook)
    words = [
        "odds",
        "--attack",
        "Hook",
        "--catalog",
        str(hook),
        "--method",
        "monte-carlo",
        "--trials",
        "1000",
        "--json",
    ]
    assert json.loads(run(capsys, *words))["count"] == rolled.to_dict()["count"]


def test_the_commands_of_the_catalogue(hook: Path, capsys: pytest.CaptureFixture[str]) -> None:
    flags = ("--catalog", str(hook))
    assert "my.toml, line 2" in run(capsys, "catalog", "show", "Hook", *flags)
    [row] = json.loads(run(capsys, "catalog", "show", "Hook", *flags, "--json"))
    assert row["from"] == {"file": "my.toml", "line": 2}
    assert row["injury_dice"] == 1
    assert "From my.toml: Hook" in run(capsys, "catalog", "search", "hook", *flags)
    assert "From my.toml: Hook" in run(capsys, "catalog", "list", "weapon", *flags)
    assert "From" not in run(capsys, "catalog", "list", "armour", *flags)
    diff = json.loads(run(capsys, "catalog", "diff", "1.6.3", "1.0.2", "Hook", *flags, "--json"))
    assert diff["changes"][0]["fields"] == {"row": [True, False]}
    assert "* add" in run(capsys, "options", "--catalog", str(VALID / "options.toml"))


def test_the_report_says_it(hook: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["report", "kill-odds", "--weapon", "Hook", "--blood", "0", "--attacks", "1", "--trials", "0"]
    run(capsys, *words, "--catalog", str(hook), "--out", str(tmp_path / "page"))
    text = (tmp_path / "page" / "report.md").read_text(encoding="utf-8")
    sha = hashlib.sha256(hook.read_bytes()).hexdigest()[:12]
    assert f"**Own catalogue:** my.toml (SHA-256 {sha}); from it: Hook." in text
    assert "--catalog my.toml" in text  # no folder of this machine
    rows = list(csv.DictReader((tmp_path / "page" / "data" / "cells.csv").read_text(encoding="utf-8").splitlines()))
    [cell] = [
        row for row in rows if (row["armour"], row["shield"], row["critical"], row["tough"]) == ("none", *["False"] * 3)
    ]
    plain = tcsim.odds({"target": {}, "attacks": [{"kind": "melee", "injury_dice": 1}]})
    assert float(cell["p_out"]) == pytest.approx(plain.out_of_action, abs=1e-12)


def test_what_numbers_come_to_together_has_limits(tmp_path: Path) -> None:
    path = tmp_path / "big.toml"
    text = 'edition = "1.6.3"\n[[keyword]]\nname = "{}"\nmarkers = 3\n'
    path.write_text(text.format("AAA") + text.format("BBB").split("\n", 1)[1] + text.format("CCC").split("\n", 1)[1])
    asked = {"target": {}, "attacks": [{"keywords": ["AAA", "BBB"]}]}
    assert tcsim.odds(asked, catalog=path).resolved.problem.steps[0].markers == 6
    with pytest.raises(InputError, match="9 blood markers are placed by a hit, at most 6 are allowed"):
        tcsim.odds({"target": {}, "attacks": [{"keywords": ["AAA", "BBB", "CCC"]}]}, catalog=path)


def test_the_largest_numbers_are_answered_both_ways(tmp_path: Path) -> None:
    path = tmp_path / "big.toml"
    numbers = "action_dice = 20\ninjury_dice = -20\ninjury_modifier = -20\nshots = 20\ninjury_keep = 4\n"
    path.write_text(HOOK + numbers, encoding="utf-8")
    attack = {"weapon": "Hook", "action_dice": 40, "injury_dice": -40, "injury_modifier": -20}
    asked = {"target": {"injury_dice": -40, "blood": 6}, "attacks": [attack], "spend": {"blood_on_injury": "greedy"}}
    result = tcsim.odds(asked, catalog=path)
    assert tcsim.simulate(result.resolved, trials=1000).out_of_action == pytest.approx(result.out_of_action, abs=0.05)


# --- the plain path -----------------------------------------------------------------------------------------


def test_without_a_catalogue_nothing_of_it_is_loaded() -> None:
    code = """
import sys, tcsim.cli
assert tcsim.cli.main(["odds", "--attack", "Shotgun", "--json"]) == 0
print([name for name in sys.modules if name.startswith("tcsim.catalog.") and name.rpartition(".")[2] in
      ("custom", "custom_file", "columns", "checks", "positions")])
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.splitlines()[-1] == "[]"


# --- the reading is as wide as the books, and as safe as it says ----------------------------------------------


def test_the_books_can_be_read_as_a_catalogue_of_ones_own() -> None:
    folder = Path(tcsim.__file__).parent / "catalog" / "data"
    found = read_catalogs([folder / f"{name}.csv" for name in ("weapons", "armour", "units")])
    for name in editions():
        assert found[name].by_kind == catalog(name).by_kind
        assert len(found[name].own.places) == sum(len(rows) for rows in catalog(name).by_kind.values())


def test_columns_are_those_of_the_books_and_of_keywords() -> None:
    for kind in KINDS:
        assert {*COLUMNS[kind], "edition"} == set(read_cells(kind, "1.6.3")[0])
    assert set(COLUMNS["keyword"]) == {field.name for field in fields(Keyword)}


@pytest.mark.parametrize("name", editions())
def test_the_special_rules_of_the_books_pass_the_checks(name: str) -> None:
    rows = catalog(name)
    for effect in (effect for weapon in rows.weapons for effect in weapon.effects):
        check_effect(effect, rows.rules)
    own = [effect for armour in rows.armour_rows for effect in armour.effects]
    own += [effect for same in rows.abilities.values() for _, ability in same for effect in ability.effects]
    assert len(own) > 100
    for effect in own:
        check_effect(effect, rows.rules, "model")


def test_every_keyword_of_the_books_can_be_written_as_ones_own(tmp_path: Path) -> None:
    path = tmp_path / "words.toml"
    for name in editions():
        text = [f'edition = "{name}"']
        for word in edition(name).keywords.values():
            text.append("[[keyword]]")
            for field in fields(Keyword):
                value = getattr(word, field.name)
                if value is not None and (value != "" or field.name == "with_charge"):
                    text.append(f"{field.name} = {json.dumps(value)}")
        path.write_text("\n".join(text), encoding="utf-8")
        assert read_catalogs(path)[name].rules.keywords == edition(name).keywords


def test_lines_are_found_however_toml_is_written() -> None:
    text = '''# [[weapon]]
"edition" = "both" # x = 1

[[weapon]]   # the first
id = "a#b"
keywords = [ # [
  "A]", 'B',
]
special = """
name = "no"
[[weapon]]
""\\""""
[[ weapon ]]
'name'='b'
conditions = \'\'\'[[weapon]]
\'\'\'\'\'
shots={a = 1, b = "}"}
options.bloodbath = "add"
[options]
"shots" = "in-turn"
[[weapon]]
w = """"x""""
kind='melee\''''
    tomllib.loads(text)
    found = lines_of(text)
    expected = {
        ("edition",): 2,
        ("weapon", 0): 4,
        ("weapon", 0, "id"): 5,
        ("weapon", 0, "keywords"): 6,
        ("weapon", 0, "special"): 9,
        ("weapon", 1): 13,
        ("weapon", 1, "name"): 14,
        ("weapon", 1, "conditions"): 15,
        ("weapon", 1, "shots"): 17,
        ("weapon", 1, "options", "bloodbath"): 18,
        ("options", "shots"): 20,
        ("weapon", 2): 21,
        ("weapon", 2, "w"): 22,
        ("weapon", 2, "kind"): 23,
    }
    assert {place: found.get(place) for place in expected} == expected


VALUES = st.one_of(
    st.integers(),
    st.floats(),
    st.booleans(),
    st.text(max_size=20),
    st.dates(),
    st.lists(st.one_of(st.integers(), st.text(max_size=8)), max_size=3),
    st.dictionaries(st.text(max_size=3), st.integers(), max_size=2),
    st.sampled_from(["", "none", "−1", "1" * 400, "\x1b", "a;b", ";", "@", "30x60", 1 << 9000, None]),
)


@given(kind=st.sampled_from(sorted(COLUMNS)), value=VALUES, data=st.data())
def test_any_value_is_a_cell_or_a_sentence(kind: str, value: Any, data: st.DataObject) -> None:
    column = COLUMNS[kind][data.draw(st.sampled_from(sorted(COLUMNS[kind])))]
    from_csv = isinstance(value, str) and data.draw(st.booleans())
    try:
        cell, sentence = read_value(column, value, from_csv), ""
    except InputError as error:
        cell, sentence = "", str(error)
    assert len(sentence) < 400
    assert f"{cell}{sentence}".isprintable()
    if cell:  # what was read can be read again
        assert read_value(column, cell, from_csv=True) == cell


TEXTS = [path.read_bytes() for path in sorted([*VALID.iterdir(), *INVALID.iterdir()]) if path.name != "expected.toml"]


@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(text=st.sampled_from(TEXTS), junk=st.binary(max_size=4), data=st.data())
def test_no_file_ends_in_a_traceback(text: bytes, junk: bytes, data: st.DataObject, tmp_path: Path) -> None:
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, min(len(text), start + 8)))
    path = tmp_path / data.draw(st.sampled_from(["any.toml", "any.csv"]))
    path.write_bytes(text[:start] + junk + text[end:])
    try:
        found = set(read_catalogs(path))
    except InputError:
        found = set(editions())
    assert found == set(editions())


def test_an_effect_that_is_changed_by_hand_is_refused_too() -> None:
    rule = catalog("1.6.3").weapon("heavy-shotgun").effects[0]
    check_effect(rule, edition("1.6.3"))
    with pytest.raises(InputError):
        check_effect(replace(rule, value="+11"), edition("1.6.3"))
