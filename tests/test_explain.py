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


@pytest.mark.parametrize(
    ("name", "target", "expected"),
    [
        ("1.6.3", {}, []),
        ("1.6.3", {"tough": True}, ["The first out of action is Down"]),
        (
            "1.6.3",
            {"unit": "Mechanised Heavy Infantry (Machine Armour)", "tough": True},
            ["The first out of action is Down", "Down is a Minor Hit", "So is the Down that TOUGH makes"],
        ),
        ("1.0.2", {"abilities": ["Sixth Sense"]}, ["Down is a Minor Hit while no blood marker is on it"]),
        (
            "1.0.2",
            {"abilities": ["Hard as Nails", "Sixth Sense"], "tough": True},
            [
                "The first out of action is no effect",
                "The first Down is no effect",
                "Down is a Minor Hit while no blood marker is on it",
            ],
        ),
        (
            "1.0.2",
            {"unit": "Anchorite Shrine", "abilities": ["Broken on the Wheel"]},
            [
                "The first out of action is no effect",
                "After that Broken on the Wheel ends, and the target is as printed",
                "The next one is Down",
                "Down is a Minor Hit until then",
            ],
        ),
        (
            "1.6.3",
            {"unit": "The Dragon"},
            ["Out of action is Down, 3 times", "After that, out of action is Down, unless by a Bloodbath"],
        ),
        ("1.6.3", {"keywords": ["GOLEM"]}, ["Out of action is Down, unless by a Bloodbath"]),
    ],
)
def test_what_results_become(
    name: str, target: dict[str, Any], expected: list[str], tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each with the rule behind it; in words and as data."""
    asked = {"edition": name, "target": target, "attacks": [{}]}
    told = json.loads(explained(asked, tmp_path, capsys, "--json"))["results"]
    assert [one["words"] for one in told] == expected
    assert all(len(one["source"]) > 3 for one in told)
    lines = " ".join(explained(asked, tmp_path, capsys).split())
    assert all(f"* {words} [" in lines for words in expected)


def test_an_option_that_lets_tough_fall(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    target = {"unit": "Mechanised Heavy Infantry (Machine Armour)", "tough": True}
    asked = {"target": target, "attacks": [{}], "options": {"machine_armour_after_tough": "down"}}
    told = json.loads(explained(asked, tmp_path, capsys, "--json"))["results"]
    assert told[-1] == {"words": "The Down that TOUGH makes stays Down", "source": "text: Machine Armour"}


def test_attacks_are_numbered(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """Of Tartarus Claws, 1.6.3, twice: the second and the fourth attack come only against a Down target."""
    attack = {"weapon": "Tartarus Claws", "times": 2, "shots": 1}
    text = explained({"target": {}, "attacks": [attack]}, tmp_path, capsys)
    assert "= 2D6, attacks 1, 3\n" in text
    assert "Attacks 2, 4: each is one more, made only if the target is Down" in text
    many = explained({"target": {}, "attacks": [{**attack, "times": 9}]}, tmp_path, capsys)
    assert "attacks 1, 3, 5, 7, 9, 11 …\n" in many


def test_chances_after_a_roll_of_the_target(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """15 of 36 rolls of the bearer do nothing, 20 take 2 DICE (225 and 1 of 1296), one makes the attack fail."""
    text = explained({"target": {"armour": ["Black Grail Shield"]}, "attacks": [{}]}, tmp_path, capsys)
    hit, critical = 15 / 36 * 21 / 36 + 20 / 36 * 225 / 1296, 15 / 36 / 36 + 20 / 36 / 1296
    assert f"after the target's own roll {hit:.1%} hit, {critical:.1%} are critical" in text


def test_who_hits_without_a_roll_is_told_apart(tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    attack = {"kind": "melee", "shots": 2, "prepared": True}
    asked = {"attacker": {"abilities": ["Charm of Acedia"]}, "target": {}, "attacks": [attack]}
    text = explained(asked, tmp_path, capsys)
    assert "Hits without an action roll, attack 1\n   = 2D6, attack 2\n" in text
