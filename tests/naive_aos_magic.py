"""Age of Sigmar, the naive way: casting, prayers, heroic actions, endless spells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from naive_questions import Die, Told

BOTH_OLD, BOTH_NEW = ("3e", "3e_launch"), ("4e", "4e_late")
ALL = BOTH_OLD + BOTH_NEW


def in_each(editions: tuple[str, ...], *every: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The first inputs in every edition, the others in one after the other."""
    yield from ((edition, every[0]) for edition in editions)
    yield from ((editions[n % len(editions)], inputs) for n, inputs in enumerate(every[1:]))


# --- dice -----------------------------------------------------------------------------------------------------


@cache
def casting_rolls(dice: int, best2: bool) -> Counter[str | int]:
    """Every casting roll, as faces are read off the table: a total, or "miscast"."""
    found: Counter[str | int] = Counter()
    for faces in product(range(1, 7), repeat=dice):
        if len([face for face in faces if face == 1]) >= 2:
            found["miscast"] += 1
        elif best2:
            found[max(a + b for i, a in enumerate(faces) for b in faces[:i])] += 1
        else:
            found[sum(faces)] += 1
    return found


def cast_roll(die: Die, cv: int, mod: int, dice: int = 2, keep: str = "all", *, how_well: bool = True) -> int | None:
    """Roll to cast: the casting roll, 0 where it fails, None for a miscast.

    Rolls that fail are told as one, and those that succeed, too, where it does not matter how well.
    """
    rolls: Counter[int | None] = Counter()
    for total, ways in casting_rolls(dice, keep == "best2").items():
        if isinstance(total, str):
            rolls[None] += ways
        elif total + mod < cv:
            rolls[0] += ways
        else:
            rolls[total + mod if how_well else 1] += ways
    roll: int | None = die(rolls)
    return roll


@cache
def two_dice() -> Counter[int]:
    return Counter(a + b for a, b in product(range(1, 7), repeat=2))


def beats(die: Die, mod: int, roll: int) -> bool:
    """Whether 2D6 and a modifier are more than a roll."""
    more = sum(ways for total, ways in two_dice().items() if total + mod > roll)
    return bool(die(Counter({True: more, False: 36 - more})))


def odds(mod: int, roll: int) -> Fraction:
    return Fraction(sum(1 for a, b in product(range(1, 7), repeat=2) if a + b + mod > roll), 36)


def d3(die: Die) -> int:
    return die(3)


def signed(text: Any, count: int = 1) -> list[int]:
    """Modifiers as they are given, one for each of so many things."""
    if isinstance(text, int):
        return [text] * count
    found = [int(part) for part in str(text).replace("-", "+-").split("+") if part]
    return found * count if len(found) == 1 else found


def whole(text: Any) -> list[int]:
    return [int(part) for part in str(text).split("+")]


def through(die: Die, wounds: int, ward: int) -> int:
    return wounds if ward > 6 else sum(die(Counter({True: ward - 1, False: 7 - ward})) for _ in range(wounds))


def wounds_told(wounds: int, most: int) -> Told:
    told: Told = {"wounds": wounds}
    told |= {f"exactly_{k}": wounds == k for k in range(most + 1)}
    return told | {f"at_least_{k}": wounds >= k for k in range(1, most + 1)}


def count_told(done: list[bool]) -> Told:
    told: Told = {"expected": sum(done)}
    told |= {f"exactly_{k}": sum(done) == k for k in range(len(done) + 1)}
    return told | {f"at_least_{k}": sum(done) >= k for k in range(1, len(done) + 1)}


# --- spells ---------------------------------------------------------------------------------------------------


def wizards_of(given: dict[str, Any], count: int) -> list[int]:
    found: list[int] = []
    for wizard, share in enumerate(whole(given.get("wizards", count))):
        found += [wizard] * share
    return found


def cast(edition: str, **given: Any) -> Any:
    values = [given["cv1"], given["cv2"]] if "cv1" in given else whole(given["cv"]) if "cv" in given else []
    mods = signed(given.get("mod", 0), max(len(values), 1))
    dice, keep = given.get("dice", 2), given.get("keep", "all")

    def table(die: Die) -> Told:
        roll = cast_roll(die, -99, mods[0], dice, keep)
        told: Told = {"miscast": roll is None, "self_wounds": d3(die) if roll is None else 0}
        return told | {f"value_{cv}": roll is not None and roll >= cv for cv in range(3, 13)}

    def play(die: Die) -> Told:
        out: set[int] = set()
        done, wounds = [], 0
        for cv, mod, wizard in zip(values, mods, wizards_of(given, len(values)), strict=True):
            roll = 0 if wizard in out else cast_roll(die, cv, mod, dice, keep, how_well=False)
            if roll is None:
                out.add(wizard)
                wounds += d3(die)
            done.append(bool(roll))
        told: Told = {"miscast": bool(out), "self_wounds": wounds}
        if len(values) == 1:
            return told | {"cast": done[0]}
        told |= {"all": all(done), "any": any(done)} | {f"spell_{n}": one for n, one in enumerate(done, 1)}
        return told | count_told(done)

    return play if values else table


