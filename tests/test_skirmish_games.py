"""Turns and games of two warbands: exact against the naive way, by hand, and against dice; wrong input."""

from __future__ import annotations

import json
import random
from typing import Any

import naive_skirmish
import numpy as np
import pytest
from stat_tools import surprise
from test_cli import run

import tcsim
from tcsim.base.errors import InputError
from tcsim.skirmish import turn as turns_module
from tcsim.skirmish.course import COUNTED, FLED, LOST_NERVE, TESTED, Course

#: An attack that always takes its target out of action, and one that practically never does anything.
SURE = {"keywords": ["AUTO-HIT"], "injury_modifier": 20}
IDLE = {"action_dice": -40, "injury_modifier": -20}


def model(attack: dict[str, Any], count: int = 1, **more: Any) -> dict[str, Any]:
    return {"attacks": [attack], "count": count, **more}


# --- by hand ------------------------------------------------------------------------------------------------------

HOLD, FAIL = 21 / 36, 15 / 36


def test_the_smaller_side_tests_first_and_its_flight_spares_the_other() -> None:
    """Half of both sides go out for certain, then two plain tests: P(the second loses) = 35/144."""
    first = {"models": [model(SURE), model(SURE)]}
    second = {"models": [model(IDLE), model(SURE), model(IDLE, 2)]}
    result = tcsim.turn({"rules": {"first": "a"}, "warband": [first, second]}, turns=1)
    assert result.out(0, 1) == pytest.approx([0, 1, 0])
    assert result.out(1, 1) == pytest.approx([0, 0, 1, 0, 0])
    events = result.course.events[0]
    assert events[0, [TESTED, LOST_NERVE, FLED]] == pytest.approx([1, FAIL, FAIL])
    assert events[1, [TESTED, LOST_NERVE, FLED]] == pytest.approx([HOLD, 35 / 144, 35 / 144])
    assert result.wins == pytest.approx((35 / 144, FAIL))


@pytest.mark.parametrize(("smaller", "first"), [(None, 1), ("began", 1), ("left", 0)])
def test_smaller_is_who_began_with_fewer_models(smaller: str | None, first: int) -> None:
    """One of five is left against two of four; whoever is first is certain to test, the other only if it held."""
    one = {"models": [model(IDLE), model(SURE), model(SURE), model(IDLE, 2)]}
    other = {"models": [model(SURE, 4)]}
    rules = {"first": "b"} | ({"smaller": smaller} if smaller else {})
    result = tcsim.turn({"rules": rules, "warband": [one, other]}, turns=1)
    assert result.out(0, 1) == pytest.approx([0, 0, 0, 0, 1, 0])
    assert result.out(1, 1) == pytest.approx([0, 0, 1, 0, 0])
    events = result.course.events[0]
    assert events[first, [TESTED, FLED]] == pytest.approx([1, FAIL])
    assert events[1 - first, [TESTED, FLED]] == pytest.approx([HOLD, 35 / 144])


def test_a_tie_is_rolled_off() -> None:
    """Both sides lose one of two, and are as small: either tests first as often."""
    side = {"models": [model(SURE), model(IDLE)]}
    other = {"models": [model(IDLE), model(SURE)]}
    result = tcsim.turn({"rules": {"first": "a"}, "warband": [side, other]}, turns=1)
    assert result.out(0, 1) == pytest.approx([0, 1, 0])
    assert result.wins == pytest.approx(((FAIL + 35 / 144) / 2,) * 2)


def test_initiative_goes_to_fewer_models() -> None:
    """Whoever is first takes the other's only killer out: one model before two, and either of equals."""
    one, two = {"models": [model(SURE)]}, {"models": [model(SURE), model(IDLE)]}
    result = tcsim.turn({"warband": [one, two]}, turns=1)
    assert result.out(0, 1)[1] == pytest.approx(0)
    assert result.out(1, 1)[1] == pytest.approx(1)
    equal = tcsim.turn({"warband": [one, dict(one)]}, turns=1)
    assert equal.wins == pytest.approx((0.5, 0.5))
    assert equal.course.over[0] == pytest.approx(1)


