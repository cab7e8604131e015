"""Sweeps: each row is the single answer, nothing is lost or doubled however a run ends, errors are sentences."""

from __future__ import annotations

import io
import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time
import tomllib
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import tcsim
from tcsim.base.errors import InputError
from tcsim.cli import main
from tcsim.sweep import folder as folders
from tcsim.sweep import prepare
from tcsim.sweep.grid import read_grid

#: Rolls of every sort, and starts that change what they come to.
GRID = """
[scenario]
edition = "1.6.3"
[scenario.target]
tough = true
[[scenario.attacks]]
keywords = ["CRITICAL"]

[[zip]]
"target.armour" = [[], ["Standard Armour"], ["Reinforced Armour", "Trench Shield"]]
"attacks[0].cover" = [false, true, false]

[product]
"attacks[0].weapon" = ["Bolt-Action Rifle", "Submachine Gun", "Grenades", "Flamethrower"]
"target.blood" = {from = 0, to = 6, step = 3}
"target.down" = [false, true]
"spend.blood_on_injury" = ["greedy", "all"]
"attacks[0].times" = [1, 3]
"""


def sweep(file: Path | str, out: Path, part_rows: int | None = None, **how: Any) -> tcsim.Sweep:
    return tcsim.new_sweep(file, out, part_rows=part_rows, **how)


def answered(out: Path) -> pd.DataFrame:
    told = json.loads((out / "manifest.json").read_text(encoding="utf-8"))
    read = pd.read_parquet if told["kind"] == "parquet" else pd.read_csv
    return pd.concat([read(out / name) for name in told["parts"]], ignore_index=True)


def contents(out: Path) -> dict[str, bytes]:
    files = [file for file in sorted(out.rglob("*")) if file.is_file() and file.name != folders.LOCK]
    return {file.relative_to(out).as_posix(): file.read_bytes() for file in files}


@pytest.fixture
def grid(tmp_path: Path) -> Path:
    path = tmp_path / "grid.toml"
    path.write_text(GRID, encoding="utf-8")
    return path


# --- what is asked --------------------------------------------------------------------------------------------


def test_the_last_place_changes_fastest_and_those_that_go_together_come_first() -> None:
    grid = read_grid(
        {
            "scenario": {"target": {}, "attacks": [{}]},
            "product": {"target.blood": [1, 4], "attacks[0].times": {"from": 1, "to": 3}},
            "zip": [{"target.down": [True, False], "attacks[0].cover": [False, True]}],
        }
    )
    wanted = [
        {"target": {"down": down, "blood": blood}, "attacks": [{"cover": cover, "times": times}]}
        for (down, cover), blood, times in itertools.product([(True, False), (False, True)], [1, 4], [1, 2, 3])
    ]
    assert [grid.scenario(number) for number in range(grid.size)] == wanted


def test_every_row_is_the_single_answer(grid: Path, tmp_path: Path, csv_parts: None) -> None:
    made = sweep(grid, tmp_path / "out", part_rows=100)
    done = made.run()
    rows, plan = answered(tmp_path / "out"), read_grid(tomllib.loads(GRID))
    assert plan.size == 288
    assert done.rows + done.failed == plan.size
    errors = [json.loads(line) for line in (tmp_path / "out" / "errors.jsonl").read_text().splitlines()]
    # three grenades where one is carried
    assert [one["row"] for one in errors] == [
        number
        for number in range(plan.size)
        if plan.scenario(number)["attacks"][0]["weapon"] == "Grenades"
        and plan.scenario(number)["attacks"][0]["times"] == 3
    ]
    assert sorted([*rows["row"], *(one["row"] for one in errors)]) == list(range(plan.size))
    for row in rows.sample(60, random_state=1).itertuples():
        scenario = plan.scenario(row.row)
        alone = tcsim.odds(scenario)
        assert row.p_out == pytest.approx(alone.out_of_action, abs=1e-12)
        assert row.p_down == pytest.approx(alone.down, abs=1e-12)
        assert row.expected_blood == pytest.approx(alone.blood, abs=1e-12, nan_ok=True)
        assert row.fingerprint == alone.resolved.problem.fingerprint


