"""Pools of dice: every count against throwing all the dice, and the tables of the rules sheet."""

from __future__ import annotations

import itertools
from collections import Counter
from fractions import Fraction
from math import comb
from operator import truediv
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tcsim.base.errors import InputError
from tcsim.dice import MAX_KEEP, MAX_MODIFIER, MAX_NET, MAX_SIDES, Pool, kept_counts, tail
from tcsim.rules import edition

FAST = settings(max_examples=60, derandomize=True, deadline=None, database=None)
POOLS = st.builds(
    Pool,
    net=st.integers(-40, 40),
    keep=st.integers(1, 6),
    sides=st.integers(2, 12),
    modifier=st.integers(-30, 30),
    added=st.integers(0, 3),
)


# --- every throw of the dice --------------------------------------------------------------------------------


@pytest.mark.parametrize("sides", range(2, 9))
def test_counts_are_those_of_all_throws(sides: int) -> None:
    """Up to 6 dice (7 of few sides) are thrown in every way; of each throw, sorted, one end is summed."""
    compared = 0
    for dice in range(1, 8 if sides <= 6 else 7):
        throws = np.sort(np.indices((sides,) * dice, dtype=np.int8).reshape(dice, -1) + 1, axis=0)
        for keep in range(1, min(dice, 5) + 1):
            for sign in (1, -1):
                kept = throws[dice - keep :] if sign > 0 else throws[:keep]
                counts = np.bincount(kept.sum(axis=0, dtype=np.int64))
                modifier = (keep - 3) * sign
                pool = Pool(sign * (dice - keep), keep, sides, modifier)
                expected = {total + modifier: n for total, n in enumerate(counts.tolist()) if n}
                assert pool.counts() == expected, pool
                assert list(pool.counts()) == sorted(expected)
                assert pool.denominator == throws.shape[1] == sides**dice
                compared += 1
    assert compared == 2 * sum(min(dice, 5) for dice in range(1, 8 if sides <= 6 else 7))


@pytest.mark.parametrize("net", [-2, -1, 0, 1, 2])
@pytest.mark.parametrize(("keep", "added"), [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1)])
def test_added_dice_always_count(net: int, keep: int, added: int) -> None:
    """The dice of the pool that count are kept, the others are added whatever they show."""
    pool = Pool(net, keep, sides=4, modifier=-1, added=added)
    totals: Counter[int] = Counter()
    for throw in itertools.product(range(1, 5), repeat=keep + abs(net) + added):
        rolled, apart = throw[: keep + abs(net)], throw[keep + abs(net) :]
        totals[sum(sorted(rolled, reverse=net > 0)[:keep]) + sum(apart) - 1] += 1
    assert pool.counts() == totals
    assert pool.denominator == 4 ** (keep + abs(net) + added)


@pytest.mark.parametrize(
    "pool", [Pool(), Pool(2), Pool(-3), Pool(-1, 3, modifier=-3), Pool(1, 1, 8, 5), Pool(-1, 2, 5, 0, 1), Pool(added=2)]
)
def test_total_of_every_throw(pool: Pool) -> None:
    throws = itertools.product(range(1, pool.sides + 1), repeat=pool.dice + pool.added)
    assert pool.counts() == Counter(pool.total(throw) for throw in throws)


@pytest.mark.parametrize("dice", [2, 3, 5, 12, 40])
@pytest.mark.parametrize("sides", [2, 6, 10])
def test_two_kept_dice_in_closed_form(dice: int, sides: int) -> None:
    """The two highest dice are x > y in n (y^(n-1) - (y-1)^(n-1)) throws, both x in x^n - (x-1)^n - n (x-1)^(n-1)."""
    n = dice
    expected: Counter[int] = Counter()
    for y in range(1, sides + 1):
        expected[2 * y] += y**n - (y - 1) ** n - n * (y - 1) ** (n - 1)
        for x in range(y + 1, sides + 1):
            expected[x + y] += n * (y ** (n - 1) - (y - 1) ** (n - 1))
    highest, lowest = Pool(n - 2, sides=sides), Pool(2 - n, sides=sides)
    assert highest.counts() == expected
    assert lowest.counts() == {2 * (sides + 1) - total: count for total, count in expected.items()}
    both_best = sides**n - (sides - 1) ** n - n * (sides - 1) ** (n - 1)
    assert highest.counts()[2 * sides] == lowest.counts()[2] == both_best
    assert highest.counts()[2] == lowest.counts()[2 * sides] == 1


