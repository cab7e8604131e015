"""What abilities do to results, markers, keywords and the number of attacks, by names, against hand enumeration.

Of the 36 ways of 2D6, 15 are a Minor Hit, 11 Down, 10 out of action. Each test says the rule that it is about.
Attacks are AUTO-HIT where the action roll is not the matter.
"""

from __future__ import annotations

from typing import Any

import pytest
from abilities import BOTH, asked

from tcsim.engines.exact import solve
from tcsim.scenario.problem import State
from tcsim.scenario.resolve import Resolved

MELEE = {"kind": "melee"}
SURE = {"kind": "melee", "keywords": ["AUTO-HIT"]}
MINOR, FALLS, OUT = 15 / 36, 11 / 36, 10 / 36
HIT = 21 / 36
MACHINE = {"1.6.3": "Mechanised Heavy Infantry (Machine Armour)", "1.0.2": "Mechanized Heavy Infantry (Machine Armour)"}


def final(question: Resolved) -> dict[State | None, float]:
    [found] = solve([question.problem])
    return {state: chance for state, chance in found if chance}


def ends(question: Resolved) -> dict[str, float]:
    """Chances of the end, by ``out``, ``down`` and ``up``, with the markers of a model that is not out."""
    chances: dict[str, float] = {}
    for state, chance in final(question).items():
        name = "out" if state is None else f"{'down' if state.down else 'up'} {state.blood + state.infection}"
        chances[name] = chances.get(name, 0) + chance
    return chances


# --- results that become others -------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", BOTH)
@pytest.mark.parametrize("target", ["Scripture Guardian", {"abilities": ["Body of Gold"], "keywords": ["TOUGH"]}])
def test_golem(edition: str, target: Any) -> None:
    """Out of action is Down unless by a Bloodbath; a GOLEM is never TOUGH, so the Bloodbath takes it out."""
    bare = {"keywords": ["IGNORE ARMOUR", "AUTO-HIT"], "kind": "melee"}
    assert ends(asked(edition, {}, target, bare)) == pytest.approx({"up 1": MINOR, "down 1": FALLS + OUT})
    model = {"unit": target} if isinstance(target, str) else target
    bathed = asked(edition, {}, {**model, "blood": 6}, bare, spend={"blood_on_injury": "bloodbath"})
    assert ends(bathed)["out"] == pytest.approx(160 / 216)  # 9 or more with 3D6


@pytest.mark.parametrize("edition", BOTH)
def test_memento_mori(edition: str) -> None:
    """The first out of action is No Effect; in 1.0.2 it can never be TOUGH."""
    prophet: dict[str, Any] = {"unit": "War Prophet"}
    prophet |= {"keywords": ["TOUGH"]} if edition == "1.0.2" else {}
    once = asked(edition, {}, prophet, SURE)
    assert once.problem.start == State(spared=1)
    assert ends(once) == pytest.approx({"up 1": MINOR, "down 1": FALLS, "up 0": OUT})
    again = final(asked(edition, {}, "War Prophet", SURE, {"event": "stand"}, SURE))
    assert again[None] == pytest.approx(OUT * OUT)


@pytest.mark.parametrize("edition", BOTH)
def test_machine_armour_by_name(edition: str) -> None:
    """-3, and Down is a Minor Hit: of 36 totals, 6 are 1 or less, 24 Minor Hits, 5 Down, 1 out of action."""
    assert ends(asked(edition, {}, MACHINE[edition], SURE)) == pytest.approx(
        {"up 0": 6 / 36, "up 1": 29 / 36, "out": 1 / 36}
    )


