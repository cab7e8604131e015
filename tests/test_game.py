"""Both players choose their markers: against a naive search, by dice, and no one gains by doing otherwise."""

from __future__ import annotations

import random
from typing import Any

import pytest

import tcsim
import naive_game

KEYS = ("blood_on_injury", "blessing_on_injury", "blood_on_action", "blessing_on_action")
BLOOD = ("none", "all", "bloodbath", "greedy", "optimal")


def scenario(rng: random.Random, attacks: int = 2, markers: int = 2) -> dict[str, Any]:
    """A random game by numbers, its shots in turn."""
    made: list[dict[str, Any]] = []
    for _ in range(rng.randint(1, attacks)):
        words = [word for word in ("CRITICAL", "FIRE", "DEADLY", "AUTO-HIT", "RISKY") if rng.random() < 0.2]
        kind = rng.choice(["melee", "ranged"])
        dice = {key: rng.randint(-1, 1) for key in ("action_dice", "injury_dice", "injury_modifier")}
        made.append({"kind": kind, "times": rng.randint(1, 2), "keywords": words} | dice)
    for event in ("stand", "activation"):
        if rng.random() < 0.3:
            made.insert(rng.randint(0, len(made)), {"event": event})
    spend = {key: rng.choice(["none", "all", "optimal", "optimal", "optimal"]) for key in KEYS[1:]}
    target = {"injury_modifier": -rng.randrange(4), "blood": rng.randrange(7), "blessing": rng.randint(0, markers)}
    flags = {name: rng.random() < 0.3 for name in ("down", "tough", "machine_armour_minor")}
    return {
        "edition": rng.choice(["1.6.3", "1.0.2"]),
        "attacker": {"blood": rng.randint(0, markers), "blessing": rng.randint(0, markers), "down": rng.random() < 0.2},
        "target": target | flags,
        "attacks": made,
        "spend": {"blood_on_injury": rng.choice([*BLOOD, "optimal", "optimal"]), **spend},
        "options": {
            "declarations": rng.choice(["target-first", "attacker-first"]),
            "bloodbath": rng.choice(["keep", "keep", "add"]),
            "bloodbath_leftovers": rng.choice(["dice", "dice", "none"]),
        },
    }


def ends_of(result: tcsim.Result) -> dict[Any, float]:
    told: dict[Any, float] = {}
    for state, chance in result.states:
        end = naive_game.OUT
        if state is not None:
            end = naive_game.Target(bool(state.down), state.blood, state.blessing, bool(state.tough))
        told[end] = chance
    return told


@pytest.mark.parametrize("seed", range(60))
def test_against_the_naive_search(seed: int) -> None:
    """Every end, not only the value: so the ties are broken alike too."""
    asked = scenario(random.Random(seed))
    naive = naive_game.Game(asked).ends()
    found = ends_of(tcsim.odds(asked))
    assert set(found) == set(naive), asked
    for end, chance in naive.items():
        assert found[end] == pytest.approx(float(chance), abs=1e-12), asked


# --- duels --------------------------------------------------------------------------------------------------


def fighter(rng: random.Random, attacks: int, apart: bool) -> dict[str, Any]:
    made = []
    for _ in range(rng.randint(1, attacks)):
        words = [word for word in ("CRITICAL", "FIRE", "DEADLY", "AUTO-HIT", "RISKY") if rng.random() < 0.15]
        made.append({"keywords": words} | {key: rng.randint(-1, 1) for key in ("action_dice", "injury_dice")})
    model: dict[str, Any] = {"injury_modifier": -rng.randrange(4), "blood": rng.randrange(4), "attacks": made}
    model |= {"tough": rng.random() < 0.3, "blessing": rng.choice([0, 0, 1]), "down": rng.random() < 0.3}
    if apart:
        model |= {"move": rng.choice([4, 6, 7.5]), "charge_die": rng.choice(["D6", "D3", "none"])}
        model["ranged"] = rng.choice([[], [{"action_dice": rng.randint(-1, 1)}]])
    return model


def duel(rng: random.Random, rounds: int, attacks: int = 2) -> dict[str, Any]:
    """A random duel of optimal play by numbers."""
    apart, edition = rng.random() < 0.4, rng.choice(["1.6.3", "1.6.3", "1.0.2"])
    options = {"declarations": rng.choice(["target-first", "attacker-first"])}
    options |= {"bloodbath": rng.choice(["keep", "add"])} if rng.random() < 0.3 else {}
    options |= {"stand_up": rng.choice(["wait", "risky", "best"])} if rng.random() < 0.7 else {}
    options |= {"failed_charge": "move"} if rng.random() < 0.3 else {}
    made = {"edition": edition, "rounds": rng.randint(1, rounds), "first": rng.choice("ab"), "options": options}
    made |= {side: fighter(rng, attacks, apart) for side in "ab"} | {"spend": {"mode": "optimal"}}
    if apart:
        who = rng.choice(["best", "best", "first-able", "a"])
        made["approach"] = {"distance": rng.choice([8, 10, 14]), "who_charges": who}
    return made


@pytest.mark.parametrize("seed", range(25))
def test_duels_against_the_naive_search(seed: int) -> None:
    asked = duel(random.Random(seed), 2)
    naive = naive_game.Duel(asked).ends()
    found = tcsim.duel(asked)
    assert found.a_wins == pytest.approx(float(naive.get("a", 0)), abs=1e-12), asked
    assert found.b_wins == pytest.approx(float(naive.get("b", 0)), abs=1e-12), asked
