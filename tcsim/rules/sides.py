"""Whom an effect is about: the one who rolls, the one who is rolled against, or neither of the two of a scenario."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tcsim.rules.mechanisms import is_counted, left_out

if TYPE_CHECKING:
    from tcsim.rules import Edition
    from tcsim.rules.effects import Ability, Effect

#: Effects without ``against it`` that are about a model as a target.
_OF_TARGETS = frozenset(
    {"markers_never", "first_marker_ignored", "base_mm", "defended_obstacle", "blood_left", "until", "lost_keyword"}
)


#: What an attacker does before it attacks, by moves and charges.
_OF_MOVES = frozenset({"movement", "charge_dice", "standing"})


def of_the_roller(effect: Effect) -> bool:
    """Whether an effect is about what its bearer rolls, and not about what is rolled against it or befalls it.

    Parameters
    ----------
    effect : Effect
        Any.

    Returns
    -------
    bool
        False for ``against it`` and for results that become others.

    Examples
    --------
    >>> from tcsim.rules.effects import read_effects
    >>> [of_the_roller(effect) for effect in read_effects("injury_dice=-1 against it; result=down->minor_hit; risky=1")]
    [False, False, True]
    """
    return not effect.against and not (effect.target == "result" and "->" in effect.value)


def is_idle(ability: Ability, side: str, edition: Edition) -> bool:
    """Whether nothing that an ability does can touch a model on its side of a scenario, in any situation.

    Parameters
    ----------
    ability : Ability
        Any.
    side : str
        ``attacker`` or ``target``.
    edition : Edition
        Whose keywords it gives.

    Returns
    -------
    bool
        False too where an answer says that it leaves some of it out, and for what is rolled beside attacks.

    Examples
    --------
    >>> from tcsim.rules import edition
    >>> from tcsim.rules.effects import read_abilities
    >>> [parry] = read_abilities("Parry: action_dice=-1 against it if melee")
    >>> [is_idle(parry, side, edition("1.0.2")) for side in ("attacker", "target")]
    [True, False]
    """
    return not any(_touches(effect, side == "attacker", edition) for effect in ability.effects)


def _touches(effect: Effect, attacks: bool, edition: Edition) -> bool:
    if left_out(effect) or any(condition.name == "doing" for condition in effect.conditions):
        return True
    if effect.target in _OF_MOVES:
        return attacks
    if not is_counted(effect):
        return False
    if effect.aura == "enemies" and "itself" not in effect.remark:  # it reaches the other side
        return of_the_roller(effect) != attacks
    if effect.aura and "itself" not in effect.remark:
        return False
    if effect.target == "keyword":
        word, _ = edition.keyword(effect.value, "model", "keyword")
        helps = bool(word.ignores) or "FEAR" in word.negates.split()
        only_target = word.negates or word.tough or word.golem or word.regenerates or word.sets == "cover"
        return not (only_target and not helps) if attacks else not (helps and not word.sets)
    if effect.target in _OF_TARGETS:
        return not attacks
    return of_the_roller(effect) == attacks
