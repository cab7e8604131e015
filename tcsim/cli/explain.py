"""``tcsim explain``: how each roll of a scenario is built, line by line, and the rule behind each line.

It prints the very numbers that the engines read: the lines of :class:`tcsim.scenario.few.Line` and the steps that
they add up to.
"""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from itertools import pairwise
from typing import Any

import click
import numpy as np

from tcsim.base.lang import mark, retold, speaking, tr
from tcsim.base.text import percent, signed
from tcsim.cli import lang_option
from tcsim.cli.becomes import becomes, print_becomes
from tcsim.cli.given import asked, scenario_flags
from tcsim.cli.inputs import catalog_option
from tcsim.cli.odds_table import DICE_OF_CHARGES
from tcsim.cli.sharing import share, sharing_options, wants_sharing
from tcsim.cli.terminal import paragraph, say, table
from tcsim.dice import Pool
from tcsim.engines.block import FLOAT_TAILS, Block
from tcsim.engines.chain import NOTHING, States, hit_chances, injury_chances
from tcsim.rules import Edition
from tcsim.scenario import problem as p
from tcsim.scenario.few import Line
from tcsim.scenario.problem import Problem, Step
from tcsim.scenario.resolve import Action, Resolved

_ROLLS = {
    "action": mark("Action roll"),
    "injury": mark("Injury dice"),
    "modifier": mark("Injury modifier"),
    "keep": mark("Injury dice that count"),
    "markers": mark("Blood markers placed on a hit"),
    "extra markers": mark("Further blood markers placed on a hit"),
}
#: What few attacks do, by field of ``Special``; the number is that of the line.
_FEW = {
    "critical_lower": mark("the lowest critical is {n} lower"),
    "critical_lower_per_marker": mark("the lowest critical is {n} lower for each marker on the target"),
    "modifier_per_marker": mark("+{n} to the injury total for each marker on the target, before any is spent"),
    "sixes": mark("one injury die is a 6"),
    "result": mark("no injury roll, but {n}"),
    "marker_factor": mark("markers of the injury result times {n}"),
    "infects": mark("the markers it places are infection markers"),
    "infection": mark("places {n} infection marker more"),
    "infection_if_marked": mark("places {n} infection marker more, if it places any marker"),
    "rerolls": mark("failed action rolls are made again; a 1 then ends the activation"),
    "bloodbath_cheaper": mark("a Bloodbath costs {n} marker less"),
    "down_for_minor": mark("a Minor Hit is Down"),
    "bloodbath_cheaper_standing": mark("a Bloodbath on a standing target costs {n} markers less"),
    "auto_hit": mark("hits without an action roll"),
    "reaction_takes": mark("the target rolls first: a success takes {n} DICE, a critical makes the attack fail"),
    "keeps_down": mark("what is worn makes no Down a Minor Hit"),
}
_RESULTS = (mark("no effect"), mark("a Minor Hit"), mark("Down"), mark("out of action"))
#: Most attacks whose numbers are told one by one.
_MOST_NUMBERS = 6
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
@catalog_option
@click.option("--json", "as_json", is_flag=True, help="Print as JSON.")
@sharing_options
@lang_option
def explain(scenario: str | None, catalogs: tuple[str, ...], as_json: bool, **flags: Any) -> None:
    """Say how each roll is built, line by line, with the rule behind each line.

    The scenario is given as to tcsim odds.
    """
    from tcsim.cli.odds_table import print_assumed, print_question
    from tcsim.engines.answer import exact_results

    form = wants_sharing(flags, as_json=as_json)
    question = asked(scenario, flags, catalogs)
    if form is not None:
        share(question, form, ["explain"], (), catalogs)
        return
    rules = question.rules
    [result] = exact_results([question])
    if as_json:
        with speaking("en"):
            data = {"out_of_action": result.out_of_action, **_as_data(question, rules)}
        sys.stdout.write(json.dumps(data) + "\n")
        return
    print_question(result)
    for number, action in enumerate(question.actions, 1):
        say()
        kind = f", {tr(f'{action.kind} attack')}" if action.kind not in action.label else ""
        paragraph(str(number), f"{tr(action.label)}{kind}", len(str(number)) + 2)
        if action.step.kind == p.ATTACK:
            _attack(question, rules, action)
        elif action.step.kind == p.GATE:
            _gate(question, rules, action)
    print_becomes(question, rules)
    say()
    told = mark("Out of action  {p}, after everything above and all that is spent")
    say(tr(told, p=percent(result.out_of_action)))
    print_assumed(result)
    used = " ".join(_source(line, question, rules) for action in question.actions for line in action.lines)
    used += "".join(one.source for one in becomes(question, rules))
    if any(action.step.kind == p.GATE for action in question.actions):
        used += "".join(rules.cited[f"activation.{name}"] for name in ("risky", "charge_in", "halved"))
    for source, text in rules.sources.items():
        if f"{source}:" in used:
            paragraph(f"{source}:", tr(text), 11)


