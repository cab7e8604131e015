"""The kill-odds report: what armour, blood markers, CRITICAL and TOUGH do to the chances of real weapons."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from tcsim.analysis.agreement import verdict
from tcsim.base.lang import current, speaking, tr
from tcsim.base.text import UNOFFICIAL
from tcsim.plots import data, tell
from tcsim.plots.figures import agreement as agreement_plot
from tcsim.plots.figures import armour_blood as armour_blood_plot
from tcsim.plots.figures import attacks as attacks_plot
from tcsim.plots.figures import critical_worth as critical_plot
from tcsim.plots.figures import heat as heat_plot
from tcsim.plots.figures import outcomes as outcomes_plot
from tcsim.plots.page import Words, png, svg
from tcsim.report import tables, words
from tcsim.report.blocks import (
    Block,
    Command,
    Figure,
    Figures,
    Filters,
    Folded,
    Link,
    Paragraph,
    Points,
    Report,
    Section,
    rich,
)
from tcsim.report.render import FIGURES, render_html, render_markdown
from tcsim.report.settings import Settings as Settings

if TYPE_CHECKING:
    import pandas as pd

_Figure = Callable[..., NDArray[Any]]


def build(frame: pd.DataFrame, settings: Settings) -> Report:
    """Make the report of a frame, as data.

    Parameters
    ----------
    frame : DataFrame
        As :func:`tcsim.analysis.kill_odds.kill_odds` gives it, rolled or not, of any grid.
    settings : Settings
        With what it was made.

    Returns
    -------
    Report
        Blocks that a renderer turns into a page; figures are drawn when it does.
    """
    with speaking(settings.lang):
        return _build(data.described(frame, settings.edition, settings.catalog), settings)


def _build(frame: pd.DataFrame, settings: Settings) -> Report:
    setting = words.short_setting(settings)
    judged = verdict(frame) if "trials" in frame else None
    sections: list[Section] = [
        Section(tr("Every weapon"), tr("Table"), "table", (tables.summary(frame),)),
        Section(tr("What changes the odds"), tr("Figures"), "figures", _figures(frame, setting)),
    ]
    if judged is not None:
        drawn = _figure("agreement", agreement_plot.agreement, agreement_plot.agreement_words, frame, setting=setting)
        paragraphs = tuple(Paragraph(text) for text in words.agreement_sentences(judged, settings))
        blocks: tuple[Block, ...] = (Figures((drawn,)), tables.agreement_table(judged, settings), *paragraphs)
        sections.append(Section(tr("Exact and rolled"), tr("Exact and rolled"), "agreement", blocks, columns=True))
    sections += [
        Section(tr("How it was computed"), tr("Method"), "method", (Points(words.method(frame, settings)),)),
        Section(tr("All numbers"), tr("Data"), "data", _data(frame)),
        Section(tr("Repeat this report"), tr("Repeat"), "repeat", (Command(settings.command),)),
    ]
    return Report(
        title=words.title(frame),
        kicker=words.kicker(settings),
        lead=(Points(words.findings(frame, judged), lead=True),),
        sections=tuple(sections),
        footer=(tr("Made by tcsim {version}.", version=settings.version), tr(UNOFFICIAL)),
        lang=settings.lang,
    )


def _figure(name: str, draw: _Figure, say: Callable[..., Words], frame: pd.DataFrame, **how: Any) -> Figure:
    lang = current()

    def drawn(bare: bool) -> NDArray[Any]:
        return draw(frame, bare=bare, lang=lang, **how)

    return Figure(name, say(frame, **how), drawn)


def _figures(frame: pd.DataFrame, setting: str) -> tuple[Block, ...]:
    """The figures that this grid can fill: the four most telling weapons at once, the others folded."""
    make = partial(_figure, frame=frame, setting=setting)
    order, most = data.labels(frame), armour_blood_plot.MOST
    over_blood = partial(make, draw=armour_blood_plot.armour_blood, say=armour_blood_plot.armour_blood_words)
    shown = [
        over_blood("armour-blood"),
        make("critical", critical_plot.critical_worth, critical_plot.critical_worth_words),
        make("heat", heat_plot.heat, heat_plot.heat_words),
    ]
    if len(data.values(frame, "attacks")) > 1:
        shown.append(make("attacks", attacks_plot.attacks, attacks_plot.attacks_words, armour="standard"))
    shown.append(make("outcomes", outcomes_plot.outcomes, outcomes_plot.outcomes_words, armour="standard"))
    blocks: list[Block] = [Figures(tuple(shown))]
    if len(order) > most:
        told = armour_blood_plot.shown(frame)
        left = [key for key in data.by_value(data.printed(frame)) if key not in told]
        groups = [left[i : i + most] for i in range(0, len(left), most)]
        others = [over_blood(f"armour-blood-{i}", weapons=group) for i, group in enumerate(groups, start=2)]
        blocks.append(Folded(tr("Armour and blood markers: the other weapons"), (Figures(tuple(others)),)))
    return tuple(blocks)


def _data(frame: pd.DataFrame) -> tuple[Block, ...]:
    armours = tuple((f"{armour}{'-shield' if shield else ''}", tr(label)) for armour, shield, label in data.PROTECTIONS)
    blood = tuple((str(n), str(n)) for n in data.values(frame, "blood"))
    numbers = data.values(frame, "attacks")
    attacks = tell.things(numbers[0], "attack")
    if len(numbers) > 1:
        counted = tell.joined([tell.counted(n) for n in numbers[:2]])
        attacks = tr("{numbers} attacks", numbers=counted)
    choices = [("armour", tr("Armour"), armours)]
    if len(blood) > 1:
        choices.append(("blood", tr("Blood markers"), blood))
    return (
        Paragraph(words.files_sentence(frame)),
        Link("cells.csv", "cells.csv"),
        Link("report.md", "report.md", tr("is this report as text.")),
        Paragraph(
            rich(
                "P(out of action) by {attacks}, weapon by weapon. Armour that comes to the same against a weapon "
                "shares a row, after what it takes off the injury roll.",
                attacks=attacks,
            )
        ),
        Filters(tuple(choices)),
        *tables.weapon_cells(frame),
    )


def write(report: Report, frame: pd.DataFrame, out: Path) -> Path:
    """Write a report and its data into a folder.

    Parameters
    ----------
    report : Report
        As :func:`build` gives it.
    frame : DataFrame
        The cells it is about.
    out : Path
        The folder; made if it is not there. Files of the same names are replaced.

    Returns
    -------
    Path
        The page, ``index.html``; beside it ``report.md``, ``cells.csv`` and ``figures/``. The page is written last,
        and an old one is taken away first, so a run that is interrupted leaves none.
    """
    out = Path(out)
    page = out / "index.html"
    (out / FIGURES).mkdir(parents=True, exist_ok=True)
    page.unlink(missing_ok=True)
    _replace(out / "cells.csv", frame.to_csv(index=False, lineterminator="\n").encode())
    for figure in report.figures():
        axes = figure.draw(False)
        _replace(out / FIGURES / f"{figure.name}.png", png(axes))
        _replace(out / FIGURES / f"{figure.name}.svg", svg(axes))
    _replace(out / "report.md", render_markdown(report).encode())
    _replace(page, render_html(report).encode())
    return page


def _replace(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
        shutil.copymode(path, name) if path.exists() else os.chmod(name, 0o644)
        os.replace(name, path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
