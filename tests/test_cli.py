"""The command line: what it prints, what it says when something is wrong; encodings, pipes and signals."""

from __future__ import annotations

import io
import itertools
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest
import scenarios

import tcsim
from tcsim.base.files import MAX_BYTES
from tcsim.base.numbers import whole_number
from tcsim.catalog import catalog
from tcsim.cli import COMMANDS, main
from tcsim.cli.inputs import read_option
from tcsim.scenario.resolve import resolve
from tcsim.scenario.written import read_attack

FILES = Path(__file__).parent / "data/scenarios"
VALID = sorted((FILES / "valid").iterdir())
INVALID = sorted((FILES / "invalid").iterdir())
LINE = b'{"target": {}, "attacks": [{}]}'
RIFLE = ["--attack", "Bolt-Action Rifle"]
ROLL = ["odds", "--attack", "ranged", "--method", "monte-carlo"]
TIMEOUT = 120


class Said(NamedTuple):
    """What a run of the command line came to."""

    status: int
    out: str
    err: str


def run(*argv: str, stdin: bytes = b"", encoding: str = "utf-8") -> Said:
    """Run the command line in this process, with streams as a terminal or pipe in some encoding would be."""
    streams = sys.stdin, sys.stdout, sys.stderr
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding, write_through=True) for _ in range(2))
    sys.stdin, sys.stdout, sys.stderr = io.TextIOWrapper(io.BytesIO(stdin)), out, err
    try:
        status = main(list(argv))
    finally:
        sys.stdin, sys.stdout, sys.stderr = streams
    written = [stream.buffer.getvalue().decode(encoding) for stream in (out, err)]  # type: ignore[attr-defined]
    return Said(status, *written)


def complaint(*argv: str, **more: Any) -> str:
    """The one line that wrong input gives, without the program's name."""
    said = run(*argv, **more)
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith("tcsim: ")
    assert said.err.endswith("\n")
    assert said.err[:-1].isprintable()
    assert len(said.err) < 1100
    return said.err[len("tcsim: ") : -1]


def answer(*argv: str, **more: Any) -> Any:
    """The JSON that a run prints."""
    said = run(*argv, **more)
    assert (said.status, said.err) == (0, "")
    assert said.out.endswith("\n")
    return json.loads(said.out)


def lines(*argv: str, stdin: bytes, status: int) -> list[dict[str, Any]]:
    said = run("odds", "--jsonl", "-", *argv, stdin=stdin)
    assert (said.status, said.err) == (status, "")
    return [json.loads(line) for line in said.out.splitlines()]


# --- answers ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", VALID, ids=lambda path: path.name)
def test_files_are_answered(path: Path) -> None:
    scenario = tcsim.read_scenario(path)
    assert answer("odds", str(path), "--json") == tcsim.odds(scenario).to_dict()
    table = run("odds", str(path))
    assert (table.status, table.err) == (0, "")
    assert table.out.startswith("Out of action  ")
    if resolve(scenario).problem.rolls <= 50:
        assert "fraction" in answer("odds", str(path), "--json", "--fractions")


@pytest.mark.parametrize("path", INVALID, ids=lambda path: path.name)
def test_wrong_files_give_one_line(path: Path) -> None:
    with pytest.raises(tcsim.InputError) as caught:
        resolve(tcsim.read_scenario(path))
    assert complaint("odds", str(path)) == complaint("odds", str(path), "--json") == str(caught.value)


def test_json_has_what_the_contract_says() -> None:
    exact = answer("odds", *RIFLE, "--armour", "Standard Armour", "--id", "é", "--json")
    assert list(exact) == ["id", "edition", "method", "out_of_action", "final"]
    assert (exact["id"], exact["edition"], exact["method"]) == ("é", "1.6.3", "exact")
    assert exact["final"][0] == {"out_of_action": True, "p": exact["out_of_action"]}
    assert all(list(row) == ["out_of_action", "down", "blood", "blessing", "tough", "p"] for row in exact["final"][1:])
    assert abs(sum(row["p"] for row in exact["final"]) - 1) < 1e-12
    assert answer("odds", *RIFLE, "--json")["id"] is None
    changed = answer("odds", *RIFLE, "--json", "--option", "bloodbath=add", "--option", "shots=together-ranged")
    assert changed["options"] == {"bloodbath": "add"}
    noted = answer("odds", "--attack", "ranged,HEAVY", "--json")
    assert noted["notes"] == ["Changes no dice here: HEAVY."]
    rolled = answer(*ROLL, "--trials", "1e3", "--seed", str(2**64 - 1), "--threads", "2", "--json")
    assert (rolled["method"], rolled["trials"], rolled["seed"]) == ("monte_carlo", 1000, 2**64 - 1)
    assert (rolled["level"], rolled["interval"]) == (0.95, "wilson")
    assert sum(row["count"] for row in rolled["final"]) == 1000
    assert all(row["low"] <= row["p"] <= row["high"] for row in rolled["final"])
    assert answer(*ROLL, "--trials", "1e3", "--json")["seed"] == 1
    assert answer(*ROLL, "--trials", "1e3", "--json") == answer(*ROLL, "--trials", "1000", "--threads", "1", "--json")


