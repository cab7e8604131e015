"""Runs notebooks as a kernel would, without one; ``python tests/notebook_runs.py`` stores their outputs anew.

Stored are texts and small pictures. A picture says in its metadata what was drawn (``drawn``: the numbers and words
that are read back from its Axes), so that a stale one is noticed on any machine, whatever its fonts and bytes.
"""

from __future__ import annotations

import ast
import base64
import contextlib
import io
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

NOTEBOOKS = sorted((Path(__file__).parents[1] / "notebooks").glob("*.ipynb"))
#: Dots per inch of stored pictures, and the colours that they are written in: small, and good enough to read.
DPI, COLOURS = 100, 64


def run(source: str, names: dict[str, Any], number: int = 1) -> list[dict[str, Any]]:
    """Run a cell: what it prints, the value of a last expression, the figures of pyplot it leaves open."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(tree, "cell", "exec"), names)
        value = eval(compile(ast.Expression(last.value), "cell", "eval"), names) if last is not None else None
    outputs: list[dict[str, Any]] = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": lines(printed.getvalue())})
    if value is not None:
        told = {"text/plain": lines(repr(value))}
        outputs.append({"output_type": "execute_result", "execution_count": number, "metadata": {}, "data": told})
    return [*outputs, *figures()]


def lines(text: str) -> list[str]:
    """Text as notebooks keep it."""
    return text.splitlines(keepends=True)


def figures() -> Iterator[dict[str, Any]]:
    """Take every open figure: the picture, and what is drawn in it."""
    import sys

    if "matplotlib.pyplot" not in sys.modules:
        return
    import matplotlib.pyplot as plt

    for number in plt.get_fignums():
        figure = plt.figure(number)
        picture = base64.b64encode(png(figure)).decode()
        told = {"image/png": picture, "text/plain": ["<figure>"]}
        yield {"output_type": "display_data", "metadata": {"drawn": drawn(figure)}, "data": told}
        plt.close(figure)


def png(figure: Any) -> bytes:
    """Draw a figure, in few colours."""
    from PIL import Image

    drawing, small = io.BytesIO(), io.BytesIO()
    figure.savefig(drawing, format="png", dpi=DPI)
    Image.open(drawing).convert("RGB").quantize(COLOURS).save(small, format="png", optimize=True)
    return small.getvalue()


def drawn(figure: Any) -> list[Any]:
    """Read back what a figure shows: words, ends of lines and bars, values of maps and points; to four digits."""
    from matplotlib.axes import Axes

    found: list[Any] = []
    for axes in figure.findobj(Axes):
        found += [text for text in (axes.get_title(), axes.get_xlabel(), axes.get_ylabel()) if text]
        found += [text.get_text() for text in axes.texts if text.get_text()]
        found += [digits([line.get_xdata(), line.get_ydata()]) for line in axes.lines if len(line.get_xdata()) > 1]
        found += [
            digits([patch.get_width(), patch.get_height()]) for patch in axes.patches if hasattr(patch, "get_width")
        ]
        found += [digits(image.get_array()) for image in axes.images]
        found += [digits(points.get_offsets()) for points in axes.collections]
    return found


def digits(values: Any) -> list[Any]:
    """Numbers to four digits, as JSON keeps them."""
    told: list[Any] = json.loads(json.dumps(np.round(np.ma.filled(np.ma.asarray(values, dtype=float), -1), 4).tolist()))
    return told


@contextlib.contextmanager
def elsewhere() -> Iterator[None]:
    """Stand in an empty folder: what a notebook writes stays there."""
    before = Path.cwd()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def outputs_of(notebook: dict[str, Any]) -> Iterator[tuple[dict[str, Any], list[dict[str, Any]]]]:
    """Run a notebook from top to bottom: each cell of code, and its outputs."""
    names: dict[str, Any] = {}
    list(figures())  # that another notebook, which failed, has left open
    with elsewhere():
        for number, cell in enumerate((c for c in notebook["cells"] if c["cell_type"] == "code"), start=1):
            yield cell, run("".join(cell["source"]), names, number)


def store(path: Path) -> None:
    """Write the outputs of a notebook anew."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    for number, (cell, outputs) in enumerate(outputs_of(notebook), start=1):
        cell |= {"execution_count": number, "metadata": {}, "outputs": outputs}
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    os.environ["MPLBACKEND"] = "agg"
    for one in NOTEBOOKS:
        store(one)
