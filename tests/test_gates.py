"""Gates: rolls in the attacker's activation that are no attacks. Exact, rolled and naive come to the same.

By hand: 2D6 come to 7 or more in 21 of 36 throws, with -1 DICE in 69 of 216, with +1 in 174 of 216; a D6 comes to n or
more in 7 - n of 6, the higher of two in 1 - (n - 1)^2 / 36.
"""

from __future__ import annotations

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from naive_special import final_states
from stat_tools import smallest_seen, surprise
from test_naive_special import as_question, engine_finals, random_problem

from tcsim.engines import monte_carlo
from tcsim.engines.exact import solve, watch
from tcsim.engines.states import decode
from tcsim.rules import Rulings, edition
from tcsim.scenario import problem as p
from tcsim.scenario.problem import Gate, Policy, Problem, State, Step

#: How often a check of counts fails for nothing.
FALSE_ALARM = 1e-6
KILL = Step(auto_hit=1, **{name: 40 for name in Step._fields if name.startswith("injury_modifier")})
HIT = {-1: Fraction(69, 216), 0: Fraction(21, 36), 1: Fraction(174, 216)}


def gate(net: int = 0, keep: int = 2, total: int = 7) -> Step:
    return Step(kind=p.GATE, gate=Gate(keep, net, total))


def problem(*steps: Step, policy: int = p.NONE) -> Problem:
    return Problem("1.6.3", edition("1.6.3").charts, Rulings(0, 0, 0, 1, 1), State(), 0, Policy(policy), steps)


def out(*steps: Step, policy: int = p.NONE) -> Fraction:
    [final] = solve([problem(*steps, policy=policy)], fractions=True)
    return dict(final).get(None, Fraction(0))


@pytest.mark.parametrize("net", HIT)
def test_a_risky_action_by_hand(net: int) -> None:
    assert out(gate(net), KILL) == HIT[net]
    assert out(gate(net), gate(), KILL) == HIT[net] * HIT[0]
    # what has failed is not tried again, and a new activation begins anyway
    assert out(gate(net), Step(kind=p.ACTIVATION), gate(1), KILL) == HIT[1]


@pytest.mark.parametrize("total", range(1, 8))
def test_a_charge_by_hand(total: int) -> None:
    assert out(gate(0, 1, total), KILL) == Fraction(7 - total, 6)
    assert out(gate(1, 1, total), KILL) == 1 - Fraction((total - 1) ** 2, 36)


def test_what_happens_to_the_target_is_skipped_too() -> None:
    """The target stands up unless the activation has ended: as after a failed RISKY attack."""
    asked = replace(problem(gate(), Step(kind=p.STAND), Step()), start=State(down=1))
    [final] = solve([asked], fractions=True)
    assert engine_finals(final) == final_states(as_question(asked))
    assert dict(final)[State(down=1)] >= 1 - HIT[0]


def with_gates(rng: random.Random) -> Problem:
    """Anything special, with gates anywhere between."""
    asked = random_problem(rng)
    steps = list(asked.steps)
    for _ in range(rng.randint(1, 3)):
        keep = rng.choice((1, 2, 2))
        steps.insert(rng.randint(0, len(steps) - 1), gate(rng.randint(-2, 2), keep, rng.randint(1, 6 * keep + 1)))
    return replace(asked, steps=tuple(steps))


@pytest.mark.parametrize("seed", range(4))
def test_exact_against_naive(seed: int) -> None:
    """Twenty problems a seed, optimal spending among them, as fractions: every final state has the very same chance."""
    rng = random.Random(f"gates {seed}")
    for asked in (with_gates(rng) for _ in range(20)):
        [final] = solve([asked], fractions=True)
        assert engine_finals(final) == final_states(as_question(asked)), asked


def test_blocks_with_and_without_gates() -> None:
    """Problems side by side come to the same as each alone."""
    rng = random.Random("side by side")
    asked = [with_gates(rng) if number % 2 else random_problem(rng) for number in range(16)]
    for one, final in zip(asked, solve(asked), strict=True):
        alone = dict(solve([one])[0])
        assert dict(final).keys() == alone.keys()
        assert all(abs(chance - alone[state]) < 1e-12 for state, chance in final)


def test_rolled_against_exact() -> None:
    """Every end of random problems, and each moment on the way.

    All counts together fail for nothing once in a million runs; the last line says the smallest error of a chance near
    1/2 that is seen at least half the time.
    """
    rng, trials = random.Random("rolled gates"), 40_000
    surprises = []
    for seed in range(30):
        asked = with_gates(rng)
        exact = dict(solve([asked])[0])
        counts = {decode(code): n for code, n in monte_carlo.count(asked, trials, seed).counts.items()}
        assert set(counts) <= set(exact)
        surprises += [surprise(counts.get(state, 0), trials, chance) for state, chance in exact.items()]
        story = monte_carlo.follow(asked, trials, seed)
        assert story.trials == trials
        assert story.out[-1] == counts.get(None, 0)
        for moment, *counted in zip(watch(asked), story.down, story.out, story.ended, strict=True):
            surprises += [surprise(n, trials, min(chance, 1.0)) for n, chance in zip(counted, moment, strict=True)]
    assert min(surprises) > FALSE_ALARM / len(surprises)
    assert smallest_seen(trials, len(surprises), FALSE_ALARM) < 0.02


def test_moments_by_hand() -> None:
    """A risky action, then a hit that takes the target out: ended before, or out."""
    first, second = watch(problem(gate(), KILL))
    assert first == pytest.approx((0, 0, 15 / 36), abs=1e-15)
    assert second == pytest.approx((0, 21 / 36, 15 / 36), abs=1e-15)


def test_an_open_gate_is_no_part_of_the_question() -> None:
    """Fingerprints of problems without gates are what they were: the numbers of gates are not in them."""
    plain = problem(Step(), KILL)
    assert plain.fingerprint == replace(plain, steps=(Step(gate=Gate()), KILL)).fingerprint
    assert plain.fingerprint != problem(gate(), Step(), KILL).fingerprint
    assert not plain.is_special
    assert problem(gate(), Step()).is_special
