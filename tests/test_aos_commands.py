"""Age of Sigmar: the table of commands, budgets of whole turns against trying everything, and files that are wrong."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from fractions import Fraction
from importlib.resources import files
from itertools import combinations, pairwise
from math import exp
from pathlib import Path
from typing import Any

import pytest
from naive_aos_commands import FOURTH, totals
from naive_aos_fights import Fight
from naive_choices import D3, TWO_DICE, Game, Hand, best, reaches
from naive_questions import Die
from test_cli import complaint, run

from tcsim.aos import ask
from tcsim.aos.plans import search
from tcsim.aos.plans.answer import Found, answer
from tcsim.aos.plans.legality import LEGALITY
from tcsim.aos.plans.rolled import played
from tcsim.aos.plans.search import Search, Use
from tcsim.aos.plans.table import commands
from tcsim.aos.plans.tree import Condition
from tcsim.base.errors import InputError
from tcsim.base.files import parse_toml
from tcsim.questions.rolling import Dice

REACTIONS = {"at_the_double", "forward_to_victory", "all_out_attack", "all_out_defence"}


@pytest.mark.parametrize("edition", ["4e", "4e_late"])
def test_the_table_is_that_of_the_source(edition: str) -> None:
    rows = commands(edition)
    assert {one.id: one.cost for one in rows.values()} == {name: cost for name, (cost, _) in FOURTH.items()}
    for one in rows.values():
        assert {*one.phases, *(f"x:{phase}" for phase in one.through)} == set(FOURTH[one.id][1].split())
        assert bool(one.reaction) == (one.id in REACTIONS)
    assert [one.id for one in rows.values() if "RUN" in one.keywords] == ["redeploy", "at_the_double"]
    assert [one.id for one in rows.values() if "not_in_combat" in one.needs] == [
        "rally", "redeploy", "covering_fire", "counter_charge",
    ]  # fmt: skip


def test_the_rule_that_forbids_is_named() -> None:
    plan = "a:redeploy@enemy_movement+a:covering_fire@enemy_shooting+a:all_out_attack@enemy_shooting"
    reply = ask("command_legality", edition="4e", plan=plan, cp=2, run_bars="covering_fire")
    told = {name: found["label"] for name, found in reply.answers.items() if name.startswith("forbids_")}
    assert told == {
        "forbids_run": "Its unit has used a RUN ability this turn (4.0): a:covering_fire@enemy_shooting",
        "forbids_unit": (
            "One command per unit and phase (1.2): a:covering_fire@enemy_shooting, a:all_out_attack@enemy_shooting"
        ),
        "forbids_points": "There are not enough command points (1.2): a:all_out_attack@enemy_shooting",
    }
    assert reply.notes[0] == "Not legal: Its unit has used a RUN ability this turn (4.0)."


def test_legal_sets_are_listed() -> None:
    plan = "a:counter_charge@enemy_charge+a:power_through@enemy_end+b:counter_charge@enemy_charge"
    answers = ask("command_legality", edition="4e", plan=plan, cp=3).answers
    listed = {found["label"]: found["value"] for name, found in answers.items() if name.startswith("set_")}
    a, then, b = plan.split("+")
    assert listed == {a: 2, b: 2, f"{a}, {then}": 3}
    assert answers["legal_sets_3"]["value"] == 4  # with the empty one


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"plan": "a:rally"}, 'plan: "a:rally" is given, unit:command@phase is needed, as a:all_out_attack@combat'),
        ({"plan": "a:raly@hero"}, 'plan: there is no command "raly"; did you mean "rally"?'),
        ({"plan": "a:rally@hereo"}, 'there is no phase "hereo"; did you mean "hero"?'),
        ({"plan": ":rally@hero"}, "a name of 1 to 40 characters"),
        ({"plan": "a>b:rally@hero"}, "commands are issued in the third edition only"),
        ({"plan": "+".join(["a:rally@hero"] * 13)}, "1 to 12 of unit:command@phase"),
        ({"plan": ""}, '"" is given, unit:command@phase is needed'),
        ({"plan": 7}, "plan: 7 is given"),
        ({"plan": "a:rally@hero", "in_combat": "b"}, 'in_combat: there is no unit in the plan "b"; there is a'),
        ({"plan": "a:rally@hero", "health": "a:0"}, "health: "),
        ({"plan": "a:rally@hero", "health": "a:3+a:4"}, 'health: "a" is given twice'),
        ({"plan": "a:rally@hero", "cp": True}, "cp: true is given"),
        ({"plan": "a:rally@hero", "hero": "a"}, "hero: it belongs to edition"),
    ],
)
def test_plans_that_are_wrong(inputs: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as error:
        ask("command_legality", edition="4e", **inputs)
    assert said in str(error.value)


# --- turns, against trying everything ------------------------------------------------------------------------------


def charges(die: Die, buy: Hand) -> int:
    """Two charges, one reroll for the army."""
    made = []
    for unit, need in (("A", 7), ("B", 9)):
        ok = reaches(die, need)
        made.append((not ok and buy("forward_to_victory", unit) and reaches(die, need)) or ok)
    return 2 * made[0] + 3 * made[1] + all(made)


CHARGES = {
    "units": {"A": {}, "B": {}},
    "enemies": {"E": {}},
    "goal": [{"when": "charge A", "vp": 2}, {"when": "charge B", "vp": 3}, {"when": "charges >= 2"}],
    "events": [
        {"phase": "charge", "charge": "A", "target": "E", "need": 8, "modifier": 1},
        {"phase": "charge", "charge": "B", "target": "E", "need": 9},
    ],
}


def melee(edition: str) -> Game:
    """Blows of both sides in your combat phase, then in the enemy's: who may attack all out, and who defend?"""

    def game(die: Die, buy: Hand) -> int:
        late = edition == "4e_late"
        enemy, own, guarded, exposed = 2, 3, False, False
        bought = buy("all_out_attack", "A")
        exposed = bought and late
        enemy -= min(enemy, die(totals(Fight(2, 3, 4, 5, hit_mod=bought))))
        for _ in range(2):
            if enemy and own:
                bought = not guarded and buy("all_out_defence", "A")
                changed = int(bought or guarded) - exposed
                guarded = guarded or (bought and not late)
                own -= min(own, die(totals(Fight(enemy, 3, 3, 4, save_mod=changed))))
        if enemy:
            enemy -= min(enemy, die(totals(Fight(1, 4, 4, 5, hit_mod=buy("all_out_attack", "B")))))
        buy.phase()
        if enemy and own:
            own -= min(own, die(totals(Fight(enemy, 3, 3, 4, save_mod=buy("all_out_defence", "A")))))
        return 2 * (enemy == 0) + own

    return game


