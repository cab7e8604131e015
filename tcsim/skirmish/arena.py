"""A game of two warbands made ready: what each model does to each enemy, in whatever condition it is itself."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import product
from typing import Any, NamedTuple

import msgspec

from tcsim.engines.exact import solve
from tcsim.rules import edition
from tcsim.scenario import problem as p
from tcsim.scenario.problem import Problem, State, Step
from tcsim.skirmish import model as m
from tcsim.skirmish.morale import MoraleTest, morale_test
from tcsim.skirmish.pairs import Pair, pair
from tcsim.skirmish.space import Floats, Ints, Space, explore

#: Sides of a game, and how many there are.
SIDES = (0, 1)


class As(NamedTuple):
    """What an attacker is like when it attacks: Shaken, Down, its blood markers, whether it holds its blessings."""

    shaken: int
    down: int
    blood: int
    blessed: int


@dataclass(frozen=True)
class Body:
    """The models of one table of a warband.

    Parameters
    ----------
    space : Space
        Their conditions.
    place : dict
        Where in the space's moves those of a program stand that attacks them.
    program : dict
        The number of the program, by table of the enemies and what the attacker is like.
    wakes, spends, stands : array of int, shape (conditions,)
        The condition after its activation has begun, after it has attacked, and after it has stood up.
    spends_blood, spends_blessing : bool
        Whether its markers are spent on its action rolls.
    regenerates : int
        Blood markers that it sheds when it is activated.
    """

    space: Space
    place: dict[int, int]
    program: dict[tuple[int, As], int]
    wakes: Ints
    spends: Ints
    stands: Ints
    spends_blood: bool
    spends_blessing: bool
    regenerates: int

    def moves(self, program: int) -> Floats:
        """Give the chances with which a program moves these models from one condition to another.

        Parameters
        ----------
        program : int
            Its number.

        Returns
        -------
        array, shape (conditions, conditions)
            The chances.
        """
        moves: Floats = self.space.moves[self.place[program]]
        return moves

    def against(self, table: int, condition: int, shaken: int) -> int:
        """Give the program of such a model that attacks.

        Parameters
        ----------
        table : int
            Of the enemies.
        condition : int
            Its own, after its activation has begun.
        shaken : int
            1 for a Shaken warband.

        Returns
        -------
        int
            The program's number.
        """
        state = self.space.first(condition)
        return self.program[table, As(shaken, state.down, state.blood, int(state.blessing > 0))]


@dataclass(frozen=True)
class Arena:
    """A game in numbers.

    Parameters
    ----------
    game : Game
        As read.
    bodies : tuple of tuple of Body
        By side and table.
    problems : tuple of Problem
        The programs.
    pairs : tuple of Pair
        The scenarios behind them, as they are at the start.
    leads : tuple of (int or None)
        Of each side, which model is the LEADER.
    """

    game: m.Game
    bodies: tuple[tuple[Body, ...], tuple[Body, ...]]
    problems: tuple[Problem, ...]
    pairs: tuple[Pair, ...]
    leads: tuple[int | None, int | None]

    @cached_property
    def tables(self) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """The table of each model, by side, in the order in which they are activated."""
        one, other = (
            tuple(i for i, fighter in enumerate(band.fighters) for _ in range(fighter.target.count))
            for band in self.game.warbands
        )
        return one, other

    @property
    def turns(self) -> int:
        """Turns played at most."""
        return self.game.rules.turns

    @property
    def stands_at_turn(self) -> bool:
        """Whether Down models stand as the next turn begins, and not as they are activated."""
        return _stands_at_turn(self.game)

    @property
    def flight(self) -> bool:
        """Whether a failed morale test ends the game, and is not Shaken first."""
        return _is_flight(self.game)

    @property
    def tests_again(self) -> bool:
        """Whether a Shaken warband tests again in any case."""
        return bool(edition(self.game.edition).turn["shaken_tests_again"])

    def test(self, side: int) -> MoraleTest:
        """Give the morale test of a warband.

        Parameters
        ----------
        side : int
            0 or 1.

        Returns
        -------
        MoraleTest
            The test.
        """
        band = self.game.warbands[side]
        leads = self.leads[side] is not None
        return morale_test(self.game.edition, len(self.tables[side]), leads, band.dice)

    @property
    def notes(self) -> tuple[str, ...]:
        """What is not counted, a sentence each."""
        return tuple(dict.fromkeys(note for one in self.pairs for note in one.resolved.notes))

    @property
    def assumed(self) -> tuple[str, ...]:
        """What special rules ask for and was not said."""
        return tuple(dict.fromkeys(text for one in self.pairs for text in one.resolved.assumed))


def ready(game: m.Game, catalog: Any = None) -> Arena:
    """Settle every pair of a game.

    Parameters
    ----------
    game : Game
        As read.
    catalog : Catalog, path, or iterable of paths, optional
        Where names are looked up.

    Returns
    -------
    Arena
        In numbers.

    Raises
    ------
    InputError
        For whatever is wrong with a pair, told by its place in the input.
    """
    setting = (game.edition, game.options, catalog)
    programs: dict[Problem, int] = {}
    drafts = [
        [
            [_draft(game, setting, (side, i, j), programs) for j in range(len(game.warbands[1 - side].fighters))]
            for i in range(len(game.warbands[side].fighters))
        ]
        for side in SIDES
    ]
    problems = tuple(programs)
    arena = Arena(
        game,
        ((), ()),
        problems,
        tuple(draft.pair for side in drafts for row in side for draft in row),
        (_leader(game, 0, drafts[1]), _leader(game, 1, drafts[0])),
    )
    bodies = tuple(
        tuple(_body(arena, drafts, side, i) for i in range(len(game.warbands[side].fighters))) for side in SIDES
    )
    return replace(arena, bodies=(bodies[0], bodies[1]))


@dataclass(frozen=True)
class _Draft:
    """One attacker against one target: the scenario at the start, and the program for whatever the attacker is like."""

    pair: Pair
    program: dict[As, int]


def _stands_at_turn(game: m.Game) -> bool:
    return (game.rules.stand or edition(game.edition).turn["stands"]) == "turn"


def _is_flight(game: m.Game) -> bool:
    return (game.rules.failure or edition(game.edition).turn["failure"]) == "flight"


def _draft(
    game: m.Game, setting: tuple[str, Any, Any], who: tuple[int, int, int], programs: dict[Problem, int]
) -> _Draft:
    side, i, j = who
    fighter, enemy = game.warbands[side].fighters[i], game.warbands[1 - side].fighters[j]
    places = (f"warband[{side}].models[{i}]", f"warband[{1 - side}].models[{j}]")
    attacker = fighter.attacker
    limit = edition(game.edition).charts.marker_limit

    def settle(down: int, blood: int, blessing: int) -> Pair:
        now = msgspec.structs.replace(attacker.who, down=bool(down), blood=blood, blessing=blessing)
        return pair(attacker, enemy.target, setting, places, now)

    start = settle(int(attacker.who.down), attacker.who.blood, attacker.who.blessing)
    plain = settle(0, 0, 0)
    bleeds = settle(0, limit, 0).problem != plain.problem
    found: dict[As, int] = {}
    for like in (As(*one) for one in product((0, 1), (0, 1), range(limit + 1), range(1 + (attacker.who.blessing > 0)))):
        told = like._replace(
            shaken=0 if _is_flight(game) else like.shaken,  # nobody is Shaken before the game ends
            down=like.down if _stands_at_turn(game) else 0,  # whoever is activated has stood up
            blood=like.blood if bleeds else 0,
        )
        if told not in found:
            problem = settle(told.down, told.blood, attacker.who.blessing * told.blessed).problem
            problem = _risky(problem) if told.shaken else problem
            found[told] = programs.setdefault(problem, len(programs))
        found[like] = found[told]
    return _Draft(start, found)


def _risky(problem: Problem) -> Problem:
    """The same by a Shaken warband: every attack is RISKY."""
    steps = tuple(step._replace(risky=1) if step.kind == p.ATTACK else step for step in problem.steps)
    return replace(problem, steps=steps)


def _leader(game: m.Game, side: int, attacks_on: list[list[_Draft]]) -> int | None:
    """Which model of a side is the LEADER: the one that says so, or the only one whose keywords do."""
    band = game.warbands[side]
    told, known, first = [], [], 0
    for i, fighter in enumerate(band.fighters):
        if fighter.leader:
            told.append(first)
        words = attacks_on[0][i].pair.resolved.target.words
        if "LEADER" in words and fighter.leader is None and fighter.target.count == 1:
            known.append(first)
        first += fighter.target.count
    found = told or known
    return found[0] if len(found) == 1 else None


def _body(arena: Arena, drafts: list[list[list[_Draft]]], side: int, i: int) -> Body:
    mine = drafts[side][i]
    enemies = [row[i] for row in drafts[1 - side]]
    target = enemies[0].pair.resolved
    spends_blood = any(draft.pair.blood for draft in mine)
    spends_blessing = any(draft.pair.blessing for draft in mine)
    clock = replace(target.problem, nature=target.target.nature, steps=(Step(kind=p.ACTIVATED),))

    def stands(state: State) -> State:
        return state._replace(down=0)

    @cache
    def wakes(state: State) -> State:
        state = state if arena.stands_at_turn else stands(state)
        [(after, _)] = solve([replace(clock, start=state)])[0]
        assert after is not None  # nothing attacks it
        return after

    def spends(state: State) -> State:
        return state._replace(
            blood=0 if spends_blood else state.blood, blessing=0 if spends_blessing else state.blessing
        )

    def attacks(state: State) -> tuple[int, ...]:
        state = wakes(state)
        return tuple(
            draft.program[As(shaken, state.down, state.blood, int(state.blessing > 0))]
            for draft in mine
            for shaken in (0, 1)
        )

    hits = sorted({number for draft in enemies for number in draft.program.values()})
    start, problems = target.problem.start, [arena.problems[number] for number in hits]
    space = explore(start, problems, [stands, wakes, spends], attacks)
    return Body(
        space,
        {number: place for place, number in enumerate(hits)},
        {(j, like): number for j, draft in enumerate(mine) for like, number in draft.program.items()},
        space.mapped(wakes),
        space.mapped(spends),
        space.mapped(stands),
        spends_blood,
        spends_blessing,
        target.target.nature.regenerates,
    )