@pytest.mark.parametrize("edition", BOTH)
def test_aura_of_sloth(edition: str) -> None:
    """Minor Hits of enemies within 8" are Down, those of Machine Armour too; it touches nobody else."""
    sloth = {"auras": ["Aura of Sloth"]}
    slow = asked(edition, {}, {"unit": MACHINE[edition], **sloth}, SURE)
    assert ends(slow) == pytest.approx({"up 0": 6 / 36, "down 1": 29 / 36, "out": 1 / 36})
    saint = {"unit": "Desecrated Saint", "abilities": ["Aura of Sloth"]}
    assert ends(asked(edition, saint, {}, SURE)) == pytest.approx({"down 1": MINOR + FALLS, "out": OUT})
    untouched = {"up 1": MINOR, "down 1": FALLS, "out": OUT}
    assert ends(asked(edition, sloth, {}, SURE)) == pytest.approx(untouched)  # the attacker under it, not its target
    assert slow.notes == ()


@pytest.mark.parametrize("edition", BOTH)
def test_aura_of_lust(edition: str) -> None:
    """Armour counts for nothing; in 1.0.2 only what is worn, and no armour of its own nature. IMPERVIOUS kit stands."""
    saint = {"unit": "Desecrated Saint", "abilities": ["Aura of Lust"], "keywords": ["NEGATE FEAR"]}
    own = {"1.6.3": 0, "1.0.2": -3}[edition]
    for target, modifier in (
        ({"armour": ["Reinforced Armour", "Trench Shield"]}, 0),
        ("Mechanised Heavy Infantry" if edition == "1.6.3" else "Mechanized Heavy Infantry", 0),
        ("Anchorite Shrine", own),
        ({"armour": ["Standard Armour", "Holy Icon Shield"]}, -1),
    ):
        step = asked(edition, saint, target, MELEE).problem.steps[0]
        assert step.injury_modifier == modifier, target
    assert not asked(edition, saint, MACHINE[edition], MELEE).notes


# --- markers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", BOTH)
def test_berserker_is_never_marked(edition: str) -> None:
    """No blood marker is ever placed on it, neither for a result nor for FIRE."""
    target = {"unit": "Lieutenant (Berserker)", "tough": False}
    burning = {"kind": "melee", "keywords": ["AUTO-HIT", "FIRE"]}
    assert ends(asked(edition, {}, target, burning)) == pytest.approx({"up 0": MINOR, "down 0": FALLS, "out": OUT})


@pytest.mark.parametrize("edition", BOTH)
def test_sacrificial_lamb(edition: str) -> None:
    """The first marker is ignored: of a Minor Hit and FIRE one is left, and the next hit places all."""
    lamb = "trench-pilgrims-cavalcade-trench-pilgrim-sacrificial-lamb"
    burning = {"kind": "melee", "keywords": ["AUTO-HIT", "FIRE"]}
    assert ends(asked(edition, {}, lamb, burning)) == pytest.approx({"up 1": MINOR, "down 1": FALLS, "out": OUT})
    twice = ends(asked(edition, {}, lamb, SURE, SURE))
    assert twice["up 1"] == pytest.approx(MINOR * MINOR)


@pytest.mark.parametrize(("edition", "both_kinds"), [("1.6.3", True), ("1.0.2", False)])
def test_rules_about_blood_alone(edition: str, both_kinds: bool) -> None:
    """Berserker (and 1.0.2 Warded by Blood) speak of blood markers; that infection is kept off too is said."""
    infecting = {"kind": "melee", "keywords": ["INFECTION MARKERS"]}
    lamb = "trench-pilgrims-cavalcade-trench-pilgrim-sacrificial-lamb"
    for target, said in (("Lieutenant (Berserker)", True), (lamb, not both_kinds)):
        notes = [note for note in asked(edition, {}, target, infecting).notes if "infection" in note]
        assert len(notes) == said
        assert not [note for note in asked(edition, {}, target, MELEE).notes if "infection" in note]


@pytest.mark.parametrize("edition", BOTH)
def test_what_is_paid_for_two_rules_is_said(edition: str) -> None:
    knight = {"unit": "Hell Knight", "abilities": ["Black Heart"]}
    assert [note for note in asked(edition, knight, {}, {**MELEE, "paid": 1}).notes if "each of" in note]
    assert not asked(edition, "Hell Knight", {}, {**MELEE, "paid": 1}).notes


