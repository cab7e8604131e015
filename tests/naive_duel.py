"""The naive way for duels: a tree of what can happen, round after round, for the tests only.

It shares no code with the package, and leaves the attacks of one activation to :mod:`naive`. A duel is a mapping as the
contract has it, by numbers only; besides, what is shot may have a `reach` in inches, the fighters a `move` and a
`charge_die`. The answer is, for each round, the exact chance that a has won by then, and that b has.

A node of the tree is a world: how many rounds are left, whose activation is next, where the two are, and the state of
both. Its value is the pair of chances; every node is asked once.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any, NamedTuple

import naive
import naive_special

Chances = tuple[Fraction, Fraction]

CHARGE_DICE = {
    "none": [0],
    "D3": [1, 1, 2, 2, 3, 3],
    "D6": [1, 2, 3, 4, 5, 6],
    "2D3": [max(dice) for dice in itertools.product((1, 1, 2, 2, 3, 3), repeat=2)],
    "2D6": [max(dice) for dice in itertools.product(range(1, 7), repeat=2)],
}
STAND_AT = {"1.6.3": "turn", "1.0.2": "activation"}


class Model(NamedTuple):
    down: bool
    blood: int
    blessing: int
    tough: bool


class World(NamedTuple):
    left: int  # rounds, with this one
    turn: int  # 0: the first is next, 1: the other
    apart: float  # inches; 0 in contact
    stood: tuple[bool, bool]  # in this round
    models: tuple[Any, Any]


class Duel:
    def __init__(self, duel: Mapping[str, Any]) -> None:
        self.duel = duel
        self.edition = duel.get("edition", "1.6.3")
        options = dict(duel.get("options", {}))
        self.stand_at = options.pop("stand_at", STAND_AT[self.edition])
        self.stand_up = options.pop("stand_up", "wait")
        self.failed_charge = options.pop("failed_charge", "shoot")
        self.options = options
        self.first = "ab".index(duel.get("first", "a"))
        self.sides = [duel["a"], duel["b"]]
        self.value = cache(self._value)
        self.activation = cache(self._activation)

    def start(self, rounds: int) -> World:
        models = []
        for side in self.sides:
            given = {**side, **side.get("target", {})}
            tough = given.get("tough")
            if tough is None:
                tough = "TOUGH" in given.get("keywords", [])
            models.append(Model(given.get("down", False), given.get("blood", 0), given.get("blessing", 0), tough))
        apart = self.duel["approach"]["distance"] if "approach" in self.duel else 0
        return World(rounds, 0, apart, (False, False), (models[0], models[1]))

    def by_round(self) -> list[Chances]:
        return [self.value(self.start(rounds)) for rounds in range(1, self.duel.get("rounds", 6) + 1)]

    # the tree

    def _value(self, world: World) -> Chances:
        if world.left == 0:
            return Fraction(0), Fraction(0)
        if world.turn == 0:
            stood = (False, False)
            models = world.models
            if self.stand_at == "turn":
                stood = (models[0].down, models[1].down)
                models = (models[0]._replace(down=False), models[1]._replace(down=False))
            world = world._replace(stood=stood, models=models)
        me = self.first if world.turn == 0 else 1 - self.first
        a = b = Fraction(0)
        for chance, after, won in self.activates(world, me):
            if won:
                then: Chances = (Fraction(1), Fraction(0)) if me == 0 else (Fraction(0), Fraction(1))
            elif world.turn == 0:
                then = self.value(after._replace(turn=1))
            else:
                then = self.value(after._replace(turn=0, left=world.left - 1))
            a, b = a + chance * then[0], b + chance * then[1]
        return a, b

    def activates(self, world: World, me: int) -> Iterator[tuple[Fraction, World, bool]]:
        """Everything that an activation can come to: how likely, the world after it, and whether it is won."""
        mine = world.models[me]
        mine = self.befallen(me, mine)
        world = with_model(world, me, mine)
        if self.stand_at == "activation" and mine.down:
            mine = mine._replace(down=False)
            world = with_model(world, me, mine)
            world = world._replace(stood=tuple(True if side == me else world.stood[side] for side in (0, 1)))
        if mine.down and self.stand_up == "risky":
            drained, blessed = self.drained(me, mine), self.blessed(me, mine)
            dice = -1 - drained + blessed
            stands = sum(c for total, c in naive.pool_chances(dice, 2).items() if total >= 7)
            mine = pay(mine, drained, blessed)
            yield 1 - stands, with_model(world, me, mine), False
            world = with_model(world, me, mine._replace(down=False))
            yield from weighted(stands, self.acts(world, me, moves=False))
        else:
            yield from self.acts(world, me, moves=not mine.down)

    def acts(self, world: World, me: int, moves: bool) -> Iterator[tuple[Fraction, World, bool]]:
        if world.apart == 0:
            yield from self.strikes(world, me, self.sides[me]["attacks"], "melee")
            return
        if not moves:
            yield from self.shoots(world, me, world.apart)
            return
        side, halved = self.sides[me], world.stood[me]
        move = Fraction(side["move"]) / (2 if halved else 1)
        who = self.duel["approach"].get("who_charges", "first-able")
        closer = max(Fraction(world.apart) - move, Fraction(1)) if world.apart > 1 else Fraction(world.apart)
        faces = CHARGE_DICE[side.get("charge_die", "D6")]
        reach = []
        for inches in faces:
            extra = Fraction(inches)
            if halved and self.edition == "1.0.2":
                extra /= 2
            reach.append(min(move + extra, Fraction(12)))
        able = who in ("first-able", "ab"[me]) and max(reach) >= world.apart
        if not able:
            yield from self.shoots(world, me, closer)
            return
        for far in reach:
            chance = Fraction(1, len(reach))
            if far >= world.apart:
                there = world._replace(apart=0)
                yield from weighted(chance, self.strikes(there, me, side["attacks"], "melee"))
            elif self.failed_charge == "move":
                yield (
                    chance,
                    world._replace(apart=min(Fraction(world.apart), max(world.apart - far, Fraction(1)))),
                    False,
                )
            else:
                yield from weighted(chance, self.shoots(world, me, closer))

    def shoots(self, world: World, me: int, then: Fraction) -> Iterator[tuple[Fraction, World, bool]]:
        attacks = []
        for table in self.sides[me].get("ranged", []):
            attack = dict(table)
            reach = attack.pop("reach", None)
            if reach is not None:
                if world.apart > reach:
                    continue
                half = Fraction(reach, 2)
                attack["long_range"] = world.apart > half or (self.edition == "1.6.3" and world.apart == half)
            attacks.append(attack)
        there = world._replace(apart=then)
        if not attacks:
            yield Fraction(1), there, False
        else:
            yield from self.strikes(there, me, attacks, "ranged")

    def strikes(self, world: World, me: int, attacks: Any, kind: str) -> Iterator[tuple[Fraction, World, bool]]:
        tables = tuple(tuple(sorted({**table, "kind": kind}.items(), key=repr)) for table in map(freeze, attacks))
        mine, theirs = world.models[me], world.models[1 - me]
        rolls = any("AUTO-HIT" not in table.get("keywords", []) for table in attacks)
        left = mine
        if rolls:
            left = pay(mine, self.drained(me, mine), self.blessed(me, mine))
        for final, chance in self.activation(me, tables, mine, theirs).items():
            if final == naive.OUT:
                yield chance, world, True
            else:
                after = with_model(with_model(world, me, left), 1 - me, self.model(final))
                yield chance, after, False

    def _activation(self, me: int, tables: Any, mine: Model, theirs: Model) -> dict[Any, Fraction]:
        """What the attacks of one activation do, by the naive way of scenarios."""
        my_spend, their_spend = (self.sides[side].get("spend", {}) for side in (me, 1 - me))
        target = dict(self.sides[1 - me])
        for name in ("attacks", "ranged", "spend", "move", "charge_die", "target", "unit"):
            target.pop(name, None)
        target |= self.sides[1 - me].get("target", {})
        words = self.sides[me].get("keywords", []) + self.sides[me].get("target", {}).get("keywords", [])
        return naive.final_states(
            {
                "edition": self.edition,
                "options": self.options,
                "attacker": {
                    "down": mine.down,
                    "blood": mine.blood,
                    "blessing": mine.blessing,
                    "keywords": [word for word in words if word != "TOUGH"],
                },
                "target": {**target, **theirs._asdict()},
                "attacks": [{k: list(v) if isinstance(v, tuple) else v for k, v in table} for table in tables],
                "spend": {
                    "blood_on_injury": my_spend.get("blood_on_injury", "none"),
                    "blood_on_action": their_spend.get("blood_on_action", "none"),
                    "blessing_on_injury": their_spend.get("blessing_on_injury", "none"),
                    "blessing_on_action": my_spend.get("blessing_on_action", "none"),
                },
            }
        )

    def model(self, final: Any) -> Any:
        return Model(*final)

    def befallen(self, me: int, mine: Any) -> Any:
        """What happens to a model when it is activated."""
        return mine

    def drained(self, me: int, mine: Any) -> int:
        return markers(mine) if self.sides[1 - me].get("spend", {}).get("blood_on_action") == "all" else 0

    def blessed(self, me: int, mine: Any) -> int:
        return mine.blessing if self.sides[me].get("spend", {}).get("blessing_on_action") == "all" else 0


class SpecialDuel(Duel):
    """A duel in contact of which each activation is a question for :mod:`naive_special`.

    `questions`: by side and whether it is Down, what it does to the other; `spend` and `options` as in a duel.
    """

    def __init__(self, duel: Mapping[str, Any], questions: list[dict[bool, dict[str, Any]]]) -> None:
        super().__init__({**duel, "a": {"attacks": [], **duel["a"]}, "b": {"attacks": [], **duel["b"]}})
        self.questions = questions

    def start(self, rounds: int) -> World:
        models = []
        for side in (0, 1):
            target = self.questions[1 - side][False]["target"]
            models.append(naive_special.Target(*(target[name] for name in naive_special.Target._fields)))
        return World(rounds, 0, 0, (False, False), (models[0], models[1]))

    def model(self, final: Any) -> Any:
        return final

    def befallen(self, me: int, mine: Any) -> Any:
        regenerates = self.questions[1 - me][False]["target"]["regenerates"]
        infection = min(mine.infection + 1, 6) if mine.infection else 0
        return mine._replace(infection=infection, blood=max(mine.blood - regenerates, 0))

    def strikes(self, world: World, me: int, attacks: Any, kind: str) -> Iterator[tuple[Fraction, World, bool]]:
        mine, theirs = world.models[me], world.models[1 - me]
        rolled = any(not step["auto_hit"] for step in self.questions[me][False]["steps"])
        left = pay(mine, self.drained(me, mine), self.blessed(me, mine)) if rolled else mine
        for final, chance in self.activation(me, mine, theirs).items():
            if final == naive.OUT:
                yield chance, world, True
            else:
                yield chance, with_model(with_model(world, me, left), 1 - me, final), False

    def _activation(self, me: int, mine: Any, theirs: Any) -> dict[Any, Fraction]:
        question = self.questions[me][bool(mine.down)]
        steps = [dict(step) for step in question["steps"]]
        for step in steps:
            if not step["auto_hit"]:
                step["first_shot_dice"] = self.blessed(me, mine) - self.drained(me, mine)
                break
        return naive_special.final_states(
            {**question, "steps": steps, "target": {**question["target"], **theirs._asdict()}}
        )


def markers(model: Any) -> int:
    return model.blood + getattr(model, "infection", 0)


def pay(model: Any, drained: int, blessed: int) -> Any:
    """Blood is spent before infection, which grows."""
    blood = min(model.blood, drained)
    model = model._replace(blood=model.blood - blood, blessing=model.blessing - blessed)
    return model._replace(infection=model.infection - drained + blood) if drained > blood else model


def freeze(table: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(value) if isinstance(value, list) else value for key, value in table.items()}


def with_model(world: World, side: int, model: Any) -> World:
    models = (model, world.models[1]) if side == 0 else (world.models[0], model)
    return world._replace(models=models)


def weighted(weight: Fraction, parts: Iterator[tuple[Fraction, World, bool]]) -> Iterator[tuple[Fraction, World, bool]]:
    for chance, world, won in parts:
        yield weight * chance, world, won


def by_round(duel: Mapping[str, Any]) -> list[Chances]:
    """For each round: the chance that a has won by then, and that b has."""
    return Duel(duel).by_round()
