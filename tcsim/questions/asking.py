"""Ask a question: exactly, or by rolling dice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from tcsim.base.errors import InputError, show
from tcsim.base.lang import speaking
from tcsim.questions.question import PROBABILITY, Asked, Question
from tcsim.questions.ruleset import Ruleset
from tcsim.stats import rolled

#: How a question is answered.
METHODS = ("exact", "monte_carlo")

#: The longest denominator of a fraction that is written, in bits: 4,214 digits.
MAX_BITS = 14_000

#: Trials and seed where none are given, and the most trials.
USUAL_TRIALS, USUAL_SEED, MAX_TRIALS = 100_000, 1, 10**10


@dataclass(frozen=True, slots=True)
class Reply:
    """The answers to what was asked.

    Parameters
    ----------
    question : Question
        The question.
    asked : Asked
        What was asked.
    method : str
        ``exact`` or ``monte_carlo``.
    answers : mapping of str to dict
        Answer name to its ``value``; exact ones have a ``fraction`` (unless the question says that they are
        float64, or it has thousands of digits), those of a family that has them a ``label``, rolled ones ``low``,
        ``high``, ``interval``, ``looks`` (trials that were looked at) and, where they are chances, ``count``.
    trials, seed : int or None
        Of rolled answers.
    notes : tuple of str
        What the answers leave out or assume, a sentence each.
    partial : bool
        Whether Ctrl-C stopped the rolling before all trials were rolled.
    """

    question: Question
    asked: Asked
    method: str
    answers: Mapping[str, Mapping[str, Any]]
    trials: int | None = None
    seed: int | None = None
    notes: tuple[str, ...] = ()
    partial: bool = False

    def __getitem__(self, name: str) -> Any:
        """Give the value of an answer: a Fraction where it is exact, else a number."""
        if name not in self.answers:
            from tcsim.base.errors import unknown

            raise unknown(f"answer of {self.question.name}", name, self.answers)
        found = self.answers[name]
        return Fraction(found["fraction"]) if "fraction" in found else found["value"]

    def inputs(self) -> dict[str, Any]:
        """Give every input as JSON has it; what was left open, or says nothing here, is left out.

        Returns
        -------
        dict
            Input name to value.
        """
        counting = [one for one in self.question.inputs if self.asked.counts(one)]
        values = [(one, self.asked[one.name]) for one in counting]
        return {one.name: one.kind.write(value) for one, value in values if value is not None}

    def to_dict(self) -> dict[str, Any]:
        """Give all of it as plain data, as ``--json`` prints it.

        Returns
        -------
        dict
            ``question``, ``edition``, ``method``, ``inputs``, ``answers``; of rolled answers also ``trials``, ``seed``,
            ``stream_version``, ``level``, and ``partial`` after Ctrl-C; ``notes`` only when there is something to say.
        """
        told: dict[str, Any] = {
            "question": self.question.name,
            "edition": self.asked.edition,
            "method": self.method,
            "inputs": self.inputs(),
            "answers": {name: dict(answer) for name, answer in self.answers.items()},
        }
        if self.method == METHODS[1]:
            from tcsim.questions.rolling import STREAM_VERSION

            told |= rolled(self.trials, self.seed, STREAM_VERSION, self.partial)
        if self.notes:
            told["notes"] = list(self.notes)
        return told


@dataclass(frozen=True, slots=True)
class How:
    """How a question is answered.

    Parameters
    ----------
    method : str, optional
        ``exact`` or ``monte_carlo``; a hyphen will do.
    trials : int, optional
        How many, up to 1e10; 100,000 where none is given.
    seed : int, optional
        Seed of the dice, from 0 below 2**64; 1 where none is given.

    Raises
    ------
    InputError
        For another method, a number out of range, or trials and a seed of an exact answer.
    """

    method: str = METHODS[0]
    trials: int | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        method = self.method.replace("-", "_") if isinstance(self.method, str) else self.method
        if method not in METHODS:
            raise InputError(f"{show(self.method)} is given, exact or monte-carlo is allowed", "method")
        object.__setattr__(self, "method", method)
        for name, value, low, high in (("trials", self.trials, 1, MAX_TRIALS), ("seed", self.seed, 0, 2**64 - 1)):
            if value is None:
                continue
            if method == METHODS[0]:
                raise InputError("it goes with the method monte-carlo, an exact answer needs none", name)
            if type(value) is not int or not low <= value <= high:
                raise InputError(f"{show(value)} is given, a whole number from {low:,} to {high:,} is allowed", name)


def ask(
    ruleset: Ruleset,
    name: str,
    given: Mapping[str, Any],
    edition: str | None = None,
    how: How | None = None,
    advance: Callable[[int], None] = lambda done: None,
) -> Reply:
    """Ask a question.

    Parameters
    ----------
    ruleset : Ruleset
        The game.
    name : str
        The question.
    given : mapping
        Input name to a text or a Python value.
    edition : str, optional
        The edition of the rules; default: the ruleset's own.
    how : How, optional
        Exactly (default), or by rolling dice.
    advance : callable, optional
        Told how many trials were rolled since it was told last.

    Returns
    -------
    Reply
        Every answer the question can give.

    Raises
    ------
    InputError
        For a question, edition or input that does not exist, or an input that is not allowed.
    """
    question = ruleset.question(name)
    named = question.edition_named(given) if edition is None else edition
    asked = question.read(given, ruleset.edition(question, named))
    how = how or How()
    if how.method == METHODS[0]:
        return Reply(question, asked, how.method, answer(question, asked), notes=question.notes(asked))
    trials, seed = how.trials or USUAL_TRIALS, USUAL_SEED if how.seed is None else how.seed
    answers, done = roll(question, asked, trials, seed, advance)
    return Reply(question, asked, how.method, answers, done, seed, question.notes(asked), done < trials)


def answer(question: Question, asked: Asked) -> dict[str, dict[str, Any]]:
    """Answer a question exactly.

    Parameters
    ----------
    question : Question
        The question.
    asked : Asked
        What is asked.

    Returns
    -------
    dict of str to dict
        Answer name to ``value`` and, for a rational, ``fraction``.
    """
    answers = {
        name: {"value": float(value)} | ({"fraction": str(value)} if is_written(value) else {})
        for name, value in question.exact(asked).items()
    }
    return _labelled(question, asked, answers)


def is_written(value: Fraction | float) -> bool:
    """Say whether an exact answer is written as a fraction: Python reads no number of more than 4,300 digits again.

    Parameters
    ----------
    value : Fraction or float
        The answer.

    Returns
    -------
    bool
        False for float64, too.

    Examples
    --------
    >>> is_written(Fraction(1, 3)), is_written(Fraction(1, 3**9000))
    (True, False)
    """
    return isinstance(value, (Fraction, int)) and Fraction(value).denominator.bit_length() <= MAX_BITS


def roll(
    question: Question, asked: Asked, trials: int, seed: int, advance: Callable[[int], None] = lambda done: None
) -> tuple[dict[str, dict[str, Any]], int]:
    """Answer a question by rolling dice.

    Parameters
    ----------
    question : Question
        The question.
    asked : Asked
        What is asked.
    trials : int
        How many, at least 1.
    seed : int
        Seed of the dice.
    advance : callable, optional
        Told how many trials were rolled since it was told last.

    Returns
    -------
    dict of str to dict; int
        Answer name to ``value``, its interval, and what was counted; and how many trials were rolled: fewer than were
        asked for after Ctrl-C.

    Raises
    ------
    KeyboardInterrupt
        After Ctrl-C, before anything was counted.
    """
    from tcsim.questions.rolling import CHUNK, Dice, Seen

    named = sorted((name, str(value)) for name, value in asked.values.items())
    dice = Dice(seed, f"{question.name} {asked.edition} {named}")
    seen: dict[str, Seen] = {}
    done = 0
    try:
        while done < trials:
            now = min(CHUNK, trials - done)
            for name, values in question.simulate(asked, dice, now).items():
                seen.setdefault(name, Seen()).add(values)
            done += now
            advance(now)
    except KeyboardInterrupt:
        if not done:
            raise
    answers = {
        name: one.chance() if question.answer_of(name).unit == PROBABILITY else one.mean() for name, one in seen.items()
    }
    return _labelled(question, asked, answers), done


def _labelled(question: Question, asked: Asked, answers: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Give answers their labels, in English, where only what was asked says what they are."""
    with speaking("en"):
        labels = {
            f"{answer.name}_{key}": label
            for answer in question.answers
            if callable(answer.labels)
            for key, label in answer.labels(asked).items()
        }
    return {name: found | ({"label": labels[name]} if name in labels else {}) for name, found in answers.items()}
