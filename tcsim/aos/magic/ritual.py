"""Chanting with ritual points (fourth edition): when to use them, when to bank more."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, NamedTuple

_FACE = Fraction(1, 6)

#: A chanting roll that is less does nothing, modifiers included.
LEAST = 2


def chanted(face: Any, value: int, ritual: int, mod: int) -> Any:
    """Say whether a die answers a prayer.

    Parameters
    ----------
    face : int, or array of int
        Natural chanting roll.
    value : int
        Chanting value.
    ritual : int
        Ritual points that are added.
    mod : int
        Modifier to the roll.

    Returns
    -------
    bool, or array of bool
        Never with a natural 1, nor with less than 2 after modifiers.

    Examples
    --------
    >>> chanted(3, 4, 4, -1), chanted(2, 4, 4, -1)
    (True, False)
    """
    return (face > 1) & (face + mod >= LEAST) & (face + mod + ritual >= value)


def chanted_chance(value: int, ritual: int = 0, mod: int = 0) -> Fraction:
    """Chance that a prayer is answered at once.

    Parameters
    ----------
    value, ritual, mod : int
        As in :func:`chanted`.

    Returns
    -------
    Fraction
        Probability in [0, 1].

    Examples
    --------
    >>> chanted_chance(4), chanted_chance(4, 4, -1)
    (Fraction(1, 2), Fraction(2, 3))
    """
    return Fraction(sum(bool(chanted(face, value, ritual, mod)) for face in range(1, 7)), 6)


class Outcome(NamedTuple):
    """What turns of chanting come to.

    ``by_turn``: chance that the prayer has been answered by each turn; ``better``: that it has with the better effect;
    ``times``: how often it is answered; ``worth`` of the answers; ritual ``points`` left; the last three on average.
    """

    by_turn: list[Fraction]
    better: Fraction
    times: Fraction
    worth: Fraction
    points: Fraction


@dataclass(frozen=True, slots=True)
class Ritual:
    """A priest who chants one prayer a turn and banks or uses its ritual points as is best over all turns.

    Parameters
    ----------
    value : int
        Chanting value; to be answered is worth 1.
    better : int or None
        Total from which on the effect is better.
    better_worth : Fraction
        What that is worth.
    mod : int
        Modifier to the chanting roll.
    turns : int
        How many.
    loses : bool
        Whether a natural 1 takes D3 points.
    eager : bool, optional
        Whether it is not weighed: a total that answers the prayer is used at once.
    """

    value: int
    better: int | None
    better_worth: Fraction
    mod: int
    turns: int
    loses: bool
    eager: bool = False
    _most: dict[tuple[int, int], Fraction] = field(default_factory=dict, compare=False)

    def worth(self, total: int) -> Fraction:
        """What it is worth to use a total; 0 where it does not answer."""
        if total < self.value:
            return Fraction(0)
        return Fraction(1) if self.better is None or total < self.better else Fraction(self.better_worth)

    def most(self, turn: int, points: int) -> Fraction:
        """Worth that the turns from this one on come to, with so many points.

        Parameters
        ----------
        turn : int
            From 0 on.
        points : int
            Ritual points.

        Returns
        -------
        Fraction
            Expected worth.
        """
        if turn == self.turns:
            return Fraction(0)
        key = turn, points
        if key not in self._most:
            self._most[key] = sum(
                (p * self._choice(turn, points, total)[0] for p, points, total in self._rolls(points)), Fraction(0)
            )
        return self._most[key]

    def _rolls(self, points: int) -> list[tuple[Fraction, int, int | None]]:
        """What a roll can come to: its chance, the points then, and the total that may be banked or used."""
        found: list[tuple[Fraction, int, int | None]] = []
        for face in range(1, 7):
            if face == 1 and self.loses:
                found += [(_FACE / 3, max(points - loss, 0), None) for loss in (1, 2, 3)]
            else:
                works = face > 1 and face + self.mod >= LEAST
                found.append((_FACE, points, points + face + self.mod if works else None))
        return found

    def _choice(self, turn: int, points: int, total: int | None) -> tuple[Fraction, bool]:
        if total is None:
            return self.most(turn + 1, points), False
        use = self.worth(total) + self.most(turn + 1, 0)
        bank = self.most(turn + 1, total)
        return (use, True) if self.worth(total) and (self.eager or use >= bank) else (bank, False)

    def uses(self, turn: int, total: int) -> bool:
        """Say whether a total is used rather than banked.

        Parameters
        ----------
        turn : int
            From 0 on.
        total : int
            Chanting roll, modifiers and points included.

        Returns
        -------
        bool
            False also where it does not answer the prayer.

        Examples
        --------
        >>> Ritual(4, 8, Fraction(3), 0, 2, True).uses(0, 6), Ritual(4, 8, Fraction(3), 0, 1, True).uses(0, 6)
        (False, True)
        """
        return self._choice(turn, 0, total)[1]

    def choices(self, points: int) -> list[int]:
        """Totals of the first turn that answer the prayer, so that there is something to decide.

        Parameters
        ----------
        points : int
            Ritual points at the start.

        Returns
        -------
        list of int
            In order.
        """
        totals = {total for _, _, total in self._rolls(points) if total is not None and total >= self.value}
        return sorted(totals)

    def outcome(self, points: int) -> Outcome:
        """Say what the turns come to.

        Parameters
        ----------
        points : int
            Ritual points at the start.

        Returns
        -------
        Outcome
            Chances and means.
        """
        states = {(points, False, False): Fraction(1)}
        by_turn, times, worth = [], Fraction(0), Fraction(0)
        for turn in range(self.turns):
            after: dict[tuple[int, bool, bool], Fraction] = {}
            for (before, answered, better), chance in states.items():
                for p, left, total in self._rolls(before):
                    key = left, answered, better
                    if total is not None and self.uses(turn, total):
                        times += chance * p
                        worth += chance * p * self.worth(total)
                        key = 0, True, better or (self.better is not None and total >= self.better)
                    elif total is not None:
                        key = total, answered, better
                    after[key] = after.get(key, Fraction(0)) + chance * p
            states = after
            by_turn.append(sum((p for (_, answered, _), p in states.items() if answered), Fraction(0)))
        with_better = sum((p for (_, _, had_it), p in states.items() if had_it), Fraction(0))
        banked = sum((p * left for (left, _, _), p in states.items()), Fraction(0))
        return Outcome(by_turn, with_better, times, worth, banked)
