"""After the battle: who lives, what a D66 says of those who matter."""

from __future__ import annotations

import tomllib
from fractions import Fraction
from functools import cache
from importlib.resources import files
from math import comb
from typing import TYPE_CHECKING, Any, NamedTuple

from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.questions.kinds import Several, Whole, Word
from tcsim.questions.question import Answer, Asked, Input, Question, family
from tcsim.situations.numbers import fights, sources

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: The one injury that is had twice, and retires the model that has it twice.
EYE = "lost_eye"


# --- troops ---------------------------------------------------------------------------------------------------


def survivors(edition: str, models: int) -> dict[int, Fraction]:
    """Give the chance of each number of survivors.

    Parameters
    ----------
    edition : str
        The edition.
    models : int
        Troops that went out of action.

    Returns
    -------
    dict of int to Fraction
        Survivors to their chance.

    Examples
    --------
    >>> survivors("1.6.3", 1)
    {0: Fraction(1, 3), 1: Fraction(2, 3)}
    """
    p = Fraction(7 - fights()[edition]["survival"]["lives_on"], 6)
    return {k: comb(models, k) * p**k * (1 - p) ** (models - k) for k in range(models + 1)}


def survivors_rolled(edition: str, models: int, dice: Dice, trials: int) -> Any:
    """Roll a D6 for each troop.

    Parameters
    ----------
    edition : str
        The edition.
    models : int
        Troops that went out of action.
    dice : Dice
        The dice.
    trials : int
        How many.

    Returns
    -------
    array of int, shape (trials,)
        Survivors.
    """
    return (dice.roll(trials, models) >= fights()[edition]["survival"]["lives_on"]).sum(axis=1)


def _survival(asked: Asked) -> dict[str, Fraction]:
    models = asked["models"]
    alive = survivors(asked.edition, models)
    return {
        "all": alive[models],
        "any": 1 - alive[0],
        "expected": sum((k * p for k, p in alive.items()), Fraction(0)),
        **family("survivors", alive),
    }


def _survival_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    models = asked["models"]
    alive = survivors_rolled(asked.edition, models, dice, trials)
    counted = family("survivors", {k: alive == k for k in range(models + 1)})
    return {"all": alive == models, "any": alive > 0, "expected": alive, **counted}


# --- ELITE models ---------------------------------------------------------------------------------------------


class Trauma(NamedTuple):
    """A result of the trauma table.

    Attributes
    ----------
    name : str
        What it is called.
    first, last : int
        Every D66 from the one to the other gives it.
    scar : bool
        Whether it leaves a Battle Scar.
    """

    name: str
    first: int
    last: int
    scar: bool

    @property
    def rolls(self) -> list[int]:
        """The D66 that give it: both digits are dice."""
        return [roll for roll in D66 if self.first <= roll <= self.last]


#: All there is on two dice read as tens and ones.
D66 = [10 * tens + ones for tens in range(1, 7) for ones in range(1, 7)]


@cache
def trauma_table(edition: str) -> dict[str, Trauma]:
    """Read the trauma table of an edition.

    Parameters
    ----------
    edition : str
        The edition.

    Returns
    -------
    dict of str to Trauma
        Its results by id.

    Examples
    --------
    >>> len(trauma_table("1.6.3")["full_recovery"].rolls), trauma_table("1.0.2")["robbed"].rolls
    (15, [36])
    """
    data = tomllib.loads((files("tcsim.situations") / "trauma.toml").read_text(encoding="utf-8"))
    return {id: Trauma(row[0], row[1], row[2], id not in data["no_scar"]) for id, row in data[edition].items()}


def _scars(asked: Asked) -> int:
    scars: int | None = asked["scars"]
    return len(asked["had"] or ()) if scars is None else scars


def _again(asked: Asked) -> set[str]:
    """Results that are rolled again, since the model has them already."""
    return set(asked["had"] or ()) - {EYE} if fights()[asked.edition]["trauma"]["again"] else set()


def _is_last(asked: Asked, scars: int) -> bool:
    return bool(scars >= fights()[asked.edition]["trauma"]["last_scar"])


def _is_lost(asked: Asked, id: str) -> bool:
    scar = trauma_table(asked.edition)[id].scar
    return id == "dead" or (scar and _is_last(asked, _scars(asked) + 1)) or (id == EYE and id in (asked["had"] or ()))


