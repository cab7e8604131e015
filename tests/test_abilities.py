"""What abilities of models do to rolls: each mechanism by the name of one who has it, against the same by numbers.

The rules are those of the unit tables of each edition (playtest 1.6.3, warbands book 1.0.2) and of their skills, powers
and lasting wounds; each test says its own. ``compare`` is given the dice that the rule adds, so nothing is read off.
"""

from __future__ import annotations

from typing import Any

import pytest
from abilities import ACTION, BOTH, INJURY, INJURY_DOWN, MODIFIER, asked, compare

import tcsim
from tcsim.base.errors import InputError
from tcsim.catalog import catalog
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import resolve

RANGED, MELEE = {"kind": "ranged"}, {"kind": "melee"}
HYMNS = {"1.6.3": "Heretic Chorister", "1.0.2": "Chorister"}


def both(cases: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
    return [(edition, *case) for edition in BOTH for case in cases]


# --- DICE of the action roll, by it ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "unit", "attack", "dice"),
    both(
        [
            # Aim: +2 DICE on a ranged attack after a test
            ("Sniper Priest", {**RANGED, "prepared": True}, 2),
            ("Sniper Priest", RANGED, 0),
            ("Sniper Priest", {**MELEE, "prepared": True}, 0),
            # Counter-Charge: +1 DICE in melee after a charge
            ("Janissary", {**MELEE, "charging": True}, 1),
            ("Janissary", MELEE, 0),
            # Short-Range Marksmanship: +1 DICE at short range, with neither grenades nor HEAVY weapons
            ("Yeoman @new-antioch-abyssinia", RANGED, 1),
            ("Yeoman @new-antioch-abyssinia", {**RANGED, "long_range": True}, 0),
            ("Yeoman @new-antioch-abyssinia", {**RANGED, "keywords": ["HEAVY"]}, 0),
            ("Yeoman @new-antioch-abyssinia", MELEE, 0),
            # Marksmanship of the Iron Wall: +2 from above in place of +1
            ("Azeb @iron-sultanate-defenders", {**RANGED, "elevated": True}, 1),
            ("Azeb @iron-sultanate-defenders", RANGED, 0),
            # Siege Jezzail Teams: +1 DICE with that weapon beside a friend
            ("Azeb @iron-sultanate-defenders", {"weapon": "Siege Jezzail", "friends": 2}, 1),
            ("Azeb @iron-sultanate-defenders", {"weapon": "Siege Jezzail"}, 0),
            ("Azeb @iron-sultanate-defenders", {"weapon": "Jezzail", "friends": 2}, 0),
            # Slow: -1 DICE on attacks against those who retreat
            ("Heretic Trooper @heretic-legions-ghosts", {**MELEE, "retreating": True}, -1),
            ("Heretic Trooper @heretic-legions-ghosts", MELEE, 0),
        ]
    ),
)
def test_dice_by_it(edition: str, unit: str, attack: dict[str, Any], dice: int) -> None:
    compare(edition, unit, {}, attack, {ACTION: dice})


@pytest.mark.parametrize(("edition", "most"), [("1.6.3", 4), ("1.0.2", 20)])
def test_overwhelming_horde(edition: str, most: int) -> None:
    """+1 DICE in melee for each other friend within 3", in 1.6.3 at most 4; Pummel has that rule in its own row."""
    for friends in (0, 1, 4, 6):
        dice = min(friends, most)
        compare(edition, "Grail Thrall", {}, {**MELEE, "friends": friends}, {ACTION: dice})
        own = asked(edition, "Grail Thrall", {}, {"weapon": "Pummel", "friends": friends})
        assert own.problem.steps[0].action_dice == dice - 1  # its melee characteristic


@pytest.mark.parametrize("edition", BOTH)
def test_chewa_is_bought(edition: str) -> None:
    """An option: +1 DICE in melee for each other friend at the target, at most 2."""
    unit = "Lieutenant @new-antioch-abyssinia"
    for friends, dice in ((0, 0), (1, 1), (2, 2), (5, 2)):
        attack = {**MELEE, "friends": friends}
        compare(edition, {"unit": unit, "abilities": ["chewa"]}, {}, attack, {ACTION: dice})
        compare(edition, unit, {}, attack)


