"""Two warbands against each other: how often each model takes each of the others out, by one activation.

A cell is one Shoot or one Fight action of one model against one standing, unhurt model of the other warband. Each is an
ordinary scenario: the attacker's unit, the weapons, the target's unit and armour; so a cell equals what ``tcsim odds``
says of it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from tcsim.analysis.ways import Option, options_of
from tcsim.base.errors import InputError, unknown
from tcsim.base.lang import mark
from tcsim.catalog import Armour, fold
from tcsim.catalog.ability_rows import read_ability_rows
from tcsim.catalog.armoury import Equipment
from tcsim.catalog.kit import Kit, kits_of
from tcsim.catalog.loadout import check
from tcsim.catalog.warbands import Warband
from tcsim.engines.answer import Plan, exact_results, simulate_whole
from tcsim.engines.result import Result
from tcsim.rules import edition as load_edition
from tcsim.scenario.notes import note
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import Resolved, resolve
from tcsim.stats import rolled

#: Notes of single weapons on what is settled here: what is off-hand, what a weapon goes with.
SETTLED = re.compile(
    r"Not counted yet: [^:]+: (It can serve as the off-hand weapon|Beside the .+ always (the )?off-hand( weapon)?"
    r"|The bearer must have .+ BAYONET LUG .+)\."
)

#: What a weapon lets the player pick differs from cell to cell.
CHOSEN = re.compile(r"(.+ counts what is better) here: [a-z ]+\.")

#: What a model may do in its activation.
ACTIONS = ("best", "ranged", "melee")


@dataclass(frozen=True)
class Cell:
    """The odds of one model against another; ``option`` and ``result`` None where it has no attack to make."""

    option: Option | None
    result: Result | None

    @property
    def out_of_action(self) -> float:
        """Probability in [0, 1] that the target is out of action after it."""
        return self.result.out_of_action if self.result is not None else 0.0

    @property
    def down(self) -> float:
        """Probability in [0, 1] that the target is Down, and not out of action."""
        return self.result.down if self.result is not None else 0.0


@dataclass(frozen=True)
class Side:
    """One warband, its models, and what each can do.

    Parameters
    ----------
    warband : Warband
        As read.
    kits : tuple of Kit
        Its entries.
    options : tuple of tuple of Option
        For each entry, every way to attack.
    """

    warband: Warband
    kits: tuple[Kit, ...]
    options: tuple[tuple[Option, ...], ...]


@dataclass(frozen=True)
class Matchup:
    """Two warbands, and the odds both ways.

    Parameters
    ----------
    sides : tuple of Side
        Both warbands.
    cells : tuple of table of Cell
        For each side, a row per attacker and a column per model of the other side.
    notes : tuple of str
        What is not counted, a sentence each.
    assumed : tuple of str
        What is taken for granted.
    plan : Plan or None
        How it was rolled; None for exact odds.
    """

    sides: tuple[Side, Side]
    cells: tuple[tuple[tuple[Cell, ...], ...], tuple[tuple[Cell, ...], ...]]
    notes: tuple[str, ...]
    assumed: tuple[str, ...]
    plan: Plan | None = None

    def rows(self) -> list[dict[str, Any]]:
        """Give every cell as plain data.

        Returns
        -------
        list of dict
            Attacker and target (warband, number from 1, name, how many), ``action``, ``weapons``, ``out_of_action``,
            ``down``; where it was rolled also ``count``, ``trials``, ``low`` and ``high`` (95%), ``interval``.
        """
        found = []
        for side, table in enumerate(self.cells):
            attackers, targets = self.sides[side], self.sides[1 - side]
            for i, row in enumerate(table):
                for j, cell in enumerate(row):
                    record = {
                        **_who("attacker", attackers, i),
                        **_who("target", targets, j),
                        "action": cell.option.kind if cell.option is not None else None,
                        "weapons": cell.option.label if cell.option is not None else None,
                        "out_of_action": cell.out_of_action,
                        "down": cell.down,
                    }
                    if self.plan is not None:
                        record |= _counted(cell)
                    found.append(record)
        return found

    @property
    def widest(self) -> float:
        """How far the interval of any cell that was rolled reaches to one side of its share; 0 for exact odds."""
        counted = [row for row in self.rows() if row.get("low") is not None]
        return max(
            (max(row["high"] - row["out_of_action"], row["out_of_action"] - row["low"]) for row in counted), default=0.0
        )

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data, for JSON.

        Returns
        -------
        dict
            ``edition``, ``method``, ``warbands``, ``cells`` as :meth:`rows`, ``notes`` and ``assumed``; where it was
            rolled also ``trials``, ``seed``, ``stream_version`` and ``level``.
        """
        how: dict[str, Any] = {"method": "exact"}
        if self.plan is not None:
            from tcsim.kernels.stream import STREAM_VERSION

            how = {"method": "monte_carlo"} | rolled(self.plan.trials, self.plan.seed, STREAM_VERSION)
        return {
            "edition": self.sides[0].warband.edition,
            **how,
            "warbands": [
                {
                    "id": side.warband.id,
                    "faction": side.warband.faction,
                    "models": [
                        {"unit": kit.unit.id, "name": kit.unit.name, "count": kit.model.count} for kit in side.kits
                    ],
                }
                for side in self.sides
            ],
            "cells": self.rows(),
            "notes": list(self.notes),
            "assumed": list(self.assumed),
        }


