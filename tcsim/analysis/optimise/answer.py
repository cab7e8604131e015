"""The best loadouts of a unit for a budget: the question, and its answer with bills, odds and proof of the search."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from tcsim.analysis.compare.mixes import USUAL, Mix, whom
from tcsim.analysis.compare.targets import BETWEEN, MOST_WEIGHT, Target
from tcsim.analysis.matchup import CHOSEN, SETTLED
from tcsim.analysis.optimise.odds import Odds, Question
from tcsim.analysis.optimise.search import Counts, Place, Search
from tcsim.base.errors import InputError, show, unknown
from tcsim.base.numbers import fraction
from tcsim.catalog import catalog as open_catalog
from tcsim.catalog.kit import Kit
from tcsim.catalog.loadout import Checked, check
from tcsim.catalog.warbands import LISTS, read_loadouts
from tcsim.catalog.wares import Recruit, Ware, recruit
from tcsim.rules import DEFAULT_EDITION
from tcsim.rules import edition as load_edition
from tcsim.scenario.notes import note
from tcsim.scenario.problem import BLOOD_POLICIES
from tcsim.scenario.read import from_mapping
from tcsim.scenario.resolve import resolve
from tcsim.scenario.written import read_attack

if TYPE_CHECKING:
    import pandas as pd

#: What loadouts are valued by, in words.
GOALS = {
    "out": "chance that the target is out of action",
    "down": "chance that the target is Down or out of action",
    "survive": "chance that the model is not out of action after an attack of --against",
    "both": "chance that the target is out of action and that the model survives an attack of --against",
}

#: What a model may do in its activation, and most of each number.
ACTIONS = ("best", "ranged", "melee")
MOST_BUDGET, MOST_TIMES, MOST_RUNNERS_UP = 10_000, 20, 100

_WEIGHT = re.compile(r"\s*(\d[\d./]{0,20})\s*[x×]\s+(\S.*)", re.DOTALL)


@dataclass(frozen=True)
class Settings:
    """How the best loadout is looked for; the fields are keywords of :func:`optimise`.

    Parameters
    ----------
    faction : str or None
        Faction or variant; default: that of the unit.
    goal : str
        A key of :data:`GOALS`.
    action : str
        ``ranged`` (Shoot), ``melee`` (Fight), or ``best``: the better of them, target by target.
    times : int
        How often the action is repeated, in an activation each; 1 to 20.
    against : texts or None
        Attacks on the model, for the goals ``survive`` and ``both``, as ``--attack`` takes them; with ``3x`` before
        one that counts three times.
    runners_up : int
        How many more loadouts are wanted; 0 to 100.
    glory : int
        Glory that may be spent too; 0 to 10,000. It is never added to ducats.
    spend : str
        How the blood of whoever is attacked is spent on injury rolls: ``none``, ``all``, ``bloodbath``, ``greedy`` or
        ``optimal`` (for the goal).
    """

    faction: str | None = None
    goal: str = "out"
    action: str = "best"
    times: int = 1
    against: Any = None
    runners_up: int = 5
    glory: int = 0
    spend: str = "none"

    def __post_init__(self) -> None:
        for name, allowed in (("goal", tuple(GOALS)), ("action", ACTIONS), ("spend", BLOOD_POLICIES)):
            value = getattr(self, name)
            if not isinstance(value, str) or value not in allowed:
                raise unknown("policy" if name == "spend" else name, str(value), allowed, name)
        for name, low, high in (
            ("times", 1, MOST_TIMES),
            ("runners_up", 0, MOST_RUNNERS_UP),
            ("glory", 0, MOST_BUDGET),
        ):
            _whole(getattr(self, name), low, high, name)
        if self.faction is not None and not isinstance(self.faction, str):
            raise InputError(f"{show(self.faction)} is given, the name of a faction is allowed", "faction")
        if (self.goal in ("survive", "both")) != (self.against is not None):
            goals = "the goals survive and both ask for attacks on the model, out and down for none"
            raise InputError(f"{goals}; the goal is {self.goal}", "against")


def _whole(value: Any, low: int, high: int, where: str) -> int:
    if type(value) is not int or not low <= value <= high:
        raise InputError(f"{show(value)} is given, a whole number from {low} to {high:,} is allowed", where)
    return value


@dataclass(frozen=True)
class Strike:
    """What a loadout does to one target: the way it picks, and its chance."""

    target: Target
    kind: str | None
    weapons: str | None
    chance: float
    scenario: dict[str, Any] | None


@dataclass(frozen=True)
class Choice:
    """One loadout of the answer.

    Parameters
    ----------
    wares : tuple of Ware
        What the model takes.
    kit : Kit
        The model.
    value : float
        What it is ordered by.
    strikes : tuple of Strike
        By target; empty where no attack is asked about.
    survives : float or None
        Chance to survive an attack of the ``against`` mix; None where it is not asked about.
    checked : Checked
        What ``tcsim catalog check`` says of it.
    """

    wares: tuple[Ware, ...]
    kit: Kit
    value: float
    strikes: tuple[Strike, ...]
    survives: float | None
    checked: Checked

    @property
    def name(self) -> str:
        """What it takes, in a few words; empty for nothing."""
        number: dict[str, int] = {}
        for ware in self.wares:
            number[ware.name] = number.get(ware.name, 0) + 1
        return ", ".join(f"{n} × {name}" if n > 1 else name for name, n in number.items())

    @property
    def strike(self) -> float | None:
        """Chance over the mix of targets; None where no attack is asked about."""
        total = sum(one.target.weight for one in self.strikes)
        return sum(one.target.weight * one.chance for one in self.strikes) / total if self.strikes else None

    @property
    def loadout(self) -> dict[str, Any]:
        """The model as a loadout, as ``tcsim catalog check`` and :func:`read_loadouts` take it."""
        lists = {name: list(self.kit.model.kit[name]) for name in LISTS if self.kit.model.kit[name]}
        return {
            "edition": self.kit.unit.edition,
            "faction": self.kit.faction.name,
            "unit": self.kit.unit.id,
            **lists,
        }

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data, for JSON.

        Returns
        -------
        dict
            Values, bill, whether it is legal, the loadout, and each target with the scenario that is asked.
        """
        return {
            "value": self.value,
            "p": self.strike,
            "survives": self.survives,
            "ducats": self.kit.cost(),
            "glory": self.kit.cost("glory"),
            "bill": [[name, price.amount, price.currency] for name, price in self.kit.bill],
            "legal": self.checked.legal,
            "loadout": self.loadout,
            "targets": [
                {
                    "target": one.target.name,
                    "weight": one.target.weight,
                    "action": one.kind,
                    "weapons": one.weapons,
                    "p": one.chance,
                    "scenario": one.scenario,
                }
                for one in self.strikes
            ],
        }


