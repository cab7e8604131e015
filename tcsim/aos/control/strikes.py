"""Attacks that come before a check of control, of as many models as are left.

How often a unit attacks depends on how many of its models are left, which differs from trial to trial: so each trial
may have its own number of attacks here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from tcsim.aos.fights.sequence import NONE, Profile, Target, attack
from tcsim.aos.fights.weapons import Needed
from tcsim.aos.spread import Spread
from tcsim.base.lang import mark
from tcsim.dice import Pool
from tcsim.questions.kinds import Whole
from tcsim.questions.question import Input

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tcsim.questions.rolling import Dice


#: What is said of the unit of each player.
_SAVES = {"A": mark("Save of A's unit"), "B": mark("Save of B's unit")}
_WARDS = {
    "A": mark("Ward of A's unit, rolled for each point of damage"),
    "B": mark("Ward of B's unit, rolled for each point of damage"),
}
_HEALTHS = {"A": mark("Health of each model of A's unit"), "B": mark("Health of each model of B's unit")}
_WOUNDED = {
    "A": mark("Damage that the first model of A's unit has already"),
    "B": mark("Damage that the first model of B's unit has already"),
}


def save_input(whose: str, name: str, needs: tuple[str, ...] = ()) -> Input:
    """Give the input of a Save.

    Parameters
    ----------
    whose : str
        ``A`` or ``B``.
    name : str
        Its name.
    needs : tuple of str, optional
        Inputs that it goes with.

    Returns
    -------
    Input
        No Save where it is left out.
    """
    return Input(name, Needed(2, none=True), _SAVES[whose], default=NONE, goes_with=needs)


def body_inputs(
    whose: str, ward: str, health: str, wounded: str = "", needs: tuple[str, ...] = ()
) -> tuple[Input, ...]:
    """Give the inputs of what damage comes to.

    Parameters
    ----------
    whose : str
        ``A`` or ``B``.
    ward, health : str
        Their names.
    wounded : str, optional
        Name of that of damage on the first model; empty where it is not asked for.
    needs : tuple of str, optional
        Inputs that they go with.

    Returns
    -------
    tuple of Input
        No ward, Health 1 and no damage where they are left out.
    """
    first = Input(wounded, Whole(0, 49), _WOUNDED[whose], default=0, goes_with=needs)
    return (
        Input(ward, Needed(2, none=True), _WARDS[whose], default=NONE, goes_with=needs),
        Input(health, Whole(1, 50), _HEALTHS[whose], default=1, goes_with=needs),
        *((first,) if wounded else ()),
    )


@dataclass(frozen=True, slots=True)
class Strike:
    """Weapons of a unit, striking another.

    Parameters
    ----------
    weapons : tuple of Profile
        The weapons, and how often they attack at a time.
    target : Target
        The unit that is struck.
    """

    weapons: tuple[Profile, ...]
    target: Target

    def damage(self, times: int = 1) -> Spread:
        """Give the damage, after the ward.

        Parameters
        ----------
        times : int, optional
            How often they attack: once, or once for each model.

        Returns
        -------
        Spread
            The damage; more than the target has Health, too.
        """
        each = (
            attack(weapon, self.target).times(Spread.rolled(weapon.attacks).times(times).trimmed())
            for weapon in self.weapons
        )
        return reduce(Spread.then, each).trimmed()

    def rolled(self, dice: Dice, times: NDArray[np.int64]) -> NDArray[np.int64]:
        """Roll all dice of it.

        Parameters
        ----------
        dice : Dice
            The dice.
        times : array of int, shape (trials,)
            How often they attack.

        Returns
        -------
        array of int, shape (trials,)
            The damage.
        """
        import numpy as np

        from tcsim.aos.fights.rolled import damage

        found = np.zeros(len(times), np.int64)
        for weapon in self.weapons:
            often = weapon.attacks
            counts = times * often if isinstance(often, int) else _each(often, times, dice)
            found += damage(weapon, dice, counts, self.target)
        return found


def _each(pool: Pool, times: NDArray[np.int64], dice: Dice) -> NDArray[np.int64]:
    """Sum of so many rolls in each trial."""
    import numpy as np

    who = np.repeat(np.arange(len(times)), times)
    return np.bincount(np.repeat(who, np.maximum(dice.total(pool, len(who)), 0)), minlength=len(times))
