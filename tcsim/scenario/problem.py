"""The Problem: a scenario as plain numbers, all that an engine ever sees.

Names, editions and situations are settled before; what differs between a standing and a Down target or between a plain
and a critical hit stands in the step as separate numbers, so that no engine knows a rule about them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from tcsim.rules import Charts, Rulings

#: Dice that an action roll keeps, in every edition.
ACTION_KEEP = 2

#: ``Step.kind``; ``ACTIVATED``: the target itself is activated; ``GATE``: a roll of the attacker that is no attack.
ATTACK, STAND, ACTIVATION, ACTIVATED, GATE = range(5)

#: Results of the injury chart, mild to severe; ``ROLLED`` where the roll decides.
NO_EFFECT, MINOR_HIT, DOWN, OUT = range(4)
ROLLED = -1

#: ``Policy.blood``, in the order in which the policies are told.
#: ``RULES``: the rows of the problem's own table decide, which has no name to be asked by.
NONE, ALL, BLOODBATH, GREEDY, OPTIMAL, RULES = range(6)
BLOOD_POLICIES = ("none", "all", "bloodbath", "greedy", "optimal")

#: ``Rule.dice``: every marker that is there, or that a Bloodbath leaves.
EVERY_MARKER = -1


class Special(NamedTuple):
    """What few attacks do. The defaults do nothing.

    ``critical_lower``: the lowest critical is so much lower, ``critical_lower_per_marker`` for each blood and
    infection marker on the target (never below a success); ``modifier_per_marker``: added to the injury total for each,
    as they were before any is spent on the roll. ``sixes``: 1 where one injury die is a 6 and not rolled. ``result``:
    what a hit comes to without an injury roll, so that nothing is spent on it, else ``ROLLED``. ``marker_factor``: the
    injury result's markers (not those of keywords) are multiplied by it. ``infects``: 1 where what it places are
    infection markers, ``infection``: so many are placed besides on a hit, ``infection_if_marked``: so many if the hit
    has placed another marker. ``bloodbath_cheaper``: markers that a Bloodbath costs less, down to 1.
    ``down_for_minor``: 1 where a Minor Hit, also one that was Down, is Down. ``begins``: 1 where hits in a row are
    counted anew from this attack on; ``after_hits``: it is only made after so many; ``out_after_hits``: after so many a
    hit is out of action without an injury roll (0: never). ``if_down``: 1 where it is only made against a Down target.
    ``rerolls``: 1 where a failed action roll is made again, all dice, and a 1 among these ends the activation; 2 where
    it is a failure besides. ``bloodbath_cheaper_standing``: markers that a Bloodbath on a standing target costs less.
    ``strikes``: the bit of the member of a fireteam who attacks, kept on a hit until a new activation begins;
    ``if_struck``, ``unless_struck``: it is only made if one of these bits is kept, or none. ``reaction_takes``: before
    the action roll the target makes one of its own, with ``reaction_dice`` (``_down``) DICE; a success takes so many
    DICE, a critical is a failure of the attack (0: no such roll). ``keeps_down``: 1 where ``minor_for_down`` does not
    hold. ``if_spared``: 1 where it is only made while the target is ``State.spared``, 2 where only when no longer.
    """

    critical_lower: int = 0
    critical_lower_per_marker: int = 0
    modifier_per_marker: int = 0
    sixes: int = 0
    result: int = ROLLED
    marker_factor: int = 1
    infects: int = 0
    infection: int = 0
    infection_if_marked: int = 0
    bloodbath_cheaper: int = 0
    down_for_minor: int = 0
    begins: int = 0
    after_hits: int = 0
    out_after_hits: int = 0
    if_down: int = 0
    rerolls: int = 0
    bloodbath_cheaper_standing: int = 0
    strikes: int = 0
    if_struck: int = 0
    unless_struck: int = 0
    reaction_takes: int = 0
    reaction_dice: int = 0
    reaction_dice_down: int = 0
    keeps_down: int = 0
    if_spared: int = 0

    @property
    def is_twin(self) -> bool:
        """Whether it is only made where another one, which is told beside it, is not."""
        return self.unless_struck > 0 or self.if_spared > 1


class Nature(NamedTuple):
    """What few targets are. The defaults do nothing.

    ``golem``: 1 where out of action is Down unless by a Bloodbath. ``first_out``: the result that takes the place
    of the first out of action, while ``State.spared``. ``unmarked``: 1 where no marker is ever placed on it.
    ``regenerates``: blood markers that it sheds when it is activated. ``first_down``: the result that takes the
    place of the first Down, while ``State.firm``. ``unhurt_minor``: 1 where Down is a Minor Hit while no blood
    marker is on it. ``tough_unharmed``: 1 where the Down that TOUGH makes is no effect, 2 where only while no blood
    marker is on it. ``spared_minor``: 1 where Down is a Minor Hit while ``State.spared``. ``spared_sheds``: 1 where
    an out of action that is spared takes its blood markers off. ``last_stand``: 1 where out of action is Down
    unless by a Bloodbath, once nothing is spared any more. ``no_dice``: 1 where its markers cannot be spent as
    injury dice, but for a Bloodbath.
    """

    golem: int = 0
    first_out: int = NO_EFFECT
    unmarked: int = 0
    regenerates: int = 0
    first_down: int = NO_EFFECT
    unhurt_minor: int = 0
    tough_unharmed: int = 0
    spared_minor: int = 0
    spared_sheds: int = 0
    last_stand: int = 0
    no_dice: int = 0


class Gate(NamedTuple):
    """A roll in the attacker's activation that is no attack: short of ``total``, the activation ends.

    ``keep`` D6 are rolled, and as many more as ``net`` says. The ``keep`` highest count, or the lowest where it is
    below 0.
    """

    keep: int = ACTION_KEEP
    net: int = 0
    total: int = 0

    @property
    def is_certain(self) -> bool:
        """Whether no dice can fall short, so that none are rolled."""
        return self.total <= self.keep


#: What most attacks do and most targets are, and a gate that is open.
PLAIN, ORDINARY, OPEN = Special(), Nature(), Gate()


class Step(NamedTuple):
    """One row of a problem: some volleys of attacks, one after the other, an event, or a gate.

    A volley is ``shots`` attacks whose injuries are rolled against the state before it and applied together; attacks
    in turn are volleys of one. The suffixes: ``_down`` against a Down target, ``_critical`` on a critical.
    """

    kind: int = ATTACK
    volleys: int = 1
    shots: int = 1
    auto_hit: int = 0
    risky: int = 0
    action_dice: int = 0
    action_dice_down: int = 0
    first_shot_dice: int = 0
    injury_keep: int = 2
    injury_dice: int = 0
    injury_dice_critical: int = 0
    injury_dice_down: int = 0
    injury_dice_down_critical: int = 0
    injury_modifier: int = 0
    injury_modifier_critical: int = 0
    injury_modifier_down: int = 0
    injury_modifier_down_critical: int = 0
    markers: int = 0
    special: Special = PLAIN
    gate: Gate = OPEN


class State(NamedTuple):
    """The target between two attacks; out of action is no state but the end.

    ``spared``: so many times its out of action is yet to be another result; ``firm``: its first Down is yet to be
    another; ``warded``: its first marker is yet to be ignored.
    """

    down: int = 0
    blood: int = 0
    blessing: int = 0
    tough: int = 0
    infection: int = 0
    spared: int = 0
    warded: int = 0
    firm: int = 0


#: Fields of a state that every problem has, and the others where nothing is in them.
_PLAIN_STATE = 4
_NO_STATE = State()[_PLAIN_STATE:]

#: So many fields of each kind of row a fingerprint always tells. Those that were added later are told only up to the
#: last that is not as usual: the fingerprints of older problems, and so their dice, stay as they are.
_ALWAYS_TOLD = {Special: 16, Nature: 4, State: 7}


def _told(row: Special | Nature | State) -> tuple[int, ...]:
    usual, length = type(row)(), len(row)
    while length > _ALWAYS_TOLD[type(row)] and row[length - 1] == usual[length - 1]:
        length -= 1
    return tuple(row)[:length]


class Policy(NamedTuple):
    """Who spends what on injury rolls: ``blood`` a code of ``BLOOD_POLICIES``, ``blessing`` 0 none or 1 all."""

    blood: int = NONE
    blessing: int = 0


class Game(NamedTuple):
    """What the players choose roll by roll, beside the attacker's choice of the target's blood (``Policy.blood``).

    ``blood``: blood markers of the attacker that the target's player may spend on its action rolls; ``blessing``: its
    blessing markers, for its own player; ``guards``: 1 where the target's player chooses how many of the target's
    blessing markers to spend on an injury roll; ``attacker_first``: 1 where the attacker's player declares first;
    ``keeps_blood``: for each step 1 where none of ``blood`` can be spent.
    """

    blood: int = 0
    blessing: int = 0
    guards: int = 0
    attacker_first: int = 0
    keeps_blood: tuple[int, ...] = ()


class Condition(NamedTuple):
    """A number that must lie within ``least`` and ``most``, both included."""

    name: str
    least: int
    most: int


class Rule(NamedTuple):
    """One row of a spending policy: where its conditions hold, and no earlier row's do, so much is spent.

    ``dice`` and ``bloodbath`` are spent on one hit. Where ``plain`` or ``critical`` is given, the row decides for all
    hits of a volley at once: a pair of dice and Bloodbath (0 or 1) for each hit of that kind, in order; hits behind
    the last one get nothing. Conditions are on the fields of a state and on ``attacks_left`` (this one counted),
    ``hits_in_a_row``, ``critical``, ``ended`` (1: the activation has ended), and of a volley on ``plain_hits``,
    ``critical_hits`` and ``first_critical`` (its first hit is).
    """

    conditions: tuple[Condition, ...] = ()
    dice: int = 0
    bloodbath: int = 0
    plain: tuple[tuple[int, int], ...] | None = None
    critical: tuple[tuple[int, int], ...] | None = None

    @property
    def is_joint(self) -> bool:
        """Whether it decides for all hits of a volley at once."""
        return self.plain is not None or self.critical is not None


class Worth(NamedTuple):
    """One row of a goal: what a final state is worth; ``out`` 1 for out of action, 0 for the others, -1 for all."""

    conditions: tuple[Condition, ...] = ()
    out: int = 0
    value: float = 0.0


class Goal(NamedTuple):
    """What the target's blood is spent for: a name, ``attack`` for out-by-attack, or the worth of each final state."""

    name: str = "out"
    attack: int = 0
    worths: tuple[Worth, ...] = ()


