"""Shooting into a melee: dice draw whom each shot is at, then it is an attack on that model as any other."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.questions.kinds import Whole, Word
from tcsim.questions.question import Answer, Asked, Input, Question
from tcsim.scenario import model
from tcsim.scenario.problem import ATTACK, Problem, State
from tcsim.scenario.resolve import Resolved
from tcsim.scenario.weapon import weapon_of
from tcsim.situations.fight import (
    ACTION_DICE,
    ATTACK_INPUT,
    BY_MODEL,
    INJURY_DICE,
    OF_ATTACKS,
    Fight,
    armoured,
    attack_of,
    by_model,
    chance,
    common_of,
)
from tcsim.situations.kinds import Every, OneModel
from tcsim.situations.models import (
    Common,
    Settled,
    after_the_roll,
    against,
    checked,
    lowest_critical,
    one_at_a_time,
    only_step,
)
from tcsim.situations.numbers import fights, sources
from tcsim.situations.tree import Model, Move, Outcome, Roll, Strike, pool_roll

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tcsim.questions.rolling import Dice

#: The sides of a melee, as the shooter sees them.
FRIEND, ENEMY = "friend", "enemy"


class Volley(NamedTuple):
    """Shots resolved together, all drawn before any is made, and handed out model by model.

    Parameters
    ----------
    model : int
        Whose turn it is to be shot at.
    friends, others : int
        Shots left for the friends from this one on, and for the others; -1 where not even the sides are drawn.
    first : int
        Who has the first shot of all, where that matters; it is not among those left. -1: nobody.
    number : int
        How many of those left this model has; -1: not drawn.
    """

    model: int = 0
    friends: int = -1
    others: int = -1
    first: int = -1
    number: int = -1


class Turn(NamedTuple):
    """Shots one after the other: which one, at whom (-1: not drawn), and its hit where that is rolled apart."""

    shot: int
    model: int = -1
    hit: str = ""


@dataclass(frozen=True)
class MeleeShots:
    """One action's shots at a model in melee.

    Resolved together, all shots are drawn before any is made. In turn, the draw is among those who are still in action:
    once the target is out, no more shots are made; once its last foe there is out, it is shot at without a draw.

    Parameters
    ----------
    models : tuple of Model
        Friends and enemies there; the target is the first enemy.
    shots : int
        How many.
    together : bool
        Whether they are resolved together.
    friend_to : int
        A D6 up to this draws a friend.
    others : tuple of int
        Whom a higher one draws from: the enemies there, or the target alone.
    problems : mapping
        (model, shots, whether the action's first is among them) to the Problem.
    """

    models: tuple[Model, ...]
    shots: int
    together: bool
    friend_to: int
    others: tuple[int, ...]
    problems: Mapping[tuple[int, int, bool], Problem]

    @property
    def begin(self) -> Hashable:
        """The first stage."""
        return Volley() if self.together else Turn(0)

    @property
    def target(self) -> int:
        """Which model is the target."""
        return next(i for i, model in enumerate(self.models) if model.side == ENEMY)

    def move(self, stage: Hashable, states: Sequence[State | None]) -> Move:
        """What comes next."""
        if isinstance(stage, Volley):
            return self._volley(stage, states)
        return self._in_turn(stage, states) if isinstance(stage, Turn) else None

    def _draw(self, states: Sequence[State | None], ways: Mapping[int, Hashable]) -> Roll:
        friends = [i for i, one in enumerate(self.models) if one.side == FRIEND and states[i] is not None]
        others = [i for i in self.others if states[i] is not None]
        return draw(self.friend_to, friends, others, ways)

    def _volley(self, stage: Volley, states: Sequence[State | None]) -> Move:
        if stage.friends < 0:
            shots = self.shots
            if (0, 1, True) in self.problems:  # the attacker's markers go with the first shot
                if stage.first < 0:
                    return self._draw(states, {i: stage._replace(first=i) for i in range(len(self.models))})
                shots -= 1
            return share(shots, 6, self.friend_to, lambda n: stage._replace(friends=n, others=shots - n))
        while stage.model < len(self.models):
            left, among = self._left(stage)
            if stage.number < 0 and left and among > 1:
                return share(left, among, 1, partial(_numbered, stage))
            count = left if stage.number < 0 else stage.number
            then = stage._replace(model=stage.model + 1, number=-1)
            if self.models[stage.model].side == FRIEND:
                then = then._replace(friends=stage.friends - count)
            else:
                then = then._replace(others=stage.others - count)
            first = stage.first == stage.model
            if count + first:
                problem = self.problems[stage.model, count + first, first]
                return Strike(stage.model, problem, then, last=True)
            stage = then
        return None

    def _left(self, stage: Volley) -> tuple[int, int]:
        """How many shots are left for models like this one, and how many such there are from it on."""
        if self.models[stage.model].side == FRIEND:
            return stage.friends, sum(one.side == FRIEND for one in self.models[stage.model :])
        if stage.model not in self.others:
            return 0, 1
        return stage.others, sum(i >= stage.model for i in self.others)

    def _in_turn(self, turn: Turn, states: Sequence[State | None]) -> Move:
        if turn.shot == self.shots or states[self.target] is None or turn.hit == "failure":
            return None
        if turn.model < 0:
            if any(one.side == FRIEND and states[i] is not None for i, one in enumerate(self.models)):
                return self._draw(states, {i: turn._replace(model=i) for i in range(len(self.models))})
            turn = turn._replace(model=self.target)
        first = turn.shot == 0 and (turn.model, 1, True) in self.problems
        problem, then = self.problems[turn.model, 1, first], Turn(turn.shot + 1)
        if turn.hit:
            return Strike(turn.model, after_the_roll(problem, turn.hit == "critical"), then)
        step = next(step for step in problem.steps if step.kind == ATTACK)
        if not step.risky:
            return Strike(turn.model, problem, then)
        state = states[turn.model] or State()
        step = only_step(problem)
        lowest = lowest_critical(problem, step, state)

        def hit(total: int) -> Hashable:
            hits = "critical" if total >= lowest else "success"
            return turn._replace(hit=hits if total >= problem.charts.success else "failure")

        return pool_roll((step.action_dice_down if state.down else step.action_dice) + step.first_shot_dice, hit)


def draw(friend_to: int, friends: Sequence[int], others: Sequence[int], ways: Mapping[int, Hashable]) -> Roll:
    """Draw whom a shot is at.

    Parameters
    ----------
    friend_to : int
        A D6 up to this draws a friend.
    friends, others : sequence of int
        Whom it draws from, and whom a higher one does; neither is empty.
    ways : mapping of int to hashable
        Model to stage.

    Returns
    -------
    Roll
        A D6, and then a random one of those it points to.

    Examples
    --------
    >>> draw(3, [0], [1, 2], {0: "a", 1: "b", 2: "c"}).chances
    (Fraction(1, 2), Fraction(1, 4), Fraction(1, 4))
    """
    chances = [Fraction(friend_to, 6 * len(friends))] * len(friends)
    chances += [Fraction(6 - friend_to, 6 * len(others))] * len(others)

    def throw(dice: Dice, n: int) -> NDArray[np.int64]:
        import numpy as np

        is_friend = dice.d6(n) <= friend_to
        friend, other = dice.roll(n, 1, len(friends))[:, 0] - 1, dice.roll(n, 1, len(others))[:, 0] - 1
        return np.where(is_friend, friend, len(friends) + other)

    return Roll(tuple(ways[i] for i in (*friends, *others)), tuple(chances), throw)


def _numbered(stage: Volley, number: int) -> Volley:
    return stage._replace(number=number)


def share(shots: int, faces: int, up_to: int, stage_of: Callable[[int], Hashable]) -> Roll:
    """Roll a die for each of some shots, and count those that show a face up to one.

    Parameters
    ----------
    shots : int
        How many.
    faces, up_to : int
        Of each die, and the highest face that counts.
    stage_of : callable
        Number to stage.

    Returns
    -------
    Roll
        A way for each number that can come.

    Examples
    --------
    >>> share(2, 6, 3, lambda n: n).chances
    (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))
    """
    p = Fraction(up_to, faces)
    numbers = [n for n in range(shots + 1) if 0 < p < 1 or n == shots * p]
    chances = tuple(comb(shots, n) * p**n * (1 - p) ** (shots - n) for n in numbers)

    def throw(dice: Dice, n: int) -> NDArray[np.int64]:
        import numpy as np

        counted: NDArray[np.int64] = np.asarray((dice.roll(n, shots, faces) <= up_to).sum(axis=1) - numbers[0])
        return counted

    return Roll(tuple(stage_of(n) for n in numbers), chances, throw)


def shooting(
    common: Common,
    attack: Mapping[str, Any],
    friends: Sequence[Mapping[str, Any]],
    enemies: Sequence[Mapping[str, Any]],
    other: str | None = None,
) -> Settled:
    """Settle shots into a melee.

    Parameters
    ----------
    common : Common
        Edition, attacker, spending, options.
    attack : mapping
        An entry of a scenario's ``attacks``.
    friends, enemies : sequence of mapping
        The models within 1" of the target that fight there, checked; the target is the first enemy.
    other : str, optional
        ``enemy``: a D6 above the friends' draws a random enemy there; ``target``: it is at the target. Default: the
        edition's.

    Returns
    -------
    Settled
        The situation.

    Raises
    ------
    InputError
        When the attack is no one ranged action, or anything is wrong with it or with a model.
    """
    numbers = fights()[common.edition]["melee_shot"]
    everyone = [*friends, *enemies]
    sides = [FRIEND] * len(friends) + [ENEMY] * len(enemies)
    settled = tuple(against(common, attack, one) for one in everyone)
    [action] = settled[0].actions
    if action.kind != "ranged":
        raise InputError("it is a melee attack, shots into a melee are ranged ones", "attack")
    if attack.get("times", 1) != 1:
        raise InputError("times is given, this asks about one action; several shots are shots", "attack")
    settled = _with_blast(settled, common.edition)
    shots = settled[0].problem.rolls
    together = any(step.shots > 1 for step in settled[0].problem.steps)
    problems: dict[tuple[int, int, bool], Problem] = {}
    for number, one in enumerate(everyone):
        for n in range(1, shots + 1 if together else 2):
            for first in (False, True) if common.marked else (False,):
                by = common if first else common.later
                problems[number, n, first] = against(by, {**attack, "shots": n}, one).problem
    models = tuple(
        Model(one["name"], side, question.problem.start)
        for one, side, question in zip(everyone, sides, settled, strict=True)
    )
    enemies_there = range(len(friends), len(everyone))
    others = tuple(enemies_there if (other or numbers["other"]) == "enemy" else enemies_there[:1])
    friend_to = 0 if _aims_true(settled[0]) else numbers["friend_to"]
    if not friend_to:
        others = tuple(enemies_there[:1])
    if shots > 1:
        settled = one_at_a_time(common, settled)
    return Settled(MeleeShots(models, shots, together, friend_to, others, problems), settled)


def _aims_true(question: Resolved) -> bool:
    """Whether the weapon's own rule is that nobody is drawn: every shot is at the target."""
    [table] = question.scenario.attacks
    if not isinstance(table, model.Attack):
        return False
    weapon = weapon_of(table, question.catalog, question.rules, [], "attack")
    return any(effect.target == "no_melee_randomise" for effect in weapon.effects)


