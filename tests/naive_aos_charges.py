"""Age of Sigmar, the naive way: charges, Counter-charge, Forward to Victory."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import ceil
from typing import Any

from naive_questions import Die, Told


def kept(faces: list[int], dice: str) -> int:
    """Read a roll of ``2D6``, ``3D6kh2``, ``3D6kl2+1``."""
    _, _, keep, plus = pattern(dice)
    ordered = sorted(faces, reverse=keep[:1] != "l")
    return sum(ordered[: int(keep[1:])] if keep else ordered) + plus


def pattern(dice: str) -> tuple[int, int, str, int]:
    found = re.fullmatch(r"(\d*)D(\d)(?:k([hl]\d))?(\+\d)?", dice)
    assert found
    return int(found[1] or 1), int(found[2]), found[3] or "", int(found[4] or 0)


@cache
def totals(dice: str, mod: int) -> Counter[int]:
    count, sides, _, _ = pattern(dice)
    every = product(range(1, sides + 1), repeat=count)
    return Counter(kept(list(faces), dice) + mod for faces in every)


def share(counts: Counter[int], need: int) -> Fraction:
    return Fraction(sum(ways for total, ways in counts.items() if total >= need), counts.total())


def average(counts: Any) -> Fraction:
    counts = Counter(counts)
    return Fraction(sum(total * ways for total, ways in counts.items()), counts.total())


def charge_need(need: int | None, gap: str | None, within: str) -> int | None:
    return need if gap is None else max(0, ceil(Fraction(gap) - Fraction(within)))


def charge_play(die: Die, dice: str, mod: int, rerolled: str) -> tuple[int, Callable[[int | None], int]]:
    """A roll, and what becomes of it by what is needed."""
    count, sides, _, _ = pattern(dice)
    faces = [die(sides) for _ in range(count)]
    first = kept(faces, dice) + mod
    new = die(totals(dice, mod)) if rerolled == "all" else die(sides) if rerolled else 0

    def with_face(place: int, face: int) -> int:
        return kept([*faces[:place], face, *faces[place + 1 :]], dice) + mod

    def final(need: int | None) -> int:
        if not rerolled or (need is not None and first >= need):
            return first
        if rerolled == "all":
            return new if need is not None or average(totals(dice, mod)) > first else first
        ways = {place: [with_face(place, face) for face in range(1, sides + 1)] for place in range(count)}
        best = min(range(count), key=lambda place: faces[place])
        if rerolled == "one":
            best = max(ways, key=lambda place: (sum(t >= (need or 99) for t in ways[place]), sum(ways[place])))
        return with_face(best, new) if need is not None or average(ways[best]) > first else first

    return first, final


def charge(
    edition: str,
    *,
    need: int | None = None,
    gap: str | None = None,
    within: str = "1/2",
    mod: int = 0,
    dice: str = "2D6",
    reroll: bool = False,
    rerolled: str = "all",
) -> Any:
    wanted = charge_need(need, gap, within)

    def play(die: Die) -> Told:
        first, final = charge_play(die, dice, mod, rerolled if reroll else "")
        told: Told = {"mean": final(wanted)}
        told |= {f"roll_{k}": final(wanted) == k for k in totals(dice, mod)}
        told |= {f"at_least_{k}": final(k) >= k for k in totals(dice, mod)}
        if wanted is not None:
            told["charge"] = final(wanted) >= wanted
            if reroll:
                told["gain"] = (final(wanted) >= wanted) - (first >= wanted)
        return told | ({"need": wanted} if gap is not None else {})

    return play


def counter_charge(
    edition: str,
    *,
    cp: int = 2,
    worth: int = 1,
    others: str = "",
    need: int | None = None,
    gap: str | None = None,
    within: str = "1/2",
    mod: int = 0,
    dice: str = "2D6",
    reroll: bool = False,
    rerolled: str = "all",
) -> Any:
    wanted = charge_need(need, gap, within)
    assert wanted is not None

    def chances(k: int) -> tuple[Fraction, Fraction]:
        """The chance of the counter-charge, and what two other commands gain, if k is needed."""
        once = share(totals(dice, mod), k)
        gains = [Fraction(one) for one in others.split("+")] if others else [worth * (once - once * once)] * 2
        if not reroll:
            return once, sum(gains, Fraction(0))
        again: list[bool] = []
        count, sides, _, _ = pattern(dice)
        for faces in product(range(1, sides + 1), repeat=count):
            for new in totals(dice, mod).elements() if rerolled == "all" else range(1, sides + 1):
                feed = iter([*faces, new])
                again.append(charge_play(lambda *_: next(feed), dice, mod, rerolled)[1](k) >= k)  # noqa: B023
        return Fraction(sum(again), len(again)), sum(gains, Fraction(0))

    by_need = {k: chances(k) for k in totals(dice, mod)}
    largest = max([0, *(k for k, (p, gained) in by_need.items() if worth * p >= gained)])
    hits = Counter({hit: sum(n for t, n in totals(dice, mod).items() if (t >= wanted) is hit) for hit in (True, False)})

    def play(die: Die) -> Told:
        made = charge_play(die, dice, mod, rerolled if reroll else "")[1](wanted) >= wanted
        gained = sum((Fraction(one) for one in others.split("+") if one), Fraction(0))
        if not others:
            for _ in range(2):
                gained += worth * (not die(hits) and die(hits))
        value = worth * Fraction(made)
        return {
            "charge": made,
            "value": value,
            "per_point": value / 2,
            "others": gained,
            "difference": value - gained,
            "largest": largest,
            "left": cp - 2,
        }

    return play


# --- Forward to Victory ---------------------------------------------------------------------------------------


class Order:
    """The best way for several chargers, by trying everything that can be done in every state.

    ``worths`` is what each charge is worth; ``least`` turns the goal into the chance of so many charges.
    """

    def __init__(self, chances: list[Fraction], worths: list[Fraction], least: int | None) -> None:
        self.chances, self.worths, self.least = chances, worths, least
        self.value = cache(self._value)

    def _end(self, done: tuple[int, ...]) -> Fraction:
        if self.least is None:
            return sum((self.worths[i] for i in done), Fraction(0))
        return Fraction(len(done) >= self.least)

    def _value(self, left: tuple[int, ...], done: tuple[int, ...], point: bool) -> tuple[Fraction, Fraction, Any]:
        """The goal, minus the chance that the point is spent from here on, and who goes next."""
        if not left:
            return self._end(done), Fraction(0), None
        best: tuple[Fraction, Fraction, Any] = (Fraction(-1), Fraction(0), None)
        for i in left:
            p = self.chances[i]
            good, bad = self.choice(i, left, done, point, True), self.choice(i, left, done, point, False)
            found = p * good[0] + (1 - p) * bad[0], p * good[1] + (1 - p) * bad[1]
            if found > best[:2]:
                best = (*found, i)
        return best

    def choice(self, i: int, left: tuple[int, ...], done: tuple[int, ...], point: bool, made: bool) -> Any:
        """Goal, minus the spending, and whether it is rolled again, after charger i has made its roll or failed."""
        rest = tuple(j for j in left if j != i)
        ends = {hit: self.value(rest, (*done, *[i] * hit), point)[:2] for hit in (True, False)}
        keep = ends[made]
        if not point:
            return (*keep, False)
        p = self.chances[i]
        again = [self.value(rest, (*done, *[i] * hit), False)[0] for hit in (True, False)]
        rolls = (p * again[0] + (1 - p) * again[1], Fraction(-1))
        return (*rolls, True) if rolls > keep else (*keep, False)

    def play(self, first: list[bool], second: list[bool], point: bool) -> tuple[list[int], list[int], list[bool]]:
        """Places, who rolled again, and what was made."""
        left, done = tuple(range(len(first))), ()
        order: list[int] = []
        rolled: list[int] = []
        made = list(first)
        while left:
            i = self.value(left, done, point)[2]
            order.append(i)
            if self.choice(i, left, done, point, first[i])[2]:
                rolled.append(i)
                made[i], point = second[i], False
            left, done = tuple(j for j in left if j != i), (*done, *[i] * made[i])
        return [order.index(i) + 1 for i in range(len(first))], rolled, made


def forward_to_victory(edition: str, **given: Any) -> Any:
    counts = totals(given.get("dice", "2D6"), given.get("mod", 0))
    point = given.get("reroll", True) and given.get("cp", 1) > 0
    within = given.get("within", "1/2")
    needs = [int(one) for one in str(given["need"]).split("+")] if "need" in given else []
    if "gap" in given:
        needs = [charge_need(None, one, within) or 0 for one in given["gap"].split("+")]
    if len(needs) == 1:
        needs *= given.get("units", 1)
    if "near" in given:
        far = [int(one) for one in str(given["far"]).split("+")]
        worths = [Fraction(one) for one in str(given.get("v_far", 1)).split("+")] * len(far)
        steps = [(given["near"], Fraction(given.get("v_near", 1))), *zip(far, worths, strict=False)]
        return forward_one(counts, steps, point, True)
    if len(needs) == 1:
        return forward_one(counts, [(needs[0], Fraction(1))], point, False)
    return forward_several(counts, needs, point, given) if needs else forward_by_need(counts, point)


def forward_by_need(counts: Counter[int], point: bool) -> Any:
    def play(die: Die) -> Told:
        first, second = die(counts), die(counts)
        made = {k: first >= k or (point and second >= k) for k in counts}
        told: Told = {f"made_{k}": made[k] for k in counts}
        return told | {f"gained_{k}": made[k] - (first >= k) for k in counts}

    return play


def forward_one(counts: Counter[int], steps: list[tuple[int, Fraction]], point: bool, several: bool) -> Any:
    def worth(total: int) -> Fraction:
        return max([Fraction(0), *(v for need, v in steps if total >= need)])

    usual = sum((worth(total) * ways for total, ways in counts.items()), Fraction(0)) / counts.total()
    nearest = min(need for need, _ in steps)

    def play(die: Die) -> Told:
        first, second = die(counts), die(counts)
        again = point and usual > worth(first)
        final = second if again else first
        told: Told = {
            "charge": final >= nearest,
            "without": first >= nearest,
            "gain": worth(final) - worth(first),
            "spent": again,
            "largest": max([0, *(total for total in counts if point and usual > worth(total))]),
            "mean": final,
            **{f"roll_{total}": final == total for total in counts},
        }
        if several:
            told |= {"value": worth(final), "value_without": worth(first)}
            told |= {f"reaches_{need}": final >= need for need, _ in steps}
        return told

    return play


def forward_several(counts: Counter[int], needs: list[int], point: bool, given: dict[str, Any]) -> Any:
    chances = [share(counts, need) for need in needs]
    hits = [Counter({True: p.numerator, False: p.denominator - p.numerator}) for p in chances]
    hits = [Counter({hit: n for hit, n in one.items() if n}) for one in hits]
    ones = [Fraction(1)] * len(needs)
    worths = [Fraction(one) for one in str(given.get("worth", 1)).split("+")]
    worths = worths * (len(needs) // len(worths))
    goals = {f"at_least_{m}": Order(chances, ones, m) for m in range(1, len(needs) + 1)}
    goals |= {"all": Order(chances, ones, len(needs)), "expected": Order(chances, ones, None)}
    if "worth" in given:
        goals["value"] = Order(chances, worths, None)
    goal = given.get("goal", "value" if "worth" in given else "number")
    chosen = {"number": "expected", "at_least": f"at_least_{given.get('m')}"}.get(goal, goal)

    def counted(order: Order, made: list[bool]) -> Fraction:
        if order.least is not None:
            return Fraction(sum(made) >= order.least)
        return sum((v for v, hit in zip(order.worths, made, strict=True) if hit), Fraction(0))

    def play(die: Die) -> Told:
        first, second = [bool(die(one)) for one in hits], [bool(die(one)) for one in hits]
        told: Told = {}
        for name, order in goals.items():
            places, rolled, made = order.play(first, second, point)
            told[name] = counted(order, made)
            if name == chosen:
                without = counted(order, first)
                told |= {"goal_without": without, "gain": told[name] - without, "spent": len(rolled) > 0}
                told |= {f"place_{i + 1}": place for i, place in enumerate(places)}
                told |= {f"rerolls_{i + 1}": i in rolled for i in range(len(needs))}
        return told

    return play
