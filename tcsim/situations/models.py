"""The models of a situation: what can be said of each, and the scenario of an attack on it.

A model is a table with any field of a scenario's ``target``, any field of an attack that tells of the place of the
target (cover, distance, height, indirect …), ``action_dice`` (added to the attack's), ``spend`` (what is done with its
blood markers on injury rolls, in place of ``spend.blood_on_injury``), and ``name``. So all that a scenario can say can
be said of every model.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from tcsim.base.errors import InputError, show, unknown
from tcsim.base.lang import mark
from tcsim.rules import DEFAULT_EDITION
from tcsim.scenario import model
from tcsim.scenario.asked import ASKED
from tcsim.scenario.problem import ATTACK, Problem, State, Step
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import Resolved, resolve
from tcsim.situations.tree import Situation

if TYPE_CHECKING:
    from tcsim.catalog import Catalog

#: Fields of an attack that are the attack's own, whoever is attacked.
_OF_THE_ATTACK = {"weapon", "kind", "shots", "times", "carried", "charging", "behind_obstacle", "choice", "friends"}
_OF_THE_ATTACK |= {"off_hand", "diving_charge", "prepared", "retreating"}
_OF_THE_TARGET = set(model.fields(model.Target))

#: Fields that say where the model is, and what is between it and the attacker.
PLACE = tuple(name for name in model.fields(model.Attack) if name not in _OF_THE_ATTACK | _OF_THE_TARGET)

#: All that can be said of a model.
FIELDS = ("name", *model.fields(model.Target), *PLACE, "spend")

#: Most models of a situation.
MAX_MODELS = 20


class Settled(NamedTuple):
    """A situation that can be answered, and the scenarios it was made of, which know what they leave out."""

    situation: Situation
    resolved: tuple[Resolved, ...]


@dataclass(frozen=True)
class Common:
    """What the attacks of a situation have in common.

    Parameters
    ----------
    edition : str, optional
        Edition id.
    attacker : mapping, optional
        A scenario's ``attacker``.
    spend : mapping, optional
        A scenario's ``spend``.
    options : mapping, optional
        A scenario's ``options``.
    catalog : Catalog, path, or iterable of paths, optional
        Where names are looked up.
    """

    edition: str = DEFAULT_EDITION
    attacker: Mapping[str, Any] = field(default_factory=dict)
    spend: Mapping[str, Any] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    catalog: Catalog | Any = None

    @property
    def later(self) -> Common:
        """The same after the attacker's markers are spent on the first action roll, where they are."""
        spent = {
            name: 0
            for name, of in (("blood", "blood_on_action"), ("blessing", "blessing_on_action"))
            if self.spend.get(of) == "all"
        }
        return replace(self, attacker={**self.attacker, **spent}) if spent else self

    @property
    def marked(self) -> bool:
        """Whether the first action roll is another than those after it."""
        return any(self.attacker.get(name, 0) != self.later.attacker.get(name, 0) for name in ("blood", "blessing"))


def scenario(common: Common, attack: Mapping[str, Any], one: Mapping[str, Any]) -> dict[str, Any]:
    """Build the scenario of an attack on one model.

    Parameters
    ----------
    common : Common
        What all attacks share.
    attack : mapping
        An entry of a scenario's ``attacks``.
    one : mapping
        The model, as told above.

    Returns
    -------
    dict
        A scenario.

    Examples
    --------
    >>> asked = scenario(Common(), {"action_dice": 1}, {"injury_modifier": -1, "cover": True, "action_dice": -1})
    >>> asked["target"], asked["attacks"]
    ({'injury_modifier': -1}, [{'action_dice': 0, 'cover': True}])
    """
    place = {name: one[name] for name in PLACE if name in one and name != "action_dice"}
    dice = {"action_dice": _sum(attack.get("action_dice", 0), one["action_dice"])} if "action_dice" in one else {}
    return {
        "edition": common.edition,
        "attacker": dict(common.attacker),
        "target": {name: one[name] for name in one if name in _OF_THE_TARGET},
        "attacks": [{**attack, **place, **dice}],
        "spend": {**common.spend, **({"blood_on_injury": one["spend"]} if "spend" in one else {})},
        "options": dict(common.options),
    }


def _sum(first: Any, second: Any) -> Any:
    """Add dice; what is no number is left for the scenario's own check."""
    numbers = [value for value in (first, second) if type(value) is int]
    return sum(numbers) if len(numbers) == 2 else second if type(first) is int else first


def against(common: Common, attack: Mapping[str, Any], one: Mapping[str, Any], where: str = "attack") -> Resolved:
    """Settle an attack on one model.

    Parameters
    ----------
    common : Common
        What all attacks share.
    attack : mapping
        An entry of a scenario's ``attacks``.
    one : mapping
        The model.
    where : str, optional
        What to call the attack in an error.

    Returns
    -------
    Resolved
        The scenario in plain numbers.

    Raises
    ------
    InputError
        For whatever cannot be.
    """
    return settle(common, scenario(common, attack, one), {"attacks[0]": where, "target": one.get("name", "target")})


def settle(common: Common, asked: Mapping[str, Any], places: Mapping[str, str]) -> Resolved:
    """Settle a scenario, and say where something is wrong in the words of the question.

    Parameters
    ----------
    common : Common
        Whose catalogue is looked in.
    asked : mapping
        The scenario.
    places : mapping of str to str
        Places in the scenario to what they are called.

    Returns
    -------
    Resolved
        The scenario in plain numbers.

    Raises
    ------
    InputError
        For whatever cannot be.
    """
    try:
        return resolve(from_mapping(asked), common.catalog)
    except InputError as error:
        said = str(error)
        for place, name in places.items():
            if said.startswith((f"{place}.", f"{place}:", f"{place}[")):
                said = name + said.removeprefix(place)
                break
        raise InputError(said) from None


