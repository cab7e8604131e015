"""Tests of the naive way itself: against the case file, the worked examples, and its own dice."""

from __future__ import annotations

import json
import math
import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from naive import (
    OUT,
    Attack,
    Game,
    Spending,
    Target,
    action_chances,
    final_states,
    kept,
    pool_chances,
    pool_counts,
    pool_counts_die_by_die,
    roll_game,
    roll_once,
    wounds,
)

CASE_FILE = Path(__file__).resolve().parent / "data" / "attack_chains.jsonl"
CASES = [json.loads(line) for line in CASE_FILE.read_text(encoding="utf-8").splitlines() if line.strip()]

Scenario = dict[str, Any]


def chance_out(scenario: Scenario) -> Fraction:
    return final_states(scenario).get(OUT, Fraction(0))


def scenario(*attacks: Scenario, target: Scenario | None = None, **rest: Any) -> Scenario:
    return {"target": target or {}, "attacks": list(attacks), **rest}


def sure(**more: Any) -> Scenario:
    """An attack that hits without a roll."""
    return {"kind": "ranged", **more, "keywords": ["AUTO-HIT", *more.get("keywords", [])]}


KILL = {"injury_modifier": 20}  # every injury roll is out of action
HARMLESS = {"injury_modifier": -20}  # no injury roll has an effect
DEADLY_SHOT = {"kind": "ranged", **KILL}
DEADLY_BLOW = {"kind": "melee", **KILL}


# --- the case file ------------------------------------------------------------------------------------------


def test_the_case_file_is_whole() -> None:
    assert len(CASES) == 330


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["scenario"]["id"])
def test_case(case: Scenario) -> None:
    finals = final_states(case["scenario"])
    assert finals.get(OUT, Fraction(0)) == Fraction(case["fraction"])
    assert sum(finals.values()) == 1
    wanted = {
        OUT if row["out_of_action"] else (row["down"], row["blood"], row["blessing"], row["tough"]): row["p"]
        for row in case["final"]
    }
    assert set(finals) == set(wanted)
    for final, chance in wanted.items():
        assert abs(finals[final] - Fraction(chance)) < Fraction(1, 10**12), final


# --- pools --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("keep", [1, 2, 3, 4])
def test_pool_die_by_die_is_the_enumeration(keep: int) -> None:
    for net in range(keep - 7, 8 - keep):
        assert pool_counts_die_by_die(net, keep) == pool_counts(net, keep), net


@pytest.mark.parametrize("sides", [1, 2, 3, 10])
def test_pool_with_other_dice(sides: int) -> None:
    for net in (-2, -1, 0, 1, 2):
        assert pool_counts_die_by_die(net, 2, sides) == pool_counts(net, 2, sides), net


@pytest.mark.parametrize("net", [0, 1, 5, 40, 97])
def test_large_pools_by_formula(net: int) -> None:
    dice = net + 1
    highest = pool_counts_die_by_die(net, 1)
    assert highest == {face: face**dice - (face - 1) ** dice for face in range(1, 7)}
    for keep in (2, 3):
        high, low = pool_counts_die_by_die(net, keep), pool_counts_die_by_die(-net, keep)
        assert {7 * keep - total: count for total, count in low.items()} == high
        assert sum(high.values()) == 6 ** (keep + net)


@pytest.mark.parametrize(
    ("net", "misses", "hits", "criticals"),
    [
        (-4, 44271, 2384, 1),
        (-3, 7043, 732, 1),
        (-2, 1071, 224, 1),
        (-1, 147, 68, 1),
        (0, 15, 20, 1),
        (1, 42, 158, 16),
        (2, 117, 1008, 171),
        (3, 328, 5922, 1526),
        (4, 927, 33448, 12281),
    ],
)
def test_success_roll(net: int, misses: int, hits: int, criticals: int) -> None:
    throws = 6 ** (2 + abs(net))
    chances = action_chances(net)
    assert {result: chance * throws for result, chance in chances.items()} == {
        "miss": misses,
        "hit": hits,
        "critical": criticals,
    }


@pytest.mark.parametrize(
    ("keep", "net", "modifier", "nothing", "minor", "down", "out"),
    [
        (2, -3, -3, "0.651620", "0.343621", "0.004630", "0.000129"),
        (2, -1, 1, "0.000000", "0.523148", "0.282407", "0.194444"),
        (2, 0, 0, "0.000000", "0.416667", "0.305556", "0.277778"),
        (2, 0, -3, "0.166667", "0.666667", "0.138889", "0.027778"),
        (2, 1, -1, "0.004630", "0.314815", "0.324074", "0.356481"),
        (2, 3, 2, "0.000000", "0.004758", "0.037423", "0.957819"),
        (3, -3, -2, "0.062286", "0.719264", "0.146626", "0.071824"),
        (3, -1, -1, "0.000000", "0.354938", "0.261574", "0.383488"),
        (3, 0, 0, "0.000000", "0.092593", "0.166667", "0.740741"),
        (3, 2, -3, "0.000772", "0.078704", "0.145962", "0.774563"),
        (3, 3, 2, "0.000000", "0.000150", "0.002122", "0.997728"),
    ],
)
def test_injury_roll(
    keep: int,
    net: int,
    modifier: int,
    nothing: str,
    minor: str,
    down: str,
    out: str,
) -> None:
    attack = sure(injury_dice=net, injury_modifier=modifier, keywords=["DEADLY"] if keep == 3 else [])
    finals = final_states(scenario(attack))
    rows: list[Any] = [(False, 0, 0, False), (False, 1, 0, False), (True, 1, 0, False), OUT]
    assert [f"{float(finals.get(row, 0)):.6f}" for row in rows] == [nothing, minor, down, out]


