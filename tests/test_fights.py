"""Situations around a fight: exact, rolled, and the naive way; who is attacked, and what hangs together."""

from __future__ import annotations

import itertools
import json
import math
import random
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import naive_fights as naive
import pytest
from naive import OUT, Final, Target, as_final
from stat_tools import surprise
from test_cli import run

import tcsim
from tcsim.base.errors import InputError
from tcsim.base.lang import retold, speaking
from tcsim.catalog import catalog
from tcsim.dice import Pool
from tcsim.questions.question import PROBABILITY, read_pairs
from tcsim.questions.rolling import Dice
from tcsim.rules import editions
from tcsim.scenario.written import read_attack, read_keys, read_model, write
from tcsim.situations import ASK, kinds
from tcsim.situations.mishaps import fall_dice
from tcsim.situations.numbers import fights
from tcsim.situations.tree import Course, Model, exact, pool_roll

EDITIONS = ("1.6.3", "1.0.2")
#: The questions of this file.
FIGHTS = (
    "shoot_into_melee", "blast", "retreat", "two_weapons", "obstacle", "fall", "ledge", "dangerous_terrain", "mine"
)  # fmt: skip

Told = dict[str, Fraction]


def asked(name: str, edition: str, **inputs: Any) -> Told:
    """All exact answers."""
    reply = tcsim.ask(name, edition=edition, **inputs)
    return {answer: reply[answer] for answer in reply.answers}


def chance(joint: naive.Joint, holds: Callable[[tuple[Final, ...]], bool]) -> Fraction:
    return sum((p for ends, p in joint.items() if holds(ends)), Fraction(0))


def outs(ends: tuple[Final, ...]) -> int:
    return sum(end == OUT for end in ends)


def is_down(end: Final) -> bool:
    return end != OUT and bool(end[0])


# --- exact and rolled -----------------------------------------------------------------------------------------


def questions() -> list[tuple[str, str, dict[str, Any]]]:
    """The examples of all questions in every edition, and some that ask for more."""
    found: list[tuple[str, str, dict[str, Any]]] = []
    for name in FIGHTS:
        question = ASK.question(name)
        for edition, example in itertools.product(question.editions or EDITIONS, question.examples):
            found.append((name, edition, dict(read_pairs(example.split(), question))))
    for edition in EDITIONS:
        found += [
            ("shoot_into_melee", edition, MANY_SHOTS),
            ("blast", edition, {**MARKED_BLAST, "rolls": "each"}),
            ("blast", edition, {**MARKED_BLAST, "rolls": "one"}),
            ("blast", edition, {"attack": "ranged,SCATTER", "at_point": True, "caught": "3:1+3", "rolls": "one"}),
        ]
    return found


MANY_SHOTS = {
    "attack": "ranged,shots=3,RISKY,FIRE",
    "attacker": "blood=1,blessing=2",
    "enemies": "injury_modifier=-1,blood=3 // tough,cover",
    "friends": "down // 2x injury_modifier=-2",
    "spend": "blood_on_injury=greedy,blood_on_action=all,blessing_on_action=all",
}
MARKED_BLAST = {
    "attack": "ranged,CRITICAL,SHRAPNEL",
    "attacker": "blessing=2",
    "group": "blood=6 // tough,blessing=1 // injury_modifier=-3",
    "friends": "down",
    "spend": "blood_on_injury=bloodbath,blessing_on_action=all,blessing_on_injury=all",
}

#: Trials of each question, and the chance that all the checks of rolled answers fail for nothing.
TRIALS, FALSE_ALARM = 60_000, 1e-6


def test_rolled_answers_agree_with_exact_ones() -> None:
    """All answers of all questions, one seed.

    A right build fails with a chance of at most 1e-6 (Chernoff's bound for chances, Hoeffding's for means, shared among
    all checks). A chance near 1/2 that is off by 0.015 is seen more often than not, one of 0.05 off by 0.007.
    """
    every = questions()
    checks = 0
    worst: list[tuple[float, str]] = []
    for name, edition, inputs in every:
        right = asked(name, edition, **inputs)
        reply = tcsim.ask(name, edition=edition, method="monte-carlo", trials=TRIALS, seed=7, **inputs)
        assert reply.answers.keys() == right.keys()
        for answer, found in reply.answers.items():
            checks += 1
            if reply.question.answer_of(answer).unit == PROBABILITY:
                assert found["looks"] == TRIALS
                odd = surprise(found["count"], TRIALS, float(right[answer]))
            else:  # a mean of whole numbers from 0 to 6
                off = abs(found["value"] - float(right[answer]))
                odd = min(1.0, 2 * math.exp(-2 * found["looks"] * (off / 6) ** 2))
            worst.append((odd, f"{name} {edition} {inputs} {answer}"))
    assert checks > 300
    odd, which = min(worst)
    assert odd > FALSE_ALARM / checks, which


