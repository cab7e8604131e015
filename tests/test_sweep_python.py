"""Sweeps in Python, and in several processes."""

from __future__ import annotations

import io
import re
import signal
import subprocess
import sys
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_sweep import GRID, MIXED, Killed, contents

import tcsim
from tcsim.base.errors import InputError
from tcsim.scenario.read import from_mapping
from tcsim.sweep import workers


def test_scenarios_of_python_are_copied_and_their_answers_are_a_frame(tmp_path: Path, csv_parts: None) -> None:
    counted = {"target": {"blood": np.int64(2)}, "attacks": ({"times": 2},), "spend": {"blood_on_injury": "all"}}
    given = [MIXED[0], from_mapping(MIXED[1]), {"target": {"blood": 9}, "attacks": [{}]}, 7, counted]
    made = tcsim.new_sweep(iter(given), tmp_path / "out", part_rows=2)
    assert (made.run().rows, made.status().failed) == (3, 2)
    assert [one["line"] for one in made.errors()] == [3, 4]
    frame = tcsim.open_sweep(tmp_path / "out").frame()
    plain = {"target": {"blood": 2}, "attacks": [{"times": 2}], "spend": {"blood_on_injury": "all"}}
    for mark, scenario in zip(frame["fingerprint"], [*MIXED[:2], plain], strict=True):
        assert mark == tcsim.odds(scenario).resolved.problem.fingerprint
    assert frame["target.down"].dtype == "boolean"
    assert frame["target.down"].isna().tolist() == [True, False, True]
    assert frame["trials"].dtype == "Int64"


def test_a_grid_of_python_is_stopped_and_run_on(tmp_path: Path, csv_parts: None) -> None:
    grid = {"scenario": {"target": {}, "attacks": [{}]}, "product": {"target.blood": {"from": 0, "to": 6}}}
    made = tcsim.new_sweep(grid, tmp_path / "out", part_rows=3)

    def stop(more: int, failed: int) -> None:
        raise Killed

    with pytest.raises(Killed):
        made.run(progress=stop)
    with pytest.raises(InputError, match="2 of the 3 parts"):
        made.merge(str(tmp_path / "all"))
    assert made.frame(["row"])["row"].tolist() == [0, 1, 2]
    assert tcsim.open_sweep(tmp_path / "out").run().made == 2
    (tmp_path / "out" / "parts" / "part-00001.csv").unlink()
    assert made.run().made == 1  # the one after it is not made again
    assert made.frame(["p_out", "target.blood"]).columns.tolist() == ["p_out", "target.blood"]
    assert made.query("SELECT count(*) AS n FROM results")["n"].tolist() == [7]
    with pytest.raises(InputError, match='there is no column "p_ot"; did you mean "p_out"'):
        made.frame(["p_ot"])
    tcsim.new_sweep(grid, tmp_path / "out", force=True)
    with pytest.raises(InputError, match="another sweep has begun"):
        made.run()


@pytest.mark.parametrize(
    ("given", "how", "sentence"),
    [
        (7, {}, "7 is given, a file, a grid, or scenarios"),
        (b"{}", {}, "a file, a grid, or scenarios"),
        (io.StringIO("{}"), {}, "the stream gives text, bytes are needed"),
        (io.BytesIO(b""), {}, "there is no scenario in it"),
        ([], {}, "there is no scenario in it"),
        ([{"target": {"blood": float("nan")}}], {}, "scenario 0: Out of range float values"),
        ([{}, {"target": {1, 2}}], {}, "scenario 1: a set is given"),
        ({"product": {"target.blood": {1}}}, {}, "grid: a set is given"),
        ({"products": {}}, {}, 'there is no key "products"; did you mean "product"'),
        ("grid.xlsx", {}, "a file that ends in"),
        ([{}], {"part_rows": True}, "part_rows: true is given"),
        ([{}], {"trials": 0}, "trials"),
        ([{}], {"precision": 2}, "precision: 2 is given"),
        ([{}], {"seed": 2}, "nothing is rolled"),
    ],
)
def test_what_is_no_input_is_one_sentence(given: Any, how: dict[str, Any], sentence: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=re.escape(sentence)):
        tcsim.new_sweep(given, tmp_path / "out", **how)
    assert not list((tmp_path).rglob("*.json*"))


def test_several_processes_make_the_same_parts(
    tmp_path: Path, csv_parts: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All but the processes themselves, which are threads here; those are for the test of a release."""
    monkeypatch.setattr(workers, "ProcessPoolExecutor", lambda number, *_: ThreadPoolExecutor(number))
    grid = tomllib.loads(GRID)
    tcsim.new_sweep(grid, tmp_path / "one", part_rows=60).run()
    tcsim.new_sweep(grid, tmp_path / "two", part_rows=60).run(threads=2)
    assert contents(tmp_path / "two") == contents(tmp_path / "one")


@pytest.mark.verification
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_processes_end_with_the_one_that_began_them(how: signal.Signals, tmp_path: Path) -> None:
    text = GRID.replace("step = 3", "step = 1").replace("[1, 3]", "{from = 1, to = 20}")
    (tmp_path / "grid.toml").write_text(text, encoding="utf-8")
    command, out = [sys.executable, "-m", "tcsim", "sweep"], tmp_path / "out"
    run = [*command, str(tmp_path / "grid.toml"), "--part-rows", "200", "--threads", "2", "--out", str(out)]
    process = subprocess.Popen(run, stderr=subprocess.PIPE)
    while len(list(out.glob("parts/part*"))) < 2:
        time.sleep(0.01)
    of = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process.pid)], capture_output=True, text=True, check=True)
    children = [int(one) for one in of.stdout.split()]
    assert len(children) >= 2
    process.send_signal(how)
    told = process.communicate(timeout=20)[1]
    assert (process.returncode, told) == (130, b"tcsim: interrupted\n") or process.returncode == -signal.SIGKILL
    running = [Path(f"/proc/{child}/cmdline") for child in children]
    for _ in range(100):
        running = [one for one in running if one.exists() and one.read_bytes()]  # what has ended has an empty one
        time.sleep(0.1 * bool(running))
    assert running == []
    assert subprocess.run([*command, "resume", str(out), "--threads", "2"], check=False).returncode == 1
    tcsim.new_sweep(tmp_path / "grid.toml", tmp_path / "whole", part_rows=200).run()
    whole = contents(tmp_path / "whole")
    assert {name: content for name, content in contents(out).items() if ".begun" not in name} == whole