@pytest.mark.parametrize("edition", BOTH)
def test_options_that_change_the_profile(edition: str) -> None:
    """Hawk Eyes +1 ranged, Inhuman Strength +1 melee, Knight Companion +1 of its kind, Sacred Geometry +1 ranged."""
    homunculus = {"unit": "Takwin Homunculus @iron-sultanate-wisdom", "abilities": ["Hawk Eyes", "Inhuman Strength"]}
    knight = {"unit": "Plague Knight", "abilities": ["Knight Companion of the Fly melee"]}
    for attack in (RANGED, MELEE):
        compare(edition, homunculus, {}, attack, {ACTION: 1})
        compare(edition, knight, {}, attack, {ACTION: int(attack is MELEE)})
    shrine = "Anchorite Shrine @trench-pilgrims-methodius"
    compare(edition, shrine, {}, RANGED, {ACTION: int(edition == "1.6.3")})  # where every one has it
    if edition == "1.0.2":
        compare(edition, {"unit": shrine, "abilities": ["Sacred Geometry"]}, {}, RANGED, {ACTION: 1})


@pytest.mark.parametrize("edition", BOTH)
def test_black_heart_and_blood_magic_are_paid(edition: str) -> None:
    """A Goetic power: +1 DICE for 1 blood marker. Blood Magic of a Hell Knight: +1 injury die for one."""
    for paid in (0, 1, 3):
        attack = {**MELEE, "paid": paid}
        compare(edition, {"abilities": ["Black Heart"]}, {}, attack, {ACTION: min(paid, 1)})
        compare(edition, "Hell Knight", {}, attack, {INJURY: min(paid, 1)})


# --- DICE of the action roll, against it ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "target", "attack", "dice"),
    [
        *both(
            [
                ("Death Commando", RANGED, -1),  # Stealth Generator: ranged attacks
                ("Death Commando", MELEE, 0),
                ("Dervish @iron-sultanate-fidai", RANGED, -1),  # Whirling Dervish: ranged attacks
                ("Dervish @iron-sultanate-fidai", MELEE, 0),
                ("Observer", RANGED, -1),  # Temporal Fugue: all attacks
                ("Observer", MELEE, -1),
            ]
        ),
        ("1.6.3", "Beast of No Man's Land", MELEE, -1),  # Resilient
    ],
)
def test_dice_against_it(edition: str, target: str, attack: dict[str, Any], dice: int) -> None:
    compare(edition, {"keywords": ["NEGATE FEAR"]}, target, attack, {ACTION: dice})


@pytest.mark.parametrize("edition", BOTH)
def test_options_against_attacks(edition: str) -> None:
    """Mirage of Time: -1 DICE. Hypnotic Eyes: -1 in melee, but for BLACK GRAIL models and a Sniper Priest."""
    assassin = "Sultanate Assassin @iron-sultanate-fidai"
    eyes = {"unit": "Takwin Homunculus @iron-sultanate-wisdom", "abilities": ["Hypnotic Eyes"]}
    artificial = {INJURY: -1}  # Artificial Life, Artificial Body
    for attack in (RANGED, MELEE):
        compare(edition, {}, assassin, attack)
        compare(edition, {}, {"unit": assassin, "abilities": ["Mirage of Time"]}, attack, {ACTION: -1})
        compare(edition, {}, eyes, attack, {ACTION: -int(attack is MELEE), **artificial})
        compare(edition, {"keywords": ["BLACK GRAIL"]}, eyes, attack, artificial)
        compare(edition, "Sniper Priest", eyes, attack, artificial)


@pytest.mark.parametrize("edition", BOTH)
def test_hit_and_run(edition: str) -> None:
    """A rule of a whole warband: -1 DICE on attacks for its retreat."""
    eire = {"abilities": ["Hit & Run Tactics"]}
    compare(edition, {}, eire, {**MELEE, "retreating": True}, {ACTION: -1})
    compare(edition, {}, eire, MELEE)