@pytest.mark.parametrize("keep", [1, 3, 4])
def test_forty_dice(keep: int) -> None:
    """The best total needs ``keep`` sixes among 40 dice, the worst 40 ones."""
    pool = Pool(40 - keep, keep)
    counts = pool.counts()
    assert pool.dice == 40
    assert sum(counts.values()) == 6**40
    assert counts[6 * keep] == sum(comb(40, sixes) * 5 ** (40 - sixes) for sixes in range(keep, 41))
    assert counts[keep] == 1
    assert counts[6 * keep - 1] == comb(40, keep - 1) * (5 ** (41 - keep) - 4 ** (41 - keep))


def test_a_pool_of_one_die() -> None:
    assert Pool(keep=1).counts() == dict.fromkeys(range(1, 7), 1)
    assert Pool(1, 1).counts() == {1: 1, 2: 3, 3: 5, 4: 7, 5: 9, 6: 11}


# --- laws ---------------------------------------------------------------------------------------------------


@FAST
@given(pool=POOLS)
def test_counts_sum_to_the_denominator(pool: Pool) -> None:
    counts = pool.counts()
    kept = pool.keep + pool.added
    assert sum(counts.values()) == pool.denominator == pool.sides ** (pool.keep + abs(pool.net) + pool.added)
    assert list(counts) == list(range(kept + pool.modifier, kept * pool.sides + pool.modifier + 1))
    assert min(counts.values()) > 0


@FAST
@given(pool=POOLS)
def test_minus_dice_mirror_plus_dice(pool: Pool) -> None:
    """Every die turned over (6 for 1, 5 for 2 ...) makes the highest the lowest."""
    other = Pool(-pool.net, pool.keep, pool.sides, pool.modifier, pool.added)
    middle = (pool.keep + pool.added) * (pool.sides + 1) + 2 * pool.modifier
    assert other.counts() == {middle - total: count for total, count in pool.counts().items()}
    assert pool.mean() + other.mean() == middle


@FAST
@given(pool=POOLS.filter(lambda pool: pool.net < 40), target=st.integers(-40, 120))
def test_one_more_die_never_hurts(pool: Pool, target: int) -> None:
    better = Pool(pool.net + 1, pool.keep, pool.sides, pool.modifier, pool.added)
    assert better.at_least(target) >= pool.at_least(target)
    assert better.mean() > pool.mean()


@FAST
@given(pool=POOLS)
def test_chances_and_mean_are_those_of_the_counts(pool: Pool) -> None:
    chances = {total: Fraction(count, pool.denominator) for total, count in pool.counts().items()}
    assert pool.mean() == sum(total * chance for total, chance in chances.items())
    low, high = min(chances), max(chances)
    assert (pool.at_least(low), pool.at_least(high + 1)) == (1, 0)
    assert pool.at_least(high) == chances[high]
    assert pool.at_least(low + 1) == 1 - chances[low]
    plain = pool.to_dict()
    assert {int(total): Fraction(cell["fraction"]) for total, cell in plain["pmf"].items()} == chances
    assert all(cell["p"] == float(Fraction(cell["fraction"])) for cell in plain["pmf"].values())
    assert plain["mean"] == float(pool.mean())


@FAST
@given(pool=POOLS, length=st.integers(0, 60))
def test_tail(pool: Pool, length: int) -> None:
    exact = tail(pool, length, Fraction)
    assert exact == [pool.at_least(target) for target in range(length)]
    assert tail(pool, length, truediv) == [float(chance) for chance in exact]  # rounded once, so to the nearest float