MELEE = {
    "units": {"A": {"models": 3, "save": 4}, "B": {}},
    "enemies": {"E": {"models": 2, "save": "5+"}},
    "goal": [{"when": "destroyed E", "vp": 2}, *({"when": f"models A >= {n}"} for n in (1, 2, 3))],
    "events": [
        {"phase": "combat", "attack": "A", "target": "E", "weapons": "2x3+/4+/-/1"},
        {"phase": "combat", "attack": "E", "target": "A", "weapons": "1x3+/3+/-/1", "each": True},
        {"phase": "combat", "attack": "E", "target": "A", "weapons": "1x3+/3+/-/1", "each": True},
        {"phase": "combat", "attack": "B", "target": "E", "weapons": "1x4+/4+/-/1"},
        {"phase": "enemy_combat", "attack": "E", "target": "A", "weapons": "1x3+/3+/-/1", "each": True},
    ],
}


def waiting(die: Die, buy: Hand) -> int:
    """The enemy's turn: flee, shoot, meet the charge, hold, push on: what bars what?"""
    enemy, own = 2, 2
    moved = die() if buy("redeploy", "A") else 0
    buy.phase()
    if not moved and buy("covering_fire", "A"):
        enemy -= min(enemy, die(totals(Fight(2, 3, 4, hit_mod=-1))))
    buy.phase()
    countered = bool(enemy and not moved and buy("counter_charge", "A") and reaches(die, 8))
    charged = bool(enemy and (reaches(die, 6 + moved) or reaches(die, 6 + moved)))
    buy.phase()
    if enemy and (countered or charged):
        own -= min(own, die(totals(Fight(3, 3, 3, 5, save_mod=buy("all_out_defence", "A")))))
        if own:
            enemy -= min(enemy, die(totals(Fight(1, 3, 3, hit_mod=buy("all_out_attack", "A")))))
    buy.phase()
    if countered and own and enemy and buy("power_through", "A"):
        enemy -= min(enemy, die(D3))
    return 3 * (own > 0) + (enemy < 2) + 2 * (enemy == 0)


