"""The editions: every number against the rules sheet, every difference between them, keywords, options, a new one."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import tcsim
from tcsim import rules
from tcsim.base.errors import InputError, some
from tcsim.catalog import catalog
from tcsim.dice import Pool
from tcsim.rules import DEFAULT_EDITION, Charts, Edition, Keyword, edition, editions, read_edition, rulings, word
from tcsim.scenario.problem import Step
from tcsim.scenario.read import from_mapping

EDITIONS = ("1.6.3", "1.0.2")
FILES = Path(rules.__file__).parent / "editions"


def test_editions() -> None:
    """The playtest edition of the source text comes first and is meant when none is named."""
    assert editions() == EDITIONS
    assert DEFAULT_EDITION == "1.6.3"
    assert tcsim.odds({"target": {}, "attacks": [{}]}).to_dict()["edition"] == "1.6.3"
    for name in EDITIONS:
        assert edition(name).id == name
        assert edition(name) is edition(name)
        assert name in edition(name).title


@pytest.mark.parametrize("name", ["1.6", "", "1.6.3.toml", "../rules/editions/1.6.3", "1.6.3/", "x" * 99, "۱.۶.۳"])
def test_an_edition_there_is_not(name: str) -> None:
    with pytest.raises(InputError, match=r"^edition: there is no edition .*1\.6\.3, 1\.0\.2"):
        edition(name)


# --- the numbers --------------------------------------------------------------------------------------------

CHARTS = {
    "success": 7,
    "critical": 12,
    "minor_hit": 2,
    "down": 7,
    "out_of_action": 9,
    "marker_limit": 6,
    "minor_hit_markers": 1,
    "down_markers": 1,
    "down_again_markers": 2,
    "bloodbath_cost": 6,
    "bloodbath_cost_down": 3,
}
MODIFIERS = {
    "cover": ("ranged", -1),
    "long_range": ("ranged", -1),
    "elevated": ("ranged", 1),
    "defended_obstacle": ("melee", -1),
    "off_hand": ("melee", -1),
    "fear": ("melee", -1),
    "block": ("melee", -1),
    "diving_charge": ("melee", 1),
    "attacker_down": ("any", -1),
}
BOUNDARIES = {
    "1.6.3": {"long_range_share": 0.5, "elevated_in": 2, "elevated_large_base_in": 4, "large_base_mm": 50},
    "1.0.2": {"long_range_share": 0.5, "elevated_in": 3, "elevated_large_base_in": 3, "large_base_mm": 50},
}
#: Whether IGNORE ARMOUR drops negative injury dice of armour too.
DROPS_DICE = {"1.6.3": False, "1.0.2": True}


@pytest.mark.parametrize("name", EDITIONS)
def test_numbers_of_the_rules_sheet(name: str) -> None:
    rules = edition(name)
    assert rules.charts._asdict() == CHARTS
    assert rules.injury_keep == 2
    assert (rules.target_down_injury_dice, rules.critical_injury_dice) == (1, 1)
    assert {key: (entry.kind, entry.action_dice) for key, entry in rules.modifiers.items()} == MODIFIERS
    assert rules.boundaries == BOUNDARIES[name]
    assert rules.ignore_armour_drops_dice is DROPS_DICE[name]
    assert rules.negative_modifier_cap == -3


@pytest.mark.parametrize("name", EDITIONS)
def test_every_number_has_a_source(name: str) -> None:
    """And every source begins with a short name that the edition explains."""
    rules = edition(name)
    tables = {"charts.action", "charts.injury", "charts.markers", "charts.bloodbath"}
    tables |= {"injury_dice", "armour", "boundaries", "turn", *(f"modifiers.{key}" for key in MODIFIERS)}
    tables |= {f"activation.{key}" for key in rules.activation}
    assert set(rules.cited) == tables
    for source in [*rules.cited.values(), *(option.source for option in rules.options.values())]:
        for part in re.findall(r"(?:^|; )(\w+): ", source) or [source.split()[0]]:
            assert part in rules.sources, source
    assert all(rules.sources.values())


#: Action chart 2-6, 7-11, 12; injury chart 1 or less, 2-6, 7-8, 9 or more.
ACTION_RESULTS = {"failure": range(-2, 7), "success": range(7, 12), "critical": range(12, 20)}
INJURY_RESULTS = {
    "no effect": range(-40, 2),
    "minor hit": range(2, 7),
    "down": range(7, 9),
    "out of action": range(9, 60),
}


@pytest.mark.parametrize("name", EDITIONS)
def test_charts_give_the_words_of_the_game(name: str) -> None:
    charts = edition(name).charts
    for result, totals in ACTION_RESULTS.items():
        assert {charts.action_result(total) for total in totals} == {result}
    for result, totals in INJURY_RESULTS.items():
        assert {charts.injury_result(total) for total in totals} == {result}


# --- worked examples of the rules sheet: faces in, result out ------------------------------------------------


def steps(name: str, target: Mapping[str, Any], *attacks: Mapping[str, Any]) -> tuple[Step, ...]:
    question = {"edition": name, "target": target, "attacks": list(attacks)}
    return tcsim.resolve(from_mapping(question)).problem.steps


@pytest.mark.parametrize("name", EDITIONS)
class TestWorkedExamples:
    """The examples of both editions give the same results in both."""

    def test_b1_cover(self, name: str) -> None:
        total = Pool(edition(name).modifiers["cover"].action_dice).total([5, 5, 1])
        assert (total, edition(name).charts.action_result(total)) == (6, "failure")

    def test_b2_plus_and_minus_cancel(self, name: str) -> None:
        rules = edition(name)
        net = rules.modifiers["elevated"].action_dice + rules.modifiers["cover"].action_dice
        total = Pool(net).total([4, 3])
        assert (total, rules.charts.action_result(total)) == (7, "success")

    def test_b3_two_plus_one_minus(self, name: str) -> None:
        assert steps(name, {}, {"action_dice": 2, "cover": True})[0].action_dice == 1

    def test_b4_injury_die_and_modifier(self, name: str) -> None:
        total = Pool(1, modifier=-1).total([2, 4, 5])
        assert (total, edition(name).charts.injury_result(total)) == (8, "down")

    def test_b5_one_marker_spent(self, name: str) -> None:
        charts = edition(name).charts
        assert charts.action_result(8) == "success"  # no critical, so no die from it
        total = Pool(1).total([5, 1, 4])
        assert (total, charts.injury_result(total)) == (9, "out of action")

    def test_b6_two_markers_against_standard_armour(self, name: str) -> None:
        armour = catalog(name).armour("Standard Armour").injury_modifier
        total = Pool(2, modifier=armour).total([2, 5, 4, 1])
        assert (total, edition(name).charts.injury_result(total)) == (8, "down")

    def test_b7_armour_piercing(self, name: str) -> None:
        target = {"armour": ["Standard Armour", "Trench Shield"]}
        plain, piercing = steps(name, target, {}, {"keywords": ["ARMOUR PIERCING"]})
        assert (plain.injury_modifier, piercing.injury_modifier) == (-2, -1)

    def test_b10_three_blood_markers_on_the_roller(self, name: str) -> None:
        """The opponent makes it -1, -2 or -3 DICE: a double six with a 5, a 4 and a 2 becomes 11, 9 and 6."""
        faces, charts = [6, 6, 5, 4, 2], edition(name).charts
        rolled = {spent: Pool(-spent).total(faces[: 2 + spent]) for spent in range(4)}
        assert rolled == {0: 12, 1: 11, 2: 9, 3: 6}
        assert [charts.action_result(rolled[spent]) for spent in (0, 1, 3)] == ["critical", "success", "failure"]

    def test_a1_three_dice_and_one_more(self, name: str) -> None:
        deadly = edition(name).keywords["DEADLY"].injury_keep
        assert deadly is not None
        pool = Pool(1, deadly)
        assert (pool.dice, pool.keep) == (4, 3)
        assert pool.total([1, 2, 3, 4]) == 9

    def test_a2_bloodbath_of_three_dice(self, name: str) -> None:
        question = {
            "edition": name,
            "target": {"blood": 6, "injury_modifier": -3},
            "attacks": [{"keywords": ["DEADLY", "AUTO-HIT"]}],
            "spend": {"blood_on_injury": "bloodbath"},
        }
        assert Pool(0, 4, modifier=-3).total([3, 3, 3, 3]) == 9
        fractions = tcsim.odds(question, fractions=True).fractions
        assert fractions is not None
        assert fractions[0] == Fraction(1296 - 310, 1296)  # 310 throws of four dice sum to 11 or less

    @pytest.mark.parametrize(
        ("weapon", "total"), [("titan-zulfiqar", 9), ("sacrificial-blade", 9), ("assassins-dagger", 8)]
    )
    def test_a3_weapons_that_add_to_a_seven(self, name: str, weapon: str, total: int) -> None:
        assert Pool(modifier=catalog(name).weapon(weapon).injury_modifier).total([3, 4]) == total

    def test_a6_reinforced_armour_against_an_infested_rifle(self, name: str) -> None:
        plain, piercing = steps(name, {"armour": ["Reinforced Armour"]}, {}, {"weapon": "Infested Rifle"})
        assert (plain.injury_modifier, piercing.injury_modifier) == (-2, -1)

    def test_community_bloodbath(self, name: str) -> None:
        total = Pool(keep=3, modifier=-3).total([6, 5, 4])
        assert (total, edition(name).charts.injury_result(total)) == (12, "out of action")


# --- every difference between the editions ------------------------------------------------------------------

ABSENT = "absent"
UNCOMPARED = {"id", "title", "sources", "cited", "source", "reason"}


def flatten(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every number, word and flag below a value, with its path. Of a keyword only what is not the default."""
    if is_dataclass(value):
        items = {field.name: getattr(value, field.name) for field in fields(value)}
        if isinstance(value, Keyword):
            defaults = {field.name: field.default for field in fields(value) if field.default is not MISSING}
            items = {key: item for key, item in items.items() if key != "name" and item != defaults.get(key, MISSING)}
    elif isinstance(value, Charts):
        items = value._asdict()
    elif isinstance(value, Mapping):
        items = {str(key): item for key, item in value.items()}
    else:
        yield path, value
        return
    for key, item in items.items():
        if key not in UNCOMPARED:
            yield from flatten(item, f"{path}.{key}" if path else key)


