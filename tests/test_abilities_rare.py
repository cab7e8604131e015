"""Abilities that need a memory, a partner, a roll of the target's own, or a payment: by names, against enumeration.

Of the 36 ways of 2D6, 15 are a Minor Hit, 11 Down, 10 out of action; 21 hit. Each test says the rule that it is about,
as ``rules.md`` of 1.0.2 or the row of the catalogue has it. All chances are exact fractions; that the dice come to the
same, and a third way, is shown for every number of a problem in ``test_special_kernel`` and ``test_naive_special``.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from abilities import BOTH, asked

import tcsim
from tcsim.engines.exact import solve
from tcsim.scenario.resolve import Resolved

SURE = {"kind": "melee", "keywords": ["AUTO-HIT"]}
KILL = {**SURE, "injury_modifier": 20}
MINOR, FALLS, OUT, HIT = (Fraction(ways, 36) for ways in (15, 11, 10, 21))
#: 1.0.2 holds negative modifiers to -3; where a hit is to do no harm, it must not.
NO_CAP = {"negative_modifier_cap": "none"}
#: 9 or more of 3D6: 160 of 216.
OUT_BY_BLOODBATH = Fraction(160, 216)


def ends(question: Resolved) -> dict[str, Fraction]:
    """Chances of the end, by ``out``, ``down`` and ``up``, with the markers of a model that is not out."""
    chances: dict[str, Fraction] = {}
    for state, chance in solve([question.problem], fractions=True)[0]:
        name = "out" if state is None else f"{'down' if state.down else 'up'} {state.blood + state.infection}"
        chances[name] = chances.get(name, Fraction(0)) + chance
    return {name: chance for name, chance in chances.items() if chance}


def out(question: Resolved) -> Fraction:
    return ends(question).get("out", Fraction(0))


def skilled(*names: str, **fields: Any) -> dict[str, Any]:
    return {"abilities": list(names), **fields}


# --- skills of 1.0.2 that soften a Down (rules 1.0.2, campaign: skills) -------------------------------------------


def test_hard_as_nails() -> None:
    """The first Down is no effect; the second is a Down like any other, and so is one against a Down model."""
    nails = skilled("Hard as Nails")
    assert ends(asked("1.0.2", {}, nails, SURE)) == {"up 1": MINOR, "up 0": FALLS, "out": OUT}
    twice = ends(asked("1.0.2", {}, nails, SURE, SURE))
    assert twice == {  # a second Down has its one marker
        "up 2": MINOR**2,
        "up 1": 2 * MINOR * FALLS,
        "down 1": FALLS**2,
        "out": 1 - (1 - OUT) ** 2,
    }
    down = ends(asked("1.0.2", {}, {**nails, "down": True}, {**SURE, "kind": "ranged"}))
    assert down == {"down 1": MINOR, "down 0": FALLS, "out": OUT}
    final = tcsim.odds({"edition": "1.0.2", "target": nails, "attacks": [SURE]}).to_dict()["final"]
    assert [(row["blood"], row["firm"]) for row in final if not row["out_of_action"]] == [(0, False), (1, True)]


def test_hard_as_nails_after_tough() -> None:
    """What TOUGH makes Down is a Down result too; where the option says that it stays Down, it does."""
    nails = skilled("Hard as Nails", tough=True)
    assert ends(asked("1.0.2", {}, nails, KILL)) == {"up 0": 1}
    stays = {"machine_armour_after_tough": "down"}
    assert ends(asked("1.0.2", {}, nails, KILL, options=stays)) == {"down 1": 1}


def test_stand_firm() -> None:
    """The first Down is a Minor Hit: a marker, and no Down."""
    firm = skilled("Stand Firm")
    assert ends(asked("1.0.2", {}, firm, SURE)) == {"up 1": MINOR + FALLS, "out": OUT}
    assert ends(asked("1.0.2", {}, firm, SURE, SURE))["down 2"] == FALLS**2
    both = skilled("Stand Firm", "Hard as Nails")  # the better of the two
    assert ends(asked("1.0.2", {}, both, SURE)) == {"up 1": MINOR, "up 0": FALLS, "out": OUT}


@pytest.mark.parametrize(("blood", "expected"), [(0, {"up 1": MINOR + FALLS}), (1, {"up 2": MINOR, "down 2": FALLS})])
def test_sixth_sense(blood: int, expected: dict[str, Fraction]) -> None:
    """Down is a Minor Hit while it has no blood marker, as often as that is so."""
    sense = skilled("Sixth Sense", blood=blood)
    assert ends(asked("1.0.2", {}, sense, SURE)) == {**expected, "out": OUT}


def test_sixth_sense_and_markers_that_are_spent() -> None:
    """A marker that is spent on the roll is gone when its result comes: highest 2 of 3D6, 113 and 61 of 216."""
    sense = skilled("Sixth Sense", blood=1)
    found = ends(asked("1.0.2", {}, sense, SURE, spend={"blood_on_injury": "all"}))
    assert found == {"up 1": Fraction(216 - 113, 216), "out": Fraction(113, 216)}


@pytest.mark.parametrize("blood", [0, 3])
def test_sixth_sense_with_tough(blood: int) -> None:
    """Once, what TOUGH makes Down is no effect, whatever markers there are: the skill names no condition for that."""
    sense = skilled("Sixth Sense", tough=True, blood=blood)
    assert ends(asked("1.0.2", {}, sense, KILL)) == {f"up {blood}": 1}
    assert ends(asked("1.0.2", {}, sense, KILL, KILL)) == {"out": 1}


@pytest.mark.parametrize(("blood", "expected"), [(0, {"up 0": 1}), (3, {"down 4": 1})])
def test_sixth_sense_with_tough_by_its_condition(blood: int, expected: dict[str, Fraction]) -> None:
    """The other reading: with a blood marker on it, what TOUGH makes is Down, with the marker of that."""
    sense = skilled("Sixth Sense", tough=True, blood=blood)
    options = {"no_effect_after_tough": "unmarked"}
    question = asked("1.0.2", {}, sense, KILL, options=options)
    assert ends(question) == expected
    [rolled] = tcsim.simulate(question.scenario, trials=100).to_dict()["final"]
    assert (f"{'down' if rolled['down'] else 'up'} {rolled['blood']}", rolled["count"]) == (next(iter(expected)), 100)


# --- fireteams (warband rule of New Antioch, both editions; rules.md, Bloodbath) ----------------------------------

SHOT, FELLOWS = {"injury_modifier": -20}, {"keywords": ["AUTO-HIT"], "fireteam": True}
FIRETEAM = {"abilities": ["Concentrated Attack"]}
BLOODBATH = {"blood_on_injury": "bloodbath"}


@pytest.mark.parametrize("edition", BOTH)
def test_concentrated_attack(edition: str) -> None:
    """After a hit of the other one a Bloodbath costs 3, though the target stands."""
    target = {"blood": 3}
    expected = HIT * OUT_BY_BLOODBATH + (1 - HIT) * OUT
    assert out(asked(edition, FIRETEAM, target, SHOT, FELLOWS, spend=BLOODBATH, options=NO_CAP)) == expected
    # either of the two may profit, but nobody from a hit of one's own
    first, second = {**SHOT, "fireteam": True}, {"keywords": ["AUTO-HIT"]}
    assert out(asked(edition, FIRETEAM, target, first, second, spend=BLOODBATH, options=NO_CAP)) == expected
    assert out(asked(edition, FIRETEAM, target, first, FELLOWS, spend=BLOODBATH, options=NO_CAP)) == OUT
    # nor from one of an earlier activation, nor without the rule
    new = {"event": "activation"}
    assert out(asked(edition, FIRETEAM, target, SHOT, new, FELLOWS, spend=BLOODBATH, options=NO_CAP)) == OUT
    assert out(asked(edition, {}, target, SHOT, FELLOWS, spend=BLOODBATH, options=NO_CAP)) == OUT


@pytest.mark.parametrize("edition", BOTH)
def test_a_bloodbath_of_a_fireteam_costs_three_down_or_not(edition: str) -> None:
    """2 markers are too few, also against a Down target, which costs 3 as ever."""
    for target in ({"blood": 2}, {"blood": 2, "down": True}):
        kept = asked(
            edition, FIRETEAM, target, {**SHOT, "keywords": ["AUTO-HIT"]}, FELLOWS, spend=BLOODBATH, options=NO_CAP
        )
        plain = asked(edition, {}, target, {**SHOT, "keywords": ["AUTO-HIT"]}, FELLOWS, spend=BLOODBATH, options=NO_CAP)
        assert out(kept) == out(plain)


def test_what_is_said_of_a_fireteam() -> None:
    assert asked("1.6.3", FIRETEAM, {}, SHOT).assumed == ("no second model of a fireteam",)
    assert asked("1.6.3", FIRETEAM, {}, SHOT, FELLOWS).assumed == ()
    assert asked("1.6.3", {}, {}, FELLOWS).notes == ("Changes nothing here: fireteam, no rule asks for it.",)


def test_a_fireteam_rolled() -> None:
    """2,000,000 trials; a sound kernel fails once in 10,000,000 (5.3 standard errors)."""
    question = asked(
        "1.0.2", FIRETEAM, {"blood": 3, "tough": True}, SHOT, {**FELLOWS, "times": 2}, spend=BLOODBATH, options=NO_CAP
    )
    exact = float(out(question))
    rolled = tcsim.simulate(question.scenario, trials=2_000_000, seed=11).out_of_action
    assert abs(rolled - exact) < 5.3 * (exact * (1 - exact) / 2_000_000) ** 0.5


# --- the Black Grail Shield (armour row, both editions) -----------------------------------------------------------


@pytest.mark.parametrize("edition", BOTH)
def test_black_grail_shield(edition: str) -> None:
    """Its bearer rolls against each ranged attack: on 7-11 that has -2 DICE, on 12 it fails."""
    shield, shot = {"armour": ["Black Grail Shield"]}, {"injury_modifier": 20}
    hindered = Fraction(225, 1296)  # two 6-sided dice of four, the lowest: 7 or more
    expected = Fraction(15, 36) * HIT + Fraction(20, 36) * hindered
    assert out(asked(edition, {}, shield, shot)) == expected
    # a Down bearer has -1 DICE: of 216 throws, 147 fail, 68 are 7-11, one is 12; the attack is not easier for that
    down = Fraction(147, 216) * HIT + Fraction(68, 216) * hindered
    assert out(asked(edition, {}, {**shield, "down": True}, shot)) == down
    # each attack of an action has a roll of its own
    assert out(asked(edition, {}, shield, {**shot, "shots": 2})) == 1 - (1 - expected) ** 2
    # no roll against melee, and none where nothing is rolled to hit
    assert out(asked(edition, {}, shield, {**shot, "kind": "melee"})) == HIT
    assert out(asked(edition, {}, shield, {**shot, "keywords": ["AUTO-HIT"]})) == 1


def test_an_attack_that_the_shield_stops_is_a_failure() -> None:
    """A RISKY one ends the activation with it."""
    shield = {"armour": ["Black Grail Shield"]}
    risky = {"keywords": ["RISKY"], "injury_modifier": -20}
    misses = 1 - (Fraction(15, 36) * HIT + Fraction(20, 36) * Fraction(225, 1296))
    assert out(asked("1.6.3", {}, shield, risky, KILL)) == 1 - misses


def test_the_roll_of_the_shield_is_told() -> None:
    question = asked("1.6.3", {}, {"armour": ["Black Grail Shield"]}, {"times": 2})
    told = "\n".join(map(str, tcsim.simulate(question.scenario, trials=40, traces=40).run.traces))
    assert "reaction roll: " in told
    assert "success, -2 DICE" in told


# --- what is paid for ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", BOTH)
def test_oracle_beast_cloak(edition: str) -> None:
    """For 3 markers a result is no effect, once: kept for the one that would take it out of action."""
    hunter = {"unit": "Hunter of the Left-Hand Path", "paid": 3}
    assert ends(asked(edition, {}, hunter, KILL)) == {"up 0": 1}
    assert ends(asked(edition, {}, hunter, KILL, KILL)) == {"out": 1}
    poor = asked(edition, {}, {**hunter, "paid": 2}, KILL)
    assert ends(poor) == {"out": 1}
    assert "nothing paid for abilities of the target" in asked(edition, {}, {**hunter, "paid": 0}, KILL).assumed


@pytest.mark.parametrize("edition", BOTH)
def test_too_proud_to_fall(edition: str) -> None:
    """For 2 markers a Down is a Minor Hit."""
    proud = skilled("Too Proud to Fall", paid=2)
    assert ends(asked(edition, {}, proud, SURE)) == {"up 1": MINOR + FALLS, "out": OUT}
    assert ends(asked(edition, {}, {**proud, "paid": 1}, SURE)) == {"up 1": MINOR, "down 1": FALLS, "out": OUT}


@pytest.mark.parametrize(("edition", "marker"), [("1.6.3", "blood"), ("1.0.2", "infection")])
def test_viscera_cannon(edition: str, marker: str) -> None:
    """Up to 3 markers of one's own for as many on the target, on a hit: with its +2 DICE 1179 of 1296."""
    hit = Fraction(1179, 1296)
    for paid, placed in ((0, 0), (2, 2), (5, 3)):
        shot = {"weapon": "Viscera Cannon", "injury_modifier": -20, "shots": 1, "paid": paid}
        question = asked(edition, {}, {}, shot, options=NO_CAP)
        found = {
            getattr(state, marker): chance for state, chance in solve([question.problem], fractions=True)[0] if state
        }
        assert found == ({placed: hit, 0: 1 - hit} if placed else {0: 1})