WAITING = {
    "units": {"A": {"models": 1, "health": 2, "save": 5}},
    "enemies": {"E": {"models": 2}},
    "goal": [{"when": "survives A", "vp": 3}, {"when": "damage E >= 1"}, {"when": "destroyed E", "vp": 2}],
    "events": [
        {"phase": "enemy_shooting", "attack": "A", "target": "E", "weapons": "2x3+/4+/-/1"},
        {"phase": "enemy_charge", "charge": "A", "target": "E", "need": 8},
        {"phase": "enemy_charge", "charge": "E", "target": "A", "need": 6, "reroll": True},
        {"phase": "enemy_combat", "attack": "E", "target": "A", "weapons": "3x3+/3+/-/1"},
        {"phase": "enemy_combat", "attack": "A", "target": "E", "weapons": "1x3+/3+/-/1"},
    ],
}


def hero(die: Die, buy: Hand) -> int:
    """Rally in either hero phase, a spell of yours, one in between, a blow, and whose the hill is then."""
    lost, enemy = 3, 2  # three models of Health 2: one is slain, one has a wound

    def rally() -> int:
        gone, carried = divmod(lost, 2)
        if not lost or not buy("rally", "W"):
            return lost
        points = die(Counter(sum(n >> i & 1 for i in range(6)) for n in range(64)))
        back = buy.ask(tuple(range(min(gone, points // 2) + 1)))
        return lost - 2 * back - min(carried, points - 2 * back)

    lost = rally()
    enemy -= min(enemy, die(BOLT))
    buy.phase()
    hexed = buy("magical_intervention", "M") and die(HEX)
    if buy("magical_intervention", "W") and die() > 2:  # 2 and more at -1, 3 points of ritual beside it
        enemy -= min(enemy, 1)
    lost = rally()
    buy.phase()
    if enemy:
        lost += min(6 - lost, die(totals(Fight(2 * enemy, 3, 3, 6, save_mod=buy("all_out_defence", "W")))))
    ours = -(-(6 - lost) // 2)
    return 2 * (ours > enemy) + hexed


#: Bolt is cast on 7 and does D3; Hex is cast on 8 at -1, a double 1 fails, and the enemy may unbind at +1.
BOLT = Counter([0] * sum(n for total, n in TWO_DICE.items() if total < 7) * 3)
for total, n in TWO_DICE.items():
    BOLT += Counter(dict.fromkeys((1, 2, 3), n)) if total >= 7 else Counter()
HEX = Counter(8 <= cast - 1 >= stop + 1 for cast in TWO_DICE.elements() for stop in TWO_DICE.elements())

HERO = {
    "units": {"W": {"models": 3, "health": 2, "slain": 1, "damage": 1, "save": 6}, "M": {}},
    "enemies": {"E": {"models": 2}},
    "goal": [{"when": "control Hill", "vp": 2}, {"when": "spell Hex"}],
    "events": [
        {"phase": "hero", "rally": "W"},
        {"phase": "hero", "spell": "Bolt", "by": "M", "cv": 7, "damage": "D3", "target": "E"},
        {"phase": "enemy_hero", "spell": "Hex", "by": "M", "cv": 8, "unbind": 1},
        {"phase": "enemy_hero", "prayer": "Wrath", "by": "W", "value": 5, "ritual": 3, "target": "E", "damage": 1},
        {"phase": "enemy_hero", "rally": "W"},
        {"phase": "enemy_combat", "attack": "E", "target": "W", "weapons": "2x3+/3+/-/1", "each": True},
        {"phase": "enemy_end", "control": "Hill", "contesting": ["W", "E"]},
    ],
}


def runs(die: Die, buy: Hand) -> int:
    """Two runs to two hills, held from one turn to the next; one run can be made sure."""
    far = {"R": 5, "S": 3}
    ran = {name: buy("at_the_double", name) or die() >= inches for name, inches in far.items()}
    north = "yours" if ran["R"] else "nobody"  # three models against two
    south = "yours" if ran["S"] else "theirs"
    north = "theirs" if not ran["R"] else north  # the enemy stands there at once
    return 3 * (north == "yours") + 2 * (south == "yours")


RUNS = {
    "units": {"R": {"models": 3}, "S": {"models": 1, "control": 5}},
    "enemies": {"E": {"models": 2}},
    "goal": [{"when": "control North", "vp": 3}, {"when": "control South", "vp": 2}],
    "events": [
        {"phase": "movement", "run": "R", "distance": 5},
        {"phase": "movement", "run": "S", "distance": 3},
        {"phase": "end", "control": "North", "owner": "nobody", "contesting": ["R if run R", "E"]},
        {"phase": "end", "control": "South", "contesting": ["S if run S"]},
        {"phase": "enemy_end", "control": "South", "contesting": ["E if destroyed E"]},
    ],
}

EXAMPLE = parse_toml((files("tcsim.aos.plans") / "data" / "budget.toml").read_text(encoding="utf-8"))

#: What is written, and what is played.
TURNS: dict[str, tuple[dict[str, Any], str, Game]] = {
    "charges": (CHARGES, "4e", charges),
    "melee": (MELEE, "4e", melee("4e")),
    "melee_late": (MELEE, "4e_late", melee("4e_late")),
    "waiting": (WAITING, "4e", waiting),
    "hero": (HERO, "4e", hero),
    "runs": (RUNS, "4e", runs),
}


@pytest.mark.parametrize("name", TURNS)
def test_the_best_use_is_that_of_trying_everything(name: str) -> None:
    data, edition, game = TURNS[name]
    for points in (1, 2):
        found, true = Search(answer(data, edition, points).turn).best(points), best(game, points)
        assert (found.goal, found.spent) == (true.worth, -true.saved), points


@pytest.mark.parametrize("name", TURNS)
def test_bought_sets_are_those_of_buying_always(name: str) -> None:
    """Uses whose command is used in one phase only, as the game tells no two of them apart."""
    data, edition, game = TURNS[name]
    search = answer(data, edition, 3).search
    phases = Counter(use.command for use in search.uses())
    uses = [use for use in search.uses() if phases[use.command] == 1][:3]
    for size in range(len(uses) + 1):
        for some in combinations(uses, size):
            found, true = search.bought(some, 3), best(game, 3, forced={use.command for use in some})
            assert (found.goal, found.spent) == (true.worth, -true.saved), some


@pytest.mark.parametrize("name", TURNS)
def test_played_turns_are_those_that_were_worked_out(name: str) -> None:
    """By Hoeffding's bound; false alarms of all below 1e-6, an error of 0.1 of 6 points is seen."""
    data, edition, _ = TURNS[name]
    search, trials = answer(data, edition, 2).search, 20_000
    found, true = played(search, 2, Dice(3, name), trials), search.best(2)
    assert set(found.uses) == set(search.used(2))
    means = [(found.goal, true.goal, 7), (found.spent, true.spent, 2)]
    means += [(found.uses[command], times, 2) for command, times in search.used(2).items()]
    for values, mean, width in means:
        assert 2 * exp(-2 * trials * ((values.mean() - float(mean)) / width) ** 2) > 1e-6 / 60


@pytest.mark.parametrize("name", TURNS)
def test_whatever_may_be_bought_is_legal(name: str) -> None:
    """Walks through a turn, buying what can be bought: every plan that comes of it is one that no rule forbids."""
    data, edition, _ = TURNS[name]
    search, draw = answer(data, edition, 4).search, random.Random(5)
    for _ in range(40):
        state, plan = search.starts[4], []
        for place, step in enumerate(search.steps):
            branch = draw.choice(search.layers[place][state])
            option = branch.option
            if option.command:
                plan.append(f"{option.unit}:{option.command}@{step.phase}")
            state = draw.choice(list(branch.ways))
        if plan:
            charged = sorted({part.partition(":")[0] for part in plan if "power_through" in part})
            given = {"plan": plan, "cp": 4, **({"charged": "+".join(charged)} if charged else {})}
            assert LEGALITY.exact(LEGALITY.read(given, edition))["legal"] == 1, plan


@pytest.mark.parametrize(
    ("command", "event"),
    [
        ("rally", {"phase": "hero", "rally": "W"}),
        ("covering_fire", {"phase": "enemy_shooting", "attack": "W", "target": "E", "weapons": "1x4+/4+/0/1"}),
        ("redeploy", {"phase": "enemy_charge", "charge": "E", "target": "W", "need": 7}),
    ],
)
def test_who_is_in_combat_uses_no_command_that_it_bars(command: str, event: dict[str, Any]) -> None:
    for engaged in (False, True):
        units = {"W": {"models": 3, "slain": 1, "in_combat": engaged}}
        data = {"units": units, "enemies": {"E": {}}, "events": [event], "goal": "survives W"}
        assert [use.command for use in answer(data, "4e", 2).search.uses()] == [command] * (not engaged)


@pytest.mark.parametrize("enemy", [{}, {"models": 1}])
def test_a_combat_ends_with_the_enemy(enemy: dict[str, int]) -> None:
    """A unit that has charged rallies in the next turn only where the enemy that it fights was destroyed."""
    events = [
        {"phase": "charge", "charge": "W", "target": "E", "need": 2},
        {"phase": "combat", "attack": "W", "target": "E", "weapons": "1x2+/2+/0/1"},
        {"phase": "enemy_hero", "rally": "W"},
    ]
    units = {"W": {"models": 3, "slain": 1}}
    data = {"units": units, "enemies": {"E": enemy}, "events": events, "goal": "models W >= 3"}
    found = answer(data, "4e", 1)
    assert ("rally" in {use.command for use in found.search.uses()}) is bool(enemy)
    rallied = Fraction(25, 36) * Fraction(63, 64)  # a hit that wounds, one of six dice
    assert found.search.best(1).goal == (rallied if enemy else 0)


@pytest.mark.parametrize(("contesting", "holds"), [(["A"], 1), (["A", "E"], 0)])
def test_a_unit_without_control_scores_1(contesting: list[str], holds: int) -> None:
    event = {"phase": "end", "control": "Hill", "contesting": contesting, "owner": "theirs"}
    units = {"A": {"models": 2, "control": 0}}
    data = {"units": units, "enemies": {"E": {"models": 1}}, "events": [event], "goal": "control Hill"}
    assert answer(data, "4e", 0).search.best(0).goal == holds


@pytest.mark.parametrize("name", TURNS)
def test_sets_are_the_legal_ones(name: str) -> None:
    data, edition, _ = TURNS[name]
    found = answer(data, edition, 2)
    uses = found.search.uses()
    every = [some for size in range(3) for some in combinations(uses, size)]
    legal = {some for some in every if not some or _legal(found.search, some, edition)}
    assert {some for some, _ in found.sets} == legal
    goals = [value.goal for _, value in found.sets]
    assert goals == sorted(goals, reverse=True)
    assert all(value.goal <= found.search.best(2).goal for _, value in found.sets)


def _legal(search: Search, uses: tuple[Use, ...], edition: str) -> bool:
    plan = [f"{use.unit}:{use.command}@{search.steps[use.step].phase}" for use in uses]
    every = "+".join({use.unit for use in uses})
    return bool(LEGALITY.exact(LEGALITY.read({"plan": plan, "cp": 2, "charged": every}, edition))["legal"])


def _meets(search: Search, state: dict[str, int], condition: Condition) -> bool:
    """Whether a state meets a condition."""
    kind, _, of = condition.name.partition(":")
    if kind in ("left", "alive"):
        unit = search.turn.units[of]
        wounds = (unit.models or 0) * unit.health - state[f"lost:{of}"]
        value = len(range(0, wounds, unit.health)) if kind == "left" else int(wounds > 0)
    else:
        value = state[condition.name]
    low, high = condition[1:]
    return (low is None or low <= value) and (high is None or value <= high)


@pytest.mark.parametrize("name", [*TURNS, "example"])
def test_each_state_meets_the_conditions_of_what_is_done_in_it(name: str) -> None:
    """And of no other line of the plan; where no command is used, of none."""
    data, edition, _ = TURNS.get(name, (EXAMPLE, "4e", None))
    found = answer(data, edition, 2)
    search = found.search
    for place, (now, _) in enumerate(search.reached(2)[:-1]):
        lines = [line for line in found.advice if line.step is search.steps[place]]
        for state in now:
            if len(search.layers[place][state]) > 1:
                option, view = search.taken(place, state).option, search.view(state)
                met = [line.choice for line in lines if all(_meets(search, view, one) for one in line.when)]
                assert met == [option.command or option.word] * bool(option.command or option.word)


@pytest.fixture(scope="module")
def example() -> Found:
    return answer(EXAMPLE, "4e")


def test_more_points_are_never_worse_and_are_spent_only_if_needed(example: Found) -> None:
    values = [example.search.best(points) for points in range(6)]
    assert all(one.goal <= more.goal for one, more in pairwise(values))
    assert all(value.spent < points for points, value in enumerate(values) if points)
    for now, scale in example.search.reached(5):
        assert sum(now.values()) == scale


def test_the_plan_tells_every_purchase(example: Found) -> None:
    told: dict[str, Fraction] = {}
    for one in example.advice:
        told[one.choice] = told.get(one.choice, Fraction(0)) + one.chance
    assert {name: times for name, times in example.search.used(4).items() if times} == told
    assert sum(commands("4e")[name].cost * times for name, times in told.items()) == example.search.best(4).spent


# --- files ---------------------------------------------------------------------------------------------------------


def changed(place: str, value: Any) -> dict[str, Any]:
    """The small turn with one thing changed; ``place`` is as ``units.A.save``; None takes it away."""
    data: Any = {**copy.deepcopy(CHARGES), "edition": "4e"}
    *way, last = place.split(".")
    table = data
    for key in way:
        table = table[int(key) if isinstance(table, list) else key]
    if value is None:
        del table[last]
    else:
        table[int(last) if isinstance(table, list) else last] = value
    return dict(data)


WRONG = [
    ("edition", None, "edition: it is needed: 4e or 4e_late"),
    ("edition", "3e", 'edition: there is no edition with commands "3e"'),
    ("goal", None, "goal: it is needed"),
    ("goal", "destroyed E", 'goal: "E" needs models and health'),
    ("goal", "damage E", 'goal: "damage E" is given, conditions are damage UNIT >= N; '),
    ("goal", "damage E >= 99999999999", "goal: "),
    ("goal", "", 'goal: "" is given, conditions are'),
    ("goal", "charge C", 'goal: there is no charge among the events "C"'),
    ("goal", [], "goal: an array is given"),
    ("goal", float("nan"), "goal: nan is given"),
    ("goal.0.vp", "1000", "goal[0].vp: "),
    ("goal.0.when", None, 'goal[0].when: "" is given'),
    ("points", True, "points: true is given"),
    ("points", 10**100, "points: "),
    ("ponts", 3, 'there is no field of a turn "ponts"; did you mean "points"?'),
    ("units", [], "units: an array is given, a table is allowed"),
    ("units", {}, "units: "),
    ("units.E", {}, "units: 4 units are given"),
    ("units.A.sav", 3, 'units.A: there is no field "sav"; did you mean "save"?'),
    ("units.A.save", "7+", "units.A.save: "),
    ("units.A.slain", 2, "units.A: slain is less than models"),
    ("units.<b>+", {}, "units.<b>+: "),
    ("units.x and y", {}, "a name without the words and, if is allowed"),
    ("units." + "x" * 10_000, {}, "a name of 1 to 40 characters"),
    ("events", [], "events: "),
    ("events.0", 5, "events[0]: 5 is given, a table is allowed"),
    ("events.0.phase", None, "events[0]: a table with phase and one of rally, run, spell, prayer"),
    ("events.0.phase", "combat", "combat is given for a charge of yours, charge or enemy_charge is allowed"),
    ("events.0.charge", "C", 'events[0].charge: there is no unit "C"; there is A, B, E'),
    ("events.0.target", "B", "events[0].target: its target is on the same side"),
    ("events.0.need", None, "events[0].need: it is needed"),
    ("events.0.need", [], "events[0].need: an array is given"),
    ("events.0.reroll", True, "events[0].reroll: it is for an enemy"),
    ("events.0.phase", "enemy_end", "events[0].phase: enemy_end is given for a charge of yours"),
    ("events.1", {"phase": "enemy_end", "control": "Hill"}, "events[1].contesting: it is needed"),
    (
        "events.1",
        {"phase": "charge", "charg": "A"},
        'events[1]: there is no kind of event "charg"; did you mean "charge"?',
    ),
    ("events.1", {"phase": "enemy_hero", "spell": "X", "by": "Z", "cv": 7}, 'events[1].by: there is no unit "Z"'),
    ("events.1", {"phase": "charge", "charge": "A", "attack": "A"}, "events[1]: a table with phase and one of"),
    ("events.1", {"phase": "movement", "run": "A", "distance": 3}, "events[1].phase: movement is given after charge"),
    ("events.1", {"phase": "enemy_hero", "rally": "A"}, 'events[1]: "A" needs models and health'),
    ("without", ["raly"], 'without: there is no command "raly"; did you mean "rally"?'),
    ("without", "rally", "without: "),
    ("cap", "both", "cap: "),
]


@pytest.mark.parametrize(("place", "value", "said"), WRONG, ids=lambda one: str(one)[:30])
def test_files_that_are_wrong_are_one_sentence(place: str, value: Any, said: str) -> None:
    data = changed(place, value)
    with pytest.raises(InputError) as error:
        answer(data)
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 700


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({}, "command_budget needs a file, or goal"),
        ({"goal": 2, "lethal": 2, "hit": 3, "wound": 3}, "command_budget needs a file, or goal"),
        ({"goal": 2}, "hit: it is needed"),
        ({"file": "example", "goal": 2}, "goal: it stands in the file"),
        ({"file": "example", "spend": "rally"}, "spend: rally cannot be used here; forward_to_victory, "),
        (
            {"file": "example", "cp": 1, "spend": "redeploy+power_through"},
            "spend: it costs 2 command points, there are 1",
        ),
        ({"file": "example", "without": "redeplo"}, 'without: there is no command "redeplo"; did you mean "redeploy"?'),
        ({"file": {}}, "goal: it is needed"),
        ({"file": "example", "cp": 21}, "cp: 21 is given"),
    ],
)
def test_budgets_that_are_wrong(inputs: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError) as error:
        ask("command_budget", edition="4e", **inputs)
    assert said in str(error.value)


def test_a_unit_that_ran_neither_shoots_nor_charges() -> None:
    run_first = [{"phase": "movement", "run": "A", "distance": 3}, *CHARGES["events"]]
    with pytest.raises(InputError, match="ran this turn"):
        answer({**CHARGES, "events": run_first}, "4e")


def chance(events: list[dict[str, Any]], goal: str) -> Fraction:
    data = {"units": {"A": {}, "B": {"models": 1}}, "enemies": {"E": {"models": 1}}, "goal": goal, "events": events}
    return answer(data, "4e", 0).search.best(0).goal


def test_a_unit_in_combat_does_not_charge() -> None:
    """A's charge on 7 holds E, which else is sure to charge B, and slays it on 2+ and 2+."""
    events = [
        {"phase": "charge", "charge": "A", "target": "E", "need": 7},
        {"phase": "enemy_charge", "charge": "E", "target": "B", "need": 2},
        {"phase": "enemy_combat", "attack": "E", "target": "B", "weapons": "1x2+/2+/-/1"},
    ]
    assert chance(events, "survives B") == Fraction(7, 12) + Fraction(5, 12) * Fraction(11, 36)
    with pytest.raises(InputError, match=r'events\[0\]: "A" is in combat as this begins: it does not charge'):
        answer({**CHARGES, "units": {"A": {"in_combat": True}, "B": {}}}, "4e")


@pytest.mark.parametrize(("attack", "target", "hits"), [("B", "E", 3), ("E", "B", 4)])
def test_a_bonus_to_hit_counts_for_companion_weapons_where_it_is_all_out_attack(
    attack: str, target: str, hits: int
) -> None:
    blow = {"phase": "combat", "attack": attack, "target": target, "weapons": "1x4+/2+/-/1/companion"}
    assert chance([{**blow, "hit_modifier": 1}], f"destroyed {target}") == Fraction(hits, 6) * Fraction(5, 6)
    assert chance([{**blow, "hit_modifier": -1}], f"destroyed {target}") == Fraction(2, 6) * Fraction(5, 6)


def test_a_turn_of_too_many_ways_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    assert search.MOST_WAYS == 1_000_000
    monkeypatch.setattr(search, "MOST_WAYS", 3000)  # the same, sooner
    many = {"models": 100, "health": 60}
    blows = [
        {"phase": "combat", "attack": a, "target": b, "weapons": "60x2+/2+/-/D6"}
        for a, b in (("A", "E"), ("E", "A"), ("A", "E"))
    ]
    data = {"units": {"A": many}, "enemies": {"E": many}, "goal": "models A >= 50 and models E >= 50", "events": blows}
    with pytest.raises(InputError, match="more than 3,000 ways"):
        answer(data, "4e")
    for blow in blows:
        blow["weapons"] = "300x2+/2+/-/20"
    with pytest.raises(InputError, match=r"events\[0\].weapons: attacks that can do 6,000 damage"):
        answer(data, "4e")


CHARGES_TOML = """
[units.A]
[units.B]
[enemies.E]
[[events]]
phase = "charge"
charge = "A"
target = "E"
need = 7
[[events]]
phase = "charge"
charge = "B"
target = "E"
need = 9
"""


def test_the_command_writes_reads_and_tells(tmp_path: Path) -> None:
    path = str(tmp_path / "budget.toml")
    assert complaint("aos", "budget", path, "--edition", "4e").endswith("; --demo writes an example there")
    said = run("aos", "budget", path, "--demo", "--edition", "4e")
    assert (said.status, said.err) == (0, "")
    assert said.out.startswith("Best use of 4 command points: 3.784 victory points\n")
    assert max(map(len, said.out.splitlines())) <= 80
    Path(path).write_text(f"goal = 'charges >= 2'\n{CHARGES_TOML}", encoding="utf-8")
    rolling = ("--trials", "2e4", "--seed", "7")
    told = json.loads(run("aos", "budget", path, "--edition", "4e_late", "--points", "2", "--json", *rolling).out)
    assert told["played"]["low"] < told["best"]["2"]["value"] < told["played"]["high"]
    assert (told["played"]["trials"], told["played"]["seed"]) == (20_000, 7)
    assert "20,000" in run("aos", "budget", path, "--edition", "4e", "--lang", "ko", *rolling).out
    assert "it goes with --trials" in complaint("aos", "budget", path, "--edition", "4e", "--seed", "7")
    assert (told["points"], told["edition"], told["goal"]) == (2, "4e_late", "probability")
    # both at once 7/12 x 5/18; else the first one failed and is rolled again, or the second one is
    both = Fraction(7, 12) * Fraction(5, 18)
    assert told["best"]["0"]["fraction"] == str(both)
    assert told["best"]["1"]["fraction"] == str(both + Fraction(5, 12) * both + both * Fraction(13, 18))
    assert [(line["unit"], line["when"]) for line in told["plan"]] == [
        ("A", "whenever it can be used"),
        ("B", "whenever it can be used"),  # it cannot be where A has used it
    ]
    assert "there is no edition with commands" in complaint("aos", "budget", path, "--edition", "3e")
    assert complaint("aos", "budget", path) == "edition: it is needed: 4e or 4e_late"
    assert "a file that ends in .toml" in complaint("aos", "budget", str(tmp_path / "b.json"), "--demo")