def test_a_rolled_0_is_not_never() -> None:
    never = ("odds", "--attack", "ranged,action_dice=-40", "--injury-modifier", "-9")
    rolled = run(*never, "--method", "monte-carlo", "--trials", "1000").out
    assert "0 of 1,000" in rolled
    assert "never" not in rolled
    assert "never" in run(*never).out


FLAGS: list[tuple[list[str], dict[str, Any]]] = [
    (["--attack", "ranged"], {"attacks": [{"kind": "ranged"}]}),
    (["--attack", "Melee"], {"attacks": [{"kind": "melee"}]}),
    (RIFLE, {"attacks": [{"weapon": "Bolt-Action Rifle"}]}),
    ([*RIFLE, "--injury-modifier", "-3"], {"target": {"injury_modifier": -3}}),
    ([*RIFLE, "--injury-modifier=−20"], {"target": {"injury_modifier": -20}}),
    ([*RIFLE, "--injury-dice", "-5"], {"target": {"injury_dice": -5}}),
    ([*RIFLE, "--armour", "중갑, trench-shield"], {"target": {"armour": ["Reinforced Armour", "Trench Shield"]}}),
    ([*RIFLE, "--armour", ""], {"target": {"armour": []}}),
    ([*RIFLE, "--target-unit", "Hell Knight"], {"target": {"unit": "Hell Knight"}}),
    ([*RIFLE, "--target-blood", "6", "--spend", "greedy"],
     {"target": {"blood": 6}, "spend": {"blood_on_injury": "greedy"}}),
    ([*RIFLE, "--target-blessing", "2", "--blessing-on-injury", "all"],
     {"target": {"blessing": 2}, "spend": {"blessing_on_injury": "all"}}),
    ([*RIFLE, "--target-down", "--tough"], {"target": {"down": True, "tough": True}}),
    ([*RIFLE, "--target-standing", "--not-tough"], {"target": {"down": False, "tough": False}}),
    ([*RIFLE, "--target-keyword", "TOUGH", "--target-keyword", "FEAR"], {"target": {"keywords": ["TOUGH", "FEAR"]}}),
    ([*RIFLE, "--unit", "Heretic Priest", "--attacker-down"], {"attacker": {"unit": "Heretic Priest", "down": True}}),
    ([*RIFLE, "--attacker-blood", "2", "--blood-on-action", "all"],
     {"attacker": {"blood": 2}, "spend": {"blood_on_action": "all"}}),
    ([*RIFLE, "--attacker-blessing", "1", "--blessing-on-action", "all"],
     {"attacker": {"blessing": 1}, "spend": {"blessing_on_action": "all"}}),
    ([*RIFLE, "--attacker-keyword", "NEGATE FEAR"], {"attacker": {"keywords": ["NEGATE FEAR"]}}),
    ([*RIFLE, "--edition", "1.0.2", "--option", "obstacle-on-down=FALSE", "--option", "bloodbath = add"],
     {"edition": "1.0.2", "options": {"obstacle_on_down": False, "bloodbath": "add"}}),
    (["--attack", "ranged,times=2", "--attack", "stand", "--attack", "Activation", "--attack", "melee"],
     {"attacks": [{"times": 2}, {"event": "stand"}, {"event": "activation"}, {"kind": "melee"}]}),
]  # fmt: skip


@pytest.mark.parametrize(("argv", "given"), FLAGS, ids=[" ".join(argv) for argv, _ in FLAGS])
def test_flags_make_a_scenario(argv: list[str], given: dict[str, Any]) -> None:
    scenario = {"target": {}, "attacks": [{"weapon": "Bolt-Action Rifle"}]} | given
    assert answer("odds", *argv, "--json") == tcsim.odds(scenario).to_dict()


def test_flags_override_the_file() -> None:
    def odds(name: str, *argv: str) -> Any:
        return answer("odds", str(FILES / "valid" / name), *argv, "--json")

    def by_hand(name: str, **changes: Any) -> Any:
        data = msgspec.to_builtins(tcsim.read_scenario(FILES / "valid" / name))
        for key, change in changes.items():
            data[key] = {**data.get(key, {}), **change} if isinstance(change, dict) else change
        return tcsim.odds(data).to_dict()

    numbers, knight, bath = "by-numbers.json", "halberd-v-knight.toml", "bloodbath.toml"
    assert odds(numbers) == by_hand(numbers)
    assert odds(numbers, "--target-blood", "0", "--id", "x") == by_hand(numbers, target={"blood": 0}, id="x")
    assert odds(numbers, "--attack", "melee") == by_hand(numbers, attacks=[{"kind": "melee"}])
    assert odds(knight, "--unit", "Communicant") == by_hand(knight, attacker={"unit": "Communicant"})
    assert odds(knight, "--spend", "all") == by_hand(knight, spend={"blood_on_injury": "all"})
    assert odds(bath, "--not-tough") == by_hand(bath, target={"tough": False})
    changed = {"bloodbath": "keep"}
    assert odds(bath, "--option", "bloodbath=keep", "--edition", "1.0.2") == by_hand(
        bath, options=changed, edition="1.0.2"
    )
    # armour by name and as one number take each other's place
    named = by_hand(bath, target={"injury_modifier": None, "armour": ["Standard Armour"]})
    assert odds(bath, "--armour", "Standard Armour") == named
    assert odds("rifle-in-cover.toml", "--injury-modifier", "-2") == odds("rifle-in-cover.toml")
    assert "attacks[0].weapon" in complaint("odds", str(FILES / "invalid/weapon-misspelt.toml"), "--tough")
    assert "target.blood" in complaint("odds", str(FILES / "invalid/blood-7.toml"), "--target-blood", "1")


