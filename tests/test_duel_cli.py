"""Duels on the command line, as figures, and many models against many."""

from __future__ import annotations

import csv
import io
import json
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_cli import answer, complaint, run
from test_korean import HANGUL
from test_plots import outside, overlaps, texts_of

import tcsim
from tcsim.analysis.duels import DuelMatrix, duel_matrix
from tcsim.analysis.matchup import model_of
from tcsim.base import lang, text
from tcsim.catalog import warband
from tcsim.catalog.warbands import Warband, read_loadouts
from tcsim.duels import resolve as resolving
from tcsim.duels.answer import simulate_duel
from tcsim.engines.answer import Plan
from tcsim.plots import page
from tcsim.plots.figures.duel import matrix, matrix_words, story, story_words

FLAGS = ["duel", "--a-attack", "melee,action_dice=+1", "--b-attack", "melee,injury_dice=+1", "--b-tough"]
GIVEN: dict[str, Any] = {
    "a": {"attacks": [{"action_dice": 1}]},
    "b": {"attacks": [{"injury_dice": 1}], "tough": True},
}
APART: dict[str, Any] = {
    "id": "apart",
    "edition": "1.0.2",
    "first": "b",
    "rounds": 4,
    "a": {"unit": "Yeoman", "attacks": [{"weapon": "Sword / Axe"}], "spend": {"blood_on_injury": "all"}},
    "b": {
        "unit": "Heretic Trooper",
        "armour": ["Standard Armour"],
        "attacks": [{"weapon": "Knife / Dagger"}],
        "ranged": [{"weapon": "Bolt-Action Rifle"}],
    },
    "approach": {"distance": 18, "who_charges": "a"},
}


# --- one duel ---------------------------------------------------------------------------------------------------


def test_flags_are_a_duel() -> None:
    assert answer(*FLAGS, "--json") == tcsim.duel(GIVEN).to_dict()
    more = [
        "--a-spend",
        "all",
        "--b-blood-on-action",
        "all",
        "--first",
        "b",
        "--rounds",
        "3",
        "--option",
        "stand_up=risky",
    ]
    asked = {
        **GIVEN,
        "first": "b",
        "rounds": 3,
        "a": {**GIVEN["a"], "spend": {"blood_on_injury": "all"}},
        "b": {**GIVEN["b"], "spend": {"blood_on_action": "all"}},
        "options": {"stand_up": "risky"},
    }
    assert answer(*FLAGS, *more, "--json") == tcsim.duel(asked).to_dict()
    apart = ["--edition", "1.0.2", "--id", "apart", "--first", "b", "--rounds", "4", "--distance", "18"]
    apart += ["--who-charges", "a", "--a-unit", "Yeoman", "--a-attack", "Sword / Axe", "--a-spend", "all"]
    apart += ["--b-unit", "Heretic Trooper", "--b-armour", "Standard Armour", "--b-attack", "Knife / Dagger"]
    assert answer("duel", *apart, "--b-ranged", "Bolt-Action Rifle", "--json") == tcsim.duel(APART).to_dict()


def test_flags_override_a_file(tmp_path: Path) -> None:
    path = tmp_path / "duel.json"
    path.write_text(json.dumps(APART), encoding="utf-8")
    assert answer("duel", str(path), "--json") == tcsim.duel(APART).to_dict()
    changed = {**APART, "rounds": 2, "b": {**APART["b"], "blood": 3, "down": True}}
    changed["b"] = {key: value for key, value in changed["b"].items() if key not in ("armour", "unit")}
    changed["b"] |= {"injury_modifier": -1, "move": 6}
    given = ["--rounds", "2", "--b-blood", "3", "--b-down", "--b-injury-modifier", "-1", "--b-move", "6"]
    assert answer("duel", str(path), *given, "--json") == tcsim.duel(changed).to_dict()


def test_rolled_and_fractions() -> None:
    rolled = answer(*FLAGS, "--method", "monte-carlo", "--trials", "2e4", "--seed", "5", "--threads", "2", "--json")
    assert rolled == simulate_duel(GIVEN, trials=20_000, seed=5).to_dict()
    exact = answer(*FLAGS, "--rounds", "2", "--fractions", "--json")
    assert exact == tcsim.duel({**GIVEN, "rounds": 2}, fractions=True).to_dict()


