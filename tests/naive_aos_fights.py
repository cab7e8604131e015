"""Age of Sigmar, the naive way: attacks and what changes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from math import lcm
from typing import Any

from naive_choices import TWO_DICE
from naive_questions import Die, Told, outcomes


def rolls(die: Die, text: Any) -> int:
    """Roll ``D6``, ``2D3`` or ``D6+1``; a number is itself."""
    if isinstance(text, int) or text.isdigit():
        return int(text)
    dice, _, plus = text.partition("+")
    count, _, sides = dice.partition("D")
    return sum(die(int(sides)) for _ in range(int(count or 1))) + int(plus or 0)


@dataclass(frozen=True)
class Fight:
    """An attack sequence at the table. Modifiers are sums, not held to any limit yet."""

    attacks: Any = 1
    hit: int = 3
    wound: int = 3
    save: int = 7
    rend: int = 0
    dmg: Any = 1
    crit: str = "none"
    crit_on: int = 6
    companion: bool = False
    ward: int = 0
    hit_mod: int = 0  # that no weapon ignores
    hit_bonus: int = 0  # that companion weapons ignore
    wound_mod: int = 0
    wound_bonus: int = 0
    save_mod: int = 0
    wound6: bool = True
    cap: str = "net"
    reroll_hits: str = "none"
    reroll_wounds: str = "none"
    reroll_saves: str = "none"

    def damage(self, die: Die) -> int:
        """What one round of attacks does, after the ward; an attack is a die with a face for each of its ends."""
        return sum(die(self.ends()) for _ in range(rolls(die, self.attacks)))

    @cache  # noqa: B019 - fights are few
    def ends(self) -> Counter[int]:
        """How often one attack comes to each damage, by all ways its dice can fall."""
        return as_die(lambda die: self.attack(die))

    def attack(self, die: Die) -> int:
        hit = self.face(die, self.hits, self.reroll_hits)
        if hit == "miss":
            return 0
        if hit == "critical" and self.crit == "mortal":
            return self.pool(die)
        wounds_itself = hit == "critical" and self.crit == "auto"
        number = 2 if hit == "critical" and self.crit == "2hits" else 1
        return sum(self.a_hit(die, wounds_itself) for _ in range(number))

    def a_hit(self, die: Die, wounds_itself: bool) -> int:
        if not wounds_itself and self.face(die, self.wounds, self.reroll_wounds) == "miss":
            return 0
        if self.save < 7 and self.face(die, self.saves, self.reroll_saves) == "hit":
            return 0
        return self.pool(die)

    def pool(self, die: Die) -> int:
        """The damage of an attack, each point of it warded apart."""
        points = rolls(die, self.dmg)
        if not self.ward:
            return points
        return sum(die(warded(self.ward)) for _ in range(points))

    def face(self, die: Die, told: Callable[[int], str], reroll: str) -> str:
        """One die, rolled again if it may be; dice that come to the same are one way for it to fall."""
        again = {
            "none": lambda face: False,
            "ones": lambda face: face == 1,
            "failed": lambda face: told(face) == "miss",
        }
        first = die(Counter("again" if again[reroll](face) else told(face) for face in range(1, 7)))
        return str(die(Counter(told(face) for face in range(1, 7))) if first == "again" else first)

    def hits(self, face: int) -> str:
        if face >= self.crit_on:
            return "critical"
        modifier = self.hit_mod + (0 if self.companion else self.hit_bonus)
        if face == 6:
            return "hit"
        return "hit" if face != 1 and face + sorted((-1, modifier, 1))[1] >= self.hit else "miss"

    def wounds(self, face: int) -> str:
        modifier = self.wound_mod + (0 if self.companion else self.wound_bonus)
        if face == 6 and self.wound6:
            return "hit"
        return "hit" if face != 1 and face + sorted((-1, modifier, 1))[1] >= self.wound else "miss"

    def saves(self, face: int) -> str:
        if self.cap == "net":
            changed = face + min(1, self.save_mod - self.rend)
        else:
            changed = face + min(1, self.save_mod) - self.rend
        return "hit" if face != 1 and changed >= self.save else "miss"


def as_die(play: Callable[[Die], int]) -> Counter[int]:
    """All that a play can come to, as the faces of one die."""
    every = [(told["end"], chance) for told, chance in outcomes(lambda die: {"end": play(die)})]
    whole = lcm(*(chance.denominator for _, chance in every))
    ways: Counter[int] = Counter()
    for end, chance in every:
        ways[end] += int(chance * whole)
    return ways


def warded(ward: int) -> Counter[int]:
    """A die for a point of damage: 1 where it gets through, 0 where it is warded off."""
    return Counter(0 if face >= ward else 1 for face in range(1, 7))


def removed(points: int, models: int, health: int, wounded: int = 0) -> int:
    """Models that damage removes, point by point."""
    gone, left = 0, health - wounded
    for _ in range(points):
        if gone == models:
            break
        left -= 1
        if left == 0:
            gone, left = gone + 1, health
    return gone


# --- reading what is asked, and telling of it -------------------------------------------------------------------

Given = dict[str, Any]


def fights(given: Given, **changes: int) -> tuple[Fight, ...]:
    """Every weapon that attacks; changes are added to modifiers."""
    if "weapons" not in given and not {"hit", "wound"} <= set(given):
        return ()
    own = {name: given[name] for name in Fight.__dataclass_fields__ if name in given}
    for name, usual in (("hit_mod", 0), ("hit_bonus", 0), ("wound_mod", 0), ("wound_bonus", 0), ("save_mod", 0)):
        own[name] = given.get(name, usual) + changes.get(name, 0)
    if "weapons" not in given:
        return (Fight(**own),)
    return tuple(Fight(**own | weapon) for weapon in read_weapons(given["weapons"]))


def read_weapons(text: str) -> list[Given]:
    found = []
    for one in text.split(","):
        attacks, _, rest = one.partition("x")
        hit, wound, rend, dmg, *more = rest.split("/")
        weapon: Given = {"attacks": attacks, "hit": int(hit[0]), "wound": int(wound[0]), "rend": abs(int(rend))}
        weapon |= {"dmg": dmg, "companion": "companion" in more}
        for word in more:
            if word.endswith("+"):
                weapon["crit_on"] = int(word[0])
            elif word != "companion":
                weapon["crit"] = word
        found.append(weapon)
    return found


@cache
def ends(weapons: tuple[Fight, ...]) -> Counter[int]:
    """All that the damage of these weapons can come to, as one die."""
    return as_die(lambda die: sum(weapon.damage(die) for weapon in weapons))


def between(ways: Counter[int]) -> range:
    return range(min(ways), max(ways) + 1)


def tails(name: str, points: int, ways: Counter[int]) -> Told:
    return {f"{name}_{k}": points >= k for k in between(ways) if k}


def gone(points: int, given: Given) -> int:
    return removed(points, given.get("models", 10**6), given.get("health", 1), given.get("wounded", 0))


def losses(points: int, given: Given, end: str = "") -> Told:
    told: Told = {}
    if "models" in given or "health" in given:
        told[f"slain{end}"] = gone(points, given)
    if "models" in given:
        told[f"destroyed{end}"] = gone(points, given) == given["models"]
    return told


def dealt(points: int, ways: Counter[int], given: Given) -> Told:
    told: Told = {"damage": points, **losses(points, given), **tails("at_least", points, ways)}
    told |= {f"exactly_{k}": points == k for k in between(ways)}
    if "models" in given or "health" in given:
        numbers = Counter({gone(one, given): 1 for one in ways})
        told |= {f"removes_{k}": gone(points, given) == k for k in between(numbers)}
    return told


def compared(given: Given, changed: tuple[int, Counter[int]], plain: tuple[int, Counter[int]]) -> Told:
    return {
        "damage": changed[0],
        "damage_without": plain[0],
        **losses(changed[0], given),
        **losses(plain[0], given, "_without"),
        **tails("at_least", *changed),
        **tails("without", *plain),
    }


def branches(**plays: Callable[[Die], Told] | None) -> Callable[[Die], Told]:
    """Plays that do not meet: one of them is played, the answers of the others do not look at it."""
    known = {name: play for name, play in plays.items() if play is not None}
    return lambda die: known[die(list(known)) if len(known) > 1 else next(iter(known))](die)


def drawn(die: Die, weapons: tuple[Fight, ...]) -> tuple[int, Counter[int]]:
    ways = ends(weapons)
    return die(ways), ways


def shown(first: int, second: int, told: Callable[[int], str], reroll: str) -> str:
    """What a roll comes to whose second throw is known, too."""
    again = (reroll == "ones" and first == 1) or (reroll == "failed" and told(first) == "miss")
    return told(second if again else first)


# --- plays ----------------------------------------------------------------------------------------------------


def attack(edition: str, **given: Any) -> Callable[[Die], Told]:
    changes: dict[str, Given] = {
        "none": {},
        "all_out_attack": {"hit_mod": 1},
        "all_out_defence": {"save_mod": 1},
        "both": {"hit_mod": 1, "save_mod": 1},
        "covering_fire": {"hit_mod": -1},
    }

    def asked(die: Die) -> Told:
        points, ways = drawn(die, fights(given, **changes[given.get("command", "none")]))
        return dealt(points, ways, given)

    def change(name: str) -> Callable[[Die], Told]:
        def play(die: Die) -> Told:
            usual = drawn(die, fights(given))[0]
            return {f"change_{name}": drawn(die, fights(given, **changes[name]))[0] - usual}

        return play

    others = {name: change(name) for name in changes if name != "none"} if edition.startswith("4e") else {}
    return branches(asked=asked, **others)


def crit(edition: str, **given: Any) -> Callable[[Die], Told]:
    def asked(die: Die) -> Told:
        points, ways = drawn(die, fights(given))
        return dealt(points, ways, given) | {"gain": drawn(die, fights(given, hit_mod=1))[0] - points}

    def other(name: str) -> Callable[[Die], Told]:
        def play(die: Die) -> Told:
            points = drawn(die, fights(given | {"crit": name}))[0]
            better = drawn(die, fights(given | {"crit": name}, hit_mod=1))[0]
            return {f"with_{name}": points, f"gains_{name}": better - points}

        return play

    return branches(asked=asked, **{name: other(name) for name in ("none", "2hits", "auto", "mortal")})


def ward(edition: str, *, ward: Any, dmg: Any = 1, times: int = 1) -> Callable[[Die], Told]:
    need = {"none": 7}.get(ward, ward)

    def play(die: Die) -> Told:
        taken = sum(rolls(die, dmg) for _ in range(times))
        left = sum(die(warded(need)) for _ in range(taken))
        most = times * max(as_die(lambda die: rolls(die, dmg)))
        told: Told = {"any": left > 0, "damage": left, "prevented": taken - left}
        told |= {f"exactly_{k}": left == k for k in range(times if need == 7 else 0, most + 1)}
        return told | {f"at_least_{k}": left >= k for k in range(1, most + 1)}

    return play


def all_out_attack(edition: str, *, mod: int = 1, **given: Any) -> Callable[[Die], Told]:
    after, before = given | {"hit_mod": mod}, given | {"hit_mod": mod - 1}
    own_save_mod = given.get("own_save_mod", -1 if edition == "4e_late" else 0)

    def hits(die: Die) -> Told:
        first, second = die(), die()

        def rolled(given: Given, need: int) -> str:
            (one,) = fights(given | {"hit": need, "wound": 6})
            return shown(first, second, one.hits, one.reroll_hits)

        with_it, without = rolled(after, given["hit"]), rolled(before, given["hit"])
        told: Told = {"hit": with_it != "miss", "hit_without": without != "miss", "critical": with_it == "critical"}
        told["gain_hit"] = told["hit"] and not told["hit_without"]
        gains = {k: rolled(after, k) != "miss" and rolled(before, k) == "miss" for k in range(2, 7)}
        return told | {f"gain_at_{k}": gain for k, gain in gains.items()}

    def damage(die: Die) -> Told:
        changed, plain = drawn(die, fights(after)), drawn(die, fights(before))
        return compared(given, changed, plain) | {"gain": changed[0] - plain[0]}

    def taken(die: Die) -> Told:
        back = strikes_back(given)
        worse = drawn(die, tuple(replace(one, save_mod=own_save_mod) for one in back))
        return {"taken": worse[0], "taken_without": drawn(die, back)[0]}

    def weapon(number: int) -> Callable[[Die], Told]:
        def play(die: Die) -> Told:
            changed, plain = (drawn(die, (fights(one)[number],))[0] for one in (after, before))
            return {f"gain_on_{number + 1}": changed - plain}

        return play

    each = {f"weapon {number}": weapon(number) for number in range(len(fights(after)))}
    comes_back = strikes_back(given) and (own_save_mod or "enemy_weapons" in given)
    return branches(
        hits=hits if "hit" in given else None,
        damage=damage if fights(given) else None,
        taken=taken if comes_back else None,
        **(each if len(each) > 1 else {}),
    )


def strikes_back(given: Given) -> tuple[Fight, ...]:
    """The weapons that strike back, at the unit's own save, with no modifiers."""
    plain = {"save": given.get("own_save", given.get("save", 7)), "ward": given.get("own_ward", 0)}
    plain |= {name: given[name] for name in ("cap", "wound6") if name in given}
    if "enemy_weapons" in given:
        return tuple(Fight(**plain | one) for one in read_weapons(given["enemy_weapons"]))
    unmodified = ("hit_mod", "hit_bonus", "wound_mod", "wound_bonus", "save_mod")
    rerolls = ("reroll_hits", "reroll_wounds", "reroll_saves")
    plain |= dict.fromkeys(unmodified, 0) | dict.fromkeys(rerolls, "none")
    return tuple(replace(one, **plain) for one in fights(given))


