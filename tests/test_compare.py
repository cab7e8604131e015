"""Comparisons: cells are what tcsim.odds says, differences matter when they do, and shared dice are shared.

What a number should be is worked out here from other answers, by the naive way, or by the definition.
"""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from naive import OUT, final_states
from stat_tools import surprise
from test_cli import answer, complaint, run

import tcsim
from tcsim.analysis.compare import differences
from tcsim.analysis.compare.loadouts import read_loadouts
from tcsim.analysis.compare.marks import pairs_of
from tcsim.analysis.compare.situations import read_situations
from tcsim.base.errors import InputError
from tcsim.base.lang import speaking
from tcsim.base.text import columns
from tcsim.catalog import catalog, warband
from tcsim.engines.answer import Plan
from tcsim.engines.paired import play_ends
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import resolve

GUNS = "Bolt-Action Rifle, Sniper Rifle, Siege Jezzail"


def limit_of_blood(final: dict[str, Any]) -> float:
    """Blood in the end, out of action counted as six markers."""
    return 6.0 if final["out_of_action"] else float(final["blood"])


def many_kinds(**more: Any) -> Any:
    """A comparison with what is seldom: a special weapon, two attacks, a unit as target, grenades, situations."""
    return tcsim.compare(
        "Submachine Gun, Sword / Axe + Pistol (melee),off_hand // ranged,RISKY,injury_dice=+1, Gas Grenades",
        "0, -2,tough,blood=1, Heretic Trooper+Standard Armour",
        ["as given", "hurt=blood=3,cover"],
        spend="greedy",
        attacker="Yeoman",
        **more,
    )


@pytest.mark.parametrize("times", [1, 3])
def test_cells_are_what_odds_says(times: int) -> None:
    found = many_kinds(times=times)
    assert len(found.frame) == 4 * 3 * 2
    rows = found.frame.to_dict("records")
    for row, (s, i, t) in zip(rows, np.ndindex(2, 4, 3), strict=True):
        scenario = found.scenario(i, t, s)
        events = [table for table in scenario["attacks"] if "event" in table]
        assert events == [{"event": "activation"}] * (times - 1)
        final = tcsim.odds(scenario).to_dict()["final"]
        assert row["p_out"] == pytest.approx(sum(f["p"] for f in final if f["out_of_action"]), abs=1e-12)
        down = sum(f["p"] for f in final if f["out_of_action"] or f["down"])
        assert row["p_down_or_out"] == pytest.approx(down, abs=1e-12)
        assert row["expected_blood"] == pytest.approx(sum(f["p"] * limit_of_blood(f) for f in final), abs=1e-11)
        names = found.loadouts[i].name, found.targets[t].name, found.situations[s].name
        assert (row["loadout"], row["target"], row["situation"]) == names


def test_situations_change_attacks_of_their_kind_alone() -> None:
    found = many_kinds()
    for i, attacks in enumerate([1, 2, 1, 1]):
        changed = found.scenario(i, 1, 1)
        assert changed["target"] == {"injury_modifier": -2, "tough": True, "blood": 3}
        assert len(changed["attacks"]) == attacks
        for table in changed["attacks"]:
            assert table.get("cover", False) == (i != 1)  # the second loadout fights


def test_cells_and_attacks_needed_by_the_naive_way() -> None:
    """By numbers only: the naive way shares no code with the package, and makes the attacks again as is defined."""
    attacks: dict[str, list[dict[str, Any]]] = {
        "melee,injury_dice=+2": [{"kind": "melee", "injury_dice": 2}],
        "ranged,CRITICAL,RISKY,action_dice=+1": [
            {"kind": "ranged", "action_dice": 1, "keywords": ["CRITICAL", "RISKY"]}
        ],
        "melee + melee,off_hand": [{"kind": "melee"}, {"kind": "melee", "off_hand": True}],
    }
    targets = {
        "0": {"injury_modifier": 0},
        "-1,blood=1": {"injury_modifier": -1, "blood": 1},
        "0,tough": {"tough": True},
    }
    found = tcsim.compare(list(attacks), list(targets), times=2, spend="bloodbath")
    for (i, own), (t, target) in ((a, b) for a in enumerate(attacks.values()) for b in enumerate(targets.values())):
        row = found.frame.iloc[i * len(targets) + t]

        def story(times: int, own: Any = own, target: Any = target) -> dict[str, Any]:
            repeated = [{"event": "activation"}, *own] * times
            spend = {"blood_on_injury": "bloodbath"}
            return {"target": target, "attacks": repeated[1:], "spend": spend}

        def out(times: int, story: Any = story) -> Fraction:
            return final_states(story(times)).get(OUT, Fraction(0))

        assert row["p_out"] == pytest.approx(float(out(2)), abs=1e-12)
        chances = [0.0, *(float(out(times)) for times in range(1, 6))]
        for share in (50, 80):
            reached = [times for times, chance in enumerate(chances) if chance >= share / 100]
            told = row[f"attacks_{share}"]
            assert (told == reached[0]) if reached else told > 5


