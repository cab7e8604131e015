"""The best loadout for a budget: the search against taking everything or not, and what the answer says of itself."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import chain, combinations, product
from math import prod
from typing import Any

import pytest
from naive_loadouts import Naive
from pandas import DataFrame

import tcsim
from tcsim.analysis.compare.targets import read_targets
from tcsim.analysis.optimise.odds import Odds, Question
from tcsim.analysis.optimise.search import Search
from tcsim.analysis.value.fronts import worths
from tcsim.analysis.value.words import finding
from tcsim.base.errors import InputError
from tcsim.base.lang import speaking
from tcsim.catalog.kit import kits_of
from tcsim.catalog.loadout import check
from tcsim.catalog.warbands import read_loadouts, shipped_warbands
from tcsim.catalog.wares import recruit
from tcsim.cli import main
from tcsim.report import loadouts
from tcsim.report.blocks import Table
from tcsim.report.render import render_markdown

TARGETS: list[tuple[dict[str, Any], int]] = [({"injury_modifier": 0}, 2), ({"injury_modifier": -2}, 1)]
AGAINST = [({"weapon": "bolt-action-rifle"}, 1)]
HOUND = (("pounce-hound", ""), ("infected-teeth-claws", "Infected Teeth and Claws"))

#: Unit, faction, edition, ducats beside the unit itself, goal, action, attacks without weapons. Together: STRONG, hands
#: and arms, a weapon that must be, limits, bayonets, options that bring an attack, shields, dear armour.
CASES = [
    ("Janissary", "iron-sultanate", "1.6.3", 6, "out", "best", ()),
    ("Wretched", "court", "1.6.3", 6, "both", "best", ()),
    ("Wretched", "court", "1.0.2", 6, "down", "best", ()),
    ("Communicant", "trench-pilgrims", "1.6.3", 7, "out", "melee", ()),
    ("Hound of the Black Grail", "black-grail", "1.6.3", 5, "out", "best", HOUND),
    ("Heretic Trooper", "heretic-legions", "1.0.2", 7, "out", "ranged", ()),
    ("Yeoman", "new-antioch", "1.6.3", 10, "survive", "best", ()),
    ("Amalgam", "black-grail", "1.0.2", 6, "out", "melee", (("trample", ""),)),
]
LARGE = [(*case[:3], case[3] + 6, *case[4:]) for case in CASES]
LARGE.append(("Trench Pilgrim", "trench-pilgrims-procession", "1.0.2", 12, "out", "best", ()))


def found(unit: str, budget: int, goal: str, **more: Any) -> Any:
    mix = [{"weight": weight, **table} for table, weight in TARGETS] if goal != "survive" else None
    against = "Bolt-Action Rifle" if goal in ("survive", "both") else None
    return tcsim.optimise(unit, budget, mix, goal=goal, against=against, **more)


def equals_taking_everything_or_not(case: tuple[Any, ...]) -> None:
    unit, faction, edition, money, goal, action, natural = case
    budget = recruit(unit, faction, edition).price.amount + money
    naive = Naive(unit, faction, edition, natural)
    targets = TARGETS if goal != "survive" else []
    wanted = naive.best(budget, targets, AGAINST if goal in ("survive", "both") else [], action, goal == "down")
    answer = found(unit, budget, goal, edition=edition, faction=faction, action=action, runners_up=11)
    assert [(round(one.value, 12), one.kit.cost()) for one in answer.choices] == wanted[:12]
    assert len(wanted) > 1 or unit.startswith("Hound")
    for one in answer.choices:
        assert check(read_loadouts(one.loadout)[0]).legal
        assert check(read_loadouts(one.loadout)[0]).cost() == one.kit.cost() <= budget


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]}-{case[2]}-{case[4]}")
def test_search_equals_taking_everything_or_not(case: tuple[Any, ...]) -> None:
    equals_taking_everything_or_not(case)


def test_blood_may_be_spent_on_the_second_of_two_blows() -> None:
    case = ("Wretched", "court", "1.6.3")
    naive = Naive(*case, spend="greedy")
    table: dict[str, Any] = {"injury_modifier": -1}
    wanted = naive.best(25, [(table, 1)], [])
    more = {"edition": case[2], "faction": case[1], "runners_up": 2}
    spent = tcsim.optimise(case[0], 25, "-1", spend="greedy", **more)
    assert [(round(one.value, 12), one.kit.cost()) for one in spent.choices] == wanted[:3]
    assert spent.choices[0].value > tcsim.optimise(case[0], 25, "-1", **more).choices[0].value


@pytest.mark.verification
@pytest.mark.parametrize("case", LARGE, ids=lambda case: f"{case[0]}-{case[2]}-{case[4]}")
def test_search_equals_taking_everything_or_not_with_more_money(case: tuple[Any, ...]) -> None:
    """Number: value and price of the 12 best. Limit: equal."""
    equals_taking_everything_or_not(case)


def test_every_chance_is_that_of_its_scenario() -> None:
    answer = tcsim.optimise("Yeoman", 60, "0, 3x -1,tough", times=2, runners_up=1)
    for one in answer.choices:
        for strike in one.strikes:
            assert strike.scenario is not None
            assert strike.chance == pytest.approx(tcsim.odds(strike.scenario).out_of_action, abs=1e-12)
        mean = (one.strikes[0].chance + 3 * one.strikes[1].chance) / 4
        assert one.value == pytest.approx(mean, abs=1e-12)


def test_both_is_the_product_and_survival_that_of_its_scenario() -> None:
    answer = tcsim.optimise("Yeoman", 80, "0", goal="both", against="3x Bolt-Action Rifle // melee", runners_up=0)
    [best] = answer.choices
    worn = best.loadout["armour"]
    lost = [
        tcsim.odds({"target": {"unit": best.kit.unit.id, "armour": worn}, "attacks": [attack]}).out_of_action
        for attack in ({"weapon": "Bolt-Action Rifle"}, {"kind": "melee"})
    ]
    assert worn  # or it would say nothing of armour
    assert best.survives == pytest.approx(1 - (3 * lost[0] + lost[1]) / 4, abs=1e-12)
    assert best.value == pytest.approx(best.survives * best.strikes[0].chance, abs=1e-12)


def test_the_bound_changes_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: dict[str, Any] = {"goal": "both", "against": "Bolt-Action Rifle", "runners_up": 0}
    quick = tcsim.optimise("Yeoman", 70, "0, -2", **asked)
    assert quick.counts.frames_cut > 0
    monkeypatch.setattr(Search, "threshold", -1.0)
    slow = tcsim.optimise("Yeoman", 70, "0, -2", **asked)
    assert slow.counts.frames_cut == 0
    assert [one.value for one in quick.choices] == [one.value for one in slow.choices]


def test_the_best_armour_is_that_of_trying_every_set() -> None:
    """Standard Armour for 15, a Trench Shield for 10, a Gas Mask for 5: each set of them by odds, lean ones kept."""
    against = ("Bolt-Action Rifle", "Heavy Flamethrower", "Gas Grenades")
    prices = {"standard-armour": 15, "trench-shield": 10, "gas-mask": 5}
    chances: dict[frozenset[str], float] = {}
    for worn in chain.from_iterable(combinations(prices, n) for n in range(4)):
        target = {"unit": "new-antioch-yeoman", "armour": list(worn)}
        lost = [tcsim.odds({"target": target, "attacks": [{"weapon": name}]}).out_of_action for name in against]
        chances[frozenset(worn)] = 1 - sum(lost) / 3
    lean = [worn for worn in chances if not any(part < worn and chances[part] >= chances[worn] for part in chances)]
    found = [(round(chances[worn], 12), 30 + sum(prices[piece] for piece in worn)) for worn in lean]
    wanted = sorted(found, key=lambda one: (-one[0], one[1]))
    answer = tcsim.optimise("Yeoman", 60, goal="survive", against=" // ".join(against), runners_up=20)
    assert [(round(one.value, 12), one.kit.cost()) for one in answer.choices] == wanted
    assert len(wanted) == 8


def test_numbers_of_the_search_hold_all_that_is_legal() -> None:
    """Of the useful things every combination is tried: what was valued or cut holds all legal ones, and no dear one."""
    who = recruit("court-hell-knight", None, "1.6.3")
    mix = read_targets("0", "1.6.3")
    money = 6
    search = Search(who, Odds(who, Question(mix)), (money, 0), 3)
    search.run()
    numbers = search.counts
    affordable = legal = 0
    for taken in product(*(range(ware.most + 1) for ware in search.useful)):
        wares = tuple(ware for ware, n in zip(search.useful, taken, strict=True) for _ in range(n))
        if sum(ware.price.amount for ware in wares) <= money:
            affordable += 1
            legal += not who.breaches(wares)
    every = prod(ware.most + 1 for ware in search.wares)
    assert legal <= numbers.valued + numbers.bound <= affordable
    assert numbers.combinations == every
    assert numbers.idle == every - prod(ware.most + 1 for ware in search.useful)
    assert legal > 3


def test_combinations_are_all_told_of() -> None:
    counts = tcsim.optimise("Hound of the Black Grail", 60).counts  # one option, take it or not
    assert (counts.combinations, counts.idle, counts.broken, counts.bound, counts.valued) == (2, 0, 0, 0, 2)
    counts = tcsim.optimise("Hound of the Black Grail", 59).counts  # which it cannot pay
    assert (counts.combinations, counts.valued) == (1, 1)


def test_grenades_are_thrown_as_often_as_they_are_carried() -> None:
    answer = tcsim.optimise("Yeoman", 75, "0", action="ranged", times=2, runners_up=60, edition="1.6.3")
    numbers = {one.name: one.value for one in answer.choices}
    single = tcsim.odds({"attacker": {"unit": "Yeoman"}, "target": {}, "attacks": [{"weapon": "Frag Grenades"}]})
    twice = {"weapon": "Frag Grenades", "carried": 2}
    both = tcsim.odds(
        {"attacker": {"unit": "Yeoman"}, "target": {}, "attacks": [twice, {"event": "activation"}, twice]}
    )
    assert numbers["Grenades"] == pytest.approx(single.out_of_action, abs=1e-12)
    assert numbers["2 × Grenades"] == pytest.approx(both.out_of_action, abs=1e-12)


def test_nothing_affordable_is_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    answer = tcsim.optimise("Yeoman", 29)
    assert (answer.choices, answer.partial) == ((), False)
    assert main(["optimise", "--unit", "Yeoman", "--budget", "0"]) == 0
    assert "Yeoman costs 30 ducats with nothing more; 0 ducats may be spent." in capsys.readouterr().out


def test_ctrl_c_prints_the_best_so_far(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    whole, calls = Search._in_frame, []

    def stopped(self: Search, frame: Any) -> None:
        if calls:
            raise KeyboardInterrupt
        calls.append(frame)
        whole(self, frame)

    monkeypatch.setattr(Search, "_in_frame", stopped)
    words = ["optimise", "--unit", "Yeoman", "--budget", "50", "--targets", "0"]
    assert main(words) == 130
    assert "Stopped: these are the best found so far" in capsys.readouterr().out
    calls.clear()
    assert main([*words, "--json"]) == 130
    told = json.loads(capsys.readouterr().out)
    assert (told["proven"], told["loadouts"][0]["legal"]) == (False, True)


def test_json_and_csv_hold_what_the_table_says(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["optimise", "--unit", "Yeoman", "--budget", "60", "--targets", "0, -2", "--runners-up", "1"]
    assert main([*words, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["proven"]
    assert len(told["loadouts"]) == 2
    assert sum(price for _, price, _ in told["loadouts"][0]["bill"]) == told["loadouts"][0]["ducats"] <= 60
    assert main([*words, "--csv"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head == "rank,loadout,cost_ducats,cost_glory,value,survives,target,weight,action,weapons,p"
    assert len(rows) == 4
    for lang in ("en", "ko"):
        assert main([*words, "--lang", lang]) == 0
        assert f"{100 * told['loadouts'][0]['value']:.1f}%" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--unit", "Yeoman", "--budget", "-1"], "budget: -1 is given"),
        (["--unit", "Yeoman", "--budget", "nan"], "not a valid integer"),
        (["--unit", "Yeoman", "--budget", "9" * 30], "10,000"),
        (["--unit", "Yeomn", "--budget", "50"], "Yeoman"),
        (["--unit", "Yeoman", "--budget", "50", "--faction", "court"], "not of court"),
        (["--unit", "Yeoman", "--budget", "50", "--faction", "curt"], "court"),
        (["--unit", "Yeoman", "--budget", "50", "--goal", "survive"], "against"),
        (["--unit", "Yeoman", "--budget", "50", "--against", "melee"], "the goal is out"),
        (["--unit", "Yeoman", "--budget", "50", "--goal", "outt"], "out"),
        (["--unit", "Yeoman", "--budget", "50", "--action", "both"], "action"),
        (["--unit", "Yeoman", "--budget", "50", "--times", "0"], "times"),
        (["--unit", "Yeoman", "--budget", "50", "--runners-up", "-1"], "runners_up"),
        (["--unit", "Yeoman", "--budget", "50", "--glory", "-1"], "glory"),
        (["--unit", "Yeoman", "--budget", "50", "--targets", ""], "targets"),
        (["--unit", "Yeoman", "--budget", "50", "--targets", "0", "--mix", "steps"], "give one of the two"),
        (["--unit", "Yeoman", "--budget", "50", "--mix", "stepps"], 'did you mean "steps"'),
        (["--unit", "Yeoman", "--budget", "50", "--edition", "9"], "edition"),
        (["--unit", "Yeoman", "--budget", "50", "--goal", "both", "--against", "stand"], "an attack is needed"),
        (["--unit", "Yeoman", "--budget", "50", "--goal", "both", "--against", "0x melee"], "weight"),
        (["--unit", "<b>\u202e" + "x" * 10_000, "--budget", "50"], "no unit"),
        (["--unit", "Yeoman", "--budget", "50", "--json", "--csv"], "one of --json and --csv"),
    ],
)
def test_wrong_input(words: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["optimise", *words]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert says in printed.err
    assert printed.err.count("\n") == 1


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"budget": True}, "budget"),
        ({"budget": 50.0}, "budget"),
        ({"unit": None}, "unit"),
        ({"goal": None}, "goal"),
        ({"times": True}, "times"),
        ({"faction": 3}, "faction"),
        ({"against": 3, "goal": "both"}, "against"),
        ({"against": [], "goal": "both"}, "at least one attack"),
        ({"targets": [], "goal": "out"}, "target"),
        ({"mix": 3}, "mix: 3 is given"),
        ({"mix": "steps", "goal": "survive", "against": "melee"}, "no targets of its own"),
        ({"targts": "0"}, "setting"),
    ],
)
def test_wrong_input_in_python(settings: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as caught:
        tcsim.optimise(**({"unit": "Yeoman", "budget": 50} | settings))
    assert says in str(caught.value)


def test_the_report_says_what_was_found() -> None:
    warband = next(one for one in shipped_warbands("1.6.3") if one.id == "na-line")
    kit = kits_of(warband)[-1]
    best = tcsim.optimise(kit.unit.id, kit.cost(), "0", faction="new-antioch", runners_up=1)
    fronts = {
        ("1.6.3", "ranged"): tcsim.value("Musket, Shotgun, Heavy Shotgun, Flame Cannon", "0, -1"),
        ("1.6.3", "melee"): tcsim.value("Sword / Axe", "0, -1"),
    }
    report = loadouts.compose(fronts, {"1.6.3": [(kit, best)]})
    text = render_markdown(report)
    assert "ranged weapons: **3 of 4** are unbeaten for their price. Most overpriced: **Flame Cannon**, 60" in text
    assert "melee weapons: **1 of 1** are unbeaten for their price.\n" in text
    tables = {block.name: block for section in report.sections for block in section.blocks if isinstance(block, Table)}
    for row in tables["prices"].rows:
        name, p = row.cells[0].text, row.cells[4].value
        [one] = [one for found in fronts.values() for one in found.ducats.found if one.name == name]
        assert (p, row.cells[3].value, row.cells[9].text == "unbeaten") == (one.chance, one.cost, one.on_front)
    assert [row.cells[5].value for row in tables["best"].rows] == [one.value for one in best.choices]
    rows = [("Musket", 10, 0.4), ("Shotgun", 20, 0.3), ("Heavy Shotgun", 20, 0.2), ("Flame Cannon", 12, 0.1)]
    tied = replace(
        fronts["1.6.3", "ranged"], ducats=worths(DataFrame(rows, columns=["loadout", "cost_ducats", "p_out"]))
    )
    assert tied.ducats is not None
    # 9 is the highest fair price of all three, and two of them cost 20
    said = "Most overpriced: Shotgun, Heavy Shotgun, each 11 ducats above its highest fair price."
    assert finding(tied.ducats).endswith(said)
    fronts["1.6.3", "ranged"] = tied
    text = render_markdown(loadouts.compose(fronts, {"1.6.3": [(kit, best)]}))
    assert "**1 of 4** are unbeaten for their price. Most overpriced: **Shotgun and Heavy Shotgun**, each 11" in text
    with speaking("ko"):
        assert "원거리 무기" in render_markdown(loadouts.compose(fronts, {"1.6.3": [(kit, best)]}))
