"""Scenario and catalogue to Problem: what every name, flag and option comes to in plain numbers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from tcsim.base.errors import InputError, one_line
from tcsim.rules import Edition, edition, rulings
from tcsim.scenario import problem as p
from tcsim.scenario.asked import AS_NAMED, Instead, Setting, tell_fireteam, tell_target
from tcsim.scenario.attack import ResolvedAttack, carried_enough
from tcsim.scenario.attacker import resolve_attacker
from tcsim.scenario.few import Line
from tcsim.scenario.gates import LABELS, Reach, charge_step, risky_step
from tcsim.scenario.model import Attack, Charge, Event, Risky, Scenario
from tcsim.scenario.notes import note_own
from tcsim.scenario.problem import Game, Policy, Problem, State, Step
from tcsim.scenario.spending import check_rules, goal_of, rules_of
from tcsim.scenario.target import Target, resolve_target

if TYPE_CHECKING:
    from collections.abc import Iterable
    from os import PathLike

    from tcsim.catalog import Catalog
    from tcsim.catalog.origin import File

    Paths = str | PathLike[str] | Iterable[str | PathLike[str]]

#: Most attack rolls in one scenario.
MAX_ROLLS = 1000


@dataclass(frozen=True)
class Action:
    """One table of ``attacks`` as resolved: its name, its steps, the lines behind it; ``kind`` empty for events.

    ``keeps_blood``: no blood of the attacker can be spent on its action rolls. ``later``: the steps once the target's
    first out of action has been another result, where that makes another target of it. ``reach``: of a charge.
    """

    label: str
    steps: tuple[Step, ...]
    lines: tuple[Line, ...] = ()
    keywords: tuple[str, ...] = ()
    kind: str = ""
    keeps_blood: bool = False
    later: tuple[Step, ...] = ()
    reach: Reach | None = None

    @property
    def step(self) -> Step:
        """The first step, or the only one."""
        return self.steps[0]

    @property
    def volleys(self) -> int:
        """How many volleys it is."""
        return sum(step.volleys for step in self.steps)

    @property
    def twins(self) -> tuple[tuple[Step, ...], ...]:
        """For each step those of which one is made; mostly it alone."""
        if not self.later:
            return tuple(_by_fellow(step) for step in self.steps)
        both = zip(self.steps, self.later, strict=True)
        return tuple((*_by_fellow(_while(2, later)), *_by_fellow(_while(1, step))) for step, later in both)

    @property
    def moves(self) -> int:
        """How many moves of the problem it is."""
        return sum(step.volleys for steps in self.twins for step in steps)


@dataclass(frozen=True)
class Resolved:
    """A scenario with its Problem, and what a reader of the answer should know.

    Parameters
    ----------
    scenario : Scenario
        As read.
    problem : Problem
        What the engines see.
    actions : tuple of Action
        One per table of ``attacks``, in order.
    target : Target
        The target's numbers.
    notes : tuple of str
        What is not counted or changes nothing, a sentence each.
    options : dict
        The options whose reading is not the edition's default.
    assumed : tuple of str
        What special rules ask for and was not said, as it is assumed.
    catalog : Catalog, optional
        Where names were looked up, if not in the edition's own catalogue.
    """

    scenario: Scenario
    problem: Problem
    actions: tuple[Action, ...]
    target: Target
    notes: tuple[str, ...]
    options: dict[str, str | bool]
    assumed: tuple[str, ...] = ()
    catalog: Catalog | None = None

    @property
    def rules(self) -> Edition:
        """The edition, with what users' own catalogues add to it and change."""
        return self.catalog.rules if self.catalog is not None else edition(self.problem.edition)

    @property
    def files(self) -> tuple[File, ...]:
        """Users' own catalogues that it was asked with."""
        return self.catalog.own.files if self.catalog is not None and self.catalog.own is not None else ()