@pytest.mark.parametrize("spend", ["none", "all", "greedy", "optimal", {"blood_on_injury": "optimal", "goal": "down"}])
def test_attacks_needed_are_those_of_asking_again_for_every_number(spend: Any) -> None:
    found = tcsim.compare("Heavy Shotgun // ranged,RISKY,injury_dice=+1", "-1,blood=2", spend=spend)
    for row, (i, t) in zip(found.frame.to_dict("records"), np.ndindex(2, 1), strict=True):
        once = found.scenario(i, t)
        chances = [0.0]
        while chances[-1] < 0.95 and len(chances) <= 100:
            more = [{"event": "activation"}, *once["attacks"]]
            chances.append(tcsim.odds({**once, "attacks": (more * len(chances))[1:]}).out_of_action)
        for share in (50, 80, 95):
            needed = next(number for number, chance in enumerate(chances) if chance >= share / 100 - 1e-12)
            assert row[f"attacks_{share}"] == needed


def test_what_takes_too_long_is_missing() -> None:
    frame = tcsim.compare("ranged,injury_modifier=-20 // ranged,AUTO-HIT,injury_modifier=20", 0).frame
    assert frame["attacks_50"].isna().tolist() == [True, False]
    assert frame[["attacks_50", "attacks_80", "attacks_95"]].iloc[1].tolist() == [1, 1, 1]


def test_where_both_players_choose() -> None:
    found = tcsim.compare("melee", "blood=2", spend={"blood_on_action": "optimal"}, attacker="model,blood=2", times=2)
    once = found.scenario(0, 0)
    assert found.frame["p_out"].item() == pytest.approx(tcsim.odds(once).out_of_action, abs=1e-12)
    assert found.frame["attacks_50"].isna().all()
    file = ("melee,AUTO-HIT,injury_modifier=-20", "--show", "attacks-80", "--targets", "0")
    assert "–: not within 100 times" in run("compare", *file).out


def test_means_are_weighted_and_a_mix_brings_its_weights() -> None:
    found = tcsim.compare(GUNS, "3x 0 // 0.5x -3,tough", ["as given", "cover"])
    for (s, i), row in zip(np.ndindex(2, 3), found.means.to_dict("records"), strict=True):
        cells = found.frame.iloc[(s * 3 + i) * 2 : (s * 3 + i) * 2 + 2]
        for column in ("p_out", "p_down_or_out", "expected_blood"):
            first, second = cells[column]
            assert row[column] == pytest.approx((3 * first + 0.5 * second) / 3.5, abs=1e-12)
        assert (row["loadout"], row["situation"]) == (found.loadouts[i].name, found.situations[s].name)
    mixed = tcsim.compare("melee", mix="infantry")
    assert mixed.mix is not None
    assert mixed.frame["weight"].sum() == 82


def test_a_scenario_file_has_its_own_target_attacker_and_spending(tmp_path: Path) -> None:
    file = tmp_path / "one.toml"
    file.write_text(
        '[attacker]\nunit = "Yeoman"\n[target]\narmour = ["Standard Armour"]\nblood = 4\n'
        '[[attacks]]\nweapon = "Bolt-Action Rifle"\n[spend]\nblood_on_injury = "all"\n'
    )
    own = tcsim.compare(str(file))
    assert own.frame["p_out"].item() == pytest.approx(tcsim.odds(tcsim.read_scenario(file)).out_of_action, abs=1e-15)
    assert own.frame["target"].item() == "its own target"
    assert own.loadouts[0].cost.ducats == 10
    other = tcsim.compare([str(file), "Sniper Rifle"], "-3", spend="none")
    scenario = {
        "attacker": {"unit": "Yeoman"}, "target": {"injury_modifier": -3}, "attacks": [{"weapon": "Bolt-Action Rifle"}],
    }  # fmt: skip
    assert other.frame["p_out"].iloc[0] == pytest.approx(tcsim.odds(scenario).out_of_action, abs=1e-15)


def test_models_of_a_warband_are_loadouts_with_the_price_of_the_model() -> None:
    from tcsim.catalog.kit import kits_of

    kits = kits_of(warband("na-line"))
    found = read_loadouts(list(kits))
    assert {one.name.partition(":")[0] for one in found} == {kit.unit.name for kit in kits}
    assert {one.cost.ducats for one in found} == {kit.cost() for kit in kits}
    table = tcsim.compare(list(found), "-1")
    scenario = {**table.scenario(0, 0), "target": {"injury_modifier": -1}}
    assert table.frame["p_out"].iloc[0] == pytest.approx(tcsim.odds(scenario).out_of_action, abs=1e-15)


