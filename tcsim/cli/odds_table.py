"""The default output of ``tcsim odds``: the answer first, then what was asked, then how it comes about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import isnan
from typing import Any

import numpy as np

from tcsim.base.errors import InputError
from tcsim.base.lang import label, listed, mark, retold, tr
from tcsim.base.text import about, decimals_for, percent, plural, points, signed
from tcsim.cli.terminal import bar, paragraph, say, table
from tcsim.dice import Pool
from tcsim.engines.block import FLOAT_TAILS
from tcsim.engines.exact import solve, watch
from tcsim.engines.result import Result
from tcsim.rules import word
from tcsim.scenario import problem as p
from tcsim.scenario.model import Attack
from tcsim.scenario.problem import BLOOD_POLICIES, Problem, State, Step
from tcsim.scenario.resolve import Action, check_plan
from tcsim.stats import interval

#: Most attack tables that are listed one by one, and most rows of the end states.
MAX_ACTIONS, MAX_ENDS = 12, 9


def print_result(result: Result) -> None:
    """Print a result for the gaming table.

    Parameters
    ----------
    result : Result
        Exact or rolled.
    """
    _answer(result)
    say()
    print_question(result)
    say()
    _attacks(result)
    say()
    _ends(result)
    _spending(result)
    _would_change(result)
    print_assumed(result)
    for trial in result.run.traces if result.run is not None else ():
        say()
        for line in str(trial).split("\n"):
            paragraph("", retold(line.strip()), len(line) - len(line.lstrip()))


def _answer(result: Result) -> None:
    odds = about(result.out_of_action)
    if result.run is not None and result.out_of_action in (0, 1):  # counted, so it is not "never" or "always"
        odds = tr("{count} of {trials}", count=f"{result.run.counts.get(None, 0):,}", trials=f"{result.run.trials:,}")
    if result.run is None:
        say(tr("Out of action  {p}   ({odds})", p=percent(result.out_of_action), odds=odds))
    else:
        _, low, high = result.interval or ("", 0.0, 1.0)
        chance, within = _measured(result.out_of_action, low, high)
        say(tr("Out of action  {p}   ({odds})   95% interval {within}", p=chance, odds=odds, within=within))
    if result.fractions is not None:
        exact = str(result.fractions[0]) if result.states[0][0] is None else "0"
        paragraph("", f"= {exact}", 2)


def _measured(p: float, low: float, high: float) -> tuple[str, str]:
    """Write what was counted, and its interval, with as many decimals as the interval deserves."""
    decimals = decimals_for(low, high)
    return percent(p, decimals), tr("{low} to {high}", low=percent(low, decimals), high=percent(high, decimals))


def print_question(result: Result) -> None:
    """Print what was asked: target, attacker, rules.

    Parameters
    ----------
    result : Result
        Exact or rolled.
    """
    resolved = result.resolved
    start, target = resolved.problem.start, resolved.target
    facts = [listed(target.label)] if target.label else []
    facts.append(tr("armour {n}", n=signed(target.modifier())))
    if target.injury_dice + target.armour_dice:
        facts.append(tr("{n} injury dice", n=signed(target.injury_dice + target.armour_dice)))
    facts.append(plural(start.blood, "blood marker"))
    if start.blessing:
        facts.append(plural(start.blessing, "blessing marker"))
    if start.infection:
        facts.append(plural(start.infection, "infection marker"))
    facts += [tr("Down") if start.down else tr("standing"), tr("TOUGH") if start.tough else tr("not TOUGH")]
    if target.minor_for_down:
        facts.append(tr("Down results become Minor Hits"))
    nature = resolved.problem.nature
    spared = mark("its first out of action is Down")
    if start.spared > 1:
        spared = mark("out of action is Down three times")
    elif nature.first_out != p.DOWN:
        spared = mark("its first out of action is no effect")
    few = {
        mark("its first Down is a Minor Hit"): start.firm and nature.first_down == p.MINOR_HIT,
        mark("its first Down is no effect"): start.firm and nature.first_down == p.NO_EFFECT,
        mark("Down is a Minor Hit while it has no blood marker"): nature.unhurt_minor,
        mark("its markers pay for no injury dice"): nature.no_dice,
        mark("out of action only by a Bloodbath"): nature.golem,
        spared: start.spared,
        mark("its first marker is ignored"): start.warded,
        mark("bears no markers"): nature.unmarked,
    }
    facts += [tr(words) for words, holds in few.items() if holds]
    paragraph(tr("Target"), ", ".join(facts))
    if resolved.scenario.attacker.unit is not None:
        paragraph(tr("Attacker"), " ".join(resolved.scenario.attacker.unit.split()))
    how = tr("exact")
    if result.run is not None:
        rolled = result.method == "monte_carlo"
        drawn = tr("rolled") if rolled else tr("drawn from the exact answer ({method})", method=result.method)
        how = tr(
            "{trials} {drawn}, seed {seed}",
            trials=plural(result.run.trials, "trial"),
            drawn=drawn,
            seed=result.run.seed,
        )
        how += tr(", shared dice") if result.run.dice == "shared" else ""
        how += tr(", partial") if result.run.partial else ""
    spend = resolved.scenario.spend
    own = resolved.problem.policy.blood == p.RULES
    policy = tr("rows of one's own") if own else spend.blood_on_injury
    rules = [f"{resolved.problem.edition}, {how}", tr("blood spent on injury rolls: {policy}", policy=policy)]
    if resolved.problem.goal != p.GOAL_OUT:
        goal = resolved.problem.goal
        rules.append(tr("spent for: {goal}", goal=f"{goal.name}-{goal.attack}" if goal.attack else goal.name))
    others = (
        (mark("blessings spent on injury rolls: {policy}"), spend.blessing_on_injury),
        (mark("attacker's blood spent on action rolls: {policy}"), spend.blood_on_action),
        (mark("attacker's blessings spent on action rolls: {policy}"), spend.blessing_on_action),
    )
    rules += [tr(text, policy=value) for text, value in others if value != "none"]
    rules += [f"{name} = {word(value)}" for name, value in resolved.options.items()]
    rules += [tr("with {file}", file=file) for file in resolved.files]
    paragraph(tr("Rules"), "; ".join(rules))


def _attacks(result: Result) -> None:
    problem, actions = result.resolved.problem, result.resolved.actions
    kinds = [step.kind for step in problem.steps for _ in range(step.volleys)]
    story = [chances for chances, kind in zip(watch(problem), kinds, strict=True) if kind == p.ATTACK]
    rows, moves, number = [], 0, 0
    for action in actions:
        if action.step.kind != p.ATTACK:
            rows.append(["", tr(action.label), *_of_gate(action), *[""] * 2])
            continue
        moves += action.moves
        number += 1
        now = story[moves - 1]
        rows.append([str(number), _label(action), *_numbers(action, problem), percent(now.down), percent(now.out)])
    if len(rows) > MAX_ACTIONS:
        rows = [*rows[: MAX_ACTIONS - 1], ["", tr("… {n} more", n=len(rows) - MAX_ACTIONS), *[""] * 5], rows[-1]]
    heads = (tr("attack"), tr("DICE"), tr("injury"), tr("hits"), tr("Down"), tr("out by now"))
    table(("", *heads), rows, "rwrrrrr")
    notes = [tr("DICE and injury before markers and armour; Down, out by now: after all attacks so far.")]
    if result.run is not None:
        told = mark("In this table hits, Down and out by now are exact; what was counted stands above and below it.")
        notes.append(tr(told))
    paragraph("", " ".join(notes), 2)


def _of_gate(action: Action) -> list[str]:
    """DICE or the die of a charge, nothing for injury, and the chance to go on; nothing at all for events."""
    gate = action.step.gate
    if action.step.kind != p.GATE:
        return [""] * 3
    die = DICE_OF_CHARGES[action.reach.die] if action.reach is not None else signed(gate.net)
    return [die, "", percent(float(Pool(gate.net, gate.keep).at_least(gate.total)))]


#: The dice of charges, as they are written.
DICE_OF_CHARGES = {"d6": "D6", "d3": "D3", "2d6kh1": "2D6", "2d3kh1": "2D3", "none": "–"}


def _label(action: Action) -> str:
    words = [tr(line.why) for line in action.lines if line.roll == "action" and line.why in _SITUATIONS]
    shown = [label(word) for word in action.keywords if word in _SHOWN_KEYWORDS]
    times = f"{action.volleys} × " if action.volleys > 1 else ""
    shots = f" ({plural(action.step.shots, 'shot')})" if action.step.shots > 1 else ""
    return ", ".join([f"{times}{tr(action.label)}{shots}", *words, *shown])


#: What an attack without a weapon, and an event, is called.
LABELS = (
    *(mark("ranged attack"), mark("melee attack"), mark("the target stands up")),
    *(mark("the target is activated"), mark("a new activation begins")),
)
_SITUATIONS = (
    *(mark("cover"), mark("long range"), mark("elevated"), mark("defended obstacle")),
    *(mark("off hand"), mark("fear"), mark("attacker down")),
)
_SHOWN_KEYWORDS = ("CRITICAL", "DEADLY", "FIRE", "GAS", "SHRAPNEL", "AUTO-HIT", "IGNORE ARMOUR", "RISKY")


def _numbers(action: Action, problem: Problem) -> list[str]:
    """DICE, injury dice and modifier, and chance to hit against the target as it stands (or lies) at the start.

    Where the attacks of one action differ, what each has.
    """
    cells = [_numbers_of(step, action, problem) for step in dict.fromkeys(action.steps)]
    return [" / ".join(dict.fromkeys(column)) for column in zip(*cells, strict=True)]


def _numbers_of(step: Step, action: Action, problem: Problem) -> list[str]:
    down = problem.start.down
    dice = step.injury_dice_down if down else step.injury_dice
    own = sum(
        line.amount
        for line in action.lines
        if line.roll == "modifier" and line.why in (action.label, "injury_modifier")
    )
    parts = [tr("{change} dice", change=signed(dice))] if dice else []
    parts += [signed(own)] if own else []
    injury = ", ".join(parts) or "0"
    if step.auto_hit:
        return [tr("auto"), injury, "100%"]
    dice = step.action_dice_down if down else step.action_dice
    pool = FLOAT_TAILS.rows(np.array([p.ACTION_KEEP]), np.array([dice]))
    hit = float(FLOAT_TAILS.at_least(pool, np.array([problem.charts.success]))[0])
    return [signed(dice), injury, percent(hit)]


def _ends(result: Result) -> None:
    say(tr("How it ends"))
    chances = dict(result.states)
    groups = _grouped(result.states)
    rows, so_far = [], 0.0
    for number, (end, states) in enumerate(groups, 1):
        chance = sum(chances[state] for state in states)
        so_far = 1.0 if number == len(groups) else so_far + chance
        row = [end, bar(chance), percent(chance), percent(so_far)]
        if result.run is not None:
            count = sum(result.run.counts[state] for state in states)
            _, low, high = interval(count, result.run.trials)
            row[1:3] = [f"{count:,}", *_measured(chance, low, high)]
        rows.append(row)
    if result.run is None:
        table(("", "", "", tr("this or worse")), rows, "llrr")
    else:
        table(("", tr("counted"), "", tr("95% interval"), tr("or worse")), rows, "lrrrr")


def _grouped(states: Sequence[tuple[State | None, float]]) -> list[tuple[str, list[State | None]]]:
    """Group the end states, severe to mild, into at most ``MAX_ENDS`` rows a player can tell apart."""
    ways = {state for state, _ in states}
    for bands in (_SINGLE, _BANDS, _FEW):
        groups: dict[str, list[State | None]] = {tr("out of action"): [None]} if None in ways else {}
        for down in (1, 0):
            for low, high in bands:
                alive = [way for way in ways if way is not None and way.down == down]
                found = [way for way in alive if low <= way.blood + way.infection <= high]
                if found:
                    markers = [way.blood + way.infection for way in found]
                    least, most = min(markers), max(markers)
                    groups[f"{tr('Down') if down else tr('standing')}, {_markers(least, most)}"] = list(found)
        if len(groups) <= MAX_ENDS:
            break
    return list(groups.items())


_SINGLE = [(n, n) for n in range(12, -1, -1)]
_BANDS = [(4, 12), (2, 3), (1, 1), (0, 0)]
_FEW = [(3, 12), (1, 2), (0, 0)]


def _markers(low: int, high: int) -> str:
    if low == high:
        return plural(low, "marker")
    return tr("{low} or {high} markers" if high == low + 1 else "{low} to {high} markers", low=low, high=high)


def _spending(result: Result) -> None:
    """What each policy for the target's blood comes to, where there is blood to spend and more than one answer."""
    problem = result.resolved.problem
    if problem.start.blood == 0 and problem.policy.blood == p.NONE:
        return
    codes = [code for code in range(len(BLOOD_POLICIES)) if code != p.OPTIMAL or _can_plan(problem)]
    codes += [p.RULES] if problem.policy.blood == p.RULES else []
    others = [replace(problem, policy=problem.policy._replace(blood=code)) for code in codes]
    chances = [dict(final).get(None, 0.0) for final in solve(others)]
    if max(chances) - min(chances) < 5e-4:
        return
    say()
    say(tr("What spending the target's blood does (chance of out of action)"))
    rows = []
    for code, chance in zip(codes, chances, strict=True):
        points = 100 * (chance - chances[0])
        change = f"{'+' if points >= 0 else '−'}{abs(points):.1f}"
        gain = tr("{change} points", change=change) if code != p.NONE else ""
        mine = "<" if code == problem.policy.blood else ""
        rows.append([[*BLOOD_POLICIES, ""][code], tr(_POLICY_WORDS[code]), percent(chance), gain, mine])
    table(("", "", "", "", ""), rows, "llrrl")


