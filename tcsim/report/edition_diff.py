"""The report on two editions: what became of each weapon's chances, by its row or by the rules, and of prices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tcsim.analysis.whole.changes import Change
from tcsim.analysis.whole.editions import (
    comings,
    field_changes,
    price_changes,
    summary,
    weapon_changes,
)
from tcsim.analysis.whole.weapons import STEPS
from tcsim.base.errors import InputError
from tcsim.base.lang import current, mark, tr
from tcsim.base.text import signed
from tcsim.plots import tell
from tcsim.plots.data import SAME
from tcsim.plots.figures.edition_difference import edition_difference, edition_difference_words
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
from tcsim.report.settings import Asked, Built
from tcsim.report.shared import chosen_weapons, ducats, figure, kicker, points, setting

if TYPE_CHECKING:
    import pandas as pd

CAUSES = {
    "row": mark("profile"),
    "rules": mark("rules"),
    "both": mark("profile and rules"),
    "none": mark("no change"),
    "unknown": mark("cannot be split"),
}
_ROWS = {"weapon": mark("weapon"), "armour": mark("armour"), "unit": mark("unit")}
#: Weapons of the figure.
MOST = 24


def build(asked: Asked) -> Built:
    """Make the report.

    Parameters
    ----------
    asked : Asked
        The catalogues of two editions, the newer first, as all editions are.

    Returns
    -------
    Built
        The report, in the language of the moment; its frames are ``weapons`` (a row each), ``cells`` (by armour),
        ``prices`` and ``rows`` (that only one edition has).

    Raises
    ------
    InputError
        When there are not two editions.
    """
    if len(asked.catalogs) != 2:
        raise InputError(f"two editions are compared, {len(asked.catalogs)} are given", "--edition")
    new, old = asked.catalogs
    names = chosen_weapons(asked)
    ids = None if names is None else [new.weapon(name, where="weapons").id for name in names]
    with asked.progress("solving cells", 1) as advance:
        cells = weapon_changes(old, new, weapons=ids)
        advance(1)
    fields = field_changes(old, new)
    frames = {"weapons": summary(cells), "cells": cells, "prices": price_changes(old, new), "rows": comings(old, new)}
    return Built(compose((old.edition, new.edition), frames, fields), frames)


def compose(editions: tuple[str, str], frames: dict[str, pd.DataFrame], fields: list[Change]) -> Report:
    """Make the report of what was found, as data.

    Parameters
    ----------
    editions : tuple of (str, str)
        The older and the newer one.
    frames : dict of DataFrame
        As :func:`build` names them.
    fields : list of Change
        What changed in the rows themselves.

    Returns
    -------
    Report
        In the language of the moment.
    """
    weapons = frames["weapons"][frames["weapons"]["official"]]
    return Report(
        title=tr("{old} to {new}: what the edition changed", old=editions[0], new=editions[1]),
        kicker=kicker(", ".join(editions)),
        lead=(Points(findings(frames), lead=True),),
        sections=(
            Section(
                tr("Every weapon"), tr("Table"), "table", (*_figure(weapons, editions), *_weapons(frames, editions))
            ),
            Section(tr("Prices"), tr("Prices"), "prices", _prices(frames["prices"], editions)),
            Section(tr("New and gone"), tr("Rows"), "rows", _rows(frames["rows"])),
            Section(tr("What changed in the rows"), tr("Fields"), "fields", _fields(fields, editions)),
            Section(tr("How it was computed"), tr("Method"), "method", (_method(),)),
        ),
        lang=current(),
    )


def judged(frames: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Give the weapons that findings are about: official ones that both editions have and that are counted in full.

    Parameters
    ----------
    frames : dict of DataFrame
        As :func:`build` names them.

    Returns
    -------
    DataFrame
        A row each.
    """
    weapons = frames["weapons"]
    return weapons[weapons["official"] & weapons["counted"]]


