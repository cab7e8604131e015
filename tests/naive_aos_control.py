"""Age of Sigmar, the naive way: objectives, the end of a turn, victory points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import product
from math import lcm
from typing import Any

from naive_questions import Die, Told, outcomes

Given = dict[str, Any]

#: Models or scores of both sides, with all that may be said of them.
_SCORES: list[Given] = [
    {"A": "5", "B": "6", "owner": "a"},
    {"A": "6", "B": "6", "owner": "b"},
    {"A": "4", "B": "4", "owner": "a"},
    {"A": "0", "B": "0", "owner": "a"},
    {"A": "0", "B": "2", "owner": "none"},
    {"A_models": 3, "A_control": 2, "B_models": 2, "B_control": 3, "A_others": 1, "B_others": 2},
    {"A_models": 3, "B_models": 4, "A_beast": True, "A_others": 2, "B_beast": True, "B_others": 2, "owner": "b"},
]
_CHECKS: list[Given] = [
    *_SCORES,
    {"A": "3x1+2", "A_loss": "1/4", "A_mod": 1, "B": "2x2", "B_loss": "1/3", "B_mod": -3},
    {"A": "2x2", "A_loss": "1/2", "B": "1,1", "B_loss": "1", "owner": "b"},
    {"A_models": 3, "A_mod": -2, "B": "2", "B_loss": "1/2", "owner": "b"},
    {"A_models": 2, "attacks": 2, "hit": 3, "wound": 3, "save": 4, "rend": 1, "B": "1", "owner": "a"},
    {"A": "1+3+2", "attacks": "D3", "hit": 4, "wound": 3, "dmg": 2, "health": 3, "B": "3"},
    {"A_models": 2, "attacks": 1, "hit": 5, "wound": 2, "dmg": "D3", "health": 2, "ward": 5, "B": "1"},
    {"A_models": 2, "attacks": 2, "hit": 5, "wound": 5, "crit": "2hits", "B": "2", "owner": "a"},
    {"A_models": 2, "attacks": 2, "hit": 5, "wound": 5, "crit": "auto", "save": 3, "B": "2", "owner": "a"},
    {"A_models": 2, "attacks": 1, "hit": 5, "wound": 5, "crit": "mortal", "dmg": 2, "ward": 4, "B": "0", "owner": "b"},
    {"A_models": 1, "hit": 2, "wound": 6, "crit": "none", "B": "0", "owner": "a"},
    {"hit": 3, "wound": 3, "save": 4, "rend": 1, "dmg": 1},
    {"controls": "1,1", "mod": -3},
    {"controls": "3x2", "mod": 1},
    {"controls": "2x4", "beast": True},
    {"controls": "0", "mod": 2},
]
_ENDS: list[Given] = [
    *_SCORES,
    {"A": "6", "B_models": 8, "owner": "b", "power_through": True, "ward": 5},
    {"A": "2", "B_models": 3, "health": 2, "wounded": 1, "A_deals": "D3", "owner": "b", "vp": 3},
    {"A": "1+3", "A_health": 2, "A_wounded": 1, "A_ward": 4, "B": "2", "B_power_through": True, "users": "elsewhere"},
    {"A_models": 2, "B_models": 2, "A_deals": "D3", "B_deals": "2", "users": "here", "owner": "a"},
    {"A_models": 2, "B_models": 2, "A_deals": "D3+1", "B_deals": "D3", "active": "b", "place": "terrain"},
    {"A_models": 2, "B_models": 2, "A_deals": "1", "B_deals": "D3", "active": "a", "users": "elsewhere", "B_mod": 1},
    {"A_models": 1, "A_health": 3, "B_models": 4, "health": 2, "power_through": True, "B_deals": "1", "active": "b"},
    {"A": "0", "B": "0", "owner": "a", "place": "objective"},
    {"A_models": 2, "A_mod": -1, "B_models": 1, "B_control": 2, "A_control": 1, "A_deals": "1", "place": "terrain"},
]
_POINTS: list[Given] = [
    *(scores | {"vp": 2} for scores in _SCORES),
    {"A": "2x1", "A_loss": "1/4", "A_mod": 1, "B": "2x2", "B_loss": "1/3", "B_mod": -3, "place": "terrain"},
    {"A_models": 2, "attacks": 2, "hit": 3, "wound": 3, "save": 4, "rend": 1, "B": "1", "owner": "a", "vp": 2},
    {"A_models": 1, "attacks": 1, "hit": 5, "wound": 4, "dmg": "D3", "health": 2, "ward": 5, "crit": "auto", "B": "0"},
    *({"A_models": 1, "hit": 5, "wound": 5, "crit": crit, "B": "1"} for crit in ("none", "2hits", "mortal")),
    {"checks": "1/2+2/3", "vp": 2},
    {"checks": "1/4", "vp_one": 3, "place": "objective"},
    {"A_holds": "1/2+1/3", "B_holds": "1/4+1/3"},
    {"A_holds": "2/3", "B_holds": "1/3", "turns": 2, "vp_more": 2, "vp_one": 1},
    {"A_holds": "1/2+1/2", "vp": 1, "vp_two": 2},
]
_CHOICES: list[Given] = [
    {"first": "5+3", "second": "6+4"},
    {"first": "6+4", "second": "5+3", "owners": "second+none"},
    {"first": "5+5", "second": "6+3", "place": "terrain", "owners": "first+second"},
    {"first": "5+3+2", "second": "6+4", "objectives": 3, "first_reach": "ab+bc+c", "values": "1+2+1/2"},
    {"first": "4", "second": "3+3", "second_reach": "a+all", "values": "1/3+1", "place": "objective"},
    {"first": "2+2", "second": "4", "objectives": 1, "owners": "first"},
]
_OUTLOOKS: list[Given] = [
    {"A_models": 2, "B_models": 2, "A_weapons": "1x4+/4+/0/1", "B_weapons": "1x3+/3+/1/1", "A_save": 4},
    {"A_models": 2, "A_health": 2, "A_wounded": 1, "A_ward": 5, "B_models": 1, "B_weapons": "1x3+/4+/0/D3",
     "B_fights": "own", "turns": "b+a+b", "owner": "b", "vp": 2, "A_mod": 1, "A_control": 2},
    {"A_models": 1, "A_health": 3, "B_models": 4, "A_power": "1+2", "turns": "a+b", "B_ward": 4, "owner": "none",
     "A_others": 1},
    {"A_models": 3, "B_models": 1, "B_health": 2, "B_power": "2", "B_control": 2, "turns": "a+b", "B_wounded": 1,
     "A_weapons": "1x5+/4+/0/1", "A_fights": "own", "place": "terrain"},
    {"A_models": 2, "A_beast": True, "B_models": 2, "B_beast": True, "B_weapons": "2x4+/4+/0/1", "attacks_by": "unit",
     "turns": "a+b", "B_fights": "enemy", "A_save": 5, "place": "objective"},
    {"A_models": 2, "B_models": 1, "B_save": 5, "A_weapons": "1x4+/4+/1/1", "attacks_by": "model", "turns": "b+a",
     "A_fights": "enemy", "B_mod": 1, "B_others": 1, "B_weapons": "D3x6+/6+/0/1", "B_fights": "every"},
    {"A_models": 1, "B_models": 1, "A_weapons": "1x4+/4+/0/1", "A_fights": "every", "B_health": 1, "turns": "a",
     "owner": "a"},
    {"A_models": 2, "A_save": 5, "B_support": "2x4+/4+/1/1", "turns": "b+a+b"},
    {"A_models": 1, "B_models": 2, "A_support": "1x3+/3+/0/D3", "B_weapons": "1x4+/4+/0/1", "turns": "a+b",
     "attacks_by": "unit"},
]  # fmt: skip

#: System to editions and inputs that are asked.
CASES: dict[str, list[tuple[str, Given]]] = {
    "objective": [("4e", case) for case in _CHECKS] + [("4e_late", _CHECKS[0])],
    "terrain": [("4e", case) for case in _CHECKS] + [("4e_late", _CHECKS[3])],
    "contest_choice": [("4e", case) for case in _CHOICES] + [("4e_late", _CHOICES[0])],
    "end_of_turn": [("4e", case) for case in _ENDS] + [("4e_late", _ENDS[7])],
    "victory_points": [("4e", case) for case in _POINTS] + [("4e_late", _POINTS[7])],
    "outlook": [("4e", case) for case in _OUTLOOKS] + [("4e_late", _OUTLOOKS[0])],
}


# --- on the table ---------------------------------------------------------------------------------------------


def several(text: str) -> list[str]:
    found = []
    for part in text.replace(",", "+").split("+"):
        times, x, what = part.partition("x")
        found += [what] * int(times) if x else [part]
    return found


def happens(die: Die, chance: Any) -> bool:
    p = Fraction(chance)
    return bool(die(Counter({True: p.numerator, False: p.denominator - p.numerator}))) if 0 < p < 1 else p == 1


def passes(die: Die, needs: int, minus: int = 0) -> bool:
    """A D6, of which a 1 fails; told in two ways instead of six."""
    good = sum(1 for face in range(2, 7) if face - minus >= needs)
    return happens(die, Fraction(good, 6))


def amount(die: Die, what: Any) -> int:
    text = str(what)
    if text.startswith("D3"):
        return int((die() + 1) // 2) + int(text[2:] or 0)
    return int(text)


def warded(die: Die, points: int, ward: int) -> int:
    return sum(not passes(die, ward) for _ in range(points)) if ward <= 6 else points


def one_attack(die: Die, hit: int, wound: int, save: int = 7, rend: int = 0, dmg: Any = 1, crit: str = "none") -> int:
    """Damage of an attack, before the ward."""
    ways = Counter({"6": 1, "hit": 6 - hit, "miss": hit - 1})
    if crit == "none":
        ways = Counter({"hit": 7 - hit, "miss": hit - 1})
    rolled = die(Counter({way: n for way, n in ways.items() if n}))
    if rolled == "miss":
        return 0
    critical = rolled == "6"
    if critical and crit == "mortal":
        return amount(die, dmg)
    damage = 0
    for _ in range(2 if critical and crit == "2hits" else 1):
        wounds = True if critical and crit == "auto" else passes(die, wound)
        if wounds and not (save <= 6 and passes(die, save, rend)):
            damage += amount(die, dmg)
    return damage


def score(controls: list[int], mod: int, beast: bool, others: int) -> int:
    if sum(controls) == 0:
        return others
    unit = sum(controls) + mod
    if unit < 1:
        unit = 1
    if beast and unit > 1:
        unit = 1
    return unit + others


def models(given: Given, side: str) -> list[int]:
    if f"{side}_models" in given:
        return [given.get(f"{side}_control", 1)] * given[f"{side}_models"]
    return [int(one) for one in several(given.get(side, "0")) if int(one)]


def army(given: Given, side: str, controls: list[int], more: int = 0) -> int:
    mod, beast = given.get(f"{side}_mod", 0) + more, given.get(f"{side}_beast", False)
    return score(controls, mod, beast, given.get(f"{side}_others", 0))


def holder(a: int, b: int, before: int, terrain: bool) -> int:
    if a > b:
        return 1
    if b > a:
        return -1
    if terrain and ((before == 1 and a == 0) or (before == -1 and b == 0)):
        return 0
    return before


BEFORE = {"a": 1, "b": -1, "none": 0}


def check(given: Given, a: int, b: int, terrain: bool) -> Told:
    before = BEFORE[given.get("owner", "none")]
    now = holder(a, b, before, terrain)
    return {
        "a_controls": now == 1,
        "b_controls": now == -1,
        "nobody": now == 0,
        "changes": now != before,
        "higher": a > b,
        "tie": a == b,
        "lower": b > a,
        "owner": now,
        "score_a": a,
        "score_b": b,
    }


def contests(given: Given) -> bool:
    return bool({"A", "A_models", "B", "B_models"} & set(given))


def losses(die: Die, given: Given) -> tuple[list[int], list[int], int | None]:
    """Models of A and B that are left, and how many the attacks removed of A."""
    a, b = models(given, "A"), models(given, "B")
    b = [one for one in b if not happens(die, given.get("B_loss", 0))]
    if "hit" not in given:
        return [one for one in a if not happens(die, given.get("A_loss", 0))], b, None
    number = len(a) if contests(given) else 1
    weapon = {name: given[name] for name in ("hit", "wound", "save", "rend", "dmg", "crit") if name in given}
    damage = sum(one_attack(die, **weapon) for _ in range(amount(die, given.get("attacks", 1))))
    damage = warded(die, damage, given.get("ward", 7))
    gone = 0
    while gone < number and damage >= given.get("health", 1):
        damage -= given.get("health", 1)
        gone += 1
    for _ in range(min(gone, len(a))):
        a.remove(min(a))
    return a, b, gone


def most_removed(given: Given) -> int:
    """The most models that attacks can remove."""
    most = {"D3": 3}
    hits = 2 if given.get("crit") == "2hits" else 1
    attacks, dmg = (most.get(given.get(name, 1), given.get(name, 1)) for name in ("attacks", "dmg"))
    number = len(models(given, "A")) if contests(given) else 1
    return min(number, attacks * dmg * hits // given.get("health", 1))


def _judged(terrain: bool) -> Any:
    def of(edition: str, **given: Any) -> Any:
        def play(die: Die) -> Told:
            told: Told = {}
            if "controls" in given:
                controls = [int(one) for one in several(given["controls"])]
                told["score"] = score(controls, given.get("mod", 0), given.get("beast", False), 0)
            whole = models(given, "A")
            left, theirs, gone = losses(die, given)
            if contests(given):
                b = army(given, "B", theirs)
                told |= check(given, army(given, "A", left), b, terrain)
                for more in (1, 2, 3):
                    buffed = check(given, army(given, "A", left, more), b, terrain)
                    told[f"buffed_{more}"] = buffed["a_controls"]
                if len(set(whole)) == 1 and not given.get("A_beast"):
                    number = 0
                    while army(given, "A", whole[:1] * number) <= b:
                        number += 1
                    told["needed"] = number
            if gone is not None:
                told |= {"any_lost": gone > 0, "lost": gone}
                told |= {f"removed_{n}": gone == n for n in range(most_removed(given) + 1)}
            return told

        return play

    return of


def end_of_turn(edition: str, **given: Any) -> Any:
    of = {
        "A": ("A_health", "A_wounded", "A_ward", "power_through", "A_deals"),
        "B": ("health", "wounded", "ward", "B_power_through", "B_deals"),
    }
    active = given.get("active", "a").upper()
    order = [active, "B" if active == "A" else "A"]

    def abilities(side: str) -> list[str]:
        _, _, _, power, deals = of[side]
        return ["D3"] * bool(given.get(power)) + ([given[deals]] if deals in given else [])

    def most(side: str) -> int:
        """The most models that abilities can remove."""
        health, wounded, *_ = of[side]
        dealt = {"D3": 3, "D3+1": 4}
        points = sum(dealt.get(one) or int(one) for one in abilities("B" if side == "A" else "A"))
        return min(len(models(given, side)), (points + given.get(wounded, 0)) // given.get(health, 1))

    def play(die: Die) -> Told:
        left = {side: models(given, side) for side in order}
        gone = dict.fromkeys(order, 0)
        for side, other in (order, order[::-1]):
            if given.get("users", "here") == "here" and models(given, side) and not left[side]:
                continue
            health, wounded, ward, _, _ = of[other]
            on_first = given.get(wounded, 0)
            for one in abilities(side):
                for _ in range(warded(die, amount(die, one), given.get(ward, 7))):
                    on_first += 1
                    if left[other] and on_first == given.get(health, 1):
                        left[other].remove(min(left[other]))
                        gone[other] += 1
                        on_first = 0
        terrain = given.get("place") == "terrain"
        told = check(given, army(given, "A", left["A"]), army(given, "B", left["B"]), terrain)
        whole = [army(given, side, models(given, side)) for side in "AB"]
        told["without"] = check(given, *whole, terrain)["a_controls"]
        told["vp"] = given.get("vp", 1) * told[f"{active.lower()}_controls"]
        for side in order:
            if abilities("B" if side == "A" else "A"):
                name = side.lower()
                told |= {f"lost_{name}": gone[side], f"destroyed_{name}": not left[side]}
                told |= {f"slain_{name}_{n}": gone[side] == n for n in range(most(side) + 1)}
        return told

    return play


def victory_points(edition: str, **given: Any) -> Any:
    def points(own: int, other: int) -> int:
        if not {"vp", "vp_one", "vp_two", "vp_more"} & set(given):
            return (own >= 1) + (own >= 2) + (own > other)
        found = given.get("vp", 0) * own
        if own >= 1:
            found += given.get("vp_one", 0)
        if own >= 2:
            found += given.get("vp_two", 0)
        return found + (given.get("vp_more", 0) if own > other else 0)

    def play(die: Die) -> Told:
        if "checks" in given:
            return {"expected": sum(points(int(happens(die, p)), 0) for p in several(given["checks"]))}
        if "A_holds" not in given:
            left, theirs, _ = losses(die, given)
            a, b = army(given, "A", left), army(given, "B", theirs)
            now = holder(a, b, BEFORE[given.get("owner", "none")], given.get("place") == "terrain")
            return {"expected": points(int(now == 1), int(now == -1))}
        a, b = (
            several(given["A_holds"]),
            several(given.get("B_holds", "+".join("0" for _ in several(given["A_holds"])))),
        )
        scored = [0, 0]
        for _ in range(given.get("turns", 1)):
            for who in (0, 1):
                held = [0, 0]
                for p, q in zip(map(Fraction, a), map(Fraction, b), strict=True):
                    of = lcm(p.denominator, q.denominator)
                    ways = {0: int(p * of), 1: int(q * of), 2: int((1 - p - q) * of)}
                    one = die(Counter({way: n for way, n in ways.items() if n}))
                    if one < 2:
                        held[one] += 1
                scored[who] += points(held[who], held[1 - who])
        mine, theirs = scored
        told: Told = {"expected": mine, "expected_b": theirs}
        return told | {"ahead": mine > theirs, "level": mine == theirs, "behind": mine < theirs}

    possible = sorted({told["expected"] for told, _ in outcomes(play)})

    def whole(die: Die) -> Told:
        told = play(die)
        told |= {f"exactly_{n}": told["expected"] == n for n in possible}
        return told | {f"at_least_{n}": told["expected"] >= n for n in possible}

    return whole


def contest_choice(edition: str, **given: Any) -> Any:
    number = given.get("objectives", 2)
    values = [Fraction(one) for one in several(given.get("values", "+".join(["1"] * number)))]
    owners = [{"first": 1, "second": -1, "none": 0}[one] for one in several(given.get("owners", f"{number}xnone"))]
    terrain = given.get("place") == "terrain"
    units = {side: [int(one) for one in several(given[side])] for side in ("first", "second")}

    def ways(side: str) -> list[tuple[int, ...]]:
        reach = several(given.get(f"{side}_reach", f"{len(units[side])}xall"))
        return list(product(*(range(number) if one == "all" else ["abc".index(c) for c in one] for one in reach)))

    def held(mine: tuple[int, ...], theirs: tuple[int, ...]) -> list[int]:
        found = []
        for place in range(number):
            a = sum(one for one, at in zip(units["first"], mine, strict=True) if at == place)
            b = sum(one for one, at in zip(units["second"], theirs, strict=True) if at == place)
            found.append(holder(a, b, owners[place], terrain))
        return found

    def worth(mine: tuple[int, ...], theirs: tuple[int, ...]) -> Fraction:
        return sum((v * one for v, one in zip(values, held(mine, theirs), strict=True)), Fraction(0))

    def least(mine: tuple[int, ...]) -> Fraction:
        return min(worth(mine, theirs) for theirs in ways("second"))

    best = max(ways("first"), key=least)
    reply = min(ways("second"), key=lambda theirs: worth(best, theirs))
    told: Told = {"value": least(best)}
    for name, wanted in (("split", True), ("stack", False)):
        some = [least(mine) for mine in ways("first") if (len(set(mine)) > 1) is wanted]
        if some:
            told[name] = max(some)
    told["second"] = min(max(worth(mine, theirs) for mine in ways("first")) for theirs in ways("second"))
    told["gain"] = told["second"] - told["value"]
    for name, who in (("first_has", 1), ("second_has", -1)):
        told[name] = sum((v for v, one in zip(values, held(best, reply), strict=True) if one == who), Fraction(0))
    told |= {f"unit_{n}": at + 1 for n, at in enumerate(best, 1)}
    told |= {f"reply_{n}": at + 1 for n, at in enumerate(reply, 1)}
    return lambda die: told


def outlook(edition: str, **given: Any) -> Any:
    turns = several(given.get("turns", "a+b+a+b"))

    def get(side: str, name: str, usual: Any) -> Any:
        return given.get(f"{side}_{name}", usual)

    @cache
    def dealt(side: str, which: str) -> tuple[Any, Counter[int]]:
        """Attacks at a time, and how often one of them deals so much damage: all dice of one attack, played."""
        other = "B" if side == "A" else "A"
        attacks, _, weapon = given[f"{side}_{which}"].partition("x")
        hit, wound, rend, dmg = weapon.replace("+", "").split("/")

        def one(die: Die) -> Told:
            damage = one_attack(die, int(hit), int(wound), get(other, "save", 7), int(rend), dmg)
            return {"damage": warded(die, damage, get(other, "ward", 7))}

        chances: dict[int, Fraction] = {}
        for told, chance in outcomes(one):
            chances[told["damage"]] = chances.get(told["damage"], Fraction(0)) + chance
        of = lcm(*(chance.denominator for chance in chances.values()))
        return attacks, Counter({damage: int(chance * of) for damage, chance in chances.items()})

    def play(die: Die) -> Told:
        left = {side: given.get(f"{side}_models", 0) for side in "AB"}
        on_first = {side: get(side, "wounded", 0) for side in "AB"}

        def hurt(side: str, points: int) -> None:
            for _ in range(points):
                on_first[side] += 1
                if left[side] and on_first[side] == get(side, "health", 1):
                    left[side] -= 1
                    on_first[side] = 0

        before, kept = BEFORE[given.get("owner", "a")], True
        told: Told = {}
        checks, scored = 0, {"a": 0, "b": 0}
        for number, active in enumerate(turns, 1):
            order = ["A", "B"] if active == "a" else ["B", "A"]
            if f"{order[0]}_support" in given:
                attacks, one = dealt(order[0], "support")
                hurt(order[1], sum(die(one) for _ in range(amount(die, attacks))))
            for side, other in (order, order[::-1]):
                when = get(side, "fights", "every")
                fights = when == "every" or (when == "own") == (active == side.lower())
                if f"{side}_weapons" in given and fights:
                    attacks, one = dealt(side, "weapons")
                    times = left[side] if given.get("attacks_by", "model") == "model" else min(left[side], 1)
                    hurt(other, sum(die(one) for _ in range(sum(amount(die, attacks) for _ in range(times)))))
            for side, other in (order, order[::-1]):
                if str(number) in several(get(side, "power", "0")) and left[side]:
                    hurt(other, warded(die, (die() + 1) // 2, get(other, "ward", 7)))
            a, b = (army(given, side, [get(side, "control", 1)] * left[side]) for side in "AB")
            before = holder(a, b, before, given.get("place") == "terrain")
            kept = kept and before == 1
            told |= {f"a_controls_{number}": before == 1, f"b_controls_{number}": before == -1, f"held_{number}": kept}
            checks += before == 1
            scored[active] += given.get("vp", 1) * (before == (1 if active == "a" else -1))
        told |= {"last": before == 1, "never_lost": kept, "checks": checks}
        for side in "AB":
            name = side.lower()
            told[f"vp_{name}"] = scored[name]
            if f"{side}_models" in given:
                told |= {f"destroyed_{name}": left[side] == 0, f"left_{name}": left[side]}
        return told

    return play


#: System to its play: of an edition and inputs, a function of a die.
PLAYS: dict[str, Callable[..., Callable[[Die], Told]]] = {
    "objective": _judged(False),
    "terrain": _judged(True),
    "contest_choice": contest_choice,
    "end_of_turn": end_of_turn,
    "victory_points": victory_points,
    "outlook": outlook,
}