def test_lines() -> None:
    """A bad line says what is wrong with it, the others are answered; the exit status tells."""
    bad = {"id": "bad", "a": {"attacks": [{"weapn": 1}]}, "b": {"attacks": [{}]}}
    lines = "\n".join([json.dumps(GIVEN), "", json.dumps(bad), "{", json.dumps(APART)]).encode()
    said = run("duel", "--jsonl", "-", stdin=lines)
    found = [json.loads(line) for line in said.out.splitlines()]
    assert said.status == 1
    assert found[0] == tcsim.duel(GIVEN).to_dict()
    assert (found[1]["id"], found[1]["line"]) == ("bad", 3)
    assert found[1]["error"].startswith('a.attacks[0]: there is no field "weapn"')
    assert (found[2]["id"], found[2]["line"]) == (None, 4)
    assert found[3] == tcsim.duel(APART).to_dict()
    assert run("duel", "--jsonl", "-", stdin=json.dumps(GIVEN).encode()).status == 0


TABLES = {
    "plain": FLAGS,
    "rolled": [*FLAGS, "--method", "monte-carlo", "--trials", "2000"],
    "apart": [
        *("duel", "--a-unit", "Yeoman", "--a-attack", "Sword / Axe", "--a-attack", "Knife / Dagger,off_hand"),
        *("--b-unit", "Heretic Trooper", "--b-armour", "Reinforced Armour,Trench Shield", "--b-blood", "2"),
        *("--b-attack", "Knife / Dagger", "--distance", "18", "--b-ranged", "Bolt-Action Rifle"),
        *("--rounds", "20", "--a-spend", "greedy", "--b-blood-on-action", "all", "--option", "failed_charge=move"),
    ],
    "matrix": ["duel", "--matrix", "na-line", "hl-gunline", "--rounds", "2"],
}


@pytest.mark.parametrize("name", TABLES)
def test_tables_fit_and_are_korean(name: str) -> None:
    for lang_id in ("en", "ko"):
        said = run(*TABLES[name], "--lang", lang_id)
        assert (said.status, said.err) == (0, "")
        assert max(map(text.columns, said.out.splitlines())) <= 80
        assert bool(HANGUL.search(said.out)) == (lang_id == "ko")


def test_notes_of_duels_are_korean() -> None:
    for name in ("_OPTIMAL_ANYWAY", "_ANEW", "_AS_AT_START"):
        sentence = getattr(resolving, name)
        with lang.speaking("ko"):
            assert HANGUL.search(lang.retold(sentence.format(key="x", weapon="x", name="x", who="a")))


def test_table_says_what_it_is_about() -> None:
    result = tcsim.duel(GIVEN)
    said = run(*FLAGS).out
    for chance in (result.a_wins, result.b_wins, result.neither):
        assert text.percent(chance) in said
    assert f"It lasts {result.length:.1f} rounds on average." in said
    other = tcsim.duel({**GIVEN, "first": "b"})
    [row] = [line for line in said.splitlines() if line.strip().startswith("b is first")]
    assert [text.percent(other.a_wins), text.percent(other.b_wins)] == row.split()[3:5]
    long = run(*TABLES["apart"]).out
    assert "… 8 more" in long
    assert "only b charges" in long


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        ([], "give a duel's file, --jsonl, --matrix, or attacks of both"),
        (["--a-attack", "melee"], "give a duel's file"),
        (["--a-attack", "melee", "--b-attack", "Swort"], "b.attacks[0].weapon: there is no weapon"),
        (["--a-attack", "melee,covr", "--b-attack", "melee"], '--a-attack 1: there is no attack key or flag "covr"'),
        ([*FLAGS[1:], "--rounds", "0"], '--rounds: "0" is given'),
        ([*FLAGS[1:], "--distance", "far"], '--distance: "far" is given, a number of inches'),
        ([*FLAGS[1:], "--distance", "nan"], '--distance: "nan" is given'),
        ([*FLAGS[1:], "--distance", "9"], "a.move: it is missing"),
        ([*FLAGS[1:], "--who-charges", "a"], "approach.distance: it is missing"),
        ([*FLAGS[1:], "--first", "me"], 'first: "me" is given, a or b is allowed'),
        ([*FLAGS[1:], "--seed", "3"], "--seed: it goes with --method monte-carlo"),
        ([*FLAGS[1:], "--csv"], "--csv: it goes with --matrix"),
        ([*FLAGS[1:], "--a-spend", "optimal"], "--a-spend: optimal play is that of both players: give --optimal"),
        ([*FLAGS[1:], "--plot", "duel.gif"], '--plot: "duel.gif" is given, a figure ends in .png or .svg'),
        ([*FLAGS[1:], "--method", "monte-carlo", "--fractions"], "--fractions: only exact answers"),
        ([*FLAGS[1:], "--jsonl", "-"], "--jsonl: each of them is a whole duel"),
        (["--matrix", "na-line", "hl-gunline", "--a-attack", "melee"], "--matrix: each of them is a whole duel"),
        (["--matrix", "na-line", "nobody"], "nobody"),
        (["missing.toml"], '"missing.toml" cannot be read'),
    ],
)
def test_wrong_flags(argv: list[str], message: str) -> None:
    assert message in complaint("duel", *argv)


