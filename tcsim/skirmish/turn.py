"""A turn, or a whole game, of two warbands answered: exact where it can be, rolled elsewhere and where it is asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import msgspec

from tcsim.base.errors import InputError, show, unknown
from tcsim.scenario.model import fields
from tcsim.scenario.read import read_value
from tcsim.skirmish.arena import SIDES, Arena, ready
from tcsim.skirmish.course import COUNTED, Course
from tcsim.skirmish.exact_game import MAX_JOINT, joint_size, solve_game
from tcsim.skirmish.firefight import METHODS
from tcsim.skirmish.model import GAME_TARGETINGS, Rules
from tcsim.skirmish.outcome import MOST_TOLD, USUAL_TRIALS, Dice, told_size
from tcsim.skirmish.read import read_game
from tcsim.stats import interval, rolled


@dataclass(frozen=True, repr=False)
class TurnResult:
    """The answer to a game of one turn or more.

    Parameters
    ----------
    arena : Arena
        What was asked.
    course : Course
        How it goes.
    joint : int
        How many joint conditions all models have.
    dice : Dice, optional
        How it was rolled, if it was.
    notes : tuple of str
        What a reader should know.

    Examples
    --------
    >>> import tcsim
    >>> side = {"models": [{"count": 3, "attacks": [{}]}]}
    >>> result = tcsim.turn({"warband": [side, side]}, turns=2)
    >>> [round(p, 4) for p in result.wins]
    [0.1994, 0.1994]
    """

    arena: Arena
    course: Course
    joint: int
    dice: Dice | None = None
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        one, other = self.wins
        return f"<TurnResult: {one:.6g} to {other:.6g} after {self.arena.turns} turns ({self.course.method})>"

    @property
    def names(self) -> tuple[str, str]:
        """What the warbands are called."""
        one, other = self.arena.game.warbands
        return one.name, other.name

    @property
    def wins(self) -> tuple[float, float]:
        """Probability that each side has won by the end: the other fled, or was destroyed."""
        one, other = self.course.wins[-1]
        return float(one), float(other)

    def out(self, side: int, turn: int) -> list[float]:
        """Give the probability of each number out of action.

        Parameters
        ----------
        side : int
            0 or 1.
        turn : int
            After which turn, from 1.

        Returns
        -------
        list of float
            From 0 on.
        """
        return [float(p) for p in self.course.gone[turn - 1, side, : len(self.arena.tables[side]) + 1]]

    def expected_out(self, side: int, turn: int) -> float:
        """Give the mean number out of action.

        Parameters
        ----------
        side, turn
            As for :meth:`out`.

        Returns
        -------
        float
            The mean.
        """
        return float(sum(n * p for n, p in enumerate(self.out(side, turn))))

    def to_dict(self) -> dict[str, Any]:
        """Give the answer as plain data, as the command line prints it with ``--json``.

        Returns
        -------
        dict
            For each turn: who has won by its end, and for each warband how many are out of action and what happened.
        """
        game, course = self.arena.game, self.course
        answer: dict[str, Any] = {"id": game.id, "edition": game.edition, "method": course.method}
        for side, name in zip(SIDES, ("a", "b"), strict=True):
            answer[f"{name}_wins"] = self.wins[side]
        answer |= {
            "neither": max(0.0, 1 - float(course.over[-1])),
            "warbands": [self._warband(side) for side in SIDES],
            "turns": [self._turn(turn) for turn in range(self.arena.turns)],
            "joint_conditions": self.joint if self.joint <= MOST_TOLD else None,
        }
        if course.trials is not None and self.dice is not None:
            from tcsim.kernels.stream import STREAM_VERSION

            answer |= rolled(course.trials, self.dice.seed, STREAM_VERSION, course.partial)
        options = self.arena.pairs[0].resolved.options
        told = {"options": options, "notes": list(self.notes), "assumed": list(self.arena.assumed)}
        return answer | {name: value for name, value in told.items() if value}

    def _warband(self, side: int) -> dict[str, Any]:
        band, test = self.arena.game.warbands[side], self.arena.test(side)
        models = [fighter.target for fighter in band.fighters]
        return {
            "name": band.name,
            "models": [{"name": one.name, "count": one.count} for one in models],
            "targeting": band.targeting,
            "morale_needed": test.needed,
            "has_leader": self.arena.leads[side] is not None,
        }

    def _turn(self, turn: int) -> dict[str, Any]:
        wins = self.course.wins[turn]
        row: dict[str, Any] = {"turn": turn + 1, "over": float(self.course.over[turn])}
        for side, name in zip(SIDES, ("a", "b"), strict=True):
            row[f"{name}_wins"] = float(wins[side])
            if self.course.trials is not None:
                count = round(float(wins[side]) * self.course.trials)
                row[f"{name}_interval"] = list(interval(count, self.course.trials)[1:])
        for side, name in zip(SIDES, ("a", "b"), strict=True):
            events = dict(zip(COUNTED[:-1], map(float, self.course.events[turn, side]), strict=False))
            row[name] = {"out_of_action": self.out(side, turn + 1), "expected_out": self.expected_out(side, turn + 1)}
            row[name] |= events
        return row


def turn(
    game: Any,
    turns: int | None = None,
    targeting: str | None = None,
    method: str = "exact",
    trials: int = USUAL_TRIALS,
    seed: int = 1,
    threads: int | None = None,
    catalog: Any = None,
) -> TurnResult:
    """Answer a whole turn, or several, of two warbands: activations in turn, morale, and who is left.

    Parameters
    ----------
    game : mapping or Game
        The question; its tables are described in docs/turns.md.
    turns : int, optional
        How many turns, 1 to 100; default: as the game says, else 6.
    targeting : str, optional
        How both warbands choose targets: ``focus``, ``spread`` or ``greedy``; default: as each says, else focus.
    method : str, optional
        ``exact`` (rolled where there are too many joint conditions), or ``monte-carlo``.
    trials, seed, threads : int, optional
        Of what is rolled.
    catalog : Catalog, path, or iterable of paths, optional
        Where names are looked up.

    Returns
    -------
    TurnResult
        What happens, turn by turn.

    Raises
    ------
    InputError
        With one sentence: what was given, what is allowed.

    References
    ----------
    1.6.3: source text, Down, Morale, LEADER; data, Initiative. 1.0.2: rulebook, Activation Phase, Morale Phase.

    Examples
    --------
    >>> import tcsim
    >>> side = {"models": [{"count": 2, "attacks": [{}]}]}
    >>> [round(p, 4) for p in tcsim.turn({"warband": [side, side]}, turns=1).wins]
    [0.2155, 0.2155]
    """
    return answer(ready_game(game, turns, targeting, catalog), method, Dice(trials, seed, threads))


def ready_game(game: Any, turns: int | None, targeting: str | None, catalog: Any = None) -> Arena:
    """Read a game, and settle how long it is and how targets are chosen.

    Parameters
    ----------
    game, turns, targeting, catalog
        As for :func:`turn`.

    Returns
    -------
    Arena
        In numbers.

    Raises
    ------
    InputError
        For whatever is wrong with it.
    """
    read = read_game(game)
    if turns is not None:
        whole = read_value(fields(Rules)["turns"], turns, "turns")
        read = replace(read, rules=msgspec.structs.replace(read.rules, turns=whole))
    if targeting is not None:
        if not isinstance(targeting, str):
            raise InputError(f"{show(targeting)} is given, {', '.join(GAME_TARGETINGS)} is allowed", "targeting")
        if targeting not in GAME_TARGETINGS:
            raise unknown("targeting", targeting, GAME_TARGETINGS, "targeting")
        one, other = (replace(band, targeting=targeting) for band in read.warbands)
        read = replace(read, warbands=(one, other))
    return ready(read, catalog)


def answer(arena: Arena, method: str, dice: Dice) -> TurnResult:
    """Answer a game that is ready.

    Parameters
    ----------
    arena : Arena
        The game.
    method : str
        As for :func:`turn`.
    dice : Dice
        How it is rolled, where it is.

    Returns
    -------
    TurnResult
        The answer.

    Raises
    ------
    InputError
        For a method that there is not, and whatever cannot be rolled.
    """
    if method not in METHODS:
        raise unknown("method", str(method), METHODS, "method")
    joint, notes = joint_size(arena), list(arena.notes)
    if method == "exact" and joint <= MAX_JOINT:
        return TurnResult(arena, solve_game(arena), joint, None, tuple(notes))
    if method == "exact":
        notes.append(
            f"There are {told_size(joint)} joint conditions, at most {MAX_JOINT:,} are worked out; so it is rolled."
        )
    from tcsim.skirmish.rolled_game import roll_game

    course = roll_game(arena, dice)
    return TurnResult(arena, course, joint, dice, tuple(notes))
