"""The whole catalogue at once: cells equal single answers, nothing is dropped silently, wrong input is one sentence."""

from __future__ import annotations

import math
import random
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import tcsim
from tcsim.analysis.whole.answer import Whole, first, whole
from tcsim.analysis.whole.grid import may_be_worn
from tcsim.base.errors import InputError
from tcsim.catalog import Catalog, catalog
from tcsim.engines.exact import watch
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import resolve

#: Weapons of every sort: plain, in turn and together, burning, infecting, by markers, once a game, with a choice.
SOME = ("bolt-action-rifle", "submachine-gun", "great-sword-axe", "flamethrower", "bow-of-lethe", "golden-khanjar")
WORN = (
    [],
    ["Standard Armour"],
    ["Reinforced Armour", "Trench Shield"],
    ["Alchemist Armour"],
    ["Machine Armour"],
    ["Holy Icon Shield"],
    ["Black Grail Shield"],
)

BOOKS = {edition: catalog(edition) for edition in ("1.6.3", "1.0.2")}


@pytest.fixture(scope="module")
def small() -> Whole:
    return whole(weapons=SOME, worn=WORN, blood=[0, 2, 6], attacks=[1, 2, 4])


def single(row: Any, spend: str, opened: dict[str, Catalog]) -> Any:
    """The answer to one cell, asked anew: from what stands in its row alone."""
    carried = {"GRENADE", "CONSUMABLE"} & {
        word.split(" ")[0] for word in opened[row.edition].weapon(row.weapon_id).keywords
    }
    return tcsim.odds(
        {
            "edition": row.edition,
            "target": {
                "armour": [id for id in (row.armour_id, row.shield_id) if id],
                "blood": int(row.blood),
                "tough": bool(row.tough),
            },
            "attacks": [{"weapon": row.weapon_id, "times": int(row.attacks), **({"carried": 100} if carried else {})}],
            "spend": {"blood_on_injury": spend},
        },
        catalog=opened[row.edition],
    )


def agree(found: Whole, cells: pd.DataFrame, spend: str = "greedy", opened: dict[str, Catalog] = BOOKS) -> None:
    for row in cells.itertuples(index=False):
        answer = single(row, spend, opened)
        where = (row.edition, row.weapon_id, row.armour_id, row.shield_id, row.blood, row.tough, row.attacks)
        assert math.isclose(row.p_out, answer.out_of_action, abs_tol=1e-12), where
        assert math.isclose(row.p_down, answer.down, abs_tol=1e-12), where
        both_gone = math.isnan(row.expected_blood) and math.isnan(answer.blood)
        assert both_gone or math.isclose(row.expected_blood, answer.blood, abs_tol=1e-9), where
        assert found.problem(int(row.question)) == answer.resolved.problem, where


def drawn(cells: pd.DataFrame, n: int, seed: int) -> pd.DataFrame:
    return cells.iloc[random.Random(seed).sample(range(len(cells)), n)]


def test_cells_equal_single_answers(small: Whole) -> None:
    """Cells drawn at random from the two editions equal what tcsim.odds says of the same words."""
    agree(small, drawn(small.cells, 60, 1))


@pytest.mark.parametrize("spend", ["none", "all", "bloodbath", "optimal"])
def test_every_policy(spend: str) -> None:
    found = whole(["1.6.3"], ["submachine-gun", "sword-axe"], [["Reinforced Armour"]], [3], [1, 3], spend)
    assert len(found.cells) == 2 * 2 * 2
    agree(found, found.cells, spend)


@pytest.mark.verification
def test_cells_of_the_whole_catalogue_equal_single_answers() -> None:
    """300 cells of each policy that looks at one roll, from everything there is."""
    for seed, spend in enumerate(("greedy", "none", "all"), start=2):
        found = whole(spend=spend)
        agree(found, drawn(found.cells, 300, seed), spend)


def test_every_row_is_there_or_told(small: Whole) -> None:
    """Weapons times what is worn times the rest, each once; every name of it; and what a weapon lacks is said."""
    cells = small.cells
    key = ["edition", "weapon_id", "armour_id", "shield_id", "blood", "tough", "attacks"]
    assert len(cells) == 2 * len(SOME) * len(WORN) * 3 * 2 * 3
    assert not cells[key].duplicated().any()
    assert small.left_out.empty
    everything = whole(blood=[0], attacks=[1], spend="none", worn=[[]])
    for edition in ("1.6.3", "1.0.2"):
        own = everything.cells[everything.cells["edition"] == edition]
        rows = catalog(edition).weapons
        assert set(own["weapon_id"]) == {row.id for row in rows}
        short = {row.id for row in rows if row.unmodelled}
        assert short <= set(own.loc[~own["counted"], "weapon_id"])
        assert set(own.loc[~own["official"], "weapon_id"]) == {row.id for row in rows if row.third_party}
        told = everything.remarks[(everything.remarks["edition"] == edition) & ~everything.remarks["counted"]]
        assert set(told["id"]) == set(own.loc[~own["counted"], "weapon_id"])


def test_what_may_be_worn_is_what_a_scenario_accepts() -> None:
    """Each pair of body armour and shield is worn exactly where resolving it raises no error; every piece is there."""
    for edition in ("1.6.3", "1.0.2"):
        rows = catalog(edition)
        worn = {tuple(piece.id for piece in pieces) for pieces in may_be_worn(rows)}
        assert {(piece.id,) for piece in rows.armour_rows} | {()} <= worn
        bodies, shields = ([one.id for one in rows.armour_rows if one.slot == slot] for slot in ("body", "shield"))
        for body in bodies:
            for shield in shields:
                try:
                    resolve(from_mapping({"edition": edition, "target": {"armour": [body, shield]}, "attacks": [{}]}))
                except InputError:
                    assert (body, shield) not in worn
                else:
                    assert (body, shield) in worn


