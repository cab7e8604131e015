"""Blows in melee: free attacks on one who retreats, two weapons in either order, a defended obstacle."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.questions.kinds import Whole
from tcsim.questions.question import Answer, Asked, Input, Question, family
from tcsim.scenario.resolve import Resolved
from tcsim.situations.fight import (
    ACTION_DICE,
    ARMOUR,
    ATTACK_INPUT,
    INJURY_DICE,
    MODEL,
    OF_ATTACKS,
    OF_MISHAPS,
    ONE_MODEL,
    TARGET,
    Fight,
    armoured,
    attack_of,
    chance,
    common_of,
    of_one_model,
)
from tcsim.situations.kinds import ATTACKER, Attack, Every
from tcsim.situations.models import Common, Settled, against, checked, one_at_a_time, scenario, settle, untold
from tcsim.situations.tree import Course, Model, Outcome, Roll, Strike, exact


def retreating(
    common: Common, one: Mapping[str, Any], attacks: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]
) -> Settled:
    """Settle a retreat: every engaged enemy makes one free attack.

    The target goes on retreating when it is Down, and does not stand up between the attacks, so those after it have the
    die that a Down target gives.

    Parameters
    ----------
    common : Common
        Edition, spending, options.
    one : mapping
        The model that retreats, checked.
    attacks : sequence of (mapping, mapping)
        In order: who attacks (a scenario's ``attacker``), and how (an entry of its ``attacks``).

    Returns
    -------
    Settled
        The situation; each attack is a stage, named by its number.

    Raises
    ------
    InputError
        When an attack is no melee attack, and for whatever else cannot be.
    """
    settled = []
    for number, (attacker, attack) in enumerate(attacks, 1):
        by = Common(common.edition, {**common.attacker, **attacker}, common.spend, common.options, common.catalog)
        blow = {**_melee(attack), "retreating": True}
        question = untold(against(by, blow, one, f"attack {number}"), "retreating")
        _check_melee(question)
        settled.append(question)
    moves: dict[Hashable, Roll | Strike] = {
        number: Strike(0, question.problem, number + 1) for number, question in enumerate(settled)
    }
    models = (Model(one["name"], "model", settled[0].problem.start),)
    return Settled(Course(models, 0, moves), one_at_a_time(common, settled))


def two_weapons(common: Common, one: Mapping[str, Any], first: Mapping[str, Any], second: Mapping[str, Any]) -> Settled:
    """Settle attacks with two melee weapons, the second of them off-hand.

    In 1.6.3 these are two Melee Attack ACTIONS, in 1.0.2 one Fight; which is off-hand is named before anything is
    rolled, and it comes last in both.

    Parameters
    ----------
    common : Common
        Edition, attacker, spending, options.
    one : mapping
        The target, checked.
    first, second : mapping
        Entries of a scenario's ``attacks``.

    Returns
    -------
    Settled
        The situation.

    Raises
    ------
    InputError
        When one is no melee attack, and for whatever else cannot be.
    """
    asked = scenario(common, _melee(first), one)
    last = scenario(common, {**_melee(second), "off_hand": True}, one)
    asked["attacks"] += last["attacks"]
    question = settle(common, asked, {"attacks[0]": "first", "attacks[1]": "second"})
    _check_melee(question)
    return _one_strike(one, question)


def one_blow(common: Common, one: Mapping[str, Any], attack: Mapping[str, Any], obstacle: bool) -> Settled:
    """Settle a melee attack on a model behind a defended obstacle, or not.

    Parameters
    ----------
    common : Common
        Edition, attacker, spending, options.
    one : mapping
        The target, checked.
    attack : mapping
        An entry of a scenario's ``attacks``.
    obstacle : bool
        Whether it defends an obstacle.

    Returns
    -------
    Settled
        The situation.

    Raises
    ------
    InputError
        When it is no melee attack, and for whatever else cannot be.
    """
    question = against(common, {**_melee(attack), "defended_obstacle": obstacle}, one)
    _check_melee(question)
    return _one_strike(one, question)


def _melee(attack: Mapping[str, Any]) -> dict[str, Any]:
    """An attack without a weapon is one in melee here."""
    return dict(attack) if "weapon" in attack and attack["weapon"] is not None else {"kind": "melee", **attack}


def _check_melee(question: Resolved) -> None:
    for action in question.actions:
        if action.kind != "melee":
            raise InputError(f"{action.label} is no melee attack", "attack")


def _one_strike(one: Mapping[str, Any], question: Resolved) -> Settled:
    models = (Model(one["name"], "model", question.problem.start),)
    return Settled(Course(models, "begin", {"begin": Strike(0, question.problem, "done")}), (question,))


#: Most free attacks.
MAX_ATTACKS = 20

#: The usual free attack, and the usual model that retreats, where nothing is said of them.
USUAL_BLOW, USUAL_ARMOUR = {"kind": "melee", "action_dice": 1}, -1


def _free_attacks(asked: Asked) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Who attacks one that retreats, and how, in order."""
    attackers: tuple[dict[str, Any], ...] = asked["attackers"] or ({},)
    blow = USUAL_BLOW if _is_usual_blow(asked) else {"kind": "melee"}
    blows: tuple[dict[str, Any], ...] = asked["blows"] or (blow,)
    number = asked["attacks"] or max(len(attackers), len(blows))
    for name, given in (("attackers", attackers), ("blows", blows)):
        if len(given) not in (1, number):
            raise InputError(f"{len(given)} are given for {number} free attacks: one for all, or one each", name)
    attacks = []
    for k in range(number):
        blow = dict(blows[k % len(blows)])
        if asked["action_dice"] and type(blow.get("action_dice", 0)) is int:
            blow["action_dice"] = blow.get("action_dice", 0) + asked["action_dice"]
        attacks.append((attackers[k % len(attackers)], blow))
    return attacks


def _is_usual_blow(asked: Asked) -> bool:
    return all(asked[name] is None for name in ("blows", "attackers", "action_dice"))


def _is_usual_model(asked: Asked) -> bool:
    return asked["injury_modifier"] is None and asked["model"] is None


def _retreat_notes(asked: Asked) -> tuple[str, ...]:
    """What is taken where nothing is said, before what the attacks assume."""
    usual = (
        (mark("Assumed: a free attack has +1 DICE."), _is_usual_blow(asked)),
        (mark("Assumed: the model's armour is -1."), _is_usual_model(asked)),
    )
    return (*(note for note, holds in usual if holds), *_RETREAT.notes(asked))


def _retreat(asked: Asked) -> dict[str, Settled]:
    modifier = USUAL_ARMOUR if _is_usual_model(asked) else asked["injury_modifier"]
    [one] = checked([armoured(asked["model"], modifier)], "model")
    return {"retreat": retreating(common_of(asked), one, _free_attacks(asked))}


def _tell_retreat(asked: Asked, outcomes: Mapping[str, Outcome]) -> dict[str, Any]:
    outcome, number = outcomes["retreat"], len(_free_attacks(asked))
    out = outcome.out(0)
    by = {number: chance(outcome, out)}
    standing = outcome.total
    for k in range(1, number):  # it ends at the stage of an attack that was the last one needed
        standing -= outcome.ends.get(k, 0 * outcome.total)
        by[k] = chance(outcome, outcome.total - standing)
    told = {"p_in_action": chance(outcome, outcome.total - out), **of_one_model(outcome)}
    return told | family("out_by_attack", dict(sorted(by.items())))


def _weapons(asked: Asked) -> dict[str, Settled]:
    [one] = checked([armoured(asked["target"], asked["injury_modifier"])], "target")
    first, second = (_melee(asked[name] or {}) for name in ("first", "second"))
    common = common_of(asked)
    orders = {"": two_weapons(common, one, first, second), "swapped": two_weapons(common, one, second, first)}
    better = max(orders, key=lambda name: exact(orders[name].situation).out(0))
    return {**orders, "best": orders[better]}


def _tell_weapons(asked: Asked, outcomes: Mapping[str, Outcome]) -> dict[str, Any]:
    told = of_one_model(outcomes[""])
    more = {f"p_out_{name}": chance(outcomes[name], outcomes[name].out(0)) for name in ("swapped", "best")}
    return {"p_out": told.pop("p_out"), **more, **told}


def _obstacle(asked: Asked) -> dict[str, Settled]:
    [one] = checked([armoured(asked["target"], asked["injury_modifier"])], "target")
    common, attack = common_of(asked), attack_of(asked, "melee")
    return {name: one_blow(common, one, attack, name == "across") for name in ("across", "past")}


def _tell_obstacle(asked: Asked, outcomes: Mapping[str, Outcome]) -> dict[str, Any]:
    told = {}
    for name, outcome in outcomes.items():
        told[f"p_out_{name}"] = chance(outcome, outcome.out(0))
        told[f"p_down_{name}"] = chance(outcome, outcome.where(0, lambda state: state.down == 1))
    return told


_RETREAT, _WEAPONS = Fight(_retreat, _tell_retreat), Fight(_weapons, _tell_weapons)
_OBSTACLE = Fight(_obstacle, _tell_obstacle)

QUESTIONS = (
    Question(
        name="retreat",
        inputs=(
            Input(
                "attacks", Whole(1, MAX_ATTACKS), mark("How many enemies are engaged, a free attack each; usually 1")
            ),
            Input(
                "action_dice",
                Whole(-40, 40),
                mark("DICE of each free attack; +1 where nothing is said of who attacks"),
            ),
            ARMOUR,
            MODEL,
            Input("blows", Every(Attack(), MAX_ATTACKS), mark("The attacks, in order, or one for all of them")),
            Input("attackers", Every(ATTACKER, MAX_ATTACKS), mark("Who makes them, in order, or one for all of them")),
            *OF_MISHAPS,
        ),
        answers=(
            Answer("p_in_action", mark("it is still in action")),
            *ONE_MODEL,
            Answer("out_by_attack", mark("out of action by so many attacks"), family=True),
        ),
        exact=_RETREAT.exact,
        simulate=_RETREAT.simulate,
        notes=_retreat_notes,
        rule=mark(
            "Every engaged enemy makes one free attack on a model that retreats, with one weapon. It does not stand up "
            "between them, so once it is Down the others have the injury die for that."
        ),
        source={"1.6.3": "game rules: Retreat", "1.0.2": "book: Retreat"},
        examples=("attacks=3", "blows=sword-axe//great-sword-axe model=yeoman spend=greedy"),
    ),
    Question(
        name="two_weapons",
        inputs=(
            Input("first", Attack(), mark("The weapon in hand, as an attack")),
            Input("second", Attack(), mark("The off-hand weapon, as an attack")),
            ARMOUR,
            TARGET,
            *OF_ATTACKS,
        ),
        answers=(
            Answer("p_out", mark("out of action, the second weapon off-hand")),
            Answer("p_out_swapped", mark("out of action, the first weapon off-hand")),
            Answer("p_out_best", mark("out of action, the better of the two off-hand")),
            *(answer for answer in ONE_MODEL if answer.name != "p_out"),
        ),
        exact=_WEAPONS.exact,
        simulate=_WEAPONS.simulate,
        notes=_WEAPONS.notes,
        rule={
            "1.6.3": mark(
                "Two Melee Attack ACTIONS; which weapon is off-hand is named before anything is rolled, it comes last "
                "and has -1 DICE."
            ),
            "1.0.2": mark("One Fight ACTION with both weapons; the second is off-hand and has -1 DICE."),
        },
        source={"1.6.3": "source text: Off-Hand Weapons", "1.0.2": "book: Off-Hand Weapon"},
        examples=("injury_modifier=-2", "first=melee,CRITICAL second=melee,action_dice=1,RISKY"),
    ),
    Question(
        name="obstacle",
        inputs=(ATTACK_INPUT, ACTION_DICE, INJURY_DICE, ARMOUR, TARGET, *OF_ATTACKS),
        answers=(
            Answer("p_out_across", mark("out of action, attacked across the obstacle")),
            Answer("p_out_past", mark("out of action, attacked after a move past it")),
            Answer("p_down_across", mark("Down, attacked across the obstacle")),
            Answer("p_down_past", mark("Down, attacked after a move past it")),
        ),
        exact=_OBSTACLE.exact,
        simulate=_OBSTACLE.simulate,
        notes=_OBSTACLE.notes,
        rule={
            "1.6.3": mark(
                "A defended obstacle costs an attack -1 DICE, unless its target is Down. A model in melee may move "
                "within 1 inch of its enemy without any dice, and so past the obstacle."
            ),
            "1.0.2": mark(
                "A defended obstacle costs an attack -1 DICE. A model in melee that moves within 1 inch of its enemy "
                "may come past the obstacle."
            ),
        },
        source={"1.6.3": "source text: Defended obstacle; Moving in melee", "1.0.2": "book: Defended Obstacle"},
        examples=("injury_modifier=-2", "attack=great-sword-axe target=down"),
    ),
)
