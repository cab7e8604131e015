"""The report: its numbers are the frame's, its page is whole, loads nothing, and is the same every time."""

from __future__ import annotations

import base64
import csv
import hashlib
import html
import os
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from importlib import metadata
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from tcsim import __version__
from tcsim.analysis.kill_odds import kill_odds
from tcsim.base.text import UNOFFICIAL, percent
from tcsim.catalog import catalog
from tcsim.catalog.fingerprint import fingerprint
from tcsim.cli import main
from tcsim.cli.report import KINDS
from tcsim.plots import data
from tcsim.plots.page import png, svg
from tcsim.report.blocks import Cell, Code, Column, Folded, Points, Report, Rich, Row, Section, Strong, Table
from tcsim.report.kill_odds import Settings, compose
from tcsim.report.provenance import Provenance, finish
from tcsim.report.render import markdown, render_html, render_markdown, rich_html, rich_markdown, sort_value
from tcsim.report.settings import Built, Rolled
from tcsim.report.write import write

WEAPONS = ("bolt-action-rifle", "submachine-gun", "malebranche-sword", "sword-axe", "anti-materiel-rifle")
#: What makes a question: armour that comes to the same against a weapon asks the same.


def settings_of(frame: pd.DataFrame, edition: str = "1.6.3", spend: str = "greedy") -> Settings:
    trials = int(frame.trials.iloc[0]) if "trials" in frame else 0
    return Settings(catalog(edition), tuple(frame.weapon.unique()), spend, trials, 4)


PROVENANCE = Provenance(
    (catalog("1.6.3"),), ("tcsim", "report", "kill-odds", "--trials", "200", "--seed", "4"), Rolled(200, 4)
)


def build(frame: pd.DataFrame, settings: Settings) -> Report:
    """The report as it is written."""
    return finish(compose(frame, settings), PROVENANCE, [("report.md", "as text")])


def put(frame: pd.DataFrame, folder: Path, provenance: Provenance = PROVENANCE) -> Path:
    return write(Built(compose(frame, settings_of(frame)), {"cells": frame}), provenance, folder)


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return kill_odds(WEAPONS, blood=(0, 3, 6), attacks=(1, 2, 3), trials=200, seed=4)


@pytest.fixture(scope="module")
def written(frame: pd.DataFrame, tmp_path_factory: pytest.TempPathFactory) -> Path:
    page = put(frame, tmp_path_factory.mktemp("report") / "new" / "folder")
    assert page.name == "index.html"
    return page.parent


@pytest.fixture(scope="module")
def page(written: Path) -> str:
    return (written / "index.html").read_text(encoding="utf-8")


class Tree(HTMLParser):
    """A page as it is nested: every mistake in nesting, every attribute, and the text of cells."""

    VOID = frozenset({"meta", "br", "input", "link", "img", "hr"})

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.mistakes: list[str] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.tables: dict[str, list[list[list[str]]]] = {}
        self.words: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)
        self.attributes += [(tag, name, value or "") for name, value in attrs]
        if tag == "table":
            self.table = self.tables.setdefault(dict(attrs)["id"] or "", [])
        if tag == "tr":
            self.table.append([])
        if tag in ("td", "th"):
            self.table[-1].append([])

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += [(tag, name, value or "") for name, value in attrs]

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.mistakes.append(f"</{tag}> at {self.getpos()}")

    def handle_data(self, text: str) -> None:
        if "table" in self.open and text.strip():
            self.table[-1][-1].append(text)
        if not {"style", "script"} & set(self.open):
            self.words.append(text)

    def of(self, name: str) -> list[str]:
        return [value for _, found, value in self.attributes if found == name]


def test_tree_finds_mistakes() -> None:
    assert Tree("<p><b></p></b>").mistakes
    assert Tree("<p>a<br><b>c</b></p>").mistakes == []


def plain(text: Rich) -> str:
    return "".join(part if isinstance(part, str) else part.text for part in text)


