"""What compare, value, optimise, exchange, needed and reports refuse: one sentence, status 2, and nothing is lost."""

from __future__ import annotations

import errno
import math
import os
import re
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tcsim
from tcsim import plots
from tcsim.__main__ import run
from tcsim.analysis.kill_odds import kill_odds
from tcsim.analysis.matchup import matchup
from tcsim.base.errors import InputError
from tcsim.base.files import check_writable, write_whole
from tcsim.catalog import warband
from tcsim.cli import main
from tcsim.engines import paired, play
from tcsim.engines.answer import Plan
from tcsim.engines.play import count_in_threads

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


@pytest.mark.parametrize("name", ["firefight_ends", "wins_by_turn", "agreement", "attacks"])
@pytest.mark.parametrize("given", [None, 1, [], "x", np.array([1])], ids=lambda given: type(given).__name__)
def test_figures_of_something_else(name: str, given: Any) -> None:
    with pytest.raises(InputError, match=" is wanted"):
        getattr(plots, name)(given)


@pytest.mark.parametrize(
    ("words", "wrong"),
    [
        ({"setting": 1}, "setting: 1 is given"),
        ({"setting": "x" * 1001}, "setting: text of 1,001 characters is given"),
        ({"weapons": "sword-axe"}, 'weapons: "sword-axe" is given'),
        ({"weapons": []}, "weapons: an array is given"),
        ({"weapons": [1]}, "weapons: an array is given"),
        ({"lang": 1}, "lang: 1 is given"),
        ({"armour": "tin"}, "frame: it has no rows for what is to be shown"),
    ],
    ids=lambda one: ascii(one)[:30],
)
def test_words_of_figures(words: dict[str, Any], wrong: str) -> None:
    frame = kill_odds(["sword-axe"], blood=[0], attacks=[1])
    with pytest.raises(InputError, match=re.escape(wrong)):
        plots.attacks(frame, **words)


@pytest.mark.parametrize("column", ["trials", "out_count", "down_count"])
@pytest.mark.parametrize(
    "value", [None, math.nan, math.inf, -1, 10**400, "x", pd.NA, True], ids=lambda one: ascii(one)[:20]
)
def test_counts_of_figures(column: str, value: Any) -> None:
    cell = {"weapon_id": "a", "weapon": "A", "critical": False, "armour": "none", "shield": False, "tough": False}
    cell |= {"blood": 0, "attacks": 1, "modifier": 0, "p_out": 0.5, "p_down": 0.25, "question": 0}
    cell |= {"trials": 100, "out_count": 50, "down_count": 25, column: value}
    frame = pd.DataFrame([cell]).astype({column: object})
    frame[column] = pd.Series([value], dtype=object)
    with pytest.raises(InputError, match=f"^{column}: .* is wanted$"):
        plots.agreement(frame)


# --- Ctrl-C -------------------------------------------------------------------------------------------------


def test_ctrl_c_while_the_program_is_loaded(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Loading(ModuleType):
        def __getattr__(self, name: str) -> Any:
            raise KeyboardInterrupt

    monkeypatch.setitem(sys.modules, "tcsim.cli", Loading("tcsim.cli"))
    assert run() == 130
    assert capsys.readouterr() == ("", "tcsim: interrupted\n")


ROLLED: dict[str, Callable[[], Any]] = {
    "compare": lambda: compare(plan=Plan(trials=1000)),
    "compare, shared": lambda: compare(plan=Plan(trials=1000, dice="shared")),
    "value": lambda: value(plan=Plan(trials=1000)),
    "kill odds": lambda: kill_odds(["sword-axe"], blood=[0], attacks=[1], trials=1000),
    "matchup": lambda: matchup(warband("na-line"), warband("hl-gunline"), plan=Plan(trials=1000)),
    "needed": lambda: tcsim.needed("attacks", QUESTION, trials=1000, span=(1, 2)),
    "spend": lambda: tcsim.spend({"target": {"blood": 1}, "attacks": [{}]}, trials=1000),
}


@pytest.mark.parametrize("name", ROLLED)
def test_ctrl_c_leaves_no_answer_to_one_of_many(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was counted of one cell is not compared with the whole of the others."""
    stops = 0

    def stopped(*given: Any) -> tuple[Any, bool]:
        nonlocal stops
        stops += 1
        counts, _ = count_in_threads(*given)
        return counts, stops == 1

    monkeypatch.setattr(play, "count_in_threads", stopped)
    monkeypatch.setattr(paired, "count_in_threads", stopped)
    with pytest.raises(KeyboardInterrupt):
        ROLLED[name]()
    assert stops == 1


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
