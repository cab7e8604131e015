"""A whole activation: against the naive way and brute force over orders, by hand, rolled, and what is not allowed.

By hand, of 36 throws of 2D6: 21 are 7 or more; of 216 throws of 3D6 the lowest two are so in 69, the highest in 174. An
injury is nothing worse than a Minor Hit in 15 of 36, Down in 11, out of action in 10.
"""

from __future__ import annotations

import itertools
import json
import random
import re
import subprocess
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any

import naive
import pytest
from stat_tools import surprise

import tcsim
from tcsim.base.errors import InputError
from tcsim.cli import main
from tcsim.rules import edition
from tcsim.scenario import model
from tcsim.situations import activation_file as file
from tcsim.situations.activation import ActivationResult

#: How often a check of counts fails for nothing.
FALSE_ALARM = 1e-6
HIT = {-1: Fraction(69, 216), 0: Fraction(21, 36), 1: Fraction(174, 216)}
STANDS, FALLS, DIES = Fraction(15, 36), Fraction(11, 36), Fraction(10, 36)
#: Attacks that take out whom they hit, and one that does so without a roll.
BLOW, SHOT = {"kind": "melee", "injury_modifier": 20}, {"kind": "ranged", "injury_modifier": 20}
SURE = {"kind": "melee", "keywords": ["AUTO-HIT"], "injury_modifier": 20}
CHARGE = {"charge": {"distance": 9}}  # 4 of 6 with Movement 6
REACHES = Fraction(4, 6)

Mappings = Mapping[str, Any]


def ask(steps: Sequence[Any], *attacks: Mappings, **rest: Any) -> ActivationResult:
    """An activation of a model with Movement 6; ``activation`` takes further fields of that table."""
    how = rest.pop("how", {})
    table = {"move": 6, "steps": list(steps), **rest.pop("activation", {})}
    return tcsim.activation({"target": {}, "attacks": list(attacks), "activation": table, **rest}, **how)


def near(number: float, fraction: Fraction | float) -> bool:
    return abs(number - float(fraction)) < 1e-12


# --- against the naive way, and every order against brute force ---------------------------------------------------


def random_activation(rng: random.Random) -> dict[str, Any]:
    """Up to six steps by numbers: what may be done in melee and before it, in an order that may be wrong."""
    attacks: list[dict[str, Any]] = []
    steps: list[Any] = []
    if rng.random() < 0.5:
        attacks.append({"kind": "ranged", "keywords": ["ASSAULT"], "cover": rng.random() < 0.5})
    for off_hand in (False, True):
        if rng.random() < 0.8:
            attack = {"kind": "melee", "off_hand": off_hand, "defended_obstacle": rng.random() < 0.5}
            attacks.append(attack | {"keywords": rng.choice(([], ["RISKY"], ["CRITICAL"])), "action_dice": 1})
    if not attacks:
        attacks.append({"kind": "melee"})
    steps += [f"attack {number}" for number in range(1, len(attacks) + 1)]
    steps += ["move in melee"] if rng.random() < 0.6 else []
    steps += [{"dash": {"action_dice": rng.randint(-1, 1)}}] if rng.random() < 0.6 else []
    steps += [{"charge": {"distance": rng.choice((7.5, 9, 12)), "bonus": rng.choice(("d6", "2d6kh1"))}}]
    rng.shuffle(steps)
    return {
        "edition": rng.choice(("1.6.3", "1.0.2")),
        "attacker": {"blood": rng.randrange(3)},
        "target": {"injury_modifier": -rng.randrange(3), "blood": rng.randrange(4), "tough": rng.random() < 0.3},
        "attacks": attacks,
        "spend": {
            "blood_on_injury": rng.choice(("none", "all", "greedy", "optimal")),
            "blood_on_action": rng.choice(("none", "all")),
        },
        "activation": {"move": 6, "steps": steps},
    }


def name_of(step: Any) -> str:
    return step if isinstance(step, str) else next(iter(step))


def may_be(order: Sequence[Any], data: Mappings) -> bool:
    """Whether an order is legal: dash and shots before contact, blows and moving in melee in it, off-hand last."""
    contact, main_hand, last = False, 0, ""
    for step in order:
        name = name_of(step)
        attack = data["attacks"][int(name[-1]) - 1] if name.startswith("attack") else {}
        if name in ("dash", "charge") or attack.get("kind") == "ranged":
            if contact:
                return False
        elif not contact:
            return False
        if attack.get("kind") == "melee":
            if main_hand == 2 and not attack.get("off_hand"):
                return False
            if data["edition"] == "1.0.2" and main_hand and last != "blow":
                return False  # one Fight ACTION, nothing between
            main_hand = 2 if attack.get("off_hand") else 1
        contact = contact or name == "charge"
        last = "blow" if attack.get("kind") == "melee" else name
    return True


def as_scenario(order: Sequence[Any], data: Mappings) -> dict[str, Any]:
    """The order written out as a scenario of attacks and events."""
    tables: list[dict[str, Any]] = []
    cleared = False
    for step in order:
        name = name_of(step)
        if name == "dash":
            tables.append({"event": "risky", **(step["dash"] if isinstance(step, dict) else {})})
        elif name == "charge":
            tables.append({"event": "charge", "move": 6, **step["charge"]})
        elif name == "move in melee":
            cleared = True
        else:
            attack = dict(data["attacks"][int(name[-1]) - 1])
            if cleared:
                attack.pop("defended_obstacle", None)
            tables.append(attack)
    return {**{key: value for key, value in data.items() if key != "activation"}, "attacks": tables}


