"""Questions the other way round, against the question itself asked for each number."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
import pytest

import tcsim
from tcsim.analysis.needed.amounts import AMOUNTS
from tcsim.analysis.needed.answer import MAX_POINTS, read_chances
from tcsim.analysis.needed.result import Point, is_sure
from tcsim.analysis.needed.words import answer_words, better_words, way_words
from tcsim.base.errors import InputError
from tcsim.base.text import columns
from tcsim.cli import main

matplotlib.use("agg")

RIFLE = {"weapon": "Bolt-Action Rifle"}
SWORD = {"weapon": "Greatsword / Greataxe"}


def chance(scenario: dict[str, Any], goal: str = "out") -> float:
    """P(goal), from all the ways in which the scenario ends."""
    ends = tcsim.odds(scenario).to_dict()["final"]
    return sum(end["p"] for end in ends if end["out_of_action"] or (goal == "down" and end["down"]))


def asked(scenario: dict[str, Any], *place: Any, value: Any) -> dict[str, Any]:
    """A scenario with a value in a place."""
    copy = json.loads(json.dumps(scenario))
    table = copy
    for key in place[:-1]:
        table = table[key] if isinstance(key, int) else table.setdefault(key, {})
    table[place[-1]] = value
    return copy


MARKERS = {
    "attacker": {"blood": 1, "blessing": 2},
    "target": {"injury_modifier": -2, "blood": 3, "blessing": 1, "down": True, "tough": True},
    "attacks": [{"kind": "melee", "times": 2, "action_dice": -1, "keywords": ["CRITICAL"]}, {"kind": "melee"}],
    "spend": {
        "blood_on_injury": "greedy",
        "blessing_on_injury": "all",
        "blood_on_action": "all",
        "blessing_on_action": "all",
    },
}

PLACES = [
    ("blood", ("target", "blood"), range(7)),
    ("blessing", ("target", "blessing"), range(7)),
    ("infection", ("target", "infection"), range(7)),
    ("attacker-blood", ("attacker", "blood"), range(7)),
    ("attacker-blessing", ("attacker", "blessing"), range(7)),
    ("armour", ("target", "injury_modifier"), range(0, -4, -1)),
]


@pytest.mark.parametrize("goal", ["out", "down"])
@pytest.mark.parametrize(("what", "place", "numbers"), PLACES)
def test_a_place_of_the_scenario(what: str, place: tuple[str, str], numbers: range, goal: str) -> None:
    scenario = asked(MARKERS, "spend", "goal", value=goal)
    found = tcsim.needed(what, scenario, chance=[0.25, 0.5, 0.75])
    each = [chance(asked(scenario, *place, value=n), goal) for n in numbers]
    assert [point.number for point in found.points] == list(numbers)
    assert [point.p for point in found.points] == pytest.approx(each, abs=1e-12)
    for wanted, answer in zip((0.25, 0.5, 0.75), found.answers, strict=True):
        good = [n for n, p in zip(numbers, each, strict=True) if p >= wanted]
        assert answer.number == (good[0] if good else None)
        spans = [n for first, last in answer.spans for n in numbers if min(first, last) <= n <= max(first, last)]
        assert spans == good


@pytest.mark.parametrize(
    ("what", "key", "numbers"),
    [
        ("dice", "action_dice", range(-12, 13)),
        ("injury-dice", "injury_dice", range(-12, 13)),
        ("injury-modifier", "injury_modifier", range(-6, 7)),
    ],
)
def test_more_or_less_of_every_attack(what: str, key: str, numbers: range) -> None:
    found = tcsim.needed(what, MARKERS, chance=0.2)
    each = []
    for n in numbers:
        own = [table.get(key, 0) for table in MARKERS["attacks"]]  # type: ignore[union-attr, call-overload]
        first = asked(MARKERS, "attacks", 0, key, value=own[0] + n)
        each.append(chance(asked(first, "attacks", 1, key, value=own[1] + n)))
    assert [point.p for point in found.points] == pytest.approx(each, abs=1e-12)
    at = next(i for i, p in enumerate(each) if p >= 0.2)
    [answer] = found.answers
    assert answer.number == numbers[at]
    assert (answer.there, answer.before) == pytest.approx((each[at], each[at - 1]), abs=1e-12)


def test_attacks_are_gone_through_again_and_again() -> None:
    """Two blows, the target gets up, a shot; and again: told attack by attack."""
    blow, shot, stand = {"kind": "melee", "injury_dice": 1}, {"kind": "ranged"}, {"event": "stand"}
    scenario = {"target": {"injury_modifier": -2, "blood": 1}, "attacks": [{**blow, "times": 2}, stand, shot]}
    story = [blow, blow, stand, shot, blow, blow, stand, shot, blow]
    until = {1: 1, 2: 2, 3: 4, 4: 5, 5: 6, 6: 8, 7: 9}
    for spend in ("none", "all", "optimal"):
        question = {**scenario, "spend": {"blood_on_injury": spend}}
        each = [chance({**question, "attacks": story[:length]}) for length in until.values()]
        found = tcsim.needed("attacks", question, chance=0.4, span=(1, 7))
        assert [point.p for point in found.points] == pytest.approx(each, abs=1e-12)
        assert found.answers[0].number == next(n for n, p in zip(until, each, strict=True) if p >= 0.4)


def test_as_many_attacks_as_a_scenario_holds() -> None:
    """Up to 100 of one table; more shots than a scenario takes end the curve with the reason."""
    found = tcsim.needed("attacks", {"target": {}, "attacks": [RIFLE]}, chance=0.5, span=(98, 100))
    assert [point.number for point in found.points] == [98, 99, 100]
    assert found.points[-1].p == pytest.approx(chance({"target": {}, "attacks": [{**RIFLE, "times": 100}]}), abs=1e-12)
    found = tcsim.needed(
        "attacks", {"target": {}, "attacks": [{"kind": "melee", "shots": 20, "action_dice": -40}]}, span=(49, 60)
    )
    assert [point.number for point in found.points] == [49, 50]
    assert found.ways[0].ended == (
        "Looked at up to 50: attacks: these are at least 1,020 attack rolls, at most 1,000 are allowed."
    )


def test_what_is_counted_is_carried() -> None:
    """As many grenades as are thrown, unless it is said how many there are."""
    found = tcsim.needed("attacks", {"target": {}, "attacks": [{"weapon": "Grenades"}]}, span=(1, 4))
    each = [chance({"target": {}, "attacks": [{"weapon": "Grenades", "times": n, "carried": n}]}) for n in range(1, 5)]
    assert [point.p for point in found.points] == pytest.approx(each, abs=1e-12)
    found = tcsim.needed("attacks", {"target": {}, "attacks": [{"weapon": "Grenades", "carried": 2}]})
    assert [point.number for point in found.points] == [1, 2]
    assert "Grenades is used 3 times, carried is 2" in found.to_dict()["notes"][-1]


def test_risky_attacks_come_to_a_limit() -> None:
    """One attack that may end the activation: p(out) = hit x out / (1 - hit x not out), Down and markers left aside."""
    sure = {"kind": "melee", "keywords": ["RISKY"], "injury_modifier": -20}
    assert tcsim.needed("attacks", {"target": {}, "attacks": [sure]}).points[-1].p == 0
    found = tcsim.needed("attacks", {"target": {}, "attacks": [{"keywords": ["RISKY"]}]}, chance=[0.2, 0.5])
    first, second = found.answers
    assert (first.number, second.number) == (2, None)
    assert found.settles
    assert answer_words(found, second) == f"never: it comes to {100 * found.points[-1].p:.1f}% and no nearer"


def test_a_chance_that_all_but_reaches_has_the_decimals_to_show_it() -> None:
    """Told as 90.0%, the chance one die before would look as if it were enough."""
    question = {"target": {}, "attacks": [{"kind": "melee", "times": 2}], "spend": {"goal": "down"}}
    found = tcsim.needed("dice", question, chance=0.9)
    [answer] = found.answers
    assert answer.before is not None
    assert 0.8995 <= answer.before < 0.9  # which one decimal rounds up
    told = re.findall(r"[\d.]+(?=%)", answer_words(found, answer))
    assert float(told[0]) >= 90 > float(told[1])
    short = tcsim.needed("dice", question, chance=0.9, span=(0, 7))
    assert answer_words(short, short.answers[0]) == f"not up to +7 DICE: {told[1]}% there"


def test_what_comes_and_goes_is_told() -> None:
    """Markers that a policy of one's own spends only where there are 2, 3 or 6 of them."""
    rows = [{"blood": "2-3", "dice": 2}, {"blood": "6", "dice": 6}]
    scenario = {"target": {"injury_modifier": -2}, "attacks": [{"kind": "melee"}], "spend": {"policy": rows}}
    each = [chance(asked(scenario, "target", "blood", value=n)) for n in range(7)]
    assert each[2] == each[3] > each[4] == each[5] == each[0] < each[6]
    found = tcsim.needed("blood", scenario, chance=each[2])
    [answer] = found.answers
    assert (answer.number, answer.spans) == (2, ((2, 3), (6, 6)))
    assert answer_words(found, answer) == (
        "2 blood markers (19.0%; 5.2% with 1 blood marker), only up to 3 blood markers: 5.2% with 4 blood markers, "
        "again with 6 blood markers"
    )


