"""The default output of ``tcsim odds``: the answer first, then what was asked, then how it comes about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from tcsim.base.text import about, decimals_for, percent, plural, signed
from tcsim.cli.terminal import bar, paragraph, say, table
from tcsim.engines.block import FLOAT_TAILS
from tcsim.engines.exact import solve, watch
from tcsim.engines.result import LEVEL, Result
from tcsim.rules import word
from tcsim.scenario import problem as p
from tcsim.scenario.model import Attack
from tcsim.scenario.problem import BLOOD_POLICIES, Problem, State, Step
from tcsim.scenario.resolve import Action
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
    print_assumed(result)
    for trial in result.run.traces if result.run is not None else ():
        say()
        for line in str(trial).split("\n"):
            paragraph("", line.strip(), len(line) - len(line.lstrip()))


def _answer(result: Result) -> None:
    odds = about(result.out_of_action)
    if result.run is not None and result.out_of_action in (0, 1):  # counted, so it is not "never" or "always"
        odds = f"{result.run.counts.get(None, 0):,} of {result.run.trials:,}"
    if result.run is None:
        say(f"Out of action  {percent(result.out_of_action)}   ({odds})")
    else:
        _, low, high = result.interval or ("", 0.0, 1.0)
        chance, within = _measured(result.out_of_action, low, high)
        say(f"Out of action  {chance}   ({odds})   95% interval {within}")
    if result.fractions is not None:
        exact = str(result.fractions[0]) if result.states[0][0] is None else "0"
        paragraph("", f"= {exact}", 2)


def _measured(p: float, low: float, high: float) -> tuple[str, str]:
    """Write what was counted, and its interval, with as many decimals as the interval deserves."""
    decimals = decimals_for(low, high)
    return percent(p, decimals), f"{percent(low, decimals)} to {percent(high, decimals)}"


def print_question(result: Result) -> None:
    """Print what was asked: target, attacker, rules.

    Parameters
    ----------
    result : Result
        Exact or rolled.
    """
    resolved = result.resolved
    start, target = resolved.problem.start, resolved.target
    facts = [target.label] if target.label else []
    facts.append(f"armour {signed(target.modifier())}")
    if target.injury_dice + target.armour_dice:
        facts.append(f"{signed(target.injury_dice + target.armour_dice)} injury dice")
    facts.append(plural(start.blood, "blood marker") if start.blood else "no blood markers")
    if start.blessing:
        facts.append(plural(start.blessing, "blessing marker"))
    if start.infection:
        facts.append(plural(start.infection, "infection marker"))
    facts += ["Down" if start.down else "standing", "TOUGH" if start.tough else "not TOUGH"]
    if target.minor_for_down:
        facts.append("Down results become Minor Hits")
    nature = resolved.problem.nature
    spared = "Down" if nature.first_out == p.DOWN else "no effect"
    few = {
        "out of action only by a Bloodbath": nature.golem,
        f"its first out of action is {spared}": start.spared,
        "its first marker is ignored": start.warded,
        "bears no markers": nature.unmarked,
    }
    facts += [words for words, holds in few.items() if holds]
    paragraph("Target", ", ".join(facts))
    if resolved.scenario.attacker.unit is not None:
        paragraph("Attacker", " ".join(resolved.scenario.attacker.unit.split()))
    how = "exact"
    if result.run is not None:
        drawn = "rolled" if result.method == "monte_carlo" else f"drawn from the exact answer ({result.method})"
        trials = f"{result.run.trials:,} trial{'s' * (result.run.trials > 1)}"
        how = f"{trials} {drawn}, seed {result.run.seed}{', partial' * result.run.partial}"
    spend = resolved.scenario.spend
    rules = [f"{resolved.problem.edition}, {how}", f"blood spent on injury rolls: {spend.blood_on_injury}"]
    others = (
        ("blessings spent on injury rolls", spend.blessing_on_injury),
        ("attacker's blood spent on action rolls", spend.blood_on_action),
        ("attacker's blessings spent on action rolls", spend.blessing_on_action),
    )
    rules += [f"{name}: {value}" for name, value in others if value != "none"]
    rules += [f"{name} = {word(value)}" for name, value in resolved.options.items()]
    paragraph("Rules", "; ".join(rules))


def _attacks(result: Result) -> None:
    problem, actions = result.resolved.problem, result.resolved.actions
    kinds = [step.kind for step in problem.steps for _ in range(step.volleys)]
    story = [chances for chances, kind in zip(watch(problem), kinds, strict=True) if kind == p.ATTACK]
    rows, moves, number = [], 0, 0
    for action in actions:
        if action.step.kind != p.ATTACK:
            rows.append(["", action.label, *[""] * 5])
            continue
        moves += action.volleys
        number += 1
        down, out = story[moves - 1]
        rows.append([str(number), _label(action), *_numbers(action, problem), percent(down), percent(out)])
    if len(rows) > MAX_ACTIONS:
        rows = [*rows[: MAX_ACTIONS - 1], ["", f"… {len(rows) - MAX_ACTIONS} more", *[""] * 5], rows[-1]]
    table(("", "attack", "DICE", "injury", "hits", "Down", "out by now"), rows, "rwrrrrr")
    notes = ["DICE and injury before markers and armour; Down, out by now: after all attacks so far."]
    if result.run is not None:
        notes.append("In this table hits, Down and out by now are exact; what was counted stands above and below it.")
    paragraph("", " ".join(notes), 2)


def _label(action: Action) -> str:
    words = [line.why for line in action.lines if line.roll == "action" and line.why in _SITUATIONS]
    shown = [word for word in action.keywords if word in _SHOWN_KEYWORDS]
    times = f"{action.volleys} × " if action.volleys > 1 else ""
    shots = f" ({action.step.shots} shots)" if action.step.shots > 1 else ""
    return ", ".join([f"{times}{action.label}{shots}", *words, *shown])


_SITUATIONS = ("cover", "long range", "elevated", "defended obstacle", "off hand", "fear", "attacker down")
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
    parts = [f"{signed(dice)} dice"] if dice else []
    parts += [signed(own)] if own else []
    injury = ", ".join(parts) or "0"
    if step.auto_hit:
        return ["auto", injury, "100%"]
    dice = step.action_dice_down if down else step.action_dice
    pool = FLOAT_TAILS.rows(np.array([p.ACTION_KEEP]), np.array([dice]))
    hit = float(FLOAT_TAILS.at_least(pool, np.array([problem.charts.success]))[0])
    return [signed(dice), injury, percent(hit)]


def _ends(result: Result) -> None:
    say("How it ends")
    chances = dict(result.states)
    groups = _grouped(result.states)
    rows, so_far = [], 0.0
    for number, (label, states) in enumerate(groups, 1):
        chance = sum(chances[state] for state in states)
        so_far = 1.0 if number == len(groups) else so_far + chance
        row = [label, bar(chance), percent(chance), percent(so_far)]
        if result.run is not None:
            count = sum(result.run.counts[state] for state in states)
            _, low, high = interval(count, result.run.trials, LEVEL)
            row[1:3] = [f"{count:,}", *_measured(chance, low, high)]
        rows.append(row)
    if result.run is None:
        table(("", "", "", "this or worse"), rows, "llrr")
    else:
        table(("", "counted", "", "95% interval", "or worse"), rows, "lrrrr")


def _grouped(states: Sequence[tuple[State | None, float]]) -> list[tuple[str, list[State | None]]]:
    """Group the end states, severe to mild, into at most ``MAX_ENDS`` rows a player can tell apart."""
    ways = {state for state, _ in states}
    for bands in (_SINGLE, _BANDS, _FEW):
        groups: dict[str, list[State | None]] = {"out of action": [None]} if None in ways else {}
        for down in (1, 0):
            for low, high in bands:
                alive = [way for way in ways if way is not None and way.down == down]
                found = [way for way in alive if low <= way.blood + way.infection <= high]
                if found:
                    markers = [way.blood + way.infection for way in found]
                    least, most = min(markers), max(markers)
                    groups[f"{'Down' if down else 'standing'}, {_markers(least, most)}"] = list(found)
        if len(groups) <= MAX_ENDS:
            break
    return list(groups.items())


_SINGLE = [(n, n) for n in range(12, -1, -1)]
_BANDS = [(4, 12), (2, 3), (1, 1), (0, 0)]
_FEW = [(3, 12), (1, 2), (0, 0)]


def _markers(low: int, high: int) -> str:
    if low == high:
        return plural(low, "marker")
    return f"{low} or {high} markers" if high == low + 1 else f"{low} to {high} markers"


def _spending(result: Result) -> None:
    """What each policy for the target's blood comes to, where there is blood to spend and more than one answer."""
    problem = result.resolved.problem
    if problem.start.blood == 0 and problem.policy.blood == p.NONE:
        return
    codes = [code for code in range(len(BLOOD_POLICIES)) if code != p.OPTIMAL or _can_plan(problem)]
    others = [replace(problem, policy=problem.policy._replace(blood=code)) for code in codes]
    chances = [dict(final).get(None, 0.0) for final in solve(others)]
    if max(chances) - min(chances) < 5e-4:
        return
    say()
    say("What spending the target's blood does (chance of out of action)")
    rows = []
    for code, chance in zip(codes, chances, strict=True):
        points = 100 * (chance - chances[0])
        gain = f"{'+' if points >= 0 else '−'}{abs(points):.1f} points" if code != p.NONE else ""
        rows.append([_POLICY_WORDS[code], percent(chance), gain, "<" if code == problem.policy.blood else ""])
    table(("", "", "", ""), rows, "lrrl")