def all_out_defence(edition: str, *, bonus: int = 1, **given: Any) -> Callable[[Die], Told]:
    phase = given.get("duration", "phase" if edition == "4e" else "attack") == "phase"
    after, before = given | {"save_mod": bonus}, given | {"save_mod": bonus - 1}
    count = given.get("enemy_units", 1)
    plain = [(one,) for one in fights(before)] * count
    shielded = [(one,) for one in fights(after)] * count
    numbers = range(1, len(plain) + 1)

    def used_on(number: int) -> list[tuple[Fight, ...]]:
        helps = [at == number or (phase and at > number) for at in numbers]
        return [shielded[i] if helped else plain[i] for i, helped in enumerate(helps)]

    def ways(several: list[tuple[Fight, ...]]) -> Counter[int]:
        return ends(tuple(one for some in several for one in some))

    def order(number: int) -> Any:
        found = ways(used_on(number))
        total = found.total()
        lost = sum(n for points, n in found.items() if gone(points, given) == given.get("models"))
        return Fraction(lost, total), Fraction(sum(points * n for points, n in found.items()), total), number

    best = min(numbers, key=order) if plain else 0
    used = given.get("used_on", best)

    def saves(die: Die) -> Told:
        first, second = die(), die()

        def saved(given: Given, rend: int) -> bool:
            (one,) = fights({"hit": 6, "wound": 6} | given | {"rend": rend})
            return shown(first, second, one.saves, one.reroll_saves) == "hit"

        told: Told = {"save": saved(after, given.get("rend", 0)), "save_without": saved(before, given.get("rend", 0))}
        told["gain_save"] = told["save"] and not told["save_without"]
        return told | {f"gain_rend_{k}": saved(after, k) and not saved(before, k) for k in range(4)}

    def damage(die: Die) -> Told:
        points = [(drawn(die, a)[0], drawn(die, b)[0]) for a, b in zip(plain, shielded, strict=True)]

        def total(number: int) -> int:
            return sum(b if at == number or (phase and at > number) else a for at, (a, b) in enumerate(points, 1))

        nothing = sum(a for a, _ in points)
        told = compared(given, (total(used), ways(used_on(used))), (nothing, ways(plain)))
        told["prevented"] = nothing - total(used)
        if len(plain) > 1:
            told["best"] = best
            told |= {f"on_{k}": nothing - total(k) for k in numbers}
            if "models" in given:
                told |= {f"destroyed_on_{k}": gone(total(k), given) == given["models"] for k in numbers}
        return told

    return branches(saves=None if "weapons" in given else saves, damage=damage if plain else None)


