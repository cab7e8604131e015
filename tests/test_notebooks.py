"""Every notebook runs, and shows what is stored in it; `python tests/notebook_runs.py` stores it anew."""

from __future__ import annotations

import base64
import copy
import json
from pathlib import Path
from typing import Any

import matplotlib
import pytest
from notebook_runs import NOTEBOOKS, drawn, outputs_of, run

#: Bytes of a picture, and of all that a notebook stores.
MOST_PICTURE, MOST_STORED = 60_000, 150_000


def compared(outputs: list[dict[str, Any]]) -> list[Any]:
    """What must be the same everywhere: texts, and what is drawn; not the bytes of a picture."""
    found: list[Any] = []
    for output in outputs:
        if output["output_type"] == "stream":
            found.append("".join(output["text"]))
        else:
            data = output["data"]
            found.append(output["metadata"]["drawn"] if "image/png" in data else "".join(data["text/plain"]))
    return found


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_notebook(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPLBACKEND", "agg")
    matplotlib.use("agg")
    cells = 0
    for cell, outputs in outputs_of(json.loads(path.read_text(encoding="utf-8"))):
        cells += 1
        assert compared(outputs) == compared(cell["outputs"]), "".join(cell["source"])
    assert cells > 2


def test_they_are_the_six() -> None:
    names = ["01_first_odds", "02_armour_and_blood", "03_spend_or_save"]
    names += ["04_loadouts", "05_your_own_weapon", "06_batch"]
    assert [path.stem for path in NOTEBOOKS] == names


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_it_opens_with_a_question_and_ends_with_the_answer(path: Path) -> None:
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    first, head = ("".join(cells[at]["source"]) for at in (0, -2))
    assert cells[0]["cell_type"] == cells[-2]["cell_type"] == "markdown"
    assert first.startswith("# ")
    assert first.partition("\n\n")[2].split("\n\n")[0].endswith("?")
    assert head == "## The answer"
    assert cells[-1]["outputs"]  # computed, never typed


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_is_stored_is_small(path: Path) -> None:
    assert path.stat().st_size < MOST_STORED
    outputs = [
        output for cell in json.loads(path.read_text(encoding="utf-8"))["cells"] for output in cell.get("outputs", ())
    ]
    pictures = [output["data"]["image/png"] for output in outputs if "image/png" in output.get("data", {})]
    assert len(pictures) <= 1
    assert all(base64.b64decode(picture)[:4] == b"\x89PNG" for picture in pictures)
    assert all(len(base64.b64decode(picture)) <= MOST_PICTURE for picture in pictures)


def test_a_stale_picture_is_noticed() -> None:
    """One number that is drawn otherwise, one word, one line less: each is another picture."""
    matplotlib.use("agg")
    source = "import matplotlib.pyplot as plt\nfigure, axes = plt.subplots()\n"
    source += "axes.plot([1, 2], [0.25, {}])\n_ = axes.set_title('{}')"
    [first] = run(source.format(0.5, "a"), {})
    [same] = run(source.format(0.5, "a"), {})
    assert compared([first]) == compared([same])
    assert compared([first]) == compared([json.loads(json.dumps(first))])
    for other in (source.format(0.51, "a"), source.format(0.5, "b"), source.rpartition("axes.plot")[0] + "_ = 1"):
        assert compared(run(other, {})) != compared([first])
    changed = copy.deepcopy(first)
    changed["data"]["image/png"] = ""
    assert compared([changed]) == compared([first])


def test_everything_that_is_drawn_is_read_back() -> None:
    from matplotlib.figure import Figure

    axes = Figure().subplots()
    axes.plot([0, 1], [0.1, 0.2])
    axes.bar([0], [0.3], width=0.4)
    axes.imshow([[0.5, 0.6]])
    axes.scatter([0.7], [0.8])
    axes.text(0, 0, "word")
    assert drawn(axes.figure) == [
        "word", [[0.0, 1.0], [0.1, 0.2]], [0.4, 0.3], [[0.5, 0.6]], [[0.7, 0.8]],
    ]  # fmt: skip
