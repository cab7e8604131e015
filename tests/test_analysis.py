"""Kill odds as a tidy frame: every cell again by the plain way of asking, and the verdict on agreement."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from naive import OUT, final_states

import tcsim
from tcsim.analysis.agreement import agreement, distinct
from tcsim.analysis.kill_odds import ARMOURS, DEFAULT_WEAPONS, kill_odds
from tcsim.analysis.survival import survival
from tcsim.catalog import catalog

WEAPONS = ("bolt-action-rifle", "great-sword-axe", "submachine-gun", "anti-materiel-rifle")


@pytest.fixture(scope="module")
def frame() -> pd.DataFrame:
    return kill_odds(WEAPONS, blood=[0, 3, 6], attacks=[1, 3], trials=3_000, seed=5)


def test_survival_is_odds_asked_anew_after_every_attack() -> None:
    """By the naive way: none of the attacks, one, two and three, each policy on each armour."""
    policies, attack = ("none", "all", "bloodbath"), {"kind": "melee", "injury_dice": 1}
    found = survival({"target": {"blood": 2}, "attacks": [attack]}, 3, policies, armours=(-1, -3))
    assert len(found) == 3 * 2 * 4
    for row in found.to_dict("records"):
        target = {"blood": 2, "injury_modifier": row["armour"]}
        spend = {"blood_on_injury": row["policy"]}
        story = {"target": target, "attacks": [attack] * row["attacks"], "spend": spend}
        wanted = float(final_states(story).get(OUT, 0)) if row["attacks"] else 0.0
        assert row["p_out"] == pytest.approx(wanted, abs=1e-12)


def test_grid(frame: pd.DataFrame) -> None:
    """4 weapons, 7 legal kinds of armour, with and without CRITICAL and TOUGH, 3 counts of blood, 2 of attacks."""
    keys = ["weapon_id", "armour", "shield", "critical", "tough", "blood", "attacks"]
    assert len(frame) == 4 * 7 * 2 * 2 * 3 * 2 == len(frame[keys].drop_duplicates())
    assert set(zip(frame.armour, frame.shield, strict=True)) == {
        (name, shield) for _, name in ARMOURS for shield in (False, True) if not (name == "machine" and shield)
    }


def test_cells_by_the_plain_way(frame: pd.DataFrame) -> None:
    """A sample of cells, each asked as a scenario by numbers (Greatsword: +1 injury die; rifle: nothing)."""
    modifiers = {"none": 0, "standard": -1, "reinforced": -2, "machine": -3}
    numbers = {
        "bolt-action-rifle": {"kind": "ranged"},
        "great-sword-axe": {"kind": "melee", "injury_dice": 1},
        "submachine-gun": {"kind": "ranged", "shots": 2},
        "anti-materiel-rifle": {"kind": "ranged", "injury_dice": 1, "keywords": ["IGNORE ARMOUR"]},
    }
    for cell in frame.sample(60, random_state=1).itertuples():
        attack = {**numbers[cell.weapon_id], "times": cell.attacks}
        attack["keywords"] = [*attack.get("keywords", []), *(["CRITICAL"] if cell.critical else [])]
        target = {
            "injury_modifier": modifiers[cell.armour] - cell.shield,
            "blood": cell.blood,
            "tough": cell.tough,
        }
        spend = {"blood_on_injury": "greedy"}
        result = tcsim.odds({"target": target, "attacks": [attack], "spend": spend})
        assert cell.p_out == pytest.approx(result.out_of_action, abs=1e-12)
        assert cell.p_down == pytest.approx(result.down, abs=1e-12)
        assert cell.blood_left == pytest.approx(result.blood, abs=1e-12)


def test_modifier_is_what_the_armour_comes_to(frame: pd.DataFrame) -> None:
    heaviest = frame[(frame.armour == "reinforced") & frame.shield]
    assert set(heaviest[heaviest.weapon_id == "bolt-action-rifle"].modifier) == {-3}
    assert set(heaviest[heaviest.weapon_id == "anti-materiel-rifle"].modifier) == {0}


def test_rolled_beside_exact(frame: pd.DataFrame) -> None:
    assert (frame.trials == 3_000).all()
    assert (frame.out_low <= frame.out_count / frame.trials).all()
    assert (frame.out_count / frame.trials <= frame.out_high).all()
    verdict = agreement(frame)
    assert verdict.impossible == 0
    assert verdict.cells > 400
    assert verdict.expected == pytest.approx(0.05 * verdict.cells)
    # false alarm: 8 standard deviations of a binomial count; 6 of the worst of a few hundred normal deviates
    assert abs(verdict.outside - verdict.expected) < 8 * (0.05 * 0.95 * verdict.cells) ** 0.5
    assert verdict.worst_z < 6
    assert 0 <= verdict.chance_of_worse <= 1


def test_verdict_notices_a_wrong_number(frame: pd.DataFrame) -> None:
    wrong = frame.copy()
    wrong["p_out"] = np.clip(wrong.p_out + 0.05, 0, 1)
    verdict = agreement(wrong)
    assert verdict.outside > 3 * verdict.expected
    impossible = frame.copy()
    impossible.loc[impossible.out_count > 0, "p_out"] = 0.0
    assert agreement(impossible).impossible > 100
    assert len(distinct(frame)) < len(frame)


def test_dice_do_not_depend_on_company() -> None:
    """A cell is the same cell in any grid."""
    alone = kill_odds(["sword-axe"], blood=[2], attacks=[2], trials=1_000)
    beside = kill_odds(["bolt-action-rifle", "sword-axe"], blood=[0, 2], attacks=[1, 2], trials=1_000)
    beside = beside[(beside.weapon_id == "sword-axe") & (beside.blood == 2) & (beside.attacks == 2)]
    pd.testing.assert_frame_equal(alone, beside.reset_index(drop=True))


def test_default_weapons_are_counted_in_full() -> None:
    assert all(not catalog("1.6.3").weapon(name).unmodelled for name in DEFAULT_WEAPONS)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"weapons": []}, "at least one weapon"),
        ({"weapons": ["Snipper Rifle"]}, 'did you mean "Sniper Rifle"'),
        ({"weapons": ["Viscera Cannon"]}, "not counted in full yet"),
        ({"blood": [7]}, "0 to 6"),
        ({"attacks": [0]}, "1 to 100"),
        ({"spend": "greed"}, "greedy"),
        ({"edition": "2"}, "no edition"),
        ({"trials": -1}, "trials"),
    ],
)
def test_wrong_questions(arguments: dict[str, object], words: str) -> None:
    with pytest.raises(tcsim.InputError, match=words):
        kill_odds(**arguments)  # type: ignore[arg-type]


def test_unrolled_frames_have_no_verdict() -> None:
    with pytest.raises(tcsim.InputError, match="not rolled"):
        agreement(kill_odds(["sword-axe"], blood=[0], attacks=[1]))
