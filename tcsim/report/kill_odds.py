"""The kill-odds report: what armour, blood markers, CRITICAL and TOUGH do to the chances of real weapons."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from tcsim.analysis.agreement import verdict
from tcsim.analysis.kill_odds import ARMOURS, DEFAULT_WEAPONS, kill_odds
from tcsim.base.errors import InputError, show
from tcsim.base.lang import current, tr
from tcsim.base.numbers import whole_number
from tcsim.plots import data, tell
from tcsim.plots.figures import agreement as agreement_plot
from tcsim.plots.figures import armour_blood as armour_blood_plot
from tcsim.plots.figures import attacks as attacks_plot
from tcsim.plots.figures import critical_worth as critical_plot
from tcsim.plots.figures import heat as heat_plot
from tcsim.plots.figures import outcomes as outcomes_plot
from tcsim.plots.page import Words
from tcsim.report import kill_odds_tables as tables
from tcsim.report import kill_odds_words as words
from tcsim.report.blocks import (
    Block,
    Figure,
    Figures,
    Filters,
    Folded,
    Paragraph,
    Points,
    Report,
    Section,
    rich,
)
from tcsim.report.settings import Asked, Built, Rolled
from tcsim.report.shared import figure

if TYPE_CHECKING:
    import pandas as pd

    from tcsim.catalog import Catalog


#: Trials per cell of a full report and of the demo.
FULL_TRIALS, DEMO_TRIALS = 1_000_000, 100_000


@dataclass(frozen=True)
class Settings:
    """With what a kill-odds report was made.

    Parameters
    ----------
    catalog : Catalog
        Where names were looked up.
    weapons : tuple of str
        Labels of the weapons.
    spend : str
        Policy for blood on injury rolls: none, all, bloodbath or greedy.
    trials : int
        Trials per rolled cell; 0 if none were rolled.
    seed : int
        Seed of the rolled cells.
    """

    catalog: Catalog
    weapons: tuple[str, ...]
    spend: str
    trials: int
    seed: int

    @property
    def edition(self) -> str:
        """Edition id."""
        return self.catalog.edition


def build(asked: Asked) -> Built:
    """Make the report.

    Parameters
    ----------
    asked : Asked
        One catalogue; options ``weapons``, ``blood`` and ``attacks`` (whole numbers with commas between them),
        ``spend``, ``trials`` (None: as ``demo`` says) and ``seed``.

    Returns
    -------
    Built
        The report, in the language of the moment; its one frame is ``cells``.

    Raises
    ------
    InputError
        For a weapon that does not exist or is not counted in full, or a number out of range.
    """
    given = asked.options
    blood, attacks = (_numbers(given[name], f"--{name}") for name in ("blood", "attacks"))
    trials = given["trials"]
    if trials is None:
        trials = DEMO_TRIALS if given["demo"] else FULL_TRIALS
    weapons = given["weapons"] or DEFAULT_WEAPONS
    cells = len(set(weapons)) * (2 * len(ARMOURS) - 1) * 4 * len(blood) * len(attacks)
    seed = given["seed"]
    with asked.progress("rolling cells" if trials else "solving cells", cells) as advance:
        frame = kill_odds(weapons, asked.catalog, blood, attacks, given["spend"], trials, seed, advance)
    settings = Settings(asked.catalog, tuple(frame["weapon"].unique()), given["spend"], trials, seed)
    return Built(compose(frame, settings), {"cells": frame}, Rolled(trials, seed) if trials else None)


def _numbers(text: str, where: str) -> tuple[int, ...]:
    numbers = [whole_number(part) for part in text.split(",")]
    if None in numbers or len(set(numbers)) < len(numbers):
        raise InputError(f"{show(text)} is given, different whole numbers with commas are needed, as 0,3,6", where)
    return tuple(sorted(number for number in numbers if number is not None))


def compose(frame: pd.DataFrame, settings: Settings) -> Report:
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
        Blocks that a renderer turns into a page, in the language of the moment; figures are drawn when it does.
    """
    frame = data.described(frame, settings.edition, settings.catalog)
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
    ]
    return Report(
        title=words.title(frame),
        kicker=words.kicker(settings),
        lead=(Points(words.findings(frame, judged), lead=True),),
        sections=tuple(sections),
        lang=current(),
    )


def _figure(name: str, draw: Callable[..., Any], say: Callable[..., Words], frame: pd.DataFrame, **how: Any) -> Figure:
    return figure(name, draw, say(frame, **how), frame, **how)


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