# --- worked examples, with given dice -----------------------------------------------------------------------


class GivenDice(random.Random):
    """Dice that fall as they are told.  Too many throws are an error; `spent`: all have been thrown."""

    def __init__(self, *dice: int) -> None:
        super().__init__(0)
        self.dice = list(dice)

    def randint(self, a: int, b: int) -> int:
        assert (a, b) == (1, 6)
        return self.dice.pop(0)

    @property
    def spent(self) -> bool:
        return not self.dice


def play(question: Scenario, *dice: int) -> Any:
    rng = GivenDice(*dice)
    final = roll_once(question, rng)
    assert rng.spent, "dice were left over"
    return final


UNHURT = (False, 0, 0, False)


@pytest.mark.parametrize("edition", ["1.6.3", "1.0.2"])
def test_worked_examples(edition: str) -> None:
    # Shooting at cover, 5 5 1: the two lowest make 6, a failure.
    in_cover = scenario({"kind": "ranged", "cover": True}, edition=edition)
    assert play(in_cover, 5, 5, 1) == UNHURT
    # Cover and elevation cancel: 4 3 is 7 and hits; the injury 1 1 is a minor hit.
    cancelled = scenario({"kind": "ranged", "cover": True, "elevated": True}, edition=edition)
    assert play(cancelled, 4, 3, 1, 1) == (False, 1, 0, False)
    # Injury with one more die and armour -1: 2 4 5 is 9 - 1 = 8, down.
    armoured = scenario(sure(injury_dice=1), target={"injury_modifier": -1}, edition=edition)
    assert play(armoured, 2, 4, 5) == (True, 1, 0, False)
    # A plain success with 8; one marker spent, 5 1 4 is 9: out of action.
    spend = {"blood_on_injury": "all"}
    spending = scenario({"kind": "ranged"}, target={"blood": 1}, spend=spend, edition=edition)
    assert play(spending, 4, 4, 5, 1, 4) == OUT
    # Two markers spent against Standard Armour, 2 5 4 1 is 9 - 1 = 8: down.
    spending["target"] = {"blood": 2, "injury_modifier": -1}
    assert play(spending, 4, 4, 2, 5, 4, 1) == (True, 1, 0, False)
    # A roll of 3D6 with one more die: four are thrown, three are kept (1 2 2 + 3 dropped the 1: 7, down).
    three_dice = scenario(sure(injury_dice=1, keywords=["DEADLY"]), edition=edition)
    assert play(three_dice, 1, 2, 2, 3) == (True, 1, 0, False)
    # A Bloodbath with a 3D6 weapon: four dice in the sum (2 2 2 2 is 8, down).
    bath = scenario(
        sure(keywords=["DEADLY"]),
        target={"blood": 6},
        spend={"blood_on_injury": "bloodbath"},
        edition=edition,
    )
    assert play(bath, 2, 2, 2, 2) == (True, 1, 0, False)
    # A Bloodbath with 6 5 4 against -3: 15 - 3 = 12, out of action.
    spend = {"blood_on_injury": "bloodbath"}
    bath = scenario(sure(), target={"blood": 6, "injury_modifier": -3}, spend=spend)
    assert play(bath, 6, 5, 4) == OUT
    # A weapon with +2: a 7 becomes 9; with +1 only 8.
    assert play(scenario(sure(injury_modifier=2)), 3, 4) == OUT
    assert play(scenario(sure(injury_modifier=1)), 3, 4) == (True, 1, 0, False)


def test_a_critical_gives_a_die_and_critical_weapons_two() -> None:
    assert play(scenario({"kind": "melee"}), 6, 6, 1, 4, 5) == OUT
    assert play(scenario({"kind": "melee", "keywords": ["CRITICAL"]}), 6, 6, 1, 4, 1, 5) == OUT


def test_kept_dice() -> None:
    assert sorted(kept([5, 5, 1], -1, 2)) == [1, 5]
    assert sorted(kept([2, 4, 5], 1, 2)) == [4, 5]
    assert sorted(kept([3, 4], 0, 2)) == [3, 4]


def test_two_down_results_of_one_volley() -> None:
    volley = scenario(sure(shots=2))
    assert play(volley, 3, 4, 3, 4) == (True, 3, 0, False)
    # The second injury is rolled with two dice, as for a standing target; in turn it has a third die.
    in_turn = {**volley, "options": {"shots": "in-turn"}}
    assert play(in_turn, 3, 4, 3, 4, 1) == (True, 3, 0, False)
    one = {**volley, "options": {"volley_second_down": "one"}}
    assert play(one, 3, 4, 3, 4) == (True, 2, 0, False)
    # On a target that was Down already each Down places two.
    one["target"] = {"down": True}
    assert play(one, 1, 3, 4, 1, 3, 4) == (True, 4, 0, False)


