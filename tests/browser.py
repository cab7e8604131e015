"""Pages in a browser, for `make pages`: headless Chromium with what it says, and pages as plain data beside it."""

from __future__ import annotations

import base64
import math
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

#: As Chromium must be started where there is no display, and nothing may be asked of the network.
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip
#: Width and height of a desktop and of a phone, in CSS pixels.
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}


def program(*names: str) -> str:
    """The path of a program of the system; one clear sentence where there is none."""
    found = next(filter(None, map(shutil.which, names)), None)
    assert found, f"{names[0]} is not installed; `make pages` needs the Debian packages chromium and chromium-driver"
    return found


def check_korean_font() -> None:
    """Fail with one clear sentence where the system has no font with Korean letters."""
    found = subprocess.run(
        [program("fc-list"), ":lang=ko", "family"], capture_output=True, encoding="utf-8", check=True
    )
    assert found.stdout.strip(), "no Korean font is installed; `make pages` needs the Debian package fonts-noto-cjk"


@contextmanager
def chromium(profile: Path) -> Iterator[Any]:
    """A headless Chromium with a new profile."""
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = program("chromium", "chromium-browser", "google-chrome")
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options, webdriver.ChromeService(program("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()


def look(driver: Any, page: Path, size: str, scheme: str = "light") -> None:
    """Open a page at a size, light or dark."""
    width, height = SIZES[size]
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    feature = {"name": "prefers-color-scheme", "value": scheme}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": [feature]})
    driver.get(page.resolve().as_uri())


def complaints(driver: Any) -> list[str]:
    """What the console has heard since it was asked last: errors, and violations of the page's policy."""
    return [entry["message"] for entry in driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]


def picture(driver: Any, path: Path) -> None:
    """Save the whole page as it is seen, not more than four screens of it."""
    height = min(driver.execute_script("return document.documentElement.scrollHeight"), 4000)
    width = driver.execute_script("return window.innerWidth")
    clip = {"x": 0, "y": 0, "width": width, "height": height, "scale": 1}
    asked = {"format": "png", "clip": clip, "captureBeyondViewport": True}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(base64.b64decode(driver.execute_cdp_cmd("Page.captureScreenshot", asked)["data"]))


def printed(driver: Any) -> bytes:
    """The page as a PDF on A4."""
    asked = {"paperWidth": 8.27, "paperHeight": 11.69, "preferCSSPageSize": True, "printBackground": False}
    return base64.b64decode(driver.execute_cdp_cmd("Page.printToPDF", asked)["data"])


@dataclass
class Table:
    """A table of a page, as its source has it: heads (text, whether numbers), and rows of (text, data-v)."""

    heads: list[tuple[str, bool]] = field(default_factory=list)
    rows: list[list[tuple[str, str | None]]] = field(default_factory=list)
    tags: list[dict[str, str]] = field(default_factory=list)
    sortable: bool = False

    def sorted_by(self, column: int, down: bool) -> list[int]:
        """Numbers of its rows in the order of a column, by definition: what has no number comes last."""
        if not self.heads[column][1]:
            raise ValueError("only for numbers; words have an order of their own in every language")
        values = [float(row[column][1]) if row[column][1] is not None else math.nan for row in self.rows]
        known = [i for i, value in enumerate(values) if not math.isnan(value)]
        known.sort(key=lambda i: -values[i] if down else values[i])
        return known + [i for i, value in enumerate(values) if math.isnan(value)]


class Page(HTMLParser):
    """The tables of a page by id, its ids, links and anchors, read by Python's own parser."""

    def __init__(self, path: Path) -> None:
        super().__init__(convert_charrefs=True)
        self.tables: dict[str, Table] = {}
        self.ids: set[str] = set()
        self.links: list[str] = []
        self._table: Table | None = None
        self._part, self._cell = "", False
        self.feed(path.read_text(encoding="utf-8"))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids.update([given["id"]] if "id" in given else [])
        self.links += [given[name] for name in ("href", "src") if name in given]
        if tag == "table":
            self._table = self.tables.setdefault(given.get("id", ""), Table())
            self._table.sortable = "sortable" in given.get("class", "").split()
        elif tag in ("thead", "tbody"):
            self._part = tag
        elif self._table is not None and tag == "tr":
            if self._part == "thead":
                self._table.heads = []
            else:
                self._table.rows.append([])
                self._table.tags.append({k[5:]: v for k, v in given.items() if k.startswith("data-")})
        elif self._table is not None and tag in ("th", "td"):
            self._cell = True
            if self._part == "thead":
                self._table.heads.append(("", "n" in given.get("class", "").split()))
            else:
                self._table.rows[-1].append(("", given.get("data-v")))

    def handle_endtag(self, tag: str) -> None:
        if tag == "table":
            self._table = None
        elif tag in ("th", "td"):
            self._cell = False

    def handle_data(self, text: str) -> None:
        if self._table is not None and self._cell:
            cells: list[Any] = self._table.heads if self._part == "thead" else self._table.rows[-1]
            cells[-1] = (cells[-1][0] + text, cells[-1][1])
