"""The naive way for two players: a game of markers searched in the most obvious manner, for the tests only.

It shares no code with the package, nor with the other naive way.  A scenario (a mapping, by numbers only) is searched
move by move; every state is asked for the full distribution of ends below it, as exact fractions, and remembered.
Whoever chooses looks at every choice, and at what the other one would answer.

A duel (a mapping, by numbers only) is searched likewise, for P(win) - P(lose).

The readings
------------
* Before an action roll the target's player spends blood of the attacker (-1 DICE), the attacker's player its blessings
  (+1 DICE).  Once a hit and whether it is critical are known, the target's player spends blessings of the target (-1
  injury die), the attacker's player its blood (+1 injury die each, or a Bloodbath).
* `declarations`: who says first what is spent on a roll; the other one hears it and answers.
* `greedy` looks at this roll alone, with what has been declared before it.
* A choice within 1e-12 of the best is as good; among those the fewest markers are spent, then no Bloodbath.
* Nothing can be spent on the action roll of AUTO-HIT.
* Shots together (1.6.3 at range): one action roll after the other, each knowing which shots before it have hit; then,
  all hits known, one player declares what it spends on every hit, the other one answers, and all injuries are rolled
  against the target before the action.  Of equally good deals also that with more dice on the earlier hit.
* A risky action is an action roll on which both spend as on another; the die of a charge is not.
* A re-roll has the DICE of the roll, and nothing is declared between them; with a 1 among its dice the activation ends.
* In a duel, where waiting is as good as trying to stand a model waits; where charging is as good as not, it charges.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from math import factorial, prod
from typing import Any, NamedTuple

OUT = "out"
TIE = Fraction(1, 10**12)

Ends = Mapping[Any, Fraction]


# --- dice ---------------------------------------------------------------------------------------------------


@cache
def pool(net: int, keep: int) -> Mapping[int, Fraction]:
    """Totals of a pool: every way its dice can show, as often as it happens."""
    count = keep + abs(net)
    totals: Counter[int] = Counter()
    for faces in itertools.combinations_with_replacement(range(1, 7), count):
        ways = factorial(count) // prod(factorial(faces.count(face)) for face in set(faces))
        totals[sum(sorted(faces, reverse=net > 0)[:keep])] += ways
    return {total: Fraction(ways, 6**count) for total, ways in totals.items()}


@cache
def hits(net: int) -> tuple[Fraction, Fraction, Fraction]:
    """Chances of a miss, a plain hit and a critical one."""
    dice = pool(net, 2)
    miss = sum((chance for total, chance in dice.items() if total <= 6), Fraction(0))
    return miss, 1 - miss - dice.get(12, Fraction(0)), dice.get(12, Fraction(0))


@cache
def injuries(net: int, keep: int, flat: bool, modifier: int) -> tuple[Fraction, Fraction, Fraction, Fraction]:
    """Chances of no effect, a minor hit, Down and out of action."""
    chances = [Fraction(0)] * 4
    for total, chance in pool(net, keep).items():
        for extra in range(1, 7) if flat else (0,):
            result = total + extra + modifier
            place = 0 if result <= 1 else 1 if result <= 6 else 2 if result <= 8 else 3
            chances[place] += chance / (6 if flat else 1)
    return chances[0], chances[1], chances[2], chances[3]


# --- the models ---------------------------------------------------------------------------------------------


class Own(NamedTuple):
    """What the attacker still has."""

    blood: int
    blessing: int


class Target(NamedTuple):
    down: bool
    blood: int
    blessing: int
    tough: bool


class Left(NamedTuple):
    """A target in the middle of shots resolved together: as it was, and what waits for their end."""

    target: Target
    placed: int
    fallen: bool


class Buys(NamedTuple):
    """Blood spent on an injury roll: dice, perhaps a Bloodbath, and the markers of both."""

    markers: int
    bloodbath: bool
    dice: int


class Asked(NamedTuple):
    """One decision: whose (0 the target's player, 1 the attacker's), where, and what the other declared before."""

    who: int
    step: int
    own: Own
    target: Target
    critical: int | None  # None on an action roll
    heard: Any  # None for whoever declares first
    shots: tuple[int, ...] | None = None  # of shots together those rolled: 0 miss, 1 hit, 2 critical
    ended: bool = False  # of shots together: whether they have ended the activation


#: Gives a player's choice.
Tables = Callable[[Asked], Any]


class Rules:
    """What a hit does to a target: its body is a table by numbers."""

    def __init__(self, old: bool, options: Mapping[str, Any], body: Mapping[str, Any]) -> None:
        self.old, self.options = old, options
        self.armour, self.injury_dice = body.get("injury_modifier", 0), body.get("injury_dice", 0)
        self.machine_armour: bool = body.get("machine_armour_minor", False)

    def buys(self, target: Target) -> list[Buys]:
        """All that can be bought, the cheapest first."""
        cost = 3 if target.down else 6
        every = [Buys(dice, False, dice) for dice in range(target.blood + 1)]
        most = target.blood - cost if self.options.get("bloodbath_leftovers", "dice") == "dice" else 0
        if target.blood >= cost:
            every += [Buys(cost + dice, True, dice) for dice in range(most + 1)]
        return every

    def chances(
        self, table: Mapping[str, Any], target: Target, critical: int, guard: int, buys: Buys
    ) -> tuple[Fraction, ...]:
        """Chances of the injury chart."""
        words, melee = table.get("keywords", []), table.get("kind", "ranged") == "melee"
        net = table.get("injury_dice", 0) + self.injury_dice + buys.dice - guard
        net += int(target.down and (melee or not self.old)) + critical * (2 if "CRITICAL" in words else 1)
        keep, flat = 3 if "DEADLY" in words else 2, buys.bloodbath and self.options.get("bloodbath") == "add"
        keep += int(buys.bloodbath and not flat)
        plain, armour = table.get("injury_modifier", 0), self.armour
        modifier = max(-3, armour + min(plain, 0)) + max(plain, 0) if self.old else armour + plain
        return injuries(net, keep, flat, modifier)

    def wait(self, table: Mapping[str, Any], left: Left, result: int) -> Left | str:
        """A target in the middle of shots together after a result: markers and Down wait, TOUGH is used up at once."""
        target, became = left.target, result
        if result == 3:
            if not target.tough:
                return OUT
            target, became = target._replace(tough=False), 2
        if became == 2 and self.machine_armour:
            became = 1
        gain = (0, 1, 2 if target.down or left.fallen else 1)[became]
        gain += len({"FIRE", "GAS", "SHRAPNEL"} & {*table.get("keywords", [])})
        return Left(target, left.placed + gain, left.fallen or became == 2)

    def suffer(self, table: Mapping[str, Any], left: Target, result: int) -> Target | None:
        """The target after a result; None: out of action."""
        after, became = left, result
        if result == 3:
            if not left.tough:
                return None
            after, became = left._replace(tough=False), 2
        if became == 2 and self.machine_armour:
            became = 1
        gain = (0, 1, 2 if after.down else 1)[became] + len({"FIRE", "GAS", "SHRAPNEL"} & {*table.get("keywords", [])})
        return after._replace(blood=min(6, after.blood + gain), down=after.down or became == 2)


def amounts(policy: str, held: int) -> list[int]:
    return {"none": [0], "all": [held], "optimal": list(range(held + 1))}[policy]


def mix(parts: Iterable[tuple[Fraction, Callable[[], Ends]]]) -> Ends:
    """Chances of ends below chances."""
    total: dict[Any, Fraction] = {}
    for chance, ends in parts:
        if chance:
            for end, share in ends().items():
                total[end] = total.get(end, Fraction(0)) + chance * share
    return total


class Choosing:
    """Two players who choose one after the other; `score`: what ends are worth to the attacker's."""

    def __init__(self, attacker_first: bool, tables: Tables | None = None) -> None:
        self.attacker_first, self.tables = attacker_first, tables

    def both(
        self,
        asked: Asked,
        may: tuple[list[Any], Callable[[Any], list[Any]]],
        play: Callable[[Any, Any], Ends],
        score: Callable[[Ends], Fraction],
    ) -> Ends:
        """Let both choose: `may` is what the target's player may, and the attacker's by what it has heard."""
        first = int(self.attacker_first)
        choices = (lambda heard: may[0], may[1])

        def answered(choice: Any) -> Ends:
            def come_to(answer: Any) -> Ends:
                return play(answer, choice) if first else play(choice, answer)

            return self._one(asked._replace(who=1 - first, heard=choice), choices[1 - first](choice), come_to, score)

        return self._one(asked._replace(who=first), choices[first](None), answered, score)

    def _one(
        self, asked: Asked, may: list[Any], come_to: Callable[[Any], Ends], score: Callable[[Ends], Fraction]
    ) -> Ends:
        if len(may) > 1 and self.tables is not None:
            choice = self.tables(asked)
            assert choice in may
            return come_to(choice)
        return best(may, come_to, score if asked.who else lambda ends: -score(ends))


