"""Duels: known answers, three ways that agree, and what is refused."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import duels
import naive
import naive_duel
import pytest
from stat_tools import surprise
from test_naive_special import as_question, random_step, sometimes

import tcsim
from tcsim.base.files import parse_file, parse_json
from tcsim.duels import monte_carlo
from tcsim.duels.answer import answer_duel, resolved_duel, simulate_duel
from tcsim.duels.approach import CHARGE_DICE
from tcsim.duels.exact import highest
from tcsim.duels.given import from_mapping
from tcsim.duels.model import Blows, Duel, Fighter
from tcsim.rules import Rulings, edition
from tcsim.scenario.problem import ATTACK, Nature, Policy, Problem, State, Step

#: How often a check of counts fails for nothing.
FALSE_ALARM = 1e-6


def known(spend: dict[str, str], **more: Any) -> dict[str, Any]:
    """a: +1 DICE, modifier -2; b: +1 DICE, +1 injury die, TOUGH."""
    a = {"target": {"injury_modifier": -2}, "attacks": [{"action_dice": 1}], "spend": spend}
    b = {"target": {"tough": True}, "attacks": [{"action_dice": 1, "injury_dice": 1}], "spend": spend}
    return {"first": "a", "rounds": 6, "a": a, "b": b, **more}


REFERENCE = [
    ("1.6.3", {}, 0.27967681367931135, 0.5111217029421306),
    ("1.6.3", {"blood_on_injury": "all"}, 0.4338469939843537, 0.5070946510259668),
    ("1.6.3", {"blood_on_action": "all"}, 0.27114427925670814, 0.4327745381901019),
    ("1.0.2", {}, 0.2544800598280169, 0.5638039449666736),
]


@pytest.mark.parametrize(("edition_id", "spend", "a_wins", "b_wins"), REFERENCE)
def test_reference_values(edition_id: str, spend: dict[str, str], a_wins: float, b_wins: float) -> None:
    result = tcsim.duel(known(spend, edition=edition_id))
    assert result.a_wins == pytest.approx(a_wins, rel=0, abs=1e-12)
    assert result.b_wins == pytest.approx(b_wins, rel=0, abs=1e-12)
    assert result.neither == pytest.approx(1 - a_wins - b_wins, rel=0, abs=1e-12)


def test_down_at_the_start_has_no_effect_in_163() -> None:
    for edition_id, same in (("1.6.3", True), ("1.0.2", False)):
        given = known({}, edition=edition_id)
        given["b"]["target"]["down"] = True
        one, other = tcsim.duel(given), tcsim.duel(known({}, edition=edition_id))
        assert (abs(one.a_wins - other.a_wins) < 1e-12) == same
        assert (abs(one.b_wins - other.b_wins) < 1e-12) == same


# --- by hand ------------------------------------------------------------------------------------------------------

SURE = {"keywords": ["AUTO-HIT"]}  # 10 of 36 out of action, 11 Down, 15 a Minor Hit


def test_one_round_by_hand() -> None:
    """a takes b out, or b, if it is still there, a."""
    result = tcsim.duel({"rounds": 1, "a": {"attacks": [SURE]}, "b": {"attacks": [SURE]}}, fractions=True)
    assert result.fractions == ((Fraction(10, 36), Fraction(26, 36) * Fraction(10, 36)),)


def test_a_down_model_fights_on_or_tries_to_stand() -> None:
    """b is Down from a's blow: -1 DICE (69 of 216 hit), or it tries to stand first (also 69 of 216), and then hits."""
    harmless = {"keywords": ["AUTO-HIT"], "injury_modifier": -20}
    killing = {"injury_modifier": 20}
    plain, worse = Fraction(21, 36), Fraction(69, 216)
    down, rest = Fraction(11, 36), Fraction(15, 36)
    for stand_up, when_down in (("wait", worse), ("risky", worse * plain)):
        given = {"rounds": 1, "a": {"attacks": [SURE]}, "b": {"attacks": [killing]}, "options": {"stand_up": stand_up}}
        assert tcsim.duel(given, fractions=True).fractions[0][1] == rest * plain + down * when_down
    given["options"] = {"stand_at": "activation"}
    assert tcsim.duel(given, fractions=True).fractions[0][1] == (rest + down) * plain
    # on its feet again in the next round, whoever is first
    given = {"rounds": 1, "first": "b", "a": {"attacks": [harmless], "down": True}, "b": {"attacks": [killing]}}
    assert tcsim.duel(given, fractions=True).fractions == ((0, plain),)