# --- abilities that end, lives, armour that is switched off -------------------------------------------------------


def test_broken_on_the_wheel() -> None:
    """1.0.2: modifier 0, no TOUGH, Down a Minor Hit, until its first out of action is no effect and its blood goes.

    Then it is as printed: -3 and TOUGH. Of 2D6 - 3, 6 of 36 do nothing, 24 are a Minor Hit, 5 Down, 1 out of action.
    """
    shrine = {"unit": "Anchorite Shrine", "abilities": ["Broken on the Wheel"]}
    assert ends(asked("1.0.2", {}, shrine, SURE)) == {"up 1": MINOR + FALLS, "up 0": OUT}
    later = {"up 0": Fraction(6, 36), "up 1": Fraction(24, 36), "down 1": Fraction(6, 36)}
    expected = {"up 2": (MINOR + FALLS) ** 2, "up 0": (MINOR + FALLS) * OUT}
    for name, chance in later.items():
        expected[name] = expected.get(name, Fraction(0)) + OUT * chance
    twice = asked("1.0.2", {}, shrine, {**SURE, "times": 2})
    assert ends(twice) == expected
    assert twice.problem.rolls == 2
    # NEGATE SHRAPNEL is lost on the wheel, and back after it
    shrapnel = {"kind": "melee", "keywords": ["AUTO-HIT", "SHRAPNEL"], "injury_modifier": -20}
    assert ends(asked("1.0.2", {}, shrine, shrapnel, options=NO_CAP)) == {"up 1": 1}
    assert ends(asked("1.0.2", {}, shrine, KILL, shrapnel, options=NO_CAP)) == {"up 0": 1}
    assert ends(asked("1.0.2", {}, "Anchorite Shrine", shrapnel, options=NO_CAP)) == {"up 0": 1}


