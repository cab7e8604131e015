"""The naive way for situations around a fight: every draw written out, one model after the other, nothing put together.

A single attack is answered by `naive`; who is attacked, and what hangs together, is enumerated here. Nothing of tcsim
is imported.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from naive import OUT, Attack, Final, Game, Target, as_final, pool_chances, shots_to_hit, wounds

Scenario = dict[str, Any]
Joint = dict[tuple[Final, ...], Fraction]

#: What of a model is said of the attack on it.
PLACE = {"cover", "long_range", "elevated", "fear", "defended_obstacle", "off_hand"}
MARKERS = ("blood", "blessing")


def scenario(common: Mapping[str, Any], attack: Mapping[str, Any], one: Mapping[str, Any], first: bool) -> Scenario:
    """An attack on one model; `first`: the attacker's markers have not been spent yet."""
    attacker = dict(common.get("attacker", {}))
    for name, spent in zip(MARKERS, ("blood_on_action", "blessing_on_action"), strict=True):
        if not first and common.get("spend", {}).get(spent) == "all":
            attacker[name] = 0
    dice = attack.get("action_dice", 0) + one.get("action_dice", 0)
    place = {name: one[name] for name in PLACE if name in one}
    return {
        **{name: common[name] for name in ("edition", "spend", "options") if name in common},
        "attacker": attacker,
        "target": bare(one),
        "attacks": [{**attack, **place, "action_dice": dice}],
    }


def in_state(one: Mapping[str, Any], state: Final) -> dict[str, Any]:
    down, blood, blessing, tough = state
    return {**one, "down": down, "blood": blood, "blessing": blessing, "tough": tough}


def begin(one: Mapping[str, Any]) -> Final:
    return as_final(Game({"target": bare(one), "attacks": [{}]}).target)


def bare(one: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in one.items() if name not in PLACE | {"name", "action_dice"}}


def hurt(game: Game, attack: Attack, hits: tuple[bool, ...]) -> dict[Final, Fraction]:
    """How a model is after these hits (True: a critical)."""
    [plan] = game.plans(attack, hits, game.target)
    ends: dict[Final, Fraction] = {}
    for state, chance in wounds(game, attack, hits, plan, game.target).items():
        end = OUT if state is None else as_final(state)
        ends[end] = ends.get(end, Fraction(0)) + chance
    return ends


def attacked(asked: Scenario) -> Iterator[tuple[bool, Final, Fraction]]:
    """One action of shots resolved together, or of one: was there a miss, and how is the model?"""
    game = Game(asked)
    attack = game.steps[0]
    assert isinstance(attack, Attack)
    for (hits, missed, _), chance in shots_to_hit(game, attack, attack.shots, game.attacker, game.target.down).items():
        for end, part in hurt(game, attack, hits).items():
            yield missed, end, chance * part


def finals(asked: Scenario) -> dict[Final, Fraction]:
    ends: dict[Final, Fraction] = {}
    for _, end, chance in attacked(asked):
        ends[end] = ends.get(end, Fraction(0)) + chance
    return ends


def together(every: Sequence[Mapping[Final, Fraction]]) -> Joint:
    """Models that have nothing to do with each other."""
    joint: Joint = {}
    for ends in itertools.product(*(one.items() for one in every)):
        key = tuple(end for end, _ in ends)
        chance = Fraction(1)
        for _, part in ends:
            chance *= part
        joint[key] = joint.get(key, Fraction(0)) + chance
    return joint


def mixed(parts: Iterable[tuple[Fraction, Joint]]) -> Joint:
    joint: Joint = {}
    for weight, ends in parts:
        for key, chance in ends.items():
            joint[key] = joint.get(key, Fraction(0)) + weight * chance
    return joint


# --- shooting into melee --------------------------------------------------------------------------------------


def draws(friends: Sequence[int], others: Sequence[int]) -> Iterator[tuple[int, Fraction]]:
    """Face by face: whom a shot is at."""
    for face in range(1, 7):
        among = friends if face <= 3 else others
        for model in among:
            yield model, Fraction(1, 6 * len(among))


def shots_into_melee(
    common: Mapping[str, Any],
    attack: Mapping[str, Any],
    friends: Sequence[Mapping[str, Any]],
    enemies: Sequence[Mapping[str, Any]],
    other: str | None = None,
) -> Joint:
    """Friends first, then enemies, of whom the first is the target."""
    everyone = [*friends, *enemies]
    mine = list(range(len(friends)))
    theirs = list(range(len(friends), len(everyone)))
    usual = "enemy" if common["edition"] == "1.6.3" else "target"
    others = theirs if (other or usual) == "enemy" else theirs[:1]
    shots = attack.get("shots", 1)
    if common["edition"] == "1.6.3":
        return _drawn_first(common, attack, everyone, list(draws(mine, others)), shots)
    single = {**attack, "shots": 1}
    target = theirs[0]

    @cache
    def attack_on(model: int, state: Final, first: bool) -> list[tuple[bool, Final, Fraction]]:
        return list(attacked(scenario(common, single, in_state(everyone[model], state), first)))

    @cache
    def play(shot: int, states: tuple[Final, ...]) -> Joint:
        if shot == shots or states[target] == OUT:
            return {states: Fraction(1)}
        left = [m for m in mine if states[m] != OUT]
        whom = draws(left, [m for m in others if states[m] != OUT]) if left else [(target, Fraction(1))]
        parts = []
        for model, weight in whom:
            for missed, end, chance in attack_on(model, states[model], shot == 0):
                after = (*states[:model], end, *states[model + 1 :])
                ends = missed and "RISKY" in attack.get("keywords", [])
                parts.append((weight * chance, {after: Fraction(1)} if ends else play(shot + 1, after)))
        return mixed(parts)

    return play(0, tuple(begin(one) for one in everyone))