def test_a_die_that_favours_friends_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of the dice that say whom a shot is at, every tenth is a 6: P(the friend is hit) falls from 1/2 to 0.45."""
    fair = Dice.roll

    def loaded(self: Dice, trials: int, dice: int, sides: int = 6) -> Any:
        faces = fair(self, trials, dice, sides)
        faces[self.generator.random(faces.shape) < 0.1] = sides
        return faces

    sure = {"attack": {"keywords": ["AUTO-HIT"], "injury_modifier": 20}}
    for edition in EDITIONS:
        true = asked("shoot_into_melee", edition, **sure)["p_friend_out"]
        counts = []
        for roll in (fair, loaded):
            monkeypatch.setattr(Dice, "roll", roll)
            reply = tcsim.ask("shoot_into_melee", edition=edition, method="monte-carlo", trials=20_000, **sure)
            counts.append(surprise(reply.answers["p_friend_out"]["count"], 20_000, float(true)))
        assert counts[0] > 1e-6 > counts[1]


def test_a_seed_says_everything() -> None:
    def counts(seed: int, trials: int) -> Any:
        reply = tcsim.ask("shoot_into_melee", method="monte-carlo", seed=seed, trials=trials, **MANY_SHOTS)
        return {name: found.get("count") for name, found in reply.answers.items()}

    assert counts(3, 70_000) == counts(3, 70_000) != counts(4, 70_000)


# --- shooting into melee --------------------------------------------------------------------------------------


def random_model(rng: random.Random) -> dict[str, Any]:
    one: dict[str, Any] = {
        "injury_modifier": rng.choice((0, -1, -2, -4)),
        "injury_dice": rng.choice((0, 0, -1)),
        "down": rng.random() < 0.3,
        "blood": rng.choice((0, 1, 3, 6)),
        "blessing": rng.choice((0, 0, 1)),
        "tough": rng.random() < 0.3,
        "action_dice": rng.choice((0, 0, -1, 1)),
    }
    if rng.random() < 0.3:
        one["cover"] = True
    return one


def random_attack(rng: random.Random, words: tuple[str, ...]) -> dict[str, Any]:
    return {
        "kind": "ranged",
        "action_dice": rng.choice((-1, 0, 1)),
        "injury_dice": rng.choice((0, 0, 1)),
        "keywords": [word for word in words if rng.random() < 0.25],
    }


def random_common(rng: random.Random, edition: str) -> dict[str, Any]:
    return {
        "edition": edition,
        "attacker": {"blood": rng.choice((0, 1)), "blessing": rng.choice((0, 0, 2)), "down": rng.random() < 0.2},
        "spend": {
            "blood_on_injury": rng.choice(("none", "all", "bloodbath", "greedy")),
            "blessing_on_injury": rng.choice(("none", "all")),
            "blood_on_action": rng.choice(("none", "all")),
            "blessing_on_action": rng.choice(("none", "all")),
        },
    }


WORDS = ("CRITICAL", "FIRE", "DEADLY", "IGNORE ARMOUR", "AUTO-HIT")


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("number", range(12))
def test_shooting_into_melee_is_the_naive_way(edition: str, number: int) -> None:
    rng = random.Random(1000 + number)
    common, attack = random_common(rng, edition), random_attack(rng, (*WORDS, "RISKY"))
    attack["shots"], most = rng.choice(((1, 2), (2, 2), (3, 1)))  # three shots only where few are there
    friends = [random_model(rng) for _ in range(rng.randint(1, most))]
    enemies = [random_model(rng) for _ in range(rng.randint(1, 2))]
    other = rng.choice((None, "enemy", "target"))
    joint = naive.shots_into_melee(common, attack, friends, enemies, other)
    assert sum(joint.values()) == 1
    n = len(friends)
    more = {} if other is None else {"other": other}
    told = asked(
        "shoot_into_melee",
        edition,
        attack=attack,
        attacker=common["attacker"],
        spend=common["spend"],
        friends=friends,
        enemies=enemies,
        **more,
    )
    assert told["p_enemy_out"] == chance(joint, lambda ends: outs(ends[n:]) > 0)
    assert told["p_friend_out"] == chance(joint, lambda ends: outs(ends[:n]) > 0)
    assert told["p_target_out"] == chance(joint, lambda ends: ends[n] == OUT)
    assert told["p_only_enemy_out"] == chance(joint, lambda ends: outs(ends[n:]) > 0 and not outs(ends[:n]))
    assert told["enemies_out"] == sum(p * outs(ends[n:]) for ends, p in joint.items())
    assert told["friends_out"] == sum(p * outs(ends[:n]) for ends, p in joint.items())
    names = [f"friend{f' {i + 1}' * (n > 1)}" for i in range(n)]
    names += [f"enemy{f' {i + 1}' * (len(enemies) > 1)}" for i in range(len(enemies))]
    for number, name in enumerate(names):
        assert told[f"model_out_{name}"] == chance(joint, lambda ends, i=number: ends[i] == OUT)  # type: ignore[misc]
        assert told[f"model_down_{name}"] == chance(joint, lambda ends, i=number: is_down(ends[i]))  # type: ignore[misc]


def test_by_name_it_is_half_the_ordinary_odds() -> None:
    """One shot, one friend, one enemy: each has half of what the attack does to it (1.6.3)."""
    place = {"cover": True, "distance": 30}
    attack = {"weapon": "Sniper Rifle"}
    enemy = {"unit": "Heretic Trooper", "armour": ["Reinforced Armour"]}
    told = asked("shoot_into_melee", "1.6.3", attack=attack, enemies=[{**enemy, **place}], friends=[{"unit": "Yeoman"}])
    for name, one, where in (("p_enemy_out", enemy, place), ("p_friend_out", {"unit": "Yeoman"}, {})):
        odds = tcsim.odds({"target": one, "attacks": [{**attack, **where}]}, fractions=True)
        assert odds.fractions is not None
        assert told[name] == odds.fractions[0] / 2


def test_some_weapons_need_no_draw_and_some_blasts_have_none() -> None:
    told = asked("shoot_into_melee", "1.6.3", attack="Masterworks Jezzail")
    assert told["p_friend_out"] == 0
    odds = tcsim.odds({"target": {}, "attacks": [{"weapon": "Masterworks Jezzail"}]}, fractions=True)
    assert odds.fractions is not None
    assert told["p_enemy_out"] == odds.fractions[0]
    with pytest.raises(InputError, match="BLAST"):
        asked("shoot_into_melee", "1.0.2", attack="Grenade Launcher")
    notes = tcsim.ask("shoot_into_melee", attack="Grenade Launcher").notes
    assert any("BLAST" in note for note in notes)


def test_a_machine_gun_in_1_0_2_stops_when_its_target_is_out() -> None:
    """Shots that always take out: the friend is drawn first (1/2), then the target is shot at without a draw."""
    sure = {"keywords": ["AUTO-HIT"], "injury_modifier": 20, "shots": 2}
    told = asked("shoot_into_melee", "1.0.2", attack=sure)
    assert (told["p_friend_out"], told["p_target_out"]) == (Fraction(1, 2), 1)
    told = asked("shoot_into_melee", "1.6.3", attack=sure)  # drawn before either is made
    assert (told["p_friend_out"], told["p_target_out"]) == (Fraction(3, 4), Fraction(3, 4))


# --- blast ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("rolls", ["each", "one"])
@pytest.mark.parametrize("number", range(6))
def test_a_blast_is_the_naive_way(edition: str, rolls: str, number: int) -> None:
    rng = random.Random(2000 + number)
    common, attack = random_common(rng, edition), random_attack(rng, WORDS)
    group = [random_model(rng) for _ in range(rng.choice((1, 2, 3)))]
    caught: dict[int, list[int]] | None = None
    inputs: dict[str, Any] = {"attacker": common["attacker"], "spend": common["spend"], "rolls": rolls}
    if number % 2 and "AUTO-HIT" not in attack["keywords"]:
        caught = {inches: [n for n in range(len(group)) if rng.random() < 0.5] for inches in (1, 2, 4)}
        caught = {inches: there for inches, there in caught.items() if there}
        attack["keywords"] = [*attack["keywords"], "SCATTER"]
        if caught:
            inputs["caught"] = {inches: [str(n + 1) for n in there] for inches, there in caught.items()}
    joint = naive.blast(common, attack, group, rolls, caught)
    told = asked("blast", edition, attack=attack, group=group, **inputs)
    assert told["p_out"] == chance(joint, lambda ends: outs(ends) > 0)
    assert told["p_target_out"] == chance(joint, lambda ends: ends[0] == OUT)
    assert told["out"] == sum(p * outs(ends) for ends, p in joint.items())
    assert told["down"] == sum(p * sum(map(is_down, ends)) for ends, p in joint.items())
    for k in range(len(group) + 1):
        assert told[f"number_out_{k}"] == chance(joint, lambda ends, k=k: outs(ends) == k)  # type: ignore[misc]
        hurt = chance(joint, lambda ends, k=k: outs(ends) + sum(map(is_down, ends)) == k)  # type: ignore[misc]
        assert told[f"out_or_down_{k}"] == hurt
        if k:
            assert told[f"at_least_{k}"] == chance(joint, lambda ends, k=k: outs(ends) >= k)  # type: ignore[misc]


def test_one_roll_for_all_makes_them_hang_together() -> None:
    """1.0.2, every die thrown: two for the action roll, then two for each of two models, one more on a critical.

    A critical's die is for the target alone. That has no armour, the other -1. P(both out) is not their product.
    """
    both = target = other = Fraction(0)
    for action in itertools.product(range(1, 7), repeat=2):
        if sum(action) < 7:
            continue
        critical = sum(action) == 12
        a = Fraction(
            sum(sum(sorted(d)[-2:]) >= 9 for d in itertools.product(range(1, 7), repeat=2 + critical)),
            6 ** (2 + critical),
        )
        b = Fraction(sum(sum(d) - 1 >= 9 for d in itertools.product(range(1, 7), repeat=2)), 36)
        both, target, other = both + a * b / 36, target + a / 36, other + b / 36
    told = asked("blast", "1.0.2", group="model // injury_modifier=-1")
    assert (told["at_least_2"], told["model_out_model 1"], told["model_out_model 2"]) == (both, target, other)
    assert both > target * other
    apart = asked("blast", "1.6.3", group="model // injury_modifier=-1")
    assert apart["at_least_2"] == apart["model_out_model 1"] * apart["model_out_model 2"]


def test_who_is_aimed_at_matters() -> None:
    """1.0.2: at a point nobody has the die of a critical, and nobody's cover counts; 1.6.3: each has its own roll."""
    group = "cover // model"
    at_target, at_point = (asked("blast", "1.0.2", group=group, at_point=flag) for flag in (False, True))
    hit = Fraction(7, 12)
    assert at_point["model_out_model 1"] == at_point["model_out_model 2"] == hit * Fraction(10, 36)
    assert at_target["model_out_model 2"] == Fraction(23, 72) * Fraction(10, 36)
    each = asked("blast", "1.6.3", group=group, at_point=True)
    assert each["model_out_model 1"] < each["model_out_model 2"] == Fraction(1313, 7776)


