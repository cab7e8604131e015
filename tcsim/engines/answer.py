"""From a scenario to its Result: the way through the house, exact or by dice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from tcsim.base.errors import InputError, show, unknown
from tcsim.engines.exact import Final, solve
from tcsim.engines.result import Result, Run
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import Resolved, resolve

#: Most attack rolls that are answered as Fractions.
MAX_FRACTION_ROLLS = 50


def odds(scenario: Any, fractions: bool = False) -> Result:
    """Answer a scenario exactly: every way it can end, and how probable it is.

    Parameters
    ----------
    scenario : mapping or Scenario
        The question; its tables and fields are described in the README under "The scenario".
    fractions : bool, optional
        Also give every probability as an exact rational; at most 50 attack rolls.

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
    resolved = resolve(from_mapping(scenario))
    return exact_results([resolved], fractions)[0]


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


def simulate(
    scenario: Any,
    trials: int,
    seed: int = 1,
    threads: int | None = None,
    mode: str = "dice",
    dice: str = "own",
    progress: Callable[[int], None] | None = None,
) -> Result:
    """Answer a scenario by rolling its dice: every die of every trial.

    Parameters
    ----------
    scenario : mapping or Scenario
        As for :func:`odds`.
    trials : int
        How many times the scenario is played, 1 to 1e13.
    seed : int, optional
        0 to 2**64 - 1; the same seed gives the same counts, for any number of threads.
    threads : int, optional
        Default: one per processor.
    mode : str, optional
        ``dice``: every die is rolled. The modes ``outcome`` and ``counts`` are not there yet.
    dice : str, optional
        ``own``, or ``shared`` so that compared scenarios share their dice.
    progress : callable, optional
        Called now and then with the number of trials counted since the last call.

    Returns
    -------
    Result
        Estimates with counts and 95% intervals.

    Raises
    ------
    InputError
        With one sentence: what was given, what is allowed.

    Examples
    --------
    >>> import tcsim
    >>> result = tcsim.simulate({"target": {}, "attacks": [{}]}, trials=20_000, seed=7)
    >>> result.run.trials, 0.15 < result.out_of_action < 0.19
    (20000, True)
    """
    return simulate_resolved(resolve(from_mapping(scenario)), trials, seed, threads, mode, dice, progress)


def simulate_resolved(
    question: Resolved,
    trials: int,
    seed: int = 1,
    threads: int | None = None,
    mode: str = "dice",
    dice: str = "own",
    progress: Callable[[int], None] | None = None,
) -> Result:
    """Answer a resolved scenario by rolling its dice; parameters as in :func:`simulate`."""
    if mode in ("outcome", "counts"):
        raise InputError(f"{mode} is not there yet, dice is", "mode")
    if mode != "dice":
        raise (
            unknown("mode", mode, ["dice"], "mode")
            if isinstance(mode, str)
            else InputError(f"{show(mode)} is given, dice is allowed", "mode")
        )
    from tcsim.engines import monte_carlo
    from tcsim.kernels.fight import STREAM_VERSION

    tally = monte_carlo.count(question.problem, trials, seed, threads, dice, progress=progress)
    counts = {monte_carlo.decode(code): n for code, n in tally.counts.items()}
    states = sorted(
        ((state, n / tally.trials) for state, n in counts.items()),
        key=lambda way: (way[0] is not None, way[0] or ()),
    )
    run = Run(tally.trials, seed, STREAM_VERSION, counts, tally.spans)
    return Result(question, "monte_carlo", states, run)