def one_at_a_time(common: Common, resolved: Iterable[Resolved]) -> tuple[Resolved, ...]:
    """Say of scenarios that come one after the other on one model that each is planned by itself.

    Parameters
    ----------
    common : Common
        What they share.
    resolved : iterable of Resolved
        The scenarios.

    Returns
    -------
    tuple of Resolved
        With a note, where markers are spent to be best in the end.
    """
    note = mark("optimal spending looks at one attack at a time here, not at those after it.")
    more = (note,) if common.spend.get("blood_on_injury") == "optimal" else ()
    return tuple(replace(one, notes=(*one.notes, *more)) for one in resolved)


def untold(question: Resolved, field: str) -> Resolved:
    """Take away what is said of a field that the situation sets itself: that it changes nothing, or is assumed.

    Parameters
    ----------
    question : Resolved
        A settled scenario.
    field : str
        The field of its attack.

    Returns
    -------
    Resolved
        Without that.
    """
    begin = f"Changes nothing here: {field}, "
    notes = tuple(note for note in question.notes if not note.startswith(begin))
    return replace(question, notes=notes, assumed=tuple(one for one in question.assumed if one != ASKED[field]))


def checked(given: Any, where: str, least: int = 1, usual: str = "model") -> tuple[dict[str, Any], ...]:
    """Check the shape of a list of models, and name those that have no name.

    Parameters
    ----------
    given : list or tuple of mapping
        The models.
    where : str
        What to call the list in an error.
    least : int, optional
        How many there have to be.
    usual : str, optional
        What a model without name and unit is called.

    Returns
    -------
    tuple of dict
        The models, each with ``name``; no two names are the same.

    Raises
    ------
    InputError
        For what is no list of models, and for keys that a model has not.

    Examples
    --------
    >>> [one["name"] for one in checked([{}, {}, {"unit": "Yeoman"}], "group")]
    ['model 1', 'model 2', 'Yeoman']
    """
    if not isinstance(given, (list, tuple)):
        raise InputError(f"{show(given)} is given, a list of models is allowed", where)
    if not least <= len(given) <= MAX_MODELS:
        raise InputError(f"{len(given)} models are given, {least} to {MAX_MODELS} are allowed", where)
    models = []
    for number, one in enumerate(given, 1):
        if not isinstance(one, Mapping):
            raise InputError(f"{show(one)} is given, a table is allowed", f"{where}[{number}]")
        for key in one:
            if key not in FIELDS:
                raise unknown("field of a model", show(key) if not isinstance(key, str) else key, FIELDS, where)
        name = one.get("name", one.get("unit", usual))
        if not isinstance(name, str) or not 0 < len(name) <= 200 or not name.isprintable():
            message = f"{show(name)} is given, a name is one line of signs that can be printed, at most 200"
            raise InputError(message, f"{where}[{number}].name")
        models.append({**one, "name": name})
    return tuple(_told_apart(models))


def _told_apart(models: list[dict[str, Any]]) -> Iterable[dict[str, Any]]:
    """Number the models whose names are the same."""
    names = [one["name"] for one in models]
    seen: dict[str, int] = {}
    for one in models:
        name = one["name"]
        if names.count(name) > 1:
            seen[name] = seen.get(name, 0) + 1
            one = {**one, "name": f"{name} {seen[name]}"}
        yield one


def only_step(problem: Problem) -> Step:
    """Give the step of a problem that is one attack.

    Parameters
    ----------
    problem : Problem
        Of a scenario with one attack.

    Returns
    -------
    Step
        Its step.

    Raises
    ------
    InputError
        When its attack has several rolls.
    """
    if problem.rolls != 1:
        raise InputError(f"one attack roll is answered here, the attack has {problem.rolls}", "attack")
    return next(step for step in problem.steps if step.kind == ATTACK)


def lowest_critical(problem: Problem, step: Step, state: State) -> int:
    """The lowest action roll that is a critical.

    Parameters
    ----------
    problem : Problem
        The problem.
    step : Step
        One of its steps.
    state : State
        The target, as it is by then.

    Returns
    -------
    int
        Usually 12.

    Raises
    ------
    InputError
        When failed action rolls are made again.
    """
    special, charts = step.special, problem.charts
    if special.rerolls:
        raise InputError("an action roll that decides for several models is not answered with re-rolls", "attack")
    lower = special.critical_lower + special.critical_lower_per_marker * (state.blood + state.infection)
    return max(charts.critical - lower, charts.success)


def after_the_roll(problem: Problem, critical: bool) -> Problem:
    """What is left of one attack when its action roll has been made: a hit, plain or critical.

    Parameters
    ----------
    problem : Problem
        Of a scenario with one attack roll.
    critical : bool
        Whether the hit is a critical.

    Returns
    -------
    Problem
        With an attack that hits without a roll, and the injury roll of such a hit.

    Examples
    --------
    >>> problem = against(Common(), {}, {}, "model").problem
    >>> after_the_roll(problem, True).steps[0].injury_dice
    1
    """
    step = only_step(problem)
    hit = step._replace(auto_hit=1, risky=0, action_dice=0, action_dice_down=0, first_shot_dice=0)
    if critical:
        hit = hit._replace(
            injury_dice=step.injury_dice_critical,
            injury_dice_down=step.injury_dice_down_critical,
            injury_modifier=step.injury_modifier_critical,
            injury_modifier_down=step.injury_modifier_down_critical,
        )
    return replace(problem, steps=(hit,))