def test_same_question_same_answer(small: Whole) -> None:
    """Rows that share a question share start, number of attacks and answers; many do share one."""
    groups = small.cells.groupby("question")
    for name in ("p_out", "p_down", "blood", "tough", "attacks"):
        assert (groups[name].nunique() == 1).all()
    assert groups.ngroups < len(small.cells)


def test_modifier_is_what_armour_takes_off(small: Whole) -> None:
    cells = small.cells[(small.cells["edition"] == "1.6.3") & (small.cells["weapon_id"] == "bolt-action-rifle")]
    taken = cells.groupby(["armour_id", "shield_id"], observed=True)["modifier"].unique().map(list).to_dict()
    assert taken[("", "")] == [0]
    assert taken[("standard-armour", "")] == [-1]
    assert taken[("reinforced-armour", "trench-shield")] == [-3]


def test_watched_moments_are_those_of_the_states() -> None:
    """Blood on the way equals the mean over the final states of the same scenario cut there."""
    problem = resolve(
        from_mapping({"target": {"blood": 1, "tough": True}, "attacks": [{"keywords": ["FIRE"], "times": 3}]})
    ).problem
    for moves, moment in enumerate(watch(problem), start=1):
        times = {"target": {"blood": 1, "tough": True}, "attacks": [{"keywords": ["FIRE"], "times": moves}]}
        answer = tcsim.odds(times)
        assert math.isclose(moment.blood, answer.blood, abs_tol=1e-12)
        assert first(problem, moves) == answer.resolved.problem


HOSTILE = """
edition = "both"

[[weapon]]
id = "none"
edition = "1.6.3"
name = '<script>alert(1)</script>, =SUM(A1) ../x "\u05d0\u05d1"'
kind = "melee"

[[weapon]]
id = "tough-breaker"
name = "Tough Breaker"
kind = "melee"
conditions = ["injury_dice=+2 if target_keyword(TOUGH)"]

[[armour]]
id = "long"
name = "LONG"
slot = "body"
injury_modifier = -2
"""


def test_users_own_catalogue(tmp_path: Path) -> None:
    """Names that are code, formulas, turned round or very long are only names; rules about TOUGH count where it is."""
    file = tmp_path / "own.toml"
    file.write_text(HOSTILE.replace("LONG", "x" * 80), encoding="utf-8")
    rows = {edition: catalog(edition, [file]) for edition in BOOKS}
    found = whole(list(rows.values()), ["none", "tough-breaker", "sword-axe"], [[], ["long"]], [0, 3], [1, 2])
    cells = found.cells
    assert set(cells.loc[cells["edition"] == "1.6.3", "weapon_id"]) == {"none", "tough-breaker", "sword-axe"}
    assert set(cells.loc[cells["edition"] == "1.0.2", "weapon_id"]) == {"tough-breaker", "sword-axe"}
    agree(found, cells, opened=rows)
    again = pd.read_csv(Path(_written(cells, tmp_path)), keep_default_na=False)
    assert set(again["weapon"]) == set(cells["weapon"].astype(str))
    twice = cells[(cells["attacks"] == 2) & (cells["blood"] == 0) & (cells["armour_id"] == "") & cells["tough"]]
    by_id = twice[twice["edition"] == "1.6.3"].set_index("weapon_id")["p_out"]
    assert by_id["tough-breaker"] > by_id["sword-axe"]


def _written(cells: pd.DataFrame, folder: Path) -> str:
    cells.to_csv(folder / "cells.csv", index=False)
    return str(folder / "cells.csv")


def test_what_cannot_be_asked_is_left_out_and_told() -> None:
    """A spending plan that is not answered for a weapon takes away that weapon's rows, and says why."""
    found = whole(["1.6.3"], ["sword-axe", "golden-khanjar"], [[]], [0], [1], "optimal")
    both = set(found.cells["weapon_id"]) | set(found.left_out["weapon_id"])
    assert both == {"sword-axe", "golden-khanjar"}


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"editions": ["1.6"]}, "1.6.3"),
        ({"editions": []}, "at least one edition"),
        ({"weapons": ["Bolt-Action Rifel"]}, "Bolt-Action Rifle"),
        ({"weapons": []}, "at least one weapon"),
        ({"worn": []}, "at least one"),
        ({"worn": [["Standard Armor"]]}, "Standard Armour"),
        ({"blood": [7]}, "0 to 6"),
        ({"blood": [True]}, "0 to 6"),
        ({"attacks": [0]}, "1 to 100"),
        ({"attacks": []}, "at least one number"),
        ({"spend": "gredy"}, "greedy"),
        ({"spend": 3}, "greedy"),
    ],
)
def test_wrong_input_is_one_sentence(given: dict[str, Any], told: str) -> None:
    with pytest.raises(InputError, match=told) as error:
        whole(**given)
    assert "\n" not in str(error.value)


def test_memory_stays_small(small: Whole) -> None:
    """Columns hold codes, not texts: under 60 bytes a row, so that all rows of both editions are about 100 MB."""
    rows = small.cells.loc[np.repeat(small.cells.index.to_numpy(), 50)]
    assert rows.memory_usage(index=False, deep=True).sum() / len(rows) < 60
