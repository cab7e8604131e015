"""Age of Sigmar over whole turns, as tidy frames: what command points add, and how long objectives are held."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from tcsim.aos import AOS
from tcsim.aos.plans.answer import answer
from tcsim.base.lang import mark
from tcsim.questions.asking import ask

if TYPE_CHECKING:
    import pandas as pd

_RIDERS = {"Riders": {"save": "3+", "models": 3, "health": 5}}
_FOE = {"Foe": {"save": "4+", "models": 10, "health": 1}}
_BREAK = (
    {"phase": "charge", "charge": "Riders", "target": "Foe", "need": 8},
    {"phase": "combat", "attack": "Riders", "target": "Foe", "weapons": "12x3+/3+/-1/2"},
)

#: Turns such as are played, as ``tcsim aos budget`` reads them, by what is wanted in them.
TURNS: Mapping[str, Mapping[str, Any]] = {
    mark("break a unit"): {"goal": "destroyed Foe", "units": _RIDERS, "enemies": _FOE, "events": [*_BREAK]},
    mark("2 of 3 charges"): {
        "goal": "charges >= 2",
        "units": {name: {"save": "4+", "models": 5, "health": 2} for name in ("First", "Second", "Third")},
        "enemies": _FOE,
        "events": [
            {"phase": "charge", "charge": name, "target": "Foe", "need": need}
            for name, need in (("First", 7), ("Second", 8), ("Third", 9))
        ],
    },
    mark("hold an objective"): {
        "goal": "control Hill",
        "units": {
            name: {"save": save, "models": 10, "health": 1} for name, save in (("Guard", "4+"), ("Archers", "5+"))
        },
        "enemies": {"Foe": {"save": "4+", "models": 5, "health": 3, "control": 2}},
        "events": [
            {"phase": "enemy_shooting", "attack": "Archers", "target": "Foe", "weapons": "10x4+/4+/-1/1"},
            {"phase": "enemy_charge", "charge": "Foe", "target": "Guard", "need": 6},
            {"phase": "enemy_combat", "attack": "Foe", "target": "Guard", "weapons": "15x3+/3+/-1/1"},
            {"phase": "enemy_combat", "attack": "Guard", "target": "Foe", "weapons": "1x4+/4+/-/1", "each": True},
            {"phase": "enemy_end", "control": "Hill", "owner": "yours", "contesting": ["Guard", "Foe if charge Foe"]},
        ],
    },
    mark("break and save"): {
        "goal": "destroyed Foe and survives Archers",
        "units": {**_RIDERS, "Archers": {"save": "5+", "models": 5, "health": 1}},
        "enemies": {**_FOE, "Wolves": {"save": "5+", "models": 5, "health": 2}},
        "events": [
            *_BREAK,
            {"phase": "enemy_charge", "charge": "Wolves", "target": "Archers", "need": 6},
            {"phase": "enemy_combat", "attack": "Wolves", "target": "Archers", "weapons": "15x4+/3+/-1/1"},
        ],
    },
}

#: Numbers of command points that are asked: what there is in a battle round, one more for the underdog, and less.
POINTS = range(6)


class Holder(NamedTuple):
    """A unit that holds an objective: its models, their Save, Health and Control, and the weapons of each."""

    models: int
    save: int
    health: int
    control: int
    weapons: str


#: Units that hold an objective, from many weak models to few strong ones.
HOLDERS = (Holder(10, 5, 1, 1, "1x4+/4+/0/1"), Holder(5, 4, 2, 1, "2x4+/3+/0/1"), Holder(5, 3, 2, 2, "2x3+/3+/-1/1"))
#: What attacks each of them, and control checks that are looked at: the holder's turn, then the enemy's.
ATTACKER = {"B_models": 5, "B_health": 3, "B_save": 4, "B_weapons": "2x4+/3+/-1/1"}
CHECKS = 6


def budgets(edition: str) -> pd.DataFrame:
    """Tabulate what command points add in :data:`TURNS`.

    Parameters
    ----------
    edition : str
        Edition id, of the fourth edition.

    Returns
    -------
    DataFrame
        A row for each turn and number of command points: ``edition``, ``turn``, ``points``, ``p`` (that the goal is
        reached with their best use, in [0, 1]), ``spent`` (points that are spent on it on average).

    Raises
    ------
    InputError
        When the edition has no commands.

    Examples
    --------
    >>> frame = budgets("4e")
    >>> [round(p, 3) for p in frame[frame["turn"] == "2 of 3 charges"]["p"].tolist()[:3]]
    [0.386, 0.601, 0.601]
    """
    import pandas as pd

    rows = []
    for turn, data in TURNS.items():
        search = answer(data, edition).search
        for points in POINTS:
            best = search.best(points)
            row = {"edition": edition, "turn": turn, "points": points}
            rows.append(row | {"p": float(best.goal), "spent": float(best.spent)})
    return pd.DataFrame(rows)


def holding(edition: str) -> pd.DataFrame:
    """Tabulate how long :data:`HOLDERS` hold an objective against attacks in every turn.

    Parameters
    ----------
    edition : str
        Edition id, of the fourth edition.

    Returns
    -------
    DataFrame
        A row for each holder, with and without Power Through by the attacker at the end of its turns, and control
        check: ``edition``, ``models``, ``save``, ``health``, ``control``, ``power`` (bool), ``check`` (from 1), ``p``
        (that the objective was held at every check so far, in [0, 1]).

    Raises
    ------
    InputError
        When the edition has no objectives.

    Examples
    --------
    >>> frame = holding("4e")
    >>> len(frame), bool(frame["p"].between(0, 1).all())
    (36, True)
    """
    import pandas as pd

    rows = []
    for models, save, health, control, weapons in HOLDERS:
        told = {"models": models, "save": save, "health": health, "control": control}
        asked = {f"A_{key}": value for key, value in (told | {"weapons": weapons}).items()} | ATTACKER
        asked["turns"] = "+".join("ab"[check % 2] for check in range(CHECKS))
        for power in (False, True):
            more = {"B_power": "+".join(str(turn) for turn in range(2, CHECKS + 1, 2))} if power else {}
            found = ask(AOS, "outlook", asked | more, edition).answers
            for check in range(1, CHECKS + 1):
                row = {"edition": edition, **told, "power": power, "check": check}
                rows.append(row | {"p": float(found[f"held_{check}"]["value"])})
    return pd.DataFrame(rows)
