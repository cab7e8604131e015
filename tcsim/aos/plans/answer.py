"""A budget of commands, worked out whole: what a file asks, and what is answered."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tcsim.aos.editions import FOURTH
from tcsim.aos.plans.file import read_turn
from tcsim.aos.plans.search import Search, Use, Value
from tcsim.aos.plans.tree import Advice, advice, price, sets
from tcsim.aos.plans.turn import Turn
from tcsim.aos.plans.words import on_words, when_words
from tcsim.base.errors import InputError, show, unknown
from tcsim.base.lang import speaking
from tcsim.questions.asking import is_written

#: Command points of a round, and those of the underdog.
USUAL, UNDERDOG = 4, 5


@dataclass(frozen=True)
class Found:
    """What was found.

    Parameters
    ----------
    search : Search
        The turn, searched for every number of points from 0 to 5, or to those that there are.
    advice : tuple of Advice
        The best way of spending what there is.
    sets : tuple of (tuple of Use, Value)
        Sets of commands that are bought whatever happens, the best one first.
    """

    search: Search
    advice: tuple[Advice, ...]
    sets: tuple[tuple[tuple[Use, ...], Value], ...]

    @property
    def turn(self) -> Turn:
        """The turn."""
        return self.search.turn

    @property
    def underdog(self) -> Fraction:
        """What a fifth command point adds to the goal."""
        return self.search.best(UNDERDOG).goal - self.search.best(USUAL).goal

    def played(self, trials: int, seed: int) -> dict[str, Any]:
        """Play the best way of spending with dice.

        Parameters
        ----------
        trials, seed : int
            How many times, and the seed of the dice.

        Returns
        -------
        dict
            ``value`` with its 95% interval ``low`` and ``high``, ``spent`` on average, ``trials``, ``seed``; a chance
            has a ``count``, too.
        """
        from tcsim.aos.plans.rolled import played
        from tcsim.questions.rolling import CHUNK, Dice, Seen

        dice = Dice(seed, f"budget {self.turn}")
        goal, spent = Seen(), Seen()
        for start in range(0, trials, CHUNK):
            found = played(self.search, self.turn.points, dice, min(CHUNK, trials - start))
            goal.add(found.goal)
            spent.add(found.spent)
        told = goal.chance() if self.turn.is_chance else goal.mean()
        return {**told, "spent": spent.total / trials, "trials": trials, "seed": seed}

    def to_dict(self) -> dict[str, Any]:
        """Give all of it as plain data, as ``--json`` prints it.

        Returns
        -------
        dict
            ``edition``, ``points``, ``goal`` (``probability`` or ``victory points``), ``best`` by points, ``underdog``,
            ``plan``, ``sets``.
        """
        search = self.search
        with speaking("en"):
            plan = [
                {
                    "phase": one.step.phase,
                    "choice": one.choice,
                    "unit": one.unit,
                    "about": on_words(one),
                    "when": when_words(one, search),
                    "conditions": [condition._asdict() for condition in one.when],
                    **_number("chance", one.chance),
                }
                for one in self.advice
            ]
        return {
            "edition": self.turn.edition,
            "points": self.turn.points,
            "goal": "probability" if self.turn.is_chance else "victory points",
            "best": {str(number): _value(search.best(number)) for number in search.starts},
            "underdog": _number("value", self.underdog),
            "plan": plan,
            "sets": [
                {
                    "commands": [use._asdict() | {"phase": search.steps[use.step].phase} for use in uses],
                    "cost": price(search, uses),
                    **_value(value),
                }
                for uses, value in self.sets
            ],
        }


def _number(name: str, value: Fraction) -> dict[str, Any]:
    return {name: float(value), **({"fraction": str(value)} if is_written(value) else {})}


def _value(value: Value) -> dict[str, Any]:
    return {**_number("value", value.goal), "spent": float(value.spent)}


def answer(data: Any, edition: str | None = None, points: int | None = None) -> Found:
    """Find the best use of command points in a turn.

    Parameters
    ----------
    data : mapping
        Tables and fields as in a file (docs/aos.md).
    edition : str, optional
        ``4e`` or ``4e_late``; it has to be given here or there.
    points : int, optional
        Command points; default: those of the file, or 4.

    Returns
    -------
    Found
        What was found.

    Raises
    ------
    InputError
        With the place, what was given, and what is allowed.
    """
    if not isinstance(data, Mapping):
        raise InputError(f"{show(data)} is given, a table with units, events and goal is allowed")
    named = edition or data.get("edition")
    if named is None:
        raise InputError(f"it is needed: {' or '.join(FOURTH)}", "edition")
    if named not in FOURTH:
        raise unknown("edition with commands", str(named), FOURTH, "edition")
    turn = read_turn(data, named)
    if points is not None:
        turn = replace(turn, points=points)
    search = Search(turn, range(max(UNDERDOG, turn.points) + 1))
    return Found(search, tuple(advice(search, turn.points)), tuple(sets(search, turn.points)))