def test_markers_of_a_volley_cannot_be_spent_in_it() -> None:
    volley = scenario(sure(shots=2), target={"blood": 2}, spend={"blood_on_injury": "all"})
    # Four dice for the first, two for the second: both 2, two minor hits.
    assert play(volley, 1, 1, 1, 1, 1, 1) == (False, 2, 0, False)
    volley["options"] = {"shots": "in-turn"}
    # In turn the marker of the first is spent on the second.
    assert play(volley, 1, 1, 1, 1, 1, 1, 1) == (False, 1, 0, False)


# --- dice that situations add or take -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("net", "edition", "attack", "more"),
    [
        (0, "1.6.3", DEADLY_SHOT, {}),
        (-1, "1.6.3", {**DEADLY_SHOT, "cover": True}, {}),
        (-1, "1.6.3", {**DEADLY_SHOT, "long_range": True}, {}),
        (1, "1.6.3", {**DEADLY_SHOT, "elevated": True}, {}),
        (-1, "1.6.3", {**DEADLY_SHOT, "cover": True, "long_range": True, "elevated": True}, {}),
        (0, "1.6.3", {**DEADLY_SHOT, "cover": True, "keywords": ["IGNORE COVER"]}, {}),
        (0, "1.6.3", {**DEADLY_SHOT, "long_range": True, "keywords": ["IGNORE LONG RANGE"]}, {}),
        (0, "1.6.3", {**DEADLY_SHOT, "elevated": True, "keywords": ["IGNORE ELEVATED POSITION"]}, {}),
        (0, "1.6.3", {**DEADLY_SHOT, "long_range": True, "keywords": ["SHOTGUN"]}, {}),
        (
            1,
            "1.6.3",
            {**DEADLY_SHOT, "cover": True, "long_range": True, "elevated": True, "keywords": ["GRENADE"]},
            {},
        ),
        (
            -1,
            "1.0.2",
            {**DEADLY_SHOT, "cover": True, "long_range": True, "elevated": True, "keywords": ["GRENADE"]},
            {},
        ),
        (-1, "1.6.3", {**DEADLY_BLOW, "off_hand": True}, {}),
        (0, "1.6.3", {**DEADLY_BLOW, "off_hand": True, "keywords": ["IGNORE OFF-HAND WEAPON"]}, {}),
        (-1, "1.6.3", {**DEADLY_BLOW, "defended_obstacle": True}, {}),
        (
            0,
            "1.6.3",
            {**DEADLY_BLOW, "defended_obstacle": True, "keywords": ["IGNORE DEFENDED OBSTACLE"]},
            {},
        ),
        (0, "1.6.3", {**DEADLY_BLOW, "defended_obstacle": True}, {"target": {"down": True}}),
        (-1, "1.0.2", {**DEADLY_BLOW, "defended_obstacle": True}, {"target": {"down": True}}),
        (
            -1,
            "1.6.3",
            {**DEADLY_BLOW, "defended_obstacle": True},
            {"target": {"down": True}, "options": {"obstacle_on_down": True}},
        ),
        (-1, "1.6.3", {**DEADLY_BLOW, "fear": True}, {}),
        (0, "1.6.3", {**DEADLY_BLOW, "fear": True}, {"attacker": {"keywords": ["FEAR"]}}),
        (0, "1.0.2", {**DEADLY_BLOW, "fear": True}, {"attacker": {"keywords": ["NEGATE FEAR"]}}),
        (-1, "1.6.3", DEADLY_BLOW, {"target": {"keywords": ["FEAR"]}}),
        (-1, "1.6.3", {**DEADLY_BLOW, "fear": True}, {"target": {"keywords": ["FEAR"]}}),
        (0, "1.6.3", DEADLY_SHOT, {"target": {"keywords": ["FEAR"]}}),
        (-1, "1.6.3", DEADLY_SHOT, {"attacker": {"down": True}}),
        (-1, "1.0.2", DEADLY_BLOW, {"attacker": {"down": True}}),
        (0, "1.6.3", DEADLY_SHOT, {"attacker": {"blood": 2, "blessing": 1}}),
        (-2, "1.6.3", DEADLY_SHOT, {"attacker": {"blood": 2}, "spend": {"blood_on_action": "all"}}),
        (3, "1.6.3", DEADLY_SHOT, {"attacker": {"blessing": 3}, "spend": {"blessing_on_action": "all"}}),
        (
            -1,
            "1.6.3",
            DEADLY_SHOT,
            {
                "attacker": {"blood": 4, "blessing": 3},
                "spend": {"blood_on_action": "all", "blessing_on_action": "all"},
            },
        ),
        (3, "1.6.3", {**DEADLY_SHOT, "action_dice": 4}, {"attacker": {"down": True}}),
    ],
)
def test_net_action_dice(net: int, edition: str, attack: Scenario, more: Scenario) -> None:
    hit = 1 - action_chances(net)["miss"]
    assert chance_out({"edition": edition, "target": {}, "attacks": [attack], **more}) == hit