def _as_data(question: Resolved, rules: Edition) -> dict[str, Any]:
    """The same as plain data: for each table of ``attacks`` its lines, and the rows that the engines read."""
    actions = []
    for action in question.actions:
        lines = [{**line._asdict(), "source": _source(line, question, rules)} for line in action.lines]
        steps = [_step_as_data(step) for step in action.steps]
        cases = [
            {"case": label, "dice": dice, "keep": action.step.injury_keep, "modifier": modifier, "chances": chances}
            for label, dice, modifier, case in (_cases(action.step) if action.step.kind == p.ATTACK else [])
            for chances in [_chances(question.problem, action.step, *case)]
        ]
        actions.append({"label": action.label, "lines": lines, "steps": steps, "on_a_hit": cases})
    results = [one._asdict() for one in becomes(question, rules)]
    told: dict[str, Any] = {"edition": rules.id, "attacks": actions, "results": results, "sources": dict(rules.sources)}
    if question.files:
        told["catalog"] = [file.mark for file in question.files]
    return told | {"notes": list(question.notes), "assumed": list(question.assumed)}


_KINDS = {p.ATTACK: "attack", p.STAND: "stand", p.ACTIVATION: "activation", p.ACTIVATED: "target_activation"}
_KINDS[p.GATE] = "gate"


def _step_as_data(step: Step) -> dict[str, Any]:
    """A row as plain data: a gate has only its own numbers, and no other row has those."""
    if step.kind == p.GATE:
        return {"kind": _KINDS[step.kind], **step.gate._asdict()}
    data = {**step._asdict(), "kind": _KINDS[step.kind], "special": step.special._asdict()}
    del data["gate"]
    return data


def _gate(question: Resolved, rules: Edition, action: Action) -> None:
    """Tell a roll that is no attack: what stands behind it, and how likely it lets the activation go on."""
    gate, reach = action.step.gate, action.reach
    chance = percent(float(Pool(gate.net, gate.keep).at_least(gate.total)))
    if reach is None:
        say(f"   {tr('RISKY: a failure ends the activation')} [{rules.cited['activation.risky']}]")
        _lines("action", question, rules, action)
        first = _net_of(question, action) - gate.net
        if first:
            told = mark("It has {n} DICE more, from markers spent on it")
            say(f"   {tr(told, n=signed(first))}")
            chance = percent(float(Pool(gate.net + first, gate.keep).at_least(gate.total)))
        say(f"   = {_pool(gate.net + first, gate.keep)}")
        say(f"     {tr('{total} or more goes on, {chance}', total=gate.total, chance=chance)}")
        return
    move, distance = f"{float(reach.move):g}", f"{float(reach.distance):g}"
    told = mark("Movement {move} against {distance} inches")
    source = rules.cited["activation.charge_in"]
    if reach.halved:
        told = mark("Movement {move}, halved, against {distance} inches")
        source = f"{source}; {rules.cited['activation.halved']}"
    paragraph("    ", f"{tr(told, move=move, distance=distance)} [{source}]", 8)
    if reach.why:
        why = tr("as given") if reach.why == "bonus" else retold(reach.why)
        source = "" if reach.why == "bonus" else f" [{_source(Line('charge', 1, reach.why), question, rules)}]"
        paragraph("    ", f"{DICE_OF_CHARGES[reach.die]}: {why}{source}", 8)
    if gate.is_certain:
        say(f"   {tr('Movement reaches, so that no die is needed')}")
        return
    die = _pool(gate.net, gate.keep).replace("D6", "D3") if reach.die == "2d3kh1" else _pool(gate.net, gate.keep)
    die = die if gate.net else DICE_OF_CHARGES[reach.die]
    least = gate.total // 2 + 1 if reach.die in ("d3", "2d3kh1") else gate.total
    say(f"   = {die}: {tr('{total} or more reaches, {chance}; else the activation ends', total=least, chance=chance)}")


def _net_of(question: Resolved, action: Action) -> int:
    """Net dice of a gate with what is spent on it, as the engines read them."""
    gates = [one for one in question.actions if one.step.kind == p.GATE and not one.step.gate.is_certain]
    steps = [step for step in question.problem.steps if step.kind == p.GATE]
    return next(step.gate.net for one, step in zip(gates, steps, strict=True) if one is action)


