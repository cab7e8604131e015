"""The report on loadouts: what is unbeaten for its ducats, who beats the rest, fair prices, the best of some units."""

from __future__ import annotations

from collections.abc import Iterator

from tcsim.analysis.optimise.answer import Optimum, optimise
from tcsim.analysis.value.answer import Value, value
from tcsim.analysis.value.words import ceilings, dearest, fair_range, over, per_kill, stays
from tcsim.base.lang import current, label, mark, tr
from tcsim.base.text import percent
from tcsim.catalog import Catalog, shipped_warbands
from tcsim.catalog.kit import Kit, kits_of
from tcsim.plots import tell
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
from tcsim.report.shared import WEAPONS, front_figure, kicker, token

#: How blood is spent on injury rolls, as in the other reports: left to lie, it would make the second of two attacks
#: worth less than players make of it.
SPEND = "greedy"


def build(asked: Asked) -> Built:
    """Make the report.

    Parameters
    ----------
    asked : Asked
        The catalogues of the editions it is about; nothing else is asked.

    Returns
    -------
    Built
        The report, in the language of the moment; its frames are ``prices`` and ``best``.
    """
    import pandas as pd

    fronts: dict[tuple[str, str], Value] = {}
    best: dict[str, list[tuple[Kit, Optimum]]] = {}
    with asked.progress("comparing", None) as advance:
        for rows in asked.catalogs:
            for kind in WEAPONS:
                fronts[rows.edition, kind] = value(kind=kind, edition=rows.edition, catalog=rows, spend=SPEND)
                advance(1)
            best[rows.edition] = [(kit, _best(kit)) for kit in _units(rows)]
    prices = [found.frame.assign(edition=edition) for (edition, _), found in fronts.items()]
    chosen = [
        found.frame.assign(edition=edition, unit=found.recruit.unit.name, budget=found.budget)
        for edition, answers in best.items()
        for _, found in answers
    ]
    frames = {"prices": pd.concat(prices, ignore_index=True), "best": pd.concat(chosen, ignore_index=True)}
    return Built(compose(fronts, best), frames)


def _units(rows: Catalog) -> Iterator[Kit]:
    """The model of each shipped warband of which there are most, each unit once."""
    met = set()
    for warband in shipped_warbands(rows.edition):
        kit = max(kits_of(warband), key=lambda kit: kit.model.count)
        if kit.unit.id not in met:
            met.add(kit.unit.id)
            yield kit


def _best(kit: Kit) -> Optimum:
    return optimise(
        kit.unit.id,
        kit.cost(),
        edition=kit.unit.edition,
        faction=kit.faction.name,
        glory=kit.cost("glory"),
        runners_up=2,
        spend=SPEND,
    )


def compose(fronts: dict[tuple[str, str], Value], best: dict[str, list[tuple[Kit, Optimum]]]) -> Report:
    """Make the report of what was found, as data.

    Parameters
    ----------
    fronts : dict
        By edition and kind of weapon.
    best : dict
        By edition: a model of a shipped warband, and the best loadouts for what it costs.

    Returns
    -------
    Report
        In the language of the moment.
    """
    editions = tuple(dict.fromkeys(edition for edition, _ in fronts))
    told = [
        one
        for edition in editions
        for one in (*(_finding(edition, kind, fronts[edition, kind]) for kind in WEAPONS), *_found_best(best, edition))
    ]
    return Report(
        title=tr("Which weapon for the ducats?"),
        kicker=kicker(", ".join(editions)),
        lead=(Points(tuple(told), lead=True),),
        sections=(
            Section(
                tr("What is unbeaten for its price"), tr("Figures"), "figures", (Figures(tuple(_figures(fronts))),)
            ),
            Section(tr("Every weapon and its fair prices"), tr("Prices"), "prices", _prices(fronts)),
            Section(tr("The best loadouts of some units"), tr("Units"), "units", _table(best)),
            Section(tr("How it was computed"), tr("Method"), "method", tuple(_method(fronts))),
        ),
        lang=current(),
    )


