"""Age of Sigmar: what casting, prayers and heroic actions refuse, and choices against every other way to choose."""

from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from tcsim.aos import AOS, ask
from tcsim.aos.magic.casting import Phase, Spell
from tcsim.aos.magic.ritual import Ritual
from tcsim.base.errors import InputError
from tcsim.questions.asking import ask as ask_any

REFUSED: list[tuple[str, str, dict[str, Any], str]] = [
    # what the rules forbid, and which rule does
    ("cast", "3e", {"cv": "5+6", "spells": "Arcane Bolt+arcane  bolt"}, r"given twice; .*once per phase.*2-1c"),
    ("unbind", "3e", {"cv": "5+6", "spells": "x+X"}, r"once per phase.*2-1c"),
    ("unbind", "4e", {"cv": 5, "distance": "30.5"}, r'30\.5" is given; .*within 30 inches'),
    ("arcane_bolt", "3e", {"distance": 13}, "reaches 12 inches"),
    ("prayer", "3e", {"av": "4+4", "prayers": "Bless+bless"}, r"once per phase.*2-2c"),
    ("smite", "3e", {"priest": False}, "only for an enemy PRIEST"),
    ("smite", "3e", {"distance": 49}, "reaches 48 inches"),
    ("dispel", "3e", {"cv": 7, "attempts": 2}, r"one attempt.*1-4"),
    ("dispel", "3e", {"cv": 7, "distance": 31}, "within 30 inches"),
    ("banish_invocation", "3e", {"av": 4, "priest": False}, r"only a PRIEST.*1-4"),
    ("banish_invocation", "3e", {"av": 4, "distance": 49}, "within 48 inches"),
    ("banish_manifestation", "4e", {"value": 7, "attempts": 3}, "one attempt"),
    ("summon_endless", "3e", {"cv": 7, "removed_now": True}, r"removed this turn.*2-3a"),
    ("summon_invocation", "3e_launch", {"av": 3, "removed_now": True}, "removed this turn"),
    ("heroic_willpower", "3e", {"cv": 7, "wizard": True}, r"is a WIZARD.*1-2"),
    ("heroic_recovery", "3e", {"bravery": 7, "enemy_distance": 3}, r'3" is given.*more than 3".*1-2'),
    ("heroic_action", "3e", {"bravery": 7, "enemy_distance": "2.5"}, 'more than 3"'),
    ("heroic_action", "3e", {"cv": 7, "wizard": True}, "is a WIZARD"),
    ("heroic_action", "3e", {"finest_worth": 1, "finest_used": True}, "once per hero and battle"),
    ("predatory", "3e", {"spells": "Sun:A1:31+Jaws:A1:4", "choice": "Sun"}, r'31" away.*within 30 inches.*3-2'),
    ("predatory", "3e", {"spells": "Sun:A1:slain", "choice": "Sun"}, "summoner is slain"),
    ("predatory", "3e", {"spells": "Sun:A1:3:stays", "choice": "Sun"}, "not predatory"),
    ("predatory", "3e", {"spells": "Sun:A1:3+Jaws:A1:4", "choice": "Sun+Jaws"}, r"controls one.*3-2"),
    # what contradicts itself, or says nothing
    ("cast", "3e", {"cv1": 5}, "cv1 and cv2"),
    ("cast", "3e", {"cv": 5, "cv1": 5, "cv2": 6}, "cv1 and cv2"),
    ("cast", "3e", {"cv": "5+6", "wizards": "1+2"}, "cast 3 spells, and 2"),
    ("cast", "3e", {"cv": "5+6+7", "mod": "1+2"}, "2 values are given for 3 spells"),
    ("cast", "3e", {"cv": "5+6", "spells": "x"}, "1 names are given for 2"),
    ("cast", "3e", {"spells": "x"}, "not given"),
    ("cast", "3e", {"dice": 3}, "belongs to edition 4e"),
    ("cast", "4e", {"keep": "best2"}, "3 dice or more"),
    ("cast", "3e", {"mod": "+1+2"}, "2 values are given for 1"),
    ("unbind", "3e", {}, "needs cv"),
    ("unbind", "3e", {"cv": 7, "casting_roll": 7}, "needs cv"),
    ("unbind", "3e", {"cv": 7, "worth": 2}, "several casting values"),
    ("unbind", "4e", {"casting_roll": 7, "dice": 3}, "goes with cv"),
    ("magical_intervention", "4e", {"value": 4, "dice": 3}, "one die"),
    ("cast", "3e", {"cv": 7, "mod": 11}, r"1 to 6 modifiers from -10 to \+10"),
    ("smite", "3e", {"mod": "+1+1"}, r"a modifier from -10 to \+10"),
    ("arcane_bolt", "3e", {"unbind": "none", "unbind_mod": 1}, "no unbinder"),
    ("arcane_bolt", "3e", {"distance": 2, "within3": False}, "something else than distance"),
    ("arcane_bolt", "3e", {"phases": 2}, "used=each"),
    ("arcane_bolt", "4e", {}, "3e"),
    ("magical_intervention", "4e", {}, "needs cv"),
    ("magical_intervention", "4e", {"cv": 5, "value": 4}, "needs cv"),
    ("prayer", "3e", {"av": 4, "dice": "2D6"}, "one die"),
    ("prayer", "3e", {"av": 4, "dice": "none"}, "one die"),
    ("prayer", "3e", {"av": 4, "dice": "D3", "natural": 4}, "3 faces"),
    ("prayer_ritual", "4e", {"value": 6, "better": 6}, "more than value"),
    ("dispel", "3e", {"cv": 7, "lost_cv": 5, "lost_av": 4}, "a cast or a priest a chant"),
    ("dispel", "3e", {"cv": 7, "worth": 2}, "goes with lost_cv or lost_av"),
    ("heroic_recovery", "3e", {"bravery": 7, "rule": "launch"}, "not the rule of 3e"),
    ("heroic_recovery", "3e", {"bravery": 7, "against": "3e"}, "compare it with the other"),
    ("predatory", "3e", {"spells": "Sun:A1:3+sun:B1:4"}, "same name"),
    ("predatory", "3e", {"spells": "Sun:A1:3", "choice": "Sunn"}, "Sun"),
    ("predatory", "3e", {"spells": "Sun:A1:3", "wild_order": "Sun"}, "not wild"),
    ("simultaneous", "3e", {"actions": "A:x+A:X"}, "same name"),
]


