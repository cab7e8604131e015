"""A firefight answered: each way of choosing targets, exact where it can be, rolled elsewhere and where it is asked."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from tcsim.base.errors import InputError, show, unknown
from tcsim.base.lang import speaking
from tcsim.skirmish import fixed
from tcsim.skirmish.advice import advice_rows
from tcsim.skirmish.field import Field, ready
from tcsim.skirmish.joint import MAX_JOINT, MAX_PLANNED, Joint, Plan, follow, greedy, optimal
from tcsim.skirmish.model import TARGETINGS
from tcsim.skirmish.outcome import MOST_TOLD, USUAL_TRIALS, Dice, Outcome, told_size
from tcsim.skirmish.read import GOALS, read_firefight
from tcsim.stats import counted, rolled

METHODS = ("exact", "monte-carlo")


@dataclass(frozen=True, repr=False)
class FirefightResult:
    """The answer to a firefight.

    Parameters
    ----------
    field : Field
        What was asked.
    goal : str
        What optimal and greedy targeting are for.
    targeting : str
        The way of choosing targets that was asked for, and is told in full.
    outcomes : dict
        An :class:`~tcsim.skirmish.outcome.Outcome` for each way that was answered.
    joint : int
        How many joint conditions the targets have.
    dice : Dice, optional
        How it was rolled, if anything was.
    notes : tuple of str
        What a reader should know.

    Examples
    --------
    >>> import tcsim
    >>> fight = {"attackers": [{"count": 4, "attacks": [{}]}], "targets": [{"count": 3}]}
    >>> result = tcsim.firefight(fight)
    >>> round(result.expected_out, 4), round(result.morale_test, 4)
    (0.782, 0.2671)
    """

    field: Field
    goal: str
    targeting: str
    outcomes: dict[str, Outcome]
    joint: int
    dice: Dice | None = None
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return (
            f"<FirefightResult: {self.expected_out:.6g} of {len(self.field.targets)} targets out of action "
            f"({self.targeting}, {self.outcome.method})>"
        )

    @property
    def outcome(self) -> Outcome:
        """The outcome of the way of choosing targets that was asked for."""
        return self.outcomes[self.targeting]

    @property
    def expected_out(self) -> float:
        """Mean number of targets out of action."""
        return self.outcome.expected_out

    @property
    def out(self) -> list[float]:
        """Probability of each number out of action, from 0 on."""
        return [float(p) for p in self.outcome.out_pmf]

    @property
    def morale_test(self) -> float:
        """Probability that the targets' warband has to test morale."""
        return self.outcome.needed

    @property
    def morale_failed(self) -> float:
        """Probability that it tests and fails: flight, Shaken or rout."""
        return self.outcome.failed

    @property
    def advice(self) -> list[dict[str, Any]]:
        """What is attacked, by activation and number out of action, where targets were chosen by a plan."""
        return advice_rows(self.field, self.outcome)

    def to_dict(self) -> dict[str, Any]:
        """Give the answer as plain data, as the command line prints it with ``--json``.

        Returns
        -------
        dict
            Numbers of targets Down and out of action with their chances, each target, morale, and every way of choosing
            targets beside the one that was asked for.
        """
        field, outcome = self.field, self.outcome
        fight, trials = field.fight, outcome.trials
        answer: dict[str, Any] = {
            "id": fight.id,
            "edition": fight.edition,
            "method": outcome.method,
            "targeting": self.targeting,
            "goal": self.goal,
            "attackers": len(field.activations),
            "expected_out": outcome.expected_out,
            "expected_down": outcome.expected_down,
            "out_of_action": [_counted({"number": n, "p": p}, trials) for n, p in enumerate(self.out)],
            "down": [_counted({"number": n, "p": float(p)}, trials) for n, p in enumerate(outcome.down_pmf)],
            "targets": [
                {"name": name, "down": float(down), "out_of_action": float(out)}
                for name, down, out in zip(field.names, outcome.down, outcome.out, strict=True)
            ],
            "morale": {
                "models": field.models,
                "needed": field.test.needed,
                "leader": None if field.leader is None else field.names[field.leader],
                "test": _counted({"p": outcome.needed}, trials),
                "failed": _counted({"p": outcome.failed}, trials),
                "failure": field.failure,
            },
            "compare": [self._row(name) for name in self.outcomes],
            "joint_conditions": self.joint if self.joint <= MOST_TOLD else None,
        }
        with speaking("en"):
            advice = self.advice
        if advice:
            answer["advice"] = advice
        if trials is not None and self.dice is not None:
            from tcsim.kernels.stream import STREAM_VERSION

            answer |= rolled(trials, self.dice.seed, STREAM_VERSION, outcome.partial)
        options = field.pairs[0][0].resolved.options
        told = {"options": options, "notes": list(self.notes), "assumed": list(field.assumed)}
        return answer | {name: value for name, value in told.items() if value}

    def _row(self, name: str) -> dict[str, Any]:
        one = self.outcomes[name]
        return {
            "targeting": name,
            "method": one.method,
            "expected_out": one.expected_out,
            "expected_down": one.expected_down,
            "morale_test": one.needed,
            "morale_failed": one.failed,
        }


