"""Numbers others have printed, about both games and about the same pools elsewhere, each computed again by tcsim.

``data/published.csv``: what was asked (``conditions``, ``outcome``), what was printed, the exact value, and whether the
two agree within the rounding of the print (``yes``), by one unit of its last digit (``rounding``), or not (``no``).
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import tcsim
from tcsim import Pool, aos
from tcsim.rules import edition

ROWS = list(csv.DictReader((Path(__file__).parent / "data" / "published.csv").read_text("utf-8").splitlines()))
CHARTS = edition("1.0.2").charts
Conditions = dict[str, str]


def read(conditions: str) -> Conditions:
    """``roll=injury; dice=-1; mod=0``, where a word alone is set to itself and a remark in brackets is dropped."""
    pairs = (part.split(" (")[0].partition("=") for part in conditions.split("; "))
    return {key: value or key for key, _, value in pairs}


def pool(given: Conditions, **changes: int) -> Pool:
    """The pool that the conditions describe; two dice are kept where they do not say."""
    numbers = {
        "net": int(given.get("dice", "0")),
        "keep": int(given.get("keep", "2")),
        "modifier": int(given.get("mod", "0")) + int(given.get("flat", "0")),
    }
    return Pool(**{**numbers, **changes})


def chance(pool: Pool, counts: Callable[[int], bool]) -> Fraction:
    return Fraction(sum(n for total, n in pool.counts().items() if counts(total)), pool.denominator)


def out_of_action(target: dict[str, Any], blood: str = "none", **attack: Any) -> Fraction:
    """From a whole scenario of the released edition."""
    question = {
        "edition": "1.0.2",
        "target": target,
        "attacks": [attack],
        "spend": {"blood_on_injury": blood},
    }
    result = tcsim.odds(question, fractions=True)
    assert result.fractions is not None
    assert sum(result.fractions) == 1
    return result.fractions[0] if result.states[0][0] is None else Fraction(0)


# --- what the rows ask --------------------------------------------------------------------------------------


def injury(given: Conditions, outcome: str) -> Fraction:
    """A result of the injury chart, or how often more dice make it out of action than fewer."""
    if outcome == "ratio_out":
        more, fewer = (Pool(int(dice)).at_least(CHARTS.out_of_action) for dice in given["dice"].split(" vs "))
        return more / fewer
    if ":" in outcome:
        return points(given, outcome)
    result = {"none": "no effect", "minor": "minor hit", "down": "down", "out": "out of action"}[outcome]
    return chance(pool(given), lambda total: CHARTS.injury_result(total) == result)


def points(given: Conditions, outcome: str) -> Fraction:
    """Two ways of hurting a target, in percentage points: a Bloodbath or so many dice, +1 in total or +1 die."""
    kind = "melee" if given.get("melee") == "1" else "ranged"
    hit = {"kind": kind, "keywords": ["AUTO-HIT"]}
    target = {
        "injury_modifier": int(given["armour"]),
        "down": given.get("target_down") == "1",
        "blood": int(given["markers"]),
    }
    if outcome == "out: flat minus die (points)":
        difference = out_of_action(target, injury_modifier=1, **hit) - out_of_action(target, injury_dice=1, **hit)
    else:
        own_dice = int(kind == "melee" and target["down"])  # the +1 of 1.0.2 for melee attacks on a Down target
        assert own_dice == int(given.get("extra_injury_dice", "0"))
        assert outcome == f"out: bloodbath minus +{target['blood'] + own_dice} dice (points)"
        difference = out_of_action(target, "bloodbath", **hit) - out_of_action(target, "all", **hit)
    return 100 * difference


def action(given: Conditions, outcome: str) -> Fraction:
    """A result of the action chart; a success may be critical, as the rows count it."""
    if outcome in ("success", "lower_bound"):
        return chance(pool(given), lambda total: CHARTS.action_result(total) != "failure")
    if outcome == "mean":
        return pool(given).mean()
    if outcome == "count_of_36_at_least_7":
        return Fraction(sum(n for total, n in pool(given).counts().items() if total >= 7))
    assert outcome in ("failure", "critical")
    return chance(pool(given), lambda total: CHARTS.action_result(total) == outcome)


def attack(given: Conditions, outcome: str) -> Fraction:
    """A whole attack, hit and injury; the one injury die of a critical is the game's own."""
    assert given.get("crit_dice", "1") == "1"
    target = {"injury_modifier": int(given["mod"])} if "mod" in given else {}
    numbers = {"action_dice": int(given["hit_dice"]), "injury_dice": int(given.get("injury_dice", "0"))}
    if outcome == "total_probability":
        question = {"edition": "1.0.2", "target": target, "attacks": [numbers]}
        return sum(tcsim.odds(question, fractions=True).fractions or [], Fraction(0))
    assert outcome == "out"
    return out_of_action(target, **numbers)


def faces(given: Conditions, outcome: str) -> Fraction:
    """Dice on the table: their total, and the result that the row names beside it."""
    total = pool(given).total([int(face) for face in given["faces"].split("/")])
    result = {"total (failure)": CHARTS.action_result, "total (out)": CHARTS.injury_result}[outcome](total)
    assert result == {"total (failure)": "failure", "total (out)": "out of action"}[outcome]
    return Fraction(total)