def test_distance() -> None:
    """Half range, the end of the range, and how far a charge gets, each asked by itself."""
    blow = [{"event": "charge", "move": 6}, {**SWORD}]
    found = tcsim.needed("distance", {"target": {}, "attacks": blow}, versus={"target": {}, "attacks": [RIFLE]})
    assert [point.number for point in found.points] == [n / 2 for n in range(2, 49)]
    for way, attacks in zip(found.ways, (blow, [RIFLE]), strict=True):
        for point in way.curve:
            told = [{**table, "distance": point.number} if table is not SWORD else table for table in attacks]
            told = [told[0], SWORD] if len(told) == 2 else told
            if way is found.ways[0] and point.number > 12:
                assert not point.possible
                assert point.p == 0
                with pytest.raises(InputError):
                    tcsim.odds({"target": {}, "attacks": told})
                continue
            assert point.possible
            assert point.p == pytest.approx(chance({"target": {}, "attacks": told}), abs=1e-12)
    better = ["a" if a.p > b.p else "b" for a, b in zip(*(way.curve for way in found.ways), strict=True)]
    assert [one.better for one in found.stretches for _ in range(int(2 * (one.last - one.first)) + 1)] == better
    [crossing] = found.crossings
    at = better.index("b")
    numbers = [point.number for point in found.points]
    assert (crossing.last, crossing.first) == (numbers[at - 1], numbers[at])
    assert better_words(found) == f"A up to {crossing.last:g} inches; B from {crossing.first:g} inches on"


