"""Units that reach several objectives: each contests one, and whoever chooses second knows what the first chose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product, repeat
from math import lcm, prod
from operator import mul
from typing import TYPE_CHECKING, Any, TypeAlias

from tcsim.aos.control.check import PLACE, after
from tcsim.aos.editions import FOURTH
from tcsim.base.errors import InputError
from tcsim.base.lang import mark, tr
from tcsim.questions.kinds import Number, Several, Whole, Word, wrong
from tcsim.questions.question import Answer, Asked, Input, Question, family, once

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: Objectives by letter, and how many pairs of what both may choose are looked through.
LETTERS, MOST_PAIRS = "abcdef", 150_000

#: The objective of each unit, by number from 0 on.
Choice: TypeAlias = tuple[int, ...]

#: Who controlled an objective, as a number.
_OWNERS = {"first": 1, "none": 0, "second": -1}


@dataclass(frozen=True, slots=True)
class Reach:
    """Which objectives a unit reaches, a letter each: ``ab``; ``all`` for every one.

    Examples
    --------
    >>> Reach().read("ab"), Reach().read("B"), Reach().read("all")
    ('ab', 'b', 'all')
    """

    metavar = "LETTERS"
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return tr("letters of objectives (as a, or ac) or all")

    def read(self, value: Any) -> str:
        """Read letters, each once."""
        text = value.strip().casefold() if isinstance(value, str) else ""
        if text == "all":
            return text
        if not text or len(set(text)) < len(text) or not set(text) <= set(LETTERS):
            raise wrong(value, self)
        return "".join(sorted(text))

    def write(self, value: str) -> str:
        """Write it as it is."""
        return value


@dataclass(frozen=True)
class Field:
    """Objectives, and the units that reach them.

    Parameters
    ----------
    first, second : tuple of (int, Choice)
        Score of each unit, and the objectives that it reaches.
    values : tuple of int
        What each objective is worth, times ``of``.
    owners : tuple of int
        Who controlled each: 1 the first chooser, 0 nobody, -1 the second.
    sticky : bool
        Whether control lasts where nobody contests.
    of : int
        What makes all values whole.
    """

    first: tuple[tuple[int, Choice], ...]
    second: tuple[tuple[int, Choice], ...]
    values: tuple[int, ...]
    owners: tuple[int, ...]
    sticky: bool
    of: int

    def choices(self, units: tuple[tuple[int, Choice], ...]) -> dict[Choice, Choice]:
        """Give what units may choose.

        Parameters
        ----------
        units : tuple of (int, Choice)
            Units of one player.

        Returns
        -------
        dict
            Score at each objective to the first choice that gives it.
        """
        found: dict[Choice, Choice] = {}
        for choice in product(*(reached for _, reached in units)):
            scores = [0] * len(self.values)
            for (score, _), objective in zip(units, choice, strict=True):
                scores[objective] += score
            found.setdefault(tuple(scores), choice)
        return found

    def worth(self, first: Choice, second: Choice) -> int:
        """Give what the first chooser controls, less what the second does.

        Parameters
        ----------
        first, second : tuple of int
            Score of each player at each objective.

        Returns
        -------
        int
            The difference, times ``of``.
        """
        judged = map(after, first, second, self.owners, repeat(self.sticky))
        return sum(map(mul, self.values, judged))

    @cached_property
    def answered(self) -> dict[Choice, tuple[int, Choice]]:
        """Scores of the first chooser to the least that the second leaves of them, and the scores that do so."""
        answers = list(self.choices(self.second))
        return {
            mine: min(((self.worth(mine, theirs), theirs) for theirs in answers), key=lambda one: one[0])
            for mine in self.choices(self.first)
        }

    def turned(self) -> Field:
        """Give the same with the other player choosing first.

        Returns
        -------
        Field
            Everything from the other side.
        """
        return Field(self.second, self.first, self.values, tuple(-one for one in self.owners), self.sticky, self.of)


def _reached(asked: Asked, side: str) -> tuple[Choice, ...]:
    every = tuple(range(_objectives(asked)))
    reaches = asked[f"{side}_reach"] or ("all",) * len(asked[side])
    return tuple(every if one == "all" else tuple(map(LETTERS.index, one)) for one in reaches)


def _objectives(asked: Asked) -> int:
    number: int = asked["objectives"]
    return number


@once
def _field(asked: Asked) -> Field:
    first, second = (tuple(zip(asked[side], _reached(asked, side), strict=True)) for side in ("first", "second"))
    number = _objectives(asked)
    values = asked["values"] or (Fraction(1),) * number
    of = lcm(*(value.denominator for value in values))
    owners = tuple(_OWNERS[one] for one in asked["owners"] or ("none",) * number)
    return Field(first, second, tuple(int(value * of) for value in values), owners, asked["place"] == "objective", of)


def _check(asked: Asked) -> None:
    number = _objectives(asked)
    for name in ("values", "owners"):
        if asked[name] is not None and len(asked[name]) != number:
            raise InputError(f"{len(asked[name])} are given for {number} objectives, one for each is needed", name)
    for side in ("first", "second"):
        name, units = f"{side}_reach", len(asked[side])
        if asked[name] is not None and len(asked[name]) != units:
            raise InputError(f"{len(asked[name])} are given for {units} units, one for each is needed", name)
        if any(objective >= number for reached in _reached(asked, side) for objective in reached):
            raise InputError(
                f"there are {number} objectives, letters from a to {LETTERS[number - 1]} are allowed", name
            )
    pairs = prod(len(reached) for side in ("first", "second") for reached in _reached(asked, side))
    if pairs > MOST_PAIRS:
        raise InputError(
            f"the units can choose in {pairs:,} ways together, at most {MOST_PAIRS:,} are looked through: "
            "give fewer units, or say which objectives each reaches (first_reach, second_reach)"
        )


def _exact(asked: Asked) -> dict[str, Fraction]:
    field = _field(asked)
    worst = {mine: value for mine, (value, _) in field.answered.items()}
    best = max(worst, key=lambda mine: worst[mine])
    reply, value = field.answered[best][1], worst[best]
    answers = {"value": value}
    spread = {mine: len(mine) - mine.count(0) > 1 for mine in worst}
    for name, wanted in (("split", True), ("stack", False)):
        if wanted in spread.values():
            answers[name] = max(worst[mine] for mine in worst if spread[mine] is wanted)
    second = -max(value for value, _ in field.turned().answered.values())
    answers |= {"second": second, "gain": second - value}
    judged = [after(*both, field.sticky) for both in zip(best, reply, field.owners, strict=True)]
    for name, owner in (("first_has", 1), ("second_has", -1)):
        answers[name] = sum(value for value, one in zip(field.values, judged, strict=True) if one == owner)
    told = {name: Fraction(number, field.of) for name, number in answers.items()}
    for name, units, scores in (("unit", field.first, best), ("reply", field.second, reply)):
        chosen = field.choices(units)[scores]
        told |= family(name, {number: Fraction(one + 1) for number, one in enumerate(chosen, 1)})
    return told


def _simulate(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    """Look at every pair of choices: there are no dice, so all trials are alike."""
    import numpy as np

    return {name: np.full(trials, value) for name, value in _looked_through(asked).items()}


@once
def _looked_through(asked: Asked) -> dict[str, float]:
    import numpy as np

    number = _objectives(asked)
    values = [float(one) for one in asked["values"] or (1,) * number]
    owners = [{"first": 1, "second": -1, "none": 0}[one] for one in asked["owners"] or ("none",) * number]
    chosen, scores = {}, {}
    for side in ("first", "second"):
        ways = np.stack(np.meshgrid(*_reached(asked, side), indexing="ij"), -1).reshape(-1, len(asked[side]))
        chosen[side] = ways
        scores[side] = np.stack([(ways == k) @ np.array(asked[side]) for k in range(number)], -1)
    ahead = np.sign(scores["first"][:, None, :] - scores["second"][None, :, :])
    contested = scores["first"][:, None, :] > 0
    kept = np.where(contested | (asked["place"] == "objective"), np.array(owners), 0)
    holder = np.where(ahead == 0, kept, ahead)
    worth = np.round((holder * np.array(values)).sum(axis=2), 9)
    least = worth.min(axis=1)
    best = int(least.argmax())
    reply = int(worth[best].argmin())
    places = (scores["first"] > 0).sum(axis=1)
    told = {"value": least[best]}
    told |= {name: least[some].max() for name, some in (("split", places > 1), ("stack", places == 1)) if some.any()}
    second = worth.max(axis=0).min()
    told |= {"second": second, "gain": second - least[best]}
    for name, owner in (("first_has", 1), ("second_has", -1)):
        told[name] = sum(value for value, one in zip(values, holder[best, reply], strict=True) if one == owner)
    for name, side, row in (("unit", "first", best), ("reply", "second", reply)):
        told |= family(name, {n: k + 1 for n, k in enumerate(chosen[side][row].tolist(), 1)})
    return {name: float(value) for name, value in told.items()}


def _labels(side: str) -> Callable[[Asked], Mapping[str, str]]:
    def told(asked: Asked) -> dict[str, str]:
        return {
            str(number): tr("unit {number}, score {score}", number=number, score=score)
            for number, score in enumerate(asked[side], 1)
        }

    return told


def _notes(asked: Asked) -> tuple[str, ...]:
    return (
        mark("There are no dice in it: rolled answers look at every pair of choices."),
        mark("Objectives count from 1, which is a. A unit may contest a terrain feature beside its objective."),
    )


QUESTIONS = (
    Question(
        name="contest_choice",
        inputs=(
            Input(
                "first",
                Several(Whole(1, 1000), 12),
                mark("Control score of each unit of the player who chooses first: the active one"),
                required=True,
            ),
            Input(
                "second",
                Several(Whole(1, 1000), 12),
                mark("Control score of each unit of the other player"),
                required=True,
            ),
            Input("objectives", Whole(1, len(LETTERS)), mark("How many objectives there are"), default=2),
            Input(
                "first_reach",
                Several(Reach(), 12),
                mark("Objectives that each unit of the first has within 3 inches, as ab+a; left out: all of them"),
            ),
            Input("second_reach", Several(Reach(), 12), mark("The same of each unit of the second")),
            Input(
                "values",
                Several(Number(0, 1000), len(LETTERS)),
                mark("What control of each objective is worth, as 1+3; left out: 1 each"),
            ),
            Input(
                "owners",
                Several(
                    Word(
                        {
                            "first": mark("the first chooser"),
                            "second": mark("the second chooser"),
                            "none": mark("nobody"),
                        }
                    )
                ),
                mark("Who controls each objective before, as first+none; left out: nobody"),
            ),
            PLACE,
        ),
        answers=(
            Answer("value", mark("what the first chooser can force: its control less the other's"), mark("worth")),
            Answer("split", mark("the same if it contests two objectives or more"), mark("worth")),
            Answer("stack", mark("the same if it contests one objective only"), mark("worth")),
            Answer("second", mark("the same if the other player had to choose first"), mark("worth")),
            Answer("gain", mark("what choosing second would gain"), mark("worth")),
            Answer("first_has", mark("what the first chooser controls then"), mark("worth")),
            Answer("second_has", mark("what the other player controls then"), mark("worth")),
            Answer(
                "unit",
                mark("the best choice of the first chooser: number of the objective"),
                mark("objective"),
                True,
                _labels("first"),
                bars=False,
            ),
            Answer(
                "reply",
                mark("the best reply of the other: number of the objective"),
                mark("objective"),
                True,
                _labels("second"),
                bars=False,
            ),
        ),
        exact=_exact,
        simulate=_simulate,
        check=_check,
        rule=mark(
            "Before control is judged, the active player says of each unit that contests two objectives or more which "
            "one it contests; then the opponent does so. A higher score gains control, equal scores change nothing. "
            "Both choose as well as they can, for all objectives together."
        ),
        source="end of turn, 32.1 and 32.2; within 3 inches: public rules",
        examples=(
            "first=5+3 second=6+4",
            "first=5+3+2 second=6+4 objectives=3 first_reach=ab+bc+c values=1+2+1",
            "first=6+4 second=5+3 owners=second+none",
        ),
        editions=FOURTH,
        notes=_notes,
    ),
)