def resolve(scenario: Scenario, catalog: Catalog | Paths | None = None, instead: Instead = AS_NAMED) -> Resolved:
    """Settle every name, flag and option of a scenario.

    Parameters
    ----------
    scenario : Scenario
        Well formed, as the readers give it.
    catalog : Catalog, path, or iterable of paths, optional
        Where names are looked up, or files that add to it and change it; default: the edition's own catalogue.
    instead : Instead, optional
        What is asked in place of what names say.

    Returns
    -------
    Resolved
        The Problem, and what stands behind it.

    Raises
    ------
    InputError
        For a name that does not exist, a flag of the other kind of attack, or whatever else the contract forbids.

    Examples
    --------
    >>> from tcsim.scenario.read import from_mapping
    >>> resolve(from_mapping({"target": {}, "attacks": [{"cover": True}]})).problem.steps[0].action_dice
    -1
    """
    attacks = [table for table in scenario.attacks if isinstance(table, Attack)]
    _check_rolls(sum(table.times * (table.shots or 1) for table in attacks), "at least ")
    books = edition(scenario.edition)
    catalog = _opened(catalog, books)
    rules = catalog.rules if catalog is not None else books
    options = rules.read_options(scenario.options)
    notes: list[str] = []
    target = resolve_target(scenario.target, rules, options, notes, catalog)
    if instead.armour is not None:
        target = target.with_armour(instead.armour)
    attacker = resolve_attacker(scenario.attacker, rules, notes, catalog)
    setting = Setting(
        *(rules, catalog, options, attacker, target, notes),
        fireteam=any(one.fireteam for one in attacks),
        without=instead.without,
    )
    actions = tuple(_actions(scenario, setting))
    carried_enough(setting)
    tell_target(scenario.target, setting)
    tell_fireteam(setting)
    given, spend, sequence = scenario.target, scenario.spend, _sequence(actions, scenario)
    rows = spend.policy
    if rows is not None and spend.blood_on_injury != "none":
        raise InputError("the rows of policy stand in place of blood_on_injury, both are given", "spend.policy")
    places = [f"spend.policy[{index}]" for index in range(len(rows or ()))]
    problem = Problem(
        edition=rules.id,
        charts=rules.charts,
        rulings=rulings(options),
        start=State(
            down=int(given.down),
            blood=given.blood,
            blessing=given.blessing,
            tough=int((target.then or target).tough),
            infection=given.infection,
            spared=target.spared,
            warded=int(target.warded),
            firm=int(target.firm),
        ),
        nature=target.nature if _is_activated(actions) else target.nature._replace(regenerates=0),
        minor_for_down=int((target.then or target).minor_for_down),
        policy=Policy(
            p.RULES if rows is not None else p.BLOOD_POLICIES.index(spend.blood_on_injury),
            int(spend.blessing_on_injury == "all" and given.blessing > 0),
        ),
        steps=tuple(step for step, _ in sequence),
        rules=rules_of(rows or (), places),
        goal=goal_of(spend),
        game=_game(scenario, options, tuple(int(keeps) for _, keeps in sequence)),
    )
    _check_whole(problem)
    check_rules(problem, places)
    if catalog is not None:
        words = [*(name for action in actions for name in action.keywords), *sorted(attacker.words | target.words)]
        note_own(notes, catalog, words, options, scenario.options)
    changed = {name: value for name, value in options.items() if value != books.options[name].default}
    return Resolved(scenario, problem, actions, target, tuple(notes), changed, tuple(setting.assumed), catalog)


def _opened(given: Catalog | Paths | None, books: Edition) -> Catalog | None:
    """The catalogue that is meant; None for that of the books, which is opened when a name is looked up."""
    if given is None:
        return None
    from tcsim.catalog import Catalog, catalog

    if not isinstance(given, Catalog):
        return catalog(books.id, given)
    if given.edition != books.id:
        raise InputError(f"the scenario is of {books.id}, the catalogue of {given.edition}", "catalog")
    return given


def _actions(scenario: Scenario, setting: Setting) -> Iterator[Action]:
    """Resolve the tables in order: an attacker that has tried to stand up is up in all that is still done after it."""
    for index, table in enumerate(scenario.attacks):
        yield _action(table, setting, f"attacks[{index}]")
        if isinstance(table, Risky) and table.event == "attacker_stand":
            setting = replace(setting, attacker=replace(setting.attacker, down=False))


def _action(table: Attack | Event | Risky | Charge, setting: Setting, where: str) -> Action:
    if isinstance(table, Event):
        label, kind = _EVENTS[table.event]
        return Action(label, (Step(kind=kind),))
    if isinstance(table, Risky):
        step, lines = risky_step(table, setting, where)
        label = one_line(table.label, 40) if table.label is not None else LABELS[table.doing or table.event]
        return Action(label, (step,), tuple(lines))
    if isinstance(table, Charge):
        step, reach = charge_step(table, setting, where)
        return Action(LABELS["charge"], (step,), reach=reach)
    attack = ResolvedAttack(table, setting, where)
    keeps = any(one.effect.target == "spend_forbidden" for one in attack.mine)
    later: tuple[Step, ...] = ()
    if setting.target.then is not None:  # it is another target once its first out of action was spared
        other = replace(setting, target=setting.target.then, notes=[], assumed=[], asked=set(), uses={})
        later = ResolvedAttack(table, other, where).steps()
    keywords = tuple(attack.keywords)
    return Action(attack.label, attack.steps(), tuple(attack.lines), keywords, attack.kind, keeps, later)


