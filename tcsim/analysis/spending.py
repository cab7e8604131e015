"""When to spend markers and when to save them: the best spending of a scenario, and what any other loses against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from msgspec import structs

from tcsim.base.errors import InputError, show
from tcsim.base.files import write_whole
from tcsim.engines import advice, game_advice, goals
from tcsim.engines.advice import Box, Grid
from tcsim.engines.answer import resolved
from tcsim.engines.exact import solve
from tcsim.engines.game_advice import Decision
from tcsim.scenario import problem as p
from tcsim.scenario.policy_file import policy_text, read_policy, rows_of
from tcsim.scenario.problem import BLOOD_POLICIES, Problem, Rule
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import Resolved, check_game
from tcsim.scenario.spending import check_rules, rules_of
from tcsim.stats import LEVEL, interval, rolled, z_score

if TYPE_CHECKING:
    import pandas as pd

#: Blood markers at the start, for what a marker is worth.
BLOOD = tuple(range(7))


@dataclass(frozen=True)
class Way:
    """One way of spending the target's blood.

    Parameters
    ----------
    name : str
        A policy's name, or that of a file or of the scenario's own rows.
    problem : Problem
        The question with this policy.
    value : float
        What the goal makes of it.
    rolled : tuple of float, optional
        What was rolled, with both ends of its 95% interval.
    """

    name: str
    problem: Problem
    value: float
    rolled: tuple[float, float, float] | None = None


@dataclass(frozen=True, repr=False)
class Spending:
    """The best spending of a scenario, beside every other.

    Parameters
    ----------
    resolved : Resolved
        What was asked.
    ways : tuple of Way
        The policies none, all, bloodbath, greedy, the user's own, and optimal.
    trials, seed : int
        How often each was rolled, 0 for never; and the seed.

    Examples
    --------
    >>> import tcsim
    >>> found = tcsim.spend({"target": {"injury_modifier": -3, "blood": 3}, "attacks": [{"times": 3}]})
    >>> round(found.value, 4), round(found.losses["all"], 4)
    (0.288, 0.0296)
    """

    resolved: Resolved
    ways: tuple[Way, ...]
    trials: int = 0
    seed: int = 1

    def __repr__(self) -> str:
        return f"<Spending: {self.goal} {self.value:.6g} at best, {len(self.ways)} policies>"

    @property
    def best(self) -> Way:
        """Optimal spending."""
        return next(way for way in self.ways if way.name == "optimal")

    @property
    def value(self) -> float:
        """What the goal makes of optimal spending; a probability in [0, 1] for out and down."""
        return self.best.value

    @property
    def goal(self) -> str:
        """The goal, as a scenario names it; ``own`` for rows."""
        goal = self.best.problem.goal
        return f"out-by-attack-{goal.attack}" if goal.attack else goal.name

    @property
    def values(self) -> dict[str, float]:
        """The value of each policy by its name."""
        return {way.name: way.value for way in self.ways}

    @property
    def losses(self) -> dict[str, float]:
        """What each policy loses against optimal spending, by its name; 0 or more."""
        return {way.name: max(self.value - way.value, 0.0) for way in self.ways}

    @property
    def is_game(self) -> bool:
        """Whether both players choose, so that the advice is a list of :attr:`decisions`."""
        return self.best.problem.game is not None

    @cached_property
    def decisions(self) -> list[Decision]:
        """Where both players choose, every decision that play comes to."""
        return game_advice.decisions(self.best.problem)

    @cached_property
    def grids(self) -> list[Grid]:
        """What optimal spending does in every state that a person may want to know, attack by attack."""
        self._check_alone()
        return advice.grids(self.best.problem, readable=True)

    @cached_property
    def boxes(self) -> list[Box]:
        """The same, with states put together."""
        return advice.boxes(self.grids)

    @property
    def advice(self) -> pd.DataFrame:
        """What to do.

        Returns
        -------
        DataFrame
            A row for states in which the same is done: ``attacks_left`` and further conditions (as text; missing
            where anything matches), ``dice`` and ``bloodbath`` of a hit, or ``on_plain`` and ``on_critical`` for all
            hits of shots resolved together.
        """
        import pandas as pd

        return pd.DataFrame(self.advice_rows())

    def advice_rows(self) -> list[dict[str, Any]]:
        """Give the advice as plain data.

        Returns
        -------
        list of dict
            As the rows of a policy, those that spend nothing included; the text of lists has a space between hits.
            Where both players choose, a row for each of :attr:`decisions`.
        """
        if self.is_game:
            return [_decision_row(one, self.best.problem) for one in self.decisions]
        return rows_of(box.rule() for box in self.boxes)

    @cached_property
    def _worth(self) -> list[dict[str, Any]]:
        rows = []
        for way in self.ways:
            asked = goals.as_solved(way.problem)
            problems = [replace(asked, start=asked.start._replace(blood=blood)) for blood in BLOOD]
            for blood, problem, final in zip(BLOOD, problems, solve(problems), strict=True):
                rows.append({"blood": blood, "policy": way.name, "value": goals.value_of(problem, final)})
        return rows

    @property
    def worth(self) -> pd.DataFrame:
        """What markers are worth.

        Returns
        -------
        DataFrame
            ``blood`` (markers at the start, 0 to 6), ``policy``, ``value``.
        """
        import pandas as pd

        return pd.DataFrame(self._worth)

    @property
    def rules(self) -> list[Rule]:
        """Optimal spending as rules."""
        self._check_alone()
        return advice.rules(self.best.problem)

    def _check_alone(self) -> None:
        """Raise InputError where both players choose: there is neither a map nor a policy of it."""
        if self.is_game:
            raise InputError("both players choose here, so there is only the list of decisions, no map and no policy")

    def save(self, path: str | Path) -> None:
        """Write optimal spending as a policy file, to be edited and given back.

        Parameters
        ----------
        path : str or Path
            Ends in .toml or .csv.

        Raises
        ------
        InputError
            For another ending.
        """
        path = Path(path)
        suffix = path.suffix.lower()
        if suffix not in (".toml", ".csv"):
            raise InputError(f"{show(str(path), 200)} is given, a policy file ends in .toml or .csv", "--save-policy")
        write_whole(path, policy_text(rows_of(self.rules), suffix).encode())

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data, as the command line prints it with ``--json``.

        Returns
        -------
        dict
            ``id``, ``edition``, ``goal``, ``value``, ``policies`` (``name``, ``value``, ``loss``; what was rolled),
            ``advice``, ``worth``; ``options``, ``notes`` when there is something to say.
        """
        policies = []
        for way in self.ways:
            row: dict[str, Any] = {"name": way.name, "value": way.value, "loss": self.losses[way.name]}
            if way.rolled is not None:
                row |= dict(zip(("rolled", "low", "high"), way.rolled, strict=True))
            policies.append(row)
        answer: dict[str, Any] = {
            "id": self.resolved.scenario.id,
            "edition": self.resolved.problem.edition,
            "method": "exact",
            "goal": self.goal,
            "value": self.value,
            "policies": policies,
            "advice": self.advice_rows(),
            "worth": self._worth,
        }
        if self.trials:
            from tcsim.kernels.stream import STREAM_VERSION

            answer |= rolled(self.trials, self.seed, STREAM_VERSION)
        if self.resolved.options:
            answer["options"] = self.resolved.options
        if self.resolved.notes:
            answer["notes"] = list(self.resolved.notes)
        return answer