def findings(frames: dict[str, pd.DataFrame]) -> tuple[Rich, ...]:
    """Say what was found, each sentence computed from the frames.

    Parameters
    ----------
    frames : dict of DataFrame
        As :func:`build` names them.

    Returns
    -------
    tuple of Rich
        A sentence each.
    """
    own, found = judged(frames), list[Rich]()
    changed = own[own["cause"] != "none"]
    counts = {cause: int((own["cause"] == cause).sum()) for cause in CAUSES}
    sentence = mark(
        "Of {n} weapons that both editions have, **{changed}** take out the target with another chance: {row} by their "
        "own profile, {rules} by the rules alone, {both} by both."
    )
    told = {name: counts[name] for name in ("row", "rules", "both")}
    found.append(rich(sentence, n=len(own), changed=len(changed), **told))
    for sign, sentence in (
        (
            1,
            mark("**{names}** gained most: **{points} points**, {row} by its profile and {rules} by the rules."),
        ),
        (
            -1,
            mark("**{names}** lost most: **{points} points**, {row} by its profile and {rules} by the rules."),
        ),
    ):
        moved = own[sign * own["change"] > SAME]
        if not len(moved):
            continue
        top = float((sign * moved["change"]).max())
        best = moved[sign * moved["change"] >= top - SAME]
        line = best.iloc[0]
        shares = {name: tell.points(_flat(float(line[f"by_{name}"]))) for name in ("row", "rules")}
        names = tell.joined([str(name) for name in best["weapon"]])
        found.append(rich(sentence, names=names, points=tell.points(sign * top), **shares))
    prices = frames["prices"]
    both = prices[prices["old"].notna() & prices["new"].notna() & (prices["currency"] == "ducats")]
    sentence = mark("**{dearer}** weapons, pieces of armour and units cost more ducats, **{cheaper}** fewer.")
    dearer, cheaper = int((both["new"] > both["old"]).sum()), int((both["new"] < both["old"]).sum())
    found.append(rich(sentence, dearer=dearer, cheaper=cheaper))
    rows = frames["rows"]
    sentence = mark("New: {new}. Gone: {gone}.")
    found.append(rich(sentence, new=_counted(rows, "new"), gone=_counted(rows, "gone")))
    return tuple(found)


def _counted(rows: pd.DataFrame, status: str) -> str:
    weapons, armour, units = (int(((rows["row"] == kind) & (rows["status"] == status)).sum()) for kind in _ROWS)
    return tell.joined(
        [
            tell.things(weapons, "weapon"),
            tell.things(armour, "piece of armour", "pieces of armour"),
            tell.things(units, "unit"),
        ]
    )


def figure_frame(weapons: pd.DataFrame, editions: tuple[str, str]) -> pd.DataFrame:
    """Give what the figure draws.

    Parameters
    ----------
    weapons : DataFrame
        As :func:`tcsim.analysis.whole.editions.summary` gives it.
    editions : tuple of (str, str)
        The older and the newer one.

    Returns
    -------
    DataFrame
        ``weapon``, ``edition``, ``p`` and ``profile_changed``, two rows for each weapon that changed.
    """
    import pandas as pd

    moved = weapons[weapons["change"].abs() > SAME].head(MOST)
    parts = [
        pd.DataFrame(
            {
                "weapon": moved["weapon"],
                "edition": edition,
                "p": moved[column],
                "profile_changed": moved["cause"].isin(["row", "both"]),
            }
        )
        for edition, column in zip(editions, ("old", "new"), strict=True)
    ]
    return pd.concat(parts, ignore_index=True)


def _figure(weapons: pd.DataFrame, editions: tuple[str, str]) -> tuple[Block, ...]:
    frame = figure_frame(weapons[weapons["counted"]], editions)
    if frame.empty:
        return ()
    told = " ".join(
        (
            setting(", ".join(editions)),
            tr("Mean over armour 0 to −3, all that one activation has of the weapon."),
            tr("Weapons of the same chance in both are left out."),
        )
    )
    words = edition_difference_words(frame, editions[0], told)
    return (Figures((figure("editions", edition_difference, words, frame, editions[0], setting=told),)),)


