"""The 330 scenarios with known answers, through the command line as a user runs a batch."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from tcsim.cli import main

CASES = [json.loads(line) for line in (Path(__file__).parent / "data/attack_chains.jsonl").read_text().splitlines()]


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    path = tmp_path / "scenarios.jsonl"
    path.write_text("".join(json.dumps(case["scenario"]) + "\n" for case in CASES))
    return path


def state(row: dict[str, Any]) -> Any:
    return None if row["out_of_action"] else (row["down"], row["blood"], row["blessing"], row["tough"])


@pytest.mark.parametrize("flags", [[], ["--fractions"]])
def test_batch_of_all_cases(batch: Path, flags: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["odds", "--jsonl", str(batch), *flags]) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(answers) == len(CASES) == 330
    for case, answer in zip(CASES, answers, strict=True):
        assert answer["id"] == case["scenario"]["id"]
        assert abs(answer["out_of_action"] - case["out_of_action"]) < 1e-12
        expected = {state(row): row["p"] for row in case["final"]}
        found = {state(row): row["p"] for row in answer["final"]}
        assert len(answer["final"]) == len(found)
        assert found.keys() == expected.keys()
        assert all(abs(found[key] - p) < 1e-12 for key, p in expected.items())
        if flags:
            assert Fraction(answer["fraction"]) == Fraction(case["fraction"])
            assert sum(Fraction(row["fraction"]) for row in answer["final"]) == 1


@pytest.mark.parametrize("case", CASES[::33], ids=lambda case: str(case["scenario"]["id"]))
def test_one_case_at_a_time(case: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "scenario.json"
    path.write_text(json.dumps(case["scenario"]))
    assert main(["odds", str(path), "--json", "--fractions"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert Fraction(answer["fraction"]) == Fraction(case["fraction"])