def test_tail_counts_totals_below_zero() -> None:
    """2D6 - 5: the totals -3, -2 and -1 are 1, 2 and 3 of 36."""
    assert tail(Pool(modifier=-5), 9, Fraction)[0] == Fraction(30, 36)
    assert tail(Pool(modifier=-5), 9, Fraction)[8] == 0


def test_equal_pools_are_one_question() -> None:
    assert Pool(1) == Pool(net=1, keep=2, sides=6, modifier=0, added=0)
    assert len({Pool(1), Pool(1), Pool(-1)}) == 2
    with pytest.raises(AttributeError):
        Pool().net = 1  # type: ignore[misc]
    counts = Pool(1).counts()
    counts[12] = 0  # a caller's own copy
    assert Pool(1).counts()[12] == kept_counts(3, 2, 6, False)[12] == 16


# --- limits and errors --------------------------------------------------------------------------------------

LIMITS = {
    "net": (-MAX_NET, MAX_NET),
    "keep": (1, MAX_KEEP),
    "sides": (2, MAX_SIDES),
    "modifier": (-MAX_MODIFIER, MAX_MODIFIER),
    "added": (0, MAX_KEEP),
}


def test_limits_are_wider_than_the_game() -> None:
    """A scenario asks for up to 40 dice from either side, six markers of each kind, and situations."""
    assert LIMITS == {
        "net": (-200, 200),
        "keep": (1, 20),
        "sides": (2, 100),
        "modifier": (-1000, 1000),
        "added": (0, 20),
    }


@pytest.mark.parametrize("name", LIMITS)
def test_ends_of_a_limit_are_allowed(name: str) -> None:
    for value in LIMITS[name]:
        pool = Pool(**{name: value})
        assert sum(pool.counts().values()) == pool.denominator


@pytest.mark.parametrize("name", LIMITS)
@pytest.mark.parametrize(
    "value", [True, False, 1.0, 2.5, float("nan"), "2", None, [2], Fraction(2), np.int64(2), 10**30]
)
def test_only_whole_numbers_in_range(name: str, value: Any) -> None:
    low, high = LIMITS[name]
    with pytest.raises(InputError, match=rf"^{name}: .+ is given, a whole number from {low} to {high} is allowed$"):
        Pool(**{name: value})


@pytest.mark.parametrize("name", LIMITS)
def test_one_beyond_the_limit_is_an_error(name: str) -> None:
    low, high = LIMITS[name]
    for value in (low - 1, high + 1):
        with pytest.raises(InputError, match=rf"^{name}: {value} is given"):
            Pool(**{name: value})


def test_the_largest_pool() -> None:
    pool = Pool(-MAX_NET, MAX_KEEP, MAX_SIDES, -MAX_MODIFIER)
    assert sum(pool.counts().values()) == 100**220
    assert pool.to_dict()["pmf"][str(2000 - 1000)]["fraction"] == str(Fraction(1, 100**220))


@pytest.mark.parametrize("faces", [[], [1], [1, 2, 3, 4]])
def test_total_wants_every_die(faces: list[int]) -> None:
    with pytest.raises(InputError, match=rf"^faces: {len(faces)} dice are given, the pool rolls 3$"):
        Pool(1).total(faces)


@pytest.mark.parametrize("face", [0, 7, -1, True, 2.0, "3", None])
def test_total_wants_faces_of_its_dice(face: Any) -> None:
    with pytest.raises(InputError, match=r"^faces: .+ is given, a face from 1 to 6 is allowed$"):
        Pool().total([1, face])


# --- the tables of the rules sheet --------------------------------------------------------------------------

#: Net DICE; outcomes; failures, plain successes, criticals; chance of a hit (critical or not), chance of a critical.
ACTION_ROLLS = """\
-4 46656 44271 2384 1 0.051119 0.000021
-3 7776 7043 732 1 0.094264 0.000129
-2 1296 1071 224 1 0.173611 0.000772
-1 216 147 68 1 0.319444 0.004630
+0 36 15 20 1 0.583333 0.027778
+1 216 42 158 16 0.805556 0.074074
+2 1296 117 1008 171 0.909722 0.131944
+3 7776 328 5922 1526 0.957819 0.196245
+4 46656 927 33448 12281 0.980131 0.263224
"""