def _finding(edition: str, kind: str, found: Value) -> Rich:
    assert found.ducats is not None
    front = found.ducats.found
    unbeaten = sum(one.on_front for one in front)
    start = {"edition": edition, "kind": tr(WEAPONS[kind]), "n": unbeaten, "all": len(front)}
    worst = dearest(found.ducats)
    if not worst:
        return rich("{edition}, {kind}: **{n} of {all}** are unbeaten for their price.", **start)
    if len(worst) > 1:
        several = mark(
            "{edition}, {kind}: **{n} of {all}** are unbeaten for their price. Most overpriced: **{names}**, each "
            "{over} ducats above its highest fair price."
        )
        return rich(several, **start, names=tell.joined([one.name for one in worst]), over=over(worst[0]))
    [one] = worst
    told = mark(
        "{edition}, {kind}: **{n} of {all}** are unbeaten for their price. Most overpriced: **{name}**, {cost} ducats "
        "at {p}; fair up to {fair}."
    )
    fair = max(one.fair.highest or 0, 0)
    return rich(told, **start, name=one.name, cost=one.cost, p=percent(one.chance), fair=fair)


def _found_best(best: dict[str, list[tuple[Kit, Optimum]]], edition: str) -> Iterator[Rich]:
    kit, found = max(best[edition], key=lambda pair: pair[1].choices[0].value if pair[1].choices else 0.0)
    if found.choices:
        told = mark(
            "{edition}: of the units looked at, **{unit}** with {what} kills most often: {p} for {cost} ducats."
        )
        one = found.choices[0]
        yield rich(told, edition=edition, unit=label(kit.unit.name), what=one.name or tr("nothing more"),
                   p=percent(one.value), cost=one.kit.cost())  # fmt: skip


def _figures(fronts: dict[tuple[str, str], Value]) -> Iterator[Figure]:
    for (edition, kind), found in fronts.items():
        frame = found.frame[found.frame["currency"] == "ducats"]
        yield front_figure(f"front-{kind}-{token(edition)}", frame, edition, kind)


def _beaten(by: tuple[str, ...]) -> str:
    if len(by) == 1:
        return tr("beaten by {weapon}", weapon=by[0])
    return tr("beaten by {weapon} and {n} more", weapon=by[0], n=len(by) - 1)


def _prices(fronts: dict[tuple[str, str], Value]) -> tuple[Filters | Table, ...]:
    columns = [
        Column(tr("Weapon"), number=False),
        Column(tr("Type"), number=False, minor=True),
        Column(tr("Edition"), number=False),
        *(Column(tr(text)) for text in (mark("Ducats"), mark("Chance"), mark("A kill"), mark("Fair"))),
        *(Column(tr(text), minor=True) for text in (mark("Highest"), mark("Stays"))),
        Column(tr("For its price"), number=False),
    ]
    rows = []
    for (edition, kind), found in fronts.items():
        for currency, front in found.fronts.items():
            for one in front.found:
                money = str(one.cost) if currency == "ducats" else tr("{n} glory", n=one.cost)
                highest = float("inf") if one.fair.highest is None else float(one.fair.highest)
                stay = one.stays[0] / one.stays[1] if one.stays[1] else 0.0
                cells = (
                    Cell(one.name),
                    Cell(tr(kind)),
                    Cell(edition),
                    Cell(money, value=one.cost),
                    chance(one.chance, bar=True),
                    Cell(per_kill(one), value=one.per_kill if one.per_kill is not None else 1e9),
                    Cell(fair_range(one), value=min(highest, 1e9)),
                    Cell(ceilings(one), value=min(highest, 1e9)),
                    Cell(stays(one), value=stay),
                    Cell(tr("unbeaten") if one.on_front else _beaten(one.beaten_by)),
                )
                place = "unbeaten" if one.on_front else "beaten"
                tags = (("edition", edition), ("kind", kind), ("front", place), ("currency", currency))
                rows.append(Row(cells, tags))
    editions = tuple(dict.fromkeys(edition for edition, _ in fronts))
    filters = (
        ("edition", tr("Edition"), tuple((one, one) for one in editions)),
        ("kind", tr("Type"), tuple((one, tr(one)) for one in WEAPONS)),
        ("front", tr("For its price"), (("unbeaten", tr("unbeaten")), ("beaten", tr("beaten")))),
        ("currency", tr("Currency"), (("ducats", tr("ducats")), ("glory", tr("glory")))),
    )
    note = tr(
        "A kill: price by chance, never to be read alone. Fair: prices at which it would be on the front of the "
        "others. Highest: how the top of these moves when the mix, the number of attacks or the others are changed; "
        "stays: in how many of these changes it is on the front at its price."
    )
    caption = tr("Official weapons that are counted in full, one activation, cheapest official price, exact")
    table = Table("prices", caption, tuple(columns), tuple(rows), search=tr("Find a weapon"), note=note)
    return (Filters(tuple(one for one in filters if len(one[2]) > 1)), table)


