"""Power Through: D3 mortal damage at the end of a turn, through a ward, and whether it may be used."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from tcsim.aos.common import D3
from tcsim.aos.editions import FOURTH
from tcsim.aos.fights.inputs import TARGET, check_target
from tcsim.aos.fights.sequence import through
from tcsim.aos.fights.told import DEALT, dealt, dealt_rolled, rare
from tcsim.aos.fights.weapons import DAMAGE
from tcsim.aos.spread import Spread
from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.questions.kinds import Flag, Whole
from tcsim.questions.question import YES_OR_NO, Answer, Asked, Input, Question, once

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice


@once
def _damage(asked: Asked) -> Spread:
    return through(asked["dmg"], asked["ward"])


def _forbidden(asked: Asked) -> list[str]:
    """The conditions of the command that are not met."""
    found = []
    if not asked["charged"]:
        found.append(mark("The unit has not charged this turn, which Power Through asks for (commands, 8.0)."))
    if asked["own_health"] is not None and asked["health"] >= asked["own_health"]:
        found.append(mark("The target's Health is not lower than the unit's, which it has to be (commands, 8.0)."))
    return found


def _legal(asked: Asked) -> dict[str, int]:
    told = asked["own_health"] is not None or not asked["charged"]
    return {"legal": 0 if _forbidden(asked) else 1} if told else {}


def _exact(asked: Asked) -> dict[str, Fraction]:
    damage = _damage(asked)
    answers = {name: Fraction(value) for name, value in _legal(asked).items()} | dealt(asked, damage)
    for name, number in (("reaches", asked["k"]), ("finishes", asked["left"])):
        if number is not None:
            answers[name] = damage.at_least(number)
    return answers


def _rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    from tcsim.aos.fights import rolled

    points = rolled.warded(rolled.amount(asked["dmg"], dice, trials), asked["ward"], dice)
    answers: dict[str, Any] = {name: np.full(trials, value) for name, value in _legal(asked).items()}
    answers |= dealt_rolled(asked, _damage(asked), points)
    for name, number in (("reaches", asked["k"]), ("finishes", asked["left"])):
        if number is not None:
            answers[name] = points >= number
    return answers


def _check(asked: Asked) -> None:
    check_target(asked)
    if asked["own_health"] is not None and asked["health"] is None:
        raise InputError("it needs the target's beside it, as health=2", "own_health")


POWER_THROUGH = Question(
    name="power_through",
    inputs=(
        Input("dmg", DAMAGE, mark("The mortal damage"), default=D3),
        *TARGET[1:],
        Input("k", Whole(1, 100), mark("Damage that would do")),
        Input("left", Whole(1, 1000), mark("Health that the model, or the unit, has left")),
        Input(
            "own_health",
            Whole(1, 100),
            mark("Health of the unit that uses it: that of the target, health, has to be lower"),
        ),
        Input("charged", Flag(), mark("It has charged this turn; a Counter-charge counts"), default=True),
    ),
    answers=(
        Answer("legal", mark("it may be used"), YES_OR_NO),
        *DEALT[:1],
        Answer("reaches", mark("the damage is as much as would do")),
        Answer("finishes", mark("what is left is slain")),
        *DEALT[1:],
    ),
    exact=_exact,
    simulate=_rolled,
    check=_check,
    rule=mark(
        "At the end of any turn a unit that charged this turn picks an enemy unit in combat with it whose Health "
        "characteristic is lower: that unit takes D3 mortal damage, of which each point may be warded off. Then it may "
        "move, through and into the combat of enemies that it was fighting already."
    ),
    source="commands, 8.0; ward: core rules of the fourth edition",
    examples=("ward=5", "left=2 ward=5", "own_health=5 health=2 models=3 wounded=1"),
    editions=FOURTH,
    notes=lambda asked: (*_forbidden(asked), *rare(_damage(asked))),
)

QUESTIONS = (POWER_THROUGH,)