@pytest.mark.parametrize("edition", BOTH)
def test_beelzebubs_touch(edition: str) -> None:
    """An infection marker more where a melee hit has placed another one; not at range."""
    marked = final(asked(edition, "Lord of Tumours", {}, {"weapon": "Trench Club", "keywords": ["AUTO-HIT"]}))
    assert marked == pytest.approx(
        {None: OUT, State(blood=1, infection=1): MINOR, State(down=1, blood=1, infection=1): FALLS}
    )
    assert not asked(edition, "Lord of Tumours", {}, {"kind": "ranged"}).problem.is_special


def test_pestilent() -> None:
    """1.6.3 Matagot Hag: only where infection was placed, so not with a weapon that places blood."""
    for keywords, more in ((["INFECTION MARKERS"], 1), ([], 0)):
        step = asked("1.6.3", "Matagot Hag", {}, {**MELEE, "keywords": keywords}).problem.steps[0]
        assert (step.special.infects, step.special.infection_if_marked) == (more, more)
    fang = asked("1.0.2", {}, {}, {"weapon": "Pestilent Fang", "keywords": ["AUTO-HIT"]})
    assert fang.problem.steps[0].special.infection_if_marked == 1  # blood was placed


@pytest.mark.parametrize("edition", BOTH)
def test_plague_almoner(edition: str) -> None:
    """A Bloodbath costs one marker less, of blood and infection together; without the option it does not."""
    target = {"blood": 3, "infection": 2}
    for abilities, chance in (["Plague Almoner"], 160 / 216), ([], OUT):
        knight = {"unit": "Plague Knight", "abilities": abilities}
        bath = asked(edition, knight, target, SURE, spend={"blood_on_injury": "bloodbath"})
        assert ends(bath)["out"] == pytest.approx(chance)


def test_schools_of_the_bloodbath() -> None:
    """1.6.3 skills: one marker less at range (Sniper School), or in melee (Special Assault Training)."""
    for name, kind in (("Sniper School", "ranged"), ("Special Assault Training", "melee")):
        for attack in ("ranged", "melee"):
            step = asked("1.6.3", {"abilities": [name]}, {}, {"kind": attack}).problem.steps[0]
            assert step.special.bloodbath_cheaper == int(attack == kind)


@pytest.mark.parametrize("edition", BOTH)
def test_absolute_faith(edition: str) -> None:
    """No blood can be spent on a Sniper Priest's ranged attacks: it stays for the next roll that allows it."""
    priest = {"unit": "Sniper Priest", "blood": 2}
    shot, blow = {"kind": "ranged"}, {"kind": "melee"}
    question = asked(edition, priest, {}, shot, blow, blow, spend={"blood_on_action": "all"})
    assert [step.first_shot_dice for step in question.problem.steps] == [0, -2, 0]


@pytest.mark.parametrize(("edition", "unit"), [("1.6.3", "Stigmatic Nun"), ("1.0.2", "Communicant")])
def test_regenerate(edition: str, unit: str) -> None:
    """One blood marker less when it is activated, of those that it has; infection grows by one instead."""
    miss = {"kind": "melee", "action_dice": -40}
    target = {"unit": unit, "blood": 2, "infection": 1}
    before, after = (
        max(final(asked(edition, {}, target, miss, *events)).items(), key=lambda item: item[1])[0]
        for events in ([], [{"event": "target_activation"}])
    )
    assert before is not None
    assert after is not None
    assert (before.blood, before.infection) == (2, 1)
    assert (after.blood, after.infection) == (1, 2)


@pytest.mark.parametrize("edition", BOTH)
def test_weapons_that_infect(edition: str) -> None:
    """Plague Blade: infection in place of blood, spent like blood."""
    found = final(asked(edition, {}, {}, {"weapon": "Plague Blade", "keywords": ["AUTO-HIT"]}))
    assert found == pytest.approx({None: OUT, State(infection=1): MINOR, State(down=1, infection=1): FALLS})