def test_blood_drained_by_the_attempt_to_stand_is_gone() -> None:
    """Two markers and Down: -3 DICE to stand (732 + 1 of 7776), and then an attack at nothing."""
    killing = {"injury_modifier": 20}
    knock = {"keywords": ["AUTO-HIT"], "injury_modifier": -20}
    duel = resolved_duel(
        {
            "rounds": 1,
            "a": {"attacks": [knock], "spend": {"blood_on_action": "all"}},
            "b": {"attacks": [killing], "blood": 1},
            "options": {"stand_up": "risky"},
        }
    )
    # a's blow always knocks b down
    fighters = duel.duel.fighters
    knocks = tuple(replace(one, steps=(certain_down(one.steps[0]),)) for one in fighters[0].melee[:2])
    a = fighters[0]._replace(melee=Blows(knocks[0], knocks[1], fighters[0].melee.rolls))
    question = replace(duel, duel=replace(duel.duel, fighters=(a, fighters[1])))
    found = answer_duel(question, fractions=True).fractions
    assert found == ((0, Fraction(733, 7776) * Fraction(21, 36)),)


def certain_down(step: Step) -> Step:
    return step._replace(special=step.special._replace(result=2))


def test_infection_grows_and_regeneration_sheds() -> None:
    """Each activation of b: two infection markers become three, and its blood is gone before a can spend it."""
    given = {
        "rounds": 2,
        "first": "b",
        "a": {"attacks": [SURE], "spend": {"blood_on_injury": "all"}},
        "b": {"attacks": [{"keywords": ["AUTO-HIT"], "injury_modifier": -20}], "infection": 2},
    }
    result = tcsim.duel({**given, "rounds": 1}, fractions=True)
    three = naive.injury_chances(3, 2, False, 0)[naive.OUT]
    assert result.fractions == ((three, 0),)


def test_infection_is_drained_like_blood() -> None:
    """Two markers become three, all spent on b's action roll: -3 DICE, 733 of 7776; then there are none."""
    harmless = {"keywords": ["AUTO-HIT"], "injury_modifier": -20}
    given = {
        "rounds": 2,
        "first": "b",
        "a": {"attacks": [harmless], "spend": {"blood_on_action": "all"}},
        "b": {"attacks": [{"injury_modifier": 20}], "infection": 2},
    }
    first = Fraction(733, 7776)
    duel = resolved_duel(given)
    spared = replace(duel.duel.fighters[0].melee.standing, steps=(never(duel),))
    a = duel.duel.fighters[0]._replace(melee=Blows(spared, spared, (0,)))
    fought = replace(duel, duel=replace(duel.duel, fighters=(a, duel.duel.fighters[1])))
    found = answer_duel(fought, fractions=True).fractions
    assert found == ((0, first), (0, first + (1 - first) * Fraction(21, 36)))


def never(duel: Any) -> Step:
    """An attack that does nothing at all."""
    step: Step = duel.duel.fighters[0].melee.standing.steps[0]
    return step._replace(special=step.special._replace(result=0))


def test_markers_on_blessings() -> None:
    """A blessing against its enemy's injury roll, or on its own action roll, but once."""
    killing = {"injury_modifier": 20}
    given: dict[str, Any] = {
        "rounds": 1,
        "a": {"attacks": [killing, killing], "blessing": 1, "spend": {"blessing_on_action": "all"}},
        "b": {"attacks": [killing]},
    }
    first, second = Fraction(174, 216), Fraction(21, 36)
    assert tcsim.duel(given, fractions=True).fractions[0][0] == first + (1 - first) * second


def test_what_is_not_counted_is_said() -> None:
    thrower = {"attacks": [{}], "move": 6, "ranged": [{"weapon": "Frag Grenades"}]}
    given = {"a": thrower, "b": {"attacks": [{}], "move": 6}, "approach": {"distance": 8}}
    assert "Not counted: how many of Grenades are carried; each activation has them anew." in tcsim.duel(given).notes
    bleeding = {"attacks": [{}], "unit": "Crimson Communicant"}
    notes = tcsim.duel({"a": bleeding, "b": {"attacks": [{}]}}).notes
    assert [note for note in notes if "Strength Through Pain of a by the markers of the moment" in note]
    # a keyword that counts where its bearer strikes, or where it is struck, is not said to change nothing
    assert not tcsim.duel({"a": {"attacks": [{}], "keywords": ["NEGATE FEAR", "FEAR"]}, "b": {"attacks": [{}]}}).notes
    both = {"spend": {"blood_on_injury": "all", "blood_on_action": "none"}, "attacks": [{}]}
    told = tcsim.duel({"rounds": 1, "a": both, "b": {"attacks": [{}]}, "spend": {"mode": "optimal"}}).notes
    assert told == ("Changes nothing here: a.spend.blood_on_injury, both players spend optimally.",)
    shooter = {"attacks": [{}], "ranged": [{"weapon": "Bolt-Action Rifle"}]}
    told = tcsim.duel({"a": shooter, "b": {"attacks": [{}], "move": 6}}).notes
    assert told == tuple(f"Changes nothing here: {key}, the two are in contact." for key in ("a.ranged", "b.move"))
    idle = tcsim.duel({"a": {"attacks": [{}], "keywords": ["STRONG"]}, "b": {"attacks": [{}]}}).notes
    assert idle == ("Changes no dice here: STRONG.",)


