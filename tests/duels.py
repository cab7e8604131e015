"""Random duels by numbers, for the package and the naive way alike."""

from __future__ import annotations

import random
from typing import Any


def fighter(rng: random.Random, edition: str) -> dict[str, Any]:
    """A model, by numbers only."""
    words = ["CRITICAL", "DEADLY", "FIRE", "GAS", "RISKY", "IGNORE ARMOUR", "AUTO-HIT"]
    attacks = [
        {
            "action_dice": rng.randint(-1, 2),
            "injury_dice": rng.randint(-1, 2),
            "injury_modifier": rng.randint(-1, 2),
            "keywords": rng.sample(words, rng.choice([0, 0, 1, 2])),
            "shots": rng.choice([1, 1, 2]),
            "off_hand": number > 0,
        }
        for number in range(rng.choice([1, 1, 2]))
    ]
    return {
        "target": {
            "injury_modifier": rng.randint(-3, 0),
            "injury_dice": rng.choice([0, 0, -1]),
            "down": rng.random() < 0.2,
            "blood": rng.choice([0, 0, 2, 5]),
            "blessing": rng.choice([0, 0, 0, 2]),
            "tough": rng.random() < 0.3,
            "keywords": rng.sample(["FEAR", "NEGATE FEAR", "NEGATE FIRE"], rng.choice([0, 0, 1])),
        },
        "attacks": attacks,
        "spend": {
            "blood_on_injury": rng.choice(["none", "all", "bloodbath", "greedy"]),
            "blood_on_action": rng.choice(["none", "all"]),
            "blessing_on_injury": rng.choice(["none", "all"]),
            "blessing_on_action": rng.choice(["none", "all"]),
        },
    }


def duel(rng: random.Random, rounds: int) -> dict[str, Any]:
    """A duel in contact."""
    edition = rng.choice(["1.6.3", "1.0.2"])
    options: dict[str, Any] = {"stand_up": rng.choice(["wait", "risky"])}
    if rng.random() < 0.3:
        options["stand_at"] = rng.choice(["turn", "activation"])
    if rng.random() < 0.3:
        options["bloodbath"] = "add"
    return {
        "edition": edition,
        "first": rng.choice("ab"),
        "rounds": rounds,
        "a": fighter(rng, edition),
        "b": fighter(rng, edition),
        "options": options,
    }


def approaching(rng: random.Random, rounds: int) -> dict[str, Any]:
    """A duel that begins apart; rifles reach 24 inches."""
    found = duel(rng, rounds)
    found["approach"] = {
        "distance": rng.choice([9, 12, 16, 27]),
        "who_charges": rng.choice(["a", "b", "first-able"]),
    }
    found["options"]["failed_charge"] = rng.choice(["shoot", "move"])
    for side in "ab":
        found[side] |= {"move": rng.choice([4, 6, 8]), "charge_die": rng.choice(["none", "D3", "D6", "2D6"])}
        found[side]["ranged"] = [
            {"weapon": "Bolt-Action Rifle", "action_dice": rng.randint(-1, 1), "shots": rng.choice([1, 1, 2])}
        ][: rng.choice([0, 1, 1])]
    return found


def by_numbers(found: dict[str, Any]) -> dict[str, Any]:
    """The same for the naive way, which knows no names: a rifle is a plain attack that reaches 24 inches."""
    told = dict(found)
    for side in "ab":
        rifles = [
            {key: value for key, value in table.items() if key != "weapon"} | {"reach": 24}
            for table in found[side].get("ranged", [])
        ]
        told[side] = found[side] | {"ranged": rifles}
    return told
