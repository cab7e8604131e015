"""A game of two warbands worked out: a chain over the joint conditions of all models, activation by activation.

A chain in itself are the conditions (an array with the models of the first warband along its rows and those of the
second along its columns); beside it stands who has been activated, whose turn it is, and which side is Shaken.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tcsim.skirmish.arena import SIDES, Arena, Body
from tcsim.skirmish.course import COUNTED, DESTROYED, FLED, LOST_NERVE, SHAKEN, TESTED, WON, Course
from tcsim.skirmish.joint import TIE
from tcsim.skirmish.morale import DOWN, OUT, STANDING
from tcsim.skirmish.space import Floats, Ints

#: Most joint conditions of all models that are worked out exactly.
MAX_JOINT = 600_000


class Clock(NamedTuple):
    """How far a turn has come: the next model of each side, whose turn it is, and who is Shaken."""

    after: tuple[int, int]
    side: int
    shaken: tuple[int, int]


def joint_size(arena: Arena) -> int:
    """Count the joint conditions of all models of a game.

    Parameters
    ----------
    arena : Arena
        The game.

    Returns
    -------
    int
        How many there are.
    """
    size = 1
    for side in SIDES:
        for table in arena.tables[side]:
            size *= arena.bodies[side][table].space.size
    return size


def solve_game(arena: Arena) -> Course:
    """Work a game out.

    Parameters
    ----------
    arena : Arena
        The game; its joint conditions are at most ``MAX_JOINT``.

    Returns
    -------
    Course
        Exact.
    """
    return _Exact(arena).course()


class _Band:
    """The models of a side: their conditions along one axis, the last model's running fastest."""

    def __init__(self, arena: Arena, side: int) -> None:
        self.tables = arena.tables[side]
        self.bodies: list[Body] = [arena.bodies[side][table] for table in self.tables]
        self.shape = tuple(body.space.size for body in self.bodies)
        self.size = int(np.prod(self.shape))
        self.conditions = np.indices(self.shape).reshape(len(self.shape), -1)
        self.out = np.array([row == body.space.out for row, body in zip(self.conditions, self.bodies, strict=True)])
        self.down = np.array([body.space.down[row] for row, body in zip(self.conditions, self.bodies, strict=True)])
        self.gone = self.out.sum(axis=0)
        self.left = len(self.bodies) - self.gone
        self.start = int(np.ravel_multi_index([body.space.start for body in self.bodies], self.shape))
        stood = [body.stands[row] for row, body in zip(self.conditions, self.bodies, strict=True)]
        self.stands = np.ravel_multi_index(stood, self.shape)
        test, lead = arena.test(side), arena.leads[side]
        self.needs = (self.out | self.down).sum(axis=0) >= test.needed
        leads = np.full(self.size, STANDING)
        if lead is not None:
            leads = np.where(self.out[lead], OUT, np.where(self.down[lead], DOWN, STANDING))
        self.failing = np.array(test.failing)[leads]
        self.targeting = arena.game.warbands[side].targeting

    def apart(self, axis: int) -> tuple[int, int, int]:
        """The sizes before a model's axis, of it, and behind it."""
        before = int(np.prod(self.shape[:axis]))
        return before, self.shape[axis], self.size // (before * self.shape[axis])