def covering_fire(edition: str, *, mod: int = -1, **given: Any) -> Callable[[Die], Told]:
    shot, without = given | {"hit_mod": mod}, given | {"hit_mod": mod + 1}

    def hits(die: Die) -> Told:
        first, second = die(), die()
        told: Told = {}
        for name, one in (("hit", shot), ("hit_without", without)):
            (weapon,) = fights({"wound": 6} | one)
            told[name] = shown(first, second, weapon.hits, weapon.reroll_hits) != "miss"
        return told

    def damage(die: Die) -> Told:
        points, usual = drawn(die, fights(shot)), drawn(die, fights(without))
        return compared(given, points, usual) | after(die, points[0], "")

    def defended(die: Die) -> Told:
        points, ways = drawn(die, fights(shot, save_mod=1))
        told: Told = {"damage_defended": points} | losses(points, given, "_defended")
        return told | tails("defended", points, ways) | after(die, points, "_defended")

    def after(die: Die, points: int, end: str) -> Told:
        told: Told = {}
        if "control" in given:
            told[f"control{end}"] = given["control"] * (given["models"] - gone(points, given))
        if "need" in given:
            need, charge = given["need"] + given.get("farther", 0) * gone(points, given), die(TWO_DICE)
            told[f"charge{end}"] = gone(points, given) < given["models"] and charge >= need
        return told

    def before(die: Die) -> Told:
        return {"charge_before": die(TWO_DICE) >= given["need"]}

    return branches(
        hits=hits if "hit" in given else None,
        damage=damage if fights(given) else None,
        defended=defended if fights(given) else None,
        before=before if "need" in given else None,
    )