def test_off_hand_and_risky() -> None:
    """A RISKY attack that fails ends the activation, so the off-hand one is not made."""
    killing = {"injury_modifier": 20, "injury_dice": 0}
    risky = {"keywords": ["RISKY"], "injury_modifier": -20}
    given = {"rounds": 1, "a": {"attacks": [risky, {**killing, "off_hand": True}]}, "b": {"attacks": [killing]}}
    assert tcsim.duel(given, fractions=True).fractions[0][0] == Fraction(21, 36) * Fraction(69, 216)


def test_charge_by_hand() -> None:
    """Move 6 at 9 inches: 4 of 6 reach, and only who charges fights in the first activation."""
    given: dict[str, Any] = {
        "rounds": 1,
        "a": {"attacks": [SURE], "move": 6},
        "b": {"attacks": [SURE], "move": 0, "charge_die": "none"},
        "approach": {"distance": 9, "who_charges": "a"},
    }
    found = tcsim.duel(given, fractions=True).fractions
    a = Fraction(4, 6) * Fraction(10, 36)
    assert found == ((a, Fraction(4, 6) * Fraction(26, 36) * Fraction(10, 36)),)
    # Machine Armour: D3, so only a 5 or a 6 reaches; at 13 inches nothing does
    given["a"]["charge_die"] = "D3"
    assert tcsim.duel(given, fractions=True).fractions[0][0] == Fraction(2, 6) * Fraction(10, 36)
    given["approach"]["distance"] = 12.5
    assert tcsim.duel(given, fractions=True).fractions[0][0] == 0


def test_a_failed_charge_has_moved() -> None:
    """From 10 inches a 3 brings it to 1 inch: the next charge needs no luck; closing by its Move leaves 4, as sure."""
    given: dict[str, Any] = {
        "rounds": 2,
        "a": {"attacks": [SURE], "move": 6, "ranged": [{"keywords": ["AUTO-HIT"]}]},
        "b": {"attacks": [{"keywords": ["AUTO-HIT"], "injury_modifier": -20}], "move": 0},
        "approach": {"distance": 10, "who_charges": "a"},
    }
    out = Fraction(10, 36)
    moved = tcsim.duel({**given, "options": {"failed_charge": "move"}}, fractions=True).fractions
    shot = tcsim.duel({**given, "options": {"failed_charge": "shoot"}}, fractions=True).fractions
    assert moved[0] == (Fraction(3, 6) * out, 0)
    assert shot[0] == (out, 0)


def test_machine_armour_and_heavy_charge_less() -> None:
    def dice(edition_id: str, **body: Any) -> tuple[int, ...]:
        fighter = {"attacks": [{}], "move": 6}
        given = {"edition": edition_id, "a": {**fighter, **body}, "b": fighter, "approach": {"distance": 12}}
        approach = resolved_duel(given).duel.approach
        assert approach is not None
        return approach.needs[0][0][:1]

    # at 12 inches: D6 needs a 6, D3 never reaches
    assert dice("1.6.3") == dice("1.0.2") == (6,)
    assert dice("1.6.3", armour=["Machine Armour"]) == dice("1.0.2", armour=["Machine Armour"]) == (7,)
    assert dice("1.0.2", keywords=["HEAVY"]) == (7,)
    assert dice("1.0.2", keywords=["HEAVY", "STRONG"]) == (6,)
    # HEAVY of a model is that of its armour; a HEAVY weapon is in its way in 1.0.2 alone
    assert dice("1.6.3", keywords=["HEAVY", "STRONG"]) == (7,)
    for edition_id, lost in (("1.6.3", 6), ("1.0.2", 7)):
        assert dice(edition_id, ranged=[{"weapon": "Heavy Flamethrower"}]) == (lost,)
        assert dice(edition_id, ranged=[{"weapon": "Heavy Flamethrower"}], charge_die="D6") == (6,)
    for name, (count, inches) in CHARGE_DICE.items():
        mean = sum(highest(count, face) * inches[face - 1] for face in range(1, 7)) if count else Fraction(0)
        assert mean == Fraction(sum(naive_duel.CHARGE_DICE[name]), len(naive_duel.CHARGE_DICE[name]))