def test_page_is_well_formed(page: str) -> None:
    tree = Tree(page)
    assert tree.mistakes == []
    assert tree.open == []
    ids = tree.of("id")
    assert len(ids) == len(set(ids))
    assert len(ids) > 100
    for name in ("aria-labelledby",):
        assert set(tree.of(name)) <= set(ids)
    assert {href[1:] for href in tree.of("href") if href.startswith("#")} <= set(ids)
    assert {one for value in re.findall(r"url\(#([^)]+)\)", page) for one in [value]} <= set(ids)
    assert page.startswith("<!DOCTYPE html>")
    assert page.index("<h1") < page.index("<h2") < page.index("<h3")


def test_page_loads_nothing(page: str, written: Path) -> None:
    tree = Tree(page)
    policy = next(value for tag, name, value in tree.attributes if tag == "meta" and name == "content")
    script = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    assert len(script) == 1
    digest = base64.b64encode(hashlib.sha256(script[0].encode()).digest()).decode()
    assert policy.split("; ") == [
        "default-src 'none'", "style-src 'unsafe-inline'", f"script-src 'sha256-{digest}'", "base-uri 'none'",
        "form-action 'none'",
    ]  # fmt: skip
    assert tree.of("src") == tree.of("srcset") == tree.of("action") == []
    tags = {tag for tag, _, _ in tree.attributes}
    assert not tags & {"link", "img", "iframe", "object", "embed", "base"}
    assert not [name for _, name, _ in tree.attributes if name.startswith("on")]
    assert "http:" not in page.replace("http-equiv", "")
    assert "https:" not in page
    assert "@import" not in page
    for href in tree.of("href"):
        assert href.startswith("#") or (written / href).is_file(), href


def test_page_order_and_footer(page: str) -> None:
    heads = [html.unescape(text) for text in re.findall(r"<h2>(.*?)</h2>", page)]
    assert heads == [
        "Every weapon", "What changes the odds", "Exact and rolled", "How it was computed", "All numbers",
        "Where this report comes from",
    ]  # fmt: skip
    assert UNOFFICIAL in page[page.index("<footer>") :]
    assert f"tcsim {__version__}" in page
    assert "tcsim report kill-odds --trials 200 --seed 4</code>" in page


def test_dark_page_has_every_colour(page: str) -> None:
    css = page[page.index("<style>") : page.index("</style>")]
    used = set(re.findall(r"var\(--([\w-]+)\)", page)) - {"sans"}
    for part in (css[css.index(":root {") : css.index("@media")], css[css.index('[data-theme="dark"] {') :]):
        defined = set(re.findall(r"--([\w-]+): #", part[: part.index("}")]))
        assert used <= defined
    assert "prefers-color-scheme: dark" in css


def rows_of(frame: pd.DataFrame, **where: Any) -> pd.DataFrame:
    for column, value in where.items():
        frame = frame[frame[column] == value]
    return frame


def test_summary_numbers(page: str, frame: pd.DataFrame) -> None:
    table = Tree(page).tables["t-weapons"]
    own = frame[frame.critical == frame.weapon_id.isin(["sword-axe", "anti-materiel-rifle"])]
    lines = {row[0][0]: [cell[0] for cell in row[1:]] for row in table[2:]}
    assert set(lines) == set(frame.weapon)
    means = []
    for weapon, cells in lines.items():
        base = rows_of(own, weapon=weapon, shield=False, tough=False, attacks=1, blood=0).set_index("armour").p_out
        four = [percent(base[armour]) for armour in ("none", "standard", "reinforced", "machine")]
        bloody = rows_of(own, weapon=weapon, shield=False, tough=False, attacks=1, blood=6, armour="standard")
        tough = rows_of(own, weapon=weapon, shield=False, tough=True, attacks=2, blood=0, armour="standard")
        both = rows_of(frame, weapon=weapon, shield=False, tough=False, attacks=1, blood=0, armour="standard")
        gain = both[both.critical].p_out.item() - both[~both.critical].p_out.item()
        assert cells == [
            own[own.weapon == weapon].kind.iloc[0], *four, percent(bloody.p_out.item()), percent(tough.p_out.item()),
            f"+{100 * gain:.2f}",
        ]  # fmt: skip
        means.append(base.mean())
    assert means == sorted(means, reverse=True)


