"""Reports on weapons, armour and editions: numbers by another way, findings by hand, tables as the frames."""

from __future__ import annotations

import csv
import math
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from test_cli import run
from test_report import Tree

import tcsim
from tcsim.analysis.compare.mixes import read_mix
from tcsim.analysis.kill_odds import SAME
from tcsim.analysis.value.answer import all_weapons
from tcsim.analysis.whole.armour import armour_cells, armours, ignoring, interplay, taken_off
from tcsim.analysis.whole.editions import comings, field_changes, price_changes, summary, weapon_changes
from tcsim.analysis.whole.features import feature_worth, features
from tcsim.analysis.whole.weapons import STEPS, at_step, over_mix, price_of, standing, weapon_odds
from tcsim.base.lang import speaking
from tcsim.base.text import percent
from tcsim.catalog import Catalog, Row, catalog
from tcsim.plots.page import Words
from tcsim.report import armour, edition_diff, weapons
from tcsim.report.blocks import Code, Folded, Report, Rich, Strong, Table
from tcsim.report.render import render_html, render_markdown
from tcsim.report.settings import Asked

HOSTILE = '<script>alert("x")</script> & **b** | `c` [d](http://evil.example)'
NEW, OLD = "1.6.3", "1.0.2"
#: Weapons of every sort, some equal, one left out of judgement (not counted in full), one third-party.
SOME = (
    *("bolt-action-rifle", "submachine-gun", "heavy-shotgun", "heavy-flamethrower", "anti-materiel-rifle"),
    *("frag-grenades", "great-sword-axe", "sword-axe", "malebranche-sword", "tank-splitter-sword"),
    *("anti-tank-hammer", "martyrdom-device-self", "butcher-bayonet", "autocannon-full-auto"),
)


def fewer(edition: str, ids: tuple[str, ...], more: tuple[Row, ...] = ()) -> Catalog:
    """A catalogue in which only some weapons are asked about; each is still found by its name."""
    rows = replace(catalog(edition), more=more)
    rows.__dict__["weapons"] = tuple(row for row in rows.weapons if row.id in ids or row in more)
    return rows


def plain(text: Rich) -> str:
    return "".join(part.text if isinstance(part, (Strong, Code)) else part for part in text)


def carried(id: str, edition: str) -> dict[str, Any]:
    words = {word.split(" ")[0] for word in catalog(edition).weapon(id).keywords}
    return {"carried": 100} if words & {"GRENADE", "CONSUMABLE"} else {}


def single(id: str, edition: str, target: dict[str, Any], attacks: int, **more: Any) -> Any:
    """One answer, asked in the words of a scenario."""
    times = attacks * catalog(edition).weapon(id).shoot_actions
    attack = {"weapon": id, "times": times, **carried(id, edition), **more}
    spend = {"blood_on_injury": "greedy"}
    return tcsim.odds({"edition": edition, "target": target, "attacks": [attack], "spend": spend})


def tables(report: Report) -> dict[str, Table]:
    blocks = [block for section in report.sections for block in section.blocks]
    blocks += [inner for block in blocks if isinstance(block, Folded) for inner in block.blocks]
    return {block.name: block for block in blocks if isinstance(block, Table)}


# --- weapons --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def odds() -> tuple[pd.DataFrame, pd.DataFrame]:
    return weapon_odds(fewer(NEW, SOME))


@pytest.fixture(scope="module")
def table(odds: tuple[pd.DataFrame, pd.DataFrame]) -> pd.DataFrame:
    return standing(odds[0])


@pytest.fixture(scope="module")
def worth() -> pd.DataFrame:
    return feature_worth(
        catalog(NEW), ["bolt-action-rifle", "anti-materiel-rifle", "great-sword-axe", "heavy-flamethrower"]
    )