def test_markers_on_action_rolls_wait_for_the_first_roll_that_is_made() -> None:
    spend = {"blood_on_action": "all"}
    first, later = action_chances(-2)["miss"], action_chances(0)["miss"]
    attacker = {"blood": 2}
    volley = {**DEADLY_SHOT, "shots": 2}
    assert chance_out(scenario(volley, attacker=attacker, spend=spend)) == 1 - first * later
    attacks = [sure(**HARMLESS), DEADLY_BLOW, DEADLY_BLOW]
    assert chance_out(scenario(*attacks, attacker=attacker, spend=spend)) == 1 - first * later


# --- injury dice and modifiers ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("out", "edition", "attack", "more"),
    [
        # 2D6: 9 or more is 10 of 36, 10 or more 6, 11 or more 3, 12 is 1.
        (Fraction(10, 36), "1.6.3", sure(), {}),
        (Fraction(6, 36), "1.6.3", sure(), {"target": {"injury_modifier": -1}}),
        (Fraction(10, 36), "1.6.3", sure(keywords=["IGNORE ARMOUR"]), {"target": {"injury_modifier": -5}}),
        (Fraction(6, 36), "1.6.3", sure(keywords=["ARMOUR PIERCING"]), {"target": {"injury_modifier": -2}}),
        (
            Fraction(10, 36),
            "1.6.3",
            sure(keywords=["ARMOUR PIERCING 2"]),
            {"target": {"injury_modifier": -1}},
        ),
        (Fraction(0), "1.6.3", sure(), {"target": {"injury_modifier": -4}}),
        (Fraction(1, 36), "1.0.2", sure(), {"target": {"injury_modifier": -4}}),
        (Fraction(1, 36), "1.0.2", sure(injury_modifier=-2), {"target": {"injury_modifier": -2}}),
        (Fraction(6, 36), "1.0.2", sure(injury_modifier=2), {"target": {"injury_modifier": -6}}),
        (
            Fraction(1, 36),
            "1.0.2",
            sure(injury_modifier=2),
            {"target": {"injury_modifier": -6}, "options": {"negative_modifier_cap": "after-adding"}},
        ),
        (
            Fraction(0),
            "1.0.2",
            sure(injury_modifier=2),
            {"target": {"injury_modifier": -6}, "options": {"negative_modifier_cap": "none"}},
        ),
        # Three dice: the two highest make 9 or more in 113 of 216 throws, the two lowest in 23.
        (Fraction(113, 216), "1.6.3", sure(injury_dice=1), {}),
        (Fraction(23, 216), "1.6.3", sure(keywords=["IGNORE ARMOUR"]), {"target": {"injury_dice": -1}}),
        (Fraction(23, 216), "1.6.3", sure(long_range=True, keywords=["SHOTGUN"]), {}),
        (Fraction(10, 36), "1.6.3", sure(long_range=True, keywords=["SHOTGUN", "IGNORE LONG RANGE"]), {}),
        (Fraction(10, 36), "1.6.3", sure(long_range=True), {}),
        (Fraction(113, 216), "1.6.3", sure(), {"target": {"down": True}}),
        (Fraction(10, 36), "1.0.2", sure(), {"target": {"down": True}}),
        (Fraction(113, 216), "1.0.2", sure(kind="melee"), {"target": {"down": True}}),
        (
            Fraction(113, 216),
            "1.0.2",
            sure(),
            {"target": {"down": True}, "options": {"down_bonus": "every-attack"}},
        ),
        (
            Fraction(23, 216),
            "1.6.3",
            sure(),
            {"target": {"blessing": 1}, "spend": {"blessing_on_injury": "all"}},
        ),
        (
            Fraction(10, 36),
            "1.6.3",
            sure(),
            {
                "target": {"blessing": 1, "blood": 1},
                "spend": {"blessing_on_injury": "all", "blood_on_injury": "all"},
            },
        ),
    ],
)
def test_chance_of_one_injury_roll(out: Fraction, edition: str, attack: Scenario, more: Scenario) -> None:
    assert chance_out({"edition": edition, "target": {}, "attacks": [attack], **more}) == out


def test_tough_and_machine_armour() -> None:
    def only(question: Scenario) -> Any:
        ((final, chance),) = final_states(question).items()
        assert chance == 1
        return final

    tough = {"tough": True}
    assert only(scenario(sure(**KILL), target=tough)) == (True, 1, 0, False)
    assert only(scenario(sure(**KILL), target={"keywords": ["TOUGH"]})) == (True, 1, 0, False)
    assert only(scenario(sure(**KILL, times=2), target=tough)) == OUT
    assert only(scenario(sure(**KILL), target={**tough, "down": True})) == (True, 2, 0, False)
    volley = scenario(sure(**KILL, shots=2), target=tough)
    assert only(volley) == OUT
    whole = {"volley_tough": "whole"}
    assert only({**volley, "options": whole}) == (True, 3, 0, False)
    assert only({**volley, "options": {**whole, "volley_second_down": "one"}}) == (True, 2, 0, False)
    assert only({**volley, "options": {**whole, "shots": "in-turn"}}) == OUT
    melee = scenario(sure(kind="melee", **KILL, shots=2), target=tough)
    assert only({**melee, "options": whole}) == OUT
    assert only({**melee, "options": {**whole, "shots": "together"}}) == (True, 3, 0, False)
    machine = {**tough, "machine_armour_minor": True}
    assert only(scenario(sure(**KILL), target=machine)) == (False, 1, 0, False)
    stays = {"machine_armour_after_tough": "down"}
    assert only(scenario(sure(**KILL), target=machine, options=stays)) == (True, 1, 0, False)
    # A Down that did not come from TOUGH is a minor hit either way.
    assert play(scenario(sure(), target=machine, options=stays), 3, 4) == (False, 1, 0, True)
    both = {**whole, **stays}
    assert only({**volley, "target": machine, "options": both}) == (True, 3, 0, False)
    assert only({**volley, "target": machine, "options": whole}) == (False, 2, 0, False)
    assert only(scenario(sure(**KILL), {"event": "stand"}, target=tough)) == (False, 1, 0, False)