#: Net injury dice; injury modifier; chances of no effect, minor hit, down, out of action. Two dice are kept.
INJURY_ROLLS = """\
-3 +0 0.000000 0.905736 0.079218 0.015046
-3 -1 0.196245 0.761574 0.037423 0.004758
-3 -2 0.433513 0.551440 0.014275 0.000772
-3 -3 0.651620 0.343621 0.004630 0.000129
-3 +1 0.000000 0.805941 0.151878 0.042181
-3 +2 0.000000 0.651620 0.254115 0.094264
-2 +0 0.000000 0.826389 0.133488 0.040123
-2 -1 0.131944 0.777778 0.074846 0.015432
-2 -2 0.320216 0.639660 0.036265 0.003858
-2 -3 0.521605 0.462963 0.014660 0.000772
-2 +1 0.000000 0.694444 0.215278 0.090278
-2 +2 0.000000 0.521605 0.304784 0.173611
-1 +0 0.000000 0.680556 0.212963 0.106481
-1 -1 0.074074 0.731481 0.143519 0.050926
-1 -2 0.199074 0.694444 0.087963 0.018519
-1 -3 0.356481 0.592593 0.046296 0.004630
-1 +1 0.000000 0.523148 0.282407 0.194444
-1 +2 0.000000 0.356481 0.324074 0.319444
+0 +0 0.000000 0.416667 0.305556 0.277778
+0 -1 0.027778 0.555556 0.250000 0.166667
+0 -2 0.083333 0.638889 0.194444 0.083333
+0 -3 0.166667 0.666667 0.138889 0.027778
+0 +1 0.000000 0.277778 0.305556 0.416667
+0 +2 0.000000 0.166667 0.250000 0.583333
+1 +0 0.000000 0.194444 0.282407 0.523148
+1 -1 0.004630 0.314815 0.324074 0.356481
+1 -2 0.018519 0.458333 0.324074 0.199074
+1 -3 0.050926 0.592593 0.282407 0.074074
+1 +1 0.000000 0.106481 0.212963 0.680556
+1 +2 0.000000 0.050926 0.143519 0.805556
+2 +0 0.000000 0.090278 0.215278 0.694444
+2 -1 0.000772 0.172840 0.304784 0.521605
+2 -2 0.003858 0.301698 0.374228 0.320216
+2 -3 0.015432 0.462963 0.389660 0.131944
+2 +1 0.000000 0.040123 0.133488 0.826389
+2 +2 0.000000 0.015432 0.074846 0.909722
+3 +0 0.000000 0.042181 0.151878 0.805941
+3 -1 0.000129 0.094136 0.254115 0.651620
+3 -2 0.000772 0.193287 0.372428 0.433513
+3 -3 0.004758 0.343621 0.455376 0.196245
+3 +1 0.000000 0.015046 0.079218 0.905736
+3 +2 0.000000 0.004758 0.037423 0.957819
"""