def power_through(edition: str, *, dmg: Any = "D3", **given: Any) -> Callable[[Die], Told]:
    need = given.get("ward", 7)
    ways = as_die(lambda die: sum(die(warded(need)) for _ in range(rolls(die, dmg))))

    def play(die: Die) -> Told:
        points = die(ways)
        told = dealt(points, ways, given)
        if "k" in given:
            told["reaches"] = points >= given["k"]
        if "left" in given:
            told["finishes"] = points >= given["left"]
        if "own_health" in given or not given.get("charged", True):
            lower = given.get("health", 0) < given.get("own_health", 1000)
            told["legal"] = int(lower and given.get("charged", True))
        return told

    return play


def finest_hour(edition: str, *, bonuses: int = 1, **given: Any) -> Callable[[Die], Told]:
    back = strikes_back(given)

    def saves(die: Die) -> Told:
        first, second = die(), die()
        own = {"hit": 6, "wound": 6, "rend": given.get("rend", 0), "cap": given.get("cap", "net")}
        own["save"] = given.get("own_save", given.get("save", 7))
        told: Told = {}
        for name, mod in (("save", bonuses), ("save_without", bonuses - 1)):
            (one,) = fights(own | {"save_mod": mod})
            told[name] = shown(first, second, one.saves, one.reroll_saves) == "hit"
        return told | {"gain_save": told["save"] and not told["save_without"]}

    def damage(die: Die) -> Told:
        changed, plain = drawn(die, fights(given, wound_mod=1)), drawn(die, fights(given))
        return compared(given, changed, plain) | {"gain": changed[0] - plain[0]}

    def taken(die: Die) -> Told:
        points = drawn(die, tuple(replace(one, save_mod=bonuses) for one in back))[0]
        without = drawn(die, tuple(replace(one, save_mod=bonuses - 1) for one in back))[0]
        return {"taken": points, "taken_without": without, "prevented": without - points}

    one_rend = not {"weapons", "enemy_weapons"} & set(given)
    return branches(
        saves=saves if one_rend and given.get("own_save", given.get("save", 7)) != 7 else None,
        damage=damage if fights(given) else None,
        taken=taken if back else None,
    )