def spend(
    scenario: Any,
    policies: Sequence[Any] = (),
    goal: Any = None,
    catalog: Any = None,
    trials: int = 0,
    seed: int = 1,
) -> Spending:
    """Find the best way to spend the target's blood on injury rolls, and what other ways lose against it.

    Parameters
    ----------
    scenario : mapping, Scenario or Resolved
        The question; its own policy, if it has rows of one, is compared as well.
    policies : sequence of path or list of mapping, optional
        The user's own: files, or rows as ``spend.policy`` takes them.
    goal : str or list of mapping, optional
        In place of the scenario's: out, down, expected-blood, out-by-attack-N, or rows.
    catalog : Catalog, path, or iterable of paths, optional
        As for :func:`tcsim.odds`.
    trials : int, optional
        Roll every policy so often, too; 0 for not.
    seed : int, optional
        Of the dice.

    Returns
    -------
    Spending
        Values, losses, advice, and what a marker is worth.

    Raises
    ------
    InputError
        With one sentence: what was given, what is allowed.

    Examples
    --------
    >>> import tcsim
    >>> rows = [{"down": True, "blood": ">=3", "bloodbath": True}]
    >>> question = {"target": {"injury_modifier": -3, "blood": 3}, "attacks": [{"times": 2}]}
    >>> found = tcsim.spend(question, policies=[rows])
    >>> [name for name, loss in found.losses.items() if loss < 1e-12]
    ['optimal']
    """
    question = resolved(scenario, catalog)
    if goal is not None:
        table = from_mapping({"target": {}, "attacks": [{}], "spend": {"goal": goal}}).spend
        from tcsim.scenario.spending import goal_of

        question = replace(question, problem=replace(question.problem, goal=goal_of(table)))
    base = replace(question.problem, rules=())
    named = [(name, replace(base, policy=base.policy._replace(blood=code))) for code, name in enumerate(BLOOD_POLICIES)]
    ways = named[: p.OPTIMAL]
    if question.problem.policy.blood == p.RULES:
        ways.append(("the scenario's own", question.problem))
    for number, given in enumerate(policies, 1):
        ways.append(_own(base, given, number, [name for name, _ in (*ways, *named)]))
    _can_plan(question.problem)
    ways.append(named[p.OPTIMAL])
    for _, problem in ways:
        check_game(problem)
    asked = [goals.as_solved(problem) for _, problem in ways]
    finals = solve(asked)
    found = []
    for (name, problem), solved, final in zip(ways, asked, finals, strict=True):
        rolled = _rolled(solved, trials, seed) if trials else None
        found.append(Way(name, problem, goals.value_of(solved, final), rolled))
    scenario = question.scenario
    told = structs.replace(scenario, spend=structs.replace(scenario.spend, blood_on_injury="optimal", policy=None))
    return Spending(replace(question, scenario=told, problem=found[-1].problem), tuple(found), trials, seed)


