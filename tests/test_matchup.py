"""Matchups: each cell is the scenario one would write by hand, and its odds are those of that scenario."""

from __future__ import annotations

import csv
import io
import json
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import tcsim
from tcsim.analysis.matchup import Matchup, matchup, scenario_of
from tcsim.analysis.ways import options_of
from tcsim.base.errors import InputError
from tcsim.catalog import shipped_warbands, warband
from tcsim.catalog.kit import kits_of
from tcsim.catalog.warbands import Warband, read_loadouts
from tcsim.cli import main
from tcsim.cli.matchup import short_name
from tcsim.dice import Pool
from tcsim.engines.answer import Plan
from tcsim.stats import interval

EDITIONS = ("1.6.3", "1.0.2")


def one(edition: str, unit: str, faction: str = "new-antioch", **kit: Any) -> Warband:
    """One model on its own."""
    return read_loadouts({"edition": edition, "faction": faction, "unit": unit, **kit})[0]


def cell(found: Matchup, side: int = 0, attacker: int = 0, target: int = 0) -> Any:
    return found.cells[side][attacker][target]


def odds(edition: str, attacker: str, target: str, armour: list[str], *attacks: dict[str, Any]) -> tuple[float, float]:
    scenario = {
        "edition": edition,
        "attacker": {"unit": attacker},
        "target": {"unit": target, "armour": armour},
        "attacks": list(attacks),
    }
    result = tcsim.odds(scenario)
    return result.out_of_action, result.down


# --- cells are the scenarios one would write ------------------------------------------------------------------

#: Edition, attackers, entry, targets, entry, action, and the scenario by hand: attacker, target, armour, attacks.
HAND: list[tuple[str, str, int, str, int, str, tuple[Any, ...]]] = [
    # a rifle against no armour at all
    ("1.6.3", "na-line", 5, "hl-gunline", 4, "ranged",
     ("Yeoman", "Heretic Trooper", [], {"weapon": "Bolt-Action Rifle"})),
    # Standard Armour and shield by name
    ("1.0.2", "hl-gunline", 4, "na-assault", 4, "ranged",
     ("Heretic Trooper", "Shock Trooper", ["Standard Armour", "Trench Shield"], {"weapon": "Bolt-Action Rifle"})),
    # sword and pistol, the pistol off-hand
    ("1.6.3", "na-line", 2, "hl-gunline", 4, "melee",
     ("Trench Cleric", "Heretic Trooper", [], {"weapon": "Sword / Axe"}, {"weapon": "pistol-melee", "off_hand": True})),
    # the shield takes the hand of the pistol: the sword alone, which is better than the pistol
    ("1.0.2", "na-line", 0, "hl-gunline", 4, "melee",
     ("new-antioch-lieutenant", "Heretic Trooper", [], {"weapon": "Sword/Axe"})),
    # two swords, the second off-hand
    ("1.0.2", "hl-monsters", 1, "na-line", 5, "melee",
     ("Chorister", "Yeoman", [], {"weapon": "Sword/Axe"}, {"weapon": "Sword/Axe", "off_hand": True})),
    # a saint with three weapons, none off-hand
    ("1.6.3", "court-sloth", 1, "na-line", 5, "melee",
     ("Desecrated Saint", "Yeoman", [], {"weapon": "Sword / Axe"}, {"weapon": "Trench Club"},
      {"weapon": "Greatsword / Greataxe"})),
    # a war wolf: the claws always off-hand, after the jaws
    ("1.6.3", "hl-monsters", 2, "na-line", 5, "melee",
     ("War Wolf Assault Beast", "Yeoman", [], {"weapon": "chainsaw-mouth"},
      {"weapon": "shredding-claws", "off_hand": True})),
    # a machine gun against Light Machine Armour, which is in the unit's profile
    ("1.6.3", "hl-gunline", 2, "na-line", 3, "ranged",
     ("Anointed Heavy Infantry", "Mechanised Heavy Infantry", [], {"weapon": "Machine Gun"})),
    # grenades are carried
    ("1.6.3", "na-assault", 4, "hl-gunline", 4, "ranged",
     ("Shocktrooper", "Heretic Trooper", [], {"weapon": "frag-grenades", "carried": 1})),
    # no melee weapon: unarmed in 1.6.3
    ("1.6.3", "na-line", 1, "hl-gunline", 4, "melee",
     ("Sniper Priest", "Heretic Trooper", [], {"weapon": "unarmed"})),
    # teeth and claws, against the lesser mark of Cain (in armour.csv too) and reinforced armour
    ("1.0.2", "bg-lord", 4, "court-wrath", 0, "melee",
     ("Hound of the Black Grail", "Praetor", ["Reinforced Armour", "lesser-mark-of-cain"],
      {"weapon": "teeth-claws-hound"})),
]  # fmt: skip


