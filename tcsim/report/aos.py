"""The report on Age of Sigmar: casting and unbinding, charges, Rally, and what commands are worth by weapon."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any

from tcsim.analysis.aos import casting, charging, command_worth, rallying
from tcsim.analysis.aos_turns import budgets, holding
from tcsim.aos.editions import FOURTH, THIRD
from tcsim.base.lang import current, mark, tr
from tcsim.base.text import percent
from tcsim.plots import tell
from tcsim.plots.data import SAME
from tcsim.plots.figures.lines import lines
from tcsim.plots.figures.point_bars import point_bars
from tcsim.plots.page import Words
from tcsim.report import aos_turns
from tcsim.report.aos_shared import alike, amount, one_edition, setting, size
from tcsim.report.blocks import (
    Block,
    Cell,
    Column,
    Figures,
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
from tcsim.report.shared import figure, points

if TYPE_CHECKING:
    import pandas as pd

#: Commands that cost one point each, in the order of the columns.
COMMANDS = {
    "all_out_attack": "All-out Attack",
    "all_out_defence": "All-out Defence",
    "covering_fire": "Covering Fire",
    "power_through": "Power Through",
}
#: The casting value that every wizard knows spells of (Arcane Bolt, Mystic Shield), of which titles speak.
_COMMON = 5
#: Slain models with which Rally of the third edition is drawn: it looks at nothing else.
_SLAIN = (5, 10, 20)


def build(asked: Asked) -> Built:
    """Make the report.

    Parameters
    ----------
    asked : Asked
        The editions of Age of Sigmar that it is about.

    Returns
    -------
    Built
        The report, in the language of the moment; its frames are ``casting``, ``charges``, ``rally`` and ``commands``,
        as :mod:`tcsim.analysis.aos` gives them, ``budgets`` and ``outlook``, as :mod:`tcsim.analysis.aos_turns` does;
        those of a part that no edition asked for has are left out.
    """
    import pandas as pd

    editions = asked.editions
    third, fourth = (tuple(one for one in editions if one in known) for known in (THIRD, FOURTH))
    with asked.progress("solving cells", len(editions)) as advance:
        names = ("casting", "charges", "rally", "commands", "budgets", "outlook")
        found: dict[str, list[pd.DataFrame]] = {name: [] for name in names}
        for edition in editions:
            found["casting"].append(casting(edition))
            found["rally"].append(rallying(edition, slain=_SLAIN))
            if edition in fourth:
                found["rally"].append(rallying(edition, slain=_SLAIN, musician=True))
                found["charges"].append(charging(edition))
                found["commands"].append(command_worth(edition))
                found["budgets"].append(budgets(edition))
                found["outlook"].append(holding(edition))
            advance(1)
    frames = {name: pd.concat(parts, ignore_index=True) for name, parts in found.items() if parts}
    return Built(compose(third, fourth, frames), frames)


def compose(third: tuple[str, ...], fourth: tuple[str, ...], frames: dict[str, pd.DataFrame]) -> Report:
    """Make the report of what was found, as data.

    Parameters
    ----------
    third, fourth : tuple of str
        The editions of each that it is about; one of the two may be empty.
    frames : dict of DataFrame
        As :func:`build` names them.

    Returns
    -------
    Report
        In the language of the moment.
    """
    told = ", ".join((*fourth, *third))
    sections = [
        Section(tr("Spells: cast, and not unbound"), tr("Spells"), "spells", _spells(frames["casting"])),
        Section(tr("Rally: what comes back"), tr("Rally"), "rally", _rally(frames["rally"], third, fourth)),
    ]
    if fourth:
        charges = Section(
            tr("Charges, and what a reroll is worth"), tr("Charges"), "charges", _charges(frames["charges"])
        )
        commands = Section(
            tr("What a command point is worth, by weapon"), tr("Commands"), "commands", _commands(frames["commands"])
        )
        points_ = Section(
            tr("A budget of command points"), tr("Budget"), "budget", aos_turns.budgets(frames["budgets"])
        )
        outlook = Section(
            tr("How long an objective is held"), tr("Objectives"), "outlook", aos_turns.outlook(frames["outlook"])
        )
        sections = [sections[0], charges, sections[1], commands, points_, outlook]
    return Report(
        title=tr("Age of Sigmar: spells, charges, Rally and commands"),
        kicker=tr("tcsim report · Age of Sigmar {edition} · {method}", edition=told, method=tr("exact")),
        lead=(Points(findings(frames), lead=True),),
        sections=(*sections, Section(tr("How it was computed"), tr("Method"), "method", (_method(),))),
        lang=current(),
    )


def findings(frames: dict[str, pd.DataFrame]) -> tuple[Rich, ...]:
    """Say what was found, each sentence computed from the frames.

    Parameters
    ----------
    frames : dict of DataFrame
        As for :func:`compose`.

    Returns
    -------
    tuple of Rich
        A sentence each.
    """
    found = [_spell_finding(_plain_casting(frames["casting"]))]
    if "charges" in frames:
        found.append(_charge_finding(one_edition(frames["charges"])))
    found += _rally_findings(frames["rally"])
    if "commands" in frames:
        found += _command_findings(frames["commands"])
        found += [aos_turns.budget_finding(frames["budgets"]), aos_turns.outlook_finding(frames["outlook"])]
    return tuple(found)


# --- spells ---------------------------------------------------------------------------------------------------


def _plain_casting(frame: pd.DataFrame) -> pd.DataFrame:
    """Casting without a modifier, a row for each value: ``p_cast``, and ``p_resolves`` against an equal unbinder."""
    rows = one_edition(frame)
    return rows[(rows["caster"] == 0) & (rows["unbinder"] == 0)].reset_index(drop=True)


def _spell_finding(rows: pd.DataFrame) -> Rich:
    line = rows[rows["value"] == _COMMON].iloc[0]
    sentence = mark(
        "A spell of casting value **{value}** is cast in **{cast}**, and cast and not unbound in **{resolves}**; an "
        "unbinder takes off **{least}** to **{most} points**, by casting value."
    )
    numbers = {"cast": percent(float(line["p_cast"])), "resolves": percent(float(line["p_resolves"]))}
    lost = (rows["p_cast"] - rows["p_resolves"]).to_numpy(float)
    return rich(sentence, value=_COMMON, **numbers, least=size(float(lost.min())), most=size(float(lost.max())))


def _spells(frame: pd.DataFrame) -> tuple[Block, ...]:
    blocks: list[Block] = []
    for number, (editions, rows) in enumerate(alike(frame)):
        called = {None: tr("no unbinder"), 0: tr("unbinder"), 1: tr("unbinder +1"), 2: tr("unbinder +2")}
        panels = {0: tr("Caster without a modifier"), 1: tr("Caster +1")}
        drawn = rows.assign(
            line=[
                called[None if value is None or value != value else int(value)] for value in _plain(rows["unbinder"])
            ],
            panel=[panels[value] for value in rows["caster"].tolist()],
            number=rows["value"],
            p=rows["p_resolves"],
        )
        plain = rows[(rows["caster"] == 0) & (rows["unbinder"] == 0)]
        line = plain[plain["value"] == _COMMON].iloc[0]
        title = tr(
            "An unbinder takes {points} points off a spell of casting value {value}",
            points=size(float(line["p_cast"] - line["p_resolves"])),
            value=_COMMON,
        )
        words = Words(
            title,
            tr("Chance that a spell is cast and not unbound, by casting value"),
            f"{setting(editions)} {tr('2D6; a natural double 1 is a miscast; one unbinder.')} {tr('Exact.')}",
        )
        name = "cast-and-unbind" + (f"-{number + 1}" if number else "")
        blocks.append(Figures((figure(name, lines, words, drawn, words, across=tr("Casting value")),)))
        blocks.append(_spell_table(rows, editions, number))
    return tuple(blocks)


def _plain(column: pd.Series[Any]) -> list[Any]:
    """The values of a column; None for those that are missing."""
    return [None if missing else value for value, missing in zip(column, column.isna(), strict=True)]


def _spell_table(rows: pd.DataFrame, editions: tuple[str, ...], number: int) -> Table:
    heads = {0: tr("Caster without a modifier"), 1: tr("Caster +1")}
    columns = [Column(tr("Casting value"), number=False)]
    for caster in (0, 1):
        columns.append(Column(tr("cast"), heads[caster]))
        columns += [Column(tr("unbinder {n}", n=f"+{n}"), heads[caster], minor=n > 0) for n in (0, 1, 2)]
    lines_ = []
    for value in dict.fromkeys(rows["value"].tolist()):
        cells = [Cell(str(value), value=float(value))]
        for caster in (0, 1):
            own = rows[(rows["value"] == value) & (rows["caster"] == caster)]
            cells += [chance(float(p)) for p in own["p_resolves"].tolist()]
        lines_.append(Row(tuple(cells)))
    name = "spells" + (f"-{number + 1}" if number else "")
    caption = f"{setting(editions)} {tr('Chance that a spell is cast and not unbound')}"
    return Table(name, caption, tuple(columns), tuple(lines_))


# --- charges --------------------------------------------------------------------------------------------------


def _charge_finding(rows: pd.DataFrame) -> Rich:
    gains = rows["gain"].to_numpy(float)
    best = rows[gains >= gains.max() - SAME]
    sentence = mark(
        "Forward to Victory is worth most for a charge of **{needs} inches**: **{gain} points**; the point is spent in "
        "**{spent}** of them, as it is bought after the roll."
    )
    needs = tell.joined([str(need) for need in best["need"].tolist()])
    spent = tell.span(best["p_spent"].tolist())
    return rich(sentence, needs=needs, gain=size(float(gains.max())), spent=spent)


def _charges(frame: pd.DataFrame) -> tuple[Block, ...]:
    import pandas as pd

    blocks: list[Block] = []
    for number, (editions, rows) in enumerate(alike(frame)):
        named = {"p_reroll": tr("with the reroll"), "p_plain": tr("one roll")}
        drawn = pd.concat(
            [pd.DataFrame({"line": name, "number": rows["need"], "p": rows[column]}) for column, name in named.items()],
            ignore_index=True,
        )
        gains = rows["gain"].to_numpy(float)
        needs = rows[gains >= gains.max() - SAME]["need"].tolist()
        title = tr(
            "A reroll adds up to {gain} points, for {needs} inches",
            gain=size(float(gains.max())),
            needs=tell.joined([str(need) for need in needs]),
        )
        words = Words(
            title,
            tr("Chance to make a charge, by the roll that it needs"),
            f"{setting(editions)} {tr('2D6; a failed roll is rolled again, for one command point.')} {tr('Exact.')}",
        )
        name = "charge-reroll" + (f"-{number + 1}" if number else "")
        blocks.append(Figures((figure(name, lines, words, drawn, words, across=tr("Inches needed")),)))
        columns = (
            Column(tr("Inches needed"), number=False),
            Column(tr("one roll")),
            Column(tr("with the reroll")),
            Column(tr("gain, points")),
            Column(tr("point spent"), minor=True),
        )
        body = tuple(
            Row(
                (
                    Cell(str(line["need"]), value=float(line["need"])),
                    chance(float(line["p_plain"])),
                    chance(float(line["p_reroll"])),
                    points(float(line["gain"])),
                    chance(float(line["p_spent"])),
                )
            )
            for line in rows.to_dict("records")
        )
        caption = f"{setting(editions)} {tr('Charges with and without Forward to Victory')}"
        blocks.append(Table("charges" + (f"-{number + 1}" if number else ""), caption, columns, body))
    return tuple(blocks)


# --- Rally ----------------------------------------------------------------------------------------------------


def _rally_findings(frame: pd.DataFrame) -> list[Rich]:
    third = frame[frame["edition"].isin(THIRD)]
    fourth = frame[frame["edition"].isin(FOURTH) & ~frame["musician"]]
    found = []
    if len(fourth):
        rows = one_edition(fourth)
        many = rows[rows["slain"] == rows["slain"].max()]
        first, last = many.iloc[0], many.iloc[-1]
        sentence = mark(
            "Rally of the fourth edition returns **{few}** models of Health {low} on average, and **{rare}** of Health "
            "{high}."
        )
        numbers = {"few": f"{first['models']:.3g}", "rare": f"{last['models']:.2g}"}
        found.append(rich(sentence, low=int(first["health"]), high=int(last["health"]), **numbers))
    if len(fourth) and len(third):
        each = one_edition(third)
        rate = float((each["models"] / each["slain"]).iloc[0])
        evens = [str(ceil(round(float(p) / rate, 9))) for p in many["models"].tolist()]
        sentence = mark(
            "That of the third edition returns at least as many from **{evens}** slain models on, for Health {low} to "
            "{high}."
        )
        told = {"low": int(first["health"]), "high": int(last["health"])}
        found.append(rich(sentence, evens=", ".join(evens), **told))
    return found


def _rally(frame: pd.DataFrame, third: tuple[str, ...], fourth: tuple[str, ...]) -> tuple[Block, ...]:
    import pandas as pd

    most = int(frame["slain"].max())
    parts = []
    if fourth:
        rows = frame[frame["edition"] == fourth[0]]
        for musician, name in ((False, tr("4e, six dice")), (True, tr("4e, musician"))):
            own = rows[(rows["musician"] == musician) & (rows["slain"] == most)]
            parts.append(pd.DataFrame({"line": name, "number": own["health"], "amount": own["models"]}))
    if third:
        rows = frame[frame["edition"] == third[0]]
        for slain in sorted(set(rows["slain"].tolist()), reverse=True):
            own = rows[rows["slain"] == slain]
            name = tr("3e, {n} slain", n=slain)
            parts.append(pd.DataFrame({"line": name, "number": own["health"], "amount": own["models"]}))
    drawn = pd.concat(parts, ignore_index=True)
    if fourth:
        means = drawn[drawn["line"] == tr("4e, six dice")]["amount"].tolist()
        told = dict(zip(("one", "two", "three"), (f"{mean:.3g}" for mean in means), strict=False))
        title = tr("Rally returns {one} models of Health 1, {two} of Health 2, {three} of Health 3", **told)
    else:
        title = tr("Each slain model returns on a 6, whatever its Health")
    capped = tr("In the fourth edition up to {n} models are slain.", n=most) if fourth else ""
    caption = " ".join(filter(None, (setting((*fourth, *third)), capped, tr("Exact."))))
    words = Words(title, tr("Models that Rally returns on average, by their Health"), caption)
    picture = Figures((figure("rally-health", lines, words, drawn, words, across=tr("Health of a model")),))
    columns = (
        Column(tr("Edition"), number=False),
        Column(tr("Health")),
        Column(tr("slain")),
        Column(tr("models returned")),
        Column(tr("Health returned"), minor=True),
        Column(tr("at least one")),
    )
    # the third edition does not look at Health, nor the fourth at how many are slain where they are enough
    ours = frame["edition"].isin(THIRD)
    kept = frame[(ours & (frame["health"] == 1)) | (~ours & (frame["slain"] == most))]
    body = []
    for editions, rows in alike(kept):
        for line in rows.to_dict("records"):
            label = ", ".join(editions) + (f", {tr('musician')}" if line["musician"] else "")
            third_ = editions[0] in THIRD
            health, slain = (tr("any"), str(line["slain"])) if third_ else (str(line["health"]), tr("many"))
            body.append(
                Row(
                    (
                        Cell(label),
                        Cell(health, value=float(line["health"])),
                        Cell(slain, value=float(line["slain"])),
                        Cell(f"{line['models']:.3g}", value=float(line["models"])),
                        Cell("–" if third_ else f"{line['restored']:.3g}"),
                        chance(float(line["p_any"])),
                    )
                )
            )
    table = Table("rally", tr("What Rally returns, on average"), columns, tuple(body))
    return picture, table


# --- commands -------------------------------------------------------------------------------------------------


def _command_findings(frame: pd.DataFrame) -> list[Rich]:
    rows = one_edition(frame)
    best = rows.iloc[int(rows["all_out_attack"].to_numpy(float).argmax())]
    sentence = mark(
        "All-out Attack adds most to **{profile}** against a Save of {save}+: **{gain} damage**; it adds nothing to "
        "{none} of {n} weapons."
    )
    none = int((rows["all_out_attack"].abs() <= SAME).sum())
    gain = f"{best['all_out_attack']:.2f}"
    found = [rich(sentence, profile=str(best["profile"]), save=int(best["save"]), gain=gain, none=none, n=len(rows))]
    better = int((rows["all_out_defence"] > rows["all_out_attack"] + SAME).sum())
    sentence = mark(
        "Against the same weapon All-out Defence prevents more than All-out Attack adds in **{better} of {n}** cases."
    )
    found.append(rich(sentence, better=better, n=len(rows)))
    late = frame[frame["costs"].abs() > SAME]
    if len(late):
        net = late["all_out_attack"] - late["costs"]
        sentence = mark(
            "In {edition} All-out Attack costs the unit 1 from its own saves that turn: struck back by its own weapon "
            "at the same Save, it loses more than it wins with **{worse} of {n}** weapons."
        )
        named = ", ".join(dict.fromkeys(late["edition"]))
        found.append(rich(sentence, edition=named, worse=int((net < -SAME).sum()), n=len(late)))
    return found


def _commands(frame: pd.DataFrame) -> tuple[Block, ...]:
    blocks: list[Block] = []
    shared = ["profile", "save", "damage", *COMMANDS]
    drawn_before: list[Any] = []
    for number, edition in enumerate(dict.fromkeys(frame["edition"])):
        rows = frame[frame["edition"] == edition].reset_index(drop=True)
        name = f"-{number + 1}" if number else ""
        if not any(rows[shared].equals(before) for before in drawn_before):
            drawn_before.append(rows[shared])
            blocks.append(Figures((_command_figure(rows, frame, name),)))
        blocks.append(_command_table(rows, edition, f"commands{name}"))
    note = rich(
        "All-out Attack and All-out Defence: the same weapon against the same Save, with and without. Covering Fire is "
        "what the weapon does at 1 less to hit, if it shoots; Power Through does D3 mortal damage, and needs a charge."
    )
    return (*blocks, Paragraph(note, small=True))


def _command_figure(rows: pd.DataFrame, frame: pd.DataFrame, name: str) -> Any:
    same = [
        edition
        for edition in dict.fromkeys(frame["edition"])
        if frame[frame["edition"] == edition]["all_out_attack"].tolist() == rows["all_out_attack"].tolist()
    ]
    table = rows.set_index("profile")[list(COMMANDS)].rename(columns=COMMANDS)
    notes = [tr("Save {n}+", n=save) for save in rows["save"].tolist()]
    top = rows.iloc[int(rows["all_out_attack"].to_numpy(float).argmax())]
    title = tr(
        "All-out Attack adds {low} to {high} damage, by weapon",
        low=amount(float(rows["all_out_attack"].min())),
        high=amount(float(top["all_out_attack"])),
    )
    words = Words(
        title,
        tr("Mean damage that one command point adds, prevents or does"),
        f"{setting(tuple(same))} {tr('Attacks x hit / wound / rend / damage; no ward.')} {tr('Exact.')}",
    )
    return figure(f"command-worth{name}", point_bars, words, table, words, notes, write=amount)


def _command_table(rows: pd.DataFrame, edition: str, name: str) -> Table:
    late = bool((rows["costs"].abs() > SAME).any())
    columns = [
        Column(tr("Weapon"), number=False),
        Column(tr("Save")),
        Column(tr("damage")),
        *(Column(told, tr("Damage for one command point")) for told in COMMANDS.values()),
        *([Column(tr("All-out Attack costs"))] if late else []),
    ]
    body = []
    for line in rows.to_dict("records"):
        numbers = [line["damage"], *(line[key] for key in COMMANDS), *([line["costs"]] if late else [])]
        cells = [Cell(str(line["profile"])), Cell(f"{line['save']}+", value=float(line["save"]))]
        body.append(Row((*cells, *(Cell(amount(float(n)), value=float(n)) for n in numbers))))
    caption = f"{setting((edition,))} {tr('What a command point is worth, in mean damage')}"
    return Table(name, caption, tuple(columns), tuple(body))


def _method() -> Paragraph:
    return Paragraph(
        rich(
            "Every number is an exact fraction of `tcsim aos ask`: `unbind`, `forward_to_victory`, `rally`, "
            "`all_out_attack`, `all_out_defence`, `covering_fire`, `power_through`, `command_budget` and `outlook`, in "
            "the edition that stands beside it. `--method monte-carlo` rolls the dice of the same questions."
        )
    )
