"""Age of Sigmar: units of a usual size over several checks, laws of choices and points, and what is refused."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from fractions import Fraction
from itertools import product
from math import comb
from typing import Any

import pytest

from tcsim.aos import AOS, ask
from tcsim.aos.common import Amount
from tcsim.base.errors import InputError
from tcsim.dice import Pool
from tcsim.questions.asking import answer
from tcsim.questions.kinds import Several, Whole


def answers(name: str, edition: str = "4e", **given: Any) -> dict[str, Fraction]:
    return {key: Fraction(one["fraction"]) for key, one in ask(name, edition=edition, **given).answers.items()}


# --- outlook: plain Fractions over both numbers of models --------------------------------------------------------


def binomial(n: int, p: Fraction) -> list[Fraction]:
    return [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]


def by_hand(a: int, b: int, a_kills: Fraction, b_kills: Fraction, turns: str) -> dict[str, Fraction]:
    """Models of Health 1 and Control 1 that make one attack each; A controls at first."""
    states = {(a, b, 1, True): Fraction(1)}
    told: dict[str, Fraction] = {}
    for number, active in enumerate(turns, 1):
        for who in (active, "b" if active == "a" else "a"):
            after: dict[Any, Fraction] = defaultdict(Fraction)
            for (mine, theirs, owner, kept), chance in states.items():
                strikers, kills = (mine, a_kills) if who == "a" else (theirs, b_kills)
                for dead, p in enumerate(binomial(strikers, kills)):
                    left = (mine, max(theirs - dead, 0)) if who == "a" else (max(mine - dead, 0), theirs)
                    after[*left, owner, kept] += chance * p
            states = after
        judged: dict[Any, Fraction] = defaultdict(Fraction)
        for (mine, theirs, owner, kept), chance in states.items():
            now = 1 if mine > theirs else -1 if theirs > mine else owner
            judged[mine, theirs, now, kept and now == 1] += chance
        states = judged
        told[f"a_controls_{number}"] = sum(p for (_, _, owner, _), p in states.items() if owner == 1)
        told[f"held_{number}"] = sum(p for (*_, kept), p in states.items() if kept)
    told["destroyed_a"] = sum(p for (mine, *_), p in states.items() if not mine)
    told["left_b"] = sum(p * theirs for (_, theirs, *_), p in states.items())
    return told


def test_outlook_of_whole_units_is_that_of_plain_fractions() -> None:
    """A: 4+, 4+ against a 5+ save of which rend leaves none; B: 3+, 4+ against 4+."""
    found = answers(
        "outlook",
        A_models=7,
        A_save="4+",
        A_weapons="1x4+/4+/2/1",
        B_models=6,
        B_save="5+",
        B_weapons="1x3+/4+/0/1",
        turns="a+b+b",
    )
    true = by_hand(7, 6, Fraction(1, 4), Fraction(2, 3) * Fraction(1, 2) * Fraction(1, 2), "abb")
    assert {key: found[key] for key in true} == true


def test_a_unit_that_nothing_happens_to_holds_until_the_last_check() -> None:
    still = answers("outlook", A_models=5, B_models=5, turns="a+b+a+b+a", vp=2)
    assert (still["never_lost"], still["checks"], still["vp_a"], still["vp_b"]) == (1, 5, 6, 0)
    assert answers("outlook", A_models=5, B_models=6)["checks"] == 0


def test_power_through_comes_before_the_check() -> None:
    """6 models of Health 2 against 8 of Health 1: 3 mortal damage are needed, one time in three."""
    given: dict[str, Any] = {"A_models": 6, "A_health": 2, "B_models": 8, "owner": "b", "turns": "a"}
    assert answers("outlook", **given)["last"] == 0
    assert answers("outlook", **given, A_power="1")["last"] == Fraction(1, 3)
    alike = answers("end_of_turn", A_models=6, A_health=2, B_models=8, owner="b", power_through=True)
    assert alike["a_controls"] == Fraction(1, 3)


# --- the end of a turn ------------------------------------------------------------------------------------------


def test_who_is_destroyed_first_uses_no_ability() -> None:
    """Two units of one model with an ability that slays: the active player's goes first, so its unit alone is left."""
    given: dict[str, Any] = {"A_models": 1, "B_models": 1, "A_deals": "1", "B_deals": "1"}
    first, second = (answers("end_of_turn", **given, active=active) for active in ("a", "b"))
    assert (first["a_controls"], first["destroyed_b"], first["destroyed_a"], first["vp"]) == (1, 1, 0, 1)
    assert (second["b_controls"], second["destroyed_b"], second["destroyed_a"], second["vp"]) == (1, 0, 1, 1)
    both = answers("end_of_turn", **given, users="elsewhere")
    assert (both["nobody"], both["destroyed_a"], both["destroyed_b"]) == (1, 1, 1)