def test_weapons_know_who_is_hit_directly() -> None:
    """Grenades of 1.6.3: -1 injury die against all but the target; a friend inside is hit as others are."""
    told = asked("blast", "1.6.3", attack="Grenades", group="model // model", friends="model")
    alone = tcsim.odds({"target": {}, "attacks": [{"weapon": "Grenades", "indirect": True}]}, fractions=True)
    assert alone.fractions is not None
    assert told["model_out_model 2"] == told["p_friend_out"] == told["friends_out"] == alone.fractions[0]
    assert told["model_out_model 1"] > told["model_out_model 2"]


def test_scatter_without_anyone_caught_is_a_miss() -> None:
    for edition in EDITIONS:
        with_it = asked("blast", edition, attack="ranged,SCATTER", rolls="one")
        assert with_it == asked("blast", edition, attack="ranged", rolls="one")
    alone = asked("blast", "1.0.2", attack="ranged,SCATTER", group="model", caught="1:1//2:1//3:1//4:1//5:1")
    assert alone["p_out"] == Fraction(5, 12) * Fraction(10, 36) + Fraction(1313, 7776)  # whatever is rolled, it is hit


WEAPONS = [
    (edition, row) for edition in EDITIONS for row in catalog(edition).by_kind["weapon"] if row.attack_kind == "ranged"
]


