"""Random scenarios by numbers, of every kind the contract has, for tests that compare ways of answering them."""

from __future__ import annotations

import random
from typing import Any

from tcsim.rules import edition

ATTACK_KEYWORDS = ("CRITICAL", "FIRE", "GAS", "SHRAPNEL", "DEADLY", "AUTO-HIT", "IGNORE ARMOUR", "RISKY", "SHOTGUN")
IGNORES = {
    "ranged": ("IGNORE COVER", "IGNORE LONG RANGE", "IGNORE ELEVATED POSITION"),
    "melee": ("IGNORE OFF-HAND WEAPON", "IGNORE DEFENDED OBSTACLE"),
}
FLAGS = {"ranged": ("cover", "long_range", "elevated"), "melee": ("defended_obstacle", "off_hand", "fear")}
BLOOD_POLICIES = ("none", "all", "bloodbath", "greedy", "optimal")


def scenario(rng: random.Random, size: int = 1, small: bool = False) -> dict[str, Any]:
    """Make a random scenario; ``size`` scales the number of attacks, ``small`` keeps pools small."""
    edition_id = rng.choice(("1.6.3", "1.0.2"))
    options = {}
    for option in edition(edition_id).options.values():
        if option.name not in ("long_range", "elevated", "machine_armour_wearers") and rng.random() < 0.15:
            options[option.name] = rng.choice(list(option.values))
    attacks = [attack(rng, small) for _ in range(rng.randint(1, 2 + size))]
    for _ in range(rng.choice((0, 0, 0, 1, 2))):
        attacks.insert(rng.randint(0, len(attacks)), {"event": rng.choice(("stand", "activation"))})
    made = {
        "edition": edition_id,
        "attacker": {
            "blood": rng.choice((0, 0, rng.randint(1, 3))),
            "blessing": rng.choice((0, 0, rng.randint(1, 3))),
            "down": rng.random() < 0.2,
            "keywords": rng.choice(([], [], ["NEGATE FEAR"], ["FEAR"])),
        },
        "target": {
            "injury_modifier": rng.choice((0, -1, -2, -3, -5)),
            "injury_dice": rng.choice((0, 0, -1, 1)),
            "down": rng.random() < 0.3,
            "blood": rng.choice((0, 0, rng.randint(1, 6), 6)),
            "blessing": rng.choice((0, 0, rng.randint(1, 6 if not small else 2))),
            "tough": rng.random() < 0.4,
            "keywords": rng.choice(([], [], ["NEGATE FIRE"], ["FEAR"], ["NEGATE GAS", "NEGATE SHRAPNEL"])),
            "machine_armour_minor": rng.random() < 0.2,
        },
        "attacks": attacks,
        "spend": {
            "blood_on_injury": rng.choice(BLOOD_POLICIES),
            "blessing_on_injury": rng.choice(("none", "all")),
            "blood_on_action": rng.choice(("none", "all")),
            "blessing_on_action": rng.choice(("none", "all")),
        },
        "options": options,
    }
    if made["spend"]["blood_on_injury"] == "optimal" and not resolves_in_turn(made):
        made["options"] = {**options, "shots": "in-turn"}
    return made


def attack(rng: random.Random, small: bool = False) -> dict[str, Any]:
    """Make a random attack by numbers."""
    kind = rng.choice(("ranged", "melee"))
    reach = 1 if small else rng.choice((1, 1, 2, 5))
    words = [word for word in (*ATTACK_KEYWORDS, *IGNORES[kind]) if rng.random() < 0.15]
    if kind == "melee" and "SHOTGUN" in words:
        words.remove("SHOTGUN")
    if rng.random() < 0.2:
        words.append(f"ARMOUR PIERCING {rng.randint(1, 2)}")
    made: dict[str, Any] = {
        "kind": kind,
        "action_dice": rng.randint(-reach, reach),
        "injury_dice": rng.randint(-reach, reach),
        "injury_modifier": rng.choice((0, 0, 0, -1, 1, 2)),
        "shots": rng.choice((1, 1, 1, 2, 3)),
        "times": rng.choice((1, 1, 2)),
        "keywords": words,
    }
    made |= {flag: True for flag in FLAGS[kind] if rng.random() < 0.2}
    return made


def resolves_in_turn(made: dict[str, Any]) -> bool:
    """Whether no volley of the scenario is resolved together."""
    default = "together-ranged" if made["edition"] == "1.6.3" else "in-turn"
    how = made["options"].get("shots", default)
    together = {"together": ("ranged", "melee"), "together-ranged": ("ranged",), "in-turn": ()}[how]
    return not any(a.get("shots", 1) > 1 and a["kind"] in together for a in made["attacks"] if "event" not in a)
