"""``tcsim firefight``: many attackers on many targets in one turn."""

from __future__ import annotations

from typing import Any

import click

from tcsim.base.errors import one_line
from tcsim.base.lang import mark, retold, tr
from tcsim.base.text import decimals_for, percent
from tcsim.cli import lang_option, terminal
from tcsim.cli.figures import check_plot, plot_option
from tcsim.cli.inputs import catalog_option
from tcsim.cli.rolling import deliver, file_argument, given_file, rolling_options
from tcsim.cli.terminal import bar, paragraph, say, table
from tcsim.skirmish.firefight import FirefightResult
from tcsim.skirmish.model import TARGETINGS
from tcsim.skirmish.outcome import Dice, Outcome
from tcsim.skirmish.read import GOALS
from tcsim.stats import interval

#: Most rows of the table of numbers out, of targets and of advice.
MOST_NUMBERS, MOST_TARGETS, MOST_ADVICE = 12, 12, 14


@click.command(
    epilog="""\b
Examples:
  tcsim firefight fight.toml --demo
  tcsim firefight fight.toml --targeting optimal --goal morale --plot out.png
  tcsim firefight fight.toml --method monte-carlo --trials 2e5
""",
)
@file_argument
@click.option("--targeting", type=click.Choice(TARGETINGS), default=None, help="How targets are chosen.")
@click.option("--goal", type=click.Choice(GOALS), default=None, help="What optimal and greedy targeting are for.")
@rolling_options
@catalog_option
@lang_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@plot_option
def firefight(file: str, targeting: str | None, goal: str | None, catalogs: tuple[str, ...], **flags: Any) -> int:
    """Say how many targets several attackers take out in one turn, and what that does to morale.

    FILE (.toml or .json) holds the attackers and the targets; --demo writes one, and docs/turns.md tells its tables.
    """
    check_plot(flags["plot"])
    from tcsim.skirmish.firefight import answer, ready_firefight

    field = ready_firefight(
        given_file(file, "firefight.toml" if flags["demo"] else None, flags), targeting, goal, catalogs or None
    )
    with terminal.progress("rolling", flags["trials"]) as advance:
        found = answer(field, flags["method"], Dice(flags["trials"], flags["seed"], flags["threads"], advance))
    return deliver(found, flags, print_firefight, "firefight_ends", found.outcome.partial)


def print_firefight(found: FirefightResult) -> None:
    """Print a firefight for the gaming table.

    Parameters
    ----------
    found : FirefightResult
        The answer.
    """
    field, outcome = found.field, found.outcome
    targets = len(field.targets)
    told = mark("Out of action  {out} of {targets} on average   morale test {test}   {failure} {failed}")
    chances = {"test": outcome.needed, "failed": outcome.failed}
    written = {name: _written(p, outcome.trials) for name, p in chances.items()}
    say(tr(told, out=f"{found.expected_out:.2f}", targets=targets, failure=tr(FAILURES[field.failure]), **written))
    say()
    _asked(found)
    say()
    _numbers(found)
    say()
    _targets(found)
    say()
    _ways(found)
    _advice(found)
    notes = [*found.notes, *filter(None, [_assumed(found)])]
    if notes:
        say()
    for text in notes:
        paragraph("", one_line(retold(text), 600), 0)


#: What a failed morale test is.
FAILURES = {"flight": mark("flight"), "shaken": mark("Shaken"), "rout": mark("rout")}

_GOALS = {
    "out": mark("most out of action"),
    "morale": mark("a morale test"),
    "flight": mark("a failed morale test"),
}


def _written(p: float, trials: int | None) -> str:
    """A chance, with as many decimals as it deserves."""
    if trials is None:
        return percent(p)
    _, low, high = interval(round(p * trials), trials)
    return percent(p, decimals_for(low, high))


def _asked(found: FirefightResult) -> None:
    fight, outcome = found.field.fight, found.outcome
    sides = ((tr("Attackers"), fight.attackers), (tr("Targets"), fight.targets))
    for label, side in sides:
        paragraph(label, ", ".join(f"{one.count} {one.name}" for one in side), 11)
    how = tr("exact")
    if outcome.trials is not None and found.dice is not None:
        how = tr("{trials} trials rolled, seed {seed}", trials=f"{outcome.trials:,}", seed=found.dice.seed)
        how += tr(", partial") if outcome.partial else ""
    told = mark("{edition}, {how}; targets: {targeting}, for {goal}")
    rules = tr(told, edition=fight.edition, how=how, targeting=found.targeting, goal=tr(_GOALS[found.goal]))
    paragraph(tr("Rules"), rules, 11)
    field = found.field
    told = mark("{models} models, a test at {needed} Down or out of action")
    morale = tr(told, models=field.models, needed=field.test.needed)
    if fight.morale.already:
        morale += "; " + tr("{n} of them already, beside the targets", n=fight.morale.already)
    if field.leader is not None:
        morale += "; " + tr("LEADER: {name}", name=field.names[field.leader])
    paragraph(tr("Morale"), morale, 11)


