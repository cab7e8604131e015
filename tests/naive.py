"""The naive way: attack chains answered in the most obvious manner, for the tests only.

It shares no code with the package.  A scenario (a mapping, by numbers only) is played as a tree whose nodes
are *states*: where in the scenario we are, which markers the attacker still has, and how the target is.
Every node is asked for the full distribution of final states below it, as exact fractions, and remembered.

The model
---------
* A pool of `keep + |net|` D6; net > 0 keeps the `keep` highest, net < 0 the `keep` lowest.
* An attack rolls to hit (keep 2): 2-6 misses, 7-11 hits, 12 is a critical.  AUTO-HIT hits without a roll.
* A hit rolls an injury (keep 2, DEADLY 3, a Bloodbath one more): with the injury modifiers added, 1 or less
  is nothing, 2-6 a minor hit, 7-8 down, 9 or more out of action.
* Shots of one action are resolved in turn, or together.  Together means: all are rolled to hit; the spending
  is settled hit by hit (for `optimal`: for all hits at once, knowing which are critical); every injury is
  rolled against the target as it was before the action; all spent markers are gone; the results are applied
  in order.  A shot in turn is a volley of one.
* The spending on the hits of a volley is called a *plan*: for each hit, how many blessings and blood markers
  are turned into dice, and whether there is a Bloodbath.  No plan depends on the injury dice of its own
  volley.  Every policy but `optimal` has a single plan; `optimal` tries them all and keeps the one with the
  largest chance that the target is out of action in the end.
* RISKY: a failed attack skips all that follows, events too, up to the next "activation" event.  Shots rolled
  together are all rolled first, and hits among them count; in turn, the remaining shots are skipped too.
* "risky", "attacker_stand" and "charge" are rolls of the attacker that are no attacks; a failed one skips as a failed
  RISKY attack does.  An attacker that has stood up has no -1 DICE for being Down, and whoever was to stand up has
  none in a new activation either, in which models stand.  A charge rolls a die (or two, of which the higher counts),
  adds it to the Movement, and has to come to the distance; `halved` halves the Movement (1.0.2: and the die).

Readings of what the contract leaves open
-----------------------------------------
* The attacker's `down` lasts for the whole scenario; only "attacker_stand" changes it.
* A `tough` that is given replaces the keyword TOUGH.  The FEAR of a target and the `fear` of an attack are
  one and the same -1.
* IGNORE ELEVATED POSITION: no +1 DICE for being elevated.
* SHOTGUN works in both editions and costs its injury die with AUTO-HIT too, but not with IGNORE LONG RANGE.
* Ties between plans: fewest markers, fewest Bloodbaths, more dice on the earlier hit, and last the Bloodbath
  on the earlier hit.

Every hit pattern of a volley is looked at, and for `optimal` every plan, so ten shots together are practical
(twenty with AUTO-HIT), with `optimal` about five.  The fractions grow with every roll: a few dozen attack
rolls are a matter of seconds, hundreds of minutes.

Not supported (an error): names (`weapon`, `unit`, `armour`), `distance`, `height`, `carried`, `base_mm`.
"""

from __future__ import annotations

import itertools
import random
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

OUT = "out"
TIE = Fraction(1, 10**12)  # a choice this close to the best one counts as best

EDITION_OPTIONS: dict[str, dict[str, Any]] = {
    "1.6.3": {
        "shots": "together-ranged",
        "down_bonus": "every-attack",
        "negative_modifier_cap": "none",
        "obstacle_on_down": False,
    },
    "1.0.2": {
        "shots": "in-turn",
        "down_bonus": "melee",
        "negative_modifier_cap": "before-positive",
        "obstacle_on_down": True,
    },
}
COMMON_OPTIONS: dict[str, Any] = {
    "volley_tough": "each",
    "volley_second_down": "two",
    "bloodbath": "keep",
    "bloodbath_leftovers": "dice",
    "machine_armour_after_tough": "minor_hit",
    "marker_keywords": "each",
}
# Options about names and distances, and about both players choosing: they change nothing in a scenario by numbers here.
IDLE_OPTIONS = {"no_effect_after_tough", "machine_armour_wearers", "long_range", "elevated", "declarations"}


# --- dice ---------------------------------------------------------------------------------------------------


