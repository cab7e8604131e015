"""Checks the links of the built site: inside, that page and place are there; outside, only how they are written."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit


class Reader(HTMLParser):
    """Collects the links and the anchors of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.links: list[str] = []
        self.anchors: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag links to, and what it can be reached by."""
        for name, value in attrs:
            if value and name in ("href", "src"):
                self.links.append(value)
            if value and name in ("id", "name"):
                self.anchors.add(value)


def read(text: str) -> Reader:
    """Read a page."""
    reader = Reader()
    reader.feed(text)
    return reader


def broken(site: Path) -> list[str]:
    """Name every link of a built site that leads nowhere, as ``page: link``."""
    pages = {path.resolve(): read(path.read_text(encoding="utf-8")) for path in sorted(site.rglob("*.html"))}
    if not pages:
        return [f"{site}: no page"]
    return [
        f"{path.relative_to(site.resolve())}: {link}"
        for path, page in pages.items()
        if "_static" not in path.parts and "_downloads" not in path.parts
        for link in dict.fromkeys(page.links)
        if not _leads(link, path, pages)
    ]


def _leads(link: str, path: Path, pages: dict[Path, Reader]) -> bool:
    parts = urlsplit(link)
    if parts.scheme == "data":
        return True
    if parts.scheme or parts.netloc:
        return parts.scheme == "https" and "." in parts.netloc and " " not in link
    there = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if there.is_dir():
        there /= "index.html"
    if not parts.fragment:
        return there.exists()
    return there in pages and (unquote(parts.fragment) in pages[there].anchors or there.name == "genindex.html")
