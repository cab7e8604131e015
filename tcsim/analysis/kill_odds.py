"""Kill odds: what armour, blood markers, CRITICAL and TOUGH do to the chances of real weapons.

A cell is one weapon attacking one kind of target some times. Each cell is answered exactly, and rolled if trials are
asked for; exact and rolled stand side by side, for :mod:`tcsim.analysis.agreement` to judge.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import product
from math import sqrt
from typing import TYPE_CHECKING, Any

from tcsim.base.errors import InputError
from tcsim.catalog import Catalog, Weapon, catalog
from tcsim.engines.answer import Plan, exact_results, simulate_whole
from tcsim.engines.result import Result
from tcsim.rules import DEFAULT_EDITION
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import Resolved, resolve
from tcsim.stats import LEVEL, interval, z_score

if TYPE_CHECKING:
    import pandas as pd

#: Weapons of the report when none are named: plain, fast, keen, burning, deadly, armour-ignoring; all counted in full.
DEFAULT_WEAPONS = (
    "bolt-action-rifle",
    "submachine-gun",
    "shotgun",
    "sword-axe",
    "great-sword-axe",
    "hellblade",
    "malebranche-sword",
    "anti-materiel-rifle",
)

#: Armour from light to heavy: name in the catalogue (None: no armour), and what it is called here.
ARMOURS = (
    (None, "none"),
    ("Standard Armour", "standard"),
    ("Reinforced Armour", "reinforced"),
    ("Machine Armour", "machine"),
)
SHIELD = "Trench Shield"
#: Chances of a grid that differ by no more are the same; means are taken of them, so it is wider than that of answers.
SAME = 1e-9
#: Grenades and the like: as many as the question needs.
MOST_CARRIED = 100
BLOOD = tuple(range(7))
ATTACKS = (1, 2, 3, 4)


def kill_odds(
    weapons: Sequence[str] = DEFAULT_WEAPONS,
    edition: str | Catalog = DEFAULT_EDITION,
    blood: Sequence[int] = BLOOD,
    attacks: Sequence[int] = ATTACKS,
    spend: str = "greedy",
    trials: int = 0,
    seed: int = 1,
    progress: Callable[[int], None] | None = None,
) -> pd.DataFrame:
    """Tabulate kill odds by armour, blood markers, CRITICAL, TOUGH and number of attacks.

    Parameters
    ----------
    weapons : sequence of str, optional
        Catalogue weapons that are counted in full.
    edition : str or Catalog, optional
        Edition id, or a catalogue of it.
    blood : sequence of int, optional
        Blood markers the target holds at the start, each 0 to 6.
    attacks : sequence of int, optional
        How many attack actions, one after the other.
    spend : str, optional
        Policy for blood on injury rolls: none, all, bloodbath or greedy.
    trials : int, optional
        Trials per cell to roll beside the exact answer; 0 rolls none.
    seed : int, optional
        Seed of the rolled cells.
    progress : callable, optional
        Called with the number of cells finished since the last call.

    Returns
    -------
    DataFrame
        A row per cell: ``weapon_id``, ``weapon``, ``kind``, ``armour`` (none, standard, reinforced, machine),
        ``shield``, ``critical``, ``printed`` (whether CRITICAL is as the books print it), ``tough``, ``blood``,
        ``attacks``; ``question`` (two kinds of armour that come to the same ask the same, and share value and dice),
        ``modifier`` (what armour and shield come to against this weapon); exact ``p_out``, ``p_down`` (probabilities
        in [0, 1]) and ``blood_left`` (mean blood markers on a target still in the fight, missing when there is none);
        when rolled also ``trials``, and for out and down ``*_count``, ``*_low``, ``*_high`` (95% interval), and
        ``blood_left_rolled`` with its interval.

    Raises
    ------
    InputError
        For a weapon that does not exist or is not counted in full, or a number out of range.

    Examples
    --------
    >>> frame = kill_odds(["bolt-action-rifle"], blood=[0], attacks=[1])
    >>> round(frame[(frame.armour == "standard") & ~frame.shield & ~frame.critical & ~frame.tough].p_out.item(), 4)
    0.1025
    """
    import pandas as pd

    rows, cells, questions = _questions(weapons, edition, blood, attacks, spend)
    exact = exact_results(questions)
    records = []
    rolled: dict[str, dict[str, Any]] = {}
    plan = Plan(trials, seed)
    for cell, question, result in zip(cells, questions, exact, strict=True):
        record = cell | {
            "question": question.problem.fingerprint[:16],
            "modifier": question.actions[0].step.injury_modifier - _own_modifier(rows, cell["weapon_id"]),
            "p_out": result.out_of_action,
            "p_down": result.down,
            "blood_left": result.blood,
        }
        if trials:
            if record["question"] not in rolled:
                rolled[record["question"]] = _rolled(simulate_whole(question, plan))
            record |= rolled[record["question"]]
        if progress is not None:
            progress(1)
        records.append(record)
    return pd.DataFrame.from_records(records)


def _questions(
    weapons: Sequence[str], edition: str | Catalog, blood: Sequence[int], attacks: Sequence[int], spend: str
) -> tuple[Catalog, list[dict[str, Any]], list[Resolved]]:
    if not weapons:
        raise InputError("at least one weapon is needed", "weapons")
    plain = edition if isinstance(edition, Catalog) else catalog(edition)
    rules = plain.rules
    chosen = [plain.weapon(name, where="weapons") for name in dict.fromkeys(weapons)]
    for weapon in chosen:
        if weapon.unmodelled:
            raise InputError(f"{weapon.label} is not counted in full yet ({weapon.unmodelled[0]})", "weapons")
    twins = {weapon.id: _twin(weapon) for weapon in chosen}
    rows = replace(plain, more=(*plain.more, *twins.values()))
    cells, questions = [], []
    for weapon, critical, (armour, name), shield, tough in product(
        chosen, (False, True), ARMOURS, (False, True), (False, True)
    ):
        if shield and armour is not None and not plain.armour(armour).stacks_with_shield:
            continue
        counted = any(rules.keyword(name, "attack")[0].counted for name in weapon.keywords)
        row = weapon if critical == ("CRITICAL" in weapon.keywords) else twins[weapon.id]
        worn = ([armour] if armour else []) + ([SHIELD] if shield else [])
        for markers, times in product(blood, attacks):
            scenario = {
                "edition": plain.edition,
                "target": {"armour": worn, "blood": markers, "tough": tough},
                "attacks": [{"weapon": row.id, "times": times, "carried": MOST_CARRIED if counted else None}],
                "spend": {"blood_on_injury": spend},
            }
            cells.append(
                {
                    "weapon_id": weapon.id,
                    "weapon": weapon.label,
                    "kind": weapon.attack_kind,
                    "armour": name,
                    "shield": shield,
                    "critical": critical,
                    "printed": row is weapon,
                    "tough": tough,
                    "blood": markers,
                    "attacks": times,
                }
            )
            questions.append(resolve(from_mapping(scenario), rows))
    return rows, cells, questions


def _twin(weapon: Weapon) -> Weapon:
    """The same weapon with CRITICAL if it has none, without it if it has."""
    if "CRITICAL" in weapon.keywords:
        keywords = tuple(word for word in weapon.keywords if word != "CRITICAL")
    else:
        keywords = (*weapon.keywords, "CRITICAL")
    name = f"{weapon.label}, CRITICAL {'removed' if 'CRITICAL' in weapon.keywords else 'added'}"
    return replace(weapon, id=f"{weapon.id}-critical-twin", name=name, profile="", keywords=keywords)


def _own_modifier(rows: Catalog, weapon_id: str) -> int:
    return rows.weapon(weapon_id).injury_modifier


def _rolled(result: Result) -> dict[str, Any]:
    assert result.run is not None
    counts, trials = result.run.counts, result.run.trials
    record: dict[str, Any] = {"trials": trials}
    down = sum(n for state, n in counts.items() if state is not None and state.down)
    for name, count in (("out", counts.get(None, 0)), ("down", down)):
        _, low, high = interval(count, trials)
        record |= {f"{name}_count": count, f"{name}_low": _six(low), f"{name}_high": _six(high)}
    alive = {state: n for state, n in counts.items() if state is not None}
    n = sum(alive.values())
    mean = sum(k * state.blood for state, k in alive.items()) / n if n else float("nan")
    spread = sqrt(sum(k * (state.blood - mean) ** 2 for state, k in alive.items()) / n) if n else float("nan")
    half = z_score(LEVEL) * spread / sqrt(n) if n else float("nan")
    ends = {"blood_left_low": _six(mean - half), "blood_left_high": _six(mean + half)}
    return record | {"blood_left_rolled": _six(mean)} | ends


def _six(value: float) -> float:
    """Six digits: more than any count is good for, and a table that stays small."""
    return float(f"{value:.6g}")
