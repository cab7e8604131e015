"""Every page in a browser: nothing complains, nothing is cut off, tables sort and filter, paper holds all of it.

These need Chromium and a Korean font, and fail without them: `make pages`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import browser
import pandas as pd
import pytest

from tcsim.cli import main

pytestmark = pytest.mark.pages

ROOT = Path(__file__).parent.parent
BUILD = ROOT / "build" / "browser"
MADE = BUILD / "made"

#: Pages that are made for this: what is asked for, and a word that names it.
REPORTS = {
    "en/all": ["all", "--trials", "2000"],
    "ko/kill-odds": ["kill-odds", "--trials", "2000", "--blood", "0,3,6", "--lang", "ko"],
    "ko/markers": ["markers", "--lang", "ko"],
}


def every_page() -> list[Path]:
    """The pages that are made here, those that were made before, and those of the documentation where it is built."""
    folders = (MADE, ROOT / "reports", ROOT / "build" / "docs")
    return sorted(page for folder in folders for page in folder.rglob("*.html"))


@pytest.fixture(scope="session")
def made() -> None:
    """Make the reports; a browser and the letters are looked for first."""
    browser.program("chromium", "chromium-browser", "google-chrome")
    browser.program("chromedriver")
    browser.check_korean_font()
    for folder, words in REPORTS.items():
        assert main(["report", *words, "--out", str(MADE / folder)]) == 0


@pytest.fixture(scope="session")
def driver(made: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with browser.chromium(tmp_path_factory.mktemp("profile")) as one:
        yield one


def is_report(page: Path) -> bool:
    return (page.parent / "report.md").is_file()


def shown(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", browser.SIZES)
def test_nothing_complains_and_nothing_is_cut_off(driver: Any, size: str, scheme: str) -> None:
    pages = every_page()
    assert len([page for page in pages if is_report(page)]) >= 5
    wrong = []
    for page in pages:
        browser.look(driver, page, size, scheme)
        wide, window = driver.execute_script(
            "return [document.documentElement.scrollWidth, document.documentElement.clientWidth]"
        )
        if wide > window:
            wrong.append(f"{shown(page)}: {wide} px wide in {window}")
        wrong += [f"{shown(page)}: {one}" for one in browser.complaints(driver)]
        if is_report(page):
            browser.picture(driver, BUILD / "pictures" / f"{shown(page.parent).replace('/', '-')}-{size}-{scheme}.png")
    assert wrong == []


def test_the_checks_of_the_browser_find_what_they_look_for(driver: Any, tmp_path: Path) -> None:
    policy = "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src 'self'\">"
    page = tmp_path / "bad.html"
    page.write_text(f"<html><head>{policy}</head><p style='width:2000px'>x<script>1</script></html>")
    browser.look(driver, page, "phone")
    assert len([one for one in browser.complaints(driver) if "Content Security Policy" in one]) >= 2
    page.write_text("<!doctype html><div style='width:2000px'>x</div><script>nothing()</script>")
    browser.look(driver, page, "phone")
    assert [one for one in browser.complaints(driver) if "nothing is not defined" in one]
    assert driver.execute_script("return document.documentElement.scrollWidth") >= 2000


ORDER = """
const table = document.getElementById(arguments[0]);
return Array.from(table.tBodies[0].rows, (row) => Number(row.dataset.was));
"""
NUMBERED = """
for (const table of document.querySelectorAll("table")) {
  Array.from(table.tBodies[0].rows).forEach((row, i) => { row.dataset.was = i; });
}
"""
CLICK = """
const head = document.getElementById(arguments[0]).querySelectorAll("thead tr:last-child th")[arguments[1]];
head.querySelector("button").click();
return head.getAttribute("aria-sort");
"""


def test_every_table_sorts_by_every_column(driver: Any) -> None:
    sorted_columns = 0
    for page in filter(is_report, every_page()):
        browser.look(driver, page, "desktop")
        driver.execute_script(NUMBERED)
        for name, table in browser.Page(page).tables.items():
            if not table.sortable:
                continue
            where = f"{shown(page)}, {name}"
            for column, (_, numeric) in enumerate(table.heads):
                seen = []
                for wanted in ("descending", "ascending") if numeric else ("ascending", "descending"):
                    before = driver.execute_script(ORDER, name)
                    assert driver.execute_script(CLICK, name, column) == wanted, where
                    order = driver.execute_script(ORDER, name)
                    assert sorted(order) == list(range(len(table.rows))), where
                    if numeric:
                        keys = [table.rows[i][column][1] for i in order]
                        right = table.sorted_by(column, wanted == "descending")
                        assert keys == [table.rows[i][column][1] for i in right], (where, column)
                    seen.append([table.rows[i][column][0].strip() for i in order])
                    assert before is not order
                if not numeric:  # whatever the order of words: they are in runs, and down is up turned round
                    runs = [[text for i, text in enumerate(one) if i == 0 or one[i - 1] != text] for one in seen]
                    assert len(runs[0]) == len(set(runs[0])), (where, column)
                    assert runs[0] == runs[1][::-1], (where, column)
                    plain = [text for text in runs[0] if re.fullmatch(r"[A-Za-z ]+", text)]
                    assert plain == sorted(plain, key=str.casefold), (where, column)
                sorted_columns += 1
    assert sorted_columns > 40


def test_sorting_by_keyboard(driver: Any) -> None:
    from selenium.webdriver.common.keys import Keys

    browser.look(driver, MADE / "en" / "all" / "kill-odds" / "index.html", "desktop")
    button = driver.find_element("css selector", "#t-weapons thead tr:last-child th.n button")
    head = "return arguments[0].closest('th').getAttribute('aria-sort')"
    states = [driver.execute_script(head, button)]
    for key in (Keys.ENTER, Keys.SPACE, Keys.ENTER):
        button.send_keys(key)
        states.append(driver.execute_script(head, button))
    assert states == ["none", "descending", "ascending", "descending"]
    assert (
        driver.execute_script("return document.querySelectorAll('#t-weapons [aria-sort]:not([aria-sort=none])').length")
        == 1
    )


VISIBLE = """
return Array.from(document.querySelectorAll("#" + arguments[0] + " tbody tr"))
  .map((row, i) => row.hidden ? -1 : i).filter((i) => i >= 0);