# --- keywords -------------------------------------------------------------------------------------------------


def test_weapon_keywords() -> None:
    """Mastery of the Elements gives the keyword that is chosen; a Hellhound's bite has FIRE, or GAS."""
    for edition in BOTH:
        for keyword in ("FIRE", "GAS", "SHRAPNEL"):
            alchemist = {"unit": "Jabirean Alchemist", "abilities": [f"Mastery of the Elements {keyword}"]}
            for negated, markers in (([], 1), ([f"NEGATE {keyword}"], 0)):
                step = asked(edition, alchemist, {"keywords": negated}, {"weapon": "Jezzail"}).problem.steps[0]
                assert step.markers == markers
        bite = {"weapon": "infernal-bite", "kind": "melee"}
        for negated, markers in (([], 1), (["NEGATE FIRE"], 0)):
            assert asked(edition, "Hellhound", {"keywords": negated}, bite).problem.steps[0].markers == markers
    gas = {"unit": "Hellhound", "abilities": ["Hellhound GAS"]}
    for negated, markers in ((["NEGATE FIRE"], 1), (["NEGATE GAS"], 0)):
        assert asked("1.6.3", gas, {"keywords": negated}, bite).problem.steps[0].markers == markers


@pytest.mark.parametrize("edition", BOTH)
def test_keywords_that_rules_give(edition: str) -> None:
    """Massive Size: TOUGH. Terrifying Appearance: FEAR. Rampant Charge: no DICE for an obstacle. Hardened: no FEAR."""
    size = {"unit": "Takwin Homunculus @iron-sultanate-wisdom", "abilities": ["Massive Size", "Terrifying Appearance"]}
    question = asked(edition, {}, size, MELEE)
    assert question.problem.start.tough == 1
    assert question.problem.steps[0].action_dice == -1
    assert asked(edition, {"abilities": ["Hardened"]}, size, MELEE).problem.steps[0].action_dice == 0
    obstacle = {**MELEE, "defended_obstacle": True}
    assert asked(edition, {"abilities": ["Rampant Charge"]}, {}, obstacle).problem.steps[0].action_dice == 0
    ghost = asked(edition, {}, {"abilities": ["Trench Ghosts"]}, {**MELEE, "keywords": ["GAS"]}).problem.steps[0]
    assert (ghost.action_dice, ghost.markers) == (-1, 0)


@pytest.mark.parametrize("edition", BOTH)
def test_cartridge_of_his_wrath(edition: str) -> None:
    """Ammo Monk: SHRAPNEL for a friend's ranged weapon after a test, +1 DICE, or +1 injury die."""
    for name, prepared, expected in (
        ("Cartridge of his Wrath", True, (0, 0, 1)), ("Cartridge of his Wrath", False, (0, 0, 0)),
        ("Bullet of the Guided Path", True, (1, 0, 0)), ("Echo of his Word", True, (0, 1, 0)),
    ):  # fmt: skip
        step = asked(edition, {"auras": [name]}, {}, {"kind": "ranged", "prepared": prepared}).problem.steps[0]
        assert (step.action_dice, step.injury_dice, step.markers) == expected


# --- how many attacks -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", BOTH)
def test_attacks_more(edition: str) -> None:
    """Lightning Speed: two with the Polearm. Additional Arm: one more (1.0.2: of its Pummeling Blows)."""
    for weapon, attacks in (("Polearm", 2), ("Sword / Axe", 1)):
        assert asked(edition, "Observer", {}, {"weapon": weapon}).problem.rolls == attacks
    arm = {"unit": "Takwin Homunculus @iron-sultanate-wisdom", "abilities": ["Additional Arm"]}
    assert asked(edition, arm, {}, MELEE).problem.rolls == {"1.6.3": 2, "1.0.2": 1}[edition]
    if edition == "1.0.2":
        assert asked(edition, arm, {}, {"weapon": "Pummeling Blows"}).problem.rolls == 2