def _with_blast(settled: tuple[Resolved, ...], edition: str) -> tuple[Resolved, ...]:
    """Say what is left out where the attack has BLAST, or that nobody is drawn then."""
    if not any(word.split(" ")[0] == "BLAST" for word in settled[0].actions[0].keywords):
        return settled
    if fights()[edition]["melee_shot"]["blast"] == "not drawn":
        raise InputError(f"those in a BLAST are not drawn in {edition}; ask blast", "attack")
    note = mark("Not counted: whom BLAST hits beside the model that is drawn.")
    return tuple(replace(one, notes=(*one.notes, note)) for one in settled)


def _settle(asked: Asked) -> dict[str, Settled]:
    friends, enemies = (
        checked([armoured(one, asked[f"{side}_modifier"]) for one in asked[name]], name, usual=side)
        for side, name in ((FRIEND, "friends"), (ENEMY, "enemies"))
    )
    return {"shots": shooting(common_of(asked), attack_of(asked, "ranged"), friends, enemies, asked["other"])}


def _tell(asked: Asked, outcomes: Mapping[str, Outcome]) -> dict[str, Any]:
    outcome = outcomes["shots"]
    friends = sum(model.side == FRIEND for model in outcome.models)

    def of(number: Any) -> Any:
        return outcome.how_many(lambda friend, enemy: int(number(friend[0], enemy[0])))

    return {
        "p_enemy_out": of(lambda friend, enemy: enemy > 0),
        "p_friend_out": of(lambda friend, enemy: friend > 0),
        "p_target_out": chance(outcome, outcome.out(friends)),
        "p_only_enemy_out": of(lambda friend, enemy: enemy > 0 and friend == 0),
        "enemies_out": of(lambda friend, enemy: enemy),
        "friends_out": of(lambda friend, enemy: friend),
        **by_model(outcome),
    }


