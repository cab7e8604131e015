"""``tcsim exchange``: what each thing is worth in a scenario, in points and in each other's terms."""

from __future__ import annotations

import json
import math
import sys
from typing import TYPE_CHECKING, Any

import click

from tcsim.base.errors import InputError
from tcsim.base.lang import mark, tr
from tcsim.base.text import NO_DIFFERENCE, about, percent, plural, points, signed, so_many
from tcsim.cli import lang_option
from tcsim.cli.figures import check_plot, plot_option, write_plot
from tcsim.cli.given import asked, scenario_flags
from tcsim.cli.inputs import FileName, catalog_option, names, one_form
from tcsim.cli.sharing import flag_words, share, sharing_options, wants_sharing
from tcsim.cli.terminal import print_csv, progress

if TYPE_CHECKING:
    from tcsim.analysis.exchange.answer import Exchange
    from tcsim.analysis.exchange.worths import Worth

_OF_HELP = "What is measured: out (out of action, default), down (Down or out of action) or expected-blood."
_TERMS_HELP = (
    "What all is counted in, names separated by commas; default action_dice,injury_dice. Others: injury_modifier, "
    "attacks, armour, blood, ..."
)


@click.command(
    context_settings={"token_normalize_func": lambda token: token.replace("_", "-")},
    epilog="""\b
Examples:
  tcsim exchange --attack ranged --injury-modifier -1
  tcsim exchange --attack "Bolt-Action Rifle,cover" --armour "Reinforced Armour" --spend all
  tcsim exchange --attack "melee,times=2" --target-blood 2 --spend optimal --of down
  tcsim exchange --attack ranged --terms armour,blood --csv
""",
)
@click.argument("scenario", required=False, metavar="[SCENARIO.toml|.json]")
@scenario_flags
@catalog_option
@click.option("--of", metavar="MEASURE", default="out", help=_OF_HELP)
@click.option("--terms", metavar="NAMES", help=_TERMS_HELP)
@click.option("--grid", is_flag=True, help="At many starting points: armour 0 to -3, DICE, blood markers.")
@plot_option
@click.option("--iso", type=FileName(), metavar="FILE", help="Draw lines of equal chance over DICE and injury dice.")
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@click.option("--csv", "as_csv", is_flag=True, help="Print as CSV.")
@sharing_options
@lang_option
def exchange(scenario: str | None, catalogs: tuple[str, ...], **flags: Any) -> None:
    """Say what each thing is worth: a die, a marker, cover, a step of armour; in points, and in each other's terms.

    The scenario is given as to tcsim odds. Each thing is changed in it by one step, in every attack of its kind, and
    the answer is worked out exactly. --plot draws what helps and what hurts, --iso the lines of equal chance.
    """
    form = wants_sharing(flags, as_json=flags["as_json"], as_csv=flags["as_csv"])
    how = {name: flags.pop(name) for name in ("of", "terms", "grid", "plot", "iso", "as_json", "as_csv")}
    one_form(how["as_json"], how["as_csv"])
    if how["grid"] and (how["plot"] or how["terms"]):
        raise InputError("neither --plot nor --terms goes with it", "--grid")
    terms = _terms(how)
    check_plot(how["plot"])
    check_plot(how["iso"], "--iso")
    question = asked(scenario, flags, catalogs)
    if form is not None:
        own = {name: how[name] for name in ("of", "terms", "grid")}
        share(question, form, ["exchange"], flag_words(own, {"of": "out"}), catalogs)
        return
    if how["iso"] is not None:
        from tcsim.analysis.exchange.sensitivity import iso_kill
        from tcsim.plots.figures.iso_kill import iso_kill as draw_iso

        write_plot(how["iso"], draw_iso(iso_kill(question, of=how["of"]), of=how["of"], setting=_setting(question)))
    if how["grid"]:
        _grid(question, how)
        return
    from tcsim.analysis.exchange.answer import exchange as work_out

    with progress(tr("working it out"), None) as advance:
        found = work_out(question, of=how["of"], terms=terms, progress=advance)
    if how["plot"] is not None:
        from tcsim.plots.figures.tornado import tornado

        write_plot(how["plot"], tornado(found.frame, of=how["of"], setting=_setting(question)))
    if how["as_json"]:
        sys.stdout.write(json.dumps(found.to_dict()) + "\n")
    elif how["as_csv"]:
        print_csv(found.rows())
    else:
        _print(found)


