"""Age of Sigmar: exact answers against the naive way, rolled ones against both, and all known cases.

What is asked, and how it is played at the table, stands in ``naive_aos_TOPIC.py``: ``CASES``, a list of editions and
inputs for each system, and ``PLAYS``, a play for each (as in ``naive_questions.py``).
"""

from __future__ import annotations

import csv
import tomllib
from fractions import Fraction
from functools import cache
from importlib import import_module
from math import exp
from pathlib import Path
from typing import Any

import naive_questions as naive
import pytest
from question_cases import Case
from stat_tools import surprise

from tcsim.aos import AOS
from tcsim.base.errors import InputError
from tcsim.questions import kinds
from tcsim.questions.asking import How, ask

#: A module of plays for each.
TOPICS = ("magic", "moves", "fights", "control", "commands")

#: Trials of each rolled answer, how many answers are judged in this file, and how often all of them fail for nothing.
TRIALS, CHECKS, FALSE_ALARM = 20_000, 8000, 1e-6

MODULES = [import_module(f"naive_aos_{topic}") for topic in TOPICS]
CASES = [
    Case(name, edition, inputs)
    for module in MODULES
    for name, every in module.CASES.items()
    for edition, inputs in every
]
PLAYS = {name: play for module in MODULES for name, play in module.PLAYS.items()}

DATA = Path(__file__).parent / "data"
with (DATA / "aos.csv").open(encoding="utf-8", newline="") as stream:
    ROWS = list(csv.DictReader(stream))
#: What the answers of the rows are called here, by system.
NAMES = tomllib.loads((DATA / "aos_names.toml").read_text(encoding="utf-8"))


@cache
def naive_answers(case: int) -> tuple[dict[str, Fraction], dict[str, float]]:
    name, edition, inputs = CASES[case]
    every = list(naive.outcomes(PLAYS[name](edition, **inputs)))
    return naive.answers(every), naive.ranges(every)


def rolled(name: str, edition: str, inputs: dict[str, Any]) -> Any:
    return ask(AOS, name, inputs, edition, How("monte-carlo", TRIALS, 20)).answers


def too_far(found: dict[str, Any], true: Fraction, width: float) -> bool:
    """Whether what was rolled is no chance or mean of that size: Chernoff's bound, or Hoeffding's for numbers."""
    if "count" in found:
        return found["looks"] > 0 and surprise(found["count"], found["looks"], float(true)) < FALSE_ALARM / CHECKS
    off = abs(found["value"] - float(true))
    if width == 0:
        return bool(off > 1e-9)
    return 2 * exp(-2 * found["looks"] * (off / width) ** 2) < FALSE_ALARM / CHECKS


def label(case: Any) -> str:
    return str(CASES[case]) if isinstance(case, int) else str(case)


NUMBERS = range(len(CASES))


@pytest.mark.parametrize("case", NUMBERS, ids=label)
def test_exact_answers_are_those_of_the_naive_way(case: int) -> None:
    name, edition, inputs = CASES[case]
    question = AOS.question(name)
    found = dict(question.exact(question.read(inputs, edition)))
    true = naive_answers(case)[0]
    assert {key: found[key] for key in true} == true
    assert set(found) == set(true)


@pytest.mark.parametrize("case", NUMBERS, ids=label)
def test_rolled_answers_are_those_of_the_naive_way(case: int) -> None:
    """False alarms of the whole file below 1e-6; an error of 0.03 in a chance near 1/2 is seen."""
    name, edition, inputs = CASES[case]
    true, widths = naive_answers(case)
    found = rolled(name, edition, inputs)
    assert set(found) == set(true)
    far = {key: (found[key], true[key]) for key in true if too_far(found[key], true[key], widths[key])}
    assert far == {}


def test_every_question_input_and_word_is_asked() -> None:
    assert set(PLAYS) == {case.name for case in CASES} == set(AOS.names)
    for name in AOS.names:
        for one in AOS.question(name).inputs:
            used = [case.inputs[one.name] for case in CASES if case.name == name and one.name in case.inputs]
            assert used, (name, one.name)
            if isinstance(one.kind, kinds.Word):
                assert set(used) == set(one.kind.words), (name, one.name)


def test_all_rows_are_asked() -> None:
    assert len(ROWS) == 189
    assert {(row["system"], row["answer"]) for row in ROWS} == {(s, a) for s, names in NAMES.items() for a in names}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['id']}-{row['system']}")
def test_known_cases(row: dict[str, str]) -> None:
    """Exactly as fractions; rolled, where the naive way above has not judged the question's dice in small already."""
    name = NAMES[row["system"]][row["answer"]]
    inputs = dict(pair.split("=", 1) for pair in row["inputs"].split(";"))
    reply = ask(AOS, row["system"], inputs, row["edition"])
    assert reply[name] == Fraction(row["fraction"])
    assert reply.answers[name]["fraction"] == row["fraction"]
    found = rolled(row["system"], row["edition"], inputs)[name]
    assert not too_far(found, Fraction(row["fraction"]), 12.0)  # numbers are of at most 12 wounds, models or inches


@pytest.mark.parametrize("name", AOS.names)
def test_the_edition_is_always_given_and_always_told(name: str) -> None:
    question = AOS.question(name)
    case = next(case for case in CASES if case.name == name)
    with pytest.raises(InputError, match="edition"):
        ask(AOS, name, case.inputs)
    assert ask(AOS, name, case.inputs, case.edition).to_dict()["edition"] == case.edition
    for other in set(AOS.editions) - set(question.editions or AOS.editions):
        with pytest.raises(InputError, match="edition"):
            ask(AOS, name, case.inputs, other)
