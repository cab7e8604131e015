"""A question that is printed, as a command line or as a file, is asked again as the same question."""

from __future__ import annotations

import json
import random
import shlex
from pathlib import Path
from typing import Any

import pytest
from scenarios import scenario as made

import tcsim
from tcsim.base.errors import InputError
from tcsim.cli import main
from tcsim.cli.given import PLACES
from tcsim.cli.sharing import scenario_words
from tcsim.scenario import model
from tcsim.scenario.read import from_mapping, from_toml, read_scenario
from tcsim.scenario.resolve import Resolved, resolve
from tcsim.scenario.share import as_toml, plain

DATA = Path(__file__).parent / "data"
FILES = sorted((DATA / "scenarios" / "valid").iterdir())
#: Every fortieth scenario with a known answer.
CHAINS = [json.loads(line)["scenario"] for line in (DATA / "attack_chains.jsonl").read_text().splitlines()[::40]]

ROWS = [{"down": True, "blood": ">=3", "dice": "all", "bloodbath": True}, {"critical": True, "blood": "2-6", "dice": 2}]
#: What the files have not: charges and risky actions, own rows, goals, facts of a few rules.
OTHERS: list[dict[str, Any]] = [
    {"target": {"blood": 4}, "attacks": [{"times": 2}], "spend": {"policy": ROWS}},
    {
        "target": {"blood": 4},
        "attacks": [{"times": 2}],
        "spend": {
            "blood_on_injury": "optimal",
            "goal": [{"out_of_action": True, "value": 1}, {"down": True, "value": 0.5}],
        },
    },
    {"target": {"blood": 4}, "attacks": [{}], "spend": {"blood_on_injury": "optimal", "goal": "out-by-attack-1"}},
    {
        "attacker": {"down": True, "blessing": 1},
        "target": {"paid": 2, "not_activated": True, "infection": 3, "machine_armour_minor": True, "base_mm": 50},
        "attacks": [
            {"event": "attacker_stand", "action_dice": 1, "label": "up, and at 'em"},
            {"event": "risky", "doing": "dash"},
            {"event": "charge", "distance": 7.5, "move": 6, "bonus": "2d6kh1", "halved": True},
            {"kind": "melee", "charging": True, "fear": True, "choice": "ignore_armour", "friends": 2, "paid": 1},
            {"event": "target_activation"},
            {"event": "activation"},
            {"keywords": ["RISKY"]},
        ],
    },
    {"target": {}, "attacks": [{"height": 0.1 + 0.2}]},
    {"target": {"armour": []}, "attacks": [{"long_range": False, "height": 3.25}]},
    {"id": 'say "no"\n둘째 줄\t\\ $HOME `x` \x01\x7f', "target": {}, "attacks": [{}]},
    {"id": "x" * 1000, "target": {}, "attacks": [{"event": "stand"}, {}]},
    {"id": "-x", "attacker": {"unit": "Yeoman", "armour": ["중갑"]}, "target": {}, "attacks": [{"weapon": "bayonet"}]},
]


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    """What a command prints, once it has ended well."""
    status = main(list(words))
    printed = capsys.readouterr()
    assert status == 0, printed.err
    return printed.out


def questions() -> list[Resolved]:
    """Many questions of every kind."""
    rng = random.Random(6)
    found = [resolve(read_scenario(path)) for path in FILES]
    return found + [resolve(from_mapping(data)) for data in (*CHAINS, *OTHERS, *(made(rng) for _ in range(60)))]


def test_a_file_says_the_same_scenario() -> None:
    for question in questions():
        again = from_toml(as_toml(question.scenario, ["asked\nlike \x00 this"]))
        assert again == question.scenario
        assert from_mapping(json.loads(json.dumps(plain(question.scenario)))) == again


