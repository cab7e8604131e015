"""A turn as steps: in each, what may be done, what it costs, and what dice make of it.

What no later step reads is forgotten, so that few states remain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from tcsim.aos.common import D3
from tcsim.aos.fights.sequence import NONE, Modifiers, Target
from tcsim.aos.fights.weapons import Fight
from tcsim.aos.moves.rally_split import Rallying
from tcsim.aos.plans.known import OWNERS, PASS, Known, Option, View, left, settled
from tcsim.aos.plans.rolls import (
    AttackRoll,
    Charge,
    Inches,
    MortalRoll,
    PrayerRoll,
    RallyRoll,
    Roll,
    RunRoll,
    SpellRoll,
    Sure,
)
from tcsim.aos.plans.table import ENEMY, order
from tcsim.aos.plans.turn import Event

#: D6 of a Rally; inches of At the Double; mortal damage of Power Through.
RALLY_DICE, DOUBLE, POWER = 6, 6, D3

#: What is forgotten as a phase begins, and as a turn begins.
_PHASE, _TURN = ("used", "busy", "guarded"), ("ran", "moved", "exposed")


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a turn.

    Parameters
    ----------
    kind : str
        The kind of its event, or the command that it is about.
    event : Event
        What happens, or what a command is about.
    phase : str
        When.
    reads : set of str
        What it looks at: names in a view, and ``alive:UNIT`` or ``left:UNIT`` where damage matters for no more.
    options : callable
        Of what is known, what may be done; the first is to use no command.
    price : int, optional
        The most that it can cost.
    ends : tuple of str, optional
        Beginnings of names of what is forgotten before it: of a phase or a turn that has ended.
    """

    kind: str
    event: Event
    phase: str
    reads: set[str]
    options: Callable[[View], list[Option]]
    price: int = 0
    ends: tuple[str, ...] = ()