_FIGHT = Fight(_settle, _tell)

QUESTIONS = (
    Question(
        name="shoot_into_melee",
        inputs=(
            ATTACK_INPUT,
            ACTION_DICE,
            INJURY_DICE,
            Input(
                "enemies",
                Every(OneModel()),
                mark("The enemies within 1 inch of the target that fight there, the target first"),
                default="model",
            ),
            Input("friends", Every(OneModel()), mark("The friends who fight there"), default="model"),
            Input("enemy_modifier", Whole(-20, 0), mark("The enemies' armour as one number, in place of names")),
            Input("friend_modifier", Whole(-20, 0), mark("The friends' armour as one number, in place of names")),
            Input(
                "other",
                Word({ENEMY: mark("a random enemy there"), "target": mark("the target")}),
                mark("Whom a 4 to 6 is at"),
                default={id: numbers["melee_shot"]["other"] for id, numbers in fights().items()},
                reason=mark("The 1.6.3 text draws among the enemies, 1.0.2 lets you shoot at your target"),
            ),
            *OF_ATTACKS,
        ),
        answers=(
            Answer("p_enemy_out", mark("an enemy goes out of action")),
            Answer("p_friend_out", mark("a friend goes out of action")),
            Answer("p_target_out", mark("the target goes out of action")),
            Answer("p_only_enemy_out", mark("an enemy goes out of action, and no friend")),
            Answer("enemies_out", mark("enemies out of action"), mark("models")),
            Answer("friends_out", mark("friends out of action"), mark("models")),
            *BY_MODEL,
        ),
        exact=_FIGHT.exact,
        simulate=_FIGHT.simulate,
        notes=_FIGHT.notes,
        rule={
            "1.6.3": mark(
                "For each shot a D6: 1 to 3, it is at a random friend within 1 inch of the target, 4 to 6 at a random "
                "enemy there; then it is an attack on that model as any other. All shots are drawn first; those at one "
                "model are resolved together. Markers on whoever is hit are spent as spend says."
            ),
            "1.0.2": mark(
                "For each shot a D6: 1 to 3, it is at one of your own there, 4 to 6 at the target; then it is an "
                "attack on that model as any other. Shots come one after the other: when the target is out of action "
                "none follow, and when no friend is left there it is shot at without a roll."
            ),
        },
        source=sources("melee_shot"),
        examples=(
            "action_dice=1 enemy_modifier=-2",
            "attack=bolt-action-rifle,cover enemies=down//model",
            "attack=ranged,shots=3 other=target",
        ),
    ),
)
