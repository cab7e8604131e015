"""What things are worth: every number against two answers of ``tcsim.odds`` written out by hand, or the naive way."""

from __future__ import annotations

import copy
import json
import math
import random
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import naive
import numpy as np
import pandas as pd
import pytest
import scenarios
from matplotlib.figure import Figure
from test_cli import answer, complaint, run

import tcsim
import tcsim.plots
from tcsim.analysis.exchange import answer as exchange_module
from tcsim.analysis.exchange.factors import FACTORS
from tcsim.analysis.exchange.worths import Curve, counted
from tcsim.base.errors import InputError
from tcsim.base.text import columns
from tcsim.plots.figures.iso_kill import iso_kill as draw_iso
from tcsim.plots.figures.iso_kill import plane
from tcsim.plots.figures.tornado import MOST_ROWS, tornado, tornado_words

Table = dict[str, Any]

RANGED: Table = {"target": {"injury_modifier": -1}, "attacks": [{}]}
MELEE: Table = {"target": {"injury_modifier": -2, "blood": 2}, "attacks": [{"kind": "melee", "times": 2}]}
BOTH: Table = {
    "target": {"injury_modifier": -2, "blood": 1, "blessing": 2, "tough": True, "down": True},
    "attacker": {"blood": 1, "blessing": 2, "down": True},
    "attacks": [
        {"cover": True, "keywords": ["CRITICAL"], "elevated": True},
        {"event": "stand"},
        {"kind": "melee", "keywords": ["DEADLY"], "off_hand": True, "times": 2, "diving_charge": True},
    ],
    "spend": {
        **{"blood_on_injury": "all", "blessing_on_injury": "all"},
        **{"blood_on_action": "all", "blessing_on_action": "all"},
    },
}


def out(question: Table) -> float:
    return tcsim.odds(question).out_of_action


def changed(question: Table, table: str, field: str, value: Any) -> Table:
    """The question with one field of the target, the attacker or ``spend`` set to something."""
    made = copy.deepcopy(question)
    made.setdefault(table, {})[field] = value
    return made


def attacks(question: Table, change: Callable[[Table], None], kind: str = "") -> Table:
    """The question with every attack (of a kind) changed."""
    made = copy.deepcopy(question)
    for one in made["attacks"]:
        if "event" not in one and kind in ("", one.get("kind", "ranged")):
            change(one)
    return made


def plus(field: str, by: int) -> Callable[[Table], None]:
    return lambda one: one.update({field: one.get(field, 0) + by})


def flag(field: str, value: bool) -> Callable[[Table], None]:
    return lambda one: one.update({field: value})


def word(name: str, there: bool) -> Callable[[Table], None]:
    def change(one: Table) -> None:
        words = [other for other in one.get("keywords", []) if other != name]
        one["keywords"] = [*words, name] if there else words

    return change


def more_attacks(question: Table, by: int) -> Table:
    made = copy.deepcopy(question)
    made["attacks"][-1]["times"] = made["attacks"][-1].get("times", 1) + by
    return made


