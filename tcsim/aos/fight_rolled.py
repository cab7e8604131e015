"""The attack sequence of Age of Sigmar, by really rolling every die: all trials side by side in numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tcsim.aos.fight import BARE, NONE, PLAIN, USUAL, Fight, Modifiers, Profile, Readings, Target, has_ward
from tcsim.dice import Pool

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: About how many dice are held at once, so that memory does not grow with attacks and trials.
HELD = 1 << 20


def fought(fight: Fight, dice: Dice, trials: int) -> NDArray[np.int64]:
    """Roll a fight in every trial.

    Parameters
    ----------
    fight : Fight
        Weapons, target, modifiers.
    dice : Dice
        The stream of dice.
    trials : int
        How many.

    Returns
    -------
    array of int, shape (trials,)
        Damage of all weapons, after the ward.
    """
    total = np.zeros(trials, np.int64)
    for weapon in fight.weapons:
        total += damage(weapon, dice, trials, fight.target, fight.modifiers, fight.readings)
    return total


def damage(
    profile: Profile,
    dice: Dice,
    trials: int,
    target: Target = BARE,
    modifiers: Modifiers = PLAIN,
    readings: Readings = USUAL,
) -> NDArray[np.int64]:
    """Roll all attacks of a weapon in every trial.

    Parameters
    ----------
    profile : Profile
        The weapon.
    dice : Dice
        The stream of dice.
    trials : int
        How many.
    target, modifiers, readings
        As in :func:`tcsim.aos.fight.damage`.

    Returns
    -------
    array of int, shape (trials,)
        Damage after the ward; more than the unit has Health, too.
    """
    most = profile.attacks if isinstance(profile.attacks, int) else max(profile.attacks.counts())
    together = max(1, HELD // max(most, 1))
    parts = [min(together, trials - done) for done in range(0, trials, together)]
    found = [_damage(profile, dice, part, target, _Rolls(profile, target, modifiers, readings)) for part in parts]
    return np.concatenate(found) if found else np.zeros(0, np.int64)


class _Rolls:
    """What the D6 of a fight need once they lie on the table: a natural face, and the same with its modifier."""

    def __init__(self, profile: Profile, target: Target, modifiers: Modifiers, readings: Readings) -> None:
        friendly = not profile.companion
        self.crit_on = profile.crit_on
        self.hit_needs, self.hit = profile.hit, np.clip(modifiers.hit + friendly * modifiers.hit_bonus, -1, 1)
        self.wound_needs = profile.wound
        self.wound = np.clip(modifiers.wound + friendly * modifiers.wound_bonus, -1, 1)
        self.six_wounds = readings.wound6
        self.save_needs, rend = target.save, profile.rend
        held = readings.save_cap == "net"
        self.save = np.minimum(modifiers.save - rend, 1) if held else np.minimum(modifiers.save, 1) - rend
        self.again = modifiers.reroll_hits, modifiers.reroll_wounds, modifiers.reroll_saves

    def hits(self, faces: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether these hit."""
        sure = (faces == 6) | (faces >= self.crit_on)
        enough: NDArray[np.bool_] = faces + self.hit >= self.hit_needs
        return (enough & (faces != 1)) | sure

    def wounds(self, faces: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether these wound."""
        enough: NDArray[np.bool_] = faces + self.wound >= self.wound_needs
        return (enough & (faces != 1)) | ((faces == 6) & self.six_wounds)

    def saves(self, faces: NDArray[Any]) -> NDArray[np.bool_]:
        """Whether these save."""
        enough: NDArray[np.bool_] = faces + self.save >= self.save_needs
        return enough & (faces != 1) & (self.save_needs != NONE)


def _faces(dice: Dice, count: int, passes: Any, again: str) -> NDArray[np.int64]:
    """Roll D6, and those once more that may be."""
    faces = dice.d6(count)
    if again != "none":
        repeated = np.flatnonzero(faces == 1 if again == "ones" else ~passes(faces))
        faces[repeated] = dice.d6(len(repeated))
    return faces


def _damage(profile: Profile, dice: Dice, trials: int, target: Target, rolls: _Rolls) -> NDArray[np.int64]:
    # attacks, hits, wounds are lists of the trials that they belong to
    attacks = np.repeat(np.arange(trials), _amount(profile.attacks, dice, trials))
    faces = _faces(dice, len(attacks), rolls.hits, rolls.again[0])
    hit, critical = rolls.hits(faces), faces >= rolls.crit_on
    none, criticals = attacks[:0], attacks[critical]
    wounded, mortal = none, none  # without a wound roll, and without a save
    if profile.crit == "none":
        hits = attacks[hit]
    elif profile.crit == "2hits":
        hits = np.concatenate([attacks[hit], criticals])
    else:
        hits = attacks[hit & ~critical]
        wounded, mortal = (criticals, none) if profile.crit == "auto" else (none, criticals)
    wounds = hits[rolls.wounds(_faces(dice, len(hits), rolls.wounds, rolls.again[1]))]
    wounds = np.concatenate([wounds, wounded])
    unsaved = wounds[~rolls.saves(_faces(dice, len(wounds), rolls.saves, rolls.again[2]))]
    hurt = np.concatenate([unsaved, mortal])
    pool = np.bincount(hurt, _amount(profile.damage, dice, len(hurt)), trials).astype(np.int64)
    return through(pool, target.ward, dice)


def _amount(what: int | Pool, dice: Dice, count: int) -> NDArray[np.int64]:
    """A number, or a roll, for each."""
    if isinstance(what, int):
        return np.full(count, what)
    return np.maximum(dice.total(what, count), 0)


def through(points: NDArray[np.int64], ward: int, dice: Dice) -> NDArray[np.int64]:
    """Roll a ward for each point of damage.

    Parameters
    ----------
    points : array of int, shape (trials,)
        Damage, mortal damage too.
    ward : int
        The ward; 7 or 0 for none.
    dice : Dice
        The stream of dice.

    Returns
    -------
    array of int, shape (trials,)
        The damage that gets through.
    """
    if not has_ward(ward):
        return points
    each = np.repeat(np.arange(len(points)), points)
    return np.bincount(each[dice.d6(len(each)) < ward], minlength=len(points))


def slain(points: NDArray[np.int64], target: Target) -> NDArray[np.int64]:
    """Remove models, one after the other.

    Parameters
    ----------
    points : array of int, shape (trials,)
        Damage after the ward.
    target : Target
        The unit.

    Returns
    -------
    array of int, shape (trials,)
        Models slain.
    """
    left = points - (target.health - target.wounded)  # after the first model, which may have taken damage before
    gone = np.where(left >= 0, left // target.health + 1, 0)
    return gone if target.models is None else np.minimum(gone, target.models)
