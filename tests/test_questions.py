"""Questions as data: what may be given, what is made of a question, batches and reference pages, the command line."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from question_cases import CASES
from test_cli import answer, complaint, run

import tcsim
from tcsim.aos import AOS
from tcsim.base.errors import InputError
from tcsim.base.numbers import fraction
from tcsim.base.text import columns
from tcsim.cli import COMMANDS
from tcsim.cli.ask import ask_group
from tcsim.dice import Pool
from tcsim.questions import kinds
from tcsim.questions.asking import How, Reply, ask
from tcsim.questions.question import PROBABILITY, RESERVED, Answer, Asked, Input, Question, read_pairs
from tcsim.questions.reference import markdown
from tcsim.questions.rolling import CHUNK, Dice, Seen
from tcsim.questions.ruleset import Entry, Ruleset
from tcsim.situations import ASK

QUESTIONS = [ASK.question(name) for name in ASK.names]
EVERY = [(ruleset, name) for ruleset in (ASK, AOS) for name in ruleset.names]
ONE_OF_EACH = list({case.name: case for case in CASES}.values())


def wrong(kind: Any, value: Any) -> str:
    with pytest.raises(InputError) as caught:
        kind.read(value)
    return str(caught.value)


# --- kinds ----------------------------------------------------------------------------------------------------


def test_whole_numbers() -> None:
    kind = kinds.Whole(-2, 1000)
    assert [kind.read(value) for value in (3, "3", "+3", "−2", " 7 ", "1e3", "1_000")] == [3, 3, 3, -2, 7, 1000, 1000]
    for value in (True, 3.0, "3.0", "", "x", None, [], {}, 1001, -3, 10**400, "9" * 400, math.nan, "nan", "1/2", b"3"):
        assert wrong(kind, value).endswith("is given, a whole number from -2 to 1,000 is allowed")


def test_numbers_are_kept_exactly() -> None:
    kind = kinds.Number(0, 48)
    third, half = Fraction(1, 3), Fraction(5, 2)
    right = {
        3: 3,
        "3": 3,
        2.5: half,
        "2.5": half,
        "5/2": half,
        "1/3": third,
        ".5": Fraction(1, 2),
        1e-5: Fraction(1, 10**5),
    }
    assert {given: kind.read(given) for given in right} == right
    assert kind.read(0.1) == Fraction(1, 10)
    assert kind.read(third) == third
    assert all(type(kind.read(given)) is Fraction for given in right)
    assert [kind.write(Fraction(number)) for number in (3, half, third)] == [3, "5/2", "1/3"]
    assert kind.read(np.float64(2.5)) == half  # a float, whose repr is no number
    assert kind.read(5e-324) == Fraction(5, 10**324)
    huge = Fraction(10**5000, 3), Fraction(1, 10**5000)  # which Python does not write
    for value in (
        True,
        -1,
        48.1,
        "1/0",
        "1/",
        "/2",
        math.nan,
        math.inf,
        "inf",
        None,
        "",
        "2,5",
        "1e400",
        [],
        1j,
        *huge,
    ):
        assert "a number from 0 to 48 (as 2, 2.5 or 1/4) is allowed" in wrong(kind, value)


def test_fractions_as_people_write_them() -> None:
    assert fraction("−1/4") == Fraction(-1, 4)
    assert [fraction(text) for text in ("", "1//2", "1/2/3", "1/0", "0x1", "1 2")] == [None] * 6


def test_dice() -> None:
    kind = kinds.Dice()
    right = {
        "D6": Pool(keep=1),
        "d3": Pool(keep=1, sides=3),
        "2D6": Pool(),
        "2d6KH1": Pool(1, 1),
        "3D6kl2": Pool(-1),
        "D6+1": Pool(keep=1, modifier=1),
        " 1 D 6 - 2 ": Pool(keep=1, modifier=-2),
        "none": kinds.NO_DICE,
    }
    for text, pool in right.items():
        assert kind.read(text) == pool
        assert kind.read(kind.write(kind.read(text))) == pool
    assert kind.read(Pool()) == Pool()
    assert kind.read("2D6kh2") == Pool()
    for value in (
        "",
        "6",
        "D",
        "D1",
        "D101",
        "0D6",
        "21D6",
        "2D6kh3",
        "2D6kh0",
        "2D6k1",
        "D6+100",
        "DD6",
        6,
        True,
        None,
    ):
        assert "is given, D6, D3, 2D6" in wrong(kind, value)


def test_words_and_flags() -> None:
    kind = kinds.Word({"at_least": "", "exactly": ""})
    assert [kind.read(text) for text in ("exactly", " At-Least ", "AT_LEAST")] == ["exactly", "at_least", "at_least"]
    assert wrong(kind, "exactl") == '"exactl" is given, at_least or exactly is allowed; did you mean "exactly"?'
    assert wrong(kind, 1) == "1 is given, at_least or exactly is allowed"
    flag = kinds.Flag()
    assert [flag.read(value) for value in (True, "yes", 1, "On", False, "no", "0", "off")] == [
        *(True,) * 4,
        *(False,) * 4,
    ]
    for value in (2, "2", "", None, "y", 1.0, [], 10**5000, Fraction(10**5000, 3)):
        assert wrong(flag, value).endswith("is given, true or false is allowed")


def test_several() -> None:
    kind = kinds.Several(kinds.Whole(0, 9), 6)
    assert kind.read("5+3") == (5, 3)
    assert kind.read("6x1") == (1,) * 6
    assert kind.read("2×3+1") == (3, 3, 1)
    assert kind.read([1, "2"]) == (1, 2)
    assert kind.read(4) == (4,)
    assert kind.write((5, 3)) == "5+3"
    for value in ("7x1", "9999x1", "", [], "5+", "5+x", True, "0x1", 1.5, [True], None):
        assert " is given, " in wrong(kind, value)


# --- a ruleset of its own -------------------------------------------------------------------------------------


def _flip(asked: Asked) -> dict[str, Fraction]:
    return {"heads": Fraction(asked["chance"]), "coins": Fraction(asked["coins"])}


def _flip_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    return {"heads": dice.generator.random(trials) < float(asked["chance"]), "coins": np.full(trials, asked["coins"])}


FLIP = Question(
    name="flip",
    inputs=(
        Input("chance", kinds.Number(0, 1), "Of heads", default={"old": "1/2", "new": "1/3"}),
        Input("coins", kinds.Several(kinds.Whole(1, 6)).kind, "How many", default=1),
        Input("needed", kinds.Word({"a": "", "b": ""}), "A word", required=True),
        Input("late", kinds.Whole(0, 9), "Only in the new one", default=2, editions=("new",)),
        Input("with_late", kinds.Flag(), "Beside", default=False, goes_with=("needed=b",)),
    ),
    answers=(Answer("heads", "heads"), Answer("coins", "coins", "coins")),
    exact=_flip,
    simulate=_flip_rolled,
    rule={"old": "Old.", "new": "New."},
    source="nowhere",
    examples=("needed=a",),
)
QUESTIONS_OF_COINS = (FLIP,)
GAME = Ruleset("Coins", "coins ask", ("old", "new"), (Entry("flip", "test_questions_coins", "Heads?"),))


@pytest.fixture
def coins(monkeypatch: pytest.MonkeyPatch) -> Ruleset:
    """Another game: its module is imported by name, as those of the package."""
    from types import ModuleType

    module = ModuleType("test_questions_coins")
    module.QUESTIONS = (FLIP,)  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "test_questions_coins", module)
    return GAME


def test_another_game_has_all_of_it(coins: Ruleset) -> None:
    reply = ask(coins, "Flip", {"needed": "A"})
    assert (reply["heads"], reply["coins"], reply.asked.edition) == (Fraction(1, 2), 1, "old")
    assert reply.inputs() == {"chance": "1/2", "coins": 1, "needed": "a"}
    assert ask(coins, "flip", {"needed": "b", "with_late": True, "late": 3}, "new").inputs() == {
        "chance": "1/3", "coins": 1, "needed": "b", "late": 3, "with_late": True,
    }  # fmt: skip
    rolled = ask(coins, "flip", {"needed": "a", "chance": 0.25}, "new", How("monte-carlo", 1000, 5))
    assert set(rolled.answers["heads"]) == {"value", "low", "high", "interval", "count", "looks"}
    assert set(rolled.answers["coins"]) == {"value", "low", "high", "interval", "looks"}
    page = markdown(coins)
    assert "old: Old." in page
    assert "1/2 (old), 1/3 (new)" in page
    assert "coins ask flip needed=a" in page
    group = ask_group(coins, "ask", ("coins ask",))
    assert group.get_command(group.make_context("ask", []), "flip") is not None


def test_wrong_inputs_of_any_game(coins: Ruleset) -> None:
    def said(given: dict[str, Any], edition: str | None = None, name: str = "flip") -> str:
        with pytest.raises(InputError) as caught:
            ask(coins, name, given, edition)
        return str(caught.value)

    assert said({}) == "needed: flip needs it: A word, a or b"
    assert said({"needed": "c"}) == 'needed: "c" is given, a or b is allowed'
    assert said({"needed": "a", "coin": 1}).startswith('there is no input "coin"; did you mean "coins"?')
    assert "flip takes chance, coins, needed, with_late)" in said({"needed": "a", "zzz": 1})
    assert said({"needed": "a", "late": 1}) == "late: it belongs to edition new, the question is asked in old"
    assert said({"needed": "a", "with_late": True}) == "with_late: it goes with needed=b, which is not given"
    assert said({"needed": "a"}, "newer") == 'edition: there is no edition "newer"; did you mean "new"? (old, new)'
    assert said({}, name="flap") == 'there is no question "flap"; did you mean "flip"? (flip)'
    assert said({"needed": "a", "with-late": False, "with_late": False}) == "with_late: it is given twice"
    assert ask(coins, "flip", {"needed": "a", "with-late": "no"}).asked.given == {"needed", "with_late"}


@pytest.mark.parametrize(
    ("how", "message"),
    [
        (("guess",), 'method: "guess" is given, exact or monte-carlo is allowed'),
        ((None,), "method: nothing is given"),
        (("exact", 5), "trials: it goes with the method monte-carlo"),
        (("exact", None, 5), "seed: it goes with the method monte-carlo"),
        (("monte-carlo", 0), "trials: 0 is given, a whole number from 1 to 10,000,000,000 is allowed"),
        (("monte_carlo", True), "trials: true is given"),
        (("monte_carlo", 10**11), "trials: 100000000000 is given"),
        (("monte_carlo", 1.0), "trials: 1.0 is given"),
        (("monte_carlo", 5, -1), "seed: -1 is given"),
        (("monte_carlo", 5, 2**64), "seed: 18446744073709551616 is given"),
    ],
)
def test_wrong_methods(how: tuple[Any, ...], message: str) -> None:
    with pytest.raises(InputError) as caught:
        How(*how)
    assert str(caught.value).startswith(message)


def test_pairs() -> None:
    assert read_pairs(["move=6", "skirmisher", "out-of-sight=no"], ASK.question("charge")) == {
        "move": "6", "skirmisher": "true", "out_of_sight": "no",
    }  # fmt: skip
    for texts, message in (
        (["move"], '"move" is given, key=value is needed, as move=6'),
        (["=6"], ""),
        (["move=6", "move=7"], "move: it is given twice"),
        (["skirmsher"], 'did you mean "skirmisher"?'),
    ):
        with pytest.raises(InputError) as caught:
            ASK.question("charge").read(read_pairs(texts, ASK.question("charge")), "1.6.3")
        assert message in str(caught.value)


# --- rolling --------------------------------------------------------------------------------------------------


def test_dice_are_the_same_for_the_same_question_and_seed_alone() -> None:
    def counts(**changed: Any) -> Any:
        given = {"edition": "1.6.3", "seed": 1, "trials": 1000, "actions": 2} | changed
        return tcsim.ask("risky", method="monte-carlo", **given)["all"]

    assert counts() == counts() == counts(actions="2")
    assert len({counts(), counts(seed=2), counts(edition="1.0.2"), counts(seed=2**64 - 1)}) == 4
    assert tcsim.ask("risky", method="monte-carlo").trials == 100_000


def test_chunks_add_up() -> None:
    whole = tcsim.ask("charge", move=6, distance=9, method="monte-carlo", trials=2 * CHUNK + 5)
    assert whole.answers["reaches"]["looks"] == whole.answers["mean"]["looks"] == 2 * CHUNK + 5
    seen = Seen()
    for part in ([1, 0, 1], [True], Seen(2, 1.0, 1.0)):
        seen.add(part)
    assert seen == Seen(6, 4.0, 4.0)
    assert seen.chance()["count"] == 4
    assert Seen().chance()["value"] is Seen().mean()["value"] is None
    few = Seen()
    few.add([7.0, 9.0])
    assert few.mean()["value"] == 8
    assert few.mean()["low"] == pytest.approx(8 - 1.959964)  # the standard error of 7 and 9 is 1


def test_each_die_is_rolled_and_pools_are_read_as_they_are() -> None:
    dice = Dice(3, "test")
    assert {*dice.d6(1000).tolist()} == {1, 2, 3, 4, 5, 6}
    assert {*dice.d3(1000).tolist()} == {1, 2, 3}
    assert dice.roll(5, 0).shape == (5, 0)
    assert not dice.total(None, 5).any()
    best, again = Dice(4, "pool"), Dice(4, "pool")
    faces = again.roll(1000, 3)
    assert best.total(Pool(1, modifier=2), 1000).tolist() == [sum(sorted(row)[1:]) + 2 for row in faces.tolist()]
    worst, again = Dice(4, "pool"), Dice(4, "pool")
    faces = again.roll(1000, 3)
    assert worst.total(Pool(-1), 1000).tolist() == [sum(sorted(row)[:2]) for row in faces.tolist()]
    added, again = Dice(4, "pool"), Dice(4, "pool")
    faces, more = again.roll(1000, 2), again.roll(1000, 1)
    expected = [sum(row) + sum(extra) for row, extra in zip(faces.tolist(), more.tolist(), strict=True)]
    assert added.total(Pool(added=1), 1000).tolist() == expected
    assert Dice(1, "a").seed() != Dice(1, "b").seed()


# --- every question is well made ------------------------------------------------------------------------------


@pytest.mark.parametrize(("ruleset", "name"), EVERY)
def test_a_question_is_whole(ruleset: Ruleset, name: str) -> None:
    question = ruleset.question(name)
    names = [one.name for one in question.inputs]
    assert len(set(names)) == len(names)
    assert not RESERVED & set(names)
    assert all(
        re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", name) for name in [*names, *(one.name for one in question.answers)]
    )
    assert question.examples
    assert all(text and not text.endswith(".") for text in [one.help for one in question.inputs])
    for edition in ruleset.editions_of(question):
        assert question.rule_in(edition).endswith(".")
        assert question.source_in(edition)
        for one in question.inputs:
            assert one.default_in(edition) is None or one.kind.read(one.kind.write(one.default_in(edition))) is not None
            for condition in one.goes_with:
                assert condition.partition("=")[0] in names
            if one.reason:
                assert not one.reason.endswith(".")
    for example in question.examples:
        reply = ask(ruleset, name, read_pairs(example.split(), question), ruleset.editions_of(question)[0])
        for key in reply.answers:
            question.answer_of(key)
    entry = ruleset.entry(name)
    if entry.short:
        assert COMMANDS[question.name] == ("tcsim.cli.ask", entry.title)


def test_each_answer_is_given_by_some_case() -> None:
    told: dict[str, set[str]] = {}
    for name, edition, inputs in CASES:
        question = ASK.question(name)
        told.setdefault(name, set()).update(
            question.answer_of(key).name for key in ask(ASK, name, inputs, edition).answers
        )
    assert told == {one.name: {answer.name for answer in one.answers} for one in QUESTIONS if one.name in told}


def test_a_question_loads_its_own_module_alone() -> None:
    code = (
        "import sys, tcsim; tcsim.ask('charge', move=6)\n"
        "names = {'tcsim.situations.morale', 'tcsim.situations.survival', 'tcsim.engines.exact', 'tcsim.catalog', "
        "'numpy', 'numba', 'pandas', 'matplotlib', 'click', 'rich'}\n"
        "print(*sorted(names & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip() == ""
    rolling = code.replace("move=6)", "move=6, method='monte-carlo', trials=10)")
    assert subprocess.run(
        [sys.executable, "-c", rolling], capture_output=True, text=True, check=True
    ).stdout.split() == ["numpy"]


def test_the_python_api() -> None:
    reply = tcsim.ask("charge", move=6, distance=9, bonus="2D6kh1", edition="1.0.2")
    assert isinstance(reply, Reply)
    assert reply["reaches"] == Fraction(8, 9)
    with pytest.raises(InputError, match=r'no answer of charge "reachs"; did you mean "reaches"\?'):
        reply["reachs"]
    with pytest.raises(InputError, match=r'there is no question "7"'):
        tcsim.ask(7)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="edition"):
        tcsim.ask("charge", move=6, edition=1.6)  # type: ignore[arg-type]
    assert 0.6 < tcsim.ask("charge", move=6, distance=9, method="monte-carlo", trials=1000)["reaches"] < 0.73


# --- the command line -----------------------------------------------------------------------------------------


def test_json_has_what_the_contract_says() -> None:
    told = answer("ask", "charge", "move=6", "distance=9", "--json")
    assert list(told) == ["question", "edition", "method", "inputs", "answers"]
    assert (told["question"], told["edition"], told["method"]) == ("charge", "1.6.3", "exact")
    assert told["inputs"]["move"] == 6
    assert told["inputs"]["bonus"] == "D6"
    assert told["answers"]["reaches"] == {"value": 2 / 3, "fraction": "2/3"}
    assert told == tcsim.ask("charge", move=6, distance=9).to_dict()
    rolled = answer("ask", "risky", "--method", "monte-carlo", "--trials", "1e3", "--seed", "7", "--json")
    assert (rolled["method"], rolled["trials"], rolled["seed"], rolled["level"]) == ("monte_carlo", 1000, 7, 0.95)
    first = rolled["answers"]["succeeds"]
    assert (first["looks"], first["count"] / 1000) == (1000, first["value"])
    assert first["low"] < first["value"] < first["high"]
    assert rolled["answers"]["expected"]["interval"] == "normal"


@pytest.mark.parametrize("case", ONE_OF_EACH, ids=str)
def test_every_question_on_the_command_line(case: Any) -> None:
    pairs = [f"{key}={str(value).lower() if isinstance(value, bool) else value}" for key, value in case.inputs.items()]
    for flags in (
        ["--edition", case.edition],
        ["--edition", case.edition, "--method", "monte-carlo", "--trials", "500"],
    ):
        told = answer("ask", case.name, *pairs, *flags, "--json")
        how = How() if len(flags) == 2 else How("monte-carlo", 500)
        assert told == ask(ASK, case.name, case.inputs, case.edition, how).to_dict()
        for lang in ("en", "ko"):
            said = run("ask", case.name, *pairs, *flags, "--lang", lang)
            assert (said.status, said.err) == (0, "")
            assert max(map(columns, said.out.splitlines())) <= 80
            assert "…" not in said.out


def test_short_commands_are_the_same_questions() -> None:
    assert [name for name in ASK.names if ASK.entry(name).short] == [
        name for name, (module, _) in COMMANDS.items() if module == "tcsim.cli.ask" and name in ASK.names
    ]
    long = answer("ask", "charge", "move=6", "distance=7", "skirmisher", "step=aside", "--json")
    assert answer("charge", "--move", "6", "--distance", "7", "--skirmisher", "--step", "aside", "--json") == long
    told = answer("charge", "--move", "5", "--stood-up", "--no-die-halved", "--edition", "1.0.2", "--json")
    assert told["inputs"]["die_halved"] is False
    assert answer("morale", "--down-or-out", "5", "--models", "10", "--json")["answers"]["tests"]["value"] == 1
    assert run("risky", "--actions", "3").out == run("ask", "risky", "actions=3").out
    assert complaint("charge", "--distance", "9").startswith("move: charge needs it")


def test_lists_and_help() -> None:
    listed = run("ask").out
    assert all(re.search(rf"^  {name} ", listed, re.MULTILINE) for name in ASK.names)
    page = run("ask", "charge", "--help").out
    for text in (
        "move=X",
        "heavy=armour|item",
        "required",
        "default armour (1.6.3), any (1.0.2)",
        "reach_…",
        "(inches)",
    ):
        assert text in page
    assert "tcsim ask charge move=6 distance=9" in page
    assert "tcsim charge --move 6 --distance 7 --skirmisher --step aside" in run("charge", "--help").out
    for name in ASK.names:
        assert max(map(len, run("ask", name, "--help").out.splitlines())) <= 80


def test_the_reference_tells_every_question_input_and_answer() -> None:
    page = run("ask", "--reference").out
    assert page.strip() == markdown(ASK).strip()
    for question in QUESTIONS:
        part = page.partition(f"\n## {question.name}\n")[2].partition("\n## ")[0]
        for one in question.inputs:
            assert f"| `{one.name}` |" in part
        for one in question.answers:
            assert f"| `{one.name}" in part
        for example in question.examples:
            assert f"tcsim ask {question.name} {example}".strip() in part
    for line in re.findall(r"^tcsim .*$", page, re.MULTILINE):
        assert run(*line.split()[1:]).status == 0
    assert "차례" in run("ask", "--reference", "--lang", "ko").out


WRONG = {
    ("ask", "morale", "tests=both", "smaller=left"): "who: it is needed: first or second, or else left and enemy_left",
    ("ask", "morale", "tests=both", "smaller=left", "models=5", "left=6"): "left: 6 are given, of 5 models",
    ("ask", "morale", "tests=both", "smaller=left", "models=5", "down_or_out=1", "left=3"): "left: 3 are given, of 5",
    ("ask", "morale", "tests=both", "left=3"): "left: it goes with smaller=left, which is not given",
    ("ask", "chrge"): 'there is no question "chrge"; did you mean "charge"?',
    ("ask", "charge", "mve=6"): 'there is no input "mve"; did you mean "move"? (charge takes move, distance,',
    ("ask", "charge"): "move: charge needs it",
    ("ask", "charge", "move=-1"): 'move: "-1" is given, a number from 0 to 40',
    ("ask", "charge", "move=nan"): 'move: "nan" is given',
    ("ask", "charge", "move="): 'move: "" is given',
    ("ask", "charge", "move=6", "bonus=7"): 'bonus: "7" is given, D6, D3, 2D6',
    ("ask", "charge", "move=6", "step=aside"): "step: it goes with skirmisher, which is not given",
    ("ask", "charge", "move=6", "action_dice=1"): "action_dice: it goes with out_of_sight or diving",
    ("ask", "charge", "move=6", "action_dice=1", "--edition", "1.0.2"): "action_dice: it goes with diving, which",
    ("ask", "charge", "move=6", "out_of_sight", "--edition", "1.0.2"): "out_of_sight: it belongs to edition 1.6.3",
    ("ask", "charge", "move=6", "edition=1.0.2"): "edition: it is no input of charge; on the command line it is",
    ("ask", "charge", "move=6", "--edition", "1.6"): 'edition: there is no edition "1.6"',
    ("ask", "charge", "move=6", "--trials", "5"): "--trials: it goes with --method monte-carlo",
    ("ask", "--json", "charge", "move=6"): "what stands before a question goes with --csv or --reference",
    ("ask", "--csv", "nowhere.csv"): '--csv: "nowhere.csv" cannot be read',
    ("ask", "--csv", "-", "--reference"): "--csv and --reference do not go together",
    ("ask", "morale", "tests=both"): "who: it is needed",
    ("ask", "morale", "who=first"): "who: it goes with tests=both",
    ("ask", "morale", "tests=both", "who=first", "turns=2"): "turns: it goes with tests=one",
    ("ask", "morale", "models=5", "down_or_out=6"): "down_or_out: 6 are given, of 5 models",
    ("ask", "morale", "down_or_out=6"): "down_or_out: it needs models beside it",
    ("ask", "morale", "tests=both", "who=first", "models=9", "enemy_models=8"): "who: the smaller warband tests first",
    ("ask", "scatter", "roll=7"): 'roll: "7" is given, a whole number from 2 to 6',
    ("ask", "trauma", "had=leg_wond"): 'had: "leg_wond" is given',
    ("ask", "trauma", "had=leg_wound+lost_arm+hand_wound"): "had: these are 3 Battle Scars, which end a model",
    ("ask", "trauma", "had=lost_eye+lost_eye"): "had: lost_eye is given twice",
    ("ask", "charge", "move"): '"move" is given, key=value is needed, as move=6',
    ("ask", "charge", "mve"): '"mve" is given, key=value is needed, as move=6; did you mean "move"?',
    ("ask", "promotion", "dice=3", "won"): "won: it settles how many dice there are",
    ("ask", "promotion", "dice=3", "mine=3"): "mine: 3 is given, a troop gets at most 2 of these 3 dice",
    ("ask", "exploration", "aim=exactly"): "aim: exactly needs a sum",
    ("ask", "exploration", "dice=3", "game=2"): "game: it settles how many dice there are",
    ("ask", "exploration", "rerolls=1", "won"): "won: it settles how many re-rolls there are",
    ("ask", "campaign"): "campaign needs models, d66 or dice",
    ("ask", "campaign", "sum=5"): "sum: it goes with dice, which is not given",
    ("charge", "--move", "x"): 'move: "x" is given',
}  # fmt: skip


@pytest.mark.parametrize("argv", WRONG, ids=" ".join)
def test_wrong_questions_give_one_sentence(argv: tuple[str, ...]) -> None:
    assert complaint(*argv).startswith(WRONG[argv])


# --- batches --------------------------------------------------------------------------------------------------

TABLE = """id,edition,system,inputs,remark
a,both,risky,action_dice=0;actions=2,x
b,1.0.2,morale,turns=2,
c,,charge,move=6;distance=9;skirmisher=1,
d,1.6.3,charge,move=6;distanse=9,
e,1.6.3,nothing,,
f,1.5,risky,,
g,1.6.3,risky,,
"""


def test_a_table_of_questions(tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_text(TABLE, encoding="utf-8-sig")
    said = run("ask", "--csv", str(path))
    assert (said.status, said.err) == (1, "")
    rows = list(csv.DictReader(io.StringIO(said.out)))
    found = {(row["id"], row["edition"], row["answer"]): row for row in rows}
    assert found["a", "1.6.3", "all"]["fraction"] == found["a", "1.0.2", "all"]["fraction"] == "49/144"
    assert found["b", "1.0.2", "flees"]["fraction"] == "25/144"
    assert found["c", "1.6.3", "reaches"]["value"] == str(
        float(tcsim.ask("charge", move=6, distance=9, skirmisher=1)["reaches"])
    )
    assert 'did you mean "distance"?' in found["d", "1.6.3", ""]["error"]
    assert 'no question "nothing"' in found["e", "1.6.3", ""]["error"]
    assert 'no edition "1.5"' in found["f", "1.5", ""]["error"]
    assert found["g", "1.6.3", "all"]["fraction"] == "7/12"
    assert [row["id"] for row in rows] == sorted(row["id"] for row in rows)


def test_a_table_as_json_and_rolled() -> None:
    said = run("ask", "--csv", "-", "--json", "--method", "monte-carlo", "--trials", "100", stdin=TABLE.encode())
    told = [json.loads(line) for line in said.out.splitlines()]
    assert (said.status, len(told)) == (1, 8)
    assert told[0] == {"id": "a", **tcsim.ask("risky", actions=2, method="monte-carlo", trials=100).to_dict()}
    assert told[4] == {"id": "d", "line": 5, "error": told[4]["error"]}
    rolled = run("ask", "--csv", "-", "--method", "monte-carlo", "--trials", "100", stdin=TABLE.encode()).out
    row = next(csv.DictReader(io.StringIO(rolled)))
    assert int(row["count"]) / int(row["looks"]) == float(row["value"])
    edition = run("ask", "--csv", "-", "--edition", "1.0.2", stdin=b"system,inputs\nmorale,turns=2\n")
    assert (edition.status, edition.out.splitlines()[1].split(",")[:4]) == (0, ["", "1.0.2", "morale", "turns=2"])


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (b"", "a column system is needed, the head has nothing"),
        (b"id,inputs\n1,2\n", 'a column system is needed, the head has "id", "inputs"'),
        (b'system,"inputs\nrisky,\n', "line 1 is no CSV"),
        (b"system,inputs,system\nrisky,,fall\n", "the head has the column system twice"),
        ("system,inputs\nrisky,\n".encode("utf-16"), "line 1 is no UTF-8 text"),
    ],
)
def test_tables_that_cannot_be_read(table: bytes, message: str, tmp_path: Path) -> None:
    path = tmp_path / "in.csv"
    path.write_bytes(table)
    assert message in complaint("ask", "--csv", str(path))


def test_a_row_with_too_many_cells_is_one_bad_row() -> None:
    said = run("ask", "--csv", "-", stdin=b"system,inputs\nrisky,,extra\nrisky,actions=1\n")
    assert said.status == 1
    assert "more cells than the head" in said.out
    assert "7/12" in said.out


@pytest.mark.parametrize(
    ("row", "error"),
    [
        (b"risky,\xff", "the row is no UTF-8 text"),
        (b"risky," + b"9" * 200_000, "line 2 is no CSV: field larger than field limit (131072)"),
        (b'risky,"a"b', "line 2 is no CSV: ',' expected after '\"'"),
    ],
    ids=["no text", "a long cell", "a quote"],
)
def test_a_row_that_is_no_csv_is_one_bad_row(row: bytes, error: str) -> None:
    said = run("ask", "--csv", "-", "--json", stdin=b"system,inputs\n" + row + b"\nrisky,actions=1\n")
    bad, good = map(json.loads, said.out.splitlines())
    assert (said.status, said.err) == (1, "")
    assert bad == {"id": None, "line": 2, "error": error}
    assert good["answers"]["all"]["fraction"] == "7/12"


def test_any_encoding_will_do() -> None:
    table = "id,system,inputs\n전,risky,\n−1,none,é\n".encode()
    for encoding in ("ascii", "cp949", "utf-8"):
        said = run("ask", "--csv", "-", stdin=table, encoding=encoding)
        assert (said.status, said.err) == (1, "")
        assert ("전,1.6.3,risky" in said.out) == (encoding != "ascii")
        assert run("ask", "--reference", "--lang", "ko", encoding=encoding).status == 0
    told = run("ask", "--csv", "-", "--json", stdin=table, encoding="ascii").out.splitlines()
    assert [json.loads(line)["id"] for line in told] == ["전", "−1"]
    assert json.loads(run("ask", "--csv", "-", "--json", stdin=b"system,inputs\nrisky,\n").out)["id"] is None


def test_a_shell_is_offered_names_and_values() -> None:
    from click.shell_completion import ShellComplete

    from tcsim.cli import tcsim as command

    def offered(words: list[str], begun: str) -> list[str]:
        return [one.value for one in ShellComplete(command, {}, "tcsim", "_X").get_completions(words, begun)]

    assert offered(["ask"], "sc") == ["scatter"]
    assert offered(["ask", "charge"], "st") == ["strong=true", "strong=false", "stood_up=true", "stood_up=false",
                                                "step=back", "step=aside", "step=stay"]  # fmt: skip
    assert offered(["charge", "--step"], "s") == ["stay"]
    assert offered(["ask", "risky", "--edition"], "1.6") == ["1.6.3"]


def test_answers_have_units() -> None:
    assert {answer.unit for question in QUESTIONS for answer in question.answers} >= {PROBABILITY, "inches", "actions"}