def test_every_cell_of_a_weapon(page: str, frame: pd.DataFrame) -> None:
    tables = Tree(page).tables
    names = re.findall(r'id="c-(cells-[\w-]+)">(.*?), (as the books have it|CRITICAL added|CRITICAL taken away)', page)
    assert len(names) == 2 * len(WEAPONS)
    shields = {"Shield": ("none", True), "No armour": ("none", False), "Standard": ("standard", False)}
    seen = 0
    for name, weapon, what in names:
        has_it = weapon in ("Sword / Axe", "Anti-Materiel Rifle")
        critical = {"as the books have it": has_it, "CRITICAL added": True, "CRITICAL taken away": False}[what]
        own = rows_of(frame, weapon=html.unescape(weapon), critical=critical)
        for row in tables[f"t-{name}"][2:]:
            if row[0][0] == "any":
                armour, shield = "reinforced", True
            else:
                known = [shields[label] for label in row[0][1].split(", ") if label in shields]
                if not known:
                    continue
                armour, shield = known[-1]
            cells = [
                rows_of(own, armour=armour, shield=shield, blood=int(row[1][0]), attacks=times, tough=tough)
                for times in (1, 2)
                for tough in (False, True)
            ]
            for texts, cell in zip(row[2:], cells, strict=True):
                one = cell.iloc[0]
                rolled = f"{percent(one.out_count / one.trials)} ({percent(one.out_low)}–{percent(one.out_high)})"
                assert texts == [percent(one.p_out), rolled]
                seen += 1
    assert seen == 2 * (4 * 2 * 3 + 1 * 3) * 4


def test_findings_are_recomputed(frame: pd.DataFrame) -> None:
    lead = build(frame, settings_of(frame)).lead[0]
    assert isinstance(lead, Points)
    found = [plain(item) for item in lead.items]
    own = frame[frame.critical == frame.weapon_id.isin(["sword-axe", "anti-materiel-rifle"])]
    base = rows_of(own, shield=False, tough=False, attacks=1, blood=0).pivot(
        index="weapon", columns="armour", values="p_out"
    )
    light, heavy = base.none.idxmax(), base.machine.idxmax()
    number = {5: "five", 6: "six"}[len(base)]
    assert found[0] == (
        f"One attack on a fresh target: of the {number} weapons looked at, the {light} takes it out of action "
        f"most often without armour ({percent(base.none.max())}), "
        f"the {heavy} in Machine Armour ({percent(base.machine.max())})."
    )
    ratio = (base.none / base.machine).drop("Anti-Materiel Rifle")
    assert found[1] == (
        f"Machine Armour divides the chance of one attack by {ratio.min():.1f} to {ratio.max():.1f}; "
        "it does nothing against the Anti-Materiel Rifle."
    )
    standard = rows_of(own, shield=False, armour="standard")
    bloody = rows_of(standard, tough=False, attacks=1).pivot(index="weapon", columns="blood", values="p_out")
    more = 100 * (bloody[6] - bloody[0])
    span = f"{more.min():.1f} to {more.max():.1f} points"
    assert found[2] == f"Six blood markers on the target add {span} to one attack on Standard Armour."
    two = rows_of(standard, attacks=2, blood=0)
    spans = [f"{percent(p.min(), 0)} to {percent(p.max(), 0)}" for _, p in two.groupby("tough").p_out]
    assert found[3] == (
        f"Two attacks take out {spans[0]} of ordinary targets in Standard Armour, and {spans[1]} of TOUGH ones."
    )
    assert found[4] == "A shield protects exactly as much as one class of armour."
    assert found[5].startswith(
        "CRITICAL adds at most 0.8 points to one attack on a fresh target, with the Submachine Gun"
    )
    assert found[6].startswith("Exact and rolled results agree: ")
    uneven = frame.assign(p_out=frame.p_out.where(~frame.shield, frame.p_out * 0.999))
    others = build(uneven, settings_of(uneven)).lead[0]
    assert isinstance(others, Points)
    assert not [item for item in others.items if "shield" in plain(item)]


def test_agreement_section(page: str, frame: pd.DataFrame) -> None:
    facts = {row[0][0]: row[1][0] for row in Tree(page).tables["t-agreement"] if row}
    once = frame.drop_duplicates("question")
    assert facts["Different questions rolled"] == f"{len(once):,}"
    assert facts["Trials for each"] == "200"
    judged = sum(((200 * once[p] >= 10) & (200 * (1 - once[p]) >= 10)).sum() for p in ("p_out", "p_down"))
    assert facts["Chances judged"] == f"{judged:,}"
    assert facts["Expected outside, if all dice are fair"] == f"{judged / 20:,.1f}"
    assert facts["Counts that cannot be"] == "0"
    words = " ".join(Tree(page).words)
    assert "Wilson" in words
    assert "Clopper" in words