def test_broken_on_the_wheel_rolled_and_spent_on() -> None:
    """The attacker's blood is spent on the first action roll, whichever profile that meets; and both engines agree.

    2,000,000 trials; a sound kernel fails once in 10,000,000 (5.3 standard errors).
    """
    shrine = {"unit": "Anchorite Shrine", "abilities": ["Broken on the Wheel"]}
    attacker, spend = {"blood": 1}, {"blood_on_action": "all"}
    shots = {"injury_modifier": 20, "times": 2}
    question = asked("1.0.2", attacker, shrine, shots, spend=spend)
    first, second = Fraction(69, 216), HIT  # 7 or more with -1 DICE, and plain
    assert ends(question) == {  # spared, then TOUGH makes it Down with a marker
        "up 0": first + second - 2 * first * second + (1 - first) * (1 - second),
        "down 1": first * second,
    }
    result = tcsim.simulate(question.scenario, trials=2_000_000, seed=5)
    rolled = sum(chance for state, chance in result.states if state is not None and state.down)
    exact = float(first * second)
    assert abs(rolled - exact) < 5.3 * (exact * (1 - exact) / 2_000_000) ** 0.5


def test_undying() -> None:
    """1.6.3, the Dragon: three times out of action is Down and its blood goes; then only a Bloodbath ends it."""
    dragon = {"unit": "The Dragon @scenario", "blood": 6}
    assert ends(asked("1.6.3", {}, dragon, KILL)) == {"down 1": 1}
    assert ends(asked("1.6.3", {}, dragon, *[KILL] * 4)) == {"down 4": 1}
    assert ends(asked("1.6.3", {}, dragon, *[KILL] * 9)) == {"down 6": 1}
    # with a Bloodbath: the first takes a life though it is one; the last needs 3 markers of the Down model
    bath = asked("1.6.3", {}, dragon, *[KILL] * 5, spend=BLOODBATH)
    assert ends(bath) == {"out": 1}
    final = tcsim.odds({"target": dragon, "attacks": [KILL]}).to_dict()["final"]
    assert [row["spared"] for row in final] == [2]