def test_the_last_number_is_the_longest_reach() -> None:
    for attacks, last in (
        ([{"weapon": "Sniper Rifle"}], 48),
        ([{"event": "charge", "move": 8}, {"kind": "melee"}], 12),
    ):
        assert tcsim.needed("distance", {"target": {}, "attacks": attacks}).points[-1].number == last
    near = tcsim.needed("distance", {"target": {}, "attacks": [RIFLE]}, chance=0.1, span=(11, 13.5))
    assert [point.number for point in near.points] == [11, 11.5, 12, 12.5, 13, 13.5]
    assert answer_words(near, near.answers[0]) == "up to 11.5 inches (16.9%; 9.0% with 12 inches)"


def test_up_to_which_armour() -> None:
    one = {"target": {}, "attacks": [{"kind": "melee", "keywords": ["IGNORE ARMOUR"], "injury_dice": -1}]}
    other = {"target": {"armour": ["Standard Armour"]}, "attacks": [{"kind": "melee"}]}
    found = tcsim.needed("armour", one, versus=other)
    for way, scenario in zip(found.ways, (one, other), strict=True):
        for point in way.curve:
            direct = {**scenario, "target": {"injury_modifier": point.number}}
            assert point.p == pytest.approx(chance(direct), abs=1e-12)
    assert [(stretch.first, stretch.last, stretch.better) for stretch in found.stretches] == [
        (0, -1, "b"),
        (-2, -3, "a"),
    ]
    assert way_words(found) == ["melee,injury_dice=-1,IGNORE ARMOUR", "melee"]
    same = tcsim.needed("armour", other, versus=other)
    assert better_words(same) == "both alike everywhere, from armour 0 to armour −3"