@pytest.mark.parametrize(("name", "edition", "inputs", "says"), REFUSED, ids=str)
def test_what_is_refused_is_one_sentence_that_says_why(
    name: str, edition: str, inputs: dict[str, Any], says: str
) -> None:
    with pytest.raises(InputError, match=says) as refusal:
        ask_any(AOS, name, inputs, edition)
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "key", "edition", "rest"),
    [
        ("cast", "mod", "3e", {"cv": 7}),
        ("cast", "cv", "3e", {}),
        ("unbind", "unbind_mod", "4e", {"cv": 7}),
        ("cast", "spells", "3e", {"cv": 7}),
        ("predatory", "spells", "3e", {}),
        ("simultaneous", "actions", "3e", {}),
    ],
)
@pytest.mark.parametrize(
    "value",
    [
        "",
        "+",
        "<b>x</b>",
        "a,b",
        float("nan"),
        True,
        None,
        [],
        [True],
        "9" * 400,
        10**400,
        "x" * 10_000,
        {},
        "--1",
        "\ud800",
    ],
    ids=lambda value: repr(value)[:12],
)
def test_lists_of_any_kind_refuse_what_is_none(
    name: str, key: str, edition: str, rest: dict[str, Any], value: Any
) -> None:
    with pytest.raises(InputError) as refusal:
        ask_any(AOS, name, rest | {key: value}, edition)
    assert len(str(refusal.value)) < 600


