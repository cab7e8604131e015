"""Gates: rolls in the attacker's activation that are no attacks. Exact, rolled and naive come to the same.

By hand: 2D6 come to 7 or more in 21 of 36 throws, with -1 DICE in 69 of 216, with +1 in 174 of 216; a D6 comes to n or
more in 7 - n of 6, the higher of two in 1 - (n - 1)^2 / 36.
"""

from __future__ import annotations

import json
import random
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any

import naive
import pytest
import scenarios
from naive_special import final_states
from stat_tools import smallest_seen, surprise
from test_naive_special import as_question, engine_finals, random_problem

import tcsim
from tcsim.base.errors import InputError
from tcsim.cli import main
from tcsim.engines import monte_carlo
from tcsim.engines.exact import solve, watch
from tcsim.engines.states import decode
from tcsim.rules import Rulings, edition
from tcsim.scenario import problem as p
from tcsim.scenario.problem import Gate, Policy, Problem, State, Step
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import resolve

#: How often a check of counts fails for nothing.
FALSE_ALARM = 1e-6
KILL = Step(auto_hit=1, **{name: 40 for name in Step._fields if name.startswith("injury_modifier")})
HIT = {-1: Fraction(69, 216), 0: Fraction(21, 36), 1: Fraction(174, 216)}


def gate(net: int = 0, keep: int = 2, total: int = 7) -> Step:
    return Step(kind=p.GATE, gate=Gate(keep, net, total))


def problem(*steps: Step, policy: int = p.NONE) -> Problem:
    return Problem("1.6.3", edition("1.6.3").charts, Rulings(0, 0, 0, 1, 1), State(), 0, Policy(policy), steps)


def out(*steps: Step, policy: int = p.NONE) -> Fraction:
    [final] = solve([problem(*steps, policy=policy)], fractions=True)
    return dict(final).get(None, Fraction(0))


@pytest.mark.parametrize("net", HIT)
def test_a_risky_action_by_hand(net: int) -> None:
    assert out(gate(net), KILL) == HIT[net]
    assert out(gate(net), gate(), KILL) == HIT[net] * HIT[0]
    # what has failed is not tried again, and a new activation begins anyway
    assert out(gate(net), Step(kind=p.ACTIVATION), gate(1), KILL) == HIT[1]


@pytest.mark.parametrize("total", range(1, 8))
def test_a_charge_by_hand(total: int) -> None:
    assert out(gate(0, 1, total), KILL) == Fraction(7 - total, 6)
    assert out(gate(1, 1, total), KILL) == 1 - Fraction((total - 1) ** 2, 36)


def test_what_happens_to_the_target_is_skipped_too() -> None:
    """The target stands up unless the activation has ended: as after a failed RISKY attack."""
    asked = replace(problem(gate(), Step(kind=p.STAND), Step()), start=State(down=1))
    [final] = solve([asked], fractions=True)
    assert engine_finals(final) == final_states(as_question(asked))
    assert dict(final)[State(down=1)] >= 1 - HIT[0]


def with_gates(rng: random.Random) -> Problem:
    """Anything special, with gates anywhere between."""
    asked = random_problem(rng)
    steps = list(asked.steps)
    for _ in range(rng.randint(1, 3)):
        keep = rng.choice((1, 2, 2))
        steps.insert(rng.randint(0, len(steps) - 1), gate(rng.randint(-2, 2), keep, rng.randint(1, 6 * keep + 1)))
    return replace(asked, steps=tuple(steps))


@pytest.mark.parametrize("seed", range(4))
def test_exact_against_naive(seed: int) -> None:
    """Twelve problems a seed, optimal spending among them, as fractions: every final state has the very same chance."""
    rng = random.Random(f"gates {seed}")
    for asked in (with_gates(rng) for _ in range(12)):
        [final] = solve([asked], fractions=True)
        assert engine_finals(final) == final_states(as_question(asked)), asked


def test_blocks_with_and_without_gates() -> None:
    """Problems side by side come to the same as each alone."""
    rng = random.Random("side by side")
    asked = [with_gates(rng) if number % 2 else random_problem(rng) for number in range(16)]
    for one, final in zip(asked, solve(asked), strict=True):
        alone = dict(solve([one])[0])
        assert dict(final).keys() == alone.keys()
        assert all(abs(chance - alone[state]) < 1e-12 for state, chance in final)


