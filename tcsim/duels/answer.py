"""From a duel to its DuelResult: the way through the house, exact or by dice."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from tcsim.base.errors import InputError
from tcsim.duels.exact import Story, solve_duel
from tcsim.duels.given import from_mapping
from tcsim.duels.model import Duel
from tcsim.duels.optimal import Match
from tcsim.duels.resolve import ResolvedDuel, resolve_duel
from tcsim.duels.result import DuelResult, DuelRun

if TYPE_CHECKING:
    from tcsim.duels.rows import Tables
    from tcsim.stats import Tally

#: Trials where none are given, and most rounds that are answered as Fractions.
USUAL_TRIALS, MAX_FRACTION_ROUNDS = 1_000_000, 10


def duel(given: Any, catalog: Any = None, fractions: bool = False) -> DuelResult:
    """Answer a duel exactly: who takes the other out of action, how often, by which round.

    Parameters
    ----------
    given : mapping, GivenDuel or ResolvedDuel
        The question; its tables and fields are described in docs/duels.md.
    catalog : Catalog, path, or iterable of paths, optional
        Where names are looked up, as for :func:`tcsim.odds`.
    fractions : bool, optional
        Also give every probability as an exact rational; at most 10 rounds.

    Returns
    -------
    DuelResult
        Probabilities in [0, 1], float64, right to 1e-12.

    Raises
    ------
    InputError
        With one sentence: what was given, what is allowed.

    References
    ----------
    Trench Crusade 1.6.3 (Korean source text: melee attacks, Down) and 1.0.2 (rulebook: activation, Down).

    Examples
    --------
    >>> import tcsim
    >>> knight = {"unit": "Trench Pilgrim", "attacks": [{"weapon": "Sword / Axe"}]}
    >>> result = tcsim.duel({"a": knight, "b": knight})
    >>> result.a_wins > result.b_wins
    True
    """
    return answer_duel(resolved_duel(given, catalog), fractions)


def resolved_duel(given: Any, catalog: Any = None) -> ResolvedDuel:
    """Resolve a duel, unless it is resolved already.

    Parameters
    ----------
    given : mapping, GivenDuel or ResolvedDuel
        The question.
    catalog : Catalog, path, or iterable of paths, optional
        As for :func:`duel`.

    Returns
    -------
    ResolvedDuel
        The question in plain numbers.

    Raises
    ------
    InputError
        For whatever is wrong with it.
    """
    return given if isinstance(given, ResolvedDuel) else resolve_duel(from_mapping(given), catalog)


def answer_duel(question: ResolvedDuel, fractions: bool = False) -> DuelResult:
    """Answer a resolved duel exactly.

    Parameters
    ----------
    question : ResolvedDuel
        The question.
    fractions : bool, optional
        As for :func:`duel`.

    Returns
    -------
    DuelResult
        The answer.

    Raises
    ------
    InputError
        When it has too many rounds for fractions.
    """
    if fractions and question.duel.rounds > MAX_FRACTION_ROUNDS:
        message = f"{question.duel.rounds} rounds are asked for, at most {MAX_FRACTION_ROUNDS} are allowed"
        raise InputError(message, "fractions")
    story = _story(question.duel, fractions)
    plain = tuple((float(a), float(b)) for a, b in story)
    return DuelResult(question, "exact", plain, fractions=tuple(story) if fractions else None)


def _story(duel: Duel, fractions: bool) -> Story:
    return Match(duel).story(fractions) if duel.is_optimal else solve_duel(duel, fractions)


def simulate_duel(
    given: Any,
    trials: int | None = None,
    seed: int = 1,
    threads: int | None = None,
    catalog: Any = None,
    progress: Callable[[int], None] | None = None,
) -> DuelResult:
    """Answer a duel by rolling its dice: every die of every trial.

    Parameters
    ----------
    given : mapping, GivenDuel or ResolvedDuel
        As for :func:`duel`.
    trials : int, optional
        How many times it is fought, a whole number from 1 to 1e13; default 1e6.
    seed : int, optional
        0 to 2**64 - 1; the same seed gives the same counts, for any number of threads.
    threads : int, optional
        1 to 1,024; default: one per processor.
    catalog : Catalog, path, or iterable of paths, optional
        As for :func:`duel`.
    progress : callable, optional
        Called now and then with the number of trials counted since the last call.

    Returns
    -------
    DuelResult
        Estimates with counts and 95% intervals; ``run.partial`` after Ctrl-C.

    Raises
    ------
    InputError
        With one sentence: what was given, what is allowed.

    Examples
    --------
    >>> import tcsim
    >>> result = tcsim.simulate_duel({"rounds": 1, "a": {"attacks": [{}]}, "b": {"attacks": [{}]}}, trials=20_000)
    >>> 0.15 < result.a_wins < 0.19
    True
    """
    from tcsim.duels import monte_carlo
    from tcsim.engines.play import Interrupted

    question = resolved_duel(given, catalog)
    tables = tables_of(question.duel)
    trials, partial = USUAL_TRIALS if trials is None else trials, False
    try:
        tally = monte_carlo.count(question.duel, trials, seed, threads, tables, progress)
    except Interrupted as interrupted:
        if not interrupted.tally.trials:
            raise
        tally, partial = interrupted.tally, True
    return rolled(question, tally, seed, partial)


def tables_of(duel: Duel) -> Tables | None:
    """Give what the players of a duel spend, where they spend optimally.

    Parameters
    ----------
    duel : Duel
        The duel.

    Returns
    -------
    Tables or None
        None where they spend as fixed spending says.
    """
    if not duel.is_optimal:
        return None
    from tcsim.duels.tables import optimal_tables

    return optimal_tables(Match(duel))


def rolled(question: ResolvedDuel, tally: Tally, seed: int, partial: bool = False) -> DuelResult:
    """Tell what was counted of a duel.

    Parameters
    ----------
    question : ResolvedDuel
        The question.
    tally : Tally
        As :func:`tcsim.duels.monte_carlo.count` gives it.
    seed : int
        Of the dice.
    partial : bool, optional
        Whether Ctrl-C stopped it.

    Returns
    -------
    DuelResult
        Estimates.
    """
    from tcsim.kernels.stream import STREAM_VERSION

    by_round = [
        (tally.counts.get(1 + 2 * number, 0), tally.counts.get(2 + 2 * number, 0))
        for number in range(question.duel.rounds)
    ]
    story, a, b = [], 0, 0
    for a_count, b_count in by_round:
        a, b = a + a_count, b + b_count
        story.append((a / tally.trials, b / tally.trials))
    run = DuelRun(tally.trials, seed, STREAM_VERSION, tuple(by_round), partial)
    return DuelResult(question, "monte_carlo", tuple(story), run)