#: The same with three dice kept: DEADLY, or a Bloodbath.
INJURY_ROLLS_OF_THREE = """\
-3 +0 0.000000 0.509302 0.272248 0.218450
-3 -1 0.000000 0.660537 0.209641 0.129823
-3 -2 0.062286 0.719264 0.146626 0.071824
-3 -3 0.180920 0.689258 0.093943 0.035880
-3 +1 0.000000 0.342764 0.317773 0.339463
-3 +2 0.000000 0.180920 0.328382 0.490698
-2 +0 0.000000 0.377058 0.284208 0.338735
-2 -1 0.000000 0.525592 0.248971 0.225437
-2 -2 0.035494 0.625772 0.198817 0.139918
-2 -3 0.113940 0.660622 0.145962 0.079475
-2 +1 0.000000 0.234182 0.291409 0.474408
-2 +2 0.000000 0.113940 0.263117 0.622942
-1 +0 0.000000 0.231481 0.256173 0.512346
-1 -1 0.000000 0.354938 0.261574 0.383488
-1 -2 0.016204 0.471451 0.243056 0.269290
-1 -3 0.057870 0.558642 0.208333 0.175154
-1 +1 0.000000 0.130401 0.224537 0.645062
-1 +2 0.000000 0.057870 0.173611 0.768519
+0 +0 0.000000 0.092593 0.166667 0.740741
+0 -1 0.000000 0.162037 0.212963 0.625000
+0 -2 0.004630 0.254630 0.240741 0.500000
+0 -3 0.018519 0.356481 0.250000 0.375000
+0 +1 0.000000 0.046296 0.115741 0.837963
+0 +2 0.000000 0.018519 0.074074 0.907407
+1 +0 0.000000 0.027778 0.077160 0.895062
+1 -1 0.000000 0.057099 0.118056 0.824846
+1 -2 0.000772 0.104167 0.164352 0.730710
+1 -3 0.003858 0.171296 0.208333 0.616512
+1 +1 0.000000 0.011574 0.045525 0.942901
+1 +2 0.000000 0.003858 0.023920 0.972222
+2 +0 0.000000 0.007973 0.033436 0.958591
+2 -1 0.000000 0.019547 0.059928 0.920525
+2 -2 0.000129 0.041281 0.098508 0.860082
+2 -3 0.000772 0.078704 0.145962 0.774563
+2 +1 0.000000 0.002701 0.016847 0.980453
+2 +2 0.000000 0.000772 0.007202 0.992027
+3 +0 0.000000 0.002272 0.014017 0.983711
+3 -1 0.000000 0.006709 0.029171 0.964120
+3 -2 0.000021 0.016268 0.055534 0.928176
+3 -3 0.000150 0.035730 0.093943 0.870177
+3 +1 0.000000 0.000600 0.006109 0.993291
+3 +2 0.000000 0.000150 0.002122 0.997728
"""

INJURY_ROWS = [
    (keep, *row.split())
    for keep, table in ((2, INJURY_ROLLS), (3, INJURY_ROLLS_OF_THREE))
    for row in table.splitlines()
]
ROUNDING = 5e-7  # the sheet prints six digits


def test_the_tables_are_whole() -> None:
    assert [int(row.split()[0]) for row in ACTION_ROLLS.splitlines()] == list(range(-4, 5))
    bands = {(int(keep), int(dice), int(modifier)) for keep, dice, modifier, *_ in INJURY_ROWS}
    assert bands == set(itertools.product((2, 3), range(-3, 4), range(-3, 3)))
    assert len(INJURY_ROWS) == len(bands) == 84


@pytest.mark.parametrize("row", ACTION_ROLLS.splitlines())
def test_action_rolls(row: str) -> None:
    net, outcomes, failures, successes, criticals = map(int, row.split()[:5])
    hit, critical = map(float, row.split()[5:])
    pool, charts = Pool(net), edition("1.6.3").charts
    counts: Counter[str] = Counter()
    for total, count in pool.counts().items():
        counts[charts.action_result(total)] += count
    assert pool.denominator == outcomes
    assert counts == {"failure": failures, "success": successes, "critical": criticals}
    assert float(pool.at_least(7)) == pytest.approx(hit, abs=ROUNDING)
    assert float(pool.at_least(12)) == pytest.approx(critical, abs=ROUNDING)


@pytest.mark.parametrize(("keep", "net", "modifier", "none", "minor", "down", "out"), INJURY_ROWS)
def test_injury_rolls(keep: int, net: str, modifier: str, none: str, minor: str, down: str, out: str) -> None:
    pool, charts = Pool(int(net), keep, modifier=int(modifier)), edition("1.6.3").charts
    chances = dict.fromkeys(("no effect", "minor hit", "down", "out of action"), Fraction(0))
    for total, count in pool.counts().items():
        chances[charts.injury_result(total)] += Fraction(count, pool.denominator)
    printed = [float(cell) for cell in (none, minor, down, out)]
    assert [float(chance) for chance in chances.values()] == pytest.approx(printed, abs=ROUNDING, rel=0)