def test_aura_of_lust_switches_armour_off() -> None:
    """1.0.2: what is worn has no rule: Machine Armour softens nothing, and what armour negates is not negated."""
    saint = {"unit": "Desecrated Saint", "abilities": ["Aura of Lust"], "keywords": ["NEGATE FEAR"]}
    machine = {"unit": "Mechanized Heavy Infantry (Machine Armour)"}
    assert ends(asked("1.0.2", saint, machine, SURE)) == {"up 1": MINOR, "down 1": FALLS, "out": OUT}
    far = {"keywords": ["AUTO-HIT"], "injury_modifier": 3, "weapon": "Pistol", "kind": "ranged", "distance": 12}
    softened = ends(asked("1.0.2", saint, machine, far))
    assert softened == {"up 1": MINOR + FALLS, "out": OUT}
    fly = {"armour": ["Armour of the Fly"]}
    shrapnel = {"kind": "melee", "keywords": ["AUTO-HIT", "SHRAPNEL"], "injury_modifier": -20}
    assert ends(asked("1.0.2", saint, fly, shrapnel, options=NO_CAP)) == {"up 1": 1}
    assert ends(asked("1.0.2", {}, fly, shrapnel, options=NO_CAP)) == {"up 0": 1}
    given = {**fly, "keywords": ["NEGATE SHRAPNEL"]}  # not by the armour alone
    assert ends(asked("1.0.2", saint, given, shrapnel, options=NO_CAP)) == {"up 0": 1}