#: Of each factor: the question changed for the attacker and against them, by hand; None where that cannot be.
BY_HAND: dict[str, tuple[Callable[[Table], Table | None], Callable[[Table], Table | None]]] = {
    "action_dice": (lambda q: attacks(q, plus("action_dice", 1)), lambda q: attacks(q, plus("action_dice", -1))),
    "injury_dice": (lambda q: attacks(q, plus("injury_dice", 1)), lambda q: attacks(q, plus("injury_dice", -1))),
    "injury_modifier": (
        lambda q: attacks(q, plus("injury_modifier", 1)),
        lambda q: attacks(q, plus("injury_modifier", -1)),
    ),
    "attacks": (lambda q: more_attacks(q, 1), lambda q: more_attacks(q, -1)),
    "critical": (lambda q: attacks(q, word("CRITICAL", True)), lambda q: attacks(q, word("CRITICAL", False))),
    "deadly": (lambda q: attacks(q, word("DEADLY", True)), lambda q: attacks(q, word("DEADLY", False))),
    "fire": (lambda q: attacks(q, word("FIRE", True)), lambda q: attacks(q, word("FIRE", False))),
    "ignore_armour": (
        lambda q: attacks(q, word("IGNORE ARMOUR", True)),
        lambda q: attacks(q, word("IGNORE ARMOUR", False)),
    ),
    "armour": (
        lambda q: changed(q, "target", "injury_modifier", q["target"]["injury_modifier"] + 1),
        lambda q: changed(q, "target", "injury_modifier", q["target"]["injury_modifier"] - 1),
    ),
    "tough": (lambda q: changed(q, "target", "tough", False), lambda q: changed(q, "target", "tough", True)),
    "down": (lambda q: changed(q, "target", "down", True), lambda q: changed(q, "target", "down", False)),
    "cover": (
        lambda q: attacks(q, flag("cover", False), "ranged"),
        lambda q: attacks(q, flag("cover", True), "ranged"),
    ),
    "long_range": (
        lambda q: attacks(q, flag("long_range", False), "ranged"),
        lambda q: attacks(q, flag("long_range", True), "ranged"),
    ),
    "elevated": (
        lambda q: attacks(q, flag("elevated", True), "ranged"),
        lambda q: attacks(q, flag("elevated", False), "ranged"),
    ),
    "defended_obstacle": (
        lambda q: attacks(q, flag("defended_obstacle", False), "melee"),
        lambda q: attacks(q, flag("defended_obstacle", True), "melee"),
    ),
    "off_hand": (
        lambda q: attacks(q, flag("off_hand", False), "melee"),
        lambda q: attacks(q, flag("off_hand", True), "melee"),
    ),
    "fear": (lambda q: attacks(q, flag("fear", False), "melee"), lambda q: attacks(q, flag("fear", True), "melee")),
    "diving_charge": (
        lambda q: attacks(q, flag("diving_charge", True), "melee"),
        lambda q: attacks(q, flag("diving_charge", False), "melee"),
    ),
    "attacker_down": (lambda q: changed(q, "attacker", "down", False), lambda q: changed(q, "attacker", "down", True)),
}
#: Markers: the table and field that holds them, 1 where more are for the attacker, and how they are spent.
MARKERS = {
    "blood": ("target", "blood", 1, "blood_on_injury", "all"),
    "blood_best": ("target", "blood", 1, "blood_on_injury", "optimal"),
    "blessing": ("target", "blessing", -1, "blessing_on_injury", "all"),
    "attacker_blood": ("attacker", "blood", -1, "blood_on_action", "all"),
    "attacker_blessing": ("attacker", "blessing", 1, "blessing_on_action", "all"),
}


def by_hand(name: str, question: Table) -> tuple[float, float, float]:
    """What a factor is compared with, and what it adds to both sides."""
    if name in MARKERS:
        table, field, sign, how, policy = MARKERS[name]
        if name == "blood_best" or question.get("spend", {}).get(how, "none") == "none":
            question = changed(question, "spend", how, policy)
        held = question.get(table, {}).get(field, 0)
        sides = [changed(question, table, field, held + sign * by) for by in (1, -1)]
    else:
        made = [change(question) for change in BY_HAND[name]]
        sides = [one for one in made if one is not None]
    base = out(question)
    changes = []
    for side in sides:
        try:
            changes.append(out(side) - base)
        except InputError:  # no markers below none, no armour above none, no attack less than one
            changes.append(0.0)
    return base, changes[0], changes[1]


@pytest.mark.parametrize("edition", ["1.6.3", "1.0.2"])
@pytest.mark.parametrize("question", [RANGED, MELEE, BOTH], ids=["ranged", "melee", "both"])
def test_each_worth_is_the_difference_of_two_answers(question: Table, edition: str) -> None:
    question = question | {"edition": edition}
    found = tcsim.exchange(question)
    assert found.value == pytest.approx(out(question), abs=1e-12)
    told = {one.factor: one for one in found.worths}
    assert {*told, *found.left_out} == {factor.name for factor in FACTORS} == {*BY_HAND, *MARKERS}
    for name in (*BY_HAND, *MARKERS):
        base, up, down = by_hand(name, question)
        if name in found.left_out:
            assert (up, down) == (0, 0), name
            continue
        one = told[name]
        assert one.base == pytest.approx(base, abs=1e-12), name
        for mine, theirs in ((one.up, up), (one.down, down)):
            assert (0.0 if math.isnan(mine) else mine) == pytest.approx(theirs, abs=1e-12), name


