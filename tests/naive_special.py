"""The naive way for what few attacks do and few targets are: in the most obvious manner, for the tests only.

It shares no code with the package, and only its dice with :mod:`naive`. A question is a mapping of plain numbers::

    {"options": {...}, "target": {...}, "spend": {"blood": "none", "blessing": False}, "steps": [{...}, ...]}

`OPTIONS`, `TARGET`, `ATTACK` list what may be given, each with its default; a step is an attack, an event, one of
`EVENTS`, or a gate: `{"gate": {"keep": 2, "net": 0, "total": 7}}`, a roll that ends the activation where it falls
short. The answer is the exact chance of every final state: `OUT`, or a `Target`.

Every node of the tree of what can happen is asked for the distribution of final states below it, and remembered. The
shots of a volley are followed one by one: each hit or miss, then its injury; but Down and markers wait for its end,
and every action roll sees the markers that were there before the volley, as all are made before the first injury.
Whatever a policy spends on a hit, it does not know what later shots do; `optimal` only plays volleys of one shot.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

from naive import OUT, TIE, kept, pool_chances, pool_counts_die_by_die

NOTHING, MINOR, DOWN = "nothing", "minor", "down"
SUCCESS, CRITICAL = 7, 12
MOST_MARKERS, MOST_HITS = 6, 3

OPTIONS = {
    "volley_tough": "each",
    "volley_second_down": "two",
    "bloodbath": "keep",
    "bloodbath_leftovers": "dice",
    "machine_armour_after_tough": "minor_hit",
}
TARGET = {
    "down": False,
    "blood": 0,
    "infection": 0,
    "blessing": 0,
    "tough": False,
    "spared": 0,  # so many times out of action is `first_out` instead
    "firm": False,  # the first Down is `first_down` instead
    "warded": False,  # the first marker is ignored
    "first_out": NOTHING,
    "golem": False,
    "unmarked": False,
    "regenerates": 0,
    "minor_for_down": False,
    "first_down": NOTHING,
    "unhurt_minor": False,  # Down is a Minor Hit while it has no blood marker
    "tough_unharmed": 0,  # 1: what TOUGH makes Down is no effect; 2: only while it has no blood marker
    "spared_minor": False,  # Down is a Minor Hit while it is spared
    "spared_sheds": False,  # when it is spared, its blood markers go
    "last_stand": False,  # once it is spared no more, only a Bloodbath takes it out
    "no_dice": False,  # its markers pay for a Bloodbath, but for no dice
}
ATTACK = {
    "volleys": 1,
    "shots": 1,
    "auto_hit": False,
    "risky": False,
    "action_dice": 0,
    "action_dice_down": 0,  # all the dice against a Down target, not a further few; so with the others
    "first_shot_dice": 0,  # these are further dice, of the first shot of a volley
    "injury_keep": 2,
    "injury_dice": 0,
    "injury_dice_critical": 0,
    "injury_dice_down": 0,
    "injury_dice_down_critical": 0,
    "injury_modifier": 0,
    "injury_modifier_critical": 0,
    "injury_modifier_down": 0,
    "injury_modifier_down_critical": 0,
    "markers": 0,
    "critical_lower": 0,
    "critical_lower_per_marker": 0,
    "modifier_per_marker": 0,
    "six": False,
    "result": None,
    "marker_factor": 1,
    "infects": False,
    "infection": 0,
    "infection_if_marked": 0,
    "bloodbath_cheaper": 0,
    "down_for_minor": False,
    "begins": False,
    "after_hits": 0,
    "out_after_hits": 0,
    "if_down": False,
    "rerolls": 0,  # 1: a failed action roll is made again, and a 1 ends the activation; 2: and is a failure
    "bloodbath_cheaper_standing": 0,
    "strikes": 0,  # 1 or 2: which member of a fireteam attacks, told on a hit until an activation begins
    "if_struck": 0,  # only made if that member has hit (3: one of them)
    "unless_struck": 0,
    "reaction_takes": 0,  # the target rolls first: a success takes so many dice, a critical is a miss
    "reaction_dice": 0,
    "reaction_dice_down": 0,
    "keeps_down": False,  # Down is no Minor Hit by `minor_for_down`
    "if_spared": 0,  # 1: only made while the target is spared, 2: only when it is no longer
}
EVENTS = ("stand", "activation", "activated")


class Target(NamedTuple):
    down: bool
    blood: int
    infection: int
    blessing: int
    tough: bool
    spared: int
    warded: bool
    firm: bool

    @property
    def markers(self) -> int:
        return self.blood + self.infection


class Volley(NamedTuple):
    """What the shots of a volley have done so far that takes effect at its end."""

    seen: int  # markers that were on the target before the volley
    shot: int = 0
    ends: bool = False  # the attacker's activation ends with it
    fallen: bool = False
    blood: int = 0
    infection: int = 0
    absorbed: bool = False  # TOUGH was used up in this volley


#: Members of a fireteam, by the number that tells them.
MEMBERS = {0: frozenset[int](), 1: frozenset({1}), 2: frozenset({2}), 3: frozenset({1, 2})}


class SoFar(NamedTuple):
    """What has hit the target: attacks in a row, and members of a fireteam in this activation."""

    in_a_row: int = 0
    struck: frozenset[int] = frozenset()


class Spending(NamedTuple):
    """What is spent on one injury roll; in the order in which equally good choices are preferred."""

    markers: int
    bloodbath: bool
    dice: int


Final = Target | str
Finals = dict[Final, Fraction]


def filled(given: Mapping[str, Any], defaults: Mapping[str, Any]) -> dict[str, Any]:
    unknown = set(given) - set(defaults)
    if unknown:
        raise ValueError(f"the naive way does not know {', '.join(sorted(unknown))}")
    return {**defaults, **given}


def mix(parts: Iterable[tuple[Fraction, Finals]]) -> Finals:
    mixed: Finals = {}
    for weight, finals in parts:
        for final, chance in finals.items():
            if weight * chance:
                mixed[final] = mixed.get(final, Fraction(0)) + weight * chance
    return mixed


@cache
def totals(net: int, keep: int, flat_die: bool, six: bool) -> dict[int, Fraction]:
    """The chance of every total of an injury roll's dice."""
    if not six:
        return pool_chances(net, keep, flat_die)
    thrown = keep + abs(net) - 1
    chances: dict[int, Fraction] = {}
    for total, count in pool_counts_die_by_die(net, keep, given=(6,)).items():
        for extra in range(1, 7) if flat_die else (0,):
            chance = Fraction(count, 6**thrown) / (6 if flat_die else 1)
            chances[total + extra] = chances.get(total + extra, Fraction(0)) + chance
    return chances