def _table(best: dict[str, list[tuple[Kit, Optimum]]]) -> tuple[Filters | Table, ...]:
    columns = (
        Column(tr("Unit"), number=False),
        Column(tr("Edition"), number=False),
        Column(tr("Budget"), minor=True),
        Column(tr("Place")),
        Column(tr("Cost")),
        Column(tr("Chance")),
        Column(tr("Takes"), number=False),
    )
    rows = []
    for edition, answers in best.items():
        for kit, found in answers:
            for rank, one in enumerate(found.choices, 1):
                cells = (
                    Cell(f"{label(kit.unit.name)} ({found.recruit.faction.name})"),
                    Cell(edition),
                    Cell(str(found.budget), value=found.budget),
                    Cell(str(rank), value=rank),
                    Cell(str(one.kit.cost()), value=one.kit.cost()),
                    chance(one.value, bar=True),
                    Cell(", ".join(label(name) for name in one.name.split(", ")) or tr("nothing more")),
                )
                rows.append(Row(cells, (("edition", edition), ("place", str(rank)), ("unit", token(kit.unit.name)))))
    choices = (
        ("edition", tr("Edition"), tuple((one, one) for one in best)),
        ("place", tr("Place"), tuple((str(n), str(n)) for n in (1, 2, 3))),
    )
    caption = tr("Best legal loadouts for what the model of the starting warband costs, proven best, exact")
    note = tr("No part of a loadout that is shown is legal and as good.")
    table = Table("best", caption, columns, tuple(rows), search=tr("Find a unit"), note=note)
    return (Filters(tuple(one for one in choices if len(one[2]) > 1)), table)


def _method(fronts: dict[tuple[str, str], Value]) -> Iterator[Paragraph]:
    found = next(iter(fronts.values()))
    mix = found.comparison.mix
    if mix is not None:
        yield Paragraph(rich("Targets: {why}.", why=tr(mix.why)))
    yield Paragraph(
        rich(
            "One activation at short range, without cover; a weapon alone is used by a model with 0 DICE. Blood "
            "markers, also those that the attack itself places, are spent for the best chance on each roll."
        )
    )
    yield Paragraph(
        rich(
            "On the front is what nothing dominates: nothing costs no more and kills as often, and is better in one of "
            "the two. Chances do not grow with the price, so price and chance stand side by side. Prices in glory have "
            "a front of their own. The melee use of a gun has no price of its own and is not among the melee weapons."
        )
    )
    yield Paragraph(
        rich(
            "The mix is changed by leaving out each target and by halving and doubling its weight; the number of "
            "attacks is one to four; the others compared are left out one by one. `tcsim value` and `tcsim optimise`, "
            "with `--spend greedy`, give the same for any weapons, targets and units."
        )
    )
    for (edition, kind), one in fronts.items():
        if one.left_out:
            told = mark("Not among the {kind} of {edition}, as they are not counted in full: {names}.")
            names = tell.joined(list(one.left_out))
            yield Paragraph(rich(told, kind=tr(WEAPONS[kind]), edition=edition, names=names), small=True)
