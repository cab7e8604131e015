"""A game of two warbands rolled: every die of every trial, initiative and morale too."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec.structs import astuple
from numpy.typing import NDArray

from tcsim.base.errors import InputError
from tcsim.engines.monte_carlo import check
from tcsim.engines.play import count_in_threads, stream_key
from tcsim.kernels import skirmish as k
from tcsim.kernels.stream import STREAM_VERSION
from tcsim.rules import edition
from tcsim.skirmish.arena import SIDES, Arena
from tcsim.skirmish.course import Course
from tcsim.skirmish.outcome import Dice
from tcsim.skirmish.rolled import (
    MAX_MOVES,
    begin_of,
    conditions_of,
    kernel_arguments,
    morale_row,
    parts,
    size_of,
    table_of,
)

_MODES = {"focus": k.FOCUS, "spread": k.SPREAD, "greedy": k.GREEDY}
_FIRST = {"initiative": -1, "a": 0, "b": 1}


def roll_game(arena: Arena, dice: Dice) -> Course:
    """Roll a game.

    Parameters
    ----------
    arena : Arena
        The game.
    dice : Dice
        How often, with which seed.

    Returns
    -------
    Course
        What was counted, as shares of the trials.

    Raises
    ------
    InputError
        For numbers of trials that cannot be, and for more than the kernels hold.
    KeyboardInterrupt
        After Ctrl-C, before a trial was counted.
    """
    check(dice.trials, dice.seed, dice.threads, "own")
    bodies = [body for side in SIDES for body in arena.bodies[side]]
    spaces = [body.space for body in bodies]
    table = table_of(spaces, arena.problems)
    conditions = conditions_of(spaces, table)
    first = len(arena.bodies[0])
    tables_of = np.array([*arena.tables[0], *(first + one for one in arena.tables[1])])
    moves = arena.turns * (tables_of.size * table.most_moves + 4)
    if moves > MAX_MOVES:
        raise InputError(f"these are up to {moves:,} volleys, at most {MAX_MOVES:,} are rolled", "turns")
    gains = np.zeros((len(arena.problems), len(bodies), int(conditions.max()) + 1))
    for number, body in enumerate(bodies):
        for program, place in body.place.items():
            gains[program, number, : body.space.size] = body.space.moves[place, :, -1]
    rules, sizes = arena.game.rules, [len(tables) for tables in arena.tables]
    game = [
        *(arena.turns, arena.stands_at_turn, arena.flight, arena.tests_again),
        *(_FIRST[rules.first], rules.smaller == "began", table.most_moves),
    ]
    tests = [morale_row(arena.test(side), _among(arena.leads[side], side * sizes[0])) for side in SIDES]
    arguments = (
        *(begin_of([spaces[one] for one in tables_of]), np.array(game, dtype=np.int64), sizes[0]),
        *(np.array([_MODES[band.targeting] for band in arena.game.warbands]), tables_of, _pairs(arena, first)),
        np.array([(body.spends_blood, body.spends_blessing) for body in bodies], dtype=np.int64),
        np.array([body.regenerates for body in bodies], dtype=np.int64),
        edition(arena.game.edition).charts.marker_limit,
        *kernel_arguments(table),
        *(gains, conditions, np.array(tests)),
    )
    shapes: tuple[tuple[int, ...], ...] = ((arena.turns, 2, k.COUNTED), (arena.turns, 2, max(sizes) + 1))
    key = stream_key(f"{STREAM_VERSION}:{dice.seed}:{_identity(arena)}")

    def run(start: int, stop: int, room: Any, counts: NDArray[np.int64]) -> None:
        k.count_game(key, start, stop, *arguments, *parts(counts, shapes))

    counts, stopped = count_in_threads(run, size_of(shapes), moves, (0, dice.trials), dice.threads, dice.progress)
    events, gone = parts(counts, shapes)
    trials = int(gone[0, 0].sum())
    if not trials:
        raise KeyboardInterrupt
    return Course("monte_carlo", events / trials, gone / trials, trials, stopped)


def _among(lead: int | None, first: int) -> int | None:
    return None if lead is None else first + lead


def _pairs(arena: Arena, first: int) -> NDArray[np.int64]:
    """The program of each attacker against each target, by Shaken, Down, blood and held blessings."""
    tables = first + len(arena.bodies[1])
    limit = edition(arena.game.edition).charts.marker_limit
    pairs = np.zeros((tables, tables, 2, 2, limit + 1, 2), dtype=np.int64)
    for side in SIDES:
        for i, body in enumerate(arena.bodies[side]):
            for (j, like), program in body.program.items():
                pairs[(i + side * first, j + (1 - side) * first, *like)] = program
    return pairs


def _identity(arena: Arena) -> str:
    """Give what tells a game from others, names aside."""
    rules = (arena.turns, arena.stands_at_turn, arena.flight, arena.tests_again, *astuple(arena.game.rules)[1:])
    problems = [problem.fingerprint for problem in arena.problems]
    starts = [tuple(body.space.states[0]) for side in SIDES for body in arena.bodies[side]]
    programs = [sorted(body.program.items()) for side in SIDES for body in arena.bodies[side]]
    modes = [band.targeting for band in arena.game.warbands]
    tests = [arena.test(side) for side in SIDES]
    return repr((rules, problems, starts, programs, arena.tables, modes, tests, arena.leads))