def test_options_of_duels_are_listed() -> None:
    for edition_id, stand_at in (("1.6.3", "turn"), ("1.0.2", "activation")):
        listed = answer("options", "--edition", edition_id, "--json")["duel_options"]
        assert list(listed) == ["stand_at", "stand_up", "failed_charge"]
        assert listed["stand_at"]["default"] == stand_at
    assert "stand_up" in run("options").out


# --- many models against many -----------------------------------------------------------------------------------


def test_a_cell_is_the_duel_one_would_write() -> None:
    one, other = warband("na-line"), warband("hl-gunline")
    found = duel_matrix(one, other, {"rounds": 3, "first": "b"})
    assert (found.edition, found.ids, found.rounds, found.first) == ("1.6.3", ("na-line", "hl-gunline"), 3, "b")
    cleric, trooper = found.sides[0].kits[2], found.sides[1].kits[4]
    by_hand = {
        "rounds": 3,
        "first": "b",
        "a": {
            **model_of(cleric),
            "attacks": [{"weapon": "sword-axe"}, {"weapon": "pistol-melee", "off_hand": True}],
        },
        "b": {**model_of(trooper), "attacks": [{"weapon": "bayonet"}]},
    }
    cell = found.cells[2][4]
    assert cell is not None
    assert [found.weapons[0][2][4], found.weapons[1][2][4]] == ["Sword / Axe + Pistol / Revolver", "Bayonet"]
    assert tcsim.duel(by_hand).story == cell.story
    table, rows = found.chances(), found.rows()
    assert table.shape == (len(found.sides[0].kits), len(found.sides[1].kits))
    for (i, j), row in zip(product(*map(range, table.shape)), rows, strict=True):
        assert row["a_wins"] == table[i, j]
        assert row["a_wins"] + row["b_wins"] + row["neither"] == pytest.approx(1)
    # turned round, with the other first, it is the same table turned round
    turned = duel_matrix(other, one, {"rounds": 3, "first": "a"})
    assert np.allclose(turned.chances("b").T, table, rtol=0, atol=1e-12)


def test_models_that_cannot_fight() -> None:
    """In 1.0.2 nobody has fists: a model with a rifle alone fights no duel, and two such warbands none at all."""
    found = duel_matrix(warband("tp-shrine", "1.0.2"), warband("bg-lord", "1.0.2"), {"rounds": 1})
    idle = [i for i, options in enumerate(found.sides[0].options) if all(one.kind != "melee" for one in options)]
    assert idle
    assert np.isnan(found.chances()).all(axis=1).nonzero()[0].tolist() == idle
    assert "Empty: one of the two has no melee attack." in matrix_words(found).caption
    said = run("duel", "--matrix", "tp-shrine", "bg-lord", "--edition", "1.0.2", "--rounds", "1").out
    assert "–: one of the two has no melee attack." in said
    armed = {"edition": "1.0.2", "faction": "new-antioch", "unit": "Yeoman", "ranged": ["Bolt-Action Rifle"]}
    [alone] = read_loadouts(armed)
    with pytest.raises(tcsim.InputError, match="can fight another: they have no melee attacks"):
        duel_matrix(alone, alone)


