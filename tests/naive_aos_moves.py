"""Age of Sigmar, the naive way: charges, runs, Rally, command points."""

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

# --- charges --------------------------------------------------------------------------------------------------


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


# --- runs -----------------------------------------------------------------------------------------------------


def redeploy(
    edition: str,
    *,
    need: int | None = None,
    gap: str | None = None,
    within: str = "1/2",
    redeploy: bool = True,
    dice: str = "D6",
    rolls: str = "unit",
    models: int = 1,
    room: int = 99,
    mod: int = 0,
    charge_dice: str = "2D6",
    reroll: bool = False,
    chance: str = "1/2",
) -> Any:
    enemy, one = totals(charge_dice, mod), totals(dice, 0)
    first_need = charge_need(need, gap, within)

    def moved(inches: int) -> int:
        return max(0, min(inches, room))

    def charges(distance: int) -> Fraction:
        once = share(enemy, distance)
        return 1 - (1 - once) ** 2 if reroll else once

    def after(distance: int) -> Fraction:
        ways = list(product(one.elements(), repeat=models))
        return sum((charges(distance + moved(min(way))) for way in ways), Fraction(0)) / len(ways)

    far = [max([0, *(k for k in range(13) if of(k) >= Fraction(chance))]) for of in (charges, after)]

    def play(die: Die) -> Told:
        way = min(moved(die(one)) for _ in range(models)) if redeploy else 0
        first, second = die(enemy), die(enemy) if reroll else -99
        reached = max(first, second)
        told: Told = {"far_before": far[0], **{f"charge_before_{k}": reached >= k for k in enemy}}
        if first_need is not None:
            told["before"] = reached >= first_need
            if reroll:
                told["before_once"] = first >= first_need
        if not redeploy:
            return told
        if need is not None:
            told["reaches"] = way >= need
        if gap is not None:
            assert charge_need(None, str(Fraction(gap) + way), within) == (first_need or 0) + way
        if first_need is not None:
            told |= {"after": reached >= first_need + way, "saved": told["before"] - (reached >= first_need + way)}
            if reroll:
                told["after_once"] = first >= first_need + way
        told |= {"mean": way, "far_after": far[1]}
        told |= {f"move_{k}": way == k for k in {moved(k) for k in one}}
        return told | {f"charge_after_{k}": reached >= k + way for k in enemy}

    return play


def at_the_double(
    edition: str,
    *,
    extra: str | None = None,
    move: str = "0",
    distance: str | None = None,
    fixed: int = 6,
    run: str = "D6",
) -> Any:
    beyond = extra
    if distance is not None:
        beyond = str(max(Fraction(0), Fraction(distance) - Fraction(move)))

    def play(die: Die) -> Told:
        roll = die(totals(run, 0))
        told: Told = {"gain": fixed - roll, "mean": roll, "wasted": roll >= fixed}
        told |= {f"reach_{k}": roll >= k for k in totals(run, 0)}
        if beyond is not None:
            ordinary, double = Fraction(move) + roll, Fraction(move) + fixed
            goal = Fraction(move) + Fraction(beyond)
            told |= {"run_reaches": ordinary >= goal, "double_reaches": double >= goal, "extra": Fraction(beyond)}
            told["decides"] = ordinary < goal <= double
        return told

    return play


# --- Rally ----------------------------------------------------------------------------------------------------


def rally(edition: str, **given: Any) -> Any:
    return rally_third(**given) if edition.startswith("3e") else rally_fourth(**given)


def rally_third(*, slain: int, k: int | None = None) -> Any:
    def play(die: Die) -> Told:
        back = sum(die() == 6 for _ in range(slain))
        told: Told = {"models": back, **{f"at_least_{n + 1}": back > n for n in range(slain)}}
        return told | ({"exactly": back == k} if k is not None else {})

    return play


