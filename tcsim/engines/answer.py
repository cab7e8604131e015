"""From a scenario to its Result: the way through the house, exact or by dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tcsim.base.errors import InputError, show, unknown
from tcsim.engines.exact import Final, solve
from tcsim.engines.result import Result, Run, in_order
from tcsim.scenario.problem import Problem
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import Resolved, resolve
from tcsim.stats import Tally, next_trials

#: Most attack rolls that are answered as Fractions.
MAX_FRACTION_ROLLS = 50


def odds(scenario: Any, fractions: bool = False, catalog: Any = None) -> Result:
    """Answer a scenario exactly: every way it can end, and how probable it is.

    Parameters
    ----------
    scenario : mapping, Scenario or Resolved
        The question; its tables and fields are described in docs/scenario.md.
    fractions : bool, optional
        Also give every probability as an exact rational; at most 50 attack rolls.
    catalog : Catalog, path, or iterable of paths, optional
        Where names are looked up; or files, as described in docs/catalogue.md, that add to the
        edition's catalogue and change it.

    Returns
    -------
    Result
        Probabilities in [0, 1], float64, right to 1e-12.

    Raises
    ------
    InputError
        With one sentence: what was given, what is allowed.

    References
    ----------
    Trench Crusade 1.6.3 (Korean source text: ranged and melee attacks, injury chart) and 1.0.2 (rulebook: success and
    injury rolls); where they are unclear, the rules options (``tcsim options``).

    Examples
    --------
    >>> import tcsim
    >>> result = tcsim.odds({"target": {"armour": ["Standard Armour"]}, "attacks": [{"weapon": "Bolt-Action Rifle"}]})
    >>> round(result.out_of_action, 4)
    0.1025
    """
    return exact_results([resolved(scenario, catalog)], fractions)[0]


def resolved(scenario: Any, catalog: Any = None) -> Resolved:
    """Resolve a scenario, unless it is resolved already.

    Parameters
    ----------
    scenario : mapping, Scenario or Resolved
        The question.
    catalog : Catalog, path, or iterable of paths, optional
        As for :func:`odds`.

    Returns
    -------
    Resolved
        The question in plain numbers.

    Raises
    ------
    InputError
        For whatever is wrong with either.
    """
    if isinstance(scenario, Resolved):
        if catalog is not None:
            raise InputError("the scenario is resolved already, so no catalogue goes with it", "catalog")
        return scenario
    return resolve(from_mapping(scenario), catalog)


def exact_results(questions: Sequence[Resolved], fractions: bool = False) -> list[Result]:
    """Answer many resolved scenarios at once, exactly.

    Parameters
    ----------
    questions : sequence of Resolved
        The questions.
    fractions : bool, optional
        As in :func:`odds`.

    Returns
    -------
    list of Result
        In the same order.

    Raises
    ------
    InputError
        When fractions are asked for more than 50 attack rolls.
    """
    problems = [question.problem for question in questions]
    if fractions and any(problem.rolls > MAX_FRACTION_ROLLS for problem in problems):
        raise too_many_for_fractions(max(problem.rolls for problem in problems))
    finals = solve(problems, fractions)
    if not fractions:
        return [Result(question, "exact", final) for question, final in zip(questions, finals, strict=True)]
    return [_with_fractions(question, final) for question, final in zip(questions, finals, strict=True)]


def too_many_for_fractions(rolls: int) -> InputError:
    """Build the error for a scenario with more attack rolls than are answered as Fractions.

    Parameters
    ----------
    rolls : int
        How many it has.

    Returns
    -------
    InputError
        Ready to be raised.
    """
    return InputError(f"these are {rolls} attack rolls, at most {MAX_FRACTION_ROLLS} are answered as fractions")


def _with_fractions(question: Resolved, final: Final) -> Result:
    states = [(state, float(p)) for state, p in final]
    return Result(question, "exact", states, fractions=[p for _, p in final])


#: How Monte Carlo works: roll every die, or draw from the exact answer; and what is said with the latter.
MODES = ("dice", "outcome", "counts")
DRAWN = "Drawn from the exact probabilities, so it cannot check them."

#: Trials when none are named, and before a run with a wanted precision looks for the first time.
USUAL_TRIALS, FIRST_LOOK = 1_000_000, 65_536


@dataclass(frozen=True)
class Plan:
    """How a scenario is to be simulated; the fields are the arguments of :func:`simulate`."""

    trials: int | None = None
    seed: int = 1
    threads: int | None = None
    mode: str = "dice"
    dice: str = "own"
    precision: float | None = None
    traces: int = 0

    def check(self) -> None:
        """Raise InputError for what cannot be; numbers of trials, seeds and threads are checked where they are used."""
        if not isinstance(self.mode, str):
            raise InputError(f"{show(self.mode)} is given, {', '.join(MODES)} is allowed", "mode")
        if self.mode not in MODES:
            raise unknown("mode", self.mode, MODES, "mode")
        if self.precision is not None:
            is_number = isinstance(self.precision, (int, float)) and not isinstance(self.precision, bool)
            if not is_number or not 1e-6 <= self.precision < 0.5:
                raise InputError(f"{show(self.precision)} is given, 0.000001 to less than 0.5 is allowed", "precision")
            if self.mode != "dice":
                raise InputError("it goes with the mode dice, drawn trials have no need of it", "precision")
        if type(self.traces) is not int or not 0 <= self.traces <= MAX_TRACES:
            raise InputError(f"{show(self.traces)} is given, 0 to {MAX_TRACES:,} is allowed", "traces")
        if self.traces and self.mode != "dice":
            raise InputError("they go with the mode dice, drawn trials have no dice to tell of", "traces")


#: Most trials that are told die by die.
MAX_TRACES = 10_000


def simulate(
    scenario: Any,
    trials: int | None = None,
    seed: int = 1,
    threads: int | None = None,
    mode: str = "dice",
    dice: str = "own",
    precision: float | None = None,
    traces: int = 0,
) -> Result:
    """Answer a scenario by rolling its dice: every die of every trial.

    Parameters
    ----------
    scenario : mapping, Scenario or Resolved
        As for :func:`odds`; the ``resolved`` of another answer keeps its catalogue.
    trials : int, optional
        How many times the scenario is played, a whole number from 1 to 1e13; default 1e6, or as many as ``precision``
        takes.
    seed : int, optional
        0 to 2**64 - 1; the same seed gives the same counts, for any number of threads.
    threads : int, optional
        1 to 1,024; default: one per processor.
    mode : str, optional
        ``dice``: every die is rolled. ``outcome``: one draw per trial from the exact answer; ``counts``: one draw for
        all trials. The last two cannot check the exact answer.
    dice : str, optional
        ``own``, or ``shared``: the pools of compared scenarios begin with the same dice, attack by attack, as long as
        the scenarios have the same attacks in the same places.
    precision : float, optional
        Wanted half-width of the interval of P(out of action), 1e-6 to less than 0.5; at least 65,536 trials are rolled.
        With ``trials`` too, the run stops at whichever comes first. Only for the mode ``dice``.
    traces : int, optional
        Tell the first so many trials die by die, at most 10,000. Only for the mode ``dice``.

    Returns
    -------
    Result
        Estimates with counts and 95% intervals; ``run.partial`` after Ctrl-C, ``run.traces`` as they can be printed.

    Raises
    ------
    InputError
        With one sentence: what was given, what is allowed.

    Examples
    --------
    >>> import tcsim
    >>> result = tcsim.simulate({"target": {}, "attacks": [{}]}, trials=20_000, seed=7, traces=1)
    >>> result.run.trials, 0.15 < result.out_of_action < 0.19
    (20000, True)
    >>> print(result.run.traces[0])  # doctest: +ELLIPSIS
    trial 0
      ranged attack
        action roll: ...
    """
    plan = Plan(trials, seed, threads, mode, dice, precision, traces)
    return simulate_resolved(resolved(scenario), plan)


def simulate_resolved(question: Resolved, plan: Plan, progress: Callable[[int], None] | None = None) -> Result:
    """Answer a resolved scenario by rolling its dice.

    Parameters
    ----------
    question : Resolved
        The question.
    plan : Plan
        How.
    progress : callable, optional
        Called now and then with the number of trials counted since the last call.

    Returns
    -------
    Result
        As for :func:`simulate`.

    Raises
    ------
    InputError
        When the plan cannot be.
    """
    plan.check()
    from tcsim.engines.play import Interrupted
    from tcsim.engines.states import decode
    from tcsim.kernels.stream import STREAM_VERSION

    problem = question.problem
    partial = False
    try:
        tally = rolled_tally(problem, plan, progress) if plan.mode == "dice" else _drawn(problem, plan, progress)
    except Interrupted as interrupted:
        if not interrupted.tally.trials:
            raise
        tally, partial = interrupted.tally, True
    told: list[Any] = []
    if plan.traces:
        from tcsim.engines import trace

        told = trace.trials(question, min(plan.traces, tally.trials), plan.seed, plan.dice)
    counts = {decode(code): n for code, n in tally.counts.items()}
    states = in_order((state, n / tally.trials) for state, n in counts.items())
    run = Run(tally.trials, plan.seed, STREAM_VERSION, counts, partial, tuple(told), plan.dice)
    method = "monte_carlo" if plan.mode == "dice" else plan.mode
    if plan.mode != "dice":
        question = replace(question, notes=(*question.notes, DRAWN))
    result = Result(question, method, states, run)
    if plan.precision is not None and result.interval is not None:
        half = (result.interval[2] - result.interval[1]) / 2
        if half > plan.precision:
            sentence = f"The interval is ±{half:.2g} after {tally.trials:,} trials, not the ±{plan.precision:g} wanted."
            result = replace(result, resolved=replace(question, notes=(*question.notes, sentence)))
    return result


def simulate_whole(question: Resolved, plan: Plan) -> Result:
    """Roll one question of many: after Ctrl-C there is no answer, as the others would be of other trials.

    Parameters
    ----------
    question : Resolved
        What is asked.
    plan : Plan
        How.

    Returns
    -------
    Result
        Of all trials.

    Raises
    ------
    InputError
        When the plan cannot be.
    KeyboardInterrupt
        After Ctrl-C, however much was counted.

    Examples
    --------
    >>> from tcsim.scenario.read import from_mapping
    >>> from tcsim.scenario.resolve import resolve
    >>> question = resolve(from_mapping({"target": {}, "attacks": [{}]}))
    >>> simulate_whole(question, Plan(trials=1000)).run.trials
    1000
    """
    found = simulate_resolved(question, plan)
    if found.run is not None and found.run.partial:
        raise KeyboardInterrupt
    return found


def _drawn(problem: Problem, plan: Plan, progress: Callable[[int], None] | None) -> Tally:
    """Draw the trials of a plan from the exact answer."""
    from tcsim.engines import drawn, monte_carlo

    trials = plan.trials if plan.trials is not None else USUAL_TRIALS
    monte_carlo.check(trials, plan.seed, plan.threads, plan.dice)
    key = monte_carlo.key_of(problem, plan.seed, plan.dice)
    return drawn.draw(solve([problem])[0], plan.mode, trials, plan.seed, key, plan.threads, progress)


def rolled_tally(problem: Problem, plan: Plan, progress: Callable[[int], None] | None = None, start: int = 0) -> Tally:
    """Count the trials of a plan: so many, or until the interval is as narrow as wanted, whichever comes first.

    Parameters
    ----------
    problem : Problem
        What is played.
    plan : Plan
        How; its mode is ``dice``.
    progress : callable, optional
        Called now and then with the number of trials counted since the last call.
    start : int, optional
        Number of the first trial, where a run goes on; not with ``precision``.

    Returns
    -------
    Tally
        What was counted.
    """
    from tcsim.engines import monte_carlo
    from tcsim.engines.play import Interrupted
    from tcsim.engines.states import encode

    def count(start: int, trials: int) -> Tally:
        return monte_carlo.count(problem, trials, plan.seed, plan.threads, plan.dice, start, progress)

    if plan.precision is None:
        return count(start, plan.trials if plan.trials is not None else USUAL_TRIALS)
    most = plan.trials if plan.trials is not None else monte_carlo.MAX_TRIALS
    monte_carlo.check(most, plan.seed, plan.threads, plan.dice)
    tally = count(0, min(FIRST_LOOK, most))
    try:
        while tally.trials < most:
            goal = next_trials(tally.counts.get(encode(None), 0), tally.trials, plan.precision)
            if goal is None:
                break
            tally += count(tally.trials, min(goal, most) - tally.trials)
    except Interrupted as interrupted:
        raise Interrupted(tally + interrupted.tally) from None
    except KeyboardInterrupt:
        raise Interrupted(tally) from None
    return tally