def _attack(question: Resolved, rules: Edition, action: Action) -> None:
    step, charts = action.step, rules.charts
    together = tr("{n} shots, resolved together", n=step.shots) if step.shots > 1 else ""
    times = tr("{n} times, one after the other", n=action.volleys) if action.volleys > 1 else ""
    risky = tr("RISKY: a failure ends the activation") if step.risky else ""
    for text in (together, times, risky):
        if text:
            say(f"   {text}")
    _lines("action", question, rules, action)
    made = [one._replace(volleys=1) for one in action.steps for _ in range(one.volleys)]
    different = {one: [number for number, other in enumerate(made, 1) if other == one] for one in dict.fromkeys(made)}
    for one, numbers in different.items():
        number = ", ".join(map(str, numbers[:_MOST_NUMBERS])) + (" …" if len(numbers) > _MOST_NUMBERS else "")
        which = tr(", attack {n}" if len(numbers) == 1 else ", attacks {n}", n=number) if len(different) > 1 else ""
        if one.auto_hit:
            say(f"   {tr('Hits without an action roll')}{which}")
        for when, dice in _by_target(one.action_dice, one.action_dice_down) if not one.auto_hit else ():
            pool, lowest = Pool(dice, p.ACTION_KEEP), _lowest_critical(question.problem, one)
            hit = percent(float(pool.at_least(charts.success)))
            critical = percent(float(pool.at_least(lowest)))
            say(f"   = {_pool(dice, p.ACTION_KEEP)}{which}{when}")
            told = mark("{success} or more hits, {hit}; {lowest} is critical, {critical}")
            if lowest != charts.critical:
                told = mark("{success} or more hits, {hit}; {lowest} or more is critical, {critical}")
            say(f"     {tr(told, success=charts.success, hit=hit, lowest=lowest, critical=critical)}")
            if one.special.reaction_takes:
                down = int(dice == one.action_dice_down != one.action_dice or question.problem.start.down)
                hit, critical = map(percent, _after_reaction(question.problem, one, down))
                told = mark("after the target's own roll {hit} hit, {critical} are critical")
                say(f"     {tr(told, hit=hit, critical=critical)}")
            game = question.problem.game
            if game is not None and (game.blood or game.blessing):
                told = mark("Before markers: blood spent on the roll takes DICE, blessings add them.")
                paragraph("", tr(told), 5)
        for words in _when_made(one):
            told = mark("Attack {n} {words}") if len(numbers) == 1 else mark("Attacks {n}: each {words}")
            say(f"   {tr(told if len(different) > 1 else 'It {words}', n=number, words=words)}")
    first = next((one.first_shot_dice for one in question.problem.steps if one.first_shot_dice), 0)
    if first and action is next(a for a in question.actions if a.step.kind == p.ATTACK and not a.step.auto_hit):
        told = mark("Its first action roll has {n} DICE more, from markers spent on it")
        say(f"   {tr(told, n=signed(first))}")
    for roll in ("injury", "keep", "modifier", "markers", "extra markers"):
        _lines(roll, question, rules, action)
    _few(question, rules, action)
    rows = []
    step = next((one for one in action.steps if not one.auto_hit), step)  # one of which all cases can be
    for label, dice, modifier, case in _cases(step) if step.special.result == p.ROLLED else ():
        chances = map(percent, _chances(question.problem, step, *case))
        rows.append([tr(label), _pool(dice, step.injury_keep), signed(modifier), *chances])
    if not rows:
        return
    heads = (tr("on a hit"), tr("injury roll"), tr("added"), tr("none"), tr("minor"), tr("Down"), tr("out"))
    table(heads, rows, "llrrrrr")
    spend, start = question.scenario.spend, question.problem.start
    if spend.blood_on_injury != "none" or (spend.blessing_on_injury != "none" and start.blessing):
        told = mark("Before markers: what is spent on the roll adds dice (blood) or takes them away (blessings).")
        paragraph("", tr(told), 3)


def _few(question: Resolved, rules: Edition, action: Action) -> None:
    """What few attacks do, a line each."""
    lines = [line for line in action.lines if line.roll in _FEW]
    if lines:
        say(f"   {tr('Besides')}")
    for line in lines:
        amount: int | str = line.amount + 1 if line.roll == "marker_factor" else line.amount
        if line.roll == "result":
            amount = tr(_RESULTS[line.amount - 1])
        words = tr(_FEW[line.roll], n=amount)
        paragraph("     *", f"{words}: {retold(line.why)} [{_source(line, question, rules)}]", 10)


def _when_made(step: Step) -> list[str]:
    """On what an attack of an action depends."""
    special, words = step.special, []
    if special.after_hits:
        words.append(tr("is only made if the one before has hit"))
    if special.out_after_hits:
        told = mark("takes the target out of action if all {n} before have hit, and it hits too")
        words.append(tr(told, n=special.out_after_hits))
    if special.if_down:
        words.append(tr("is one more, made only if the target is Down"))
    return words