@pytest.mark.parametrize(("edition", "first", "i", "second", "j", "action", "hand"), HAND)
def test_cells_are_scenarios(
    edition: str, first: str, i: int, second: str, j: int, action: str, hand: tuple[Any, ...]
) -> None:
    found = cell(matchup(warband(first, edition), warband(second, edition), action), 0, i, j)
    assert (found.out_of_action, found.down) == pytest.approx(odds(edition, *hand), abs=1e-12)
    assert 0 < found.out_of_action + found.down < 1


def test_a_cell_by_hand() -> None:
    """A yeoman's rifle at a yeoman, 1.6.3: 2D6 hits on 7, out of action on 9; one injury die more on a critical."""
    found = cell(matchup(warband("na-line"), warband("na-line"), "ranged"), 0, 5, 5)
    hit, critical = Pool().at_least(7) - Pool().at_least(12), Pool().at_least(12)
    assert found.out_of_action == pytest.approx(hit * Pool().at_least(9) + critical * Pool(1).at_least(9), abs=1e-12)


@pytest.mark.parametrize("edition", EDITIONS)
def test_cells_that_are_answered_together_are_answered_alone(edition: str) -> None:
    found = matchup(warband("is-elite", edition), warband("tp-procession", edition))
    for side, table in enumerate(found.cells):
        for attacker, row in zip(found.sides[side].kits, table, strict=True):
            for target, one_cell in zip(found.sides[1 - side].kits, row, strict=True):
                alone = tcsim.odds(scenario_of(attacker, one_cell.option, target))
                assert alone.out_of_action == pytest.approx(one_cell.out_of_action, abs=1e-12)


# --- what a model can do ----------------------------------------------------------------------------------------


def labels(edition: str, unit: str, faction: str = "new-antioch", **kit: Any) -> list[str]:
    [model] = kits_of(one(edition, unit, faction, **kit))
    return [f"{option.kind} {option.label}" for option in options_of(model, [])]


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_pistol_needs_a_free_hand(edition: str) -> None:
    pistol = {"ranged": ["pistol"]}
    name = "Pistol / Revolver" if edition == "1.6.3" else "Pistol"
    big = "Greatsword / Greataxe" if edition == "1.6.3" else "Great Sword/Axe"
    sword = "Sword / Axe" if edition == "1.6.3" else "Sword/Axe"
    assert labels(edition, "Yeoman", **pistol, melee=["sword-axe"]) == [f"ranged {name}", f"melee {sword} + {name}"]
    both = [f"ranged {name}", f"melee {sword}", f"melee {name}"]
    assert labels(edition, "Yeoman", **pistol, melee=["sword-axe"], armour=["trench-shield"]) == both
    # a greatsword takes both hands, unless the model is STRONG
    assert labels(edition, "Yeoman", **pistol, melee=["great-sword-axe"])[1] == f"melee {big}"
    assert (
        labels(edition, "Janissary", "iron-sultanate", **pistol, melee=["great-sword-axe"])[1]
        == f"melee {big} + {name}"
    )