def _who(role: str, side: Side, index: int) -> dict[str, Any]:
    kit = side.kits[index]
    return {
        f"{role}_warband": side.warband.id,
        f"{role}_number": index + 1,
        role: kit.unit.name,
        f"{role}_count": kit.model.count,
    }


def _counted(cell: Cell) -> dict[str, Any]:
    if cell.result is None or cell.result.run is None or cell.result.interval is None:
        return dict.fromkeys(("count", "trials", "low", "high", "interval"))
    method, low, high = cell.result.interval
    run = cell.result.run
    return {"count": run.counts.get(None, 0), "trials": run.trials, "low": low, "high": high, "interval": method}


def matchup(
    first: Warband,
    second: Warband,
    action: str = "best",
    plan: Plan | None = None,
    progress: Callable[[int], None] | None = None,
) -> Matchup:
    """Work out how often each model of two warbands takes each model of the other out, by one activation.

    Parameters
    ----------
    first, second : Warband
        Both of the same edition.
    action : str, optional
        ``ranged`` (its Shoot action), ``melee`` (its Fight action), or ``best``: whatever of them, with whatever
        weapon, has the better exact odds against the target.
    plan : Plan, optional
        Also roll the chosen action so; default: exact odds only.
    progress : callable, optional
        Called with the number of cells rolled since the last call.

    Returns
    -------
    Matchup
        The odds both ways.

    Raises
    ------
    InputError
        When the editions differ, or a name does not exist.

    Examples
    --------
    >>> from tcsim.catalog import warband
    >>> table = matchup(warband("na-line"), warband("hl-gunline"))
    >>> len(table.cells[0]), len(table.cells[0][0])
    (6, 5)
    """
    if action not in ACTIONS:
        raise unknown("action", action, ACTIONS, "action")
    if first.edition != second.edition:
        raise InputError(
            f"{first.id} is of {first.edition}, {second.id} of {second.edition}; both must be of one edition"
        )
    notes: list[str] = []
    sides = (_side(first, notes), _side(second, notes))
    questions, places = _questions(sides, action)
    results = _solved(questions)
    cells = _best(sides, places, results)
    if plan is not None:
        cells = _rolled(cells, plan, progress)
    assumed: list[str] = []
    for question in questions:
        for text in question.notes:
            if not SETTLED.fullmatch(text):
                note(notes, CHOSEN.sub(r"\1 against each target.", text))
        for text in question.assumed:
            note(assumed, text)
    return Matchup(
        sides, cells, tuple(notes), ("short range", "no cover", mark("no aura of another model"), *assumed), plan
    )


# --- what a model can do --------------------------------------------------------------------------------------


def _side(warband: Warband, notes: list[str]) -> Side:
    kits = kits_of(warband)
    broken = len(check(warband).breaches)
    if broken:
        rules = "1 rule is" if broken == 1 else f"{broken} rules are"
        note(notes, f"{warband.id} is not legal, {rules} broken; tcsim catalog check says which.")
    for kit in kits:
        _note_kit(kit, notes)
    return Side(warband, kits, tuple(tuple(options_of(kit, notes)) for kit in kits))


def _note_kit(kit: Kit, notes: list[str]) -> None:
    idle = [one.name for one in kit.carried if isinstance(one.item, Equipment) and one.item.id != "shovel"]
    idle += [one.name for one in kit.upgrades if not (one.is_ability or one.keywords or one.name in _own(kit))]
    for name in idle:
        note(notes, f"Not counted: {name} ({kit.unit.name}).")


def _own(kit: Kit) -> set[str]:
    """Abilities that the unit has of itself."""
    return {ability.name for ability in kit.unit.abilities if ability.price is None}


# --- questions and answers --------------------------------------------------------------------------------------


