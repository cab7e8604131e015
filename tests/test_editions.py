"""What changed between two editions: rows against the tables themselves, kill odds against their scenarios."""

from __future__ import annotations

import csv
import json
from importlib.resources import files

import pytest

import tcsim
from tcsim.analysis.whole.changes import ARMOUR, _only, changes
from tcsim.base.errors import InputError
from tcsim.cli import main


def test_every_row_that_differs_is_told() -> None:
    """Rows of one edition only, and rows whose cells differ in what changes a roll, found in the tables by hand."""
    told = {(change.kind, change.id): change for change in changes("1.6.3", "1.0.2")}
    numbers = {
        "weapon": ("shots", "action_dice", "injury_dice", "injury_modifier", "injury_keep", "auto_hit", "conditions"),
        "armour": ("injury_modifier", "injury_dice", "impervious", "machine", "conditions"),
        "unit": ("ranged_dice", "melee_dice", "abilities"),
    }
    for kind, columns in numbers.items():
        file = kind if kind == "armour" else f"{kind}s"
        lines = csv.DictReader((files("tcsim.catalog") / "data" / f"{file}.csv").read_text("utf-8").splitlines())
        by_id: dict[str, dict[str, dict[str, str]]] = {}
        for line in lines:
            if line["third_party"] == "0":
                by_id.setdefault(line["id"], {})[line["edition"]] = line
        assert by_id
        for id, rows in by_id.items():
            if len(rows) == 1:
                assert told[kind, id].fields == {"row": ("1.6.3" in rows, "1.0.2" in rows)}
            elif any(rows["1.6.3"][column] != rows["1.0.2"][column] for column in columns):
                assert "row" not in told[kind, id].fields


def test_kill_odds_are_those_of_the_editions() -> None:
    [change] = changes("1.6.3", "1.0.2", "automatic-pistol")
    assert change.fields["injury_dice"] == (-1, 0)
    assert change.odds is not None
    for armour, pair in zip(ARMOUR, change.odds, strict=True):
        for edition, p in zip(("1.6.3", "1.0.2"), pair, strict=True):
            attack = {"weapon": "automatic-pistol", "kind": "ranged"}
            scenario = {"edition": edition, "target": {"injury_modifier": armour}, "attacks": [attack]}
            assert p == tcsim.odds(scenario).out_of_action


def test_the_way_back_is_the_same_turned_round() -> None:
    there, back = changes("1.6.3", "1.0.2"), changes("1.0.2", "1.6.3")
    assert {(c.kind, c.id, field, *map(str, values)) for c in there for field, values in c.fields.items()} == {
        (c.kind, c.id, field, *map(str, reversed(values))) for c in back for field, values in c.fields.items()
    }
    assert not changes("1.6.3", "1.6.3")


def test_names_that_are_in_one_edition_or_none() -> None:
    [change] = changes("1.6.3", "1.0.2", "Alchemical Jezzail")
    assert change.fields == {"row": (False, True)}
    with pytest.raises(InputError, match="no weapon, armour or unit"):
        changes("1.6.3", "1.0.2", "Nothing at all")


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog", "diff", "1.6.3", "1.0.2", "Automatic Pistol", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [change["id"] for change in told["changes"]] == ["automatic-pistol", "automatic-pistol-melee"]
    assert main(["catalog", "diff", "1.6.3", "1.0.2", "Automatic Pistol"]) == 0
    text = capsys.readouterr().out
    assert "injury dice         -1 → 0" in text
    assert "12.9% → 30.9%" in text
    assert main(["catalog", "diff", "1.6.3", "9"]) == 2


def test_order_is_no_change() -> None:
    """Special rules in another order, conditions in another order, and words in another order are the same rules."""
    one = "injury_dice=+1 if melee and not target_keyword(A|B)", "action_dice=-1 against it"
    other = "action_dice=-1 against it", "injury_dice=+1 if not target_keyword(B|A) and melee"
    assert _only("effects", list(one), list(other)) == ([], [])
    assert _only("effects", list(one), [other[0]]) == ([one[0]], [])
    assert _only("abilities", [f"X: {' & '.join(one)}"], [f"X: {' & '.join(other)}"]) == ([], [])
    assert _only("abilities", [f"X: {one[0]}"], [f"Y: {one[0]}"]) == ([f"X: {one[0]}"], [f"Y: {one[0]}"])
    assert _only("abilities", ["X (5): risky=1"], ["X: risky=1"]) == (["X (5): risky=1"], ["X: risky=1"])


def test_only_what_differs_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """A Herald has gained two keywords and lost a rule; what it has in both is in the JSON alone."""
    assert main(["catalog", "diff", "1.6.3", "1.0.2", "Herald of Beelzebub @black-grail"]) == 0
    text = capsys.readouterr().out
    assert "keywords            + FLYING, NEGATE GAS\n" in text
    assert "Infected Proboscis" not in text
    assert main(["catalog", "diff", "1.6.3", "1.0.2", "Herald of Beelzebub @black-grail", "--json"]) == 0
    assert "Infected Proboscis" in capsys.readouterr().out
    assert main(["catalog", "diff", "1.0.2", "1.6.3", "Ducal Winged Armour"]) == 0
    assert "grants              − FLYING\n" in capsys.readouterr().out