def test_rolled_it_says_how_sure_it_is() -> None:
    """What is needed lies in its range; each end of it errs in 1 of 40 at most, the seed is fixed."""
    scenario = {"target": {"injury_modifier": -1}, "attacks": [{"kind": "melee"}]}
    exact = tcsim.needed("attacks", scenario, chance=[0.3, 0.7], span=(1, 12))
    found = tcsim.needed("attacks", scenario, chance=[0.3, 0.7], span=(1, 12), trials=400, seed=3)
    for point, true in zip(found.points, exact.points, strict=True):
        assert point.count == round(point.p * 400)
        assert abs(point.p - true.p) < 5 * (true.p * (1 - true.p) / 400) ** 0.5  # fails for nothing in 1 of 1e5
    both = {**scenario, "spend": {"goal": "down"}}
    for point in tcsim.needed("blood", both, trials=400, seed=4).points:
        p = chance(asked(both, "target", "blood", value=point.number), "down")
        assert abs(point.p - p) < 5 * (p * (1 - p) / 400) ** 0.5
    for answer, true in zip(found.answers, exact.answers, strict=True):
        lows = [point.number for point in found.points if point.low >= answer.chance]
        highs = [point.number for point in found.points if point.high >= answer.chance]
        assert (answer.earliest, answer.latest) == (highs[0], lows[0])
        assert answer.earliest is not None
        assert answer.latest is not None
        assert true.number is not None
        assert answer.earliest <= true.number <= answer.latest
    assert tcsim.needed("attacks", scenario, span=(1, 12), trials=400, seed=3).rows() == found.rows()


@pytest.mark.verification
def test_how_often_the_range_holds() -> None:
    """Over 400 seeds the true number lies in the range in 95% or more; 92% would be three standard errors off."""
    scenario = {"target": {"injury_modifier": -1}, "attacks": [{"kind": "melee"}]}
    [true] = [one.number for one in tcsim.needed("attacks", scenario, chance=0.5).answers]
    held = 0
    for seed in range(400):
        [one] = tcsim.needed("attacks", scenario, chance=0.5, span=(1, 10), trials=500, seed=seed).answers
        held += (one.earliest or 99) <= (true or 0) <= (one.latest or 99)
    assert held >= 0.92 * 400


def test_two_rolled_ways_differ_only_beyond_the_interval() -> None:
    """Newcombe's own example (Statistics in Medicine 17, 1998): 56 of 70 and 48 of 80 differ by 0.0524 to 0.3339."""
    from tcsim.stats import wilson

    a, b = (Point(1, k / n, *wilson(k, n), k) for k, n in ((56, 70), (48, 80)))
    assert is_sure(a, b)
    assert is_sure(b, a)
    near = Point(1, 50 / 80, *wilson(50, 80), 50)
    assert not is_sure(b, near)


BAD: list[tuple[Any, str]] = [
    (chance, f"{chance_shown} is given, a chance above 0% and below 100% is allowed, as 80% or 0.8")
    for chance, chance_shown in (
        ("0", '"0"'), ("1", '"1"'), ("120%", '"120%"'), ("NaN", '"NaN"'), ("inf", '"inf"'), ("", '""'), ("%", '"%"'),
        ("80", '"80"'), ("-5%", '"-5%"'), ("100%", '"100%"'), ("0%", '"0%"'), (True, "true"), (1, "1"), (0.0, "0.0"),
        (float("nan"), "nan"), (None, "nothing"), (1.2, "1.2"), ("1e400", '"1e400"'),
    )
]  # fmt: skip


