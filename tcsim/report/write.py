"""A report as a folder: one page that loads nothing, the same as Markdown, its data and its figures."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tcsim.base.csv_text import guarded
from tcsim.base.errors import InputError
from tcsim.base.files import write_whole
from tcsim.base.lang import speaking, tr
from tcsim.plots.page import png, svg
from tcsim.report.blocks import slug
from tcsim.report.provenance import Provenance, finish
from tcsim.report.render import FIGURES, render_html, render_markdown
from tcsim.report.settings import Built

if TYPE_CHECKING:
    import pandas as pd

#: Folder of the data, beside the report.
DATA = "data"
#: The page, and the same as text.
PAGE, TEXT = "index.html", "report.md"


def write(built: Built, provenance: Provenance, out: Path) -> Path:
    """Write a report and its data into a folder.

    Parameters
    ----------
    built : Built
        A report and its data frames.
    provenance : Provenance
        Where it comes from, and whether the data are written as Parquet, too.
    out : Path
        The folder; made if it is not there. Files of the same names are replaced.

    Returns
    -------
    Path
        The page, ``index.html``; beside it ``report.md``, ``data/NAME.csv`` (and ``.parquet``) for each frame, and
        ``figures/``. The page is written last, and an old one is taken away first, so a run that is interrupted
        leaves none.

    Raises
    ------
    InputError
        When Parquet is asked for, and the library for it is not installed.
    """
    if provenance.parquet:
        check_parquet()
    out, page = Path(out), Path(out) / PAGE
    out.mkdir(parents=True, exist_ok=True)
    page.unlink(missing_ok=True)
    for part in ((DATA,) if built.frames else ()) + ((FIGURES,) if built.report.figures() else ()):
        (out / part).mkdir(exist_ok=True)
    for name, content in data_files(built.frames, provenance.parquet).items():
        write_whole(out / name, content)
    with speaking(built.report.lang):
        files = [
            (
                f"{DATA}/{name}{suffix}",
                tr("{rows} rows, {columns} columns", rows=f"{len(frame):,}", columns=frame.shape[1]),
            )
            for name, frame in built.frames.items()
            for suffix in ((".csv", ".parquet") if provenance.parquet else (".csv",))
        ]
        report = finish(built.report, provenance, [*files, (TEXT, tr("is this report as text."))])
    for figure in report.figures():
        axes = figure.draw(False)
        write_whole(out / FIGURES / f"{figure.name}.png", png(axes))
        write_whole(out / FIGURES / f"{figure.name}.svg", svg(axes))
    write_whole(out / TEXT, render_markdown(report).encode())
    write_whole(page, render_html(report).encode())
    return page


def check_parquet() -> None:
    """Look whether Parquet can be written, before anything is worked out.

    Raises
    ------
    InputError
        When the library for it is not installed.
    """
    from importlib.util import find_spec

    if find_spec("pyarrow") is None:
        raise InputError('the library pyarrow is not installed; pip install "tcsim[parquet]" gives it', "--parquet")


def data_files(frames: Mapping[str, pd.DataFrame], parquet: bool = False) -> dict[str, bytes]:
    """Write data frames as files.

    Parameters
    ----------
    frames : mapping of str to DataFrame
        By name: letters, digits and dashes.
    parquet : bool, optional
        Whether as Parquet, too.

    Returns
    -------
    dict of str to bytes
        ``data/NAME.csv`` (and ``.parquet``), and what is in it.
    """
    found = {}
    for name, frame in frames.items():
        slug(name)
        found[f"{DATA}/{name}.csv"] = frame.map(guarded).to_csv(index=False, lineterminator="\n").encode()
        if parquet:
            out = BytesIO()
            frame.apply(_one_kind).to_parquet(out, engine="pyarrow", index=False)
            found[f"{DATA}/{name}.parquet"] = out.getvalue()
    return found


def _one_kind(column: pd.Series[Any]) -> pd.Series[Any]:
    """A column of numbers and words as words, as in CSV: Parquet knows one kind in a column."""
    if column.dtype != object or len({type(one) for one in column.dropna()}) == 1:
        return column
    return column.map(str, na_action="ignore")
