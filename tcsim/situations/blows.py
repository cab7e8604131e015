"""Blows in melee: free attacks on one who retreats, two weapons in either order, a defended obstacle."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from tcsim.base.errors import InputError
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import Resolved, resolve
from tcsim.situations.models import Common, Settled, against, scenario
from tcsim.situations.tree import Course, Model, Roll, Strike


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
        question = against(by, blow, one, f"attack {number}")
        _check_melee(question)
        settled.append(question)
    moves: dict[Hashable, Roll | Strike] = {
        number: Strike(0, question.problem, number + 1) for number, question in enumerate(settled)
    }
    models = (Model(one["name"], "model", settled[0].problem.start),)
    return Settled(Course(models, 0, moves), tuple(settled))


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
    try:
        question = resolve(from_mapping(asked), common.catalog)
    except InputError as error:
        raise InputError(str(error), "two weapons") from None
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
    question = against(common, {**_melee(attack), "defended_obstacle": obstacle}, one, one["name"])
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
