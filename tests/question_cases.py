"""What is asked in the tests of questions: every input and every reading of each, in small."""

from __future__ import annotations

from typing import Any, NamedTuple

from tcsim.situations import ASK


class Case(NamedTuple):
    """One question in one edition."""

    name: str
    edition: str
    inputs: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.name}-{self.edition}-{','.join(f'{key}={value}' for key, value in self.inputs.items())}"


#: In both editions.
BOTH: dict[str, list[dict[str, Any]]] = {
    "risky": [{}, {"actions": 4}, {"action_dice": -2, "actions": 2}, {"action_dice": 3, "actions": 5}],
    "dash": [
        {"move": "6"},
        {"move": "6", "distance": "6"},
        {"move": "6", "distance": "13/2"},
        {"move": "5.5", "distance": "9", "difficult": "2", "action_dice": 1},
        {"move": "5.5", "distance": "9", "difficult": "2.5"},
    ],
    "climb": [{}, {"action_dice": -1}],
    "jump": [{"move": "6", "gap": "3"}, {"move": "6", "gap": "3.25"}, {"move": "7", "gap": "7/2", "action_dice": 2}],
    "charge": [
        {"move": "6"},
        {"move": "6", "distance": "9"},
        {"move": "5", "distance": "12", "bonus": "2D6kh1"},
        {"move": "7", "distance": "12", "bonus": "2D6kl1+1"},
        {"move": "8", "distance": "12.5"},
        {"move": "8", "distance": "13", "cap": "14"},
        {"move": "6.5", "distance": "9", "stood_up": True},
        {"move": "5", "distance": "13/2", "stood_up": True, "die_halved": True},
        {"move": "5", "distance": "6", "stood_up": True, "die_halved": False},
        {"move": "6", "distance": "7", "bonus": "none"},
        {"move": "6", "distance": "7", "heavy": "armour"},
        {"move": "6", "distance": "7", "heavy": "item"},
        {"move": "6", "distance": "7", "heavy": "item", "heavy_counts": "armour"},
        {"move": "6", "distance": "7", "heavy": "item", "heavy_counts": "any"},
        {"move": "6", "distance": "7", "heavy": "armour", "strong": True},
        {"move": "6", "distance": "9", "machine_armour": True, "heavy": "armour"},
        {"move": "6", "distance": "9", "machine_armour": True, "bonus": "2D6kh1"},
        {"move": "6", "distance": "7", "machine_armour": True, "bonus": "none"},
        {"move": "6", "distance": "8", "skirmisher": True},
        {"move": "7", "distance": "9", "skirmisher": True, "step": "back"},
        {"move": "6", "distance": "8", "skirmisher": True, "step": "aside"},
        {"move": "6", "distance": "8", "skirmisher": True, "step": "stay"},
        {"move": "6", "distance": "7", "difficult": "2"},
        {"move": "6", "distance": "7", "difficult": "1.5", "skirmisher": True, "step": "aside"},
        {"move": "6", "distance": "8", "diving": True, "action_dice": 1},
    ],
    "fireteam": [
        {},
        {"first": 2, "second": 3, "action_dice": 1, "second_dice": -1},
        {"first": 0, "second": 1},
        {"first": 2, "broken_up": "later"},
        {"first": 2, "broken_up": "end"},
    ],
    "scatter": [{}, {"action_dice": 2}, {"action_dice": -1}, {"roll": 2}, {"roll": 6}],
    "morale": [
        {},
        {"action_dice": 1, "models": 10, "down_or_out": 5},
        {"models": 10, "down_or_out": 4, "turns": 3},
        {"models": 5, "down_or_out": 3, "leader": "standing"},
        {"leader": "down"},
        {"leader": "out", "turns": 3, "failure": "flight"},
        {"turns": 4, "failure": "shaken"},
        {"shaken": True, "models": 9, "down_or_out": 2, "shaken_tests": "always", "failure": "shaken"},
        {"shaken": True, "models": 9, "down_or_out": 2, "shaken_tests": "half", "turns": 2},
        {"shaken": True, "failure": "flight", "turns": 2},
        {"tests": "one", "turns": 2},
        {"tests": "both", "who": "first"},
        {"tests": "both", "who": "second", "action_dice": 1, "enemy_leader": "standing"},
        {"tests": "both", "models": 8, "enemy_models": 8, "failure": "flight", "enemy_action_dice": -1},
        {"tests": "both", "models": 7, "enemy_models": 8, "enemy_leader": "down", "failure": "flight"},
        {"tests": "both", "models": 9, "down_or_out": 6, "enemy_models": 8, "enemy_down_or_out": 3},
        {"tests": "both", "models": 7, "enemy_models": 8, "smaller": "began", "failure": "flight"},
        {
            "tests": "both",
            "models": 7,
            "left": 3,
            "enemy_models": 8,
            "enemy_left": 2,
            "smaller": "left",
            "failure": "flight",
        },
        {"tests": "both", "left": 3, "enemy_left": 3, "smaller": "left", "failure": "flight", "action_dice": 1},
        {"tests": "both", "models": 9, "enemy_models": 8, "failure": "shaken", "enemy_leader": "out"},
    ],
    "shaken": [
        {},
        {"moves": 2, "actions": 2, "action_dice": 1},
        {"moves": 2, "actions": 1, "automatic": "free"},
        {"moves": 1, "actions": 2, "automatic": "roll", "action_dice": -1},
        {"moves": 0, "actions": 3},
    ],
    "initiative": [{"models": 8, "enemy_models": n} for n in (7, 8, 9)],
    "deployment": [{"infiltrators": 2, "enemy_infiltrators": n} for n in (1, 2, 3)],
    "survival": [{}, {"models": 4}],
    "trauma": [
        {},
        {"models": 2},
        {"had": "lost_eye+leg_wound"},
        {"had": "lost_eye", "scars": 1},
        {"scars": 2, "models": 2},
    ],
    "promotion": [
        {},
        {"deeds": 2},
        {"dice": 3, "mine": 2, "failures": 3},
        {"dice": 3, "mine": 2, "failures": 4},
        {"dice": 2, "failures": 5, "mine": 0},
        {"dice": 0},
    ],
    "exploration": [
        {},
        {"dice": 3, "sum": 11, "rerolls": 0},
        {"dice": 3, "sum": 11, "aim": "exactly"},
        {"dice": 2, "sum": 10, "aim": "exactly", "rerolls": 2, "takes": "any"},
        {"dice": 2, "sum": 9, "aim": "at_least", "takes": "any"},
        {"dice": 2, "aim": "high", "takes": "one", "rerolls": 2},
    ],
    "campaign": [
        {"models": 3},
        {"models": 3, "all": False},
        {"d66": 5, "dice": 2},
        {"dice": 3, "sum": 11},
    ],
}

#: In one edition only.
ONLY: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "charge": [
        ("1.6.3", {"move": "6", "distance": "8", "shaken": True}),
        ("1.6.3", {"move": "6", "distance": "8", "out_of_sight": True}),
        ("1.6.3", {"move": "6", "distance": "8", "out_of_sight": True, "diving": True, "action_dice": 1}),
    ],
    "exploration": [
        ("1.6.3", {"game": 3}),
        ("1.0.2", {"won": True}),
        ("1.6.3", {"dice": 3, "sum": 14, "aim": "at_least", "won": True}),
    ],
    "promotion": [
        ("1.6.3", {"won": True}),
        ("1.6.3", {"won": True, "deeds": 1, "mine": 3, "failures": 3}),
    ],
}

CASES = [
    *(Case(name, edition, inputs) for name, every in BOTH.items() for inputs in every for edition in ASK.editions),
    *(Case(name, edition, inputs) for name, every in ONLY.items() for edition, inputs in every),
]
