"""What the README shows is true: its commands run, its first answer is the answer, its Python runs."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from tcsim.base.text import UNOFFICIAL
from tcsim.cli import main
from tcsim.rules import editions
from tcsim.scenario import model
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import resolve

README = (Path(__file__).parents[1] / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", README, flags=re.DOTALL)


def commands() -> list[str]:
    """Every tcsim command of the shell blocks that needs no set-up and writes no report."""
    lines = [line for kind, text in BLOCKS if kind == "sh" for line in text.splitlines()]
    return [line for line in lines if line.startswith("tcsim ") and not line.startswith("tcsim report")]


def test_it_opens_with_the_two_commands() -> None:
    kind, text = BLOCKS[0]
    assert kind == "sh"
    assert [line.split("#")[0].strip() for line in text.splitlines()] == ["make demo", "make test"]
    assert UNOFFICIAL in README


@pytest.mark.parametrize("line", commands())
def test_commands_run(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for _, text in BLOCKS:
        name = re.match(r"# (\w+\.toml)\n", text)
        if name is not None:
            (tmp_path / name[1]).write_text(text, encoding="utf-8")
    assert main(shlex.split(line, comments=True)[1:]) == 0


def test_there_are_commands() -> None:
    assert len(commands()) >= 6


def test_the_first_answer(capsys: pytest.CaptureFixture[str]) -> None:
    [text] = [text for kind, text in BLOCKS if kind == "console"]
    command, answer = text.replace("\\\n", " ").splitlines()
    assert main(shlex.split(command.removeprefix("$ tcsim"))) == 0
    assert capsys.readouterr().out.splitlines()[0] == answer


def test_the_python_runs() -> None:
    [text] = [text for kind, text in BLOCKS if kind == "python"]
    exec(compile(text, "README.md", "exec"), {})


def test_the_scenario_is_complete_and_can_be_read() -> None:
    [text] = [text for kind, text in BLOCKS if kind == "toml"]
    data = tomllib.loads(text)
    names = {"attacker": model.Attacker, "target": model.Target, "spend": model.SpendPolicy}
    named = {table: set(data[table]) for table in names} | {"attacks": set(data["attacks"][0])}
    documented = {*re.findall(r"^\s*(\w+) = ", text, flags=re.MULTILINE), *re.findall(r"(\w+) = -?\d+, in", text)}
    documented |= set(re.findall(r"[:;,] (?:or )?(?:one number: )?(\w+) = ", text))
    for table, shape in {**names, "attacks": model.Attack}.items():
        missing = set(model.fields(shape)) - named[table] - documented
        assert not missing, f"{table} does not say {missing}"
    assert set(editions()) == set(re.findall(r'"(\d\.\d\.\d)"', text))
    del data["target"]["unit"]  # a unit that is New Antioch's or not is named beside armour to show both
    assert resolve(from_mapping(data)).problem.steps