def test_every_ranged_weapon_shoots_into_melee_and_every_blast_hits_its_target() -> None:
    """Against one friend and one enemy each has half; the target of a blast has what the attack alone does to it."""
    shot = blasts = 0
    for edition, row in WEAPONS:
        attack = {"weapon": row.id, "kind": "ranged"}
        odds = tcsim.odds({"edition": edition, "target": {}, "attacks": [attack]}, fractions=True)
        assert odds.fractions is not None
        out = odds.fractions[0] if odds.states[0][0] is None else Fraction(0)
        if odds.resolved.problem.rolls > 1:
            continue
        if any(word.startswith("BLAST") for word in row.keywords):
            told = asked("blast", edition, attack=attack, group="model // model")
            indirect = tcsim.odds(
                {"edition": edition, "target": {}, "attacks": [{**attack, "indirect": True}]}, fractions=True
            )
            assert indirect.fractions is not None
            other = indirect.fractions[0] if indirect.states[0][0] is None else Fraction(0)
            if edition == "1.6.3" and "SCATTER" in row.keywords:  # after the roll that places the blast
                [step] = odds.resolved.problem.steps
                other *= Pool(step.action_dice).at_least(7)
            assert (told["p_target_out"], told["model_out_model 2"]) == (out, other), row.id
            blasts += 1
        elif not any("no_melee_randomise" in str(effect) for effect in row.effects):
            told = asked("shoot_into_melee", edition, attack=attack)
            assert told["p_enemy_out"] == told["p_friend_out"] == out / 2, row.id
            shot += 1
    assert shot > 40
    assert blasts > 20


# --- falls, terrain, mines ------------------------------------------------------------------------------------


def of_one(ends: Mapping[Final, Fraction]) -> Told:
    """The answers about one model."""
    told = {
        "p_out": ends.get(OUT, Fraction(0)),
        "p_down": sum((p for end, p in ends.items() if is_down(end)), Fraction(0)),
        "p_standing": sum((p for end, p in ends.items() if end != OUT and not is_down(end)), Fraction(0)),
    }
    alive = 1 - told["p_out"]
    if alive:
        told["blood"] = sum((p * int(end[1]) for end, p in ends.items() if end != OUT), Fraction(0)) / alive
    return told


def injured(start: Target, dice: int, modifier: int, edition: str, markers: int = 0) -> dict[Final, Fraction]:
    ends: dict[Final, Fraction] = {}
    for result, p in naive.injury(dice, modifier, -3 if edition == "1.0.2" else None).items():
        after = naive.suffer(start, result, markers)
        end = OUT if after is None else as_final(after)
        ends[end] = ends.get(end, Fraction(0)) + p
    return ends


