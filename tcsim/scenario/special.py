"""Special rules of weapons and armour against a situation: which of them hold, and in which case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from tcsim.rules.effects import Condition, Effect

if TYPE_CHECKING:
    from tcsim.scenario.model import Attack
    from tcsim.scenario.target import Target

#: Conditions that differ from roll to roll, and the case in which they hold, plain and turned round.
_CASES = {"critical": ("critical", ""), "target_down": ("down", "standing")}


class Holding(NamedTuple):
    """An effect that holds, in some case (see :class:`tcsim.scenario.attack.Line`), and the amount it comes to."""

    effect: Effect
    when: str
    amount: int


@dataclass(frozen=True)
class Facts:
    """What is so when an attack is made.

    Parameters
    ----------
    flags : mapping of str to bool
        By name of condition.
    words : mapping of str to set of str
        Keywords, by name of condition.
    measures : mapping of str to float or None
        By name of condition; None where it was not said.
    counters : mapping of str to int
        By name of counter.
    """

    flags: Mapping[str, bool]
    words: Mapping[str, frozenset[str]]
    measures: Mapping[str, float | None]
    counters: Mapping[str, int]

    def holding(self, effects: tuple[Effect, ...], unknown: list[str]) -> Iterator[Holding]:
        """Give the effects that hold.

        Parameters
        ----------
        effects : tuple of Effect
            Counted ones.
        unknown : list of str
            Grows by the measures that decide over an effect and were not said.

        Yields
        ------
        Holding
            In the order of the effects.
        """
        for effect in effects:
            when = self._when(effect, unknown)
            if when is not None:
                yield Holding(effect, when, self._amount(effect))

    def _when(self, effect: Effect, unknown: list[str]) -> str | None:
        cases = []
        for condition in effect.conditions:
            if condition.name in _CASES:
                cases.append(_CASES[condition.name][condition.turned])
            elif condition.name == "attack_no":
                cases.append(f"attack {condition.number}")
            elif self._is_true(condition, unknown) == condition.turned:
                return None
        return " and ".join(sorted(cases))

    def _is_true(self, condition: Condition, unknown: list[str]) -> bool:
        if condition.words:
            return bool(self.words[condition.name] & set(condition.words))
        if not condition.relation:
            return self.flags[condition.name]
        measure = self.measures[condition.name]
        if measure is None:
            unknown.append(condition.name)
            return condition.turned  # what is not known does not hold, turned round or not
        return measure <= condition.number if condition.relation == "<=" else measure > condition.number

    def _amount(self, effect: Effect) -> int:
        amount = effect.number or 0
        if effect.counter:
            count = self.counters[effect.counter]
            amount *= count if effect.most is None else min(count, effect.most)
        return amount


def facts_of(table: Attack, target: Target, kind: str, situation: Mapping[str, bool], keywords: Iterable[str]) -> Facts:
    """Say what is so when an attack is made.

    Parameters
    ----------
    table : Attack
        As read.
    target : Target
        As resolved.
    kind : str
        ``ranged`` or ``melee``.
    situation : mapping of str to bool
        Which of the edition's modifiers hold.
    keywords : iterable of str
        Of the attack.

    Returns
    -------
    Facts
        For every condition and counter that can be counted.
    """
    wears = target.wears_body or target.wears_shield
    return Facts(
        flags={
            "hit": True,
            "melee": kind == "melee",
            "off_hand": situation["off_hand"],
            "charging": table.charging,
            "attacker_charged": table.charging,
            "short_range": not situation["long_range"],
            "long_range": situation["long_range"],
            "elevated": situation["elevated"],
            "direct": not table.indirect,
            "not_direct": table.indirect,
            "attacker_behind_obstacle": table.behind_obstacle,
            "target_cover": situation["cover"],
            "target_obstacle_from_blast": table.blast_obstacle,
            "target_not_activated": target.not_activated,
            "target_wears_armour": target.wears_body,
            "target_armoured": wears or target.modifier() < 0,
            "target_armour_not_shield": target.wears_body or target.body < 0,
        },
        words={"target_keyword": target.words, "attack_keyword": frozenset(keywords)},
        measures={"range": table.distance, "target_base": target.base_mm},
        counters={"friend_within_3in": table.friends, "target_negative_modifier": -target.modifier()},
    )