def test_fire_gas_shrapnel() -> None:
    def blood(**rest: Any) -> int:
        attack = sure(**HARMLESS, keywords=["FIRE", "GAS", "SHRAPNEL"])
        ((final, _),) = final_states(scenario(attack, **rest)).items()
        return int(final[1])

    assert blood() == 3
    assert blood(target={"keywords": ["NEGATE GAS"]}) == 2
    assert blood(target={"blood": 5}) == 6
    one = {"marker_keywords": "one"}
    assert blood(options=one) == 1
    assert blood(options=one, target={"keywords": ["NEGATE GAS", "NEGATE FIRE"]}) == 1
    assert blood(options=one, target={"keywords": ["NEGATE GAS", "NEGATE FIRE", "NEGATE SHRAPNEL"]}) == 0
    # A miss places nothing.
    finals = final_states(scenario({"kind": "melee", **HARMLESS, "keywords": ["FIRE"]}))
    assert finals == {UNHURT: Fraction(15, 36), (False, 1, 0, False): Fraction(21, 36)}


def test_a_failed_risky_attack_ends_the_activation() -> None:
    hit = Fraction(21, 36)
    risky_blow = {**DEADLY_BLOW, "keywords": ["RISKY"]}
    risky_shot = {**DEADLY_SHOT, "keywords": ["RISKY"]}
    assert chance_out(scenario(risky_blow, sure(**KILL))) == hit
    assert chance_out(scenario(risky_blow, {"event": "activation"}, sure(**KILL))) == 1
    assert chance_out(scenario(risky_blow, {"event": "stand"}, {"event": "activation"}, sure(**KILL))) == 1
    assert chance_out(scenario({**risky_blow, "times": 3})) == hit
    assert chance_out(scenario({**risky_blow, "shots": 3})) == hit
    assert chance_out(scenario({**risky_shot, "shots": 3})) == 1 - (1 - hit) ** 3
    # The volley is fired to the end, but one miss is enough to end the activation.
    harmless = {**risky_shot, **HARMLESS, "shots": 2}
    assert chance_out(scenario(harmless, sure(**KILL))) == hit**2
    # The target gets up only if nothing has failed.
    harmless = {**risky_blow, **HARMLESS}
    finals = final_states(scenario(harmless, {"event": "stand"}, target={"down": True}))
    assert finals == {(True, 0, 0, False): 1 - hit, (False, 0, 0, False): hit}


# --- spending -----------------------------------------------------------------------------------------------


def test_greedy_takes_the_fewest_markers_among_equals() -> None:
    spend = {"blood_on_injury": "greedy"}
    # Nothing helps, or nothing is needed: nothing is spent.
    bleeding = {"blood": 6}
    assert final_states(scenario(sure(**HARMLESS), target=bleeding, spend=spend)) == {(False, 6, 0, False): 1}
    tough = {"blood": 6, "tough": True}
    assert final_states(scenario(sure(**KILL), target=tough, spend=spend)) == {(True, 6, 0, False): 1}
    # Two dice at -4 are never out of action, three are with 13 or more: 56 of 216.
    finals = final_states(scenario(sure(), target={"blood": 6, "injury_modifier": -4}, spend=spend))
    assert finals[OUT] == Fraction(56, 216)


@pytest.mark.parametrize("policy", ["greedy", "optimal"])
def test_choices_within_1e_12_are_equals(policy: str) -> None:
    # With +6 only ones on all dice are not out of action, and a Bloodbath always is.  With 16 dice that is
    # near enough (6**-16 is 3.5e-13), with 15 dice it is not (2.1e-12).
    attack = sure(injury_dice=8, injury_modifier=6)
    question = scenario(attack, target={"blood": 6}, spend={"blood_on_injury": policy})
    failed = Fraction(1, 6**16)
    # Six markers for 16 dice, or six for the Bloodbath: no Bloodbath.
    assert final_states(question) == {OUT: 1 - failed, (True, 1, 0, False): failed}
    # Five markers for 16 dice are fewer.
    attack["injury_dice"] = 9
    assert final_states(question) == {OUT: 1 - failed, (True, 2, 0, False): failed}
    # Six markers for 15 dice are not near enough.
    attack["injury_dice"] = 7
    assert final_states(question) == {OUT: 1}


