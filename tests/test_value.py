"""Value for ducats: the front against its definition, fair prices against trying every price, and how sure they are."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import tcsim
from tcsim.analysis.value.answer import all_weapons
from tcsim.analysis.value.fronts import Fair, dominators, fair_price, front, other_mixes, worths
from tcsim.base.errors import InputError
from tcsim.base.text import columns
from tcsim.catalog import catalog
from tcsim.cli import main
from tcsim.engines.answer import Plan

Point = tuple[int, float]

#: Few values, so that there are ties in cost, in chance, and in both.
POINTS = st.lists(
    st.tuples(st.integers(0, 12), st.sampled_from([0.0, 0.1, 0.2, 0.3, 0.35, 0.5, 1.0])), min_size=1, max_size=12
)


def dominates(one: Point, other: Point) -> bool:
    """The definition: no dearer, no worse, and better in one of the two."""
    return one[0] <= other[0] and one[1] >= other[1] and one != other


def naive_front(points: list[Point]) -> list[bool]:
    return [not any(dominates(other, point) for other in points) for point in points]


def naive_fair(chance: float, others: list[Point]) -> tuple[int, int | None]:
    """Try every price: where it is on the front, and the lowest where it throws nobody off the others' front."""
    top = max((cost for cost, _ in others), default=0) + 3
    unbeaten = [price for price in range(top) if naive_front([(price, chance), *others])[0]]
    its = [point for point, on in zip(others, naive_front(others), strict=True) if on]
    peaceful = [price for price in unbeaten if not any(dominates((price, chance), point) for point in its)]
    if not unbeaten:
        return 0, -1
    highest = None if top - 1 in unbeaten else max(unbeaten)
    return min(peaceful, default=max(unbeaten)), highest


@settings(max_examples=150, deadline=None)
@given(POINTS)
def test_front_is_its_definition(points: list[Point]) -> None:
    costs, chances = [list(column) for column in zip(*points, strict=True)]
    on = front(costs, chances)
    assert on.tolist() == naive_front(points)
    for index, point in enumerate(points):
        named = dominators(costs, chances, index)
        wanted = {i for i, other in enumerate(points) if on[i] and dominates(other, point)}
        assert set(named) == wanted
        assert bool(wanted) != bool(on[index])  # whatever is beaten is beaten by somebody on the front
        assert named == sorted(named, key=lambda i: (-points[i][1], points[i][0], i))


@settings(max_examples=150, deadline=None)
@given(st.sampled_from([0.0, 0.1, 0.25, 0.3, 0.5, 1.0]), st.one_of(st.just([]), POINTS))
def test_fair_price_is_what_trying_every_price_finds(chance: float, others: list[Point]) -> None:
    costs, chances = [point[0] for point in others], [point[1] for point in others]
    assert tuple(fair_price(chance, costs, chances)) == naive_fair(chance, others)


def test_fair_prices_by_hand() -> None:
    assert fair_price(0.3, [10, 20], [0.2, 0.5]) == Fair(11, 19)
    assert fair_price(0.2, [10, 20], [0.2, 0.5]) == Fair(10, 10)  # as good as another: as dear, at most
    assert fair_price(0.3, [10, 11], [0.2, 0.5]) == Fair(10, 10)  # no whole ducat lies between
    assert fair_price(0.9, [10, 11], [0.2, 0.5]) == Fair(12, None)  # beats everything: no ceiling
    assert fair_price(0.1, [0], [0.5]) == Fair(0, -1)  # something better is free: no price is low enough
    assert fair_price(0.1, [], []) == Fair(0, None)


def test_chances_that_differ_by_float_error_are_equal() -> None:
    assert front([5, 5], [0.1 + 0.2, 0.3]).tolist() == [True, True]
    assert front([5, 6], [0.3, 0.1 + 0.2]).tolist() == [True, False]


def frame(rows: list[tuple[Any, ...]], *columns: str) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=["loadout", *columns])