def _weapons(frames: dict[str, pd.DataFrame], editions: tuple[str, str]) -> tuple[Block, ...]:
    mean, step_head = tr("Out of action, mean over armour 0 to −3"), tr("Change by armour, points")
    columns = [Column(tr("Weapon"), number=False), Column(tr("Type"), number=False, minor=True)]
    columns += [Column(edition, mean) for edition in editions]
    columns += [Column(tr("change"), mean), Column(tr("by profile"), mean), Column(tr("by rules"), mean)]
    columns += [Column(signed(step) if step else "0", step_head, minor=True) for step in STEPS]
    columns.append(Column(tr("Cause"), number=False, minor=True))
    cells = frames["cells"].pivot(index="weapon_id", columns="modifier", values="change")
    by_step = dict(zip(cells.index, cells.to_dict("records"), strict=True))
    rows, same = [], []
    for line in frames["weapons"][frames["weapons"]["official"]].to_dict("records"):
        if line["cause"] == "none":
            same.append(Row((_named(line), Cell(tr(str(line["kind"]))), chance(line["new"]))))
            continue
        own: Any = by_step[line["weapon_id"]]
        told = [_named(line)]
        told += [Cell(tr(str(line["kind"]))), chance(line["old"]), chance(line["new"])]
        told += [points(_flat(line[name])) for name in ("change", "by_row", "by_rules")]
        told += [points(_flat(own[step])) for step in STEPS]
        told.append(Cell(tr(CAUSES[str(line["cause"])])))
        rows.append(Row(tuple(told), (("cause", str(line["cause"])), ("kind", str(line["kind"])))))
    causes = tuple((cause, tr(name)) for cause, name in CAUSES.items() if cause != "none")
    kinds = (("melee", tr("melee")), ("ranged", tr("ranged")))
    note = tr(
        "Profile and rules add up to the change: each is the mean of both ways, the profile first or the rules first."
    )
    caption = tr("What became of each weapon whose chance the edition changed, exact")
    found: list[Block] = []
    if rows:
        found.append(Filters((("cause", tr("Cause"), causes), ("kind", tr("Type"), kinds))))
        found.append(Table("weapons", caption, tuple(columns), tuple(rows), search=tr("Find a weapon"), note=note))
    if same:
        heads = (columns[0], Column(tr("Type"), number=False), Column(mean))
        title = tr("The same in both editions: {n}", n=tell.things(len(same), "weapon"))
        found.append(Folded(title, (Table("same", title, heads, tuple(same)),)))
    return tuple(found)


def _named(line: dict[Any, Any]) -> Cell:
    return Cell(str(line["weapon"]), "" if line["counted"] else tr("not counted in full"))


def _flat(value: float) -> float:
    return 0.0 if abs(value) <= SAME else value


def _prices(prices: pd.DataFrame, editions: tuple[str, str]) -> tuple[Block, ...]:
    columns = (
        Column(tr("Name"), number=False),
        Column(tr("Row"), number=False),
        Column(tr("Currency"), number=False),
        *(Column(edition) for edition in editions),
    )
    currencies = {"ducats": tr("ducats"), "glory": tr("glory")}
    rows = tuple(
        Row(
            (
                Cell(str(line["name"])),
                Cell(tr(_ROWS[str(line["row"])])),
                Cell(currencies[str(line["currency"])]),
                ducats(line["old"]),
                ducats(line["new"]),
            ),
            (("row", str(line["row"])),),
        )
        for line in prices.to_dict("records")
    )
    kinds = tuple((kind, tr(name)) for kind, name in _ROWS.items())
    note = tr("The lowest price any faction pays; – where it is not sold for that.")
    return (
        Filters((("row", tr("Row"), kinds),)),
        Table("prices", tr("Official rows of both editions that cost something else"), columns, rows, note=note),
    )


def _rows(rows: pd.DataFrame) -> tuple[Block, ...]:
    found = []
    for status, told in (("new", mark("New: {n} rows")), ("gone", mark("Gone: {n} rows"))):
        own = rows[rows["status"] == status]
        lines = tuple(
            Row((Cell(str(line["name"])), Cell(tr(_ROWS[str(line["row"])])))) for line in own.to_dict("records")
        )
        columns = (Column(tr("Name"), number=False), Column(tr("Row"), number=False))
        title = tr(told, n=len(own))
        found.append(Folded(title, (Table(f"rows-{status}", title, columns, lines),)))
    return tuple(found)


def _fields(fields: list[Change], editions: tuple[str, str]) -> tuple[Block, ...]:
    columns = (
        Column(tr("Name"), number=False),
        Column(tr("Field"), number=False),
        *(Column(edition, number=False) for edition in editions),
    )
    found = []
    for kind, name in _ROWS.items():
        lines = tuple(
            Row((Cell(change.name), Cell(field.replace("_", " ")), *(Cell(_value(one)) for one in change.told(field))))
            for change in fields
            if change.kind == kind
            for field in change.fields
        )
        title = tr("{kind}: {n} differences", kind=tr(name), n=len(lines))
        found.append(Folded(title, (Table(f"fields-{kind}", title, columns, lines),)))
    return tuple(found)


def _value(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "; ".join(map(str, value)) or "–"
    return "–" if value in (None, "") else str(value)


def _method() -> Paragraph:
    return Paragraph(
        rich(
            "Rows are matched by their id. Each weapon attacks ordinary standing targets in armour 0 to −3 with all "
            "that one activation has of it, at short range, without cover, by a model with 0 DICE; blood markers are "
            "spent for the best chance on each roll. The profile of one edition, its numbers and keywords, is also "
            "played under the rules of the other. There are two ways from the old chance to the new one, the profile "
            "first or the rules first; the share of either is the mean of both, so that the two add up. Where the "
            "rules of an edition do not know what a profile says, the change cannot be split."
        )
    )