def test_unarmed_is_of_1_6_3() -> None:
    """1.0.2 has no unarmed profile: a model without a melee weapon cannot fight."""
    assert labels("1.6.3", "Azeb", "iron-sultanate", ranged=["jezzail"]) == ["ranged Jezzail", "melee Unarmed"]
    assert labels("1.0.2", "Azeb", "iron-sultanate", ranged=["jezzail"]) == ["ranged Jezzail"]
    found = matchup(one("1.0.2", "Azeb", "iron-sultanate"), one("1.0.2", "Yeoman"))
    assert cell(found).option is None
    assert cell(found).out_of_action == 0


def test_no_ranged_characteristic_no_shooting() -> None:
    """A hound cannot shoot, and tramples only what lies."""
    assert labels("1.6.3", "Hound of the Black Grail", "black-grail", natural=["pounce-hound"]) == [
        "melee Pounce (Hound)"
    ]
    assert labels("1.6.3", "Brazen Bull", "iron-sultanate", melee=["titan-zulfiqar"], natural=["trample"]) == [
        "melee Titan Zulfiqar"
    ]


def test_a_submachine_gun_shoots_twice_in_1_0_2() -> None:
    """1.0.2: two Shoot ACTIONS in an activation; 1.6.3: two attacks in one."""
    gun = one("1.0.2", "Yeoman", ranged=["submachine-gun"])
    found = cell(matchup(gun, one("1.0.2", "Yeoman"), "ranged"))
    assert found.out_of_action == pytest.approx(
        odds("1.0.2", "Yeoman", "Yeoman", [], {"weapon": "submachine-gun", "times": 2})[0], abs=1e-12
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_a_variant_brings_its_rules(edition: str) -> None:
    """Trench Ghosts: -1 injury dice on ranged attacks against all of them (both books)."""
    ghosts = one(edition, "Heretic Trooper", "heretic-legions-ghosts")
    found = cell(matchup(one(edition, "Yeoman", ranged=["bolt-action-rifle"]), ghosts, "ranged"))
    hit, critical = Pool().at_least(7) - Pool().at_least(12), Pool().at_least(12)
    expected = hit * Pool(-1).at_least(9) + critical * Pool(0).at_least(9)
    assert found.out_of_action == pytest.approx(float(expected), abs=1e-12)


def test_a_pistol_in_melee_is_for_those_who_have_the_characteristic() -> None:
    """1.6.3: it is rolled with Ranged, which a hound has not; in 1.0.2 with the better of both."""
    hound = ("Hound (Wailer)", "black-grail-dirge")
    assert labels("1.6.3", *hound, ranged=["pistol"]) == ["melee Unarmed"]
    assert labels("1.6.3", *hound, ranged=["pistol"], melee=["sword-axe"]) == ["melee Sword / Axe"]
    assert labels("1.0.2", "Hound of the Black Grail", "black-grail", ranged=["pistol"])[-1] == "melee Pistol"


def test_empty_hands_of_the_lord_of_tumours_are_clubs() -> None:
    """1.6.3: STRONG, so the axe takes one hand, and the other counts as a Trench Club."""
    [lord] = kits_of(warband("bg-lord"))[:1]
    assert [option.label for option in options_of(lord, [])] == ["Beelzebub's Axe + Trench Club"]


@pytest.mark.parametrize("edition", EDITIONS)
def test_best_is_the_better_of_both(edition: str) -> None:
    first, second = warband("na-line", edition), warband("hl-gunline", edition)
    best, ranged, melee = (matchup(first, second, action) for action in ("best", "ranged", "melee"))
    for side in (0, 1):
        for i, row in enumerate(best.cells[side]):
            for j, found in enumerate(row):
                ways = [cell(table, side, i, j) for table in (ranged, melee)]
                assert found.out_of_action == pytest.approx(max(way.out_of_action for way in ways), abs=1e-11)
    kinds = {found.option.kind for row in best.cells[0] for found in row if found.option}
    assert kinds == {"ranged", "melee"}


# --- all of them --------------------------------------------------------------------------------------------------


def answered(first: Warband, second: Warband) -> None:
    found = matchup(first, second)
    assert len(found.cells[0]) == len(first.models)
    assert len(found.cells[1]) == len(second.models)
    chances = [one_cell.out_of_action for table in found.cells for row in table for one_cell in row]
    assert all(0 <= chance <= 1 for chance in chances)
    assert max(chances) > 0.1
    assert len(set(found.notes)) == len(found.notes)


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_warband_is_answered(edition: str) -> None:
    """Each against the next one, so that every model attacks and is attacked."""
    warbands = shipped_warbands(edition)
    for first, second in zip(warbands, [*warbands[1:], warbands[0]], strict=True):
        answered(first, second)


@pytest.mark.verification
@pytest.mark.parametrize("edition", EDITIONS)
def test_every_pair_is_answered(edition: str) -> None:
    for first, second in combinations(shipped_warbands(edition), 2):
        answered(first, second)


def test_a_warband_against_itself_is_the_same_both_ways() -> None:
    found = matchup(warband("tp-shrine"), warband("tp-shrine"))
    odds_of = [[[c.out_of_action for c in row] for row in table] for table in found.cells]
    assert odds_of[0] == odds_of[1]


def test_rolled_cells_hold_the_exact_ones() -> None:
    """50 cells of 20,000 trials, fixed seed: more than 8 of the 95% intervals miss about 1 time in 1,300.

    (2.5 are expected; a chance that is wrong by 0.02 is noticed nearly always.)
    """
    pair = warband("is-elite"), warband("hl-gunline")
    exact, rolled = matchup(*pair), matchup(*pair, plan=Plan(trials=20_000, seed=5))
    missed, cells = 0, 0
    for row, other in zip(exact.rows(), rolled.rows(), strict=True):
        assert row["weapons"] == other["weapons"]
        if other["trials"] is not None:
            cells += 1
            assert other["count"] / other["trials"] == pytest.approx(other["out_of_action"])
            missed += not other["low"] <= row["out_of_action"] <= other["high"]
    assert cells == 50
    assert missed <= 8


def test_editions_do_not_mix() -> None:
    with pytest.raises(InputError, match="both must be of one edition"):
        matchup(warband("na-line"), warband("na-line", "1.0.2"))
    with pytest.raises(InputError, match='there is no action "meele"; did you mean "melee"'):
        matchup(warband("na-line"), warband("na-line"), "meele")


def test_what_is_not_counted_is_said_once() -> None:
    found = matchup(warband("na-line"), warband("is-elite"))
    assert "Not counted: Alchemical Ammunition (Azeb)." in found.notes
    assert not [text for text in found.notes if "can serve as the off-hand" in text or "BAYONET LUG" in text]


# --- the command line ---------------------------------------------------------------------------------------------


def test_the_table_fits(capsys: pytest.CaptureFixture[str]) -> None:
    for pair in (("na-line", "hl-gunline"), ("tp-shrine", "hl-monsters")):
        assert main(["matchup", *pair, "--edition", "1.0.2"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) <= 80
        assert lines[0] == f"{pair[0]} v. {pair[1]}   1.0.2, exact"
        assert f"{pair[0]} attacks {pair[1]}" in lines
        assert f"{pair[1]} attacks {pair[0]}" in lines


def test_eight_by_eight_fits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    weapons = ["sword-axe", "trench-club", "trench-knife", "polearm", "great-sword-axe", "great-hammer-maul"]
    models = [f'[[warband.model]]\nunit = "Mechanised Heavy Infantry"\nmelee = ["{name}"]\n' for name in weapons]
    models += ['[[warband.model]]\nunit = "Trench Cleric"\n', '[[warband.model]]\nunit = "Lieutenant"\n']
    file = tmp_path / "eight.toml"
    file.write_text('[[warband]]\nid = "eight"\nfaction = "new-antioch"\n' + "".join(models), encoding="utf-8")
    assert main(["matchup", str(file), str(file)]) == 0
    shown = capsys.readouterr().out
    assert max(map(len, shown.splitlines())) <= 80
    tables = shown.split("The first time")[0]
    assert "…" not in tables
    assert "Lieut." in tables


def test_json_and_csv_are_the_same_cells(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matchup", "na-line", "hl-gunline", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["edition"], data["method"]) == ("1.6.3", "exact")
    assert len(data["cells"]) == 2 * 6 * 5
    assert main(["matchup", "na-line", "hl-gunline", "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == len(data["cells"])
    for row, found in zip(rows, data["cells"], strict=True):
        assert float(row["out_of_action"]) == found["out_of_action"]
        assert row["attacker"] == found["attacker"]
    rifle = next(
        found for found in data["cells"] if found["attacker"] == "Yeoman" and found["target"] == "Heretic Trooper"
    )
    assert (rifle["action"], rifle["weapons"], rifle["attacker_count"]) == ("ranged", "Bolt-Action Rifle", 2)


def test_rolled_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matchup", "is-elite", "hl-gunline", "--method", "monte-carlo", "--trials", "1e4", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert (data["method"], data["seed"]) == ("monte_carlo", 1)
    assert (data["trials"], data["level"]) == (10_000, 0.95)
    assert {found["trials"] for found in data["cells"]} == {10_000}
    for found in data["cells"]:  # by tcsim.stats, whose intervals have tests of their own
        assert (found["interval"], found["low"], found["high"]) == interval(found["count"], 10_000, 0.95)
    assert main(["matchup", "is-elite", "hl-gunline", "--method", "monte-carlo", "--trials", "1e4", "--csv"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [float(row["high"]) for row in rows] == [found["high"] for found in data["cells"]]
    assert main(["matchup", "is-elite", "hl-gunline", "--method", "monte-carlo", "--trials", "1e4"]) == 0
    sides = [max(x["high"] - x["out_of_action"], x["out_of_action"] - x["low"]) for x in data["cells"]]
    assert f"95% intervals reach at most {100 * max(sides):.2f} points to either side" in capsys.readouterr().out


def test_a_loadout_that_is_not_legal_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two body armours are one too many; the odds are answered all the same."""
    file = tmp_path / "mine.toml"
    armour = 'armour = ["Trench Shield", "Trench Shield"]'
    file.write_text(f'faction = "new-antioch"\nunit = "Yeoman"\nranged = ["Machine Gun"]\n{armour}\n', encoding="utf-8")
    assert main(["matchup", str(file), "na-line", "--json"]) == 0
    [told] = [text for text in json.loads(capsys.readouterr().out)["notes"] if "not legal" in text]
    assert re.fullmatch(r"mine is not legal, \d rules? (is|are) broken; tcsim catalog check says which\.", told)
    legal = matchup(warband("na-line"), warband("hl-gunline")).notes
    assert not [text for text in legal if "not legal" in text]


def test_a_file_brings_its_edition(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('edition = "1.0.2"\nfaction = "court"\nunit = "Praetor"\nmelee = ["Sword/Axe"]\n', encoding="utf-8")
    assert main(["matchup", str(file), "na-line", "--json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["edition"] == "1.0.2"
    assert data["warbands"][0]["id"] == "mine"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["na-lime", "na-line"], 'did you mean "na-line"?'),
        (["na-line", "na-line", "--trials", "10"], "it goes with --method monte-carlo"),
        (["na-line", "na-line", "--json", "--csv"], "give one of --json and --csv"),
        (["na-line", "none.toml"], "cannot be read"),
        (["na-line", "na-line", "--method", "exact", "--seed", "3"], "an exact answer needs none"),
        (["na-line", "na-line", "--edition", "1.1"], 'there is no edition "1.1"'),
    ],
)
def test_wrong_input(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["matchup", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_short_names() -> None:
    assert short_name("Yeoman") == "Yeoman"
    assert short_name("Heretic Legionnaire (Melee)") == "Heretic\nLegion."
    assert short_name("Hunter of the Left-Hand Path") == "Hunter\nPath"
