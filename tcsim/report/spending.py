"""The report on spending: when to spend blood markers, when to save them, and what saving is worth in each armour."""

from __future__ import annotations

from functools import partial
from itertools import product
from typing import TYPE_CHECKING, Any

from tcsim.analysis.spending import Spending, by_armour
from tcsim.base.lang import current, mark, tr
from tcsim.base.text import signed
from tcsim.plots import data, tell
from tcsim.plots.figures.spending_armour import armour_page_words, spending_by_armour
from tcsim.report.blocks import (
    Cell,
    Column,
    Figure,
    Figures,
    Filters,
    Paragraph,
    Points,
    Report,
    Rich,
    Row,
    Section,
    Table,
    chance,
    rich,
)
from tcsim.report.settings import Asked, Built

if TYPE_CHECKING:
    import pandas as pd

_POLICIES = {
    "optimal": mark("the best plan"),
    "all": mark("all at once"),
    "bloodbath": mark("Bloodbaths only"),
    "none": mark("none spent"),
}


def build(asked: Asked) -> Built:
    """Make the report.

    Parameters
    ----------
    asked : Asked
        The catalogues of the editions it is about; nothing else is asked.

    Returns
    -------
    Built
        The report, in the language of the moment; its frames are ``worth`` and ``advice``.
    """
    found = {rows.edition: by_armour(rows.edition) for rows in asked.catalogs}
    frames = {"worth": _joined(found, "worth"), "advice": _joined(found, "advice")}
    return Built(compose(found, frames["worth"]), frames)


def _joined(found: dict[str, dict[int, Spending]], name: str) -> pd.DataFrame:
    import pandas as pd

    parts: list[pd.DataFrame] = [
        getattr(one, name).assign(edition=edition, injury_modifier=modifier)
        for edition, ways in found.items()
        for modifier, one in ways.items()
    ]
    return pd.concat(parts, ignore_index=True)


def compose(found: dict[str, dict[int, Spending]], worth: pd.DataFrame) -> Report:
    """Make the report of what was found, as data.

    Parameters
    ----------
    found : dict of str to dict of int to Spending
        By edition and injury modifier.
    worth : DataFrame
        ``edition``, ``injury_modifier``, ``blood`` (markers at the start), ``policy``, ``value`` (chance in [0, 1]).

    Returns
    -------
    Report
        In the language of the moment.
    """
    wide = worth.pivot(index=["edition", "injury_modifier", "blood"], columns="policy", values="value")
    lang = current()

    def drawn(bare: bool, edition: str) -> Any:
        return spending_by_armour(found[edition], bare=bare, lang=lang)

    figures = tuple(
        Figure(f"advice-{edition.replace('.', '-')}", armour_page_words(edition), partial(drawn, edition=edition))
        for edition in found
    )
    return Report(
        title=tr("Spend blood markers, or save them?"),
        kicker=tr("tcsim report · Trench Crusade {edition} · {method}", edition=", ".join(found), method=tr("exact")),
        lead=(Points(tuple(finding for edition in found for finding in _findings(wide, edition)), lead=True),),
        sections=(
            Section(tr("What to spend on a hit"), tr("Figures"), "figures", (Figures(figures),)),
            Section(tr("What it is worth"), tr("Table"), "table", _table(wide, tuple(found))),
            Section(tr("How it was computed"), tr("Method"), "method", (_method(),)),
        ),
        lang=lang,
    )


def _findings(wide: pd.DataFrame, edition: str) -> tuple[Rich, ...]:
    gained = (wide["optimal"] - wide["all"]).loc[edition].unstack()
    most = gained.max(axis="columns")
    never = [signed(int(modifier)) for modifier in reversed(most.index) if most[modifier] <= data.SAME]
    said = []
    if never:
        told = mark(
            "{edition}, armour {modifiers}: **never save**; spending every marker on every hit is the best plan."
        )
        said.append(rich(told, edition=edition, modifiers=", ".join(never)))
    told = mark("{edition}, armour {modifier}: **saving** adds up to **{points} points** ({markers} at the start).")
    for modifier in reversed(most.index):
        if most[modifier] > data.SAME:
            gain = tell.points(float(most[modifier]), 2).lstrip("+")
            markers = tell.things(int(gained.loc[modifier].idxmax()), "blood marker")
            said.append(rich(told, edition=edition, modifier=signed(int(modifier)), points=gain, markers=markers))
    return tuple(said)


def _table(wide: pd.DataFrame, editions: tuple[str, ...]) -> tuple[Filters | Table, ...]:
    columns = [Column(tr("Edition"), number=False), Column(tr("Armour")), Column(tr("Blood"))]
    columns += [Column(tr(label), tr("Out of action after three attacks")) for label in _POLICIES.values()]
    modifiers, bloods = (sorted({int(n) for n in wide.index.get_level_values(i)}) for i in (1, 2))
    known: dict[Any, dict[Any, Any]] = dict(zip(wide.index, wide.to_dict("records"), strict=True))
    rows = []
    for edition, modifier, blood in product(editions, sorted(modifiers, reverse=True), bloods):
        line = known[edition, modifier, blood]
        cells = [Cell(edition), Cell(signed(modifier), value=modifier), Cell(str(blood), value=blood)]
        cells += [chance(line[policy], bar=policy == "optimal") for policy in _POLICIES]
        gain = line["optimal"] - line["all"]
        cells.append(Cell(tell.points(gain, 2), value=gain))
        rows.append(Row(tuple(cells), (("edition", edition), ("armour", str(modifier)), ("blood", str(blood)))))
    columns.append(Column(tr("saving adds")))
    choices = [
        ("edition", tr("Edition"), tuple((one, one) for one in editions)),
        ("armour", tr("Armour"), tuple((str(n), signed(n)) for n in sorted(modifiers, reverse=True))),
        ("blood", tr("Blood markers"), tuple((str(n), str(n)) for n in bloods)),
    ]
    note = tr("Saving adds: points, the best plan against spending every marker on every hit.")
    table = Table("worth", tr("Plain attacks by markers at the start, exact"), tuple(columns), tuple(rows), note=note)
    return (Filters(tuple(choice for choice in choices if len(choice[2]) > 1)), table)


def _method() -> Paragraph:
    return Paragraph(
        rich(
            "Three plain ranged attacks at 0 DICE on an ordinary target that does not stand up in between. The best "
            "plan decides on every hit, from the markers and the attacks that are left, so that out of action in the "
            "end is most likely; the others follow one rule throughout. Nothing is rolled or rounded before it is "
            "printed."
        )
    )
