"""``tcsim explain``: how each roll of a scenario is built, line by line, and the rule behind each line.

It prints the very numbers that the engines read: the lines of :class:`tcsim.scenario.attack.Line` and the steps that
they add up to.
"""

from __future__ import annotations

import json
import sys
from itertools import pairwise
from typing import Any

import click

from tcsim.base.text import percent, signed
from tcsim.cli.given import merged, scenario_flags
from tcsim.cli.terminal import paragraph, say, table
from tcsim.dice import Pool
from tcsim.rules import Edition
from tcsim.rules import edition as load_edition
from tcsim.scenario import problem as p
from tcsim.scenario.few import Line
from tcsim.scenario.problem import Step
from tcsim.scenario.resolve import Action, Resolved, resolve

_ROLLS = {
    "action": "Action roll",
    "injury": "Injury dice",
    "modifier": "Injury modifier",
    "keep": "Injury dice that count",
    "markers": "Blood markers placed on a hit",
    "extra markers": "Further blood markers placed on a hit",
}
_GIVEN = {"action_dice", "injury_dice", "injury_modifier", "injury_dice of the target"}


@click.command(
    context_settings={"token_normalize_func": lambda token: token.replace("_", "-")},
    epilog="""\b
Examples:
  tcsim explain --attack "Sniper Rifle,distance=30,cover" --armour "Standard Armour"
  tcsim explain --attack "melee,CRITICAL" --target-down --edition 1.0.2
""",
)
@click.argument("scenario", required=False, metavar="[SCENARIO.toml|.json]")
@scenario_flags
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
def explain(scenario: str | None, as_json: bool, **flags: Any) -> None:
    """Say how each roll is built, line by line, with the rule behind each line.

    The scenario is given as to tcsim odds.
    """
    from tcsim.cli.odds_table import print_assumed, print_question
    from tcsim.engines.answer import exact_results
    from tcsim.scenario.read import from_mapping

    question = resolve(from_mapping(merged(scenario, flags)))
    rules = load_edition(question.problem.edition)
    [result] = exact_results([question])
    if as_json:
        told = {"out_of_action": result.out_of_action, **_as_data(question, rules)}
        sys.stdout.write(json.dumps(told) + "\n")
        return
    print_question(result)
    for number, action in enumerate(question.actions, 1):
        say()
        say(f"{number}  {action.label}{f', {action.kind} attack' if action.kind not in action.label else ''}")
        if action.step.kind == p.ATTACK:
            _attack(question, rules, action)
    say()
    say(f"Out of action  {percent(result.out_of_action)}, after everything above and all that is spent")
    print_assumed(result)
    used = " ".join(_source(line, question, rules) for action in question.actions for line in action.lines)
    for source, text in rules.sources.items():
        if f"{source}:" in used:
            paragraph(f"{source}:", text, 11)


def _as_data(question: Resolved, rules: Edition) -> dict[str, Any]:
    """The same as plain data: for each table of ``attacks`` its lines, and the rows that the engines read."""
    actions = []
    for action in question.actions:
        lines = [{**line._asdict(), "source": _source(line, question, rules)} for line in action.lines]
        steps = [{**step._asdict(), "kind": _KINDS[step.kind]} for step in action.steps]
        cases = [
            {"case": label, "dice": dice, "keep": action.step.injury_keep, "modifier": modifier, "chances": chances}
            for label, dice, modifier in (_cases(action.step) if action.step.kind == p.ATTACK else [])
            for chances in [_chances(rules, action.step, dice, modifier)]
        ]
        actions.append({"label": action.label, "lines": lines, "steps": steps, "on_a_hit": cases})
    told = {"edition": rules.id, "attacks": actions, "sources": dict(rules.sources)}
    return told | {"notes": list(question.notes), "assumed": list(question.assumed)}


_KINDS = {p.ATTACK: "attack", p.STAND: "stand", p.ACTIVATION: "activation", p.ACTIVATED: "target_activation"}