def naive_out(question: Table) -> float:
    return float(naive.final_states(question).get(naive.OUT, 0))


@pytest.mark.parametrize("name", ["action_dice", "injury_dice", "armour", "critical", "cover", "down", "blood_best"])
def test_the_naive_way_comes_to_the_same(name: str) -> None:
    question = changed(changed(RANGED, "target", "blood", 1), "spend", "blood_on_injury", "all")
    one = next(one for one in tcsim.exchange(question).worths if one.factor == name)
    if name == "blood_best":
        question = changed(question, "spend", "blood_on_injury", "optimal")
        up, down = (changed(question, "target", "blood", blood) for blood in (2, 0))
    else:
        up, down = (change(question) for change in BY_HAND[name])  # type: ignore[assignment]
    base = naive_out(question)
    for mine, side in ((one.up, up), (one.down, down)):
        assert math.isnan(mine) or mine == pytest.approx(naive_out(side) - base, abs=1e-12)
    assert not (math.isnan(one.up) and math.isnan(one.down))


def test_down_and_expected_blood_are_measured_too() -> None:
    def value(question: Table, of: str) -> float:
        total = 0.0
        for state, p in tcsim.odds(question).states:
            total += (
                p
                * (
                    {"down": 1, "expected-blood": 6}
                    if state is None
                    else state._asdict() | {"expected-blood": state.blood}
                )[of]
            )
        return total

    for of in ("down", "expected-blood"):
        found = tcsim.exchange(MELEE, of=of, factors=["injury_dice", "armour"])
        assert found.value == pytest.approx(value(MELEE, of), abs=1e-12)
        for one in found.worths:
            up, down = (change(MELEE) for change in BY_HAND[one.factor])
            assert up is not None
            assert down is not None
            assert one.up == pytest.approx(value(up, of) - found.value, abs=1e-12)
            assert one.down == pytest.approx(value(down, of) - found.value, abs=1e-12)


# --- what applies ---------------------------------------------------------------------------------------------


def left_out(question: Table) -> dict[str, str]:
    return tcsim.exchange(question).left_out


def test_what_does_not_apply_is_left_out_and_named() -> None:
    flame: Table = {"target": {"injury_modifier": -2}, "attacks": [{"keywords": ["IGNORE ARMOUR", "AUTO-HIT"]}]}
    assert {"armour", "action_dice", "cover", "critical", "attacker_down", "fear"} <= left_out(flame).keys()
    assert {"cover", "long_range", "elevated"} <= left_out(MELEE).keys()
    assert {"fear", "off_hand", "defended_obstacle", "diving_charge"} <= left_out(RANGED).keys()
    assert left_out(RANGED)["fear"] == "changes nothing here"
    one = tcsim.exchange(RANGED, factors=["attacks"]).worths[0]
    assert math.isnan(one.down)
    grenade = {"target": {}, "attacks": [{"weapon": "Frag Grenades"}]}
    assert "carried is 1" in left_out(grenade)["attacks"]
    assert left_out(changed(RANGED, "spend", "blood_on_injury", "optimal"))["blood_best"]
    volley: Table = {"target": {}, "attacks": [{"shots": 2}]}
    assert "resolved together" in left_out(volley)["blood_best"]
    planned = changed(volley, "spend", "blood_on_injury", "optimal")
    assert tcsim.exchange(planned, factors=["blood"], terms=[]).left_out == {}


@pytest.mark.parametrize("seed", range(12))
def test_any_scenario_can_be_asked(seed: int) -> None:
    question = scenarios.scenario(random.Random(seed), small=True)
    found = tcsim.exchange(question, terms=["action_dice"])
    assert found.value == pytest.approx(out(question), abs=1e-12)
    assert {one.factor for one in found.worths} | found.left_out.keys() == {factor.name for factor in FACTORS}
    for one in found.worths:
        for change in (one.up, one.down):
            assert math.isnan(change) or -1e-12 <= one.base + change <= 1 + 1e-12


