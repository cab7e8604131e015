"""Puts the site together: written pages with their links turned to where things stand there, and made pages."""

import os
import re
import shutil
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from _make import commands, names, notebooks, rules, schemas

ROOT = Path(__file__).parents[2]
#: Written pages beside those of docs/: where they stand in the repository, and in the site.
WRITTEN = {
    "README.md": "project/readme.md",
    "CONTRIBUTING.md": "project/contributing.md",
    "CHANGELOG.md": "project/changelog.md",
    "tcsim/catalog/data/README.md": "reference/catalogue-data.md",
    "docs/_make/index.md": "index.md",
}
#: What a written page links to and the site has as another page.
INSTEAD = {"tcsim/rules/editions": "reference/editions.md"}
#: What a written page may ask for by a line ``<!-- made: NAME -->``, which a code host does not show.
MADE = {
    "decisions": rules.decisions,
    "decisions_ko": lambda: rules.decisions("ko"),
    "unmodelled": rules.unmodelled,
}


def written() -> dict[str, str]:
    """Find the written pages: where each stands in the repository, and in the site."""
    found = {path.relative_to(ROOT).as_posix(): f"how-to/{path.name}" for path in sorted(ROOT.glob("docs/*.md"))}
    for part in ("tutorial", "explanation"):
        pages = sorted(ROOT.glob(f"docs/{part}/*.md"))
        found |= {path.relative_to(ROOT).as_posix(): f"{part}/{path.name}" for path in pages}
    books = sorted(ROOT.glob("notebooks/*.ipynb"))
    return found | WRITTEN | {f"notebooks/{path.name}": f"notebooks/{path.stem}.md" for path in books}


def made() -> Iterator[tuple[str, str | bytes]]:
    """Make every page that is made whole: where it goes, and its text."""
    for module in (commands, names, rules, schemas):
        yield from module.pages()


def write(folder: Path) -> None:
    """Write all pages and pictures of the site into a folder, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    places = written()
    ways = places | INSTEAD
    pages = dict(made())
    for place, text in notebooks.pages(ROOT / "notebooks"):
        pages[place] = turned(text, f"notebooks/{Path(place).stem}.ipynb", ways) if isinstance(text, str) else text
    for source, place in places.items():
        if source.endswith(".md"):
            pages[place] = turned(filled((ROOT / source).read_text(encoding="utf-8")), source, ways)
    for place, content in pages.items():
        path = folder / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        for file in re.findall(r"\]\(/(files/[^)#\s]+)\)", content) if isinstance(content, str) else ():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(ROOT / file.removeprefix("files/"), folder / file)


def filled(text: str) -> str:
    """Put what is made into a written page, where it asks for it; leave out its way back to the README."""
    text = re.sub(r"^\[← README\]\([^)]*\)\n+", "", text, flags=re.MULTILINE)
    return re.sub(r"^<!-- made: (\w+) -->$", lambda found: MADE[found[1]](), text, flags=re.MULTILINE)


def turned(text: str, source: str, places: dict[str, str]) -> str:
    """Turn the links of a page, which lead through the repository, to where things stand in the site.

    Pages are linked as pages, other files are copied below ``files/``; a folder is no link there.
    """

    def turn(found: re.Match[str]) -> str:
        words, target = found[1], found[2]
        path, _, head = target.partition("#")
        if "://" in target or not path or source == "docs/_make/index.md":
            return found[0]
        there = os.path.normpath(PurePosixPath(source).parent / path)
        if there in places:
            way = os.path.relpath(places[there], PurePosixPath(places[source]).parent)
            return f"[{words}]({way}{'#' + head if head else ''})"
        if (ROOT / there).is_file():
            return words if path.endswith(".md") else f"[{words}](/files/{there})"
        return words if (ROOT / there).is_dir() else found[0]

    parts = re.split(r"(```.*?```)", text, flags=re.DOTALL)  # what is shown as code stays as it is
    return "".join(
        part if part.startswith("```") else re.sub(r"\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)", turn, part)
        for part in parts
    )
