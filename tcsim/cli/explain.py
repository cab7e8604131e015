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
from tcsim.scenario.attack import Line
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
    from tcsim.engines.answer import exact_results
    from tcsim.scenario.read import from_mapping

    question = resolve(from_mapping(merged(scenario, flags)))
    rules = load_edition(question.problem.edition)
    if as_json:
        sys.stdout.write(json.dumps(_as_data(question, rules)) + "\n")
        return
    for number, action in enumerate(question.actions, 1):
        say(f"{number}  {action.label}{f', {action.kind} attack' if action.kind not in action.label else ''}")
        if action.step.kind == p.ATTACK:
            _attack(question, rules, action)
        say()
    say(f"Out of action  {percent(exact_results([question])[0].out_of_action)}, by tcsim odds")
    for note in question.notes:
        paragraph("", note, 0)
    for source, text in rules.sources.items():
        paragraph(f"{source}:", text, 11)


def _as_data(question: Resolved, rules: Edition) -> dict[str, Any]:
    """The same as plain data: for each table of ``attacks`` its lines, and the rows that the engines read."""
    actions = []
    for action in question.actions:
        lines = [
            {**line._asdict(), "source": _source(line, question, rules, action).strip(" []")} for line in action.lines
        ]
        actions.append({"label": action.label, "lines": lines, "steps": [step._asdict() for step in action.steps]})
    return {"edition": rules.id, "attacks": actions, "notes": list(question.notes), "sources": dict(rules.sources)}


def _attack(question: Resolved, rules: Edition, action: Action) -> None:
    step, charts = action.step, rules.charts
    _lines("action", question, rules, action)
    if step.auto_hit:
        say("   hits without an action roll")
    for when, dice in _by_target(step.action_dice, step.action_dice_down):
        pool = Pool(dice, p.ACTION_KEEP)
        hit, critical = pool.at_least(charts.success), pool.at_least(charts.critical)
        if not step.auto_hit:
            say(f"   = {_pool(dice, p.ACTION_KEEP)}{when}")
            said = f"{charts.success} or more hits, {percent(float(hit))}; {charts.critical} is critical"
            say(f"     {said}, {percent(float(critical))}")
    for roll in ("injury", "keep", "modifier", "markers", "extra markers"):
        _lines(roll, question, rules, action)
    rows = []
    for label, dice, modifier in _cases(step):
        injured = Pool(dice, step.injury_keep)
        limits = (charts.minor_hit, charts.down, charts.out_of_action)
        least = [1.0, *(float(injured.at_least(limit - modifier)) for limit in limits), 0.0]
        results = [percent(high - low) for high, low in pairwise(least)]
        rows.append([label, _pool(dice, step.injury_keep), signed(modifier), *results])
    table(("on a hit", "injury roll", "added", "none", "minor", "Down", "out"), rows, "llrrrrr")
    if len(set(action.steps)) > 1:
        paragraph("", "These are the numbers of its first attack; the others differ in the lines that say so.", 3)


def _lines(roll: str, question: Resolved, rules: Edition, action: Action) -> None:
    lines = [line for line in action.lines if line.roll == roll]
    if not lines:
        return
    say(f"   {_ROLLS[roll]}")
    for line in lines:
        amount = str(line.amount) if roll == "keep" else signed(line.amount)
        when = f", {_WHEN.get(line.when, line.when)}" if line.when else ""
        paragraph(f"     {amount}", f"{line.why}{when}{_source(line, question, rules, action)}", 10)


_WHEN = {
    "standing": "while the target stands",
    "down": "while the target is Down",
    "critical": "on a critical",
    "critical and down": "on a critical while the target is Down",
}


def _source(line: Line, question: Resolved, rules: Edition, action: Action) -> str:
    """The rule behind a line: of the edition, of a keyword, or of a row of the catalogue."""
    name = line.why.replace(" ", "_")
    word = line.why.partition(",")[0]
    if f"modifiers.{name}" in rules.cited:
        return f" [{rules.cited[f'modifiers.{name}']}]"
    if line.why in ("critical", "the target is Down"):
        return f" [{rules.cited['injury_dice']}]"
    if line.why.startswith(("armour", "cap")):
        return f" [{rules.cited['armour']}]"
    if word in rules.keywords:
        return f" [{word}: {rules.keywords[word].text}]"
    if line.why in _GIVEN:
        return " [as given]"
    if line.why.endswith(" characteristic"):
        return " [the unit's row]" if question.scenario.attacker.unit else " [no unit]"
    return " [the row of the catalogue]"


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
