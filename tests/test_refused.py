"""What compare, value, optimise, exchange, needed and reports refuse: one sentence, status 2, and nothing is lost."""

from __future__ import annotations

import errno
import math
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import tcsim
from tcsim.base.errors import InputError
from tcsim.base.files import check_writable, write_whole
from tcsim.cli import main

COMPARE = ["compare", "ranged", "--targets", "0"]
VALUE = ["value", "--weapons", "Shotgun, Pistol", "--targets", "0"]
EXCHANGE = ["exchange", "--attack", "ranged"]
NEEDED = ["needed", "attacks", "--attack", "ranged"]
SPEND = ["spend", "--attack", "ranged"]
DUEL = ["duel", "--a-attack", "melee", "--b-attack", "melee"]

WRONG: list[tuple[list[str], str]] = [
    ([*COMPARE, "--edition", ""], 'there is no edition ""'),
    ([*VALUE, "--edition", ""], 'there is no edition ""'),
    (["catalog", "check", "na-line", "--edition", ""], 'there is no edition ""'),
    ([*COMPARE, "--sort", ""], '--sort: there is no column ""'),
    ([*EXCHANGE, "--terms", ""], "--terms: nothing is given"),
    ([*EXCHANGE, "--terms", " , "], "--terms: nothing is given"),
]
#: A name that no file can have, one that no encoding can say, a folder, and one whose folder is not there.
NO_FILES = ("a\0.png", "\ud800.png", "folder.png", "missing/x.png", "file.png/x.png", "x" * 300 + ".png")
FILES = [
    *((command, "--plot") for command in (COMPARE, VALUE, EXCHANGE, NEEDED, SPEND, DUEL)),
    (EXCHANGE, "--iso"),
    (SPEND, "--save-policy"),
]
WRONG += [([*command, flag, name], "cannot be written") for command, flag in FILES for name in NO_FILES]
WRONG += [
    ([*command, "--catalog", f"{name}.toml"], "cannot be read")
    for command in (COMPARE, VALUE, EXCHANGE, NEEDED, SPEND)
    for name in ("a\0", "\ud800", "folder", "x" * 300)
]


@pytest.mark.parametrize(("argv", "words"), WRONG, ids=[ascii(" ".join(argv))[:70] for argv, _ in WRONG])
def test_one_sentence(
    argv: list[str], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("folder.png", "folder.toml"):
        Path(name).mkdir()
    Path("file.png").touch()
    before = sorted(tmp_path.rglob("*"))
    assert main(argv) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert words in said.err
    assert sorted(tmp_path.rglob("*")) == before


# --- the same in Python -------------------------------------------------------------------------------------

QUESTION: dict[str, Any] = {"target": {}, "attacks": [{}]}
#: What is no name, no list of names, no table, no truth, no edition, no catalogue and no plan.
NOTHING_GOOD = (True, 1, math.nan, b"x", [True], [[]], object(), np.array([1, 2]), np.bool_(True), range(3))


def value(**given: Any) -> Any:
    return tcsim.value("Shotgun, Pistol", **{"targets": "0", **given})


def compare(**given: Any) -> Any:
    return tcsim.compare("ranged", **{"targets": "0", **given})


def exchange(**given: Any) -> Any:
    return tcsim.exchange(QUESTION, **{"factors": ["blood"], **given})


def sensitivity(**given: Any) -> Any:
    return tcsim.sensitivity(QUESTION, **{"factors": ["blood"], "armour": [0], "action_dice": [0], **given})


GIVEN = [
    *((call, name) for call in (compare, value) for name in ("edition", "catalog", "plan", "spend", "options")),
    *((exchange, name) for name in ("terms", "factors", "catalog")),
    *((sensitivity, name) for name in ("tough", "factors", "catalog")),
]


@pytest.mark.parametrize(("call", "name"), GIVEN, ids=[f"{call.__name__}-{name}" for call, name in GIVEN])
def test_arguments(call: Callable[..., Any], name: str) -> None:
    for given in NOTHING_GOOD if name != "tough" else NOTHING_GOOD[1:]:
        with pytest.raises(InputError, match=f"^{name}: .* (is|are) (allowed|needed)$"):
            call(**{name: given})


# --- a file is whole, or not there --------------------------------------------------------------------------


def test_a_file_is_replaced_and_keeps_what_it_was(tmp_path: Path) -> None:
    real, link = tmp_path / "real.png", tmp_path / "link.png"
    link.symlink_to(real)
    write_whole(link, b"one")
    assert (real.read_bytes(), stat.S_IMODE(real.stat().st_mode)) == (b"one", 0o644)
    real.chmod(0o600)
    write_whole(str(link), b"two")
    assert (real.read_bytes(), stat.S_IMODE(real.stat().st_mode)) == (b"two", 0o600)
    assert link.is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.png", "real.png"]


@pytest.mark.parametrize("error", [OSError(errno.ENOSPC, "No space left on device"), KeyboardInterrupt()])
def test_a_file_that_cannot_be_written_stays(
    error: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes(b"old")

    def full(source: str, target: Path) -> None:
        raise error

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(type(error)) as raised:
        write_whole(path, b"new")
    if isinstance(raised.value, OSError):
        assert (raised.value.filename, raised.value.strerror) == (str(path), "No space left on device")
    assert [(one.name, one.read_bytes()) for one in tmp_path.iterdir()] == [("a.csv", b"old")]


def test_where_a_file_can_be_written(tmp_path: Path) -> None:
    check_writable(tmp_path / "new.png", "--plot")
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(InputError, match=r'^--plot: ".*" cannot be written: Is a directory$'):
        check_writable(tmp_path, "--plot")