def dice(given: Conditions, outcome: str) -> Fraction:
    """A pool alone, with what is re-rolled."""
    words = outcome.split()
    if outcome == "at_least":
        return at_least(given)
    if outcome == "mean":
        return pool(given).mean()
    if outcome == "delta":  # what the flat modifier adds
        return at_least(given) - at_least({**given, "flat": "0"})
    if outcome == "mean_shift":  # what the dice add
        return pool(given).mean() - pool(given, net=0).mean()
    if outcome.startswith("sum<"):
        return 1 - pool(given).at_least(int(outcome.removeprefix("sum<")))
    if outcome.startswith("sum>="):
        return pool(given).at_least(int(outcome.removeprefix("sum>=")))
    if len(words) == 2 and words[0] == "sum":
        low, high = map(int, words[1].split(".."))
        return chance(pool(given), lambda total: low <= total <= high)
    return chance(pool(given), lambda total: total == int(outcome.removeprefix("sum=")))


def at_least(given: Conditions) -> Fraction:
    """The chance of a target, with all dice rolled again after a failure, or single ones that show 1."""
    once = pool(given).at_least(int(given["target"]))
    again = given.get("reroll", "none")
    if again == "both_if_fail":
        return once + (1 - once) * once
    if again == "ones":
        assert given["keep"] == "1"
        return once + chance(pool(given), lambda total: total == 1) * once
    assert again == "none"
    return once


#: What rows of charges call the dice that are rolled again after a failure.
REROLLED = {"both_if_fail": "all", "one_best_if_fail": "one", "low_if_fail": "lowest"}


def age_of_sigmar(given: Conditions, outcome: str) -> Fraction:
    """A charge; a single die is a pool."""
    if given.get("keep") == "1":
        return dice(given, outcome)
    assert given["dice"] == "0"
    inputs = {"need": given["target"]} if "target" in given else {}
    again = given.get("reroll", "none")
    if again != "none":
        inputs |= {"reroll": "true", "rerolled": REROLLED[again]}
    name = {"at_least": "charge", "mean": "mean", "sum=2": "roll_2"}[outcome]
    answer: Fraction = aos.ask("charge", edition="4e", **inputs)[name]
    return answer


#: Kind of row to the conditions it may have, and who answers it.
KINDS: dict[str, tuple[str, Callable[[Conditions, str], Fraction]]] = {
    "injury": ("roll dice mod keep target_down markers armour extra_injury_dice melee", injury),
    "success": ("roll dice keep", action),
    "attack": ("attack hit_dice injury_dice mod crit_dice", attack),
    "faces": ("faces dice mod keep", faces),
    "dice": ("dice keep flat target reroll", dice),
    "aos": ("dice keep target reroll", age_of_sigmar),
}


def value(row: dict[str, str]) -> Fraction:
    """Answer one row through tcsim; a condition that is not understood is an error."""
    given = read(row["conditions"])
    kind = given.get("roll") or next((name for name in ("attack", "faces") if name in given), "dice")
    if row["game"] == "aos":
        kind = "aos"
    known, answer = KINDS[kind]
    assert set(given) <= set(known.split())
    return answer(given, row["outcome"])


# --- against the print --------------------------------------------------------------------------------------


def printed(row: dict[str, str]) -> tuple[Fraction, Fraction]:
    """The printed value as a plain number, and one unit of its last digit."""
    scale = 100 if row["units"] == "percent" else 1
    number = Decimal(row["published_value"])
    exponent = number.as_tuple().exponent
    assert isinstance(exponent, int)
    return Fraction(number) / scale, Fraction(10) ** exponent / scale


def is_what_was_printed(row: dict[str, str], exact: Fraction) -> bool:
    """Within half a unit of the last digit; of differences only the sign was printed, of a bracket the lower end."""
    number, unit = printed(row)
    if row["units"] == "sign":
        return (exact > 0) == (number > 0)
    if row["outcome"] == "lower_bound":
        return number <= exact < number + Fraction(1, 6)  # "better than 4+", the next is 3+
    if len(row["published_value"]) > 15:  # a float in full
        return float(number) == float(exact)
    return abs(exact - number) <= unit / 2


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["id"])
def test_published_value(row: dict[str, str]) -> None:
    exact = value(row)
    assert exact == Fraction(row["exact_fraction"])
    agrees = is_what_was_printed(row, exact)
    if row["agrees"] == "rounding":
        number, unit = printed(row)
        assert not agrees
        assert abs(exact - number) < unit
    else:
        assert agrees is {"yes": True, "no": False}[row["agrees"]]


def test_no_row_is_left_out() -> None:
    """The list has not become shorter, and every row of it has a value."""
    assert Counter((row["game"], row["agrees"]) for row in ROWS) == {
        ("trench_crusade", "yes"): 28,
        ("trench_crusade", "no"): 13,
        ("generic", "yes"): 93,
        ("generic", "no"): 2,
        ("generic", "rounding"): 1,
        ("aos", "yes"): 20,
        ("aos", "no"): 8,
        ("aos", "rounding"): 1,
    }
    assert len({row["id"] for row in ROWS}) == 166
    assert sum(value(row) == Fraction(row["exact_fraction"]) for row in ROWS) == 166
