"""Questions whose input is a file of tables: activation, duel, firefight and turn, by hand, naively and rolled."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from fractions import Fraction
from math import exp
from pathlib import Path
from typing import Any

import naive_duel
import naive_skirmish
import pytest
from stat_tools import surprise
from test_cli import answer, complaint, run

import tcsim
from tcsim.base.errors import InputError
from tcsim.base.text import columns
from tcsim.questions.question import PROBABILITY, Asked, once
from tcsim.questions.reference import markdown
from tcsim.questions.shares import counted, worked_out
from tcsim.questions.tables import TablesFile
from tcsim.situations import ASK

NAMES = ("activation", "duel", "firefight", "turn")
SURE = {"keywords": ["AUTO-HIT"]}  # 10 of 36 out of action, 11 Down, 15 a Minor Hit
PLAIN: dict[str, Any] = {"a": {"attacks": [SURE]}, "b": {"attacks": [{"action_dice": 1}], "injury_modifier": -1}}
FIGHT: dict[str, Any] = {
    "spend": {"blood_on_injury": "none"},
    "attackers": [{"count": 2, "attacks": [{"action_dice": 1}]}, {"attacks": [SURE]}],
    "targets": [{"injury_modifier": -1}, {"count": 2}],
    "morale": {"models": 4},
}
GAME: dict[str, Any] = {
    "warband": [
        {"models": [{"count": 2, "attacks": [{"action_dice": 1}]}], "targeting": "focus"},
        {"models": [{"attacks": [{}]}, {"attacks": [SURE], "injury_modifier": -1}], "targeting": "focus"},
    ]
}
STORM: dict[str, Any] = {
    "target": {},
    "attacks": [{"kind": "melee", "injury_modifier": 20, "defended_obstacle": True}],
    "activation": {"move": 6, "steps": ["dash", {"charge": {"distance": 9}}, "attack 1", "move in melee"]},
}
GIVEN = dict(zip(NAMES, (STORM, {**PLAIN, "rounds": 2}, FIGHT, GAME), strict=True))


def near(reply: Any, true: Mapping[str, Fraction]) -> None:
    assert {name: reply[name] for name in true} == pytest.approx(
        {name: float(p) for name, p in true.items()}, abs=1e-12
    )


# --- by hand and the naive way --------------------------------------------------------------------------------


def test_an_activation_by_hand() -> None:
    """Dash 21 of 36, charge 4 of 6, a blow over an obstacle at -1 DICE 69 of 216, after a move past it 21 of 36."""
    dash, charge, worse, plain = Fraction(21, 36), Fraction(4, 6), Fraction(69, 216), Fraction(21, 36)
    reply = tcsim.ask("activation", file=STORM, best_order=True)
    there = dash * charge
    reached = {"reached_1": Fraction(1), "reached_2": dash, "reached_3": there, "reached_4": there * (1 - worse)}
    ends = {"ends_1": 1 - dash, "ends_2": dash * (1 - charge), "ends_3": Fraction(0), "ends_4": Fraction(0)}
    near(reply, reached | ends)
    near(reply, {"out_of_action": there * worse, "ended_early": 1 - there, "down": Fraction(0)})
    near(reply, {"out_after_2": Fraction(0), "out_after_3": there * worse, "down_after_3": Fraction(0)})
    near(reply, {"best": there * plain, "order_1": there * plain, "order_2": there * worse})
    assert reply.answers["reached_3"]["label"] == "3 attack 1: melee attack"
    assert reply.answers["order_1"]["label"] == "dash > charge > move in melee > attack 1"
    near(tcsim.ask("activation", file=STORM, move=9), {"ends_2": Fraction(0), "out_of_action": dash * worse})
    near(tcsim.ask("activation", file=STORM, move=3), {"reached_3": dash / 6})  # a 6 alone is enough


@pytest.mark.parametrize("more", [{}, {"first": "b"}, {"rounds": 3}, {"edition": "1.0.2", "rounds": 2}])
def test_a_duel_the_naive_way(more: dict[str, Any]) -> None:
    story = naive_duel.by_round({"rounds": 6, **PLAIN, **more})
    reply = tcsim.ask("duel", file=PLAIN, **more)
    a, b = story[-1]
    assert (reply["a_wins"], reply["b_wins"], reply["neither"]) == (a, b, 1 - a - b)
    assert reply["length"] == 1 + sum(1 - sum(row) for row in story[:-1])
    assert [reply[f"a_wins_by_{n}"] for n in range(1, len(story) + 1)] == [row[0] for row in story]
    assert [reply[f"b_wins_by_{n}"] for n in range(1, len(story) + 1)] == [row[1] for row in story]


def test_long_and_optimal_duels() -> None:
    reply = tcsim.ask("duel", file=PLAIN, rounds=11)
    assert type(reply["a_wins"]) is float
    near(reply, dict(zip(("a_wins", "b_wins"), naive_duel.by_round({**PLAIN, "rounds": 11})[-1], strict=True)))
    blood = {**PLAIN, "a": {**PLAIN["a"], "blood": 3}}
    fixed, best = (tcsim.ask("duel", file=blood, rounds=1, spend=way)["b_wins"] for way in ("fixed", "optimal"))
    assert best > fixed
    movers = {side: {**PLAIN[side], "move": 6} for side in "ab"}
    apart = tcsim.ask("duel", file=movers, rounds=1, distance=100)
    assert (apart["a_wins"], apart["neither"]) == (0, 1)


@pytest.mark.parametrize("targeting", ["focus", "spread", "greedy"])
def test_a_firefight_the_naive_way(targeting: str) -> None:
    naive = naive_skirmish.Firefight(FIGHT)
    ends = naive.ends(getattr(naive, targeting))
    true: dict[str, Fraction] = {"expected_out": Fraction(0), "expected_down": Fraction(0), "morale_test": Fraction(0)}
    for states, chance in ends.items():
        out, down = naive_skirmish.count_out(states), naive_skirmish.count_down(states)
        true["expected_out"] += out * chance
        true["expected_down"] += down * chance
        true["morale_test"] += chance * (out + down >= 2)
        true[f"out_{out}"] = true.get(f"out_{out}", Fraction(0)) + chance
        true[f"down_{down}"] = true.get(f"down_{down}", Fraction(0)) + chance
    true["morale_failed"] = true["morale_test"] * Fraction(15, 36)
    near(tcsim.ask("firefight", file=FIGHT, targeting=targeting), true)


def test_optimal_targeting_is_the_best_there_is() -> None:
    naive = naive_skirmish.Firefight(FIGHT)
    best = naive.best(lambda states: Fraction(naive_skirmish.count_out(states)))
    near(tcsim.ask("firefight", file=FIGHT), {"expected_out": best})
    tests = naive.best(
        lambda states: Fraction(naive_skirmish.count_out(states) + naive_skirmish.count_down(states) >= 2)
    )
    near(tcsim.ask("firefight", file=FIGHT, goal="morale"), {"morale_test": tests})


@pytest.mark.parametrize(
    "rules", [{}, {"first": "a"}, {"failure": "shaken", "stand": "activation"}, {"smaller": "left", "first": "b"}]
)
def test_a_turn_the_naive_way(rules: dict[str, str]) -> None:
    naive = naive_skirmish.Game({**GAME, "rules": rules}, 2)
    naive.play()

    def sum_of(side: int, what: str, turns: int = 2) -> Fraction:
        return sum((p for (turn, who, name), p in naive.events.items() if (who, name) == (side, what) and turn < turns),
                   Fraction(0))  # fmt: skip

    true: dict[str, Fraction] = {}
    for side, name in enumerate("ab"):
        true |= {f"{name}_wins": sum_of(side, "won"), f"{name}_wins_by_1": sum_of(side, "won", 1)}
        true |= {f"{name}_flees": sum_of(side, "fled"), f"{name}_destroyed": sum_of(side, "destroyed")}
        true[f"{name}_tests_1"] = sum_of(side, "tested", 1)
        out = [naive.gone.get((1, side, number), Fraction(0)) for number in range(3)]
        true |= {f"{name}_out_{number}": p for number, p in enumerate(out)}
        true[f"{name}_expected_out"] = out[1] + 2 * out[2]
    true["neither"] = 1 - true["a_wins"] - true["b_wins"]
    near(tcsim.ask("turn", file=GAME, turns=2, **rules), true)


# --- rolled ---------------------------------------------------------------------------------------------------

#: Trials of each question, and the chance that all checks together fail for nothing.
TRIALS, FALSE_ALARM, CHECKS = 70_000, 1e-6, 100


def test_rolled_answers_agree_with_exact_ones() -> None:
    """Each question in two chunks; a wrong chance near 1/2 that is off by 0.015 is seen more often than not."""
    widths = {"length": 5, "expected_out": 3, "expected_down": 3, "a_expected_out": 2, "b_expected_out": 2}
    checks = 0
    for name, given in GIVEN.items():
        more: dict[str, Any] = {"best_order": True} if name == "activation" else {"turns": 2} if name == "turn" else {}
        exact = tcsim.ask(name, file=given, **more)
        rolled = tcsim.ask(name, file=given, **more, method="monte-carlo", trials=TRIALS, seed=3)
        assert list(rolled.answers) == list(exact.answers)
        for key, found in rolled.answers.items():
            true, checks = float(exact[key]), checks + 1
            assert found["looks"] == TRIALS
            assert found.get("label") == exact.answers[key].get("label")
            if exact.question.answer_of(key).unit == PROBABILITY:
                assert surprise(found["count"], TRIALS, true) > FALSE_ALARM / CHECKS, (name, key)
            else:  # Hoeffding's bound
                off = (found["value"] - true) / widths[key]
                assert 2 * exp(-2 * TRIALS * off * off) > FALSE_ALARM / CHECKS, (name, key)
                assert found["low"] < found["value"] < found["high"]
    assert checks <= CHECKS


def test_dice_depend_on_the_tables_and_not_on_the_name(tmp_path: Path) -> None:
    def counts(file: Any, seed: int = 1) -> list[int]:
        reply = tcsim.ask("duel", file=file, method="monte-carlo", trials=2000, seed=seed)
        return [found["count"] for found in reply.answers.values() if "count" in found]

    for name in ("one.json", "other.json"):
        (tmp_path / name).write_text(json.dumps(PLAIN), encoding="utf-8")
    assert counts(tmp_path / "one.json") == counts(str(tmp_path / "other.json")) == counts(PLAIN)
    assert counts(PLAIN) != counts(PLAIN, 2)


def test_shares() -> None:
    shares: dict[str, Any] = {"wins": Fraction(1, 4), "left": [Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)]}
    assert worked_out(shares) == {"wins": Fraction(1, 4), "left": Fraction(5, 4)}
    seen = counted(shares, 8)
    assert (seen["wins"].looks, seen["wins"].total, seen["wins"].squares) == (8, 2, 2)
    assert (seen["left"].total, seen["left"].squares) == (2 * 1 + 4 * 2, 2 * 1 + 4 * 4)


def test_what_was_asked_is_made_once() -> None:
    made: list[Asked] = []

    @once
    def make(asked: Asked) -> int:
        made.append(asked)
        return len(made)

    one, other = (Asked("1.6.3", {}, frozenset()) for _ in range(2))
    assert [make(one), make(one), make(other), make(other), make(one)] == [1, 1, 2, 2, 3]


# --- files ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_read_as_its_tables(name: str, tmp_path: Path) -> None:
    path = tmp_path / "given.json"
    path.write_text(json.dumps(GIVEN[name]), encoding="utf-8")
    by_file, by_tables = tcsim.ask(name, file=path), tcsim.ask(name, file=GIVEN[name])
    assert by_file.answers == by_tables.answers
    assert (by_file.inputs()["file"], by_tables.inputs()["file"]) == (str(path), GIVEN[name])
    assert answer("ask", name, f"file={path}", "--json") == by_file.to_dict()
    again = tcsim.ask(name, file=by_tables.inputs()["file"])
    assert again.to_dict() == by_tables.to_dict()


def test_the_edition_is_that_of_the_file_unless_another_is_asked() -> None:
    new_one, old = GIVEN["duel"], {**GIVEN["duel"], "edition": "1.0.2"}
    assert [tcsim.ask("duel", file=file).asked.edition for file in (new_one, old)] == ["1.6.3", "1.0.2"]
    new = tcsim.ask("duel", file=old, edition="1.6.3")
    assert new.asked.edition == "1.6.3"
    assert new.answers == tcsim.ask("duel", file=new_one).answers != tcsim.ask("duel", file=old).answers


def test_rows_of_a_table(tmp_path: Path) -> None:
    storm = tmp_path / "storm.json"
    storm.write_text(json.dumps(STORM), encoding="utf-8")
    rows = tmp_path / "rows.csv"
    rows.write_text(
        "id,edition,system,inputs\n"
        f"1,both,duel,file=example;rounds=1\n2,,activation,file={storm};best_order\n3,,turn,file=nowhere.toml\n"
    )
    done = run("ask", "--csv", str(rows))
    told = list(csv.DictReader(io.StringIO(done.out)))
    assert done.status == 1
    assert [row["edition"] for row in told if row["answer"] == "a_wins"] == ["1.6.3", "1.0.2"]
    [best] = [row for row in told if row["answer"] == "order_1"]
    assert best["label"] == "dash > charge > move in melee > attack 1"
    assert told[-1]["error"].startswith('file: "nowhere.toml" cannot be read')


@pytest.mark.parametrize(
    ("name", "inputs", "words"),
    [
        ("duel", {}, "file: duel needs it: A duel, as for tcsim duel, a .toml or .json file, or example"),
        ("duel", {"file": ""}, 'file: "" is given, a .toml or .json file, or example'),
        ("duel", {"file": 5}, "file: 5 is given, a .toml or .json file"),
        ("duel", {"file": True}, "file: true is given"),
        ("duel", {"file": "duel.txt"}, 'file: "duel.txt" is given'),
        ("turn", {"file": "nowhere.toml"}, 'file: "nowhere.toml" cannot be read'),
        ("duel", {"file": {"a": {}}}, "a.attacks: at least one attack is needed"),
        ("duel", {"file": {**PLAIN, "edition": "2"}}, 'edition: there is no edition "2"'),
        ("duel", {"file": {**PLAIN, "edition": 2}}, 'edition: there is no edition "2"'),
        ("duel", {"file": PLAIN, "first": "c"}, 'first: "c" is given, a or b is allowed'),
        ("duel", {"file": PLAIN, "rounds": 0}, "rounds: 0 is given"),
        ("duel", {"file": PLAIN, "who_charges": "a"}, "approach.distance: it is missing"),
        ("duel", {"file": {**PLAIN, "spend": 5}, "spend": "optimal"}, "spend: 5 is given"),
        ("activation", {"file": {"target": {}}}, "activation: it is missing"),
        ("activation", {"file": STORM, "move": 41}, "move: 41 is given"),
        ("firefight", {"file": FIGHT, "targeting": "wild"}, 'targeting: "wild" is given'),
        ("firefight", {"file": {**FIGHT, "targets": []}}, "targets: at least one is needed"),
        ("turn", {"file": GAME, "targeting": "optimal"}, 'targeting: "optimal" is given'),
        ("turn", {"file": GAME, "options": {"nothing": 1}}, "options"),
    ],
)
def test_what_is_not_allowed(name: str, inputs: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as caught:
        tcsim.ask(name, **inputs)
    assert str(caught.value).startswith(words)


def test_a_file_that_is_no_table(tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    path.write_text("[1]", encoding="utf-8")
    assert "a table is allowed" in complaint("ask", "duel", f"file={path}")


def test_what_is_too_much_to_work_out_is_said_and_can_be_rolled() -> None:
    spending = {"blood_on_injury": "greedy"}
    crowd = {"attackers": [{"count": 9, "attacks": [{}]}], "targets": [{"count": 200, "blood": 1}], "spend": spending}
    with pytest.raises(InputError, match=r"targeting: There are .* focus, spread or greedy is allowed"):
        tcsim.ask("firefight", file=crowd)
    with pytest.raises(InputError, match=r"targeting: There are .* roll it"):
        tcsim.ask("firefight", file=crowd, targeting="greedy")
    rolled = tcsim.ask("firefight", file=crowd, targeting="greedy", method="monte-carlo", trials=100)
    assert sum(rolled[f"out_{n}"] for n in range(201)) == pytest.approx(1)
    side = {"models": [{"count": 20, "attacks": [{}]}]}
    with pytest.raises(InputError, match=r"file: there are .* joint conditions"):
        tcsim.ask("turn", file={"warband": [side, side], "spend": spending}, turns=1)


# --- as a reader sees it --------------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["en", "ko"])
@pytest.mark.parametrize("name", NAMES)
def test_on_the_command_line(name: str, lang: str) -> None:
    more = ["best_order"] if name == "activation" else ["turns=2"] if name == "turn" else []
    for flags in ([], ["--method", "monte-carlo", "--trials", "500"]):
        said = run("ask", name, "file=example", *more, *flags, "--lang", lang)
        assert (said.status, said.err) == (0, "")
        assert max(map(columns, said.out.splitlines())) <= 80
        assert "…" not in said.out
    if name == "activation":
        step = {"en": "2 charge", "ko": "2 돌격 이동"}[lang]
        assert step in said.out


def test_the_reference_says_which_answers_are_float64() -> None:
    page = markdown(ASK)
    assert page.count("Exact answers are float64, right to 1e-12") == len(NAMES)
    assert "float64, right to 1e-12, beyond 10 rounds." in page
    for name in NAMES:
        question = ASK.question(name)
        found = question.exact(question.read({"file": "example"}, "1.6.3"))
        assert {type(value) for value in found.values()} == ({Fraction} if name == "duel" else {float})


def test_the_kind() -> None:
    kind = TablesFile("tcsim.duels", "example.toml")
    example = kind.read(" Example ")
    assert (example.file, kind.read(example), kind.write(example)) == ("example", example, "example")