@pytest.mark.parametrize(
    ("text", "faction", "ducats", "glory", "payer"),
    [  # straight from the price columns of catalog/data/weapons.csv
        ("Heavy Shotgun", None, 20, 0, ""),
        ("Greatsword / Greataxe", None, 7, 0, "new-antioch-alba"),
        ("Greatsword / Greataxe", "court", 12, 0, "court"),
        ("Hellblade", "heretic-legions", 0, 1, "heretic-legions"),
        ("Hellblade", "new-antioch", None, None, "new-antioch"),
        ("Sword / Axe + Sword / Axe,off_hand", None, 8, 0, ""),
        ("Gas Grenades,carried=3", None, 30, 0, ""),
        ("Arquebus,kind=melee + Arquebus,kind=ranged", None, 8, 0, ""),
        ("Sniper Rifle + Hellblade", None, 35 + 15, 0, "several"),
        ("melee", None, None, None, ""),
    ],
)
def test_prices(text: str, faction: str | None, ducats: int | None, glory: int | None, payer: str) -> None:
    cost = read_loadouts(text, faction=faction)[0].cost
    assert (cost.ducats, cost.glory) == (ducats, glory)
    assert cost.faction == payer


# --- which differences matter --------------------------------------------------------------------------------------


def test_exact_differences_matter_whenever_there_are_any() -> None:
    found = tcsim.compare("melee // melee,fear // ranged,cover // ranged,cover=false", "0, -20")
    frame = found.frame
    assert frame[frame["target"] == "no armour"]["rank"].tolist() == [1, 3, 3, 1]
    assert frame[frame["target"] == "-20"]["rank"].tolist() == [1, 1, 1, 1]
    table = found.differences
    assert len(table) == pairs_of(found) == 6 * 3
    chance = dict(zip(zip(frame["loadout"], frame["target"], strict=True), frame["p_out"], strict=True))
    for row in table[table["target"] != "mean"].to_dict("records"):
        expected = chance[row["loadout"], row["target"]] - chance[row["other"], row["target"]]
        assert row["difference"] == pytest.approx(expected, abs=1e-15)
        assert row["matters"] == (abs(expected) > 1e-12)


def test_newcombes_and_bonett_and_prices_intervals_as_published() -> None:
    """Newcombe 1998, table II, method 10: 9/10 - 3/10. Bonett and Price 2012: worked out by hand from (b+1)/(n+2)."""
    found = differences.independent(np.array([9, 3]), 10, 0.95)
    assert (round(found.low[0, 1], 4), round(found.high[0, 1], 4)) == (0.1705, 0.8090)
    assert (round(found.low[1, 0], 4), round(found.high[1, 0], 4)) == (-0.8090, -0.1705)
    more, less = 6 / 102, 3 / 102  # 5 trials of 100 in which only the first came up, 2 in which only the second did
    half = 1.959964 * ((more + less - (more - less) ** 2) / 102) ** 0.5
    both = differences.paired(np.array([[60, 55], [55, 57]]), 100, 0.95)
    assert both.low[0, 1] == pytest.approx(more - less - half, abs=1e-6)
    assert both.high[0, 1] == pytest.approx(more - less + half, abs=1e-6)


@pytest.mark.parametrize("chances", [(0.5, 0.45, 0.45), (0.03, 0.02, 0.02), (0.9, 0.9, 0.9)])
def test_intervals_hold_for_all_pairs_at_once(chances: tuple[float, ...]) -> None:
    """1,000 comparisons of three chances at 300 trials each, rolled by numpy.

    At most 5% of the comparisons may have an interval that misses. Fails for nothing with probability under 1e-5 if
    that is so, and sees 13% with probability over 99%.
    """
    rng, many, trials = np.random.default_rng(11), 1000, 300
    p = np.array(chances)
    true = p[:, None] - p[None, :]
    missed = {"own": 0, "shared": 0}
    level = differences.level_of(3)
    for _ in range(many):
        uniform = rng.random((trials, 1))
        shared = np.where(rng.random((trials, 1)) < 0.7, uniform, rng.random((trials, 3))) < p  # mostly the same dice
        joint = shared.T.astype(int) @ shared
        for name, found in (
            ("own", differences.independent(rng.binomial(trials, p), trials, level)),
            ("shared", differences.paired(joint, trials, level)),
        ):
            off = (true < found.low - 1e-15) | (true > found.high + 1e-15)
            missed[name] += bool(off.any())
    for count in missed.values():
        assert count <= many * 0.05 or surprise(count, many, 0.05) > 2e-6