STARTS = (Target(False, 0, 0, False), Target(True, 1, 0, False), Target(False, 6, 0, True), Target(True, 5, 0, True))


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("modifier", [0, -2, -4])
def test_falls_and_mines_with_every_die_thrown(edition: str, start: Target, modifier: int) -> None:
    model = {**start._asdict(), "injury_modifier": modifier}
    for height, dice in ((3, 1), (5, 1), (6, 2)):  # +1 injury die per full 3 inches; none for being Down
        assert asked("fall", edition, height=height, model=model) == of_one(injured(start, dice, modifier, edition))
    if edition == "1.0.2":
        assert asked("mine", edition, model=model) == of_one(injured(start, 0, modifier, edition, markers=1))


@pytest.mark.parametrize(
    ("edition", "height", "jump", "dice"),
    [
        ("1.6.3", Fraction(2), False, None),
        ("1.6.3", Fraction(21, 10), False, 0),
        ("1.6.3", Fraction(3), False, 1),
        ("1.6.3", Fraction(3), True, None),
        ("1.6.3", Fraction(31, 10), True, 1),
        ("1.6.3", Fraction(6), True, 2),
        ("1.0.2", Fraction(29, 10), False, None),
        ("1.0.2", Fraction(3), False, 1),
        ("1.0.2", Fraction(599, 100), False, 1),
        ("1.0.2", Fraction(6), False, 2),
        ("1.0.2", Fraction(8), False, 2),
    ],
)
def test_how_deep_is_a_fall(edition: str, height: Fraction, jump: bool, dice: int | None) -> None:
    assert fall_dice(edition, height, jump) == dice
    more = {"jump": jump} if edition == "1.6.3" else {}
    told = asked("fall", edition, height=height, **more)
    assert (told["p_standing"] == 1) == (dice is None)


def test_who_does_not_fall_and_for_whom_no_mine_goes_off() -> None:
    assert asked("fall", "1.0.2", height=12, model="FLYING")["p_standing"] == 1
    assert asked("mine", "1.0.2", model="NEGATE MINED")["blood"] == 0
    assert asked("mine", "1.0.2")["blood"] > 1  # SHRAPNEL places a marker, the injury mostly another
    assert asked("mine", "1.0.2", model="NEGATE SHRAPNEL")["blood"] == 1


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("start", STARTS)
@pytest.mark.parametrize("net", [0, 1])
def test_dangerous_terrain_with_every_die_thrown(edition: str, start: Target, net: int) -> None:
    model = {**start._asdict(), "injury_modifier": -1}
    safe = Fraction(0)
    dice = net - start.down  # being Down costs a die of the action roll
    for throw in itertools.product(range(1, 7), repeat=2 + abs(dice)):
        kept = sorted(throw)[-2:] if dice > 0 else sorted(throw)[:2]
        safe += Fraction(sum(kept) >= 7, 6 ** (2 + abs(dice)))
    ends = {end: (1 - safe) * p for end, p in injured(start, 0, -1, edition, markers=1).items()}
    here = as_final(start)
    ends[here] = ends.get(here, Fraction(0)) + safe
    told = asked("dangerous_terrain", edition, model=model, action_dice=net, keywords="FIRE")
    assert told == {"p_safe": safe, "p_activation_ends": 1 - safe, **of_one(ends)}


def test_terrain_in_which_an_activation_begins_does_not_end_it() -> None:
    assert asked("dangerous_terrain", "1.6.3", entering=False)["p_activation_ends"] == 0
    spent = asked("dangerous_terrain", "1.6.3", model="blood=1,blessing=2", spend={"blood_on_action": "all"})
    assert spent["p_safe"] == Fraction(23, 72)
    both = {"blood_on_action": "all", "blessing_on_action": "all"}
    assert asked("dangerous_terrain", "1.6.3", model="blood=1,blessing=2", spend=both)["p_safe"] == Fraction(29, 36)


def test_markers_are_spent_on_a_fall() -> None:
    """1.0.2, 3 inches and 2 blood markers spent as dice: five dice, of which the two highest count."""
    told = asked("fall", "1.0.2", height=3, model="blood=2", spend="all")
    thrown = itertools.product(range(1, 7), repeat=5)
    assert told["p_out"] == Fraction(sum(sum(sorted(throw)[-2:]) >= 9 for throw in thrown), 6**5)


@pytest.mark.parametrize("start", STARTS[:1] + STARTS[2:3])
@pytest.mark.parametrize("height", [2, 4])
def test_a_ledge_with_every_die_thrown(start: Target, height: int) -> None:
    """It falls first, and is Down then: a second Down where the fall has done that already."""
    falls, ends = Fraction(15, 36), dict[Final, Fraction]()

    def down(state: Target, p: Fraction) -> None:
        after = naive.suffer(state, "down")
        assert after is not None
        ends[as_final(after)] = ends.get(as_final(after), Fraction(0)) + p

    down(start, 1 - falls)
    results = naive.injury(1, -1, -3) if height >= 3 else {"": Fraction(1)}
    for result, p in results.items():
        after = naive.suffer(start, result) if result else start
        if after is None:
            ends[OUT] = ends.get(OUT, Fraction(0)) + falls * p
        else:
            down(after, falls * p)
    model = {**start._asdict(), "injury_modifier": -1}
    assert asked("ledge", "1.0.2", height=height, model=model) == {"p_falls": falls, **of_one(ends)}