def _decision_row(one: Decision, problem: Problem) -> dict[str, Any]:
    names = ("down", "blood", "blessing", "tough", *problem.few_states)
    state = {name: getattr(one.state, name) for name in names}
    row: dict[str, Any] = {"attack": one.attack, "roll": one.roll, "who": one.who, "chance": one.chance}
    row |= {f"target_{name}": value for name, value in state.items()}
    row |= {"attacker_blood": one.own_blood, "attacker_blessing": one.own_blessing}
    together = any(step.shots > 1 for step in problem.steps)
    if together or any(step.special.rerolls for step in problem.steps):
        row["ended"] = one.ended
    if together:  # the hits that are known, in order, and which of them it is
        row |= {"hits": " ".join(("plain", "critical")[critical] for critical in one.hits), "hit": one.hit}
    return row | {"spends_blood": one.blood, "spends_blessing": one.blessing, "bloodbath": one.bloodbath}


def _can_plan(problem: Problem) -> None:
    from tcsim.scenario.resolve import check_plan

    check_plan(replace(problem, policy=problem.policy._replace(blood=p.OPTIMAL)))


def _own(base: Problem, given: Any, number: int, taken: list[str]) -> tuple[str, Problem]:
    """A user's policy with its name, checked against the question."""
    if isinstance(given, (str, Path)):
        file = read_policy(given)
        name, rows, places = file.name, file.rows, file.places
    else:
        name, rows = f"policy {number}", given
        places = [f"policies[{number - 1}][{index}]" for index in range(len(given) if isinstance(given, list) else 0)]
    table = from_mapping({"target": {}, "attacks": [{}], "spend": {"policy": rows}}).spend
    rules = rules_of(table.policy or [], places)
    problem = replace(base, policy=base.policy._replace(blood=p.RULES), rules=rules)
    check_rules(problem, places)
    return (f"{name} ({number})" if name in taken else name), problem


def _rolled(problem: Problem, trials: int, seed: int) -> tuple[float, float, float]:
    """The mean over rolled trials, and its 95% interval."""
    from tcsim.engines import monte_carlo
    from tcsim.engines.states import decode

    tally = monte_carlo.count(problem, trials, seed)
    ends = [decode(code) for code in tally.counts]
    counts = np.array(list(tally.counts.values()), dtype=float)
    worths = goals.worths_of(problem, ends)
    mean = float(worths @ counts) / tally.trials
    if goals.is_chance(problem.goal):
        _, low, high = interval(round(float(worths @ counts)), tally.trials)
        return mean, low, high
    spread = float(((worths - mean) ** 2) @ counts) / tally.trials
    half = z_score(LEVEL) * (spread / tally.trials) ** 0.5
    return mean, mean - half, mean + half


def by_armour(edition: str, attacks: int = 3, modifiers: Sequence[int] = (0, -1, -2, -3)) -> dict[int, Spending]:
    """Find the best spending of plain ranged attacks on an ordinary target, in each armour.

    Parameters
    ----------
    edition : str
        Edition id.
    attacks : int, optional
        How many attacks.
    modifiers : sequence of int, optional
        Injury modifiers of the armours.

    Returns
    -------
    dict of int to Spending
        By injury modifier.
    """
    table = {"kind": "ranged", "times": attacks}
    return {
        modifier: spend({"edition": edition, "target": {"injury_modifier": modifier}, "attacks": [table]})
        for modifier in modifiers
    }