@pytest.mark.verification
@pytest.mark.parametrize("edition", ["1.6.3", "1.0.2"])
def test_each_worth_of_any_scenario_is_the_difference_of_two_answers(edition: str) -> None:
    """Some 1,600 worths of 36 scenarios; each is off by less than 1e-12, or it fails."""
    compared = 0
    for seed in range(36):
        question = scenarios.scenario(random.Random(seed), size=2, small=True) | {"edition": edition}
        question["target"].setdefault("injury_modifier", 0)
        found = tcsim.exchange(question, terms=[])
        told = {one.factor: one for one in found.worths}
        last = question["attacks"][-1]
        for name in (*BY_HAND, *MARKERS):
            is_table = "event" not in last and last.get("times", 1) > 1
            reason = found.left_out.get(name, "changes nothing here")
            if (name == "attacks" and not is_table) or (name == "blood_best" and reason != "changes nothing here"):
                continue
            base, up, down = by_hand(name, question)
            one = told.get(name)
            mine = (base, 0.0, 0.0) if one is None else (one.base, *(0 if x != x else x for x in (one.up, one.down)))
            assert mine == pytest.approx((base, up, down), abs=1e-12), (seed, name)
            compared += 1
    assert compared > 750


def test_a_cap_is_settled_anew() -> None:
    """1.0.2 holds negative modifiers to -3: of -5, a step either way is still -3; of -3, only a lighter one counts."""
    capped: Table = {"edition": "1.0.2", "target": {"injury_modifier": -3}, "attacks": [{"injury_modifier": -2}]}
    assert "armour" in left_out(capped)
    one = tcsim.exchange(changed(RANGED, "target", "injury_modifier", -3) | {"edition": "1.0.2"}, factors=["armour"])
    assert one.worths[0].up > 0
    assert math.isnan(one.worths[0].down)


def test_armour_by_name_goes_by_steps_as_armour_by_number() -> None:
    attack = {"weapon": "Sword / Axe", "keywords": ["ARMOUR PIERCING 1"]}
    for names, number in ((["Standard Armour"], -1), (["Reinforced Armour", "Trench Shield"], -3)):
        named = tcsim.exchange({"target": {"armour": names}, "attacks": [attack]})
        numbers = tcsim.exchange({"target": {"injury_modifier": number}, "attacks": [attack]})
        pd.testing.assert_frame_equal(named.frame, numbers.frame)
    # a shield that is ignored is no armour to take off
    shotel = {"target": {"armour": ["Trench Shield"]}, "attacks": [{"weapon": "Shotel"}]}
    assert math.isnan(next(one for one in tcsim.exchange(shotel).worths if one.factor == "armour").up)


def test_a_keyword_is_taken_from_a_weapon_of_the_catalogue() -> None:
    for edition, axe, rifle in (
        ("1.6.3", "Sword / Axe", "Anti-Materiel Rifle"),
        ("1.0.2", "Sword/Axe", "Bow of Alamut"),
    ):
        target = {"injury_modifier": -2}
        with_it = {"edition": edition, "target": target, "attacks": [{"weapon": axe}]}
        bare = {"edition": edition, "target": target, "attacks": [{"kind": "melee"}]}
        one = tcsim.exchange(with_it, factors=["critical"]).worths[0]
        assert one.down == pytest.approx(out(bare) - out(with_it), abs=1e-12)
        assert one.down < 0
        through = {"edition": edition, "target": target, "attacks": [{"weapon": rifle}]}
        dice = 1 if edition == "1.6.3" else 0
        plain = {"edition": edition, "target": target, "attacks": [{"injury_dice": dice, "keywords": ["CRITICAL"]}]}
        one = tcsim.exchange(through, factors=["ignore_armour"]).worths[0]
        assert one.down == pytest.approx(out(plain) - out(through), abs=1e-12)


def test_a_measured_range_is_said_instead() -> None:
    far: Table = {"target": {}, "attacks": [{"weapon": "Bolt-Action Rifle", "distance": 20, "cover": True}]}
    near: Table = {"target": {}, "attacks": [{"weapon": "Bolt-Action Rifle", "distance": 5, "cover": True}]}
    up = tcsim.exchange(far, factors=["long_range"]).worths[0].up
    down = tcsim.exchange(near, factors=["long_range"]).worths[0].down
    assert up == pytest.approx(out(near) - out(far), abs=1e-12)
    assert down == pytest.approx(-up, abs=1e-12)