def test_method_follows_edition_and_policy(frame: pd.DataFrame) -> None:
    new = render_markdown(build(frame, settings_of(frame)))
    assert "not of New Antioch: a Down result stays Down" in new
    assert "every attack one injury die" in new
    assert "best chance of taking the target out of action" in new
    old = render_markdown(build(frame, settings_of(frame, edition="1.0.2", spend="none")))
    assert "Machine Armour turns a Down result into a Minor Hit" in old
    assert "melee attacks one injury die" in old
    assert "never spent" in old
    other = render_markdown(build(frame, settings_of(frame, spend="my-own")))
    assert "by the policy my-own" in other


def test_csv_holds_every_number(written: Path, frame: pd.DataFrame) -> None:
    with (written / "data" / "cells.csv").open(encoding="utf-8", newline="") as file:
        head, *lines = csv.reader(file)
    assert head == list(frame)
    assert len(lines) == len(frame)
    for column, name in enumerate(head):
        wanted = frame[name].tolist()
        if isinstance(wanted[0], float):
            assert [float(line[column] or "nan") for line in lines] == pytest.approx(wanted, rel=0, abs=0, nan_ok=True)
        else:
            assert [line[column] for line in lines] == [str(value) for value in wanted]


def test_markdown_twin(written: Path, page: str) -> None:
    text = (written / "report.md").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert "figures/heat.png" in links
    assert all((written / link).is_file() for link in links)
    assert len([link for link in links if link.endswith(".png")]) == page.count("<figure ")
    assert UNOFFICIAL in text
    assert "**Edition:** Trench" in text
    blocks = re.findall(r"(?:^\|.*\n)+", text, re.MULTILINE)
    assert len(blocks) == page.count("<table ")
    for block in blocks:
        assert len({line.count("|") - line.count("\\|") for line in block.splitlines()}) == 1
    for item in re.findall(r"<li>(.*?)</li>", page)[:6]:
        words = html.unescape(re.sub(r"</?strong>", "**", item))
        assert f"- {words}" in text


def test_same_bytes(frame: pd.DataFrame, written: Path, page: str) -> None:
    files = [
        ("data/cells.csv", f"{len(frame):,} rows, {frame.shape[1]} columns"),
        ("report.md", "is this report as text."),
    ]
    again = finish(compose(frame.copy(), settings_of(frame)), PROVENANCE, files)
    assert render_html(again) == page
    assert render_markdown(again) == (written / "report.md").read_text(encoding="utf-8")
    for figure in again.figures()[1:3]:
        axes = figure.draw(False)
        assert png(axes) == (written / "figures" / f"{figure.name}.png").read_bytes()
        assert svg(axes) == (written / "figures" / f"{figure.name}.svg").read_bytes()
    found = [path for path in written.rglob("*") if path.is_file()]
    assert {path.stem for path in found if path.suffix == ".png"} == {figure.name for figure in again.figures()}
    assert {path.suffix for path in found} == {".html", ".md", ".csv", ".png", ".svg"}
    assert (written / "index.html").stat().st_mode & 0o777 == 0o644


def test_same_bytes_on_any_day_in_any_process(tmp_path: Path) -> None:
    """Two processes with other hashes, clocks and folders write the same files."""
    words = [sys.executable, "-m", "tcsim", "report", "armour", "--demo", "--edition", "1.6.3", "--out"]
    started = []
    for number, (name, zone) in enumerate((("one", "Asia/Seoul"), ("another/place", "America/Lima")), start=1):
        more = {"PYTHONHASHSEED": str(number), "TZ": zone, "HOSTNAME": name, "SOURCE_DATE_EPOCH": str(number)}
        started.append(subprocess.Popen([*words, str(tmp_path / name)], env=os.environ | more))
    assert [one.wait() for one in started] == [0, 0]
    one, other = tmp_path / "one", tmp_path / "another" / "place"
    files = sorted(path.relative_to(one) for path in one.rglob("*.*"))
    assert files == sorted(path.relative_to(other) for path in other.rglob("*.*"))
    assert [path for path in files if (one / path).read_bytes() != (other / path).read_bytes()] == []
    assert {path.suffix for path in files} == {".html", ".md", ".csv", ".png", ".svg"}
    for path in files:
        assert str(tmp_path).encode() not in (one / path).read_bytes()