@dataclass(frozen=True)
class Optimum:
    """The best loadouts of a unit for a budget.

    Parameters
    ----------
    recruit : Recruit
        The unit.
    budget : int
        Ducats for the model with all it takes.
    settings : Settings
        What was asked.
    question : Question
        Targets, and attacks on the model.
    mix : Mix or None
        Where the targets come from, if they are one.
    choices : tuple of Choice
        Best first; empty where nothing is legal for the budget.
    counts : Counts
        How the search went.
    partial : bool
        It was stopped: better ones may not have been met.
    """

    recruit: Recruit
    budget: int
    settings: Settings
    question: Question
    mix: Mix | None
    choices: tuple[Choice, ...]
    counts: Counts
    partial: bool

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """What is not counted or not checked, a sentence each."""
        found: list[str] = []
        for choice in self.choices:
            for text in choice.checked.notes:
                note(found, text)
            for strike in choice.strikes:
                if strike.scenario is not None:
                    for text in resolve(from_mapping(strike.scenario)).notes:
                        if not SETTLED.fullmatch(text):
                            note(found, CHOSEN.sub(r"\1 against each target.", text))
        return tuple(found)

    def to_dict(self) -> dict[str, Any]:
        """Give it as plain data, for JSON.

        Returns
        -------
        dict
            The question, ``proven``, ``counts``, ``loadouts`` and ``notes``.
        """
        return {
            "edition": self.recruit.unit.edition,
            "unit": self.recruit.unit.id,
            "faction": self.recruit.faction.name,
            "budget": self.budget,
            "glory": self.settings.glory,
            "unit_cost": [self.recruit.price.amount, self.recruit.price.currency],
            "goal": self.settings.goal,
            "action": self.settings.action,
            "times": self.settings.times,
            "spend": self.settings.spend,
            "method": "exact",
            "targets": [
                {"name": one.name, "weight": one.weight, "target": dict(one.table)} for one in self.question.targets
            ],
            "against": [{"attack": attack, "weight": weight} for attack, weight in self.question.against],
            "proven": not self.partial,
            "counts": self.counts.to_dict(),
            "loadouts": [choice.to_dict() for choice in self.choices],
            "notes": list(self.notes),
        }

    @property
    def frame(self) -> pd.DataFrame:
        """A row per loadout and target: ``rank``, ``loadout``, ``cost_ducats``, ``cost_glory``, ``value`` …."""
        import pandas as pd

        rows = [
            {
                "rank": rank,
                "loadout": choice.name,
                "cost_ducats": choice.kit.cost(),
                "cost_glory": choice.kit.cost("glory"),
                "value": choice.value,
                "survives": choice.survives,
                "target": one.target.name if one is not None else None,
                "weight": one.target.weight if one is not None else None,
                "action": one.kind if one is not None else None,
                "weapons": one.weapons if one is not None else None,
                "p": one.chance if one is not None else None,
            }
            for rank, choice in enumerate(self.choices, 1)
            for one in choice.strikes or (None,)
        ]
        return pd.DataFrame(rows)