# --- auras ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", BOTH)
def test_an_enemy_that_has_an_aura(edition: str) -> None:
    """Unholy Hymns: -1 DICE on all rolls of enemies within 8", by the distance of the attack, in melee always."""
    attacker = {"keywords": ["NEGATE FEAR"]}
    rifle = {"weapon": "Bolt-Action Rifle"}
    compare(edition, attacker, HYMNS[edition], MELEE, {ACTION: -1})
    for distance, dice in ((3, -1), (8, -1), (8.5, 0), (20, 0)):
        compare(edition, attacker, HYMNS[edition], {**rifle, "distance": distance}, {ACTION: dice})
    unsaid = compare(edition, attacker, HYMNS[edition], rifle)
    assert "Not counted: Bolt-Action Rifle depends on the distance; none is given." in unsaid.notes


@pytest.mark.parametrize("edition", BOTH)
def test_an_aura_that_is_named_reaches(edition: str) -> None:
    """It is another model's, whose place the distance of the attack does not tell; nothing is left unsaid."""
    for attack in (MELEE, RANGED, {"weapon": "Bolt-Action Rifle", "distance": 20}):
        under = compare(edition, {"auras": ["Unholy Hymns"]}, {}, attack, {ACTION: -1})
        assert under.notes == ()


def test_hymns_that_are_not_cumulative() -> None:
    """1.0.2: a second Chorister changes nothing; 1.6.3 does not say so."""
    attacker = {"auras": ["Unholy Hymns"], "keywords": ["NEGATE FEAR"]}
    compare("1.0.2", attacker, "Chorister", MELEE, {ACTION: -1})
    compare("1.6.3", attacker, "Heretic Chorister", MELEE, {ACTION: -2})


@pytest.mark.parametrize("edition", BOTH)
def test_aura_of_wrath(edition: str) -> None:
    """+1 DICE in melee for friends within 8" and for the saint itself; not at range, and without a word about it."""
    for side in ({"auras": ["Aura of Wrath"]}, {"unit": "Desecrated Saint", "abilities": ["Aura of Wrath"]}):
        compare(edition, side, {}, MELEE, {ACTION: 1})
    assert compare(edition, {"auras": ["Aura of Wrath"]}, {}, RANGED).notes == ()


@pytest.mark.parametrize(("edition", "sin"), [("1.6.3", "Aura of Famine"), ("1.0.2", "Aura of Gluttony")])
def test_an_aura_with_exceptions(edition: str, sin: str) -> None:
    """-1 DICE for enemies within 8", but BLACK GRAIL and ARTIFICIAL ones: asked of the enemy, not of the saint."""
    saint = {"unit": "Desecrated Saint", "abilities": [sin]}
    for keywords, dice in (
        (["NEGATE FEAR"], -1),
        (["NEGATE FEAR", "BLACK GRAIL"], 0),
        (["NEGATE FEAR", "ARTIFICIAL"], 0),
    ):
        compare(edition, {"keywords": keywords}, saint, MELEE, {ACTION: dice})
        compare(edition, {"keywords": keywords, "auras": [sin]}, {}, RANGED, {ACTION: dice})


@pytest.mark.parametrize("edition", BOTH)
def test_a_wail_that_hurts(edition: str) -> None:
    """Death Wail of a Barbed Wire Banshee: +1 injury die against enemies within 8", whoever attacks them."""
    name = {"1.6.3": "Death Wail", "1.0.2": "Barbed Wire Banshee"}[edition]
    banshee = "Barbed Wire Banshee @heretic-legions-ghosts"
    compare(edition, banshee, {}, MELEE, {INJURY: 1})
    for distance, dice in ((8, 1), (9, 0)):
        compare(edition, banshee, {}, {"weapon": "Bolt-Action Rifle", "distance": distance}, {INJURY: dice})
    compare(edition, {}, {"auras": [name]}, RANGED, {INJURY: 1})
    compare(edition, {"auras": [name]}, {}, RANGED)  # it is about attacks against the one that hears it