def test_rolled_against_exact() -> None:
    """Every end of random problems, and each moment on the way.

    All counts together fail for nothing once in a million runs; the last line says the smallest error of a chance near
    1/2 that is seen at least half the time.
    """
    rng, trials = random.Random("rolled gates"), 40_000
    surprises = []
    for seed in range(20):
        asked = with_gates(rng)
        exact = dict(solve([asked])[0])
        counts = {decode(code): n for code, n in monte_carlo.count(asked, trials, seed).counts.items()}
        assert set(counts) <= set(exact)
        surprises += [surprise(counts.get(state, 0), trials, chance) for state, chance in exact.items()]
        story = monte_carlo.follow(asked, trials, seed)
        assert story.trials == trials
        assert story.out[-1] == counts.get(None, 0)
        for moment, *counted in zip(watch(asked), story.down, story.out, story.ended, strict=True):
            surprises += [surprise(n, trials, min(chance, 1.0)) for n, chance in zip(counted, moment[:3], strict=True)]
    assert min(surprises) > FALSE_ALARM / len(surprises)
    assert smallest_seen(trials, len(surprises), FALSE_ALARM) < 0.02


def test_moments_by_hand() -> None:
    """A risky action, then a hit that takes the target out: ended before, or out."""
    first, second = watch(problem(gate(), KILL))
    assert first == pytest.approx((0, 0, 15 / 36, 0), abs=1e-15)
    assert second == pytest.approx((0, 21 / 36, 15 / 36, 0), abs=1e-15)  # who is not out has no marker


def test_an_open_gate_is_no_part_of_the_question() -> None:
    """Fingerprints of problems without gates are what they were: the numbers of gates are not in them."""
    plain = problem(Step(), KILL)
    assert plain.fingerprint == replace(plain, steps=(Step(gate=Gate()), KILL)).fingerprint
    assert plain.fingerprint != problem(gate(), Step(), KILL).fingerprint
    assert not plain.is_special
    assert problem(gate(), Step()).is_special


# --- scenarios ------------------------------------------------------------------------------------------------------


def risky_scenario(rng: random.Random) -> dict[str, Any]:
    """A random scenario with risky actions, charges and a stand-up between its attacks."""
    made = scenarios.scenario(rng, small=True)
    attacks = made["attacks"]
    for _ in range(rng.randint(1, 2)):
        roll: dict[str, Any] = {"event": "risky", "action_dice": rng.randint(-1, 1)}
        if rng.random() < 0.5:
            bonus = rng.choice(("d6", "d3", "2d6kh1"))
            roll = {"event": "charge", "distance": rng.choice((5, 6.5, 7)), "move": 6, "bonus": bonus}
        if rng.random() < 0.2:
            roll = {"event": "charge", "distance": rng.choice((3.5, 4)), "move": 6, "halved": True}
        attacks.insert(rng.randint(0, len(attacks)), roll)
    if made["edition"] == "1.6.3" and made["attacker"]["down"]:
        attacks.insert(rng.randint(0, len(attacks)), {"event": "attacker_stand"})
    return made


@pytest.mark.parametrize("seed", range(4))
def test_scenarios_against_naive(seed: int) -> None:
    """Ten a seed, both editions, every policy, a Down attacker and markers on action rolls: equal as fractions."""
    rng = random.Random(f"scenarios {seed}")
    for asked in (risky_scenario(rng) for _ in range(10)):
        found = tcsim.odds(asked, fractions=True)
        ends = {
            "out" if state is None else tuple(state)[:4]: chance
            for (state, _), chance in zip(found.states, found.fractions or [], strict=True)
        }
        assert ends == {end: chance for end, chance in naive.final_states(asked).items() if chance}, asked


def killed(*attacks: Mapping[str, Any], **rest: Any) -> Fraction:
    """P(out of action) where the one attack is certain to kill."""
    attack = {"kind": "melee", "keywords": ["AUTO-HIT"], "injury_modifier": 20}
    found = tcsim.odds({"target": {}, "attacks": [*attacks, attack], **rest}, fractions=True)
    return dict(zip([state for state, _ in found.states], found.fractions or [], strict=True)).get(None, Fraction(0))


def test_risky_actions_of_a_down_attacker() -> None:
    """-1 DICE until it has stood up, which is such a roll itself; the rolls after it have none."""
    down, dash, stand = {"attacker": {"down": True}}, {"event": "risky"}, {"event": "attacker_stand"}
    assert killed(dash) == HIT[0]
    assert killed(dash, **down) == HIT[-1]
    assert killed(stand, **down) == HIT[-1]
    assert killed(stand, dash, **down) == HIT[-1] * HIT[0]
    assert killed(dash, stand, **down) == HIT[-1] * HIT[-1]
    assert killed({**stand, "action_dice": 2}, {**dash, "action_dice": 1}, **down) == HIT[1] * HIT[1]
    # an attack after it has no -1 either: 21 of 36 hit, and all hits kill
    attack = {"kind": "melee", "injury_modifier": 20}
    found = tcsim.odds({"target": {}, "attacks": [stand, attack], **down}, fractions=True)
    assert (found.fractions or [])[0] == HIT[-1] * HIT[0]