def naive_out(scenario: Mappings) -> Fraction:
    return naive.final_states(scenario).get("out", Fraction(0)) if scenario["attacks"] else Fraction(0)


@pytest.mark.parametrize("seed", range(4))
def test_every_order_by_brute_force(seed: int) -> None:
    """Six activations a seed, both editions: every permutation, each answered by the naive way."""
    rng = random.Random(f"orders {seed}")
    for data in (random_activation(rng) for _ in range(6)):
        legal = [order for order in itertools.permutations(data["activation"]["steps"]) if may_be(order, data)]
        chances = sorted((naive_out(as_scenario(order, data)) for order in legal), reverse=True)
        if not legal:
            with pytest.raises(InputError):
                tcsim.activation(data, best_order=True)
            continue
        result = tcsim.activation(data, best_order=True)
        assert result.legal_orders == len(legal), data
        best = [chance for chance in chances if chances[0] - chance < 1e-12]
        assert near(result.orders[0].out, chances[0])
        assert result.orders[0].orders == len(best)
        assert all(near(row.out, chance) for row, chance in zip(result.orders, _apart(chances), strict=False))
        if len(_apart(chances)) <= 10:
            assert sum(row.orders for row in result.orders) == len(legal)


def _apart(chances: Sequence[Fraction]) -> list[Fraction]:
    """The chances that differ, in their order."""
    found: list[Fraction] = []
    for chance in chances:
        if not found or found[-1] - chance > 1e-12:
            found.append(chance)
    return found


@pytest.mark.parametrize("seed", range(4))
def test_every_point_against_the_naive_way(seed: int) -> None:
    """Whether a step is reached is whether a certain kill put in its place kills; a dozen legal orders a seed."""
    rng, done = random.Random(f"points {seed}"), 0
    kill = {"kind": "ranged", "keywords": ["AUTO-HIT", "IGNORE ARMOUR"], "injury_modifier": 20}
    while done < 12:
        data = random_activation(rng)
        data["target"]["tough"] = False
        data["spend"]["blood_on_injury"] = "all"  # what is planned would depend on the kill
        order = data["activation"]["steps"]
        if not may_be(order, data):
            with pytest.raises(InputError):
                tcsim.activation(data)
            continue
        done += 1
        result = tcsim.activation(data)
        for number, point in enumerate(result.points):
            before, after = (as_scenario(order[: number + more], data) for more in (0, 1))
            killed = naive_out({**before, "attacks": [*before["attacks"], kill]}) - naive_out(before)
            assert near(point.reached, killed), (data, number)
            assert near(point.out, naive_out(after))
            downs = naive.final_states(after).items() if after["attacks"] else ()
            assert near(point.down, sum((p for end, p in downs if end != "out" and end[0]), Fraction(0)))
            goes_on = naive_out({**after, "attacks": [*after["attacks"], kill]})
            assert near(point.goes_on, goes_on - naive_out(before))


# --- by hand ------------------------------------------------------------------------------------------------------


def test_dash_charge_and_a_blow() -> None:
    result = ask(["dash", CHARGE, "attack 1"], BLOW)
    dash, charge, blow = result.points
    assert near(charge.reached, HIT[0])
    assert near(blow.reached, HIT[0] * REACHES)
    assert near(dash.ends, 1 - HIT[0])
    assert near(charge.ends, HIT[0] * (1 - REACHES))
    assert near(charge.goes_on, HIT[0] * REACHES)
    assert blow.ends == 0
    assert near(result.out_of_action, HIT[0] * REACHES * HIT[0])
    assert near(result.ended_early, 1 - HIT[0] * REACHES)
    assert result.down == 0


def test_moving_in_melee_takes_the_obstacle_away() -> None:
    """Where it comes before the blow, -1 DICE is gone."""
    behind = {**BLOW, "defended_obstacle": True}
    assert near(ask([CHARGE, "attack 1", "move in melee"], behind).out_of_action, REACHES * HIT[-1])
    assert near(ask([CHARGE, "move in melee", "attack 1"], behind).out_of_action, REACHES * HIT[0])
    best = ask([CHARGE, "attack 1", "move in melee"], behind, how={"best_order": True})
    assert best.legal_orders == 2
    assert best.orders[0].steps == ("charge", "move in melee", "attack 1: melee attack")
    assert [row.orders for row in best.orders] == [1, 1]


def test_a_down_attacker_in_1_6_3() -> None:
    """It fights on at -1 DICE, or tries to stand, which is RISKY and at -1 itself; it does not move, by default."""
    down = {"attacker": {"down": True}}
    melee, may = {"in_melee": True}, {"in_melee": True, "move_after_standing": True}
    assert near(ask(["attack 1"], BLOW, **down, activation=melee).out_of_action, HIT[-1])
    assert near(ask(["stand", "attack 1"], BLOW, **down, activation=melee).out_of_action, HIT[-1] * HIT[0])
    behind = {**BLOW, "defended_obstacle": True}
    moved = ask(["stand", "move in melee", "attack 1"], behind, **down, activation=may)
    assert near(moved.out_of_action, HIT[-1] * HIT[0])
    # Movement halved, the die not: 3 + D6
    table = {"move_after_standing": True}
    charged = ask(["stand", {"charge": {"distance": 5}}, "attack 1"], SURE, **down, activation=table)
    assert near(charged.out_of_action, HIT[-1] * Fraction(5, 6))
    best = ask(["stand", "attack 1"], BLOW, **down, activation=melee, how={"best_order": True})
    assert [row.steps for row in best.orders] == [
        ("attack 1: melee attack", "stand"),
        ("stand", "attack 1: melee attack"),
    ]


