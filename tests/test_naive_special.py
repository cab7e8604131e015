"""What few attacks do and few targets are: the naive way by hand, and then the exact engine against it.

By hand, of 36 throws of 2D6: 15 are 2-6 (a miss; a Minor Hit), 11 are 7-8 (Down), 10 are 9-12 (out of action).
"""

from __future__ import annotations

import random
from fractions import Fraction
from typing import Any

import pytest
from naive import OUT
from naive_special import ATTACK, DOWN, EVENTS, MINOR, NOTHING, TARGET, Finals, Target, final_states

import tcsim
from tcsim.engines.exact import solve
from tcsim.rules import Rulings, edition
from tcsim.scenario import problem as p
from tcsim.scenario.problem import Nature, Policy, Problem, Special, State, Step

HIT = Fraction(21, 36)
MODIFIERS = tuple(name for name in ATTACK if name.startswith("injury_modifier"))
KILL, HARMLESS = dict.fromkeys(MODIFIERS, 20), dict.fromkeys(MODIFIERS, -20)
BLOODBATH, ALL = {"blood": "bloodbath"}, {"blood": "all"}

Numbers = dict[str, Any]


def ask(*steps: Numbers, target: Numbers | None = None, spend: Numbers | None = None, **options: str) -> Finals:
    return final_states({"target": target or {}, "spend": spend or {}, "options": options, "steps": list(steps)})


def out(*steps: Numbers, **rest: Any) -> Fraction:
    return ask(*steps, **rest).get(OUT, Fraction(0))


def sure(**numbers: Any) -> Numbers:
    """An attack that hits without a roll."""
    return {"auto_hit": True, **numbers}


def at(**fields: Any) -> Target:
    counts = dict.fromkeys(("blood", "infection", "blessing", "spared"), 0)
    return Target(**{**dict.fromkeys(Target._fields, False), **counts, **fields})


def of(throws: int, *parts: tuple[int, Target | str]) -> Finals:
    """Final states by how many of so many throws come to them."""
    return {final: Fraction(count, throws) for count, final in parts}


# --- by hand: what few targets are --------------------------------------------------------------------------------


def test_golem() -> None:
    # 10 of 36 would be out of action and are Down; TOUGH and the first out of action are not used up
    golem = {"golem": True, "tough": True, "spared": True}
    kept = {"tough": True, "spared": True}
    assert ask(sure(), target=golem) == of(36, (15, at(blood=1, **kept)), (21, at(blood=1, down=True, **kept)))
    # a Bloodbath of 3D6: 20 of 216 are 3-6, 36 are 7-8, 160 are 9 or more
    bath = ask(sure(), target={"golem": True, "blood": 6}, spend=BLOODBATH)
    assert bath == of(216, (20, at(blood=1)), (36, at(blood=1, down=True)), (160, OUT))
    # six dice make out of action the likeliest (of eight dice two are kept), but only a Bloodbath ends it
    assert out(sure(), target={"golem": True, "blood": 6}, spend={"blood": "greedy"}) == 0
    assert out(sure(), target={"golem": True, "blood": 6}, spend={"blood": "optimal"}) == Fraction(160, 216)
    # a Bloodbath of 3D6 on TOUGH is as ever
    assert ask(sure(**KILL), target={"golem": True, "tough": True, "blood": 6}, spend=BLOODBATH) == {
        at(down=True, blood=1): 1
    }


def test_first_out_of_action_then_tough() -> None:
    target = {"spared": True, "tough": True}
    blow = sure(**KILL)
    assert ask(blow, target=target) == {at(tough=True): 1}
    assert ask(blow, blow, target=target) == {at(down=True, blood=1): 1}
    assert ask(blow, blow, blow, target=target) == {OUT: 1}
    # all three in one volley: TOUGH and the first out of action are used up at once
    assert ask(sure(shots=3, **KILL), target=target) == {OUT: 1}
    assert ask(sure(shots=3, **KILL), target=target, volley_tough="whole") == {at(down=True, blood=3): 1}
    # where it is Down instead: one marker, then two
    down = {**target, "first_out": DOWN}
    assert ask(blow, target=down) == {at(down=True, blood=1, tough=True): 1}
    assert ask(blow, blow, target=down) == {at(down=True, blood=3): 1}
    # and a Minor Hit in Machine Armour, whatever is said of TOUGH
    worn = {**down, "minor_for_down": True}
    assert ask(blow, target=worn, machine_armour_after_tough="down") == {at(blood=1, tough=True): 1}
    assert ask(blow, blow, target=worn, machine_armour_after_tough="down") == {at(down=True, blood=2): 1}


