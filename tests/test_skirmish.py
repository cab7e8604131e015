"""Firefights: exact against the naive way, plain scenarios and dice; targeting, morale, wrong input."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tomllib
from fractions import Fraction
from typing import Any

import naive_skirmish
import numpy as np
import pytest
import scenarios
from stat_tools import surprise
from test_cli import run

import tcsim
from tcsim.base.errors import InputError
from tcsim.base.text import percent
from tcsim.plots.figures import skirmish
from tcsim.skirmish import joint as joints
from tcsim.skirmish.firefight import FirefightResult
from tcsim.skirmish.joint import Joint, ranks
from tcsim.skirmish.model import TARGETINGS
from tcsim.skirmish.morale import morale_test
from tcsim.skirmish.outcome import Outcome
from tcsim.stats import interval

RIFLE: dict[str, Any] = {"action_dice": 1}


def fight_of(rng: random.Random) -> dict[str, Any]:
    """A small random firefight by numbers: up to four activations on up to three targets."""
    parts = [scenarios.scenario(rng, size=0, small=True) for _ in range(4)]
    tables: dict[str, Any] = {"attackers": [], "targets": []}
    left = rng.randint(2, 4)
    for part in parts[:2]:
        attacks = [attack for attack in part["attacks"] if "event" not in attack][:2]
        count = rng.randint(1, left - 1) if left > 1 else 1
        left -= count
        spend = {"blood_on_injury": rng.choice(("none", "none", "all", "greedy", "bloodbath"))}
        tables["attackers"].append({**part["attacker"], "attacks": attacks, "count": count, "spend": spend})
        if left <= 0:
            break
    for number, part in enumerate(parts[2:]):
        count = rng.choice((1, 2)) if number == 0 else 1
        tables["targets"].append({**part["target"], "count": count})
        if rng.random() < 0.4:
            break
    return {
        "edition": parts[0]["edition"],
        "spend": {**parts[0]["spend"], "blood_on_injury": "none"},
        "morale": {"models": rng.randint(3, 5)},
        **tables,
    }


FIGHTS = [fight_of(random.Random(seed)) for seed in range(24)]


def worths(fight: naive_skirmish.Firefight, models: int) -> dict[str, Any]:
    """What the naive way takes each goal for; without a LEADER a failed test is as good as a test."""

    def tests(states: Any) -> Fraction:
        hurt = naive_skirmish.count_out(states) + naive_skirmish.count_down(states)
        return Fraction(2 * hurt >= models)

    return {
        "out": lambda states: Fraction(naive_skirmish.count_out(states)),
        "morale": tests,
        "flight": lambda states: tests(states) * naive_skirmish.fails(0),
    }


@pytest.mark.parametrize("number", range(len(FIGHTS)))
def test_against_the_naive_way(number: int) -> None:
    check_naive(FIGHTS[number])


def check_naive(table: dict[str, Any]) -> None:
    """Every joint number out and Down of focus and spread, and the worth of the best choice, to 1e-12."""
    fight, models = naive_skirmish.Firefight(table), table["morale"]["models"]
    found = {goal: tcsim.firefight(table, goal=goal) for goal in ("out", "morale", "flight")}
    for name, choose in (("focus", fight.focus), ("spread", fight.spread)):
        outcome = found["out"].outcomes[name]
        expected = np.zeros_like(outcome.ends[0])
        each = np.zeros((len(fight.targets), 2))
        for states, chance in fight.ends(choose).items():
            expected[naive_skirmish.count_out(states), naive_skirmish.count_down(states)] += float(chance)
            for i, state in enumerate(states):
                each[i] += float(chance) * np.array([state != "out" and state[0], state == "out"])
        assert abs(outcome.ends.sum(axis=0) - expected).max() < 1e-12
        assert abs(np.column_stack([outcome.down, outcome.out]) - each).max() < 1e-12
    if all("count" not in target or target["count"] == 1 for target in table["targets"]):
        best = found["out"].outcomes["greedy"]  # of equally good targets the first, which alike ones would not settle
        assert best.expected_out == pytest.approx(float(fight.mean_out(fight.greedy)), abs=1e-12)
    for goal, worth in worths(fight, models).items():
        best = found[goal].outcomes["optimal"]
        value = {"out": best.expected_out, "morale": best.needed, "flight": best.failed}[goal]
        assert value == pytest.approx(float(fight.best(worth)), abs=1e-12)


def value_of(outcome: Outcome, goal: str) -> float:
    return {"out": outcome.expected_out, "morale": outcome.needed, "flight": outcome.failed}[goal]


@pytest.mark.parametrize("goal", ["out", "morale", "flight"])
def test_optimal_is_never_below_another_way(goal: str) -> None:
    differ = 0
    for seed in range(100, 124):
        outcomes = tcsim.firefight(fight_of(random.Random(seed)), goal=goal).outcomes
        assert list(outcomes) == ["focus", "spread", "greedy", "optimal"]
        values = {name: value_of(one, goal) for name, one in outcomes.items()}
        assert max(values.values()) <= values["optimal"] + 1e-12
        differ += values["optimal"] > values["focus"] + 1e-6
    assert differ > 2  # there is something to choose in these


@pytest.mark.parametrize("name", ["1.6.3", "1.0.2"])
def test_one_on_one_is_a_scenario(name: str) -> None:
    attack = {"weapon": "Bolt-Action Rifle", "cover": True}
    target = {"unit": "Heretic Trooper", "armour": ["Reinforced Armour"], "blood": 2}
    spend = {"blood_on_injury": "greedy"}
    result = tcsim.odds(
        {"edition": name, "attacker": {"unit": "Yeoman"}, "target": target, "attacks": [attack], "spend": spend}
    )
    fight = {"edition": name, "attackers": [{"unit": "Yeoman", "attacks": [attack]}], "targets": [target]}
    for way in TARGETINGS:
        found = tcsim.firefight({**fight, "spend": spend}, targeting=way)
        assert found.out == pytest.approx([1 - result.out_of_action, result.out_of_action], abs=1e-14)
        assert found.outcome.down[0] == pytest.approx(result.down, abs=1e-14)


def test_attackers_on_one_target_are_one_scenario() -> None:
    """Three activations on one target: its markers and Down carry over, a RISKY failure ends only its own."""
    attacks = [{"keywords": ["RISKY", "FIRE"], "kind": "melee"}, {"kind": "melee"}]
    chain: list[Any] = [*attacks, {"event": "activation"}, *attacks, {"event": "activation"}, *attacks]
    spend = {"blood_on_injury": "all"}
    result = tcsim.odds({"target": {"tough": True}, "attacks": chain, "spend": spend})
    fight = {"attackers": [{"attacks": attacks, "count": 3}], "targets": [{"tough": True}], "spend": spend}
    assert tcsim.firefight(fight).expected_out == pytest.approx(result.out_of_action, abs=1e-14)


def test_a_pair_has_its_own_situation() -> None:
    attacker = {"attacks": [{"weapon": "Bolt-Action Rifle"}], "against": {"far": {"distance": 20, "cover": True}}}
    fight = {"attackers": [attacker], "targets": [{"name": "near"}, {"name": "far"}]}
    near = tcsim.firefight(fight, targeting="focus")
    far = tcsim.firefight({**fight, "targets": fight["targets"][::-1]}, targeting="focus")
    rifle = {"weapon": "Bolt-Action Rifle"}
    plain = tcsim.odds({"target": {}, "attacks": [rifle]})
    hard = tcsim.odds({"target": {}, "attacks": [{**rifle, "distance": 20, "cover": True}]})
    assert near.expected_out == pytest.approx(plain.out_of_action)
    assert far.expected_out == pytest.approx(hard.out_of_action)
    assert tcsim.firefight(fight).expected_out == pytest.approx(plain.out_of_action)


def test_focus_and_spread_are_exact_at_any_size() -> None:
    """Of 60 that spread on 30, each target is alone; of 60 on one after the other, the chain is as long as it is."""
    fight = {"attackers": [{"attacks": [{}], "count": 60}], "targets": [{"count": 30, "tough": True}]}
    found = tcsim.firefight(fight)
    alone = tcsim.odds({"target": {"tough": True}, "attacks": [{"times": 2}]}).out_of_action
    assert found.outcomes["spread"].expected_out == pytest.approx(30 * alone, abs=1e-10)
    focus = found.outcomes["focus"]
    assert focus.ends.sum() == pytest.approx(1, abs=1e-12)
    first = tcsim.odds({"target": {"tough": True}, "attacks": [{"times": 60}]}).out_of_action
    assert focus.out[0] == pytest.approx(first, abs=1e-12)
    assert list(focus.out) == sorted(focus.out, reverse=True)


def test_conditions_nobody_tells_apart_are_one() -> None:
    """Where no blood is spent, standing, Down and out are all there is: thirty targets have few joint conditions."""
    fight = {"attackers": [{"attacks": [{}], "count": 10}], "targets": [{"count": 30}]}
    found = tcsim.firefight(fight)
    assert found.joint == 32 * 31 // 2  # multisets of 30 of three conditions
    with_blood = tcsim.firefight({**fight, "targets": [{"count": 3}], "spend": {"blood_on_injury": "greedy"}})
    assert with_blood.joint > tcsim.firefight({**fight, "targets": [{"count": 3}]}).joint


def test_multisets_are_numbered_without_gaps() -> None:
    fight = {"attackers": [{"attacks": [{}]}], "targets": [{"count": 3}, {"tough": True, "count": 2}]}
    joint = Joint(tcsim.firefight(fight).field)
    for multisets, added in zip(joint.multisets, joint.added, strict=True):
        assert ranks(multisets).tolist() == list(range(len(multisets)))
        assert sorted(set(added.ravel().tolist())) == list(range(len(multisets)))
    assert joint.size == joint.shape[0] * joint.shape[1]


# --- rolled -------------------------------------------------------------------------------------------------------

#: Each check is one of this many in all tests of this file, which together fail for nothing less than once in 1e6 runs.
CHECKS, FALSE_ALARM, TRIALS = 2000, 1e-6, 100_000


def cells(exact: Outcome, rolled: Outcome) -> list[tuple[float, float]]:
    pairs = [(exact.needed, rolled.needed), (exact.failed, rolled.failed)]
    pairs += list(zip(exact.ends.ravel(), rolled.ends.ravel(), strict=True))
    return pairs


@pytest.mark.parametrize("targeting", TARGETINGS)
@pytest.mark.parametrize("number", [0, 3, 5, 9])
def test_rolled_agrees_with_exact(number: int, targeting: str) -> None:
    """Every end and both chances of morale; an error of 0.012 of a chance near 1/2 is seen more often than not."""
    table = {**FIGHTS[number], "goal": "morale"}
    exact = tcsim.firefight(table, targeting=targeting).outcome
    rolled = tcsim.firefight(table, targeting=targeting, method="monte-carlo", trials=TRIALS, seed=5).outcome
    assert rolled.trials == TRIALS
    for p, share in cells(exact, rolled):
        assert surprise(round(share * TRIALS), TRIALS, p) > FALSE_ALARM / CHECKS
    assert abs(exact.out - rolled.out).max() < 0.012
    assert abs(exact.down - rolled.down).max() < 0.012


def test_rolled_agrees_for_what_few_targets_are() -> None:
    """By name: infection, REGENERATE, a GOLEM, first outs that are spared, markers that are ignored; LEADER counts."""
    for name in ("1.6.3", "1.0.2"):
        fight = {
            "edition": name,
            "attackers": [
                {"unit": "Plague Knight", "attacks": [{"weapon": "Plague Blade"}, {"weapon": "Viscera Cannon"}]},
                {"attacks": [{"kind": "melee", "keywords": ["CRITICAL", "DEADLY"]}], "count": 2, "down": True},
            ],
            "targets": [
                {"unit": "Lord of Tumours", "infection": 2, "blood": 1},
                {"keywords": ["GOLEM"], "count": 2, "blood": 5},
            ],
            "spend": {"blood_on_injury": "bloodbath"},
        }
        exact = tcsim.firefight(fight)
        assert exact.field.leader == 0
        rolled = tcsim.firefight(fight, method="monte-carlo", trials=TRIALS, seed=6)
        for p, share in cells(exact.outcome, rolled.outcome):
            assert surprise(round(share * TRIALS), TRIALS, p) > FALSE_ALARM / CHECKS


def test_blood_spent_with_a_plan_is_rolled_as_planned() -> None:
    fight = {
        "attackers": [{"attacks": [{"times": 2, "kind": "melee"}], "count": 2}],
        "targets": [{"blood": 5, "blessing": 2, "tough": True}, {"blood": 3}],
        "spend": {"blood_on_injury": "optimal", "blessing_on_injury": "all"},
    }
    exact = tcsim.firefight(fight).outcome
    rolled = tcsim.firefight(fight, method="monte-carlo", trials=TRIALS, seed=7).outcome
    for p, share in cells(exact, rolled):
        assert surprise(round(share * TRIALS), TRIALS, p) > FALSE_ALARM / CHECKS


def test_markers_dealt_out_to_a_volley_are_rolled_as_planned() -> None:
    """Optimal spending on shots resolved together, against targets with and without blessings, one of them RISKY."""
    fight = {
        "attackers": [{"attacks": [{"shots": 3, "action_dice": 1}, {"keywords": ["RISKY"], "shots": 2}], "count": 2}],
        "targets": [{"blood": 5, "blessing": 2, "tough": True, "injury_modifier": -2}, {"blood": 6, "down": True}],
        "spend": {"blood_on_injury": "optimal", "blessing_on_injury": "all"},
    }
    exact = tcsim.firefight(fight, targeting="spread").outcome
    rolled = tcsim.firefight(fight, targeting="spread", method="monte-carlo", trials=TRIALS, seed=8).outcome
    for p, share in cells(exact, rolled):
        assert surprise(round(share * TRIALS), TRIALS, p) > FALSE_ALARM / CHECKS


def test_both_players_choosing_is_not_answered() -> None:
    fight = {**ONE, "attackers": [{"attacks": [{}], "blood": 2, "spend": {"blood_on_action": "optimal"}}]}
    with pytest.raises(InputError, match=r"attackers\[0\].spend: optimal is answered for blood_on_injury alone"):
        tcsim.firefight(fight)


def test_counts_depend_on_no_thread() -> None:
    fight = {"attackers": [{"attacks": [{}], "count": 3}], "targets": [{"count": 2}]}
    one, two, other = (
        tcsim.firefight(fight, method="monte-carlo", trials=200_000, seed=seed, threads=threads).outcome.ends
        for seed, threads in ((1, 1), (1, 2), (2, 2))
    )
    assert np.array_equal(one, two)
    assert not np.array_equal(one, other)


def test_above_the_limit_greedy_is_rolled(monkeypatch: pytest.MonkeyPatch) -> None:
    """And says the limit; what is exact at any size stays so."""
    fight = {"attackers": [{"attacks": [{}], "count": 3}], "targets": [{"count": 3}]}
    exact = tcsim.firefight(fight)
    monkeypatch.setattr(joints, "MAX_JOINT", 5)
    found = tcsim.firefight(fight, trials=20_000)
    assert found.targeting == "greedy"
    assert list(found.outcomes) == ["focus", "spread", "greedy"]
    assert (found.outcomes["focus"].trials, found.outcome.trials) == (None, 20_000)
    assert any("10 joint conditions" in note and "greedy" in note for note in found.notes)
    _, low, high = interval(round(found.out[0] * 20_000), 20_000, 1 - 1e-6)
    assert low < exact.outcomes["greedy"].out_pmf[0] < high
    assert found.to_dict()["trials"] == 20_000


def test_many_conditions_really_are_too_many() -> None:
    targets = [{"blood": 1, "name": str(n), "injury_modifier": -n, "count": 9} for n in range(3)]
    fight = {"attackers": [{"attacks": [{}]}], "targets": targets, "spend": {"blood_on_injury": "all"}}
    found = tcsim.firefight({**fight, "attackers": [{"attacks": [{"keywords": ["FIRE"]}], "count": 4}]}, trials=1000)
    assert found.joint > joints.MAX_JOINT
    assert found.targeting == "greedy"
    tables = [{"blood": n % 3, "injury_modifier": -(n % 20), "name": str(n), "count": 3} for n in range(40)]
    burning = {"attacks": [{"keywords": ["FIRE"], "times": 2}], "count": 4}
    many = tcsim.firefight({**fight, "attackers": [burning], "targets": tables}, trials=1000)
    assert many.to_dict()["joint_conditions"] is None
    assert any("more than 1e15 joint conditions" in note for note in many.notes)


def test_ctrl_c_keeps_what_was_counted() -> None:
    """In a run in blocks of 65,536 trials, interrupted as the first is told of."""
    from tcsim.skirmish.outcome import Dice
    from tcsim.skirmish.rolled import roll

    def stop(counted: int) -> None:
        raise KeyboardInterrupt

    fight = {"attackers": [{"attacks": [{}] * 40, "count": 10}], "targets": [{}]}
    field = tcsim.firefight(fight).field
    outcome = roll(field, "focus", "out", None, Dice(10**6, threads=1, progress=stop))
    assert (outcome.trials, outcome.partial) == (65_536, True)
    assert outcome.ends.sum() == pytest.approx(1)


def test_exact_answers_load_nothing_heavy() -> None:
    code = (
        "import sys, tcsim\n"
        "side = {'models': [{'attacks': [{}]}]}\n"
        "tcsim.turn({'warband': [side, {**side, 'name': 'x'}]}).to_dict()\n"
        "tcsim.firefight({'attackers': [{'attacks': [{}]}], 'targets': [{}]}).to_dict()\n"
        "print(*(sys.modules.keys() & {'numba', 'pandas', 'matplotlib'}))\n"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "\n"


@pytest.mark.verification
@pytest.mark.parametrize("first", range(1000, 1300, 20))
def test_many_against_the_naive_way(first: int) -> None:
    """As above, for 300 more random firefights."""
    for seed in range(first, first + 20):
        check_naive(fight_of(random.Random(seed)))


# --- morale -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "models", "needed"), [("1.6.3", 10, 5), ("1.0.2", 5, 3), ("1.6.3", 5, 3), ("1.0.2", 1, 1)]
)
def test_when_morale_is_tested(name: str, models: int, needed: int) -> None:
    assert morale_test(name, models, leader=False).needed == needed


def test_the_leader_helps() -> None:
    """+1 DICE: 1.6.3 unless out of action, 1.0.2 unless Down or out. Failing: 15 of 36, with a die more 42 of 216."""
    plain, led = 15 / 36, 42 / 216
    assert morale_test("1.6.3", 4, leader=True).failing == pytest.approx((led, led, plain))
    assert morale_test("1.0.2", 4, leader=True).failing == pytest.approx((led, plain, plain))
    assert morale_test("1.0.2", 4, leader=False).failing == pytest.approx((plain, plain, plain))


@pytest.mark.parametrize(("name", "failure"), [("1.6.3", "flight"), ("1.0.2", "shaken")])
def test_morale_of_a_firefight(name: str, failure: str) -> None:
    """Six of ten hurt already, but four by name: a test is certain, and fails as an action roll does."""
    fight = {"edition": name, "attackers": [{"attacks": [{}]}], "targets": [{"count": 4}]}
    found = tcsim.firefight({**fight, "morale": {"models": 10, "already": 5}})
    assert (found.morale_test, found.morale_failed) == (1.0, pytest.approx(15 / 36))
    assert found.field.failure == failure
    dice = tcsim.firefight({**fight, "morale": {"models": 10, "already": 5, "leader": "elsewhere", "shaken": True}})
    assert dice.morale_failed == pytest.approx(42 / 216)
    assert dice.field.failure == "rout"
    never = tcsim.firefight({**fight, "morale": {"models": 10}})
    assert never.morale_test == 0


def test_the_leader_under_fire() -> None:
    """One attack on the LEADER alone: out of action it helps nobody; Down it helps in 1.6.3 only."""
    attack, target = {"kind": "melee"}, {"keywords": ["LEADER"]}
    for name in ("1.6.3", "1.0.2"):
        alone = tcsim.odds({"edition": name, "target": target, "attacks": [attack]})
        fight = {"edition": name, "attackers": [{"attacks": [attack]}], "targets": [target]}
        found = tcsim.firefight(fight)
        down = 42 / 216 if name == "1.6.3" else 15 / 36
        assert found.morale_test == pytest.approx(alone.out_of_action + alone.down)
        assert found.morale_failed == pytest.approx(alone.out_of_action * 15 / 36 + alone.down * down)


# --- input and output -----------------------------------------------------------------------------------------------

ONE = {"attackers": [{"attacks": [{}]}], "targets": [{}]}

WRONG: list[tuple[Any, str]] = [
    ([], "an array is given, a firefight is a table with attackers and targets"),
    ({"targets": [{}]}, "attackers: it is missing; a firefight has at least attackers and targets"),
    ({**ONE, "attackers": []}, "attackers: at least one is needed, the array is empty"),
    ({**ONE, "targets": {}}, "targets: a table is given, an array of tables is allowed"),
    ({**ONE, "targets": [{"count": 0}]}, "targets[0].count: 0 is given, a whole number from 1 to 1000 is allowed"),
    ({**ONE, "targets": [{"count": True}]}, "targets[0].count: true is given, a whole number"),
    ({**ONE, "targets": [{"count": 10**400}]}, "targets[0].count: a whole number of over"),
    ({**ONE, "targets": [{"count": 1000}]}, "targets: these are 1,000, at most 200 are allowed"),
    ({**ONE, "attackers": [{"attacks": [{}], "count": 1000}] * 2}, "attackers: these are 2,000, at most 1,000"),
    (
        {"attackers": [{"attacks": [{}]}] * 51, "targets": [{}] * 50},
        "attackers: 51 tables against 50 are 2,550 pairs, at most 1,000 are allowed",
    ),
    ({**ONE, "targets": [{"name": "a\nb"}]}, "a name is one line of signs that can be printed"),
    ({**ONE, "attackers": [{}]}, "attackers[0].attacks: it is missing; an attacker has at least one attack"),
    ({**ONE, "attackers": [{"attacks": []}]}, "attackers[0].attacks: at least one attack is needed"),
    ({**ONE, "attackers": [{"attacks": {}}]}, "an array of tables ([[attackers.attacks]] in TOML) is allowed"),
    ({**ONE, "attackers": [3]}, "attackers[0]: 3 is given, a table is allowed"),
    ({**ONE, "attackers": [{"attacks": [{"event": "stand"}]}]}, "attackers[0].attacks[0]: an activation holds attacks"),
    (
        {**ONE, "attackers": [{"attacks": [{"covr": True}]}]},
        'attackers[0].attacks[0]: there is no field "covr"; did you mean "cover"?',
    ),
    (
        {**ONE, "attackers": [{"attacks": [{"weapon": "Bolt-Acton Rifle"}]}]},
        'attackers[0].attacks[0].weapon: there is no weapon "Bolt-Acton Rifle"',
    ),
    (
        {**ONE, "attackers": [{"unit": "Yoman", "attacks": [{}]}]},
        'attackers[0].unit: there is no unit "Yoman"',
    ),
    ({**ONE, "targets": [{}, {"armour": ["Standrd Armour"]}]}, "targets[1].armour[0]: there is no armour"),
    ({**ONE, "targets": [{"name": "a"}, {"name": "a"}]}, 'targets: the name "a" is given twice'),
    (
        {**ONE, "attackers": [{"attacks": [{}], "against": {"nobody": {}}}]},
        'attackers[0].against: there is no target "nobody"',
    ),
    (
        {**ONE, "attackers": [{"attacks": [{}], "against": {"target 1": {"cover": 1}}}]},
        "attackers[0].against.target 1.cover: 1 is given, true or false",
    ),
    ({**ONE, "attackers": [{"attacks": [{}], "spend": {"blood": 1}}]}, 'attackers[0].spend: there is no field "blood"'),
    ({**ONE, "edition": "1.6"}, 'edition: there is no edition "1.6"'),
    ({**ONE, "edition": 1.6}, "edition: 1.6 is given, text is allowed"),
    ({**ONE, "targeting": "best"}, 'targeting: there is no targeting "best"'),
    ({**ONE, "targeting": ["focus"]}, "targeting: an array is given, focus, spread, greedy or optimal is allowed"),
    ({**ONE, "goal": "win"}, 'goal: there is no goal "win"'),
    ({**ONE, "moral": {}}, 'there is no field "moral"; did you mean "morale"?'),
    ({**ONE, "morale": {"models": 0}}, "morale.models: 0 is given, a whole number from 1 to 10000"),
    ({**ONE, "targets": [{"count": 3}], "morale": {"models": 2}}, "morale.models: 2 is given, there are 3 targets"),
    ({**ONE, "morale": {"leader": "captain"}}, 'morale.leader: there is no target of count 1 "captain"'),
    ({**ONE, "morale": {"already": float("nan")}}, "morale.already: nan is given, a whole number"),
    ({**ONE, "options": {"bloodbath": "both"}}, "options.bloodbath"),
    ({**ONE, "options": []}, "options: an array is given, a table is allowed"),
    (
        {**ONE, "attackers": [{"attacks": [{"times": 100, "shots": 20}]}]},
        "attackers[0].attacks: these are at least 2,000 attack rolls",
    ),
]


@pytest.mark.parametrize(("given", "sentence"), WRONG, ids=[sentence[:40] for _, sentence in WRONG])
def test_wrong_input_is_one_sentence(given: Any, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        tcsim.firefight(given)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"targeting": "all"}, 'targeting: there is no targeting "all"'),
        ({"goal": 3}, "goal: 3 is given"),
        ({"method": "dice"}, 'method: there is no method "dice"'),
        ({"method": "monte-carlo", "trials": 0}, "trials: 0 is given"),
        ({"method": "monte-carlo", "seed": -1}, "seed: -1 is given"),
    ],
)
def test_wrong_arguments(arguments: Any, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        tcsim.firefight(ONE, **arguments)
    assert sentence in str(caught.value)


FIGHT = """
edition = "1.6.3"
goal = "flight"
[[attackers]]
unit = "Yeoman"
count = 3
[[attackers.attacks]]
weapon = "Bolt-Action Rifle"
[[targets]]
unit = "Heretic Trooper"
count = 3
[[targets]]
unit = "Heretic Priest"
[morale]
models = 6
"""


@pytest.fixture
def file(tmp_path: Any) -> str:
    (tmp_path / "fight.toml").write_text(FIGHT, encoding="utf-8")
    return str(tmp_path / "fight.toml")


def test_the_command_line(file: str) -> None:
    status, out, _ = run("firefight", file)
    assert status == 0
    for part in ("Out of action", "Each target", "Ways of choosing targets", "Whom to attack", "LEADER: Heretic"):
        assert part in out
    assert max(map(len, out.splitlines())) <= 80
    status, out, _ = run("firefight", file, "--targeting", "spread", "--json")
    answer = json.loads(out)
    assert (status, answer["targeting"], answer["method"]) == (0, "spread", "exact")
    assert sum(row["p"] for row in answer["out_of_action"]) == pytest.approx(1)
    assert [row["targeting"] for row in answer["compare"]] == ["focus", "spread", "greedy", "optimal"]
    assert answer["morale"]["needed"] == 3


def test_edition_and_options_are_laid_over_the_file(file: str, tmp_path: Any) -> None:
    written = tmp_path / "written.toml"
    text = FIGHT.replace('"1.6.3"', '"1.0.2"') + '[options]\nbloodbath = "add"\n'
    written.write_text(text, encoding="utf-8")
    flags = ("--edition", "1.0.2", "--option", "bloodbath=add", "--targeting", "focus", "--json")
    answers = [
        json.loads(run("firefight", *arguments)[1]) for arguments in ((file, *flags), (str(written), *flags[4:]))
    ]
    assert answers[0] == answers[1]
    assert (answers[0]["edition"], answers[0]["options"]) == ("1.0.2", {"bloodbath": "add"})


def test_the_command_line_rolls(file: str) -> None:
    status, out, _ = run("firefight", file, "--method", "monte-carlo", "--trials", "5000", "--json")
    answer = json.loads(out)
    assert (status, answer["trials"], answer["seed"]) == (0, 5000, 1)
    for row in answer["out_of_action"]:
        assert row["low"] <= row["p"] == row["count"] / 5000 <= row["high"]
    status, out, _ = run("firefight", file, "--method", "monte-carlo", "--trials", "5000")
    assert status == 0
    assert "95% interval" in out


def test_the_command_line_says_what_is_wrong(file: str, tmp_path: Any) -> None:
    for arguments, sentence in (
        ((file, "--plot", "a.pdf"), "a figure ends in .png or .svg"),
        ((file, "--targeting", "all"), "all"),
        ((str(tmp_path / "none.toml"),), "cannot be read"),
        ((file, "--trials", "0"), "--trials"),
        ((file, "--edition", "1.6"), "there is no edition"),
        ((file, "--option", "blood=add"), "blood"),
    ):
        status, out, error = run("firefight", *arguments)
        assert (status, out) == (2, "")
        assert sentence in error
        assert error.count("\n") == 1


def test_the_figure(file: str, tmp_path: Any) -> None:
    for name in ("fight.png", "fight.svg"):
        status, _, _ = run("firefight", file, "--plot", str(tmp_path / name))
        assert status == 0
        assert (tmp_path / name).stat().st_size > 10_000


def test_the_figure_tells_what_the_goal_is() -> None:
    fight = tomllib.loads(FIGHT)
    goals = {"out": "out of action on average", "morale": "a morale test", "flight": "a failed morale test"}
    for goal, words in goals.items():
        found = tcsim.firefight(fight, goal=goal)
        title = skirmish.firefight_words(found).title
        ways = {"out": "expected_out", "morale": "needed", "flight": "failed"}
        values = [getattr(one, ways[goal]) for one in found.outcomes.values()]
        written = [f"{x:.2f}" if goal == "out" else percent(x) for x in (max(values), min(values))]
        assert words in title
        assert all(one in title for one in written)


def test_advice_adds_up() -> None:
    """Each activation attacks somebody, unless all are out of action; the first attacks its choice for certain."""
    result: FirefightResult = tcsim.firefight(
        {"attackers": [{"attacks": [RIFLE], "count": 3}], "targets": [{"count": 2, "name": "Guard"}, {"tough": True}]}
    )
    rows = result.advice
    assert rows[0]["p"] == 1.0
    assert rows[0]["target"] == "Guard"  # TOUGH is first Down, so the others go out sooner
    for activation in (1, 2, 3):
        assert sum(row["p"] for row in rows if row["activation"] == activation) == pytest.approx(1)
    assert {row["attacker"] for row in rows} == {"attacker 1"}