@pytest.mark.parametrize(
    ("name", "edition", "inputs"),
    [
        ("cast", "3e", {"cv": "5+7", "mod": "+1-1", "spells": "Arcane Bolt+Mystic Shield"}),
        ("predatory", "3e", {"spells": "Purple Sun:a1:61/2+Gate:B:slain+Bridge:A:6:stays", "active": "B"}),
        ("simultaneous", "3e", {"actions": "a:rally+B:heroic action"}),
    ],
)
def test_inputs_are_written_so_that_they_are_read_again(name: str, edition: str, inputs: dict[str, Any]) -> None:
    first = ask_any(AOS, name, inputs, edition)
    assert ask_any(AOS, name, first.inputs(), edition).answers == first.answers


def test_unbinders_do_as_well_as_the_best_of_all_ways_to_decide() -> None:
    """Each way to decide: for each spell, attempts left and casting roll, try it or not. Two spells, one attempt."""
    spells = [Spell(11, worth=Fraction(1)), Spell(11, worth=Fraction(3))]
    cast = {11: Fraction(2, 36), 12: Fraction(1, 36)}
    miscast, stops = Fraction(1, 36), {11: Fraction(1, 6), 12: Fraction(1, 12)}  # with +2
    least = Fraction(99)
    for first in product((False, True), repeat=2):
        worth = Fraction(0)
        for roll, tries in zip((11, 12), first, strict=True):
            mine = spells[0].worth * (1 - stops[roll] * tries)
            rest = sum(cast[second] * 3 * (1 - stops[second] * (not tries)) for second in (11, 12))
            worth += cast[roll] * (mine + rest)
        nothing = 1 - cast[11] - cast[12] - miscast
        worth += nothing * sum(cast[second] * 3 * (1 - stops[second]) for second in (11, 12))
        least = min(least, worth)
    phase = Phase(spells, (2,), 1)
    assert phase.comes_to(0, phase.start, True) == least


@pytest.mark.parametrize("order", [(5, 7, 9), (9, 7, 5)])
def test_one_unbind_for_each_spell_leaves_nothing_to_decide(order: tuple[int, ...]) -> None:
    """Spells of wizards of their own are as many single spells."""
    phase = Phase([Spell(cv, 1, wizard) for wizard, cv in enumerate(order)], (0,), 3)
    singles = [ask("unbind", edition="3e", cv=cv, mod=1)["resolves"] for cv in order]
    assert phase.outcome()[0] == singles


def test_ritual_points_are_worth_what_the_best_of_all_plans_is() -> None:
    """Every plan: for each turn and total, bank or use; played over every sequence of two rolls."""
    ritual = Ritual(4, 7, Fraction(3), 0, 2, False)
    totals = range(4, 13)
    best = Fraction(0)
    for uses in product(
        (False, True), repeat=3
    ):  # in the first turn, with a total of 4, 5, 6; all are used in the last
        plan = dict(zip((4, 5, 6), uses, strict=True))
        worth = Fraction(0)
        for first, second in product(range(1, 7), repeat=2):
            banked = 0 if first == 1 or plan.get(first) else first
            worth += bool(plan.get(first)) + (
                0 if second == 1 or banked + second < 4 else 3 if banked + second >= 7 else 1
            )
        best = max(best, worth / 36)
    assert ritual.most(0, 0) == ritual.outcome(0).worth == best
    assert all(ritual.uses(1, total) for total in totals)


def test_both_editions_of_heroic_recovery_beside_each_other() -> None:
    reply = ask("heroic_recovery", edition="3e", bravery=7, against="3e_launch")
    other = ask("heroic_recovery", edition="3e_launch", bravery=7)
    assert reply["healed_against"] == other["healed"]
    assert reply["difference"] == Fraction(1, 6)  # a 7 heals 1 less in the launch text


def test_a_miscast_of_one_wizard_leaves_the_others_alone() -> None:
    together = ask("cast", edition="3e", cv="7+7")["all"]
    apart = ask("cast", edition="3e", cv="7+7", wizards="1+1")["all"]
    assert (together, apart) == (Fraction(7, 12) ** 2, Fraction(7, 12) ** 2)
    assert ask("cast", edition="3e", cv="7+7")["spell_2"] == Fraction(35, 36) * Fraction(7, 12)
    assert ask("cast", edition="3e", cv="7+7", wizards="1+1")["spell_2"] == Fraction(7, 12)