# --- retreat, two weapons, obstacle ---------------------------------------------------------------------------


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("number", range(8))
def test_a_retreat_is_the_naive_way(edition: str, number: int) -> None:
    rng = random.Random(3000 + number)
    common, one = random_common(rng, edition), random_model(rng)
    one.pop("cover", None)
    attackers = [{"blood": rng.choice((0, 2)), "down": rng.random() < 0.3} for _ in range(rng.choice((1, 2, 3)))]
    attacks = [{**random_attack(rng, WORDS), "kind": "melee"} for _ in attackers]
    told = asked("retreat", edition, model=one, blows=attacks, attackers=attackers, spend=common["spend"])
    ends: Mapping[Final, Fraction] = {}
    for k in range(1, len(attacks) + 1):
        ends = naive.blows(common, one, list(zip(attackers, attacks, strict=True))[:k])
        assert told.pop(f"out_by_attack_{k}") == ends.get(OUT, Fraction(0))
    assert told == {"p_in_action": 1 - ends.get(OUT, Fraction(0)), **of_one(ends)}


def test_free_attacks_of_a_retreat_know_that_they_are() -> None:
    """A weapon's rule about targets that retreat counts: each attack equals the scenario's own."""
    told = asked("retreat", "1.6.3", blows="Sword / Axe", attackers="Heretic Trooper", model="Yeoman", attacks=2)
    attack = {"weapon": "Sword / Axe", "retreating": True, "times": 2}
    odds = tcsim.odds(
        {"attacker": {"unit": "Heretic Trooper"}, "target": {"unit": "Yeoman"}, "attacks": [attack]}, fractions=True
    )
    assert odds.fractions is not None
    assert told["p_out"] == odds.fractions[0]


@pytest.mark.parametrize("edition", EDITIONS)
def test_two_weapons_in_either_order(edition: str) -> None:
    heavy: dict[str, Any] = {"kind": "melee", "action_dice": 1, "keywords": ["CRITICAL", "RISKY"]}
    light: dict[str, Any] = {"kind": "melee", "injury_dice": 1}
    target = {"injury_modifier": -1, "blood": 2, "tough": True}
    common = {"edition": edition, "spend": {"blood_on_injury": "greedy"}}
    told = asked("two_weapons", edition, first=heavy, second=light, target=target, spend="greedy")
    right = {}
    for name, main, off in (("p_out", heavy, light), ("p_out_swapped", light, heavy)):
        whole = {**naive.scenario(common, main, target, True), "attacks": [main, {**off, "off_hand": True}]}
        ends = naive_finals(whole)
        right[name] = ends.get(OUT, Fraction(0))
        if name == "p_out":
            right |= of_one(ends)
    right["p_out_best"] = max(right["p_out"], right["p_out_swapped"])
    assert told == right
    assert told["p_out"] != told["p_out_swapped"]


def naive_finals(scenario: dict[str, Any]) -> Mapping[Final, Fraction]:
    from naive import final_states

    return final_states(scenario)


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("down", [False, True])
def test_an_obstacle_and_a_move_past_it(edition: str, down: bool) -> None:
    """It costs a die; in 1.6.3 not against a Down target."""
    told = asked("obstacle", edition, action_dice=1, target={"injury_modifier": -1, "down": down})
    target = {"injury_modifier": -1, "down": down}
    for name, flag in (("across", True), ("past", False)):
        attack = {"kind": "melee", "action_dice": 1, "defended_obstacle": flag}
        ends = naive_finals({"edition": edition, "target": target, "attacks": [attack]})
        assert told[f"p_out_{name}"] == ends[OUT]
        assert told[f"p_down_{name}"] == of_one(ends)["p_down"]
    assert (told["p_out_across"] == told["p_out_past"]) == (down and edition == "1.6.3")