def miscast(edition: str, *, attempts: int = 1, health: int = 0, ward: int = 7, dice: int = 2, **given: Any) -> Any:
    def play(die: Die) -> Told:
        tried, ruined = 0, False
        while tried < attempts and not ruined:
            tried += 1
            ruined = cast_roll(die, 99, 0, dice) is None
        wounds = through(die, d3(die), ward) if ruined else 0
        told = {"miscast": ruined, "attempts": tried} | wounds_told(wounds, 3)
        return told | ({"slain": wounds >= health} if health else {})

    return play


def fairest(spells: list[tuple[int, int, int, Fraction]], unbinders: list[int]) -> Any:
    """What the unbinders do and how little the rest is worth then, by trying everything."""

    @cache
    def rest(number: int, left: tuple[int, ...], out: frozenset[int]) -> Fraction:
        if number == len(spells):
            return Fraction(0)
        cv, mod, wizard, _ = spells[number]
        if wizard in out:
            return rest(number + 1, left, out)
        total = Fraction(0)
        for a, b in product(range(1, 7), repeat=2):
            if a + b == 2:
                total += rest(number + 1, left, out | {wizard})
            elif a + b + mod < cv:
                total += rest(number + 1, left, out)
            else:
                total += min(worth for worth, _ in options(number, left, out, a + b + mod))
        return total / 36

    def options(
        number: int, left: tuple[int, ...], out: frozenset[int], roll: int
    ) -> list[tuple[Fraction, int | None]]:
        worth = spells[number][3]
        found: list[tuple[Fraction, int | None]] = [(worth + rest(number + 1, left, out), None)]
        for who, mod in enumerate(unbinders):
            if left[who]:
                fewer = tuple(n - (i == who) for i, n in enumerate(left))
                found.append(((1 - odds(mod, roll)) * worth + rest(number + 1, fewer, out), who))
        return found

    return options


def unbind(edition: str, **given: Any) -> Any:
    unbinders = signed(given.get("unbind_mod", 0))
    if "casting_roll" in given:

        def answer(die: Die) -> Told:
            total = die(two_dice()) + max(unbinders)
            roll = given["casting_roll"]
            return {"unbound": total > roll, "ties": total == roll, "stands": total <= roll}

        return answer
    values = whole(given["cv"])
    mods = signed(given.get("mod", 0), len(values))
    worths = [Fraction(one) for one in str(given.get("worth", "1")).split("+")]
    worths = worths * len(values) if len(worths) == 1 else worths
    dice, keep = given.get("dice", 2), given.get("keep", "all")

    def one(die: Die) -> Told:
        roll = cast_roll(die, values[0], mods[0], dice, keep)
        stopped = bool(roll) and beats(die, max(unbinders), roll or 0)
        told = {
            "cast": bool(roll),
            "resolves": bool(roll) and not stopped,
            "stopped": stopped,
            "miscast": roll is None,
            "unbound": stopped if roll else None,
        }
        for total in casting_rolls(dice, keep == "best2"):
            if total != "miscast" and int(total) + mods[0] >= values[0]:
                told[f"roll_{int(total) + mods[0]}"] = stopped if roll == int(total) + mods[0] else None
        return told

    spells = list(zip(values, mods, wizards_of(given, len(values)), worths, strict=True))
    options = fairest(spells, unbinders)

    def several(die: Die) -> Told:
        left = (given.get("unbinds", 1),) * len(unbinders)
        out: frozenset[int] = frozenset()
        done, tried = [], []
        for number, (cv, mod, wizard, _) in enumerate(spells):
            roll = 0 if wizard in out else cast_roll(die, cv, mod)
            if roll is None:
                out |= {wizard}
            who = None
            if roll:
                choices = options(number, left, out, roll)
                who = next(who for worth, who in choices if worth == min(one for one, _ in choices))
            if roll and given.get("choose") == "at_once":
                able = [mod for mod, n in zip(unbinders, left, strict=True) if n]
                who = next((i for i, mod in enumerate(unbinders) if left[i] and mod == max(able)), None)
            if who is not None:
                left = tuple(n - (i == who) for i, n in enumerate(left))
            tried.append(who is not None)
            done.append(bool(roll) and not (who is not None and beats(die, unbinders[who], roll or 0)))
        told: Told = {"all": all(done), "any": any(done)}
        told |= {f"spell_{n}": one for n, one in enumerate(done, 1)}
        told |= {f"tried_{n}": one for n, one in enumerate(tried, 1)}
        if "worth" in given:
            told["worth"] = sum(worth for worth, one in zip(worths, done, strict=True) if one)
        return told | count_told(done)

    return one if len(values) == 1 else several