def _counted(row: dict[str, Any], trials: int | None) -> dict[str, Any]:
    """Add the count and its interval to a share that was counted."""
    if trials is None:
        return row
    count = round(row["p"] * trials)
    return row | {"p": count / trials} | counted(count, trials)


def firefight(
    fight: Any,
    targeting: str | None = None,
    goal: str | None = None,
    method: str = "exact",
    trials: int = USUAL_TRIALS,
    seed: int = 1,
    threads: int | None = None,
    catalog: Any = None,
) -> FirefightResult:
    """Answer a firefight: many attackers on many targets in one turn.

    Parameters
    ----------
    fight : mapping or Firefight
        The question; its tables are described in docs/turns.md.
    targeting : str, optional
        ``focus``, ``spread``, ``greedy`` or ``optimal``; default: as the firefight says, else optimal.
    goal : str, optional
        What optimal and greedy targeting are for: ``out`` (most out of action), ``morale`` (a morale test) or
        ``flight`` (a failed one); default: as the firefight says, else out.
    method : str, optional
        ``exact`` (rolled only where there are too many joint conditions), or ``monte-carlo``.
    trials, seed, threads : int, optional
        Of what is rolled: how often, 0 to 2**64 - 1, and at most how many threads.
    catalog : Catalog, path, or iterable of paths, optional
        Where names are looked up.

    Returns
    -------
    FirefightResult
        Every way of choosing targets that could be answered.

    Raises
    ------
    InputError
        With one sentence: what was given, what is allowed.

    References
    ----------
    Every attack is an ordinary scenario (:func:`tcsim.odds`). 1.6.3: source text, Morale; 1.0.2: rulebook, Morale
    Phase.

    Examples
    --------
    >>> import tcsim
    >>> fight = {"attackers": [{"count": 2, "attacks": [{}]}], "targets": [{"count": 2}]}
    >>> [round(p, 4) for p in tcsim.firefight(fight, targeting="spread").out]
    [0.6908, 0.2807, 0.0285]
    """
    return answer(ready_firefight(fight, targeting, goal, catalog), method, Dice(trials, seed, threads))


def ready_firefight(fight: Any, targeting: str | None, goal: str | None, catalog: Any = None) -> Field:
    """Read a firefight, and settle how targets are chosen.

    Parameters
    ----------
    fight, targeting, goal, catalog
        As for :func:`firefight`.

    Returns
    -------
    Field
        In numbers.

    Raises
    ------
    InputError
        For whatever is wrong with it.
    """
    read = read_firefight(fight)
    for name, given, words in (("targeting", targeting, TARGETINGS), ("goal", goal, GOALS)):
        if given is not None and not isinstance(given, str):
            raise InputError(f"{show(given)} is given, {', '.join(words)} is allowed", name)
        if given is not None and given not in words:
            raise unknown(name, given, words, name)
    return ready(replace(read, targeting=targeting or read.targeting, goal=goal or read.goal), catalog)


