"""Attacks in a row with icepool, as somebody who knows it well would ask it: the other side of two benchmarks."""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple


class Target(NamedTuple):
    """How a target is."""

    out: bool = False
    down: bool = False
    blood: int = 0
    tough: bool = False


class Question(NamedTuple):
    """The same attack some times in a row, in 1.6.3; ``spend`` is ``none``, ``all`` or ``greedy``."""

    target: Target = Target()
    action_dice: int = 0
    injury_dice: int = 0
    armour: int = 0
    spend: str = "none"
    times: int = 1

    def scenario(self) -> dict[str, Any]:
        """The question as tcsim reads it."""
        target = {name: getattr(self.target, name) for name in ("down", "blood", "tough")}
        attack = {name: getattr(self, name) for name in ("action_dice", "injury_dice", "times")}
        return {
            "target": target | {"injury_modifier": self.armour},
            "attacks": [attack],
            "spend": {"blood_on_injury": self.spend},
        }


def question_of(scenario: dict[str, Any]) -> Question:
    """A scenario of such fields only as a question."""
    target, attack = dict(scenario["target"]), scenario["attacks"][0]
    armour = target.pop("injury_modifier", 0)
    return Question(Target(**target), armour=armour, spend=scenario["spend"]["blood_on_injury"], **attack)


def out_of_action(question: Question) -> float:
    """The chance that the target is out of action in the end; what happens to a target is worked out once."""
    from icepool import Die, d6

    @cache
    def pool(net: int, keep: int) -> Any:
        return d6.lowest(keep - net, keep) if net < 0 else d6.highest(keep + net, keep)

    @cache
    def chance(net: int, keep: int) -> float:
        return float(pool(net, keep).probability(">=", 9 - question.armour))

    def spent(target: Target, net: int) -> tuple[int, int, int]:
        """Markers that are paid, dice for them, dice that count."""
        if question.spend != "greedy":
            paid = target.blood if question.spend == "all" else 0
            return paid, paid, 2
        cost = 3 if target.down else 6
        ways = [(dice, dice, 2) for dice in range(target.blood + 1)]
        ways += [(cost + dice, dice, 3) for dice in range(target.blood - cost + 1)]
        best = max(chance(net + dice, keep) for _, dice, keep in ways)
        return min(way for way in ways if chance(net + way[1], way[2]) > best - 1e-12)

    @cache
    def injured(target: Target, critical: bool) -> Any:
        net = question.injury_dice + target.down + critical
        paid, dice, keep = spent(target, net)
        left = target._replace(blood=target.blood - paid)
        return pool(net + dice, keep).map(lambda total: after(left, total + question.armour))

    def after(target: Target, total: int) -> Target:
        if total >= 9 and not target.tough:
            return Target(out=True)
        if total >= 7:
            blood = min(6, target.blood + (2 if target.down else 1))
            return Target(False, True, blood, target.tough and total < 9)
        return target._replace(blood=min(6, target.blood + (total >= 2)))

    @cache
    def attacked(target: Target) -> Any:
        if target.out:
            return Die([target])
        rolled = pool(question.action_dice, 2)
        return rolled.map(lambda total: target if total < 7 else injured(target, total == 12))

    found = Die([question.target]).map(lambda *target: attacked(Target(*target)), repeat=question.times, star=True)
    return float(sum(found.probability(target) for target in found.outcomes() if target[0]))