# --- others -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", BOTH)
def test_armour_of_the_fly_attacks(edition: str) -> None:
    """An attack with +1 DICE, no injury roll, one blood marker on a hit: 174 of 216 throws."""
    question = asked(edition, {}, {}, {"weapon": "Armour of the Fly (attack)"})
    assert ends(question) == {"up 1": Fraction(174, 216), "up 0": Fraction(42, 216)}


@pytest.mark.parametrize("edition", BOTH)
def test_fortify(edition: str) -> None:
    """Who has fortified stands in cover: -1 DICE for ranged attacks."""
    [step] = asked(edition, {}, {"unit": "Combat Engineer", "abilities": ["Fortify"]}, {}).problem.steps
    assert step.action_dice == -1
    [step] = asked(edition, {}, "Combat Engineer", {}).problem.steps
    assert step.action_dice == 0


@pytest.mark.parametrize("edition", BOTH)
def test_charm_of_acedia(edition: str) -> None:
    """The first roll of the ACTION is a success without a roll, never critical, and never a RISKY failure."""
    charmed = {"abilities": ["Charm of Acedia"]}
    two = {"kind": "melee", "shots": 2, "injury_modifier": 20, "prepared": True, "keywords": ["RISKY"]}
    first, second = asked(edition, charmed, {}, two).problem.steps
    assert (first.auto_hit, first.risky, second.auto_hit, second.risky) == (1, 0, 0, 1)
    assert out(asked(edition, charmed, {"tough": True}, two)) == HIT
    assert out(asked(edition, charmed, {}, {**two, "shots": 1})) == 1
    assert out(asked(edition, charmed, {}, {**two, "shots": 1, "prepared": False})) == HIT


