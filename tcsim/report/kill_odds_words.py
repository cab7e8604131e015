"""The sentences of the kill-odds report: what was found, computed from the frame, and how it was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tcsim.analysis.agreement import Verdict
from tcsim.analysis.kill_odds import ARMOURS, SHIELD
from tcsim.base.lang import label, mark, tr
from tcsim.base.text import percent, plural
from tcsim.plots import data, tell
from tcsim.plots.figures.critical_worth import worth
from tcsim.report.blocks import Rich, rich
from tcsim.rules import word as reading

if TYPE_CHECKING:
    import pandas as pd

    from tcsim.report.kill_odds import Settings

#: What a policy does, in a caption and in a sentence.
SPEND = {
    "none": (mark("no markers spent"), mark("Blood markers are never spent on injury rolls.")),
    "all": (mark("all markers spent at once"), mark("On every hit all blood markers are spent, as injury dice.")),
    "bloodbath": (
        mark("markers spent on Bloodbaths only"),
        mark("Blood markers are spent on a Bloodbath as soon as the target holds enough of them, and on nothing else."),
    ),
    "greedy": (
        mark("markers spent for the best chance on each roll"),
        mark(
            "On every hit, blood markers are spent so that this injury roll has the best chance of taking the target "
            "out of action, by dice or by a Bloodbath; none are saved for later attacks, none are spent without need."
        ),
    ),
}

#: What the readings of the rules options come to here, by option and reading.
READINGS: dict[str, dict[str | bool, str]] = {
    "shots": {
        "together-ranged": mark(
            "The shots of one ranged attack are all rolled against the state of the target before the "
            "attack and applied together; the blows of a melee weapon follow one another, each meeting what the last "
            "left."
        ),
        "in-turn": mark("The shots or blows of one attack follow one another, each meeting what the last one left."),
        "together": mark(
            "The shots or blows of one attack are all rolled against the state of the target before the attack "
            "and applied together."
        ),
    },
    "down_bonus": {
        "every-attack": mark("A target that is Down gives every attack one injury die."),
        "melee": mark("A target that is Down gives melee attacks one injury die."),
    },
    "machine_armour_wearers": {
        "new-antioch": mark("Machine Armour is worn by a model that is not of New Antioch: a Down result stays Down."),
        "any": mark("Machine Armour turns a Down result into a Minor Hit, whoever wears it."),
    },
    "negative_modifier_cap": {
        "before-positive": mark("Negative injury modifiers are held to −3 together."),
        "after-adding": mark("The sum of all injury modifiers is held to −3."),
    },
}


def short_setting(settings: Settings) -> str:
    """Give the assumptions that every caption begins with.

    Parameters
    ----------
    settings : Settings
        With what the report is made.

    Returns
    -------
    str
        One sentence.
    """
    spend = tr("markers spent by the policy {policy}", policy=settings.spend)
    if settings.spend in SPEND:
        spend = tr(SPEND[settings.spend][0])
    told = mark("Trench Crusade {edition}, short range, no cover, 0 DICE; {spend}.")
    return tr(told, edition=settings.edition, spend=spend)


def kicker(settings: Settings) -> str:
    """Give the line above the title.

    Parameters
    ----------
    settings : Settings
        With what the report is made.

    Returns
    -------
    str
        Program, edition and method.
    """
    method = tr("exact, nothing rolled")
    if settings.trials:
        method = tr("exact, and rolled {trials} times a cell", trials=f"{settings.trials:,}")
    return tr("tcsim report · Trench Crusade {edition} · {method}", edition=settings.edition, method=method)


def title(frame: pd.DataFrame) -> str:
    """Give the title of the report.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.

    Returns
    -------
    str
        What it is about.
    """
    names = list(data.labels(frame).values())
    if len(names) == 1:
        return tr("Kill odds of the {weapon}", weapon=names[0])
    return tr("Kill odds: armour, blood markers, CRITICAL and TOUGH")


def findings(frame: pd.DataFrame, judged: Verdict | None) -> tuple[Rich, ...]:
    """Say what was found, each sentence computed from the frame.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.
    judged : Verdict or None
        How exact and rolled agree; None if nothing was rolled.

    Returns
    -------
    tuple of Rich
        A sentence each.
    """
    found = [
        _armour_finding(frame),
        _machine_finding(frame),
        _blood_finding(frame),
        _tough_finding(frame),
        _shield_finding(frame),
    ]
    found += [_critical_finding(frame), _agreement_finding(judged) if judged else ()]
    return tuple(sentence for sentence in found if sentence)


def base_cells(frame: pd.DataFrame, **where: Any) -> pd.DataFrame:
    """Take the plainest cells: fewest attacks and markers, ordinary target, no shield, weapons as printed.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.
    **where
        What is to be otherwise.

    Returns
    -------
    DataFrame
        A row for each weapon and armour, unless ``where`` asks for less.
    """
    plain = {
        "attacks": data.nearest(frame, "attacks", 1),
        "blood": data.nearest(frame, "blood", 0),
        "tough": False,
        "shield": False,
    }
    return data.cells(data.printed(frame), **(plain | where))


def _target(blood: int) -> str:
    return tr("a target {holding}", holding=tell.holding(blood)) if blood else tr("a fresh target")


def _armour_finding(frame: pd.DataFrame) -> Rich:
    rows, names = base_cells(frame), data.labels(frame)
    times, blood = int(rows["attacks"].iloc[0]), int(rows["blood"].iloc[0])
    chances = {
        armour: data.cells(rows, armour=armour).set_index("weapon_id")["p_out"] for armour in ("none", "machine")
    }
    deed = {
        "attacks": tell.things(times, "attack").capitalize(),
        "take": tell.takes(times),
        "target": _target(blood),
    }
    if len(names) == 1:
        light, heavy = (float(chances[armour].iloc[0]) for armour in ("none", "machine"))
        if abs(light - heavy) <= data.SAME:
            told = mark("{attacks} {take} {target} out of action in **{p}**, whatever it wears.")
            return rich(told, p=percent(light), **deed)
        told = mark(
            "{attacks} {take} {target} out of action in **{light}** without armour, in **{heavy}** in Machine Armour."
        )
        return rich(told, light=percent(light), heavy=percent(heavy), **deed)
    deed["all"] = tell.counted(len(names))
    best = {armour: [str(key) for key in p.index[p >= p.max() - data.SAME]] for armour, p in chances.items()}
    called = {armour: _any_of(keys, names) for armour, keys in best.items()}
    top = {armour: percent(float(p.max())) for armour, p in chances.items()}
    if best["none"] != best["machine"]:
        told = mark(
            "{attacks} on {target}: of the {all} weapons looked at, **{first}** takes it out of action most often "
            "without armour (**{light}**), **{second}** in Machine Armour (**{heavy}**)."
        )
        found = {"first": called["none"], "second": called["machine"], "light": top["none"], "heavy": top["machine"]}
        return rich(told, **found, **deed)
    if abs(float(chances["none"].max() - chances["machine"].max())) <= data.SAME:
        told = mark(
            "{attacks} with **{weapon}** {take} {target} out of action most often of the {all} weapons looked at: in "
            "**{p}**, whatever it wears."
        )
        return rich(told, weapon=called["none"], p=top["none"], **deed)
    told = mark(
        "{attacks} with **{weapon}** {take} {target} out of action most often of the {all} weapons looked at: in "
        "**{light}** without armour, in **{heavy}** in Machine Armour."
    )
    return rich(told, weapon=called["none"], light=top["none"], heavy=top["machine"], **deed)


def _any_of(keys: list[str], names: dict[str, str]) -> str:
    if len(keys) > 3:
        return tr("any of {n} weapons", n=tell.counted(len(keys)))
    return tell.joined([tell.the(key, names) for key in keys], "or")


def _machine_finding(frame: pd.DataFrame) -> Rich:
    rows, names = base_cells(frame), data.labels(frame)
    light, heavy = (data.cells(rows, armour=armour).set_index("weapon_id")["p_out"] for armour in ("none", "machine"))
    idle = [str(key) for key in light.index if abs(float(light[key] - heavy[key])) <= data.SAME]
    worked = [str(key) for key in light.index if str(key) not in idle]
    if len(names) == 1 or not worked or any(float(heavy[key]) <= 0 for key in worked):
        return ()
    ratios = [float(light[key] / heavy[key]) for key in worked]
    span = tell.between(f"{min(ratios):.1f}", f"{max(ratios):.1f}")
    deed = tell.things(int(rows["attacks"].iloc[0]), "attack")
    if not 0 < len(idle) <= 3:
        return rich("Machine Armour divides the chance of {attacks} by **{ratio}**.", attacks=deed, ratio=span)
    told = mark("Machine Armour divides the chance of {attacks} by **{ratio}**; it does nothing against {weapons}.")
    return rich(told, attacks=deed, ratio=span, weapons=tell.joined([tell.the(key, names) for key in idle]))


def _blood_finding(frame: pd.DataFrame) -> Rich:
    blood = data.values(frame, "blood")
    if len(blood) == 1:
        return ()
    few, many = (
        base_cells(frame, armour="standard", blood=n).set_index("weapon_id")["p_out"] for n in (blood[0], blood[-1])
    )
    gained = (many - few).to_numpy()
    if gained.min() <= data.SAME:
        return ()
    times = data.nearest(frame, "attacks", 1)
    low, high = (tell.points(float(gain)).lstrip("+") for gain in (gained.min(), gained.max()))
    told = mark("{markers} on the target {add} **{points} points** to {attacks} on Standard Armour.")
    if blood[0] > 0:
        told = mark(
            "{markers} on the target instead of {fewer} {add} **{points} points** to {attacks} on Standard Armour."
        )
    return rich(
        told,
        markers=tell.things(blood[-1], "blood marker").capitalize(),
        fewer=tell.counted(blood[0]),
        add="adds" if blood[-1] == 1 else "add",
        points=tell.between(low, high),
        attacks=tell.things(times, "attack"),
    )


def _tough_finding(frame: pd.DataFrame) -> Rich:
    times = data.nearest(frame, "attacks", 2)
    both = [
        base_cells(frame, armour="standard", attacks=times, tough=tough).set_index("weapon_id")["p_out"]
        for tough in (False, True)
    ]
    take = tell.takes(times)
    deed = tell.things(times, "attack").capitalize()
    if not both[1].any():
        return rich("{attacks} never {take} out a **TOUGH** target in Standard Armour.", attacks=deed, take=take)
    told = mark(
        "{attacks} {take} out **{ordinary}** of ordinary targets in Standard Armour, and **{tough}** of TOUGH ones."
    )
    return rich(told, attacks=deed, take=take, ordinary=tell.span(both[0]), tough=tell.span(both[1]))


def _shield_finding(frame: pd.DataFrame) -> Rich:
    rows = data.printed(frame)
    key = ["weapon_id", "tough", "blood", "attacks"]
    some = False
    for lighter, heavier in zip(data.ARMOURS[:-1], data.ARMOURS[1:], strict=True):
        with_shield = data.cells(rows, armour=lighter, shield=True).set_index(key)["p_out"]
        without = data.cells(rows, armour=lighter, shield=False).set_index(key)["p_out"]
        heavy = data.cells(rows, armour=heavier, shield=False).set_index(key)["p_out"]
        if not len(with_shield) or not np.allclose(with_shield, heavy.loc[with_shield.index], rtol=0, atol=data.SAME):
            return ()
        some |= not np.allclose(with_shield, without.loc[with_shield.index], rtol=0, atol=data.SAME)
    return rich("A shield protects **exactly as much as one class of armour**.") if some else ()


def _critical_finding(frame: pd.DataFrame) -> Rich:
    times, blood = data.nearest(frame, "attacks", 1), data.nearest(frame, "blood", 0)
    table, names = worth(frame, times, blood), data.labels(frame)
    top = float(table.to_numpy().max())
    deed = {"attacks": tell.things(times, "attack"), "target": _target(blood)}
    if float(abs(table.to_numpy()).max()) <= data.SAME:
        return rich("CRITICAL adds **nothing** to {attacks} on {target}.", **deed)
    best = [names[str(key)] for key in table.index if float(table.loc[key].max()) >= top - data.SAME]
    deed["points"] = tell.points(top).lstrip("+")
    if not len(best) <= 2 < len(names):
        return rich("CRITICAL adds at most **{points} points** to {attacks} on {target}.", **deed)
    told = mark("CRITICAL adds at most **{points} points** to {attacks} on {target}, with {weapons}.")
    return rich(told, weapons=tell.joined([tr("the {weapon}", weapon=name) for name in best]), **deed)


def _agreement_finding(judged: Verdict) -> Rich:
    one = judged.agreement
    if one.impossible:
        return rich("**Exact and rolled disagree**: {counts} cannot be.", counts=plural(one.impossible, "count"))
    if not one.cells:
        return rich("Too few trials to compare exact and rolled results.")
    verdicts = {
        "agree": mark("Exact and rolled results agree"),
        "doubt": mark("Exact and rolled results need a closer look"),
    }
    told = mark(
        "**{verdict}**: {outside} of {cells} rolled chances lie outside their 95% range, {expected} are expected to."
    )
    return rich(
        told,
        verdict=tr(verdicts.get(judged.word, mark("Exact and rolled results disagree"))),
        outside=f"{one.outside:,}",
        cells=f"{one.cells:,}",
        expected=f"{one.expected:,.0f}",
    )


def agreement_sentences(judged: Verdict, settings: Settings) -> tuple[Rich, ...]:
    """Explain how exact and rolled results were compared.

    Parameters
    ----------
    judged : Verdict
        How they agree.
    settings : Settings
        With what the report is made.

    Returns
    -------
    tuple of Rich
        A paragraph each.
    """
    return (
        rich(
            "Every question was answered twice: by the exact engine, and by rolling every die {trials} times (seed "
            "{seed}). Armour that comes to the same modifier against a weapon asks the same question with the same "
            "dice, so the {questions} different questions are counted once each. Each gives two chances, P(out of "
            "action) and P(Down); those are judged where at least 10 of either outcome are expected, the others only "
            "by whether their counts are possible at all.",
            trials=f"{settings.trials:,}",
            seed=settings.seed,
            questions=f"{judged.questions:,}",
        ),
        rich(
            "A 95% range leaves one chance in twenty outside although every die is fair; what counts is whether far "
            "more lie outside than that, and whether the largest deviation is larger than fair dice make it. The two "
            "chances of one question are not independent, so these probabilities are close, not exact.",
        ),
        rich(
            "Intervals beside rolled percentages: 95% for each cell alone, by Wilson’s method, or by Clopper and "
            "Pearson’s where fewer than 10 of either outcome were counted.",
        ),
    )


def method(frame: pd.DataFrame, settings: Settings) -> tuple[Rich, ...]:
    """Say how the numbers came about and what they assume.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.
    settings : Settings
        With what the report is made.

    Returns
    -------
    tuple of Rich
        A sentence or two each.
    """
    rules = settings.catalog.rules
    spend = tr("Blood markers are spent by the policy {policy}.", policy=settings.spend)
    if settings.spend in SPEND:
        spend = tr(SPEND[settings.spend][1])
    readings = []
    for name, sentences in READINGS.items():
        option = rules.options.get(name)
        if option is not None and option.default in sentences:
            readings.append(tr(sentences[option.default]))
    rolled: tuple[Rich, ...] = ()
    if settings.trials:
        told = mark(
            "**Rolled:** a second engine, written apart from the first (only the choice of what to spend is common to "
            "both), rolls {trials} fights a cell with seed {seed}; the same seed gives the same counts on any number "
            "of threads."
        )
        rolled = (rich(told, trials=f"{settings.trials:,}", seed=settings.seed),)
    return (
        rich("**Edition:** Trench Crusade, {edition}.", edition=tr(rules.title)),
        *_own(settings),
        rich(
            "**A cell:** one attacker makes one to several attacks, one after the other, on one target. The target "
            "starts standing, with the blood markers named and TOUGH unused; it does nothing and does not get up. "
            "Short range, no cover, no height, an attacker with 0 DICE who is not Down and bears no markers."
        ),
        rich("**Markers:** {spend}", spend=spend),
        rich("**Rules as read:** {readings}", readings=" ".join(readings)),
        rich(
            "**CRITICAL:** every weapon is counted with the keyword and without it, nothing else changed. Unless "
            "CRITICAL is the question, a weapon is shown as the books have it."
        ),
        rich(
            "**Exact:** a Markov chain over everything about the target that matters (Down, markers, TOUGH); nothing "
            "is sampled. Right to twelve decimals before rounding."
        ),
        *rolled,
        rich(
            "**Not counted:** range and movement, other models (those under a blast among them), RISKY, HEAVY and "
            "reloading, what the weapon costs, and whatever the target would do."
        ),
        rich(
            "**Rounding:** 0% and 100% are written only where they are exact. Differences are in points (percentage "
            "points)."
        ),
    )


def _own(settings: Settings) -> tuple[Rich, ...]:
    """Say which files of the user's own the report was made with, and what in it is from them."""
    rows = settings.catalog
    if rows.own is None:
        return ()
    weapons = [rows.weapon(name) for name in settings.weapons]
    worn = [rows.armour(name) for name in (*(name for name, _ in ARMOURS if name is not None), SHIELD)]
    used = [("weapon", weapon.id, weapon.label) for weapon in weapons]
    used += [("armour", armour.id, armour.name) for armour in worn]
    used += [("keyword", word, word) for weapon in weapons for word in weapon.keywords]
    used += [("option", name, f"{name} = {reading(option.default)}") for name, option in rows.rules.options.items()]
    own = dict.fromkeys(name for kind, id, name in used if rows.origin(kind, id) is not None)
    files = ", ".join(str(file) for file in rows.own.files)
    if not own:
        return (rich("**Own catalogue:** {files}; nothing of it counts here.", files=files),)
    return (rich("**Own catalogue:** {files}; from it: {names}.", files=files, names=", ".join(map(label, own))),)


def files_sentence(frame: pd.DataFrame) -> Rich:
    """Say what the data file holds.

    Parameters
    ----------
    frame : DataFrame
        Kill odds.

    Returns
    -------
    Rich
        One sentence.
    """
    return rich(
        "`data/cells.csv` holds all {cells} cells with every column: weapons with and without CRITICAL, all armour and "
        "shields, P(out of action), P(Down), mean blood left, to the last digit.",
        cells=f"{len(frame):,}",
    )
