"""``tcsim explain``: its lines add up to the numbers that the engines read, and say where they come from."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
import scenarios

import tcsim
from tcsim.catalog import catalog
from tcsim.cli import main
from tcsim.rules import edition

#: Number of a step, the roll whose lines add up to it, and the cases in which it holds.
SUMS = [
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
]


def explained(scenario: dict[str, Any], tmp_path: Any, capsys: pytest.CaptureFixture[str], *flags: str) -> str:
    path = tmp_path / "scenario.json"
    path.write_text(json.dumps(scenario))
    assert main(["explain", str(path), *flags]) == 0
    return capsys.readouterr().out


def check_sums(told: dict[str, Any]) -> None:
    for action in told["attacks"]:
        for number, step in enumerate(action["steps"], 1):
            if step["kind"] != "attack":
                continue
            for field, roll, cases in SUMS:
                holds = cases | {f"attack {number}"}
                lines = [line for line in action["lines"] if line["roll"] == roll]
                amount = sum(x["amount"] for x in lines if not x["when"] or set(x["when"].split(" and ")) <= holds)
                assert amount == step[field], (field, action)


def test_lines_add_up_for_any_scenario(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(31)
    for _ in range(60):
        check_sums(json.loads(explained(scenarios.scenario(rng), tmp_path, capsys, "--json")))


@pytest.mark.parametrize("name", ["1.6.3", "1.0.2"])
def test_lines_add_up_for_every_weapon(name: str, tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """And each has a source."""
    weapons = [weapon for weapon in catalog(name).weapons if weapon.injury_keep]
    attacks = [{"weapon": weapon.id, "kind": weapon.attack_kind, "carried": 20, "friends": 1} for weapon in weapons]
    for attack, weapon in zip(attacks, weapons, strict=True):
        if not any(edition(name).keyword(word, "attack")[0].counted for word in weapon.keywords):
            del attack["carried"]
    scenario = {"edition": name, "target": {"armour": ["Alchemist Armour"]}, "attacks": attacks}
    told = json.loads(explained(scenario, tmp_path, capsys, "--json"))
    check_sums(told)
    assert all(line["source"] for action in told["attacks"] for line in action["lines"])


def test_what_a_player_reads(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    attack = {"weapon": "Sniper Rifle", "distance": 30, "cover": True}
    scenario = {"target": {"armour": ["Standard Armour"]}, "attacks": [attack, {"event": "stand"}, {"kind": "melee"}]}
    told = explained(scenario, tmp_path, capsys)
    for text in (
        "1  Sniper Rifle, ranged attack", "+1   Sniper Rifle", "−1   cover [text: Enemy Behind Cover]",
        "−1   long range [text: Long Range]", "= 3D6, lowest 2", "7 or more hits, 31.9%; 12 is critical, 0.5%",
        "−1   armour [the rows of what is worn]", "2  the target stands up", "3  melee attack", "Out of action",
    ):  # fmt: skip
        assert text in told
    assert all(len(line) <= 80 for line in told.splitlines())
    odds = tcsim.odds(scenario)
    data = json.loads(explained(scenario, tmp_path, capsys, "--json"))
    assert data["out_of_action"] == odds.out_of_action
    assert all(abs(sum(case["chances"]) - 1) < 1e-12 for action in data["attacks"] for case in action["on_a_hit"])


def test_shots_times_and_spending_are_said(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    spend = {"blood_on_injury": "all", "blood_on_action": "all"}
    scenario = {
        "attacker": {"blood": 2},
        "target": {"blood": 2, "tough": True},
        "attacks": [{"shots": 2, "keywords": ["RISKY"]}, {"kind": "melee", "times": 3}],
        "spend": spend,
    }
    told = " ".join(explained(scenario, tmp_path, capsys).split())
    for text in (
        "2 shots, resolved together", "3 times, one after the other", "RISKY: a failure ends the activation",
        "Its first action roll has −2 DICE more", "Before markers:", "TOUGH", "spent on injury rolls: all", "Assumed:",
    ):  # fmt: skip
        assert text in told
