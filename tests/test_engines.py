"""Every number twice, and a third way: exact against naive, dice against naive die by die, dice against exact."""

from __future__ import annotations

import json
import random
import threading
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import naive
import naive_stream
import numpy as np
import pytest
import scenarios
from stat_tools import divergence, smallest_seen, surprise

import tcsim
from tcsim.engines import answer, monte_carlo, room, rows, states, trace
from tcsim.engines import play as playing
from tcsim.engines import tape as taping
from tcsim.engines.exact import solve, watch
from tcsim.kernels.layout import BLOCK
from tcsim.kernels.single import SINGLE_ENDS
from tcsim.kernels.stream import STREAM_VERSION, philox_words
from tcsim.scenario.problem import GATE, Gate, Problem, State, Step
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import Resolved, resolve

CASES = [json.loads(line) for line in (Path(__file__).parent / "data/attack_chains.jsonl").read_text().splitlines()]
FALSE_ALARM = 1e-6


def resolved(scenario: dict[str, Any]) -> Resolved:
    return resolve(from_mapping(scenario))


def ends(result: tcsim.Result) -> dict[Any, Any]:
    """Final states as the naive way writes them."""
    values = result.fractions or [p for _, p in result.states]
    return {_end(state): value for (state, _), value in zip(result.states, values, strict=True)}


def _end(state: Any) -> Any:
    return "out" if state is None else (bool(state.down), state.blood, state.blessing, bool(state.tough))


# --- exact -------------------------------------------------------------------------------------------------------


def case_ends(case: dict[str, Any]) -> dict[Any, float]:
    keys = ("down", "blood", "blessing", "tough")
    return {"out" if row["out_of_action"] else tuple(row[key] for key in keys): row["p"] for row in case["final"]}


def test_all_cases_in_one_block() -> None:
    """The 330 scenarios with known answers: each state once, within 1e-12, and the fraction exactly."""
    problems = [resolved(case["scenario"]).problem for case in CASES]
    assert len(problems) == 330
    floats, fractions = solve(problems), solve(problems, fractions=True)
    for case, final, exact in zip(CASES, floats, fractions, strict=True):
        expected = case_ends(case)
        found = {_end(state): p for state, p in final}
        assert len(found) == len(final)
        assert found.keys() == expected.keys(), case["scenario"]["id"]
        assert all(abs(found[end] - expected[end]) < 1e-12 for end in expected), case["scenario"]["id"]
        assert dict(exact).get(None, 0) == Fraction(case["fraction"])
        assert sum(p for _, p in exact) == 1


def test_blocks_do_not_matter() -> None:
    """A scenario alone, and in any company, has the very same answer."""
    problems = [resolved(case["scenario"]).problem for case in CASES[::7]]
    together = solve(problems * 7)
    for index, problem in enumerate(problems):
        [alone] = solve([problem])
        for final in together[index :: len(problems)]:
            assert [state for state, _ in final] == [state for state, _ in alone]
            assert all(abs(a - b) < 1e-15 for (_, a), (_, b) in zip(final, alone, strict=True))


@pytest.mark.parametrize("seed", range(8))
def test_random_scenarios_against_naive(seed: int) -> None:
    """Every option, policy, event and keyword by numbers: each final state equal as a fraction."""
    rng = random.Random(seed)
    for _ in range(60):
        scenario = scenarios.scenario(rng, size=0, small=True)
        expected = {end: p for end, p in naive.final_states(scenario).items() if p}
        assert ends(tcsim.odds(scenario, fractions=True)) == expected, scenario


def test_twenty_shots_in_one_action() -> None:
    """A volley of 20 automatic hits against the naive way, which can afford those."""
    scenario = {
        "target": {"injury_modifier": -6, "blood": 4, "tough": True},
        "attacks": [{"shots": 20, "keywords": ["AUTO-HIT"], "injury_dice": -2}],
        "spend": {"blood_on_injury": "greedy"},
    }
    assert ends(tcsim.odds(scenario, fractions=True)) == {k: p for k, p in naive.final_states(scenario).items() if p}


def test_optimal_is_never_worse() -> None:
    """Optimal spending is at least as good as each of the other policies, on the same scenario."""
    rng = random.Random(11)
    for _ in range(60):
        scenario = scenarios.scenario(rng)
        if not scenarios.resolves_in_turn(scenario):
            continue
        chances = {}
        for policy in scenarios.BLOOD_POLICIES:
            scenario["spend"]["blood_on_injury"] = policy
            chances[policy] = tcsim.odds(scenario).out_of_action
        assert chances["optimal"] >= max(chances.values()) - 1e-12, scenario


def test_watch_ends_where_solve_ends() -> None:
    rng = random.Random(3)
    for _ in range(40):
        question = resolved(scenarios.scenario(rng))
        story = watch(question.problem)
        result = tcsim.odds(question.scenario)
        assert story[-1][:2] == pytest.approx((result.down, result.out_of_action), abs=1e-12)
        assert story[-1].blood == pytest.approx(result.blood, abs=1e-9, nan_ok=True)
        assert len(story) == sum(step.volleys for step in question.problem.steps)
        assert all(late.out >= early.out - 1e-12 for early, late in pairwise(story))


