"""Special rules of weapons and armour: the language, and every kind of rule that is counted, against plain numbers.

What a rule does is told in the sources of its row (``tcsim/catalog/data``) and in the rules sheet's words in each test;
the numbers beside it are the same attack without a name.
"""

from __future__ import annotations

import csv
import random
from importlib.resources import files
from typing import Any

import pytest
from stat_tools import smallest_seen, surprise

import tcsim
from tcsim.base.errors import InputError
from tcsim.catalog import catalog
from tcsim.engines import monte_carlo
from tcsim.engines.exact import solve
from tcsim.engines.states import decode
from tcsim.rules.effects import read_effects
from tcsim.rules.mechanisms import TARGETS, is_counted, left_out
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import Resolved, resolve


def resolved(edition: str, target: dict[str, Any], *attacks: dict[str, Any], **tables: Any) -> Resolved:
    return resolve(from_mapping({"edition": edition, "target": target, "attacks": list(attacks), **tables}))


def same(named: Resolved, plain: Resolved) -> None:
    """The named attack is the plain one, number by number, and says nothing of what it leaves out."""
    assert named.problem.steps == plain.problem.steps
    assert not [note for note in named.notes if note.startswith("Not counted")]


# --- the language ---------------------------------------------------------------------------------------------


def test_every_row_is_read() -> None:
    """Every effect of every row, with its text unchanged and in order."""
    for file in ("weapons", "armour"):
        text = (files("tcsim.catalog") / "data" / f"{file}.csv").read_text(encoding="utf-8")
        for row in csv.DictReader(text.splitlines()):
            effects = read_effects(row["conditions"])
            assert "; ".join(effect.text for effect in effects) == row["conditions"]