def test_where_it_comes_from(page: str, written: Path) -> None:
    facts = {row[0][0]: row[1][0] for row in Tree(page).tables["t-provenance"] if row}
    assert facts["Version of tcsim"] == __version__
    assert facts["Catalogue of 1.6.3, SHA-256"] == fingerprint(catalog("1.6.3"))
    assert (facts["Trials for each"], facts["Seed"], facts["Version of the dice stream"]) == ("200", "4", "2")
    libraries = dict(one.split() for one in facts["Libraries"].split(", "))
    assert libraries == {name: metadata.version(name) for name in ("matplotlib", "numpy", "pandas", "pillow")}
    for value in facts.values():  # and the same in Markdown
        assert value in (written / "report.md").read_text(encoding="utf-8")


def test_the_fingerprint_of_a_catalogue_is_that_of_its_rows(tmp_path: Path) -> None:
    plain = catalog("1.6.3")
    assert re.fullmatch("[0-9a-f]{64}", fingerprint(plain))
    assert fingerprint(plain) == fingerprint(replace(plain, more=()))
    row = plain.weapon("sword-axe")
    assert fingerprint(replace(plain, more=(row,))) == fingerprint(plain)  # the same row in the place of itself
    assert fingerprint(replace(plain, more=(replace(row, injury_dice=row.injury_dice + 1),))) != fingerprint(plain)
    own = {}
    for name, text in (("a", 'bloodbath = "add"'), ("b", 'bloodbath = "keep"')):
        path = tmp_path / f"{name}.toml"
        path.write_text(f'edition = "1.6.3"\n[options]\n{text}\n', encoding="utf-8")
        own[name] = fingerprint(catalog("1.6.3", path))
    assert own["a"] != own["b"]
    assert fingerprint(plain) in own.values()  # one of both is the default, and the name of the file is no rule


