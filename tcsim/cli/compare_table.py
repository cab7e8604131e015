"""The tables of ``tcsim compare``: price beside chance, the mean over the targets, and what they come to."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from tcsim.analysis.compare.words import finding, legend, minus, prices, setting
from tcsim.base.errors import one_line
from tcsim.base.lang import mark, retold, tr
from tcsim.base.text import columns as width_of
from tcsim.base.text import padded, percent, wrapped
from tcsim.cli.terminal import WIDTH, paragraph, print_notes, say, table

if TYPE_CHECKING:
    import pandas as pd

    from tcsim.analysis.compare.answer import Comparison
    from tcsim.analysis.compare.loadouts import Cost

#: Widest name of a loadout, widest head of a column, and of an only one; and the gap between two columns.
NAME, HEAD, ONLY, BETWEEN = 26, 11, 40, 3

#: Most bars.
MOST_BARS = 20

_TITLES = {
    "p_out": mark("Chance of out of action"),
    "p_down_or_out": mark("Chance of Down or out of action"),
    "expected_blood": mark("Mean blood markers in the end, out of action counted as 6"),
    "attacks_50": mark("How many times until out of action has a chance of 50%"),
    "attacks_80": mark("How many times until out of action has a chance of 80%"),
    "attacks_95": mark("How many times until out of action has a chance of 95%"),
}


def print_comparison(found: Comparison, column: str, group_by: str, kept: int) -> None:
    """Print a comparison for the gaming table.

    Parameters
    ----------
    found : Comparison
        Any.
    column : str
        Which column of its frame the tables show.
    group_by : str
        ``situation``, ``target`` or ``loadout``.
    kept : int
        How many loadouts there were before some were left out.
    """
    if group_by == "situation":
        _by_situation(found, column)
    else:
        _by_one(found, group_by)
    say()
    shown = [column] if group_by == "situation" else list(_TITLES)
    if found.frame[[name for name in shown if name.startswith("attacks")]].isna().any(axis=None):
        paragraph("", tr("–: not within 100 times and 1,000 attack rolls, or both players choose what is spent."), 0)
    if kept > len(found.loadouts):
        paragraph("", tr("{n} of {all} loadouts are shown.", n=len(found.loadouts), all=kept), 0)
    for place, situation in enumerate(found.situations):
        sentence = finding(found, place)
        if sentence:
            start = f"{retold(situation.name)}: " if len(found.situations) > 1 else ""
            start += f"{tr('Out of action')}: " if group_by == "situation" and column != "p_out" else ""
            paragraph("", start + sentence, 0)
    _tell(found)


# --- a table for each situation --------------------------------------------------------------------------------


def _by_situation(found: Comparison, column: str) -> None:
    for place, situation in enumerate(found.situations):
        if place:
            say()
        title = tr(_TITLES[column])
        if found.terms.times > 1 and not column.startswith("attacks"):
            title += tr(", attacks made {n} times", n=found.terms.times)
        if len(found.situations) > 1:
            title += f": {retold(situation.name)}"
        paragraph("", title, 0)
        say()
        _print_grid(found, place, column)
        if column in ("p_out", "p_down_or_out") and len(found.loadouts) > 1:
            _print_bars(found, place, column)


def _print_grid(found: Comparison, situation: int, column: str) -> None:
    """Loadouts down, targets across, as many tables as are needed."""
    rows = _of_situation(found.frame, found, situation)
    sides, many = len(found.loadouts), len(found.targets) > 1
    heads = _heads([target.label for target in found.targets])
    ranks = rows["rank"].to_numpy().reshape(sides, len(found.targets))
    led = [bool(worst > 1) for worst in ranks.max(axis=0)]  # where all are equal, none is marked
    cells = []
    for index in range(sides):
        own = rows.iloc[index * len(found.targets) : (index + 1) * len(found.targets)]
        cells.append(
            [_cell(row[column], column, row["rank"], lead) for (_, row), lead in zip(own.iterrows(), led, strict=True)]
        )
    if many and not column.startswith("attacks"):
        heads.append(tr("mean"))
        means = found.means.iloc[situation * sides : (situation + 1) * sides]
        for line, (_, row) in zip(cells, means.iterrows(), strict=True):
            line.append(_cell(row[column], column, row["rank"], bool(means["rank"].max() > 1)))
    names = [_name(one.name) for one in found.loadouts]
    costs = [_cost(one.cost) for one in found.loadouts]
    weights = [_plain(target.weight) for target in found.targets]
    if len(set(weights)) > 1:
        names.append(tr("weight"))
        costs.append("")
        cells.append(weights + [""] * (len(heads) - len(weights)))
    _print_wrapped(names, costs, *_aligned(heads, cells))
    keys = [f"{key} {target.label}" for key, target in zip(heads, found.targets, strict=False) if key != target.label]
    if any(re.fullmatch(r"T\d+ .*", key) for key in keys):
        say()
        for key in keys:
            paragraph("  " + key.split(" ")[0], key.partition(" ")[2], 7)


def _aligned(heads: list[str], cells: list[list[str]]) -> tuple[list[str], list[list[str]]]:
    """Keep the place of the mark free in every line of a table that has some."""
    if not any(cell.endswith("*") for line in cells for cell in line):
        return heads, cells
    heads = ["\n".join(part + " " for part in head.split("\n")) for head in heads]
    return heads, [[cell if cell.endswith("*") else cell + " " for cell in line] for line in cells]


def _print_wrapped(names: list[str], costs: list[str], heads: list[str], cells: list[list[str]]) -> None:
    taken = max(width_of(line) for name in [tr("loadout"), *names] for line in name.split("\n"))
    taken += max(map(width_of, [tr("ducats"), *costs])) + BETWEEN
    widths = []
    for place, head in enumerate(heads):
        parts = [*head.split("\n"), *(line[place] for line in cells)]
        widths.append(max(map(width_of, parts)) + BETWEEN)
    start = 0
    while start < len(heads):
        stop, used = start, taken
        while stop < len(heads) and (stop == start or used + widths[stop] <= WIDTH - 2):
            used += widths[stop]
            stop += 1
        if start:
            say()
        lines = [[name, cost, *line[start:stop]] for name, cost, line in zip(names, costs, cells, strict=True)]
        table((tr("loadout"), tr("ducats"), *heads[start:stop]), lines, "lr" + "r" * (stop - start))
        start = stop


def _of_situation(frame: pd.DataFrame, found: Comparison, situation: int) -> pd.DataFrame:
    size = len(found.loadouts) * len(found.targets)
    return frame.iloc[situation * size : (situation + 1) * size]


def _heads(labels: Sequence[str]) -> list[str]:
    """What stands above the columns: names where they are short, else numbers that are told below."""
    told = [minus(label) for label in labels]
    if len(told) == 1 and width_of(told[0]) <= ONLY:
        return told
    broken = ["\n".join(part.strip() for part in label.split(",")) for label in told]
    if all(width_of(line) <= HEAD for label in broken for line in label.split("\n")):
        deep = max(label.count("\n") for label in broken)
        return [label + "\n " * (deep - label.count("\n")) for label in broken]
    return [f"T{number}" for number in range(1, len(labels) + 1)]


def _name(name: str) -> str:
    lines = wrapped(one_line(name, 120), NAME) or [""]
    return "\n".join([lines[0], *("  " + line for line in lines[1:])])


def _cost(cost: Cost) -> str:
    if cost.ducats is None:
        return "–"
    if not cost.glory:
        return f"{cost.ducats:,}"
    glory = tr("{n} glory", n=cost.glory)
    return f"{cost.ducats} + {glory}" if cost.ducats else glory


def _plain(weight: float) -> str:
    return f"{weight:g}"


def _cell(value: Any, column: str, rank: int, led: bool) -> str:
    import pandas as pd

    if column.startswith("attacks"):
        return "–" if pd.isna(value) else str(int(value))
    if column == "expected_blood":
        return f"{value:.2f}"
    text = percent(float(value))
    return text + ("*" if rank == 1 and led and column == "p_out" else "")


def _print_bars(found: Comparison, situation: int, column: str) -> None:
    """Bars of the mean, or of the only target; the first ones where there are many."""
    sides = len(found.loadouts)
    if len(found.targets) > 1:
        rows, head = found.means.iloc[situation * sides : (situation + 1) * sides], tr("Mean over the targets")
    else:
        label = minus(found.targets[0].label)
        rows, head = _of_situation(found.frame, found, situation), tr("Against {target}", target=label)
    shown = rows.head(MOST_BARS)
    names = [one_line(one.name, NAME) for one in found.loadouts[:MOST_BARS]]
    first = max(map(width_of, [*names, head])) + 2
    room = WIDTH - 2 - first - 9
    marks = "".join(padded(f"{share}%", room // 4) for share in (0, 25, 50, 75))
    say()
    say(f"  {padded(head, first)}{marks}".rstrip())
    for name, value in zip(names, shown[column], strict=True):
        bar = "#" * round(float(value) * room)
        say(f"  {padded(name, first - 1)}|{padded(bar, room)} {percent(float(value)):>6}")
    if len(rows) > MOST_BARS:
        say(tr("  … {n} more loadouts", n=len(rows) - MOST_BARS))


# --- a table for each target or loadout --------------------------------------------------------------------------


def _by_one(found: Comparison, group_by: str) -> None:
    """Every column of each target's loadouts, or of each loadout's targets."""
    other = "loadout" if group_by == "target" else "target"
    several = len(found.situations) > 1
    heads = [tr(other), *([tr("situation")] if several else []), *([tr("ducats")] if other == "loadout" else [])]
    numbers = [tr("out"), tr("Down or out"), tr("blood"), "50%", "80%", "95%"]
    labels = {target.name: target.label for target in found.targets}
    names = [target.name for target in found.targets] if group_by == "target" else [one.name for one in found.loadouts]
    costs = {one.name: _cost(one.cost) for one in found.loadouts}
    for place, name in enumerate(names):
        if place:
            say()
        title = minus(labels[name]) if group_by == "target" else f"{name}   {tr('ducats')} {costs[name]}"
        paragraph("", title, 0)
        own = found.frame[found.frame[group_by] == name]
        lines = []
        for _, row in own.iterrows():
            line = [_name(row["loadout"]) if other == "loadout" else minus(labels[row["target"]])]
            line += [retold(row["situation"])] if several else []
            line += [costs[row["loadout"]]] if other == "loadout" else []
            led = other == "loadout" and bool(own["rank"].max() > 1)
            line += [_cell(row[key], key, row["rank"], led) for key in _TITLES]
            lines.append(line)
        texts = 1 + several
        table((*heads, *numbers), lines, "w" * texts + "r" * (len(heads) + len(numbers) - texts))
    say()
    text = mark(
        "blood: mean markers in the end, out of action counted as 6. 50%, 80%, 95%: how many times the attacks must be "
        "made until out of action has that chance; exact."
    )
    paragraph("", tr(text), 0)


# --- what is said below --------------------------------------------------------------------------------------------


def _tell(found: Comparison) -> None:
    marked = max(found.frame["rank"].max(), found.means["rank"].max()) > 1
    lines = [legend(found)] if marked else []
    if found.plan is not None:
        widest = 100 * float((found.frame["out_high"] - found.frame["out_low"]).max()) / 2
        told = mark("95% intervals reach about {n} points to either side at most; --json and --csv have them.")
        lines.append(tr(told, n=f"{widest:.2f}"))
    if found.mix is not None and len(found.targets) > 1:
        lines.append(tr("Targets: {name}, {why}.", name=one_line(found.mix.name, 80), why=retold(found.mix.why)))
    if found.terms.times > 1:
        lines.append(tr("Each time is an activation of its own; the target does nothing in between."))
    lines.append(prices(found))
    lines.append(setting(found))
    for line in filter(None, lines):
        paragraph("", line, 0)
    print_notes(found.notes)
