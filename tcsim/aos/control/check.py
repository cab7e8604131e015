"""The check of control: scores, what losses do to them, and who controls it then. Its questions are in ``control``."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.aos.spread import Spread
from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.questions.kinds import Flag, Number, Several, Whole, Word
from tcsim.questions.question import Answer, Asked, Input

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: Who controls it, as a number: A, nobody, B.
CONTROL = {"a": 1, "none": 0, "b": -1}

#: Who controlled it before.
OWNERS = {"a": mark("A does"), "b": mark("B does"), "none": mark("nobody does")}

SIDES = ("A", "B")

#: Most Control in all of models that may be lost.
MOST_CONTROL = 1000


def unit_score(control: int, mod: int = 0, beast: bool = False) -> int:
    """Give the control score of a unit.

    Parameters
    ----------
    control : int
        Sum of the Control of its models that contest; 0 where none does.
    mod : int, optional
        Sum of what changes the score; +1 for a standard bearer.
    beast : bool, optional
        A BEAST, whose score is at most 1.

    Returns
    -------
    int
        At least 1 where a model contests.

    Examples
    --------
    >>> unit_score(2, -3), unit_score(5, 1), unit_score(5, beast=True), unit_score(0, 1)
    (1, 6, 1, 0)
    """
    if not control:
        return 0
    score = max(control + mod, 1)
    return min(score, 1) if beast else score


def after(a: int, b: int, owner: int, sticky: bool = True) -> int:
    """Judge who controls it.

    Parameters
    ----------
    a, b : int
        Scores of both armies; 0 where nobody contests.
    owner : int
        Who controlled it: 1 A, 0 nobody, -1 B.
    sticky : bool, optional
        Whether control lasts where nobody contests any more: it does on objectives, not on terrain features.

    Returns
    -------
    int
        Who controls it then.

    Examples
    --------
    >>> after(5, 6, 1), after(6, 6, -1), after(0, 0, 1), after(0, 0, 1, sticky=False)
    (-1, -1, 1, 0)
    """
    if a != b:
        return 1 if a > b else -1
    return owner if sticky or a else 0


@dataclass(frozen=True, slots=True)
class Side:
    """What one player has there.

    Parameters
    ----------
    controls : tuple of int
        Control of each model of the unit that contests; nothing but 0 where none does.
    loss : Fraction, optional
        Chance of each model to be lost before the check.
    mod : int, optional
        What changes the unit's score.
    beast : bool, optional
        Whether its score is at most 1.
    others : int, optional
        Score of the other units.
    """

    controls: tuple[int, ...]
    loss: Fraction = Fraction(0)
    mod: int = 0
    beast: bool = False
    others: int = 0

    def score(self, control: int) -> int:
        """Give the army's score.

        Parameters
        ----------
        control : int
            Sum of the Control of the unit's models that are left.

        Returns
        -------
        int
            The score.
        """
        return unit_score(control, self.mod, self.beast) + self.others

    def left(self) -> Spread:
        """Give what is left of the unit's Control after its losses.

        Returns
        -------
        Spread
            Sum of the Control of the models that are left.
        """
        if not self.loss:
            return Spread.fixed(sum(self.controls))
        total = Spread.fixed(0)
        for control in self.controls:
            total = total.then(Spread.mixed([(self.loss, Spread.fixed(0)), (1 - self.loss, Spread.fixed(control))]))
        return total

    def after_slain(self, slain: int) -> int:
        """Give what is left of the unit's Control, its least models removed first.

        Parameters
        ----------
        slain : int
            How many models it has lost.

        Returns
        -------
        int
            Sum of the Control of the others.
        """
        return sum(sorted(self.controls)[slain:])


# --- what is asked of both sides -----------------------------------------------------------------------------


def _side(name: str) -> tuple[Input, ...]:
    there = (name, f"{name}_models")
    return (
        Input(
            name,
            Several(Whole(0, 1000)),
            mark("Control of each model that contests, as 6x1, or the score in all; 0 where nobody does"),
        ),
        Input(f"{name}_models", Whole(0, 100), mark("How many models contest, in place of a list of their Control")),
        Input(f"{name}_control", Whole(1, 50), mark("Control of each of them"), default=1, goes_with=there[1:]),
        Input(
            f"{name}_mod",
            Whole(-50, 50),
            mark("What changes the unit's control score: +1 for a standard bearer"),
            default=0,
            goes_with=there,
        ),
        Input(
            f"{name}_beast",
            Flag(),
            mark("A BEAST, whose control score is at most 1"),
            default=False,
            goes_with=there,
        ),
        Input(
            f"{name}_others",
            Whole(0, 1000),
            mark("Control score of that player's other units there"),
            default=0,
            goes_with=there,
        ),
    )


#: What both players have there.
SIDE_INPUTS = (*_side("A"), *_side("B"))

#: Losses with a chance for each model.
LOSS_INPUTS = tuple(
    Input(
        f"{name}_loss",
        Number(0, 1),
        mark("Chance of each model to be lost before the check"),
        default=0,
        goes_with=(name, f"{name}_models"),
    )
    for name in SIDES
)

OWNER = Input(
    "owner",
    Word(OWNERS),
    mark("Who controls it before the check"),
    default="none",
    goes_with=("A", "A_models", "B", "B_models"),
)

#: What is contested, where a question is about both.
PLACE = Input(
    "place",
    Word({"objective": mark("control lasts"), "terrain": mark("it ends where the owner contests no more")}),
    mark("What is contested"),
    default="objective",
)


def side(asked: Asked, name: str) -> Side:
    """Read what one player has there.

    Parameters
    ----------
    asked : Asked
        With the inputs of :data:`SIDE_INPUTS`, and :data:`LOSS_INPUTS` where the question has them.
    name : str
        ``A`` or ``B``.

    Returns
    -------
    Side
        The same.
    """
    controls = (
        (asked[f"{name}_control"],) * asked[f"{name}_models"] if asked[f"{name}_models"] is not None else asked[name]
    )
    return Side(
        tuple(one for one in controls or () if one),
        asked.values.get(f"{name}_loss", Fraction(0)),
        asked[f"{name}_mod"],
        asked[f"{name}_beast"],
        asked[f"{name}_others"],
    )


def check_sides(asked: Asked) -> None:
    """Refuse models that are given twice.

    Parameters
    ----------
    asked : Asked
        With the inputs of :data:`SIDE_INPUTS`, and :data:`LOSS_INPUTS` where the question has them.

    Raises
    ------
    InputError
        When a side has both a list and a number of models, or more Control at risk than can be reckoned with.
    """
    for name in SIDES:
        if asked[name] is not None and asked[f"{name}_models"] is not None:
            raise InputError(f"{name} gives the models already, one of both is enough", f"{name}_models")
        if asked.values.get(f"{name}_loss") and sum(side(asked, name).controls) > MOST_CONTROL:
            raise InputError(
                f"the Control of models that can be lost is at most {MOST_CONTROL:,} in all", f"{name}_loss"
            )


# --- the check ------------------------------------------------------------------------------------------------

#: What is answered of a check.
OF_CHECK = (
    Answer("a_controls", mark("A controls it after the check")),
    Answer("b_controls", mark("B controls it after the check")),
    Answer("nobody", mark("nobody controls it after the check")),
    Answer("changes", mark("it changes hands")),
    Answer("higher", mark("A's score is higher")),
    Answer("tie", mark("the scores are equal")),
    Answer("lower", mark("A's score is lower")),
    Answer("owner", mark("who controls it: 1 A, 0 nobody, -1 B"), mark("on average")),
    Answer("score_a", mark("A's control score"), mark("control")),
    Answer("score_b", mark("B's control score"), mark("control")),
)


def judged(a: Spread, b: Spread, owner: int, sticky: bool) -> dict[str, Fraction]:
    """Answer :data:`OF_CHECK`.

    Parameters
    ----------
    a, b : Spread
        Scores, which do not depend on each other.
    owner : int
        Who controlled it: 1 A, 0 nobody, -1 B.
    sticky : bool
        Whether control lasts where nobody contests.

    Returns
    -------
    dict
        Answer name to its value.
    """
    ahead, held = {1: 0, 0: 0, -1: 0}, {1: 0, 0: 0, -1: 0}
    ours, theirs = ([(score, ways) for score, ways in enumerate(one.ways) if ways] for one in (a, b))
    for one, ways in ours:
        for other, more in theirs:
            ahead[(one > other) - (one < other)] += ways * more
            held[after(one, other, owner, sticky)] += ways * more
    of = a.of * b.of
    counts = {
        "a_controls": held[1],
        "b_controls": held[-1],
        "nobody": held[0],
        "changes": of - held[owner],
        "higher": ahead[1],
        "tie": ahead[0],
        "lower": ahead[-1],
        "owner": held[1] - held[-1],
    }
    return {name: Fraction(ways, of) for name, ways in counts.items()} | {"score_a": a.mean(), "score_b": b.mean()}


def judged_rolled(a: Any, b: Any, owner: int, sticky: bool) -> dict[str, Any]:
    """Answer :data:`OF_CHECK` for scores that were rolled.

    Parameters
    ----------
    a, b : array of int, shape (trials,)
        Scores.
    owner : int
        Who controlled it: 1 A, 0 nobody, -1 B.
    sticky : bool
        Whether control lasts where nobody contests.

    Returns
    -------
    dict
        Answer name to a value per trial.
    """
    held = held_rolled(a, b, owner, sticky)
    return {
        "a_controls": held == 1,
        "b_controls": held == -1,
        "nobody": held == 0,
        "changes": held != owner,
        "higher": a > b,
        "tie": a == b,
        "lower": a < b,
        "owner": held,
        "score_a": a,
        "score_b": b,
    }


def held_rolled(a: Any, b: Any, owner: Any, sticky: bool) -> Any:
    """Judge who controls it, trial by trial.

    Parameters
    ----------
    a, b : array of int, shape (trials,)
        Scores.
    owner : int or array of int
        Who controlled it: 1 A, 0 nobody, -1 B.
    sticky : bool
        Whether control lasts where nobody contests.

    Returns
    -------
    array of int, shape (trials,)
        Who controls it then.
    """
    import numpy as np

    kept = np.full(len(a), owner) if sticky else np.where(a == 0, 0, owner)
    return np.select([a > b, a < b], [1, -1], kept)


def score_rolled(one: Side, control: Any) -> Any:
    """Give the army's score, trial by trial.

    Parameters
    ----------
    one : Side
        What the player has there.
    control : array of int, shape (trials,)
        Sum of the Control of the unit's models that are left.

    Returns
    -------
    array of int, shape (trials,)
        Scores.
    """
    import numpy as np

    unit = np.clip(control + one.mod, 1, 1 if one.beast else None)
    return np.where(control > 0, unit, 0) + one.others


def left_rolled(one: Side, dice: Dice, trials: int) -> Any:
    """Remove models with their chance, trial by trial.

    Parameters
    ----------
    one : Side
        What the player has there.
    dice : Dice
        The dice: a die of as many faces as the chance has parts for each model.
    trials : int
        How many trials.

    Returns
    -------
    array of int, shape (trials,)
        Sum of the Control of the models that are left.
    """
    import numpy as np

    if not one.controls or not one.loss:
        return np.full(trials, sum(one.controls))
    stays = dice.roll(trials, len(one.controls), one.loss.denominator) > one.loss.numerator
    return (stays * np.array(one.controls)).sum(axis=1)