def arcane_bolt(edition: str, **given: Any) -> Any:
    unbinders = signed(given["unbind_mod"]) if "unbind_mod" in given else [0] if given.get("unbind") == "one" else []
    near = Fraction(given["distance"]) <= 3 if "distance" in given else given.get("within3", False)
    times = given.get("phases", 11) if given.get("used") == "each" else 1

    def play(die: Die) -> Told:
        (mod,) = signed(given.get("mod", 0))
        roll = cast_roll(die, given.get("cv", 5), mod, how_well=bool(unbinders))
        resolves = bool(roll) and not (bool(unbinders) and beats(die, max(unbinders), roll or 0))
        wounds = 0
        for _ in range(times if resolves else 0):
            wounds += d3(die) if near else 1
        wounds = through(die, wounds, given.get("ward", 7))
        return {"resolves": resolves} | wounds_told(wounds, times * (3 if near else 1))

    return play


def magical_intervention(edition: str, **given: Any) -> Any:
    (mod,) = signed(given.get("mod", -1))

    def prayer(die: Die) -> Told:
        face = die()

        def works(mod: int) -> bool:
            return face != 1 and face + mod >= 2 and face + mod + given.get("ritual", 0) >= given["value"]

        return {"answered": works(mod), "lost": works(mod + 1) and not works(mod)}

    def spell(die: Die) -> Told:
        natural = die(casting_rolls(given.get("dice", 2), given.get("keep") == "best2"))
        if natural == "miscast":
            told: Told = {"cast": False, "lost": False, "miscast": True, "self_wounds": d3(die)}
            return told | ({"resolves": False} if "unbind_mod" in given else {})
        against = die(two_dice()) + max(signed(given["unbind_mod"])) if "unbind_mod" in given else 0

        def works(mod: int) -> bool:
            return bool(natural + mod >= given["cv"] and against <= natural + mod)

        told = {"cast": natural + mod >= given["cv"], "lost": works(mod + 1) and not works(mod)}
        told |= {"miscast": False, "self_wounds": 0}
        return told | ({"resolves": works(mod)} if "unbind_mod" in given else {})

    return prayer if "value" in given else spell


# --- prayers --------------------------------------------------------------------------------------------------


def prayer(edition: str, **given: Any) -> Any:
    values = whole(given["av"]) if "av" in given else []
    mods = signed(given.get("mod", 0), max(len(values), 1))
    faces = int(given.get("dice", "D6")[1:])

    def play(die: Die) -> Told:
        wrath, wounds, done, table = False, 0, [], Told()
        for av, mod in zip(values or [0], mods, strict=True):
            face = die(faces)
            angry = face == given.get("natural", 1)
            wrath |= angry
            wounds += through(die, given.get("wounds", 1), given.get("ward", 7)) if angry else 0
            done.append(not angry and face + mod >= av)
            table = {f"value_{av}": not angry and face + mod >= av for av in range(2, 7)}
        told: Told = {"wrath": wrath, "self_wounds": wounds}
        if not values:
            return told | table
        if len(values) == 1:
            return told | {"answered": done[0]}
        told |= {"all": all(done), "any": any(done)} | {f"prayer_{n}": one for n, one in enumerate(done, 1)}
        return told | count_told(done)

    return play


def smite(edition: str, **given: Any) -> Any:
    def play(die: Die) -> Told:
        face = die()
        roll = face + signed(given.get("mod", 0))[0]
        answered = face > 1 and roll >= given.get("av", 2)
        hard = answered and roll >= given.get("d3_on", 6)
        wounds = through(die, d3(die) if hard else int(answered), given.get("ward", 7))
        return {"answered": answered, "d3": hard, "wrath": face == 1} | wounds_told(wounds, 3)

    return play