def test_a_thousand_rolls() -> None:
    """The longest scenario: probabilities still sum to 1."""
    scenario = {"target": {"injury_modifier": -9, "tough": True}, "attacks": [{"kind": "melee", "times": 100}] * 10}
    [final] = solve([resolved(scenario).problem])
    assert abs(sum(p for _, p in final) - 1) < 1e-12


def test_no_chance_is_above_one() -> None:
    """Nor where rounding errors of many ways to one end add up."""
    rng = random.Random(1)
    for final in solve([resolved(scenarios.scenario(rng)).problem for _ in range(2_000)]):
        assert max(p for _, p in final) <= 1


# --- dice --------------------------------------------------------------------------------------------------------

#: Published known-answer vectors of Philox4x32-10 (Random123, kat_vectors): counter, key, words.
PHILOX = [
    ([0] * 4, [0] * 2, [0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8]),
    ([0xFFFFFFFF] * 4, [0xFFFFFFFF] * 2, [0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD]),
    (
        [0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344],
        [0xA4093822, 0x299F31D0],
        [0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1],
    ),
]


@pytest.mark.parametrize(("counter", "key", "words"), PHILOX)
def test_philox_known_answers(counter: list[int], key: list[int], words: list[int]) -> None:
    out = np.zeros(4, dtype=np.uint64)
    philox_words(np.array(counter, dtype=np.uint64), np.array(key, dtype=np.uint64), out)
    assert out.tolist() == words
    assert naive_stream.philox(counter, key) == words


def test_every_trial_again_by_hand() -> None:
    """Trials of the kernel, played again die by die by the naive way: the same end, and not a die too many."""
    rng = random.Random(5)
    for _ in range(60):
        scenario = scenarios.scenario(rng)
        if scenario["spend"]["blood_on_injury"] == "optimal":
            scenario["spend"]["blood_on_injury"] = rng.choice(scenarios.BLOOD_POLICIES[:4])
        problem = resolved(scenario).problem
        game = naive.Game(scenario)
        for tape in taping.tapes(problem, 150, seed=rng.randrange(2**64)):
            pools, code = naive_stream.read_tape(tape)
            state = taping.tape_end(problem, code)
            dice = naive_stream.Dice(pools, out=state is None)
            end = naive.roll_game(game, dice)
            assert end == _end(state), scenario
            assert not dice.dice, "a die was rolled that the game does not ask for"


def is_single(problem: Problem) -> bool:
    """Whether a question has the kernel for one plain attack to itself."""
    return len(rows.play_of(problem).ends) == SINGLE_ENDS


def single_attacks(count: int) -> list[dict[str, Any]]:
    """Random scenarios that are one attack roll with few dice, for the kernel that such a question has of its own."""
    rng, found = random.Random(17), []
    while len(found) < count:
        scenario = scenarios.scenario(rng)
        scenario["attacks"] = [{**scenarios.attack(rng, small=True), "shots": 1, "times": 1}]
        if is_single(resolved(scenario).problem):
            found.append(scenario)
    return found


def test_single_attacks_again_by_hand() -> None:
    for scenario in single_attacks(60):
        if scenario["spend"]["blood_on_injury"] == "optimal":
            continue
        problem = resolved(scenario).problem
        game = naive.Game(scenario)
        for tape in taping.tapes(problem, 100, seed=3):
            pools, code = naive_stream.read_tape(tape)
            dice = naive_stream.Dice(pools, out=False)
            assert naive.roll_game(game, dice) == _end(taping.tape_end(problem, code)), scenario
            assert not dice.dice


def test_single_attacks_against_exact() -> None:
    """False alarm at most 1e-6 over all cells (1,000 are allowed for); an error of 0.005 near 1/2 is seen."""
    assert smallest_seen(8 * BLOCK, 1000, FALSE_ALARM) < 0.005
    questions = single_attacks(60)
    failed, cells = disagreements(questions, questions, 8 * BLOCK)
    assert failed == 0
    assert 100 < cells < 1000


def test_told_trials_end_as_they_are_counted() -> None:
    """Trials told die by die follow the charts to the very end that the kernel counted."""
    rng = random.Random(23)
    for scenario in [*(scenarios.scenario(rng) for _ in range(50)), *single_attacks(10)]:
        question = resolved(scenario)
        tapes = taping.tapes(question.problem, 40, seed=2)
        for trial, tape in zip(trace.trials(question, 40, seed=2), tapes, strict=True):
            assert trial.end == taping.tape_end(question.problem, tape[-1]), scenario
            dice = [die for pool in naive_stream.read_tape(tape)[0] for die in pool.dice]
            assert sorted(dice) == sorted(die for roll in trial.rolls for die in roll.dice)
            assert all(set(roll.kept) <= set(roll.dice) for roll in trial.rolls)