def answer(field: Field, method: str, dice: Dice) -> FirefightResult:
    """Answer a firefight that is ready.

    Parameters
    ----------
    field : Field
        The firefight.
    method : str
        As for :func:`firefight`.
    dice : Dice
        How it is rolled, where it is.

    Returns
    -------
    FirefightResult
        The answer.

    Raises
    ------
    InputError
        For a method that there is not, and whatever cannot be rolled.
    """
    if method not in METHODS:
        raise unknown("method", str(method), METHODS, "method")
    goal, wanted = field.fight.goal, field.fight.targeting
    joint = Joint(field)
    names = TARGETINGS if joint.is_small else ("focus", "spread")
    plans = {name: plan_of(field, joint, name, goal) for name in names}
    outcomes = {name: worked_out(field, joint, name, plan) for name, plan in plans.items()}
    notes = list(field.notes)
    if not joint.is_small:
        notes.append(_too_many(field, joint, wanted))
        wanted = "greedy" if wanted == "optimal" else wanted
    rolled = [name for name in (wanted,) if method == "monte-carlo" or name not in outcomes]
    for name in rolled:
        outcomes[name] = rolled_out(field, name, goal, plans.get(name), dice)
    return FirefightResult(field, goal, wanted, outcomes, joint.size, dice if rolled else None, tuple(notes))


def plan_of(field: Field, joint: Joint, targeting: str, goal: str) -> Plan | None:
    """Plan whom to attack, where a way of choosing targets plans.

    Parameters
    ----------
    field : Field
        The firefight.
    joint : Joint
        Its joint conditions; few enough.
    targeting, goal : str
        How targets are chosen, and what for.

    Returns
    -------
    list of array, or None
        None for focus and spread.
    """
    if targeting == "greedy":
        return greedy(field, joint, goal)
    return optimal(field, joint, goal)[0] if targeting == "optimal" else None


def worked_out(field: Field, joint: Joint, targeting: str, plan: Plan | None) -> Outcome:
    """Work one way of choosing targets out.

    Parameters
    ----------
    field : Field
        The firefight.
    joint : Joint
        Its joint conditions.
    targeting : str
        How targets are chosen.
    plan : list of array, or None
        As :func:`plan_of` gives it.

    Returns
    -------
    Outcome
        Exact.
    """
    if plan is not None:
        return follow(field, joint, plan, targeting)
    return fixed.focus(field) if targeting == "focus" else fixed.spread(field)


def _too_many(field: Field, joint: Joint, wanted: str) -> str:
    instead = "; greedy targeting is rolled in its place" if wanted == "optimal" else ""
    return f"{crowded(field, joint)}{instead}."


def crowded(field: Field, joint: Joint) -> str:
    """Say why nothing is planned where there are too many joint conditions.

    Parameters
    ----------
    field : Field
        The firefight.
    joint : Joint
        Its joint conditions.

    Returns
    -------
    str
        A sentence without its full stop.
    """
    many = f"{told_size(joint.size)} joint conditions of the targets and {len(field.activations):,} activations"
    limit = f"{MAX_JOINT:,} conditions and {MAX_PLANNED:,} of both multiplied"
    return f"There are {many}, optimal targeting is planned up to {limit}"


def rolled_out(field: Field, name: str, goal: str, plan: Plan | None, dice: Dice) -> Outcome:
    """Roll one way of choosing targets.

    Parameters
    ----------
    field : Field
        The firefight.
    name, goal : str
        How targets are chosen, and what for.
    plan : list of array, or None
        As :func:`plan_of` gives it; optimal targeting needs it.
    dice : Dice
        How often, with which seed.

    Returns
    -------
    Outcome
        Counted.
    """
    from tcsim.skirmish.rolled import roll

    return roll(field, name, goal, plan if name == "optimal" else None, dice)