def optimise(
    unit: str,
    budget: int,
    targets: Any = None,
    mix: str | Mix | None = None,
    edition: str = DEFAULT_EDITION,
    progress: Callable[[int], None] | None = None,
    **settings: Any,
) -> Optimum:
    """Find the best legal loadouts of a unit for a budget, proven best, with the runners-up.

    Every combination of all that the unit may take is covered: official, sold to its faction, legal by the rules that
    ``tcsim catalog check`` applies. Loadouts are ordered by their exact chance over the mix of targets, then by price.
    Given are lean ones only: no part of one is legal and as good.

    Parameters
    ----------
    unit : str
        Id, name, or ``Name @faction[-variant]``.
    budget : int
        Ducats for the model with all it takes; 0 to 10,000.
    targets : as for :func:`tcsim.analysis.compare.targets.read_targets`, optional
        Who is attacked, with weights.
    mix : str or Mix, optional
        A mix instead (:func:`tcsim.analysis.compare.mixes.read_mix`); default: the models of the shipped starting
        warbands by armour and TOUGH.
    edition : str, optional
        Edition id.
    progress : callable, optional
        Called with 1 after each part of the search.
    **settings
        Fields of :class:`Settings`: ``faction``, ``goal``, ``action``, ``times``, ``against``, ``runners_up``,
        ``glory`` and ``spend``.

    Returns
    -------
    Optimum
        ``choices``, best first; after Ctrl-C those found so far, and ``partial``.

    Raises
    ------
    InputError
        For a name that does not exist or a number that cannot be.

    Examples
    --------
    >>> found = optimise("Yeoman", 40, "0, -2", action="melee", runners_up=1)
    >>> [(choice.name, choice.kit.cost(), round(choice.value, 3)) for choice in found.choices]
    [('Double-Handed Blunt Weapon', 40, 0.176), ('2 × Sword / Axe', 38, 0.174)]
    """
    for name in settings:
        if name not in {field.name for field in fields(Settings)}:
            raise unknown("setting", name, [field.name for field in fields(Settings)], "optimise")
    asked = Settings(**settings)
    edition = load_edition(edition).id
    _whole(budget, 0, MOST_BUDGET, "budget")
    if not isinstance(unit, str):
        raise InputError(f"{show(unit)} is given, the name of a unit is allowed", "unit")
    who = recruit(unit, asked.faction, edition)
    met: tuple[Target, ...] = ()
    read: Mix | None = None
    if asked.goal != "survive":
        met, read = whom(targets, mix, open_catalog(edition), USUAL)
    elif (targets, mix) != (None, None):
        raise InputError("the goal survive has no targets of its own, some are given", "targets")
    question = Question(met, asked.action, asked.times, asked.goal, read_against(asked.against, edition), asked.spend)
    odds = Odds(who, question)
    left = {"ducats": budget, "glory": asked.glory}
    left[who.price.currency] -= who.price.amount
    search = Search(who, odds, (left["ducats"], left["glory"]), asked.runners_up + 1)
    partial = False
    try:
        search.run(progress)
    except KeyboardInterrupt:
        partial = True
    choices = tuple(_choice(place, odds) for place in search.best)
    return Optimum(who, budget, asked, question, read, choices, search.counts, partial)