def test_first_marker_ignored() -> None:
    fire = {"markers": 1, **HARMLESS}
    assert ask(sure(shots=2, **fire), target={"warded": True}) == {at(blood=1): 1}
    assert ask(sure(shots=3, infects=True, **fire), target={"warded": True}) == {at(infection=2): 1}
    assert ask(sure(**HARMLESS), target={"warded": True}) == {at(warded=True): 1}
    # of one blood and one infection marker it is the blood marker
    assert ask(sure(infection=1, **fire), target={"warded": True}) == {at(infection=1): 1}
    # a second Down places two, of which one is ignored
    assert ask(sure(result=DOWN), target={"warded": True, "down": True}) == {at(down=True, blood=1): 1}
    # what is placed only if another marker was is not placed beside an ignored one
    festering = sure(infection_if_marked=1, **fire)
    assert ask(festering, target={"warded": True}) == {at(): 1}
    assert ask(festering, festering, target={"warded": True}) == {at(blood=1, infection=1): 1}


def test_never_marked() -> None:
    attack = sure(markers=3, infection=1, infection_if_marked=1)
    expected = of(36, (15, at(warded=True)), (11, at(warded=True, down=True)), (10, OUT))
    assert ask(attack, target={"unmarked": True, "warded": True}) == expected
    # markers that are there can be spent: 2 of 2 for two dice, so that 12 is two sixes of four dice: 171 of 1296
    spent = ask(sure(injury_modifier=-3), target={"unmarked": True, "blood": 2}, spend=ALL)
    assert spent[OUT] == Fraction(171, 1296)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"blood": 3}, {"blood": 1}),
        ({"blood": 1}, {"blood": 0}),
        ({"infection": 2}, {"infection": 3}),
        ({"infection": 6, "blood": 6, "down": True}, {"infection": 6, "blood": 4, "down": True}),
        ({}, {}),
    ],
)
def test_activated(before: Numbers, after: Numbers) -> None:
    assert ask({"event": "activated"}, target={"regenerates": 2, **before}) == {at(**after): 1}


def test_activated_is_skipped_after_a_risky_miss() -> None:
    risky = {"risky": True, **HARMLESS}
    target = {"blood": 1, "regenerates": 1}
    assert ask(risky, {"event": "activated"}, target=target) == of(36, (15, at(blood=1)), (21, at()))
    assert ask(risky, {"event": "activation"}, {"event": "activated"}, target=target) == {at(): 1}


# --- by hand: what few attacks do ---------------------------------------------------------------------------------


def test_infection_is_pooled_with_blood() -> None:
    # blood first: 4 + 2 for a Bloodbath, 4 + 1 for a cheaper one; 3D6 as above
    for cheaper, left in ((0, 1), (1, 2)):
        bath = ask(sure(bloodbath_cheaper=cheaper), target={"blood": 4, "infection": 3}, spend=BLOODBATH)
        assert bath == of(
            216,
            (20, at(blood=1, infection=left)),
            (36, at(blood=1, infection=left, down=True)),
            (160, OUT),
        )
    # twelve more dice: two sixes or more of fourteen
    fifth, sixth = Fraction(5, 6), Fraction(1, 6)
    twelve = out(sure(injury_modifier=-3), target={"blood": 6, "infection": 6}, spend=ALL)
    assert twelve == 1 - fifth**14 - 14 * sixth * fifth**13


def test_infection_placed() -> None:
    assert ask(sure(infects=True)) == of(36, (15, at(infection=1)), (11, at(infection=1, down=True)), (10, OUT))
    # besides what the result and keywords place, up to six of each kind
    more = sure(infection=2, markers=1)
    expected = of(36, (15, at(blood=2, infection=2)), (11, at(blood=2, infection=2, down=True)), (10, OUT))
    assert ask(more) == expected
    full = ask(sure(infection=2, markers=1, **HARMLESS), target={"blood": 6, "infection": 5})
    assert full == {at(blood=6, infection=6): 1}
    # if another was placed: not on no effect. 2D6 - 2 is no effect on 2 and 3 (3 of 36), a Minor Hit on 4-8 (23)
    marked = ask(sure(infection_if_marked=1, injury_modifier=-2), target={"golem": True})
    assert marked == of(36, (3, at()), (23, at(blood=1, infection=1)), (10, at(blood=1, infection=1, down=True)))