def prayer_ritual(edition: str, **given: Any) -> Any:
    (mod,) = signed(given.get("mod", 0))
    turns, value, better = given.get("turns", 1), given["value"], given.get("better")
    loses = given.get("one", "lose_d3") == "lose_d3"

    def worth(total: int) -> Fraction:
        return Fraction(given.get("better_worth", 2)) if better and total >= better else Fraction(1)

    @cache
    def best(turn: int, points: int) -> Fraction:
        """Most that is left to gain, weighing both ways after each of 18 rolls: a D6, and a D3 for what is lost."""
        if turn == turns:
            return Fraction(0)
        found = Fraction(0)
        for face, loss in product(range(1, 7), range(1, 4)):
            if face == 1:
                found += best(turn + 1, max(points - loss, 0) if loses else points)
            elif face + mod < 2:
                found += best(turn + 1, points)
            else:
                found += max(ways(turn, points + face + mod))
        return found / 18

    def ways(turn: int, total: int) -> tuple[Fraction, Fraction]:
        """To bank it, to use it."""
        use = worth(total) + best(turn + 1, 0) if total >= value else Fraction(-1)
        return best(turn + 1, total), use

    def uses(turn: int, total: int) -> bool:
        bank, use = ways(turn, total)
        return use >= (0 if given.get("choose") == "at_once" else bank)

    def play(die: Die) -> Told:
        points, totals, told = given.get("ritual", 0), [], Told()
        for turn in range(turns):
            face = die()
            total = points + face + mod
            if face == 1:
                points = max(points - d3(die), 0) if loses else points
            elif face + mod >= 2 and uses(turn, total):
                totals.append(total)
                points = 0
            elif face + mod >= 2:
                points = total
            told[f"by_turn_{turn + 1}"] = bool(totals)
        told |= {"answered": bool(totals), "times": len(totals), "points": points}
        if better:
            told |= {"better": any(total >= better for total in totals), "worth": sum(map(worth, totals))}
            for face in range(2, 7):
                total = given.get("ritual", 0) + face + mod
                if face + mod >= 2 and total >= value:
                    told[f"use_at_{total}"] = uses(0, total)
        return told

    return play


# --- endless spells, invocations, manifestations --------------------------------------------------------------


def given_up(die: Die, given: dict[str, Any]) -> bool | None:
    """Whether the spell or prayer that is given up would have worked."""
    (mod,) = signed(given.get("lost_mod", 0))
    if "lost_av" in given:
        face = die()
        return face > 1 and face + mod >= given["lost_av"]
    if "lost_cv" in given:
        roll = cast_roll(die, given["lost_cv"], mod)
        against = signed(given["lost_unbind_mod"]) if "lost_unbind_mod" in given else []
        return bool(roll) and not (bool(against) and beats(die, max(against), roll or 0))
    return None


def attempt_told(die: Die, given: dict[str, Any], name: str, first: bool, there: list[bool]) -> Told:
    told: Told = {name: first}
    lost = given_up(die, given)
    if lost is not None:
        told |= {"lost": lost, "gain": first * Fraction(given.get("worth", 1)) - lost}
    return told | ({f"stays_{n}": one for n, one in enumerate(there, 1)} if len(there) > 1 else {})


def dispel(edition: str, **given: Any) -> Any:
    mods = [*signed(given.get("mod", 0)), *(signed(given.get("enemy_mod", 0)) if given.get("players") == 2 else [])]

    def play(die: Die) -> Told:
        there, first, after = True, None, []
        for _ in range(given.get("phases", 1)):
            for mod in mods:
                gone = beats(die, mod, given["cv"]) if there else False
                first = gone if first is None else first
                there = there and not gone
            after.append(there)
        told = attempt_told(die, given, "dispelled", bool(first), after)
        return told | ({"removed": not after[0]} if len(mods) > 1 else {})

    return play


def banish_invocation(edition: str, **given: Any) -> Any:
    def play(die: Die) -> Told:
        there, after = True, []
        for _ in range(given.get("turns", 1)):
            there = there and die() + signed(given.get("mod", 0))[0] <= given["av"]
            after.append(there)
        return attempt_told(die, given, "banished", not after[0], after)

    return play


def banish_manifestation(edition: str, **given: Any) -> Any:
    def play(die: Die) -> Told:
        there, after = True, []
        for _ in range(given.get("turns", 1)):
            there = there and not beats(die, signed(given.get("mod", 0))[0], given["value"] - 1)
            after.append(there)
        return attempt_told(die, given, "banished", not after[0], after)

    return play


def after_told(on_table: bool, after: list[bool]) -> Told:
    told: Told = {"on_table": on_table} | ({"remains": after[-1]} if after else {})
    return told | {f"after_{n}": one for n, one in enumerate(after, 1)}