MIXED = frame(
    [
        *(("A", "soft", 3.0, 10, 0.4), ("A", "hard", 1.0, 10, 0.0)),
        *(("B", "soft", 3.0, 20, 0.2), ("B", "hard", 1.0, 20, 0.5)),
        *(("C", "soft", 3.0, 30, 0.3), ("C", "hard", 1.0, 30, 0.1)),
    ],
    *("target", "weight", "cost_ducats", "p_out"),
)


def test_weights_make_the_mix_and_the_order_of_rows_does_not_matter() -> None:
    for rows in (MIXED, MIXED.iloc[::-1]):
        a, b, c = worths(rows).found
        assert (a.chance, b.chance, c.chance) == pytest.approx((0.3, 0.275, 0.25))
        assert (a.on_front, b.on_front, c.on_front) == (True, False, False)
        assert (b.beaten_by, c.beaten_by) == (("A",), ("A",))
        assert (b.fair, b.verdict) == (Fair(0, 9), "dear")
        assert a.per_kill == pytest.approx(10 / 0.3)


def test_how_sure_by_hand() -> None:
    a, b, _ = worths(MIXED).found
    sure = {one.changed: one for one in b.sure}
    # without soft, soft halved: B 0.5, 0.32; A 0, 0.24: no ceiling. soft doubled, without hard, hard halved: A is
    # better, ceiling 9; hard doubled: B (3*0.2+2*0.5)/5 = 0.32 > 0.24, no ceiling
    assert (sure["mix"].ways, sure["mix"].on_front) == (6, 3)
    assert (sure["mix"].least, sure["mix"].most) == (9, None)
    assert (sure["others"].ways, sure["others"].on_front, sure["others"].most) == (2, 1, None)  # without A
    assert b.ceilings == (9, None)
    assert {one.changed for one in a.sure} == {"mix", "others"}


def test_how_sure_with_attacks_and_intervals_by_hand() -> None:
    rows = [("A", 1, 10, 0.4, 0.3, 0.5), ("B", 1, 20, 0.45, 0.35, 0.55)]
    rows += [("A", 2, 10, 0.6, 0.5, 0.7), ("B", 2, 20, 0.55, 0.4, 0.6)]
    _, b = worths(frame(rows, "attacks", "cost_ducats", "p_out", "low", "high")).found
    assert (b.on_front, b.fair) == (True, Fair(11, None))
    sure = {one.changed: one for one in b.sure}
    assert (sure["attacks"].ways, sure["attacks"].on_front, sure["attacks"].most) == (1, 0, 9)  # after two A is better
    assert (sure["dice"].ways, sure["dice"].on_front) == (2, 1)  # 0.35 against 0.5, and 0.55 against 0.3


def test_equal_ones_are_on_the_front_together() -> None:
    twin = frame([("A", 10, 0.4), ("B", 10, 0.4), ("C", 5, 0.0)], "cost_ducats", "p_out")
    c, a, b = worths(twin).found
    assert (a.on_front, b.on_front, a.same_as, b.same_as) == (True, True, ("B",), ("A",))
    assert (c.per_kill, c.on_front) == (None, True)


@pytest.mark.parametrize(
    ("rows", "columns", "says"),
    [
        ([("A", 10, 1.5)], ("cost_ducats", "p_out"), "0 to 1"),
        ([("A", 10, float("nan"))], ("cost_ducats", "p_out"), "nan"),
        ([("A", -1, 0.5)], ("cost_ducats", "p_out"), "whole number"),
        ([("A", 2.5, 0.5)], ("cost_ducats", "p_out"), "whole number"),
        ([("A", float("inf"), 0.5)], ("cost_ducats", "p_out"), "whole number"),
        ([("A", True, 0.5)], ("cost_ducats", "p_out"), "whole number"),
        ([("A", "10", 0.5)], ("cost_ducats", "p_out"), "whole number"),
        ([("A", 10)], ("cost_ducats",), "p_out"),
        ([], ("cost_ducats", "p_out"), "no rows"),
        ([("A", 10, 0.5), ("A", 12, 0.5)], ("cost_ducats", "p_out"), "2 of them"),
        ([("A", 10, 0.5, "x"), ("B", 12, 0.5, "y")], ("cost_ducats", "p_out", "target"), "each is needed once"),
        ([("A", 10, 0.5, "x"), ("A", 12, 0.5, "y")], ("cost_ducats", "p_out", "target"), "2 of them"),
        ([("A", 10, 0.5, 0.0)], ("cost_ducats", "p_out", "weight"), "weights"),
        ([("A", 10, 0.5, -1.0)], ("cost_ducats", "p_out", "weight"), "weight"),
    ],
)
def test_frames_that_cannot_be(rows: list[tuple[Any, ...]], columns: tuple[str, ...], says: str) -> None:
    with pytest.raises(InputError) as caught:
        worths(frame(rows, *columns))
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


