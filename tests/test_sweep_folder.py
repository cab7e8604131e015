"""The folder of a sweep: only what a sweep wrote is deleted, what was changed is noticed, SQL reads the parts alone."""

from __future__ import annotations

import hashlib
import json
import os
from concurrent.futures import Future, wait
from pathlib import Path
from typing import Any

import pytest

import tcsim
from tcsim import __version__
from tcsim.base.errors import InputError
from tcsim.cli import main
from tcsim.sweep import folder as folders
from tcsim.sweep import prepare, workers
from tcsim.sweep.folder import Folder
from tcsim.sweep.look import Status
from tcsim.sweep.parts import Part
from tcsim.sweep.run import Sweep

GRID: dict[str, Any] = {"scenario": {"target": {}, "attacks": [{}]}, "product": {"target.blood": [0, 1, 2, 7]}}


pytestmark = pytest.mark.usefixtures("empty_folder")


def swept(out: str = "out", trials: int | None = None, force: bool = False, given: Any = None) -> Sweep:
    made = tcsim.new_sweep(GRID if given is None else given, out, trials=trials, part_rows=2, force=force)
    made.run()
    return made


def status(out: str) -> Status:
    return tcsim.open_sweep(out).status()


def contents(out: str) -> dict[str, bytes]:
    files = [file for file in sorted(Path(out).rglob("*")) if file.is_file() and file.name != folders.LOCK]
    return {file.relative_to(out).as_posix(): file.read_bytes() for file in files}


# --- nothing of others is deleted -----------------------------------------------------------------------------

#: What people keep in folders, some of it under names that look like those of a sweep.
FOREIGN = [
    "notes.txt",
    "parts/my-part-list.txt",
    "parts/part-00009.csv",
    "gen-2024/x",
    "gen-1/mine",
    "done/part-x.jsonl",
]


def test_force_deletes_what_a_sweep_wrote_and_nothing_else() -> None:
    swept(trials=100)
    tcsim.open_sweep("out").more(100).run()
    for name in FOREIGN:
        (Path("out") / name).parent.mkdir(exist_ok=True)
        (Path("out") / name).write_text(name)
    (Path("out/parts/.part-00000.csv.begun")).write_text("half")
    swept(force=True)
    swept("alone")
    assert contents("out") == contents("alone") | {name: name.encode() for name in FOREIGN}


@pytest.mark.parametrize(
    "name", ["manifest.json", "parts/part-00001.csv", "done/part-00000.jsonl", "errors.jsonl", "input.json"]
)
def test_a_file_in_the_way_that_no_sweep_wrote_is_left_there(name: str) -> None:
    path = Path("out") / name
    path.parent.mkdir(parents=True)
    path.write_text("mine")
    with pytest.raises(InputError) as error:
        swept(force=True)
    assert path.name in str(error.value)
    assert contents("out") == {name: b"mine"}


def test_a_sweep_is_not_deleted_for_a_new_one_that_cannot_begin() -> None:
    swept()
    before = contents("out")
    for given in ([], "out/parts/part-00000.csv", {"product": {"target.blod": [1]}}):
        with pytest.raises(InputError):
            swept(force=True, given=given)
        assert contents("out") == before


def test_a_stop_while_the_old_one_is_deleted_leaves_one_that_can_be_run_on(monkeypatch: pytest.MonkeyPatch) -> None:
    before = contents(str(swept().folder.path))
    real, left = Path.unlink, [3]

    def unlink(path: Path, missing_ok: bool = False) -> None:
        left[0] -= 1
        if not left[0]:
            raise KeyboardInterrupt
        real(path, missing_ok)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "unlink", unlink)
        with pytest.raises(KeyboardInterrupt):
            swept(force=True, given=GRID | {"product": {"target.blood": [0]}})
    assert before.keys() - contents("out").keys() == {"parts/part-00000.csv"}
    tcsim.open_sweep("out").run()
    assert {name: content for name, content in contents("out").items() if not name.startswith(".")} == before