def test_markers_spent_on_a_volley_are_gone_before_any_is_placed() -> None:
    # At -9 only a Bloodbath kills, and the critical has one more die for it: of a plain hit and a critical,
    # the critical gets the six markers, and the marker of the plain hit before it is not lost.
    question = scenario(
        {"kind": "ranged", "action_dice": 40, "shots": 2},
        target={"blood": 6, "injury_modifier": -9},
        spend={"blood_on_injury": "optimal"},
    )
    game = Game(question)
    (attack,) = game.steps
    assert isinstance(attack, Attack)
    plan = (Spending(0, 0, False, 0), Spending(0, 0, True, 6))
    hits = (False, True)
    assert plan in game.plans(attack, hits, game.target)
    after = wounds(game, attack, hits, plan, game.target)
    none_minor = pool_chances(0, 2)  # 2D6 - 9: a minor hit with 11 or 12
    bath = pool_chances(1, 3)  # 4D6, three kept, - 9: nothing up to 10, minor 11-15, down 16-17, out with 18
    minor = none_minor[11] + none_minor[12]
    assert after[None] == bath[18] == Fraction(21, 1296)
    assert after[Target(False, 2, 0, False)] == minor * sum(bath[total] for total in range(11, 16))
    assert after[Target(True, 2, 0, False)] == minor * (bath[16] + bath[17])


@pytest.mark.parametrize("policy", ["greedy", "optimal"])
def test_leftovers_of_a_bloodbath(policy: str) -> None:
    # At -9 a Bloodbath on a Down target needs three sixes among 3 + 1 dice, with the leftover marker 3 + 2.
    question = scenario(
        sure(), target={"blood": 4, "down": True, "injury_modifier": -9}, spend={"blood_on_injury": policy}
    )
    assert chance_out(question) == Fraction(10 * 25 + 5 * 5 + 1, 6**5)
    assert chance_out({**question, "options": {"bloodbath_leftovers": "none"}}) == Fraction(4 * 5 + 1, 6**4)
    # As a flat D6: two sixes among four dice, and a third one on the die that is added.
    two_sixes = Fraction(6**4 - 5**4 - 4 * 5**3, 6**4)
    assert chance_out({**question, "options": {"bloodbath": "add"}}) == two_sixes / 6


def test_a_bloodbath_as_soon_as_it_can_be_paid() -> None:
    spend = {"blood_on_injury": "bloodbath"}
    armour = {"injury_modifier": -4}
    assert chance_out(scenario(sure(), target={"blood": 5, **armour}, spend=spend)) == 0
    assert chance_out(scenario(sure(), target={"blood": 6, **armour}, spend=spend)) == Fraction(56, 216)
    # It is wasted on the harmless attack; `greedy` and `optimal` keep the markers.
    twice = scenario(sure(kind="melee", **HARMLESS), sure(kind="melee"), target={"blood": 6, **armour})
    assert chance_out({**twice, "spend": spend}) == 0
    assert chance_out({**twice, "spend": {"blood_on_injury": "optimal"}}) == Fraction(56, 216)


def test_optimal_saves_markers_for_the_better_attack() -> None:
    # One marker.  At -3: out with two sixes, 1/36 plain, 16/216 with a third die.  At 0: 10/36, 113/216.
    question = scenario(sure(kind="melee", injury_modifier=-3), sure(kind="melee"), target={"blood": 1})
    early = chance_out({**question, "spend": {"blood_on_injury": "greedy"}})
    late = chance_out({**question, "spend": {"blood_on_injury": "optimal"}})
    assert early < late


def test_optimal_weighs_the_hits_of_a_volley_together() -> None:
    # Both shots hit.  A Down target with three markers: one Bloodbath for one shot, or dice for both.
    def out(bath: bool, dice: int) -> Fraction:
        keep, net = (3 if bath else 2), 1 + dice
        counts = pool_counts(net, keep)
        return Fraction(sum(n for total, n in counts.items() if total - 1 >= 9), 6 ** (keep + net))

    choices = [((True, 0), (False, 0))] + [((False, k), (False, n)) for k in range(4) for n in range(4 - k)]
    best = max(1 - (1 - out(*first)) * (1 - out(*second)) for first, second in choices)
    target = {"down": True, "blood": 3, "injury_modifier": -1}
    question = scenario(sure(shots=2), target=target, spend={"blood_on_injury": "optimal"})
    assert chance_out(question) == best


@pytest.mark.parametrize("seed", range(12))
def test_optimal_is_never_beaten(seed: int) -> None:
    question = random_scenario(random.Random(f"optimal {seed}"), most_attacks=2)
    chances = {
        policy: chance_out({**question, "spend": {**question["spend"], "blood_on_injury": policy}})
        for policy in ("none", "all", "bloodbath", "greedy", "optimal")
    }
    assert chances["optimal"] >= max(chances.values()) - Fraction(1, 10**9)


def test_names_and_distances_are_refused() -> None:
    with pytest.raises(ValueError, match="distance"):
        final_states(scenario({"kind": "ranged", "distance": 12}))
    with pytest.raises(ValueError, match="unit"):
        final_states(scenario(sure(), target={"unit": "Heretic Trooper"}))
    with pytest.raises(ValueError, match="no such policy"):
        final_states(scenario(sure(), spend={"blood_on_injury": "some"}))
    with pytest.raises(ValueError, match="roll_once"):
        roll_once(scenario(sure(), spend={"blood_on_injury": "optimal"}), random.Random(1))


def test_a_long_scenario() -> None:
    blows = [{"kind": "melee", "injury_modifier": -20, "times": 100}] * 10
    assert final_states(scenario(*blows, target={"blood": 2})) == {(False, 2, 0, False): 1}