def test_rules_of_a_model_are_in_its_charge() -> None:
    """A Shock Trooper's Movement of 6 and the higher of 2D6, of 2D3 in Machine Armour; an Assassin comes 2 further."""
    fighter = {"attacks": [{}], "move": 0}

    def chance(distance: float, **a: Any) -> Fraction:
        b = {"attacks": [{"keywords": ["AUTO-HIT"], "injury_modifier": -20}], "move": 0}
        sure = {"attacks": [{"keywords": ["AUTO-HIT"], "injury_modifier": 20}]}
        approach = {"distance": distance, "who_charges": "a"}
        found = tcsim.duel({"rounds": 1, "a": {**sure, **a}, "b": b, "approach": approach}, fractions=True)
        return found.fractions[0][0] if found.fractions else Fraction(-1)

    assert chance(12, unit="Shocktrooper") == Fraction(11, 36)
    assert chance(9, unit="Shocktrooper", armour=["Machine Armour"]) == Fraction(20, 36)
    assert chance(12, unit="Sultanate Assassin", abilities=["Thunderbolt of Alamut"]) == Fraction(3, 6)
    assert chance(8.2, move=5.2, charge_die="D3") == Fraction(2, 6)
    hound = {"unit": "Hound of the Black Grail", "attacks": [{}]}
    for edition_id in ("1.6.3", "1.0.2"):
        approach = resolved_duel(
            {"edition": edition_id, "a": hound, "b": fighter, "approach": {"distance": 12}}
        ).duel.approach
        assert approach is not None
        assert approach.needs[0][0] == approach.needs[0][1] != approach.needs[1][1]
    steppers = {"a": fighter, "b": {**fighter, "keywords": ["SKIRMISHER"]}, "approach": {"distance": 9}}
    assert "Not counted yet: SKIRMISHER, the target may step aside when it is charged." in tcsim.duel(steppers).notes


def test_range_bands() -> None:
    """A rifle of 24 inches: nothing at 25, long range at 12 and more (1.6.3), more than 12 (1.0.2)."""
    for edition_id, at_half in (("1.6.3", -1), ("1.0.2", 0)):
        fighter = {"attacks": [{}], "move": 0, "ranged": [{"weapon": "Bolt-Action Rifle"}]}
        for distance, dice in ((25, None), (24, -1), (12, at_half), (11, 0)):
            given = {"edition": edition_id, "a": fighter, "b": fighter, "approach": {"distance": distance}}
            blows = resolved_duel(given).duel.fighters[0].shooting[0]
            assert (None if blows is None else blows.standing.steps[0].action_dice) == dice


def test_who_is_first_has_not_been_waited_for() -> None:
    """What asks whether the target has been activated knows who is first."""
    skilled = {"attacks": [{}], "abilities": ["Assassinate"]}
    given = {"edition": "1.0.2", "a": skilled, "b": skilled}
    fighters = resolved_duel(given).duel.fighters
    assert [fighter.melee.standing.steps[0].action_dice for fighter in fighters] == [1, 0]
    assert not [note for note in resolved_duel(given).notes if "activated" in note]


# --- three ways ---------------------------------------------------------------------------------------------------


#: Seeds of the everyday tests, and of the slow ones.
FEW, MANY = range(14), range(100, 250)
#: Seeds of special duels that the naive way plays in a moment (0 and 3 take it five seconds). In one of them at least
#: every special thing of the first four seeds changes the answer, and so do more.
QUICK, LONG = (1, 2, 5, 8, 9, 13, 17, 21, 22), (0, 3)


@pytest.mark.parametrize("seed", [*FEW, *(pytest.param(seed, marks=pytest.mark.verification) for seed in MANY)])
def test_exact_is_naive(seed: int) -> None:
    """Random duels in contact, two rounds, as fractions: the very same chances."""
    given = duels.duel(random.Random(seed), 2)
    assert list(tcsim.duel(given, fractions=True).fractions or ()) == naive_duel.by_round(given)