@pytest.mark.parametrize("at", range(4))
def test_what_was_stopped_before_its_manifest_needs_no_force(at: int, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = [0]

    def stop(*given: Any) -> Any:
        calls[0] += 1
        if calls[0] == at + 1:
            raise KeyboardInterrupt
        return real(*given)

    real = folders.os.replace if at % 2 else folders.os.fsync
    with monkeypatch.context() as patched:
        patched.setattr(folders.os, "replace" if at % 2 else "fsync", stop)
        try:
            made = tcsim.new_sweep([GRID["scenario"]], "out")
        except KeyboardInterrupt:
            made = None
    if made is not None or Path("out/manifest.json").exists():
        assert tcsim.open_sweep("out").run().rows == 1
    elif not Path("out/input.jsonl").exists():
        assert swept().frame().shape[0] == 3
    else:  # a whole copy of an input may be somebody's: it is not written over
        with pytest.raises(InputError, match=r"is not empty"):
            swept()


def test_merged_files_are_never_written_over_parts(capsys: pytest.CaptureFixture[str]) -> None:
    swept()
    before = contents("out")
    Path("link.csv").symlink_to(Path("out/parts/part-00001.csv").absolute())
    for to in ("out/parts/part-00001.csv", "out/parts/../parts/part-00000", "link.csv"):
        assert main(["sweep", "merge", "out", "--to", to, "--force"]) == 2
        assert "is a file of the sweep itself" in capsys.readouterr().err
    assert contents("out") == before
    for at in (0, 2):
        assert main(["sweep", "merge", "out", "--to", "all"]) == at
    assert '"all.csv" is there already' in capsys.readouterr().err
    assert len(Path("all.csv").read_bytes().splitlines()) == 1 + 3  # one head, however many parts


# --- what was changed is noticed ------------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["cut", "altered", "emptied", "no record", "record altered"])
def test_a_part_that_was_changed_is_not_read(how: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(str(swept().folder.path))
    part, record = Path("out/parts/part-00001.csv"), Path("out/done/part-00001.jsonl")
    whole = part.read_bytes()
    if how == "no record":
        record.unlink()
    elif how == "record altered":
        record.write_bytes(record.read_bytes()[1:])
    else:
        altered = whole.replace(b"exact", b"exakt", 1)
        part.write_bytes({"cut": whole[:-1], "emptied": b"", "altered": altered}[how])
    for words in (["resume", "out"], ["merge", "out", "--to", "all.csv"], ["status", "out"]):
        if how == "altered" and words[0] == "status":
            continue  # which looks at sizes alone
        assert main(["sweep", *words]) == 2
        told = capsys.readouterr()
        assert 'part-00001.csv" is not as it was written' in told.err
        assert not Path("all.csv").exists()
    part.rename("elsewhere.csv")
    assert main(["sweep", "resume", "out"]) == 1
    assert contents("out") == before


def test_a_part_that_was_changed_is_not_gone_on_with() -> None:
    made = swept()
    Path("out/parts/part-00000.csv").unlink()
    part = Path("out/parts/part-00001.csv")
    part.write_bytes(part.read_bytes().replace(b"exact", b"exakt", 1))
    with pytest.raises(InputError, match="is not as it was written"):
        made.run()
    assert status("out").finished == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: "[]",
        lambda text: '{"format": 1}',
        lambda text: text.replace('"part_rows": 2', '"part_rows": 3'),
        lambda text: text.replace('"seed": 1', '"seed": 2'),
        lambda text: text.replace("part-00001", "../../precious"),
        lambda text: "[" * 100_000,
    ],
)
def test_a_manifest_that_was_changed_is_one_sentence(change: Any, capsys: pytest.CaptureFixture[str]) -> None:
    swept(trials=100)
    path = Path("out/manifest.json")
    path.write_text(change(path.read_text()))
    before = contents("out")
    for words in (["status", "out"], ["resume", "out"], ["query", "out", "SELECT 1"], ["more", "out", "--trials", "9"]):
        assert main(["sweep", *words]) == 2
        told = capsys.readouterr().err
        assert "manifest.json" in told
        assert told.count("\n") == 1
    with pytest.raises(InputError):
        swept(force=True)
    assert contents("out") == before


