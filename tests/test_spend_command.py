"""``tcsim spend``, policy files and goals as a user meets them: tables, JSON, CSV, files, figures, mistakes."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import tcsim
from tcsim.analysis.spending import by_armour
from tcsim.cli import main
from tcsim.plots.figures.spending import maps_of, spending_map
from tcsim.plots.figures.spending_armour import by_attack
from tcsim.plots.page import figure_of
from tcsim.rules import editions

THREE = ["--attack", "melee,times=3", "--injury-modifier", "-3", "--target-blood", "3"]
VOLLEY = [
    "--attack",
    "ranged,shots=3",
    "--attack",
    "melee",
    "--injury-modifier",
    "-2",
    "--target-blood",
    "5",
    "--tough",
]


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main(["spend", *words]) == 0
    return capsys.readouterr().out


def complaint(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    assert main([*words]) == 2
    told = capsys.readouterr().err
    assert told.startswith("tcsim: ")
    assert told.count("\n") == 1
    return told.removeprefix("tcsim: ").rstrip("\n")


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_the_table_fits_a_terminal(lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    from tcsim.base.text import columns

    for words in (THREE, VOLLEY, [*THREE, "--trials", "1000", "--worth"], [*VOLLEY, "--goal", "expected-blood"]):
        out = said(capsys, *words, "--lang", lang)
        assert all(columns(line) <= 80 for line in out.splitlines())
    assert "optimal" in out
    if lang == "en":
        told = said(capsys, *THREE)
        assert "Bloodbath, rest as dice" in told
        assert "3.0 points" in told


def test_json_is_what_python_gives(capsys: pytest.CaptureFixture[str]) -> None:
    answer = json.loads(said(capsys, *THREE, "--json"))
    found = tcsim.spend({"target": {"injury_modifier": -3, "blood": 3}, "attacks": [{"kind": "melee", "times": 3}]})
    assert answer == json.loads(json.dumps(found.to_dict()))
    assert answer["value"] == found.value == max(found.values.values())
    losses = {row["name"]: row["loss"] for row in answer["policies"]}
    assert losses == found.losses
    assert losses["optimal"] == 0
    worth = {(row["policy"], row["blood"]): row["value"] for row in answer["worth"]}
    for name in ("none", "all", "bloodbath", "greedy", "optimal"):
        spend = {"blood_on_injury": name}
        for blood in (0, 3, 6):
            target = {"injury_modifier": -3, "blood": blood}
            asked = {"target": target, "attacks": [{"kind": "melee", "times": 3}], "spend": spend}
            assert worth[name, blood] == pytest.approx(tcsim.odds(asked).out_of_action, abs=1e-12)
    assert list(found.worth.columns) == ["blood", "policy", "value"]
    assert {"attacks_left", "blood", "down"} <= set(found.advice.columns)


def test_csv(capsys: pytest.CaptureFixture[str]) -> None:
    lines = said(capsys, *VOLLEY, "--csv").splitlines()
    assert {"attacks_left", "plain_hits", "on_plain"} <= set(lines[0].split(","))
    assert len(lines) > 5
    assert said(capsys, *THREE, "--csv", "--worth").splitlines()[:2][0] == "blood,policy,value"


@pytest.mark.parametrize("suffix", [".toml", ".csv"])
@pytest.mark.parametrize("words", [THREE, VOLLEY])
def test_a_saved_policy_is_worth_the_same(
    words: list[str], suffix: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / f"plan{suffix}")
    best = json.loads(said(capsys, *words, "--json", "--save-policy", file))
    again = json.loads(said(capsys, *words, "--json", "--policy", file))
    own = {row["name"]: row["value"] for row in again["policies"]}[f"plan{suffix}"]
    assert own == pytest.approx(best["value"], abs=1e-12)
    assert main(["odds", *words, "--policy", file, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["out_of_action"] == pytest.approx(best["value"], abs=1e-12)
    rolled = ["--method", "monte-carlo", "--trials", "100000", "--json"]
    assert main(["odds", *words, "--policy", file, *rolled]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert abs(answer["out_of_action"] - best["value"]) < 0.01  # six standard errors and more


def test_several_policies_are_compared_and_rolled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.toml").write_text('[[policy]]\ndice = "all"\n')
    (tmp_path / "b.csv").write_text("down,blood,bloodbath\ntrue,>=3,true\n")
    files = ["--policy", str(tmp_path / "a.toml"), "--policy", str(tmp_path / "b.csv")]
    answer = json.loads(said(capsys, *THREE, *files, "--json", "--trials", "100000"))
    rows = {row["name"]: row for row in answer["policies"]}
    assert rows["a.toml"]["value"] == pytest.approx(rows["all"]["value"], abs=1e-12)
    assert rows["b.csv"]["value"] < rows["optimal"]["value"]
    for row in rows.values():
        assert abs(row["rolled"] - row["value"]) < 0.01
        assert row["low"] < row["rolled"] < row["high"]


def test_a_goal_from_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "goal.toml").write_text("goal = [{out_of_action = true, value = 1}, {down = true, value = 1}]\n")
    own = json.loads(said(capsys, *THREE, "--goal", str(tmp_path / "goal.toml"), "--json"))
    named = json.loads(said(capsys, *THREE, "--goal", "down", "--json"))
    assert own["value"] == pytest.approx(named["value"], abs=1e-12)
    assert (own["goal"], named["goal"]) == ("own", "down")


WRONG = {
    "[[policy]]\nbloodbath = true\n": "p.toml:1: it spends 6 markers of a standing target, and matches one that has 0",
    "[[policy]]\ndice = 1\nblood = 1\n[[policy]]\ndice = 2\n": "p.toml:4: it spends 2 markers",
    "policy = [\n  {blood = 3, dice = 1},\n  {blod = 3, dice = 1},\n]\n": 'p.toml:3: there is no field "blod"; did you',
    "[[policy]]\nblood = 3\n": "p.toml:1: the row does not say what is spent",
    "[[policy]]\nblood = '4-2'\ndice = 0\n": 'p.toml:1.blood: "4-2" is given, the range ends before it begins',
    "[[policy]]\nblood = 'many'\ndice = 0\n": 'p.toml:1.blood: "many" is given, a whole number',
    "[[policy]]\nblood = true\ndice = 0\n": "p.toml:1.blood: true is given",
    "[[policy]]\nblood = '>=3'\non_plain = [2, 1]\n": 'p.toml:1: it spends on 2 plain_hits, so give plain_hits = ">=2"',
    "[[policy]]\nplain_hits = 1\non_plain = ['x']\n": 'p.toml:1.on_plain: "x" is given',
    "[[policy]]\non_plain = []\ndice = 1\n": "p.toml:1: on_plain and on_critical are for all hits",
    "[[policy]]\ndice = 'every'\n": 'p.toml:1.dice: "every" is given',
    "[[polcy]]\n": 'p.toml: there is no field "polcy"; did you mean "policy"?',
    "policy = 3\n": "p.toml: the array policy is missing",
    "": "p.toml: the input is empty",
    "policy = [": "p.toml: this is not TOML",
}


@pytest.mark.parametrize("text", WRONG)
def test_mistakes_in_a_policy_file(text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "p.toml"
    file.write_text(text)
    for command in ("spend", "odds"):
        assert WRONG[text] in complaint(capsys, command, *THREE, "--policy", str(file))


def test_mistakes_in_a_csv_policy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "p.csv"
    for text, told in (
        ("blood,dise\n", 'p.csv:1: there is no column "dise"; did you mean "dice"?'),
        ("blood,dice\n>=2,1\n\n1,2\n", "p.csv:4: it spends 2 markers"),
        ("blood,dice\n1,1,1\n", "p.csv:2: 3 cells are given, there are 2 columns"),
        ("blood,blood\n", "p.csv:1: a line of different column names"),
        ("", "p.csv:1: a line of different column names"),
        ("down,dice\nmaybe,1\n", "p.csv:2.down: "),
    ):
        file.write_text(text)
        assert told in complaint(capsys, "spend", *THREE, "--policy", str(file))


def test_mistakes_on_the_command_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = tmp_path / "good.toml"
    good.write_text("policy = []\n")
    file = ["--policy", str(good)]
    for words, told in (
        (["spend", *THREE, "--goal", "oot"], 'there is no goal "oot"; did you mean "out"?'),
        (["spend", *THREE, "--goal", "out-by-attack-0"], "a number from 1"),
        (["spend", *THREE, "--plot", "x.gif"], "a figure ends in .png or .svg"),
        (["spend", *THREE, "--save-policy", "x.txt"], "a policy file ends in .toml or .csv"),
        (["spend", *THREE, "--seed", "2"], "it goes with --trials"),
        (["spend", *THREE, "--json", "--csv"], "one of --json and --csv"),
        (["spend", *THREE, "--policy", "nowhere.toml"], "cannot be read"),
        (["spend", *THREE, "--policy", "x.json"], "ends in .toml or .csv"),
        (["spend"], "give a scenario file or --attack"),
        (["odds", *THREE, *file, *file], "tcsim spend compares several"),
        (["odds", *THREE, *file, "--spend", "all"], "both are given"),
    ):
        assert told in complaint(capsys, *words)
    assert main(["odds", *THREE, *file]) == 0


def test_figures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, begins in (("a.png", b"\x89PNG"), ("a.svg", b"<?xml")):
        said(capsys, *VOLLEY, "--plot", str(tmp_path / name))
        assert (tmp_path / name).read_bytes().startswith(begins)


def cells(found: Any) -> list[list[tuple[int, int]]]:
    return [[hits[0] for hits in row] for one in maps_of(found) for row in one.cells]


def test_the_map_shows_the_plan() -> None:
    """Each cell says what the rows of the plan say, and nothing written lies outside the page."""
    question = {"target": {"injury_modifier": -3, "blood": 3}, "attacks": [{"kind": "melee", "times": 1}]}
    found = tcsim.spend(question)
    # one attack is left, so every marker is spent: as dice, or on a Bloodbath where that is better
    [standing, critical, down] = cells(found)
    assert standing == [(n, 0) for n in range(1, 7)]
    assert critical == [*((n, 0) for n in range(1, 6)), (0, 1)]
    assert down == [(1, 0), (2, 0), (0, 1), (1, 1), (2, 1), (3, 1)]
    axes = spending_map(found)
    figure = figure_of(axes)
    box = figure.bbox
    renderer: Any = figure.canvas
    for text in figure.findobj(lambda artist: hasattr(artist, "get_text") and bool(artist.get_text())):
        extent = text.get_window_extent(renderer.get_renderer())
        assert box.x0 <= extent.x0, text
        assert extent.x1 <= box.x1, text


def test_the_sentence_in_the_readme() -> None:
    """Without armour every marker is spent on every hit; in armour −3, 3 attacks left, two are kept on a Down one."""
    for edition in editions():
        advice = by_armour(edition)
        for left, one in by_attack(advice[0]).items():
            down = [name.startswith("Down") for name in one.rows]
            for is_down, row in zip(down, one.cells, strict=True):
                spent = [dice + bath * (3 if is_down else 6) for [(dice, bath)] in row]
                assert spent == [1, 2, 3, 4, 5, 6], (edition, left)
        one = by_attack(advice[-3])[3]
        for name, row in zip(one.rows, one.cells, strict=True):
            if name.startswith("Down"):
                assert [row[0], row[1]] == [((0, 0),), ((0, 0),)], (edition, name)
                assert row[3][0][1] == row[4][0][1] == row[5][0][1] == 1
                assert row[2] in ((((0, 1),)), (((0, 0),))), name