def summon_endless(edition: str, **given: Any) -> Any:
    def play(die: Die) -> Told:
        roll = cast_roll(die, given["cv"], *signed(given.get("mod", 0)))
        unbound = bool(roll) and "unbind_mod" in given and beats(die, max(signed(given["unbind_mod"])), roll or 0)
        there = on_table = bool(roll) and not unbound and given.get("placed", True)
        after = []
        for _ in range(given.get("dispel_attempts", 0)):
            there = there and not beats(die, *signed(given.get("dispel_mod", 0)), given["cv"])
            after.append(there)
        return {"cast": bool(roll), "miscast": roll is None} | after_told(on_table, after)

    return play


def summon_invocation(edition: str, **given: Any) -> Any:
    def play(die: Die) -> Told:
        face = die()
        answered = face > 1 and face + signed(given.get("mod", 0))[0] >= given["av"]
        there = on_table = answered and given.get("placed", True)
        after = []
        for _ in range(given.get("banish_attempts", 0)):
            there = there and die() + signed(given.get("banish_mod", 0))[0] <= given["av"]
            after.append(there)
        return {"answered": answered, "wrath": face == 1} | after_told(on_table, after)

    return play


# --- no dice --------------------------------------------------------------------------------------------------


def predatory(edition: str, **given: Any) -> Any:
    spells = [tuple(text.split(":")) for text in given["spells"].split("+")]
    first = given.get("active", "A").upper()
    second = {"A": "B", "B": "A"}[first]
    choice = given.get("choice", "").split("+")
    tame: dict[str, str] = {}  # wizard to its spell
    for name, wizard, where, *stays in sorted(spells, key=lambda one: one[0] not in choice):
        if not stays and where != "slain" and Fraction(where) <= 30:
            tame.setdefault(wizard, name)
    wild = [name for name, wizard, _, *stays in spells if not stays and tame.get(wizard) != name]
    picked = [name for name in given.get("wild_order", "").split("+") if name]
    wild = picked + [name for name in wild if name not in picked]
    order = [
        (name, player) for player in (first, second) for name, w, *_ in spells if tame.get(w) == name and w[0] == player
    ]
    order += [(name, first if n % 2 == 0 else second) for n, name in enumerate(wild)]
    told: Told = {f"order_{name}": place for place, (name, _) in enumerate(order, 1)}
    told |= {f"controlled_{name}": name not in wild for name, _ in order}
    told |= {f"held_by_A_{name}": dict(order).get(name, wizard[0]) == "A" for name, wizard, *_ in spells}
    return lambda die: told


def simultaneous(edition: str, **given: Any) -> Any:
    acts = [text.replace(":", "_") for text in given["actions"].split("+")]
    mine = [one for one in acts if one[0] == given.get("active", "A").upper()]
    order = (["predatory_moves"] if given.get("predatory") else []) + mine + [one for one in acts if one not in mine]
    return lambda die: {f"order_{one}": place for place, one in enumerate(order, 1)}


# --- heroic actions -------------------------------------------------------------------------------------------


def heroic_leadership(edition: str, *, general: str = "alive", phases: int = 1) -> Any:
    def play(die: Die) -> Told:
        gained = [die() + (2 if general == "slain" else 0) >= 4 for _ in range(phases)]
        told: Told = {"gained": gained[0]}
        if phases > 1:
            told |= count_told(gained)
            told["points"] = told.pop("expected")
        return told

    return play


def heroic_willpower(edition: str, **given: Any) -> Any:
    (mod,), (hero,), (dispel_mod,) = (signed(given.get(name, 0)) for name in ("mod", "unbind_mod", "dispel_mod"))
    others = signed(given["others"]) if "others" in given else []
    values = whole(given["cv"])
    both = [*others, hero], others
    spells = [(cv, mod, 0, Fraction(1)) for cv in values]
    weighed = [fairest(spells, who) for who in both]

    def one(die: Die) -> Told:
        roll = cast_roll(die, values[0], mod)
        total = die(two_dice())
        stopped, anyway = (bool(roll) and any(total + one > (roll or 0) for one in who) for who in both)
        return {
            "cast": bool(roll),
            "gain": stopped and not anyway,
            "dispelled": beats(die, dispel_mod, values[0]),
        }

    def several(die: Die) -> Told:
        told: list[int] = []
        for who, options in zip(both, weighed, strict=True):
            left, out, stops = (1,) * len(who), frozenset[int](), 0
            for number, cv in enumerate(values):
                roll = 0 if out else cast_roll(die, cv, mod)
                if roll is None:
                    out = frozenset({0})
                if roll:
                    choices = options(number, left, out, roll)
                    pick = next(pick for worth, pick in choices if worth == min(one for one, _ in choices))
                    if pick is not None:
                        left = tuple(n - (i == pick) for i, n in enumerate(left))
                        stops += beats(die, who[pick], roll)
            told.append(stops)
        return {"stopped": told[0], "more": told[0] - told[1]}

    return one if len(values) == 1 else several


