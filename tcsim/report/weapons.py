"""The report on weapons: what each does and costs, which are out of line with their price, what keywords are worth."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tcsim.analysis.compare.mixes import USUAL, read_mix
from tcsim.analysis.kill_odds import kill_odds
from tcsim.analysis.whole.features import feature_worth
from tcsim.analysis.whole.weapons import ATTACKS, STEPS, standing, weapon_odds
from tcsim.base.lang import current, label, mark, tr
from tcsim.base.text import percent, signed
from tcsim.plots import tell
from tcsim.plots.data import SAME, described
from tcsim.plots.figures.armour_blood import armour_blood, armour_blood_words
from tcsim.plots.figures.point_bars import point_bars
from tcsim.plots.page import Words
from tcsim.report.blocks import (
    Block,
    Cell,
    Column,
    Figure,
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
from tcsim.report.settings import Asked, Built
from tcsim.report.shared import (
    choices,
    chosen_weapons,
    ducats,
    figure,
    front_figure,
    kicker,
    points,
    remarks,
    setting,
    tokens,
)

if TYPE_CHECKING:
    import pandas as pd

#: What single numbers are called; keywords have labels of their own.
NUMBERS = (mark("+1 DICE"), mark("+1 injury die"), mark("+1 injury modifier"), mark("one more shot or blow"))
#: How many out of line with their price are told on each side.
MOST = 10
#: How many keywords a finding tells.
TOLD = 3
KINDS = {"melee": mark("melee"), "ranged": mark("ranged")}


def build(asked: Asked) -> Built:
    """Make the report.

    Parameters
    ----------
    asked : Asked
        The catalogue of one edition, perhaps with users' own weapons.

    Returns
    -------
    Built
        The report, in the language of the moment; its frames are ``weapons`` (a row each), ``cells`` and ``keywords``.
    """
    rows = asked.catalog
    with asked.progress("solving cells", 3) as advance:
        cells, told = weapon_odds(rows, weapons=chosen_weapons(asked))
        advance(1)
        table = standing(cells)
        counted = table[table["official"] & table["counted"] & (table["p_0"] > 0)]
        advance(1)
        worth = feature_worth(rows, list(counted["weapon_id"]))
        advance(1)
    unbeaten = list(table.loc[table["on_front"], "weapon_id"])
    blood = described(kill_odds(unbeaten, rows, attacks=[2]), rows.edition, rows) if unbeaten else None
    frames = {"weapons": table, "cells": cells, "keywords": worth}
    return Built(compose(rows.edition, table, worth, told, blood), frames)


def compose(
    edition: str, table: pd.DataFrame, worth: pd.DataFrame, told: pd.DataFrame, blood: pd.DataFrame | None = None
) -> Report:
    """Make the report of what was found, as data.

    Parameters
    ----------
    edition : str
        Edition id.
    table : DataFrame
        As :func:`tcsim.analysis.whole.weapons.standing` gives it.
    worth : DataFrame
        As :func:`tcsim.analysis.whole.features.feature_worth` gives it.
    told : DataFrame
        What is assumed and left out.
    blood : DataFrame, optional
        Kill odds of the unbeaten weapons, for the figure of armour and blood markers; without, it is not drawn.

    Returns
    -------
    Report
        In the language of the moment.
    """
    return Report(
        title=tr("Weapons: what they do, and what they cost"),
        kicker=kicker(edition),
        lead=(Points(findings(table, worth), lead=True),),
        sections=(
            Section(tr("Every weapon"), tr("Table"), "table", _weapons(table)),
            Section(
                tr("Price and odds"), tr("Prices"), "prices", (*_fronts(table, blood, edition), *_out_of_line(table))
            ),
            Section(tr("What keywords are worth"), tr("Keywords"), "keywords", _keywords(worth, edition)),
            Section(tr("How it was computed"), tr("Method"), "method", (_method(edition), remarks(told, "remarks"))),
        ),
        lang=current(),
    )


def findings(table: pd.DataFrame, worth: pd.DataFrame) -> tuple[Rich, ...]:
    """Say what was found, each sentence computed from the frames.

    Parameters
    ----------
    table, worth
        As for :func:`compose`.

    Returns
    -------
    tuple of Rich
        A sentence each.
    """
    found: list[Rich] = []
    fair = table[table["official"] & table["counted"]]
    for kind, name in KINDS.items():
        own = fair[fair["kind"] == kind]
        if len(own):
            top = own["mix"].max()
            best = _names(own[own["mix"] >= top - SAME])
            sentence = mark("Of {kind} weapons **{best}** takes out most of the models met at the table: **{p}**.")
            found.append(rich(sentence, kind=tr(name), best=best, p=percent(float(top))))
    for kind, name in KINDS.items():
        judged = table[table["judged"] & (table["kind"] == kind)]
        if not len(judged):
            continue
        on = judged[judged["on_front"]]
        sentence = mark("Of {n} {kind} weapons sold for ducats **{unbeaten}** are unbeaten for their price: {names}.")
        names = ", ".join(on.sort_values(["cost", "weapon"])["weapon"])
        found.append(rich(sentence, n=len(judged), kind=tr(name), unbeaten=len(on), names=names))
    judged = table[table["judged"]]
    if len(judged) and judged["off"].max() > 0:
        high = judged["off"].max()
        dear = judged[judged["off"] == high]
        one = dear.iloc[0]
        sentence = mark("**{n} ducats** above its highest fair price: **{names}** ({beaten} does as much for {less}).")
        values = {"beaten": one["beaten_by"], "less": f"{one['beaten_at']:.0f}"}
        found.append(rich(sentence, names=_names(dear), n=f"{high:.0f}", **values))
    if len(judged) and judged["off"].min() < 0:
        low = judged["off"].min()
        cheap = judged[judged["off"] == low]
        sentence = mark("**{n} ducats** below its lowest fair price: **{names}**.")
        found.append(rich(sentence, names=_names(cheap), n=f"{-low:.0f}"))
    return (*found, *_keyword_findings(worth))


def _names(rows: pd.DataFrame) -> str:
    return tell.joined([str(name) for name in rows["weapon"]])


def gains(worth: pd.DataFrame, attacks: int = 1) -> pd.DataFrame:
    """Give what each keyword adds, mean over the weapons.

    Parameters
    ----------
    worth : DataFrame
        As :func:`tcsim.analysis.whole.features.feature_worth` gives it.
    attacks : int, optional
        Number of attacks.

    Returns
    -------
    DataFrame
        Differences of probabilities: a row for each feature, a column for each armour, 0 to -3.
    """
    rows = worth[worth["attacks"] == attacks]
    added = (rows["with_it"] - rows["without"]).where(lambda gain: gain.abs() > SAME, 0.0)
    wide = added.groupby([rows["feature"], rows["modifier"]], sort=False).mean().unstack("modifier")
    return wide[list(STEPS)]


def _keyword_findings(worth: pd.DataFrame) -> tuple[Rich, ...]:
    words = worth[worth["feature"].map(_is_word)]
    if not len(words):
        return ()
    found, means, n = [], gains(words), words["weapon_id"].nunique()
    for step in (STEPS[0], STEPS[-1]):
        order = means[step].sort_values(ascending=False, kind="stable").head(TOLD)
        told = ", ".join(f"{label(str(name))} ({tell.points(float(gain))})" for name, gain in order.items())
        sentence = mark("Worth most against armour {step}, in points of one attack, mean over {n} weapons: **{told}**.")
        found.append(rich(sentence, step=signed(step) if step else "0", told=told, n=n))
    if "CRITICAL" in set(words["feature"]):
        one = words[(words["feature"] == "CRITICAL") & (words["attacks"] == 1)]  # each weapon, no mean
        most = tell.points(float((one["with_it"] - one["without"]).max()), 2).lstrip("+")
        sentence = mark(
            "**{keyword}** is worth no more than **{points} points** to one attack, on any weapon and armour."
        )
        found.append(rich(sentence, keyword=label("CRITICAL"), points=most))
    return tuple(found)


def _is_word(name: str) -> bool:
    """Whether it is a keyword, and no number."""
    return name not in NUMBERS


def _weapons(table: pd.DataFrame) -> tuple[Block, ...]:
    own = table["official"] & table["counted"]
    main, others = table[own], table[~own]
    kinds = tuple((kind, tr(name)) for kind, name in KINDS.items())
    words = {word: label(word) for text in main["keywords"] for word in str(text).split(";")}
    filters = (
        ("kind", tr("Type"), kinds),
        ("faction", tr("Faction"), choices(str(names) for names in main["factions"])),
        ("keyword", tr("Keyword"), choices((str(text) for text in main["keywords"]), words)),
        ("judged", tr("Sold for ducats"), (("yes", tr("yes")), ("no", tr("no")))),
    )
    found: list[Block] = [Filters(filters), _weapon_table("weapons", main)]
    if len(others):
        title = tr("Not official, or not counted in full: {n} weapons", n=len(others))
        found.append(Folded(title, (_weapon_table("others", others),)))
    return tuple(found)


def _weapon_table(name: str, table: pd.DataFrame) -> Table:
    one, met = tr("Out of action by one attack, armour"), tr("Models met at the table")
    columns = [Column(tr("Weapon"), number=False), Column(tr("Type"), number=False, minor=True), Column(tr("Ducats"))]
    columns += [Column(signed(step) if step else "0", one) for step in STEPS]
    columns += [
        Column(tr("out"), met),
        Column(tr("Down or out"), met),
        Column(tr("TOUGH, {attacks}", attacks=tell.things(ATTACKS[-1], "attack")), minor=True),
        Column(tr("Fair price"), number=False),
        Column(tr("For its price"), number=False, minor=True),
    ]
    rows = []
    for line in table.to_dict("records"):
        words = ", ".join(label(word) for word in str(line["keywords"]).split(";") if word)
        glory = tr("{n} glory", n=f"{line['glory']:.0f}") if line["glory"] == line["glory"] else ""
        cells = [Cell(str(line["weapon"]), words), Cell(tr(KINDS[str(line["kind"])])), ducats(line["cost"], glory)]
        cells += [chance(line[f"p_{-step}"]) for step in STEPS]
        cells += [chance(line["mix"], bar=True), chance(line["mix_down"]), chance(line["tough"])]
        cells += [Cell(fair_text(line)), Cell(_for_its_price(line))]
        tags = (
            ("kind", str(line["kind"])),
            ("faction", tokens(str(line["factions"])) or "any"),
            ("keyword", tokens(str(line["keywords"]))),
            ("judged", "yes" if line["judged"] else "no"),
        )
        rows.append(Row(tuple(cells), tags))
    note = tr(
        "Models met at the table: mean over the armour and TOUGH of the starting warbands. Fair price: in ducats, "
        "between what does less and what does more among weapons of its type; only for official weapons that are "
        "counted in full and sold for ducats."
    )
    caption = tr("Chance that the target is out of action, exact")
    return Table(name, caption, tuple(columns), tuple(rows), search=tr("Find a weapon"), note=note)


def fair_text(line: dict[Any, Any]) -> str:
    """Write the fair prices of a weapon.

    Parameters
    ----------
    line : dict
        A row of the table.

    Returns
    -------
    str
        As ``11–19`` or ``21 or more``; ``–`` where it is not judged.
    """
    low, high = float(line["fair_low"]), float(line["fair_high"])
    if not line["judged"]:
        return "–"
    if high != high:
        return tr("{n} or more", n=f"{low:.0f}")
    if high < 0:
        return tr("none")
    return f"{low:.0f}" if low == high else f"{low:.0f}–{high:.0f}"


def _for_its_price(line: dict[Any, Any]) -> str:
    if not line["judged"]:
        return "–"
    if line["on_front"]:
        return tr("unbeaten")
    if not line["beaten_by"]:
        return tr("unbeaten")
    return tr("beaten by {weapon} ({cost})", weapon=line["beaten_by"], cost=f"{line['beaten_at']:.0f}")


def _fronts(table: pd.DataFrame, blood: pd.DataFrame | None, edition: str) -> tuple[Block, ...]:
    figures: list[Figure] = []
    for kind in KINDS:
        own = table[table["judged"] & (table["kind"] == kind)]
        if not len(own):
            continue
        frame = own.rename(columns={"mix": "p"})[["weapon", "kind", "cost", "p"]]
        figures.append(front_figure(f"front-{kind}", frame, edition, kind))
    if blood is not None:
        told = f"{setting(edition)} {tr('Weapons that are unbeaten for their price.')}"
        words = armour_blood_words(blood, setting=told)
        figures.append(figure("armour-blood", armour_blood, words, blood, setting=told))
    return (Figures(tuple(figures)),) if figures else ()


def _out_of_line(table: pd.DataFrame) -> tuple[Block, ...]:
    judged = table[table["judged"] & (table["off"].abs() > 0)]
    dear = judged.sort_values(["off", "weapon"], ascending=[False, True]).head(MOST)
    cheap = judged.sort_values(["off", "weapon"]).head(MOST)
    columns = (
        Column(tr("Weapon"), number=False),
        Column(tr("Ducats")),
        Column(tr("Fair price"), number=False),
        Column(tr("Off by")),
        Column(tr("out")),
        Column(tr("For its price"), number=False),
    )
    found = []
    for name, rows, caption in (
        ("dear", dear[dear["off"] > 0], tr("Dearest for what they do: ducats above the highest fair price")),
        ("cheap", cheap[cheap["off"] < 0], tr("Cheapest for what they do: ducats below the lowest fair price")),
    ):
        lines = tuple(
            Row(
                (
                    Cell(str(line["weapon"]), tr(KINDS[str(line["kind"])])),
                    ducats(line["cost"]),
                    Cell(fair_text(line)),
                    Cell(signed(round(line["off"])), value=float(line["off"])),
                    chance(line["mix"], bar=True),
                    Cell(_for_its_price(line)),
                )
            )
            for line in rows.to_dict("records")
        )
        if lines:
            found.append(Table(name, caption, columns, lines))
    return tuple(found)


def _keywords(worth: pd.DataFrame, edition: str) -> tuple[Block, ...]:
    once, twice = gains(worth), gains(worth, ATTACKS[-1])
    having = worth[worth["has"]].groupby("feature")["weapon_id"].nunique()
    heads = [tr("{attacks}, armour", attacks=tell.things(n, "attack")) for n in ATTACKS]
    columns = [Column(tr("Keyword"), number=False), Column(tr("weapons with it"))]
    columns += [Column(signed(step) if step else "0", head) for head in heads for step in STEPS]
    columns.append(Column(tr("most to"), number=False, minor=True))
    rows = []
    for name in once.index[np.lexsort((np.arange(len(once)), -once.mean(axis=1).round(9).to_numpy()))]:
        n = int(having.get(name, 0))
        cells = [Cell(feature_label(str(name))), Cell(str(n) if _is_word(str(name)) else "–", value=float(n))]
        cells += [points(float(frame.loc[name, step])) for frame in (once, twice) for step in STEPS]
        rows.append(Row((*cells, Cell(*_most_to(worth, str(name))))))
    note = tr(
        "Points of P(out of action): each weapon once with the keyword and once without, whatever the books give it; "
        "mean over all official weapons that are counted in full."
    )
    caption = tr("What a keyword, or one more of a number, adds to an attack")
    table = Table("keywords", caption, tuple(columns), tuple(rows), note=note)
    words = keyword_words(once, edition)
    return Figures((figure("keyword-worth", point_bars, words, _named(once), words),)), table


def _named(once: pd.DataFrame) -> pd.DataFrame:
    """What the figure draws: most first, by the names that are printed."""
    order = np.lexsort((np.arange(len(once)), -once.mean(axis=1).round(9).to_numpy()))
    heads = (tr("no armour"), *(tr("armour {step}", step=signed(step)) for step in STEPS[1:]))
    named = once.iloc[order].set_axis(list(heads), axis="columns")
    return named.set_axis([feature_label(str(name)) for name in named.index], axis="index")


def keyword_words(once: pd.DataFrame, edition: str) -> Words:
    """Say what the figure of keywords shows.

    Parameters
    ----------
    once : DataFrame
        As :func:`gains` gives it.
    edition : str
        For the caption.

    Returns
    -------
    Words
        Title, subtitle and caption.
    """
    words = once.loc[[name for name in once.index if _is_word(str(name))]]
    best = [
        tell.joined([label(str(name)) for name in words.index[words[step] >= words[step].max() - SAME]])
        for step in STEPS
    ]
    title = tr("{first} is worth most without armour, {last} in armour −3", first=best[0], last=best[-1])
    if len(set(best)) == 1:
        title = tr("{keyword} is worth most, whatever the armour", keyword=best[0])
    elif best[0] == best[-1]:
        title = tr("{keyword} is worth most without armour and in armour −3", keyword=best[0])
    subtitle = tr("Points of P(out of action) added to one attack, mean over the weapons")
    return Words(title, subtitle, f"{setting(edition)} {tr('Exact.')}")


def feature_label(name: str) -> str:
    """Give what a feature is called in the language of the moment.

    Parameters
    ----------
    name : str
        As :func:`tcsim.analysis.whole.features.features` names it.

    Returns
    -------
    str
        The label of a keyword, or words.
    """
    return label(name) if _is_word(name) else tr(name)


def _most_to(worth: pd.DataFrame, name: str) -> tuple[str, str]:
    """The weapon to which a feature adds most by one attack, and against which armour."""
    rows = worth[(worth["feature"] == name) & (worth["attacks"] == ATTACKS[0])]
    added = rows["with_it"] - rows["without"]
    if not len(added) or float(added.max()) <= SAME:
        return "–", ""
    line: Any = rows.iloc[int(added.to_numpy(float).argmax())]
    step = int(line["modifier"])
    told = mark("{points} at armour {step}")
    return str(line["weapon"]), tr(told, points=tell.points(float(added.max())), step=signed(step) if step else "0")


def _method(edition: str) -> Paragraph:
    models = int(sum(one.weight for one in read_mix(USUAL, edition).targets))
    return Paragraph(
        rich(
            "Every weapon attacks an ordinary standing target at short range, without cover, by a model with 0 DICE; "
            "one attack is all that an activation has of the weapon. Blood markers are spent for the best chance on "
            "each roll. The models met at the table are the {models} of the starting warbands, by armour and TOUGH "
            "alone. A weapon is beaten where another of its type costs no more and takes out as many of them, and is "
            "cheaper or better; hands, range, limits and who may buy it are not weighed. Prices are the lowest any "
            "faction pays; the melee use of a gun has none of its own.",
            models=models,
        )
    )
