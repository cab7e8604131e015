"""Names that users gave do no harm: whatever they hold, they are text, in every format and in every command."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
import xml.etree.ElementTree as ET
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import click
import pandas as pd
import pytest
from markdown_it import MarkdownIt
from PIL import Image

from tcsim.base.csv_text import csv_text, guarded
from tcsim.base.text import columns
from tcsim.catalog import catalog
from tcsim.cli import main
from tcsim.cli import tcsim as group
from tcsim.plots import style
from tcsim.plots.page import Sheet, Words, inline_svg, png, svg
from tcsim.report.blocks import Cell, Column, Figure, Figures, Link, Points, Report, Row, Section, Strong, Table, slug
from tcsim.report.provenance import Provenance
from tcsim.report.settings import Built
from tcsim.report.write import write
from tcsim.sweep import prepare as sweeping

ROOT = Path(__file__).parent.parent

#: Names that a catalogue takes: at most 80 characters, each of which can be printed.
NAMES = (
    '<script>alert("x")</script> & <img src=x onerror=alert(1)>',
    "=cmd|' /C calc'!A0",
    "../../etc/passwd {{ 7*7 }} {% raw %} ${x} C:\\new",
    "`x` [x](javascript:alert(1)) | $\\frac{1}{2}$ **b** <!-- # -->",
    "한글 العربية עברית 漢字 😀 Z̶̢͖̓a̵l",
    "@SUM(1+1)*9; rm -rf ~ && $(reboot) \"q\" 'q'",
    "W" * 80,
    "-2+3 www.evil.example http://evil.example a@b.example",
    '#0b4f8a id="a" url(#b) %s %(x)s {name} [bold red]x[/]',
)
#: What a formula can begin with.
FORMULAS = tuple("=+-@\t\r\n")
#: Names that are refused where a catalogue is read: they would speak to the terminal, hide, turn round, or never end.
REFUSED = (
    "a\x1b[31mb",
    "a\u202eb",
    "a\u200bb",
    "a\tb",
    "a\nb",
    "a\u2028b",
    "a\x7fb",
    "\ufeffa",
    "a\u2066b",
    "x" * 10_000,
)


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A catalogue of such names, in a file that has one, too."""
    path = tmp_path_factory.mktemp("hostile") / "=a b'; $(reboot) <b> `x` | .toml"
    lines = ['edition = "1.6.3"']
    for number, name in enumerate(NAMES):
        told = json.dumps(name, ensure_ascii=False)
        lines += ["[[weapon]]", f'id = "h{number}"', f"name = {told}", f'kind = "{("melee", "ranged")[number % 2]}"']
        lines += ["range_in = 24"] if number % 2 else []
        lines += ["cost_ducats = 5", "[[armour]]", f'id = "a{number}"', f"name = {told}", 'slot = "body"']
        lines += ["injury_modifier = -1", "[[unit]]", f'id = "u{number}"', f"name = {told}", "movement_in = 6"]
        lines += ['faction = "new-antioch"', "ranged_dice = 0", "melee_dice = 0", "base_mm = 25"]
    path.write_text("\n".join(lines), encoding="utf-8")
    return path