def _attack(question: Resolved, rules: Edition, action: Action) -> None:
    step, charts = action.step, rules.charts
    together = f"{step.shots} shots, resolved together" if step.shots > 1 else ""
    times = f"{action.volleys} times, one after the other" if action.volleys > 1 else ""
    risky = "RISKY: a failure ends the activation" if step.risky else ""
    for text in (together, times, risky):
        if text:
            say(f"   {text}")
    _lines("action", question, rules, action)
    if step.auto_hit:
        say("   Hits without an action roll")
    different = list(dict.fromkeys(action.steps))
    for number, one in enumerate(different, 1):
        which = f", attack {number}" if len(different) > 1 else ""
        for when, dice in _by_target(one.action_dice, one.action_dice_down) if not step.auto_hit else ():
            pool = Pool(dice, p.ACTION_KEEP)
            hit, critical = (
                percent(float(pool.at_least(charts.success))),
                percent(float(pool.at_least(charts.critical))),
            )
            say(f"   = {_pool(dice, p.ACTION_KEEP)}{which}{when}")
            say(f"     {charts.success} or more hits, {hit}; {charts.critical} is critical, {critical}")
    first = next((one.first_shot_dice for one in question.problem.steps if one.first_shot_dice), 0)
    if first and action is next(a for a in question.actions if a.step.kind == p.ATTACK and not a.step.auto_hit):
        say(f"   Its first action roll has {signed(first)} DICE more, from markers spent on it")
    for roll in ("injury", "keep", "modifier", "markers", "extra markers"):
        _lines(roll, question, rules, action)
    rows = []
    for label, dice, modifier in _cases(step):
        chances = map(percent, _chances(rules, step, dice, modifier))
        rows.append([label, _pool(dice, step.injury_keep), signed(modifier), *chances])
    table(("on a hit", "injury roll", "added", "none", "minor", "Down", "out"), rows, "llrrrrr")
    spend, start = question.scenario.spend, question.problem.start
    if spend.blood_on_injury != "none" or (spend.blessing_on_injury != "none" and start.blessing):
        paragraph("", "Before markers: what is spent on the roll adds dice (blood) or takes them away (blessings).", 3)


def _chances(rules: Edition, step: Step, dice: int, modifier: int) -> list[float]:
    """Chances of no effect, Minor Hit, Down, out of action, by the chart."""
    charts, pool = rules.charts, Pool(dice, step.injury_keep)
    limits = (charts.minor_hit, charts.down, charts.out_of_action)
    least = [1.0, *(float(pool.at_least(limit - modifier)) for limit in limits), 0.0]
    return [high - low for high, low in pairwise(least)]


def _lines(roll: str, question: Resolved, rules: Edition, action: Action) -> None:
    lines = [line for line in action.lines if line.roll == roll]
    if not lines:
        return
    say(f"   {_ROLLS[roll]}")
    for line in sorted(lines, key=lambda line: line.when != ""):
        amount = str(line.amount) if roll == "keep" else signed(line.amount)
        plain = line.why in ("critical", "the target is Down")
        when = f", {_WHEN.get(line.when, line.when)}" if line.when and not plain else ""
        why = "on a critical" if line.why == "critical" else line.why
        paragraph(f"     {amount}", f"{why}{when} [{_source(line, question, rules)}]", 10)


_WHEN = {
    "standing": "while the target stands",
    "down": "while the target is Down",
    "critical": "on a critical",
    "critical and down": "on a critical while the target is Down",
}


def _source(line: Line, question: Resolved, rules: Edition) -> str:
    """The rule behind a line: of the edition, of a keyword, or of a row of the catalogue."""
    name, word = line.why.replace(" ", "_"), line.why.partition(",")[0]
    if f"modifiers.{name}" in rules.cited:
        return rules.cited[f"modifiers.{name}"]
    if line.why in ("critical", "the target is Down"):  # the two sources of one table, in the other order
        down, _, critical = rules.cited["injury_dice"].partition("; ")
        found = down if line.why != "critical" else critical
        return found if ":" in found else f"{down.partition(':')[0]}: {found}"
    if line.why == "armour":
        return "the rows of what is worn" if question.target.label else "as given"
    if line.why.startswith(("armour", "cap")):
        return rules.cited["armour"]
    if word in rules.keywords:
        return f"keyword: {rules.keywords[word].text}"
    if line.why in _GIVEN:
        return "as given"
    if line.why.endswith(" characteristic"):
        return "the unit's row" if question.scenario.attacker.unit else "no unit"
    return "the row of the catalogue"


def _by_target(standing: int, down: int) -> list[tuple[str, int]]:
    if standing == down:
        return [("", standing)]
    return [(", against a standing target", standing), (", against one that is Down", down)]


def _cases(step: Step) -> list[tuple[str, int, int]]:
    """Injury dice and modifier by case; cases that are the same are one."""
    cases = [
        ("standing target", step.injury_dice, step.injury_modifier),
        ("standing, critical", step.injury_dice_critical, step.injury_modifier_critical),
        ("Down target", step.injury_dice_down, step.injury_modifier_down),
        ("Down, critical", step.injury_dice_down_critical, step.injury_modifier_down_critical),
    ]
    return [case for case in cases if not step.auto_hit or "critical" not in case[0]]


def _pool(net: int, keep: int) -> str:
    """A pool in words, as ``3D6, highest 2``."""
    if net == 0:
        return f"{keep}D6"
    return f"{keep + abs(net)}D6, {'highest' if net > 0 else 'lowest'} {keep}"