ATTACKS: dict[str, dict[str, Any]] = {
    "ranged": {"kind": "ranged"},
    " RANGED , cover , times = 2 ": {"kind": "ranged", "cover": True, "times": 2},
    "melee,off-hand,fear=false": {"kind": "melee", "off_hand": True, "fear": False},
    "Sniper Rifle,action_dice=+1,injury-dice=-2": {"weapon": "Sniper Rifle", "action_dice": 1, "injury_dice": -2},
    "x,injury_modifier=−1": {"weapon": "x", "injury_modifier": -1},
    "x,distance=14.5,height=.5": {"weapon": "x", "distance": 14.5, "height": 0.5},
    "x,distance=-1.5": {"weapon": "x", "distance": -1.5},
    "x,kind=melee": {"weapon": "x", "kind": "melee"},
    "melee,CRITICAL,ARMOUR PIERCING 2": {"kind": "melee", "keywords": ["CRITICAL", "ARMOUR PIERCING 2"]},
    "melee,keywords=CRITICAL+FIRE,GAS": {"kind": "melee", "keywords": ["CRITICAL", "FIRE", "GAS"]},
    "melee,치명적인 무기": {"kind": "melee", "keywords": ["치명적인 무기"]},
    "melee,Critical": {"kind": "melee", "keywords": ["Critical"]},
    "melee,keywords=": {"kind": "melee"},
    "ranged,cover=yes": {"kind": "ranged", "cover": "yes"},
    "ranged,times=": {"kind": "ranged", "times": ""},
    "ranged,times=1e2": {"kind": "ranged", "times": 100},
    "ranged,times=1.0": {"kind": "ranged", "times": 1.0},
    "x (y) @z": {"weapon": "x (y) @z"},
    "": {"weapon": ""},
    "stand": {"event": "stand"},
    " Activation ": {"event": "activation"},
}


@pytest.mark.parametrize("text", ATTACKS)
def test_attack_texts(text: str) -> None:
    assert read_attack(text, "--attack 1") == ATTACKS[text]


WRONG_ATTACKS = {
    "ranged,": "nothing after a comma",
    "ranged,,cover": "nothing after a comma",
    ",": "nothing after a comma",
    "ranged,covr": 'did you mean "cover"?',
    "ranged,Cover": 'did you mean "cover"?',
    "ranged,cover,cover": "cover is given twice",
    "ranged,times=1,times=2": "times is given twice",
    "ranged,kind=melee": "kind is given twice",
    "ranged,=5": 'no attack key or flag ""; there is kind, action_dice',
    "ranged,weapon=x": 'no attack key or flag "weapon"',
    "ranged,event=stand": 'no attack key or flag "event"',
    "ranged,CRITICAL=2": 'no attack key or flag "CRITICAL"',
    "ranged,a=b=c": 'no attack key or flag "a"',
    "stand,times=2": 'stand is an event and takes nothing more, "times=2" is given',
    "ranged,co\nver": 'did you mean "cover"?',
    "ranged,\x1b[31m=1": 'no attack key or flag "?[31m"',
    "ranged," + "y" * 100_000 + "=1": "yyy…",
    # told by what reads the scenario
    "": 'attacks[0].weapon: "" is given',
    "ranged,Fire": 'did you mean "FIRE"?',
    "ranged,CRITICAL,CRITICAL": "CRITICAL is given twice",
    "ranged,COVER": "keyword of a model",
    "ranged,cover=1": "attacks[0].cover: 1 is given, true or false is allowed",
    "ranged,times=2.0": "attacks[0].times: 2.0 is given",
    "ranged,times=0": "attacks[0].times: 0 is given, a whole number from 1 to 100",
    "ranged,action_dice": "attacks[0].action_dice: true is given",
    "ranged,action_dice=" + "9" * 30: "9 is given, a whole number from -40 to 40",
    "Bolt-Action Rifle,distance=inf": 'attacks[0].distance: "inf" is given, a number from 0 to 200',
    "Bolt-Action Rifle,distance=-1.5": "attacks[0].distance: -1.5 is given, a number from 0 to 200",
    "Bolt-Action Rifle,distance=12\"": 'attacks[0].distance: "12"" is given',
    "Bolt-Acton Rifle": 'did you mean "Bolt-Action Rifle"?',
    "\udcff": "lone surrogates",
    "x" * 100_000: "text of at most 200 characters",
    "ranged\x1b[31m": 'there is no weapon "ranged?[31m"',
    "stand": "only events",
}  # fmt: skip