def healed_by(die: Die, edition: str, bravery: int, allocated: int | None) -> int:
    roll = die(two_dice())
    if roll > bravery:
        return 0
    healed = 1 if edition == "3e_launch" and roll == bravery else d3(die)
    return healed if allocated is None else min(healed, allocated)


def heroic_recovery(edition: str, **given: Any) -> Any:
    def play(die: Die) -> Told:
        healed = healed_by(die, edition, given["bravery"], given.get("allocated"))
        told: Told = {"heals": healed > 0} | wounds_told(healed, 3)
        told["healed"] = told.pop("wounds")
        if "against" in given:
            other = healed_by(die, given["against"], given["bravery"], given.get("allocated"))
            told |= {"healed_against": other, "difference": healed - other}
        return told

    return play


def heroic_action(edition: str, **given: Any) -> Any:
    def means() -> dict[str, Fraction]:
        """Worth of each, written down by hand."""
        found = {
            "leadership": Fraction(5 if given.get("general") == "slain" else 3, 6) * Fraction(given.get("cp_worth", 1))
        }
        if "cv" in given:
            rolls = [a + b for a, b in product(range(1, 7), repeat=2)]
            if given.get("phase", "own") == "own":
                p = odds(0, given["cv"])
            else:
                p = sum((odds(0, roll) for roll in rolls if roll > 2 and roll >= given["cv"]), Fraction(0)) / 36
            found["willpower"] = p * Fraction(given.get("spell_worth", 1))
        if "bravery" in given:
            most = given.get("allocated", 3)
            heal = Fraction(sum(min(k, most) for k in (1, 2, 3)), 3)
            below, equal = (
                Fraction(sum(ways for roll, ways in two_dice().items() if test(roll)), 36)
                for test in (lambda roll: roll < given["bravery"], lambda roll: roll == given["bravery"])
            )
            mean = below * heal + equal * (heal if edition == "3e" else min(1, most))
            found["recovery"] = mean * Fraction(given.get("wound_worth", 1))
        if "finest_worth" in given:
            found["finest_hour"] = Fraction(given["finest_worth"])
        if "own_worth" in given:
            found["own"] = Fraction(given["own_worth"]) * Fraction(given.get("own_chance", 1))
        return found

    worths = means()

    def tried(die: Die, name: str) -> Fraction:
        if name == "leadership":
            return (die() >= (2 if given.get("general") == "slain" else 4)) * Fraction(given.get("cp_worth", 1))
        if name == "willpower":
            roll: int | None = given["cv"]
            if given.get("phase") == "enemy":
                roll = cast_roll(die, given["cv"], 0)
            return (bool(roll) and beats(die, 0, roll or 0)) * Fraction(given.get("spell_worth", 1))
        if name == "recovery":
            return healed_by(die, edition, given["bravery"], given.get("allocated")) * Fraction(
                given.get("wound_worth", 1)
            )
        if name == "own":
            p = Fraction(given.get("own_chance", 1))
            return die(Counter({1: p.numerator, 0: p.denominator - p.numerator})) * Fraction(given["own_worth"])
        return Fraction(given["finest_worth"])

    def play(die: Die) -> Told:
        came = {name: tried(die, name) for name in worths}
        told: Told = {f"worth_{name}": worth for name, worth in came.items()}
        told |= {f"best_{name}": worth == max(worths.values()) for name, worth in worths.items()}
        return told | {"top": came[max(worths, key=lambda name: worths[name])]}

    return play


# --- what is asked --------------------------------------------------------------------------------------------