def test_auras_that_give_keywords() -> None:
    """Onwards, Christian Soldiers!: NEGATE FEAR for friends within 8"; in 1.0.2 for NEW ANTIOCH models."""
    fearful = {"keywords": ["FEAR"]}
    compare("1.6.3", {"auras": ["Onwards, Christian Soldiers!"]}, fearful, MELEE, {ACTION: 1})
    for keywords, dice in (([], 0), (["NEW ANTIOCH"], 1)):
        attacker = {"auras": ["Onward Christian Soldiers!"], "keywords": keywords}
        compare("1.0.2", attacker, fearful, MELEE, {ACTION: dice})


@pytest.mark.parametrize(("edition", "name"), [("1.6.3", "Maddening Buzz"), ("1.0.2", "Maddening Buzzing")])
def test_a_buzz_that_maddens(edition: str, name: str) -> None:
    """Rolls of enemies within 8" are RISKY; in 1.6.3 not those of BLACK GRAIL models."""
    herald = {"unit": "Herald of Beelzebub", "abilities": [name]}
    for keywords, risky in (([], 1), (["BLACK GRAIL"], int(edition == "1.0.2"))):
        step = asked(edition, {"keywords": keywords}, herald, MELEE).problem.steps[0]
        assert step.risky == risky
    assert asked(edition, {}, "Herald of Beelzebub", MELEE).problem.steps[0].risky == 0


# --- injury dice ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("edition", "target", "attack", "dice"),
    both(
        [
            ("Corpse Guard", RANGED, -1),  # Undead Fortitude: not against FIRE
            ("Corpse Guard", {**RANGED, "keywords": ["FIRE"]}, 0),
            ("Heretic Trooper @heretic-legions-ghosts", RANGED, -1),  # Semi-Corporeal: ranged attacks
            ("Heretic Trooper @heretic-legions-ghosts", MELEE, 0),
            ("Amalgam", MELEE, -2),  # Corpulent
            ("Brazen Bull", MELEE, -1),  # Artificial Life, Artificial Body
            ("Martyr Penitent", MELEE, -1),  # Resurrection
            ("Artillery Witch", {**RANGED, "keywords": ["SHRAPNEL"]}, 0),
            ({"abilities": ["Lesser Mark of Cain"]}, RANGED, -1),
            ({"abilities": ["Chest Wound"]}, MELEE, 1),
        ]
    ),
)
def test_injury_dice_against_it(edition: str, target: Any, attack: dict[str, Any], dice: int) -> None:
    compare(edition, {"keywords": ["NEGATE FEAR"]}, target, attack, {INJURY: dice})


@pytest.mark.parametrize("edition", BOTH)
def test_no_gas_for_the_artificial(edition: str) -> None:
    """Artillery Witch: -1 injury die against GAS, and no marker of it."""
    named = asked(edition, {}, "Artillery Witch", {**RANGED, "keywords": ["GAS"]}).problem.steps[0]
    assert (named.injury_dice, named.markers) == (-1, 0)


@pytest.mark.parametrize("edition", BOTH)
def test_elemental_resistance(edition: str) -> None:
    """An option: NEGATE FIRE, NEGATE GAS, and one more injury die less against both (beside that of its nature)."""
    target = {"unit": "Takwin Homunculus @iron-sultanate-wisdom", "abilities": ["Elemental Resistance"]}
    for keyword, dice, markers in (("FIRE", -2, 0), ("GAS", -2, 0), ("SHRAPNEL", -1, 1)):
        step = asked(edition, {}, target, {**RANGED, "keywords": [keyword]}).problem.steps[0]
        assert (step.injury_dice, step.markers) == (dice, markers)


@pytest.mark.parametrize("edition", BOTH)
def test_what_ignores_armour_leaves_what_is_no_armour(edition: str) -> None:
    """Undead Fortitude and Semi-Corporeal stand against IGNORE ARMOUR."""
    attack = {**RANGED, "keywords": ["IGNORE ARMOUR"]}
    for target in ("Corpse Guard", "Heretic Trooper @heretic-legions-ghosts"):
        compare(edition, {}, target, attack, {INJURY: -1})