_POLICY_WORDS = {
    p.NONE: mark("keep all markers"),
    p.ALL: mark("every marker at once, as injury dice"),
    p.BLOODBATH: mark("a Bloodbath when it can be paid"),
    p.GREEDY: mark("whatever is best for each roll"),
    p.OPTIMAL: mark("whatever is best for the whole sequence"),
    p.RULES: mark("rows of one's own"),
}


def _would_change(result: Result) -> None:
    """What a die, a marker, a step of armour would change; exact, also where the answer was rolled."""
    from tcsim.analysis.exchange.answer import brief

    found = brief(result.resolved)
    if found is None:
        say()
        paragraph("", tr("What would change it: tcsim exchange tells; it takes longer here."), 0)
    if not found:
        return
    say()
    say(tr("What would change it (points of out of action)"))
    rows = [
        [tr(one.label), *("" if isnan(change) else points(change) for change in (one.up, one.down))] for one in found
    ]
    table(("", tr("for you"), tr("against you")), rows, "lrr")
    notes = [tr("One change at a time, in every attack; the changes do not add up.")]
    if result.run is not None:
        notes.append(tr("These are exact."))
    paragraph("", " ".join(notes), 2)


def _can_plan(problem: Problem) -> bool:
    try:
        check_plan(replace(problem, policy=problem.policy._replace(blood=p.OPTIMAL)))
    except InputError:
        return False
    return True


