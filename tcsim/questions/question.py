"""A question as data, and what was asked of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from tcsim.base.errors import InputError, did_you_mean, show
from tcsim.base.lang import mark, speaking, tr
from tcsim.questions.kinds import Flag, Kind

if TYPE_CHECKING:
    from tcsim.questions.rolling import Dice

#: Units of answers that are chances; all other answers are means of numbers.
PROBABILITY = mark("probability")
#: The unit of answers that are 1 for yes and 0 for no.
YES_OR_NO = mark("1: yes, 0: no")

#: Names that belong to the asking itself, so no input may have them.
RESERVED = frozenset({"edition", "method", "trials", "seed", "json", "csv", "lang", "help"})


@dataclass(frozen=True, slots=True)
class Input:
    """What a question has to be told.

    Parameters
    ----------
    name : str
        Its key.
    kind : Kind
        What it may be.
    help : str
        What it says, in a line.
    default : Any, optional
        Its value where none is given, as it would be read: one for all editions, or a mapping of edition to value.
        None: left open, the question does without.
    required : bool, optional
        Whether it has to be given.
    reason : str, optional
        Why this is the default, where it is a reading of an unclear rule.
    editions : tuple of str, optional
        Where it is known; empty for all editions.
    goes_with : tuple of str, optional
        Inputs of which one has to be set (and not false) for this one to say anything: ``skirmisher``, or
        ``tests=both`` for one that has to have this value.
    """

    name: str
    kind: Kind
    help: str
    default: Any = None
    required: bool = False
    reason: str = ""
    editions: tuple[str, ...] = ()
    goes_with: tuple[str, ...] = ()

    def default_in(self, edition: str) -> Any:
        """Give the value where none is given.

        Parameters
        ----------
        edition : str
            The edition.

        Returns
        -------
        Any
            A value that was read, or None.
        """
        default = self.default[edition] if isinstance(self.default, Mapping) else self.default
        return None if default is None or not self.known_in(edition) else self.kind.read(default)

    def known_in(self, edition: str) -> bool:
        """Say whether an edition has it.

        Parameters
        ----------
        edition : str
            The edition.

        Returns
        -------
        bool
            Whether it may be given.
        """
        return not self.editions or edition in self.editions


@dataclass(frozen=True, slots=True)
class Answer:
    """What a question answers.

    Parameters
    ----------
    name : str
        Its key; of a family, its beginning: ``reach`` stands for ``reach_7``, ``reach_8`` and so on.
    help : str
        What it says, in a line.
    unit : str, optional
        ``probability``, or what is counted: its mean.
    family : bool, optional
        Whether it is a table of answers.
    labels : mapping of str to str, or callable, optional
        What the answers of a family are called where their keys do not say it; a callable gives that of what was asked,
        in the language of the moment.
    bars : bool, optional
        Whether a table of them shows bars: places, and choices, are no amounts.
    """

    name: str
    help: str
    unit: str = PROBABILITY
    family: bool = False
    labels: Mapping[str, str] | Callable[[Asked], Mapping[str, str]] = field(default_factory=dict)
    bars: bool = True

    def labels_in(self, asked: Asked) -> Mapping[str, str]:
        """Give what the answers of a family are called.

        Parameters
        ----------
        asked : Asked
            What was asked.

        Returns
        -------
        mapping of str to str
            End of the answer's name to its label, in the language of the moment.
        """
        if callable(self.labels):
            return self.labels(asked)
        return {key: tr(label) for key, label in self.labels.items()}


@dataclass(frozen=True, slots=True)
class Asked:
    """What was asked: an edition, and every input with its value.

    Parameters
    ----------
    edition : str
        The edition of the rules.
    values : mapping
        Input name to value; None for what was left open.
    given : frozenset of str
        Inputs that were given; the others have their defaults.
    """

    edition: str
    values: Mapping[str, Any]
    given: frozenset[str]

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    def counts(self, one: Input) -> bool:
        """Say whether an input says anything beside the others.

        Parameters
        ----------
        one : Input
            The input.

        Returns
        -------
        bool
            False where it goes with inputs that are not set.
        """
        return not one.goes_with or any(map(self._holds, one.goes_with))

    def _holds(self, condition: str) -> bool:
        name, equals, word = condition.partition("=")
        return bool(self.values[name] == word if equals else is_set(self.values[name]))


#: An answer's name to its exact value: float64 where its question says so, else a Fraction.
Exact: TypeAlias = Mapping[str, Fraction | float]

Made = TypeVar("Made")


def once(make: Callable[[Asked], Made]) -> Callable[[Asked], Made]:
    """Remember what was made of what was asked last, as it is checked first and rolled in chunks then.

    Parameters
    ----------
    make : callable
        Of what was asked, something that takes a while.

    Returns
    -------
    callable
        The same.
    """
    last: list[tuple[Asked, Made]] = []

    @wraps(make)
    def remembered(asked: Asked) -> Made:
        if not last or last[0][0] is not asked:
            last[:] = [(asked, make(asked))]
        return last[0][1]

    return remembered


@dataclass(frozen=True, slots=True)
class Question:
    """One question, whole.

    Parameters
    ----------
    name : str
        Its name on the command line.
    inputs : tuple of Input
        What it has to be told.
    answers : tuple of Answer
        What it answers, the first one first.
    exact : callable
        Of what was asked, the exact value of each answer that it can give.
    simulate : callable
        Of what was asked, a :class:`tcsim.questions.rolling.Dice` and a number of trials, what came of really rolling:
        for each name that ``exact`` gives, a numpy array with a value per trial (booleans for chances; fewer values
        where an answer looks at some trials only), or :class:`tcsim.questions.rolling.Seen`.
    rule : str or mapping of str to str
        The rule in our own words; one for all editions, or by edition.
    source : str or mapping of str to str
        Where it stands.
    examples : tuple of str
        Inputs as on the command line, ``key=value key=value``; the first one first.
    check : callable, optional
        Raises an InputError for inputs that do not go together.
    editions : tuple of str, optional
        Where it can be asked; empty for all editions of its ruleset.
    notes : callable, optional
        Of what was asked, what the answers leave out or assume: a sentence each.
    float64 : str, optional
        Where exact answers are float64, right to 1e-12, and not Fractions: when that is, in words.
    edition_named : callable, optional
        Of what is given, the edition that it names itself, as a file does; it is asked in this one where no other is
        given.
    """

    name: str
    inputs: tuple[Input, ...]
    answers: tuple[Answer, ...]
    exact: Callable[[Asked], Exact]
    simulate: Callable[[Asked, Dice, int], Mapping[str, Any]]
    rule: str | Mapping[str, str]
    source: str | Mapping[str, str]
    examples: tuple[str, ...]
    check: Callable[[Asked], object] | None = None
    editions: tuple[str, ...] = ()
    notes: Callable[[Asked], tuple[str, ...]] = lambda asked: ()
    float64: str = ""
    edition_named: Callable[[Mapping[str, Any]], Any] = lambda given: None

    def read(self, given: Mapping[str, Any], edition: str) -> Asked:
        """Check what is given, and settle the rest.

        Parameters
        ----------
        given : mapping
            Input name to a text or a Python value.
        edition : str
            One that the question has.

        Returns
        -------
        Asked
            Every input with its value.

        Raises
        ------
        InputError
            For an input that does not exist, is not allowed, or is missing.
        """
        by_name = {one.name: one for one in self.inputs}
        named: set[str] = set()
        values = {one.name: one.default_in(edition) for one in self.inputs}
        for key, value in given.items():
            name = str(key) if key in by_name else str(key).strip().replace("-", "_")
            if name not in by_name:
                names = [one.name for one in self.inputs if one.known_in(edition)]
                listed = f"{self.name} takes {', '.join(names)}" if names else f"{self.name} takes none"
                raise InputError(f"there is no input {show(name)}{did_you_mean(name, names)} ({listed})")
            if not by_name[name].known_in(edition):
                places = " and ".join(by_name[name].editions)
                raise InputError(f"it belongs to edition {places}, the question is asked in {edition}", name)
            if name in named:
                raise InputError("it is given twice", name)
            named.add(name)
            values[name] = read_input(by_name[name], value)
        missing = [one for one in self.inputs if one.required and one.known_in(edition) and values[one.name] is None]
        if missing:
            one = missing[0]
            with speaking("en"):  # as all errors
                raise InputError(f"{self.name} needs it: {one.help}, {one.kind.allowed}", one.name)
        asked = Asked(edition, values, frozenset(named))
        for one in self.inputs:
            if one.name in named and is_set(values[one.name]) and not asked.counts(one):
                conditions = [text for text in one.goes_with if by_name[text.partition("=")[0]].known_in(edition)]
                others = " or ".join(conditions)
                raise InputError(f"it goes with {others}, which is not given", one.name)
        if self.check is not None:
            self.check(asked)
        return asked

    def answer_of(self, name: str) -> Answer:
        """Find what an answer's name stands for.

        Parameters
        ----------
        name : str
            As ``exact`` gives it.

        Returns
        -------
        Answer
            The answer, or the family that it belongs to.
        """
        found = [one for one in self.answers if one.name == name]
        found += [one for one in self.answers if one.family and name.startswith(f"{one.name}_")]
        return found[0]

    def rule_in(self, edition: str) -> str:
        """Give the rule of an edition.

        Parameters
        ----------
        edition : str
            The edition.

        Returns
        -------
        str
            English, to be translated where it is printed.
        """
        return self.rule if isinstance(self.rule, str) else self.rule[edition]

    def source_in(self, edition: str) -> str:
        """Give the source of the rule in an edition.

        Parameters
        ----------
        edition : str
            The edition.

        Returns
        -------
        str
            Where it stands.
        """
        return self.source if isinstance(self.source, str) else self.source[edition]


def is_set(value: Any) -> bool:
    """Say whether an input is set: given, and not a flag that is false.

    Parameters
    ----------
    value : Any
        Its value.

    Returns
    -------
    bool
        True for 0, too.

    Examples
    --------
    >>> is_set(0), is_set(False), is_set(None)
    (True, False, False)
    """
    return value is not None and value is not False


def read_input(one: Input, value: Any) -> Any:
    """Read one input, and say its name where it is wrong.

    Parameters
    ----------
    one : Input
        The input.
    value : Any
        A text or a Python value.

    Returns
    -------
    Any
        The value.

    Raises
    ------
    InputError
        When it is not allowed.
    """
    try:
        return one.kind.read(value)
    except InputError as error:
        raise InputError(str(error), one.name) from None


def read_pairs(texts: list[str], question: Question) -> dict[str, str]:
    """Read ``key=value`` texts; a flag may stand alone.

    Parameters
    ----------
    texts : list of str
        As ``["move=6", "heavy"]``.
    question : Question
        Whose inputs they are.

    Returns
    -------
    dict of str to str
        Input name to text, not yet checked.

    Raises
    ------
    InputError
        For a text without ``=``, or a key that is given twice.
    """
    flags = {one.name for one in question.inputs if isinstance(one.kind, Flag)}
    names = {one.name for one in question.inputs}
    given: dict[str, str] = {}
    for text in texts:
        key, equals, value = (part.strip() for part in text.partition("="))
        key = key if key in names else key.replace("-", "_")
        if not equals and key not in flags:
            example = next((one for one in " ".join(question.examples).split() if one.startswith(f"{key}=")), None)
            hint = "" if key in names else did_you_mean(key, names)
            example = example or question.examples[0].split()[0]
            raise InputError(f"{show(text)} is given, key=value is needed, as {example}{hint}")
        if key in given:
            raise InputError("it is given twice", key)
        if key in RESERVED:
            raise InputError(f"it is no input of {question.name}; on the command line it is --{key}", key)
        given[key] = value if equals else "true"
    return given


def family(name: str, values: Mapping[Any, Any]) -> dict[str, Any]:
    """Name the answers of a family.

    Parameters
    ----------
    name : str
        The family.
    values : mapping
        What tells its answers apart, to their values.

    Returns
    -------
    dict
        As ``{"reach_7": …}``; what is not whole is written as a decimal or a fraction.

    Examples
    --------
    >>> family("reach", {7: Fraction(1, 6), Fraction(15, 2): Fraction(5, 6)})
    {'reach_7': Fraction(1, 6), 'reach_7.5': Fraction(5, 6)}
    """
    return {f"{name}_{as_decimal(key)}": value for key, value in values.items()}


def as_decimal(value: Any) -> str:
    """Write a value for people: a fraction as a short decimal, where it is one.

    Parameters
    ----------
    value : Any
        A fraction, or anything that is written as it is.

    Returns
    -------
    str
        The text.

    Examples
    --------
    >>> as_decimal(Fraction(5, 2)), as_decimal(Fraction(1, 3)), as_decimal("D6")
    ('2.5', '1/3', 'D6')
    """
    if isinstance(value, Fraction) and value.denominator in (2, 4, 5, 8, 10):
        return str(float(value))
    return str(value)