@pytest.mark.parametrize("seed", [*FEW, *(pytest.param(seed, marks=pytest.mark.verification) for seed in MANY)])
def test_exact_is_naive_with_an_approach(seed: int) -> None:
    given = duels.approaching(random.Random(seed), 3)
    found, expected = tcsim.duel(given), naive_duel.by_round(duels.by_numbers(given))
    for (a, b), (c, d) in zip(found.story, expected, strict=True):
        assert (a, b) == pytest.approx((float(c), float(d)), rel=0, abs=1e-12)


def special_duel(rng: random.Random, drains: bool = True) -> Duel:
    """Two models that can be and do anything special; `drains`: perhaps the enemy's markers are spent on its rolls."""
    charts, rulings = edition("1.6.3").charts, Rulings(*(rng.randint(0, 1) for _ in Rulings._fields))
    melee, starts = [], []
    for _ in (0, 1):
        start = State(
            blood=sometimes(rng, 3, 0.5),
            blessing=sometimes(rng, 1, 0.3),
            tough=sometimes(rng, 1, 0.3),
            infection=sometimes(rng, 2, 0.3),
            spared=sometimes(rng, 1, 0.2),
            warded=sometimes(rng, 1, 0.2),
        )
        nature = Nature(sometimes(rng, 1, 0.2), rng.choice((0, 2)), sometimes(rng, 1, 0.1), sometimes(rng, 2, 0.3))
        steps = []
        while len(steps) < 2:
            step = random_step(rng, optimal=False)
            if step.kind == ATTACK:
                steps.append(step._replace(volleys=1, first_shot_dice=0, shots=min(step.shots, 2)))
        policy, minor = Policy(rng.randrange(4), rng.randint(0, 1)), sometimes(rng, 1, 0.2)
        standing = Problem("1.6.3", charts, rulings, start, minor, policy, tuple(steps), nature)
        worse = tuple(
            step._replace(action_dice=step.action_dice - 1, action_dice_down=step.action_dice_down - 1)
            for step in steps
        )
        rolls = tuple(2 * (1 - step.auto_hit) for step in steps)
        melee.append(Blows(standing, replace(standing, steps=worse), rolls))
        starts.append(start)
    fighters = [
        Fighter(
            starts[1 - side],
            melee[side],
            stand_up=rng.randint(0, 1),
            drains=rng.randint(0, 1) * drains,
            blesses=rng.randint(0, 1),
        )
        for side in (0, 1)
    ]
    return Duel("1.6.3", 2, rng.randint(0, 1), rng.randint(0, 1), (fighters[0], fighters[1]))


def naive_special_duel(duel: Duel) -> list[naive_duel.Chances]:
    def spend(fighter: Fighter) -> dict[str, str]:
        words = ("none", "all")
        return {"blood_on_action": words[fighter.drains], "blessing_on_action": words[fighter.blesses]}

    told = {
        "first": "ab"[duel.first],
        "rounds": duel.rounds,
        "options": {"stand_at": ("turn", "activation")[duel.stand_at]},
        "a": {"spend": spend(duel.fighters[0])},
        "b": {"spend": spend(duel.fighters[1])},
    }
    questions = [
        {False: as_question(fighter.melee.standing), True: as_question(fighter.melee.down)} for fighter in duel.fighters
    ]
    return SpecialByStandUp(told, questions, [fighter.stand_up for fighter in duel.fighters]).by_round()


class SpecialByStandUp(naive_duel.SpecialDuel):
    """Each side has its own way to stand up."""

    def __init__(self, duel: Any, questions: Any, stand_up: list[int]) -> None:
        super().__init__(duel, questions)
        self.ways = [("wait", "risky")[way] for way in stand_up]

    def activates(self, world: naive_duel.World, me: int) -> Any:
        self.stand_up = self.ways[me]
        return list(super().activates(world, me))


@pytest.mark.parametrize(
    "seed", [*QUICK, *(pytest.param(seed, marks=pytest.mark.verification) for seed in (*LONG, *MANY))]
)
def test_special_duels_are_naive(seed: int) -> None:
    """Whatever few attacks do and few targets are: infection, regeneration, golems, hits in a row.

    The naive way throws an action roll die by die, so not one with a dozen dice that markers take away.
    """
    from tcsim.duels.exact import solve_duel

    duel = special_duel(random.Random(f"special {seed}"), drains=False)
    for (a, b), (c, d) in zip(solve_duel(duel), naive_special_duel(duel), strict=True):
        assert (a, b) == pytest.approx((float(c), float(d)), rel=0, abs=1e-12)


