"""Models by name beside the same models by plain numbers, for tests of what their abilities do."""

from __future__ import annotations

from typing import Any

from tcsim.catalog import catalog
from tcsim.scenario.problem import Step
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import Resolved, resolve

BOTH = ("1.6.3", "1.0.2")
#: Fields of a step in every case of its roll, and those against a Down target alone.
ACTION = ("action_dice", "action_dice_down")
INJURY = ("injury_dice", "injury_dice_critical", "injury_dice_down", "injury_dice_down_critical")
MODIFIER = ("injury_modifier", "injury_modifier_critical", "injury_modifier_down", "injury_modifier_down_critical")
INJURY_DOWN = INJURY[2:]


def asked(edition: str, attacker: Any, target: Any, *attacks: dict[str, Any], **tables: Any) -> Resolved:
    """Resolve a scenario of two models, each a table of fields or a unit's name."""
    sides = [{"unit": side} if isinstance(side, str) else side for side in (attacker, target)]
    return resolve(
        from_mapping({"edition": edition, "attacker": sides[0], "target": sides[1], "attacks": list(attacks), **tables})
    )


def by_numbers(edition: str, attacker: Any, target: Any, attack: dict[str, Any]) -> Resolved:
    """The same two models as what their profiles say: characteristics, injury modifier and keywords, no ability."""
    rows = catalog(edition)
    attacker, target = ({"unit": side} if isinstance(side, str) else side for side in (attacker, target))
    numbers: dict[str, Any] = {**attack}
    sides = []
    for side in (attacker, target):
        kept = {name: value for name, value in side.items() if name not in ("unit", "abilities", "auras", "paid")}
        if "unit" in side:
            row = rows.unit(side["unit"])
            kept["keywords"] = [*row.keywords, *side.get("keywords", [])]
            if side is attacker:
                dice = row.melee_dice if attack.get("kind") == "melee" else row.ranged_dice
                numbers["action_dice"] = (dice or 0) + attack.get("action_dice", 0)
            else:
                kept["injury_modifier"] = row.injury_modifier
        sides.append(kept)
    return asked(edition, *sides, numbers)


def compare(
    edition: str, attacker: Any, target: Any, attack: dict[str, Any], changed: dict[tuple[str, ...], int] | None = None
) -> Resolved:
    """The attack by names is the one by numbers but for what is added to some fields; nothing is left unsaid."""
    named, plain = asked(edition, attacker, target, attack), by_numbers(edition, attacker, target, attack)
    [step], [expected] = named.problem.steps, plain.problem.steps
    added: dict[str, int] = {}
    for fields, number in (changed or {}).items():
        added |= {field: getattr(expected, field) + number for field in fields}
    assert differences(step, expected._replace(**added)) == {}
    assert named.problem.nature == plain.problem.nature
    assert named.problem.start == plain.problem.start
    assert named.problem.minor_for_down == plain.problem.minor_for_down
    return named


def differences(step: Step, other: Step) -> dict[str, tuple[Any, Any]]:
    pairs = ((name, getattr(step, name), getattr(other, name)) for name in Step._fields)
    return {name: (one, two) for name, one, two in pairs if one != two}