class Steps(Known):
    """The steps of a turn.

    Parameters
    ----------
    turn : Turn
        The turn.
    """

    def steps(self) -> list[Step]:
        """Give the steps.

        Returns
        -------
        list of Step
            In their order.
        """
        found: list[Step] = []
        last: tuple[int, str] | None = None
        for number, step in self._in_order():
            ends: tuple[str, ...] = () if last == (number, step.phase) else _PHASE
            if last is not None and last[0] != number:
                ends = (*_PHASE, *_TURN)
            found.append(replace(step, ends=ends))
            last = number, step.phase
        return found

    def _in_order(self) -> Iterator[tuple[int, Step]]:
        """Every step with the number of its turn; commands that answer no event stand at the head of their phase."""
        made: list[tuple[tuple[int, int, int], Step]] = []
        moved: set[tuple[int, str]] = set()
        for place, event in enumerate(self.turn.events):
            made += [((event.turn, order(event.phase), place + 1), step) for step in self._of(place, event)]
            if event.kind == "charge" and self.turn.units[event.unit].own:
                if self.turn.units[event.target].health < self.turn.units[event.unit].health:
                    made.append(((event.turn, order("end"), 0), self._power_through(place, event)))
            elif event.kind == "charge" and (event.turn, event.target) not in moved:
                moved.add((event.turn, event.target))  # charged by two, it redeploys once
                made.append(((event.turn, order("movement"), 0), self._redeploy(place, event)))
        for (number, _, _), step in sorted(made, key=lambda one: one[0]):
            yield number, step

    def _of(self, place: int, event: Event) -> list[Step]:
        if event.kind == "charge":
            return self._charge(place, event)
        if event.kind == "rally":
            return self._rally(place, event)
        make = {
            "run": self._run,
            "spell": self._spell,
            "prayer": self._spell,
            "attack": self._attack,
            "control": self._control,
        }
        return [make[event.kind](place, event)]

    def _step(self, event: Event, reads: set[str], options: Callable[[View], list[Option]], *commands: str) -> Step:
        price = max((self.commands[one].cost for one in commands), default=0)
        return Step(event.kind, event, event.phase, reads, options, price)

    # --- hero and movement phase -----------------------------------------------------------------------------------

    def _rally(self, place: int, event: Event) -> list[Step]:
        name = event.unit
        unit, rallied = self.turn.units[name], f"rallied:{event.unit}"

        def options(view: View) -> list[Option]:
            lost = view[f"lost:{name}"]
            able = lost and self.alive(view, name) and not self.engaged(view, place, name)
            if not able or not self.may(view, "rally", name):
                return [PASS]
            roll = RallyRoll(RALLY_DICE + unit.musician)
            return [PASS, self.paid(view, "rally", name, roll, lambda points: {rallied: points})]

        def split(view: View) -> list[Option]:
            lost, points = view[f"lost:{name}"], view[rallied]
            gone = (unit.models or 0) - left(unit, lost)
            rallying = Rallying(unit.health, gone, lost - gone * unit.health, unit.control)
            found = []
            for one in rallying.splits(points):
                then = settled(**{f"lost:{name}": lost - rallying.restored(one), rallied: 0})
                found.append(Option(Sure(), then, word=f"back={one.models} healed={one.healed}"))
            return found

        reads = self.wounds(name) | self.engaged_by(place, name) | self.asked_by("rally", name)
        return [
            self._step(event, reads, options, "rally"),
            replace(self._step(event, self.wounds(name) | {rallied}, split), kind="rally_points"),
        ]

    def _spell(self, place: int, event: Event) -> Step:
        unit, target = event.unit, event.target
        intervenes = event.phase.startswith(ENEMY)
        ward = self.turn.units[target].ward if target else NONE
        modifier = event.modifier - intervenes
        roll: Roll = SpellRoll(event.need, modifier, event.unbind, event.damage, ward)
        if event.kind == "prayer":
            roll = PrayerRoll(event.need, modifier, event.ritual, event.damage, ward)

        def options(view: View) -> list[Option]:
            def then(outcome: int) -> Mapping[str, int]:
                return {f"made:{place}": int(outcome > 0), **self.hurt(view, target, max(outcome - 1, 0))}

            if not self.alive(view, unit, target):
                return [PASS]
            if not intervenes:
                return [Option(roll, then)]
            if not self.may(view, "magical_intervention", unit):
                return [PASS]
            return [PASS, self.paid(view, "magical_intervention", unit, roll, then)]

        if not intervenes:
            return self._step(event, self.lives(unit) | self.wounds(target), options)
        reads = self.lives(unit) | self.wounds(target) | self.asked_by("magical_intervention", unit)
        return self._step(event, reads, options, "magical_intervention")

    def _run(self, place: int, event: Event) -> Step:
        unit = event.unit

        def options(view: View) -> list[Option]:
            if not self.alive(view, unit):
                return [PASS]
            found = [Option(RunRoll(event.need), lambda reached: {f"made:{place}": reached})]
            if self.may(view, "at_the_double", unit):
                reached = settled(**{f"made:{place}": int(event.need <= DOUBLE)})
                found.append(self.paid(view, "at_the_double", unit, Sure(), reached))
            return found

        return self._step(event, self.lives(unit) | self.asked_by("at_the_double", unit), options, "at_the_double")

    def _redeploy(self, place: int, event: Event) -> Step:
        name, first = event.target, self._first(event)

        def options(view: View) -> list[Option]:
            if not self.alive(view, name) or self.engaged(view, first, name) or not self.may(view, "redeploy", name):
                return [PASS]
            moves = self.paid(view, "redeploy", name, Inches(), lambda inches: {f"moved:{name}": inches}, "ran")
            return [PASS, moves]

        reads = self.lives(name) | self.engaged_by(first, name) | self.asked_by("redeploy", name)
        step = self._step(event, reads, options, "redeploy")
        return replace(step, kind="redeploy", phase=f"{ENEMY}movement")

    def _first(self, event: Event) -> int:
        """Place of the first event of a turn after its movement phase: what is before it has happened."""
        turn = enumerate(self.turn.events)
        return next(n for n, one in turn if one.turn == event.turn and order(one.phase) > order("movement"))

    # --- charge phase ----------------------------------------------------------------------------------------------

    def _charge(self, place: int, event: Event) -> list[Step]:
        unit, target, made = event.unit, event.target, f"made:{place}"
        roll = Charge(event.need - event.modifier)
        reads = self.lives(unit, target) | self.engaged_by(place, unit)

        def charges(view: View) -> bool:
            return self.alive(view, unit, target) and not self.engaged(view, place, unit)

        def enemy(view: View) -> list[Option]:
            if not charges(view):
                return [PASS]
            need = event.need - event.modifier + view[f"moved:{target}"]
            return [Option(Charge(need, event.reroll), lambda done: {made: done})]

        def own(view: View) -> list[Option]:
            return [Option(roll, lambda done: {made: done})] if charges(view) else [PASS]

        def again(view: View) -> list[Option]:
            if view[made] or not charges(view) or not self.may(view, "forward_to_victory", unit):
                return [PASS]
            return [PASS, self.paid(view, "forward_to_victory", unit, roll, lambda done: {made: done})]

        def counter(view: View) -> list[Option]:
            if view[f"ran:{unit}"] or not charges(view) or not self.may(view, "counter_charge", unit):
                return [PASS]
            return [PASS, self.paid(view, "counter_charge", unit, roll, lambda done: {made: done})]

        if not self.turn.units[unit].own:
            return [self._step(event, reads | {f"moved:{target}"}, enemy)]
        if event.phase.startswith(ENEMY):
            asked = {f"ran:{unit}"} | self.asked_by("counter_charge", unit)
            return [self._step(event, reads | asked, counter, "counter_charge")]
        asked = {made} | self.asked_by("forward_to_victory", unit)
        second = replace(self._step(event, reads | asked, again, "forward_to_victory"), kind="forward_to_victory")
        return [self._step(event, reads, own), second]

    # --- attacks ---------------------------------------------------------------------------------------------------

    def _attack(self, place: int, event: Event) -> Step:
        unit, target = event.unit, event.target
        own = self.turn.units[unit].own
        ours = unit if own else target
        covering = own and event.phase == f"{ENEMY}shooting"
        fights = event.phase.endswith("combat")
        command = "covering_fire" if covering else "all_out_attack" if own else "all_out_defence"
        friendly = max(event.modifier, 0) if own else 0  # the enemy's +1 is its All-out Attack
        lasts = (
            self.turn.edition == "4e"
        )  # the later text: All-out Defence is for one attack, All-out Attack costs saves

        def options(view: View) -> list[Option]:
            if not self.alive(view, unit, target) or (fights and not self.meet(view, place, event)):
                return [PASS]
            guarded, exposed = view[f"guarded:{target}"], view[f"exposed:{target}"]

            def then(dealt: int) -> Mapping[str, int]:
                return self.hurt(view, target, dealt)

            def roll(hit: int = 0, save: int = 0) -> AttackRoll:
                save += event.save_modifier + guarded - exposed
                modifiers = Modifiers(hit=event.modifier - friendly + hit, hit_bonus=friendly, save=save)
                return self._attack_roll(view, event, modifiers)

            plain = Option(roll(), then)
            able = self.may(view, command, ours)
            if covering:
                able = able and not view[f"ran:{unit}"] and not self.engaged(view, place, unit)
                return [PASS, self.paid(view, command, unit, roll(hit=-1), then)] if able else [PASS]
            if not able:
                return [plain]
            if own:
                return [plain, self.paid(view, command, unit, roll(hit=1), then, *(() if lasts else ("exposed",)))]
            return [plain, self.paid(view, command, target, roll(save=1), then, *(("guarded",) if lasts else ()))]

        reads = self.lives(unit, models=event.each) | self.wounds(target) | self.asked_by(command, ours)
        reads |= {f"guarded:{target}", f"exposed:{target}"}
        reads |= self.met_by(place, event) if fights else set()
        reads |= {f"ran:{unit}"} | self.engaged_by(place, unit) if covering else set()
        return self._step(event, reads, options, command)

    def _attack_roll(self, view: View, event: Event, modifiers: Modifiers) -> AttackRoll:
        target, attacker = self.turn.units[event.target], self.turn.units[event.unit]
        fight = Fight(event.weapons, Target(target.save, target.ward), modifiers, self.turn.readings)
        times = left(attacker, view[f"lost:{attacker.name}"]) if event.each else 1
        return AttackRoll(fight, self.most[target.name], times)

    # --- end of the turn -------------------------------------------------------------------------------------------

    def _power_through(self, place: int, event: Event) -> Step:
        unit, target = event.unit, event.target

        def options(view: View) -> list[Option]:
            able = view[f"made:{place}"] and self.alive(view, unit, target)
            if not able or not self.may(view, "power_through", unit):
                return [PASS]
            roll = MortalRoll(POWER, self.turn.units[target].ward)
            return [PASS, self.paid(view, "power_through", unit, roll, lambda dealt: self.hurt(view, target, dealt))]

        reads = self.lives(unit) | self.wounds(target) | {f"made:{place}"} | self.asked_by("power_through", unit)
        phase = f"{ENEMY}end" if event.phase.startswith(ENEMY) else "end"
        return replace(self._step(event, reads, options, "power_through"), kind="power_through", phase=phase)

    def _control(self, place: int, event: Event) -> Step:
        earlier = [
            n for n, one in enumerate(self.turn.events[:place]) if (one.kind, one.target) == ("control", event.target)
        ]

        def score(view: View, own: bool) -> int:
            total = 0
            for name, goal in event.contesting:
                unit = self.turn.units[name]
                if unit.own is own and self.alive(view, name) and (goal is None or self.holds(view, goal, place)):
                    models = left(unit, view[f"lost:{name}"]) if unit.most is not None else 1
                    total += max(models * unit.control, 1)
            return total

        def options(view: View) -> list[Option]:
            ours, theirs = score(view, True), score(view, False)
            owner = OWNERS.index(event.owner) if not earlier else view[f"made:{earlier[-1]}"]
            owner = OWNERS.index("yours") if ours > theirs else OWNERS.index("theirs") if theirs > ours else owner
            return [Option(Sure(), settled(**{f"made:{place}": owner}))]

        reads = self.lives(*(name for name, _ in event.contesting), models=True) | {f"made:{n}" for n in earlier[-1:]}
        for _, goal in event.contesting:
            reads |= self.held_by(goal, place) if goal is not None else set()
        return self._step(event, reads, options)