# --- exchange rates -------------------------------------------------------------------------------------------


def searched(question: Table, field: str, wanted: float) -> float:
    """How many steps of a field come to a chance: by looking at 0, 0.0001, 0.0002, … one after the other."""
    sign = 1 if wanted > out(question) else -1
    steps = np.arange(11)
    known = [out(attacks(question, plus(field, sign * int(step)))) for step in steps]
    fine = np.linspace(0, 10, 100_001)
    there = sign * (np.interp(fine, steps, known) - wanted) >= -1e-12
    return sign * float(fine[np.argmax(there)]) if there.any() else sign * math.inf


@pytest.mark.parametrize("question", [RANGED, MELEE], ids=["ranged", "melee"])
def test_rates_are_those_of_a_search(question: Table) -> None:
    names = ["injury_dice", "action_dice", "armour", "critical", "deadly", "tough"]
    found = tcsim.exchange(question, factors=names)
    assert any(math.isinf(one.up_in["action_dice"]) for one in found.worths)
    for one in found.worths:
        for change, rates in ((one.up, one.up_in), (one.down, one.down_in)):
            for field in ("action_dice", "injury_dice"):
                if math.isnan(change):
                    assert math.isnan(rates[field])
                else:
                    assert rates[field] == pytest.approx(searched(question, field, one.base + change), abs=2e-4)


def test_markers_are_counted_on_a_curve_on_which_they_are_spent() -> None:
    one = next(one for one in tcsim.exchange(MELEE).worths if one.factor == "blood")
    spent = changed(MELEE, "spend", "blood_on_injury", "all")
    assert one.up_in["action_dice"] == pytest.approx(searched(spent, "action_dice", one.base + one.up), abs=2e-4)


def test_progress_is_told() -> None:
    planned = changed({"target": {}, "attacks": [{"shots": 2}]}, "spend", "blood_on_injury", "optimal")
    told: list[int] = []
    found = tcsim.exchange(planned, factors=["blood", "armour"], terms=["armour"], progress=told.append)
    assert told == [8, 4]  # as asked, a marker, and ten steps of heavier armour
    assert found.worths == tcsim.exchange(planned, factors=["blood", "armour"], terms=["armour"]).worths
    tcsim.exchange(planned, factors=["down"], terms=["injury_dice"], progress=told.append)
    assert max(told[2:]) == 8
    assert sum(told[2:]) == 22  # as asked, Down, and ten injury dice more and less


def test_counting_on_a_curve() -> None:
    curve = Curve((0.25, 0.5, 0.375, 1.0), (0.25, 0.125))
    assert counted(curve, 0.125) == 0.5  # the first place that fits, though there are three
    assert counted(curve, 0.25) == 1.0
    assert counted(curve, 0.4375) == 2.5
    assert counted(curve, -0.0625) == -0.5
    assert counted(curve, 0.9) == math.inf
    assert counted(curve, -0.2) == -math.inf
    assert counted(curve, 1e-13) == 0
    assert math.isnan(counted(Curve((0.5,), (0.5,)), 0.1))


def test_dice_are_no_measure_of_what_needs_none() -> None:
    found = tcsim.exchange({"target": {}, "attacks": [{"keywords": ["AUTO-HIT"]}]}, factors=["injury_dice"])
    assert math.isnan(found.worths[0].up_in["action_dice"])
    assert found.worths[0].up_in["injury_dice"] == 1
    assert found.to_dict()["factors"][0]["in_action_dice"] is None


def test_a_curve_ends_where_there_is_nothing_left_to_change() -> None:
    found = tcsim.exchange(changed(RANGED, "target", "injury_modifier", -2), terms=["armour", "blood"])
    armour = found.curves["armour"]
    assert len(armour.up) == 3
    for step, value in enumerate(armour.up):
        assert value == pytest.approx(out(changed(RANGED, "target", "injury_modifier", step - 2)), abs=1e-12)


# --- many starting points -------------------------------------------------------------------------------------


