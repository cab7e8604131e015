"""What a model may carry, who may buy it, what it costs: each rule in both editions, legal beside not legal.

Expected values come from the books' armoury tables and carry rules, named beside each case, never from the code.
"""

from __future__ import annotations

import csv
import json
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from tcsim.base.errors import InputError
from tcsim.catalog import catalog, shipped_warbands, warband
from tcsim.catalog.armoury import armoury
from tcsim.catalog.kit import kits_of
from tcsim.catalog.loadout import Checked, check
from tcsim.catalog.stipulations import read_unit_rule
from tcsim.catalog.warbands import read_loadouts
from tcsim.cli import main

EDITIONS = ("1.6.3", "1.0.2")
DATA = files("tcsim.catalog") / "data"


def model(edition: str, unit: str, faction: str = "new-antioch", **kit: Any) -> Checked:
    """Check one model."""
    [one] = read_loadouts({"edition": edition, "faction": faction, "unit": unit, **kit})
    return check(one)


def rules(checked: Checked) -> set[str]:
    return {breach.rule for breach in checked.breaches}


# --- what a model may carry ---------------------------------------------------------------------------------

SHOCK = {"1.6.3": "new-antioch-shocktrooper", "1.0.2": "new-antioch-shock-trooper"}
HEAVY = {"1.6.3": "new-antioch-mechanised-heavy-infantry", "1.0.2": "new-antioch-mechanized-heavy-infantry"}

#: What, unit, its kit, and the rules it breaks. Both editions: two hands for melee, two for range, each on its own
#: (1.6.3, playtest armoury: weapons a model carries; 1.0.2, rulebook: Battlekit Limits).
BOTH: list[tuple[str, str, dict[str, list[str]], set[str]]] = [
    ("two one-handed melee weapons", "plain", {"melee": ["sword-axe", "trench-club"]}, set()),
    ("three of them", "plain", {"melee": ["sword-axe", "trench-club", "trench-club"]}, {"hands-melee"}),
    ("a two-handed and a one-handed one", "plain", {"melee": ["great-hammer-maul", "sword-axe"]}, {"hands-melee"}),
    ("two rifles", "plain", {"ranged": ["bolt-action-rifle", "shotgun"]}, {"hands-ranged"}),
    ("two pistols", "plain", {"ranged": ["pistol", "pistol"]}, set()),
    ("a rifle and a pistol", "plain", {"ranged": ["bolt-action-rifle", "pistol"]}, {"hands-ranged"}),
    ("a rifle, and two hands for melee", "plain", {"ranged": ["shotgun"], "melee": ["great-sword-axe"]}, set()),
    # a shield takes a hand in both ways of fighting
    (
        "shield, pistol and sword",
        "plain",
        {"ranged": ["pistol"], "melee": ["sword-axe"], "armour": ["trench-shield"]},
        set(),
    ),
    ("shield and two swords", "plain", {"melee": ["sword-axe"] * 2, "armour": ["trench-shield"]}, {"hands-melee"}),
    ("shield and two pistols", "plain", {"ranged": ["pistol"] * 2, "armour": ["trench-shield"]}, {"hands-ranged"}),
    # SHIELD COMBO, of the shield and of the two-handed weapon
    ("shield and polearm", "plain", {"melee": ["polearm"], "armour": ["trench-shield"]}, set()),
    ("shield and shotgun", "plain", {"ranged": ["shotgun"], "armour": ["trench-shield"]}, set()),
    (
        "shield and rifle",
        "plain",
        {"ranged": ["bolt-action-rifle"], "armour": ["trench-shield"]},
        {"shield-two-handed"},
    ),
    (
        "shield and greatsword",
        "plain",
        {"melee": ["great-sword-axe"], "armour": ["trench-shield"]},
        {"shield-two-handed"},
    ),
    # one HEAVY item, unless STRONG
    ("two HEAVY weapons", "plain", {"ranged": ["heavy-shotgun"], "melee": ["great-sword-axe"]}, {"heavy"}),
    ("two HEAVY weapons, STRONG", "strong", {"ranged": ["heavy-shotgun"], "melee": ["great-sword-axe"]}, set()),
    # STRONG: nothing for ranged weapons
    ("machine gun and pistol, STRONG", "strong", {"ranged": ["machine-gun", "pistol"]}, {"hands-ranged"}),
    # ... and a two-handed melee weapon in one hand
    ("greatsword and shield, STRONG", "strong", {"melee": ["great-sword-axe"], "armour": ["trench-shield"]}, set()),
    ("greatsword and sword, STRONG", "strong", {"melee": ["great-sword-axe", "sword-axe"]}, set()),
    (
        "greatsword and two swords, STRONG",
        "strong",
        {"melee": ["great-sword-axe", "sword-axe", "sword-axe"]},
        {"hands-melee"},
    ),
    # bayonets
    ("bayonet on a rifle", "plain", {"ranged": ["bolt-action-rifle"], "melee": ["bayonet"]}, set()),
    ("bayonet on a pistol", "plain", {"ranged": ["pistol"], "melee": ["bayonet"]}, {"bayonet-lug"}),
    # what is worn
    (
        "a shield more",
        "plain",
        {"armour": ["trench-shield", "heavy-ballistic-shield"]},
        {"shield", "only"},
    ),
    ("helmet and gas mask", "plain", {"equipment": ["combat-helmet", "gas-mask"]}, set()),
    ("two medi-kits", "plain", {"equipment": ["medi-kit", "medi-kit"]}, {"same-equipment"}),
    # one type of grenade; satchel charges: one per model
    ("two types of grenades", "plain", {"grenades": ["frag-grenades", "incendiary-grenades"]}, {"grenades"}),
    ("two satchel charges", "plain", {"grenades": ["satchel-charge", "satchel-charge"]}, {"limit", "heavy"}),
    # a flag takes a hand always
    ("flag and two-handed weapon", "plain", {"melee": ["polearm"], "equipment": ["troop-flag"]}, {"hands-melee"}),
    ("flag and sword", "plain", {"melee": ["sword-axe"], "equipment": ["troop-flag"]}, set()),
    # the entry of the unit: armour comes with it, and no other may be had
    ("a second suit of armour", "strong", {"armour": ["standard-armour"]}, {"body", "unit"}),
    ("its own armour named", "strong", {"armour": ["reinforced-armour"]}, set()),
]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("what", "unit", "kit", "broken"), BOTH, ids=[case[0] for case in BOTH])
def test_what_a_model_carries(edition: str, what: str, unit: str, kit: dict[str, list[str]], broken: set[str]) -> None:
    units = SHOCK if unit == "plain" else HEAVY
    checked = model(edition, units[edition], **kit)
    if what == "two satchel charges" and edition == "1.0.2":  # nor does it need two of any grenade
        broken = broken | {"grenade-copies"}
    assert rules(checked) == broken
    assert checked.legal is (not broken)


