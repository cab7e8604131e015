"""The attack sequence of Age of Sigmar, by really rolling every die: all trials side by side in numpy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tcsim.aos.fights.sequence import BARE, NONE, PLAIN, USUAL, Modifiers, Profile, Readings, Target, has_ward
from tcsim.aos.fights.weapons import Fight
from tcsim.dice import Pool

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: About how many dice are held at once, so that memory does not grow with attacks and trials.
HELD = 1 << 20


def fought(fight: Fight, dice: Dice, trials: int | NDArray[np.int64]) -> NDArray[np.int64]:
    """Roll a fight in every trial.

    Parameters
    ----------
    fight : Fight
        Weapons, target, modifiers.
    dice : Dice
        The stream of dice.
    trials : int or array of int, shape (trials,)
        How many trials; or how often all the attacks are made in each, as once for each model that is left.

    Returns
    -------
    array of int, shape (trials,)
        Damage of all weapons, after the ward.
    """
    total = np.zeros(trials if isinstance(trials, int) else len(trials), np.int64)
    for weapon in fight.weapons:
        total += damage(weapon, dice, trials, fight.target, fight.modifiers, fight.readings)
    return total


def _attacks(number: int | Pool, dice: Dice, trials: int | NDArray[np.int64]) -> NDArray[np.int64]:
    """How many attacks there are in each trial."""
    if isinstance(trials, int):
        return amount(number, dice, trials)
    who = np.repeat(np.arange(len(trials)), trials)
    return np.bincount(who, amount(number, dice, len(who)), len(trials)).astype(np.int64)


def damage(
    profile: Profile,
    dice: Dice,
    trials: int | NDArray[np.int64],
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
    trials : int or array of int, shape (trials,)
        How many trials; or how often all its attacks are made in each.
    target, modifiers, readings
        As in :func:`tcsim.aos.fights.sequence.damage`.

    Returns
    -------
    array of int, shape (trials,)
        Damage after the ward; more than the unit has Health, too.
    """
    attacks = _attacks(profile.attacks, dice, trials)
    rolls = _Rolls(profile, target, modifiers, readings)
    together = max(1, HELD // max(1, int(attacks.max(initial=0))))
    starts = range(0, len(attacks), together)
    parts = [_damage(profile, dice, attacks[start : start + together], target, rolls) for start in starts]
    return np.concatenate(parts) if parts else attacks


class _Rolls:
    """What comes of the natural faces of a fight's D6."""

    def __init__(self, profile: Profile, target: Target, modifiers: Modifiers, readings: Readings) -> None:
        friendly = not profile.companion
        hit = sorted((-1, modifiers.hit + friendly * modifiers.hit_bonus, 1))[1]
        wound = sorted((-1, modifiers.wound + friendly * modifiers.wound_bonus, 1))[1]
        save = min(modifiers.save, 1) - profile.rend
        if readings.save_cap == "net":
            save = min(modifiers.save - profile.rend, 1)
        faces = np.arange(7)  # 0 stands first, so that a face is its own place
        one, six = faces == 1, faces == 6
        self._critical: NDArray[np.bool_] = faces >= profile.crit_on
        self._hits: NDArray[np.bool_] = ((faces + hit >= profile.hit) & ~one) | six | self._critical
        self._wounds: NDArray[np.bool_] = ((faces + wound >= profile.wound) & ~one) | (six & readings.wound6)
        self._saves: NDArray[np.bool_] = (faces + save >= target.save) & ~one & (target.save != NONE)
        self.again = modifiers.reroll_hits, modifiers.reroll_wounds, modifiers.reroll_saves

    def critical(self, faces: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether these are critical hits."""
        return self._critical[faces]

    def hits(self, faces: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether these hit."""
        return self._hits[faces]

    def wounds(self, faces: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether these wound."""
        return self._wounds[faces]

    def saves(self, faces: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether these save."""
        return self._saves[faces]


def hit_roll(
    profile: Profile, modifiers: Modifiers, first: NDArray[np.int64], second: NDArray[np.int64]
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Say which hit rolls hit.

    Parameters
    ----------
    profile : Profile
        The weapon.
    modifiers : Modifiers
        What changes the roll.
    first, second : array of int, shape (trials,)
        What the die shows, and what it shows when it is rolled again.

    Returns
    -------
    hit, critical : array of bool, shape (trials,)
        Whether it hits, and whether it is critical.
    """
    rolls = _Rolls(profile, BARE, modifiers, USUAL)
    faces = _ended(first, second, rolls.hits(first), modifiers.reroll_hits)
    return rolls.hits(faces), rolls.critical(faces)


def save_roll(fight: Fight, rend: int, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Say which save rolls save.

    Parameters
    ----------
    fight : Fight
        The target, the modifiers and the readings; its weapons do not matter.
    rend : int
        Rend of the attack.
    first, second : array of int, shape (trials,)
        What the die shows, and what it shows when it is rolled again.

    Returns
    -------
    array of bool, shape (trials,)
        Whether it saves.
    """
    rolls = _Rolls(Profile(1, 6, 6, rend), fight.target, fight.modifiers, fight.readings)
    return rolls.saves(_ended(first, second, rolls.saves(first), fight.modifiers.reroll_saves))


def _ended(
    first: NDArray[np.int64], second: NDArray[np.int64], passed: NDArray[np.bool_], again: str
) -> NDArray[np.int64]:
    """What dice show after those were rolled again that may be."""
    if again == "none":
        return first
    return np.where(first == 1 if again == "ones" else ~passed, second, first)


def _faces(dice: Dice, count: int, passes: Any, again: str) -> NDArray[np.int64]:
    """Roll D6, and those once more that may be."""
    faces = dice.d6(count)
    if again != "none":
        repeated = np.flatnonzero(faces == 1 if again == "ones" else ~passes(faces))
        faces[repeated] = dice.d6(len(repeated))
    return faces


def _damage(
    profile: Profile, dice: Dice, numbers: NDArray[np.int64], target: Target, rolls: _Rolls
) -> NDArray[np.int64]:
    trials = len(numbers)
    attacks = np.repeat(np.arange(trials), numbers)  # each by the trial that it belongs to, as hits and wounds below
    faces = _faces(dice, len(attacks), rolls.hits, rolls.again[0])
    hit, critical = rolls.hits(faces), rolls.critical(faces)
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
    pool = np.bincount(hurt, amount(profile.damage, dice, len(hurt)), trials).astype(np.int64)
    return warded(pool, target.ward, dice)


def amount(what: int | Pool, dice: Dice, count: int) -> NDArray[np.int64]:
    """Roll an amount so many times.

    Parameters
    ----------
    what : int or Pool
        A number, or dice; what would fall below 0 is 0.
    dice : Dice
        The stream of dice.
    count : int
        How many times.

    Returns
    -------
    array of int, shape (count,)
        The amounts.
    """
    if isinstance(what, int):
        return np.full(count, what)
    return np.maximum(dice.total(what, count), 0)


def warded(points: NDArray[np.int64], ward: int, dice: Dice) -> NDArray[np.int64]:
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