@pytest.mark.parametrize("text", WRONG_ATTACKS, ids=[ascii(text[:30]) for text in WRONG_ATTACKS])
def test_wrong_attack_texts(text: str) -> None:
    message = complaint("odds", "--attack", text)
    assert WRONG_ATTACKS[text] in message
    assert message.startswith(("--attack 1: ", "attacks"))


def test_numbers_as_people_write_them() -> None:
    right = {"0": 0, "+1": 1, "-2": -2, "−2": -2, " 7 ": 7, "10_000": 10_000, "1e7": 10**7, "1.5E3": 1500, "2e+2": 200}
    assert {text: whole_number(text) for text in right} == right
    wrong = (
        "",
        "-",
        "x",
        "1.5",
        "1.0",
        "1e",
        "1e-3",
        "1.25e1",
        "-1e3",
        "1__0",
        "1_",
        "_1",
        "0x10",
        "nan",
        "1e400",
        "٠.٠",
    )
    assert [text for text in wrong if whole_number(text) is not None] == []
    assert whole_number("9" * 42) is None
    assert read_option("A-b = True") == ("A_b", True)
    assert read_option("a=b=c") == ("a", "b=c")


# --- what is wrong ------------------------------------------------------------------------------------------

WRONG: list[tuple[list[str], str]] = [
    (["bogus"], 'there is no command "bogus"'),
    (["ods"], 'did you mean "odds"?'),
    ([""], 'there is no command ""'),
    (["\x1b[1m\n"], 'there is no command "?[1m?"'),
    (["x" * 100_000], "x…"),
    (["--bogus"], "--bogus"),
    (["odds"], "--attack or --jsonl"),
    (["odds", "--tough"], "--attack or --jsonl"),
    (["odds", "--attack"], "--attack"),
    (["odds", "--atack", "x"], "--attack"),
    (["odds", "a.toml", "b.toml"], "b.toml"),
    (["odds", "missing.toml"], '"missing.toml" cannot be read'),
    (["odds", "scenario.yaml"], ".toml or .json"),
    (["odds", ""], '"" is given'),
    (["odds", "."], '"." is given'),
    (["odds", "a\0b.toml"], '"a?b.toml" cannot be read'),
    (["odds", "\udcff\x1b[1m.toml"], '"??[1m.toml" cannot be read'),
    (["odds", "x" * 100_000 + ".toml"], "cannot be read"),
    (["odds", *RIFLE, "--edition", "1.6"], 'edition: there is no edition "1.6"; did you mean "1.6.3"?'),
    (["odds", *RIFLE, "--edition", "../1.6.3"], "there is no edition"),
    (["odds", *RIFLE, "--unit", "Heretic Troper"], 'attacker.unit: there is no unit "Heretic Troper"'),
    (["odds", *RIFLE, "--target-unit", "Wretched"], "court-wretched, heretic-legions-wretched"),
    (["odds", *RIFLE, "--armour", "Standrad Armour"], 'did you mean "Standard Armour"?'),
    (["odds", *RIFLE, "--armour", "Machine Armour,Trench Shield"], "cannot be combined"),
    (["odds", *RIFLE, "--armour", "Standard Armour", "--injury-modifier", "-1"], "one or the other"),
    (["odds", *RIFLE, "--spend", "ALL"], 'did you mean "all"?'),
    (["odds", *RIFLE, "--blood-on-action", "greedy"], "spend.blood_on_action: "),
    (["odds", *RIFLE, "--target-keyword", "tough"], 'did you mean "TOUGH"?'),
    (["odds", *RIFLE, "--attacker-keyword", "FIRE"], "a keyword of an attack"),
    (["odds", *RIFLE, "--option", "bloodbath"], "key=value"),
    (["odds", *RIFLE, "--option", "=add"], 'options: there is no option ""'),
    (["odds", *RIFLE, "--option", "blodbath=add"], 'did you mean "bloodbath"?'),
    (["odds", *RIFLE, "--option", "bloodbath=add=x"], '"add=x" is given, keep or add'),
    (["odds", *RIFLE, "--option", "obstacle_on_down=1"], "false or true"),
    (["odds", *RIFLE, "--id", "x" * 1001], "id: "),
    (["odds", *RIFLE, "--tough=yes"], "--tough"),
    (["odds", *RIFLE, "--method", "magic"], "exact"),
    (["odds", *RIFLE, "--trials", "5"], "--trials: it goes with --method monte-carlo"),
    (["odds", *RIFLE, "--seed", "5"], "--seed: it goes with --method monte-carlo"),
    (["odds", *RIFLE, "--threads", "1"], "--threads: it goes with --method monte-carlo"),
    (["odds", *RIFLE, "--mode", "dice"], "--mode: it goes with --method monte-carlo"),
    ([*ROLL, "--fractions"], "--fractions: only exact answers"),
    (["odds", "--attack", "ranged,times=51", "--fractions"], "51 attack rolls, at most 50"),
    (["odds", "--jsonl"], "--jsonl"),
    (["odds", "--jsonl", "missing.jsonl"], '--jsonl: "missing.jsonl" cannot be read'),
    (["odds", "--jsonl", "/"], "cannot be read"),
    (["odds", "--jsonl", "a\0b"], "cannot be read"),
    (["odds", "--jsonl", "-", "x.toml"], "--jsonl: each line is a whole scenario"),
    (["odds", "--jsonl", "-", *RIFLE], "--jsonl: each line is a whole scenario"),
    (["odds", "--jsonl", "-", "--edition", "1.6.3"], "--jsonl: each line is a whole scenario"),
    (["odds", "--jsonl", "-", "--not-tough"], "--jsonl: each line is a whole scenario"),
    (["odds", "--jsonl", "-", "--option", "a=b"], "--jsonl: each line is a whole scenario"),
    (["pool", "x"], "x"),
    (["pool", "--net"], "--net"),
    (["catalog"], "command"),
    (["catalog", "shwo"], 'there is no command "shwo"; did you mean "show"?'),
    (["catalog", "show"], "NAME"),
    (["catalog", "show", "\x1b[1m"], '"?[1m"'),
    (["catalog", "show", "Bolt-Acton Rifle"], 'did you mean "Bolt-Action Rifle"?'),
    (["catalog", "search"], "WORDS"),
    (["catalog", "search", "zzz", "x" * 100_000], "nothing in the catalogue"),
    (["catalog", "list", "weapons"], "weapon"),
    (["catalog", "list", "--edition", "2"], "there is 1.6.3, 1.0.2"),
    (["options", "--edition", "\0"], "there is 1.6.3, 1.0.2"),
    (["editions", "x"], "x"),
    (["schema", "--json"], "--json"),
]