def best(may: list[Any], come_to: Callable[[Any], Ends], score: Callable[[Ends], Fraction]) -> Ends:
    """What the best choice comes to; among equally good ones the first, which is the cheapest."""
    if len(may) == 1:
        return come_to(may[0])
    ends = {choice: come_to(choice) for choice in may}
    worth = {choice: score(ends[choice]) for choice in may}
    return next(ends[choice] for choice in may if worth[choice] >= max(worth.values()) - TIE)


# --- a scenario ---------------------------------------------------------------------------------------------


def out(ends: Ends) -> Fraction:
    return ends.get(OUT, Fraction(0))


class Game:
    """A scenario in which both players may choose; `tables`: what is chosen, instead of what is best.

    `rerolls`: of its attacks, 1 where a failure is rolled again, 2 where a 1 among the dice makes that a failure, too.
    `score`: what ends are worth to the attacker's player.
    """

    def __init__(
        self,
        scenario: Mapping[str, Any],
        tables: Tables | None = None,
        rerolls: int = 0,
        score: Callable[[Ends], Fraction] = out,
    ) -> None:
        self.options, self.spend = scenario.get("options", {}), scenario.get("spend", {})
        attacker, target = scenario.get("attacker", {}), scenario["target"]
        self.rules = Rules(scenario.get("edition", "1.6.3") == "1.0.2", self.options, target)
        self.own = Own(attacker.get("blood", 0), attacker.get("blessing", 0))
        self.attacker_down: bool = attacker.get("down", False)
        self.target = Target(
            target.get("down", False), target.get("blood", 0), target.get("blessing", 0), target.get("tough", False)
        )
        self.steps: list[Mapping[str, Any]] = []
        self.rerolls, self.score = rerolls, score
        for table in scenario["attacks"]:
            one = [table] if self.is_together(table) else [table] * table.get("shots", 1)
            self.steps += one * table.get("times", 1)
        self.players = Choosing(self.options.get("declarations", "target-first") == "attacker-first", tables)
        self.after = cache(self._after)

    def is_together(self, table: Mapping[str, Any]) -> bool:
        """Whether the shots of an attack are resolved together."""
        together = not self.rules.old and self.options.get("shots", "together-ranged") == "together-ranged"
        return together and table.get("kind", "ranged") == "ranged" and table.get("shots", 1) > 1

    def ends(self) -> Ends:
        """How it ends: out, or the target as it is left."""
        return self.after(0, False, self.own, self.target)

    def _after(self, step: int, ended: bool, own: Own, target: Target) -> Ends:
        """The ends of what is left from a step on."""
        if step == len(self.steps):
            return {target: Fraction(1)}
        table = self.steps[step]
        if table.get("event") == "activation":
            return self.after(step + 1, False, own, target)
        if ended:
            return self.after(step + 1, True, own, target)
        if table.get("event") == "stand":
            return self.after(step + 1, False, own, target._replace(down=False))
        if table.get("event") == "risky":
            return self.risky_action(step, own, target)
        if table.get("event") == "charge":
            return self._charge(step, own, target)
        return (
            self.shot(step, (), False, own, target) if self.is_together(table) else self.action_roll(step, own, target)
        )

    def _amounts(self, step: int, own: Own) -> tuple[list[int], list[int]]:
        """What may be spent of the attacker's markers on an action roll."""
        auto = "AUTO-HIT" in self.steps[step].get("keywords", [])
        takes = [0] if auto else amounts(self.spend.get("blood_on_action", "none"), own.blood)
        return takes, [0] if auto else amounts(self.spend.get("blessing_on_action", "none"), own.blessing)

    def risky_action(self, step: int, own: Own, target: Target) -> Ends:
        """The ends from a risky action on."""
        takes, gives = self._amounts(step, own)

        def play(blood: int, blessing: int) -> Ends:
            left = Own(own.blood - blood, own.blessing - blessing)
            net = self.steps[step].get("action_dice", 0) + blessing - blood - self.attacker_down
            miss = hits(net)[0]
            goes_on = (1 - miss, lambda: self.after(step + 1, False, left, target))
            return mix([goes_on, (miss, lambda: self.after(step + 1, True, left, target))])

        return self.players.both(
            Asked(0, step, own, target, None, None), (takes, lambda heard: gives), play, self.score
        )

    def _charge(self, step: int, own: Own, target: Target) -> Ends:
        """A D6 and the Movement must reach over the distance."""
        table = self.steps[step]
        reach = Fraction(sum(table["move"] + die >= table["distance"] for die in range(1, 7)), 6)
        goes_on = (reach, lambda: self.after(step + 1, False, own, target))
        return mix([goes_on, (1 - reach, lambda: self.after(step + 1, True, own, target))])

    def rolled(self, step: int, dice: int) -> list[tuple[Fraction, bool, int]]:
        """An action roll with so many DICE: chances, whether it ends the activation, and 0 miss, 1 hit, 2 critical."""
        table = self.steps[step]
        words = table.get("keywords", [])
        if "AUTO-HIT" in words:
            return [(Fraction(1), False, 1)]
        net = table.get("action_dice", 0) + dice - self.attacker_down
        risky = "RISKY" in words
        first = [(chance, risky and not result, result) for result, chance in enumerate(hits(net))]
        if not self.rerolls:
            return first
        again: list[tuple[Fraction, bool, int]] = []
        count = 2 + abs(net)
        for faces in itertools.product(range(1, 7), repeat=count):
            total = sum(sorted(faces, reverse=net > 0)[:2])
            result = 0 if total <= 6 else 2 if total == 12 else 1
            spoilt = 1 in faces
            result = 0 if spoilt and self.rerolls == 2 else result
            again.append((first[0][0] / 6**count, spoilt or (risky and not result), result))
        return first[1:] + again

    def shot(self, step: int, before: tuple[int, ...], ended: bool, own: Own, target: Target) -> Ends:
        """The ends from a shot of several together on; `before`: 0 miss, 1 hit, 2 critical for each shot before it."""
        if len(before) == self.steps[step]["shots"]:
            return self.deal(step, tuple(shot - 1 for shot in before if shot), ended, own, target)
        takes, gives = self._amounts(step, own)

        def play(blood: int, blessing: int) -> Ends:
            left = Own(own.blood - blood, own.blessing - blessing)
            together: Counter[tuple[bool, int]] = Counter()
            for chance, ends, result in self.rolled(step, blessing - blood):
                together[ends, result] += chance
            return mix(
                (chance, lambda end=ends, result=result: self.shot(step, (*before, result), ended or end, left, target))
                for (ends, result), chance in together.items()
            )

        asked = Asked(0, step, own, target, None, None, before, ended)
        return self.players.both(asked, (takes, lambda heard: gives), play, self.score)

    def deal(self, step: int, kinds: tuple[int, ...], ended: bool, own: Own, target: Target) -> Ends:
        """The ends once all shots together are rolled to hit."""
        table, count = self.steps[step], len(kinds)
        guards = self.guards(target.blessing, count)

        def play(guard: tuple[int, ...], buys: tuple[Buys, ...]) -> Ends:
            spent = target._replace(
                blood=target.blood - sum(one.markers for one in buys), blessing=target.blessing - sum(guard)
            )
            left: dict[Left | str, Fraction] = {Left(spent, 0, False): Fraction(1)}
            for kind, guarded, bought in zip(kinds, guard, buys, strict=True):
                chances = self.rules.chances(table, target, kind, guarded, bought)
                now: dict[Left | str, Fraction] = {}
                for state, share in left.items():
                    for result, chance in enumerate(chances):
                        if chance:
                            after = state if isinstance(state, str) else self.rules.wait(table, state, result)
                            now[after] = now.get(after, Fraction(0)) + share * chance
                left = now

            def over(state: Left | str) -> Ends:
                if isinstance(state, str):
                    return {OUT: Fraction(1)}
                was = state.target
                after = was._replace(blood=min(6, was.blood + state.placed), down=was.down or state.fallen)
                return self.after(step + 1, ended, own, after)

            return mix([(chance, lambda state=state: over(state)) for state, chance in left.items()])

        asked = Asked(0, step, own, target, -1, None, tuple(1 + kind for kind in kinds), ended)
        return self.players.both(
            asked, (guards, lambda heard: self.bought_for_all(step, target, kinds, heard)), play, self.score
        )

    def guards(self, held: int, count: int) -> list[tuple[int, ...]]:
        """Every way to spend blessings on so many hits, or what the policy leaves."""
        policy = self.spend.get("blessing_on_injury", "none")
        if policy != "optimal" or not count:
            return [(held if policy == "all" else 0, *[0] * (count - 1))[:count]]
        every = (deal for deal in itertools.product(range(held + 1), repeat=count) if sum(deal) <= held)
        return sorted(every, key=lambda deal: (sum(deal), [-one for one in deal]))

    def bought_for_all(
        self, step: int, target: Target, kinds: tuple[int, ...], guard: tuple[int, ...] | None
    ) -> list[tuple[Buys, ...]]:
        """Every way to spend the target's blood on all hits, or what the policy leaves hit by hit."""
        if self.spend.get("blood_on_injury") == "optimal":
            every = self.rules.buys(target)
            deals = [()] if not kinds else list(itertools.product(every, repeat=len(kinds)))
            deals = [deal for deal in deals if sum(one.markers for one in deal) <= target.blood]
            return sorted(
                deals,
                key=lambda deal: (
                    sum(one.markers for one in deal),
                    sum(one.bloodbath for one in deal),
                    [-one.dice for one in deal],
                    [-one.bloodbath for one in deal],
                ),
            )
        told: list[Buys] = []
        for kind, guarded in zip(kinds, guard or [0] * len(kinds), strict=True):
            held = target._replace(blood=target.blood - sum(one.markers for one in told))
            told += self._bought(step, held, kind, guarded)
        return [tuple(told)]

    def action_roll(self, step: int, own: Own, target: Target) -> Ends:
        """The ends from an attack on."""
        takes, gives = self._amounts(step, own)

        def play(blood: int, blessing: int) -> Ends:
            return self._rolled(step, blessing - blood, Own(own.blood - blood, own.blessing - blessing), target)

        return self.players.both(
            Asked(0, step, own, target, None, None), (takes, lambda heard: gives), play, self.score
        )

    def _rolled(self, step: int, dice: int, own: Own, target: Target) -> Ends:
        together: Counter[tuple[bool, int]] = Counter()
        for chance, ends, result in self.rolled(step, dice):
            together[ends, result] += chance

        def come_to(ends: bool, result: int) -> Ends:
            if not result:
                return self.after(step + 1, ends, own, target)
            return self.injury_roll(step, own, target, result - 1, ends)

        return mix([(chance, lambda way=way: come_to(*way)) for way, chance in together.items()])

    def injury_roll(self, step: int, own: Own, target: Target, critical: int, ended: bool = False) -> Ends:
        """The ends from a hit on."""
        table = self.steps[step]

        def play(guard: int, buys: Buys) -> Ends:
            left = target._replace(blood=target.blood - buys.markers, blessing=target.blessing - guard)

            def suffer(result: int) -> Ends:
                after = self.rules.suffer(table, left, result)
                return {OUT: Fraction(1)} if after is None else self.after(step + 1, ended, own, after)

            chances = self.rules.chances(table, target, critical, guard, buys)
            return mix([(chance, lambda result=result: suffer(result)) for result, chance in enumerate(chances)])

        guards = amounts(self.spend.get("blessing_on_injury", "none"), target.blessing)
        asked = Asked(0, step, own, target, critical, None)
        return self.players.both(
            asked, (guards, lambda heard: self._bought(step, target, critical, heard or 0)), play, self.score
        )

    def _bought(self, step: int, target: Target, critical: int, guard: int) -> list[Buys]:
        """What the attacker's player may choose, or what its policy leaves."""
        policy, every = self.spend.get("blood_on_injury", "none"), self.rules.buys(target)
        if policy == "optimal":
            return sorted(every)
        if policy == "greedy":
            chances = {buys: self.rules.chances(self.steps[step], target, critical, guard, buys)[3] for buys in every}
            return [min(buys for buys in every if chances[buys] >= max(chances.values()) - TIE)]
        if policy == "bloodbath":
            return [next((buys for buys in every if buys.bloodbath), every[0])]
        return [every[target.blood if policy == "all" else 0]]


