"""Problems with what few attacks do and few targets are: rolled die by die, and exactly, come to the same.

The exact chain is held against a naive way in ``test_naive_special.py``; here the kernel's dice are held against it.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from fractions import Fraction
from typing import Any

import naive_stream
import numba
import numpy as np
import pytest
from stat_tools import surprise

import tcsim
from tcsim.engines import monte_carlo
from tcsim.engines import tape as taping
from tcsim.engines.block import Block
from tcsim.engines.exact import solve
from tcsim.engines.play import play
from tcsim.engines.special_rows import special_play
from tcsim.engines.states import decode, encode
from tcsim.engines.trace import trials as told_trials
from tcsim.kernels import special as special_kernel
from tcsim.kernels.stream import STREAM_VERSION
from tcsim.scenario.problem import ACTIVATED, ATTACK, Nature, Problem, Special, State, Step
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import Resolved, resolve

#: How often a check of counts fails for nothing.
FALSE_ALARM = 1e-6


def scenario(rng: random.Random) -> dict[str, Any]:
    """Two volleys, the target stands, and a risky attack; with any spending and any ruling."""
    spending = rng.choice(["none", "all", "bloodbath", "greedy", "optimal"])
    shots = 1 if spending == "optimal" else rng.choice([1, 1, 3])
    target = {"blood": rng.randrange(7), "blessing": rng.randrange(3), "infection": rng.randrange(4)}
    target |= {"down": rng.random() < 0.3, "tough": rng.random() < 0.3}
    return {
        "target": target,
        "attacks": [
            {"kind": "ranged", "shots": shots, "times": 2, "action_dice": 1},
            {"event": "stand"},
            {"kind": "melee", "injury_modifier": -1, "action_dice": 1, "keywords": ["RISKY"]},
            {"event": "target_activation"},
            {"kind": "melee", "injury_dice": 1},
        ],
        "options": {
            "bloodbath": rng.choice(["keep", "add"]),
            "volley_tough": rng.choice(["each", "whole"]),
            "volley_second_down": rng.choice(["one", "two"]),
        },
        "spend": {"blood_on_injury": spending, "blessing_on_injury": rng.choice(["none", "all"])},
    }


def special(rng: random.Random, alone: bool, rerolls: bool) -> Special:
    """Any of what an attack can do; what depends on earlier shots only for one that is alone in its volley."""
    return Special(
        critical_lower=rng.randrange(3),
        critical_lower_per_marker=rng.randrange(2),
        modifier_per_marker=rng.randrange(2),
        sixes=rng.randrange(2),
        result=rng.choice([-1, -1, -1, 0, 2, 3]),
        marker_factor=rng.randrange(3),
        infects=rng.randrange(2),
        infection=rng.randrange(2),
        infection_if_marked=rng.randrange(2),
        bloodbath_cheaper=rng.randrange(2),
        down_for_minor=rng.randrange(2),
        begins=rng.randrange(2) * alone,
        after_hits=int(rng.random() < 0.2) * alone,
        out_after_hits=rng.randrange(3) * alone,
        if_down=int(rng.random() < 0.1) * alone,
        rerolls=rng.randrange(3) * rerolls,
        bloodbath_cheaper_standing=rng.choice([0, 0, 3]),
        strikes=rng.randrange(3),
        if_struck=rng.choice([0, 0, 0, 1, 3]) * alone,
        unless_struck=rng.choice([0, 0, 0, 0, 2]),
        reaction_takes=rng.choice([0, 0, 2]),
        reaction_dice=rng.randint(-1, 1),
        reaction_dice_down=rng.randint(-1, 1),
        keeps_down=rng.randrange(2),
        if_spared=rng.choice([0, 0, 0, 1, 2]) * alone,
    )


def question(seed: int) -> Resolved:
    """A scenario whose problem has anything that few attacks do and few targets are."""
    rng = random.Random(seed)
    asked = resolve(from_mapping(scenario(rng)))
    problem = asked.problem
    steps = tuple(
        step._replace(special=special(rng, step.shots == 1, True)) if step.kind == ATTACK else step
        for step in problem.steps
    )
    nature = Nature(rng.randrange(2), rng.choice([0, 2]), int(rng.random() < 0.2), rng.randrange(3))
    flags = ("unhurt_minor", "spared_minor", "spared_sheds", "last_stand", "no_dice")
    nature = nature._replace(tough_unharmed=rng.choice([0, 0, 1, 2]))
    nature = nature._replace(first_down=rng.randrange(2), **{name: int(rng.random() < 0.25) for name in flags})
    start = problem.start._replace(spared=rng.choice([0, 1, 1, 3]), warded=rng.randrange(2), firm=rng.randrange(2))
    soft = rng.randrange(2)
    return replace(asked, problem=replace(problem, steps=steps, nature=nature, start=start, minor_for_down=soft))


def rolled(problem: Problem, trials: int, seed: int = 1) -> dict[State | None, int]:
    return {decode(code): count for code, count in monte_carlo.count(problem, trials, seed).counts.items()}


def test_exact_and_rolled_agree() -> None:
    """Every end of random problems, as surprising as chance allows; nothing impossible is ever counted."""
    trials, surprises = 30_000, []
    for seed in range(40):
        problem = question(seed).problem
        exact = dict(solve([problem])[0])
        counts = rolled(problem, trials, seed)
        assert set(counts) <= set(exact)
        surprises += [surprise(counts.get(state, 0), trials, chance) for state, chance in exact.items()]
    assert min(surprises) > FALSE_ALARM / len(surprises)


@pytest.mark.parametrize("seed", range(4))
def test_plain_problems_come_to_the_same(seed: int) -> None:
    """The kernel for special problems plays plain ones too, with other dice, and agrees with the exact answer."""
    given = scenario(random.Random(seed))
    given["target"].pop("infection")
    given["attacks"] = [table for table in given["attacks"] if table.get("event") != "target_activation"]
    problem = resolve(from_mapping(given)).problem
    assert not problem.is_special
    trials = 40_000
    tally = play(special_play(Block([problem])), monte_carlo.key_of(problem, seed), "x", (0, trials))
    exact = dict(solve([problem])[0])
    surprises = [surprise(tally.counts.get(encode(state), 0), trials, chance) for state, chance in exact.items()]
    assert min(surprises) > FALSE_ALARM / len(surprises)
    assert sum(tally.counts.values()) == trials


def test_counts_depend_on_neither_threads_nor_cuts() -> None:
    problem = question(5).problem
    whole = monte_carlo.count(problem, 150_000, seed=9, threads=1).counts
    assert monte_carlo.count(problem, 150_000, seed=9, threads=3).counts == whole
    first = monte_carlo.count(problem, 70_001, seed=9)
    rest = monte_carlo.count(problem, 79_999, seed=9, start=70_001)
    assert Counter(first.counts) + Counter(rest.counts) == Counter(whole)


def test_tough_that_absorbs_a_volley() -> None:
    """Four certain hits, all out of action, and what is spent on each: one end by hand, and any other against exact."""
    asked = {
        "target": {"tough": True, "blood": 6, "infection": 2},
        "options": {"shots": "together", "volley_tough": "whole"},
    }
    volley = {"kind": "ranged", "shots": 4, "keywords": ["AUTO-HIT"], "injury_modifier": 20}
    for spending, left in (("none", 2), ("all", 0), ("bloodbath", 2)):
        given = {**asked, "attacks": [volley], "spend": {"blood_on_injury": spending}}
        problem = resolve(from_mapping(given)).problem
        # one marker for the first Down, two for each other: 7, of which 6 fit
        assert rolled(problem, 1_000) == {State(1, 6, 0, 0, left): 1_000}
    attacks = [{"kind": "ranged", "shots": 4, "action_dice": 2}, {"kind": "melee", "action_dice": 3}]
    trials, surprises = 30_000, []
    for given in (attacks, attacks[::-1]):
        for spending in ("none", "all", "greedy", "bloodbath"):
            scenario = {**asked, "attacks": given, "spend": {"blood_on_injury": spending}}
            problem = resolve(from_mapping(scenario)).problem
            exact = dict(solve([problem])[0])
            counts = rolled(problem, trials)
            assert set(counts) <= set(exact)
            surprises += [surprise(counts.get(state, 0), trials, chance) for state, chance in exact.items()]
    assert min(surprises) > FALSE_ALARM / len(surprises)


def test_every_die_again_from_its_word() -> None:
    """Pools of few and many dice, lowest too: the dice of the tapes are found again in plain Python.

    An attack has a Philox call of its own, whose words begin its action roll, injury roll, flat die and re-roll; a word
    gives six dice, and the words of the rows behind give more.
    """
    attack = {"action_dice": 20, "injury_dice": -1, "injury_modifier": -20, "shots": 2}
    asked = {
        "target": {"infection": 6, "blood": 6},
        "attacks": [attack, {**attack, "action_dice": -1, "injury_dice": 40}],
        "options": {"shots": "together", "bloodbath": "add"},
        "spend": {"blood_on_injury": "bloodbath"},
    }
    problem = resolve(from_mapping(asked)).problem
    problem = replace(problem, steps=tuple(step._replace(special=Special(rerolls=1)) for step in problem.steps))
    key = naive_stream.key(STREAM_VERSION, 4, problem.fingerprint)
    met: set[tuple[int, int, bool]] = set()
    for trial, tape in enumerate(taping.tapes(problem, 150, seed=4)):
        acted: set[tuple[int, int]] = set()
        for pool in naive_stream.read_tape(tape)[0]:
            again = pool.kind == 0 and (pool.move, pool.shot) in acted
            acted.add((pool.move, pool.shot))
            of_attack = 64 * (64 * pool.move + pool.shot)
            first = of_attack + 64 * 20 * pool.kind + 32 * again
            words = [naive_stream.philox([trial + 2**31, of_attack, 0, 0], key)[3 if again else pool.kind]]
            for row in range(first + 1, first + 4):
                words += naive_stream.philox([trial + 2**31, row, 0, 0], key)
            fair = [word for word in words if word * 6**6 % 2**32 >= 2**32 % 6**6]
            dice = [word * 6**place // 2**32 % 6 for word in fair for place in range(1, 7)]
            turned = [die for _, die in pool.rows]  # lowest dice are turned over for the tape
            assert [5 - die for die in turned] == dice[: len(turned)] if pool.lowest else turned == dice[: len(turned)]
            met.add((pool.kind, len(pool.dice), again))
    assert {(0, 22, False), (0, 3, True), (1, 3, False), (1, 42, False), (2, 1, False)} <= met


def test_words_that_favour_some_dice_are_passed_over() -> None:
    """2,560 words of 2**32, too few to be met here by chance: the kernel's roll is handed some, and dice it needs."""

    @numba.njit
    def dice(word: Any, count: Any, source: Any, spare: Any, tape: Any, taped: Any) -> Any:
        return special_kernel.roll(source, word, 64, count, False, spare, tape, taped)

    for number in (0, 1, 1_657_008, 1_657_009, 1_657_010, 2**31, 2**32 - 1):
        for count in (1, 6, 7):
            source = np.array([5, 6, 0, 0, 2**31], dtype=np.uint64)  # key, block, and the first trial
            tape, taped = np.zeros((1, 20), dtype=np.int64), np.zeros(1, dtype=np.int64)
            dice(np.uint64(number), count, source, np.zeros(4, dtype=np.uint64), tape, taped)
            words = [number, *naive_stream.philox([2**31, 65, 0, 0], [5, 6])]
            fair = [word for word in words if word * 6**6 % 2**32 >= 2**32 % 6**6]
            assert (number in fair) == (number not in (0, 1_657_009, 2**31))
            expected = [word * 6**place // 2**32 % 6 for word in fair for place in range(1, 7)]
            assert [entry & 255 for entry in tape[0, : taped[0]].tolist()] == expected[:count]


def test_what_the_kernel_cannot_hold_is_refused() -> None:
    problem = resolve(from_mapping({"target": {"infection": 1}, "attacks": [{}]})).problem
    for step in (Step(shots=21), Step(action_dice=160, first_shot_dice=11), Step(injury_dice_down_critical=-171)):
        with pytest.raises(ValueError, match="the kernels hold 20 shots and 170 net dice"):
            monte_carlo.count(replace(problem, steps=(step,)), 1)


def test_told_trials_are_the_counted_ones() -> None:
    """What is told of each trial ends as the kernel's, and the ends of the first trials are those that are counted."""
    for seed in range(20):
        asked = question(seed)
        count = 60
        told = told_trials(asked, count, seed=3)
        tapes = taping.tapes(asked.problem, count, seed=3)
        for trial, tape in zip(told, tapes, strict=True):
            assert trial.end == taping.tape_end(asked.problem, tape[-1])
        assert Counter(trial.end for trial in told) == Counter(rolled(asked.problem, count, 3))


def test_states_are_numbered_once() -> None:
    """Every final state has a number of its own, and plain ones keep theirs."""
    every = [
        State(down, blood, blessing, tough, infection, spared, warded, firm)
        for down in (0, 1) for blood in range(7) for blessing in range(7) for tough in (0, 1)
        for infection in range(7) for spared in range(4) for warded in (0, 1) for firm in (0, 1)
    ]  # fmt: skip
    codes = [encode(state) for state in every]
    assert [decode(code) for code in codes] == every
    assert len(set(codes)) == len(every)
    assert max(encode(State(1, 6, 6, 1)), encode(State(0, 6, 6, 0))) == 196


def test_a_story_with_everything() -> None:
    """GOLEM, a fixed 6 and infection told in words, with the dice beside them."""
    asked = resolve(
        from_mapping(
            {
                "edition": "1.0.2",
                "target": {"keywords": ["GOLEM"], "armour": ["Standard Armour"], "infection": 1, "blood": 1},
                "attacks": [{"weapon": "tank-splitter-sword", "times": 6}, {"event": "target_activation"}],
            }
        )
    )
    text = "\n".join(map(str, told_trials(asked, 20, seed=2)))
    assert "; without a Bloodbath it is Down" in text
    assert "the target is activated: " in text
    for trial in told_trials(asked, 20, seed=2):
        assert trial.end is not None  # nothing but a Bloodbath takes a GOLEM out
        for roll in trial.rolls:
            if roll.roll == "injury":
                assert 6 in roll.dice


def test_an_activation_of_the_target_alone_is_special() -> None:
    """Infection grows by one, to six at most, and REGENERATE sheds blood: the same exactly and rolled."""
    result = tcsim.odds(
        {
            "target": {"infection": 2, "blood": 3, "keywords": ["REGENERATE 2"]},
            "attacks": [{"event": "target_activation"}, {"action_dice": -40}],
        }
    )
    chances = {(state.infection, state.blood): p for state, p in result.states if state is not None}
    assert chances[3, 1] > 0.999
    assert Step(kind=ACTIVATED) in result.resolved.problem.steps


@pytest.mark.parametrize(("rerolls", "edition"), [(1, "1.6.3"), (2, "1.0.2")])
def test_eye_of_god(rerolls: int, edition: str) -> None:
    """A failed action roll is made again, all dice; a 1 among them ends the activation, in 1.0.2 also as a failure.

    Every way the dice of two attacks can fall: a pool of 2D6 and its re-roll for each.
    """
    pools = [(a, b) for a in range(1, 7) for b in range(1, 7)]
    hit = goes_on = both = Fraction(0)
    for first in pools:
        for again in pools:
            used = first if sum(first) >= 7 else again
            spoilt = sum(first) < 7 and 1 in again
            is_hit = sum(used) >= 7 and not (spoilt and rerolls == 2)
            hit += Fraction(is_hit, 36**2)
            goes_on += Fraction(not spoilt, 36**2)
            both += Fraction(is_hit and not spoilt, 36**2)
    attack = {"kind": "melee", "injury_modifier": 20}  # every hit takes the target out
    problem = resolve(from_mapping({"edition": edition, "target": {}, "attacks": [attack, attack]})).problem
    steps = tuple(step._replace(special=Special(rerolls=rerolls)) for step in problem.steps)
    expected = hit + (goes_on - both) * hit  # the second attack is made after a miss that does not end the activation
    [(none, chance), *_] = solve([replace(problem, steps=steps)], fractions=True)[0]
    assert (none, chance) == (None, expected)
    named = tcsim.odds(
        {
            "edition": edition,
            "attacker": {"unit": "Observer"},
            "target": {},
            "attacks": [{**attack, "action_dice": -2, "times": 2}],  # its melee characteristic is +2
        }
    )
    assert named.out_of_action == pytest.approx(float(expected), abs=1e-12)