# --- roll_once against final_states, every throw of the dice ------------------------------------------------


class Odometer(random.Random):
    """Dice that go through every possible play, one after the other."""

    def __init__(self) -> None:
        super().__init__(0)
        self.dice: list[int] = []
        self.thrown = 0

    def randint(self, a: int, b: int) -> int:
        if self.thrown == len(self.dice):
            self.dice.append(a)
        self.thrown += 1
        return self.dice[self.thrown - 1]

    def advance(self) -> bool:
        """Set the dice for the next play; False when there is none."""
        while self.dice and self.dice[-1] == 6:
            self.dice.pop()
        self.thrown = 0
        if not self.dice:
            return False
        self.dice[-1] += 1
        return True


def dice_thrown(question: Scenario, face: int) -> int:
    """How many dice are thrown when all of them show this face."""

    class Always(random.Random):
        thrown = 0

        def randint(self, a: int, b: int) -> int:
            self.thrown += 1
            return face

    rng = Always()
    roll_once(question, rng)
    return rng.thrown


def every_play(question: Scenario) -> dict[Any, Fraction]:
    """The chance of every final state, from all the ways the dice of one play can fall."""
    game = Game(question)
    plays: Counter[tuple[Any, int]] = Counter()
    rng = Odometer()
    while True:
        final = roll_game(game, rng)
        plays[final, rng.thrown] += 1
        if not rng.advance():
            break
    chances: dict[Any, Fraction] = {}
    for (final, thrown), count in plays.items():
        chances[final] = chances.get(final, Fraction(0)) + Fraction(count, 6**thrown)
    return chances


TARGET_WORDS = ["NEGATE FIRE", "NEGATE GAS", "NEGATE SHRAPNEL", "FEAR"]


def random_scenario(rng: random.Random, most_attacks: int = 3) -> Scenario:
    """Some scenario, with all kinds of flags and options, and few dice."""
    attacks: list[Scenario] = []
    for _ in range(rng.randint(1, most_attacks)):
        kind = rng.choice(["ranged", "ranged", "melee"])
        words = ["CRITICAL", "FIRE", "GAS", "SHRAPNEL", "DEADLY"]
        words += ["IGNORE ARMOUR", "ARMOUR PIERCING 1", "RISKY"] + ["AUTO-HIT"] * 8
        flags = ["cover", "long_range", "elevated"]
        if kind == "melee":
            flags = ["defended_obstacle", "off_hand", "fear"]
            words += ["IGNORE OFF-HAND WEAPON", "IGNORE DEFENDED OBSTACLE"]
        else:
            words += ["SHOTGUN", "IGNORE COVER", "IGNORE LONG RANGE", "IGNORE ELEVATED POSITION"]
        attacks.append(
            {
                "kind": kind,
                "shots": rng.choice([1, 1, 2, 2, 3]),
                "injury_dice": rng.choice([-1, 0, 0, 0, 1]),
                "injury_modifier": rng.randint(-2, 2),
                "keywords": sorted(set(rng.choices(words, k=3))),
                **{flag: rng.random() < 0.3 for flag in flags},
            }
        )
        if rng.random() < 0.3:
            attacks.append({"event": rng.choice(["stand", "activation"])})
    return {
        "edition": rng.choice(["1.6.3", "1.0.2"]),
        "attacker": {
            "blood": rng.choice([0, 0, 1]),
            "blessing": rng.choice([0, 0, 1]),
            "down": rng.random() < 0.2,
            "keywords": rng.choice([[], ["FEAR"], ["NEGATE FEAR"]]),
        },
        "target": {
            "injury_modifier": rng.randint(-5, 0),
            "injury_dice": rng.choice([0, 0, -1]),
            "down": rng.random() < 0.5,
            "blood": rng.choice([0, 1, 2, 3, 4, 6]),
            "blessing": rng.choice([0, 0, 1]),
            "tough": rng.random() < 0.5,
            "machine_armour_minor": rng.random() < 0.3,
            "keywords": rng.sample(TARGET_WORDS, k=rng.randint(0, 2)),
        },
        "attacks": attacks,
        "spend": {
            "blood_on_injury": rng.choice(["none", "all", "bloodbath", "greedy", "greedy"]),
            "blessing_on_injury": rng.choice(["none", "all"]),
            "blood_on_action": rng.choice(["none", "all"]),
            "blessing_on_action": rng.choice(["none", "all"]),
        },
        "options": random_options(rng),
    }


def random_options(rng: random.Random) -> Scenario:
    options: dict[str, list[Any]] = {
        "shots": ["together-ranged", "together", "in-turn"],
        "volley_tough": ["each", "whole"],
        "volley_second_down": ["two", "one"],
        "bloodbath": ["keep", "add"],
        "bloodbath_leftovers": ["dice", "none"],
        "machine_armour_after_tough": ["minor_hit", "down"],
        "down_bonus": ["every-attack", "melee"],
        "negative_modifier_cap": ["none", "before-positive", "after-adding"],
        "obstacle_on_down": [False, True],
        "marker_keywords": ["each", "one"],
    }
    return {name: rng.choice(values) for name, values in options.items() if rng.random() < 0.4}