def test_a_down_attacker_in_1_0_2() -> None:
    """It stands as it is activated: no -1 DICE, and all of a charge is halved: (6 + D6) / 2."""
    down = {"edition": "1.0.2", "attacker": {"down": True}}
    charged = ask(["dash", {"charge": {"distance": 5}}, "attack 1"], BLOW, **down)
    assert near(charged.out_of_action, HIT[0] * Fraction(3, 6) * HIT[0])
    # as an option of 1.6.3: the Movement halved, the die not
    given = {"attacker": {"down": True}, "activation": {"stand_at": "activation"}}
    charged = ask(["dash", {"charge": {"distance": 5}}, "attack 1"], BLOW, **given)
    assert near(charged.out_of_action, HIT[0] * Fraction(5, 6) * HIT[0])


def test_one_that_stood_up_as_the_turn_began() -> None:
    charge = [{"charge": {"distance": 5}}, "attack 1"]
    assert near(ask(charge, SURE, activation={"stood_up": True}).out_of_action, Fraction(5, 6))
    assert near(ask(charge, SURE, activation={"stood_up": True}, edition="1.0.2").out_of_action, Fraction(3, 6))


def test_charges_that_begin_with_a_risky_roll() -> None:
    """Diving: +1 DICE, in 1.6.3 on all blows and with an injury die, in 1.0.2 on the next one. Unseen: only a roll."""
    dive = {"charge": {"distance": 9, "diving": True}}
    first, second = BLOW, {**BLOW, "off_hand": True}
    assert near(ask([dive, "attack 1"], first).out_of_action, HIT[0] * REACHES * HIT[1])
    both = [dive, "attack 1", "attack 2"]
    reaches = HIT[0] * REACHES
    assert near(ask(both, first, second).out_of_action, reaches * (HIT[1] + (1 - HIT[1]) * HIT[0]))
    in_102 = ask(both, first, second, edition="1.0.2").out_of_action
    assert near(in_102, reaches * (HIT[1] + (1 - HIT[1]) * HIT[-1]))
    # the injury die of 1.6.3, by a blow that only hits: 3D6, highest two, 9 or more in 113 of 216
    plain = {"kind": "melee", "keywords": ["AUTO-HIT"]}
    assert near(ask([dive, "attack 1"], plain).out_of_action, HIT[0] * REACHES * Fraction(113, 216))
    assert near(ask([dive, "attack 1"], plain, edition="1.0.2").out_of_action, HIT[0] * REACHES * DIES)
    unseen = {"charge": {"distance": 9, "out_of_sight": True, "action_dice": 1}}
    assert near(ask([unseen, "attack 1"], SURE).out_of_action, HIT[1] * REACHES)
    again = {"charge": {"distance": 9, "out_of_sight": True, "diving": True}}
    assert near(ask([again, "attack 1"], SURE).out_of_action, HIT[0] * HIT[0] * REACHES)


def test_shaken() -> None:
    """1.6.3: every ACTION is risky, moving too, and one that needs no roll; 1.0.2: every roll is."""
    melee = {"in_melee": True, "shaken": True}
    two = [BLOW, {**BLOW, "off_hand": True, "action_dice": 1}]
    second_needs_first = HIT[0]  # a missed first blow ends it
    assert near(ask(["attack 1", "attack 2"], *two, activation=melee).out_of_action, second_needs_first)
    assert near(ask(["attack 1", "attack 2"], *two, activation=melee, edition="1.0.2").out_of_action, HIT[0])
    moved = ["move in melee", "attack 1"]
    assert near(ask(moved, BLOW, activation=melee).out_of_action, HIT[0] * HIT[0])
    assert near(ask(moved, BLOW, activation=melee, edition="1.0.2").out_of_action, HIT[0])
    assert near(ask(["attack 1"], SURE, activation=melee).out_of_action, HIT[0])
    assert near(ask(["attack 1"], SURE, activation=melee, edition="1.0.2").out_of_action, 1)
    with pytest.raises(InputError, match="a Shaken model does not charge"):
        ask([CHARGE, "attack 1"], BLOW, activation={"shaken": True})
    assert near(ask([CHARGE, "attack 1"], SURE, activation={"shaken": True}, edition="1.0.2").out_of_action, REACHES)


def retreat(*free: Mappings, **more: Any) -> dict[str, Any]:
    return {"retreat": {"free_attacks": list(free), **more}}


#: A free attack that hits for certain.
FREE = {"keywords": ["AUTO-HIT"]}