def _terms(how: dict[str, Any]) -> list[str]:
    """Check what is measured, and give what it is counted in."""
    from tcsim.analysis.exchange.answer import named
    from tcsim.analysis.exchange.worths import TERMS, check_measure

    check_measure(how["of"], "--of")
    given = TERMS if how["terms"] is None else names(how["terms"])
    if not given:
        raise InputError("nothing is given, names separated by commas are allowed", "--terms")
    return [factor.name for factor in named(given, "--terms", terms=True)]


def _setting(question: Any) -> str:
    """The scenario in a sentence, for the caption of a figure."""
    from tcsim.base.errors import one_line

    labels = [tr(action.label) + (f" × {action.volleys}" if action.volleys > 1 else "") for action in question.actions]
    start, target = question.problem.start, question.target
    facts = [tr("armour {n}", n=signed(target.modifier())), plural(start.blood, "blood marker")]
    facts += [tr("Down")] if start.down else []
    facts += [tr("TOUGH")] if start.tough else []
    asked = f"{one_line(', '.join(labels), 200)} → {', '.join(facts)}"
    return f"Trench Crusade {question.problem.edition}: {asked}."


#: Measures that are chances, as a headline has them.
_HEADS = {"out": mark("Out of action"), "down": mark("Down or out of action"), "expected-blood": mark("Blood markers")}
_TABLES = {
    "out": mark("What each thing is worth (points of out of action)"),
    "down": mark("What each thing is worth (points of Down or out of action)"),
    "expected-blood": mark("What each thing is worth (blood markers; out of action counts as 6)"),
}


def _print(found: Exchange) -> None:
    from tcsim.cli.odds_table import print_assumed, print_question
    from tcsim.cli.terminal import paragraph, say
    from tcsim.engines.result import Result

    chance = found.of != "expected-blood"
    value = f"{percent(found.value)}   ({about(found.value)})" if chance else f"{found.value:.2f}"
    say(f"{tr(_HEADS[found.of])}  {value}")
    say()
    result = Result(found.resolved, "exact", [])
    print_question(result)
    say()
    some = [one for one in found.worths if one.size > NO_DIFFERENCE]
    nothing = [one for one in found.worths if one.size <= NO_DIFFERENCE]
    say(tr(_TABLES[found.of]))
    _table(found, some)
    paragraph("", tr("One change at a time, in every attack; the changes do not add up."), 2)
    if nothing:
        paragraph("", tr("Worth nothing here: {what}.", what=", ".join(tr(one.label) for one in nothing)), 2)
    if found.left_out:
        from tcsim.analysis.exchange.factors import BY_NAME

        left = ", ".join(tr(BY_NAME[name].label) for name in found.left_out)
        paragraph("", tr("Left out, as they do not apply here: {what}.", what=left), 2)
    print_assumed(result)


#: What things are counted in, as a head of a column has it.
_IN = {
    "action_dice": mark("in DICE"),
    "injury_dice": mark("in injury dice"),
    "injury_modifier": mark("in +1 on injury"),
    "attacks": mark("in attacks"),
    "armour": mark("in armour"),
    "blood": mark("in blood"),
    "blood_best": mark("in blood, best"),
    "blessing": mark("in blessings"),
    "attacker_blood": mark("in own blood"),
    "attacker_blessing": mark("in own blessings"),
}