def test_gnashing_and_tearing() -> None:
    """Gregori Gula: one attack more after a charge; 1.6.3: +1 injury die in melee (1.0.2: in the weapon's row)."""
    for edition, attack in (("1.6.3", MELEE), ("1.0.2", {"weapon": "Gnashing and Tearing"})):
        at_rest, charging = (
            asked(edition, "Gregori Gula", {}, {**attack, "charging": charge}) for charge in (False, True)
        )
        assert charging.problem.rolls == at_rest.problem.rolls + 1
        assert charging.problem.steps[0].injury_dice == 1


def test_executioners_axe() -> None:
    """1.6.3: a second attack only where the first has hit; so nothing happens as often as one attack misses."""
    once = asked("1.6.3", {}, {}, {"weapon": "Executioner's Axe"})
    assert ends(once)["up 0"] == pytest.approx(1 - HIT)
    assert ends(asked("1.0.2", {}, {}, {"weapon": "Executioner's Axe"}))["up 0"] == pytest.approx((1 - HIT) ** 2)


@pytest.mark.parametrize(("edition", "on_critical"), [("1.6.3", 11 / 216), ("1.0.2", 20 / 1296)])
def test_tartarus_claws(edition: str, on_critical: float) -> None:
    """Two attacks, and as many again only where they have put the target Down: none at one that stands untouched.

    Against -3 no effect is a total of 4 or less: 6 of 36, with the die of a critical 11 of 216, with two 20 of 1296.
    """
    question = asked(edition, {}, {"injury_modifier": -3}, {"weapon": "Tartarus Claws"})
    untouched = (1 - HIT) + 20 / 36 * 6 / 36 + 1 / 36 * on_critical
    assert ends(question)["up 0"] == pytest.approx(untouched**2)
    assert [step.special.if_down for step in question.problem.steps] == [0, 1]
    assert question.problem.rolls == 4


@pytest.mark.parametrize(("base", "chance"), [(32, HIT**4), (40, 0)])
def test_many_limbed_end(base: int, chance: float) -> None:
    """Four hits in a row take a model on a base of up to 32 mm out of action, whatever its armour."""
    target = {"injury_modifier": -20, "base_mm": base}
    assert ends(asked("1.6.3", {}, target, {"weapon": "Many-Limbed End"})).get("out", 0) == pytest.approx(chance)
    assert "a target on a base of 25 mm" in asked("1.0.2", {}, {}, {"weapon": "Many-Limbed End"}).assumed


# --- single weapons -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "armour", "chance"),
    # +1 injury die, so two of three dice; against armour one of the three is a 6: the better of two is 4 or more
    [
        ("1.6.3", ["Standard Armour"], 27 / 36), ("1.0.2", ["Standard Armour"], 27 / 36),
        ("1.6.3", ["Trench Shield"], 77 / 216), ("1.0.2", ["Trench Shield"], 27 / 36),
        ("1.6.3", [], 113 / 216), ("1.0.2", [], 113 / 216),
    ],
)  # fmt: skip
def test_tank_splitter_sword(edition: str, armour: list[str], chance: float) -> None:
    attack = {"weapon": "Tank-Splitter Sword", "keywords": ["AUTO-HIT"]}
    assert ends(asked(edition, {}, {"armour": armour}, attack))["out"] == pytest.approx(chance)


def test_a_critical_that_moves() -> None:
    """Vivisector (1.0.2) and Pain Amplifier: critical on 12 less the target's markers; both say it once."""
    for edition, unit, attack in (
        ("1.0.2", {}, {"weapon": "Vivisector"}), ("1.6.3", {"unit": "Combat Biologist", "down": True}, MELEE),
        ("1.0.2", {"unit": "Combat Biologist", "down": True}, {"weapon": "Vivisector"}),
    ):  # fmt: skip
        found = ends(asked(edition, unit, {"blood": 2}, attack))
        assert found["out"] == pytest.approx(15 / 36 * OUT + 6 / 36 * 113 / 216)  # 7 to 9, and 10 to 12