def _numbers(found: FirefightResult) -> None:
    """How many are out of action, and how many Down."""
    say(tr("How many are out of action"))
    trials, rows = found.outcome.trials, []
    shown = [n for n, p in enumerate(found.out) if p > 0]
    for number in shown[:MOST_NUMBERS]:
        p, more = found.out[number], min(sum(found.out[number:]), 1.0)
        row = [str(number), bar(p), percent(p), percent(more if number else 1.0)]
        if trials is not None:
            _, low, high = interval(round(p * trials), trials)
            places = decimals_for(low, high)
            row[2:2] = [tr("{low} to {high}", low=percent(low, places), high=percent(high, places))]
        rows.append(row)
    heads = ("", "", tr("this or more")) if trials is None else ("", tr("95% interval"), "", tr("this or more"))
    table(("", *heads), rows, "rlrrr")
    if len(shown) > MOST_NUMBERS:
        say("  " + tr("… {n} more", n=len(shown) - MOST_NUMBERS))


def _targets(found: FirefightResult) -> None:
    outcome, field = found.outcome, found.field
    rows = [
        [name, percent(float(down)), percent(float(out))]
        for name, down, out in zip(field.names, outcome.down, outcome.out, strict=True)
    ]
    left = len(rows) - MOST_TARGETS
    say(tr("Each target"))
    table((tr("target"), tr("Down"), tr("out of action")), rows[:MOST_TARGETS], "wrr")
    if left > 0:
        say("  " + tr("… {n} more", n=left))


def _ways(found: FirefightResult) -> None:
    say(tr("Ways of choosing targets"))
    rows = []
    for name, one in found.outcomes.items():
        mine = "<" if name == found.targeting else ""
        rows.append([name, tr(WAYS[name]), *_row(one), mine])
    failure = tr(FAILURES[found.field.failure])
    table(("", "", tr("out"), tr("Down"), tr("test"), failure, ""), rows, "lwrrrrl")
    if found.field.fight.attackers and len(found.field.activations) > len(found.field.targets):
        told = mark("Spread is settled beforehand: whose target is out of action already does nothing.")
        paragraph("", tr(told), 2)


def _row(one: Outcome) -> list[str]:
    return [f"{one.expected_out:.3f}", f"{one.expected_down:.3f}", percent(one.needed), percent(one.failed)]


#: What each way of choosing targets is.
WAYS = {
    "focus": mark("the first one left, in order"),
    "spread": mark("each its own, evenly"),
    "greedy": mark("the best for each activation"),
    "optimal": mark("the best for the whole turn"),
}


def _advice(found: FirefightResult) -> None:
    """Whom a plan attacks: by activation, and how many are out of action by then."""
    shares: dict[tuple[int, str, int, str], float] = {}
    for row in found.advice:
        down = tr("Down") if row["condition"].startswith(tr("Down")) else tr("standing")
        key = (row["activation"], row["attacker"], row["out_of_action"], f"{row['target']}, {down}")
        shares[key] = shares.get(key, 0.0) + row["p"]
    if not shares:
        return
    say()
    say(tr("Whom to attack"))
    likely = [(key, p) for key, p in shares.items() if p >= 0.005]
    before: tuple[int, int] | None = None
    rows = []
    for (activation, attacker, out, target), p in likely[:MOST_ADVICE]:
        same = before is not None and before[0] == activation
        rows.append(["" if same else str(activation), "" if same else attacker, str(out), target, percent(p)])
        before = (activation, out)
    table(("", tr("attacker"), tr("out by then"), tr("attacks"), tr("how often")), rows, "rwrwr")
    if len(likely) > MOST_ADVICE:
        say("  " + tr("… {n} more, in --json", n=len(likely) - MOST_ADVICE))
    best, focus = found.outcome, found.outcomes["focus"]
    if found.goal == "out" and found.targeting == "optimal" and best.expected_out - focus.expected_out < 1e-9:
        paragraph("", tr("Focus in the order of the targets is as good as the best plan."), 2)


def _assumed(found: FirefightResult) -> str:
    assumed = "; ".join(map(retold, found.field.assumed))
    return tr("Assumed: {assumed}.", assumed=assumed) if assumed else ""