def _while(phase: int, step: Step) -> Step:
    """Make a step only while the target's first out of action is yet to be spared (1), or only after that (2)."""
    return step._replace(special=step.special._replace(if_spared=phase))


def _by_fellow(step: Step) -> tuple[Step, ...]:
    """Tell an attack with a cheaper Bloodbath after the other of a fireteam has hit from the same one before that."""
    special = step.special
    if not special.if_struck:
        return (step,)
    before = special._replace(if_struck=0, unless_struck=special.if_struck, bloodbath_cheaper_standing=0)
    return step, step._replace(special=before)


def _is_activated(actions: tuple[Action, ...]) -> bool:
    """Whether the target is activated at all: else nothing regenerates."""
    return any(action.step.kind == p.ACTIVATED for action in actions)


_EVENTS = {
    "stand": ("the target stands up", p.STAND),
    "activation": ("a new activation begins", p.ACTIVATION),
    "target_activation": ("the target is activated", p.ACTIVATED),
}


def _game(scenario: Scenario, options: Mapping[str, str | bool], keeps_blood: tuple[int, ...]) -> Game | None:
    """What both players choose; None where there is nothing but the target's blood to choose."""
    spend, attacker = scenario.spend, scenario.attacker
    game = Game(
        blood=attacker.blood * (spend.blood_on_action == "optimal"),
        blessing=attacker.blessing * (spend.blessing_on_action == "optimal"),
        guards=int(spend.blessing_on_injury == "optimal" and scenario.target.blessing > 0),
    )
    if game == Game():
        return None
    first = int(options["declarations"] == "attacker-first")
    return game._replace(attacker_first=first, keeps_blood=keeps_blood if game.blood else ())


def _sequence(actions: tuple[Action, ...], scenario: Scenario) -> list[tuple[Step, bool]]:
    """Give the first action rolls the dice of the attacker's own markers, and join steps that are the same again.

    Beside each step stands whether no blood of the attacker can be spent on it.
    """
    blood = -scenario.attacker.blood if scenario.spend.blood_on_action == "all" else 0
    blessing = scenario.attacker.blessing if scenario.spend.blessing_on_action == "all" else 0
    chosen = scenario.spend.blood_on_action == "optimal"
    parts: list[tuple[Step, bool]] = []
    for action in actions:
        for twins in action.twins:
            first, keeps = twins[0], action.keeps_blood and chosen
            spent, left = 0 if action.keeps_blood else blood, first.volleys
            if first.kind == p.GATE:
                if first.gate.is_certain:
                    continue
                if first.gate.keep == p.ACTION_KEEP:  # an action roll, and not the die of a charge
                    gate = first.gate._replace(net=first.gate.net + spent + blessing)
                    twins, blood, blessing = (first._replace(gate=gate),), blood - spent, 0
            elif (spent or blessing) and first.kind == p.ATTACK and not first.auto_hit:
                parts += [(step._replace(volleys=1, first_shot_dice=spent + blessing), keeps) for step in twins]
                left, blood, blessing = left - 1, blood - spent, 0
            if len(twins) == 1 and left:
                parts.append((twins[0]._replace(volleys=left), keeps))
            elif left:
                parts += [(step._replace(volleys=1), keeps) for step in twins] * left
    joined: list[tuple[Step, bool]] = []
    for step, keeps in _few_events(parts):
        last, kept = joined[-1] if joined else (Step(kind=p.STAND), False)
        same = step == last._replace(volleys=step.volleys) and keeps == kept
        if step.kind == p.ATTACK and not last.first_shot_dice and same:
            joined[-1] = last._replace(volleys=last.volleys + step.volleys), kept
        else:
            joined.append((step, keeps))
    return joined


def _check_rolls(rolls: int, how_sure: str = "") -> None:
    if rolls > MAX_ROLLS:
        raise InputError(f"these are {how_sure}{rolls:,} attack rolls, at most {MAX_ROLLS:,} are allowed", "attacks")


