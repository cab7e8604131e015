"""Counts that add, intervals against a second computation of each, and how numbers are written."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal, localcontext
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tcsim.base.errors import InputError
from tcsim.base.text import about, percent, plural, signed
from tcsim.stats import FEW, Tally, clopper_pearson, interval, next_trials, wilson, z_score

FAST = settings(max_examples=80, derandomize=True, deadline=None, database=None)


# --- tallies ------------------------------------------------------------------------------------------------


@st.composite
def apart(draw: st.DrawFn) -> list[Tally]:
    """Some tallies of one question whose trials do not overlap, in any order."""
    ends = sorted(draw(st.sets(st.integers(0, 200), min_size=2, max_size=10)))
    tallies = []
    for start, stop in itertools.pairwise(ends):
        if draw(st.booleans()):
            trials, counts = stop - start, {}
            for state in draw(st.permutations([1, 7, 40])):
                counts[state] = draw(st.integers(0, trials))
                trials -= counts[state]
            counts[3] = trials
            tallies.append(Tally("q", ((start, stop),), {s: n for s, n in counts.items() if n}))
    return draw(st.permutations(tallies))


@FAST
@given(tallies=apart())
def test_tallies_add_in_any_order_and_grouping(tallies: list[Tally]) -> None:
    assume(len(tallies) > 1)
    total = tallies[0]
    for tally in tallies[1:]:
        total = total + tally
    backwards = tallies[-1]
    for tally in tallies[-2::-1]:
        backwards = tally + backwards
    assert total == backwards
    assert total.trials == sum(tally.trials for tally in tallies) == sum(total.counts.values())
    for state in (1, 3, 7, 40):
        assert total.counts.get(state, 0) == sum(tally.counts.get(state, 0) for tally in tallies)
    assert list(total.spans) == sorted(total.spans)
    for (_, stop), (start, _) in itertools.pairwise(total.spans):
        assert stop < start  # those that touch became one


def test_spans_that_touch_become_one() -> None:
    parts = [Tally("q", ((start, start + 10),), {0: 10}) for start in (20, 0, 10)]
    assert parts[0] + parts[1] == Tally("q", ((0, 10), (20, 30)), {0: 20})
    assert parts[0] + parts[1] + parts[2] == Tally("q", ((0, 30),), {0: 30})


def test_adding_changes_neither() -> None:
    one, two = Tally("q", ((0, 2),), {5: 2}), Tally("q", ((2, 3),), {5: 1})
    assert (one + two).counts == {5: 3}
    assert (one.counts, two.counts) == ({5: 2}, {5: 1})


@pytest.mark.parametrize(
    ("first", "second", "trials"),
    [
        (((0, 10),), ((9, 20),), "9 to 9"),
        (((5, 10),), ((0, 20),), "5 to 9"),
        (((0, 10),), ((0, 10),), "0 to 9"),
        (((0, 1), (4, 8)), ((2, 6),), "4 to 5"),
    ],
)
def test_trials_are_never_counted_twice(first: Any, second: Any, trials: str) -> None:
    for spans, others in ((first, second), (second, first)):
        with pytest.raises(ValueError, match=f"trials {trials} are counted in both"):
            Tally("q", spans, {0: 1}) + Tally("q", others, {0: 1})


def test_other_questions_do_not_add() -> None:
    with pytest.raises(ValueError, match="different questions"):
        Tally("q seed 1", ((0, 1),), {0: 1}) + Tally("q seed 2", ((1, 2),), {0: 1})


def test_tally_of_nothing() -> None:
    nothing, some = Tally("q", (), {}), Tally("q", ((3, 9),), {2: 6})
    assert nothing.trials == 0
    assert nothing + some == some + nothing == some


# --- Wilson -------------------------------------------------------------------------------------------------

#: Two-sided quantiles of the normal distribution, from printed tables.
QUANTILES = {
    0.5: 0.674489750196,
    0.9: 1.644853626951,
    0.95: 1.959963984540,
    0.99: 2.575829303549,
    0.999: 3.290526731492,
}


@pytest.mark.parametrize("level", QUANTILES)
def test_quantiles(level: float) -> None:
    assert z_score(level) == pytest.approx(QUANTILES[level], abs=1e-11)
    assert math.erf(z_score(level) / math.sqrt(2)) == pytest.approx(level, abs=1e-14)


def passes_the_score_test(p: Decimal, count: int, trials: int, z: Decimal) -> bool:
    """Whether a chance p is not rejected: the share lies within z standard errors of p, which are those under p."""
    n = Decimal(trials)
    return (count / n - p) ** 2 <= z**2 * p * (1 - p) / n


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("trials", [1, 2, 5, 29, 1000, 10**12])
def test_wilson_inverts_the_score_test(level: float, trials: int) -> None:
    """A little inside each end the test accepts, a little outside it rejects; 40 digits decide."""
    with localcontext() as context:
        context.prec = 40
        z = Decimal(z_score(level))
        for count in sorted({0, 1, trials // 3, trials // 2, trials - 1, trials}):
            low, high = map(Decimal, wilson(count, trials, level))
            step = (high - low) * Decimal("1e-9") + Decimal(2) ** -52  # near 1 a float knows no more
            assert passes_the_score_test(low + step, count, trials, z)
            assert passes_the_score_test(high - step, count, trials, z)
            assert count == 0 or not passes_the_score_test(low - step, count, trials, z)
            assert count == trials or not passes_the_score_test(high + step, count, trials, z)


# --- Clopper and Pearson ------------------------------------------------------------------------------------


@cache
def binomial(trials: int, p: Fraction) -> tuple[Fraction, ...]:
    return tuple(math.comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(trials + 1))


@pytest.mark.parametrize("level", [0.5, 0.95, 0.999])
@pytest.mark.parametrize("trials", [1, 2, 3, 10, 30])
def test_clopper_pearson_inverts_the_binomial_tails(level: float, trials: int) -> None:
    """At the low end the upper tail is half of 1 - level, at the high end the lower tail; exact sums decide."""
    half = (1 - Fraction(level)) / 2
    step = Fraction(1, 10**11)
    for count in range(trials + 1):
        low, high = map(Fraction, clopper_pearson(count, trials, level))
        if count:
            assert sum(binomial(trials, low - step)[count:]) < half < sum(binomial(trials, low + step)[count:])
        if count < trials:
            below = slice(0, count + 1)
            assert sum(binomial(trials, high + step)[below]) < half < sum(binomial(trials, high - step)[below])


@pytest.mark.parametrize("level", [0.8, 0.95])
@pytest.mark.parametrize("trials", [1, 2, 5, 9, 14])
def test_clopper_pearson_covers_at_least_its_level(level: float, trials: int) -> None:
    """Exact, so no false alarm: for every p of the grid, the counts whose interval holds p have the level at least."""
    intervals = [clopper_pearson(count, trials, level) for count in range(trials + 1)]
    for step in range(201):
        p = Fraction(step, 200)
        chances = binomial(trials, p)
        covered = sum(chances[count] for count, (low, high) in enumerate(intervals) if low <= p <= high)
        assert covered >= level


@pytest.mark.parametrize("trials", [1, 7, 1000, 10**6, 10**12])
@pytest.mark.parametrize("level", [0.9, 0.95, 0.99])
def test_nothing_and_everything_in_closed_form(trials: int, level: float) -> None:
    """Nothing in n trials: the high end solves (1 - p)^n = half."""
    low, high = clopper_pearson(0, trials, level)
    assert low == 0.0
    assert high == pytest.approx(-math.expm1(math.log((1 - level) / 2) / trials), rel=1e-11)
    assert clopper_pearson(trials, trials, level) == (1 - high, 1.0)


def test_one_hit_in_a_million_million() -> None:
    """So rare an event is a Poisson one: the high end m for a count of 1 solves exp(-m) (1 + m) = 0.025."""
    low, high = clopper_pearson(1, 10**12)
    assert 10**12 * low == pytest.approx(-math.log(0.975), rel=1e-9)
    assert math.exp(-(10**12) * high) * (1 + 10**12 * high) == pytest.approx(0.025, rel=1e-9)


#: R. G. Newcombe, Statistics in Medicine 17 (1998), table I, methods 3 and 5: count, trials, Wilson, Clopper-Pearson.
NEWCOMBE = [
    (81, 263, (0.2553, 0.3662), (0.2527, 0.3676)),
    (15, 148, (0.0624, 0.1605), (0.0578, 0.1617)),
    (0, 20, (0.0000, 0.1611), (0.0000, 0.1684)),
    (1, 29, (0.0061, 0.1718), (0.0009, 0.1776)),
]


@pytest.mark.parametrize(("count", "trials", "by_score", "exact"), NEWCOMBE)
def test_published_intervals(count: int, trials: int, by_score: Any, exact: Any) -> None:
    assert wilson(count, trials) == pytest.approx(by_score, abs=5e-5)
    assert clopper_pearson(count, trials) == pytest.approx(exact, abs=5e-5)


# --- both ---------------------------------------------------------------------------------------------------

METHODS = [wilson, clopper_pearson]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("trials", [1, 2, 30, 200])
def test_ends_rise_with_the_count(method: Any, trials: int) -> None:
    ends = [method(count, trials) for count in range(trials + 1)]
    for (low, high), (next_low, next_high) in itertools.pairwise(ends):
        assert low < next_low
        assert high < next_high
    assert ends[0][0] == 0.0
    assert ends[-1][1] == 1.0
    for count, (low, high) in enumerate(ends):
        assert 0 <= low <= count / trials <= high <= 1
        assert low < high
        assert (low, high) == pytest.approx([1 - end for end in reversed(ends[trials - count])], abs=1e-12)


@FAST
@given(
    trials=st.integers(1, 10**12),
    edge=st.integers(0, 40),
    other=st.booleans(),
    level=st.sampled_from(sorted(QUANTILES)),
)
def test_ends_are_finite_and_ordered(trials: int, edge: int, other: bool, level: float) -> None:
    """Few hits or few misses, among up to a million million trials."""
    count = min(edge, trials)
    count = trials - count if other else count
    for method in METHODS:
        low, high = method(count, trials, level)
        assert 0 <= low <= count / trials <= high <= 1
        assert low < high
        assert (low == 0) == (count == 0)
        assert (high == 1) == (count == trials)
        wider = method(count, trials, (1 + level) / 2)
        assert wider[0] <= low
        assert high <= wider[1]


@pytest.mark.parametrize("method", METHODS)
def test_more_trials_narrow_it(method: Any) -> None:
    widths = [high - low for low, high in (method(n // 10, n) for n in (10, 100, 1000, 10_000))]
    assert widths == sorted(widths, reverse=True)
    assert widths[-2] / widths[-1] == pytest.approx(math.sqrt(10), rel=0.05)


def test_interval_changes_at_ten() -> None:
    """Fewer than ten of either outcome, hits or misses: Clopper and Pearson."""
    assert FEW == 10
    for trials in (20, 1000, 10**12):
        for count, method in ((0, "clopper_pearson"), (9, "clopper_pearson"), (10, "wilson")):
            for hits in (count, trials - count):
                name, low, high = interval(hits, trials)
                assert name == method
                assert (low, high) == (wilson if method == "wilson" else clopper_pearson)(hits, trials)
    assert interval(10, 19)[0] == "clopper_pearson"
    assert interval(500, 1000)[0] == "wilson"
    assert interval(3, 50, 0.99) == ("clopper_pearson", *clopper_pearson(3, 50, 0.99))


@pytest.mark.parametrize("method", [wilson, clopper_pearson, interval])
@pytest.mark.parametrize(
    ("numbers", "where"),
    [
        ((0, 0), "trials"),
        ((1, -1), "trials"),
        ((1, 2.0), "trials"),
        ((True, True), "trials"),
        ((-1, 5), "count"),
        ((6, 5), "count"),
        ((1.0, 5), "count"),
        ((1, 5, 0), "level"),
        ((1, 5, 1), "level"),
        ((1, 5, 95), "level"),
        ((1, 5, float("nan")), "level"),
    ],
)
def test_what_is_no_count_is_an_error(method: Any, numbers: tuple[Any, ...], where: str) -> None:
    with pytest.raises(InputError, match=f"^{where}: .+ is given, .+ is allowed$"):
        method(*numbers)


# --- how numbers are written --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("p", "decimals", "text"),
    [
        (0.0, 1, "0%"),
        (1.0, 1, "100%"),
        (1 / 6, 1, "16.7%"),
        (1 / 6, 0, "17%"),
        (1 / 6, 2, "16.67%"),
        (5e-324, 1, "<0.1%"),
        (0.000499, 1, "<0.1%"),
        (0.0006, 1, "0.1%"),
        (0.9994, 1, "99.9%"),
        (0.99951, 1, ">99.9%"),
        (1 - 2**-53, 2, ">99.99%"),
        (0.004, 0, "<1%"),
        (0.996, 0, ">99%"),
    ],
)
def test_percent(p: float, decimals: int, text: str) -> None:
    assert percent(p, decimals) == text


@FAST
@given(p=st.floats(0, 1, exclude_min=True, exclude_max=True), decimals=st.integers(0, 4))
def test_percent_is_never_certain_of_chance(p: float, decimals: int) -> None:
    text = percent(p, decimals)
    if text[0] in "<>":
        limit = float(text[1:-1])
        assert 100 * p < limit if text[0] == "<" else 100 * p > limit
    else:
        assert 0 < float(text[:-1]) < 100
        assert float(text[:-1]) == pytest.approx(100 * p, abs=0.5001 * 10**-decimals)


@pytest.mark.parametrize(
    ("p", "text"),
    [
        (0.0, "never"),
        (1e-310, "nearly never"),
        (2.0e-9, "about 1 in 500,000,000"),
        (0.0025, "about 1 in 400"),
        (1 / 36, "about 1 in 36"),
        (0.1, "about 1 in 10"),
        (1 / 3, "about 1 in 3"),
        (7 / 12, "about 4 in 7"),
        (0.9, "about 9 in 10"),
        (0.97, "nearly always"),
        (0.9999, "nearly always"),
        (1.0, "always"),
    ],
)
def test_about(p: float, text: str) -> None:
    assert about(p) == text


@FAST
@given(p=st.floats(1e-11, 0.94))
def test_about_is_about_right(p: float) -> None:
    _, upper, _, lower = about(p).replace(",", "").split()
    assert int(upper) / int(lower) == pytest.approx(p, rel=0.06, abs=0.05 if p > 0.1 else 0)


def test_signs_and_nouns() -> None:
    assert [signed(n) for n in (2, 0, -3)] == ["+2", "0", "−3"]
    assert [plural(n, "die", "dice") for n in (0, 1, 2)] == ["no dice", "1 die", "2 dice"]
    assert plural(2, "marker") == "2 markers"


@pytest.mark.parametrize("half_width", [0.002, 0.02])
@pytest.mark.parametrize("p", [0.0001, 0.003, 0.1, 0.5])
def test_coverage_of_the_sequential_procedure(p: float, half_width: float) -> None:
    """Runs that stop when their interval is narrow enough hold the truth about as often as the level says.

    2,000 runs: a standard deviation of the share is 0.005; 5 of them below 0.95 - 0.01 fail for nothing about 3e-7 of
    the time. (Small chances have Clopper-Pearson intervals, which hold it more often.)
    """
    rng, runs, held = np.random.default_rng(9), 2_000, 0
    for _ in range(runs):
        trials, goal = 0, 65_536 if half_width < 0.01 else 1_000
        count = 0
        while goal is not None:
            count += int(rng.binomial(goal - trials, p))
            trials = goal
            goal = next_trials(count, trials, half_width)
        _, low, high = interval(count, trials)
        assert (high - low) / 2 <= half_width
        held += low <= p <= high
    assert held / runs > 0.95 - 0.01 - 5 * 0.005