#: System to editions and inputs that are asked.
CASES: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "cast": [
        *in_each(ALL, {"cv": 7}, {}, {"cv": 5, "mod": "+3"}, {"mod": -1}),
        *in_each(
            BOTH_OLD,
            {"cv1": 5, "cv2": 7},
            {"cv": "5+7+6", "mod": "1+0-1", "wizards": "2+1"},
            {"cv": "6+6", "spells": "Arcane Bolt+Mystic Shield", "wizards": "1+1"},
        ),
        *in_each(
            BOTH_NEW, {"dice": 3}, {"dice": 3, "keep": "all", "cv": 12}, {"dice": 3, "keep": "best2", "cv": "5+7"}
        ),
    ],
    "miscast": [
        *in_each(ALL, {}, {"mod": "+2"}, {"attempts": 3, "ward": 5, "health": 2}, {"attempts": 2, "health": 1}),
        ("4e", {"dice": 3, "attempts": 2}),
    ],
    "unbind": [
        *in_each(ALL, {"cv": 7}, {"casting_roll": 7}, {"cv": 10, "mod": "+1", "unbind_mod": "0+2"}),
        *in_each(
            BOTH_OLD,
            {"casting_roll": 12, "unbind_mod": "+1", "distance": 30},
            {"cv": "9+9", "worth": "1+3", "unbind_mod": 1},
            {"cv": "11+10+11", "wizards": "2+1", "unbind_mod": "0+1", "mod": "1+0+0"},
            {"cv": "10+10", "unbinds": 2, "spells": "A+B"},
            {"cv": "11+10+11", "choose": "at_once", "unbind_mod": "0+2"},
            {"cv": "11+11", "choose": "best", "worth": "1+2", "unbind_mod": 2},
            {"cv": 5, "mod": -9},
        ),
        *in_each(
            BOTH_NEW, {"cv": 14, "dice": 3, "keep": "all"}, {"cv": 11, "dice": 3, "keep": "best2", "unbind_mod": 2}
        ),
    ],
    "arcane_bolt": [
        *in_each(
            BOTH_OLD,
            {},
            {"within3": True, "unbind_mod": "0"},
            {"cv": 6, "mod": "+1", "unbind": "one", "ward": 5, "within3": True},
            {"unbind": "none", "used": "once", "distance": "2.5"},
            {"used": "each", "phases": 2, "ward": 6, "unbind_mod": "0-1"},
            {"used": "each", "distance": 12},
            {"distance": 3},
        )
    ],
    "magical_intervention": [
        *in_each(
            BOTH_NEW,
            {"cv": 6},
            {"cv": 6, "unbind_mod": 0},
            {"cv": 7, "mod": 0, "unbind_mod": "0+1", "dice": 3, "keep": "all"},
            {"cv": 7, "dice": 3, "keep": "best2"},
            {"value": 4},
            {"value": 4, "ritual": 4},
            {"value": 3, "ritual": 1, "mod": -2},
        )
    ],
    "prayer": [
        *in_each(
            BOTH_OLD,
            {"av": 4},
            {},
            {"av": 2, "mod": "+1", "ward": 5},
            {"av": "4+3", "mod": "1-1", "prayers": "Bless+Smite", "wounds": 2, "ward": 6},
            {"av": 3, "dice": "D3", "natural": 1, "wounds": 2},
            {"dice": "D8", "natural": 8, "mod": "-1"},
        )
    ],
    "smite": [
        *in_each(
            BOTH_OLD,
            {},
            {"mod": "+1", "ward": 5},
            {"av": 3, "mod": -1, "d3_on": 5, "distance": 48, "priest": True},
            {"av": 6, "d3_on": 2},
        )
    ],
    "prayer_ritual": [
        *in_each(
            BOTH_NEW,
            {"value": 6, "turns": 2},
            {"value": 5, "ritual": 3, "mod": -1, "turns": 2, "one": "nothing"},
            {"value": 7, "ritual": 2, "turns": 2, "one": "lose_d3"},
            {"value": 4, "better": 8, "better_worth": 3, "turns": 3},
            {"value": 4, "better": 8, "better_worth": "9/5", "turns": 2},  # to use 6 is as good as to bank it
            {"value": 3, "better": 6, "turns": 2, "mod": "+1", "choose": "best"},
            {"value": 4, "better": 8, "better_worth": 3, "turns": 2, "choose": "at_once"},
            {"value": 4, "better": 12, "better_worth": "3/2", "ritual": 5, "mod": -1},
        )
    ],
    "dispel": [
        *in_each(
            BOTH_OLD,
            {"cv": 7},
            {"cv": 7, "players": 2, "enemy_mod": "+1", "phases": 3},
            {"cv": 6, "mod": "+1", "lost_cv": 7, "lost_unbind_mod": 0, "worth": 2, "distance": 12},
            {"cv": 8, "players": 1, "phases": 2, "lost_av": 4, "lost_mod": "+1", "attempts": 1},
            {"cv": 8, "lost_cv": 5},
        )
    ],
    "banish_invocation": [
        *in_each(
            BOTH_OLD,
            {"av": 4},
            {"av": 6, "turns": 2},
            {"av": 5, "mod": "+1", "turns": 3, "priest": True, "distance": 48, "attempts": 1},
            {"av": 3, "lost_av": 4, "lost_mod": -1, "worth": "5/2"},
        )
    ],
    "banish_manifestation": [
        *in_each(
            BOTH_NEW,
            {"value": 7},
            {"value": 8, "mod": "+1", "turns": 2, "distance": 30, "attempts": 1},
            {"value": 6, "lost_cv": 7, "lost_mod": 1, "lost_unbind_mod": "0+1", "worth": 3},
        )
    ],
    "summon_endless": [
        *in_each(
            BOTH_OLD,
            {"cv": 6},
            {"cv": 6, "unbind_mod": 0, "dispel_attempts": 2, "placed": True},
            {"cv": 7, "mod": "+1", "unbind_mod": "0+1", "dispel_attempts": 1, "dispel_mod": "-1", "removed_now": False},
            {"cv": 5, "placed": False},
        )
    ],
    "summon_invocation": [
        *in_each(
            BOTH_OLD,
            {"av": 4},
            {"av": 4, "mod": "+1", "banish_attempts": 2, "banish_mod": "+1", "placed": True},
            {"av": 3, "placed": False, "removed_now": False, "banish_attempts": 1},
        )
    ],
    "predatory": [
        *in_each(
            BOTH_OLD,
            {"spells": "Sun:A1:18+Jaws:B1:31+Gate:B1:12"},
            {"spells": "Sun:A1:18+Jaws:A1:30+Gate:B1:12+Swords:A2:slain+Bridge:B1:3:stays", "active": "b"},
            {"spells": "Sun:A1:18+Jaws:A1:30+Gate:A1:61/2+Maw:B:0", "choice": "Jaws", "wild_order": "Gate+Sun"},
            {"spells": "Sun:A1:18+Jaws:B:4", "active": "a"},
        )
    ],
    "simultaneous": [
        *in_each(
            BOTH_OLD,
            {"actions": "A:rally+B:dispel+A:dispel"},
            {"actions": "A:x+B:y+B:x", "active": "b", "predatory": True},
            {"actions": "B:x", "active": "a"},
        ),
        ("4e", {"actions": "A:x+B:y+B:x", "active": "b"}),
        ("4e_late", {"actions": "B:x+A:y"}),
    ],
    "heroic_action": [
        *in_each(
            BOTH_OLD,
            {},
            {"general": "slain", "cp_worth": 2, "cv": 6, "phase": "own", "bravery": 7, "wizard": False},
            {"general": "alive", "cv": 7, "phase": "enemy", "spell_worth": "5/2", "own_worth": 3, "own_chance": "1/2"},
            {"bravery": 8, "allocated": 2, "wound_worth": "3/2", "enemy_distance": 4, "finest_worth": 2},
            {"bravery": 8, "allocated": 1, "finest_worth": 2, "finest_used": False},
        ),
    ],
    "heroic_leadership": [*in_each(BOTH_OLD, {"general": "alive"}, {"general": "slain", "phases": 3}, {"phases": 2})],
    "heroic_willpower": [
        *in_each(
            BOTH_OLD,
            {"cv": 7},
            {"cv": 6, "mod": "+1", "unbind_mod": "+1", "others": "0-1", "dispel_mod": "+2", "wizard": False},
            {"cv": 8, "others": "+2"},
            {"cv": "11+11", "others": "0"},
            {"cv": "12+11", "mod": "+1"},
        )
    ],
    "heroic_recovery": [
        ("3e", {"bravery": 7, "rule": "errata"}),
        ("3e_launch", {"bravery": 7, "rule": "launch", "enemy_distance": 1}),
        ("3e", {"bravery": 10, "allocated": 2, "against": "3e_launch", "enemy_distance": "3.5"}),
        ("3e_launch", {"bravery": 6, "allocated": 1, "against": "3e"}),
        ("3e", {"bravery": 12, "allocated": 0}),
    ],
}

#: System to its play: of an edition and inputs, a function of a die.
PLAYS: dict[str, Callable[..., Callable[[Die], Told]]] = {
    play.__name__: play
    for play in (
        cast,
        miscast,
        unbind,
        arcane_bolt,
        magical_intervention,
        prayer,
        smite,
        prayer_ritual,
        dispel,
        banish_invocation,
        banish_manifestation,
        summon_endless,
        summon_invocation,
        predatory,
        simultaneous,
        heroic_action,
        heroic_leadership,
        heroic_willpower,
        heroic_recovery,
    )
}