def surprises(duel: Duel, story: Any, trials: int, seed: int) -> list[float]:
    """How surprising each count is: of a and of b in each round, and of neither."""
    counts = monte_carlo.count(duel, trials, seed).counts
    ends, before = [1 - story[-1][0] - story[-1][1]], (0.0, 0.0)
    for a, b in story:
        ends += [a - before[0], b - before[1]]
        before = (a, b)
    assert sum(counts.values()) == trials
    return [surprise(counts.get(end, 0), trials, min(1.0, max(p, 0.0))) for end, p in enumerate(ends) if p > 1e-15] + [
        0.0 if counts.get(end, 0) else 1.0 for end, p in enumerate(ends) if p <= 1e-15
    ]


def rolled_and_exact(seeds: range, trials: int) -> list[float]:
    from tcsim.duels.exact import solve_duel

    found: list[float] = []
    for seed in seeds:
        questions = [duels.duel(random.Random(seed), 3), duels.approaching(random.Random(seed), 4)]
        three = [*(resolved_duel(given).duel for given in questions), special_duel(random.Random(f"special {seed}"))]
        for duel in three:
            found += surprises(duel, solve_duel(duel), trials, seed)
    return found


def test_rolled_is_exact() -> None:
    """18 random duels of every kind, 20,000 trials each; a chance near 1/2 that is off by 0.03 would be noticed."""
    found = rolled_and_exact(range(6), 20_000)
    assert min(found) > FALSE_ALARM / len(found)


def test_the_kernel_is_compiled_once() -> None:
    """However the markers are spent: an array that is laid out in another way would have it compiled again."""
    from tcsim.kernels.duel import count_duels

    for mode in ("fixed", "optimal"):
        simulate_duel({**known({}), "spend": {"mode": mode}}, trials=10)
    assert len(count_duels.signatures) == 1


@pytest.mark.verification
def test_many_rolled_are_exact() -> None:
    """300 random duels, a million trials each; a chance near 1/2 that is off by 0.005 would be noticed."""
    found = rolled_and_exact(range(1000, 1100), 1_000_000)
    assert min(found) > FALSE_ALARM / len(found)


def test_blood_is_rolled_against_one_whose_blessings_are_gone() -> None:
    """A model that blesses its own action roll has none left, and still bleeds; b's chances were off by 0.03."""
    spend = {"blessing_on_action": "all"}
    a = {"attacks": [{"action_dice": -2}], "blessing": 3, "blood": 3, "spend": spend}
    given = {"rounds": 2, "a": a, "b": {"attacks": [{}], "spend": {"blood_on_injury": "all"}}}
    story = tcsim.duel(given, fractions=True).fractions
    assert list(story or ()) == naive_duel.by_round(given)
    found = surprises(resolved_duel(given).duel, tcsim.duel(given).story, 50_000, 3)
    assert min(found) > FALSE_ALARM / len(found)


def test_counts_depend_on_neither_threads_nor_chunks() -> None:
    given = known({"blood_on_injury": "all", "blood_on_action": "all"})
    one = simulate_duel(given, trials=150_000, seed=9, threads=1)
    three = simulate_duel(given, trials=150_000, seed=9, threads=3)
    assert one.run == three.run
    assert one.run != simulate_duel(given, trials=150_000, seed=8).run
    named = {**given, "id": "the same duel"}
    assert simulate_duel(named, trials=1000, seed=9).run == simulate_duel(given, trials=1000, seed=9).run


def test_interrupted() -> None:
    """Ctrl-C keeps what was counted until then, which is the beginning of the whole run."""

    def stop(_: int) -> None:
        raise KeyboardInterrupt

    result = simulate_duel(known({}), trials=10**9, threads=1, progress=stop)
    assert result.run is not None
    assert result.run.partial
    assert 0 < result.run.trials < 10**8
    whole = simulate_duel(known({}), trials=result.run.trials)
    assert whole.run is not None
    assert whole.run.counts == result.run.counts