def test_what_is_read() -> None:
    [effect] = read_effects(
        "action_dice=+1 if range>9 and not target_keyword(DEMONIC|HERETIC) per target_blood (max 4)"
    )
    assert (effect.target, effect.number, effect.counter, effect.most) == (
        "action_dice", 1, "target_blood", 4,
    )  # fmt: skip
    first, second = effect.conditions
    assert (first.name, first.relation, first.number, first.turned) == ("range", ">", 9, False)
    assert (second.name, second.words, second.turned) == ("target_keyword", ("DEMONIC", "HERETIC"), True)
    [effect] = read_effects("action_dice=+1 if long_range (replaces long_range)")
    assert effect.replaces == "long_range"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("injury_dice", "is no effect"),
        ("=+1", "is no effect"),
        ("injury_dices=+1", "injury_dice"),
        ("injury_dice=+1 if critcal", "critical"),
        ("injury_dice=+1 if target_keywords(DEMONIC)", "target_keyword"),
        ("injury_dice=+1 if target_keyword", "target_keyword"),
        ("injury_dice=+1 if range", "range"),
        ("injury_dice=+1 if reach<=9", "range"),
        ("injury_dice=+1 per target_bloods", "target_blood"),
        ("injury_dice=+1 if hit or critical", "is no condition"),
    ],
)
def test_what_is_no_effect(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_effects(text)


def test_what_is_counted_is_not_said_to_be_left_out() -> None:
    """A row's words about what is left out are just those of effects that are neither counted nor beside attacks."""
    for edition in ("1.6.3", "1.0.2"):
        for row in (*catalog(edition).weapons, *catalog(edition).armour_rows):
            left = [effect for effect in row.effects if left_out(effect)]
            assert not [effect.text for effect in left if is_counted(effect)]
            said = [text for text in row.unmodelled if any(t.words + " (" in text for t in TARGETS.values())]
            assert len(said) == len(left)
            assert all(effect.text in words for effect, words in zip(left, said, strict=True))


# --- action rolls ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("edition", ["1.6.3", "1.0.2"])
def test_ophidian_rifle(edition: str) -> None:
    """+1 DICE against cover and at long range, in place of the penalty."""
    for cover in (False, True):
        for long_range in (False, True):
            named = resolved(edition, {}, {"weapon": "Ophidian Rifle", "cover": cover, "long_range": long_range})
            row = catalog(edition).weapon("Ophidian Rifle")
            plain = {"kind": "ranged", "action_dice": row.action_dice + cover + long_range}
            plain |= {"injury_dice": row.injury_dice, "injury_modifier": row.injury_modifier}
            same(named, resolved(edition, {}, plain))


def test_silenced_pistol() -> None:
    """+1 DICE from behind an obstacle; in 1.0.2 in melee too."""
    for edition, kind in (("1.6.3", "ranged"), ("1.0.2", "ranged"), ("1.0.2", "melee")):
        for behind in (False, True):
            attack = {"weapon": "Silenced Pistol", "kind": kind, "behind_obstacle": behind}
            named = resolved(edition, {}, attack)
            assert named.problem.steps[0].action_dice == int(behind)


def test_second_attack_of_reaping_claws() -> None:
    """Two attacks, the second with -1 DICE, one after the other; each action anew."""
    for edition in ("1.6.3", "1.0.2"):
        named = resolved(edition, {}, {"weapon": "reaping-claws", "times": 2})
        one = {"kind": "melee", "keywords": ["CRITICAL"]}
        two = {**one, "action_dice": -1}
        same(named, resolved(edition, {}, one, two, one, two))


def test_flail_in_the_off_hand() -> None:
    """A further -1 DICE beside that of the off-hand."""
    named = resolved("1.0.2", {}, {"weapon": "flail-scourge", "off_hand": True})
    assert named.problem.steps[0].action_dice == catalog("1.0.2").weapon("flail-scourge").action_dice - 2


@pytest.mark.parametrize(("edition", "most"), [("1.6.3", 4), ("1.0.2", 20)])
def test_pummel(edition: str, most: int) -> None:
    """+1 DICE for each friend within 3", in 1.6.3 at most 4."""
    for friends in (0, 3, 4, 7):
        named = resolved(edition, {}, {"weapon": "Pummel", "friends": friends})
        assert named.problem.steps[0].action_dice == min(friends, most) + catalog(edition).weapon("Pummel").action_dice


def test_vengeful_scripture_by_distance() -> None:
    """+2 DICE within 9", else +1; no long range, as it is no attack. Without a distance neither, and that is said."""
    for distance, dice in ((9, 2), (9.5, 1)):
        named = resolved("1.0.2", {}, {"weapon": "Vengeful Scripture", "distance": distance})
        assert named.problem.steps[0].action_dice == dice
    unsaid = resolved("1.0.2", {}, {"weapon": "Vengeful Scripture"})
    assert unsaid.problem.steps[0].action_dice == 0
    assert "Not counted: Vengeful Scripture depends on the distance; none is given." in unsaid.notes


def test_poison_stingers_attack_once_more_after_a_charge() -> None:
    named = resolved("1.6.3", {}, {"weapon": "poison-stingers", "charging": True})
    assert sum(step.volleys for step in named.problem.steps) == 2
    assert resolved("1.6.3", {}, {"weapon": "poison-stingers"}).problem.rolls == 1


def test_abilities_that_are_risky() -> None:
    """Day of His Wrath: a RISKY roll without a characteristic."""
    for edition in ("1.6.3", "1.0.2"):
        named = resolved(edition, {}, {"weapon": "day-of-his-wrath"}, attacker={"unit": "Heretic Trooper"})
        assert (named.problem.steps[0].risky, named.problem.steps[0].action_dice) == (1, 0)


# --- injury rolls ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "dice"), [("1.6.3", 2), ("1.0.2", 1)])
def test_heavy_shotgun_at_short_range(edition: str, dice: int) -> None:
    row = catalog(edition).weapon("Heavy Shotgun")
    near = resolved(edition, {}, {"weapon": "Heavy Shotgun", "long_range": False}).problem.steps[0]
    far = resolved(edition, {}, {"weapon": "Heavy Shotgun", "long_range": True}).problem.steps[0]
    assert near.injury_dice == row.injury_dice + dice
    assert far.injury_dice == row.injury_dice - (edition == "1.0.2")  # SHOTGUN: -1 injury die in place of -1 DICE


def test_anaza_spear_against_a_down_target() -> None:
    """+1 injury die, beside that of the game (melee)."""
    step = resolved("1.0.2", {}, {"weapon": "Anaza Spear"}).problem.steps[0]
    assert step.injury_dice_down == step.injury_dice + 2


@pytest.mark.parametrize(("keyword", "dice"), [("DEMONIC", 1), ("BLACK GRAIL", 1), ("HERETIC", 0)])
def test_holy_grenade_against_what_it_is_meant_for(keyword: str, dice: int) -> None:
    plain = resolved("1.6.3", {}, {"weapon": "Holy Grenade"}).problem.steps[0]
    marked = resolved("1.6.3", {"keywords": [keyword]}, {"weapon": "Holy Grenade"}).problem.steps[0]
    assert marked.injury_dice == plain.injury_dice + dice


@pytest.mark.parametrize("edition", ["1.6.3", "1.0.2"])
def test_infernal_bomb(edition: str) -> None:
    """Three dice count for the model that is hit itself; -1 injury die behind an obstacle, seen from the blast."""
    direct = resolved(edition, {}, {"weapon": "Infernal Bomb"}).problem.steps[0]
    aside = resolved(edition, {}, {"weapon": "Infernal Bomb", "indirect": True, "blast_obstacle": True}).problem.steps[
        0
    ]
    assert (direct.injury_keep, aside.injury_keep) == (3, 2)
    assert aside.injury_dice == direct.injury_dice - 1


def test_frag_grenade_beside_its_target() -> None:
    direct, aside = (
        resolved("1.6.3", {}, {"weapon": "frag-grenades", "indirect": indirect}).problem.steps[0]
        for indirect in (False, True)
    )
    assert aside.injury_dice == direct.injury_dice - 1


@pytest.mark.parametrize("edition", ["1.6.3", "1.0.2"])
def test_headtaker_against_one_who_has_not_acted(edition: str) -> None:
    """+2 injury modifier."""
    for fresh in (False, True):
        step = resolved(edition, {"not_activated": fresh}, {"weapon": "Headtaker"}).problem.steps[0]
        assert step.injury_modifier == catalog(edition).weapon("Headtaker").injury_modifier + 2 * fresh


def test_what_an_ability_says_of_its_critical_is_in_place_of_the_ordinary_die() -> None:
    """Lash of Acheron has no critical die; Price of Greed says +1, which is the ordinary one."""
    lash = resolved("1.0.2", {}, {"weapon": "Lash of Acheron"}).problem.steps[0]
    greed = resolved("1.0.2", {}, {"weapon": "Price of Greed"}).problem.steps[0]
    assert lash.injury_dice_critical == lash.injury_dice
    assert greed.injury_dice_critical == greed.injury_dice + 1


def test_price_of_greed_counts_armour() -> None:
    """+1 injury die for each point of the target's negative modifier."""
    for armour, points in (("Standard Armour", 1), ("Reinforced Armour", 2)):
        step = resolved("1.0.2", {"armour": [armour, "Trench Shield"]}, {"weapon": "Price of Greed"}).problem.steps[0]
        assert step.injury_dice == points + 1


def test_satchel_charge_ignores_armour_of_whom_it_hits() -> None:
    for indirect, modifier in ((False, 0), (True, -2)):
        attack = {"weapon": "Satchel Charge", "indirect": indirect}
        step = resolved("1.6.3", {"armour": ["Reinforced Armour"]}, attack).problem.steps[0]
        assert step.injury_modifier == modifier + catalog("1.6.3").weapon("Satchel Charge").injury_modifier


# --- markers --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("keywords", "markers"), [([], 1), (["HERETIC"], 2), (["ARTIFICIAL"], 1)])
def test_gavel_of_justice(keywords: list[str], markers: int) -> None:
    """One blood marker more on a hit, two on a heretic; the option for markers of keywords does not touch them."""
    for edition in ("1.6.3", "1.0.2"):
        options = {"options": {"marker_keywords": "one"}}
        named = resolved(edition, {"keywords": keywords}, {"weapon": "Gavel of Justice"}, **options)
        assert named.problem.steps[0].markers == markers


def test_kayanin_mace_splinters_on_armour() -> None:
    """SHRAPNEL against a target that wears armour, unless it is proof against it."""
    for target, markers in (
        ({}, 0), ({"armour": ["Standard Armour"]}, 1), ({"armour": ["Trench Shield"]}, 0),
        ({"armour": ["Standard Armour"], "keywords": ["NEGATE SHRAPNEL"]}, 0),
    ):  # fmt: skip
        assert resolved("1.0.2", target, {"weapon": "Kayanin Mace"}).problem.steps[0].markers == markers


# --- armour ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("edition", "ignored"), [("1.6.3", 0), ("1.0.2", -1)])
def test_alchemist_armour(edition: str, ignored: int) -> None:
    """-1 injury die against FIRE and GAS; in 1.0.2 IGNORE ARMOUR does not touch it."""
    target = {"armour": ["Alchemist Armour"]}
    for keyword, dice in (("FIRE", -1), ("GAS", -1), ("SHRAPNEL", 0)):
        step = resolved(edition, target, {"keywords": [keyword]}).problem.steps[0]
        assert (step.injury_dice, step.markers) == (dice, int(keyword == "SHRAPNEL"))
    through = resolved(edition, target, {"keywords": ["FIRE", "IGNORE ARMOUR"]}).problem.steps[0]
    drops = tcsim.rules.edition(edition).ignore_armour_drops_dice
    assert through.injury_dice == (ignored if drops else -1)


# --- both engines ---------------------------------------------------------------------------------------------


def test_both_engines_know_special_rules() -> None:
    """A sequence with rules by attack, by state and by kit; 6 standard errors."""
    scenario = {
        "target": {"armour": ["Alchemist Armour"], "blood": 2},
        "attacks": [
            {"weapon": "reaping-claws"},
            {"weapon": "Gavel of Justice", "keywords": ["FIRE"]},
            {"weapon": "Heavy Shotgun", "distance": 3},
        ],
        "spend": {"blood_on_injury": "greedy"},
    }
    problem = resolve(from_mapping(scenario)).problem
    trials, exact = 2_000_000, tcsim.odds(scenario).out_of_action
    rolled = monte_carlo.count(problem, trials).counts.get(0, 0) / trials
    assert abs(rolled - exact) < 6 * (exact * (1 - exact) / trials) ** 0.5


def test_a_name_is_found_for_every_counted_rule() -> None:
    """No weapon that has counted rules fails to be resolved, in any situation that its rules ask for."""
    for edition in ("1.6.3", "1.0.2"):
        for weapon in catalog(edition).weapons:
            if any(is_counted(effect) for effect in weapon.effects):
                situation = {"charging": True, "friends": 2, "behind_obstacle": True, "indirect": True}
                attack = {"weapon": weapon.id, "kind": weapon.attack_kind, **situation}
                resolved(edition, {"armour": ["Standard Armour"], "not_activated": True}, attack)


def every_pair(edition: str) -> list[Resolved]:
    """Every weapon that makes an injury roll against every piece of armour, in a random situation."""
    rng, found, rules = random.Random(edition), [], tcsim.rules.edition(edition)
    for weapon in catalog(edition).weapons:
        ranged, words = weapon.attack_kind == "ranged", [rules.keyword(word, "attack")[0] for word in weapon.keywords]
        for armour in catalog(edition).armour_rows:
            attack: dict[str, Any] = {"weapon": weapon.id, "kind": weapon.attack_kind, "friends": rng.randrange(4)}
            flags = ["charging", "behind_obstacle", "indirect", "blast_obstacle"]
            flags += ["cover", "long_range"] if ranged else ["off_hand", "defended_obstacle", "fear"]
            attack |= {flag: True for flag in flags if rng.random() < 0.3}
            if any(word.counted for word in words):  # GRENADE, CONSUMABLE
                attack["carried"] = 20
            target = {
                "armour": [armour.id],
                "blood": rng.randrange(7),
                "down": rng.random() < 0.3,
                "tough": rng.random() < 0.2,
                "not_activated": rng.random() < 0.3,
                "keywords": rng.sample(["DEMONIC", "HERETIC", "BLACK GRAIL", "NEGATE FIRE"], rng.randrange(3)),
            }
            spend = {"blood_on_injury": rng.choice(["none", "all", "bloodbath", "greedy"])}
            found.append(resolved(edition, target, attack, spend=spend))
    return found


def check_pairs(edition: str, apart: int) -> None:
    """Exact and rolled, every final state of pairs so far apart.

    False alarm 1e-6 over all cells; an error of 0.013 near 1/2 is seen.
    """
    questions, trials = every_pair(edition), 65_536
    problems = [question.problem for question in questions[::apart]]
    cells = 40_000
    assert smallest_seen(trials, cells, 1e-6) < 0.014
    number = 0
    for problem, final in zip(problems, solve(problems), strict=True):
        counts = {decode(code): count for code, count in monte_carlo.count(problem, trials).counts.items()}
        chances = dict(final)
        for state in chances.keys() | counts.keys():
            number += 1
            assert surprise(counts.get(state, 0), trials, chances.get(state, 0.0)) > 1e-6 / cells, problem
    assert 3_000 < len(questions) < number * apart
    assert number <= cells


@pytest.mark.parametrize("edition", ["1.6.3", "1.0.2"])
def test_weapons_against_armour(edition: str) -> None:
    """Every seventh pair, so that each weapon meets some armour, and each armour some weapons."""
    check_pairs(edition, 7)


@pytest.mark.verification
@pytest.mark.parametrize("edition", ["1.6.3", "1.0.2"])
def test_every_weapon_against_every_armour(edition: str) -> None:
    check_pairs(edition, 1)


@pytest.mark.parametrize("edition", ["1.6.3", "1.0.2"])
@pytest.mark.parametrize(("armour", "better"), [([], "injury_dice"), (["Machine Armour"], "ignore_armour")])
def test_bow_of_lethe(edition: str, armour: list[str], better: str) -> None:
    """+2 injury dice or no armour: what is named, else what takes the target out more often."""
    target = {"armour": armour}
    options = {
        choice: resolved(edition, target, {"weapon": "Bow of Lethe", "choice": choice})
        for choice in ("injury_dice", "ignore_armour")
    }
    dice, through = (options[choice].problem.steps[0] for choice in ("injury_dice", "ignore_armour"))
    assert dice.injury_dice == through.injury_dice + 2
    assert (dice.injury_modifier, through.injury_modifier) == (-3 if armour else 0, 0)
    unsaid = resolved(edition, target, {"weapon": "Bow of Lethe"})
    assert unsaid.problem.steps == options[better].problem.steps
    assert any(better.replace("_", " ") in note for note in unsaid.notes)
    chances = {choice: solve([question.problem])[0][0][1] for choice, question in options.items()}
    assert max(chances, key=lambda choice: chances[choice]) == better


# --- what belongs to a rule ---------------------------------------------------------------------------------------


def test_a_special_modifier_is_under_the_cap_like_any_other() -> None:
    """Capped after adding, a Headtaker is the same attack as one with the number in its place."""
    options = {"options": {"negative_modifier_cap": "after-adding"}}
    for armour in (-5, -3, 0):
        target = {"injury_modifier": armour, "not_activated": True}
        named = resolved("1.6.3", target, {"weapon": "Headtaker", "injury_modifier": -1}, **options)
        plain = resolved("1.6.3", target, {"kind": "melee", "injury_modifier": 1}, **options)
        assert named.problem.steps == plain.problem.steps


def test_critical_of_a_blast() -> None:
    """1.0.2: one action roll, and the die of its critical for the target only; 1.6.3: an action roll for each."""
    for edition, more in (("1.6.3", 1), ("1.0.2", 0)):
        step = resolved(edition, {}, {"weapon": "Holy Grenade", "indirect": True}).problem.steps[0]
        assert step.injury_dice_critical == step.injury_dice + more


@pytest.mark.parametrize(("edition", "shots"), [("1.6.3", 1), ("1.0.2", 2)])
def test_assault_weapons_in_the_activation_of_a_charge(edition: str, shots: int) -> None:
    """The source text lets them shoot once; the released rules do not limit the shots."""
    attack = {"weapon": "automatic-pistol", "charging": True}
    if edition == "1.0.2":
        attack = {
            "weapon": next(row.id for row in catalog(edition).weapons if row.shots == 2 and "ASSAULT" in row.keywords)
        }
    assert resolved(edition, {}, {**attack, "charging": True}).problem.rolls == shots
    assert resolved(edition, {}, {**attack, "charging": False}).problem.rolls == 2


def test_what_cannot_be_shot_in_the_activation_of_a_charge_is_said() -> None:
    for attacker, said in (({}, ["is not ASSAULT", "is HEAVY"]), ({"keywords": ["STRONG"]}, ["is not ASSAULT"])):
        notes = resolved("1.6.3", {}, {"weapon": "Machine Gun", "charging": True}, attacker=attacker).notes
        assert [any(words in note for note in notes) for words in said] == [True] * len(said)
        assert ("is HEAVY" in " ".join(notes)) == ("is HEAVY" in said)


def test_abilities_are_no_ranged_attacks() -> None:
    """Neither cover nor long range touches a roll without a characteristic; that the attacker is Down does."""
    situation = {"weapon": "day-of-his-wrath", "cover": True, "long_range": True}
    for edition in ("1.6.3", "1.0.2"):
        assert resolved(edition, {}, situation).problem.steps[0].action_dice == 0
        assert resolved(edition, {}, situation, attacker={"down": True}).problem.steps[0].action_dice == -1


@pytest.mark.parametrize("shield", ["Heavy Ballistic Shield", "Iron Wall Kalkan"])
def test_shields_against_a_charge(shield: str) -> None:
    """A defended obstacle against one who charges: -1 DICE in melee, while the target stands (1.6.3)."""
    target = {"armour": [shield], "keywords": ["NEGATE FIRE"]}
    charge = resolved("1.6.3", target, {"kind": "melee", "charging": True}).problem.steps[0]
    plain = resolved("1.6.3", target, {"kind": "melee"}).problem.steps[0]
    assert (charge.action_dice, charge.action_dice_down) == (plain.action_dice - 1, plain.action_dice_down)


def test_too_near_for_a_mortar() -> None:
    with pytest.raises(InputError, match="too near, the Trench Mortar reaches from 6"):
        resolved("1.0.2", {}, {"weapon": "Trench Mortar", "distance": 3})


def test_what_is_asked_is_assumed_or_said() -> None:
    """A fact that no rule asks for is given in vain, and one that is asked and not given is told as an assumption."""
    idle = resolved("1.6.3", {"not_activated": True}, {"weapon": "Bolt-Action Rifle", "indirect": True, "friends": 3})
    assert [note for note in idle.notes if note.startswith("Changes nothing here")] == [
        "Changes nothing here: indirect, no rule of Bolt-Action Rifle asks for it.",
        "Changes nothing here: friends, no rule of Bolt-Action Rifle asks for it.",
        "Changes nothing here: not_activated, no rule asks for it.",
    ]
    assert resolved("1.6.3", {}, {"weapon": "Headtaker"}).assumed == ("a target that has been activated",)
    assert resolved("1.6.3", {}, {"weapon": "Pummel"}).assumed == ("no friends nearby",)
    assert resolved("1.6.3", {}, {"weapon": "Bolt-Action Rifle"}).assumed == ()
    assert "strikes every enemy" in " ".join(resolved("1.6.3", {}, {"weapon": "Tenderizer Maul"}).notes)
    assert "that is Down" in " ".join(resolved("1.6.3", {}, {"weapon": "trample"}).notes)


def test_an_attack_of_nothing_but_zeroes_is_an_attack() -> None:
    """Its step is that of a default row, and comes first."""
    [step] = resolved("1.0.2", {}, {"weapon": "lash-of-acheron"}).problem.steps
    assert step.volleys == 1