@pytest.mark.parametrize(
    ("numbers", "target", "throws"),
    [
        ({"critical_lower": 1}, {}, 3),  # 11 and 12
        ({"critical_lower": 9}, {}, 21),  # never a miss
        ({"critical_lower": 1, "auto_hit": True}, {}, 0),
        ({"critical_lower_per_marker": 1}, {}, 1),  # 12
        ({"critical_lower_per_marker": 1}, {"blood": 1, "infection": 2}, 10),  # 9-12
        ({"critical_lower_per_marker": 1, "critical_lower": 1}, {"blood": 1}, 6),  # 10-12
    ],
)
def test_criticals(numbers: Numbers, target: Numbers, throws: int) -> None:
    attack = {**HARMLESS, "injury_modifier_critical": 20, **numbers}
    assert out(attack, target=target) == Fraction(throws, 36)


def test_critical_is_of_the_markers_before_they_are_spent() -> None:
    # two markers: critical from 10 (6 of 36), and then the injury roll spends them
    attack = {**HARMLESS, "injury_modifier_critical": 20, "critical_lower_per_marker": 1}
    assert out(attack, target={"blood": 2}, spend=ALL) == Fraction(6, 36)
    # all shots of a volley are rolled to hit before the first injury: with a marker every hit is critical (from 7), the
    # first spends it and uses TOUGH up, the second is out of action
    volley = {**attack, "shots": 2, "critical_lower_per_marker": 5}
    assert out(volley, target={"blood": 1, "tough": True}, spend=ALL) == HIT**2


def test_modifier_for_each_marker() -> None:
    # two markers are +2, and still +2 if they are spent as dice: 2D6 of 7 or more; 4D6 of which two make 7 or more
    attack = sure(modifier_per_marker=1)
    assert out(attack, target={"blood": 1, "infection": 1}) == Fraction(21, 36)
    assert out(attack, target={"blood": 1, "infection": 1}, spend=ALL) == Fraction(1296 - 117, 1296)


@pytest.mark.parametrize(
    ("numbers", "chance"),
    [
        ({}, Fraction(4, 6)),  # 6 and a die of 3-6
        ({"injury_dice": 1}, 1 - Fraction(2, 6) ** 2),  # the higher of two is 3-6
        ({"injury_dice": -1}, Fraction(10, 36)),  # the 6 is the one that does not count
        ({"injury_keep": 3}, Fraction(35, 36)),  # 6 and two dice of 3 or more
        ({"injury_keep": 1, "injury_modifier": 3}, Fraction(1)),
        ({"injury_keep": 1, "injury_modifier": 3, "injury_dice": -1}, Fraction(1, 6)),  # the lower of 6 and a die is 6
    ],
)
def test_one_die_is_a_six(numbers: Numbers, chance: Fraction) -> None:
    assert out(sure(six=True, **numbers)) == chance


def test_one_die_is_a_six_in_a_bloodbath() -> None:
    # 6 and two dice of 3 or more, both ways; against 3 less a flat die adds to what is kept: 6 + 2D6 of 6 or more
    for reading in ("keep", "add"):
        assert out(sure(six=True), target={"blood": 6}, spend=BLOODBATH, bloodbath=reading) == Fraction(35, 36)
    # with two lowest of three dice, one of them the 6, and a flat die: 3D6 of 9 or more; with three lowest of four: too
    for reading in ("keep", "add"):
        attack = sure(six=True, injury_dice=-1)
        assert out(attack, target={"blood": 6}, spend=BLOODBATH, bloodbath=reading) == Fraction(160, 216)


def test_markers_are_doubled() -> None:
    # those of the result, not that of a keyword
    assert ask(sure(marker_factor=2, markers=1, result=MINOR)) == {at(blood=3): 1}
    assert ask(sure(marker_factor=2, markers=1, result=DOWN), target={"down": True}) == {at(down=True, blood=5): 1}
    assert ask(sure(marker_factor=2, markers=1, result=NOTHING)) == {at(blood=1): 1}
    assert ask(sure(marker_factor=0, result=DOWN)) == {at(down=True): 1}


