"""Age of Sigmar, charges, runs, Rally, command points: decisions against all that could be decided, bad input."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
from test_cli import run

from tcsim.aos import ask
from tcsim.aos.moves.charge_roll import ChargeRoll
from tcsim.aos.moves.chargers import Chargers
from tcsim.base.errors import InputError
from tcsim.dice import Pool

#: 2D6: total to ways.
WAYS = {total: 6 - abs(total - 7) for total in range(2, 13)}
Goal = Callable[[bool, bool], Fraction]


def made(need: int) -> Fraction:
    return Fraction(sum(ways for total, ways in WAYS.items() if total >= need), 36)


# --- Forward to Victory: all policies there are ---------------------------------------------------------------


def best_of_all_policies(needs: tuple[int, int], goal: Goal) -> Fraction:
    """The best of every plan for two chargers: who goes first, and after which results each would roll again."""
    best = Fraction(0)
    for first in (0, 1):
        p, q = made(needs[first]), made(needs[1 - first])
        sides = {True: (p, q), False: (1 - p, 1 - q)}
        every = product((False, True), repeat=4)
        rolls = {r: sides[r[0]][0] * sides[r[1]][0] * sides[r[2]][1] * sides[r[3]][1] for r in every}
        for plan in product((False, True), repeat=6):
            # the first charger after a failure and a success; the second after both, for each result of the first
            again, then = plan[:2], {False: plan[2:4], True: plan[4:]}
            value = Fraction(0)
            for (one, more, two, last), chance in rolls.items():
                a = more if again[one] else one
                b = last if then[a][two] and not again[one] else two
                value += chance * (goal(a, b) if first == 0 else goal(b, a))
            best = max(best, value)
    return best


@pytest.mark.parametrize("needs", [(9, 9), (5, 10), (11, 4)])
def test_no_plan_for_two_chargers_is_better(needs: tuple[int, int]) -> None:
    worths = [((needs[0], Fraction(2)),), ((needs[1], Fraction(5, 2)),)]
    ones = [((need, Fraction(1)),) for need in needs]
    goals: list[tuple[Chargers, Goal]] = [
        (Chargers(ChargeRoll(), ones, 2, True), lambda a, b: Fraction(a and b)),
        (Chargers(ChargeRoll(), ones, 1, True), lambda a, b: Fraction(a or b)),
        (Chargers(ChargeRoll(), worths, None, True), lambda a, b: 2 * a + Fraction(5, 2) * b),
    ]
    for chargers, goal in goals:
        assert chargers.value == best_of_all_policies(needs, goal)


@pytest.mark.parametrize("steps", [((7, 1), (10, 3)), ((7, 1), (9, 4)), ((4, 2), (8, 3), (12, 40)), ((13, 5), (14, 6))])
def test_no_set_of_rolls_is_better_rolled_again(steps: tuple[tuple[int, int], ...]) -> None:
    def worth(total: int) -> int:
        return max((value for need, value in steps if total >= need), default=0)

    usual = sum(worth(total) * ways for total, ways in WAYS.items())  # in 36ths
    kept = [(ways, 36 * worth(total)) for total, ways in WAYS.items()]
    best = max(
        sum(ways * (usual if again else value) for (ways, value), again in zip(kept, plan, strict=True))
        for plan in product((False, True), repeat=len(WAYS))
    )
    (near, v_near), *far = steps
    inputs = {"far": "+".join(str(need) for need, _ in far), "v_far": "+".join(str(value) for _, value in far)}
    reply = ask("forward_to_victory", edition="4e", near=near, v_near=v_near, **inputs)
    assert reply["value"] == Fraction(best, 36 * 36)
    assert reply["spent"] == Fraction(sum(ways for total, ways in WAYS.items() if 36 * worth(total) < usual), 36)


def test_of_ways_as_good_the_one_that_spends_less() -> None:
    """One of two charges is to be made: with the easy one last the point is spent only after both have failed."""
    reply = ask("forward_to_victory", edition="4e", need="5+9", goal="at_least", m=1)
    assert reply["at_least_1"] == 1 - (1 - made(5)) ** 2 * (1 - made(9))
    assert (reply["place_1"] > 1, reply["spent"]) == (True, (1 - made(5)) * (1 - made(9)))


# --- one die rolled again -------------------------------------------------------------------------------------


@pytest.mark.parametrize("pool", [Pool(), Pool(net=1), Pool(net=-1, modifier=1), Pool(keep=3, sides=3)])
def test_the_die_that_helps_most_is_the_lowest(pool: Pool) -> None:
    roll = ChargeRoll(pool, 1)
    for need in roll.counts():
        assert roll.reaches(need, "one") == roll.reaches(need, "lowest") >= roll.reaches(need)
    assert roll.chances(rerolled="one") == roll.chances(rerolled="lowest")


def test_one_of_two_dice_again_is_the_best_two_of_three() -> None:
    for need in range(2, 13):
        assert ChargeRoll().reaches(need, "one") == Pool(net=1).at_least(need)


# --- what is told besides -------------------------------------------------------------------------------------


def test_break_even_of_counter_charge_is_an_even_chance() -> None:
    """p charges for two points, against twice p (1 - p) by rolling two others again: as good from p = 1/2."""
    assert ask("counter_charge", edition="4e", need=9)["largest"] == max(t for t in WAYS if made(t) >= Fraction(1, 2))
    assert ask("counter_charge", edition="4e", need=9, others="1/10+1/20")["largest"] == 10  # 1/6, and then 1/12


def test_break_even_distance_of_redeploy() -> None:
    reply = ask("redeploy", edition="4e", gap="6")
    before, after = reply["far_before"], reply["far_after"]
    assert reply[f"charge_before_{before}"] >= Fraction(1, 2) > reply[f"charge_before_{before + 1}"]
    assert reply[f"charge_after_{after}"] >= Fraction(1, 2) > reply[f"charge_after_{after + 1}"]


def test_break_even_of_rally_is_where_the_third_edition_catches_up() -> None:
    asked = {"edition": "4e", "health": 2, "against": "3e"}
    even = int(ask("rally", slain=5, **asked)["even"])
    assert ask("rally", slain=even, **asked)["difference"] >= 0 > ask("rally", slain=even - 1, **asked)["difference"]


# --- wrong input ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "says"),
    [
        ("charge need=9 gap=9", "gap: it says the roll that is needed a second time"),
        ("charge need=true", 'need: "true" is given, a whole number from 0 to 48'),
        ("charge gap=nan", 'gap: "nan" is given'),
        ("charge dice=none", "dice: none is given, 1 to 4 dice of at most 6 faces"),
        ("charge dice=5D6", "dice: 5D6 is given, 1 to 4 dice"),
        ("charge dice=2D20", "dice: 2D20 is given"),
        ("charge rerolled=one", "rerolled: it goes with reroll, which is not given"),
        ("charge within=1", "within: it goes with gap"),
        ("forward_to_victory need=9 near=7 far=8", "near: it says once more what the charge needs"),
        ("forward_to_victory near=7", "near: it goes with far"),
        ("forward_to_victory far=7", "far: it goes with near"),
        (
            "forward_to_victory near=7 far=8+9 v_far=1+2+3",
            "v_far: 3 values are given for 2 targets; one for all",
        ),
        (
            "forward_to_victory need=7+8 units=3",
            "need: 2 values are given for 3 chargers; one for all",
        ),
        ("forward_to_victory need=7x9", 'need: "7x9" is given, 1 to 5 values'),
        ("forward_to_victory need=7 worth=2", "worth: it goes with the needs, or gaps, of several chargers"),
        ("forward_to_victory units=3", "units: it goes with the needs, or gaps, of several chargers"),
        ("forward_to_victory need=7 goal=all", "goal: it goes with several chargers"),
        ("forward_to_victory need=7+8 goal=value", "goal: it goes with worth"),
        ("forward_to_victory need=7+8 goal=at_least", "m: goal=at_least needs it: a whole number from 1 to 2"),
        ("forward_to_victory need=7+8 goal=at_least m=3", "m: goal=at_least needs it: a whole number from 1 to 2"),
        ("forward_to_victory need=", 'need: "" is given'),
        ("counter_charge", "need: counter_charge needs the charge roll that is needed, or the gap"),
        ("counter_charge need=7 cp=1", 'cp: "1" is given, a whole number from 2 to 20'),
        ("counter_charge need=7 others=1+1+1", 'others: "1+1+1" is given, 1 to 2 values'),
        ("redeploy rolls=model", "models: it is needed with rolls=model"),
        ("redeploy models=3", "models: it goes with rolls=model"),
        ("redeploy chance=0", "chance: 0 is given, a chance above 0 is allowed"),
        ("redeploy charge_dice=none", "charge_dice: none is given"),
        ("at_the_double move=5", "move: it goes with distance, which is not given"),
        ("at_the_double distance=5", "distance: it goes with move, which is not given"),
        ("at_the_double extra=2 move=5 distance=9", "extra: it says once more what move and distance say"),
        ("rally wounded=3 health=3", "wounded: 3 are given, of Health 3"),
        ("rally slain=lots", 'slain: "lots" is given, a whole number from 0 to 60, or many is allowed'),
        ("rally against=3e", "slain: against=3e needs how many models are slain"),
        ("rally slain=many against=3e", "slain: against=3e needs how many models are slain"),
        ("rally v_heal=2", "v_heal: it goes with objective=value"),
        ("command_points turn=first", "turn: it belongs to edition 3e and 3e_launch, the question is asked in 4e"),
        ("command_points underdog=2", 'underdog: "2" is given, a number from 0 to 1'),
    ],
)
def test_wrong_input_is_one_sentence(asked: str, says: str) -> None:
    name, *pairs = asked.split()
    with pytest.raises(InputError) as error:
        ask(name, edition="4e", **dict(pair.split("=", 1) for pair in pairs))
    assert str(error.value).startswith(says)
    assert "\n" not in str(error.value)


def test_the_third_edition_rolls_for_models_that_are_counted() -> None:
    for given in ([], ["slain=many"]):
        found = run("aos", "ask", "rally", *given, "--edition", "3e")
        assert (found.status, found.out) == (2, "")
        assert found.err == "tcsim: slain: rally needs how many models are slain: a die is rolled for each\n"


@pytest.mark.parametrize(
    ("name", "family", "inputs"),
    [
        ("charge", "roll", {"need": 9, "reroll": True, "rerolled": "one", "dice": "4D6kl2"}),
        ("forward_to_victory", "roll", {"near": 7, "far": "10", "v_far": 3}),
        ("redeploy", "move", {"rolls": "model", "models": 20, "room": 3}),
        ("rally", "rolled", {"dice": 20}),
        ("command_points", "exactly", {"underdog": "1/7", "rounds": 10}),
    ],
)
def test_chances_of_a_distribution_add_up(name: str, family: str, inputs: dict[str, Any]) -> None:
    reply = ask(name, edition="4e", **inputs)
    assert sum(reply[key] for key in reply.answers if key.startswith(f"{family}_")) == 1


def test_rally_says_what_the_points_of_each_roll_are_spent_on() -> None:
    told = ask("rally", edition="4e", slain=3, health=3, wounded=2, policy="heal_first").answers
    labels = [told[f"rolled_{points}"]["label"] for points in (0, 4, 5)]
    assert labels == ["0: 0 back, 0 healed", "4: 0 back, 2 healed", "5: 1 back, 2 healed"]
    assert ask("rally", edition="4e", health=2).answers["rolled_5"]["label"] == "5: 2 back"
