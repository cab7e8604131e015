"""Every unit and every ability, in any situation: an answer that adds up, or one clear sentence."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tcsim.base.errors import InputError
from tcsim.catalog import Unit, catalog, fold
from tcsim.catalog.ability_rows import read_ability_rows
from tcsim.engines.exact import solve
from tcsim.rules import edition as load_edition
from tcsim.rules.effects import Effect
from tcsim.rules.mechanisms import WITH_WORDS, is_counted
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import Resolved, resolve

EDITIONS = ("1.6.3", "1.0.2")
#: Number of a step, the roll whose lines add up to it, and the cases in which it holds.
SUMS = (
    ("action_dice", "action", {"standing"}),
    ("action_dice_down", "action", {"down"}),
    ("injury_dice", "injury", {"standing"}),
    ("injury_dice_critical", "injury", {"standing", "critical"}),
    ("injury_dice_down", "injury", {"down"}),
    ("injury_dice_down_critical", "injury", {"down", "critical"}),
    ("injury_modifier", "modifier", {"standing"}),
    ("injury_modifier_critical", "modifier", {"standing", "critical"}),
    ("injury_modifier_down", "modifier", {"down"}),
    ("injury_modifier_down_critical", "modifier", {"down", "critical"}),
)


def names_of(edition: str) -> tuple[list[str], list[str]]:
    """Every ability by a name that can mean it alone, and those of them that reach other models."""
    names, auras = [], []
    for same in catalog(edition).abilities.values():
        for whose, ability in same:
            name = ability.name if len(same) == 1 else f"{ability.name} @{whose}"
            names.append(name)
            auras += [name] if any(effect.aura for effect in ability.effects) else []
    return names, auras


def situation(rng: random.Random, edition: str, kind: str) -> dict[str, Any]:
    """An attack with any weapon of a kind, or none, and any facts."""
    weapons = [weapon for weapon in catalog(edition).weapons if weapon.attack_kind == kind]
    weapon = rng.choice(weapons) if rng.random() < 0.7 else None
    made: dict[str, Any] = {"kind": kind, "friends": rng.randrange(4), "paid": rng.randrange(5)}
    made |= {
        "keywords": rng.sample(["FIRE", "GAS", "SHRAPNEL", "IGNORE ARMOUR", "INFECTION MARKERS"], rng.randrange(3))
    }
    if weapon is not None:
        made["weapon"] = weapon.id
        if any(load_edition(edition).keyword(word, "attack")[0].counted for word in weapon.keywords):
            made["carried"] = 20
        if kind == "ranged" and weapon.range_in and rng.random() < 0.5:
            made["distance"] = rng.randint(min(6, weapon.range_in), weapon.range_in)
    flags = ["charging", "behind_obstacle", "indirect", "blast_obstacle", "prepared", "retreating", "fireteam"]
    flags += ["cover", "elevated"] if kind == "ranged" else ["off_hand", "defended_obstacle", "fear", "diving_charge"]
    return made | {flag: True for flag in flags if rng.random() < 0.3}


def model(rng: random.Random, edition: str, unit: Unit | None) -> dict[str, Any]:
    """A unit with some of its options, one other ability, and one aura."""
    names, auras = names_of(edition)
    own = [name for name in (unit.options if unit is not None else ()) if rng.random() < 0.5]
    other = [name for name in rng.sample(names, 1) if fold(name.partition(" @")[0]) not in map(fold, own)]
    made: dict[str, Any] = {"abilities": own + other, "auras": rng.sample(auras, rng.randrange(2))}
    return made if unit is None else {**made, "unit": unit.id}


def asked(rng: random.Random, edition: str, attacker: dict[str, Any], target: dict[str, Any], kind: str) -> Any:
    target = {**target, "down": rng.random() < 0.3, "blood": rng.randrange(7), "infection": rng.randrange(3)}
    target |= {"paid": rng.randrange(7), "not_activated": rng.random() < 0.3}
    attacker = {**attacker, "blood": rng.randrange(3), "down": rng.random() < 0.2}
    spend = {"blood_on_injury": rng.choice(["none", "all", "bloodbath", "greedy"]), "blood_on_action": "all"}
    attacks = [situation(rng, edition, kind), {"event": "target_activation"}, {"kind": kind}]
    return {"edition": edition, "attacker": attacker, "target": target, "attacks": attacks, "spend": spend}


def check_sentence(error: InputError) -> None:
    text = str(error)
    assert 10 < len(text) < 400
    assert "\n" not in text
    assert not any(word in text for word in ("None", "Error", "frozenset", "Effect("))


def check_lines(question: Resolved) -> None:
    for action in question.actions:
        for number, step in enumerate(action.steps, 1):
            for field, roll, cases in SUMS:
                holds = cases | {f"attack {number}"}
                lines = [line for line in action.lines if line.roll == roll]
                amounts = [line.amount for line in lines if not line.when or set(line.when.split(" and ")) <= holds]
                assert sum(amounts) == getattr(step, field), (field, action)


def check(asked_for: list[Any]) -> int:
    """Resolve all, and answer those that can be; give how many that are."""
    found = []
    for mapping in asked_for:
        try:
            question = resolve(from_mapping(mapping))
        except InputError as error:
            check_sentence(error)
            continue
        check_lines(question)
        found.append(question.problem)
    for problem, final in zip(found, solve(found), strict=True):
        assert sum(chance for _, chance in final) == pytest.approx(1, abs=1e-9), problem
    return len(found)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_unit_attacks_and_is_attacked(edition: str) -> None:
    rng = random.Random(edition)
    units = catalog(edition).units
    questions = []
    for unit in units:
        kind = "melee" if unit.melee_dice is not None else "ranged"
        for one in {kind, "ranged" if unit.ranged_dice is not None else kind}:
            questions.append(
                asked(rng, edition, model(rng, edition, unit), model(rng, edition, rng.choice(units)), one)
            )
        questions.append(
            asked(rng, edition, model(rng, edition, None), model(rng, edition, unit), rng.choice(["melee", "ranged"]))
        )
    assert check(questions) > 0.8 * len(questions)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_ability_on_both_sides(edition: str) -> None:
    rng = random.Random(edition)
    names, auras = names_of(edition)
    questions = []
    for kind in ("melee", "ranged"):
        for name in names:
            questions.append(asked(rng, edition, {"abilities": [name]}, {}, kind))
            questions.append(asked(rng, edition, {}, {"abilities": [name]}, kind))
        for name in auras:
            questions.append(asked(rng, edition, {"auras": [name]}, {}, kind))
            questions.append(asked(rng, edition, {}, {"auras": [name]}, kind))
    assert check(questions) == len(questions)


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_is_counted_is_read_by_something(edition: str) -> None:
    """Conditional effects stand only where attacks are resolved with them, by the words they are asked with."""
    rows = catalog(edition)
    of_models = [(name, effect) for name, effect in every_model_effect(edition) if is_counted(effect)]
    for name, effect in of_models:
        if effect.target == "keyword" and any(c.name != "bearer_keyword" for c in effect.conditions):
            assert effect.value.startswith("IGNORE "), name  # others would have to be the target's too
        if effect.target in ("ranged_dice", "melee_dice", "base_mm", "markers_never", "height", "lost_keyword"):
            assert not effect.conditions, name
    known = {weapon.id for weapon in rows.weapons} | {unit.id for unit in rows.units}
    for name, effect in of_models:
        for condition in effect.conditions:
            if condition.name in ("weapon", "attacker_unit"):
                assert set(condition.words) <= known, name
            elif condition.words:
                assert condition.name in WITH_WORDS
                assert set(condition.words) <= load_edition(edition).keywords.keys(), name


def every_model_effect(edition: str) -> list[tuple[str, Effect]]:
    """Effects of units, of what is worn, and of warbands, skills, powers and wounds, with whose they are."""
    rows = catalog(edition)
    found = [(unit.id, effect) for unit in rows.units for ability in unit.abilities for effect in ability.effects]
    found += [(armour.id, effect) for armour in rows.armour_rows for effect in armour.effects]
    return found + [(row.ability.name, effect) for row in read_ability_rows(edition) for effect in row.ability.effects]


def test_no_unit_has_a_rule_twice() -> None:
    """What a unit wears and what it can never say the same, nor two of its abilities."""
    for edition in EDITIONS:
        for unit in catalog(edition).units:
            own = [effect.text for ability in unit.abilities if ability.price is None for effect in ability.effects]
            worn = [effect.text for id in unit.armour_ids for effect in catalog(edition).armour(id).effects]
            counted = [text for text in own + worn if text.startswith(("action_dice", "injury_", "shots", "result"))]
            assert len(counted) == len(set(counted)), unit.id