def test_retreat_then_a_shot() -> None:
    """1.0.2: Down ends the activation. 1.6.3: Down it shoots at -1 DICE, or tries to stand first."""
    melee = {"in_melee": True}
    steps = [retreat(FREE), "attack 1"]
    in_102 = ask(steps, SHOT, activation=melee, edition="1.0.2")
    assert near(in_102.out_of_action, STANDS * HIT[0])
    assert near(in_102.points[0].ends, FALLS + DIES)
    in_163 = ask(steps, SHOT, activation=melee)
    assert near(in_163.out_of_action, STANDS * HIT[0] + FALLS * HIT[-1])
    assert near(in_163.points[0].ends, DIES)
    assert near(in_163.points[1].reached, STANDS + FALLS)
    up = ask([retreat(FREE), "stand", "attack 1"], SHOT, activation=melee)
    assert near(up.points[1].reached, FALLS)
    assert near(up.points[1].ends, FALLS * (1 - HIT[-1]))
    assert near(up.out_of_action, STANDS * HIT[0] + FALLS * HIT[-1] * HIT[0])
    # a dash is not taken while it lies; what is said of the second step is of a model that stands
    dash = ask([retreat(FREE), "dash", "attack 1"], SHOT, activation=melee)
    assert near(dash.points[1].reached, STANDS)
    assert near(dash.out_of_action, STANDS * HIT[0] * HIT[0] + FALLS * HIT[-1])
    # and then it does not charge, so its blow has nobody to strike
    back = ask([retreat(FREE), {"charge": {"distance": 6}}, "attack 1"], SURE, activation=melee)
    assert near(back.out_of_action, STANDS)


def test_retreat_from_nobody_and_from_two() -> None:
    melee = {"in_melee": True}
    assert near(ask([retreat(), "attack 1"], SHOT, activation=melee).out_of_action, HIT[0])
    two = ask([retreat(FREE, FREE), "attack 1"], SHOT, activation=melee, edition="1.0.2")
    assert near(two.out_of_action, STANDS * STANDS * HIT[0])  # no marker is spent
    tough = retreat({**FREE, "injury_modifier": 20}, model={"tough": True})
    assert near(ask([tough, "attack 1"], SHOT, activation=melee).out_of_action, HIT[-1])
    blow = ask(["attack 1", retreat(FREE)], BLOW, activation=melee)
    assert near(blow.points[1].reached, 1 - HIT[0])  # not from a target that is out
    assert near(blow.points[1].ends, (1 - HIT[0]) * DIES)


def test_a_retreating_model_is_what_the_attacker_is() -> None:
    """By name: its armour counts against the free attack, whose dice are those of the target's unit."""
    attacker = {"unit": "Heretic Trooper", "armour": ["Standard Armour"]}
    free = {"attacker": {"unit": "Yeoman"}, "target": attacker, "attacks": [{"kind": "melee"}]}
    dies = dict(tcsim.odds(free).states)[None]
    data = {"attacker": attacker, "target": {"unit": "Yeoman"}, "attacks": [SHOT], "edition": "1.0.2"}
    data["activation"] = {"steps": [retreat({}), "attack 1"], "in_melee": True}
    found = tcsim.activation({**data, "edition": "1.6.3"})
    assert near(found.points[0].ends, dies)
    free["edition"] = "1.0.2"
    falls = sum(p for state, p in tcsim.odds(free).states if state is None or state.down)
    assert near(tcsim.activation(data).points[0].ends, falls)


def test_movement_and_die_by_name() -> None:
    """Shocktroopers charge with the higher of two dice; HEAVY weapons take the die in 1.0.2, unless one is STRONG."""
    shock = {"attacker": {"unit": "Shocktrooper @new-antioch"}, "target": {}, "attacks": [SURE]}
    shock["activation"] = {"steps": [CHARGE, "attack 1"]}
    assert near(tcsim.activation(shock).out_of_action, 1 - Fraction(4, 36))
    heavy = {**SURE, "keywords": ["AUTO-HIT", "HEAVY"]}
    assert near(ask([CHARGE, "attack 1"], heavy).out_of_action, REACHES)
    with pytest.raises(InputError, match="out of reach"):
        ask([CHARGE, "attack 1"], heavy, edition="1.0.2")
    strong = {"edition": "1.0.2", "attacker": {"keywords": ["STRONG"]}}
    assert near(ask([CHARGE, "attack 1"], heavy, **strong).out_of_action, REACHES)


@pytest.mark.parametrize(
    ("unit", "abilities", "step", "dice"),
    [
        ("Hound of the Black Grail @black-grail", [], "dash", 1),
        ("mercenaries-mercy-dog", [], "jump", 1),  # Four Paws: dash, jump and diving charge
        ("mercenaries-mercy-dog", [], "climb", 0),
        ("Heretic Trooper", [], "dash", 0),
        ("iron-sultanate-fidai-master-assassin", ["Thunderbolt of Alamut"], "dash", 1),
    ],
)
def test_abilities_about_what_is_no_attack(unit: str, abilities: list[str], step: str, dice: int) -> None:
    attacker = {"unit": unit, "abilities": abilities}
    data = {"attacker": attacker, "target": {}, "attacks": [SURE], "activation": {"steps": [step, CHARGE, "attack 1"]}}
    assert near(tcsim.activation(data).points[0].goes_on, HIT[dice])