# --- weapons of the catalogue ---------------------------------------------------------------------------------------


def test_chances_and_prices_are_those_of_the_catalogue() -> None:
    found = tcsim.value("Musket, Heavy Shotgun, Machine Gun", "0, 3x -2,tough", times=2)
    assert found.ducats is not None
    rows = catalog("1.6.3")
    for one in found.ducats.found:
        chances = [
            tcsim.odds(
                {"target": target, "attacks": [{"weapon": one.name}, {"event": "activation"}, {"weapon": one.name}]}
            ).out_of_action
            for target in ({}, {"injury_modifier": -2, "tough": True})
        ]
        assert one.chance == pytest.approx((chances[0] + 3 * chances[1]) / 4, abs=1e-12)
        assert one.cost == rows.weapon(one.name).cheapest()
        assert {sure.changed: sure.ways for sure in one.sure} == {"mix": 6, "others": 2, "attacks": 3}


OWN = """
edition = "1.6.3"
[[weapon]]
id = "my-axe"
name = "My Axe"
kind = "melee"
cost_ducats = 9
[[weapon]]
id = "my-bomb"
name = "My Bomb"
kind = "grenade"
keywords = ["GRENADE"]
range_in = 8
cost_ducats = 9
"""


def test_what_is_thrown_is_thrown_once_whoever_made_it(tmp_path: Path) -> None:
    """Two plain attacks for 9 ducats: the axe strikes again and again, a bomb of the books or of one's own is gone."""
    file = tmp_path / "own.toml"
    file.write_text(OWN, encoding="utf-8")
    found = tcsim.value("My Axe, My Bomb, Frag Grenades", 0, catalog=str(file))
    assert found.kinds == {"My Axe": "melee", "My Bomb": "ranged", "Grenades": "ranged"}
    assert found.ducats is not None
    books, axe, bomb = found.ducats.found
    assert (books.cost, books.chance, axe.chance) == (5, pytest.approx(bomb.chance), pytest.approx(bomb.chance))
    tried = {one.name: sure for one in found.ducats.found for sure in one.sure if sure.changed == "attacks"}
    # after two, three and four attacks the axe kills more often than either bomb, which kill as often as each other
    assert [(tried[name].on_front, tried[name].most) for name in ("My Axe", "My Bomb")] == [(3, None), (0, 5)]


def test_how_sure_weighs_each_target_at_nothing_half_and_twice() -> None:
    changed = [mix.tolist() for mix in other_mixes(np.array([0.25, 0.75]))]
    wanted = [[0, 1], [1 / 7, 6 / 7], [2 / 5, 3 / 5], [1, 0], [2 / 5, 3 / 5], [1 / 7, 6 / 7]]
    assert changed == [pytest.approx(one) for one in wanted]


def test_a_faction_pays_its_own_price() -> None:
    everybody = tcsim.value("Greatsword / Greataxe", 0)
    yeomen = tcsim.value("Greatsword / Greataxe", 0, faction="new-antioch")
    assert everybody.ducats is not None
    assert yeomen.ducats is not None
    assert (everybody.ducats.costs.tolist(), yeomen.ducats.costs.tolist()) == ([7], [12])