@pytest.mark.parametrize("edition", BOTH)
def test_injury_dice_against_the_fallen(edition: str) -> None:
    """Finish the Fallen: +1 in melee against a Down target, unless BLACK GRAIL or DEMONIC. Millstones: any Down one."""
    medic = "Combat Medic @new-antioch"
    compare(edition, medic, {}, MELEE, {INJURY_DOWN: 1})
    compare(edition, medic, {}, RANGED)
    compare(edition, medic, {"keywords": ["DEMONIC"]}, MELEE)
    for keywords in ([], ["DEMONIC"]):
        target = {"keywords": keywords}
        compare(edition, "Stigmatic Nun @trench-pilgrims-procession", target, MELEE, {INJURY_DOWN: 1})
    prisoner = {"unit": "Ecclesiastic Prisoner @trench-pilgrims-procession", "abilities": ["Punishing Millstones"]}
    compare(edition, prisoner, {}, MELEE)  # not those


@pytest.mark.parametrize(("edition", "unit"), [("1.6.3", "Yüzbaşı Captain"), ("1.0.2", "Yüzbaşı")])
def test_mubarizun(edition: str, unit: str) -> None:
    """+1 injury die against TOUGH models, whether it stands as a keyword or as a field; FEAR is nothing to it."""
    for target, dice in (({}, 0), ({"keywords": ["TOUGH"]}, 1), ({"tough": True}, 1), ("Amalgam", 1 - 2)):
        named = asked(edition, unit, target, MELEE).problem.steps[0]
        assert (named.action_dice, named.injury_dice) == (2, dice)


def test_skills_and_wounds_of_a_campaign() -> None:
    """1.0.2 skills and lasting wounds of both editions, by what each says."""
    skill = {
        "Assassinate": ({**MELEE}, {"not_activated": True}, {ACTION: 1}),
        "Close Quarters Combat": ({**MELEE, "prepared": True}, {}, {ACTION: 1, INJURY: 1}),
        "Melee Proficiency": (MELEE, {}, {ACTION: 1}),
        "Ranged Proficiency": (RANGED, {}, {ACTION: 1}),
        "Relentless Charge": ({**MELEE, "charging": True}, {}, {ACTION: 1}),
        "Sniper's Nest": ({**RANGED, "elevated": True}, {}, {ACTION: 1}),
        "Strength of Samson": (MELEE, {}, {INJURY: 1}),
        "Hunter": ({**RANGED, "cover": True}, {}, {ACTION: 1}),
        "Sharp Eyes": ({**RANGED, "long_range": True}, {}, {ACTION: 1}),
        "Lost an Eye": (RANGED, {}, {ACTION: -1}),
        "Hand Wound": (MELEE, {}, {ACTION: -1}),
        "Shell-shocked": ({**MELEE, "prepared": True}, {}, {ACTION: -1}),
        "Prominent Scar": ({**MELEE, "prepared": True}, {}, {ACTION: 1}),
        "Dark Memory": ({**MELEE, "prepared": True}, {}, {ACTION: -1}),
    }
    for name, (attack, target, changed) in skill.items():
        compare("1.0.2", {"abilities": [name]}, target, attack, changed)
    for name in ("Hand Wound", "Dark Memory"):
        compare("1.6.3", {"abilities": [name]}, {}, {**MELEE, "prepared": True}, {ACTION: -1})
    for name, attack in (("Parry", MELEE), ("Dodge", RANGED)):
        compare("1.0.2", {}, {"abilities": [name]}, attack, {ACTION: -1})
    for edition in BOTH:
        step = asked(edition, {"abilities": ["Severe Nerve Damage"]}, {}, MELEE).problem.steps[0]
        assert step.risky == 1


def test_shadow_walker() -> None:
    """1.0.2: long range costs -2 DICE in place of -1, and nothing where it is ignored."""
    walker = {"abilities": ["Shadow Walker"]}
    compare("1.0.2", {}, walker, {**RANGED, "long_range": True}, {ACTION: -1})
    compare("1.0.2", {}, walker, RANGED)
    compare("1.0.2", {}, walker, {**RANGED, "long_range": True, "keywords": ["IGNORE LONG RANGE"]})
    compare("1.0.2", {"abilities": ["Sharp Eyes"]}, walker, {**RANGED, "long_range": True}, {ACTION: 1})


