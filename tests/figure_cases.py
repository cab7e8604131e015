"""A frame for every figure of tcsim.plots, and the values that must be found again in its Axes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pandas as pd

import tcsim
from tcsim.analysis.duels import duel_matrix
from tcsim.analysis.ends import ends
from tcsim.analysis.kill_odds import kill_odds
from tcsim.analysis.markers import WEAPONS as WORTH
from tcsim.analysis.markers import marker_worth
from tcsim.analysis.spending import by_armour
from tcsim.analysis.survival import survival
from tcsim.catalog import warband
from tcsim.plots import data

SETTING = "Trench Crusade 1.6.3, short range, no cover, 0 DICE."
WEAPONS = ("bolt-action-rifle", "submachine-gun", "sword-axe", "anti-materiel-rifle")
QUESTION = {
    "target": {"armour": ["Standard Armour"]},
    "attacks": [{"weapon": "Submachine Gun", "times": 2}],
    "spend": {"blood_on_injury": "all"},
}


@cache
def kills() -> pd.DataFrame:
    return data.described(kill_odds(WEAPONS, blood=(0, 3, 6), attacks=(1, 2), trials=200, seed=3), "1.6.3")


@cache
def lasting() -> pd.DataFrame:
    return survival({"target": {}, "attacks": [{}]}, 4, armours=(-2, -3))


@cache
def front() -> pd.DataFrame:
    """Some points on a front, some below it, three of which share a place."""
    rng = np.random.default_rng(7)
    costs = rng.integers(1, 61, 40)
    chances = np.round(rng.uniform(0.02, 0.4, 40) * (0.4 + costs / 60), 4)
    names = [f"Weapon {chr(65 + i % 26)}{i}" for i in range(40)]
    rows = [
        {"loadout": name, "kind": "melee" if i % 3 else "ranged", "cost": int(cost), "p": float(p)}
        for i, (name, cost, p) in enumerate(zip(names, costs, chances, strict=True))
    ]
    return pd.DataFrame([*rows, *({"loadout": f"Plain {i}", "kind": "melee", "cost": 30, "p": 0.11} for i in range(3))])


def editions() -> pd.DataFrame:
    pairs = {
        "Flamethrower": (0.4, 0.55),
        "Shotgun": (0.3, 0.3),
        "Automatic Pistol": (0.5, 0.247),
        "Knife": (0.1, 0.104),
    }
    return pd.DataFrame(
        [
            {"weapon": name, "edition": edition, "p": p, "profile_changed": name == "Automatic Pistol"}
            for name, both in pairs.items()
            for edition, p in zip(("1.0.2", "1.6.3"), both, strict=True)
        ]
    )


def pairs() -> pd.DataFrame:
    table = {"Rifle": (0.2, 0.1, np.nan), "Flamethrower": (0.15, 0.15, 0.15), "Knife": (0.05, 0.004, 0.0)}
    targets = ("Yeoman", "Heretic Trooper", "Artillery Witch")
    return pd.DataFrame(
        [
            {"loadout": name, "target": target, "p_out": p, "cost_ducats": cost}
            for (name, row), cost in zip(table.items(), (10, 30, 1), strict=True)
            for target, p in zip(targets, row, strict=True)
        ]
    )


@cache
def needing() -> Any:
    return tcsim.needed("attacks", {"target": {}, "attacks": [{"kind": "ranged"}]}, chance=[0.5, 0.8], span=(1, 8))


@cache
def worths() -> pd.DataFrame:
    return tcsim.exchange({"target": {}, "attacks": [{"kind": "ranged"}]}).frame


@cache
def plane() -> pd.DataFrame:
    return tcsim.iso_kill({"target": {}, "attacks": [{"kind": "ranged"}]}, armour=[0, -2])


@cache
def marked() -> pd.DataFrame:
    return marker_worth("1.6.3", weapons=WORTH[:2], attacks=2)


def rounds() -> pd.DataFrame:
    return pd.DataFrame(
        {"round": [1, 2, 3], "a_wins": [0.1, 0.25, 0.3], "b_wins": [0.2, 0.3, 0.45], "a": "Yeoman", "b": "Trooper"}
    )


@cache
def planned() -> Any:
    return tcsim.spend({"target": {"injury_modifier": -3, "blood": 3}, "attacks": [{"kind": "melee", "times": 2}]})


@cache
def fought() -> Any:
    return duel_matrix(warband("na-line"), warband("hl-gunline"), {"rounds": 1})


@cache
def battle() -> Any:
    attacker = {"count": 2, "attacks": [{}]}
    table = {"targets": [{"count": 2}], "attackers": [attacker]}
    return tcsim.firefight(table)


@cache
def game() -> Any:
    warbands = [{"name": name, "models": [{"attacks": [{}]}]} for name in ("patrol", "heretics")]
    return tcsim.turn({"turns": 2, "warband": warbands})


@dataclass(frozen=True)
class Case:
    """What a figure is drawn from, and whether that is one panel."""

    given: Callable[[], Any]
    single: bool = False
    setting: bool = True


CASES: dict[str, Case] = {
    "agreement": Case(kills, single=True),
    "attacks": Case(kills),
    "comparison": Case(pairs, single=True),
    "critical_worth": Case(kills),
    "distribution": Case(lambda: ends(tcsim.odds(QUESTION))),
    "duel_curves": Case(rounds, single=True),
    "duel_matrix": Case(fought, single=True),
    "edition_difference": Case(editions, single=True),
    "firefight_ends": Case(battle, setting=False),
    "heat": Case(kills),
    "iso_kill": Case(plane),
    "kill_odds": Case(kills),
    "marker_gain": Case(marked, setting=False),
    "needed_curve": Case(needing, single=True, setting=False),
    "outcomes": Case(kills),
    "pareto": Case(front, single=True),
    "policy_gain": Case(marked, setting=False),
    "spending_by_armour": Case(lambda: by_armour("1.6.3", 3, (0, -3)), setting=False),
    "spending_map": Case(planned),
    "survival": Case(lasting),
    "tornado": Case(worths, single=True),
    "wins_by_turn": Case(game, single=True, setting=False),
}