def read_against(given: Any, edition: str) -> tuple[tuple[dict[str, Any], float], ...]:
    """Read attacks on the model.

    Parameters
    ----------
    given : str, or iterable of str, or None
        Attacks as ``--attack`` takes them, ``//`` between several of one text; ``3x`` before one is its weight.
    edition : str
        Edition id.

    Returns
    -------
    tuple of (dict, float)
        Entries of ``attacks``, each with its weight.

    Raises
    ------
    InputError
        For what is no attack, and for none at all.

    Examples
    --------
    >>> read_against("2x Bolt-Action Rifle // melee,CRITICAL", "1.6.3")
    (({'weapon': 'Bolt-Action Rifle'}, 2.0), ({'kind': 'melee', 'keywords': ['CRITICAL']}, 1.0))
    """
    if given is None:
        return ()
    texts = [given] if isinstance(given, str) else list(given) if isinstance(given, Iterable) else [given]
    if isinstance(given, Mapping) or not all(isinstance(text, str) for text in texts):
        raise InputError(f"{show(given)} is given, attacks as texts are allowed", "against")
    found = []
    for text in (part for whole in texts for part in whole.split(BETWEEN)):
        match = _WEIGHT.fullmatch(text)
        weight = float(fraction(match[1]) or 0) if match else 1.0
        if not 0 < weight <= MOST_WEIGHT:
            raise InputError(f"the weight {show(match[1] if match else text)} is not allowed", "against")
        attack = read_attack((match[2] if match else text).strip(), "against")
        if "event" in attack:
            raise InputError(f"{show(text.strip())} is an event, an attack is needed", "against")
        try:
            resolve(from_mapping({"edition": edition, "target": {}, "attacks": [attack]}))
        except InputError as error:
            raise InputError(str(error), "against") from None
        found.append((attack, weight))
    if not found:
        raise InputError("at least one attack is needed, none is given", "against")
    return tuple(found)


def _choice(place: Place, odds: Odds) -> Choice:
    kit = odds.recruit.model(place.wares)
    ways = odds.chances(place.wares, odds.ways(place.wares)) if odds.question.targets else []
    strikes = []
    for number, target in enumerate(odds.question.targets):
        able = [way for way in ways if odds.reaches(way.option, number)]
        best = max(able, key=lambda way: round(float(way.chances[number]), 12), default=None)
        if best is None:
            strikes.append(Strike(target, None, None, 0.0, None))
            continue
        option, chance = best.option, float(best.chances[number])
        strikes.append(Strike(target, option.kind, option.label, chance, odds.scenario(kit, option, target)))
    lists = {name: list(kit.model.kit[name]) for name in LISTS}
    data = {"edition": kit.unit.edition, "faction": kit.faction.name, "unit": kit.unit.id, **lists}
    survives = odds.survival(place.wares) if odds.question.against else None
    return Choice(place.wares, kit, place.value, tuple(strikes), survives, check(read_loadouts(data)[0]))
