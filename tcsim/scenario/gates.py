"""Rolls of the attacker that are no attacks, as numbers: risky actions, standing up by one, and charges."""

from __future__ import annotations

from fractions import Fraction
from math import ceil
from typing import NamedTuple

from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.scenario import problem as p
from tcsim.scenario.asked import Setting
from tcsim.scenario.few import Line
from tcsim.scenario.model import Charge, Risky
from tcsim.scenario.notes import note
from tcsim.scenario.problem import Gate, Step

#: The die of a charge: dice kept, net dice, and how many faces of a D6 are one of its own.
_DICE = {"d6": (1, 0, 1), "2d6kh1": (1, 1, 1), "d3": (1, 0, 2), "2d3kh1": (1, 1, 2)}

#: What such a roll is called where the scenario does not say it.
LABELS = {
    **{"dash": mark("dash"), "climb": mark("climb"), "jump": mark("jump"), "diving_charge": mark("diving charge")},
    "risky": mark("risky action"),
    "attacker_stand": mark("the attacker stands up"),
    "charge": mark("the attacker charges"),
}

#: What is said where such a target is charged.
SKIRMISHER = "Not counted yet: SKIRMISHER, the target may step aside when it is charged."


class Reach(NamedTuple):
    """How a charge comes to its number: inches, the die, and what says that it is this one (empty: the rule)."""

    distance: Fraction
    move: Fraction
    halved: bool
    die: str
    why: str


def risky_step(table: Risky, setting: Setting, where: str) -> tuple[Step, list[Line]]:
    """Give the gate of a risky action.

    Parameters
    ----------
    table : Risky
        As read.
    setting : Setting
        The edition, and the attacker as it is by now.
    where : str
        Its place in the input.

    Returns
    -------
    Step, list of Line
        The gate, and the lines behind its DICE.

    Raises
    ------
    InputError
        For standing up where nobody is Down, or where no roll is needed for it.
    """
    rules, attacker = setting.edition, setting.attacker
    if table.event == "attacker_stand":
        if not attacker.down:
            raise InputError("the attacker is not Down, so it cannot stand up", where)
        if rules.activation["down_stands"] != "risky":
            message = (
                f"in {rules.id} a Down model stands when it is activated, without a roll; leave it out, and down too"
            )
            raise InputError(message, where)
    lines = [Line("action", table.action_dice, "action_dice")]
    if attacker.down:
        lines.append(Line("action", rules.modifiers["attacker_down"].action_dice, "attacker down"))
    if table.doing is not None:
        lines += [Line("action", dice, why) for why, dice in attacker.doing(table.doing)]
    lines = [line for line in lines if line.amount]
    gate = Gate(p.ACTION_KEEP, sum(line.amount for line in lines), rules.charts.success)
    return Step(kind=p.GATE, gate=gate), lines


def charge_step(table: Charge, setting: Setting, where: str) -> tuple[Step, Reach]:
    """Give the gate of a charge: Movement and a die reach the distance.

    Parameters
    ----------
    table : Charge
        As read.
    setting : Setting
        The edition and the attacker; its notes grow.
    where : str
        Its place in the input.

    Returns
    -------
    Step, Reach
        The gate, which is certain where Movement alone reaches; and how it comes to its number.

    Raises
    ------
    InputError
        When the Movement is not known, or nothing that is rolled reaches the distance.

    Examples
    --------
    >>> from tcsim.scenario.read import from_mapping
    >>> from tcsim.scenario.resolve import resolve
    >>> charge = {"event": "charge", "distance": 9, "move": 6}
    >>> resolve(from_mapping({"target": {}, "attacks": [charge, {"kind": "melee"}]})).problem.steps[0].gate
    Gate(keep=1, net=0, total=3)
    """
    rules, attacker = setting.edition, setting.attacker
    given = table.move if table.move is not None else attacker.move
    if given is None:
        raise InputError("it is missing; say the Movement in inches, or name the attacker's unit", f"{where}.move")
    die, why = (table.bonus, "bonus") if table.bonus is not None else attacker.charge_die
    reach = Reach(_exact(table.distance), _exact(given), table.halved, die, why)
    longest = rules.activation["charge_in"]
    if reach.distance > longest:
        message = f"{table.distance:g} inches are given, a charge in {rules.id} is at most {longest}"
        raise InputError(message, f"{where}.distance")
    if "SKIRMISHER" in setting.target.words:
        note(setting.notes, SKIRMISHER)
    need = reach.distance - reach.move
    if table.halved:
        all_halved = rules.activation["halved"] == "all"
        need = 2 * reach.distance - reach.move if all_halved else reach.distance - reach.move / 2
    keep, net, faces = _DICE.get(die, (1, 0, 1))
    if need <= 0 or (die != "none" and need <= 1):
        return Step(kind=p.GATE, gate=Gate(keep, net, keep)), reach
    total = faces * (ceil(need) - 1) + 1
    if die == "none" or total > 6:
        parts = "Movement, for which there is no die," if die == "none" else f"Movement and {die.upper()}"
        parts += ", halved," if table.halved else ""
        message = f"{table.distance:g} inches are out of reach: {parts} of {given:g} inches come to less"
        raise InputError(message, f"{where}.distance")
    return Step(kind=p.GATE, gate=Gate(keep, net, total)), reach


def _exact(inches: float) -> Fraction:
    """The number that was written: 8.2 - 5.2 is 3, not a little less."""
    return Fraction(repr(inches))