def test_cells_of_weapons_are_single_answers(odds: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    cells = odds[0]
    assert len(cells) == len(SOME) * len(set(zip(cells["modifier"], cells["tough"], strict=True))) * 2
    for place in random.Random(3).sample(range(len(cells)), 60):
        row = cells.iloc[place]
        target = {"injury_modifier": int(row["modifier"]), "tough": bool(row["tough"])}
        answer = single(row["weapon_id"], NEW, target, int(row["attacks"]))
        assert math.isclose(row["p_out"], answer.out_of_action, abs_tol=1e-12)
        assert math.isclose(row["p_down"], answer.down, abs_tol=1e-12)


def test_mean_over_the_models_met(odds: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    """Weight by weight, each target asked anew."""
    targets = read_mix("warbands", NEW).targets
    mean = over_mix(odds[0])
    for id in ("sword-axe", "heavy-flamethrower"):
        parts = [one.weight * single(id, NEW, dict(one.table), 1).out_of_action for one in targets]
        assert math.isclose(mean[id], sum(parts) / sum(one.weight for one in targets), abs_tol=1e-12)


def test_two_shoot_actions_are_one_activation() -> None:
    """In 1.0.2 the submachine gun shoots twice in an activation; in 1.6.3 it has two shots."""
    cells, _ = weapon_odds(fewer(OLD, ("submachine-gun",)))
    twice = tcsim.odds(
        {
            "edition": OLD,
            "target": {},
            "attacks": [{"weapon": "submachine-gun", "times": 2}],
            "spend": {"blood_on_injury": "greedy"},
        }
    )
    assert math.isclose(at_step(cells, 0)["submachine-gun"], twice.out_of_action, abs_tol=1e-12)


def undominated(cost: float, p: float, others: list[tuple[float, float]]) -> bool:
    return not any(c <= cost and q >= p - 1e-9 and (c < cost or q > p + 1e-9) for c, q in others)


def test_fronts_and_fair_prices_by_definition(table: pd.DataFrame) -> None:
    """Each price is tried: the highest at which nothing of its kind dominates it, and whether its own is such."""
    judged = table[table["judged"]]
    assert len(judged) >= 8
    for line in judged.to_dict("records"):
        rest = judged[(judged["kind"] == line["kind"]) & (judged["weapon_id"] != line["weapon_id"])]
        others = list(zip(rest["cost"], rest["mix"], strict=True))
        assert line["on_front"] == undominated(line["cost"], line["mix"], others)
        fair = [cost for cost in range(200) if undominated(cost, line["mix"], others)]
        if line["fair_high"] != line["fair_high"]:
            assert max(fair) == 199
        else:
            assert max(fair, default=-1) == line["fair_high"]
            assert line["off"] == max(0.0, line["cost"] - line["fair_high"]) or line["off"] <= 0
        better = [
            c
            for c, q in others
            if c <= line["cost"] and q >= line["mix"] - 1e-9 and (c, q) != (line["cost"], line["mix"])
        ]
        assert (line["beaten_by"] == "") == (not better)
        if better:
            assert line["beaten_at"] == min(better)


def test_what_is_out_of_line_at_other_prices(odds: tuple[pd.DataFrame, pd.DataFrame]) -> None:
    """Three sets of made-up prices: the lowest fair one, what is off, and by whom it is beaten, price by price."""
    cells = odds[0]
    ids, seen = list(cells["weapon_id"].unique()), set()
    for seed in range(3):
        rng = random.Random(seed)
        costs = {id: float(rng.randint(5, 40)) for id in ids}
        judged = standing(cells.assign(cost=cells["weapon_id"].map(costs))).query("judged")
        for line in judged.to_dict("records"):
            rest = judged[(judged["kind"] == line["kind"]) & (judged["weapon_id"] != line["weapon_id"])]
            others = list(zip(rest["cost"], rest["mix"], strict=True))
            unbeaten = [one for one in others if undominated(*one, [two for two in others if two != one])]
            fair = [cost for cost in range(200) if undominated(cost, line["mix"], others)]
            calm = [n for n in fair if all(undominated(*one, [(n, line["mix"])]) for one in unbeaten)]
            low, high = min(calm, default=max(fair, default=0)), max(fair, default=-1)
            assert line["fair_low"] == low
            assert line["off"] == (line["cost"] - high if line["cost"] > high else min(0, line["cost"] - low))
            beaten = [c for c, p in others if not undominated(line["cost"], line["mix"], [(c, p)])]
            assert (line["beaten_at"] == min(beaten)) if beaten else line["beaten_by"] == ""
            seen |= {"dear"} if line["off"] > 0 else {"cheap"} if line["off"] < 0 else set()
            seen |= {"by several"} if len(set(beaten)) > 1 else set()
    assert seen == {"dear", "cheap", "by several"}


def test_what_is_not_judged(table: pd.DataFrame) -> None:
    """Third-party weapons, those not counted in full, those not sold for ducats, and what is rolled at oneself."""
    by_id = table.set_index("weapon_id")
    for id in ("butcher-bayonet", "anti-tank-hammer", "anti-materiel-rifle", "martyrdom-device-self"):
        assert not by_id.loc[id, "judged"], id
    assert by_id.loc["bolt-action-rifle", "judged"]
    assert not by_id.loc["martyrdom-device-self", "counted"]


@pytest.mark.parametrize("edition", [NEW, OLD])
def test_two_reports_say_the_same_of_a_weapon(edition: str) -> None:
    """The report on weapons and ``tcsim value``, of which the one on loadouts is made: price, chance, fair prices."""
    rows = catalog(edition)
    picked = (*SOME, "arquebus-melee", "torture-instrument")
    judged = standing(weapon_odds(fewer(edition, picked))[0])
    judged = judged[judged["judged"]]
    sold = [text for text in all_weapons(rows)[0] if text.partition(",")[0] in picked]
    for kind in ("melee", "ranged"):
        own = judged[judged["kind"] == kind].set_index("weapon_id")
        texts = [text for text in sold if rows.weapon(text.partition(",")[0]).attack_kind == kind]
        front = tcsim.value(texts, edition=edition, spend="greedy").frame
        front = front[front["currency"] == "ducats"]
        assert len(front) == len(own) > 1
        for line in front.to_dict("records"):
            [row] = [row for row in own.to_dict("records") if row["weapon"] == line["loadout"].partition(",")[0]]
            assert math.isclose(line["p"], row["mix"], abs_tol=1e-12)
            for name, other in (("cost", "cost"), ("on_front", "on_front"), ("fair_lowest", "fair_low")):
                assert line[name] == row[other], (line["loadout"], name)


def test_prices_of_factions_and_not_of_units() -> None:
    rows = catalog(OLD)
    assert price_of(rows.armour("machine-armour"), rows) == 50
    for weapon in rows.weapons[:40]:
        named = [price.amount for price in weapon.prices if price.currency == "ducats"]
        found = price_of(weapon, rows)
        assert (found is None) == (not named)
        assert found is None or found in named


#: How a feature is asked in the words of a scenario.
ASKED: dict[str, dict[str, Any]] = {
    **{name: {"keywords": [name]} for name in ("CRITICAL", "FIRE", "GAS", "SHRAPNEL", "RISKY", "AUTO-HIT", "DEADLY")},
    "IGNORE ARMOUR": {"keywords": ["IGNORE ARMOUR"]},
    "ARMOUR PIERCING 1": {"keywords": ["ARMOUR PIERCING 1"]},
    "INFECTION MARKERS": {"keywords": ["INFECTION MARKERS"]},
    "+1 DICE": {"action_dice": 1},
    "+1 injury die": {"injury_dice": 1},
    "+1 injury modifier": {"injury_modifier": 1},
    "one more shot or blow": {"shots": 2},
}


def test_keywords_are_those_of_the_attack(worth: pd.DataFrame) -> None:
    """A keyword put on the row of a plain rifle is the same keyword written at the attack; so is each number."""
    rifle = worth[worth["weapon_id"] == "bolt-action-rifle"]
    assert set(rifle["feature"]) == set(ASKED) == {one.name for one in features(catalog(NEW))}
    for row in rifle.to_dict("records"):
        target = {"injury_modifier": row["modifier"]}
        having = single("bolt-action-rifle", NEW, target, row["attacks"], **ASKED[row["feature"]])
        bare = single("bolt-action-rifle", NEW, target, row["attacks"])
        assert math.isclose(row["with_it"], having.out_of_action, abs_tol=1e-12), row
        assert math.isclose(row["without"], bare.out_of_action, abs_tol=1e-12), row
        assert not row["has"]


def test_keywords_that_weapons_have(worth: pd.DataFrame) -> None:
    """What a weapon has is in its chance as the books have it, and its chance without it is another weapon's."""
    for id, name in (("anti-materiel-rifle", "IGNORE ARMOUR"), ("heavy-flamethrower", "FIRE")):
        rows = worth[(worth["weapon_id"] == id) & (worth["feature"] == name)]
        assert rows["has"].all()
        for row in rows.to_dict("records"):
            printed = single(id, NEW, {"injury_modifier": row["modifier"]}, row["attacks"]).out_of_action
            assert math.isclose(row["with_it"], printed, abs_tol=1e-12)
    gun = worth[(worth["weapon_id"] == "anti-materiel-rifle") & (worth["feature"] == "IGNORE ARMOUR")]
    for row in gun.to_dict("records"):
        like = {"kind": "ranged", "injury_dice": 1, "keywords": ["CRITICAL"], "times": row["attacks"]}
        spend = {"blood_on_injury": "greedy"}
        target = {"injury_modifier": row["modifier"]}
        answer = tcsim.odds({"edition": NEW, "target": target, "attacks": [like], "spend": spend})
        assert math.isclose(row["without"], answer.out_of_action, abs_tol=1e-12)


def test_a_weapon_without_its_third_injury_die_is_a_plain_one() -> None:
    """The Malebranche Sword: DEADLY, and nothing else that is rolled."""
    deadly_alone = [one for one in features(catalog(NEW)) if one.name == "DEADLY"]
    sword = feature_worth(catalog(NEW), ["malebranche-sword"], wanted=deadly_alone)
    assert len(sword) == 8
    assert sword["has"].all()
    for row in sword.to_dict("records"):
        blow = {"kind": "melee", "times": row["attacks"]}
        asked = {"target": {"injury_modifier": row["modifier"]}, "spend": {"blood_on_injury": "greedy"}}
        plain_one, deadly = (
            tcsim.odds({**asked, "attacks": [{**blow, "keywords": words}]}).out_of_action for words in ([], ["DEADLY"])
        )
        assert math.isclose(row["without"], plain_one, abs_tol=1e-12)
        assert math.isclose(row["with_it"], deadly, abs_tol=1e-12)


def test_findings_on_weapons(table: pd.DataFrame, worth: pd.DataFrame) -> None:
    """Each sentence by plain loops over the rows."""
    said = [plain(one) for one in weapons.findings(table, worth)]
    lines: list[dict[str, Any]] = [dict(line) for line in table.to_dict("records")]
    for kind, sentence in zip(("melee", "ranged"), said[:2], strict=True):
        own = [line for line in lines if line["kind"] == kind and line["official"] and line["counted"]]
        best = max(own, key=lambda line: line["mix"])
        assert best["weapon"] in sentence
        assert percent(best["mix"]) in sentence
    for kind, sentence in zip(("melee", "ranged"), said[2:4], strict=True):
        judged = [line for line in lines if line["kind"] == kind and line["judged"]]
        points = [(line["cost"], line["mix"]) for line in judged]
        on = [
            line
            for i, line in enumerate(judged)
            if undominated(line["cost"], line["mix"], points[:i] + points[i + 1 :])
        ]
        assert f"Of {len(judged)} {kind} weapons sold for ducats {len(on)} " in sentence
        assert all(line["weapon"] in sentence for line in on)
    over = max(line["off"] for line in lines if line["judged"])
    assert f"{over:.0f} ducats above" in said[4]
    under = min(line["off"] for line in lines if line["judged"])
    [low] = [one for one in said if "below its lowest fair price" in one]
    cheap = {line["weapon"] for line in lines if line["judged"] and line["off"] == under}
    assert low.startswith(f"{-under:.0f} ducats below")
    assert {line["weapon"] for line in lines if str(line["weapon"]) in low} == cheap
    gains: dict[str, list[float]] = {}
    for row in worth.to_dict("records"):
        if row["attacks"] == 1 and row["modifier"] == -3 and row["feature"] not in weapons.NUMBERS:
            gains.setdefault(str(row["feature"]), []).append(row["with_it"] - row["without"])
    best_word = max(gains, key=lambda name: sum(gains[name]) / len(gains[name]))
    mean = 100 * sum(gains[best_word]) / len(gains[best_word])
    [heavy] = [one for one in said if one.startswith("Worth most against armour −3")]
    assert f"{best_word} (+{mean:.1f})" in heavy.split(": ")[1].split(", ")[0]
    lines = [row for row in worth.to_dict("records") if row["feature"] == "CRITICAL" and row["attacks"] == 1]
    most = max(row["with_it"] - row["without"] for row in lines)  # of any weapon, which a mean would hide
    assert f"no more than {100 * most:.2f} points" in said[-1]


def test_findings_with_ties_and_with_nothing(table: pd.DataFrame, worth: pd.DataFrame) -> None:
    twin = table[table["weapon_id"] == "autocannon-full-auto"].assign(weapon_id="twin", weapon="Twin Cannon")
    tied = pd.concat([table, twin], ignore_index=True)
    assert "Auto Cannon (full-auto) and Twin Cannon" in plain(weapons.findings(tied, worth)[1])
    nothing = table.assign(judged=False, official=False)
    assert [plain(one)[:11] for one in weapons.findings(nothing, worth)] == ["Worth most "] * 2 + ["CRITICAL is"]
    assert weapons.findings(nothing, worth[worth["feature"] == "none"]) == ()


def test_tables_of_weapons_are_the_frame(
    table: pd.DataFrame, worth: pd.DataFrame, odds: tuple[pd.DataFrame, pd.DataFrame]
) -> None:
    report = weapons.compose(NEW, table, worth, odds[1])
    found = tables(report)
    shown = {row.cells[0].text: row for name in ("weapons", "others") for row in found[name].rows}
    assert len(shown) == len(table)
    for line in table.to_dict("records"):
        cells = shown[str(line["weapon"])].cells
        values = [line["p_0"], line["p_1"], line["p_2"], line["p_3"], line["mix"], line["mix_down"], line["tough"]]
        assert [cell.value for cell in cells[3:10]] == values
        assert cells[2].text == ("–" if math.isnan(line["cost"]) else f"{line['cost']:.0f}")
    once = {row.cells[0].text: row.cells for row in found["keywords"].rows}
    fire = worth[(worth["feature"] == "FIRE") & (worth["modifier"] == -1) & (worth["attacks"] == 2)]
    assert math.isclose(once["FIRE"][7].value or 0, float((fire["with_it"] - fire["without"]).mean()), abs_tol=1e-12)
    dear = {row.cells[0].text: row.cells[3].value for row in found["dear"].rows}
    assert dear == {
        line["weapon"]: line["off"] for line in table.to_dict("records") if line["judged"] and line["off"] > 0
    }


# --- armour ---------------------------------------------------------------------------------------------------

AGAINST = ("bolt-action-rifle", "heavy-flamethrower", "tank-splitter-sword", "great-sword-axe", "autocannon-full-auto")


@pytest.fixture(scope="module")
def cells() -> pd.DataFrame:
    return armour_cells(fewer(NEW, AGAINST)).cells


@pytest.fixture(scope="module")
def pieces(cells: pd.DataFrame) -> pd.DataFrame:
    return armours(catalog(NEW), cells)


def points_off(cells: pd.DataFrame) -> dict[tuple[str, str], dict[str, float]]:
    """What everything takes off two attacks on an ordinary target, by plain loops."""
    kept: dict[tuple[str, str], dict[str, float]] = {}
    for row in cells.itertuples(index=False):
        if (row.blood, row.tough, row.attacks) == (0, False, 2) and row.official and row.counted:
            kept.setdefault((row.armour_id, row.shield_id), {})[row.weapon_id] = row.p_out
    bare = kept[("", "")]
    return {key: {id: bare[id] - p for id, p in own.items()} for key, own in kept.items()}


def all_may_buy(own: str, rival: str) -> bool:
    """Whether every faction of one list is in the other, or a variant of one in it; an empty list is everybody."""
    if rival == "":
        return True
    theirs = rival.split(";")
    return own != "" and all(one in theirs or one.rsplit("-", 1)[0] in theirs for one in own.split(";"))


def test_armour_by_plain_loops(cells: pd.DataFrame, pieces: pd.DataFrame) -> None:
    off = points_off(cells)
    assert len(pieces) == len(off) - 1 == 90
    lines = pieces.to_dict("records")
    for line in lines:
        own = off[line["armour_id"], line["shield_id"]]
        assert math.isclose(line["mean"], sum(own.values()) / len(own), abs_tol=1e-12)
        assert math.isclose(line["most"], max(own.values()), abs_tol=1e-12)
        assert math.isclose(line["least"], min(own.values()), abs_tol=1e-9)
        assert line["nothing"] == sum(abs(value) <= SAME for value in own.values())
        rivals = [
            other
            for other in lines
            if other["class"] == line["class"]
            and all_may_buy(line["factions"], other["factions"])
            and other["cost"] <= line["cost"]
            and all(off[other["armour_id"], other["shield_id"]][id] >= value - SAME for id, value in own.items())
            and (
                other["cost"] < line["cost"]
                or any(off[other["armour_id"], other["shield_id"]][id] > value + SAME for id, value in own.items())
            )
        ]
        assert (line["beaten_by"] == "") == (not rivals)
        assert line["beaten_by"] in {"", *(other["worn"] for other in rivals)}


def test_interplay_is_a_mean_over_weapons(cells: pd.DataFrame) -> None:
    found = interplay(cells)
    for blood, tough in ((0, False), (6, True)):
        wanted = [
            single(id, NEW, {"armour": ["Reinforced Armour"], "blood": blood, "tough": tough}, 2).out_of_action
            for id in AGAINST
        ]
        got = armour.value_at(found, ("reinforced-armour", ""), blood, tough)
        assert math.isclose(got, sum(wanted) / len(wanted), abs_tol=1e-12)


def test_findings_on_armour(cells: pd.DataFrame, pieces: pd.DataFrame) -> None:
    said = [plain(one) for one in armour.findings(pieces, interplay(cells), cells)]
    lines = pieces.to_dict("records")
    for kind, told in (("body", "Most protective body armour"), ("shield", "Most protective shield")):
        top = max(line["mean"] for line in lines if line["class"] == kind)
        [sentence] = [one for one in said if one.startswith(told)]
        best = [line["worn"] for line in lines if line["class"] == kind and line["mean"] >= top - SAME]
        assert all(name in sentence for name in best)
        assert f"{100 * top:.1f} points off" in sentence
    [never] = [one for one in said if one.startswith("Never worth it")]
    beaten = [line["worn"] for line in lines if line["beaten_by"] and line["class"] != "body + shield"]
    assert never.split(": ")[1] == ", ".join(beaten) + "."
    [nothing] = [one for one in said if "does nothing" in one]
    assert f"{len(ignoring(cells))} of {len(AGAINST)} weapons" in nothing
    assert ignoring(cells) == ["Heavy Flamethrower"]
    [worse] = [one for one in said if one.startswith("Armour can be worse")]
    assert "Tank-Splitter Sword" in worse  # it has an injury die for each point of armour


def test_tables_of_armour_are_the_frame(cells: pd.DataFrame, pieces: pd.DataFrame) -> None:
    told = pd.DataFrame({"name": ["x"], "remark": ["y"], "counted": [True]})
    report = armour.compose(NEW, pieces, interplay(cells), cells, told)
    both = tables(report)
    shown = {row.cells[0].text: row.cells for name in ("armour", "pairs") for row in both[name].rows}
    assert [row.cells[0].text for row in both["pairs"].rows] == [one for one in pieces["worn"] if " + " in one]
    for line in pieces.to_dict("records"):
        got = [cell.value for cell in shown[line["worn"]][2:7]]
        assert got == [line[name] for name in ("mean", "most", "least", "mean_tough", "mean_blood")]
    drawn = armour.figure_table(pieces)
    assert drawn.iloc[0, 0] == pytest.approx(pieces.loc[pieces["class"] != "body + shield", "mean"].max())
    assert taken_off(cells).shape == (91, len(AGAINST))


# --- editions -------------------------------------------------------------------------------------------------

SHARED = ("bolt-action-rifle", "heavy-shotgun", "heavy-flamethrower", "automatic-pistol", "submachine-gun")
SHARED_TOO = ("autocannon-full-auto", "lochaber-axe", "sword-axe", "machine-gun")


@pytest.fixture(scope="module")
def changed() -> pd.DataFrame:
    ids = (*SHARED, *SHARED_TOO)
    return weapon_changes(fewer(OLD, ids), fewer(NEW, ids))


def test_changes_of_weapons_are_single_answers(changed: pd.DataFrame) -> None:
    assert len(changed) == len((*SHARED, *SHARED_TOO)) * len(STEPS)
    for row in changed.to_dict("records"):
        target = {"injury_modifier": row["modifier"]}
        assert math.isclose(row["old"], single(row["weapon_id"], OLD, target, 1).out_of_action, abs_tol=1e-12)
        assert math.isclose(row["new"], single(row["weapon_id"], NEW, target, 1).out_of_action, abs_tol=1e-12)


def test_row_and_rules_add_up_and_are_told_apart(changed: pd.DataFrame) -> None:
    split = changed[changed["by_row"].notna()]
    assert np.allclose(split["by_row"] + split["by_rules"], split["change"], rtol=0, atol=1e-12)
    cause = summary(changed).set_index("weapon_id")["cause"].to_dict()
    assert cause["bolt-action-rifle"] == cause["sword-axe"] == "none"
    assert (
        cause["autocannon-full-auto"] == cause["machine-gun"] == "rules"
    )  # the same row; shots are resolved otherwise
    assert cause["submachine-gun"] == "rules"  # two ACTIONs or two shots are the same thing written otherwise
    assert cause["lochaber-axe"] == "row"
    axe = changed[changed["weapon_id"] == "heavy-flamethrower"].iloc[0]
    # the old row has an injury die less: under the new rules by words, without looking at a catalogue
    turned = tcsim.odds(
        {
            "edition": NEW,
            "target": {},
            "attacks": [
                {"kind": "ranged", "shots": 2, "injury_dice": -1, "keywords": ["AUTO-HIT", "FIRE", "IGNORE ARMOUR"]}
            ],
            "spend": {"blood_on_injury": "greedy"},
        }
    )
    assert math.isclose(axe["rules_first"], turned.out_of_action, abs_tol=1e-12)


def rows_of(kind: str) -> dict[str, dict[str, dict[str, str]]]:
    """The official rows as they are written, by edition and id."""
    path = Path(tcsim.__file__).parent / "catalog" / "data" / f"{kind}.csv"
    found: dict[str, dict[str, dict[str, str]]] = {NEW: {}, OLD: {}}
    with path.open(encoding="utf-8", newline="") as file:
        for line in csv.DictReader(file):
            if line["third_party"] == "0":
                found[line["edition"]][line["id"]] = line
    return found


def test_prices_and_rows_as_they_are_written() -> None:
    """From the CSV files: rows of one edition alone, and plain prices that differ."""
    new, old = catalog(NEW), catalog(OLD)
    rows, prices = comings(old, new), price_changes(old, new)
    for kind, file in (("weapon", "weapons"), ("armour", "armour"), ("unit", "units")):
        written = rows_of(file)
        own = rows[rows["row"] == kind]
        assert set(own.loc[own["status"] == "new", "id"]) == set(written[NEW]) - set(written[OLD])
        assert set(own.loc[own["status"] == "gone", "id"]) == set(written[OLD]) - set(written[NEW])
        told = prices[(prices["row"] == kind) & (prices["currency"] == "ducats")].set_index("id")
        for id in set(written[NEW]) & set(written[OLD]):
            pair = [written[edition][id]["cost_ducats"] for edition in (OLD, NEW)]
            if all(text.isdigit() or not text for text in pair):
                assert (id in told.index) == (pair[0] != pair[1]), id
                if id in told.index and all(pair):
                    assert [told.loc[id, "old"], told.loc[id, "new"]] == list(map(float, pair))


def editions_report(changed: pd.DataFrame) -> tuple[Report, dict[str, pd.DataFrame]]:
    new, old = catalog(NEW), catalog(OLD)
    frames = {
        "weapons": summary(changed),
        "cells": changed,
        "prices": price_changes(old, new),
        "rows": comings(old, new),
    }
    return edition_diff.compose((OLD, NEW), frames, field_changes(old, new)[:5]), frames


def test_findings_and_tables_of_editions(changed: pd.DataFrame) -> None:
    report, frames = editions_report(changed)
    said = [plain(one) for one in edition_diff.findings(frames)]
    means = changed.groupby("weapon_id")[["old", "new"]].mean()
    moved = (means["new"] - means["old"]).to_dict()
    up, down = max(moved, key=lambda id: moved[id]), min(moved, key=lambda id: moved[id])
    names = dict(zip(changed["weapon_id"], changed["weapon"], strict=True))
    assert said[1].startswith(f"{names[up]} gained most: +{100 * moved[up]:.1f} points")
    assert said[2].startswith(f"{names[down]} lost most: −{-100 * moved[down]:.1f} points")
    assert f"Of {len(moved)} weapons that both editions have, {sum(abs(x) > 1e-9 for x in moved.values())} " in said[0]
    prices = [line for line in frames["prices"].to_dict("records") if line["currency"] == "ducats"]
    dearer, cheaper = (sum(side * line["new"] > side * line["old"] for line in prices) for side in (1, -1))
    assert any(line["new"] != line["new"] for line in prices)  # no longer sold is neither
    assert said[3].startswith(f"{dearer} ")
    assert said[3].endswith(f" cost more ducats, {cheaper} fewer.")
    shown = {row.cells[0].text: row.cells for row in tables(report)["weapons"].rows}
    for id, points in moved.items():
        if abs(points) > 1e-9:
            assert shown[names[id]][4].value == pytest.approx(points, abs=1e-12)
        else:
            assert names[id] not in shown
            [cells] = [row.cells for row in tables(report)["same"].rows if row.cells[0].text == names[id]]
            assert cells[2].value == pytest.approx(means.loc[id, "old"], abs=1e-12)
    drawn = edition_diff.figure_frame(frames["weapons"], (OLD, NEW))
    for line in drawn.to_dict("records"):
        [id] = [key for key, name in names.items() if name == line["weapon"]]
        assert line["p"] == pytest.approx(means.loc[id, "old" if line["edition"] == OLD else "new"], abs=1e-12)
    flat = changed.assign(change=0.0, by_row=0.0, by_rules=0.0, old=0.1, new=0.1)
    same = frames | {"weapons": summary(flat)}
    assert "another chance: 0 by their own profile" in plain(edition_diff.findings(same)[0])
    assert "most" not in "".join(plain(one) for one in edition_diff.findings(same))


def test_one_edition_is_no_comparison(tmp_path: Path) -> None:
    """A sentence and status 2; a page that lay there before is not lost."""
    with pytest.raises(tcsim.InputError, match="two editions are compared, 1 are given"):
        edition_diff.build(Asked((catalog(NEW),)))
    (tmp_path / "index.html").write_text("the page of yesterday", encoding="utf-8")
    for words in (["edition-diff", "--edition", NEW], ["weapons", "--weapon", "Bolt-Action Rifel"]):
        result = run("report", *words, "--out", str(tmp_path))
        assert result.status == 2
        assert result.err.count("\n") == 1
    assert (tmp_path / "index.html").read_text(encoding="utf-8") == "the page of yesterday"


# --- pages ----------------------------------------------------------------------------------------------------


def test_hostile_names_do_no_harm(tmp_path: Path) -> None:
    """Names that are HTML, Markdown and formulas, and as long as a catalogue lets them be."""
    own = tuple(
        replace(catalog(NEW).weapon("sword-axe"), id=f"own-{i}", name=name, keywords=("FIRE",), factions=('"><b>',))
        for i, name in enumerate((HOSTILE, "=1+1", "x" * 80, "../../etc", "אבג"))
    )
    rows = fewer(NEW, ("sword-axe", "bolt-action-rifle", "great-sword-axe"), own)
    found, told = weapon_odds(rows)
    table = standing(found)
    worth = feature_worth(rows, ["own-0", "sword-axe"], wanted=features(rows)[:2])
    page = render_html(weapons.compose(NEW, table, worth, told))
    tree = Tree(page)
    assert tree.mistakes == []
    assert "<script>alert" not in page
    assert not any(name.startswith("on") for _, name, _ in tree.attributes)
    assert HOSTILE in "".join(" ".join(cell) for line in tree.tables["t-weapons"] for cell in line)
    text = render_markdown(weapons.compose(NEW, table, worth, told))
    assert "<script>" not in text
    found.to_csv(tmp_path / "cells.csv", index=False)
    again = pd.read_csv(tmp_path / "cells.csv", keep_default_na=False)
    assert set(again["weapon"]) == set(found["weapon"])


def test_reports_in_korean(
    table: pd.DataFrame,
    worth: pd.DataFrame,
    odds: tuple[pd.DataFrame, pd.DataFrame],
    cells: pd.DataFrame,
    pieces: pd.DataFrame,
    changed: pd.DataFrame,
) -> None:
    """Every finding, heading and caption is Korean; the numbers are those of the English page."""
    told = pd.DataFrame({"name": ["x"], "remark": ["Assumed: no charge."], "counted": [True]})

    def made() -> tuple[Report, ...]:
        blood = interplay(cells)
        return (
            weapons.compose(NEW, table, worth, odds[1]),
            armour.compose(NEW, pieces, blood, cells, told),
            editions_report(changed)[0],
        )

    english = made()
    with speaking("ko"):
        korean = made()
    for ours, theirs in zip(english, korean, strict=True):
        assert theirs.lang == "ko"
        for section in theirs.sections:
            assert any("가" <= letter <= "힣" for letter in section.title)
        for name, one in tables(ours).items():
            other = tables(theirs)[name]
            assert [[cell.value for cell in row.cells] for row in one.rows] == [
                [cell.value for cell in row.cells] for row in other.rows
            ]
            assert any("가" <= letter <= "힣" for letter in other.caption)


def test_words_of_figures(worth: pd.DataFrame, pieces: pd.DataFrame) -> None:
    """A title says the largest only where it is the largest at every armour that it speaks of."""
    words = weapons.keyword_words(weapons.gains(worth), NEW)
    assert isinstance(words, Words)
    one = pd.DataFrame({step: [0.1, 0.2] for step in STEPS}, index=["FIRE", "GAS"])
    assert weapons.keyword_words(one, NEW).title == "GAS is worth most, whatever the armour"
    one.loc["FIRE", -1] = 0.3
    assert weapons.keyword_words(one, NEW).title == "GAS is worth most without armour and in armour −3"
    one.loc["FIRE", -3] = 0.2
    assert weapons.keyword_words(one, NEW).title == "GAS is worth most without armour, FIRE and GAS in armour −3"


@pytest.mark.verification
@pytest.mark.parametrize("kind", ["weapons", "armour", "edition-diff"])
def test_reports_are_written_alike_twice(kind: str, tmp_path: Path) -> None:
    """The whole report by the command, twice: the same bytes in every file."""
    files: list[dict[str, bytes]] = []
    for folder in ("a", "b"):
        assert run("report", kind, "--out", str(tmp_path / folder)).status == 0
        root = tmp_path / folder
        files.append({str(path.relative_to(root)): path.read_bytes() for path in root.rglob("*") if path.is_file()})
    assert files[0] == files[1]
    assert len(files[0]["index.html"]) < 1_500_000