def _few_events(parts: list[tuple[Step, bool]]) -> Iterator[tuple[Step, bool]]:
    """Tell the events between two attacks in the fewest that come to the same.

    The target stands, unless an activation has ended and none began before; so what counts is whether a new activation
    begins, and whether the target stands after that, only before, or not at all.
    """
    stand, activation = (Step(kind=p.STAND), False), (Step(kind=p.ACTIVATION), False)
    begins = stands_before = stands_after = False
    for part in [*parts, None]:
        kind = None if part is None else part[0].kind
        if kind == p.ACTIVATION:
            begins = True
        elif kind == p.STAND:
            stands_before, stands_after = stands_before or not begins, stands_after or begins
        else:
            if stands_before and not stands_after:
                yield stand
            if begins:
                yield activation
            if stands_after:
                yield stand
            begins = stands_before = stands_after = False
            if part is not None:
                yield part


#: Most shots resolved together on which both players choose.
MAX_TOGETHER = 6

#: Most dice added or taken, most attacks of an action, and most markers of a hit: what every engine can hold.
MAX_DICE, MAX_SHOTS, MAX_MARKERS = 150, 20, 6


def _check_numbers(step: Step) -> None:
    """Look at numbers that catalogue, situation and scenario only come to together."""
    dice = [step.action_dice, step.action_dice_down, step.injury_dice, step.injury_dice_critical]
    dice += [step.injury_dice_down, step.injury_dice_down_critical, step.gate.net]
    for what, number, most in (
        ("dice of a roll are added or taken", max(map(abs, dice)), MAX_DICE),
        ("attacks are in an action", step.shots, MAX_SHOTS),
        ("blood markers are placed by a hit", step.markers, MAX_MARKERS),
    ):
        if number > most:
            raise InputError(f"{number} {what}, at most {most} are allowed", "attacks")


def _check_whole(problem: Problem) -> None:
    if not problem.rolls:
        raise InputError("at least one attack is needed, there are only events", "attacks")
    for step in problem.steps:
        _check_numbers(step)
    _check_rolls(problem.rolls)
    gates = sum(step.kind == p.GATE for step in problem.steps)
    if gates > MAX_ROLLS:
        raise InputError(f"{gates:,} risky actions and charges are given, at most {MAX_ROLLS:,} are allowed", "attacks")
    check_game(problem)
    if any(step.special.sixes and step.injury_keep == 1 for step in problem.steps):
        raise InputError("an injury die that is a 6 needs an injury roll that keeps two dice or more", "attacks")
    check_plan(problem)


def check_plan(problem: Problem) -> None:
    """Raise InputError where spending is planned and cannot be: the order of a volley's hits would matter."""
    if problem.is_planned and any(step.shots > 1 and _order_matters(problem, step) for step in problem.steps):
        raise InputError(
            "it cannot be planned for shots resolved together where more than the number of hits matters (as an injury "
            "modifier by markers, or what takes the place of a first result); take greedy, or the option shots=in-turn",
            "spend.policy" if problem.policy.blood == p.RULES else "spend.blood_on_injury",
        )


def check_game(problem: Problem) -> None:
    """Raise InputError for what both players' choices are not worked out for."""
    if problem.game is None:
        return
    game = problem.game
    chosen = {
        "blood_on_action": game.blood,
        "blessing_on_action": game.blessing,
        "blessing_on_injury": game.guards,
    }
    where = "spend." + next(key for key, held in chosen.items() if held)
    if problem.policy.blood == p.RULES:
        raise InputError("optimal is not answered for it beside the rows of a policy; take all or none", where)
    shots = max(step.shots for step in problem.steps)
    if shots > MAX_TOGETHER:
        raise InputError(
            f"optimal is answered for it for at most {MAX_TOGETHER} shots resolved together, these are {shots}; take "
            "all or none, or the option shots=in-turn",
            where,
        )
    if any(step.shots > 1 and _order_matters(problem, step) for step in problem.steps):
        raise InputError(
            "optimal is not answered for it with shots resolved together where more than the number of hits matters "
            "(as an injury modifier by markers); take all or none, or the option shots=in-turn",
            where,
        )


def _order_matters(problem: Problem, step: Step) -> bool:
    """Whether hits of one volley come to something else in another order, so that it is not enough to count them."""
    few, nature = step.special, problem.nature
    infects_warded = problem.start.warded and (few.infection or few.infection_if_marked)
    of_markers = (
        few.modifier_per_marker or few.critical_lower_per_marker or nature.unhurt_minor or nature.tough_unharmed > 1
    )
    of_hits = few.strikes or few.after_hits or few.out_after_hits
    of_sparing = nature.spared_minor or nature.spared_sheds or nature.last_stand
    return bool(infects_warded or of_markers or of_hits or of_sparing)