#: Path to what it is in 1.6.3 and in 1.0.2. Sources and reasons differ everywhere and are not compared.
DIFFERENCES: dict[str, tuple[Any, Any]] = {
    # an activation: standing up, moving after it, going Down in it, what is halved, who has no die, and so on
    "activation.down_stands": ("risky", "activated"),
    "activation.down_moves": (False, True),
    "activation.downed": ("goes on", "ends"),
    "activation.halved": ("move", "all"),
    "activation.no_die": ("armour", "any"),
    "activation.unseen_charge": ("risky", "never"),
    "activation.fight": ("each", "all"),
    "activation.diving": ("all", "next"),
    "activation.not_with_a_shot": (["charge"], ["charge", "fight"]),
    "activation.strong_ignores_heavy": (False, True),
    "activation.heavy_stops": (["move", "dash"], ["move", "dash", "charge", "retreat"]),
    "activation.shaken": ("every action", "every roll"),
    # the height that counts as elevated, in inches: more than 2 (large bases 4), and 3 or more whatever the base
    "boundaries.elevated_in": (2, 3),
    "critical_indirect": (True, False),  # BLAST: an action roll for every model, or one whose critical is the target's
    "boundaries.elevated_large_base_in": (4, 3),
    "options.elevated.default": ("more-than", "at-least"),
    "options.long_range.default": ("half-or-more", "beyond-half"),
    # a charge from above
    "modifiers.diving_charge.injury_dice": (1, 0),
    "modifiers.diving_charge.ignores": ("defended_obstacle", ""),
    "modifiers.diving_charge.only_first": (False, True),
    # armour
    "ignore_armour_drops_dice": (False, True),
    "options.machine_armour_wearers.default": ("new-antioch", "any"),
    "options.negative_modifier_cap.default": ("none", "before-positive"),
    # the order of shots, and the target that is Down
    "options.shots.default": ("together-ranged", "in-turn"),
    "options.down_bonus.default": ("every-attack", "melee"),
    "options.obstacle_on_down.default": (False, True),
    # what happens around the attacks of a turn
    "turn.stands": ("turn", "activation"),
    "turn.failure": ("flight", "shaken"),
    "turn.shaken_tests_again": (False, True),
    # keywords that change dice
    "keywords.GRENADE.ignores": ("cover long_range", ABSENT),
    "keywords.GRENADE.counted": (True, ABSENT),
    "keywords.ASSAULT.with_charge": ("one shot", "all shots"),
    "keywords.IMPERVIOUS.on": (ABSENT, "model"),
    "keywords.IMPERVIOUS.unmodelled": (ABSENT, "only armour given by its name can be neither ignored nor pierced"),
    # keywords that only one edition has, and change no dice
    "keywords.AMMUNITION.on": (ABSENT, "model"),
    "keywords.MINED.on": (ABSENT, "model"),
    # what is said of a keyword
    "keywords.AMMUNITION.text": (ABSENT, "Gives a keyword to one ranged weapon; say that keyword."),
    "keywords.IMPERVIOUS.text": (ABSENT, "Armour with it is neither ignored nor pierced."),
    "keywords.MINED.text": (ABSENT, "Contact means an injury roll with SHRAPNEL."),
    "keywords.ASSAULT.text": (
        "May shoot and charge in one activation, with a single shot.",
        "May shoot and charge or fight in one activation.",
    ),
    "keywords.BLAST.text": ("Attacks every model within its diameter.", "Attacks every model within its radius."),
    "keywords.CONSUMABLE.text": (
        "Used once a game for each one carried.",
        "Gone after the game in which it was used.",
    ),
    "keywords.CUMBERSOME.text": (
        "Takes two hands; STRONG models need one.",
        "Takes two hands, even of a STRONG model.",
    ),
    "keywords.GRENADE.text": (
        "Ignores cover and long range; as many attacks as are carried.",
        "A kind of equipment; what it ignores is printed with each.",
    ),
    "keywords.IGNORE ARMOUR.text": (
        "Armour and shield take nothing off the injury roll.",
        "Armour and shield take nothing off the injury roll, nor do injury dice that come from them.",
    ),
}