def kept(dice: Iterable[int], net: int, keep: int) -> list[int]:
    """The dice that count: the highest ones for net > 0, the lowest ones for net < 0."""
    return sorted(dice, reverse=net > 0)[:keep]


def pool_counts(net: int, keep: int, sides: int = 6) -> dict[int, int]:
    """How many of all the `sides ** (keep + |net|)` throws give each total: throw them all."""
    throws = itertools.product(range(1, sides + 1), repeat=keep + abs(net))
    return dict(sorted(Counter(sum(kept(dice, net, keep)) for dice in throws).items()))


def pool_counts_die_by_die(net: int, keep: int, sides: int = 6, given: tuple[int, ...] = ()) -> dict[int, int]:
    """The same for many dice: add one die at a time, and remember only the dice that are still kept.

    The dice of the pool that are `given` are not thrown.
    """
    hands: dict[tuple[int, ...], int] = {given: 1}
    for _ in range(keep + abs(net) - len(given)):
        more: Counter[tuple[int, ...]] = Counter()
        for hand, count in hands.items():
            for die in range(1, sides + 1):
                more[tuple(kept((*hand, die), net, keep))] += count
        hands = more
    totals: Counter[int] = Counter()
    for hand, count in hands.items():
        totals[sum(hand)] += count
    return dict(sorted(totals.items()))


@cache
def pool_chances(net: int, keep: int, flat_die: bool = False) -> dict[int, Fraction]:
    """The chance of every total of a pool of D6; with `flat_die`, one more D6 is added to the total."""
    dice = keep + abs(net)
    counts = pool_counts(net, keep) if dice <= 6 else pool_counts_die_by_die(net, keep)
    chances = {total: Fraction(count, 6**dice) for total, count in counts.items()}
    if flat_die:
        with_die: dict[int, Fraction] = {}
        for total, chance in chances.items():
            for die in range(1, 7):
                with_die[total + die] = with_die.get(total + die, Fraction(0)) + chance / 6
        chances = with_die
    return chances


def action_result(total: int) -> str:
    return "miss" if total <= 6 else "hit" if total <= 11 else "critical"


def injury_result(total: int) -> str:
    return "nothing" if total <= 1 else "minor" if total <= 6 else "down" if total <= 8 else OUT


@cache
def action_chances(net: int) -> dict[str, Fraction]:
    chances: dict[str, Fraction] = {}
    for total, chance in pool_chances(net, 2).items():
        result = action_result(total)
        chances[result] = chances.get(result, Fraction(0)) + chance
    return chances


@cache
def injury_chances(net: int, keep: int, flat_die: bool, modifier: int) -> dict[str, Fraction]:
    chances: dict[str, Fraction] = {}
    for total, chance in pool_chances(net, keep, flat_die).items():
        result = injury_result(total + modifier)
        chances[result] = chances.get(result, Fraction(0)) + chance
    return chances


# --- the scenario as numbers --------------------------------------------------------------------------------


class Target(NamedTuple):
    down: bool
    blood: int
    blessing: int
    tough: bool  # TOUGH is there and not yet used


class Attacker(NamedTuple):
    blood: int
    blessing: int
    down: bool = False


class Risky(NamedTuple):
    """A roll that is no attack: `stands` where the attacker gets up by it."""

    action_dice: int
    stands: bool


class Charge(NamedTuple):
    distance: Fraction
    move: Fraction
    die: str
    halved: bool


class Spending(NamedTuple):
    """What is spent on one injury roll."""

    blessings: int  # -1 injury die each
    dice: int  # blood markers, +1 injury die each
    bloodbath: bool
    markers: int  # all blood markers paid, those for the Bloodbath too


class Attack(NamedTuple):
    melee: bool
    action_dice: int
    injury_dice: int
    injury_modifier: int
    shots: int
    keywords: frozenset[str]
    flags: frozenset[str]
    armour_piercing: int

    @property
    def risky(self) -> bool:
        return "RISKY" in self.keywords


InjuryPool = tuple[int, int, bool, int]  # net dice, dice kept, is a flat D6 added, modifier
FLAGS = ("cover", "long_range", "elevated", "defended_obstacle", "off_hand", "fear")
ATTACK_KEYS = {"kind", "action_dice", "injury_dice", "injury_modifier", "shots", "times", "keywords", *FLAGS}