# --- laws -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(8))
def test_laws(seed: int) -> None:
    """Chances never fall from round to round, and sum to at most 1; with the sides swapped, so are the answers."""
    rng = random.Random(f"law {seed}")
    given = duels.duel(rng, 6) if seed % 2 else duels.approaching(rng, 6)
    result = tcsim.duel(given)
    a = [0.0, *(a for a, _ in result.story)]
    b = [0.0, *(b for _, b in result.story)]
    assert a == sorted(a)
    assert b == sorted(b)
    assert a[-1] + b[-1] + result.neither == pytest.approx(1, rel=0, abs=1e-12)
    swapped = {**given, "a": given["b"], "b": given["a"], "first": {"a": "b", "b": "a"}[given["first"]]}
    if "approach" in given:
        who = given["approach"]["who_charges"]
        swapped["approach"] = {**given["approach"], "who_charges": {"a": "b", "b": "a"}.get(who, who)}
    other = tcsim.duel(swapped)
    assert (other.a_wins, other.b_wins) == pytest.approx((result.b_wins, result.a_wins), rel=0, abs=1e-12)
    # what stands in the table `target` may stand beside it
    flat = {**given, "a": {**given["a"], **given["a"]["target"]}}
    flat["a"].pop("target")
    assert tcsim.duel(flat).story == result.story
    assert resolved_duel(flat).duel.fingerprint == resolved_duel(given).duel.fingerprint


def test_answer_as_data() -> None:
    result = tcsim.duel(known({}, id="mine", options={"stand_up": "risky"}), fractions=True)
    answer = result.to_dict()
    assert list(answer) == ["id", "edition", "method", "a_wins", "b_wins", "neither", "fractions", "rounds", "options"]
    assert (answer["id"], answer["edition"], answer["method"]) == ("mine", "1.6.3", "exact")
    assert [row["round"] for row in answer["rounds"]] == [1, 2, 3, 4, 5, 6]
    assert answer["rounds"][-1] == {"round": 6, "a_wins": result.a_wins, "b_wins": result.b_wins}
    assert answer["options"] == {"stand_up": "risky"}
    usual = tcsim.duel(known({}, options={"stand_up": "wait", "stand_at": "turn", "bloodbath": "keep"}))
    assert "options" not in usual.to_dict()
    assert float(Fraction(answer["fractions"]["a_wins"])) == result.a_wins
    frame = result.rounds
    assert list(frame.columns) == ["round", "a_wins", "b_wins", "neither"]
    assert result.length == pytest.approx(1 + frame["neither"][:-1].sum())
    rolled = simulate_duel(known({}), trials=5000)
    answer = rolled.to_dict()
    assert (answer["trials"], answer["seed"], answer["method"]) == (5000, 1, "monte_carlo")
    assert answer["a_low"] < answer["a_wins"] < answer["a_high"]
    assert answer["rounds"][-1]["a_count"] == answer["a_count"] == round(answer["a_wins"] * 5000)
    assert list(rolled.rounds["b_count"]) == sorted(rolled.rounds["b_count"])


# --- what is refused ------------------------------------------------------------------------------------------------

