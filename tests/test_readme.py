"""What the README and docs/ show is true: their commands run, the first answer is the answer, the Python runs."""

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

ROOT = Path(__file__).parents[1]
#: Every page by its path from the root, the README first.
PAGES = {
    path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
    for path in (ROOT / "README.md", *sorted(ROOT.glob("docs/[!_]*.md")), *sorted(ROOT.glob("docs/[!_]*/*.md")))
}
#: Language and text of each page's blocks.
BLOCKS = {page: re.findall(r"```(\w+)\n(.*?)```", text, flags=re.DOTALL) for page, text in PAGES.items()}


def commands() -> list[tuple[str, str]]:
    """Every tcsim command of the pages' shell blocks that needs no set-up and writes no report."""
    lines = [
        (page, line)
        for page, blocks in BLOCKS.items()
        for kind, text in blocks
        if kind == "sh"
        for line in re.sub(r"\\\n\s*", "", text).splitlines()
    ]
    found = [(page, line) for page, line in lines if line.startswith("tcsim ") and not line.startswith("tcsim report")]
    told: dict[str, tuple[str, str]] = {}
    for page, line in found:  # a command of several pages is run once, unless it names a file that the page shows
        words = " ".join(shlex.split(line, comments=True))
        told.setdefault(f"{page} {words}" if ".toml" in words else words, (page, line))
    return list(told.values())


def test_it_opens_with_the_two_commands() -> None:
    kind, text = BLOCKS["README.md"][0]
    assert kind == "sh"
    assert [line.split("#")[0].strip() for line in text.splitlines()] == ["make demo", "make test"]
    assert UNOFFICIAL in PAGES["README.md"]


@pytest.mark.parametrize(("page", "line"), commands())
def test_commands_run(page: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for _, text in BLOCKS[page]:
        name = re.match(r"# (\w+\.toml)\n", text)
        if name is not None:
            (tmp_path / name[1]).write_text(text, encoding="utf-8")
    assert main(shlex.split(line, comments=True)[1:]) == 0


def test_there_are_commands() -> None:
    """On the README many, on every page some; but how it counts is told in Python, and reports have own tests."""
    shown = [page for page, _ in commands()]
    assert shown.count("README.md") >= 20
    assert set(shown) == set(PAGES) - {"docs/explanation/model.md", "docs/reports.md"}


def anchors(text: str) -> set[str]:
    """What links may point to: a page's heads, as GitHub writes them."""
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    heads = re.findall(r"^#+ (.*)$", prose, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def broken(page: str, text: str) -> list[str]:
    """Links and pictures of a page that point to nothing here."""
    found = []
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        path, _, head = link.partition("#")
        if "://" in link:
            continue
        there = (ROOT / page).parent / path if path else ROOT / page
        if not there.exists() or (head and head not in anchors(there.read_text(encoding="utf-8"))):
            found.append(link)
    return found


def test_links_lead_somewhere() -> None:
    assert broken("docs/duels.md", "[a](../README.md#duels) [b](nowhere.md) [c](turns.md#nothing) [d](#duels)") == [
        "nowhere.md",
        "turns.md#nothing",
    ]
    assert [(page, link) for page, text in PAGES.items() for link in broken(page, text)] == []


def test_the_readme_links_every_page() -> None:
    """But for those of the site's tutorial and explanation, to which the README links the first page."""
    linked = set(re.findall(r"\]\((docs/\w+\.md)", PAGES["README.md"]))
    assert linked == {page for page in PAGES if page.count("/") == 1}


def test_the_first_answer(capsys: pytest.CaptureFixture[str]) -> None:
    [text] = [text for kind, text in BLOCKS["README.md"] if kind == "console"]
    command, answer = text.replace("\\\n", " ").splitlines()
    assert main(shlex.split(command.removeprefix("$ tcsim"))) == 0
    assert capsys.readouterr().out.splitlines()[0] == answer


def test_the_python_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # some writes its results
    for page, blocks in BLOCKS.items():
        for kind, text in blocks:
            if kind == "python":
                exec(compile(text, page, "exec"), {})
    assert any(kind == "python" for kind, _ in BLOCKS["README.md"])


def test_the_scenario_is_complete_and_can_be_read() -> None:
    [text] = [text for kind, text in BLOCKS["docs/scenario.md"] if kind == "toml"]
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