def scenario_of(attacker: Kit, option: Option, target: Kit) -> dict[str, Any]:
    """Write a cell as the scenario that it is.

    Parameters
    ----------
    attacker : Kit
        Who attacks.
    option : Option
        How.
    target : Kit
        Who is attacked.

    Returns
    -------
    dict
        As :func:`tcsim.odds` takes it.

    Examples
    --------
    >>> from tcsim.catalog import warband
    >>> yeoman = kits_of(warband("na-line"))[-1]
    >>> scenario_of(yeoman, options_of(yeoman, [])[0], yeoman)["attacks"]
    [{'weapon': 'bolt-action-rifle', 'kind': 'ranged'}]
    """
    return {
        "edition": attacker.unit.edition,
        "attacker": model_of(attacker),
        "target": model_of(target),
        "attacks": [dict(attack) for attack in option.attacks],
    }


def model_of(kit: Kit) -> dict[str, Any]:
    """Write a model as attacker or target of a scenario: unit, what it wears beyond the unit's own, its options.

    Parameters
    ----------
    kit : Kit
        The model.

    Returns
    -------
    dict
        ``unit``, ``armour``, ``keywords``, ``abilities``.
    """
    known = load_edition(kit.unit.edition).keywords
    words = dict.fromkeys(word for one in kit.upgrades if not one.is_ability for word in one.keywords)
    worn = dict.fromkeys(one.item.id for one in kit.carried if isinstance(one.item, Armour))
    return {
        "unit": kit.unit.id,
        "armour": [id for id in worn if id not in kit.unit.armour_ids],
        "keywords": [word for word in words if word in known and word not in kit.unit.keywords],
        "abilities": [one.name for one in kit.upgrades if one.is_ability and one.name not in _own(kit)]
        + _of_variant(kit),
    }


def _of_variant(kit: Kit) -> list[str]:
    """Rules that a variant gives to the whole warband, but for those that stand in the unit's row too."""
    if not kit.faction.variant:
        return []
    own = {fold(name) for name in _own(kit)}
    rows = read_ability_rows(kit.unit.edition)
    names = (row.ability.name for row in rows if (row.kind, row.group) == ("warband", kit.faction.name))
    return [name for name in names if fold(name) not in own]


_Place = tuple[int, int, int, Option]


def _questions(sides: tuple[Side, Side], action: str) -> tuple[list[Resolved], list[_Place]]:
    questions, places = [], []
    known: dict[str, Resolved] = {}
    for side in (0, 1):
        mine, theirs = sides[side], sides[1 - side]
        for i, attacker in enumerate(mine.kits):
            for j, target in enumerate(theirs.kits):
                for option in mine.options[i]:
                    if action not in ("best", option.kind):
                        continue
                    if option.largest_base is not None and target.unit.base_mm > option.largest_base:
                        continue
                    asked = scenario_of(attacker, option, target)
                    if repr(asked) not in known:  # models that are alike are asked once
                        known[repr(asked)] = resolve(from_mapping(asked))
                    questions.append(known[repr(asked)])
                    places.append((side, i, j, option))
    return questions, places


def _solved(questions: list[Resolved]) -> list[Result]:
    """Answer all questions in one go; the same question is answered once."""
    first: dict[Any, int] = {}
    for index, question in enumerate(questions):
        first.setdefault(question.problem, index)
    alone = [questions[index] for index in first.values()]
    states = {result.resolved.problem: result.states for result in (exact_results(alone) if alone else [])}
    return [Result(question, "exact", states[question.problem]) for question in questions]


_Table = tuple[tuple[Cell, ...], ...]


def _best(sides: tuple[Side, Side], places: list[_Place], results: list[Result]) -> tuple[_Table, _Table]:
    """Pick for each cell the option with the best odds: out of action, then Down, then the first."""
    best: dict[tuple[int, int, int], Cell] = {}
    for (side, i, j, option), result in zip(places, results, strict=True):
        cell, held = Cell(option, result), best.get((side, i, j))
        if held is None or _worth(cell) > _worth(held):
            best[side, i, j] = cell
    first, second = (
        tuple(
            tuple(best.get((side, i, j), Cell(None, None)) for j in range(len(sides[1 - side].kits)))
            for i in range(len(sides[side].kits))
        )
        for side in (0, 1)
    )
    return first, second


def _worth(cell: Cell) -> tuple[float, float]:
    return round(cell.out_of_action, 12), round(cell.down, 12)


def _rolled(cells: tuple[_Table, _Table], plan: Plan, progress: Callable[[int], None] | None) -> tuple[_Table, _Table]:
    rolled: dict[Any, Result] = {}

    def roll(cell: Cell) -> Cell:
        if cell.result is None:
            return cell
        question = cell.result.resolved
        if question.problem not in rolled:
            rolled[question.problem] = simulate_whole(question, plan)
        if progress is not None:
            progress(1)
        found = rolled[question.problem]
        return Cell(cell.option, Result(question, found.method, found.states, found.run))

    first, second = (tuple(tuple(roll(cell) for cell in row) for row in table) for table in cells)
    return first, second