@pytest.mark.parametrize("edition", BOTH)
def test_torture_instrument(edition: str) -> None:
    """One die: a 1 is no effect, the rest a Minor Hit, whose markers are doubled; a Bloodbath has two dice."""
    attack = {"weapon": "Torture Instrument", "keywords": ["AUTO-HIT"]}
    assert ends(asked(edition, {}, {}, attack)) == pytest.approx({"up 0": 1 / 6, "up 2": 5 / 6})
    bath = asked(edition, {}, {"blood": 6}, attack, spend={"blood_on_injury": "bloodbath"})
    assert ends(bath)["out"] == pytest.approx(OUT)


@pytest.mark.parametrize(("edition", "markers"), [("1.6.3", 0), ("1.0.2", 1)])
def test_murad_beside_its_target(edition: str, markers: int) -> None:
    """Who is only caught in its blast goes Down without an injury roll, in 1.6.3 without a marker."""
    attack = {"weapon": "murad-bombard", "indirect": True, "keywords": ["AUTO-HIT"]}
    assert ends(asked(edition, {}, {"armour": ["Machine Armour"], "machine_armour_minor": False}, attack)) == {
        f"down {markers}": 1.0
    }


@pytest.mark.parametrize("edition", BOTH)
def test_vengeful_scripture(edition: str) -> None:
    """+1 to the injury total for each marker on the target: with three, 6 or more takes it out."""
    attack = {"weapon": "Vengeful Scripture", "keywords": ["AUTO-HIT"]}
    for marks in ({"blood": 3}, {"blood": 1, "infection": 2}):
        assert ends(asked(edition, {}, marks, attack))["out"] == pytest.approx(26 / 36)


@pytest.mark.parametrize(("edition", "markers"), [("1.6.3", 1), ("1.0.2", 2)])
def test_tormentor_chain(edition: str, markers: int) -> None:
    """No injury roll, so nothing is spent on it and nobody goes out; its markers are placed (1.0.2: one more)."""
    attack = {"weapon": "Tormentor Chain", "keywords": ["AUTO-HIT"]}
    found = ends(asked(edition, {}, {"blood": 3}, attack, spend={"blood_on_injury": "all"}))
    assert found == {f"up {3 + markers}": 1.0}


def test_butcher_bayonet() -> None:
    """Melee criticals of friends within 3" are on 11, in 1.6.3 those of Thralls; not those of its bearer."""
    bayonet = {"auras": ["Butcher Bayonet"]}
    for edition, friend, lower in (
        ("1.0.2", {}, 1),
        ("1.6.3", {}, 0),
        ("1.6.3", {"unit": "Grail Thrall"}, 1),
        ("1.6.3", {"unit": "Fly Thrall (Bereaved)"}, 1),
    ):
        for attack, found in ((MELEE, lower), ({"kind": "ranged", "keywords": ["AUTO-HIT"]}, 0)):
            step = asked(edition, {**friend, **bayonet}, {}, attack).problem.steps[0]
            assert step.special.critical_lower == found
    for edition in BOTH:
        assert asked(edition, {}, {}, {"weapon": "Butcher Bayonet"}).problem.steps[0].special.critical_lower == 0


# --- what is worn ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "kit", "keyword"),
    [
        ("1.6.3", "Gas Mask", "GAS"), ("1.6.3", "Infernal Brand", "FIRE"),
        ("1.6.3", "Fire Shield", "FIRE"), ("1.0.2", "Fire Shield", "FIRE"),
    ],
)  # fmt: skip
def test_kit_against_a_keyword(edition: str, kit: str, keyword: str) -> None:
    """-1 injury die against that keyword, for who wears it and not for what it does itself."""
    for word in ("FIRE", "GAS", "SHRAPNEL"):
        attack = {"kind": "ranged", "keywords": [word]}
        assert asked(edition, {}, {"armour": [kit]}, attack).problem.steps[0].injury_dice == -int(word == keyword)
        assert asked(edition, {"armour": [kit]}, {}, attack).problem.steps[0].injury_dice == 0


