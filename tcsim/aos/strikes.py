"""Attacks that come before a check of control: what is said of weapon and target, and attacks of models that are left.

How often a unit attacks depends on how many of its models are left, which differs from trial to trial: so each trial
may have its own number of attacks here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from tcsim.aos.common import Amount
from tcsim.aos.fight import CRITS, NONE, Profile, Target, attack
from tcsim.aos.spread import Spread
from tcsim.base.lang import mark
from tcsim.dice import Pool
from tcsim.questions.kinds import Whole, Word
from tcsim.questions.question import Asked, Input

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from tcsim.questions.rolling import Dice

#: The damage of Power Through.
D3 = Pool(keep=1, sides=3)

#: Attacks that are rolled at once, so that memory does not grow with them.
AT_ONCE = 1 << 21


def weapon_inputs(begin: str = "", needs: tuple[str, ...] = ("attacks",)) -> tuple[Input, ...]:
    """Give the inputs that say what a weapon is.

    Parameters
    ----------
    begin : str, optional
        What their names begin with, as ``A_``.
    needs : tuple of str, optional
        Inputs that they go with.

    Returns
    -------
    tuple of Input
        ``hit``, ``wound``, ``rend``, ``dmg``, ``crit``.
    """
    return (
        Input(f"{begin}hit", Whole(2, 6), mark("What its hit rolls need"), goes_with=needs),
        Input(f"{begin}wound", Whole(2, 6), mark("What its wound rolls need"), goes_with=needs),
        Input(f"{begin}rend", Whole(0, 6), mark("Its Rend"), default=0, goes_with=needs),
        Input(f"{begin}dmg", Amount(1, 20), mark("Its Damage"), default=1, goes_with=needs),
        Input(f"{begin}crit", Word(CRITS), mark("What a critical hit does"), default="none", goes_with=needs),
    )


def target_inputs(begin: str = "", needs: tuple[str, ...] = ()) -> tuple[Input, ...]:
    """Give the inputs that say what is struck.

    Parameters
    ----------
    begin : str, optional
        What their names begin with, as ``A_``.
    needs : tuple of str, optional
        Inputs that they go with.

    Returns
    -------
    tuple of Input
        ``save``, ``ward``, ``health``.
    """
    return (
        Input(
            f"{begin}save",
            Whole(2, NONE),
            mark("Save of the unit that is struck; 7 for none"),
            default=NONE,
            goes_with=needs,
        ),
        Input(f"{begin}ward", Whole(2, NONE), mark("Its ward; 7 for none"), default=NONE, goes_with=needs),
        Input(f"{begin}health", Whole(1, 50), mark("Health of each of its models"), default=1, goes_with=needs),
    )


@dataclass(frozen=True, slots=True)
class Strike:
    """A weapon of one unit, striking another.

    Parameters
    ----------
    profile : Profile
        The weapon; how often it attacks does not matter.
    target : Target
        The unit that is struck.
    attacks : int or Pool
        Attacks at a time.
    """

    profile: Profile
    target: Target
    attacks: int | Pool

    def damage(self, times: int = 1) -> Spread:
        """Give the damage, after the ward.

        Parameters
        ----------
        times : int, optional
            How often it attacks so many times: once, or once for each model.

        Returns
        -------
        Spread
            The damage; more than the target has Health, too.
        """
        return attack(self.profile, self.target).times(Spread.rolled(self.attacks).times(times).trimmed())

    def rolled(self, dice: Dice, times: NDArray[np.int64]) -> NDArray[np.int64]:
        """Roll all dice of it.

        Parameters
        ----------
        dice : Dice
            The dice.
        times : array of int, shape (trials,)
            How often it attacks so many times.

        Returns
        -------
        array of int, shape (trials,)
            The damage.
        """
        import numpy as np

        counts = times * self.attacks if isinstance(self.attacks, int) else _each(self.attacks, times, dice)
        done = np.zeros(len(counts), np.int64)
        step = max(1, AT_ONCE // max(1, int(counts.max(initial=0))))
        for start in range(0, len(counts), step):
            some = counts[start : start + step]
            done[start : start + step] = self._rolled(dice, np.repeat(np.arange(len(some)), some), len(some))
        return done

    def _rolled(self, dice: Dice, attacks: NDArray[np.int64], trials: int) -> NDArray[np.int64]:
        """Damage of attacks, each of which belongs to a trial."""
        import numpy as np

        weapon, struck = self.profile, self.target
        face = dice.d6(len(attacks))
        critical, hits = attacks[face == 6], attacks[(face > 1) & (face < 6) & (face >= weapon.hit)]
        straight = [critical] if weapon.crit == "mortal" else []
        wounds = [critical] if weapon.crit == "auto" else []
        again = {"none": 1, "2hits": 2}.get(weapon.crit, 0)
        hits = np.concatenate([hits, *[critical] * again])
        face = dice.d6(len(hits))
        wounding = np.concatenate([hits[(face > 1) & (face >= weapon.wound)], *wounds])
        if struck.save < NONE:
            face = dice.d6(len(wounding))
            wounding = wounding[(face == 1) | (face - weapon.rend < struck.save)]
        wounding = np.concatenate([wounding, *straight])
        amount = weapon.damage if isinstance(weapon.damage, int) else dice.total(weapon.damage, len(wounding))
        return warded(np.bincount(np.repeat(wounding, amount), minlength=trials), struck.ward, dice)


def _each(pool: Pool, times: NDArray[np.int64], dice: Dice) -> NDArray[np.int64]:
    """Sum of so many rolls in each trial."""
    import numpy as np

    who = np.repeat(np.arange(len(times)), times)
    return np.bincount(np.repeat(who, np.maximum(dice.total(pool, len(who)), 0)), minlength=len(times))


def warded(points: NDArray[np.int64], ward: int, dice: Dice) -> NDArray[np.int64]:
    """Roll a ward for each point of damage.

    Parameters
    ----------
    points : array of int, shape (trials,)
        The damage.
    ward : int
        The ward; 7 for none.
    dice : Dice
        The dice.

    Returns
    -------
    array of int, shape (trials,)
        What gets through.
    """
    import numpy as np

    if ward >= NONE:
        return points
    who = np.repeat(np.arange(len(points)), points)
    return np.bincount(who[dice.d6(len(who)) < ward], minlength=len(points))


def strike(asked: Asked, attacks: int | Pool, weapon: str = "", struck: str = "") -> Strike:
    """Read a weapon and what it strikes.

    Parameters
    ----------
    asked : Asked
        With the inputs of :func:`weapon_inputs` and :func:`target_inputs`.
    attacks : int or Pool
        Attacks at a time.
    weapon, struck : str, optional
        What the names of the inputs begin with.

    Returns
    -------
    Strike
        The same.
    """
    of = {name: asked[f"{weapon}{name}"] for name in ("hit", "wound", "rend", "dmg", "crit")}
    profile = Profile(1, of["hit"], of["wound"], of["rend"], of["dmg"], of["crit"])
    target = Target(asked[f"{struck}save"], asked[f"{struck}ward"], health=asked[f"{struck}health"])
    return Strike(profile, target, attacks)