def test_every_difference_between_the_editions() -> None:
    """Whoever makes the editions differ in one thing more, or less, says so here."""
    first, second = (dict(flatten(edition(name))) for name in EDITIONS)
    found = {
        path: (first.get(path, ABSENT), second.get(path, ABSENT))
        for path in {*first, *second}
        if first.get(path, ABSENT) != second.get(path, ABSENT)
    }
    assert found == DIFFERENCES
    assert len(first) > 200  # the walk reached everything


def test_the_walk_sees_every_part() -> None:
    paths = [path for path, _ in flatten(edition("1.6.3"))]
    heads = {path.split(".")[0] for path in paths}
    assert heads | UNCOMPARED >= {field.name for field in fields(Edition)}
    assert "options.shots.values.together" in paths
    assert "keywords.FIRE.markers" in paths
    assert "charts.down_again_markers" in paths


# --- options ------------------------------------------------------------------------------------------------

#: The options of a scenario: readings, and the default of 1.6.3 and of 1.0.2.
OPTIONS: dict[str, tuple[tuple[str | bool, ...], str | bool, str | bool]] = {
    "shots": (("together-ranged", "together", "in-turn"), "together-ranged", "in-turn"),
    "volley_tough": (("each", "whole"), "each", "each"),
    "volley_second_down": (("two", "one"), "two", "two"),
    "bloodbath": (("keep", "add"), "keep", "keep"),
    "bloodbath_leftovers": (("dice", "none"), "dice", "dice"),
    "machine_armour_after_tough": (("minor_hit", "down"), "minor_hit", "minor_hit"),
    "no_effect_after_tough": (("always", "unmarked"), "always", "always"),
    "machine_armour_wearers": (("new-antioch", "any"), "new-antioch", "any"),
    "down_bonus": (("every-attack", "melee"), "every-attack", "melee"),
    "negative_modifier_cap": (("none", "before-positive", "after-adding"), "none", "before-positive"),
    "obstacle_on_down": ((False, True), False, True),
    "long_range": (("half-or-more", "beyond-half"), "half-or-more", "beyond-half"),
    "elevated": (("more-than", "at-least"), "more-than", "at-least"),
    "marker_keywords": (("each", "one"), "each", "each"),
    "declarations": (("target-first", "attacker-first"), "target-first", "target-first"),
}