def print_assumed(result: Result) -> None:
    """Print what is not counted, and what was assumed.

    Parameters
    ----------
    result : Result
        Exact or rolled.
    """
    assumed = _assumptions(result)
    lines = [*map(retold, result.notes), tr("Assumed: {assumed}.", assumed="; ".join(map(tr, assumed)))]
    say()
    for line in lines:
        paragraph("", line, 0)


def _assumptions(result: Result) -> list[str]:
    """What the scenario left open and the answer took for granted."""
    scenario, target = result.resolved.scenario, result.resolved.target
    attacks = [table for table in scenario.attacks if isinstance(table, Attack)]
    assumed = []
    if scenario.attacker.unit is None:
        assumed.append(mark("an attacker with 0 DICE characteristics"))
    if scenario.target.unit is None and not scenario.target.armour and scenario.target.injury_modifier is None:
        assumed.append(mark("no armour"))
    pairs = zip(scenario.attacks, result.resolved.actions, strict=True)
    ranged: list[Any] = [table for table, action in pairs if action.kind == "ranged"]
    if ranged and not any(a.cover for a in ranged) and "cover" not in target.sets:
        assumed.append(mark("no cover"))
    if any(a.distance is None and not a.long_range for a in ranged):
        assumed.append(mark("short range"))
    if (len(attacks) > 1 or attacks[0].times > 1) and len(attacks) == len(scenario.attacks):
        assumed.append(mark("the target does not stand up in between"))
    assumed += result.resolved.assumed
    return assumed or [mark("nothing beyond what was given")]
