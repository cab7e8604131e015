"""Who attacks whom: each pair of an attacker and a target as the ordinary scenario that it is."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import msgspec

from tcsim.base.errors import InputError
from tcsim.scenario import model as scenario
from tcsim.scenario import problem as p
from tcsim.scenario.problem import Problem, State
from tcsim.scenario.resolve import Resolved, resolve
from tcsim.skirmish import model as m


@dataclass(frozen=True)
class Pair:
    """An activation of an attacker against a target.

    Parameters
    ----------
    resolved : Resolved
        The scenario.
    blood, blessing : bool
        Whether markers of the attacker are spent on its action rolls, all of them.
    """

    resolved: Resolved
    blood: bool = False
    blessing: bool = False

    @property
    def problem(self) -> Problem:
        """What the engines see, from a start that says nothing: the target is as it is."""
        return replace(self.resolved.problem, start=State())


def pair(
    attacker: m.Attacker,
    target: m.Target,
    setting: tuple[str, dict[str, Any], Any],
    places: tuple[str, str],
    who: scenario.Attacker | None = None,
) -> Pair:
    """Settle what an attacker does to a target.

    Parameters
    ----------
    attacker, target
        As read.
    setting : tuple
        Edition, options, and catalogue or None.
    places : tuple of str
        Where attacker and target stand in the input.
    who : scenario.Attacker, optional
        The attacker as it is now, if that is not as it was read.

    Returns
    -------
    Pair
        The scenario, resolved.

    Raises
    ------
    InputError
        For whatever is wrong with it, told by its place in the input.
    """
    edition, options, catalog = setting
    attacks: list[Any] = [_against(attack, attacker.against.get(target.name)) for attack in attacker.attacks]
    question = scenario.Scenario(
        edition=edition,
        attacker=attacker.who if who is None else who,
        target=target.who,
        attacks=attacks,
        spend=attacker.spend,
        options=options,
    )
    try:
        resolved = resolve(question, catalog)
    except InputError as error:
        raise _elsewhere(error, places) from None
    if resolved.problem.game is not None:
        what = "optimal is answered for blood_on_injury alone, many against many"
        raise InputError(f"{what}; take all or none for the others", f"{places[0]}.spend")
    rolled = [action for action in resolved.actions if any(s.kind == p.ATTACK and not s.auto_hit for s in action.steps)]
    spend = attacker.spend
    return Pair(
        resolved,
        spend.blood_on_action == "all" and any(not action.keeps_blood for action in rolled),
        spend.blessing_on_action == "all" and bool(rolled),
    )


def _against(attack: scenario.Attack, situation: m.Situation | None) -> scenario.Attack:
    if situation is None:
        return attack
    said = {name: value for name, value in msgspec.structs.asdict(situation).items() if value is not None}
    for name in ("action_dice", "injury_dice"):
        if name in said:
            said[name] += getattr(attack, name)
    return msgspec.structs.replace(attack, **said)


def _elsewhere(error: InputError, places: tuple[str, str]) -> InputError:
    """Tell the place of a scenario's error as one of the whole input."""
    text, (attacker, target) = str(error), places
    for name, place in (("attacks", f"{attacker}.attacks"), ("attacker", attacker), ("target", target)):
        if re.match(rf"{name}[.:\[]", text):
            return InputError(place + text[len(name) :])
    return InputError(text) if re.match(r"options|spend", text) else InputError(text, f"{attacker} on {target}")