def test_matrix_on_the_command_line() -> None:
    argv = ["duel", "--matrix", "na-line", "hl-gunline", "--rounds", "2"]
    found = duel_matrix(warband("na-line"), warband("hl-gunline"), {"rounds": 2})
    assert answer(*argv, "--json") == found.to_dict()
    rows = list(csv.DictReader(io.StringIO(run(*argv, "--csv").out)))
    assert [float(row["a_wins"]) for row in rows] == [row["a_wins"] for row in found.rows()]
    rolled = duel_matrix(warband("na-line"), warband("hl-gunline"), {"rounds": 2}, Plan(trials=500, seed=3))
    assert answer(*argv, "--method", "monte-carlo", "--trials", "500", "--seed", "3", "--json") == rolled.to_dict()
    assert rolled.trials == 500
    assert rolled.rows()[0]["a_count"] == round(rolled.rows()[0]["a_wins"] * 500)


# --- figures ----------------------------------------------------------------------------------------------------


@cache
def crowd(count: int) -> DuelMatrix:
    """A warband of many models against itself."""
    unit = {"unit": "Yeoman", "melee": ["Bayonet"], "ranged": ["Bolt-Action Rifle"]}
    many = {"id": "crowd", "edition": "1.6.3", "faction": "new-antioch", "model": [dict(unit) for _ in range(count)]}
    [found] = read_loadouts({"warband": [many]})
    assert isinstance(found, Warband)
    return duel_matrix(found, found, {"rounds": 1})


@pytest.mark.parametrize("bare", [False, True])
def test_figures_fit(bare: bool) -> None:
    drawn = {
        "plain": story(tcsim.duel(GIVEN), bare=bare),
        "apart": story(tcsim.duel(APART), bare=bare),
        "long": story(tcsim.duel({**GIVEN, "rounds": 40}), bare=bare),
        "alike": story(tcsim.duel({"rounds": 1, "a": {"attacks": [{}]}, "b": {"attacks": [{}]}}), bare=bare),
        "matrix": matrix(duel_matrix(warband("na-line"), warband("hl-gunline"), {"rounds": 2}), bare=bare),
        "crowd": matrix(crowd(34), bare=bare),
    }
    for name, axes in drawn.items():
        texts = texts_of(axes)
        assert overlaps(texts) == [], name
        assert outside(axes, texts) == [], name


def test_figures_say_what_was_found(tmp_path: Path) -> None:
    result = tcsim.duel(APART)
    words = story_words(result)
    assert words.title == f"a (Yeoman) wins {text.percent(result.a_wins, 0)}, b (Heretic Trooper) " + text.percent(
        result.b_wins, 0
    )
    for part in ("Edition 1.0.2.", "b is first in each round.", "18 inches apart", "by a all, by b none", "Exact."):
        assert part in words.caption
    assert "Rolled 500 times." in story_words(simulate_duel(APART, trials=500)).caption
    lines = story(result)[0].lines
    assert [line.get_ydata().tolist() for line in lines[:2]] == [
        [a for a, _ in result.story],
        [b for _, b in result.story],
    ]
    found = duel_matrix(warband("na-line"), warband("hl-gunline"), {"rounds": 2})
    table = found.chances()
    best = int(table.mean(axis=1).argmax())
    assert found.names[0][best] in matrix_words(found).title
    written = [one for one, _ in texts_of(matrix(found))]
    assert all(text.percent(p, 0).removesuffix("%") in written for p in table.ravel().tolist())
    assert "100%" not in written
    assert {"0%", "50%", "100%"} <= {one for one, _ in texts_of(matrix(crowd(34)))}  # a scale in place of numbers
    path = tmp_path / "duel.svg"
    assert run(*FLAGS, "--plot", str(path)).status == 0
    assert path.read_bytes() == page.svg(story(tcsim.duel(GIVEN)))
    with lang.speaking("ko"):
        assert HANGUL.search(story_words(result).title + matrix_words(found).title)
