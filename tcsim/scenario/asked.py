"""What rules ask for that only the table knows: said, assumed, or given in vain."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from tcsim.rules import Edition
from tcsim.scenario import model
from tcsim.scenario.attacker import Attacker
from tcsim.scenario.notes import note
from tcsim.scenario.situation import OutOfReachError
from tcsim.scenario.target import USUAL_BASE_MM, Target
from tcsim.scenario.weapon import Weapon

if TYPE_CHECKING:
    from tcsim.catalog import Catalog


class Instead(NamedTuple):
    """What is asked in place of what names say, and no field of a scenario can say beside them.

    ``armour``: what can be ignored and pierced of the target's armour comes to this injury modifier; ``without``:
    keywords that no attack has, whoever gives them.
    """

    armour: int | None = None
    without: frozenset[str] = frozenset()


#: Nothing is asked in place of what names say.
AS_NAMED = Instead()


@dataclass(frozen=True)
class Setting:
    """What all attacks of a scenario share: rules, options, attacker, target; notes grow while attacks are resolved.

    ``without``: keywords that no attack has, as in :class:`Instead`.
    """

    edition: Edition
    catalog: Catalog | None
    options: dict[str, str | bool]
    attacker: Attacker
    target: Target
    notes: list[str]
    assumed: list[str] = field(default_factory=list)
    fireteam: bool = False
    asked: set[str] = field(default_factory=set)
    uses: dict[str, list[int]] = field(default_factory=dict)
    without: frozenset[str] = frozenset()

    def assume(self, what: str) -> None:
        """Say once what is assumed.

        Parameters
        ----------
        what : str
            In words.
        """
        if what not in self.assumed:
            self.assumed.append(what)


#: Fields of an attack that special rules ask for, and what is assumed without them.
ASKED: dict[str, str] = {
    "charging": "no charge",
    "behind_obstacle": "an attacker in the open",
    "indirect": "a direct hit",
    "blast_obstacle": "nothing between blast and target",
    "friends": "no friends nearby",
    "prepared": "no test beforehand",
    "retreating": "a target that does not retreat",
    "paid": "nothing paid for abilities",
}


def tell(table: model.Attack, asked: set[str], setting: Setting, label: str) -> None:
    """Say what is assumed, and what is given in vain.

    Parameters
    ----------
    table : model.Attack
        As read.
    asked : set of str
        Fields that its rules ask for.
    setting : Setting
        Its notes and assumptions grow.
    label : str
        What the attack is called.
    """
    setting.asked.update(asked)
    for name, otherwise in ASKED.items():
        given = getattr(table, name)
        if given and name not in asked:
            note(setting.notes, f"Changes nothing here: {name}, no rule of {label} asks for it.")
        elif not given and name in asked:
            setting.assume(otherwise)


def tell_target(given: model.Target, setting: Setting) -> None:
    """Say the same of the target, once all attacks were resolved.

    Parameters
    ----------
    given : model.Target
        As read.
    setting : Setting
        Its notes and assumptions grow.
    """
    for name, field_, otherwise in (
        ("not_activated", "not_activated", "a target that has been activated"),
        ("paid", "target.paid", "nothing paid for abilities of the target"),
    ):
        if field_ in setting.asked and not getattr(given, name):
            setting.assume(otherwise)
        elif getattr(given, name) and field_ not in setting.asked:
            note(setting.notes, f"Changes nothing here: {field_}, no rule asks for it.")
    if "base_mm" in setting.asked and given.base_mm is None and given.unit is None:
        setting.assume(f"a target on a base of {USUAL_BASE_MM} mm")


def tell_fireteam(setting: Setting) -> None:
    """Say the same of the second model of a fireteam, once all attacks were resolved.

    Parameters
    ----------
    setting : Setting
        Its notes and assumptions grow.
    """
    if "fireteam" in setting.asked and not setting.fireteam:
        setting.assume("no second model of a fireteam")
    elif setting.fireteam and "fireteam" not in setting.asked:
        note(setting.notes, "Changes nothing here: fireteam, no rule asks for it.")


def check_reach(table: model.Attack, weapon: Weapon, label: str, notes: list[str], where: str) -> None:
    """Check what can be attacked, and from how far.

    Parameters
    ----------
    table : model.Attack
        As read.
    weapon : Weapon
        What is used.
    label : str
        What the attack is called.
    notes : list of str
        Grows.
    where : str
        Its place in the input.

    Raises
    ------
    InputError
        For a target that is too near.
    """
    for effect in weapon.effects:
        if effect.target == "min_range" and table.distance is not None and table.distance < int(effect.value):
            message = f'{table.distance:g}" is too near, the {weapon.name} reaches from {effect.value}"'
            raise OutOfReachError(message, f"{where}.distance")
        if effect.target == "only_if":
            only = {"target_down": "that is Down"}.get(effect.value, f"with a base up to {effect.value[-4:]}")
            note(notes, f"{label} can only be used against a target {only}.")
        if effect.value.startswith("per_enemy"):
            note(notes, f"{label} strikes every enemy it reaches once; this is the one on the target.")
