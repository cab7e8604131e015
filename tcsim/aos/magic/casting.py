"""Casting rolls and unbinding rolls: what both editions share, and the contest of casters and unbinders over a phase.

A casting roll is 2D6 and its modifier, at least the casting value; two natural 1s or more are a miscast whatever the
modifier. An unbinding roll is 2D6 and its modifier, and has to be more than the casting roll; each successful cast can
be answered once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple

from tcsim.aos.common import TWO_D6

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: Natural 1s that make a miscast.
ONES = 2


@dataclass(frozen=True, slots=True)
class CastingDice:
    """The dice of a casting roll.

    Parameters
    ----------
    count : int, optional
        How many D6 are rolled.
    kept : int, optional
        How many of them, the highest, are added up; all of them may make a miscast.
    """

    count: int = 2
    kept: int = 2


TWO_DICE = CastingDice()


@cache
def rolls(dice: CastingDice = TWO_DICE) -> dict[int | None, Fraction]:
    """Give the chances of casting rolls.

    Parameters
    ----------
    dice : CastingDice, optional
        Default: two.

    Returns
    -------
    dict of int or None to Fraction
        Total without modifiers to its chance; None is a miscast.

    Examples
    --------
    >>> rolls()[None], rolls()[7]
    (Fraction(1, 36), Fraction(1, 6))
    """
    found: dict[int | None, int] = {}
    for faces in product(range(1, 7), repeat=dice.count):
        total = None if faces.count(1) >= ONES else sum(sorted(faces)[-dice.kept :])
        found[total] = found.get(total, 0) + 1
    return {total: Fraction(ways, 6**dice.count) for total, ways in found.items()}


def cast_chance(cv: int, mod: int = 0, dice: CastingDice = TWO_DICE) -> Fraction:
    """Chance of a cast, before anyone unbinds it.

    Parameters
    ----------
    cv : int
        Casting value.
    mod : int, optional
        Sum of modifiers to the casting roll.
    dice : CastingDice, optional
        Default: two.

    Returns
    -------
    Fraction
        Probability in [0, 1].

    Examples
    --------
    >>> cast_chance(7), cast_chance(5, 3)
    (Fraction(7, 12), Fraction(35, 36))
    """
    return sum((p for total, p in rolls(dice).items() if total is not None and total + mod >= cv), Fraction(0))


def unbound_chance(casting_roll: int, mods: Sequence[int]) -> Fraction:
    """Chance that a casting roll is beaten, by the best of the unbinders: one of them may try.

    Parameters
    ----------
    casting_roll : int
        With its modifiers.
    mods : sequence of int
        Modifier of each unbinder; empty for none.

    Returns
    -------
    Fraction
        Probability in [0, 1].

    Examples
    --------
    >>> unbound_chance(7, [0]), unbound_chance(7, [])
    (Fraction(5, 12), Fraction(0, 1))
    """
    return TWO_D6.at_least(casting_roll + 1 - max(mods)) if mods else Fraction(0)


def resolves_chance(cv: int, mod: int = 0, unbinders: Sequence[int] = (), dice: CastingDice = TWO_DICE) -> Fraction:
    """Chance that a spell is cast and not unbound.

    Parameters
    ----------
    cv : int
        Casting value.
    mod : int, optional
        Sum of modifiers to the casting roll.
    unbinders : sequence of int, optional
        Modifier of each unbinder; none by default.
    dice : CastingDice, optional
        Default: two.

    Returns
    -------
    Fraction
        Probability in [0, 1].

    Examples
    --------
    >>> resolves_chance(5, 0, [0])
    Fraction(29, 54)
    """
    stands = {
        total: p * (1 - unbound_chance(total + mod, unbinders)) for total, p in rolls(dice).items() if total is not None
    }
    return sum((p for total, p in stands.items() if total + mod >= cv), Fraction(0))


def cast_rolled(dice: Dice, trials: int, how: CastingDice = TWO_DICE) -> tuple[Any, Any]:
    """Roll casting rolls.

    Parameters
    ----------
    dice : Dice
        The dice.
    trials : int
        How many.
    how : CastingDice, optional
        Default: two.

    Returns
    -------
    array of int, array of bool; shape (trials,)
        Totals without modifiers, and which of them are miscasts.
    """
    import numpy as np

    faces = np.sort(dice.roll(trials, how.count), axis=1)
    return faces[:, -how.kept :].sum(axis=1), faces[:, 1] == 1  # the two lowest are 1s


class Contest(NamedTuple):
    """What was rolled for a spell; arrays with an entry for each trial.

    ``total``: the casting roll, modifiers included; ``miscast``; ``cast``; ``resolves``: cast and not unbound.
    """

    total: Any
    miscast: Any
    cast: Any
    resolves: Any


def contest_rolled(
    cv: int, mod: int, unbinders: Sequence[int], dice: Dice, trials: int, how: CastingDice = TWO_DICE
) -> Contest:
    """Roll whether a spell is cast, and whether it is unbound.

    Parameters
    ----------
    cv, mod, unbinders : int, int, sequence of int
        As in :func:`resolves_chance`.
    dice : Dice
        The dice.
    trials : int
        How many.
    how : CastingDice, optional
        Default: two.

    Returns
    -------
    Contest
        What came of each.
    """
    natural, miscast = cast_rolled(dice, trials, how)
    total = natural + mod
    cast = ~miscast & (total >= cv)
    if not unbinders:
        return Contest(total, miscast, cast, cast)
    return Contest(total, miscast, cast, cast & (dice.total(TWO_D6, trials) + max(unbinders) <= total))


# --- a phase --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Spell:
    """One cast of a phase.

    Parameters
    ----------
    cv, mod : int
        Casting value, and modifier of the casting roll.
    wizard : int
        Who casts it; after a miscast this wizard casts no more.
    worth : Fraction
        What it is worth to its side when it resolves.
    """

    cv: int
    mod: int = 0
    wizard: int = 0
    worth: Fraction = Fraction(1)


class Phase:
    """Spells that are cast one after the other, and unbinders with few attempts, who choose when to use them.

    The unbinding side sees each casting roll and then decides who tries, if anyone, so that what resolves in the rest
    of the phase is worth as little as possible. Where that is the same, nobody tries; else the unbinder named first.

    Parameters
    ----------
    spells : sequence of Spell
        In order.
    unbinders : sequence of int
        Modifier of each unbinder.
    attempts : int
        Unbinds that each of them has in the phase.
    dice : CastingDice, optional
        Default: two.
    eager : bool, optional
        Whether they do not weigh it: while there are attempts left, the best unbinder that has one tries at once.
    """

    def __init__(
        self,
        spells: Sequence[Spell],
        unbinders: Sequence[int],
        attempts: int,
        dice: CastingDice = TWO_DICE,
        eager: bool = False,
    ) -> None:
        self.eager = eager
        self.spells, self.unbinders, self.dice = tuple(spells), tuple(unbinders), dice
        self.start = (min(attempts, len(spells)),) * len(unbinders)
        self._comes_to: dict[tuple[int, tuple[int, ...], bool], Fraction] = {}

    def goes_on(self, number: int, miscast: bool) -> bool:
        """Whether the wizard of the next spell may cast: always, where it is another one."""
        following = self.spells[number + 1 : number + 2]
        return not (miscast and following and following[0].wizard == self.spells[number].wizard)

    def comes_to(self, number: int, left: tuple[int, ...], able: bool) -> Fraction:
        """Worth that spells from this number on come to, the unbinders doing as they do.

        Parameters
        ----------
        number : int
            Of the spell, from 0 on.
        left : tuple of int
            Attempts left to each unbinder.
        able : bool
            Whether the wizard has not miscast before.

        Returns
        -------
        Fraction
            Expected worth.
        """
        if number == len(self.spells):
            return Fraction(0)
        key = number, left, able
        if key not in self._comes_to:
            spell = self.spells[number]
            if not able:
                self._comes_to[key] = self.comes_to(number + 1, left, self.goes_on(number, True))
                return self._comes_to[key]
            worth = Fraction(0)
            for natural, chance in rolls(self.dice).items():
                if natural is None or natural + spell.mod < spell.cv:
                    then = self.comes_to(number + 1, left, self.goes_on(number, natural is None))
                else:
                    then = self.choice(number, left, natural + spell.mod)[0]
                worth += chance * then
            self._comes_to[key] = worth
        return self._comes_to[key]

    def choice(self, number: int, left: tuple[int, ...], casting_roll: int) -> tuple[Fraction, int]:
        """Whom to have unbind a spell that is cast.

        Parameters
        ----------
        number : int
            Of the spell, from 0 on.
        left : tuple of int
            Attempts left to each unbinder.
        casting_roll : int
            With its modifiers.

        Returns
        -------
        Fraction, int
            Worth of this spell and the rest, and the unbinder from 1 on; 0 for nobody.
        """
        worth = self.spells[number].worth
        ways = [(worth + self.comes_to(number + 1, left, True), 0)]
        for who, mod in enumerate(self.unbinders):
            if left[who]:
                stands = 1 - unbound_chance(casting_roll, [mod])
                ways.append((stands * worth + self.comes_to(number + 1, used(left, who), True), who + 1))
        if self.eager and len(ways) > 1:
            return max(ways[1:], key=lambda way: self.unbinders[way[1] - 1])
        return min(ways, key=lambda way: way[0])

    def _steps(self, number: int, left: tuple[int, ...]) -> Iterator[tuple[Fraction, _Step]]:
        """All that can come of a cast: its chance, and what it comes to."""
        spell = self.spells[number]
        for natural, chance in rolls(self.dice).items():
            if natural is None or natural + spell.mod < spell.cv:
                yield chance, _Step(left, self.goes_on(number, natural is None), False, False)
                continue
            who = self.choice(number, left, natural + spell.mod)[1]
            stops = unbound_chance(natural + spell.mod, [self.unbinders[who - 1]] if who else [])
            now = used(left, who - 1) if who else left
            yield chance * (1 - stops), _Step(now, True, True, bool(who))
            yield chance * stops, _Step(now, True, False, bool(who))

    def outcome(self) -> tuple[list[Fraction], list[Fraction], list[Fraction]]:
        """Say how often each spell resolves, how often each is answered, and how many resolve.

        Returns
        -------
        list of Fraction, list of Fraction, list of Fraction
            Chance that each spell resolves, that someone tries to unbind it, and of each number of spells that resolve.
        """
        none, numbers = Fraction(0), range(len(self.spells))
        resolve, answered = [none for _ in numbers], [none for _ in numbers]
        states = {(self.start, True, 0): Fraction(1)}
        for number in numbers:
            after: dict[tuple[tuple[int, ...], bool, int], Fraction] = {}
            for (left, able, count), p in states.items():
                idle = [(Fraction(1), _Step(left, self.goes_on(number, True), False, False))]
                for chance, step in self._steps(number, left) if able else idle:
                    key = step.left, step.able, count + step.resolves
                    after[key] = after.get(key, none) + p * chance
                    resolve[number] += p * chance * step.resolves
                    answered[number] += p * chance * step.answered
            states = after
        counts = [none] * (len(self.spells) + 1)
        for (_, _, count), p in states.items():
            counts[count] += p
        return resolve, answered, counts

    def rolled(self, dice: Dice, trials: int) -> tuple[Any, Any, Any]:
        """Roll the phase, the unbinding side doing what is best for it.

        Parameters
        ----------
        dice : Dice
            The dice.
        trials : int
            How many.

        Returns
        -------
        array of bool, array of bool, array of bool; shape (trials, spells)
            Whether each spell resolves, whether someone tries to unbind it, and whether it was a miscast.
        """
        import numpy as np

        lefts = list(product(*(range(top + 1) for top in self.start)))
        strides = [lefts.index(tuple(int(n == who) for n in range(len(self.start)))) for who in range(len(self.start))]
        left = np.full(trials, len(lefts) - 1)  # the number of a row of lefts
        able = np.ones(trials, bool)
        shape = trials, len(self.spells)
        resolves, answered, miscasts = np.zeros(shape, bool), np.zeros(shape, bool), np.zeros(shape, bool)
        for number, spell in enumerate(self.spells):
            total, miscast = cast_rolled(dice, trials, self.dice)
            total = total + spell.mod
            cast = able & ~miscast & (total >= spell.cv)
            against = dice.total(TWO_D6, trials)
            stands, before = cast.copy(), left
            for row, casting_roll in np.unique(np.stack((left, total), axis=1)[cast], axis=0).tolist():
                who = self.choice(number, lefts[row], casting_roll)[1]
                if who:
                    here = cast & (before == row) & (total == casting_roll)
                    answered[here, number] = True
                    stands[here] = against[here] + self.unbinders[who - 1] <= casting_roll
                    left = np.where(here, left - strides[who - 1], left)
            resolves[:, number] = stands
            miscasts[:, number] = able & miscast
            goes_on = (self.goes_on(number, True), self.goes_on(number, False))
            able = np.where(able & ~miscast, goes_on[1], goes_on[0])
        return resolves, answered, miscasts


class _Step(NamedTuple):
    """What one cast comes to: attempts left, whether the next wizard is able to cast, what happened."""

    left: tuple[int, ...]
    able: bool
    resolves: bool
    answered: bool


def used(left: tuple[int, ...], who: int) -> tuple[int, ...]:
    """Take away an attempt.

    Parameters
    ----------
    left : tuple of int
        Attempts left to each unbinder.
    who : int
        Of the unbinder, from 0 on.

    Returns
    -------
    tuple of int
        What is left then.

    Examples
    --------
    >>> used((1, 2), 1)
    (1, 1)
    """
    return (*left[:who], left[who] - 1, *left[who + 1 :])
