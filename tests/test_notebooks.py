"""Every notebook runs, and says what it shows."""

from __future__ import annotations

import ast
import contextlib
import io
import json
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))


def run(source: str, names: dict[str, Any]) -> str:
    """Run a cell as a notebook does: what it prints, then the value of a last expression."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "cell", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last is not None else None
    return printed.getvalue() + ("" if value is None else repr(value))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path) -> None:
    names: dict[str, Any] = {}
    cells = [cell for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] if cell["cell_type"] == "code"]
    assert cells
    for cell in cells:
        shown = ""
        for output in cell["outputs"]:
            shown += "".join(output["text"] if output["output_type"] == "stream" else output["data"]["text/plain"])
        assert run("".join(cell["source"]), names) == shown


def test_there_is_a_notebook() -> None:
    assert NOTEBOOKS