def test_means_of_rolled_comparisons_vary_as_told() -> None:
    """The squares of how far 16 rolled means are from the exact one, in their own standard deviations.

    Their sum is chi-squared with 16 degrees of freedom, for each of two kinds of dice: outside 2.5 to 50 with
    probability under 1e-4.
    """
    exact = tcsim.compare("melee // ranged,cover", "2x 0 // -1 // -2", times=2).means["p_out"].to_numpy()
    for dice in ("own", "shared"):
        total = 0.0
        for seed in range(16):
            plan = Plan(trials=400, seed=seed, dice=dice)
            rolled = tcsim.compare("melee // ranged,cover", "2x 0 // -1 // -2", times=2, plan=plan).means
            sd = (rolled["out_high"] - rolled["out_low"]).iloc[0] / 2 / 1.959964
            total += ((rolled["p_out"].iloc[0] - exact[0]) / sd) ** 2
        assert 2.5 < total < 50


def test_how_means_vary_is_what_their_trials_say() -> None:
    """95% of a mean over targets, from the counts of the cells, and with shared dice from the trials themselves."""
    asked: tuple[Any, ...] = ("melee,FIRE // ranged,cover,injury_dice=+1", "3x 0 // -1 // -2")
    weights, n = np.array([3, 1, 1]) / 5, 2_000
    own = tcsim.compare(*asked, plan=Plan(trials=n))
    p = own.frame["out_count"].to_numpy(float).reshape(2, 3) / n
    half = 1.959964 * np.sqrt((weights**2 * p * (1 - p)).sum(axis=1) / n)
    means = own.means
    assert (means["out_high"] - means["p_out"]).to_numpy() == pytest.approx(half, rel=1e-6)
    assert (means["p_out"] - means["out_low"]).to_numpy() == pytest.approx(half, rel=1e-6)
    shared = tcsim.compare(*asked, plan=Plan(trials=n, dice="shared"))
    ends = np.array(
        [[play_ends(resolve(from_mapping(shared.scenario(i, t))).problem, n).out for t in range(3)] for i in range(2)]
    )
    each = np.einsum("t,itn->in", weights, ends.astype(float))  # what a trial comes to over the mix
    assert (shared.means["out_high"] - shared.means["p_out"]).to_numpy() == pytest.approx(
        1.959964 * each.std(axis=1) / n**0.5, rel=1e-6
    )
    less = each[0] - each[1]
    pair = shared.differences.query("target == 'mean'").iloc[0]
    z = NormalDist().inv_cdf(1 - 0.05 / 4 / 2)  # three targets and the mean of one pair: Bonferroni over four
    assert pair["difference"] == pytest.approx(less.mean(), abs=1e-12)
    assert pair["high"] - pair["difference"] == pytest.approx(z * less.std() / n**0.5, rel=1e-6)


# --- dice, shared and not --------------------------------------------------------------------------------------------


def problem(**attack: Any) -> Any:
    return resolve(from_mapping({"target": {"injury_modifier": -1}, "attacks": [attack]})).problem


def test_with_shared_dice_one_more_die_never_undoes_what_went_well() -> None:
    """The same dice and one more of which the best count: whoever was out of action still is, trial by trial."""
    plain = play_ends(problem(), 10_000).out
    for better in (problem(injury_dice=1), problem(action_dice=1), problem(times=2), problem(injury_modifier=1)):
        more = play_ends(better, 10_000).out
        assert not (plain & ~more).any()
        assert (more & ~plain).any()
    own = play_ends(problem(injury_dice=1), 10_000, dice="own").out
    assert (plain & ~own).any()  # dice of its own are others


def test_ends_do_not_depend_on_threads_and_begin_alike() -> None:
    ends = play_ends(problem(), 90_000, threads=3)
    again = play_ends(problem(), 90_000, threads=1)
    fewer = play_ends(problem(), 70_001)
    assert (ends.which == again.which).all()
    assert (ends.which[:70_001] == fewer.which).all()
    assert sum(ends.counts.values()) == 90_000


def test_ends_are_as_often_as_they_should_be() -> None:
    """Every end of five problems, 40,000 trials each: fails for nothing with probability under 1e-6 in all."""
    cases = [
        {"attacks": [{"times": 3}]},
        {"attacks": [{"kind": "melee", "keywords": ["CRITICAL"], "times": 2}], "target": {"tough": True, "blood": 2}},
        {"attacks": [{"keywords": ["RISKY"], "times": 3}], "spend": {"blood_on_injury": "greedy"}},
        {"attacks": [{"weapon": "Heavy Shotgun"}], "spend": {"blood_on_injury": "optimal"}, "target": {"blood": 3}},
        {"attacks": [{"weapon": "Submachine Gun"}, {"event": "activation"}, {"weapon": "Sword / Axe"}]},
    ]
    checks = []
    for case in cases:
        resolved = resolve(from_mapping({"target": {}, **case}))
        counts = play_ends(resolved.problem, 40_000, seed=5).counts
        checks += [(counts.pop(state, 0), p) for state, p in tcsim.odds(resolved).states]
        assert not counts
    assert all(surprise(count, 40_000, p) > 1e-6 / len(checks) for count, p in checks)