# --- what can be asked ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "inputs", "said"),
    [
        ("shoot_into_melee", {"attack": "melee"}, "melee attack"),
        ("shoot_into_melee", {"attack": "ranged,times=2"}, "times"),
        ("shoot_into_melee", {"attack": "Bolt-Action Rifel"}, "Bolt-Action Rifle"),
        ("shoot_into_melee", {"attack": {"weapn": "x"}}, "weapon"),
        ("shoot_into_melee", {"attack": True}, "true is given"),
        ("shoot_into_melee", {"attack": "stand"}, "field of an attack"),
        ("shoot_into_melee", {"enemies": []}, "enemies"),
        ("shoot_into_melee", {"enemies": "21x model"}, "1 to 20"),
        ("shoot_into_melee", {"enemies": "2x model // "}, "enemies"),
        ("shoot_into_melee", {"enemies": "blod=2"}, "did you mean"),
        ("shoot_into_melee", {"enemies": "blood=7"}, "blood: 7"),
        ("shoot_into_melee", {"enemies": [{"blood": True}]}, "blood"),
        ("shoot_into_melee", {"enemies": [{"name": ""}]}, "name"),
        ("shoot_into_melee", {"enemies": [3]}, "enemies"),
        ("shoot_into_melee", {"enemies": "Yeoman,injury_modifier=-1"}, "injury_modifier"),
        ("shoot_into_melee", {"other": "both"}, "enemy"),
        ("shoot_into_melee", {"attack": "ranged,shots=21"}, "shots"),
        ("retreat", {"blows": "21x melee"}, "1 to 20"),
        ("shoot_into_melee", {"action_dice": 41}, "40"),
        ("shoot_into_melee", {"action_dice": float("nan")}, "action_dice"),
        ("shoot_into_melee", {"action_dice": 40, "attack": "ranged,action_dice=1"}, "41"),
        ("shoot_into_melee", {"spend": "gready"}, "greedy"),
        ("shoot_into_melee", {"spend": "greedy,all"}, "key=value"),
        ("shoot_into_melee", {"options": "bloodbth=add"}, "bloodbath"),
        ("shoot_into_melee", {"options": {3: "add"}}, "options"),
        ("shoot_into_melee", {"catalog": "nowhere.toml"}, "nowhere.toml"),
        ("shoot_into_melee", {"catalog": []}, "catalog"),
        ("blast", {"attack": "ranged,shots=2"}, "one attack roll"),
        ("blast", {"caught": "1:1"}, "SCATTER"),
        ("blast", {"caught": "0:1", "attack": "ranged,SCATTER"}, "1 to 5"),
        ("blast", {"caught": "6:1", "attack": "ranged,SCATTER"}, "1 to 5"),
        ("blast", {"caught": "1:9", "attack": "ranged,SCATTER"}, "9"),
        ("blast", {"caught": "1:1+model 1", "attack": "ranged,SCATTER"}, "twice"),
        ("blast", {"caught": "1", "attack": "ranged,SCATTER"}, "caught"),
        ("blast", {"caught": {True: ["1"]}, "attack": "ranged,SCATTER"}, "caught"),
        ("blast", {"rolls": 1}, "each"),
        ("retreat", {"blows": "ranged"}, "no melee attack"),
        ("retreat", {"blows": "melee // melee", "attacks": 3}, "one for all"),
        ("retreat", {"attackers": "Yeoman // Yeoman // Yeoman", "blows": "melee // melee"}, "one for all"),
        ("retreat", {"attacks": 0}, "1 to 20"),
        ("retreat", {"attackers": "tough"}, "tough"),
        ("two_weapons", {"first": "ranged"}, "no melee attack"),
        ("two_weapons", {"second": "melee,cover"}, "cover"),
        ("obstacle", {"attack": "ranged"}, "melee attacks"),
        ("fall", {}, "height"),
        ("fall", {"height": -1}, "height"),
        ("fall", {"height": "inf"}, "height"),
        ("fall", {"height": 121}, "height: 121 is given, a number from 0 to 120"),
        ("fall", {"height": Fraction(-1, 3)}, "height: -1/3 is given"),
        ("fall", {"height": 3, "model": "name=\u202eeno"}, 'name: "?eno" is given'),
        ("fall", {"height": 3, "model": "Nobody"}, "Nobody"),
        ("dangerous_terrain", {"keywords": "GAS+FIER"}, "keywords[1]: there is no keyword for an attack"),
        ("dangerous_terrain", {"keywords": [1]}, "keywords"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(name: str, inputs: dict[str, Any], said: str) -> None:
    with pytest.raises(InputError, match=f"(?i){re.escape(said)}") as error:
        tcsim.ask(name, **inputs)
    assert "\n" not in str(error.value)


def test_what_belongs_to_one_edition() -> None:
    for name, more in (("ledge", {"height": 3}), ("mine", {})):
        assert asked(name, "1.0.2", **more)
        with pytest.raises(InputError, match=name):
            asked(name, "1.6.3", **more)
    with pytest.raises(InputError, match="jump"):
        asked("fall", "1.0.2", height=3, jump=True)
    with pytest.raises(InputError, match="Minor Hit"):
        asked("ledge", "1.0.2", height=3, model="armour=Machine Armour")


@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("model", {}),
        ("down", {"down": True}),
        ("Yeoman", {"unit": "Yeoman"}),
        ("TOUGH,FEAR", {"keywords": ["TOUGH", "FEAR"]}),
        ("name=the monk,blood=2,tough=false", {"name": "the monk", "blood": 2, "tough": False}),
        ("Yeoman @new-antioch,armour=Standard Armour+Trench Shield", None),
        ("distance=7.5,엄폐", {"distance": 7.5, "cover": True}),
    ],
)
def test_models_as_texts(text: str, table: dict[str, Any] | None) -> None:
    kind = kinds.OneModel()
    found = kind.read(text)
    if table is not None:
        assert found == table
    assert kind.read(kind.write(found)) == found
    assert kind.read(json.loads(json.dumps(kind.write(found)))) == found
    every = kinds.Every(kind)
    two = every.read(f"2x {text} // {text}")
    assert len(two) == 3
    assert every.read(every.write(two)) == two