def test_mendelist_chemicals() -> None:
    """1.6.3: its markers pay for no injury dice, but a Bloodbath can be paid."""
    bearer = skilled("Mendelist Chemicals", blood=5)
    for policy in ("all", "greedy", "optimal"):
        assert out(asked("1.6.3", {}, bearer, SURE, spend={"blood_on_injury": policy})) == OUT
        paid = asked("1.6.3", {}, {**bearer, "blood": 6}, SURE, spend={"blood_on_injury": policy})
        assert out(paid) == (OUT if policy == "all" else OUT_BY_BLOODBATH)


@pytest.mark.parametrize(
    ("name", "side", "idle"),
    [
        ("Parry", "attacker", True),  # -1 DICE for who strikes at its bearer
        ("Parry", "target", False),
        ("Melee Proficiency", "attacker", False),
        ("Melee Proficiency", "target", True),
        ("Stand Firm", "attacker", True),
        ("Gas Filters", "attacker", True),  # NEGATE GAS
        ("Gas Filters", "target", False),
        ("Hunter", "target", True),  # IGNORE COVER
        ("Disengage", "attacker", True),  # about a retreat
        ("Nimble", "attacker", False),  # for who stands up before it attacks
        ("Nimble", "target", True),
        ("Aura of Sloth", "attacker", False),  # for enemies near its bearer: a Minor Hit of theirs is Down
        ("Aura of Sloth", "target", True),
        ("Sprinter", "attacker", False),  # for an ACTION that is rolled for besides
    ],
)
def test_an_ability_that_can_do_nothing_is_told(name: str, side: str, idle: bool) -> None:
    sides: dict[str, Any] = {"attacker": {}, "target": {}} | {side: {"abilities": [name]}}
    notes = asked("1.0.2", sides["attacker"], sides["target"], SURE).notes
    whose = {"attacker": "by the attacker", "target": "on the target"}[side]
    assert (f"Changes nothing here: {name}, it touches no attack {whose}." in notes) == idle


def test_an_aura_that_can_do_nothing_is_told() -> None:
    notes = asked("1.6.3", {}, {"auras": ["Butcher Bayonet"]}, SURE).notes
    assert notes == ("Changes nothing here: Butcher Bayonet, it touches no attack on the target.",)
    assert asked("1.6.3", {"auras": ["Butcher Bayonet"]}, {}, SURE).notes == ()