# --- choices ----------------------------------------------------------------------------------------------------


def test_choosing_second_never_hurts_and_mirrored_units_are_worth_nothing_more() -> None:
    for first, second in product([(5, 3), (4, 4, 1), (6,), (2, 2, 2)], repeat=2):
        given: dict[str, Any] = {"first": list(first), "second": list(second), "objectives": 3}
        found = answers("contest_choice", **given)
        turned = answers("contest_choice", first=given["second"], second=given["first"], objectives=3)
        assert found["gain"] >= 0
        assert found["second"] == -turned["value"]
        assert found["value"] == max(found.get("split", found["value"]), found.get("stack", found["value"]))
        assert found["value"] == found["first_has"] - found["second_has"]
        if first == second:
            assert found["value"] <= 0


# --- points -----------------------------------------------------------------------------------------------------


def test_points_of_a_battle_add_up() -> None:
    found = answers("victory_points", A_holds="0.9+0.5+0.2", B_holds="0.1+0.4+0.6", turns=5)
    exactly = {int(key[8:]): p for key, p in found.items() if key.startswith("exactly_")}
    assert sum(exactly.values()) == found["ahead"] + found["level"] + found["behind"] == 1
    assert sum(n * p for n, p in exactly.items()) == found["expected"] == 5 * by_turn()
    for n in exactly:
        assert found[f"at_least_{n}"] == sum(p for m, p in exactly.items() if m >= n)


def by_turn() -> Fraction:
    """Points of A in a turn: 1 for one objective, 1 for two, 1 for more than the opponent, over all 27 ways."""
    total = Fraction(0)
    for ways in product("ab-", repeat=3):
        chance = Fraction(1)
        for way, a, b in zip(ways, (9, 5, 2), (1, 4, 6), strict=True):
            chance *= Fraction({"a": a, "b": b, "-": 10 - a - b}[way], 10)
        mine, theirs = ways.count("a"), ways.count("b")
        total += chance * ((mine > 0) + (mine > 1) + (mine > theirs))
    return total


def test_the_example_of_a_battleplan_says_that_it_is_one() -> None:
    assert any("example" in note for note in ask("victory_points", edition="4e", checks="1/2").notes)
    assert not any("example" in note for note in ask("victory_points", edition="4e", checks="1/2", vp=1).notes)


def test_a_fraction_of_thousands_of_digits_is_told_as_a_number() -> None:
    question = AOS.question("objective")
    asked = question.read({"A": "1"}, "4e")
    long = replace(question, exact=lambda asked: {"higher": Fraction(1, 3**10_000 - 1), "tie": Fraction(1, 3**8000)})
    assert answer(long, asked)["higher"] == {"value": 0.0}
    assert Fraction(answer(long, asked)["tie"]["fraction"]) == Fraction(1, 3**8000)


# --- inputs -----------------------------------------------------------------------------------------------------


def test_numbers_dice_and_lists() -> None:
    assert Amount(1, 9).read("D3+1") == Pool(keep=1, sides=3, modifier=1)
    assert [Amount(1, 9).write(Amount(1, 9).read(text)) for text in ("3", "d6", "2d3+1", 4)] == [3, "D6", "2D3+1", 4]
    assert Several(Whole(0, 9)).read("1,1") == Several(Whole(0, 9)).read("1+1") == (1, 1)
    for wrong in ("", "0", "10", "2D6", "D3-1", "none", True, 1.5, float("nan"), None, "9" * 10_000, "<b>"):
        with pytest.raises(InputError, match="a whole number from 1 to 9, or dice"):
            Amount(1, 9).read(wrong)


