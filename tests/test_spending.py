"""Spending that is planned: optimal for every goal, volleys decided on jointly, and rows of one's own.

Expected numbers come from the contract's reference values and from :mod:`naive_spending`, which shares no code with
either engine.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import naive
import naive_special
import naive_spending as naive_way
import numpy as np
import pytest
import scenarios
from stat_tools import smallest_seen, surprise

import tcsim
from tcsim.engines import advice
from tcsim.engines.block import Block
from tcsim.engines.codes import Codes
from tcsim.engines.exact import solve
from tcsim.engines.monte_carlo import count
from tcsim.engines.optimal import plan
from tcsim.engines.states import decode
from tcsim.scenario import problem as p
from tcsim.scenario.policy_file import read_policy, rows_of
from tcsim.scenario.problem import Problem, Special, State
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import resolve

POLICIES = ("none", "all", "bloodbath", "greedy")


def problem(scenario: dict[str, Any]) -> Problem:
    return resolve(from_mapping(scenario)).problem


def p_out(scenario: dict[str, Any]) -> float:
    return tcsim.odds(scenario).out_of_action


def question(target: dict[str, Any], *attacks: dict[str, Any], **spend: Any) -> dict[str, Any]:
    return {"target": target, "attacks": list(attacks), "spend": spend or {"blood_on_injury": "optimal"}}


# --- reference values ------------------------------------------------------------------------------------------

TWO_AND_ONE = question({"injury_modifier": -2, "blood": 5}, {"shots": 2, "action_dice": 1}, {})
DOWN_AND_TOUGH = {"injury_modifier": -3, "tough": True, "down": True, "blood": 6}


def test_reference_values_of_volleys() -> None:
    three = {"shots": 3, "action_dice": 2}
    assert p_out(TWO_AND_ONE) == pytest.approx(0.7187623417411535, abs=1e-12)
    assert p_out(question(DOWN_AND_TOUGH, three)) == pytest.approx(0.43594578832332526, abs=1e-12)
    every = question(DOWN_AND_TOUGH, three, blood_on_injury="all")
    assert p_out(every) == pytest.approx(0.06679814655608267, abs=1e-12)


def test_the_same_as_fractions() -> None:
    result = tcsim.odds(TWO_AND_ONE, fractions=True)
    assert result.fractions is not None
    assert result.fractions[0] == naive.final_states(TWO_AND_ONE)[naive.OUT]
    assert sum(result.fractions) == 1


# --- against the naive way -------------------------------------------------------------------------------------


def small_volleys(seed: int, number: int) -> Iterator[dict[str, Any]]:
    """Random scenarios in which shots are resolved together, small enough to try every allocation."""
    rng = random.Random(seed)
    while number:
        made = scenarios.scenario(rng, small=True)
        made["spend"]["blood_on_injury"] = "optimal"
        made["options"] |= {"shots": rng.choice(("together", "together-ranged"))}
        made["target"]["blood"] = rng.randint(1, 6)
        made["attacks"] = made["attacks"][:3]
        attacks = [attack for attack in made["attacks"] if "event" not in attack]
        for attack in attacks:
            attack |= {"shots": rng.choice((1, 2, 2, 3)), "times": 1}
        if attacks and sum(attack["shots"] for attack in attacks) <= 5:
            number -= 1
            yield made


def final_states(scenario: dict[str, Any]) -> dict[Any, float]:
    states = tcsim.odds(scenario).states
    return {
        naive.OUT if s is None else (bool(s.down), s.blood, s.blessing, bool(s.tough)): chance for s, chance in states
    }


def test_every_allocation_of_small_volleys_is_tried() -> None:
    """All final states, so that ties are broken alike as well."""
    for made in small_volleys(11, 25):
        expected = naive.final_states(made)
        found = final_states(made)
        for state in expected.keys() | found.keys():
            assert found.get(state, 0.0) == pytest.approx(float(expected.get(state, 0)), abs=1e-12), made


@pytest.mark.parametrize(
    ("goal", "worth", "last"),
    [
        ("out", naive_way.p_out, None),
        ("down", naive_way.down_or_out, None),
        ("expected-blood", naive_way.blood_in_the_end, None),
        ("out-by-attack-1", lambda final: Fraction(final == naive.OUT), 1),
        ("out-by-attack-2", lambda final: Fraction(final == naive.OUT), 2),
        (
            [{"out_of_action": True, "value": 2}, {"down": True, "blood": ">=3", "value": 0.75}, {"value": -0.5}],
            lambda f: Fraction(2) if f == naive.OUT else Fraction(3, 4) if f[0] and f[1] >= 3 else Fraction(-1, 2),
            None,
        ),
    ],
)
def test_every_goal_is_made_as_large_as_it_can_be(goal: Any, worth: naive_way.Worth, last: int | None) -> None:
    for made in small_volleys(12, 4):
        made["spend"]["goal"] = goal
        expected = naive_way.best_value(made, worth, last)
        found = tcsim.spend(made)
        assert found.value == pytest.approx(float(expected), abs=1e-11), made
        assert min(found.losses.values()) == 0
        for way in found.ways:
            assert way.value <= found.value + 1e-11, (way.name, made)


def test_backward_solving_finds_the_best_of_every_policy() -> None:
    """Every policy is written down and played to its end: 2 attacks, few markers; the count is of such policies."""
    for target, attacks, least in (
        ({"injury_modifier": -1, "blood": 1}, [{"keywords": ["AUTO-HIT"], "times": 2}], 50),
        ({"injury_modifier": -2, "blood": 2, "down": True}, [{"keywords": ["AUTO-HIT"], "times": 2}], 600),
        ({"injury_modifier": -3, "blood": 3, "down": True}, [{"action_dice": 1}], 20),
        ({"injury_modifier": -2, "blood": 1}, [{"shots": 2, "action_dice": 1}], 300),
    ):
        made = question(target, *attacks)
        best, policies = naive_way.best_of_every_policy(made)
        assert policies >= least
        assert p_out(made) == pytest.approx(float(best), abs=1e-12)


ROWS: tuple[list[dict[str, Any]], ...] = (
    [{"down": True, "blood": (3, 6), "bloodbath": True}, {"attacks_left": 1, "dice": "all"}],
    [{"critical": True, "blood": (2, 6), "dice": 2}, {"tough": False, "blood": (1, 6), "dice": 1}],
    [
        {"plain_hits": (2, 9), "blood": (3, 6), "on_plain": ((2, False), (1, False))},
        {"critical_hits": (1, 9), "down": True, "blood": (4, 6), "on_critical": ((1, True),)},
        {"dice": "all", "bloodbath": True, "blood": 6},
        {"critical": False, "blood": (2, 5), "dice": 1},
    ],
)


def as_given(row: dict[str, Any]) -> dict[str, Any]:
    """A row of the naive way as a scenario has it."""
    given: dict[str, Any] = {}
    for name, value in row.items():
        if name in ("on_plain", "on_critical"):
            given[name] = [("bloodbath" + f"+{dice}" * (dice > 0)) if bath else dice for dice, bath in value]
        else:
            given[name] = f"{value[0]}-{value[1]}" if isinstance(value, tuple) else value
    return given


def test_rows_are_followed() -> None:
    for rows in ROWS:
        for made in small_volleys(13, 6):
            made["options"]["bloodbath_leftovers"] = "dice"
            made["spend"] = {**made["spend"], "policy": [as_given(row) for row in rows]}
            del made["spend"]["blood_on_injury"]
            expected = naive_way.value_of_rows(made, rows)
            assert p_out(made) == pytest.approx(float(expected), abs=1e-12), (rows, made)


def test_fixed_policies_as_rows() -> None:
    """Where no volley is resolved together, they come to the same as the policy that is named."""
    rows: dict[str, list[dict[str, Any]]] = {
        "none": [],
        "all": [{"dice": "all"}],
        "bloodbath": [{"blood": ">=6", "bloodbath": True}, {"down": True, "blood": ">=3", "bloodbath": True}],
    }
    rng = random.Random(3)
    for _ in range(20):
        made = scenarios.scenario(rng)
        made["options"]["shots"] = "in-turn"
        for name, given in rows.items():
            spend = {key: value for key, value in made["spend"].items() if key != "blood_on_injury"}
            named = p_out({**made, "spend": {**spend, "blood_on_injury": name}})
            assert p_out({**made, "spend": {**spend, "policy": given}}) == pytest.approx(named, abs=1e-12)


# --- never below, and its own table ----------------------------------------------------------------------------


def never_below(rng: random.Random) -> None:
    """Optimal is not below any fixed policy, for one random scenario."""
    made = scenarios.scenario(rng)
    if rng.random() < 0.2:
        made["target"]["infection"] = rng.randint(1, 3)
    base = problem({**made, "spend": {**made["spend"], "blood_on_injury": "optimal"}})
    codes = [p.OPTIMAL, *(p.BLOOD_POLICIES.index(name) for name in POLICIES)]
    asked = [replace(base, policy=base.policy._replace(blood=code)) for code in codes]
    best, *others = (dict(final).get(None, 0.0) for final in solve(asked))
    assert best >= max(others) - 1e-12, made


def test_optimal_is_never_below_a_fixed_policy() -> None:
    rng = random.Random(21)
    for _ in range(60):
        never_below(rng)


@pytest.mark.verification
def test_optimal_is_never_below_a_fixed_policy_in_ten_thousand_scenarios() -> None:
    rng = random.Random(22)
    for _ in range(10_000):
        never_below(rng)


def test_a_plan_told_as_rows_is_worth_the_same() -> None:
    """Any scenario: the rows are read back, and every final state is as probable as before."""
    rng = random.Random(23)
    for _ in range(8):
        made = scenarios.scenario(rng)
        made["spend"]["blood_on_injury"] = "optimal"
        made["target"] |= {"blood": rng.randint(1, 6), "infection": rng.choice((0, 0, 2))}
        rows = rows_of(advice.rules(problem(made)))
        spend = {key: value for key, value in made["spend"].items() if key != "blood_on_injury"}
        again = problem({**made, "spend": {**spend, "policy": rows}})
        told, followed = (dict(final) for final in solve([problem(made), again]))
        for state in told.keys() | followed.keys():
            assert followed.get(state, 0.0) == pytest.approx(told.get(state, 0.0), abs=1e-12), made


ROLLED = {
    "volley, then one": TWO_AND_ONE,
    "TOUGH and Down": question(DOWN_AND_TOUGH, {"shots": 3, "action_dice": 2}),
    "TOUGH absorbs the volley": {
        **question(
            {"injury_modifier": -1, "blood": 4, "tough": True}, {"shots": 3, "keywords": ["FIRE"]}, {"shots": 2}
        ),
        "options": {"volley_tough": "whole"},
    },
    "blessings": question(
        {"injury_modifier": -2, "blood": 6, "blessing": 2},
        {"shots": 3, "action_dice": 2},
        {"shots": 2},
        blood_on_injury="optimal",
        blessing_on_injury="all",
    ),
    "risky": question(
        {"injury_modifier": -2, "blood": 4},
        {"shots": 2, "keywords": ["RISKY"]},
        {"shots": 3},
        {"event": "activation"},
        {"shots": 2},
    ),
    "infection": question({"injury_modifier": -2, "blood": 5, "infection": 4}, {"shots": 3}, {"kind": "melee"}),
    "rows": question(
        {"injury_modifier": -1, "blood": 4, "blessing": 1, "tough": True},
        {"shots": 3, "action_dice": 2, "keywords": ["FIRE"]},
        {"shots": 2},
        {},
        policy=[as_given(row) for row in ROWS[2]],
        blessing_on_injury="all",
    ),
    "rows, in turn": question(
        {"injury_modifier": -1, "blood": 4, "tough": True},
        {"times": 3},
        policy=[as_given(row) for row in ROWS[0]],
    ),
}
TRIALS, FALSE_ALARM = 200_000, 1e-6


@pytest.mark.parametrize("name", ROLLED)
def test_dice_follow_the_plan(name: str) -> None:
    """Every final state; fails for nothing once in a million runs, and sees an error of 0.8 points near 1/2."""
    asked = problem(ROLLED[name])
    tally = count(asked, TRIALS, seed=5)
    chances = dict(solve([asked])[0])
    counts = {decode(code): number for code, number in tally.counts.items()}
    states = chances.keys() | counts.keys()
    for state in states:
        off = surprise(counts.get(state, 0), TRIALS, chances.get(state, 0.0))
        assert off > FALSE_ALARM / len(ROLLED) / len(states), (state, counts.get(state), chances.get(state))
    assert smallest_seen(TRIALS, 8 * len(states), FALSE_ALARM) < 0.008


def test_traces_tell_what_each_hit_got() -> None:
    """The story of each trial ends as its kernel counted it, and what it says was spent is what the plan deals out."""
    scenario = question(DOWN_AND_TOUGH, {"shots": 3, "action_dice": 3})
    result = tcsim.simulate(scenario, trials=100, seed=3, traces=100)
    assert result.run is not None
    ends: dict[Any, int] = {}
    spent = set()
    for trial in result.run.traces:
        ends[trial.end] = ends.get(trial.end, 0) + 1
        rolls = [roll for roll in trial.rolls if roll.roll == "injury"]
        spent.add(tuple(roll.spent for roll in rolls))
    assert ends == result.run.counts
    assert any(sum(map(bool, told)) > 1 for told in spent)  # some volleys share the markers out


# --- what few attacks do ----------------------------------------------------------------------------------------


def few(rng: random.Random, alone: bool) -> Special:
    """What few attacks do; what looks at other attacks only for one that is alone in its volley."""
    return Special(
        critical_lower=rng.randrange(3),
        modifier_per_marker=rng.randrange(2) * alone,
        sixes=rng.randrange(2),
        result=rng.choice((-1, -1, -1, 2)),
        marker_factor=rng.randrange(1, 3),
        infects=rng.randrange(2),
        bloodbath_cheaper=rng.randrange(3),
        down_for_minor=rng.randrange(2),
        rerolls=rng.randrange(3),
    )


def with_few(seed: int, shots: int) -> Problem:
    rng = random.Random(seed)
    target = {"blood": rng.randint(1, 4), "infection": rng.randrange(3), "tough": rng.random() < 0.4}
    attacks = [{"shots": shots}, {"kind": "melee", "injury_modifier": -1}, {"event": "activation"}, {"kind": "melee"}]
    asked = problem(question(target, *attacks))
    steps = [
        step._replace(special=few(rng, step.shots == 1)) if step.kind == p.ATTACK else step for step in asked.steps
    ]
    start = asked.start._replace(spared=rng.randrange(2), warded=rng.randrange(2) * (shots == 1))
    return replace(asked, steps=tuple(steps), start=start, nature=p.Nature(golem=rng.randrange(2), first_out=2))


def test_re_rolls_are_planned_for() -> None:
    """A hit that has ended the activation is spent on otherwise than one that has not: all ends, tie by tie."""
    for seed in range(4):
        asked = with_few(seed, shots=1)
        names = [name for name in naive_special.ATTACK if name not in ("six", "result")]
        steps: list[dict[str, Any]] = []
        for step in asked.steps:
            numbers = {**step._asdict(), **step.special._asdict()}
            result = {-1: None, 2: naive_special.DOWN}[step.special.result]
            given = {name: numbers[name] for name in names} | {"six": step.special.sixes, "result": result}
            steps.append(given if step.kind == p.ATTACK else {"event": "activation"})
        target = {name: getattr(asked.start, name) for name in State._fields}
        target |= {"golem": asked.nature.golem, "first_out": naive_special.DOWN}
        expected = naive_special.final_states({"target": target, "spend": {"blood": "optimal"}, "steps": steps})
        found = {
            naive.OUT if state is None else tuple(getattr(state, name) for name in naive_special.Target._fields): chance
            for state, chance in solve([asked])[0]
        }
        for state in expected.keys() | found.keys():
            assert found.get(state, 0.0) == pytest.approx(float(expected.get(state, 0)), abs=1e-12), seed


def test_volleys_of_what_few_attacks_do_follow_their_plan() -> None:
    """Exact and rolled; fails for nothing once in a million runs, and sees an error of 2.5 points near 1/2."""
    trials, cells = 20_000, []
    for seed in range(3):
        asked = with_few(seed, shots=3)
        chances = dict(solve([asked])[0])
        counts = {decode(code): number for code, number in count(asked, trials, seed).counts.items()}
        assert set(counts) <= set(chances)
        cells += [surprise(counts.get(state, 0), trials, chance) for state, chance in chances.items()]
    assert min(cells) > FALSE_ALARM / len(cells)
    assert smallest_seen(trials, len(cells), FALSE_ALARM) < 0.025


# --- ties ------------------------------------------------------------------------------------------------------


def deal_of(scenario: dict[str, Any], plain: int, critical: int) -> list[tuple[int, int]]:
    """What a volley that comes first deals out to so many hits, against the target as it starts."""
    asked = problem(scenario)
    block = Block([asked])
    codes = Codes(block, within_volley=False)
    [dealt] = plan(block, codes).deals.values()
    start = asked.start
    states = codes.states
    [code] = np.flatnonzero(
        (np.broadcast_to(states.blood, codes.size) == start.blood)
        & (np.broadcast_to(states.down, codes.size) == start.down)
        & (np.broadcast_to(states.ended, codes.size) == 0)
    )
    deal = dealt.deals[dealt.which[code, 0, 0, plain, critical]]
    own = [*deal[1 : 1 + dealt.hits][:plain], *deal[1 + dealt.hits :][:critical]]
    own += [0] * (plain + critical - len(own))
    return [(int(block.dice(choice)), int(block.bloodbath(choice))) for choice in own]


def test_ties_of_volleys() -> None:
    auto = {"shots": 3, "keywords": ["AUTO-HIT"]}
    # one marker is as good on any of three hits: the first gets it
    assert deal_of(question({"injury_modifier": -1, "blood": 1}, auto), 3, 0) == [(1, 0), (0, 0), (0, 0)]
    # out of action for certain, so nothing is spent
    sure = {"shots": 2, "injury_modifier": 20}
    assert deal_of(question({"blood": 6, "down": True}, sure), 1, 1) == [(0, 0), (0, 0)]
    # out of reach, so nothing is spent
    never = {"shots": 2, "injury_modifier": -20}
    assert deal_of(question({"blood": 6, "down": True}, never), 2, 0) == [(0, 0), (0, 0)]


def test_a_choice_within_1e_12_of_the_best_is_as_good() -> None:
    """A goal that is all but indifferent: what is gained by spending is less than can be told apart."""
    goal = [{"out_of_action": True, "value": 1e-13}]
    made = question({"blood": 3}, {"kind": "melee"}, blood_on_injury="optimal", goal=goal)
    assert all(state.blood >= 3 for state, _ in tcsim.odds(made).states if state is not None)
    goal[0]["value"] = 1e-9
    assert any(state.blood < 3 for state, _ in tcsim.odds(made).states if state is not None)


# --- what cannot be planned, and the fingerprint ---------------------------------------------------------------


def test_where_the_order_of_hits_matters_one_sentence_says_so() -> None:
    asked = problem(question({"blood": 2}, {"shots": 2}))
    step = asked.steps[0]
    by_marker = replace(asked, steps=(step._replace(special=step.special._replace(modifier_per_marker=1)),))
    from tcsim.scenario.resolve import check_plan

    with pytest.raises(tcsim.InputError, match="number of hits matters"):
        check_plan(by_marker)
    check_plan(replace(by_marker, steps=(by_marker.steps[0]._replace(shots=1),)))
    check_plan(replace(by_marker, policy=by_marker.policy._replace(blood=p.GREEDY)))


def test_fingerprints() -> None:
    """Rows and goal are part of the question; where there are none the fingerprint is what it was before them."""
    plain = question({"blood": 2}, {})
    goals = ["down", "expected-blood", "out-by-attack-1", "out-by-attack-2", [{"value": 1.0}], [{"value": 2.0}]]
    asked = [problem({**plain, "spend": {"blood_on_injury": "optimal", "goal": goal}}) for goal in goals]
    policies = [[{"dice": 0}], [{"dice": "all"}], [{"blood": ">=1", "dice": 1}], []]
    asked += [problem({**plain, "spend": {"policy": rows}}) for rows in policies]
    asked.append(problem(plain))
    assert len({one.fingerprint for one in asked}) == len(asked)
    assert problem({**plain, "spend": {"blood_on_injury": "optimal", "goal": "out"}}) == problem(plain)
    # as numbers were written before there were goals and rows
    import hashlib

    [step] = problem(plain).steps
    one = problem(plain)
    numbers = [tuple(one.charts), tuple(one.rulings), tuple(one.start)[:4], one.minor_for_down, tuple(one.policy)]
    text = repr([one.edition, *numbers, tuple(step)[:-2]])
    assert one.fingerprint == hashlib.sha256(text.encode("ascii")).hexdigest()


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_csv_lines_may_end_as_on_any_machine(end: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.csv"
    path.write_bytes(end.join(["blood,dice", ">=2,2", ""]).encode())
    assert read_policy(path).rows == [{"blood": ">=2", "dice": 2}]