_POLICY_WORDS = {
    p.NONE: "none       keep all markers",
    p.ALL: "all        every marker at once, as injury dice",
    p.BLOODBATH: "bloodbath  a Bloodbath when it can be paid",
    p.GREEDY: "greedy     whatever is best for each roll",
    p.OPTIMAL: "optimal    whatever is best for the whole sequence",
}


def _can_plan(problem: Problem) -> bool:
    return all(step.shots == 1 for step in problem.steps)


def print_assumed(result: Result) -> None:
    """Print what is not counted, and what was assumed.

    Parameters
    ----------
    result : Result
        Exact or rolled.
    """
    assumed = _assumptions(result)
    lines = [*result.notes, f"Assumed: {'; '.join(assumed)}."]
    say()
    for line in lines:
        paragraph("", line, 0)


def _assumptions(result: Result) -> list[str]:
    """What the scenario left open and the answer took for granted."""
    scenario, target = result.resolved.scenario, result.resolved.target
    attacks = [table for table in scenario.attacks if isinstance(table, Attack)]
    assumed = []
    if scenario.attacker.unit is None:
        assumed.append("an attacker with 0 DICE characteristics")
    if scenario.target.unit is None and not scenario.target.armour and scenario.target.injury_modifier is None:
        assumed.append("no armour")
    pairs = zip(scenario.attacks, result.resolved.actions, strict=True)
    ranged: list[Any] = [table for table, action in pairs if action.kind == "ranged"]
    if ranged and not any(a.cover for a in ranged) and "cover" not in target.sets:
        assumed.append("no cover")
    if any(a.distance is None and not a.long_range for a in ranged):
        assumed.append("short range")
    if (len(attacks) > 1 or attacks[0].times > 1) and len(attacks) == len(scenario.attacks):
        assumed.append("the target does not stand up in between")
    assumed += result.resolved.assumed
    return assumed or ["nothing beyond what was given"]