#: Scenarios that lie on no grid: planned and played spending, markers of every kind, special rules, two editions.
MIXED: list[dict[str, Any]] = [
    {"target": {"blood": 3}, "attacks": [{}, {"shots": 2}], "spend": {"blood_on_injury": "optimal"}},
    {"target": {"blood": 3, "down": True}, "attacks": [{"times": 4}], "spend": {"blood_on_injury": "optimal"}},
    {"target": {"blessing": 2}, "attacks": [{"times": 2}], "spend": {"blessing_on_injury": "all"}},
    {"target": {"blessing": 1}, "attacks": [{"times": 2}], "spend": {"blessing_on_injury": "all"}},
    {"target": {"blessing": 2, "blood": 1}, "attacks": [{"times": 2}], "spend": {"blessing_on_injury": "optimal"}},
    {"target": {"infection": 2}, "attacks": [{"times": 2}], "spend": {"blood_on_injury": "all"}},
    {"attacker": {"blood": 2}, "target": {}, "attacks": [{"times": 3}], "spend": {"blood_on_action": "all"}},
    {"target": {}, "attacks": [{"keywords": ["RISKY"]}, {"event": "activation"}, {"times": 2}]},
    {"target": {"tough": True}, "attacks": [{"weapon": "Flamethrower", "times": 2}, {"event": "stand"}, {}]},
    {"edition": "1.0.2", "target": {"armour": ["Machine Armour"]}, "attacks": [{"shots": 3, "times": 2}]},
    {"target": {"unit": "Yeoman"}, "attacks": [{"weapon": "Bow of Lethe", "kind": "ranged", "times": 2}]},
    {"target": {"blood": 1}, "attacks": [{"distance": 9.5, "weapon": "Shotgun"}]},
    {"target": {}, "attacks": [{"weapon": "Anti-Tank Hammer"}]},
    {"target": {}, "attacks": [{"weapon": "Anti-Tank Hammer", "times": 3}]},
    {"target": {}, "attacks": [{"weapon": "Anti-Tank Hammer", "times": 1}]},
]


def test_lines_of_json_are_answered_in_order_and_bad_ones_are_told(tmp_path: Path, csv_parts: None) -> None:
    lines = [json.dumps(one | {"id": f"n{number}"}) for number, one in enumerate(MIXED)]
    bad = ["{", '{"target": {"blood": 7}, "attacks": [{}]}', '{"target": {}, "target": {}, "attacks": [{}]}', "7"]
    bad += [
        '{"target": {}, "attacks": [{}], "id": "\\ud800"}',
        '{"target": {}, "attacks": [{}], "id": 7}',
        "[" * 2000,
        '{"target": {}, "attacks": [{"weapon": "\\ud800"}]}',
        '{"target": {}, "attacks": [{"times": true}]}',
    ]
    given = [bad[0], "", *lines[:6], *bad[1:4], *lines[6:], *bad[4:]]
    file = tmp_path / "in.jsonl"
    file.write_text("\ufeff" + "\n".join(given), encoding="utf-8")
    sweep(file, tmp_path / "out", part_rows=5).run()
    rows = answered(tmp_path / "out")
    assert rows["id"].tolist() == [f"n{number}" for number in range(len(MIXED))]
    for row, scenario in zip(rows.to_dict("records"), MIXED, strict=True):
        alone = tcsim.odds(scenario)
        assert row["p_out"] == pytest.approx(alone.out_of_action, abs=1e-12)
        assert row["fingerprint"] == alone.resolved.problem.fingerprint
        left_out = [note for note in alone.notes if note.startswith("Not counted")]
        assert (row["not_counted"] if isinstance(row["not_counted"], str) else "") == " ".join(left_out)
        assert json.loads(given[row["line"] - 1])["id"] == row["id"]
    errors = [json.loads(line) for line in (tmp_path / "out" / "errors.jsonl").read_text().splitlines()]
    assert [given[one["line"] - 1] for one in errors] == bad
    assert errors[1]["error"] == "target.blood: 7 is given, a whole number from 0 to 6 is allowed"