def read_attack(table: Mapping[str, Any]) -> Attack:
    check_keys(table, ATTACK_KEYS)
    keywords = set()
    piercing = 0
    for keyword in table.get("keywords", []):
        if keyword.startswith("ARMOUR PIERCING"):
            piercing += int(keyword.removeprefix("ARMOUR PIERCING").strip() or "1")
        else:
            keywords.add(keyword)
    return Attack(
        melee=table.get("kind", "ranged") == "melee",
        action_dice=table.get("action_dice", 0),
        injury_dice=table.get("injury_dice", 0),
        injury_modifier=table.get("injury_modifier", 0),
        shots=table.get("shots", 1),
        keywords=frozenset(keywords),
        flags=frozenset(flag for flag in FLAGS if table.get(flag, False)),
        armour_piercing=piercing,
    )


def check_keys(table: Mapping[str, Any], known: Iterable[str]) -> None:
    unknown = sorted(set(table) - set(known))
    if unknown:
        raise ValueError(f"the naive way does not know {', '.join(unknown)}")


class Game:
    """A scenario read into plain numbers, and the rules that do not roll dice."""

    def __init__(self, scenario: Mapping[str, Any]) -> None:
        check_keys(scenario, {"id", "edition", "attacker", "target", "attacks", "spend", "options"})
        self.edition: str = scenario.get("edition", "1.6.3")
        self.options = {**COMMON_OPTIONS, **EDITION_OPTIONS[self.edition], **scenario.get("options", {})}
        check_keys(self.options, {*COMMON_OPTIONS, *EDITION_OPTIONS[self.edition], *IDLE_OPTIONS})

        spend = scenario.get("spend", {})
        check_keys(spend, {"blood_on_injury", "blessing_on_injury", "blood_on_action", "blessing_on_action"})
        self.policy: str = spend.get("blood_on_injury", "none")
        if self.policy not in {"none", "all", "bloodbath", "greedy", "optimal"}:
            raise ValueError(f"no such policy: {self.policy}")
        self.all_blessings_on_injury = spend.get("blessing_on_injury", "none") == "all"
        self.all_blood_on_action = spend.get("blood_on_action", "none") == "all"
        self.all_blessings_on_action = spend.get("blessing_on_action", "none") == "all"

        attacker = scenario.get("attacker", {})
        check_keys(attacker, {"blood", "blessing", "down", "keywords"})
        self.attacker = Attacker(attacker.get("blood", 0), attacker.get("blessing", 0), attacker.get("down", False))
        self.attacker_keywords = set(attacker.get("keywords", []))

        target = scenario["target"]
        check_keys(
            target,
            {"injury_modifier", "injury_dice", "down", "blood", "blessing", "tough", "keywords"}
            | {"machine_armour_minor"},
        )
        self.target_keywords = set(target.get("keywords", []))
        self.target = Target(
            target.get("down", False),
            target.get("blood", 0),
            target.get("blessing", 0),
            target.get("tough", "TOUGH" in self.target_keywords),
        )
        self.armour: int = target.get("injury_modifier", 0)
        self.target_injury_dice: int = target.get("injury_dice", 0)
        self.machine_armour: bool = target.get("machine_armour_minor", False)

        # One entry per action or event; an action with `times` is written out.
        self.steps: list[Attack | Risky | Charge | str] = []
        for table in scenario["attacks"]:
            if table.get("event") in ("risky", "attacker_stand"):
                check_keys(table, {"event", "action_dice", "label", "doing"})
                self.steps.append(Risky(table.get("action_dice", 0), table["event"] == "attacker_stand"))
            elif table.get("event") == "charge":
                check_keys(table, {"event", "distance", "move", "bonus", "halved"})
                inches = (Fraction(str(table[name])) for name in ("distance", "move"))
                self.steps.append(Charge(*inches, table.get("bonus", "d6"), table.get("halved", False)))
            elif "event" in table:
                check_keys(table, {"event"})
                if table["event"] not in {"stand", "activation"}:
                    raise ValueError(f"no such event: {table['event']}")
                self.steps.append(table["event"])
            else:
                self.steps.extend([read_attack(table)] * table.get("times", 1))

    # Where to go on

    def next_activation(self, step: int) -> int:
        """The step to go on with when the action at `step` has ended the activation."""
        for later in range(step + 1, len(self.steps)):
            if self.steps[later] == "activation":
                return later
        return len(self.steps)

    def together(self, attack: Attack) -> bool:
        how = self.options["shots"]
        return how == "together" or (how == "together-ranged" and not attack.melee)

    # Rolling to hit

    def action_roll(self, attack: Attack, attacker: Attacker, down: bool) -> tuple[int, Attacker]:
        """Net dice of an action roll (`down`: the target is Down), and the markers the attacker has left."""
        keywords, flags = attack.keywords, attack.flags
        grenade = "GRENADE" in keywords and self.edition == "1.6.3"
        net = attack.action_dice
        if attack.melee:
            obstacle = "defended_obstacle" in flags and (not down or self.options["obstacle_on_down"])
            if obstacle and "IGNORE DEFENDED OBSTACLE" not in keywords:
                net -= 1
            if "off_hand" in flags and "IGNORE OFF-HAND WEAPON" not in keywords:
                net -= 1
            afraid = "fear" in flags or "FEAR" in self.target_keywords
            if afraid and not self.attacker_keywords & {"FEAR", "NEGATE FEAR"}:
                net -= 1
        else:
            if "cover" in flags and "IGNORE COVER" not in keywords and not grenade:
                net -= 1
            if self.far_away(attack) and "SHOTGUN" not in keywords:
                net -= 1
            if "elevated" in flags and "IGNORE ELEVATED POSITION" not in keywords:
                net += 1
        return self.spend_on_action(net, attacker)

    def spend_on_action(self, net: int, attacker: Attacker) -> tuple[int, Attacker]:
        """The dice of any action roll with what being Down and markers do to them, and the markers that are left."""
        blood, blessing, down = attacker
        if down:
            net -= 1
        if self.all_blood_on_action:
            net -= blood
            blood = 0
        if self.all_blessings_on_action:
            net += blessing
            blessing = 0
        return net, Attacker(blood, blessing, down)

    def reaches(self, charge: Charge) -> Fraction:
        """The chance that a charge reaches its target: try every die."""
        rolls = {
            "d6": [(a, b) for a in range(1, 7) for b in (0,)],
            "d3": [((a + 1) // 2, 0) for a in range(1, 7)],
            "2d6kh1": [(a, b) for a in range(1, 7) for b in range(1, 7)],
            "2d3kh1": [(a, b) for a in range(1, 4) for b in range(1, 4)],
            "none": [(0, 0)],
        }[charge.die]
        half = Fraction(1, 2) if charge.halved else Fraction(1)
        of_die = half if self.edition == "1.0.2" else Fraction(1)
        far = sum(charge.move * half + max(roll) * of_die >= charge.distance for roll in rolls)
        return Fraction(far, len(rolls))

    def far_away(self, attack: Attack) -> bool:
        """At long range, and long range matters to this weapon."""
        grenade = "GRENADE" in attack.keywords and self.edition == "1.6.3"
        if grenade or "IGNORE LONG RANGE" in attack.keywords:
            return False
        return not attack.melee and "long_range" in attack.flags

    # The injury roll

    def injury_pool(self, attack: Attack, critical: bool, down: bool, spending: Spending) -> InjuryPool:
        """What is rolled for an injury; `down`: the target was Down before the volley."""
        net = attack.injury_dice + self.target_injury_dice
        if down and (attack.melee or self.options["down_bonus"] == "every-attack"):
            net += 1
        if critical:
            net += 2 if "CRITICAL" in attack.keywords else 1
        if self.far_away(attack) and "SHOTGUN" in attack.keywords:
            net -= 1
        net += spending.dice - spending.blessings
        keep = 3 if "DEADLY" in attack.keywords else 2
        flat_die = spending.bloodbath and self.options["bloodbath"] == "add"
        if spending.bloodbath and not flat_die:
            keep += 1
        return net, keep, flat_die, self.injury_modifier(attack)

    def injury_modifier(self, attack: Attack) -> int:
        armour = 0 if "IGNORE ARMOUR" in attack.keywords else min(0, self.armour + attack.armour_piercing)
        modifiers = [armour, attack.injury_modifier]
        cap = self.options["negative_modifier_cap"]
        if cap == "before-positive":
            return max(-3, sum(m for m in modifiers if m < 0)) + sum(m for m in modifiers if m > 0)
        if cap == "after-adding":
            return max(-3, sum(modifiers))
        return sum(modifiers)

    # Spending on injury rolls

    def legal(self, blood: int, down: bool, blessings: int) -> Iterator[Spending]:
        """Everything that may be spent on one injury roll when `blood` markers are left."""
        for dice in range(blood + 1):
            yield Spending(blessings, dice, False, dice)
        cost = 3 if down else 6
        if blood >= cost:
            most = blood - cost if self.options["bloodbath_leftovers"] == "dice" else 0
            for dice in range(most + 1):
                yield Spending(blessings, dice, True, cost + dice)

    def one_choice(self, attack: Attack, critical: bool, down: bool, blood: int, blessings: int) -> Spending:
        """What a policy other than `optimal` spends on one injury roll."""
        choices = list(self.legal(blood, down, blessings))
        if self.policy == "none":
            return choices[0]
        if self.policy == "all":
            return choices[blood]
        if self.policy == "bloodbath":
            return next((choice for choice in choices if choice.bloodbath), choices[0])
        chances = {
            choice: injury_chances(*self.injury_pool(attack, critical, down, choice)).get(OUT, Fraction(0))
            for choice in choices
        }
        best = max(chances.values())
        good = [choice for choice in choices if chances[choice] >= best - TIE]
        return min(good, key=lambda choice: (choice.markers, choice.bloodbath))

    def blessings_per_hit(self, hits: tuple[bool, ...], target: Target) -> list[int]:
        first = target.blessing if self.all_blessings_on_injury else 0
        return [first if number == 0 else 0 for number in range(len(hits))]

    def plans(self, attack: Attack, hits: tuple[bool, ...], target: Target) -> list[tuple[Spending, ...]]:
        """The plans to be weighed for these hits (True: critical) on a target as it was before the volley."""
        blessings = self.blessings_per_hit(hits, target)
        if self.policy == "optimal":
            return list(self.all_plans(blessings, target.blood, target.down))
        plan: list[Spending] = []
        blood = target.blood
        for critical, blessed in zip(hits, blessings, strict=True):
            plan.append(self.one_choice(attack, critical, target.down, blood, blessed))
            blood -= plan[-1].markers
        return [tuple(plan)]

    def all_plans(self, blessings: list[int], blood: int, down: bool) -> Iterator[tuple[Spending, ...]]:
        if not blessings:
            yield ()
            return
        for choice in self.legal(blood, down, blessings[0]):
            for rest in self.all_plans(blessings[1:], blood - choice.markers, down):
                yield (choice, *rest)

    # Results

    def pay(self, target: Target, plan: Iterable[Spending]) -> Target:
        for spending in plan:
            target = target._replace(
                blood=target.blood - spending.markers, blessing=target.blessing - spending.blessings
            )
        return target

    def wound(
        self, attack: Attack, result: str, target: Target, was_down: bool, absorbed: bool
    ) -> tuple[Target | None, bool]:
        """Apply one result of the injury chart; None is out of action.

        `was_down`: the target was Down before the volley; `absorbed`: TOUGH has been used up in this volley.
        """
        from_tough = False
        if result == OUT:
            if target.tough:
                target = target._replace(tough=False)
                absorbed = True
                from_tough = True
            elif absorbed and self.options["volley_tough"] == "whole":
                from_tough = True
            else:
                return None, absorbed
            result = "down"
        stays_down = from_tough and self.options["machine_armour_after_tough"] == "down"
        if result == "down" and self.machine_armour and not stays_down:
            result = "minor"
        markers = 0
        if result == "minor":
            markers = 1
        elif result == "down":
            second = target.down and (was_down or self.options["volley_second_down"] == "two")
            markers = 2 if second else 1
            target = target._replace(down=True)
        placed = [
            word
            for word in ("FIRE", "GAS", "SHRAPNEL")
            if word in attack.keywords and f"NEGATE {word}" not in self.target_keywords
        ]
        markers += min(1, len(placed)) if self.options["marker_keywords"] == "one" else len(placed)
        return target._replace(blood=min(6, target.blood + markers)), absorbed


# --- the tree -----------------------------------------------------------------------------------------------

Final = tuple[bool, int, int, bool] | str
Finals = dict[Final, Fraction]


def as_final(target: Target) -> Final:
    return (target.down, target.blood, target.blessing, target.tough)


def mix(parts: Iterable[tuple[Fraction, Finals]]) -> Finals:
    mixed: Finals = {}
    for weight, finals in parts:
        for final, chance in finals.items():
            mixed[final] = mixed.get(final, Fraction(0)) + weight * chance
    return mixed


def shots_to_hit(
    game: Game, attack: Attack, shots: int, attacker: Attacker, down: bool
) -> dict[tuple[tuple[bool, ...], bool, Attacker], Fraction]:
    """Roll shots to hit: (the hits in order, True a critical; was there a miss; attacker) -> chance."""
    rolled: dict[tuple[tuple[bool, ...], bool, Attacker], Fraction] = {((), False, attacker): Fraction(1)}
    for _ in range(shots):
        more: dict[tuple[tuple[bool, ...], bool, Attacker], Fraction] = {}
        for (hits, missed, before), chance in rolled.items():
            if "AUTO-HIT" in attack.keywords:
                results, after = {"hit": Fraction(1)}, before
            else:
                net, after = game.action_roll(attack, before, down)
                results = action_chances(net)
            for result, part in results.items():
                now = hits if result == "miss" else (*hits, result == "critical")
                key = (now, missed or result == "miss", after)
                more[key] = more.get(key, Fraction(0)) + chance * part
        rolled = more
    return rolled


def wounds(
    game: Game, attack: Attack, hits: tuple[bool, ...], plan: tuple[Spending, ...], target: Target
) -> dict[Target | None, Fraction]:
    """How the target is after these hits with this spending; None is out of action."""
    was_down = target.down
    now: dict[tuple[Target | None, bool], Fraction] = {(game.pay(target, plan), False): Fraction(1)}
    for critical, spending in zip(hits, plan, strict=True):
        results = injury_chances(*game.injury_pool(attack, critical, was_down, spending))
        more: dict[tuple[Target | None, bool], Fraction] = {}
        for (state, absorbed), chance in now.items():
            for result, part in results.items():
                if state is None:
                    key: tuple[Target | None, bool] = (None, absorbed)
                else:
                    key = game.wound(attack, result, state, was_down, absorbed)
                more[key] = more.get(key, Fraction(0)) + chance * part
        now = more
    after: dict[Target | None, Fraction] = {}
    for (state, _), chance in now.items():
        after[state] = after.get(state, Fraction(0)) + chance
    return after


def plan_order(plan: tuple[Spending, ...]) -> tuple[int, int, list[int], list[bool]]:
    """Among equally good plans the smallest of these is taken."""
    return (
        sum(spending.markers for spending in plan),
        sum(spending.bloodbath for spending in plan),
        [-spending.dice for spending in plan],
        [not spending.bloodbath for spending in plan],
    )


def final_states(scenario: Mapping[str, Any]) -> Finals:
    """The exact chance of every final state: 'out', or (down, blood, blessing, tough)."""
    game = Game(scenario)
    seen: dict[tuple[int, int, Attacker, Target], Finals] = {}

    def play(step: int, shot: int, attacker: Attacker, target: Target) -> Finals:
        here = (step, shot, attacker, target)
        if here not in seen:
            seen[here] = play_on(step, shot, attacker, target)
        return seen[here]

    def play_on(step: int, shot: int, attacker: Attacker, target: Target) -> Finals:
        if step == len(game.steps):
            return {as_final(target): Fraction(1)}
        attack = game.steps[step]
        if isinstance(attack, Charge):
            far = game.reaches(attack)
            short = play(game.next_activation(step), 0, attacker, target)
            return mix([(far, play(step + 1, 0, attacker, target)), (1 - far, short)])
        if isinstance(attack, Risky):
            net, left = game.spend_on_action(attack.action_dice, attacker)
            failed = action_chances(net).get("miss", Fraction(0))
            up = left._replace(down=left.down and not attack.stands)
            over = play(game.next_activation(step), 0, left, target)
            return mix([(1 - failed, play(step + 1, 0, up, target)), (failed, over)])
        if isinstance(attack, str):
            tried = any(isinstance(before, Risky) and before.stands for before in game.steps[:step])
            if attack == "activation" and tried:
                attacker = attacker._replace(down=False)
            stands = attack == "stand"
            return play(step + 1, 0, attacker, target._replace(down=target.down and not stands))
        together = game.together(attack)
        shots = attack.shots if together else 1
        parts: list[tuple[Fraction, Finals]] = []
        for (hits, missed, left), chance in shots_to_hit(game, attack, shots, attacker, target.down).items():
            if attack.risky and missed:
                then = (game.next_activation(step), 0)
            elif not together and shot + 1 < attack.shots:
                then = (step, shot + 1)
            else:
                then = (step + 1, 0)
            parts.append((chance, after_hits(attack, hits, then, left, target)))
        return mix(parts)

    def after_hits(
        attack: Attack, hits: tuple[bool, ...], then: tuple[int, int], attacker: Attacker, target: Target
    ) -> Finals:
        ends: dict[tuple[Spending, ...], Finals] = {}
        for plan in game.plans(attack, hits, target):
            ends[plan] = mix(
                (chance, {OUT: Fraction(1)} if state is None else play(*then, attacker, state))
                for state, chance in wounds(game, attack, hits, plan, target).items()
            )
        best = max(finals.get(OUT, Fraction(0)) for finals in ends.values())
        good = [plan for plan, finals in ends.items() if finals.get(OUT, Fraction(0)) >= best - TIE]
        return ends[min(good, key=plan_order)]

    rolls = sum(step.shots if isinstance(step, Attack) else 1 for step in game.steps)
    old_limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(old_limit, old_limit + 10 * rolls))
    try:
        return play(0, 0, game.attacker, game.target)
    finally:
        sys.setrecursionlimit(old_limit)


# --- one play with real dice --------------------------------------------------------------------------------


def throw(rng: random.Random, net: int, keep: int) -> int:
    dice = [rng.randint(1, 6) for _ in range(keep + abs(net))]
    return sum(kept(dice, net, keep))


def roll_once(scenario: Mapping[str, Any], rng: random.Random) -> Final:
    """Play the scenario once with dice from `rng.randint(1, 6)` (not for the policy `optimal`)."""
    return roll_game(Game(scenario), rng)


def roll_game(game: Game, rng: random.Random) -> Final:
    """`roll_once` for a scenario that has been read already."""
    if game.policy == "optimal":
        raise ValueError("roll_once plays none, all, bloodbath and greedy only")
    if any(isinstance(step, Risky | Charge) for step in game.steps):
        raise ValueError("roll_once plays attacks, stand and activation only")
    attacker, target = game.attacker, game.target
    skipping = False  # a RISKY attack failed: nothing happens until the next activation
    for step in game.steps:
        if step == "activation":
            skipping = False
        if skipping or step == "activation":
            continue
        if isinstance(step, str):
            target = target._replace(down=False)
            continue
        assert isinstance(step, Attack)
        attack = step
        volleys = [attack.shots] if game.together(attack) else [1] * attack.shots
        for shots in volleys:
            # Roll to hit.
            hits: list[bool] = []
            for _ in range(shots):
                if "AUTO-HIT" in attack.keywords:
                    hits.append(False)
                    continue
                net, attacker = game.action_roll(attack, attacker, target.down)
                result = action_result(throw(rng, net, 2))
                if result != "miss":
                    hits.append(result == "critical")
                elif attack.risky:
                    skipping = True
            # Settle the spending, roll the injuries, and only then change the target.
            before = target
            results: list[str] = []
            for critical in hits:
                blessings = target.blessing if game.all_blessings_on_injury else 0
                spending = game.one_choice(attack, critical, before.down, target.blood, blessings)
                target = game.pay(target, [spending])
                net, keep, flat_die, modifier = game.injury_pool(attack, critical, before.down, spending)
                total = throw(rng, net, keep)
                if flat_die:
                    total += rng.randint(1, 6)
                results.append(injury_result(total + modifier))
            absorbed = False
            for result in results:
                state, absorbed = game.wound(attack, result, target, before.down, absorbed)
                if state is None:
                    return OUT
                target = state
            if skipping:
                break
    return as_final(target)