def test_the_grid_is_what_each_starting_point_says() -> None:
    question = changed(MELEE, "spend", "blood_on_injury", "all")
    frame = tcsim.sensitivity(
        question, armour=[0, -3], action_dice=[-1, 1], blood=[0, 6], factors=["injury_dice", "tough"]
    )
    assert len(frame) == 16
    for row in frame.to_dict("records"):
        start = attacks(question, plus("action_dice", row["action_dice"]))
        start["target"] = {"injury_modifier": row["armour"], "blood": row["blood"], "tough": row["tough"]}
        assert row["p_base"] == pytest.approx(out(start), abs=1e-12)
        alone = tcsim.exchange(start, factors=[row["factor"]]).worths[0]
        for mine, theirs in ((row["up"], alone.up), (row["down"], alone.down)):
            assert mine == pytest.approx(theirs, abs=1e-12, nan_ok=True)
        assert row["in_action_dice"] == pytest.approx(alone.up_in["action_dice"], nan_ok=True)


def test_the_grid_is_tidy_and_goes_by_what_is_spent() -> None:
    frame = tcsim.sensitivity(RANGED, factors=["blood"])
    assert list(frame.columns[:8]) == ["armour", "action_dice", "blood", "tough", "factor", "label", "p_base", "up"]
    assert set(frame["blood"]) == {0}
    spent = changed(RANGED, "spend", "blood_on_injury", "all")
    assert set(tcsim.sensitivity(spent, armour=[0], action_dice=[0], factors=["blood"])["blood"]) == {0, 1, 2, 3}
    assert tcsim.sensitivity(RANGED, armour=[0], tough=True, action_dice=[0], factors=["tough"])["up"].iloc[0] > 0


def test_the_plane_is_that_of_odds() -> None:
    frame = tcsim.iso_kill(RANGED, armour=[0, -1], action_dice=[-2, 0, 3], injury_dice=[0, 1])
    assert frame["asked"].sum() == 1
    for row in frame.to_dict("records"):
        there = changed(RANGED, "target", "injury_modifier", row["armour"])
        there = attacks(there, plus("action_dice", row["action_dice"]))
        assert row["p"] == pytest.approx(out(attacks(there, plus("injury_dice", row["injury_dice"]))), abs=1e-12)


# --- figures --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def worths() -> pd.DataFrame:
    return tcsim.exchange(MELEE).frame


def test_the_bars_are_the_numbers_of_the_frame(worths: pd.DataFrame) -> None:
    [axes] = tornado(worths)
    drawn = sorted(round(float(bar.get_width()), 9) for bar in axes.patches)
    groups = exchange_module.alike(worths[worths[["up", "down"]].abs().max(axis=1) > 1e-9].to_dict("records"))
    wanted = sorted(
        round(100 * group[0][side], 9)
        for group in groups[:MOST_ROWS]
        for side in ("up", "down")
        if group[0][side] == group[0][side]
    )
    assert drawn == pytest.approx(wanted)
    for bar in axes.patches:
        assert bool(bar.get_hatch()) == (bar.get_width() < 0)
        assert bar.get_x() == 0


def test_the_title_says_what_the_frame_says(worths: pd.DataFrame) -> None:
    rate = worths.set_index("factor").loc["injury_dice", "in_action_dice"]
    title = tornado_words(worths).title
    assert title == f"One injury die is worth {rate:.1f} DICE here" if rate > 1 else "1 DICE is worth" in title
    far = pd.DataFrame([{"factor": "deadly", "label": "DEADLY", "p_base": 0.1, "up": 0.3, "down": math.nan}])
    assert tornado_words(far).title == "DEADLY changes most: +30.0"
    never = tcsim.exchange(attacks(RANGED, plus("action_dice", 2))).frame
    assert tornado_words(never).title == "No number of DICE adds as much here as one injury die"


def test_lines_run_where_the_frame_has_their_chance() -> None:
    frame = tcsim.iso_kill(RANGED)
    panels = draw_iso(frame)
    assert len(panels) == 4
    lines = 0
    for axes, armour in zip(panels, (0, -1, -2, -3), strict=True):
        x, y, p = plane(frame[frame["armour"] == armour])
        for collection in axes.collections:
            for level, segments in zip(
                getattr(collection, "levels", ()), getattr(collection, "allsegs", ()), strict=True
            ):
                for px, py in np.concatenate(segments):
                    row = np.array([np.interp(px, x, values) for values in p])  # lines cross the edges of cells
                    on_edge = min(abs(px - round(px)), abs(py - round(py))) < 1e-9
                    assert not on_edge or np.interp(py, y, row) == pytest.approx(level, abs=1e-9)
                    lines += on_edge
    assert lines > 100


