"""The naive way for questions: play them as they are told at the table, once for every way the dice can fall.

It shares no code with tcsim. A play is a function of ``die`` that rolls one die when it needs one, and gives what
happened by the names of the answers: True or False, a number, or None where an answer does not look at this case. Every
sequence of faces is played and weighed with its chance, a Fraction. Rolls that are repeated until they fit (roll-offs)
are a roll of those that fit.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, product
from math import lcm
from typing import Any

Die = Callable[..., int]
Told = dict[str, Any]


class _NextDie(Exception):  # noqa: N818 - no error: it asks for a die
    """The play wants one more die."""

    def __init__(self, faces: Counter[Any]) -> None:
        self.faces = faces


def outcomes(play: Callable[[Die], Told]) -> Iterator[tuple[Told, Fraction]]:
    """Every way a play can go, with its chance."""
    waiting: list[tuple[tuple[Any, ...], Fraction]] = [((), Fraction(1))]
    while waiting:
        known, chance = waiting.pop()
        left = list(known)

        def die(faces: Any = 6, left: list[Any] = left) -> Any:
            if not left:
                raise _NextDie(Counter(range(1, faces + 1) if isinstance(faces, int) else faces))
            return left.pop(0)

        try:
            told = play(die)
        except _NextDie as more:
            every = more.faces.total()
            waiting += [((*known, face), chance * Fraction(ways, every)) for face, ways in more.faces.items()]
        else:
            yield told, chance


def answers(every: list[tuple[Told, Fraction]]) -> dict[str, Fraction]:
    """Chance or mean of everything that the outcomes of a play tell."""
    of = lcm(*(chance.denominator for _, chance in every))  # weighed in whole numbers, which is quick
    total: dict[str, Any] = {}
    weight: dict[str, int] = {}
    for told, chance in every:
        ways = chance.numerator * (of // chance.denominator)
        for name, value in told.items():
            looked = value is not None
            number = value if isinstance(value, int) else Fraction(value or 0)
            total[name] = total.get(name, 0) + ways * number
            weight[name] = weight.get(name, 0) + ways * looked
    return {name: Fraction(total[name]) / weight[name] for name in total if weight[name]}


def ranges(every: list[tuple[Told, Fraction]]) -> dict[str, float]:
    """How far the values of each answer lie apart."""
    found: dict[str, list[float]] = {}
    for told, _ in every:
        for name, value in told.items():
            if value is not None:
                found.setdefault(name, []).append(float(value))
    return {name: max(values) - min(values) for name, values in found.items()}


# --- dice -----------------------------------------------------------------------------------------------------


@cache
def totals(net: int) -> Counter[int]:
    """Action rolls: two dice, one more for each +/-DICE, of which the two best or worst count."""
    rolls = (sorted(faces) for faces in product(range(1, 7), repeat=2 + abs(net)))
    return Counter(sum(faces[-2:] if net >= 0 else faces[:2]) for faces in rolls)


def action(die: Die, net: int) -> int:
    return die(totals(net))


@cache
def successes(net: int) -> Counter[bool]:
    """The same rolls, told by whether they succeed: so that a play has two ways to go on instead of eleven."""
    return Counter({hit: sum(n for total, n in totals(net).items() if (total >= 7) is hit) for hit in (False, True)})


def succeeds(die: Die, net: int) -> bool:
    return bool(die(successes(net)))


def bonus(die: Die, text: str) -> int:
    """The dice of a charge."""
    if text == "none":
        return 0
    if text == "2D6kh1":
        return max(die(), die())
    if text == "2D3kh1":
        return max(die(3), die(3))
    if text == "2D6kl1+1":
        return min(die(), die()) + 1
    return die(int(text[1:]))


UNEQUAL = [(a, b) for a, b in product(range(1, 7), repeat=2) if a != b]


# --- plays: (edition, inputs) to what one way of the dice comes to -----------------------------------------------


def risky(edition: str, *, action_dice: int = 0, actions: int = 1) -> Callable[[Die], Told]:
    def play(die: Die) -> Told:
        done = 0
        while done < actions and succeeds(die, action_dice):
            done += 1
        each = {f"done_{k}": done >= k for k in range(1, actions + 1)}
        return {"succeeds": done >= 1, "all": done == actions, "expected": done, **each}

    return play


def dash(edition: str, *, move: str, distance: str = "", difficult: str = "0", action_dice: int = 0) -> Any:
    def play(die: Die) -> Told:
        dashed = succeeds(die, action_dice)
        inches = Fraction(move) + (Fraction(move) if dashed else 0)
        told: Told = {"succeeds": dashed, "mean": inches}
        if distance:
            told["reaches"] = inches >= Fraction(distance) + Fraction(difficult)
        return told

    return play


def climb(edition: str, *, action_dice: int = 0) -> Any:
    return lambda die: {"succeeds": succeeds(die, action_dice)}


def jump(edition: str, *, move: str, gap: str, action_dice: int = 0) -> Any:
    def play(die: Die) -> Told:
        return {
            "succeeds": succeeds(die, action_dice) and Fraction(gap) <= Fraction(move) / 2,
            "widest": Fraction(move) / 2,
        }

    return play


def charge(edition: str, **given: Any) -> Any:
    def get(name: str, usual: Any) -> Any:
        return given.get(name, usual)

    assert set(given) <= {
        "move", "distance", "difficult", "bonus", "heavy", "heavy_counts", "strong", "machine_armour", "stood_up",
        "die_halved", "cap", "skirmisher", "step", "out_of_sight", "shaken", "diving", "action_dice",
    }  # fmt: skip
    old = edition == "1.6.3"

    def play(die: Die) -> Told:
        begun = not get("shaken", False)
        for first in ("out_of_sight", "diving"):
            begun = begun and (not get(first, False) or succeeds(die, get("action_dice", 0)))
        text = get("bonus", "D6")
        if get("machine_armour", False):
            text = text.replace("D6", "D3")
        elif get("heavy", None) and not (get("strong", False) and not old):
            counts = get("heavy_counts", "armour" if old else "any")
            if get("heavy", None) == "armour" or counts == "any":
                text = "none"
        rolled = Fraction(bonus(die, text))
        move = Fraction(get("move", None))
        if get("stood_up", False):
            move /= 2
            if get("die_halved", not old):
                rolled /= 2
        inches = min(move + rolled, Fraction(get("cap", 12)))
        told: Told = {"mean": inches if begun else 0}
        if "distance" in given:
            squared, rest = Fraction(given["distance"]) ** 2, inches - Fraction(get("difficult", 0))
            if get("skirmisher", False) and get("step", "back") != "stay":
                step = (die() + 1) // 2
                if get("step", "back") == "back":
                    squared = (Fraction(given["distance"]) + step) ** 2
                else:
                    squared += step * step
            told["reaches"] = begun and rest >= 0 and rest**2 >= squared
        for mark in marks(Fraction(get("move", None)), text, given, edition):
            told[f"reach_{decimal(mark)}"] = begun and inches >= mark
        return told

    return play


def marks(move: Fraction, text: str, given: dict[str, Any], edition: str) -> set[Fraction]:
    """Every distance that a charge can come to."""
    found = set()
    for told, _ in outcomes(lambda die: {"rolled": bonus(die, text)}):
        rolled = Fraction(told["rolled"])
        if given.get("stood_up"):
            inches = move / 2 + (rolled / 2 if given.get("die_halved", edition == "1.0.2") else rolled)
        else:
            inches = move + rolled
        found.add(min(inches, Fraction(given.get("cap", 12))))
    return found


def decimal(number: Fraction) -> str:
    return str(number.numerator) if number.denominator == 1 else str(float(number))


def fireteam(
    edition: str, *, first: int = 1, second: int = 1, action_dice: int = 0, second_dice: int = 0, broken_up: str = ""
) -> Any:
    later = (broken_up or {"1.6.3": "later", "1.0.2": "end"}[edition]) == "later"

    def play(die: Die) -> Told:
        done = 0
        while done < first and succeeds(die, action_dice):
            done += 1
        together = done == first
        acts, more = together or later, 0
        while acts and more < second and succeeds(die, second_dice):
            more += 1
        both = together and more == second
        return {"together": together, "both": both, "second_acts": acts, "expected": done + more}

    return play


def scatter(edition: str, *, roll: int = 0, action_dice: int = 0) -> Any:
    def play(die: Die) -> Told:
        if roll:
            return {"distance": 7 - roll}
        total = action(die, action_dice)
        failed = total <= 6
        told: Told = {"succeeds": not failed, "distance": 7 - total if failed else None}
        for inches in range(1, 6):
            told[f"failed_{inches}"] = 7 - total == inches if failed else None
            told[f"lands_{inches}"] = failed and 7 - total == inches
        return told

    return play


def leads(edition: str, leader: str | None) -> int:
    return int(leader == "standing" or (leader == "down" and edition == "1.6.3"))


def morale(edition: str, **given: Any) -> Any:
    failure = given.get("failure", "flight" if edition == "1.6.3" else "shaken")
    always = given.get("shaken_tests", "half" if edition == "1.6.3" else "always") == "always"

    def suffers(side: str) -> bool:
        models, gone = given.get(f"{side}models"), given.get(f"{side}down_or_out")
        return models is None or gone is None or gone >= -(-models // 2)

    def holds(die: Die, side: str) -> bool:
        return succeeds(die, given.get(f"{side}action_dice", 0) + leads(edition, given.get(f"{side}leader")))

    def one(die: Die) -> Told:
        state, told = "shaken" if given.get("shaken") else "steady", Told()
        for turn in range(1, given.get("turns", 1) + 1):
            has_to = state != "fled" and (suffers("") or (state == "shaken" and always))
            told.setdefault("tests", has_to)
            if has_to and not holds(die, ""):
                state = "fled" if state == "shaken" or failure == "flight" else "shaken"
            elif state == "shaken":
                state = "steady"
            if given.get("turns", 1) > 1:
                told[f"fled_{turn}"] = state == "fled"
        return told | {"flees": state == "fled", "shaken": state == "shaken", "steady": state == "steady"}

    def both(die: Die) -> Told:
        if failure == "shaken":
            mine, theirs = (suffers(side) and not holds(die, side) for side in ("", "enemy_"))
            return {
                "shaken": mine,
                "enemy_shaken": theirs,
                "both_shaken": mine and theirs,
                "neither": not mine | theirs,
            }
        who = given.get("who")
        if who is None:
            by = "left" if given.get("smaller") == "left" else "models"
            own, enemy = given[by], given[f"enemy_{by}"]
            who = "first" if own < enemy else "second" if own > enemy else None
        if who is None:
            mine, theirs = die(UNEQUAL)
            who = "first" if mine > theirs else "second"
        order = ["", "enemy_"] if who == "first" else ["enemy_", ""]
        for side in order:
            if suffers(side) and not holds(die, side):
                return {"flees": side == "", "enemy_flees": side != "", "neither": False}
        return {"flees": False, "enemy_flees": False, "neither": True}

    return both if given.get("tests") == "both" else one


def shaken(edition: str, *, moves: int = 1, actions: int = 1, action_dice: int = 0, automatic: str = "") -> Any:
    rolls = (automatic or {"1.6.3": "roll", "1.0.2": "free"}[edition]) == "roll"

    def play(die: Die) -> Told:
        done = 0
        for number in range(moves + actions):
            if (number >= moves or rolls) and not succeeds(die, action_dice):
                break
            done += 1
        each = {f"done_{k}": done >= k for k in range(1, moves + actions + 1)}
        usually = moves + sum(succeeds(die, action_dice) for _ in range(actions))  # apart: nothing ends it
        return {"all": done == moves + actions, "expected": done, "usually": usually, **each}

    return play


def initiative(edition: str, *, models: int, enemy_models: int) -> Any:
    def play(die: Die) -> Told:
        if models != enemy_models:
            return {"first": models < enemy_models, "rolls": 0}
        mine, theirs = die(UNEQUAL)
        return {"first": mine > theirs, "rolls": Fraction(36, len(UNEQUAL))}  # the mean of a geometric number of rolls

    return play


def deployment(edition: str, *, infiltrators: int, enemy_infiltrators: int) -> Any:
    def play(die: Die) -> Told:
        left = {"own": infiltrators, "enemy": enemy_infiltrators}
        if infiltrators == enemy_infiltrators:
            mine, theirs = die(UNEQUAL)
            turn = "own" if mine > theirs else "enemy"
        else:
            turn = "own" if infiltrators > enemy_infiltrators else "enemy"
        placed = []
        while any(left.values()):
            if left[turn]:
                left[turn] -= 1
                placed.append(turn)
            turn = "enemy" if turn == "own" else "own"
        return {"first": placed[0] == "own", "last": placed[-1] == "own"}

    return play


def survival(edition: str, *, models: int = 1) -> Any:
    def play(die: Die) -> Told:
        alive = sum(die() >= 3 for _ in range(models))
        each = {f"survivors_{k}": alive == k for k in range(models + 1)}
        return {"all": alive == models, "any": alive > 0, "expected": alive, **each}

    return play


ONE_ROLL = {
    11: "dead", 12: "captured", 13: "nerve_damage", 14: "hand_wound", 15: "lost_eye", 16: "chest_wound",
    21: "insomniac", 22: "head_wound", 23: "shell_shocked", 24: "dark_memory", 25: "paranoid", 26: "lost_arm",
    31: "leg_wound", 32: "expensive_treatment", 33: "possessed", 34: "muscle_damage", 35: "minor_wound",
    66: "facial_scar",
}  # fmt: skip
BY_EDITION = {
    "1.6.3": {63: "hardened", 64: "bitter_lessons", 65: "robbed"},
    "1.0.2": {36: "robbed", 64: "hardened", 65: "bitter_lessons"},
}
SCARLESS = {"dead", "robbed", "full_recovery", "hardened", "bitter_lessons", "facial_scar"}


def trauma(edition: str, *, models: int = 1, had: str = "", scars: int | None = None) -> Any:
    has = had.split("+") if had else []
    bears = len(has) if scars is None else scars
    said = [(ONE_ROLL | BY_EDITION[edition]).get(10 * a + b, "full_recovery") for a in range(1, 7) for b in range(1, 7)]
    if edition == "1.0.2":
        said = [result for result in said if result not in has or result == "lost_eye"]

    def lost(result: str) -> bool:
        scar = result not in SCARLESS
        return result == "dead" or (scar and bears == 2) or (result == "lost_eye" and "lost_eye" in has)

    def play(die: Die) -> Told:
        first, *others = (die(said) for _ in range(models))
        told = {f"result_{result}": first == result for result in dict.fromkeys(said)}
        stay = not any(map(lost, [first, *others]))
        return {"lost": lost(first), "all_stay": stay, "dead": first == "dead", "scar": first not in SCARLESS, **told}

    return play


def promotion(
    edition: str,
    *,
    dice: int | None = None,
    deeds: int = 0,
    won: bool = False,
    mine: int | None = None,
    failures: int = 0,
) -> Any:
    pool = 1 + deeds + won if dice is None else dice
    own = min(1, pool) if mine is None else mine

    def play(die: Die) -> Told:
        faces = [die() for _ in range(pool)]
        promoted, row = False, failures
        for face in faces[:own]:
            promoted = promoted or face == 6 or row == 5
            row += 1
        sixes = faces.count(6)
        each = {f"exactly_{k}": sixes == k for k in range(pool + 1)}
        return {"dice": pool, "any": sixes > 0, "promoted": promoted, "sixes": sixes, **each}

    return play


def exploration(edition: str, **given: Any) -> Any:
    game = given.get("game", 1)
    number = given.get("dice") or (3 if game <= 2 else 4 if game <= 5 else 5 if game <= 9 else 6)
    left = given["rerolls"] if "rerolls" in given else 1 + bool(given.get("won"))
    wanted, aim, single = given.get("sum"), given.get("aim", "high"), given.get("takes", "one") == "one"

    def worth(total: int) -> Fraction:
        return Fraction(total) if aim == "high" else Fraction(total == wanted if aim == "exactly" else total >= wanted)

    @cache
    def value(faces: tuple[int, ...], free: tuple[bool, ...], left: int) -> Fraction:
        return max(worth(sum(faces)), *(after(faces, free, left, some) for some in ways(free, left)), Fraction(0))

    def ways(free: tuple[bool, ...], left: int) -> list[tuple[int, ...]]:
        places = [i for i, one in enumerate(free) if one] if left else []
        return [some for n in range(1, (1 if single else len(places)) + 1) for some in combinations(places, n)]

    @cache
    def after(faces: tuple[int, ...], free: tuple[bool, ...], left: int, some: tuple[int, ...]) -> Fraction:
        rolled = list(product(range(1, 7), repeat=len(some)))
        return sum((value(*changed(faces, free, some, new), left - 1) for new in rolled), Fraction(0)) / len(rolled)

    def changed(faces: Any, free: Any, some: tuple[int, ...], new: tuple[int, ...]) -> tuple[Any, Any]:
        put = dict(zip(some, new, strict=True))
        return tuple(put.get(i, face) for i, face in enumerate(faces)), tuple(
            one and i not in put for i, one in enumerate(free)
        )

    def play(die: Die) -> Told:
        faces, free = tuple(die() for _ in range(number)), (True,) * number
        for rest in range(left, 0, -1):
            best, pick = worth(sum(faces)), ()
            # of equally good ways the one with fewest dice, then the lowest faces, as people would
            for some in sorted(ways(free, rest), key=lambda some: (len(some), sorted(faces[i] for i in some))):
                if after(faces, free, rest, some) > best:
                    best, pick = after(faces, free, rest, some), some
            faces, free = changed(faces, free, pick, tuple(die() for _ in pick))
        total = sum(faces)
        told: Told = {"mean": total, "ducats": 10 * total}
        if wanted is not None:
            told |= {"exactly": total == wanted, "at_least": total >= wanted}
        return told | {f"sum_{k}": total == k for k in range(number, 6 * number + 1)}

    return play


def campaign(edition: str, **given: Any) -> Any:
    def play(die: Die) -> Told:
        told: Told = {}
        if "models" in given:
            alive = [die() >= 3 for _ in range(given["models"])]
            told["survive"] = all(alive) if given.get("all", True) else any(alive)
        if "d66" in given:
            told["d66"] = 6 * (die() - 1) + die() <= given["d66"]
        if "dice" in given:
            faces = [die() for _ in range(given["dice"])]
            told["any_six"] = 6 in faces
            if "sum" in given:
                told |= {"exactly": sum(faces) == given["sum"], "at_least": sum(faces) >= given["sum"]}
        return told

    return play


PLAYS: dict[str, Callable[..., Callable[[Die], Told]]] = {
    play.__name__: play
    for play in (
        risky, dash, climb, jump, charge, fireteam, scatter, morale, shaken, initiative, deployment, survival, trauma,
        promotion, exploration, campaign,
    )
}  # fmt: skip
