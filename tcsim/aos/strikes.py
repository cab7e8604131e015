"""Attacks that come before a check of control, of as many models as are left.

How often a unit attacks depends on how many of its models are left, which differs from trial to trial: so each trial
may have its own number of attacks here.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from typing import TYPE_CHECKING

from tcsim.aos.fight import NONE, Profile, Target, attack
from tcsim.aos.spread import Spread
from tcsim.aos.weapons import Needed
from tcsim.base.lang import mark
from tcsim.dice import Pool
from tcsim.questions.kinds import Whole
from tcsim.questions.question import Input

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tcsim.questions.rolling import Dice

#: The damage of Power Through.
D3 = Pool(keep=1, sides=3)


def ward_input(name: str, needs: tuple[str, ...] = ()) -> Input:
    """Give the input of a ward.

    Parameters
    ----------
    name : str
        Its name.
    needs : tuple of str, optional
        Inputs that it goes with.

    Returns
    -------
    Input
        None where it is left out.
    """
    return Input(
        name, Needed(2, none=True), mark("Its ward, rolled for each point of damage"), default=NONE, goes_with=needs
    )


def save_input(name: str, needs: tuple[str, ...] = ()) -> Input:
    """Give the input of a Save.

    Parameters
    ----------
    name : str
        Its name.
    needs : tuple of str, optional
        Inputs that it goes with.

    Returns
    -------
    Input
        None where it is left out.
    """
    return Input(name, Needed(2, none=True), mark("Save of the unit that is attacked"), default=NONE, goes_with=needs)


def health_input(name: str, needs: tuple[str, ...] = ()) -> Input:
    """Give the input of a Health.

    Parameters
    ----------
    name : str
        Its name.
    needs : tuple of str, optional
        Inputs that it goes with.

    Returns
    -------
    Input
        1 where it is left out.
    """
    return Input(name, Whole(1, 50), mark("Health of each of its models"), default=1, goes_with=needs)


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

        from tcsim.aos.fight_rolled import damage

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
