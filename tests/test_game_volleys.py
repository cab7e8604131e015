"""Both players choose on volleys, risky actions and re-rolls, for any goal: naive search, dice, no better choice."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

import naive_game
import numpy as np
import pytest
from stat_tools import smallest_seen, surprise
from test_game import BLOOD, KEYS, ends_of, surprises
from test_game import scenario as in_turn

import tcsim
from tcsim.engines import monte_carlo, trace
from tcsim.engines import tape as taping
from tcsim.engines.answer import resolved
from tcsim.engines.block import FLOAT_TAILS, Block
from tcsim.engines.chain import States
from tcsim.engines.codes import Codes
from tcsim.engines.exact import solve
from tcsim.engines.game_plan import plan
from tcsim.engines.game_volley import Playing
from tcsim.engines.states import decode
from tcsim.engines.volley import Volley
from tcsim.scenario.problem import ATTACK, Problem


def volleys(rng: random.Random, shots: int = 2, markers: int = 2, others: int = 1) -> dict[str, Any]:
    """A random game by numbers with shots resolved together; few markers, for the naive search tries every deal."""
    words = [word for word in ("CRITICAL", "FIRE", "DEADLY", "AUTO-HIT", "RISKY") if rng.random() < 0.2]
    dice = {key: rng.randint(-1, 1) for key in ("action_dice", "injury_dice", "injury_modifier")}
    made: list[dict[str, Any]] = [{"shots": rng.randint(2, shots), "keywords": words} | dice]
    for _ in range(rng.randint(0, others)):
        made.insert(rng.randint(0, len(made)), {"kind": "melee", "action_dice": rng.randint(-1, 1)})
    for event in ({"event": "stand"}, {"event": "activation"}, {"event": "risky", "action_dice": rng.randint(-1, 1)}):
        if rng.random() < 0.3:
            made.insert(rng.randint(0, len(made)), event)
    spend = {key: rng.choice(["none", "all", "optimal", "optimal", "optimal"]) for key in KEYS[1:]}
    target = {"injury_modifier": -rng.randrange(4), "blood": rng.randint(1, 3), "blessing": rng.randint(0, markers)}
    flags = {name: rng.random() < 0.3 for name in ("down", "tough", "machine_armour_minor")}
    return {
        "attacker": {"blood": rng.randint(0, markers), "blessing": rng.randint(0, markers), "down": rng.random() < 0.2},
        "target": target | flags,
        "attacks": made,
        "spend": {"blood_on_injury": rng.choice([*BLOOD, "optimal", "optimal"]), **spend},
        "options": {"declarations": rng.choice(["target-first", "attacker-first"])},
    }


@pytest.mark.parametrize("seed", range(10))
def test_volleys_against_the_naive_search(seed: int) -> None:
    """Every end, not only the value: so the ties are broken alike too."""
    compare(volleys(random.Random(seed), markers=1))


@pytest.mark.verification
@pytest.mark.parametrize("seed", range(60))
def test_volleys_of_more_markers_against_the_naive_search(seed: int) -> None:
    compare(volleys(random.Random(f"more {seed}")))


@pytest.mark.verification
@pytest.mark.parametrize("seed", range(10))
def test_volleys_of_three_against_the_naive_search(seed: int) -> None:
    compare(volleys(random.Random(f"three {seed}"), 3, 1, 0))


def compare(asked: dict[str, Any]) -> None:
    naive = naive_game.Game(asked).ends()
    found = ends_of(tcsim.odds(asked))
    assert set(found) == set(naive), asked
    for end, chance in naive.items():
        assert found[end] == pytest.approx(float(chance), abs=1e-12), asked


def test_volleys_rolled() -> None:
    """All ends of random games: a false alarm in 1e-6, an error of 0.02 near 1/2 is seen."""
    assert smallest_seen(30_000, 500, 1e-6) < 0.02
    found = [one for seed in range(10) for one in surprises(volleys(random.Random(f"r{seed}"), 2), 30_000, seed)]
    assert 50 < len(found) < 500
    assert min(found) > 1e-6 / len(found)


@pytest.mark.verification
def test_many_volleys_rolled() -> None:
    """As above, of up to three shots: an error of 0.006 near 1/2 is seen."""
    assert smallest_seen(300_000, 2000, 1e-6) < 0.007
    found = [one for seed in range(40) for one in surprises(volleys(random.Random(f"m{seed}"), 3), 300_000, seed)]
    assert 500 < len(found) < 2000
    assert min(found) > 1e-6 / len(found)


def test_a_volley_in_fractions() -> None:
    asked = volleys(random.Random(3))
    exact = tcsim.odds(asked, fractions=True).to_dict()["out_of_action"]
    assert Fraction(exact) == naive_game.out(naive_game.Game(asked).ends())


def test_volleys_told_end_as_they_are_counted() -> None:
    for seed in range(5):
        question = resolved(volleys(random.Random(f"told {seed}"), 2))
        tapes = taping.tapes(question.problem, 30, seed=2)
        for trial, tape in zip(trace.trials(question, 30, seed=2), tapes, strict=True):
            assert trial.end == taping.tape_end(question.problem, tape[-1]), seed


# --- re-rolls and goals -------------------------------------------------------------------------------------


def with_rerolls(asked: dict[str, Any], rerolls: int) -> Problem:
    problem = resolved(asked).problem
    steps = (
        step._replace(special=step.special._replace(rerolls=rerolls)) if step.kind == ATTACK else step
        for step in problem.steps
    )
    return replace(problem, steps=tuple(steps))


def few_markers(asked: dict[str, Any]) -> dict[str, Any]:
    """So that the naive way, which looks at every face of a re-roll, has few dice."""
    return {**asked, "attacker": {key: min(1, int(value)) for key, value in asked["attacker"].items() if key != "down"}}


@pytest.mark.parametrize("seed", range(8))
def test_rerolls_against_the_naive_search(seed: int) -> None:
    """In turn and together: what is spent stands for both rolls, and a hit that ended the activation has its own."""
    rng = random.Random(f"re-rolls {seed}")
    asked, rerolls = few_markers((volleys, in_turn)[seed % 2](rng, 2, 1)), rng.choice([1, 2])
    naive = naive_game.Game(asked, rerolls=rerolls).ends()
    [final] = solve([with_rerolls(asked, rerolls)])
    found = {naive_game.OUT if state is None else told(state): chance for state, chance in final}
    assert found == pytest.approx({end: float(chance) for end, chance in naive.items()}, abs=1e-12), asked


def told(state: Any) -> naive_game.Target:
    return naive_game.Target(bool(state.down), state.blood, state.blessing, bool(state.tough))


def test_rerolls_rolled() -> None:
    """A false alarm in 1e-6, an error of 0.02 near 1/2 is seen."""
    assert smallest_seen(30_000, 800, 1e-6) < 0.02
    found = []
    for seed in range(10):
        rng = random.Random(f"rolled again {seed}")
        problem = with_rerolls((volleys, in_turn)[seed % 2](rng, 2), rng.choice([1, 2]))
        exact = dict(solve([problem])[0])
        counts = {decode(code): count for code, count in monte_carlo.count(problem, 30_000, seed).counts.items()}
        assert set(counts) <= set(exact)
        found += [surprise(counts.get(state, 0), 30_000, chance) for state, chance in exact.items()]
    assert len(found) < 800
    assert min(found) > 1e-6 / len(found)


def down(ends: naive_game.Ends) -> Fraction:
    return sum((chance for end, chance in ends.items() if end == naive_game.OUT or end.down), Fraction(0))


def blood(ends: naive_game.Ends) -> Fraction:
    return sum((chance * (6 if end == naive_game.OUT else end.blood) for end, chance in ends.items()), Fraction(0))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(("goal", "score"), [("down", down), ("expected-blood", blood)])
def test_other_goals_against_the_naive_search(goal: str, score: Any, seed: int) -> None:
    """Out of action counts as Down, and as six blood markers."""
    rng = random.Random(f"{goal} {seed}")
    asked = (volleys, in_turn)[seed % 2](rng, 2, 1)
    asked["spend"]["goal"] = goal
    naive = naive_game.Game(asked, score=score).ends()
    assert ends_of(tcsim.odds(asked)) == pytest.approx({end: float(p) for end, p in naive.items()}, abs=1e-12), asked
    asked["spend"]["blood_on_injury"] = "optimal"
    naive = naive_game.Game(asked, score=score).ends()
    assert tcsim.spend(asked).value == pytest.approx(float(score(naive)), abs=1e-12), asked


# --- risky actions by hand ----------------------------------------------------------------------------------


def test_a_marker_on_a_risky_action() -> None:
    """2D6 come to 7 in 21 of 36 throws, with -1 DICE in 69 of 216; the die of a charge takes no marker.

    The attack behind it always hits and nearly always kills: so a marker is best spent on the risky action.
    """
    kill = {"kind": "melee", "keywords": ["AUTO-HIT"], "injury_modifier": 20}
    asked = {"target": {}, "attacks": [{"event": "risky"}, kill]}
    drained = {**asked, "attacker": {"blood": 1}, "spend": {"blood_on_action": "optimal"}}
    assert tcsim.odds(asked).out_of_action == pytest.approx(21 / 36, abs=1e-12)
    assert tcsim.odds(drained).out_of_action == pytest.approx(69 / 216, abs=1e-12)
    blessed = {**asked, "attacker": {"blessing": 1}, "spend": {"blessing_on_action": "optimal"}}
    assert tcsim.odds(blessed).out_of_action == pytest.approx(1 - 69 / 216 + (69 + 174 - 216) / 216, abs=1e-12)
    charge = {"event": "charge", "move": 6, "distance": 10}
    charging = {**drained, "attacks": [charge, kill]}
    assert tcsim.odds(charging).out_of_action == pytest.approx(3 / 6, abs=1e-12)
    for one in (drained, blessed, charging):
        assert min(surprises(one, 20_000, 7)) > 1e-6


# --- no one gains by doing otherwise ------------------------------------------------------------------------


class Planned:
    """The package's own play of a scenario of volleys, as the naive search asks for it; all keys are optimal."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self.game = naive_game.Game(asked, self.choice)
        self.block = Block([resolved(asked).problem])
        codes = Codes(self.block, within_volley=False)
        made = plan(self.block, codes)
        rows = self.block.sequence[0]
        self.moves = {
            m: Playing(Volley(self.block, FLOAT_TAILS, 0, int(rows[m])), codes, d) for m, d in made.volleys.items()
        }
        self.otherwise: dict[naive_game.Asked, Any] = {}

    def choice(self, asked: naive_game.Asked) -> Any:
        """What is planned, unless it is changed; whoever hears something else than is planned answers as is best."""
        if asked in self.otherwise:
            return self.otherwise[asked]
        return self.planned(asked)

    def planned(self, asked: naive_game.Asked) -> Any:
        assert asked.shots is not None
        playing, target = self.moves[asked.step], asked.target
        state = dict.fromkeys(States._fields, 0)
        state |= {
            "down": int(target.down),
            "blood": target.blood,
            "blessing": target.blessing,
            "tough": int(target.tough),
        }
        own, sequence = (asked.own.blood, asked.own.blessing), 1
        for shot in asked.shots:
            sequence = 2 * sequence + shot - 1 if shot else sequence
        if asked.critical is None:
            return playing.on_action(state, own, len(asked.shots), sequence, int(asked.ended))[asked.who]
        told = playing.deal(state, own, sequence, int(asked.ended))
        if asked.who == 0:
            return tuple(guard for _, guard in told)
        bought = []
        for choice, _ in told:
            dice, bath = int(self.block.dice(choice)), bool(self.block.bloodbath(choice))
            bought.append(naive_game.Buys(dice + bath * (3 if target.down else 6), bath, dice))
        return tuple(bought)

    def worth(self, asked: naive_game.Asked) -> Fraction:
        """The chance of out of action from a decision on."""
        assert asked.shots is not None
        game = self.game
        if asked.critical is None:
            return naive_game.out(game.shot(asked.step, asked.shots, asked.ended, asked.own, asked.target))
        kinds = tuple(shot - 1 for shot in asked.shots)
        return naive_game.out(game.deal(asked.step, kinds, asked.ended, asked.own, asked.target))

    def gains(self, asked: naive_game.Asked, may: tuple[list[Any], list[Any]]) -> Iterator[Fraction]:
        """What whoever answers gains by another answer, and whoever declares first by another declaration."""
        first = int(self.game.players.attacker_first)
        as_planned = self.worth(asked)
        declared = self.planned(asked._replace(who=first))
        answer_to = asked._replace(who=1 - first, heard=declared)
        for answer in may[1 - first]:
            self.otherwise = {answer_to: answer}
            yield (1 if first == 0 else -1) * (self.worth(asked) - as_planned)
        for choice in may[first]:
            answers = []
            for answer in may[1 - first]:
                self.otherwise = {
                    asked._replace(who=first): choice,
                    asked._replace(who=1 - first, heard=choice): answer,
                }
                answers.append(self.worth(asked))
            best = max(answers) if first == 0 else min(answers)
            yield (1 if first else -1) * (best - as_planned)
        self.otherwise = {}


