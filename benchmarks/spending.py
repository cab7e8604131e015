"""How fast optimal spending is: 6 attacks, and a volley of 20 shots with 6 blood, beside a plain way with Fractions.

The plain way recurs over (attacks left, Down, blood) and tries every choice. For a volley it knows what makes 20 shots
possible at all, that of hits only numbers matter, and otherwise tries every way to deal markers out.
"""

from __future__ import annotations

import itertools
import statistics
import time
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import Any

#: Armour of the target.
ARMOUR = -2
SIX = {"target": {"injury_modifier": ARMOUR, "blood": 5}, "attacks": [{"kind": "melee", "times": 6}]}
TWENTY = {"target": {"injury_modifier": ARMOUR, "blood": 6}, "attacks": [{"shots": 20, "action_dice": -2}]}

#: Down, blood; None is out of action.
Target = tuple[bool, int] | None
#: Dice, Bloodbath.
Choice = tuple[int, bool]


@cache
def pool(net: int, keep: int) -> dict[int, Fraction]:
    """Chances of the totals of a pool, die by die."""
    hands: dict[tuple[int, ...], Fraction] = {(): Fraction(1)}
    for _ in range(keep + abs(net)):
        more: dict[tuple[int, ...], Fraction] = {}
        for hand, chance in hands.items():
            for die in range(1, 7):
                kept = tuple(sorted((*hand, die), reverse=net >= 0)[:keep])
                more[kept] = more.get(kept, Fraction(0)) + chance / 6
        hands = more
    totals: dict[int, Fraction] = {}
    for hand, chance in hands.items():
        totals[sum(hand)] = totals.get(sum(hand), Fraction(0)) + chance
    return totals


@cache
def to_hit(net: int) -> tuple[Fraction, Fraction, Fraction]:
    """Chances of a miss, a plain hit and a critical."""
    chances = pool(net, 2)
    critical = chances.get(12, Fraction(0))
    hit = sum(chance for total, chance in chances.items() if total >= 7)
    return 1 - hit, hit - critical, critical


@cache
def injury(down: bool, critical: bool, choice: Choice) -> tuple[Fraction, ...]:
    """Chances of no effect, minor hit, Down and out of action."""
    dice, bath = choice
    chances = [Fraction(0)] * 4
    for total, chance in pool(dice + down + critical, 2 + bath).items():
        result = total + ARMOUR
        chances[(result >= 2) + (result >= 7) + (result >= 9)] += chance
    return tuple(chances)


def legal(down: bool, blood: int) -> list[tuple[int, Choice]]:
    """What can be spent on a hit, with its price."""
    found = [(dice, (dice, False)) for dice in range(blood + 1)]
    cost = 3 if down else 6
    return found + [(cost + dice, (dice, True)) for dice in range(blood - cost + 1)]


def plain_six() -> Fraction:
    """The 6 attacks."""

    @cache
    def value(left: int, down: bool, blood: int) -> Fraction:
        if not left:
            return Fraction(0)
        total = to_hit(0)[0] * value(left - 1, down, blood)
        for critical in (False, True):
            best = Fraction(0)
            for price, choice in legal(down, blood):
                kept = blood - price
                after = (
                    value(left - 1, down, kept),
                    value(left - 1, down, min(kept + 1, 6)),
                    value(left - 1, True, min(kept + 1 + down, 6)),
                    Fraction(1),
                )
                here = sum(map(lambda chance, then: chance * then, injury(down, critical, choice), after))
                best = max(best, Fraction(here))
            total += to_hit(0)[1 + critical] * best
        return total

    return value(6, False, 5)


def deals(plain: int, critical: int, blood: int) -> Iterator[tuple[list[Choice], list[Choice]]]:
    """Every way to deal markers out, but for the order of hits of a kind; the target stands."""
    choices = [choice for _, choice in legal(False, blood) if choice != (0, False)]
    price = {choice: cost for cost, choice in legal(False, blood)}
    for marked in range(min(plain, blood) + 1):
        for on_plain in itertools.combinations_with_replacement(choices, marked):
            left = blood - sum(price[choice] for choice in on_plain)
            if left < 0:
                continue
            for more in range(min(critical, left) + 1):
                for on_critical in itertools.combinations_with_replacement(choices, more):
                    if sum(price[choice] for choice in on_critical) <= left:
                        yield list(on_plain), list(on_critical)


def plain_twenty() -> Fraction:
    """The volley: as nothing comes after it, and the target is not TOUGH, any hit may take it out."""
    miss, hit, critical = to_hit(-2)
    total = Fraction(0)
    for plain in range(21):
        for criticals in range(21 - plain):
            ways = _binomial(20, plain) * _binomial(20 - plain, criticals)
            chance = ways * hit**plain * critical**criticals * miss ** (20 - plain - criticals)
            total += chance * max(_out(plain, criticals, *deal) for deal in deals(plain, criticals, 6))
    return total


def _out(plain: int, critical: int, on_plain: list[Choice], on_critical: list[Choice]) -> Fraction:
    stays = Fraction(1)
    for kind, hits, dealt in ((False, plain, on_plain), (True, critical, on_critical)):
        for choice in dealt:
            stays *= 1 - injury(False, kind, choice)[3]
        stays *= (1 - injury(False, kind, (0, False))[3]) ** (hits - len(dealt))
    return 1 - stays


def _binomial(n: int, k: int) -> int:
    from math import comb

    return comb(n, k)


def run() -> dict[str, Any]:
    """Measure both questions, in both ways."""
    from tcsim.engines.exact import solve
    from tcsim.scenario.read import from_mapping
    from tcsim.scenario.resolve import resolve

    figures: dict[str, Any] = {}
    for name, scenario, plain in (("6 attacks", SIX, plain_six), ("20 shots, 6 blood", TWENTY, plain_twenty)):
        problem = resolve(from_mapping({**scenario, "spend": {"blood_on_injury": "optimal"}})).problem
        exact = float(plain())
        found = dict(solve([problem])[0])[None]
        if abs(found - exact) > 1e-12:
            raise SystemExit(f"{name}: {found} here, {exact} in the plain way")

        def ours(problem: Any = problem) -> None:
            solve([problem])

        def theirs(plain: Any = plain) -> None:
            for memory in (pool, to_hit, injury):
                memory.cache_clear()
            plain()

        fast, slow = _milliseconds(ours, 25), _milliseconds(theirs, 5)
        figures[name] = {
            "out of action": found,
            "tcsim, ms": round(fast, 2),
            "plain Fractions, ms": round(slow, 2),
            "times as fast": round(slow / fast, 1),
        }
    return figures


def _milliseconds(task: Callable[[], object], rounds: int) -> float:
    """Median processor time of a task, after a round that is not counted; nothing here runs in threads."""
    task()
    times = []
    for _ in range(rounds):
        begun = time.process_time()
        task()
        times.append(time.process_time() - begun)
    return 1e3 * statistics.median(times)