def _trauma(asked: Asked) -> dict[str, Fraction]:
    table, again = trauma_table(asked.edition), _again(asked)
    ways = {id: len(result.rolls) for id, result in table.items() if id not in again}
    chance = {id: Fraction(n, sum(ways.values())) for id, n in ways.items()}

    def of(*ids: str) -> Fraction:
        return sum((chance[id] for id in ids), Fraction(0))

    lost = of(*(id for id in chance if _is_lost(asked, id)))
    return {
        "lost": lost,
        "all_stay": (1 - lost) ** asked["models"],
        "dead": chance["dead"],
        "scar": of(*(id for id in chance if table[id].scar)),
        **family("result", chance),
    }


def _trauma_rolled(asked: Asked, dice: Dice, trials: int) -> dict[str, Any]:
    import numpy as np

    ids, again = list(trauma_table(asked.edition)), _again(asked)
    place = np.zeros(67, int)
    for number, result in enumerate(trauma_table(asked.edition).values()):
        place[result.rolls] = number
    anew = np.array([id in again for id in ids])
    lost = np.array([_is_lost(asked, id) for id in ids])
    scar = np.array([trauma_table(asked.edition)[id].scar for id in ids])

    def roll() -> Any:
        faces = dice.roll(trials, 2)
        found = place[10 * faces[:, 0] + faces[:, 1]]
        while anew[found].any():
            left = np.flatnonzero(anew[found])
            faces = dice.roll(len(left), 2)
            found[left] = place[10 * faces[:, 0] + faces[:, 1]]
        return found

    first = roll()
    stay = ~lost[first]
    for _ in range(asked["models"] - 1):
        stay &= ~lost[roll()]
    each = {id: first == number for number, id in enumerate(ids) if id not in again}
    return {
        "lost": lost[first],
        "all_stay": stay,
        "dead": first == ids.index("dead"),
        "scar": scar[first],
        **family("result", each),
    }


#: What the results are called.
NAMES = {id: result.name for id, result in trauma_table("1.6.3").items()}

_INJURIES = Word({id: "" for id, result in trauma_table("1.6.3").items() if result.scar})


def _check_trauma(asked: Asked) -> None:
    if _is_last(asked, _scars(asked)):
        message = f"these are {_scars(asked)} Battle Scars, which end a model's service; say scars, if it has fewer"
        raise InputError(message, "had")
    if (asked["had"] or ()).count(EYE) > 1:
        raise InputError(f"{EYE} is given twice, and a second one is a model's last injury", "had")


QUESTIONS = (
    Question(
        name="survival",
        inputs=(Input("models", Whole(1, 100), mark("Troops that went out of action"), default=1),),
        answers=(
            Answer("all", mark("all of them survive")),
            Answer("any", mark("at least one survives")),
            Answer("expected", mark("survivors, on average"), mark("models")),
            Answer("survivors", mark("so many survive"), family=True),
        ),
        exact=_survival,
        simulate=_survival_rolled,
        rule=mark("After a battle a troop that went out of action dies on a D6 of 1 or 2, and survives on 3 or more."),
        source=sources("survival"),
        examples=("models=3",),
    ),
    Question(
        name="trauma",
        inputs=(
            Input("models", Whole(1, 20), mark("ELITE models that went out of action, all like this one"), default=1),
            Input("had", Several(_INJURIES, 10), mark("Injuries that the model has already, as lost_eye+leg_wound")),
            Input("scars", Whole(0, 2), mark("Its Battle Scars; left out: one for each injury it has")),
        ),
        answers=(
            Answer("lost", mark("the model is lost: dead, or retired by its last Battle Scar or its second eye")),
            Answer("all_stay", mark("none of the models is lost")),
            Answer("dead", mark("it is dead")),
            Answer("scar", mark("it has another Battle Scar")),
            Answer("result", mark("the table says"), family=True, labels=NAMES),
        ),
        exact=_trauma,
        simulate=_trauma_rolled,
        check=_check_trauma,
        rule={
            "1.6.3": mark(
                "After a battle an ELITE model that went out of action rolls a D66, two dice read as tens and ones. "
                "Most injuries leave a Battle Scar; the third one ends its service, and so does the second lost eye."
            ),
            "1.0.2": mark(
                "After a battle an ELITE model that went out of action rolls a D66, two dice read as tens and ones. "
                "Most injuries leave a Battle Scar; the third one ends its service, and so does the second lost eye. "
                "Any other injury that it has already is rolled again."
            ),
        },
        source=sources("trauma"),
        examples=("models=1", "had=lost_eye+leg_wound"),
    ),
)
