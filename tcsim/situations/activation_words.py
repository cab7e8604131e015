"""The steps of an activation in words."""

from __future__ import annotations

import re
from collections.abc import Iterable

from tcsim.base.lang import mark, tr

#: What steps are called.
STEPS = (
    *(mark("stand"), mark("move"), mark("dash"), mark("climb"), mark("jump"), mark("risky")),
    *(mark("charge"), mark("move in melee"), mark("retreat"), mark("diving charge"), mark("charge out of sight")),
)


def step_in_words(step: str) -> str:
    """Say a step in the language that is spoken.

    Parameters
    ----------
    step : str
        As ``attack 1: Sword / Axe`` or ``dash``.

    Returns
    -------
    str
        In words.
    """
    attack = re.fullmatch(r"attack (\d+)(?:: (.*))?", step)
    if attack is None:
        return tr(step)
    name = tr("attack {n}", n=attack[1])
    return f"{name}: {tr(attack[2])}" if attack[2] else name


def order_in_words(steps: Iterable[str]) -> str:
    """Say an order of steps in the language that is spoken.

    Parameters
    ----------
    steps : iterable of str
        The steps.

    Returns
    -------
    str
        As ``dash > charge > attack 1``, without the names of weapons.

    Examples
    --------
    >>> order_in_words(["dash", "attack 1: Sword / Axe"])
    'dash > attack 1'
    """
    return " > ".join(step_in_words(re.sub(r"^(attack \d+): .*", r"\1", step)) for step in steps)
