"""What blood markers are worth: to which weapon, against which armour, spent in which way."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

from tcsim.base.errors import InputError
from tcsim.base.lang import mark
from tcsim.catalog import Catalog, catalog
from tcsim.engines.exact import solve
from tcsim.rules import DEFAULT_EDITION
from tcsim.scenario.problem import BLOOD_POLICIES
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import resolve

if TYPE_CHECKING:
    import pandas as pd

#: Weapons that are told: plain, of two shots, with an injury modifier, DEADLY, ignoring armour. The first is no weapon.
PLAIN = "plain"
WEAPONS = ("submachine-gun", "great-sword-axe", "malebranche-sword", "anti-materiel-rifle")

#: Injury modifiers of armour, and markers at the start.
MODIFIERS, BLOOD = (0, -1, -2, -3), tuple(range(7))

#: What the attack without a weapon is called.
PLAIN_LABEL = mark("Plain attack")


def marker_worth(
    rows: str | Catalog = DEFAULT_EDITION,
    weapons: Sequence[str] = WEAPONS,
    attacks: int = 3,
    modifiers: Sequence[int] = MODIFIERS,
) -> pd.DataFrame:
    """Tabulate the chance of out of action by blood markers at the start, for each way of spending them.

    Parameters
    ----------
    rows : str or Catalog, optional
        Edition id, or a catalogue of it.
    weapons : sequence of str, optional
        Catalogue weapons; a plain ranged attack at 0 DICE comes first in any case.
    attacks : int, optional
        How many attack actions, one after the other, on a target that does not stand up in between.
    modifiers : sequence of int, optional
        Injury modifiers of the target's armour, 0 or less.

    Returns
    -------
    DataFrame
        ``edition``, ``weapon_id`` (``plain`` for none), ``weapon``, ``injury_modifier``, ``tough``, ``blood`` (markers
        at the start), ``policy`` (none, all, bloodbath, greedy, optimal), ``p`` (probability in [0, 1] of out of
        action after all attacks) and ``gain`` (what the last marker adds to it; missing where there is none).

    Raises
    ------
    InputError
        For a weapon that does not exist, or for which spending cannot be planned.

    Examples
    --------
    >>> frame = marker_worth("1.6.3", weapons=[], attacks=1, modifiers=[0])
    >>> worth = frame[~frame.tough & (frame.policy == "all")].set_index("blood")
    >>> round(float(worth.p[0]), 4), round(float(worth.gain[1]), 4)
    (0.1689, 0.1411)
    """
    import pandas as pd

    known = rows if isinstance(rows, Catalog) else catalog(rows)
    chosen: list[tuple[str, str, dict[str, Any]]] = [(PLAIN, PLAIN_LABEL, {"kind": "ranged"})]
    for name in dict.fromkeys(weapons):
        weapon = known.weapon(name, where="weapons")
        chosen.append((weapon.id, weapon.label, {"weapon": weapon.id}))
    cells, problems = [], []
    for (key, label, table), modifier, tough in product(chosen, modifiers, (False, True)):
        scenario = {
            "edition": known.edition,
            "target": {"injury_modifier": modifier, "tough": tough},
            "attacks": [{**table, "times": attacks}],
            "spend": {"blood_on_injury": "optimal"},
        }
        try:
            problem = resolve(from_mapping(scenario), known).problem
        except InputError as error:
            raise InputError(f"{label}: {error}", "weapons") from None
        for (code, policy), blood in product(enumerate(BLOOD_POLICIES), BLOOD):
            cells.append((known.edition, key, label, modifier, tough, blood, policy))
            start = problem.start._replace(blood=blood)
            problems.append(replace(problem, start=start, policy=problem.policy._replace(blood=code)))
    names = ["edition", "weapon_id", "weapon", "injury_modifier", "tough", "blood", "policy"]
    frame = pd.DataFrame(cells, columns=names)
    frame["p"] = [dict(final).get(None, 0.0) for final in solve(problems)]
    same = ["edition", "weapon_id", "injury_modifier", "tough", "policy"]
    frame["gain"] = frame["p"] - frame.groupby(same)["p"].shift(1)
    return frame