def test_everything_written_on_bare_figures_fits() -> None:
    from test_plots import outside, overlaps, texts_of

    for axes in (tornado(tcsim.exchange(BOTH).frame, bare=True), draw_iso(tcsim.iso_kill(BOTH), bare=True)):
        texts = texts_of(axes)
        assert overlaps(texts) == []
        assert outside(axes, texts) == []


def test_figures_stand_on_axes_of_ones_own(worths: pd.DataFrame) -> None:
    left, right = Figure(figsize=(13, 10)).subplots(1, 2)
    assert tcsim.plots.tornado(worths, ax=left) is left
    assert left.patches
    plane_of = tcsim.iso_kill(RANGED, armour=[-1])
    assert tcsim.plots.iso_kill(plane_of, ax=right) is right
    assert right.collections


def test_figures_say_what_they_need(worths: pd.DataFrame) -> None:
    with pytest.raises(InputError, match="no column"):
        tornado(worths.drop(columns="up"))
    with pytest.raises(InputError, match="nothing in the frame"):
        tornado(worths.iloc[:0])
    with pytest.raises(InputError, match="two numbers of DICE"):
        draw_iso(tcsim.iso_kill(RANGED, action_dice=[0]))
    with pytest.raises(InputError, match="equal chance"):
        draw_iso(tcsim.iso_kill(RANGED, of="expected-blood"), of="expected-blood")


# --- the command line -----------------------------------------------------------------------------------------

PLAIN = ("exchange", "--attack", "ranged", "--injury-modifier", "-1")


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_tables_fit_a_terminal(lang: str) -> None:
    two = ("exchange", "--attack", "ranged,cover", "--attack", "melee", "--spend", "optimal", "--target-blood", "1")
    for words in (PLAIN, (*PLAIN, "--grid"), (*two, "--of", "expected-blood")):
        said = run(*words, "--lang", lang)
        assert (said.status, said.err) == (0, "")
        assert all(columns(line) <= 80 for line in said.out.splitlines())
        assert "…" not in said.out


def test_the_table_says_what_the_frame_says() -> None:
    told = run(*PLAIN).out
    found = tcsim.exchange(RANGED)
    assert told.startswith("Out of action  10.2%")
    line = next(line for line in told.splitlines() if line.strip().startswith("1 injury die"))
    die = next(one for one in found.worths if one.factor == "injury_dice")
    assert f"+{100 * die.up:.1f}" in line
    assert f"−{-100 * die.down:.1f}" in line
    assert f"{die.up_in['action_dice']:.1f}" in line
    assert "Worth nothing here: FIRE." in told
    assert "Left out, as they do not apply here: defended obstacle" in told


def test_json_and_csv_are_what_python_gives() -> None:
    told = answer(*PLAIN, "--json")
    assert told == json.loads(json.dumps(tcsim.exchange(RANGED).to_dict()))
    assert told["left_out"]["fear"] == "changes nothing here"
    rows = run(*PLAIN, "--csv").out.splitlines()
    assert rows[0].split(",") == list(tcsim.exchange(RANGED).frame.columns)
    assert len(rows) == 1 + len(told["factors"])
    assert "inf" in rows[1]
    grid = answer(*PLAIN, "--grid", "--json")["rows"]
    dice = tcsim.sensitivity(RANGED, factors=["injury_dice"])
    assert [row["up"] for row in grid if row["factor"] == "injury_dice"] == dice["up"].tolist()
    assert grid[0].keys() == {*dice.columns}
    in_armour = answer(*PLAIN, "--json", "--terms", "armour,blood")["factors"][0]
    assert {"in_armour", "down_in_blood"} <= in_armour.keys()


def test_figures_are_written(tmp_path: Path) -> None:
    bars, lines = tmp_path / "bars.svg", tmp_path / "lines.png"
    said = run("exchange", "--attack", "ranged,CRITICAL", "--plot", str(bars), "--iso", str(lines))
    assert said.status == 0
    assert bars.read_bytes().startswith(b"<?xml")
    assert lines.read_bytes().startswith(b"\x89PNG")
    assert lines.stat().st_size < 150_000