def test_shaken_then_rout() -> None:
    """1.0.2: a failed test is Shaken; one that is Shaken tests again in any case, and a second failure is a rout."""
    strong, weak = {"models": [model(SURE), model(IDLE, 5)]}, {"models": [model(IDLE, 2)]}
    game = {"edition": "1.0.2", "rules": {"first": "a"}, "warband": [strong, weak]}
    result = tcsim.turn(game, turns=1)
    assert result.wins == pytest.approx((0, 0))
    shaken = dict(zip(COUNTED, result.course.events[0, 1], strict=True))
    assert shaken == pytest.approx({"tested": 1, "failed": FAIL, "shaken": FAIL, "fled": 0, "destroyed": 0, "won": 0})
    # flight instead, and Shaken in 1.6.3, by option
    flight = tcsim.turn({**game, "rules": {"first": "a", "failure": "flight"}}, turns=1)
    assert flight.wins == pytest.approx((FAIL, 0))
    option = tcsim.turn({**game, "edition": "1.6.3", "rules": {"first": "a", "failure": "shaken"}}, turns=1)
    assert option.wins == pytest.approx((0, 0))


@pytest.mark.parametrize(("name", "again"), [("1.0.2", FAIL), ("1.6.3", 0)])
def test_a_shaken_side_tests_again_though_few_are_hurt(name: str, again: float) -> None:
    """One of two is Down in the first turn, none in the second: 1.0.2 tests again if Shaken, 1.6.3 does not.

    Its first model is TOUGH and knocked Down after its activation; its second takes an enemy out each turn, first the
    one that did it. The enemies are three, so they test in the second turn only, and after the side, if it holds.
    """
    downs = {"keywords": ["AUTO-HIT"], "injury_dice": 40}  # a total of 12
    enemies = {"models": [model(downs), model(IDLE, 2)]}
    side = {"models": [model(IDLE, 1, tough=True), model(SURE)]}
    rules = {"failure": "shaken", "stand": "activation", "first": "b"}
    result = tcsim.turn({"edition": name, "rules": rules, "warband": [enemies, side]}, turns=2)
    first, second = result.course.events[:, 1]
    assert first[[TESTED, LOST_NERVE, FLED]] == pytest.approx([1, FAIL, 0], abs=1e-9)
    assert second[[TESTED, LOST_NERVE, FLED]] == pytest.approx([again, again * FAIL, again * FAIL], abs=1e-9)
    assert result.course.events[:, 0, TESTED] == pytest.approx([0, 1 - again * FAIL], abs=1e-9)


def test_when_down_models_stand() -> None:
    """Down at the start: in 1.6.3 they stand before anything happens, in 1.0.2 as they are activated."""
    lying, killer = {"models": [model(IDLE, 1, down=True)]}, {"models": [model({"kind": "melee"})]}
    for name, down in (("1.6.3", False), ("1.0.2", True)):
        game = {"edition": name, "rules": {"first": "b"}, "warband": [lying, killer]}
        alone = tcsim.odds({"edition": name, "target": {"down": down}, "attacks": [{"kind": "melee"}]})
        assert tcsim.turn(game, turns=1).out(0, 1)[1] == pytest.approx(alone.out_of_action)
        first = tcsim.turn({**game, "rules": {"first": "a"}}, turns=1)  # activated first, so it stands in either
        plain = tcsim.odds({"edition": name, "target": {}, "attacks": [{"kind": "melee"}]})
        assert first.out(0, 1)[1] == pytest.approx(plain.out_of_action)


def test_a_model_that_is_down_attacks_with_a_die_less() -> None:
    """1.6.3: knocked Down in the turn before its activation; 1.0.2: it stands first."""
    downs = {"keywords": ["AUTO-HIT"], "injury_dice": 40}  # 12: out of action, and Down where TOUGH
    victim = model({"action_dice": 0}, 1, tough=True)
    for name, net in (("1.6.3", -1), ("1.0.2", 0)):
        game = {"edition": name, "rules": {"first": "a"}, "warband": [{"models": [model(downs)]}, {"models": [victim]}]}
        plain = tcsim.odds({"edition": name, "target": {}, "attacks": [{"action_dice": net}]})
        assert tcsim.turn(game, turns=1).out(0, 1)[1] == pytest.approx(plain.out_of_action)


# --- the naive way ------------------------------------------------------------------------------------------------


