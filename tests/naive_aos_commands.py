"""Age of Sigmar, the naive way: plans of commands: what is legal, what is best."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any

from naive_aos_fights import Fight, as_die, warded
from naive_choices import D3, Best, Game, Hand, best, reaches
from naive_questions import Die, Told

# --- is a plan legal? -----------------------------------------------------------------------------------------

#: Command to its cost and where it may be used, as the source text has it; "x:" before a phase where only another
#: command of the same unit lets it happen.
FOURTH = {
    "rally": (1, "hero enemy_hero"),
    "magical_intervention": (1, "enemy_hero"),
    "redeploy": (1, "enemy_movement"),
    "at_the_double": (1, "movement x:enemy_movement"),
    "covering_fire": (1, "enemy_shooting"),
    "counter_charge": (2, "enemy_charge"),
    "forward_to_victory": (1, "charge x:enemy_charge"),
    "all_out_attack": (1, "shooting combat enemy_combat x:enemy_shooting"),
    "all_out_defence": (1, "shooting combat enemy_shooting enemy_combat"),
    "power_through": (1, "end enemy_end"),
}
THIRD = {
    "rally": (1, "hero"),
    **dict.fromkeys(
        ("heroic_leadership", "heroic_willpower", "heroic_recovery", "finest_hour", "dispel"), (0, "hero enemy_hero")
    ),
    **dict.fromkeys(("banish", "cast", "chant", "summon_endless", "summon_invocation"), (0, "hero")),
    "unbind": (0, "enemy_hero"),
}
ORDER = ["hero", "movement", "shooting", "charge", "combat", "end"]


def said(plan: str) -> list[tuple[str, str, str, str, str]]:
    """Issuer, unit, command, what, phase of each part of a plan."""
    found = []
    for part in plan.split("+"):
        who, rest = part.split(":")
        what, phase = rest.split("@")
        command, _, thing = what.partition("=")
        issuer, _, unit = who.rpartition(">")
        found.append((issuer, unit, command, thing, phase))
    return found


def one_of(names: Any, unit: str) -> bool:
    return names is True or (isinstance(names, str) and unit in names.split("+"))


def number(text: Any, key: str) -> float | None:
    if text is None or ":" not in str(text):
        return None if text is None else float(text)
    pairs = dict(part.rsplit(":", 1) for part in text.split("+"))
    return float(pairs[key]) if key in pairs else None


def whose(phase: str) -> bool:
    return phase.startswith("enemy_")


def when(phase: str) -> int:
    return ORDER.index(phase.replace("enemy_", ""))


def broken_fourth(plan: list[tuple[str, ...]], i: int, given: dict[str, Any]) -> list[str]:
    _, unit, command, _, phase = plan[i]
    own = command.startswith("other_")
    places = f"{phase}" if own else FOURTH[command][1]
    through = f"x:{phase}" in places.split()
    mine = [(c, p) for _, u, c, _, p in plan if u == unit and whose(p) == whose(phase) and when(p) < when(phase)]
    ran = one_of(given.get("ran"), unit) or any(c in ("redeploy", "at_the_double") for c, _ in mine)
    charged = any(c in ("counter_charge", "forward_to_victory") for c, _ in mine) or one_of(given.get("charged"), unit)
    if "charged" not in given and not whose(phase):
        charged = charged or not ran or given.get("run_bars") == "covering_fire"
    found = []
    if phase not in places.split() and not through:
        found.append("phase")
    if command in ("rally", "redeploy", "covering_fire", "counter_charge") and one_of(given.get("in_combat"), unit):
        found.append("in_combat")
    bars = {"covering_fire"}
    if given.get("run_bars") != "covering_fire":
        bars |= {"counter_charge", "forward_to_victory"} | ({"all_out_attack"} if "shooting" in phase else set())
    if command in bars and ran:
        found.append("run")
    if command == "power_through":
        if not charged:
            found.append("charged")
        health, target = number(given.get("health"), unit), number(given.get("target_health"), unit)
        if health is not None and target is not None and not target < health:
            found.append("health")
    if command == "magical_intervention":
        told = [given[name] for name in ("wizard", "priest") if name in given]
        if told and not any(one_of(names, unit) for names in told):
            found.append("wizard_or_priest")
    if through or any((u, p) == (unit, phase) for _, u, _, _, p in plan[:i]):
        found.append("unit")
    if any((c, p) == (command, phase) for _, _, c, _, p in plan[:i]):
        found.append("army")
    return found


def broken_third(plan: list[tuple[str, ...]], i: int, given: dict[str, Any], edition: str) -> list[str]:
    issuer, unit, command, thing, phase = plan[i]
    before = [one for one in plan[:i] if one[4] == phase]
    found = []
    heroic = command.startswith("heroic_") or command == "finest_hour"
    if not command.startswith("other_") and phase not in THIRD[command][1].split():
        found.append("phase")
    near = ("rally", "heroic_recovery") if edition == "3e" else ("rally",)
    if command in near and one_of(given.get("in_combat"), unit):
        found.append("near")

    def is_no(*kinds: str) -> bool:
        told = [given[kind] for kind in kinds if kind in given]
        return bool(told) and not any(one_of(names, unit) for names in told)

    if command == "dispel" and is_no("wizard", "priest"):
        found.append("wizard_or_priest")
    if command in ("cast", "unbind", "summon_endless") and is_no("wizard"):
        found.append("wizard")
    if command in ("banish", "chant", "summon_invocation") and is_no("priest"):
        found.append("priest")
    if cost_of(command, edition):
        gives = issuer or unit
        if gives != unit:
            far = number(given.get("distance"), f"{gives}>{unit}")
            long = one_of(given.get("general"), gives) or one_of(given.get("totem"), gives)
            told = any(kind in given for kind in ("general", "totem", "hero"))
            if told and not long and not one_of(given.get("hero"), gives):
                found.append("issuer")
            if far is not None and far > (18 if long else 12):
                found.append("range")
        paid = [one for one in before if cost_of(one[2], edition)]
        if any((one[0] or one[1]) == gives for one in paid):
            found.append("issued")
        if any(one[1] == unit for one in paid):
            found.append("received")
        if any(one[2] == command for one in paid):
            found.append("once")
    if heroic:
        if is_no("hero", "general"):
            found.append("hero")
        if command == "heroic_willpower" and one_of(given.get("wizard"), unit):
            found.append("no_wizard")
        if any(one[2].startswith("heroic_") or one[2] == "finest_hour" for one in before):
            found.append("one_action")
        again = any(one[1:3] == (unit, "finest_hour") for one in plan[:i])
        if command == "finest_hour" and (again or one_of(given.get("had_finest_hour"), unit)):
            found.append("finest_hour")
    wizardly = {"cast": "same_cast", "unbind": "same_unbind", "summon_endless": "same_cast", "dispel": "same_dispel"}
    priestly = {"chant": "same_chant", "summon_invocation": "same_chant", "banish": "same_banish", "dispel": ""}
    if command in wizardly or command in priestly:
        once = {"dispel": "dispels", "banish": "banishes", "summon_endless": "summons", "summon_invocation": "summons"}
        if command in once and any(one[1:3] == (unit, command) for one in before):
            found.append(once[command])
        if thing and any(one[2:4] == (command, thing) for one in before):
            found.append({**priestly, **wizardly}[command])
        priest = one_of(given.get("priest"), unit) and not one_of(given.get("wizard"), unit)
        chants = command not in wizardly or (command == "dispel" and priest)
        had = sum(one[1] == unit and one[2] in (priestly if chants else wizardly) for one in before)
        if had >= (1 if chants else (number(given.get("casts"), unit) or 1)):
            found.append("chants" if chants else "casts")
    return found


def cost_of(command: str, edition: str) -> int:
    return 1 if command.startswith("other_") else (FOURTH if edition.startswith("4") else THIRD)[command][0]


def forbidden(plan: list[tuple[str, ...]], given: dict[str, Any], edition: str, points: int) -> list[str]:
    if edition.startswith("4") and given.get("commands") is False:
        return ["module"]
    found, spent = [], 0
    for i, one in enumerate(plan):
        found += broken_fourth(plan, i, given) if edition[0] == "4" else broken_third(plan, i, given, edition)
        spent += cost_of(one[2], edition)
        if cost_of(one[2], edition) and spent > points:
            found.append("points")
    return found


def command_legality(edition: str, *, plan: str, cp: int | None = None, **given: Any) -> Callable[[Die], Told]:
    points = cp if cp is not None else 4 if edition.startswith("4") else 2
    parts = said(plan)
    rules = forbidden(parts, given, edition, points)
    price = sum(cost_of(one[2], edition) for one in parts)
    told: Told = {"legal": not rules, "cost": price, "left": max(points - price, 0)}
    told |= {f"forbids_{rule}": rules.count(rule) for rule in rules}
    every = [some for size in range(len(parts) + 1) for some in combinations(parts, size)]
    prices = [sum(cost_of(one[2], edition) for one in some) for some in every]
    legal = [not some or not forbidden(list(some), given, edition, points) for some in every]
    payable = sorted(price for price, fine in zip(prices, legal, strict=True) if fine and price <= points)
    if len(parts) <= 4:
        told |= {f"set_{number}": price for number, price in enumerate(payable) if number}
    for budget in range(points + 1):
        told[f"legal_sets_{budget}"] = sum(price <= budget for price in payable)
    return lambda die: dict(told)


# --- the best use ---------------------------------------------------------------------------------------------


@cache
def totals(fight: Fight) -> Counter[int]:
    """The damage of a fight, as the faces of a die."""
    return as_die(fight.damage)


class Named(dict[str, Any]):
    """A file, in the name of its test."""

    def __str__(self) -> str:
        return f"of {len(self['events'])} events"


#: A turn in a file: the charge of one unit, who attacks then, and the enemy's blow at another.
SMALL = Named(
    {
        "edition": "4e",
        "points": 1,
        "goal": [
            {"when": "destroyed Guard", "vp": "2"},
            {"when": "survives Wall", "vp": "1"},
            {"when": "charge Ram and survives Wall", "vp": "1/2"},
        ],
        "units": {"Ram": {"health": 4}, "Wall": {"models": 2, "save": "5+"}},
        "enemies": {"Guard": {"models": 2, "save": "5+", "ward": "5+"}},
        "events": [
            {"phase": "charge", "charge": "Ram", "target": "Guard", "need": 7},
            {"phase": "combat", "attack": "Ram", "target": "Guard", "weapons": "2x3+/3+/-1/1"},
            {"phase": "combat", "attack": "Guard", "target": "Wall", "weapons": "3x3+/4+/-/1"},
        ],
    }
)


def small(die: Die, buy: Hand) -> Fraction:
    """That turn at the table."""
    made = reaches(die, 7)
    if not made and buy("forward_to_victory", "Ram"):
        made = reaches(die, 7)
    buy.phase()
    guard = wall = 2
    if made:
        better = buy("all_out_attack", "Ram")
        guard -= min(die(totals(Fight(2, 3, 3, 5, 1, ward=5, hit_mod=int(better)))), guard)
    if guard:
        better = buy("all_out_defence", "Wall")
        wall -= min(die(totals(Fight(3, 3, 4, 5, save_mod=int(better)))), wall)
    buy.phase()
    if made and guard and buy("power_through", "Ram"):
        guard -= min(guard, sum(die(warded(5)) for _ in range(die(D3))))
    return 2 * (guard == 0) + (wall > 0) + Fraction(made and wall > 0, 2)


def fights(given: dict[str, Any], **changes: int) -> Counter[int]:
    """Damage of all weapons, as the faces of a die."""
    shared = {name: given[name] for name in ("save", "wound6", "cap") if name in given}
    shared["ward"] = given.get("ward", 0)
    names = ("attacks", "hit", "wound", "rend", "dmg", "crit", "crit_on", "companion")
    weapons = [{name: given[name] for name in names if name in given}]
    if "weapons" in given:
        weapons = [
            dict(zip(names, map(int, text.replace("x", "/").split("/")), strict=False))
            for text in given["weapons"].split(",")
        ]
    every = [Fight(**{**weapon, **shared, **changes}) for weapon in weapons]
    return as_die(lambda die: sum(die(totals(one)) for one in every))


def attacks(given: dict[str, Any]) -> Game:
    plain, better = fights(given), fights(given, hit_mod=1)

    def game(die: Die, buy: Hand) -> bool:
        made = reaches(die, given.get("need", 2))
        if not made and buy("forward_to_victory", "a"):
            made = reaches(die, given["need"])
        if not made:
            return False
        buy.phase()
        dealt = die(better if buy("all_out_attack", "a") else plain)
        buy.phase()
        if given.get("heavier", True) and buy("power_through", "a"):
            ward = given.get("ward", 0)
            dealt += sum(die(warded(ward)) if ward else 1 for _ in range(die(D3)))
        return bool(dealt >= given["goal"])

    return game


def attacked(given: dict[str, Any]) -> Game:
    plain, worse = fights(given), fights(given, save_mod=1)

    def game(die: Die, buy: Hand) -> bool:
        if "need" in given:
            far = die() if buy("redeploy", "a") else 0
            made = reaches(die, given["need"] + far)
            if not made and given.get("reroll"):
                made = reaches(die, given["need"] + far)
            if not made:
                return True
        buy.phase()
        return bool(die(worse if buy("all_out_defence", "a") else plain) < given["lethal"])

    return game


def command_budget(edition: str, **given: Any) -> Callable[[Die], Told]:
    game = small if "file" in given else attacks(given) if "goal" in given else attacked(given)
    points = given.get("cp", 1 if "file" in given else 4)
    banned = set(given.get("without", "").split("+"))
    forced = set(given["spend"].split("+")) if "spend" in given else None
    offered: set[str] = set()
    by_points: list[Best] = [best(game, number, banned, None, offered) for number in range(max(5, points) + 1)]
    found = best(game, points, banned, forced)
    chance, family = ("vp", "vp_best") if "file" in given else ("chance", "best")
    chances = {chance: found.worth} | {f"{family}_{k}": one.worth for k, one in enumerate(by_points)}
    means = {"spends": -found.saved, "underdog": by_points[5].worth - by_points[4].worth}
    means |= {f"spent_{k}": -one.saved for k, one in enumerate(by_points)}
    means |= {f"worth_{k}": by_points[k].worth - by_points[k - 1].worth for k in range(1, len(by_points))}
    means |= {f"uses_{name}": found.uses.get(name, Fraction(0)) for name in offered}
    if chance == "vp":
        means, chances = {**means, **chances}, {}

    def play(die: Die) -> Told:
        """What is true on average, and how far a trial may be from that: a die that stands for it."""
        off = 4 * die(Counter((-1, 1)))
        return {**chances, **{name: mean + off for name, mean in means.items()}}

    return play


# --- what is asked --------------------------------------------------------------------------------------------

#: System to editions and inputs that are asked.
CASES: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "command_legality": [
        *(
            ("4e", {"plan": plan, **more})
            for plan, more in (
                ("a:rally@hero+b:rally@hero+a:rally@enemy_hero", {"in_combat": "b"}),
                (
                    "a:rally@hero+a:magical_intervention@enemy_hero+b:rally@hero",
                    {"in_combat": True, "wizard": "b"},
                ),
                ("b:magical_intervention@enemy_hero", {"priest": "b", "wizard": "b"}),
                ("a:redeploy@enemy_movement+a:at_the_double@enemy_movement", {}),
                ("a:redeploy@enemy_movement+a:covering_fire@enemy_shooting+a:counter_charge@enemy_charge", {}),
                (
                    "a:redeploy@enemy_movement+a:covering_fire@enemy_shooting+a:counter_charge@enemy_charge",
                    {"run_bars": "covering_fire"},
                ),
                ("a:forward_to_victory@charge+a:all_out_attack@shooting", {"ran": "a", "run_bars": "shoot_and_charge"}),
                ("a:covering_fire@enemy_shooting+b:covering_fire@enemy_shooting", {"ran": True}),
                ("a:counter_charge@enemy_charge+a:power_through@enemy_end", {"health": "5", "target_health": "a:5"}),
                ("a:power_through@enemy_end+b:power_through@end", {"charged": "a", "cp": 3}),
                ("a:power_through@end", {"health": "a:5", "target_health": "3"}),
                ("a:at_the_double@movement+a:power_through@end", {}),
                ("a:at_the_double@movement+a:power_through@end", {"run_bars": "covering_fire"}),
                ("a:power_through@end", {"ran": "a"}),
                ("b:magical_intervention@enemy_hero", {"wizard": False, "priest": False}),
                ("a:all_out_attack@combat+b:all_out_defence@combat", {"commands": False}),
                ("a:other_banner@combat+a:all_out_defence@combat+b:all_out_defence@charge", {"cp": 1}),
            )
        ),
        ("4e_late", {"plan": "a:all_out_attack@combat+a:all_out_attack@enemy_combat+b:all_out_attack@combat"}),
        *(
            ("3e", {"plan": plan, **more})
            for plan, more in (
                ("h>a:rally@hero+h>b:rally@hero", {"hero": "h", "distance": "h>a:12+h>b:12.5", "in_combat": "b"}),
                ("g>a:rally@hero+g>a:other_roar@hero", {"general": "g", "distance": "18"}),
                ("t>a:rally@hero+a:other_roar@hero+x>b:other_dance@hero", {"totem": "t", "cp": 1}),
                ("h:finest_hour@hero+h:heroic_willpower@hero+h:finest_hour@enemy_hero", {"wizard": "h"}),
                (
                    "h:finest_hour@hero+k:heroic_recovery@enemy_hero",
                    {"had_finest_hour": "h", "hero": "h", "in_combat": "k"},
                ),
                ("w:dispel=x@hero+w:cast=bolt@hero+v:cast=bolt@hero+p:dispel=x@hero", {"wizard": "w+v", "priest": "p"}),
                (
                    "w:cast=bolt@hero+w:cast=shield@hero+w:summon_endless=x@hero+w:summon_endless=y@hero",
                    {"casts": "w:3"},
                ),
                ("p:banish=i@hero+p:chant=bless@hero+p:banish=j@hero+q:banish=i@hero", {"priest": "p+q"}),
                ("p:dispel=x@enemy_hero+p:dispel=y@enemy_hero", {"priest": "p"}),
                ("w:unbind=bolt@enemy_hero+v:unbind=bolt@enemy_hero+w:dispel=x@hero", {"wizard": "v"}),
                ("h>a:rally@hero+w:heroic_leadership@hero+w:cast=bolt@hero", {"hero": False, "wizard": False}),
                ("p:chant=bless@hero+q:chant=bless@hero+p:summon_invocation=i@hero+w:cast@enemy_hero", {}),
            )
        ),
        (
            "3e_launch",
            {"plan": "k:heroic_recovery@hero+k:heroic_leadership@enemy_hero", "in_combat": "k", "hero": "k"},
        ),
    ],
    "command_budget": [
        ("4e", {"goal": 2, "attacks": 2, "hit": 4, "wound": 3, "save": 5, "rend": 1}),
        ("4e", {"goal": 3, "attacks": "D3", "hit": 4, "wound": 3, "dmg": 2, "need": 8, "ward": 5, "cp": 2}),
        ("4e", {"goal": 2, "attacks": 2, "hit": 4, "wound": 4, "need": 9, "heavier": False, "cp": 1, "crit": "2hits"}),
        (
            "4e",
            {"goal": 3, "hit": 3, "wound": 4, "dmg": "D3", "spend": "power_through", "crit": "mortal", "crit_on": 5},
        ),
        ("4e", {"goal": 2, "weapons": "1x4/4/1/1,2x5/3/0/1", "spend": "all_out_attack+power_through", "cp": 2}),
        ("4e", {"goal": 1, "attacks": 2, "hit": 5, "wound": 6, "wound6": False, "without": "power_through", "cp": 6}),
        ("4e_late", {"lethal": 2, "attacks": 3, "hit": 3, "wound": 3, "save": 5, "need": 7, "crit": "auto"}),
        ("4e_late", {"lethal": 1, "attacks": 2, "hit": 3, "wound": 3, "save": 3, "rend": 1, "cap": "bonus", "cp": 0}),
        (
            "4e",
            {
                "lethal": 2,
                "attacks": 3,
                "hit": 3,
                "wound": 3,
                "save": 4,
                "need": 6,
                "reroll": True,
                "cap": "net",
                "crit": "none",
                "companion": True,
                "spend": "redeploy",
            },
        ),
        ("4e", {"file": SMALL}),
        ("4e", {"file": SMALL, "cp": 2, "without": "forward_to_victory"}),
    ],
}

#: System to its play: of an edition and inputs, a function of a die.
PLAYS: dict[str, Callable[..., Callable[[Die], Told]]] = {
    "command_legality": command_legality,
    "command_budget": command_budget,
}