"""
SET = """
const field = document.querySelector(arguments[0]);
field.value = arguments[1];
field.dispatchEvent(new Event("input", { bubbles: true }));
"""


def test_search_and_filters_hide_the_right_rows(driver: Any) -> None:
    searched = filtered = 0
    for page in filter(is_report, every_page()):
        browser.look(driver, page, "desktop")
        tables = browser.Page(page).tables
        for field in driver.find_elements("css selector", "input[data-search]"):
            name = "t-" + field.get_attribute("data-search")
            rows = tables[name].rows
            for words in (rows[0][0][0], rows[-1][0][0][:3].upper(), "no such thing", ""):
                driver.execute_script(SET, f'input[data-search="{name[2:]}"]', words)
                wanted = [i for i, row in enumerate(rows) if words.lower() in "".join(text for text, _ in row).lower()]
                assert driver.execute_script(VISIBLE, name) == wanted, (shown(page), name, words)
                searched += 1
        for number in range(len(driver.find_elements("css selector", "select[data-filter]"))):
            inside = "const one = document.querySelectorAll('select[data-filter]')[arguments[0]];"
            tag, values, names = driver.execute_script(
                inside + "return [one.dataset.filter, Array.from(one.options, (o) => o.value),"
                "Array.from(one.closest('section').querySelectorAll('table'), (t) => t.id)];", number,
            )  # fmt: skip
            for value in [*values[1:], values[0]]:
                chosen = "one.value = arguments[1]; one.dispatchEvent(new Event('input', { bubbles: true }));"
                driver.execute_script(inside + chosen, number, value)
                for name in names:
                    tags = tables[name].tags
                    wanted = [
                        i for i, row in enumerate(tags) if not value or tag not in row or value in row[tag].split()
                    ]
                    assert driver.execute_script(VISIBLE, name) == wanted, (shown(page), name, tag, value)
                    filtered += 1
    assert searched > 3
    assert filtered > 20


def test_rolled_reports_and_parquet_are_the_same_in_any_process(tmp_path: Path) -> None:
    """Two processes with other hashes, clocks and threads write the same; and Parquet has names as given."""
    own = tmp_path / "own.toml"
    own.write_text('edition = "1.6.3"\n[[weapon]]\nid = "h"\nname = "=cmd()"\nkind = "melee"\n', encoding="utf-8")
    words = ["report", "kill-odds", "--weapon", "h", "--blood", "0,3", "--trials", "2000", "--parquet"]
    words = [sys.executable, "-m", "tcsim", *words, "--catalog", str(own), "--out"]
    started = []
    for number, (name, zone) in enumerate((("one", "Asia/Seoul"), ("another/place", "America/Lima")), start=1):
        more = {"PYTHONHASHSEED": str(number), "TZ": zone, "NUMBA_NUM_THREADS": str(number)}
        started.append(subprocess.Popen([*words, str(tmp_path / name)], env=os.environ | more))
    assert [one.wait() for one in started] == [0, 0]
    one, other = tmp_path / "one", tmp_path / "another" / "place"
    files = sorted(path.relative_to(one) for path in one.rglob("*.*"))
    assert {path.suffix for path in files} == {".html", ".md", ".csv", ".parquet", ".png", ".svg"}
    assert [path for path in files if (one / path).read_bytes() != (other / path).read_bytes()] == []
    cells = pd.read_parquet(one / "data" / "cells.parquet")
    assert set(cells["weapon"]) == {"=cmd()"}
    table = pd.read_csv(one / "data" / "cells.csv", keep_default_na=False, na_values=[""])
    assert set(table["weapon"]) == {"'=cmd()"}
    pd.testing.assert_frame_equal(table.drop(columns="weapon"), cells.drop(columns="weapon"), check_dtype=False)


def test_links_lead_somewhere(made: None) -> None:
    broken = []
    for page in every_page():
        told = browser.Page(page)
        for link in told.links:
            path, _, anchor = link.partition("#")
            if re.match(r"[a-z]+:", link):
                continue
            there = (page.parent / path.partition("?")[0]).resolve() if path else page
            ids = (
                told.ids
                if not path
                else browser.Page(there).ids
                if there.suffix == ".html" and there.is_file()
                else set()
            )
            if not there.exists() or (anchor and there.suffix == ".html" and anchor not in ids):
                broken.append(f"{shown(page)}: {link}")
    assert broken == []


CLIPPED = """
const wide = (one) => one.scrollWidth > one.clientWidth + 1;
const boxes = Array.from(document.querySelectorAll(".scroll, pre, section"));
return boxes.filter(wide).map((one) => one.outerHTML.slice(0, 80));
"""
FOLD = "return [document.querySelectorAll('details').length, document.querySelectorAll('details[open]').length]"


def test_paper_holds_everything(driver: Any) -> None:
    for page in filter(is_report, every_page()):
        browser.look(driver, page, "desktop", "dark")
        first = "const one = document.querySelector('input[data-search]'); if (one) { one.value = 'no such thing'; " \
            "one.dispatchEvent(new Event('input', { bubbles: true })); }"  # fmt: skip
        driver.execute_script(first)
        pdf = browser.printed(driver)
        assert pdf.startswith(b"%PDF")
        sheets = len(re.findall(rb"/Type\s*/Page\b", pdf))
        rows = sum(len(table.rows) for table in browser.Page(page).tables.values())
        assert 1 + rows // 90 <= sheets <= 12 + rows // 8, (shown(page), sheets, rows)
        paper = BUILD / "paper" / f"{shown(page.parent).replace('/', '-')}.pdf"
        paper.parent.mkdir(parents=True, exist_ok=True)
        paper.write_bytes(pdf)
        folded, left_open = driver.execute_script(FOLD)
        assert left_open == 0, (shown(page), folded)  # as it was before printing
        # A4 between its margins, as the printer lays it out
        metrics = {"width": 703, "height": 1000, "deviceScaleFactor": 1, "mobile": False}
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        driver.execute_script("for (const one of document.querySelectorAll('details')) { one.open = true; }")
        assert driver.execute_script(CLIPPED) == [], shown(page)
        hidden = "return Array.from(document.querySelectorAll('tbody tr')).filter((row) => !row.offsetHeight).length"
        assert driver.execute_script(hidden) == 0, shown(page)
        tools = (
            "return Array.from(document.querySelectorAll('.needs-script, nav')).filter((o) => o.offsetHeight).length"
        )
        assert driver.execute_script(tools) == 0, shown(page)
        paint = "return getComputedStyle(document.body).backgroundColor"
        assert driver.execute_script(paint) == "rgb(255, 255, 255)", shown(page)


def test_the_switch_turns_the_page_and_is_remembered(driver: Any) -> None:
    page = MADE / "en" / "all" / "index.html"
    paint = "return getComputedStyle(document.body).backgroundColor"
    browser.look(driver, page, "desktop", "light")
    driver.execute_script("localStorage.clear()")
    before = driver.execute_script(paint)
    driver.find_element("id", "theme").click()
    turned = driver.execute_script(paint)
    assert before != turned
    browser.look(driver, page.parent / "markers" / "index.html", "desktop", "light")
    assert driver.execute_script(paint) == turned
    driver.find_element("id", "theme").click()
    assert driver.execute_script(paint) == before
    driver.execute_script("localStorage.clear()")


def test_readable_without_script(driver: Any) -> None:
    page = MADE / "en" / "all" / "kill-odds" / "index.html"
    driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        browser.look(driver, page, "phone")
        document = driver.execute_cdp_cmd("DOM.getDocument", {"depth": -1})["root"]["nodeId"]
        found = driver.execute_cdp_cmd("DOM.querySelectorAll", {"nodeId": document, "selector": ".needs-script"})
        assert found["nodeIds"]
        for node in found["nodeIds"]:
            with pytest.raises(Exception, match="Could not compute box model"):
                driver.execute_cdp_cmd("DOM.getBoxModel", {"nodeId": node})
        rows = driver.execute_cdp_cmd("DOM.querySelectorAll", {"nodeId": document, "selector": "#t-weapons tbody tr"})
        for node in rows["nodeIds"]:
            assert driver.execute_cdp_cmd("DOM.getBoxModel", {"nodeId": node})["model"]["height"] > 0
    finally:
        driver.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


def test_the_first_column_stays_on_a_phone(driver: Any) -> None:
    browser.look(driver, MADE / "en" / "all" / "kill-odds" / "index.html", "phone")
    places = driver.execute_script("""
        const box = document.getElementById("t-weapons").closest(".scroll");
        const cells = box.querySelector("tbody tr").cells;
        const before = [cells[0].getBoundingClientRect().left, cells[2].getBoundingClientRect().left];
        box.scrollLeft = 120;
        return [...before, cells[0].getBoundingClientRect().left, cells[2].getBoundingClientRect().left];
    """)
    assert places[0] == places[2]
    assert places[3] < places[1] - 100


def test_korean_pages_have_their_letters(driver: Any) -> None:
    for page in (MADE / "ko" / "kill-odds" / "index.html", MADE / "ko" / "markers" / "index.html"):
        browser.look(driver, page, "phone")
        driver.execute_cdp_cmd("DOM.enable", {})
        driver.execute_cdp_cmd("CSS.enable", {})
        document = driver.execute_cdp_cmd("DOM.getDocument", {"depth": -1})["root"]["nodeId"]
        for selector in ("h1", "#table h2", "svg text"):
            node = driver.execute_cdp_cmd("DOM.querySelector", {"nodeId": document, "selector": selector})["nodeId"]
            fonts = driver.execute_cdp_cmd("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
            assert fonts, selector
        families = {
            font["familyName"]
            for node in driver.execute_cdp_cmd(
                "DOM.querySelectorAll", {"nodeId": document, "selector": "h1, h2, li, text"}
            )["nodeIds"]
            for font in driver.execute_cdp_cmd("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        }
        assert re.search("CJK|Nanum|Malgun|Baekmuk|Un ?Dotum|Source Han", " ".join(families)), families