def test_abilities_about_movement() -> None:
    """Two inches more, no halving after standing up, and no dash."""
    data = {"attacker": {"unit": "iron-sultanate-fidai-master-assassin"}, "target": {}, "attacks": [SURE]}
    data["activation"] = {"steps": [{"charge": {"distance": 12}}, "attack 1"]}
    move = 6
    assert near(tcsim.activation(data).out_of_action, Fraction(7 - (12 - move), 6))
    data["attacker"]["abilities"] = ["Thunderbolt of Alamut"]
    assert near(tcsim.activation(data).out_of_action, Fraction(7 - (10 - move), 6))
    witch = {"unit": "heretic-legions-artillery-witch"}
    climb = {"target": {}, "attacks": [SHOT], "activation": {"steps": ["climb", "attack 1"]}}
    assert tcsim.activation({**climb, "attacker": witch}).points[0].ends == 0
    assert near(tcsim.activation(climb).points[0].ends, 1 - HIT[0])
    with pytest.raises(InputError, match="dash: Dignified Conduct does not let it dash"):
        ask(["dash", "attack 1"], SHOT, attacker={"unit": "mercenaries-witchburner"})
    nimble = {"edition": "1.0.2", "attacker": {"down": True, "abilities": ["Nimble"]}}
    assert near(ask([CHARGE, "attack 1"], SURE, **nimble).out_of_action, REACHES)


def test_an_assault_weapon_shoots_once_before_a_charge_in_1_6_3() -> None:
    """The Automatic Pistol has two shots; the source text lets it fire one of them."""
    shot = {"weapon": "automatic-pistol", "action_dice": 0}
    alone = tcsim.odds({"target": {}, "attacks": [{**shot, "shots": 1}]}).out_of_action
    both = tcsim.odds({"target": {}, "attacks": [shot]}).out_of_action
    assert near(ask(["attack 1", CHARGE, "attack 2"], shot, BLOW).points[0].out, alone)
    assert near(ask(["attack 1"], shot).points[0].out, both)
    assert alone < both


# --- rolled -------------------------------------------------------------------------------------------------------


def test_rolled_against_exact() -> None:
    """Every number of every step of activations of all kinds; it fails for nothing once in a million runs."""
    trials, surprises = 40_000, []
    rng = random.Random("rolled activations")
    given: list[dict[str, Any]] = []
    while len(given) < 8:
        data = random_activation(rng)
        given += [data] if may_be(data["activation"]["steps"], data) else []
    melee = {"in_melee": True}
    for steps, more in (
        ([retreat(FREE), "stand", "attack 1"], melee),
        (["move in melee", retreat({"action_dice": 1}, {})], {"in_melee": True, "shaken": True}),
        ([{"charge": {"distance": 8, "diving": True}}, "attack 2", "attack 3"], {}),
    ):
        steps = steps if "attack 1" in steps or "attack 2" in steps else [*steps, "attack 1"]
        attacks = [{"kind": "ranged"}, {"kind": "melee"}, {"kind": "melee", "off_hand": True}]
        given.append({"target": {"blood": 2}, "attacks": attacks, "activation": {"move": 6, "steps": steps, **more}})
    given.append({**given[-3], "edition": "1.0.2"})
    given[-1]["activation"] = {**given[-1]["activation"], "steps": [retreat(FREE), "attack 1"]}
    for seed, data in enumerate(given):
        exact = tcsim.activation(data)
        rolled = tcsim.activation(data, "monte-carlo", trials=trials, seed=seed)
        assert (rolled.method, rolled.trials, rolled.seed) == ("monte_carlo", trials, seed)
        for chances, counts in zip(exact.points, rolled.points, strict=True):
            assert chances.step == counts.step
            for chance, count in zip(chances[1:], counts[1:], strict=True):
                assert count == int(count)
                surprises.append(surprise(int(count), trials, min(chance, 1.0)))
    assert min(surprises) > FALSE_ALARM / len(surprises)


def test_rolling_repeats_with_its_seed() -> None:
    first, again, other = (
        ask(["dash", "attack 1"], SHOT, how={"method": "monte-carlo", "trials": 5000, "seed": seed}).points
        for seed in (3, 3, 4)
    )
    assert first == again != other


# --- what is told -------------------------------------------------------------------------------------------------


def test_an_illegal_order_is_put_right_by_the_best_one() -> None:
    steps = ["attack 1", CHARGE]
    with pytest.raises(InputError, match=r"activation\.steps\[0\]: attack 1: melee attack is melee, and nothing"):
        ask(steps, BLOW)
    result = ask(steps, BLOW, how={"best_order": True})
    assert [point.step for point in result.points] == ["charge", "attack 1: melee attack"]
    assert result.notes[0].startswith("The order given is not legal (activation.steps[0]: attack 1:")


def test_what_has_to_come_first() -> None:
    """A shot that needs a dash for its line of sight: without saying so, it is best before."""
    free = ask(["dash", "attack 1"], SHOT, how={"best_order": True})
    bound = ask(["dash", {"attack 1": {"after": ["dash"]}}], SHOT, how={"best_order": True})
    assert (free.legal_orders, bound.legal_orders) == (2, 1)
    assert near(free.orders[0].out, HIT[0])
    assert near(bound.orders[0].out, HIT[0] * HIT[0])
    labelled = [{"risky": {"label": "cut the wire"}}, {"attack 1": {"after": ["Cut the wire"]}}]
    assert ask(labelled, SHOT, how={"best_order": True}).legal_orders == 1