WRONG: list[tuple[str, dict[str, Any], str]] = [
    ("objective", {}, "A, B, A_models, B_models, controls or hit is needed"),
    ("objective", {"A": "1", "A_models": 2}, "A_models: A gives the models already"),
    ("objective", {"A": "1", "hit": 3}, "hit: it goes with wound"),
    ("objective", {"A": "1", "attacks": 3}, "attacks: it goes with hit"),
    ("objective", {"A": "6x1", "A_loss": "1/4", "hit": 3, "wound": 3}, "A_loss: losses come from it or from attacks"),
    ("objective", {"A": "1", "attacks": 300, "hit": 3, "wound": 3, "dmg": "6D6"}, "damage are given, up to"),
    ("objective", {"A": "2x1000", "A_loss": "1/4"}, "A_loss: the Control of models that can be lost is at most 1,000"),
    ("objective", {"A": "-1"}, 'A: "-1" is given, a whole number from 0 to 1,000 is allowed'),
    ("objective", {"A": "101x1"}, "1 to 100 values"),
    ("objective", {"A": ""}, "A: "),
    ("objective", {"A": []}, "A: "),
    ("objective", {"A": True}, "A: "),
    ("objective", {"A": "nan"}, "A: "),
    ("objective", {"A": "1", "owner": "C"}, "a, b or none"),
    ("objective", {"A": "1", "A_loss": "5/4"}, "a number from 0 to 1"),
    ("objective", {"controls": "1", "mod": "1e9"}, "from -50 to 50"),
    ("objective", {"mod": 1, "A": "1"}, "mod: it goes with controls"),
    ("terrain", {"Aa": "1"}, "there is no input"),
    ("contest_choice", {"first": "5+3"}, "second: contest_choice needs it"),
    ("contest_choice", {"first": "5", "second": "3", "first_reach": "ab+a"}, "first_reach: 2 are given for 1 units"),
    ("contest_choice", {"first": "5", "second": "3", "first_reach": "c"}, "letters from a to b are allowed"),
    ("contest_choice", {"first": "5", "second": "3", "first_reach": "aa"}, "letters of objectives"),
    ("contest_choice", {"first": "5", "second": "3", "first_reach": "<b>"}, "letters of objectives"),
    ("contest_choice", {"first": "5", "second": "3", "first_reach": 1}, "letters of objectives"),
    ("contest_choice", {"first": "5", "second": "3", "values": "1"}, "values: 1 are given for 2 objectives"),
    ("contest_choice", {"first": "5", "second": "3", "owners": "3xnone"}, "owners: 3 are given for 2 objectives"),
    ("contest_choice", {"first": "12x1", "second": "12x1"}, "16,777,216 ways together, at most 150,000"),
    ("end_of_turn", {}, "A, B, A_models or B_models is needed"),
    ("end_of_turn", {"A": "5", "B": "6", "power_through": True}, "B: damage to that unit needs B_models"),
    ("end_of_turn", {"A": "5", "B_models": 6, "A_deals": "1", "wounded": 1}, "wounded: damage on a model is less"),
    (
        "end_of_turn",
        {"A_models": 5, "A_health": 1, "B_models": 6, "power_through": True},
        "power_through: Power Through is illegal: its target needs a lower Health, and 1 is not lower than 1",
    ),
    (
        "end_of_turn",
        {"A_models": 5, "B_models": 6, "power_through": True, "B_power_through": True},
        "B_power_through: two units cannot both use it on each other",
    ),
    ("victory_points", {}, "nothing is given, one of these is needed"),
    ("victory_points", {"A": "1", "checks": "1"}, "A, B, A_models or B_models and checks are given"),
    ("victory_points", {"A_holds": "1/2+1/2", "B_holds": "1/2"}, "B_holds: 1 are given for 2 objectives"),
    ("victory_points", {"A_holds": "3/4", "B_holds": "1/2"}, "more than 1 together"),
    ("victory_points", {"A_holds": "1/999999999999999", "B_holds": "1/7777777777777"}, "give fewer digits"),
    ("victory_points", {"turns": 2, "checks": "1"}, "turns: it goes with A_holds"),
    ("outlook", {"B_models": 5}, "A_models: outlook needs it"),
    *(
        ("outlook", {"A_models": 2, name: value}, f"{name}: B has no unit there, it goes with B_models")
        for name, value in {
            "B_wounded": 1,
            "B_health": 2,
            "B_weapons": "1x3+/3+/0/1",
            "A_weapons": "1x3+/3+/0/1",
        }.items()
    ),
    ("outlook", {"A_models": 2, "A_health": 2, "A_power": "1"}, "A_power: B has no unit there, it goes with B_models"),
    ("outlook", {"A_models": 100, "B_models": 100}, "10,201 ways together (models times Health plus 1 of each"),
    ("outlook", {"A_models": 5, "B_models": 5, "A_wounded": 1}, "A_wounded: damage on a model is less than its Health"),
    ("outlook", {"A_models": 5, "B_models": 5, "A_power": "5", "A_health": 2}, "A_power: there are 4 turns, 5 is none"),
    ("outlook", {"A_models": 5, "B_models": 5, "A_power": "1"}, "A_power: Power Through is illegal"),
    ("outlook", {"A_models": 5, "B_models": 5, "A_weapons": "30x3+/3+/0/1"}, "A_weapons: these are up to 150 attacks"),
    ("outlook", {"A_models": 5, "B_models": 5, "turns": "c"}, "a or b is allowed"),
    ("outlook", {"A_models": 5, "B_models": 5, "turns": "11xa"}, "1 to 10 values"),
]


@pytest.mark.parametrize(("name", "given", "says"), WRONG, ids=lambda one: str(one)[:60])
def test_wrong_inputs_are_refused_in_a_sentence(name: str, given: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as caught:
        ask(name, edition="4e", **given)
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)