def test_what_no_text_says_stays_a_table() -> None:
    for odd in ({"name": "one, two"}, {"name": "a//b"}, {"armour": ["a+b"]}, {"unit": None}):
        assert kinds.OneModel().write(odd) == odd
        assert kinds.Every(kinds.OneModel()).write((odd, {})) == [odd, {}]
    assert write(read_attack("Sword / Axe,times=2,FIRE", "")) == "Sword / Axe,times=2,FIRE"
    assert write(read_model("Yeoman,down", ("unit", "down"), "")) == "Yeoman,down"
    assert read_keys("a=true,b-c=x", "", "") == {"a": True, "b_c": "x"}


def test_models_that_are_alike_are_written_once() -> None:
    every = kinds.Every(kinds.OneModel())
    assert every.write(every.read("3x down,TOUGH // Yeoman // down,TOUGH")) == "3x down,TOUGH//Yeoman//down,TOUGH"
    assert every.read("2x model//Yeoman") == every.read(every.write(({}, {}, {"unit": "Yeoman"})))


def test_a_retreat_says_what_it_takes_where_nothing_is_said() -> None:
    blow, armour = "Assumed: a free attack has +1 DICE.", "Assumed: the model's armour is -1."
    assert tcsim.ask("retreat").notes == (blow, armour)
    assert tcsim.ask("retreat", attacks=2, action_dice=1, injury_modifier=-1).notes == ()
    assert tcsim.ask("retreat", blows="melee").notes == (armour,)
    assert tcsim.ask("retreat", model="down").notes == (blow,)


def test_a_users_own_catalogue_is_looked_in(tmp_path: Any) -> None:
    path = tmp_path / "my.toml"
    path.write_text('edition = "both"\n[[weapon]]\nname = "Trench Hook"\nlike = "Sword / Axe"\ninjury_dice = 3\n')
    own = tcsim.ask("retreat", blows="Trench Hook", catalog=str(path))
    assert own["p_out"] > tcsim.ask("retreat", blows="Sword / Axe")["p_out"]
    assert any("my.toml" in note for note in own.notes)
    assert "my.toml" in json.dumps(own.to_dict()["notes"])


def test_markers_of_one_model_may_be_left_alone() -> None:
    """The friend's blood is not spent (or is), whatever is done with the enemy's."""
    spent, kept = (
        asked("shoot_into_melee", "1.6.3", enemies="blood=2", friends=f"blood=2,spend={how}", spend="all")
        for how in ("all", "none")
    )
    assert spent["p_enemy_out"] == kept["p_enemy_out"] == spent["p_friend_out"]
    assert kept["p_friend_out"] == Fraction(1313, 15552)


def test_planning_stops_at_one_attack_and_says_so() -> None:
    notes = tcsim.ask("retreat", attacks=2, model="blood=3", spend="optimal").notes
    assert any("one attack at a time" in note for note in notes)
    greedy = tcsim.ask("retreat", attacks=2, model="blood=3", spend="greedy").notes
    assert not any("one attack at a time" in note for note in greedy)
    with speaking("ko"):
        assert retold(notes[0]) != notes[0]


def test_readings_reach_the_attacks() -> None:
    """1.0.2 has no Down die for shots; the option gives it back."""
    usual = asked("shoot_into_melee", "1.0.2", enemies="down")
    other = asked("shoot_into_melee", "1.0.2", enemies="down", options="down_bonus=every-attack")
    assert other["p_enemy_out"] > usual["p_enemy_out"]


def test_every_edition_has_its_numbers() -> None:
    assert list(fights()) == list(EDITIONS)
    assert set(EDITIONS) == set(editions())
    first, second = fights().values()
    assert {about: set(table) for about, table in first.items()} == {
        about: set(table) for about, table in second.items()
    }
    assert all(table["source"] for tables in (first, second) for table in tables.values())


def test_a_tree_ends_where_nothing_follows() -> None:
    roll = pool_roll(0, lambda total: "low" if total < 7 else "high")
    outcome = exact(Course((Model("a", "side", None),), "begin", {"begin": roll}))
    assert outcome.ends == {"low": Fraction(5, 12), "high": Fraction(7, 12)}
    assert outcome.out(0) == 1


# --- the command line -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FIGHTS)
@pytest.mark.parametrize("lang", ["en", "ko"])
def test_they_are_asked_and_printed_within_80_columns(name: str, lang: str) -> None:
    from test_korean import ENGLISH

    question = ASK.question(name)
    edition = (question.editions or EDITIONS)[-1]
    for example in question.examples:
        status, out, err = run("ask", name, *example.split(), "--edition", edition, "--lang", lang)
        assert (status, err) == (0, "")
        wide = [line for line in out.splitlines() if sum(2 if "가" <= c <= "힣" else 1 for c in line) > 80]
        assert not wide
        if lang == "ko":
            plain = [line for line in out.splitlines() if "=" not in line and "source" not in line]
            assert not [line for line in plain if ENGLISH.search(line)]
    with speaking(lang):
        status, out, err = run("ask", name, "--help")
    assert status == 0


def test_a_mistake_is_status_2_and_one_line() -> None:
    status, out, err = run("ask", "blast", "attack=Sword / Axe,shots=2")
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