def _table(found: Exchange, worths: list[Worth]) -> None:
    from tcsim.analysis.exchange.answer import alike, row_of
    from tcsim.cli.terminal import table

    chance = found.of != "expected-blood"
    ends = {name: (len(curve.up) - 1, len(curve.down) - 1) for name, curve in found.curves.items()}
    rows = []
    for group in alike([row_of(one) for one in worths]):
        one = group[0]
        changes = [_change(one[side], chance) for side in ("up", "down")]
        side = "down_in_" if math.isnan(one["up"]) else "in_"
        counts = [so_many(one[side + name], *ends[name]) for name in found.curves]
        rows.append([" = ".join(tr(row["label"]) for row in group), *changes, *counts])
    heads = ("", tr("for you"), tr("against you"), *(tr(_IN[name]) for name in found.curves))
    table(heads, rows, "w" + "r" * (len(heads) - 1))


def _change(change: float, chance: bool) -> str:
    if math.isnan(change):
        return ""
    if chance:
        return points(change)
    return f"{'−' if change < 0 else '+'}{abs(change):.2f}"


def _grid(question: Any, how: dict[str, Any]) -> None:
    from tcsim.analysis.exchange.answer import BRIEF
    from tcsim.analysis.exchange.sensitivity import sensitivity

    brief = not (how["as_csv"] or how["as_json"])
    frame = sensitivity(question, of=how["of"], factors=BRIEF if brief else None)
    rows: list[dict[str, Any]] = [{str(key): value for key, value in row.items()} for row in frame.to_dict("records")]
    if how["as_csv"]:
        print_csv(rows)
    elif how["as_json"]:
        from tcsim.analysis.exchange.answer import plain

        answer = {"id": question.scenario.id, "edition": question.problem.edition, "method": "exact", "of": how["of"]}
        sys.stdout.write(json.dumps(answer | {"rows": [plain(row) for row in rows]}) + "\n")
    else:
        _print_grid(question, rows, how["of"])


def _print_grid(question: Any, rows: list[dict[str, Any]], of: str) -> None:
    """A line for each starting point: what it comes to, what one step adds, and what an injury die is in DICE."""
    from tcsim.analysis.exchange.factors import MOST
    from tcsim.cli.odds_table import print_assumed, print_question
    from tcsim.cli.terminal import paragraph, say, table
    from tcsim.engines.result import Result

    chance = of != "expected-blood"
    places: dict[tuple[int, int, int], dict[str, dict[str, Any]]] = {}
    for row in rows:
        places.setdefault((row["armour"], row["action_dice"], row["blood"]), {})[row["factor"]] = row
    lines, before = [], None
    for (armour, dice, blood), found in places.items():
        base = next(iter(found.values()))["p_base"]
        gains = [found.get(name, {}).get("up", math.nan) for name in ("action_dice", "injury_dice", "blood", "armour")]
        rate = found.get("injury_dice", {}).get("in_action_dice", math.nan)
        cells = [percent(base) if chance else f"{base:.2f}", *(_change(gain, chance) for gain in gains)]
        lines.append(
            ["" if armour == before else signed(armour), signed(dice), str(blood), *cells, so_many(rate, MOST, MOST)]
        )
        before = armour
    result = Result(question, "exact", [])
    print_question(result)
    say()
    say(tr(_TABLES[of]))
    heads = (tr("armour"), tr("DICE"), tr("blood"), tr("chance") if chance else tr("markers"))
    more = (tr("+DICE"), tr("+injury"), tr("+blood"), tr("lighter"), tr("rate"))
    table((*heads, *more), lines, "r" * 9)
    told = mark(
        "DICE: more than asked, in every attack. +DICE, +injury, +blood: what one more die or marker adds; lighter: "
        "what one step of armour less adds; rate: so many DICE add as much as one injury die."
    )
    paragraph("", tr(told), 2)
    print_assumed(result)