@pytest.mark.parametrize("times", [1, 3])
def test_a_run_in_odd_pieces(times: int) -> None:
    spend = {"blood_on_injury": "all"}
    problem = resolved({"target": {"blood": 2}, "attacks": [{"times": times}], "spend": spend}).problem
    ends = [0, 1, 999, 1000, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK, 3 * BLOCK - 5, 3 * BLOCK + 70]
    pieces = [monte_carlo.count(problem, stop - start, seed=6, start=start) for start, stop in pairwise(ends)]
    whole = monte_carlo.count(problem, ends[-1], seed=6)
    total = pieces[0]
    for piece in pieces[1:]:
        total = total + piece
    assert total == whole


@pytest.mark.parametrize("times", [1, 4])
def test_tapes_are_the_trials_that_are_counted(times: int) -> None:
    target, spend = {"blood": 1, "tough": True}, {"blood_on_injury": "greedy"}
    problem = resolved({"target": target, "attacks": [{"times": times}], "spend": spend}).problem
    assert is_single(problem) == (times == 1)
    codes = [naive_stream.read_tape(tape)[1] for tape in taping.tapes(problem, 3_000, seed=8)]
    ends = Counter(states.encode(taping.tape_end(problem, code)) for code in codes)
    assert monte_carlo.count(problem, 3_000, seed=8).counts == ends