def test_of_equally_good_orders_the_one_that_ends_early_least_is_told() -> None:
    """Of two risky actions after the blow it does not matter which is first; the given one is told."""
    steps = [CHARGE, "attack 1", {"risky": {"label": "b"}}, {"risky": {"label": "a"}}]
    result = ask(steps, BLOW, how={"best_order": True})
    assert result.orders[0].steps == ("charge", "attack 1: melee attack", "b", "a")
    assert result.orders[0].orders == 2


def test_as_data() -> None:
    data = ask(["dash", CHARGE, "attack 1"], BLOW, how={"best_order": True}, id="x").to_dict()
    assert json.loads(json.dumps(data)) == data
    assert (data["id"], data["edition"], data["method"]) == ("x", "1.6.3", "exact")
    assert [point["step"] for point in data["points"]] == ["dash", "charge", "attack 1: melee attack"]
    assert near(data["out_of_action"], HIT[0] * REACHES * HIT[0])
    assert data["best_orders"][0]["orders"] == 1
    rolled = ask(["dash", "attack 1"], SHOT, how={"method": "monte-carlo", "trials": 1000}).to_dict()
    assert rolled["points"][0]["counts"]["reached"] == 1000
    low, high = rolled["points"][1]["intervals"]["reached"]
    assert 0 < low < rolled["points"][1]["reached"] < high < 1
    assert rolled["points"][1]["counts"]["goes_on"] == rolled["points"][1]["counts"]["reached"]


# --- what is not allowed ------------------------------------------------------------------------------------------

HEAVY, RELOAD = {**SHOT, "keywords": ["HEAVY"]}, {**SHOT, "keywords": ["RELOAD"]}
OFF = {**BLOW, "off_hand": True}
IN_MELEE = {"in_melee": True}


@pytest.mark.parametrize(
    ("steps", "attacks", "more", "words"),
    [
        (["dash", "dash", "attack 1"], [SHOT], {}, "steps[1]: dash: each ACTION is taken once"),
        (["attack 1", "attack 1"], [SHOT], {}, "attack 1: it has been made"),
        (
            ["attack 1", "attack 2"],
            [SHOT, SHOT],
            {},
            "attack 2: each ACTION is taken once in an activation, and it has",
        ),
        (["attack 1"], [{**SHOT, "times": 2}], {}, "say the attacks within it as shots"),
        (["attack 1"], [{**BLOW, "times": 2}], IN_MELEE, "say the attacks within it as shots"),
        (["attack 1"], [BLOW], {}, "nothing has brought it into contact"),
        (["attack 1"], [SHOT], IN_MELEE, "nobody shoots in melee"),
        (["dash", "attack 1"], [BLOW], IN_MELEE, 'it is in melee; take "move in melee" or "retreat"'),
        (["move in melee", "attack 1"], [SHOT], {}, "it is not in melee"),
        ([retreat(), "attack 1"], [SHOT], {}, "it is not in melee"),
        (["move", "attack 1", CHARGE, "move in melee"], [{**SHOT, "keywords": ["ASSAULT"]}], {}, "and move has been"),
        (["attack 1", CHARGE], [SHOT], {}, "is not ASSAULT, so it is not shot in one activation with a charge"),
        ([CHARGE, retreat(), "attack 1"], [{**SHOT, "keywords": ["ASSAULT"]}], {}, "shoots first"),
        (["move", "attack 1"], [HEAVY], {}, "is HEAVY, and is not shot in one activation with it"),
        (["attack 1", "dash"], [HEAVY], {}, "is HEAVY"),
        (["attack 1", "dash"], [RELOAD], {}, "is a RELOAD weapon, the activation ends with its shot"),
        (["attack 1", "attack 2"], [OFF, BLOW], IN_MELEE, "the off-hand weapon strikes last"),
        (["attack 1", "attack 2", "attack 3"], [BLOW, BLOW, OFF], IN_MELEE, "it fights with 2 melee weapons"),
        (["stand", "attack 1"], [SHOT], {}, "the attacker is not Down; say down = true"),
        (
            [{"charge": {"distance": 12.5}}, "attack 1"],
            [BLOW],
            {},
            "activation.steps[0].distance: 12.5 inches are given",
        ),
        (
            ["dash", {"charge": {"distance": 12, "bonus": "d3"}}, "attack 1"],
            [BLOW],
            {},
            "steps[1].distance: 12 inches are",
        ),
        ([{"attack 1": {"after": ["dash"]}}, "dash"], [SHOT], {}, "steps[0]: attack 1: it is said to come after dash"),
        (["dash"], [SHOT], {}, "activation.steps: at least one step is an attack"),
        ([], [SHOT], {}, "0 steps are given, 1 to 20"),
        (["attack 2"], [SHOT], {}, '"attack 2" is given, attack 1 is allowed'),
        (["attack one"], [SHOT], {}, '"attack one" is given, attack 1 is allowed'),
        (["dahs", "attack 1"], [SHOT], {}, 'did you mean "dash"?'),
        ([1, "attack 1"], [SHOT], {}, "activation.steps[0]: 1 is given, a name or a table with one name"),
        ([{"dash": {}, "charge": {}}, "attack 1"], [SHOT], {}, "a table with one name"),
        ([{"dash": 1}, "attack 1"], [SHOT], {}, "activation.steps[0]: 1 is given, a table is allowed"),
        ([{"dash": {"distance": 1}}, "attack 1"], [SHOT], {}, 'there is no field "distance"'),
        ([{"charge": {}}, "attack 1"], [BLOW], {}, "activation.steps[0].distance: it is missing"),
        (["charge", "attack 1"], [BLOW], {}, "activation.steps[0].distance: it is missing"),
        ([{"charge": {"distance": 7, "action_dice": 1}}, "attack 1"], [BLOW], {}, "goes with diving or out_of_sight"),
        (["retreat", "attack 1"], [SHOT], IN_MELEE, "activation.steps[0].free_attacks: it is missing"),
        ([retreat({"kind": 1}), "attack 1"], [SHOT], IN_MELEE, "steps[0].free_attacks[0].kind: 1 is given"),
        ([retreat({"weapon": "Swrd"}), "attack 1"], [SHOT], IN_MELEE, "in the free attacks of the retreat"),
        ([{"attack 1": {"after": ["dsah"]}}, "dash"], [SHOT], {}, 'did you mean "dash"?'),
        (["attack 1"], [SHOT], {"shaken": 1}, "activation.shaken: 1 is given, true or false"),
        (["attack 1"], [SHOT], {"melee_attacks": True}, "a whole number from 1 to 10"),
        (["attack 1"], [SHOT], {"bogus": 1}, 'there is no field "bogus"'),
        (["attack 1"], [{"event": "stand"}], {}, "attacks[0]: an event is given"),
    ],
)
def test_what_is_not_allowed(steps: list[Any], attacks: list[Any], more: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError) as error:
        ask(steps, *attacks, activation=more)
    assert words in str(error.value)
    assert "\n" not in str(error.value)


