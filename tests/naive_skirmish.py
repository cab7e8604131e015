"""Firefights and games the naive way, for the tests only: dictionaries over explicit states, in Fractions.

It shares no code with the package; what one activation does to one target it asks of :mod:`naive`. Input as for
``tcsim.firefight`` and ``tcsim.turn``, by numbers only, without ``against``, ``name`` and the tables of a leader other
than ``leader = true`` in a game.

Readings of what the rules leave open, as the README tells them: an activation has one target, and what is left of it
when that is out of action is lost; who is spread on a target that is out already does nothing (in a game, the i-th
model attacks the (i mod k)-th of the k enemies left); a game's smaller side has fewer models left for initiative, and
began with fewer for morale; Down
counts for morale as it is when the turn ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from typing import Any

import naive

OUT = "out"
Ways = dict[Any, Fraction]
ONE, HALF = Fraction(1), Fraction(1, 2)

ATTACKER = ("blood", "blessing", "down", "keywords")
TARGET = ("injury_modifier", "injury_dice", "down", "blood", "blessing", "tough", "keywords", "machine_armour_minor")


def expand(tables: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [table for table in tables for _ in range(table.get("count", 1))]


def as_state(target: Mapping[str, Any]) -> tuple[bool, int, int, bool]:
    tough = target.get("tough", "TOUGH" in target.get("keywords", []))
    return target.get("down", False), target.get("blood", 0), target.get("blessing", 0), tough


class Attacks:
    """What one activation does to one target, remembered."""

    def __init__(self, edition: str, options: Mapping[str, Any]) -> None:
        self.edition, self.options = edition, options
        self.seen: dict[Any, Ways] = {}

    def of(self, attacker: dict[str, Any], target: dict[str, Any], state: Any, spend: Any, risky: bool = False) -> Ways:
        key = (repr(attacker), repr(target), state, repr(spend), risky)
        if key not in self.seen:
            down, blood, blessing, tough = state
            attacks = [dict(attack) for attack in attacker["attacks"]]
            for attack in attacks:
                if risky and "RISKY" not in attack.get("keywords", []):
                    attack["keywords"] = [*attack.get("keywords", []), "RISKY"]
            now = {"down": down, "blood": blood, "blessing": blessing, "tough": tough}
            self.seen[key] = naive.final_states(
                {
                    "edition": self.edition,
                    "options": dict(self.options),
                    "attacker": {name: attacker[name] for name in ATTACKER if name in attacker},
                    "target": {name: target[name] for name in TARGET if name in target} | now,
                    "attacks": attacks,
                    "spend": {**spend, **attacker.get("spend", {})},
                }
            )
        return self.seen[key]


class Firefight:
    """A firefight, its targets told one by one."""

    def __init__(self, fight: dict[str, Any]) -> None:
        self.attackers, self.targets = expand(fight["attackers"]), expand(fight["targets"])
        self.attacks = Attacks(fight.get("edition", "1.6.3"), fight.get("options", {}))
        self.spend, self.morale = fight.get("spend", {}), fight.get("morale", {})
        self.start = tuple(as_state(target) for target in self.targets)

    def after(self, number: int, target: int, states: tuple[Any, ...]) -> Iterator[tuple[tuple[Any, ...], Fraction]]:
        ways = self.attacks.of(self.attackers[number], self.targets[target], states[target], self.spend)
        for state, chance in ways.items():
            yield (*states[:target], state, *states[target + 1 :]), chance

    def ends(self, choose: Callable[[int, tuple[Any, ...]], int | None]) -> Ways:
        """Every way it can end, if each activation attacks whom ``choose`` says."""
        now: Ways = {self.start: ONE}
        for number in range(len(self.attackers)):
            after: Ways = {}
            for states, chance in now.items():
                target = choose(number, states)
                ways = [(states, ONE)] if target is None else self.after(number, target, states)
                for then, part in ways:
                    after[then] = after.get(then, Fraction(0)) + chance * part
            now = after
        return now

    def focus(self, number: int, states: tuple[Any, ...]) -> int | None:
        return next((i for i, state in enumerate(states) if state != OUT), None)

    def spread(self, number: int, states: tuple[Any, ...]) -> int | None:
        target = number % len(states)
        return None if states[target] == OUT else target

    def greedy(self, number: int, states: tuple[Any, ...]) -> int | None:
        """Whoever is most probably out of action by this activation; of equally good ones the first."""
        left = [i for i, state in enumerate(states) if state != OUT]
        chances = [dict(self.after(number, i, states)).get(self.without(i, states), Fraction(0)) for i in left]
        return left[chances.index(max(chances))] if left else None

    @staticmethod
    def without(target: int, states: tuple[Any, ...]) -> tuple[Any, ...]:
        return (*states[:target], OUT, *states[target + 1 :])

    def mean_out(self, choose: Callable[[int, tuple[Any, ...]], int | None]) -> Fraction:
        return sum((chance * count_out(states) for states, chance in self.ends(choose).items()), Fraction(0))

    def best(self, worth: Callable[[tuple[Any, ...]], Fraction]) -> Fraction:
        """What the best choice of targets is worth: every choice is tried in every state."""

        @cache
        def value(number: int, states: tuple[Any, ...]) -> Fraction:
            left = [i for i, state in enumerate(states) if state != OUT]
            if number == len(self.attackers) or not left:
                return worth(states)
            return max(
                sum((part * value(number + 1, then) for then, part in self.after(number, i, states)), Fraction(0))
                for i in left
            )

        return value(0, self.start)


def count_out(states: tuple[Any, ...]) -> int:
    return sum(state == OUT for state in states)


def count_down(states: tuple[Any, ...]) -> int:
    return sum(state != OUT and state[0] for state in states)


def fails(net: int) -> Fraction:
    """Chance that an action roll fails."""
    return naive.action_chances(net)["miss"]


class Game:
    """A game of two warbands; :meth:`play` gives what :class:`tcsim.skirmish.course.Course` holds, as Fractions."""

    def __init__(self, game: dict[str, Any], turns: int) -> None:
        edition = game.get("edition", "1.6.3")
        self.released = edition == "1.0.2"
        rules = game.get("rules", {})
        self.stands_at = rules.get("stand", "activation" if self.released else "turn")
        self.failure = rules.get("failure", "shaken" if self.released else "flight")
        self.first = rules.get("first", "initiative")
        self.by_beginning = rules.get("smaller", "began") == "began"
        self.turns = turns
        self.attacks = Attacks(edition, game.get("options", {}))
        self.bands = [expand(band["models"]) for band in game["warband"]]
        self.spend = [{**game.get("spend", {}), **band.get("spend", {})} for band in game["warband"]]
        self.targeting = [band.get("targeting", "focus") for band in game["warband"]]
        self.events: dict[tuple[int, int, str], Fraction] = {}
        self.gone: dict[tuple[int, int, int], Fraction] = {}

    def note(self, turn: int, side: int, what: str, chance: Fraction) -> None:
        self.events[turn, side, what] = self.events.get((turn, side, what), Fraction(0)) + chance

    def finish(self, turn: int, states: Any, chance: Fraction) -> None:
        """A game is over in a turn: it stays so in all that follow."""
        for later in range(turn, self.turns):
            self.count(later, states, chance)

    def count(self, turn: int, states: Any, chance: Fraction) -> None:
        for side in (0, 1):
            key = (turn, side, count_out(states[side]))
            self.gone[key] = self.gone.get(key, Fraction(0)) + chance

    def play(self) -> None:
        self.start = start = tuple(tuple(as_state(model) for model in band) for band in self.bands)
        now: Ways = {(start, (False, False)): ONE}
        for turn in range(self.turns):
            after: Ways = {}
            for (states, shaken), chance in now.items():
                if self.stands_at == "turn":
                    states = tuple(tuple(self.stood(state) for state in side) for side in states)
                for side, share in (
                    self.smaller(states) if self.first == "initiative" else [("ab".index(self.first), ONE)]
                ):
                    for ended, part in self.turn_of(turn, side, shaken, states, chance * share).items():
                        after[ended, shaken] = after.get((ended, shaken), Fraction(0)) + part
            now = self.test(turn, after)
            for (states, _), chance in now.items():
                self.count(turn, states, chance)

    @staticmethod
    def stood(state: Any) -> Any:
        return state if state == OUT else (False, *state[1:])

    def smaller(self, states: Any) -> list[tuple[int, Fraction]]:
        left = [len(side) - count_out(side) for side in states]
        if left[0] == left[1]:
            return [(0, HALF), (1, HALF)]
        return [(int(left[1] < left[0]), ONE)]

    def turn_of(self, turn: int, side: int, shaken: Any, states: Any, chance: Fraction) -> Ways:
        """Activate model after model; gives the states at the end of the turn, without games that are over."""
        now: Ways = {(states, side, ((), ())): chance}
        ended: Ways = {}
        while now:
            after: Ways = {}
            for (states, side, done), chance in now.items():
                waiting = [[i for i, s in enumerate(states[x]) if s != OUT and i not in done[x]] for x in (0, 1)]
                if not waiting[0] and not waiting[1]:
                    ended[states] = ended.get(states, Fraction(0)) + chance
                    continue
                acts = side if waiting[side] else 1 - side
                model = waiting[acts][0]
                has = list(done)
                has[acts] = (*done[acts], model)
                for then, part in self.activate(acts, model, shaken[acts], states):
                    if count_out(then[1 - acts]) == len(then[1 - acts]):
                        self.note(turn, 1 - acts, "destroyed", chance * part)
                        self.note(turn, acts, "won", chance * part)
                        self.finish(turn, then, chance * part)
                        continue
                    key = (then, 1 - acts, tuple(has))
                    after[key] = after.get(key, Fraction(0)) + chance * part
            now = after
        return ended

    def activate(self, side: int, model: int, shaken: bool, states: Any) -> Iterator[tuple[Any, Fraction]]:
        mine, enemies = list(states[side]), states[1 - side]
        if self.stands_at == "activation":
            mine[model] = self.stood(mine[model])
        down, blood, blessing, tough = mine[model]
        attacker = {**self.bands[side][model], "down": down, "blood": blood, "blessing": blessing}
        spend = {**self.spend[side], **attacker.get("spend", {})}
        rolls = any("AUTO-HIT" not in attack.get("keywords", []) for attack in attacker["attacks"])
        if rolls and spend.get("blood_on_action") == "all":
            blood = 0
        if rolls and spend.get("blessing_on_action") == "all":
            blessing = 0
        mine[model] = (down, blood, blessing, tough)
        left = [i for i, state in enumerate(enemies) if state != OUT]
        target = left[model % len(left) if self.targeting[side] == "spread" else 0]
        if self.targeting[side] == "greedy":
            chances = [self.hit(side, attacker, i, enemies, shaken).get(OUT, Fraction(0)) for i in left]
            target = left[chances.index(max(chances))]
        for state, chance in self.hit(side, attacker, target, enemies, shaken).items():
            then = (*enemies[:target], state, *enemies[target + 1 :])
            yield ((tuple(mine), then) if side == 0 else (then, tuple(mine))), chance

    def hit(self, side: int, attacker: Any, target: int, enemies: Any, shaken: bool) -> Ways:
        return self.attacks.of(attacker, self.bands[1 - side][target], enemies[target], self.spend[side], shaken)

    def test(self, turn: int, ended: Ways) -> Ways:
        going: Ways = {}
        for (states, shaken), chance in ended.items():
            for first, share in self.smaller(self.start if self.by_beginning else states):
                for one, part in self.morale(turn, first, states, shaken, chance * share):
                    for other, rest in self.morale(turn, 1 - first, states, shaken, part):
                        key = (states, (one, other) if first == 0 else (other, one))
                        going[key] = going.get(key, Fraction(0)) + rest
        return going

    def morale(self, turn: int, side: int, states: Any, shaken: Any, chance: Fraction) -> list[tuple[bool, Fraction]]:
        """One side's test: whether it is Shaken afterwards, in games that go on."""
        hurt = count_out(states[side]) + count_down(states[side])
        if 2 * hurt < len(states[side]) and not (shaken[side] and self.released):
            return [(False, chance)]
        net = 0
        for model, state in zip(self.bands[side], states[side], strict=True):
            if model.get("leader") and state != OUT and not (self.released and state[0]):
                net = 1
        failed = chance * fails(net)
        self.note(turn, side, "tested", chance)
        self.note(turn, side, "failed", failed)
        if self.failure == "shaken" and not shaken[side]:
            self.note(turn, side, "shaken", failed)
            return [(False, chance - failed), (True, failed)]
        self.note(turn, side, "fled", failed)
        self.note(turn, 1 - side, "won", failed)
        self.finish(turn, states, failed)
        return [(False, chance - failed)]