def mystic_shield(edition: str, *, cv: int = 5, **given: Any) -> Callable[[Die], Told]:
    mod = int(given.get("mod", 0))
    unbinders = [int(one) for one in given["unbind_mod"].split("+")] if "unbind_mod" in given else []

    def play(die: Die) -> Told:
        casting = die(TWO_DICE)
        resolves = casting != 2 and casting + mod >= cv
        if resolves and unbinders:
            resolves = die(TWO_DICE) + max(unbinders) <= casting + mod
        return {"resolves": resolves} | attempted(given, die, resolves, fights(given, save_mod=1), fights(given))

    return play


def attempted(given: Given, die: Die, succeeds: bool, better: tuple[Fight, ...], usual: tuple[Fight, ...]) -> Told:
    helped, plain = drawn(die, better), drawn(die, usual)
    both = Counter(dict.fromkeys([*helped[1], *plain[1]], 1))
    after = (helped[0] if succeeds else plain[0], both)
    return compared(given, after, plain) | {"helped": helped[0], "prevented": plain[0] - after[0]}


def bless(edition: str, *, av: int = 4, ward: int = 6, **given: Any) -> Callable[[Die], Told]:
    mod, amount = int(given.get("mod", 0)), given.get("damage")
    ways = as_die(lambda die: rolls(die, amount)) if amount is not None else ends(fights(given))

    def play(die: Die) -> Told:
        chant, taken = die(), die(ways)
        answered = chant != 1 and chant + mod >= av
        left = sum(die(warded(ward)) for _ in range(taken))
        every = Counter(dict.fromkeys([*range(max(ways) + 1)], 1))
        after = (left if answered else taken, every)
        told = compared(given, after, (taken, ways))
        return told | {"answered": answered, "helped": left, "prevented": taken - after[0]}

    return play