def game_of(seed: int) -> dict[str, Any]:
    """A small random game by numbers."""
    rng = random.Random(seed)

    def side(models: int) -> dict[str, Any]:
        tables = []
        for _ in range(models):
            attack: dict[str, Any] = {
                "kind": rng.choice(("ranged", "melee")),
                "action_dice": rng.choice((0, 1, 2)),
                "keywords": rng.choice(([], ["CRITICAL"], ["RISKY"], ["FIRE"], ["AUTO-HIT"], ["DEADLY"])),
            }
            tables.append(
                {
                    "attacks": [attack],
                    "injury_modifier": rng.choice((0, -1, -2)),
                    "blood": rng.choice((0, 0, 2)),
                    "blessing": rng.choice((0, 0, 1)),
                    "down": rng.random() < 0.2,
                }
            )
        if rng.random() < 0.6:
            tables[0]["leader"] = True
        tables[-1]["tough"] = rng.random() < 0.4
        spend = {
            "blood_on_injury": rng.choice(("none", "all", "greedy")),
            "blood_on_action": rng.choice(("none", "all")),
            "blessing_on_action": rng.choice(("none", "all")),
            "blessing_on_injury": rng.choice(("none", "all")),
        }
        return {"models": tables, "targeting": rng.choice(("focus", "spread", "greedy")), "spend": spend}

    rules = {}
    if rng.random() < 0.4:
        rules["failure"] = rng.choice(("flight", "shaken"))
    if rng.random() < 0.4:
        rules["stand"] = rng.choice(("turn", "activation"))
    if rng.random() < 0.3:
        rules["first"] = rng.choice(("a", "b"))
    if rng.random() < 0.3:
        rules["smaller"] = "left"
    sizes = rng.choice(((1, 1), (1, 2), (2, 1)))
    return {"edition": rng.choice(("1.6.3", "1.0.2")), "rules": rules, "warband": [side(size) for size in sizes]}


GAMES = [game_of(seed) for seed in range(12)]


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_against_the_naive_way(number: int) -> None:
    check_naive(GAMES[number])


def check_naive(game: dict[str, Any], turns: int = 2) -> None:
    """Every event of every turn and side, and every number out of action, to 1e-12."""
    naive = naive_skirmish.Game(game, turns)
    naive.play()
    course = tcsim.turn(game, turns=turns).course
    expected = Course("naive", np.zeros_like(course.events), np.zeros_like(course.gone))
    for (turn, side, what), chance in naive.events.items():
        expected.events[turn, side, COUNTED.index(what)] = float(chance)
    for (turn, side, out), chance in naive.gone.items():
        expected.gone[turn, side, out] = float(chance)
    assert abs(course.events - expected.events).max() < 1e-12
    assert abs(course.gone - expected.gone).max() < 1e-12
    assert course.gone.sum(axis=2) == pytest.approx(np.ones((turns, 2)), abs=1e-12)


@pytest.mark.verification
@pytest.mark.parametrize("first", range(100, 160, 10))
def test_many_against_the_naive_way(first: int) -> None:
    """As above, for 60 more random games."""
    for seed in range(first, first + 10):
        check_naive(game_of(seed))


# --- rolled -------------------------------------------------------------------------------------------------------

#: Each check is one of this many in all tests of this file, which together fail for nothing less than once in 1e6 runs.
CHECKS, FALSE_ALARM, TRIALS = 2000, 1e-6, 100_000


def agree(exact: Course, rolled: Course) -> None:
    """Every event and every number out; an error of 0.012 of a chance near 1/2 is seen more often than not."""
    assert rolled.trials == TRIALS
    pairs = [*zip(exact.events.ravel(), rolled.events.ravel(), strict=True)]
    pairs += [*zip(exact.gone.ravel(), rolled.gone.ravel(), strict=True)]
    for p, share in pairs:
        assert surprise(round(share * TRIALS), TRIALS, float(p)) > FALSE_ALARM / CHECKS


@pytest.mark.parametrize("number", [1, 4, 6, 11])
def test_rolled_agrees_with_exact(number: int) -> None:
    game = GAMES[number]
    rolled = tcsim.turn(game, turns=3, method="monte-carlo", trials=TRIALS, seed=3)
    agree(tcsim.turn(game, turns=3).course, rolled.course)