def test_forced_results_spend_nothing() -> None:
    held = {"blood": 2, "blessing": 1}
    spend = {"blood": "all", "blessing": True}
    assert ask(sure(result=DOWN), target=held, spend=spend) == {at(down=True, blood=3, blessing=1): 1}
    assert ask(sure(result=OUT), target={**held, "tough": True}, spend=spend) == {at(down=True, blood=3, blessing=1): 1}
    # there is no Bloodbath, so GOLEM is Down
    assert ask(sure(result=OUT), target={"golem": True, "blood": 6}, spend=BLOODBATH) == {at(down=True, blood=6): 1}
    # a miss forces nothing
    assert ask({"result": DOWN}) == of(36, (15, at()), (21, at(down=True, blood=1)))


def test_hits_in_a_row() -> None:
    attack = {"out_after_hits": 2, **HARMLESS}
    assert out(attack, attack) == 0
    assert out(attack, attack, attack) == HIT**3
    # the first three, or the last three after a miss
    assert out(*[attack] * 4) == HIT**3 + (1 - HIT) * HIT**3
    assert out(attack, attack, {**attack, "begins": True}) == 0
    assert out({"begins": True, **attack}, attack, attack) == HIT**3
    # it goes the way of out of action
    sure_one = sure(**attack)
    assert ask(sure_one, sure_one, sure_one, target={"tough": True}) == {at(down=True, blood=1): 1}


def test_only_after_hits() -> None:
    assert out(HARMLESS, HARMLESS, {"after_hits": 2, **KILL}) == HIT**3
    assert out(HARMLESS, {"begins": True, "after_hits": 1, **KILL}) == 0
    # one that is not made ends nothing, and leaves the count as it is
    waits = {"after_hits": 3, "risky": True, **KILL}
    assert out(HARMLESS, waits, {"out_after_hits": 1, **HARMLESS}) == HIT**2


def test_only_if_down() -> None:
    # out of action at once (10 of 36), or Down (11) and then
    assert out(sure(), sure(if_down=True, **KILL)) == Fraction(21, 36)
    assert out(HARMLESS, {"if_down": True, "risky": True, **KILL}, {"out_after_hits": 1, **HARMLESS}) == HIT**2


def test_failed_action_rolls_are_made_again() -> None:
    # a failure (15 of 36), then again: of 36 throws 11 have a 1, two of which (1 and 6) are 7; 19 hit without a 1
    again, spoilt, other = Fraction(15, 36), Fraction(11, 36), Fraction(6, 36)
    attack = {"rerolls": 1, **KILL}
    assert out(attack) == HIT + again * HIT
    assert out({**attack, "rerolls": 2}) == HIT + again * Fraction(19, 36)
    # after a 1 the second attack is not made, also if the first has hit, unless an activation begins
    first = {"rerolls": 1, **HARMLESS}
    assert out(first, KILL) == (1 - again * spoilt) * HIT
    assert out(first, {"event": "activation"}, KILL) == HIT
    # RISKY: a failure without a 1 (6 of 36) ends it too
    assert out({**first, "risky": True}, KILL) == (1 - again * (spoilt + other)) * HIT
    # the 1 may be a die that is not kept: of three dice 91 of 216 throws have one
    one_more = {**first, "action_dice": 1}
    assert out(one_more, KILL) == (1 - Fraction(42, 216) * Fraction(91, 216)) * HIT
    assert out({**attack, "auto_hit": True, "rerolls": 2}) == 1


def test_down_for_a_minor_hit() -> None:
    expected = of(36, (26, at(down=True, blood=1)), (10, OUT))
    assert ask(sure(down_for_minor=True)) == expected
    assert ask(sure(down_for_minor=True), target={"minor_for_down": True}) == expected
    tough = {"minor_for_down": True, "tough": True}
    for reading in ("minor_hit", "down"):
        finals = ask(sure(down_for_minor=True, **KILL), target=tough, machine_armour_after_tough=reading)
        assert finals == {at(down=True, blood=1): 1}


# --- against the exact engine -------------------------------------------------------------------------------------

RESULTS = {p.ROLLED: None, p.NO_EFFECT: NOTHING, p.MINOR_HIT: MINOR, p.DOWN: DOWN, p.OUT: OUT}
EVENT_NAMES = dict(zip((p.STAND, p.ACTIVATION, p.ACTIVATED), EVENTS, strict=True))


