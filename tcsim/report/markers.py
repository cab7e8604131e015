"""The report on blood markers: what each is worth, to which weapon, against which armour; when to save them."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

from tcsim.analysis.markers import BLOOD, WEAPONS, marker_worth
from tcsim.analysis.spending import Spending, by_armour
from tcsim.base.lang import current, mark, tr
from tcsim.base.text import percent, points, signed
from tcsim.plots import data, tell
from tcsim.plots.figures import markers as drawing
from tcsim.plots.figures.spending_armour import armour_page_words, spending_by_armour
from tcsim.report.blocks import (
    Cell,
    Column,
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
from tcsim.report.shared import figure, kicker, token

if TYPE_CHECKING:
    import pandas as pd

#: Attacks that the report is about.
ATTACKS = 3

#: Columns of the table of policies.
_POLICIES = {
    "optimal": mark("the best plan"),
    "greedy": mark("greedy"),
    "all": mark("all at once"),
    "bloodbath": mark("Bloodbaths only"),
    "none": mark("none spent"),
}


def build(asked: Asked) -> Built:
    """Make the report.

    Parameters
    ----------
    asked : Asked
        The catalogues of the editions it is about; the option ``weapons`` names others than the usual ones.

    Returns
    -------
    Built
        The report, in the language of the moment; its frames are ``worth`` (of each marker) and ``advice``.
    """
    import pandas as pd

    weapons = asked.options.get("weapons") or WEAPONS
    worths = {}
    with asked.progress("solving", len(asked.catalogs)) as advance:
        for rows in asked.catalogs:
            worths[rows.edition] = marker_worth(rows, weapons, ATTACKS)
            advance(1)
    found = {rows.edition: by_armour(rows.edition, ATTACKS) for rows in asked.catalogs}
    frames = {"worth": pd.concat(worths.values(), ignore_index=True), "advice": _joined(found, "advice")}
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
        As :func:`tcsim.analysis.markers.marker_worth` gives it, of those editions.

    Returns
    -------
    Report
        In the language of the moment.
    """
    frames = {edition: worth[worth["edition"] == edition] for edition in found}
    kinds = (
        ("gain", drawing.marker_gain, drawing.marker_gain_words),
        ("policies", drawing.policy_gain, drawing.policy_gain_words),
    )
    figures = tuple(
        figure(f"{name}-{token(edition)}", draw, say(one), one)
        for edition, one in frames.items()
        for name, draw, say in kinds
    )
    maps = tuple(
        figure(f"advice-{token(edition)}", spending_by_armour, armour_page_words(one), one)
        for edition, one in found.items()
    )
    return Report(
        title=tr("What blood markers do"),
        kicker=kicker(", ".join(found)),
        lead=(Points(tuple(finding for one in frames.values() for finding in _findings(one)), lead=True),),
        sections=(
            Section(tr("What a marker is worth"), tr("Figures"), "figures", (Figures(figures),)),
            Section(tr("Spend, or save?"), tr("Advice"), "advice", (Figures(maps),)),
            Section(tr("Every weapon, armour and way of spending"), tr("Table"), "table", _table(worth)),
            Section(tr("How it was computed"), tr("Method"), "method", (_method(),)),
        ),
        lang=current(),
    )


def _findings(frame: pd.DataFrame) -> tuple[Rich, ...]:
    """What six markers, the first one, and each way of spending come to in one edition."""
    edition = str(frame["edition"].iloc[0])
    wide = frame.pivot(index=["weapon", "injury_modifier", "tough", "blood"], columns="policy", values="p")
    best = wide["optimal"].unstack("blood")
    first, last = BLOOD[0], BLOOD[-1]
    gained = best[last] - best[first]
    weapon, modifier, tough = drawing.place_of_most(gained)
    told = mark("{edition}: six markers add most, **{points} points**, to {attack}: {low} becomes {high}.")
    attack = _case(weapon, modifier, tough)
    chances = best.to_numpy()[int(gained.to_numpy().argmax())]
    low, high = percent(chances[first]), percent(chances[last])
    said = [rich(told, edition=edition, points=_unsigned(gained.max()), attack=attack, low=low, high=high)]
    steps = best.diff(axis="columns").drop(columns=first)
    share = (steps[1] >= steps.max(axis="columns") - data.SAME).mean()
    told = mark(
        "{edition}: the **first marker** adds the most of the six in {share} of these cases; the sixth adds {low} to "
        "{high} points."
    )
    low, high = (points(float(end)) for end in (steps[last].min(), steps[last].max()))
    said.append(rich(told, edition=edition, share=f"{100 * share:.0f}%", low=low, high=high))
    lost = {name: wide["optimal"] - wide[name] for name in ("greedy", "all", "bloodbath", "none")}
    told = mark(
        "{edition}: against the best plan, what is best for each roll (**greedy**) loses up to **{greedy} points**, "
        "all at once up to {all}, Bloodbaths only up to {bloodbath}, none up to {none}; greedy most against {case}, "
        "{markers}."
    )
    worst = drawing.place_of_most(lost["greedy"])
    case, markers = _case(*worst[:3]), tell.things(int(worst[3]), "blood marker")
    most = {name: _unsigned(loss.max()) for name, loss in lost.items()}
    said.append(rich(told, edition=edition, case=case, markers=markers, **most))
    never = _never_saved(lost["all"].loc[frame["weapon"].iloc[0]])
    if never:
        told = mark(
            "{edition}, plain attacks on an ordinary target in armour {modifiers}: **never save**, every marker on "
            "every hit is the best plan."
        )
        said.insert(1, rich(told, edition=edition, modifiers=", ".join(map(signed, never))))
    return tuple(said)