def test_strong_and_cumbersome() -> None:
    """1.6.3 (source text): STRONG ignores CUMBERSOME and has a hand for a shield; 1.0.2: CUMBERSOME stays two-handed.

    A Lochaber axe is CUMBERSOME and has no SHIELD COMBO.
    """
    kit = {"melee": ["lochaber-axe"], "armour": ["trench-shield"]}
    units = {name: unit.replace("antioch-", "antioch-alba-") for name, unit in HEAVY.items()}
    one, other = (model(name, units[name], "new-antioch-alba", **kit) for name in EDITIONS)
    assert one.legal
    assert rules(other) == {"shield-two-handed"}


def test_strong_holds_how_many() -> None:
    """1.6.3 (source text): one HEAVY melee weapon in each hand. 1.0.2 (STRONG): one of them in one hand."""
    kit = {"melee": ["great-sword-axe", "great-hammer-maul"]}
    assert model("1.6.3", HEAVY["1.6.3"], **kit).legal
    assert rules(model("1.0.2", HEAVY["1.0.2"], **kit)) == {"hands-melee"}


def test_bayonets_count() -> None:
    """1.6.3 (playtest, Bayonet): it does not count towards melee weapons. 1.0.2 has no such words."""
    kit = {"ranged": ["bolt-action-rifle"], "melee": ["bayonet", "sword-axe"]}
    assert model("1.6.3", "Yeoman", **kit).legal
    assert rules(model("1.0.2", "Yeoman", **kit)) == {"hands-melee"}


