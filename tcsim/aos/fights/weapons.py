"""Weapons, how people write them, and a fight of several of them."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from tcsim.aos.common import Amount
from tcsim.aos.fights.sequence import BARE, CRITS, NONE, PLAIN, USUAL, Modifiers, Profile, Readings, Target, parts
from tcsim.aos.spread import Spread
from tcsim.base.errors import InputError, did_you_mean, show
from tcsim.base.lang import tr
from tcsim.base.numbers import whole_number
from tcsim.questions.kinds import NO_DICE, Whole, wrong

#: How a weapon is written.
WEAPON = "10x3+/3+/-1/D3"

#: What may stand behind its characteristics; 5+ for criticals on a 5.
_WORDS = (*CRITS, "companion", "5+")


@dataclass(frozen=True, slots=True)
class Needed:
    """What a D6 needs: ``4+``, or 4; ``none`` where there may be no such roll.

    Parameters
    ----------
    low : int
        Smallest allowed.
    none : bool, optional
        Whether there may be none, which is 7; a 0 is none, too.

    Examples
    --------
    >>> Needed(2).read("4+"), Needed(2, none=True).read("none")
    (4, 7)
    """

    low: int
    none: bool = False
    metavar = "N+"
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        if self.none:
            return tr("{low}+ to 6+, or none", low=self.low)
        return tr("{low}+ to 6+", low=self.low)

    def read(self, value: Any) -> int:
        """Read ``4+``, ``4`` or ``none``."""
        text = value.strip().casefold() if isinstance(value, str) else value
        if self.none and (text in ("none", "-", "0", "7") or (type(text) is int and text in (0, NONE))):
            return NONE
        number = whole_number(text.removesuffix("+")) if isinstance(text, str) else text
        if type(number) is not int or not self.low <= number <= 6:
            raise wrong(value, self)
        return number

    def write(self, value: int) -> int | str:
        """Write the number."""
        return NO_DICE if value == NONE else value


@dataclass(frozen=True, slots=True)
class Rend:
    """Rend of a weapon: ``1``, or ``-1`` as many write it.

    Examples
    --------
    >>> Rend().read("-1"), Rend().read(2)
    (1, 2)
    """

    metavar = "N"
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return tr("a whole number from 0 to 6 (-1 is 1)")

    def read(self, value: Any) -> int:
        """Read it without its sign."""
        if isinstance(value, str) and value.strip() == "-":
            return 0
        try:
            return abs(Whole(-6, 6).read(value))
        except InputError:
            raise wrong(value, self) from None

    def write(self, value: int) -> int:
        """Write it without a sign."""
        return value


#: What each part of a weapon may be.
ATTACKS, ROLL, REND, DAMAGE = Amount(1, 300), Needed(2), Rend(), Amount(1, 100)


@dataclass(frozen=True, slots=True)
class Weapons:
    """Weapons of a unit: ``ATTACKSxHIT/WOUND/REND/DAMAGE``, then what they can do besides; commas between them.

    Parameters
    ----------
    most : int, optional
        How many there may be; at least one.

    Examples
    --------
    >>> (one,) = Weapons().read("10x 3+/3+/-1/D3/2hits/companion")
    >>> one.rend, one.crit, one.companion
    (1, '2hits', True)
    >>> Weapons().write((one,))
    '10x3+/3+/1/D3/2hits/companion'
    """

    most: int = 12
    metavar = "WEAPON,WEAPON…"
    words = ()

    @property
    def allowed(self) -> str:
        """What may be given, in words."""
        return tr(
            "1 to {most} weapons with commas between them, each attacks x hit / wound / rend / damage, as {example}, "
            "and then what else it has: {words}",
            most=self.most,
            example=WEAPON,
            words=", ".join(_WORDS),
        )

    def read(self, value: Any) -> tuple[Profile, ...]:
        """Read weapons; a text, or a list of texts."""
        parts: list[Any] = []
        for part in list(value) if isinstance(value, (list, tuple)) else [value]:
            parts += part.split(",") if isinstance(part, str) else [part]
        if not 1 <= len(parts) <= self.most:
            raise wrong(value, self)
        return tuple(self._weapon(part) for part in parts)

    def _weapon(self, value: Any) -> Profile:
        match = re.fullmatch(r"(?:([^x×/]+)[x×])?([^x×]*)", value.strip()) if isinstance(value, str) else None
        pieces = [piece.strip() for piece in match[2].split("/")] if match else []
        if match is None or len(pieces) < 4:
            raise wrong(value, self)
        hit, wound, rend, damage, *more = pieces
        try:
            profile: dict[str, Any] = {
                "attacks": ATTACKS.read(match[1] or "1"),
                "hit": ROLL.read(hit),
                "wound": ROLL.read(wound),
                "rend": REND.read(rend),
                "damage": DAMAGE.read(damage),
            }
            for word in more:
                said = _more(word.casefold())
                if said.keys() & profile.keys():
                    raise InputError(f"{show(word)} is given, after another word that says as much")
                profile |= said
        except InputError as error:
            raise InputError(f"of the weapon {show(value)}: {error}") from None
        return Profile(**profile)

    def write(self, value: tuple[Profile, ...]) -> str:
        """Write them with commas."""
        return ",".join(map(_written, value))


def _more(word: str) -> dict[str, Any]:
    """What a word behind the characteristics of a weapon says."""
    if word in CRITS:
        return {"crit": word}
    if word == "companion":
        return {"companion": True}
    if re.fullmatch(r"[2-6]\+", word):
        return {"crit_on": int(word[0])}
    raise InputError(f"{show(word)} is given, {', '.join(_WORDS)} are allowed{did_you_mean(word, _WORDS)}")


def _written(one: Profile) -> str:
    more = [one.crit] * (one.crit != "none") + [f"{one.crit_on}+"] * (one.crit_on != 6) + ["companion"] * one.companion
    parts = [f"{one.hit}+", f"{one.wound}+", one.rend, DAMAGE.write(one.damage), *more]
    return f"{ATTACKS.write(one.attacks)}x" + "/".join(map(str, parts))


@dataclass(frozen=True, slots=True)
class Fight:
    """Weapons that attack a target, one after the other, in an attack ability or several.

    Parameters
    ----------
    weapons : tuple of Profile
        The weapons, at least one.
    target : Target, optional
        The unit that is attacked.
    modifiers : Modifiers, optional
        What changes the rolls of all of them.
    readings : Readings, optional
        What the rules leave open.
    """

    weapons: tuple[Profile, ...]
    target: Target = BARE
    modifiers: Modifiers = PLAIN
    readings: Readings = USUAL

    def damage(self, times: int = 1) -> Spread:
        """Give the damage of all weapons, after the ward.

        Parameters
        ----------
        times : int, optional
            How often all the attacks are made: once, or once for each model.

        Returns
        -------
        Spread
            The damage; more than the unit has Health, too.
        """
        return Spread.summed((each, number * times) for each, number in self.parts())

    def mean(self) -> Fraction:
        """Give the mean of the damage, which takes no spread of all of it.

        Returns
        -------
        Fraction
            As of :meth:`damage`.
        """
        return sum((number * one.mean() for one, number in self.parts()), Fraction(0))

    def parts(self) -> list[tuple[Spread, int]]:
        """Give the damage as a sum: see :func:`tcsim.aos.fights.sequence.parts`.

        Returns
        -------
        list of (Spread, int)
            Damage, and how often there is as much of it.
        """
        each = (parts(weapon, self.target, self.modifiers, self.readings) for weapon in self.weapons)
        return [part for some in each for part in some]

    def changed(self, **by: int) -> Fight:
        """Give the same fight with other modifiers.

        Parameters
        ----------
        **by : int
            Added to modifiers, as ``hit=1``: All-out Attack.

        Returns
        -------
        Fight
            The same else.

        Examples
        --------
        >>> Fight((Profile(1, 4, 4),)).changed(hit=1).modifiers.hit
        1
        """
        more = {name: getattr(self.modifiers, name) + change for name, change in by.items()}
        return replace(self, modifiers=replace(self.modifiers, **more))