DOWN_ATTACKER = {"attacker": {"down": True}}


@pytest.mark.parametrize(
    ("steps", "attacks", "rest", "words"),
    [
        # 1.6.3: a Down model does not move, nor does one that has stood up by a roll
        (["dash", "attack 1"], [SHOT], DOWN_ATTACKER, "a Down model does not move"),
        (["stand", "dash", "attack 1"], [SHOT], DOWN_ATTACKER, "move_after_standing = false"),
        # 1.0.2: it stands without a roll; both melee weapons in one ACTION; all that HEAVY and shots go not with
        (["stand", "attack 1"], [SHOT], {**DOWN_ATTACKER, "edition": "1.0.2"}, "stands as it is activated"),
        (
            ["attack 1", "move in melee", "attack 2"],
            [BLOW, OFF],
            {"edition": "1.0.2", "activation": IN_MELEE},
            "both melee weapons strike in one Fight ACTION",
        ),
        (["attack 1", retreat()], [HEAVY], {"edition": "1.0.2", "activation": IN_MELEE}, "nobody shoots in melee"),
        ([retreat(), "attack 1"], [HEAVY], {"edition": "1.0.2", "activation": IN_MELEE}, "is HEAVY"),
        (
            ["attack 2", retreat(), "attack 1"],
            [SHOT, BLOW],
            {"edition": "1.0.2", "activation": IN_MELEE},
            "is not ASSAULT, so it is not shot in one activation with a fight",
        ),
        (
            [{"charge": {"distance": 7, "out_of_sight": True}}, "attack 1"],
            [BLOW],
            {"edition": "1.0.2"},
            "1.0.2 has no charge at a target out of sight",
        ),
    ],
)
def test_what_an_edition_does_not_allow(steps: list[Any], attacks: list[Any], rest: Mappings, words: str) -> None:
    with pytest.raises(InputError) as error:
        ask(steps, *attacks, **dict(rest))
    assert words in str(error.value)


def test_what_the_other_edition_allows() -> None:
    """The same steps: melee weapons with a move between, HEAVY with a retreat, and a blow before a shot, in 1.6.3."""
    assert ask(["attack 1", "move in melee", "attack 2"], BLOW, OFF, activation=IN_MELEE).points
    assert ask([retreat(), "attack 1"], HEAVY, activation=IN_MELEE).points
    assert ask(["attack 2", retreat(), "attack 1"], SHOT, BLOW, activation=IN_MELEE).points
    strong = {"attacker": {"keywords": ["STRONG"]}}
    assert ask(["dash", "attack 1"], HEAVY, edition="1.0.2", **strong).points
    with pytest.raises(InputError, match="HEAVY"):
        ask(["dash", "attack 1"], HEAVY, **strong)
    assert ask(
        ["attack 1", "attack 2", "attack 3"], BLOW, BLOW, OFF, activation={**IN_MELEE, "melee_attacks": 3}
    ).points
    grenades = {**SHOT, "keywords": ["GRENADE"], "times": 2, "carried": 2}
    assert ask(["attack 1"], grenades).points


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (1, "an activation is a table with target, attacks and activation, 1 is given"),
        ({"target": {}, "attacks": [{}]}, "activation: it is missing; it says the steps"),
        ({"target": {}, "attacks": [{}], "activation": {}}, "activation.steps: it is missing"),
        ({"target": {}, "attacks": [{}], "activation": []}, "activation: an array is given, a table is allowed"),
        ({"target": {}, "attacks": [{}], "activation": {"steps": "dash"}}, "activation.steps"),
        ({"target": {}, "attacks": [{"cover": 1}], "activation": {"steps": ["attack 1"]}}, "attacks[0].cover: 1 is"),
        ({"attacks": [{}], "activation": {"steps": ["attack 1"]}}, "target: it is missing"),
    ],
)
def test_what_is_no_activation(data: Any, words: str) -> None:
    with pytest.raises(InputError) as error:
        tcsim.activation(data)
    assert words in str(error.value)


