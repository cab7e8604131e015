"""The report on armour: what each piece takes off, from which weapons, for how much, and which are never worth it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tcsim.analysis.whole.armour import ATTACKS, CLASSES, armour_cells, armours, ignoring, interplay, taken_off
from tcsim.base.lang import current, label, mark, tr
from tcsim.base.text import percent
from tcsim.plots import tell
from tcsim.plots.data import SAME
from tcsim.plots.figures.point_bars import point_bars
from tcsim.plots.page import Words
from tcsim.report.blocks import (
    Block,
    Cell,
    Column,
    Figures,
    Filters,
    Folded,
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
from tcsim.report.kill_odds_words import READINGS
from tcsim.report.settings import Asked, Built
from tcsim.report.shared import choices, chosen_weapons, ducats, figure, kicker, remarks, setting, token, tokens
from tcsim.rules import edition as load_edition

if TYPE_CHECKING:
    import pandas as pd

_CLASSES = {
    "body": mark("body armour"),
    "body + shield": mark("body armour and shield"),
    "shield": mark("shield"),
    "helmet": mark("helmet"),
    "other": mark("other"),
}
#: Pieces that a figure has room for.
MOST = 14
#: The pieces that stand for the armour steps.
STEPS = (
    (("", ""), mark("none")),
    (("standard-armour", ""), mark("standard")),
    (("reinforced-armour", ""), mark("reinforced")),
)


def build(asked: Asked) -> Built:
    """Make the report.

    Parameters
    ----------
    asked : Asked
        The catalogue of one edition, perhaps with users' own armour.

    Returns
    -------
    Built
        The report, in the language of the moment; its frames are ``armour`` (a row each), ``interplay`` and ``cells``
        (no blood markers, ordinary target, two attacks).
    """
    rows, weapons = asked.catalog, chosen_weapons(asked)
    with asked.progress("solving cells", len(rows.weapons if weapons is None else weapons)) as advance:
        found = armour_cells(rows, progress=advance, weapons=weapons)
    cells = found.cells
    table, blood = armours(rows, cells), interplay(cells)
    plain = cells[(cells["blood"] == 0) & ~cells["tough"] & (cells["attacks"] == ATTACKS)]
    columns = [
        "weapon_id",
        "armour_id",
        "shield_id",
        "modifier",
        "p_out",
        "p_down",
        "expected_blood",
        "counted",
        "official",
    ]
    frames = {"armour": table, "interplay": blood, "cells": plain[columns]}
    told = found.remarks[found.remarks["row"] == "armour"]
    return Built(compose(rows.edition, table, blood, cells, told), frames)


def compose(edition: str, table: pd.DataFrame, blood: pd.DataFrame, cells: pd.DataFrame, told: pd.DataFrame) -> Report:
    """Make the report of what was found, as data.

    Parameters
    ----------
    edition : str
        Edition id.
    table, blood : DataFrame
        As :func:`tcsim.analysis.whole.armour.armours` and :func:`tcsim.analysis.whole.armour.interplay` give them.
    cells : DataFrame
        Of :func:`tcsim.analysis.whole.armour.armour_cells`.
    told : DataFrame
        What is assumed and left out.

    Returns
    -------
    Report
        In the language of the moment.
    """
    return Report(
        title=tr("Armour: what it takes off, and what it costs"),
        kicker=kicker(edition),
        lead=(Points(findings(table, blood, cells), lead=True),),
        sections=(
            Section(tr("Everything that can be worn"), tr("Table"), "table", _table(table)),
            Section(tr("What it takes off"), tr("Figures"), "figures", _figures(table, edition)),
            Section(tr("Armour, blood markers and TOUGH"), tr("Blood"), "blood", _interplay(blood)),
            Section(tr("Weapons that it does nothing against"), tr("Weapons"), "weapons", _ignoring(cells)),
            Section(
                tr("How it was computed"),
                tr("Method"),
                "method",
                (_method(), *_reading(edition), remarks(told, "remarks")),
            ),
        ),
        lang=current(),
    )


def findings(table: pd.DataFrame, blood: pd.DataFrame, cells: pd.DataFrame) -> tuple[Rich, ...]:
    """Say what was found, each sentence computed from the frames.

    Parameters
    ----------
    table, blood, cells
        As for :func:`compose`.

    Returns
    -------
    tuple of Rich
        A sentence each.
    """
    found: list[Rich] = []
    for kind in ("body", "shield"):
        own = table[table["class"] == kind]
        if len(own):
            top = float(own["mean"].max())
            sentence = mark(
                "Most protective {kind}: **{names}**, **{points} points** off two attacks, mean over {n} weapons."
            )
            names = _names(own[own["mean"] >= top - SAME])
            n = int(own["weapons"].iloc[0])
            found.append(rich(sentence, kind=tr(_CLASSES[kind]), names=names, points=_size(top), n=n))
    for kind in ("body", "shield"):
        own = table[(table["class"] == kind) & table["per_ducat"].notna()]
        if len(own):
            top = float(own["per_ducat"].max())
            sentence = mark("Most for its price, {kind}: **{names}** (**{points} points** for {cost}).")
            best = own[own["per_ducat"] >= top - SAME]
            first = best.iloc[0]
            cost = tr("{n} ducats", n=f"{first['cost']:.0f}")
            values = {"names": _names(best), "points": _size(float(first["mean"])), "cost": cost}
            found.append(rich(sentence, kind=tr(_CLASSES[kind]), **values))
    beaten = table[(table["beaten_by"] != "") & (table["class"] != "body + shield")]
    if len(beaten):
        sentence = mark(
            "**Never worth it** by these odds, as all who may buy it may buy another of its class that protects as "
            "well from every weapon for no more: {names}."
        )
        found.append(rich(sentence, names=", ".join(beaten["worn"])))
    worse = table[(table["least"] < -SAME) & (table["class"] != "body + shield")]
    if len(worse):
        line = worse.iloc[int(worse["least"].to_numpy(float).argmin())]
        sentence = mark(
            "Armour can be worse than none: {weapon} kills a target in {worn} more often, by **{points} points**."
        )
        found.append(
            rich(sentence, weapon=line["least_weapon"], worn=line["worn"], points=_size(-float(line["least"])))
        )
    return (*found, *_blood_findings(blood), *_ignoring_finding(cells))


def _names(rows: pd.DataFrame) -> str:
    return tell.joined([label(str(name)) for name in rows["worn"]])


def _size(difference: float) -> str:
    return tell.points(difference).replace("+", "")


def value_at(blood: pd.DataFrame, key: tuple[str, str], markers: int, tough: bool, attacks: int = ATTACKS) -> float:
    """Give a mean chance.

    Parameters
    ----------
    blood : DataFrame
        As :func:`tcsim.analysis.whole.armour.interplay` gives it.
    key : tuple of (str, str)
        Ids of armour and shield; empty: none.
    markers : int
        Blood markers at the start.
    tough : bool
        Whether the target is TOUGH.
    attacks : int, optional
        Number of attacks.

    Returns
    -------
    float
        In [0, 1].
    """
    asked = (blood["armour_id"] == key[0]) & (blood["shield_id"] == key[1]) & (blood["blood"] == markers)
    return float(blood[asked & (blood["tough"] == tough) & (blood["attacks"] == attacks)]["p_out"].iloc[0])


def _blood_findings(blood: pd.DataFrame) -> tuple[Rich, ...]:
    there = set(zip(blood["armour_id"], blood["shield_id"], strict=True))
    key = ("reinforced-armour", "")
    if key not in there or ("", "") not in there:
        return ()
    numbers = {
        name: percent(value_at(blood, one, markers, tough))
        for name, one, markers, tough in (
            ("bare", ("", ""), 0, False),
            ("worn", key, 0, False),
            ("tough", key, 0, True),
            ("bloody", key, 6, False),
        )
    }
    sentence = mark(
        "Two attacks, mean over the weapons: out of action in **{bare}** without armour, in **{worn}** in {armour}; "
        "TOUGH in it in **{tough}**, with six blood markers in **{bloody}**."
    )
    return (rich(sentence, armour=label("Reinforced Armour"), **numbers),)


def _ignoring_finding(cells: pd.DataFrame) -> tuple[Rich, ...]:
    table = taken_off(cells)
    if ("reinforced-armour", "") not in table.index:
        return ()
    names, n = ignoring(cells), table.shape[1]
    sentence = mark("{armour} does nothing against **{k} of {n} weapons**.")
    return (rich(sentence, armour=label("Reinforced Armour"), k=len(names), n=n),)


def _table(table: pd.DataFrame) -> tuple[Block, ...]:
    off, mean = tr("Off two attacks, points"), tr("Mean off two attacks")
    columns = (
        Column(tr("Worn"), number=False),
        Column(tr("Ducats")),
        Column(tr("mean"), off),
        Column(tr("most"), off),
        Column(tr("least"), off),
        Column(tr("TOUGH"), mean, minor=True),
        Column(tr("six blood"), mean, minor=True),
        Column(tr("Points for 10 ducats")),
        Column(tr("No use against"), minor=True),
        Column(tr("Never worth it beside"), number=False, minor=True),
    )
    rows: list[Row] = []
    pairs: list[Row] = []
    for line in table.to_dict("records"):
        per = float(line["per_ducat"])
        cells = (
            Cell(
                " + ".join(label(one) for one in str(line["worn"]).split(" + ")),
                tr(_CLASSES.get(str(line["class"]), str(line["class"]))),
            ),
            ducats(line["cost"]),
            _off(line["mean"]),
            _with_weapon(line["most"], line["most_weapon"]),
            _with_weapon(line["least"], line["least_weapon"]),
            _off(line["mean_tough"]),
            _off(line["mean_blood"]),
            Cell("–") if per != per else Cell(tell.points(10 * per, 2).lstrip("+"), value=per),
            Cell(tr("{k} of {n}", k=line["nothing"], n=line["weapons"]), value=float(line["nothing"])),
            Cell(str(line["beaten_by"]) or "–"),
        )
        (pairs if line["class"] == "body + shield" else rows).append(
            Row(cells, (("class", token(str(line["class"]))), ("faction", tokens(str(line["factions"])) or "any")))
        )
    classes = tuple((token(kind), tr(_CLASSES[kind])) for kind in CLASSES if (table["class"] == kind).any())
    factions = choices(str(names) for names in table["factions"])
    note = tr(
        "Points of P(out of action), mean over the official weapons that are counted in full and ever take out a "
        "target without armour. Never worth it: all who may buy it may buy another of its class that costs no more and "
        "protects as well from every weapon."
    )
    caption = tr("What everything that can be worn takes off, exact")
    classes = tuple(one for one in classes if one[0] != token("body + shield"))
    found: list[Block] = [
        Filters((("class", tr("Class"), classes), ("faction", tr("Faction"), factions))),
        Table("armour", caption, columns, tuple(rows), search=tr("Find armour"), note=note),
    ]
    if pairs:
        title = tr("Body armour and shield together: {n} pairs", n=len(pairs))
        found.append(Folded(title, (Table("pairs", caption, columns, tuple(pairs), search=tr("Find armour")),)))
    return tuple(found)


def _with_weapon(difference: float, weapon: str) -> Cell:
    shown = str(weapon) if abs(difference) > SAME else ""  # where it takes off nothing, the weapon is one of many
    return Cell(_size(float(difference)), shown, float(difference))


def _off(difference: float) -> Cell:
    return Cell(_size(float(difference)), value=float(difference))


def figure_table(table: pd.DataFrame) -> pd.DataFrame:
    """Give what the figure draws: what pieces of armour take off, by the names that are printed.

    Parameters
    ----------
    table : DataFrame
        As for :func:`compose`.

    Returns
    -------
    DataFrame
        A row for each piece that is no pair, most protective first; pieces that do the same share one; columns for
        ordinary targets, TOUGH ones, and with six blood markers.
    """
    own = table[(table["class"] != "body + shield") & (table["mean"].abs() > SAME)]
    names = ["mean", "mean_tough", "mean_blood"]
    rounded = own.assign(**{name: own[name].round(9) for name in names})
    shared = rounded.groupby(names, sort=False)["worn"].agg(list).reset_index().head(MOST)
    shared["told"] = [_shared([label(str(name)) for name in worn]) for worn in shared["worn"]]
    found = shared.set_index("told")[names]
    return found.set_axis([tr("ordinary"), tr("TOUGH"), tr("six blood")], axis="columns")


def _shared(names: list[str]) -> str:
    return names[0] if len(names) == 1 else tr("{name} and {n} more", name=names[0], n=len(names) - 1)


def _figures(table: pd.DataFrame, edition: str) -> tuple[Block, ...]:
    drawn = figure_table(table)
    top = tr("{points} points off: {worn}", worn=drawn.index[0], points=_size(float(drawn.to_numpy(float)[0, 0])))
    subtitle = tr("Points of P(out of action) that two attacks lose, mean over the weapons")
    words = Words(top, subtitle, f"{setting(edition)} {tr('Pieces that do the same share a row.')} {tr('Exact.')}")
    return (Figures((figure("taken-off", point_bars, words, drawn, words, write=_size),)),)


def _interplay(blood: pd.DataFrame) -> tuple[Block, ...]:
    there = set(zip(blood["armour_id"], blood["shield_id"], strict=True))
    steps = [(key, name) for key, name in STEPS if key in there]
    heads = [tr("ordinary"), tr("TOUGH")]
    columns = [Column(tr("Blood markers"), number=False)]
    columns += [Column(head, tr(name)) for _, name in steps for head in heads]
    rows = []
    for markers in sorted(set(blood["blood"].tolist())):
        cells = [Cell(str(markers), value=float(markers))]
        cells += [chance(value_at(blood, key, markers, tough)) for key, _ in steps for tough in (False, True)]
        rows.append(Row(tuple(cells)))
    caption = tr("Chance that two attacks take out the target, mean over the weapons")
    return (Table("interplay", caption, tuple(columns), tuple(rows)),)


def _ignoring(cells: pd.DataFrame) -> tuple[Block, ...]:
    table = taken_off(cells)
    if ("reinforced-armour", "") not in table.index:
        return (Paragraph(rich("Nothing to tell.")),)
    names = ignoring(cells)
    text = rich("Against {armour}: {names}.", armour=label("Reinforced Armour"), names=", ".join(names) or tr("none"))
    return (Paragraph(text),)


def _reading(edition: str) -> tuple[Paragraph, ...]:
    """What the edition's reading of Machine Armour comes to, where it has a sentence."""
    default = load_edition(edition).options["machine_armour_wearers"].default
    told = READINGS["machine_armour_wearers"].get(default)
    return (Paragraph((tr(told),)),) if told else ()


def _method() -> Paragraph:
    return Paragraph(
        rich(
            "Everything a model may wear: nothing, each piece alone, and each body armour with each shield that goes "
            "with it. Every weapon makes two attacks at short range, without cover, by a model with 0 DICE, so that "
            "markers of the first and TOUGH count; blood markers are spent for the best chance on each roll. Every "
            "weapon counts the same in a mean. What a piece does besides, as against mines, fear or in a charge, is "
            "not in these odds; nor are hands and limits."
        )
    )