#: Out of action by the end.
GOAL_OUT = Goal()


@dataclass(frozen=True)
class Problem:
    """A resolved scenario.

    Parameters
    ----------
    edition : str
        Edition id.
    charts : Charts
        Thresholds and marker numbers of the edition.
    rulings : Rulings
        Options that decide what rolls and results do.
    start : State
        The target before the first step.
    minor_for_down : int
        1 where Down results become Minor Hit.
    policy : Policy
        Who spends what on injury rolls.
    steps : tuple of Step
        What happens, in order.
    nature : Nature, optional
        What the target is that few are.
    rules : tuple of Rule, optional
        The rows of the policy ``RULES``.
    goal : Goal, optional
        What optimal spending makes as large as it can be.
    game : Game, optional
        What both players choose, where there is more to choose than the target's blood.
    """

    edition: str
    charts: Charts
    rulings: Rulings
    start: State
    minor_for_down: int
    policy: Policy
    steps: tuple[Step, ...]
    nature: Nature = ORDINARY
    rules: tuple[Rule, ...] = ()
    goal: Goal = GOAL_OUT
    game: Game | None = None

    @cached_property
    def is_planned(self) -> bool:
        """Whether spending looks at more than the roll: at the attacks that are left, and at all hits of a volley."""
        return self.policy.blood in (OPTIMAL, RULES) and self.game is None

    @cached_property
    def deals_out(self) -> bool:
        """Whether markers are dealt out to all hits of a volley at once."""
        chosen = self.is_planned or self.game is not None
        return chosen and any(step.kind == ATTACK and step.shots > 1 for step in self.steps)

    @cached_property
    def is_one_by_one(self) -> bool:
        """Whether trials are played one after the other: the kernel of many side by side cannot play it."""
        return self.is_special or self.deals_out or self.game is not None

    @cached_property
    def is_special(self) -> bool:
        """Whether anything in it is what few attacks do, or few targets are."""
        return self.is_special_in_steps or self.nature != ORDINARY or self.start[_PLAIN_STATE:] != _NO_STATE

    @cached_property
    def is_special_in_steps(self) -> bool:
        """Whether any step of it is what few are."""
        return any(step.special != PLAIN or step.kind in (ACTIVATED, GATE) for step in self.steps)

    @cached_property
    def has_infection(self) -> bool:
        """Whether infection markers can be on the target."""
        few = (step.special for step in self.steps)
        return bool(self.start.infection) or any(
            special.infects or special.infection or special.infection_if_marked for special in few
        )

    @cached_property
    def few_states(self) -> tuple[str, ...]:
        """Fields of a state that this problem has and a plain one has not."""
        has = {"infection": self.has_infection}
        has |= {name: bool(getattr(self.start, name)) for name in ("spared", "warded", "firm")}
        return tuple(name for name, it_has in has.items() if it_has)

    @cached_property
    def rolls(self) -> int:
        """How many attack rolls there are at most."""
        made = (step for step in self.steps if step.kind == ATTACK and not step.special.is_twin)
        return sum(step.volleys * step.shots for step in made)

    @cached_property
    def moves(self) -> int:
        """How many volleys and events there are."""
        return sum(step.volleys for step in self.steps)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of all its numbers, in hex: the same question has the same one, however it was asked."""
        return fingerprints(self, [self.start])[0]


def first(problem: Problem, moves: int) -> Problem:
    """Cut a problem after some moves.

    Parameters
    ----------
    problem : Problem
        A problem.
    moves : int
        How many volleys and events are left, at least 1.

    Returns
    -------
    Problem
        Its beginning.
    """
    steps: list[Step] = []
    for step in problem.steps:
        if moves > 0:
            steps.append(step._replace(volleys=min(step.volleys, moves)))
            moves -= step.volleys
    return replace(problem, steps=tuple(steps))


def fingerprints(problem: Problem, starts: Sequence[State]) -> list[str]:
    """Give the fingerprints of a problem from several starts.

    Parameters
    ----------
    problem : Problem
        Its own start does not count.
    starts : sequence of State
        Targets before the first step.

    Returns
    -------
    list of str
        What ``fingerprint`` is of the problem with each start.
    """
    head, policy = _head(problem.edition, problem.charts, problem.rulings), tuple(problem.policy)
    steps = [tuple(step)[:-2] for step in problem.steps]
    # what was not there once is left out where it says nothing, so that old problems keep their dice
    gates = [tuple(step.gate) for step in problem.steps]
    own = gates if any(gate != OPEN for gate in gates) else []
    special = problem.nature != ORDINARY or problem.is_special_in_steps
    kinds = [special or start[_PLAIN_STATE:] != _NO_STATE for start in starts]
    tails = {}
    for is_special in set(kinds):
        few: list[object] = []
        few += [_told(problem.nature), *(_told(step.special) for step in problem.steps)] if is_special else []
        few += own if is_special else []
        few += [_plain(rule) for rule in problem.rules] + ([_plain(problem.goal)] if problem.goal != GOAL_OUT else [])
        few += [_plain(problem.game)] if problem.game is not None else []
        tails[is_special] = repr([problem.minor_for_down, policy, *steps, *few])[1:]
    found = []
    for start, is_special in zip(starts, kinds, strict=True):
        told = _told(start) if is_special else tuple(start)[:_PLAIN_STATE]
        text = head.copy()
        text.update(f"{told!r}, {tails[is_special]}".encode("ascii"))
        found.append(text.hexdigest())
    return found


@lru_cache(maxsize=64)
def _head(edition: str, charts: Charts, rulings: Rulings) -> Any:
    """The beginning of a fingerprint, to be copied."""
    import hashlib

    return hashlib.sha256(f"[{edition!r}, {tuple(charts)!r}, {tuple(rulings)!r}, ".encode("ascii"))


def _plain(value: object) -> object:
    """Write named tuples as plain ones: names of fields are not part of what is asked."""
    return tuple(_plain(part) for part in value) if isinstance(value, tuple) else value