def test_rolled_cells_with_dice_of_their_own_are_what_simulate_rolls() -> None:
    found = tcsim.compare(GUNS, "0,-2", times=2, plan=Plan(trials=3000, seed=9))
    for row, (i, t) in zip(found.frame.to_dict("records"), np.ndindex(3, 2), strict=True):
        rolled = tcsim.simulate(found.scenario(i, t), trials=3000, seed=9)
        assert rolled.run is not None
        assert row["trials"] == 3000
        assert row["out_count"] == rolled.run.counts[None]
        down = sum(n for state, n in rolled.run.counts.items() if state is None or state.down)
        assert row["down_or_out_count"] == down
        assert row["out_low"] <= row["p_out"] <= row["out_high"]
        assert (row["out_low"], row["out_high"]) == rolled.interval[1:]  # type: ignore[index]


def test_shared_dice_show_small_differences() -> None:
    """Half a point between two loadouts: told apart with shared dice, not with others; the exact one is inside."""
    pair, targets = "melee,injury_dice=+1 // melee,injury_dice=+1,CRITICAL", "-1"
    exact = tcsim.compare(pair, targets).differences["difference"].item()
    assert -0.006 < exact < -0.003
    tables = {}
    for dice in ("own", "shared"):
        table = tcsim.compare(pair, targets, plan=Plan(trials=20_000, dice=dice)).differences
        tables[dice] = table.iloc[0]
        assert table["low"].item() <= exact <= table["high"].item()
    assert not tables["own"]["matters"]
    assert tables["shared"]["matters"]
    width = {dice: row["high"] - row["low"] for dice, row in tables.items()}
    assert width["shared"] < width["own"] / 3


def test_paired_intervals_hold_the_exact_difference() -> None:
    """Five loadouts, ten pairs, 200 runs of 400 trials: all ten intervals hold at once in 95% of the runs or more.

    Fails for nothing with probability under 1e-5 if that is so; sees 82% with probability over 90%.
    """
    target = {"injury_modifier": -1}
    kinds = ({}, {"injury_dice": 1}, {"action_dice": 1}, {"cover": True}, {"times": 2})
    exact = np.array([tcsim.odds({"target": target, "attacks": [attack]}).out_of_action for attack in kinds])
    true, seeds, trials = exact[:, None] - exact[None, :], 200, 400
    out = np.array([play_ends(problem(**attack), seeds * trials).out for attack in kinds])
    held = 0
    for seed in range(seeds):
        rolled = out[:, seed * trials : (seed + 1) * trials].astype(int)
        found = differences.paired(rolled @ rolled.T, trials, differences.level_of(10))
        held += bool(((found.low <= true + 1e-15) & (true <= found.high + 1e-15)).all())
    assert held >= 0.95 * seeds or surprise(seeds - held, seeds, 0.05) > 2e-5


def test_whoever_picks_has_looked_at_all_pairs() -> None:
    found = tcsim.compare("melee // melee,fear // ranged,cover=false,action_dice=+1", "0,-1", plan=Plan(trials=500))
    few = found.picked([2, 0])
    assert [one.name for one in few.loadouts] == [found.loadouts[2].name, found.loadouts[0].name]
    assert pairs_of(few) == pairs_of(found) == 9
    pair = found.differences.query("loadout == 'melee' and other == 'ranged, cover=false, action_dice=1'")
    assert few.differences["high"].tolist() == pytest.approx((-pair["low"]).tolist())
    assert few.frame["p_out"].tolist() == [*found.frame["p_out"][4:6], *found.frame["p_out"][:2]]


def test_the_same_question_under_two_names_never_differs() -> None:
    for dice in ("own", "shared"):
        found = tcsim.compare("melee // ranged", 0, plan=Plan(trials=1000, dice=dice))
        assert found.frame["out_count"].nunique() == 1
        assert found.frame["rank"].tolist() == [1, 1]
        assert not found.differences["matters"].item()