def test_gunslinger() -> None:
    """1.0.2: the off-hand costs nothing with PISTOL weapons; with others it does."""
    slinger = {"abilities": ["Gunslinger"]}
    for keywords, dice in ((["PISTOL"], 0), ([], -1)):
        step = asked("1.0.2", slinger, {}, {**MELEE, "off_hand": True, "keywords": keywords}).problem.steps[0]
        assert step.action_dice == dice


def test_headshot_and_surgical_strike() -> None:
    """1.0.2: a critical of a ranged attack ignores armour; so does a melee attack that is said to be the one."""
    target = {"armour": ["Reinforced Armour", "Trench Shield"]}
    shot = asked("1.0.2", {"abilities": ["Headshot"]}, target, RANGED).problem.steps[0]
    assert [getattr(shot, field) for field in MODIFIER] == [-3, 0, -3, 0]
    strike = asked("1.0.2", {"abilities": ["Surgical Strike"]}, target, {**MELEE, "prepared": True}).problem.steps[0]
    assert {getattr(strike, field) for field in MODIFIER} == {0}


def test_champion_strikes_twice() -> None:
    """1.0.2: two attacks, the second with -1 DICE; a weapon that has CLEAVE already keeps its own."""
    champion = {"abilities": ["Champion"]}
    named = asked("1.0.2", champion, {}, {"weapon": "Sword / Axe"})
    assert [(step.volleys, step.action_dice) for step in named.problem.steps] == [(1, 0), (1, -1)]
    claws = asked("1.0.2", champion, {}, {"weapon": "reaping-claws"})
    assert [(step.volleys, step.action_dice) for step in claws.problem.steps] == [(1, 0), (1, -1)]
    assert asked("1.0.2", champion, {}, RANGED).problem.rolls == 1


# --- the injury modifier --------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", BOTH)
def test_serpent_moon(edition: str) -> None:
    """-1 for every two markers paid, three times at most; it counts under the cap of 1.0.2, and is no armour."""
    for paid, points in ((0, 0), (1, 0), (2, 1), (5, 2), (6, 3)):
        compare(edition, {"keywords": ["NEGATE FEAR"]}, {"unit": "Sorcerer", "paid": paid}, MELEE, {MODIFIER: -points})
    moon = {"abilities": ["Blessing of the Serpent Moon"], "paid": 6, "armour": ["Reinforced Armour"]}
    for keywords, modifier in (([], {"1.6.3": -5, "1.0.2": -3}[edition]), (["IGNORE ARMOUR"], -3)):
        assert asked(edition, {}, moon, {**MELEE, "keywords": keywords}).problem.steps[0].injury_modifier == modifier


@pytest.mark.parametrize("edition", BOTH)
def test_who_paid_is_told_apart(edition: str) -> None:
    """What the target's player pays is a field of the target; what is not asked is given in vain."""
    named = asked(edition, {}, "Sorcerer", {**MELEE, "paid": 3})
    assert "Changes nothing here: paid, no rule of melee attack asks for it." in named.notes
    assert "nothing paid for abilities of the target" in named.assumed
    idle = asked(edition, {}, {"paid": 2}, MELEE)
    assert "Changes nothing here: target.paid, no rule asks for it." in idle.notes


# --- names ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["aim", "  AIM ", "Aim @new-antioch-sniper-priest", "aim@ New-Antioch-Sniper-Priest"])
def test_names_in_any_case(name: str) -> None:
    for edition in BOTH:
        compare(edition, {"abilities": [name]}, {}, {**RANGED, "prepared": True}, {ACTION: 2})


def test_what_cannot_be() -> None:
    for tables, message in (
        (({"abilities": ["Aim", "aim"]}, {}), "attacker.abilities: Aim is given twice"),
        (({"auras": ["Unholy Hymns", "unholy hymns"]}, {}), "attacker.auras: Unholy Hymns is given twice"),
        (({"auras": ["Aim"]}, {}), "Aim reaches no other model"),
        (({}, {"abilities": ["Aimm"]}), 'there is no ability "Aimm" .*Aim'),
        (({"abilities": ["Aim @nobody"]}, {}), "is the ability of none, there are: Aim @new-antioch-sniper-priest"),
    ):
        with pytest.raises(InputError, match=message):
            asked("1.6.3", *tables, RANGED)


