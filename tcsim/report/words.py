"""The sentences of the kill-odds report: what was found, computed from the frame, and how it was found."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from tcsim.analysis.agreement import Verdict
from tcsim.base.text import percent, plural
from tcsim.plots import data, tell
from tcsim.plots.critical_worth import worth
from tcsim.report.blocks import Code, Rich, Strong
from tcsim.report.settings import Settings
from tcsim.rules import edition as load_edition

if TYPE_CHECKING:
    import pandas as pd

#: What a policy does, in a caption and in a sentence.
SPEND = {
    "none": ("no markers spent", "Blood markers are never spent on injury rolls."),
    "all": ("all markers spent at once", "On every hit all blood markers are spent, as injury dice."),
    "bloodbath": (
        "markers spent on Bloodbaths only",
        "Blood markers are spent on a Bloodbath as soon as the target holds enough of them, and on nothing else.",
    ),
    "greedy": (
        "markers spent for the best chance on each roll",
        "On every hit, blood markers are spent so that this injury roll has the best chance of taking the target out "
        "of action, by dice or by a Bloodbath; none are saved for later attacks, none are spent without need.",
    ),
}

#: What the readings of the rules options come to here, by option and reading.
READINGS: dict[str, dict[str | bool, str]] = {
    "shots": {
        "together-ranged": "The shots of one ranged attack are all rolled against the state of the target before the "
        "attack and applied together; the blows of a melee weapon follow one another, each meeting what the last left.",
        "in-turn": "The shots or blows of one attack follow one another, each meeting what the last one left.",
        "together": "The shots or blows of one attack are all rolled against the state of the target before the attack "
        "and applied together.",
    },
    "down_bonus": {
        "every-attack": "A target that is Down gives every attack one injury die.",
        "melee": "A target that is Down gives melee attacks one injury die.",
    },
    "machine_armour_wearers": {
        "new-antioch": "Machine Armour is worn by a model that is not of New Antioch: a Down result stays Down.",
        "any": "Machine Armour turns a Down result into a Minor Hit, whoever wears it.",
    },
    "negative_modifier_cap": {
        "before-positive": "Negative injury modifiers are held to −3 together.",
        "after-adding": "The sum of all injury modifiers is held to −3.",
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
    spend = SPEND.get(settings.spend, (f"markers spent by the policy {settings.spend}", ""))[0]
    return f"Trench Crusade {settings.edition}, short range, no cover, 0 DICE; {spend}."


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
    method = f"exact, and rolled {settings.trials:,} times a cell" if settings.trials else "exact, nothing rolled"
    return f"tcsim report · Trench Crusade {settings.edition} · {method}"


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
        return f"Kill odds of the {names[0]}"
    return "Kill odds: armour, blood markers, CRITICAL and TOUGH"


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
    return "a fresh target" if not blood else f"a target {tell.holding(blood)}"


def _armour_finding(frame: pd.DataFrame) -> Rich:
    rows, names = base_cells(frame), data.labels(frame)
    times, blood = int(rows["attacks"].iloc[0]), int(rows["blood"].iloc[0])
    chances = {
        armour: data.cells(rows, armour=armour).set_index("weapon_id")["p_out"] for armour in ("none", "machine")
    }
    take = tell.takes(times)
    start = f"{tell.things(times, 'attack').capitalize()}"
    if len(names) == 1:
        light, heavy = (float(chances[armour].iloc[0]) for armour in ("none", "machine"))
        if abs(light - heavy) <= data.SAME:
            return (
                f"{start} {take} {_target(blood)} out of action in ",
                Strong(percent(light)),
                ", whatever it wears.",
            )
        return (
            f"{start} {take} {_target(blood)} out of action in ",
            Strong(percent(light)),
            " without armour, in ",
            Strong(percent(heavy)),
            " in Machine Armour.",
        )
    best = {armour: [str(key) for key in p.index[p >= p.max() - data.SAME]] for armour, p in chances.items()}
    called = {armour: _any_of(keys, names) for armour, keys in best.items()}
    top = {armour: Strong(percent(float(p.max()))) for armour, p in chances.items()}
    if best["none"] == best["machine"]:
        first: Rich = (
            f"{start} with ",
            Strong(called["none"]),
            f" {take} {_target(blood)} out of action most often: in ",
        )
        if abs(float(chances["none"].max() - chances["machine"].max())) <= data.SAME:
            return (*first, top["none"], ", whatever it wears.")
        return (*first, top["none"], " without armour, in ", top["machine"], " in Machine Armour.")
    return (
        f"{start} on {_target(blood)}: without armour ",
        Strong(called["none"]),
        " takes it out of action most often (",
        top["none"],
        "), in Machine Armour ",
        Strong(called["machine"]),
        " (",
        top["machine"],
        ").",
    )


def _any_of(keys: list[str], names: dict[str, str]) -> str:
    if len(keys) > 3:
        return f"any of {tell.counted(len(keys))} weapons"
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
    but = (
        f"; it does nothing against {tell.joined([tell.the(key, names) for key in idle])}" if 0 < len(idle) <= 3 else ""
    )
    deed = tell.things(int(rows["attacks"].iloc[0]), "attack")
    return (f"Machine Armour divides the chance of {deed} by ", Strong(span), f"{but}.")


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
    more = "" if blood[0] == 0 else f" instead of {tell.counted(blood[0])}"
    span = tell.between(low, high)
    add = "adds" if blood[-1] == 1 else "add"
    return (
        f"{tell.things(blood[-1], 'blood marker').capitalize()} on the target{more} {add} ",
        Strong(f"{span} points"),
        f" to {tell.things(times, 'attack')} on Standard Armour.",
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
        return (f"{deed} never {take} out a ", Strong("TOUGH"), " target in Standard Armour.")
    return (
        f"{deed} {take} out ",
        Strong(tell.span(both[0])),
        " of ordinary targets in Standard Armour, and ",
        Strong(tell.span(both[1])),
        " of TOUGH ones.",
    )


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
    return ("A shield protects ", Strong("exactly as much as one class of armour"), ".") if some else ()


def _critical_finding(frame: pd.DataFrame) -> Rich:
    times, blood = data.nearest(frame, "attacks", 1), data.nearest(frame, "blood", 0)
    table, names = worth(frame, times, blood), data.labels(frame)
    top = float(table.to_numpy().max())
    deed = f"{tell.things(times, 'attack')} on {_target(blood)}"
    if float(abs(table.to_numpy()).max()) <= data.SAME:
        return ("CRITICAL adds ", Strong("nothing"), f" to {deed}.")
    best = [names[str(key)] for key in table.index if float(table.loc[key].max()) >= top - data.SAME]
    whose = f", with {tell.joined(['the ' + name for name in best])}" if len(best) <= 2 < len(names) else ""
    return ("CRITICAL adds at most ", Strong(f"{tell.points(top).lstrip('+')} points"), f" to {deed}{whose}.")


def _agreement_finding(judged: Verdict) -> Rich:
    one = judged.agreement
    if one.impossible:
        return (Strong("Exact and rolled disagree"), f": {plural(one.impossible, 'count')} cannot be.")
    if not one.cells:
        return ("Too few trials to compare exact and rolled results.",)
    verdicts = {"agree": "Exact and rolled results agree", "doubt": "Exact and rolled results need a closer look"}
    return (
        Strong(verdicts.get(judged.word, "Exact and rolled results disagree")),
        f": {one.outside:,} of {one.cells:,} rolled chances lie outside their 95% range, "
        f"{one.expected:,.0f} are expected to.",
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
        (
            f"Every question was answered twice: by the exact engine, and by rolling every die {settings.trials:,} "
            f"times (seed {settings.seed}). Armour that comes to the same modifier against a weapon asks the same "
            f"question with the same dice, so the {judged.questions:,} different questions are counted once each. Each "
            "gives two chances, P(out of action) and P(Down); those are judged where at least 10 of either outcome are "
            "expected, the others only by whether their counts are possible at all.",
        ),
        (
            "A 95% range leaves one chance in twenty outside although every die is fair; what counts is whether far "
            "more lie outside than that, and whether the largest deviation is larger than fair dice make it. The two "
            "chances of one question are not independent, so these probabilities are close, not exact.",
        ),
        (
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
    rules = load_edition(settings.edition)
    spend = SPEND.get(settings.spend, ("", f"Blood markers are spent by the policy {settings.spend}."))[1]
    readings = []
    for name, sentences in READINGS.items():
        option = rules.options.get(name)
        if option is not None and option.default in sentences:
            readings.append(sentences[option.default])
    rolled: tuple[Rich, ...] = ()
    if settings.trials:
        rolled = (
            (
                Strong("Rolled:"),
                " a second engine, written apart from the first (only the choice of what to spend is common to both), "
                f"rolls {settings.trials:,} fights a cell with seed {settings.seed}; the same seed gives the same "
                "counts on any number of threads.",
            ),
        )
    return (
        (Strong("Edition:"), f" Trench Crusade, {rules.title}."),
        (
            Strong("A cell:"),
            " one attacker makes one to several attacks, one after the other, on one target. ",
            "The target starts standing, with the blood markers named and TOUGH unused; it does nothing and does not "
            "get up. Short range, no cover, no height, an attacker with 0 DICE who is not Down and bears no markers.",
        ),
        (Strong("Markers:"), f" {spend}"),
        (Strong("Rules as read:"), " " + " ".join(readings)),
        (
            Strong("CRITICAL:"),
            " every weapon is counted with the keyword and without it, nothing else changed. Unless CRITICAL is the "
            "question, a weapon is shown as the books have it.",
        ),
        (
            Strong("Exact:"),
            " a Markov chain over everything about the target that matters (Down, markers, TOUGH); nothing is sampled. "
            "Right to twelve decimals before rounding.",
        ),
        *rolled,
        (
            Strong("Not counted:"),
            " range and movement, other models (those under a blast among them), RISKY, HEAVY and reloading, what the "
            "weapon costs, and whatever the target would do.",
        ),
        (
            Strong("Rounding:"),
            " 0% and 100% are written only where they are exact. Differences are in points (percentage points).",
        ),
    )


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
    return (
        Code("cells.csv"),
        f" holds all {len(frame):,} cells with every column: weapons with and without CRITICAL, all armour and "
        "shields, P(out of action), P(Down), mean blood left, to the last digit.",
    )