def test_odds_with_shared_dice() -> None:
    asked = ("odds", "--attack", "ranged,times=2", "--method", "monte-carlo", "--trials", "5000")
    told = answer(*asked, "--dice", "shared", "--json")
    scenario = {"target": {}, "attacks": [{"kind": "ranged", "times": 2}]}
    rolled = tcsim.simulate(scenario, trials=5000, dice="shared").run
    assert rolled is not None
    assert (told["count"], told["dice"]) == (rolled.counts[None], "shared")
    assert "dice" not in answer(*asked, "--json")
    assert answer(*asked, "--json")["count"] != told["count"]
    assert ", shared dice" in run(*asked, "--dice", "shared").out
    assert "--dice: it goes with --method monte-carlo" in complaint("odds", "--attack", "ranged", "--dice", "shared")


# --- the command ---------------------------------------------------------------------------------------------------


def test_the_table_of_the_example() -> None:
    """Three guns at two activations with every marker spent, against four armours; the last column is their mean."""
    said = run("compare", "Submachine Gun", "Siege Jezzail", "Heavy Shotgun", "--times", "2", "--spend", "all")
    assert said.status == 0
    lines = [line.replace("*", "").split() for line in said.out.splitlines()]
    chances = {}
    for gun in ("Heavy Shotgun", "Submachine Gun", "Siege Jezzail"):
        asked: list[dict[str, Any]] = [{"weapon": gun}, {"event": "activation"}, {"weapon": gun}]
        spend = {"blood_on_injury": "all"}
        cells = [{"target": {"injury_modifier": -n}, "attacks": asked, "spend": spend} for n in range(4)]
        values = [tcsim.odds(cell).out_of_action for cell in cells]
        chances[gun] = [f"{100 * value:.1f}%" for value in (*values, sum(values) / 4)]
    assert ["Heavy", "Shotgun", "20", *chances["Heavy Shotgun"]] in lines
    assert ["Submachine", "Gun", "25", *chances["Submachine Gun"]] in lines
    assert ["Siege", "Jezzail", "30", *chances["Siege Jezzail"]] in lines
    names = [line[0] for line in lines if line and line[0] in ("Heavy", "Submachine", "Siege")]
    assert names[:3] == ["Heavy", "Submachine", "Siege"]
    assert "Heavy Shotgun leads in every column and costs the least." in said.out


@pytest.mark.parametrize("lang", ["en", "ko"])
@pytest.mark.parametrize(
    "flags",
    [
        ("Sniper Rifle", "--mix", "units"),
        (GUNS, "--mix", "infantry", "--group-by", "target"),
        (GUNS, "--targets", "Heretic Trooper+Standard Armour,tough,blood=2 // -1", "--group-by", "loadout"),
        (GUNS, "--situation", "as given // far=long_range,blood=2", "--show", "attacks-80"),
        (
            "melee // ranged,cover",
            "--method",
            "monte-carlo",
            "--trials",
            "200",
            "--dice",
            "shared",
            "--show",
            "expected-blood",
        ),
        ("Martyrdom Device (self) // Executioner's Axe // melee,CRITICAL,FIRE,action_dice=+1,injury_dice=+1,times=2",),
    ],
)
def test_every_table_fits_eighty_columns(lang: str, flags: tuple[str, ...]) -> None:
    said = run("compare", *flags, "--lang", lang)
    assert said.status == 0
    wide = [line for line in said.out.splitlines() if columns(line) > 80]
    assert not wide
    assert "…" not in said.out.split("\n\n")[1]  # no number is cut off


def test_sorted_filtered_and_grouped() -> None:
    guns = (GUNS, "--targets", "0,-3")
    rows = list(csv.DictReader(io.StringIO(run("compare", *guns, "--sort", "cost_ducats", "--csv").out)))
    assert [row["cost_ducats"] for row in rows] == ["10", "10", "30", "30", "35", "35"]
    best = [row["loadout"] for row in csv.DictReader(io.StringIO(run("compare", *guns, "--sort", "-3", "--csv").out))]
    exact = {gun.name: tcsim.compare(gun, "-3").frame["p_out"].item() for gun in read_loadouts(GUNS)}
    assert best[::2] == sorted(exact, key=lambda gun: -exact[gun])
    only = answer("compare", *guns, "--only", "cost_ducats<35", "--only", "loadout~rifle", "--json")
    assert [one["name"] for one in only["loadouts"]] == ["Bolt-Action Rifle"]
    assert len(only["cells"]) == 2
    said = run("compare", *guns, "--group-by", "target").out
    assert said.index("no armour\n") < said.index("−3\n")
    assert "2 of 3 loadouts are shown." in run("compare", *guns, "--only", "cost_ducats<=30").out