@pytest.mark.parametrize("edition", BOTH)
def test_a_rule_of_the_warband_and_of_the_unit_counts_once(edition: str) -> None:
    unit = "Heretic Trooper @heretic-legions-ghosts"
    ghost = {"unit": unit, "abilities": ["semi-corporeal", "Trench Ghosts"]}
    assert "Changes nothing here" in " ".join(compare(edition, {}, ghost, RANGED, {INJURY: -1}).notes)
    azeb = {"unit": "Azeb @iron-sultanate-defenders"}
    azeb["abilities"] = ["Marksmanship of the Iron Wall @iron-sultanate-defenders"]
    compare(edition, azeb, {}, {**RANGED, "elevated": True}, {ACTION: 1})


def test_only_what_decides_is_asked_for() -> None:
    """An Azeb with another weapon is not asked about friends; with a Siege Jezzail it is."""
    for weapon, assumed in (("Jezzail", ()), ("Siege Jezzail", ("no friends nearby",))):
        assert asked("1.6.3", "Azeb @iron-sultanate-defenders", {}, {"weapon": weapon}).assumed == assumed


def test_options_that_are_not_bought_are_not_spoken_of() -> None:
    shrine = asked("1.0.2", {}, "Anchorite Shrine", MELEE)
    assert not [note for note in shrine.notes if "Broken on the Wheel" in note]
    broken = asked("1.0.2", {}, {"unit": "Anchorite Shrine", "abilities": ["Broken on the Wheel"]}, MELEE)
    assert broken.notes == ()  # all of it is counted, see test_abilities_rare
    guard = asked("1.6.3", {}, {"unit": "Corpse Guard"}, MELEE)
    assert [note for note in guard.notes if "Black Grail Bodyguard: another model takes the hit" in note]


def test_what_is_wrong_with_an_ability_is_said() -> None:
    """One of the other edition, one where a row is looked for, and one that rules TOUGH out."""
    question: dict[str, Any] = {"target": {}, "attacks": [{"kind": "melee"}]}
    with pytest.raises(InputError, match=r"edition 1\.0\.2 has it"):
        tcsim.odds({**question, "attacker": {"abilities": ["Melee Proficiency"]}})
    with pytest.raises(InputError, match="it is an ability, see `tcsim catalog abilities"):
        catalog("1.6.3").named("Eye of God")
    target = {"unit": "War Prophet", "abilities": ["Memento Mori"], "tough": True}
    with pytest.raises(InputError, match="Memento Mori and TOUGH do not go together"):
        tcsim.odds({**question, "edition": "1.0.2", "target": target})


def test_aura_of_sloth_is_explained_once() -> None:
    question = resolve(from_mapping({"target": {"auras": ["Aura of Sloth"]}, "attacks": [{"kind": "melee"}]}))
    assert [line.roll for line in question.actions[0].lines].count("down_for_minor") == 1


def test_auras_reach_as_far_as_the_weapon_at_short_range() -> None:
    """Unholy Hymns reach 8": a Pistol at short range, 6" at most, is within them without a distance; a rifle is not."""
    question = {"edition": "1.0.2", "attacker": {"unit": "Yeoman"}, "target": {"unit": "Chorister"}}
    near = resolve(from_mapping({**question, "attacks": [{"weapon": "Pistol", "kind": "ranged"}]}))
    bare = resolve(from_mapping({**question, "target": {}, "attacks": [{"weapon": "Pistol", "kind": "ranged"}]}))
    assert near.problem.steps[0].action_dice == bare.problem.steps[0].action_dice - 1
    assert not [note for note in near.notes if "distance" in note]
    far = resolve(from_mapping({**question, "attacks": [{"weapon": "Bolt-Action Rifle"}]}))
    assert [note for note in far.notes if "distance" in note]