def test_all_reports_and_the_page_above_them(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two kinds, one about one edition and one about all, with one weapon; `make pages` has every kind in full."""
    kinds = [kind for kind in KINDS if kind.name in ("kill-odds", "markers")]
    monkeypatch.setattr("tcsim.cli.report.KINDS", kinds)
    monkeypatch.setattr("tcsim.report.kill_odds.DEFAULT_WEAPONS", ("sword-axe",))
    monkeypatch.setattr("tcsim.report.markers.WEAPONS", ("sword-axe",))
    words = ["--edition", "1.0.2", "--plain", "--trials", "0", "--out", str(tmp_path)]
    assert main(["report", "all", *words]) == 0
    pages = [f"{tmp_path / kind.name / 'index.html'}" for kind in kinds]
    assert capsys.readouterr().out.split() == [*pages, f"{tmp_path / 'index.html'}"]
    above = Tree((tmp_path / "index.html").read_text(encoding="utf-8"))
    assert above.mistakes == []
    links = [href for href in above.of("href") if not href.startswith("#")]
    assert [link for link in links if link.endswith("/index.html")] == [f"{kind.name}/index.html" for kind in kinds]
    assert all((tmp_path / link).is_file() for link in links)
    said = " ".join("".join(above.words).split())
    for kind in kinds:
        text = (tmp_path / kind.name / "report.md").read_text(encoding="utf-8")
        assert f"    tcsim report {kind.name} " in text
        assert "--plain" in text
        assert not list((tmp_path / kind.name).rglob("*.png"))
        assert text.splitlines()[0].removeprefix("# ") in said
        [first, *_] = re.findall(r"^- (.*)$", text, re.MULTILINE)
        assert re.sub(r"[*\\]", "", first) in said
    assert "tcsim report kill-odds --trials 0 --edition 1.0.2 --plain" in (
        tmp_path / "kill-odds" / "report.md"
    ).read_text(encoding="utf-8")


def test_parquet_needs_its_library(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["report", "markers", "--parquet", "--out", str(tmp_path / "out")]) == 2
    assert capsys.readouterr().err == (
        'tcsim: --parquet: the library pyarrow is not installed; pip install "tcsim[parquet]" gives it\n'
    )
    assert not (tmp_path / "out").exists()


def test_numbers_by_which_cells_are_sorted() -> None:
    number, words = Column("n"), Column("w", number=False)
    texts = {
        "12.5%": 12.5,
        "<0.01%": 0.01,
        "−3": -3.0,
        "+4.5": 4.5,
        "1,234": 1234.0,
        "—": None,
        "": None,
        "6 blood": 6.0,
    }
    assert {text: sort_value(Cell(text), number) for text in texts} == texts
    assert sort_value(Cell("5%", value=0.05), number) == 0.05
    assert sort_value(Cell("5"), words) is None
    assert sort_value(Cell("never", value=float("nan")), number) is None
    assert sort_value(Cell("never", value=float("inf")), number) == float("inf")


def test_escaping() -> None:
    assert str(rich_html(("<b>", Strong("&"), Code("`")))) == "&lt;b&gt;<strong>&amp;</strong><code>`</code>"
    assert str(rich_markdown(("a_b ", Strong("*c*"), " d ", Code("e`f")))) == "a\\_b **\\*c\\*** d `e'f`"
    assert str(markdown("1 < 2\n| 3")) == "1 &lt; 2 \\| 3"


def test_blocks_of_any_report() -> None:
    table = Table("t", "caption", (Column("a", number=False), Column("b", "g"), Column("c", "g")),
                  (Row((Cell("x"), Cell("1", "under"), Cell("2", value=2.0, bar=0.5))),))  # fmt: skip
    assert table.groups == (("", 1, False), ("g", 2, False))
    report = Report("T", "k", (), (Section("S", "s", "s", (Folded("more", (table,)),)),), ("end",))
    page, text = render_html(report), render_markdown(report)
    assert Tree(page).mistakes == []
    assert '<span class="bar" style="width:36.0px">' in page
    assert "| x | 1 · under | 2 |" in text
    assert report.figures() == ()


GRIDS: dict[str, dict[str, Any]] = {
    "one cell each": {"weapons": ["sword-axe"], "blood": [0], "attacks": [1]},
    "no fresh target": {"weapons": ["bolt-action-rifle", "flamethrower"], "blood": [2], "attacks": [2, 4]},
    "nothing rolled": {"weapons": list(WEAPONS), "blood": [0, 6], "attacks": [1]},
}


@pytest.mark.parametrize("grid", GRIDS)
def test_small_grids(grid: str) -> None:
    frame = kill_odds(**GRIDS[grid])
    report = build(frame, settings_of(frame))
    page, text = render_html(report), render_markdown(report)
    tree = Tree(page)
    assert tree.mistakes == []
    assert len(tree.of("id")) == len(set(tree.of("id")))
    assert "Exact and rolled" not in page
    assert "nothing rolled" in page
    assert "Rolled:" not in text
    assert "nan" not in "".join(tree.words).lower().split()
    attacks = data.values(frame, "attacks")
    assert ("fig-attacks" in page) is (len(attacks) > 1)
    names = frame.weapon.unique()
    assert (f"Kill odds of the {names[0]}" in page) is (len(names) == 1)


def test_an_interrupted_run_leaves_no_page(
    frame: pd.DataFrame, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = rows_of(frame, weapon="Sword / Axe", attacks=1)
    (tmp_path / "index.html").write_text("of an older run")

    def stop(*_: object) -> bytes:
        raise KeyboardInterrupt

    monkeypatch.setattr("tcsim.report.write.svg", stop)
    with pytest.raises(KeyboardInterrupt):
        put(small, tmp_path)
    assert (tmp_path / "data" / "cells.csv").is_file()
    assert not (tmp_path / "index.html").exists()
    assert not list(tmp_path.rglob(".*"))


def test_no_global_state() -> None:
    code = "import sys, tcsim.report.kill_odds; sys.exit('matplotlib.pyplot' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_report_is_data_that_does_not_change(frame: pd.DataFrame) -> None:
    report = build(frame, settings_of(frame))
    with pytest.raises(AttributeError):
        report.title = "other"  # type: ignore[misc]
    columns = list(frame)
    build(frame, settings_of(frame))
    assert list(frame) == columns  # nor does the frame