# --- a duel -------------------------------------------------------------------------------------------------

CHARGE_DICE = {"none": [0], "D3": [1, 1, 2, 2, 3, 3], "D6": [1, 2, 3, 4, 5, 6]}


class World(NamedTuple):
    left: int  # rounds, with this one
    turn: int  # 0: the first is next, 1: the other
    apart: Fraction  # inches; 0 in contact
    stood: tuple[bool, bool]  # in this round
    models: tuple[Target, Target]


class Duel:
    """A duel of optimal play: its ends are the chances that a has won, and that b has."""

    def __init__(self, duel: Mapping[str, Any]) -> None:
        old = duel.get("edition", "1.6.3") == "1.0.2"
        self.old, self.sides = old, (duel["a"], duel["b"])
        options = duel.get("options", {})
        self.at_turn = options.get("stand_at", "activation" if old else "turn") == "turn"
        self.stand_up, self.failed = options.get("stand_up", "wait"), options.get("failed_charge", "shoot")
        self.first = "ab".index(duel.get("first", "a"))
        self.approach = duel.get("approach", {})
        self.rules = tuple(Rules(old, options, side) for side in self.sides)
        self.players = Choosing(options.get("declarations", "target-first") == "attacker-first")
        models = [
            Target(side.get("down", False), side.get("blood", 0), side.get("blessing", 0), side.get("tough", False))
            for side in self.sides
        ]
        apart = Fraction(self.approach.get("distance", 0))
        self.start = World(duel.get("rounds", 6), 0, apart, (False, False), (models[0], models[1]))
        self.after = cache(self._after)
        self.strikes = cache(self._strikes)

    def ends(self) -> Ends:
        """The chances of "a" and of "b" to have won."""
        return self.after(self.start)

    def _score(self, me: int) -> Callable[[Ends], Fraction]:
        mine, other = "ab"[me], "ba"[me]
        return lambda ends: ends.get(mine, Fraction(0)) - ends.get(other, Fraction(0))

    def _after(self, world: World) -> Ends:
        if world.left == 0:
            return {}
        if world.turn == 0:
            down = (world.models[0].down, world.models[1].down)
            world = world._replace(stood=down if self.at_turn else (False, False))
            if self.at_turn:
                world = world._replace(models=(_up(world.models[0]), _up(world.models[1])))
        me = self.first if world.turn == 0 else 1 - self.first
        mine = world.models[me]
        if mine.down and not self.at_turn:
            world = _with(world, me, _up(mine))
            stood = (me == 0 or world.stood[0], me == 1 or world.stood[1])
            return self._acts(world._replace(stood=stood), me, True)
        if not mine.down or self.stand_up == "wait":
            return self._acts(world, me, not mine.down)
        may = [False, True] if self.stand_up == "best" else [True]
        return best(
            may, lambda tries: self._stands(world, me) if tries else self._acts(world, me, False), self._score(me)
        )

    def _next(self, world: World) -> Ends:
        turn = 1 - world.turn
        return self.after(world._replace(turn=turn, left=world.left - (turn == 0)))

    def _action(self, world: World, me: int, dice: int, then: Callable[[int, World], Ends], auto: bool = False) -> Ends:
        """An action roll with what both spend on it; `then` by 0 failure, 1 success, 2 critical."""
        mine = world.models[me]
        takes, gives = ([0], [0]) if auto else (list(range(mine.blood + 1)), list(range(mine.blessing + 1)))

        def play(blood: int, blessing: int) -> Ends:
            left = mine._replace(blood=mine.blood - blood, blessing=mine.blessing - blessing)
            chances = (Fraction(0), Fraction(1), Fraction(0)) if auto else hits(dice + blessing - blood)
            there = _with(world, me, left)
            return mix([(chance, lambda result=result: then(result, there)) for result, chance in enumerate(chances)])

        asked = Asked(0, 0, Own(mine.blood, mine.blessing), mine, None, None)
        return self.players.both(asked, (takes, lambda heard: gives), play, self._score(me))

    def _stands(self, world: World, me: int) -> Ends:
        def then(result: int, there: World) -> Ends:
            if result == 0:
                return self._next(there)
            return self._acts(_with(there, me, _up(there.models[me])), me, False)

        return self._action(world, me, -1, then)

    def _acts(self, world: World, me: int, moves: bool) -> Ends:
        side = self.sides[me]
        if world.apart == 0:
            return self.strikes(world, me, "attacks", 0)
        if not moves:
            return self.strikes(world, me, "ranged", 0)
        halved = world.stood[me]
        move, inches = Fraction(side["move"]) / (2 if halved else 1), CHARGE_DICE[side.get("charge_die", "D6")]
        reach = [min(move + Fraction(more) / (2 if halved and self.old else 1), Fraction(12)) for more in inches]
        closer = world._replace(apart=min(world.apart, max(world.apart - move, Fraction(1))))

        def close() -> Ends:
            return self.strikes(closer, me, "ranged", 0)

        def rolled(far: Fraction) -> Ends:
            if far >= world.apart:
                return self.strikes(world._replace(apart=Fraction(0)), me, "attacks", 0)
            if self.failed == "shoot":
                return close()
            return self._next(world._replace(apart=min(world.apart, max(world.apart - far, Fraction(1)))))

        who = self.approach.get("who_charges", "first-able")
        if max(reach) < world.apart or who not in ("first-able", "best", "ab"[me]):
            return close()
        may = [True, False] if who == "best" else [True]

        def decided(charges: bool) -> Ends:
            if not charges:
                return close()
            return mix([(Fraction(1, len(reach)), lambda far=far: rolled(far)) for far in reach])

        return best(may, decided, self._score(me))

    def _strikes(self, world: World, me: int, what: str, step: int) -> Ends:
        """The ends from the attacks of an activation on."""
        tables = self.sides[me].get(what, [])
        if step == len(tables):
            return self._next(world)
        table = {"kind": "melee" if what == "attacks" else "ranged", **tables[step]}
        words = table.get("keywords", [])

        def then(result: int, there: World) -> Ends:
            if result:
                return self._hit(there, me, (what, step), table, result - 1)
            return self._next(there) if "RISKY" in words else self.strikes(there, me, what, step + 1)

        dice = table.get("action_dice", 0) - world.models[me].down
        return self._action(world, me, dice, then, "AUTO-HIT" in words)

    def _hit(self, world: World, me: int, where: tuple[str, int], table: Mapping[str, Any], critical: int) -> Ends:
        rules, target = self.rules[1 - me], world.models[1 - me]

        def play(guard: int, buys: Buys) -> Ends:
            left = target._replace(blood=target.blood - buys.markers, blessing=target.blessing - guard)

            def suffer(result: int) -> Ends:
                after = rules.suffer(table, left, result)
                if after is None:
                    return {"ab"[me]: Fraction(1)}
                return self.strikes(_with(world, 1 - me, after), me, where[0], where[1] + 1)

            chances = rules.chances(table, target, critical, guard, buys)
            return mix([(chance, lambda result=result: suffer(result)) for result, chance in enumerate(chances)])

        guards = list(range(target.blessing + 1))
        asked = Asked(0, 0, Own(0, 0), target, critical, None)
        every = sorted(rules.buys(target))
        return self.players.both(asked, (guards, lambda heard: every), play, self._score(me))


def _up(model: Target) -> Target:
    return model._replace(down=False)


def _with(world: World, side: int, model: Target) -> World:
    models = (model, world.models[1]) if side == 0 else (world.models[0], model)
    return world._replace(models=models)