def rally_fourth(
    *,
    slain: Any = "many",
    k: int | None = None,
    dice: int = 6,
    musician: bool = False,
    health: int = 1,
    wounded: int = 0,
    policy: str = "best",
    objective: str = "models",
    control: int = 1,
    v_model: str = "1",
    v_heal: str = "1",
    against: str = "",
) -> Any:
    number, there = dice + musician, 99 if slain == "many" else slain

    def ways(points: int) -> list[tuple[int, int]]:
        """Every (models, healed) that the points can buy."""
        every = product(range(min(there, number) + 1), range(wounded + 1))
        return [(models, healed) for models, healed in every if models * health + healed <= points]

    def spent(points: int) -> tuple[int, int]:
        if policy == "models_first":
            return max(ways(points))
        if policy == "heal_first":
            return max(ways(points), key=lambda way: (way[1], way[0]))
        return max(ways(points), key=lambda way: (worth(*way), way[0] * health + way[1]))

    def worth(models: int, healed: int) -> Fraction:
        if objective == "value":
            return models * Fraction(v_model) + healed * Fraction(v_heal)
        return Fraction({"models": models, "health": models * health + healed, "control": models * control}[objective])

    bought = [spent(points) for points in range(number + 1)]
    most = max(1, *(models for models, _ in bought))
    coins = Counter(sum(faces) for faces in product((0, 1), repeat=number))

    def fourth(many: int) -> Fraction:
        returned = sum(min(points // health, many) * n for points, n in coins.items())
        return Fraction(returned, coins.total())

    even = next(many for many in range(1, 99) if Fraction(many, 6) >= fourth(many))

    def play(die: Die) -> Told:
        points = die(coins)
        models, healed = bought[points]
        told: Told = {
            "points": points,
            "models": models,
            "healed": healed,
            "health_restored": models * health + healed,
            "control_gained": models * control,
            "waste": points - models * health - healed,
            **{f"at_least_{n}": models >= n for n in range(1, most + 1)},
            **{f"rolled_{n}": points == n for n in coins},
        }
        if objective == "value":
            told["value"] = worth(models, healed)
        if k is not None:
            told["exactly"] = points == k
        if against:
            other = sum(die() == 6 for _ in range(slain))
            told |= {"other_models": other, "difference": other - models, "even": even}
        return told

    return play


# --- command points -------------------------------------------------------------------------------------------


def command_points(edition: str, *, unspent: int | None = None, **given: Any) -> Any:
    round_of = points_third if edition.startswith("3e") else points_fourth

    def play(die: Die) -> Told:
        told, every = round_of(die, **given)
        told |= {f"exactly_{k}": told["points"] == k for k in every}
        return told | ({"carried": 0, "lost": unspent} if unspent is not None else {})

    return play


def points_third(
    die: Die, turn: str = "first", hero_phases: int = 2, general: str = "alive", leadership: int = 0
) -> tuple[Told, Any]:
    start, of_general, of_heroes = (1 if turn == "first" else 2), 0, 0
    for phase in (1, 2):
        stands = general == "alive" or (general == "falls" and phase == 1)
        of_general += phase <= hero_phases and stands
        if phase <= leadership:
            of_heroes += die() + (0 if stands else 2) >= 4
    told: Told = {"start": start, "of_general": of_general, "of_heroes": of_heroes}
    told["points"] = start + of_general + of_heroes
    sure = start + of_general
    return told, range(sure, sure + leadership + 1)


def points_fourth(
    die: Die, underdog: str = "0", auxiliary: bool = False, smaller_list: bool = False, rounds: int = 1
) -> tuple[Told, Any]:
    chance = Fraction(underdog)
    coin = Counter({one: n for one, n in ((1, chance.numerator), (0, (1 - chance).numerator)) if n})
    extra = total = 0
    for number in range(1, rounds + 1):
        mine = die(coin)
        extra += mine
        total += 4 + mine + auxiliary + (smaller_list and number == 1)
    every = range(rounds + 1) if 0 < chance < 1 else [rounds * int(chance)]
    return {"points": total, "of_underdog": extra}, [total - extra + k for k in every]


#: System to editions and inputs that are asked.
CASES: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "charge": [
        ("4e", {}),
        ("4e", {"reroll": True}),
        ("4e", {"need": 9, "reroll": True, "rerolled": "all"}),
        ("4e_late", {"need": 5, "reroll": True, "rerolled": "one", "mod": 1, "dice": "2D3"}),
        ("4e", {"need": 9, "reroll": True, "rerolled": "lowest"}),
        ("4e", {"reroll": True, "rerolled": "one", "dice": "2D3+1"}),
        ("4e", {"reroll": True, "rerolled": "lowest", "dice": "3D3kl2", "mod": -1}),
        ("4e", {"need": 5, "reroll": True, "rerolled": "one", "dice": "3D3kh2"}),
        ("4e", {"gap": "9"}),
        ("4e", {"gap": "5", "reroll": True, "dice": "3D2kh2"}),
        ("4e", {"gap": "9", "within": "1"}),
    ],
    "forward_to_victory": [
        ("4e", {}),
        ("4e", {"reroll": False, "mod": 1}),
        ("4e", {"need": "9"}),
        ("4e_late", {"need": "14", "dice": "2D6+1", "cp": 3}),
        ("4e", {"need": "7", "cp": 0}),
        ("4e", {"gap": "9.5", "within": "1"}),
        ("4e", {"near": 7, "far": "10", "v_far": "3"}),
        ("4e", {"near": 6, "v_near": "1/2", "far": "8+11", "v_far": "1+5"}),
        ("4e", {"near": 8, "v_near": "4", "far": "10+12", "v_far": "3"}),
        ("4e", {"need": "9", "units": 2}),
        ("4e", {"need": "9", "units": 2, "cp": 0, "goal": "all"}),
        ("4e", {"need": "10+5+8", "goal": "number"}),
        ("4e", {"need": "7+9+10", "goal": "at_least", "m": 2}),
        ("4e", {"need": "5+9+5", "goal": "at_least", "m": 1, "mod": -1}),
        ("4e", {"gap": "4.5+7.5", "worth": "1+3/2"}),
        ("4e", {"need": "4+9+13", "worth": "1+3+7", "goal": "value"}),
        ("4e", {"need": "6+9", "worth": "1+5", "goal": "number"}),
        ("4e", {"need": "7", "units": 3, "worth": "2"}),
    ],
    "counter_charge": [
        ("4e", {"need": 7}),
        ("4e_late", {"need": 9, "cp": 5, "worth": 3, "mod": 1}),
        ("4e", {"gap": "6", "others": "1/4+0.5"}),
        ("4e", {"gap": "6", "within": "1", "others": "0.2", "reroll": True, "rerolled": "lowest", "dice": "2D4"}),
        ("4e", {"need": 5, "reroll": True, "rerolled": "one", "dice": "2D3"}),
        ("4e", {"need": 4, "reroll": True, "rerolled": "all", "dice": "3D2kh2"}),
    ],
    "redeploy": [
        ("4e", {}),
        ("4e", {"need": 5, "charge_dice": "2D3+2"}),
        ("4e_late", {"need": 4, "redeploy": True, "reroll": True, "dice": "D3", "charge_dice": "2D3+2"}),
        ("4e", {"need": 7, "redeploy": False, "reroll": True}),
        ("4e", {"gap": "5.5", "within": "1", "mod": 1, "charge_dice": "2D4", "chance": "3/4"}),
        ("4e", {"need": 3, "rolls": "unit", "room": 2, "charge_dice": "2D3"}),
        ("4e", {"need": 2, "rolls": "model", "models": 3, "dice": "D3", "charge_dice": "2D4"}),
    ],
    "at_the_double": [
        ("4e", {}),
        ("4e", {"extra": "4"}),
        ("4e_late", {"extra": "13/2"}),
        ("4e", {"move": "5", "distance": "10.5", "run": "2D6kh1"}),
        ("4e", {"move": "5", "distance": "4", "fixed": 5, "run": "D6+1"}),
    ],
    "rally": [
        ("3e", {"slain": 4}),
        ("3e_launch", {"slain": 3, "k": 1}),
        ("3e", {"slain": 0, "k": 2}),
        ("4e", {}),
        ("4e", {"k": 2, "dice": 4, "slain": 2}),
        ("4e_late", {"dice": 3, "k": 9, "health": 2, "musician": True, "slain": "many"}),
        ("4e", {"health": 3, "slain": 1, "wounded": 2, "policy": "models_first"}),
        ("4e", {"health": 3, "slain": 2, "wounded": 2, "policy": "heal_first"}),
        ("4e", {"health": 3, "slain": 2, "wounded": 2, "policy": "best", "objective": "models"}),
        ("4e", {"health": 2, "slain": 0, "wounded": 1, "objective": "health"}),
        ("4e", {"health": 4, "slain": 2, "wounded": 3, "objective": "control", "control": 0, "dice": 9}),
        ("4e", {"health": 4, "slain": 2, "wounded": 3, "objective": "control", "control": 2}),
        ("4e", {"health": 4, "wounded": 3, "objective": "value", "v_model": "2", "v_heal": "3/2", "dice": 9}),
        ("4e", {"health": 2, "slain": 2, "dice": 4, "against": "3e"}),
        ("4e", {"health": 7, "slain": 1, "against": "3e"}),
    ],
    "command_points": [
        ("3e", {}),
        ("3e", {"turn": "second", "leadership": 2}),
        ("3e_launch", {"turn": "first", "hero_phases": 1, "general": "slain", "leadership": 1, "unspent": 2}),
        ("3e", {"general": "falls", "leadership": 2}),
        ("3e", {"general": "alive", "hero_phases": 0, "leadership": 1}),
        ("4e", {"underdog": "1"}),
        ("4e_late", {"underdog": "1/3", "rounds": 3, "auxiliary": True, "unspent": 1}),
        ("4e", {"smaller_list": True, "rounds": 2}),
    ],
}

#: System to its play: of an edition and inputs, a function of a die.
PLAYS: dict[str, Callable[..., Callable[[Die], Told]]] = {
    play.__name__: play
    for play in (charge, forward_to_victory, counter_charge, redeploy, at_the_double, rally, command_points)
}
