"""The attack sequence of Age of Sigmar, exactly: hit, wound, save, damage, ward, and the models it removes.

An attack rolls to hit, its hits roll to wound, the target saves; what is not saved adds its Damage to a pool, of which
each point may be warded off, and the rest is allocated point by point: to one model until it is slain, then to the
next. So all that the target remembers is how much damage it has taken, and attacks one after the other add up.

Rules: core rules of the third and the fourth edition, attack sequence (they agree in these steps); critical abilities,
companion weapons and wards as in the fourth.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from tcsim.aos.spread import Spread
from tcsim.base.lang import mark
from tcsim.dice import Pool

#: A Save or Ward characteristic that is none.
NONE = 7

#: Critical abilities of a weapon: what a critical hit does.
CRITS = {
    "none": mark("a hit like any other"),
    "2hits": mark("Crit (2 Hits): two hits, each with its wound roll"),
    "auto": mark("Crit (Auto-wound): no wound roll"),
    "mortal": mark("Crit (Mortal): mortal damage, no wound roll and no save"),
}


@dataclass(frozen=True, slots=True)
class Profile:
    """A weapon, and how often it attacks.

    Parameters
    ----------
    attacks : int or Pool
        How many attacks all its models make together.
    hit, wound : int
        What their D6 need, 2 to 6.
    rend : int, optional
        What it takes from save rolls.
    damage : int or Pool, optional
        Damage of an attack that is not saved.
    crit : str, optional
        What a critical hit does: a word of :data:`CRITS`.
    companion : bool, optional
        A companion weapon: friendly bonuses do not count for it, except for that of All-out Attack.
    crit_on : int, optional
        Natural hit rolls of this or more are critical.
    """

    attacks: int | Pool
    hit: int
    wound: int
    rend: int = 0
    damage: int | Pool = 1
    crit: str = "none"
    companion: bool = False
    crit_on: int = 6


@dataclass(frozen=True, slots=True)
class Target:
    """A unit that is attacked.

    Parameters
    ----------
    save : int, optional
        Its Save; 7 for none.
    ward : int, optional
        Its ward; 7 or 0 for none.
    models : int or None, optional
        How many models it has; None for more than any damage removes.
    health : int, optional
        Health of each.
    wounded : int, optional
        Damage that its first model has taken before, less than ``health``.
    """

    save: int = NONE
    ward: int = NONE
    models: int | None = None
    health: int = 1
    wounded: int = 0

    @property
    def lethal(self) -> int | None:
        """The damage that destroys it; None where there is no end of models."""
        return None if self.models is None else self.models * self.health - self.wounded


@dataclass(frozen=True, slots=True)
class Modifiers:
    """What changes the rolls: sums, before they are held to their limits.

    Parameters
    ----------
    hit, wound : int, optional
        That count for every weapon: penalties, and All-out Attack.
    hit_bonus, wound_bonus : int, optional
        Other friendly bonuses, which do not count for companion weapons.
    save : int, optional
        Of the target's save rolls, rend left out.
    reroll_hits, reroll_wounds, reroll_saves : str, optional
        Which dice are rolled again, once: ``none``, ``ones`` or ``failed``, with their modifiers.
    """

    hit: int = 0
    wound: int = 0
    hit_bonus: int = 0
    wound_bonus: int = 0
    save: int = 0
    reroll_hits: str = "none"
    reroll_wounds: str = "none"
    reroll_saves: str = "none"

    def to_hit(self, profile: Profile) -> int:
        """Give the modifier of a weapon's hit rolls.

        Parameters
        ----------
        profile : Profile
            The weapon.

        Returns
        -------
        int
            -1, 0 or 1: the sum, held.
        """
        return held(self.hit + (0 if profile.companion else self.hit_bonus))

    def to_wound(self, profile: Profile) -> int:
        """Give the modifier of a weapon's wound rolls.

        Parameters
        ----------
        profile : Profile
            The weapon.

        Returns
        -------
        int
            -1, 0 or 1: the sum, held.
        """
        return held(self.wound + (0 if profile.companion else self.wound_bonus))


@dataclass(frozen=True, slots=True)
class Readings:
    """What the rules leave open.

    Parameters
    ----------
    wound6 : bool, optional
        Whether a natural 6 always wounds; it matters for 6+ at -1 only.
    save_cap : str, optional
        Where the limit of +1 to a save holds: on the ``net`` of bonuses and rend, or on the ``bonus`` alone.
    """

    wound6: bool = True
    save_cap: str = "net"

    def to_save(self, bonus: int, rend: int) -> int:
        """Give the modifier of a save roll.

        Parameters
        ----------
        bonus : int
            Sum of the modifiers, rend left out.
        rend : int
            Rend of the attack.

        Returns
        -------
        int
            At most 1; there is no limit below.
        """
        return min(bonus - rend, 1) if self.save_cap == "net" else min(bonus, 1) - rend


#: No modifiers, the usual readings, a target that is only hit and wounded.
PLAIN, USUAL, BARE = Modifiers(), Readings(), Target()


def held(modifier: int) -> int:
    """Hold the sum of modifiers of a hit or wound roll to its limits.

    Parameters
    ----------
    modifier : int
        The sum.

    Returns
    -------
    int
        -1, 0 or 1.
    """
    return max(-1, min(1, modifier))


def _roll(passing: list[bool], reroll: str) -> list[Fraction]:
    """Chance that a D6 ends on each face from 1 on, some of them rolled again once."""
    again = [not one if reroll == "failed" else reroll == "ones" and face == 0 for face, one in enumerate(passing)]
    second = Fraction(sum(again), 36)
    return [second + (0 if repeated else Fraction(1, 6)) for repeated in again]


def to_hit(profile: Profile, modifiers: Modifiers = PLAIN) -> tuple[Fraction, Fraction]:
    """Give the chances of a hit roll.

    Parameters
    ----------
    profile : Profile
        The weapon.
    modifiers : Modifiers, optional
        What changes the roll.

    Returns
    -------
    hit, critical : Fraction
        The chance of a hit, and of a critical one, which is a part of it.

    Examples
    --------
    >>> to_hit(Profile(1, hit=6, wound=4), Modifiers(hit=-1))
    (Fraction(1, 6), Fraction(1, 6))
    """
    modifier = modifiers.to_hit(profile)
    critical = [face >= profile.crit_on for face in range(1, 7)]
    passing = [face + modifier >= profile.hit and face > 1 for face in range(1, 7)]
    passing = [one or better for one, better in zip(passing, critical, strict=True)]  # a natural 6 among them
    faces = _roll(passing, modifiers.reroll_hits)
    return _sum(faces, passing), _sum(faces, critical)


def to_wound(profile: Profile, modifiers: Modifiers = PLAIN, readings: Readings = USUAL) -> Fraction:
    """Give the chance of a wound roll.

    Parameters
    ----------
    profile : Profile
        The weapon.
    modifiers : Modifiers, optional
        What changes the roll.
    readings : Readings, optional
        Whether a natural 6 always wounds.

    Returns
    -------
    Fraction
        The chance that a hit wounds.
    """
    modifier = modifiers.to_wound(profile)
    passing = [
        face > 1 and (face + modifier >= profile.wound or (face == 6 and readings.wound6)) for face in range(1, 7)
    ]
    return _sum(_roll(passing, modifiers.reroll_wounds), passing)


def to_save(save: int, rend: int, modifiers: Modifiers = PLAIN, readings: Readings = USUAL) -> Fraction:
    """Give the chance of a save roll.

    Parameters
    ----------
    save : int
        The Save; 7 for none, which no bonus helps.
    rend : int
        Rend of the attack.
    modifiers : Modifiers, optional
        What changes the roll.
    readings : Readings, optional
        Where the limit of +1 holds.

    Returns
    -------
    Fraction
        The chance that it is saved. A natural 1 fails, a natural 6 saves nothing by itself.

    Examples
    --------
    >>> to_save(6, 1), to_save(6, 1, Modifiers(save=1))
    (Fraction(0, 1), Fraction(1, 6))
    """
    if save >= NONE:
        return Fraction(0)
    modifier = readings.to_save(modifiers.save, rend)
    passing = [face > 1 and face + modifier >= save for face in range(1, 7)]
    return _sum(_roll(passing, modifiers.reroll_saves), passing)


def _sum(faces: list[Fraction], passing: list[bool]) -> Fraction:
    return sum((p for p, one in zip(faces, passing, strict=True) if one), Fraction(0))


def through(amount: int | Pool | Spread, ward: int) -> Spread:
    """Roll a ward for each point of damage, mortal damage as any other.

    Parameters
    ----------
    amount : int, Pool or Spread
        The damage.
    ward : int
        The ward; 7 or 0 for none.

    Returns
    -------
    Spread
        The damage that gets through.

    Examples
    --------
    >>> through(Pool(keep=1, sides=3), 5).mean()
    Fraction(4, 3)
    """
    damage = amount if isinstance(amount, Spread) else Spread.rolled(amount)
    if not has_ward(ward):
        return damage
    return Spread.chance(Fraction(ward - 1, 6)).times(damage)


def has_ward(ward: int) -> bool:
    """Say whether there is a ward.

    Parameters
    ----------
    ward : int
        The ward; 7 or 0 for none.

    Returns
    -------
    bool
        Whether it is rolled.
    """
    return 0 < ward < NONE


def attack(profile: Profile, target: Target = BARE, modifiers: Modifiers = PLAIN, readings: Readings = USUAL) -> Spread:
    """Give the damage of one attack, after the ward.

    Parameters
    ----------
    profile : Profile
        The weapon; how often it attacks does not matter.
    target : Target, optional
        The unit that is attacked.
    modifiers : Modifiers, optional
        What changes the rolls.
    readings : Readings, optional
        What the rules leave open.

    Returns
    -------
    Spread
        The damage.

    Examples
    --------
    >>> attack(Profile(1, 3, 3, 1), Target(save=4)).pmf()
    (Fraction(19, 27), Fraction(8, 27))
    """
    hit, critical = to_hit(profile, modifiers)
    unsaved = 1 - to_save(target.save, profile.rend, modifiers, readings)
    wounds = to_wound(profile, modifiers, readings) * unsaved
    nothing, damage = Spread.fixed(0), through(profile.damage, target.ward)
    a_hit = Spread.mixed([(1 - wounds, nothing), (wounds, damage)])
    a_critical = {
        "none": a_hit,
        "2hits": a_hit.then(a_hit),
        "auto": Spread.mixed([(1 - unsaved, nothing), (unsaved, damage)]),
        "mortal": damage,
    }[profile.crit]
    return Spread.mixed([(1 - hit, nothing), (hit - critical, a_hit), (critical, a_critical)])


def parts(
    profile: Profile, target: Target = BARE, modifiers: Modifiers = PLAIN, readings: Readings = USUAL
) -> list[tuple[Spread, int]]:
    """Give the damage of all attacks of a weapon as a sum, which other sums are added to in no time.

    Parameters
    ----------
    profile, target, modifiers, readings
        As in :func:`damage`.

    Returns
    -------
    list of (Spread, int)
        Damage, and how often there is as much of it: a part for each attack, or for each die of their number.
    """
    each, number = attack(profile, target, modifiers, readings), profile.attacks
    if isinstance(number, int):
        return [(each, number)]
    if number.net or number.added or number.modifier < 0:
        return [(each.times(Spread.rolled(number)), 1)]
    die = Spread.rolled(Pool(keep=1, sides=number.sides))
    return [(each.times(die), number.keep), (each, number.modifier)]


def damage(profile: Profile, target: Target = BARE, modifiers: Modifiers = PLAIN, readings: Readings = USUAL) -> Spread:
    """Give the damage of all attacks of a weapon, after the ward.

    Damage of several weapons, or of several attack abilities one after the other, is the sum: ``one.then(other)``.

    Parameters
    ----------
    profile : Profile
        The weapon.
    target : Target, optional
        The unit that is attacked.
    modifiers : Modifiers, optional
        What changes the rolls.
    readings : Readings, optional
        What the rules leave open.

    Returns
    -------
    Spread
        The damage; more than the unit has Health, too.

    Examples
    --------
    >>> damage(Profile(10, 3, 3, 1), Target(save=4), Modifiers(hit=1)).mean()
    Fraction(100, 27)
    """
    return Spread.summed(parts(profile, target, modifiers, readings))


def slain(dealt: Spread, target: Target) -> Spread:
    """Give how many models are slain by damage, which spills over from one to the next.

    Parameters
    ----------
    dealt : Spread
        The damage, after the ward.
    target : Target
        The unit: models, Health, and damage on the first one.

    Returns
    -------
    Spread
        Models slain.

    Examples
    --------
    >>> slain(Spread.fixed(4), Target(models=5, health=2, wounded=1)).mean()
    Fraction(2, 1)
    """
    gone = dealt.mapped(lambda points: (target.wounded + points) // target.health)
    return gone if target.models is None else gone.held(target.models)


def destroyed(dealt: Spread, target: Target) -> Fraction:
    """Give the chance that a unit is destroyed.

    Parameters
    ----------
    dealt : Spread
        The damage, after the ward.
    target : Target
        The unit.

    Returns
    -------
    Fraction
        In [0, 1]; 0 where the unit has no end of models.
    """
    return Fraction(0) if target.lethal is None else dealt.at_least(target.lethal)