def test_a_file_says_only_what_was_changed() -> None:
    """A table with every field at its default comes to nothing but the edition."""
    whole = {
        "attacker": {"blood": 0, "down": False, "keywords": []},
        "target": {"injury_dice": 0, "blood": 0},
        "attacks": [{"times": 1, "cover": False, "keywords": []}],
        "spend": {"blood_on_injury": "none", "goal": "out"},
        "options": {},
    }
    assert plain(from_mapping(whole)) == {"edition": "1.6.3", "target": {}, "attacks": [{}]}


def test_a_command_asks_the_same_question(capsys: pytest.CaptureFixture[str]) -> None:
    """As a shell reads it, through the command line itself; what no flag can say is told, and nothing else is."""
    asked, refused = [], []
    for question in questions():
        try:
            line = shlex.join(scenario_words(question))
        except InputError as error:
            refused.append(str(error))
            continue
        asked.append((question, line))
    assert len(refused) == 4
    assert "spend.policy: rows cannot be said by flags, --as-toml writes the whole question" in refused
    assert any(text.startswith("spend.goal: rows cannot") for text in refused)
    assert "attacks[0]: one of its values cannot be said by flags, --as-toml writes the whole question" in refused
    assert any('"up, and at \'em"' in text and text.startswith("attacks[0]") for text in refused)
    for question, line in asked[:: len(asked) // 40]:
        text = said(capsys, "odds", *shlex.split(line), "--as-toml")
        again = resolve(from_toml(text))
        assert again.problem.fingerprint == question.problem.fingerprint
        assert again.scenario.id == question.scenario.id


def test_a_command_says_the_edition_and_only_what_differs(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--attack", "ranged,cover", "--attack", "melee,CRITICAL,times=2", "--target-blood", "0", "--spend", "none"]
    printed = said(capsys, "odds", *words, "--not-tough", "--option", "bloodbath=add", "--as-command")
    assert printed == (
        "tcsim odds --attack ranged,cover --attack melee,times=2,CRITICAL --edition 1.6.3 --not-tough "
        "--option bloodbath=add\n"
    )


@pytest.mark.parametrize(
    ("words", "end"),
    [
        (["odds", "--fractions"], "--fractions"),
        (["odds", "--method", "monte-carlo"], "--method monte-carlo --trials 1000000 --seed 1"),
        (["odds", "--method", "monte-carlo", "--trials", "1e3", "--threads", "2", "--seed", "7", "--traces", "2"],
         "--method monte-carlo --trials 1000 --seed 7 --traces 2"),
        (["odds", "--method", "monte-carlo", "--precision", "0.01"], "--method monte-carlo --seed 1 --precision 0.01"),
        (["spend", "--worth", "--trials", "10"], "--worth --trials 10 --seed 1"),
        (["explain"], ""),
        (["exchange", "--of", "down", "--terms", "armour,blood"], "--of down --terms armour,blood"),
    ],
)  # fmt: skip
def test_how_it_was_answered_is_said(words: list[str], end: str, capsys: pytest.CaptureFixture[str]) -> None:
    line = said(capsys, *words, "--attack", "melee", "--as-command")
    assert line == f"tcsim {words[0]} --attack melee --edition 1.6.3 {end}".rstrip() + "\n"
    first = said(capsys, *words, "--attack", "melee", "--as-toml").splitlines()[0]
    assert first == f"# tcsim {words[0]} THIS-FILE.toml {end}".rstrip()


def test_rolled_it_counts_the_same(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    rolls = ["--method", "monte-carlo", "--trials", "2000", "--seed", "9", "--threads", "1"]
    for data in (*OTHERS[:4], CHAINS[5]):
        path, copy = tmp_path / "asked.json", tmp_path / "again.toml"
        path.write_text(json.dumps(data), encoding="utf-8")
        counted = json.loads(said(capsys, "odds", str(path), *rolls, "--json"))
        copy.write_text(said(capsys, "odds", str(path), *rolls, "--as-toml"), encoding="utf-8")
        assert json.loads(said(capsys, "odds", str(copy), *rolls, "--json")) == counted
    line = said(capsys, "odds", str(path), *rolls, "--as-command")
    again = json.loads(said(capsys, *shlex.split(line)[1:], "--json"))
    assert again == counted


def test_own_names_and_catalogues(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Quotes and Korean in names: a file says all of them, a command what is not read as something else."""
    names = {"plain": 'The "Nun\'s" $Gun', "kind": "Melee", "korean": "성스러운 총", "comma": "Sword, long"}
    rows = [f"[[weapon]]\nname = {json.dumps(name)}\nkind = 'melee'\n" for name in names.values()]
    own = tmp_path / "my own; rm -rf.toml"
    own.write_text("\n".join(['edition = "1.6.3"', *rows]), encoding="utf-8")
    for id, name in names.items():
        path = tmp_path / f"{id}.json"
        scenario = {"target": {"blood": 1}, "attacks": [{"weapon": name, "injury_dice": len(id)}]}
        path.write_text(json.dumps(scenario), encoding="utf-8")
        expected = tcsim.odds(scenario, catalog=own).resolved.problem
        text = said(capsys, "odds", str(path), "--catalog", str(own), "--as-toml")
        assert text.startswith(f"# tcsim odds THIS-FILE.toml --catalog {shlex.quote(str(own))}\n")
        assert resolve(from_toml(text), own).problem == expected
        if id in ("comma", "kind"):
            assert main(["odds", str(path), "--catalog", str(own), "--as-command"]) == 2
            error = capsys.readouterr().err
            what = '"Sword, long"' if id == "comma" else "one of its values"
            assert f"attacks[0]: {what} cannot be said by flags, --as-toml writes" in error
            continue
        line = said(capsys, "odds", str(path), "--catalog", str(own), "--as-command")
        text = said(capsys, *shlex.split(line)[1:], "--as-toml")
        assert resolve(from_toml(text), own).problem == expected


def test_nothing_that_a_flag_cannot_say_is_lost(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """A name that would be read as something else is refused."""
    own = tmp_path / "own.toml"
    weapon, armour = '[[weapon]]\nname = "Stand"\nkind = "melee"', '[[armour]]\nname = "Cloak, red"\nslot = "body"'
    own.write_text(f'edition = "1.6.3"\n{weapon}\n{armour}\n', encoding="utf-8")
    with pytest.raises(InputError, match="cannot be said by flags"):
        scenario_words(resolve(from_mapping({"target": {"armour": ["Cloak, red"]}, "attacks": [{}]}), own))
    with pytest.raises(InputError, match="cannot be said by flags"):
        scenario_words(resolve(from_mapping({"target": {}, "attacks": [{"weapon": "Stand"}]}), own))
    for data in ({"id": "a\0b"}, {"id": "x"}):
        question = resolve(from_mapping({"target": {}, "attacks": [{}], **data}))
        if "\0" in data["id"]:  # no program can be given it
            with pytest.raises(InputError, match="cannot be said by flags"):
                scenario_words(question)
        else:
            assert "x" in scenario_words(question)


def test_every_field_has_a_flag() -> None:
    """All but rows of a policy, which a file says."""
    flags = set(PLACES.values())
    for table, shape in {"attacker": model.Attacker, "target": model.Target, "spend": model.SpendPolicy}.items():
        assert {(table, name) for name in model.fields(shape)} - flags <= {("spend", "policy")}


@pytest.mark.parametrize(
    "words",
    [
        ["odds", "--attack", "melee", "--as-command", "--as-toml"],
        ["odds", "--attack", "melee", "--as-command", "--json"],
        ["spend", "--attack", "melee", "--as-toml", "--csv"],
        ["odds", "--jsonl", "-", "--as-toml"],
    ],
)
def test_one_form_at_a_time(words: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(words) == 2
    assert "give one of --" in capsys.readouterr().err