PLAYS: dict[str, Callable[..., Callable[[Die], Told]]] = {
    play.__name__: play
    for play in (
        attack, crit, ward, all_out_attack, all_out_defence, covering_fire, power_through, finest_hour, mystic_shield,
        bless,
    )
}  # fmt: skip

# --- cases ----------------------------------------------------------------------------------------------------

#: A weapon against a save, and what changes its rolls.
ONE: Given = {"hit": 4, "wound": 3, "rend": 1, "save": 4}
REROLLS: list[Given] = [
    {"reroll_hits": "ones", "reroll_wounds": "failed", "reroll_saves": "ones"},
    {"reroll_hits": "failed", "reroll_wounds": "ones", "reroll_saves": "failed"},
    {"reroll_hits": "none", "reroll_wounds": "none", "reroll_saves": "none"},
]
READ: list[Given] = [
    {"hit": 6, "wound": 6, "wound6": False, "cap": "bonus", "wound_mod": -1},
    {"wound6": True, "cap": "net", "wound_mod": 1},
]
UNIT: list[Given] = [{"attacks": 2, "models": 2, "health": 2, "wounded": 1}, {"attacks": 2, "health": 1, "dmg": 3}]
#: What only the fourth edition knows.
LATER: list[Given] = [
    {"companion": True, "hit_bonus": 2, "wound_bonus": 2, "wound": 4},
    {"hit_bonus": 1, "wound_bonus": 1},
]
SEVERAL: Given = {"weapons": "2x3+/4+/-1/1,1x5+/3+/0/D3/mortal/5+", "save": 4}
CRITS: list[Given] = [{"crit": word, "dmg": 2} for word in ("2hits", "auto", "mortal", "none")]


def with_one(*lists: list[Given], **more: Any) -> list[Given]:
    """The weapon with each of these."""
    return [ONE | more | given for some in lists for given in some]


def in_editions(*editions: str, asked: list[Given]) -> list[tuple[str, Given]]:
    """Every one in the first of these, the first of them in all."""
    return [(editions[0], given) for given in asked] + [(other, asked[0]) for other in editions[1:]]


FOURTH, THIRD = ("4e", "4e_late"), ("3e", "3e_launch")
COMMANDS: list[Given] = [
    {"command": word} for word in ("both", "none", "all_out_attack", "all_out_defence", "covering_fire")
]

