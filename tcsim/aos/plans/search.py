"""The best use of command points: backwards over the steps of a turn, exactly, for every number of points at once.

Forwards, the states that can be reached are listed; backwards, each gets the best that can come of it, in integers over
one denominator per step. Of options that are as good, the one that spends less on average is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import NamedTuple, TypeAlias

from tcsim.aos.plans.known import Option
from tcsim.aos.plans.steps import Steps
from tcsim.aos.plans.table import commands
from tcsim.aos.plans.turn import Turn
from tcsim.base.errors import InputError

#: Most ways from the states of a turn to the next ones, which take two seconds or so, and most command points.
MOST_WAYS, MOST_POINTS = 300_000, 20

#: The values of all names of a view, in their order.
State: TypeAlias = tuple[int, ...]


#: Before each step, and at the end: state to how many outcomes lead to it, and how many outcomes there are in all.
Flow: TypeAlias = list[tuple[dict[State, int], int]]


#: What an outcome changes, places of names and their values, and how many outcomes do.
Change: TypeAlias = tuple[tuple[tuple[int, int], ...], int]


class Branch(NamedTuple):
    """An option of a state, and what comes of it.

    Parameters
    ----------
    option : Option
        What is done.
    ways : dict of State to int
        The states that follow, and how many of the outcomes lead to each.
    of : int
        How many outcomes there are.
    """

    option: Option
    ways: dict[State, int]
    of: int


class Use(NamedTuple):
    """A command that can be used somewhere in the turn.

    Parameters
    ----------
    step : int
        Its step.
    command, unit : str
        The command, and who uses it.
    """

    step: int
    command: str
    unit: str


@dataclass(frozen=True, slots=True)
class Value:
    """What a way of spending comes to.

    Parameters
    ----------
    goal : Fraction
        The chance of the goal, or mean victory points.
    spent : Fraction
        Command points that are spent on average.
    """

    goal: Fraction
    spent: Fraction


class Search:
    """A turn, searched.

    Parameters
    ----------
    turn : Turn
        The turn.
    points : iterable of int, optional
        Numbers of command points to begin with; default: those of the turn.

    Raises
    ------
    InputError
        When the turn has too many ways to go.
    """

    def __init__(self, turn: Turn, points: Iterable[int] = ()) -> None:
        self.turn = turn
        self.rules = Steps(turn)
        self.steps = self.rules.steps()
        self._end = self._read_at_the_end()
        self.names = self._names()
        self._at = {name: place for place, name in enumerate(self.names)}
        self._lives = self._live()
        fits = [[self._fit(name, before) for name in self.names] for before in range(len(self.steps) + 1)]
        self._fits = [[(place, fit) for place, fit in enumerate(row) if fit is not None] for row in fits]
        self.starts = {number: self._start(number) for number in sorted({*points, turn.points})}
        self.layers: list[dict[State, list[Branch]]] = []
        self.ends: dict[State, Fraction] = {}
        self._walk()
        self._best: list[dict[State, tuple[int, int, int]]] = []
        self._ofs: list[int] = []
        self._scale = 1
        self._judge()

    # --- what is known, as numbers ---------------------------------------------------------------------------------

    def _read_at_the_end(self) -> set[str]:
        end = len(self.turn.events)
        return set().union(*(self.rules.held_by(goal, end) for goal in self.turn.goals))

    def _names(self) -> tuple[str, ...]:
        looked = self._end.union(*(step.reads for step in self.steps)) | {f"lost:{name}" for name in self.turn.units}
        return (*sorted({_kept_as(name) for name in looked} - {"points"}), "points")

    def _live(self) -> list[set[str]]:
        """What a later step or the goal looks at, before each step and at the end."""
        live = [self._end]
        for step in reversed(self.steps):
            live.append({name for name in live[-1] | step.reads if name.partition(":")[0] not in step.ends})
        return live[::-1]

    def _fit(self, name: str, before: int) -> Callable[[int], int] | None:
        """What is remembered of a value before a step: None for all of it."""
        live = self._lives[before]
        if name == "points":
            most = sum(step.price for step in self.steps[before:])  # no more can be spent
            return lambda points: min(points, most)
        if name in live:
            return None
        kind, _, unit = name.partition(":")
        if kind == "lost" and f"left:{unit}" in live:
            health = self.turn.units[unit].health
            return lambda lost: lost - lost % health  # as many models are left
        if kind == "lost" and f"alive:{unit}" in live:
            most = self.turn.units[unit].most or 0
            return lambda lost: lost if lost >= most else 0
        return lambda value: 0

    def detail(self, unit: str, before: int) -> str:
        """Say how much is known of the damage on a unit.

        Parameters
        ----------
        unit : str
            The unit.
        before : int
            Before which step.

        Returns
        -------
        str
            ``lost`` to the point, ``left`` for models that are left, ``alive`` for whether it is there.
        """
        live = self._lives[before]
        return next((kind for kind in ("lost", "left") if f"{kind}:{unit}" in live), "alive")

    def _start(self, points: int) -> State:
        known = {**self.rules.start(), "points": points}
        return self._state([known.get(name, 0) for name in self.names], 0)

    def _state(self, values: list[int], before: int) -> State:
        """Forget what no later step looks at."""
        for place, fit in self._fits[before]:
            values[place] = fit(values[place])
        return tuple(values)

    def view(self, state: State) -> dict[str, int]:
        """Name what is known in a state.

        Parameters
        ----------
        state : State
            The state.

        Returns
        -------
        dict of str to int
            Name to value.
        """
        return _View(zip(self.names, state, strict=True))

    # --- forwards and backwards ------------------------------------------------------------------------------------

    def _walk(self) -> None:
        now, every = dict.fromkeys(self.starts.values()), 0
        for place, step in enumerate(self.steps):
            looked = sorted({self.names.index(_kept_as(name)) for name in step.reads})
            told: dict[State, list[tuple[Option, int, list[Change]]]] = {}
            layer: dict[State, list[Branch]] = {}
            following: dict[State, State] = {}
            for state in now:
                key = tuple(state[one] for one in looked)
                if key not in told:  # states that differ elsewhere have the same options
                    view = _View((self.names[one], state[one]) for one in looked)
                    told[key] = [(option, *self._changes(option)) for option in step.options(view)]
                layer[state] = [self._branch(place, state, *one, following) for one in told[key]]
                every += sum(len(branch.ways) for branch in layer[state])
                if every > MOST_WAYS:
                    told_so = "fewer events, or units of fewer models and less Health, are needed"
                    raise InputError(
                        f"the dice can go more than {MOST_WAYS:,} ways from state to state; {told_so}", "events"
                    )
            self.layers.append(layer)
            now = dict.fromkeys(following)
        self.ends = {state: self._worth(state) for state in now}

    def _changes(self, option: Option) -> tuple[int, list[Change]]:
        """What each outcome of an option changes."""
        spread = option.roll.spread()
        first = dict(option.changes or {})
        found: dict[tuple[tuple[int, int], ...], int] = {}
        for outcome, count in enumerate(spread.ways):
            if count:
                changes = {**first, **option.then(outcome)}
                key = tuple((self._at[name], value) for name, value in changes.items() if name in self._at)
                found[key] = found.get(key, 0) + count
        return spread.of, list(found.items())

    def _branch(
        self, place: int, state: State, option: Option, of: int, changes: list[Change], following: dict[State, State]
    ) -> Branch:
        ways: dict[State, int] = {}
        base = list(self._state(list(state), place + 1))
        fits = dict(self._fits[place + 1])
        for change, count in changes:
            values = base.copy()
            for one, value in change:
                values[one] = fits[one](value) if one in fits else value
            after = tuple(values)
            after = following.setdefault(after, after)
            ways[after] = ways.get(after, 0) + count
        return Branch(option, ways, of)

    def after(self, place: int, state: State, option: Option, outcome: int) -> State:
        """Give the state that follows an outcome.

        Parameters
        ----------
        place : int
            The step.
        state : State
            The state before it.
        option : Option
            What is done.
        outcome : int
            What was rolled.

        Returns
        -------
        State
            The state before the next step.
        """
        known = dict(zip(self.names, state, strict=True)) | dict(option.changes or {}) | dict(option.then(outcome))
        return self._state([known[name] for name in self.names], place + 1)

    def _worth(self, state: State) -> Fraction:
        view, end = self.view(state), len(self.turn.events)
        return sum((goal.value for goal in self.turn.goals if self.rules.holds(view, goal, end)), Fraction(0))

    def _judge(self) -> None:
        """Backwards: of each state the best value, what is spent for it, and which option that is."""
        scale = lcm(*(value.denominator for value in self.ends.values()))
        later = {state: (int(value * scale), 0, 0) for state, value in self.ends.items()}
        self._best = [later]
        for layer in reversed(self.layers):
            of = lcm(*{branch.of for branches in layer.values() for branch in branches})
            scale *= of
            now = {}
            for state, branches in layer.items():
                found = None
                for number, branch in enumerate(branches):
                    value = spent = 0
                    for after, count in branch.ways.items():
                        best = later[after]
                        value += count * best[0]
                        spent += count * best[1]
                    more = of // branch.of
                    one = (value * more, -(spent * more + branch.option.cost * scale), -number)
                    found = one if found is None or one > found else found
                assert found is not None
                now[state] = (found[0], -found[1], -found[2])
            self._best.append(now)
            self._ofs.append(of)
            later = now
        self._best.reverse()
        self._ofs.reverse()
        self._scale = scale

    # --- answers ---------------------------------------------------------------------------------------------------

    def best(self, points: int) -> Value:
        """Give what the best way of spending comes to.

        Parameters
        ----------
        points : int
            Command points; one of those that were asked for.

        Returns
        -------
        Value
            The chance or the mean, and what is spent for it.
        """
        value, spent, _ = self._best[0][self.starts[points]]
        return Value(Fraction(value, self._scale), Fraction(spent, self._scale))

    def uses(self) -> list[Use]:
        """Give every command that can be used somewhere.

        Returns
        -------
        list of Use
            In the order of the steps.
        """
        found = dict.fromkeys(
            Use(place, branch.option.command, branch.option.unit)
            for place, layer in enumerate(self.layers)
            for branches in layer.values()
            for branch in branches
            if branch.option.command
        )
        return list(found)

    def bought(self, uses: Iterable[Use], points: int) -> Value:
        """Give what it comes to when some commands are used whenever they may be, and no others.

        Parameters
        ----------
        uses : iterable of Use
            The commands.
        points : int
            Command points; one of those that were asked for.

        Returns
        -------
        Value
            The chance or the mean, and what is spent. Choices without a command are made as well as can be.
        """
        wanted, prices = set(uses), commands(self.turn.edition)
        flow = self.reached(points, wanted)
        now, scale = flow[-1]
        ways: dict[Fraction, int] = {}
        for state, chance in now.items():
            ways[self.ends[state]] = ways.get(self.ends[state], 0) + chance
        goal = sum((value * Fraction(count, scale) for value, count in ways.items()), Fraction(0))
        times = self._times(flow, wanted)
        return Value(goal, sum((prices[one].cost * mean for one, mean in times.items()), Fraction(0)))

    def used(self, points: int, uses: set[Use] | None = None) -> dict[str, Fraction]:
        """Give how often each command is used.

        Parameters
        ----------
        points : int
            Command points; one of those that were asked for.
        uses : set of Use, optional
            Commands that are used whenever they may be, and no others; default: the best way.

        Returns
        -------
        dict of str to Fraction
            Command to its mean number of uses.
        """
        return self._times(self.reached(points, uses), uses)

    def _times(self, flow: Flow, uses: set[Use] | None) -> dict[str, Fraction]:
        found = {use.command: Fraction(0) for use in self.uses()}
        for place, (now, scale) in enumerate(flow[:-1]):
            ways: dict[str, int] = {}
            for state, chance in now.items():
                command = self.taken(place, state, uses).option.command
                if command:
                    ways[command] = ways.get(command, 0) + chance
            for command, count in ways.items():
                found[command] += Fraction(count, scale)
        return found

    def taken(self, place: int, state: State, uses: set[Use] | None = None) -> Branch:
        """Give the option that is taken in a state.

        Parameters
        ----------
        place : int
            The step.
        state : State
            The state before it.
        uses : set of Use, optional
            Commands that are used whenever they may be, and no others; default: the best option is taken.

        Returns
        -------
        Branch
            The option, and what comes of it.
        """
        branches = self.layers[place][state]
        best = branches[self._best[place][state][2]]
        if uses is None or len(branches) == 1:
            return best
        for branch in branches:
            if branch.option.command and Use(place, branch.option.command, branch.option.unit) in uses:
                return branch
        return best if not best.option.command else branches[0]

    def reached(self, points: int, uses: set[Use] | None = None) -> Flow:
        """Give the states that are reached.

        Parameters
        ----------
        points : int
            Command points; one of those that were asked for.
        uses : set of Use, optional
            Commands that are used whenever they may be, and no others; default: the best options are taken.

        Returns
        -------
        list of (dict of State to int, int)
            Before each step, and at the end: state to how many outcomes lead to it, and how many there are in all.
        """
        now, scale = {self.starts[points]: 1}, 1
        found = [(now, scale)]
        for place, of in enumerate(self._ofs):
            following: dict[State, int] = {}
            for state, chance in now.items():
                branch = self.taken(place, state, uses)
                chance *= of // branch.of
                for after, count in branch.ways.items():
                    following[after] = following.get(after, 0) + chance * count
            now, scale = following, scale * of
            found.append((now, scale))
        return found


def _kept_as(name: str) -> str:
    """The name in a view of what is looked at."""
    kind, _, unit = name.partition(":")
    return f"lost:{unit}" if kind in ("alive", "left") else name


class _View(dict[str, int]):
    """What is known; what is not kept is 0."""

    def __missing__(self, name: str) -> int:
        return 0