def _drawn_first(
    common: Mapping[str, Any],
    attack: Mapping[str, Any],
    everyone: Sequence[Mapping[str, Any]],
    ways: Sequence[tuple[int, Fraction]],
    shots: int,
) -> Joint:
    """Every sequence of draws."""

    @cache
    def shot_at(model: int, shots: int, first: bool) -> dict[Final, Fraction]:
        return finals(scenario(common, {**attack, "shots": shots}, everyone[model], first))

    parts = []
    for sequence in itertools.product(ways, repeat=shots):
        weight = Fraction(1)
        for _, part in sequence:
            weight *= part
        at = [model for model, _ in sequence]
        every = []
        for model, one in enumerate(everyone):
            if model in at:
                every.append(shot_at(model, at.count(model), at[0] == model))
            else:
                every.append({begin(one): Fraction(1)})
        parts.append((weight, together(every)))
    return mixed(parts)


# --- blast ----------------------------------------------------------------------------------------------------


def blast(
    common: Mapping[str, Any],
    attack: Mapping[str, Any],
    group: Sequence[Mapping[str, Any]],
    rolls: str,
    caught: Mapping[int, Sequence[int]] | None = None,
) -> Joint:
    """`caught`: by inches, the numbers of those whom it catches there; None for an attack that does not scatter."""
    games = [Game(scenario(common, attack, one, number == 0)) for number, one in enumerate(group)]
    shots = [game.steps[0] for game in games]
    stay = [{begin(one): Fraction(1)} for one in group]

    def struck(number: int, critical: bool) -> dict[Final, Fraction]:
        shot = shots[number]
        assert isinstance(shot, Attack)
        return hurt(games[number], shot, (critical,))

    if "AUTO-HIT" in attack.get("keywords", []):
        return together([struck(n, False) for n in range(len(group))])
    for_all = common["edition"] == "1.6.3"  # else a critical is for the target alone

    def own(number: int, first: bool) -> dict[Final, Fraction]:
        game = Game(scenario(common, attack, group[number], first))
        shot, ends = game.steps[0], dict[Final, Fraction]()
        assert isinstance(shot, Attack)
        for (hits, _, _), chance in shots_to_hit(game, shot, 1, game.attacker, game.target.down).items():
            if number and not for_all:
                hits = (False,) * len(hits)
            for end, part in hurt(game, shot, hits).items():
                ends[end] = ends.get(end, Fraction(0)) + chance * part
        return ends

    if rolls == "each" and caught is None:
        return together([own(n, n == 0) for n in range(len(group))])
    first = shots[0]
    assert isinstance(first, Attack)
    net, _ = games[0].action_roll(first, games[0].attacker, games[0].target.down)
    parts = []
    for total, chance in pool_chances(net, 2).items():
        if total <= 6:
            there = (caught or {}).get(7 - total, ())
            every = [struck(n, False) if n in there else stay[n] for n in range(len(group))]
        elif rolls == "one":
            every = [struck(n, total == 12 and (n == 0 or for_all)) for n in range(len(group))]
        else:
            every = [struck(0, total == 12), *(own(n, False) for n in range(1, len(group)))]
        parts.append((chance, together(every)))
    return mixed(parts)


# --- one model ------------------------------------------------------------------------------------------------


def blows(
    common: Mapping[str, Any],
    one: Mapping[str, Any],
    attacks: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]],
) -> dict[Final, Fraction]:
    """Attacks by several attackers on one model, one after the other; it does not stand up."""
    now: dict[Final, Fraction] = {begin(one): Fraction(1)}
    for attacker, attack in attacks:
        then: dict[Final, Fraction] = {}
        for state, chance in now.items():
            if state == OUT:
                then[OUT] = then.get(OUT, Fraction(0)) + chance
                continue
            asked = scenario({**common, "attacker": attacker}, attack, in_state(one, state), True)
            for end, part in finals(asked).items():
                then[end] = then.get(end, Fraction(0)) + chance * part
        now = then
    return now


def injury(dice: int, modifier: int, cap: int | None) -> dict[str, Fraction]:
    """An injury roll without an attack, every die thrown: nothing, minor, down or out."""
    found: dict[str, Fraction] = {}
    modifier = modifier if cap is None else max(modifier, cap)
    faces = 2 + abs(dice)
    for throw in itertools.product(range(1, 7), repeat=faces):
        kept = sorted(throw)[-2:] if dice > 0 else sorted(throw)[:2]
        total = sum(kept) + modifier
        result = "nothing" if total <= 1 else "minor" if total <= 6 else "down" if total <= 8 else "out"
        found[result] = found.get(result, Fraction(0)) + Fraction(1, 6**faces)
    return found


def suffer(state: Target, result: str, markers: int = 0) -> Target | None:
    """What a result does to a model that is nothing special; `markers`: of keywords."""
    if result == "out" and not state.tough:
        return None
    if result == "out":
        state, result = state._replace(tough=False), "down"
    gain = markers + {"nothing": 0, "minor": 1, "down": 2 if state.down else 1}[result]
    return state._replace(down=state.down or result == "down", blood=min(6, state.blood + gain))
