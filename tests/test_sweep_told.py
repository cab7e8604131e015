"""What sweeps tell their user: before a folder is made, in answers of SQL."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

import tcsim
from tcsim.cli import main
from tcsim.sweep.answers import How
from tcsim.sweep.plan import estimate

GRID = """
[scenario.target]
[[scenario.attacks]]
[product]
"target.blood" = [0, 3]
"""


@pytest.fixture(autouse=True)
def place(empty_folder: None) -> None:
    """An empty folder with a grid."""
    Path("grid.toml").write_text(GRID, encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["statsu", "out"], 'there is no command "statsu"; did you mean "status"?'),
        ([], "a grid or a file of scenarios, or a command, is needed"),
        (["grid.toml", "--out", "out", "--workers", "2"], 'pip install "tcsim[dask]" gives it'),
    ],
)
def test_what_cannot_begin_makes_no_folder(
    words: list[str], sentence: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    assert main(["sweep", *words]) == 2
    assert sentence in capsys.readouterr().err
    assert not Path("out").exists()


@pytest.mark.parametrize("words", [[], ["--trials", "20", "--part-rows", "15"]])
def test_what_it_will_cost_is_what_it_costs(words: list[str]) -> None:
    """How many, and within a factor of two how large, from some scenarios of all over a grid that is not the same."""
    text = GRID + '"attacks[0].times" = {from = 1, to = 5}\n"spend.blood_on_injury" = ["none", "all", "greedy", "keep"]'
    Path("grid.toml").write_text(text, encoding="utf-8")
    how = How("monte_carlo", 20) if words else How()
    found = estimate("grid.toml", how, part_rows=int(words[-1]) if words else None)
    assert main(["sweep", "grid.toml", "--out", "out", *words]) == 1  # there is no such policy as the last one
    parts = list(Path("out/parts").iterdir())
    assert (found.scenarios, found.parts) == (40, len(parts))
    assert 1 <= found.failed < found.tried <= 40
    assert 'spend.blood_on_injury: "keep"' in found.why
    assert 1 / 2 < found.size / sum(part.stat().st_size for part in parts) < 2
    assert found.seconds > 0


def test_answers_of_sql_are_whole(capsys: pytest.CaptureFixture[str]) -> None:
    """Where they are too wide for a table, and where the first of several parts looks like another kind."""
    lines = [{"id": name, "target": {}, "attacks": [{}]} for name in ("007", "8", "nine")]
    Path("in.jsonl").write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
    assert main(["sweep", "in.jsonl", "--out", "out", "--part-rows", "1"]) == 0
    found = tcsim.open_sweep("out").query("SELECT id, count FROM results")
    assert found["id"].tolist() == tcsim.open_sweep("out").frame()["id"].tolist() == ["007", "8", "nine"]
    assert found["count"].isna().all()
    capsys.readouterr()
    assert main(["sweep", "query", "out", "SELECT * FROM results"]) == 0
    told = [
        line.split()[0] for line in capsys.readouterr().out.splitlines() if line.startswith("  ") and line[2] != " "
    ]
    assert told == list(json.loads(Path("out/manifest.json").read_text(encoding="utf-8"))["columns"]) * 3
    assert main(["sweep", "query", "out", "SELECT id, method FROM results WHERE id > '7'"]) == 0
    assert capsys.readouterr().out.split() == ["id", "method", "-" * 13, "8", "exact", "nine", "exact"]
    assert main(["sweep", "query", "out", "SELECT line FROM results, range(100)"]) == 0
    assert "200 more rows" in capsys.readouterr().out
    assert main(["sweep", "query", "out", "SELECT nothing FROM results"]) == 2
    assert "DESCRIBE results lists the columns" in capsys.readouterr().err
