"""What a plan comes to in words: whom to attack, activation by activation."""

from __future__ import annotations

from typing import Any

from tcsim.base.lang import mark, tr
from tcsim.skirmish.field import Field
from tcsim.skirmish.outcome import Outcome
from tcsim.skirmish.space import Space


def condition_words(space: Space, condition: int) -> str:
    """Say what a condition is, as far as it must be told from others of the same target.

    Parameters
    ----------
    space : Space
        The target's conditions.
    condition : int
        Which one.

    Returns
    -------
    str
        As ``standing``, ``Down, 2 or 3 markers`` or ``out of action``, in the language of the moment.
    """
    if condition == space.out:
        return tr("out of action")
    states = _states(space, condition)
    down = bool(space.down[condition])
    words = [tr(mark("Down")) if down else tr(mark("standing"))]
    alike = [c for c in range(space.out) if bool(space.down[c]) == down]
    if len(alike) > 1:
        tough = {bool(state.tough) for state in states}
        if len({state.tough for c in alike for state in _states(space, c)}) > 1 and len(tough) == 1:
            words.append(tr(mark("TOUGH")) if tough == {True} else tr(mark("TOUGH used")))
        rest = [c for c in alike if {bool(state.tough) for state in _states(space, c)} == tough]
        if len(rest) > 1:
            words.append(_markers(sorted({state.blood + state.infection for state in states})))
    return ", ".join(words)


def _states(space: Space, condition: int) -> list[Any]:
    return [state for state, c in zip(space.states, space.condition.tolist(), strict=True) if c == condition]


def _markers(found: list[int]) -> str:
    if len(found) == 1:
        return tr("{n} marker" if found[0] == 1 else "{n} markers", n=found[0])
    return tr("{low} to {high} markers", low=found[0], high=found[-1])


def advice_rows(field: Field, outcome: Outcome) -> list[dict[str, Any]]:
    """Give what is attacked, by activation and number out of action before it, most probable first.

    Parameters
    ----------
    field : Field
        The firefight.
    outcome : Outcome
        Of a plan that was followed; others have no advice.

    Returns
    -------
    list of dict
        ``activation`` (from 1), ``attacker``, ``out_of_action`` (how many before it), ``target``, ``condition``, ``p``
        (how probable it is that it comes to this).
    """
    rows = []
    for one in sorted(outcome.advice, key=lambda one: (one["activation"], one["out"], -one["p"])):
        table = field.fight.targets[one["table"]]
        rows.append(
            {
                "activation": one["activation"] + 1,
                "attacker": field.fight.attackers[field.activations[one["activation"]]].name,
                "out_of_action": one["out"],
                "target": table.name,
                "condition": condition_words(field.spaces[one["table"]], one["condition"]),
                "p": one["p"],
            }
        )
    return rows
