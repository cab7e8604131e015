"""What rows of sweeps share, and what stands in the place of what: each is still the single answer."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from typing import Any

import pytest

import tcsim
from tcsim.base.errors import InputError
from tcsim.sweep.grid import read_grid

pytestmark = pytest.mark.usefixtures("csv_parts")

RIFLE, AXE = {"weapon": "Bolt-Action Rifle"}, {"weapon": "Sword / Axe", "kind": "melee"}

#: Attacks that are made several times each, and what else a scenario says.
SEVERAL: dict[str, tuple[list[dict[str, Any]], dict[str, Any]]] = {
    "one": ([{}], {}),
    "two": ([RIFLE, AXE], {}),
    "two of a kind, which are one step": ([AXE, AXE], {}),
    "the first with other dice": ([RIFLE, AXE], {"attacker": {"blood": 1}, "spend": {"blood_on_action": "all"}}),
    "players who choose": ([RIFLE, AXE], {"attacker": {"blood": 1}, "spend": {"blood_on_action": "optimal"}}),
    "events that fall away": ([{"event": "stand"}, {"event": "activation"}, RIFLE, {"event": "stand"}, AXE], {}),
    "a step that falls away, and one that is two": (
        [{"event": "charge", "distance": 3, "move": 6}, RIFLE, AXE],
        {"attacker": {"blessing": 1}, "spend": {"blessing_on_action": "all"}},
    ),
    "one carried": ([{"weapon": "Grenades"}, AXE], {}),
    "shots one after the other": ([{"shots": 2}, AXE], {"options": {"shots": "in-turn"}}),
    "planned": ([RIFLE, AXE], {"spend": {"blood_on_injury": "optimal"}}),
    "five": ([RIFLE, AXE, RIFLE, AXE, RIFLE], {}),
}


@pytest.mark.parametrize("name", SEVERAL)
def test_however_often_each_attack_is_made_a_row_is_the_single_answer(name: str, tmp_path: Path) -> None:
    attacks, rest = SEVERAL[name]
    places = [number for number, attack in enumerate(attacks) if "event" not in attack]
    given = []
    for times in itertools.islice(
        itertools.product([None, 3, 1, 2], repeat=len(places)), 0, None, 1 if len(places) < 3 else 97
    ):
        said = dict(zip(places, times, strict=True))
        made = [attack | ({"times": said[number]} if said.get(number) else {}) for number, attack in enumerate(attacks)]
        given.append({"target": {"tough": True}, "attacks": made} | rest)
    made = tcsim.new_sweep(given, tmp_path / "out", part_rows=7)
    made.run()
    found = {row["line"]: row for row in made.frame().to_dict("records")}
    wrong = {one["line"]: one["error"] for one in made.errors()}
    for line, scenario in enumerate(given, 1):
        if line in wrong:
            with pytest.raises(InputError, match=re.escape(wrong[line])):
                tcsim.odds(scenario)
            continue
        alone = tcsim.odds(scenario)
        assert found[line]["fingerprint"] == alone.resolved.problem.fingerprint
        assert found[line]["p_out"] == pytest.approx(alone.out_of_action, abs=1e-12)
    assert bool(wrong) == (name == "one carried")


def test_what_an_axis_says_stands_in_the_place_of_what_all_have_in_common(tmp_path: Path) -> None:
    """Each value here is wrong, or is not answered, in the one scenario that it is in place of."""
    base = {
        "target": {"blood": 9, "down": 3, "blessing": 1, "unit": "Lord of Tumours"},
        "attacks": [{"times": 0, "shots": 2, "keywords": ["CRITICAL"]}],
        "spend": {"blood_on_injury": "optimistic"},
    }
    axes = {
        "target.blood": [4],
        "target.down": [True],
        "attacks[0].times": [2, 1],
        "spend.blood_on_injury": ["greedy", "all"],
    }
    made = tcsim.new_sweep({"scenario": base, "product": axes}, tmp_path / "out")
    assert made.run().failed == 0
    for row, (times, spend) in zip(
        made.frame().to_dict("records"), itertools.product([2, 1], ["greedy", "all"]), strict=True
    ):
        target, attack = base["target"] | {"blood": 4, "down": True}, base["attacks"][0] | {"times": times}
        alone = tcsim.odds({"target": target, "attacks": [attack], "spend": {"blood_on_injury": spend}})
        assert row["fingerprint"] == alone.resolved.problem.fingerprint
        assert row["spend.blood_on_injury"] == spend


@pytest.mark.parametrize(
    ("query", "some", "none"),
    [
        ({"weapons": {"faction": "New Antioch", "kind": "ranged"}}, "bolt-action-rifle", "sword-axe"),
        ({"weapons": {"faction": "New Antioch"}}, "shovel", "fire-breath"),  # of all, and of a monster
        ({"armour": {"faction": "New Antioch"}}, ["gas-mask"], ["alchemist-armour"]),
        ({"weapons": {"faction": "New Antioch", "edition": ["1.0.2", "1.6.3"]}}, "sniper-rifle", "misericordia"),
        ({"armour": {"slot": "shield"}}, ["trench-shield"], ["standard-armour"]),
        ({"units": {"faction": "court"}}, "court-praetor", "new-antioch-lieutenant"),
        ({"warband": "na-line"}, None, None),
    ],
)
def test_a_catalogue_query_stands_for_its_rows(query: dict[str, Any], some: Any, none: Any) -> None:
    scenario = {"target": {}, "attacks": [{}]}
    [axis] = read_grid({"scenario": scenario, "product": {"target.unit": query}}).axes
    values = [value for (value,) in axis.points]
    if some is None:
        assert len(values) > 3
        assert all(value["unit"] for value in values)
    else:
        assert some in values
        assert none not in values


WARBAND = """
[[warband]]
faction = "new-antioch"
[[warband.model]]
unit = "Yeoman"
count = 3
armour = ["Standard Armour"]
[[warband.model]]
unit = "Combat Medic"
"""


def test_models_of_a_file_are_those_of_a_warband_and_a_changed_file_is_not_gone_on_with(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mine.toml").write_text(WARBAND, encoding="utf-8")
    (tmp_path / "grid.toml").write_text(
        "[scenario.target]\n[[scenario.attacks]]\n[product]\ntarget = {warband = 'mine.toml'}", encoding="utf-8"
    )
    monkeypatch.chdir("/")  # it lies beside the grid, wherever the sweep is begun and gone on with
    made = tcsim.new_sweep(tmp_path / "grid.toml", tmp_path / "out", part_rows=1)
    made.run()
    told = made.frame(["target.unit", "target.armour"]).fillna("").to_dict("split")["data"]
    assert told == [["Yeoman", '["Standard Armour"]'], ["Combat Medic", ""]]
    (tmp_path / "out" / "parts" / "part-00001.csv").unlink()
    (tmp_path / "mine.toml").write_text(WARBAND.replace("count = 3", "count = 4"), encoding="utf-8")
    with pytest.raises(InputError, match=r"mine\.toml.* has changed since the sweep began"):
        made.run()