def test_roll_once_on_every_throw_of_the_dice() -> None:
    """Exact, so there is no false alarm: all the plays of small scenarios give the fractions themselves."""
    rng = random.Random("every throw")
    compared: list[Scenario] = []
    while len(compared) < 60:
        question = random_scenario(rng)
        if 3 <= max(dice_thrown(question, face) for face in (1, 3, 4, 6)) <= 5:
            assert final_states(question) == every_play(question), question
            compared.append(question)
    assert sum(any(attack.get("shots", 1) > 1 for attack in question["attacks"]) for question in compared) > 9


# --- roll_once against final_states, by chance --------------------------------------------------------------

STATISTICAL: dict[str, Scenario] = {
    "volley of six at a Down target": scenario(
        {"kind": "ranged", "shots": 6, "action_dice": 1, "cover": True, "keywords": ["FIRE"]},
        target={"down": True, "blood": 3, "injury_modifier": -3, "tough": True},
        spend={"blood_on_injury": "greedy"},
    ),
    "the same in turn": scenario(
        {"kind": "ranged", "shots": 6, "action_dice": 1, "cover": True, "keywords": ["FIRE"]},
        target={"down": True, "blood": 3, "injury_modifier": -3, "tough": True},
        spend={"blood_on_injury": "greedy"},
        edition="1.0.2",
    ),
    "a long fight": scenario(
        {"kind": "melee", "injury_dice": -1, "times": 3, "fear": True, "keywords": ["CRITICAL"]},
        {"event": "stand"},
        {"kind": "melee", "off_hand": True, "shots": 2, "keywords": ["RISKY", "GAS", "ARMOUR PIERCING 1"]},
        {"event": "activation"},
        {"kind": "ranged", "elevated": True, "shots": 3, "injury_modifier": -1},
        attacker={"blood": 2, "blessing": 3},
        target={"injury_modifier": -3, "injury_dice": -1, "blessing": 2, "machine_armour_minor": True},
        spend={
            "blood_on_injury": "all",
            "blessing_on_injury": "all",
            "blood_on_action": "all",
            "blessing_on_action": "all",
        },
    ),
    "Bloodbaths": scenario(
        {"kind": "melee", "injury_modifier": -2, "shots": 4, "keywords": ["SHRAPNEL", "FIRE"]},
        {"kind": "ranged", "shots": 3, "keywords": ["DEADLY", "RISKY"]},
        target={"blood": 4, "injury_modifier": -6, "tough": True},
        spend={"blood_on_injury": "bloodbath"},
        options={"bloodbath": "add", "volley_tough": "whole", "volley_second_down": "one"},
    ),
    "large pools": scenario(
        {"kind": "ranged", "action_dice": 7, "injury_dice": -8, "keywords": ["CRITICAL", "DEADLY"]},
        {"kind": "melee", "action_dice": -4, "injury_dice": 9, "times": 3},
        target={"blood": 6, "injury_modifier": -2},
        spend={"blood_on_injury": "greedy"},
        edition="1.0.2",
    ),
}
FALSE_ALARM = 1e-6  # for all the comparisons of this file together


def divergence(seen: float, chance: float) -> float:
    """Kullback-Leibler divergence of two coins."""
    total = 0.0
    for a, b in ((seen, chance), (1 - seen, 1 - chance)):
        if a > 0:
            total += a * math.log(a / b)
    return total


@pytest.mark.parametrize(
    ("plays", "half"), [(4_000, 0.051), pytest.param(20_000, 0.0225, marks=pytest.mark.verification)]
)
@pytest.mark.parametrize("name", STATISTICAL)
def test_roll_once_by_chance(name: str, plays: int, half: float) -> None:
    """Every state's share of the plays against its chance, by the Chernoff bound.

    On either side of the chance a share is further than divergence d with probability <= exp(-plays * d).
    With at most 40 states in each of the five scenarios the limit below makes the false alarms of all the
    comparisons together (both sides of each) 1e-6 at most; the seeds are fixed, so an alarm would repeat.
    By Pinsker's inequality a share that is off by ``half`` or more is always an alarm, so an error of twice that in
    any state's chance goes unnoticed with probability below 1e-8, and one of ``half`` half of the time; near
    0 and 1 smaller errors are seen.
    """
    question = STATISTICAL[name]
    exact = final_states(question)
    assert len(exact) <= 40
    limit = math.log(2 * 40 * len(STATISTICAL) / FALSE_ALARM) / plays
    assert math.sqrt(limit / 2) < half
    rng = random.Random(f"by chance: {name}")
    counts = Counter(roll_once(question, rng) for _ in range(plays))
    assert set(counts) <= set(exact)
    for final, chance in exact.items():
        if chance < 1:
            assert divergence(counts[final] / plays, float(chance)) <= limit, final


def plays_of(question: Scenario, seed: str, plays: int) -> Iterator[Any]:
    rng = random.Random(seed)
    return (roll_once(question, rng) for _ in range(plays))


def test_roll_once_repeats_with_its_seed() -> None:
    question = STATISTICAL["a long fight"]
    assert list(plays_of(question, "a", 50)) == list(plays_of(question, "a", 50))
    assert list(plays_of(question, "a", 50)) != list(plays_of(question, "b", 50))