def as_question(problem: Problem) -> Numbers:
    """The problem's numbers under the naive way's names."""
    steps = []
    for step in problem.steps:
        if step.kind == p.GATE:
            steps.append({"gate": step.gate._asdict()})
            continue
        if step.kind != p.ATTACK:
            steps.append({"event": EVENT_NAMES[step.kind]})
            continue
        numbers = {**step._asdict(), **step.special._asdict()}
        numbers |= {"six": step.special.sixes, "result": RESULTS[step.special.result]}
        steps.append({name: numbers[name] for name in ATTACK})
    nature = problem.nature._asdict()
    nature |= {name: RESULTS[nature[name]] for name in ("first_out", "first_down")}
    rulings = problem.rulings
    return {
        "options": {
            "volley_tough": "whole" if rulings.tough_absorbs_volley else "each",
            "volley_second_down": "one" if rulings.second_down_counts_as_first else "two",
            "bloodbath": "add" if rulings.bloodbath_adds_flat_die else "keep",
            "bloodbath_leftovers": "dice" if rulings.bloodbath_leftovers else "none",
            "machine_armour_after_tough": "minor_hit" if rulings.minor_hit_after_tough else "down",
        },
        "target": {**problem.start._asdict(), **nature, "minor_for_down": problem.minor_for_down},
        "spend": {"blood": p.BLOOD_POLICIES[problem.policy.blood], "blessing": bool(problem.policy.blessing)},
        "steps": steps,
    }


def test_the_naive_way_knows_every_number() -> None:
    assert {*Step._fields, *Special._fields} - {"kind", "special", "gate", "sixes"} == set(ATTACK) - {"six"}
    assert {*State._fields, *Nature._fields, "minor_for_down"} == set(TARGET)


def sometimes(rng: random.Random, most: int, chance: float = 0.15) -> int:
    return rng.randint(1, most) if rng.random() < chance else 0


def random_special(rng: random.Random, shots: int, keep: int) -> Special:
    alone = shots == 1
    return Special(
        critical_lower=sometimes(rng, 2),
        critical_lower_per_marker=sometimes(rng, 1),
        modifier_per_marker=sometimes(rng, 1),
        sixes=sometimes(rng, 1) if keep > 1 else 0,  # no such attack rolls a single injury die
        result=rng.choice((p.NO_EFFECT, p.MINOR_HIT, p.DOWN, p.OUT)) if rng.random() < 0.1 else p.ROLLED,
        marker_factor=rng.choice((1, 1, 1, 1, 0, 2, 3)),
        infects=sometimes(rng, 1),
        infection=sometimes(rng, 2),
        infection_if_marked=sometimes(rng, 2),
        bloodbath_cheaper=sometimes(rng, 2, 0.25),
        down_for_minor=sometimes(rng, 1),
        begins=alone * sometimes(rng, 1),
        after_hits=alone * sometimes(rng, 3, 0.1),
        out_after_hits=alone * sometimes(rng, 3, 0.2),
        if_down=alone * sometimes(rng, 1, 0.1),
        bloodbath_cheaper_standing=sometimes(rng, 3, 0.2),
        strikes=sometimes(rng, 2, 0.4),
        if_struck=sometimes(rng, 3, 0.1),
        unless_struck=sometimes(rng, 3, 0.1),
        reaction_takes=sometimes(rng, 2),
        reaction_dice=rng.randint(-1, 1),
        reaction_dice_down=rng.randint(-1, 1),
        keeps_down=sometimes(rng, 1),
        if_spared=sometimes(rng, 2, 0.2),
    )


def random_step(rng: random.Random, optimal: bool) -> Step:
    if rng.random() < 0.2:
        return Step(rng.choice((p.STAND, p.ACTIVATION, p.ACTIVATED, p.ACTIVATED)))
    shots, keep = 1 if optimal else rng.choice((1, 1, 2, 3)), rng.choice((2, 2, 2, 3, 1))
    dice = {name: rng.randint(-1, 2) for name in Step._fields if name.startswith(("action_dice", "injury_dice"))}
    modifiers = {name: rng.randint(-3, 2) for name in Step._fields if name.startswith("injury_modifier")}
    return Step(
        volleys=rng.choice((1, 1, 2)) if shots == 1 else 1,
        shots=shots,
        auto_hit=sometimes(rng, 1),
        risky=sometimes(rng, 1, 0.25),
        first_shot_dice=sometimes(rng, 1),
        injury_keep=keep,
        **dice,
        **modifiers,
        markers=sometimes(rng, 2, 0.25),
        special=random_special(rng, shots, keep)._replace(rerolls=0 if optimal else sometimes(rng, 2)),
    )