def test_the_figure_shows_the_chances_by_weighted_mean() -> None:
    from tcsim.cli.compare import drawn

    found = tcsim.compare("Flamethrower, Sniper Rifle, Executioner's Axe", "-3 // 99x 0")
    [axes] = drawn(found)
    order = found.means.sort_values("p_out", ascending=False)["loadout"]
    assert order.iloc[-1] == "Flamethrower"  # though it is better against armour
    table = found.frame.pivot(index="loadout", columns="target", values="p_out").loc[order, ["-3", "no armour"]]
    written = [text.get_text() for text in axes.texts]
    assert written == [f"{100 * p:.0f}" for p in table.to_numpy().ravel()]


def test_json_and_csv_hold_the_frame() -> None:
    told = answer("compare", GUNS, "--targets", "0,2x -1,tough", "--times", "2", "--json")
    found = tcsim.compare(GUNS, "0,2x -1,tough", times=2)
    assert {"edition": "1.6.3", "method": "exact", "times": 2}.items() <= told.items()
    assert len(told["cells"]) == 6
    by_place = {(cell["loadout"], cell["target"]): cell for cell in told["cells"]}
    for row in found.frame.to_dict("records"):
        cell = by_place[row["loadout"], row["target"]]
        assert all(cell[key] == pytest.approx(value) if isinstance(value, float) else cell[key] == value
                   for key, value in row.items())  # fmt: skip
    assert told["targets"][1] == {"name": "-1, TOUGH", "weight": 2.0, "table": {"injury_modifier": -1, "tough": True}}
    rolled = answer("compare", GUNS, "--method", "monte-carlo", "--trials", "100", "--dice", "shared", "--json")
    assert {
        "method": "monte_carlo",
        "trials": 100,
        "seed": 1,
        "dice": "shared",
        "level": 0.95,
    }.items() <= rolled.items()
    assert json.loads(json.dumps(rolled)) == rolled


def test_a_weapon_that_does_not_reach_does_nothing() -> None:
    found = tcsim.compare("Sniper Rifle, Flamethrower", "0,blood=2,down", "distance=20")
    assert found.frame["p_out"].iloc[1] == 0
    assert found.frame["p_down_or_out"].iloc[1] == 1  # it is Down from the start
    assert found.frame["expected_blood"].iloc[1] == 2
    assert any("Flamethrower reaches 8" in text for text in found.notes)
    assert found.frame["attacks_50"].isna().tolist() == [False, True]