@pytest.mark.parametrize("name", EDITIONS)
def test_options(name: str) -> None:
    options = edition(name).options
    assert list(options) == list(OPTIONS)
    for key, (values, *defaults) in OPTIONS.items():
        option = options[key]
        assert option.name == key
        assert tuple(option.values) == values
        assert option.default == defaults[EDITIONS.index(name)]
        assert type(option.default) is type(values[0])
        for text in (option.decides, option.source, option.reason, *option.values.values()):
            assert text.strip() == text
            assert text
        assert option.reason.endswith(".")
    assert len({option.decides for option in options.values()}) == len(options)


@pytest.mark.parametrize("name", EDITIONS)
def test_every_reading_can_be_given(name: str) -> None:
    rules = edition(name)
    defaults = rules.read_options({})
    assert defaults == {key: default[EDITIONS.index(name)] for key, (_, *default) in OPTIONS.items()}
    for key, (values, *_) in OPTIONS.items():
        for value in values:
            assert rules.read_options({key: value}) == {**defaults, key: value}


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"shot": "together"}, 'options: there is no option "shot"; did you mean "shots"?'),
        ({"Shots": "together"}, 'options: there is no option "Shots"; did you mean "shots"?'),
        (
            {"shots": "Together"},
            'options.shots: "Together" is given, together-ranged or together or in-turn is allowed',
        ),
        ({"shots": True}, "options.shots: true is given, together-ranged or together or in-turn is allowed"),
        ({"bloodbath": None}, "options.bloodbath: nothing is given, keep or add is allowed"),
        ({"bloodbath": ["keep"]}, "options.bloodbath: an array is given, keep or add is allowed"),
        ({"obstacle_on_down": "false"}, 'options.obstacle_on_down: "false" is given, false or true is allowed'),
        ({"obstacle_on_down": 0}, "options.obstacle_on_down: 0 is given, false or true is allowed"),
        ({"obstacle_on_down": 1.0}, "options.obstacle_on_down: 1.0 is given, false or true is allowed"),
    ],
)
def test_readings_there_are_not(given: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as error:
        edition("1.6.3").read_options(given)
    assert str(error.value).startswith(message)


def test_words_of_readings() -> None:
    assert [word(value) for value in ("keep", False, True)] == ["keep", "false", "true"]


#: What an option's reading sets to 1.
RULINGS = {
    ("volley_tough", "whole"): "tough_absorbs_volley",
    ("volley_second_down", "one"): "second_down_counts_as_first",
    ("bloodbath", "add"): "bloodbath_adds_flat_die",
    ("bloodbath_leftovers", "dice"): "bloodbath_leftovers",
    ("machine_armour_after_tough", "minor_hit"): "minor_hit_after_tough",
}


@pytest.mark.parametrize("name", EDITIONS)
def test_rulings(name: str) -> None:
    rules = edition(name)
    plain = {"bloodbath_leftovers", "minor_hit_after_tough"}
    for key, (values, *_) in OPTIONS.items():
        for value in values:
            expected = {ruling for (option, reading), ruling in RULINGS.items() if option != key and ruling in plain}
            expected |= {RULINGS[key, value]} if (key, value) in RULINGS else set()
            found = rulings(rules.read_options({key: value}))._asdict()
            assert {ruling for ruling, number in found.items() if number} == expected
            assert set(found.values()) <= {0, 1}


# --- keywords -----------------------------------------------------------------------------------------------

#: Keywords of the rules sheet that stand on models, weapons or armour (BLAST (X) as BLAST, NEGATE X by name).
BOTH = """\
ARTIFICIAL, ASSAULT, BLAST, BLOCK, CONSUMABLE, CRITICAL, CUMBERSOME, DEMONIC, ELITE, FEAR, FIRE, FIRETEAM,
GAS, GOLEM, GRENADE, HEAVY, IGNORE ARMOUR, INFILTRATOR, LEADER, NEGATE FEAR, NEGATE FIRE, NEGATE GAS, NEGATE
SHRAPNEL, RISKY, SHIELD COMBO, SHOTGUN, SHRAPNEL, SKIRMISHER, STRONG, TOUGH"""
RELEASED = """\
AMMUNITION, ARMOUR PIERCING, AUTOMATIC, BLESSED, CLEAVE, COVER, DEADLY, DEPLOYABLE, FLAMETHROWER, FLYING,
HELD, IGNORE COVER, IGNORE ELEVATED POSITION, IGNORE LONG RANGE, IGNORE OFF-HAND WEAPON, IMPERVIOUS, INFECTION
MARKERS, MINED, PISTOL, REGENERATE, RELOAD, SCATTER"""
SHEET = {
    name: {" ".join(keyword.split()) for keyword in text.split(",")}
    for name, text in (("1.6.3", f"{BOTH}, GOETIC"), ("1.0.2", f"{BOTH}, {RELEASED}"))
}
#: Keywords that a scenario may give an attack in any edition.
OF_ATTACKS = ["CRITICAL", "FIRE", "GAS", "SHRAPNEL", "DEADLY", "AUTO-HIT", "IGNORE ARMOUR", "ARMOUR PIERCING", "RISKY"]

#: Every keyword that changes dice in a scenario, with what it does there.
EFFECTS: dict[str, dict[str, Any]] = {
    "ARMOUR PIERCING": {"armour_piercing": True},
    "AUTO-HIT": {"auto_hit": True},
    "COVER": {"sets": "cover"},
    "CRITICAL": {"critical_injury_dice": 2},
    "DEADLY": {"injury_keep": 3},
    "DEMONIC": {"negates": "FIRE"},
    "FEAR": {"sets": "fear", "negates": "FEAR"},
    "FIRE": {"markers": 1},
    "FLAMETHROWER": {"auto_hit": True},
    "GAS": {"markers": 1},
    "BLOCK": {"sets": "block"},
    "GOLEM": {"negates": "FEAR GAS", "golem": True},
    "IGNORE ARMOUR": {"ignore_armour": True},
    "IGNORE COVER": {"ignores": "cover"},
    "IGNORE DEFENDED OBSTACLE": {"ignores": "defended_obstacle"},
    "IGNORE ELEVATED POSITION": {"ignores": "elevated"},
    "IGNORE LONG RANGE": {"ignores": "long_range"},
    "IGNORE OFF-HAND WEAPON": {"ignores": "off_hand"},
    "INFECTION MARKERS": {"infects": True},
    "NEGATE FEAR": {"negates": "FEAR"},
    "NEGATE FIRE": {"negates": "FIRE"},
    "NEGATE GAS": {"negates": "GAS"},
    "NEGATE SHRAPNEL": {"negates": "SHRAPNEL"},
    "REGENERATE": {"regenerates": True},
    "RISKY": {"risky": True},
    "SHOTGUN": {"long_range_injury_dice": -1, "ignores": "long_range"},
    "SHRAPNEL": {"markers": 1},
    "TOUGH": {"tough": True},
}
EFFECTS_OF_ONE: dict[str, dict[str, dict[str, Any]]] = {
    "1.6.3": {"GRENADE": {"ignores": "cover long_range"}},
    "1.0.2": {"IMPERVIOUS": {"unmodelled": "only armour given by its name can be neither ignored nor pierced"}},
}
#: No effect on dice by themselves: how often it may be used, and who wears Machine Armour to advantage.
COUNTED = {"1.6.3": {"GRENADE", "CONSUMABLE"}, "1.0.2": {"CONSUMABLE"}}


@pytest.mark.parametrize("name", EDITIONS)
def test_keywords_of_the_rules_sheet_exist(name: str) -> None:
    assert {name: len(keywords) for name, keywords in SHEET.items()} == {"1.6.3": 31, "1.0.2": 52}
    assert SHEET[name] - set(edition(name).keywords) == set()
    for text in OF_ATTACKS:
        assert edition(name).keyword(text, "attack")[0].name == text


@pytest.mark.parametrize("name", EDITIONS)
def test_effects_of_keywords(name: str) -> None:
    keywords = edition(name).keywords
    effects = {**EFFECTS, **EFFECTS_OF_ONE[name]}
    plain = {"text", "on", "number", "counted", "new_antioch", "with_charge"}
    for key, keyword in keywords.items():
        defaults = {field.name: field.default for field in fields(keyword)}
        found = {
            field: getattr(keyword, field)
            for field in defaults
            if field not in {"name", *plain} and getattr(keyword, field) != defaults[field]
        }
        assert found == effects.get(key, {}), key
        assert keyword.changes_dice is bool(found)
        assert (keyword.name, keyword.name.upper()) == (key, key)
        assert keyword.text.endswith(".")
        assert keyword.on in ("attack", "model", "any")
        assert keyword.number in ("none", "optional", "required")
    assert {key for key, keyword in keywords.items() if keyword.counted} == COUNTED[name]
    assert {key for key, keyword in keywords.items() if keyword.new_antioch} == {"NEW ANTIOCH"}


@pytest.mark.parametrize(
    ("text", "place", "name", "number"),
    [
        ("FIRE", "attack", "FIRE", 0),
        ("AUTO-HIT", "attack", "AUTO-HIT", 0),
        ("IGNORE OFF-HAND WEAPON", "model", "IGNORE OFF-HAND WEAPON", 0),
        ("IGNORE COVER", "attack", "IGNORE COVER", 0),
        ("ARMOUR PIERCING", "attack", "ARMOUR PIERCING", 1),
        ("ARMOUR PIERCING 1", "attack", "ARMOUR PIERCING", 1),
        ("ARMOUR PIERCING 20", "attack", "ARMOUR PIERCING", 20),
        ("ARMOUR PIERCING (2)", "attack", "ARMOUR PIERCING", 2),
        ("BLAST", "attack", "BLAST", 1),
        ("BLAST (3)", "attack", "BLAST", 3),
        ("CLEAVE 2", "attack", "CLEAVE", 2),
        ("REGENERATE 1", "model", "REGENERATE", 1),
        ("BLESSED 2", "model", "BLESSED", 2),
    ],
)
@pytest.mark.parametrize("edition_id", EDITIONS)
def test_keywords_are_read(edition_id: str, text: str, place: str, name: str, number: int) -> None:
    keyword, found = edition(edition_id).keyword(text, place)
    assert (keyword.name, found) == (name, number)


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("FIRES", "attack", 'there is no keyword for an attack in 1.6.3 "FIRES"; did you mean "FIRE"?'),
        ("fire", "attack", 'there is no keyword for an attack in 1.6.3 "fire"; did you mean "FIRE"?'),
        ("TUOGH", "model", 'there is no keyword for a model in 1.6.3 "TUOGH"; did you mean "TOUGH"?'),
        (" FIRE", "attack", 'there is no keyword for an attack in 1.6.3 " FIRE"; did you mean "FIRE"?'),
        ("FIRE\n", "attack", 'there is no keyword for an attack in 1.6.3 "FIRE?"; did you mean "FIRE"?'),
        ("", "attack", 'there is no keyword for an attack in 1.6.3 ""'),
        ("MINED", "model", 'there is no keyword for a model in 1.6.3 "MINED"'),
        ("FIRE", "model", "FIRE is a keyword of an attack, not of a model"),
        ("TOUGH", "attack", "TOUGH is a keyword of a model, not of an attack"),
        ("FIRE 2", "attack", 'FIRE takes no number, "FIRE 2" has one'),
        ("TOUGH (1)", "model", 'TOUGH takes no number, "TOUGH (1)" has one'),
        ("CLEAVE", "attack", "CLEAVE takes a number, as in CLEAVE 2"),
        ("REGENERATE", "model", "REGENERATE takes a number, as in REGENERATE 2"),
        ("ARMOUR PIERCING 0", "attack", 'ARMOUR PIERCING takes a number from 1, "ARMOUR PIERCING 0" has 0'),
        ("ARMOUR PIERCING -1", "attack", "there is no keyword for an attack"),
        ("ARMOUR PIERCING 100", "attack", "there is no keyword for an attack"),
        ("ARMOUR PIERCING (2", "attack", "there is no keyword for an attack"),
        ("ARMOUR PIERCING 2)", "attack", "there is no keyword for an attack"),
        ("ARMOUR PIERCING ٢", "attack", "there is no keyword for an attack"),
        ("ARMOUR PIERCING2", "attack", "there is no keyword for an attack"),
    ],
)
def test_keywords_there_are_not(text: str, place: str, message: str) -> None:
    with pytest.raises(InputError) as error:
        edition("1.6.3").keyword(text, place, "attacks[0].keywords[1]")
    assert str(error.value).startswith(f"attacks[0].keywords[1]: {message}")