@pytest.mark.parametrize("order", ["target-first", "attacker-first"])
def test_no_single_decision_of_a_volley_is_better_changed(order: str) -> None:
    """Each action roll and each deal of a RISKY volley of two, and every other choice at it."""
    asked = {
        "attacker": {"blood": 1, "blessing": 1},
        "target": {"injury_modifier": -1, "blood": 2, "blessing": 2, "tough": True},
        "attacks": [{"shots": 2, "keywords": ["RISKY"], "times": 2}],
        "spend": dict.fromkeys(KEYS, "optimal"),
        "options": {"declarations": order},
    }
    played, most, seen = Planned(asked), Fraction(0), 0
    assert naive_game.out(played.game.ends()) == pytest.approx(tcsim.odds(asked).out_of_action, abs=1e-12)
    game = played.game
    for blood, down, own in np.ndindex(4, 2, 2):
        blessing = 1 + down
        target = naive_game.Target(bool(down), blood, blessing, True)
        for before in [(), (0,), (1,), (2,)]:
            ask = naive_game.Asked(0, 1, naive_game.Own(own, 1), target, None, None, before, before == (0,))
            gained = list(played.gains(ask, (list(range(own + 1)), [0, 1])))
            most, seen = max([most, *gained]), seen + len(gained)
        for kinds in [(0,), (1,), (0, 0), (0, 1), (1, 0)]:
            ask = naive_game.Asked(0, 1, naive_game.Own(0, 0), target, -1, None, tuple(kind + 1 for kind in kinds))
            may = game.guards(blessing, len(kinds)), game.bought_for_all(1, target, kinds, None)
            gained = list(played.gains(ask, may))
            most, seen = max([most, *gained]), seen + len(gained)
    assert most <= naive_game.TIE
    assert seen > 400