@pytest.mark.parametrize("name", ["1.6.3", "1.0.2"])
def test_rolled_agrees_for_named_models(name: str) -> None:
    """Infection grows, REGENERATE sheds blood, a LEADER leads; three a side."""
    grail = {"unit": "Plague Knight", "attacks": [{"weapon": "Plague Blade"}]}
    game = {
        "edition": name,
        "spend": {"blood_on_injury": "bloodbath", "blood_on_action": "all"},
        "warband": [
            {
                "models": [
                    {"unit": "Lord of Tumours", "attacks": [{"kind": "melee"}], "keywords": ["REGENERATE 1"]},
                    grail,
                ]
            },
            {"models": [{"unit": "Yeoman", "attacks": [{"weapon": "Sword / Axe"}], "infection": 1, "count": 2}]},
        ],
    }
    exact = tcsim.turn(game, turns=2)
    assert exact.arena.leads == (0, None)
    rolled = tcsim.turn(game, turns=2, method="monte-carlo", trials=TRIALS, seed=4)
    agree(exact.course, rolled.course)


def test_above_the_limit_it_is_rolled(monkeypatch: pytest.MonkeyPatch) -> None:
    game = GAMES[1]
    monkeypatch.setattr(turns_module, "MAX_JOINT", 5)
    result = tcsim.turn(game, turns=1, trials=2000)
    assert result.course.method == "monte_carlo"
    assert any("joint conditions, at most 5 are worked out" in note for note in result.notes)


def test_large_games_are_rolled() -> None:
    side = {"models": [model({}, 20)]}
    result = tcsim.turn({"warband": [side, dict(side)]}, turns=2, trials=500)
    assert (result.course.method, result.course.trials) == ("monte_carlo", 500)
    assert sum(result.out(0, 2)) == pytest.approx(1)


def test_counts_depend_on_no_thread() -> None:
    side = {"models": [model({}, 2)]}
    one, two = (
        tcsim.turn({"warband": [side, dict(side)]}, turns=1, method="monte-carlo", trials=150_000, threads=n).course
        for n in (1, 2)
    )
    assert np.array_equal(one.events, two.events)


def test_sides_that_change_places_change_their_chances() -> None:
    one, other = {"models": [model({"action_dice": 1}, 2)]}, {"models": [model({}, 3, injury_modifier=-1)]}
    there, back = (tcsim.turn({"warband": list(pair)}, turns=3) for pair in ((one, other), (other, one)))
    assert there.wins == pytest.approx(back.wins[::-1])
    assert there.out(0, 3) == pytest.approx(back.out(1, 3))


def test_the_longer_game_begins_like_the_shorter() -> None:
    side = {"models": [model({}, 2)]}
    one, three = (tcsim.turn({"warband": [side, dict(side)]}, turns=n) for n in (1, 3))
    assert three.course.events[:1] == pytest.approx(one.course.events)
    assert list(three.course.over) == sorted(three.course.over)
    assert tcsim.turn({"warband": [side, dict(side)]}).arena.turns == 6


# --- input and output ---------------------------------------------------------------------------------------------

SIDE: dict[str, Any] = {"models": [{"attacks": [{}]}]}
GAME = {"warband": [SIDE, {**SIDE, "name": "other"}]}