@pytest.mark.parametrize("edition", BOTH)
def test_fixed_armour_counts_once(edition: str) -> None:
    """Combat Engineer: -2, and one injury die less against SHRAPNEL, which IGNORE ARMOUR does not touch."""
    for more, modifier in (([], -2), (["IGNORE ARMOUR"], 0)):
        attack = {"kind": "ranged", "keywords": ["SHRAPNEL", *more]}
        for target in ("Combat Engineer", {"unit": "Combat Engineer", "armour": ["Engineer Body Armour"]}):
            step = asked(edition, {}, target, attack).problem.steps[0]
            assert (step.injury_dice, step.injury_modifier, step.markers) == (-1, modifier, 0)


def test_what_the_attacker_wears() -> None:
    """Compound Eyes Helmet: +1 DICE at range. Tank Palanquin (1.0.2): it counts as 3" higher, on level ground too."""
    for edition in BOTH:
        for kind, dice in (("ranged", 1), ("melee", 0)):
            step = asked(edition, {"armour": ["Compound Eyes Helmet"]}, {}, {"kind": kind}).problem.steps[0]
            assert step.action_dice == dice
    palanquin = {"armour": ["Tank Palanquin"]}
    for attack, dice in (
        ({"kind": "ranged"}, 1), ({"kind": "ranged", "height": 0}, 1), ({"kind": "melee"}, 0),
        ({"kind": "ranged", "elevated": False}, 0),
    ):  # fmt: skip
        assert asked("1.0.2", palanquin, {}, attack).problem.steps[0].action_dice == dice


@pytest.mark.parametrize("edition", BOTH)
def test_block(edition: str) -> None:
    """-1 DICE for one who has charged, and for nobody else; a shield that guards does not add to it (1.6.3)."""
    for charging, dice in ((True, -1), (False, 0)):
        attack = {**MELEE, "charging": charging}
        assert asked(edition, {}, {"keywords": ["BLOCK"]}, attack).problem.steps[0].action_dice == dice
    guarded = {"keywords": ["BLOCK"], "armour": ["Machine Armour", "Heavy Ballistic Shield"]}
    assert asked(edition, {}, guarded, {**MELEE, "charging": True}).problem.steps[0].action_dice == -1


def test_diving_charge() -> None:
    """1.6.3: +1 DICE and +1 injury die, and no obstacle counts; 1.0.2: +1 DICE on the next attack alone."""
    dive = {"diving_charge": True, "defended_obstacle": True}
    new, old = (asked(edition, {}, {}, {**MELEE, **dive}).problem.steps[0] for edition in BOTH)
    assert (new.action_dice, new.action_dice_down, new.injury_dice) == (1, 1, 1)
    assert (old.action_dice, old.injury_dice) == (0, 0)  # +1 and the obstacle's -1
    twice = asked("1.0.2", {}, {}, {**MELEE, "shots": 2, "diving_charge": True}).problem.steps
    assert [step.action_dice for step in twice] == [1, 0]


def test_abilities_are_no_attacks() -> None:
    """Day of His Wrath and the like: neither rules about ranged attacks nor those about attacks on it touch them."""
    wrath = {"weapon": "day-of-his-wrath"}
    for edition in BOTH:
        for target in ({"abilities": ["Semi-corporeal", "Stealth Generator", "Temporal Fugue"]}, "Death Commando"):
            step = asked(edition, {"abilities": ["Lost an Eye"]}, target, {"weapon": "day-of-his-wrath"}).problem.steps[
                0
            ]
            assert (step.action_dice, step.injury_dice) == (0, 0)
        under = asked(edition, {"auras": ["Unholy Hymns"]}, {}, wrath).problem.steps[0]
        assert under.action_dice == -1  # which is about every roll