def random_problem(rng: random.Random) -> Problem:
    """A small problem in which anything special can meet anything else."""
    policy = Policy(rng.randrange(len(p.BLOOD_POLICIES)), rng.randint(0, 1))
    steps = [random_step(rng, policy.blood == p.OPTIMAL) for _ in range(rng.randint(1, 3))]
    start = State(
        down=sometimes(rng, 1, 0.3),
        blood=sometimes(rng, 6, 0.6),
        blessing=sometimes(rng, 2, 0.3),
        tough=sometimes(rng, 1, 0.3),
        infection=sometimes(rng, 6, 0.4),
        spared=sometimes(rng, 3, 0.3),
        warded=sometimes(rng, 1, 0.3),
        firm=sometimes(rng, 1, 0.3),
    )
    nature = Nature(
        golem=sometimes(rng, 1, 0.2),
        first_out=rng.choice((p.NO_EFFECT, p.DOWN)),
        unmarked=sometimes(rng, 1, 0.1),
        regenerates=sometimes(rng, 2),
        first_down=rng.choice((p.NO_EFFECT, p.MINOR_HIT)),
        unhurt_minor=sometimes(rng, 1),
        tough_unharmed=sometimes(rng, 2),
        spared_minor=sometimes(rng, 1),
        spared_sheds=sometimes(rng, 1, 0.3),
        last_stand=sometimes(rng, 1),
        no_dice=sometimes(rng, 1),
    )
    id = rng.choice(("1.6.3", "1.0.2"))
    rulings = Rulings(*(rng.randint(0, 1) for _ in Rulings._fields))
    return Problem(id, edition(id).charts, rulings, start, sometimes(rng, 1, 0.2), policy, (*steps, Step()), nature)


def engine_finals(final: list[tuple[State | None, Any]]) -> Finals:
    found = {OUT if state is None else Target(**state._asdict()): chance for state, chance in final}
    assert len(found) == len(final)
    return found


@pytest.mark.parametrize("seed", range(10))
def test_exact_engine(seed: int) -> None:
    """Thirty problems a seed, as fractions: every final state, and no other, with the very same chance."""
    rng = random.Random(seed)
    for problem in (random_problem(rng) for _ in range(30)):
        [final] = solve([problem], fractions=True)
        assert engine_finals(final) == final_states(as_question(problem)), problem


def test_exact_engine_in_one_block() -> None:
    """A dozen problems side by side, as float64."""
    rng = random.Random("block")
    problems = [random_problem(rng) for _ in range(12)]
    for problem, final in zip(problems, solve(problems), strict=True):
        found, expected = engine_finals(final), final_states(as_question(problem))
        assert found.keys() == expected.keys(), problem
        assert all(abs(found[end] - float(expected[end])) < 1e-12 for end in expected), problem


def test_criticals_by_markers_in_a_volley() -> None:
    """All action rolls see the markers before the volley, also those that the first hit's injury roll uses up.

    Vivisector, 1.0.2: 12 less 1 for each marker on the target is a critical. By hand: with 5 markers every hit is one,
    so that no shot hits plainly, and a plain hit alone would do no harm.
    """
    two = {"shots": 2, "critical_lower_per_marker": 1, **HARMLESS, "injury_modifier_critical": 20}
    assert out(two, target={"blood": 5}, spend=ALL) == 1 - (1 - HIT) ** 2
    # in turn, after a first hit that spends them all: 12 of a second attack would be a critical, 7 no longer
    tough = {"blood": 5, "tough": True}
    twice = out(two, target=tough, spend=ALL, volley_tough="each")
    assert twice == HIT**2
    alone = {**two, "shots": 1, "volleys": 2, "injury_modifier_down_critical": 20}
    assert out(alone, target=tough, spend=ALL) == HIT * Fraction(3, 36)  # one marker of the Down: 11 or 12
    attack = {"weapon": "Vivisector", "shots": 2}
    asked = {"edition": "1.0.2", "target": {"blood": 1}, "attacks": [attack], "options": {"shots": "together"}}
    [step] = tcsim.odds(asked).resolved.problem.steps
    assert (step.shots, step.special.critical_lower_per_marker) == (2, 1)
