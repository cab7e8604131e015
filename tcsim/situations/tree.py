"""A situation as a tree of chance: dice that decide how it goes on, and attacks on models between them.

A situation is at a stage, with every model in a state. At each stage either dice decide which stage comes next
(:class:`Roll`), or one model is attacked (:class:`Strike`), or it is over. An attack is a Problem as any other, so the
ordinary engines answer it, from the state in which the model is by then. What stays together is told together: how many
models are out of action is counted over the whole situation, not model by model.

:func:`exact` carries probabilities through the tree, as Fractions; :func:`rolled` carries trials, and rolls the dice of
every one of them. They share the walk, and no dice.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from tcsim.base.errors import InputError
from tcsim.dice import Pool
from tcsim.engines.exact import solve
from tcsim.scenario.problem import ACTION_KEEP, Problem, State

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tcsim.questions.rolling import Dice

#: Most stages times states that are looked at side by side.
MAX_POSITIONS = 20_000

#: In place of the state of a model that nothing more happens to; it has been counted.
SETTLED = State(down=-1)


class Model(NamedTuple):
    """One who may be attacked: its name, its side, and how it is in the beginning (None: out of action)."""

    name: str
    side: str
    start: State | None


class Roll(NamedTuple):
    """Dice that decide how a situation goes on.

    Parameters
    ----------
    ways : tuple
        The stages it may lead to.
    chances : tuple of Fraction
        How probable each is; they sum to 1.
    throw : callable
        ``throw(dice, n)`` rolls the dice ``n`` times: an array of ``n`` indices into ``ways``.
    """

    ways: tuple[Hashable, ...]
    chances: tuple[Fraction, ...]
    throw: Callable[[Dice, int], NDArray[np.int64]]


class Strike(NamedTuple):
    """An attack on one model: which, the Problem (its start is the model's state by then), and the stage after it.

    ``last``: nothing more can happen to that model.
    """

    model: int
    problem: Problem
    then: Hashable
    last: bool = False


#: What comes next; None when it is over.
Move = Roll | Strike | None


class Situation(Protocol):
    """What can be asked for its odds."""

    @property
    def models(self) -> tuple[Model, ...]:
        """Who may be attacked."""

    @property
    def begin(self) -> Hashable:
        """The first stage."""

    def move(self, stage: Hashable, states: Sequence[State | None]) -> Move:
        """What comes next at a stage, with the models in these states; a model that is out is attacked no more."""


@dataclass(frozen=True)
class Course:
    """A situation whose next move depends on its stage alone.

    Parameters
    ----------
    models : tuple of Model
        Who may be attacked.
    begin : hashable
        The first stage.
    moves : mapping
        Stage to move; a stage that is not in it is an end. It ends as well where the model to be attacked is out.
    """

    models: tuple[Model, ...]
    begin: Hashable
    moves: Mapping[Hashable, Roll | Strike]

    def move(self, stage: Hashable, states: Sequence[State | None]) -> Move:
        """What comes next."""
        move = self.moves.get(stage)
        return None if isinstance(move, Strike) and states[move.model] is None else move


def pool_roll(net: int, stage_of: Callable[[int], Hashable]) -> Roll:
    """Roll an action roll's dice and go on by their total.

    Parameters
    ----------
    net : int
        Net +/-DICE.
    stage_of : callable
        Total, 2 to 12, to stage.

    Returns
    -------
    Roll
        With a way for each stage that can come.

    Examples
    --------
    >>> pool_roll(0, lambda total: "success" if total >= 7 else "failure").chances
    (Fraction(5, 12), Fraction(7, 12))
    """
    pool = Pool(net, ACTION_KEEP)
    chances: dict[Hashable, Fraction] = defaultdict(Fraction)
    for total, count in pool.counts().items():
        chances[stage_of(total)] += Fraction(count, pool.denominator)
    ways = tuple(chances)

    def throw(dice: Dice, n: int) -> NDArray[np.int64]:
        import numpy as np

        totals = dice.total(pool, n)
        way_of = [ways.index(stage_of(total)) if total >= ACTION_KEEP else -1 for total in range(6 * ACTION_KEEP + 1)]
        found: NDArray[np.int64] = np.array(way_of)[totals]
        return found

    return Roll(ways, tuple(chances.values()), throw)


@dataclass
class Outcome:
    """How a situation ends: probabilities that sum to 1, or counted trials.

    Parameters
    ----------
    models : tuple of Model
        Who could be attacked.
    total : Fraction or int
        1, or how many trials were played.
    finals : list of dict
        For each model: State, or None when out of action, to weight.
    numbers : dict
        Side to how many of it are out of action and how many Down (and not out) to weight, each kept with those of the
        other sides: ``{((1, 0), (0, 1)): weight}``, sides as in ``sides``.
    ends : dict
        The stage at which it was over to weight.
    """

    models: tuple[Model, ...]
    total: Any
    finals: list[dict[State | None, Any]]
    numbers: dict[tuple[tuple[int, int], ...], Any]
    ends: dict[Hashable, Any]

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides, in the order in which they come first."""
        return _sides(self.models)

    def out(self, model: int) -> Any:
        """Weight of a model's being out of action in the end."""
        return self.finals[model].get(None, 0 * self.total)

    def where(self, model: int, holds: Callable[[State], bool]) -> Any:
        """Weight of a model's being in action in the end, in such a state."""
        return sum((w for state, w in self.finals[model].items() if state is not None and holds(state)), 0 * self.total)

    def how_many(self, count: Callable[..., int]) -> dict[int, Any]:
        """Weigh a number that depends on how many are out and Down.

        Parameters
        ----------
        count : callable
            Takes (out, Down) of each side, in the order of ``sides``.

        Returns
        -------
        dict of int to weight
            Ascending.
        """
        weights: dict[int, Any] = defaultdict(lambda: 0 * self.total)
        for tally, weight in self.numbers.items():
            weights[count(*tally)] += weight
        return dict(sorted(weights.items()))


def exact(situation: Situation) -> Outcome:
    """Answer a situation exactly.

    Parameters
    ----------
    situation : Situation
        What happens.

    Returns
    -------
    Outcome
        Weights are Fractions that sum to 1.

    Raises
    ------
    InputError
        When it has too many ways to go.
    """
    answers: dict[Problem, list[tuple[State | None, Fraction]]] = {}

    def strike(asked: list[tuple[Problem, Fraction]]) -> Iterable[list[tuple[State | None, Fraction]]]:
        new = list(dict.fromkeys(problem for problem, _ in asked if problem not in answers))
        answers.update(zip(new, solve(new, fractions=True), strict=True))
        for problem, weight in asked:
            yield [(state, weight * p) for state, p in answers[problem]]

    def roll(one: Roll, weight: Fraction) -> list[Fraction]:
        return [weight * chance for chance in one.chances]

    return _walk(situation, Fraction(1), roll, strike)


def rolled(situation: Situation, dice: Dice, trials: int) -> Outcome:
    """Answer a situation by rolling all its dice.

    Parameters
    ----------
    situation : Situation
        What happens.
    dice : Dice
        The dice of the question; a seed for those of the attacks is drawn from them.
    trials : int
        How many times it is played, at least 1.

    Returns
    -------
    Outcome
        Weights are counts that sum to ``trials``.

    Raises
    ------
    InputError
        When it has too many ways to go.
    """
    import numpy as np

    from tcsim.engines import monte_carlo
    from tcsim.engines.states import decode

    seed = dice.seed()
    played: Counter[str] = Counter()  # of each problem, so that no trial of it is played twice

    def strike(asked: list[tuple[Problem, int]]) -> Iterable[list[tuple[State | None, int]]]:
        for problem, n in asked:
            tally = monte_carlo.count(problem, n, seed, start=played[problem.fingerprint])
            played[problem.fingerprint] += n
            yield [(decode(code), count) for code, count in sorted(tally.counts.items())]

    def roll(one: Roll, n: int) -> list[int]:
        counts = np.bincount(one.throw(dice, n), minlength=len(one.ways))
        return [int(count) for count in counts]

    return _walk(situation, trials, roll, strike)


class _Position(NamedTuple):
    """Where a situation is: its stage, the models, and per side how many of those that are settled are out and Down."""

    stage: Hashable
    states: tuple[State | None, ...]
    tally: tuple[tuple[int, int], ...]


def _sides(models: Sequence[Model]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(model.side for model in models))


def _walk(
    situation: Situation,
    total: Any,
    roll: Callable[[Roll, Any], list[Any]],
    strike: Callable[[list[tuple[Problem, Any]]], Iterable[list[tuple[State | None, Any]]]],
) -> Outcome:
    """Carry weights from the beginning of a situation to its ends."""
    models = situation.models
    account = _Account(models, Outcome(models, total, [{} for _ in models], {}, {}))
    start = _Position(situation.begin, tuple(model.start for model in models), ((0, 0),) * len(_sides(models)))
    front: dict[_Position, Any] = {start: total}
    while front:
        if len(front) > MAX_POSITIONS:
            message = f"this can go more than {MAX_POSITIONS:,} ways, which is the most that is followed"
            raise InputError(f"{message}; take fewer models or fewer attacks")
        coming: dict[_Position, Any] = {}
        struck: list[tuple[_Position, Strike, Any]] = []
        for position, weight in front.items():
            move = situation.move(position.stage, position.states)
            if move is None:
                account.close(position, weight)
            elif isinstance(move, Strike):
                struck.append((position, move, weight))
            else:
                for stage, part in zip(move.ways, roll(move, weight), strict=True):
                    _add(coming, position._replace(stage=stage), part)
        asked = [(_from(move.problem, position.states[move.model]), weight) for position, move, weight in struck]
        for (position, move, _), ways in zip(struck, strike(asked), strict=True):
            for state, part in ways:
                _add(coming, account.after(position, move, state, part), part)
        front = coming
    return account.outcome


def _add(weights: dict[Any, Any], key: Any, weight: Any) -> None:
    if weight:
        weights[key] = weights.get(key, 0) + weight


def _from(problem: Problem, state: State | None) -> Problem:
    """The problem for a model that is by now in this state."""
    if state is None or state == SETTLED:
        raise ValueError("nothing more happens to this model")
    policy = problem.policy._replace(blessing=min(problem.policy.blessing, state.blessing))
    return replace(problem, start=state, policy=policy)


@dataclass
class _Account:
    """Counts what has become of the models."""

    models: tuple[Model, ...]
    outcome: Outcome
    side_of: list[int] = field(init=False)

    def __post_init__(self) -> None:
        sides = _sides(self.models)
        self.side_of = [sides.index(model.side) for model in self.models]

    def after(self, position: _Position, move: Strike, state: State | None, weight: Any) -> _Position:
        """Where an attack leads that leaves its model in this state."""
        states, tally = list(position.states), position.tally
        states[move.model] = state
        if move.last:
            tally = self._settle(tally, move.model, state, weight)
            states[move.model] = SETTLED
        return _Position(move.then, tuple(states), tally)

    def close(self, position: _Position, weight: Any) -> None:
        """Count an end, and all models that nothing more happens to."""
        tally = position.tally
        for model, state in enumerate(position.states):
            if state != SETTLED:
                tally = self._settle(tally, model, state, weight)
        _add(self.outcome.numbers, tally, weight)
        _add(self.outcome.ends, position.stage, weight)

    def _settle(
        self, tally: tuple[tuple[int, int], ...], model: int, state: State | None, weight: Any
    ) -> tuple[tuple[int, int], ...]:
        _add(self.outcome.finals[model], state, weight)
        side = self.side_of[model]
        out, down = tally[side]
        counted = (out + 1, down) if state is None else (out, down + min(state.down, 1))
        return (*tally[:side], counted, *tally[side + 1 :])
