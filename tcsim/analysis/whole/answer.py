"""The whole catalogue at once: every weapon on every kind of target, in numbers that can be sorted and grouped.

Few of the cells ask something of their own. Weapons that do the same, and armour that does the same, are resolved once;
what is resolved differs mostly in names, so that a few hundred problems are left; and of these only the start and the
number of attacks vary, which one chain watched on its way answers for all numbers of attacks at once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from tcsim.analysis.kill_odds import ATTACKS, BLOOD
from tcsim.analysis.whole.grid import TOUGH, Grid, LeftOut, Part, Remark, Worn, ids_of, may_be_worn, started
from tcsim.base.errors import InputError, show, unknown
from tcsim.catalog import Catalog, Weapon, catalog
from tcsim.engines.exact import watch_all
from tcsim.rules import editions as all_editions
from tcsim.scenario.problem import BLOOD_POLICIES, RULES, Problem, Step

if TYPE_CHECKING:
    import pandas as pd

#: Policies that can be asked for by name.
SPEND = tuple(name for number, name in enumerate(BLOOD_POLICIES) if number != RULES)


@dataclass(frozen=True)
class Whole:
    """Every cell, and what there is to say about them.

    Parameters
    ----------
    cells : DataFrame
        A row per cell, sorted as it is told by :func:`whole`.
    left_out : DataFrame
        ``edition``, ``weapon_id``, ``armour_id``, ``shield_id`` and ``why``: pairs that have no cells.
    remarks : DataFrame
        ``edition``, ``row`` (weapon or armour), ``id``, ``name``, ``remark``: what the numbers of a row assume or leave
        out, a sentence each; ``counted``: whether it is no more than an assumption.
    problems : tuple of Problem
        The problems that differ, each with as many attacks as were asked for at most.
    starts : tuple of (int, bool)
        Blood markers and TOUGH at the start.
    attacks : tuple of int
        Numbers of attacks.
    """

    cells: pd.DataFrame
    left_out: pd.DataFrame
    remarks: pd.DataFrame
    problems: tuple[Problem, ...]
    starts: tuple[tuple[int, bool], ...]
    attacks: tuple[int, ...]

    def problem(self, question: int) -> Problem:
        """Give what a cell asks, in plain numbers.

        Parameters
        ----------
        question : int
            As in the column of that name.

        Returns
        -------
        Problem
            With its own start and number of attacks, as :func:`tcsim.odds` would answer it.

        Examples
        --------
        >>> found = whole(["1.6.3"], weapons=["Bolt-Action Rifle"], worn=[()], blood=[3], attacks=[2])
        >>> found.problem(0).start.blood, found.problem(0).rolls
        (3, 2)
        """
        rest, number = divmod(question, len(self.attacks))
        which, start = divmod(rest, len(self.starts))
        problem = started(self.problems[which], *self.starts[start])
        return first(problem, problem.moves // self.attacks[-1] * self.attacks[number])


def whole(
    editions: Sequence[str | Catalog] | None = None,
    weapons: Sequence[str] | None = None,
    worn: Sequence[Sequence[str]] | None = None,
    blood: Sequence[int] = BLOOD,
    attacks: Sequence[int] = ATTACKS,
    spend: str = "greedy",
    progress: Callable[[int], None] | None = None,
) -> Whole:
    """Tabulate every weapon against everything a model may wear, by blood markers, TOUGH and number of attacks.

    An ordinary attacker (no unit, 0 DICE, no blood) attacks an ordinary standing target at short range and without
    cover; each attack is one ACTION. What special rules ask for besides is assumed as :func:`tcsim.odds` does.

    Parameters
    ----------
    editions : sequence of str or Catalog, optional
        Edition ids, or opened catalogues; default: every edition.
    weapons : sequence of str, optional
        Names; default: every weapon row, third-party ones too.
    worn : sequence of sequence of str, optional
        What is worn, names of armour each; default: nothing, every armour row alone, and every body armour with each
        shield that may be worn with it.
    blood : sequence of int, optional
        Blood markers on the target at the start, each 0 to 6.
    attacks : sequence of int, optional
        Numbers of attacks, each 1 to 100.
    spend : str, optional
        Policy for blood on injury rolls: none, all, bloodbath, greedy or optimal (planned anew for each number of
        attacks).
    progress : callable, optional
        Called with the number of weapons that were resolved since the last call.

    Returns
    -------
    Whole
        ``cells`` has ``edition``, ``weapon_id``, ``weapon`` (label), ``kind`` (ranged or melee), ``armour_id`` and
        ``shield_id`` (empty: none), ``armour`` and ``shield`` (names, likewise), ``modifier`` (what they take off a
        plain hit on a standing target, 0 or less as a rule), ``blood``, ``tough``, ``attacks``; ``p_out`` and
        ``p_down`` (probabilities in [0, 1], right to 1e-12), ``expected_blood`` (mean markers on a target still in the
        fight, NaN when there is none); ``question``: rows that ask the same share its number; ``counted``: nothing is
        left out of the number; ``official``: no row of it is third-party.

    Raises
    ------
    InputError
        For a name that no edition has, an unknown policy, or a number out of range.

    Examples
    --------
    >>> found = whole(["1.6.3"], weapons=["Bolt-Action Rifle"], worn=[["Standard Armour"]], blood=[0], attacks=[1])
    >>> found.cells[["tough", "p_out"]].round(4).values.tolist()
    [[False, 0.1025], [True, 0.0]]
    """
    given = all_editions() if editions is None else editions
    opened = [one if isinstance(one, Catalog) else catalog(one) for one in given]
    if not opened:
        raise InputError("at least one edition is needed", "editions")
    if spend not in SPEND:
        raise (
            unknown("policy", spend, SPEND, "spend")
            if isinstance(spend, str)
            else InputError(f"{show(spend)} is given, one of {', '.join(SPEND)} is needed", "spend")
        )
    starts = tuple(product(_numbers(blood, 0, 6, "blood"), TOUGH))
    numbers = _numbers(attacks, 1, 100, "attacks")
    chosen = _weapons(opened, weapons)
    protections = [_protections(rows, worn) for rows in opened]
    grid = Grid(spend, numbers[-1])
    parts: list[Part] = []
    for rows, arms, wears in zip(opened, chosen, protections, strict=True):
        parts.append(grid.part(rows, arms, wears, progress))
    answers = chances([started(problem, *start) for problem in grid.numbers for start in starts], numbers)
    import pandas as pd

    return Whole(
        cells=_cells(parts, answers, starts, numbers),
        left_out=pd.DataFrame(grid.left_out, columns=list(LeftOut._fields)),
        remarks=pd.DataFrame(
            [line for part in parts for line in part.remarks],
            columns=list(Remark._fields),
        ),
        problems=tuple(grid.numbers),
        starts=starts,
        attacks=numbers,
    )


def first(problem: Problem, moves: int) -> Problem:
    """Cut a problem after some moves.

    Parameters
    ----------
    problem : Problem
        A problem.
    moves : int
        How many volleys and events are left, at least 1.

    Returns
    -------
    Problem
        Its beginning.
    """
    steps: list[Step] = []
    for step in problem.steps:
        if moves > 0:
            steps.append(step._replace(volleys=min(step.volleys, moves)))
            moves -= step.volleys
    return replace(problem, steps=tuple(steps))


def _numbers(given: Sequence[int], low: int, high: int, where: str) -> tuple[int, ...]:
    """Different whole numbers, ascending."""
    for one in given:
        if type(one) is not int or not low <= one <= high:
            raise InputError(f"{show(one)} is given, whole numbers from {low} to {high} are allowed", where)
    if not given:
        raise InputError("at least one number is needed", where)
    return tuple(sorted(set(given)))


def _weapons(opened: Sequence[Catalog], names: Sequence[str] | None) -> list[tuple[Weapon, ...]]:
    """The weapons of each edition; of those that are named, where only some editions have one, what there is."""
    if names is None:
        return [rows.weapons for rows in opened]
    if not names:
        raise InputError("at least one weapon is needed", "weapons")
    found: list[dict[str, Weapon]] = [{} for _ in opened]
    for name in names:
        errors: list[InputError] = []
        for rows, weapons in zip(opened, found, strict=True):
            try:
                weapon = rows.weapon(name, where="weapons")
            except InputError as error:
                errors.append(error)
            else:
                weapons[weapon.id] = weapon
        if len(errors) == len(opened):
            raise errors[0]
    return [tuple(weapons.values()) for weapons in found]


def _protections(rows: Catalog, worn: Sequence[Sequence[str]] | None) -> list[Worn]:
    if worn is None:
        return may_be_worn(rows)
    if not worn:
        raise InputError("at least one kind of target is needed; [] is one without armour", "worn")
    return [tuple(rows.armour(name, "worn") for name in names) for names in worn]


def chances(problems: Sequence[Problem], attacks: Sequence[int]) -> NDArray[np.float64]:
    """Answer problems after several numbers of attacks.

    Parameters
    ----------
    problems : sequence of Problem
        Each with the largest number of attacks, all alike; those that are the same are answered once.
    attacks : sequence of int
        Ascending.

    Returns
    -------
    array
        P(out), P(Down) and mean blood markers on a target still in the fight (NaN when there is none), of shape
        (problems, attacks, 3).
    """
    places: dict[Problem, int] = {}
    of_each = np.array([places.setdefault(problem, len(places)) for problem in problems], dtype=np.int64)
    most, asked = attacks[-1], list(places)
    if any(problem.is_planned for problem in asked):  # a plan is for so many attacks, not for those on the way to them
        cut = [first(problem, problem.moves // most * number) for problem in asked for number in attacks]
        moments = [story[-1] for story in watch_all(cut)]
    else:
        stories = zip(asked, watch_all(asked), strict=True)
        moments = [story[problem.moves // most * number - 1] for problem, story in stories for number in attacks]
    told = np.array([(moment.out, moment.down, moment.blood) for moment in moments])
    found = told.reshape(len(asked), len(attacks), 3)
    # 1 is for what is certain, as in an answer
    alive = ~np.isnan(found[..., 2])
    found[..., 0] = np.minimum(found[..., 0], np.where(alive, np.nextafter(1.0, 0.0), 1.0))
    found[..., 1] = np.minimum(found[..., 1], 1.0)
    return found[of_each]


def _cells(
    parts: Sequence[Part],
    answers: NDArray[np.float64],
    starts: Sequence[tuple[int, bool]],
    attacks: Sequence[int],
) -> pd.DataFrame:
    """Lay the answers out, a row a cell: names as categories, numbers in as few bytes as hold them."""
    import pandas as pd

    flat, some = answers.reshape(-1, 3), len(attacks)
    columns: dict[str, list[Any]] = {}
    for number, part in enumerate(parts):
        pairs = np.argwhere(part.which[:, :, 0] >= 0)
        i, j = pairs[:, 0], pairs[:, 1]
        start = np.arange(len(starts))
        base = part.which[i, j][:, [int(tough) for _, tough in starts]]
        asked = ((base * len(starts) + start)[..., None] * some + np.arange(some)).ravel()
        each = len(starts) * some
        short_w, short_a = part.short("weapon"), part.short("armour")
        of_weapon = {
            "weapon_id": [row.id for row in part.weapons],
            "weapon": [row.label for row in part.weapons],
            "kind": [row.attack_kind for row in part.weapons],
        }
        of_worn = {
            "armour_id": [ids_of(pieces)[0] for pieces in part.worn],
            "armour": [" + ".join(one.name for one in pieces if one.slot != "shield") for pieces in part.worn],
            "shield_id": [ids_of(pieces)[1] for pieces in part.worn],
            "shield": [" + ".join(one.name for one in pieces if one.slot == "shield") for pieces in part.worn],
        }
        fine_w = np.array([row.id not in short_w for row in part.weapons], dtype=bool)
        fine_a = np.array([not any(one.id in short_a for one in pieces) for pieces in part.worn], dtype=bool)
        books_w = np.array([not row.third_party for row in part.weapons], dtype=bool)
        books_a = np.array([not any(one.third_party for one in pieces) for pieces in part.worn], dtype=bool)
        edition = np.full(len(pairs), number), [one.rows.edition for one in parts]
        found = {"edition": (np.repeat(edition[0], each), edition[1])}
        found |= {name: (np.repeat(i, each), values) for name, values in of_weapon.items()}
        found |= {name: (np.repeat(j, each), values) for name, values in of_worn.items()}
        for name, (codes, values) in found.items():
            columns.setdefault(name, []).append((codes, values))
        plain = {
            "modifier": np.repeat(part.modifier[i, j], each).astype(np.int16),
            "blood": np.tile(np.repeat(np.array([one for one, _ in starts], dtype=np.int8), some), len(pairs)),
            "tough": np.tile(np.repeat(np.array([one for _, one in starts], dtype=bool), some), len(pairs)),
            "attacks": np.tile(np.array(attacks, dtype=np.int8), len(pairs) * len(starts)),
            **{name: flat[asked, k] for k, name in enumerate(("p_out", "p_down", "expected_blood"))},
            "question": asked.astype(np.int32),
            "counted": np.repeat(fine_w[i] & fine_a[j], each),
            "official": np.repeat(books_w[i] & books_a[j], each),
        }
        for name, values in plain.items():
            columns.setdefault(name, []).append(values)
    return pd.DataFrame(
        {
            name: _categories(values) if isinstance(values[0], tuple) else np.concatenate(values)
            for name, values in columns.items()
        },
        copy=False,
    )


def _categories(parts: Sequence[tuple[NDArray[np.int64], Sequence[str]]]) -> pd.Categorical[str]:
    """Texts that are looked up by code in each part, as one column over all parts."""
    import pandas as pd

    places: dict[str, int] = {}
    for _, texts in parts:
        for text in texts:
            places.setdefault(text, len(places))
    codes = [np.array([places[text] for text in texts], dtype=np.int16)[code] for code, texts in parts]
    column: pd.Categorical[str] = pd.Categorical.from_codes(np.concatenate(codes), categories=pd.Index(list(places)))
    return column