def test_what_is_no_way_to_answer() -> None:
    for how, words in (
        ({"method": "exactly"}, 'did you mean "exact"?'),
        ({"method": 1}, "method: 1 is given"),
        ({"trials": 5}, "it goes with the method monte-carlo"),
        ({"method": "monte-carlo", "trials": 0}, "trials: 0 is given"),
        ({"method": "monte-carlo", "trials": 5, "seed": True}, "seed: true is given"),
    ):
        with pytest.raises(InputError) as error:
            ask(["attack 1"], SHOT, how=how)
        assert words in str(error.value)
    with pytest.raises(InputError, match="more than 5,040 orders"):
        ask(["risky"] * 7 + ["attack 1"], SHOT, how={"best_order": True})


def test_exact_answers_load_nothing_heavy() -> None:
    asked = {"target": {}, "attacks": [SHOT], "activation": {"steps": ["dash", "attack 1"]}}
    code = f"import tcsim, sys; tcsim.activation({asked!r}, best_order=True); print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True
    ).stdout.split()
    assert "tcsim.situations.activation" in loaded
    assert not {"numba", "pandas", "matplotlib"} & set(loaded)


def test_a_label_is_one_line_that_can_be_printed() -> None:
    steps = [{"risky": {"label": "cut:\x1b[31m\nwire"}}, "attack 1"]
    assert ask(steps, SHOT).points[0].step == "cut:?[31m?wire"


def test_every_reading_has_a_source() -> None:
    for name in ("1.6.3", "1.0.2"):
        rules = edition(name)
        assert all(rules.cited[f"activation.{key}"] for key in rules.activation)
    assert edition("1.6.3").activation.keys() == edition("1.0.2").activation.keys()


def test_the_docs_say_every_field() -> None:
    written = (Path(__file__).parents[1] / "docs" / "activation.md").read_text(encoding="utf-8")
    for kind in (file.ActivationTable, file.Charged, file.Retreated, file.Plain):
        assert not [name for name in model.fields(kind) if not re.search(rf"\b{name}\b", written)]
    assert all(f"`{name}`" in written for name in file.KINDS)


# --- the command line ---------------------------------------------------------------------------------------------

FILE = """
[target]
armour = ["Standard Armour"]
[[attacks]]
weapon = "Sword / Axe"
defended_obstacle = true
[activation]
move = 6
steps = ["dash", {charge = {distance = 9}}, "attack 1", "move in melee"]
"""


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["activation", *arguments]) == 0
    return capsys.readouterr().out


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.toml"
    path.write_text(FILE, encoding="utf-8")
    said = run(capsys, str(path), "--best-order")
    assert "Ended early    61.1%" in said
    assert "charge > move in melee > attack 1" in said
    assert max(map(len, said.splitlines())) <= 80
    data = json.loads(run(capsys, str(path), "--best-order", "--json"))
    assert near(data["points"][2]["reached"], HIT[0] * REACHES)
    rolled = run(capsys, str(path), "--method", "monte-carlo", "--trials", "1e4", "--seed", "2")
    assert "10,000 trials rolled, seed 2" in rolled
    assert "points (95%)" in rolled
    flags = [
        "--attack",
        "Sword / Axe,defended_obstacle",
        "--armour",
        "Standard Armour",
        "--move",
        "6",
        "--step",
        "dash",
    ]
    flags += ["--step", "charge,distance=9", "--step", "attack 1", "--step", "move in melee", "--best-order", "--json"]
    assert json.loads(run(capsys, *flags)) == data
    nearer = json.loads(run(capsys, str(path), "--step", "charge,distance=6", "--step", "attack 1", "--json"))
    assert near(nearer["points"][1]["reached"], 1)
    begun = ["--attack", "melee", "--in-melee", "--shaken", "--step", "attack 1", "--json"]
    assert near(json.loads(run(capsys, *begun))["ended_early"], 1 - HIT[0])
    korean = run(capsys, str(path), "--best-order", "--lang", "ko")
    assert {"돌격", "진격", "단병접전"} <= set(korean.split())
    assert not re.findall(r"\b(?:reached|charge|dash|melee|order|ties|early|Down)\b", korean)


def test_command_says_what_is_wrong(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "one.toml"
    path.write_text(FILE.replace('"dash"', '"dash", "dash"'), encoding="utf-8")
    strange = tmp_path / "strange.json"
    strange.write_text('{"target": 5, "attacks": [{}], "activation": 1}', encoding="utf-8")
    for arguments, words in (
        ((str(strange), "--tough", "--step", "dash"), "target: 5 is given, a table is allowed"),
        ((str(path),), "activation.steps[1]: dash: each ACTION is taken once"),
        ((str(tmp_path / "none.toml"),), "cannot be read"),
        ((), "give a file, or --attack and --step"),
        (("--attack", "ranged", "--step", "dash,"), "--step 1: there is nothing after a comma"),
        (("--attack", "ranged", "--step", "attack 1,bogus"), 'there is no field "bogus"'),
        ((str(path), "--seed", "1"), "--seed: it goes with --method monte-carlo"),
        ((str(path), "--trials", "1"), "--trials: it goes with --method monte-carlo"),
    ):
        assert main(["activation", *arguments]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert words in said.err
        assert said.err.count("\n") == 1