@pytest.mark.parametrize(("argv", "words"), WRONG, ids=[ascii(" ".join(argv))[:60] for argv, _ in WRONG])
def test_wrong_input_gives_one_line(
    argv: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert words in complaint(*argv)


NUMBERS: list[tuple[list[str], str, int, int]] = [
    (["odds", *RIFLE], "--injury-modifier", -20, 0),
    (["odds", *RIFLE], "--injury-dice", -40, 40),
    (["odds", *RIFLE], "--target-blood", 0, 6),
    (["odds", *RIFLE], "--target-blessing", 0, 6),
    (["odds", *RIFLE], "--attacker-blood", 0, 6),
    (["odds", *RIFLE], "--attacker-blessing", 0, 6),
    (ROLL, "--trials", 1, 10**13),
    ([*ROLL, "--trials", "10"], "--seed", 0, 2**64 - 1),
    ([*ROLL, "--trials", "10"], "--threads", 1, 1024),
    (["pool"], "--net", -200, 200),
    (["pool"], "--keep", 1, 20),
    (["pool"], "--sides", 2, 100),
    (["pool"], "--modifier", -1000, 1000),
]


@pytest.mark.parametrize(("argv", "flag", "low", "high"), NUMBERS, ids=[flag for _, flag, _, _ in NUMBERS])
def test_numbers_and_their_limits(argv: list[str], flag: str, low: int, high: int) -> None:
    for number in (low, high):
        if number != 10**13:
            assert run(*argv, flag, str(number)).status == 0
    out_of_it = [str(low - 1), str(high + 1), "1e20", "-1e20", "9" * 5000]
    for text in (*out_of_it, "1.5", "abc", "", "nan", "inf", "1e400", "--5", "true", "\udcff", "\x1b[31m"):
        assert f"{flag}: " in (message := complaint(*argv, flag, text))
        assert f"a whole number from {low:,} to {high:,} is allowed" in message


# --- JSON lines ---------------------------------------------------------------------------------------------


def test_lines_in_order() -> None:
    given = (
        b'\xef\xbb\xbf{"id": "a", "target": {}, "attacks": [{}]}\r\n\n  \t\n{bad\n'
        b'{"id": 7, "target": {}, "attacks": [{}]}\n{"id": "b", "targt": {}}\n\xef\xbb\xbf\n\xff\n[]\nnull\n\0\n'
        b'{"id": "c", "target": {}, "attacks": [{"weapon": "x"}]}\n' + LINE
    )
    answers = lines(stdin=given, status=1)
    good = [one for one in answers if "error" not in one]
    assert [one["id"] for one in good] == ["a", None]
    assert good[0] == {**tcsim.odds(json.loads(LINE)).to_dict(), "id": "a"}
    bad = [one for one in answers if "error" in one]
    assert [list(one) for one in bad] == [["id", "line", "error"]] * 8
    assert [(one["id"], one["line"]) for one in bad] == [
        (None, 4), (None, 5), ("b", 6), (None, 8), (None, 9), (None, 10), (None, 11), ("c", 12),
    ]  # fmt: skip
    assert [one["line"] for one in answers if one in bad] == sorted(one["line"] for one in bad)
    words = ("not JSON", "id: 7", 'did you mean "target"?', "UTF-8", "an array", "nothing", "not JSON", "no weapon")
    assert [word in one["error"] for word, one in zip(words, bad, strict=True)] == [True] * 8
    assert answers[-1]["id"] is None


def test_lines_whose_id_is_strange() -> None:
    for id_ in ('"\\ud800"', '"\\u001b[1m"', '"' + "x" * 2000 + '"', "true", "null", '["a"]', "1e400"):
        (one,) = lines(stdin=f'{{"id": {id_}, "attacks": []}}'.encode(), status=1)
        assert one["id"] == (json.loads(id_) if id_.startswith('"') else None)
        assert one["error"].isprintable()
        assert len(one["error"]) < 1000


@pytest.mark.parametrize("given", [b"", b"\n", b"\n \n\r\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_no_lines(given: bytes) -> None:
    assert lines(stdin=given, status=0) == []


def padded(size: int) -> bytes:
    return LINE + b" " * (size - len(LINE))


def test_lines_may_have_a_mebibyte() -> None:
    whole, over = padded(MAX_BYTES), padded(MAX_BYTES + 1)
    for given in (whole, whole + b"\n", whole + b"\r\n", b"\n" + whole + b"\n\n"):
        assert len(lines(stdin=given, status=0)) == 1
    for given in (over, over + b"\n", b"x" * (3 * MAX_BYTES), b"x" * (3 * MAX_BYTES) + b"\n"):
        assert lines(stdin=given, status=1) == [{"id": None, "line": 1, "error": "the line is longer than 1 MiB"}]
    answers = lines(stdin=b"\n".join([over, whole, b"", b"y" * (100 << 20), LINE, over]), status=1)
    assert [one.get("line") for one in answers] == [1, None, 4, None, 6]


def test_many_lines() -> None:
    given = [json.dumps({"id": str(n), "target": {"blood": n % 9}, "attacks": [{}]}).encode() for n in range(1500)]
    answers = lines(stdin=b"\n".join(given), status=1)
    assert [one["id"] for one in answers] == [str(n) for n in range(1500)]
    assert all(("error" in one) == (int(one["id"]) % 9 > 6) for one in answers)
    assert lines(stdin=b"[" * 100_000 + b"\n" + LINE, status=1)[1]["method"] == "exact"


def test_lines_answered_in_other_ways() -> None:
    given = LINE + b"\n{bad\n" + LINE.replace(b"[{}]", b'[{"times": 51}]') + b"\n" + LINE
    fractions = lines("--fractions", stdin=given, status=1)
    assert [one.get("line") for one in fractions] == [None, 2, 3, None]
    assert "fraction" in fractions[0]
    rolled = lines("--method", "monte-carlo", "--trials", "1e3", "--seed", "5", stdin=given, status=1)
    assert [one.get("line") for one in rolled] == [None, 2, None, None]
    assert rolled[0] == rolled[3] == tcsim.simulate(json.loads(LINE), 1000, 5).to_dict()


def test_lines_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "in.jsonl"
    path.write_bytes(LINE + b"\n" + LINE)
    said = run("odds", "--jsonl", str(path))
    assert (said.status, said.err, said.out.count("\n")) == (0, "", 2)


# --- tables -------------------------------------------------------------------------------------------------


def random_named(rng: random.Random) -> dict[str, Any]:
    """A scenario by names: many attacks, long names, all policies."""
    rows = catalog(rng.choice(("1.6.3", "1.0.2")))
    target: dict[str, Any] = {
        "unit": rng.choice(rows.units).id,
        "blood": rng.randint(0, 6),
        "blessing": rng.randint(0, 6),
    }
    helmets = [row.id for row in rows.armour_rows if row.slot in ("helmet", "other")]
    attacks: list[dict[str, Any]] = []
    for _ in range(rng.choice((1, 2, 5, 40))):
        weapon = rng.choice([row for row in rows.weapons if row.injury_keep])
        kind = "melee" if weapon.kind == "melee" else "ranged"
        words = [word for word in ("CRITICAL", "FIRE", "GAS", "SHRAPNEL", "DEADLY", "RISKY") if rng.random() < 0.5]
        attack = {"weapon": weapon.id, "times": rng.choice((1, 2)), "keywords": words, "carried": 99}
        attacks.append(attack | {flag: True for flag in scenarios.FLAGS[kind] if rng.random() < 0.6})
        if rng.random() < 0.2:
            attacks.append({"event": rng.choice(("stand", "activation"))})
    spend = {"blood_on_injury": rng.choice(scenarios.BLOOD_POLICIES), "blessing_on_injury": "all"}
    return {
        "edition": rows.edition,
        "target": target | {"armour": rng.sample(helmets, 3)},
        "attacks": attacks,
        "spend": spend,
        "options": {"shots": "in-turn", "volley_tough": "whole", "marker_keywords": "one", "bloodbath": "add"},
    }


@pytest.mark.parametrize("seed", range(12))
def test_tables_are_at_most_80_columns(seed: int, tmp_path: Path) -> None:
    rng = random.Random(seed)
    path = tmp_path / "scenario.json"
    for scenario in (scenarios.scenario(rng, size=rng.choice((1, 10))), random_named(rng)):
        path.write_text(json.dumps(scenario), encoding="utf-8")
        for how in ([], ["--method", "monte-carlo", "--trials", rng.choice(("1", "2000"))]):
            said = run("odds", str(path), *how)
            assert said.status == 0, said.err
            assert max(map(len, said.out.splitlines())) <= 80
            assert "\x1b" not in said.out


def test_other_tables_are_at_most_80_columns() -> None:
    fractions = ("odds", "--attack", "ranged,times=9,action_dice=-3", "--fractions", "--tough")
    for argv in (
        ("editions",), ("options",), ("options", "--edition", "1.0.2"), ("pool",), ("catalog", "search", "heretic"),
        ("catalog", "list", "--unmodelled"), ("catalog", "list", "--third-party"), ("catalog", "show", "Grenades"),
        ("catalog", "list", "--edition", "1.0.2"), ("catalog", "show", "Machine Armour"), fractions,
        ("pool", "--net", "-200", "--keep", "20", "--sides", "100", "--modifier", "-1000"),
    ):  # fmt: skip
        said = run(*argv)
        assert (said.status, said.err) == (0, "")
        assert max(map(len, said.out.splitlines())) <= 80, argv


@pytest.mark.parametrize("columns", ["10", "40", "200"])
def test_terminal_width_and_colour_do_not_matter(columns: str, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = run("odds", *RIFLE, "--target-blood", "6")
    monkeypatch.setenv("COLUMNS", columns)
    for name in ("NO_COLOR", "FORCE_COLOR", "CLICOLOR_FORCE"):
        monkeypatch.setenv(name, "1")
    assert run("odds", *RIFLE, "--target-blood", "6") == usual


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp437", "cp1252", "utf-16"])
def test_other_encodings(encoding: str) -> None:
    """Nothing fails for a sign that an encoding lacks, and the minus stays readable."""
    for argv in (
        ["odds", *RIFLE, "--armour", "Standard Armour", "--target-blood", "6"], ["options"], ["editions"], ["schema"],
        ["catalog", "list"], ["pool", "--net", "1"], ["--help"], ["odds", "--help"],
        ["odds", *RIFLE, "--id", "é유", "--json"],
    ):  # fmt: skip
        said = run(*argv, encoding=encoding)
        assert (said.status, said.err) == (0, "")
    assert "armour -1" in run("odds", *RIFLE, "--armour", "Standard Armour", encoding=encoding).out
    assert "there is no weapon" in complaint("odds", "--attack", "유혈", encoding=encoding)


# --- help ---------------------------------------------------------------------------------------------------


def test_help() -> None:
    assert run() == run("--help") == run("-h")
    assert run("--version").out == f"tcsim {tcsim.__version__}\n"
    for command in COMMANDS:
        if command == "report":  # has its own tests
            continue
        said = run(command, "--help")
        assert (said.status, said.err) == (0, "")
        assert f"tcsim {command}" in said.out
        assert command in run("--help").out
    for command in ("list", "search", "show"):
        assert run("catalog", command, "-h").out.startswith(f"Usage: tcsim catalog {command}")


# --- pipes and signals --------------------------------------------------------------------------------------

POSIX = pytest.mark.skipif(os.name != "posix", reason="signals and pipes as POSIX has them")


ROOT = str(Path(__file__).parent.parent)


def start(*argv: str, **more: Any) -> subprocess.Popen[bytes]:
    streams = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    path = os.pathsep.join([ROOT, *filter(None, [os.environ.get("PYTHONPATH")])])
    command = [sys.executable, "-m", "tcsim", *argv]
    return subprocess.Popen(command, env=os.environ | {"PYTHONPATH": path}, **(streams | more))


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C works, here and in what is started, even where the tests themselves run in the background."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def send(process: subprocess.Popen[bytes], given: bytes) -> None:
    assert process.stdin is not None
    process.stdin.write(given)
    process.stdin.flush()


def receive(process: subprocess.Popen[bytes]) -> bytes:
    assert process.stdout is not None
    return process.stdout.readline()


@POSIX
@pytest.mark.usefixtures("ctrl_c")
def test_one_line_at_a_time() -> None:
    """A program at the other end of a pipe may send one line and wait for its answer; Ctrl-C ends it."""
    with start("odds", "--jsonl", "-") as process:
        for sent, word in ((LINE + b"\n", b"exact"), (b"\n{bad\n", b'"line": 3'), (LINE + b"\r\n", b"exact")):
            send(process, sent)
            assert word in receive(process)
        send(process, LINE[:9])
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, out, err) == (130, b"", b"tcsim: interrupted\n")


@POSIX
def test_kill(tmp_path: Path) -> None:
    with start("odds", "--jsonl", "-", cwd=tmp_path) as process:
        send(process, LINE + b"\n")
        assert json.loads(receive(process))["method"] == "exact"
        process.kill()
        out, err = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, out, err) == (-signal.SIGKILL, b"", b"")
    assert list(tmp_path.iterdir()) == []


@POSIX
@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("threads", ["1", "2"])
def test_ctrl_c_while_rolling(threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The first trials that were counted press Ctrl-C; trials of several blocks would otherwise take a while."""
    interrupt = interrupter(monkeypatch, at=1)
    said = run(*ROLL, "--trials", "1e9", "--threads", threads)
    assert (said.status, said.err) == (130, "tcsim: interrupted\n")
    assert interrupt.is_set()
    (trials,) = re.findall(r"([\d,]+) trials rolled, seed 1, partial", said.out)
    assert 0 < int(trials.replace(",", "")) < 10**9


@POSIX
@pytest.mark.usefixtures("ctrl_c")
@pytest.mark.parametrize("command", ["ask risky", "firefight --demo", "turn --demo"])
def test_ctrl_c_tells_what_was_counted_of_any_question(
    command: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    interrupter(monkeypatch, at=1)
    name, *flags = command.split()
    if flags == ["--demo"]:
        flags = [str(tmp_path / "one.toml"), "--demo"]
    said = run(name, *flags, "--method", "monte-carlo", "--trials", "1e9", "--json")
    assert (said.status, said.err) == (130, "tcsim: interrupted\n")
    told = json.loads(said.out)
    assert told["partial"] is True
    assert 0 < told["trials"] < 10**9


@POSIX
@pytest.mark.usefixtures("ctrl_c")
def test_ctrl_c_keeps_the_lines_that_were_rolled(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupter(monkeypatch, at=3)
    said = run("odds", "--jsonl", "-", "--method", "monte-carlo", "--trials", "100", stdin=(LINE + b"\n") * 5)
    assert (said.status, said.err) == (130, "tcsim: interrupted\n")
    answers = [json.loads(line) for line in said.out.splitlines()]
    assert [(answer["trials"], "partial" in answer) for answer in answers[:2]] == [(100, False)] * 2
    assert all(answer["partial"] for answer in answers[2:])
    assert len(answers) <= 3


def interrupter(monkeypatch: pytest.MonkeyPatch, at: int) -> threading.Event:
    """Press Ctrl-C once, when the progress of the run number `at` is told for the first time."""
    pressed, runs = threading.Event(), itertools.count(1)

    @contextmanager
    def progress(what: str, total: int) -> Iterator[Callable[[int], None]]:
        number = next(runs)

        def advance(amount: int) -> None:
            if number == at and not pressed.is_set():
                pressed.set()
                os.kill(os.getpid(), signal.SIGINT)

        yield advance

    monkeypatch.setattr("tcsim.cli.terminal.progress", progress)
    return pressed


@POSIX
@pytest.mark.parametrize("argv", [["catalog", "list"], ["options"], ["odds", "--jsonl", "-"]], ids=" ".join)
def test_a_reader_that_has_seen_enough(argv: list[str], tmp_path: Path) -> None:
    given = tmp_path / "in.jsonl"
    given.write_bytes((LINE + b"\n") * 3000)
    with given.open("rb") as file, start(*argv, stdin=file) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(TIMEOUT) == 0


@POSIX
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a full device")
@pytest.mark.parametrize("argv", [["odds", *RIFLE], ["odds", *RIFLE, "--json"], ["schema"], ["--help"]], ids=" ".join)
def test_a_full_disk(argv: list[str]) -> None:
    with open("/dev/full", "wb") as full, start(*argv, stdout=full) as process:
        _, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 2
    assert err.startswith(b"tcsim: standard output: ")
    assert err.count(b"\n") == 1


def test_lines_that_cannot_be_read(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Broken(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def readinto(self, buffer: Any) -> int:
            raise OSError(5, "Input/output error")

    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(Broken())))
    assert main(["odds", "--jsonl", "-"]) == 2
    assert capsys.readouterr() == ("", "tcsim: --jsonl: the lines cannot be read: Input/output error\n")


def test_streams_that_are_closed(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", None)
        assert main(["odds", "--jsonl", "-"]) == 2
    assert capsys.readouterr() == ("", "tcsim: --jsonl: standard input is closed\n")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdout", None)
        assert main(["odds", *RIFLE]) == 2
    assert capsys.readouterr() == ("", "tcsim: standard output is closed\n")
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stderr", None)
        assert main(["odds"]) == 2
    assert capsys.readouterr() == ("", "")


def test_the_module_runs() -> None:
    with start("odds", *RIFLE, "--json") as process:
        out, err = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, err) == (0, b"")
    assert json.loads(out) == answer("odds", *RIFLE, "--json")
    with start("odds", "--attack", "x\ny") as process:
        out, err = process.communicate(timeout=TIMEOUT)
    assert (process.returncode, out, err.count(b"\n")) == (2, b"", 1)


def test_traces_are_told_below_the_table_and_in_json() -> None:
    """The same trials, and only where dice are rolled."""
    table = run(*ROLL, "--trials", "100", "--traces", "2")
    assert table.status == 0
    told = table.out[table.out.index("trial 0") :]
    assert told.count("action roll") == 2
    answer = json.loads(run(*ROLL, "--trials", "100", "--traces", "2", "--json").out)
    assert "\n\n".join(answer["traces"]) == told.strip()
    assert "it goes with --method monte-carlo" in complaint("odds", *RIFLE, "--traces", "2")
    assert "traces" in complaint(*ROLL, "--trials", "10", "--traces", "1", "--mode", "outcome")