FIST = {"attacks": [{}]}
WRONG = [
    ([], "a duel is a table with a and b, an array is given"),
    ({"a": FIST}, "b: it is missing; a duel has the tables a and b"),
    ({"a": FIST, "b": {"attacks": []}}, "b.attacks: at least one attack is needed"),
    ({"a": FIST, "b": {}}, "b.attacks: at least one attack is needed"),
    ({"a": FIST, "b": {"attacks": [{"weapon": "Swort"}]}}, 'b.attacks[0].weapon: there is no weapon "Swort"'),
    ({"a": {"attacks": [{"covr": True}]}, "b": FIST}, 'a.attacks[0]: there is no field "covr"; did you mean "cover"?'),
    ({"a": {"attacks": [{"cover": True}]}, "b": FIST}, "a.attacks[0]: cover belongs to ranged attacks"),
    ({"a": {"attacks": [{"event": "stand"}]}, "b": FIST}, "a.attacks[0].event: a duel knows by itself who stands up"),
    ({"a": {"attacks": [{"kind": "ranged"}]}, "b": FIST}, "a.attacks[0].kind: these are its melee attacks"),
    ({"a": {"attacks": [{"weapon": "Sniper Rifle"}]}, "b": FIST}, "a.attacks[0].weapon: "),
    ({"a": {**FIST, "unit": "Knigt"}, "b": FIST}, 'a.unit: there is no unit "Knigt"'),
    ({"a": FIST, "b": {**FIST, "target": {"armour": ["Tin"]}}}, "b.target.armour[0]: "),
    ({"a": FIST, "b": {**FIST, "armour": ["Tin"]}}, "b.armour[0]: "),
    ({"a": {**FIST, "target": {"keywords": ["FEER"]}}, "b": FIST}, "a.target.keywords"),
    ({"a": {**FIST, "target": {"blood": 7}}, "b": FIST}, "a.target.blood: 7 is given, a whole number from 0 to 6"),
    ({"a": {**FIST, "target": {"blood": True}}, "b": FIST}, "a.target.blood: true is given"),
    (
        {"a": {**FIST, "blood": 1, "target": {"blood": 1}}, "b": FIST},
        "a.target.blood: it is given in a and in a.target",
    ),
    ({"a": {**FIST, "target": {"unit": "x"}}, "b": FIST}, 'a.target: there is no field "unit"'),
    ({"a": FIST, "b": FIST, "rounds": 0}, "rounds: 0 is given, a whole number from 1 to 100 is allowed"),
    ({"a": FIST, "b": FIST, "rounds": 10**30}, "rounds: "),
    ({"a": FIST, "b": FIST, "first": "c"}, 'first: "c" is given, a or b is allowed'),
    ({"a": FIST, "b": FIST, "firts": "a"}, 'duel: there is no field "firts"; did you mean "first"?'),
    ({"a": FIST, "b": FIST, "edition": "1.6"}, 'edition: there is no edition "1.6"; did you mean "1.6.3"?'),
    (
        {"a": FIST, "b": FIST, "options": {"stand_upp": "wait"}},
        'options: there is no option "stand_upp"; did you mean "stand_up"?',
    ),
    ({"a": FIST, "b": FIST, "options": {"stand_up": "sit"}}, 'options.stand_up: "sit" is given, wait or risky or best'),
    ({"a": FIST, "b": FIST, "options": {"stand_up": "best"}}, "options.stand_up: best is a choice of optimal play"),
    ({"a": FIST, "b": FIST, "options": {"bloodbath": "no"}}, 'options.bloodbath: "no" is given'),
    ({"a": {**FIST, "spend": {"blood_on_injury": "al"}}, "b": FIST}, 'a.spend.blood_on_injury: "al" is given'),
    ({"a": FIST, "b": FIST, "approach": {}}, "approach.distance: it is missing"),
    ({"a": FIST, "b": FIST, "approach": {"distance": float("nan")}}, "approach.distance: nan is given"),
    ({"a": FIST, "b": FIST, "approach": {"distance": 0}}, "approach.distance: 0 is given, a number from 1 to 200"),
    ({"a": FIST, "b": FIST, "approach": {"distance": 9}}, "a.move: it is missing; an approach needs each Movement"),
    (
        {"a": FIST, "b": FIST, "approach": {"distance": 9, "who_charges": "best"}},
        "approach.who_charges: best is a choice of optimal play",
    ),
    (
        {"a": {"attacks": [{"charging": True}], "move": 6}, "b": {**FIST, "move": 6}, "approach": {"distance": 9}},
        "a.attacks[0].charging: with an approach the duel itself knows",
    ),
    (
        {
            "a": {**FIST, "move": 6, "ranged": [{"weapon": "Bolt-Action Rifle", "distance": 5}]},
            "b": {**FIST, "move": 6},
            "approach": {"distance": 9},
        },
        "a.ranged[0].distance: with an approach the duel itself knows",
    ),
    (
        {"a": {**FIST, "move": 0.01}, "b": {**FIST, "move": 0.017}, "approach": {"distance": 200}, "rounds": 100},
        "approach: these are more than 300 distances",
    ),
]


@pytest.mark.parametrize(("given", "message"), WRONG, ids=[message[:40] for _, message in WRONG])
def test_wrong_input(given: Any, message: str) -> None:
    with pytest.raises(tcsim.InputError) as caught:
        tcsim.duel(given)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_numbers_of_a_run_are_checked() -> None:
    for arguments in ({"trials": 0}, {"trials": True}, {"seed": -1}, {"threads": 0}):
        with pytest.raises(tcsim.InputError):
            simulate_duel(known({}), **arguments)  # type: ignore[arg-type]
    with pytest.raises(tcsim.InputError, match="11 rounds are asked for, at most 10 are allowed"):
        tcsim.duel(known({}, rounds=11), fractions=True)


def test_files(tmp_path: Path) -> None:
    text = "rounds = 2\n[a]\nattacks = [{ action_dice = 1 }]\n[b]\ntarget = { tough = true }\nattacks = [{}]\n"
    path = tmp_path / "duel.toml"
    path.write_text(text, encoding="utf-8")
    data = {"rounds": 2, "a": {"attacks": [{"action_dice": 1}]}, "b": {"target": {"tough": True}, "attacks": [{}]}}
    assert from_mapping(parse_file(path)) == from_mapping(parse_json(json.dumps(data))) == from_mapping(data)
    path.write_text("[a", encoding="utf-8")
    with pytest.raises(tcsim.InputError, match="this is not TOML"):
        parse_file(path)
