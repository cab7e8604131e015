"""Special rules of weapons, models and what they wear against a situation: which of them hold, and in which case."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from tcsim.rules.effects import Condition, Effect
from tcsim.rules.mechanisms import field_of, fields_asked, takes_the_place
from tcsim.scenario.bearer import Rule

if TYPE_CHECKING:
    from tcsim.scenario.attacker import Attacker
    from tcsim.scenario.model import Attack
    from tcsim.scenario.target import Target
    from tcsim.scenario.weapon import Weapon

#: Conditions that differ from roll to roll, and the case in which they hold, plain and turned round.
_CASES = {"critical": ("critical", ""), "target_down": ("down", "standing")}

#: Conditions that the number of the attack, or what the engines count, stands for (see ``ResolvedAttack.steps``).
_BY_STEP = frozenset({"attack1_hit", "all_hit", "same_target", "target_down_or_ooa", "result_minor", "bloodbath"})
_BY_STEP |= {"blood_placed", "infection_placed", "marker_placed", "own_blood", "fellow_hit"}


class Holding(NamedTuple):
    """An effect that holds: whose it is, in which case (see ``Line``), and the amount it comes to."""

    name: str
    effect: Effect
    when: str
    amount: int

    @property
    def why(self) -> str:
        """It in words, for a line."""
        return f"{self.name}: {self.effect.text}"


@dataclass(frozen=True)
class Facts:
    """What is so when an attack is made.

    Parameters
    ----------
    flags : mapping of str to bool
        By name of condition.
    words : mapping of str to set of str
        Keywords and names, by name of condition.
    measures : mapping of str to float or None
        By name of condition; None where it was not said. ``reach`` is how far the target can be at most.
    counters : mapping of str to int
        By name of counter.
    """

    flags: Mapping[str, bool]
    words: Mapping[str, frozenset[str]]
    measures: Mapping[str, float | None]
    counters: Mapping[str, int]

    def holding(self, rules: Iterable[Rule], paid: int, unknown: list[str]) -> Iterator[Holding]:
        """Give the rules that hold.

        Parameters
        ----------
        rules : iterable of Rule
            Counted ones.
        paid : int
            Markers that their bearer's player has paid.
        unknown : list of str
            Grows by the measures that decide over an effect and were not said.

        Yields
        ------
        Holding
            In the order of the rules.
        """
        for name, effect in rules:
            when = self._when(effect, unknown, paid)
            if when is not None and not takes_the_place(effect):
                yield Holding(name, effect, when, self._amount(effect, paid))

    def _when(self, effect: Effect, unknown: list[str], paid: int) -> str | None:
        cases: list[str] = []
        missing: list[str] = []
        for condition in effect.conditions:
            if condition.name in _CASES:
                cases.append(_CASES[condition.name][condition.turned])
            elif condition.name == "attack_no":
                cases.append(f"attack {condition.number}")
            elif condition.name == "paid":
                if not paid > condition.number:
                    return None
            elif condition.name not in _BY_STEP:
                holds = self._is_true(condition)
                if holds == condition.turned:
                    return None
                missing += [condition.name] if holds is None else []
        if effect.aura:
            near = self._is_near(effect.inches)
            if near is False:
                return None
            missing += ["range"] if near is None else []
        unknown += missing  # what is not known does not hold, turned round or not
        return None if missing else " and ".join(sorted(cases))

    def asking(self, rules: Iterable[Rule]) -> set[str]:
        """Give the fields of a scenario that decide over rules, where nothing else does already.

        Parameters
        ----------
        rules : iterable of Rule
            Counted ones.

        Returns
        -------
        set of str
            Names of fields.
        """
        asked: set[str] = set()
        for _, effect in rules:
            others = tuple(condition for condition in effect.conditions if not field_of(condition))
            if self._when(replace(effect, conditions=others), [], 0) is not None:
                asked |= fields_asked(effect)
        return asked

    def _is_near(self, inches: int) -> bool | None:
        """Whether the other model is within some inches, as it is in melee; None where that was not said."""
        distance, reach = self.measures["range"], self.measures["reach"]
        if self.flags["melee"]:
            return True
        if distance is None:
            return True if reach is not None and reach <= inches else None
        return distance <= inches

    def _is_true(self, condition: Condition) -> bool | None:
        """Whether a condition is so, before it is turned round; None where it depends on what was not said."""
        if condition.words:
            return bool(self.words[condition.name] & set(condition.words))
        if not condition.relation:
            return self.flags[condition.name]
        measure = self.measures[condition.name]
        if measure is None:
            return None
        return measure <= condition.number if condition.relation == "<=" else measure > condition.number

    def _amount(self, effect: Effect, paid: int) -> int:
        amount = effect.number or 0
        if effect.counter and effect.counter != "target_blood":  # markers are counted while the attack is made
            count = self.counters.get(effect.counter, {"paid": paid, "2_paid": paid // 2}.get(effect.counter, 0))
            amount *= count if effect.most is None else min(count, effect.most)
        return amount


def facts_of(
    table: Attack,
    weapon: Weapon,
    attacker: Attacker,
    target: Target,
    kind: str,
    situation: Mapping[str, bool],
    keywords: Iterable[str],
    reach: float | None,
) -> Facts:
    """Say what is so when an attack is made.

    Parameters
    ----------
    table : Attack
        As read.
    weapon : Weapon
        What is used.
    attacker, target : Attacker, Target
        As resolved.
    kind : str
        ``ranged`` or ``melee``.
    situation : mapping of str to bool
        Which of the edition's modifiers hold.
    keywords : iterable of str
        Of the attack.
    reach : float or None
        How far the target can be at most, in inches; None where that is not known.

    Returns
    -------
    Facts
        For every condition and counter that can be counted.
    """
    wears = target.wears_body or target.wears_shield
    attacks = weapon.characteristic != "none"  # else it is an ability, neither melee nor ranged
    return Facts(
        flags={
            "hit": True,
            "melee": attacks and kind == "melee",
            "ranged": attacks and kind == "ranged",
            "grenade": weapon.thrown,
            "off_hand": situation["off_hand"],
            "charging": table.charging,
            "attacker_charged": table.charging,
            "short_range": not situation["long_range"],
            "long_range": situation["long_range"],
            "elevated": situation["elevated"],
            "direct": not table.indirect,
            "not_direct": table.indirect,
            "prepared": table.prepared,
            "friend_within_1in": table.friends > 0,
            "attacker_behind_obstacle": table.behind_obstacle,
            "target_cover": situation["cover"],
            "target_obstacle_from_blast": table.blast_obstacle,
            "target_not_activated": target.not_activated,
            "target_retreating": table.retreating,
            "target_wears_armour": target.wears_body,
            "target_armoured": wears or target.modifier() < 0,
            "target_armour_not_shield": target.wears_body or target.body < 0,
        },
        words={
            "target_keyword": target.words,
            "attacker_keyword": attacker.words,
            "attack_keyword": frozenset(keywords),
            "attacker_unit": frozenset({attacker.id, attacker.name}),
            "weapon": frozenset({weapon.id}),
        },
        measures={"range": table.distance, "reach": reach, "target_base": target.base_mm},
        counters={
            "target_negative_modifier": -target.modifier(),
            "own_blood": attacker.blood,
            "friend_within_3in": table.friends,
            "friend_within_1in_of_target": table.friends,
            "friend_fighting_target": table.friends,
        },
    )