def test_markers_are_spent_on_the_first_action_roll_whatever_it_is() -> None:
    """A blood marker of the attacker takes a die from its dash; the die of a charge is no action roll."""
    markers = {"attacker": {"blood": 1}, "spend": {"blood_on_action": "all"}}
    dash, charge = {"event": "risky"}, {"event": "charge", "distance": 9, "move": 6}
    assert killed(dash, **markers) == HIT[-1]
    assert killed(dash, dash, **markers) == HIT[-1] * HIT[0]
    assert killed(charge, dash, **markers) == Fraction(4, 6) * HIT[-1]
    blessed = {"attacker": {"blessing": 1}, "spend": {"blessing_on_action": "all"}}
    assert killed(dash, dash, **blessed) == HIT[1] * HIT[0]


@pytest.mark.parametrize(
    ("charge", "ways"),
    [
        ({"distance": 6, "move": 6}, Fraction(1)),  # Movement reaches
        ({"distance": 7, "move": 6}, Fraction(1)),  # whatever the die shows
        ({"distance": 9, "move": 6}, Fraction(4, 6)),
        ({"distance": 8.2, "move": 5.2}, Fraction(4, 6)),  # 3 more, and not a little above 3
        ({"distance": 9, "move": 6, "bonus": "d3"}, Fraction(1, 3)),
        ({"distance": 8, "move": 6, "bonus": "d3"}, Fraction(2, 3)),
        ({"distance": 9, "move": 6, "bonus": "2d6kh1"}, 1 - Fraction(4, 36)),
        ({"distance": 9, "move": 6, "bonus": "2d3kh1"}, 1 - Fraction(4, 9)),
        ({"distance": 5, "move": 6, "bonus": "none"}, Fraction(1)),
        ({"distance": 5, "move": 6, "halved": True}, Fraction(5, 6)),  # 3 + D6
        ({"distance": 12, "move": 8}, Fraction(3, 6)),
    ],
)
def test_charges_by_hand(charge: dict[str, Any], ways: Fraction) -> None:
    assert killed({"event": "charge", **charge}) == ways


def test_a_halved_charge_in_1_0_2_halves_its_die_too() -> None:
    """(6 + D6) / 2 comes to 5 with a 4 or more."""
    charge = {"event": "charge", "distance": 5, "move": 6, "halved": True}
    assert killed(charge, edition="1.0.2") == Fraction(3, 6)


@pytest.mark.parametrize(
    ("unit", "more", "ways"),
    [
        ("Shocktrooper @new-antioch", {}, 1 - Fraction(4, 36)),  # Shock Charge: the higher of two
        ("Heretic Trooper", {}, Fraction(4, 6)),
        ("Yeoman", {"armour": ["Machine Armour"]}, Fraction(1, 3)),
    ],
)
def test_move_and_die_of_a_charge_by_name(unit: str, more: dict[str, Any], ways: Fraction) -> None:
    """All of these have Movement 6."""
    assert killed({"event": "charge", "distance": 9}, attacker={"unit": unit, **more}) == ways


def test_heavy_charges_without_a_die() -> None:
    asked = {"attacker": {"keywords": ["HEAVY"]}}
    assert killed({"event": "charge", "distance": 6, "move": 6}, **asked) == 1
    with pytest.raises(InputError, match=r"attacks\[0\]\.distance.*out of reach.*no die"):
        killed({"event": "charge", "distance": 7, "move": 6}, **asked)
    strong = {"attacker": {"keywords": ["HEAVY", "STRONG"]}, "edition": "1.0.2"}
    assert killed({"event": "charge", "distance": 9, "move": 6}, **strong) == Fraction(4, 6)


def test_a_certain_charge_is_no_part_of_the_problem() -> None:
    plain, charged = ([*before, {"kind": "melee"}] for before in ([], [{"event": "charge", "distance": 7, "move": 6}]))
    found = [resolve(from_mapping({"target": {}, "attacks": attacks})).problem for attacks in (plain, charged)]
    assert found[0].fingerprint == found[1].fingerprint


@pytest.mark.parametrize(
    ("attacks", "words"),
    [
        ([{"event": "charge"}], "attacks[0].distance: it is missing; a charge has a distance, in inches"),
        ([{"event": "charge", "distance": 9}], "attacks[0].move: it is missing"),
        ([{"event": "charge", "distance": 12.5, "move": 8}], "a charge in 1.6.3 is at most 12"),
        ([{"event": "charge", "distance": 12, "move": 5}], "out of reach: Movement and D6 of 5 inches"),
        ([{"event": "charge", "distance": True, "move": 5}], "true is given, a number from 0 to 200"),
        ([{"event": "charge", "distance": 5, "move": 5, "bonus": "d8"}], "d6, d3, 2d6kh1, 2d3kh1 or none is allowed"),
        ([{"event": "attacker_stand"}], "attacks[0]: the attacker is not Down"),
        ([{"event": "risky", "action_dice": 41}], "a whole number from -40 to 40"),
        ([{"event": "risky", "distance": 4}], 'there is no field "distance"'),
        ([{"event": "riskey"}], 'did you mean "risky"?'),
        ([{"event": 1}], "attacks[0].event: 1 is given"),
        ([{"event": "risky"}] * 1001, "1,001 risky actions and charges are given, at most 1,000"),
    ],
)
def test_wrong_rolls(attacks: list[Any], words: str) -> None:
    with pytest.raises(InputError) as error:
        tcsim.odds({"target": {}, "attacks": [*attacks, {"kind": "melee"}]})
    assert words in str(error.value)