#: System to editions and inputs that are asked.
CASES: dict[str, list[tuple[str, Given]]] = {
    "attack": [
        *in_editions(*FOURTH, asked=with_one(COMMANDS, LATER, CRITS)),
        *in_editions("3e", asked=with_one(UNIT, REROLLS, READ)),
        ("3e_launch", SEVERAL | {"ward": 5}),
        ("3e", ONE | {"attacks": "D3", "crit": "auto", "crit_on": 5, "hit_mod": 1, "save_mod": -1}),
        ("4e", SEVERAL),
    ],
    "crit": [
        *in_editions(*FOURTH, asked=with_one(CRITS)),
        ("4e", ONE | {"crit_on": 5, "hit_mod": -1, "save_mod": 1, "ward": 6, **REROLLS[0], **READ[0]}),
        ("4e", ONE | UNIT[0] | REROLLS[1] | READ[1] | LATER[0] | {"attacks": "1"}),
        ("4e", ONE | REROLLS[2]),
    ],
    "ward": [
        *(("4e", given) for given in ({"dmg": "D3", "ward": 5}, {"ward": "none", "dmg": "D3"}, {"ward": 4})),
        ("4e_late", {"dmg": 2, "times": 2, "ward": 6}),
        ("3e", {"dmg": "D3", "times": 2, "ward": 3}),
        ("3e_launch", {"dmg": "D3+1", "ward": 2}),
    ],
    "all_out_attack": [
        *in_editions(*FOURTH, asked=with_one(UNIT, REROLLS, READ, CRITS)),
        *(("4e", {"hit": 4, "mod": mod, **given}) for mod in (2, -1) for given in LATER),
        ("4e", {"hit": 5, "crit_on": 4, "companion": True}),
        ("4e_late", {"hit": 3, "own_save_mod": -2, "enemy_weapons": "1x3+/3+/1/D3", "own_save": 3, "own_ward": 5}),
        ("4e", SEVERAL | {"enemy_weapons": "2x3+/3+/0/1", "ward": 5}),
    ],
    "all_out_defence": [
        *in_editions(*FOURTH, asked=with_one(UNIT, REROLLS, READ, CRITS)),
        *(("4e", {"save": save, "rend": 1, "bonus": bonus}) for save in (2, 6) for bonus in (0, 2)),
        ("4e", ONE | {"crit_on": 5, "hit_mod": 1, "ward": 5} | LATER[0]),
        ("4e", ONE | {"enemy_units": 2, "duration": "phase", "used_on": 2}),
        ("4e", ONE | {"enemy_units": 2, "duration": "attack", "models": 2}),
        ("4e_late", {"save": 4, "weapons": "1x3+/3+/0/D3,2x4+/2+/2/1", "models": 3, "wounded": 0}),
        ("4e", {"save": 3, "weapons": "1x3+/3+/0/D3,1x4+/2+/1/1"}),
    ],
    "covering_fire": [
        *in_editions(*FOURTH, asked=with_one(UNIT, REROLLS, READ, CRITS)),
        *(("4e", {"hit": 6, "mod": mod, **given}) for mod in (-2, 1) for given in LATER),
        ("4e", ONE | {"crit_on": 5, "save_mod": -1, "ward": 5} | LATER[0]),
        ("4e", ONE | {"attacks": 2, "models": 3, "need": 7, "farther": 2, "control": 2}),
        ("4e", SEVERAL | {"models": 3, "need": 9}),
    ],
    "power_through": [
        *in_editions(*FOURTH, asked=[{}, {"k": 2}, {"ward": 5, "left": 2}, {"dmg": "D3+1", "ward": 4}]),
        ("4e", {"models": 2, "health": 2, "wounded": 1, "own_health": 3, "ward": 6}),
        ("4e", {"health": 3, "own_health": 3}),
        ("4e", {"charged": False}),
    ],
    "finest_hour": [
        *in_editions(*THIRD, asked=with_one(UNIT, REROLLS, READ, CRITS)),
        *(("3e", {"save": 3, "rend": rend, "bonuses": 2}) for rend in (0, 1)),
        ("3e", ONE | {"crit_on": 5, "hit_mod": 1, "ward": 5, "own_save": 3, "own_ward": 6}),
        ("3e", SEVERAL | {"enemy_weapons": "1x3+/3+/0/D3"}),
    ],
    "mystic_shield": [
        *in_editions(*THIRD, asked=with_one(UNIT, REROLLS, READ, CRITS)),
        ("3e", ONE | {"cv": 7, "mod": "1", "unbind_mod": "0", "crit_on": 5, "hit_mod": 1, "save_mod": -1, "ward": 5}),
        ("3e", {"save": 4, "weapons": "1x3+/4+/-1/1,1x5+/3+/0/2", "mod": "-1", "unbind_mod": "-1+1"}),
    ],
    "bless": [
        *in_editions(*THIRD, asked=with_one(UNIT, REROLLS, READ, CRITS)),
        *(("3e", {"damage": 2, "av": av, "mod": mod, "ward": 5}) for av, mod in ((4, "1"), (1, "0"))),
        ("3e", {"damage": "D3", "models": 2}),
        ("3e", ONE | {"crit_on": 5, "hit_mod": 1, "save_mod": -1}),
        ("3e", SEVERAL),
    ],
}  # fmt: skip