def test_decisions_of_a_volley() -> None:
    """Chances of the second shot add up to what its markers are left; hits come as often as the dice say."""
    asked = {
        "attacker": {"blood": 2},
        "target": {"injury_modifier": -2, "blood": 2, "blessing": 1},
        "attacks": [{"shots": 2}],
        "spend": dict.fromkeys(("blood_on_action", "blood_on_injury", "blessing_on_injury"), "optimal"),
    }
    found = tcsim.spend(asked).decisions
    [first] = [one for one in found if one.attack == 1]
    assert (first.roll, first.who, first.chance, first.hits) == ("action roll", "target", 1.0, ())
    second = [one for one in found if one.attack == 2 and one.hit == 0]
    left = 2 - first.blood
    miss, hit, critical = (float(chance) for chance in naive_game.hits(-first.blood))
    expected = {(): miss, (0,): hit, (1,): critical} if left else {}
    assert {one.hits: one.chance for one in second} == pytest.approx(expected)
    both = sum(one.chance for one in found if one.hit == 1 and len(one.hits) == 2 and one.who == "target")
    again = {one.hits: 1 - float(naive_game.hits(-one.blood)[0]) for one in second}
    rate = 1 - float(naive_game.hits(0)[0])
    assert both == pytest.approx(hit * again.get((0,), rate) + critical * again.get((1,), rate))
    for one in found:
        if one.hit:
            assert 1 <= one.hit <= len(one.hits)
            assert one.roll == ("critical hit" if one.hits[one.hit - 1] else "plain hit")