class _Exact:
    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.bands = (_Band(arena, 0), _Band(arena, 1))
        self.events = np.zeros((arena.turns, 2, len(COUNTED)))
        self.most = max(len(band.bodies) for band in self.bands)
        self.gone = np.zeros((arena.turns, 2, self.most + 1))
        self.over = np.zeros((2, self.most + 1))  # out of action on each side in games that are over
        self._choices: dict[Any, Ints] = {}

    def course(self) -> Course:
        chances = np.zeros((self.bands[0].size, self.bands[1].size))
        chances[self.bands[0].start, self.bands[1].start] = 1
        going = {(0, 0): chances}
        for turn in range(self.arena.turns):
            played = self._play(turn, self._begin(going))
            going = self._end(turn, played)
            for side in SIDES:
                alive = sum((self._along(chances, side) for chances in going.values()), np.zeros(self.bands[side].size))
                now = np.bincount(self.bands[side].gone, alive, self.most + 1)
                self.gone[turn, side] = self.over[side] + now
        return Course("exact", np.minimum(self.events, 1.0), np.minimum(self.gone, 1.0))

    @staticmethod
    def _along(chances: Floats, side: int) -> Floats:
        total: Floats = chances.sum(axis=1 - side)
        return total

    def _begin(self, going: dict[tuple[int, int], Floats]) -> dict[Clock, Floats]:
        """Let a turn begin: Down models stand, in some editions, and somebody is first."""
        begun: dict[Clock, Floats] = {}
        for shaken, chances in going.items():
            if self.arena.stands_at_turn:
                for side, band in enumerate(self.bands):
                    stood = np.zeros_like(chances)
                    if side == 0:
                        np.add.at(stood, band.stands, chances)
                    else:
                        np.add.at(stood.T, band.stands, chances.T)
                    chances = stood
            first = self._is_smaller()
            rule = self.arena.game.rules.first
            if rule != "initiative":
                first = np.full_like(first, float(rule == "a"))
            begun[Clock((0, 0), 0, shaken)] = chances * first
            begun[Clock((0, 0), 1, shaken)] = chances * (1 - first)
        return begun

    def _is_smaller(self, rule: str = "left") -> Floats:
        """The chance that the first side counts as the smaller one: a roll-off says where both have as many."""
        mine, other = self.bands[0].left[:, None], self.bands[1].left[None, :]
        if rule == "began":
            mine, other = np.full_like(mine, len(self.bands[0].bodies)), np.full_like(other, len(self.bands[1].bodies))
        smaller: Floats = (mine < other) + 0.5 * (mine == other)
        return smaller

    def _play(self, turn: int, begun: dict[Clock, Floats]) -> dict[tuple[int, int], Floats]:
        """Let the models of a turn be activated in turn, each once; gives what is still going on, by who is Shaken."""
        waiting: dict[int, dict[Clock, Floats]] = defaultdict(dict)
        ended: dict[tuple[int, int], Floats] = {}
        sizes = tuple(len(band.bodies) for band in self.bands)

        def go_on(clock: Clock, chances: Floats) -> None:
            for _ in SIDES:  # a side that has nobody left leaves it to the other
                if clock.after[clock.side] < sizes[clock.side]:
                    break
                clock = clock._replace(side=1 - clock.side)
            if clock.after == sizes:
                ended[clock.shaken] = ended[clock.shaken] + chances if clock.shaken in ended else chances
                return
            queue = waiting[sum(clock.after)]
            queue[clock] = queue[clock] + chances if clock in queue else chances

        for clock, chances in begun.items():
            if chances.any():
                go_on(clock, chances)
        for count in range(sum(sizes)):
            for clock, chances in waiting.pop(count, {}).items():
                side, model = clock.side, clock.after[clock.side]
                after = (clock.after[0] + (side == 0), clock.after[1] + (side == 1))
                out = self.bands[side].out[model]
                idle = chances * (out[:, None] if side == 0 else out[None, :])
                if idle.any():  # whoever is out of action is passed over
                    go_on(clock._replace(after=after), idle)
                acted = self._activate(turn, side, model, clock.shaken[side], chances - idle)
                if acted.any():
                    go_on(Clock(after, 1 - side, clock.shaken), acted)
        return ended

    def _activate(self, turn: int, side: int, model: int, shaken: int, chances: Floats) -> Floats:
        """Let a model attack; what destroys the other side is taken out, and counted."""
        band, enemies = self.bands[side], self.bands[1 - side]
        body = band.bodies[model]
        mine = chances if side == 0 else chances.T
        before, size, behind = band.apart(model)
        mine = mine.reshape(before, size, behind, enemies.size)
        acted = np.zeros((before, size, behind, enemies.size))
        for condition in range(body.space.out):
            share = mine[:, condition].reshape(before * behind, enemies.size)
            if not share.any():
                continue
            awake = int(body.wakes[condition])
            hit = self._attack(side, model, awake, shaken, share)
            acted[:, body.spends[awake]] += hit.reshape(before, behind, enemies.size)
        after = acted.reshape(band.size, enemies.size)
        destroyed = after[:, -1].copy()  # the last of all conditions: everybody is out of action
        after[:, -1] = 0
        self.events[turn, 1 - side, DESTROYED] += destroyed.sum()
        self.events[turn, side, WON] += destroyed.sum()
        self.over[side] += np.bincount(band.gone, destroyed, self.most + 1)
        self.over[1 - side, len(enemies.bodies)] += destroyed.sum()
        return after if side == 0 else after.T

    def _attack(self, side: int, model: int, awake: int, shaken: int, share: Floats) -> Floats:
        enemies, body = self.bands[1 - side], self.bands[side].bodies[model]
        programs = tuple(body.against(table, awake, shaken) for table in enemies.tables)
        choice = self._choice(side, model, programs)
        after = np.zeros_like(share)
        for target in range(len(enemies.bodies)):
            chosen = np.where(choice == target, share, 0.0)
            if not chosen.any():
                continue
            _, size, behind = enemies.apart(target)
            moves = enemies.bodies[target].moves(programs[target])
            hit = moves.T @ chosen.reshape(-1, size, behind)
            after += hit.reshape(share.shape)
        return after

    def _choice(self, side: int, model: int, programs: tuple[int, ...]) -> Ints:
        """Whom a model attacks, by the joint conditions of the enemies."""
        key = (side, model, programs)
        if key not in self._choices:
            enemies, targeting = self.bands[1 - side], self.bands[side].targeting
            standing = ~enemies.out
            if targeting == "greedy":
                gains = [
                    body.moves(program)[:, -1][row]
                    for body, program, row in zip(enemies.bodies, programs, enemies.conditions, strict=True)
                ]
                self._choices[key] = _greediest(np.array(gains), standing, enemies)
            else:
                skip = model % np.maximum(enemies.left, 1) if targeting == "spread" else np.zeros_like(enemies.left)
                self._choices[key] = np.argmax(np.cumsum(standing, axis=0) == skip + 1, axis=0)
        return self._choices[key]

    def _end(self, turn: int, played: dict[tuple[int, int], Floats]) -> dict[tuple[int, int], Floats]:
        """Let the smaller side test its morale, then the other; gives what goes on, by who is Shaken."""
        going: dict[tuple[int, int], Floats] = {}
        first = self._is_smaller(self.arena.game.rules.smaller)
        for shaken, chances in played.items():
            for side, share in ((0, chances * first), (1, chances * (1 - first))):
                for then, part in self._test(turn, side, shaken, share):
                    for last, rest in self._test(turn, 1 - side, shaken, part):
                        now = (then, last) if side == 0 else (last, then)
                        going[now] = going[now] + rest if now in going else rest
        return {shaken: chances for shaken, chances in going.items() if chances.any()}

    def _test(self, turn: int, side: int, shaken: tuple[int, int], chances: Floats) -> list[tuple[int, Floats]]:
        """One side's morale test: what goes on, with it Shaken or not."""
        band, again = self.bands[side], shaken[side]
        needs = band.needs | bool(again and self.arena.tests_again)

        def share(of: NDArray[Any]) -> Floats:
            part: Floats = chances * (of[:, None] if side == 0 else of[None, :])
            return part

        failed = share(needs * band.failing)
        counts = self.events[turn, side]
        counts[TESTED] += share(needs).sum()
        counts[LOST_NERVE] += failed.sum()
        held = share(1 - needs * band.failing)
        if not self.arena.flight and not again:
            counts[SHAKEN] += failed.sum()
            return [(0, held), (1, failed)]
        counts[FLED] += failed.sum()
        self.events[turn, 1 - side, WON] += failed.sum()
        for one in SIDES:
            self.over[one] += np.bincount(self.bands[one].gone, self._along(failed, one), self.most + 1)
        return [(0, held)]


def _greediest(gains: Floats, standing: NDArray[np.bool_], enemies: _Band) -> Ints:
    """Pick the target with the largest gain; of those as good the first table, then condition, then model."""
    best = np.full(enemies.size, -1.0)
    target = np.full(enemies.size, 0)
    tables = np.array(enemies.tables)
    for one in range(len(enemies.bodies)):
        more = gains[one] > best + TIE
        alike = (tables[target] == tables[one]) & (
            enemies.conditions[one] < enemies.conditions[target, np.arange(enemies.size)]
        )
        tied = (gains[one] >= best - TIE) & alike & (best >= 0)
        better = standing[one] & (more | tied)
        target = np.where(better, one, target)
        best = np.where(better, np.maximum(best, gains[one]), best)
    return target