def test_a_sealed_manifest_that_names_other_files_is_refused() -> None:
    swept()
    path = Path("out/manifest.json")
    told = json.loads(path.read_text())
    del told["sha256"]
    told["parts"] = ["../../precious.csv", *told["parts"][1:]]
    told["sha256"] = hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()
    path.write_text(json.dumps(told))
    with pytest.raises(InputError, match="was changed since it was written"):
        status("out")


def test_an_input_that_is_changed_meanwhile_takes_back_the_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = [json.dumps({"target": {"blood": blood}, "attacks": [{}]}) for blood in (0, 1, 2, 3)]
    Path("in.jsonl").write_text("\n".join(lines))
    made = tcsim.new_sweep("in.jsonl", "out", part_rows=2)

    def change(done: int, failed: int) -> None:
        Path("in.jsonl").write_text("\n".join(lines[:3]))

    with pytest.raises(InputError, match=r"has changed since the sweep began.*taken back"):
        made.run(progress=change)
    assert status("out").finished == 0
    Path("in.jsonl").write_text("\n".join(lines))
    assert tcsim.open_sweep("out").run().made == 2


def test_a_finished_sweep_needs_neither_its_input_nor_this_version(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("in.jsonl").write_text('{"target": {}, "attacks": [{}]}\n7\n')
    swept(given="in.jsonl")
    Path("in.jsonl").unlink()
    monkeypatch.setattr(prepare, "__version__", "9")
    assert main(["sweep", "resume", "out"]) == 0
    assert capsys.readouterr().out == "out is finished: 2 scenarios, 1 failed\n"
    Path("out/errors.jsonl").unlink()
    assert main(["sweep", "resume", "out"]) == 0
    assert json.loads(Path("out/errors.jsonl").read_text())["line"] == 2


def test_a_changed_catalogue_is_not_gone_on_with(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    weapon = 'edition = "1.6.3"\n[[weapon]]\nname = "Long Rifle"\nlike = "Bolt-Action Rifle"\naction_dice = 1\n'
    Path("mine.toml").write_text(weapon)
    made = tcsim.new_sweep(GRID, tmp_path / "out", catalog="mine.toml")
    Path("mine.toml").write_text(weapon.replace("= 1", "= 2"))
    with pytest.raises(InputError, match="the catalogue has changed"):
        made.run()
    Path("mine.toml").write_text(weapon)
    monkeypatch.chdir("/")  # wherever it is gone on with
    assert made.run().made == 1


def test_another_version_does_not_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    made = tcsim.new_sweep(GRID, "out")
    monkeypatch.setattr(prepare, "__version__", "9")
    with pytest.raises(InputError, match=f"begun with tcsim {__version__}, this is 9"):
        made.run()


# --- one writer -----------------------------------------------------------------------------------------------


def test_generations_have_one_lock(capsys: pytest.CaptureFixture[str]) -> None:
    swept(trials=100)
    tcsim.open_sweep("out").more(50)
    with Folder("out").locked():
        for folder in ("out", "out/gen-1"):
            assert main(["sweep", "resume", folder]) == 2
            assert "another tcsim sweep is writing" in capsys.readouterr().err
    assert main(["sweep", "more", "out", "--trials", "5"]) == 2
    assert "2 of the 2 parts" in capsys.readouterr().err
    assert main(["sweep", "resume", "out"]) == 1
    (Path("out") / folders.LOCK).write_text("left there")  # by a process that was killed, or a copy of the folder
    assert main(["sweep", "more", "out", "--trials", "5"]) == 1
    found = tcsim.open_sweep("out").frame(["trials"])
    assert found["trials"].tolist() == [155] * 3


def test_who_comes_second_to_an_empty_folder_finds_it_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both look at an empty folder; the first is done before the second has the lock."""
    real = Folder.look
    looks: list[bool] = []

    def look(folder: Folder, force: bool) -> None:
        real(folder, force)
        if not looks:
            looks.append(force)
            swept("out")

    monkeypatch.setattr(Folder, "look", look)
    with pytest.raises(InputError, match="holds a sweep already"):
        swept("out", trials=100)
    assert status("out").done == 4


def test_a_folder_that_knows_no_locks_is_told_as_such(monkeypatch: pytest.MonkeyPatch) -> None:
    made = tcsim.new_sweep(GRID, "out")

    def flock(handle: int, how: int) -> None:
        raise OSError(37, "No locks available")

    monkeypatch.setattr("fcntl.flock", flock)
    with pytest.raises(InputError, match="cannot be locked: No locks available"):
        made.run()


# --- SQL ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "sql",
    [
        "COPY (SELECT 1) TO 'evil.csv'",
        "COPY results TO 'out/parts/part-00000.csv'",
        "SELECT 1; DROP VIEW results",
        "SELECT * FROM read_text('secret.txt')",
        "SELECT * FROM 'secret.txt'",
        "SELECT * FROM glob('*')",
        "ATTACH 'evil.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "CREATE TABLE evil AS SELECT 1",
        "SELECT * FROM names",
        "SELECT * FROM read_csv('http://127.0.0.1:9/x.csv')",
        "",
        ";",
        "SELEC",
        "\0",
        "\ud800",
    ],
)
def test_sql_reads_the_parts_and_nothing_else(sql: str, capsys: pytest.CaptureFixture[str]) -> None:
    swept()
    Path("secret.txt").write_text("secret")
    before = contents(".")
    assert main(["sweep", "query", "out", sql]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.startswith("tcsim: SQL: ")
    assert told.err.count("\n") == 1
    assert "secret\n" not in told.err
    assert contents(".") == before


def test_sql_knows_kinds_and_odd_folders(capsys: pytest.CaptureFixture[str]) -> None:
    """An empty column has a kind; a folder whose name is a pattern, or a partition, is a folder."""
    out = "it's a=1 [x]*"
    told = swept(out).query("SELECT column_name, column_type FROM (DESCRIBE results)")
    kinds = dict(told.to_numpy().tolist())
    assert {kinds[name] for name in ("row", "trials", "target.blood")} == {"BIGINT"}
    assert {kinds[name] for name in ("p_out", "low")} == {"DOUBLE"}
    assert {kinds[name] for name in ("seed", "fingerprint", "method")} == {"VARCHAR"}
    assert "a" not in kinds
    found = tcsim.open_sweep(out).query("SELECT 1 AS a, 2 AS a, count(trials) AS n FROM results")
    assert found.to_dict("list") == {"a": [1], "a_2": [2], "n": [0]}
    assert main(["sweep", "query", out, "SELECT 'nan'::DOUBLE AS x", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"x": None}


# --- parts of others ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("has", ["0.0.1", None])
def test_a_part_of_another_version_is_not_taken(has: str | None) -> None:
    part = Part(b"x", b"", 1, 0, has or "")
    if has is None:  # as from one that did not say it yet
        del part.__dict__["tcsim"]

    future: Future[Part] = Future()
    future.set_result(part)
    nobody: Any = None
    with pytest.raises(InputError, match="the same is needed everywhere"):
        list(workers.through(lambda *_: future, wait, 1, nobody, iter([(0, None)])))


def test_too_many_parts_are_refused() -> None:
    product = {"target.paid": {"from": 1, "to": 1000}, "attacks[0].paid": {"from": 1, "to": 1000}}
    with pytest.raises(InputError, match=r"makes 1,000,000 parts; at most 100,000 are allowed, so 10 or more"):
        tcsim.new_sweep({"scenario": {"target": {}, "attacks": [{}]}, "product": product}, "out", part_rows=1)
    assert not Path("out/manifest.json").exists()


def test_an_empty_name_is_not_the_folder_where_one_is(capsys: pytest.CaptureFixture[str]) -> None:
    Path("in.jsonl").write_text('{"target": {}, "attacks": [{}]}')
    assert main(["sweep", "in.jsonl", "--out", "", "--force"]) == 2
    assert "a folder for the results is needed" in capsys.readouterr().err
    assert [path.name for path in Path().iterdir()] == ["in.jsonl"]


def test_a_name_that_is_no_text_is_a_name() -> None:
    name = os.fsdecode(b"in\xff.jsonl")
    Path(name).write_text('{"target": {}, "attacks": [{}]}')
    swept(given=name)
    assert tcsim.open_sweep("out").run().rows == 1