# --- what a file may hold -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["weapon", "armour", "unit"])
@pytest.mark.parametrize("name", REFUSED, ids=[ascii(name)[:20] for name in REFUSED])
def test_signs_that_do_something_are_refused(
    kind: str, name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "my.toml"
    path.write_text(f'edition = "1.6.3"\n[[{kind}]]\nname = {json.dumps(name)}\nkind = "melee"\n', encoding="utf-8")
    assert main(["catalog", "list", kind, "--catalog", str(path)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert "my.toml:3" in said.err
    assert all(line.isprintable() and len(line) < 400 for line in said.err.splitlines())


# --- every command ------------------------------------------------------------------------------------------

FIREFIGHT = """
edition = "1.6.3"
[[attackers]]
unit = "u0"
attacks = [{{ weapon = "h1" }}]
[[attackers]]
name = {0}
attacks = [{{ weapon = "h3" }}]
[[targets]]
name = {1}
unit = "u3"
armour = ["a5"]
[morale]
models = 4
"""
TURN = """
edition = "1.6.3"
[[warband]]
name = {0}
[[warband.models]]
unit = "u1"
attacks = [{{ weapon = "h1" }}]
[[warband]]
name = {1}
[[warband.models]]
name = {1}
unit = "u3"
attacks = [{{ weapon = "h3" }}]
"""
ATTACKS = [word for number in range(len(NAMES)) for word in ("--attack", f"h{number}")]
#: What each command that takes a catalogue is asked.
ASKED: dict[str, list[str]] = {
    "odds": [*ATTACKS, "--unit", "u0", "--target-unit", "u3", "--armour", "a4"],
    "explain": [*ATTACKS, "--unit", "u0", "--target-unit", "u5", "--armour", "a3"],
    "activation": ["--attack", "h3", "--unit", "u8", "--armour", "a1", "--step", "attack 1"],
    "spend": ["--attack", "h3,times=2", "--target-unit", "u1", "--armour", "a5", "--target-blood", "2"],
    "exchange": ["--attack", "h3", "--target-unit", "u1", "--armour", "a5"],
    "compare": ["--weapons", ",".join(f"h{number}" for number in range(len(NAMES))), "--targets", "u0,a5,-2"],
    "value": ["--weapons", ",".join(f"h{number}" for number in range(len(NAMES))), "--targets", "u0,a5,-2"],
    "needed": ["attacks", "--attack", "h3", "--unit", "u8", "--target-unit", "u6", "--armour", "a5", "--chance", "50%"],
    "duel": ["--a-unit", "u0", "--a-attack", "h0", "--b-unit", "u4", "--b-attack", "h2", "--b-armour", "a3"],
    "firefight": ["FIREFIGHT"],
    "turn": ["TURN", "--turns", "1"],
    "catalog show": [],
    "catalog list": ["weapon"],
    "catalog search": ["evil"],
    "catalog diff": ["1.6.3", "1.0.2"],
    "options": [],
}
#: Reports have tests of their own below.
REPORTS = {"report all", "report kill-odds"}


def commands(command: click.Command, path: str = "") -> Iterator[tuple[str, set[str]]]:
    """Every command and the names of its parameters."""
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None
            yield from commands(inner, f"{path} {name}".strip())
    else:
        yield path, {parameter.name or "" for parameter in command.params}


TAKES_A_CATALOGUE = {path: names for path, names in commands(group) if "catalogs" in names}


def test_no_command_is_forgotten() -> None:
    reports = {path for path in TAKES_A_CATALOGUE if path.startswith("report ")}
    assert set(TAKES_A_CATALOGUE) - reports == {*ASKED, "sweep run"}
    assert reports >= REPORTS


def words_of(command: str, hostile: Path, folder: Path) -> list[str]:
    """The command line of a case."""
    words = [*command.split(), *ASKED[command], "--catalog", str(hostile)]
    for name, text in (("FIREFIGHT", FIREFIGHT), ("TURN", TURN)):
        if name in words:
            path = folder / f"{name.lower()}.toml"
            told = [json.dumps(one, ensure_ascii=False) for one in (NAMES[0], NAMES[3])]
            path.write_text(text.format(*told), encoding="utf-8")
            words[words.index(name)] = str(path)
    if command == "catalog show":
        words.insert(2, "h1")
    return words


@pytest.mark.parametrize("lang", ["en", "ko"])
@pytest.mark.parametrize("command", ASKED)
def test_the_terminal(
    command: str, lang: str, hostile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words_of(command, hostile, tmp_path), "--lang", lang]) == 0, capsys.readouterr().err
    said = capsys.readouterr()
    assert said.err == ""
    assert len(said.out) > 100
    for line in said.out.splitlines():
        assert line.isprintable() or not line.replace("\xa0", " ").strip(), ascii(line)
        assert columns(line) <= 80, line


@pytest.mark.parametrize("command", [name for name, flags in TAKES_A_CATALOGUE.items() if "as_json" in flags])
def test_json_has_names_as_they_were_given(
    command: str, hostile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*words_of(command, hostile, tmp_path), "--json"]) == 0
    out = capsys.readouterr().out
    assert out.isascii()
    told = json.loads(out)
    assert len([word for word in strings(told) if word in NAMES or word == hostile.name]) > 0 or command in NAMELESS
    if command in ("catalog list", "catalog search"):
        names = {row["name"] for row in told}
        assert names >= set(NAMES if command == "catalog list" else {NAMES[7]})


#: What these answer has no names.
NAMELESS = ("activation", "spend", "exchange", "duel", "options")


def strings(data: Any) -> Iterator[str]:
    if isinstance(data, str):
        yield data
    for one in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from strings(one)


@pytest.mark.parametrize("command", [name for name, flags in TAKES_A_CATALOGUE.items() if "as_csv" in flags])
def test_csv_of_commands(command: str, hostile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    matrix = ["duel", "--matrix", "na-line", "hl-gunline"]  # there are only the names of the books in it
    words = matrix if command == "duel" else words_of(command, hostile, tmp_path)
    assert main([*words, "--csv"]) == 0, capsys.readouterr().err
    head, *rows = csv.reader(io.StringIO(capsys.readouterr().out))
    assert rows
    assert {len(row) for row in rows} == {len(head)}
    assert [cell for row in rows for cell in row if is_formula(cell)] == []


def test_parts_of_a_sweep(hostile: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written as CSV, the names in the questions are text, whatever they begin with."""
    monkeypatch.setattr(sweeping, "suffix", lambda: "csv")
    grid, out = tmp_path / "grid.toml", tmp_path / "out"
    names = json.dumps(NAMES, ensure_ascii=False)
    told = f'[scenario]\n[scenario.target]\n[[scenario.attacks]]\n[product]\n"attacks[0].weapon" = {names}\n'
    grid.write_text(told, encoding="utf-8")
    assert main(["sweep", "run", str(grid), "--out", str(out), "--catalog", str(hostile)]) == 0
    [part] = sorted((out / "parts").glob("*.csv"))
    head, *rows = csv.reader(io.StringIO(part.read_text(encoding="utf-8")))
    place = head.index("attacks[0].weapon")
    assert [row[place].removeprefix("'") for row in rows] == list(NAMES)
    assert [cell for row in rows for cell in row if is_formula(cell)] == []


def test_the_command_that_asks_again(hostile: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--as-command` with such names is one line that a shell takes apart into just these words."""
    asked = [
        "odds",
        "--attack",
        "h3",
        "--attack",
        "h5",
        "--unit",
        NAMES[5],
        "--armour",
        "a1",
        "--catalog",
        str(hostile),
    ]
    assert main([*asked, "--as-command"]) == 0
    [line] = capsys.readouterr().out.splitlines()
    program, *words = shlex.split(line)
    assert program == "tcsim"
    answers = []
    for again in (asked, words):
        assert main([*again, "--json"]) == 0
        answers.append(json.loads(capsys.readouterr().out)["out_of_action"])
    assert answers[0] == answers[1]


def is_formula(cell: str) -> bool:
    """Whether a spreadsheet would take a cell for a formula: not a number, and begins with such a sign."""
    return len(cell) > 1 and cell[0] in FORMULAS and not re.fullmatch(r"[+-]?(\d+\.?\d*(e[+-]?\d+)?|inf)", cell)


def test_formulas() -> None:
    for sign in (*FORMULAS, "＝", "＋", "－", "＠"):
        assert guarded(f"{sign}1+1") == f"'{sign}1+1"
    for cell in ("-2", "+1", "-1.5e-07", -2, -0.5, None, "Sword / Axe", "−1", "'tis", "-", ""):
        assert guarded(cell) == cell
    assert guarded("'=x") == "''=x"  # or it would be read back as another name
    written = csv_text(["n", "=n"], [{"n": name, "=n": -1.5} for name in (*NAMES, 'a"b,c\nd')])
    head, *rows = csv.reader(io.StringIO(written))
    assert [name.removeprefix("'") for name, _ in rows] == [*NAMES, 'a"b,c\nd']
    assert [name for name, _ in rows if is_formula(name)] == []
    assert {number for _, number in rows} == {"-1.5"}
    assert head == ["n", "'=n"]


def test_no_other_csv_is_written() -> None:
    """Every table goes through one place; what tcsim reads again (policies) has no names in it."""
    sources = {path: path.read_text(encoding="utf-8") for path in (ROOT / "tcsim").rglob("*.py")}
    writers = re.compile(r"csv\.(?:writer|DictWriter)\(|(?<!guarded\))\.to_csv\(")
    found = {path.relative_to(ROOT).as_posix() for path, text in sources.items() if writers.search(text)}
    assert found == {"tcsim/base/csv_text.py", "tcsim/scenario/policy_file.py"}


# --- reports ------------------------------------------------------------------------------------------------


class Parsed(HTMLParser):
    """What a page holds: its tags, attributes, and text outside script and style."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, text: str) -> None:
        if self.tags[-1:] not in (["script"], ["style"]):
            self.words.append(text.strip())

    def handle_comment(self, text: str) -> None:
        raise AssertionError(f"a comment: {text}")


def check_page(text: str, names: tuple[str, ...]) -> None:
    page = Parsed(text)
    assert page.tags.count("script") == 1
    assert not set(page.tags) & {"img", "iframe", "object", "embed", "link", "base", "b", "form"}
    assert [name for name, _ in page.attributes if name.startswith("on")] == []
    links = [value for name, value in page.attributes if name in ("href", "src", "action", "xlink:href")]
    assert [link for link in links if not re.fullmatch(r"#[\w-]+|[a-z0-9-]+(/[a-z0-9-]+)*\.[a-z]+", link)] == []
    said = {word[:50] for word in page.words}  # figures and their tables shorten long names
    assert [name for name in names if name[:50] not in said] == []


def check_markdown(text: str, names: tuple[str, ...]) -> None:
    """Read by a Markdown parser, names are text: no HTML, no code, no link or picture but those of the report."""
    kinds: set[str] = set()
    links: list[str] = []
    cells: list[str] = []
    for block in MarkdownIt("commonmark").enable("table").parse(text):
        for token in [block, *(block.children or [])]:
            kinds.add(token.type)
            links += [str(token.attrs[name]) for name in ("href", "src") if name in token.attrs]
        if block.type == "inline":
            cells.append("".join(one.content for one in block.children or [] if one.type in ("text", "text_special")))
    assert not kinds & {"html_block", "html_inline", "fence"}
    assert [link for link in links if not re.fullmatch(r"[a-z0-9-]+(/[a-z0-9-]+)*\.[a-z]+", link)] == []
    assert [name for name in names if not [cell for cell in cells if " ".join(name.split()) in cell]] == []
    assert not re.search(r"https?://|\bwww\.|\w@\w", re.sub(r"^    .*$", "", text, flags=re.MULTILINE))


def check_svg(content: bytes) -> None:
    for one in ET.fromstring(content).iter():
        assert one.tag.rpartition("}")[2] not in ("script", "foreignObject", "a", "image")
        for name, value in one.attrib.items():
            assert not name.startswith("on")
            assert not name.endswith("href") or value.startswith("#")


@pytest.fixture(scope="module")
def written(hostile: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("out") / "page"
    weapons = [word for number in range(len(NAMES)) for word in ("--weapon", f"h{number}")]
    words = ["--blood", "0", "--attacks", "1", "--trials", "0", "--plain", "--catalog", str(hostile)]
    assert main(["report", "kill-odds", *weapons, *words, "--out", str(folder)]) == 0
    return folder


def test_the_page(written: Path) -> None:
    check_page((written / "index.html").read_text(encoding="utf-8"), NAMES)


def test_the_markdown(written: Path) -> None:
    check_markdown((written / "report.md").read_text(encoding="utf-8"), NAMES)


def test_the_data(written: Path) -> None:
    rows = list(csv.DictReader(io.StringIO((written / "data" / "cells.csv").read_text(encoding="utf-8"))))
    given = {name: f"'{name}" if is_formula(name) else name for name in NAMES}
    assert {row["weapon"] for row in rows} == set(given.values())
    assert len([name for name in NAMES if given[name] != name]) == 3


def test_files_are_named_by_the_program(written: Path) -> None:
    files = {path.relative_to(written).as_posix() for path in written.rglob("*") if path.is_file()}
    assert files == {"index.html", "report.md", "data/cells.csv"}
    assert [path.name for path in written.parent.iterdir()] == ["page"]


def test_the_command_can_be_given_to_a_shell(written: Path, hostile: Path) -> None:
    page = (written / "report.md").read_text(encoding="utf-8")
    [command] = re.findall(r"^    (tcsim report .*)$", page, re.MULTILINE)
    words = shlex.split(command)
    assert words[words.index("--catalog") + 1] == hostile.name
    assert [words[i + 1] for i, word in enumerate(words) if word == "--weapon"] == [f"h{i}" for i in range(len(NAMES))]
    assert str(hostile.parent) not in page


def a_report(names: tuple[str, ...]) -> Report:
    def drawn(bare: bool) -> Any:
        return a_figure(names, bare)

    return Report(
        title=names[0],
        kicker=names[1],
        lead=(Points(tuple((f"{name} ", Strong(name)) for name in names), lead=True),),
        sections=(
            Section(
                names[2],
                names[3],
                "s",
                (
                    Figures((Figure("one", Words(names[0], names[1], names[2]), drawn),)),
                    Table("t", names[0], (Column(names[1], names[2]), Column("b")), tuple(
                        Row((Cell(name, name), Cell("1")), (("tag", name),)) for name in names
                    ), names[0], names[3]),
                ),
            ),
        ),
        footer=names,
    )  # fmt: skip


@style.styled
def a_figure(names: tuple[str, ...], bare: bool = False) -> Any:
    import numpy as np

    sheet = Sheet(Words(names[0], names[1], " ".join(names)), 3.0, bare)
    axes = sheet.axes(0.5, 0.2, 4.0, 2.5)
    axes.plot([0, 1], [0, 1], label=names[0])
    axes.set_yticks(range(len(names)), names)
    for number, name in enumerate(names):
        sheet.text(0.0, 0.2 * number, name)
    return np.array([axes])


#: Names that no catalogue lets in, but a frame of Python's may hold.
RAW = (*NAMES, *REFUSED[:-1], "a\x00b", "\ud800", "\ufffe")


def test_a_report_of_any_names(tmp_path: Path) -> None:
    frame = pd.DataFrame({"name": list(NAMES), "n": [-1.5] * len(NAMES)})
    provenance = Provenance((catalog("1.6.3"),), ("tcsim", "report", *NAMES))
    page = write(Built(a_report(RAW), {"names": frame}, None), provenance, tmp_path)
    text = page.read_text(encoding="utf-8")
    check_page(text, NAMES)
    assert all(line.isprintable() for line in text.replace("\xa0", " ").splitlines())
    told = (tmp_path / "report.md").read_text(encoding="utf-8")
    check_markdown(told, NAMES)
    assert all(line.isprintable() for line in told.replace("\xa0", " ").splitlines())
    [command] = re.findall(r"^    (tcsim report .*)$", told, re.MULTILINE)
    assert shlex.split(command) == ["tcsim", "report", *NAMES]


def test_figures_of_any_names(tmp_path: Path) -> None:
    for lang_names in (RAW, NAMES[::-1]):
        axes = a_figure(lang_names)
        check_svg(svg(axes))
        check_svg(svg(axes, outlines=False))
        (tmp_path / "one.png").write_bytes(png(axes))
        with Image.open(tmp_path / "one.png") as picture:
            picture.load()
            assert picture.format == "PNG"
            assert picture.width == 1200
            assert picture.height < 8000
    bare = inline_svg(a_figure(NAMES, bare=True), "f-one", NAMES[0])
    check_svg(bare.replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ', 1).encode())
    said = {"".join(one.itertext()).strip() for one in ET.fromstring(bare).iter() if one.tag == "text"}
    drawable = [name for name in NAMES if name == style.drawable(name)]
    assert len(drawable) == len(NAMES) - 1
    assert [name for name in drawable if " ".join(name.split()) not in {" ".join(one.split()) for one in said}] == []


def test_names_of_the_program_are_slugs() -> None:
    for name in ("../x", "a b", "A", "a.png", "", "-a", "a--b", "ä", "a/b", "a\n"):
        with pytest.raises(ValueError, match="letters, digits and dashes"):
            slug(name)
        with pytest.raises(ValueError, match="letters, digits and dashes"):
            Figure(name, Words("", "", ""), lambda bare: None)  # type: ignore[arg-type,return-value]
        with pytest.raises(ValueError, match="letters, digits and dashes"):
            Table(name, "", (), ())
    for href in ("javascript:alert(1)", "http://evil.example", "//evil.example", "../../x", "/x", 'a"b', "a b", ""):
        with pytest.raises(ValueError, match="beside the report"):
            Link(href, "x")
    assert Link("kill-odds/index.html", "x").href == "kill-odds/index.html"