@cache
def throws(net: int) -> dict[tuple[int, bool], Fraction]:
    """The chance of every total of an action roll, with a 1 among all its dice or without."""
    chances: dict[tuple[int, bool], Fraction] = {}
    for dice in itertools.product(range(1, 7), repeat=2 + abs(net)):
        thrown = (sum(kept(dice, net, 2)), 1 in dice)
        chances[thrown] = chances.get(thrown, Fraction(0)) + Fraction(1, 6 ** len(dice))
    return chances


def injury_result(total: int) -> str:
    return NOTHING if total <= 1 else MINOR if total <= 6 else DOWN if total <= 8 else OUT


class Game:
    def __init__(self, question: Mapping[str, Any]) -> None:
        asked = filled(question, {"options": {}, "target": {}, "spend": {}, "steps": []})
        self.options = filled(asked["options"], OPTIONS)
        spend = filled(asked["spend"], {"blood": "none", "blessing": False})
        self.policy, self.all_blessings = spend["blood"], spend["blessing"]
        target = filled(asked["target"], TARGET)
        self.start = Target(*(target[name] for name in Target._fields))
        self.nature = target
        self.steps: list[dict[str, Any]] = []  # a volley or an event each
        for step in asked["steps"]:
            if "gate" in step:
                self.steps.append(step)
            elif "event" in step:
                if step["event"] not in EVENTS or len(step) > 1:
                    raise ValueError(f"no such event: {step}")
                self.steps.append(step)
            else:
                attack = filled(step, ATTACK)
                if attack["shots"] > 1 and self.policy == "optimal":
                    raise ValueError("optimal only plays volleys of one shot")
                self.steps += [attack] * attack["volleys"]
        self.play = cache(self._play)
        self.shoot = cache(self._shoot)

    # The tree

    def _play(self, number: int, target: Target, ended: bool, so_far: SoFar) -> Finals:
        """From step `number` on; `ended`: a RISKY attack failed and no activation has begun since."""
        if number == len(self.steps):
            return {target: Fraction(1)}
        step = self.steps[number]
        if "gate" in step:
            if ended:
                return self.play(number + 1, target, ended, so_far)
            gate = step["gate"]
            parts = pool_chances(gate["net"], gate["keep"]).items()
            return mix(
                (chance, self.play(number + 1, target, total < gate["total"], so_far)) for total, chance in parts
            )
        if "event" in step:
            if step["event"] == "activation":
                ended, so_far = False, so_far._replace(struck=frozenset())
            elif not ended:
                target = self.happen(step["event"], target)
            return self.play(number + 1, target, ended, so_far)
        if step["begins"]:
            so_far = so_far._replace(in_a_row=0)
        if ended or not self.is_made(step, target, so_far):
            return self.play(number + 1, target, ended, so_far)
        return self.shoot(number, target, so_far, Volley(target.markers))

    def is_made(self, step: Mapping[str, Any], target: Target, so_far: SoFar) -> bool:
        """Whether an attack is made at all, as the target is and after what has hit it."""
        if (step["if_down"] and not target.down) or so_far.in_a_row < step["after_hits"]:
            return False
        if step["if_struck"] and not so_far.struck & MEMBERS[step["if_struck"]]:
            return False
        if step["unless_struck"] and so_far.struck & MEMBERS[step["unless_struck"]]:
            return False
        return not (step["if_spared"] == 1 and not target.spared) and not (step["if_spared"] == 2 and target.spared)

    def happen(self, event: str, target: Target) -> Target:
        if event == "stand":
            return target._replace(down=False)
        grown = target.infection + 1 if target.infection else 0
        return target._replace(
            infection=min(grown, MOST_MARKERS), blood=max(target.blood - self.nature["regenerates"], 0)
        )

    def _shoot(self, number: int, target: Target, so_far: SoFar, volley: Volley) -> Finals:
        """From the next shot of a volley on; the target is Down if it was before the volley."""
        attack = self.steps[number]
        if volley.shot == attack["shots"]:
            after = target._replace(
                down=target.down or volley.fallen,
                blood=min(target.blood + volley.blood, MOST_MARKERS),
                infection=min(target.infection + volley.infection, MOST_MARKERS),
            )
            return self.play(number + 1, after, volley.ends, so_far)
        parts = []
        for (result, ends), chance in self.action_chances(attack, target.down, volley).items():
            risky_miss = result == "miss" and attack["risky"]
            after = volley._replace(shot=volley.shot + 1, ends=volley.ends or ends or risky_miss)
            if result == "miss":
                parts.append((chance, self.shoot(number, target, so_far._replace(in_a_row=0), after)))
            else:
                parts.append((chance, self.hit(number, target, so_far, after, result == "critical")))
        return mix(parts)

    def hit(self, number: int, target: Target, so_far: SoFar, volley: Volley, critical: bool) -> Finals:
        attack, in_a_row = self.steps[number], so_far.in_a_row
        by_now = SoFar(min(in_a_row + 1, MOST_HITS), so_far.struck | MEMBERS[attack["strikes"]])

        def go_on(result: str, bloodbath: bool, paid: Target) -> Finals:
            after = self.wound(attack, result, bloodbath, paid, volley)
            return {OUT: Fraction(1)} if after is None else self.shoot(number, after[0], by_now, after[1])

        if attack["out_after_hits"] and in_a_row >= attack["out_after_hits"]:
            return go_on(OUT, False, target)
        if attack["result"] is not None:
            return go_on(attack["result"], False, target)
        ends: dict[Spending, Finals] = {}
        for spending in self.choices(attack, target, critical):
            paid = self.pay(target, spending)
            chances = self.injury_chances(attack, target, critical, spending)
            ends[spending] = mix(
                (chance, go_on(result, spending.bloodbath, paid)) for result, chance in chances.items()
            )
        return ends[best_of({spending: finals.get(OUT, Fraction(0)) for spending, finals in ends.items()})]

    # Rolls

    def action_chances(self, attack: Mapping[str, Any], down: bool, volley: Volley) -> dict[tuple[str, bool], Fraction]:
        """Chances of the results, each with whether a 1 of a second roll ends the activation."""
        if attack["auto_hit"]:
            return {("hit", False): Fraction(1)}
        net = attack["action_dice_down"] if down else attack["action_dice"]
        if volley.shot == 0:
            net += attack["first_shot_dice"]
        if not attack["reaction_takes"]:
            return self.rolled(attack, net, volley)
        chances: dict[tuple[str, bool], Fraction] = {}
        own = attack["reaction_dice_down"] if down else attack["reaction_dice"]
        for total, chance in pool_chances(own, 2).items():
            if total >= CRITICAL:
                after = {("miss", False): Fraction(1)}
            else:
                after = self.rolled(attack, net - (attack["reaction_takes"] if total >= SUCCESS else 0), volley)
            for result, part in after.items():
                chances[result] = chances.get(result, Fraction(0)) + chance * part
        return chances

    def rolled(self, attack: Mapping[str, Any], net: int, volley: Volley) -> dict[tuple[str, bool], Fraction]:
        """The same of a roll with so many dice."""
        lowest = CRITICAL - attack["critical_lower"] - attack["critical_lower_per_marker"] * volley.seen
        chances: dict[tuple[str, bool], Fraction] = {}

        def add(total: int, spoilt: bool, chance: Fraction) -> None:
            missed = total < SUCCESS or (spoilt and attack["rerolls"] == 2)
            result = "miss" if missed else "hit" if total < lowest else "critical"
            chances[result, spoilt] = chances.get((result, spoilt), Fraction(0)) + chance

        for total, chance in pool_chances(net, 2).items():
            if total < SUCCESS and attack["rerolls"]:
                for (second, spoilt), part in throws(net).items():
                    add(second, spoilt, chance * part)
            else:
                add(total, False, chance)
        return chances

    def injury_chances(
        self, attack: Mapping[str, Any], target: Target, critical: bool, spending: Spending
    ) -> dict[str, Fraction]:
        """Chances of the chart's results; `target` as it is before anything is spent."""
        case = ("_down" if target.down else "") + ("_critical" if critical else "")
        net = attack["injury_dice" + case] + spending.dice - (target.blessing if self.all_blessings else 0)
        flat_die = spending.bloodbath and self.options["bloodbath"] == "add"
        keep = attack["injury_keep"] + (spending.bloodbath and not flat_die)
        modifier = attack["injury_modifier" + case] + attack["modifier_per_marker"] * target.markers
        chances: dict[str, Fraction] = {}
        for total, chance in totals(net, keep, flat_die, attack["six"]).items():
            result = injury_result(total + modifier)
            chances[result] = chances.get(result, Fraction(0)) + chance
        return chances

    # Spending

    def legal(self, attack: Mapping[str, Any], target: Target) -> Iterator[Spending]:
        for dice in range(target.markers + 1 if not self.nature["no_dice"] else 1):
            yield Spending(dice, False, dice)
        cheaper = attack["bloodbath_cheaper"] + (0 if target.down else attack["bloodbath_cheaper_standing"])
        cost = max((3 if target.down else 6) - cheaper, 1)
        if target.markers >= cost:
            can_add = self.options["bloodbath_leftovers"] == "dice" and not self.nature["no_dice"]
            most = target.markers - cost if can_add else 0
            for dice in range(most + 1):
                yield Spending(cost + dice, True, dice)

    def choices(self, attack: Mapping[str, Any], target: Target, critical: bool) -> list[Spending]:
        """What the policy may spend: one choice, or for `optimal` all."""
        legal = list(self.legal(attack, target))
        if self.policy == "none":
            return legal[:1]
        if self.policy == "all":
            return [[spending for spending in legal if not spending.bloodbath][-1]]
        if self.policy == "bloodbath":
            return [next((spending for spending in legal if spending.bloodbath), legal[0])]
        if self.policy == "greedy":
            rolls = {spending: self.injury_chances(attack, target, critical, spending) for spending in legal}
            return [best_of({spending: roll.get(OUT, Fraction(0)) for spending, roll in rolls.items()})]
        if self.policy == "optimal":
            return legal
        raise ValueError(f"no such policy: {self.policy}")

    def pay(self, target: Target, spending: Spending) -> Target:
        """Blood first, then infection; and all blessings, if those are spent."""
        of_blood = min(spending.markers, target.blood)
        return target._replace(
            blood=target.blood - of_blood,
            infection=target.infection - (spending.markers - of_blood),
            blessing=0 if self.all_blessings else target.blessing,
        )

    # Results

    def wound(
        self, attack: Mapping[str, Any], result: str, bloodbath: bool, target: Target, volley: Volley
    ) -> tuple[Target, Volley] | None:
        """The target and the volley after one result; None is out of action."""
        by_tough = False
        if result == OUT:
            if self.nature["golem"] and not bloodbath:
                result = DOWN
            elif target.spared:
                target, result = target._replace(spared=target.spared - 1), self.nature["first_out"]
                if self.nature["spared_sheds"]:
                    target, volley = target._replace(blood=0), volley._replace(blood=0)
            elif self.nature["last_stand"] and not bloodbath:
                result = DOWN
            elif target.tough:
                target, volley = target._replace(tough=False), volley._replace(absorbed=True)
                clean = self.nature["tough_unharmed"] == 1 or not target.blood
                result, by_tough = NOTHING if self.nature["tough_unharmed"] and clean else DOWN, True
            elif volley.absorbed and self.options["volley_tough"] == "whole":
                result, by_tough = DOWN, True
            else:
                return None
        stays_down = by_tough and self.options["machine_armour_after_tough"] == "down"
        if result == DOWN and target.firm and not stays_down:
            target, result = target._replace(firm=False), self.nature["first_down"]
        softened = (self.nature["minor_for_down"] and not attack["keeps_down"]) or (
            (self.nature["spared_minor"] and target.spared) or (self.nature["unhurt_minor"] and not target.blood)
        )
        if result == DOWN and softened and not stays_down:
            result = MINOR
        if result == MINOR and attack["down_for_minor"]:
            result = DOWN
        again = target.down or (volley.fallen and self.options["volley_second_down"] == "two")
        of_result = {NOTHING: 0, MINOR: 1, DOWN: 2 if again else 1}[result]
        volley = volley._replace(fallen=volley.fallen or result == DOWN)
        return self.place(attack, attack["marker_factor"] * of_result + attack["markers"], target, volley)

    def place(self, attack: Mapping[str, Any], count: int, target: Target, volley: Volley) -> tuple[Target, Volley]:
        """Place `count` markers of an attack, and its infection markers."""
        if self.nature["unmarked"]:
            return target, volley
        blood, infection = (0, count) if attack["infects"] else (count, 0)
        infection += attack["infection"]
        if target.warded and blood + infection:
            target = target._replace(warded=False)
            blood, infection = (blood - 1, infection) if blood else (blood, infection - 1)
        if blood + infection:
            infection += attack["infection_if_marked"]
        return target, volley._replace(blood=volley.blood + blood, infection=volley.infection + infection)


def best_of(chances: Mapping[Spending, Fraction]) -> Spending:
    """Among the choices as good as the best: fewest markers, then no Bloodbath."""
    best = max(chances.values())
    return min(spending for spending, chance in chances.items() if chance >= best - TIE)


def final_states(question: Mapping[str, Any]) -> Finals:
    """The exact chance of every final state: `OUT`, or a `Target`."""
    game = Game(question)
    return game.play(0, game.start, False, SoFar())