@pytest.mark.parametrize("spend", ["none", "all", "bloodbath", "greedy"])
@pytest.mark.parametrize(("edition", "shots"), [("1.6.3", 1), ("1.6.3", 3), ("1.0.2", 1)])
def test_what_is_told_and_what_is_counted_are_the_same_trials(spend: str, edition: str, shots: int) -> None:
    """Tapes are written by passes that do one thing at a time, counts mostly by quicker ones: both roll the same dice.

    Every number of action dice that is quick and one that is not; fewer and fewer lanes are left to roll.
    """
    for dice in (-5, -4, -3, -2, -1, 0, 1, 2, 3, 4, 5):
        target = {"blood": 6, "tough": dice % 2 == 0, "injury_modifier": -abs(dice)}
        attack = {"action_dice": dice, "injury_dice": dice // 2, "shots": shots, "times": 3}
        question = {"edition": edition, "target": target, "attacks": [attack], "spend": {"blood_on_injury": spend}}
        problem = resolved(question).problem
        ends = Counter(
            states.encode(taping.tape_end(problem, tape[-1])) for tape in taping.tapes(problem, 2_500, seed=8)
        )
        assert monte_carlo.count(problem, 2_500, seed=8).counts == ends


def test_the_flat_die_of_a_bloodbath_is_told_as_it_fell() -> None:
    """It is rolled after a pool that keeps the lowest, and is itself no such pool."""
    question = resolved(
        {
            "target": {"blood": 6, "injury_modifier": -3},
            "attacks": [{"injury_dice": -2, "times": 2}],
            "spend": {"blood_on_injury": "bloodbath"},
            "options": {"bloodbath": "add"},
        }
    )
    tapes = taping.tapes(question.problem, 400)
    for trial, tape in zip(trace.trials(question, 400), tapes, strict=True):
        assert trial.end == taping.tape_end(question.problem, tape[-1])


def test_tapes_do_not_depend_on_what_was_played_before() -> None:
    target, spend = {"blood": 3}, {"blood_on_injury": "greedy"}
    problem = resolved({"target": target, "attacks": [{"times": 2}], "spend": spend}).problem
    other = resolved({"target": {"blood": 6}, "attacks": [{"times": 3}], "spend": {"blood_on_injury": "all"}}).problem
    before = taping.tapes(problem, 200)
    taping.tapes(other, 200)
    assert taping.tapes(problem, 200) == before


@pytest.mark.parametrize("times", [1, 3])
def test_blocks_have_words_of_their_own(times: int) -> None:
    problem = resolved({"target": {}, "attacks": [{"times": times}]}).problem
    starts = [block * BLOCK for block in (0, 1, 7, 8, 16, 64, 2**10, 2**20, 2**27)]
    counts = [monte_carlo.count(problem, BLOCK, start=start).counts for start in starts]
    assert len({tuple(sorted(found.items())) for found in counts}) == len(starts)


def test_what_the_kernels_cannot_hold_is_refused() -> None:
    problem = resolved({"target": {}, "attacks": [{"times": 2}]}).problem
    for step in (Step(shots=21), Step(injury_keep=6)):
        with pytest.raises(ValueError, match="the kernels hold 20 shots, 5 kept dice and 6 markers"):
            monte_carlo.count(replace(problem, steps=(step,)), 1)


def test_every_die_again_from_its_word() -> None:
    """The dice on the tapes are those of Philox words, found by row, chunk and lane in plain Python.

    Seven chunks of a volley, one after the other, as the spare words of a block are given out in this order.
    """
    scenario = {"target": {"injury_modifier": -2}, "attacks": [{"injury_dice": 1, "shots": 8}]}
    problem, seed = resolved(scenario).problem, 2**63
    assert not is_single(problem)
    key = naive_stream.key(STREAM_VERSION, seed, problem.fingerprint)
    tapes = iter(taping.tapes(problem, 7 * naive_stream.LANES, seed=seed))
    spares, given, few_rows = naive_stream.spare_words(key, 0), 0, 0
    for chunk in range(7):
        taken: dict[int, dict[int, list[int]]] = {}
        always = set()  # rows that are filled for all lanes: those of action rolls, and the first of injury rolls
        for lane in range(naive_stream.LANES):
            for pool in naive_stream.read_tape(next(tapes))[0]:
                for row, die in pool.rows:
                    taken.setdefault(row, {}).setdefault(lane, []).append(die)
                always |= {row for row, _ in pool.rows if pool.kind == 0} | {pool.rows[0][0]}
        for row in sorted(taken):
            words = naive_stream.row_of_words(key, 0, row, chunk)
            few = row not in always and len(taken[row]) <= naive_stream.FEW
            few_rows += few
            for lane, word in enumerate(words):
                if (lane in taken[row]) if few else naive_stream.is_unfair(word, 3):
                    words[lane] = next(spares)
                    given += 1
                    while naive_stream.is_unfair(words[lane], 3):
                        words[lane] = next(spares)
            for lane, dice in taken[row].items():
                assert dice == naive_stream.dice_of_word(words[lane], 3)[: len(dice)]
    assert given > naive_stream.LANES
    assert few_rows > 9


def test_every_die_of_a_single_attack_again_from_its_word() -> None:
    """The trials are the lanes with two fair words, one after the other, in plain Python."""
    problem = resolved({"target": {}, "attacks": [{"action_dice": 2, "injury_dice": -2}]}).problem
    assert is_single(problem)
    key = naive_stream.key(STREAM_VERSION, 9, problem.fingerprint)
    tapes = iter(taping.tapes(problem, 1_500, seed=9))
    for chunk in range(2):
        words = [naive_stream.row_of_words(key, 0, row, chunk) for row in (0, 20 * 64)]
        for action, injury in zip(*words, strict=True):
            if naive_stream.is_unfair(action, 4) or naive_stream.is_unfair(injury, 4):
                continue
            pools = naive_stream.read_tape(next(tapes, [naive_stream.END]))[0]
            if pools:
                assert [die - 1 for die in pools[0].dice] == naive_stream.dice_of_word(action, 4)
            if len(pools) > 1:
                dice = [6 - die if pools[1].lowest else die - 1 for die in pools[1].dice]
                assert dice == naive_stream.dice_of_word(injury, 4)[: len(dice)]
    assert next(tapes, None) is None


@pytest.mark.parametrize("threads", [2, 3, 8])
def test_threads_do_not_matter(threads: int) -> None:
    problem = resolved(CASES[1]["scenario"]).problem
    trials = 5 * BLOCK + 123
    one = monte_carlo.count(problem, trials, seed=4, threads=1)
    assert monte_carlo.count(problem, trials, seed=4, threads=threads) == one


def test_a_run_can_be_extended() -> None:
    """Counting on from where a run stopped, and adding, is the longer run."""
    problem = resolved(CASES[7]["scenario"]).problem
    whole = monte_carlo.count(problem, 2 * BLOCK + 500, seed=4)
    first = monte_carlo.count(problem, BLOCK + 77, seed=4)
    rest = monte_carlo.count(problem, BLOCK + 423, seed=4, start=BLOCK + 77)
    assert first + rest == whole
    with pytest.raises(ValueError, match="counted in both"):
        first + first
    with pytest.raises(ValueError, match="do not add"):
        first + monte_carlo.count(problem, 10, seed=5, start=BLOCK + 77)


GOLDEN_SCENARIOS: dict[str, dict[str, Any]] = {
    "one": {"target": {"injury_modifier": -1}, "attacks": [{"action_dice": 1}]},
    "two": {"target": {"injury_modifier": -1}, "attacks": [{"action_dice": 1, "times": 2}]},
    "volley": {
        "target": {"tough": True, "blood": 6, "injury_modifier": -3},
        "attacks": [{"action_dice": 3, "shots": 3}],
        "spend": {"blood_on_injury": "greedy"},
    },
}

#: Recorded from the kernels, whose dice the tests above find again in plain Python.
GOLDEN: dict[str, dict[Any, int]] = {
    "one": {
        (False, 0, 0, False): 21_656,
        (False, 1, 0, False): 42_872,
        (True, 1, 0, False): 20_664,
        "out": 14_808,
    },
    "two": {
        (False, 0, 0, False): 4_673,
        (False, 1, 0, False): 18_490,
        (False, 2, 0, False): 18_474,
        (True, 1, 0, False): 8_540,
        (True, 2, 0, False): 13_952,
        (True, 3, 0, False): 5_325,
        "out": 30_546,
    },
    "volley": {
        (False, 0, 0, True): 1,
        (False, 1, 0, True): 544,
        (False, 2, 0, True): 3_399,
        (False, 3, 0, True): 5_016,
        (False, 6, 0, True): 4,
        (True, 1, 0, False): 1_776,
        (True, 1, 0, True): 1_714,
        (True, 2, 0, False): 10_747,
        (True, 2, 0, True): 10_950,
        (True, 3, 0, False): 20_340,
        (True, 3, 0, True): 21_037,
        (True, 4, 0, False): 10_374,
        (True, 4, 0, True): 8_463,
        (True, 5, 0, False): 1_576,
        (True, 5, 0, True): 1_021,
        "out": 3_038,
    },
}


@pytest.mark.parametrize("name", GOLDEN_SCENARIOS)
def test_golden_counts(name: str) -> None:
    """The stream is part of the contract: other counts for this seed need a new STREAM_VERSION."""
    assert STREAM_VERSION == 2
    run = tcsim.simulate(GOLDEN_SCENARIOS[name], 100_000, seed=1).run
    assert run is not None
    assert {_end(state): n for state, n in run.counts.items()} == GOLDEN[name]


def test_shared_dice() -> None:
    """Compared problems share their dice: a better weapon is never worse on the same dice."""
    plain = resolved({"target": {"injury_modifier": -2}, "attacks": [{}]}).problem
    better = resolved({"target": {"injury_modifier": -1}, "attacks": [{}]}).problem
    for start in range(0, 3000, 100):
        few = monte_carlo.count(plain, 100, dice="shared", start=start).counts.get(0, 0)
        more = monte_carlo.count(better, 100, dice="shared", start=start).counts.get(0, 0)
        assert more >= few
    own = monte_carlo.key_of(plain, 1), monte_carlo.key_of(better, 1)
    assert own[0].tolist() != own[1].tolist()


def test_seed_and_fingerprint_make_the_stream() -> None:
    problem = resolved(CASES[0]["scenario"]).problem
    keys = {tuple(monte_carlo.key_of(problem, seed).tolist()) for seed in (0, 1, 2, 2**64 - 1)}
    assert len(keys) == 4
    assert monte_carlo.key_of(problem, 1).tolist() == naive_stream.key(STREAM_VERSION, 1, problem.fingerprint)


POOLS = [(keep, net) for keep in (1, 2, 3, 4) for net in (-12, -5, -2, -1, 0, 1, 2, 5, 12)]


@pytest.mark.parametrize(("keep", "net"), POOLS)
def test_rolled_pools_against_their_distribution(keep: int, net: int) -> None:
    """Results of really rolled injury pools: false alarm 1e-6 over all, an error of 0.009 near 1/2 is seen."""
    trials = 3 * BLOCK
    checks = len(POOLS) * 3
    assert smallest_seen(trials, checks, FALSE_ALARM) < 0.009
    pool = tcsim.Pool(net, keep)
    middle = int(pool.mean())
    step = Step(auto_hit=1, injury_keep=keep, injury_dice=net, injury_modifier=8 - middle)
    plain = resolved({"target": {}, "attacks": [{}]}).problem
    tally = monte_carlo.count(replace(plain, steps=(step,)), trials, seed=77)
    counts = Counter({states.decode(code): n for code, n in tally.counts.items()})
    out, down = counts[None], counts[State(down=1, blood=1)]
    for count, target in ((out, middle + 1), (out + down, middle - 1), (trials - counts[State()], middle - 6)):
        chance = float(pool.at_least(target))
        assert surprise(count, trials, chance) > FALSE_ALARM / checks, target


def kinds_of_scenarios() -> list[dict[str, Any]]:
    rng = random.Random(2024)
    return [scenarios.scenario(rng) for _ in range(150)]


def disagreements(questions: list[dict[str, Any]], exact_of: list[dict[str, Any]], trials: int) -> tuple[int, int]:
    """Cells in which rolled counts and exact chances cannot both be right, and how many cells there are."""
    cells = failed = 0
    bound = FALSE_ALARM / 3000
    for question, twin in zip(questions, exact_of, strict=True):
        run = tcsim.simulate(question, trials, seed=12).run
        assert run is not None
        chances = dict(tcsim.odds(twin).states)
        for state in chances.keys() | run.counts.keys():
            cells += 1
            failed += surprise(run.counts.get(state, 0), trials, min(1.0, chances.get(state, 0.0))) < bound
    return failed, cells


def test_dice_against_exact() -> None:
    """Random scenarios of every kind, every final state.

    False alarm at most 1e-6 over all cells (3,000 are allowed for); an error of 0.007 in a chance near 1/2, and a
    smaller one in smaller chances, is seen at least half the time.
    """
    trials = 4 * BLOCK
    assert smallest_seen(trials, 3000, FALSE_ALARM) < 0.007
    questions = kinds_of_scenarios()
    failed, cells = disagreements(questions, questions, trials)
    assert failed == 0
    assert 900 < cells <= 3000


def test_dice_against_wrong_exact() -> None:
    """The test above can fail: one injury modifier off by 1 is seen in nearly every scenario."""
    questions = kinds_of_scenarios()[:12]
    wrong = [json.loads(json.dumps(question)) for question in questions]
    for question in wrong:
        question["attacks"] = [
            table if "event" in table else {**table, "injury_modifier": table["injury_modifier"] + 1}
            for table in question["attacks"]
        ]
    seen = [disagreements([a], [b], BLOCK)[0] > 0 for a, b in zip(questions, wrong, strict=True)]
    assert sum(seen) >= 8


def test_divergence_bound_is_a_bound() -> None:
    """The Chernoff bound behind these tests against exact binomial tails."""
    from math import comb

    n = 40
    for p in (0.03, 0.3, 0.5, 0.9):
        for k in range(n + 1):
            side = range(k, n + 1) if k >= n * p else range(k + 1)
            tail = sum(comb(n, i) * p**i * (1 - p) ** (n - i) for i in side)
            assert tail <= np.exp(-n * divergence(k / n, p)) + 1e-12


# --- the answer and its identity -----------------------------------------------------------------------------------


def test_fingerprint_is_the_question_not_the_way_it_was_asked() -> None:
    by_name = resolved(
        {
            "id": "a",
            "target": {"armour": ["Reinforced Armour", "Trench Shield"]},
            "attacks": [{"weapon": "Sword / Axe", "times": 2, "defended_obstacle": False}],
            "options": {"bloodbath": "keep"},
        }
    )
    by_number = resolved(
        {
            "id": "b",
            "target": {"injury_modifier": -3},
            "attacks": [{"kind": "melee", "keywords": ["CRITICAL"]}, {"kind": "melee", "keywords": ["CRITICAL"]}],
            "spend": {"blood_on_action": "all"},
        }
    )
    assert by_name.problem.fingerprint == by_number.problem.fingerprint
    assert by_name.problem == by_number.problem


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_events_come_to_the_fewest(length: int) -> None:
    """Every sequence of events between risky attacks, in as few steps as come to the same."""
    first = {"kind": "melee", "keywords": ["RISKY"], "injury_modifier": 1}
    target = {"down": True, "injury_modifier": -1}
    for events in product(("stand", "activation"), repeat=length):
        attacks = [first, *({"event": event} for event in events), {"kind": "melee", "defended_obstacle": True}]
        scenario = {"target": target, "attacks": attacks}
        assert ends(tcsim.odds(scenario, fractions=True)) == {
            k: v for k, v in naive.final_states(scenario).items() if v
        }
        assert len(resolved(scenario).problem.steps) <= 4


def test_fingerprint_sees_every_number() -> None:
    """Changing any number of a problem changes its fingerprint."""
    problem = resolved(CASES[0]["scenario"]).problem
    seen = {problem.fingerprint}
    variants = [replace(problem, edition="1.0.2"), replace(problem, minor_for_down=1 - problem.minor_for_down)]
    for name in ("charts", "rulings", "start", "policy", "nature"):
        numbers = getattr(problem, name)
        variants += [
            replace(problem, **{name: numbers._replace(**{field: getattr(numbers, field) + 1})})
            for field in numbers._fields
        ]
    step = problem.steps[0]
    variants += [
        replace(problem, steps=(step._replace(**{field: getattr(step, field) + 1}), *problem.steps[1:]))
        for field in step._fields
        if field not in ("special", "gate")
    ]
    variants += [
        replace(problem, steps=(step._replace(special=step.special._replace(**{field: 7})), *problem.steps[1:]))
        for field in step.special._fields
    ]
    gated = Step(kind=GATE, gate=Gate(keep=1, net=1, total=4))
    for gate in (gated, *(gated._replace(gate=gated.gate._replace(**{field: 3})) for field in Gate._fields)):
        variants.append(replace(problem, steps=(gate, *problem.steps)))
    variants.append(replace(problem, steps=problem.steps[:1]))
    seen |= {variant.fingerprint for variant in variants}
    assert len(seen) == len(variants) + 1


@pytest.mark.parametrize(
    ("asked", "fingerprint"),
    [
        (
            {
                "target": {"keywords": ["GOLEM"], "infection": 1, "blood": 2},
                "attacks": [{"kind": "melee", "times": 2}, {"event": "target_activation"}],
                "spend": {"blood_on_injury": "greedy"},
            },
            "a38adb3f8c52333c4e2d150b0163e3e4c5ff9868091321243d55071b01aec159",
        ),
        (
            {"edition": "1.0.2", "target": {"unit": "War Prophet"}, "attacks": [{"weapon": "Plague Blade"}]},
            "d645a3a3cf747122a956c3c7ca23ad55653d4b0847619dee19a0af07d1f743a6",
        ),
        (
            {"target": {"tough": True}, "attacks": [{"shots": 3}]},
            "a3ba775b1cc4ef8bece95a231a7026c61df83910b479aa50a9109ba7cb5ee4c3",
        ),
    ],
)
def test_fingerprints_stay(asked: dict[str, Any], fingerprint: str) -> None:
    """Of problems as they were before more numbers were added to steps, targets and states: so their dice stay too."""
    assert resolved(asked).problem.fingerprint == fingerprint


def test_result_in_all_its_forms() -> None:
    scenario = {"id": "x", "target": {"tough": True}, "attacks": [{"times": 3}], "options": {"bloodbath": "add"}}
    exact = tcsim.odds(scenario)
    data = exact.to_dict()
    assert (data["id"], data["edition"], data["method"]) == ("x", "1.6.3", "exact")
    assert data["options"] == {"bloodbath": "add"}
    assert data["out_of_action"] == exact.out_of_action == data["final"][0]["p"]
    assert sum(row["p"] for row in data["final"]) == pytest.approx(1, abs=1e-12)
    frame = exact.final
    assert len(frame) == len(data["final"])
    assert frame["p"].sum() == pytest.approx(1)
    assert frame["down"].isna().sum() == 1
    rolled = tcsim.simulate(scenario, 50_000, seed=3)
    data = rolled.to_dict()
    assert (data["method"], data["trials"], data["seed"], data["level"]) == ("monte_carlo", 50_000, 3, 0.95)
    assert data["low"] <= data["out_of_action"] <= data["high"]
    assert sum(row["count"] for row in data["final"]) == 50_000
    assert all(row["low"] <= row["p"] <= row["high"] for row in data["final"])
    rare = [row for row in data["final"] if row["count"] < 10]
    assert all((row["interval"] == "clopper_pearson") == (row in rare) for row in data["final"])


def test_never_out_of_action() -> None:
    result = tcsim.odds({"target": {"tough": True}, "attacks": [{}]}, fractions=True)
    assert result.out_of_action == 0
    assert result.to_dict()["fraction"] == "0"
    assert tcsim.simulate({"target": {"tough": True}, "attacks": [{}]}, 100).to_dict()["out_of_action"] == 0


def test_fractions_have_a_limit() -> None:
    with pytest.raises(tcsim.InputError, match="51 attack rolls, at most 50"):
        tcsim.odds({"target": {}, "attacks": [{"times": 51}]}, fractions=True)
    assert tcsim.odds({"target": {}, "attacks": [{"times": 50}]}, fractions=True).fractions is not None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"trials": 0}, "trials: 0 is given"),
        ({"trials": True}, "trials: true is given"),
        ({"trials": 1.5}, "trials: 1.5 is given"),
        ({"trials": 10, "seed": -1}, "seed: -1 is given"),
        ({"trials": 10, "seed": 2**64}, "seed: 18446744073709551616 is given"),
        ({"trials": 10, "threads": 0}, "threads: 0 is given"),
        ({"trials": 10, "dice": "loaded"}, "own or shared"),
        ({"trials": 10, "precision": 0.0}, "0.000001 to less than 0.5"),
        ({"trials": 10, "precision": True}, "precision: true is given"),
        ({"trials": 10, "mode": "counts", "precision": 0.1}, "goes with the mode dice"),
        ({"trials": "x", "precision": 0.1}, 'trials: "x" is given'),
        ({"trials": 10, "mode": 3}, "dice, outcome, counts is allowed"),
        ({"trials": 10, "traces": -1}, "traces: -1 is given"),
        ({"trials": 10, "mode": "dise"}, 'did you mean "dice"'),
    ],
)
def test_wrong_ways_to_simulate(arguments: dict[str, Any], words: str) -> None:
    with pytest.raises(tcsim.InputError, match=words):
        tcsim.simulate({"target": {}, "attacks": [{}]}, **arguments)