def test_glory_is_never_added_to_ducats() -> None:
    found = tcsim.value("Heavy Shotgun, Anti-Materiel Rifle, melee", 0)
    assert found.ducats is not None
    assert found.glory is not None
    assert (found.ducats.names, found.glory.names) == (("Heavy Shotgun",), ("Anti-Materiel Rifle",))
    assert found.apart == ("melee",)
    assert found.frame.groupby("currency")["on_front"].all().all()


def test_rolled_chances_say_how_sure_they_are() -> None:
    """Fixed seed. The front's chances differ by 10 points and more; intervals of 20,000 trials are 1.4 wide at most."""
    found = tcsim.value("Musket, Shotgun, Heavy Shotgun", 0, plan=Plan(trials=20_000, seed=1))
    exact = tcsim.value("Musket, Shotgun, Heavy Shotgun", 0)
    assert found.ducats is not None
    assert exact.ducats is not None
    for rolled, one in zip(found.ducats.found, exact.ducats.found, strict=True):
        assert rolled.chance == pytest.approx(one.chance, abs=0.02)  # over 5 standard deviations
        assert [(sure.ways, sure.on_front) for sure in rolled.sure if sure.changed == "dice"] == [(2, 2)]


def test_all_weapons_are_official_and_counted_in_full() -> None:
    for edition in ("1.6.3", "1.0.2"):
        rows = catalog(edition)
        named, others = all_weapons(rows, "all")
        assert not set(named) & set(others)
        assert set(named) == {*all_weapons(rows, "ranged")[0], *all_weapons(rows, "melee")[0]}
        for id in named:
            row = next(row for row in rows.weapons if row.id == id.partition(",")[0])
            assert (row.third_party, row.unmodelled, row.asks) == (False, (), ())
    named, _ = all_weapons(catalog("1.0.2"), "ranged")
    assert "submachine-gun,times=2" in named  # its activation has two Shoot ACTIONs
    assert all_weapons(catalog("1.6.3"), "ranged")[0].count("submachine-gun") == 1


WEAPONS = ["value", "--weapons", "Musket, Shotgun, Heavy Shotgun", "--targets", "0, -1"]


def test_table_json_csv_and_figure(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main([*WEAPONS, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert [one["loadout"] for one in told["fronts"]["ducats"]] == ["Musket", "Shotgun", "Heavy Shotgun"]
    assert main([*WEAPONS, "--csv"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.startswith("loadout,kind,currency,cost,p,on_front")
    assert len(rows) == 3
    for lang in ("en", "ko"):
        assert main([*WEAPONS, "--lang", lang, "--all"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert any(
            "Heavy Shotgun" in line and f"{100 * told['fronts']['ducats'][2]['p']:.1f}%" in line for line in lines
        )
        assert max(map(columns, lines)) <= 80
    picture = tmp_path / "front.png"
    assert main([*WEAPONS, "--plot", str(picture)]) == 0
    assert picture.read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--kind", "rangd"], "ranged"),
        (["--kind", "melee", "--weapons", "Musket"], "kind"),
        (["--weapons", "Muskett"], "Musket"),
        (["--weapons", ""], "nothing"),
        (["--weapons", "Musket", "--targets", "0", "--mix", "steps"], "give one of the two"),
        (["--weapons", "Musket", "--mix", "stepps"], "steps"),
        (["--weapons", "Musket", "--faction", "curt"], "court"),
        (["--weapons", "Musket", "--trials", "5"], "--trials"),
        (["--weapons", "Musket", "--plot", "x.pdf"], "--plot"),
        (["--weapons", "melee", "--plot", "x.png"], "no loadout has a price"),
        (["--weapons", "Musket", "--json", "--csv"], "one of --json and --csv"),
        (["--weapons", "Musket", "--edition", "7"], "edition"),
        (["--weapons", "<script>\u202e" + "x" * 10_000], "no weapon"),
    ],
)
def test_wrong_input_of_the_command(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["value", *words]) == 2
    error = capsys.readouterr().err
    assert says in error
    assert error.count("\n") == 1