@pytest.mark.parametrize(("given", "message"), BAD)
def test_what_is_no_chance(given: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        read_chances([given] if given is None else given)
    assert message in str(caught.value)


@pytest.mark.parametrize("given", ["80%", "80 %", "0.8", 0.8, "4/5", " 80%", ".8", [0.8, "80%"]])
def test_what_is_a_chance(given: Any) -> None:
    assert read_chances(given) == [0.8]


MISTAKES = [
    ({"what": "attack"}, 'what: there is no amount "attack"; did you mean "attacks"?'),
    ({"what": 3}, "what: 3 is given, attacks, dice,"),
    ({"chance": []}, "chance: none is given"),
    ({"span": (0, 3)}, "from: 0 is given, a whole number from 1 to 100 is allowed for attacks"),
    ({"span": (3, 3)}, "from: 3 to 3 is given, attacks goes from 1 to 30"),
    ({"span": (1, 2.5)}, "to: 2.5 is given, a whole number from 1 to 100"),
    ({"what": "armour", "span": (-3, 0)}, "from: -3 to 0 is given, armour goes from 0 to -3"),
    ({"what": "distance", "span": (1, 12.25)}, "to: 12.25 is given, a number of halves from 0 to 200"),
    ({"what": "distance"}, "attacks: no attack is a shot and nothing charges, so no distance matters"),
    ({"what": "armour", "scenario": {"target": {"unit": "Yeoman"}, "attacks": [{}]}}, "target.unit: "),
    ({"scenario": {"target": {}, "attacks": [{}], "spend": {"goal": "expected-blood"}}}, "spend.goal: expected-"),
    ({"versus": {"target": {}, "attacks": [{}], "spend": {"goal": "down"}}}, "spend.goal: both ways need the same"),
    ({"scenario": {"target": {}, "attacks": []}}, "attacks: at least one attack is needed"),
    ({"what": "blood", "scenario": {"target": {"blood": True}, "attacks": [{}]}}, "target.blood: true is given"),
]  # fmt: skip


@pytest.mark.parametrize(("given", "message"), MISTAKES)
def test_mistakes_are_told(given: dict[str, Any], message: str) -> None:
    scenario = {"target": {}, "attacks": [{"kind": "melee"}]}
    with pytest.raises(InputError) as caught:
        tcsim.needed(**{"what": "attacks", "scenario": scenario, **given})
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_a_key_of_the_scenario_is_a_name_as_well() -> None:
    scenario = {"target": {}, "attacks": [{}]}
    assert tcsim.needed("action_dice", scenario).rows() == tcsim.needed("dice", scenario).rows()


def test_no_curve_is_too_long() -> None:
    assert max(len(one.numbers((None, None), 200)) for one in AMOUNTS.values()) <= MAX_POINTS


def said(capsys: pytest.CaptureFixture[str], *words: str) -> str:
    status = main(["needed", *words])
    printed = capsys.readouterr()
    assert status == 0, printed.err
    return printed.out


def test_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    scenario = {"target": {"injury_modifier": -1}, "attacks": [{**RIFLE, "cover": True}]}
    words = ["attacks", "--attack", "Bolt-Action Rifle,cover", "--injury-modifier", "-1", "--chance", "60 %"]
    text = said(capsys, *words)
    each = [chance(asked(scenario, "attacks", 0, "times", value=n)) for n in range(1, 31)]
    at = next(i for i, p in enumerate(each) if p >= 0.6)
    lines = text.splitlines()
    assert lines[0] == "Out of action: how much it needs (number of attacks)"
    assert lines[1] == f"  60%   {at + 1} attacks ({100 * each[at]:.1f}%; {100 * each[at - 1]:.1f}% with {at} attacks)"
    assert sum("60% reached" in line for line in lines) == 1
    assert max(map(len, lines)) <= 80
    data = json.loads(said(capsys, *words, "--json"))
    assert data["answers"] == [
        {"chance": 0.6, "number": at + 1, "there": each[at], "before": each[at - 1], "spans": [[at + 1, 30]]}
    ]
    rows = said(capsys, *words, "--csv").splitlines()
    assert rows[0] == "way,number,p,possible"
    assert [float(row.split(",")[2]) for row in rows[1:]] == pytest.approx(each, abs=1e-12)


def test_two_ways_on_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    one = ["distance", "--attack", "charge,move=6", "--attack", "Greatsword / Greataxe"]
    text = said(capsys, *one, "--versus", "Bolt-Action Rifle")
    assert text.splitlines()[1].strip() == "A up to 9 inches; B from 9.5 inches on"
    file = tmp_path / "b.toml"
    file.write_text('[target]\n[[attacks]]\nweapon = "Bolt-Action Rifle"\n', encoding="utf-8")
    assert said(capsys, *one, "--versus", str(file), "--json") == said(
        capsys, *one, "--versus", "Bolt-Action Rifle", "--json"
    )
    line = said(capsys, *one, "--versus", "Bolt-Action Rifle", "--to", "14.5", "--as-command")
    assert said(capsys, *shlex.split(line)[2:]) == said(capsys, *one, "--versus", "Bolt-Action Rifle", "--to", "14.5")
    rolled = [*one, "--versus", "Bolt-Action Rifle", "--method", "monte-carlo", "--trials", "200", "--to", "12"]
    assert "by the 95% intervals it changes between" in " ".join(said(capsys, *rolled).split())
    assert len(json.loads(said(capsys, *rolled, "--json"))["crossings"]) >= 1


@pytest.mark.parametrize(
    ("what", "lang"), [*((what, "en") for what in AMOUNTS), *((what, "ko") for what in ("attacks", "distance"))]
)
def test_it_fits_a_terminal(what: str, lang: str, capsys: pytest.CaptureFixture[str]) -> None:
    attacks = ["--attack", "Bolt-Action Rifle", "--lang", lang]
    for more in ([], ["--versus", "Sniper Rifle"], ["--method", "monte-carlo", "--trials", "50", "--seed", "3"]):
        for line in said(capsys, what, *attacks, *more).splitlines():
            assert columns(line) <= 80
            assert "…" not in line.strip().strip("…"), line


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["blood"], "give a scenario file or --attack"),
        (["bloof", "--attack", "melee"], 'there is no amount "bloof"; did you mean "blood"?'),
        (["blood", "--attack", "melee", "--versus", "ranged", "--chance", "80%"], "leave one of them out"),
        (["blood", "--attack", "melee", "--json", "--csv"], "give one of --json and --csv"),
        (["blood", "--attack", "melee", "--to", "2.25"], "a number of halves from -40 to 200 is allowed"),
        (["blood", "--attack", "melee", "--versus", "nobody"], 'there is no weapon "nobody"'),
        (["blood", "--attack", "melee", "--versus", "a.toml", "--versus", "melee"], "a file is all of the other way"),
        (["blood", "--attack", "melee", "--plot", "x.pdf"], "a figure ends in .png or .svg"),
    ],
)
def test_mistakes_on_the_command_line(words: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["needed", *words]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


def test_the_figure_shows_the_curve() -> None:
    from tcsim.plots.figures.needed_curve import needed_curve

    found = tcsim.needed("attacks", {"target": {}, "attacks": [RIFLE]}, chance=[0.5, 0.95], span=(1, 20))
    [axes] = needed_curve(found).flat
    assert np.array_equal(axes.lines[0].get_ydata(), [point.p for point in found.points])
    levels = [
        line.get_ydata()[0] for line in axes.lines if len(set(line.get_ydata())) == 1 and len(line.get_xdata()) == 2
    ]
    assert {0.5, 0.95} <= set(levels)
    words = " ".join(text.get_text() for text in axes.texts)
    assert f"50%: {found.answers[0].number} attacks" in words
    other = tcsim.needed("armour", {"target": {}, "attacks": [RIFLE]}, versus={"target": {}, "attacks": [SWORD]})
    [axes] = needed_curve(other).flat
    for line, way in zip(axes.lines, other.ways, strict=False):
        assert np.array_equal(line.get_ydata(), [point.p for point in way.curve])
