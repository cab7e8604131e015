"""Pages made from notebooks: their text, cells and stored outputs, as they are."""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from _make.text import fenced, page


def pages(folder: Path) -> Iterator[tuple[str, str | bytes]]:
    """Make a page for each notebook of a folder, and its pictures: where each goes, and what it holds."""
    for path in sorted(folder.glob("*.ipynb")):
        parts = []
        for number, cell in enumerate(json.loads(path.read_text(encoding="utf-8"))["cells"]):
            source = "".join(cell["source"])
            if cell["cell_type"] == "markdown":
                parts.append(source)
                continue
            parts.append(fenced("python", source))
            for output in cell["outputs"]:
                data = output.get("data", {})
                if "image/png" in data:
                    name = f"{path.stem}-{number}.png"
                    yield f"notebooks/{name}", base64.b64decode("".join(data["image/png"]))
                    parts.append(f"![{_alternative(source)}]({name})")
                else:
                    parts.append(fenced("text", shown(output)))
        yield f"notebooks/{path.stem}.md", page(*parts)


def shown(output: Any) -> str:
    """Give the text of a stored output."""
    return "".join(output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"])


def _alternative(source: str) -> str:
    """Give the words for those who do not see the picture: the comment that its cell begins with."""
    first = source.splitlines()[0]
    return first.lstrip("# ") if first.startswith("#") else "the figure of the cell above"
