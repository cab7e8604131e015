"""Scenarios to problems, in columns: what only changes the start or the number of attacks is resolved once for all.

A scenario is taken apart into the *free* fields, which only change the start of a problem, how often its attacks are
made, or what is spent on injuries, and the *rest*, which must be resolved. Rows that differ in free fields alone share
one resolved problem.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tcsim.base.errors import InputError
from tcsim.catalog import Catalog
from tcsim.scenario.problem import ATTACK, BLOOD_POLICIES, Problem, State, first
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import check_plan, resolve
from tcsim.sweep.fields import Place, put

Ints = NDArray[np.int64]

#: How often the first few attacks are made.
TIMES: dict[str, Place] = {f"times_{number}": ("attacks", number, "times") for number in range(4)}

#: Fields that only change the start, how often attacks are made, or who spends what.
FREE: dict[str, Place] = {
    "blood": ("target", "blood"),
    "down": ("target", "down"),
    "blessing": ("target", "blessing"),
    "infection": ("target", "infection"),
    "spend": ("spend", "blood_on_injury"),
} | TIMES

#: Of what kind the values of free fields are, the least and the most; those of others take no part.
_ALLOWED: dict[str, tuple[type, int, int]] = {
    "blood": (int, 0, 6),
    "down": (bool, 0, 1),
    "blessing": (int, 0, 6),
    "infection": (int, 0, 6),
} | dict.fromkeys(TIMES, (int, 1, 100))

_OF_TARGET = tuple(name for name, place in FREE.items() if place[0] == "target")

#: What stands in a column of a free field where a row does not say it.
UNSAID = -1

#: Most problems that are remembered from one piece to the next.
_MOST_KEPT = 60_000


def free_value(name: str, value: Any) -> int | None:
    """Give the value of a free field as a number; None where it is not allowed, or not of the right kind.

    Parameters
    ----------
    name : str
        A key of ``FREE``.
    value : Any
        As given.

    Returns
    -------
    int or None
        The number.

    Examples
    --------
    >>> free_value("down", True), free_value("blood", 7), free_value("blood", True), free_value("spend", "all")
    (1, None, None, 1)
    """
    if name == "spend":
        return BLOOD_POLICIES.index(value) if isinstance(value, str) and value in BLOOD_POLICIES else None
    kind, low, high = _ALLOWED[name]
    is_of_kind = type(value) is kind
    return int(value) if is_of_kind and low <= value <= high else None


def said_value(name: str, number: int) -> bool | int | str:
    """Give what a scenario says in a free field.

    Parameters
    ----------
    name : str
        A key of ``FREE``.
    number : int
        As :func:`free_value` gives it.

    Returns
    -------
    bool, int or str
        The value.

    Examples
    --------
    >>> said_value("down", 1), said_value("blood", 6), said_value("spend", 1)
    (True, 6, 'all')
    """
    return BLOOD_POLICIES[number] if name == "spend" else bool(number) if name == "down" else number


@dataclass
class Rows:
    """Some scenarios, one after the other, taken apart.

    Parameters
    ----------
    keys : sequence of hashable
        What names each different rest, from one call to the next.
    scenario : callable
        Gives a rest by its number in ``keys``, to be changed at will; may raise InputError.
    rest : array of int
        The rest of each row.
    free : dict of str to array of int
        Free fields that are taken apart, with their values (``UNSAID`` where a row says nothing).
    """

    keys: Sequence[Hashable]
    scenario: Callable[[int], dict[str, Any]]
    rest: Ints
    free: dict[str, Ints]


#: How often each of the first few attacks is made, ``UNSAID`` for one of which that is not taken apart.
Times = tuple[int, ...]


@dataclass
class Asked:
    """What rows ask: problems, starts, and which of them each row has; -1 for a row that cannot be asked."""

    problems: list[Problem]
    starts: list[State]
    which: Ints
    start: Ints
    #: Row to what is wrong with it.
    errors: dict[int, str]
    #: What answers leave out, and which of these each row has.
    left_out: list[str | None]
    leaves: Ints


class _Known(NamedTuple):
    """The problem of a rest, or what is wrong with it, where attacks are made so often.

    ``attacks``: how many tables of attacks and events there are; ``left_out``: what is not counted.
    """

    found: Problem | str
    times: Times
    attacks: int = 0
    left_out: str | None = None


@dataclass
class Resolver:
    """Resolves rows, and remembers what it resolved.

    Parameters
    ----------
    catalogs : mapping of str to Catalog, optional
        Catalogues by edition, where not those of the books.
    """

    catalogs: Mapping[str, Catalog] = field(default_factory=dict)
    _known: dict[Hashable, _Known] = field(default_factory=dict)

    def ask(self, rows: Rows) -> Asked:
        """Resolve rows.

        Parameters
        ----------
        rows : Rows
            The scenarios.

        Returns
        -------
        Asked
            The problems, and what is wrong with rows that have none.
        """
        if len(self._known) > _MOST_KEPT:
            self._known.clear()
        size = rows.rest.size
        unsaid = np.full(size, UNSAID, dtype=np.int64)
        column = {name: rows.free.get(name, unsaid) for name in FREE}
        has = [np.minimum(column[name], 1) for name in ("blessing", "infection")]
        shape = (len(rows.keys), 3, 3, len(BLOOD_POLICIES) + 1, *[102] * len(TIMES))
        each = (has[0] + 1, has[1] + 1, column["spend"] + 1, *(column[name] + 1 for name in TIMES))
        combined = np.ravel_multi_index((rows.rest, *each), shape)
        different, which = np.unique(combined, return_inverse=True)
        kinds = np.array(np.unravel_index(different, shape)).T - ([0] + [1] * len(each))
        most: dict[tuple[int, ...], Times] = {}  # how often each attack of a rest is made at most
        for rest, blessing, infection, _, *times in kinds.tolist():
            kind = (rest, blessing, infection)
            most[kind] = tuple(map(max, most.get(kind, times), times))
        places: dict[Problem, int] = {}
        problem_of = np.full(len(kinds), -1, dtype=np.int64)
        alone: list[int] = []
        why: dict[int, str] = {}
        left_out: list[str | None] = []
        for number, (rest, blessing, infection, spend, *times) in enumerate(kinds.tolist()):
            said = {"blessing": blessing, "infection": infection, "spend": spend}
            found, leaves = self._problem(rows, rest, said, tuple(times), most[rest, blessing, infection])
            left_out.append(leaves)
            if isinstance(found, str):
                why[number] = found
            elif found is None:
                alone.append(number)
            else:
                problem_of[number] = places.setdefault(found, len(places))
        start = np.full(size, -1, dtype=np.int64)
        asked = Asked(list(places), [], problem_of[which], start, {}, left_out, which.astype(np.int64))
        wrong = np.flatnonzero(np.isin(which, list(why)))
        asked.errors |= {row: why[number] for row, number in zip(wrong.tolist(), which[wrong].tolist(), strict=True)}
        self._starts(asked, column)
        for row in np.flatnonzero(np.isin(which, alone)).tolist():
            self._alone(asked, rows, row)
        return asked

    def _starts(self, asked: Asked, column: Mapping[str, Ints]) -> None:
        """Lay the free fields over the starts that the problems have."""
        fine = np.flatnonzero(asked.which >= 0)
        if not fine.size:
            return
        own = np.array([problem.start for problem in asked.problems], dtype=np.int64)[asked.which[fine]]
        for place, name in enumerate(State._fields):
            if name in column:
                said = column[name][fine]
                own[:, place] = np.where(said == UNSAID, own[:, place], said)
        packed = np.ravel_multi_index(tuple(own.T), tuple(own.max(axis=0) + 1))
        _, first, which = np.unique(packed, return_index=True, return_inverse=True)
        asked.starts += [State(*values) for values in own[first].tolist()]
        asked.start[fine] = which

    def _problem(
        self, rows: Rows, rest: int, said: dict[str, int], times: Times, most: Times
    ) -> tuple[Problem | str | None, str | None]:
        """The problem of a rest with so many attacks, and what its answer leaves out.

        Instead of the problem, what is wrong with it; None where it must be asked alone.
        """
        key: tuple[Hashable, ...] = (rows.keys[rest], *said.values())
        known = self._known.get(key, _Known("", (UNSAID - 1,) * len(TIMES)))
        if any(more > made for more, made in zip(most, known.times, strict=True)):
            known = self._known[key] = self._resolved(rows, rest, said, tuple(map(max, most, known.times)))
        times = tuple(UNSAID if made == UNSAID else max(one, 1) for one, made in zip(times, known.times, strict=True))
        found: Problem | str | None = known.found
        if times != known.times:
            found = _fewer(known, times)
            if found is None:
                key = (*key, times)
                if key not in self._known:
                    self._known[key] = self._resolved(rows, rest, said, times)
                known = self._known[key]
                found = known.found
        is_said = any(one != UNSAID for one in (*times, *said.values()))
        if isinstance(found, Problem) and found.game is not None and is_said:
            return None, None
        return found, known.left_out

    def _resolved(self, rows: Rows, rest: int, said: dict[str, int], times: Times) -> _Known:
        """Resolve a rest, once for all that may be spent."""
        spend, unspent = said["spend"], said | {"spend": UNSAID}
        key = (rows.keys[rest], *unspent.values(), times)
        if key not in self._known:
            self._known[key] = self._resolved_alone(rows, rest, unspent, times)
        known = self._known[key]
        if spend == UNSAID or isinstance(known.found, str) or known.found.game is not None:
            return known
        return known._replace(found=_spending(known.found, spend))

    def _resolved_alone(self, rows: Rows, rest: int, said: Mapping[str, int], times: Times) -> _Known:
        try:
            scenario = rows.scenario(rest)
            for name, value in {**said, **dict(zip(TIMES, times, strict=True))}.items():
                if value != UNSAID:
                    put(scenario, FREE[name], said_value(name, value))
            read = from_mapping(scenario)
            resolved = resolve(read, self.catalogs.get(read.edition))
        except InputError as error:
            return _Known(str(error), times)
        # other notes are about what is asked; these do not depend on free fields
        left_out = " ".join(note for note in resolved.notes if note.startswith("Not counted"))
        return _Known(resolved.problem, times, len(scenario["attacks"]), left_out or None)

    def _alone(self, asked: Asked, rows: Rows, row: int) -> None:
        """Resolve a row whose players choose by what is there at the start, with all that it says."""
        said = {name: int(values[row]) for name, values in rows.free.items()}
        times = tuple(said.pop(name, UNSAID) for name in TIMES)
        known = self._resolved_alone(rows, int(rows.rest[row]), said, times)
        found = known.found
        if isinstance(found, str):
            asked.errors[row] = found
            return
        asked.which[row], asked.start[row] = len(asked.problems), len(asked.starts)
        asked.leaves[row] = len(asked.left_out)
        asked.problems.append(found)
        asked.starts.append(found.start)
        asked.left_out.append(known.left_out)


def _fewer(known: _Known, times: Times) -> Problem | None:
    """The problem with attacks made less often; None where that is not known, as they do not have a step each."""
    problem = known.found
    if isinstance(problem, str):
        return None  # as with more grenades than are carried
    if known.attacks == 1:
        return first(problem, problem.moves // known.times[0] * times[0])
    steps = list(problem.steps)
    if len(steps) != known.attacks:
        return None
    for number, (made, wanted) in enumerate(zip(known.times, times, strict=True)):
        if made != UNSAID:
            if steps[number].kind != ATTACK or steps[number].volleys % made:
                return None
            steps[number] = steps[number]._replace(volleys=steps[number].volleys // made * wanted)
    return replace(problem, steps=tuple(steps))


def _spending(problem: Problem, blood: int) -> Problem | str:
    """The problem with other spending on injuries, or what is wrong with that."""
    found = replace(problem, policy=problem.policy._replace(blood=blood))
    try:
        check_plan(found)
    except InputError as error:
        return str(error)
    return found


def take_apart(scenario: Any) -> tuple[Any, dict[str, int]]:
    """Take the free fields out of a scenario.

    Parameters
    ----------
    scenario : Any
        Plain data, not changed.

    Returns
    -------
    Any, dict
        The rest, and the free fields that were said; none where one of them is not allowed, so that reading it says
        what is wrong.

    Examples
    --------
    >>> take_apart({"target": {"blood": 2, "armour": []}, "attacks": [{"times": 2}]})
    ({'target': {'armour': []}, 'attacks': [{}]}, {'blood': 2, 'times_0': 2})
    """
    if not isinstance(scenario, dict):
        return scenario, {}
    rest: dict[str, Any] = dict(scenario)
    found: dict[str, Any] = {}
    target, attacks = rest.get("target"), rest.get("attacks")
    where: list[tuple[dict[str, Any], tuple[str, ...]]] = []
    spend = rest.get("spend")
    if isinstance(spend, dict) and "blood_on_injury" in spend and "policy" not in spend:
        found["spend"] = free_value("spend", spend["blood_on_injury"])
        if found["spend"] is None:
            return scenario, {}
        rest["spend"] = {name: value for name, value in spend.items() if name != "blood_on_injury"}
        if not rest["spend"]:
            del rest["spend"]
    if isinstance(target, dict):
        rest["target"] = target = dict(target)
        where.append((target, _OF_TARGET))
    if isinstance(attacks, list):
        rest["attacks"] = attacks = list(attacks)
        for number, name in enumerate(TIMES):
            if number < len(attacks) and isinstance(attacks[number], dict) and "event" not in attacks[number]:
                attacks[number] = dict(attacks[number])
                where.append((attacks[number], (name,)))
    for table, names in where:
        for name in names:
            key = FREE[name][-1]
            if key in table:
                value = free_value(name, table.pop(key))
                if value is None:
                    return scenario, {}
                found[name] = value
    return rest, found