def test_findings_are_computed() -> None:
    from tcsim.analysis.compare.words import finding

    alone = tcsim.compare("Heavy Shotgun")
    assert finding(alone) == ""
    mixed = tcsim.compare("Flamethrower, Sniper Rifle", "0,-3")
    frame = mixed.frame.pivot(index="target", columns="loadout", values="p_out")
    assert frame.loc["no armour", "Sniper Rifle"] > frame.loc["no armour", "Flamethrower"]
    assert frame.loc["-3", "Sniper Rifle"] < frame.loc["-3", "Flamethrower"]
    words = finding(mixed)
    assert "Sniper Rifle leads against no armour" in words
    assert "Flamethrower leads against −3" in words
    equal = tcsim.compare("melee // ranged", "0")
    assert finding(equal) == "No loadout leads alone anywhere: those that lead are equal."
    dear = tcsim.compare("Sniper Rifle, Bolt-Action Rifle", "0")
    assert finding(dear) == "Sniper Rifle leads and costs the most."
    with speaking("ko"):
        assert finding(dear) != "Sniper Rifle leads and costs the most."


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ((), "give loadouts"),
        (("Heavy Shotgn",), 'did you mean "Heavy Shotgun"'),
        (("Sniper Rifle,covr",), 'did you mean "cover"'),
        (("Arquebus",), "is the name of several weapon rows"),
        (("melee", "--targets", ""), "nothing between two commas"),
        (("melee", "--targets", "0", "--mix", "steps"), "give one of the two"),
        (("melee", "--mix", "stepps"), 'did you mean "steps"'),
        (("melee", "--situation", "covr"), 'did you mean "cover"'),
        (("melee", "--situation", "cover // cover"), "given twice"),
        (("melee", "--times", "0"), "from 1 to 100"),
        (("melee", "--spend", "al"), 'did you mean "all"'),
        (("melee", "--faction", "curt"), 'did you mean "court"'),
        (("melee", "--unit", "Yeomn"), 'did you mean "Yeoman"'),
        (("melee", "--edition", "2"), "there is no edition"),
        (("melee", "--sort", "price"), 'there is no column "price"'),
        (("melee", "--only", "p_out"), "as p_out>=0.3"),
        (("melee", "--only", "p_out>=much"), '"much" is given, a number is allowed'),
        (("melee", "--only", "p_ot>1"), 'did you mean "p_out"'),
        (("melee", "--only", "p_out>1"), "no loadout is left"),
        (("melee", "--only", "__import__('os').system('true')>0"), "there is no column"),
        (("melee", "--trials", "10"), "--trials: it goes with --method monte-carlo"),
        (("melee", "--json", "--csv"), "give one of --json and --csv"),
        (("melee", "--plot", "x.pdf"), "ends in .png or .svg"),
        (
            ("melee", "--plot", "x.png", "--situation", "cover", "--situation", "as given"),
            "a figure shows one situation",
        ),
        (("melee", "nowhere.toml"), "cannot be read"),
        (("ranged,shots=20", "--times", "100"), "at most 1,000 are allowed"),
        (("melee", "--method", "monte-carlo", "--dice", "shared", "--trials", "1e9"), "compared trial by trial"),
        ((GUNS, GUNS), "given twice"),
        (("a" * 10_000,), "there is no weapon"),
        (("\u202egnp.<script>",), "there is no weapon"),
    ],
)
def test_what_is_refused(flags: tuple[str, ...], said: str) -> None:
    assert said in complaint("compare", *flags)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"times": True}, "times: true"), ({"times": 10**30}, "a whole number from 1 to 100"), ({"tims": 2}, "times"),
        ({"situations": 3}, "situations: 3"), ({"situations": []}, "0 situations"), ({"targets": []}, "at least one"),
        ({"situations": {"action_dice": True}}, "true is given, a whole number"), ({"mix": "x.toml"}, "cannot be read"),
        ({"plan": Plan(mode="counts")}, "rolls every die"), ({"plan": Plan(dice="mine")}, "own or shared"),
        ({"edition": "1.0.2", "catalog": catalog("1.6.3")}, "the catalogue is of 1.6.3"),
        ({"options": {"bloodbat": "x"}}, "bloodbath"), ({"spend": {"blood": "all"}}, "blood_on_injury"),
    ],
)  # fmt: skip
def test_what_python_is_refused(more: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as error:
        tcsim.compare("melee", **more)
    assert said in str(error.value)


def test_loadouts_that_cannot_be(tmp_path: Path) -> None:
    for given in (3, [], None, {"attacks": []}, {"attacks": [3]}, {"x": 1}, {"unit": "Yeoman"}, {1: 2}, True):
        with pytest.raises(InputError):
            read_loadouts(given)
    file = tmp_path / "other.toml"
    file.write_text('edition = "1.0.2"\n[target]\n[[attacks]]\nweapon = "Pistol"\nkind = "ranged"\n')
    with pytest.raises(InputError, match=r"other\.toml: it is of 1\.0\.2, the comparison of 1\.6\.3"):
        read_loadouts(str(file))
    assert read_loadouts(str(file), "1.0.2")[0].name == "other"


def test_names_do_no_harm(tmp_path: Path) -> None:
    """Of files, of scenarios and of situations: on one line, not too long, and as text."""
    evil = "=cmd|' /C calc'!A0\n\u202e<script>alert(1)</script>" + "x" * 900
    file = tmp_path / "x.json"
    file.write_text(json.dumps({"id": evil, "target": {}, "attacks": [{}]}), encoding="utf-8")
    for flags in ((), ("--group-by", "loadout"), ("--lang", "ko")):
        said = run("compare", str(file), "melee", "--targets", "0", "--situation", f"{evil[1:60]}=cover", *flags)
        assert said.status == 0
        assert max(columns(line) for line in said.out.splitlines()) <= 80
        assert "\u202e" not in said.out
    rows = list(csv.reader(io.StringIO(run("compare", str(file), "--csv").out)))
    assert len(rows) == 2
    assert not rows[1][0].startswith("=")


def test_situations_as_people_write_them() -> None:
    found = read_situations("far away=long_range,cover // attacker_blood=1,action_dice=+1,FIRE // distance=12")
    assert [one.name for one in found] == ["far away", "attacker_blood=1,action_dice=+1,FIRE", "distance=12"]
    assert found[1].attack == {"action_dice": 1, "keywords": ["FIRE"]}
    assert found[1].attacker == {"blood": 1}
    assert found[2].attack == {"distance": 12}
    table = tcsim.compare("melee,action_dice=+2,CRITICAL", 0, found)
    changed = table.scenario(0, 0, 1)
    assert changed["attacks"] == [{"kind": "melee", "action_dice": 3, "keywords": ["CRITICAL", "FIRE"]}]
    assert changed["attacker"] == {"blood": 1}


def test_every_pair_is_listed_once() -> None:
    found = tcsim.compare(GUNS, "0,-1", ["as given", "cover"])
    listed = found.differences[["loadout", "other", "target", "situation"]]
    assert len(listed.drop_duplicates()) == len(listed) == pairs_of(found)
    names = [one.name for one in found.loadouts]
    assert {tuple(pair) for pair in listed[["loadout", "other"]].to_numpy().tolist()} == set(combinations(names, 2))