def test_parts_of_one_sweep_are_the_input_of_another(grid: Path, tmp_path: Path, csv_parts: None) -> None:
    sweep(grid, tmp_path / "out").run()
    again = tmp_path / "out" / "parts" / "part-00000.csv"
    sweep(again, tmp_path / "again").run()
    first, second = answered(tmp_path / "out"), answered(tmp_path / "again")
    assert second["fingerprint"].tolist() == first["fingerprint"].tolist()
    assert second["p_out"].tolist() == pytest.approx(first["p_out"].tolist(), abs=1e-12)


@pytest.mark.verification
def test_parquet_reads_as_csv_does(grid: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = sweep(grid, tmp_path / "out")
    made.run()
    monkeypatch.setattr(prepare, "suffix", lambda: "csv")
    sweep(grid, tmp_path / "csv").run()
    pd.testing.assert_frame_equal(answered(tmp_path / "out"), answered(tmp_path / "csv"), check_dtype=False)


# --- nothing is lost ------------------------------------------------------------------------------------------


class Killed(BaseException):
    """The process ended here."""


@pytest.mark.parametrize("when", range(0, 18, 3))
def test_what_was_stopped_at_any_write_is_finished_to_the_same_bytes(
    when: int, grid: Path, tmp_path: Path, csv_parts: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    sweep(grid, tmp_path / "whole", part_rows=100).run()
    made, calls = sweep(grid, tmp_path / "cut", part_rows=100), itertools.count()

    def stop(name: str) -> Any:
        real = getattr(os, name)

        def perhaps(*given: Any) -> Any:
            if next(calls) == when:
                raise Killed
            return real(*given)

        return perhaps

    with monkeypatch.context() as patched:
        patched.setattr(folders.os, "fsync", stop("fsync"))
        patched.setattr(folders.os, "replace", stop("replace"))
        with pytest.raises(Killed):
            made.run()
    before = {name: content for name, content in contents(tmp_path / "cut").items() if ".begun" not in name}
    done = tcsim.open_sweep(tmp_path / "cut").run()
    after = {name: content for name, content in contents(tmp_path / "cut").items() if ".begun" not in name}
    assert after == contents(tmp_path / "whole")
    assert before.items() <= after.items()
    assert done.made == 3 - sum(name.startswith("parts/") for name in before)


def test_a_full_disk_is_one_sentence_and_nothing_is_lost(
    grid: Path, tmp_path: Path, csv_parts: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, real, room = sweep(grid, tmp_path / "out", part_rows=100), os.fsync, [4]

    def full(handle: int) -> None:
        room[0] -= 1
        if room[0] < 0:
            raise OSError(28, "No space left on device")
        real(handle)

    with monkeypatch.context() as patched:
        patched.setattr(folders.os, "fsync", full)
        with pytest.raises(InputError, match="No space left on device; what is finished is kept"):
            made.run()
    assert tcsim.open_sweep(tmp_path / "out").status().finished == 1
    assert not list((tmp_path / "out").rglob("*.begun"))
    tcsim.open_sweep(tmp_path / "out").run()
    sweep(grid, tmp_path / "whole", part_rows=100).run()
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_a_second_writer_is_refused(
    grid: Path, csv_parts: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    made = sweep(grid, tmp_path / "out", part_rows=100)
    with made.folder.locked():
        assert main(["sweep", "resume", str(tmp_path / "out")]) == 2
    assert "another tcsim sweep is writing" in capsys.readouterr().err


def test_a_changed_input_is_not_resumed(grid: Path, csv_parts: None, tmp_path: Path) -> None:
    sweep(grid, tmp_path / "out", part_rows=100)
    grid.write_text(GRID.replace("to = 6", "to = 5"), encoding="utf-8")  # of the same size
    with pytest.raises(InputError, match="has changed since the sweep began"):
        tcsim.open_sweep(tmp_path / "out").run()


def test_a_folder_without_a_manifest_is_not_resumed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for word in ("resume", "status"):
        assert main(["sweep", word, str(tmp_path)]) == 2
        assert "it has no manifest.json" in capsys.readouterr().err


# --- the command line -----------------------------------------------------------------------------------------


def test_a_whole_sweep_on_the_command_line(
    grid: Path, tmp_path: Path, csv_parts: None, capsys: pytest.CaptureFixture[str]
) -> None:
    out = str(tmp_path / "out")
    assert main(["sweep", str(grid), "--dry-run"]) == 0
    assert "288 scenarios in 1 part" in capsys.readouterr().out
    assert not (tmp_path / "out").exists()
    assert main(["sweep", str(grid), "--out", out]) == 1  # some scenarios failed
    told = capsys.readouterr()
    assert told.out.startswith("252 rows, 36 failed")
    assert 'pip install "tcsim[parquet]"' in told.err
    assert main(["sweep", "run", str(grid), "--out", out]) == 2
    assert "--force begins anew" in capsys.readouterr().err
    assert main(["sweep", "resume", out]) == 0
    assert capsys.readouterr().out.count("\n") == 1
    assert main(["sweep", "status", out, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["is_finished"] is True
    assert main(["sweep", "merge", out, "--to", str(tmp_path / "all.csv")]) == 0
    assert len(pd.read_csv(tmp_path / "all.csv")) == 252
    assert main(["sweep", str(grid), "--out", out, "--force"]) == 1


def test_standard_input_is_copied(
    tmp_path: Path, csv_parts: None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "".join(json.dumps(one) + "\n" for one in MIXED[:3]).encode()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text)))
    assert main(["sweep", "-", "--out", str(tmp_path / "out")]) == 0
    assert (tmp_path / "out" / "input.jsonl").read_bytes() == text
    assert len(answered(tmp_path / "out")) == 3


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("x = 1", 'there is no key "x"'),
        ("scenario = 1", "1 is given, a table is needed"),
        ("[product]\n'target.blood' = []", "0 values are given"),
        ("[product]\n'target.blood' = 3", "an array of values, a range or a query is needed"),
        ("[product]\n'target..blood' = [1]", "a place in a scenario"),
        ("[product]\n'target.blood' = {from = 3, to = 1}", "it has no values"),
        ("[product]\n'target.blood' = {from = 3}", "nothing is given, a number below 1,000,000,000 is needed"),
        ("[product]\n'target.blood' = {from = 0, to = 1e12}", "a number below 1,000,000,000 is needed"),
        ("[product]\n'attacks[0].weapon' = {weapons = {faction = 'New Antiok'}}", 'did you mean "new-antioch"'),
        ("[product]\n'attacks[0].weapon' = {weapons = {colour = 'red'}}", 'there is no condition "colour"'),
        ("[product]\n'attacks[0].weapon' = {weapons = 3}", "a table of conditions is needed"),
        ("[product]\nedition = ['1.6.3', '1.0.2']\ntarget = {warband = 'na-line'}", "so that the query has to say one"),
        ("[product]\ntarget = {warband = {name = 'na-line', editoin = '1.0.2'}}", 'there is no condition "editoin"'),
        ("[product]\ntarget = {warband = 'none.toml'}", "none.toml"),
        ("[product]\ntarget = {warband = {edition = '1.0.2'}}", "the name of a warband or of a file"),
        ("[[zip]]\n'target.paid' = [1, 2]\n'target.blood' = [1]", "are 1 and 2 in number"),
        ("[[zip]]\n'target.paid' = [1, 2]\n[product]\n'target.paid' = [1]", "it is given twice"),
        (
            "[product]\n'target.paid' = {from = 1, to = 40000}\n'attacks[0].paid' = {from = 1, to = 40000}",
            "at most 1,000,000,000",
        ),
    ],
)
def test_a_wrong_grid_is_one_sentence(
    text: str, sentence: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "g.toml").write_text(text, encoding="utf-8")
    assert main(["sweep", str(tmp_path / "g.toml"), "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert sentence in error
    assert "Traceback" not in error
    assert not (tmp_path / "out").exists()


# --- dice -----------------------------------------------------------------------------------------------------


def test_dice_depend_on_the_scenario_alone(tmp_path: Path, csv_parts: None) -> None:
    for name, chosen in (("few", MIXED[:3]), ("many", [MIXED[7], *MIXED[1:3], MIXED[0]])):
        (tmp_path / f"{name}.jsonl").write_text("\n".join(map(json.dumps, chosen)), encoding="utf-8")
        sweep(tmp_path / f"{name}.jsonl", tmp_path / name, trials=2000, seed=9).run()
    few, many = answered(tmp_path / "few"), answered(tmp_path / "many").set_index("fingerprint")
    for row, scenario in zip(few.to_dict("records"), MIXED[:3], strict=True):
        same, alone = many.loc[row["fingerprint"]], tcsim.simulate(scenario, 2000, seed=9)
        assert alone.run is not None
        assert row["count"] == same["count"] == alone.run.counts.get(None, 0)
        assert (row["low"], row["high"]) == alone.interval[1:]
        assert row["p_down"] == pytest.approx(alone.down, abs=1e-12)
        assert row["expected_blood"] == pytest.approx(alone.blood, abs=1e-12)


def test_more_trials_are_the_trials_that_come_next(
    tmp_path: Path, csv_parts: None, capsys: pytest.CaptureFixture[str]
) -> None:
    """Two generations of further trials come to what one run of all trials comes to, and change nothing."""
    file, out = tmp_path / "in.jsonl", tmp_path / "out"
    file.write_text("\n".join(map(json.dumps, [MIXED[6], MIXED[7], {}, MIXED[9]])), encoding="utf-8")
    sweep(file, out, trials=1000, seed=3, part_rows=3).run()
    before = contents(out)
    assert main(["sweep", "more", str(out), "--trials", "70000"]) == 1
    assert main(["sweep", "more", str(out), "--trials", "500"]) == 1
    sweep(file, tmp_path / "all", trials=71_500, seed=3, part_rows=3).run()
    pd.testing.assert_frame_equal(answered(out / "gen-2"), answered(tmp_path / "all"))
    assert before.items() <= contents(out).items()
    assert main(["sweep", "status", str(out)]) == 0
    assert capsys.readouterr().out.endswith("4 of 4 scenarios done, 1 failed; 2 of 2 parts\n")


def test_more_trials_need_dice(grid: Path, csv_parts: None, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    sweep(grid, tmp_path / "out").run()
    assert main(["sweep", "more", str(tmp_path / "out"), "--trials", "5"]) == 2
    assert "the sweep is exact" in capsys.readouterr().err


# --- slow -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["csv", pytest.param("parquet", marks=pytest.mark.verification)])
def test_questions_in_sql_see_every_row(
    kind: str, grid: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(prepare, "suffix", lambda: kind)
    out = tmp_path / kind
    sweep(grid, out, part_rows=100).run()
    rows = answered(out)
    made = tcsim.open_sweep(out)
    found = made.query("SELECT max(p_out) AS most, count(*) AS n FROM results").to_dict("records")
    assert found == [{"most": pytest.approx(rows["p_out"].max(), abs=1e-15), "n": 252}]
    assert main(["sweep", "query", str(out), "SELECT wrong FROM results"]) == 2
    assert "the query cannot be answered" in capsys.readouterr().err
    assert made.merge(tmp_path / "all") == tmp_path / f"all.{kind}"


@pytest.mark.verification
def test_a_process_killed_at_ten_moments_is_resumed_to_the_same_bytes(tmp_path: Path) -> None:
    text = GRID.replace("step = 3", "step = 1").replace("[1, 3]", "{from = 1, to = 20}")
    (tmp_path / "grid.toml").write_text(text, encoding="utf-8")
    command = [sys.executable, "-m", "tcsim", "sweep"]
    run = [*command, str(tmp_path / "grid.toml"), "--part-rows", "200", "--out"]
    begun = time.monotonic()
    assert subprocess.run([*run, str(tmp_path / "whole")], check=False).returncode == 1
    whole, takes = contents(tmp_path / "whole"), time.monotonic() - begun
    rng, cut = random.Random(1), 0
    for number in range(10):
        out = tmp_path / f"cut{number}"
        process = subprocess.Popen([*run, str(out)])
        time.sleep(takes * (0.3 + 0.7 * rng.random()))
        process.send_signal(signal.SIGKILL)
        cut += process.wait() == -signal.SIGKILL
        if not (out / "manifest.json").exists():
            assert subprocess.run([*command, "resume", str(out)], check=False).returncode == 2
            continue
        assert subprocess.run([*command, "resume", str(out)], check=False).returncode in (0, 1)
        assert {name: content for name, content in contents(out).items() if ".begun" not in name} == whole
    assert cut >= 3


@pytest.mark.verification
def test_a_cluster_that_loses_two_of_three_workers_makes_the_same_parts(tmp_path: Path) -> None:
    """A real scheduler and real worker processes, two of which are killed while they work."""
    text = GRID.replace("step = 3", "step = 1").replace("[1, 3]", "{from = 1, to = 20}")
    (tmp_path / "grid.toml").write_text(text, encoding="utf-8")
    sweep(tmp_path / "grid.toml", tmp_path / "whole", part_rows=200).run()
    file = tmp_path / "scheduler.json"
    started: list[subprocess.Popen[bytes]] = []

    def start(*words: str) -> None:
        command, nowhere = [sys.executable, "-m", *words, "--scheduler-file", str(file)], subprocess.DEVNULL
        started.append(subprocess.Popen(command, stdout=nowhere, stderr=nowhere))

    start("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    for _ in range(3):
        start("distributed.cli.dask_worker", "--nthreads", "1", "--no-nanny", "--no-dashboard")
    parts = itertools.count(1)

    def kill(more: int, failed: int) -> None:
        """After the second part and the fourth; meanwhile no other is asked for, and so 30 are left."""
        if (part := next(parts)) in (2, 4):
            started[part // 2].kill()

    try:
        while not file.exists() or not file.stat().st_size:
            time.sleep(0.1)
        address = json.loads(file.read_text(encoding="utf-8"))["address"]
        made = sweep(tmp_path / "grid.toml", tmp_path / "out", part_rows=200)
        assert made.run(workers=3, scheduler=address, progress=kill).made == 34
        assert [one.poll() is None for one in started] == [True, False, False, True]
        assert contents(tmp_path / "out") == contents(tmp_path / "whole")
    finally:
        for one in started:
            one.kill()
            one.wait()


@pytest.mark.verification
def test_a_million_different_scenarios(tmp_path: Path) -> None:
    """Each asks something of its own, 500 of them are the single answer, and it takes less than 1 GiB of memory."""
    text = """
    [scenario.target]
    [[scenario.attacks]]
    [product]
    "attacks[0].action_dice" = {from = -3, to = 3}
    "attacks[0].injury_dice" = {from = -3, to = 3}
    "target.injury_modifier" = {from = -6, to = 0}
    "spend.blood_on_injury" = ["none", "greedy"]
    "target.tough" = [false, true]
    "target.down" = [false, true]
    "target.blood" = {from = 0, to = 6}
    "attacks[0].times" = {from = 1, to = 53}
    """
    (tmp_path / "grid.toml").write_text(text, encoding="utf-8")
    command = ["sweep", str(tmp_path / "grid.toml"), "--out", str(tmp_path / "out"), "--threads", "1"]
    watched = f"from tcsim.cli import main; import resource; assert main({command!r}) == 0; "
    watched += "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    told = subprocess.run([sys.executable, "-c", watched], capture_output=True, text=True, check=True).stdout
    assert int(told.split()[-1]) < 1 << 20  # KiB
    rows, grid = answered(tmp_path / "out"), read_grid(tomllib.loads(text))
    assert rows["row"].tolist() == list(range(grid.size)) == list(range(1_018_024))
    assert rows["fingerprint"].nunique() == grid.size
    for row in rows.sample(500, random_state=1).itertuples():
        alone = tcsim.odds(grid.scenario(row.row))
        assert row.fingerprint == alone.resolved.problem.fingerprint
        assert row.p_out == pytest.approx(alone.out_of_action, abs=1e-12)
        assert row.p_down == pytest.approx(alone.down, abs=1e-12)
        assert row.expected_blood == pytest.approx(alone.blood, abs=1e-12, nan_ok=True)
