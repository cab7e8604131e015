"""Age of Sigmar's attack sequence: against all ways the dice can fall, and against plain convolution."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import fields
from fractions import Fraction
from math import comb
from typing import Any

import naive_questions as naive
import numpy as np
import pytest
from naive_aos_fights import Fight, removed
from stat_tools import surprise

from tcsim import aos
from tcsim.aos.fights import rolled
from tcsim.aos.fights.sequence import Modifiers, Profile, Readings, Target, damage, destroyed, slain
from tcsim.aos.fights.weapons import Fight as Whole
from tcsim.aos.fights.weapons import Weapons
from tcsim.aos.spread import Spread
from tcsim.base.errors import InputError
from tcsim.dice import Pool
from tcsim.questions.rolling import Dice

D3, D6 = Pool(keep=1, sides=3), Pool(keep=1, sides=6)
DICE = {"D3": D3, "D6": D6, "2D6": Pool(), "2D3": Pool(sides=3), "D3+1": Pool(keep=1, sides=3, modifier=1)}

#: Fights of one or two attacks: every critical ability, limit, reading, reroll and kind of dice.
FIGHTS: list[dict[str, Any]] = [
    {},
    {"attacks": 2, "hit": 4, "wound": 4, "save": 4, "rend": 1, "dmg": 2},
    *({"attacks": 2, "hit": 4, "wound": 4, "save": 5, "rend": 1, "dmg": 2, "crit": c} for c in ("2hits", "auto")),
    {"attacks": 2, "hit": 4, "wound": 4, "save": 5, "dmg": "D3", "crit": "mortal", "ward": 5},
    {"crit": "2hits", "crit_on": 5, "hit": 6, "hit_mod": -1, "dmg": "D3", "ward": 6},
    {"attacks": "D3", "hit": 3, "wound": 5, "save": 3, "rend": 2, "dmg": "D3+1"},
    {"attacks": "2D3", "hit": 5, "wound": 5, "save": 3, "rend": 2},
    {"hit_mod": -3, "hit_bonus": 1, "wound_mod": 2, "wound_bonus": -1, "wound": 4},
    {"hit_mod": 1, "hit_bonus": 2, "wound_mod": -1, "wound_bonus": 2, "companion": True, "hit": 4, "wound": 4},
    {"hit": 6, "hit_mod": -2, "wound": 6, "wound_mod": -1},
    {"hit": 2, "hit_mod": 2, "wound": 6, "wound_mod": -1, "wound6": False},
    *({"save": s, "rend": r, "save_mod": m, "cap": cap} for cap in ("net", "bonus") for s, r, m in
      ((4, 1, 2), (6, 1, 1), (2, 0, 1), (3, 3, 1), (4, 0, -2), (7, 0, 1), (3, -1, 1))),
    *({"save": 4, "hit": 4, "wound": 5, "crit": "auto", **{f"reroll_{roll}": which}}
      for roll in ("hits", "wounds", "saves") for which in ("ones", "failed")),
    {"reroll_hits": "failed", "hit": 2, "hit_mod": -1, "reroll_wounds": "ones", "save": 5, "reroll_saves": "failed"},
]  # fmt: skip


def parts(fight: Fight) -> tuple[Profile, Target, Modifiers, Readings]:
    profile = Profile(
        DICE.get(str(fight.attacks), fight.attacks), fight.hit, fight.wound, fight.rend,
        DICE.get(str(fight.dmg), fight.dmg), fight.crit, fight.companion, fight.crit_on,
    )  # fmt: skip
    own = {one.name for one in fields(Modifiers)}
    values = {
        "hit": fight.hit_mod, "wound": fight.wound_mod, "save": fight.save_mod,
        **{name: getattr(fight, name) for name in own - {"hit", "wound", "save"}},
    }  # fmt: skip
    return profile, Target(fight.save, fight.ward), Modifiers(**values), Readings(fight.wound6, fight.cap)


def played(fight: Fight) -> dict[int, Fraction]:
    """The chance of each damage, by every way the dice can fall."""
    chances: dict[int, Fraction] = defaultdict(Fraction)
    for told, chance in naive.outcomes(lambda die: {"damage": fight.damage(die)}):
        chances[told["damage"]] += chance
    return dict(chances)


def as_chances(spread: Spread) -> dict[int, Fraction]:
    return {number: p for number, p in enumerate(spread.pmf()) if p}


def convolved(one: dict[int, Fraction], times: int) -> dict[int, Fraction]:
    total = {0: Fraction(1)}
    for _ in range(times):
        more: dict[int, Fraction] = defaultdict(Fraction)
        for a, p in total.items():
            for b, q in one.items():
                more[a + b] += p * q
        total = dict(more)
    return total


@pytest.mark.parametrize("given", FIGHTS, ids=str)
def test_damage_is_what_the_dice_come_to(given: dict[str, Any]) -> None:
    fight = Fight(**given)
    assert as_chances(damage(*parts(fight))) == played(fight)


@pytest.mark.parametrize("dmg", [1, "D3"])
def test_many_attacks_are_those_of_one_convolved(dmg: Any) -> None:
    one = Fight(attacks=1, hit=4, wound=3, save=5, rend=1, dmg=dmg, crit="2hits", ward=5)
    profile, *others = parts(one)
    many = Profile(13, profile.hit, profile.wound, profile.rend, profile.damage, profile.crit)
    assert as_chances(damage(many, *others)) == convolved(played(one), 13)


def test_several_attacks_one_after_the_other_spill_over() -> None:
    """120 attacks, then a random number of others, at models of Health 3 of which the first has one left."""
    one, other = Fight(hit=2, wound=2, dmg=2), Fight(hit=3, wound=4, dmg="D3")
    target = Target(models=3, health=3, wounded=2)
    first = damage(Profile(120, 2, 2, damage=2))
    dealt = first.then(damage(Profile(D6, 3, 4, damage=D3)))
    true: dict[int, Fraction] = defaultdict(Fraction)
    for number in range(1, 7):
        for points, p in convolved(played(other), number).items():
            true[points] += p / 6
    assert as_chances(first) == convolved(played(one), 120)
    expected: dict[int, Fraction] = defaultdict(Fraction)
    gone: dict[int, Fraction] = defaultdict(Fraction)
    for a, p in as_chances(first).items():
        for b, q in true.items():
            expected[a + b] += p * q
            gone[removed(a + b, 3, 3, 2)] += p * q
    assert as_chances(dealt) == expected
    assert as_chances(slain(dealt, target)) == gone
    assert destroyed(dealt, target) == gone[3] == slain(dealt, target).at_least(3)


def test_damage_of_models_without_end() -> None:
    assert slain(Spread.fixed(7), Target(health=2, wounded=1)) == Spread.fixed(4)
    assert destroyed(Spread.fixed(7), Target()) == 0


def test_two_long_spreads_add_up_as_chances_do() -> None:
    one, other = Spread((1,) * 70, 70), Spread((2, 1) * 40, 120)
    true = [Fraction(0)] * 149
    for i, p in enumerate(one.pmf()):
        for j, q in enumerate(other.pmf()):
            true[i + j] += p * q
    assert one.then(other).pmf() == tuple(true)
    assert one.then(other).tails()[100] == sum(true[100:])
    assert one.held(10).pmf()[10] == Fraction(60, 70)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("10x 3+ / 4+ / -1 / d3 / 2Hits / Companion", "10x3+/4+/1/D3/2hits/companion"),
        ("2D6x3/3/-/1, 4/4/2/2/5+", "2D6x3+/3+/0/1,1x4+/4+/2/2/5+"),
        (["6×3/3/1/1", "2x2/2/0/1/mortal"], "6x3+/3+/1/1,2x2+/2+/0/1/mortal"),
    ],
)
def test_weapons_are_read_as_players_write_them(text: Any, said: str) -> None:
    kind = Weapons()
    assert kind.write(kind.read(text)) == said
    assert kind.read(said) == kind.read(text)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"hit": 3}, "^wound: it is needed, as"),
        ({"attacks": 3}, "^hit: it is needed, as"),
        ({"dmg": 2, "weapons": "1x3/3/1/1"}, "^dmg: it goes with hit"),
        ({"hit": 3, "wound": 3, "weapons": "1x3/3/1/1"}, "^hit: it tells of one weapon"),
        ({"weapons": "1x3/3/1"}, '^weapons: "1x3/3/1" is given, 1 to 12 weapons'),
        ({"weapons": "1x3/3/1/1/crit"}, '"crit" is given, none, 2hits'),
        ({"weapons": "1x3/3/1/1/auto/2hits"}, '"2hits" is given, after another word'),
        ({"weapons": "1x3/7/1/1"}, r'"7" is given, 2\+ to 6\+ is allowed'),
        ({"weapons": ",".join(["1x3/3/1/1"] * 13)}, "1 to 12 weapons"),
        ({"hit": 3, "wound": 3, "attacks": 300, "dmg": 11}, "3,300 damage are given, up to 3,000 is allowed"),
        ({"hit": 3, "wound": 3, "models": 2, "health": 2, "wounded": 2}, "a model of Health 2 is slain then"),
        ({"hit": True, "wound": 3}, r"^hit: true is given, 2\+ to 6\+"),
        ({"hit": 3, "wound": 3, "rend": 7}, r"^rend: 7 is given, a whole number from 0 to 6 \(-1 is 1\)"),
    ],
)
def test_what_is_wrong_is_said(inputs: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        aos.ask("attack", edition="4e", **inputs)


@pytest.mark.parametrize(
    ("name", "edition", "inputs", "message"),
    [
        (
            "attack",
            "3e",
            {"weapons": "1x3/3/1/1/companion"},
            "^weapons: companion weapons belong to the fourth edition",
        ),
        ("attack", "3e", {"hit": 3, "wound": 3, "command": "both"}, "^command: it belongs to edition 4e"),
        ("all_out_attack", "4e", {"save": 3}, "^hit: it is needed"),
        ("all_out_defence", "4e", {"hit": 3, "wound": 3}, "^save: all_out_defence needs it"),
        ("all_out_defence", "4e", {"save": 3, "weapons": "1x3/3/1/1", "enemy_units": 2}, "^enemy_units: it goes with"),
        ("all_out_defence", "4e", {"save": 3, "weapons": "1x3/3/1/1", "used_on": 2}, "^used_on: 2 is given, there"),
        ("covering_fire", "4e", {"hit": 3, "wound": 3, "need": 7}, "^need: it needs the number of models"),
        ("covering_fire", "4e", {"hit": 3, "models": 3, "control": 1}, "^control: it needs attacks that do damage"),
        ("power_through", "4e", {"own_health": 3}, "^own_health: it needs the target's"),
        ("finest_hour", "3e", {}, "^hit: it is needed"),
        ("mystic_shield", "3e", {"hit": 3, "wound": 3}, "^save: mystic_shield needs it"),
        ("bless", "3e", {"damage": 3, "hit": 3, "wound": 3}, "^damage: it is given in place of attacks"),
    ],
)
def test_what_does_not_go_together_is_said(name: str, edition: str, inputs: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        aos.ask(name, edition=edition, **inputs)


def test_tables_leave_out_what_is_rare_and_say_so() -> None:
    few = aos.ask("attack", edition="4e", attacks=3, hit=3, wound=3)
    many = aos.ask("attack", edition="4e", weapons="90x3/3/0/1")
    told = [int(name[8:]) for name in many.answers if name.startswith("exactly_")]
    chances = [Fraction(comb(90, n) * 4**n * 5 ** (90 - n), 9**90) for n in range(91)]  # 2/3 of 2/3
    assert told == [n for n in range(91) if chances[n] * 10**6 >= 1]
    assert [many[f"exactly_{n}"] for n in told] == [chances[n] for n in told]
    assert [len(few.notes), len(many.notes)] == [0, 1]
    assert many["damage"] == 40


@pytest.mark.parametrize("given", FIGHTS, ids=str)
def test_rolled_damage_is_what_the_dice_come_to(given: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """False alarms of all of these below 1e-6; an error of 0.03 in a chance near 1/2 is seen."""
    monkeypatch.setattr(rolled, "HELD", 5000)  # several blocks of trials
    fight = Fight(**given)
    profile, *others = parts(fight)
    seen = rolled.damage(profile, Dice(3, str(given)), 15_000, *others)
    true = played(fight)
    assert set(np.unique(seen)) <= set(true)
    for points, p in true.items():
        assert surprise(int((seen == points).sum()), 15_000, float(p)) > 1e-6 / 500, (points, p)


def test_rolled_weapons_add_up_and_remove_models() -> None:
    """False alarms below 1e-6."""
    sure = Profile(3, 2, 2, crit="mortal", crit_on=1, damage=2)
    fight = Whole((sure, Profile(2, 2, 2, crit="mortal", crit_on=1)), Target(3))
    assert set(rolled.fought(fight, Dice(1, ""), 50)) == {8}
    assert fight.damage() == Spread.fixed(8)
    target = Target(models=3, health=3, wounded=2)
    points = np.arange(10)
    assert list(rolled.slain(points, target)) == [removed(n, 3, 3, 2) for n in points]
    assert list(rolled.slain(points, Target(health=3))) == [n // 3 for n in points]
    assert len(rolled.fought(fight, Dice(1, ""), 0)) == 0


def test_damage_of_a_weapon_that_may_not_attack() -> None:
    none = Profile(Pool(keep=1, modifier=-3), 3, 3)
    assert damage(none).ways[0] > 0
    assert set(rolled.damage(none, Dice(1, ""), 200)) == {0, 1, 2, 3}


def test_each_model_that_is_left_rolls_its_own_attacks() -> None:
    """D3 attacks of each of two models; false alarms below 1e-6, an error of 0.02 is seen."""
    fight = Whole((Profile(D3, 3, 3),))
    numbers = [first + second for first in (1, 2, 3) for second in (1, 2, 3)]  # an attack wounds in 4 of 9
    true = [sum(Fraction(comb(n, k) * 4**k * 5 ** (n - k), 9 ** (n + 1)) for n in numbers if n >= k) for k in range(7)]
    assert list(fight.damage(2).pmf()) == true
    assert fight.damage(0) == Spread.fixed(0)
    seen = rolled.fought(fight, Dice(1, "each"), np.repeat((0, 2), 20_000))
    assert not seen[:20_000].any()
    for points, p in enumerate(true):
        assert surprise(int((seen[20_000:] == points).sum()), 20_000, float(p)) > 1e-6 / 7, points


@pytest.mark.verification
@pytest.mark.parametrize("crit", ["2hits", "auto", "mortal"])
def test_many_dice_come_to_what_is_worked_out(crit: str) -> None:
    """A million fights of two weapons, dice in all of it: false alarms below 1e-6, errors of 0.005 are seen."""
    weapons = (Profile(D6, 4, 3, 1, D3, crit), Profile(20, 3, 4, 2, D6, companion=True))
    fight = Whole(weapons, Target(4, 5, 10, 3, 1), Modifiers(hit=-1, hit_bonus=1, reroll_hits="ones"))
    seen, dealt = rolled.fought(fight, Dice(5, crit), 1_000_000), fight.damage()
    for points, p in enumerate(dealt.pmf()):
        assert surprise(int((seen == points).sum()), 1_000_000, float(p)) > 1e-6 / 1000, points
    gone = slain(dealt, fight.target).pmf()
    for models, p in enumerate(gone):
        counted = int((rolled.slain(seen, fight.target) == models).sum())
        assert surprise(counted, 1_000_000, float(p)) > 1e-6 / 1000, models


def test_covering_fire_says_what_its_later_text_bars() -> None:
    told = {edition: " ".join(aos.ask("covering_fire", edition=edition, hit=3).notes) for edition in ("4e", "4e_late")}
    assert ["faction terrain" in told[edition] for edition in ("4e", "4e_late")] == [False, True]