def test_standing_up_in_1_0_2_needs_no_roll() -> None:
    with pytest.raises(InputError, match="stands when it is activated, without a roll"):
        killed({"event": "attacker_stand"}, edition="1.0.2", attacker={"down": True})


def test_told_die_by_die() -> None:
    """Every gate of a told trial: its dice, whether they suffice, and that what follows a failure is skipped."""
    asked = {
        "target": {},
        "attacks": [
            {"event": "risky", "action_dice": -1, "label": "dash"},
            {"event": "charge", "distance": 9, "move": 6, "bonus": "2d6kh1"},
            {"event": "charge", "distance": 6, "move": 6},
            {"kind": "melee"},
        ],
    }
    met = set()
    for trial in tcsim.simulate(asked, trials=300, seed=2, traces=300).run.traces:
        ended, names = False, []
        for roll in trial.rolls:
            assert not ended
            names.append(roll.attack)
            if roll.attack == "dash":
                assert roll.roll == "action"
                assert sorted(roll.dice)[:2] == sorted(roll.kept)
                ended = roll.total < 7
                assert len(roll.dice) == 3
            elif roll.attack == "the attacker charges":
                assert (roll.roll, len(roll.dice), roll.kept) == ("charge", 2, (max(roll.dice),))
                ended = roll.total < 3
        assert ended == ("melee attack" not in names)
        assert ended == ("melee attack: skipped, the activation has ended" in trial.told)
        met.add(tuple(dict.fromkeys(names)))
    assert met == {("dash",), ("dash", "the attacker charges"), ("dash", "the attacker charges", "melee attack")}


def test_explained(capsys: pytest.CaptureFixture[str]) -> None:
    """The line and the rule behind each number, in words and as data."""
    asked = ["--attack", "risky,action_dice=+1,label=dash", "--attack", "charge,distance=9,move=6,bonus=2d6kh1"]
    asked += ["--attack", "charge,distance=6,move=6", "--attack", "melee", "--attacker-down"]
    assert main(["explain", *asked]) == 0
    said = " ".join(capsys.readouterr().out.split())
    for words in (
        "1 dash RISKY: a failure ends the activation [json: Risky Actions] Action roll +1 action_dice [as given]",
        "−1 attacker down [text: Down] = 2D6 7 or more goes on, 58.3%",
        "Movement 6 against 9 inches [json: Charge] 2D6: as given = 2D6, highest 1: 3 or more reaches, 88.9%",
        "Movement 6 against 6 inches [json: Charge] Movement reaches, so that no die is needed",
        "json: the English 1.6.3 data",
    ):
        assert words in said
    assert main(["explain", *asked, "--json"]) == 0
    rolls = json.loads(capsys.readouterr().out)["attacks"]
    assert [one["steps"][0]["kind"] for one in rolls] == ["gate", "gate", "gate", "attack"]
    assert rolls[0]["steps"] == [{"kind": "gate", "keep": 2, "net": 0, "total": 7}]
    assert rolls[1]["steps"] == [{"kind": "gate", "keep": 1, "net": 1, "total": 3}]
    assert "gate" not in rolls[3]["steps"][0]
    assert [line["source"] for line in rolls[0]["lines"]] == ["as given", "text: Down"]


def test_markers_on_a_risky_action_are_explained(capsys: pytest.CaptureFixture[str]) -> None:
    asked = ["--attack", "risky", "--attack", "melee", "--attacker-blood", "1", "--blood-on-action", "all"]
    assert main(["explain", *asked]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "It has −1 DICE more, from markers spent on it = 3D6, lowest 2 7 or more goes on, 31.9%" in said


def test_pools_of_many_dice_are_told_apart() -> None:
    """The most net dice that a step may have, beside a pool of one kept die more and few dice."""
    many, few = (Step(kind=p.GATE, gate=Gate(*gate)) for gate in ((1, 150, 6), (2, -106, 3)))
    assert out(many, KILL) == 1 - Fraction(5, 6) ** 151
    assert out(few, KILL) == Fraction(5**108 + 108 * 5**107, 6**108)  # at most one 1