def _never_saved(lost: pd.Series[Any]) -> list[int]:
    """Armours in which an ordinary target is hit best with all markers at once, light to heavy."""
    most: dict[int, float] = {}
    for (modifier, tough, _), loss in zip(lost.index, lost, strict=True):
        if not tough:
            most[int(modifier)] = max(float(loss), most.get(int(modifier), 0.0))
    return [modifier for modifier in sorted(most, reverse=True) if most[modifier] <= data.SAME]


def _unsigned(difference: float) -> str:
    return points(float(difference)).lstrip("+")


def _case(weapon: str, modifier: int, tough: bool) -> str:
    words = [tr(weapon), tr("armour {n}", n=signed(int(modifier))), *([tr("TOUGH")] if tough else [])]
    return ", ".join(words)


def _table(worth: pd.DataFrame) -> tuple[Filters | Table, ...]:
    keys = ["edition", "weapon", "injury_modifier", "tough", "blood"]
    wide = worth.pivot(index=keys, columns="policy", values="p")
    known: dict[Any, dict[Any, Any]] = dict(zip(wide.index, wide.to_dict("records"), strict=True))
    editions, weapons = (list(dict.fromkeys(worth[name])) for name in ("edition", "weapon"))
    modifiers = sorted({int(n) for n in worth["injury_modifier"]}, reverse=True)
    columns = [Column(tr("Weapon"), number=False), Column(tr("Edition"), number=False, minor=True)]
    columns += [Column(tr("Armour")), Column(tr("TOUGH"), number=False), Column(tr("Blood"))]
    columns += [Column(tr(label), tr("Out of action after three attacks")) for label in _POLICIES.values()]
    columns += [Column(tr("the marker adds"), minor=True), Column(tr("the plan adds"), minor=True)]
    rows = []
    for key in product(editions, weapons, modifiers, (False, True), BLOOD):
        if key not in known:
            continue
        edition, weapon, modifier, tough, blood = key
        line, fewer = known[key], known.get((*key[:4], blood - 1))
        cells = [Cell(tr(weapon)), Cell(edition), Cell(signed(modifier), value=modifier)]
        cells += [Cell(tr("TOUGH") if tough else ""), Cell(str(blood), value=blood)]
        cells += [chance(line[policy], bar=policy == "optimal") for policy in _POLICIES]
        for gain in (None if fewer is None else line["optimal"] - fewer["optimal"], line["optimal"] - line["all"]):
            cells.append(Cell("") if gain is None else Cell(points(gain), value=gain))
        tags = (("edition", edition), ("weapon", weapon), ("armour", str(modifier)), ("blood", str(blood)))
        rows.append(Row(tuple(cells), (*tags, ("tough", str(tough)))))
    choices = (
        ("edition", tr("Edition"), tuple((one, one) for one in editions)),
        ("weapon", tr("Weapon"), tuple((one, tr(one)) for one in weapons)),
        ("armour", tr("Armour"), tuple((str(n), signed(n)) for n in modifiers)),
        ("tough", tr("Target"), tuple((str(tough), tr(data.TARGETS[tough])) for tough in (False, True))),
        ("blood", tr("Blood markers"), tuple((str(n), str(n)) for n in BLOOD)),
    )
    note = tr(
        "The marker adds: points, to one marker fewer, both spent best. The plan adds: points, the best plan against "
        "spending every marker on every hit."
    )
    table = Table("worth", tr("By markers at the start, exact"), tuple(columns), tuple(rows), note=note)
    return (Filters(tuple(choice for choice in choices if len(choice[2]) > 1)), table)


def _method() -> Paragraph:
    return Paragraph(
        rich(
            "Three attack actions with a weapon as the books print it, or three plain ranged attacks at 0 DICE, on a "
            "target that stands at first and does not get up in between; markers that the attacks place are spent, "
            "too. The best plan decides on every hit, from the markers and the attacks that are left, so that out of "
            "action in the end is most likely; the others follow one rule throughout. Nothing is rolled or rounded "
            "before it is printed."
        )
    )