WRONG: list[tuple[Any, str]] = [
    (3, "3 is given, a game is a table with warband"),
    ({}, "warband: it is missing; a game has at least warband"),
    ({"warband": []}, "warband: at least one is needed"),
    ({"warband": [SIDE]}, "warband: 1 is given, a game has two warbands"),
    ({"warband": [SIDE] * 3}, "warband: 3 are given, a game has two warbands"),
    ({"warband": [SIDE, {}]}, "warband[1].models: it is missing"),
    ({"warband": [SIDE, {"models": []}]}, "warband[1].models: at least one is needed"),
    ({"warband": [SIDE, {"models": [{"count": 30, "attacks": [{}]}]}]}, "warband[1].models: these are 30, at most 20"),
    ({"warband": [{**SIDE, "name": "x"}, {**SIDE, "name": "x"}]}, 'warband: the name "x" is given twice'),
    (
        {"warband": [SIDE, {"models": [{"unit": "Yoman", "attacks": [{}]}]}]},
        "warband[1].models[0].unit: there is no unit",
    ),
    (
        {"warband": [SIDE, {"models": [{"attacks": [{"weapon": "Swrd"}]}]}]},
        "warband[1].models[0].attacks[0].weapon: there",
    ),
    ({"warband": [SIDE, {"models": [{"attacks": [{}], "leadr": True}]}]}, 'did you mean "leader"?'),
    ({"warband": [SIDE, {"models": [{"attacks": [{}], "leader": True, "count": 2}]}]}, "2 models are the leader"),
    ({"warband": [SIDE, {**SIDE, "targeting": "optimal"}]}, 'warband[1].targeting: there is no targeting "optimal"'),
    ({"warband": [SIDE, {**SIDE, "dice": 50}]}, "warband[1].dice: 50 is given"),
    ({"warband": [{"models": [{"attacks": [{}]}] * 12}, {**SIDE, "models": SIDE["models"] * 12}]}, "are 144 pairs"),
    ({**GAME, "turns": 0}, "turns: 0 is given, a whole number from 1 to 100"),
    ({**GAME, "turns": True}, "turns: true is given"),
    ({**GAME, "turns": 2, "rules": {"turns": 3}}, "turns: turns are given twice"),
    ({**GAME, "rules": []}, "rules: an array is given, a table is allowed"),
    ({**GAME, "rules": {"stand": "never"}}, 'rules.stand: "never" is given, turn or activation is allowed'),
    ({**GAME, "rules": {"first": "c"}}, 'rules.first: "c" is given, initiative, a or b is allowed'),
    ({**GAME, "edition": "2"}, 'edition: there is no edition "2"'),
    ({**GAME, "seed": 1}, 'there is no field "seed"'),
]


@pytest.mark.parametrize(("given", "sentence"), WRONG, ids=[sentence[:40] for _, sentence in WRONG])
def test_wrong_input_is_one_sentence(given: Any, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        tcsim.turn(given)
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"turns": 101}, "turns: 101 is given"),
        ({"targeting": "optimal"}, 'targeting: there is no targeting "optimal"'),
        ({"targeting": 1}, "targeting: 1 is given"),
        ({"method": "dice"}, "method: there is no method"),
        ({"method": "monte-carlo", "trials": 1.5}, "trials: 1.5 is given"),
    ],
)
def test_wrong_arguments(arguments: Any, sentence: str) -> None:
    with pytest.raises(InputError) as caught:
        tcsim.turn(GAME, **arguments)
    assert sentence in str(caught.value)


FILE = """
turns = 3
[[warband]]
name = "New Antioch"
[[warband.models]]
unit = "Lieutenant"
attacks = [{ weapon = "Pistol / Revolver (ranged)" }]
[[warband.models]]
unit = "Yeoman"
count = 2
attacks = [{ weapon = "Bolt-Action Rifle" }]
[[warband]]
name = "Heretics"
targeting = "greedy"
[[warband.models]]
unit = "Heretic Trooper"
count = 3
attacks = [{ weapon = "Bolt-Action Rifle", cover = true }]
"""


def test_the_command_line(tmp_path: Any) -> None:
    path = tmp_path / "game.toml"
    path.write_text(FILE, encoding="utf-8")
    status, out, _ = run("turn", str(path))
    assert status == 0
    for part in ("New Antioch wins", "By the end of each turn", "Heretics, turn by turn", "with a LEADER"):
        assert part in out
    assert max(map(len, out.splitlines())) <= 80
    status, out, _ = run("turn", str(path), "--turns", "2", "--json")
    answer = json.loads(out)
    assert (status, len(answer["turns"]), answer["method"]) == (0, 2, "exact")
    assert answer["a_wins"] + answer["b_wins"] + answer["neither"] == pytest.approx(1)
    assert sum(answer["turns"][1]["a"]["out_of_action"]) == pytest.approx(1)
    assert answer["warbands"][0]["has_leader"] is True
    _, other, _ = run("turn", str(path), "--turns", "2", "--edition", "1.0.2", "--option", "bloodbath=add", "--json")
    assert [json.loads(other)[name] for name in ("edition", "options")] == ["1.0.2", {"bloodbath": "add"}]
    figure = tmp_path / "wins.png"
    status, out, _ = run(
        "turn", str(path), "--method", "monte-carlo", "--trials", "2000", "--turns", "1", "--plot", str(figure)
    )
    assert status == 0
    assert "95% interval" in out
    assert figure.stat().st_size > 10_000
    status, out, error = run("turn", str(path), "--turns", "0")
    assert (status, out) == (2, "")
    assert "--turns" in error
