"""Age of Sigmar, the naive way: charges, runs, Rally, command points."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

from naive_aos_charges import charge, charge_need, counter_charge, forward_to_victory, share, totals
from naive_questions import Die, Told

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
        ("4e", {"need": 0, "mod": -4, "reroll": True, "dice": "D3", "charge_dice": "2D3"}),
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