def test_what_is_wrong_is_said_in_one_sentence() -> None:
    measures = "out, down, expected-blood"
    assert complaint(*PLAIN, "--of", "kills") == f'--of: there is no measure "kills"; there is {measures}'
    assert complaint(*PLAIN, "--terms", "armor").startswith(
        '--terms: there is no factor "armor"; did you mean "armour"?'
    )
    assert "--terms" in complaint(*PLAIN, "--terms", "cover")  # there is no more or less of it to count in
    assert "--iso" in complaint(*PLAIN, "--iso", "lines.pdf")
    assert "--grid" in complaint(*PLAIN, "--grid", "--plot", "x.png")
    assert "--json" in complaint(*PLAIN, "--json", "--csv")
    for wrong in (True, 1, None, ["out"]):
        with pytest.raises(InputError, match="of"):
            tcsim.exchange(RANGED, of=wrong)  # type: ignore[arg-type]
    for axis in ([], [1], [True], [0.5], ["0"], [float("nan")], "0", None, [-21]):
        if axis is not None:
            with pytest.raises(InputError, match="armour"):
                tcsim.sensitivity(RANGED, armour=axis)  # type: ignore[arg-type]
    with pytest.raises(InputError, match="at most 2,000"):
        tcsim.iso_kill(RANGED, action_dice=list(range(-20, 21)), injury_dice=list(range(-20, 21)))
    with pytest.raises(InputError, match="list of names"):
        tcsim.exchange(RANGED, factors="armour")


# --- the last lines of tcsim odds -----------------------------------------------------------------------------


def lines_of_change(*words: str) -> list[list[str]]:
    told = run("odds", *words).out
    assert "What would change it (points of out of action)" in told
    block = told.split("What would change it")[1].split("\n\n")[0].splitlines()[3:]
    return [line.split("  ") for line in block]


def test_odds_tells_what_would_change_it() -> None:
    rows = [[cell.strip() for cell in line if cell.strip()] for line in lines_of_change(*PLAIN[1:])]
    worth = {one.label: one for one in tcsim.exchange(RANGED).worths}
    assert [row[0] for row in rows[:4]] == [
        "1 DICE",
        "1 injury die",
        "1 blood marker, spent at once",
        "1 step of armour",
    ]
    for label, *cells in rows[:4]:
        one = worth[label]
        assert float(cells[0]) == pytest.approx(100 * one.up, abs=0.0501)
        assert len(cells) == (1 if math.isnan(one.down) else 2)


def test_odds_tells_it_exactly_when_it_has_rolled() -> None:
    exact = lines_of_change(*PLAIN[1:])
    rolled = lines_of_change(*PLAIN[1:], "--method", "monte-carlo", "--trials", "1000")
    assert rolled[:4] == exact[:4]
    assert "These are exact." in " ".join(word for line in rolled[4:] for cell in line for word in cell.split())


def test_odds_leaves_out_what_does_not_apply_or_takes_long() -> None:
    flame = lines_of_change("--attack", "ranged,AUTO-HIT,IGNORE ARMOUR", "--injury-modifier", "-2")
    assert not any("DICE" in cell or "armour" in cell for line in flame for cell in line)
    for long in ("ranged,times=13", "ranged,shots=3"):
        told = run("odds", "--attack", long, "--spend", "optimal").out
        assert "What would change it: tcsim exchange tells" in told
    never = run("odds", "--attack", "ranged,action_dice=-40,injury_modifier=-20", "--injury-modifier", "-20").out
    assert "What would change it" not in never
    assert "change" not in run("odds", *PLAIN[1:], "--json").out


# --- the page -------------------------------------------------------------------------------------------------


def test_the_page_shows_what_its_commands_print() -> None:
    page_text = (Path(__file__).parents[1] / "docs" / "exchange.md").read_text(encoding="utf-8")
    shown = re.findall(r"```console\n\$ tcsim (.*)\n((?:.*\n)*?)```", page_text)
    assert len(shown) == 3
    for command, lines in shown:
        printed = run(*shlex.split(command)).out.splitlines()
        for line in lines.splitlines():
            assert line in printed
    for factor in FACTORS:
        assert f"`{factor.name}`" in page_text
