"""The charge roll: how far it reaches, and how far with all of its dice or one of them rolled again."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations_with_replacement
from math import ceil, factorial, prod
from typing import TYPE_CHECKING, Any

from tcsim.aos.common import TWO_D6
from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.dice import Pool
from tcsim.questions.kinds import NO_DICE, Flag, Number, Whole, Word
from tcsim.questions.kinds import Dice as DiceKind
from tcsim.questions.question import Asked, Input

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from tcsim.questions.rolling import Dice

#: Most dice of a charge roll, and their most faces.
MAX_DICE, MAX_SIDES = 4, 6

NEED = Input("need", Whole(0, 48), mark("The charge roll that is needed"))
GAP = Input("gap", Number(0, 48), mark("Inches between the units, instead of the roll that is needed"))
WITHIN = Input(
    "within",
    Number(0, 12),
    mark("How near to the enemy a charge has to end, in inches"),
    default="1/2",
    reason=mark("The source text is silent; half an inch is the public rule"),
    goes_with=("gap",),
)
MOD = Input("mod", Whole(-12, 12), mark("Modifier of the charge roll"), default=0)
DICE = Input("dice", DiceKind(), mark("Dice of the charge roll; 3D6kh2 for three of which two count"), default="2D6")
REROLL = Input("reroll", Flag(), mark("The charge roll may be rolled again, once"), default=False)
REROLLED = Input(
    "rerolled",
    Word(
        {
            "all": mark("all dice"),
            "one": mark("one die, the one that helps most"),
            "lowest": mark("the lowest die"),
        }
    ),
    mark("What is rolled again"),
    default="all",
    goes_with=("reroll",),
)


def needed(gap: Fraction, within: Fraction) -> int:
    """Give the charge roll that is needed.

    Parameters
    ----------
    gap : Fraction
        Inches between the units.
    within : Fraction
        Inches from the enemy at which the charge may end.

    Returns
    -------
    int
        The smallest whole number of inches that is enough.

    Examples
    --------
    >>> needed(Fraction(9), Fraction(1, 2)), needed(Fraction(17, 2), Fraction(1, 2))
    (9, 8)
    """
    return max(0, ceil(gap - within))


def need_of(asked: Asked) -> int | None:
    """Give the charge roll that is needed by what was asked.

    Parameters
    ----------
    asked : Asked
        ``need``, or else ``gap`` and ``within``.

    Returns
    -------
    int or None
        The roll; None where neither is given.
    """
    if asked["gap"] is not None:
        return needed(asked["gap"], asked["within"])
    need: int | None = asked["need"]
    return need


def check_roll(asked: Asked, dice: str = "dice") -> None:
    """Check the inputs of a charge roll against each other.

    Parameters
    ----------
    asked : Asked
        What was asked.
    dice : str, optional
        The input with the dice.

    Raises
    ------
    InputError
        For both ``need`` and ``gap``, and for dice that no charge is rolled with.
    """
    if asked["need"] is not None and asked["gap"] is not None:
        raise InputError("it says the roll that is needed a second time: give need, or gap", "gap")
    check_dice(asked, dice)


def check_dice(asked: Asked, dice: str = "dice") -> None:
    """Check the dice of a charge roll.

    Parameters
    ----------
    asked : Asked
        What was asked.
    dice : str, optional
        The input with the dice.

    Raises
    ------
    InputError
        For dice that no charge is rolled with.
    """
    pool = asked[dice]
    if pool == NO_DICE or pool.dice > MAX_DICE or pool.sides > MAX_SIDES:
        given = DiceKind().write(pool)
        raise InputError(f"{given} is given, 1 to {MAX_DICE} dice of at most {MAX_SIDES} faces are allowed", dice)


@dataclass(frozen=True, slots=True)
class ChargeRoll:
    """A charge roll.

    Parameters
    ----------
    pool : Pool, optional
        Its dice; 2D6 where nothing is said.
    mod : int, optional
        Added to it.

    Examples
    --------
    >>> ChargeRoll().reaches(9), ChargeRoll().reaches(9, "all"), ChargeRoll(mod=1).reaches(9)
    (Fraction(5, 18), Fraction(155, 324), Fraction(5, 12))
    """

    pool: Pool = TWO_D6
    mod: int = 0

    def counts(self) -> dict[int, int]:
        """Count the ways to each total.

        Returns
        -------
        dict of int to int
            Total, modifier included, to ways; they sum to ``pool.denominator``.
        """
        return {total + self.mod: ways for total, ways in self.pool.counts().items()}

    def chances(self, need: int | None = None, rerolled: str = "") -> dict[int, Fraction]:
        """Give the chance of each total.

        Parameters
        ----------
        need : int, optional
            The total that is needed: a reroll is taken after a failure. None: as far as possible on average.
        rerolled : str, optional
            ``all``, ``one`` or ``lowest`` die is rolled again; nothing where it is empty.

        Returns
        -------
        dict of int to Fraction
            Total, modifier included, to its chance, ascending.
        """
        if not rerolled:
            return {total: Fraction(ways, self.pool.denominator) for total, ways in self.counts().items()}
        again = self.pool.denominator if rerolled == "all" else self.pool.sides
        found: Counter[int] = Counter()
        for total, ways, others in _rolls(self, rerolled):
            other = max(others, key=lambda totals: _worth(totals, need))
            if total >= (_mean(other) if need is None else need):
                found[total] += ways * again
            else:
                for new, more in other.items():
                    found[new] += ways * more
        return {total: Fraction(found[total], self.pool.denominator * again) for total in sorted(found)}

    def reaches(self, need: int, rerolled: str = "") -> Fraction:
        """Give the chance that the roll is enough.

        Parameters
        ----------
        need : int
            The total that is needed.
        rerolled : str, optional
            What is rolled again after a failure, as for :meth:`chances`.

        Returns
        -------
        Fraction
            Probability in [0, 1].
        """
        return sum((p for total, p in self.chances(need, rerolled).items() if total >= need), Fraction(0))


@lru_cache(maxsize=64)
def _rolls(roll: ChargeRoll, rerolled: str) -> list[tuple[int, int, list[Counter[int]]]]:
    """Totals of the first roll, their ways, and the ways to each total after each reroll that can be chosen."""
    if rerolled == "all":
        again = Counter(roll.counts())
        return [(total, ways, [again]) for total, ways in roll.counts().items()]
    found = []
    for hand, ways in _hands(roll.pool.dice, roll.pool.sides).items():
        places = {hand.index(face) for face in hand} if rerolled == "one" else {0}  # hands are sorted
        others = [
            Counter(
                roll.pool.total((*hand[:i], face, *hand[i + 1 :])) + roll.mod for face in range(1, roll.pool.sides + 1)
            )
            for i in places
        ]
        found.append((roll.pool.total(hand) + roll.mod, ways, others))
    return found


def _worth(totals: Counter[int], need: int | None) -> tuple[int, Fraction]:
    """How good a reroll is: how often it is enough, then how far it gets on average."""
    enough = 0 if need is None else sum(ways for total, ways in totals.items() if total >= need)
    return enough, _mean(totals)


def _mean(totals: Counter[int]) -> Fraction:
    return Fraction(sum(total * ways for total, ways in totals.items()), totals.total())


def _hands(dice: int, sides: int) -> dict[tuple[int, ...], int]:
    """Sorted faces of some dice to the number of ways they come up."""
    hands = combinations_with_replacement(range(1, sides + 1), dice)
    return {hand: factorial(dice) // prod(map(factorial, Counter(hand).values())) for hand in hands}


def mean(chances: dict[int, Fraction]) -> Fraction:
    """Give the mean of numbers with chances.

    Parameters
    ----------
    chances : dict of int to Fraction
        Number to chance.

    Returns
    -------
    Fraction
        The mean.

    Examples
    --------
    >>> mean(ChargeRoll().chances())
    Fraction(7, 1)
    """
    return sum((number * p for number, p in chances.items()), Fraction(0))


# --- rolled ---------------------------------------------------------------------------------------------------


class Rolled:
    """Charge rolls on the table: dice, and dice to roll again with.

    Parameters
    ----------
    roll : ChargeRoll
        What is rolled.
    dice : Dice
        The stream.
    trials : int
        How many.
    """

    def __init__(self, roll: ChargeRoll, dice: Dice, trials: int) -> None:
        self.roll = roll
        self.faces = dice.roll(trials, roll.pool.dice, roll.pool.sides)
        self.again = dice.roll(trials, roll.pool.dice, roll.pool.sides)
        self.first = self._read(self.faces)

    def _read(self, faces: NDArray[Any]) -> NDArray[Any]:
        import numpy as np

        pool = self.roll.pool
        ordered = np.sort(faces, axis=1)
        kept = ordered[:, -pool.keep :] if pool.net >= 0 else ordered[:, : pool.keep]
        total: NDArray[Any] = kept.sum(axis=1) + pool.modifier + self.roll.mod
        return total

    def final(self, need: int | None, rerolled: str) -> NDArray[Any]:
        """Play the reroll.

        Parameters
        ----------
        need : int or None
            The total that is needed, as for :meth:`ChargeRoll.chances`.
        rerolled : str
            What is rolled again; empty for nothing.

        Returns
        -------
        array of int, shape (trials,)
            Totals.
        """
        import numpy as np

        if not rerolled:
            return self.first
        if rerolled == "all":
            usual, again = (
                np.full(len(self.first), float(self.roll.pool.mean()) + self.roll.mod),
                self._read(self.again),
            )
        else:
            place = self._best_place(need) if rerolled == "one" else self.faces.argmin(axis=1)
            trials = np.arange(len(place))
            usual, again = self._with.mean(axis=2)[trials, place], self._with[trials, place, self.again[:, 0] - 1]
        return np.where(self.first >= (usual if need is None else need), self.first, again)

    @cached_property
    def _with(self) -> NDArray[Any]:
        """Totals with each of the dice put to each of its faces, shape (trials, dice, faces)."""
        import numpy as np

        totals = np.empty((*self.faces.shape, self.roll.pool.sides), np.int64)
        for place in range(self.faces.shape[1]):
            for face in range(self.roll.pool.sides):
                faces = self.faces.copy()
                faces[:, place] = face + 1
                totals[:, place, face] = self._read(faces)
        return totals

    def _best_place(self, need: int | None) -> NDArray[Any]:
        """The die that is best rolled again: with most faces that are enough, then with the best mean."""
        score = self._with.mean(axis=2)
        if need is not None:
            score = score + 1000 * (self._with >= need).sum(axis=2)
        place: NDArray[Any] = score.argmax(axis=1)
        return place