def _lowest_critical(problem: Problem, step: Step) -> int:
    """The lowest critical, with the markers that the target has at the start."""
    special, markers = step.special, problem.start.blood + problem.start.infection
    lower = special.critical_lower + special.critical_lower_per_marker * markers
    return max(problem.charts.critical - lower, problem.charts.success)


def _chances(problem: Problem, step: Step, down: int, critical: int) -> list[float]:
    """Chances of no effect, Minor Hit, Down, out of action, before markers are spent: as the exact engine has them."""
    block = Block([replace(problem, steps=(step,))])
    start, first = problem.start, np.zeros(1, dtype=np.int64)
    states = States(NOTHING, NOTHING, NOTHING, first + down, first + start.blood, first + start.infection)
    reach = injury_chances(block, FLOAT_TAILS, first, first, states, critical, first, first)
    return [high - low for high, low in pairwise([1.0, *(float(chance[0]) for chance in reach), 0.0])]


def _after_reaction(problem: Problem, step: Step, down: int) -> list[float]:
    """Chances of a hit and of a critical, where the target rolls first."""
    block, first = Block([replace(problem, steps=(step,))]), np.zeros(1, dtype=np.int64)
    start = problem.start
    states = States(NOTHING, NOTHING, NOTHING, first + down, first + start.blood, first + start.infection)
    stories = hit_chances(block, FLOAT_TAILS, first, first, states, True)
    return [sum(float(story[1][0] + story[2][0]) for story in stories), sum(float(story[2][0]) for story in stories)]


def _lines(roll: str, question: Resolved, rules: Edition, action: Action) -> None:
    lines = [line for line in action.lines if line.roll == roll]
    if not lines:
        return
    say(f"   {tr(_ROLLS[roll])}")
    for line in sorted(lines, key=lambda line: line.when != ""):
        amount = str(line.amount) if roll == "keep" else signed(line.amount)
        plain = line.why in ("critical", "the target is Down")
        when = f", {retold(_WHEN.get(line.when, line.when))}" if line.when and not plain else ""
        why = tr("on a critical") if line.why == "critical" else retold(line.why)
        paragraph(f"     {amount}", f"{why}{when} [{_source(line, question, rules)}]", 10)


_WHEN = {
    "standing": mark("while the target stands"),
    "down": mark("while the target is Down"),
    "critical": mark("on a critical"),
    "critical and down": mark("on a critical while the target is Down"),
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
        return tr("the rows of what is worn") if question.target.label else tr("as given")
    if line.why.startswith(("armour", "cap")):
        return rules.cited["armour"]
    if word in rules.keywords:
        told = tr("keyword: {text}", text=tr(rules.keywords[word].text))
        place = question.catalog.origin("keyword", word) if question.catalog is not None else None
        return f"{told} ({place})" if place is not None else told
    if line.why in _GIVEN:
        return tr("as given")
    own = _own_place(line.why, question)
    if own:
        return own
    if line.why.endswith(" characteristic"):
        return tr("the unit's row") if question.scenario.attacker.unit else tr("no unit")
    return tr("the row of the catalogue")


def _own_place(why: str, question: Resolved) -> str:
    """Where in users' own catalogues the row stands that a line names; empty for rows of the books."""
    if question.catalog is None:
        return ""
    for row in question.catalog.more:
        place = question.catalog.origin(row.kind_of_row, row.id)
        if place is not None and any(f"{why}:".startswith((f"{name}:", f"{name},")) for name in (row.label, row.name)):
            return str(place)
    return ""


def _by_target(standing: int, down: int) -> list[tuple[str, int]]:
    if standing == down:
        return [("", standing)]
    return [(tr(", against a standing target"), standing), (tr(", against one that is Down"), down)]


def _cases(step: Step) -> list[tuple[str, int, int, tuple[int, int]]]:
    """Injury dice and modifier by case: of Down, and of a critical."""
    cases = [
        (mark("standing target"), step.injury_dice, step.injury_modifier, (0, 0)),
        (mark("standing, critical"), step.injury_dice_critical, step.injury_modifier_critical, (0, 1)),
        (mark("Down target"), step.injury_dice_down, step.injury_modifier_down, (1, 0)),
        (mark("Down, critical"), step.injury_dice_down_critical, step.injury_modifier_down_critical, (1, 1)),
    ]
    return [case for case in cases if not step.auto_hit or "critical" not in case[0]]


def _pool(net: int, keep: int) -> str:
    """A pool in words, as ``3D6, highest 2``."""
    if net == 0:
        return f"{keep}D6"
    return tr("{n}D6, highest {keep}" if net > 0 else "{n}D6, lowest {keep}", n=keep + abs(net), keep=keep)