# --- a new edition is one file ------------------------------------------------------------------------------


def changed(old: str, new: str) -> str:
    text = (FILES / "1.0.2.toml").read_text(encoding="utf-8").replace('id = "1.0.2"', 'id = "1.7"')
    assert text.count(old) == 1
    return text.replace(old, new)


@pytest.mark.parametrize("name", EDITIONS)
def test_reading_a_file_gives_the_edition(name: str) -> None:
    assert read_edition(FILES / f"{name}.toml") == edition(name)


def test_a_changed_copy_is_another_edition(tmp_path: Path) -> None:
    path = tmp_path / "1.7.toml"
    path.write_text(changed("out_of_action = 9", "out_of_action = 10"), encoding="utf-8")
    made = read_edition(path)
    assert (made.id, made.charts) == ("1.7", edition("1.0.2").charts._replace(out_of_action=10))
    assert made.charts.injury_result(9) == "down"
    assert made.keyword("FIRE", "attack")[0] == edition("1.0.2").keywords["FIRE"]
    assert made.read_options({}) == edition("1.0.2").read_options({})
    assert editions() == EDITIONS  # only tried, not added


@pytest.fixture
def added(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A folder of editions with one file more."""
    for name in EDITIONS:
        (tmp_path / f"{name}.toml").write_text((FILES / f"{name}.toml").read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "1.7.toml").write_text(changed("target_down = 1", "target_down = 3"), encoding="utf-8")
    monkeypatch.setattr(rules, "_folder", lambda: tmp_path)
    editions.cache_clear()
    rules._edition.cache_clear()
    yield
    monkeypatch.undo()
    editions.cache_clear()
    rules._edition.cache_clear()


@pytest.mark.usefixtures("added")
def test_an_edition_is_added_by_its_file_alone() -> None:
    """A scenario names it, and its +3 injury dice against a Down target make five dice, the best two of which count."""
    assert editions() == ("1.6.3", "1.7", "1.0.2")
    question = {
        "edition": "1.7",
        "target": {"down": True},
        "attacks": [{"kind": "melee", "keywords": ["AUTO-HIT"]}],
    }
    result = tcsim.odds(question)
    assert result.to_dict()["edition"] == "1.7"
    assert result.out_of_action == pytest.approx(0.805941, abs=5e-7)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("success = 7\n", "", "success is missing"),
        ("cost_down = 3\n", "", "cost_down is missing"),
        ("bloodbath = {", "bloodbaht = {", 'options: there is no option "bloodbaht"; did you mean "bloodbath"?'),
        ('default = "in-turn"', 'default = "one by one"', 'options: "one by one" is no reading of shots'),
        ('"FIRE" = { on = "attack"', '"FIRE" = { where = "attack"', "unexpected keyword argument 'where'"),
        ("[charts.injury]", "[charts.injury", "Expected"),
        ('id = "1.7"', 'id = "1.8"', 'the file of edition "1.8" has to be called 1.8.toml'),
    ],
)
def test_what_is_wrong_with_a_file_is_said(tmp_path: Path, old: str, new: str, message: str) -> None:
    path = tmp_path / "1.7.toml"
    path.write_text(changed(old, new), encoding="utf-8")
    with pytest.raises(InputError) as error:
        read_edition(path)
    assert str(error.value).startswith("1.7.toml: ")
    assert message in str(error.value)


def test_a_file_that_lacks_an_option(tmp_path: Path) -> None:
    text = re.sub(r"\nvolley_tough = .*\n", "\n", changed("title = ", "title = "))
    (tmp_path / "1.7.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=r"^1\.7\.toml: volley_tough is missing$"):
        read_edition(tmp_path / "1.7.toml")


def test_long_lists_of_names_are_cut() -> None:
    """A keyword that is like no other: the sentence names some, and says how many there are."""
    with pytest.raises(InputError) as caught:
        edition("1.6.3").keyword("QQQQQQ", "model", "target.keywords[0]")
    text = str(caught.value)
    assert len(text) < 450
    assert re.search(r", … \(\d+ in all\)$", text)
    assert some(["one", "two"]) == "one, two"
    assert some(f"name {n}" for n in range(100)).endswith(", … (100 in all)")