# --- drawn from the exact answer, and until it is precise ------------------------------------------------------------


@pytest.mark.parametrize("mode", ["outcome", "counts"])
def test_drawn_trials_have_the_exact_chances(mode: str) -> None:
    """False alarm at most 1e-6 over both modes; an error of 0.007 near 1/2 is seen. The answer says what it is."""
    trials = 4 * BLOCK + 77
    bound = FALSE_ALARM / 1000
    assert smallest_seen(trials, 1000, FALSE_ALARM) < 0.007
    cells = 0
    for scenario in kinds_of_scenarios()[:50]:
        result = tcsim.simulate(scenario, trials, seed=3, mode=mode)
        assert result.run is not None
        assert (result.method, sum(result.run.counts.values())) == (mode, trials)
        assert any("cannot check" in note for note in result.to_dict()["notes"])
        chances = dict(tcsim.odds(scenario).states)
        for state in chances.keys() | result.run.counts.keys():
            cells += 1
            assert surprise(result.run.counts.get(state, 0), trials, min(1.0, chances.get(state, 0.0))) > bound
    assert cells < 500


def test_outcomes_in_odd_numbers_again_by_hand() -> None:
    """One number of 64 bits a trial, against the thresholds, in plain Python; the bits behind a tie included."""
    from tcsim.engines import drawn
    from tcsim.kernels.outcome import count_outcomes

    chances, key = [0.1, 2.0**-16, 0.4, 0.5 - 2.0**-16], np.array([5, 6], dtype=np.uint64)
    cuts = [int(cut) for cut in drawn.thresholds(chances)]
    start, stop = BLOCK - 1500, BLOCK + 700
    expected = Counter[int]()
    for trial in range(start, stop):
        block, place = divmod(trial, BLOCK)
        chunk, lane = divmod(place, naive_stream.LANES)
        first = naive_stream.word([5, 6], block, 0, chunk, lane)
        a, b, *_ = naive_stream.philox([lane | chunk << 16 | 1 << 31, 0, block, 0], [5, 6])
        number = first << 48 | a << 16 | b & 0xFFFF
        expected[sum(number >= cut for cut in cuts)] += 1
    high = np.array([cut >> 48 for cut in cuts], dtype=np.uint16)
    low = np.array([cut & (2**48 - 1) for cut in cuts], dtype=np.uint64)
    counts = np.zeros(4, dtype=np.int64)
    count_outcomes(key, start, stop, high, low, room.workspace(), counts)
    assert {k: n for k, n in enumerate(counts.tolist()) if n} == expected