def test_grenades_are_counted() -> None:
    """1.6.3 (source text, GRENADE): as many attacks as are carried. 1.0.2: one purchase is enough for every turn."""
    kit = {"grenades": ["frag-grenades", "frag-grenades"]}
    assert model("1.6.3", "Yeoman", **kit).cost() == 30 + 2 * 7
    assert rules(model("1.0.2", "Yeoman", **kit)) == {"grenade-copies"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_machine_armour_and_shields(edition: str) -> None:
    """1.6.3 (source text): no shield's effect is added to machine armour's; 1.0.2: no Trench Shield."""
    assert model(edition, "Lieutenant", armour=["machine-armour"]).legal
    assert rules(model(edition, "Lieutenant", armour=["machine-armour", "trench-shield"])) == {"armour-shield"}
    # the Heavy Ballistic Shield is for machine armour only (armoury tables of both)
    assert model(edition, "Lieutenant", armour=["machine-armour", "heavy-ballistic-shield"]).legal
    assert rules(model(edition, "Lieutenant", armour=["standard-armour", "heavy-ballistic-shield"])) == {"only"}


#: Stipulations of the armoury tables, the same in both editions: faction, unit that may, unit that may not, kit.
ONLY = [
    ("new-antioch", "Lieutenant", "Yeoman", {"ranged": ["automatic-pistol"]}),
    ("new-antioch", "Lieutenant", "Yeoman", {"armour": ["reinforced-armour"]}),
    ("trench-pilgrims", "Castigator", "Trench Pilgrim", {"melee": ["anti-tank-hammer"]}),
    ("iron-sultanate", "Janissary", "Azeb", {"ranged": ["sniper-rifle"]}),
    ("iron-sultanate", "Sultanate Assassin", "Jabirean Alchemist", {"melee": ["assassins-dagger"]}),
    ("iron-sultanate", "Jabirean Alchemist", "Janissary", {"grenades": ["incendiary-grenades"]}),
    ("heretic-legions", "Death Commando", "Heretic Priest", {"melee": ["tartarus-claws"]}),
    ("heretic-legions", "Heretic Priest", "Heretic Trooper", {"melee": ["sacrificial-blade"]}),
    ("black-grail", "Corpse Guard", "Herald of Beelzebub", {"ranged": ["viscera-cannon"]}),
    ("court", "Praetor", "Yoke Fiend", {"ranged": ["ophidian-rifle"]}),
]


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize(("faction", "may", "may_not", "kit"), ONLY)
def test_who_may_have_it(edition: str, faction: str, may: str, may_not: str, kit: dict[str, list[str]]) -> None:
    assert model(edition, may, faction, **kit).legal
    assert rules(model(edition, may_not, faction, **kit)) == {"only"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_alchemical_ammunition_goes_with_its_guns(edition: str) -> None:
    assert model(edition, "Azeb", "iron-sultanate", ranged=["jezzail"], equipment=["alchemical-ammunition"]).legal
    wrong = model(edition, "Azeb", "iron-sultanate", ranged=["musket"], equipment=["alchemical-ammunition"])
    assert rules(wrong) == {"only"}


@pytest.mark.parametrize("edition", EDITIONS)
def test_factions_buy_their_own(edition: str) -> None:
    [breach] = model(edition, "Yeoman", ranged=["jezzail"]).breaches
    assert breach.rule == "faction"
    assert "iron-sultanate" in breach.text
    assert breach.source.startswith(edition)


# --- the entries of units -----------------------------------------------------------------------------------

#: Edition, faction, unit, kit, legal: what an entry says of its kit.
ENTRIES: list[tuple[str, str, str, dict[str, list[str]], bool]] = [
    ("1.6.3", "black-grail", "Grail Thrall", {"natural": ["pummel"]}, True),
    ("1.6.3", "black-grail", "Grail Thrall", {"melee": ["trench-club"]}, False),  # no kit
    ("1.0.2", "black-grail", "Plague Knight", {"melee": ["sword-axe"]}, False),  # must wear armour
    ("1.0.2", "black-grail", "Plague Knight", {"armour": ["standard-armour"]}, True),
    ("1.0.2", "court", "Wretched", {"melee": ["trench-club"]}, True),
    ("1.0.2", "court", "Wretched", {}, False),  # at least one weapon
    ("1.0.2", "court", "Wretched", {"melee": ["great-sword-axe"]}, False),  # 12 ducats, items of 10 or less
    ("1.6.3", "court", "Yoke Fiend", {"ranged": ["flamethrower"]}, True),  # 30 ducats, of 30 or less
    ("1.6.3", "court", "Yoke Fiend", {"ranged": ["serpent-assault-gun"]}, False),  # 50
    ("1.6.3", "court", "Yoke Fiend", {"ranged": ["pistol", "pistol"]}, False),  # one ranged weapon
    ("1.6.3", "court", "Sorcerer", {"ranged": ["pistol"]}, False),  # no ranged weapons
    ("1.0.2", "court", "Hunter of the Left-Hand Path", {"melee": ["great-sword-axe"]}, False),  # none two-handed
    ("1.0.2", "court", "Hunter of the Left-Hand Path", {"melee": ["sword-axe"]}, True),
    ("1.6.3", "court", "Desecrated Saint", {"melee": ["sword-axe", "sword-axe", "great-sword-axe"]}, True),
    ("1.6.3", "court", "Desecrated Saint", {"melee": ["sword-axe", "polearm", "great-sword-axe"]}, False),
    ("1.6.3", "court", "Desecrated Saint", {"melee": ["sword-axe"] * 4}, False),
    ("1.6.3", "heretic-legions", "Death Commando", {"ranged": ["silenced-pistol"]}, True),
    ("1.6.3", "heretic-legions", "Death Commando", {"ranged": ["pistol"]}, False),
    ("1.6.3", "heretic-legions", "Death Commando", {"grenades": ["frag-grenades"]}, False),  # only Gas
    ("1.0.2", "trench-pilgrims", "Stigmatic Nun", {"ranged": ["automatic-pistol"]}, True),
    ("1.0.2", "trench-pilgrims", "Stigmatic Nun", {"ranged": ["shotgun"]}, False),
    ("1.6.3", "new-antioch", "Combat Medic", {"equipment": ["gas-mask", "medi-kit"], "melee": ["misericordia"]}, True),
    ("1.6.3", "new-antioch", "Combat Medic", {"melee": ["sword-axe"]}, False),  # nothing else
    ("1.0.2", "new-antioch", "Combat Medic", {"ranged": ["pistol"]}, True),  # anything but armour
    ("1.0.2", "iron-sultanate", "Brazen Bull", {"melee": ["titan-zulfiqar"]}, True),
    ("1.0.2", "iron-sultanate", "Brazen Bull", {"melee": ["sword-axe"]}, False),  # only HEAVY weapons
    ("1.0.2", "iron-sultanate", "Lion of Jabir", {"armour": ["standard-armour"]}, True),
    ("1.0.2", "iron-sultanate", "Lion of Jabir", {"armour": ["trench-shield"]}, False),  # no shield
    # six arms: two HEAVY weapons take one hand each, and four hands are left
    ("1.0.2", "black-grail", "Amalgam", {"melee": ["great-sword-axe"] * 2 + ["polearm"] * 2}, True),
    ("1.0.2", "black-grail", "Amalgam", {"melee": ["great-sword-axe"] + ["polearm"] * 2 + ["sword-axe"] * 2}, False),
    ("1.0.2", "black-grail", "Amalgam", {"melee": ["trench-club"] * 3}, False),  # no weapon more than twice
    # attacks without weapons are the unit's own
    ("1.6.3", "new-antioch", "Yeoman", {"natural": ["great-sword-axe"]}, False),
]  # fmt: skip


@pytest.mark.parametrize(("edition", "faction", "unit", "kit", "legal"), ENTRIES)
def test_entries_of_units(edition: str, faction: str, unit: str, kit: dict[str, list[str]], legal: bool) -> None:
    checked = model(edition, unit, faction, **kit)
    assert checked.legal is legal, checked.breaches
    assert all(breach.rule == "unit" for breach in checked.breaches)


def test_fixed_kit_is_paid_with_the_unit() -> None:
    """A Combat Medic is 65 ducats with armour, mask, medi-kit and misericordia, named or not (both books)."""
    named = {"armour": ["standard-armour"], "equipment": ["gas-mask", "medi-kit"], "melee": ["misericordia"]}
    for edition in EDITIONS:
        assert model(edition, "Combat Medic").cost() == model(edition, "Combat Medic", **named).cost() == 65


def test_options_cost_and_give_keywords() -> None:
    """Zealot Strength: STRONG for 5 ducats (both books)."""
    kit = {"melee": ["great-sword-axe"], "armour": ["trench-shield"]}
    for edition in EDITIONS:
        assert rules(model(edition, "Castigator", "trench-pilgrims", **kit)) == {"shield-two-handed"}
        strong = model(edition, "Castigator", "trench-pilgrims", upgrades=["Zealot Strength"], **kit)
        assert strong.legal
        assert strong.cost() == 50 + 12 + 10 + 5
        assert rules(model(edition, "War Prophet", "trench-pilgrims", upgrades=["Zealot Strength"])) == {"only"}
    # Goetic powers are of a sin: Charm of Acedia, 10 ducats in 1.6.3, 15 in 1.0.2
    for edition, ducats in (("1.6.3", 10), ("1.0.2", 15)):
        assert model(edition, "Sorcerer", "court-sloth", upgrades=["Charm of Acedia"]).cost() == 75 + ducats
        assert rules(model(edition, "Sorcerer", "court-wrath", upgrades=["Charm of Acedia"])) == {"faction"}
    # options that are abilities: Plague Almoner is 10 ducats, and for Plague Knights (units' abilities)
    knight = model("1.6.3", "Plague Knight", "black-grail", armour=["standard-armour"], upgrades=["Plague Almoner"])
    assert (knight.legal, knight.cost()) == (True, 60 + 15 + 10)
    assert rules(model("1.6.3", "Corpse Guard", "black-grail", upgrades=["Plague Almoner"])) == {"only"}
    # a Praetor has two powers, one where the sin is Wrath
    two = {"upgrades": ["Lesser Mark of Cain", "Blind Rage"]}
    assert rules(model("1.0.2", "Praetor", "court-wrath", **two)) == {"unit"}


# --- prices -------------------------------------------------------------------------------------------------


def test_prices_by_faction() -> None:
    """Alba buys greatswords for 7 ducats, others for 12; a sniper rifle is 35 ducats, or 2 glory for pilgrims."""
    assert model("1.6.3", "Yeoman", melee=["great-sword-axe"]).cost() == 30 + 12
    unit = HEAVY["1.6.3"].replace("antioch-", "antioch-alba-")
    assert model("1.6.3", unit, "new-antioch-alba", melee=["great-sword-axe"]).cost() == 85 + 7
    pilgrim = model("1.0.2", "Trench Pilgrim", "trench-pilgrims", ranged=["sniper-rifle"])
    assert (pilgrim.cost(), pilgrim.cost("glory")) == (30, 2)
    assert model("1.6.3", "Yeoman", ranged=["bolt-action-rifle"]).cost() == 30 + 5  # recruited with one, at 5


@pytest.mark.parametrize("edition", EDITIONS)
def test_bills_add_up(edition: str) -> None:
    for one in shipped_warbands(edition):
        checked = check(one)
        lines = [(kit.model.count, price.amount) for kit in checked.kits for _, price in kit.bill]
        assert sum(count * amount for count, amount in lines) == checked.cost()


def test_a_listed_cost_that_does_not_match_is_said() -> None:
    [one] = read_loadouts({"faction": "new-antioch", "unit": "Yeoman", "cost_each": 33})
    assert check(one).legal
    assert check(one).notes == ("Yeoman costs 30 ducats, cost_each says 33.",)


# --- warbands -----------------------------------------------------------------------------------------------

#: What the table of starting warbands says: models, ELITE, ducats by edition (1.6.3, 1.0.2).
SHIPPED = {
    "na-line": (8, 3, 697, 697),
    "na-assault": (9, 1, 692, 692),
    "tp-procession": (10, 3, 695, 695),
    "tp-shrine": (10, 2, 689, 689),
    "is-elite": (7, 3, 694, 694),
    "is-beasts": (11, 1, 696, 696),
    "hl-gunline": (8, 2, 692, 692),
    "hl-monsters": (8, 2, 683, 698),
    "bg-lord": (12, 3, 699, 699),
    "bg-amalgam": (9, 3, 696, 696),
    "court-wrath": (10, 2, 695, 695),
    "court-sloth": (8, 3, 689, 694),
}


@pytest.mark.parametrize("edition", EDITIONS)
@pytest.mark.parametrize("id", SHIPPED)
def test_shipped_warbands_are_legal(id: str, edition: str) -> None:
    number, elite, *ducats = SHIPPED[id]
    checked = check(warband(id, edition))
    assert checked.breaches == ()
    assert checked.notes == ()  # every listed cost is right, and all was checked
    assert (checked.number, checked.elite, checked.cost(), checked.cost("glory")) == (
        number,
        elite,
        ducats[EDITIONS.index(edition)],
        0,
    )


@pytest.mark.parametrize("edition", EDITIONS)
def test_those_are_all(edition: str) -> None:
    assert {one.id for one in shipped_warbands(edition)} == set(SHIPPED)


def changed(id: str, edition: str, change: Any) -> Checked:
    """Check a shipped warband after a change of its plain data."""
    data = tomllib.loads((DATA / f"warbands-{edition}.toml").read_text(encoding="utf-8"))
    [one] = [entry for entry in data["warband"] if entry["id"] == id]
    change(one)
    return check(read_loadouts({"warband": [one]})[0])


@pytest.mark.parametrize("edition", EDITIONS)
def test_what_a_warband_breaks(edition: str) -> None:
    def more(index: int, count: int) -> Any:
        return lambda one: one["model"][index].update(count=count)

    def without(index: int) -> Any:
        return lambda one: one["model"].pop(index)

    # budget: 700 ducats for a new campaign (both books), or what the file says
    assert rules(changed("na-line", edition, more(5, 3))) == {"budget"}
    assert changed("na-line", edition, lambda one: (more(5, 3)(one), one.update(budget=1000))).legal
    # a warband must have its leader: one Lieutenant; Lord of Tumours or Plague Knight; Praetor or Sorcerer
    assert rules(changed("na-line", edition, without(0))) == {"unit"}
    assert rules(changed("court-wrath", edition, without(0))) == {"unit"}
    # at most 2 Sniper Priests; 3 sniper rifles
    assert rules(changed("na-line", edition, lambda one: (more(1, 3)(one), one.update(budget=1000)))) == {"unit"}
    # more than 6 ELITE: 3 + 4
    snipers = changed("na-line", edition, lambda one: (more(1, 5)(one), one.update(budget=2000)))
    assert rules(snipers) == {"unit", "elite", "limit"}
    # Wretched: fewer than the DEMONIC models, 7 of them beside the 3
    assert changed("court-wrath", edition, lambda one: (more(5, 6)(one), one.update(budget=1000))).legal
    assert rules(changed("court-wrath", edition, lambda one: (more(5, 7)(one), one.update(budget=1000)))) == {"unit"}
    # Legionnaires: no more than Troopers, of whom there are 4
    assert changed("hl-gunline", edition, lambda one: (more(3, 4)(one), one.update(budget=1000))).legal
    assert rules(changed("hl-gunline", edition, lambda one: (more(3, 5)(one), one.update(budget=2000)))) == {"unit"}
    # with a Lord of Tumours 2 Plague Knights, without him 3
    knights = changed("bg-lord", edition, lambda one: (more(1, 3)(one), one.update(budget=2000)))
    assert "unit" in rules(knights)
    assert "unit" not in rules(changed("bg-lord", edition, lambda one: (more(1, 3)(one), without(0)(one))))


def test_units_of_others() -> None:
    assert rules(model("1.6.3", "black-grail-amalgam", "court")) == {"unit"}
    # Alba's Lieutenant is another row, and only Alba's
    assert rules(model("1.6.3", "new-antioch-alba-lieutenant")) == {"unit"}
    assert rules(model("1.6.3", "new-antioch-lieutenant", "new-antioch-alba")) == {"unit"}
    assert model("1.6.3", "Lieutenant", "new-antioch-alba").kits[0].unit.id == "new-antioch-alba-lieutenant"


# --- the tables ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["equipment", "stipulations", "unit_kit", "upgrades"])
def test_tables_name_what_there_is(name: str) -> None:
    rows = list(csv.DictReader((DATA / f"{name}.csv").read_text(encoding="utf-8").splitlines()))
    assert {row["edition"] for row in rows} == set(EDITIONS)
    for row in rows:
        assert None not in row
        tables, rows_of = armoury(row["edition"]), catalog(row["edition"])
        if name == "unit_kit":
            assert row["id"] in {unit.id for unit in rows_of.units}
            for id in filter(None, f"{row['fixed']};{row['natural']}".split(";")):
                assert tables.by_id(id).id == id
            for text in filter(None, row["rules"].split(";")):
                assert read_unit_rule(text).text == text
        if name == "stipulations":
            assert tables.by_id(row["id"]).id == row["id"]
            assert tables.faction(row["faction"]).name == row["faction"]
        for faction in filter(None, row.get("factions", "").split(";")):
            assert tables.faction(faction).name == faction


def test_no_rule_of_a_unit_is_passed_over() -> None:
    """A unit whose entry is not in the tables says so; one that is in them has armour that its row has too."""
    for edition in EDITIONS:
        tables = armoury(edition)
        for unit in catalog(edition).units:
            if unit.id in tables.kits:
                assert set(unit.armour_ids) <= set(tables.kits[unit.id].fixed)
    notes = model("1.0.2", "mercenaries-mamluk-faris").notes
    assert notes[0].startswith("Not checked, Mamluk Faris: New Antioch, Iron Sultanate; fixed: ")
    with pytest.raises(InputError, match="is no rule of a unit's kit"):
        read_unit_rule("no Swords")


# --- input that cannot be read ------------------------------------------------------------------------------

WRONG: list[tuple[Any, str]] = [
    ([], "a loadout is a table, an array is given"),
    ({}, "a loadout has a unit, or [[warband]] tables; there is neither"),
    ({"unit": "Yeoman"}, "faction: it is missing"),
    ({"unit": "Yeoman", "faction": "new-antoch"}, 'there is no faction "new-antoch"; did you mean "new-antioch"'),
    ({"unit": "Yoeman", "faction": "new-antioch"}, 'did you mean "Yeoman"?'),
    ({"unit": "Yeoman", "faction": "new-antioch", "melee": ["sord"]}, "melee[0]: there is no weapon"),
    ({"unit": "Yeoman", "faction": "new-antioch", "melee": ["hellblad"]}, 'did you mean "Hellblade"?'),
    ({"unit": "Yeoman", "faction": "new-antioch", "melee": ["shotgun"]}, "stands under ranged, not under melee"),
    ({"unit": "Yeoman", "faction": "new-antioch", "ranged": ["frag-grenades"]}, "stands under grenades"),
    ({"unit": "Yeoman", "faction": "new-antioch", "equipment": ["medikit"]}, 'did you mean "Medi-kit"?'),
    ({"unit": "Yeoman", "faction": "new-antioch", "upgrades": ["zealot strenght"]}, 'did you mean "Zealot Strength"?'),
    ({"unit": "Yeoman", "faction": "new-antioch", "mele": []}, 'there is no field "mele"; did you mean "melee"?'),
    ({"unit": "Yeoman", "faction": "new-antioch", "melee": "sword-axe"}, "an array of names is allowed"),
    ({"unit": "Yeoman", "faction": "new-antioch", "count": 0}, "count: 0 is given, a whole number from 1 to 100"),
    ({"unit": "Yeoman", "faction": "new-antioch", "count": True}, "count: true is given"),
    ({"unit": "Yeoman", "faction": "new-antioch", "edition": "1.6"}, 'there is no edition "1.6"'),
    ({"warband": []}, "warband: an array of tables"),
    ({"warband": [{"faction": "court"}]}, "warband[0].model: an array of tables"),
    ({"warband": [{"faction": "court", "model": [{}]}]}, "warband[0].model[0].unit: it is missing"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "message"), WRONG)
def test_wrong_input_is_one_sentence(data: Any, message: str) -> None:
    with pytest.raises(InputError) as error:
        [check(one) for one in read_loadouts(data)]
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_unknown_warband() -> None:
    with pytest.raises(InputError, match='did you mean "na-line"'):
        warband("na-lime")


# --- the command line ---------------------------------------------------------------------------------------

MODEL = """
edition = "1.0.2"
faction = "new-antioch"
unit = "Yeoman"
ranged = ["Bolt-Action Rifle"]
melee = ["Bayonet", "Sword/Axe"]
"""


def test_check_tells_legal_from_not_legal(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "yeoman.toml"
    file.write_text(MODEL, encoding="utf-8")
    assert main(["catalog", "check", str(file)]) == 1
    shown = capsys.readouterr().out
    assert shown.startswith("not legal, 1 rule is broken   41 ducats\n")
    assert "take 3 hands, and there are 2" in " ".join(shown.split())
    assert "(1.0.2, rulebook: Battlekit Limits)" in " ".join(shown.split())
    file.write_text(MODEL.replace("1.0.2", "1.6.3"), encoding="utf-8")
    assert main(["catalog", "check", str(file), "--json"]) == 0
    [one] = json.loads(capsys.readouterr().out)["loadouts"]
    assert (one["legal"], one["ducats"], one["breaches"]) == (True, 30 + 5 + 2 + 4, [])


def test_check_names_every_broken_rule(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "all.json"
    kit = {"ranged": ["jezzail"], "melee": ["polearm", "polearm"], "equipment": ["medi-kit", "medi-kit"]}
    file.write_text(json.dumps({"faction": "new-antioch", "unit": "Yeoman", **kit}), encoding="utf-8")
    assert main(["catalog", "check", str(file), "--json"]) == 1
    [one] = json.loads(capsys.readouterr().out)["loadouts"]
    assert [breach["rule"] for breach in one["breaches"]] == ["hands-melee", "same-equipment", "faction"]


def test_check_cannot_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog", "check", str(tmp_path / "none.toml")]) == 2
    assert main(["catalog", "check", "na-lime"]) == 2
    file = tmp_path / "wrong.toml"
    file.write_text('faction = "court"\nunit = "Preator"\n', encoding="utf-8")
    assert main(["catalog", "check", str(file)]) == 2
    assert capsys.readouterr().err.endswith('did you mean "Praetor"?\n')


@pytest.mark.parametrize("command", [["catalog", "check"], ["matchup", "na-line"]])
def test_errors_name_the_file(command: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of names that are looked up later too, and of a file of another edition than the one that is asked for."""
    file = tmp_path / "mine.toml"
    file.write_text('faction = "court"\nunit = "Praetor"\nmelee = ["Sord / Axe"]\n', encoding="utf-8")
    assert main([*command, str(file)]) == 2
    assert capsys.readouterr().err.startswith("tcsim: mine.toml: melee[0]: ")
    file.write_text('edition = "1.6.3"\nfaction = "court"\nunit = "Praetor"\n', encoding="utf-8")
    assert main([*command, str(file), "--edition", "1.0.2"]) == 2
    assert capsys.readouterr().err == "tcsim: mine.toml: it is of 1.6.3, --edition says 1.0.2\n"


def test_warbands_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["catalog", "warbands", "--edition", "1.0.2", "--json"]) == 0
    assert {one["id"] for one in json.loads(capsys.readouterr().out)} == set(SHIPPED)
    assert main(["catalog", "warbands"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + len(SHIPPED)
    assert max(map(len, lines)) <= 80


def test_kits_hold_what_the_unit_comes_with() -> None:
    wolf = kits_of(read_loadouts({"faction": "heretic-legions", "unit": "War Wolf Assault Beast"})[0])[0]
    assert [weapon.id for weapon in wolf.weapons("melee")] == ["chainsaw-mouth", "shredding-claws"]


@pytest.mark.parametrize("sign", ["\ud800", "\x1b", "\u202e", "\n"])
def test_names_of_warbands_can_be_printed(sign: str) -> None:
    """Half characters, terminal escapes and what turns a line round are refused with a sentence."""
    given = {"id": f"a{sign}b", "faction": "new-antioch", "unit": "Yeoman"}
    with pytest.raises(InputError, match="that can be printed is allowed"):
        read_loadouts(given, "x")