def test_precision_is_reached() -> None:
    scenario = {"target": {"injury_modifier": -1}, "attacks": [{"times": 2}]}
    result = tcsim.simulate(scenario, precision=0.001, seed=2)
    assert result.interval is not None
    _, low, high = result.interval
    assert (high - low) / 2 <= 0.001
    assert result.run is not None
    assert result.run.trials < 2_000_000
    short = tcsim.simulate(scenario, trials=100_000, precision=0.001, seed=2).run
    assert short is not None
    assert short.trials == 100_000


def test_what_can_never_happen_has_an_honest_upper_bound() -> None:
    result = tcsim.simulate({"target": {"tough": True}, "attacks": [{}]}, trials=1_000_000)
    assert result.interval is not None
    assert result.interval[0] == "clopper_pearson"
    assert 3.6e-6 < result.interval[2] < 3.8e-6  # the rule of three, for 97.5%


@pytest.mark.parametrize("mode", ["dice", "outcome"])
def test_ctrl_c_keeps_what_was_counted(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interrupted run is a shorter run: the same counts as if so many trials had been asked for."""
    question, counted = resolved({"target": {}, "attacks": [{"times": 2}]}), threading.Event()

    def interrupted(futures: Any) -> None:
        assert counted.wait(60)
        raise KeyboardInterrupt

    monkeypatch.setattr(playing, "wait", interrupted)
    plan = answer.Plan(trials=20_000 * BLOCK, mode=mode)
    partial = answer.simulate_resolved(question, plan, progress=lambda _: counted.set()).run
    monkeypatch.undo()
    assert partial is not None
    assert partial.partial
    assert 0 < partial.trials < 20_000 * BLOCK
    whole = answer.simulate_resolved(question, replace(plan, trials=partial.trials)).run
    assert whole is not None
    assert partial.counts == whole.counts


def test_ctrl_c_while_threads_start_loses_no_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """A worker of which nobody knows yet has begun all the same, and what it plays counts."""
    really_submit, started = playing.ThreadPoolExecutor.submit, threading.Event()

    def interrupted(pool: Any, work: Any) -> Any:
        really_submit(pool, work)
        assert started.wait(60)
        raise KeyboardInterrupt

    monkeypatch.setattr(playing.ThreadPoolExecutor, "submit", interrupted)
    problem = resolved({"target": {}, "attacks": [{"times": 2}]}).problem
    with pytest.raises(playing.Interrupted) as caught:
        monte_carlo.count(problem, 2_000 * BLOCK, progress=lambda _: started.set())
    monkeypatch.undo()
    tally = caught.value.tally
    assert tally.trials == sum(tally.counts.values()) > 0


def test_dear_trials_can_be_stopped_too() -> None:
    """A task is a few blocks at most, and one block of a long scenario."""
    seen = []
    for times in (1, 4, 32, 100):
        problem = resolved({"target": {}, "attacks": [{"times": times}]}).problem
        tasks: list[int] = []
        how = replace(rows.play_of(problem), run=lambda *_: None)
        playing.play(how, np.zeros(2, np.uint64), "", (0, 64 * BLOCK), 1, tasks.append)
        seen.append(max(tasks) // BLOCK)
    assert seen == [8, 8, 1, 1]


def test_wanted_precision_that_is_not_reached_is_said() -> None:
    result = tcsim.simulate({"target": {}, "attacks": [{}]}, trials=1_000, precision=0.001)
    assert result.notes[-1] == "The interval is ±0.023 after 1,000 trials, not the ±0.001 wanted."
    assert not tcsim.simulate({"target": {}, "attacks": [{}]}, precision=0.01).notes


@pytest.mark.parametrize("times", [1, 2])
def test_compared_attacks_share_their_dice(times: int) -> None:
    """With one die more in the action roll, the first dice are the same."""
    questions = [{"target": {}, "attacks": [{"action_dice": dice, "times": times}]} for dice in (0, 1)]
    plain, more = (taping.tapes(resolved(question).problem, 500, 1, "shared") for question in questions)
    for a, b in zip(plain, more, strict=True):
        first, second = naive_stream.read_tape(a)[0][0], naive_stream.read_tape(b)[0][0]
        assert first.dice == second.dice[:2]
        assert len(second.dice) == 3
